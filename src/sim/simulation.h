// The inside of a simulation: what a run has beside its islands, which take all steps.
#ifndef CR_SIM_SIMULATION_H
#define CR_SIM_SIMULATION_H

#include "carom/simulate.h"
#include "model/eval/contact.h"

// Energy that was taken out and put in since the start, integrated with the states.
enum { cr_balanceDissipated, cr_balanceWork, CR_BALANCE_COUNT };

#define CR_ABSOLUTE_SHARE 0.01    // [-] absolute tolerance over relative tolerance, for nominal values of 1
#define CR_MAX_QUIET_EVENTS 50    // contact events in a row that change nothing: the run is stuck
#define CR_CONTACT_TOLERANCE 1e-8 // [-] where none is given and something can touch: depths are 1e-6 m and less

typedef struct crIslands crIslands;

// Contacts that began or ended, kept until it is their turn.
typedef crArrayOf(crContactEvent) crEventNews;

struct crSimulation {
  crAllocator allocator;
  crErrorSink sink;
  const crModel* model;
  crSimulationOptions options;
  crTreeSet set; // all trees
  crInstance* instance;
  crIslands* islands; // NULL: the model has no trees
  int stateCount;     // of the model
  int balanceCount;   // behind them: CR_BALANCE_COUNT, or 0 where energy only changes its kind
  double* state;      // (stateCount + balanceCount) at the time of the instance
  double time;        // of the instance
  double phase;       // [s] time event, or start, from which signals are taken
  double reached;     // [s] up to where all steps count
  bool hasFailed;
  bool needsRestart; // an input was set

  // contact
  crContacts* contacts;       // as the outside sees them; NULL: nothing can touch, or contact is ignored
  const crObserver* observer; // while stepping
  int64_t contactCount;
  bool hasWarnedOfDepth, hasWarnedOfThickness, hasWarnedOfTolerance;
  crEnergy startEnergy;
  int outputCount;
  double cpuSeconds, wallSeconds;
};

// Tells which sampled function has failed at time t; returns the status of the run.
crStatus crReportSample(crSimulation* simulation, double t);

// Adds to a message which function of the model was at fault, if one was from time t on.
void crAddFault(const crSimulation* simulation, double t, char* message, size_t size);

// contact_event.c: contacts as a run sees them.
crStatus crStartContacts(crSimulation* simulation); // at the start: finds what touches, and its impulses
crStatus crHandStart(crSimulation* simulation, const crObserver* observer); // contacts that exist at the start
// Impulses behind what was found to touch; they change y and the balance. The instance is at y, of the set.
// cr_failNumerics: there was no end to them, which crReportEndless tells.
crStatus crResolveImpacts(crInstance* instance, crTreeSet set, double* y, double* balance);
crStatus crReportEndless(crSimulation* simulation, crTreeSet set, double t);
crStatus crHandEvent(crSimulation* simulation, const crContactEvent* event); // to the observer
// The first step behind an event, at most, so that an impact that begins is not leapt over; infinity: no limit.
double crFindFirstStep(const crContacts* contacts);
double crFindContactNoise(const crContacts* contacts, const crTouchingPair* pair); // [m/s] of rounding, in its speeds
void crWatchEnd(crSimulation* simulation, const crContacts* contacts, const crContactEvent* event);
void crWatchContacts(crSimulation* simulation, const crContacts* contacts, double t); // warns of depths
crStatus crReportStuck(crSimulation* simulation, double t);

#endif
