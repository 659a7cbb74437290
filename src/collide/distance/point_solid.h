// A point and a solid: the foot of the point on the solid's core.
#ifndef CR_COLLIDE_DISTANCE_POINT_SOLID_H
#define CR_COLLIDE_DISTANCE_POINT_SOLID_H

#include "geometry/shape.h"

// The point of a core nearest to x is x - distance outward.
typedef struct crPointFoot {
  double distance; // [m] of x from the core; inside it negative: to the nearest of its faces
  crVec3 outward;  // in S, unit length: the core's normal at the foot
} crPointFoot;

// Of any kind but a mesh (ball.c). x in S, no farther than CR_FAR. A distance above `enough` [m] may be a lower bound;
// of smooth ground one above the radius of the balls that touch it, unless `enough` is infinite.
crPointFoot crComputePointFoot(const crShape* shape, crVec3 x, double enough);

crPointFoot crComputePointHullFoot(const crHull* hull, crVec3 x, double enough);

#endif
