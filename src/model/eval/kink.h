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

#define CR_KINKS_EACH 2 // of one side of an element: where it is loose, and where its damper lets go before that
// relief: what the damper adds to the depth, in a force k (depth + relief) that never has the other sign.
static inline void crMakeKinks(double depth, double relief, double size, crKink outKinks[CR_KINKS_EACH])
{
  double noise = 16.0 * 0x1p-52 * size;
  outKinks[0] = (crKink){ depth, noise };
  outKinks[1] = (crKink){ depth > 0.0 ? depth + relief : depth, noise };
}

void crFindCableKinks(const crInstance* instance, const crModelForce* force, crKink outKinks[CR_KINKS_EACH]); // cable.c
bool crHasFlanks(const crModelCoupling* coupling);                                                // elastic.c
void crFindFlankKinks(const crInstance* instance, int index, crKink outKinks[2 * CR_KINKS_EACH]); // of both flanks

#endif
