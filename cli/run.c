// carom run: simulates a model, records it, and says how it went.
#include "run.h"

#include "carom/live.h"
#include "carom/run.h"
#include "result/peek.h"
#include "show/session_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What a run is asked for.
typedef struct Run {
  const crRunArguments* arguments;
  const crLoaded* loaded;
  crSimulationOptions options; // of the command line
  double* inputs;              // (crModel_CountInputs) NULL: as the model says
  crProgress progress;
} Run;

static bool shouldStop(void* context, double t)
{
  Run* run = context;
  crProgress_Show(&run->progress, t);
  return crWasInterrupted();
}

static void beginProgress(Run* run)
{
  crSimulationOptions chosen = crModel_ChooseOptions(run->loaded->model, &run->options);
  crProgress_Begin(&run->progress, chosen.startTime, chosen.stopTime, run->arguments->isQuiet);
}

// --------------------------------------------------------------------------------------------- run

// Runs into a folder; or, where a run is watched and none is named, into none, and nothing is kept.
static int runAndTell(Run* run, const crRunDef* def, bool* outHasRun)
{
  const crRunArguments* arguments = run->arguments;
  crRunFacts facts;
  beginProgress(run);
  crStatus status = arguments->isWatched && arguments->folder == NULL
                        ? crRunInMemory(def, NULL, &run->loaded->sink, NULL, &facts)
                        : crRunModel(def, NULL, &run->loaded->sink, &facts);
  crProgress_End(&run->progress);
  *outHasRun = facts.hasRun;
  return crTellRun(status, &facts, arguments->isJson, arguments->isQuiet);
}

// Shows a run while it goes on, and then until somebody has seen enough.
static int runWatched(Run* run, crRunDef* def)
{
  crLive* live = NULL;
  if (crCreateLive(NULL, NULL, &run->loaded->sink, &live) != cr_ok) {
    return CR_EXIT_MODEL;
  }
  crRecordSink sink = crLive_GetSink(live);
  def->follower = &sink;
  FILE* news = run->arguments->isJson ? stderr : stdout; // JSON stands alone
  fprintf(news, "watch it at %s\n", crLive_GetAddress(live));
  (void)fflush(news); // main looks for errors
  bool hasRun;
  int code = runAndTell(run, def, &hasRun);
  if (hasRun && !crWasInterrupted()) {
    fprintf(news, "the page stays until Ctrl-C%s\n",
            crLive_GetFacts(live).isCut ? "; of the run it has the first part" : "");
    (void)fflush(news);
    (void)fflush(stdout);
  }
  while (hasRun && !crWasInterrupted()) { // of one that was refused there is nothing to see
    const struct timespec pause = { .tv_nsec = 100000000 };
    nanosleep(&pause, NULL);
  }
  crDestroyLive(live);
  return code;
}

static int runOnce(Run* run)
{
  const crRunArguments* arguments = run->arguments;
  crRunDef def = { .size = sizeof def,
                   .file = arguments->model.files[0],
                   .settings = arguments->model.settings,
                   .settingCount = arguments->model.settingCount,
                   .model = run->loaded->model,
                   .scene = run->loaded->scene,
                   .folder = arguments->folder,
                   .omitsReport = !arguments->hasReport,
                   .isInteractive = arguments->isInteractive,
                   .checkpointSeconds = arguments->checkpointSeconds,
                   .startFile = arguments->startFile,
                   .stateFile = arguments->stateFile,
                   .options = &run->options,
                   .patterns = arguments->patterns,
                   .patternCount = arguments->patternCount,
                   .context = run,
                   .shouldStop = shouldStop };
  bool hasRun;
  return arguments->isWatched ? runWatched(run, &def) : runAndTell(run, &def, &hasRun);
}

// ------------------------------------------------------------------------------------- convergence

// One of several runs with different tolerances, of which nothing is recorded.
typedef struct Trial {
  double tolerance;
  crSimulationSummary summary;
  double* endState; // (stateCount)
} Trial;

static int runTrial(Run* run, Trial* trial, int stateCount)
{
  crSimulation* simulation = NULL;
  crRunEnd end = cr_runFailed;
  crObserver observer = { .context = run, .shouldStop = shouldStop };
  run->options.tolerance = trial->tolerance;
  beginProgress(run);
  crStatus status = crCreateSimulation(run->loaded->model, &run->options, NULL, &run->loaded->sink, &simulation);
  status = status == cr_ok ? crSimulation_Run(simulation, &observer, &end) : status;
  crProgress_End(&run->progress);
  trial->endState = calloc((size_t)stateCount + 1, sizeof(double));
  if (simulation != NULL && trial->endState != NULL) {
    trial->summary = crSimulation_GetSummary(simulation);
    crInstance_GetState(crSimulation_GetInstance(simulation), crModel_GetAllTrees(run->loaded->model), trial->endState);
  }
  int code = trial->endState != NULL ? crExitOfRun(status, simulation != NULL, end) : CR_EXIT_MODEL;
  crDestroySimulation(simulation);
  return code;
}

static double largestDifference(const double* a, const double* b, int count)
{
  double largest = 0.0;
  for (int i = 0; i < count; ++i) {
    largest = fmax(largest, fabs(a[i] - b[i]));
  }
  return largest;
}

// The runs from loose to tight, each against the tightest.
static void printConvergence(const Trial* trials, int count, int stateCount)
{
  int tightest = 0;
  for (int i = 1; i < count; ++i) {
    tightest = trials[i].tolerance < trials[tightest].tolerance ? i : tightest;
  }
  printf("%12s %12s %10s %12s %26s\n", "tolerance", "CPU [ms]", "steps", "evaluations", "difference at the end");
  for (int i = 0; i < count; ++i) {
    const crSimulationSummary* s = &trials[i].summary;
    printf("%12.3g %12.4g %10lld %12lld ", trials[i].tolerance, 1e3 * s->cpuSeconds,
           (long long)s->solverStatistics.steps, (long long)s->solverStatistics.evaluations);
    if (i == tightest) {
      printf("%26s\n", "(reference)");
    } else {
      printf("%26.3g\n", largestDifference(trials[i].endState, trials[tightest].endState, stateCount));
    }
  }
}

static int runAll(Run* run)
{
  Trial trials[CR_MAX_TOLERANCES];
  memset(trials, 0, sizeof trials);
  int stateCount = crModel_CountStates(run->loaded->model, crModel_GetAllTrees(run->loaded->model));
  int count = run->arguments->toleranceCount, code = CR_EXIT_OK;
  for (int i = 0; i < count && code == CR_EXIT_OK; ++i) {
    trials[i].tolerance = run->arguments->tolerances[i];
    code = runTrial(run, &trials[i], stateCount);
  }
  if (code == CR_EXIT_OK) {
    printConvergence(trials, count, stateCount);
  }
  for (int i = 0; i < count; ++i) {
    free(trials[i].endState);
  }
  return code;
}

// -------------------------------------------------------------------------------------------- verb

static int complainInput(const crModel* model, const char* name)
{
  crPort port;
  char known[512] = "";
  for (int i = 0; crModel_GetInput(model, i, &port); ++i) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", port.path);
  }
  return crUsageError("run", "the model has no input '%s': %s", name, known[0] != '\0' ? known : "it declares none");
}

// Those given on the command line, the others NaN.
static bool chooseInputs(Run* run, int* outExit)
{
  const crRunArguments* arguments = run->arguments;
  const crModel* model = run->loaded->model;
  int count = crModel_CountInputs(model);
  double* inputs = arguments->inputCount > 0 ? malloc(((size_t)count + 1) * sizeof *inputs) : NULL;
  for (int i = 0; inputs != NULL && i < count; ++i) {
    inputs[i] = NAN;
  }
  run->options.inputs = run->inputs = inputs;
  for (int i = 0; inputs != NULL && i < arguments->inputCount; ++i) {
    int input = crModel_FindInput(model, arguments->inputs[i].name);
    if (input < 0) {
      *outExit = complainInput(model, arguments->inputs[i].name);
      return false;
    }
    inputs[input] = strtod(arguments->inputs[i].value, NULL);
  }
  return true;
}

static int runChosen(Run* run)
{
  const crRunArguments* arguments = run->arguments;
  crCatchInterrupts();
  if (arguments->toleranceCount > 1) {
    return runAll(run);
  }
  if (!arguments->isQuiet && !arguments->isJson) {
    crModelSize size = crModel_GetSize(run->loaded->model);
    crPrintName(stdout, arguments->model.files[0]);
    int bodyCount = size.bodyCount - 1; // without the world
    printf(": %d %s, %d %s, %d %s\n", bodyCount, bodyCount == 1 ? "body" : "bodies", size.jointCount,
           size.jointCount == 1 ? "joint" : "joints", size.stateCount, size.stateCount == 1 ? "state" : "states");
    (void)fflush(stdout); // main looks for errors
  }
  return runOnce(run);
}

static int runLoaded(const crRunArguments* arguments, const crLoaded* loaded)
{
  Run run = { .arguments = arguments, .loaded = loaded, .options = arguments->options };
  run.options.tolerance = arguments->tolerances[0]; // 0: none is given
  int code = CR_EXIT_OK;
  code = chooseInputs(&run, &code) ? runChosen(&run) : code;
  free(run.inputs);
  return code;
}

// What was done in a play page, once more.
static bool stopsSession(void* context, double t)
{
  (void)context;
  (void)t;
  return crWasInterrupted();
}

static int runSession(const crRunArguments* arguments)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crRunDef def = { .size = sizeof def,
                   .file = arguments->model.files[0],
                   .settings = arguments->model.settings,
                   .settingCount = arguments->model.settingCount,
                   .folder = arguments->folder,
                   .omitsReport = !arguments->hasReport,
                   .patterns = arguments->patterns,
                   .patternCount = arguments->patternCount,
                   .shouldStop = stopsSession };
  crSessionFacts facts;
  crCatchInterrupts();
  crStatus status = crReplaySession(&def, arguments->sessionFile, NULL, &sink, &facts);
  crPrintLog(log, cr_severityWarning);
  if (status != cr_ok && crErrorLog_CountOf(log, cr_severityError) == 0) {
    fprintf(stderr, "carom: %s\n", crStatus_GetText(status));
  }
  if (facts.rowCount > 0 && !arguments->isQuiet) {
    printf("session of %d steps with %d actions, to %g s: ", facts.stepCount, facts.actionCount, facts.time);
    crPrintName(stdout, facts.folder);
    printf("/%s\n", facts.hasReport ? "report.html" : crHasResultFiles() ? "result.h5" : "result.csv");
  }
  crDestroyErrorLog(log);
  return status == cr_ok ? (crWasInterrupted() ? CR_EXIT_INTERRUPTED : CR_EXIT_OK)
                         : crExitOfRun(status, facts.rowCount > 0, cr_runFailed);
}

static int runVerb(int argc, char** argv)
{
  return crRunWith(argc, argv, false);
}

// What a run that is watched would leave undone. false: the exit code is in outExit.
static bool checkWatched(const crRunArguments* arguments, int* outExit)
{
  const char* option = arguments->folder != NULL             ? NULL
                       : arguments->checkpointSeconds != 0.0 ? "--checkpoint"
                       : arguments->stateFile != NULL        ? "--save-state"
                       : arguments->isInteractive            ? "--interactive"
                       : !arguments->hasReport               ? "--no-report"
                                                             : NULL;
  if (arguments->toleranceCount > 1) {
    *outExit = crUsageError("view", "--live takes one tolerance");
  } else if (arguments->sessionFile != NULL) {
    *outExit = crUsageError("view", "--live does not go with --session");
  } else if (option != NULL) {
    *outExit = crUsageError("view", "%s needs --out DIR: without it --live writes nothing", option);
  } else {
    return true;
  }
  return false;
}

int crRunWith(int argc, char** argv, bool isWatched)
{
  crRunArguments arguments;
  int code;
  if (!crParseRunArguments(argc, argv, &arguments, &code)) {
    return code;
  }
  arguments.isWatched = isWatched;
  if (isWatched && !checkWatched(&arguments, &code)) {
    crFreeArguments(&arguments.model);
    return code;
  }
  if (arguments.sessionFile != NULL) {
    code = runSession(&arguments);
    crFreeArguments(&arguments.model);
    return code;
  }
  crLoaded loaded;
  crLoad(&arguments.model, &loaded);
  code = loaded.model != NULL ? runLoaded(&arguments, &loaded) : CR_EXIT_MODEL;
  crPrintLog(loaded.log, cr_severityWarning);
  crUnload(&loaded);
  crFreeArguments(&arguments.model);
  return code;
}

const crVerb crRunVerb = {
  .name = "run",
  .summary = "simulate a model and record what happens",
  .help = "usage: carom run MODEL [options]\n"
          "\n"
          "Simulates a model and writes a folder (MODEL.run) with report.html, which any browser\n"
          "shows, result.h5, which `carom info`, `carom plot`, `carom view` and `carom convert`\n"
          "read, and run.json with options and statistics.\n"
          "\n"
          "  --stop T           stop time [s]; else the model's, else 10\n"
          "  --interval DT      of output points [s]; else the model's, else 500 of them\n"
          "  --tol TOL[,TOL...] relative tolerance; else the model's, else 1e-6, 1e-8 with contact.\n"
          "                     With several of them each is run, nothing is recorded, and a\n"
          "                     table shows how the result converges\n"
          "  --atol ATOL        absolute tolerance for nominal values of 1; else TOL/100\n"
          "  --solver NAME      auto, dopri5, dop853, radau5; with SUNDIALS ida, cvode-bdf too\n"
          "  --max-step H       largest step [s]\n"
          "  --no-contact       let bodies pass through each other\n"
          "  --islands on|off   on: what touches nothing else has a clock and steps of its own,\n"
          "                     where something can touch (default); off: one step for all.\n"
          "                     ida and cvode-bdf always take one step for all\n"
          "  --threads N        that take steps of islands (1); the result does not depend on it\n"
          "  --record PATTERN   record variables that match, e.g. 'arm.*.angle' (repeatable); else\n"
          "                     the model's, else all up to 2000 of them, and of larger models\n"
          "                     states, energies and driven joints; '**' records all\n"
          "  --event-rows on|off\n"
          "                     rows just before and after each event as well; else as the model\n"
          "                     says, else on for models of up to 1,000 variables, 64 contact\n"
          "                     shapes and 256 trees\n"
          "  --out DIR          folder of the results\n"
          "  --checkpoint S     write a checkpoint every S seconds of wall time, 0: at every output\n"
          "                     point; `carom resume` goes on from the newest one\n"
          "  --start FILE       start from a state as JSON, at its time\n"
          "  --save-state FILE  write the state at the end as JSON\n"
          "  --session FILE     do again what was done in a play page (`carom play`), with the same bits;\n"
          "                     how long, and in which steps, the session says\n"
          "  --no-report        do not write report.html\n"
          "  --interactive      report.html holds the simulator too, like a page of `carom play`:\n"
          "                     parameters are sliders, the source can be edited, bodies can be pulled\n"
          "  --input NAME=VALUE hold a declared input of the model at a value (repeatable)\n"
          "  --set NAME=VALUE   override a parameter of the model (repeatable)\n"
          "  --allow-path DIR   a folder outside its own that the model may read files from\n"
          "  --allow-fmu        let FMUs that the model names run: code of others, with your rights\n"
          "  --mesh-path DIR    of robots: where meshes are looked for as well, several with ':'\n"
          "  --ignore-missing   of robots: do without meshes that are not found\n"
          "  --quiet            no progress and no summary\n"
          "  --json             print the summary as JSON\n"
          "\n"
          "Exit codes: 0 ok, 1 the model has errors, 2 wrong usage, 3 the simulation failed (what\n"
          "was recorded is kept), 130 interrupted (likewise).\n"
          "\n"
          "example: carom run examples/pendulum.lua --stop 5 --tol 1e-8\n",
  .run = runVerb,
};
