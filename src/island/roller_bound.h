// How long a roller and an extruded surface with a parallel axis stay apart.
//
// Seen from the surface the axis of the roller is a point y(t) in the plane of the profile, and the distance of both is
// not below that of y to the nearest element, less the roller's radius. That of each element is bounded by itself:
//
//   lines and convex arcs   the distance to their convex hull bends upwards:  d(t) >= d + n . y' t - A t^2 / 2
//   concave arcs            with centre c and radius R:  d(t) >= R - |y(t) - c|;  and while y(t) is outside of the
//                           sector of the arc, its ends alone count
//
// So a pin that glides along a slot which is hardly wider than itself is known to do so by the sides of the slot, and
// not by the arc at its bottom. Along the axis shapes may move as they like: that makes no distance smaller.
#ifndef CR_ISLAND_ROLLER_BOUND_H
#define CR_ISLAND_ROLLER_BOUND_H

#include "geometry/profile.h"

// [s] For how long a point stays farther than `least` [m] from all elements of a chain, if it is at x with the velocity
// v [m/s] and an acceleration of at most A [m/s^2]; not longer than `longest`.
double crFindRollerReach(const crChain* chain, crPlanePoint x, crPlanePoint v, double A, double least, double longest);

#endif
