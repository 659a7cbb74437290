// How far along their ways a plane keeps two shapes apart.
//
// The signed distance D of two convex bodies is the largest of all gaps that a direction n leaves between them, so any
// n(t) gives a lower bound at all times,
//
//   D(t) >= min over x in A, y in B of g(t, x, y),   g = c(t) + a(t) . x + b(t) . y,
//
// wherever the nearest points wander to: c is the distance of both origins along n, -a and b are n in axes of A and B.
// Over a stretch of time c, a and b are the cubics through their values and rates at both ends, but for what a look at
// places in between shows. In Bernstein's form a cubic is nowhere below the least of its four coefficients, and those
// of g are linear in x and y, as g is: four pairs of support points bound the gap on the whole stretch. Where they do
// not keep it above a floor the cubics are halved, without looking anywhere again. So a body that glides along another
// at a distance of nanometres is as cheap as one that is far away. A bound on accelerations has to be met step by step
// there: it knows of points that turn, not of the gap.
//
// Good planes: that of a face or a side is carried by its body; that between two edges, or two round bodies, turns from
// where it is at the start of the stretch to where it is at the end.
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

// Places of the bodies of two shapes at equal distances in time, from the start of a stretch to its end.
#define CR_PATH_PLACES 5
typedef struct crPath {
  const crModel* model;
  int shapes[2];                         // A and B
  double h;                              // [s] length of the stretch
  crBodyPlace places[CR_PATH_PLACES][2]; // of their bodies
} crPath;

// Whether planes can tell anything of a pair: they keep convex shapes apart.
bool crIsConvexPair(const crModel* model, int shapeA, int shapeB);

// [-] The part of the stretch, from its start, on which the distance is above the floor. n: from A to B, at the start;
// a bad one gives a poor bound. By the better of two planes that the bodies carry:
double crPath_FindCarried(const crPath* path, crVec3 n, double floor);
// By one that turns to be n1 at the end:
double crPath_FindTurning(const crPath* path, crVec3 n0, crVec3 n1, double floor);

#endif
