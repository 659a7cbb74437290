// Contacts of large sets, in which something begins or ends all the time: to stop at each event would cost more than
// all else. What will touch within a step is prepared at its start, with what an event would freeze; the force is zero
// while the two are apart, so the right-hand side stays continuous and error control sees to the rest. At the end of
// the step it is noted what has begun and what is over.
#include "contact/contact_group.h"

#include <string.h>

#define CR_MOST_LATE 64  // contacts that go to their places then,
#define CR_LATE_SHARE 64 // or as many as this part of all

static crContact prepareContact(const crContacts* contacts, const crTouchingPair* pair, const crContactStart* start)
{
  bool isArea = pair->path == cr_touchArea;
  crContact contact = { .memory = crFreezeContact(pair->law, isArea, &start->geometry, start->rate),
                        .begin = start->time,
                        .approach = fmax(0.0, start->rate) };
  const crContact* elder = contacts->table->hasCompounds ? crContacts_FindElder(contacts, pair, &start->touch) : NULL;
  contact.memory = elder != NULL ? elder->memory : contact.memory;
  contact.bristle = crContacts_StartBristle(contacts, pair, &contact.memory, &start->touch);
  return contact;
}

// One pair: what it has, or what starts, which counts.
static bool takePair(crContacts* contacts, const crTouchingPair* old, const crContactStart* start)
{
  const crShape* shapes = contacts->model->shapes;
  crTouchingPair* pair = crPushItem(&contacts->nextPairs, &contacts->allocator);
  crContact* contact = crPushItem(&contacts->nextContacts, &contacts->allocator);
  if (pair == NULL || contact == NULL) {
    return false;
  }
  if (old != NULL) {
    *pair = *old;
  } else {
    *pair = (crTouchingPair){ .shapeA = start->pair.a, .shapeB = start->pair.b };
    pair->law = crContacts_FindLaw(contacts, start->pair.a, start->pair.b);
    pair->path = crChooseTouchPath(pair->law, &shapes[pair->shapeA], &shapes[pair->shapeB]);
  }
  const crContact* before = old != NULL ? crContacts_GetOf(contacts, old) : NULL;
  *contact = start != NULL ? prepareContact(contacts, pair, start) : *before;
  if (start != NULL) {
    contact->place = -1;
  }
  if (start != NULL && before != NULL && before->bristle.count > 0) { // fades by itself, and goes on from there
    contact->bristle = before->bristle;
    contact->place = before->place;
  }
  return true;
}

crStatus crContacts_Prepare(crContacts* contacts, const crContactStart* starts, int count)
{
  int i = 0, k = 0;
  contacts->nextPairs.count = contacts->nextContacts.count = 0;
  while (i < contacts->pairs.count || k < count) {
    const crTouchingPair* old = i < contacts->pairs.count ? &contacts->pairs.items[i] : NULL;
    int order = old == NULL  ? 1
                : k == count ? -1
                             : crComparePairs(old->shapeA, old->shapeB, starts[k].pair.a, starts[k].pair.b);
    if (!takePair(contacts, order <= 0 ? old : NULL, order >= 0 ? &starts[k] : NULL)) {
      return cr_errorMemory;
    }
    i += order <= 0;
    k += order >= 0;
  }
  if (!crContacts_ReserveLists(contacts, contacts->nextPairs.count)) {
    return cr_errorMemory;
  }
  crContacts_TakeNext(contacts);
  crContacts_ListAgain(contacts);
  return cr_ok;
}

// Where a pair is, or would be, among the first of the set.
static int findPlace(const crContacts* contacts, int count, const crTouchingPair* pair)
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    const crTouchingPair* found = &contacts->pairs.items[middle];
    bool isBefore = crComparePairs(found->shapeA, found->shapeB, pair->shapeA, pair->shapeB) < 0;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low;
}

bool crContacts_FindSeat(const crContacts* contacts, crBoxPair pair, const crTouchingPair** outPair,
                         crContact** outContact)
{
  *outPair = crContacts_FindPair(contacts, pair);
  if (*outPair != NULL) {
    *outContact = crContacts_GetOf(contacts, *outPair);
  }
  for (int i = 0; i < contacts->latePairs.count && *outPair == NULL; ++i) {
    const crTouchingPair* late = &contacts->latePairs.items[i];
    if (late->shapeA == pair.a && late->shapeB == pair.b) {
      *outPair = late;
      *outContact = &contacts->lateContacts.items[i];
    }
  }
  return *outPair != NULL;
}

static crTouchingPair makePair(const crContacts* contacts, const crContactStart* start)
{
  const crShape* shapes = contacts->model->shapes;
  crTouchingPair pair = { .shapeA = start->pair.a,
                          .shapeB = start->pair.b,
                          .law = crContacts_FindLaw(contacts, start->pair.a, start->pair.b) };
  pair.path = crChooseTouchPath(pair.law, &shapes[pair.shapeA], &shapes[pair.shapeB]);
  return pair;
}

// There is room for all of them in their places, too, so that going there cannot fail.
static bool reserveLate(crContacts* contacts, int count)
{
  int late = contacts->latePairs.count + count, all = contacts->pairs.count + late;
  return crMakeRoom(&contacts->latePairs, late, &contacts->allocator) &&
         crMakeRoom(&contacts->lateContacts, late, &contacts->allocator) &&
         crMakeRoom(&contacts->pairs, all, &contacts->allocator) &&
         crMakeRoom(&contacts->contacts, all, &contacts->allocator) && crContacts_ReserveLists(contacts, all);
}

crStatus crContacts_Insert(crContacts* contacts, const crContactStart* starts, int count)
{
  if (!reserveLate(contacts, count)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < count; ++i) {
    const crTouchingPair* pair;
    crContact* contact;
    crTouchingPair own = makePair(contacts, &starts[i]);
    if (!crContacts_FindSeat(contacts, starts[i].pair, &pair, &contact)) {
      contacts->latePairs.items[contacts->latePairs.count++] = own;
      contact = &contacts->lateContacts.items[contacts->lateContacts.count++];
      contacts->isListed = false;
    }
    *contact = prepareContact(contacts, &own, &starts[i]);
    contact->place = -1;
  }
  int most = contacts->pairs.count / CR_LATE_SHARE;
  if (contacts->latePairs.count >= (most > CR_MOST_LATE ? most : CR_MOST_LATE)) {
    crContacts_SeatLate(contacts);
  }
  return cr_ok;
}

// The place of the last in the order of pairs of those that are late.
static int findLastLate(const crContacts* contacts)
{
  const crTouchingPair* items = contacts->latePairs.items;
  int last = 0;
  for (int i = 1; i < contacts->latePairs.count; ++i) {
    bool isBehind = crComparePairs(items[i].shapeA, items[i].shapeB, items[last].shapeA, items[last].shapeB) > 0;
    last = isBehind ? i : last;
  }
  return last;
}

// A contact has 904 bytes, so that those behind one that begins are moved seldom, and at once for many.
void crContacts_SeatLate(crContacts* contacts)
{
  int end = contacts->pairs.count, shift = contacts->latePairs.count;
  contacts->pairs.count += shift;
  contacts->contacts.count += shift;
  for (; shift > 0; --shift) { // from behind, so that each is moved once
    int last = findLastLate(contacts), rest = --contacts->latePairs.count;
    --contacts->lateContacts.count;
    int place = findPlace(contacts, end, &contacts->latePairs.items[last]);
    size_t behind = (size_t)(end - place);
    crTouchingPair* pair = &contacts->pairs.items[place];
    crContact* contact = &contacts->contacts.items[place];
    memmove(pair + shift, pair, behind * sizeof *pair);
    memmove(contact + shift, contact, behind * sizeof *contact);
    contacts->pairs.items[place + shift - 1] = contacts->latePairs.items[last];
    contacts->contacts.items[place + shift - 1] = contacts->lateContacts.items[last];
    contacts->latePairs.items[last] = contacts->latePairs.items[rest];
    contacts->lateContacts.items[last] = contacts->lateContacts.items[rest];
    end = place;
  }
}

static bool recordChange(crContacts* contacts, const crTouchingPair* pair, const crContact* contact, double t0,
                         double t1)
{
  crContactRecord* event = crContacts_PushEvent(contacts, pair, contact);
  if (event == NULL) {
    return false;
  }
  if (!contact->isTouching) {
    double t = contact->motion.rate < 0.0 ? t1 + contact->motion.depth / -contact->motion.rate : t1;
    crEndEvent(event, fmax(fmax(contact->begin, t0), t));
  }
  return true;
}

// What is over, or was prepared and did not come, does not go on when the two touch again: that is found anew, with
// another approach, once it is deep enough.
#define CR_OVER (-HUGE_VAL)

bool crContacts_NoteChange(crContacts* contacts, const crTouchingPair* pair, crContact* contact, bool isTouching,
                           double t0, double t1)
{
  contact->isTouching = isTouching;
  bool isGood = recordChange(contacts, pair, contact, t0, t1);
  contact->begin = isTouching ? contact->begin : CR_OVER;
  return isGood;
}

crStatus crContacts_Follow(crContacts* contacts, double t0, double t1)
{
  contacts->events.count = 0;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    bool isTouching = contact->now.distance < 0.0 && (contact->isTouching || contact->begin >= t0);
    if (isTouching != contact->isTouching &&
        !crContacts_NoteChange(contacts, &contacts->pairs.items[k], contact, isTouching, t0, t1)) {
      return cr_errorMemory;
    }
    contact->begin = isTouching ? contact->begin : CR_OVER;
  }
  return cr_ok;
}

void crContacts_DropApart(crContacts* contacts)
{
  int count = 0;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crContact* contact = &contacts->contacts.items[k];
    if (contact->now.distance < 0.0 && contact->begin > CR_OVER) {
      contacts->pairs.items[count] = contacts->pairs.items[k];
      contacts->contacts.items[count++] = *contact;
    } else {
      contacts->fading += crBristle_GetStored(&contact->bristle);
    }
  }
  if (count < contacts->contacts.count) {
    contacts->pairs.count = contacts->contacts.count = count;
    crContacts_ListAgain(contacts);
    crContacts_PlaceBristles(contacts, 0);
  }
}
