// How deep points are in smooth ground, away from its border.
//
// Below the surface h(x, y) a point is f = h - z deep along z, and d = f / sqrt(1 + |h'|^2) across it, to the first
// order of depth over radius of curvature.
#ifndef CR_COLLIDE_AREA_GROUND_DEPTH_H
#define CR_COLLIDE_AREA_GROUND_DEPTH_H

#include "geometry/ground.h"

#define CR_DEPTH_RATE 1.01 // [-] bound of the slope of d, down to a hundredth of the radius of curvature

// f, with its gradient.
double crLookBelow(const crGround* ground, crVec3 p, crVec3* outSlope);

// d, and minus its gradient.
double crFindDepth(const crGround* ground, crVec3 p, crVec3* outNormal);

#endif
