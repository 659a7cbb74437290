// A run of one closed set: the whole model. Drives a solver step by step, reads output points from its
// interpolation so that output never changes the steps, and keeps the instance at the time that was asked for.
#include "sim/simulation.h"

#include "base/memory.h"
#include "base/report.h"
#include "sim/islands.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define CR_TOLERANCE 1e-6     // [-] where none is given
#define CR_UNCONTROLLED 1e100 // absolute tolerance of what must not choose steps
#define CR_UNCHOSEN 1e6       // likewise, of multipliers, by whose size Jacobians differ them
// [J] Absolute tolerance of the work over the relative tolerance, in models with prescribed motions: these work while
// all states are at rest, so that steps which only the states choose would be far too long for them.
#define CR_WORK_SHARE 100.0
#define CR_STOP_CHECKS 16 // steps between two questions whether to stop

crSimulationOptions crDefaultSimulationOptions(void)
{
  crSimulationOptions options = { .stopTime = 10.0, .interval = 0.02, .maxStep = HUGE_VAL, .solver = CR_SOLVER_AUTO };
  return options;
}

// ---------------------------------------------------------------------------------------- options

static void checkOptions(crReporter* reporter, const crModel* model, const crSimulationOptions* o)
{
  if (!isfinite(o->startTime) || !isfinite(o->stopTime) || o->stopTime < o->startTime) {
    crReportNumber(reporter, "the stop time is not behind the start time", o->stopTime,
                   "a finite time from the start time on", "s", NULL);
  }
  if (!(o->interval > 0.0)) {
    crReportNumber(reporter, "the output interval must be positive", o->interval, "> 0", "s", NULL);
  }
  if (!(o->tolerance > 0.0 && o->tolerance < 1.0)) {
    crReportNumber(reporter, "the tolerance is out of range", o->tolerance, "0 < tolerance < 1", NULL,
                   "1e-6 is a good start");
  }
  if (!(o->absoluteTolerance >= 0.0 && isfinite(o->absoluteTolerance))) {
    crReportNumber(reporter, "the absolute tolerance must be positive", o->absoluteTolerance, "> 0", NULL, NULL);
  }
  if (!(o->maxStep > 0.0)) {
    crReportNumber(reporter, "the largest step must be positive", o->maxStep, "> 0", "s", NULL);
  }
  for (int i = 0; o->inputs != NULL && i < crModel_CountInputs(model); ++i) {
    crPort port;
    crModel_GetInput(model, i, &port);
    if (isinf(o->inputs[i])) {
      crReportError(reporter, "input '%s' is not finite", port.path);
    }
  }
  if (o->threads < 0 || o->threads > CR_MAX_THREADS) {
    crReportError(reporter, "the number of threads is %d, but has to be from 0 to %d", o->threads, CR_MAX_THREADS);
  }
  if ((unsigned)o->solver > (unsigned)CR_SOLVER_AUTO) {
    crReportError(reporter, "there is no solver number %d", (int)o->solver);
  }
}

// ---------------------------------------------------------------------------------------- problem

static void readPowers(const crSimulation* simulation, double outPowers[CR_BALANCE_COUNT])
{
  crPowers powers = crInstance_ComputePowers(simulation->instance, simulation->set);
  outPowers[cr_balanceDissipated] = powers.dissipation;
  outPowers[cr_balanceWork] = powers.work;
}

static crStatus computeRates(void* context, double t, const double* y, double* outRates)
{
  crSimulation* simulation = context;
  crInstance_SetPhase(simulation->instance, simulation->set, simulation->phase);
  crStatus status = crInstance_ComputeRates(simulation->instance, simulation->set, t, y, outRates);
  if (simulation->balanceCount > 0 && status == cr_ok) {
    readPowers(simulation, outRates + simulation->stateCount);
  }
  if (simulation->multiplierCount > 0 && status == cr_ok) { // forces, and nothing to stabilize
    double* rates = outRates + crSolvedCount(simulation) - simulation->multiplierCount;
    memset(rates, 0, (size_t)simulation->multiplierCount * sizeof *rates);
    crInstance_GetMultipliers(simulation->instance, simulation->set, rates);
  }
  return status;
}

static crStatus computeResidual(void* context, double t, const double* y, const double* yp, double* outResidual)
{
  crSimulation* simulation = context;
  crInstance_SetPhase(simulation->instance, simulation->set, simulation->phase);
  int multipliers = crSolvedCount(simulation) - simulation->multiplierCount; // where they are
  crStatus status = crInstance_ComputeRateResidual(simulation->instance, simulation->set, t, y, yp, yp + multipliers,
                                                   outResidual, outResidual + multipliers);
  if (simulation->balanceCount > 0 && status == cr_ok) {
    bool hasMotion = simulation->model->motionCount > 0; // whose forces are known with accelerations
    status = crInstance_Eval(simulation->instance, simulation->set, hasMotion ? cr_stageAcceleration : cr_stageForce);
    double powers[CR_BALANCE_COUNT];
    readPowers(simulation, powers);
    for (int i = 0; i < CR_BALANCE_COUNT; ++i) {
      outResidual[simulation->stateCount + i] = yp[simulation->stateCount + i] - powers[i];
    }
  }
  return status;
}

static crStatus project(void* context, double t, double* y)
{
  crSimulation* simulation = context;
  crInstance_SetPhase(simulation->instance, simulation->set, simulation->phase);
  double limit = fmax(CR_DRIFT_LIMIT * simulation->options.tolerance, CR_LEAST_DRIFT_LIMIT);
  return crInstance_Project(simulation->instance, simulation->set, t, limit, y);
}

static const char* nameOf(void* context, int component)
{
  crSimulation* simulation = context;
  bool isKnown = crModel_GetStateName(simulation->model, simulation->set, component, simulation->stateName,
                                      sizeof simulation->stateName);
  return isKnown ? simulation->stateName : NULL;
}

// Whether constraints depend on each other is known once loops are closed, so there is room for all of them before.
static bool allocateArrays(crSimulation* simulation)
{
  const crAllocator* allocator = &simulation->allocator;
  crLoopFacts facts = crInstance_GetLoopFacts(simulation->instance);
  int constraints = crModel_CountRates(simulation->model, simulation->set) - facts.gruebler;
  simulation->solvedLimit = crSolvedCount(simulation) + 2 * constraints;
  size_t count = (size_t)simulation->solvedLimit;
  simulation->state = crAllocateZero(allocator, count, sizeof(double));
  simulation->absTol = crAllocateZero(allocator, count, sizeof(double));
  simulation->columnStarts = crAllocateZero(allocator, count + 1, sizeof(int));
  if (simulation->state == NULL || simulation->absTol == NULL || simulation->columnStarts == NULL) {
    return false;
  }
  return true;
}

// Counts entries where there are no rows yet.
static void getSparsity(crSimulation* simulation, int* columnStarts, int* rows)
{
  if (simulation->multiplierCount > 0) {
    crInstance_GetLoopSparsity(simulation->instance, simulation->set, simulation->balanceCount, columnStarts, rows,
                               &simulation->entryCount);
  } else {
    crModel_GetSparsity(simulation->model, simulation->set, columnStarts, rows, &simulation->entryCount);
  }
}

// Entries of the Jacobian, as trees are coupled now.
static bool fillSparsity(crSimulation* simulation)
{
  getSparsity(simulation, NULL, NULL);
  if (!crReserve(&simulation->allocator, &simulation->rows, &simulation->rowCapacity,
                 simulation->entryCount + simulation->balanceCount, sizeof *simulation->rows)) {
    return false;
  }
  getSparsity(simulation, simulation->columnStarts, simulation->rows);
  bool hasAll = simulation->multiplierCount > 0;
  for (int i = simulation->stateCount; !hasAll && i < crSolvedCount(simulation); ++i) { // they act on nothing
    simulation->rows[simulation->entryCount++] = i;
    simulation->columnStarts[i + 1] = simulation->entryCount;
  }
  simulation->sparsity = (crSparsity){ crSolvedCount(simulation), simulation->columnStarts, simulation->rows };
  return true;
}

crStatus crDescribeCouplings(crSimulation* simulation)
{
  if (!crGetSolverInfo(simulation->kind)->isImplicit) {
    return cr_ok;
  }
  return fillSparsity(simulation) ? crSolver_SetPattern(simulation->solver, &simulation->sparsity) : cr_errorMemory;
}

// Solvers take the root mean square of all errors: those that do not count must not make the others smaller.
static double shareOfNorm(const crSimulation* simulation)
{
  return sqrt((double)simulation->stateCount / (double)crSolvedCount(simulation));
}

static void describeProblem(crSimulation* simulation)
{
  const crSimulationOptions* options = &simulation->options;
  double absolute =
      options->absoluteTolerance > 0.0 ? options->absoluteTolerance : CR_ABSOLUTE_SHARE * options->tolerance;
  crModel_GetNominal(simulation->model, simulation->set, simulation->absTol);
  for (int i = 0; i < simulation->stateCount; ++i) {
    simulation->absTol[i] *= absolute * shareOfNorm(simulation);
  }
  for (int i = simulation->stateCount; i < crSolvedCount(simulation); ++i) {
    bool isMultiplier = i >= crSolvedCount(simulation) - simulation->multiplierCount;
    simulation->absTol[i] = isMultiplier ? CR_UNCHOSEN : CR_UNCONTROLLED;
  }
  if (simulation->balanceCount > 0 && simulation->model->motionCount > 0) {
    simulation->absTol[simulation->stateCount + cr_balanceWork] = CR_WORK_SHARE * options->tolerance;
  }
  simulation->problem = (crProblem){
    .n = crSolvedCount(simulation),
    .context = simulation,
    .computeRates = computeRates,
    .computeResidual = computeResidual,
    .project = crModel_GetSize(simulation->model).cutJointCount > 0 ? project : NULL,
    .pattern = &simulation->sparsity,
    .absTol = simulation->absTol,
    .nameOf = nameOf,
  };
  if (simulation->contacts != NULL) {
    simulation->problem.rootCount =
        simulation->options.indicatesPairs ? CR_INDICATORS * simulation->rootPairCount : CR_INDICATORS;
    simulation->problem.computeRoots = crComputeContactRoots;
  }
}

// From here on signals are taken from the pieces that hold right behind t.
static void enterPhase(crSimulation* simulation, double t)
{
  simulation->phase = t;
  simulation->nextEvent = crModel_GetNextTimeEvent(simulation->model, t);
}

void crAddFault(const crSimulation* simulation, double t, char* message, size_t size)
{
  size_t used = strlen(message);
  char fault[CR_MAX_PATH + 512];
  if (crInstance_DescribeFault(simulation->instance, t, fault, sizeof fault)) {
    snprintf(message + used, size - used, ": %s", fault);
  }
}

// Adds which loop is at a singular position, if one is.
static void addSingular(const crSimulation* simulation, char* message, size_t size)
{
  size_t used = strlen(message);
  char loop[1024];
  if (crInstance_DescribeSingular(simulation->instance, loop, sizeof loop)) {
    snprintf(message + used, size - used, "; %s", loop);
  }
}

crStatus crSample(crSimulation* simulation, crTreeSet set, double t)
{
  crStatus status = crInstance_Sample(simulation->instance, set);
  if (status == cr_ok) {
    return cr_ok;
  }
  char message[CR_MAX_PATH + 640];
  snprintf(message, sizeof message, "the simulation stops at %.9g s", t);
  crAddFault(simulation, t, message, sizeof message);
  crReporter reporter = crMakeReporter(&simulation->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message, .hint = "look at what this function does with such inputs" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  simulation->hasFailed = true;
  return cr_failNumerics;
}

static crStatus sample(crSimulation* simulation, double t)
{
  crInstance_SetPhase(simulation->instance, simulation->set, simulation->phase);
  crInstance_SetState(simulation->instance, simulation->set, t, simulation->state);
  return crSample(simulation, simulation->set, t);
}

static crStatus startSolver(crSimulation* simulation)
{
  crSolverOptions options = crDefaultSolverOptions();
  options.relTol = simulation->options.tolerance * shareOfNorm(simulation);
  options.maxStep = simulation->options.maxStep;
  if (!fillSparsity(simulation)) {
    return cr_errorMemory;
  }
  crStatus status = crCreateSolver(simulation->kind, &simulation->problem, &options, &simulation->allocator,
                                   &simulation->sink, &simulation->solver);
  if (status != cr_ok) {
    return status;
  }
  return crSolver_Restart(simulation->solver, simulation->time, simulation->state, NULL);
}

// ------------------------------------------------------------------------------------- simulation

// Puts the instance at time t with everything evaluated.
static crStatus placeInstance(crSimulation* simulation, double t)
{
  crInstance_SetPhase(simulation->instance, simulation->set, NAN);
  crInstance_SetState(simulation->instance, simulation->set, t, simulation->state);
  simulation->time = t;
  return crInstance_Eval(simulation->instance, simulation->set, cr_stageReport);
}

static crStatus reportStart(crSimulation* simulation)
{
  char message[CR_MAX_PATH + 640] = "the model cannot be evaluated at its start values";
  crAddFault(simulation, -HUGE_VAL, message, sizeof message);
  crReporter reporter = crMakeReporter(&simulation->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = {
    .message = message, .hint = "look for a massless part, or for parts that coincide where a force needs a direction"
  };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  return cr_failNumerics;
}

static void setStartInputs(crSimulation* simulation)
{
  const double* inputs = simulation->options.inputs;
  for (int i = 0; inputs != NULL && i < crModel_CountInputs(simulation->model); ++i) {
    if (!isnan(inputs[i])) {
      crInstance_SetInput(simulation->instance, i, inputs[i]);
    }
  }
  simulation->options.inputs = NULL; // it need not live longer
}

// Whether anything does work or dissipates.
static bool changesEnergy(const crSimulation* simulation)
{
  const crModel* model = simulation->model;
  bool canTouch = !simulation->options.ignoresContact && model->size.pairCount > 0;
  return canTouch || model->jointLawCount > 0 || model->size.forceCount > 0 || model->driveCount > 0;
}

// What chooses by itself never chooses the residual form.
static void countMultipliers(crSimulation* simulation)
{
  const crSolverInfo* info = crGetSolverInfo(simulation->options.solver);
  if (info != NULL && info->usesResidual) {
    simulation->multiplierCount = 2 * crInstance_CountMultipliers(simulation->instance, simulation->set);
  }
}

static crStatus initialize(crSimulation* simulation)
{
  simulation->stateCount = crModel_CountStates(simulation->model, simulation->set);
  simulation->balanceCount = simulation->stateCount > 0 && changesEnergy(simulation) ? CR_BALANCE_COUNT : 0;
  if (simulation->stateCount > 0 && !allocateArrays(simulation)) {
    return cr_errorMemory;
  }
  if (simulation->stateCount > 0) {
    crModel_GetStart(simulation->model, simulation->set, simulation->state);
  }
  setStartInputs(simulation);
  enterPhase(simulation, simulation->options.startTime);
  simulation->reached = simulation->options.startTime;
  crStatus status = crInstance_Assemble(simulation->instance, simulation->set, simulation->options.startTime,
                                        simulation->state, &simulation->sink);
  if (status != cr_ok) {
    return status;
  }
  status = placeInstance(simulation, simulation->options.startTime);
  if (status != cr_ok) {
    return reportStart(simulation);
  }
  if (!simulation->options.ignoresContact && simulation->model->size.pairCount > 0) {
    status = crStartContacts(simulation);
    if (status != cr_ok) {
      return status;
    }
  }
  status = sample(simulation, simulation->options.startTime);
  status = status == cr_ok ? placeInstance(simulation, simulation->options.startTime) : status;
  if (status != cr_ok) {
    return status > 0 ? reportStart(simulation) : status;
  }
  simulation->startEnergy = crInstance_ComputeEnergy(simulation->instance, simulation->set, -1);
  countMultipliers(simulation);
  double limit = simulation->contacts != NULL ? CR_CONTACT_STABILITY_SHARE : CR_STABILITY_SHARE;
  if (!crSolverChoice_Init(&simulation->choice, simulation->options.solver, simulation->options.tolerance,
                           simulation->stateCount > 0 ? crSolvedCount(simulation) : 0, limit, &simulation->allocator)) {
    return cr_errorMemory;
  }
  simulation->kind = simulation->choice.kind;
  if (simulation->stateCount == 0) {
    return cr_ok;
  }
  if (crCanUseIslands(simulation->model, &simulation->options, &simulation->islandReason)) {
    return crCreateIslands(simulation, &simulation->islands);
  }
  describeProblem(simulation);
  return startSolver(simulation);
}

crStatus crCreateSimulation(const crModel* model, const crSimulationOptions* options, const crAllocator* allocator,
                            const crErrorSink* sink, crSimulation** outSimulation)
{
  if (model == NULL || outSimulation == NULL) {
    return cr_errorMisuse;
  }
  *outSimulation = NULL;
  crSimulationOptions chosenOptions = options != NULL ? *options : crDefaultSimulationOptions();
  if (chosenOptions.tolerance == 0.0) {
    bool canTouch = !chosenOptions.ignoresContact && model->size.pairCount > 0;
    chosenOptions.tolerance = canTouch ? CR_CONTACT_TOLERANCE : CR_TOLERANCE;
  }
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "simulation");
  checkOptions(&reporter, model, &chosenOptions);
  if (reporter.errorCount > 0) {
    return cr_errorModel;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crSimulation* simulation = crAllocateZero(&chosen, 1, sizeof *simulation);
  if (simulation == NULL) {
    return cr_errorMemory;
  }
  simulation->allocator = chosen;
  simulation->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  simulation->model = model;
  simulation->options = chosenOptions;
  simulation->set = crModel_GetAllTrees(model);
  crStatus status = crCreateInstance(model, &chosen, sink, &simulation->instance);
  status = status == cr_ok ? initialize(simulation) : status;
  if (status != cr_ok) {
    crDestroySimulation(simulation);
    return status;
  }
  *outSimulation = simulation;
  return cr_ok;
}

void crDestroySimulation(crSimulation* simulation)
{
  if (simulation == NULL) {
    return;
  }
  crAllocator allocator = simulation->allocator;
  size_t count = (size_t)simulation->solvedLimit;
  crDestroyIslands(simulation->islands);
  crDestroySolver(simulation->solver);
  crSolverChoice_Free(&simulation->choice, &allocator);
  crFreeContacts(simulation);
  crDestroyInstance(simulation->instance);
  crFree(&allocator, simulation->rows, (size_t)simulation->rowCapacity * sizeof(int));
  crFree(&allocator, simulation->columnStarts, (count + 1) * sizeof(int));
  crFree(&allocator, simulation->absTol, count * sizeof(double));
  crFree(&allocator, simulation->state, count * sizeof(double));
  crFree(&allocator, simulation, sizeof *simulation);
}

double crSimulation_GetTime(const crSimulation* simulation)
{
  return simulation->time;
}

crTreeSet crSimulation_GetSet(const crSimulation* simulation)
{
  return simulation->set;
}

crInstance* crSimulation_GetInstance(crSimulation* simulation)
{
  return simulation->instance;
}

// ------------------------------------------------------------------------------------------- steps

static crStatus reportFailure(crSimulation* simulation)
{
  crFailure failure = crSolver_GetFailure(simulation->solver);
  const char* state = failure.worstComponent >= 0 ? nameOf(simulation, failure.worstComponent) : NULL;
  char message[CR_MAX_PATH + 2048], found[CR_STATE_NAME_SIZE + 96];
  snprintf(message, sizeof message, "the simulation stops at %.9g s: %s", failure.time,
           failure.message != NULL ? failure.message : "the solver gave up");
  crAddFault(simulation, failure.time, message, sizeof message);
  addSingular(simulation, message, sizeof message);
  snprintf(found, sizeof found, "step %.3g s%s%s", failure.step, state != NULL ? ", worst state " : "",
           state != NULL ? state : "");
  crReporter reporter = crMakeReporter(&simulation->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message, .found = found, .hint = failure.remedy };
  crReport(&reporter, cr_severityError, failure.status, &complaint);
  simulation->hasFailed = true;
  return failure.status < 0 ? failure.status : cr_failNumerics;
}

static double readClock(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static crSolverStatistics addStatistics(crSolverStatistics now, crSolverStatistics before)
{
  now.steps += before.steps;
  now.rejectedSteps += before.rejectedSteps;
  now.evaluations += before.evaluations;
  now.jacobians += before.jacobians;
  now.factorizations += before.factorizations;
  now.rootEvaluations += before.rootEvaluations;
  now.restarts += before.restarts;
  return now;
}

// Goes on with the method of choice from where the other one is.
static crStatus changeSolver(crSimulation* simulation)
{
  crSolver* old = simulation->solver;
  simulation->before = addStatistics(crSolver_GetStatistics(old), simulation->before);
  memcpy(simulation->state, crSolver_GetState(old), (size_t)crSolvedCount(simulation) * sizeof(double));
  simulation->time = crSolver_GetTime(old);
  simulation->kind = simulation->choice.kind;
  simulation->solver = NULL;
  crDestroySolver(old);
  crStatus status = startSolver(simulation);
  simulation->hasFailed = status != cr_ok;
  return status == cr_ok || simulation->solver == NULL ? status : reportFailure(simulation);
}

crStatus crRestart(crSimulation* simulation, double t)
{
  crStatus status = simulation->contacts != NULL ? crResolveContacts(simulation, t) : cr_ok;
  if (status != cr_ok) {
    return status;
  }
  simulation->reached = t;
  status = crSolver_Restart(simulation->solver, t, simulation->state, NULL);
  return status == cr_ok ? cr_ok : reportFailure(simulation);
}

// The solver stands at a time event: it starts anew behind it. Not before a step is asked for that goes on, because
// output points before the event are interpolated in the step that led to it.
static crStatus passEvent(crSimulation* simulation)
{
  double t = crSolver_GetTime(simulation->solver);
  memcpy(simulation->state, crSolver_GetState(simulation->solver), (size_t)crSolvedCount(simulation) * sizeof(double));
  enterPhase(simulation, t);
  crStatus status = sample(simulation, t);
  return status == cr_ok ? crRestart(simulation, t) : status;
}

#define CR_CREEP 1e-7         // [-] of the run's duration: steps as short as this get nowhere
#define CR_CREEPING_STEPS 500 // one after the other, at a singular position of a loop

// Whether steps have become tiny for so long at a singular position that there is no hope; outLoop tells which.
static bool isCreeping(crSimulation* simulation, char* outLoop, size_t size)
{
  double duration = simulation->options.stopTime - simulation->options.startTime;
  bool isShort = crSolver_GetStatistics(simulation->solver).lastStep < CR_CREEP * duration;
  bool isSingular = isShort && crInstance_DescribeSingular(simulation->instance, outLoop, size);
  simulation->creepingSteps = isSingular ? simulation->creepingSteps + 1 : 0;
  return simulation->creepingSteps >= CR_CREEPING_STEPS;
}

// The residual form is not projected: loops stay closed because their constraints are part of it. Those that depended
// on others at the start are not; and where they come to depend on each other, its matrix is singular. The step has
// just been completed, so the instance is at its end.
static crStatus checkLoops(crSimulation* simulation)
{
  char message[1200], loop[1024];
  double limit = fmax(CR_DRIFT_LIMIT * simulation->options.tolerance, CR_LEAST_DRIFT_LIMIT);
  if (!crGetSolverInfo(simulation->kind)->usesResidual || simulation->multiplierCount == 0 ||
      !(crInstance_DescribeGap(simulation->instance, simulation->set, limit, loop, sizeof loop) ||
        isCreeping(simulation, loop, sizeof loop))) {
    return cr_ok;
  }
  snprintf(message, sizeof message, "the simulation stops at %.9g s: %s", simulation->reached, loop);
  crReporter reporter = crMakeReporter(&simulation->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message,
                            .hint = "this solver cannot pass where constraints depend on each other, as with all bars "
                                    "in one line: choose another one, or start elsewhere" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  simulation->hasFailed = true;
  return cr_failNumerics;
}

// The solver is chosen right after a step and changes before the next one, when all output has been read. So output
// points have no influence on where it changes.
static crStatus takeStep(crSimulation* simulation)
{
  crStatus status = cr_ok;
  if (simulation->choice.kind != simulation->kind && !simulation->isContactEvent) {
    status = changeSolver(simulation);
  }
  if (status != cr_ok) {
    return status;
  }
  if (simulation->reached >= simulation->nextEvent) { // which resolves contacts, too
    status = passEvent(simulation);
  } else if (simulation->isContactEvent) {
    status = crPassContactEvent(simulation);
  }
  if (status != cr_ok) {
    return status;
  }
  double tStop = fmin(simulation->options.stopTime, simulation->nextEvent);
  crOutcome outcome = crSolver_Step(simulation->solver, tStop);
  if (outcome == cr_outcomeFailed) {
    return reportFailure(simulation);
  }
  simulation->reached = crSolver_GetTime(simulation->solver);
  crInstance_CompleteStep(simulation->instance, simulation->set, simulation->reached,
                          crSolver_GetState(simulation->solver));
  crStatus closed = checkLoops(simulation);
  if (closed != cr_ok) {
    return closed;
  }
  if (simulation->choice.kind == simulation->kind) {
    crSolverChoice_Watch(&simulation->choice, &simulation->problem, simulation->solver);
  }
  return simulation->contacts != NULL ? crCheckStep(simulation, outcome) : cr_ok;
}

// Steps until the solver has reached t. Calls `shouldStop` now and then; outStopped tells that it said yes.
static crStatus stepTo(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped)
{
  double cpu = readClock(CLOCK_THREAD_CPUTIME_ID), wall = readClock(CLOCK_MONOTONIC);
  crStatus status = cr_ok;
  *outStopped = false;
  simulation->observer = observer;
  if (simulation->islands != NULL) {
    status = crIslands_Advance(simulation->islands, t, outStopped);
    simulation->reached = crIslands_GetClock(simulation->islands);
    simulation->cpuSeconds += crIslands_TakeCpu(simulation->islands);
  }
  for (int64_t i = 0; status == cr_ok && !*outStopped && simulation->reached < t; ++i) {
    status = takeStep(simulation);
    if (status == cr_ok && observer != NULL && observer->shouldStop != NULL &&
        i % CR_STOP_CHECKS == CR_STOP_CHECKS - 1) {
      *outStopped = observer->shouldStop(observer->context, simulation->reached);
    }
  }
  simulation->cpuSeconds += readClock(CLOCK_THREAD_CPUTIME_ID) - cpu;
  simulation->wallSeconds += readClock(CLOCK_MONOTONIC) - wall;
  return status;
}

// Without states there are no steps, only events.
static crStatus passEventsTo(crSimulation* simulation, double t)
{
  crStatus status = cr_ok;
  while (status == cr_ok && simulation->nextEvent <= t) {
    double event = simulation->nextEvent;
    enterPhase(simulation, event);
    status = sample(simulation, event);
  }
  return status;
}

// The steps went well, but the model cannot be evaluated between their ends, or with what holds behind an event.
static crStatus reportPoint(crSimulation* simulation, double t, const char* point)
{
  char message[CR_MAX_PATH + 640];
  snprintf(message, sizeof message, "the model cannot be evaluated %s", point);
  crAddFault(simulation, t, message, sizeof message);
  crReporter reporter = crMakeReporter(&simulation->sink, (crSource){ 0 }, "simulation");
  crReportNumber(&reporter, message, t, NULL, "s",
                 "a number is not finite there: look at the forces and signals near this time");
  simulation->hasFailed = true;
  return cr_failNumerics;
}

static crStatus reportOutput(crSimulation* simulation, double t)
{
  return reportPoint(simulation, t, "at an output point");
}

static crStatus advance(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped)
{
  *outStopped = false;
  crStatus status = cr_ok;
  if (simulation->stateCount == 0) {
    status = passEventsTo(simulation, t);
  } else {
    if (simulation->needsRestart) {
      simulation->needsRestart = false;
      status = simulation->islands != NULL ? crIslands_Restart(simulation->islands, simulation->time)
                                           : crRestart(simulation, simulation->time);
    }
    status = status == cr_ok ? stepTo(simulation, t, observer, outStopped) : status;
    t = *outStopped ? simulation->reached : t;
    if (status == cr_ok && simulation->islands != NULL) {
      status = crIslands_Read(simulation->islands, t, simulation->state, simulation->contacts);
    } else if (status == cr_ok) {
      status =
          crSolver_Interpolate(simulation->solver, t, simulation->state) == cr_ok ? cr_ok : reportOutput(simulation, t);
      crInstance_Project(simulation->instance, simulation->set, t, HUGE_VAL, simulation->state);
      // what holds from an event on is shown at the event
      if (status == cr_ok && t >= simulation->nextEvent) {
        status = passEvent(simulation);
      }
    }
  }
  if (status != cr_ok) {
    return status == cr_retry ? reportPoint(simulation, simulation->reached, "behind an event") : status;
  }
  if (placeInstance(simulation, t) != cr_ok) {
    return reportOutput(simulation, t);
  }
  if (simulation->islands != NULL) {
    crContacts_DropApart(simulation->contacts);
  }
  return cr_ok;
}

// The state at the time of the instance, as exact as the solver can tell; it may be further.
static crStatus freezeState(crSimulation* simulation)
{
  crSolver* solver = simulation->solver;
  double t = simulation->time;
  if (simulation->islands != NULL) {
    return simulation->needsRestart ? cr_ok : crIslands_Freeze(simulation->islands, t);
  }
  if (simulation->needsRestart || crSolver_GetTime(solver) == t || !crGetSolverInfo(simulation->kind)->canRedo) {
    return cr_ok;
  }
  if (crSolver_RedoTo(solver, t) == cr_ok) {
    memcpy(simulation->state, crSolver_GetState(solver), (size_t)crSolvedCount(simulation) * sizeof(double));
  }
  return cr_ok;
}

crStatus crSimulation_SetInput(crSimulation* simulation, int input, double value)
{
  if (simulation == NULL || simulation->hasFailed || input < 0 || input >= crModel_CountInputs(simulation->model) ||
      !isfinite(value)) {
    return cr_errorMisuse;
  }
  if (crInstance_GetInput(simulation->instance, input) == value) {
    return cr_ok;
  }
  if (simulation->solver != NULL || simulation->islands != NULL) {
    crStatus status = freezeState(simulation);
    if (status != cr_ok) {
      return status;
    }
    simulation->needsRestart = true;
  }
  crInstance_SetInput(simulation->instance, input, value);
  if (simulation->islands != NULL) {
    crIslands_SetInput(simulation->islands, input, value);
  }
  return placeInstance(simulation, simulation->time) == cr_ok ? cr_ok : reportOutput(simulation, simulation->time);
}

crStatus crSimulation_Advance(crSimulation* simulation, double t)
{
  if (simulation == NULL || !(t >= simulation->time) || t > simulation->options.stopTime || simulation->hasFailed) {
    return cr_errorMisuse;
  }
  bool stopped;
  return advance(simulation, t, NULL, &stopped);
}

// --------------------------------------------------------------------------------------------- run

static crStatus hand(crSimulation* simulation, const crObserver* observer)
{
  ++simulation->outputCount;
  if (observer == NULL || observer->atOutput == NULL) {
    return cr_ok;
  }
  return observer->atOutput(observer->context, simulation->time, simulation->instance);
}

crStatus crSimulation_Run(crSimulation* simulation, const crObserver* observer, crRunEnd* outEnd)
{
  if (simulation == NULL || outEnd == NULL || simulation->hasFailed) {
    return cr_errorMisuse;
  }
  const crSimulationOptions* options = &simulation->options;
  double duration = options->stopTime - options->startTime;
  int64_t intervals = (int64_t)ceil(duration / options->interval * (1.0 - 1e-12));
  bool stopped = false;
  *outEnd = cr_runComplete;
  crStatus status = simulation->contacts != NULL ? crHandStart(simulation, observer) : cr_ok;
  status = status == cr_ok ? hand(simulation, observer) : status;
  for (int64_t i = 1; status == cr_ok && !stopped && i <= intervals; ++i) {
    // products, not sums: the grid does not drift
    double t = i == intervals ? options->stopTime : options->startTime + (double)i * options->interval;
    status = advance(simulation, t, observer, &stopped);
    if (status == cr_ok && !stopped) {
      status = hand(simulation, observer);
      // intervals may be shorter than the steps between two questions
      stopped = i < intervals && observer != NULL && observer->shouldStop != NULL &&
                observer->shouldStop(observer->context, t);
    }
  }
  *outEnd = status != cr_ok ? cr_runFailed : stopped ? cr_runStopped : cr_runComplete;
  return status;
}

crSimulationSummary crSimulation_GetSummary(const crSimulation* simulation)
{
  crSimulationSummary summary = {
    .tolerance = simulation->options.tolerance,
    .solver = simulation->kind,
    .solverReason = simulation->choice.reason,
    .time = simulation->time,
    .outputCount = simulation->outputCount,
    .islandReason = simulation->islandReason,
    .startEnergy = simulation->startEnergy,
    .endEnergy = crInstance_ComputeEnergy(simulation->instance, simulation->set, -1),
    .eventCount = simulation->contactEventCount,
    .contactCount = simulation->contactCount,
    .guardedSteps = simulation->guard != NULL ? crGuard_CountSearches(simulation->guard) : 0,
    .missedCount = simulation->guard != NULL ? crGuard_CountFinds(simulation->guard) : 0,
    .dissipated = simulation->balanceCount > 0 ? simulation->state[simulation->stateCount + cr_balanceDissipated] : 0.0,
    .work = simulation->balanceCount > 0 ? simulation->state[simulation->stateCount + cr_balanceWork] : 0.0,
    .cpuSeconds = simulation->cpuSeconds,
    .wallSeconds = simulation->wallSeconds,
  };
  if (simulation->islands != NULL) {
    crIslands_Summarize(simulation->islands, &summary);
  }
  if (simulation->solver != NULL) {
    summary.solverStatistics = addStatistics(crSolver_GetStatistics(simulation->solver), simulation->before);
  }
  return summary;
}
