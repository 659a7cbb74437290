// What is kept of one run, measured while it goes on.
#ifndef CR_SWEEP_GAUGE_H
#define CR_SWEEP_GAUGE_H

#include "sweep/output.h"

typedef struct crGauge {
  const crOutputs* outputs;
  double start, stop;         // [s] of the run
  double* values;             // (columnCount) the answer
  int* places;                // (variableCount) in the rows of the run
  double *before, *now;       // (variableCount) values in the last row, and in this one
  double timeBefore;          // [s] NaN: there was no row yet
  double timeFirst;           // [s] of the first row
  int* filled;                // (outputs->count) samples of a series so far
  const char* const* objects; // (objectCount) of the run
  int objectCount;
} crGauge;

// Takes memory from the arena; it can then be used for one run after the other.
bool crGauge_Init(crGauge* gauge, const crOutputs* outputs, crArena* arena);

// Before a run, values: (columnCount). Then the run goes into the sink, and the end gets what only a summary has.
void crGauge_Begin(crGauge* gauge, double start, double stop, double* values);
crRecordSink crGauge_GetSink(crGauge* gauge);
void crGauge_Finish(crGauge* gauge, const crSimulationSummary* summary);

#endif
