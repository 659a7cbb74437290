// Runs points of a plan, one after the other, in memory that is used again.
#ifndef CR_SWEEP_RUNNER_H
#define CR_SWEEP_RUNNER_H

#include "sweep/gauge.h"
#include "sweep/plan.h"

typedef struct crRunner {
  const crSweepPlan* plan;
  crAllocator allocator;
  crArena arena;
  crGauge gauge;
  double *inputs, *outputs; // (inputCount), (outputs.columnCount) of the last run
  int warnings;             //
  char message[CR_SWEEP_MESSAGE_SIZE];
  bool (*shouldStop)(void* context, double t); // or NULL: true ends the run at work, of which nothing is kept
  void* context;
} crRunner;

// false: out of memory; crRunner_Free is due all the same.
bool crRunner_Init(crRunner* runner, const crSweepPlan* plan, const crAllocator* allocator);
void crRunner_Free(crRunner* runner);

// The row, which points into the runner. false: it was stopped.
bool crRunner_Run(crRunner* runner, int64_t run, crSweepRow* outRow);
// The same with any settings; the inputs of the row are not set.
bool crRunner_RunSettings(crRunner* runner, const crSetting* settings, int settingCount, crSweepRow* outRow);

#endif
