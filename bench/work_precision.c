// Work and precision of all solvers on examples and on billiards, as the Markdown tables of docs/numerics_tables.md and
// as diagrams.
//
// Each run is compared with a reference of the explicit method of order 8 at tolerance 1e-13. The reference is itself
// compared with those of two other methods, so the tables show how far it can be trusted. Error: largest difference of
// any state at any of the sample times; with contacts, where rates jump, of any position at the end. Time: the least of
// several runs, of the solver alone, as CPU time of its thread.
//
// usage: work_precision FOLDER [CASE]     of the pictures; CASE: only that one
#include "carom/carom.h"
#include "carom/io.h"
#include "log_chart.h"
#include "prototype/scenes.h"

#include <stdlib.h>

#define SAMPLES 50                // times at which states are compared
#define MIN_SECONDS 0.3           // of all repetitions of a run together
#define MAX_REPETITIONS 20        // of a run; the fastest counts
#define REFERENCE_TOLERANCE 1e-13 // [-]
#define CHECK_TOLERANCE 1e-12     // of the methods that it is compared with
#define REFERENCE_SOLVER cr_solverDop853

static const double tolerances[] = { 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10 };
#define TOLERANCE_COUNT (int)(sizeof tolerances / sizeof tolerances[0])

typedef struct Case {
  const char* name; // of its picture
  const char* path;
  const char* about;
  double stop; // [s]
  crSetting setting;
  bool hasContacts;
} Case;

static const Case cases[] = {
  { "double_pendulum", BENCH_EXAMPLES "/double_pendulum.lua", "4 states, undamped and chaotic", 3.0, { 0 }, false },
  { "mobile", BENCH_EXAMPLES "/mobile.lua", "188 states, 94 damped hinges", 5.0, { 0 }, false },
  { "mobile_stiff",
    BENCH_EXAMPLES "/mobile.lua",
    "188 states, stiff: a hundred times the damping",
    5.0,
    { "damping", "0.6" },
    false },
  { "tumbling_body", BENCH_EXAMPLES "/tumbling_body.lua", "13 states, passes its unstable axis", 4.0, { 0 }, false },
  { "billiards16", BENCH_SCENES "/billiards16.lua", "208 states, 16 balls, 74 contact events", 5.0, { 0 }, true },
};
#define CASE_COUNT (int)(sizeof cases / sizeof cases[0])

// How a case is run.
typedef struct Method {
  crSolverKind solver;
  bool hasIslands;
} Method;

// One run and what it gave.
typedef struct Trial {
  double* samples; // (countSamples)
  crSimulationSummary summary;
  double seconds; // of the fastest repetition
} Trial;

static _Noreturn void stop(const char* what)
{
  fprintf(stderr, "work_precision: %s\n", what);
  exit(1);
}

static void report(void* context, const crError* error)
{
  (void)context;
  char text[2048];
  if (error->severity == cr_severityError) { // of loose tolerances it is known that they do not resolve all
    crError_Format(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
  }
}

static const crErrorSink sink = { report, NULL };

static crModel* readModel(const Case* example)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  crReadOptions options = crDefaultReadOptions();
  options.settings = &example->setting;
  options.settingCount = example->setting.name != NULL ? 1 : 0;
  if (crReadModel(example->path, &options, NULL, &sink, &scene) != cr_ok ||
      crCompile(scene, NULL, NULL, &sink, &model) != cr_ok) {
    stop("the model cannot be read");
  }
  crDestroyScene(scene);
  return model;
}

// ------------------------------------------------------------------------------------------- trials

static int countTimes(const Case* example)
{
  return example->hasContacts ? 1 : SAMPLES;
}

// Numbers that are compared at a sample time.
static int countNumbers(const crModel* model, const Case* example)
{
  return example->hasContacts ? 3 * crModel_GetSize(model).objectCount
                              : crModel_CountStates(model, crModel_GetAllTrees(model));
}

static int countSamples(const crModel* model, const Case* example)
{
  return countTimes(example) * countNumbers(model, example);
}

static void readSample(const crModel* model, const Case* example, const crInstance* instance, double* out)
{
  if (!example->hasContacts) {
    crInstance_GetState(instance, crModel_GetAllTrees(model), out);
    return;
  }
  for (int i = 0; i < crModel_GetSize(model).objectCount; ++i) {
    crVec3 p = crInstance_GetPose(instance, i).p;
    out[3 * i] = p.x;
    out[3 * i + 1] = p.y;
    out[3 * i + 2] = p.z;
  }
}

// Runs once into trial->samples; false when the solver fails.
static bool runOnce(const crModel* model, const Case* example, double tolerance, Method method, Trial* trial)
{
  int times = countTimes(example), numbers = countNumbers(model, example);
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = example->stop;
  options.tolerance = tolerance;
  options.solver = method.solver;
  options.islands = method.hasIslands ? cr_islandsOn : cr_islandsOff;
  crSimulation* simulation = NULL;
  bool isGood = crCreateSimulation(model, &options, NULL, &sink, &simulation) == cr_ok;
  for (int i = 0; i < times && isGood; ++i) {
    isGood = crSimulation_Advance(simulation, example->stop * (i + 1) / times) == cr_ok;
    readSample(model, example, crSimulation_GetInstance(simulation), trial->samples + (size_t)i * (size_t)numbers);
  }
  if (isGood) {
    trial->summary = crSimulation_GetSummary(simulation);
  }
  crDestroySimulation(simulation);
  return isGood;
}

static Trial makeTrial(const crModel* model, const Case* example)
{
  Trial trial = { .samples = calloc((size_t)countSamples(model, example), sizeof(double)), .seconds = HUGE_VAL };
  if (trial.samples == NULL) {
    stop("out of memory");
  }
  return trial;
}

static bool runTrial(const crModel* model, const Case* example, double tolerance, Method method, Trial* trial)
{
  double total = 0.0;
  trial->seconds = HUGE_VAL;
  for (int i = 0; i < MAX_REPETITIONS && (i == 0 || total < MIN_SECONDS); ++i) {
    if (!runOnce(model, example, tolerance, method, trial)) {
      return false;
    }
    total += trial->summary.cpuSeconds;
    trial->seconds = fmin(trial->seconds, trial->summary.cpuSeconds);
  }
  return true;
}

static double largestDifference(int count, const double* a, const double* b)
{
  double largest = 0.0;
  for (int i = 0; i < count; ++i) {
    largest = fmax(largest, fabs(a[i] - b[i]));
  }
  return largest;
}

// ------------------------------------------------------------------------------------------- tables

// Three digits.
static void printMilliseconds(double milliseconds)
{
  int digits = milliseconds < 1.0 ? 3 : milliseconds < 10.0 ? 2 : milliseconds < 100.0 ? 1 : 0;
  printf("%.*f", digits, milliseconds);
}

static void printTrial(const char* name, double tolerance, const Trial* trial, double error)
{
  const crSolverStatistics* n = &trial->summary.solverStatistics;
  printf("| %s | %.0e | ", name, tolerance);
  printMilliseconds(1e3 * trial->seconds);
  printf(" | %lld | %lld | %lld | %.1e |\n", (long long)n->steps, (long long)n->evaluations, (long long)n->jacobians,
         error);
}

// The solver, and with contacts whether there are islands.
static void nameMethod(const Case* example, Method method, char name[48])
{
  const char* solver = crGetSolverInfo(method.solver)->name;
  snprintf(name, 48, "%s%s", solver, example->hasContacts && method.hasIslands ? ", islands" : "");
}

static void printMethod(const crModel* model, const Case* example, Method method, const double* reference,
                        LogChart* chart)
{
  char name[48], text[96];
  Trial trial = makeTrial(model, example);
  nameMethod(example, method, name);
  LogCurve* curve = addLogCurve(chart, name, method.solver == cr_solverAuto && method.hasIslands);
  for (int i = 0; i < TOLERANCE_COUNT; ++i) {
    if (!runTrial(model, example, tolerances[i], method, &trial)) {
      printf("| %s | %.0e | fails | | | | |\n", name, tolerances[i]);
      continue;
    }
    const crMethodSteps* steps = &trial.summary.methodSteps;
    bool isChoice = method.solver == cr_solverAuto && !(example->hasContacts && method.hasIslands);
    const char* chosen = steps->radau5 > steps->dopri5 + steps->dop853 ? "radau5"
                         : steps->dop853 > steps->dopri5               ? "dop853"
                                                                       : "dopri5";
    snprintf(text, sizeof text, isChoice ? "%s: mostly %s" : "%s", name, chosen);
    double error = largestDifference(countSamples(model, example), trial.samples, reference);
    printTrial(text, tolerances[i], &trial, error);
    addLogPoint(curve, error, 1e3 * trial.seconds);
  }
  free(trial.samples);
}

// The programs that can do billiards only.
static void printByHand(bool isGlobal, LogChart* chart)
{
  double end[BALLS][3], seconds;
  const char* name = isGlobal ? "by hand" : "by hand, islands";
  LogCurve* curve = addLogCurve(chart, name, false);
  for (int i = 0; i < TOLERANCE_COUNT; ++i) {
    World* world = NULL;
    seconds = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
      world = makeBilliards(0);
      world->tolerance = tolerances[i];
      world->isGlobal = isGlobal;
      double start = cpuNow();
      startWorld(world, STOP_TIME);
      runWorld(world, STOP_TIME);
      seconds = fmin(seconds, cpuNow() - start);
      for (int ball = 0; ball < BALLS; ++ball) {
        memcpy(end[ball], world->balls[ball].end, sizeof end[ball]);
      }
      if (k < 2) {
        destroyWorld(world);
      }
    }
    double error = findError((const double(*)[3])end, referenceEnd);
    printf("| %s | %.0e | ", name, tolerances[i]);
    printMilliseconds(1e3 * seconds);
    printf(" | %ld | | | %.1e |\n", world->counts.implicitSteps + world->counts.explicitSteps, error);
    addLogPoint(curve, error, 1e3 * seconds);
    destroyWorld(world);
  }
}

// How far the reference is from another solver's result.
static void printCheck(const crModel* model, const Case* example, crSolverKind solver, const double* reference)
{
  Trial check = makeTrial(model, example);
  if (!runOnce(model, example, CHECK_TOLERANCE, (Method){ solver, false }, &check)) {
    stop("a check of the reference fails");
  }
  printf("%.1e from that of %s", largestDifference(countSamples(model, example), reference, check.samples),
         crGetSolverInfo(solver)->name);
  free(check.samples);
}

static void printCaseHead(const crModel* model, const Case* example, const double* reference)
{
  printf("\n## %s", strrchr(example->path, '/') + 1);
  if (example->setting.name != NULL) {
    printf(" --set %s=%s", example->setting.name, example->setting.value);
  }
  printf("\n\n%s; %g s. The reference differs by ", example->about, example->stop);
  printCheck(model, example, cr_solverDopri5, reference);
  printf(" and by ");
  printCheck(model, example, cr_solverCvodeBdf, reference);
  printf(".\n\n![CPU time over error](figures/work_precision_%s.svg)\n", example->name);
  printf(
      "\n| solver | tolerance | CPU [ms] | steps | evaluations | Jacobians | error |\n|---|---|---|---|---|---|---|\n");
}

static void printCase(const char* folder, const Case* example)
{
  crModel* model = readModel(example);
  Trial reference = makeTrial(model, example);
  LogChart chart = { .xLabel = example->hasContacts ? "error of a position at the end [m]" : "largest error of a state",
                     .yLabel = "CPU time [ms]" };
  if (!runOnce(model, example, REFERENCE_TOLERANCE, (Method){ REFERENCE_SOLVER, false }, &reference)) {
    stop("the reference fails");
  }
  printCaseHead(model, example, reference.samples);
  for (int i = cr_solverIda; i <= cr_solverKindCount; ++i) { // auto is the last
    int solver = i < cr_solverKindCount ? i : cr_solverAuto;
    bool hasIslands = !example->hasContacts && solver == cr_solverAuto;
    printMethod(model, example, (Method){ (crSolverKind)solver, hasIslands }, reference.samples, &chart);
  }
  if (example->hasContacts) {
    printMethod(model, example, (Method){ cr_solverAuto, true }, reference.samples, &chart);
    printByHand(true, &chart);
    printByHand(false, &chart);
  }
  char path[4096];
  snprintf(path, sizeof path, "%s/work_precision_%s.svg", folder, example->name);
  if (!drawLogChart(&chart, path)) {
    stop("the picture cannot be written");
  }
  free(reference.samples);
  crDestroyModel(model);
}

// The processor's name, where the system tells it.
static void printMachineName(void)
{
  char line[512] = "";
  FILE* file = fopen("/proc/cpuinfo", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL && strncmp(line, "model name", 10) != 0) {
    line[0] = '\0';
  }
  if (file != NULL) {
    fclose(file);
  }
  char* name = strchr(line, ':');
  printf("Processor: %s. Compiler: %s, `%s`.\n", name != NULL ? strtok(name + 2, "\n") : "unknown", BENCH_COMPILER,
         BENCH_FLAGS + strspn(BENCH_FLAGS, " "));
}

int main(int argc, char** argv)
{
  if (argc < 2 || argc > 3) {
    stop("usage: work_precision FOLDER [CASE]");
  }
  printf(
      "# Work and precision, measured\n\n"
      "Written by `make numerics`; what it means is told in [numerics.md](numerics.md). CPU time is that of the\n"
      "steps alone, the least of several runs. Evaluations are those of f or F, with those for Jacobians and for\n"
      "interpolation at the %d sample times; where every island has its own steps, sums over all of them. The error\n"
      "is the largest difference of any state from the reference (dop853 at tolerance %.0e) at these times; with\n"
      "contacts, of any position at the end.\n\n",
      SAMPLES, REFERENCE_TOLERANCE);
  printMachineName();
  for (int i = 0; i < CASE_COUNT; ++i) {
    if (argc == 2 || strcmp(argv[2], cases[i].name) == 0) {
      printCase(argv[1], &cases[i]);
    }
  }
  return 0;
}
