// Lines of balls along an edge or rim of a core, and how deep they are: what ribs (rib.c) and rims (rim.c) are made of.
#ifndef CR_COLLIDE_AREA_BALL_LINE_H
#define CR_COLLIDE_AREA_BALL_LINE_H

#include "collide/area/rib.h"

#define CR_ROOT_NEAR 1e-6 // [-] of the depth: what is cut off by a wrong end goes with its 5/2th power, or less
#define CR_LEVEL 1e-7 // [-] a slope: the depth is less than that of the deepest place by half its square times a radius

// Where a ball is inside.
typedef struct crBallFoot {
  crVec3 c;
  crVec3 spot;    // where it counts
  crVec3 outward; // N
  double depth;   // [m] g
  double slope;   // [-] of D along the line
  double curving; // [m] see core_foot.h
  int feature, extent;
} crBallFoot;

// A part of a line above one feature: above a face D is linear, and above an edge or corner the vector D N is. So no
// feet need be looked for.
typedef struct crStretch {
  bool isFlat;
  double from, length;
  crVec3 outward;         // of a flat one, and its
  double distance, slope; // at `from`
  crVec3 start, way;      // of one that is not: D N at `from`, and how it changes up to the end
} crStretch;

// start + t along, 0 <= t <= length; or on a rim
typedef struct crBallLine {
  const crBalls* balls;
  crVec3 start, along; // |along| = 1
  crVec3 origin, e, f; // in axes of the other core: start and along, or a rim's centre, e1 and e2
  double length;
  crVec3 lift;
  const crRim* rim;         // NULL: it is straight
  const crBallFoot* ground; // of a rim above a half-space: that of its centre; NULL: feet are looked for
  const crStretch* stretch; // that t is in; NULL: feet are looked for
} crBallLine;

// All that a place is asked for while it is looked for.
typedef struct crBallDepth {
  double depth, slope; // as of a crBallFoot
} crBallDepth;

crBallDepth crBallLine_FindDepth(const crBallLine* line, double t);

crBallFoot crBalls_FindFoot(const crBalls* balls, crVec3 c); // slope 0
crBallFoot crBallLine_FindFoot(const crBallLine* line, double t);

// A zero of the slope, or of the depth, between a and b, where it is fa and fb of different signs, or nearly one.
double crBallLine_FindRoot(const crBallLine* line, bool ofSlope, double a, double fa, double b, double fb, double near);

// Tells the patch how deep a ball is.
void crBalls_SeeDepth(const crBalls* balls, const crBallFoot* foot);

// Adds the part from `low` to `high`, along which the depth rises; in either direction of t.
void crBallLine_AddPart(const crBallLine* line, double low, double high);

#endif
