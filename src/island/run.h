// What a run and its islands share: the model and its instance, the state that the outside sees, and who is told.
#ifndef CR_ISLAND_RUN_H
#define CR_ISLAND_RUN_H

#include "carom/simulate.h"
#include "contact/contact.h"

// Energy that was taken out and put in since the start, integrated with the states.
enum { cr_balanceDissipated, cr_balanceWork, CR_BALANCE_COUNT };

#define CR_ABSOLUTE_SHARE 0.01    // [-] absolute tolerance over relative tolerance, for nominal values of 1
#define CR_MAX_QUIET_EVENTS 50    // contact events in a row that change nothing: the run is stuck
#define CR_CONTACT_TOLERANCE 1e-8 // [-] where none is given and something can touch: depths are 1e-6 m and less

// Contacts that began or ended, kept until it is their turn.
typedef crArrayOf(crContactRecord) crEventNews;

typedef struct crRun {
  crAllocator allocator;
  crErrorSink sink;
  const crModel* model;
  crSimulationOptions options;
  crTreeSet set; // all trees
  crInstance* instance;
  int stateCount;   // of the model
  int balanceCount; // behind them: CR_BALANCE_COUNT, or 0 where energy only changes its kind
  double* state;    // (stateCount + balanceCount) at the time of the instance
  double phase;     // [s] time event, or start, from which signals are taken
  double reached;   // [s] up to where all steps count
  bool hasFailed;

  // contact
  crContacts* contacts;       // as the outside sees them; NULL: nothing can touch, or contact is ignored
  const crObserver* observer; // while stepping
  // around events that may change something, if anybody wants to know: isAfter comes only if they did
  crStatus (*atEvent)(void* context, double t, bool isAfter);
  void* eventContext;
  int64_t contactCount;  // that began and have not ended without a push
  bool hasCrept;         // any of those that ended, so that it is worth telling;
  crContactRecord crept; // the one that did so farthest
  int overlapCount;      // pairs that are deeper at the start than bodies at rest
  bool hasWarnedOfDepth, hasWarnedOfThickness, hasWarnedOfTolerance;
} crRun;

// Tells which sampled function has failed at time t; returns the status of the run.
crStatus crReportSample(crRun* run, double t);

// Adds to a message which function of the model was at fault, and returns whether one was from time t on.
bool crAddFault(const crRun* run, double t, char* message, size_t size);

// contact_event.c: contacts as a run sees them.
// Impulses behind what was found to touch; they change y and the balance. The instance is at y, of the set.
// cr_failNumerics: there was no end to them, which crReportEndless tells.
crStatus crResolveImpacts(crInstance* instance, crTreeSet set, double* y, double* balance);
crStatus crReportEndless(crRun* run, crTreeSet set, double t);
// Keeps a record if it crept farther than the worst so far.
void crNoteCreep(const crContactRecord* record, bool* ioHasCrept, crContactRecord* ioWorst);
crStatus crHandEvent(crRun* run, const crContactRecord* event); // to the observer
// The first step behind an event, at most, so that an impact that begins is not leapt over, and its work is right to
// the tolerance [J]; infinity: no limit.
double crFindFirstStep(const crContacts* contacts, double tolerance);
double crFindContactNoise(const crContacts* contacts, const crTouchingPair* pair); // [m/s] of rounding, in its speeds
void crWatchEnd(crRun* run, const crContacts* contacts, const crContactRecord* event);
void crWatchContacts(crRun* run, const crContacts* contacts, double t); // warns of depths
void crWatchTolerance(crRun* run, const crContacts* contacts, double t);
// What is wrong with the contact of a pair at time t.
void crReportPair(const crRun* run, double t, crSeverity severity, const crTouchingPair* pair, const char* what,
                  double found, const char* allowed, const char* hint);
crStatus crReportStuck(crRun* run, double t);

#endif
