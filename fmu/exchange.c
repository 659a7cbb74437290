// Model Exchange: the host integrates y' = f(t, y) and finds the roots of the two indicators of contacts.
//
// What touches changes in events only, so that f is smooth between them. A host that looks at the ends of its steps
// alone does not see a contact that begins and ends within one: after each step the guard looks at points inside, along
// the cubic polynomial through both ends, and warns. What drifts, loops and lengths of quaternions, is put right in an
// event that the FMU asks for.
#include "component.h"
#include "joint/joint_kind.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CR_DRIFT 1e-8      // [-] that is put right in any event: of the nominal value of a state, or of a quaternion
#define CR_LONG_DRIFT 10.0 // [-] times the tolerance: what the FMU asks for an event for
#define CR_LONG_QUATERNION 1e-4               // [-] likewise, of the length of a quaternion, on which nothing depends
#define CR_TIME_ROUNDING (64.0 * DBL_EPSILON) // [-] of a time event
#define CR_GUARD_POINTS 3                     // inside a step
#define CR_MOST_WARNINGS 20                   // of contacts that were stepped over

static crInstance* getInstance(const crFmu* fmu)
{
  return fmu->simulation->run.instance;
}

static bool sticks(const crFmu* fmu)
{
  return fmu->stateCount > fmu->treeStates && fmu->set.contacts != NULL;
}

void crFmu_ReadSticking(crFmu* fmu)
{
  if (sticks(fmu)) {
    crStickSlots_Seat(&fmu->variables.slots, fmu->set.contacts);
    crContacts_GetBristles(fmu->set.contacts, fmu->y + fmu->treeStates);
  }
}

void crFmu_ReadStickingRates(crFmu* fmu)
{
  if (sticks(fmu)) {
    crContacts_GetBristleRates(fmu->set.contacts, fmu->rates + fmu->treeStates);
  }
}

// The instance is to evaluate at the time and state of the host, with the signals of this interval.
static void place(crFmu* fmu, double t, const double* y)
{
  crInstance_SetPhase(getInstance(fmu), fmu->set, fmu->phase);
  crInstance_SetState(getInstance(fmu), fmu->set, t, y);
  if (sticks(fmu)) {
    crContacts_SetBristles(fmu->set.contacts, y + fmu->treeStates);
  }
  fmu->isCurrent = false;
}

static void keepStep(crFmu* fmu)
{
  size_t size = (size_t)fmu->stateCount * sizeof(double);
  fmu->lastTime = fmu->time;
  memcpy(fmu->lastY, fmu->y, size);
  memcpy(fmu->lastRates, fmu->rates, size);
}

crStatus crFmu_MakeWatch(crFmu* fmu)
{
  if (fmu->set.contacts == NULL || fmu->watch != NULL) {
    return cr_ok;
  }
  crTreeSet set = fmu->set;
  set.contacts = NULL;
  return crCreateContacts(fmu->model, set, &fmu->allocator, &fmu->watch);
}

crStatus crFmu_BeginExchange(crFmu* fmu)
{
  fmu->phase = fmu->startTime;
  fmu->nextEvent = crModel_GetNextTimeEvent(fmu->model, fmu->phase);
  crStatus status = crFmu_MakeWatch(fmu);
  status = status == cr_ok ? crFmu_ComputeRates(fmu) : status;
  keepStep(fmu);
  return status;
}

void crFmu_SetTime(crFmu* fmu, double t)
{
  if (fmu->time != t) {
    fmu->time = t;
    fmu->isCurrent = fmu->hasRates = fmu->hasSlopes = false;
  }
}

void crFmu_SetStates(crFmu* fmu, const double* y)
{
  memcpy(fmu->y, y, (size_t)fmu->stateCount * sizeof(double));
  fmu->isCurrent = fmu->hasRates = fmu->hasSlopes = false;
}

crStatus crFmu_Eval(crFmu* fmu)
{
  place(fmu, fmu->time, fmu->y);
  crStatus status = crInstance_Eval(getInstance(fmu), fmu->set, cr_stageReport);
  crSimulation_TellEnergies(fmu->simulation);
  fmu->isCurrent = status == cr_ok;
  return status;
}

crStatus crFmu_ComputeRates(crFmu* fmu)
{
  if (fmu->hasRates) {
    return cr_ok;
  }
  place(fmu, fmu->time, fmu->y);
  crStatus status =
      fmu->stateCount > 0 ? crInstance_ComputeRates(getInstance(fmu), fmu->set, fmu->time, fmu->y, fmu->rates) : cr_ok;
  crFmu_ReadStickingRates(fmu);
  fmu->hasRates = status == cr_ok;
  return status;
}

// As exported: whether anything can touch does not depend on what does.
int crFmu_CountIndicators(const crFmu* fmu)
{
  return fmu->set.contacts != NULL ? CR_INDICATORS : 0;
}

crStatus crFmu_ComputeIndicators(crFmu* fmu, double* outZ)
{
  if (fmu->set.contacts == NULL) {
    return cr_ok;
  }
  bool isOfHost =
      fmu->isExchange && fmu->mode > cr_fmuInitializing; // else the run is where the FMU is, and stays there
  if (isOfHost) {
    place(fmu, fmu->time, fmu->y);
  }
  crStatus status = crInstance_ComputeIndicators(getInstance(fmu), fmu->set, fmu->time, fmu->y, outZ);
  return status == cr_ok && !isOfHost ? crSimulation_Place(fmu->simulation, fmu->time) : status;
}

// --------------------------------------------------------------------------------------------- drift

// Brings quaternions that are off by more than the limit back to length 1. true: there were some.
static bool normalize(const crModel* model, double limit, double* y)
{
  bool isChanged = false;
  for (int i = 0; i < crModel_GetSize(model).jointCount; ++i) {
    const crModelJoint* joint = crModel_GetJoint(model, i);
    const crJointType* type = crGetJointType((int)joint->kind);
    if (joint->isCut || joint->motion >= 0 || !type->hasQuaternion) {
      continue;
    }
    double* q = y + joint->qStart + type->qCount - 4;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (length > 0.0 && fabs(length - 1.0) > limit) {
      isChanged = true;
      for (int k = 0; k < 4; ++k) {
        q[k] /= length;
      }
    }
  }
  return isChanged;
}

// The state without its drift, in scratch. true: it is another one, by more than the limits.
static bool mend(crFmu* fmu, double limit, double quaternionLimit)
{
  memcpy(fmu->scratch, fmu->y, (size_t)fmu->stateCount * sizeof(double));
  bool isChanged = normalize(fmu->model, quaternionLimit, fmu->scratch);
  crModelSize size = crModel_GetSize(fmu->model);
  if (size.cutJointCount + size.couplingCount > 0) {
    place(fmu, fmu->time, fmu->scratch);
    crStatus status = crInstance_Project(getInstance(fmu), fmu->set, fmu->time, HUGE_VAL, fmu->scratch);
    for (int i = 0; i < fmu->stateCount && status == cr_ok; ++i) {
      const crFmuVariable* state = &fmu->variables.list.items[fmu->variables.states[i]];
      isChanged = isChanged || fabs(fmu->scratch[i] - fmu->y[i]) > limit * state->nominal;
    }
  }
  return isChanged;
}

// --------------------------------------------------------------------------------------------- events

static void tellContacts(crFmu* fmu)
{
  int count;
  const crContactRecord* events = crContacts_GetEvents(fmu->set.contacts, &count);
  for (int i = 0; i < count; ++i) {
    crFmu_Log(fmu, cr_severityNote, "at %.9g s the contact of '%s' and '%s' %s", fmu->time,
              crModel_GetObjectPath(fmu->model, events[i].objectA),
              crModel_GetObjectPath(fmu->model, events[i].objectB),
              events[i].phase == cr_contactBegin ? "begins" : "ends");
  }
}

// Contacts that begin and end, and impulses.
static crStatus resolveContacts(crFmu* fmu, bool* ioChanged)
{
  int changes = 0, impacts = 0;
  double lost;
  crStatus status = crInstance_ResolveContacts(getInstance(fmu), fmu->set);
  if (status == cr_ok) {
    crContacts_GetEvents(fmu->set.contacts, &changes);
    tellContacts(fmu);
    status = crInstance_ResolveImpacts(getInstance(fmu), fmu->set, fmu->y, &impacts, &lost);
    crFmu_ReadSticking(fmu);
  }
  if (status == cr_failNumerics) {
    crFmu_Log(fmu, cr_severityError,
              "at %.9g s there is no end of impacts: something squeezes bodies that can only "
              "rebound; let their contact be elastic",
              fmu->time);
  }
  *ioChanged = *ioChanged || changes > 0 || impacts > 0;
  return status;
}

// Signals jump, and sampled functions work.
static crStatus passTime(crFmu* fmu)
{
  double t = fmu->nextEvent;
  fmu->phase = t;
  place(fmu, t, fmu->y);
  crStatus status = crInstance_Sample(getInstance(fmu), fmu->set);
  if (status != cr_ok) {
    char text[1024] = "";
    crInstance_DescribeFault(getInstance(fmu), -HUGE_VAL, text, sizeof text);
    crFmu_Log(fmu, cr_severityError, "at %.9g s a sampled function fails: %s", t, text);
    return cr_failNumerics;
  }
  fmu->nextEvent = crModel_GetNextTimeEvent(fmu->model, fmu->phase);
  return cr_ok;
}

// Hosts compute with rounded times, and cannot step from one to the next.
static bool isDue(const crFmu* fmu)
{
  return fmu->time >= fmu->nextEvent - CR_TIME_ROUNDING * fabs(fmu->nextEvent);
}

crStatus crFmu_ResolveEvent(crFmu* fmu, crFmuEventFacts* outFacts)
{
  bool isChanged = mend(fmu, CR_DRIFT, CR_DRIFT);
  if (isChanged) {
    memcpy(fmu->y, fmu->scratch, (size_t)fmu->stateCount * sizeof(double));
  }
  crStatus status = cr_ok;
  fmu->phase = fmax(fmu->phase, fmin(fmu->time, fmu->nextEvent));
  while (status == cr_ok && isDue(fmu)) {
    status = passTime(fmu);
  }
  place(fmu, fmu->time, fmu->y);
  if (status == cr_ok && fmu->set.contacts != NULL) {
    status = resolveContacts(fmu, &isChanged);
  }
  fmu->hasRates = fmu->hasSlopes = false;
  status = status == cr_ok ? crFmu_ComputeRates(fmu) : status;
  keepStep(fmu);
  *outFacts = (crFmuEventFacts){ isChanged, fmu->nextEvent };
  return status;
}

// ---------------------------------------------------------------------------------------------- guard

// The state at t0 + s h, by the cubic polynomial through both ends, in scratch.
static void interpolate(crFmu* fmu, double s)
{
  double h = fmu->time - fmu->lastTime, r = 1.0 - s;
  for (int i = 0; i < fmu->stateCount; ++i) {
    double a = r * r * (1.0 + 2.0 * s) * fmu->lastY[i] + s * s * (3.0 - 2.0 * s) * fmu->y[i];
    fmu->scratch[i] = a + h * s * r * (r * fmu->lastRates[i] - s * fmu->rates[i]);
  }
}

// What would begin to touch at the state in scratch.
static void warnOfMissed(crFmu* fmu, double t)
{
  crTreeSet set = fmu->set;
  double h = fmu->time - fmu->lastTime;
  int count = 0;
  set.contacts = fmu->watch;
  if (++fmu->missedCount > CR_MOST_WARNINGS || crCopyContacts(fmu->set.contacts, fmu->watch) != cr_ok) {
    return;
  }
  place(fmu, t, fmu->scratch);
  if (crInstance_ResolveContacts(getInstance(fmu), set) != cr_ok) {
    return;
  }
  const crContactRecord* events = crContacts_GetEvents(fmu->watch, &count);
  for (int i = 0; i < count; ++i) {
    if (events[i].phase == cr_contactBegin) {
      crFmu_Log(fmu, cr_severityWarning,
                "the host stepped over the contact of '%s' and '%s' at about %.9g s, in a step of %.3g s: limit its "
                "steps to %.3g s",
                crModel_GetObjectPath(fmu->model, events[i].objectA),
                crModel_GetObjectPath(fmu->model, events[i].objectB), t, h, h / (2 * (CR_GUARD_POINTS + 1)));
      return;
    }
  }
}

// Looks at a step at both ends of which nothing new touches.
static void guard(crFmu* fmu)
{
  double z[CR_INDICATORS] = { -1.0, 1.0 };
  for (int i = 1; i <= CR_GUARD_POINTS; ++i) {
    double s = (double)i / (CR_GUARD_POINTS + 1), t = fmu->lastTime + s * (fmu->time - fmu->lastTime);
    interpolate(fmu, s);
    place(fmu, t, fmu->scratch);
    crStatus status = crInstance_ComputeIndicators(getInstance(fmu), fmu->set, t, fmu->scratch, z);
    if (status == cr_ok && z[1] < 0.0) {
      warnOfMissed(fmu, t);
      return;
    }
  }
}

crStatus crFmu_CompleteStep(crFmu* fmu, bool* outIsEvent)
{
  double h = fmu->time - fmu->lastTime, z[CR_INDICATORS] = { -1.0, 1.0 };
  *outIsEvent = false;
  if (fmu->stateCount == 0) {
    return cr_ok;
  }
  place(fmu, fmu->time, fmu->y);
  crStatus status = crInstance_Eval(getInstance(fmu), fmu->set, cr_stageForce);
  if (status == cr_ok && fmu->set.contacts != NULL && h > 0.0) {
    crContacts_CompleteStep(fmu->set.contacts, h);
    crContacts_CarryBristles(fmu->set.contacts);
  }
  status = status == cr_ok ? crInstance_CompleteStep(getInstance(fmu), fmu->set, fmu->time, fmu->y) : status;
  status = status == cr_ok ? crFmu_ComputeRates(fmu) : status;
  status = status == cr_ok ? crFmu_ComputeIndicators(fmu, z) : status;
  if (status != cr_ok) {
    return status;
  }
  bool isCrossed = z[0] > 0.0 || z[1] < 0.0; // the host will see it as well
  if (fmu->set.contacts != NULL && h > 0.0 && !isCrossed) {
    guard(fmu);
  }
  double tolerance = fmu->simulation->run.options.tolerance;
  *outIsEvent = isCrossed || mend(fmu, fmax(CR_DRIFT, CR_LONG_DRIFT * tolerance), CR_LONG_QUATERNION);
  fmu->isCurrent = false;
  keepStep(fmu);
  return cr_ok;
}
