// The foot of a point on a core, with what the distance is like around the point.
//
// D(c) is the signed distance of c from a convex core, N its gradient: the core's outward normal at the foot. N is
// continuous outside the core. Its derivative H, the second one of D, has the two principal curvatures k1 and k2 across
// N: over a face none, over an edge 1 / D across it, over a corner 1 / D all round. They jump where the nearest
// feature changes, on planes and cones that are fixed to the core; these are the breaks of an integral along a line.
#ifndef CR_COLLIDE_AREA_CORE_FOOT_H
#define CR_COLLIDE_AREA_CORE_FOOT_H

#include "geometry/shape.h"

typedef struct crCoreFoot {
  double distance; // [m] negative inside
  crVec3 outward;  // N, unit length
  double k1, k2;   // [1/m] along across1, and along outward x across1
  crVec3 across1;  // unit length where k1 or k2 is not 0
  int feature;     // some number of the nearest feature
} crCoreFoot;

// Whether a shape has a core that crComputeCoreFoot takes: not a ball, an ellipsoid or a mesh.
bool crHasCoreFoot(const crShape* shape);

// x in S.
crCoreFoot crComputeCoreFoot(const crShape* shape, crVec3 x);

// Where along the line x + t u, from < t < to, |u| = 1, the nearest feature changes; ascending. Returns their number,
// at most CR_MAX_BREAKS; beyond that the last ones are left out.
#define CR_MAX_BREAKS 64
int crListBreaks(const crShape* shape, crVec3 x, crVec3 u, double from, double to, double* out);

// H v
static inline crVec3 crCoreFoot_Bend(const crCoreFoot* foot, crVec3 v)
{
  crVec3 across2 = crCross(foot->outward, foot->across1);
  return crMulAdd(crScale(foot->k1 * crDot(foot->across1, v), foot->across1), foot->k2 * crDot(across2, v), across2);
}

#endif
