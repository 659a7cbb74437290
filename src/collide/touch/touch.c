#include "collide/touch/touch.h"

#include "base/elementary.h"
#include "collide/distance/point_solid.h"
#include "collide/touch/crossing.h"
#include "collide/touch/rest_point.h"

#define CR_FADE_SHARE 0.1    // [-] of the smallest dimension: length along which crossings fade
#define CR_MARGIN_SHARE 0.01 // [-] of that: gap up to which crossings are found, and
#define CR_MARGIN_FACTOR 2.0 // [-] of the gap between the shapes in addition

// ------------------------------------------------------------------------------------------- counts

// Taken as round: without rest points.
static bool isRound(const crShape* shape)
{
  switch (shape->kind) {
    case cr_shapeEllipsoid:
    case cr_shapeMesh: return true;
    case cr_shapeHull: return shape->core.hull->vertexCount > CR_MAX_REST_VERTICES;
    default: return false;
  }
}

// Shapes whose outlines are not straight throughout.
static bool needsWitness(const crShape* a, const crShape* b)
{
  return crCountRims(a) > 0 || crCountRims(b) > 0;
}

// Whether the pair has one touch, the nearest points.
static bool touchesOnce(const crShape* a, const crShape* b)
{
  bool isPlaneA = a->kind == cr_shapeHalfSpace, isPlaneB = b->kind == cr_shapeHalfSpace;
  return isRound(a) || isRound(b) || a->kind == cr_shapeSphere || b->kind == cr_shapeSphere || (isPlaneA && isPlaneB);
}

int crCountTouches(const crShape* a, const crShape* b)
{
  bool isPlaneA = a->kind == cr_shapeHalfSpace, isPlaneB = b->kind == cr_shapeHalfSpace;
  if (touchesOnce(a, b)) {
    return 1;
  }
  if (isPlaneA || isPlaneB) {
    return crCountRestPoints(isPlaneA ? b : a);
  }
  return crCountRestPoints(a) + crCountRestPoints(b) + crCountCrossings(a, b) + needsWitness(a, b);
}

bool crIsCrossing(const crShape* a, const crShape* b, int touch)
{
  if (touchesOnce(a, b) || a->kind == cr_shapeHalfSpace || b->kind == cr_shapeHalfSpace) {
    return false;
  }
  int first = crCountRestPoints(a) + crCountRestPoints(b);
  return touch >= first && touch < first + crCountCrossings(a, b);
}

static bool isBallOrPlane(const crShape* shape)
{
  return shape->kind == cr_shapeSphere || shape->kind == cr_shapeHalfSpace;
}

crTouchHold crHoldOfTouch(const crShape* a, const crShape* b, int touch)
{
  crTouchHold hold = { isBallOrPlane(a), isBallOrPlane(b) };
  if (touchesOnce(a, b)) {
    return hold;
  }
  int countA = a->kind == cr_shapeHalfSpace ? 0 : crCountRestPoints(a);
  int countB = b->kind == cr_shapeHalfSpace ? 0 : crCountRestPoints(b);
  hold.onA = hold.onA || (touch < countA && crCountRims(a) == 0);
  hold.onB = hold.onB || (touch >= countA && touch < countA + countB && crCountRims(b) == 0);
  return hold;
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

// The pose of S in the world: X_WF itself, or in *turned.
static const crPose* placeShape(const crShape* shape, const crPose* X_WF, crPose* turned)
{
  if (!shape->isTurned) {
    return X_WF;
  }
  *turned = (crPose){ crMulMM(X_WF->R, shape->R_FS), X_WF->p };
  return turned;
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

// --------------------------------------------------------------------------------- simple pairs

// Axis z of S in the world.
static crVec3 ownAxis(const crShape* shape, const crPose* X_WF)
{
  return shape->isTurned ? crMulMV(X_WF->R, shape->R_FS.cz) : X_WF->R.cz;
}

bool crHasSphereFoot(const crShape* shape)
{
  return !isRound(shape);
}

void crTouchSphereSolid(const crShape* sphere, crVec3 centre, const crShape* solid, const crPose* X_WF, double sign,
                        crTouch* out)
{
  crPose turned;
  const crPose* X_WS = placeShape(solid, X_WF, &turned);
  crVec3 x = crSub(centre, X_WF->p);
  touchBall(sphere->sweep, solid, X_WS, crMulTV(X_WS->R, x), sign, HUGE_VAL, out);
}

static void touchWithSphere(const crShape* sphere, const crPose* X_WA, const crShape* other, const crPose* X_WF,
                            double sign, crTouch* out)
{
  if (other->kind == cr_shapeHalfSpace) {
    crTouchSpherePlane(sphere, X_WA->p, other, X_WF, sign, out);
  } else if (other->kind == cr_shapeSphere) {
    crTouchSpheres(sphere, X_WA->p, other, X_WF->p, out); // A comes first: its sign is 1
  } else {
    crTouchSphereSolid(sphere, X_WA->p, other, X_WF, sign, out);
  }
}

// The plane is B when sign is 1.
static void touchPlane(const crShape* shape, const crPose* X_WF, const crShape* plane, const crPose* X_WP, double sign,
                       crTouch* out)
{
  crPose turned;
  const crPose* X_WS = placeShape(shape, X_WF, &turned);
  crVec3 points[CR_MAX_REST_VERTICES], up = ownAxis(plane, X_WP), up_S = crMulTV(X_WS->R, up);
  int count = crCountRestPoints(shape);
  crPlaceRestPoints(shape, crNeg(up_S), points);
  crVec3 normal = crScale(-sign, up);
  double height = crDot(up, crSub(X_WF->p, X_WP->p)), depth = -HUGE_VAL;
  for (int i = 0; i < count; ++i) {
    double centre = height + crDot(up_S, points[i]);
    out[i].distance = centre - shape->sweep - plane->sweep;
    out[i].weight = 1.0;
    out[i].normal = normal;
    out[i].point = crMulAdd(crTransformPoint(*X_WS, points[i]), -0.5 * (shape->sweep + centre - plane->sweep), up);
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
      carried *= crCbrt(touches[i].weight * touches[i].weight);
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

static void placeSide(const crShape* shape, const crPose* X_WF, crVec3 toOther, crTouch* touches, crRestSide* out)
{
  crPose turned;
  out->shape = shape;
  out->X_WS = *placeShape(shape, X_WF, &turned);
  out->toOther = crMulTV(out->X_WS.R, toOther);
  out->count = crCountRestPoints(shape);
  out->touches = touches;
  crPlaceRestPoints(shape, out->toOther, out->own);
  out->top = -HUGE_VAL;
  for (int i = 0; i < out->count; ++i) {
    out->heights[i] = crDot(out->toOther, out->own[i]);
    out->top = out->heights[i] > out->top ? out->heights[i] : out->top;
  }
}

// X_OS: of the side in the other's S. sign: 1 for A. While the shapes touch, points too low for that are not looked at.
// Apart, each has its own distance, which unlike the least of all has a smooth rate.
static void touchSide(const crRestPair* pair, crRestSide* side, const crRestSide* other, const crPose* X_OS,
                      const crTouch* witness, double sign)
{
  for (int i = 0; i < side->count; ++i) {
    double apart = crBoundByHeight(pair, side, side->heights[i]);
    side->inOther[i] = crTransformPoint(*X_OS, side->own[i]);
    if (pair->depth > 0.0 && apart > pair->margin) {
      side->touches[i] = (crTouch){ apart, 1.0, witness->normal, witness->point };
    } else {
      touchBall(side->shape->sweep, other->shape, &other->X_WS, side->inOther[i], sign, pair->margin,
                &side->touches[i]);
    }
  }
}

// Rims share the load among their points, and the witness pair carries what the others leave.
static void weighTouches(const crRestPair* pair, const crTouch* witness, crTouch* crossings)
{
  double ofA = crWeighRestPoints(pair->a.shape, pair->a.toOther, pair->depth, pair->a.touches);
  double ofB = crWeighRestPoints(pair->b.shape, pair->b.toOther, pair->depth, pair->b.touches);
  int count = crCountCrossings(pair->a.shape, pair->b.shape);
  double carried = deepestCrossing(crossings, count, ofA > ofB ? ofA : ofB);
  crossings[count] = *witness;
  crossings[count].weight = pair->depth > 0.0 ? crFade(carried / pair->depth) : 1.0;
}

static void touchNear(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                      const crTouch* witness, double fadeLength, crTouch* out)
{
  crRestPair pair;
  pair.depth = -witness->distance;
  pair.margin = CR_MARGIN_SHARE * fadeLength + CR_MARGIN_FACTOR * fmax(0.0, witness->distance);
  pair.fadeLength = fadeLength;
  placeSide(a, X_WA, witness->normal, out, &pair.a);
  placeSide(b, X_WB, crNeg(witness->normal), out + pair.a.count, &pair.b);
  crPose X_AB = relate(&pair.a.X_WS, &pair.b.X_WS), X_BA = crInvertPose(X_AB);
  touchSide(&pair, &pair.a, &pair.b, &X_BA, witness, 1.0);
  touchSide(&pair, &pair.b, &pair.a, &X_AB, witness, -1.0);
  crTouch* crossings = out + pair.a.count + pair.b.count;
  crFindCrossings(&pair, crossings);
  if (needsWitness(a, b)) {
    weighTouches(&pair, witness, crossings);
  }
}

static void touchWithFlats(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                           crDistanceCache* cache, crTouch* out)
{
  crTouch witness;
  touchWithWitness(a, X_WA, b, X_WB, cache, &witness);
  touchNear(a, X_WA, b, X_WB, &witness, fadeLengthOf(a, b), out);
}

void crComputeTouches(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                      crDistanceCache* cache, crTouch* outTouches)
{
  bool isPlaneA = a->kind == cr_shapeHalfSpace, isPlaneB = b->kind == cr_shapeHalfSpace;
  if (a->kind == cr_shapeSphere && !isRound(b)) {
    touchWithSphere(a, X_WA, b, X_WB, 1.0, outTouches);
  } else if (b->kind == cr_shapeSphere && !isRound(a)) {
    touchWithSphere(b, X_WB, a, X_WA, -1.0, outTouches);
  } else if (isRound(a) || isRound(b) || (isPlaneA && isPlaneB)) {
    touchWithWitness(a, X_WA, b, X_WB, cache, outTouches);
  } else if (isPlaneB) {
    touchPlane(a, X_WA, b, X_WB, 1.0, outTouches);
  } else if (isPlaneA) {
    touchPlane(b, X_WB, a, X_WA, -1.0, outTouches);
  } else {
    touchWithFlats(a, X_WA, b, X_WB, cache, outTouches);
  }
}
