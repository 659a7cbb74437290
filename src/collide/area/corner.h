// Corners of boxes that are below a plane: the commonest patch of all, which is known in closed form (corner_force.h).
//
// A corner is below the plane of a half-space, or of another box's face, and the three edges from it come out above
// before they end. Then all of the overlap is the tetrahedron between: of a box, where that is inside of it and no
// other plane is nearer.
#ifndef CR_COLLIDE_AREA_CORNER_H
#define CR_COLLIDE_AREA_CORNER_H

#include "geometry/shape.h"

// In canonical axes of the box that has the corner.
typedef struct crBoxCorner {
  bool isApart;  // the boxes are, and nothing else holds
  bool isIn;     // the corner that is deepest is in the other box: whether it is found or not, no edges cross
  bool isOfB;    // that box is B
  bool isSolid;  // the other one is a box, whose surface counts as well; else a half-space
  crVec3 at;     // [m] the corner; of an edge below the deeper one
  crVec3 n;      // outward of the plane; 0 along an edge below at most
  double depth;  // [m] of the corner below the plane
  int edge;      // axis of the edge that is below with all of its length; -1: none is
  double length; // [m] of that
} crBoxCorner;

// false: there is none, or other planes are near. X: poses of the canonical frames S.
bool crFindBoxCorner(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crBoxCorner* out);

#endif
