#include "collide/touch/touch.h"

#include "collide/area/over_ground.h"
#include "collide/distance/parallel.h"
#include "collide/distance/point_solid.h"

#define CR_HELD                                                                                                        \
  1e-6 // [-] of the radius: how far a ball is from a chain whose neighbour it touches, so that contacts end
#define CR_SAME_SHARE 1e-12 // [-] feet on two chains that are as far away but for this are at the corner of both
#define CR_AFAR 0.05        // [-] of the smaller one's smallest dimension: touches farther away are bounds

static bool isBallOrPlane(const crShape* shape)
{
  return shape->kind == cr_shapeSphere || shape->kind == cr_shapeHalfSpace;
}

crTouchHold crHoldOfTouch(const crShape* a, const crShape* b)
{
  return (crTouchHold){ isBallOrPlane(a), isBallOrPlane(b) };
}

bool crHasSphereFoot(const crShape* shape)
{
  switch (shape->kind) {
    case cr_shapeEllipsoid:
    case cr_shapeMesh: return false;
    case cr_shapeHull: return shape->core.hull->vertexCount <= CR_FOOT_VERTICES;
    default: return true;
  }
}

static bool isShared(const crChain* chain)
{
  return chain->startsShared || chain->endsShared;
}

static bool isHeld(const crChain* chain)
{
  return isShared(chain) || chain->isFace || chain->sharesFace;
}

static crProfileFoot findProfileFoot(const crShape* surface, const crChain* chain, crVec3 x)
{
  bool isRevolved = surface->kind == cr_shapeRevolved;
  double rho = isRevolved ? sqrt(x.x * x.x + x.y * x.y) : x.x;
  return crChain_FindFoot(chain, (crPlanePoint){ rho, isRevolved ? x.z : x.y });
}

// Beside an end face its edges have the touch, those of walls. Above it walls have none, but those that are not the
// nearest ones: their ends at concave corners, where balls beside the face touch both sides, so that nothing jumps. Of
// two sides of which the corner is nearest it is the second one's. outHeld: the touch of what has gone over.
static bool isOverEdge(const crShape* surface, crVec3 x, const crProfileFoot* foot, crPointFoot* outHeld)
{
  const crChain* chain = surface->chain;
  double up = x.z < 0.0 ? -1.0 : 1.0, above = fabs(x.z) - surface->core.half.z;
  if (chain->isFace) {
    bool isLevel = !(above > 0.0);
    *outHeld = isLevel ? (crPointFoot){ foot->distance, crMakeVec3(foot->normal.x, foot->normal.y, 0.0) }
                       : crComputePointFoot(surface, x, HUGE_VAL);
    return foot->distance > 0.0;
  }
  if (!chain->sharesFace || !(above > 0.0) || foot->distance > 0.0) {
    return false;
  }
  const crProfile* profile = chain->profile;
  crChain whole = { .profile = profile, .count = profile->count, .isWhole = true };
  double nearest = crChain_FindFoot(&whole, (crPlanePoint){ x.x, x.y }).distance;
  int last = (chain->first + chain->count - 1) % profile->count;
  bool isFirst = foot->end < 0 && foot->element == chain->first, isLast = foot->end > 0 && foot->element == last;
  *outHeld = isLast ? crComputePointFoot(surface, x, HUGE_VAL) : (crPointFoot){ above, crMakeVec3(0.0, 0.0, up) };
  return fabs(foot->distance) <= (1.0 + CR_SAME_SHARE) * fabs(nearest) && !isFirst;
}

// Where a chain goes on as another one that has the touch, it is not touched itself. outAway [m]: how far it is to
// where it could be.
static bool isBeyond(const crShape* surface, crVec3 x, double* outAway)
{
  crProfileFoot foot = findProfileFoot(surface, surface->chain, x);
  crPointFoot held;
  bool isShared = crChain_IsShared(surface->chain, &foot);
  *outAway = isShared ? 0.0 : fabs(foot.distance);
  return isShared || isOverEdge(surface, x, &foot, &held);
}

void crTouchSphereSolid(const crShape* sphere, crVec3 centre, const crShape* solid, const crPose* X_WF, double sign,
                        crTouch* out)
{
  crMat3 R_WS = solid->isTurned ? crMulMM(X_WF->R, solid->R_FS) : X_WF->R;
  crVec3 x = crMulTV(R_WS, crSub(centre, X_WF->p));
  bool isGround = solid->kind == cr_shapeHeightField;
  crPointFoot foot = crComputePointFoot(solid, x, isGround ? sphere->sweep : HUGE_VAL);
  double away;
  if (crIsSurface(solid) && isHeld(solid->chain) && foot.distance < sphere->sweep && isBeyond(solid, x, &away)) {
    foot.distance = sphere->sweep * (1.0 + CR_HELD) + away;
  }
  crTouchFoot(centre, sphere->sweep, crMulMV(R_WS, foot.outward), foot.distance - solid->sweep, sign, out);
}

// Once more as the chain behind, as far as that goes, or over an edge.
bool crHoldSphereSolid(const crShape* sphere, crVec3 centre, const crShape* solid, const crPose* X_WF, double sign,
                       crTouch* out)
{
  if (!crIsHeld(solid)) {
    crTouchSphereSolid(sphere, centre, solid, X_WF, sign, out);
    return false;
  }
  crShape behind = *solid;
  crChain next;
  crPointFoot held;
  crMat3 R_WS = crMulMM(X_WF->R, solid->R_FS);
  crVec3 x = crMulTV(R_WS, crSub(centre, X_WF->p));
  crProfileFoot there = findProfileFoot(solid, solid->chain, x);
  bool isOver = crChain_IsShared(solid->chain, &there);
  if (isOver) {
    next = crChain_GetNext(solid->chain, &there);
    behind.chain = &next;
    there = findProfileFoot(solid, &next, x);
  }
  if (isOverEdge(&behind, x, &there, &held)) {
    crTouchFoot(centre, sphere->sweep, crMulMV(R_WS, held.outward), held.distance - solid->sweep, sign, out);
    return true;
  }
  crTouchSphereSolid(sphere, centre, &behind, X_WF, sign, out);
  return isOver;
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

bool crIsShared(const crShape* shape)
{
  return crIsSurface(shape) && isShared(shape->chain);
}

bool crIsHeld(const crShape* shape)
{
  return crIsSurface(shape) && isHeld(shape->chain);
}

bool crComputeHeldTouch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                        crDistanceCache* cache, crTouch* outTouch)
{
  if (a->kind == cr_shapeSphere && crIsHeld(b)) {
    return crHoldSphereSolid(a, X_WA->p, b, X_WB, 1.0, outTouch);
  }
  if (b->kind == cr_shapeSphere && crIsHeld(a)) {
    return crHoldSphereSolid(b, X_WB->p, a, X_WA, -1.0, outTouch);
  }
  crComputeTouch(a, X_WA, b, X_WB, cache, outTouch);
  return false;
}

double crFindAfar(const crShape* a, const crShape* b)
{
  return CR_AFAR * fmin(a->smallestDimension, b->smallestDimension);
}

static void touchOverGround(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crTouch* out)
{
  bool isB = b->ground != NULL; // which is the ground
  crGroundGap gap = isB ? crMeasureOverGround(a, X_WA, b, X_WB) : crMeasureOverGround(b, X_WB, a, X_WA);
  *out = (crTouch){ gap.distance, isB ? crNeg(gap.outward) : gap.outward, crScale(0.5, crAdd(gap.point, gap.foot)) };
}

void crComputeTouch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crDistanceCache* cache,
                    crTouch* outTouch)
{
  if (a->kind == cr_shapeSphere && crHasSphereFoot(b)) {
    touchWithSphere(a, X_WA, b, X_WB, 1.0, outTouch);
  } else if (b->kind == cr_shapeSphere && crHasSphereFoot(a)) {
    touchWithSphere(b, X_WB, a, X_WA, -1.0, outTouch);
  } else if (crIsOverGround(a, b)) {
    touchOverGround(a, X_WA, b, X_WB, outTouch);
  } else if (crIsParallelPair(a, b)) {
    crParallelTouch touch = crComputeParallel(a, X_WA, b, X_WB, crFindAfar(a, b));
    *outTouch = (crTouch){ touch.distance, touch.normal, crScale(0.5, crAdd(touch.pointA, touch.pointB)) };
  } else {
    crDistance d = { .distance = HUGE_VAL };
    crComputeDistance(a, X_WA, b, X_WB, cache, &d);
    *outTouch = (crTouch){ d.distance, d.normal, crScale(0.5, crAdd(d.pointA, d.pointB)) };
  }
}
