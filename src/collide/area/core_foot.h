// The foot of a point on a core, and where along a line its feature changes.
//
// The signed distance D(c) of a point c from a convex core has the gradient N, the core's outward normal at the foot,
// which is continuous outside the core. Its derivative jumps where the nearest feature, a face, edge or corner,
// changes: on planes and cones that are fixed to the core. These are the breaks of an integral along a line.
#ifndef CR_COLLIDE_AREA_CORE_FOOT_H
#define CR_COLLIDE_AREA_CORE_FOOT_H

#include "geometry/shape.h"

typedef struct crCoreFoot {
  double distance; // [m] negative inside
  crVec3 outward;  // N, unit length
  int feature;     // some number of the nearest feature,
  int extent;      // of a box, hull, segment or half-space: 0 a corner, 1 an edge, 2 a face; else -1
  crVec3 along;    // the direction of an edge, unit length
  double curving;  // [m] how far from the foot's centre of curvature, at least; infinite above a flat face
} crCoreFoot;

// Whether a shape has a core that crComputeCoreFoot takes: not a ball, an ellipsoid or a mesh.
bool crHasCoreFoot(const crShape* shape);

// x in S.
crCoreFoot crComputeCoreFoot(const crShape* shape, crVec3 x);

// Where along the line x + t u, from < t < to, |u| = 1, the nearest feature changes; ascending. isInside: it may come
// into the core. Returns their number, at most CR_MAX_BREAKS; beyond that the last ones are left out.
#define CR_MAX_BREAKS 64
int crListBreaks(const crShape* shape, crVec3 x, crVec3 u, double from, double to, bool isInside, double* out);

#endif
