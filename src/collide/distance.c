// Signed distance of two shapes: what all pairs share.
//
// A query is put into one order first, so that exchanging the shapes changes no bit of the answer: by kind,
// then by sizes, then by pose. The pair's routine works on the cores in the frame of the first; their relative
// pose is formed once, so a pair far from the world's origin loses no more digits than its poses have.
#include "collide/pair.h"
#include "collide/surface.h"

#include <stddef.h>

#define CR_NOISE_UNITS 4.0 // [eps] rounding errors of a support point, in units of its coordinates
#define CR_FAR 1e70        // [m] beyond, products of four lengths overflow
#define CR_FARTHEST 1e300  // [m] a difference of positions beyond the range of numbers counts as this

// A shape without pieces at its place: the pose of its canonical frame.
typedef struct Placed {
  const crShape* shape;
  const crPose* X_WS; // as given, or turned
  crPose turned;      // where the shape is turned in its frame
  crVec3 centre;      // in S: a point inside the core
  double radius;      // [m] of the core around it
  double reach;       // [m] of the core around S's origin
} Placed;

// ------------------------------------------------------------------------------------------- places

static void measureCore(Placed* placed)
{
  const crCore* core = &placed->shape->core;
  double halfLength = 0.5 * (core->zMax - core->zMin);
  placed->centre = crMakeVec3(0.0, 0.0, 0.0);
  switch (placed->shape->kind) {
    case cr_shapeBox: placed->radius = core->half.x + core->half.y + core->half.z; break;
    case cr_shapeEllipsoid: placed->radius = crMaxAbs(core->half); break;
    case cr_shapeBeam: placed->radius = core->half.x + core->half.y + core->half.z; break;
    case cr_shapeCapsule: placed->radius = halfLength; break;
    case cr_shapeCylinder: placed->radius = core->radius + halfLength; break;
    case cr_shapeCone:
      placed->radius = fmax(core->radius, core->topRadius) + halfLength;
      placed->centre.z = 0.5 * (core->zMin + core->zMax);
      break;
    case cr_shapeHull:
      placed->centre = core->hull->centre;
      placed->radius = core->hull->radius;
      placed->reach = core->hull->reach;
      return;
    default: placed->radius = 0.0; break;
  }
  placed->reach = placed->radius + fabs(placed->centre.z);
}

static void placeShape(const crShape* shape, const crPose* X_WF, Placed* outPlaced)
{
  outPlaced->shape = shape;
  outPlaced->X_WS = X_WF;
  if (shape->isTurned) {
    outPlaced->turned = (crPose){ crMulMM(X_WF->R, shape->R_FS), X_WF->p };
    outPlaced->X_WS = &outPlaced->turned;
  }
  measureCore(outPlaced);
}

static double clampFar(double x)
{
  return x > CR_FARTHEST ? CR_FARTHEST : x < -CR_FARTHEST ? -CR_FARTHEST : x;
}

// X_AB of the canonical frames.
static crPose relatePlaces(const Placed* a, const Placed* b)
{
  crVec3 p = crSub(b->X_WS->p, a->X_WS->p);
  p = crMakeVec3(clampFar(p.x), clampFar(p.y), clampFar(p.z));
  crPose X = { crMulTM(a->X_WS->R, b->X_WS->R), crMulTV(a->X_WS->R, p) };
  return X;
}

// ------------------------------------------------------------------------------------------- answer

// So far apart that products overflow: the nearest points are the farthest ones along the line of the origins, and what
// that neglects is beyond the last digit.
static void answerFar(const crQuery* query, crDistance* out)
{
  double size = crMaxAbs(query->X_AB.p);
  crVec3 p = crScale(1.0 / size, query->X_AB.p), n = crNormalize(p), n_B = crNeg(crMulTV(query->X_AB.R, n));
  crVec3 a = crCore_ComputeSupport(query->a->kind, &query->a->core, n);
  crVec3 b = crCore_ComputeSupport(query->b->kind, &query->b->core, n_B);
  double distance = crLength(p) * size - crDot(n, a) - crDot(n_B, b);
  crSetExact(query, distance, n, a, crMulAdd(a, distance, n), out);
  out->isConverged = size < CR_FARTHEST;
  out->upperBound = out->isConverged ? out->upperBound : HUGE_VAL;
}

static void answerCores(const crQuery* query, crDistance* out)
{
  bool isBounded = query->b->kind != cr_shapeHalfSpace && query->a->kind != cr_shapeHalfSpace;
  if (isBounded && !(crMaxAbs(query->X_AB.p) < CR_FAR)) {
    answerFar(query, out);
    return;
  }
  crFindPairFunction(query->a->kind, query->b->kind)(query, out);
}

static void findSurfaces(const crQuery* query, crDistance* out)
{
  crMat3 R_AB = query->X_AB.R;
  crVec3 n = out->normal, n_B = crNeg(crMulTV(R_AB, n));
  const crDistanceCache* cache = query->cache;
  crFindSurface(query->a, out->pointA, n, cache->supportA, &out->surfaceA, &out->curvatureA);
  crFindSurface(query->b, crInvTransformPoint(query->X_AB, out->pointB), n_B, cache->supportB, &out->surfaceB,
                &out->curvatureB);
  out->curvatureB.direction1 = crMulMV(R_AB, out->curvatureB.direction1);
}

// From the cores to the shapes.
static void sweepCores(const crQuery* query, crDistance* out)
{
  double sweepA = query->a->sweep, sweepB = query->b->sweep, sweep = sweepA + sweepB;
  out->pointA = crMulAdd(out->pointA, sweepA, out->normal);
  out->pointB = crMulAdd(out->pointB, -sweepB, out->normal);
  out->distance -= sweep;
  out->lowerBound -= sweep + DBL_EPSILON * sweep;
  out->upperBound -= sweep - DBL_EPSILON * sweep;
}

static void moveToWorld(crPose X_WA, crDistance* out)
{
  out->normal = crMulMV(X_WA.R, out->normal);
  out->pointA = crTransformPoint(X_WA, out->pointA);
  out->pointB = crTransformPoint(X_WA, out->pointB);
  out->curvatureA.direction1 = crMulMV(X_WA.R, out->curvatureA.direction1);
  out->curvatureB.direction1 = crMulMV(X_WA.R, out->curvatureB.direction1);
}

static int startVertex(const crShape* shape, int vertex)
{
  bool isVertex = shape->kind == cr_shapeHull && vertex > 0 && vertex < shape->core.hull->vertexCount;
  return isVertex ? vertex : 0;
}

// Two shapes without pieces, in order.
static void computePieces(const Placed* a, const Placed* b, crDistanceCache* cache, crDistance* out)
{
  crQuery query = { .a = a->shape, .b = b->shape, .X_AB = relatePlaces(a, b), .cache = cache };
  query.centreA = a->centre;
  query.centreB = crTransformPoint(query.X_AB, b->centre);
  query.radiusA = a->radius;
  query.radiusB = b->radius;
  crVec3 between = crSub(query.centreB, query.centreA);
  query.scale = a->radius + b->radius + fabs(between.x) + fabs(between.y) + fabs(between.z);
  crVec3 p = query.X_AB.p;
  query.noise = CR_NOISE_UNITS * DBL_EPSILON * (a->reach + b->reach + fabs(p.x) + fabs(p.y) + fabs(p.z));
  cache->supportA = startVertex(a->shape, cache->supportA);
  cache->supportB = startVertex(b->shape, cache->supportB);
  answerCores(&query, out);
  findSurfaces(&query, out);
  sweepCores(&query, out);
  cache->direction[0] = out->normal.x;
  cache->direction[1] = out->normal.y;
  cache->direction[2] = out->normal.z;
  cache->isFilled = 1;
  moveToWorld(*a->X_WS, out);
}

// ------------------------------------------------------------------------------------------- pieces

static void numberPiece(const crShape* shape, int piece, crSurface* surface)
{
  for (int i = 0; shape->kind == cr_shapeMesh && i < piece; ++i) {
    surface->id += crCountFeatures(shape->pieces[i].core.hull, surface->kind);
  }
}

// A lower bound by the balls around both cores; -infinity for a half-space.
static double boundBelow(const Placed* a, const Placed* b)
{
  if (!crShape_IsBounded(a->shape) || !crShape_IsBounded(b->shape)) {
    return -HUGE_VAL;
  }
  crVec3 between = crSub(crTransformPoint(*b->X_WS, b->centre), crTransformPoint(*a->X_WS, a->centre));
  double radii = a->radius + a->shape->sweep + b->radius + b->shape->sweep;
  return crLength(between) * (1.0 - CR_NOISE_UNITS * DBL_EPSILON) - radii;
}

// The least distance of all pieces. A depth is that of the deepest piece: it need not separate the others.
static void computeMeshes(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                          crDistanceCache* cache, crDistance* out)
{
  int countA = crShape_GetPieceCount(a), countB = crShape_GetPieceCount(b), iterations = 0;
  double lower = HUGE_VAL;
  bool isFirst = true;
  crDistanceCache start = *cache;
  for (int i = 0; i < countA; ++i) {
    Placed pieceA;
    placeShape(crShape_GetPiece(a, i), X_WA, &pieceA);
    for (int j = 0; j < countB; ++j) {
      Placed pieceB;
      placeShape(crShape_GetPiece(b, j), X_WB, &pieceB);
      if (!isFirst && boundBelow(&pieceA, &pieceB) > out->upperBound) {
        continue;
      }
      crDistance found;
      crDistanceCache local = start;
      computePieces(&pieceA, &pieceB, &local, &found);
      iterations += found.iterations;
      lower = fmin(lower, found.lowerBound);
      if (isFirst || found.distance < out->distance) {
        numberPiece(a, i, &found.surfaceA);
        numberPiece(b, j, &found.surfaceB);
        *out = found;
        *cache = local;
        isFirst = false;
      }
    }
  }
  out->lowerBound = lower;
  out->iterations = iterations;
  out->isGlobal = out->isGlobal && (out->distance >= 0.0 || countA * countB == 1);
}

// -------------------------------------------------------------------------------------------- order

static int compareNumbers(const double* a, const double* b, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    if (a[i] != b[i]) {
      return a[i] < b[i] ? -1 : 1;
    }
  }
  return 0;
}

static int compareMatrices(const crMat3* a, const crMat3* b)
{
  return compareNumbers(&a->cx.x, &b->cx.x, sizeof *a / sizeof a->cx.x);
}

static int comparePoses(const crPose* a, const crPose* b)
{
  int order = compareNumbers(&a->p.x, &b->p.x, 3);
  return order != 0 ? order : compareMatrices(&a->R, &b->R);
}

static int compareHulls(const crHull* a, const crHull* b)
{
  if (a == b) {
    return 0;
  }
  if (a->vertexCount != b->vertexCount) {
    return a->vertexCount < b->vertexCount ? -1 : 1;
  }
  return compareNumbers(&a->vertices->x, &b->vertices->x, 3 * (size_t)a->vertexCount);
}

// Any order that depends on the shapes' data alone.
static int compareShapes(const crShape* a, const crShape* b)
{
  if (a == b) {
    return 0;
  }
  if (a->kind != b->kind) {
    return a->kind < b->kind ? -1 : 1;
  }
  int order = compareNumbers(&a->core.half.x, &b->core.half.x, offsetof(crCore, hull) / sizeof(double));
  order = order != 0 ? order : (a->sweep > b->sweep) - (a->sweep < b->sweep);
  order = order != 0 ? order : compareMatrices(&a->R_FS, &b->R_FS);
  if (order != 0 || (a->kind != cr_shapeHull && a->kind != cr_shapeMesh)) {
    return order;
  }
  int countA = crShape_GetPieceCount(a), countB = crShape_GetPieceCount(b);
  order = (countA > countB) - (countA < countB);
  for (int i = 0; i < countA && order == 0; ++i) {
    order = compareHulls(crShape_GetPiece(a, i)->core.hull, crShape_GetPiece(b, i)->core.hull);
  }
  return order;
}

static void exchange(crDistance* d, crDistanceCache* cache)
{
  crVec3 point = d->pointA;
  d->pointA = d->pointB;
  d->pointB = point;
  d->normal = crNeg(d->normal);
  crSurface surface = d->surfaceA;
  d->surfaceA = d->surfaceB;
  d->surfaceB = surface;
  crCurvature curvature = d->curvatureA;
  d->curvatureA = d->curvatureB;
  d->curvatureB = curvature;
  int support = cache->supportA;
  cache->supportA = cache->supportB;
  cache->supportB = support;
}

static void computeOrdered(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                           crDistanceCache* cache, crDistance* out)
{
  if (a->kind == cr_shapeMesh || b->kind == cr_shapeMesh) {
    computeMeshes(a, X_WA, b, X_WB, cache, out);
    return;
  }
  Placed placedA, placedB;
  placeShape(a, X_WA, &placedA);
  placeShape(b, X_WB, &placedB);
  computePieces(&placedA, &placedB, cache, out);
}

// x - x is 0 for a finite x, else NaN.
static bool isFinitePose(const crPose* X)
{
  crVec3 x = crAdd(crSub(X->R.cx, X->R.cx), crSub(X->R.cy, X->R.cy));
  x = crAdd(x, crAdd(crSub(X->R.cz, X->R.cz), crSub(X->p, X->p)));
  return x.x + x.y + x.z == 0.0;
}

crStatus crComputeDistance(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                           crDistanceCache* cache, crDistance* outDistance)
{
  if (a == NULL || X_WA == NULL || b == NULL || X_WB == NULL || outDistance == NULL || !isFinitePose(X_WA) ||
      !isFinitePose(X_WB)) {
    return cr_errorMisuse;
  }
  crDistanceCache local = { .supportA = 0 };
  if (cache != NULL) {
    local = *cache;
  }
  int order = compareShapes(a, b);
  order = order != 0 ? order : comparePoses(X_WA, X_WB);
  if (order <= 0) {
    computeOrdered(a, X_WA, b, X_WB, &local, outDistance);
  } else {
    int support = local.supportA;
    local.supportA = local.supportB;
    local.supportB = support;
    computeOrdered(b, X_WB, a, X_WA, &local, outDistance);
    exchange(outDistance, &local);
  }
  if (cache != NULL) {
    crVec3 direction = crMulTV(X_WA->R, outDistance->normal);
    *cache = local;
    cache->direction[0] = direction.x;
    cache->direction[1] = direction.y;
    cache->direction[2] = direction.z;
  }
  return cr_ok;
}
