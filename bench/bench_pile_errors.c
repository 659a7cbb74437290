// How wrong the pile of spheres is after 20 ms. Its motion is chaotic, so that errors of a whole run say nothing:
// states of one run are kept as files, and from each of them the motion is computed for a short time, once with a
// tolerance so tight that it counts as true, and with those that are asked for. What is told is the error of
// velocities:
//
//   rms      root of the mean square over bodies and states
//   geo      geometric mean over states of the root mean square over bodies
//   95 %     of bodies, in all states, are better than this
//   largest  of them all
//   energy   largest error of the kinetic energy over itself
//
// States in a folder are used again, so that two builds are compared on the same ones.
//
// usage: bench_pile_errors [--quick]                    100 spheres, 1,000 and 10,000, at 1e-3
//        bench_pile_errors FOLDER N [TOLERANCE...]      N spheres, with states in the folder
#include "carom/carom.h"
#include "carom/io.h"
#include "pile.h"

#include <stdlib.h>
#include <string.h>

#define HORIZON 0.02         // [s]
#define STATE_TOLERANCE 1e-4 // of the run whose states are kept
#define TRUE_TOLERANCE 3e-9  // of the motion that counts as true,
#define LARGE_TOLERANCE 1e-5 // and of piles of more than
#define LARGE_COUNT 2000     // spheres, by the method of crowds, since others take hours
#define STATE_COUNT 6
#define GOOD_SHARE 0.95
#define MOST_TOLERANCES 8

static const double stateTimes[STATE_COUNT] = { 0.04, 0.08, 0.14, 0.22, 0.32, 0.45 }; // [s]

typedef struct Run {
  const crModel* model;
  crErrorSink sink;
  const char* folder; // NULL: nothing is kept
  int n;
} Run;

static void printError(void* context, const crError* error)
{
  char text[512];
  (void)context;
  if (error->severity == cr_severityError) {
    crError_Format(error, text, sizeof text);
    printf("%s\n", text);
  }
}

static crModel* openPile(int n, const crErrorSink* sink)
{
  char count[16];
  crScene* scene = NULL;
  crModel* model = NULL;
  crSetting setting = { "n", count };
  snprintf(count, sizeof count, "%d", n);
  crReadOptions options = crDefaultReadOptions();
  options.settings = &setting;
  options.settingCount = 1;
  if (crReadModel(BENCH_SCENES "/pile.lua", &options, NULL, sink, &scene) == cr_ok) {
    crCompile(scene, NULL, NULL, sink, &model);
  }
  crDestroyScene(scene);
  return model;
}

// What a run over the horizon has cost.
typedef struct Cost {
  double seconds;
  long long steps, rejected, evaluations;
} Cost;

// From a state on, NULL: from the start, to t.
static crState* runTo(const Run* run, const crState* start, double t, double tolerance, crSolverKind solver, Cost* cost)
{
  crState* end = NULL;
  crSimulation* simulation = NULL;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.start = start;
  options.stopTime = options.interval = t;
  options.tolerance = tolerance;
  options.solver = solver;
  bool isGood = crCreateSimulation(run->model, &options, NULL, &run->sink, &simulation) == cr_ok &&
                crSimulation_Advance(simulation, t) == cr_ok;
  if (isGood && crSimulation_GetState(simulation, NULL, &end) == cr_ok) {
    crSimulationSummary summary = crSimulation_GetSummary(simulation);
    cost->seconds += summary.cpuSeconds;
    cost->steps += summary.solverStatistics.steps;
    cost->rejected += summary.solverStatistics.rejectedSteps;
    cost->evaluations += summary.solverStatistics.evaluations;
  }
  crDestroySimulation(simulation);
  return end;
}

static crState* readOrRun(const Run* run, int index, const char* what, const crState* start, double t, double tolerance,
                          crSolverKind solver)
{
  char path[1024];
  crState* state = NULL;
  snprintf(path, sizeof path, "%s/pile_%d_%d_%s.json", run->folder != NULL ? run->folder : "", run->n, index, what);
  FILE* file = run->folder != NULL ? fopen(path, "r") : NULL;
  if (file != NULL) {
    fclose(file);
    crReadStateFile(path, NULL, &run->sink, &state);
    return state;
  }
  Cost cost = { 0 };
  state = runTo(run, start, t, tolerance, solver, &cost);
  if (state != NULL && run->folder != NULL) {
    crWriteStateFile(state, path, NULL, &run->sink);
    printf("%s: %.1f s\n", path, cost.seconds);
    fflush(stdout);
  }
  return state;
}

static int compareNumbers(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// [m/s] Errors of the bodies' velocities; kinetic energies [J] of both. Returns the number of bodies.
static int compareStates(const crState* a, const crState* b, double* outErrors, double outKinetic[2])
{
  int count = 0;
  outKinetic[0] = outKinetic[1] = 0;
  for (int i = 0; i + 2 < a->stateCount; i++) {
    bool isSpeed = strstr(a->states[i].name, ".velocity.x") != NULL;
    bool isSpin = strstr(a->states[i].name, ".angularVelocity.x") != NULL;
    double square = 0;
    for (int k = i; k < i + 3 && (isSpeed || isSpin); k++) {
      double x = a->states[k].value, y = b->states[k].value, inertia = isSpeed ? PILE_MASS : PILE_INERTIA;
      square += (x - y) * (x - y);
      outKinetic[0] += 0.5 * inertia * x * x;
      outKinetic[1] += 0.5 * inertia * y * y;
    }
    if (isSpeed) {
      outErrors[count++] = sqrt(square);
    }
  }
  return count;
}

static bool measureErrors(const Run* run, double tolerance, crState* const* starts, crState* const* truths)
{
  double *errors = calloc((size_t)run->n * STATE_COUNT, sizeof *errors), sum = 0, logs = 0, energy = 0;
  int count = 0;
  Cost cost = { 0 };
  for (int i = 0; i < STATE_COUNT && errors != NULL; i++) {
    double kinetic[2], squares = 0;
    crState* end = runTo(run, starts[i], stateTimes[i] + HORIZON, tolerance, cr_solverAuto, &cost);
    if (end == NULL) {
      free(errors);
      return false;
    }
    int found = compareStates(end, truths[i], errors + count, kinetic);
    for (int k = count; k < count + found; k++) {
      squares += errors[k] * errors[k];
    }
    count += found;
    sum += squares;
    logs += log(squares / found) / 2;
    energy = fmax(energy, fabs(kinetic[0] - kinetic[1]) / kinetic[1]);
    crDestroyState(end);
  }
  qsort(errors, (size_t)count, sizeof *errors, compareNumbers);
  double rms = sqrt(sum / count), geo = exp(logs / STATE_COUNT), good = errors[(int)(GOOD_SHARE * count)];
  printf("| %6d | %7.0e | %9.4f | %6lld + %-5lld | %8lld | %8.1e | %8.1e | %8.1e | %8.1e | %8.1e |\n", run->n,
         tolerance, cost.seconds, cost.steps, cost.rejected, cost.evaluations, rms, geo, good, errors[count - 1],
         energy);
  fflush(stdout);
  char key[96];
  const char* names[4] = { "rms", "geo", "p95", "largest" };
  double values[4] = { rms, geo, good, errors[count - 1] };
  for (int i = 0; i < 4; i++) {
    snprintf(key, sizeof key, "pile.error.%d.%.0e.%s", run->n, tolerance, names[i]);
    recordNumber(key, values[i]);
  }
  free(errors);
  return true;
}

static void printHead(void)
{
  printf("| %6s | %7s | %9s | %14s | %8s | %8s | %8s | %8s | %8s | %8s |\n", "bodies", "tol", "CPU [s]",
         "steps + rejected", "evals", "rms", "geo", "95 %", "largest", "energy");
  printf("|---|---|---|---|---|---|---|---|---|---|\n");
}

static bool measurePile(const char* folder, int n, const double* tolerances, int count)
{
  Run run = { .folder = folder, .n = n };
  run.sink.report = printError;
  crModel* model = openPile(n, &run.sink);
  crState *starts[STATE_COUNT] = { NULL }, *truths[STATE_COUNT] = { NULL };
  double truth = n > LARGE_COUNT ? LARGE_TOLERANCE : TRUE_TOLERANCE;
  crSolverKind solver = n > LARGE_COUNT ? cr_solverAuto : cr_solverDopri5;
  bool isGood = model != NULL;
  run.model = model;
  for (int i = 0; i < STATE_COUNT && isGood; i++) {
    const crState* before = i > 0 ? starts[i - 1] : NULL;
    starts[i] = readOrRun(&run, i, "start", before, stateTimes[i], STATE_TOLERANCE, cr_solverAuto);
    isGood = starts[i] != NULL;
    truths[i] = isGood ? readOrRun(&run, i, "end", starts[i], stateTimes[i] + HORIZON, truth, solver) : NULL;
    isGood = truths[i] != NULL;
  }
  for (int i = 0; i < count && isGood; i++) {
    isGood = measureErrors(&run, tolerances[i], starts, truths);
  }
  for (int i = 0; i < STATE_COUNT; i++) {
    crDestroyState(starts[i]);
    crDestroyState(truths[i]);
  }
  crDestroyModel(model);
  return isGood;
}

int main(int argc, char** argv)
{
  double tolerances[MOST_TOLERANCES] = { 1e-3 };
  int count = 1;
  bool isQuick = argc > 1 && strcmp(argv[1], "--quick") == 0;
  for (int i = 3; i < argc && i - 3 < MOST_TOLERANCES; i++) {
    tolerances[i - 3] = atof(argv[i]);
    count = i - 2;
  }
  if (argc == 1 || isQuick) {
    printHead();
    bool isGood = measurePile(NULL, 100, tolerances, 1);
    for (int n = 1000; n <= 10000 && !isQuick && isGood; n *= 10) {
      isGood = measurePile(NULL, n, tolerances, 1);
    }
    return isGood ? 0 : 1;
  }
  if (argc < 3 || atoi(argv[2]) < 1) {
    printf("usage: bench_pile_errors [--quick], or bench_pile_errors FOLDER N [TOLERANCE...]\n");
    return 2;
  }
  printHead();
  return measurePile(argv[1], atoi(argv[2]), tolerances, count) ? 0 : 1;
}
