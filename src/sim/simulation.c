// A run: options, start, output points, and what is told of it. Islands take the steps; output points are read from
// their segments, so that output never changes the steps, and the instance is kept at the time that was asked for.
#include "sim/simulation.h"

#include "base/memory.h"
#include "base/report.h"
#include "sim/islands.h"
#include "sim/rest.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define CR_TOLERANCE 1e-6        // [-] where none is given
#define CR_LEAST_TOLERANCE 1e-15 // [-] below which rounding alone is more than is allowed

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
  if (!(o->tolerance >= CR_LEAST_TOLERANCE && o->tolerance < 1.0)) {
    crReportNumber(reporter, "the tolerance is out of range", o->tolerance, "1e-15 <= tolerance < 1", NULL,
                   "1e-6 is a good start; numbers have 16 digits");
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

// ------------------------------------------------------------------------------------------- start

void crAddFault(const crSimulation* simulation, double t, char* message, size_t size)
{
  size_t used = strlen(message);
  char fault[CR_MAX_PATH + 512];
  if (crInstance_DescribeFault(simulation->instance, t, fault, sizeof fault)) {
    snprintf(message + used, size - used, ": %s", fault);
  }
}

crStatus crReportSample(crSimulation* simulation, double t)
{
  char message[CR_MAX_PATH + 640];
  snprintf(message, sizeof message, "the simulation stops at %.9g s", t);
  crAddFault(simulation, t, message, sizeof message);
  crReporter reporter = crMakeReporter(&simulation->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message, .hint = "look at what this function does with such inputs" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  simulation->hasFailed = true;
  return cr_failNumerics;
}

// Lets sampled functions work that are due at t, where the instance is.
static crStatus sample(crSimulation* simulation, double t)
{
  crStatus status = crInstance_Sample(simulation->instance, simulation->set);
  return status == cr_ok ? cr_ok : crReportSample(simulation, t);
}

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

static bool canTouch(const crModel* model, const crSimulationOptions* options)
{
  return !options->ignoresContact && model->size.pairCount > 0;
}

// Whether anything does work or dissipates.
static bool changesEnergy(const crSimulation* simulation)
{
  const crModel* model = simulation->model;
  return canTouch(model, &simulation->options) || model->jointLawCount > 0 || model->size.forceCount > 0 ||
         model->driveCount > 0;
}

static crStatus sampleAtStart(crSimulation* simulation)
{
  double t = simulation->options.startTime;
  crInstance_SetPhase(simulation->instance, simulation->set, t);
  crInstance_SetState(simulation->instance, simulation->set, t, simulation->state);
  crStatus status = sample(simulation, t);
  return status == cr_ok ? placeInstance(simulation, t) : status;
}

// The state at the start, with loops closed, bodies at rest where they shall be, and what touches there.
static crStatus findStart(crSimulation* simulation)
{
  double t = simulation->options.startTime;
  if (simulation->stateCount > 0) {
    crModel_GetStart(simulation->model, simulation->set, simulation->state);
  }
  setStartInputs(simulation);
  simulation->phase = simulation->reached = t;
  crStatus status = crInstance_Assemble(simulation->instance, simulation->set, t, simulation->state, &simulation->sink);
  if (status != cr_ok) {
    return status;
  }
  status = placeInstance(simulation, t);
  if (status != cr_ok) {
    return reportStart(simulation);
  }
  status = canTouch(simulation->model, &simulation->options) ? crStartContacts(simulation) : cr_ok;
  if (status != cr_ok) {
    return status;
  }
  status = sampleAtStart(simulation);
  return status > 0 ? reportStart(simulation) : status;
}

static crStatus initialize(crSimulation* simulation)
{
  simulation->stateCount = crModel_CountStates(simulation->model, simulation->set);
  simulation->balanceCount = changesEnergy(simulation) ? CR_BALANCE_COUNT : 0;
  size_t count = (size_t)simulation->stateCount + CR_BALANCE_COUNT;
  simulation->state = crAllocateZero(&simulation->allocator, count, sizeof(double));
  crStatus status = simulation->state != NULL ? findStart(simulation) : cr_errorMemory;
  if (status != cr_ok) {
    return status;
  }
  simulation->startEnergy = crInstance_ComputeEnergy(simulation->instance, simulation->set, -1);
  return simulation->model->size.treeCount > 0 ? crCreateIslands(simulation, &simulation->islands) : cr_ok;
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
    chosenOptions.tolerance = canTouch(model, &chosenOptions) ? CR_CONTACT_TOLERANCE : CR_TOLERANCE;
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
  crDestroyIslands(simulation->islands);
  crDestroyContacts(simulation->contacts);
  crDestroyInstance(simulation->instance);
  crFree(&allocator, simulation->state, ((size_t)simulation->stateCount + CR_BALANCE_COUNT) * sizeof(double));
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

static double readClock(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Without trees there are no steps, only events.
static crStatus passEventsTo(crSimulation* simulation, double t)
{
  crStatus status = cr_ok;
  double event = crModel_GetNextTimeEvent(simulation->model, simulation->phase);
  for (; status == cr_ok && event <= t; event = crModel_GetNextTimeEvent(simulation->model, event)) {
    simulation->phase = event;
    crInstance_SetPhase(simulation->instance, simulation->set, event);
    crInstance_SetState(simulation->instance, simulation->set, event, simulation->state);
    status = sample(simulation, event);
  }
  simulation->reached = t;
  return status;
}

// Steps until all clocks have reached t. outStopped: the observer wanted to.
static crStatus stepTo(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped)
{
  double cpu = readClock(CLOCK_THREAD_CPUTIME_ID), wall = readClock(CLOCK_MONOTONIC);
  simulation->observer = observer;
  *outStopped = false;
  crStatus status = cr_ok;
  if (simulation->needsRestart) {
    simulation->needsRestart = false;
    status = crIslands_Restart(simulation->islands, simulation->time);
  }
  status = status == cr_ok ? crIslands_Advance(simulation->islands, t, outStopped) : status;
  if (status == cr_ok) {
    simulation->reached = crIslands_GetClock(simulation->islands);
  }
  simulation->cpuSeconds += crIslands_TakeCpu(simulation->islands) + readClock(CLOCK_THREAD_CPUTIME_ID) - cpu;
  simulation->wallSeconds += readClock(CLOCK_MONOTONIC) - wall;
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
  if (simulation->islands == NULL) {
    status = passEventsTo(simulation, t);
  } else {
    status = stepTo(simulation, t, observer, outStopped);
    t = *outStopped ? simulation->reached : t;
    status = status == cr_ok ? crIslands_Read(simulation->islands, t, simulation->state, simulation->contacts) : status;
    if (status == cr_ok) { // what the polynomial of a step has opened; closed as far as numbers allow
      crInstance_Project(simulation->instance, simulation->set, t, HUGE_VAL, simulation->state);
    }
  }
  if (status != cr_ok) {
    return status == cr_retry ? reportPoint(simulation, simulation->reached, "behind an event") : status;
  }
  if (placeInstance(simulation, t) != cr_ok) {
    return reportOutput(simulation, t);
  }
  if (simulation->contacts != NULL) {
    crContacts_DropApart(simulation->contacts);
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
  if (simulation->islands != NULL) {
    crStatus status = simulation->needsRestart ? cr_ok : crIslands_Freeze(simulation->islands, simulation->time);
    if (status != cr_ok) {
      return status;
    }
    simulation->needsRestart = true;
    crIslands_SetInput(simulation->islands, input, value);
  }
  crInstance_SetInput(simulation->instance, input, value);
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
  const double* balance = simulation->state + simulation->stateCount;
  crSimulationSummary summary = {
    .tolerance = simulation->options.tolerance,
    .solver = simulation->options.solver,
    .time = simulation->time,
    .outputCount = simulation->outputCount,
    .startEnergy = simulation->startEnergy,
    .endEnergy = crInstance_ComputeEnergy(simulation->instance, simulation->set, -1),
    .contactCount = simulation->contactCount,
    .dissipated = simulation->balanceCount > 0 ? balance[cr_balanceDissipated] : 0.0,
    .work = simulation->balanceCount > 0 ? balance[cr_balanceWork] : 0.0,
    .cpuSeconds = simulation->cpuSeconds,
    .wallSeconds = simulation->wallSeconds,
  };
  if (simulation->islands != NULL) {
    crIslands_Summarize(simulation->islands, &summary);
  }
  return summary;
}
