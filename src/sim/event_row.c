// Events as an observer sees them: the instance just before one, and just after it.
//
// Islands stop where something waits at the smallest clock; then all of them can be read at that time. Their segments
// end there before the event and start there after it, so a jump is seen from both sides. Looking changes no step: it
// reads what output points read.
#include "base/report.h"
#include "sim/simulation.h"

#define CR_MAX_EVENTS 100 // between two output points: a pile that settles has thousands

static void warnOfEvents(crSimulation* simulation, double t)
{
  crReporter reporter = crMakeReporter(&simulation->run.sink, (crSource){ 0 }, "simulation");
  if (!simulation->hasWarnedOfEvents) {
    simulation->hasWarnedOfEvents = true;
    crReportWarning(&reporter,
                    "there are more than %d events between two output points at %g s: the rest has no rows of "
                    "its own, there and wherever that is so",
                    CR_MAX_EVENTS, t);
  }
}

// Puts the instance at time t: with the pieces of signals that hold up to it, or with those that hold from it on.
static crStatus place(crSimulation* simulation, double t, bool isAfter)
{
  crRun* run = &simulation->run;
  crStatus status = crIslands_Read(simulation->islands, t, run->state, run->contacts);
  if (status != cr_ok) {
    return status;
  }
  if (isAfter) {
    crInstance_SetPhase(run->instance, run->set, NAN);
  } else {
    crIslands_SetPhases(simulation->islands, run->instance);
  }
  crInstance_Project(run->instance, run->set, t, HUGE_VAL, run->state);
  crInstance_SetState(run->instance, run->set, t, run->state);
  status = crInstance_Eval(run->instance, run->set, cr_stageReport);
  if (status == cr_ok && run->contacts != NULL) {
    crContacts_DropApart(run->contacts);
  }
  if (status == cr_ok) {
    crSimulation_TellEnergies(simulation);
  }
  return status;
}

// A point that cannot be evaluated has no row; where that matters, the next step says so.
static crStatus look(crSimulation* simulation, double t, bool isAfter)
{
  const crObserver* observer = simulation->run.observer;
  crStatus status = place(simulation, t, isAfter);
  if (status > 0) {
    return cr_ok;
  }
  return status == cr_ok
             ? observer->atEvent(observer->context, t, isAfter ? cr_rowAfter : cr_rowBefore, simulation->run.instance)
             : status;
}

static crStatus atEvent(void* context, double t, bool isAfter)
{
  crSimulation* simulation = context;
  if (simulation->eventCount >= CR_MAX_EVENTS) {
    if (isAfter) {
      warnOfEvents(simulation, t);
    }
    return cr_ok;
  }
  crStopwatch_Turn(&simulation->watch, false); // output is not counted
  simulation->eventCount += isAfter;
  crStatus status = look(simulation, t, isAfter);
  crStopwatch_Turn(&simulation->watch, true);
  return status;
}

void crSimulation_WatchEvents(crSimulation* simulation)
{
  crRun* run = &simulation->run;
  bool isWatched = run->observer != NULL && run->observer->atEvent != NULL && run->options.eventRows == cr_eventRowsOn;
  run->atEvent = isWatched ? atEvent : NULL;
  run->eventContext = simulation;
}
