#include "support/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void crStartTestSteps(crTestSteps* run, crStepper* stepper, const crProblem* problem, crStepKind kind, double relTol,
                      double t0, const double* y0)
{
  memset(run, 0, sizeof *run);
  assert_true(problem->n <= CR_MAX_TEST_STATES);
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

crSegment* crTestSteps_Last(crTestSteps* run)
{
  return &run->segments[1 - run->now];
}

crStatus crTestSteps_Step(crTestSteps* run, double tMax)
{
  crSegment *segment = &run->segments[run->now], *other = crTestSteps_Last(run);
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

void crTestSteps_RunTo(crTestSteps* run, double tEnd)
{
  do {
    assert_int_equal(crTestSteps_Step(run, tEnd), cr_ok);
  } while (crTestSteps_Last(run)->t1 < tEnd);
}

crStepper* crMakeTestStepper(void)
{
  crStepper* stepper = NULL;
  assert_int_equal(crCreateStepper(NULL, &stepper), cr_ok);
  return stepper;
}

crStepCounts crIntegrateTest(const crProblem* problem, crStepKind kind, double relTol, double tEnd, const double* y0,
                             double* outY)
{
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, problem, kind, relTol, 0.0, y0);
  crTestSteps_RunTo(run, tEnd);
  memcpy(outY, crTestSteps_Last(run)->y1, (size_t)problem->n * sizeof *outY);
  crStepCounts counts = crStepper_GetCounts(stepper);
  crDestroyStepper(stepper);
  free(run);
  return counts;
}

double crMaxDifference(const double* a, const double* b, int n)
{
  double largest = 0.0;
  for (int i = 0; i < n; ++i) {
    largest = fmax(largest, fabs(a[i] - b[i]));
  }
  return largest;
}

const double* crFillTolerance(double* absTol, double value)
{
  for (int i = 0; i < CR_MAX_TEST_STATES; ++i) {
    absTol[i] = value;
  }
  return absTol;
}

int crNextStepKind(int kind)
{
  return kind == cr_stepRadau5 ? (int)cr_stepDop853 : kind + 1;
}

// -------------------------------------------------------------------------------------------- problems

crStatus crComputeKepler(void* context, double t, const double* y, double* outRates)
{
  (void)t;
  if (context != NULL) {
    ++*(int64_t*)context;
  }
  double square = y[0] * y[0] + y[1] * y[1], pull = 1.0 / (square * sqrt(square));
  outRates[0] = y[2];
  outRates[1] = y[3];
  outRates[2] = -pull * y[0];
  outRates[3] = -pull * y[1];
  return cr_ok;
}

const double crKeplerStart[4] = { 0.5, 0.0, 0.0, 1.7320508075688772 };

void crSolveKepler(double t, double* outY)
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

static const int rateOf[cr_testBallCount] = { cr_testBallVz, cr_testBallVx, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
static const bool isFollower[cr_testBallCount] = { [cr_testBallLost] = true };
static const crSpin spin = { cr_testBallQ, cr_testBallW };
const crStructure crTestBallStructure = { .rateOf = rateOf, .isFollower = isFollower, .spins = &spin, .spinCount = 1 };

static double regularize(double v)
{
  double least = 0.01;
  return v >= least ? v : v * v / least * (1.0 - v / (3.0 * least)) + least / 3.0;
}

crStatus crComputeTestBall(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  const double radius = 0.0286, mass = 0.17, inertia = 0.4 * mass * radius * radius, friction = 0.2;
  double depth = radius - y[cr_testBallZ], force = 0.0;
  const double *w = y + cr_testBallW, *q = y + cr_testBallQ;
  if (depth > 0.0) {
    force = fmax(0.0, 1e9 * depth * sqrt(depth) * (1.0 - 10.0 * y[cr_testBallVz]));
  }
  double slip = y[cr_testBallVx] - radius * w[1], pull = -friction * force * slip / regularize(fabs(slip));
  double brake = 1e-4 * force / regularize(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
  outRates[cr_testBallZ] = y[cr_testBallVz];
  outRates[cr_testBallX] = y[cr_testBallVx];
  outRates[cr_testBallQ] = 0.5 * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]);
  outRates[cr_testBallQ + 1] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
  outRates[cr_testBallQ + 2] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
  outRates[cr_testBallQ + 3] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
  outRates[cr_testBallVz] = force / mass - 9.81;
  outRates[cr_testBallVx] = pull / mass;
  outRates[cr_testBallW] = -brake * w[0] / inertia;
  outRates[cr_testBallW + 1] = (-radius * pull - brake * w[1]) / inertia;
  outRates[cr_testBallW + 2] = -brake * w[2] / inertia;
  outRates[cr_testBallLost] = -pull * slip;
  return cr_ok;
}

const double crTestBallStart[cr_testBallCount] = { 0.0286 - 1.4e-6, 0, 1, 0, 0, 0, 0, 1.0, 2, 0, 20, 0 };
