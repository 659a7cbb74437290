// FMUs of other tools as sampled functions of a model: what a model needs to know of one while it is read. Running them
// is crGetFmuFunction's.
#ifndef CR_FOREIGN_FMU_BLOCK_H
#define CR_FOREIGN_FMU_BLOCK_H

#include "base/memory.h"
#include "base/report.h"
#include "carom/io.h"
#include "model/model.h"

typedef struct crFmuSummary {
  const char* hash;           // SHA-256 of the file
  const char* const* outputs; // (outputCount) those that were asked for, or all that it has
  int outputCount;
} crFmuSummary;

// Reads the description of the FMU at source->file and looks up all names in it; no code is loaded. Reports what is
// wrong. What it returns lives in the arena.
crStatus crSummarizeFmu(const crFunctionSource* source, const char* const* outputs, int outputCount, crArena* arena,
                        crReporter* reporter, crFmuSummary* outSummary);

// Whether a model needs FMUs of others, so that it cannot go where there are none.
static inline bool crHasFmus(const crModel* model)
{
  bool isFound = false;
  for (int i = 0; i < model->size.signalCount; ++i) {
    isFound = isFound || model->signals[i].kind == cr_signalFmu;
  }
  return isFound;
}

#endif
