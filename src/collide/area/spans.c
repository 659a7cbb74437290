#include "collide/area/spans.h"

#include "collide/area/polygon.h"

#define CR_MAX_CUTS 8

// a t^2 + 2 b t + c
typedef struct Quadratic {
  double a, b, c;
} Quadratic;

// What a segment of the side says along a line.
typedef struct Along {
  const crCurvedBody* body;
  Quadratic side; // R^2 - rho^2
  double r, dr;   // R = r + t dr
  double z, dz;   // height above z0
  double tall;    // z1 - z0
} Along;

static inline double valueOf(const Quadratic* q, double t)
{
  return (q->a * t + 2.0 * q->b) * t + q->c;
}

// Both roots in ascending order; false: none.
static inline bool solve(const Quadratic* q, double roots[2])
{
  double square = q->b * q->b - q->a * q->c;
  if (!(square > 0.0)) {
    return false;
  }
  double g = q->b > 0.0 ? -q->b - sqrt(square) : -q->b + sqrt(square);
  double x = q->a != 0.0 ? g / q->a : HUGE_VAL * (g > 0.0 ? 1.0 : -1.0), y = g != 0.0 ? q->c / g : x;
  roots[0] = crMin2(x, y);
  roots[1] = crMax2(x, y);
  return true;
}

// The part of from ... to where the line is inside the side. The radius is nowhere negative there, so that of a cone's
// two nappes only one is met, and what is inside of it has no gap.
static bool clipBySide(const Quadratic* q, double* from, double* to)
{
  double roots[2];
  double atFrom = valueOf(q, *from), atTo = valueOf(q, *to);
  if (atFrom >= 0.0 && atTo >= 0.0) {
    return true;
  }
  if (!solve(q, roots)) {
    return false;
  }
  if (atFrom < 0.0 && atTo < 0.0) { // a < 0, or nothing is inside
    if (!(q->a < 0.0) || roots[0] >= *to || roots[1] <= *from) {
      return false;
    }
    *from = roots[0];
    *to = roots[1];
  } else { // one root is between
    double first = crMin2(crMax2(roots[0], *from), *to), second = crMin2(crMax2(roots[1], *from), *to);
    double root = fabs(roots[0] - first) <= fabs(roots[1] - second) ? first : second; // rounding errors put it outside
    *from = atFrom < 0.0 ? root : *from;
    *to = atFrom < 0.0 ? *to : root;
  }
  return *to > *from;
}

static inline crSpanKind findKind(const Along* along, double t)
{
  double radius = along->r + t * along->dr, low = along->z + t * along->dz, high = along->tall - low;
  double cap = crMin2(low, high), side = along->body->cosine * valueOf(&along->side, t);
  return side <= 2.0 * radius * cap ? cr_spanSide : low <= high ? cr_spanLower : cr_spanUpper;
}

static void insertCut(double t, double from, double to, double* cuts, int* count)
{
  if (t > from && t < to) {
    int i = (*count)++;
    for (; i > 0 && cuts[i - 1] > t; --i) {
      cuts[i] = cuts[i - 1];
    }
    cuts[i] = t;
  }
}

// As near to a cap, whose depth is h + t dh, as to the side: c (R^2 - rho^2) = 2 R h.
static void cutByCap(const Along* along, double h, double dh, double from, double to, double* cuts, int* count)
{
  double c = along->body->cosine, roots[2];
  Quadratic q = { c * along->side.a - 2.0 * along->dr * dh, c * along->side.b - along->r * dh - along->dr * h,
                  c * along->side.c - 2.0 * along->r * h };
  if (solve(&q, roots)) {
    insertCut(roots[0], from, to, cuts, count);
    insertCut(roots[1], from, to, cuts, count);
  }
}

// An upper bound of the depth to the side.
static double boundSide(const Along* along, double from, double to)
{
  const Quadratic* q = &along->side;
  double ra = along->r + from * along->dr, rb = along->r + to * along->dr, least = crMin2(ra, rb);
  double most = crMax2(valueOf(q, from), valueOf(q, to)), half = 0.5 * along->body->cosine;
  if (q->a * from + q->b > 0.0 && q->a * to + q->b < 0.0) {
    most = q->c - q->b * q->b / q->a;
  }
  if (along->body->slope == 0.0) {
    return half * most * along->body->inverse;
  }
  double all = half * crMax2(ra, rb);
  return most < 2.0 * least * all ? half * most / least : all;
}

static void addSpan(double from, double to, crSpanKind kind, int segment, crSpan* spans, int* count)
{
  if (*count > 0 && spans[*count - 1].kind == kind && spans[*count - 1].segment == segment) {
    spans[*count - 1].to = to;
  } else if (*count < CR_MAX_SPANS) {
    spans[(*count)++] = (crSpan){ from, to, kind, segment };
  }
}

// All of from ... to is inside.
static void splitByNearest(const Along* along, double from, double to, int segment, crSpan* spans, int* count)
{
  double cuts[CR_MAX_CUTS], low = along->z + from * along->dz, high = along->z + to * along->dz;
  int n = 0;
  double bound = boundSide(along, from, to);
  bool isLow = crMin2(low, high) < bound, isHigh = along->tall - crMax2(low, high) < bound;
  if (isLow) {
    cutByCap(along, along->z, along->dz, from, to, cuts, &n);
  }
  if (isHigh) {
    cutByCap(along, along->tall - along->z, -along->dz, from, to, cuts, &n);
  }
  if (isLow && isHigh && along->dz != 0.0) {
    insertCut((0.5 * along->tall - along->z) / along->dz, from, to, cuts, &n);
  }
  cuts[n++] = to;
  for (int i = 0; i < n; ++i) {
    if (cuts[i] - from > CR_LEAST_SPAN) {
      addSpan(from, cuts[i], n > 1 || isLow || isHigh ? findKind(along, 0.5 * (from + cuts[i])) : cr_spanSide, segment,
              spans, count);
      from = cuts[i];
    }
  }
}

static void addSegment(const crCurvedBody* body, const crVec3* p, const crVec3* u, int segment, double from, double to,
                       crSpan* spans, int* count)
{
  double x = crCurvedBody_SeeX(body, segment, p->x, 1.0), dx = crCurvedBody_SeeX(body, segment, u->x, 0.0);
  Along along = { .body = body,
                  .r = crCurvedBody_FindRadius(body, p->z),
                  .dr = body->slope * u->z,
                  .z = p->z - body->z0,
                  .dz = u->z,
                  .tall = body->z1 - body->z0 };
  along.side = (Quadratic){ along.dr * along.dr - dx * dx - u->y * u->y, along.r * along.dr - x * dx - p->y * u->y,
                            along.r * along.r - x * x - p->y * p->y };
  if (clipBySide(&along.side, &from, &to)) {
    splitByNearest(&along, from, to, segment, spans, count);
  }
}

// Segments of a beam that a line passes, in the order in which it does.
static void addBeam(const crCurvedBody* body, const crVec3* p, const crVec3* u, double from, double to, crSpan* spans,
                    int* count)
{
  double lower = (-body->half - p->x) / u->x, upper = (body->half - p->x) / u->x;
  if (u->x == 0.0) {
    int segment = p->x >= body->half ? 0 : p->x <= -body->half ? 2 : 1;
    addSegment(body, p, u, segment, from, to, spans, count);
    return;
  }
  bool isForward = u->x > 0.0;
  double first = crMin2(crMax2(isForward ? lower : upper, from), to),
         second = crMin2(crMax2(isForward ? upper : lower, from), to);
  if (first > from) {
    addSegment(body, p, u, isForward ? 2 : 0, from, first, spans, count);
  }
  if (second > first) {
    addSegment(body, p, u, 1, first, second, spans, count);
  }
  if (to > second) {
    addSegment(body, p, u, isForward ? 0 : 2, second, to, spans, count);
  }
}

int crFindSpans(const crCurvedBody* body, const crVec3* p, const crVec3* u, crSpan outSpans[CR_MAX_SPANS])
{
  double from = 0.0, to = 1.0, low = p->z - body->z0, high = body->z1 - p->z;
  if (crMin2(crMin2(low, high), crMin2(low + u->z, high - u->z)) < 0.0) {
    double inverse = 1.0 / u->z, a = -low * inverse, b = high * inverse;
    if (u->z == 0.0) {
      return 0;
    }
    from = crMax2(from, crMin2(a, b));
    to = crMin2(to, crMax2(a, b));
  }
  int count = 0;
  if (!(to > from)) {
    return 0;
  }
  if (body->half > 0.0) {
    addBeam(body, p, u, from, to, outSpans, &count);
  } else {
    addSegment(body, p, u, 0, from, to, outSpans, &count);
  }
  return count;
}
