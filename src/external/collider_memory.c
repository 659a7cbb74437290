// The second entry of colliders: the elastic law, with contacts that begin and end at events.
//
//   z1 = max distance over the contacts in the memory, z2 = min (distance + 2 eps) over all other pairs
//
// as in docs/contact.md: a contact begins at the depth 2 eps, ends at 0, and at an event all pairs deeper than eps are
// in contact. The memory is sorted as the pairs of pieces are, and walked beside them.
#include "contact/area_contact.h"
#include "external/collider.h"

#include <string.h>

typedef struct Contact {
  crBoxPair pair;
  crContactMemory memory;
} Contact;

// Ordered by pair.
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

// One near pair, as the walk over all of them sees it.
typedef struct Visit {
  crBoxPair pair;
  crTouch touch;
  const Contact* contact; // in the memory; NULL: not in contact
} Visit;

// Goes through all pairs.
typedef struct Walk {
  const crCollider* collider;
  const crColliderMemory* memory;
  const double* motions;
  const crBoxPair* pairs;
  int pairCount, pair; // the next one
  int contact;         // the next in the memory
  int missedCount;     // contacts of pairs that are not near any more
} Walk;

static const crShape* shapeOf(const crCollider* collider, int piece)
{
  return collider->pieces[piece].shape;
}

static const crColliderBody* bodyOf(const crCollider* collider, int piece)
{
  return &collider->bodies[collider->pieces[piece].body];
}

// < 0: the contact comes before the pair.
static int compare(const Contact* contact, crBoxPair pair)
{
  if (contact->pair.a != pair.a) {
    return contact->pair.a < pair.a ? -1 : 1;
  }
  return (contact->pair.b > pair.b) - (contact->pair.b < pair.b);
}

// The contact of a pair; contacts that come before it belong to pairs that have been left.
static const Contact* takeContact(Walk* walk, crBoxPair pair)
{
  const crColliderMemory* memory = walk->memory;
  while (walk->contact < memory->contacts.count) {
    const Contact* contact = &memory->contacts.items[walk->contact];
    int order = compare(contact, pair);
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

// The next pair; false: that was the last.
static bool nextVisit(Walk* walk, Visit* outVisit)
{
  const crCollider* collider = walk->collider;
  if (walk->pair >= walk->pairCount) {
    walk->missedCount += walk->memory->contacts.count - walk->contact;
    walk->contact = walk->memory->contacts.count;
    return false;
  }
  crBoxPair pair = walk->pairs[walk->pair++];
  crComputeTouch(shapeOf(collider, pair.a), &bodyOf(collider, pair.a)->X_WS, shapeOf(collider, pair.b),
                 &bodyOf(collider, pair.b)->X_WS, NULL, &outVisit->touch);
  outVisit->pair = pair;
  outVisit->contact = takeContact(walk, pair);
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
  if (status == cr_ok) {
    areMotionsGood(collider, bodyCount, motions, &status);
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
                                &bodyOf(collider, b)->X_WS, &visit->touch);
}

static double massOf(const Walk* walk, int piece)
{
  size_t body = (size_t)walk->collider->pieces[piece].body;
  return walk->motions[body * CR_BODY_MOTIONS + CR_BODY_MOTIONS - 1];
}

static bool isArea(const Walk* walk, const Visit* visit)
{
  const crCollider* collider = walk->collider;
  return crChooseTouchPath(&collider->law, shapeOf(collider, visit->pair.a), shapeOf(collider, visit->pair.b)) ==
         cr_touchArea;
}

static double computeHysteresis(const Walk* walk, const Visit* visit, const crTouchGeometry* geometry)
{
  double mass = fmin(massOf(walk, visit->pair.a), massOf(walk, visit->pair.b));
  return crComputeHysteresis(&walk->collider->law, isArea(walk, visit), geometry, mass, walk->collider->def.gravity);
}

// Its inertia is not known: it counts as not turning.
static crAreaSide makeSide(const Walk* walk, int piece)
{
  const crColliderBody* body = bodyOf(walk->collider, piece);
  crAreaSide side = { .shape = shapeOf(walk->collider, piece),
                      .p = body->origin,
                      .inverseMass = 1.0 / massOf(walk, piece) };
  side.X_WS = crPlaceCanonical(side.shape, &body->X_WS);
  computeVelocity(walk, piece, body->origin, &side.v, &side.w);
  return side;
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
    crContact contact = { .memory = visit.contact->memory, .now = visit.touch };
    if (isArea(&walk, &visit)) {
      crAreaSide sideA = makeSide(&walk, visit.pair.a), sideB = makeSide(&walk, visit.pair.b);
      crEvalAreaContact(&collider->law, &sideA, &sideB, &contact);
    } else {
      contact.motion = computeMotion(&walk, &visit);
      contact.force = crComputeContactForce(&collider->law, &contact.memory, &contact.motion);
    }
    crVec3 force = contact.force.force, torque = contact.force.torque, point = contact.now.point;
    crCollider_Push(collider, collider->pieces[visit.pair.b].body, point, force, torque, outForces);
    crCollider_Push(collider, collider->pieces[visit.pair.a].body, point, crNeg(force), crNeg(torque), outForces);
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
  place->memory = visit->contact != NULL ? visit->contact->memory
                                         : crFreezeContact(&walk->collider->law, isArea(walk, visit), &geometry,
                                                           computeMotion(walk, visit).rate);
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
