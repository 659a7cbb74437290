// The round surface of a swept shape, seen from what it presses on.
//
// A point of the surface of a core swept by a ball of radius r is x = c + r n, c a point of the core and n a unit
// vector of the core's normal cone there: one direction on a face, an arc on an edge, a patch of the sphere at a
// corner. With D, N and H of c from the other core (core_foot.h), the other shape is taken as the half-space below its
// plane at the foot of c,
//
//   d(c, n) = g - r (1 + N . n),   g = reach - D,   reach = sum of both sweeps
//
// which is exact on flats, continuous everywhere, smooth but where the nearest feature changes, and largest where
// n = -N: minus the distance of both shapes. On the own shape c and n are fixed, and its motion (v, w) gives
//
//   d' = -N . c' - r (H c') . n - r N . n' = -(m . x' + k . w),   m = N + r H n,   k = -r^2 n x H n
//
// so that a point has a couple, too, where the other core is not flat.
#ifndef CR_COLLIDE_AREA_BALL_SURFACE_H
#define CR_COLLIDE_AREA_BALL_SURFACE_H

#include "collide/area/core_foot.h"
#include "collide/area/patch.h"

typedef struct crBallSurface {
  double radius;        // [m] r
  double reach;         // [m]
  double weight;        // [-] of all points
  const crShape* other; // whose core presses
  crPose X_AB;          // of the other one, in own axes
  const crPose* X_PA;   // from own axes to those of the patch; NULL: they are the same
  crPatch* patch;
} crBallSurface;

// In own axes.
static inline crCoreFoot crBallSurface_FindFoot(const crBallSurface* surface, crVec3 c)
{
  const crPose* X = &surface->X_AB;
  crCoreFoot foot = crComputeCoreFoot(surface->other, crMulTV(X->R, crSub(c, X->p)));
  foot.outward = crMulMV(X->R, foot.outward);
  foot.across1 = crMulMV(X->R, foot.across1);
  return foot;
}

static inline void crBallSurface_AddPoint(const crBallSurface* surface, double weight, double depth, crVec3 c, crVec3 n,
                                          const crCoreFoot* foot)
{
  double r = surface->radius;
  crVec3 x = crMulAdd(c, r, n), m = foot->outward, k = crMakeVec3(0.0, 0.0, 0.0);
  if (foot->k1 != 0.0 || foot->k2 != 0.0) {
    crVec3 bend = crCoreFoot_Bend(foot, n);
    m = crMulAdd(m, r, bend);
    k = crScale(-r * r, crCross(n, bend));
  }
  const crPose* X = surface->X_PA;
  if (X != NULL) {
    x = crTransformPoint(*X, x);
    m = crMulMV(X->R, m);
    k = crMulMV(X->R, k);
  }
  crPatch_AddTurningPoint(surface->patch, surface->weight * weight, depth, x, m, k);
}

// The depth of the ball about c: the largest one, if n = -N is in the cone of c.
static inline void crBallSurface_SeeDepth(const crBallSurface* surface, crVec3 c, const crCoreFoot* foot)
{
  crVec3 x = crMulAdd(c, -surface->radius, foot->outward), n = foot->outward;
  const crPose* X = surface->X_PA;
  crPatch_SeeDepth(surface->patch, surface->reach - foot->distance, X != NULL ? crTransformPoint(*X, x) : x,
                   X != NULL ? crMulMV(X->R, n) : n);
}

#endif
