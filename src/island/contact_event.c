// Contacts as a run sees them: impulses, news for the observer, and warnings of contacts that are deeper or less deep
// than their law can tell.
#include "base/elementary.h"
#include "base/report.h"
#include "island/run.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define CR_FIRST_STEP_SHARE 0.05 // [-] first step after an event over the duration of the impact that begins
#define CR_KINK_ERROR 1e-3    // [-] of what it stores there, of a first step of dopri5 from where a Hertz force begins
#define CR_DEPTH_WARNING 0.05 // [-] depth over contact radius above which the law is no longer what it claims
#define CR_ROUND_OFF 1e-12    // [-] of the kinetic energy: what impulses leave over that is no work of anything
#define CR_DEPTH_DIGITS 0.1   // [-] tolerance [m] over depth above which a depth has no digits

// ----------------------------------------------------------------------------------------------- events

void crNoteCreep(const crContactRecord* record, bool* ioHasCrept, crContactRecord* ioWorst)
{
  if (crCreep_IsWorthTelling(&record->creep) && (!*ioHasCrept || record->creep.path > ioWorst->creep.path)) {
    *ioHasCrept = true;
    *ioWorst = *record;
  }
}

crStatus crHandEvent(crRun* run, const crContactRecord* event)
{
  const crObserver* observer = run->observer;
  crNoteCreep(event, &run->hasCrept, &run->crept);
  run->contactCount += event->phase == cr_contactBegin ? 1 : crContactRecord_HasPushed(event) ? 0 : -1;
  return observer != NULL && observer->atContact != NULL ? observer->atContact(observer->context, event) : cr_ok;
}

static double reducedMass(const crContacts* contacts, const crTouchingPair* pair)
{
  double a = contacts->facts[pair->shapeA].mass, b = contacts->facts[pair->shapeB].mass;
  return isinf(a) ? b : isinf(b) ? a : a * b / (a + b);
}

// [s] The longest first step of an impact whose error is below the tolerance [J]. Where a force that goes with
// depth^1.5 begins, polynomials fit it badly: dopri5 gets 1.1e-3 of its work wrong, and estimates a thirtieth of that.
static double findGentleStep(const crContactMemory* memory, double approach, double tolerance)
{
  double n1 = memory->exponent + 1.0;
  double depth = crPow(n1 * tolerance / (CR_KINK_ERROR * memory->stiffness), 1.0 / n1);
  return memory->exponent == 1.0 ? HUGE_VAL : depth / approach;
}

// A step that is chosen by what is known before an impact would leap over it.
double crFindFirstStep(const crContacts* contacts, double tolerance)
{
  double step = HUGE_VAL;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crContact* contact = &contacts->contacts.items[k];
    double approach = contact->motion.rate;
    if (approach > 0.0) {
      double duration =
          crEstimateDuration(&contact->memory, reducedMass(contacts, &contacts->pairs.items[k]), approach);
      step = fmin(step, fmin(CR_FIRST_STEP_SHARE * duration, findGentleStep(&contact->memory, approach, tolerance)));
    }
  }
  return step;
}

// By the stiffness that the contact has, or will have where it is deepest: when an impact begins it has none yet.
double crFindContactNoise(const crContacts* contacts, const crTouchingPair* pair)
{
  const crContact* contact = crContacts_GetOf(contacts, pair);
  double mass = reducedMass(contacts, pair), depth = crEstimateDepth(&contact->memory, mass, contact->motion.rate);
  double now = contact->motion.depth > 0.0 ? sqrt(contact->force.normalForce / contact->motion.depth / mass) : 0.0;
  double deepest = depth > 0.0 ? contact->motion.rate / depth : 0.0;
  return DBL_EPSILON * crLength(contact->now.point) * fmax(now, deepest); // frequencies [1/s]
}

// ---------------------------------------------------------------------------------------------- warnings

void crReportPair(const crRun* run, double t, crSeverity severity, const crTouchingPair* pair, const char* what,
                  double found, const char* allowed, const char* hint)
{
  const crContactShape* shapes = run->model->contactShapes;
  char message[512], text[64];
  snprintf(message, sizeof message, "at %.6g s the contact with '%.200s' %s", t,
           crModel_GetObjectPath(run->model, shapes[pair->shapeB].object), what);
  snprintf(text, sizeof text, "%.3g m", found);
  crReporter reporter =
      crMakeReporter(&run->sink, (crSource){ 0 }, crModel_GetObjectPath(run->model, shapes[pair->shapeA].object));
  crComplaint complaint = { .message = message, .found = text, .allowed = allowed, .hint = hint };
  crReport(&reporter, severity, severity == cr_severityError ? cr_errorModel : cr_ok, &complaint);
}

static void watchDepth(crRun* run, const crContacts* contacts, double t, const crTouchingPair* pair,
                       const crContact* contact)
{
  const crShapeFacts* facts = contacts->facts;
  double depth = fmax(contact->maxDepth, contact->motion.depth);
  double thinner = fmin(facts[pair->shapeA].half, facts[pair->shapeB].half);
  if (depth > 0.5 * thinner && !run->hasWarnedOfThickness) {
    run->hasWarnedOfThickness = true;
    crReportPair(run, t, cr_severityWarning, pair, "is deeper than a quarter of the thinner of the two", depth,
                 "less than a quarter of its thickness",
                 "the two may leave each other on the wrong side: make the thin one thicker, or the contact stiffer");
  }
  double radius = contact->memory.radius; // 0: by area
  if (radius > 0.0 && depth > CR_DEPTH_WARNING * radius && !run->hasWarnedOfDepth) {
    run->hasWarnedOfDepth = true;
    crReportPair(run, t, cr_severityWarning, pair, "is deep against its contact radius", depth,
                 "up to 5 % of the contact radius",
                 "elastic contact holds for small depths: a larger kRed, or stiffer materials; told once a run");
  }
}

static void watchDepths(crRun* run, const crContacts* contacts, double t)
{
  for (int k = 0; k < contacts->pairs.count; ++k) {
    watchDepth(run, contacts, t, &contacts->pairs.items[k], &contacts->contacts.items[k]);
  }
}

// Depths are differences of coordinates that are known up to the tolerance. Not of area contacts: what a depth is off
// by shows in the speeds at once, which are held to the tolerance, and steel cubes rest 3e-8 m deep at 1e-3 as they do
// at 1e-9.
void crWatchTolerance(crRun* run, const crContacts* contacts, double t)
{
  bool isLoose = run->options.tolerance > CR_CONTACT_TOLERANCE;
  for (int k = 0; k < contacts->pairs.count && isLoose && !run->hasWarnedOfTolerance; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    bool isPoint = pair->path != cr_touchArea && pair->law->response != cr_responseObserver;
    if (!isPoint || pair->law->response == cr_responseImpulsive) {
      continue;
    }
    const crContactMemory* memory = &contacts->contacts.items[k].memory;
    double mass = reducedMass(contacts, pair);
    double weight = crPow(mass * contacts->gravity / memory->stiffness, 1.0 / memory->exponent);
    double depth = fmax(weight, crEstimateDepth(memory, mass, memory->approach));
    if (memory->stiffness > 0.0 && run->options.tolerance > CR_DEPTH_DIGITS * depth) {
      run->hasWarnedOfTolerance = true;
      crReportPair(run, t, cr_severityWarning, pair, "will be less deep than the tolerance resolves", depth,
                   "ten times the tolerance, for coordinates of 1 m",
                   "a tighter tolerance (1e-8), or a softer contact: scene{ kRed = 1e-4 }");
    }
  }
}

void crWatchEnd(crRun* run, const crContacts* contacts, const crContactRecord* event)
{
  crTouchingPair pair = { .shapeA = event->key.shapeA, .shapeB = event->key.shapeB };
  crContact contact = { .maxDepth = event->maxDepth, .memory = { .radius = event->radius } };
  watchDepth(run, contacts, event->time, &pair, &contact);
}

void crWatchContacts(crRun* run, const crContacts* contacts, double t)
{
  watchDepths(run, contacts, t);
  crWatchTolerance(run, contacts, t);
}

// ---------------------------------------------------------------------------------------------- impulses

// The impulsive pair that approaches fastest.
static const crTouchingPair* findFastestPair(const crRun* run, const crContacts* contacts)
{
  const crTouchingPair* found = &contacts->pairs.items[0];
  double fastest = -HUGE_VAL;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crTouch* touch = &contacts->contacts.items[k].now;
    double rate = crFindContactMotion(run->instance, contacts, pair->shapeA, pair->shapeB, touch).rate;
    if (pair->law->response == cr_responseImpulsive && rate > fastest) {
      fastest = rate;
      found = pair;
    }
  }
  return found;
}

// Something presses bodies together that impulses alone cannot keep apart, as two walls that close.
crStatus crReportEndless(crRun* run, crTreeSet set, double t)
{
  crStatus status = crInstance_Eval(run->instance, set, cr_stageVelocity);
  if (status != cr_ok) {
    return status;
  }
  const crContacts* contacts = set.contacts;
  const crContactShape* shapes = run->model->contactShapes;
  const crTouchingPair* pair = findFastestPair(run, contacts);
  char message[512];
  snprintf(message, sizeof message, "the simulation stops at %.9g s: there is no end of impacts with '%.200s'", t,
           crModel_GetObjectPath(run->model, shapes[pair->shapeB].object));
  crReporter reporter =
      crMakeReporter(&run->sink, (crSource){ 0 }, crModel_GetObjectPath(run->model, shapes[pair->shapeA].object));
  crComplaint complaint = { .message = message,
                            .hint = "where bodies are squeezed a contact needs a force: response = 'elastic' for this "
                                    "contactPair" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  run->hasFailed = true;
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

// ----------------------------------------------------------------------------------------------- stuck

crStatus crReportStuck(crRun* run, double t)
{
  char message[256];
  snprintf(message, sizeof message, "the simulation stops at %.9g s: %d contact events in a row changed nothing", t,
           CR_MAX_QUIET_EVENTS);
  crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message,
                            .hint = "a tighter tolerance resolves the depth of the contacts better" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  run->hasFailed = true;
  return cr_failNumerics;
}
