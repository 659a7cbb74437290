// Steppers against closed forms, against CVODE, and against themselves.
#include "solve/solver.h"
#include "solve/stepper.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STATES 128

// ---------------------------------------------------------------------------------------------- driver

// An integration: two segments that take turns.
typedef struct Run {
  crStepper* stepper;
  const crProblem* problem;
  double relTol;
  crStepMemory memory;
  crSegment segments[2];
  double numbers[2][8 * MAX_STATES];
  int now; // the segment that the next step goes into
  bool hasBefore;
} Run;

static void startRun(Run* run, crStepper* stepper, const crProblem* problem, crStepKind kind, double relTol, double t0,
                     const double* y0)
{
  memset(run, 0, sizeof *run);
  assert_true(problem->n <= MAX_STATES);
  run->stepper = stepper;
  run->problem = problem;
  run->relTol = relTol;
  run->memory = crStartMemory(kind, 0.0);
  for (int i = 0; i < 2; ++i) {
    crSegment_Place(&run->segments[i], problem->n, run->numbers[i]);
  }
  crSegment* first = &run->segments[0];
  first->t0 = t0;
  memcpy(first->y0, y0, (size_t)problem->n * sizeof *y0);
  assert_int_equal(problem->computeRates(problem->context, t0, y0, first->f0), cr_ok);
}

static crSegment* lastSegment(Run* run)
{
  return &run->segments[1 - run->now];
}

static crStatus step(Run* run, double tMax)
{
  crSegment *segment = &run->segments[run->now], *other = lastSegment(run);
  if (run->hasBefore) {
    size_t size = (size_t)run->problem->n * sizeof(double);
    segment->t0 = other->t1;
    memcpy(segment->y0, other->y1, size);
    memcpy(segment->f0, other->f1, size);
  }
  crStatus status = crStepper_Step(run->stepper, run->problem, run->relTol, tMax, run->hasBefore ? other : NULL,
                                   &run->memory, segment);
  if (status == cr_ok) {
    run->now = 1 - run->now;
    run->hasBefore = true;
  }
  return status;
}

static void runTo(Run* run, double tEnd)
{
  do {
    assert_int_equal(step(run, tEnd), cr_ok);
  } while (lastSegment(run)->t1 < tEnd);
}

static crStepper* makeStepper(void)
{
  crStepper* stepper = NULL;
  assert_int_equal(crCreateStepper(NULL, &stepper), cr_ok);
  return stepper;
}

// Integrates from 0 to tEnd; returns the counts.
static crStepCounts integrate(const crProblem* problem, crStepKind kind, double relTol, double tEnd, const double* y0,
                              double* outY)
{
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  startRun(run, stepper, problem, kind, relTol, 0.0, y0);
  runTo(run, tEnd);
  memcpy(outY, lastSegment(run)->y1, (size_t)problem->n * sizeof *outY);
  crStepCounts counts = crStepper_GetCounts(stepper);
  crDestroyStepper(stepper);
  free(run);
  return counts;
}

static double maxDifference(const double* a, const double* b, int n)
{
  double largest = 0.0;
  for (int i = 0; i < n; ++i) {
    largest = fmax(largest, fabs(a[i] - b[i]));
  }
  return largest;
}

static const double* fillTolerance(double* absTol, double value)
{
  for (int i = 0; i < MAX_STATES; ++i) {
    absTol[i] = value;
  }
  return absTol;
}

// Of the methods that stand for themselves: dopri5, radau5, dop853.
static int nextKind(int kind)
{
  return kind == cr_stepRadau5 ? (int)cr_stepDop853 : kind + 1;
}

// -------------------------------------------------------------------------------------------- problems

// Kepler's ellipse of excentricity 0.5: x, y, x', y'; period 2 pi.
static crStatus computeKepler(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  double square = y[0] * y[0] + y[1] * y[1], pull = 1.0 / (square * sqrt(square));
  outRates[0] = y[2];
  outRates[1] = y[3];
  outRates[2] = -pull * y[0];
  outRates[3] = -pull * y[1];
  return cr_ok;
}

static const double keplerStart[4] = { 0.5, 0.0, 0.0, 1.7320508075688772 };

// By Kepler's equation.
static void solveKepler(double t, double* outY)
{
  double e = 0.5, anomaly = t;
  for (int i = 0; i < 50; ++i) {
    anomaly -= (anomaly - e * sin(anomaly) - t) / (1.0 - e * cos(anomaly));
  }
  double root = sqrt(1.0 - e * e), rate = 1.0 / (1.0 - e * cos(anomaly));
  outY[0] = cos(anomaly) - e;
  outY[1] = root * sin(anomaly);
  outY[2] = -rate * sin(anomaly);
  outY[3] = rate * root * cos(anomaly);
}

// A steel ball on a table: z, x, quaternion, z', x', w, and the energy lost. 12 states.
enum { ballZ, ballX, ballQ, ballVz = 6, ballVx, ballW, ballLost = 11, ballCount };
static const int ballRateOf[ballCount] = { ballVz, ballVx, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
static const bool ballFollower[ballCount] = { [ballLost] = true };
static const crSpin ballSpin = { ballQ, ballW };
static const crStructure ballStructure = { ballRateOf, ballFollower, &ballSpin, 1, NULL };

static double regularize(double v)
{
  double least = 0.01;
  return v >= least ? v : v * v / least * (1.0 - v / (3.0 * least)) + least / 3.0;
}

static crStatus computeBall(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  const double radius = 0.0286, mass = 0.17, inertia = 0.4 * mass * radius * radius, friction = 0.2;
  double depth = radius - y[ballZ], force = 0.0;
  const double *w = y + ballW, *q = y + ballQ;
  if (depth > 0.0) {
    force = fmax(0.0, 1e9 * depth * sqrt(depth) * (1.0 - 10.0 * y[ballVz]));
  }
  double slip = y[ballVx] - radius * w[1], pull = -friction * force * slip / regularize(fabs(slip));
  double brake = 1e-4 * force / regularize(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
  outRates[ballZ] = y[ballVz];
  outRates[ballX] = y[ballVx];
  outRates[ballQ] = 0.5 * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]);
  outRates[ballQ + 1] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
  outRates[ballQ + 2] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
  outRates[ballQ + 3] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
  outRates[ballVz] = force / mass - 9.81;
  outRates[ballVx] = pull / mass;
  outRates[ballW] = -brake * w[0] / inertia;
  outRates[ballW + 1] = (-radius * pull - brake * w[1]) / inertia;
  outRates[ballW + 2] = -brake * w[2] / inertia;
  outRates[ballLost] = -pull * slip;
  return cr_ok;
}

static const double ballStart[ballCount] = { 0.0286 - 1.4e-6, 0, 1, 0, 0, 0, 0, 1.0, 2, 0, 20, 0 };

// --------------------------------------------------------------------------------------------- accuracy

// Errors at the end of a period and inside the steps, and how many steps it took.
typedef struct Error {
  double end, inside, rates;
  double steps;
} Error;

static Error measureKepler(crStepKind kind, double relTol)
{
  double absTol[MAX_STATES], truth[4], y[4], rates[4], trueRates[4];
  crProblem problem = { .n = 4, .computeRates = computeKepler, .absTol = fillTolerance(absTol, relTol) };
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  startRun(run, stepper, &problem, kind, relTol, 0.0, keplerStart);
  Error error = { 0 };
  const double tEnd = 6.0;
  do {
    assert_int_equal(step(run, tEnd), cr_ok);
    const crSegment* segment = lastSegment(run);
    for (int i = 1; i < 5; ++i) {
      double t = segment->t0 + 0.2 * i * (segment->t1 - segment->t0);
      solveKepler(t, truth);
      crSegment_Interpolate(segment, t, 0, 4, y);
      crSegment_InterpolateRates(segment, t, 0, 4, rates);
      computeKepler(NULL, t, truth, trueRates);
      error.inside = fmax(error.inside, maxDifference(y, truth, 4));
      error.rates = fmax(error.rates, maxDifference(rates, trueRates, 4));
    }
    ++error.steps;
  } while (lastSegment(run)->t1 < tEnd);
  solveKepler(tEnd, truth);
  error.end = maxDifference(lastSegment(run)->y1, truth, 4);
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
    crStepCounts counts = integrate(&problem, cr_stepRadau5, 1e-8, 10.0, &y0, &y);
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
  double absTol[MAX_STATES], y[2];
  for (int hasStructure = 0; hasStructure < 2; ++hasStructure) {
    crProblem problem = { .n = 2, .computeRates = computeVanDerPol, .absTol = fillTolerance(absTol, 1e-10) };
    problem.structure = hasStructure ? &structure : NULL;
    crStepCounts counts = integrate(&problem, cr_stepRadau5, 1e-8, 2.0, start, y);
    assert_true(maxDifference(y, truth, 2) < 2e-7);
    assert_in_range(counts.steps, 100, 1000);
  }
}

static void solveByCvode(const crProblem* problem, double tEnd, const double* y0, double relTol, double* outY)
{
  static int starts[MAX_STATES + 1], rows[MAX_STATES * MAX_STATES];
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
  double absTol[MAX_STATES], y[3], truth[3];
  crProblem problem = { .n = 3, .computeRates = computeRobertson, .absTol = fillTolerance(absTol, 1e-15) };
  solveByCvode(&problem, 1e4, start, 1e-11, truth);
  crStepCounts counts = integrate(&problem, cr_stepRadau5, 1e-8, 1e4, start, y);
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
  double absTol[MAX_STATES], start[ROD_CELLS], y[ROD_CELLS], angle = acos(-1.0) / (ROD_CELLS + 1), tEnd = 0.1;
  crProblem problem = { .n = ROD_CELLS, .computeRates = computeRod, .absTol = fillTolerance(absTol, 1e-7) };
  for (int i = 0; i < ROD_CELLS; ++i) { // the slowest mode and the fastest one
    start[i] = sin((i + 1) * angle) + 0.1 * sin((i + 1) * ROD_CELLS * angle);
  }
  double decay = exp(-ROD_CELLS * ROD_CELLS * 4.0 * sin(0.5 * angle) * sin(0.5 * angle) * tEnd);
  crStepCounts stabilized = integrate(&problem, cr_stepRkc2, 1e-4, tEnd, start, y);
  for (int i = 0; i < ROD_CELLS; ++i) {
    assert_close(y[i], decay * sin((i + 1) * angle), 5e-4);
  }
  crStepCounts plain = integrate(&problem, cr_stepDopri5, 1e-4, tEnd, start, y);
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
  double absTol[MAX_STATES], truth[4], q[4], error = 0.0;
  crProblem problem = { .n = 7, .computeRates = computePrecession, .absTol = fillTolerance(absTol, relTol) };
  problem.structure = &spinStructure;
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  startRun(run, stepper, &problem, kind, relTol, 0.0, start);
  *outInside = 0.0;
  for (int i = 1; i <= (int)(1.0 / h + 0.5); ++i) {
    run->memory.h = h;
    assert_int_equal(step(run, i * h), cr_ok);
    const crSegment* segment = lastSegment(run);
    assert_true(segment->t1 == i * h);
    solvePrecession(start + 4, segment->t1, truth);
    error = fmax(error, maxDifference(segment->y1, truth, 4));
    double t = segment->t0 + 0.4 * (segment->t1 - segment->t0);
    solvePrecession(start + 4, t, truth);
    crSegment_InterpolateSpin(segment, spin, t, q);
    *outInside = fmax(*outInside, maxDifference(q, truth, 4));
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
  double absTol[MAX_STATES], y[7], tEnd = 2.0, half = 0.5 * (10.0 * tEnd + tEnd * tEnd * tEnd / 3.0);
  crProblem problem = { .n = 7, .computeRates = computeSpinUp, .absTol = fillTolerance(absTol, 1e-6) };
  problem.structure = &spinStructure;
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepRadau5; ++kind) {
    integrate(&problem, kind, 1e-6, tEnd, start, y);
    assert_close(y[0], cos(half), 1e-12);
    assert_close(y[3], sin(half), 1e-12);
  }
}

// ------------------------------------------------------------------------------------------- structure

static void structure_leaves_the_solution_as_it_is(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverCvodeBdf);
  double absTol[MAX_STATES], plain[ballCount], structured[ballCount];
  crProblem problem = { .n = ballCount, .computeRates = computeBall, .absTol = fillTolerance(absTol, 1e-10) };
  crStepCounts plainCounts = integrate(&problem, cr_stepRadau5, 1e-8, 1.0, ballStart, plain);
  problem.structure = &ballStructure;
  crStepCounts counts = integrate(&problem, cr_stepRadau5, 1e-8, 1.0, ballStart, structured);
  assert_true(maxDifference(plain, structured, ballCount) < 2e-6);
  assert_true(counts.steps < plainCounts.steps); // which have the quaternion in their norm
  double truth[ballCount];
  problem.structure = NULL;
  solveByCvode(&problem, 1.0, ballStart, 1e-10, truth);
  assert_true(maxDifference(structured, truth, ballCount) < 2e-6);
}

static void followers_are_as_accurate_as_the_rest_in_both_methods(void** state)
{
  (void)state;
  double absTol[MAX_STATES], y[ballCount], mass = 0.17, radius = 0.0286;
  crProblem problem = { .n = ballCount, .computeRates = computeBall, .absTol = fillTolerance(absTol, 1e-10) };
  problem.structure = &ballStructure;
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepRadau5; ++kind) {
    integrate(&problem, kind, 1e-8, 0.1, ballStart, y);
    // what friction took is what is missing, but for rolling resistance, 1e-4 of the weight per radian
    double inertia = 0.4 * mass * radius * radius, w1 = sqrt(y[8] * y[8] + y[9] * y[9] + y[10] * y[10]);
    double before = 0.5 * mass * 1.0 + 0.5 * inertia * 404.0;
    double after = 0.5 * mass * y[ballVx] * y[ballVx] + 0.5 * inertia * w1 * w1;
    double rolled = 1e-4 * mass * 9.81 * 0.1 * 0.5 * (sqrt(404.0) + w1);
    assert_close(before - after, y[ballLost] + rolled, 0.05 * rolled + 1e-6);
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
  double absTol[MAX_STATES], y0[n], many[n], one[12];
  for (int i = 0; i < n; ++i) {
    int block = i / 12;
    for (int k = 0; k < 12; ++k) {
      rows[12 * i + k] = 12 * block + k;
    }
    starts[i + 1] = 12 * (i + 1);
    rateOf[i] = ballRateOf[i % 12] < 0 ? -1 : 12 * block + ballRateOf[i % 12];
    isFollower[i] = ballFollower[i % 12];
    y0[i] = ballStart[i % 12];
    spins[block] = (crSpin){ 12 * block + ballQ, 12 * block + ballW };
  }
  crSparsity pattern = { n, starts, rows };
  crStructure structure = { rateOf, isFollower, spins, count, NULL };
  Copies copies = { 12, count, computeBall };
  crProblem problem = { .n = n, .context = &copies, .computeRates = computeCopies, .pattern = &pattern };
  problem.absTol = fillTolerance(absTol, 1e-10);
  problem.structure = &structure;
  crStepCounts manyCounts = integrate(&problem, cr_stepRadau5, 1e-8, 2e-3, y0, many);
  crProblem single = { .n = 12, .computeRates = computeBall, .absTol = absTol, .structure = &ballStructure };
  crStepCounts oneCounts = integrate(&single, cr_stepRadau5, 1e-8, 2e-3, ballStart, one);
  assert_int_equal(manyCounts.steps, oneCounts.steps);
  for (int i = 0; i < count; ++i) {
    assert_true(maxDifference(many + 12 * (size_t)i, one, 12) < 1e-11);
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
  double absTol[MAX_STATES], y0[100] = { 0.0 }, truth[100], y[100];
  crProblem problem = { .n = 100, .context = &count, .computeRates = computeChain, .pattern = &pattern };
  problem.absTol = fillTolerance(absTol, 1e-9);
  solveByCvode(&problem, 0.5, y0, 1e-9, truth);
  for (int variant = 0; variant < 4; ++variant) {
    problem.computeJacobian = variant & 1 ? computeChainJacobian : NULL;
    problem.structure = variant & 2 ? &structure : NULL;
    integrate(&problem, cr_stepRadau5, 1e-7, 0.5, y0, y);
    assert_true(maxDifference(y, truth, 50) < 1e-5);
  }
}

static void a_system_that_is_alone_keeps_jacobian_and_factors(void** state)
{
  (void)state;
  const int rateOf[4] = { 2, 3, -1, -1 };
  crStructure structure = { .rateOf = rateOf };
  double absTol[MAX_STATES], truth[4];
  crProblem problem = { .n = 4, .computeRates = computeKepler, .absTol = fillTolerance(absTol, 1e-10) };
  problem.structure = &structure;
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  startRun(run, stepper, &problem, cr_stepRadau5, 1e-10, 0.0, keplerStart);
  run->memory.isAlone = true;
  runTo(run, 6.0);
  crStepCounts counts = crStepper_GetCounts(stepper);
  assert_true(counts.jacobians < counts.steps / 2 && counts.factorizations < counts.steps);
  solveKepler(6.0, truth);
  assert_true(maxDifference(lastSegment(run)->y1, truth, 4) < 1e-6);
  run->memory.isChanged = true;
  assert_int_equal(step(run, 10.0), cr_ok);
  assert_int_equal(crStepper_GetCounts(stepper).jacobians, counts.jacobians + 1);
  assert_false(run->memory.isChanged);
  crDestroyStepper(stepper);
  free(run);
}

// ------------------------------------------------------------------------------------------------ redo

static void a_redone_step_is_that_step_to_another_time(void** state)
{
  (void)state;
  double absTol[MAX_STATES], truth[4], y[4], rates[4];
  crProblem problem = { .n = 4, .computeRates = computeKepler, .absTol = fillTolerance(absTol, 1e-10) };
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = nextKind(kind)) {
    startRun(run, stepper, &problem, kind, 1e-10, 0.0, keplerStart);
    runTo(run, 1.0);
    for (int i = 0; i < 5; ++i) {
      assert_int_equal(step(run, 10.0), cr_ok);
    }
    crSegment* segment = lastSegment(run);
    double wholeEnd = segment->t1, t = segment->t0 + 0.37 * (segment->t1 - segment->t0);
    memcpy(y, segment->y1, sizeof y);
    crStepMemory before = run->memory;
    assert_int_equal(crStepper_Redo(stepper, &problem, 1e-10, wholeEnd, &run->memory, segment), cr_ok);
    assert_memory_equal(y, segment->y1, sizeof y);
    assert_int_equal(crStepper_Redo(stepper, &problem, 1e-10, t, &run->memory, segment), cr_ok);
    assert_memory_equal(&before, &run->memory, sizeof before);
    assert_true(segment->t1 == t && segment->isDense);
    solveKepler(t, truth);
    assert_true(maxDifference(segment->y1, truth, 4) < 2e-7);
    computeKepler(NULL, t, segment->y1, rates);
    assert_memory_equal(rates, segment->f1, sizeof rates);
    solveKepler(0.5 * (segment->t0 + t), truth);
    crSegment_Interpolate(segment, 0.5 * (segment->t0 + t), 0, 4, y);
    assert_true(maxDifference(y, truth, 4) < 2e-6);
    double later = wholeEnd + 0.5 * (wholeEnd - segment->t0); // and beyond its end
    assert_int_equal(crStepper_Redo(stepper, &problem, 1e-10, later, &run->memory, segment), cr_ok);
    solveKepler(later, truth);
    assert_true(segment->t1 == later && maxDifference(segment->y1, truth, 4) < 2e-7);
  }
  crDestroyStepper(stepper);
  free(run);
}

// With a tolerance that the step was not made for, the part of it takes several steps.
static void a_redone_step_may_take_several(void** state)
{
  (void)state;
  double absTol[MAX_STATES], truth[4], y[4];
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = nextKind(kind)) {
    crProblem problem = { .n = 4, .computeRates = computeKepler, .absTol = fillTolerance(absTol, 1e-3) };
    startRun(run, stepper, &problem, kind, 1e-3, 0.0, keplerStart);
    assert_int_equal(step(run, 0.6), cr_ok);
    crSegment* segment = lastSegment(run);
    double t = 0.9 * segment->t1;
    fillTolerance(absTol, 1e-10);
    assert_int_equal(crStepper_Redo(stepper, &problem, 1e-10, t, &run->memory, segment), cr_ok);
    assert_true(segment->t1 == t && !segment->isDense);
    solveKepler(t, truth);
    assert_true(maxDifference(segment->y1, truth, 4) < 1e-8);
    solveKepler(0.5 * t, truth);
    crSegment_Interpolate(segment, 0.5 * t, 0, 4, y);
    assert_true(maxDifference(y, truth, 4) < 2e-2 * segment->t1);
    crSegment_Interpolate(segment, 0.0, 0, 4, y);
    assert_memory_equal(y, keplerStart, sizeof y);
  }
  crDestroyStepper(stepper);
  free(run);
}

// What is summed up over stages: the rates themselves, whose integral is the change of the state.
typedef struct Sum {
  double now[4], start[4], sum[4], parts[4];
} Sum;

static crStatus computeSummed(void* context, double t, const double* y, double* outRates)
{
  crStatus status = computeKepler(NULL, t, y, outRates);
  memcpy(((Sum*)context)->now, outRates, 4 * sizeof *outRates);
  return status;
}

static void beginSum(void* context, double ofStart, double ofStage)
{
  Sum* sum = context;
  for (int i = 0; i < 4; ++i) {
    sum->sum[i] = ofStart * sum->start[i] + ofStage * sum->now[i];
  }
}

static void addToSum(void* context, double ofStage)
{
  Sum* sum = context;
  for (int i = 0; i < 4; ++i) {
    sum->sum[i] += ofStage * sum->now[i];
  }
}

static void keepSum(void* context, double h)
{
  Sum* sum = context;
  assert_true(h > 0.0);
  for (int i = 0; i < 4; ++i) {
    sum->parts[i] += sum->sum[i];
    sum->start[i] = sum->now[i];
  }
}

static void assertSum(const Sum* sum, const crSegment* segment, double limit)
{
  for (int i = 0; i < 4; ++i) {
    assert_close(sum->parts[i] + sum->sum[i], segment->y1[i] - segment->y0[i], limit);
  }
}

// In one step, after attempts that were rejected, and redone in several. Newton's iteration leaves a little to radau5.
static void sums_over_stages_are_integrals(void** state)
{
  (void)state;
  static const crStageSums sums = { beginSum, addToSum, keepSum };
  double absTol[MAX_STATES];
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = nextKind(kind)) {
    Sum sum = { 0 };
    crProblem problem = {
      .n = 4, .context = &sum, .computeRates = computeSummed, .absTol = fillTolerance(absTol, 1e-3), .sums = &sums
    };
    double limit = kind == cr_stepRadau5 ? 1e-4 : 1e-14;
    startRun(run, stepper, &problem, kind, 1e-3, 0.0, keplerStart);
    run->memory.h = 5.0;
    memcpy(sum.start, run->segments[0].f0, sizeof sum.start);
    assert_int_equal(step(run, 6.0), cr_ok);
    assert_true(crStepper_GetCounts(stepper).rejectedSteps > 0);
    crSegment* segment = lastSegment(run);
    assertSum(&sum, segment, limit);
    fillTolerance(absTol, 1e-10);
    assert_int_equal(crStepper_Redo(stepper, &problem, 1e-10, 0.9 * segment->t1, &run->memory, segment), cr_ok);
    assert_true(!segment->isDense && memcmp(sum.start, segment->f0, sizeof sum.start) != 0);
    assertSum(&sum, segment, kind == cr_stepRadau5 ? 1e-9 : 1e-14);
  }
  crDestroyStepper(stepper);
  free(run);
}

static void redo_refuses_times_before_the_step(void** state)
{
  (void)state;
  double absTol[MAX_STATES];
  crProblem problem = { .n = 4, .computeRates = computeKepler, .absTol = fillTolerance(absTol, 1e-6) };
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  startRun(run, stepper, &problem, cr_stepDopri5, 1e-6, 0.0, keplerStart);
  assert_int_equal(step(run, 0.0), cr_errorMisuse);
  assert_int_equal(step(run, 1.0), cr_ok);
  crSegment* segment = lastSegment(run);
  assert_int_equal(crStepper_Redo(stepper, &problem, 1e-6, INFINITY, &run->memory, segment), cr_errorMisuse);
  assert_int_equal(crStepper_Redo(stepper, &problem, 1e-6, 0.0, &run->memory, segment), cr_errorMisuse);
  crDestroyStepper(stepper);
  free(run);
}

// --------------------------------------------------------------------------------------------- repetition

static void steps_do_not_depend_on_what_the_stepper_did_before(void** state)
{
  (void)state;
  double absTol[MAX_STATES];
  int count = 50, starts[101], rows[400];
  makeChainPattern(count, starts, rows);
  crSparsity pattern = { 100, starts, rows };
  double chainStart[100] = { 0.0 };
  fillTolerance(absTol, 1e-8);
  crProblem ball = { .n = ballCount, .computeRates = computeBall, .absTol = absTol, .structure = &ballStructure };
  crProblem kepler = { .n = 4, .computeRates = computeKepler, .absTol = absTol };
  crProblem chain = { .n = 100, .context = &count, .computeRates = computeChain, .pattern = &pattern };
  chain.absTol = absTol;
  Run *alone = malloc(sizeof *alone), *mixed = malloc(sizeof *mixed);
  Run* others[2] = { malloc(sizeof(Run)), malloc(sizeof(Run)) };
  crStepper *own = makeStepper(), *shared = makeStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepRadau5; ++kind) {
    const crProblem* problems[] = { &ball, &chain };
    const double* y0[] = { ballStart, chainStart };
    for (int p = 0; p < 2; ++p) {
      startRun(alone, own, problems[p], kind, 1e-8, 0.0, y0[p]);
      startRun(mixed, shared, problems[p], kind, 1e-8, 0.0, y0[p]);
      startRun(others[0], shared, &kepler, kind, 1e-6, 0.0, keplerStart);
      startRun(others[1], shared, problems[1 - p], 1 - kind, 1e-7, 0.0, y0[1 - p]);
      for (int i = 0; i < 12; ++i) {
        assert_int_equal(step(alone, 1.0), cr_ok);
        assert_int_equal(step(others[i % 2], 1e3), cr_ok);
        assert_int_equal(step(mixed, 1.0), cr_ok);
        assert_true(lastSegment(alone)->t1 == lastSegment(mixed)->t1);
        size_t size = crSegment_CountDoubles(problems[p]->n) * sizeof(double);
        assert_memory_equal(lastSegment(alone)->y0, lastSegment(mixed)->y0, size);
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

// --------------------------------------------------------------------------------------------- failures

// A circle that cannot be evaluated behind a wall.
typedef struct Wall {
  double x;        // f refuses beyond
  crStatus status; // with this
} Wall;

static crStatus computeWalled(void* context, double t, const double* y, double* outRates)
{
  const Wall* wall = context;
  (void)t;
  if (y[0] > wall->x) {
    return wall->status;
  }
  outRates[0] = y[1];
  outRates[1] = -y[0];
  return cr_ok;
}

static void a_refusal_shortens_the_step_until_there_is_none_left(void** state)
{
  (void)state;
  double absTol[MAX_STATES], start[2] = { 0.0, 1.0 };
  Wall wall = { sin(0.5), cr_retry };
  crProblem problem = { .n = 2, .computeRates = computeWalled, .context = &wall };
  problem.absTol = fillTolerance(absTol, 1e-6);
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = nextKind(kind)) {
    wall.status = cr_retry;
    startRun(run, stepper, &problem, kind, 1e-6, 0.0, start);
    run->memory.h = 3.0;
    assert_int_equal(step(run, 10.0), cr_ok);
    assert_true(lastSegment(run)->t1 < 0.5001);
    crStatus status = cr_ok;
    for (int i = 0; i < 1000 && status == cr_ok; ++i) {
      status = step(run, 10.0);
    }
    assert_int_equal(status, cr_retry);
    assert_close(lastSegment(run)->t1, 0.5, 1e-4);
    wall.status = cr_errorMemory;
    assert_int_equal(step(run, 10.0), cr_errorMemory);
  }
  crDestroyStepper(stepper);
  free(run);
}

static crStatus computeExplosion(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = y[0] * y[0];
  outRates[1] = 1.0;
  return cr_ok;
}

static void a_collapse_of_the_step_is_reported(void** state)
{
  (void)state;
  double absTol[MAX_STATES], start[2] = { 1.0, 0.0 };
  const bool isFollower[2] = { false, true };
  crStructure structure = { .isFollower = isFollower };
  crProblem problem = { .n = 2, .computeRates = computeExplosion, .absTol = fillTolerance(absTol, 1e-8) };
  problem.structure = &structure;
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = nextKind(kind)) {
    startRun(run, stepper, &problem, kind, 1e-8, 0.0, start);
    crStatus status = cr_ok;
    int steps = 0;
    for (; status == cr_ok && steps < 10000; ++steps) {
      status = step(run, 10.0);
    }
    assert_int_equal(status, cr_failNumerics);
    assert_close(lastSegment(run)->t1, 1.0, 1e-6);
    assert_in_range(steps, 10, 3000);
  }
  crDestroyStepper(stepper);
  free(run);
}

// Not a number after some time, in one state alone, even if it is a follower.
static crStatus computeNan(void* context, double t, const double* y, double* outRates)
{
  int bad = *(const int*)context;
  outRates[0] = -y[0];
  outRates[1] = 1.0;
  outRates[bad] = t > 0.25 ? NAN : outRates[bad];
  return cr_ok;
}

static void numbers_that_are_none_are_never_accepted(void** state)
{
  (void)state;
  double absTol[MAX_STATES], start[2] = { 1.0, 0.0 };
  const bool isFollower[2] = { false, true };
  crStructure structure = { .isFollower = isFollower };
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  for (int bad = 0; bad < 2; ++bad) {
    crProblem problem = { .n = 2, .computeRates = computeNan, .context = &bad, .structure = &structure };
    problem.absTol = fillTolerance(absTol, 1e-8);
    for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = nextKind(kind)) {
      startRun(run, stepper, &problem, kind, 1e-6, 0.0, start);
      crStatus status = cr_ok;
      for (int i = 0; i < 10000 && status == cr_ok; ++i) {
        status = step(run, 10.0);
      }
      assert_int_equal(status, cr_retry);
      assert_true(lastSegment(run)->t1 <= 0.25 && lastSegment(run)->t1 > 0.2);
      assert_true(isfinite(lastSegment(run)->y1[1]) && isfinite(lastSegment(run)->f1[1]));
    }
  }
  crDestroyStepper(stepper);
  free(run);
}

static void the_stiffness_test_finds_contacts_at_rest_and_nothing_else(void** state)
{
  (void)state;
  double absTol[MAX_STATES];
  fillTolerance(absTol, 1e-8);
  crProblem kepler = { .n = 4, .computeRates = computeKepler, .absTol = absTol };
  crProblem ball = { .n = ballCount, .computeRates = computeBall, .absTol = absTol, .structure = &ballStructure };
  Run* run = malloc(sizeof *run);
  crStepper* stepper = makeStepper();
  startRun(run, stepper, &kepler, cr_stepDopri5, 1e-6, 0.0, keplerStart);
  int most = 0;
  while (!run->hasBefore || lastSegment(run)->t1 < 20.0) {
    assert_int_equal(step(run, 20.0), cr_ok);
    most = run->memory.stiffHits > most ? run->memory.stiffHits : most;
  }
  assert_true(most < CR_STIFF_HITS);
  startRun(run, stepper, &ball, cr_stepDopri5, 1e-6, 0.0, ballStart);
  int steps = 0;
  for (; run->memory.stiffHits < CR_STIFF_HITS && steps < 500; ++steps) {
    assert_int_equal(step(run, 20.0), cr_ok);
  }
  assert_true(steps < 500);
  crDestroyStepper(stepper);
  free(run);
}

// ---------------------------------------------------------------------------------------------- memory

static crStatus tryAll(crTestAllocator* counter, const crProblem* problem, const double* y0)
{
  long failAt = counter->failAt;
  crAllocator allocator = crTestAllocator_Make(counter);
  counter->failAt = failAt;
  crStepper* stepper = NULL;
  crStatus status = crCreateStepper(&allocator, &stepper);
  if (status != cr_ok) {
    assert_null(stepper);
    return status;
  }
  status = crStepper_Reserve(stepper, problem->n, problem->n * problem->n);
  if (status == cr_ok) {
    Run* run = malloc(sizeof *run);
    startRun(run, stepper, problem, cr_stepRadau5, 1e-6, 0.0, y0);
    long calls = counter->callCount;
    status = step(run, 1.0);
    assert_int_equal(calls, counter->callCount); // nothing in a step
    free(run);
  }
  crDestroyStepper(stepper);
  return status;
}

static void out_of_memory_is_reported_and_leaks_nothing(void** state)
{
  (void)state;
  double absTol[MAX_STATES];
  crProblem problem = { .n = ballCount, .computeRates = computeBall, .absTol = fillTolerance(absTol, 1e-8) };
  problem.structure = &ballStructure;
  crStatus status = cr_errorMemory;
  long failAt = 0;
  for (; status == cr_errorMemory; ++failAt) {
    crTestAllocator counter = { .failAt = failAt };
    status = tryAll(&counter, &problem, ballStart);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_int_equal(status, cr_ok);
  assert_in_range(failAt, 4, 100);
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
    cmocka_unit_test(a_redone_step_is_that_step_to_another_time),
    cmocka_unit_test(a_redone_step_may_take_several),
    cmocka_unit_test(sums_over_stages_are_integrals),
    cmocka_unit_test(redo_refuses_times_before_the_step),
    cmocka_unit_test(steps_do_not_depend_on_what_the_stepper_did_before),
    cmocka_unit_test(a_refusal_shortens_the_step_until_there_is_none_left),
    cmocka_unit_test(a_collapse_of_the_step_is_reported),
    cmocka_unit_test(numbers_that_are_none_are_never_accepted),
    cmocka_unit_test(the_stiffness_test_finds_contacts_at_rest_and_nothing_else),
    cmocka_unit_test(out_of_memory_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
