// The passes of the compiler, one by one: for `carom info --dump` and for tests.
#ifndef CR_MODEL_COMPILE_PASS_H
#define CR_MODEL_COMPILE_PASS_H

#include "carom/model.h"

typedef enum crPass {
  cr_passResolve,
  cr_passSignals,
  cr_passCheck,
  cr_passWeld,
  cr_passLump,
  cr_passOrder,
  cr_passCut,
  cr_passPairs,
  cr_passNeeds,
  cr_passVariables,
  cr_passPack,
  cr_passCount
} crPass;

const char* crPassText(crPass pass); // "resolve", "check", ...

// Runs the passes up to the given one and writes what it found as readable text.
crStatus crDumpPass(const crScene* scene, crPass pass, const crAllocator* allocator, const crErrorSink* sink,
                    crTextWriter writer);

#endif
