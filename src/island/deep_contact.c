// Contacts that are deeper than can be: such as the search has overlooked, and such as go through a body.
//
// A search aims at the depth of an event. What is found deeper when a contact begins must not be more than the approach
// of one step explains, and what states are known to: else a contact has been overlooked, and bodies have been where
// they cannot be. While two bodies approach, no step is longer than a part of the thinner one takes to be passed, so
// that none comes out on its other side inside a step; what is deeper than half of it and still approaches will not be
// held any more. Both end the run, with names and numbers.
#include "island/island.h"

#include "base/report.h"

#include <stdio.h>

#define CR_BEGIN_MOST 2.1  // [-] depth over epsilon that an event may find
#define CR_STATE_NOISE 100 // [-] of the tolerance of positions: what steps that are taken again may be off
#define CR_LEAP_SHARE 0.5  // [-] of half the thinner one, that a contact may become deeper in one step

// [m] Half the thickness of the body that a shape is, or a piece of.
static double findHalf(const crIslands* islands, int shape)
{
  const crContactShape *shapes = islands->model->contactShapes, *own = &shapes[shape];
  int first = shape - own->piece;
  double half = islands->table->facts[first].half;
  for (int i = first + 1; i < islands->model->size.shapeCount && shapes[i].piece == i - first; ++i) {
    half = fmax(half, islands->table->facts[i].half);
  }
  return half;
}

// [m] Half of the thinner one; infinite: one of them is a half-space, which has no other side.
static double findThinner(const crIslands* islands, const crTouchingPair* pair)
{
  double a = findHalf(islands, pair->shapeA), b = findHalf(islands, pair->shapeB);
  return isinf(a) || isinf(b) ? HUGE_VAL : fmin(a, b);
}

static crStatus refuse(crWorker* worker, crDeepKind kind, crBoxPair pair, double depth, double allowed)
{
  worker->deep = (crDeep){ kind, pair.a, pair.b, depth, allowed };
  return cr_failNumerics;
}

// ----------------------------------------------------------------------------------------------- overlooked

static double findPositionNoise(const crIsland* island, crVec3 point)
{
  const crIslands* islands = island->owner;
  return CR_STATE_NOISE * islands->relTol * (CR_ABSOLUTE_SHARE + crLength(point));
}

crStatus crWorker_CheckDepth(crWorker* worker, const crIsland* island, crBoxPair pair, const crTouch* touch,
                             double approach, double epsilon, double h)
{
  double allowed = CR_BEGIN_MOST * epsilon + h * fmax(0.0, approach) + findPositionNoise(island, touch->point);
  return -touch->distance <= allowed ? cr_ok : refuse(worker, cr_deepOverlooked, pair, -touch->distance, allowed);
}

crStatus crWorker_CheckBegun(crWorker* worker, const crIsland* island, double h)
{
  const crContacts* contacts = island->contacts;
  crStatus status = cr_ok;
  for (int k = 0; k < contacts->pairs.count && status == cr_ok; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    if (contact->isNew) {
      double epsilon = crContacts_GetHysteresis(contacts, pair->shapeA, pair->shapeB, pair->law);
      status = crWorker_CheckDepth(worker, island, (crBoxPair){ pair->shapeA, pair->shapeB }, &contact->now,
                                   contact->motion.rate, epsilon, h);
    }
  }
  return status;
}

// ------------------------------------------------------------------------------------------------- through

static bool pushes(const crTouchingPair* pair)
{
  return pair->law->response != cr_responseObserver;
}

double crIsland_FindLongest(const crIsland* island)
{
  const crContacts* contacts = island->contacts;
  double longest = HUGE_VAL;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    double approach = contacts->contacts.items[k].start.rate;
    if (approach > 0.0 && pushes(pair)) {
      longest = fmin(longest, CR_LEAP_SHARE * findThinner(island->owner, pair) / approach);
    }
  }
  return longest;
}

crStatus crWorker_CheckThrough(crWorker* worker, const crIsland* island)
{
  const crContacts* contacts = island->contacts;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContactMotion* motion = &contacts->contacts.items[k].motion;
    const crShapeFacts* facts = contacts->facts;
    bool isDeep = motion->rate > 0.0 && motion->depth > fmin(facts[pair->shapeA].half, facts[pair->shapeB].half);
    if (isDeep && pushes(pair) && motion->depth > findThinner(island->owner, pair)) {
      crBoxPair both = { pair->shapeA, pair->shapeB };
      return refuse(worker, cr_deepThrough, both, motion->depth, findThinner(island->owner, pair));
    }
  }
  return cr_ok;
}

// -------------------------------------------------------------------------------------------------- report

crStatus crReportDeep(crRun* run, const crDeep* deep, double t)
{
  const crModel* model = run->model;
  bool isThrough = deep->kind == cr_deepThrough;
  char message[640], found[64], allowed[128];
  snprintf(message, sizeof message, "the simulation stops at %.9g s: %s '%.200s'", t,
           isThrough ? "nothing holds it any more on its way through" : "it was overlooked that it touches",
           crModel_GetObjectPath(model, model->contactShapes[deep->shapeB].object));
  snprintf(found, sizeof found, "%.3g m deep", deep->depth);
  if (isThrough) {
    snprintf(allowed, sizeof allowed, "half of the thinner of the two, which is %.3g m thick", 2.0 * deep->allowed);
  } else {
    snprintf(allowed, sizeof allowed, "%.3g m, which the approach in one step explains", deep->allowed);
  }
  crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 },
                                       crModel_GetObjectPath(model, model->contactShapes[deep->shapeA].object));
  crComplaint complaint = {
    .message = message,
    .found = found,
    .allowed = allowed,
    .hint = isThrough ? "the contact cannot take up the energy: slower bodies, a stiffer contact, or a thicker one"
                      : "a smaller maxStep, or a tighter tolerance"
  };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  run->hasFailed = true;
  return cr_failNumerics;
}
