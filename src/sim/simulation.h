// The inside of a simulation.
#ifndef CR_SIM_SIMULATION_H
#define CR_SIM_SIMULATION_H

#include "carom/simulate.h"
#include "sim/guard.h"
#include "sim/solver_choice.h"

// Energy that was taken out and put in since the start, integrated with the states. No step is chosen by their errors.
enum { cr_balanceDissipated, cr_balanceWork, CR_BALANCE_COUNT };

#define CR_STATE_NAME_SIZE (CR_MAX_PATH + 64)
#define CR_ABSOLUTE_SHARE 0.01 // [-] absolute tolerance over relative tolerance, for nominal values of 1
#define CR_DRIFT_LIMIT 100.0   // [tolerance] by which closing loops may change velocities after a step
#define CR_LEAST_DRIFT_LIMIT 1e-6
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
  crTreeSet set;
  crInstance* instance;
  crSolver* solver;  // NULL: nothing moves
  crSolverKind kind; // of the solver
  crSolverChoice choice;
  crSolverStatistics before; // of the solvers that were given up
  crProblem problem;
  crSparsity sparsity;
  int* columnStarts;   // (solvedLimit + 1)
  int* rows;           // (rowCapacity, entryCount of them used)
  int stateCount;      // of the model
  int balanceCount;    // behind them in what the solver sees: CR_BALANCE_COUNT, or 0 where energy only changes its kind
  int multiplierCount; // behind those: of the residual form of loops, forces and what stabilizes
  int solvedLimit;     // what all of them can be together
  int creepingSteps;   // tiny ones at a singular position of a loop, one after the other; residual form
  int entryCount, rowCapacity;
  double* state;    // (solvedLimit) at the time of the instance
  double* absTol;   // (solvedLimit)
  double time;      // of the instance
  double phase;     // [s] time event, or start, from which the solver has started
  double nextEvent; // [s] where it must stop; infinity: nowhere
  bool hasFailed;
  bool needsRestart; // an input was set

  crIslands* islands;       // which take the steps; NULL: the solver does, all at once
  const char* islandReason; // why there are none

  // contact
  crContacts* contacts; // NULL: nothing can touch, or contact is ignored
  crGuard* guard;
  crBoxPair* rootPairs; // (rootPairCount) with one pair of indicators each
  int rootPairCount;
  const crObserver* observer; // while stepping
  double reached;             // [s] up to where the last step counts: its end, or a contact that it missed
  bool isContactEvent;        // the solver has reached a contact event, which is resolved when it goes on
  int quietEvents;            // events in a row without a change
  int64_t contactEventCount, contactCount;
  bool hasWarnedOfDepth, hasWarnedOfThickness, hasWarnedOfTolerance;
  char stateName[CR_STATE_NAME_SIZE];
  crEnergy startEnergy;
  int outputCount;
  double cpuSeconds, wallSeconds;
};

// Starts the solver anew at time t from the simulation's state, with what touches there.
crStatus crRestart(crSimulation* simulation, double t);

// Lets sampled functions of a set work that are due at the time event t, where the instance is.
crStatus crSample(crSimulation* simulation, crTreeSet set, double t);

// Adds to a message which function of the model was at fault, if one was from time t on.
void crAddFault(const crSimulation* simulation, double t, char* message, size_t size);

// Length of what the solver sees.
static inline int crSolvedCount(const crSimulation* simulation)
{
  return simulation->stateCount + simulation->balanceCount + simulation->multiplierCount;
}

// Tells the solver which states are coupled now, before it starts anew.
crStatus crDescribeCouplings(crSimulation* simulation);

// Contact events, contact_event.c.
crStatus crStartContacts(crSimulation* simulation); // at the start: makes contacts and guard, finds what touches
crStatus crHandStart(crSimulation* simulation, const crObserver* observer); // contacts that exist at the start
void crFreeContacts(crSimulation* simulation);
crStatus crComputeContactRoots(void* context, double t, const double* y, double* outRoots);
crStatus crCheckStep(crSimulation* simulation, crOutcome outcome); // after every step: missed contacts, depths
crStatus crPassContactEvent(crSimulation* simulation);             // resolves the event and starts the solver anew
// Impulses behind what was found to touch; they change y and the balance. The instance is at y, of the set.
// cr_failNumerics: there was no end to them, which crReportEndless tells.
crStatus crResolveImpacts(crInstance* instance, crTreeSet set, double* y, double* balance);
crStatus crReportEndless(crSimulation* simulation, crTreeSet set, double t);
crStatus crHandEvent(crSimulation* simulation, const crContactEvent* event); // to the observer
// The first step behind an event, at most, so that an impact that begins is not leapt over; infinity: no limit.
double crFindFirstStep(const crContacts* contacts);
void crWatchEnd(crSimulation* simulation, const crContacts* contacts, const crContactEvent* event);
void crWatchContacts(crSimulation* simulation, const crContacts* contacts, double t); // warns of depths
crStatus crReportStuck(crSimulation* simulation, double t);
crStatus crResolveContacts(crSimulation* simulation, double t); // before the solver starts anew from the state

#endif
