// Signed distance of two shapes: what all pairs share.
//
// A query is put into one order first, so that exchanging the shapes changes no bit of the answer: by kind,
// then by sizes, then by pose. The pair's routine works on the cores in the frame of the first; their relative
// pose is formed once, so a pair far from the world's origin loses no more digits than its poses have.
#include "collide/distance/advance.h"
#include "collide/distance/ball.h"
#include "collide/distance/pair.h"
#include "collide/distance/parallel.h"
#include "collide/distance/surface.h"
#include "collide/distance/wall.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define CR_PARALLEL 1e-10 // [-] sine of the angle between axes that are parallel, to what distances promise

// A shape without pieces at its place: the pose of its canonical frame.
typedef struct Placed {
  const crShape* shape;
  const crPose* X_WS; // as given, or turned
  crPose turned;      // where the shape is turned in its frame
  bool isOffCentre;   // the centre is not S's origin
  crVec3 centre;      // in S: a point inside the core
  double radius;      // [m] of the core around it
  double reach;       // [m] of the core around S's origin
} Placed;

// ------------------------------------------------------------------------------------------- places

// Reads what a kind has, no more: the rest of a core may be in another cache line.
CR_INLINE void measureCore(Placed* placed)
{
  const crCore* core = &placed->shape->core;
  placed->centre = crMakeVec3(0.0, 0.0, 0.0);
  placed->isOffCentre = false;
  switch (placed->shape->kind) {
    case cr_shapeBox:
    case cr_shapeBeam: placed->radius = core->half.x + core->half.y + core->half.z; break;
    case cr_shapeEllipsoid: placed->radius = crMaxAbs(core->half); break;
    case cr_shapeCapsule: placed->radius = 0.5 * (core->zMax - core->zMin); break;
    case cr_shapeCylinder: placed->radius = core->radius + 0.5 * (core->zMax - core->zMin); break;
    case cr_shapeCone:
      placed->radius = fmax(core->radius, core->topRadius) + 0.5 * (core->zMax - core->zMin);
      placed->centre.z = 0.5 * (core->zMin + core->zMax);
      placed->isOffCentre = true;
      break;
    case cr_shapeHull:
      placed->centre = core->hull->centre;
      placed->radius = core->hull->radius;
      placed->reach = core->hull->reach;
      placed->isOffCentre = true;
      return;
    default: placed->radius = 0.0; break;
  }
  placed->reach = placed->radius + fabs(placed->centre.z);
}

CR_INLINE void placeShape(const crShape* shape, const crPose* X_WF, Placed* outPlaced)
{
  outPlaced->shape = shape;
  outPlaced->X_WS = X_WF;
  if (shape->isTurned && shape->kind != cr_shapeSphere) {
    outPlaced->turned = (crPose){ crMulMM(X_WF->R, shape->R_FS), X_WF->p };
    outPlaced->X_WS = &outPlaced->turned;
  }
  measureCore(outPlaced);
}

// X_AB of the canonical frames.
CR_INLINE crPose relatePlaces(const Placed* a, const Placed* b)
{
  crVec3 p = crSubFinite(b->X_WS->p, a->X_WS->p);
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
  crSetExact(query->noise, distance, out);
  crSetPoints(n, a, crMulAdd(a, distance, n), false, out);
  out->isConverged = size < CR_FARTHEST;
  out->upperBound = out->isConverged ? out->upperBound : HUGE_VAL;
}

static void answerCores(const crQuery* query, crDistance* out)
{
  if (!(crMaxAbs(query->X_AB.p) < CR_FAR)) {
    answerFar(query, out);
    return;
  }
  crFindPairFunction(query->a->kind, query->b->kind)(query, out);
}

// From the cores in S_A to the shapes in the world.
CR_INLINE void moveToWorld(const crQuery* query, const Placed* a, const Placed* b, bool isExchanged, crDistance* out)
{
  double sweepA = query->a->sweep, sweep = sweepA + query->b->sweep;
  crVec3 n = out->normal, n_B = crNeg(crMulTV(query->X_AB.R, n)), coreA = out->pointA, coreB = out->pointB;
  crVec3 n_W = crMulMV(a->X_WS->R, n), pointA = crTransformPoint(*a->X_WS, crMulAdd(coreA, sweepA, n));
  coreB = crUsesPoint(query->b) ? crInvTransformPoint(query->X_AB, coreB) : coreB;
  out->distance -= sweep;
  out->lowerBound -= sweep + DBL_EPSILON * sweep;
  out->upperBound -= sweep - DBL_EPSILON * sweep;
  crSetPoints(n_W, pointA, crMulAdd(pointA, out->distance, n_W), isExchanged, out);
  crCurvature* curvatureA = isExchanged ? &out->curvatureB : &out->curvatureA;
  crCurvature* curvatureB = isExchanged ? &out->curvatureA : &out->curvatureB;
  bool hasDirectionA = crFindSurface(query->a, &coreA, &n, query->cache->supportA,
                                     isExchanged ? &out->surfaceB : &out->surfaceA, curvatureA);
  bool hasDirectionB = crFindSurface(query->b, &coreB, &n_B, query->cache->supportB,
                                     isExchanged ? &out->surfaceA : &out->surfaceB, curvatureB);
  crVec3 any = crAnyPerpendicular(n_W);
  curvatureA->direction1 = hasDirectionA ? crMulMV(a->X_WS->R, curvatureA->direction1) : any;
  curvatureB->direction1 = hasDirectionB ? crMulMV(b->X_WS->R, curvatureB->direction1) : any;
}

static int startVertex(const crShape* shape, int vertex)
{
  bool isVertex = shape->kind == cr_shapeHull && vertex > 0 && vertex < shape->core.hull->vertexCount;
  return isVertex ? vertex : 0;
}

CR_INLINE void answerQuery(const Placed* a, const Placed* b, bool isExchanged, crDistanceCache* cache, crDistance* out)
{
  crQuery query = { .a = a->shape, .b = b->shape, .X_AB = relatePlaces(a, b), .cache = cache };
  crVec3 p = query.X_AB.p, between = p;
  query.centreA = a->centre;
  query.centreB = p;
  if (a->isOffCentre || b->isOffCentre) {
    query.centreB = crTransformPoint(query.X_AB, b->centre);
    between = crSub(query.centreB, query.centreA);
  }
  query.radiusA = a->radius;
  query.radiusB = b->radius;
  query.scale = a->radius + b->radius + fabs(between.x) + fabs(between.y) + fabs(between.z);
  query.noise = crNoiseOf(a->reach + b->reach, p);
  answerCores(&query, out);
  moveToWorld(&query, a, b, isExchanged, out);
}

CR_INLINE void answerBounded(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                             bool isExchanged, crDistanceCache* cache, crDistance* out)
{
  Placed placedA, placedB;
  placeShape(a, X_WA, &placedA);
  placeShape(b, X_WB, &placedB);
  answerQuery(&placedA, &placedB, isExchanged, cache, out);
}

// A sphere, with its frame set aside, so that no bit depends on how it is turned.
CR_APART void answerSphere(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, bool isExchanged,
                           crDistanceCache* cache, crDistance* out)
{
  if (!crTrySphere(a, X_WA, b, X_WB, isExchanged, out)) {
    crPose unturned = { crIdentityMat3(), X_WA->p };
    cache->supportA = 0;
    cache->supportB = startVertex(b, cache->supportB);
    answerBounded(a, &unturned, b, X_WB, isExchanged, cache, out);
  }
}

// Two shapes without pieces, in order; isExchanged: the answer calls the first one B. The cache is in order, too.
static void computePieces(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, bool isExchanged,
                          crDistanceCache* cache, crDistance* out)
{
  if (a->kind == cr_shapeSphere) {
    answerSphere(a, X_WA, b, X_WB, isExchanged, cache, out);
    return;
  }
  if (crIsWall(b)) { // of which a is the ellipsoid: its kind comes before
    crAnswerWall(a, X_WA, b, X_WB, isExchanged, out);
    return;
  }
  cache->supportA = startVertex(a, cache->supportA);
  cache->supportB = startVertex(b, cache->supportB);
  bool isHalfA = a->kind == cr_shapeHalfSpace, isHalfB = b->kind == cr_shapeHalfSpace;
  if (isHalfA && isHalfB) {
    crAnswerTwoPlanes(a, X_WA, b, X_WB, isExchanged, out);
  } else if (isHalfA) {
    crAnswerPlane(a, X_WA, b, X_WB, &cache->supportB, isExchanged, out);
  } else if (isHalfB) {
    crAnswerPlane(b, X_WB, a, X_WA, &cache->supportA, !isExchanged, out);
  } else {
    answerBounded(a, X_WA, b, X_WB, isExchanged, cache, out);
  }
}

// ------------------------------------------------------------------------------------------- pieces

static void numberPiece(const crShape* shape, int piece, crSurface* surface)
{
  if (shape->given.isHollow && crIsInPieces(shape)) {
    surface->id = piece; // a wall
  }
  for (int i = 0; shape->kind == cr_shapeMesh && i < piece; ++i) {
    surface->id += crCountFeatures(shape->pieces[i].core.hull, surface->kind);
  }
}

// A lower bound by the balls around both cores; -infinity for a half-space.
static double boundBelow(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB)
{
  if (!crShape_IsBounded(a) || !crShape_IsBounded(b)) {
    return -HUGE_VAL;
  }
  Placed placedA, placedB;
  placeShape(a, X_WA, &placedA);
  placeShape(b, X_WB, &placedB);
  crVec3 centreA = crTransformPoint(*placedA.X_WS, placedA.centre);
  crVec3 centreB = crTransformPoint(*placedB.X_WS, placedB.centre);
  double radii = placedA.radius + a->sweep + placedB.radius + b->sweep;
  return crLength(crSub(centreB, centreA)) * (1.0 - CR_NOISE_UNITS * DBL_EPSILON) - radii;
}

static bool isRoom(const crShape* shape)
{
  return shape->isRoom && shape->pieceCount > 0;
}

// Rooms are to ellipsoids, and surfaces, if they have convex pieces, to all but balls and what is parallel to them.
bool crIsInPiecesFor(const crShape* shape, const crShape* other)
{
  return crIsInPieces(shape) || (isRoom(shape) && other->kind == cr_shapeEllipsoid) ||
         (crHasConvexPieces(shape) && other->kind != cr_shapeSphere && !crIsParallelPair(shape, other));
}

static bool isInPiecesHere(const crShape* shape, const crShape* other)
{
  return crIsInPiecesFor(shape, other) || (crHasConvexPieces(shape) && crIsParallelPair(shape, other));
}

// Of what is parallel, for which outlines are not all (computeParallel), the convex ones.
static bool isPieceHere(const crShape* piece, const crShape* other, bool isParallel)
{
  return isParallel ? !crIsSurface(piece) : crIsPieceFor(piece, other);
}

// The least distance of all pieces. A depth is that of the deepest piece: it need not separate the others.
static void computeMeshes(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, bool isExchanged,
                          crDistanceCache* cache, crDistance* out)
{
  int countA = crShape_CountPieces(a), countB = crShape_CountPieces(b), iterations = 0;
  double lower = HUGE_VAL;
  bool isFirst = true;
  crDistanceCache start = *cache;
  *out = (crDistance){ .distance = HUGE_VAL };
  bool isWholeA = !isInPiecesHere(a, b), isWholeB = !isInPiecesHere(b, a), isParallel = crIsParallelPair(a, b);
  countA = isWholeA ? 1 : countA;
  countB = isWholeB ? 1 : countB;
  for (int i = 0; i < countA; ++i) {
    const crShape* pieceA = isWholeA ? a : crShape_GetPiece(a, i);
    for (int j = 0; j < countB; ++j) {
      const crShape* pieceB = isWholeB ? b : crShape_GetPiece(b, j);
      if ((!isWholeA && !isPieceHere(pieceA, pieceB, isParallel)) ||
          (!isWholeB && !isPieceHere(pieceB, pieceA, isParallel))) {
        continue;
      }
      bool isWall = crIsWall(pieceA) || crIsWall(pieceB); // goes on beyond its edges
      if (!isFirst && !isWall && boundBelow(pieceA, X_WA, pieceB, X_WB) > out->upperBound) {
        continue;
      }
      crDistance found;
      crDistanceCache local = start;
      computePieces(pieceA, X_WA, pieceB, X_WB, isExchanged, &local, &found);
      iterations += found.iterations;
      lower = fmin(lower, found.lowerBound);
      if (isFirst || found.distance < out->distance) {
        numberPiece(a, i, isExchanged ? &found.surfaceB : &found.surfaceA);
        numberPiece(b, j, isExchanged ? &found.surfaceA : &found.surfaceB);
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

// Of structs of numbers without gaps.
static int compareNumbers(const void* a, const void* b, size_t count)
{
  const double *x = a, *y = b;
  for (size_t i = 0; i < count; ++i) {
    if (x[i] != y[i]) {
      return x[i] < y[i] ? -1 : 1;
    }
  }
  return 0;
}

static int compareMatrices(const crMat3* a, const crMat3* b)
{
  return compareNumbers(a, b, sizeof *a / sizeof(double));
}

static int comparePoses(const crPose* a, const crPose* b)
{
  int order = compareNumbers(&a->p, &b->p, 3);
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
  return compareNumbers(a->vertices, b->vertices, 3 * (size_t)a->vertexCount);
}

static int compareGrounds(const crGround* a, const crGround* b)
{
  int order = a->columnCount != b->columnCount ? (a->columnCount < b->columnCount ? -1 : 1) : a->rowCount - b->rowCount;
  return order != 0 ? order : compareNumbers(a->values, b->values, (size_t)a->columnCount * (size_t)a->rowCount);
}

static int compareChains(const crChain* a, const crChain* b)
{
  const crProfile *p = a->profile, *q = b->profile;
  int order = p->count != q->count ? (p->count < q->count ? -1 : 1) : 0;
  for (int i = 0; i < p->count && order == 0; ++i) {
    order = compareNumbers(&p->items[i].start, &q->items[i].start, 2);
    order = order != 0 ? order : compareNumbers(&p->items[i].middle, &q->items[i].middle, 2);
  }
  return order;
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
  if (a->sweep != b->sweep) {
    return a->sweep < b->sweep ? -1 : 1;
  }
  int order = compareNumbers(&a->core, &b->core, offsetof(crCore, hull) / sizeof(double));
  order = order != 0 ? order : compareMatrices(&a->R_FS, &b->R_FS);
  if (order == 0 && a->ground != NULL && b->ground != NULL) {
    return compareGrounds(a->ground, b->ground);
  }
  if (order == 0 && crIsSurface(a) && crIsSurface(b)) {
    return compareChains(a->chain, b->chain);
  }
  if (order != 0 || (a->kind != cr_shapeHull && a->kind != cr_shapeMesh)) {
    return order;
  }
  int countA = crShape_CountPieces(a), countB = crShape_CountPieces(b);
  order = (countA > countB) - (countA < countB);
  for (int i = 0; i < countA && order == 0; ++i) {
    order = compareHulls(crShape_GetPiece(a, i)->core.hull, crShape_GetPiece(b, i)->core.hull);
  }
  return order;
}

CR_INLINE void computeOrdered(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                              bool isExchanged, crDistanceCache* cache, crDistance* out)
{
  if (isInPiecesHere(a, b) || isInPiecesHere(b, a)) {
    computeMeshes(a, X_WA, b, X_WB, isExchanged, cache, out);
  } else {
    computePieces(a, X_WA, b, X_WB, isExchanged, cache, out);
  }
}

// Four numbers at once.
typedef double Quad __attribute__((vector_size(4 * sizeof(double))));

static Quad loadQuad(const double* from)
{
  Quad quad;
  memcpy(&quad, from, sizeof quad);
  return quad;
}

// 0 x is 0 for a finite x, else NaN.
static Quad nullifyPose(const crPose* X)
{
  const double* x = (const double*)(const void*)X;
  return 0.0 * loadQuad(x) + 0.0 * loadQuad(x + 4) + 0.0 * loadQuad(x + 8);
}

static bool areFinitePoses(const crPose* X, const crPose* Y)
{
  Quad sum = nullifyPose(X) + nullifyPose(Y);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0.0;
}

// Surfaces of profiles are for spheres, extruded ones for what is parallel to them, and rooms for ellipsoids too.
static bool isForAny(const crShape* shape, const crShape* other)
{
  bool isInRoom = isRoom(shape) || shape->wall.kind != cr_wallNone;
  return !crIsSurface(shape) || other->kind == cr_shapeSphere || crHasConvexPieces(shape) ||
         (isInRoom && other->kind == cr_shapeEllipsoid);
}

static crCurvature bendInPlane(const crParallelTouch* touch, double sign)
{
  bool isKnown = !isnan(touch->curvature);
  return (crCurvature){ .k1 = sign > 0.0 && isKnown ? touch->curvature : 0.0,
                        .direction1 = crAnyPerpendicular(touch->normal),
                        .isKnown = isKnown };
}

// Curvatures are those of both together, on the first. False: what happens in the plane across the axes is not all, as
// these lean, have no length in common, or one less than the depth, or each is seen from behind; then no bound is
// known.
static bool computeParallel(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crDistance* out)
{
  crParallelTouch touch = crComputeParallel(a, X_WA, b, X_WB, HUGE_VAL);
  bool isAll = crFindTilt(a, X_WA, b, X_WB) <= CR_PARALLEL && touch.length > fmax(0.0, -touch.distance) &&
               crDot(touch.normal, touch.normal) > 0.0;
  *out = (crDistance){ .distance = touch.distance,
                       .normal = touch.normal,
                       .pointA = touch.pointA,
                       .pointB = touch.pointB,
                       .lowerBound = isAll ? touch.distance : -HUGE_VAL,
                       .upperBound = isAll ? touch.distance : HUGE_VAL,
                       .isConverged = isAll,
                       .isGlobal = isAll,
                       .surfaceA = { .kind = cr_surfaceSmooth },
                       .surfaceB = { .kind = cr_surfaceSmooth },
                       .curvatureA = bendInPlane(&touch, 1.0),
                       .curvatureB = bendInPlane(&touch, -1.0) };
  return isAll;
}

static void swapSupports(crDistanceCache* cache)
{
  int support = cache->supportA;
  cache->supportA = cache->supportB;
  cache->supportB = support;
}

crStatus crComputeDistance(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                           crDistanceCache* cache, crDistance* outDistance)
{
  if (a == NULL || X_WA == NULL || b == NULL || X_WB == NULL || outDistance == NULL || !areFinitePoses(X_WA, X_WB)) {
    return cr_errorMisuse;
  }
  bool havePieces = isForAny(a, b) && isForAny(b, a), isParallel = crIsParallelPair(a, b);
  if (!havePieces && !isParallel) {
    return cr_errorMisuse;
  }
  if (isParallel && (computeParallel(a, X_WA, b, X_WB, outDistance) || !havePieces)) {
    return cr_ok;
  }
  crDistanceCache none = { .supportA = 0 }, *used = cache != NULL ? cache : &none;
  int order = compareShapes(a, b);
  order = order != 0 ? order : comparePoses(X_WA, X_WB);
  if (order <= 0) {
    computeOrdered(a, X_WA, b, X_WB, false, used, outDistance);
  } else {
    swapSupports(used);
    computeOrdered(b, X_WB, a, X_WA, true, used, outDistance);
    swapSupports(used);
  }
  if (cache != NULL) {
    crVec3 direction = crMulTV(X_WA->R, outDistance->normal);
    cache->direction[0] = direction.x;
    cache->direction[1] = direction.y;
    cache->direction[2] = direction.z;
    cache->isFilled = 1;
  }
  return cr_ok;
}

// Hulls and meshes, and what is too far away for products: as a sphere.
static void computeAsSphere(crVec3 centre, double radius, const crShape* shape, const crPose* X_WF,
                            crDistanceCache* cache, crBallDistance* outDistance)
{
  crShape sphere = { .kind = cr_shapeSphere, .sweep = radius, .reach = radius };
  crPose X_WA = { crIdentityMat3(), centre };
  crDistanceCache none = { .supportA = 0 };
  crDistance distance;
  computeOrdered(&sphere, &X_WA, shape, X_WF, false, cache != NULL ? cache : &none, &distance);
  *outDistance = (crBallDistance){ distance.distance, distance.normal };
}

void crComputeBallDistance(crVec3 centre, double radius, const crShape* shape, const crPose* X_WF,
                           crDistanceCache* cache, crBallDistance* outDistance)
{
  if (!crTryBall(centre, radius, shape, X_WF, outDistance)) {
    computeAsSphere(centre, radius, shape, X_WF, cache, outDistance);
  }
}
