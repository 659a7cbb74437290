// What the verbs of the tool share: options, messages, tables.
#ifndef CR_CLI_H
#define CR_CLI_H

#include "carom/carom.h"
#include "carom/io.h"
#include "carom/show.h"

#include <getopt.h>

#include <stdio.h>

// Exit codes that scripts can rely on.
enum { CR_EXIT_OK = 0, CR_EXIT_MODEL = 1, CR_EXIT_USAGE = 2, CR_EXIT_FAILED = 3, CR_EXIT_INTERRUPTED = 130 };

// One verb: `carom NAME ...`.
typedef struct crVerb {
  const char* name;
  const char* summary;               // one line
  const char* help;                  // usage, options, example
  int (*run)(int argc, char** argv); // argv[0] is the verb
} crVerb;

extern const crVerb crRunVerb, crResumeVerb, crCheckVerb, crInfoVerb, crPlotVerb, crViewVerb, crConvertVerb,
    crDistanceVerb, crLinearizeVerb, crEquilibriumVerb, crInverseDynamicsVerb, crIkVerb, crSchemaVerb, crSweepVerb,
    crFitVerb, crFmuVerb, crPlayVerb, crMeshVerb, crNewVerb, crFormatVerb;

// ----------------------------------------------------------------------------------------- options

// Options of verbs that read a model.
typedef struct crModelArguments {
  const char* files[2]; // model, and what else the verb takes
  int fileCount;
  bool isJson, isAll, isContacts, isSamples, isWatched;
  const char* dump;
  crSetting* settings;
  int settingCount;
} crModelArguments;

// Which options a verb understands besides --set and --help.
typedef struct crAccepted {
  int fileCount;
  bool json, all, dump, contacts, watch;
} crAccepted;

// false: usage error or --help, the exit code is in outExit. Free with crFreeArguments.
bool crParseArguments(const crVerb* verb, crAccepted accepted, int argc, char** argv, crModelArguments* outArguments,
                      int* outExit);
void crFreeArguments(crModelArguments* arguments);

// name=value into a setting, of which there must be room; false: it is not of that form.
bool crAddSetting(crModelArguments* arguments, char* text);

// What is made of a model, in the current folder: its name with another ending.
void crNameOutput(const char* model, const char* ending, char* buffer, size_t size);

// Options of reading as settings: --allow-path, --mesh-path and --ignore-missing, of which there must be room; and
// --allow-fmu, which is no setting. false: it is another one.
#define CR_FMU_OPTION                                                                                                  \
  {                                                                                                                    \
    "allow-fmu", no_argument, NULL, cr_optionAllowFmu                                                                  \
  }
#define CR_ROBOT_OPTIONS                                                                                               \
  { "allow-path", required_argument, NULL, cr_optionAllowPath },                                                       \
      { "mesh-path", required_argument, NULL, cr_optionMeshPath }, CR_FMU_OPTION,                                      \
  {                                                                                                                    \
    "ignore-missing", no_argument, NULL, cr_optionMissing                                                              \
  }
enum { cr_optionMeshPath = 900, cr_optionMissing, cr_optionAllowPath, cr_optionAllowFmu };
bool crAddRobotOption(crModelArguments* arguments, int option, const char* value);

// Prints a usage error with a pointer to the verb's help.
int crUsageError(const char* verb, const char* format, ...) __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------------------------------- messages

// Bold, red, yellow, ... on a terminal; nothing elsewhere, or when NO_COLOR is set.
typedef enum crStyle { cr_stylePlain, cr_styleBold, cr_styleError, cr_styleWarning, cr_styleFaint } crStyle;
const char* crStyleOn(FILE* stream, crStyle style);
const char* crStyleOff(FILE* stream);

// Prints a message on stderr, its severity coloured.
void crPrintError(const crError* error);

// Prints the kept messages of at least this severity. Returns the number of errors.
int crPrintLog(const crErrorLog* log, crSeverity least);

// Writes a text with control characters replaced, so that a name cannot command the terminal.
void crPrintName(FILE* stream, const char* name);

// --------------------------------------------------------------------------------- reading a model

// A model with all that was said about it.
typedef struct crLoaded {
  crErrorLog* log;
  crErrorSink sink;
  crScene* scene; // NULL when it could not be read at all
  crModel* model; // NULL when it has errors
} crLoaded;

// Reads and compiles; every message is in the log.
void crLoad(const crModelArguments* arguments, crLoaded* outLoaded);
void crUnload(crLoaded* loaded);

// A writer onto a stream.
crTextWriter crMakeStreamWriter(FILE* stream);

#endif
