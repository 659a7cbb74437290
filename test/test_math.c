// Rotations, poses and inertia against second computations.
#include "support/test.h"

static crMat3 rotationAbout(int axis, double angle)
{
  double c = cos(angle), s = sin(angle);
  if (axis == 0) {
    return (crMat3){ { 1, 0, 0 }, { 0, c, s }, { 0, -s, c } };
  }
  if (axis == 1) {
    return (crMat3){ { c, 0, -s }, { 0, 1, 0 }, { s, 0, c } };
  }
  return (crMat3){ { c, s, 0 }, { -s, c, 0 }, { 0, 0, 1 } };
}

static void assertMatClose(crMat3 a, crMat3 b, double tol)
{
  assert_vec_close(a.cx, b.cx, tol);
  assert_vec_close(a.cy, b.cy, tol);
  assert_vec_close(a.cz, b.cz, tol);
}

static void angles_turn_about_x_then_new_y_then_new_z(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (int i = 0; i < 1000; ++i) {
    crVec3 angles = crMakeVec3(crRandom_Uniform(&random, -3, 3), crRandom_Uniform(&random, -1.5, 1.5),
                               crRandom_Uniform(&random, -3, 3));
    crMat3 R = crMulMM(rotationAbout(0, angles.x), crMulMM(rotationAbout(1, angles.y), rotationAbout(2, angles.z)));
    crQuat q = crAnglesToQuat(angles);
    assertMatClose(crQuatToMat3(q), R, 1e-15);
    assert_vec_close(crQuatToAngles(q), angles, 1e-12);
  }
  crQuat up = crAnglesToQuat(crMakeVec3(0.3, CR_PI / 2, 0.4));
  assertMatClose(crQuatToMat3(crAnglesToQuat(crQuatToAngles(up))), crQuatToMat3(up), 1e-8);
}

static void quaternion_and_matrix_agree_both_ways(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  for (int i = 0; i < 2000; ++i) {
    crQuat q = i < 4 ? (crQuat){ i == 0, i == 1, i == 2, i == 3 } : crRandom_Rotation(&random);
    crMat3 R = crQuatToMat3(q);
    assertMatClose(crMulTM(R, R), crIdentityMat3(), 2e-15);
    assert_close(crDeterminant(R), 1.0, 2e-15);
    assertMatClose(crQuatToMat3(crMat3ToQuat(R)), R, 2e-15);
    // Rodrigues' formula, a second way to turn a vector
    crVec3 axis = crRandom_UnitVec3(&random), v = crRandom_UnitVec3(&random);
    double angle = crRandom_Uniform(&random, -7, 7);
    crVec3 turned = crAdd(crScale(cos(angle), v), crAdd(crScale(sin(angle), crCross(axis, v)),
                                                        crScale((1 - cos(angle)) * crDot(axis, v), axis)));
    assert_vec_close(crMulMV(crQuatToMat3(crAxisAngleToQuat(crScale(7.0, axis), angle)), v), turned, 2e-15);
    crQuat p = crRandom_Rotation(&random);
    assertMatClose(crQuatToMat3(crMulQuat(q, p)), crMulMM(R, crQuatToMat3(p)), 1e-15);
  }
}

static void shortest_rotation_lays_one_vector_on_the_other(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  for (int i = 0; i < 1000; ++i) {
    crVec3 a = crRandom_UnitVec3(&random), b = crRandom_UnitVec3(&random);
    if (i % 4 == 0) {
      b = crNeg(a);
    }
    crQuat q = crShortestRotation(a, b);
    assert_vec_close(crMulMV(crQuatToMat3(q), a), b, 1e-14);
    assert_close(2 * acos(fmin(1, fabs(q.w))), acos(fmax(-1, crDot(a, b))), 1e-6);
  }
}

static void poses_compose_and_invert(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  for (int i = 0; i < 100; ++i) {
    crPose A = crMakePose(crRandom_UnitVec3(&random), crRandom_Rotation(&random));
    crPose B = crMakePose(crRandom_UnitVec3(&random), crRandom_Rotation(&random));
    crVec3 p = crRandom_UnitVec3(&random);
    assert_vec_close(crTransformPoint(crMulPose(A, B), p), crTransformPoint(A, crTransformPoint(B, p)), 2e-15);
    assert_vec_close(crInvTransformPoint(A, crTransformPoint(A, p)), p, 2e-15);
    assert_vec_close(crTransformPoint(crInvertPose(A), p), crInvTransformPoint(A, p), 2e-15);
    assert_vec_close(crInvMulPose(A, crMulPose(A, B)).p, B.p, 2e-15);
  }
}

// Inertia of a cloud of point masses straight from its definition.
static crInertia cloudInertia(const crVec3* points, const double* masses, int count)
{
  crInertia sum = { 0 };
  for (int i = 0; i < count; ++i) {
    sum.mass += masses[i];
    sum.com = crMulAdd(sum.com, masses[i], points[i]);
  }
  sum.com = crScale(1.0 / sum.mass, sum.com);
  for (int i = 0; i < count; ++i) {
    crVec3 d = crSub(points[i], sum.com);
    crSym3 s = {
      d.y * d.y + d.z * d.z, d.x * d.x + d.z * d.z, d.x * d.x + d.y * d.y, -d.x * d.y, -d.x * d.z, -d.y * d.z
    };
    sum.I_com = crAddSym3(sum.I_com, crScaleSym3(masses[i], s));
  }
  return sum;
}

static void assertInertiaClose(crInertia a, crInertia b, double tol)
{
  assert_close(a.mass, b.mass, tol);
  assert_vec_close(a.com, b.com, tol);
  assert_vec_close(crMakeVec3(a.I_com.xx, a.I_com.yy, a.I_com.zz), crMakeVec3(b.I_com.xx, b.I_com.yy, b.I_com.zz), tol);
  assert_vec_close(crMakeVec3(a.I_com.xy, a.I_com.xz, a.I_com.yz), crMakeVec3(b.I_com.xy, b.I_com.xz, b.I_com.yz), tol);
}

static void inertia_of_a_sum_is_the_inertia_of_all_points(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  for (int run = 0; run < 50; ++run) {
    crVec3 points[12], turned[12];
    double masses[12];
    crPose X = crMakePose(crRandom_UnitVec3(&random), crRandom_Rotation(&random));
    for (int i = 0; i < 12; ++i) {
      points[i] = crRandom_UnitVec3(&random);
      masses[i] = crRandom_Uniform(&random, 0.1, 2.0);
      turned[i] = crTransformPoint(X, points[i]);
    }
    crInertia all = cloudInertia(points, masses, 12);
    crInertia sum = crAddInertia(cloudInertia(points, masses, 5), cloudInertia(points + 5, masses + 5, 7));
    assertInertiaClose(sum, all, 1e-14);
    assertInertiaClose(crTransformInertia(X, all), cloudInertia(turned, masses, 12), 2e-14);
  }
}

static void principal_moments_rebuild_the_tensor(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(6);
  for (int i = 0; i < 500; ++i) {
    crSym3 diagonal = crDiagonalSym3(1.0, i % 3 == 0 ? 1.0 : 2.0, i % 5 == 0 ? 1e6 : 3.0);
    crSym3 s = crRotateSym3(crQuatToMat3(crRandom_Rotation(&random)), diagonal);
    double values[3];
    crMat3 V;
    crSym3_ComputeEigen(s, values, &V);
    assert_true(values[0] <= values[1] && values[1] <= values[2]);
    assert_close(values[2], fmax(diagonal.zz, diagonal.yy), 1e-14 * diagonal.zz);
    crSym3 again = crRotateSym3(V, crDiagonalSym3(values[0], values[1], values[2]));
    double tol = 4e-15 * diagonal.zz;
    assert_close(again.xx, s.xx, tol);
    assert_close(again.xy, s.xy, tol);
    assert_close(again.yz, s.yz, tol);
    assert_close(crDeterminant(V), 1.0, 1e-14);
  }
}

// In whatever order they stand in the tensor.
static void principal_moments_ascend(void** state)
{
  (void)state;
  static const double orders[6][3] = { { 1, 2, 3 }, { 1, 3, 2 }, { 2, 1, 3 }, { 2, 3, 1 }, { 3, 1, 2 }, { 3, 2, 1 } };
  for (int i = 0; i < 6; ++i) {
    double values[3];
    crMat3 V;
    crSym3_ComputeEigen((crSym3){ .xx = orders[i][0], .yy = orders[i][1], .zz = orders[i][2] }, values, &V);
    const crVec3 axes[3] = { V.cx, V.cy, V.cz };
    for (int k = 0; k < 3; ++k) {
      assert_true(values[k] == k + 1.0);
      double along = orders[i][0] == k + 1.0 ? axes[k].x : orders[i][1] == k + 1.0 ? axes[k].y : axes[k].z;
      assert_true(fabs(along) == 1.0);
    }
  }
}

static void normalizing_keeps_tiny_and_huge_directions(void** state)
{
  (void)state;
  assert_vec_close(crNormalize(crMakeVec3(3e-300, 4e-300, 0)), crMakeVec3(0.6, 0.8, 0), 1e-16);
  assert_vec_close(crNormalize(crMakeVec3(0, 3e300, 4e300)), crMakeVec3(0, 0.6, 0.8), 1e-16);
  assert_vec_close(crNormalize(crMakeVec3(0, 0, 0)), crMakeVec3(0, 0, 0), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(angles_turn_about_x_then_new_y_then_new_z),
    cmocka_unit_test(quaternion_and_matrix_agree_both_ways),
    cmocka_unit_test(shortest_rotation_lays_one_vector_on_the_other),
    cmocka_unit_test(poses_compose_and_invert),
    cmocka_unit_test(inertia_of_a_sum_is_the_inertia_of_all_points),
    cmocka_unit_test(principal_moments_rebuild_the_tensor),
    cmocka_unit_test(principal_moments_ascend),
    cmocka_unit_test(normalizing_keeps_tiny_and_huge_directions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
