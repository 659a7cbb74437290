// The elementary functions against MPFR, in units in the last place; their special values and symmetries; and their
// bits against those of the same source compiled for the plainest processor.
#include "base/elementary.h"
#include "math/sin_cos.h"
#include "support/elementary_baseline.h"
#include "support/test.h"

#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#define TRUTH_BITS 110  // of MPFR's numbers
#define ARGUMENTS 14000 // in each range

typedef double One(double x);
typedef double Two(double x, double y);
typedef int TrueOne(mpfr_t result, const mpfr_t x, mpfr_rnd_t round);
typedef int TrueTwo(mpfr_t result, const mpfr_t x, const mpfr_t y, mpfr_rnd_t round);

static mpfr_t trueX, trueY, truth, difference;

static int setup(void** state)
{
  (void)state;
  mpfr_set_default_prec(TRUTH_BITS);
  mpfr_inits(trueX, trueY, truth, difference, NULL);
  return 0;
}

static int teardown(void** state)
{
  (void)state;
  mpfr_clears(trueX, trueY, truth, difference, NULL);
  mpfr_free_cache();
  return 0;
}

// |got - truth| in units in the last place of the truth; where that is subnormal, of subnormal numbers.
static double errorOf(double got)
{
  double nearest = mpfr_get_d(truth, MPFR_RNDN);
  if (isnan(nearest) || isnan(got) || isinf(nearest) || isinf(got)) {
    return (isnan(nearest) && isnan(got)) || nearest == got ? 0.0 : HUGE_VAL;
  }
  long unit = mpfr_zero_p(truth) ? -1074 : mpfr_get_exp(truth) - 53;
  mpfr_sub_d(difference, truth, got, MPFR_RNDN);
  mpfr_mul_2si(difference, difference, unit < -1074 ? 1074 : -unit, MPFR_RNDN);
  return fabs(mpfr_get_d(difference, MPFR_RNDN));
}

static double errorOfOne(One* function, TrueOne* trueFunction, double x)
{
  mpfr_set_d(trueX, x, MPFR_RNDN);
  trueFunction(truth, trueX, MPFR_RNDN);
  return errorOf(function(x));
}

static double errorOfTwo(Two* function, TrueTwo* trueFunction, double x, double y)
{
  mpfr_set_d(trueX, x, MPFR_RNDN);
  mpfr_set_d(trueY, y, MPFR_RNDN);
  trueFunction(truth, trueX, trueY, MPFR_RNDN);
  return errorOf(function(x, y));
}

static int truePerGamma(mpfr_t result, const mpfr_t x, mpfr_rnd_t round)
{
  mpfr_gamma(result, x, round);
  return mpfr_ui_div(result, 1, result, round);
}

// Any sign, any digits, exponents from low to high.
static double anyOf(crRandom* random, int low, int high)
{
  double x = ldexp(crRandom_Uniform(random, 1.0, 2.0), low + (int)crRandom_Uniform(random, 0.0, high - low + 1));
  return crRandom_Uniform(random, 0.0, 1.0) < 0.5 ? -x : x;
}

typedef struct OneCase {
  const char* name;
  One *function, *baseline;
  TrueOne* truth;
  double least, most; // of the domain
  double from, to;    // where it is used most
  double limit;       // [ulp]
} OneCase;

// limit: what 1.5 million arguments each showed, rounded up; the last rounding alone takes 0.5.
static const OneCase oneCases[] = {
  { "sin", crSin, baselineSin, mpfr_sin, -HUGE_VAL, HUGE_VAL, -10.0, 10.0, 0.80 },
  { "cos", crCos, baselineCos, mpfr_cos, -HUGE_VAL, HUGE_VAL, -10.0, 10.0, 0.80 },
  { "tan", crTan, baselineTan, mpfr_tan, -HUGE_VAL, HUGE_VAL, -10.0, 10.0, 0.95 },
  { "asin", crAsin, baselineAsin, mpfr_asin, -1.0, 1.0, -1.0, 1.0, 0.66 },
  { "acos", crAcos, baselineAcos, mpfr_acos, -1.0, 1.0, -1.0, 1.0, 0.65 },
  { "exp", crExp, baselineExp, mpfr_exp, -HUGE_VAL, HUGE_VAL, -700.0, 700.0, 0.77 }, // subnormal; else 0.51
  { "log", crLog, baselineLog, mpfr_log, 0.0, HUGE_VAL, 0.5, 2.0, 0.51 },
  { "log2", crLog2, baselineLog2, mpfr_log2, 0.0, HUGE_VAL, 0.5, 2.0, 0.51 },
  { "log10", crLog10, baselineLog10, mpfr_log10, 0.0, HUGE_VAL, 0.5, 2.0, 0.51 },
  { "log1p", crLog1p, baselineLog1p, mpfr_log1p, -1.0, HUGE_VAL, -1.0, 1.0, 0.70 },
  { "tanh", crTanh, baselineTanh, mpfr_tanh, -HUGE_VAL, HUGE_VAL, -3.0, 3.0, 0.60 },
  { "cbrt", crCbrt, baselineCbrt, mpfr_cbrt, -HUGE_VAL, HUGE_VAL, 0.5, 8.0, 0.67 },
  { "1 / gamma", crPerGamma, baselinePerGamma, truePerGamma, 0.5, 2.0, 0.5, 2.0, 0.80 },
};
#define ONE_CASES (sizeof oneCases / sizeof *oneCases)

typedef struct TwoCase {
  const char* name;
  Two *function, *baseline;
  TrueTwo* truth;
  int xLow, xHigh, yLow, yHigh; // exponents
  double limit;                 // [ulp]
} TwoCase;

static const TwoCase twoCases[] = {
  { "pow", crPow, baselinePow, mpfr_pow, -1074, 1023, -60, 10, 0.77 },
  { "pow", crPow, baselinePow, mpfr_pow, -30, 10, -3, 2, 0.52 },
  { "pow", crPow, baselinePow, mpfr_pow, -1, 0, 0, 9, 0.52 },
  { "atan2", crAtan2, baselineAtan2, mpfr_atan2, -1074, 1023, -1074, 1023, 0.60 },
  { "atan2", crAtan2, baselineAtan2, mpfr_atan2, -2, 2, -2, 2, 0.60 },
  { "atan2", crAtan2, baselineAtan2, mpfr_atan2, -9, 0, -1, 4, 0.60 },
  { "hypot", crHypot, baselineHypot, mpfr_hypot, -1074, 1023, -1074, 1023, 0.77 },
  { "hypot", crHypot, baselineHypot, mpfr_hypot, -1074, -1010, -1074, -1010, 0.77 },
  { "hypot", crHypot, baselineHypot, mpfr_hypot, -9, 9, -9, 9, 0.51 },
};
#define TWO_CASES (sizeof twoCases / sizeof *twoCases)

// Every third argument has any size, every third one lies where the function is used most, the others near 1.
static double argumentOf(crRandom* random, const OneCase* one, int i)
{
  double x = i % 3 == 0   ? anyOf(random, -1074, 1023)
             : i % 3 == 1 ? crRandom_Uniform(random, one->from, one->to)
                          : anyOf(random, -30, 9);
  x = x < one->least || x > one->most ? -x : x;
  return x < one->least || x > one->most ? crRandom_Uniform(random, one->from, one->to) : x;
}

static void errors_stay_below_their_limits(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (size_t k = 0; k < ONE_CASES; ++k) {
    const OneCase* one = &oneCases[k];
    double worst = 0.0, worstX = 0.0;
    for (int i = 0; i < 3 * ARGUMENTS; ++i) {
      double x = argumentOf(&random, one, i), error = errorOfOne(one->function, one->truth, x);
      worstX = error > worst ? x : worstX;
      worst = error > worst ? error : worst;
    }
    printf("%-10s %.4f ulp at %a\n", one->name, worst, worstX);
    assert_true(worst <= one->limit);
  }
  for (size_t k = 0; k < TWO_CASES; ++k) {
    const TwoCase* two = &twoCases[k];
    bool isPower = two->truth == mpfr_pow;
    double worst = 0.0, worstX = 0.0, worstY = 0.0;
    for (int i = 0; i < ARGUMENTS; ++i) {
      double x = anyOf(&random, two->xLow, two->xHigh), y = anyOf(&random, two->yLow, two->yHigh);
      x = isPower ? fabs(x) : x;
      double error = errorOfTwo(two->function, two->truth, x, y);
      worstX = error > worst ? x : worstX;
      worstY = error > worst ? y : worstY;
      worst = error > worst ? error : worst;
    }
    printf("%-10s %.4f ulp at %a, %a\n", two->name, worst, worstX, worstY);
    assert_true(worst <= two->limit);
  }
}

// Where the reduction of angles cancels most: the double next to each multiple of pi/2 up to the limit of the short
// reduction, and the double of all that is nearest to one.
static void angles_next_to_quarter_turns_keep_their_digits(void** state)
{
  (void)state;
  for (int k = 1; k * CR_HALF_PI_HIGH <= CR_NEAR_ANGLE; ++k) {
    double x = k * CR_HALF_PI_HIGH;
    assert_true(errorOfOne(crSin, mpfr_sin, x) <= 0.80);
    assert_true(errorOfOne(crCos, mpfr_cos, x) <= 0.80);
    if (k % 16 == 0) {
      assert_true(errorOfOne(crTan, mpfr_tan, x) <= 0.95);
    }
  }
  const double nearest = 0x1.6ac5b262ca1ffp+849; // [Muller16]: 2^-60.9 from a multiple
  assert_true(errorOfOne(crCos, mpfr_cos, nearest) <= 0.80);
  assert_true(errorOfOne(crTan, mpfr_tan, nearest) <= 0.95);
  for (int e = 17; e < 1024; ++e) { // all words of 2/pi
    assert_true(errorOfOne(crSin, mpfr_sin, ldexp(0x1.fffffffffffffp0, e)) <= 0.80);
    assert_true(errorOfOne(crCos, mpfr_cos, ldexp(1.0, e)) <= 0.80);
  }
}

static void assert_same(double a, double b)
{
  if (isnan(a) && isnan(b)) {
    return;
  }
  if (memcmp(&a, &b, sizeof a) != 0) {
    fail_msg("%a is not %a", a, b);
  }
}

static void special_values_are_those_of_the_standard(void** state)
{
  (void)state;
  const double inf = HUGE_VAL, tiny = 0x1p-1074, quarter = CR_HALF_PI_HIGH;
  One* const odd[] = { crSin, crTan, crAsin, crTanh, crCbrt, crLog1p };
  for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
    assert_same(odd[i](0.0), 0.0);
    assert_same(odd[i](-0.0), -0.0);
    assert_same(odd[i](NAN), NAN);
    if (odd[i] != crCbrt) {
      assert_same(odd[i](tiny), tiny);
      assert_same(odd[i](-tiny), -tiny);
    }
  }
  assert_same(crCos(0.0), 1.0);
  assert_same(crCos(-0.0), 1.0);
  assert_same(crSin(inf), NAN);
  assert_same(crCos(-inf), NAN);
  assert_same(crTan(inf), NAN);
  double s, c;
  crSinCos(-0.0, &s, &c);
  assert_same(s, -0.0);
  assert_same(c, 1.0);
  crSinCos(inf, &s, &c);
  assert_same(s, NAN);
  assert_same(c, NAN);

  assert_same(crAcos(1.0), 0.0);
  assert_same(crAcos(-1.0), 2.0 * quarter);
  assert_same(crAcos(0.0), quarter);
  assert_same(crAsin(1.0), quarter);
  assert_same(crAsin(-1.0), -quarter);
  assert_same(crAcos(nextafter(1.0, 2.0)), NAN);
  assert_same(crAsin(-1.1), NAN);
  assert_same(crAcos(NAN), NAN);

  assert_same(crExp(0.0), 1.0);
  assert_same(crExp(-0.0), 1.0);
  assert_same(crExp(inf), inf);
  assert_same(crExp(-inf), 0.0);
  assert_same(crExp(709.79), inf);
  assert_same(crExp(-745.14), 0.0);
  assert_same(crExp(-745.13), tiny);
  assert_same(crExp(NAN), NAN);
  One* const logarithms[] = { crLog, crLog2, crLog10 };
  for (int i = 0; i < 3; ++i) {
    assert_same(logarithms[i](0.0), -inf);
    assert_same(logarithms[i](-0.0), -inf);
    assert_same(logarithms[i](1.0), 0.0);
    assert_same(logarithms[i](inf), inf);
    assert_same(logarithms[i](-1.0), NAN);
    assert_same(logarithms[i](-inf), NAN);
    assert_same(logarithms[i](NAN), NAN);
  }
  assert_same(crLog1p(-1.0), -inf);
  assert_same(crLog1p(-1.5), NAN);
  assert_same(crLog1p(inf), inf);

  assert_same(crTanh(inf), 1.0);
  assert_same(crTanh(-inf), -1.0);
  assert_same(crCbrt(inf), inf);
  assert_same(crCbrt(-inf), -inf);
  assert_same(crHypot(inf, NAN), inf);
  assert_same(crHypot(NAN, -inf), inf);
  assert_same(crHypot(NAN, 1.0), NAN);
  assert_same(crHypot(-0.0, 0.0), 0.0);
  assert_same(crHypot(DBL_MAX, DBL_MAX), inf);
  assert_same(crPerGamma(1.0), 1.0);
  assert_same(crPerGamma(2.0), 1.0);
  assert_same(crPerGamma(2.1), NAN);
}

// C17 annex F.9.1.4: every pair of these signs, sizes and infinities.
static void the_angle_of_a_point_is_right_in_every_quadrant_and_at_every_edge(void** state)
{
  (void)state;
  const double values[] = { 0.0, 0x1p-1074, 0x1p-1022, 0x1p-30, 0.5, 1.0, 0x1p30, 0x1p1023, DBL_MAX, HUGE_VAL };
  const int count = (int)(sizeof values / sizeof *values);
  for (int i = 0; i < 4 * count * count; ++i) {
    double y = values[i / 4 % count] * (i % 2 == 0 ? 1.0 : -1.0),
           x = values[i / 4 / count] * (i / 2 % 2 == 0 ? 1.0 : -1.0);
    assert_true(errorOfTwo(crAtan2, mpfr_atan2, y, x) <= 0.6);
    assert_true(signbit(crAtan2(y, x)) == signbit(y));
  }
  assert_same(crAtan2(NAN, 1.0), NAN);
  assert_same(crAtan2(1.0, NAN), NAN);
}

// C17 annex F.9.4.4, which MPFR follows: every pair of these bases and exponents.
static void powers_are_right_at_every_edge(void** state)
{
  (void)state;
  const double values[] = { 0.0,          0x1p-1074, 0x1p-1022, 0.5,      1.0 - 0x1p-53, 1.0,      1.0 + 0x1p-52,
                            1.5,          2.0,       3.0,       4.0,      1023.0,        1074.0,   0x1p52 + 1.0,
                            0x1p53 - 1.0, 0x1p53,    0x1p60,    0x1p1023, DBL_MAX,       HUGE_VAL, NAN };
  const int count = (int)(sizeof values / sizeof *values);
  for (int i = 0; i < 4 * count * count; ++i) {
    double x = values[i / 4 % count] * (i % 2 == 0 ? 1.0 : -1.0),
           y = values[i / 4 / count] * (i / 2 % 2 == 0 ? 1.0 : -1.0);
    double error = errorOfTwo(crPow, mpfr_pow, x, y), got = crPow(x, y);
    if (!(error <= 0.77) || (!isnan(got) && signbit(got) != (mpfr_signbit(truth) != 0))) {
      fail_msg("%a^%a is %a", x, y, got);
    }
  }
}

static void results_that_are_whole_numbers_are_exact(void** state)
{
  (void)state;
  for (int k = 0; k <= 22; ++k) {
    double ten = 1.0;
    for (int i = 0; i < k; ++i) {
      ten *= 10.0;
    }
    assert_same(crPow(10.0, k), ten);
    assert_same(crLog10(ten), k);
  }
  for (int k = -1074; k < 1024; ++k) {
    assert_same(crPow(2.0, k), ldexp(1.0, k));
    assert_same(crLog2(ldexp(1.0, k)), k);
  }
  for (int k = 1; k <= 3000; ++k) {
    assert_same(crCbrt((double)k * k * k), k);
    assert_same(crPow((double)k * k, 0.5), k);
    assert_same(crPow((double)k, 2.0), (double)k * k);
    assert_same(crHypot(3.0 * k, 4.0 * k), 5.0 * k);
  }
}

static void functions_are_odd_or_even_to_the_last_bit(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(2);
  for (int i = 0; i < 100000; ++i) {
    double x = anyOf(&random, i % 2 == 0 ? -20 : -1074, i % 2 == 0 ? 20 : 1023), y = anyOf(&random, -20, 20);
    assert_same(crSin(-x), -crSin(x));
    assert_same(crCos(-x), crCos(x));
    assert_same(crTan(-x), -crTan(x));
    assert_same(crTanh(-x), -crTanh(x));
    assert_same(crCbrt(-x), -crCbrt(x));
    assert_same(crAtan2(-x, y), -crAtan2(x, y));
    assert_same(crHypot(x, y), crHypot(-y, x));
    if (fabs(x) <= 1.0) {
      assert_same(crAsin(-x), -crAsin(x));
    }
  }
}

// Over four units in the last place, which is more than errors and slopes can hide.
static void functions_that_grow_never_fall(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  for (int i = 0; i < 100000; ++i) {
    double x = fabs(anyOf(&random, -12, 8)), next = x * (1.0 + 0x1p-50);
    assert_true(crExp(next) >= crExp(x));
    assert_true(crLog(next) >= crLog(x));
    assert_true(crLog1p(next) >= crLog1p(x));
    assert_true(crTanh(next) >= crTanh(x));
    assert_true(crCbrt(next) >= crCbrt(x));
    assert_true(crPow(next, 1.5) >= crPow(x, 1.5));
    assert_true(crAtan2(next, 1.0) >= crAtan2(x, 1.0));
    assert_true(crHypot(next, 1.0) >= crHypot(x, 1.0));
    if (next <= 1.0) {
      assert_true(crAsin(next) >= crAsin(x));
      assert_true(crAcos(next) <= crAcos(x));
    }
  }
}

static void a_build_for_the_plainest_processor_gives_the_same_bits(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  for (size_t k = 0; k < ONE_CASES; ++k) {
    for (int i = 0; i < 200000; ++i) {
      double x = argumentOf(&random, &oneCases[k], i);
      assert_same(oneCases[k].function(x), oneCases[k].baseline(x));
    }
  }
  for (size_t k = 0; k < TWO_CASES; ++k) {
    const TwoCase* two = &twoCases[k];
    for (int i = 0; i < 100000; ++i) {
      double x = anyOf(&random, two->xLow, two->xHigh), y = anyOf(&random, two->yLow, two->yHigh);
      assert_same(two->function(x, y), two->baseline(x, y));
    }
  }
}

static void sine_and_cosine_together_give_the_bits_of_each(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  for (int i = 0; i < 100000; ++i) {
    double angles[5], sines[5], cosines[5], s, c;
    for (int k = 0; k < 5; ++k) {
      angles[k] = i % 7 == 0 ? anyOf(&random, -1074, 1023) : anyOf(&random, -30, 16);
    }
    crSinCosAll(angles, 5, sines, cosines);
    for (int k = 0; k < 5; ++k) {
      crSinCos(angles[k], &s, &c);
      assert_same(s, crSin(angles[k]));
      assert_same(c, crCos(angles[k]));
      assert_same(sines[k], s);
      assert_same(cosines[k], c);
    }
    baselineSinCos(angles[0], &s, &c);
    assert_same(sines[0], s);
    assert_same(cosines[0], c);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(errors_stay_below_their_limits),
    cmocka_unit_test(angles_next_to_quarter_turns_keep_their_digits),
    cmocka_unit_test(special_values_are_those_of_the_standard),
    cmocka_unit_test(the_angle_of_a_point_is_right_in_every_quadrant_and_at_every_edge),
    cmocka_unit_test(powers_are_right_at_every_edge),
    cmocka_unit_test(results_that_are_whole_numbers_are_exact),
    cmocka_unit_test(functions_are_odd_or_even_to_the_last_bit),
    cmocka_unit_test(functions_that_grow_never_fall),
    cmocka_unit_test(a_build_for_the_plainest_processor_gives_the_same_bits),
    cmocka_unit_test(sine_and_cosine_together_give_the_bits_of_each),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
