// Boxes with sharp edges in each other: as polytope.h, with what the axes of a box save.
#ifndef CR_COLLIDE_AREA_BOXES_H
#define CR_COLLIDE_AREA_BOXES_H

#include "collide/area/polygon.h"

// [-] of the radius, around a box where an overlap can be: far above rounding, since a plane that is left out where the
// overlap is next to nothing leaves a patch without an end
#define CR_BOX_SLACK 1e-10
#define CR_ON_FACE 1e-12 // [-] of the radius: what is outside by less is on a face

// Of a box: along each axis as far as n x <= offset lets the corners that are deepest along the others.
static inline void crBoundAlong(double n, double half, double rest, double offset, double* outMin, double* outMax)
{
  double reach = offset + rest;
  *outMin = n < 0.0 && reach < n * -half ? reach / n : -half;
  *outMax = n > 0.0 && reach < n * half ? reach / n : half;
}

// The box around the piece of a box below a plane in its axes, which has some.
static inline crAabb crBoundBoxPiece(crVec3 h, const crAreaPlane* plane)
{
  crVec3 n = plane->normal, m = crMakeVec3(fabs(n.x) * h.x, fabs(n.y) * h.y, fabs(n.z) * h.z);
  crAabb box;
  crBoundAlong(n.x, h.x, m.y + m.z, plane->offset, &box.min.x, &box.max.x);
  crBoundAlong(n.y, h.y, m.x + m.z, plane->offset, &box.min.y, &box.max.y);
  crBoundAlong(n.z, h.z, m.x + m.y, plane->offset, &box.min.z, &box.max.z);
  return box;
}

// A box in axes of A that holds a box in axes of B.
static inline crAabb crTurnBox(const crAabb* box, const crPose* X_AB)
{
  crVec3 middle = crTransformPoint(*X_AB, crScale(0.5, crAdd(box->min, box->max)));
  crVec3 h = crScale(0.5, crSub(box->max, box->min));
  crMat3 R = X_AB->R;
  crVec3 half = crMakeVec3(fabs(R.cx.x) * h.x + fabs(R.cy.x) * h.y + fabs(R.cz.x) * h.z,
                           fabs(R.cx.y) * h.x + fabs(R.cy.y) * h.y + fabs(R.cz.y) * h.z,
                           fabs(R.cx.z) * h.x + fabs(R.cy.z) * h.y + fabs(R.cz.z) * h.z);
  return (crAabb){ crSub(middle, half), crAdd(middle, half) };
}

static inline crAabb crMeetBoxes(const crAabb* a, const crAabb* b)
{
  crAabb box = { { crMax2(a->min.x, b->min.x), crMax2(a->min.y, b->min.y), crMax2(a->min.z, b->min.z) },
                 { crMin2(a->max.x, b->max.x), crMin2(a->max.y, b->max.y), crMin2(a->max.z, b->max.z) } };
  return box;
}

// Adds a face of a box inside others; radius: [m] half of its diagonal. Faces have the normals x, -x, y, -y, z, -z in
// turn. Others as of crAddFaces.
void crAddBoxFace(crVec3 half, double radius, int face, int planeCount, const crAreaPlane* planes,
                  const crVec3* normals, const crPose* X_PA, crPatch* patch);

// Both surfaces of two boxes, of which half the edges are given. Nothing is added where they are apart.
void crAddBoxes(crVec3 halfA, crVec3 halfB, const crPose* X_AB, crPatch* patch);

// That of a box inside a half-space, z <= offset in axes of B.
void crAddBoxOnGround(crVec3 half, double offset, const crPose* X_AB, crPatch* patch);

#endif
