// Caps: the part of a swept surface that belongs to a corner of the core, or to the end of a segment.
#ifndef CR_COLLIDE_AREA_CAP_H
#define CR_COLLIDE_AREA_CAP_H

#include "collide/area/ball_surface.h"

// The directions n . end >= 0 of a ball about a point: half a sphere.
void crAddHalfBall(const crBallSurface* surface, crVec3 centre, crVec3 end);

#endif
