// carom sweep: runs a model with many parameters, and reads what came of it.
#include "sweep.h"

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Sweep {
  crSweepShow show;
} Sweep;

static void tell(void* context, const crSweepProgress* progress)
{
  crSweepShow_Tell(&((Sweep*)context)->show, progress);
}

static bool shouldStop(void* context)
{
  (void)context;
  return crWasInterrupted();
}

// "path/drop.lua" -> "drop.sweep"
static void nameFolder(const char* source, char* buffer, size_t size)
{
  const char* slash = strrchr(source, '/');
  const char* name = slash != NULL ? slash + 1 : source;
  const char* dot = strrchr(name, '.');
  snprintf(buffer, size, "%.*s.sweep", dot != NULL && dot > name ? (int)(dot - name) : (int)strlen(name), name);
}

static crStatus makePlan(crSweepArguments* arguments, bool isFolder, const crErrorSink* sink, crSweepPlan** outPlan)
{
  if (isFolder) {
    return crOpenSweepPlan(arguments->source, NULL, sink, outPlan);
  }
  if (arguments->def.varyCount == 0) {
    return crReadSweepPlan(arguments->source, NULL, sink, outPlan);
  }
  arguments->def.model = arguments->source;
  return crCreateSweepPlan(&arguments->def, NULL, sink, outPlan);
}

static int runSweep(crSweepArguments* arguments)
{
  struct stat info;
  char name[1024];
  bool isFolder = stat(arguments->source, &info) == 0 && S_ISDIR(info.st_mode);
  nameFolder(arguments->source, name, sizeof name);
  const char* folder = isFolder ? arguments->source : arguments->folder != NULL ? arguments->folder : name;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crSweepPlan* plan = NULL;
  crSweepProgress progress = { 0 };
  Sweep sweep;
  crCatchInterrupts();
  crStatus status = makePlan(arguments, isFolder, &sink, &plan);
  if (status == cr_ok) {
    crSweepShow_Begin(&sweep.show, arguments->isQuiet || arguments->isJson);
    arguments->options.context = &sweep;
    arguments->options.tell = tell;
    arguments->options.shouldStop = shouldStop;
    status = crRunSweep(plan, folder, &arguments->options, NULL, &sink, &progress);
    crSweepShow_End(&sweep.show);
  }
  int code = plan != NULL ? crTellSweep(status, &progress, folder, arguments) : CR_EXIT_MODEL;
  crPrintLog(log, cr_severityWarning);
  crDestroySweepPlan(plan);
  crDestroyErrorLog(log);
  return code;
}

static int runVerb(int argc, char** argv)
{
  if (argc > 1 && crIsTableVerb(argv[1])) {
    return crRunTableVerb(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "run") == 0) {
    --argc;
    ++argv;
  }
  crSweepArguments arguments;
  int code;
  if (!crParseSweepArguments(argc, argv, &arguments, &code)) {
    return code;
  }
  code = runSweep(&arguments);
  crFreeSweepArguments(&arguments);
  return code;
}

const crVerb crSweepVerb = {
  .name = "sweep",
  .summary = "run a model with many parameters",
  .help = "usage: carom sweep MODEL.lua --vary NAME=HOW... --output WHAT... [options]\n"
          "       carom sweep PLAN.lua [options]\n"
          "       carom sweep DIR [options]          go on with a sweep\n"
          "       carom sweep status|csv|merge|show DIR ...\n"
          "\n"
          "Runs a model once for each point of a plan and keeps a row of numbers of each run, in the\n"
          "folder of the sweep. A sweep that was killed goes on with the runs that are missing when\n"
          "it is started again. Runs that fail are rows with a message. docs/sweeps.md tells more.\n"
          "\n"
          "  --vary NAME=HOW    a parameter of the model, and how it varies: 0.1:1:10 (10 values),\n"
          "                     2,4,8 (these), uniform(a,b), loguniform(a,b), normal(mean,deviation)\n"
          "  --output WHAT      last(v), max(v), min(v), mean(v), series(v,n) of a variable v;\n"
          "                     count(contacts [a b]), count(events), count(steps);\n"
          "                     time(first contact a b), time(last contact a b), time(end)\n"
          "  --set NAME=VALUE   a parameter that is the same in all runs\n"
          "  --runs N           how many; without distributions all points of the grid\n"
          "  --design NAME      of distributions: random, sobol, latin, sensitivity\n"
          "  --seed N           of random numbers; 0\n"
          "  --stop T, --tol TOL, --interval DT   as in carom run\n"
          "  -o, --out DIR      the folder; else NAME.sweep\n"
          "\n"
          "  --threads N        that run points at the same time; else one for each processor\n"
          "  --retry-failed     runs that failed are run again\n"
          "  --task K/N         only the share K, from 0, of N: for processes that share a folder\n"
          "  --quiet            no progress and no summary\n"
          "  --json             print the summary as JSON\n"
          "\n"
          "  carom sweep status DIR         runs done, failed and missing; messages of failed ones\n"
          "  carom sweep csv DIR [FILE]     the table as CSV; else on standard output\n"
          "  carom sweep merge DIR [FILE]   the table as one HDF5 file; else DIR/table.h5\n"
          "  carom sweep show DIR [RUN]     statistics of all outputs; or one run, with the command\n"
          "                                 that runs it alone\n"
          "\n"
          "SIGTERM and Ctrl-C finish the runs under way and write them. Exit codes: 0 ok, 1 plan or\n"
          "file have errors, 2 wrong usage, 3 all runs failed, 130 interrupted.\n"
          "\n"
          "example: carom sweep examples/bouncing_ball.lua --vary cor=uniform(0.4,0.9) --runs 100 \\\n"
          "           --output 'max(elastic.position.z)' --output 'count(contacts)'\n",
  .run = runVerb,
};
