// Lanes: the same algebra as that of crVec3, and sine and cosine of four angles.
#include "math/sin_cos.h"
#include "support/test.h"

static crMat3 randomMatrix(crRandom* random)
{
  crMat3 m = { crRandom_UnitVec3(random), crRandom_UnitVec3(random), crRandom_UnitVec3(random) };
  return m;
}

static void assertMatrix(crLanes33 found, crMat3 expected)
{
  assert_vec_close(crFromLanes(found.x), expected.cx, 1e-15);
  assert_vec_close(crFromLanes(found.y), expected.cy, 1e-15);
  assert_vec_close(crFromLanes(found.z), expected.cz, 1e-15);
  assert_close(found.x[3], 0, 0);
  assert_close(found.y[3], 0, 0);
  assert_close(found.z[3], 0, 0);
}

static crMat3 crossMatrix(crVec3 r)
{
  crMat3 m = { { 0, r.z, -r.y }, { -r.z, 0, r.x }, { r.y, -r.x, 0 } };
  return m;
}

static void products_agree_with_those_of_vectors_and_keep_lane_three_zero(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (int run = 0; run < 200; ++run) {
    crVec3 a = crRandom_UnitVec3(&random), b = crRandom_UnitVec3(&random);
    crMat3 m = randomMatrix(&random), n = randomMatrix(&random);
    crLanes la = crToLanes(a), lb = crToLanes(b);
    crLanes33 lm = crToLanes33(m), ln = crToLanes33(n);
    assert_close(crDotL(la, lb), crDot(a, b), 1e-15);
    assert_vec_close(crFromLanes(crCrossL(la, lb)), crCross(a, b), 1e-15);
    assert_close(crCrossL(la, lb)[3], 0, 0);
    assert_vec_close(crFromLanes(crMulL(lm, la)), crMulMV(m, a), 1e-15);
    assertMatrix(crMulMML(lm, ln), crMulMM(m, n));
    assertMatrix(crTransposeL(lm), crTranspose(m));
    assertMatrix(crMulCrossL(lm, la), crMulMM(m, crossMatrix(a)));
    assertMatrix(crCrossMulL(la, lm), crMulMM(crossMatrix(a), m));
    assertMatrix(crRotateL33(lm, ln), crMulMM(m, crMulMM(n, crTranspose(m))));
    crMat3 outer = { crMulAdd(m.cx, -0.5 * b.x, a), crMulAdd(m.cy, -0.5 * b.y, a), crMulAdd(m.cz, -0.5 * b.z, a) };
    assertMatrix(crSubScaledOuterL(lm, la, lb, 0.5), outer);
  }
}

static void finite_numbers_are_told_from_others(void** state)
{
  (void)state;
  for (int count = 0; count < 12; ++count) {
    double values[12];
    for (int i = 0; i < 12; ++i) {
      values[i] = i % 2 == 0 ? 1.7e308 : -1.7e308;
    }
    assert_true(crAreFinite(values, count));
    for (int i = 0; i < count; ++i) {
      double old = values[i];
      values[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -INFINITY;
      assert_false(crAreFinite(values, count));
      values[i] = old;
    }
  }
}

static void assertUlps(double found, long double truth)
{
  double slack = 0.75 * 0x1p-52 * (double)fabsl(truth);
  assert_close((double)(found - truth), 0.0, slack);
}

static void sine_and_cosine_are_good_to_the_last_digits(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  static const double ranges[] = { 1e-9, 1, 10, 1e3, 1e5, 1e9 };
  for (int run = 0; run < 60000; ++run) {
    double x[7], s[7], c[7];
    int count = 1 + run % 7;
    for (int i = 0; i < count; ++i) {
      double range = ranges[(run + i) % 6];
      x[i] = crRandom_Uniform(&random, -range, range);
    }
    crSinCosAll(x, count, s, c);
    for (int i = 0; i < count; ++i) {
      assertUlps(s[i], sinl(x[i]));
      assertUlps(c[i], cosl(x[i]));
    }
  }
}

static void sine_and_cosine_are_exact_at_zero(void** state)
{
  (void)state;
  const double x[1] = { 0.0 };
  double s[1], c[1];
  crSinCosAll(x, 1, s, c);
  assert_close(s[0], 0, 0);
  assert_close(c[0], 1, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(products_agree_with_those_of_vectors_and_keep_lane_three_zero),
    cmocka_unit_test(finite_numbers_are_told_from_others),
    cmocka_unit_test(sine_and_cosine_are_good_to_the_last_digits),
    cmocka_unit_test(sine_and_cosine_are_exact_at_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
