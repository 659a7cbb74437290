// The inside of a table.
#ifndef CR_SWEEP_TABLE_H
#define CR_SWEEP_TABLE_H

#include "base/friend.h"
#include "sweep/plan.h"

struct crSweepTable {
  crAllocator allocator;
  crArena arena;
  crPlanText text;   // of the plan
  crSpread* spreads; // (inputCount)
  int inputCount, outputCount, rowCount;
  crSweepRow* rows;         // (rowCount) ordered by run
  double *inputs, *outputs; // (rowCount x inputCount), (rowCount x outputCount)
};

#endif
