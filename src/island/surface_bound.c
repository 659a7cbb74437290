#include "island/surface_bound.h"
#include "collide/area/over_ground.h"
#include "collide/distance/parallel.h"
#include "collide/distance/wall.h"
#include "island/roller_bound.h"

#define CR_TRIES 4      // lengths that are tried
#define CR_SHORTER 0.25 // [-] from one of them to the next

crSurfaceView crFindSurfaceView(const crModel* model, int shapeA, int shapeB)
{
  const crShape *a = &model->shapes[shapeA], *b = &model->shapes[shapeB];
  if ((crIsSurface(a) && crIsSurface(b)) || crIsOverGround(a, b) || crIsWall(a) || crIsWall(b)) {
    return (crSurfaceView){ .chain = NULL };
  }
  const crShape *surface = crIsSurface(a) ? a : b, *ball = crIsSurface(a) ? b : a;
  bool isRoller = crIsParallelPair(a, b);
  return (crSurfaceView){ surface->chain, surface->kind == cr_shapeRevolved, isRoller,
                          ball->sweep + (isRoller ? ball->core.radius : 0.0) };
}

static crVec3 findAxis(const crModel* model, int shape, crMat3 R_WB)
{
  crVec3 axis = model->shapes[shape].isTurned ? model->shapes[shape].R_FS.cz : crMakeVec3(0.0, 0.0, 1.0);
  return crMulMV(R_WB, crMulMV(model->contactShapes[shape].X_BS.R, axis));
}

static crVec3 removeAlong(crVec3 v, crVec3 axis)
{
  return crMulAdd(v, -crDot(v, axis), axis);
}

crSurfaceSight crLookAtSurface(const crModel* model, int shapeA, int shapeB, const crBodyPlace places[2], crVec3 normal)
{
  bool isA = crIsSurface(&model->shapes[shapeA]);
  int surface = isA ? shapeA : shapeB, ball = isA ? shapeB : shapeA;
  const crBodyPlace *own = &places[isA ? 0 : 1], *other = &places[isA ? 1 : 0];
  crVec3 armOfBall = crMulMV(other->X.R, model->contactShapes[ball].X_BS.p);
  crVec3 centre = crAdd(other->X.p, armOfBall), v = crAdd(other->v, crCross(other->w, armOfBall));
  crVec3 fromBody = crSub(centre, own->X.p);
  crVec3 relative = crSub(v, crAdd(own->v, crCross(own->w, fromBody)));
  crSurfaceSight sight = { .rate = crDot(relative, normal) * (isA ? 1.0 : -1.0), .along = crLength(relative) };
  if (model->shapes[surface].kind == cr_shapeRevolved) {
    crVec3 axis = findAxis(model, surface, own->X.R);
    crVec3 from = crSub(fromBody, crMulMV(own->X.R, model->contactShapes[surface].X_BS.p)),
           out = removeAlong(from, axis);
    sight.rho = crLength(out);
    // what spins about the axis stands still
    crVec3 still = crAdd(relative, crScale(crDot(own->w, axis), crCross(axis, from)));
    crVec3 round = sight.rho > 0.0 ? crScale(1.0 / sight.rho, crCross(axis, out)) : crMakeVec3(0.0, 0.0, 0.0);
    sight.x = (crPlanePoint){ sight.rho, crDot(from, axis) };
    sight.around = fabs(crDot(still, round));
    sight.along = crLength(removeAlong(still, round));
  } else {
    const crShape* shape = &model->shapes[surface];
    crMat3 R = crMulMM(own->X.R, model->contactShapes[surface].X_BS.R);
    R = shape->isTurned ? crMulMM(R, shape->R_FS) : R;
    crVec3 x = crMulTV(R, crSub(fromBody, crMulMV(own->X.R, model->contactShapes[surface].X_BS.p)));
    crVec3 v_S = crMulTV(R, relative);
    sight.x = (crPlanePoint){ x.x, x.y };
    sight.v = (crPlanePoint){ v_S.x, v_S.y };
  }
  return sight;
}

double crBoundSurfaceAcceleration(const crModel* model, int shape, const crSweep* sweep, double away, double speed)
{
  crVec3 w0 = sweep->w0, w1 = sweep->w1, offset = model->contactShapes[shape].X_BS.p;
  double ofOffset = crLength(offset);
  if (model->shapes[shape].kind == cr_shapeRevolved) {
    crVec3 axis = findAxis(model, shape, crIdentityMat3());
    w0 = removeAlong(w0, findAxis(model, shape, sweep->R0));
    w1 = removeAlong(w1, findAxis(model, shape, sweep->R1));
    ofOffset = crLength(removeAlong(offset, axis));
  }
  double change = crLength(crSub(w1, w0)), w = fmax(crLength(w0), crLength(w1));
  bool turns = w > 0.0;
  double share = turns ? sweep->turning * away : 0.0; // turning knows of all of w, which is more
  return sweep->acceleration + sweep->turning * ofOffset + share + (turns ? 2.0 * (w + change) * speed : 0.0);
}

// [s] With all that happens within `longest` from now on.
static double tryReach(const crSurfaceView* view, const crSurfaceSight* sight, double distance, double A, double floor,
                       double rate, double longest)
{
  const crChain* chain = view->chain;
  double D = fmax(distance + view->radius, 0.0), room = chain->concave - D;
  double rho = sight->rho, s = longest, around = sight->around + A * s, along = sight->along + A * s;
  double most = sqrt(around * around + along * along); // of the whole speed
  if (view->isRevolved) {                              // motion around the axis bends into the half-plane
    double least = rho - (sight->along + sight->around) * s - 0.5 * A * s * s;
    along += least > 0.0 ? most * most / least * s : most;
  }
  bool isPart = chain->startsShared || chain->endsShared; // seen from beyond its ends it bends in both ways
  if (isPart || !(room > 0.0) || (isfinite(room) && along * s > 0.5 * room)) {
    return 0.0;
  }
  double bend = isfinite(room) ? 2.0 / room : 0.0, k = bend * along * along;
  if (view->isRevolved && chain->facing > 0.0) {
    double least = rho - along * s;
    double round = least > 0.0 ? chain->facing / least : HUGE_VAL;
    round = chain->facesByArcs ? fmin(round, bend) : round;
    k += most > 0.0 ? round * most * most : 0.0;
  }
  return isfinite(k) ? fmin(s, crFindReach(distance, rate, A + k, floor)) : 0.0;
}

double crFindSurfaceReach(const crSurfaceView* view, const crSurfaceSight* sight, double distance, double A,
                          double floor, bool isAhead, double longest)
{
  if (view->isRoller) {
    crPlanePoint v = isAhead ? sight->v : (crPlanePoint){ -sight->v.x, -sight->v.y };
    return crFindRollerReach(view->chain, sight->x, v, A, view->radius + floor, longest);
  }
  const crChain* chain = view->chain;
  bool isPart = !chain->isWhole || chain->isFace;
  bool isInside = isPart && (!isAhead || chain->sharesFace) && crProfile_IsInside(chain->profile, sight->x);
  if (!isAhead && isInside) {
    return 0.0;
  }
  double speed = sqrt(sight->along * sight->along + sight->around * sight->around);
  double reach = fmin(longest, crFindReach(distance, -(view->isRevolved ? speed : sight->along), A, floor));
  double s = longest, rate = isAhead ? sight->rate : -sight->rate;
  bool isBent = chain->isFace || isInside; // an end face with all its edges, or an edge from where it is hollow
  for (int i = 0; i < CR_TRIES && reach < longest && !isBent; ++i) {
    reach = fmax(reach, tryReach(view, sight, distance, A, floor, rate, s));
    s = fmax(CR_SHORTER * s, 2.0 * reach);
  }
  return reach;
}
