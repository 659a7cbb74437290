// The memory of contacts of a set: their making, and what happens to them when sets become one or part.
//
// Contacts are kept in the order of the pairs, which are sorted by their shapes. Lists that follow from
// the pairs, shapes that touch and trees that are linked, are made anew whenever the pairs change.
#include "base/sort.h"
#include "contact/area_contact.h"
#include "contact/contact_group.h"
#include "contact/linear_contact.h"

#include <stdlib.h>
#include <string.h>

#define CR_SPARE_SHARE 16 // of the contacts that a set needs room for: more of them

// ---------------------------------------------------------------------------------------------- making

bool crContacts_CanMeet(const void* context, int a, int b)
{
  const crContacts* contacts = context;
  const bool* isMember = contacts->isMember;
  return (isMember == NULL || (isMember[a] && isMember[b])) && crModel_CanMeet(contacts->model, a, b);
}

static crContacts* allocateContacts(crShapeTable* table, const crAllocator* allocator)
{
  crContacts* contacts = crAllocateZero(allocator, 1, sizeof *contacts);
  if (contacts != NULL) {
    contacts->allocator = *allocator;
    contacts->table = table;
    contacts->model = table->model;
    contacts->shapeCount = table->shapeCount;
    contacts->facts = table->facts;
    contacts->poses = table->poses;
    contacts->margin = table->margin;
    contacts->gravity = table->gravity;
    contacts->isListed = true;
    contacts->lastEvent = NAN;
  }
  return contacts;
}

crStatus crCreateSharedContacts(crShapeTable* table, const crAllocator* allocator, crContacts** outContacts)
{
  crAllocator chosen = crChooseAllocator(allocator);
  *outContacts = allocateContacts(table, &chosen);
  return *outContacts != NULL ? cr_ok : cr_errorMemory;
}

// Shapes of the world and of the trees of the set.
static void listMembers(crContacts* contacts, crTreeSet set)
{
  const crModel* model = contacts->model;
  for (int i = 0; i < model->bodyShapes[1]; ++i) {
    contacts->isMember[i] = true;
  }
  for (int k = 0; k < set.treeCount; ++k) {
    const crTree* tree = &model->trees[set.trees[k]];
    int end = model->bodyShapes[tree->bodyStart + tree->bodyCount];
    for (int i = model->bodyShapes[tree->bodyStart]; i < end; ++i) {
      contacts->isMember[i] = true;
      contacts->members[contacts->memberCount++] = i;
    }
  }
}

static crStatus placeFixedShapes(crContacts* contacts)
{
  crStatus status = cr_ok;
  for (int i = 0; i < contacts->model->bodyShapes[1] && status == cr_ok; ++i) {
    const crModel* model = contacts->model;
    crAabb box = crShape_ComputeAabb(&model->shapes[i], model->contactShapes[i].X_BS);
    status = crBroadPhase_SetBox(contacts->broadPhase, i, box);
  }
  return status;
}

static crStatus makeBroadPhase(crContacts* contacts)
{
  size_t count = (size_t)contacts->shapeCount + 1;
  int* owners = crAllocateZero(&contacts->allocator, count, sizeof *owners);
  if (owners == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < contacts->shapeCount; ++i) {
    owners[i] = contacts->model->contactShapes[i].body;
  }
  crPairFilter filter = { crContacts_CanMeet, contacts };
  crStatus status = crCreateBroadPhase(contacts->shapeCount, owners, filter, contacts->margin, &contacts->allocator,
                                       &contacts->broadPhase);
  crFree(&contacts->allocator, owners, count * sizeof *owners);
  return status == cr_ok ? placeFixedShapes(contacts) : status;
}

crStatus crContacts_ProvideBroadPhase(crContacts* contacts)
{
  return contacts->broadPhase != NULL ? cr_ok : makeBroadPhase(contacts);
}

void crContacts_DropBroadPhase(crContacts* contacts)
{
  crDestroyBroadPhase(contacts->broadPhase);
  contacts->broadPhase = NULL;
}

static crStatus fillContacts(crContacts* contacts, crTreeSet set)
{
  size_t count = (size_t)contacts->shapeCount + 1;
  contacts->isMember = crAllocateZero(&contacts->allocator, count, sizeof *contacts->isMember);
  contacts->members = crAllocateZero(&contacts->allocator, count, sizeof *contacts->members);
  if (contacts->isMember == NULL || contacts->members == NULL) {
    return cr_errorMemory;
  }
  listMembers(contacts, set);
  contacts->margin = crShapeTable_ChooseMargin(contacts->table, contacts->isMember);
  return makeBroadPhase(contacts);
}

crStatus crCreateContacts(const crModel* model, crTreeSet set, const crAllocator* allocator, crContacts** outContacts)
{
  if (outContacts == NULL || model == NULL || !crIsTreeSet(model, set)) {
    return cr_errorMisuse;
  }
  *outContacts = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crShapeTable* table = NULL;
  crStatus status = crCreateShapeTable(model, &chosen, &table);
  crContacts* contacts = status == cr_ok ? allocateContacts(table, &chosen) : NULL;
  if (contacts == NULL) {
    crDestroyShapeTable(table);
    return cr_errorMemory;
  }
  contacts->ownsTable = true;
  status = fillContacts(contacts, set);
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
  crArray_Free(&contacts->latePairs, &allocator);
  crArray_Free(&contacts->lateContacts, &allocator);
  crArray_Free(&contacts->nextPairs, &allocator);
  crArray_Free(&contacts->nextContacts, &allocator);
  crArray_Free(&contacts->events, &allocator);
  crArray_Free(&contacts->links, &allocator);
  crArray_Free(&contacts->carriers, &allocator);
  crArray_Free(&contacts->places, &allocator);
  crArray_Free(&contacts->partners, &allocator);
  crArray_Free(&contacts->seats, &allocator);
  crArray_Free(&contacts->parts, &allocator);
  crArray_Free(&contacts->lines, &allocator);
  crArray_Free(&contacts->bristles, &allocator);
  crArray_Free(&contacts->owners, &allocator);
  crFree(&allocator, contacts->members, count * sizeof *contacts->members);
  crFree(&allocator, contacts->isMember, count * sizeof *contacts->isMember);
  if (contacts->ownsTable) {
    crDestroyShapeTable(contacts->table);
  }
  crFree(&allocator, contacts, sizeof *contacts);
}

void crContacts_Clear(crContacts* contacts)
{
  contacts->lastEvent = NAN;
  contacts->isListed = true;
  contacts->hasSurfaces = contacts->hasGroups = contacts->isCrowd = false;
  contacts->bristleCount = 0;
  contacts->released = contacts->fading = 0.0;
  contacts->pairs.count = contacts->contacts.count = contacts->activeShapes.count = 0;
  contacts->latePairs.count = contacts->lateContacts.count = 0;
  contacts->nextPairs.count = contacts->nextContacts.count = contacts->events.count = contacts->links.count = 0;
  contacts->carriers.count = 0;
}

// Makes a growing array hold `count` items of another one.
#define copyArray(to, from, allocator)                                                                                 \
  (crReserve((allocator), &(to)->items, &(to)->capacity, (from)->count, sizeof *(to)->items) &&                        \
   (((to)->count = (from)->count) == 0 ||                                                                              \
    memcpy((to)->items, (from)->items, (size_t)(from)->count * sizeof *(to)->items) != NULL))

crStatus crContacts_CopyPairs(const crContacts* from, crContacts* to)
{
  to->lastEvent = from->lastEvent;
  to->hasSurfaces = from->hasSurfaces;
  to->isCrowd = from->isCrowd;
  to->bristleCount = from->bristleCount;
  bool isDone = copyArray(&to->pairs, &from->pairs, &to->allocator) &&
                copyArray(&to->activeShapes, &from->activeShapes, &to->allocator) &&
                copyArray(&to->links, &from->links, &to->allocator) &&
                copyArray(&to->carriers, &from->carriers, &to->allocator) &&
                crContacts_ReserveLists(to, to->pairs.count);
  to->isListed = from->isListed;
  return isDone ? cr_ok : cr_errorMemory;
}

// Without memory the copy is empty: what it was before is gone.
crStatus crCopyContacts(const crContacts* from, crContacts* to)
{
  if (from == NULL || to == NULL || from->model != to->model || from->memberCount != to->memberCount) {
    return cr_errorMisuse;
  }
  bool hasMemory = copyArray(&to->contacts, &from->contacts, &to->allocator);
  crStatus status = hasMemory ? crContacts_CopyPairs(from, to) : cr_errorMemory;
  if (status == cr_ok) {
    crContacts_ListGroups(to);
  } else {
    crContacts_Clear(to);
  }
  return status;
}

// ----------------------------------------------------------------------------------- shapes and links

// Ascending, each once. Keys of few pairs mostly come in order.
static int sortOnce(uint64_t* keys, int count)
{
  bool isSorted = true;
  for (int i = 1; i < count; ++i) {
    isSorted = isSorted && keys[i - 1] <= keys[i];
  }
  if (!isSorted) {
    crSortKeys(keys, count);
  }
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (kept == 0 || keys[i] != keys[kept - 1]) {
      keys[kept++] = keys[i];
    }
  }
  return kept;
}

static uint64_t makeLink(int tree, int other)
{
  return (uint64_t)(uint32_t)tree << 32 | (uint32_t)other;
}

bool crContacts_ReserveLists(crContacts* contacts, int pairCount)
{
  int most = 2 * pairCount;
  return crMakeRoom(&contacts->links, most, &contacts->allocator) &&
         crMakeRoom(&contacts->places, most, &contacts->allocator) &&
         (!contacts->table->hasCarriers || crMakeRoom(&contacts->carriers, most, &contacts->allocator)) &&
         (!contacts->table->hasCompounds || (crMakeRoom(&contacts->partners, pairCount, &contacts->allocator) &&
                                             crMakeRoom(&contacts->seats, pairCount, &contacts->allocator) &&
                                             crMakeRoom(&contacts->parts, pairCount, &contacts->allocator))) &&
         (!contacts->table->hasOthers || crMakeRoom(&contacts->lines, pairCount, &contacts->allocator)) &&
         crMakeRoom(&contacts->activeShapes, most, &contacts->allocator);
}

// Moving shapes of the touching pairs; sorted where the links will be.
static void listActiveShapes(crContacts* contacts)
{
  uint64_t* keys = contacts->links.items;
  int count = 0;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    keys[count] = (uint64_t)pair->shapeA;
    count += contacts->facts[pair->shapeA].tree >= 0;
    keys[count] = (uint64_t)pair->shapeB;
    count += contacts->facts[pair->shapeB].tree >= 0;
  }
  contacts->activeShapes.count = sortOnce(keys, count);
  for (int i = 0; i < contacts->activeShapes.count; ++i) {
    contacts->activeShapes.items[i] = (int)keys[i];
  }
}

static void findSurfaces(crContacts* contacts)
{
  contacts->hasSurfaces = false;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    contacts->hasSurfaces |= contacts->facts[pair->shapeA].hasSurfaceVelocity;
    contacts->hasSurfaces |= contacts->facts[pair->shapeB].hasSurfaceVelocity;
  }
}

// Trees of active shapes, which ascend with their bodies and trees.
static void listCarriers(crContacts* contacts)
{
  int count = 0, last = -1;
  for (int i = 0; contacts->table->hasCarriers && i < contacts->activeShapes.count; ++i) {
    const crShapeFacts* facts = &contacts->facts[contacts->activeShapes.items[i]];
    if (facts->stateTree < 0 && facts->tree != last) {
      last = contacts->carriers.items[count++] = facts->tree;
    }
  }
  contacts->carriers.count = count;
}

static void listLinks(crContacts* contacts)
{
  uint64_t* links = contacts->links.items;
  int count = 0;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    int a = contacts->facts[contacts->pairs.items[k].shapeA].stateTree;
    int b = contacts->facts[contacts->pairs.items[k].shapeB].stateTree;
    if (a >= 0 && b >= 0 && a != b) {
      links[count++] = makeLink(a, b);
      links[count++] = makeLink(b, a);
    }
  }
  contacts->links.count = sortOnce(links, count);
}

void crContacts_ListAgain(crContacts* contacts)
{
  listActiveShapes(contacts);
  listCarriers(contacts);
  listLinks(contacts);
  findSurfaces(contacts);
  crContacts_ListGroups(contacts);
  contacts->isListed = true;
}

// The first link that is not before this one.
static int findLink(const crContacts* contacts, uint64_t link)
{
  int low = 0, high = contacts->links.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    bool isBefore = contacts->links.items[middle] < link;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low;
}

int crContacts_FindLinks(const crContacts* contacts, int tree, const uint64_t** outLinks)
{
  int low = findLink(contacts, makeLink(tree, 0)), end;
  for (end = low; end < contacts->links.count && contacts->links.items[end] >> 32 == (uint32_t)tree;) {
    ++end;
  }
  *outLinks = end > low ? contacts->links.items + low : NULL;
  return end - low;
}

crTreeLinks crContacts_GetLinks(const crContacts* contacts, int tree)
{
  crTreeLinks links;
  links.count = crContacts_FindLinks(contacts, tree, &links.links);
  links.places = links.count > 0 ? contacts->places.items + (links.links - contacts->links.items) : NULL;
  return links;
}

// Every link has its opposite, whose place is that of the tree it starts from.
void crContacts_PlaceLinks(crContacts* contacts, crTreeSet set)
{
  int row = 0;
  for (int i = 0; i < contacts->links.count; ++i) {
    contacts->places.items[i] = -1;
  }
  for (int k = 0; k < set.treeCount && contacts->links.count > 0; ++k) {
    const uint64_t* links;
    int count = crContacts_FindLinks(contacts, set.trees[k], &links);
    for (int i = 0; i < count; ++i) {
      contacts->places.items[findLink(contacts, makeLink((int)(uint32_t)links[i], set.trees[k]))] = row;
    }
    row += crTreeStateCount(&contacts->model->trees[set.trees[k]]);
  }
}

// ------------------------------------------------------------------------------------ becoming one, parting

#define swapArrays(a, b)                                                                                               \
  do {                                                                                                                 \
    char swap[sizeof *(a)];                                                                                            \
    memcpy(swap, (a), sizeof *(a));                                                                                    \
    memcpy((a), (b), sizeof *(a));                                                                                     \
    memcpy((b), swap, sizeof *(a));                                                                                    \
  } while (0)

void crContacts_TakeNext(crContacts* contacts)
{
  swapArrays(&contacts->pairs, &contacts->nextPairs);
  swapArrays(&contacts->contacts, &contacts->nextContacts);
  contacts->nextPairs.count = contacts->nextContacts.count = 0;
}

// A contact has 904 bytes, so those that stay change places where they are: first they move up, then apart.
bool crContacts_SeatNext(crContacts* contacts)
{
  int count = contacts->nextPairs.count, kept = 0;
  const crTouchingPair* next = contacts->nextPairs.items;
  if (!crMakeRoom(&contacts->contacts, count, &contacts->allocator)) {
    return false;
  }
  crContact* items = contacts->contacts.items;
  for (int k = 0; k < count; ++k) {
    if (next[k].place > kept) {
      items[kept] = items[next[k].place];
    }
    if (next[k].place >= 0) {
      items[kept++].isNew = false;
    }
  }
  for (int k = count - 1; k >= kept; --k) {
    items[k] = next[k].place >= 0 ? items[--kept] : contacts->nextContacts.items[-1 - next[k].place];
  }
  swapArrays(&contacts->pairs, &contacts->nextPairs);
  contacts->contacts.count = count;
  contacts->nextPairs.count = contacts->nextContacts.count = 0;
  return true;
}

// From behind, so that each is moved once.
crStatus crContacts_Absorb(crContacts* to, crContacts* from)
{
  int i = to->pairs.count - 1, k = from->pairs.count - 1, place = i + k + 1, count = place + 1;
  if (!crMakeRoom(&to->pairs, count, &to->allocator) || !crMakeRoom(&to->contacts, count, &to->allocator) ||
      !crContacts_ReserveLists(to, count)) {
    return cr_errorMemory;
  }
  to->lastEvent = fmax(to->lastEvent, from->lastEvent); // NaN, never, counts as before all
  for (; k >= 0; --place) {
    const crTouchingPair *a = i >= 0 ? &to->pairs.items[i] : NULL, *b = &from->pairs.items[k];
    bool isOwn = a != NULL && crComparePairs(a->shapeA, a->shapeB, b->shapeA, b->shapeB) > 0;
    to->pairs.items[place] = isOwn ? *a : *b;
    to->contacts.items[place] = isOwn ? to->contacts.items[i] : from->contacts.items[k];
    i -= isOwn;
    k -= !isOwn;
  }
  to->pairs.count = to->contacts.count = count;
  crContacts_ListAgain(to);
  crContacts_Clear(from);
  return cr_ok;
}

// A pair and its contact behind the others. false: out of memory, and there is neither.
static bool pushPair(crContacts* contacts, const crTouchingPair* pair, const crContact* contact)
{
  if (!crMakeRoom(&contacts->pairs, contacts->pairs.count + 1, &contacts->allocator) ||
      !crMakeRoom(&contacts->contacts, contacts->contacts.count + 1, &contacts->allocator)) {
    return false;
  }
  contacts->pairs.items[contacts->pairs.count++] = *pair;
  contacts->contacts.items[contacts->contacts.count++] = *contact;
  contacts->isListed = false;
  return true;
}

// What is there is not worth a copy, and the next time there are hardly more.
bool crContacts_ReserveAll(crContacts* contacts, int count)
{
  const crAllocator* allocator = &contacts->allocator;
  if (count <= contacts->contacts.capacity && count <= contacts->pairs.capacity) {
    return true;
  }
  crArray_Free(&contacts->pairs, allocator);
  crArray_Free(&contacts->contacts, allocator);
  count += count / CR_SPARE_SHARE;
  return crReserve(allocator, &contacts->pairs.items, &contacts->pairs.capacity, count,
                   sizeof *contacts->pairs.items) &&
         crReserve(allocator, &contacts->contacts.items, &contacts->contacts.capacity, count,
                   sizeof *contacts->contacts.items);
}

crStatus crContacts_AddPair(const crContacts* from, const crTouchingPair* pair, crContacts* to)
{
  if (!pushPair(to, pair, crContacts_GetOf(from, pair))) {
    return cr_errorMemory;
  }
  to->lastEvent = fmax(to->lastEvent, from->lastEvent);
  return cr_ok;
}

// The pair of two shapes of the set with its law; false: they cannot meet.
bool crContacts_MakePair(const crContacts* contacts, crBoxPair shapes, crTouchingPair* outPair)
{
  const crModel* model = contacts->model;
  const crContactShape *a = &model->contactShapes[shapes.a], *b = &model->contactShapes[shapes.b];
  bool canMeet = shapes.a < shapes.b && a->body != b->body && crContacts_CanMeet(contacts, shapes.a, shapes.b);
  *outPair = (crTouchingPair){ .shapeA = shapes.a, .shapeB = shapes.b };
  outPair->law = canMeet ? crModel_GetContactLaw(model, a->material, b->material) : NULL;
  if (outPair->law == NULL) {
    return false;
  }
  outPair->path = crChooseTouchPath(outPair->law, &model->shapes[shapes.a], &model->shapes[shapes.b]);
  return true;
}

crStatus crContacts_AddContact(crContacts* contacts, crBoxPair shapes, const crContact* contact)
{
  crTouchingPair pair;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* other = &contacts->pairs.items[k];
    if (other->shapeA == shapes.a && other->shapeB == shapes.b) {
      return cr_errorMisuse;
    }
  }
  if (!crContacts_MakePair(contacts, shapes, &pair)) {
    return cr_errorMisuse;
  }
  return pushPair(contacts, &pair, contact) ? cr_ok : cr_errorMemory;
}

static int compareTouchingPairs(const void* a, const void* b)
{
  const crTouchingPair *x = a, *y = b;
  return crComparePairs(x->shapeA, x->shapeB, y->shapeA, y->shapeB);
}

static bool arePairsSorted(const crContacts* contacts)
{
  const crTouchingPair* items = contacts->pairs.items;
  bool areSorted = true;
  for (int k = 1; k < contacts->pairs.count && areSorted; ++k) {
    areSorted = crComparePairs(items[k - 1].shapeA, items[k - 1].shapeB, items[k].shapeA, items[k].shapeB) < 0;
  }
  return areSorted;
}

// Contacts go to the places of their pairs, each once, along the circles in which they take each other's place.
static void followPairs(crContacts* contacts)
{
  crTouchingPair* pairs = contacts->pairs.items;
  crContact* items = contacts->contacts.items;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    if (pairs[k].place == k) {
      continue;
    }
    crContact first = items[k];
    int free = k;
    for (int from = pairs[k].place; from != k; from = pairs[free].place) {
      items[free] = items[from];
      pairs[free].place = free;
      free = from;
    }
    items[free] = first;
    pairs[free].place = free;
  }
}

crStatus crContacts_SortPairs(crContacts* contacts)
{
  int count = contacts->pairs.count;
  bool areSorted = arePairsSorted(contacts); // as parts of what was sorted are
  if (areSorted && contacts->isListed) {
    return cr_ok;
  }
  if (!crContacts_ReserveLists(contacts, count)) {
    return cr_errorMemory;
  }
  for (int k = 0; k < count && !areSorted; ++k) {
    contacts->pairs.items[k].place = k;
  }
  if (!areSorted) {
    qsort(contacts->pairs.items, (size_t)count, sizeof *contacts->pairs.items, compareTouchingPairs);
    followPairs(contacts);
  }
  crContacts_ListAgain(contacts);
  return cr_ok;
}
