// A track of another library; see the header.
#include "sim/external.h"

#include "base/report.h"
#include "model/eval/loop.h"
#include "sim/island.h"

#include <stdio.h>
#include <string.h>

#define CR_UNCONTROLLED 1e100 // absolute tolerance of what must not choose steps
#define CR_UNCHOSEN 1e6       // likewise, of multipliers, by whose size Jacobians differ them
#define CR_SAMPLES 4          // states inside a step
#define CR_CREEP 1e-7         // [-] of the run's duration: steps as short as this get nowhere
#define CR_CREEPING_STEPS 500 // one after the other, at a singular position of a loop

struct crExternal {
  crIsland* island;
  crSolver* solver;
  crProblem problem;
  crSparsity sparsity;
  int* columnStarts;       // (n + 1)
  int* rows;               // (rowCapacity)
  int rowCapacity;         // entries that there is room for
  int stateCount;          // of the model,
  int balanceCount;        // of energies behind them,
  int multiplierCount;     // and behind those of the residual form of loops: forces, and what stabilizes
  int n;                   // all of them
  double* absTol;          // (n)
  double* y;               // (n) scratch
  double* start;           // (n) where the method started last,
  double startTime;        // [s]
  double firstStep;        // [s] with this limit; 0: none
  crCutMemory* cuts;       // (cutJointCount) what cut joints remembered there: which turn it is
  crArrayOf(double) stops; // [s] where it was told to stop since, and did
  bool isStarted;
  int creepingSteps; // tiny ones at a singular position of a loop, one after the other
  char name[CR_MAX_PATH + 64];
};

// ---------------------------------------------------------------------------------------------- problem

static crTreeSet enter(crExternal* external)
{
  crTreeSet set = crIsland_GetSet(external->island);
  crInstance_SetPhase(external->island->owner->instance, set, external->island->phase);
  return set;
}

static void readPowers(const crExternal* external, crTreeSet set, double outPowers[CR_BALANCE_COUNT])
{
  crPowers powers = crInstance_ComputePowers(external->island->owner->instance, set);
  outPowers[cr_balanceDissipated] = powers.dissipation;
  outPowers[cr_balanceWork] = powers.work;
}

static crStatus computeRates(void* context, double t, const double* y, double* outRates)
{
  crExternal* external = context;
  crInstance* instance = external->island->owner->instance;
  crTreeSet set = enter(external);
  crStatus status = crInstance_ComputeRates(instance, set, t, y, outRates);
  if (external->balanceCount > 0 && status == cr_ok) {
    readPowers(external, set, outRates + external->stateCount);
  }
  if (external->multiplierCount > 0 && status == cr_ok) { // forces, and nothing to stabilize
    double* rates = outRates + external->n - external->multiplierCount;
    memset(rates, 0, (size_t)external->multiplierCount * sizeof *rates);
    crInstance_GetMultipliers(instance, set, rates);
  }
  return status;
}

static crStatus computeResidual(void* context, double t, const double* y, const double* yp, double* outResidual)
{
  crExternal* external = context;
  crInstance* instance = external->island->owner->instance;
  crTreeSet set = enter(external);
  int multipliers = external->n - external->multiplierCount; // where they are
  crStatus status =
      crInstance_ComputeRateResidual(instance, set, t, y, yp, yp + multipliers, outResidual, outResidual + multipliers);
  if (external->balanceCount > 0 && status == cr_ok) {
    bool hasMotion = external->island->hasMotions; // whose forces are known with accelerations
    status = crInstance_Eval(instance, set, hasMotion ? cr_stageAcceleration : cr_stageForce);
    double powers[CR_BALANCE_COUNT];
    readPowers(external, set, powers);
    for (int i = 0; i < CR_BALANCE_COUNT; ++i) {
      outResidual[external->stateCount + i] = yp[external->stateCount + i] - powers[i];
    }
  }
  return status;
}

static crStatus project(void* context, double t, double* y)
{
  crExternal* external = context;
  crTreeSet set = enter(external);
  return crInstance_Project(external->island->owner->instance, set, t, crIsland_GetDriftLimit(external->island), y);
}

static const char* nameOf(void* context, int component)
{
  crExternal* external = context;
  bool isKnown = crModel_GetStateName(external->island->owner->model, crIsland_GetSet(external->island), component,
                                      external->name, sizeof external->name);
  return isKnown ? external->name : NULL;
}

// Counts entries where there are no rows yet.
static int getSparsity(const crExternal* external, int* columnStarts, int* rows)
{
  const crIslands* islands = external->island->owner;
  crTreeSet set = crIsland_GetSet(external->island);
  int count = 0;
  if (external->multiplierCount > 0) {
    crInstance_GetLoopSparsity(islands->instance, set, external->balanceCount, columnStarts, rows, &count);
    return count;
  }
  crModel_GetSparsity(islands->model, set, columnStarts, rows, &count);
  for (int i = external->stateCount; rows != NULL && i < external->n; ++i) { // energies act on nothing
    rows[count++] = i;
    columnStarts[i + 1] = count;
  }
  return rows != NULL ? count : count + external->balanceCount;
}

// Entries of the Jacobian, as trees are coupled now.
static crStatus fillSparsity(crExternal* external)
{
  int count = getSparsity(external, NULL, NULL);
  if (!crReserve(&external->island->owner->allocator, &external->rows, &external->rowCapacity, count,
                 sizeof *external->rows)) {
    return cr_errorMemory;
  }
  getSparsity(external, external->columnStarts, external->rows);
  external->sparsity = (crSparsity){ external->n, external->columnStarts, external->rows };
  return cr_ok;
}

// ----------------------------------------------------------------------------------------------- create

// Solvers take the root mean square of all errors: those that do not count must not make the others smaller.
static double shareOfNorm(const crExternal* external)
{
  return external->stateCount > 0 ? sqrt((double)external->stateCount / (double)external->n) : 1.0;
}

static void describe(crExternal* external)
{
  const crIsland* island = external->island;
  for (int i = 0; i < external->n; ++i) {
    bool isWork = i == external->stateCount + cr_balanceWork && island->hasMotions;
    external->absTol[i] = i < external->stateCount ? island->problem.absTol[i] * shareOfNorm(external)
                          : i >= external->n - external->multiplierCount ? CR_UNCHOSEN
                          : isWork                                       ? island->problem.absTol[i]
                                                                         : CR_UNCONTROLLED;
  }
  external->problem = (crProblem){ .n = external->n,
                                   .context = external,
                                   .computeRates = computeRates,
                                   .computeResidual = computeResidual,
                                   .project = island->hasLoops ? project : NULL,
                                   .pattern = &external->sparsity,
                                   .absTol = external->absTol,
                                   .nameOf = nameOf };
}

static size_t countCuts(const crExternal* external)
{
  return (size_t)external->island->owner->model->size.cutJointCount + 1;
}

static crStatus fill(crExternal* external, crSolverKind kind)
{
  const crIslands* islands = external->island->owner;
  const crAllocator* allocator = &islands->allocator;
  size_t count = (size_t)external->n;
  external->absTol = crAllocateZero(allocator, count, sizeof(double));
  external->y = crAllocateZero(allocator, count, sizeof(double));
  external->start = crAllocateZero(allocator, count, sizeof(double));
  external->columnStarts = crAllocateZero(allocator, count + 1, sizeof(int));
  external->cuts = crAllocateZero(allocator, countCuts(external), sizeof *external->cuts);
  bool hasMemory = external->absTol != NULL && external->y != NULL && external->start != NULL &&
                   external->columnStarts != NULL && external->cuts != NULL;
  crStatus status = hasMemory ? fillSparsity(external) : cr_errorMemory;
  if (status != cr_ok) {
    return status;
  }
  describe(external);
  double relTol = islands->relTol * shareOfNorm(external), maxStep = islands->simulation->options.maxStep;
  return crCreateSolver(kind, &external->problem, relTol, maxStep, allocator, &islands->simulation->sink,
                        &external->solver);
}

crStatus crCreateExternal(crIsland* island, crSolverKind kind, crExternal** outExternal)
{
  const crIslands* islands = island->owner;
  crExternal* external = *outExternal = crAllocateZero(&islands->allocator, 1, sizeof *external);
  if (external == NULL) {
    return cr_errorMemory;
  }
  external->island = island;
  external->stateCount = island->stateCount;
  external->balanceCount = island->n - island->stateCount;
  if (crGetSolverInfo(kind)->usesResidual) {
    external->multiplierCount = 2 * crInstance_CountMultipliers(islands->instance, crIsland_GetSet(island));
  }
  external->n = island->n + external->multiplierCount;
  return fill(external, kind);
}

void crDestroyExternal(crExternal* external)
{
  if (external == NULL) {
    return;
  }
  const crAllocator* allocator = &external->island->owner->allocator;
  size_t count = (size_t)external->n;
  crDestroySolver(external->solver);
  crArray_Free(&external->stops, allocator);
  crFree(allocator, external->rows, (size_t)external->rowCapacity * sizeof(int));
  crFree(allocator, external->cuts, countCuts(external) * sizeof *external->cuts);
  crFree(allocator, external->columnStarts, (count + 1) * sizeof(int));
  crFree(allocator, external->start, count * sizeof(double));
  crFree(allocator, external->y, count * sizeof(double));
  crFree(allocator, external->absTol, count * sizeof(double));
  crFree(allocator, external, sizeof *external);
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
static crStatus finishSegment(crExternal* external, bool isWhole)
{
  crSegment* segment = &external->island->segment;
  int n = segment->n;
  double* samples[CR_SAMPLES];
  segment->kind = cr_stepDop853;
  segment->isLazy = false;
  segment->isDense = isWhole;
  segment->t1 = crSolver_GetTime(external->solver);
  memcpy(segment->y1, crSolver_GetState(external->solver), (size_t)n * sizeof(double));
  memcpy(segment->f1, crSolver_GetRates(external->solver), (size_t)n * sizeof(double));
  memset(segment->dense, 0, (size_t)CR_SAMPLES * (size_t)n * sizeof(double));
  for (int k = 0; isWhole && k < CR_SAMPLES; ++k) {
    double t = segment->t0 + (k + 1.0) / (CR_SAMPLES + 1.0) * (segment->t1 - segment->t0);
    crStatus status = crSolver_Interpolate(external->solver, t, external->y);
    if (status != cr_ok) {
      return status;
    }
    samples[k] = segment->dense + (size_t)k * (size_t)n;
    memcpy(samples[k], external->y, (size_t)n * sizeof(double));
  }
  for (int i = 0; isWhole && i < n; ++i) {
    double own[CR_SAMPLES] = { samples[0][i], samples[1][i], samples[2][i], samples[3][i] };
    fitState(segment, i, own);
  }
  return cr_ok;
}

// --------------------------------------------------------------------------------------------------- steps

void crExternal_Restart(crExternal* external, double firstStep)
{
  external->isStarted = false;
  external->firstStep = firstStep;
}

static void keepCuts(crExternal* external, bool keeps)
{
  crInstance* instance = external->island->owner->instance;
  for (int k = 0; k < external->island->treeCount; ++k) {
    int tree = external->island->trees[k];
    if (keeps) {
      crInstance_KeepCuts(instance, tree, external->cuts);
    } else {
      crInstance_RestoreCuts(instance, tree, external->cuts);
    }
  }
}

static crStatus restart(crExternal* external)
{
  external->stops.count = 0;
  crStatus status = crSolver_Restart(external->solver, external->startTime, external->start, external->firstStep);
  external->isStarted = status == cr_ok;
  return status;
}

// From the start of the segment on, with what is coupled there.
static crStatus startHere(crExternal* external)
{
  const crSegment* segment = &external->island->segment;
  external->startTime = segment->t0;
  memset(external->start, 0, (size_t)external->n * sizeof(double));
  memcpy(external->start, segment->y0, (size_t)segment->n * sizeof(double));
  keepCuts(external, true);
  crStatus status = fillSparsity(external);
  status = status == cr_ok ? crSolver_SetPattern(external->solver, &external->sparsity) : status;
  return status == cr_ok ? restart(external) : status;
}

static crStatus keepStop(crExternal* external, double t)
{
  double* place = crArray_Push(&external->stops, &external->island->owner->allocator);
  if (place == NULL) {
    return cr_errorMemory;
  }
  *place = t;
  return cr_ok;
}

crStatus crExternal_Step(crExternal* external, double tMax)
{
  crStatus status = external->isStarted ? cr_ok : startHere(external);
  status = status == cr_ok ? crSolver_Step(external->solver, tMax) : status;
  if (status == cr_ok && crSolver_GetTime(external->solver) == tMax) {
    status = keepStop(external, tMax);
  }
  return status == cr_ok ? finishSegment(external, true) : status;
}

crStatus crExternal_Redo(crExternal* external, double t)
{
  double from = external->island->segment.t0;
  int next = 0, stopCount = external->stops.count;
  keepCuts(external, false);
  crStatus status = restart(external);
  while (status == cr_ok && crSolver_GetTime(external->solver) < t) {
    double now = crSolver_GetTime(external->solver);
    while (next < stopCount && external->stops.items[next] <= now) {
      ++next;
    }
    status = crSolver_Step(external->solver, next < stopCount ? fmin(external->stops.items[next], t) : t);
    if (status == cr_ok && crSolver_GetTime(external->solver) <= from) { // final before, and again
      crInstance_CompleteStep(external->island->owner->instance, crIsland_GetSet(external->island),
                              crSolver_GetTime(external->solver), crSolver_GetState(external->solver));
    }
  }
  external->stops.count = next;
  status = status == cr_ok ? keepStop(external, t) : status;
  return status == cr_ok ? finishSegment(external, crSolver_GetStepStart(external->solver) == from) : status;
}

// ------------------------------------------------------------------------------------------------------- loops

// Whether steps have become tiny for so long at a singular position that there is no hope; outLoop tells which.
static bool isCreeping(crExternal* external, char* outLoop, size_t size)
{
  const crIslands* islands = external->island->owner;
  double duration = islands->simulation->options.stopTime - islands->simulation->options.startTime;
  bool isShort = crSolver_GetTime(external->solver) - crSolver_GetStepStart(external->solver) < CR_CREEP * duration;
  bool isSingular = isShort && crInstance_DescribeSingular(islands->instance, outLoop, size);
  external->creepingSteps = isSingular ? external->creepingSteps + 1 : 0;
  return external->creepingSteps >= CR_CREEPING_STEPS;
}

crStatus crExternal_CheckLoops(crExternal* external)
{
  crIslands* islands = external->island->owner;
  char message[1200], loop[1024];
  double limit = crIsland_GetDriftLimit(external->island);
  if (external->multiplierCount == 0 ||
      !(crInstance_DescribeGap(islands->instance, crIsland_GetSet(external->island), limit, loop, sizeof loop) ||
        isCreeping(external, loop, sizeof loop))) {
    return cr_ok;
  }
  snprintf(message, sizeof message, "the simulation stops at %.9g s: %s", external->island->segment.t1, loop);
  crReporter reporter = crMakeReporter(&islands->simulation->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message,
                            .hint = "this solver cannot pass where constraints depend on each other, as with all bars "
                                    "in one line: choose another one, or start elsewhere" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  islands->simulation->hasFailed = true;
  return cr_failNumerics;
}

crSolverStatistics crExternal_GetStatistics(const crExternal* external)
{
  return crSolver_GetStatistics(external->solver);
}

crFailure crExternal_GetFailure(const crExternal* external)
{
  return crSolver_GetFailure(external->solver);
}
