// Edges of two boxes that cross, each in the other box: a patch that is known in closed form (crossing_force.h).
//
// Of each box the two faces at its edge bound the overlap, a tetrahedron with a part of both edges for two opposite
// edges of its own, where that is inside of both boxes and no other plane of a box is nearer to the other one's
// surface.
#ifndef CR_COLLIDE_AREA_CROSSING_H
#define CR_COLLIDE_AREA_CROSSING_H

#include "geometry/shape.h"

// An edge as the other box has it.
typedef struct crCrossingEdge {
  crVec3 along;    // unit vector, such that towards it the edge leaves the other box by its face 0, the other way by 1
  crVec3 faces[2]; // outward normals of the faces at the edge
  double steep[2]; // [-] how steeply it leaves the faces of the other box: > 0
} crCrossingEdge;

// In canonical axes of A.
typedef struct crBoxCrossing {
  crCrossingEdge a, b;
  crVec3 n;     // across both edges, from A's outside to its inside: unit vector
  double depth; // [m] of each edge behind the other one, along n
  crVec3 at;    // where A's edge is nearest to B's; that is at `at` + depth n
} crBoxCrossing;

// false: there is none, or other planes are near. X: poses of the canonical frames S.
bool crFindBoxCrossing(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crBoxCrossing* out);

#endif
