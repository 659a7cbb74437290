// Rounding up to half the smallest dimension: cores that are plates, discs, segments or points.
#include "carom/collide.h"
#include "support/patches.h"
#include "support/shapes.h"

#define POSES 200

static crShape* create(crShapeDef def, double rounding)
{
  def.rounding = rounding;
  return crCreateTestShape(&def);
}

// The same solid given in two ways is as far from everything, with the second turned by R.
static void compare(crShape* a, crShape* b, crMat3 R)
{
  crRandom random = crMakeRandom(5);
  crShape* others[] = { create(crMakeSphere(0.03), 0.0),
                        create(crMakeBox(0.1, 0.2, 0.05), 0.0),
                        create(crMakeCylinder(0.05, 0.1, 0.0), 0.0),
                        create(crMakeCapsule(0.02, 0.1), 0.0),
                        create(crMakeCone(0.05, 0.0, 0.1), 0.0),
                        create(crMakeBeam(0.1, 0.04, 0.03), 0.01) };
  for (int k = 0; k < 6; ++k) {
    for (int i = 0; i < POSES; ++i) {
      crPose X = { crQuatToMat3(crRandom_Rotation(&random)), crScale(0.05, crRandom_UnitVec3(&random)) };
      crPose Y = { crQuatToMat3(crRandom_Rotation(&random)),
                   crScale(0.2 + 0.1 * crRandom_Uniform(&random, -1.0, 1.0), crRandom_UnitVec3(&random)) };
      crPose turned = { crMulMM(X.R, R), X.p };
      crDistance first, second;
      assert_int_equal(crComputeDistance(a, &X, others[k], &Y, NULL, &first), cr_ok);
      assert_int_equal(crComputeDistance(b, &turned, others[k], &Y, NULL, &second), cr_ok);
      if (first.distance > -0.005) { // deeper, the cores overlap
        assert_close(first.distance, second.distance, 1e-9);
        assert_true(crLength(crSub(first.normal, second.normal)) < 1e-4);
      }
    }
  }
  for (int k = 0; k < 6; ++k) {
    crDestroyShape(others[k]);
  }
  crDestroyShape(a);
  crDestroyShape(b);
}

static void a_fully_rounded_rod_is_a_capsule(void** state)
{
  (void)state;
  crMat3 same = crIdentityPose().R;
  crMat3 lying = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), 0.5 * M_PI));
  compare(create(crMakeBox(0.04, 0.04, 0.14), 0.02), create(crMakeCapsule(0.02, 0.1), 0.0), same);
  compare(create(crMakeCylinder(0.02, 0.14, 0.0), 0.02), create(crMakeCapsule(0.02, 0.1), 0.0), same);
  compare(create(crMakeBeam(0.1, 0.04, 0.04), 0.02), create(crMakeCapsule(0.02, 0.1), 0.0), lying);
}

static void a_fully_rounded_cube_is_a_ball(void** state)
{
  (void)state;
  crMat3 same = crIdentityPose().R;
  compare(create(crMakeBox(0.06, 0.06, 0.06), 0.03), create(crMakeSphere(0.03), 0.0), same);
  compare(create(crMakeCylinder(0.03, 0.06, 0.0), 0.03), create(crMakeSphere(0.03), 0.0), same);
}

// Half as thick as it is rounded twice: inflating a thin one does the same but for its thickness.
static void a_fully_rounded_plate_is_as_far_as_a_thin_one_inflated(void** state)
{
  (void)state;
  crMat3 same = crIdentityPose().R;
  crShapeDef thin = crMakeBox(0.1, 0.06, 1e-12), disc = crMakeCylinder(0.05, 1e-12, 0.0);
  thin.inflate = disc.inflate = 0.01;
  compare(create(crMakeBox(0.12, 0.08, 0.02), 0.01), create(thin, 0.0), same);
  compare(create(crMakeCylinder(0.06, 0.02, 0.0), 0.01), create(disc, 0.0), same);
}

// A cone of which nothing is left but the centre of its ball.
static void a_fully_rounded_cone_is_a_ball(void** state)
{
  (void)state;
  double radius = 0.2 / (1.0 + sqrt(5.0));
  crShape *cone = create(crMakeCone(0.1, 0.0, 0.2), radius), *ball = create(crMakeSphere(radius), 0.0);
  crRandom random = crMakeRandom(6);
  for (int i = 0; i < POSES; ++i) {
    crPose X = crIdentityPose(),
           Y = { crQuatToMat3(crRandom_Rotation(&random)), crScale(0.4, crRandom_UnitVec3(&random)) };
    crPose centre = { X.R, { 0.0, 0.0, radius } };
    crShape* other = create(crMakeBox(0.1, 0.2, 0.05), 0.0);
    crDistance first, second;
    assert_int_equal(crComputeDistance(cone, &X, other, &Y, NULL, &first), cr_ok);
    assert_int_equal(crComputeDistance(ball, &centre, other, &Y, NULL, &second), cr_ok);
    assert_close(first.distance, second.distance, 1e-9);
    crDestroyShape(other);
  }
  crDestroyShape(cone);
  crDestroyShape(ball);
}

// The patch of a box whose core is a plate, a segment or a point is that of a capsule or nearly one.
static void a_fully_rounded_box_touches_by_area(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(7);
  crShape *ground = create(crDefaultShapeDef(cr_shapeHalfSpace), 0.0), *table = create(crMakeBox(0.2, 0.1, 0.15), 0.0);
  crShape* boxes[] = { create(crMakeBox(0.12, 0.08, 0.02), 0.01), create(crMakeBox(0.04, 0.04, 0.14), 0.02),
                       create(crMakeBox(0.06, 0.06, 0.06), 0.03) };
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 10; ++i) {
      crPressed pair = crPressAtRandom(i % 2 == 0 ? ground : table, boxes[k], 1e-4, &random);
      assert_true(crCheckGradient(&pair, 1e-4, 0.1, 1e-3) < 1e-6);
    }
  }
  crPressed pair = { ground, boxes[1], crIdentityPose(), crIdentityPose() }, same = pair;
  same.b = create(crMakeCapsule(0.02, 0.1), 0.0);
  pair.X_WB.R = same.X_WB.R = crQuatToMat3(crAxisAngleToQuat(crMakeVec3(0.0, 1.0, 0.0), 1.57));
  pair.X_WB.p.z = same.X_WB.p.z = 0.02;
  crPressTogether(&pair, 1e-4);
  crPressTogether(&same, 1e-4);
  crWrench onBox, onCapsule;
  assert_close(crComputePressed(&pair, &onBox) / crComputePressed(&same, &onCapsule), 1.0, 1e-6);
  crDestroyShape((crShape*)same.b);
  for (int k = 0; k < 3; ++k) {
    crDestroyShape(boxes[k]);
  }
  crDestroyShape(ground);
  crDestroyShape(table);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_fully_rounded_rod_is_a_capsule),
    cmocka_unit_test(a_fully_rounded_cube_is_a_ball),
    cmocka_unit_test(a_fully_rounded_plate_is_as_far_as_a_thin_one_inflated),
    cmocka_unit_test(a_fully_rounded_cone_is_a_ball),
    cmocka_unit_test(a_fully_rounded_box_touches_by_area),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
