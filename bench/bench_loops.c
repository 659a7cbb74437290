// Loops: how the cost of N four-bars in a row grows, and the precision of Andrews' mechanism for its time.
//
// The row is run for 10 s at a tolerance of 1e-8, without output: CPU time per loop and simulated second, and the error
// of the energy. The mechanism is run at several tolerances; its error is that of the crank's angle at 0.03 s.
#include "carom/carom.h"
#include "carom/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DURATION 10.0               // [s] of a row, as the problem has it
#define GROWTH_LIMIT 1.5            // [-] cost per loop, 400 over 10
#define ENERGY_LIMIT 1e-6           // [-]
#define PUBLISHED 15.81077119629904 // [rad] the crank of Andrews' mechanism at 0.03 s [MazziaMagherini08]
#define RUNS 3

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static crModel* readModel(const char* example, crSetting setting)
{
  char path[1024];
  crScene* scene = NULL;
  crModel* model = NULL;
  crReadOptions options = crDefaultReadOptions();
  options.settings = &setting;
  options.settingCount = setting.name != NULL;
  snprintf(path, sizeof path, "%s/%s", BENCH_EXAMPLES, example);
  if (crReadModel(path, &options, NULL, NULL, &scene) == cr_ok) {
    crCompile(scene, NULL, NULL, NULL, &model);
  }
  crDestroyScene(scene);
  return model;
}

// [s] of CPU time for one run to the stop time; infinite when it fails.
static double run(const crModel* model, double stop, double tolerance, crSimulation** outSimulation)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.tolerance = tolerance;
  *outSimulation = NULL;
  if (crCreateSimulation(model, &options, NULL, NULL, outSimulation) != cr_ok) {
    return HUGE_VAL;
  }
  double start = now();
  crStatus status = crSimulation_Advance(*outSimulation, stop);
  return status == cr_ok ? now() - start : HUGE_VAL;
}

// [s] per loop and simulated second, the best of several runs.
static double measureRow(int n, double* outEnergyError)
{
  char text[16];
  snprintf(text, sizeof text, "%d", n);
  crModel* model = readModel("n_four_bar.lua", (crSetting){ "N", text });
  double best = HUGE_VAL;
  *outEnergyError = HUGE_VAL;
  for (int i = 0; model != NULL && i < RUNS; ++i) {
    crSimulation* simulation;
    best = fmin(best, run(model, DURATION, 1e-8, &simulation));
    if (simulation != NULL) {
      crSimulationSummary summary = crSimulation_GetSummary(simulation);
      double start = summary.startEnergy.kinetic + summary.startEnergy.potential;
      *outEnergyError = fabs(summary.endEnergy.kinetic + summary.endEnergy.potential - start) / start;
    }
    crDestroySimulation(simulation);
  }
  crDestroyModel(model);
  return best / n / DURATION;
}

static bool measureRows(void)
{
  static const int sizes[] = { 2, 10, 40, 400 };
  double costs[4];
  bool isGood = true;
  printf("%8s  %24s  %16s\n", "N", "per loop and second [us]", "energy error [-]");
  for (int i = 0; i < 4; ++i) {
    double error;
    costs[i] = measureRow(sizes[i], &error);
    printf("%8d  %24.1f  %16.1e\n", sizes[i], 1e6 * costs[i], error);
    isGood = isGood && error < ENERGY_LIMIT;
  }
  printf("growth from 10 to 400: %.2f, limit %.1f\n\n", costs[3] / costs[1], GROWTH_LIMIT);
  return isGood && costs[3] < GROWTH_LIMIT * costs[1];
}

static bool measureAndrews(void)
{
  static const double tolerances[] = { 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10 };
  crModel* model = readModel("andrews.lua", (crSetting){ NULL, NULL });
  double error = HUGE_VAL;
  printf("%10s  %10s  %14s\n", "tolerance", "CPU [ms]", "error [rad]");
  for (int i = 0; model != NULL && i < 6; ++i) {
    double best = HUGE_VAL;
    for (int k = 0; k < RUNS; ++k) {
      crSimulation* simulation;
      best = fmin(best, run(model, 0.03, tolerances[i], &simulation));
      if (simulation != NULL) {
        int beta = crModel_FindVariable(model, "beta.angle");
        error = fabs(crInstance_GetVariable(crSimulation_GetInstance(simulation), beta) - PUBLISHED);
      }
      crDestroySimulation(simulation);
    }
    printf("%10.0e  %10.2f  %14.1e\n", tolerances[i], 1e3 * best, error);
  }
  crDestroyModel(model);
  return error < 1e-7;
}

int main(void)
{
  printf("compiler  %s, %s\n", BENCH_COMPILER, BENCH_FLAGS);
  bool isGood = measureRows();
  return measureAndrews() && isGood ? 0 : 1;
}
