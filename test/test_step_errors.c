// What steppers tell of one step of a linear system: the end by the method's own function of stability, the error by
// its published estimate, the work by its iteration. All are worked out here once more from the literature.
#include "solve/dop853_table.h"
#include "support/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STATES 2
#define SQRT6 2.44948974278317809820

// y' = L y
typedef struct Linear {
  double L[STATES][STATES];
} Linear;

static crStatus computeLinear(void* context, double t, const double* y, double* outRates)
{
  (void)t;
  const Linear* linear = context;
  for (int i = 0; i < STATES; ++i) {
    outRates[i] = linear->L[i][0] * y[0] + linear->L[i][1] * y[1];
  }
  return cr_ok;
}

// One step of length h from y0, to which the tolerance has no say, unless it is radau5, which fits its iteration to it.
typedef struct OneStep {
  double end[STATES], errors[STATES];
  crStepCounts counts;
  crStepMemory memory;
} OneStep;

static OneStep takeStep(crStepKind kind, const Linear* linear, const crStructure* structure, const double* absTol,
                        double stepTol, double toldTol, double h, const double* y0)
{
  crProblem problem = {
    .n = STATES, .context = (void*)linear, .computeRates = computeLinear, .absTol = absTol, .structure = structure
  };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, &problem, kind, stepTol, 0.0, y0);
  run->memory.h = h;
  assert_int_equal(crTestSteps_Step(run, h), cr_ok);
  const crSegment* segment = crTestSteps_Last(run);
  assert_true(segment->t1 == h && crStepper_GetTriedStep(stepper) == h);
  OneStep step = { .counts = crStepper_GetCounts(stepper), .memory = run->memory };
  memcpy(step.end, segment->y1, sizeof step.end);
  assert_true(crStepper_GetErrors(stepper, &problem, kind, toldTol, step.errors));
  crDestroyStepper(stepper);
  free(run);
  return step;
}

// Slopes of an explicit method with given weights, up to the stage `count`, which is its end.
static void findSlopes(const Linear* linear, const double* weights, int stride, int count, double h, const double* y0,
                       double (*outSlopes)[STATES])
{
  for (int s = 0; s <= count; ++s) {
    double y[STATES] = { y0[0], y0[1] };
    for (int j = 0; j < s; ++j) {
      for (int i = 0; i < STATES; ++i) {
        y[i] += h * weights[s * stride + j] * outSlopes[j][i];
      }
    }
    computeLinear((void*)linear, 0.0, y, outSlopes[s]);
  }
}

static const Linear mixed = { { { -1.0, 0.4 }, { 30.0, 0.7 } } };
static const double mixedStart[STATES] = { 1.0, -200.0 }, mixedTol[STATES] = { 0.5, 40.0 };

static double findTolerance(const OneStep* step, const double* y0, const double* absTol, double relTol, int i)
{
  return absTol[i] + relTol * fmax(fabs(y0[i]), fabs(step->end[i]));
}

static void errors_of_the_explicit_methods_are_those_of_their_tableaus(void** state)
{
  (void)state;
  // [DormandPrince80], and its fourth-order weights subtracted from the fifth-order ones
  static const double weights[7][7] = {
    { 0.0 },
    { 1.0 / 5 },
    { 3.0 / 40, 9.0 / 40 },
    { 44.0 / 45, -56.0 / 15, 32.0 / 9 },
    { 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729 },
    { 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656 },
    { 35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 },
  };
  static const double errors[7] = { 71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                    -17253.0 / 339200, 22.0 / 525, -1.0 / 40 };
  double k[CR_DOP853_ALL_STAGES + 1][STATES], h = 0.2;
  for (int r = 0; r < 3; ++r) {
    double relTol = 0.3 * r;
    OneStep step = takeStep(cr_stepDopri5, &mixed, NULL, mixedTol, 1e9, relTol, h, mixedStart);
    findSlopes(&mixed, weights[0], 7, 6, h, mixedStart, k);
    for (int i = 0; i < STATES; ++i) {
      double sum = 0.0;
      for (int j = 0; j < 7; ++j) {
        sum += h * errors[j] * k[j][i];
      }
      assert_close(step.errors[i], sum / findTolerance(&step, mixedStart, mixedTol, relTol, i), 1e-11);
    }
    step = takeStep(cr_stepDop853, &mixed, NULL, mixedTol, 1e9, relTol, 2.0 * h, mixedStart);
    findSlopes(&mixed, crDop853Weights[0], (int)(sizeof crDop853Weights[0] / sizeof(double)), CR_DOP853_STAGES, 2.0 * h,
               mixedStart, k);
    for (int i = 0; i < STATES; ++i) {
      double sum = 0.0;
      for (int j = 0; j < CR_DOP853_STAGES; ++j) {
        sum += 2.0 * h * crDop853Errors[0][j] * k[j][i];
      }
      assert_close(step.errors[i], sum / findTolerance(&step, mixedStart, mixedTol, relTol, i), 1e-11);
    }
  }
}

// ---------------------------------------------------------------------------------------------- radau

static void solveSystem(int n, double* M, double* x)
{
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i) {
      pivot = fabs(M[i * n + k]) > fabs(M[pivot * n + k]) ? i : pivot;
    }
    for (int j = 0; j < n; ++j) {
      double kept = M[k * n + j];
      M[k * n + j] = M[pivot * n + j];
      M[pivot * n + j] = kept;
    }
    double kept = x[k];
    x[k] = x[pivot];
    x[pivot] = kept;
    for (int i = 0; i < n; ++i) {
      double factor = i == k ? 0.0 : M[i * n + k] / M[k * n + k];
      for (int j = 0; j < n; ++j) {
        M[i * n + j] -= factor * M[k * n + j];
      }
      x[i] -= factor * x[k];
    }
  }
  for (int k = 0; k < n; ++k) {
    x[k] /= M[k * n + k];
  }
}

// End and error of a step of Radau IIA [HairerWanner96] IV.8, eq. 8.19: (g I - L) err = f0 + (e1 z1 + e2 z2 + e3 z3) /
// h.
static const double radau[3][3] = {
  { (88 - 7 * SQRT6) / 360, (296 - 169 * SQRT6) / 1800, (-2 + 3 * SQRT6) / 225 },
  { (296 + 169 * SQRT6) / 1800, (88 + 7 * SQRT6) / 360, (-2 - 3 * SQRT6) / 225 },
  { (16 - SQRT6) / 36, (16 + SQRT6) / 36, 1.0 / 9 },
};

static void findRadau(const Linear* linear, double h, const double* y0, double* outEnd, double* outError)
{
  static const double e[3] = { -(13 + 7 * SQRT6) / 3, (-13 + 7 * SQRT6) / 3, -1.0 / 3 };
  double g = (6.0 + cbrt(81.0) - cbrt(9.0)) / 30.0, M[36] = { 0.0 }, z[6], f0[STATES], N[4];
  g = 1.0 / (g * h); // the real eigenvalue of the inverse of A
  computeLinear((void*)linear, 0.0, y0, f0);
  for (int s = 0; s < 3; ++s) {
    for (int i = 0; i < STATES; ++i) {
      for (int r = 0; r < 3; ++r) {
        for (int j = 0; j < STATES; ++j) {
          M[(2 * s + i) * 6 + 2 * r + j] = (s == r && i == j ? 1.0 : 0.0) - h * radau[s][r] * linear->L[i][j];
        }
      }
      z[2 * s + i] = h * (radau[s][0] + radau[s][1] + radau[s][2]) * f0[i];
    }
  }
  solveSystem(6, M, z);
  for (int i = 0; i < STATES; ++i) {
    outEnd[i] = y0[i] + z[4 + i];
    outError[i] = f0[i] + (e[0] * z[i] + e[1] * z[2 + i] + e[2] * z[4 + i]) / h;
    N[2 * i] = (i == 0 ? g : 0.0) - linear->L[i][0];
    N[2 * i + 1] = (i == 1 ? g : 0.0) - linear->L[i][1];
  }
  solveSystem(2, N, outError);
}

static void a_step_of_radau_and_its_error_are_those_of_its_equations(void** state)
{
  (void)state;
  static const int rateOf[STATES] = { 1, -1 };
  static const crStructure structure = { .rateOf = rateOf };
  const Linear stiff = { { { -50.0, 3.0 }, { 1.0, -0.5 } } }, swing = { { { 0.0, 1.0 }, { -9.0, -40.0 } } };
  const double y0[STATES] = { 2.0, -3.0 }, absTol[STATES] = { 0.5, 2.0 }, relTol = 0.05;
  double tol = pow(relTol, 2.0 / 3.0);
  for (int k = 0; k < 3; ++k) { // the last one with x' = v known as such
    const Linear* linear = k == 0 ? &stiff : &swing;
    for (double h = 0.02; h < 0.1; h *= 1.5) {
      double end[STATES], error[STATES];
      findRadau(linear, h, y0, end, error);
      OneStep step = takeStep(cr_stepRadau5, linear, k == 2 ? &structure : NULL, absTol, relTol, relTol, h, y0);
      for (int i = 0; i < STATES; ++i) {
        assert_close(step.end[i], end[i], 1e-6);
        assert_close(step.errors[i], error[i] / (tol / relTol * absTol[i] + tol * fabs(y0[i])), 1e-6);
      }
    }
  }
}

// y' = p' + L (y - p), whose solution p is of degree 3, as the polynomials of the method are: the one before tells all
// stages, and the first correction is nothing.
typedef struct Cubic {
  Linear linear;
  double p[STATES][4];
} Cubic;

static double evalCubic(const double* p, double t)
{
  return p[0] + t * (p[1] + t * (p[2] + t * p[3]));
}

static crStatus computeCubic(void* context, double t, const double* y, double* outRates)
{
  const Cubic* cubic = context;
  double off[STATES];
  for (int i = 0; i < STATES; ++i) {
    off[i] = y[i] - evalCubic(cubic->p[i], t);
  }
  computeLinear((void*)&cubic->linear, t, off, outRates);
  for (int i = 0; i < STATES; ++i) {
    const double* p = cubic->p[i];
    outRates[i] += p[1] + t * (2.0 * p[2] + 3.0 * t * p[3]);
  }
  return cr_ok;
}

static crStatus computeCubicSlopes(void* context, double t, const double* y, double* outValues)
{
  (void)t;
  (void)y;
  const Cubic* cubic = context;
  for (int j = 0; j < STATES; ++j) {
    for (int i = 0; i < STATES; ++i) {
      outValues[2 * j + i] = cubic->linear.L[i][j];
    }
  }
  return cr_ok;
}

static void the_polynomial_before_tells_the_stages_of_a_cubic(void** state)
{
  (void)state;
  static const int starts[] = { 0, 2, 4 }, rows[] = { 0, 1, 0, 1 };
  static const crSparsity pattern = { STATES, starts, rows };
  static const double lengths[] = { 0.1, 0.13, 0.05, 0.2, 0.11 };
  Cubic cubic = { { { { -800.0, 3.0 }, { 20.0, -5.0 } } }, { { 1.0, -2.0, 3.0, 0.5 }, { -0.5, 4.0, 1.0, -2.0 } } };
  double y0[STATES] = { cubic.p[0][0], cubic.p[1][0] }, absTol[STATES] = { 1e-3, 1e-3 }, t = 0.0;
  crProblem problem = { .n = STATES,
                        .context = &cubic,
                        .computeRates = computeCubic,
                        .computeJacobian = computeCubicSlopes,
                        .pattern = &pattern,
                        .absTol = absTol };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, &problem, cr_stepRadau5, 1e-3, 0.0, y0);
  for (int k = 0; k < 5; ++k) {
    crStepCounts before = crStepper_GetCounts(stepper);
    run->memory.h = lengths[k];
    t += lengths[k];
    assert_int_equal(crTestSteps_Step(run, t), cr_ok);
    crStepCounts after = crStepper_GetCounts(stepper);
    const crSegment* segment = crTestSteps_Last(run);
    assert_true(segment->t1 == t);
    for (int i = 0; i < STATES; ++i) {
      assert_close(segment->y1[i], evalCubic(cubic.p[i], t), 1e-12);
    }
    // without one: a correction that is exact, and one that shows it; each of three stages, and the end
    assert_int_equal(after.evaluations - before.evaluations, k == 0 ? 7 : 4);
  }
  crDestroyStepper(stepper);
  free(run);
}

// ----------------------------------------------------------------------------------- stabilized method

// Of a scalar y' = lambda y: the end by Chebyshev's polynomials, by their closed forms.
static double evalChebyshev(int s, double x)
{
  return x >= 1.0 ? cosh(s * acosh(x)) : x <= -1.0 ? (s % 2 == 0 ? 1.0 : -1.0) * cosh(s * acosh(-x)) : cos(s * acos(x));
}

static double findStability(int s, double z)
{
  double w0 = 1.0 + 2.0 / 13 / (s * s), u = acosh(w0), sh = sinh(u);
  double value = cosh(s * u), slope = s * sinh(s * u) / sh, bend = (s * s * value - w0 * slope) / (sh * sh);
  double b = bend / (slope * slope), w1 = slope / bend;
  return 1.0 - b * value + b * evalChebyshev(s, w0 + w1 * z);
}

static void a_stabilized_step_is_its_polynomial_and_tells_its_error(void** state)
{
  (void)state;
  const double y0[STATES] = { 3.0, -200.0 }, absTol[STATES] = { 1.0, 50.0 };
  for (double z = 0.01; z < 300.0; z *= 3.0) {
    const Linear linear = { { { -z, 0.0 }, { 0.0, -0.01 } } };
    for (int r = 0; r < 2; ++r) {
      OneStep step = takeStep(cr_stepRkc2, &linear, NULL, absTol, 1e9, 0.2 * r, 1.0, y0);
      int s = step.memory.stages;
      // no more of them than stability needs, with a margin of a fifth for the radius
      assert_in_range(s, fmax(5.0, sqrt(1.0 + z / 0.653)), fmax(5.0, 2.0 + sqrt(1.0 + 1.25 * z / 0.65)));
      double slow = findStability(s, -0.01), error = exp(-0.01) - slow;
      assert_close(step.end[0], findStability(s, -z) * y0[0], 1e-9);
      assert_close(step.end[1], slow * y0[1], 1e-9);
      assert_close(step.errors[1], error * y0[1] / findTolerance(&step, y0, absTol, 0.2 * r, 1),
                   0.05 * fabs(error * y0[1] / absTol[1]));
    }
  }
}

#define CROWD 11

// The first states fall at their own rates; the last ones follow the first, and nothing depends on them.
static crStatus computeCrowd(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  for (int i = 0; i < CROWD; ++i) {
    outRates[i] = i < 6 ? (i == 5 ? -60.0 : -1.0) * y[i] : 1e6 * y[0];
  }
  return cr_ok;
}

static void what_follows_does_not_count_for_the_largest_eigenvalue(void** state)
{
  (void)state;
  static const bool isFollower[CROWD] = { [6] = true, [7] = true, [8] = true, [9] = true, [10] = true };
  static const crStructure structure = { .isFollower = isFollower };
  double y0[CROWD], absTol[CROWD];
  for (int i = 0; i < CROWD; ++i) {
    y0[i] = absTol[i] = 1.0;
  }
  crProblem problem = { .n = CROWD, .computeRates = computeCrowd, .absTol = absTol, .structure = &structure };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, &problem, cr_stepRkc2, 1e9, 0.0, y0);
  run->memory.h = 0.5;
  assert_int_equal(crTestSteps_Step(run, 0.5), cr_ok);
  assert_true(run->memory.radius > 59.9 && run->memory.radius < 1.2 * 60.1);
  assert_int_equal(run->memory.stages, (int)ceil(sqrt(1.0 + 0.5 * run->memory.radius / 0.65)));
  crDestroyStepper(stepper);
  free(run);
}

static crStatus computeRamp(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  outRates[0] = 2.0 * t;
  outRates[1] = -40.0 * y[1];
  return cr_ok;
}

// A method of order 2 integrates what grows with time exactly, if its stages are at the times that they stand for.
static void stabilized_stages_are_at_their_times(void** state)
{
  (void)state;
  const double y0[STATES] = { 1.0, 1.0 }, absTol[STATES] = { 1.0, 1.0 };
  crProblem problem = { .n = STATES, .computeRates = computeRamp, .absTol = absTol };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, &problem, cr_stepRkc2, 1e9, 3.0, y0);
  run->memory.h = 0.5;
  assert_int_equal(crTestSteps_Step(run, 3.5), cr_ok);
  assert_true(run->memory.stages >= 5);
  assert_close(crTestSteps_Last(run)->y1[0], 1.0 + 3.5 * 3.5 - 3.0 * 3.0, 1e-12);
  crDestroyStepper(stepper);
  free(run);
}

// y' = -y^3, and what follows it: the integral of y^2.
static crStatus computeFading(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = -y[0] * y[0] * y[0];
  outRates[1] = y[0] * y[0];
  return cr_ok;
}

// What follows y' = -y^3 in a step of Radau's whose stages are exact.
static double followExactly(double h, double y0)
{
  double rates[3] = { 0.0, 0.0, 0.0 }, y[3], sum = 0.0;
  for (int i = 0; i < 200; ++i) {
    for (int s = 0; s < 3; ++s) {
      y[s] = y0 + h * (radau[s][0] * rates[0] + radau[s][1] * rates[1] + radau[s][2] * rates[2]);
    }
    for (int s = 0; s < 3; ++s) {
      rates[s] = -y[s] * y[s] * y[s];
    }
  }
  for (int s = 0; s < 3; ++s) {
    sum += h * radau[2][s] * y[s] * y[s];
  }
  return sum;
}

// Nothing corrects a follower: where Newton's last correction is more than a tenth of what is allowed for stages, it is
// summed over them once more.
static void what_follows_is_summed_over_the_stages_that_newton_has_left(void** state)
{
  (void)state;
  static const bool isFollower[STATES] = { false, true };
  static const crStructure structure = { .isFollower = isFollower };
  const double tol = 1e-5, absTol[STATES] = { tol, tol }, y0[STATES] = { 1.0, 0.0 };
  crProblem problem = { .n = STATES, .computeRates = computeFading, .absTol = absTol, .structure = &structure };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  double worst = 0.0;
  for (double h = 1e-3; h < 0.1; h *= 1.01) {
    crStartTestSteps(run, stepper, &problem, cr_stepRadau5, tol, 0.0, y0);
    run->memory.h = h;
    assert_int_equal(crTestSteps_Step(run, 1.0), cr_ok);
    double t = crTestSteps_Last(run)->t1, error = crTestSteps_Last(run)->y1[1] - followExactly(t, 1.0);
    double allowed = 0.1 * pow(tol, 2.0 / 3.0) * 2.0; // of stages, as in RADAU5, for y = 1
    worst = fmax(worst, fabs(error) / (2.0 * allowed * t));
  }
  assert_true(worst < 0.4);
  crDestroyStepper(stepper);
  free(run);
}

typedef struct Stiff {
  long calls;
} Stiff;

static crStatus computeStiff(void* context, double t, const double* y, double* outRates)
{
  Stiff* stiff = context;
  (void)t;
  ++stiff->calls;
  outRates[0] = -1e12 * y[0];
  outRates[1] = -y[1];
  return cr_ok;
}

// A step that is a million times too long for all the stages there are is made shorter tenfold at a time.
static void a_step_beyond_all_stages_is_shortened_soon(void** state)
{
  (void)state;
  const double y0[STATES] = { 1e-3, 1.0 }, absTol[STATES] = { 1.0, 1.0 };
  Stiff stiff = { 0 };
  crProblem problem = { .n = STATES, .computeRates = computeStiff, .absTol = absTol, .context = &stiff };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, &problem, cr_stepRkc2, 1e9, 0.0, y0);
  run->memory.h = 1.0;
  assert_int_equal(crTestSteps_Step(run, 1.0), cr_ok);
  assert_in_range(run->memory.stages, 900, 1000);
  assert_true(crTestSteps_Last(run)->t1 < 1e-6);
  assert_true(stiff.calls < run->memory.stages + 100);
  crDestroyStepper(stepper);
  free(run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_follows_is_summed_over_the_stages_that_newton_has_left),
    cmocka_unit_test(a_step_beyond_all_stages_is_shortened_soon),
    cmocka_unit_test(errors_of_the_explicit_methods_are_those_of_their_tableaus),
    cmocka_unit_test(a_step_of_radau_and_its_error_are_those_of_its_equations),
    cmocka_unit_test(the_polynomial_before_tells_the_stages_of_a_cubic),
    cmocka_unit_test(a_stabilized_step_is_its_polynomial_and_tells_its_error),
    cmocka_unit_test(what_follows_does_not_count_for_the_largest_eigenvalue),
    cmocka_unit_test(stabilized_stages_are_at_their_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
