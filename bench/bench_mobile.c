// A whole run: the mobile with 94 revolute joints, 5 s at a tolerance of 1e-5. CPU time of the run, best of several,
// and the largest error of any angle or rate at any of 500 output points against a run at 1e-11.
#include "mobile.h"
#include "record.h"

#include <stdlib.h>

#define TIME_LIMIT 0.083 // [s] a hundredth of what the predecessor of this program took
#define ERROR_LIMIT 1e-4 // [rad] or [rad/s]: ten times the tolerance
#define REFERENCE_TOLERANCE 1e-11

// The states at all output points.
typedef struct Track {
  double* states; // (MOBILE_OUTPUTS + 1) x MOBILE_STATES
  int count;
} Track;

static crStatus keep(void* context, double t, const crInstance* instance)
{
  (void)t;
  Track* track = context;
  crTreeSet all = crModel_GetAllTrees(crInstance_GetModel(instance));
  crInstance_GetState(instance, all, track->states + (size_t)MOBILE_STATES * (size_t)track->count++);
  return cr_ok;
}

// [s] of CPU time; infinite when the run fails.
static double run(const crModel* model, double tolerance, Track* track, crSimulationSummary* outSummary)
{
  crSimulationOptions options = mobileOptions(tolerance);
  crSimulation* simulation = NULL;
  crObserver observer = { .context = track, .atOutput = keep };
  crRunEnd end = cr_runFailed;
  track->count = 0;
  double start = mobileNow(), duration = HUGE_VAL;
  if (crCreateSimulation(model, &options, NULL, NULL, &simulation) == cr_ok &&
      crSimulation_Run(simulation, &observer, &end) == cr_ok) {
    duration = mobileNow() - start;
    *outSummary = crSimulation_GetSummary(simulation);
  }
  crDestroySimulation(simulation);
  return duration;
}

static double findError(const Track* track, const Track* reference)
{
  double error = 0.0;
  for (size_t i = 0; i < (size_t)MOBILE_STATES * (size_t)reference->count; ++i) {
    error = fmax(error, fabs(track->states[i] - reference->states[i]));
  }
  return error;
}

int main(void)
{
  crModel* model = mobileMakeModel();
  size_t size = (size_t)MOBILE_STATES * (MOBILE_OUTPUTS + 1) * sizeof(double);
  Track track = { malloc(size), 0 }, reference = { malloc(size), 0 };
  crSimulationSummary summary = { 0 };
  if (model == NULL || track.states == NULL || reference.states == NULL) {
    return 1;
  }
  double exact = run(model, REFERENCE_TOLERANCE, &reference, &summary), best = HUGE_VAL;
  for (int i = 0; i < MOBILE_RUNS; ++i) {
    best = fmin(best, run(model, MOBILE_TOLERANCE, &track, &summary));
  }
  double error = findError(&track, &reference);
  printf("compiler  %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  printf("%10s  %10s  %10s  %8s  %12s  %10s\n", "tolerance", "CPU [ms]", "solver", "steps", "evaluations", "error");
  printf("%10.0e  %10.1f  %10s  %8lld  %12lld  %10.1e\n", MOBILE_TOLERANCE, 1e3 * best,
         summary.methodSteps.radau5 > 0 ? "radau5 too" : "explicit", (long long)summary.solverStatistics.steps,
         (long long)summary.solverStatistics.evaluations, error);
  printf("%10.0e  %10.1f  %10s\n", REFERENCE_TOLERANCE, 1e3 * exact, "(reference)");
  printf("limits: %.0f ms, error %.0e\n", 1e3 * TIME_LIMIT, ERROR_LIMIT);
  recordNumber("mobile.cpu", best);
  recordNumber("mobile.error", error);
  bool isGood = best < TIME_LIMIT && error < ERROR_LIMIT;
  free(track.states);
  free(reference.states);
  crDestroyModel(model);
  return isGood ? 0 : 1;
}
