// A track of another library; see the header.
#include "island/multistep.h"

#include "base/report.h"
#include "island/island.h"
#include "model/loop/loop.h"

#include <stdio.h>
#include <string.h>

#define CR_UNCONTROLLED 1e100 // absolute tolerance of what must not choose steps
#define CR_UNCHOSEN 1e6       // likewise, of multipliers, by whose size Jacobians differ them
#define CR_SAMPLES 4          // states inside a step
#define CR_CREEP 1e-7         // [-] of the run's duration: steps as short as this get nowhere
#define CR_CREEPING_STEPS 500 // one after the other, at a singular position of a loop

// Steps one after the other that were asked for in the same way.
typedef struct Stretch {
  double limit;     // [s] where each had to stop
  bool isCompleted; // crInstance_CompleteStep was told of each
  int count;
} Stretch;

struct crMultistep {
  crIsland* island;
  crSolver* solver;
  crProblem problem;
  crSparsity sparsity;
  int* columnStarts;        // (n + 1)
  int* rows;                // (rowCapacity)
  int rowCapacity;          // entries that there is room for
  int stateCount;           // of the model,
  int balanceCount;         // of energies behind them,
  int multiplierCount;      // and behind those of the residual form of loops: forces, and what stabilizes
  int n;                    // all of them
  double* absTol;           // (n)
  double* y;                // (n) scratch
  double* start;            // (n) where the method started last,
  double startTime;         // [s]
  double firstStep;         // [s] with this limit; 0: none
  crCutMemory* cuts;        // (crCountCuts) what cut joints remembered there: which turn it is
  crArrayOf(double) stops;  // [s] where it was told to stop since, and did
  crArrayOf(Stretch) taken; // all steps since
  bool isStarted;
  crSolverStatistics before; // of those for fewer states
  int creepingSteps;         // tiny ones at a singular position of a loop, one after the other
  char name[CR_MAX_PATH + 64];
};

// ---------------------------------------------------------------------------------------------- problem

static crTreeSet enter(crMultistep* multistep)
{
  crTreeSet set = crIsland_GetSet(multistep->island);
  crInstance_SetPhase(multistep->island->owner->instance, set, multistep->island->phase);
  return set;
}

static void readPowers(const crMultistep* multistep, crTreeSet set, double outPowers[CR_BALANCE_COUNT])
{
  crPowers powers = crComputePowers(multistep->island->owner->instance, set);
  outPowers[cr_balanceDissipated] = powers.dissipation;
  outPowers[cr_balanceWork] = powers.work;
}

static crStatus computeRates(void* context, double t, const double* y, double* outRates)
{
  crMultistep* multistep = context;
  crInstance* instance = multistep->island->owner->instance;
  crTreeSet set = enter(multistep);
  crContacts* contacts = multistep->island->contacts;
  crContacts_SetBristles(contacts, y + multistep->island->treeStates);
  crStatus status = crComputeRates(instance, set, t, y, outRates);
  if (status == cr_ok) {
    crContacts_GetBristleRates(contacts, outRates + multistep->island->treeStates);
  }
  if (multistep->balanceCount > 0 && status == cr_ok) {
    readPowers(multistep, set, outRates + multistep->stateCount);
  }
  if (multistep->multiplierCount > 0 && status == cr_ok) { // forces, and nothing to stabilize
    double* rates = outRates + multistep->n - multistep->multiplierCount;
    memset(rates, 0, (size_t)multistep->multiplierCount * sizeof *rates);
    crInstance_GetMultipliers(instance, set, rates);
  }
  return status;
}

static crStatus computeResidual(void* context, double t, const double* y, const double* yp, double* outResidual)
{
  crMultistep* multistep = context;
  crInstance* instance = multistep->island->owner->instance;
  crTreeSet set = enter(multistep);
  int multipliers = multistep->n - multistep->multiplierCount; // where they are
  crContacts_SetBristles(set.contacts, y + multistep->island->treeStates);
  crStatus status =
      crInstance_ComputeRateResidual(instance, set, t, y, yp, yp + multipliers, outResidual, outResidual + multipliers);
  if (status == cr_ok && set.contacts->bristleCount > 0) {
    double* own = outResidual + multistep->island->treeStates;
    crContacts_GetBristleRates(set.contacts, own);
    for (int i = 0; i < set.contacts->bristleCount; ++i) {
      own[i] = yp[multistep->island->treeStates + i] - own[i];
    }
  }
  if (multistep->balanceCount > 0 && status == cr_ok) {
    bool hasMotion = multistep->island->hasMotions; // whose forces are known with accelerations
    status = crInstance_Eval(instance, set, hasMotion ? cr_stageAcceleration : cr_stageForce);
    double powers[CR_BALANCE_COUNT];
    readPowers(multistep, set, powers);
    for (int i = 0; i < CR_BALANCE_COUNT; ++i) {
      outResidual[multistep->stateCount + i] = yp[multistep->stateCount + i] - powers[i];
    }
  }
  return status;
}

static crStatus project(void* context, double t, double* y)
{
  crMultistep* multistep = context;
  crTreeSet set = enter(multistep);
  return crInstance_Project(multistep->island->owner->instance, set, t, crIsland_GetDriftLimit(multistep->island), y);
}

static const char* nameOf(void* context, int component)
{
  crMultistep* multistep = context;
  bool isKnown = crModel_GetStateName(multistep->island->owner->model, crIsland_GetSet(multistep->island), component,
                                      multistep->name, sizeof multistep->name);
  return isKnown ? multistep->name : NULL;
}

// All entries.
static int fillAll(int n, int* columnStarts, int* rows)
{
  for (int j = 0; rows != NULL && j < n; ++j) {
    columnStarts[j + 1] = (j + 1) * n;
    for (int i = 0; i < n; ++i) {
      rows[j * n + i] = i;
    }
  }
  if (columnStarts != NULL) {
    columnStarts[0] = 0;
  }
  return n * n;
}

// Counts entries where there are no rows yet.
static int getSparsity(const crMultistep* multistep, int* columnStarts, int* rows)
{
  const crIslands* islands = multistep->island->owner;
  crTreeSet set = crIsland_GetSet(multistep->island);
  int count = 0;
  if (multistep->multiplierCount > 0 && set.contacts->bristleCount > 0) { // rare, and not worth a pattern of its own
    return fillAll(multistep->n, columnStarts, rows);
  }
  if (multistep->multiplierCount > 0) {
    crInstance_GetLoopSparsity(islands->instance, set, multistep->balanceCount, columnStarts, rows, &count);
    return count;
  }
  crModel_GetSparsity(islands->model, set, columnStarts, rows, &count);
  crContacts_AddBristlePattern(set.contacts, set, islands->stateStarts, columnStarts, rows, &count);
  for (int i = multistep->stateCount; rows != NULL && i < multistep->n; ++i) { // energies act on nothing
    rows[count++] = i;
    columnStarts[i + 1] = count;
  }
  return rows != NULL ? count : count + multistep->balanceCount;
}

// Entries of the Jacobian, as trees are coupled now.
static crStatus fillSparsity(crMultistep* multistep)
{
  int count = getSparsity(multistep, NULL, NULL);
  if (!crReserve(&multistep->island->owner->allocator, &multistep->rows, &multistep->rowCapacity, count,
                 sizeof *multistep->rows)) {
    return cr_errorMemory;
  }
  getSparsity(multistep, multistep->columnStarts, multistep->rows);
  multistep->sparsity = (crSparsity){ multistep->n, multistep->columnStarts, multistep->rows };
  return cr_ok;
}

// ----------------------------------------------------------------------------------------------- create

// Solvers take the root mean square of all errors: those that do not count must not make the others smaller.
static double shareOfNorm(const crMultistep* multistep)
{
  return multistep->stateCount > 0 ? sqrt((double)multistep->stateCount / (double)multistep->n) : 1.0;
}

static void findTolerances(crMultistep* multistep)
{
  const crIsland* island = multistep->island;
  for (int i = 0; i < multistep->n; ++i) {
    bool isWork = i == multistep->stateCount + cr_balanceWork && island->hasMotions;
    multistep->absTol[i] = i < multistep->stateCount ? island->problem.absTol[i] * shareOfNorm(multistep)
                           : i >= multistep->n - multistep->multiplierCount ? CR_UNCHOSEN
                           : isWork                                         ? island->problem.absTol[i]
                                                                            : CR_UNCONTROLLED;
  }
}

static void describe(crMultistep* multistep)
{
  multistep->problem = (crProblem){ .n = multistep->n,
                                    .context = multistep,
                                    .computeRates = computeRates,
                                    .computeResidual = computeResidual,
                                    .project = multistep->island->hasLoops ? project : NULL,
                                    .pattern = &multistep->sparsity,
                                    .absTol = multistep->absTol,
                                    .nameOf = nameOf };
}

static size_t countCuts(const crMultistep* multistep)
{
  return (size_t)crCountCuts(multistep->island->owner->model) + 1;
}

static crStatus allocate(crMultistep* multistep)
{
  const crIslands* islands = multistep->island->owner;
  const crAllocator* allocator = &islands->allocator;
  size_t count = (size_t)multistep->n;
  multistep->absTol = crAllocateZero(allocator, count, sizeof(double));
  multistep->y = crAllocateZero(allocator, count, sizeof(double));
  multistep->start = crAllocateZero(allocator, count, sizeof(double));
  multistep->columnStarts = crAllocateZero(allocator, count + 1, sizeof(int));
  multistep->cuts = crAllocateZero(allocator, countCuts(multistep), sizeof *multistep->cuts);
  bool hasMemory = multistep->absTol != NULL && multistep->y != NULL && multistep->start != NULL &&
                   multistep->columnStarts != NULL && multistep->cuts != NULL;
  return hasMemory ? cr_ok : cr_errorMemory;
}

static crStatus createSolver(crMultistep* multistep, crSolverKind kind)
{
  const crIslands* islands = multistep->island->owner;
  double relTol = islands->relTol * shareOfNorm(multistep), maxStep = islands->run->options.maxStep;
  return crCreateSolver(kind, &multistep->problem, relTol, maxStep, &islands->allocator, &islands->run->sink,
                        &multistep->solver);
}

static crMultistep* makeTrack(crIsland* island)
{
  crMultistep* multistep = crAllocateZero(&island->owner->allocator, 1, sizeof *multistep);
  if (multistep != NULL) {
    multistep->island = island;
    multistep->stateCount = island->stateCount;
    multistep->balanceCount = island->n - island->stateCount;
    multistep->n = island->n;
  }
  return multistep;
}

static crStatus create(crIsland* island, crSolverKind kind, crMultistep** outMultistep)
{
  crMultistep* multistep = *outMultistep = makeTrack(island);
  if (multistep == NULL) {
    return cr_errorMemory;
  }
  if (crGetSolverInfo(kind)->usesResidual) {
    multistep->multiplierCount = 2 * crInstance_CountMultipliers(island->owner->instance, crIsland_GetSet(island));
    multistep->n = island->n + multistep->multiplierCount;
  }
  crStatus status = allocate(multistep);
  status = status == cr_ok ? fillSparsity(multistep) : status;
  if (status == cr_ok) {
    findTolerances(multistep);
    describe(multistep);
    status = createSolver(multistep, kind);
  }
  return status;
}

crStatus crFitMultistep(crIsland* island, crSolverKind kind, crMultistep** ioMultistep)
{
  crMultistep* old = *ioMultistep;
  if (old != NULL && old->stateCount == island->stateCount) {
    return cr_ok;
  }
  crSolverStatistics before = old != NULL ? crMultistep_GetStatistics(old) : (crSolverStatistics){ 0 };
  crDestroyMultistep(old);
  crStatus status = create(island, kind, ioMultistep);
  if (*ioMultistep != NULL) {
    (*ioMultistep)->before = before;
  }
  return status;
}

void crDestroyMultistep(crMultistep* multistep)
{
  if (multistep == NULL) {
    return;
  }
  const crAllocator* allocator = &multistep->island->owner->allocator;
  size_t count = (size_t)multistep->n;
  crDestroySolver(multistep->solver);
  crArray_Free(&multistep->taken, allocator);
  crArray_Free(&multistep->stops, allocator);
  crFree(allocator, multistep->rows, (size_t)multistep->rowCapacity * sizeof(int));
  crFree(allocator, multistep->cuts, countCuts(multistep) * sizeof *multistep->cuts);
  crFree(allocator, multistep->columnStarts, (count + 1) * sizeof(int));
  crFree(allocator, multistep->start, count * sizeof(double));
  crFree(allocator, multistep->y, count * sizeof(double));
  crFree(allocator, multistep->absTol, count * sizeof(double));
  crFree(allocator, multistep, sizeof *multistep);
}

// ------------------------------------------------------------------------------------------------ segments

// With q(s) = ((y(s) - y0) / s - d) / (1 - s), d = y1 - y0, a polynomial of degree 5 through y0, y1 and the samples is
// y0 + s (d + (1 - s) q(s)), q the cubic through its values at the samples; in the form of explicit segments
// q = b + s (c + (1 - s) (r0 + s r1)).
static void fitState(crSegment* segment, int i, const double samples[CR_SAMPLES])
{
  double d = segment->y1[i] - segment->y0[i], h = segment->t1 - segment->t0, q[CR_SAMPLES];
  for (int k = 0; k < CR_SAMPLES; ++k) {
    double s = (k + 1.0) / (CR_SAMPLES + 1.0);
    q[k] = ((samples[k] - segment->y0[i]) / s - d) / (1.0 - s);
  }
  // Newton's form on s = 1/5, 2/5, 3/5, 4/5, then its values at 0 and 1 and what is left over s (1 - s)
  double q1 = 5.0 * (q[1] - q[0]), q2 = 5.0 * (q[2] - q[1]), q3 = 5.0 * (q[3] - q[2]);
  double q12 = 2.5 * (q2 - q1), q23 = 2.5 * (q3 - q2), cube = 5.0 / 3.0 * (q23 - q12);
  double at0 = q[0] - 0.2 * (q1 - 0.4 * (q12 - 0.6 * cube));
  double at1 = q[0] + 0.8 * (q1 + 0.6 * (q12 + 0.4 * cube));
  double square = q12 - 1.2 * cube; // q = at0 + linear s + square s^2 + cube s^3
  double* r0 = segment->dense + i;
  segment->f0[i] = (at0 + d) / h;
  segment->f1[i] = (d - at1) / h; // b + c = at1
  r0[0] = -(square + cube);
  r0[segment->n] = -cube;
  r0[2 * (size_t)segment->n] = r0[3 * (size_t)segment->n] = 0.0;
}

// The end of the segment is where the solver is. Its polynomial is that of the solver, if one step did it.
static crStatus finishSegment(crMultistep* multistep, bool isWhole)
{
  crSegment* segment = &multistep->island->segment;
  int n = segment->n;
  double* samples[CR_SAMPLES];
  segment->kind = cr_stepDop853;
  segment->isLazy = false;
  segment->isDense = isWhole;
  segment->t1 = crSolver_GetTime(multistep->solver);
  memcpy(segment->y1, crSolver_GetState(multistep->solver), (size_t)n * sizeof(double));
  memcpy(segment->f1, crSolver_GetRates(multistep->solver), (size_t)n * sizeof(double));
  memset(segment->dense, 0, (size_t)CR_SAMPLES * (size_t)n * sizeof(double));
  for (int k = 0; isWhole && k < CR_SAMPLES; ++k) {
    double t = segment->t0 + (k + 1.0) / (CR_SAMPLES + 1.0) * (segment->t1 - segment->t0);
    crStatus status = crSolver_Interpolate(multistep->solver, t, multistep->y);
    if (status != cr_ok) {
      return status;
    }
    samples[k] = segment->dense + (size_t)k * (size_t)n;
    memcpy(samples[k], multistep->y, (size_t)n * sizeof(double));
  }
  for (int i = 0; isWhole && i < n; ++i) {
    double own[CR_SAMPLES] = { samples[0][i], samples[1][i], samples[2][i], samples[3][i] };
    fitState(segment, i, own);
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------------------- steps

void crMultistep_Restart(crMultistep* multistep, double firstStep)
{
  multistep->isStarted = false;
  multistep->firstStep = firstStep;
}

static void keepCuts(crMultistep* multistep, bool keeps)
{
  crInstance* instance = multistep->island->owner->instance;
  for (int k = 0; k < multistep->island->treeCount; ++k) {
    int tree = multistep->island->trees[k];
    if (keeps) {
      crInstance_KeepCuts(instance, tree, multistep->cuts);
    } else {
      crInstance_RestoreCuts(instance, tree, multistep->cuts);
    }
  }
}

static crStatus restart(crMultistep* multistep)
{
  multistep->stops.count = multistep->taken.count = 0;
  crStatus status = crSolver_Restart(multistep->solver, multistep->startTime, multistep->start, multistep->firstStep);
  multistep->isStarted = status == cr_ok;
  return status;
}

// From the start of the segment on, with what is coupled there.
static crStatus startHere(crMultistep* multistep)
{
  const crSegment* segment = &multistep->island->segment;
  multistep->startTime = segment->t0;
  memset(multistep->start, 0, (size_t)multistep->n * sizeof(double));
  memcpy(multistep->start, segment->y0, (size_t)segment->n * sizeof(double));
  keepCuts(multistep, true);
  crStatus status = fillSparsity(multistep);
  status = status == cr_ok ? crSolver_SetPattern(multistep->solver, &multistep->sparsity) : status;
  return status == cr_ok ? restart(multistep) : status;
}

static crStatus keepStop(crMultistep* multistep, double t)
{
  double* place = crArray_Push(&multistep->stops, &multistep->island->owner->allocator);
  if (place == NULL) {
    return cr_errorMemory;
  }
  *place = t;
  return cr_ok;
}

// One more of those that are kept in mind.
static crStatus noteStep(crMultistep* multistep, double limit, bool isCompleted)
{
  Stretch* last = multistep->taken.count > 0 ? &multistep->taken.items[multistep->taken.count - 1] : NULL;
  if (last != NULL && last->limit == limit && last->isCompleted == isCompleted && last->count < INT32_MAX) {
    ++last->count;
    return cr_ok;
  }
  Stretch* place = crArray_Push(&multistep->taken, &multistep->island->owner->allocator);
  if (place == NULL) {
    return cr_errorMemory;
  }
  *place = (Stretch){ limit, isCompleted, 1 };
  return cr_ok;
}

crStatus crMultistep_NoteComplete(crMultistep* multistep)
{
  Stretch* last = multistep->taken.count > 0 ? &multistep->taken.items[multistep->taken.count - 1] : NULL;
  if (last == NULL || last->isCompleted) {
    return cr_ok;
  }
  double limit = last->limit;
  --last->count;
  multistep->taken.count -= last->count == 0;
  return noteStep(multistep, limit, true);
}

static crStatus takeStep(crMultistep* multistep, double limit)
{
  crStatus status = noteStep(multistep, limit, false);
  return status == cr_ok ? crSolver_Step(multistep->solver, limit) : status;
}

static void completeStep(crMultistep* multistep)
{
  crInstance_CompleteStep(multistep->island->owner->instance, crIsland_GetSet(multistep->island),
                          crSolver_GetTime(multistep->solver), crSolver_GetState(multistep->solver));
}

crStatus crMultistep_Step(crMultistep* multistep, double tMax)
{
  crStatus status = multistep->isStarted ? cr_ok : startHere(multistep);
  status = status == cr_ok ? takeStep(multistep, tMax) : status;
  if (status == cr_ok && crSolver_GetTime(multistep->solver) == tMax) {
    status = keepStop(multistep, tMax);
  }
  return status == cr_ok ? finishSegment(multistep, true) : status;
}

crStatus crMultistep_Redo(crMultistep* multistep, double t)
{
  double from = multistep->island->segment.t0;
  int next = 0, stopCount = multistep->stops.count;
  keepCuts(multistep, false);
  crStatus status = restart(multistep);
  while (status == cr_ok && crSolver_GetTime(multistep->solver) < t) {
    double now = crSolver_GetTime(multistep->solver);
    while (next < stopCount && multistep->stops.items[next] <= now) {
      ++next;
    }
    status = takeStep(multistep, next < stopCount ? fmin(multistep->stops.items[next], t) : t);
    if (status == cr_ok && crSolver_GetTime(multistep->solver) <= from) { // final before, and again
      completeStep(multistep);
      status = crMultistep_NoteComplete(multistep);
    }
  }
  multistep->stops.count = next;
  status = status == cr_ok ? keepStop(multistep, t) : status;
  return status == cr_ok ? finishSegment(multistep, crSolver_GetStepStart(multistep->solver) == from) : status;
}

// ------------------------------------------------------------------------------------------------------- loops

// Whether steps have become tiny for so long at a singular position that there is no hope; outLoop tells which.
static bool isCreeping(crMultistep* multistep, char* outLoop, size_t size)
{
  const crIslands* islands = multistep->island->owner;
  double duration = islands->run->options.stopTime - islands->run->options.startTime;
  bool isShort = crSolver_GetTime(multistep->solver) - crSolver_GetStepStart(multistep->solver) < CR_CREEP * duration;
  bool isSingular = isShort && crInstance_DescribeSingular(islands->instance, outLoop, size);
  multistep->creepingSteps = isSingular ? multistep->creepingSteps + 1 : 0;
  return multistep->creepingSteps >= CR_CREEPING_STEPS;
}

crStatus crMultistep_CheckLoops(crMultistep* multistep)
{
  crIslands* islands = multistep->island->owner;
  char message[1200], loop[1024];
  double limit = crIsland_GetDriftLimit(multistep->island);
  if (multistep->multiplierCount == 0 ||
      !(crInstance_DescribeGap(islands->instance, crIsland_GetSet(multistep->island), limit, loop, sizeof loop) ||
        isCreeping(multistep, loop, sizeof loop))) {
    return cr_ok;
  }
  snprintf(message, sizeof message, "the simulation stops at %.9g s: %s", multistep->island->segment.t1, loop);
  crReporter reporter = crMakeReporter(&islands->run->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message,
                            .hint = "this solver cannot pass where constraints depend on each other, as with all bars "
                                    "in one line: choose another one, or start elsewhere" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  islands->run->hasFailed = true;
  return cr_failNumerics;
}

crSolverStatistics crMultistep_GetStatistics(const crMultistep* multistep)
{
  crSolverStatistics sum = crSolver_GetStatistics(multistep->solver);
  const crSolverStatistics* before = &multistep->before;
  sum.steps += before->steps;
  sum.rejectedSteps += before->rejectedSteps;
  sum.evaluations += before->evaluations;
  sum.jacobians += before->jacobians;
  sum.factorizations += before->factorizations;
  sum.restarts += before->restarts;
  return sum;
}

crFailure crMultistep_GetFailure(const crMultistep* multistep)
{
  return crSolver_GetFailure(multistep->solver);
}

// ----------------------------------------------------------------------------------------------------- archive

// Takes the steps again that led to where it was; what they leave in contacts and cut joints is not wanted.
static crStatus repeat(crMultistep* multistep)
{
  crStatus status = fillSparsity(multistep);
  status = status == cr_ok ? crSolver_SetPattern(multistep->solver, &multistep->sparsity) : status;
  status = status == cr_ok
               ? crSolver_Restart(multistep->solver, multistep->startTime, multistep->start, multistep->firstStep)
               : status;
  for (int i = 0; i < multistep->taken.count; ++i) {
    const Stretch* stretch = &multistep->taken.items[i];
    for (int k = 0; k < stretch->count && status == cr_ok; ++k) {
      double before = crSolver_GetTime(multistep->solver);
      status = crSolver_Step(multistep->solver, stretch->limit);
      status = status == cr_ok && !(crSolver_GetTime(multistep->solver) > before) ? cr_errorFile : status;
      if (status == cr_ok && stretch->isCompleted) {
        completeStep(multistep);
      }
    }
  }
  return status;
}

static crStatus repeatAside(crMultistep* multistep)
{
  const crIslands* islands = multistep->island->owner;
  crInstance* instance = islands->instance;
  size_t cutCount = countCuts(multistep);
  crCutMemory* cuts = crAllocateZero(&islands->allocator, cutCount, sizeof *cuts);
  crContacts* contacts = NULL;
  crStatus status =
      cuts != NULL ? crCreateSharedContacts(islands->table, &islands->allocator, &contacts) : cr_errorMemory;
  status = status == cr_ok ? crCopyContacts(multistep->island->contacts, contacts) : status;
  if (status == cr_ok) {
    crInstance_KeepAllCuts(instance, cuts);
    keepCuts(multistep, false);
    status = repeat(multistep);
    crInstance_RestoreAllCuts(instance, cuts);
    crStatus back = crCopyContacts(contacts, multistep->island->contacts);
    status = status == cr_ok ? back : status;
  }
  crDestroyContacts(contacts);
  crFree(&islands->allocator, cuts, cutCount * sizeof *cuts);
  return status;
}

static void archiveStretches(crArchive* archive, crMultistep* multistep)
{
  const crAllocator* allocator = &multistep->island->owner->allocator;
  int count = multistep->taken.count, stopCount = multistep->stops.count;
  crArchive_Count(archive, &count, INT32_MAX, 13);
  crArchive_Count(archive, &stopCount, INT32_MAX, 8);
  if (archive->isReading &&
      !(crReserve(allocator, &multistep->taken.items, &multistep->taken.capacity, count + 1, sizeof(Stretch)) &&
        crReserve(allocator, &multistep->stops.items, &multistep->stops.capacity, stopCount, sizeof(double)))) {
    crArchive_Fail(archive, cr_errorMemory);
    return;
  }
  for (int i = 0; i < count; ++i) {
    Stretch* stretch = &multistep->taken.items[i];
    crArchive_Double(archive, &stretch->limit);
    crArchive_Bool(archive, &stretch->isCompleted);
    crArchive_Int(archive, &stretch->count, 1, INT32_MAX);
  }
  crArchive_Doubles(archive, multistep->stops.items, (size_t)stopCount);
  multistep->taken.count = crArchive_IsGood(archive) ? count : 0;
  multistep->stops.count = crArchive_IsGood(archive) ? stopCount : 0;
}

// Where the steps end that were taken again, or those that are saved.
static void archiveEnd(crArchive* archive, crMultistep* multistep)
{
  size_t count = (size_t)multistep->n;
  double end = crSolver_GetTime(multistep->solver), reached = end;
  memcpy(multistep->y, crSolver_GetState(multistep->solver), count * sizeof(double));
  crArchive_Double(archive, &end);
  crArchive_Doubles(archive, multistep->y, count);
  if (archive->isReading &&
      (end != reached || memcmp(multistep->y, crSolver_GetState(multistep->solver), count * sizeof(double)) != 0)) {
    crArchive_Refuse(archive, "the steps of the solver since its last start lead to another state");
  }
}

// The residual form has had as many rows since it was made as the instance has now.
static void checkRows(crArchive* archive, const crMultistep* multistep)
{
  const crIslands* islands = multistep->island->owner;
  const crLoops* loops = islands->instance->loops;
  bool usesResidual = crGetSolverInfo(islands->run->options.solver)->usesResidual;
  int rows = usesResidual ? crInstance_CountMultipliers(islands->instance, crIsland_GetSet(multistep->island)) : 0;
  bool isGood = multistep->multiplierCount == 2 * rows;
  for (int c = 0; usesResidual && multistep->isStarted && loops != NULL && c < loops->cutCount; ++c) {
    isGood = isGood && multistep->cuts[c].activeCount == loops->cuts[c].activeCount;
  }
  if (archive->isReading && !isGood) {
    crArchive_Refuse(archive, "the solver has other constraints");
  }
}

static void archiveStatistics(crArchive* archive, crSolverStatistics* counts)
{
  crArchive_Int64(archive, &counts->steps, 0);
  crArchive_Int64(archive, &counts->rejectedSteps, 0);
  crArchive_Int64(archive, &counts->evaluations, 0);
  crArchive_Int64(archive, &counts->jacobians, 0);
  crArchive_Int64(archive, &counts->factorizations, 0);
  crArchive_Int64(archive, &counts->restarts, 0);
}

// Which the solver takes for granted.
static void checkTolerances(crArchive* archive, const crMultistep* multistep)
{
  bool areGood = true;
  for (int i = 0; i < multistep->n; ++i) {
    areGood = areGood && multistep->absTol[i] > 0.0 && isfinite(multistep->absTol[i]);
  }
  if (!areGood) {
    crArchive_Refuse(archive, "the solver has a tolerance that is not above 0");
  }
}

static void archiveTrack(crArchive* archive, crMultistep* multistep)
{
  const crIslands* islands = multistep->island->owner;
  crMatrixForm form = archive->isReading ? cr_matrixAny : crSolver_GetMatrixForm(multistep->solver);
  crArchive_Enum(archive, &form, cr_matrixFormCount);
  crArchive_Doubles(archive, multistep->absTol, (size_t)multistep->n);
  if (archive->isReading && crArchive_IsGood(archive)) {
    checkTolerances(archive, multistep);
  }
  crArchive_Doubles(archive, multistep->start, (size_t)multistep->n);
  crArchive_Double(archive, &multistep->startTime);
  crArchive_Double(archive, &multistep->firstStep);
  crArchive_Bool(archive, &multistep->isStarted);
  crArchive_Int(archive, &multistep->creepingSteps, 0, INT32_MAX);
  archiveStatistics(archive, &multistep->before);
  crArchiveCuts(archive, islands->instance, multistep->cuts);
  archiveStretches(archive, multistep);
  checkRows(archive, multistep);
  if (archive->isReading && crArchive_IsGood(archive)) {
    describe(multistep);
    multistep->problem.matrixForm = form;
    crStatus status = fillSparsity(multistep);
    status = status == cr_ok ? createSolver(multistep, islands->run->options.solver) : status;
    crArchive_Fail(archive, status);
  }
  if (archive->isReading && crArchive_IsGood(archive) && multistep->isStarted && repeatAside(multistep) != cr_ok) {
    crArchive_Refuse(archive, "the steps of the solver since its last start cannot be taken again");
  }
  if (crArchive_IsGood(archive) && multistep->isStarted) {
    archiveEnd(archive, multistep);
  }
  if (crArchive_IsGood(archive)) {
    crSolver_ArchiveCounts(archive, multistep->solver, !multistep->isStarted);
  }
}

void crMultistep_Archive(crArchive* archive, crIsland* island, crMultistep** ioMultistep)
{
  crMultistep* multistep = *ioMultistep = archive->isReading ? makeTrack(island) : *ioMultistep;
  if (multistep == NULL) {
    crArchive_Fail(archive, cr_errorMemory);
    return;
  }
  const crLoops* loops = island->owner->instance->loops;
  crArchive_Int(archive, &multistep->multiplierCount, 0, loops != NULL ? 2 * loops->rowCount : 0);
  if (archive->isReading) {
    multistep->n = island->n + multistep->multiplierCount;
    crArchive_Fail(archive, allocate(multistep));
  }
  if (crArchive_IsGood(archive)) {
    archiveTrack(archive, multistep);
  }
}
