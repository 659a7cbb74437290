// The Radau IIA method of order 5 [HairerWanner96] IV.8: three stages, of which the last one is the end of the step;
// L-stable. The equations of the stages are split by a transformation into one real and one complex system, and solved
// by Newton's iteration with the Jacobian at the start of the step.
//
// With z the stages less y0, w = T^-1 z and F the rates at the stages, a correction dw follows from
//   (g I - J) dw1 = (T^-1 F)1 - g w1,   (g_c I - J) (dw2 + i dw3) = (T^-1 F)2 + i (T^-1 F)3 - g_c (w2 + i w3),
// g and g_c being the eigenvalues of the method's matrix over h. All of it is done for the core of the system alone,
// see step_matrix.h: states that are integrals of others are h A (y0 + z) of those, exactly, in every iteration; and
// followers are integrated when the stages are known.
#include "base/elementary.h"
#include "solve/stepper_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CR_INLINE static inline __attribute__((always_inline))

// The tolerance of these steps is this times relTol^(2/3), since their error estimate is of order 3. With 0.1, as in
// [HairerWanner96], billiards take a fifth more time for the same error.
#define CR_RADAU_TOLERANCE 1.0
// Of the tolerance, at most, left to Newton's iteration; and no more than its root, since the error of steps is smaller
// than their tolerance. With ten times as much there are 6 % fewer evaluations, and errors of 1e-4 where 1e-6 is asked
// for.
#define CR_NEWTON_SHARE 3e-3
#define CR_DEAR_SHARE 3e-4       // likewise where a Jacobian is kept for long, so that corrections shrink evenly
#define CR_NEWTON_AT_ONCE 0.3    // of that: a first correction so small needs no second
#define CR_NEWTON_STUCK 0.99     // ratio of two corrections from which on the iteration does not converge,
#define CR_NEWTON_ROUND_OFF 1e-3 // unless they are this small, in units of the tolerance: then it is at its end
#define CR_NEWTON_SHRINK 0.35 // of the step, where the iteration does not converge: mostly it ends behind a kink of f
#define CR_FOLLOWER_SHARE                                                                                              \
  0.1 // [tolerance] of the last correction, from which on stages are evaluated again for followers

#define CR_RADAU_REST (1.0 / 600.0) // the integral of x^2 (x - c1) (x - c2) (1 - x) over a step, c1 and c2 the nodes
#define CR_SQRT6 2.44948974278317809820

// Eigenvalues of the inverse of A, and the transformation that belongs to them.
// clang-format off
static const double eigenvalue = 3.63783425274449573220, eigenReal = 2.68108287362775213389,
                    eigenImaginary = 3.05043019924741056942;
static const double T[3][3] = {
  { 9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02 },
  { 0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779 },
  { 0.96604818261509293619, 1.0, 0.0 } };
static const double TI[3][3] = {
  { 4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119 },
  { -4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196 },
  { -0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497 } };
static const double A[3][3] = {
  { (88 - 7 * CR_SQRT6) / 360, (296 - 169 * CR_SQRT6) / 1800, (-2 + 3 * CR_SQRT6) / 225 },
  { (296 + 169 * CR_SQRT6) / 1800, (88 + 7 * CR_SQRT6) / 360, (-2 - 3 * CR_SQRT6) / 225 },
  { (16 - CR_SQRT6) / 36, (16 + CR_SQRT6) / 36, 1.0 / 9 } };
static const double nodes[3] = { (4 - CR_SQRT6) / 10, (4 + CR_SQRT6) / 10, 1.0 };
static const double errorWeights[3] = { -(13 + 7 * CR_SQRT6) / 3, (-13 + 7 * CR_SQRT6) / 3, -1.0 / 3 };
// clang-format on

// Vectors of the working space: over all states, and over the core.
enum {
  atStage, // all states
  rates0,  // at the stages
  rates1,
  rates2,
  spare,
  coreStart, // y0 of the core
  scale,     // 1 / tolerance
  realScale, // squares of it, with those of the integrals
  complexScale,
  slaveStart, // y0 of integrals
  slaveScale,
  w0, // transformed stages
  w1,
  w2,
  z0, // stages less y0
  z1,
  z2,
  b0, // right sides
  b1,
  b2,
  d0, // corrections
  d1,
  d2,
  vectorCount
};

_Static_assert(vectorCount <= CR_WORK_VECTORS, "the working space has too few vectors");

// ---------------------------------------------------------------------------------------------- prepare

double crRadau5_FindTolerance(double relTol)
{
  double root = crCbrt(relTol);
  return CR_RADAU_TOLERANCE * root * root;
}

// Kept, since a power is dear.
static double findTolerance(crStepper* stepper, double relTol)
{
  if (relTol != stepper->knownTol) {
    stepper->knownTol = relTol;
    stepper->stageTol = crRadau5_FindTolerance(relTol);
  }
  return stepper->stageTol;
}

crStatus crRadau5_Prepare(crStepper* stepper, const crProblem* problem, double relTol, const crSegment* segment)
{
  crStepMatrix* matrix = &stepper->matrix;
  bool isNew = true;
  crStatus status = crStepMatrix_SetProblem(matrix, problem, &isNew);
  if (status != cr_ok) {
    return status;
  }
  if (isNew) {
    stepper->kept = (crKept){ 0 };
  }
  stepper->isDear = problem->computeJacobian == NULL;
  size_t size = (size_t)problem->n * sizeof(double);
  memcpy(stepper->vectors[atStage], segment->y0, size);
  double tol = findTolerance(stepper, relTol), factor = tol / relTol;
  double *start = stepper->vectors[coreStart], *inverse = stepper->vectors[scale];
  for (int i = matrix->coreCount; i < matrix->length; ++i) {
    start[i] = inverse[i] = 0.0;
  }
  for (int u = 0; u < matrix->unknownCount; ++u) {
    int state = matrix->unknowns[u], i = matrix->unknownPlaces[u];
    start[i] = segment->y0[state];
    inverse[i] = 1.0 / (factor * stepper->absTol[state] + tol * fabs(start[i]));
  }
  for (int k = 0; k < matrix->slaveCount; ++k) {
    int state = matrix->slaves[k];
    stepper->vectors[slaveStart][k] = segment->y0[state];
    stepper->vectors[slaveScale][k] = 1.0 / (factor * stepper->absTol[state] + tol * fabs(segment->y0[state]));
  }
  return cr_ok;
}

static crStatus evalRates(void* context, double t, const double* y, const double* yp, double* outResult)
{
  (void)yp;
  const crRateCall* call = context;
  return crStepper_Eval(call->stepper, call->problem, t, y, outResult);
}

static crStatus differ(crStepper* stepper, const crProblem* problem, const crSegment* segment, double h)
{
  crRateCall call = { stepper, problem };
  crDifferences differences = { evalRates, &call, segment->t0, 0.0, segment->y0, NULL, segment->f0 };
  crStatus status = cr_ok;
  if (problem->beginDifferences != NULL) {
    status = problem->beginDifferences(problem->context, segment->t0, segment->y0);
  }
  if (status == cr_ok) {
    status = crStepMatrix_ComputeDifferences(&stepper->matrix, &differences, h, stepper->absTol, stepper->knownTol);
  }
  if (problem->endDifferences != NULL) {
    problem->endDifferences(problem->context);
  }
  return status;
}

// Values of the Jacobian at the start, given by the problem or by differences.
static crStatus evalJacobian(crStepper* stepper, const crProblem* problem, const crSegment* segment, double h)
{
  crStepMatrix* matrix = &stepper->matrix;
  ++stepper->counts.jacobians;
  crStatus status = cr_ok;
  if (problem->computeJacobian != NULL) {
    status = problem->computeJacobian(problem->context, segment->t0, segment->y0, matrix->values);
  } else {
    status = differ(stepper, problem, segment, h);
  }
  if (status == cr_ok) {
    crStepMatrix_Load(matrix);
  }
  stepper->kept.hasJacobian = stepper->kept.isFresh = status == cr_ok;
  stepper->kept.hasFactors = false;
  return status;
}

static crStatus factorize(crStepper* stepper, double h)
{
  ++stepper->counts.factorizations;
  crStatus status = crStepMatrix_Factorize(&stepper->matrix, eigenvalue / h, eigenReal / h, eigenImaginary / h,
                                           stepper->kept.hasPivots);
  stepper->kept.hasFactors = stepper->kept.hasPivots = status == cr_ok;
  stepper->kept.factoredStep = h;
  return status;
}

// Squares of the scales of corrections: those of integrals, which follow from the core's, are added to them.
static void setScales(crStepper* stepper, double h)
{
  const crStepMatrix* matrix = &stepper->matrix;
  double *real = stepper->vectors[realScale], *complex = stepper->vectors[complexScale];
  const double *core = stepper->vectors[scale], *slave = stepper->vectors[slaveScale];
  double ofReal = h * h / (eigenvalue * eigenvalue);
  double ofComplex = h * h / (eigenReal * eigenReal + eigenImaginary * eigenImaginary);
  for (int i = 0; i < matrix->length; ++i) {
    real[i] = complex[i] = core[i] * core[i];
  }
  for (int k = 0; k < matrix->slaveCount; ++k) {
    double square = slave[k] * slave[k];
    real[matrix->masters[k]] += ofReal * square;
    complex[matrix->masters[k]] += ofComplex * square;
  }
}

// -------------------------------------------------------------------------------------------- iteration

// Stages less y0 by the polynomial of another segment, and transformed.
static void guessStages(crStepper* stepper, const crSegment* guess, double t0, double h)
{
  const crStepMatrix* matrix = &stepper->matrix;
  double *const *z = stepper->vectors + z0, *const *w = stepper->vectors + w0;
  double length = guess->t1 - guess->t0, from = (t0 - guess->t1) / length, ratio = h / length;
  for (int u = 0; u < matrix->unknownCount; ++u) {
    int i = matrix->unknownPlaces[u];
    const double* dense = guess->dense + matrix->unknowns[u];
    double k1 = dense[0], k2 = dense[guess->n], k3 = dense[2 * (size_t)guess->n], stages[3];
    double start = from * (k1 + (from - CR_RADAU_A) * (k2 + (from - CR_RADAU_B) * k3));
    for (int s = 0; s < 3; ++s) {
      double at = from + nodes[s] * ratio;
      stages[s] = at * (k1 + (at - CR_RADAU_A) * (k2 + (at - CR_RADAU_B) * k3)) - start;
    }
    for (int s = 0; s < 3; ++s) {
      z[s][i] = stages[s];
      w[s][i] = TI[s][0] * stages[0] + TI[s][1] * stages[1] + TI[s][2] * stages[2];
    }
  }
}

static void startIteration(crStepper* stepper, const crSegment* guess, double t0, double h)
{
  bool isKnown = guess != NULL && guess->kind == cr_stepRadau5 && guess->n == stepper->n && guess->t1 > guess->t0;
  size_t known = isKnown ? (size_t)stepper->matrix.coreCount : 0, length = (size_t)stepper->matrix.length;
  for (int s = 0; s < 3; ++s) {
    memset(stepper->vectors[z0 + s] + known, 0, (length - known) * sizeof(double));
    memset(stepper->vectors[w0 + s] + known, 0, (length - known) * sizeof(double));
  }
  if (isKnown) {
    guessStages(stepper, guess, t0, h);
  }
}

// An integral at a stage, less its start.
CR_INLINE double integrate(const crStepper* stepper, int slave, int stage, double h)
{
  int master = stepper->matrix.masters[slave];
  double sum = nodes[stage] * stepper->vectors[coreStart][master];
  for (int s = 0; s < 3; ++s) {
    sum += A[stage][s] * stepper->vectors[z0 + s][master];
  }
  return h * sum;
}

static const double* placeStage(crStepper* stepper, double h, int stage)
{
  const crStepMatrix* matrix = &stepper->matrix;
  double* y = stepper->vectors[atStage];
  for (int u = 0; u < matrix->unknownCount; ++u) {
    int i = matrix->unknownPlaces[u];
    y[matrix->unknowns[u]] = stepper->vectors[coreStart][i] + stepper->vectors[z0 + stage][i];
  }
  for (int k = 0; k < matrix->slaveCount; ++k) {
    y[matrix->slaves[k]] = stepper->vectors[slaveStart][k] + integrate(stepper, k, stage, h);
  }
  return y;
}

static crStatus evalStage(crStepper* stepper, const crProblem* problem, double t0, double h, int stage,
                          double* outRates)
{
  return crStepper_EvalStage(stepper, problem, t0 + nodes[stage] * h, placeStage(stepper, h, stage), outRates);
}

// The first two stages, each time that they are evaluated; the last one is only known at the end.
static void sumStage(const crProblem* problem, double h, int stage)
{
  if (stage < 2) {
    crStepper_SumStage(problem, stage == 0, 0.0, h * A[2][stage]);
  }
}

// Right sides of the corrections, from the rates at the stages.
CR_INLINE void makeRightSides(const crStepper* stepper, int count, int length, double h)
{
  const int *unknowns = stepper->matrix.unknowns, *places = stepper->matrix.unknownPlaces;
  double* const* v = stepper->vectors;
  double g = eigenvalue / h, re = eigenReal / h, im = eigenImaginary / h;
  for (int i = stepper->matrix.coreCount; i < length; ++i) {
    v[b0][i] = v[b1][i] = v[b2][i] = 0.0;
  }
  for (int u = 0; u < count; ++u) {
    int state = unknowns[u], i = places[u];
    v[b0][i] = v[rates0][state];
    v[b1][i] = v[rates1][state];
    v[b2][i] = v[rates2][state];
  }
  double* restrict x0 = v[b0], * restrict x1 = v[b1], * restrict x2 = v[b2];
  const double* restrict y0 = v[w0], * restrict y1 = v[w1], * restrict y2 = v[w2];
  for (int i = 0; i < length; ++i) {
    double f0 = x0[i], f1 = x1[i], f2 = x2[i];
    x0[i] = TI[0][0] * f0 + TI[0][1] * f1 + TI[0][2] * f2 - g * y0[i];
    x1[i] = TI[1][0] * f0 + TI[1][1] * f1 + TI[1][2] * f2 - re * y1[i] + im * y2[i];
    x2[i] = TI[2][0] * f0 + TI[2][1] * f1 + TI[2][2] * f2 - re * y2[i] - im * y1[i];
  }
}

// Adds the corrections; returns the sum of their squares in units of the tolerance.
CR_INLINE double addCorrections(const crStepper* stepper, int length)
{
  double* const* v = stepper->vectors;
  const double* restrict c0 = v[d0], * restrict c1 = v[d1], * restrict c2 = v[d2];
  const double* restrict real = v[realScale], * restrict complex = v[complexScale];
  double* restrict y0 = v[w0], * restrict y1 = v[w1], * restrict y2 = v[w2];
  double* restrict x0 = v[z0], * restrict x1 = v[z1], * restrict x2 = v[z2];
  double lanes[CR_LANES] = { 0.0 };
  for (int first = 0; first < length; first += CR_LANES) {
    for (int lane = 0; lane < CR_LANES; ++lane) {
      int i = first + lane;
      lanes[lane] += real[i] * (c0[i] * c0[i]) + complex[i] * (c1[i] * c1[i] + c2[i] * c2[i]);
      double f0 = y0[i] + c0[i], f1 = y1[i] + c1[i], f2 = y2[i] + c2[i];
      y0[i] = f0;
      y1[i] = f1;
      y2[i] = f2;
      x0[i] = T[0][0] * f0 + T[0][1] * f1 + T[0][2] * f2;
      x1[i] = T[1][0] * f0 + T[1][1] * f1 + T[1][2] * f2;
      x2[i] = T[2][0] * f0 + f1;
    }
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

// One correction; its size into *outSize.
static crStatus correct(crStepper* stepper, const crProblem* problem, double t0, double h, double* outSize)
{
  crStepMatrix* matrix = &stepper->matrix;
  double* const* v = stepper->vectors;
  for (int stage = 0; stage < 3; ++stage) {
    crStatus status = evalStage(stepper, problem, t0, h, stage, v[rates0 + stage]);
    if (status != cr_ok) {
      return status;
    }
    sumStage(problem, h, stage);
  }
  bool isBody = matrix->coreCount == CR_BODY_CORE && matrix->blockCount == 0;
  if (isBody) {
    makeRightSides(stepper, CR_BODY_CORE, CR_BODY_STRIDE, h);
  } else {
    makeRightSides(stepper, matrix->unknownCount, matrix->length, h);
  }
  crStepMatrix_Solve(matrix, v + b0, v + d0);
  double sum = isBody ? addCorrections(stepper, CR_BODY_STRIDE) : addCorrections(stepper, matrix->length);
  *outSize = sqrt(sum / (3 * stepper->activeCount));
  return cr_ok;
}

// After [HairerWanner96] IV.8; where corrections stay at round-off, that is the end, too: to take it for a failure, and
// another way out, has cost 1e-2 m.
static crStatus iterate(crStepper* stepper, const crProblem* problem, double t0, crAttempt* attempt)
{
  double tol = stepper->stageTol;
  double share = fmin(stepper->isDear ? CR_DEAR_SHARE : CR_NEWTON_SHARE, fmax(10.0 * DBL_EPSILON / tol, sqrt(tol)));
  double before = 0.0, size = 0.0;
  attempt->shrink = CR_NEWTON_SHRINK;
  for (int i = 1; i <= CR_NEWTON_LIMIT; ++i) {
    crStatus status = correct(stepper, problem, t0, attempt->h, &size);
    if (status != cr_ok) {
      return status;
    }
    if (!isfinite(size)) {
      return cr_retry;
    }
    attempt->iterations = i;
    stepper->lastCorrection = size;
    double rate = i > 1 ? size / before : 0.0;
    bool isDone =
        i > 1 ? rate < CR_NEWTON_STUCK && rate / (1.0 - rate) * size <= share : size <= CR_NEWTON_AT_ONCE * share;
    stepper->kept.rate = i > 1 ? rate : stepper->kept.rate;
    if (isDone || (i > 1 && rate >= CR_NEWTON_STUCK && size <= CR_NEWTON_ROUND_OFF)) {
      attempt->shrink = 0.0;
      return cr_ok;
    }
    if (!(rate < CR_NEWTON_STUCK)) {
      return cr_ok;
    }
    if (i > 2) { // what will be left when the iterations are used up, as if the rate stayed
      double left = rate / (1.0 - rate) * size * crPow(rate, CR_NEWTON_LIMIT - i) / share;
      if (left >= 1.0 && size > CR_NEWTON_ROUND_OFF) {
        attempt->shrink = 0.8 * crPow(fmin(left, 20.0), -1.0 / (4 + CR_NEWTON_LIMIT - i));
        return cr_ok;
      }
    }
    before = fmax(size, DBL_MIN);
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------------ error

// (g I - J) x = rates + (stages by errorWeights) / h, and its size.
static double solveError(crStepper* stepper, const double* rates, double h)
{
  crStepMatrix* matrix = &stepper->matrix;
  double *const *v = stepper->vectors, *b = v[b0], *slaveB = v[b1], *x = v[d0], *slaveX = v[d1];
  double inverse = 1.0 / h, inverseG = h / eigenvalue, sum = 0.0;
  for (int i = matrix->coreCount; i < matrix->length; ++i) {
    b[i] = 0.0;
  }
  for (int u = 0; u < matrix->unknownCount; ++u) {
    int i = matrix->unknownPlaces[u];
    double stages = errorWeights[0] * v[z0][i] + errorWeights[1] * v[z1][i] + errorWeights[2] * v[z2][i];
    b[i] = rates[matrix->unknowns[u]] + inverse * stages;
  }
  for (int k = 0; k < matrix->slaveCount; ++k) {
    double stages = 0.0;
    for (int s = 0; s < 3; ++s) {
      stages += errorWeights[s] * integrate(stepper, k, s, h);
    }
    slaveB[k] = rates[matrix->slaves[k]] + inverse * stages;
  }
  crStepMatrix_AddSlaves(matrix, slaveB, inverseG, b);
  crStepMatrix_SolveReal(matrix, b, x);
  for (int u = 0; u < matrix->unknownCount; ++u) {
    int i = matrix->unknownPlaces[u];
    double e = x[i] * v[scale][i];
    sum += e * e;
  }
  for (int k = 0; k < matrix->slaveCount; ++k) {
    slaveX[k] = (slaveB[k] + x[matrix->masters[k]]) * inverseG;
    double e = slaveX[k] * v[slaveScale][k];
    sum += e * e;
  }
  return sqrt(sum / stepper->activeCount);
}

// In the first step and after a rejection the estimate is filtered once more, at the price of an evaluation: it would
// be too large where a fast component is still to settle.
static crStatus estimateError(crStepper* stepper, const crProblem* problem, const crSegment* segment,
                              crAttempt* attempt)
{
  const crStepMatrix* matrix = &stepper->matrix;
  double* const* v = stepper->vectors;
  attempt->error = solveError(stepper, segment->f0, attempt->h);
  if (attempt->error < 1.0 || !(attempt->isFirst || attempt->wasRejected)) {
    return isfinite(attempt->error) ? cr_ok : cr_retry;
  }
  for (int u = 0; u < matrix->unknownCount; ++u) {
    int i = matrix->unknownPlaces[u];
    v[atStage][matrix->unknowns[u]] = v[coreStart][i] + v[d0][i];
  }
  for (int k = 0; k < matrix->slaveCount; ++k) {
    v[atStage][matrix->slaves[k]] = v[slaveStart][k] + v[d1][k];
  }
  crStatus status = crStepper_Eval(stepper, problem, segment->t0, v[atStage], v[spare]);
  if (status == cr_ok) {
    attempt->error = solveError(stepper, v[spare], attempt->h);
  }
  return status == cr_ok && !isfinite(attempt->error) ? cr_retry : status;
}

crStatus crRadau5_Try(crStepper* stepper, const crProblem* problem, const crSegment* guess, const crSegment* segment,
                      crAttempt* attempt)
{
  double h = attempt->h;
  crStatus status = stepper->kept.hasJacobian ? cr_ok : evalJacobian(stepper, problem, segment, h);
  if (status == cr_ok && !(stepper->kept.hasFactors && stepper->kept.factoredStep == h)) {
    status = factorize(stepper, h);
  }
  if (status != cr_ok) {
    return status;
  }
  setScales(stepper, h);
  startIteration(stepper, guess, segment->t0, h);
  status = iterate(stepper, problem, segment->t0, attempt);
  return status == cr_ok && attempt->shrink == 0.0 ? estimateError(stepper, problem, segment, attempt) : status;
}

void crRadau5_GetErrors(const crStepper* stepper, double* outErrors)
{
  const crStepMatrix* matrix = &stepper->matrix;
  double* const* v = stepper->vectors;
  for (int u = 0; u < matrix->unknownCount; ++u) {
    int i = matrix->unknownPlaces[u];
    outErrors[matrix->unknowns[u]] = v[d0][i] * v[scale][i];
  }
  for (int k = 0; k < matrix->slaveCount; ++k) {
    outErrors[matrix->slaves[k]] = v[d1][k] * v[slaveScale][k];
  }
}

// The polynomial through the rates of a follower at the stages, at a place [steps] behind the start.
static double followRates(const double rates[3], double x)
{
  double a = nodes[0], b = nodes[1], slope = (rates[1] - rates[0]) / (b - a);
  double bend = ((rates[2] - rates[1]) / (1.0 - b) - slope) / (1.0 - a);
  return rates[0] + (x - a) * (slope + (x - b) * bend);
}

// (x - first node) (x - second node) (x - 1)
static double multiplyNodes(double x)
{
  return (x - nodes[0]) * (x - nodes[1]) * (x - 1.0);
}

// Between two estimates. The lower one, by the rate at the start, is of order 3: too much by far where rates are
// smooth. The higher one, by those at the stages of the step before, too, is of order 6: too little where they have a
// kink, as powers at the end of a contact. With g the values over multiplyNodes of what the polynomial leaves of the
// rates at the start and two earlier stages, it is g[x0, x1, x2] times the integral of x^2 multiplyNodes. Where there
// is no such step, the lower one is measured like those of states.
double crRadau5_EstimateFollower(const crStepper* stepper, const crSegment* guess, const crSegment* segment,
                                 int follower)
{
  double* const* v = stepper->vectors;
  double h = stepper->triedStep, rates[3] = { v[rates0][follower], v[rates1][follower], v[rates2][follower] };
  double off = segment->f0[follower] - followRates(rates, 0.0), low = fabs(h * off / eigenvalue);
  bool isKnown = guess != NULL && guess->kind == cr_stepRadau5 && guess->n == stepper->n && guess->t1 == segment->t0 &&
                 guess->t0 < guess->t1;
  if (!isKnown) {
    return low * stepper->knownTol / stepper->stageTol;
  }
  double ratio = (guess->t1 - guess->t0) / h, x[3] = { 0.0, (nodes[1] - 1.0) * ratio, (nodes[0] - 1.0) * ratio }, g[3];
  g[0] = off / multiplyNodes(0.0);
  for (int k = 1; k < 3; ++k) {
    double before;
    crSegment_InterpolateRates(guess, segment->t0 + x[k] * h, follower, 1, &before);
    g[k] = (before - followRates(rates, x[k])) / multiplyNodes(x[k]);
  }
  double bend = ((g[2] - g[1]) / (x[2] - x[1]) - (g[1] - g[0]) / (x[1] - x[0])) / (x[2] - x[0]);
  return sqrt(low * fabs(CR_RADAU_REST * h * bend));
}

// ----------------------------------------------------------------------------------------------- finish

void crRadau5_SetRows(crSegment* segment, int state, double first, double second, double third)
{
  static const double ofA = 1.0 / CR_RADAU_A, ofB = 1.0 / CR_RADAU_B, ofChord = 1.0 / (CR_RADAU_B - CR_RADAU_A);
  static const double ofFirst = 1.0 / (1.0 + CR_RADAU_B), ofSecond = 1.0 / (1.0 + CR_RADAU_A);
  double *dense = segment->dense + state, chord = ofChord * (first - second);
  double k1 = ofA * (second - third), k2 = ofB * (chord - k1);
  dense[0] = k1;
  dense[segment->n] = k2;
  dense[2 * (size_t)segment->n] = k2 - ofSecond * (chord - ofFirst * first);
}

// False: not a number.
static bool finishFollowers(const crStepper* stepper, double h, crSegment* segment)
{
  bool isFinite = true;
  const crStepMatrix* matrix = &stepper->matrix;
  double* const* v = stepper->vectors;
  for (int k = 0; k < matrix->followerCount; ++k) {
    int i = matrix->followers[k];
    double f0 = v[rates0][i], f1 = v[rates1][i], f2 = segment->f1[i], stages[3];
    for (int s = 0; s < 3; ++s) {
      stages[s] = h * (A[s][0] * f0 + A[s][1] * f1 + A[s][2] * f2);
    }
    segment->y1[i] = segment->y0[i] + stages[2];
    isFinite = isFinite && isfinite(segment->y1[i]);
    crRadau5_SetRows(segment, i, stages[0], stages[1], stages[2]);
  }
  return isFinite;
}

// f at the end, and for followers at the other stages, where the last correction moved them.
static crStatus evalEnd(crStepper* stepper, const crProblem* problem, double t0, double h)
{
  double* const* v = stepper->vectors;
  crStatus status = cr_ok;
  bool hasMoved = stepper->matrix.followerCount > 0 && stepper->lastCorrection > CR_FOLLOWER_SHARE;
  for (int stage = 0; status == cr_ok && hasMoved && stage < 2; ++stage) {
    status = evalStage(stepper, problem, t0, h, stage, v[rates0 + stage]);
    if (status == cr_ok) {
      sumStage(problem, h, stage);
    }
  }
  if (status == cr_ok) {
    status = crStepper_Eval(stepper, problem, t0 + nodes[2] * h, placeStage(stepper, h, 2), v[rates2]);
  }
  if (status == cr_ok) {
    crStepper_SumStage(problem, false, 0.0, h * A[2][2]);
  }
  return status;
}

crStatus crRadau5_Finish(crStepper* stepper, const crProblem* problem, const crAttempt* attempt, crSegment* segment)
{
  const crStepMatrix* matrix = &stepper->matrix;
  double *const *v = stepper->vectors, h = attempt->h;
  crStatus status = evalEnd(stepper, problem, segment->t0, h);
  if (status != cr_ok) {
    return status;
  }
  memcpy(segment->f1, v[rates2], (size_t)segment->n * sizeof(double));
  memcpy(segment->y1, v[atStage], (size_t)segment->n * sizeof(double));
  for (int u = 0; u < matrix->unknownCount; ++u) {
    int i = matrix->unknownPlaces[u];
    crRadau5_SetRows(segment, matrix->unknowns[u], v[z0][i], v[z1][i], v[z2][i]);
  }
  for (int k = 0; k < matrix->slaveCount; ++k) {
    crRadau5_SetRows(segment, matrix->slaves[k], integrate(stepper, k, 0, h), integrate(stepper, k, 1, h),
                     integrate(stepper, k, 2, h));
  }
  return finishFollowers(stepper, h, segment) ? cr_ok : cr_retry;
}
