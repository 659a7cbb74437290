// Sensors of ranges: distances of solids, and rays.
//
// A ray is followed by planes: at a point p of it, with d the distance of a convex solid and n the direction to its
// nearest point, the solid lies behind the plane across n at d, so that the ray reaches it no earlier than d / (n .
// direction) further on, and never where that is negative. Each plane touches the solid, so that a flat one is met at
// once, and a curved one with errors that are squared from plane to plane. [vanDenBergen04]
#include "collide/distance/ball.h"
#include "model/eval/instance.h"

#include <float.h>

#define CR_RAY_PLANES 200 // of one solid; a few do but for rays that graze one
#define CR_RAY_HIT 1e-12  // [-] of the range: distance that counts as none
#define CR_RAY_GRAZE 1e-9 // [-] likewise, after the last plane

typedef struct Hit {
  double distance; // [m] from the start of the ray; the range: none
  crVec3 normal;   // out of what is hit, in the world
  int object;      // -1: none
} Hit;

static crPose poseOf(const crInstance* instance, int shape)
{
  const crContactShape* record = &instance->model->contactShapes[shape];
  return crMulPose(crGetBodyPose(instance, record->body), record->X_BS);
}

// --------------------------------------------------------------------------------------------- distances

double crReadDistance(const crInstance* instance, const crSignal* sensor, crVec3* outNormal)
{
  const crModel* model = instance->model;
  crDistance nearest = { .distance = HUGE_VAL };
  int a = model->objects[sensor->objectA].body, b = model->objects[sensor->objectB].body;
  for (int i = model->bodyShapes[a]; i < model->bodyShapes[a + 1]; ++i) {
    for (int k = model->bodyShapes[b]; k < model->bodyShapes[b + 1]; ++k) {
      crDistance distance;
      bool isMeant =
          model->contactShapes[i].object == sensor->objectA && model->contactShapes[k].object == sensor->objectB;
      crPose A = poseOf(instance, i), B = poseOf(instance, k);
      if (isMeant && crComputeDistance(&model->shapes[i], &A, &model->shapes[k], &B, NULL, &distance) == cr_ok &&
          distance.distance < nearest.distance) {
        nearest = distance;
      }
    }
  }
  *outNormal = nearest.normal;
  return nearest.distance;
}

// -------------------------------------------------------------------------------------------------- rays

static void followRay(const crInstance* instance, int shape, crVec3 p, crVec3 direction, double range, Hit* ioHit)
{
  crPose X_WS = poseOf(instance, shape);
  double t = 0.0;
  for (int i = 0; i <= CR_RAY_PLANES && t < ioHit->distance; ++i) {
    crBallDistance near;
    crComputeBallDistance(crMulAdd(p, t, direction), 0.0, &instance->model->shapes[shape], &X_WS, NULL, &near);
    double approach = crDot(near.normal, direction);
    double limit = range * (i < CR_RAY_PLANES ? CR_RAY_HIT : CR_RAY_GRAZE);
    if (near.distance <= limit) {
      *ioHit = (Hit){ t, crNeg(near.normal), instance->model->contactShapes[shape].object };
      return;
    }
    if (approach <= 0.0) {
      return;
    }
    t += near.distance / approach;
  }
}

static Hit castRay(const crInstance* instance, const crSignal* sensor)
{
  const crModel* model = instance->model;
  crPose X_WO = crInstance_GetPose(instance, sensor->objectA);
  crVec3 own = crMakeVec3(sensor->gains[0], sensor->gains[1], sensor->gains[2]), direction = crMulMV(X_WO.R, own);
  int body = model->objects[sensor->objectA].body;
  Hit hit = { sensor->max, crNeg(direction), -1 };
  for (int i = 0; i < model->size.shapeCount; ++i) {
    const crContactShape* shape = &model->contactShapes[i];
    bool isOwn = body > 0 ? shape->body == body : shape->object == sensor->objectA;
    bool isMeant = sensor->objectB >= 0 ? shape->object == sensor->objectB : !isOwn;
    if (isMeant) {
      followRay(instance, i, X_WO.p, direction, sensor->max, &hit);
    }
  }
  return hit;
}

double crReadRay(const crInstance* instance, const crSignal* sensor, crVec3* outNormal)
{
  Hit hit = castRay(instance, sensor);
  *outNormal = hit.normal;
  if (sensor->quantity == cr_rayObject) {
    return hit.object >= 0 ? instance->model->objects[hit.object].number : 0.0;
  }
  return hit.distance;
}
