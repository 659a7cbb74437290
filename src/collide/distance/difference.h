// The Minkowski difference M = B - A = { b - a } of two cores, known by its support map alone.
//
// The cores are apart when the origin lies outside M; their signed distance is
//
//   max over unit n of g(n),   g(n) = min { n . w : w in M } = -h_A(n) - h_B(-n)
//
// and n is the normal from A to B. Every n gives a lower bound g(n), every point w of M an upper one, |w|,
// when the origin is outside. All points are given in the frame S_A.
//
// The support map of a core is smooth in pieces, its sheets: the vertices of a polytope, the two rims of a
// cylinder or cone, the four rims of a beam, the whole of an ellipsoid. A sheet s has a support point
// p_s(d) for every d, also where another sheet is farther; h = max over sheets of p_s(d) . d.
#ifndef CR_COLLIDE_DISTANCE_DIFFERENCE_H
#define CR_COLLIDE_DISTANCE_DIFFERENCE_H

#include "collide/distance/pair.h"

#define CR_SHORT_REST 0.1      // [-] share of |b|^2 left across a, below which it is made perpendicular once more
#define CR_SLIVER 1e-4         // [-] of (4 area / sum of two squared edges)^2: below, a triangle is treated as a sliver
#define CR_FLAT_TRIANGLE 1e-14 // [-] height over longest edge below which a triangle has no normal

// A point of M with the points of A and B that it comes from, and the sheets they are on.
typedef struct crVertex {
  crVec3 w, a, b; // w = b - a
  int sheetA, sheetB;
} crVertex;

typedef struct crSide {
  crShapeKind kind;
  const crCore* core;
  int start;     // hull: vertex found last
  bool isCoarse; // hull: only its coarse vertices count now
} crSide;

typedef struct crDifference {
  crSide a, b;
  crPose X_AB;
  crVertex centre; // a point inside M, on no sheet
  double scale;    // [m]
  double shareA;   // [-] of both radii
  double noise;    // [m] rounding error of a coordinate of a point of M
  double tight;    // [m] width of the bounds at which iterations end
  double aligned;  // [m] width of b - a across the normal at which iterations end
  double accepted; // [m] width of the bounds that is still called converged
  bool isPolytope; // both cores are
  int supportCount;
} crDifference;

static inline bool crIsPolytopeKind(crShapeKind kind)
{
  return kind == cr_shapeSphere || kind == cr_shapeBox || kind == cr_shapeCapsule || kind == cr_shapeHull;
}

static inline double crMax(double a, double b)
{
  return a > b ? a : b;
}

static inline double crMin(double a, double b)
{
  return a < b ? a : b;
}

static inline bool crIsZero(crVec3 v)
{
  return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

// Unit vector along v, zero for zero. Lengths within 1e-140 ... 1e140 only, unlike crNormalize.
static inline crVec3 crUnit(crVec3 v)
{
  double square = crLengthSquared(v);
  return square > 0.0 ? crScale(1.0 / sqrt(square), v) : v;
}

// ----------------------------------------------------------------------------------------- supports

// Unit vector along (d.x, d.y), or +x. d is of unit length, so nothing overflows, and what underflows has
// no influence on the farthest point.
static inline crVec3 crRadial(crVec3 d)
{
  double square = d.x * d.x + d.y * d.y;
  if (!(square > DBL_MIN)) {
    return crMakeVec3(1.0, 0.0, 0.0);
  }
  double inverse = 1.0 / sqrt(square);
  return crMakeVec3(d.x * inverse, d.y * inverse, 0.0);
}

static inline crVec3 crCorner(crVec3 half, int sheet)
{
  return crMakeVec3(sheet & 1 ? -half.x : half.x, sheet & 2 ? -half.y : half.y, sheet & 4 ? -half.z : half.z);
}

static inline crVec3 crEllipsoidPoint(crVec3 a, crVec3 d)
{
  crVec3 s = crMakeVec3(a.x * d.x, a.y * d.y, a.z * d.z);
  double inverse = 1.0 / crLength(s);
  return crMakeVec3(a.x * s.x * inverse, a.y * s.y * inverse, a.z * s.z * inverse);
}

// The support point of one sheet along the unit vector d, in S.
static inline crVec3 crSheetPoint(crShapeKind kind, const crCore* core, int sheet, crVec3 d)
{
  switch (kind) {
    case cr_shapeBox: return crCorner(core->half, sheet);
    case cr_shapeHull: return core->hull->vertices[sheet];
    case cr_shapeCapsule: return crMakeVec3(0.0, 0.0, sheet ? core->zMin : core->zMax);
    case cr_shapeEllipsoid: return crEllipsoidPoint(core->half, d);
    case cr_shapeCylinder:
    case cr_shapeCone: {
      bool isTop = sheet == 0;
      crVec3 e = crRadial(d);
      double radius = kind == cr_shapeCone && isTop ? core->topRadius : core->radius;
      return crMakeVec3(radius * e.x, radius * e.y, isTop ? core->zMax : core->zMin);
    }
    case cr_shapeBeam: {
      crVec3 e = crRadial(d);
      return crMakeVec3((sheet & 1 ? -core->half.x : core->half.x) + core->half.y * e.x, core->half.y * e.y,
                        sheet & 2 ? -core->half.z : core->half.z);
    }
    default: return crMakeVec3(0.0, 0.0, 0.0);
  }
}

static inline int crFindHullVertex(crSide* side, crVec3 d)
{
  const crHull* hull = side->core->hull;
  side->start = side->isCoarse ? crHull_FindCoarseSupport(hull, d) : crHull_FindSupportFast(hull, d, side->start);
  return side->start;
}

// The sheet that is farthest along d. A zero component of d counts as positive.
static inline int crFindSheet(crSide* side, crVec3 d)
{
  const crCore* core = side->core;
  switch (side->kind) {
    case cr_shapeBox: return (d.x < 0.0) | (d.y < 0.0) << 1 | (d.z < 0.0) << 2;
    case cr_shapeHull: return crFindHullVertex(side, d);
    case cr_shapeCapsule:
    case cr_shapeCylinder: return d.z < 0.0;
    case cr_shapeCone:
      return (core->topRadius - core->radius) * sqrt(d.x * d.x + d.y * d.y) + (core->zMax - core->zMin) * d.z < 0.0;
    case cr_shapeBeam: return (d.x < 0.0) | (d.z < 0.0) << 1;
    default: return 0;
  }
}

// The point of M with the least n . w, of the given sheets; n of unit length.
static inline crVertex crDifference_SheetVertex(const crDifference* m, int sheetA, int sheetB, crVec3 n)
{
  crVertex v = { .sheetA = sheetA, .sheetB = sheetB };
  v.a = crSheetPoint(m->a.kind, m->a.core, sheetA, n);
  v.b = crTransformPoint(m->X_AB, crSheetPoint(m->b.kind, m->b.core, sheetB, crNeg(crMulTV(m->X_AB.R, n))));
  v.w = crSub(v.b, v.a);
  return v;
}

// The point of M with the least n . w.
static inline crVertex crDifference_FindSupport(crDifference* m, crVec3 n)
{
  crVec3 d_B = crNeg(crMulTV(m->X_AB.R, n));
  crVertex v;
  if (m->a.kind == cr_shapeHull && m->b.kind == cr_shapeHull && !m->a.isCoarse && !m->b.isCoarse) {
    crFindTwoSupports(m->a.core->hull, n, &m->a.start, m->b.core->hull, d_B, &m->b.start);
    v.sheetA = m->a.start;
    v.sheetB = m->b.start;
  } else {
    v.sheetA = crFindSheet(&m->a, n);
    v.sheetB = crFindSheet(&m->b, d_B);
  }
  v.a = crSheetPoint(m->a.kind, m->a.core, v.sheetA, n);
  v.b = crTransformPoint(m->X_AB, crSheetPoint(m->b.kind, m->b.core, v.sheetB, d_B));
  v.w = crSub(v.b, v.a);
  ++m->supportCount;
  return v;
}

// ----------------------------------------------------------------------------------------- normals

// b without its part along a; twice where little is left of it, so that what is left is perpendicular to the last
// digit.
static inline crVec3 crRemoveAlong(crVec3 b, crVec3 a, double squareOfA)
{
  double inverse = 1.0 / squareOfA;
  crVec3 once = crMulAdd(b, -crDot(b, a) * inverse, a);
  if (crLengthSquared(once) > CR_SHORT_REST * crLengthSquared(b)) {
    return once;
  }
  return crMulAdd(once, -crDot(once, a) * inverse, a);
}

// As crTriangleNormal, for slivers: there the product of two edges is not perpendicular to them any more; the product
// of the longest edge and the height over it is.
crVec3 crSliverNormal(crVec3 p, crVec3 q, crVec3 r);

// Unit normal of the triangle pqr, seen from where it turns counter-clockwise. Zero when it has no area.
static inline crVec3 crTriangleNormal(crVec3 p, crVec3 q, crVec3 r)
{
  crVec3 e1 = crSub(q, p), e2 = crSub(r, p), N = crCross(e1, e2);
  double square = crLengthSquared(N), edges = crLengthSquared(e1) + crLengthSquared(e2);
  if (square > CR_SLIVER * edges * edges) {
    return crScale(1.0 / sqrt(square), N);
  }
  return crSliverNormal(p, q, r);
}

// ----------------------------------------------------------------------------------------- answers

// A convex combination of up to three vertices: the point of M nearest to the origin, or on the way out.
typedef struct crSimplex {
  crVertex v[4];
  double weight[4]; // sum 1
  int count;
} crSimplex;

// What refinement found.
typedef struct crBounds {
  crVec3 n;           // unit normal with the greatest g(n) so far
  double lower;       // [m] g(n)
  double upper;       // [m] of the signed distance
  crVec3 a, b;        // points of A and B, b - a about the distance along n
  bool isSettled;     // n is stationary: no small turn of it raises the lower bound
  bool isGlobal;      // and no large one does
  crVertex active[3]; // settled by a polish: the vertices that a and b come from
  int activeCount;    // else 0
  bool isSharp;       // and g falls off from n in all directions, not along a level valley
} crBounds;

// The foot of the origin on the plane of three vertices, as weights of them, which are negative outside the
// triangle; and the foot itself. False when the triangle has no area.
bool crWeighFoot(const crVertex* x, const crVertex* y, const crVertex* z, double outWeight[3], crVec3* outFoot);

// The origin lies outside M. Starts from the simplex's vertices, up to three.
void crRefineDistance(crDifference* m, crSimplex* simplex, crBounds* bounds);

// The origin lies in the tetrahedron of m->centre and the portal, or near it. Bounds that are settled are taken over as
// a local answer. Returns false, with a simplex to start from, when the origin turns out to lie outside M. The lower
// bound is -infinity when M is so thin that its triangles have no normals.
bool crRefineDepth(crDifference* m, const crVertex portal[3], crBounds* bounds, crSimplex* outSimplex);

typedef enum crPolishEnd {
  cr_polishFailed,  // the curvature is infinite, or the steps are
  cr_polishPartly,  // it has not come to its end
  cr_polishSettled, // n has become stationary: it is the answer when g(n) > 0, else a local one
} crPolishEnd;

// Second-order refinement of the normal n of a simplex over curved sheets, apart or overlapping. Improves the bounds.
crPolishEnd crPolishNormal(crDifference* m, const crSimplex* simplex, crVec3 n, crBounds* bounds);

// Whether the best normal so far is that of a flat face of M that holds the foot of the origin; then the points are
// set.
bool crFindFoot(crDifference* m, crBounds* bounds);

// The polish from the best normal so far, for long: the last resort where g is nearly level along a valley.
crPolishEnd crPolishLong(crDifference* m, crBounds* bounds);

static inline void crRaiseLower(crBounds* bounds, crVec3 n, double lower)
{
  if (lower > bounds->lower) {
    bounds->lower = lower;
    bounds->n = n;
  }
}

static inline void crSetWitness(const crVertex* v, const double* weight, int count, crBounds* bounds)
{
  crVec3 a = { 0.0, 0.0, 0.0 }, b = a;
  for (int i = 0; i < count; ++i) {
    a = crMulAdd(a, weight[i], v[i].a);
    b = crMulAdd(b, weight[i], v[i].b);
  }
  bounds->a = a;
  bounds->b = b;
}

#endif
