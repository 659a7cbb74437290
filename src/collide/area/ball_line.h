// Lines of balls along an edge or rim of a core, and how deep they are: what ribs (rib.c) and rims (rim.c) are made of.
#ifndef CR_COLLIDE_AREA_BALL_LINE_H
#define CR_COLLIDE_AREA_BALL_LINE_H

#include "collide/area/rib.h"

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

// A place of a line.
typedef struct crBallPlace {
  double t; // [m]
  crBallDepth at;
} crBallPlace;

crBallFoot crBalls_FindFoot(const crBalls* balls, crVec3 c); // slope 0
crBallFoot crBallLine_FindFoot(const crBallLine* line, double t);

// Where the depth is 0 between two places, of which the lower one is not inside; and where its slope is, between places
// with slopes of different signs.
double crBallLine_FindEnd(const crBallLine* line, const crBallPlace* low, const crBallPlace* high);
double crBallLine_FindExtreme(const crBallLine* line, const crBallPlace* a, const crBallPlace* b);

// Tells the patch how deep a ball is.
void crBalls_SeeDepth(const crBalls* balls, const crBallFoot* foot);

// Adds the part from `low` to `high`, along which the depth rises; in either direction of t.
void crBallLine_AddPart(const crBallLine* line, double low, double high);

#endif
