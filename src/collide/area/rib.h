// What edges and corners of cores add to a patch: ribs and knobs.
//
// A ball of radius r about a point c of the core of a swept shape is g(c) = reach - D(c) deep, with `reach` the sum of
// both sweeps and D the distance of c from the other core. Across an edge the surface falls off like a parabola,
// d = g - y^2 / 2 r, and around a corner like a paraboloid. So
//
//   I_m = integral of sqrt(2 r) b_m g^(m + 1/2) dt along edges  +  2 pi r / (m + 1) g^(m + 1) at corners
//
// which is a smooth function of distances alone: N, the gradient of D, is continuous, whatever D is measured from. All
// of a parabola is taken, though one side of it may lie under a face: what counts in the law are means, and a border
// that is fixed to the shape would cost one order of smoothness. For the same reason points count at c, fixed to the
// shape, with a spread in all directions that gives a patch the mean half axis of the parabola. They press where the
// ball is deepest.
//
// Edges and corners of the other core do the same the other way round.
#ifndef CR_COLLIDE_AREA_RIB_H
#define CR_COLLIDE_AREA_RIB_H

#include "collide/area/core_foot.h"
#include "collide/area/zone.h"

// A plane that the other core is behind, D(c) >= normal . c - offset.
typedef struct crFence {
  crVec3 normal;
  double offset; // [m]
} crFence;

// The plane below the deepest ball so far, at its foot: behind it is the other core, and balls that are `reach` above
// it or more are not inside.
typedef struct crDeepest {
  double depth; // [m] 0: none was inside yet, outside of the other core
  crFence plane;
} crDeepest;

// The first of two shapes, as balls about points of its core. All in its axes.
typedef struct crBalls {
  double sweep;         // [m] of the own core
  double radius;        // [m] r of the parabola
  double reach;         // [m]
  const crShape* other; // whose core presses
  crPose X_AB;          // of the other one
  crPatch* patch;
  bool hasFence, hasZone;
  crFence fence;
  crZone zone;            // where points of the own core can be within reach of the other
  const crFacing* facing; // of a polytope; NULL: of something else
  crFootHold* hold;       // of all feet of the patch
  crDeepest* deepest;     // of all of them
} crBalls;

// One bit for each side of what is near that a point of the core is beyond; 0: it may be within reach.
uint8_t crBalls_FindSides(const crBalls* balls, crVec3 p);

// The edge from p to q, and the corner p.
void crAddRib(const crBalls* balls, crVec3 p, crVec3 q);
void crAddKnob(const crBalls* balls, crVec3 p);

// A part of a circle of the core, a rim, from the direction e1 on towards e2. What counts is lifted out of the core.
typedef struct crRim {
  crVec3 centre, e1, e2; // e1, e2: unit vectors
  double radius;         // [m]
  double angle;          // [rad] 2 pi, or less
  double outward, along; // [m] of the lift: away from the centre, and along e1 x e2
} crRim;

void crAddRim(const crBalls* balls, const crRim* rim);
void crAddLiftedRib(const crBalls* balls, crVec3 p, crVec3 q, crVec3 lift);
void crAddLiftedKnob(const crBalls* balls, crVec3 p, crVec3 lift);

#endif
