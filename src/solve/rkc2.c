// The stabilized explicit method of order 2 by Sommeijer, Shampine and Verwer [SommeijerEtAl98]: its s stages follow
// the three-term recursion of Chebyshev's polynomials, so that it is stable for h |lambda| up to 0.65 s^2 along the
// negative real axis. Where damping and friction are what is stiff, as in a crowd of bodies in contact, a step costs
// some ten evaluations and no matrix, whatever the number of bodies.
//
//   Y1 = y0 + m1' h f0,   Yj = (1 - mj - nj) y0 + mj Yj-1 + nj Yj-2 + mj' h f(Yj-1) + gj' h f0,   y1 = Ys
//
// The spectral radius comes from the power method: differences of f along a direction that is kept from step to step.
#include "math/lanes.h"
#include "solve/stepper_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CR_RKC_DAMPING (2.0 / 13) // [-] of oscillations in the region of stability
#define CR_RKC_REACH 0.65         // h |lambda| over s^2 - 1 up to which it is stable, a little below 0.653
#define CR_RADIUS_MARGIN 1.2      // [-] that the power method comes from below
#define CR_RADIUS_DECAY 0.9       // [-] a step: the estimate falls slowly
#define CR_FIRST_POWERS 8         // iterations without a direction from before
#define CR_FAILED_POWERS 4        // and after a step that failed wildly: by an error of
#define CR_WILD_ERROR 10.0        // [tolerance] or more
#define CR_POWER_STEP 1e-7        // [-] of the norm of the states
#define CR_SEED_SHARE 0.1         // [-] of the mean rate that a first direction has from
#define CR_SEED_PRIME 7919        // multiples of this

#define CR_MOST_STAGES 1000 // beyond which a step is shortened
#define CR_LEAST_SHRINK 0.1 // then: to this share of it at least,
#define CR_MOST_SHRINK 0.9  // and at most
#define CR_LEAST_STAGES 5   // with which four of them tell the error
#define CR_NORM_BLOCK 16384 // places of a vector that are added up one after the other
#define CR_MOST_BLOCKS 64   // of these, which are longer then
#define CR_EARLY_STAGE 0.58 // [-] of s: the stage at one third of the step,
#define CR_LATE_STAGE 0.82  // and that at two thirds
#define CR_MIDDLE 0.4       // [-] of the step: the first stage behind it is a node of f,
#define CR_NODE_SHARE 0.2   // [-] of the error of f at the end, which the mean over the step has

// Vectors of the working space.
enum {
  atStart,
  startRates,
  stage0,
  stage1,
  stage2,
  early,
  late,
  rates,
  bodyErrors,
  laneDirection = CR_WORK_VECTORS - 2, // both are kept over steps
  direction
};

// ------------------------------------------------------------------------------------------------ lanes

static bool isInLanes(const crProblem* problem)
{
  return problem->computeNext != NULL;
}

// Places of vectors at work that count in norms; behind them come watched followers.
static int countLanes(const crStructure* structure)
{
  return CR_LANES * structure->vectorCount;
}

static void toLanes(const crStructure* structure, const double* y, double* restrict out)
{
  for (int k = 0; k < structure->vectorCount; ++k, out += CR_LANES) {
    const double* from = y + structure->vectors[k].first;
    out[0] = from[0];
    out[1] = from[1];
    out[2] = from[2];
    out[3] = 0.0;
  }
  for (int k = 0; k < CR_LANES; ++k) {
    out[k] = k < structure->watchedCount ? y[structure->watched[k]] : 0.0;
  }
}

static void vectorsFromLanes(const crStructure* structure, const double* lanes, int first, int end,
                             double* restrict outY)
{
  lanes += (size_t)CR_LANES * (size_t)first;
  for (int k = first; k < end; ++k, lanes += CR_LANES) {
    double* to = outY + structure->vectors[k].first;
    to[0] = lanes[0];
    to[1] = lanes[1];
    to[2] = lanes[2];
  }
}

static void watchedFromLanes(const crStructure* structure, const double* lanes, double* outY)
{
  for (int k = 0; k < structure->watchedCount; ++k) {
    outY[structure->watched[k]] = lanes[countLanes(structure) + k];
  }
}

static void fromLanes(const crStructure* structure, const double* lanes, double* outY)
{
  vectorsFromLanes(structure, lanes, 0, structure->vectorCount, outY);
  watchedFromLanes(structure, lanes, outY);
}

void crRkc2_Prepare(crStepper* stepper, const crProblem* problem, const crSegment* segment)
{
  size_t size = (size_t)problem->n * sizeof(double);
  stepper->isInLanes = isInLanes(problem);
  stepper->crew = stepper->isInLanes ? problem->crew : NULL;
  bool goesOn = stepper->goesOn && stepper->goneTo == segment->t0;
  stepper->goesOn = false;
  if (stepper->isInLanes) {
    stepper->used = countLanes(problem->structure) + CR_LANES;
    if (!goesOn) {
      toLanes(problem->structure, segment->y0, stepper->vectors[atStart]);
      toLanes(problem->structure, segment->f0, stepper->vectors[startRates]);
    }
    return;
  }
  stepper->used = stepper->stride;
  memcpy(stepper->vectors[atStart], segment->y0, size);
  memcpy(stepper->vectors[startRates], segment->f0, size);
}

static void combine(const crLaneStage* stage, const double* slope, int count)
{
  const double *y = stage->start, *last = stage->last, *before = stage->before, *f = stage->startRates;
  const double* weights = stage->weights;
  double* restrict out = stage->out;
  for (int i = 0; i < count; ++i) {
    out[i] =
        weights[0] * y[i] + weights[1] * last[i] + weights[2] * before[i] + weights[3] * slope[i] + weights[4] * f[i];
  }
}

// The stage behind the last one.
static crStatus formNext(crStepper* stepper, const crProblem* problem, double t, const crLaneStage* stage)
{
  if (stepper->isInLanes) {
    ++stepper->counts.evaluations;
    return problem->computeNext(problem->context, t, stage);
  }
  double* slope = stepper->vectors[rates];
  crStatus status = crStepper_Eval(stepper, problem, t, stage->last, slope);
  if (status == cr_ok) {
    combine(stage, slope, stepper->stride);
  }
  return status;
}

// --------------------------------------------------------------------------------------------------- nodes

static void setNode(const crProblem* problem, crStageNode node, double place)
{
  if (problem->nodes != NULL) {
    problem->nodes->set(problem->context, node, place);
  }
}

// What f is at the start is known behind this. That is not counted: a run that goes on from a checkpoint does it anew.
static crStatus beginNodes(crStepper* stepper, const crProblem* problem, double t)
{
  bool isKnown = true;
  if (problem->nodes == NULL) {
    return cr_ok;
  }
  crStatus status = problem->nodes->begin(problem->context, t, &isKnown);
  if (status == cr_ok && !isKnown) {
    setNode(problem, cr_nodeStart, 0.0);
    status = problem->computeRates(problem->context, t, stepper->vectors[atStart], stepper->vectors[rates]);
  }
  setNode(problem, cr_nodeAround, 0.0);
  return status;
}

// ----------------------------------------------------------------------------------------------- radius

static inline crLanes load(const double* from)
{
  crLanes l;
  memcpy(&l, from, sizeof l);
  return l;
}

static inline double addLanes(crLanes a)
{
  return a[0] + a[1] + (a[2] + a[3]);
}

// Sum of the squares of lanes, in sums of every sixteenth, which do not wait for each other.
static double sumSquares(const double* a, int count)
{
  crLanes sums[4] = { crZeroLanes(), crZeroLanes(), crZeroLanes(), crZeroLanes() };
  int i = 0;
  for (; i + 4 * CR_LANES <= count; i += 4 * CR_LANES) {
    for (int k = 0; k < 4; ++k) {
      crLanes values = load(a + i + k * CR_LANES);
      sums[k] += values * values;
    }
  }
  for (; i < count; i += CR_LANES) {
    sums[0] += load(a + i) * load(a + i);
  }
  return addLanes(sums[0] + sums[1] + (sums[2] + sums[3]));
}

// Sums of long vectors are those of blocks, whoever adds up which.
typedef struct Blocks {
  const double* a;
  int count, size, blockCount;
  const crCrew* crew;
  double sums[CR_MOST_BLOCKS];
} Blocks;

static void sumPart(void* context, int part)
{
  Blocks* blocks = context;
  int end = crCrew_FindPart(blocks->crew, blocks->blockCount, 1, part + 1);
  for (int b = crCrew_FindPart(blocks->crew, blocks->blockCount, 1, part); b < end; ++b) {
    int from = b * blocks->size, rest = blocks->count - from;
    blocks->sums[b] = sumSquares(blocks->a + from, rest < blocks->size ? rest : blocks->size);
  }
}

// 2-norm over the states that count.
static double computeNorm(const crStepper* stepper, const double* a)
{
  if (!stepper->isInLanes) {
    crLanes sum = crZeroLanes();
    for (int i = 0; i < stepper->stride; i += CR_LANES) {
      sum += load(stepper->active + i) * (load(a + i) * load(a + i));
    }
    return sqrt(addLanes(sum));
  }
  Blocks blocks = { .a = a, .count = stepper->used - CR_LANES, .size = CR_NORM_BLOCK };
  while (blocks.size < blocks.count / CR_MOST_BLOCKS + 1) {
    blocks.size *= 2;
  }
  blocks.blockCount = (blocks.count + blocks.size - 1) / blocks.size;
  blocks.crew = stepper->crew;
  crCrew_Run(stepper->crew, sumPart, &blocks);
  double sum = 0.0;
  for (int b = 0; b < blocks.blockCount; ++b) {
    sum += blocks.sums[b];
  }
  return sqrt(sum);
}

// A vector is the start and so many times another, some places of it.
typedef struct Shift {
  const crStepper* stepper;
  double factor;
  const double* d;
  double* out;
} Shift;

static void shiftPart(void* context, int part)
{
  const Shift* shift = context;
  const crStepper* stepper = shift->stepper;
  int end = crCrew_FindPart(stepper->crew, stepper->used, CR_LANES, part + 1);
  const double *y = stepper->vectors[atStart], *d = shift->d;
  double* restrict out = shift->out, factor = shift->factor;
  for (int i = crCrew_FindPart(stepper->crew, stepper->used, CR_LANES, part); i < end; ++i) {
    out[i] = y[i] + factor * d[i];
  }
}

static void shift(const crStepper* stepper, double factor, const double* d, double* out)
{
  Shift shift = { stepper, factor, d, out };
  crCrew_Run(stepper->crew, shiftPart, &shift);
}

// Likewise, of the states that count.
static void shiftActive(const crStepper* stepper, double factor, const double* d, double* restrict out)
{
  const double* y = stepper->vectors[atStart];
  for (int i = 0; i < stepper->n; ++i) {
    out[i] = y[i] + factor * stepper->active[i] * d[i];
  }
}

// One iteration of the power method at the start of the step: d becomes f(y + d) - f(y).
// ioNorm: of d.
static crStatus iteratePower(crStepper* stepper, const crProblem* problem, double t, double length, double* d,
                             double* ioNorm)
{
  double *const *v = stepper->vectors, norm = *ioNorm;
  double factor = norm > 0.0 ? length / norm : 0.0;
  (stepper->isInLanes ? shift : shiftActive)(stepper, factor, d, v[stage0]);
  crLaneStage difference = { v[atStart], v[startRates], v[stage0], v[atStart], d, { 0.0, 0.0, 0.0, 1.0, -1.0 } };
  crStatus status = formNext(stepper, problem, t, &difference);
  *ioNorm = status == cr_ok ? computeNorm(stepper, d) : 0.0;
  return status;
}

static int countPowers(const crStepMemory* memory, const crAttempt* attempt)
{
  if (memory->hasDirection) {
    return attempt->wasRejected ? CR_FAILED_POWERS : 1;
  }
  return memory->radius > 0.0 ? CR_FAILED_POWERS : CR_FIRST_POWERS;
}

// Rates with something that is different for all: differences are 0 along those of bodies that fall together, and would
// stay so.
static void seedDirection(crStepper* stepper, const double* slope, double* d)
{
  double norm = computeNorm(stepper, slope);
  double states = stepper->isInLanes ? 0.75 * (stepper->used - CR_LANES) : stepper->activeCount;
  double share = CR_SEED_SHARE * (norm > 0.0 ? norm / sqrt(states) : 1.0);
  for (int i = 0; i < stepper->used; ++i) {
    bool isEmpty = stepper->isInLanes && i % CR_LANES == 3;
    d[i] = isEmpty ? 0.0 : slope[i] + share * (double)((int64_t)i * CR_SEED_PRIME % 13 - 6);
  }
}

// The direction that was kept, as vectors at work are.
static double* fetchDirection(crStepper* stepper, const crStructure* structure, bool isInLanes)
{
  double* const* v = stepper->vectors;
  if (isInLanes != stepper->keptInLanes) {
    stepper->directionNorm = -1.0;
  }
  if (isInLanes && !stepper->keptInLanes) {
    toLanes(structure, v[direction], v[laneDirection]);
  } else if (!isInLanes && stepper->keptInLanes) {
    fromLanes(structure, v[laneDirection], v[direction]);
  }
  stepper->keptInLanes = isInLanes;
  return v[isInLanes ? laneDirection : direction];
}

double* crRkc2_GetDirection(crStepper* stepper, const crStructure* structure)
{
  return fetchDirection(stepper, structure, false);
}

static crStatus estimateRadius(crStepper* stepper, const crProblem* problem, double t, const crAttempt* attempt,
                               crStepMemory* memory)
{
  double *const *v = stepper->vectors, *d = fetchDirection(stepper, problem->structure, stepper->isInLanes);
  if (memory->hasDirection && attempt->wasRejected && attempt->errorBefore < CR_WILD_ERROR) {
    return cr_ok; // it is that of the start, which is the same
  }
  bool isKnown = stepper->isInLanes && stepper->directionNorm >= 0.0;
  double norm = !memory->hasDirection ? 0.0 : isKnown ? stepper->directionNorm : computeNorm(stepper, d);
  bool isLost = memory->hasDirection && !(norm > 0.0);
  memory->hasDirection = memory->hasDirection && !isLost;
  int count = countPowers(memory, attempt);
  if (isLost) { // nothing touched yet
    seedDirection(stepper, v[startRates], d);
  } else if (!memory->hasDirection) {
    memcpy(d, v[startRates], (size_t)stepper->used * sizeof(double));
  }
  norm = memory->hasDirection ? norm : computeNorm(stepper, d);
  double length = CR_POWER_STEP * fmax(computeNorm(stepper, v[atStart]), 1.0), found = 0.0;
  crStatus status = cr_ok;
  for (int i = 0; i < count && status == cr_ok; ++i) {
    status = iteratePower(stepper, problem, t, length, d, &norm);
    found = fmax(found, norm / length);
    status = status == cr_ok && !isfinite(norm) ? cr_retry : status;
  }
  memory->hasDirection = status == cr_ok;
  stepper->directionNorm = stepper->isInLanes && status == cr_ok ? norm : -1.0;
  memory->radius = fmax(CR_RADIUS_MARGIN * found, CR_RADIUS_DECAY * memory->radius);
  return status;
}

// ------------------------------------------------------------------------------------------------ stages

// Chebyshev's polynomial and its first three derivatives at w0, in a recursion.
typedef struct Polynomial {
  double value, slope, bend, third;
} Polynomial;

static Polynomial recur(double w0, Polynomial last, Polynomial before)
{
  return (Polynomial){ 2.0 * w0 * last.value - before.value, 2.0 * w0 * last.slope + 2.0 * last.value - before.slope,
                       2.0 * w0 * last.bend + 4.0 * last.slope - before.bend,
                       2.0 * w0 * last.third + 6.0 * last.bend - before.third };
}

// A method of s stages, and the combination of four stages that tells its error.
typedef struct Method {
  int s;
  double w0, w1;
  int first, second; // stages at about one and two thirds of the step
  double weights[4]; // of the start, these two, and the end
} Method;

static Polynomial findPolynomial(double w0, int s)
{
  Polynomial before = { 1.0, 0.0, 0.0, 0.0 }, last = { w0, 1.0, 0.0, 0.0 };
  for (int j = 2; j <= s; ++j) {
    Polynomial next = recur(w0, last, before);
    before = last;
    last = next;
  }
  return last;
}

// The third divided difference of the start and three stages, scaled to the error of the method where f is linear: the
// coefficient of z^3 in its polynomial is short of 1/6. Unlike combinations with h f, it is no larger than the error
// itself in a component that h is long for.
static void weighStages(Method* method)
{
  int stages[4] = { 0, method->first, method->second, method->s };
  double nodes[4] = { 0.0 }, cubes[4] = { 0.0 }, sum = 0.0, w1 = method->w1;
  for (int i = 1; i < 4; ++i) {
    Polynomial p = findPolynomial(method->w0, stages[i]);
    nodes[i] = w1 * p.bend / p.slope;
    cubes[i] = p.bend / (p.slope * p.slope) * p.third * (w1 * w1 * w1) / 6.0;
  }
  for (int i = 0; i < 4; ++i) {
    method->weights[i] = 1.0;
    for (int j = 0; j < 4; ++j) {
      method->weights[i] /= j != i ? nodes[i] - nodes[j] : 1.0;
    }
    sum += method->weights[i] * cubes[i];
  }
  for (int i = 0; i < 4; ++i) {
    method->weights[i] *= (1.0 / 6.0 - cubes[3]) / sum;
  }
}

static Method chooseMethod(double reach)
{
  int s = (int)ceil(sqrt(1.0 + reach / CR_RKC_REACH));
  s = s < CR_LEAST_STAGES ? CR_LEAST_STAGES : s;
  Method method = { .s = s, .w0 = 1.0 + CR_RKC_DAMPING / (s * s) };
  Polynomial last = findPolynomial(method.w0, s);
  method.w1 = last.slope / last.bend;
  method.first = (int)lround(CR_EARLY_STAGE * s);
  method.second = (int)lround(CR_LATE_STAGE * s);
  weighStages(&method);
  return method;
}

// Where stage j goes: those that the error is made of are kept. Else it takes the place of the one before the last, of
// which nobody needs another row than that which is formed: so fewer vectors pass through the cache.
static double* placeStage(const crStepper* stepper, const Method* method, int j, const double* last,
                          const double* before)
{
  double* const* v = stepper->vectors;
  if (j == method->first || j == method->second) {
    return v[j == method->first ? early : late];
  }
  int place = stage0;
  for (int k = stage0; k <= stage2; ++k) {
    if (v[k] == before) {
      return v[k];
    }
  }
  while (v[place] == last || v[place] == before) {
    ++place;
  }
  return v[place];
}

// All stages; *outEnd: the last one.
static crStatus runStages(crStepper* stepper, const crProblem* problem, double t0, double h, const Method* method,
                          double** outEnd)
{
  double *const *v = stepper->vectors, w0 = method->w0, w1 = method->w1;
  Polynomial before = { 1.0, 0.0, 0.0, 0.0 }, last = { w0, 1.0, 0.0, 0.0 }, next = recur(w0, last, before);
  double b2 = next.bend / (next.slope * next.slope), bLast = b2, bBefore = b2;
  crLaneStage stage = { .start = v[atStart], .startRates = v[startRates], .before = v[atStart], .out = v[stage1] };
  shift(stepper, b2 * w1 * h, stage.startRates, stage.out);
  double node = w1 * next.bend / next.slope / next.slope; // c1 = c2 / T2'
  bool hasMiddle = false;
  for (int j = 2; j <= method->s; ++j) {
    next = recur(w0, last, before);
    double b = next.bend / (next.slope * next.slope), a = 1.0 - bLast * last.value;
    double m = 2.0 * b * w0 / bLast, n = -b / bBefore, mh = 2.0 * b * w1 / bLast * h;
    const double weights[5] = { 1.0 - m - n, m, n, mh, -a * mh };
    memcpy(stage.weights, weights, sizeof weights);
    stage.last = stage.out;
    stage.out = placeStage(stepper, method, j, stage.last, stage.before);
    bool isMiddle = !hasMiddle && j > 2 && node >= CR_MIDDLE;
    setNode(problem, j == 2 ? cr_nodeFirst : isMiddle ? cr_nodeMiddle : cr_nodeInside, node);
    hasMiddle = hasMiddle || isMiddle;
    crStatus status = formNext(stepper, problem, t0 + node * h, &stage);
    if (status != cr_ok) {
      return status;
    }
    stage.before = stage.last;
    node = w1 * next.bend / next.slope;
    before = last;
    last = next;
    bBefore = bLast;
    bLast = b;
  }
  *outEnd = stage.out;
  return cr_ok;
}

// [unit of the state] At a place of vectors at work.
static inline double estimateAt(const crStepper* stepper, int place)
{
  double* const* v = stepper->vectors;
  const double* w = stepper->errorWeights;
  return w[0] * v[atStart][place] + w[1] * v[early][place] + w[2] * v[late][place] + w[3] * stepper->end[place];
}

// In units of the tolerance.
static double findShare(const crStepper* stepper, double relTol, int i)
{
  double size = fmax(fabs(stepper->vectors[atStart][i]), fabs(stepper->end[i]));
  return stepper->active[i] * estimateAt(stepper, i) / (stepper->absTol[i] + relTol * size);
}

static double measureError(const crStepper* stepper, const crProblem* problem, double relTol)
{
  const crStructure* structure = problem->structure;
  double* const* v = stepper->vectors;
  if (stepper->isInLanes) {
    crLaneStages stages = { v[atStart], v[early], v[late], stepper->end, stepper->errorWeights };
    return crMeasureLanes(structure, problem->absTol, relTol, &stages, stepper->crew, v[bodyErrors]);
  }
  if (structure != NULL && structure->vectorCount > 0) {
    for (int i = 0; i < stepper->n; ++i) {
      v[rates][i] = estimateAt(stepper, i);
    }
    return crMeasureBodies(structure, stepper->absTol, relTol, v[atStart], stepper->end, v[rates], v[bodyErrors]);
  }
  double sum = 0.0;
  for (int i = 0; i < stepper->n; ++i) {
    double share = findShare(stepper, relTol, i);
    sum += share * share;
  }
  return sqrt(sum / stepper->activeCount);
}

double crRkc2_EstimateWatched(const crStepper* stepper, const crStructure* structure, int watched)
{
  return estimateAt(stepper, stepper->isInLanes ? countLanes(structure) + watched : structure->watched[watched]);
}

void crRkc2_GetErrors(const crStepper* stepper, const crProblem* problem, double relTol, double* outErrors)
{
  const crStructure* structure = problem->structure;
  if (stepper->end == NULL) { // no step has come to its end
    return;
  }
  for (int i = 0; i < stepper->n && !stepper->isInLanes; ++i) {
    outErrors[i] = findShare(stepper, relTol, i);
  }
  for (int k = 0; stepper->isInLanes && k < structure->vectorCount; ++k) {
    for (int l = 0; l < structure->vectors[k].count; ++l) {
      int i = structure->vectors[k].first + l, place = CR_LANES * k + l;
      double size = fmax(fabs(stepper->vectors[atStart][place]), fabs(stepper->end[place]));
      outErrors[i] = estimateAt(stepper, place) / (problem->absTol[i] + relTol * size);
    }
  }
}

crStatus crRkc2_Try(crStepper* stepper, const crProblem* problem, double relTol, const crSegment* segment,
                    crStepMemory* memory, crAttempt* attempt)
{
  double h = attempt->h, *end = NULL;
  stepper->end = NULL;
  crStatus status = beginNodes(stepper, problem, segment->t0);
  status = status != cr_ok ? status : estimateRadius(stepper, problem, segment->t0, attempt, memory);
  if (status != cr_ok) {
    return status;
  }
  double most = CR_RKC_REACH * (CR_MOST_STAGES * (double)CR_MOST_STAGES - 1.0);
  if (!(h * memory->radius <= most)) {
    attempt->shrink = fmin(fmax(CR_LEAST_SHRINK, most / (h * memory->radius)), CR_MOST_SHRINK);
    return cr_ok;
  }
  Method method = chooseMethod(h * memory->radius);
  attempt->iterations = method.s;
  status = runStages(stepper, problem, segment->t0, h, &method, &end);
  stepper->end = end;
  stepper->relTol = relTol;
  stepper->nodeError = 0.0;
  memcpy(stepper->errorWeights, method.weights, sizeof method.weights);
  if (status != cr_ok) {
    return status;
  }
  attempt->error = measureError(stepper, problem, relTol);
  return isfinite(attempt->error) ? cr_ok : cr_retry;
}

// The end is where the next step starts, as long as one system has the stepper.
static void goOn(crStepper* stepper, double t1)
{
  double* start = stepper->vectors[atStart];
  int place = stage0;
  while (stepper->vectors[place] != stepper->end) {
    ++place;
  }
  stepper->vectors[atStart] = stepper->end;
  stepper->vectors[place] = start;
  stepper->goesOn = true;
  stepper->goneTo = t1;
}

// The end of a step, out of lanes.
typedef struct Ends {
  const crStructure* structure;
  const double* lanes;
  double* y;
  const crCrew* crew;
} Ends;

static void endPart(void* context, int part)
{
  const Ends* ends = context;
  int count = ends->structure->vectorCount;
  vectorsFromLanes(ends->structure, ends->lanes, crCrew_FindPart(ends->crew, count, 1, part),
                   crCrew_FindPart(ends->crew, count, 1, part + 1), ends->y);
}

// The rates at the end, and what those were off that the last stages went by.
static crStatus finishNodes(crStepper* stepper, const crProblem* problem, crSegment* segment)
{
  double *off = stepper->vectors[rates], share = CR_NODE_SHARE * (segment->t1 - segment->t0);
  setNode(problem, cr_nodeInside, 1.0);
  crStatus status = crStepper_Eval(stepper, problem, segment->t1, segment->y1, off);
  setNode(problem, cr_nodeEnd, 1.0);
  status = status == cr_ok ? crStepper_Eval(stepper, problem, segment->t1, segment->y1, segment->f1) : status;
  for (int i = 0; i < stepper->n && status == cr_ok; ++i) {
    off[i] = share * (segment->f1[i] - off[i]);
  }
  if (status == cr_ok) {
    problem->nodes->end(problem->context, segment->t1);
    stepper->nodeError = crMeasureBodies(problem->structure, stepper->absTol, stepper->relTol,
                                         stepper->vectors[atStart], stepper->end, off, stepper->vectors[bodyErrors]);
  }
  return status;
}

crStatus crRkc2_Finish(crStepper* stepper, const crProblem* problem, crSegment* segment)
{
  size_t size = (size_t)problem->n * sizeof(double);
  if (!segment->isFlat) {
    memset(segment->dense, 0, size);
    segment->isFlat = true;
  }
  if (!stepper->isInLanes) {
    memcpy(segment->y1, stepper->end, size);
    return problem->nodes != NULL ? finishNodes(stepper, problem, segment)
                                  : crStepper_Eval(stepper, problem, segment->t1, segment->y1, segment->f1);
  }
  Ends ends = { problem->structure, stepper->end, segment->y1, stepper->crew };
  crCrew_Run(stepper->crew, endPart, &ends);
  watchedFromLanes(problem->structure, stepper->end, segment->y1);
  ++stepper->counts.evaluations;
  crStatus status = problem->computeEnd(problem->context, segment, stepper->end, stepper->vectors[startRates]);
  if (status == cr_ok) {
    goOn(stepper, segment->t1);
  }
  return status;
}
