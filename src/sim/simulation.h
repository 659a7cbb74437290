// The inside of a simulation: what a run has beside its islands, which take all steps.
#ifndef CR_SIM_SIMULATION_H
#define CR_SIM_SIMULATION_H

#include "island/islands.h"

#include <time.h>

struct crSimulation {
  crRun run;
  crIslands* islands; // NULL: the model has no trees
  double time;        // of the instance
  bool needsRestart;  // an input was set
  crEnergy startEnergy;
  int outputCount;
  double cpuSeconds, wallSeconds, startSeconds;
  int eventCount; // since the last output point, that somebody has looked at
  bool hasWarnedOfEvents;
};

static inline double crReadClock(clockid_t clock) // [s]
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Tells the instance, being at the time that was asked for, what only the run knows of energies.
void crSimulation_TellEnergies(crSimulation* simulation);

// event_row.c: lets the observer look at events while islands advance, if it wants to.
void crSimulation_WatchEvents(crSimulation* simulation);

// options.c
bool crCanTouch(const crModel* model, const crSimulationOptions* options); // anything at all
bool crCheckOptions(const crModel* model, const crSimulationOptions* chosen, const crErrorSink* sink);

// start_contact.c
crStatus crStartContacts(crRun* run);                         // finds what touches, and its impulses
crStatus crHandStart(crRun* run, const crObserver* observer); // contacts that exist at the start

#endif
