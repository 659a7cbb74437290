// The second entry of colliders: the elastic law, with contacts that begin and end at events.
//
//   z1 = max distance over the contacts in the memory, z2 = min (distance + 2 eps) over all other touches
//
// as in docs/contact.md: a contact begins at the depth 2 eps, ends at 0, and at an event all touches deeper than eps
// are in contact. Touches come in the order of the pairs of pieces, so the memory, sorted alike, is walked beside them.
#include "collide/touch/touch.h"
#include "contact/contact_law.h"
#include "external/collider.h"

#include <string.h>

typedef struct Contact {
  crBoxPair pair;
  int touch;
  crContactMemory memory;
} Contact;

// Ordered by (pair, touch).
struct crColliderMemory {
  crAllocator allocator;
  crArrayOf(Contact) contacts;
  crArrayOf(Contact) next; // being made at an event
};

crStatus crCreateColliderMemory(const crCollider* collider, crColliderMemory** outMemory)
{
  if (collider == NULL || outMemory == NULL) {
    return cr_errorMisuse;
  }
  *outMemory = crAllocateZero(&collider->allocator, 1, sizeof **outMemory);
  if (*outMemory == NULL) {
    return cr_errorMemory;
  }
  (*outMemory)->allocator = collider->allocator;
  return cr_ok;
}

crColliderMemory* crOpenColliderMemory(const crCollider* collider)
{
  crColliderMemory* memory;
  return crCreateColliderMemory(collider, &memory) == cr_ok ? memory : NULL;
}

void crDestroyColliderMemory(crColliderMemory* memory)
{
  if (memory != NULL) {
    crAllocator allocator = memory->allocator;
    crArray_Free(&memory->contacts, &allocator);
    crArray_Free(&memory->next, &allocator);
    crFree(&allocator, memory, sizeof *memory);
  }
}

int crColliderMemory_CountContacts(const crColliderMemory* memory)
{
  return memory != NULL ? memory->contacts.count : 0;
}

// -------------------------------------------------------------------------------------------- walk

// One touch, as the walk over all of them sees it.
typedef struct Visit {
  crBoxPair pair;
  int number;
  crTouch touch;
  const Contact* contact; // in the memory; NULL: not in contact
} Visit;

// Goes through all pairs; a step is a pair and one of its touches.
typedef struct Walk {
  const crCollider* collider;
  const crColliderMemory* memory;
  const double* motions;
  const crBoxPair* pairs;
  int pairCount, pair; // the present one
  int touchCount, touch;
  int contact;     // the next in the memory
  int missedCount; // contacts of pairs that are not near any more
  crTouch touches[CR_MAX_TOUCHES];
} Walk;

static const crShape* shapeOf(const crCollider* collider, int piece)
{
  return collider->pieces[piece].shape;
}

static const crColliderBody* bodyOf(const crCollider* collider, int piece)
{
  return &collider->bodies[collider->pieces[piece].body];
}

static void beginPair(Walk* walk)
{
  const crCollider* collider = walk->collider;
  walk->touch = walk->touchCount = 0;
  if (walk->pair < walk->pairCount) {
    crBoxPair pair = walk->pairs[walk->pair];
    const crShape *a = shapeOf(collider, pair.a), *b = shapeOf(collider, pair.b);
    walk->touchCount = crCountTouches(a, b);
    crComputeTouches(a, &bodyOf(collider, pair.a)->X_WS, b, &bodyOf(collider, pair.b)->X_WS, NULL, walk->touches);
  }
}

// < 0: the contact comes before the touch.
static int compare(const Contact* contact, crBoxPair pair, int touch)
{
  if (contact->pair.a != pair.a) {
    return contact->pair.a < pair.a ? -1 : 1;
  }
  if (contact->pair.b != pair.b) {
    return contact->pair.b < pair.b ? -1 : 1;
  }
  return (contact->touch > touch) - (contact->touch < touch);
}

// The contact of a touch; contacts that come before it belong to pairs that have been left.
static const Contact* takeContact(Walk* walk, crBoxPair pair, int touch)
{
  const crColliderMemory* memory = walk->memory;
  while (walk->contact < memory->contacts.count) {
    const Contact* contact = &memory->contacts.items[walk->contact];
    int order = compare(contact, pair, touch);
    if (order > 0) {
      return NULL;
    }
    ++walk->contact;
    if (order == 0) {
      return contact;
    }
    ++walk->missedCount;
  }
  return NULL;
}

// The next touch; false: that was the last.
static bool nextVisit(Walk* walk, Visit* outVisit)
{
  while (walk->pair < walk->pairCount && walk->touch == walk->touchCount) {
    ++walk->pair;
    beginPair(walk);
  }
  if (walk->pair >= walk->pairCount) {
    walk->missedCount += walk->memory->contacts.count - walk->contact;
    walk->contact = walk->memory->contacts.count;
    return false;
  }
  outVisit->pair = walk->pairs[walk->pair];
  outVisit->number = walk->touch;
  outVisit->touch = walk->touches[walk->touch];
  outVisit->contact = takeContact(walk, outVisit->pair, walk->touch);
  ++walk->touch;
  return true;
}

static bool areMotionsGood(crCollider* collider, int bodyCount, const double* motions, crStatus* outStatus)
{
  *outStatus = cr_ok;
  for (int i = 0; i < bodyCount; ++i) {
    const double* row = motions + (size_t)i * CR_BODY_MOTIONS;
    for (int k = 0; k < CR_BODY_MOTIONS; ++k) {
      *outStatus = isfinite(row[k]) ? *outStatus : cr_retry;
    }
    if (!(row[CR_BODY_MOTIONS - 1] > 0.0)) {
      crErrorSink sink = crCollider_Sink(collider);
      crReporter reporter = crMakeReporter(&sink, (crSource){ 0 }, "collider");
      crReportError(&reporter, "the mass of body %d is not positive: %g kg", i + 1, row[CR_BODY_MOTIONS - 1]);
      *outStatus = cr_errorModel;
      return false;
    }
  }
  return *outStatus == cr_ok;
}

static crStatus beginWalk(Walk* walk, crCollider* collider, const crColliderMemory* memory, int bodyCount,
                          const double* bodies, const double* motions)
{
  if (collider == NULL || memory == NULL || bodyCount < 0 || (bodyCount > 0 && (bodies == NULL || motions == NULL))) {
    return cr_errorMisuse;
  }
  walk->collider = collider;
  walk->memory = memory;
  walk->motions = motions;
  walk->pair = walk->contact = walk->missedCount = 0;
  crStatus status = crCollider_Place(collider, bodyCount, bodies, &walk->pairs, &walk->pairCount);
  if (status == cr_ok && areMotionsGood(collider, bodyCount, motions, &status)) {
    beginPair(walk);
  }
  return status;
}

// ------------------------------------------------------------------------------------------ motion

// [m/s] of the point of a piece's body that is at p, and its angular velocity [rad/s], in world axes.
static void computeVelocity(const Walk* walk, int piece, crVec3 p, crVec3* outV, crVec3* outW)
{
  const crColliderBody* body = bodyOf(walk->collider, piece);
  const double* row = walk->motions + (size_t)walk->collider->pieces[piece].body * CR_BODY_MOTIONS;
  crVec3 v = crMulMV(body->R_WB, crMakeVec3(row[0], row[1], row[2]));
  *outW = crMulMV(body->R_WB, crMakeVec3(row[3], row[4], row[5]));
  *outV = crAdd(v, crCross(*outW, crSub(p, body->origin)));
}

static crContactMotion computeMotion(const Walk* walk, const Visit* visit)
{
  const crTouch* touch = &visit->touch;
  crVec3 v1, w1, v2, w2;
  computeVelocity(walk, visit->pair.a, touch->point, &v1, &w1);
  computeVelocity(walk, visit->pair.b, touch->point, &v2, &w2);
  crVec3 relative = crSub(v2, v1);
  double rate = -crDot(relative, touch->normal);
  crContactMotion motion = { .depth = -touch->distance,
                             .rate = rate,
                             .normal = touch->normal,
                             .slip = crMulAdd(relative, rate, touch->normal),
                             .turn = crSub(w2, w1) };
  return motion;
}

static crTouchGeometry computeGeometry(const Walk* walk, const Visit* visit)
{
  const crCollider* collider = walk->collider;
  int a = visit->pair.a, b = visit->pair.b;
  return crComputeTouchGeometry(shapeOf(collider, a), &bodyOf(collider, a)->X_WS, shapeOf(collider, b),
                                &bodyOf(collider, b)->X_WS, visit->number);
}

static double massOf(const Walk* walk, int piece)
{
  size_t body = (size_t)walk->collider->pieces[piece].body;
  return walk->motions[body * CR_BODY_MOTIONS + CR_BODY_MOTIONS - 1];
}

static double computeHysteresis(const Walk* walk, const Visit* visit, const crTouchGeometry* geometry)
{
  double mass = fmin(massOf(walk, visit->pair.a), massOf(walk, visit->pair.b));
  return crComputeHysteresis(&walk->collider->law, geometry, mass, walk->collider->def.gravity);
}

// ----------------------------------------------------------------------------------------- entries

crStatus crCollider_ComputeElasticForces(crCollider* collider, const crColliderMemory* memory, int bodyCount,
                                         const double* bodies, const double* motions, double* outForces)
{
  Walk walk;
  Visit visit;
  crStatus status = beginWalk(&walk, collider, memory, bodyCount, bodies, motions);
  if (status != cr_ok || bodyCount == 0) {
    return status;
  }
  if (outForces == NULL) {
    return cr_errorMisuse;
  }
  memset(outForces, 0, (size_t)bodyCount * CR_BODY_OUTPUTS * sizeof *outForces);
  while (nextVisit(&walk, &visit)) {
    if (visit.contact == NULL) {
      continue;
    }
    crContactMotion motion = computeMotion(&walk, &visit);
    crContactForce f = crComputeContactForce(&collider->law, &visit.contact->memory, &motion);
    crVec3 force = crScale(visit.touch.weight, f.force), torque = crScale(visit.touch.weight, f.torque);
    int a = collider->pieces[visit.pair.a].body, b = collider->pieces[visit.pair.b].body;
    crCollider_Push(collider, b, visit.touch.point, force, torque, outForces);
    crCollider_Push(collider, a, visit.touch.point, crNeg(force), crNeg(torque), outForces);
  }
  crCollider_TurnForces(collider, outForces);
  return cr_ok;
}

crStatus crCollider_ComputeIndicators(crCollider* collider, const crColliderMemory* memory, int bodyCount,
                                      const double* bodies, const double* motions, double outIndicators[2])
{
  Walk walk;
  Visit visit;
  crStatus status = beginWalk(&walk, collider, memory, bodyCount, bodies, motions);
  if (status != cr_ok || outIndicators == NULL) {
    return status != cr_ok ? status : cr_errorMisuse;
  }
  double none = memory->contacts.count > 0 ? -HUGE_VAL : -1.0;
  double z1 = none, z2 = bodyCount > 0 && collider->pieceCount > 0 ? collider->margin : 1.0;
  while (nextVisit(&walk, &visit)) {
    if (visit.contact != NULL) {
      z1 = fmax(z1, visit.touch.distance);
    } else {
      crTouchGeometry geometry = computeGeometry(&walk, &visit);
      z2 = fmin(z2, visit.touch.distance + 2.0 * computeHysteresis(&walk, &visit, &geometry));
    }
  }
  outIndicators[0] = walk.missedCount > 0 ? fmax(z1, collider->margin) : z1;
  outIndicators[1] = z2;
  return cr_ok;
}

// Takes a touch up, or keeps it as it is.
static bool keepContact(const Walk* walk, const Visit* visit, crColliderMemory* memory)
{
  crTouchGeometry geometry = computeGeometry(walk, visit);
  if (visit->touch.distance >= -computeHysteresis(walk, visit, &geometry)) {
    return true;
  }
  Contact* place = crArray_Push(&memory->next, &memory->allocator);
  if (place == NULL) {
    return false;
  }
  place->pair = visit->pair;
  place->touch = visit->number;
  place->memory = visit->contact != NULL
                      ? visit->contact->memory
                      : crFreezeContact(&walk->collider->law, &geometry, computeMotion(walk, visit).rate);
  return true;
}

crStatus crCollider_ResolveEvent(crCollider* collider, crColliderMemory* memory, int bodyCount, const double* bodies,
                                 const double* motions)
{
  Walk walk;
  Visit visit;
  crStatus status = beginWalk(&walk, collider, memory, bodyCount, bodies, motions);
  if (status != cr_ok) {
    return status;
  }
  memory->next.count = 0;
  while (nextVisit(&walk, &visit)) {
    if (!keepContact(&walk, &visit, memory)) {
      return cr_errorMemory;
    }
  }
  Contact* items = memory->contacts.items;
  int capacity = memory->contacts.capacity;
  memory->contacts.items = memory->next.items;
  memory->contacts.count = memory->next.count;
  memory->contacts.capacity = memory->next.capacity;
  memory->next.items = items;
  memory->next.count = 0;
  memory->next.capacity = capacity;
  return cr_ok;
}
