#include "geometry/profile_spline.h"

#include "base/memory.h"
#include "geometry/profile.h"

#define CR_SWEEPS 100       // of the equations of slopes, whose error at least halves in each
#define CR_SAMPLES 8        // places of a stretch that an error is measured at
#define CR_MOST_DEPTH 20    // halves of halves
#define CR_MOST_TURN 0.5    // [rad] of a pair of arcs
#define CR_STRAIGHT 1e-12   // [-] half a chord over its radius, below which an arc is a line
#define CR_ERROR_SHARE 1e-7 // [-] of the size: of arcs unless given
#define CR_MOST_POINTS 100000

typedef struct Spline {
  const crProfileDef* def;
  const crAllocator* allocator;
  crPlanePoint* slopes; // (pointCount) derivatives by the length of chords
  double error;         // [m]
  crPlainProfile* plain;
  bool isFull;
} Spline;

double crFindSplineError(const crProfileDef* def)
{
  double size = 0.0;
  for (int i = 0; i < def->pointCount; ++i) {
    size = fmax(size, fmax(fabs(def->points[i].x), fabs(def->points[i].y)));
  }
  return def->error > 0.0 ? def->error : CR_ERROR_SHARE * size;
}

static crPlanePoint pointOf(const crProfileDef* def, int i)
{
  return (crPlanePoint){ def->points[i].x, def->points[i].y };
}

static int before(const crProfileDef* def, int i)
{
  return i > 0 ? i - 1 : def->pointCount - 1;
}

static int behind(const crProfileDef* def, int i)
{
  return i + 1 < def->pointCount ? i + 1 : 0;
}

// ---------------------------------------------------------------------------------------------- slopes

// 3 times the chord from a to b over its length, and that length.
static crPlanePoint chord(const crProfileDef* def, int a, int b, double* outLength)
{
  crPlanePoint v = crPlaneSub(pointOf(def, b), pointOf(def, a));
  *outLength = crPlaneLength(v);
  return (crPlanePoint){ 3.0 * v.x / *outLength, 3.0 * v.y / *outLength };
}

// From those of its neighbours: second derivatives agree, or are 0 at an end.
static crPlanePoint findSlope(const Spline* spline, int i)
{
  const crProfileDef* def = spline->def;
  const crProfilePoint* p = &def->points[i];
  int a = before(def, i), b = behind(def, i);
  bool hasA = p->isSpline, hasB = def->points[b].isSpline;
  if (p->hasTangent) {
    double length = crPlaneLength((crPlanePoint){ p->tangentX, p->tangentY });
    return (crPlanePoint){ p->tangentX / length, p->tangentY / length };
  }
  double ofA = 1.0, ofB = 1.0;
  crPlanePoint sum = { 0.0, 0.0 };
  if (hasA) {
    crPlanePoint v = chord(def, a, i, &ofA);
    sum = crPlaneAdd(sum, 1.0 / ofA, crPlaneSub(v, spline->slopes[a]));
  }
  if (hasB) {
    crPlanePoint v = chord(def, i, b, &ofB);
    sum = crPlaneAdd(sum, 1.0 / ofB, crPlaneSub(v, spline->slopes[b]));
  }
  double weight = 2.0 * ((hasA ? 1.0 / ofA : 0.0) + (hasB ? 1.0 / ofB : 0.0));
  return weight > 0.0 ? (crPlanePoint){ sum.x / weight, sum.y / weight } : sum;
}

// ------------------------------------------------------------------------------------------------ arcs

typedef struct Node {
  crPlanePoint point, tangent; // of unit length
} Node;

// Of the cubic of way i, u = 0 ... 1.
static Node evaluate(const Spline* spline, int i, double u)
{
  const crProfileDef* def = spline->def;
  int a = before(def, i);
  crPlanePoint p = pointOf(def, a), v = crPlaneSub(pointOf(def, i), p);
  double h = crPlaneLength(v), w = 1.0 - u, bulge = u * u * (3.0 - 2.0 * u), steep = 6.0 * u * w;
  crPlanePoint s0 = spline->slopes[a], s1 = spline->slopes[i];
  Node node = { .point = crPlaneAdd(p, bulge, v), .tangent = { steep * v.x, steep * v.y } };
  node.point = crPlaneAdd(crPlaneAdd(node.point, h * u * w * w, s0), -h * u * u * w, s1);
  node.tangent = crPlaneAdd(crPlaneAdd(node.tangent, h * w * (1.0 - 3.0 * u), s0), h * u * (3.0 * u - 2.0), s1);
  double length = crPlaneLength(node.tangent);
  node.tangent = (crPlanePoint){ node.tangent.x / length, node.tangent.y / length };
  return node;
}

// Two arcs, the first along the tangent of a and the other along that of b, with legs of the same length.
typedef struct Pair {
  crPlanePoint middle;
  double first, second; // [1/m] > 0: to the left
} Pair;

static Pair makePair(const Node* a, const Node* b)
{
  crPlanePoint v = crPlaneSub(b->point, a->point), sum = crPlaneAdd(a->tangent, 1.0, b->tangent);
  crPlanePoint turn = crPlaneSub(b->tangent, a->tangent);
  double quadratic = crPlaneDot(turn, turn), linear = 2.0 * crPlaneDot(v, sum), square = crPlaneDot(v, v);
  double leg = 2.0 * square / (linear + sqrt(linear * linear + 4.0 * quadratic * square));
  crPlanePoint middle = crPlaneAdd(crPlaneAdd(a->point, leg, a->tangent), -leg, b->tangent);
  middle = crPlaneAdd(middle, 1.0, b->point);
  middle = (crPlanePoint){ 0.5 * middle.x, 0.5 * middle.y };
  crPlanePoint to = crPlaneSub(middle, a->point), from = crPlaneSub(b->point, middle);
  return (Pair){ middle, 2.0 * crPlaneCross(a->tangent, to) / crPlaneDot(to, to),
                 2.0 * crPlaneCross(from, b->tangent) / crPlaneDot(from, from) };
}

// [m] Of a point from the circle that leaves p along t: | |q|^2 k / 2 - q . left(t) | to first order.
static double findGap(crPlanePoint x, crPlanePoint p, crPlanePoint t, double curvature)
{
  crPlanePoint q = crPlaneSub(x, p);
  return fabs(crPlaneDot(q, crPlaneLeft(t)) - 0.5 * curvature * crPlaneDot(q, q));
}

static bool isWithin(const Spline* spline, int way, double from, double to, const Node* a, const Node* b,
                     const Pair* pair)
{
  if (crPlaneDot(a->tangent, b->tangent) < 1.0 - 0.5 * CR_MOST_TURN * CR_MOST_TURN) {
    return false;
  }
  crPlanePoint v = crPlaneSub(b->point, a->point);
  for (int i = 1; i < CR_SAMPLES; ++i) {
    Node x = evaluate(spline, way, from + (to - from) * i / CR_SAMPLES);
    bool isFirst = crPlaneDot(crPlaneSub(x.point, pair->middle), v) < 0.0;
    double gap = isFirst ? findGap(x.point, a->point, a->tangent, pair->first)
                         : findGap(x.point, b->point, b->tangent, pair->second);
    if (!(gap <= spline->error)) {
      return false;
    }
  }
  return true;
}

static void add(Spline* spline, crProfilePoint point, int source)
{
  crPlainProfile* plain = spline->plain;
  if (plain->count == plain->room) {
    spline->isFull = true;
    return;
  }
  plain->points[plain->count] = point;
  plain->sources[plain->count++] = source;
}

static void addArc(Spline* spline, crPlanePoint from, crPlanePoint to, double curvature, int way)
{
  double half = 0.5 * crPlaneLength(crPlaneSub(to, from));
  crProfilePoint point = { .x = to.x, .y = to.y };
  point.arc = fabs(curvature) * half > CR_STRAIGHT ? 1.0 / curvature : 0.0;
  add(spline, point, way);
}

static void addStretch(Spline* spline, int way, double from, double to, int depth)
{
  Node a = evaluate(spline, way, from), b = evaluate(spline, way, to);
  Pair pair = makePair(&a, &b);
  if (spline->isFull) {
    return;
  }
  if (depth == CR_MOST_DEPTH || isWithin(spline, way, from, to, &a, &b, &pair)) {
    addArc(spline, a.point, pair.middle, pair.first, way);
    addArc(spline, pair.middle, b.point, pair.second, way);
    return;
  }
  double middle = 0.5 * (from + to);
  addStretch(spline, way, from, middle, depth + 1);
  addStretch(spline, way, middle, to, depth + 1);
}

// The last arc ends at the point itself.
static void addWay(Spline* spline, int i)
{
  const crProfilePoint* to = &spline->def->points[i];
  if (!to->isSpline) {
    add(spline, *to, i);
    return;
  }
  addStretch(spline, i, 0.0, 1.0, 0);
  crPlainProfile* plain = spline->plain;
  if (!spline->isFull) {
    plain->points[plain->count - 1].x = to->x;
    plain->points[plain->count - 1].y = to->y;
  }
}

// The way to the first point closes the profile: what lies on it comes last, and its end first.
static void addWays(Spline* spline)
{
  const crProfileDef* def = spline->def;
  crPlainProfile* plain = spline->plain;
  crProfilePoint first = { .x = def->points[0].x, .y = def->points[0].y };
  add(spline, first, 0);
  for (int i = 1; i < def->pointCount; ++i) {
    addWay(spline, i);
  }
  if (def->isOpen) {
    return;
  }
  addWay(spline, 0);
  if (!spline->isFull) {
    plain->points[0] = plain->points[--plain->count];
  }
}

crStatus crMakePlainProfile(const crProfileDef* def, const crAllocator* allocator, crReporter* reporter,
                            crPlainProfile* outPlain)
{
  *outPlain = (crPlainProfile){ .room = CR_MOST_POINTS };
  bool hasSplines = false;
  for (int i = 0; i < def->pointCount; ++i) {
    hasSplines = hasSplines || def->points[i].isSpline;
  }
  outPlain->room = hasSplines ? CR_MOST_POINTS : def->pointCount + 1;
  Spline spline = { .def = def, .allocator = allocator, .error = crFindSplineError(def), .plain = outPlain };
  size_t count = (size_t)def->pointCount;
  spline.slopes = crAllocateZero(allocator, count, sizeof *spline.slopes);
  outPlain->points = crAllocateZero(allocator, (size_t)outPlain->room, sizeof *outPlain->points);
  outPlain->sources = crAllocateZero(allocator, (size_t)outPlain->room, sizeof *outPlain->sources);
  bool hasMemory = spline.slopes != NULL && outPlain->points != NULL && outPlain->sources != NULL;
  for (int sweep = 0; sweep < CR_SWEEPS && hasMemory && hasSplines; ++sweep) {
    for (int i = 0; i < def->pointCount; ++i) {
      spline.slopes[i] = findSlope(&spline, i);
    }
  }
  if (hasMemory) {
    addWays(&spline);
  }
  crFree(allocator, spline.slopes, count * sizeof *spline.slopes);
  if (hasMemory && !spline.isFull) {
    return cr_ok;
  }
  crPlainProfile_Free(outPlain, allocator);
  if (hasMemory) {
    crReportNumber(reporter, "the splines of a profile need too many arcs for their error", spline.error, "more", "m",
                   "100,000 arcs are the most");
  }
  return hasMemory ? cr_errorModel : cr_errorMemory;
}

void crPlainProfile_Free(crPlainProfile* plain, const crAllocator* allocator)
{
  crFree(allocator, plain->points, (size_t)plain->room * sizeof *plain->points);
  crFree(allocator, plain->sources, (size_t)plain->room * sizeof *plain->sources);
  *plain = (crPlainProfile){ .points = NULL };
}
