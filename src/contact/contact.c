// Contacts of a closed set: the two event indicators, and what touches after an event.
//
//   z1 = max over contacts of distance,    z2 = min(margin, min over the others of distance + 2 epsilon)
//
// Pairs whose boxes are farther apart than the margin are farther apart than the margin themselves, so z2 is continuous
// where a pair comes near, and costs a broad phase and the distances of what is near.
#include "collide/area/area.h"
#include "collide/distance/parallel.h"
#include "contact/area_contact.h"
#include "contact/contact_group.h"

#define CR_NOTHING_TOUCHES (-1.0) // [m] z1 without contacts

// ------------------------------------------------------------------------------------------- geometry

crStatus crFindNearPairs(const crInstance* instance, crContacts* contacts, const crBoxPair** outPairs, int* outCount)
{
  crStatus status = crContacts_ProvideBroadPhase(contacts);
  if (status != cr_ok) {
    return status;
  }
  crPlaceShapes(instance, contacts, contacts->members, contacts->memberCount);
  for (int k = 0; k < contacts->memberCount; ++k) {
    int i = contacts->members[k];
    crAabb box = crShape_ComputeAabb(&contacts->model->shapes[i], contacts->poses[i]);
    if (crBroadPhase_SetBox(contacts->broadPhase, i, box) != cr_ok) {
      return cr_retry; // not finite
    }
  }
  return crBroadPhase_FindPairs(contacts->broadPhase, outPairs, outCount);
}

const crContactLaw* crContacts_FindLaw(const crContacts* contacts, int shapeA, int shapeB)
{
  const crContactShape* shapes = contacts->model->contactShapes;
  return crModel_GetContactLaw(contacts->model, shapes[shapeA].material, shapes[shapeB].material);
}

static crTouch computeTouch(const crContacts* contacts, int shapeA, int shapeB, crDistanceCache* cache)
{
  const crShape* shapes = contacts->model->shapes;
  crTouch touch;
  crComputeTouch(&shapes[shapeA], &contacts->poses[shapeA], &shapes[shapeB], &contacts->poses[shapeB], cache, &touch);
  return touch;
}

// Of a contact that lasts. True: it has gone over to the next chain of its surface.
static bool computeHeldTouch(const crContacts* contacts, int shapeA, int shapeB, crTouch* out)
{
  const crShape* shapes = contacts->model->shapes;
  const crPose* poses = contacts->poses;
  if (contacts->isCrowd) {
    *out = computeTouch(contacts, shapeA, shapeB, NULL);
    return false;
  }
  return crComputeHeldTouch(&shapes[shapeA], &poses[shapeA], &shapes[shapeB], &poses[shapeB], NULL, out);
}

// Of pairs sorted by their shapes; NULL: not among them.
static const crTouchingPair* findPair(const crTouchingPair* pairs, int count, int shapeA, int shapeB)
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    int order = crComparePairs(pairs[middle].shapeA, pairs[middle].shapeB, shapeA, shapeB);
    if (order == 0) {
      return &pairs[middle];
    }
    low = order < 0 ? middle + 1 : low;
    high = order < 0 ? high : middle;
  }
  return NULL;
}

// ------------------------------------------------------------------------------------------ indicators

const crTouchingPair* crContacts_FindPair(const crContacts* contacts, crBoxPair pair)
{
  return findPair(contacts->pairs.items, contacts->pairs.count, pair.a, pair.b);
}

// Of near pairs that do not touch; those that do tell their contacts how far they are.
static double findSmallestGap(crContacts* contacts, const crBoxPair* near, int nearCount)
{
  double gap = contacts->margin;
  for (int i = 0; i < nearCount; ++i) {
    const crTouchingPair* touching = crContacts_FindPair(contacts, near[i]);
    if (touching != NULL) {
      crTouch touch;
      computeHeldTouch(contacts, near[i].a, near[i].b, &touch);
      crContacts_GetOf(contacts, touching)->now.distance = touch.distance;
    } else {
      double distance = computeTouch(contacts, near[i].a, near[i].b, NULL).distance;
      const crContactLaw* law = crContacts_FindLaw(contacts, near[i].a, near[i].b);
      gap = fmin(gap, distance + 2.0 * crContacts_GetHysteresis(contacts, near[i].a, near[i].b, law));
    }
  }
  return gap;
}

// Places everything and finds what is near; contacts that are not near count as the margin apart.
static crStatus lookAround(crInstance* instance, crTreeSet set, double t, const double* y, const crBoxPair** outNear,
                           int* outCount)
{
  crContacts* contacts = set.contacts;
  if (contacts == NULL || contacts->members == NULL) {
    return cr_errorMisuse;
  }
  crInstance_SetState(instance, set, t, y);
  crStatus status = crInstance_Eval(instance, set, cr_stagePosition);
  status = status == cr_ok ? crFindNearPairs(instance, contacts, outNear, outCount) : status;
  for (int i = 0; i < contacts->contacts.count; ++i) {
    contacts->contacts.items[i].now.distance = contacts->margin;
  }
  return status;
}

static double findLargest(const crContacts* contacts)
{
  double largest = contacts->contacts.count > 0 ? -HUGE_VAL : CR_NOTHING_TOUCHES;
  for (int i = 0; i < contacts->contacts.count; ++i) {
    largest = fmax(largest, contacts->contacts.items[i].now.distance);
  }
  return largest;
}

crStatus crInstance_ComputeIndicators(crInstance* instance, crTreeSet set, double t, const double* y,
                                      double outZ[CR_INDICATORS])
{
  if (!crCanEvaluate(instance, set) || set.contacts == NULL || y == NULL || outZ == NULL) {
    return cr_errorMisuse;
  }
  const crBoxPair* near = NULL;
  int nearCount = 0;
  crStatus status = lookAround(instance, set, t, y, &near, &nearCount);
  if (status == cr_ok) {
    outZ[1] = findSmallestGap(set.contacts, near, nearCount);
    outZ[0] = findLargest(set.contacts);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------- events

// When the distance was 0: on the way, at the speed of the event. What touches at the start begins there.
static double findBeginning(double t, double lastEvent, const crContactMotion* motion)
{
  return isnan(lastEvent) || !(motion->rate > 0.0) ? t : fmin(t, t - motion->depth / motion->rate);
}

crTouchGeometry crFindTouchGeometry(const crModel* model, crBoxPair pair, const crPose* X_WA, const crPose* X_WB,
                                    const crTouch* touch)
{
  const crContactShape *a = &model->contactShapes[pair.a], *b = &model->contactShapes[pair.b];
  crTouchGeometry geometry = crComputeTouchGeometry(&model->shapes[pair.a], X_WA, &model->shapes[pair.b], X_WB, touch);
  crOverrideRadii(&geometry, a->contactRadius, b->contactRadius);
  if (crModel_GetContactLaw(model, a->material, b->material)->geometry == cr_geometryHertz) {
    crFindRelativeCurvature(&model->shapes[pair.a], X_WA, a->contactRadius, &model->shapes[pair.b], X_WB,
                            b->contactRadius, touch, &geometry);
  }
  return geometry;
}

// The touch of two shapes may be at a seam of which their bodies know nothing. A ball goes on with what it remembers
// from the shape before, and does not approach; what an area approaches with is told by its patch.
static void joinCompound(const crInstance* instance, const crContacts* contacts, const crTouchingPair* pair,
                         crContact* ioContact)
{
  const crContact* elder = crContacts_FindElder(contacts, pair, &ioContact->now);
  const crContact* twin = elder == NULL ? crContacts_FindTwin(contacts, pair, &ioContact->now) : NULL;
  ioContact->memory = twin != NULL ? twin->memory : ioContact->memory;
  if (elder != NULL) {
    ioContact->memory = elder->memory;
    ioContact->isNew = false;
    ioContact->approach = ioContact->motion.rate = 0.0;
  } else if (pair->path == cr_touchArea && crFindGroupKey(contacts, pair).first >= 0) {
    crAreaSide a, b;
    crContact probe = *ioContact;
    crFillAreaSide(instance, contacts, pair->shapeA, &a);
    crFillAreaSide(instance, contacts, pair->shapeB, &b);
    crEvalAreaContact(pair->law, &a, &b, &probe);
    if (probe.now.distance < 0.0) {
      double depth = ioContact->motion.depth; // what the search has found
      ioContact->now = (crTouch){ -depth, probe.now.normal, probe.now.point };
      ioContact->motion = probe.motion;
      ioContact->motion.depth = depth;
      ioContact->approach = fmax(0.0, probe.motion.rate) + 0.0;
    }
  }
}

#define CR_HANDED_DEPTH 1e-3 // [-] and how much deeper it may be there, over the depth
#define CR_HANDED_SHARE 0.01 // [-] of the smaller shape's smallest dimension: how far a touch moves where it goes over

// Pairs of the same two solids, by other chains of theirs.
static bool haveSameSolids(const crContacts* contacts, const crTouchingPair* pair, const crTouchingPair* other)
{
  const crContactShape* places = contacts->model->contactShapes;
  const crContactShape *a = &places[pair->shapeA], *b = &places[pair->shapeB], *c = &places[other->shapeA],
                       *d = &places[other->shapeB];
  return (pair->shapeA != other->shapeA || pair->shapeB != other->shapeB) && c->object == a->object &&
         c->feature == a->feature && d->object == b->object && d->feature == b->feature;
}

// Chains of a surface of which one goes on as the other.
static bool areNext(const crShape* a, const crShape* b)
{
  return crIsSurface(a) && crIsSurface(b) && crChain_GoesOnAs(a->chain, b->chain);
}

// The touch of a ball's contact goes on behind the cut to the next chain. Of two outlines, or a roller and one, it only
// has to be near: each of them may go over to another chain of the other. Where two straight sides become parallel it
// goes from one end of these to the other, where it is as deep.
static bool hasGoneOver(const crContacts* contacts, int elder, const crTouchingPair* pair, const crContact* contact)
{
  const crShape *a = &contacts->model->shapes[pair->shapeA], *b = &contacts->model->shapes[pair->shapeB];
  const crTouch* before = &contacts->contacts.items[elder].now;
  const crTouchingPair* other = &contacts->pairs.items[elder];
  const crShape *c = &contacts->model->shapes[other->shapeA], *d = &contacts->model->shapes[other->shapeB];
  bool isNext = areNext(c, a) || areNext(d, b);
  if (crIsParallelPair(a, b)) {
    double near = CR_HANDED_SHARE * fmin(a->smallestDimension, b->smallestDimension);
    double now = contact->now.distance, more = before->distance - now;
    bool isAsDeep = before->distance >= 0.0 || fabs(more) <= CR_HANDED_DEPTH * fabs(now);
    return (isNext && isAsDeep) || crLength(crSub(before->point, contact->now.point)) < near;
  }
  bool isOnFace = crIsSurface(c) ? crIsSurface(a) && crChain_MeetsOnFace(c->chain, a->chain)
                                 : crIsSurface(d) && crIsSurface(b) && crChain_MeetsOnFace(d->chain, b->chain);
  crTouch now;
  return (isNext || isOnFace) && computeHeldTouch(contacts, other->shapeA, other->shapeB, &now) && now.distance < 0.0;
}

// What rolls from one chain of a profile to the next goes on with what it remembers.
static void followChain(const crContacts* contacts, const crTouchingPair* pair, crContact* ioContact)
{
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crContact* elder = &contacts->contacts.items[k];
    if (elder->isTouching && haveSameSolids(contacts, pair, &contacts->pairs.items[k]) &&
        hasGoneOver(contacts, k, pair, ioContact)) {
      ioContact->memory = elder->memory;
      ioContact->isNew = false;
      ioContact->approach = ioContact->motion.rate = 0.0;
      return;
    }
  }
}

static crContact beginContact(const crInstance* instance, const crContacts* contacts, const crTouchingPair* pair,
                              const crTouch* now, double t)
{
  crContactMotion motion = crFindContactMotion(instance, contacts, pair->shapeA, pair->shapeB, now);
  crBoxPair shapes = { pair->shapeA, pair->shapeB };
  crTouchGeometry geometry =
      crFindTouchGeometry(contacts->model, shapes, &contacts->poses[pair->shapeA], &contacts->poses[pair->shapeB], now);
  crContact contact = { .memory = crFreezeContact(pair->law, pair->path == cr_touchArea, &geometry, motion.rate),
                        .begin = findBeginning(t, contacts->lastEvent, &motion),
                        .approach = fmax(0.0, motion.rate) + 0.0, // no -0
                        .isTouching = true,
                        .isNew = true,
                        .maxDepth = motion.depth,
                        .now = *now,
                        .motion = motion };
  if (contacts->table->hasCompounds) {
    joinCompound(instance, contacts, pair, &contact);
  }
  const crShape *a = &contacts->model->shapes[pair->shapeA], *b = &contacts->model->shapes[pair->shapeB];
  bool isHeldBall = (a->kind == cr_shapeSphere && crIsHeld(b)) || (b->kind == cr_shapeSphere && crIsHeld(a));
  if (crIsShared(a) || crIsShared(b) || isHeldBall) {
    followChain(contacts, pair, &contact);
  }
  contact.bristle = crContacts_StartBristle(contacts, pair, &contact.memory, &contact.now);
  return contact;
}

crContactRecord* crContacts_PushEvent(crContacts* contacts, const crTouchingPair* pair, const crContact* contact)
{
  crContactRecord* event = crPushItem(&contacts->events, &contacts->allocator);
  if (event != NULL) {
    *event = crDescribeContact(contacts, pair, contact, cr_contactBegin);
    event->time = contact->begin;
  }
  return event;
}

void crEndEvent(crContactRecord* event, double t)
{
  event->phase = cr_contactEnd;
  event->time = event->end = t;
  event->separation = -event->depthRate;
  event->restitution = event->approach > 0.0 ? event->separation / event->approach : NAN;
}

static bool recordBegin(crContacts* contacts, const crTouchingPair* pair, const crContact* contact)
{
  crContactRecord* event = crContacts_PushEvent(contacts, pair, contact);
  if (event != NULL) {
    event->time = fmax(event->time, contacts->lastEvent); // events are told in their order
  }
  return event != NULL;
}

// The contact as it is at the end, whose shapes are placed.
static bool recordEnd(const crInstance* instance, crContacts* contacts, const crTouchingPair* pair, crContact contact,
                      double t)
{
  computeHeldTouch(contacts, pair->shapeA, pair->shapeB, &contact.now);
  contact.motion = crFindContactMotion(instance, contacts, pair->shapeA, pair->shapeB, &contact.now);
  crContactRecord* event = crContacts_PushEvent(contacts, pair, &contact);
  if (event != NULL) {
    crEndEvent(event, t);
  }
  return event != NULL;
}

crTouchPath crChooseTouchPath(const crContactLaw* law, const crShape* a, const crShape* b)
{
  bool isSphereA = a->kind == cr_shapeSphere, isSphereB = b->kind == cr_shapeSphere;
  if (isSphereA && isSphereB) {
    return cr_touchSpheres;
  }
  const crShape* other = isSphereA ? b : a;
  if (!(isSphereA || isSphereB) || !crHasSphereFoot(other)) {
    return law->touch == cr_touchByArea && crTouchesByArea(a, b) ? cr_touchArea : cr_touchAny;
  }
  if (other->kind == cr_shapeHalfSpace) {
    return isSphereA ? cr_touchSpherePlane : cr_touchPlaneSphere;
  }
  return isSphereA ? cr_touchSphereSolid : cr_touchSolidSphere;
}

// One that goes on is told by its place among those that there are.
static bool keepContact(crContacts* contacts, const crTouchingPair* pair, const crContact* old)
{
  crTouchingPair* next = crPushItem(&contacts->nextPairs, &contacts->allocator);
  if (next != NULL) {
    *next = *pair;
    next->place = (int)(old - contacts->contacts.items);
  }
  return next != NULL;
}

static bool takeContact(const crInstance* instance, crContacts* contacts, const crTouchingPair* pair,
                        const crTouch* now, double t)
{
  crContact begun = beginContact(instance, contacts, pair, now, t);
  crContact* contact = crPushItem(&contacts->nextContacts, &contacts->allocator);
  crTouchingPair* next = crPushItem(&contacts->nextPairs, &contacts->allocator);
  if (contact == NULL || next == NULL || !recordBegin(contacts, pair, &begun)) {
    return false;
  }
  *contact = begun;
  *next = *pair;
  next->place = -contacts->nextContacts.count;
  return true;
}

// One near pair: whether it touches from now on.
static bool resolvePair(const crInstance* instance, crContacts* contacts, crBoxPair near, double t)
{
  const crShape* shapes = contacts->model->shapes;
  crTouchingPair pair = { .shapeA = near.a, .shapeB = near.b, .law = crContacts_FindLaw(contacts, near.a, near.b) };
  pair.path = crChooseTouchPath(pair.law, &shapes[near.a], &shapes[near.b]);
  crTouch now = computeTouch(contacts, near.a, near.b, &pair.cache);
  if (!(now.distance < -crContacts_GetHysteresis(contacts, near.a, near.b, pair.law))) {
    return true;
  }
  const crTouchingPair* before = crContacts_FindPair(contacts, near);
  const crContact* old = before != NULL ? crContacts_GetOf(contacts, before) : NULL;
  contacts->released += old != NULL && !old->isTouching ? crBristle_GetStored(&old->bristle) : 0.0;
  old = old != NULL && old->isTouching ? old : NULL;
  return old != NULL ? keepContact(contacts, &pair, old) : takeContact(instance, contacts, &pair, &now, t);
}

static bool recordEnds(const crInstance* instance, crContacts* contacts, double t)
{
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    bool isOver = findPair(contacts->nextPairs.items, contacts->nextPairs.count, pair->shapeA, pair->shapeB) == NULL;
    contacts->released += isOver ? crBristle_GetStored(&contact->bristle) : 0.0;
    if (isOver && contact->isTouching && !recordEnd(instance, contacts, pair, *contact, t)) {
      return false;
    }
  }
  return true;
}

// All shapes of the set are placed.
static crStatus resolveNear(crInstance* instance, crTreeSet set, const crBoxPair* near, int count)
{
  crContacts* contacts = set.contacts;
  double t = set.treeCount > 0 ? instance->times[set.trees[0]] : instance->times[0];
  contacts->events.count = contacts->nextPairs.count = contacts->nextContacts.count = 0;
  contacts->released = 0.0;
  for (int i = 0; i < count; ++i) {
    if (!resolvePair(instance, contacts, near[i], t)) {
      return cr_errorMemory;
    }
  }
  if (!recordEnds(instance, contacts, t) || !crContacts_ReserveLists(contacts, contacts->nextPairs.count) ||
      !crContacts_SeatNext(contacts)) {
    return cr_errorMemory;
  }
  contacts->lastEvent = t;
  crContacts_ListAgain(contacts);
  for (int k = 0; k < set.treeCount && contacts->events.count > 0; ++k) {
    instance->stages[set.trees[k]] = cr_stageVelocity;
  }
  return cr_ok;
}

crStatus crInstance_ResolveContacts(crInstance* instance, crTreeSet set)
{
  crContacts* contacts = set.contacts;
  if (!crCanEvaluate(instance, set) || contacts == NULL || contacts->members == NULL) {
    return cr_errorMisuse;
  }
  contacts->events.count = 0;
  const crBoxPair* near = NULL;
  int nearCount = 0;
  crStatus status = crInstance_Eval(instance, set, cr_stageVelocity);
  status = status == cr_ok ? crFindNearPairs(instance, contacts, &near, &nearCount) : status;
  return status == cr_ok ? resolveNear(instance, set, near, nearCount) : status;
}

crStatus crInstance_ResolvePairs(crInstance* instance, crTreeSet set, const crBoxPair* pairs, int count)
{
  if (set.contacts == NULL) {
    return cr_errorMisuse;
  }
  set.contacts->events.count = 0;
  crStatus status = crInstance_Eval(instance, set, cr_stageVelocity);
  if (status != cr_ok) {
    return status;
  }
  crPlaceTrees(instance, set);
  return resolveNear(instance, set, pairs, count);
}

const crContactRecord* crContacts_GetEvents(const crContacts* contacts, int* outCount)
{
  int count = contacts != NULL ? contacts->events.count : 0;
  if (outCount != NULL) {
    *outCount = count;
  }
  return count > 0 ? contacts->events.items : NULL;
}
