// Strips: the part of a swept surface that belongs to a straight edge of the core.
#ifndef CR_COLLIDE_AREA_STRIP_H
#define CR_COLLIDE_AREA_STRIP_H

#include "collide/area/ball_surface.h"

// c(t) = start + t along, 0 <= t <= length, n = cos psi side + sin psi (along x side), |psi| <= width.
typedef struct crStrip {
  crVec3 start, along; // |along| = 1
  double length;       // [m] > 0
  crVec3 side;         // unit length, across `along`
  double width;        // [rad] half the angle; pi: all round
} crStrip;

void crAddStrip(const crBallSurface* surface, const crStrip* strip);

#endif
