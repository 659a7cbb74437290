// Contacts of large sets, in which something begins or ends all the time: to stop at each event would cost more than
// all else. What will touch within a step is prepared at its start, with what an event would freeze; the force is zero
// while the two are apart, so the right-hand side stays continuous and error control sees to the rest. At the end of
// the step it is noted what has begun and what is over.
#include "contact/contact.h"

#include <string.h>

static bool pushContact(crContacts* contacts, const crContact* contact)
{
  crContact* place = crPushItem(&contacts->nextContacts, &contacts->allocator);
  if (place != NULL) {
    *place = *contact;
  }
  return place != NULL;
}

static const crContactLaw* findLaw(const crContacts* contacts, crBoxPair pair)
{
  const crContactShape* shapes = contacts->model->contactShapes;
  return crModel_GetContactLaw(contacts->model, shapes[pair.a].material, shapes[pair.b].material);
}

// What is remembered of one crossing holds for all of the pair. NULL: none is known.
static const crContactMemory* findCrossing(const crContacts* contacts, crBoxPair pair, const crContact* items,
                                           int count)
{
  const crShape* shapes = contacts->model->shapes;
  for (int i = 0; i < count; ++i) {
    if (crIsCrossing(&shapes[pair.a], &shapes[pair.b], items[i].touch)) {
      return &items[i].memory;
    }
  }
  return NULL;
}

static crContact prepareContact(const crContacts* contacts, const crContactStart* start)
{
  return (crContact){ .touch = start->touch,
                      .memory = crFreezeContact(findLaw(contacts, start->pair), &start->geometry, start->rate),
                      .begin = start->time,
                      .approach = fmax(0.0, start->rate) };
}

// The contacts of one pair: those that it has, if any, and those that start.
static bool mergePair(crContacts* contacts, const crTouchingPair* old, const crContactStart* starts, int startCount)
{
  crTouchingPair pair = { .contactStart = contacts->nextContacts.count };
  if (old != NULL) {
    pair = *old;
    pair.contactStart = contacts->nextContacts.count;
    pair.contactCount = 0;
  } else {
    const crShape* shapes = contacts->model->shapes;
    pair.shapeA = starts->pair.a;
    pair.shapeB = starts->pair.b;
    pair.law = findLaw(contacts, starts->pair);
    pair.touchCount = crCountTouches(&shapes[pair.shapeA], &shapes[pair.shapeB]);
    pair.path = crChooseTouchPath(&shapes[pair.shapeA], &shapes[pair.shapeB]);
  }
  int i = 0, k = 0, oldCount = old != NULL ? old->contactCount : 0;
  const crContact* oldItems = old != NULL ? contacts->contacts.items + old->contactStart : NULL;
  while (i < oldCount || k < startCount) {
    const crContact* own = i < oldCount ? &oldItems[i] : NULL;
    bool takesOwn = k == startCount || (own != NULL && own->touch < starts[k].touch);
    crContact contact = takesOwn ? *own : prepareContact(contacts, &starts[k]);
    const crShape* shapes = contacts->model->shapes;
    if (!takesOwn && crIsCrossing(&shapes[pair.shapeA], &shapes[pair.shapeB], contact.touch)) {
      const crContact* next = contacts->nextContacts.items + pair.contactStart;
      const crContactMemory* known = findCrossing(contacts, starts->pair, next, pair.contactCount);
      known = known != NULL ? known : findCrossing(contacts, starts->pair, oldItems, oldCount);
      contact.memory = known != NULL ? *known : contact.memory;
    }
    i += takesOwn || (own != NULL && own->touch == starts[k].touch); // begins anew
    k += !takesOwn;
    if (!pushContact(contacts, &contact)) {
      return false;
    }
    ++pair.contactCount;
  }
  crTouchingPair* place = crPushItem(&contacts->nextPairs, &contacts->allocator);
  if (place != NULL) {
    *place = pair;
  }
  return place != NULL;
}

// How many of the starts, from the first on, are of one pair.
static int countOfPair(const crContactStart* starts, int count)
{
  int same = count > 0;
  while (same > 0 && same < count && starts[same].pair.a == starts->pair.a && starts[same].pair.b == starts->pair.b) {
    ++same;
  }
  return same;
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
    int startCount = order >= 0 ? countOfPair(starts + k, count - k) : 0;
    if (!mergePair(contacts, order <= 0 ? old : NULL, starts + k, startCount)) {
      return cr_errorMemory;
    }
    i += order <= 0;
    k += startCount;
  }
  if (!crContacts_ReserveLists(contacts, contacts->nextPairs.count)) {
    return cr_errorMemory;
  }
  crContacts_TakeNext(contacts);
  crContacts_ListAgain(contacts);
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

crStatus crContacts_Follow(crContacts* contacts, double t0, double t1)
{
  contacts->events.count = 0;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    for (int i = pair->contactStart; i < pair->contactStart + pair->contactCount; ++i) {
      crContact* contact = &contacts->contacts.items[i];
      bool isTouching = contact->now.distance < 0.0 && (contact->isTouching || contact->begin >= t0);
      bool isChanged = isTouching != contact->isTouching;
      contact->isTouching = isTouching;
      if (isChanged && !recordChange(contacts, pair, contact, t0, t1)) {
        return cr_errorMemory;
      }
      contact->begin = isTouching ? contact->begin : CR_OVER;
    }
  }
  return cr_ok;
}

void crContacts_DropApart(crContacts* contacts)
{
  int pairCount = 0, contactCount = 0;
  for (int k = 0; k < contacts->pairs.count; ++k) {
    crTouchingPair pair = contacts->pairs.items[k];
    int start = pair.contactStart, end = start + pair.contactCount;
    pair.contactStart = contactCount;
    for (int i = start; i < end; ++i) {
      const crContact* contact = &contacts->contacts.items[i];
      if (contact->now.distance < 0.0 && contact->begin > CR_OVER) {
        contacts->contacts.items[contactCount++] = *contact;
      }
    }
    pair.contactCount = contactCount - pair.contactStart;
    if (pair.contactCount > 0) {
      contacts->pairs.items[pairCount++] = pair;
    }
  }
  if (contactCount < contacts->contacts.count) {
    contacts->pairs.count = pairCount;
    contacts->contacts.count = contactCount;
    crContacts_ListAgain(contacts);
  }
}
