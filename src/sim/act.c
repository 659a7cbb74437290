// The clock of a run with actions: it stops where they are due. And actions that are called for from outside.
#include "base/report.h"
#include "sim/acting.h"

// Signals may jump to and fro by what their own actions do, and periods may be too short for numbers.
#define CR_MAX_ACTIONS 1000 // at one time
#define CR_SAME_TIME 1e-12  // [s], or share of the time

typedef struct Clock {
  double time; // [s] of an action,
  int count;   // and how many there have been at that time
} Clock;

static crStatus reportEndless(crSimulation* simulation, int action)
{
  const crActionDef* def = crModel_GetAction(simulation->acting->first, action);
  crReporter reporter = crMakeReporter(&simulation->run.sink, def->source, def->name);
  crReportNumber(&reporter, "actions call for each other without end", simulation->time, NULL, "s",
                 "look at what their triggers see when they are done");
  simulation->run.hasFailed = true;
  return cr_failNumerics;
}

// At the time reached.
static crStatus doNow(crSimulation* simulation, int action, Clock* clock)
{
  bool isSame = simulation->time - clock->time <= CR_SAME_TIME * fmax(1.0, fabs(simulation->time));
  clock->count = isSame ? clock->count + 1 : 1;
  clock->time = isSame ? clock->time : simulation->time;
  if (clock->count > CR_MAX_ACTIONS) {
    return reportEndless(simulation, action);
  }
  crStopwatch_Turn(&simulation->watch, true);
  crSimulation_NoteDone(simulation, action);
  crStatus status = crSimulation_DoAction(simulation, action);
  crStopwatch_Turn(&simulation->watch, false);
  return status;
}

static crStatus step(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped)
{
  *outStopped = false;
  return simulation->islands != NULL ? crSimulation_StepTo(simulation, t, observer, outStopped)
                                     : crSimulation_PassEvents(simulation, t);
}

// Steps up to t, or until a trigger that watches has been seen. outTime: where it has come to.
static crStatus watchTo(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped,
                        double* outTime, int* outAction)
{
  crActing* acting = simulation->acting;
  crStatus status = cr_ok;
  *outStopped = false;
  *outAction = -1;
  while (status == cr_ok && *outAction < 0 && !*outStopped && acting->looked < t) {
    // all islands can be read up to the smallest clock, and no farther than one step back
    double clock = t;
    if (simulation->islands != NULL && !simulation->needsRestart) {
      clock = crIslands_GetClock(simulation->islands);
    }
    if (!(clock > acting->looked) || simulation->needsRestart) { // events may leave nothing to read before this time
      acting->looked = fmin(t, nextafter(acting->looked, HUGE_VAL));
      status = step(simulation, acting->looked, observer, outStopped);
      clock = simulation->islands != NULL ? crIslands_GetClock(simulation->islands) : t;
    } else if (simulation->islands == NULL) {
      status = step(simulation, t, observer, outStopped);
    }
    double end = fmin(t, clock);
    status = status == cr_ok ? crSimulation_Look(simulation, end, outTime, outAction) : status;
    acting->looked = status != cr_ok || *outAction < 0 ? end : *outTime;
  }
  *outTime = acting->looked;
  return status;
}

// To the next action that is due, or to t.
static crStatus goOn(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped, double* outTime,
                     int* outAction)
{
  crActing* acting = simulation->acting;
  int timed;
  double due = fmax(simulation->time, crSimulation_FindDueTime(simulation, &timed)), goal = fmin(t, due);
  *outTime = goal;
  *outAction = -1;
  crStatus status = acting->watches ? watchTo(simulation, goal, observer, outStopped, outTime, outAction)
                                    : step(simulation, goal, observer, outStopped);
  bool isWhole = status == cr_ok && *outAction < 0 && !*outStopped;
  if (isWhole && acting->watches) {
    status = step(simulation, goal, observer, outStopped);
  }
  if (status == cr_ok && *outStopped) {
    *outTime = simulation->run.reached;
  } else if (isWhole && due <= t) {
    *outAction = timed;
  }
  return status;
}

crStatus crSimulation_AdvanceActing(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped)
{
  Clock clock = { .time = -HUGE_VAL };
  crStatus status = cr_ok;
  int action = 0;
  *outStopped = false;
  while (status == cr_ok && action >= 0 && !*outStopped) {
    double reached;
    status = goOn(simulation, t, observer, outStopped, &reached, &action);
    if (status == cr_ok && action >= 0 && simulation->acting->watches) { // what else happens at that very time
      status = step(simulation, reached, observer, outStopped);
    }
    if (status == cr_ok && action >= 0) {
      simulation->run.observer = observer;
      simulation->time = reached;
      simulation->acting->looked = reached;
      status = doNow(simulation, action, &clock);
    }
  }
  return status;
}

crStatus crSimulation_Act(crSimulation* simulation, const char* action)
{
  if (simulation == NULL || action == NULL || simulation->run.hasFailed || simulation->isStepping) {
    return cr_errorMisuse;
  }
  const crModel* model = simulation->acting != NULL ? simulation->acting->first : simulation->run.model;
  int index = crModel_FindAction(model, action);
  if (index < 0) {
    crReporter reporter = crMakeReporter(&simulation->run.sink, (crSource){ 0 }, "simulation");
    crReportError(&reporter, "the model has no action '%s'", action);
    return cr_errorMisuse;
  }
  if (!atomic_load(&simulation->isBusy)) {
    simulation->run.observer = NULL;
  }
  return crSimulation_DoAction(simulation, index);
}
