// Kinks of forces: at stops of joints, where a cable gets taut, at the flanks of a coupling with backlash. Each is
// where a function of the state passes through zero. A step that leaps over one is wrong by far more than it estimates;
// two steps that meet there are not.
#ifndef CR_MODEL_EVAL_KINK_H
#define CR_MODEL_EVAL_KINK_H

#include "model/eval/instance.h"

typedef struct crKink {
  double value; // [rad] or [m] positive where the element pushes or pulls
  double noise; // likewise: what rounding can make of zero
} crKink;

int crModel_CountKinks(const crModel* model, crTreeSet set);
void crInstance_FindKinks(const crInstance* instance, crTreeSet set, crKink* outKinks); // (count) stage velocity

// What an element adds to a depth by its damper, whose force k (depth + relief) never has the other sign.
static inline crKink crMakeKink(double depth, double relief, double size)
{
  return (crKink){ depth > 0.0 ? depth + relief : depth, 16.0 * 0x1p-52 * size };
}

crKink crFindCableKink(const crInstance* instance, const crModelForce* force);    // cable.c
bool crHasFlanks(const crModelCoupling* coupling);                                // elastic.c
void crFindFlankKinks(const crInstance* instance, int index, crKink outKinks[2]); // of both flanks

#endif
