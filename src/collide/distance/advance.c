// Conservative advancement of two convex shapes, without knowing their motions.
//
// The reference motion of a shape keeps its orientation and moves on at the velocity of the start. The origin of
// the true motion is off it by at most 1/2 a t^2, and the shape has turned by at most spin x t. So along any unit
// vector n the gap between the true shapes at the time t + s is at least
//
//   L(t + s) = gap_n(t) + s (w . n) - gain_A(t + s) - gain_B(t + s) - 1/2 a (t + s)^2
//
// gap_n: between the references, from their support values; w: velocity of B relative to A; a: sum of both bounds
// of acceleration; gains: swing.h, for the angles spin_A (t + s) and spin_B (t + s). Gains bounded by their slopes
// leave a parabola in s that lies below L,
//
//   L(t) + s (w . n - spin_A slope_A - spin_B slope_B - a t) - 1/2 a s^2
//
// and while it is positive the shapes are apart. Its root is the next t, for the better of two directions: the
// normal of a distance query, and the line of the origins. With the normal this is Newton's method on a function that
// is convex but for the acceleration, from the left: it approaches the first root of the best L from below, and
// quadratically. Each step is at least tolerance / (largest speed), since it starts from L > tolerance; so their
// number is finite even without the limit, and it is about ten in practice.
#include "collide/distance/advance.h"

#include "collide/distance/swing.h"
#include "geometry/shape.h"

// [-] Rounding of a gap: about 30 operations on numbers of the size of the positions and the reaches.
#define CR_GAP_ROUNDING (32 * 2.3e-16)

// Everything that does not change during one pair of pieces.
typedef struct Pair {
  const crShape *a, *b;
  const crMotionSegment *segmentA, *segmentB;
  crVec3 relativeVelocity; // [m/s] w
  double acceleration;     // [m/s^2] a
} Pair;

// ---------------------------------------------------------------------------------------- the gap

static crPose referencePose(const crMotionSegment* segment, double t)
{
  crPose X = { segment->pose.R, crMulAdd(segment->pose.p, t, segment->velocity) };
  return X;
}

// Outward normal of a half-space.
static crVec3 halfSpaceNormal(const crShape* shape, const crMotionSegment* segment)
{
  return crMulMV(segment->pose.R, shape->R_FS.cz);
}

// Support along the unit vector n from the shape's origin. A half-space is asked for its own normal only: along
// any other direction it is infinite.
static crSwing measureSwing(const crShape* shape, const crMotionSegment* segment, crVec3 n)
{
  if (!crShape_IsBounded(shape)) {
    bool isNormal = crDot(n, halfSpaceNormal(shape, segment)) > 0.0;
    crSwing flat = { isNormal ? shape->sweep : HUGE_VAL, 0.0 };
    return flat;
  }
  crVec3 n_F = crMulTV(segment->pose.R, n);
  crSwing swing = { crDot(crShape_ComputeSupport(shape, n_F), n_F), segment->spin > 0.0 ? shape->reach : 0.0 };
  return swing;
}

static double sizeOf(const crShape* shape, const crPose* X)
{
  return crLength(X->p) + (crShape_IsBounded(shape) ? shape->reach : shape->sweep);
}

typedef struct Bound {
  double gap;  // [m] L(t)
  double rate; // [m/s] slope of the parabola at s = 0
} Bound;

static Bound boundAlong(const Pair* pair, crVec3 n, double t)
{
  crPose X_WA = referencePose(pair->segmentA, t), X_WB = referencePose(pair->segmentB, t);
  crSwing swingA = measureSwing(pair->a, pair->segmentA, n), swingB = measureSwing(pair->b, pair->segmentB, crNeg(n));
  double spinA = pair->segmentA->spin, spinB = pair->segmentB->spin;
  double apart = crDot(crSub(X_WB.p, X_WA.p), n) - swingA.support - swingB.support;
  double rounding = CR_GAP_ROUNDING * (sizeOf(pair->a, &X_WA) + sizeOf(pair->b, &X_WB));
  Bound bound;
  bound.gap = apart - rounding - crSwing_Gain(swingA, spinA * t) - crSwing_Gain(swingB, spinB * t) -
              0.5 * pair->acceleration * t * t;
  bound.rate = crDot(pair->relativeVelocity, n) - spinA * crSwing_Slope(swingA, spinA * t) -
               spinB * crSwing_Slope(swingB, spinB * t) - pair->acceleration * t;
  return bound;
}

// The positive root of gap + rate s - 1/2 a s^2, in the form that does not cancel; infinite: none.
static double findRoot(Bound bound, double a)
{
  double root = sqrt(bound.rate * bound.rate + 2.0 * a * bound.gap);
  if (bound.rate < 0.0) {
    return 2.0 * bound.gap / (root - bound.rate);
  }
  return a > 0.0 ? (root + bound.rate) / a : HUGE_VAL;
}

// ------------------------------------------------------------------------------------- the advance

// The direction from A to B along which the references are farthest apart, or nearly so.
static crStatus findDirection(crDistanceFunction computeDistance, const Pair* pair, double t, crDistanceCache* cache,
                              crVec3* outDirection)
{
  if (!crShape_IsBounded(pair->a)) {
    *outDirection = halfSpaceNormal(pair->a, pair->segmentA);
    return cr_ok;
  }
  if (!crShape_IsBounded(pair->b)) {
    *outDirection = crNeg(halfSpaceNormal(pair->b, pair->segmentB));
    return cr_ok;
  }
  crPose X_WA = referencePose(pair->segmentA, t), X_WB = referencePose(pair->segmentB, t);
  crDistance distance;
  crStatus status = computeDistance(pair->a, &X_WA, pair->b, &X_WB, cache, &distance);
  *outDirection = status == cr_ok ? crNormalize(distance.normal) : crMakeVec3(0.0, 0.0, 0.0);
  return status;
}

// How long the shapes stay apart along n from the time t on; 0 when they are within the tolerance.
static double findStep(const Pair* pair, crVec3 n, double t, double tolerance)
{
  Bound bound = boundAlong(pair, n, t);
  return bound.gap > tolerance ? findRoot(bound, pair->acceleration) : 0.0;
}

// The same along the line of the origins: the better direction once the shapes may have turned a lot, and fill
// the balls around them.
static double findStepOfBalls(const Pair* pair, double t, double tolerance)
{
  if (!crShape_IsBounded(pair->a) || !crShape_IsBounded(pair->b)) {
    return 0.0;
  }
  crVec3 n = crSub(referencePose(pair->segmentB, t).p, referencePose(pair->segmentA, t).p);
  return findStep(pair, crNormalize(n), t, tolerance);
}

// The same for a surface of a profile, which no plane keeps apart: distances change no faster than points move.
static crStatus findStepOfSurface(crDistanceFunction computeDistance, const Pair* pair, double t, double tolerance,
                                  double* outStep)
{
  crPose X_WA = referencePose(pair->segmentA, t), X_WB = referencePose(pair->segmentB, t);
  crDistance distance;
  crStatus status = computeDistance(pair->a, &X_WA, pair->b, &X_WB, NULL, &distance);
  double turning = pair->segmentA->spin * (pair->a->kind == cr_shapeSphere ? 0.0 : pair->a->reach) +
                   pair->segmentB->spin * (pair->b->kind == cr_shapeSphere ? 0.0 : pair->b->reach);
  double rounding = CR_GAP_ROUNDING * (sizeOf(pair->a, &X_WA) + sizeOf(pair->b, &X_WB));
  Bound bound = { distance.distance - rounding - turning * t - 0.5 * pair->acceleration * t * t,
                  -crLength(pair->relativeVelocity) - turning - pair->acceleration * t };
  *outStep = status == cr_ok && bound.gap > tolerance ? findRoot(bound, pair->acceleration) : 0.0;
  return status;
}

// *time: the duration on entry, the bound on return.
static crStatus advancePair(crDistanceFunction computeDistance, const Pair* pair, double tolerance, double* time,
                            int* outAdvances)
{
  crDistanceCache cache = { 0 };
  double t = 0.0;
  for (int i = 0; i < CR_MAX_ADVANCES; ++i) {
    crVec3 n;
    double step = 0.0;
    bool isSurface = crIsSurface(pair->a) || crIsSurface(pair->b);
    crStatus status = isSurface ? findStepOfSurface(computeDistance, pair, t, tolerance, &step)
                                : findDirection(computeDistance, pair, t, &cache, &n);
    if (status != cr_ok) {
      return status;
    }
    ++*outAdvances;
    step = isSurface ? step : fmax(findStep(pair, n, t, tolerance), findStepOfBalls(pair, t, tolerance));
    if (!(step > 0.0)) {
      break;
    }
    if (!(t + step < *time)) {
      return cr_ok;
    }
    t += step;
  }
  *time = t;
  return cr_ok;
}

// ---------------------------------------------------------------------------------------- arguments

static bool isFinitePose(const crPose* X)
{
  return crIsFiniteVec3(X->p) && crIsFiniteVec3(X->R.cx) && crIsFiniteVec3(X->R.cy) && crIsFiniteVec3(X->R.cz);
}

static bool isRightSegment(const crShape* shape, const crMotionSegment* segment)
{
  return shape != NULL && segment != NULL && isFinitePose(&segment->pose) && crIsFiniteVec3(segment->velocity) &&
         segment->acceleration >= 0.0 && isfinite(segment->acceleration) && segment->spin >= 0.0 &&
         isfinite(segment->spin) && (segment->spin == 0.0 || crShape_IsBounded(shape));
}

static bool isRightDuration(double duration)
{
  return duration >= 0.0 && isfinite(duration);
}

// Two half-spaces are apart only if their normals are opposite, and then as long as w . n allows.
static bool crossAlways(const Pair* pair)
{
  if (crShape_IsBounded(pair->a) || crShape_IsBounded(pair->b)) {
    return false;
  }
  crVec3 sum = crAdd(halfSpaceNormal(pair->a, pair->segmentA), halfSpaceNormal(pair->b, pair->segmentB));
  return sum.x != 0.0 || sum.y != 0.0 || sum.z != 0.0;
}

crStatus crAdvanceToContact(crDistanceFunction computeDistance, const crShape* a, const crMotionSegment* segmentA,
                            const crShape* b, const crMotionSegment* segmentB, double duration, double tolerance,
                            double* outTime, int* outAdvances)
{
  if (outTime == NULL || !isRightSegment(a, segmentA) || !isRightSegment(b, segmentB) || !isRightDuration(duration) ||
      !(tolerance > 0.0) || !isfinite(tolerance)) {
    return cr_errorMisuse;
  }
  Pair pair = { a,
                b,
                segmentA,
                segmentB,
                crSub(segmentB->velocity, segmentA->velocity),
                segmentA->acceleration + segmentB->acceleration };
  double time = crossAlways(&pair) ? 0.0 : duration;
  int advances = 0;
  bool isWholeA = !crIsInPiecesFor(a, b), isWholeB = !crIsInPiecesFor(b, a);
  int countA = isWholeA ? 1 : crShape_CountPieces(a), countB = isWholeB ? 1 : crShape_CountPieces(b);
  for (int i = 0; i < countA; ++i) {
    for (int j = 0; j < countB && time > 0.0; ++j) {
      pair.a = isWholeA ? a : crShape_GetPiece(a, i);
      pair.b = isWholeB ? b : crShape_GetPiece(b, j);
      bool canMeet = (isWholeA || crIsPieceFor(pair.a, pair.b)) && (isWholeB || crIsPieceFor(pair.b, pair.a));
      crStatus status = canMeet ? advancePair(computeDistance, &pair, tolerance, &time, &advances) : cr_ok;
      if (status != cr_ok) {
        return status;
      }
    }
  }
  *outTime = time;
  if (outAdvances != NULL) {
    *outAdvances = advances;
  }
  return cr_ok;
}

// ---------------------------------------------------------------------------------------- swept box

// The farthest coordinate along one side: `extent` [m] and `speed` [m/s] outward, `place` [m] of the origin. The way of
// the origin, v t + 1/2 a t^2, is largest at one of the ends of the interval.
static double sweepSide(double place, double extent, double speed, const crShape* shape, const crMotionSegment* segment,
                        double duration)
{
  if (isinf(extent)) {
    return HUGE_VAL;
  }
  crSwing swing = { extent, segment->spin > 0.0 ? shape->reach : 0.0 };
  double way = fmax(0.0, duration * (speed + 0.5 * segment->acceleration * duration));
  double gain = crSwing_Gain(swing, segment->spin * duration);
  double rounding = CR_GAP_ROUNDING * (fabs(place) + fabs(extent) + way + gain);
  return place + extent + way + gain + rounding;
}

crAabb crComputeSweptAabb(const crShape* shape, const crMotionSegment* segment, double duration)
{
  crAabb swept = { { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL }, { HUGE_VAL, HUGE_VAL, HUGE_VAL } };
  if (!isRightSegment(shape, segment) || !isRightDuration(duration)) {
    return swept;
  }
  crPose X = { segment->pose.R, { 0.0, 0.0, 0.0 } };
  crAabb box = crShape_ComputeAabb(shape, X);
  crVec3 p = segment->pose.p, v = segment->velocity;
  swept.max.x = sweepSide(p.x, box.max.x, v.x, shape, segment, duration);
  swept.max.y = sweepSide(p.y, box.max.y, v.y, shape, segment, duration);
  swept.max.z = sweepSide(p.z, box.max.z, v.z, shape, segment, duration);
  swept.min.x = -sweepSide(-p.x, -box.min.x, -v.x, shape, segment, duration);
  swept.min.y = -sweepSide(-p.y, -box.min.y, -v.y, shape, segment, duration);
  swept.min.z = -sweepSide(-p.z, -box.min.z, -v.z, shape, segment, duration);
  return swept;
}
