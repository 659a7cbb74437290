// What faces, edges and corners of a core add to a patch: sheets, ribs and knobs, all of it from the depth of balls.
//
// A ball of radius r about a point c of the core of a swept shape is g(c) = reach - D(c) deep, with `reach` the sum of
// both sweeps and D the distance of c from the other core. Across an edge the surface falls off like a parabola,
// d = g - y^2 / 2 r, and around a corner like a paraboloid. So
//
//   I_m = integral of g^m dS over faces  +  of sqrt(2 r) b_m g^(m + 1/2) dt along edges
//       + 2 pi r / (m + 1) g^(m + 1) at corners
//
// which is a smooth function of distances alone: N, the gradient of D, is continuous, whatever D is measured from. All
// of a parabola is taken, though one side of it may lie under a face: what counts in the law are means, and a border
// that is fixed to the shape would cost one order of smoothness. For the same reason points count at c, fixed to the
// shape, with a spread in all directions that gives a patch the mean half axis of the parabola. They press where the
// ball is deepest.
#ifndef CR_COLLIDE_AREA_RIB_H
#define CR_COLLIDE_AREA_RIB_H

#include "collide/area/core_foot.h"
#include "collide/area/patch.h"

// The first of two shapes, as balls about points of its core. All in its axes.
typedef struct crBalls {
  double sweep;         // [m] of the own core
  double radius;        // [m] r of the parabola
  double reach;         // [m]
  const crShape* other; // whose core presses
  crPose X_AB;          // of the other one
  crPatch* patch;
} crBalls;

// Where a line of balls is inside.
typedef struct crLineFoot {
  crVec3 c;
  crVec3 outward; // N
  double depth;   // [m] g
  double slope;   // [-] of D along the line
  int feature;
  bool isFlat;
} crLineFoot;

// start + t along, 0 <= t <= length
typedef struct crBallLine {
  const crBalls* balls;
  crVec3 start, along; // |along| = 1
  double length;
} crBallLine;

// D is convex along a line: it has one deepest place, and is inside in one range around that.
typedef struct crRange {
  double from, to, deepest;
} crRange;

crLineFoot crBalls_FindFoot(const crBalls* balls, crVec3 c); // slope 0
crLineFoot crBallLine_FindFoot(const crBallLine* line, double t);
bool crMakeBallLine(const crBalls* balls, crVec3 p, crVec3 q, crBallLine* out); // false: it has no length
double crBallLine_FindDeepest(const crBallLine* line, crLineFoot* out);
bool crBallLine_FindRange(const crBallLine* line, crRange* out);
int crBallLine_ListBreaks(const crBallLine* line, const crRange* range,
                          double breaks[CR_MAX_BREAKS + 1]); // and range->to
void crBalls_SeeDepth(const crBalls* balls, const crLineFoot* foot);
void crBalls_AddBall(const crBalls* balls, const crLineFoot* foot, double weight); // a bit of a sheet

// The edge from p to q, and the corner p.
void crAddRib(const crBalls* balls, crVec3 p, crVec3 q);
void crAddKnob(const crBalls* balls, crVec3 p);

#endif
