// Box against box, capsule against box: separating axes, then features.
//
// The faces of the zonotope M (box.h) have the normals of A's faces, of B's faces, and the cross products of
// their edges: 15 directions, or 6 for a segment. The separation along a unit normal n, with its sign such that n
// points from A to B, is
//
//   s(n) = |n . p| - sum of half[k] |n . axis[k]|
//
// Overlapping: the greatest s is the signed distance; it is exact and the global optimum, because a polytope is left
// through one of its faces. Apart: the greatest s is a lower bound that is the distance itself when a vertex faces
// a face or two edges cross. Then or else box_nearest.c finds the nearest points, and the normal follows from the
// features they lie on, which keeps its digits when the difference of the points has none.
//
// A cross product is taken from the axes as they are, without using that they are orthogonal: so s is right for
// edges that are nearly parallel, where a formula in the elements of R_AB would divide rounding errors by a small
// sine.
#include "collide/distance/box.h"

typedef struct Axis {
  double s;         // [m] separation
  int first, other; // the two axes that span the face of M
} Axis;

static double absDot(crVec3 a, crVec3 b)
{
  return fabs(crDot(a, b));
}

// ------------------------------------------------------------------------------------------- set up

// Field by field: a copy of the whole would wait until the stores of its parts are done.
CR_INLINE void setBox(const crQuery* query, crVec3 half, crBoxes* m)
{
  m->axis[0] = crMakeVec3(1.0, 0.0, 0.0);
  m->axis[1] = crMakeVec3(0.0, 1.0, 0.0);
  m->axis[2] = crMakeVec3(0.0, 0.0, 1.0);
  m->half[0] = half.x;
  m->half[1] = half.y;
  m->half[2] = half.z;
  m->p = query->X_AB.p;
  m->noise = query->noise;
}

CR_INLINE void setOtherBox(const crQuery* query, crBoxes* m)
{
  crVec3 half = query->b->core.half;
  m->axis[3] = query->X_AB.R.cx;
  m->axis[4] = query->X_AB.R.cy;
  m->axis[5] = query->X_AB.R.cz;
  m->half[3] = half.x;
  m->half[4] = half.y;
  m->half[5] = half.z;
  m->count = 6;
}

CR_INLINE void setSegment(const crQuery* query, crBoxes* m)
{
  m->axis[3] = query->X_AB.R.cz;
  m->half[3] = query->b->core.zMax;
  m->count = 4;
}

// ------------------------------------------------------------------------------------------- axes

static const int nextAxis[6] = { 1, 2, 0, 4, 5, 3 };
static const int lastAxis[6] = { 2, 0, 1, 5, 3, 4 };

CR_INLINE int findGreatest(const double* values, int count)
{
  int greatest = 0;
  for (int i = 1; i < count; ++i) {
    greatest = values[i] > values[greatest] ? i : greatest;
  }
  return greatest;
}

CR_INLINE Axis findBestFace(const crBoxes* m)
{
  double s[6] = { fabs(m->p.x) - m->half[0], fabs(m->p.y) - m->half[1], fabs(m->p.z) - m->half[2] };
  for (int j = 3; j < m->count; ++j) {
    crVec3 size = crAbsVec3(m->axis[j]);
    s[0] -= m->half[j] * size.x;
    s[1] -= m->half[j] * size.y;
    s[2] -= m->half[j] * size.z;
    s[j] = absDot(m->axis[j], m->p) - m->half[j] - m->half[0] * size.x - m->half[1] * size.y - m->half[2] * size.z;
  }
  int k = findGreatest(s, m->count == 6 ? 6 : 3);
  return (Axis){ s[k], nextAxis[k], lastAxis[k] };
}

// The normals N_i = axis[i] x d of one edge direction d of B: N_i . y is the component i of d x y, with an error
// that is as small as N_i itself. Sets |N_i|^2 and s |N_i|. others: what B's other edges take from s |N|.
CR_INLINE void reachAcross(const crBoxes* m, int j, crVec3 others, double squares[3], double reaches[3])
{
  crVec3 d = m->axis[j], size = crAbsVec3(d), reach = crSub(crAbsVec3(crCross(d, m->p)), others);
  reaches[0] = reach.x - (m->half[1] * size.z + m->half[2] * size.y);
  reaches[1] = reach.y - (m->half[2] * size.x + m->half[0] * size.z);
  reaches[2] = reach.z - (m->half[0] * size.y + m->half[1] * size.x);
  double xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z;
  squares[0] = yy + zz;
  squares[1] = xx + zz;
  squares[2] = xx + yy;
}

CR_INLINE void reachAcrossAll(const crBoxes* m, double squares[9], double reaches[9])
{
  crVec3 none = { 0.0, 0.0, 0.0 };
  if (m->count < CR_BOX_AXES) {
    reachAcross(m, 3, none, squares, reaches);
    return;
  }
  crVec3 xy = crAbsVec3(crCross(m->axis[3], m->axis[4])), yz = crAbsVec3(crCross(m->axis[4], m->axis[5]));
  crVec3 zx = crAbsVec3(crCross(m->axis[5], m->axis[3]));
  reachAcross(m, 3, crMulAdd(crScale(m->half[4], xy), m->half[5], zx), squares, reaches);
  reachAcross(m, 4, crMulAdd(crScale(m->half[5], yz), m->half[3], xy), squares + 3, reaches + 3);
  reachAcross(m, 5, crMulAdd(crScale(m->half[3], zx), m->half[4], yz), squares + 6, reaches + 6);
}

// s |s| orders the normals as s does and needs no root.
CR_INLINE void keepBetterEdges(const crBoxes* m, Axis* best)
{
  double squares[9], reaches[9], orders[9];
  reachAcrossAll(m, squares, reaches);
  int count = 3 * (m->count - 3);
  for (int i = 0; i < count; ++i) {
    double order = reaches[i] * fabs(reaches[i]) / squares[i];
    orders[i] = squares[i] > DBL_MIN ? order : -HUGE_VAL;
  }
  int i = findGreatest(orders, count);
  if (orders[i] > best->s * fabs(best->s)) {
    *best = (Axis){ reaches[i] / sqrt(squares[i]), i % 3, 3 + i / 3 };
  }
}

// Of the face of M that two axes span, pointing as `towards` does.
CR_INLINE crVec3 normalOfSpan(const crBoxes* m, int first, int other, crVec3 towards)
{
  bool isFace = (first < 3) == (other < 3);
  int third = (first < 3 ? 0 + 1 + 2 : 3 + 4 + 5) - first - other;
  crVec3 n = isFace ? m->axis[third] : crNormalize(crCross(m->axis[first], m->axis[other]));
  return crDot(n, towards) < 0.0 ? crNeg(n) : n;
}

// ------------------------------------------------------------------------------------------- points

CR_INLINE double clampTo(double half, double value)
{
  return value > half ? half : value < -half ? -half : value;
}

CR_INLINE void setValue(const crBoxes* m, int k, double value, crBoxPoint* x)
{
  double held = clampTo(m->half[k], value);
  x->value[k] = held;
  x->side[k] = value > held ? 1 : value < held ? -1 : 0;
}

// Holds axis k, unless it is free, at the bound that is lower along n. Returns whether n tells which that is.
CR_INLINE int holdAxis(const crBoxes* m, int k, int free, double along, crBoxPoint* x)
{
  double half = free >> k & 1 ? 0.0 : m->half[k];
  x->side[k] = along > 0.0 ? -1 : 1;
  x->value[k] = along > 0.0 ? -half : half;
  return half * fabs(along) > CR_LEVEL_UNITS * m->noise;
}

// v with all axes at their bounds but the two that span the face. False: another axis is perpendicular to n.
CR_INLINE bool holdOthers(const crBoxes* m, const Axis* axis, crVec3 n, crVec3 target, crBoxPoint* x)
{
  int free = 1 << axis->first | 1 << axis->other;
  int heldCount = holdAxis(m, 0, free, n.x, x) + holdAxis(m, 1, free, n.y, x) + holdAxis(m, 2, free, n.z, x);
  crVec3 v = crAdd(crSub(m->p, target), crMakeVec3(x->value[0], x->value[1], x->value[2]));
  for (int k = 3; k < m->count; ++k) {
    heldCount += holdAxis(m, k, free, crDot(n, m->axis[k]), x);
    v = crMulAdd(v, x->value[k], m->axis[k]);
  }
  x->v = v;
  return heldCount == m->count - 2;
}

// The point of a face of M that is nearest to the target. True when it lies inside the face: then it is nearest of
// all M. Otherwise x is a point of the face to start from.
CR_INLINE bool placeOnFace(const crBoxes* m, const Axis* axis, crVec3 n, crVec3 target, crBoxPoint* x, bool* outIsPlain)
{
  int first = axis->first, other = axis->other;
  *outIsPlain = holdOthers(m, axis, n, target, x);
  crVec3 c = m->axis[first], d = m->axis[other], v = x->v;
  x->isSolved = (first < 3) == (other < 3);
  if (x->isSolved) {
    setValue(m, first, -crDot(v, c), x);
    setValue(m, other, -crDot(v, d), x);
  } else {
    // as cross products: products of cosines lose their digits between edges at a small angle
    crVec3 N = crCross(c, d);
    setValue(m, first, -crDot(crCross(v, d), N) / crLengthSquared(N), x);
    setValue(m, other, -crDot(crMulAdd(v, x->value[first], c), d), x);
  }
  return x->side[first] == 0 && x->side[other] == 0;
}

// Of the features that nearest points lie on; v from A to B.
CR_INLINE crVec3 normalOfPoint(const crBoxes* m, const crBoxPoint* x)
{
  int free[3], count = 0;
  for (int k = 0; k < m->count && count < 3; ++k) {
    if (x->side[k] == 0) {
      free[count++] = k;
    }
  }
  crVec3 v = x->v;
  if (count == 0) {
    return crNormalize(v);
  }
  if (count == 1) {
    crVec3 d = m->axis[free[0]];
    return crNormalize(crMulAdd(v, -crDot(v, d), d));
  }
  return normalOfSpan(m, free[0], free[1], v);
}

// --------------------------------------------------------------------------------------------- both

// |v| and the separation may agree to the last digit where v is still turned against n by the root of that: the
// points have to agree too.
CR_INLINE bool answerApart(const crQuery* query, const crBoxes* m, const Axis* best, crDistance* out)
{
  crVec3 n = normalOfSpan(m, best->first, best->other, m->p), origin = { 0.0, 0.0, 0.0 };
  crBoxPoint x;
  bool isPlain;
  double lower = best->s, upper = lower;
  if (!placeOnFace(m, best, n, origin, &x, &isPlain)) {
    if (!crBoxes_FindNearest(m, &origin, &x)) {
      return false;
    }
    double accepted = crBoxes_AcceptedWidth(m, query->scale);
    isPlain = false;
    if (crMissOf(x.v, lower, n) > CR_RESIDUE_UNITS * m->noise) {
      crVec3 other = normalOfPoint(m, &x);
      double g = crBoxes_Separate(m, other);
      n = g > lower - m->noise ? other : n;
      lower = g > lower - m->noise ? g : lower;
    }
    upper = fmax(crLength(x.v), lower);
    if (!(upper - lower <= accepted) || crMissOf(x.v, lower, n) > accepted) {
      return false;
    }
  }
  if (!isPlain) {
    crBoxes_CentrePatch(m, &n, lower, &x);
  }
  crBoxes_Answer(m, crBoxes_PointOfA(&x), crBoxes_PointOfB(m, &x), lower, upper, n, out);
  return true;
}

// The way out through one face of M. Returns how far the points miss each other [m].
CR_INLINE double placeOverlap(const crBoxes* m, const Axis* axis, crVec3 n, crBoxPoint* x, bool* outIsPlain)
{
  crVec3 target = crScale(axis->s, n);
  if (placeOnFace(m, axis, n, target, x, outIsPlain)) {
    return 0.0;
  }
  crBoxes_FindNearest(m, &target, x);
  return crMaxAbs(x->v);
}

// Where rounding picks the wrong one of two faces of M that are nearly level: of all with about the same depth the
// one whose points miss each other least.
CR_APART double placeNearlyBest(const crBoxes* m, Axis* best, crVec3* n, crBoxPoint* x)
{
  double least = HUGE_VAL, enough = best->s - CR_RESIDUE_UNITS * m->noise;
  for (int first = 0; first < m->count; ++first) {
    for (int other = first + 1; other < m->count; ++other) {
      crVec3 normal = normalOfSpan(m, first, other, m->p);
      Axis axis = { crBoxes_Separate(m, normal), first, other };
      crBoxPoint point;
      bool isPlain, isUnit = crMaxAbs(normal) > 0.0; // not between parallel edges
      double miss = isUnit && axis.s >= enough ? placeOverlap(m, &axis, normal, &point, &isPlain) : HUGE_VAL;
      if (miss < least) {
        least = miss;
        *best = axis;
        *n = normal;
        *x = point;
      }
    }
  }
  return least;
}

CR_INLINE bool answerOverlap(const crQuery* query, const crBoxes* m, Axis best, crDistance* out)
{
  crVec3 n = normalOfSpan(m, best.first, best.other, m->p);
  crBoxPoint x;
  bool isPlain;
  double residue = CR_RESIDUE_UNITS * m->noise, miss = placeOverlap(m, &best, n, &x, &isPlain);
  if (miss > residue) {
    isPlain = false;
    miss = placeNearlyBest(m, &best, &n, &x);
    if (miss > crBoxes_AcceptedWidth(m, query->scale)) {
      return false;
    }
  }
  if (!isPlain) {
    crBoxes_CentrePatch(m, &n, best.s, &x);
  }
  crBoxes_Answer(m, crBoxes_PointOfA(&x), crBoxes_PointOfB(m, &x), best.s, best.s, n, out);
  return true;
}

CR_INLINE bool computeBoxes(const crQuery* query, const crBoxes* m, crDistance* out)
{
  Axis best = findBestFace(m);
  if (!(best.s > 0.0)) {
    keepBetterEdges(m, &best);
  }
  return best.s > 0.0 ? answerApart(query, m, &best, out) : answerOverlap(query, m, best, out);
}

void crComputeBoxPair(const crQuery* query, crDistance* out)
{
  crBoxes m;
  setBox(query, query->a->core.half, &m);
  setOtherBox(query, &m);
  if (!computeBoxes(query, &m, out)) {
    crComputeGeneralPair(query, out);
  }
}

// A box and a segment that are not apart in a simple way.
CR_APART bool computeSegment(const crQuery* query, const crBoxes* m, crDistance* out)
{
  return computeBoxes(query, m, out);
}

void crComputeBoxCapsulePair(const crQuery* query, crDistance* out)
{
  crBoxes m;
  setBox(query, query->a->core.half, &m);
  setSegment(query, &m);
  if (!crBoxes_TrySegmentApart(&m, query->scale, out) && !computeSegment(query, &m, out)) {
    crComputeGeneralPair(query, out);
  }
}

bool crTrySegmentsAsBoxes(const crQuery* query, crDistance* out)
{
  crBoxes m;
  setBox(query, crMakeVec3(0.0, 0.0, query->a->core.zMax), &m);
  setSegment(query, &m);
  return computeSegment(query, &m, out);
}
