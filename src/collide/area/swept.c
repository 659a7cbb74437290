#include "collide/area/swept.h"

#include "collide/area/cap.h"
#include "collide/area/polygon.h"
#include "collide/area/strip.h"

bool crIsSwept(const crShape* shape)
{
  return shape->kind == cr_shapeCapsule;
}

// Two capsules curve away from each other: the ball is as wide as their contact.
static double findRadius(const crShape* a, const crShape* b)
{
  return b->kind == cr_shapeCapsule ? a->sweep * b->sweep / (a->sweep + b->sweep) : a->sweep;
}

void crAddSwept(const crShape* a, const crShape* b, const crPose* X_AB, crPatch* patch)
{
  crBallSurface surface = {
    .radius = findRadius(a, b), .reach = a->sweep + b->sweep, .weight = 1.0, .other = b, .X_AB = *X_AB, .patch = patch
  };
  double half = a->core.zMax;
  crVec3 axis = crMakeVec3(0.0, 0.0, 1.0), start = crScale(-half, axis), end = crScale(half, axis);
  crStrip strip = { start, axis, 2.0 * half, crMakeVec3(1.0, 0.0, 0.0), M_PI };
  patch->share = 1.0;
  patch->lift = a->sweep - surface.radius;
  crPatch_TakeTurning(patch, false);
  crAddStrip(&surface, &strip);
  crAddHalfBall(&surface, start, crNeg(axis));
  crAddHalfBall(&surface, end, axis);
}
