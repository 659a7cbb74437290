// Cylinders with sharp rims over smooth ground: how deep, where, and the patch.
//
// The patch is the round surface below the ground, with the depth of ground_depth.h, as against a half-space (round.h):
// the force is the gradient of one energy of both poses. Facets there are none, and a border of cells is felt as far as
// a third derivative of h is: parts of the quadrature end there. Cylinders are so small that the slope of the ground
// hardly changes below them (crGround.wheel): the axis is far from the normal of the ground everywhere, or far from its
// tangent plane, or both.
//
//   rolling   far from the normal. Sections across the axis are circles; f along one of them has one highest place, as
//             the ground bends less than the circle, and Newton's method finds it from anywhere. Along a line of the
//             side f bends by no more than the ground does, and is looked at four times in a cell. On caps f falls from
//             the rim on upwards.
//   standing  far from the tangent plane. The lower rim is looked along, and its cap in boxes (over_cap.h); on the side
//             f falls from the rim on upwards.
//
// All of that is so inland, while the box of the cylinder, along the axes of the ground, is over the rectangle and
// above the base. Beside it there is a bound of the distance alone: what touches there is nobody's contact, and ends
// the run (island/deep_contact.c), since walls and edges have other laws.
#ifndef CR_COLLIDE_AREA_OVER_GROUND_H
#define CR_COLLIDE_AREA_OVER_GROUND_H

#include "collide/area/patch.h"

// Whether one is smooth ground, and the other one of these.
bool crIsOverGround(const crShape* a, const crShape* b);

// The first shape is the round one. X_AB: pose of the ground in axes of that.
void crAddOverGround(const crShape* a, const crShape* ground, const crPose* X_AB, crPatch* patch);

// [m] How far it stands out, by the box around it: over the border of the rectangle, or below the base; <= 0: inland.
// X: of the frames F.
double crFindBeyondGround(const crShape* round, const crPose* X_WR, const crShape* ground, const crPose* X_WG);

typedef struct crGroundGap {
  double distance; // [m] < 0: the depth; above the surface, and where it is not inland, a bound from below
  crVec3 outward;  // of the ground, unit length, in the world
  crVec3 point;    // of the round shape
  crVec3 foot;     // of the ground
} crGroundGap;

crGroundGap crMeasureOverGround(const crShape* round, const crPose* X_WR, const crShape* ground, const crPose* X_WG);

#endif
