// carom sweep: runs a model with many parameters, and reads what came of it.
#include "sweep.h"

#include "base/platform.h"
#include "run.h"
#include "sweep_team.h"

#include <stdlib.h>
#include <string.h>

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
  if (arguments->def.varyCount > 0) {
    arguments->def.model = arguments->source;
    return crCreateSweepPlan(&arguments->def, NULL, sink, outPlan);
  }
  crStatus status = isFolder ? crOpenSweepPlan(arguments->source, NULL, sink, outPlan)
                             : crReadSweepPlan(arguments->source, NULL, sink, outPlan);
  if (status == cr_ok && arguments->def.runs > 0) {
    status = crSweepPlan_SetRuns(*outPlan, arguments->def.runs, sink);
  }
  return status;
}

static crStatus runPlan(crSweepArguments* arguments, const crSweepPlan* plan, const char* folder, crSweepTeam* team,
                        const crErrorSink* sink, crSweepProgress* outProgress)
{
  Sweep sweep;
  bool isFirst = team == NULL || crSweepTeam_GetRank(team) == 0;
  crSweepShow_Begin(&sweep.show, !isFirst || arguments->isQuiet || arguments->isJson);
  crSweepOptions* options = &arguments->options;
  options->context = &sweep;
  options->tell = tell;
  options->shouldStop = shouldStop;
  if (team != NULL && options->threads == 0) {
    options->threads = 1; // mpirun has started as many processes as are wanted
  }
  crStatus status = team != NULL ? crSweepTeam_Run(team, plan, folder, options, sink, outProgress)
                                 : crRunSweep(plan, folder, options, NULL, sink, outProgress);
  crSweepShow_End(&sweep.show);
  return status;
}

static int runSweep(crSweepArguments* arguments, crSweepTeam* team)
{
  struct stat info;
  char name[1024];
  bool isFolder = stat(arguments->source, &info) == 0 && S_ISDIR(info.st_mode);
  bool isFirst = team == NULL || crSweepTeam_GetRank(team) == 0;
  nameFolder(arguments->source, name, sizeof name);
  const char* folder = isFolder ? arguments->source : arguments->folder != NULL ? arguments->folder : name;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crSweepPlan* plan = NULL;
  crSweepProgress progress = { 0 };
  crCatchInterrupts();
  crStatus status = makePlan(arguments, isFolder, &sink, &plan), agreed = status;
  if (team != NULL) {
    agreed = crSweepTeam_Agree(team, status);
  }
  int code = CR_EXIT_MODEL;
  if (agreed == cr_ok && arguments->slurmTasks > 0) {
    code = crWriteSlurm(plan, folder, arguments, &sink);
  } else if (agreed == cr_ok) {
    status = runPlan(arguments, plan, folder, team, &sink, &progress);
    code = isFirst ? crTellSweep(status, &progress, folder, arguments) : CR_EXIT_OK;
  }
  if (isFirst || agreed == cr_ok) { // what is wrong with a plan is told once
    crPrintLog(log, cr_severityWarning);
  }
  crDestroySweepPlan(plan);
  crDestroyErrorLog(log);
  return code;
}

static int startSweep(crSweepArguments* arguments)
{
  if (!crIsStartedByMpi()) {
    return runSweep(arguments, NULL);
  }
  if (!crHasMpi()) {
    return crUsageError("sweep", "mpirun has started several processes, and this build has no MPI: configure it with "
                                 "-DCAROM_MPI=ON, or give each its share by --task K/N");
  }
  crSweepTeam* team = crCreateSweepTeam();
  if (team == NULL) {
    fprintf(stderr, "carom: MPI cannot be started, or not for several threads\n");
    return CR_EXIT_MODEL;
  }
  int code = runSweep(arguments, team);
  crDestroySweepTeam(team);
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
  code = startSweep(&arguments);
  crFreeSweepArguments(&arguments);
  return code;
}

const crVerb crSweepVerb = {
  .name = "sweep",
  .summary = "run a model with many parameters",
  .help = "usage: carom sweep MODEL.lua --vary NAME=HOW... --output WHAT... [options]\n"
          "       carom sweep PLAN.lua [options]\n"
          "       carom sweep DIR [options]          go on with a sweep\n"
          "       carom sweep status|csv|merge|show|plot|page DIR ...\n"
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
          "  --runs N           how many; without distributions all points of the grid. A sweep can\n"
          "                     become longer: carom sweep DIR --runs N\n"
          "  --design NAME      of distributions: random, sobol, latin, sensitivity\n"
          "  --seed N           of random numbers; 0\n"
          "  --stop T, --tol TOL, --interval DT   as in carom run\n"
          "  -o, --out DIR      the folder; else NAME.sweep\n"
          "\n"
          "  --threads N        that run points at the same time; else one for each processor\n"
          "  --retry-failed     runs that failed are run again\n"
          "  --task K/N         only the share K, from 0, of N: for processes that share a folder\n"
          "  --slurm N          write DIR/sweep.slurm, an array of N tasks for Slurm, and run nothing\n"
          "  --submit           hand it to sbatch as well\n"
          "  --allow-fmu        let FMUs that the model names run: code of others, with your rights\n"
          "  --quiet            no progress and no summary\n"
          "  --json             print the summary as JSON\n"
          "\n"
          "  carom sweep status DIR         runs done, failed and missing; messages of failed ones\n"
          "  carom sweep csv DIR [FILE]     the table as CSV; else on standard output\n"
          "  carom sweep merge DIR [FILE]   the table as one HDF5 file; else DIR/table.h5\n"
          "  carom sweep show DIR [RUN]     statistics of all outputs; or one run, with the command\n"
          "                                 that runs it alone\n"
          "  carom sweep page DIR [FILE]    an HTML page: maps, distributions, parallel coordinates and\n"
          "                                 a table with filters; else DIR/sweep.html\n"
          "  carom sweep plot DIR KIND NAME... -o FILE [--title TEXT]\n"
          "                                 a picture, .svg, .png or .pdf: curve X Y..., map X Y Z,\n"
          "                                 histogram Y, scatter [NAME...], sensitivity Y\n"
          "\n"
          "mpirun carom sweep ... shares the runs among its processes, where this build has MPI.\n"
          "SIGTERM and Ctrl-C finish the runs under way and write them. Exit codes: 0 ok, 1 plan or\n"
          "file have errors, 2 wrong usage, 3 all runs failed, 130 interrupted.\n"
          "\n"
          "example: carom sweep examples/bouncing_ball.lua --vary cor=uniform(0.4,0.9) --runs 100 \\\n"
          "           --output 'max(elastic.position.z)' --output 'count(contacts)'\n",
  .run = runVerb,
};
