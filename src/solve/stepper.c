// Steppers: memory, step control, and steps that are redone.
//
// Explicit steps are chosen by a proportional and an integral part of the error [HairerNorsettWanner93] II.4, implicit
// ones by the last two steps and errors [Gustafsson94]. The latter's estimate is of order 3.
//
// Where f is dear and has kinks (`isDear`), attempts that fail are what can be saved. Where a kink is what makes an
// error it falls with h^2.5, not h^6: the next attempt is as short as that asks for. Order 8 gives a step that has a
// kink to order 5 at once, for some steps. An error of sums that does not fall with the step at all is that of a jump.
#include "base/elementary.h"
#include "solve/stepper_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CR_SAFETY 0.9          // of the step that the error would allow
#define CR_ALIGNMENT 64        // [bytes] of vectors
#define CR_STRETCH 1.01        // a step that would leave less than a hundredth of itself before tMax goes there
#define CR_EXPLICIT_SHRINK 0.2 // limits of the change of an explicit step
#define CR_EXPLICIT_GROWTH 5.0
#define CR_IMPLICIT_SHRINK 0.2 // and of an implicit one
#define CR_IMPLICIT_GROWTH 8.0
#define CR_FIRST_SHRINK 0.1     // of a first implicit step with too large an error, whose size means little
#define CR_SMALLEST_ERROR 1e-10 // errors below say nothing more
#define CR_EXPLICIT_MEMORY 1e-4 // smallest error that is remembered
#define CR_IMPLICIT_MEMORY 1e-2
#define CR_KEEP_GROWTH 1.2   // a larger step than this is worth new factors
#define CR_KEEP_RATE 1e-3    // of convergence, below which a Jacobian is good for another step;
#define CR_DEAR_RATE 0.1     // one that takes differences is for longer
#define CR_STIFF_LIMIT 2.5   // [1] h |lambda|; the region of stability ends at 3.3
#define CR_STIFF_LIMIT8 4.8  // of dop853, whose region ends at 6.4
#define CR_STIFF_ERROR 0.01  // [tolerance] error of a step at the limit of stability, at least
#define CR_CALM_STEPS 6      // in a row that end a suspicion of stiffness
#define CR_MAX_REFUSALS 12   // of a step by sums over it, before it is taken all the same
#define CR_LEAST_REFUSED 1e6 // [-] of the smallest step
#define CR_MAX_REDO_STEPS 1000
#define CR_KINK_ERROR 2.0         // [tolerance] from which on a kink makes it, where f is dear,
#define CR_KINK_POWER 0.4         // and of the error, by which steps are shorter then,
#define CR_KINK_SHRINK 1e-3       // but no shorter than this,
#define CR_KINK_MOST 0.85         // and no longer
#define CR_JUMP_CHANGE 0.25       // [-] of an error that does not fall with the step: it is that of a jump,
#define CR_JUMPS 2                // when that has been so as often
#define CR_HIGH_GROWTH 1.5        // [-] of brief steps, whose estimates may pass through 0
#define CR_HIGH_KINK 6.0          // [tolerance] error at which order 8 gives the step to order 5,
#define CR_HIGH_LEAST 2.2         // [-] or its length over that of order 5, which has half of its stages
#define CR_LOW_STEPS 4            // of order 5 behind a kink
#define CR_LARGE_MEMORY (1 << 20) // numbers that are rather asked for anew than written

// ----------------------------------------------------------------------------------------------- memory

crStepMemory crStartMemory(crStepKind kind, double h)
{
  return (crStepMemory){ .kind = kind, .h = h };
}

crStatus crCreateStepper(const crAllocator* allocator, crStepper** outStepper)
{
  crAllocator memory = crChooseAllocator(allocator);
  crStepper* stepper = crAllocateZero(&memory, 1, sizeof *stepper);
  *outStepper = stepper;
  if (stepper == NULL) {
    return cr_errorMemory;
  }
  stepper->allocator = memory;
  crStepMatrix_Init(&stepper->matrix, &memory);
  return cr_ok;
}

void crDestroyStepper(crStepper* stepper)
{
  if (stepper == NULL) {
    return;
  }
  crAllocator allocator = stepper->allocator;
  crStepMatrix_Free(&stepper->matrix);
  crFree(&allocator, stepper->memory, stepper->memoryCount * sizeof *stepper->memory);
  crFree(&allocator, stepper, sizeof *stepper);
}

static int padStates(int n)
{
  return (n + CR_LANES - 1) / CR_LANES * CR_LANES;
}

// Implicit steps pad their core and what is eliminated each.
static size_t spaceStates(int n)
{
  return (size_t)padStates(n) + CR_LANES;
}

// Lays the vectors out for n states: what is in them is cleared before a step, as far as its method needs it.
static void placeVectors(crStepper* stepper, int n)
{
  int stride = padStates(n);
  bool isNew = stepper->n < 0; // what is new is 0, and methods that nobody asks for leave their part of it alone
  size_t over = (uintptr_t)stepper->memory % CR_ALIGNMENT;
  double* next = stepper->memory + (over > 0 ? CR_ALIGNMENT - over : 0) / sizeof(double);
  stepper->n = n;
  stepper->stride = stride;
  stepper->keptInLanes = stepper->goesOn = false;
  stepper->directionNorm = -1.0;
  size_t spacing = spaceStates(n);
  stepper->clearFrom = isNew ? 0 : (int)spacing;
  for (int i = 0; i < CR_WORK_VECTORS; ++i, next += spacing) {
    stepper->vectors[i] = next;
  }
  stepper->absTol = next;
  stepper->active = next + spacing;
  next += 2 * spacing;
  for (size_t i = (size_t)n; i < spacing; ++i) {
    stepper->absTol[i] = i < (size_t)stride ? 1.0 : 0.0;
    stepper->active[i] = 0.0;
  }
  crSegment_Place(&stepper->inner, n, next);
  stepper->sample0 = next + crSegment_CountDoubles(n);
  stepper->sample1 = stepper->sample0 + n;
}

static crStatus reserveVectors(crStepper* stepper, int n)
{
  if (n <= stepper->capacity) {
    return cr_ok;
  }
  n = n > stepper->capacity + stepper->capacity / 2 ? n : stepper->capacity + stepper->capacity / 2;
  size_t count = spaceStates(n) * (CR_WORK_VECTORS + 2) + crSegment_CountDoubles(n) + 2 * (size_t)n +
                 CR_ALIGNMENT / sizeof(double);
  double* memory = crAllocateZero(&stepper->allocator, count, sizeof *memory);
  if (memory == NULL) {
    return cr_errorMemory;
  }
  crFree(&stepper->allocator, stepper->memory, stepper->memoryCount * sizeof *stepper->memory);
  stepper->memory = memory;
  stepper->memoryCount = count;
  stepper->capacity = n;
  stepper->n = -1; // nothing lies anywhere yet
  return cr_ok;
}

// New memory in the place of what is used: a method takes half of the vectors at most, and what nobody writes takes
// none.
static crStatus renewMemory(crStepper* stepper)
{
  crFree(&stepper->allocator, stepper->memory, stepper->memoryCount * sizeof *stepper->memory);
  stepper->memory = crAllocateZero(&stepper->allocator, stepper->memoryCount, sizeof *stepper->memory);
  stepper->capacity = stepper->memory != NULL ? stepper->capacity : 0;
  stepper->memoryCount = stepper->memory != NULL ? stepper->memoryCount : 0;
  stepper->n = -1;
  return stepper->memory != NULL ? cr_ok : cr_errorMemory;
}

crStatus crStepper_Place(crStepper* stepper, int n)
{
  crStatus status = reserveVectors(stepper, n);
  if (status == cr_ok && n != stepper->n) {
    bool isLarge = stepper->n >= 0 && stepper->memoryCount >= CR_LARGE_MEMORY;
    status = isLarge ? renewMemory(stepper) : cr_ok;
    if (status == cr_ok) {
      placeVectors(stepper, n);
    }
  }
  return status;
}

crStatus crStepper_Reserve(crStepper* stepper, int n, int entryCount)
{
  crStatus status = reserveVectors(stepper, n);
  return status == cr_ok && entryCount > 0 ? crStepMatrix_Reserve(&stepper->matrix, n, entryCount) : status;
}

crStepCounts crStepper_GetCounts(const crStepper* stepper)
{
  return stepper->counts;
}

double crStepper_GetTriedStep(const crStepper* stepper)
{
  return stepper->triedStep;
}

void crStepper_SetCounts(crStepper* stepper, crStepCounts counts)
{
  stepper->counts = counts;
}

// ---------------------------------------------------------------------------------------------- prepare

// Which states count in norms.
static void setActive(crStepper* stepper, const crStructure* structure)
{
  int n = stepper->n, count = n;
  double* active = stepper->active;
  for (int i = 0; i < n; ++i) {
    active[i] = 1.0;
  }
  for (int i = 0; structure != NULL && structure->isFollower != NULL && i < n; ++i) {
    active[i] = structure->isFollower[i] ? 0.0 : 1.0;
    count -= structure->isFollower[i];
  }
  for (int i = 0; structure != NULL && i < structure->spinCount; ++i) {
    for (int k = 0; k < 4; ++k) {
      double* place = active + structure->spins[i].quaternion + k;
      count -= *place != 0.0;
      *place = 0.0;
    }
  }
  stepper->activeCount = count > 0 ? count : 1;
}

static void setNorm(crStepper* stepper, const crProblem* problem)
{
  memcpy(stepper->absTol, problem->absTol, (size_t)problem->n * sizeof(double));
  setActive(stepper, problem->structure);
}

static void clearVectors(crStepper* stepper, int first)
{
  size_t size = (spaceStates(stepper->n) - (size_t)first) * sizeof(double);
  for (int k = 0; k < CR_WORK_VECTORS; ++k) {
    memset(stepper->vectors[k] + first, 0, size);
  }
}

// Explicit and implicit steps use the working space in ways of their own: what the others, or those of another number
// of states, have left behind the last state, or behind the last one of the core, must not be taken for numbers.
static void clearSpace(crStepper* stepper, crStepKind kind)
{
  bool isImplicit = kind == cr_stepRadau5, isPair = kind == cr_stepDopri5 || kind == cr_stepDop853;
  int first = isPair ? stepper->n : 0;
  if (first < stepper->clearFrom) {
    clearVectors(stepper, first);
    stepper->clearFrom = first;
  }
  if (isImplicit != stepper->wasImplicit) {
    clearVectors(stepper, isImplicit ? 0 : stepper->n);
  }
  stepper->wasImplicit = isImplicit;
}

static crStatus prepare(crStepper* stepper, const crProblem* problem, double relTol, crStepKind kind,
                        const crSegment* segment)
{
  crStatus status = crStepper_Place(stepper, problem->n);
  if (status != cr_ok) {
    return status;
  }
  stepper->held.isHeld = false;
  if (problem->computeNext == NULL) { // norms in lanes have no need of it
    setNorm(stepper, problem);
  }
  stepper->goesOn = stepper->goesOn && kind == cr_stepRkc2;
  clearSpace(stepper, kind);
  switch (kind) {
    case cr_stepRadau5: return crRadau5_Prepare(stepper, problem, relTol, segment);
    case cr_stepRkc2: crRkc2_Prepare(stepper, problem, segment); return cr_ok;
    default: crDopri5_Prepare(stepper, problem, segment); return cr_ok;
  }
}

// ------------------------------------------------------------------------------------------- first step

#define CR_BLIND_STEP 1e-6 // [s] when neither state nor rates say anything
#define CR_SMALL_NORM 1e-5 // of a state or rate in units of the tolerance: says nothing
#define CR_PROBES 8        // attempts to look ahead, each a tenth as far

// Root mean square of a - b (NULL: 0) in units of the tolerance.
static double computeNorm(const crStepper* stepper, const crSegment* segment, double relTol, const double* a,
                          const double* b)
{
  double sum = 0.0;
  for (int i = 0; i < stepper->n; ++i) {
    double weight = stepper->active[i] / (stepper->absTol[i] + relTol * fabs(segment->y0[i]));
    double value = weight * (b != NULL ? a[i] - b[i] : a[i]);
    sum += value * value;
  }
  return sqrt(sum / stepper->activeCount);
}

// By the rule of [HairerNorsettWanner93] II.4, with one evaluation a little ahead.
static crStatus chooseFirstStep(crStepper* stepper, const crProblem* problem, double relTol, double limit, int order,
                                const crSegment* segment, double* outStep)
{
  double *y = stepper->inner.y0, *rates = stepper->inner.f0;
  setNorm(stepper, problem);
  double size = computeNorm(stepper, segment, relTol, segment->y0, NULL);
  double speed = computeNorm(stepper, segment, relTol, segment->f0, NULL), bend = 0.0;
  double look = size < CR_SMALL_NORM || speed < CR_SMALL_NORM ? CR_BLIND_STEP : 0.01 * size / speed;
  look = fmin(look, limit);
  for (int probe = 0; probe < CR_PROBES; ++probe) {
    for (int i = 0; i < stepper->n; ++i) {
      y[i] = segment->y0[i] + look * segment->f0[i];
    }
    crStatus status = crStepper_Eval(stepper, problem, segment->t0 + look, y, rates);
    if (status < 0) {
      return status;
    }
    bend = computeNorm(stepper, segment, relTol, rates, segment->f0) / look;
    if (status == cr_ok && isfinite(bend)) {
      break;
    }
    bend = 0.0;
    look *= 0.1;
  }
  double strength = fmax(speed, bend);
  double step = strength <= 1e-15 ? fmax(CR_BLIND_STEP, 1e-3 * look) : crPow(0.01 / strength, 1.0 / (order + 1));
  *outStep = fmin(fmin(100.0 * look, step), limit);
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- control

// Logarithm and power of 2, good for three digits, which is more than step sizes need; those of the C library take
// longer than a stage of one body.
static double computeRoughLog2(double x)
{
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  double exponent = (double)((bits >> 52) - 1023);
  bits = (bits & 0xfffffffffffff) | 0x3ff0000000000000;
  double m;
  memcpy(&m, &bits, sizeof m);
  return exponent + (m - 1.0) * (1.4249 + (m - 1.0) * (-0.5849 + (m - 1.0) * 0.16));
}

static double computeRoughExp2(double x)
{
  double whole = floor(x), rest = x - whole;
  int64_t bits = ((int64_t)whole + 1023) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return power * (1.0 + rest * (0.6951 + rest * (0.2276 + rest * 0.0773)));
}

// The step to take next, from an attempt whose error is known, and that before it.
static double chooseExplicit(const crAttempt* attempt, const crStepMemory* memory)
{
  bool isGood = attempt->error <= 1.0, isHigh = memory->kind == cr_stepDop853;
  double before = memory->lastError > 0.0 ? memory->lastError : CR_EXPLICIT_MEMORY;
  double error = attempt->error > CR_SMALLEST_ERROR ? attempt->error : CR_SMALLEST_ERROR;
  double power = isHigh ? -0.125 * computeRoughLog2(error)
                        : -0.17 * computeRoughLog2(error) + (isGood ? 0.04 * computeRoughLog2(before) : 0.0);
  double factor = CR_SAFETY * computeRoughExp2(fmin(power, 10.0));
  double growth = memory->isDear && memory->isBrief ? CR_HIGH_GROWTH : CR_EXPLICIT_GROWTH;
  double largest = isGood && attempt->wasRejected ? 1.0 : growth;
  return attempt->h * fmin(fmax(factor, CR_EXPLICIT_SHRINK), largest);
}

static double chooseImplicit(const crAttempt* attempt, const crStepMemory* memory, int iterationLimit)
{
  bool isGood = attempt->error < 1.0;
  if (!isGood && attempt->isFirst) {
    return CR_FIRST_SHRINK * attempt->h;
  }
  double error = fmax(attempt->error, CR_SMALLEST_ERROR);
  double safety = CR_SAFETY * (1 + 2 * iterationLimit) / (attempt->iterations + 2 * iterationLimit);
  double factor = fmin(fmax(safety / sqrt(sqrt(error)), CR_IMPLICIT_SHRINK), CR_IMPLICIT_GROWTH);
  if (isGood && !attempt->isFirst) {
    double predicted = CR_SAFETY * attempt->h / memory->lastStep * sqrt(sqrt(memory->lastError / (error * error)));
    factor = fmin(factor, fmax(predicted, CR_IMPLICIT_SHRINK));
  }
  return attempt->h * (isGood && attempt->wasRejected ? fmin(factor, 1.0) : factor);
}

// By the last two errors, which are of order 3.
static double chooseStabilized(const crAttempt* attempt, const crStepMemory* memory)
{
  bool isGood = attempt->error < 1.0;
  double error = fmax(attempt->error, CR_SMALLEST_ERROR), root = crCbrt(error);
  double factor = CR_SAFETY / root;
  if (isGood && !attempt->isFirst && memory->lastError > 0.0) {
    factor = fmin(factor, CR_SAFETY * attempt->h / memory->lastStep * crCbrt(memory->lastError) / (root * root));
  }
  factor = fmin(fmax(factor, CR_IMPLICIT_SHRINK), CR_EXPLICIT_GROWTH);
  return attempt->h * (isGood && attempt->wasRejected ? fmin(factor, 1.0) : factor);
}

static double chooseNext(const crAttempt* attempt, const crStepMemory* memory)
{
  switch (memory->kind) {
    case cr_stepRadau5: return chooseImplicit(attempt, memory, CR_NEWTON_LIMIT);
    case cr_stepRkc2: return chooseStabilized(attempt, memory);
    default: return chooseExplicit(attempt, memory);
  }
}

static void countStiffness(const crAttempt* attempt, crStepMemory* memory)
{
  bool isLimit = attempt->error > CR_STIFF_ERROR; // else the step still grows
  double limit = memory->kind == cr_stepDop853 ? CR_STIFF_LIMIT8 : CR_STIFF_LIMIT;
  if (isLimit && attempt->stiffness > limit * limit) {
    ++memory->stiffHits;
    memory->calmSteps = 0;
  } else if (++memory->calmSteps >= CR_CALM_STEPS) {
    memory->stiffHits = 0;
  }
}

// What is left of the implicit equations for the next step, and the step that goes with it.
static double keep(crStepper* stepper, const crAttempt* attempt, bool isAlone, double next)
{
  crKept* kept = &stepper->kept;
  bool isGood = isAlone && (attempt->iterations == 1 || kept->rate <= (stepper->isDear ? CR_DEAR_RATE : CR_KEEP_RATE));
  kept->hasJacobian = kept->hasJacobian && isGood;
  kept->isFresh = false;
  kept->hasFactors = kept->hasFactors && isGood;
  bool isNear = next >= attempt->h && next <= CR_KEEP_GROWTH * attempt->h;
  return kept->hasFactors && isNear ? attempt->h : next;
}

static void remember(crStepper* stepper, const crAttempt* attempt, double planned, double next, crStepMemory* memory)
{
  if (memory->kind == cr_stepRadau5) {
    next = keep(stepper, attempt, memory->isAlone, next);
    memory->lastError = fmax(attempt->error, CR_IMPLICIT_MEMORY);
  } else if (memory->kind == cr_stepRkc2) {
    memory->lastError = fmax(attempt->error, CR_IMPLICIT_MEMORY);
    memory->stages = attempt->iterations;
  } else {
    countStiffness(attempt, memory);
    memory->lastError = fmax(attempt->error, CR_EXPLICIT_MEMORY);
  }
  if (memory->isDear && memory->kind == cr_stepDopri5) {
    bool isRough = attempt->wasRejected && memory->lowSteps < CR_LOW_STEPS;
    memory->lowSteps = isRough ? CR_LOW_STEPS : memory->lowSteps - (memory->lowSteps > 0 && !attempt->wasRejected);
  }
  memory->lastStep = attempt->h;
  memory->h = attempt->h < planned && !attempt->wasRejected ? fmax(next, planned) : next; // where tMax cut it short
}

// ----------------------------------------------------------------------------------------------- steps

typedef struct Task {
  const crProblem* problem;
  double relTol, tMax;
  const crSegment* guess;
} Task;

static crStatus tryMethod(crStepper* stepper, const Task* task, const crSegment* segment, crStepMemory* memory,
                          crAttempt* attempt)
{
  switch (memory->kind) {
    case cr_stepRadau5: return crRadau5_Try(stepper, task->problem, task->guess, segment, attempt);
    case cr_stepRkc2: return crRkc2_Try(stepper, task->problem, task->relTol, segment, memory, attempt);
    case cr_stepDop853: return crDop853_Try(stepper, task->problem, task->relTol, segment, memory, attempt);
    default: return crDopri5_Try(stepper, task->problem, task->relTol, segment, attempt);
  }
}

// Of the k-th follower that is watched, by the last attempt.
static double estimateFollower(const crStepper* stepper, const Task* task, const crSegment* segment, crStepKind kind,
                               int k)
{
  const crStructure* structure = task->problem->structure;
  int follower = structure->watched[k];
  switch (kind) {
    case cr_stepRadau5: return crRadau5_EstimateFollower(stepper, task->guess, segment, follower);
    case cr_stepRkc2: return crRkc2_EstimateWatched(stepper, structure, k);
    case cr_stepDop853: return crDop853_EstimateFollower(stepper, follower);
    default: return crDopri5_EstimateFollower(stepper, follower);
  }
}

// Nothing depends on followers, so that their errors are measured one by one, and not in the mean with all others.
static crStatus addFollowers(const crStepper* stepper, const Task* task, const crSegment* segment, crStepKind kind,
                             crAttempt* attempt)
{
  const crStructure* structure = task->problem->structure;
  for (int k = 0; structure != NULL && k < structure->watchedCount; ++k) {
    int i = structure->watched[k];
    double error = fabs(estimateFollower(stepper, task, segment, kind, k));
    error /= task->problem->absTol[i] + task->relTol * fabs(segment->y0[i]);
    attempt->error = error <= attempt->error ? attempt->error : error; // fmax would leave out what is no number
  }
  return isfinite(attempt->error) ? cr_ok : cr_retry;
}

static crStatus tryStep(crStepper* stepper, const Task* task, const crSegment* segment, crStepMemory* memory,
                        crAttempt* attempt)
{
  attempt->shrink = 0.0;
  attempt->errorBefore = attempt->error;
  attempt->error = NAN;
  stepper->triedStep = attempt->h;
  crStatus status = tryMethod(stepper, task, segment, memory, attempt);
  bool isSolved = status == cr_ok && attempt->shrink == 0.0;
  return isSolved ? addFollowers(stepper, task, segment, memory->kind, attempt) : status;
}

static crStatus finishMethod(crStepper* stepper, const Task* task, const crAttempt* attempt, const crStepMemory* memory,
                             crSegment* segment)
{
  const crStructure* structure = task->problem->structure;
  bool hasSpins = structure != NULL && structure->spinCount > 0;
  switch (memory->kind) {
    case cr_stepRadau5: return crRadau5_Finish(stepper, task->problem, attempt, segment);
    case cr_stepDop853: return crDop853_Finish(stepper, task->problem, memory->isLazy && !hasSpins, segment);
    case cr_stepRkc2: return crRkc2_Finish(stepper, task->problem, segment);
    default: crDopri5_Finish(stepper, task->problem, attempt, segment); return cr_ok;
  }
}

static crStatus finishStep(crStepper* stepper, const Task* task, const crAttempt* attempt, const crStepMemory* memory,
                           double t1, crSegment* segment)
{
  segment->kind = memory->kind;
  segment->t1 = t1;
  segment->isDense = true;
  segment->isLazy = false;
  segment->isBrief = memory->kind == cr_stepDop853 && memory->isBrief;
  segment->isFlat = segment->isFlat && memory->kind == cr_stepRkc2;
  crStatus status = finishMethod(stepper, task, attempt, memory, segment);
  if (status == cr_ok && task->problem->structure != NULL) {
    crSegment_FinishSpins(segment, task->problem->structure, task->problem->crew);
  }
  return status;
}

// By integrals over a step of what is known at its ends, too: stages may miss what is between them, and the error of a
// kink is a hundred times the estimate of a method, which may be next to 0. For methods that evaluate the end last.
static bool isRefused(const crStepper* stepper, const Task* task, const crSegment* step, double smallest, bool isDear,
                      crAttempt* attempt)
{
  const crStageSums* sums = task->problem->sums;
  bool isStabilized = step->kind == cr_stepRkc2 && !stepper->isInLanes;
  bool isJudged = (step->kind == cr_stepDopri5 || step->kind == cr_stepRadau5 || isStabilized || step->isBrief) &&
                  sums != NULL && sums->judge != NULL;
  if (!isJudged || attempt->refusals == CR_MAX_REFUSALS || attempt->h < CR_LEAST_REFUSED * smallest) {
    return false;
  }
  double error = sums->judge(task->problem->context, task->relTol, step);
  if (isStabilized) { // which has nothing else that tells of its energy: the next step is chosen by it, too
    error = fmax(error, stepper->nodeError);
    attempt->error = fmax(attempt->error, error);
  }
  if (!(error >= 1.0)) {
    return false;
  }
  double change = attempt->refusals > 0 ? fabs(error - attempt->jump) / attempt->jump : HUGE_VAL;
  attempt->jumps = change < CR_JUMP_CHANGE ? attempt->jumps + 1 : 0;
  attempt->jump = error;
  if (isDear && attempt->jumps >= CR_JUMPS) { // shorter is no better
    attempt->refusals = CR_MAX_REFUSALS - 1;
  }
  attempt->error = error;
  attempt->refusedStep = attempt->refusals++ == 0 ? attempt->h : attempt->refusedStep;
  return true;
}

// Where f is dear.
static double chooseAtKink(crAttempt* attempt, crStepMemory* memory)
{
  double next = chooseExplicit(attempt, memory);
  if (memory->isBrief && memory->lowStep > 0.0) {
    bool isLow = attempt->wasRejected || attempt->error > CR_HIGH_KINK || next < CR_HIGH_LEAST * memory->lowStep;
    if (isLow) {
      memory->kind = cr_stepDopri5;
      memory->isBrief = false;
      memory->lowSteps = CR_LOW_STEPS;
      attempt->refusals = 0; // these were of steps that are not to come back
      attempt->refusedStep = 0.0;
    }
    return isLow ? memory->lowStep : next;
  }
  if (!attempt->wasRejected && attempt->error <= CR_KINK_ERROR) {
    return next;
  }
  double factor = CR_SAFETY * computeRoughExp2(-CR_KINK_POWER * computeRoughLog2(attempt->error));
  return attempt->h * fmin(fmax(factor, CR_KINK_SHRINK), CR_KINK_MOST);
}

// The step to try after one that was no good.
static double chooseAfterFailure(crStepper* stepper, crAttempt* attempt, crStatus status, crStepMemory* memory)
{
  crKept* kept = &stepper->kept;
  kept->hasJacobian = kept->hasJacobian && kept->isFresh;
  if (status == cr_retry) {
    return CR_REFUSED_SHRINK * attempt->h;
  }
  if (attempt->shrink > 0.0) {
    return attempt->shrink * attempt->h;
  }
  bool isPair = memory->kind == cr_stepDopri5 || memory->kind == cr_stepDop853;
  return memory->isDear && isPair ? chooseAtKink(attempt, memory) : chooseNext(attempt, memory);
}

// Attempts with smaller and smaller steps, until one is good.
static crStatus takeStep(crStepper* stepper, const Task* task, double h, crStepMemory* memory, crSegment* segment)
{
  double t0 = segment->t0, smallest = CR_SMALLEST_STEP * DBL_EPSILON * fabs(t0), planned = h;
  crAttempt attempt = { .isFirst = memory->lastError == 0.0 };
  crStatus status = cr_ok;
  h = fmax(h, smallest);
  for (int i = 0; i < CR_MAX_ATTEMPTS; ++i) {
    bool isLast = t0 + CR_STRETCH * h >= task->tMax;
    double t1 = isLast ? task->tMax : t0 + h;
    attempt.h = t1 - t0;
    if (attempt.h < 0.5 * smallest && (i > 0 || !isLast)) { // half of it: times are rounded
      break;
    }
    status = tryStep(stepper, task, segment, memory, &attempt);
    if (status == cr_ok && attempt.shrink == 0.0 && attempt.error < 1.0) {
      status = finishStep(stepper, task, &attempt, memory, t1, segment);
      if (status == cr_ok && !isRefused(stepper, task, segment, smallest, memory->isDear, &attempt)) {
        remember(stepper, &attempt, isLast ? planned : 0.0, chooseNext(&attempt, memory), memory);
        return cr_ok;
      }
    }
    if (status < 0) {
      return status;
    }
    ++stepper->counts.rejectedSteps;
    h = chooseAfterFailure(stepper, &attempt, status, memory);
    attempt.wasRejected = true;
    if (attempt.refusals == CR_MAX_REFUSALS &&
        attempt.refusedStep > 0.0) { // where there is a jump, shorter is no better
      h = attempt.refusedStep;
      attempt.refusedStep = 0.0;
    }
  }
  return status == cr_retry ? cr_retry : cr_failNumerics;
}

crStatus crStepper_Step(crStepper* stepper, const crProblem* problem, double relTol, double tMax,
                        const crSegment* before, crStepMemory* memory, crSegment* segment)
{
  if (!(tMax > segment->t0)) {
    return cr_errorMisuse;
  }
  if (!memory->isAlone || memory->isChanged) {
    stepper->kept = (crKept){ 0 };
    stepper->goesOn = false;
  }
  memory->isChanged = false;
  memory->hasDirection = memory->hasDirection && memory->isAlone && problem->n == stepper->n;
  crStatus status = prepare(stepper, problem, relTol, memory->kind, segment);
  double h = memory->h;
  if (status == cr_ok && !(h > 0.0)) {
    int order = memory->kind == cr_stepDop853 ? 8 : 5;
    status = chooseFirstStep(stepper, problem, relTol, tMax - segment->t0, order, segment, &h);
  }
  if (status != cr_ok) {
    return status;
  }
  Task task = { problem, relTol, tMax, before };
  status = takeStep(stepper, &task, h, memory, segment);
  stepper->counts.steps += status == cr_ok;
  stepper->counts.stepsOf[memory->kind] += status == cr_ok;
  return status;
}

crStatus crStepper_MakeDense(crStepper* stepper, const crProblem* problem, crSegment* segment)
{
  if (!segment->isLazy) {
    return cr_ok;
  }
  crStatus status = crStepper_Place(stepper, problem->n);
  if (status != cr_ok) {
    return status;
  }
  clearSpace(stepper, cr_stepDop853);
  return crDop853_MakeDense(stepper, problem, segment);
}

bool crStepper_GetErrors(const crStepper* stepper, const crProblem* problem, crStepKind kind, double relTol,
                         double* outErrors)
{
  if (stepper->n != problem->n) {
    return false;
  }
  memset(outErrors, 0, (size_t)problem->n * sizeof *outErrors);
  if (kind == cr_stepRadau5) {
    crRadau5_GetErrors(stepper, outErrors);
  } else if (kind == cr_stepRkc2) {
    crRkc2_GetErrors(stepper, problem, relTol, outErrors);
  } else {
    (kind == cr_stepDop853 ? crDop853_GetErrors : crDopri5_GetErrors)(stepper, relTol, outErrors);
  }
  return true;
}

// ------------------------------------------------------------------------------------------------ redo

// Keeps the states at the two nodes inside the whole step, where this part of it has them.
static void sample(crStepper* stepper, double t0, double h)
{
  const crSegment* inner = &stepper->inner;
  double times[2] = { t0 + (1.0 + CR_RADAU_B) * h, t0 + (1.0 + CR_RADAU_A) * h };
  double* samples[2] = { stepper->sample0, stepper->sample1 };
  for (int s = 0; s < 2; ++s) {
    if (times[s] > inner->t0 && times[s] <= inner->t1) {
      crSegment_Interpolate(inner, times[s], 0, inner->n, samples[s]);
    }
  }
}

// The cubic of a step that took several: through both ends and the samples, or the rates at the ends.
static void fitCubic(const crStepper* stepper, const crStructure* structure, crSegment* segment)
{
  segment->isDense = segment->isLazy = segment->isFlat = false;
  for (int i = 0; i < segment->n; ++i) {
    if (segment->kind == cr_stepRadau5) {
      double y0 = segment->y0[i];
      crRadau5_SetRows(segment, i, stepper->sample0[i] - y0, stepper->sample1[i] - y0, segment->y1[i] - y0);
    } else {
      crSegment_SetCubic(segment, i);
    }
  }
  for (int i = 0; structure != NULL && i < structure->spinCount; ++i) {
    for (int k = 0; k < 4; ++k) {
      crSegment_SetCubic(segment, structure->spins[i].quaternion + k);
    }
  }
}

static void copyStart(crSegment* to, double t, const double* y, const double* f)
{
  to->t0 = t;
  memcpy(to->y0, y, (size_t)to->n * sizeof *y);
  memcpy(to->f0, f, (size_t)to->n * sizeof *f);
}

static void copyEnd(crSegment* to, const crSegment* from)
{
  size_t size = (size_t)to->n * sizeof(double);
  to->t1 = from->t1;
  to->kind = from->kind;
  to->isDense = from->isDense;
  to->isLazy = from->isLazy;
  to->isBrief = from->isBrief;
  memcpy(to->y1, from->y1, size);
  memcpy(to->f1, from->f1, size);
  memcpy(to->dense, from->dense, (crSegment_CountUsed(from) - 4 * (size_t)to->n) * sizeof(double));
  to->isFlat = from->isFlat;
}

// From the end of the inner segment on, until t1.
static crStatus takeRest(crStepper* stepper, const Task* task, double t0, crStepMemory* memory)
{
  crSegment* inner = &stepper->inner;
  memory->isLazy = true; // nobody reads the polynomials of parts
  for (int i = 0; inner->t1 < task->tMax; ++i) {
    if (task->problem->sums != NULL) {
      task->problem->sums->keep(task->problem->context, inner->t1 - inner->t0);
    }
    copyStart(inner, inner->t1, inner->y1, inner->f1);
    stepper->kept = (crKept){ 0 };
    crStatus status =
        i < CR_MAX_REDO_STEPS ? prepare(stepper, task->problem, task->relTol, memory->kind, inner) : cr_failNumerics;
    if (status == cr_ok) {
      status = takeStep(stepper, task, memory->h, memory, inner);
    }
    if (status != cr_ok) {
      return status;
    }
    sample(stepper, t0, task->tMax - t0);
  }
  return cr_ok;
}

crStatus crStepper_Redo(crStepper* stepper, const crProblem* problem, double relTol, double t1,
                        const crStepMemory* memory, crSegment* segment)
{
  if (!(t1 > segment->t0 && isfinite(t1))) {
    return cr_errorMisuse;
  }
  ++stepper->counts.redos;
  if (t1 == segment->t1) {
    return cr_ok; // there already, by the same step
  }
  stepper->kept = (crKept){ 0 };
  crStatus status = prepare(stepper, problem, relTol, segment->kind, segment);
  if (status != cr_ok) {
    return status;
  }
  crStepMemory own = crStartMemory(segment->kind, 0.0);
  own.radius = memory->radius;
  own.isLazy = memory->isLazy;
  own.isBrief = segment->isBrief;
  own.isDear = memory->isDear;
  Task task = { problem, relTol, t1, segment };
  crSegment* inner = &stepper->inner;
  copyStart(inner, segment->t0, segment->y0, segment->f0);
  status = takeStep(stepper, &task, t1 - segment->t0, &own, inner);
  bool isWhole = status == cr_ok && inner->t1 == t1;
  if (status == cr_ok && !isWhole) {
    sample(stepper, segment->t0, t1 - segment->t0);
    status = takeRest(stepper, &task, segment->t0, &own);
  }
  stepper->kept = (crKept){ 0 };
  if (status != cr_ok) {
    return status;
  }
  copyEnd(segment, inner);
  if (!isWhole) {
    fitCubic(stepper, problem->structure, segment);
  }
  return cr_ok;
}
