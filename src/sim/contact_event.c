// Contacts as a run sees them: what touches at its start, impulses, news for the observer, and warnings of contacts
// that are deeper or less deep than their law can tell.
#include "base/elementary.h"
#include "base/report.h"
#include "sim/rest.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define CR_FIRST_STEP_SHARE 0.05 // [-] first step after an event over the duration of the impact that begins
#define CR_START_DEPTH 0.05      // [-] depth at the start over the smaller one's smallest dimension that is a mistake
#define CR_MOST_REPORTED 100     // of them, one by one
#define CR_DEPTH_WARNING 0.05    // [-] depth over contact radius above which the law is no longer what it claims
#define CR_ROUND_OFF 1e-12       // [-] of the kinetic energy: what impulses leave over that is no work of anything
#define CR_DEPTH_DIGITS 0.1      // [-] tolerance [m] over depth above which a depth has no digits

// ----------------------------------------------------------------------------------------------- events

static crStatus handEvents(const crContacts* contacts, const crObserver* observer)
{
  int count;
  const crContactEvent* events = crContacts_GetEvents(contacts, &count);
  crStatus status = cr_ok;
  for (int i = 0; i < count && status == cr_ok && observer != NULL && observer->atContact != NULL; ++i) {
    status = observer->atContact(observer->context, &events[i]);
  }
  return status;
}

crStatus crHandEvent(crSimulation* simulation, const crContactEvent* event)
{
  const crObserver* observer = simulation->observer;
  simulation->contactCount += event->begins;
  return observer != NULL && observer->atContact != NULL ? observer->atContact(observer->context, event) : cr_ok;
}

// Nobody observes yet when a simulation is made.
crStatus crHandStart(crSimulation* simulation, const crObserver* observer)
{
  bool isAtStart = simulation->contacts->lastEvent == simulation->options.startTime;
  return isAtStart ? handEvents(simulation->contacts, observer) : cr_ok;
}

static double reducedMass(const crContacts* contacts, const crTouchingPair* pair)
{
  double a = contacts->facts[pair->shapeA].mass, b = contacts->facts[pair->shapeB].mass;
  return isinf(a) ? b : isinf(b) ? a : a * b / (a + b);
}

// A step that is chosen by what is known before an impact would leap over it.
double crFindFirstStep(const crContacts* contacts)
{
  double step = HUGE_VAL;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    for (int i = pair->contactStart; i < pair->contactStart + pair->contactCount; ++i) {
      const crContact* contact = &contacts->contacts.items[i];
      double approach = contact->motion.rate;
      if (approach > 0.0) {
        double duration = crEstimateDuration(&contact->memory, reducedMass(contacts, pair), approach);
        step = fmin(step, CR_FIRST_STEP_SHARE * duration);
      }
    }
  }
  return step;
}

double crFindContactNoise(const crContacts* contacts, const crTouchingPair* pair)
{
  double mass = reducedMass(contacts, pair), noise = 0.0;
  for (int i = pair->contactStart; i < pair->contactStart + pair->contactCount; ++i) {
    const crContact* contact = &contacts->contacts.items[i];
    double slope = contact->motion.depth > 0.0 ? contact->force.normalForce / contact->motion.depth : 0.0; // [N/m]
    noise = fmax(noise, DBL_EPSILON * crLength(contact->now.point) * sqrt(slope / mass));
  }
  return noise;
}

// ---------------------------------------------------------------------------------------------- warnings

static void reportPair(const crSimulation* simulation, double t, crSeverity severity, const crTouchingPair* pair,
                       const char* what, double found, const char* allowed, const char* hint)
{
  const crContactShape* shapes = simulation->model->contactShapes;
  const crModelObject* objects = simulation->model->objects;
  char message[512], text[64];
  snprintf(message, sizeof message, "at %.6g s the contact with '%.200s' %s", t,
           objects[shapes[pair->shapeB].object].path, what);
  snprintf(text, sizeof text, "%.3g m", found);
  crReporter reporter = crMakeReporter(&simulation->sink, (crSource){ 0 }, objects[shapes[pair->shapeA].object].path);
  crComplaint complaint = { .message = message, .found = text, .allowed = allowed, .hint = hint };
  crReport(&reporter, severity, severity == cr_severityError ? cr_errorModel : cr_ok, &complaint);
}

static void watchDepth(crSimulation* simulation, const crContacts* contacts, double t, const crTouchingPair* pair,
                       const crContact* contact)
{
  const crShapeFacts* facts = contacts->facts;
  double depth = fmax(contact->maxDepth, contact->motion.depth);
  double thinner = fmin(facts[pair->shapeA].half, facts[pair->shapeB].half);
  if (depth > thinner && !simulation->hasWarnedOfThickness) {
    simulation->hasWarnedOfThickness = true;
    reportPair(simulation, t, cr_severityWarning, pair, "is deeper than half the thinner of the two", depth,
               "less than half its thickness",
               "the two may leave each other on the wrong side: make the thin one thicker, or the contact stiffer");
  }
  if (depth > CR_DEPTH_WARNING * contact->memory.radius && !simulation->hasWarnedOfDepth) {
    simulation->hasWarnedOfDepth = true;
    reportPair(simulation, t, cr_severityWarning, pair, "is deep against its contact radius", depth,
               "up to 5 % of the contact radius",
               "elastic contact holds for small depths: a larger kRed, or stiffer materials; told once a run");
  }
}

static void watchDepths(crSimulation* simulation, const crContacts* contacts, double t)
{
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    for (int i = pair->contactStart; i < pair->contactStart + pair->contactCount; ++i) {
      watchDepth(simulation, contacts, t, pair, &contacts->contacts.items[i]);
    }
  }
}

// Depths are differences of coordinates that are known up to the tolerance.
static void watchTolerance(crSimulation* simulation, const crContacts* contacts, double t)
{
  bool isLoose = simulation->options.tolerance > CR_CONTACT_TOLERANCE;
  for (int k = 0; k < contacts->pairs.count && isLoose && !simulation->hasWarnedOfTolerance; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    if (pair->law->response == cr_responseImpulsive || pair->law->response == cr_responseObserver) {
      continue;
    }
    const crContactMemory* memory = &contacts->contacts.items[pair->contactStart].memory;
    double mass = reducedMass(contacts, pair);
    double weight = crPow(mass * contacts->gravity / memory->stiffness, 1.0 / memory->exponent);
    double depth = fmax(weight, crEstimateDepth(memory, mass, memory->approach));
    if (memory->stiffness > 0.0 && simulation->options.tolerance > CR_DEPTH_DIGITS * depth) {
      simulation->hasWarnedOfTolerance = true;
      reportPair(simulation, t, cr_severityWarning, pair, "will be less deep than the tolerance resolves", depth,
                 "ten times the tolerance, for coordinates of 1 m",
                 "a tighter tolerance (1e-8), or a softer contact: scene{ kRed = 1e-4 }");
    }
  }
}

void crWatchEnd(crSimulation* simulation, const crContacts* contacts, const crContactEvent* event)
{
  crTouchingPair pair = { .shapeA = event->shapeA, .shapeB = event->shapeB };
  crContact contact = { .maxDepth = event->maxDepth, .memory = { .radius = event->radius } };
  watchDepth(simulation, contacts, event->time, &pair, &contact);
}

void crWatchContacts(crSimulation* simulation, const crContacts* contacts, double t)
{
  watchDepths(simulation, contacts, t);
  watchTolerance(simulation, contacts, t);
}

// ------------------------------------------------------------------------------------------------- start

// The impulsive pair that approaches fastest.
static const crTouchingPair* findFastestPair(const crSimulation* simulation, const crContacts* contacts)
{
  const crTouchingPair* found = &contacts->pairs.items[0];
  double fastest = -HUGE_VAL;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crTouch* touch = &contacts->contacts.items[pair->contactStart].now;
    double rate = crFindContactMotion(simulation->instance, contacts, pair->shapeA, pair->shapeB, touch).rate;
    if (pair->law->response == cr_responseImpulsive && rate > fastest) {
      fastest = rate;
      found = pair;
    }
  }
  return found;
}

// Something presses bodies together that impulses alone cannot keep apart, as two walls that close.
crStatus crReportEndless(crSimulation* simulation, crTreeSet set, double t)
{
  crStatus status = crInstance_Eval(simulation->instance, set, cr_stageVelocity);
  if (status != cr_ok) {
    return status;
  }
  const crContacts* contacts = set.contacts;
  const crContactShape* shapes = simulation->model->contactShapes;
  const crModelObject* objects = simulation->model->objects;
  const crTouchingPair* pair = findFastestPair(simulation, contacts);
  char message[512];
  snprintf(message, sizeof message, "the simulation stops at %.9g s: there is no end of impacts with '%.200s'", t,
           objects[shapes[pair->shapeB].object].path);
  crReporter reporter = crMakeReporter(&simulation->sink, (crSource){ 0 }, objects[shapes[pair->shapeA].object].path);
  crComplaint complaint = { .message = message,
                            .hint = "where bodies are squeezed a contact needs a force: response = 'elastic' for this "
                                    "contactPair" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  simulation->hasFailed = true;
  return cr_failNumerics;
}

// What impulses take out is dissipated at once; what else the kinetic energy changes by comes from walls whose motion
// is prescribed, and from moving surfaces.
crStatus crResolveImpacts(crInstance* instance, crTreeSet set, double* y, double* balance)
{
  int impacts = 0;
  double lost, before = crInstance_ComputeEnergy(instance, set, -1).kinetic;
  crStatus status = crInstance_ResolveImpacts(instance, set, y, &impacts, &lost);
  if (status == cr_ok && impacts > 0) {
    status = crInstance_Eval(instance, set, cr_stageVelocity);
    double after = crInstance_ComputeEnergy(instance, set, -1).kinetic;
    double work = after - before + lost;
    balance[cr_balanceDissipated] += lost;
    balance[cr_balanceWork] += fabs(work) > CR_ROUND_OFF * before ? work : 0.0;
  }
  return status;
}

static crStatus resolveStart(crSimulation* simulation)
{
  double t = simulation->options.startTime;
  crInstance_SetPhase(simulation->instance, simulation->set, t);
  crInstance_SetState(simulation->instance, simulation->set, t, simulation->state);
  crStatus status = crInstance_ResolveContacts(simulation->instance, simulation->set);
  if (status == cr_ok) { // impacts at the start come before the energy at the start
    double balance[CR_BALANCE_COUNT] = { 0.0 };
    status = crResolveImpacts(simulation->instance, simulation->set, simulation->state, balance);
    status = status == cr_failNumerics ? crReportEndless(simulation, simulation->set, t) : status;
  }
  status = status == cr_ok ? crInstance_Eval(simulation->instance, simulation->set, cr_stageForce) : status;
  if (status == cr_ok) {
    int count;
    crContacts_GetEvents(simulation->contacts, &count);
    simulation->contactCount += count;
    watchTolerance(simulation, simulation->contacts, t);
  }
  return status;
}

// Depths at the start that no rest has: the forces would throw the bodies apart.
static crStatus checkStartDepths(crSimulation* simulation)
{
  double t = simulation->options.startTime;
  const crContacts* contacts = simulation->contacts;
  int count = 0;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    double size = 2.0 * fmin(contacts->facts[pair->shapeA].half, contacts->facts[pair->shapeB].half), depth = 0.0;
    for (int i = pair->contactStart; i < pair->contactStart + pair->contactCount; ++i) {
      depth = fmax(depth, contacts->contacts.items[i].motion.depth);
    }
    if (depth > CR_START_DEPTH * size && pair->law->response != cr_responseObserver && count < CR_MOST_REPORTED) {
      reportPair(simulation, t, cr_severityError, pair, "is too deep to start with", depth,
                 "up to 5 % of the smaller one", "move one of them, or let them not collide: exclude(a, b)");
      ++count;
    }
  }
  return count > 0 ? cr_errorModel : cr_ok;
}

crStatus crStartContacts(crSimulation* simulation)
{
  crStatus status = crCreateContacts(simulation->model, simulation->set, &simulation->allocator, &simulation->contacts);
  if (status == cr_ok) {
    simulation->set.contacts = simulation->contacts;
    status = crPlaceAtRest(simulation);
  }
  status = status == cr_ok ? resolveStart(simulation) : status;
  return status == cr_ok ? checkStartDepths(simulation) : status;
}

// ----------------------------------------------------------------------------------------------- stuck

crStatus crReportStuck(crSimulation* simulation, double t)
{
  char message[256];
  snprintf(message, sizeof message, "the simulation stops at %.9g s: %d contact events in a row changed nothing", t,
           CR_MAX_QUIET_EVENTS);
  crReporter reporter = crMakeReporter(&simulation->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message,
                            .hint = "a tighter tolerance resolves the depth of the contacts better" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  simulation->hasFailed = true;
  return cr_failNumerics;
}
