#include "distance_pairs.h"

#include "geometry/shape.h"

#include <stdio.h>
#include <stdlib.h>

#define SEED 12345
#define LEAST_SIZE 0.3 // [m] half sizes are 0.3 to 1
#define CHECKS_AROUND 300
#define CHECKS_NEAR 200
#define CHECKS_OF_FACES 40
#define CHECK_TOLERANCE 1e-12 // [m]
#define LEAST_SINE 0.22       // of crossing edges

// -------------------------------------------------------------------------------------------- random

static uint64_t state;

static double uniform(double min, double max)
{
  state += 0x9e3779b97f4a7c15u;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return min + (max - min) * ((double)(z >> 11) * 0x1p-53);
}

static int pick(int count)
{
  return (int)uniform(0.0, count - 1e-9);
}

static crVec3 randomDirection(void)
{
  for (;;) {
    crVec3 v = crMakeVec3(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0));
    double square = crLengthSquared(v);
    if (square < 1.0 && square > 1e-3) {
      return crNormalize(v);
    }
  }
}

static crMat3 randomRotation(void)
{
  crMat3 R = { .cx = randomDirection() };
  R.cy = crNormalize(crCross(R.cx, randomDirection()));
  R.cz = crCross(R.cx, R.cy);
  return R;
}

static double randomSign(void)
{
  return uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
}

// ------------------------------------------------------------------------------------------- shapes

static void* allocate(size_t count, size_t size)
{
  void* memory = calloc(count, size);
  if (memory == NULL) {
    perror("bench_distance");
    exit(1);
  }
  return memory;
}

static crShape* createShape(const crShapeDef* def)
{
  crShape* shape;
  if (crCreateShape(def, NULL, NULL, &shape) != cr_ok) {
    fprintf(stderr, "bench_distance: a %s was refused\n", crShapeKind_GetText(def->kind));
    exit(1);
  }
  return shape;
}

// Points on an ellipsoid, so all of them are vertices.
static crVec3* makePoints(int count)
{
  crVec3* points = allocate((size_t)count, sizeof *points);
  crVec3 half = crMakeVec3(uniform(0.4, 1.0), uniform(0.4, 1.0), uniform(0.4, 1.0));
  for (int i = 0; i < count; ++i) {
    crVec3 u = randomDirection();
    points[i] = crMakeVec3(half.x * u.x, half.y * u.y, half.z * u.z);
  }
  return points;
}

static crShapeDef makeHullDef(const BenchHull* hull)
{
  crShapeDef def = crDefaultShapeDef(cr_shapeHull);
  def.rounding = CR_ZERO;
  def.as.hull.points = hull->points;
  def.as.hull.pointCount = hull->pointCount;
  return def;
}

static BenchHull makeHull(int pointCount, crShape** outShape)
{
  BenchHull bench = { .points = makePoints(pointCount), .pointCount = pointCount };
  crShapeDef def = makeHullDef(&bench);
  crShape* shape = createShape(&def);
  const crHull* hull = shape->core.hull;
  if (hull->vertexCount != pointCount) {
    fprintf(stderr, "bench_distance: a hull lost vertices\n");
    exit(1);
  }
  bench.faceCount = hull->faceCount;
  bench.faceWordCount = hull->faceCount + hull->faceVertexCount;
  int *words = allocate((size_t)bench.faceWordCount, sizeof *words), *next = words;
  for (int f = 0; f < hull->faceCount; ++f) {
    *next++ = hull->faceStarts[f + 1] - hull->faceStarts[f];
    for (int k = hull->faceStarts[f]; k < hull->faceStarts[f + 1]; ++k) {
      *next++ = hull->faceVertices[k];
    }
  }
  bench.faces = words;
  *outShape = shape;
  return bench;
}

static BenchShape makeShape(crShapeKind kind, const BenchPairs* set)
{
  double x = uniform(LEAST_SIZE, 1.0), y = uniform(LEAST_SIZE, 1.0), z = uniform(LEAST_SIZE, 1.0);
  BenchShape shape = { .def = crDefaultShapeDef(kind) };
  shape.def.rounding = CR_ZERO;
  switch (kind) {
    case cr_shapeSphere: shape.def.as.sphere.radius = x; break;
    case cr_shapeEllipsoid: shape.def.as.ellipsoid.radii = crMakeVec3(x, y, z); break;
    case cr_shapeBox: shape.def.as.box.size = crMakeVec3(2.0 * x, 2.0 * y, 2.0 * z); break;
    case cr_shapeCylinder:
      shape.def.as.cylinder.radius = x;
      shape.def.as.cylinder.length = 2.0 * z;
      break;
    case cr_shapeCone:
      shape.def.as.cone.radius = x;
      shape.def.as.cone.length = 2.0 * z;
      break;
    case cr_shapeCapsule:
      shape.def.as.capsule.radius = x;
      shape.def.as.capsule.length = 2.0 * z;
      break;
    default:
      shape.hull = pick(set->hullCount);
      shape.def = makeHullDef(&set->hulls[shape.hull]);
      break;
  }
  return shape;
}

// ------------------------------------------------------------------------------------------ features

// A point of a surface with a single normal, in the shape's frame.
typedef struct Spot {
  crVec3 p, n;
} Spot;

static Spot spotOnBox(crVec3 half)
{
  double p[3] = { uniform(-0.9, 0.9) * half.x, uniform(-0.9, 0.9) * half.y, uniform(-0.9, 0.9) * half.z };
  double n[3] = { 0.0, 0.0, 0.0 };
  const double size[3] = { half.x, half.y, half.z };
  int k = pick(3);
  n[k] = randomSign();
  p[k] = n[k] * size[k];
  return (Spot){ { p[0], p[1], p[2] }, { n[0], n[1], n[2] } };
}

static Spot spotOnDisc(double radius, double z, double side)
{
  double r = 0.9 * radius * sqrt(uniform(0.0, 1.0)), angle = uniform(0.0, 2.0 * CR_PI);
  return (Spot){ { r * cos(angle), r * sin(angle), z }, { 0.0, 0.0, side } };
}

// On the line from (radius, zMin) to (topRadius, zMax) turned about z.
static Spot spotOnSide(double radius, double topRadius, double zMin, double zMax)
{
  double angle = uniform(0.0, 2.0 * CR_PI), t = uniform(0.1, 0.9), r = radius + t * (topRadius - radius);
  double c = cos(angle), s = sin(angle), height = zMax - zMin;
  return (Spot){ { r * c, r * s, zMin + t * height },
                 crNormalize(crMakeVec3(height * c, height * s, radius - topRadius)) };
}

static Spot spotOnHull(const crHull* hull)
{
  int f = pick(hull->faceCount), first = hull->faceStarts[f];
  double u = uniform(0.1, 0.8), v = uniform(0.1, 0.9 - u > 0.1 ? 0.9 - u : 0.1);
  crVec3 a = hull->vertices[hull->faceVertices[first]], b = hull->vertices[hull->faceVertices[first + 1]];
  crVec3 c = hull->vertices[hull->faceVertices[first + 2]];
  // an outward normal with all digits, of the triangle itself
  crVec3 n = crNormalize(crCross(crSub(b, a), crSub(c, a)));
  return (Spot){ crMulAdd(crMulAdd(a, u, crSub(b, a)), v, crSub(c, a)), n };
}

static Spot spotAlong(const crShape* shape, crVec3 n)
{
  return (Spot){ crShape_ComputeSupport(shape, n), n };
}

static Spot findSpot(const crShape* shape)
{
  const crCore* core = &shape->core;
  switch (shape->kind) {
    case cr_shapeBox: return spotOnBox(core->half);
    case cr_shapeCylinder: {
      double side = randomSign();
      return uniform(0.0, 1.0) < 0.4 ? spotOnDisc(core->radius, side * core->zMax, side)
                                     : spotOnSide(core->radius, core->radius, core->zMin, core->zMax);
    }
    case cr_shapeCone:
      return uniform(0.0, 1.0) < 0.4 ? spotOnDisc(core->radius, core->zMin, -1.0)
                                     : spotOnSide(core->radius, core->topRadius, core->zMin, core->zMax);
    case cr_shapeCapsule:
      return uniform(0.0, 1.0) < 0.5 ? spotAlong(shape, randomDirection())
                                     : spotOnSide(shape->sweep, shape->sweep, core->zMin, core->zMax);
    case cr_shapeHull: return spotOnHull(core->hull);
    default: return spotAlong(shape, randomDirection());
  }
}

// Two crossing edges of boxes: their points and the normal. False: they are too parallel.
static bool findCrossing(const crShape* a, const crShape* b, crMat3 R_AB, Spot* outA, crVec3* outB)
{
  const crVec3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
  crVec3 edgeA = axes[pick(3)], edgeB = axes[pick(3)], N = crCross(edgeA, crMulMV(R_AB, edgeB));
  if (crLength(N) < LEAST_SINE) {
    return false;
  }
  crVec3 n = crScale(randomSign(), crNormalize(N));
  crVec3 cornerA = crShape_ComputeSupport(a, n), cornerB = crShape_ComputeSupport(b, crNeg(crMulTV(R_AB, n)));
  double t = uniform(0.05, 0.95), u = uniform(0.05, 0.95);
  outA->n = n;
  outA->p = crMulAdd(cornerA, -2.0 * t * crDot(cornerA, edgeA), edgeA);
  *outB = crMulAdd(cornerB, -2.0 * u * crDot(cornerB, edgeB), edgeB);
  return true;
}

// --------------------------------------------------------------------------------------------- pairs

static double separate(const crShape* a, const crShape* b, crPose X_AB, crVec3 n)
{
  crVec3 pa = crShape_ComputeSupport(a, n), pb = crShape_ComputeSupport(b, crNeg(crMulTV(X_AB.R, n)));
  return crDot(n, crSub(crTransformPoint(X_AB, pb), pa));
}

static bool isBest(const crShape* a, const crShape* b, crPose X_AB, crVec3 n, double distance)
{
  if (fabs(separate(a, b, X_AB, n) - distance) > CHECK_TOLERANCE) {
    return false;
  }
  for (int i = 0; i < CHECKS_AROUND + CHECKS_NEAR; ++i) {
    crVec3 other = randomDirection();
    if (i >= CHECKS_AROUND) {
      other = crNormalize(crMulAdd(n, pow(10.0, uniform(-6.0, -0.5)), other));
    }
    if (separate(a, b, X_AB, other) > distance + CHECK_TOLERANCE) {
      return false;
    }
  }
  return true;
}

// Of two hulls that overlap, whether no face of B - A at a vertex of it is a shorter way out: faces of A, of B, and
// those that two edges span. The directions above seldom hit such a face, which may be a little shallower.
static bool isBestAtVertex(const crShape* a, const crShape* b, crPose X_AB, crVec3 towards, double limit)
{
  const crHull *A = a->core.hull, *B = b->core.hull;
  int va = crHull_FindSupport(A, towards), vb = crHull_FindSupport(B, crNeg(crMulTV(X_AB.R, towards)));
  for (int i = A->neighbourStarts[va]; i < A->neighbourStarts[va + 1]; ++i) {
    crVec3 edge = crSub(A->vertices[A->neighbours[i]], A->vertices[va]);
    if (separate(a, b, X_AB, A->normals[A->vertexFaces[i]]) > limit) {
      return false;
    }
    for (int j = B->neighbourStarts[vb]; j < B->neighbourStarts[vb + 1]; ++j) {
      crVec3 other = crMulMV(X_AB.R, crSub(B->vertices[B->neighbours[j]], B->vertices[vb]));
      crVec3 n = crNormalize(crCross(edge, other));
      if (separate(a, b, X_AB, crDot(n, towards) < 0.0 ? crNeg(n) : n) > limit) {
        return false;
      }
    }
  }
  for (int j = B->neighbourStarts[vb]; j < B->neighbourStarts[vb + 1]; ++j) {
    if (separate(a, b, X_AB, crNeg(crMulMV(X_AB.R, B->normals[B->vertexFaces[j]]))) > limit) {
      return false;
    }
  }
  return true;
}

static bool isBestOfFaces(const crShape* a, const crShape* b, crPose X_AB, crVec3 n, double distance)
{
  bool isGood = true;
  for (int i = 0; i < CHECKS_OF_FACES && isGood; ++i) {
    crVec3 towards = crNormalize(crMulAdd(n, pow(10.0, uniform(-3.0, 0.0)), randomDirection()));
    isGood = isBestAtVertex(a, b, X_AB, towards, distance + CHECK_TOLERANCE);
  }
  return isGood;
}

static double extentOf(const crShape* shape)
{
  crAabb box = crShape_ComputeAabb(shape, crIdentityPose());
  return crLength(crSub(box.max, box.min));
}

// X_AB and the distance of a new pair. False: try again.
static bool placePair(const crShape* a, const crShape* b, double distance, crPose* outX_AB)
{
  crPose X = { .R = randomRotation() };
  Spot spot;
  crVec3 pointB;
  int way = pick(3);
  bool isCrossing = way == 1 && a->kind == cr_shapeBox && b->kind == cr_shapeBox;
  if (isCrossing) {
    if (!findCrossing(a, b, X.R, &spot, &pointB)) {
      return false;
    }
  } else {
    spot = way == 0 && distance > 0.0 ? spotAlong(a, randomDirection()) : findSpot(a);
    pointB = crShape_ComputeSupport(b, crNeg(crMulTV(X.R, spot.n)));
  }
  X.p = crSub(crMulAdd(spot.p, distance, spot.n), crMulMV(X.R, pointB));
  *outX_AB = X;
  bool needsFaces = distance < 0.0 && a->kind == cr_shapeHull && b->kind == cr_shapeHull;
  return isBest(a, b, X, spot.n, distance) && (!needsFaces || isBestOfFaces(a, b, X, spot.n, distance));
}

// All pairs share the hulls.
static crShape* takeShape(const DistancePairs* pairs, const BenchShape* shape)
{
  return shape->def.kind == cr_shapeHull ? pairs->hulls[shape->hull] : createShape(&shape->def);
}

static void dropShape(crShape* shape)
{
  if (shape->kind != cr_shapeHull) {
    crDestroyShape(shape);
  }
}

static void makePair(crShapeKind kindA, crShapeKind kindB, bool isApart, const DistancePairs* pairs, BenchPair* pair,
                     crShape** outA, crShape** outB)
{
  for (;;) {
    *pair = (BenchPair){ .a = makeShape(kindA, &pairs->set), .b = makeShape(kindB, &pairs->set) };
    *outA = takeShape(pairs, &pair->a);
    *outB = takeShape(pairs, &pair->b);
    pair->distance = (isApart ? 1.0 : -1.0) * pow(10.0, uniform(-6.0, -2.0));
    crPose X_AB;
    if (placePair(*outA, *outB, pair->distance, &X_AB)) {
      pair->X_WA = (crPose){ randomRotation(), { uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0) } };
      pair->X_WB = crMulPose(pair->X_WA, X_AB);
      pair->scale = extentOf(*outA) + extentOf(*outB) + crLength(X_AB.p);
      return;
    }
    dropShape(*outA);
    dropShape(*outB);
  }
}

DistancePairs makeDistancePairs(crShapeKind a, crShapeKind b, int hullPoints, int count)
{
  state = SEED;
  DistancePairs pairs = { .shapes = allocate(2 * (size_t)count, sizeof *pairs.shapes) };
  BenchPairs* set = &pairs.set;
  set->count = count;
  set->pairs = allocate((size_t)count, sizeof *set->pairs);
  set->hullCount = hullPoints > 0 ? BENCH_HULLS : 0;
  set->hulls = allocate(BENCH_HULLS, sizeof *set->hulls);
  for (int h = 0; h < set->hullCount; ++h) {
    set->hulls[h] = makeHull(hullPoints, &pairs.hulls[h]);
  }
  for (int i = 0; i < count; ++i) {
    makePair(a, b, i % 2 == 0, &pairs, &set->pairs[i], &pairs.shapes[2 * i], &pairs.shapes[2 * i + 1]);
  }
  return pairs;
}

void destroyDistancePairs(DistancePairs* pairs)
{
  for (int i = 0; i < 2 * pairs->set.count; ++i) {
    dropShape(pairs->shapes[i]);
  }
  for (int h = 0; h < pairs->set.hullCount; ++h) {
    crDestroyShape(pairs->hulls[h]);
    free((void*)pairs->set.hulls[h].points);
    free((void*)pairs->set.hulls[h].faces);
  }
  free(pairs->set.hulls);
  free(pairs->set.pairs);
  free(pairs->shapes);
}
