// Portal refinement carried on when the shapes are apart: the nearest point of M = B - A.
//
// [NeumayrOtter17] ends with bounds on the distance, from the portal that the ray from inside M to the origin
// leaves through. The nearest point lies elsewhere in general. So the portal is let go of the ray: it
// becomes the simplex (point, edge, triangle) of M's vertices that is nearest to the origin, and is refined with
// the support along its normal until nothing of M lies below it, as in [Gilbert88]. Two things differ from
// that paper:
//
//   the normal   of a triangle is its own, not the vector v from the origin to its nearest point; that of an edge
//                is v made perpendicular to the edge once more. v loses all digits when the shapes nearly
//                touch, the triangle's normal loses none.
//   the end      is reached when the lower bound g(n) and the upper bound |v| meet, not by a test of v's change.
//
// Curved cores converge linearly that way; crPolishNormal makes that quadratic.
#include "base/elementary.h"
#include "collide/distance/difference.h"

#define CR_MAX_NEAREST_STEPS 100 // [-] polytopes end far below; curved ones by their bounds
#define CR_POLISH_SPACING 3      // [-] steps between two tries to polish
#define CR_LEAST_CURVED_STEPS 4  // [-] before a curved pair may end without being polished
#define CR_SNAP_SINE 1e-4        // [-] of the angle to a direction that is tried at the end
#define CR_STALLED 4e-16         // [-] |v|^2 does not tell small turns of the normal
#define CR_MAX_STALLED_STEPS 8   // [-] steps without a smaller |v|: turning the normal only

// ------------------------------------------------------------------------------- nearest of a simplex

typedef struct Nearest {
  crVec3 v; // the point nearest to the origin
  double square;
  int index[3]; // of the vertices it lies between
  double weight[3];
  int count;
} Nearest;

static Nearest nearestOfPoint(const crVertex* x, int i)
{
  Nearest nearest = { x[i].w, crLengthSquared(x[i].w), { i }, { 1.0 }, 1 };
  return nearest;
}

// From the end that is nearer to the origin: its coordinates are the small ones, and lose no digits.
static Nearest nearestOfSegment(const crVertex* x, int i, int j)
{
  if (crLengthSquared(x[j].w) < crLengthSquared(x[i].w)) {
    int t = i;
    i = j;
    j = t;
  }
  crVec3 p = x[i].w, e = crSub(x[j].w, p);
  double along = -crDot(p, e), square = crLengthSquared(e);
  if (!(along > 0.0)) {
    return nearestOfPoint(x, i);
  }
  if (along >= square) {
    return nearestOfPoint(x, j);
  }
  double t = along / square;
  crVec3 v = crRemoveAlong(p, e, square);
  Nearest nearest = { v, crLengthSquared(v), { i, j }, { 1.0 - t, t }, 2 };
  return nearest;
}

static void keepNearer(Nearest* best, Nearest other)
{
  if (other.square < best->square) {
    *best = other;
  }
}

// Of p nearest to the origin, along the longer edge e1 and the height h of e2 over it: on a sliver other products
// lose their digits.
static bool weighFrom(crVec3 p, crVec3 e1, crVec3 e2, double* outS, double* outT, crVec3* outFoot)
{
  double square = crLengthSquared(e1);
  if (!(square > 0.0)) {
    return false;
  }
  crVec3 h = crRemoveAlong(e2, e1, square);
  double heightSquare = crLengthSquared(h);
  if (!(heightSquare > CR_FLAT_TRIANGLE * CR_FLAT_TRIANGLE * square)) {
    return false;
  }
  crVec3 q = crRemoveAlong(p, e1, square);
  double t = -crDot(q, h) / heightSquare;
  *outT = t;
  *outS = -(crDot(p, e1) + t * crDot(e2, e1)) / square;
  *outFoot = crMulAdd(q, t, h);
  return true;
}

static bool weighBase(crVec3 p, crVec3 q, crVec3 r, double* outQ, double* outR, crVec3* outFoot)
{
  crVec3 e1 = crSub(q, p), e2 = crSub(r, p);
  return crLengthSquared(e1) >= crLengthSquared(e2) ? weighFrom(p, e1, e2, outQ, outR, outFoot)
                                                    : weighFrom(p, e2, e1, outR, outQ, outFoot);
}

bool crWeighFoot(const crVertex* x, const crVertex* y, const crVertex* z, double outWeight[3], crVec3* outFoot)
{
  crVec3 p[3] = { x->w, y->w, z->w };
  double sx = crLengthSquared(p[0]), sy = crLengthSquared(p[1]), sz = crLengthSquared(p[2]);
  int i = sx <= sy && sx <= sz ? 0 : sy <= sz ? 1 : 2, j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;
  if (!weighBase(p[i], p[j], p[k], &outWeight[j], &outWeight[k], outFoot)) {
    return false;
  }
  outWeight[i] = 1.0 - outWeight[j] - outWeight[k];
  return true;
}

// Where a weight is negative, the nearest point lies on the opposite edge.
static Nearest nearestOfTriangle(const crVertex* x, int i, int j, int k)
{
  double weight[3] = { -1.0, -1.0, -1.0 };
  crVec3 v;
  bool isPlane = crWeighFoot(&x[i], &x[j], &x[k], weight, &v);
  if (isPlane && weight[0] > 0.0 && weight[1] > 0.0 && weight[2] > 0.0) {
    Nearest nearest = { v, crLengthSquared(v), { i, j, k }, { weight[0], weight[1], weight[2] }, 3 };
    return nearest;
  }
  Nearest best = { .square = HUGE_VAL };
  if (!(weight[0] > 0.0)) {
    keepNearer(&best, nearestOfSegment(x, j, k));
  }
  if (!(weight[1] > 0.0)) {
    keepNearer(&best, nearestOfSegment(x, i, k));
  }
  if (!(weight[2] > 0.0)) {
    keepNearer(&best, nearestOfSegment(x, i, j));
  }
  return best;
}

// Of four vertices the last is new and lies below the others' plane: the nearest point is on a face with it.
static Nearest nearestOfSimplex(const crSimplex* simplex)
{
  const crVertex* x = simplex->v;
  switch (simplex->count) {
    case 1: return nearestOfPoint(x, 0);
    case 2: return nearestOfSegment(x, 0, 1);
    case 3: return nearestOfTriangle(x, 0, 1, 2);
    default: {
      Nearest best = nearestOfTriangle(x, 0, 1, 3);
      keepNearer(&best, nearestOfTriangle(x, 1, 2, 3));
      keepNearer(&best, nearestOfTriangle(x, 0, 2, 3));
      return best;
    }
  }
}

static void reduceSimplex(crSimplex* simplex, const Nearest* nearest)
{
  crVertex kept[3];
  for (int i = 0; i < nearest->count; ++i) {
    kept[i] = simplex->v[nearest->index[i]];
  }
  for (int i = 0; i < nearest->count; ++i) {
    simplex->v[i] = kept[i];
    simplex->weight[i] = nearest->weight[i];
  }
  simplex->count = nearest->count;
}

// ------------------------------------------------------------------------------------------- normal

crVec3 crSliverNormal(crVec3 p, crVec3 q, crVec3 r)
{
  crVec3 e1 = crSub(q, p), e2 = crSub(r, q), e3 = crSub(p, r);
  double s1 = crLengthSquared(e1), s2 = crLengthSquared(e2), s3 = crLengthSquared(e3);
  bool isFirst = s1 >= s2 && s1 >= s3, isSecond = !isFirst && s2 >= s3;
  crVec3 longest = isFirst ? e1 : isSecond ? e2 : e3, next = isFirst ? e2 : isSecond ? e3 : e1;
  double square = isFirst ? s1 : isSecond ? s2 : s3;
  if (!(square > 0.0)) {
    return crMakeVec3(0.0, 0.0, 0.0);
  }
  crVec3 height = crRemoveAlong(next, longest, square);
  double heightSquare = crLengthSquared(height);
  if (!(heightSquare > CR_FLAT_TRIANGLE * CR_FLAT_TRIANGLE * square)) {
    return crMakeVec3(0.0, 0.0, 0.0);
  }
  return crScale(1.0 / sqrt(square * heightSquare), crCross(longest, height));
}

// The last normal where the simplex has none.
static crVec3 normalOfSimplex(const crSimplex* simplex, crVec3 v, crVec3 last, double noise)
{
  const crVertex* x = simplex->v;
  crVec3 n;
  if (simplex->count < 3) {
    crVec3 e = crSub(x[1].w, x[0].w);
    n = crUnit(simplex->count == 1 ? v : crRemoveAlong(v, e, crLengthSquared(e)));
    return !crIsZero(n) ? n : last;
  }
  n = crTriangleNormal(x[0].w, x[1].w, x[2].w);
  if (crIsZero(n)) {
    return last;
  }
  double along = crDot(n, v);
  bool isForward = fabs(along) > noise ? along > 0.0 : crDot(n, last) >= 0.0;
  return isForward ? n : crNeg(n);
}

// The face, edge or vertex of the simplex above which all its vertices lie, or nearly so. That is the nearest one; the
// normal tells where |v| does not, by rounding.
static Nearest nearestByNormal(const crSimplex* simplex, crVec3 last, double noise)
{
  Nearest best = { .square = HUGE_VAL };
  double highest = -HUGE_VAL;
  for (int mask = 1; mask < 1 << simplex->count; ++mask) {
    int index[4] = { 0 }, count = 0;
    for (int i = 0; i < simplex->count; ++i) {
      if (mask >> i & 1) {
        index[count++] = i;
      }
    }
    if (count > 3) {
      continue;
    }
    Nearest nearest = count == 1   ? nearestOfPoint(simplex->v, index[0])
                      : count == 2 ? nearestOfSegment(simplex->v, index[0], index[1])
                                   : nearestOfTriangle(simplex->v, index[0], index[1], index[2]);
    crSimplex part = *simplex;
    reduceSimplex(&part, &nearest);
    crVec3 n = normalOfSimplex(&part, nearest.v, last, noise);
    double lowest = HUGE_VAL;
    for (int i = 0; i < simplex->count; ++i) {
      lowest = crMin(lowest, crDot(n, simplex->v[i].w));
    }
    if (lowest > highest) {
      highest = lowest;
      best = nearest;
    }
  }
  return best;
}

// ------------------------------------------------------------------------------------------- refine

static bool hasVertex(const crSimplex* simplex, const crVertex* v)
{
  for (int i = 0; i < simplex->count; ++i) {
    if (simplex->v[i].sheetA == v->sheetA && simplex->v[i].sheetB == v->sheetB) {
      return true;
    }
  }
  return false;
}

// Below the vertex that the normal of the simplex found there may be a better one, found by polishing. When it
// does not bring the simplex nearer, the other is taken after all.
typedef struct Candidates {
  crVertex plain;
  bool isPolished;
} Candidates;

static bool isNearer(double square, double before, double noise, int* stalledCount)
{
  if (square < before) {
    return true;
  }
  return sqrt(square) <= sqrt(before) + noise && ++*stalledCount <= CR_MAX_STALLED_STEPS;
}

// The support below the simplex; true when the bounds have met or nothing new is found. The bounds meet in one and
// the same normal, so that the points belong to it: with two of them, g alone is right, by chance.
static bool findNext(crDifference* m, const crSimplex* simplex, crVec3 n, double length, int step, crBounds* bounds,
                     Candidates* next)
{
  next->plain = crDifference_FindSupport(m, n);
  next->isPolished = false;
  double lower = crDot(n, next->plain.w);
  bool hasMet = length - lower <= m->tight;
  if (hasMet) {
    bounds->upper = length;
    crSetWitness(simplex->v, simplex->weight, simplex->count, bounds);
  }
  if (hasMet || lower >= bounds->lower - m->noise) {
    bounds->lower = lower;
    bounds->n = n;
  }
  if (m->isPolytope) {
    return hasMet || hasVertex(simplex, &next->plain);
  }
  if (step % CR_POLISH_SPACING == 0) {
    double before = bounds->lower;
    if (crPolishNormal(m, simplex, n, bounds) == cr_polishSettled && bounds->isSettled) {
      return true;
    }
    next->isPolished = bounds->lower > before;
  }
  return hasMet && step >= CR_LEAST_CURVED_STEPS;
}

static void refineDistance(crDifference* m, crSimplex* simplex, crBounds* bounds)
{
  double square = HUGE_VAL;
  int stalledCount = 0;
  Candidates next = { .isPolished = false };
  for (int step = 0; step < CR_MAX_NEAREST_STEPS; ++step) {
    Nearest nearest = nearestOfSimplex(simplex);
    if (next.isPolished && !(nearest.square < square)) {
      simplex->v[simplex->count - 1] = next.plain;
      nearest = nearestOfSimplex(simplex);
    }
    if (!(nearest.square < square * (1.0 - CR_STALLED)) && step > 0) {
      nearest = nearestByNormal(simplex, bounds->n, m->noise);
    }
    if (!isNearer(nearest.square, square, m->noise, &stalledCount)) {
      return;
    }
    square = crMin(square, nearest.square);
    reduceSimplex(simplex, &nearest);
    double length = sqrt(nearest.square);
    if (length <= bounds->upper + m->noise) {
      bounds->upper = crMin(length, bounds->upper);
      crSetWitness(simplex->v, simplex->weight, simplex->count, bounds);
    }
    if (length <= m->noise) {
      return;
    }
    crVec3 n = normalOfSimplex(simplex, nearest.v, bounds->n, m->noise);
    if (findNext(m, simplex, n, length, step, bounds, &next)) {
      return;
    }
    simplex->v[simplex->count++] = next.isPolished ? crDifference_FindSupport(m, bounds->n) : next.plain;
  }
}

// ---------------------------------------------------------------------------------------------- snap

static double snapped(double x)
{
  return fabs(x) < CR_SNAP_SINE ? 0.0 : x;
}

// The nearest direction in S that is the normal of a flat face, or across a straight edge or side, of the core.
static crVec3 snapDirection(const crSide* side, crVec3 d)
{
  const crCore* core = side->core;
  switch (side->kind) {
    case cr_shapeBox:
    case cr_shapeBeam: return crUnit(crMakeVec3(snapped(d.x), snapped(d.y), snapped(d.z)));
    case cr_shapeCapsule: return crUnit(crMakeVec3(d.x, d.y, snapped(d.z)));
    case cr_shapeCylinder:
    case cr_shapeCone: {
      double radial = sqrt(d.x * d.x + d.y * d.y), length = core->zMax - core->zMin;
      double slant = side->kind == cr_shapeCone ? core->topRadius - core->radius : 0.0, size = crHypot(slant, length);
      if (radial < CR_SNAP_SINE) {
        return crMakeVec3(0.0, 0.0, d.z < 0.0 ? -1.0 : 1.0);
      }
      bool isSide = fabs(radial * slant + d.z * length) < CR_SNAP_SINE * size;
      double share = length / (size * radial);
      return isSide ? crMakeVec3(share * d.x, share * d.y, -slant / size) : d;
    }
    default: return d;
  }
}

static void trySnapped(crDifference* m, crVec3 n, crBounds* bounds)
{
  crVertex v = crDifference_FindSupport(m, n);
  crRaiseLower(bounds, n, crDot(n, v.w));
}

// |v| and the simplices lose the last digits of n when one shape is far smaller than the other, or far thinner; the
// directions that the shapes themselves prefer do not.
static void trySnaps(crDifference* m, crBounds* bounds)
{
  crMat3 R = m->X_AB.R;
  crVec3 n = bounds->n, byA = snapDirection(&m->a, n);
  crVec3 byB = crNeg(crMulMV(R, snapDirection(&m->b, crNeg(crMulTV(R, n)))));
  trySnapped(m, byA, bounds);
  trySnapped(m, byB, bounds);
  trySnapped(m, snapDirection(&m->a, byB), bounds);
  trySnapped(m, crNeg(crMulMV(R, snapDirection(&m->b, crNeg(crMulTV(R, byA))))), bounds);
}

void crRefineDistance(crDifference* m, crSimplex* simplex, crBounds* bounds)
{
  bounds->upper = HUGE_VAL;
  bounds->isSettled = false;
  bounds->isGlobal = true;
  refineDistance(m, simplex, bounds);
  if (bounds->upper - bounds->lower > m->tight) {
    trySnaps(m, bounds);
  }
}
