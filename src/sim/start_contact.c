// Contacts at the start of a run: bodies are put at rest where they shall be, what touches is found, impulses that are
// due come, and what is too deep to start with is told.
#include "sim/rest.h"
#include "sim/simulation.h"

static crStatus handEvents(const crContacts* contacts, const crObserver* observer)
{
  int count;
  const crContactRecord* events = crContacts_GetEvents(contacts, &count);
  crStatus status = cr_ok;
  for (int i = 0; i < count && status == cr_ok && observer != NULL && observer->atContact != NULL; ++i) {
    status = observer->atContact(observer->context, &events[i]);
  }
  return status;
}

// Contacts that a state had, and that go on: for this run they begin at its start.
static crStatus handTaken(const crRun* run, const crObserver* observer)
{
  const crContacts* contacts = run->contacts;
  bool isHeard = observer != NULL && observer->atContact != NULL;
  crStatus status = cr_ok;
  for (int i = 0; i < contacts->contacts.count && isHeard && status == cr_ok; ++i) {
    if (!contacts->contacts.items[i].isNew) {
      crContactRecord record = crContacts_Get(contacts, i);
      record.phase = cr_contactBegin;
      record.time = run->options.startTime;
      status = observer->atContact(observer->context, &record);
    }
  }
  return status;
}

static int countTaken(const crContacts* contacts)
{
  int count = 0;
  for (int i = 0; i < contacts->contacts.count; ++i) {
    count += !contacts->contacts.items[i].isNew;
  }
  return count;
}

// Nobody observes yet when a simulation is made.
crStatus crHandStart(crRun* run, const crObserver* observer)
{
  bool isAtStart = run->contacts->lastEvent == run->options.startTime;
  crStatus status = isAtStart ? handEvents(run->contacts, observer) : cr_ok;
  return isAtStart && status == cr_ok ? handTaken(run, observer) : status;
}

// What was held at rest goes on as it was.
static void takeHeld(crContacts* contacts, const crContacts* held)
{
  for (int k = 0; held != NULL && k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crTouchingPair* before = crContacts_FindPair(held, (crBoxPair){ pair->shapeA, pair->shapeB });
    if (before != NULL) {
      contacts->contacts.items[k].bristle = crContacts_GetOf(held, before)->bristle;
    }
  }
}

// held: contacts at rest; NULL: there are none.
static crStatus resolveStart(crRun* run, const crContacts* held)
{
  double t = run->options.startTime;
  crInstance_SetPhase(run->instance, run->set, t);
  crInstance_SetState(run->instance, run->set, t, run->state);
  crStatus status = crInstance_ResolveContacts(run->instance, run->set);
  takeHeld(run->contacts, held);
  if (status == cr_ok) { // impacts at the start come before the energy at the start
    double balance[CR_BALANCE_COUNT] = { 0.0 };
    status = crResolveImpacts(run->instance, run->set, run->state, balance);
    status = status == cr_failNumerics ? crReportEndless(run, run->set, t) : status;
  }
  status = status == cr_ok ? crInstance_Eval(run->instance, run->set, cr_stageForce) : status;
  if (status == cr_ok) {
    int count;
    const crContactRecord* events = crContacts_GetEvents(run->contacts, &count);
    for (int i = 0; i < count; ++i) {
      run->contactCount += events[i].phase == cr_contactBegin;
    }
    run->contactCount += countTaken(run->contacts);
    crContacts_PlaceBristles(run->contacts, 0); // as they are after a row: a checkpoint of the start is one of them
    crWatchTolerance(run, run->contacts, t);
  }
  return status;
}

crStatus crResumeContacts(crRun* run, const crState* state)
{
  crStatus status = crCreateContacts(run->model, run->set, &run->allocator, &run->contacts);
  if (status == cr_ok) {
    run->set.contacts = run->contacts;
    crInstance_SetPhase(run->instance, run->set, run->options.startTime);
    crInstance_SetState(run->instance, run->set, run->options.startTime, run->state);
    status = crInstance_Eval(run->instance, run->set, cr_stagePosition);
  }
  if (status == cr_ok) {
    crPlaceTrees(run->instance, run->set); // bristles that begin anew need to know how shapes lie
    status = crTakeContacts(run, state);
  }
  return status == cr_ok ? resolveStart(run, NULL) : status;
}

static bool sticks(const crModel* model)
{
  bool isAny = false;
  for (int i = 0; i < model->lawCount; ++i) {
    isAny = isAny || model->laws[i].sticks;
  }
  return isAny;
}

crStatus crStartContacts(crRun* run)
{
  crStatus status = crCreateContacts(run->model, run->set, &run->allocator, &run->contacts);
  if (status == cr_ok) {
    run->set.contacts = run->contacts;
    status = crPlaceAtRest(run);
  }
  crContacts* held = NULL;
  if (status == cr_ok && crHasResting(run->model) && sticks(run->model)) {
    status = crHoldAtRest(run, &held);
  }
  status = status == cr_ok ? resolveStart(run, held) : status;
  crDestroyContacts(held);
  return status == cr_ok ? crCheckStartDepths(run) : status;
}
