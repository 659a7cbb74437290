// Work and precision of all solvers on three examples, one of them also in a stiff variant, as the Markdown tables of
// docs/numerics_tables.md.
//
// Each run is compared with a reference of the explicit method of order 8 at tolerance 1e-12. The reference is itself
// compared with those of two other methods, so the tables show how far it can be trusted. Error: largest difference of
// any state at any of the sample times. Time: the least of several runs, of the solver alone, as CPU time of its
// thread.
//
// usage: work_precision FOLDER     of the examples
#include "carom/carom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 50                // times at which states are compared
#define MIN_SECONDS 0.3           // of all repetitions of a run together
#define MAX_REPETITIONS 20        // of a run; the fastest counts
#define REFERENCE_TOLERANCE 1e-12 // [-]
#define REFERENCE_SOLVER cr_solverErk8

static const double tolerances[] = { 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10 };
#define TOLERANCE_COUNT (int)(sizeof tolerances / sizeof tolerances[0])

typedef struct Case {
  const char* file;
  const char* about;
  double stop; // [s]
  crSetting setting;
} Case;

static const Case cases[] = {
  { "double_pendulum.lua", "4 states, undamped and chaotic", 3.0, { NULL, NULL } },
  { "mobile.lua", "188 states, 94 damped hinges", 5.0, { NULL, NULL } },
  { "mobile.lua", "188 states, stiff: a hundred times the damping", 5.0, { "damping", "0.6" } },
  { "tumbling_body.lua", "13 states, passes its unstable axis", 4.0, { NULL, NULL } },
};
#define CASE_COUNT (int)(sizeof cases / sizeof cases[0])

// One run and what it gave.
typedef struct Trial {
  double* samples; // (SAMPLES x stateCount)
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
  crError_Format(error, text, sizeof text);
  fprintf(stderr, "%s\n", text);
}

static const crErrorSink sink = { report, NULL };

static crModel* readModel(const char* folder, const Case* example)
{
  char path[4096];
  crScene* scene = NULL;
  crModel* model = NULL;
  crReadOptions options = crDefaultReadOptions();
  options.settings = &example->setting;
  options.settingCount = example->setting.name != NULL ? 1 : 0;
  snprintf(path, sizeof path, "%s/%s", folder, example->file);
  if (crReadModel(path, &options, NULL, &sink, &scene) != cr_ok || crCompile(scene, NULL, &sink, &model) != cr_ok) {
    stop("the example cannot be read");
  }
  crDestroyScene(scene);
  return model;
}

// ------------------------------------------------------------------------------------------- trials

// Runs once into trial->samples; false when the solver fails.
static bool runOnce(const crModel* model, const Case* example, double tolerance, crSolverKind solver, Trial* trial)
{
  crTreeSet all = crModel_GetAllTrees(model);
  int stateCount = crModel_CountStates(model, all);
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = example->stop;
  options.tolerance = tolerance;
  options.solver = solver;
  crSimulation* simulation = NULL;
  bool isGood = crCreateSimulation(model, &options, NULL, &sink, &simulation) == cr_ok;
  for (int i = 0; i < SAMPLES && isGood; ++i) {
    isGood = crSimulation_Advance(simulation, example->stop * (i + 1) / SAMPLES) == cr_ok;
    crInstance_GetState(crSimulation_GetInstance(simulation), all, trial->samples + (size_t)i * (size_t)stateCount);
  }
  if (isGood) {
    trial->summary = crSimulation_GetSummary(simulation);
  }
  crDestroySimulation(simulation);
  return isGood;
}

static Trial makeTrial(const crModel* model)
{
  int stateCount = crModel_CountStates(model, crModel_GetAllTrees(model));
  Trial trial = { .samples = calloc((size_t)stateCount * SAMPLES, sizeof(double)), .seconds = HUGE_VAL };
  if (trial.samples == NULL) {
    stop("out of memory");
  }
  return trial;
}

static bool runTrial(const crModel* model, const Case* example, double tolerance, crSolverKind solver, Trial* trial)
{
  double total = 0.0;
  for (int i = 0; i < MAX_REPETITIONS && (i == 0 || total < MIN_SECONDS); ++i) {
    if (!runOnce(model, example, tolerance, solver, trial)) {
      return false;
    }
    total += trial->summary.cpuSeconds;
    trial->seconds = fmin(trial->seconds, trial->summary.cpuSeconds);
  }
  return true;
}

static double largestDifference(const crModel* model, const double* a, const double* b)
{
  int count = crModel_CountStates(model, crModel_GetAllTrees(model)) * SAMPLES;
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

static void printRow(const crModel* model, const char* name, double tolerance, const Trial* trial,
                     const double* reference)
{
  const crSolverStatistics* n = &trial->summary.solverStatistics;
  printf("| %s | %.0e | ", name, tolerance);
  printMilliseconds(1e3 * trial->seconds);
  printf(" | %lld | %lld | %lld | %.1e |\n", (long long)n->steps, (long long)n->evaluations, (long long)n->jacobians,
         largestDifference(model, trial->samples, reference));
}

static void printSolver(const crModel* model, const Case* example, crSolverKind solver, const double* reference)
{
  Trial trial = makeTrial(model);
  for (int i = 0; i < TOLERANCE_COUNT; ++i) {
    trial.seconds = HUGE_VAL;
    bool isGood = runTrial(model, example, tolerances[i], solver, &trial);
    if (!isGood) {
      printf("| %s | %.0e | fails | | | | |\n", crGetSolverInfo(solver)->name, tolerances[i]);
      continue;
    }
    char name[64];
    const char* chosen = crGetSolverInfo(trial.summary.solver)->name;
    snprintf(name, sizeof name, solver == CR_SOLVER_AUTO ? "auto: %s" : "%s", chosen);
    printRow(model, name, tolerances[i], &trial, reference);
  }
  free(trial.samples);
}

// How far the reference is from another solver's result at the same tolerance.
static void printCheck(const crModel* model, const Case* example, crSolverKind solver, const double* reference)
{
  Trial check = makeTrial(model);
  if (!runOnce(model, example, REFERENCE_TOLERANCE, solver, &check)) {
    stop("a check of the reference fails");
  }
  printf("%.1e from that of %s", largestDifference(model, reference, check.samples), crGetSolverInfo(solver)->name);
  free(check.samples);
}

static void printCase(const char* folder, const Case* example)
{
  crModel* model = readModel(folder, example);
  Trial reference = makeTrial(model);
  if (!runOnce(model, example, REFERENCE_TOLERANCE, REFERENCE_SOLVER, &reference)) {
    stop("the reference fails");
  }
  printf("\n## %s", example->file);
  if (example->setting.name != NULL) {
    printf(" --set %s=%s", example->setting.name, example->setting.value);
  }
  printf("\n\n%s; %g s. The reference differs by ", example->about, example->stop);
  printCheck(model, example, cr_solverErk5, reference.samples);
  printf(" and by ");
  printCheck(model, example, cr_solverCvodeAdams, reference.samples);
  printf(".\n\n| solver | tolerance | CPU [ms] | steps | evaluations | Jacobians | error "
         "|\n|---|---|---|---|---|---|---|\n");
  for (int solver = 0; solver <= cr_solverKindCount; ++solver) { // the last one is CR_SOLVER_AUTO
    printSolver(model, example, (crSolverKind)solver, reference.samples);
  }
  free(reference.samples);
  crDestroyModel(model);
}

// The processor's name, where the system tells it.
static void printMachine(void)
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
  if (argc != 2) {
    stop("usage: work_precision FOLDER");
  }
  printf("# Work and precision, measured\n\n"
         "Written by `make numerics`; what it means is told in [numerics.md](numerics.md). CPU time is that of the\n"
         "steps alone, the least of several runs. Evaluations are those of f or F, with those for Jacobians and for\n"
         "interpolation at the %d sample times. The error is the largest difference of any state from the reference\n"
         "(erk8 at tolerance %.0e) at these times.\n\n",
         SAMPLES, REFERENCE_TOLERANCE);
  printMachine();
  for (int i = 0; i < CASE_COUNT; ++i) {
    printCase(argv[1], &cases[i]);
  }
  return 0;
}
