// A direction along which both bodies overlap little is sought among those that bodies like these have, and bettered
// some times; any will do, since boxes are as wide as they must be. A body K in a slice n . x <= c gets along e no
// farther than h(e + k n) - k c for every k >= 0, with h its support function.
#include "collide/area/curved_zone.h"

#define CR_ZONE_SLACK 1e-10 // [-] of the size: see polytope.c
#define CR_ZONE_TRIALS 3    // of better directions

// The support function, max d . x.
static double findReach(const crCurvedBody* body, crVec3 d)
{
  double across = sqrt(d.x * d.x + d.y * d.y);
  return body->half * fabs(d.x) + crMax2(body->r0 * across + body->z0 * d.z, body->r1 * across + body->z1 * d.z);
}

static crVec3 findFarthest(const crCurvedBody* body, crVec3 d)
{
  double across = sqrt(d.x * d.x + d.y * d.y), scale = across > 0.0 ? 1.0 / across : 0.0;
  bool isTop = body->r1 * across + body->z1 * d.z > body->r0 * across + body->z0 * d.z;
  double r = scale * (isTop ? body->r1 : body->r0);
  return crMakeVec3(copysign(body->half, d.x) + r * d.x, r * d.y, isTop ? body->z1 : body->z0);
}

typedef struct Pair {
  const crCurvedBody *a, *b;
  const crPose* X; // of B
} Pair;

// How far apart along n, from A to B: negative where they overlap.
static double findGap(const Pair* pair, crVec3 n)
{
  return crDot(n, pair->X->p) - findReach(pair->b, crNeg(crMulTV(pair->X->R, n))) - findReach(pair->a, n);
}

typedef struct Best {
  crVec3 n;
  double gap;
} Best;

// Along d, towards B.
static void tryAlong(const Pair* pair, crVec3 way, crVec3 d, Best* best)
{
  double length = crLength(d);
  if (length > 0.0) {
    crVec3 n = crScale(copysign(1.0, crDot(d, way)) / length, d);
    double gap = findGap(pair, n);
    if (gap > best->gap) {
      *best = (Best){ n, gap };
    }
  }
}

static crVec3 removeAlong(crVec3 v, crVec3 unit)
{
  return crMulAdd(v, -crDot(v, unit), unit);
}

static Best findDirection(const Pair* pair)
{
  crVec3 z = crMakeVec3(0.0, 0.0, 1.0), other = pair->X->R.cz,
         way = crSub(crMulAdd(pair->X->p, 0.5 * (pair->b->z0 + pair->b->z1), other),
                     crMakeVec3(0.0, 0.0, 0.5 * (pair->a->z0 + pair->a->z1)));
  Best best = { z, -HUGE_VAL };
  tryAlong(pair, way, z, &best);
  tryAlong(pair, way, other, &best);
  tryAlong(pair, way, way, &best);
  tryAlong(pair, way, crCross(z, other), &best);
  tryAlong(pair, way, removeAlong(way, z), &best);
  tryAlong(pair, way, removeAlong(way, other), &best);
  if (pair->a->half > 0.0) {
    tryAlong(pair, way, crMakeVec3(0.0, 1.0, 0.0), &best);
  }
  if (pair->b->half > 0.0) {
    tryAlong(pair, way, pair->X->R.cy, &best);
  }
  double radius = crMin2(pair->a->size, pair->b->size);
  for (int i = 0; i < CR_ZONE_TRIALS && best.gap < 0.0; ++i) {
    crVec3 inB = crNeg(crMulTV(pair->X->R, best.n));
    crVec3 a = findFarthest(pair->a, best.n), b = crTransformPoint(*pair->X, findFarthest(pair->b, inB));
    crVec3 n = crNormalize(crMulAdd(best.n, 1.0 / radius, removeAlong(crSub(b, a), best.n)));
    double gap = findGap(pair, n);
    radius *= gap > best.gap ? 0.5 : 4.0;
    best = gap > best.gap ? (Best){ n, gap } : best;
  }
  return best;
}

// How far a body gets along e where n . x <= limit.
static double boundAlong(const crCurvedBody* body, crVec3 n, double limit, crVec3 e)
{
  static const double steep[5] = { 0.0, 1.0, 4.0, 16.0, 64.0 };
  double most = HUGE_VAL;
  for (int i = 0; i < 5; ++i) {
    most = crMin2(most, findReach(body, crMulAdd(e, -steep[i], n)) + steep[i] * limit);
  }
  return most;
}

bool crFindCurvedZone(const crCurvedBody* a, const crCurvedBody* b, const crPose* X_AB, crZone* outZone,
                      double* outDepth)
{
  Pair pair = { a, b, X_AB };
  Best best = findDirection(&pair);
  if (best.gap >= 0.0) {
    return false;
  }
  double slack = CR_ZONE_SLACK * (a->size + b->size), top = findReach(a, best.n);
  crVec3 n = best.n, across = crFindAcross(n), inB = crMulTV(X_AB->R, n);
  *outZone = (crZone){ .axes = { n, across, crCross(n, across) },
                       .middle = crScale(top + 0.5 * best.gap, n),
                       .half = { -0.5 * best.gap + slack } };
  *outDepth = -best.gap + slack;
  for (int i = 1; i < 3; ++i) {
    crVec3 e = outZone->axes[i], f = crMulTV(X_AB->R, e);
    double shift = crDot(e, X_AB->p), limitB = crDot(n, X_AB->p) - top, limitA = -(top + best.gap);
    double high = crMin2(boundAlong(a, crNeg(n), limitA, e), shift + boundAlong(b, inB, -limitB, f)) + slack;
    double low =
        -crMin2(boundAlong(a, crNeg(n), limitA, crNeg(e)), boundAlong(b, inB, -limitB, crNeg(f)) - shift) - slack;
    if (!(low < high)) {
      return false;
    }
    outZone->middle = crMulAdd(outZone->middle, 0.5 * (low + high), e);
    outZone->half[i] = 0.5 * (high - low);
  }
  return true;
}
