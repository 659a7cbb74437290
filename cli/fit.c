// carom fit: parameters of a model from measurements.
#include "run.h"

#include "carom/fit.h"
#include "carom/report.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

typedef struct Arguments {
  const char *plan, *folder;
  int threads;
  bool isQuiet;
} Arguments;

static bool parse(int argc, char** argv, Arguments* arguments, int* outExit)
{
  enum { optionThreads = 1000, optionQuiet };
  static const struct option options[] = {
    { "out", required_argument, NULL, 'o' },     { "threads", required_argument, NULL, optionThreads },
    { "quiet", no_argument, NULL, optionQuiet }, CR_FMU_OPTION,
    { "help", no_argument, NULL, 'h' },          { NULL, 0, NULL, 0 },
  };
  opterr = 0;
  optind = 1;
  int option;
  while ((option = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
    switch (option) {
      case 'o': arguments->folder = optarg; break;
      case optionQuiet: arguments->isQuiet = true; break;
      case cr_optionAllowFmu: crAllowFmus(true); break;
      case optionThreads:
        if (!crParseThreads("fit", optarg, &arguments->threads, outExit)) {
          return false;
        }
        break;
      case 'h':
        fputs(crFitVerb.help, stdout);
        *outExit = CR_EXIT_OK;
        return false;
      case ':': *outExit = crUsageError("fit", "%s needs a value", argv[optind - 1]); return false;
      default: *outExit = crUsageError("fit", "unknown option '%s'", argv[optind - 1]); return false;
    }
  }
  if (argc - optind != 1) {
    *outExit = argc == optind ? crUsageError("fit", "the plan is missing")
                              : crUsageError("fit", "one argument too many: '%s'", argv[optind + 1]);
    return false;
  }
  arguments->plan = argv[optind];
  return true;
}

static bool shouldStop(void* context)
{
  (void)context;
  return crWasInterrupted();
}

// Messages about the plan get its file.
typedef struct Addressed {
  crErrorSink sink;
  const char* plan;
} Addressed;

static void addFile(void* context, const crError* error)
{
  const Addressed* addressed = context;
  crError own = *error;
  own.source.file = own.source.file != NULL ? own.source.file : addressed->plan;
  if (addressed->sink.report != NULL) {
    addressed->sink.report(addressed->sink.context, &own);
  }
}

static void printFit(const crFitDef* def, const crFit* fit, const char* folder)
{
  static const char* const ends[] = { "converged", "stalled: no smaller sum was found",
                                      "stopped at the limit of runs" };
  crFitFacts facts = crFit_GetFacts(fit);
  printf("  %-28s %16s %14s %16s %16s\n", "", "value", "error", "95 % from", "to");
  for (int i = 0; i < facts.parameterCount; ++i) {
    crFitEstimate e = crFit_GetEstimate(fit, i);
    printf("  %-28s %16.9g", e.name, e.value);
    isfinite(e.error) ? (void)printf(" %14.4g %16.9g %16.9g\n", e.error, e.low, e.high)
                      : (void)printf("%s\n", e.isAtBound ? "   on a bound" : "");
  }
  if (def->goal != NULL) {
    printf("  %s = %.10g\n", def->goal, facts.sum);
  } else {
    printf("  %d measurements, sum of squares %.6g, deviation %.6g\n", facts.residualCount, facts.sum, facts.deviation);
  }
  printf("  %s; %d runs\n  %s/fit.html\n", ends[facts.end], facts.runs, folder);
}

// "path/swing.lua" -> "swing.fit"
static void nameFolder(const char* plan, char* buffer, size_t size)
{
  const char* slash = strrchr(plan, '/');
  const char* name = slash != NULL ? slash + 1 : plan;
  const char* dot = strrchr(name, '.');
  snprintf(buffer, size, "%.*s.fit", dot != NULL && dot > name ? (int)(dot - name) : (int)strlen(name), name);
}

static int runVerb(int argc, char** argv)
{
  Arguments arguments = { 0 };
  int code;
  if (!parse(argc, argv, &arguments, &code)) {
    return code;
  }
  char name[1024];
  nameFolder(arguments.plan, name, sizeof name);
  const char* folder = arguments.folder != NULL ? arguments.folder : name;
  crErrorLog* log = crCreateErrorLog(NULL);
  Addressed addressed = { crErrorLog_GetSink(log), arguments.plan };
  crErrorSink sink = { addFile, &addressed };
  crFitPlan* plan = NULL;
  crFit* fit = NULL;
  crCatchInterrupts();
  crStatus status = crReadFitPlan(arguments.plan, NULL, &sink, &plan);
  if (status == cr_ok) {
    crFitDef def = *crFitPlan_GetDef(plan);
    def.threads = arguments.threads;
    def.shouldStop = shouldStop;
    status = crFitModel(&def, NULL, &sink, &fit);
    status = status == cr_ok ? crWriteFitReport(&def, fit, folder, NULL, &sink) : status;
    if (status == cr_ok && !arguments.isQuiet) {
      printFit(&def, fit, folder);
    }
  }
  crPrintLog(log, cr_severityWarning);
  crDestroyFit(fit);
  crDestroyFitPlan(plan);
  crDestroyErrorLog(log);
  return status == cr_ok ? CR_EXIT_OK : status == cr_cancelled ? CR_EXIT_INTERRUPTED : CR_EXIT_MODEL;
}

const crVerb crFitVerb = {
  .name = "fit",
  .summary = "find parameters of a model from measurements",
  .help = "usage: carom fit PLAN.lua [options]\n"
          "\n"
          "Finds the parameters for which variables of a model come nearest to measured ones, by\n"
          "Levenberg's and Marquardt's method or one of NLopt, with standard errors and intervals of\n"
          "95 %; or those for which an output of a run is least or largest. Writes a folder with\n"
          "fit.html (data and model together), fit.json and pictures. docs/sweeps.md tells more.\n"
          "\n"
          "  fit{ model = \"pendulum.lua\",\n"
          "       parameters = { length = { 0.5, 2, start = 1 }, damping = { 0, 1 } },\n"
          "       experiments = { { data = \"swing.csv\", set = { angle = 0.3 }, deviation = 0.01,\n"
          "                         columns = { phi = \"hinge.angle\" } } } }\n"
          "\n"
          "Data are CSV with a column \"time\" [s]. `minimize = last(\"...\")` or `maximize` instead of\n"
          "experiments; `method`: levenberg-marquardt, bobyqa, cobyla, crs2, mlsl.\n"
          "\n"
          "  -o, --out DIR      the folder; else NAME.fit\n"
          "  --threads N        that run the model at the same time; else one for each processor\n"
          "  --allow-fmu        let FMUs that the model names run: code of others, with your rights\n"
          "  --quiet            no table\n"
          "\n"
          "Exit codes: 0 ok, 1 plan, model or data have errors, 2 wrong usage, 130 interrupted.\n"
          "\n"
          "example: carom fit swing.lua\n",
  .run = runVerb,
};
