#include "island/ground_bound.h"

#include "collide/area/over_ground.h"

crGroundView crFindGroundView(const crModel* model, int shapeA, int shapeB)
{
  const crShape *a = &model->shapes[shapeA], *b = &model->shapes[shapeB];
  if (!crIsOverGround(a, b)) {
    return (crGroundView){ .ground = NULL };
  }
  int shape = a->ground != NULL ? shapeA : shapeB;
  const crGround* g = model->shapes[shape].ground;
  return (crGroundView){ .ground = g,
                         .shape = shape,
                         .round = shape == shapeA ? shapeB : shapeA,
                         .isStill = model->contactShapes[shape].body == 0,
                         .slope = sqrt(1.0 + g->facing * g->facing) };
}

static crMat3 turn(const crGroundView* view, const crModel* model)
{
  return crMulMM(model->contactShapes[view->shape].X_BS.R, model->shapes[view->shape].R_FS);
}

double crFindLeastGap(const crGroundView* view, const crModel* model, double distance, crVec3 normal)
{
  double up = fabs(crDot(normal, turn(view, model).cz));
  return distance < 0.0 ? distance * view->slope : up > 0.0 ? distance / up : distance;
}

bool crStaysOverGround(const crGroundView* view, const crModel* model, const crPose* X_WB, double way)
{
  const crContactShape *round = &model->contactShapes[view->round], *own = &model->contactShapes[view->shape];
  crVec3 p = crMulTV(turn(view, model), crSub(crTransformPoint(*X_WB, round->X_BS.p), own->X_BS.p));
  double reach = crShape_GetReach(&model->shapes[view->round]) + way;
  const crGround* g = view->ground;
  return fabs(p.x) + reach < 0.5 * g->width && fabs(p.y) + reach < 0.5 * g->length &&
         p.z - reach > 0.5 * (g->high + g->base);
}

double crFindGapPart(const crGroundView* view, double gap0, double gap1, double speed, double A, double h, double floor)
{
  double fastest = speed + A * h, K = A * view->slope + view->ground->fall * fastest * fastest;
  double c = gap0 - floor, b = (gap1 - gap0) / h - 0.5 * K * h, root = b * b - 2.0 * K * c;
  if (!(c > 0.0)) {
    return 0.0;
  }
  if (b >= 0.0 || root < 0.0) {
    return 1.0;
  }
  return fmin(1.0, 2.0 * c / (-b + sqrt(root)) / h); // the lesser root of c + b s + K s^2 / 2
}
