#include "collide/area/disc.h"

#include "collide/area/quadrature.h"

#define CR_LARGEST_SEGMENT 0.12 // [-] tan of a quarter of its angle: 1.2 rad
#define CR_MAX_SEGMENTS 32      // of one arc
#define CR_SHORTEST_CHORD 1e-24 // [-] square of half a chord over the radius: less is nothing
#define CR_SHORT_ARC 1e-12      // [-] square of its chord over the radius
#define CR_LANES CR_PATCH_LANES

// What all parts of one disc share.
typedef struct Disc {
  double radius;
  const crChart* chart;
  const crLinear* depth;
  crVec3 normal;
  crPatch* patch;
} Disc;

static void addPoint(const Disc* disc, double weight, crCorner p)
{
  crPatch_AddPoint(disc->patch, weight, crAtCorner(disc->depth, p), crInChart(disc->chart, p), disc->normal);
}

static void seeDepth(const Disc* disc, crCorner p)
{
  double d = crAtCorner(disc->depth, p);
  if (d > disc->patch->depth) {
    crPatch_SeeDepth(disc->patch, d, crInChart(disc->chart, p), disc->normal);
  }
}

// Seven points, exact up to the fifth degree. [Stroud71, S2:5-1]
static void addWhole(const Disc* disc)
{
  const double s60 = 0.86602540378443865;
  const double c[6] = { 1.0, 0.5, -0.5, -1.0, -0.5, 0.5 }, s[6] = { 0.0, s60, s60, 0.0, -s60, -s60 };
  double area = CR_PI * disc->radius * disc->radius, r = disc->radius * 0.81649658092772603; // sqrt(2 / 3)
  addPoint(disc, 0.25 * area, (crCorner){ 0.0, 0.0 });
  for (int k = 0; k < 6; ++k) {
    addPoint(disc, 0.125 * area, (crCorner){ r * c[k], r * s[k] });
  }
}

// Between the chord and the arc of two unit vectors, `spread` = tan of a quarter of the angle between: with t =
// tan(q / 2), q from the middle, the chord is at cos h / cos q and the gap to the arc is a product.
static void addSegment(const Disc* disc, crCorner middle, double spread)
{
  double near[CR_LANES], gap[CR_LANES], c[CR_LANES], s[CR_LANES], w[CR_LANES];
  double t2 = spread * spread, radius = disc->radius;
  for (int i = 0; i < CR_LANES; ++i) {
    double t = spread * cr_eightAlong.x[i], tt = t * t, q = 1.0 / (1.0 + tt), cosine = (1.0 - tt) * q,
           sine = 2.0 * t * q;
    gap[i] = radius * 2.0 * (t2 - tt) * q / ((1.0 + t2) * cosine);
    near[i] = radius - gap[i];
    c[i] = middle.u * cosine - middle.v * sine;
    s[i] = middle.v * cosine + middle.u * sine;
    w[i] = spread * cr_eightAlong.w[i] * q * gap[i]; // 2 of dq, 1/2 of the interval
  }
  for (int g = 0; g < 3; ++g) {
    int at = crPatch_MakeRoom(disc->patch, CR_LANES);
    crPatch* patch = disc->patch;
    const crChart* chart = disc->chart;
    for (int i = 0; i < CR_LANES; ++i) {
      double r = near[i] + 0.5 * gap[i] * (1.0 + cr_threeAlong.x[g]), u = r * c[i], v = r * s[i];
      patch->w[at + i] = w[i] * cr_threeAlong.w[g] * r;
      patch->d[at + i] = disc->depth->c + disc->depth->u * u + disc->depth->v * v;
      patch->x[0][at + i] = chart->origin.x + chart->e1.x * u + chart->e2.x * v;
      patch->x[1][at + i] = chart->origin.y + chart->e1.y * u + chart->e2.y * v;
      patch->x[2][at + i] = chart->origin.z + chart->e1.z * u + chart->e2.z * v;
      patch->m[0][at + i] = disc->normal.x;
      patch->m[1][at + i] = disc->normal.y;
      patch->m[2][at + i] = disc->normal.z;
    }
    patch->count = at + CR_LANES;
  }
}

// The middle of an arc from one unit vector to another, counter-clockwise, which may be longer than half a turn: to the
// right of its chord, or, where that is short, between its ends or opposite to them.
static crCorner middleOf(crCorner p, crCorner q)
{
  double du = q.u - p.u, dv = q.v - p.v, u = dv, v = -du;
  if (du * du + dv * dv < 1.0) {
    double sign = p.u * q.v - p.v * q.u < 0.0 ? -1.0 : 1.0;
    u = sign * (p.u + q.u);
    v = sign * (p.v + q.v);
  }
  double length = sqrt(u * u + v * v);
  return (crCorner){ u / length, v / length };
}

typedef struct Arc {
  crCorner from, to;
  bool isShort; // half a turn at most
} Arc;

// The segment of an arc; a long one in parts, with the triangle between.
static void addArc(const Disc* disc, crCorner from, crCorner to)
{
  Arc waiting[CR_MAX_SEGMENTS] = { { from, to, from.u * to.v - from.v * to.u >= 0.0 } };
  int count = 1;
  while (count > 0) {
    Arc now = waiting[--count];
    crCorner p = now.from, q = now.to, middle = middleOf(p, q);
    double du = q.u - p.u, dv = q.v - p.v, sine = 0.5 * sqrt(du * du + dv * dv);
    double cosine = sqrt(crMax2(1.0 - sine * sine, 0.0)), spread = sine / (1.0 + cosine);
    if ((!now.isShort || spread > CR_LARGEST_SEGMENT) && count < CR_MAX_SEGMENTS - 2) {
      double R = disc->radius;
      crPatch_AddTriangle(disc->patch, disc->chart, disc->depth, (crCorner){ R * p.u, R * p.v },
                          (crCorner){ R * middle.u, R * middle.v }, (crCorner){ R * q.u, R * q.v }, disc->normal);
      waiting[count++] = (Arc){ middle, q, true };
      waiting[count++] = (Arc){ p, middle, true };
    } else {
      addSegment(disc, middle, spread);
    }
  }
}

// Corners of what is inside both, each with whether an arc follows.
typedef struct Outline {
  int count;
  crCorner corners[2 * CR_MAX_POLYGON];
  bool isArc[2 * CR_MAX_POLYGON];
} Outline;

// The part of an edge inside the circle. Roots in the form that loses no digits.
static void addEdge(crCorner p, crCorner q, double radius, Outline* out)
{
  double du = q.u - p.u, dv = q.v - p.v, a = du * du + dv * dv, b = p.u * du + p.v * dv,
         c = p.u * p.u + p.v * p.v - radius * radius, root = b * b - a * c;
  if (!(root > CR_SHORTEST_CHORD * a * radius * radius)) {
    return;
  }
  double s = sqrt(root), far = b > 0.0 ? -b - s : s - b; // times 1 / a
  double from = b > 0.0 ? far / a : c / far, to = b > 0.0 ? c / far : far / a;
  bool isWhole = to >= 1.0;
  from = crMax2(from, 0.0);
  to = crMin2(to, 1.0);
  if (!(from < to)) {
    return;
  }
  if (from > 0.0 || out->count == 0 || out->isArc[out->count - 1]) {
    out->isArc[out->count] = false;
    out->corners[out->count++] = (crCorner){ p.u + from * du, p.v + from * dv };
  }
  out->isArc[out->count] = !isWhole;
  out->corners[out->count++] = (crCorner){ p.u + to * du, p.v + to * dv };
}

// Whether a polygon goes around the middle of the disc at some distance; one without any area does not.
static bool isAround(int n, const crCorner* x, double radius)
{
  int count = 0;
  for (int i = 0; i < n; ++i) {
    const crCorner *p = &x[i], *q = &x[i + 1 < n ? i + 1 : 0];
    double du = q->u - p->u, dv = q->v - p->v, length = sqrt(du * du + dv * dv);
    double beside = p->u * dv - p->v * du; // distance from the centre times the length
    if (beside < 0.5 * radius * length) {
      return false;
    }
    count += length > 0.0;
  }
  return count > 2;
}

static crCorner toUnit(crCorner p)
{
  double q = 1.0 / sqrt(p.u * p.u + p.v * p.v);
  return (crCorner){ q * p.u, q * p.v };
}

// An arc that is next to nothing or all of the circle: by rounding errors a thin polygon may leave the circle behind
// where it came in.
static bool isReversed(crCorner p, crCorner q)
{
  double du = q.u - p.u, dv = q.v - p.v;
  return du * du + dv * dv < CR_SHORT_ARC && p.u * q.v - p.v * q.u < 0.0;
}

static void addOutline(const Disc* disc, const Outline* outline, bool isWide)
{
  const crCorner* x = outline->corners;
  int n = outline->count;
  for (int i = 0; i < n; ++i) {
    seeDepth(disc, x[i]);
    if (i > 1) {
      crPatch_AddTriangle(disc->patch, disc->chart, disc->depth, x[0], x[i - 1], x[i], disc->normal);
    }
    if (outline->isArc[i]) {
      crCorner from = toUnit(x[i]), to = toUnit(x[i + 1 < n ? i + 1 : 0]);
      if (isWide || !isReversed(from, to)) {
        addArc(disc, from, to);
      }
    }
  }
}

void crPatch_AddInDisc(crPatch* patch, int n, const crCorner* x, double radius, const crChart* chart,
                       const crLinear* depth, crVec3 normal)
{
  Disc disc = { radius, chart, depth, normal, patch };
  Outline outline;
  outline.count = 0;
  for (int i = 0; i < n; ++i) {
    addEdge(x[i], x[i + 1 < n ? i + 1 : 0], radius, &outline);
  }
  if (outline.count >= 2) {
    addOutline(&disc, &outline, isAround(n, x, radius));
  } else if (isAround(n, x, radius)) {
    addWhole(&disc);
  }
}
