// A run: options, start, output points, and what is told of it. Islands take the steps; output points are read from
// their segments, so that output never changes the steps, and the instance is kept at the time that was asked for.
#include "sim/simulation.h"

#include "base/memory.h"
#include "base/report.h"
#include "island/islands.h"
#include "sim/acting.h"
#include "sim/rest.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

// ------------------------------------------------------------------------------------------- start

// Lets sampled functions work that are due at t, where the instance is.
static crStatus sample(crSimulation* simulation, double t)
{
  crStatus status = crInstance_Sample(simulation->run.instance, simulation->run.set);
  return status == cr_ok ? cr_ok : crReportSample(&simulation->run, t);
}

crStatus crSimulation_Place(crSimulation* simulation, double t)
{
  crInstance_SetPhase(simulation->run.instance, simulation->run.set, NAN);
  crInstance_SetState(simulation->run.instance, simulation->run.set, t, simulation->run.state);
  simulation->time = t;
  return crInstance_Eval(simulation->run.instance, simulation->run.set, cr_stageReport);
}

void crSimulation_TellEnergies(crSimulation* simulation)
{
  const double* balance = simulation->run.state + simulation->run.stateCount;
  const crContacts* contacts = simulation->run.set.contacts;
  const crEnergy* start = &simulation->startEnergy;
  crLedger ledger = { .elastic = contacts != NULL ? crContacts_SumElastic(contacts) : 0.0,
                      .dissipated = simulation->run.balanceCount > 0 ? balance[cr_balanceDissipated] : 0.0,
                      .work = simulation->run.balanceCount > 0 ? balance[cr_balanceWork] : 0.0,
                      .start = start->kinetic + start->potential + start->elastic -
                               (simulation->acting != NULL ? simulation->acting->removed : 0.0) };
  crInstance_SetLedger(simulation->run.instance, ledger);
}

static crStatus reportStart(crSimulation* simulation)
{
  char message[CR_MAX_PATH + 640] = "the model cannot be evaluated at its start values";
  bool isFunction = crAddFault(&simulation->run, -HUGE_VAL, message, sizeof message);
  crReporter reporter = crMakeReporter(&simulation->run.sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = {
    .message = message,
    .hint = isFunction ? "look at what this function does with such inputs"
                       : "look for a massless part, or for parts that coincide where a force needs a direction"
  };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  return cr_failNumerics;
}

static void setStartInputs(crSimulation* simulation)
{
  const double* inputs = simulation->run.options.inputs;
  for (int i = 0; inputs != NULL && i < crModel_CountInputs(simulation->run.model); ++i) {
    if (!isnan(inputs[i])) {
      crInstance_SetInput(simulation->run.instance, i, inputs[i]);
    }
  }
  simulation->run.options.inputs = NULL; // it need not live longer
}

// Whether anything does work or dissipates.
static bool changesEnergy(const crSimulation* simulation)
{
  const crModel* model = simulation->run.model;
  return crCanTouch(model, &simulation->run.options) || model->jointLawCount > 0 || model->size.forceCount > 0 ||
         model->driveCount > 0 || crCountElastics(model) > 0 || crModel_CountActions(model) > 0;
}

static crStatus sampleAtStart(crSimulation* simulation)
{
  double t = simulation->run.options.startTime;
  crInstance_SetPhase(simulation->run.instance, simulation->run.set, t);
  crInstance_SetState(simulation->run.instance, simulation->run.set, t, simulation->run.state);
  crStatus status = sample(simulation, t);
  return status == cr_ok ? crSimulation_Place(simulation, t) : status;
}

// The state at the start, with loops closed, bodies at rest where they shall be, and what touches there.
static crStatus findStart(crSimulation* simulation)
{
  double t = simulation->run.options.startTime;
  if (simulation->run.stateCount > 0) {
    crModel_GetStart(simulation->run.model, simulation->run.set, simulation->run.state);
  }
  setStartInputs(simulation);
  simulation->run.phase = simulation->run.reached = t;
  crStatus status = crInstance_Assemble(simulation->run.instance, simulation->run.set, t, simulation->run.state,
                                        &simulation->run.sink);
  if (status != cr_ok) {
    return status;
  }
  status = crSimulation_Place(simulation, t);
  if (status != cr_ok) {
    return reportStart(simulation);
  }
  status = crCanTouch(simulation->run.model, &simulation->run.options) ? crStartContacts(&simulation->run) : cr_ok;
  if (status != cr_ok) {
    return status;
  }
  status = sampleAtStart(simulation);
  return status > 0 ? reportStart(simulation) : status;
}

// The start that a state is: after all that happened at its time.
static crStatus findStartOf(crSimulation* simulation, const crState* state)
{
  crStatus status = crSimulation_TakeState(simulation, state);
  if (status != cr_ok) {
    return status;
  }
  setStartInputs(simulation);
  simulation->run.phase = simulation->run.reached = state->time;
  bool canTouch = crCanTouch(simulation->run.model, &simulation->run.options);
  if (crSimulation_Place(simulation, state->time) != cr_ok) {
    return reportStart(simulation);
  }
  status = canTouch ? crResumeContacts(&simulation->run, state) : cr_ok;
  if (status != cr_ok) {
    return status > 0 ? reportStart(simulation) : status;
  }
  return crSimulation_Place(simulation, state->time) == cr_ok ? cr_ok : reportStart(simulation);
}

crStatus crSimulation_Start(crSimulation* simulation)
{
  const crState* state = simulation->run.options.start;
  simulation->run.options.start = NULL; // it need not live longer
  crStatus status = state != NULL ? findStartOf(simulation, state) : findStart(simulation);
  if (status != cr_ok) {
    return status;
  }
  simulation->startEnergy = crInstance_ComputeEnergy(simulation->run.instance, simulation->run.set, -1);
  simulation->energyWatch.time = simulation->time;
  crSimulation_TellEnergies(simulation);
  crSimulation_WatchEnergy(simulation);
  if (simulation->acting != NULL) {
    crSimulation_StartTriggers(simulation);
  }
  if (simulation->run.model->size.treeCount == 0) {
    return cr_ok;
  }
  status = crCreateIslands(&simulation->run, &simulation->islands);
  if (status != cr_ok) {
    return status;
  }
  // islands close loops once more as they start, which moves the instance away from the state of the run
  return crSimulation_Place(simulation, simulation->time) == cr_ok ? cr_ok : reportStart(simulation);
}

crStatus crCreateSimulation(const crModel* model, const crSimulationOptions* options, const crAllocator* allocator,
                            const crErrorSink* sink, crSimulation** outSimulation)
{
  if (model == NULL || outSimulation == NULL) {
    return cr_errorMisuse;
  }
  *outSimulation = NULL;
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "simulation");
  if (options != NULL && !crCheckSize(&reporter, "crSimulationOptions", options->size, sizeof *options)) {
    return cr_errorMisuse;
  }
  crStopwatch watch = { 0 };
  crStopwatch_Open(&watch);
  crStopwatch_Turn(&watch, true);
  crSimulationOptions chosen = crModel_ChooseOptions(model, options);
  if (!crCheckOptions(model, &chosen, sink)) {
    return cr_errorModel;
  }
  crSimulation* simulation;
  crStatus status = crMakeSimulation(model, &chosen, allocator, sink, &simulation);
  if (status != cr_ok) {
    return status;
  }
  status = crStartCallers(simulation->run.instance, sink);
  status = status == cr_retry ? cr_errorModel : status;
  status = status == cr_ok ? crSimulation_Start(simulation) : status;
  if (status != cr_ok) {
    crDestroySimulation(simulation);
    return status;
  }
  crStopwatch_Close(&watch);
  simulation->watch = watch;
  simulation->startSeconds = watch.wallSeconds;
  *outSimulation = simulation;
  return cr_ok;
}

crStatus crMakeSimulation(const crModel* model, const crSimulationOptions* options, const crAllocator* allocator,
                          const crErrorSink* sink, crSimulation** outSimulation)
{
  *outSimulation = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crSimulation* simulation = crAllocateZero(&chosen, 1, sizeof *simulation);
  if (simulation == NULL) {
    return cr_errorMemory;
  }
  simulation->run.allocator = chosen;
  simulation->run.sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  simulation->run.model = model;
  simulation->run.options = *options;
  simulation->run.set = crModel_GetAllTrees(model);
  simulation->run.stateCount = crModel_CountStates(model, simulation->run.set);
  simulation->run.balanceCount = changesEnergy(simulation) ? CR_BALANCE_COUNT : 0;
  size_t count = (size_t)simulation->run.stateCount + CR_BALANCE_COUNT;
  simulation->run.state = crAllocateZero(&chosen, count, sizeof(double));
  crStatus status = simulation->run.state != NULL ? crCreateInstance(model, &chosen, sink, &simulation->run.instance)
                                                  : cr_errorMemory;
  status = status == cr_ok ? crCreateActing(model, &chosen, &simulation->acting) : status;
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
  if (atomic_load(&simulation->isBusy)) {
    crReporter reporter = crMakeReporter(&simulation->run.sink, (crSource){ 0 }, "simulation");
    crReportError(&reporter, "a simulation cannot be destroyed while it runs: it goes on");
    return;
  }
  crAllocator allocator = simulation->run.allocator;
  crDestroyIslands(simulation->islands);
  crDestroyContacts(simulation->run.contacts);
  crDestroyInstance(simulation->run.instance);
  crFree(&allocator, simulation->run.state, ((size_t)simulation->run.stateCount + CR_BALANCE_COUNT) * sizeof(double));
  crDestroyActing(simulation->acting);
  crFree(&allocator, simulation, sizeof *simulation);
}

const crModel* crSimulation_GetModel(const crSimulation* simulation)
{
  return simulation != NULL ? simulation->run.model : NULL;
}

double crSimulation_GetTime(const crSimulation* simulation)
{
  return simulation != NULL ? simulation->time : NAN;
}

crSimulationOptions crSimulation_GetOptions(const crSimulation* simulation)
{
  return simulation != NULL ? simulation->run.options : (crSimulationOptions){ 0 };
}

crTreeSet crSimulation_GetSet(const crSimulation* simulation)
{
  return simulation != NULL ? simulation->run.set : (crTreeSet){ 0 };
}

const crInstance* crSimulation_GetInstance(const crSimulation* simulation)
{
  return simulation != NULL ? simulation->run.instance : NULL;
}

// ------------------------------------------------------------------------------------------- steps

crStatus crSimulation_PassEvents(crSimulation* simulation, double t)
{
  crStatus status = cr_ok;
  double event = crModel_GetNextTimeEvent(simulation->run.model, simulation->run.phase);
  for (; status == cr_ok && event <= t; event = crModel_GetNextTimeEvent(simulation->run.model, event)) {
    simulation->run.phase = event;
    crInstance_SetPhase(simulation->run.instance, simulation->run.set, event);
    crInstance_SetState(simulation->run.instance, simulation->run.set, event, simulation->run.state);
    status = sample(simulation, event);
  }
  simulation->run.reached = t;
  return status;
}

crStatus crSimulation_StepTo(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped)
{
  crStopwatch_Turn(&simulation->watch, true);
  simulation->run.observer = observer;
  crSimulation_WatchEvents(simulation);
  *outStopped = false;
  crStatus status = cr_ok;
  if (simulation->needsRestart) {
    simulation->needsRestart = false;
    status = crIslands_Restart(simulation->islands, simulation->time);
  }
  simulation->isStepping = true;
  status = status == cr_ok ? crIslands_Advance(simulation->islands, t, outStopped) : status;
  simulation->isStepping = false;
  if (status == cr_ok) {
    simulation->run.reached = crIslands_GetClock(simulation->islands);
  }
  simulation->watch.cpuSeconds += crIslands_TakeCpu(simulation->islands);
  crStopwatch_Turn(&simulation->watch, false);
  return status;
}

// The steps went well, but the model cannot be evaluated between their ends, or with what holds behind an event.
crStatus crSimulation_ReportPoint(crSimulation* simulation, double t, const char* point)
{
  char message[CR_MAX_PATH + 640];
  snprintf(message, sizeof message, "the model cannot be evaluated %s", point);
  crAddFault(&simulation->run, t, message, sizeof message);
  crReporter reporter = crMakeReporter(&simulation->run.sink, (crSource){ 0 }, "simulation");
  crReportNumber(&reporter, message, t, NULL, "s",
                 "a number is not finite there: look at the forces and signals near this time");
  simulation->run.hasFailed = true;
  return cr_failNumerics;
}

static crStatus reportOutput(crSimulation* simulation, double t)
{
  return crSimulation_ReportPoint(simulation, t, "at an output point");
}

static crStatus advance(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped)
{
  *outStopped = false;
  crStatus status = cr_ok;
  if (simulation->acting != NULL) {
    status = crSimulation_AdvanceActing(simulation, t, observer, outStopped);
  } else if (simulation->islands == NULL) {
    status = crSimulation_PassEvents(simulation, t);
  } else {
    status = crSimulation_StepTo(simulation, t, observer, outStopped);
  }
  if (simulation->islands != NULL && !simulation->needsRestart) {
    t = *outStopped ? simulation->run.reached : t;
    status = status == cr_ok ? crIslands_Read(simulation->islands, t, simulation->run.state, simulation->run.contacts)
                             : status;
    if (status == cr_ok) { // what the polynomial of a step has opened; closed as far as numbers allow
      crInstance_Project(simulation->run.instance, simulation->run.set, t, HUGE_VAL, simulation->run.state);
    }
  }
  if (status != cr_ok) {
    status =
        status == cr_retry ? crSimulation_ReportPoint(simulation, simulation->run.reached, "behind an event") : status;
    if (simulation->run.hasFailed) { // its energies are those of the time that it stands at, as its balance
      crSimulation_Place(simulation, simulation->time);
    }
    return status;
  }
  if (crSimulation_Place(simulation, t) != cr_ok) {
    return reportOutput(simulation, t);
  }
  if (simulation->run.contacts != NULL) {
    crContacts_DropApart(simulation->run.contacts);
  }
  crSimulation_TellEnergies(simulation);
  crSimulation_WatchEnergy(simulation);
  if (t >= simulation->run.options.stopTime) {
    crSimulation_JudgeEnergy(simulation);
  }
  return cr_ok;
}

// A number of its own for each thread: where a variable of it lies.
static uintptr_t findThread(void)
{
  static _Thread_local char own;
  return (uintptr_t)&own;
}

// false: a call goes on, of which this one is a part, or in another thread.
static bool enter(crSimulation* simulation)
{
  bool isFree = !atomic_exchange(&simulation->isBusy, true);
  if (isFree) {
    atomic_store(&simulation->thread, findThread());
    crStopwatch_Open(&simulation->watch);
  }
  return isFree;
}

static void leave(crSimulation* simulation)
{
  crStopwatch_Close(&simulation->watch);
  atomic_store(&simulation->thread, 0);
  atomic_store(&simulation->isBusy, false);
}

bool crSimulation_IsElsewhere(const crSimulation* simulation)
{
  uintptr_t thread = atomic_load(&simulation->thread);
  return thread != 0 && thread != findThread();
}

static bool canSetInput(const crSimulation* simulation, int input)
{
  return simulation != NULL && !crSimulation_IsElsewhere(simulation) && !simulation->run.hasFailed &&
         !simulation->isStepping && input >= 0 && input < crModel_CountInputs(simulation->run.model);
}

// What was integrated beyond this time knows nothing of what is set now.
static crStatus freeze(crSimulation* simulation)
{
  if (simulation->islands == NULL) {
    return cr_ok;
  }
  crStatus status = simulation->needsRestart ? cr_ok : crIslands_Freeze(simulation->islands, simulation->time);
  simulation->needsRestart = simulation->needsRestart || status == cr_ok;
  return status;
}

crStatus crSimulation_SetInputRates(crSimulation* simulation, int input, const double* rates)
{
  if (!canSetInput(simulation, input) || rates == NULL || !crAreFinite(rates, CR_INPUT_ORDERS)) {
    return cr_errorMisuse;
  }
  crStatus status = freeze(simulation);
  if (status == cr_ok && simulation->islands != NULL) {
    crIslands_SetInputRates(simulation->islands, input, simulation->time, rates);
  }
  if (status == cr_ok) {
    crInstance_SetInputRates(simulation->run.instance, input, simulation->time, rates);
  }
  return status;
}

crStatus crSimulation_SetInput(crSimulation* simulation, int input, double value)
{
  if (!canSetInput(simulation, input) || !isfinite(value)) {
    return cr_errorMisuse;
  }
  if (crInstance_GetInput(simulation->run.instance, input) == value &&
      crInstance_IsHeld(simulation->run.instance, input)) {
    return cr_ok;
  }
  crStatus status = freeze(simulation);
  if (status != cr_ok) {
    return status;
  }
  if (simulation->islands != NULL) {
    crIslands_SetInput(simulation->islands, input, value);
  }
  crInstance_SetInput(simulation->run.instance, input, value);
  if (crSimulation_Place(simulation, simulation->time) != cr_ok) {
    return reportOutput(simulation, simulation->time);
  }
  crSimulation_TellEnergies(simulation);
  return cr_ok;
}

crStatus crSimulation_Advance(crSimulation* simulation, double t)
{
  return crSimulation_AdvanceWatched(simulation, t, NULL);
}

crStatus crSimulation_AdvanceWatched(crSimulation* simulation, double t, const crObserver* observer)
{
  if (simulation == NULL || !enter(simulation)) {
    return cr_errorMisuse;
  }
  bool stopped, isGood = t >= simulation->time && t <= simulation->run.options.stopTime && !simulation->run.hasFailed;
  crStatus status = isGood ? advance(simulation, t, observer, &stopped) : cr_errorMisuse;
  leave(simulation);
  return status;
}

// --------------------------------------------------------------------------------------------- run

static crStatus hand(crSimulation* simulation, const crObserver* observer)
{
  ++simulation->outputCount;
  simulation->eventCount = 0;
  if (observer == NULL || observer->atOutput == NULL) {
    return cr_ok;
  }
  return observer->atOutput(observer->context, simulation->time, simulation->run.instance);
}

// Contacts that last when a run ends, with their values so far.
static crStatus handLasting(const crSimulation* simulation, const crObserver* observer)
{
  const crContacts* contacts = simulation->run.contacts;
  bool isHeard = contacts != NULL && observer != NULL && observer->atContact != NULL;
  crStatus status = cr_ok;
  for (int i = 0; isHeard && status == cr_ok && i < crContacts_Count(contacts); ++i) {
    crContactRecord record = crContacts_Get(contacts, i);
    record.phase = cr_contactLast;
    record.time = simulation->time;
    status = observer->atContact(observer->context, &record);
  }
  return status;
}

// Contacts that have not pushed yet.
static int countIdle(const crContacts* contacts)
{
  int count = 0;
  for (int i = 0; contacts != NULL && i < crContacts_Count(contacts); ++i) {
    crContactRecord record = crContacts_Get(contacts, i);
    count += !crContactRecord_HasPushed(&record);
  }
  return count;
}

static crStatus runToEnd(crSimulation* simulation, const crObserver* observer, crRunEnd* outEnd)
{
  const crSimulationOptions* options = &simulation->run.options;
  double duration = options->stopTime - options->startTime;
  int64_t intervals = (int64_t)ceil(duration / options->interval * (1.0 - 1e-12));
  bool stopped = false, isStart = simulation->outputCount == 0;
  *outEnd = cr_runComplete;
  crStatus status = isStart && simulation->run.contacts != NULL ? crHandStart(&simulation->run, observer) : cr_ok;
  status = status == cr_ok && isStart ? hand(simulation, observer) : status;
  for (int64_t i = simulation->outputCount; status == cr_ok && !stopped && i <= intervals; ++i) {
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
  crSimulation_JudgeEnergy(simulation); // also of a run that failed or was stopped
  crStatus last = handLasting(simulation, observer);
  status = status == cr_ok ? last : status;
  *outEnd = status != cr_ok ? cr_runFailed : stopped ? cr_runStopped : cr_runComplete;
  return status;
}

crStatus crSimulation_Run(crSimulation* simulation, const crObserver* observer, crRunEnd* outEnd)
{
  if (simulation == NULL || outEnd == NULL || !enter(simulation)) {
    return cr_errorMisuse;
  }
  crStatus status = simulation->run.hasFailed ? cr_errorMisuse : runToEnd(simulation, observer, outEnd);
  leave(simulation);
  return status;
}

crSimulationSummary crSimulation_GetSummary(const crSimulation* simulation)
{
  if (simulation == NULL) {
    return (crSimulationSummary){ .creepA = -1, .creepB = -1 };
  }
  const double* balance = simulation->run.state + simulation->run.stateCount;
  crSimulationSummary summary = {
    .tolerance = simulation->run.options.tolerance,
    .solver = simulation->run.options.solver,
    .time = simulation->time,
    .outputCount = simulation->outputCount,
    .startEnergy = simulation->startEnergy,
    .endEnergy = crInstance_ComputeEnergy(simulation->run.instance, simulation->run.set, -1),
    .contactCount = simulation->run.contactCount - countIdle(simulation->run.contacts),
    .dissipated = simulation->run.balanceCount > 0 ? balance[cr_balanceDissipated] : 0.0,
    .work = simulation->run.balanceCount > 0 ? balance[cr_balanceWork] : 0.0,
    .cpuSeconds = simulation->watch.cpuSeconds,
    .wallSeconds = simulation->watch.wallSeconds,
    .startSeconds = simulation->startSeconds,
  };
  crSimulation_SummarizeCreep(simulation, &summary);
  if (simulation->acting != NULL) {
    crActing_Summarize(simulation->acting, &summary);
  }
  if (simulation->islands != NULL) {
    crIslands_Summarize(simulation->islands, &summary);
  }
  return summary;
}
