// Capsule against capsule: cores that are segments.
//
// Their Minkowski difference is flat, so it has no inside for the general routine to start from. The nearest
// points of two segments p + s d, q + t e minimize a quadratic function over the unit square: inside it where
// both derivatives vanish, else on one of its four sides.
#include "collide/distance/pair.h"

#define CR_PARALLEL_SINE 1e-14 // [-] below, two segments count as parallel
#define CR_ENOUGH_UNITS 4.0    // [noise] by which a normal may fall short

typedef struct Segment {
  crVec3 p, d; // p + s d, 0 <= s <= 1
} Segment;

static Segment segmentOf(const crShape* shape, const crPose* X_AS)
{
  crVec3 base = { 0.0, 0.0, shape->core.zMin }, top = { 0.0, 0.0, shape->core.zMax };
  Segment segment;
  if (X_AS != NULL) {
    base = crTransformPoint(*X_AS, base);
    top = crTransformPoint(*X_AS, top);
  }
  segment.p = base;
  segment.d = crSub(top, base);
  return segment;
}

static double clamp01(double s)
{
  return s > 0.0 ? (s < 1.0 ? s : 1.0) : 0.0;
}

// The parameter of the point of a segment nearest to x; its middle where it is a point.
static double nearestParameter(const Segment* segment, crVec3 x)
{
  double square = crLengthSquared(segment->d);
  return square > 0.0 ? clamp01(crDot(crSub(x, segment->p), segment->d) / square) : 0.5;
}

typedef struct Near {
  double s, t;
  crVec3 a, b;
  double square;
} Near;

static crVec3 pointAt(const Segment* segment, double s)
{
  return crMulAdd(segment->p, s, segment->d);
}

// Keeps a pair of points that is nearer by more than `slack` [m].
static void keepNearer(Near* best, const Segment* a, double s, const Segment* b, double t, double slack)
{
  crVec3 x = pointAt(a, s), y = pointAt(b, t);
  double square = crLengthSquared(crSub(y, x));
  if (slack > 0.0 ? sqrt(square) < sqrt(best->square) - slack : square < best->square) {
    *best = (Near){ s, t, x, y, square };
  }
}

static bool areParallel(const Segment* a, const Segment* b)
{
  double square = crLengthSquared(crCross(a->d, b->d)), lengths = crLengthSquared(a->d) * crLengthSquared(b->d);
  return !(square > CR_PARALLEL_SINE * CR_PARALLEL_SINE * lengths);
}

// Of two lines that cross at an angle: where the common perpendicular meets the first.
static bool findCrossing(const Segment* a, const Segment* b, double* outS)
{
  crVec3 N = crCross(a->d, b->d);
  *outS = crDot(crCross(crSub(b->p, a->p), b->d), N) / crLengthSquared(N);
  return *outS > 0.0 && *outS < 1.0;
}

// For parallel segments: the middle of the stretch in which they overlap, so that the points do not jump
// from end to end.
static bool findMiddleOfOverlap(const Segment* a, const Segment* b, double* outS)
{
  double square = crLengthSquared(a->d);
  if (!(square > 0.0) || !(crLengthSquared(b->d) > 0.0)) {
    return false;
  }
  double s0 = crDot(crSub(b->p, a->p), a->d) / square;
  double s1 = s0 + crDot(b->d, a->d) / square;
  double low = fmax(0.0, fmin(s0, s1)), high = fmin(1.0, fmax(s0, s1));
  *outS = 0.5 * (low + high);
  return low < high;
}

// Between parallel segments every point of the overlap is as near as the others but for rounding, which is no reason
// to leave its middle.
static Near nearestOfSegments(const Segment* a, const Segment* b, double noise)
{
  Near best = { .square = HUGE_VAL };
  double s, slack = 0.0;
  bool isParallel = areParallel(a, b);
  if (isParallel ? findMiddleOfOverlap(a, b, &s) : findCrossing(a, b, &s)) {
    double t = nearestParameter(b, pointAt(a, s));
    keepNearer(&best, a, nearestParameter(a, pointAt(b, t)), b, t, 0.0);
    slack = isParallel ? noise : 0.0;
  }
  for (int end = 0; end < 2; ++end) {
    keepNearer(&best, a, end, b, nearestParameter(b, pointAt(a, end)), slack);
    keepNearer(&best, a, nearestParameter(a, pointAt(b, end)), b, end, slack);
  }
  // squares of lengths do not tell near points apart: each point once more as the nearest to the other
  best.t = nearestParameter(b, best.a);
  best.s = nearestParameter(a, pointAt(b, best.t));
  best.t = nearestParameter(b, pointAt(a, best.s));
  best.a = pointAt(a, best.s);
  best.b = pointAt(b, best.t);
  best.square = crLengthSquared(crSub(best.b, best.a));
  return best;
}

static bool isInside(const Segment* segment, double s)
{
  return s > 0.0 && s < 1.0 && crLengthSquared(segment->d) > 0.0;
}

static crVec3 removeAlong(crVec3 v, crVec3 d)
{
  return crMulAdd(v, -crDot(v, d) / crLengthSquared(d), d);
}

// g(n): how far n separates the two.
static double separate(const Segment* a, const Segment* b, crVec3 n)
{
  double highest = fmax(crDot(n, a->p), crDot(n, crAdd(a->p, a->d)));
  return fmin(crDot(n, b->p), crDot(n, crAdd(b->p, b->d))) - highest;
}

// Across both, twice: between segments at a small angle the product has few digits.
static crVec3 normalAcross(const Segment* a, const Segment* b, crVec3 v)
{
  crVec3 N = removeAlong(crNormalize(crCross(a->d, b->d)), a->d);
  N = crNormalize(removeAlong(N, removeAlong(b->d, a->d)));
  return crDot(N, v) >= 0.0 ? N : crNeg(N);
}

// The difference of the points loses its digits when they nearly meet; then the directions of the segments on whose
// inside they lie keep them, unless they are nearly parallel. Of the normals made from these the first that separates
// as well as the distance says, or the best.
static crVec3 computeNormal(const Segment* a, const Segment* b, const Near* near, double noise)
{
  crVec3 v = crSub(near->b, near->a), candidates[6];
  bool isInA = isInside(a, near->s), isInB = isInside(b, near->t);
  int count = 0;
  if (isInA) {
    candidates[count++] = crNormalize(removeAlong(v, a->d));
  }
  if (isInB) {
    candidates[count++] = crNormalize(removeAlong(v, b->d));
  }
  candidates[count++] = crNormalize(v);
  if (isInA && isInB && !areParallel(a, b)) {
    candidates[count++] = normalAcross(a, b, v);
  }
  // an end within rounding of where the inside begins
  if (!isInA && crLengthSquared(a->d) > 0.0) {
    candidates[count++] = crNormalize(removeAlong(v, a->d));
  }
  if (!isInB && crLengthSquared(b->d) > 0.0) {
    candidates[count++] = crNormalize(removeAlong(v, b->d));
  }
  crVec3 best = { 0.0, 0.0, 0.0 };
  double distance = sqrt(near->square), bestSeparation = -HUGE_VAL, enough = distance - CR_ENOUGH_UNITS * noise;
  for (int i = 0; i < count && bestSeparation < enough; ++i) {
    // the points have to agree with the normal too
    double miss = crMaxAbs(crMulAdd(v, -distance, candidates[i]));
    double separation = separate(a, b, candidates[i]) - miss;
    if (separation > bestSeparation && crMaxAbs(candidates[i]) > 0.0) {
      bestSeparation = separation;
      best = candidates[i];
    }
  }
  return best;
}

// Of cores that meet: across the longer segment; any for two points.
static crVec3 normalOfTouching(const Segment* a, const Segment* b)
{
  crVec3 d = crLengthSquared(b->d) > crLengthSquared(a->d) ? b->d : a->d, N = crCross(a->d, b->d);
  if (!areParallel(a, b)) {
    return normalAcross(a, b, N);
  }
  return crMaxAbs(d) > 0.0 ? crAnyPerpendicular(crNormalize(d)) : crMakeVec3(0.0, 0.0, 1.0);
}

void crComputeTwoSegmentsPair(const crQuery* query, crDistance* out)
{
  Segment a = segmentOf(query->a, NULL), b = segmentOf(query->b, &query->X_AB);
  Near near = nearestOfSegments(&a, &b, query->noise);
  double distance = sqrt(near.square);
  crVec3 n = distance > query->noise ? computeNormal(&a, &b, &near, query->noise) : normalOfTouching(&a, &b);
  // around their middle, the points agree with the normal to the last digit; a shift along a segment keeps them on it
  crVec3 middle = crScale(0.5, crAdd(near.a, near.b));
  crSetExact(query->noise, distance, out);
  crSetPoints(n, crMulAdd(middle, -0.5 * distance, n), crMulAdd(middle, 0.5 * distance, n), false, out);
  // what is not proved, between segments that nearly touch and are nearly parallel, goes the way of boxes
  if (separate(&a, &b, n) < distance - CR_ENOUGH_UNITS * query->noise) {
    crDistance other = *out;
    if (crTrySegmentsAsBoxes(query, &other)) {
      *out = other;
    }
  }
}
