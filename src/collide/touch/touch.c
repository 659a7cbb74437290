#include "collide/touch/touch.h"

#include "collide/area/over_ground.h"
#include "collide/distance/parallel.h"
#include "collide/distance/point_solid.h"

#define CR_HELD                                                                                                        \
  1e-6 // [-] of the radius: how far a ball is from a chain whose neighbour it touches, so that contacts end
#define CR_AFAR 0.05 // [-] of the smaller one's smallest dimension: touches farther away are bounds

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

// Where a chain goes on as another one that has the touch, it is not touched itself.
static bool isBeyond(const crShape* surface, crVec3 x, crProfileFoot* outFoot)
{
  bool isRevolved = surface->kind == cr_shapeRevolved;
  double rho = isRevolved ? sqrt(x.x * x.x + x.y * x.y) : x.x;
  *outFoot = crChain_FindFoot(surface->chain, (crPlanePoint){ rho, isRevolved ? x.z : x.y });
  return crChain_IsShared(surface->chain, outFoot);
}

void crTouchSphereSolid(const crShape* sphere, crVec3 centre, const crShape* solid, const crPose* X_WF, double sign,
                        crTouch* out)
{
  crMat3 R_WS = solid->isTurned ? crMulMM(X_WF->R, solid->R_FS) : X_WF->R;
  crVec3 x = crMulTV(R_WS, crSub(centre, X_WF->p));
  bool isGround = solid->kind == cr_shapeHeightField;
  crPointFoot foot = crComputePointFoot(solid, x, isGround ? sphere->sweep : HUGE_VAL);
  crProfileFoot there;
  if (crIsSurface(solid) && isShared(solid->chain) && foot.distance < sphere->sweep && isBeyond(solid, x, &there)) {
    foot.distance = sphere->sweep * (1.0 + CR_HELD);
  }
  crTouchFoot(centre, sphere->sweep, crMulMV(R_WS, foot.outward), foot.distance - solid->sweep, sign, out);
}

// Once more as the chain behind, as far as that goes.
bool crHoldSphereSolid(const crShape* sphere, crVec3 centre, const crShape* solid, const crPose* X_WF, double sign,
                       crTouch* out)
{
  crProfileFoot there;
  crMat3 R_WS = crMulMM(X_WF->R, solid->R_FS);
  crVec3 x = crMulTV(R_WS, crSub(centre, X_WF->p));
  bool isOver = crIsShared(solid) && isBeyond(solid, x, &there);
  if (!isOver) {
    crTouchSphereSolid(sphere, centre, solid, X_WF, sign, out);
    return false;
  }
  crShape behind = *solid;
  crChain next = crChain_GetNext(solid->chain, &there);
  behind.chain = &next;
  crTouchSphereSolid(sphere, centre, &behind, X_WF, sign, out);
  return true;
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

bool crComputeHeldTouch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                        crDistanceCache* cache, crTouch* outTouch)
{
  if (a->kind == cr_shapeSphere && crIsShared(b)) {
    return crHoldSphereSolid(a, X_WA->p, b, X_WB, 1.0, outTouch);
  }
  if (b->kind == cr_shapeSphere && crIsShared(a)) {
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
