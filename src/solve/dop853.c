// The explicit method of order 8 by Dormand and Prince [HairerNorsettWanner93] II.5: twelve stages, and f at the end of
// the step, which is the first stage of the next. The error is that of a method of order 5, made smaller by one of
// order 3, so that it falls with h^8: e = e5 |e5| / sqrt(|e5|^2 + |e3|^2 / 100).
//
// The polynomial, of order 7, takes three more stages. They need f at the end, and the last evaluation of a step has to
// be there; so a step with its polynomial takes 16 evaluations, one without it 12.
#include "solve/dop853_table.h"
#include "solve/explicit.h"

#include <math.h>
#include <string.h>

// [-] Estimates are of the lower of two orders, and long steps add up to larger errors than short ones: with this the
// error of a run is that of dopri5 at the same tolerance, in the mean of the examples.
#define CR_STRICTNESS 10.0
#define CR_BRIEF_STRICTNESS 3.0 // [-] likewise of brief steps, a few in a row, inside contacts of balls,
#define CR_DEAR_STRICTNESS 1.0  // and where f is dear: what kinks leave is more, and judged by energy
#define CR_THIRD_SHARE 0.01     // of the square of the estimate of order 3
#define CR_INNER_STAGE 5        // the first one behind the start that is known to order 5
#define CR_FIRST_WEIGHT 5       // the first stage behind the start that the end of the step depends on directly

CR_INLINE crStatus evalStage(crStepper* stepper, const crProblem* problem, const crSegment* segment, double h,
                             int stride, int stage)
{
  double *k = stepper->vectors[slopes], *y = stepper->vectors[stage == CR_DOP853_STAGES ? atStage : atLast];
  addSlopes(crDop853Weights[stage], stage, stride, h, stepper->vectors[atStart], k, y);
  return (stage < CR_DOP853_STAGES ? crStepper_EvalStage : crStepper_Eval)(
      stepper, problem, segment->t0 + crDop853Nodes[stage] * h, y, k + (size_t)stage * (size_t)stride);
}

CR_INLINE crStatus evalStages(crStepper* stepper, const crProblem* problem, const crSegment* segment, double h,
                              int stride, int count)
{
  const double* ofEnd = crDop853Weights[CR_DOP853_STAGES];
  crStatus status = cr_ok;
#pragma GCC unroll 12
  for (int stage = 1; stage <= CR_DOP853_STAGES; ++stage) {
    status = status == cr_ok && stage < count ? evalStage(stepper, problem, segment, h, stride, stage) : status;
    if (status == cr_ok && stage >= CR_FIRST_WEIGHT && stage < CR_DOP853_STAGES) {
      crStepper_SumStage(problem, stage == CR_FIRST_WEIGHT, ofEnd[0] * h, ofEnd[stage] * h);
    }
  }
  return status;
}

CR_INLINE crLanes addErrors(const double* weights, const double* k, int stride, int i)
{
  crLanes sum = weights[0] * loadLanes(k + i);
  for (int j = 5; j < CR_DOP853_STAGES; ++j) {
    sum += weights[j] * loadLanes(slopeOf(k, j, stride) + i);
  }
  return sum;
}

// The error, and what tells stiffness.
CR_INLINE void measure(const crStepper* stepper, int stride, double relTol, crAttempt* attempt)
{
  const double *k = stepper->vectors[slopes], *end = stepper->vectors[atStage], *last = stepper->vectors[atLast];
  crLanes fifth = crZeroLanes(), third = fifth, slope = fifth, way = fifth;
  for (int i = 0; i < stride; i += CR_LANES) {
    crLanes active = loadLanes(stepper->active + i), weight = active / findTolerance(stepper, relTol, i);
    crLanes e5 = weight * addErrors(crDop853Errors[0], k, stride, i);
    crLanes e3 = weight * addErrors(crDop853Errors[1], k, stride, i);
    crLanes a = active * (loadLanes(slopeOf(k, 12, stride) + i) - loadLanes(slopeOf(k, 11, stride) + i));
    crLanes b = active * (loadLanes(end + i) - loadLanes(last + i));
    fifth += e5 * e5;
    third += e3 * e3;
    slope += a * a;
    way += b * b;
  }
  double square = addLanes(fifth), sum = square + CR_THIRD_SHARE * addLanes(third), change = addLanes(slope);
  attempt->error = sum > 0.0 ? stepper->strictness * attempt->h * square / sqrt(sum * stepper->activeCount) : sum;
  attempt->stiffness = addLanes(way) > 0.0 ? attempt->h * attempt->h * change / addLanes(way) : 0.0;
  if (!isfinite(change)) {
    attempt->error = NAN; // at the end, which the error does not see
  }
}

CR_INLINE crStatus tryStride(crStepper* stepper, const crProblem* problem, double relTol, const crSegment* segment,
                             int stride, crAttempt* attempt)
{
  crStatus status = evalStages(stepper, problem, segment, attempt->h, stride, CR_DOP853_STAGES + 1);
  if (status != cr_ok) {
    return status;
  }
  measure(stepper, stride, relTol, attempt);
  return isfinite(attempt->error) ? cr_ok : cr_retry;
}

crStatus crDop853_Try(crStepper* stepper, const crProblem* problem, double relTol, const crSegment* segment,
                      const crStepMemory* memory, crAttempt* attempt)
{
  double brief = memory->isDear ? CR_DEAR_STRICTNESS : CR_BRIEF_STRICTNESS;
  stepper->strictness = memory->isBrief ? brief : CR_STRICTNESS;
  return stepper->stride == CR_BODY_STATES ? tryStride(stepper, problem, relTol, segment, CR_BODY_STATES, attempt)
                                           : tryStride(stepper, problem, relTol, segment, stepper->stride, attempt);
}

// -------------------------------------------------------------------------------------------- polynomial

// The rows of the polynomial, from all stages.
static void fillRows(const crStepper* stepper, double h, crSegment* segment)
{
  int n = segment->n, stride = stepper->stride;
  const double* restrict k = stepper->vectors[slopes];
  for (int row = 0; row < CR_DENSE_ROWS; ++row) {
    const double* weights = crDop853Dense[row];
    double* restrict out = segment->dense + (size_t)row * (size_t)n;
    for (int i = 0; i < n; ++i) {
      double sum = weights[0] * k[i];
      for (int j = 5; j < CR_DOP853_ALL_STAGES; ++j) {
        sum += weights[j] * k[j * stride + i];
      }
      out[i] = h * sum;
    }
  }
}

static bool isFinite(const crSegment* segment)
{
  for (int i = 0; i < CR_DENSE_ROWS * segment->n; ++i) {
    if (!isfinite(segment->dense[i])) {
      return false;
    }
  }
  return true;
}

// Whether the working space still has the stages of this step.
static bool holdsStages(const crStepper* stepper, const crProblem* problem, const crSegment* segment)
{
  const crHeld* held = &stepper->held;
  size_t size = (size_t)segment->n * sizeof(double);
  return held->isHeld && held->context == problem->context && stepper->n == segment->n && held->t0 == segment->t0 &&
         held->t1 == segment->t1 && memcmp(stepper->vectors[atStart], segment->y0, size) == 0 &&
         memcmp(stepper->vectors[slopes], segment->f0, size) == 0;
}

crStatus crDop853_MakeDense(crStepper* stepper, const crProblem* problem, crSegment* segment)
{
  size_t size = (size_t)segment->n * sizeof(double);
  double h = segment->t1 - segment->t0;
  crStatus status = cr_ok;
  if (!holdsStages(stepper, problem, segment)) {
    crDopri5_Prepare(stepper, problem, segment);
    status = evalStages(stepper, problem, segment, h, stepper->stride, CR_DOP853_STAGES);
  }
  stepper->held.isHeld = false;
  memcpy(stepper->vectors[slopes] + (size_t)CR_DOP853_STAGES * (size_t)stepper->stride, segment->f1, size);
  for (int stage = CR_DOP853_STAGES + 1; status == cr_ok && stage < CR_DOP853_ALL_STAGES; ++stage) {
    status = evalStage(stepper, problem, segment, h, stepper->stride, stage);
  }
  if (status == cr_ok) {
    fillRows(stepper, h, segment);
    status = isFinite(segment) ? cr_ok : cr_retry;
  }
  segment->isLazy = status != cr_ok;
  if (status != cr_ok) {
    memset(segment->dense, 0, CR_DENSE_ROWS * size);
  }
  return status;
}

// Of a brief step: the polynomial of degree 5 through values and rates at both ends and at the inner stage, which take
// no evaluation. With e what the cubic through the ends misses there, and e' the same of its rate,
// e = p^2 (r0 + s r1), e' = 2 p p' (r0 + s r1) + p^2 r1, p = s (1 - s).
static void fillBrief(const crStepper* stepper, double h, crSegment* segment)
{
  int n = segment->n, stride = stepper->stride;
  const double *k = stepper->vectors[slopes], *weights = crDop853Weights[CR_INNER_STAGE];
  const double s = crDop853Nodes[CR_INNER_STAGE], p = s * (1.0 - s), slope = 1.0 - 2.0 * s;
  double *r0 = segment->dense, *r1 = r0 + n;
  for (int i = 0; i < n; ++i) {
    double sum = weights[0] * k[i] + weights[3] * k[3 * stride + i] + weights[4] * k[4 * stride + i];
    double d = segment->y1[i] - segment->y0[i], b = h * segment->f0[i] - d, c = d - h * segment->f1[i] - b;
    double e = h * sum - s * (d + (1.0 - s) * (b + s * c));
    double rate = h * k[CR_INNER_STAGE * stride + i] - (d + slope * b + s * (2.0 - 3.0 * s) * c);
    double value = e / (p * p);
    r1[i] = rate / (p * p) - 2.0 * slope / p * value;
    r0[i] = value - s * r1[i];
  }
  memset(r1 + n, 0, 2 * (size_t)n * sizeof *r1);
}

crStatus crDop853_Finish(crStepper* stepper, const crProblem* problem, bool isLazy, crSegment* segment)
{
  size_t size = (size_t)problem->n * sizeof(double);
  const double* k = stepper->vectors[slopes];
  memcpy(segment->y1, stepper->vectors[atStage], size);
  memcpy(segment->f1, slopeOf(k, CR_DOP853_STAGES, stepper->stride), size);
  if (segment->isBrief) {
    fillBrief(stepper, segment->t1 - segment->t0, segment);
    return cr_ok;
  }
  stepper->held = (crHeld){ true, problem->context, segment->t0, segment->t1 };
  segment->isLazy = true;
  if (isLazy) {
    memset(segment->dense, 0, CR_DENSE_ROWS * size);
    return cr_ok;
  }
  crStatus status = crDop853_MakeDense(stepper, problem, segment);
  return status == cr_ok ? crStepper_Eval(stepper, problem, segment->t1, segment->y1, segment->f1) : status;
}

double crDop853_EstimateFollower(const crStepper* stepper, int follower)
{
  const double* k = stepper->vectors[slopes] + follower;
  double fifth = 0.0, third = 0.0;
  for (int j = 0; j < CR_DOP853_STAGES; ++j) {
    double slope = k[(size_t)j * (size_t)stepper->stride];
    fifth += crDop853Errors[0][j] * slope;
    third += crDop853Errors[1][j] * slope;
  }
  double sum = fifth * fifth + CR_THIRD_SHARE * third * third;
  return sum > 0.0 ? stepper->strictness * stepper->triedStep * fifth * fifth / sqrt(sum) : sum;
}

void crDop853_GetErrors(const crStepper* stepper, double relTol, double* outErrors)
{
  const double *y = stepper->vectors[atStart], *end = stepper->vectors[atStage], *k = stepper->vectors[slopes];
  for (int i = 0; i < stepper->n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < CR_DOP853_STAGES; ++j) {
      sum += crDop853Errors[0][j] * k[j * stepper->stride + i];
    }
    double tolerance = stepper->absTol[i] + relTol * fmax(fabs(y[i]), fabs(end[i]));
    outErrors[i] = stepper->active[i] * stepper->triedStep * sum / tolerance;
  }
}
