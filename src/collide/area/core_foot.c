#include "collide/area/core_foot.h"

#include "collide/area/polygon.h"

#define CR_NEAREST 1e-150 // [m] a shorter vector has no direction

static inline double beyond(double x, double half)
{
  return x > half ? x - half : x < -half ? x + half : 0.0;
}

static crCoreFoot makeFlat(double distance, crVec3 outward, int feature)
{
  return (crCoreFoot){ .distance = distance, .outward = outward, .feature = feature, .extent = 2, .curving = HUGE_VAL };
}

// At the end of v, seen from an edge or corner; `zero`: any normal, for a v without direction.
static crCoreFoot makeTip(crVec3 v, crVec3 zero, int feature)
{
  double length = crLength(v);
  crVec3 outward = length > CR_NEAREST ? crScale(1.0 / length, v) : zero;
  return (crCoreFoot){ .distance = length, .outward = outward, .feature = feature, .curving = length };
}

// --------------------------------------------------------------------------------- box, segment

static crCoreFoot footOnBox(crVec3 half, crVec3 x)
{
  crVec3 v = crMakeVec3(beyond(x.x, half.x), beyond(x.y, half.y), beyond(x.z, half.z));
  int beside = (v.x != 0.0) + (v.y != 0.0) + (v.z != 0.0);
  int feature =
      (v.x > 0.0) + 2 * (v.x < 0.0) + 3 * ((v.y > 0.0) + 2 * (v.y < 0.0)) + 9 * ((v.z > 0.0) + 2 * (v.z < 0.0));
  if (beside > 0) {
    crCoreFoot foot = makeTip(v, crMakeVec3(0.0, 0.0, -1.0), feature);
    foot.curving = beside == 1 ? HUGE_VAL : foot.curving;
    foot.extent = 3 - beside;
    foot.along = crMakeVec3(v.x == 0.0, v.y == 0.0, v.z == 0.0); // of an edge: one of the axes
    return foot;
  }
  crVec3 gap = crSub(half, crAbsVec3(x));
  if (gap.x <= gap.y && gap.x <= gap.z) {
    return makeFlat(-gap.x, crMakeVec3(x.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0), x.x < 0.0 ? 2 : 1);
  }
  if (gap.y <= gap.z) {
    return makeFlat(-gap.y, crMakeVec3(0.0, x.y < 0.0 ? -1.0 : 1.0, 0.0), x.y < 0.0 ? 6 : 3);
  }
  return makeFlat(-gap.z, crMakeVec3(0.0, 0.0, x.z < 0.0 ? -1.0 : 1.0), x.z < 0.0 ? 18 : 9);
}

static crCoreFoot footOnSegment(double half, crVec3 x)
{
  double z = beyond(x.z, half);
  return makeTip(crMakeVec3(x.x, x.y, z), crMakeVec3(1.0, 0.0, 0.0), (z > 0.0) + 2 * (z < 0.0));
}

// --------------------------------------------------------------------------------------- meridian

typedef struct MeridianFoot {
  double distance, radial, axial; // signed distance, and the outward normal
  int feature;
  bool isCorner;
} MeridianFoot;

static MeridianFoot makeCorner(double rho, double z, int feature)
{
  double length = sqrt(rho * rho + z * z);
  if (!(length > CR_NEAREST)) {
    return (MeridianFoot){ length, 1.0, 0.0, feature, true };
  }
  return (MeridianFoot){ length, rho / length, z / length, feature, true };
}

static MeridianFoot findMeridian(const crMeridian* m, double rho, double z)
{
  double below = m->zMin - z, above = z - m->zMax, slant = m->topRadius - m->radius, height = m->zMax - m->zMin;
  double radial = 1.0, axial = 0.0;
  if (slant != 0.0) {
    double side = 1.0 / sqrt(slant * slant + height * height);
    radial = height * side;
    axial = -slant * side;
  }
  double beside = (rho - m->radius) * radial - below * axial;
  if (below <= 0.0 && above <= 0.0 && beside <= 0.0) {
    if (beside >= below && beside >= above) {
      return (MeridianFoot){ beside, radial, axial, 1, false };
    }
    return above >= below ? (MeridianFoot){ above, 0.0, 1.0, 2, false } : (MeridianFoot){ below, 0.0, -1.0, 3, false };
  }
  if (below > 0.0 && rho <= m->radius) {
    return (MeridianFoot){ below, 0.0, -1.0, 3, false };
  }
  if (above > 0.0 && rho <= m->topRadius) {
    return (MeridianFoot){ above, 0.0, 1.0, 2, false };
  }
  if (!((rho - m->radius) * slant - below * height > 0.0)) {
    return makeCorner(rho - m->radius, -below, 4);
  }
  if (!((m->topRadius - rho) * slant - above * height > 0.0)) {
    return makeCorner(rho - m->topRadius, above, 5);
  }
  return (MeridianFoot){ beside, radial, axial, 1, false };
}

// (x, y): from the axis to the point.
static crCoreFoot turnMeridian(const MeridianFoot* m, double x, double y, double rho)
{
  crVec3 radial = rho > 0.0 ? crMakeVec3(x / rho, y / rho, 0.0) : crMakeVec3(0.0, 1.0, 0.0);
  crVec3 outward = crMakeVec3(m->radial * radial.x, m->radial * radial.y, m->axial);
  double curving = m->radial == 0.0 ? HUGE_VAL : m->isCorner ? m->distance : rho;
  return (crCoreFoot){
    .distance = m->distance, .outward = outward, .feature = m->feature, .extent = -1, .curving = curving
  };
}

crMeridian crMakeMeridian(const crShape* shape)
{
  const crCore* core = &shape->core;
  if (shape->kind == cr_shapeBeam) {
    return (crMeridian){ core->half.y, core->half.y, -core->half.z, core->half.z };
  }
  return (crMeridian){ core->radius, shape->kind == cr_shapeCone ? core->topRadius : core->radius, core->zMin,
                       core->zMax };
}

static crCoreFoot footOnTurned(const crShape* shape, crVec3 x)
{
  crMeridian m = crMakeMeridian(shape);
  bool isBeam = shape->kind == cr_shapeBeam;
  double along = isBeam ? beyond(x.x, shape->core.half.x) : x.x, rho = sqrt(along * along + x.y * x.y);
  MeridianFoot foot = findMeridian(&m, rho, x.z);
  if (isBeam && foot.radial != 0.0) { // not a cap
    foot.feature += 8 * ((along > 0.0) + 2 * (along < 0.0));
    foot.feature += along == 0.0 ? 32 * (x.y < 0.0) : 0;
  }
  return turnMeridian(&foot, along, x.y, rho);
}

// ------------------------------------------------------------------------------------------- hull

static void keepEdge(crHullNearest* best, const crHull* hull, int face, int from, int to, crVec3 x)
{
  crVec3 p = hull->vertices[from], q = hull->vertices[to], e = crSub(q, p), w = crSub(x, p);
  double s = crDot(w, e), square = crLengthSquared(e);
  int first = s < square ? from : to, second = s > 0.0 ? to : from;
  s = s > 0.0 ? (s < square ? s / square : 1.0) : 0.0;
  crVec3 v = crMulAdd(w, -s, e);
  if (crLengthSquared(v) < best->square) {
    *best = (crHullNearest){ crLengthSquared(v), v, face, first, second };
  }
}

static void keepFace(crHullNearest* best, const crHull* hull, int face, crVec3 x, double height)
{
  crVec3 n = hull->normals[face];
  int end = hull->faceStarts[face + 1], from = hull->faceVertices[end - 1];
  bool isOver = true;
  for (int k = hull->faceStarts[face]; k < end; ++k) {
    int to = hull->faceVertices[k];
    crVec3 p = hull->vertices[from], e = crSub(hull->vertices[to], p);
    if (crDot(crCross(e, n), crSub(x, p)) > 0.0) {
      isOver = false;
      keepEdge(best, hull, face, from, to, x);
    }
    from = to;
  }
  if (isOver && height * height < best->square) {
    *best = (crHullNearest){ height * height, crScale(height, n), face, -1, -1 };
  }
}

// Whether x is in the region of an edge or corner that it is nearest to on one face: then no other face has a nearer
// point.
static bool isInRegion(const crHull* hull, const crHullNearest* at, crVec3 x)
{
  crVec3 p = hull->vertices[at->from], w = crSub(x, p);
  bool isIn = true;
  for (int k = hull->neighbourStarts[at->from]; isIn && k < hull->neighbourStarts[at->from + 1]; ++k) {
    if (at->from == at->to) {
      isIn = crDot(crSub(hull->vertices[hull->neighbours[k]], p), w) <= 0.0;
      continue;
    }
    int f = hull->vertexFaces[k], end = hull->faceStarts[f + 1];
    for (int i = hull->faceStarts[f], last = hull->faceVertices[end - 1]; isIn && i < end;
         last = hull->faceVertices[i++]) {
      int next = hull->faceVertices[i];
      if ((last == at->from && next == at->to) || (last == at->to && next == at->from)) {
        crVec3 e = crSub(hull->vertices[next], hull->vertices[last]);
        isIn = crDot(crCross(e, hull->normals[f]), w) >= 0.0;
      }
    }
  }
  return isIn;
}

bool crFindNearestOnHull(const crHull* hull, crVec3 x, crHullNearest* best, double* outHeight)
{
  *best = (crHullNearest){ .square = HUGE_VAL, .from = -1, .to = -1 };
  double height;
  int highest = crHull_FindHighestFace(hull, x, &height);
  *outHeight = height;
  if (height <= 0.0) {
    best->face = highest;
    return false;
  }
  keepFace(best, hull, highest, x, height);
  if (best->from < 0 || isInRegion(hull, best, x)) {
    return true;
  }
  for (int f = 0; f < hull->faceCount; ++f) {
    double h = crDot(hull->normals[f], x) - hull->offsets[f];
    if (f != highest && h > 0.0 && h * h < best->square) {
      keepFace(best, hull, f, x, h);
    }
  }
  return true;
}

// Corners come first, then edges by their corners, then faces.
int crNumberHullFeature(const crHull* hull, const crHullNearest* nearest)
{
  if (nearest->from < 0) {
    return -1 - nearest->face;
  }
  int low = nearest->from < nearest->to ? nearest->from : nearest->to, high = nearest->from + nearest->to - low;
  return low == high ? low : hull->vertexCount * (low + 1) + high;
}

// isOutside: else minus the depth below the nearest face is all that is known.
static crCoreFoot makeHullFoot(const crHull* hull, const crHullNearest* nearest, bool isOutside, double height)
{
  int feature = crNumberHullFeature(hull, nearest);
  if (!isOutside || nearest->from < 0) {
    return makeFlat(height, hull->normals[nearest->face], feature);
  }
  crCoreFoot foot = makeTip(nearest->v, hull->normals[nearest->face], feature);
  if (nearest->from != nearest->to) {
    foot.extent = 1;
    foot.along = crNormalize(crSub(hull->vertices[nearest->to], hull->vertices[nearest->from]));
  }
  return foot;
}

static crCoreFoot footOnHull(const crHull* hull, crVec3 x)
{
  crHullNearest nearest;
  double height;
  bool isOutside = crFindNearestOnHull(hull, x, &nearest, &height);
  return makeHullFoot(hull, &nearest, isOutside, height);
}

// -------------------------------------------------------------------------------------------- series

static void addSide(crFootHold* hold, crVec3 normal, crVec3 p)
{
  if (hold->sideCount < CR_HOLD_SIDES) {
    hold->sides[hold->sideCount].normal = normal;
    hold->sides[hold->sideCount].offset = crDot(normal, p);
  }
  ++hold->sideCount;
}

static void boundFace(crFootHold* hold)
{
  const crHull* hull = hold->hull;
  int face = hold->at.face, end = hull->faceStarts[face + 1];
  crVec3 n = hull->normals[face], p = hull->vertices[hull->faceVertices[end - 1]];
  addSide(hold, crNeg(n), p);
  for (int k = hull->faceStarts[face]; k < end; ++k) {
    crVec3 q = hull->vertices[hull->faceVertices[k]];
    addSide(hold, crCross(crSub(q, p), n), p);
    p = q;
  }
}

static void boundEdge(crFootHold* hold)
{
  const crHull* hull = hold->hull;
  int from = hold->at.from, to = hold->at.to;
  crVec3 p = hull->vertices[from], q = hull->vertices[to], e = crSub(q, p);
  addSide(hold, crNeg(e), p);
  addSide(hold, e, q);
  for (int k = hull->neighbourStarts[from]; k < hull->neighbourStarts[from + 1]; ++k) {
    int f = hull->vertexFaces[k], end = hull->faceStarts[f + 1];
    for (int i = hull->faceStarts[f], last = hull->faceVertices[end - 1]; i < end; last = hull->faceVertices[i++]) {
      int next = hull->faceVertices[i];
      if ((last == from && next == to) || (last == to && next == from)) {
        addSide(hold, crCross(hull->normals[f], crSub(hull->vertices[next], hull->vertices[last])), p);
      }
    }
  }
}

static void boundCorner(crFootHold* hold)
{
  const crHull* hull = hold->hull;
  crVec3 p = hull->vertices[hold->at.from];
  for (int k = hull->neighbourStarts[hold->at.from]; k < hull->neighbourStarts[hold->at.from + 1]; ++k) {
    addSide(hold, crSub(hull->vertices[hull->neighbours[k]], p), p);
  }
}

// Of what was found twice, outside.
static void boundRegion(crFootHold* hold)
{
  hold->sideCount = 0;
  (hold->at.from < 0 ? boundFace : hold->at.from == hold->at.to ? boundCorner : boundEdge)(hold);
}

static bool isHeld(const crFootHold* hold, crVec3 x)
{
  bool isIn = hold->sideCount > 0 && hold->sideCount <= CR_HOLD_SIDES;
  for (int i = 0; isIn && i < hold->sideCount; ++i) {
    isIn = crDot(hold->sides[i].normal, x) <= hold->sides[i].offset;
  }
  return isIn;
}

// Of a point of the region.
static crCoreFoot moveFoot(const crFootHold* hold, crVec3 x)
{
  const crHull* hull = hold->hull;
  const crHullNearest* at = &hold->at;
  crCoreFoot foot = hold->foot;
  if (at->from < 0) {
    foot.distance = crDot(hull->normals[at->face], x) - hull->offsets[at->face];
    return foot;
  }
  crVec3 p = hull->vertices[at->from], v = crSub(x, p);
  if (at->from != at->to) {
    crVec3 e = crSub(hull->vertices[at->to], p);
    v = crMulAdd(v, -crDot(v, e) / crLengthSquared(e), e);
  }
  crCoreFoot tip = makeTip(v, hull->normals[at->face], foot.feature);
  tip.extent = foot.extent;
  tip.along = foot.along;
  return tip;
}

crCoreFoot crComputeNextFoot(const crShape* shape, crVec3 x, crFootHold* hold)
{
  if (shape->kind != cr_shapeHull) {
    return crComputeCoreFoot(shape, x);
  }
  if (hold->hull != NULL && isHeld(hold, x)) {
    return moveFoot(hold, x);
  }
  const crHull* hull = shape->core.hull;
  crHullNearest nearest;
  double height;
  bool isOutside = crFindNearestOnHull(hull, x, &nearest, &height);
  crCoreFoot foot = makeHullFoot(hull, &nearest, isOutside, height);
  bool isAgain = isOutside && hold->hull != NULL && foot.feature == hold->foot.feature && hold->sideCount < 0;
  hold->hull = isOutside ? hull : NULL;
  hold->at = nearest;
  hold->foot = foot;
  hold->sideCount = -1;
  if (isAgain) {
    boundRegion(hold);
  }
  return foot;
}

bool crHasCoreFoot(const crShape* shape)
{
  return shape->kind != cr_shapeSphere && shape->kind != cr_shapeEllipsoid && shape->kind != cr_shapeMesh;
}

crCoreFoot crComputeCoreFoot(const crShape* shape, crVec3 x)
{
  switch (shape->kind) {
    case cr_shapeBox: return footOnBox(shape->core.half, x);
    case cr_shapeCapsule: return footOnSegment(shape->core.zMax, x);
    case cr_shapeHalfSpace: return makeFlat(x.z, crMakeVec3(0.0, 0.0, 1.0), 0);
    case cr_shapeHull: return footOnHull(shape->core.hull, x);
    default: return footOnTurned(shape, x);
  }
}
