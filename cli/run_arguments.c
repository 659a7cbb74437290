// The options of carom run.
#include "run.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum {
  optionSet = 1000,
  optionStop,
  optionTol,
  optionAtol,
  optionInterval,
  optionSolver,
  optionMaxStep,
  optionOut,
  optionRecord,
  optionInput,
  optionNoContact,
  optionIslands,
  optionEventRows,
  optionThreads,
  optionCheckpoint,
  optionStart,
  optionSaveState,
  optionSession,
  optionNoReport,
  optionInteractive,
  optionQuiet,
  optionJson,
  optionHelp
};

static const struct option options[] = {
  { "set", required_argument, NULL, optionSet },
  CR_ROBOT_OPTIONS,
  { "stop", required_argument, NULL, optionStop },
  { "tol", required_argument, NULL, optionTol },
  { "atol", required_argument, NULL, optionAtol },
  { "interval", required_argument, NULL, optionInterval },
  { "solver", required_argument, NULL, optionSolver },
  { "max-step", required_argument, NULL, optionMaxStep },
  { "out", required_argument, NULL, optionOut },
  { "record", required_argument, NULL, optionRecord },
  { "input", required_argument, NULL, optionInput },
  { "no-contact", no_argument, NULL, optionNoContact },
  { "islands", required_argument, NULL, optionIslands },
  { "event-rows", required_argument, NULL, optionEventRows },
  { "threads", required_argument, NULL, optionThreads },
  { "checkpoint", required_argument, NULL, optionCheckpoint },
  { "start", required_argument, NULL, optionStart },
  { "save-state", required_argument, NULL, optionSaveState },
  { "session", required_argument, NULL, optionSession },
  { "no-report", no_argument, NULL, optionNoReport },
  { "interactive", no_argument, NULL, optionInteractive },
  { "quiet", no_argument, NULL, optionQuiet },
  { "json", no_argument, NULL, optionJson },
  { "help", no_argument, NULL, optionHelp },
  { NULL, 0, NULL, 0 },
};

// A positive number, or a usage error.
static bool parsePositive(const char* name, const char* text, double* outNumber, int* outExit)
{
  char* end;
  *outNumber = strtod(text, &end);
  if (end == text || *end != '\0' || !(*outNumber > 0.0) || !isfinite(*outNumber)) {
    *outExit = crUsageError("run", "%s needs a positive number, not '%s'", name, text);
    return false;
  }
  return true;
}

// One tolerance, or several with commas between.
static bool parseTolerances(crRunArguments* arguments, char* text, int* outExit)
{
  for (char* part = strtok(text, ","); part != NULL; part = strtok(NULL, ",")) {
    if (arguments->toleranceCount == CR_MAX_TOLERANCES) {
      *outExit = crUsageError("run", "--tol takes at most %d tolerances", CR_MAX_TOLERANCES);
      return false;
    }
    if (!parsePositive("--tol", part, &arguments->tolerances[arguments->toleranceCount++], outExit)) {
      return false;
    }
  }
  return true;
}

static bool parseSolver(const char* name, crSolverKind* outKind, int* outExit)
{
  *outKind = crFindSolver(name);
  const crSolverInfo* info = crGetSolverInfo(*outKind);
  if (info != NULL && info->isAvailable) {
    return true;
  }
  char known[256] = "";
  for (int i = cr_solverAuto; i < cr_solverKindCount; ++i) {
    size_t used = strlen(known);
    if (crGetSolverInfo((crSolverKind)i)->isAvailable) {
      snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", crGetSolverInfo((crSolverKind)i)->name);
    }
  }
  *outExit = info == NULL ? crUsageError("run", "there is no solver '%s': %s", name, known)
                          : crUsageError("run", "this build has no SUNDIALS, so no '%s': %s", name, known);
  return false;
}

static bool addPattern(crRunArguments* arguments, const char* pattern, int* outExit)
{
  if (arguments->patternCount == CR_MAX_PATTERNS) {
    *outExit = crUsageError("run", "--record can be given %d times at most", CR_MAX_PATTERNS);
    return false;
  }
  arguments->patterns[arguments->patternCount++] = pattern;
  return true;
}

static bool addInput(crRunArguments* arguments, char* text, int* outExit)
{
  char* equals = strchr(text, '=');
  char* end = NULL;
  double value = equals != NULL ? strtod(equals + 1, &end) : NAN;
  if (equals == NULL || equals == text || end == equals + 1 || *end != '\0' || !isfinite(value)) {
    *outExit = crUsageError("run", "--input needs name=number, not '%s'", text);
    return false;
  }
  if (arguments->inputCount == CR_MAX_INPUTS) {
    *outExit = crUsageError("run", "--input can be given %d times at most", CR_MAX_INPUTS);
    return false;
  }
  *equals = '\0';
  arguments->inputs[arguments->inputCount++] = (crSetting){ text, equals + 1 };
  return true;
}

static bool parseIslands(const char* text, crSimulationOptions* o, int* outExit)
{
  o->islands = strcmp(text, "off") == 0 ? cr_islandsOff : cr_islandsOn;
  if (o->islands == cr_islandsOn && strcmp(text, "on") != 0) {
    *outExit = crUsageError("run", "--islands is on or off, not '%s'", text);
    return false;
  }
  return true;
}

static bool parseEventRows(const char* text, crSimulationOptions* o, int* outExit)
{
  o->eventRows = strcmp(text, "off") == 0 ? cr_eventRowsOff : cr_eventRowsOn;
  if (o->eventRows == cr_eventRowsOn && strcmp(text, "on") != 0) {
    *outExit = crUsageError("run", "--event-rows is on or off, not '%s'", text);
    return false;
  }
  return true;
}

bool crParseThreads(const char* verb, const char* text, int* outThreads, int* outExit)
{
  char* end;
  long count = strtol(text, &end, 10);
  if (end == text || *end != '\0' || count < 1 || count > CR_MAX_THREADS) {
    *outExit = crUsageError(verb, "--threads needs a number from 1 to %d, not '%s'", CR_MAX_THREADS, text);
    return false;
  }
  *outThreads = (int)count;
  return true;
}

bool crParseCheckpoint(const char* verb, const char* text, double* outSeconds, int* outExit)
{
  char* end;
  double seconds = strtod(text, &end);
  if (end == text || *end != '\0' || !(seconds >= 0.0) || !isfinite(seconds)) {
    *outExit =
        crUsageError(verb, "--checkpoint needs seconds of wall time, or 0: at every output point; not '%s'", text);
    return false;
  }
  *outSeconds = seconds > 0.0 ? seconds : CR_ZERO;
  return true;
}

static bool applyOption(crRunArguments* arguments, int option, char* value, int* outExit)
{
  crSimulationOptions* o = &arguments->options;
  if (crAddRobotOption(&arguments->model, option, value)) {
    return true;
  }
  switch (option) {
    case optionSet:
      if (crAddSetting(&arguments->model, value)) {
        return true;
      }
      *outExit = crUsageError("run", "--set needs name=value, not '%s'", value);
      return false;
    case optionStop: return parsePositive("--stop", value, &o->stopTime, outExit);
    case optionTol: return parseTolerances(arguments, value, outExit);
    case optionAtol: return parsePositive("--atol", value, &o->absoluteTolerance, outExit);
    case optionInterval: return parsePositive("--interval", value, &o->interval, outExit);
    case optionSolver: return parseSolver(value, &o->solver, outExit);
    case optionMaxStep: return parsePositive("--max-step", value, &o->maxStep, outExit);
    case optionOut: arguments->folder = value; return true;
    case optionRecord: return addPattern(arguments, value, outExit);
    case optionInput: return addInput(arguments, value, outExit);
    case optionNoContact: o->ignoresContacts = true; return true;
    case optionIslands: return parseIslands(value, o, outExit);
    case optionEventRows: return parseEventRows(value, o, outExit);
    case optionThreads: return crParseThreads("run", value, &o->threads, outExit);
    case optionCheckpoint: return crParseCheckpoint("run", value, &arguments->checkpointSeconds, outExit);
    case optionStart: arguments->startFile = value; return true;
    case optionSaveState: arguments->stateFile = value; return true;
    case optionSession: arguments->sessionFile = value; return true;
    case optionNoReport: arguments->hasReport = false; return true;
    case optionInteractive: arguments->isInteractive = true; return true;
    case optionQuiet: arguments->isQuiet = true; return true;
    case optionJson: arguments->isJson = true; return true;
    default: return false;
  }
}

static bool parseOptions(int argc, char** argv, crRunArguments* arguments, int* outExit)
{
  opterr = 0;
  optind = 1;
  int option;
  while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
    if (option == 'h' || option == optionHelp) {
      fputs(crRunVerb.help, stdout);
      *outExit = CR_EXIT_OK;
      return false;
    }
    if (option == ':' || option == '?') {
      const char* text = argv[optind - 1];
      *outExit = option == ':' ? crUsageError("run", "%s needs a value", text)
                               : crUsageError("run", "unknown option '%s'", text);
      return false;
    }
    if (!applyOption(arguments, option, optarg, outExit)) {
      return false;
    }
  }
  return true;
}

// Several tolerances are trials from the model's start, of which nothing is kept.
static bool checkTrials(const crRunArguments* arguments, int* outExit)
{
  const char* option = arguments->startFile != NULL          ? "--start"
                       : arguments->stateFile != NULL        ? "--save-state"
                       : arguments->checkpointSeconds != 0.0 ? "--checkpoint"
                                                             : NULL;
  if (arguments->toleranceCount > 1 && option != NULL) {
    *outExit = crUsageError("run", "%s does not go with several tolerances", option);
    return false;
  }
  return true;
}

// A session says itself how long it goes on, and in which steps.
static bool checkSession(const crRunArguments* arguments, int* outExit)
{
  crSimulationOptions none = crDefaultSimulationOptions();
  bool isPlain = memcmp(&arguments->options, &none, sizeof none) == 0 && arguments->toleranceCount == 0 &&
                 arguments->inputCount == 0 && arguments->startFile == NULL && arguments->stateFile == NULL &&
                 arguments->checkpointSeconds == 0.0;
  if (arguments->sessionFile != NULL && !isPlain) {
    *outExit =
        crUsageError("run", "with --session there are only --set, --record, --out, --no-report, --quiet, and what "
                            "lets files be read");
    return false;
  }
  return true;
}

// What a page that simulates cannot do again, or has no place.
static bool checkInteractive(const crRunArguments* arguments, int* outExit)
{
  crSolverKind solver = arguments->options.solver;
  const char* option = arguments->startFile != NULL     ? "--start"
                       : arguments->inputCount > 0      ? "--input"
                       : arguments->sessionFile != NULL ? "--session"
                       : arguments->toleranceCount > 1  ? "several tolerances"
                       : !arguments->hasReport          ? "--no-report"
                       : solver == cr_solverIda         ? "--solver ida"
                       : solver == cr_solverCvodeBdf    ? "--solver cvode-bdf"
                                                        : NULL;
  if (arguments->isInteractive && option != NULL) {
    *outExit = crUsageError("run", "--interactive does not go with %s", option);
    return false;
  }
  return true;
}

bool crParseRunArguments(int argc, char** argv, crRunArguments* outArguments, int* outExit)
{
  memset(outArguments, 0, sizeof *outArguments);
  outArguments->options = crDefaultSimulationOptions();
  outArguments->hasReport = true;
  outArguments->model.settings = calloc((size_t)argc + 1, sizeof(crSetting));
  if (outArguments->model.settings == NULL) {
    *outExit = crUsageError(NULL, "out of memory");
    return false;
  }
  bool isRight = parseOptions(argc, argv, outArguments, outExit);
  if (isRight && argc - optind != 1) {
    *outExit = argc == optind ? crUsageError("run", "the model is missing")
                              : crUsageError("run", "one argument too many: '%s'", argv[optind + 1]);
    isRight = false;
  }
  isRight = isRight && checkTrials(outArguments, outExit) && checkSession(outArguments, outExit) &&
            checkInteractive(outArguments, outExit);
  if (!isRight) {
    crFreeArguments(&outArguments->model);
    return false;
  }
  outArguments->model.files[0] = argv[optind];
  outArguments->model.fileCount = 1;
  return true;
}
