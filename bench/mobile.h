// The model that the benchmarks of whole runs share: examples/mobile.lua, 94 revolute joints, 5 s.
#ifndef CR_BENCH_MOBILE_H
#define CR_BENCH_MOBILE_H

#include "carom/carom.h"
#include "carom/io.h"

#include <stdio.h>
#include <time.h>

#define MOBILE_TOLERANCE 1e-5 // [-]
#define MOBILE_RUNS 5         // the best counts
#define MOBILE_STATES 188
#define MOBILE_OUTPUTS 500

// Time of this process: steadier than the clock on the wall where others work, too.
static inline double mobileNow(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The compiled model; NULL: it could not be made.
static inline crModel* mobileMakeModel(void)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  if (crReadModel(BENCH_EXAMPLES "/mobile.lua", NULL, NULL, NULL, &scene) == cr_ok) {
    crCompile(scene, NULL, NULL, NULL, &model);
  }
  crDestroyScene(scene);
  if (model != NULL && crModel_GetSize(model).stateCount != MOBILE_STATES) {
    crDestroyModel(model);
    return NULL;
  }
  return model;
}

static inline crSimulationOptions mobileOptions(double tolerance)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = 5.0;
  options.interval = 5.0 / MOBILE_OUTPUTS;
  options.tolerance = tolerance;
  return options;
}

#endif
