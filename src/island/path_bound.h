// How far along their ways a plane keeps two shapes apart.
//
// The signed distance D of two convex bodies is the largest of all gaps that a direction n leaves between them, so the
// gap in the direction that was best at one time is a lower bound at all times. Let body A carry n along. In axes of A,
// A stands still, and a point y of B is at the height c(t) + m(t) . y over it, with n in axes of B for m, so that
//
//   D(t) >= c(t) + min over y in B of m(t) . y - h_A
//
// wherever the nearest points wander to. Over a stretch of time c and m are the cubics through their values and rates
// at both ends, but for what a look at places in between shows. In Bernstein's form a cubic is nowhere below the least
// of its four coefficients, and those of the height are c_k + m_k . y: four support points bound the gap on the whole
// stretch. Where they do not keep it above a floor the cubics are halved, without looking anywhere again. So a body
// that glides past another at a distance of nanometres is as cheap as one that is far away; a bound on accelerations
// alone would have to be met step by step, since the acceleration of both is that of points which turn, not that of the
// gap.
//
// Rims of cylinders and cones are taken for balls around their axis that touch the same plane: turning about that axis
// moves none of them.
#ifndef CR_ISLAND_PATH_BOUND_H
#define CR_ISLAND_PATH_BOUND_H

#include "model/model.h"

// A body at one time.
typedef struct crBodyPlace {
  crPose X; // X_WB
  crVec3 v, w;
} crBodyPlace;

// Places of both bodies at equal distances in time, from the start of a stretch to its end.
#define CR_PATH_PLACES 5
typedef struct crPath {
  double h;                              // [s] length of the stretch
  crBodyPlace places[CR_PATH_PLACES][2]; // of A and B
} crPath;

// [-] The part of the stretch, from its start, on which the distance of two shapes is above the floor. n: from A to B,
// at the start; a bad one gives a poor bound.
double crPath_FindReach(const crPath* path, const crModel* model, int shapeA, int shapeB, crVec3 n, double floor);

#endif
