// Roots of polynomials of fourth degree, given by Bernstein coefficients: all that there are, and no others.
#include "collide/area/bernstein.h"

#include "support/test.h"

// The product of (x - r) over four numbers, by two quadratics.
static crQuartic makeFromRoots(const double r[4])
{
  double f[2][3];
  for (int i = 0; i < 2; ++i) {
    double a = r[2 * i], b = r[2 * i + 1];
    f[i][0] = a * b;
    f[i][1] = a * b - 0.5 * (a + b);
    f[i][2] = (1.0 - a) * (1.0 - b);
  }
  return crMultiplyBernstein(f[0], f[1]);
}

static void all_roots_inside_are_found_and_none_outside(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (int n = 0; n < 2000; ++n) {
    double r[4], roots[CR_QUARTIC_ROOTS];
    int inside = 0, found = 0;
    for (int i = 0; i < 4; ++i) {
      r[i] = crRandom_Uniform(&random, -1.0, 2.0);
      inside += r[i] > 0.0 && r[i] < 1.0;
    }
    crQuartic q = makeFromRoots(r);
    int count = crFindQuarticRoots(&q, 1e-16, roots);
    for (int i = 0; i < 4; ++i) {
      bool isFound = false;
      for (int k = 0; k < count; ++k) {
        isFound |= fabs(roots[k] - r[i]) < 1e-6;
      }
      found += isFound && r[i] > 0.0 && r[i] < 1.0;
    }
    assert_int_equal(found, inside);
    assert_int_equal(count, inside);
    for (int k = 1; k < count; ++k) {
      assert_true(roots[k - 1] <= roots[k]);
    }
    assert_true(inside == 0 || crMayHaveRoots(&q, 1e-16));
  }
}

static void roots_near_each_other_are_told_apart(void** state)
{
  (void)state;
  double r[4] = { 0.3, 0.3 + 1e-6, -1.0, 2.0 }, roots[CR_QUARTIC_ROOTS];
  crQuartic q = makeFromRoots(r);
  assert_int_equal(crFindQuarticRoots(&q, 1e-17, roots), 2);
  assert_close(roots[0], r[0], 1e-9);
  assert_close(roots[1], r[1], 1e-9);
}

static void a_root_in_the_middle_is_found(void** state)
{
  (void)state;
  double r[4] = { 0.5, 0.25, 0.75, 3.0 }, roots[CR_QUARTIC_ROOTS];
  crQuartic q = makeFromRoots(r);
  assert_int_equal(crFindQuarticRoots(&q, 0.0, roots), 3);
  assert_close(roots[0], 0.25, 1e-15);
  assert_close(roots[1], 0.5, 1e-15);
  assert_close(roots[2], 0.75, 1e-15);
}

static void noise_has_no_roots(void** state)
{
  (void)state;
  crQuartic q = { { 1e-17, -1e-17, 1e-17, -1e-17, 1e-17 } };
  double roots[CR_QUARTIC_ROOTS];
  assert_int_equal(crMayHaveRoots(&q, 1e-16), 0);
  assert_int_equal(crFindQuarticRoots(&q, 1e-16, roots), 0);
}

static void forms_agree(void** state)
{
  (void)state;
  double f[3] = { 1.0, -2.0, 0.5 }, one[3] = { 1.0, 1.0, 1.0 };
  crQuartic raised = crRaiseBernstein(f), product = crMultiplyBernstein(f, one), square = crMultiplyBernstein(f, f),
            form = crMakeQuartic(f[0] * f[0], f[0] * f[1], f[0] * f[2], f[1] * f[1], f[1] * f[2], f[2] * f[2]);
  for (int i = 0; i < 5; ++i) {
    assert_close(raised.c[i], product.c[i], 1e-15);
    assert_close(square.c[i], form.c[i], 1e-15);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_roots_inside_are_found_and_none_outside),
    cmocka_unit_test(roots_near_each_other_are_told_apart),
    cmocka_unit_test(a_root_in_the_middle_is_found),
    cmocka_unit_test(noise_has_no_roots),
    cmocka_unit_test(forms_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
