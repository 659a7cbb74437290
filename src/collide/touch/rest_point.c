#include "collide/touch/rest_point.h"

#include <float.h>
#include <string.h>

#define CR_BOX_CORNERS 8
#define CR_BOX_EDGES 12
#define CR_BEAM_CORNERS 8
#define CR_BEAM_FLAT_EDGES 4
#define CR_RIM_BOTH (2 * CR_RIM_POINTS) // moving and fixed
#define CR_FIXED_TILT 2.0               // [-] a / depth beyond 1 / this, the fixed points of a rim have no weight
#define CR_LEAST_WEIGHT 1e-3            // [-] of one of the two sets, below which it joins the other one

// ------------------------------------------------------------------------------------------- counts

static bool isTip(double radius)
{
  return !(radius > 0.0);
}

static double topRadiusOf(const crShape* shape)
{
  return shape->kind == cr_shapeCone ? shape->core.topRadius : shape->core.radius;
}

// How many of the two ends of a cylinder or cone are tips.
static int countTips(const crShape* shape)
{
  return shape->kind == cr_shapeCone ? isTip(shape->core.radius) + isTip(shape->core.topRadius) : 0;
}

int crCountRims(const crShape* shape)
{
  switch (shape->kind) {
    case cr_shapeCylinder:
    case cr_shapeCone: return 2 - countTips(shape);
    case cr_shapeBeam: return CR_MAX_RIMS;
    default: return 0;
  }
}

static bool isSmallHull(const crShape* shape)
{
  return shape->core.hull->vertexCount <= CR_MAX_REST_VERTICES;
}

int crCountRestPoints(const crShape* shape)
{
  switch (shape->kind) {
    case cr_shapeSphere: return 1;
    case cr_shapeCapsule: return 2;
    case cr_shapeBox: return CR_BOX_CORNERS;
    case cr_shapeHull: return isSmallHull(shape) ? shape->core.hull->vertexCount : 0;
    case cr_shapeCylinder:
    case cr_shapeCone: return CR_RIM_BOTH * crCountRims(shape) + countTips(shape);
    case cr_shapeBeam: return CR_BEAM_CORNERS + CR_RIM_BOTH * CR_MAX_RIMS;
    default: return 0;
  }
}

int crCountRestEdges(const crShape* shape)
{
  switch (shape->kind) {
    case cr_shapeBox: return CR_BOX_EDGES;
    case cr_shapeCapsule:
    case cr_shapeCylinder:
    case cr_shapeCone: return 1;
    case cr_shapeBeam: return CR_BEAM_FLAT_EDGES + 2;
    case cr_shapeHull: return isSmallHull(shape) ? shape->core.hull->neighbourCount / 2 : 0;
    default: return 0;
  }
}

// ------------------------------------------------------------------------------------------- points

// Unit vector along (d.x, d.y), or +x.
static crVec3 directionAcross(crVec3 d)
{
  double square = d.x * d.x + d.y * d.y;
  if (!(square > DBL_MIN)) {
    return crMakeVec3(1.0, 0.0, 0.0);
  }
  double inverse = 1.0 / sqrt(square);
  return crMakeVec3(d.x * inverse, d.y * inverse, 0.0);
}

static void placeSet(const crRim* rim, crVec3 u, crVec3* out)
{
  crVec3 c = rim->centre;
  double x = rim->radius * u.x, y = rim->radius * u.y;
  out[0] = crMakeVec3(c.x + x, c.y + y, c.z);
  out[1] = crMakeVec3(c.x - y, c.y + x, c.z);
  out[2] = crMakeVec3(c.x - x, c.y - y, c.z);
  out[3] = crMakeVec3(c.x + y, c.y - x, c.z);
}

static void placeRims(const crShape* shape, crVec3 toOther, crVec3* out)
{
  crRim rims[CR_MAX_RIMS];
  int count = crCountRims(shape);
  crVec3 u = directionAcross(toOther);
  crListRims(shape, rims);
  for (int i = 0; i < count; ++i) {
    placeSet(&rims[i], u, out + rims[i].first);
    placeSet(&rims[i], crMakeVec3(1.0, 0.0, 0.0), out + rims[i].first + CR_RIM_POINTS);
  }
}

static void placeCorners(crVec3 half, crVec3* out)
{
  for (int i = 0; i < CR_BOX_CORNERS; ++i) {
    out[i] = crMakeVec3(i & 1 ? -half.x : half.x, i & 2 ? -half.y : half.y, i & 4 ? -half.z : half.z);
  }
}

// Tips come after the rims.
static void placeRevolved(const crShape* shape, crVec3 toOther, crVec3* out)
{
  const crCore* core = &shape->core;
  int tip = CR_RIM_BOTH * crCountRims(shape);
  placeRims(shape, toOther, out);
  if (isTip(core->radius)) {
    out[tip] = crMakeVec3(0.0, 0.0, core->zMin);
  } else if (isTip(topRadiusOf(shape))) {
    out[tip] = crMakeVec3(0.0, 0.0, core->zMax);
  }
}

static void placeVertices(const crHull* hull, crVec3* out)
{
  for (int i = 0; i < hull->vertexCount; ++i) {
    out[i] = hull->vertices[i];
  }
}

void crPlaceRestPoints(const crShape* shape, crVec3 toOther, crVec3* outPoints)
{
  const crCore* core = &shape->core;
  switch (shape->kind) {
    case cr_shapeBox: placeCorners(core->half, outPoints); return;
    case cr_shapeCapsule:
      outPoints[0] = crMakeVec3(0.0, 0.0, core->zMax);
      outPoints[1] = crMakeVec3(0.0, 0.0, core->zMin);
      return;
    case cr_shapeCylinder:
    case cr_shapeCone: placeRevolved(shape, toOther, outPoints); return;
    case cr_shapeBeam:
      placeCorners(core->half, outPoints);
      placeRims(shape, toOther, outPoints);
      return;
    case cr_shapeHull: placeVertices(core->hull, outPoints); return;
    default: outPoints[0] = crMakeVec3(0.0, 0.0, 0.0); return;
  }
}

// ------------------------------------------------------------------------------------------ weights

static double deepestOf(const crTouch* touches, int count, double deepest)
{
  for (int i = 0; i < count; ++i) {
    deepest = -touches[i].distance > deepest ? -touches[i].distance : deepest;
  }
  return deepest;
}

// Moves a touch to another one, all the way for a share of 1.
static void lendTouch(crTouch* touch, const crTouch* other, double share)
{
  if (share >= 1.0) {
    *touch = *other;
  } else if (share > 0.0) {
    touch->distance += share * (other->distance - touch->distance);
    touch->normal = crNormalize(crMulAdd(touch->normal, share, crSub(other->normal, touch->normal)));
    touch->point = crMulAdd(touch->point, share, crSub(other->point, touch->point));
  }
}

// Returns the depth that the rim carries [m].
static double weighRim(const crRim* rim, double sineOfTilt, double depth, crTouch* touches)
{
  crTouch *moving = touches + rim->first, *fixed = moving + CR_RIM_POINTS;
  double share = depth > 0.0 ? crFade(CR_FIXED_TILT * rim->radius * sineOfTilt / depth) : 0.0;
  double deepest = (1.0 - share) * deepestOf(moving, CR_RIM_POINTS, 0.0) + share * deepestOf(fixed, CR_RIM_POINTS, 0.0);
  double toMoving = crFade((1.0 - share) / CR_LEAST_WEIGHT), toFixed = crFade(share / CR_LEAST_WEIGHT);
  for (int i = 0; i < CR_RIM_POINTS; ++i) {
    lendTouch(&moving[i], &fixed[i], toMoving);
    lendTouch(&fixed[i], &moving[i], toFixed);
    moving[i].weight = 1.0 - share;
    fixed[i].weight = share;
  }
  return deepest;
}

double crWeighRestPoints(const crShape* shape, crVec3 toOther, double depth, crTouch* touches)
{
  int rimCount = crCountRims(shape), count = crCountRestPoints(shape);
  if (rimCount == 0) {
    return deepestOf(touches, count, 0.0);
  }
  crRim rims[CR_MAX_RIMS] = { { .first = 0 } };
  double sineOfTilt = sqrt(toOther.x * toOther.x + toOther.y * toOther.y), deepest = 0.0;
  crListRims(shape, rims);
  for (int i = 0; i < rimCount; ++i) {
    double carried = weighRim(&rims[i], sineOfTilt, depth, touches);
    deepest = carried > deepest ? carried : deepest;
  }
  int end = rims[0].first + CR_RIM_BOTH * rimCount;
  deepest = deepestOf(touches, rims[0].first, deepest);
  return deepestOf(touches + end, count - end, deepest);
}

// --------------------------------------------------------------------------------- edges and rims

// Corners i and i + 1, 2 or 4: along x, y and z.
static const crRestEdge boxEdges[CR_BOX_EDGES] = { { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 }, { 0, 2 }, { 1, 3 },
                                                   { 4, 6 }, { 5, 7 }, { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 } };

static void listHullEdges(const crHull* hull, crRestEdge* out)
{
  for (int v = 0; v < hull->vertexCount; ++v) {
    for (int k = hull->neighbourStarts[v]; k < hull->neighbourStarts[v + 1]; ++k) {
      if (hull->neighbours[k] > v) {
        *out++ = (crRestEdge){ v, hull->neighbours[k] };
      }
    }
  }
}

// Along x on the flat sides, and along z at the points nearest to the other shape: rims 0, 1 are the +x end's.
static void listBeamEdges(crRestEdge* out)
{
  for (int i = 0; i < CR_BEAM_FLAT_EDGES; ++i) {
    *out++ = boxEdges[i];
  }
  for (int end = 0; end < 2; ++end) {
    int first = CR_BEAM_CORNERS + 2 * CR_RIM_BOTH * end;
    *out++ = (crRestEdge){ first, first + CR_RIM_BOTH };
  }
}

void crListRestEdges(const crShape* shape, crRestEdge* outEdges)
{
  switch (shape->kind) {
    case cr_shapeBox: memcpy(outEdges, boxEdges, sizeof boxEdges); return;
    case cr_shapeBeam: listBeamEdges(outEdges); return;
    case cr_shapeHull: listHullEdges(shape->core.hull, outEdges); return;
    case cr_shapeCapsule: outEdges[0] = (crRestEdge){ 0, 1 }; return;
    default: outEdges[0] = (crRestEdge){ 0, CR_RIM_BOTH }; return;
  }
}

void crListRims(const crShape* shape, crRim* outRims)
{
  const crCore* core = &shape->core;
  if (shape->kind == cr_shapeBeam) {
    for (int i = 0; i < CR_MAX_RIMS; ++i) {
      crVec3 centre = { i & 2 ? -core->half.x : core->half.x, 0.0, i & 1 ? -core->half.z : core->half.z };
      outRims[i] = (crRim){ centre, core->half.y, CR_BEAM_CORNERS + CR_RIM_BOTH * i };
    }
    return;
  }
  int count = 0;
  if (!isTip(core->radius)) {
    outRims[count++] = (crRim){ { 0.0, 0.0, core->zMin }, core->radius, 0 };
  }
  if (!isTip(topRadiusOf(shape))) {
    outRims[count] = (crRim){ { 0.0, 0.0, core->zMax }, topRadiusOf(shape), CR_RIM_BOTH * count };
  }
}
