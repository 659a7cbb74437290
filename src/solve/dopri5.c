// The explicit pair of order 5(4) by Dormand and Prince [DormandPrince80]: seven stages, of which the last one is f at
// the end of the step and the first one of the next.
//
// Loops run over padded vectors. The instance for one free body, whose bounds are known when it is compiled, is where
// scenes of many bodies spend their time.
#include "solve/explicit.h"

#include <math.h>
#include <string.h>

#define CR_STAGES 7

// clang-format off
static const double nodes[CR_STAGES] = { 0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0 };
static const double weights[CR_STAGES][CR_STAGES - 1] = {
  { 0.0 },
  { 1.0 / 5 },
  { 3.0 / 40, 9.0 / 40 },
  { 44.0 / 45, -56.0 / 15, 32.0 / 9 },
  { 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729 },
  { 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656 },
  { 35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 },
};
static const double errorWeights[CR_STAGES] = {
  71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40 };
static const double denseWeights[CR_STAGES] = {
  -12715105075.0 / 11282082432.0, 0.0, 87487479700.0 / 32700410799.0, -10690763975.0 / 1880347072.0,
  701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0 };
// clang-format on

void crDopri5_Prepare(crStepper* stepper, const crProblem* problem, const crSegment* segment)
{
  size_t size = (size_t)problem->n * sizeof(double);
  memcpy(stepper->vectors[atStart], segment->y0, size);
  memcpy(stepper->vectors[slopes], segment->f0, size);
}

typedef struct Sums {
  double error, slopeChange, wayChange; // squares
} Sums;

// Squares over all states that count: the error in units of the tolerance, and what tells stiffness.
CR_INLINE Sums sumUp(const crStepper* stepper, int stride, double h, double relTol)
{
  const double *k = stepper->vectors[slopes], *end = stepper->vectors[atStage], *last = stepper->vectors[atLast];
  crLanes error = crZeroLanes(), slope = error, way = error;
  for (int i = 0; i < stride; i += CR_LANES) {
    crLanes sum = errorWeights[0] * loadLanes(k + i);
    for (int j = 2; j < CR_STAGES; ++j) {
      sum += errorWeights[j] * loadLanes(slopeOf(k, j, stride) + i);
    }
    crLanes active = loadLanes(stepper->active + i), e = active * (h * sum) / findTolerance(stepper, relTol, i);
    crLanes a = active * (loadLanes(slopeOf(k, 6, stride) + i) - loadLanes(slopeOf(k, 5, stride) + i));
    crLanes b = active * (loadLanes(end + i) - loadLanes(last + i));
    error += e * e;
    slope += a * a;
    way += b * b;
  }
  return (Sums){ addLanes(error), addLanes(slope), addLanes(way) };
}

CR_INLINE crStatus tryStride(crStepper* stepper, const crProblem* problem, double relTol, const crSegment* segment,
                             int stride, crAttempt* attempt)
{
  double h = attempt->h, *k = stepper->vectors[slopes];
  crStatus status = cr_ok;
#pragma GCC unroll 8
  for (int stage = 1; stage < CR_STAGES; ++stage) {
    double* y = stepper->vectors[stage == CR_STAGES - 2 ? atLast : atStage];
    addSlopes(weights[stage], stage, stride, h, stepper->vectors[atStart], k, y);
    status = (stage < CR_STAGES - 1 ? crStepper_EvalStage : crStepper_Eval)(
        stepper, problem, segment->t0 + nodes[stage] * h, y, k + (size_t)stage * (size_t)stride);
    if (status != cr_ok) {
      return status;
    }
    if (stage > 1 && stage < CR_STAGES - 1) {
      crStepper_SumStage(problem, stage == 2, weights[CR_STAGES - 1][0] * h, weights[CR_STAGES - 1][stage] * h);
    }
  }
  Sums sums = sumUp(stepper, stride, h, relTol);
  attempt->error = sqrt(sums.error / stepper->activeCount);
  attempt->stiffness = sums.wayChange > 0.0 ? h * h * sums.slopeChange / sums.wayChange : 0.0;
  return isfinite(attempt->error) ? cr_ok : cr_retry;
}

crStatus crDopri5_Try(crStepper* stepper, const crProblem* problem, double relTol, const crSegment* segment,
                      crAttempt* attempt)
{
  return stepper->stride == CR_BODY_STATES ? tryStride(stepper, problem, relTol, segment, CR_BODY_STATES, attempt)
                                           : tryStride(stepper, problem, relTol, segment, stepper->stride, attempt);
}

void crDopri5_Finish(crStepper* stepper, const crProblem* problem, const crAttempt* attempt, crSegment* segment)
{
  int n = problem->n, stride = stepper->stride;
  const double* restrict k = stepper->vectors[slopes];
  double* restrict dense = segment->dense, h = attempt->h;
  memcpy(segment->y1, stepper->vectors[atStage], (size_t)n * sizeof(double));
  memcpy(segment->f1, slopeOf(k, 6, stride), (size_t)n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    double sum = denseWeights[0] * k[i];
    for (int j = 2; j < CR_STAGES; ++j) {
      sum += denseWeights[j] * k[j * stride + i];
    }
    dense[i] = h * sum;
  }
}

double crDopri5_EstimateFollower(const crStepper* stepper, int follower)
{
  const double* k = stepper->vectors[slopes] + follower;
  double sum = 0.0;
  for (int j = 0; j < CR_STAGES; ++j) {
    sum += errorWeights[j] * k[(size_t)j * (size_t)stepper->stride];
  }
  return stepper->triedStep * sum;
}

void crDopri5_GetErrors(const crStepper* stepper, double relTol, double* outErrors)
{
  const double *y = stepper->vectors[atStart], *end = stepper->vectors[atStage], *k = stepper->vectors[slopes];
  for (int i = 0; i < stepper->n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < CR_STAGES; ++j) {
      sum += errorWeights[j] * k[j * stepper->stride + i];
    }
    double tolerance = stepper->absTol[i] + relTol * fmax(fabs(y[i]), fabs(end[i]));
    outErrors[i] = stepper->active[i] * stepper->triedStep * sum / tolerance;
  }
}
