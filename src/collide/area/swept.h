// Capsules, and shapes that are rounded or inflated, against each other and against all others.
#ifndef CR_COLLIDE_AREA_SWEPT_H
#define CR_COLLIDE_AREA_SWEPT_H

#include "collide/area/patch.h"

bool crIsSwept(const crShape* shape); // of a kind that crAddSwept takes first

// Of two shapes, one of which is of that kind: A is the one that is taken first.
bool crSweepsFirst(const crShape* a, const crShape* b);

// X_AB: pose of B in axes of A.
void crAddSwept(const crShape* a, const crShape* b, const crPose* X_AB, crPatch* patch);

#endif
