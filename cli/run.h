// What carom run was asked for, and its progress bar.
#ifndef CR_CLI_RUN_H
#define CR_CLI_RUN_H

#include "carom/run.h"
#include "cli.h"

#define CR_MAX_PATTERNS 64
#define CR_MAX_TOLERANCES 16
#define CR_MAX_INPUTS 64

typedef struct crRunArguments {
  crModelArguments model; // file and settings
  crSimulationOptions options;

  double tolerances[CR_MAX_TOLERANCES];
  int toleranceCount;
  const char* folder; // NULL: named after the model
  const char* patterns[CR_MAX_PATTERNS];
  int patternCount;
  crSetting inputs[CR_MAX_INPUTS]; // name and value of --input
  int inputCount;
  double checkpointSeconds;          // as crRunDef has it
  const char *startFile, *stateFile; // or NULL
  const char* sessionFile;           // likewise
  bool isQuiet, isJson, hasReport;
  bool isInteractive; // the report holds the simulator
  bool isWatched;     // a page shows the run while it goes on
} crRunArguments;

// false: usage error or --help, the exit code is in outExit. Free with crFreeArguments(&arguments->model).
bool crParseRunArguments(int argc, char** argv, crRunArguments* outArguments, int* outExit);

// carom run; isWatched: carom view --live.
int crRunWith(int argc, char** argv, bool isWatched);

// For the options of several verbs. false: a usage error of the verb, the exit code is in outExit.
bool crParseThreads(const char* verb, const char* text, int* outThreads, int* outExit);
bool crParseCheckpoint(const char* verb, const char* text, double* outSeconds, int* outExit);

// Ctrl-C and SIGTERM end a run cleanly.
void crCatchInterrupts(void);
bool crWasInterrupted(void);

// Prints how a run went. Returns the exit code.
int crTellRun(crStatus status, const crRunFacts* facts, bool isJson, bool isQuiet);
int crExitOfRun(crStatus status, bool hasRun, crRunEnd end);

// A line on a terminal that shows how far a run has come; nothing elsewhere.
typedef struct crProgress {
  bool isShown;
  double start, stop;    // [s] simulated
  double began, updated; // [s] wall clock
} crProgress;

void crProgress_Begin(crProgress* progress, double start, double stop, bool isQuiet);
void crProgress_Show(crProgress* progress, double t);
void crProgress_End(crProgress* progress);

#endif
