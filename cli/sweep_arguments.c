// The options of carom sweep.
#include "base/platform.h"
#include "run.h"
#include "sweep.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  optionVary = 1000,
  optionOutput,
  optionSet,
  optionRuns,
  optionSeed,
  optionDesign,
  optionStop,
  optionTol,
  optionInterval,
  optionThreads,
  optionRetry,
  optionTask,
  optionSlurm,
  optionSubmit,
  optionQuiet,
  optionJson,
};

static const struct option options[] = {
  { "vary", required_argument, NULL, optionVary },
  { "output", required_argument, NULL, optionOutput },
  { "set", required_argument, NULL, optionSet },
  { "runs", required_argument, NULL, optionRuns },
  { "seed", required_argument, NULL, optionSeed },
  { "design", required_argument, NULL, optionDesign },
  { "stop", required_argument, NULL, optionStop },
  { "tol", required_argument, NULL, optionTol },
  { "interval", required_argument, NULL, optionInterval },
  { "threads", required_argument, NULL, optionThreads },
  { "retry-failed", no_argument, NULL, optionRetry },
  { "task", required_argument, NULL, optionTask },
  { "slurm", required_argument, NULL, optionSlurm },
  { "submit", no_argument, NULL, optionSubmit },
  CR_FMU_OPTION,
  { "out", required_argument, NULL, 'o' },
  { "quiet", no_argument, NULL, optionQuiet },
  { "json", no_argument, NULL, optionJson },
  { "help", no_argument, NULL, 'h' },
  { NULL, 0, NULL, 0 },
};

// name=value, cut in place.
static bool addSetting(const char* option, char* text, crSetting* settings, int* count, int* outExit)
{
  char* equals = strchr(text, '=');
  if (equals == NULL || equals == text) {
    *outExit = crUsageError("sweep", "%s needs name=value, not '%s'", option, text);
    return false;
  }
  *equals = '\0';
  settings[(*count)++] = (crSetting){ text, equals + 1 };
  return true;
}

static bool parsePositive(const char* option, const char* text, double* outNumber, int* outExit)
{
  char* end;
  *outNumber = strtod(text, &end);
  if (end == text || *end != '\0' || !(*outNumber > 0.0) || !isfinite(*outNumber)) {
    *outExit = crUsageError("sweep", "%s needs a positive number, not '%s'", option, text);
    return false;
  }
  return true;
}

static bool parseWhole(const char* option, const char* text, int64_t least, int64_t* outNumber, int* outExit)
{
  char* end;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || number < least) {
    *outExit = crUsageError("sweep", "%s needs a whole number from %lld on, not '%s'", option, (long long)least, text);
    return false;
  }
  *outNumber = number;
  return true;
}

// K/N, K from 0.
static bool parseTask(const char* text, crSweepOptions* o, int* outExit)
{
  char* slash;
  char* end = NULL;
  long task = strtol(text, &slash, 10);
  long count = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
  if (end == NULL || *end != '\0' || task < 0 || count < 1 || task >= count || count > 1000000) {
    *outExit = crUsageError("sweep", "--task needs K/N, K from 0 to N - 1, not '%s'", text);
    return false;
  }
  o->task = (int)task;
  o->taskCount = (int)count;
  return true;
}

static bool apply(crSweepArguments* a, int option, char* value, int* outExit)
{
  crSweepDef* def = &a->def;
  int64_t seed = 0, tasks = 0;
  switch (option) {
    case optionVary: return addSetting("--vary", value, a->vary, &def->varyCount, outExit);
    case optionSet: return addSetting("--set", value, a->settings, &def->settingCount, outExit);
    case optionOutput: a->output[def->outputCount++] = value; return true;
    case optionRuns: return parseWhole("--runs", value, 1, &def->runs, outExit);
    case optionSeed:
      if (!parseWhole("--seed", value, 0, &seed, outExit)) {
        return false;
      }
      def->seed = (uint64_t)seed;
      return true;
    case optionDesign: def->design = value; return true;
    case optionStop: return parsePositive("--stop", value, &def->options.stopTime, outExit);
    case optionTol: return parsePositive("--tol", value, &def->options.tolerance, outExit);
    case optionInterval: return parsePositive("--interval", value, &def->options.interval, outExit);
    case optionThreads: return crParseThreads("sweep", value, &a->options.threads, outExit);
    case optionRetry: a->options.retriesFailed = true; return true;
    case optionTask: return parseTask(value, &a->options, outExit);
    case optionSlurm:
      if (!parseWhole("--slurm", value, 1, &tasks, outExit)) {
        return false;
      }
      a->slurmTasks = tasks < 1000000 ? (int)tasks : 1000000;
      return true;
    case optionSubmit: a->isSubmitted = true; return true;
    case cr_optionAllowFmu:
      crAllowFmus(true);
      a->allowsFmus = true;
      return true;
    case 'o': a->folder = value; return true;
    case optionQuiet: a->isQuiet = true; return true;
    case optionJson: a->isJson = true; return true;
    default: return false;
  }
}

static bool parseOptions(int argc, char** argv, crSweepArguments* a, int* outExit)
{
  opterr = 0;
  optind = 1;
  int option;
  while ((option = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
    if (option == 'h') {
      fputs(crSweepVerb.help, stdout);
      *outExit = CR_EXIT_OK;
      return false;
    }
    if (option == ':' || option == '?') {
      const char* text = argv[optind - 1];
      *outExit = option == ':' ? crUsageError("sweep", "%s needs a value", text)
                               : crUsageError("sweep", "unknown option '%s'", text);
      return false;
    }
    if (!apply(a, option, optarg, outExit)) {
      return false;
    }
  }
  if (argc - optind != 1) {
    *outExit = argc == optind ? crUsageError("sweep", "the model, the plan or the folder is missing")
                              : crUsageError("sweep", "one argument too many: '%s'", argv[optind + 1]);
    return false;
  }
  a->source = argv[optind];
  return true;
}

// What belongs to a plan is said by a plan alone, if there is one.
static bool checkSource(const crSweepArguments* a, int* outExit)
{
  struct stat info;
  const crSweepDef* def = &a->def;
  const crSimulationOptions* o = &def->options;
  bool isFolder = stat(a->source, &info) == 0 && S_ISDIR(info.st_mode);
  bool hasPlan = def->settingCount > 0 || def->outputCount > 0 || def->seed > 0 || def->design != NULL ||
                 o->stopTime != 0.0 || o->tolerance != 0.0 || o->interval != 0.0;
  if (def->varyCount == 0 && hasPlan) {
    *outExit = crUsageError("sweep", "without --vary %s says what is run: options of a plan do not go with it",
                            isFolder ? "the folder" : "the plan");
    return false;
  }
  if (a->isSubmitted && a->slurmTasks == 0) {
    *outExit = crUsageError("sweep", "--submit needs --slurm");
    return false;
  }
  if (isFolder && (def->varyCount > 0 || a->folder != NULL)) {
    *outExit = crUsageError("sweep", "the folder of a sweep goes on as it began: %s does not go with it",
                            a->folder != NULL ? "-o" : "--vary");
    return false;
  }
  return true;
}

bool crParseSweepArguments(int argc, char** argv, crSweepArguments* outArguments, int* outExit)
{
  crSweepArguments* a = outArguments;
  size_t count = (size_t)argc + 1;
  *a = (crSweepArguments){ .def = crDefaultSweepDef(NULL), .options = crDefaultSweepOptions() };
  a->def.options = crDefaultSimulationOptions();
  a->def.vary = a->vary = calloc(count, sizeof *a->vary);
  a->def.settings = a->settings = calloc(count, sizeof *a->settings);
  a->def.output = a->output = calloc(count, sizeof *a->output);
  if (a->vary == NULL || a->settings == NULL || a->output == NULL) {
    *outExit = crUsageError(NULL, "out of memory");
    crFreeSweepArguments(a);
    return false;
  }
  if (!parseOptions(argc, argv, a, outExit) || !checkSource(a, outExit)) {
    crFreeSweepArguments(a);
    return false;
  }
  return true;
}

void crFreeSweepArguments(crSweepArguments* arguments)
{
  free(arguments->vary);
  free(arguments->settings);
  free(arguments->output);
}
