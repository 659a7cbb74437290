// Contacts of a closed set: memory, the two event indicators, and what touches after an event.
//
//   z1 = max over contacts of distance,    z2 = min(margin, min over the others of distance + 2 epsilon)
//
// Pairs whose boxes are farther apart than the margin are farther apart than the margin themselves, so z2 is continuous
// where a pair comes near, and costs a broad phase and the distances of what is near.
#include "model/eval/contact.h"

#include <stdlib.h>
#include <string.h>

#define CR_NEAR_SHARE 0.05        // [-] margin over the smallest half size of what moves
#define CR_NOTHING_TOUCHES (-1.0) // [m] z1 without contacts

// ---------------------------------------------------------------------------------------------- memory

bool crContacts_CanMeet(const void* context, int a, int b)
{
  const crContacts* contacts = context;
  return contacts->facts[a].isMember && contacts->facts[b].isMember && crModel_CanMeet(contacts->model, a, b);
}

static bool isRoundKind(crShapeKind kind)
{
  return kind == cr_shapeSphere || kind == cr_shapeCapsule || kind == cr_shapeEllipsoid;
}

// The trees of a set ascend. The world is part of every set.
static bool hasTree(crTreeSet set, int tree)
{
  int low = 0, high = set.treeCount;
  while (low < high) {
    int middle = low + (high - low) / 2;
    low = set.trees[middle] < tree ? middle + 1 : low;
    high = set.trees[middle] < tree ? high : middle;
  }
  return tree < 0 || (low < set.treeCount && set.trees[low] == tree);
}

// Massless bodies move with what they carry and what carries them.
static double findMass(const crModel* model, int body)
{
  int t = model->bodies[body].tree;
  if (t < 0 || model->links[body].mass > 0.0) {
    return t < 0 ? HUGE_VAL : model->links[body].mass;
  }
  double sum = 0.0;
  const crTree* tree = &model->trees[t];
  for (int b = tree->bodyStart; b < tree->bodyStart + tree->bodyCount; ++b) {
    sum += model->links[b].mass;
  }
  return sum;
}

static void fillFacts(crContacts* contacts, crTreeSet set)
{
  const crModel* model = contacts->model;
  for (int i = 0; i < contacts->shapeCount; ++i) {
    const crContactShape* shape = &model->contactShapes[i];
    int tree = model->bodies[shape->body].tree;
    crShapeFacts* facts = &contacts->facts[i];
    bool isInside = hasTree(set, tree);
    facts->isMember = isInside;
    facts->tree = tree;
    facts->mass = findMass(model, shape->body);
    facts->half = 0.5 * crShape_GetSmallestDimension(shape->shape);
    facts->isRound = isRoundKind(crShape_GetKind(shape->shape));
    facts->isSphere = crShape_GetKind(shape->shape) == cr_shapeSphere;
    crMat3 R_BO = model->objects[shape->object].X_BO.R;
    facts->surfaceVelocity = crMulMV(R_BO, shape->surfaceVelocity);
    facts->hasSurfaceVelocity = crLength(shape->surfaceVelocity) > 0.0;
    if (isInside && tree >= 0) {
      contacts->members[contacts->memberCount++] = i;
    }
  }
}

static double chooseMargin(const crContacts* contacts)
{
  double smallest = HUGE_VAL;
  for (int k = 0; k < contacts->memberCount; ++k) {
    smallest = fmin(smallest, contacts->facts[contacts->members[k]].half);
  }
  return isfinite(smallest) ? CR_NEAR_SHARE * smallest : 1.0;
}

static crStatus placeFixedShapes(crContacts* contacts)
{
  crStatus status = cr_ok;
  for (int i = 0; i < contacts->shapeCount && status == cr_ok; ++i) {
    const crContactShape* shape = &contacts->model->contactShapes[i];
    if (contacts->facts[i].isMember && contacts->facts[i].tree < 0) {
      contacts->poses[i] = shape->X_BS;
      status = crBroadPhase_SetBox(contacts->broadPhase, i, crShape_ComputeAabb(shape->shape, shape->X_BS));
    }
  }
  return status;
}

static crStatus fillContacts(crContacts* contacts, crTreeSet set, int* owners)
{
  for (int i = 0; i < contacts->shapeCount; ++i) {
    owners[i] = contacts->model->contactShapes[i].body;
  }
  fillFacts(contacts, set);
  contacts->margin = chooseMargin(contacts);
  const crGravity* gravity = &contacts->model->gravity;
  contacts->gravity = gravity->kind == cr_gravityUniform ? crLength(gravity->acceleration) : 0.0;
  crPairFilter filter = { crContacts_CanMeet, contacts };
  crStatus status = crCreateBroadPhase(contacts->shapeCount, owners, filter, contacts->margin, &contacts->allocator,
                                       &contacts->broadPhase);
  return status == cr_ok ? placeFixedShapes(contacts) : status;
}

crStatus crCreateContacts(const crModel* model, crTreeSet set, const crAllocator* allocator, crContacts** outContacts)
{
  if (outContacts == NULL || model == NULL || !crIsTreeSet(model, set)) {
    return cr_errorMisuse;
  }
  *outContacts = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crContacts* contacts = crAllocateZero(&chosen, 1, sizeof *contacts);
  if (contacts == NULL) {
    return cr_errorMemory;
  }
  contacts->allocator = chosen;
  contacts->model = model;
  contacts->shapeCount = model->size.shapeCount;
  contacts->lastEvent = NAN;
  size_t count = (size_t)contacts->shapeCount;
  int* owners = crAllocateZero(&chosen, count + 1, sizeof(int));
  contacts->facts = crAllocateZero(&chosen, count + 1, sizeof *contacts->facts);
  contacts->poses = crAllocateZero(&chosen, count + 1, sizeof *contacts->poses);
  contacts->members = crAllocateZero(&chosen, count + 1, sizeof *contacts->members);
  bool hasMemory = owners != NULL && contacts->facts != NULL && contacts->poses != NULL && contacts->members != NULL;
  crStatus status = hasMemory ? fillContacts(contacts, set, owners) : cr_errorMemory;
  crFree(&chosen, owners, (count + 1) * sizeof(int));
  if (status != cr_ok) {
    crDestroyContacts(contacts);
    return status;
  }
  *outContacts = contacts;
  return cr_ok;
}

void crDestroyContacts(crContacts* contacts)
{
  if (contacts == NULL) {
    return;
  }
  crAllocator allocator = contacts->allocator;
  size_t count = (size_t)contacts->shapeCount + 1;
  crDestroyBroadPhase(contacts->broadPhase);
  crArray_Free(&contacts->pairs, &allocator);
  crArray_Free(&contacts->contacts, &allocator);
  crArray_Free(&contacts->activeShapes, &allocator);
  crArray_Free(&contacts->nextPairs, &allocator);
  crArray_Free(&contacts->nextContacts, &allocator);
  crArray_Free(&contacts->events, &allocator);
  crArray_Free(&contacts->links, &allocator);
  crFree(&allocator, contacts->members, count * sizeof *contacts->members);
  crFree(&allocator, contacts->poses, count * sizeof *contacts->poses);
  crFree(&allocator, contacts->facts, count * sizeof *contacts->facts);
  crFree(&allocator, contacts, sizeof *contacts);
}

// Makes a growing array hold `count` items of another one.
#define copyArray(to, from, allocator)                                                                                 \
  (crReserve((allocator), &(to)->items, &(to)->capacity, (from)->count, sizeof *(to)->items) &&                        \
   (((to)->count = (from)->count) == 0 ||                                                                              \
    memcpy((to)->items, (from)->items, (size_t)(from)->count * sizeof *(to)->items) != NULL))

crStatus crCopyContacts(const crContacts* from, crContacts* to)
{
  if (from == NULL || to == NULL || from->model != to->model || from->memberCount != to->memberCount) {
    return cr_errorMisuse;
  }
  to->lastEvent = from->lastEvent;
  bool isDone = copyArray(&to->pairs, &from->pairs, &to->allocator) &&
                copyArray(&to->contacts, &from->contacts, &to->allocator) &&
                copyArray(&to->activeShapes, &from->activeShapes, &to->allocator) &&
                copyArray(&to->links, &from->links, &to->allocator);
  return isDone ? cr_ok : cr_errorMemory;
}

// ------------------------------------------------------------------------------------------- geometry

void crPlaceShapes(const crInstance* instance, crContacts* contacts, const int* shapes, int count)
{
  for (int k = 0; k < count; ++k) {
    const crContactShape* shape = &contacts->model->contactShapes[shapes[k]];
    contacts->poses[shapes[k]] = crMulPose(crGetBodyPose(instance, shape->body), shape->X_BS);
  }
}

crStatus crFindNearPairs(const crInstance* instance, crContacts* contacts, const crBoxPair** outPairs, int* outCount)
{
  crPlaceShapes(instance, contacts, contacts->members, contacts->memberCount);
  for (int k = 0; k < contacts->memberCount; ++k) {
    int i = contacts->members[k];
    crAabb box = crShape_ComputeAabb(contacts->model->contactShapes[i].shape, contacts->poses[i]);
    if (crBroadPhase_SetBox(contacts->broadPhase, i, box) != cr_ok) {
      return cr_retry; // not finite
    }
  }
  return crBroadPhase_FindPairs(contacts->broadPhase, outPairs, outCount);
}

static const crContactLaw* findLaw(const crContacts* contacts, int shapeA, int shapeB)
{
  const crContactShape* shapes = contacts->model->contactShapes;
  return crModel_GetContactLaw(contacts->model, shapes[shapeA].material, shapes[shapeB].material);
}

// Depends on the shapes alone, so that it is the same at all times: sizes stand for contact radii.
double crContacts_GetHysteresis(const crContacts* contacts, int shapeA, int shapeB, const crContactLaw* law)
{
  const crShapeFacts *a = &contacts->facts[shapeA], *b = &contacts->facts[shapeB];
  crTouchGeometry geometry = { .radiusA = a->half,
                               .radiusB = b->half,
                               .isRoundA = a->isRound,
                               .isRoundB = b->isRound,
                               .isSphereA = a->isSphere,
                               .isSphereB = b->isSphere,
                               .halfSizeA = a->half,
                               .halfSizeB = b->half };
  const crContactShape* shapes = contacts->model->contactShapes;
  crOverrideRadii(&geometry, shapes[shapeA].contactRadius, shapes[shapeB].contactRadius);
  return crComputeHysteresis(law, &geometry, fmin(a->mass, b->mass), contacts->gravity);
}

static void computeTouches(crContacts* contacts, int shapeA, int shapeB, crDistanceCache* cache)
{
  const crContactShape* shapes = contacts->model->contactShapes;
  crComputeTouches(shapes[shapeA].shape, &contacts->poses[shapeA], shapes[shapeB].shape, &contacts->poses[shapeB],
                   cache, contacts->touches);
}

static int comparePairs(int a, int b, int otherA, int otherB)
{
  return a != otherA ? (a < otherA ? -1 : 1) : b != otherB ? (b < otherB ? -1 : 1) : 0;
}

// Of pairs sorted by their shapes; NULL: not among them.
static const crTouchingPair* findPair(const crTouchingPair* pairs, int count, int shapeA, int shapeB)
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    int order = comparePairs(pairs[middle].shapeA, pairs[middle].shapeB, shapeA, shapeB);
    if (order == 0) {
      return &pairs[middle];
    }
    low = order < 0 ? middle + 1 : low;
    high = order < 0 ? high : middle;
  }
  return NULL;
}

// ------------------------------------------------------------------------------------------ indicators

// Touches of one near pair that do not count as contacts.
static double findGap(crContacts* contacts, crBoxPair near, const crTouchingPair* touching)
{
  const crContactLaw* law = touching != NULL ? touching->law : findLaw(contacts, near.a, near.b);
  const crContactShape* shapes = contacts->model->contactShapes;
  int count = crCountTouches(shapes[near.a].shape, shapes[near.b].shape);
  computeTouches(contacts, near.a, near.b, NULL);
  double gap = HUGE_VAL;
  int next = touching != NULL ? touching->contactStart : 0;
  int end = touching != NULL ? next + touching->contactCount : 0;
  for (int i = 0; i < count; ++i) {
    if (next < end && contacts->contacts.items[next].touch == i) {
      contacts->contacts.items[next].now.distance = contacts->touches[i].distance;
      ++next;
    } else {
      gap = fmin(gap, contacts->touches[i].distance);
    }
  }
  return gap + 2.0 * crContacts_GetHysteresis(contacts, near.a, near.b, law);
}

const crTouchingPair* crContacts_FindPair(const crContacts* contacts, crBoxPair pair)
{
  return findPair(contacts->pairs.items, contacts->pairs.count, pair.a, pair.b);
}

static double findSmallestGap(crContacts* contacts, const crBoxPair* near, int nearCount)
{
  double gap = contacts->margin;
  for (int i = 0; i < nearCount; ++i) {
    const crTouchingPair* touching = crContacts_FindPair(contacts, near[i]);
    gap = fmin(gap, findGap(contacts, near[i], touching));
  }
  return gap;
}

// Places everything and finds what is near; contacts that are not near count as the margin apart.
static crStatus lookAround(crInstance* instance, crTreeSet set, double t, const double* y, const crBoxPair** outNear,
                           int* outCount)
{
  crContacts* contacts = set.contacts;
  if (contacts == NULL) {
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

// Largest distance of contacts [first, first + count).
static double findLargest(const crContacts* contacts, int first, int count)
{
  double largest = count > 0 ? -HUGE_VAL : CR_NOTHING_TOUCHES;
  for (int i = first; i < first + count; ++i) {
    largest = fmax(largest, contacts->contacts.items[i].now.distance);
  }
  return largest;
}

crStatus crInstance_ComputeIndicators(crInstance* instance, crTreeSet set, double t, const double* y,
                                      double outZ[CR_INDICATORS])
{
  const crBoxPair* near = NULL;
  int nearCount = 0;
  crStatus status = lookAround(instance, set, t, y, &near, &nearCount);
  if (status == cr_ok) {
    outZ[1] = findSmallestGap(set.contacts, near, nearCount);
    outZ[0] = findLargest(set.contacts, 0, set.contacts->contacts.count);
  }
  return status;
}

// ------------------------------------------------------------------------------------ indicators of pairs

// Shapes of the set that can meet, counted, and listed where there is room.
int crContacts_ListPairs(const crContacts* contacts, crBoxPair* outPairs)
{
  int count = 0;
  for (int a = 0; a < contacts->shapeCount; ++a) {
    for (int b = a + 1; b < contacts->shapeCount; ++b) {
      if (crContacts_CanMeet(contacts, a, b)) {
        if (outPairs != NULL) {
          outPairs[count] = (crBoxPair){ a, b };
        }
        ++count;
      }
    }
  }
  return count;
}

static int findListed(const crBoxPair* pairs, int count, crBoxPair pair)
{
  int low = 0, high = count - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    bool isBefore = comparePairs(pairs[middle].a, pairs[middle].b, pair.a, pair.b) < 0;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low;
}

crStatus crComputePairIndicators(crInstance* instance, crTreeSet set, double t, const double* y, const crBoxPair* pairs,
                                 int pairCount, double* outZ)
{
  const crBoxPair* near = NULL;
  int nearCount = 0;
  crContacts* contacts = set.contacts;
  crStatus status = lookAround(instance, set, t, y, &near, &nearCount);
  for (size_t k = 0; k < (size_t)pairCount && status == cr_ok; ++k) {
    outZ[2 * k] = CR_NOTHING_TOUCHES;
    outZ[2 * k + 1] = contacts->margin;
  }
  for (int i = 0; i < nearCount && status == cr_ok; ++i) {
    const crTouchingPair* touching = crContacts_FindPair(contacts, near[i]);
    size_t k = (size_t)findListed(pairs, pairCount, near[i]);
    outZ[2 * k + 1] = fmin(contacts->margin, findGap(contacts, near[i], touching));
  }
  for (int i = 0; i < contacts->pairs.count && status == cr_ok; ++i) {
    const crTouchingPair* pair = &contacts->pairs.items[i];
    size_t k = (size_t)findListed(pairs, pairCount, (crBoxPair){ pair->shapeA, pair->shapeB });
    outZ[2 * k] = findLargest(contacts, pair->contactStart, pair->contactCount);
  }
  return status;
}

// ---------------------------------------------------------------------------------------------- events

// The contact of a pair with this touch; NULL: none.
static const crContact* findContact(const crContact* contacts, const crTouchingPair* pair, int touch)
{
  for (int i = 0; pair != NULL && i < pair->contactCount; ++i) {
    if (contacts[pair->contactStart + i].touch == touch) {
      return &contacts[pair->contactStart + i];
    }
  }
  return NULL;
}

// Any contact of a pair that is a crossing.
static const crContact* findCrossing(const crContacts* contacts, const crContact* items, const crTouchingPair* pair)
{
  const crContactShape* shapes = contacts->model->contactShapes;
  for (int i = 0; pair != NULL && i < pair->contactCount; ++i) {
    const crContact* contact = &items[pair->contactStart + i];
    if (crIsCrossing(shapes[pair->shapeA].shape, shapes[pair->shapeB].shape, contact->touch)) {
      return contact;
    }
  }
  return NULL;
}

// When the distance was 0: on the way, at the speed of the event, but not before the last event, at which it was no
// contact. What touches at the start begins there.
static double findBeginning(double t, double lastEvent, const crContactMotion* motion)
{
  if (isnan(lastEvent) || !(motion->rate > 0.0)) {
    return t;
  }
  return fmin(t, fmax(lastEvent, t - motion->depth / motion->rate));
}

crTouchGeometry crFindTouchGeometry(const crModel* model, crBoxPair pair, const crPose* X_WA, const crPose* X_WB,
                                    int touch)
{
  const crContactShape *a = &model->contactShapes[pair.a], *b = &model->contactShapes[pair.b];
  crTouchGeometry geometry = crComputeTouchGeometry(a->shape, X_WA, b->shape, X_WB, touch);
  crOverrideRadii(&geometry, a->contactRadius, b->contactRadius);
  return geometry;
}

static crContact beginContact(const crInstance* instance, crContacts* contacts, const crTouchingPair* pair, int touch,
                              double t)
{
  crContactMotion motion =
      crFindContactMotion(instance, contacts, pair->shapeA, pair->shapeB, &contacts->touches[touch]);
  crBoxPair shapes = { pair->shapeA, pair->shapeB };
  crTouchGeometry geometry = crFindTouchGeometry(contacts->model, shapes, &contacts->poses[pair->shapeA],
                                                 &contacts->poses[pair->shapeB], touch);
  crContact contact = { .touch = touch,
                        .memory = crFreezeContact(pair->law, &geometry, motion.rate),
                        .begin = findBeginning(t, contacts->lastEvent, &motion),
                        .approach = fmax(0.0, motion.rate),
                        .maxDepth = motion.depth,
                        .now = contacts->touches[touch],
                        .motion = motion };
  return contact;
}

static crContactEvent* pushEvent(crContacts* contacts, const crTouchingPair* pair, const crContact* contact)
{
  crContactEvent* event = crArray_Push(&contacts->events, &contacts->allocator);
  if (event != NULL) {
    *event = (crContactEvent){ .time = contact->begin,
                               .shapeA = pair->shapeA,
                               .shapeB = pair->shapeB,
                               .objectA = contacts->model->contactShapes[pair->shapeA].object,
                               .objectB = contacts->model->contactShapes[pair->shapeB].object,
                               .feature = contact->touch,
                               .point = contact->now.point,
                               .normal = contact->now.normal,
                               .slip = crLength(contact->motion.slip),
                               .begin = contact->begin,
                               .approach = contact->approach,
                               .restitution = NAN,
                               .cor = contact->memory.cor,
                               .damping = contact->memory.damping,
                               .radius = contact->memory.radius,
                               .maxDepth = contact->maxDepth,
                               .maxForce = contact->maxForce,
                               .impulse = contact->impulse,
                               .dissipation = contact->dissipation };
  }
  return event;
}

static bool recordBegin(crContacts* contacts, const crTouchingPair* pair, const crContact* contact)
{
  crContactEvent* event = pushEvent(contacts, pair, contact);
  if (event != NULL) {
    event->begins = true;
    event->speed = contact->motion.rate + 0.0; // no -0
  }
  return event != NULL;
}

// The contact as it is at the end, whose shapes are placed.
static bool recordEnd(const crInstance* instance, crContacts* contacts, const crTouchingPair* pair, crContact contact,
                      double t)
{
  computeTouches(contacts, pair->shapeA, pair->shapeB, NULL);
  contact.now = contacts->touches[contact.touch];
  contact.motion = crFindContactMotion(instance, contacts, pair->shapeA, pair->shapeB, &contact.now);
  crContactEvent* event = pushEvent(contacts, pair, &contact);
  if (event != NULL) {
    event->time = t;
    event->speed = -contact.motion.rate;
    event->restitution = event->approach > 0.0 ? event->speed / event->approach : NAN;
  }
  return event != NULL;
}

// A contact that begins now. Crossings share what was frozen for the first of them: they change places, and the force
// would jump if each had its own.
static crContact makeContact(const crInstance* instance, crContacts* contacts, const crTouchingPair* pair,
                             const crTouchingPair* before, int touch, double t)
{
  const crContactShape* shapes = contacts->model->contactShapes;
  crContact contact = beginContact(instance, contacts, pair, touch, t);
  if (crIsCrossing(shapes[pair->shapeA].shape, shapes[pair->shapeB].shape, touch)) {
    const crContact* other = findCrossing(contacts, contacts->contacts.items, before);
    other = other != NULL ? other : findCrossing(contacts, contacts->nextContacts.items, pair);
    contact.memory = other != NULL ? other->memory : contact.memory;
  }
  return contact;
}

// One near pair: which of its touches are contacts from now on.
static bool resolvePair(const crInstance* instance, crContacts* contacts, crBoxPair near, double t)
{
  const crContactShape* shapes = contacts->model->contactShapes;
  crTouchingPair pair = { .shapeA = near.a, .shapeB = near.b, .law = findLaw(contacts, near.a, near.b) };
  pair.touchCount = crCountTouches(shapes[near.a].shape, shapes[near.b].shape);
  pair.contactStart = contacts->nextContacts.count;
  const crTouchingPair* before = crContacts_FindPair(contacts, near);
  double epsilon = crContacts_GetHysteresis(contacts, near.a, near.b, pair.law);
  computeTouches(contacts, near.a, near.b, &pair.cache);
  for (int i = 0; i < pair.touchCount; ++i) {
    if (contacts->touches[i].distance < -epsilon) {
      const crContact* old = findContact(contacts->contacts.items, before, i);
      crContact next = old != NULL ? *old : makeContact(instance, contacts, &pair, before, i, t);
      crContact* place = crArray_Push(&contacts->nextContacts, &contacts->allocator);
      if (place == NULL || (old == NULL && !recordBegin(contacts, &pair, &next))) {
        return false;
      }
      *place = next;
      ++pair.contactCount;
    }
  }
  crTouchingPair* place = pair.contactCount > 0 ? crArray_Push(&contacts->nextPairs, &contacts->allocator) : &pair;
  if (place == NULL) {
    return false;
  }
  *place = pair;
  return true;
}

static bool recordEnds(const crInstance* instance, crContacts* contacts, double t)
{
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crTouchingPair* after =
        findPair(contacts->nextPairs.items, contacts->nextPairs.count, pair->shapeA, pair->shapeB);
    for (int i = pair->contactStart; i < pair->contactStart + pair->contactCount; ++i) {
      const crContact* contact = &contacts->contacts.items[i];
      bool isOver = findContact(contacts->nextContacts.items, after, contact->touch) == NULL;
      if (isOver && !recordEnd(instance, contacts, pair, *contact, t)) {
        return false;
      }
    }
  }
  return true;
}

#define swapArrays(a, b)                                                                                               \
  do {                                                                                                                 \
    char swap[sizeof *(a)];                                                                                            \
    memcpy(swap, (a), sizeof *(a));                                                                                    \
    memcpy((a), (b), sizeof *(a));                                                                                     \
    memcpy((b), swap, sizeof *(a));                                                                                    \
  } while (0)

// Moving shapes of the touching pairs, each once.
static bool listActiveShapes(crContacts* contacts)
{
  for (int k = 0; k < contacts->pairs.count; ++k) {
    contacts->facts[contacts->pairs.items[k].shapeA].isActive = true;
    contacts->facts[contacts->pairs.items[k].shapeB].isActive = true;
  }
  bool hasMemory = true;
  contacts->activeShapes.count = 0;
  for (int k = 0; k < contacts->memberCount; ++k) {
    int shape = contacts->members[k];
    int* place = contacts->facts[shape].isActive ? crArray_Push(&contacts->activeShapes, &contacts->allocator) : &shape;
    hasMemory = hasMemory && place != NULL;
    if (place != NULL) {
      *place = shape;
    }
    contacts->facts[shape].isActive = false;
  }
  return hasMemory;
}

// ----------------------------------------------------------------------------------------------- links

static bool pushLink(crContacts* contacts, int tree, int other)
{
  crTreeLink* link = crArray_Push(&contacts->links, &contacts->allocator);
  if (link != NULL) {
    *link = (crTreeLink){ tree, other };
  }
  return link != NULL;
}

static int compareLinks(const void* a, const void* b)
{
  const crTreeLink *x = a, *y = b;
  return comparePairs(x->tree, x->other, y->tree, y->other);
}

// Trees that the contacts couple; the same two may be listed several times.
static bool listLinks(crContacts* contacts)
{
  bool hasMemory = true;
  contacts->links.count = 0;
  for (int k = 0; k < contacts->pairs.count && hasMemory; ++k) {
    int a = contacts->facts[contacts->pairs.items[k].shapeA].tree;
    int b = contacts->facts[contacts->pairs.items[k].shapeB].tree;
    if (a >= 0 && b >= 0 && a != b) {
      hasMemory = pushLink(contacts, a, b) && pushLink(contacts, b, a);
    }
  }
  if (contacts->links.count > 1) {
    qsort(contacts->links.items, (size_t)contacts->links.count, sizeof *contacts->links.items, compareLinks);
  }
  return hasMemory;
}

// The first link that is not before (tree, other).
static int findLink(const crContacts* contacts, int tree, int other)
{
  int low = 0, high = contacts->links.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    const crTreeLink* link = &contacts->links.items[middle];
    bool isBefore = comparePairs(link->tree, link->other, tree, other) < 0;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low;
}

bool crContacts_HasLinks(const crContacts* contacts, int tree)
{
  int i = findLink(contacts, tree, -1);
  return i < contacts->links.count && contacts->links.items[i].tree == tree;
}

bool crContacts_AreLinked(const crContacts* contacts, int tree, int other)
{
  int i = findLink(contacts, tree, other);
  return i < contacts->links.count && contacts->links.items[i].tree == tree && contacts->links.items[i].other == other;
}

crStatus crInstance_ResolveContacts(crInstance* instance, crTreeSet set)
{
  crContacts* contacts = set.contacts;
  if (contacts == NULL) {
    return cr_errorMisuse;
  }
  contacts->events.count = contacts->nextPairs.count = contacts->nextContacts.count = 0;
  crStatus status = crInstance_Eval(instance, set, cr_stageVelocity);
  const crBoxPair* near = NULL;
  int nearCount = 0;
  if (status == cr_ok) {
    status = crFindNearPairs(instance, contacts, &near, &nearCount);
  }
  if (status != cr_ok) {
    return status;
  }
  double t = set.treeCount > 0 ? instance->times[set.trees[0]] : instance->times[0];
  for (int i = 0; i < nearCount; ++i) {
    if (!resolvePair(instance, contacts, near[i], t)) {
      return cr_errorMemory;
    }
  }
  if (!recordEnds(instance, contacts, t)) {
    return cr_errorMemory;
  }
  contacts->lastEvent = t;
  swapArrays(&contacts->pairs, &contacts->nextPairs);
  swapArrays(&contacts->contacts, &contacts->nextContacts);
  for (int k = 0; k < set.treeCount && contacts->events.count > 0; ++k) {
    instance->stages[set.trees[k]] = cr_stageVelocity;
  }
  return listActiveShapes(contacts) && listLinks(contacts) ? cr_ok : cr_errorMemory;
}

const crContactEvent* crContacts_GetEvents(const crContacts* contacts, int* outCount)
{
  *outCount = contacts->events.count;
  return contacts->events.items;
}

void crContacts_CompleteStep(crContacts* contacts, double h)
{
  for (int i = 0; i < contacts->contacts.count; ++i) {
    crContact* contact = &contacts->contacts.items[i];
    double force = contact->force.normalForce, power = contact->force.dissipation;
    contact->maxDepth = fmax(contact->maxDepth, contact->motion.depth);
    contact->maxForce = fmax(contact->maxForce, force);
    contact->impulse += 0.5 * h * (contact->lastForce + force);
    contact->dissipation += 0.5 * h * (contact->lastPower + power);
    contact->lastForce = force;
    contact->lastPower = power;
  }
}
