// Extruded shapes with each other, and with cylinders, whose axes are parallel: what happens in the plane across them.
//
// In it a chain consists of features: straight pieces, arcs, convex corners (arcs of radius 0). Two features touch
// where their normals are opposite and both lie on the line between them. With centres c, signed radii rho (of concave
// arcs negative) and the normal n out of the first one,
//
//   arc and arc     c2 - c1 = (rho1 + rho2 + gap) n
//   line and arc    gap = (c2 - p1) . n1 - rho2
//
// Involutes are arcs with the centre where a normal touches the base circle, and the normals that two features share
// are known beforehand: of two involutes the tangents of both base circles, the line of action.
//
// Each such place within both features is a candidate, and the least gap is the distance. Those below 0 count as far as
// they tell by how much both can be parted there (outline_depth.c): others are seen through the solid. So depths are
// known, and continuous, until the whole of one outline is in the other, which counts as its smallest dimension. Behind
// its ends a chain goes on as if it turned away, so that a distance changes no faster than shapes move; there nothing
// touches: where another chain goes on, that has the touch, and this one is as far away as what it does not see.
#ifndef CR_COLLIDE_DISTANCE_PARALLEL_H
#define CR_COLLIDE_DISTANCE_PARALLEL_H

#include "carom/collide.h"
#include "geometry/shape.h"

typedef struct crParallelTouch {
  double distance;       // [m]
  crVec3 normal;         // from A to B, in the world; zero: they see each other from behind, and no distance is known
  crVec3 pointA, pointB; // in the world, in the middle of the common length
  double length;         // [m] that both have in common; <= 0: none
  double curvature;      // [1/m] of both together, in the plane; NaN: an edge touches
} crParallelTouch;

// Whether a pair is one of these, whatever its poses.
bool crIsParallelPair(const crShape* a, const crShape* b);
// [-] Sine of the angle between their axes, and nothing else.
double crFindTilt(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB);

// Axes that are not parallel count as if they were, along that of the first extruded one. A distance above `enough` [m]
// may be a lower bound, with a normal that leads about from one to the other.
crParallelTouch crComputeParallel(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                                  double enough);

#endif
