// Which states the derivatives of states depend on, where that is the same at all times.
#ifndef CR_FMU_DEPENDENCIES_H
#define CR_FMU_DEPENDENCIES_H

#include "base/memory.h"
#include "carom/instance.h"

// Row by row. Unknown, both NULL, where something can touch: then what touches decides.
typedef struct crDependencies {
  const int* starts;  // (stateCount + 1)
  const int* columns; // ascending in each row
} crDependencies;

crStatus crFindDependencies(const crModel* model, crArena* arena, crDependencies* outDependencies);

#endif
