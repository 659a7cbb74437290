#include "island/ground_bound.h"

#include "collide/area/over_ground.h"

crGroundView crFindGroundView(const crModel* model, int shapeA, int shapeB)
{
  const crShape *a = &model->shapes[shapeA], *b = &model->shapes[shapeB];
  if (!crIsOverGround(a, b)) {
    return (crGroundView){ .ground = NULL };
  }
  bool isA = a->ground != NULL;
  int shape = isA ? shapeA : shapeB;
  return (crGroundView){ .ground = model->shapes[shape].ground,
                         .shape = shape,
                         .round = isA ? shapeB : shapeA,
                         .isStill = model->contactShapes[shape].body == 0 };
}

bool crStaysOverGround(const crGroundView* view, const crModel* model, const crPose* X_WB, double way)
{
  const crContactShape *round = &model->contactShapes[view->round], *own = &model->contactShapes[view->shape];
  crMat3 R = crMulMM(own->X_BS.R, model->shapes[view->shape].R_FS);
  crVec3 p = crMulTV(R, crSub(crTransformPoint(*X_WB, round->X_BS.p), own->X_BS.p));
  double reach = crShape_GetReach(&model->shapes[view->round]) + way;
  const crGround* g = view->ground;
  return fabs(p.x) + reach < 0.5 * g->width && fabs(p.y) + reach < 0.5 * g->length && p.z - reach > g->base;
}

double crFindGapPart(const crGroundView* view, double distance0, double distance1, double speed, double A, double h,
                     double floor)
{
  double fastest = speed + A * h, K = A + view->ground->fall * fastest * fastest;
  double c = distance0 - floor, b = (distance1 - distance0) / h - 0.5 * K * h, root = b * b - 2.0 * K * c;
  if (!(c > 0.0)) {
    return 0.0;
  }
  if (b >= 0.0 || root < 0.0) {
    return 1.0;
  }
  return fmin(1.0, 2.0 * c / (-b + sqrt(root)) / h); // the lesser root of c + b s + K s^2 / 2
}
