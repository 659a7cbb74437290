// What the verbs of mathematics share: a model at a state, and its numbers as JSON.
#ifndef CR_CLI_ANALYSIS_H
#define CR_CLI_ANALYSIS_H

#include "cli.h"

#include <jansson.h>

// An option of one verb beside those of all.
typedef struct crAnalysisOption {
  const char* name;
  bool hasValue;
  bool (*apply)(void* context, const char* value); // false: the value cannot be meant
} crAnalysisOption;

// A model, compiled, at a state that its loops are closed in.
typedef struct crAnalysis {
  const crVerb* verb;
  crModelArguments arguments;
  crLoaded loaded;
  crInstance* instance;
  crTreeSet all;
  int stateCount, rateCount;
  double t;  // [s]
  double* y; // (stateCount)
  const char *startFile, *saveFile;
  const char** inputs; // (inputCount) "name=value"
  int inputCount;
} crAnalysis;

// Reads the arguments, MODEL [--set NAME=VALUE] [--time T] [--start FILE] [--input NAME=VALUE] [--save-state FILE] and
// the verb's own, ended by one without a name; then the model. false: the exit code is in outExit; crCloseAnalysis is
// due in any case.
bool crOpenAnalysis(crAnalysis* analysis, const crVerb* verb, const crAnalysisOption* options, void* context, int argc,
                    char** argv, int* outExit);
void crCloseAnalysis(crAnalysis* analysis);

// Messages since the start go to stderr; returns the exit code of a status.
int crEndAnalysis(crAnalysis* analysis, crStatus status);

// Numbers separated by commas; false: not that many.
bool crParseNumbers(const char* text, int count, double* outNumbers);

// JSON; NULL: out of memory. The state by names; a matrix (rows x columns) that is stored by columns, row by row; names
// of states or of rates.
json_t* crDescribeState(const crAnalysis* analysis);
json_t* crDescribeMatrix(const double* matrix, int rows, int columns);
json_t* crDescribeStates(const crAnalysis* analysis);
const char* crGetRateName(const crAnalysis* analysis, int rate, char* buffer, size_t size);
json_t* crDescribePorts(const crModel* model, bool ofInputs);

// Prints it on stdout, and writes the state into the file that was asked for. Takes `json`.
int crPrintAnalysis(crAnalysis* analysis, json_t* json);

#endif
