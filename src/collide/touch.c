#include "collide/touch.h"

#include "collide/crossing.h"
#include "collide/point_solid.h"
#include "collide/rest_point.h"

#define CR_FADE_SHARE 0.1    // [-] of the smallest dimension: length along which crossings fade
#define CR_MARGIN_SHARE 0.01 // [-] of that: gap up to which distances of all touches are exact

// ------------------------------------------------------------------------------------------- counts

static bool isRoundPair(const crShape* a, const crShape* b)
{
  return (crCountRestPoints(a) == 0 && a->kind != cr_shapeHalfSpace) ||
         (crCountRestPoints(b) == 0 && b->kind != cr_shapeHalfSpace);
}

// Shapes whose outlines are not straight throughout.
static bool needsWitness(const crShape* a, const crShape* b)
{
  return crCountRims(a) > 0 || crCountRims(b) > 0;
}

int crCountTouches(const crShape* a, const crShape* b)
{
  bool isPlaneA = a->kind == cr_shapeHalfSpace, isPlaneB = b->kind == cr_shapeHalfSpace;
  if (isRoundPair(a, b) || a->kind == cr_shapeSphere || b->kind == cr_shapeSphere || (isPlaneA && isPlaneB)) {
    return 1;
  }
  if (isPlaneA || isPlaneB) {
    return crCountRestPoints(isPlaneA ? b : a);
  }
  return crCountRestPoints(a) + crCountRestPoints(b) + crCountCrossings(a, b) + needsWitness(a, b);
}

// ------------------------------------------------------------------------------------------ witness

static crTouch touchOfDistance(const crDistance* d)
{
  return (crTouch){ d->distance, 1.0, d->normal, crScale(0.5, crAdd(d->pointA, d->pointB)) };
}

static void touchWithWitness(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                             crDistanceCache* cache, crTouch* out)
{
  crDistance d = { .distance = HUGE_VAL };
  crComputeDistance(a, X_WA, b, X_WB, cache, &d);
  *out = touchOfDistance(&d);
}

// -------------------------------------------------------------------------------------- rest points

static crPose placeShape(const crShape* shape, const crPose* X_WF)
{
  crPose X = { shape->isTurned ? crMulMM(X_WF->R, shape->R_FS) : X_WF->R, X_WF->p };
  return X;
}

// X_AB of two poses in the world.
static crPose relate(const crPose* X_WA, const crPose* X_WB)
{
  crPose X = { crMulTM(X_WA->R, X_WB->R), crMulTV(X_WA->R, crSub(X_WB->p, X_WA->p)) };
  return X;
}

// A ball with its centre x in the other shape's S. sign: 1 when the ball is A's.
static void touchBall(double radius, const crShape* other, const crPose* X_WS, crVec3 x, double sign, double margin,
                      crTouch* out)
{
  crPointFoot foot = crComputePointFoot(other, x, radius + other->sweep + margin);
  crVec3 middle = crMulAdd(x, -0.5 * (radius + foot.distance - other->sweep), foot.outward);
  out->distance = foot.distance - radius - other->sweep;
  out->weight = 1.0;
  out->normal = crScale(-sign, crMulMV(X_WS->R, foot.outward));
  out->point = crTransformPoint(*X_WS, middle);
}

// X_OB: of the ball's shape in the other's S; outPoints in the other's S.
static void touchBalls(const crShape* shape, const crPose* X_OB, const crVec3* points, int count, const crShape* other,
                       const crPose* X_WO, double sign, double margin, crVec3* outPoints, crTouch* out)
{
  for (int i = 0; i < count; ++i) {
    outPoints[i] = crTransformPoint(*X_OB, points[i]);
    touchBall(shape->sweep, other, X_WO, outPoints[i], sign, margin, &out[i]);
  }
}

// --------------------------------------------------------------------------------- simple pairs

// The sphere is A when sign is 1.
static void touchWithSphere(const crShape* sphere, const crPose* X_WSphere, const crShape* other, const crPose* X_WO,
                            double sign, crTouch* out)
{
  crPose X_WS = placeShape(other, X_WO);
  crVec3 x = crMulTV(X_WS.R, crSub(X_WSphere->p, X_WS.p));
  touchBall(sphere->sweep, other, &X_WS, x, sign, HUGE_VAL, out);
}

// The plane is B when sign is 1.
static void touchPlane(const crShape* shape, const crPose* X_WF, const crShape* plane, const crPose* X_WP, double sign,
                       crTouch* out)
{
  crPose X_WS = placeShape(shape, X_WF), X_WPlane = placeShape(plane, X_WP);
  crVec3 points[CR_MAX_REST_VERTICES], up = X_WPlane.R.cz, up_S = crMulTV(X_WS.R, up);
  int count = crCountRestPoints(shape);
  crPlaceRestPoints(shape, crNeg(up_S), points);
  crVec3 normal = crScale(-sign, up);
  double height = crDot(up, crSub(X_WS.p, X_WPlane.p)), depth = -HUGE_VAL;
  for (int i = 0; i < count; ++i) {
    double centre = height + crDot(up_S, points[i]);
    out[i].distance = centre - shape->sweep - plane->sweep;
    out[i].weight = 1.0;
    out[i].normal = normal;
    out[i].point = crMulAdd(crTransformPoint(X_WS, points[i]), -0.5 * (shape->sweep + centre - plane->sweep), up);
    depth = -out[i].distance > depth ? -out[i].distance : depth;
  }
  if (crCountRims(shape) > 0) {
    crWeighRestPoints(shape, crNeg(up_S), depth, out);
  }
}

// ------------------------------------------------------------------------------------ general pairs

// The depth that crossings carry, or `deepest` [m].
static double deepestCrossing(const crTouch* touches, int count, double deepest)
{
  for (int i = 0; i < count; ++i) {
    double carried = -touches[i].distance;
    if (carried > deepest) {
      carried *= cbrt(touches[i].weight * touches[i].weight);
      deepest = carried > deepest ? carried : deepest;
    }
  }
  return deepest;
}

static double fadeLengthOf(const crShape* a, const crShape* b)
{
  double least = a->smallestDimension < b->smallestDimension ? a->smallestDimension : b->smallestDimension;
  return CR_FADE_SHARE * least;
}

// Apart: nothing pushes, and nothing is nearer than the witness points.
static void fillApart(const crTouch* witness, int count, crTouch* out)
{
  for (int i = 0; i < count; ++i) {
    out[i] = *witness;
  }
}

// Two shapes with rest points that penetrate, or nearly so.
static void touchNear(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                      const crTouch* witness, double fadeLength, crTouch* out)
{
  crPose X_WSa = placeShape(a, X_WA), X_WSb = placeShape(b, X_WB);
  crPose X_AB = relate(&X_WSa, &X_WSb), X_BA = crInvertPose(X_AB);
  crVec3 n_A = crMulTV(X_WSa.R, witness->normal), n_B = crMulTV(X_WSb.R, witness->normal);
  crVec3 ownA[CR_MAX_REST_VERTICES], ownB[CR_MAX_REST_VERTICES];
  crVec3 inB[CR_MAX_REST_VERTICES], inA[CR_MAX_REST_VERTICES];
  int countA = crCountRestPoints(a), countB = crCountRestPoints(b);
  double margin = CR_MARGIN_SHARE * fadeLength;
  crPlaceRestPoints(a, n_A, ownA);
  crPlaceRestPoints(b, crNeg(n_B), ownB);
  touchBalls(a, &X_BA, ownA, countA, b, &X_WSb, 1.0, margin, inB, out);
  touchBalls(b, &X_AB, ownB, countB, a, &X_WSa, -1.0, margin, inA, out + countA);
  crTouch* crossings = out + countA + countB;
  crCrossingPair pair = { .a = { a, &X_WSa, ownA, inB, out, countA },
                          .b = { b, &X_WSb, ownB, inA, out + countA, countB },
                          .n_A = n_A,
                          .n_B = n_B,
                          .depth = -witness->distance,
                          .margin = margin,
                          .fadeLength = fadeLength };
  crFindCrossings(&pair, crossings);
  if (needsWitness(a, b)) {
    double depth = -witness->distance, carriedByA = crWeighRestPoints(a, n_A, depth, out);
    double carriedByB = crWeighRestPoints(b, crNeg(n_B), depth, out + countA);
    int count = crCountCrossings(a, b);
    double carried = deepestCrossing(crossings, count, carriedByA > carriedByB ? carriedByA : carriedByB);
    crossings[count] = *witness;
    crossings[count].weight = depth > 0.0 ? crFade(carried / depth) : 1.0;
  }
}

static void touchWithFlats(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                           crDistanceCache* cache, crTouch* out)
{
  crTouch witness;
  double fadeLength = fadeLengthOf(a, b);
  touchWithWitness(a, X_WA, b, X_WB, cache, &witness);
  if (witness.distance > CR_MARGIN_SHARE * fadeLength) {
    fillApart(&witness, crCountTouches(a, b), out);
  } else {
    touchNear(a, X_WA, b, X_WB, &witness, fadeLength, out);
  }
}

void crComputeTouches(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                      crDistanceCache* cache, crTouch* outTouches)
{
  bool isPlaneA = a->kind == cr_shapeHalfSpace, isPlaneB = b->kind == cr_shapeHalfSpace;
  if (isRoundPair(a, b) || (isPlaneA && isPlaneB)) {
    touchWithWitness(a, X_WA, b, X_WB, cache, outTouches);
  } else if (isPlaneB) {
    touchPlane(a, X_WA, b, X_WB, 1.0, outTouches);
  } else if (isPlaneA) {
    touchPlane(b, X_WB, a, X_WA, -1.0, outTouches);
  } else if (a->kind == cr_shapeSphere) {
    touchWithSphere(a, X_WA, b, X_WB, 1.0, outTouches);
  } else if (b->kind == cr_shapeSphere) {
    touchWithSphere(b, X_WB, a, X_WA, -1.0, outTouches);
  } else {
    touchWithFlats(a, X_WA, b, X_WB, cache, outTouches);
  }
}
