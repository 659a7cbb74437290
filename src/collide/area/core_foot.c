#include "collide/area/core_foot.h"

#include "collide/area/polygon.h"

#include <float.h>

#define CR_NEAREST 1e-150    // [m] a shorter vector has no direction
#define CR_BREAK_TRIAL 1e-7  // [-] of a line: on both sides of a break the features differ
#define CR_BREAK_UNION 1e-12 // [-] of a line: nearer breaks are one
#define CR_HULL_WALK 256     // features of a hull that a line passes, at most

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

// In the half-plane of radius rho and height z: the trapezium (0, zMin), (radius, zMin), (topRadius, zMax), (0, zMax).
typedef struct Meridian {
  double radius, topRadius, zMin, zMax;
} Meridian;

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

static MeridianFoot findMeridian(const Meridian* m, double rho, double z)
{
  double below = m->zMin - z, above = z - m->zMax, slant = m->topRadius - m->radius, height = m->zMax - m->zMin;
  double length = sqrt(slant * slant + height * height), side = length > 0.0 ? 1.0 / length : 0.0;
  double radial = length > 0.0 ? height * side : 1.0, axial = -slant * side;
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

static Meridian makeMeridian(const crShape* shape)
{
  const crCore* core = &shape->core;
  if (shape->kind == cr_shapeBeam) {
    return (Meridian){ core->half.y, core->half.y, -core->half.z, core->half.z };
  }
  return (Meridian){ core->radius, shape->kind == cr_shapeCone ? core->topRadius : core->radius, core->zMin,
                     core->zMax };
}

static crCoreFoot footOnTurned(const crShape* shape, crVec3 x)
{
  Meridian m = makeMeridian(shape);
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

typedef struct Nearest {
  double square; // [m^2]
  crVec3 v;      // from the nearest point to x
  int face;      // one that it is on, and
  int from, to;  // its corners, both for an edge, one for a corner; -1 for the face
} Nearest;

static void keepEdge(Nearest* best, const crHull* hull, int face, int from, int to, crVec3 x)
{
  crVec3 p = hull->vertices[from], q = hull->vertices[to], e = crSub(q, p), w = crSub(x, p);
  double s = crDot(w, e), square = crLengthSquared(e);
  int first = s < square ? from : to, second = s > 0.0 ? to : from;
  s = s > 0.0 ? (s < square ? s / square : 1.0) : 0.0;
  crVec3 v = crMulAdd(w, -s, e);
  if (crLengthSquared(v) < best->square) {
    *best = (Nearest){ crLengthSquared(v), v, face, first, second };
  }
}

static void keepFace(Nearest* best, const crHull* hull, int face, crVec3 x, double height)
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
    *best = (Nearest){ height * height, crScale(height, n), face, -1, -1 };
  }
}

// Whether x is in the region of an edge or corner that it is nearest to on one face: then no other face has a nearer
// point.
static bool isInRegion(const crHull* hull, const Nearest* at, crVec3 x)
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

// The nearest point of a hull to x outside; false inside, with the nearest face and minus its depth.
static bool findNearest(const crHull* hull, crVec3 x, Nearest* best, double* outHeight)
{
  *best = (Nearest){ .square = HUGE_VAL, .from = -1, .to = -1 };
  double height = -HUGE_VAL;
  int highest = 0;
  for (int f = 0; f < hull->faceCount; ++f) {
    double h = crDot(hull->normals[f], x) - hull->offsets[f];
    highest = h > height ? f : highest;
    height = h > height ? h : height;
  }
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
static int numberFeature(const crHull* hull, const Nearest* nearest)
{
  if (nearest->from < 0) {
    return -1 - nearest->face;
  }
  int low = nearest->from < nearest->to ? nearest->from : nearest->to, high = nearest->from + nearest->to - low;
  return low == high ? low : hull->vertexCount * (low + 1) + high;
}

static crCoreFoot footOnHull(const crHull* hull, crVec3 x)
{
  Nearest nearest;
  double height;
  bool isOutside = findNearest(hull, x, &nearest, &height);
  int feature = numberFeature(hull, &nearest);
  if (!isOutside || nearest.from < 0) {
    return makeFlat(height, hull->normals[nearest.face], feature);
  }
  crCoreFoot foot = makeTip(nearest.v, hull->normals[nearest.face], feature);
  if (nearest.from != nearest.to) {
    foot.extent = 1;
    foot.along = crNormalize(crSub(hull->vertices[nearest.to], hull->vertices[nearest.from]));
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

// ----------------------------------------------------------------------------------------- breaks

typedef struct Breaks {
  double from, to;
  int count;
  double* t;
} Breaks;

static void addBreak(Breaks* breaks, double t)
{
  if (!(t > breaks->from && t < breaks->to) || breaks->count == CR_MAX_BREAKS) {
    return;
  }
  int i = breaks->count++;
  for (; i > 0 && breaks->t[i - 1] > t; --i) {
    breaks->t[i] = breaks->t[i - 1];
  }
  breaks->t[i] = t;
}

// x + t u = +-half
static void addSlab(Breaks* breaks, double x, double u, double half)
{
  if (u != 0.0) {
    addBreak(breaks, (half - x) / u);
    addBreak(breaks, (-half - x) / u);
  }
}

// a t^2 + 2 b t + c = 0
static void addRoots(Breaks* breaks, double a, double b, double c)
{
  double square = b * b - a * c;
  if (!(square >= 0.0)) {
    return;
  }
  double q = -(b + copysign(sqrt(square), b));
  if (q != 0.0) {
    addBreak(breaks, c / q);
  }
  if (a != 0.0) {
    addBreak(breaks, q / a);
  }
}

// Whether the line comes inside a box.
static bool passesBox(const Breaks* breaks, crVec3 half, crVec3 x, crVec3 u)
{
  const double *h = &half.x, *p = &x.x, *d = &u.x;
  double from = breaks->from, to = breaks->to;
  for (int k = 0; k < 3; ++k) {
    if (d[k] == 0.0) {
      to = fabs(p[k]) < h[k] ? to : -HUGE_VAL;
    } else {
      double a = (-h[k] - p[k]) / d[k], b = (h[k] - p[k]) / d[k];
      from = crMax2(from, crMin2(a, b));
      to = crMin2(to, crMax2(a, b));
    }
  }
  return from < to;
}

// Where two faces of a box are equally near from inside, s x - h = s' x' - h'.
static void addBisectors(Breaks* breaks, crVec3 half, crVec3 x, crVec3 u)
{
  const double *h = &half.x, *p = &x.x, *d = &u.x;
  for (int i = 0; i < 3; ++i) { // opposite ones
    addSlab(breaks, p[i], d[i], 0.0);
  }
  for (int i = 0; i < 12; ++i) {
    int a = i / 4, b = (a + 1) % 3;
    double s = i & 1 ? 1.0 : -1.0, r = i & 2 ? 1.0 : -1.0, rate = s * d[a] - r * d[b];
    if (rate != 0.0) {
      addBreak(breaks, (h[a] - h[b] - s * p[a] + r * p[b]) / rate);
    }
  }
}

// rho = r + k (z - z0), with rho about the axis through x = shift.
static void addCone(Breaks* breaks, crVec3 x, crVec3 u, double shift, double r, double k, double z0)
{
  double dx = x.x - shift, e = r + k * (x.z - z0), f = k * u.z;
  addRoots(breaks, u.x * u.x + u.y * u.y - f * f, dx * u.x + x.y * u.y - e * f, dx * dx + x.y * x.y - e * e);
}

static void addTurned(Breaks* breaks, const Meridian* m, crVec3 x, crVec3 u, double shift)
{
  addCone(breaks, x, u, shift, m->radius, 0.0, 0.0);
  if (m->topRadius != m->radius) {
    double slope = (m->zMax - m->zMin) / (m->radius - m->topRadius); // of the normal: rho - r = (z - z0) slope
    addCone(breaks, x, u, shift, m->topRadius, 0.0, 0.0);
    addCone(breaks, x, u, shift, m->radius, slope, m->zMin);
    addCone(breaks, x, u, shift, m->topRadius, slope, m->zMax);
  }
}

// From inside: where the side is as near as a cap.
static void addTurnedBisectors(Breaks* breaks, const Meridian* m, crVec3 x, crVec3 u, double shift)
{
  double slant = m->topRadius - m->radius, height = m->zMax - m->zMin, length = sqrt(slant * slant + height * height);
  if (height > 0.0) {
    addCone(breaks, x, u, shift, m->topRadius, (length + slant) / height, m->zMax);
    addCone(breaks, x, u, shift, m->radius, (slant - length) / height, m->zMin);
  }
}

// Likewise between the ends of a beam, where the side is flat: +-y = radius - (distance from a cap).
static void addBeamBisectors(Breaks* breaks, const Meridian* m, crVec3 x, crVec3 u)
{
  for (int i = 0; i < 4; ++i) {
    double side = i & 1 ? 1.0 : -1.0, cap = i & 2 ? 1.0 : -1.0, rate = side * u.y - cap * u.z;
    if (rate != 0.0) {
      addBreak(breaks, (m->radius - m->zMax - side * x.y + cap * x.z) / rate);
    }
  }
}

static void listTurned(Breaks* breaks, const crShape* shape, crVec3 x, crVec3 u, bool isInside)
{
  Meridian m = makeMeridian(shape);
  double middle = 0.5 * (m.zMin + m.zMax), ends = shape->kind == cr_shapeBeam ? shape->core.half.x : 0.0;
  addSlab(breaks, x.z - middle, u.z, m.zMax - middle);
  if (isInside) {
    addSlab(breaks, x.z - middle, u.z, 0.0);
    addTurnedBisectors(breaks, &m, x, u, ends);
  }
  if (shape->kind != cr_shapeBeam) {
    addTurned(breaks, &m, x, u, 0.0);
    return;
  }
  if (isInside) {
    addTurnedBisectors(breaks, &m, x, u, -ends);
    addBeamBisectors(breaks, &m, x, u);
  }
  double half = shape->core.half.x;
  addSlab(breaks, x.x, u.x, half);
  addSlab(breaks, x.y, u.y, m.radius);
  addSlab(breaks, x.y, u.y, 0.0);
  addTurned(breaks, &m, x, u, half);
  addTurned(breaks, &m, x, u, -half);
}

// Keeps the least t beyond `after` where a . (x + t u - p) turns from at most 0 to above.
static void keepExit(double* exit, double after, crVec3 a, crVec3 x, crVec3 u, crVec3 p)
{
  double rate = crDot(a, u);
  if (rate > 0.0) {
    double t = -crDot(a, crSub(x, p)) / rate;
    *exit = t > after && t < *exit ? t : *exit;
  }
}

static void leaveEdge(const crHull* hull, const Nearest* at, double after, crVec3 x, crVec3 u, double* exit)
{
  crVec3 p = hull->vertices[at->from], q = hull->vertices[at->to], e = crSub(q, p);
  keepExit(exit, after, crNeg(e), x, u, p);
  keepExit(exit, after, e, x, u, q);
  for (int k = hull->neighbourStarts[at->from]; k < hull->neighbourStarts[at->from + 1]; ++k) {
    int f = hull->vertexFaces[k], end = hull->faceStarts[f + 1];
    for (int i = hull->faceStarts[f], last = hull->faceVertices[end - 1]; i < end; last = hull->faceVertices[i++]) {
      int next = hull->faceVertices[i];
      if ((last == at->from && next == at->to) || (last == at->to && next == at->from)) {
        crVec3 out = crCross(crSub(hull->vertices[next], hull->vertices[last]), hull->normals[f]);
        keepExit(exit, after, crNeg(out), x, u, p);
      }
    }
  }
}

// Where the line leaves the region of a feature.
static double leaveFeature(const crHull* hull, const Nearest* at, double after, crVec3 x, crVec3 u)
{
  double exit = HUGE_VAL;
  if (at->from < 0) {
    int end = hull->faceStarts[at->face + 1];
    crVec3 p = hull->vertices[hull->faceVertices[end - 1]];
    for (int k = hull->faceStarts[at->face]; k < end; ++k) {
      crVec3 q = hull->vertices[hull->faceVertices[k]];
      keepExit(&exit, after, crCross(crSub(q, p), hull->normals[at->face]), x, u, p);
      p = q;
    }
    crVec3 n = hull->normals[at->face];
    keepExit(&exit, after, crNeg(n), x, u, p); // into the hull, where cells end at bisectors
  } else if (at->from == at->to) {
    crVec3 p = hull->vertices[at->from];
    for (int k = hull->neighbourStarts[at->from]; k < hull->neighbourStarts[at->from + 1]; ++k) {
      keepExit(&exit, after, crSub(hull->vertices[hull->neighbours[k]], p), x, u, p);
    }
  } else {
    leaveEdge(hull, at, after, x, u, &exit);
  }
  return exit;
}

// Where another face becomes as near, inside a hull, or the line comes out of it.
static double leaveInside(const crHull* hull, int face, double after, crVec3 x, crVec3 u)
{
  double exit = HUGE_VAL;
  keepExit(&exit, after, hull->normals[face], x, u, crScale(hull->offsets[face], hull->normals[face]));
  for (int f = 0; f < hull->faceCount; ++f) {
    crVec3 a = crSub(hull->normals[f], hull->normals[face]);
    double rate = crDot(a, u), gap = hull->offsets[f] - hull->offsets[face] - crDot(a, x);
    exit = rate > 0.0 && gap > rate * after ? crMin2(exit, gap / rate) : exit;
  }
  return exit;
}

// From feature to feature. Where rounding errors show the same one behind its end, the next look is farther on.
static void listHull(Breaks* breaks, const crHull* hull, crVec3 x, crVec3 u)
{
  double length = breaks->to - breaks->from, trial = CR_BREAK_TRIAL * length, t = breaks->from;
  int last = 0;
  bool wasOutside = false;
  for (int i = 0; i < CR_HULL_WALK && t + trial < breaks->to; ++i) {
    Nearest at;
    double height, after = t + trial;
    bool isOutside = findNearest(hull, crMulAdd(x, after, u), &at, &height);
    int feature = numberFeature(hull, &at);
    if (i > 0 && feature == last && isOutside == wasOutside) {
      trial *= 4.0;
      continue;
    }
    double exit = isOutside ? leaveFeature(hull, &at, after, x, u) : leaveInside(hull, at.face, after, x, u);
    addBreak(breaks, exit);
    t = exit;
    trial = CR_BREAK_TRIAL * length;
    last = feature;
    wasOutside = isOutside;
  }
}

// Drops breaks at which the feature does not change, and those that are one.
static void dropIdle(Breaks* breaks, const crShape* shape, crVec3 x, crVec3 u)
{
  double length = breaks->to - breaks->from, trial = CR_BREAK_TRIAL * length;
  int kept = 0;
  for (int i = 0; i < breaks->count; ++i) {
    double t = breaks->t[i];
    if (kept > 0 && t - breaks->t[kept - 1] < CR_BREAK_UNION * length) {
      continue;
    }
    crCoreFoot before = crComputeCoreFoot(shape, crMulAdd(x, t - trial, u));
    crCoreFoot after = crComputeCoreFoot(shape, crMulAdd(x, t + trial, u));
    if (before.feature != after.feature) {
      breaks->t[kept++] = t;
    }
  }
  breaks->count = kept;
}

int crListBreaks(const crShape* shape, crVec3 x, crVec3 u, double from, double to, bool isInside, double* out)
{
  Breaks breaks = { .from = from, .to = to, .t = out };
  crVec3 half = shape->core.half;
  switch (shape->kind) {
    case cr_shapeHalfSpace: return 0;
    case cr_shapeCapsule: addSlab(&breaks, x.z, u.z, shape->core.zMax); return breaks.count;
    case cr_shapeBox:
      addSlab(&breaks, x.x, u.x, half.x);
      addSlab(&breaks, x.y, u.y, half.y);
      addSlab(&breaks, x.z, u.z, half.z);
      if (isInside && passesBox(&breaks, half, x, u)) {
        addBisectors(&breaks, half, x, u);
        dropIdle(&breaks, shape, x, u);
      }
      return breaks.count;
    case cr_shapeHull: listHull(&breaks, shape->core.hull, x, u); return breaks.count;
    default:
      listTurned(&breaks, shape, x, u, isInside);
      dropIdle(&breaks, shape, x, u);
      return breaks.count;
  }
}
