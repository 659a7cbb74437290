#include "collide/area/core_breaks.h"

#include "base/elementary.h"
#include "collide/area/bernstein.h"
#include "collide/area/polygon.h"

#define CR_BREAK_TRIAL 1e-7  // [-] of a way: on both sides of a break the features differ
#define CR_BREAK_UNION 1e-12 // [-] of a way: nearer breaks are one
#define CR_HULL_WALK 256     // features of a hull that a way passes, at most
#define CR_CONE_NOISE 1e-15  // [-] of the squares that a difference is made of

// A line x + t u, or an arc as a curve of Bezier: points times their weights 1, weight, 1, and 0 <= t <= 1.
typedef struct Way {
  bool isArc;
  crVec3 x, u;
  crVec3 points[3];
  double weight;
} Way;

typedef struct Breaks {
  Way way;
  double from, to;
  int count;
  double* t;
} Breaks;

static crVec3 findPoint(const Way* way, double t)
{
  if (!way->isArc) {
    return crMulAdd(way->x, t, way->u);
  }
  double s = 1.0 - t, a = s * s, b = 2.0 * s * t, c = t * t, whole = 1.0 / (a + b * way->weight + c);
  const crVec3* p = way->points;
  return crMakeVec3(whole * (a * p[0].x + b * p[1].x + c * p[2].x), whole * (a * p[0].y + b * p[1].y + c * p[2].y),
                    whole * (a * p[0].z + b * p[1].z + c * p[2].z));
}

static void addBreak(Breaks* breaks, double t)
{
  if (!(t > breaks->from && t < breaks->to) || breaks->count == CR_CORE_BREAKS) {
    return;
  }
  int i = breaks->count++;
  for (; i > 0 && breaks->t[i - 1] > t; --i) {
    breaks->t[i] = breaks->t[i - 1];
  }
  breaks->t[i] = t;
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

// ---------------------------------------------------------------------------------------- planes and cones

// Along an arc: values times weights at the three points.
static void addZeros(Breaks* breaks, double f0, double f1, double f2)
{
  addRoots(breaks, f0 - 2.0 * f1 + f2, f1 - f0, f0);
}

static void addLevel(Breaks* breaks, int axis, double level)
{
  const crVec3* p = breaks->way.points;
  addZeros(breaks, (&p[0].x)[axis] - level, (&p[1].x)[axis] - level * breaks->way.weight, (&p[2].x)[axis] - level);
}

// The planes at middle +- half across an axis.
static void addSlab(Breaks* breaks, int axis, double middle, double half)
{
  if (breaks->way.isArc) {
    addLevel(breaks, axis, middle - half);
    addLevel(breaks, axis, middle + half);
    return;
  }
  double x = (&breaks->way.x.x)[axis] - middle, u = (&breaks->way.u.x)[axis];
  if (u != 0.0) {
    addBreak(breaks, (half - x) / u);
    addBreak(breaks, (-half - x) / u);
  }
}

// a . x = k
static void addPlane(Breaks* breaks, crVec3 a, double k)
{
  const Way* way = &breaks->way;
  if (way->isArc) {
    addZeros(breaks, crDot(a, way->points[0]) - k, crDot(a, way->points[1]) - k * way->weight,
             crDot(a, way->points[2]) - k);
    return;
  }
  double rate = crDot(a, way->u);
  if (rate != 0.0) {
    addBreak(breaks, (k - crDot(a, way->x)) / rate);
  }
}

// rho = r + k (z - z0), with rho about the axis through x = shift.
typedef struct Cone {
  double shift, r, k, z0;
} Cone;

// A point, times a weight, seen from the axis, and r there.
static crVec3 seeFromAxis(const Cone* cone, crVec3 p, double weight)
{
  return crMakeVec3(p.x - cone->shift * weight, p.y, cone->r * weight + cone->k * (p.z - cone->z0 * weight));
}

static double pairUp(crVec3 a, crVec3 b)
{
  return a.x * b.x + a.y * b.y - a.z * b.z;
}

static void addCone(Breaks* breaks, const Cone* cone)
{
  const Way* way = &breaks->way;
  if (!way->isArc) {
    crVec3 p = seeFromAxis(cone, way->x, 1.0), d = crMakeVec3(way->u.x, way->u.y, cone->k * way->u.z);
    addRoots(breaks, pairUp(d, d), pairUp(p, d), pairUp(p, p));
    return;
  }
  crVec3 a = seeFromAxis(cone, way->points[0], 1.0), b = seeFromAxis(cone, way->points[1], way->weight),
         c = seeFromAxis(cone, way->points[2], 1.0);
  crQuartic quartic = crMakeQuartic(pairUp(a, a), pairUp(a, b), pairUp(a, c), pairUp(b, b), pairUp(b, c), pairUp(c, c));
  double noise = CR_CONE_NOISE * (crLengthSquared(a) + crLengthSquared(c)), roots[CR_QUARTIC_ROOTS];
  int count = crMayHaveRoots(&quartic, noise) ? crFindQuarticRoots(&quartic, noise, roots) : 0;
  for (int i = 0; i < count; ++i) {
    addBreak(breaks, roots[i]);
  }
}

// ----------------------------------------------------------------------------------------- boxes, round bodies

// Whether a line comes inside a box; an arc may.
static bool passesBox(const Breaks* breaks, crVec3 half)
{
  const double *h = &half.x, *p = &breaks->way.x.x, *d = &breaks->way.u.x;
  double from = breaks->from, to = breaks->to;
  for (int k = 0; k < 3 && !breaks->way.isArc; ++k) {
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
static void addBisectors(Breaks* breaks, crVec3 half)
{
  const double* h = &half.x;
  for (int i = 0; i < 3; ++i) { // opposite ones
    addSlab(breaks, i, 0.0, 0.0);
  }
  for (int i = 0; i < 12; ++i) {
    int a = i / 4, b = (a + 1) % 3;
    crVec3 across = { 0.0, 0.0, 0.0 };
    (&across.x)[a] = i & 1 ? 1.0 : -1.0;
    (&across.x)[b] = i & 2 ? -1.0 : 1.0;
    addPlane(breaks, across, h[a] - h[b]);
  }
}

static void addTurned(Breaks* breaks, const crMeridian* m, double shift)
{
  addCone(breaks, &(Cone){ shift, m->radius, 0.0, 0.0 });
  if (m->topRadius != m->radius) {
    double slope = (m->zMax - m->zMin) / (m->radius - m->topRadius); // of the normal: rho - r = (z - z0) slope
    addCone(breaks, &(Cone){ shift, m->topRadius, 0.0, 0.0 });
    addCone(breaks, &(Cone){ shift, m->radius, slope, m->zMin });
    addCone(breaks, &(Cone){ shift, m->topRadius, slope, m->zMax });
  }
}

// From inside: where the side is as near as a cap.
static void addTurnedBisectors(Breaks* breaks, const crMeridian* m, double shift)
{
  double slant = m->topRadius - m->radius, height = m->zMax - m->zMin, length = sqrt(slant * slant + height * height);
  if (height > 0.0) {
    addCone(breaks, &(Cone){ shift, m->topRadius, (length + slant) / height, m->zMax });
    addCone(breaks, &(Cone){ shift, m->radius, (slant - length) / height, m->zMin });
  }
}

// Likewise between the ends of a beam, where the side is flat: +-y = radius - (distance from a cap).
static void addBeamBisectors(Breaks* breaks, const crMeridian* m)
{
  for (int i = 0; i < 4; ++i) {
    double side = i & 1 ? 1.0 : -1.0, cap = i & 2 ? 1.0 : -1.0;
    addPlane(breaks, crMakeVec3(0.0, side, -cap), m->radius - m->zMax);
  }
}

static void listTurned(Breaks* breaks, const crShape* shape, bool isInside)
{
  crMeridian m = crMakeMeridian(shape);
  double middle = 0.5 * (m.zMin + m.zMax), ends = shape->kind == cr_shapeBeam ? shape->core.half.x : 0.0;
  addSlab(breaks, 2, middle, m.zMax - middle);
  if (isInside) {
    addSlab(breaks, 2, middle, 0.0);
    addTurnedBisectors(breaks, &m, ends);
  }
  if (shape->kind != cr_shapeBeam) {
    addTurned(breaks, &m, 0.0);
    return;
  }
  if (isInside) {
    addTurnedBisectors(breaks, &m, -ends);
    addBeamBisectors(breaks, &m);
  }
  addSlab(breaks, 0, 0.0, ends);
  addSlab(breaks, 1, 0.0, m.radius);
  addSlab(breaks, 1, 0.0, 0.0);
  addTurned(breaks, &m, ends);
  addTurned(breaks, &m, -ends);
}

// ---------------------------------------------------------------------------------------------------- hulls

// Where a way leaves a region.
typedef struct Exit {
  const Way* way;
  double after; // it is inside there, and
  double first; // leaves here
} Exit;

static void keepFirst(Exit* exit, double t)
{
  exit->first = t > exit->after && t < exit->first ? t : exit->first;
}

// Keeps the least t beyond `after` where a . x turns from at most k to above; of an arc: the root where it rises.
static void keepExit(Exit* exit, crVec3 a, double k)
{
  const Way* way = exit->way;
  if (!way->isArc) {
    double rate = crDot(a, way->u);
    keepFirst(exit, rate > 0.0 ? (k - crDot(a, way->x)) / rate : HUGE_VAL);
    return;
  }
  double f0 = crDot(a, way->points[0]) - k, f1 = crDot(a, way->points[1]) - k * way->weight,
         f2 = crDot(a, way->points[2]) - k;
  double p = f0 - 2.0 * f1 + f2, q = f1 - f0, square = q * q - p * f0;
  if (square > 0.0) {
    double root = sqrt(square);
    keepFirst(exit, q > 0.0 ? -f0 / (q + root) : (root - q) / p);
  }
}

// Likewise, with k = a . p.
static void keepExitFrom(Exit* exit, crVec3 a, crVec3 p)
{
  double rate = crDot(a, exit->way->u); // 0 of an arc
  if (rate > 0.0) {
    keepFirst(exit, -crDot(a, crSub(exit->way->x, p)) / rate);
  } else if (exit->way->isArc) {
    keepExit(exit, a, crDot(a, p));
  }
}

static void leaveEdge(const crHull* hull, const crHullNearest* at, Exit* exit)
{
  crVec3 p = hull->vertices[at->from], q = hull->vertices[at->to], e = crSub(q, p);
  keepExitFrom(exit, crNeg(e), p);
  keepExitFrom(exit, e, q);
  for (int k = hull->neighbourStarts[at->from]; k < hull->neighbourStarts[at->from + 1]; ++k) {
    int f = hull->vertexFaces[k], end = hull->faceStarts[f + 1];
    for (int i = hull->faceStarts[f], last = hull->faceVertices[end - 1]; i < end; last = hull->faceVertices[i++]) {
      int next = hull->faceVertices[i];
      if ((last == at->from && next == at->to) || (last == at->to && next == at->from)) {
        crVec3 out = crCross(crSub(hull->vertices[next], hull->vertices[last]), hull->normals[f]);
        keepExitFrom(exit, crNeg(out), p);
      }
    }
  }
}

static void leaveFeature(const crHull* hull, const crHullNearest* at, Exit* exit)
{
  if (at->from < 0) {
    int end = hull->faceStarts[at->face + 1];
    crVec3 p = hull->vertices[hull->faceVertices[end - 1]];
    for (int k = hull->faceStarts[at->face]; k < end; ++k) {
      crVec3 q = hull->vertices[hull->faceVertices[k]];
      keepExitFrom(exit, crCross(crSub(q, p), hull->normals[at->face]), p);
      p = q;
    }
    keepExitFrom(exit, crNeg(hull->normals[at->face]), p); // into the hull, where cells end at bisectors
  } else if (at->from == at->to) {
    crVec3 p = hull->vertices[at->from];
    for (int k = hull->neighbourStarts[at->from]; k < hull->neighbourStarts[at->from + 1]; ++k) {
      keepExitFrom(exit, crSub(hull->vertices[hull->neighbours[k]], p), p);
    }
  } else {
    leaveEdge(hull, at, exit);
  }
}

// Another face becomes as near, inside a hull, or the way comes out of it.
static void leaveInside(const crHull* hull, int face, Exit* exit)
{
  keepExit(exit, hull->normals[face], hull->offsets[face]);
  for (int f = 0; f < hull->faceCount; ++f) {
    keepExit(exit, crSub(hull->normals[f], hull->normals[face]), hull->offsets[f] - hull->offsets[face]);
  }
}

// From feature to feature. Where rounding errors show the same one behind its end, the next look is farther on.
static void listHull(Breaks* breaks, const crHull* hull)
{
  double length = breaks->to - breaks->from, trial = CR_BREAK_TRIAL * length, t = breaks->from;
  int last = 0;
  bool wasOutside = false;
  for (int i = 0; i < CR_HULL_WALK && t + trial < breaks->to; ++i) {
    crHullNearest at;
    double height;
    Exit exit = { &breaks->way, t + trial, HUGE_VAL };
    bool isOutside = crFindNearestOnHull(hull, findPoint(&breaks->way, exit.after), &at, &height);
    int feature = crNumberHullFeature(hull, &at);
    if (i > 0 && feature == last && isOutside == wasOutside) {
      trial *= 4.0;
      continue;
    }
    if (isOutside) {
      leaveFeature(hull, &at, &exit);
    } else {
      leaveInside(hull, at.face, &exit);
    }
    addBreak(breaks, exit.first);
    t = exit.first;
    trial = CR_BREAK_TRIAL * length;
    last = feature;
    wasOutside = isOutside;
  }
}

// ------------------------------------------------------------------------------------------------------ all

// Drops breaks at which the feature does not change and the way stays outside or inside, and those that are one. Where
// a way comes in, the distance goes on as it was, but the foot stays behind no more.
static void dropIdle(Breaks* breaks, const crShape* shape)
{
  double length = breaks->to - breaks->from, trial = CR_BREAK_TRIAL * length;
  int kept = 0;
  for (int i = 0; i < breaks->count; ++i) {
    double t = breaks->t[i];
    if (kept > 0 && t - breaks->t[kept - 1] < CR_BREAK_UNION * length) {
      continue;
    }
    crCoreFoot before = crComputeCoreFoot(shape, findPoint(&breaks->way, t - trial));
    crCoreFoot after = crComputeCoreFoot(shape, findPoint(&breaks->way, t + trial));
    if (before.feature != after.feature || (before.distance > 0.0) != (after.distance > 0.0)) {
      breaks->t[kept++] = t;
    }
  }
  breaks->count = kept;
}

static void list(Breaks* breaks, const crShape* shape, bool isInside)
{
  crVec3 half = shape->core.half;
  switch (shape->kind) {
    case cr_shapeHalfSpace: return;
    case cr_shapeCapsule: addSlab(breaks, 2, 0.0, shape->core.zMax); return;
    case cr_shapeBox:
      addSlab(breaks, 0, 0.0, half.x);
      addSlab(breaks, 1, 0.0, half.y);
      addSlab(breaks, 2, 0.0, half.z);
      if (isInside && passesBox(breaks, half)) {
        addBisectors(breaks, half);
        dropIdle(breaks, shape);
      }
      return;
    case cr_shapeHull: listHull(breaks, shape->core.hull); return;
    default:
      listTurned(breaks, shape, isInside);
      dropIdle(breaks, shape);
      return;
  }
}

int crListBreaks(const crShape* shape, crVec3 x, crVec3 u, double from, double to, bool isInside,
                 double out[CR_CORE_BREAKS])
{
  Breaks breaks = { .way = { .x = x, .u = u }, .from = from, .to = to, .t = out };
  list(&breaks, shape, isInside);
  return breaks.count;
}

int crListArcBreaks(const crShape* shape, const crArc* arc, bool isInside, double out[CR_CORE_BREAKS])
{
  if (shape->kind == cr_shapeHalfSpace) {
    return 0;
  }
  double middle = 0.5 * (arc->from + arc->to), sm, cm, sine, cosine;
  crSinCos(middle, &sm, &cm);
  crSinCos(0.5 * (arc->to - arc->from), &sine, &cosine);
  crVec3 away = crMulAdd(crScale(cm, arc->e1), sm, arc->e2), along = crMulAdd(crScale(cm, arc->e2), -sm, arc->e1);
  crVec3 c = arc->centre, chord = crMulAdd(c, cosine, away), half = crScale(sine, along);
  Breaks breaks = { .way = { .isArc = true,
                             .points = { crSub(chord, half), crMulAdd(away, cosine, c), crAdd(chord, half) },
                             .weight = cosine },
                    .from = 0.0,
                    .to = 1.0,
                    .t = out };
  list(&breaks, shape, isInside);
  for (int i = 0; i < breaks.count; ++i) {
    double t = out[i];
    out[i] = middle + crAtan2((2.0 * t - 1.0) * sine, cosine + 2.0 * t * (1.0 - t) * (1.0 - cosine));
  }
  return breaks.count;
}
