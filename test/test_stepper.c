// Steps against closed forms, against CVODE, and against themselves: accuracy, spins, structure.
#include "solve/solver.h"
#include "support/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------------------------- accuracy

// Errors at the end of a period and inside the steps, and how many steps it took.
typedef struct Error {
  double end, inside, rates;
  double steps;
} Error;

static Error measureKepler(crStepKind kind, double relTol)
{
  double absTol[CR_MAX_TEST_STATES], truth[4], y[4], rates[4], trueRates[4];
  crProblem problem = { .n = 4, .computeRates = crComputeKepler, .absTol = crFillTolerance(absTol, relTol) };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, &problem, kind, relTol, 0.0, crKeplerStart);
  Error error = { 0 };
  const double tEnd = 6.0;
  do {
    assert_int_equal(crTestSteps_Step(run, tEnd), cr_ok);
    const crSegment* segment = crTestSteps_Last(run);
    for (int i = 1; i < 5; ++i) {
      double t = segment->t0 + 0.2 * i * (segment->t1 - segment->t0);
      crSolveKepler(t, truth);
      crSegment_Interpolate(segment, t, 0, 4, y);
      crSegment_InterpolateRates(segment, t, 0, 4, rates);
      crComputeKepler(NULL, t, truth, trueRates);
      error.inside = fmax(error.inside, crMaxDifference(y, truth, 4));
      error.rates = fmax(error.rates, crMaxDifference(rates, trueRates, 4));
    }
    ++error.steps;
  } while (crTestSteps_Last(run)->t1 < tEnd);
  crSolveKepler(tEnd, truth);
  error.end = crMaxDifference(crTestSteps_Last(run)->y1, truth, 4);
  crDestroyStepper(stepper);
  free(run);
  return error;
}

static double findOrder(double coarse, double fine, const Error* a, const Error* b)
{
  return log(coarse / fine) / log(b->steps / a->steps);
}

static void steps_are_of_order_5_and_their_polynomials_of_4_and_3(void** state)
{
  (void)state;
  const double polynomialOrder[] = { 3.8, 3.3 }, rateOrder[] = { 3.3, 2.6 };
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepRadau5; ++kind) {
    Error coarse = measureKepler(kind, 1e-6), fine = measureKepler(kind, 1e-10);
    assert_true(findOrder(coarse.end, fine.end, &coarse, &fine) > 4.5);
    assert_true(findOrder(coarse.inside, fine.inside, &coarse, &fine) > polynomialOrder[kind]);
    assert_true(findOrder(coarse.rates, fine.rates, &coarse, &fine) > rateOrder[kind]);
    assert_true(fine.end < 1e-6);
  }
}

// y' = l (y - cos t) - sin t: the stiffness must not be seen in steps or errors [ProtheroRobinson74].
static crStatus computeProtheroRobinson(void* context, double t, const double* y, double* outRates)
{
  outRates[0] = -*(const double*)context * (y[0] - cos(t)) - sin(t);
  return cr_ok;
}

static void stiffness_shows_neither_in_steps_nor_in_errors(void** state)
{
  (void)state;
  double absTol = 1e-8, y0 = 1.0, y = 0.0;
  for (int exponent = 0; exponent <= 12; exponent += 4) {
    double stiffness = pow(10.0, exponent);
    crProblem problem = { .n = 1, .computeRates = computeProtheroRobinson, .context = &stiffness, .absTol = &absTol };
    crStepCounts counts = crIntegrateTest(&problem, cr_stepRadau5, 1e-8, 10.0, &y0, &y);
    assert_close(y, cos(10.0), 2e-6);
    assert_in_range(counts.steps, 5, 120);
  }
}

static crStatus computeVanDerPol(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = y[1];
  outRates[1] = 1e6 * ((1.0 - y[0] * y[0]) * y[1] - y[0]);
  return cr_ok;
}

static crStatus computeRobertson(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  outRates[2] = 3e7 * y[1] * y[1];
  outRates[1] = -outRates[0] - outRates[2];
  return cr_ok;
}

static void van_der_pol_meets_the_published_solution(void** state)
{
  (void)state;
  const double truth[2] = { 1.706167732170483, -0.8928097010247975 }, start[2] = { 2.0, 0.0 };
  const int rateOf[2] = { 1, -1 };
  crStructure structure = { .rateOf = rateOf };
  double absTol[CR_MAX_TEST_STATES], y[2];
  for (int hasStructure = 0; hasStructure < 2; ++hasStructure) {
    crProblem problem = { .n = 2, .computeRates = computeVanDerPol, .absTol = crFillTolerance(absTol, 1e-10) };
    problem.structure = hasStructure ? &structure : NULL;
    crStepCounts counts = crIntegrateTest(&problem, cr_stepRadau5, 1e-8, 2.0, start, y);
    assert_true(crMaxDifference(y, truth, 2) < 2e-7);
    assert_in_range(counts.steps, 100, 1000);
  }
}

static void solveByCvode(const crProblem* problem, double tEnd, const double* y0, double relTol, double* outY)
{
  static int starts[CR_MAX_TEST_STATES + 1], rows[CR_MAX_TEST_STATES * CR_MAX_TEST_STATES];
  int n = problem->n;
  crProblem own = *problem; // which has to have a pattern
  crSparsity full = { n, starts, rows };
  for (int k = 0; k < n * n; ++k) {
    rows[k] = k % n;
    starts[k / n + 1] = n * (k / n + 1);
  }
  own.pattern = problem->pattern != NULL ? problem->pattern : &full;
  crSolver* solver = NULL;
  assert_int_equal(crCreateSolver(cr_solverCvodeBdf, &own, relTol, INFINITY, NULL, NULL, &solver), cr_ok);
  assert_int_equal(crSolver_Restart(solver, 0.0, y0, 0.0), cr_ok);
  while (crSolver_GetTime(solver) < tEnd) {
    assert_int_equal(crSolver_Step(solver, tEnd), cr_ok);
  }
  memcpy(outY, crSolver_GetState(solver), (size_t)problem->n * sizeof *outY);
  crDestroySolver(solver);
}

static void robertson_agrees_with_cvode(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverCvodeBdf);
  const double start[3] = { 1.0, 0.0, 0.0 };
  double absTol[CR_MAX_TEST_STATES], y[3], truth[3];
  crProblem problem = { .n = 3, .computeRates = computeRobertson, .absTol = crFillTolerance(absTol, 1e-15) };
  solveByCvode(&problem, 1e4, start, 1e-11, truth);
  crStepCounts counts = crIntegrateTest(&problem, cr_stepRadau5, 1e-8, 1e4, start, y);
  for (int i = 0; i < 3; ++i) {
    assert_close(y[i] / truth[i], 1.0, 1e-6);
  }
  assert_in_range(counts.steps, 10, 300);
}

// Heat in a rod of cells: y[i]' = N^2 (y[i - 1] - 2 y[i] + y[i + 1]), zero outside; eigenvalues from -10 to -4 N^2.
#define ROD_CELLS 100

static crStatus computeRod(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  for (int i = 0; i < ROD_CELLS; ++i) {
    double left = i > 0 ? y[i - 1] : 0.0, right = i + 1 < ROD_CELLS ? y[i + 1] : 0.0;
    outRates[i] = ROD_CELLS * ROD_CELLS * (left - 2.0 * y[i] + right);
  }
  return cr_ok;
}

static void stabilized_steps_damp_what_is_stiff_in_few_evaluations(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES], start[ROD_CELLS], y[ROD_CELLS], angle = acos(-1.0) / (ROD_CELLS + 1), tEnd = 0.1;
  crProblem problem = { .n = ROD_CELLS, .computeRates = computeRod, .absTol = crFillTolerance(absTol, 1e-7) };
  for (int i = 0; i < ROD_CELLS; ++i) { // the slowest mode and the fastest one
    start[i] = sin((i + 1) * angle) + 0.1 * sin((i + 1) * ROD_CELLS * angle);
  }
  double decay = exp(-ROD_CELLS * ROD_CELLS * 4.0 * sin(0.5 * angle) * sin(0.5 * angle) * tEnd);
  crStepCounts stabilized = crIntegrateTest(&problem, cr_stepRkc2, 1e-4, tEnd, start, y);
  for (int i = 0; i < ROD_CELLS; ++i) {
    assert_close(y[i], decay * sin((i + 1) * angle), 5e-4);
  }
  crStepCounts plain = crIntegrateTest(&problem, cr_stepDopri5, 1e-4, tEnd, start, y);
  assert_true(8 * stabilized.evaluations < plain.evaluations);
}

static void stabilized_steps_are_of_order_2(void** state)
{
  (void)state;
  Error coarse = measureKepler(cr_stepRkc2, 1e-5), fine = measureKepler(cr_stepRkc2, 1e-8);
  double order = findOrder(coarse.end, fine.end, &coarse, &fine);
  assert_true(order > 1.8 && order < 2.5);
  assert_true(findOrder(coarse.inside, fine.inside, &coarse, &fine) > 1.8);
}

// ----------------------------------------------------------------------------------------------- spins

// A quaternion and w that turns about z with the rate `nu`: w' = nu z x w.
static const double nu = 1.0;

static crStatus computePrecession(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  const double *q = y, *w = y + 4;
  outRates[0] = 0.5 * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]);
  outRates[1] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
  outRates[2] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
  outRates[3] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
  outRates[4] = -nu * w[1];
  outRates[5] = nu * w[0];
  outRates[6] = 0.0;
  return cr_ok;
}

static crQuat makeTurn(double x, double y, double z, double t)
{
  double speed = sqrt(x * x + y * y + z * z), half = 0.5 * speed * t, s = sin(half) / speed;
  return (crQuat){ cos(half), s * x, s * y, s * z };
}

// From the frame that turns along, in which w stays: q = turn(nu z t) turn((w0 - nu z) t), from the identity.
static void solvePrecession(const double* w0, double t, double* outQ)
{
  crQuat q = crMulQuat(makeTurn(0, 0, nu, t), makeTurn(w0[0], w0[1], w0[2] - nu, t));
  outQ[0] = q.w;
  outQ[1] = q.x;
  outQ[2] = q.y;
  outQ[3] = q.z;
}

static const crSpin spin = { 0, 4 };
static const crStructure spinStructure = { .spins = &spin, .spinCount = 1 };

// Largest error of the quaternion at the ends of steps of length h, and inside.
static double measureSpin(crStepKind kind, double relTol, const double* start, double h, double* outInside)
{
  double absTol[CR_MAX_TEST_STATES], truth[4], q[4], error = 0.0;
  crProblem problem = { .n = 7, .computeRates = computePrecession, .absTol = crFillTolerance(absTol, relTol) };
  problem.structure = &spinStructure;
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, &problem, kind, relTol, 0.0, start);
  *outInside = 0.0;
  for (int i = 1; i <= (int)(1.0 / h + 0.5); ++i) {
    run->memory.h = h;
    assert_int_equal(crTestSteps_Step(run, i * h), cr_ok);
    const crSegment* segment = crTestSteps_Last(run);
    assert_true(segment->t1 == i * h);
    solvePrecession(start + 4, segment->t1, truth);
    error = fmax(error, crMaxDifference(segment->y1, truth, 4));
    double t = segment->t0 + 0.4 * (segment->t1 - segment->t0);
    solvePrecession(start + 4, t, truth);
    crSegment_InterpolateSpin(segment, spin, t, q);
    *outInside = fmax(*outInside, crMaxDifference(q, truth, 4));
  }
  crDestroyStepper(stepper);
  free(run);
  return error;
}

static void spins_about_a_turning_axis_converge_with_order_4(void** state)
{
  (void)state;
  const double start[7] = { 1, 0, 0, 0, 3, 0, 1 };
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepRadau5; ++kind) {
    double coarseInside, fineInside;
    double coarse = measureSpin(kind, 1e-9, start, 0.05, &coarseInside),
           fine = measureSpin(kind, 1e-9, start, 0.025, &fineInside);
    assert_true(coarse / fine > 14.0 && fine < 1e-7);
    assert_true(coarseInside / fineInside > 12.0);
  }
}

static void fast_spins_are_cut_into_pieces(void** state)
{
  (void)state;
  const double start[7] = { 1, 0, 0, 0, 50, 0, 20 }; // 5 rad in a step, its axis turning by 0.1 rad
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepRadau5; ++kind) {
    double inside;
    assert_true(measureSpin(kind, 1e-7, start, 0.1, &inside) < 3e-6);
    assert_true(inside < 3e-6);
  }
}

static crStatus computeSpinUp(void* context, double t, const double* y, double* outRates)
{
  computePrecession(context, t, y, outRates);
  outRates[4] = outRates[5] = 0.0;
  outRates[6] = 2.0 * t;
  return cr_ok;
}

static void spins_about_a_fixed_axis_are_exact(void** state)
{
  (void)state;
  const double start[7] = { 1, 0, 0, 0, 0, 0, 10 };
  double absTol[CR_MAX_TEST_STATES], y[7], tEnd = 2.0, half = 0.5 * (10.0 * tEnd + tEnd * tEnd * tEnd / 3.0);
  crProblem problem = { .n = 7, .computeRates = computeSpinUp, .absTol = crFillTolerance(absTol, 1e-6) };
  problem.structure = &spinStructure;
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepRadau5; ++kind) {
    crIntegrateTest(&problem, kind, 1e-6, tEnd, start, y);
    assert_close(y[0], cos(half), 1e-12);
    assert_close(y[3], sin(half), 1e-12);
  }
}

// ------------------------------------------------------------------------------------------- structure

static void structure_leaves_the_solution_as_it_is(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverCvodeBdf);
  double absTol[CR_MAX_TEST_STATES], plain[cr_testBallCount], structured[cr_testBallCount];
  crProblem problem = { .n = cr_testBallCount,
                        .computeRates = crComputeTestBall,
                        .absTol = crFillTolerance(absTol, 1e-10) };
  crStepCounts plainCounts = crIntegrateTest(&problem, cr_stepRadau5, 1e-8, 1.0, crTestBallStart, plain);
  problem.structure = &crTestBallStructure;
  crStepCounts counts = crIntegrateTest(&problem, cr_stepRadau5, 1e-8, 1.0, crTestBallStart, structured);
  assert_true(crMaxDifference(plain, structured, cr_testBallCount) < 2e-6);
  assert_true(counts.steps < plainCounts.steps); // which have the quaternion in their norm
  double truth[cr_testBallCount];
  problem.structure = NULL;
  solveByCvode(&problem, 1.0, crTestBallStart, 1e-10, truth);
  assert_true(crMaxDifference(structured, truth, cr_testBallCount) < 2e-6);
}

static void followers_are_as_accurate_as_the_rest_in_both_methods(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES], y[cr_testBallCount], mass = 0.17, radius = 0.0286;
  crProblem problem = { .n = cr_testBallCount,
                        .computeRates = crComputeTestBall,
                        .absTol = crFillTolerance(absTol, 1e-10) };
  problem.structure = &crTestBallStructure;
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepRadau5; ++kind) {
    crIntegrateTest(&problem, kind, 1e-8, 0.1, crTestBallStart, y);
    // what friction took is what is missing, but for rolling resistance, 1e-4 of the weight per radian
    double inertia = 0.4 * mass * radius * radius, w1 = sqrt(y[8] * y[8] + y[9] * y[9] + y[10] * y[10]);
    double before = 0.5 * mass * 1.0 + 0.5 * inertia * 404.0;
    double after = 0.5 * mass * y[cr_testBallVx] * y[cr_testBallVx] + 0.5 * inertia * w1 * w1;
    double rolled = 1e-4 * mass * 9.81 * 0.1 * 0.5 * (sqrt(404.0) + w1);
    assert_close(before - after, y[cr_testBallLost] + rolled, 0.05 * rolled + 1e-6);
  }
}

// Copies of one system side by side have its norm, so they take its steps.
typedef struct Copies {
  int n, count;
  crStatus (*computeRates)(void* context, double t, const double* y, double* outRates);
} Copies;

static crStatus computeCopies(void* context, double t, const double* y, double* outRates)
{
  const Copies* copies = context;
  for (int i = 0; i < copies->count; ++i) {
    copies->computeRates(NULL, t, y + (size_t)i * (size_t)copies->n, outRates + (size_t)i * (size_t)copies->n);
  }
  return cr_ok;
}

static void sparse_algebra_gives_the_same_as_dense(void** state)
{
  (void)state;
  enum { count = 10, n = 12 * count };
  static int starts[n + 1], rows[n * 12], rateOf[n];
  static bool isFollower[n];
  crSpin spins[count];
  double absTol[CR_MAX_TEST_STATES], y0[n], many[n], one[12];
  for (int i = 0; i < n; ++i) {
    int block = i / 12;
    for (int k = 0; k < 12; ++k) {
      rows[12 * i + k] = 12 * block + k;
    }
    starts[i + 1] = 12 * (i + 1);
    int rate = crTestBallStructure.rateOf[i % 12];
    rateOf[i] = rate < 0 ? -1 : 12 * block + rate;
    isFollower[i] = crTestBallStructure.isFollower[i % 12];
    y0[i] = crTestBallStart[i % 12];
    spins[block] = (crSpin){ 12 * block + cr_testBallQ, 12 * block + cr_testBallW };
  }
  crSparsity pattern = { n, starts, rows };
  crStructure structure = { .rateOf = rateOf, .isFollower = isFollower, .spins = spins, .spinCount = count };
  Copies copies = { 12, count, crComputeTestBall };
  crProblem problem = { .n = n, .context = &copies, .computeRates = computeCopies, .pattern = &pattern };
  problem.absTol = crFillTolerance(absTol, 1e-10);
  problem.structure = &structure;
  crStepCounts manyCounts = crIntegrateTest(&problem, cr_stepRadau5, 1e-8, 2e-3, y0, many);
  crProblem single = {
    .n = 12, .computeRates = crComputeTestBall, .absTol = absTol, .structure = &crTestBallStructure
  };
  crStepCounts oneCounts = crIntegrateTest(&single, cr_stepRadau5, 1e-8, 2e-3, crTestBallStart, one);
  assert_int_equal(manyCounts.steps, oneCounts.steps);
  for (int i = 0; i < count; ++i) {
    assert_true(crMaxDifference(many + 12 * (size_t)i, one, 12) < 1e-11);
  }
}

// A chain of masses, springs and dampers: x and v of each, 2 count states.
static crStatus computeChain(void* context, double t, const double* y, double* outRates)
{
  int count = *(const int*)context;
  const double *x = y, *v = y + count;
  for (int i = 0; i < count; ++i) {
    double left = i > 0 ? x[i - 1] : sin(t), right = i + 1 < count ? x[i + 1] : 0.0;
    double leftV = i > 0 ? v[i - 1] : cos(t), rightV = i + 1 < count ? v[i + 1] : 0.0;
    outRates[i] = v[i];
    outRates[count + i] = 1e6 * (left - 2.0 * x[i] + right) + 1e3 * (leftV - 2.0 * v[i] + rightV);
  }
  return cr_ok;
}

static crStatus computeChainJacobian(void* context, double t, const double* y, double* outValues)
{
  (void)t;
  (void)y;
  int count = *(const int*)context, k = 0;
  for (int j = 0; j < count; ++j) { // columns of x
    for (int i = j - 1; i <= j + 1; ++i) {
      if (i >= 0 && i < count) {
        outValues[k++] = i == j ? -2e6 : 1e6;
      }
    }
  }
  for (int j = 0; j < count; ++j) { // columns of v
    outValues[k++] = 1.0;
    for (int i = j - 1; i <= j + 1; ++i) {
      if (i >= 0 && i < count) {
        outValues[k++] = i == j ? -2e3 : 1e3;
      }
    }
  }
  return cr_ok;
}

static int makeChainPattern(int count, int* starts, int* rows)
{
  int k = 0;
  for (int j = 0; j < 2 * count; ++j) {
    starts[j] = k;
    if (j >= count) {
      rows[k++] = j - count;
    }
    for (int i = j % count - 1; i <= j % count + 1; ++i) {
      if (i >= 0 && i < count) {
        rows[k++] = count + i;
      }
    }
  }
  starts[2 * (size_t)count] = k;
  return k;
}

static void a_stiff_chain_agrees_with_cvode_with_and_without_jacobian(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverCvodeBdf);
  int count = 50, starts[101], rows[400], rateOf[100];
  makeChainPattern(count, starts, rows);
  for (int i = 0; i < 100; ++i) {
    rateOf[i] = i < count ? count + i : -1;
  }
  crSparsity pattern = { 100, starts, rows };
  crStructure structure = { .rateOf = rateOf };
  double absTol[CR_MAX_TEST_STATES], y0[100] = { 0.0 }, truth[100], y[100];
  crProblem problem = { .n = 100, .context = &count, .computeRates = computeChain, .pattern = &pattern };
  problem.absTol = crFillTolerance(absTol, 1e-9);
  solveByCvode(&problem, 0.5, y0, 1e-9, truth);
  for (int variant = 0; variant < 4; ++variant) {
    problem.computeJacobian = variant & 1 ? computeChainJacobian : NULL;
    problem.structure = variant & 2 ? &structure : NULL;
    crIntegrateTest(&problem, cr_stepRadau5, 1e-7, 0.5, y0, y);
    assert_true(crMaxDifference(y, truth, 50) < 1e-5);
  }
}

static void a_system_that_is_alone_keeps_jacobian_and_factors(void** state)
{
  (void)state;
  const int rateOf[4] = { 2, 3, -1, -1 };
  crStructure structure = { .rateOf = rateOf };
  double absTol[CR_MAX_TEST_STATES], truth[4];
  crProblem problem = { .n = 4, .computeRates = crComputeKepler, .absTol = crFillTolerance(absTol, 1e-10) };
  problem.structure = &structure;
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, &problem, cr_stepRadau5, 1e-10, 0.0, crKeplerStart);
  run->memory.isAlone = true;
  crTestSteps_RunTo(run, 6.0);
  crStepCounts counts = crStepper_GetCounts(stepper);
  assert_true(counts.jacobians < counts.steps / 2 && counts.factorizations < counts.steps);
  crSolveKepler(6.0, truth);
  assert_true(crMaxDifference(crTestSteps_Last(run)->y1, truth, 4) < 1e-6);
  run->memory.isChanged = true;
  assert_int_equal(crTestSteps_Step(run, 10.0), cr_ok);
  assert_int_equal(crStepper_GetCounts(stepper).jacobians, counts.jacobians + 1);
  assert_false(run->memory.isChanged);
  crDestroyStepper(stepper);
  free(run);
}

// --------------------------------------------------------------------------------------------- repetition

static void steps_do_not_depend_on_what_the_stepper_did_before(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES];
  int count = 50, starts[101], rows[400];
  makeChainPattern(count, starts, rows);
  crSparsity pattern = { 100, starts, rows };
  double chainStart[100] = { 0.0 };
  crFillTolerance(absTol, 1e-8);
  crProblem ball = {
    .n = cr_testBallCount, .computeRates = crComputeTestBall, .absTol = absTol, .structure = &crTestBallStructure
  };
  crProblem kepler = { .n = 4, .computeRates = crComputeKepler, .absTol = absTol };
  crProblem chain = { .n = 100, .context = &count, .computeRates = computeChain, .pattern = &pattern };
  chain.absTol = absTol;
  crTestSteps *alone = malloc(sizeof *alone), *mixed = malloc(sizeof *mixed);
  crTestSteps* others[2] = { malloc(sizeof(crTestSteps)), malloc(sizeof(crTestSteps)) };
  crStepper *own = crMakeTestStepper(), *shared = crMakeTestStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepRadau5; ++kind) {
    const crProblem* problems[] = { &ball, &chain };
    const double* y0[] = { crTestBallStart, chainStart };
    for (int p = 0; p < 2; ++p) {
      crStartTestSteps(alone, own, problems[p], kind, 1e-8, 0.0, y0[p]);
      crStartTestSteps(mixed, shared, problems[p], kind, 1e-8, 0.0, y0[p]);
      crStartTestSteps(others[0], shared, &kepler, kind, 1e-6, 0.0, crKeplerStart);
      crStartTestSteps(others[1], shared, problems[1 - p], 1 - kind, 1e-7, 0.0, y0[1 - p]);
      for (int i = 0; i < 12; ++i) {
        assert_int_equal(crTestSteps_Step(alone, 1.0), cr_ok);
        assert_int_equal(crTestSteps_Step(others[i % 2], 1e3), cr_ok);
        assert_int_equal(crTestSteps_Step(mixed, 1.0), cr_ok);
        assert_true(crTestSteps_Last(alone)->t1 == crTestSteps_Last(mixed)->t1);
        size_t size = crSegment_CountDoubles(problems[p]->n) * sizeof(double);
        assert_memory_equal(crTestSteps_Last(alone)->y0, crTestSteps_Last(mixed)->y0, size);
        assert_memory_equal(&alone->memory, &mixed->memory, sizeof alone->memory);
      }
    }
  }
  crDestroyStepper(own);
  crDestroyStepper(shared);
  free(alone);
  free(mixed);
  free(others[0]);
  free(others[1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_are_of_order_5_and_their_polynomials_of_4_and_3),
    cmocka_unit_test(stiffness_shows_neither_in_steps_nor_in_errors),
    cmocka_unit_test(van_der_pol_meets_the_published_solution),
    cmocka_unit_test(robertson_agrees_with_cvode),
    cmocka_unit_test(stabilized_steps_damp_what_is_stiff_in_few_evaluations),
    cmocka_unit_test(stabilized_steps_are_of_order_2),
    cmocka_unit_test(spins_about_a_turning_axis_converge_with_order_4),
    cmocka_unit_test(fast_spins_are_cut_into_pieces),
    cmocka_unit_test(spins_about_a_fixed_axis_are_exact),
    cmocka_unit_test(structure_leaves_the_solution_as_it_is),
    cmocka_unit_test(followers_are_as_accurate_as_the_rest_in_both_methods),
    cmocka_unit_test(sparse_algebra_gives_the_same_as_dense),
    cmocka_unit_test(a_stiff_chain_agrees_with_cvode_with_and_without_jacobian),
    cmocka_unit_test(a_system_that_is_alone_keeps_jacobian_and_factors),
    cmocka_unit_test(steps_do_not_depend_on_what_the_stepper_did_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
