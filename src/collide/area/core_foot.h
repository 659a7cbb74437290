// The foot of a point on a core.
//
// The signed distance D(c) of a point c from a convex core has the gradient N, the core's outward normal at the foot,
// which is continuous outside the core. Its derivative jumps where the nearest feature, a face, edge or corner,
// changes: on planes and cones that are fixed to the core (core_breaks.h).
#ifndef CR_COLLIDE_AREA_CORE_FOOT_H
#define CR_COLLIDE_AREA_CORE_FOOT_H

#include "collide/area/wide.h"
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

// Of a cylinder, cone or beam, in the half-plane of radius rho and height z: the trapezium (0, zMin), (radius, zMin),
// (topRadius, zMax), (0, zMax).
typedef struct crMeridian {
  double radius, topRadius, zMin, zMax;
} crMeridian;

crMeridian crMakeMeridian(const crShape* shape);

// What of a hull is nearest to a point.
typedef struct crHullNearest {
  double square; // [m^2]
  crVec3 v;      // from the nearest point to x
  int face;      // one that it is on, and
  int from, to;  // its corners, both for an edge, one for a corner; -1 for the face
} crHullNearest;

#define CR_HOLD_SIDES 16 // of a region at most: larger ones are not held

// What the last points of a series were nearest to, and the region of all points that are nearest to that, too. It is
// tried first for the next one: of series along an edge or a rim seldom another feature has to be looked for.
typedef struct crFootHold {
  const crHull* hull; // NULL: nothing is held
  crHullNearest at;
  crCoreFoot foot; // of the last point
  int sideCount;   // of the region; -1: not known, since it was found once alone
  struct {
    crVec3 normal; // of any length
    double offset; // normal . x <= offset
  } sides[CR_HOLD_SIDES];
} crFootHold;

// As crComputeCoreFoot, but for rounding errors; hold: made of this series alone, hull = NULL at first.
crCoreFoot crComputeNextFoot(const crShape* shape, crVec3 x, crFootHold* hold);

// Of eight points side by side. Of a box they are outside, of a hull in the region that is held.
typedef struct crEightFeet {
  crWide distance, outward[3];
} crEightFeet;

// As crComputeNextFoot. False: they have to be taken one by one.
bool crComputeEightFeet(const crShape* shape, const crWide x[3], const crFootHold* hold, crEightFeet* out);

// The nearest point of a hull to x outside; false inside, with the nearest face and minus its depth.
bool crFindNearestOnHull(const crHull* hull, crVec3 x, crHullNearest* best, double* outHeight);
int crNumberHullFeature(const crHull* hull, const crHullNearest* nearest);

#endif
