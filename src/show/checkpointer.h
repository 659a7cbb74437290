// Checkpoints of a run into a folder, when they are due.
#ifndef CR_SHOW_CHECKPOINTER_H
#define CR_SHOW_CHECKPOINTER_H

#include "show/checkpoint_pair.h"
#include "show/run_note.h"

typedef struct crCheckpointer {
  bool isOn;
  double seconds; // [s] of wall time between two of them; < 0: at every output point
  double written; // [s] wall clock at the last one
  bool hasWarned; // of one that could not be written
  crCheckpointPair pair;
  crRunNote note; // its place is found anew each time
  const crAllocator* allocator;
  const crErrorSink* sink;
} crCheckpointer;

// seconds: as crRunDef has it. The pair and the note are the caller's to fill.
void crCheckpointer_Begin(crCheckpointer* checkpointer, double seconds);

// Behind an output point. A checkpoint that cannot be written is warned of once, and the run goes on; a result that
// cannot be written any further is a failure.
crStatus crCheckpointer_AtOutput(crCheckpointer* checkpointer, const crSimulation* simulation, crResultWriter* writer);

#endif
