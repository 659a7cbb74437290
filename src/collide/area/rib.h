// Ribs and knobs: what edges and corners of a core add to a patch, all of it from the depth of balls along them.
//
// A ball of radius r about a point c of the core of a swept shape is g(c) = reach - D(c) deep, with `reach` the sum of
// both sweeps and D the distance of c from the other core. Across an edge the surface falls off like a parabola,
// d = g - y^2 / 2 r, and around a corner like a paraboloid. So
//
//   I_m = integral of sqrt(2 r) b_m g^(m + 1/2) dt along an edge  +  2 pi r / (m + 1) g^(m + 1) at a corner
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

// One of two shapes, as seen from the points of its core.
typedef struct crBalls {
  double sweep;         // [m] of the own core
  double radius;        // [m] r of the parabola
  double reach;         // [m]
  double weight;        // [-] of all points
  const crShape* other; // whose core presses
  crPose X_AB;          // of the other one, in own axes
  const crPose* X_PA;   // from own axes to those of the patch; NULL: they are the same
  crPatch* patch;
} crBalls;

// The edge from p to q, and the corner p, in own axes. crPatch_TakeSpots has been called.
void crAddRib(const crBalls* balls, crVec3 p, crVec3 q);
void crAddKnob(const crBalls* balls, crVec3 p);

#endif
