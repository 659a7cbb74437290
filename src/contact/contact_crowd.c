// Contacts of large sets, in which something begins or ends all the time: to stop at each event would cost more than
// all else. What will touch within a step is prepared at its start, with what an event would freeze; the force is zero
// while the two are apart, so the right-hand side stays continuous and error control sees to the rest. At the end of
// the step it is noted what has begun and what is over.
#include "contact/contact_group.h"

#include <string.h>

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
static int findPlace(const crContacts* contacts, int count, crBoxPair pair)
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    const crTouchingPair* found = &contacts->pairs.items[middle];
    bool isBefore = crComparePairs(found->shapeA, found->shapeB, pair.a, pair.b) < 0;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low;
}

static bool isAt(const crContacts* contacts, int count, int place, crBoxPair pair)
{
  const crTouchingPair* found = place < count ? &contacts->pairs.items[place] : NULL;
  return found != NULL && found->shapeA == pair.a && found->shapeB == pair.b;
}

// One that begins, where there is room for it.
static void seatContact(crContacts* contacts, int place, const crContactStart* start)
{
  const crShape* shapes = contacts->model->shapes;
  crTouchingPair* pair = &contacts->pairs.items[place];
  *pair = (crTouchingPair){ .shapeA = start->pair.a,
                            .shapeB = start->pair.b,
                            .law = crContacts_FindLaw(contacts, start->pair.a, start->pair.b) };
  pair->path = crChooseTouchPath(pair->law, &shapes[pair->shapeA], &shapes[pair->shapeB]);
  contacts->contacts.items[place] = prepareContact(contacts, pair, start);
  contacts->contacts.items[place].place = -1;
}

crStatus crContacts_Insert(crContacts* contacts, const crContactStart* starts, int count)
{
  int most = contacts->pairs.count + count;
  if (!crMakeRoom(&contacts->pairs, most, &contacts->allocator) ||
      !crMakeRoom(&contacts->contacts, most, &contacts->allocator) || !crContacts_ReserveLists(contacts, most)) {
    return cr_errorMemory;
  }
  int end = contacts->pairs.count, shift = 0;
  for (int i = 0; i < count; ++i) {
    shift += !isAt(contacts, end, findPlace(contacts, end, starts[i].pair), starts[i].pair);
  }
  contacts->pairs.count += shift;
  contacts->contacts.count += shift;
  contacts->isListed = contacts->isListed && shift == 0;
  for (int i = count - 1; i >= 0; --i) { // from behind, so that each is moved once
    int place = findPlace(contacts, end, starts[i].pair);
    bool isNew = !isAt(contacts, end, place, starts[i].pair);
    size_t behind = (size_t)(end - place);
    if (shift > 0 && behind > 0) {
      crTouchingPair* pair = &contacts->pairs.items[place];
      crContact* contact = &contacts->contacts.items[place];
      memmove(pair + shift, pair, behind * sizeof *pair);
      memmove(contact + shift, contact, behind * sizeof *contact);
    }
    shift -= isNew;
    seatContact(contacts, place + shift, &starts[i]);
    end = place;
  }
  return cr_ok;
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

bool crContacts_NoteChange(crContacts* contacts, int place, bool isTouching, double t0, double t1)
{
  crContact* contact = &contacts->contacts.items[place];
  contact->isTouching = isTouching;
  bool isGood = recordChange(contacts, &contacts->pairs.items[place], contact, t0, t1);
  contact->begin = isTouching ? contact->begin : CR_OVER;
  return isGood;
}

crStatus crContacts_Follow(crContacts* contacts, double t0, double t1)
{
  contacts->events.count = 0;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    bool isTouching = contact->now.distance < 0.0 && (contact->isTouching || contact->begin >= t0);
    if (isTouching != contact->isTouching && !crContacts_NoteChange(contacts, k, isTouching, t0, t1)) {
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
