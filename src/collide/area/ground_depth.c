#include "collide/area/ground_depth.h"

#include <math.h>

double crLookBelow(const crGround* ground, crVec3 p, crVec3* outSlope)
{
  double h = crGround_SlopeAt(ground, p.x, p.y, &outSlope->x, &outSlope->y);
  outSlope->z = -1.0;
  return h - p.z;
}

double crFindDepth(const crGround* ground, crVec3 p, crVec3* outNormal)
{
  crGroundPoint at = crGround_At(ground, p.x, p.y);
  double f = at.h - p.z, c = 1.0 / sqrt(1.0 + at.hx * at.hx + at.hy * at.hy), k = f * c * c * c;
  *outNormal = crMakeVec3(k * (at.hxx * at.hx + at.hxy * at.hy) - c * at.hx,
                          k * (at.hxy * at.hx + at.hyy * at.hy) - c * at.hy, c);
  return f * c;
}
