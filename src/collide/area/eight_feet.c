// Feet of eight points side by side: all cases for each of them, and what is right picked lane by lane.
#include "collide/area/core_foot.h"

#define CR_NEAREST 1e-150 // [m] a shorter vector has no direction

static inline crWide pick(crWideMask is, crWide a, crWide b)
{
  return (crWide)(((crWideMask)a & is) | ((crWideMask)b & ~is));
}

static inline bool haveAll(crWideMask is)
{
  long long all = is[0];
  for (int k = 1; k < CR_WIDE_LANES; ++k) {
    all &= is[k];
  }
  return all != 0;
}

static inline crWide beyondEight(crWide x, double half)
{
  crWide zero = { 0.0 };
  return crGreater(x - half, zero) + crLesser(x + half, zero);
}

// v: from the feet, none of which is 0.
static bool makeEightTips(const crWide v[3], crEightFeet* out)
{
  crWide square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  if (!haveAll(square > CR_NEAREST * CR_NEAREST)) {
    return false;
  }
  out->distance = crRoots(square);
  for (int k = 0; k < 3; ++k) {
    out->outward[k] = v[k] / out->distance;
  }
  return true;
}

static bool findEightOnBox(crVec3 half, const crWide x[3], crEightFeet* out)
{
  crWide v[3] = { beyondEight(x[0], half.x), beyondEight(x[1], half.y), beyondEight(x[2], half.z) };
  return makeEightTips(v, out);
}

static bool findEightOnHull(const crWide x[3], const crFootHold* hold, crEightFeet* out)
{
  if (hold == NULL || hold->hull == NULL || hold->sideCount <= 0 || hold->sideCount > CR_HOLD_SIDES) {
    return false;
  }
  crWideMask areHeld = x[0] == x[0];
  for (int i = 0; i < hold->sideCount; ++i) {
    crVec3 n = hold->sides[i].normal;
    areHeld &= n.x * x[0] + n.y * x[1] + n.z * x[2] <= hold->sides[i].offset;
  }
  if (!haveAll(areHeld)) {
    return false;
  }
  const crHull* hull = hold->hull;
  const crHullNearest* at = &hold->at;
  if (at->from < 0) {
    crVec3 n = hull->normals[at->face];
    crWide zero = { 0.0 };
    out->distance = n.x * x[0] + n.y * x[1] + n.z * x[2] - hull->offsets[at->face];
    out->outward[0] = zero + n.x;
    out->outward[1] = zero + n.y;
    out->outward[2] = zero + n.z;
    return true;
  }
  crVec3 p = hull->vertices[at->from];
  crWide v[3] = { x[0] - p.x, x[1] - p.y, x[2] - p.z };
  if (at->from != at->to) {
    crVec3 e = crSub(hull->vertices[at->to], p);
    crWide s = (v[0] * e.x + v[1] * e.y + v[2] * e.z) / crLengthSquared(e);
    v[0] -= s * e.x;
    v[1] -= s * e.y;
    v[2] -= s * e.z;
  }
  return makeEightTips(v, out);
}

// As findMeridian, with all its cases for each.
static void findEightMeridians(const crMeridian* m, crWide rho, crWide z, crWide* outDistance, crWide* outRadial,
                               crWide* outAxial)
{
  crWide below = m->zMin - z, above = z - m->zMax, zero = { 0.0 };
  double slant = m->topRadius - m->radius, height = m->zMax - m->zMin, radial = 1.0, axial = 0.0;
  if (slant != 0.0) {
    double side = 1.0 / sqrt(slant * slant + height * height);
    radial = height * side;
    axial = -slant * side;
  }
  crWide beside = (rho - m->radius) * radial - below * axial, highest = crGreater(above, below);
  crWideMask isInside = (highest <= 0.0) & (beside <= 0.0), isInCap = isInside & (beside < highest);
  crWideMask isBottom = (~isInside & (below > 0.0) & (rho <= m->radius)) | (isInCap & (above < below));
  crWideMask isTop = ~isBottom & ((~isInside & (above > 0.0) & (rho <= m->topRadius)) | isInCap);
  crWideMask isOther = ~(isInside | isBottom | isTop);
  crWideMask isFirst = isOther & ~((rho - m->radius) * slant - below * height > 0.0);
  crWideMask isLast = isOther & ~isFirst & ~((m->topRadius - rho) * slant - above * height > 0.0);
  crWide out = rho - pick(isFirst, zero + m->radius, zero + m->topRadius), up = pick(isFirst, -below, above);
  crWide length = crRoots(out * out + up * up);
  crWideMask isCorner = isFirst | isLast, isOn = length <= CR_NEAREST;
  *outDistance = pick(isBottom, below, pick(isTop, above, pick(isCorner, length, beside)));
  crWide tipRadial = pick(isOn, zero + 1.0, out / length), tipAxial = pick(isOn, zero, up / length);
  *outRadial = pick(isBottom | isTop, zero, pick(isCorner, tipRadial, zero + radial));
  *outAxial = pick(isBottom, zero - 1.0, pick(isTop, zero + 1.0, pick(isCorner, tipAxial, zero + axial)));
}

static void findEightOnTurned(const crShape* shape, const crWide x[3], crEightFeet* out)
{
  crMeridian m = crMakeMeridian(shape);
  crWide along = shape->kind == cr_shapeBeam ? beyondEight(x[0], shape->core.half.x) : x[0], zero = { 0.0 };
  crWide rho = crRoots(along * along + x[1] * x[1]), radial;
  findEightMeridians(&m, rho, x[2], &out->distance, &radial, &out->outward[2]);
  crWideMask isOff = rho > 0.0;
  out->outward[0] = radial * pick(isOff, along / rho, zero);
  out->outward[1] = radial * pick(isOff, x[1] / rho, zero + 1.0);
}

bool crComputeEightFeet(const crShape* shape, const crWide x[3], const crFootHold* hold, crEightFeet* out)
{
  switch (shape->kind) {
    case cr_shapeBox: return findEightOnBox(shape->core.half, x, out);
    case cr_shapeHull: return findEightOnHull(x, hold, out);
    case cr_shapeCylinder:
    case cr_shapeCone:
    case cr_shapeBeam: findEightOnTurned(shape, x, out); return true;
    default: return false;
  }
}
