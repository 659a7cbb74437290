// Cylinders, cones, frusta and beams with sharp rims against polytopes.
//
// A beam is a box whose ends are open (inner faces) and two half cylinders. Everything else is one side and two caps.
//
//   the round surface inside the polytope   sides by fans of generators (fan.h), caps by polygons in discs (disc.h)
//   faces inside the round body             by fans of the face's lines in planes through the axis; depth in the round
//                                           body: the least distance to its side and its caps
//
// The distance c (R(z) - r) from a side has a kink on the axis, which is the end of all lines of a fan and does no
// harm; it is linear along them.
//
// Against a half-space the round surface alone counts, with share 1: nothing can come out on the other side, and both
// surfaces of a large box are as stiff to 1 % (blunt cone, lying cylinder, flat punch) at twice the cost.
#ifndef CR_COLLIDE_AREA_ROUND_H
#define CR_COLLIDE_AREA_ROUND_H

#include "collide/area/polytope.h"

// Both surfaces of a round shape and a polytope, X_AB: pose of B in axes of A; of a half-space only A's.
void crAddRound(const crShape* a, const crPolytope* b, const crPose* X_AB, crPatch* patch);

#endif
