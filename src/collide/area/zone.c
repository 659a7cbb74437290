// All that is near is above the lowest place of the other core, and below the first face: in a slice of each core, and
// next to the other's.
#include "collide/area/zone.h"

#define CR_ZONE_SLACK 1e-10 // [-] of the radius, around what is near: see polytope.c

// ---------------------------------------------------------------------------------------------- facing

crVec3 crFindLowest(const crShape* shape, crVec3 n)
{
  const crHull* hull = shape->core.hull;
  return shape->kind == cr_shapeHull ? hull->vertices[crHull_FindSupportFast(hull, crNeg(n), 0)]
                                     : crCore_ComputeSupport(shape->kind, &shape->core, crNeg(n));
}

double crFindHeight(const crShape* shape, crVec3 n, double offset)
{
  return crDot(n, crFindLowest(shape, n)) - offset;
}

crFacing crMakeFacing(const crPolytope* core, const crShape* other, const crPolytope* otherCore, crPose X)
{
  crFacing facing = { .core = core, .other = other, .otherCore = otherCore, .X = X, .gap = -HUGE_VAL };
  crVec3 lowest = X.p;
  for (int f = 0; f < core->faceCount; ++f) {
    crVec3 n = core->normals[f];
    if (f > 0 && crDot(n, lowest) - core->offsets[f] <= facing.gap) {
      continue; // the other core is not higher than one of its places
    }
    crVec3 x = crTransformPoint(X, crFindLowest(other, crMulTV(X.R, n)));
    double height = crDot(n, x) - core->offsets[f];
    if (height > facing.gap) {
      facing.first = f;
      facing.gap = height;
      lowest = x;
    }
  }
  return facing;
}

// --------------------------------------------------------------------------------------------- extents

// Along three axes.
typedef struct Extents {
  double low[3], high[3];
} Extents;

// What of a core has sign (axes[0] . x - limit) >= 0.
typedef struct Slice {
  crVec3 axes[3]; // in axes of the core
  double limit, sign;
} Slice;

static void extend(Extents* extents, const double at[3])
{
  for (int i = 0; i < 3; ++i) {
    extents->low[i] = crMin2(extents->low[i], at[i]);
    extents->high[i] = crMax2(extents->high[i], at[i]);
  }
}

static void project(const Slice* slice, crVec3 p, double out[3])
{
  for (int i = 0; i < 3; ++i) {
    out[i] = crDot(slice->axes[i], p);
  }
}

// A corner that is in the slice, and where an edge from there leaves it.
static void extendByEdge(const Slice* slice, const double p[3], crVec3 q, Extents* extents)
{
  double dp = slice->sign * (p[0] - slice->limit), dq = slice->sign * (crDot(slice->axes[0], q) - slice->limit);
  if (dq < 0.0) {
    double at[3], share = dp / (dp - dq);
    project(slice, q, at);
    for (int i = 0; i < 3; ++i) {
      at[i] = p[i] + share * (at[i] - p[i]);
    }
    extend(extents, at);
  }
}

static Extents boundPolytope(const crPolytope* core, const Slice* slice)
{
  Extents extents = { { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
  const crHull* hull = core->hull;
  for (int v = 0; v < core->vertexCount; ++v) {
    double p[3];
    p[0] = crDot(slice->axes[0], core->vertices[v]);
    if (slice->sign * (p[0] - slice->limit) < 0.0) {
      continue;
    }
    project(slice, core->vertices[v], p);
    extend(&extents, p);
    for (int k = 0; k < 3 && hull == NULL; ++k) {
      extendByEdge(slice, p, core->vertices[v ^ (1 << k)], &extents); // of a box
    }
    for (int k = hull != NULL ? hull->neighbourStarts[v] : 0; hull != NULL && k < hull->neighbourStarts[v + 1]; ++k) {
      extendByEdge(slice, p, core->vertices[hull->neighbours[k]], &extents);
    }
  }
  return extents;
}

// How far any core gets along e in a slice: x . e <= x . (e + k a) - k limit for every k >= 0, with a = sign axes[0].
static double boundAlong(const crShape* shape, const Slice* slice, crVec3 e)
{
  static const double steep[5] = { 0.0, 1.0, 4.0, 16.0, 64.0 };
  double most = HUGE_VAL;
  for (int i = 0; i < 5; ++i) {
    double k = slice->sign * steep[i];
    most = crMin2(most, -crFindHeight(shape, crNeg(crMulAdd(e, k, slice->axes[0])), -k * slice->limit));
  }
  return most;
}

static Extents boundShape(const crShape* shape, const Slice* slice)
{
  Extents extents;
  for (int i = 0; i < 3; ++i) {
    extents.low[i] = -boundAlong(shape, slice, crNeg(slice->axes[i]));
    extents.high[i] = boundAlong(shape, slice, slice->axes[i]);
  }
  return extents;
}

// Of the other core, in axes of the polytope.
static Extents boundOther(const crFacing* facing, const Slice* slice)
{
  const crPose* X = &facing->X;
  double shift[3];
  project(slice, X->p, shift);
  Slice turned = { .limit = slice->limit - shift[0], .sign = slice->sign };
  for (int i = 0; i < 3; ++i) {
    turned.axes[i] = crMulTV(X->R, slice->axes[i]);
  }
  Extents extents =
      facing->otherCore != NULL ? boundPolytope(facing->otherCore, &turned) : boundShape(facing->other, &turned);
  for (int i = 0; i < 3; ++i) {
    extents.low[i] += shift[i];
    extents.high[i] += shift[i];
  }
  return extents;
}

// ----------------------------------------------------------------------------------------------- zones

// What of the first is next to the second.
static bool makeZone(const crVec3 axes[3], const Extents* of, const Extents* to, double wide, double slack, crZone* out)
{
  crZone zone = { .middle = { 0.0, 0.0, 0.0 }, .axes = { axes[0], axes[1], axes[2] } };
  for (int i = 0; i < 3; ++i) {
    double low = crMax2(of->low[i], to->low[i] - wide) - slack, high = crMin2(of->high[i], to->high[i] + wide) + slack;
    if (!(low < high)) {
      return false;
    }
    zone.middle = crMulAdd(zone.middle, 0.5 * (low + high), axes[i]);
    zone.half[i] = 0.5 * (high - low);
  }
  *out = zone;
  return true;
}

bool crFindZones(const crFacing* facing, double wide, crZone* outOwn, crZone* outOther)
{
  const crPolytope* core = facing->core;
  crVec3 n = core->normals[facing->first], across = crFindAcross(n);
  double slack = CR_ZONE_SLACK * (core->radius + wide), top = core->offsets[facing->first];
  Slice slice = { .axes = { n, across, crCross(n, across) }, .limit = top + facing->gap - wide, .sign = 1.0 };
  Extents own = boundPolytope(core, &slice);
  slice.limit = top + wide;
  slice.sign = -1.0;
  Extents other = boundOther(facing, &slice);
  return (outOwn == NULL || makeZone(slice.axes, &own, &other, wide, slack, outOwn)) &&
         (outOther == NULL || makeZone(slice.axes, &other, &own, wide, slack, outOther));
}

crZone crPlaceZone(const crZone* zone, const crPose* X)
{
  crZone placed = *zone;
  placed.middle = crTransformPoint(*X, zone->middle);
  for (int i = 0; i < 3; ++i) {
    placed.axes[i] = crMulMV(X->R, zone->axes[i]);
  }
  return placed;
}

bool crZone_ClipLine(const crZone* zone, crVec3* ioP, crVec3* ioQ)
{
  crVec3 way = crSub(*ioQ, *ioP), start = crSub(*ioP, zone->middle);
  double from = 0.0, to = 1.0;
  for (int i = 0; i < 3; ++i) {
    double p = crDot(start, zone->axes[i]), d = crDot(way, zone->axes[i]), half = zone->half[i];
    if (d == 0.0) {
      to = fabs(p) <= half ? to : -1.0;
      continue;
    }
    double a = (-half - p) / d, b = (half - p) / d;
    from = crMax2(from, crMin2(a, b));
    to = crMin2(to, crMax2(a, b));
  }
  if (!(from < to)) {
    return false;
  }
  if (to < 1.0) {
    *ioQ = crMulAdd(*ioP, to, way);
  }
  if (from > 0.0) {
    *ioP = crMulAdd(*ioP, from, way);
  }
  return true;
}
