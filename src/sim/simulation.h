// The inside of a simulation: what a run has beside its islands, which take all steps.
#ifndef CR_SIM_SIMULATION_H
#define CR_SIM_SIMULATION_H

#include "island/islands.h"
#include "sim/stopwatch.h"

#include <stdatomic.h>

// What the balance of energy leaves unexplained, as seen where somebody looks; energies in J.
typedef struct crEnergyWatch {
  double turnover;   // the largest energy that was turned over
  double largest;    // the largest of all energies
  double worst;      // the most that was unexplained
  double last, time; // what is, and [s] when
  double growth;     // the most that came between two looks,
  double from, to;   // [s] and when that was
  bool hasWarned;
} crEnergyWatch;

struct crSimulation {
  crRun run;
  crIslands* islands;      // NULL: the model has no trees
  double time;             // of the instance
  bool needsRestart;       // an input was set
  bool isStepping;         // islands advance: what it holds is of no one time, so it cannot be saved
  atomic_bool isBusy;      // a call that moves it goes on: there is room for one
  atomic_uintptr_t thread; // that goes on with it
  crEnergy startEnergy;
  int outputCount;
  crStopwatch watch;
  double startSeconds;
  int eventCount; // since the last output point, that somebody has looked at
  bool hasWarnedOfEvents;
  crEnergyWatch energyWatch;
  struct crActing* acting; // NULL: the model has no actions
};

// simulation.c: one without a start; its options are chosen and checked.
crStatus crMakeSimulation(const crModel* model, const crSimulationOptions* options, const crAllocator* allocator,
                          const crErrorSink* sink, crSimulation** outSimulation);
// An input goes on from its value with these derivatives by time (CR_INPUT_ORDERS) until it is set again. For models
// without actions, in which nothing takes them over; checkpoints do not hold them.
crStatus crSimulation_SetInputRates(crSimulation* simulation, int input, const double* rates);
// Finds its start, with what touches there.
crStatus crSimulation_Start(crSimulation* simulation);
// Whether another thread moves it now.
bool crSimulation_IsElsewhere(const crSimulation* simulation);
// Puts the instance at time t and the state of the run, with everything evaluated.
crStatus crSimulation_Place(crSimulation* simulation, double t);
// A number is not finite behind what is said in `point`; the run has failed.
crStatus crSimulation_ReportPoint(crSimulation* simulation, double t, const char* point);
// crSimulation_Advance, with somebody who is told what happens on the way.
crStatus crSimulation_AdvanceWatched(crSimulation* simulation, double t, const crObserver* observer);
// Steps until all clocks have reached t. outStopped: the observer wanted to.
crStatus crSimulation_StepTo(crSimulation* simulation, double t, const crObserver* observer, bool* outStopped);
// Without trees there are no steps, only events.
crStatus crSimulation_PassEvents(crSimulation* simulation, double t);
// Tells the instance, being there, what only the run knows of energies.
void crSimulation_TellEnergies(crSimulation* simulation);

// energy_watch.c: looks at the balance where the instance is; and, when a run is over, warns of what is unexplained.
void crSimulation_WatchEnergy(crSimulation* simulation);
void crSimulation_JudgeEnergy(crSimulation* simulation);

// creep.c: the contact that crept farthest, of those that ended and those that last; false: none is worth telling.
bool crSimulation_FindCreep(const crSimulation* simulation, crContactRecord* outRecord);
void crSimulation_SummarizeCreep(const crSimulation* simulation, crSimulationSummary* ioSummary);

// event_row.c: lets the observer look at events while islands advance, if it wants to.
void crSimulation_WatchEvents(crSimulation* simulation);

// options.c
bool crCanTouch(const crModel* model, const crSimulationOptions* options); // anything at all
bool crCheckOptions(const crModel* model, const crSimulationOptions* chosen, const crErrorSink* sink);

// state.c: a start from a state: numbers by their names, with loops closed; and contacts, which the run has none of
// yet.
crStatus crSimulation_TakeState(crSimulation* simulation, const crState* state);
crStatus crTakeContacts(crRun* run, const crState* state);
// What a state of another model knows by the same name goes on; what it does not know has the value that `find` says,
// where that is no NaN. With loops closed.
typedef double (*crFindNumber)(void* context, const char* name);
crStatus crSimulation_CarryState(crSimulation* simulation, const crState* state, crFindNumber find, void* context);
int crFindContactShape(const crModel* model, const char* path, int feature, int piece); // -1: none

// start_contact.c
crStatus crResumeContacts(crRun* run, const crState* state);  // those of a state, and what touches beside them
crStatus crStartContacts(crRun* run);                         // finds what touches, and its impulses
crStatus crCheckStartDepths(crRun* run);                      // start_depth.c: what is too deep to start with is told
crStatus crHandStart(crRun* run, const crObserver* observer); // contacts that exist at the start

#endif
