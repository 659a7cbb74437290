// Boxes that are said to hold all places of two bodies that are near each other do so: places are picked at random, and
// their distances come from the foot on a core.
#include "carom/collide.h"
#include "collide/area/core_foot.h"
#include "collide/area/curved_zone.h"
#include "support/patches.h"
#include "support/shapes.h"

#define PAIRS 400
#define PLACES 400 // of each body

static crShape* makeShape(int kind, crRandom* random)
{
  double a = crRandom_Uniform(random, 0.03, 0.1), b = crRandom_Uniform(random, 0.03, 0.1);
  crVec3 points[24];
  for (int i = 0; i < 24; ++i) {
    points[i] = crScale(0.08, crRandom_UnitVec3(random));
  }
  crShapeDef def = kind == 0   ? crMakeBox(a, b, 0.06)
                   : kind == 1 ? crMakeHull(points, 24)
                   : kind == 2 ? crMakeCylinder(a, b, 0.0)
                   : kind == 3 ? crMakeCone(a, 0.0, b)
                   : kind == 4 ? crMakeCone(a, 0.4 * a, b)
                               : crMakeBeam(2.0 * a, 0.5 * a, b);
  return crCreateTestShape(&def);
}

// Between two or three of the farthest places along some directions: on the surface, mostly, or not far inside.
static crVec3 pickPlace(const crShape* shape, crVec3 toward, crRandom* random)
{
  crVec3 x = { 0.0, 0.0, 0.0 };
  double left = 1.0;
  for (int i = 0; i < 3; ++i) {
    crVec3 d = crMulAdd(crScale(crRandom_Uniform(random, 0.1, 1.5), crRandom_UnitVec3(random)), 1.0, toward);
    crVec3 far = shape->kind == cr_shapeHull ? shape->core.hull->vertices[crHull_FindSupport(shape->core.hull, d)]
                                             : crCore_ComputeSupport(shape->kind, &shape->core, d);
    double share = i == 2 ? left : left * crRandom_Uniform(random, 0.0, 1.0);
    x = crMulAdd(x, share, far);
    left -= share;
  }
  return x;
}

// Body 1 next to body 2 along its x axis, or in it: pose of the second in axes of the first.
static crPose pickPose(const crShape* a, const crShape* b, double depth, crRandom* random)
{
  crPose X = { crQuatToMat3(crRandom_Rotation(random)), { 0.0, 0.0, 0.0 } };
  crVec3 way = crRandom_UnitVec3(random);
  double from = 0.0, to = 1.0;
  for (int i = 0; i < 50; ++i) { // as far apart as the signed distance says
    crDistance d;
    crPose X_A = crIdentityPose();
    X.p = crScale(0.5 * (from + to), way);
    crComputeDistance(a, &X_A, b, &X, NULL, &d);
    *(d.distance < -depth ? &from : &to) = 0.5 * (from + to);
  }
  return X;
}

static void zones_hold_all_of_either_core_that_is_near_the_other(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(11);
  int found = 0;
  for (int i = 0; i < PAIRS; ++i) {
    crShape *a = makeShape(i % 2, &random), *b = makeShape(i / 2 % 6, &random);
    double wide = crRandom_Uniform(&random, 1e-4, 5e-3);
    crPose X = pickPose(a, b, crRandom_Uniform(&random, -wide, 8e-3), &random), X_BA = crInvertPose(X);
    crPolytope core, other;
    crMakePolytope(a, &core);
    bool isPolytope = b->kind == cr_shapeBox || b->kind == cr_shapeHull;
    if (isPolytope) {
      crMakePolytope(b, &other);
    }
    crFacing facing = crMakeFacing(&core, b, isPolytope ? &other : NULL, X);
    crZone ofA, ofB;
    bool isNear = crFindZones(&facing, wide, &ofA, &ofB);
    crVec3 toB = crNormalize(X.p);
    for (int k = 0; k < PLACES; ++k) {
      crVec3 p = pickPlace(a, toB, &random), q = pickPlace(b, crNeg(crMulTV(X.R, toB)), &random);
      if (crComputeCoreFoot(b, crTransformPoint(X_BA, p)).distance <= wide) {
        assert_true(isNear && crZone_Has(&ofA, p));
        ++found;
      }
      if (crComputeCoreFoot(a, crTransformPoint(X, q)).distance <= wide) {
        assert_true(isNear && crZone_Has(&ofB, crTransformPoint(X, q)));
        ++found;
      }
    }
    crDestroyShape(a);
    crDestroyShape(b);
  }
  assert_true(found > PAIRS);
}

static void zones_of_round_bodies_hold_all_that_is_in_both(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(12);
  int found = 0;
  for (int i = 0; i < PAIRS; ++i) {
    crShape *a = makeShape(2 + i % 4, &random), *b = makeShape(2 + i / 4 % 4, &random);
    crPose X = pickPose(a, b, crRandom_LogUniform(&random, 1e-4, 1e-2), &random), X_BA = crInvertPose(X);
    crCurvedBody first = crMakeCurvedBody(a), second = crMakeCurvedBody(b);
    crZone zone;
    double depth;
    bool areNear = crFindCurvedZone(&first, &second, &X, &zone, &depth);
    crVec3 toB = crNormalize(X.p);
    for (int k = 0; k < PLACES; ++k) {
      crVec3 p = pickPlace(a, toB, &random);
      double below = crCurvedBody_FindDepth(&second, crTransformPoint(X_BA, p));
      if (below > 0.0) {
        assert_true(areNear && crZone_Has(&zone, p) && below <= depth);
        ++found;
      }
    }
    crDestroyShape(a);
    crDestroyShape(b);
  }
  assert_true(found > PAIRS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(zones_hold_all_of_either_core_that_is_near_the_other),
    cmocka_unit_test(zones_of_round_bodies_hold_all_that_is_in_both),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
