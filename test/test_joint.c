// Joint kinds: pose, motion and constraint of each row describe the same joint.
#include "carom/scene.h"
#include "joint/joint_kind.h"
#include "support/test.h"

#define STEP 1e-6 // central differences: error about STEP^2

typedef struct Case {
  const crJointType* type;
  crJointAxes axes;
  double q[CR_MAX_JOINT_Q], v[CR_MAX_JOINT_V];
} Case;

static Case makeCase(int kind, crRandom* random)
{
  Case c = { .type = crGetJointType(kind) };
  c.axes = (crJointAxes){ crRandom_UnitVec3(random), crRandom_UnitVec3(random), crRandom_Uniform(random, -1, 1) };
  for (int i = 0; i < c.type->qCount; ++i) {
    c.q[i] = crRandom_Uniform(random, -1, 1);
  }
  for (int i = 0; i < c.type->vCount; ++i) {
    c.v[i] = crRandom_Uniform(random, -1, 1);
  }
  return c;
}

static crMotion relativeMotion(const Case* c)
{
  crMotion columns[CR_MAX_JOINT_V], V = { { 0, 0, 0 }, { 0, 0, 0 } };
  c->type->computeMotionColumns(&c->axes, c->q, columns);
  for (int i = 0; i < c->type->vCount; ++i) {
    V.w = crMulAdd(V.w, c->v[i], columns[i].w);
    V.v = crMulAdd(V.v, c->v[i], columns[i].v);
  }
  return V;
}

static void motion_is_the_derivative_of_the_pose(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (int run = 0; run < 400; ++run) {
    Case c = makeCase(run % cr_jointKindCount, &random), plus = c, minus = c;
    double rates[CR_MAX_JOINT_Q];
    c.type->computeCoordinateRates(c.q, c.v, rates);
    for (int i = 0; i < c.type->qCount; ++i) {
      plus.q[i] += STEP * rates[i];
      minus.q[i] -= STEP * rates[i];
    }
    crPose X = c.type->computePose(&c.axes, c.q), Xp = c.type->computePose(&c.axes, plus.q),
           Xm = c.type->computePose(&c.axes, minus.q);
    crMotion V = relativeMotion(&c);
    assert_vec_close(crScale(0.5 / STEP, crSub(Xp.p, Xm.p)), V.v, 1e-8);
    for (int k = 0; k < 3; ++k) { // R' u = w x R u
      crVec3 u = crMakeVec3(k == 0, k == 1, k == 2);
      crVec3 rate = crScale(0.5 / STEP, crSub(crMulMV(Xp.R, u), crMulMV(Xm.R, u)));
      assert_vec_close(rate, crCross(V.w, crMulMV(X.R, u)), 1e-8);
    }
  }
}

// Along q' = N v with v constant, the motion of B in A changes by the bias alone.
static void motion_bias_is_the_derivative_of_the_motion(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  for (int run = 0; run < 400; ++run) {
    Case c = makeCase(run % cr_jointKindCount, &random), plus = c, minus = c;
    double rates[CR_MAX_JOINT_Q];
    c.type->computeCoordinateRates(c.q, c.v, rates);
    for (int i = 0; i < c.type->qCount; ++i) {
      plus.q[i] += STEP * rates[i];
      minus.q[i] -= STEP * rates[i];
    }
    crMotion bias = { { 0, 0, 0 }, { 0, 0, 0 } }, Vp = relativeMotion(&plus), Vm = relativeMotion(&minus);
    if (c.type->computeMotionBias != NULL) {
      c.type->computeMotionBias(&c.axes, c.q, c.v, &bias);
    }
    assert_vec_close(crScale(0.5 / STEP, crSub(Vp.w, Vm.w)), bias.w, 1e-8);
    assert_vec_close(crScale(0.5 / STEP, crSub(Vp.v, Vm.v)), bias.v, 1e-8);
  }
}

// A screw knows how many turns it has made from its position.
static void screw_counts_its_turns(void** state)
{
  (void)state;
  crJointAxes axes = { { 0, 0, 1 }, { 0, 0, 0 }, 0.002 };
  const crJointType* type = crGetJointType(cr_jointScrew);
  for (double angle = -40; angle < 40; angle += 1.7) {
    double q, residual[5];
    crPose X = type->computePose(&axes, &angle);
    type->computeCoordinates(&axes, X, &q);
    type->computeConstraint(&axes, X, residual);
    assert_close(q, angle, 1e-13);
    assert_close(X.p.z, 0.002 * angle, 1e-15);
    assert_close(residual[4], 0.0, 1e-15);
  }
}

static void constraint_vanishes_where_the_joint_can_be(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  for (int run = 0; run < 400; ++run) {
    Case c = makeCase(run % cr_jointKindCount, &random);
    crPose X = c.type->computePose(&c.axes, c.q);
    double residual[6] = { 0 };
    c.type->computeConstraint(&c.axes, X, residual);
    for (int i = 0; i < c.type->constraintCount; ++i) {
      assert_close(residual[i], 0.0, 1e-14);
    }
    crWrench rows[6];
    c.type->computeConstraintWrenches(&c.axes, X, rows);
    for (int i = 0; i < c.type->constraintCount; ++i) {
      assert_close(crPower(rows[i], relativeMotion(&c)), 0.0, 1e-14);
    }
    double q[CR_MAX_JOINT_Q];
    c.type->computeCoordinates(&c.axes, X, q);
    crPose again = c.type->computePose(&c.axes, q);
    assert_vec_close(again.p, X.p, 1e-14);
    assert_vec_close(again.R.cx, X.R.cx, 1e-14);
    assert_vec_close(again.R.cy, X.R.cy, 1e-14);
  }
}

// Off the constraint, too: g changes along any motion as its wrenches say.
static void constraint_wrenches_are_the_gradient_of_the_constraint(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  for (int run = 0; run < 400; ++run) {
    Case c = makeCase(run % cr_jointKindCount, &random);
    crPose X = crMakePose(crRandom_UnitVec3(&random), crRandom_Rotation(&random));
    crVec3 w = crRandom_UnitVec3(&random), v = crRandom_UnitVec3(&random);
    double plus[6], minus[6];
    for (int side = -1; side <= 1; side += 2) {
      crQuat turn = crAxisAngleToQuat(w, side * STEP);
      crPose moved = { crMulMM(crQuatToMat3(turn), X.R), crMulAdd(X.p, side * STEP, v) };
      c.type->computeConstraint(&c.axes, moved, side > 0 ? plus : minus);
    }
    crWrench rows[6];
    c.type->computeConstraintWrenches(&c.axes, X, rows);
    for (int i = 0; i < c.type->constraintCount; ++i) {
      assert_close((plus[i] - minus[i]) / (2 * STEP), crPower(rows[i], (crMotion){ w, v }), 1e-8);
    }
  }
}

static void constraints_and_freedoms_add_up_to_six(void** state)
{
  (void)state;
  crJointAxes axes = { { 0, 0, 1 }, { 1, 0, 0 }, 0.1 };
  assert_int_equal(crJointTypeCount(), cr_jointKindCount);
  assert_null(crGetJointType(-1));
  assert_null(crGetJointType(cr_jointKindCount));
  for (int kind = 0; kind < cr_jointKindCount; ++kind) {
    const crJointType* type = crGetJointType(kind);
    assert_int_equal(type->vCount + type->constraintCount, 6);
    if (type->qCount > 0) {
      crPose X = type->computePose(&axes, type->zero);
      assert_vec_close(X.p, crMakeVec3(0, 0, 0), 0);
      assert_vec_close(X.R.cx, crMakeVec3(1, 0, 0), 0);
    }
  }
}

static void across_vectors_are_right_handed(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  for (int i = 0; i < 1000; ++i) {
    crVec3 e = i < 6 ? crMakeVec3(i == 0   ? 1
                                  : i == 1 ? -1
                                           : 0,
                                  i == 2   ? 1
                                  : i == 3 ? -1
                                           : 0,
                                  i == 4   ? 1
                                  : i == 5 ? -1
                                           : 0)
                     : crRandom_UnitVec3(&random);
    crVec3 a, b;
    crMakeAcross(e, &a, &b);
    assert_vec_close(crCross(e, a), b, 1e-14);
    assert_close(crLength(a), 1.0, 1e-14);
    assert_close(crDot(a, e), 0.0, 1e-14);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(motion_is_the_derivative_of_the_pose),
    cmocka_unit_test(motion_bias_is_the_derivative_of_the_motion),
    cmocka_unit_test(screw_counts_its_turns),
    cmocka_unit_test(constraint_vanishes_where_the_joint_can_be),
    cmocka_unit_test(constraint_wrenches_are_the_gradient_of_the_constraint),
    cmocka_unit_test(constraints_and_freedoms_add_up_to_six),
    cmocka_unit_test(across_vectors_are_right_handed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
