#include "collide/area/swept.h"

#include "collide/area/polygon.h"
#include "collide/area/rib.h"

bool crIsSwept(const crShape* shape)
{
  return shape->kind == cr_shapeCapsule;
}

// Two capsules curve away from each other; other shapes are flat somewhere, and taken as such.
static double findRadius(const crShape* a, const crShape* b)
{
  return b->kind == cr_shapeCapsule ? a->sweep * b->sweep / (a->sweep + b->sweep) : a->sweep;
}

void crAddSwept(const crShape* a, const crShape* b, const crPose* X_AB, crPatch* patch)
{
  crBalls balls = { .sweep = a->sweep,
                    .radius = findRadius(a, b),
                    .reach = a->sweep + b->sweep,
                    .weight = 1.0,
                    .other = b,
                    .X_AB = *X_AB,
                    .patch = patch };
  crVec3 p = crMakeVec3(0.0, 0.0, a->core.zMin), q = crMakeVec3(0.0, 0.0, a->core.zMax);
  patch->share = 1.0;
  crPatch_TakeSpots(patch, false);
  crAddRib(&balls, p, q);
  crAddKnob(&balls, p);
  crAddKnob(&balls, q);
}
