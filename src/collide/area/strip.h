// Planes that a fan cannot sweep well: those that pass the axis closely and steeply, where most lines of the fan are
// nearly the same one.
//
// Their lines are those of equal height z instead, x = o + v e2 + t e1 with e1 level. The depth below a cap is the same
// all along. That below the side is c (R(z) - sqrt(q^2 + t^2)) with q the distance of the line from the axis, and
// nearly linear wherever the side is nearest, since q is much less than t there; where it ends and where it equals that
// below a cap is a root.
#ifndef CR_COLLIDE_AREA_STRIP_H
#define CR_COLLIDE_AREA_STRIP_H

#include "collide/area/fan.h"

// Whether all breakpoints of a plane are where strips are better.
bool crFan_NeedsStrips(const crFan* fan);

// The points of all parts, instead of crFan_AddPoints.
void crFan_AddStrips(crFan* fan, crPatch* patch);

#endif
