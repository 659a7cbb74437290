#include "collide/area/breaks.h"

#include "collide/area/bernstein.h"
#include "collide/area/polygon.h"
#include "collide/area/spans.h"

#define CR_BREAK_NOISE 4e-15   // [-] of what is added up: rounding errors
#define CR_BREAK_NEAR 1e-10    // [-] of the size: a point so near to a piece of surface may be on it
#define CR_BREAK_BEYOND 1e-6   // [-] of a line beyond its ends
#define CR_BREAK_PARALLEL 1e-6 // [-] of the size: distance from a plane gained along a line parallel to it
#define CR_BREAK_WIDER 1e-6    // [-] margin of a range
#define CR_BREAK_ACROSS 4e-6   // [-] of v: where such a line has passed it

// What the other body says of a point in homogeneous coordinates; bilinear forms of its quadrics come from this.
typedef struct Traits {
  double w, x, y, z;
  double radius;    // w R(z)
  double low, high; // w (z - z0), w (z1 - z)
} Traits;

typedef enum Plane {
  noPlane,
  lowerPlane,
  upperPlane,
  middlePlane, // as near to the lower as to the upper cap
  frontPlane,  // of a beam: x = half
  backPlane,
} Plane;

typedef enum Quadric {
  sideQuadric,
  lowerQuadric, // as near to the lower cap as to the side
  upperQuadric,
  noQuadric,
} Quadric;

// One kind of place on the other body.
typedef struct Place {
  Plane plane;
  Quadric quadric;
  int segment;
} Place;

typedef struct Finder {
  const crRuled* ruled;
  const crCurvedBody* other;
  const crPose* X;
  const crZone* zone;
  bool hasLower, hasUpper; // caps of the other that places in the zone can be nearest to,
  bool hasSide;            // its side likewise,
  bool hasSegments[CR_MAX_SEGMENTS];
  double size, near;
  double from, to; // range of v that curves are given on
  Traits apex;
  Traits curves[2][3]; // of both ends, or the first: of a cap's chords
  int curveCount;
  int base; // the curve that lines pass: the one of larger radius
  crBreaks* breaks;
  crBreaks* caps;
} Finder;

static Traits see(const Finder* finder, crHomogeneous h)
{
  const crCurvedBody* b = finder->other;
  crVec3 x = crMulAdd(crMulMV(finder->X->R, h.x), h.w, finder->X->p);
  return (Traits){ .w = h.w,
                   .x = x.x,
                   .y = x.y,
                   .z = x.z,
                   .radius = (b->r0 - b->slope * b->z0) * h.w + b->slope * x.z,
                   .low = x.z - b->z0 * h.w,
                   .high = b->z1 * h.w - x.z };
}

// a p + b q
static Traits combine(double a, const Traits* p, double b, const Traits* q)
{
  return (Traits){ a * p->w + b * q->w,      a * p->x + b * q->x,           a * p->y + b * q->y,
                   a * p->z + b * q->z,      a * p->radius + b * q->radius, a * p->low + b * q->low,
                   a * p->high + b * q->high };
}

static double evalPlane(const crCurvedBody* body, Plane plane, const Traits* p)
{
  switch (plane) {
    case lowerPlane: return p->low;
    case upperPlane: return p->high;
    case middlePlane: return 0.5 * (p->low - p->high);
    case frontPlane: return p->x - body->half * p->w;
    case backPlane: return p->x + body->half * p->w;
    default: return 0.0;
  }
}

static inline double evalQuadric(const crCurvedBody* body, const Place* place, const Traits* p, const Traits* q)
{
  double x = crCurvedBody_SeeX(body, place->segment, p->x, p->w) * crCurvedBody_SeeX(body, place->segment, q->x, q->w);
  double side = p->radius * q->radius - x - p->y * q->y;
  switch (place->quadric) {
    case lowerQuadric: return body->cosine * side - (p->radius * q->low + q->radius * p->low);
    case upperQuadric: return body->cosine * side - (p->radius * q->high + q->radius * p->high);
    default: return side;
  }
}

static crQuartic evalCurve(const crCurvedBody* body, const Place* place, const Traits c[3])
{
  return crMakeQuartic(evalQuadric(body, place, &c[0], &c[0]), evalQuadric(body, place, &c[0], &c[1]),
                       evalQuadric(body, place, &c[0], &c[2]), evalQuadric(body, place, &c[1], &c[1]),
                       evalQuadric(body, place, &c[1], &c[2]), evalQuadric(body, place, &c[2], &c[2]));
}

// --------------------------------------------------------------------------------------------- a point

// Whether a point in the other's axes is on the boundary of pieces that the place is about, or at most `near` [m] from
// it.
static bool isAtPlace(const Finder* finder, const Place* place, crVec3 x, double near)
{
  const crCurvedBody* b = finder->other;
  double depth = crCurvedBody_FindDepth(b, x);
  if (!(depth > -near)) {
    return false;
  }
  if (place->quadric != noQuadric) {
    double radius = crCurvedBody_FindRadius(b, x.z), y = crCurvedBody_SeeX(b, place->segment, x.x, 1.0);
    if (fabs(crCurvedBody_FindSide(b, radius, y * y + x.y * x.y) - depth) > near) {
      return false;
    }
  }
  bool isLower = place->quadric == lowerQuadric || place->plane == lowerPlane || place->plane == middlePlane;
  bool isUpper = place->quadric == upperQuadric || place->plane == upperPlane || place->plane == middlePlane;
  return !(isLower && fabs(x.z - b->z0 - depth) > near) && !(isUpper && fabs(b->z1 - x.z - depth) > near);
}

static void pushBreak(crBreaks* breaks, double v, bool isTangent)
{
  if (v > -1.0 && v < 1.0 && breaks->count < CR_MAX_BREAKS) {
    breaks->list[breaks->count++] = (crBreak){ v, isTangent };
  }
}

// At an end of the line: 0, 1.
static void tryEnd(const Finder* finder, const Place* place, int end, double v)
{
  crRuledLine line = crRuled_FindLine(finder->ruled, v);
  crVec3 x = end ? crAdd(line.p, line.u) : line.p;
  if (!isAtPlace(finder, place, crTransformPoint(*finder->X, x), finder->near)) {
    return;
  }
  pushBreak(finder->breaks, v, false);
  double r = end ? finder->ruled->own->r1 : finder->ruled->own->r0;
  if (finder->ruled->kind == cr_ruledArc && r > 0.0) {
    pushBreak(&finder->caps[end], x.y / r, false);
  }
}

// Where the line passes a plane, or comes nearest to the quadric.
static void tryLine(const Finder* finder, const Place* place, double v)
{
  const crCurvedBody* b = finder->other;
  crRuledLine line = crRuled_FindLine(finder->ruled, v);
  Traits p = see(finder, (crHomogeneous){ line.p, 1.0 }), u;
  crVec3 turned = crMulMV(finder->X->R, line.u);
  u = (Traits){ 0.0, turned.x, turned.y, turned.z, b->slope * turned.z, turned.z, -turned.z };
  double top, bottom;
  if (place->plane != noPlane) {
    top = -evalPlane(b, place->plane, &p);
    bottom = evalPlane(b, place->plane, &u);
  } else {
    top = -evalQuadric(b, place, &p, &u);
    bottom = evalQuadric(b, place, &u, &u);
  }
  // a line that is nearly parallel to a plane: where it passes that is not well known
  double t = top / bottom, blur = place->plane != noPlane ? CR_BREAK_NEAR * finder->size / fabs(bottom) : 0.0;
  if (!(t > -CR_BREAK_BEYOND - blur && t < 1.0 + CR_BREAK_BEYOND + blur)) {
    return;
  }
  crVec3 x = crMulAdd(crMakeVec3(p.x, p.y, p.z), t, turned);
  if (isAtPlace(finder, place, x, finder->near + blur * finder->size)) {
    pushBreak(finder->breaks, v, place->plane == noPlane && place->quadric == sideQuadric);
  }
}

// ------------------------------------------------------------------------------------------ conditions

static inline double toV(const Finder* finder, double root)
{
  return finder->from + (finder->to - finder->from) * root;
}

static double largestOf(const crQuartic* q)
{
  double most = 0.0;
  for (int i = 0; i < 5; ++i) {
    most = fabs(q->c[i]) > most ? fabs(q->c[i]) : most;
  }
  return most;
}

static void findEnds(const Finder* finder, const Place* place, int end)
{
  const Traits* c = finder->curves[end];
  crQuartic q;
  double noise = CR_BREAK_NOISE * finder->size;
  if (place->quadric == noQuadric) {
    double f[3];
    for (int i = 0; i < 3; ++i) {
      f[i] = evalPlane(finder->other, place->plane, &c[i]);
    }
    q = crRaiseBernstein(f);
  } else {
    q = evalCurve(finder->other, place, c);
    noise *= finder->size;
  }
  double roots[CR_QUARTIC_ROOTS];
  if (crMayHaveRoots(&q, noise)) {
    int n = crFindQuarticRoots(&q, noise, roots);
    for (int i = 0; i < n; ++i) {
      tryEnd(finder, place, end, toV(finder, roots[i]));
    }
  }
}

static void tryLines(const Finder* finder, const Place* place, const crQuartic* q, double noise)
{
  double roots[CR_QUARTIC_ROOTS];
  if (crMayHaveRoots(q, noise)) {
    int n = crFindQuarticRoots(q, noise, roots);
    for (int i = 0; i < n; ++i) {
      tryLine(finder, place, toV(finder, roots[i]));
    }
  }
}

static void findTangents(const Finder* finder, Quadric quadric, int segment)
{
  Place place = { noPlane, quadric, segment };
  const Traits* c = finder->curves[finder->base];
  double own = evalQuadric(finder->other, &place, &finder->apex, &finder->apex), mixed[3];
  for (int i = 0; i < 3; ++i) {
    mixed[i] = evalQuadric(finder->other, &place, &finder->apex, &c[i]);
  }
  crQuartic q = evalCurve(finder->other, &place, c), squares = crMultiplyBernstein(mixed, mixed);
  double noise = CR_BREAK_NOISE * (largestOf(&squares) + fabs(own) * finder->size * finder->size);
  for (int i = 0; i < 5; ++i) {
    q.c[i] = squares.c[i] - own * q.c[i];
  }
  tryLines(finder, &place, &q, noise);
}

static void findCurves(const Finder* finder, Plane plane, Quadric quadric, int segment)
{
  Place place = { plane, quadric, segment };
  const Traits* c = finder->curves[finder->base];
  Traits z[3];
  double own = evalPlane(finder->other, plane, &finder->apex), most = 0.0;
  for (int i = 0; i < 3; ++i) {
    double f = evalPlane(finder->other, plane, &c[i]);
    most = fabs(f) > most ? fabs(f) : most;
    z[i] = combine(f, &finder->apex, -own, &c[i]);
  }
  crQuartic q = evalCurve(finder->other, &place, z);
  double scale = (most + fabs(own)) * finder->size;
  tryLines(finder, &place, &q, CR_BREAK_NOISE * scale * scale);
}

// Whether lines on both sides have other spans.
static bool changesAcross(const Finder* finder, double v)
{
  crSpan spans[2][CR_MAX_SPANS];
  int count[2];
  for (int i = 0; i < 2; ++i) {
    crRuledLine line =
        crRuled_FindLine(finder->ruled, crMin2(crMax2(v + (i ? 1.0 : -1.0) * CR_BREAK_ACROSS, -1.0), 1.0));
    crVec3 p = crTransformPoint(*finder->X, line.p), u = crMulMV(finder->X->R, line.u);
    count[i] = crFindSpans(finder->other, &p, &u, spans[i]);
  }
  bool areSame = count[0] == count[1];
  for (int i = 0; i < count[0] && areSame; ++i) {
    areSame = spans[0][i].kind == spans[1][i].kind && spans[0][i].segment == spans[1][i].segment;
  }
  return !areSame;
}

// Lines that are parallel to a plane, or nearly so, pass it as a whole: roots of a curve in it are double, or too near
// to each other to be told apart.
static void findParallel(const Finder* finder, Plane plane)
{
  const Traits* c = finder->curves[finder->base];
  if (fabs(evalPlane(finder->other, plane, &finder->apex)) > CR_BREAK_PARALLEL * finder->size) {
    return;
  }
  double f[3], roots[CR_QUARTIC_ROOTS];
  for (int i = 0; i < 3; ++i) {
    f[i] = evalPlane(finder->other, plane, &c[i]);
  }
  crQuartic q = crRaiseBernstein(f);
  int n = crFindQuarticRoots(&q, CR_BREAK_NOISE * finder->size, roots);
  for (int i = 0; i < n; ++i) {
    double v = toV(finder, roots[i]);
    if (changesAcross(finder, v)) {
      pushBreak(finder->breaks, v, false);
    }
  }
}

// Of one segment of the other's side.
static void findOfSegment(const Finder* finder, int segment)
{
  bool hasLower = finder->hasLower && finder->other->r0 > 0.0, hasUpper = finder->hasUpper && finder->other->r1 > 0.0;
  for (Quadric quadric = sideQuadric; quadric <= upperQuadric; ++quadric) {
    if ((quadric == lowerQuadric && !hasLower) || (quadric == upperQuadric && !hasUpper)) {
      continue;
    }
    Place place = { noPlane, quadric, segment };
    for (int end = 0; end < 2 && finder->ruled->kind != cr_ruledCap; ++end) {
      findEnds(finder, &place, end);
    }
    findTangents(finder, quadric, segment);
    if (segment == 1 && finder->hasSegments[0]) {
      findCurves(finder, frontPlane, quadric, segment);
    }
    if (segment == 1 && finder->hasSegments[2]) {
      findCurves(finder, backPlane, quadric, segment);
    }
  }
  if (finder->hasLower) {
    findCurves(finder, lowerPlane, sideQuadric, segment);
  }
  if (finder->hasUpper) {
    findCurves(finder, upperPlane, sideQuadric, segment);
  }
  if (finder->hasLower && finder->hasUpper) {
    findCurves(finder, middlePlane, lowerQuadric, segment);
  }
}

// ---------------------------------------------------------------------------------------------- range

// A half-space that the other body is in: where low z + high (-z) + ... >= 0.
typedef struct Wall {
  double low, high, radius, w, x, y;
} Wall;

// sign along . (x - middle) + half >= 0
static Wall makeZoneWall(const crCurvedBody* body, const crZone* zone, int axis, double sign)
{
  crVec3 a = crScale(sign, zone->axes[axis]);
  return (Wall){ .low = a.z, .x = a.x, .y = a.y, .w = zone->half[axis] + a.z * body->z0 - crDot(a, zone->middle) };
}

static double evalWall(const Wall* wall, const Traits* p)
{
  return wall->low * p->low + wall->high * p->high + wall->radius * p->radius + wall->w * p->w + wall->x * p->x +
         wall->y * p->y;
}

// Across the axis, with (x, y) of any length: n . x <= R(z) + half |n_x|, n of unit length.
static bool makeWall(const crCurvedBody* body, double x, double y, Wall* out)
{
  double length = sqrt(x * x + y * y);
  if (!(length > CR_BREAK_NEAR * body->size)) {
    return false;
  }
  double nx = x / length, ny = y / length;
  *out = (Wall){ .radius = 1.0, .w = body->half * fabs(nx), .x = -nx, .y = -ny };
  return true;
}

// The least interval that holds all places where a function, given by its Bernstein coefficients on 0 ... 1, is not
// negative. False: there are none.
static bool boundPositive(const double c[3], double* outFrom, double* outTo)
{
  if (c[0] < 0.0 && c[1] < 0.0 && c[2] < 0.0) {
    return false;
  }
  *outFrom = 0.0;
  *outTo = 1.0;
  double a = c[0] - 2.0 * c[1] + c[2], b = c[1] - c[0], square = b * b - a * c[0];
  if ((c[0] >= 0.0 && c[2] >= 0.0) || !(square > 0.0)) {
    return c[0] >= 0.0 || c[2] >= 0.0;
  }
  double g = b > 0.0 ? -b - sqrt(square) : -b + sqrt(square), first = g / a, second = c[0] / g;
  double low = crMin2(first, second), high = crMax2(first, second);
  if (c[0] < 0.0 && c[2] < 0.0 && !(low < 1.0 && high > 0.0)) {
    return false;
  }
  *outFrom = c[0] >= 0.0 ? 0.0 : low > 0.0 ? low : high;
  *outTo = c[2] >= 0.0 ? 1.0 : high < 1.0 ? high : low;
  return true;
}

// Lines that have a point behind the wall: 0 ... 1.
static bool clipByWall(const Finder* finder, const Wall* wall, double* ioFrom, double* ioTo)
{
  double most = 0.0, least = 1.0;
  double reach = finder->curveCount == 1 ? fabs(evalWall(wall, &finder->apex)) : 0.0;
  for (int end = 0; end < finder->curveCount; ++end) {
    double c[3], from, to;
    for (int i = 0; i < 3; ++i) {
      c[i] = evalWall(wall, &finder->curves[end][i]) + reach;
    }
    if (boundPositive(c, &from, &to)) {
      least = crMin2(least, from);
      most = crMax2(most, to);
    }
  }
  *ioFrom = crMax2(*ioFrom, least - CR_BREAK_WIDER);
  *ioTo = crMin2(*ioTo, most + CR_BREAK_WIDER);
  return *ioFrom < *ioTo;
}

// Coefficients on from ... to instead of 0 ... 1.
static void restrictCurve(double from, double to, Traits c[3])
{
  Traits a0 = combine(1.0 - from, &c[0], from, &c[1]), a1 = combine(1.0 - from, &c[1], from, &c[2]);
  Traits b0 = combine(1.0 - to, &c[0], to, &c[1]), b1 = combine(1.0 - to, &c[1], to, &c[2]);
  c[0] = combine(1.0 - from, &a0, from, &a1);
  c[1] = combine(1.0 - to, &a0, to, &a1);
  c[2] = combine(1.0 - to, &b0, to, &b1);
}

// Lines outside of a range of v are apart from the other body. axis: the own one in the other's axes; middle: of the
// own body there.
static bool findRange(Finder* finder, crVec3 axis, crVec3 middle)
{
  double from = 0.0, to = 1.0;
  Wall walls[10] = { { .low = 1.0 }, { .high = 1.0 } };
  int count = 2;
  for (int i = 0; i < 3; ++i) {
    walls[count++] = makeZoneWall(finder->other, finder->zone, i, 1.0);
    walls[count++] = makeZoneWall(finder->other, finder->zone, i, -1.0);
  }
  double sign = axis.x * middle.y - axis.y * middle.x > 0.0 ? 1.0 : -1.0; // across both axes, towards the middle
  count += makeWall(finder->other, -sign * axis.y * finder->size, sign * axis.x * finder->size, &walls[count]);
  count += makeWall(finder->other, middle.x, middle.y, &walls[count]);
  for (int i = 0; i < count; ++i) {
    if (!clipByWall(finder, &walls[i], &from, &to)) {
      return false;
    }
  }
  for (int end = 0; end < finder->curveCount && to - from < 1.0; ++end) {
    restrictCurve(from, to, finder->curves[end]);
  }
  finder->from = 2.0 * from - 1.0;
  finder->to = 2.0 * to - 1.0;
  return true;
}

// ------------------------------------------------------------------------------------------------- all

static Finder makeFinder(const crRuled* ruled, const crCurvedBody* other, const crPose* X)
{
  Finder finder = { .ruled = ruled, .other = other, .X = X };
  const crCurvedBody* own = ruled->own;
  finder.size = own->size + other->size + crLength(X->p);
  finder.near = CR_BREAK_NEAR * finder.size;
  finder.apex = see(&finder, crRuled_FindApex(ruled));
  finder.curveCount = ruled->kind == cr_ruledCap ? 1 : 2;
  for (int end = 0; end < finder.curveCount; ++end) {
    crHomogeneous curve[3];
    crRuled_FindCurve(ruled, end, curve);
    for (int i = 0; i < 3; ++i) {
      finder.curves[end][i] = see(&finder, curve[i]);
    }
  }
  finder.base = finder.curveCount == 2 && own->r1 > own->r0;
  return finder;
}

// Which pieces of the other's surface places in the zone can be nearest to, or beyond.
static void findPieces(Finder* finder, double depth)
{
  const crCurvedBody* b = finder->other;
  const crZone* zone = finder->zone;
  crVec3 middle = zone->middle, across = crMakeVec3(1.0, 0.0, 0.0), along = crMakeVec3(0.0, 0.0, 1.0);
  double x = crZone_FindSpread(zone, across), z = crZone_FindSpread(zone, along), most = depth + finder->near;
  finder->hasLower = middle.z - z - b->z0 < most;
  finder->hasUpper = b->z1 - middle.z - z < most;
  double wide = 0.0;
  for (int i = 0; i < 3; ++i) {
    crVec3 e = zone->axes[i];
    wide += zone->half[i] * sqrt(e.x * e.x + e.y * e.y);
  }
  double over = crMax2(fabs(middle.x) - b->half, 0.0), rho = sqrt(over * over + middle.y * middle.y) + wide;
  double radius = crCurvedBody_FindRadius(b, middle.z) - fabs(b->slope) * z;
  finder->hasSide = !(radius > 0.0) || 0.5 * b->cosine * (radius - rho * rho / radius) < most;
  finder->hasSegments[0] = !(b->half > 0.0) || middle.x + x > b->half - finder->near;
  finder->hasSegments[1] = fabs(middle.x) - x < b->half + finder->near;
  finder->hasSegments[2] = middle.x - x < finder->near - b->half;
}

bool crFindBreaks(const crRuled* ruled, const crCurvedBody* other, const crPose* X, const crZone* zone, double depth,
                  crBreaks* ioBreaks, crBreaks* ioCaps, double outRange[2])
{
  Finder finder = makeFinder(ruled, other, X);
  finder.zone = zone;
  crVec3 middle = crMakeVec3(0.0, 0.0, 0.5 * (ruled->own->z0 + ruled->own->z1));
  if (!findRange(&finder, X->R.cz, crTransformPoint(*X, middle))) {
    return false;
  }
  outRange[0] = crMax2(finder.from, -1.0);
  outRange[1] = crMin2(finder.to, 1.0);
  finder.breaks = ioBreaks;
  finder.caps = ioCaps;
  findPieces(&finder, depth);
  const bool hasPlane[backPlane + 1] = { [lowerPlane] = finder.hasLower,
                                         [upperPlane] = finder.hasUpper,
                                         [middlePlane] = finder.hasLower && finder.hasUpper,
                                         [frontPlane] = finder.hasSegments[0] && finder.hasSegments[1],
                                         [backPlane] = finder.hasSegments[1] && finder.hasSegments[2] };
  Plane last = other->half > 0.0 ? backPlane : middlePlane;
  for (Plane plane = lowerPlane; plane <= last; ++plane) {
    if (!hasPlane[plane]) {
      continue;
    }
    Place place = { plane, noQuadric, 0 };
    findParallel(&finder, plane);
    for (int end = 0; end < 2 && ruled->kind != cr_ruledCap; ++end) {
      findEnds(&finder, &place, end);
    }
  }
  for (int segment = 0; finder.hasSide && segment < crCurvedBody_CountSegments(other); ++segment) {
    if (finder.hasSegments[segment]) {
      findOfSegment(&finder, segment);
    }
  }
  return true;
}

void crSortBreaks(crBreaks* breaks)
{
  crBreak* list = breaks->list;
  for (int i = 1; i < breaks->count; ++i) {
    crBreak next = list[i];
    int k = i;
    for (; k > 0 && list[k - 1].v > next.v; --k) {
      list[k] = list[k - 1];
    }
    list[k] = next;
  }
}
