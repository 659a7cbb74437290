// Cylinders with sharp rims over smooth ground: how deep, where, and the patch.
//
// Below the surface h(x, y) a point is f = h - z deep along z, and d = f / sqrt(1 + |h'|^2) across it, to the first
// order of depth over radius of curvature. The patch is the round surface below the ground with d, as against a
// half-space (round.h): the force is the gradient of one energy of both poses, facets there are none, and a border of
// cells is felt as far as a third derivative of h is.
//
//   side     sections across the axis are circles; where the smallest circle that fits into the ground's cut is larger
//            than they are, f along one of them has one highest place, which Newton's method finds from anywhere: a
//            circle that touches a curve of equal depth is above all of it (ground.h). Across the sections f along a
//            line of the side bends by no more than the ground does, and is looked at four times in a cell.
//   caps     where the axis lies, f falls from the rim on upwards; else chords are looked through
//
// At the edges of the rectangle and at the base the depth fades over a short way, and with it the push upwards; its
// gradient pushes outwards, as walls do, and softer than these. So what falls over an edge keeps its energy, without
// lines in the patch where another wall is nearest.
#ifndef CR_COLLIDE_AREA_OVER_GROUND_H
#define CR_COLLIDE_AREA_OVER_GROUND_H

#include "collide/area/patch.h"

// Whether one is smooth ground, and the other one of these.
bool crIsOverGround(const crShape* a, const crShape* b);

// The first shape is the round one. X_AB: pose of the ground in axes of that.
void crAddOverGround(const crShape* a, const crShape* ground, const crPose* X_AB, crPatch* patch);

typedef struct crGroundGap {
  double distance; // [m] < 0: the depth; what is far apart by boxes around both, a bound
  crVec3 outward;  // of the ground, unit length, in the world
  crVec3 point;    // of the round shape
  crVec3 foot;     // of the ground
} crGroundGap;

// X: of the frames F.
crGroundGap crMeasureOverGround(const crShape* round, const crPose* X_WR, const crShape* ground, const crPose* X_WG);

#endif
