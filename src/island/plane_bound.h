// Bounds of a distance by a plane that one of the bodies carries along.
//
// The signed distance D of two convex bodies is the largest of all gaps that a direction n leaves between them, so the
// gap in the direction that was best at one time is a lower bound at all times. In axes of body A, which carries n, A
// stands still, and B comes nearer by the nearest of its corners: with g_i the gap of corner i, r_i its rate and a
// bound a on accelerations in those axes,
//
//   D(t + s) >= min over i of g_i + r_i s - a s^2 / 2
//
// wherever the nearest points wander to. Accelerations in turning axes have Coriolis' part.
#ifndef CR_ISLAND_PLANE_BOUND_H
#define CR_ISLAND_PLANE_BOUND_H

#include "island/motion_bound.h"

// A body at one time.
typedef struct crBodyPlace {
  crPose X; // X_WB
  crVec3 v, w;
} crBodyPlace;

// [m/s^2] Bound for the points of shape `of` in axes of another body. Sweeps: of both bodies; NULL: the world.
double crBoundRelative(const crModel* model, int of, const crSweep* ofSweep, const crSweep* inSweep);

// [s] For how long the distance, which is `distance` along n now, stays above the floor; back in time, if !isAhead.
// n points from the body that carries it (`in`) to that of `of`. 0: shape `of` has no corners.
double crFindPlaneReach(const crModel* model, int of, const crBodyPlace* ofPlace, const crBodyPlace* inPlace, crVec3 n,
                        double distance, double acceleration, double floor, bool isAhead);

#endif
