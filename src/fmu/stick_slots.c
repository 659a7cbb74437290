#include "fmu/stick_slots.h"

#include "model/model.h"

static bool sticks(const crModel* model)
{
  bool isAny = false;
  int count = crModel_CountContactMaterials(model);
  for (int a = 0; a < count && !isAny; ++a) {
    for (int b = a; b < count && !isAny; ++b) {
      const crContactLaw* law = crModel_GetContactLaw(model, a, b);
      isAny = law != NULL && law->sticks;
    }
  }
  return isAny;
}

static void add(crStickSlots* slots, const crTouchingPair* pair)
{
  bool isPatch = pair->path == cr_touchArea;
  int count = crCountBristles(pair->law, isPatch);
  if (count == 0) {
    return;
  }
  slots->isFull = slots->count == CR_MOST_STICK_SLOTS;
  if (!slots->isFull) {
    slots->items[slots->count++] = (crStickSlot){ .shapeA = pair->shapeA,
                                                  .shapeB = pair->shapeB,
                                                  .first = slots->stateCount,
                                                  .count = count,
                                                  .lengthCount = isPatch ? 3 : 2 };
    slots->stateCount += count;
  }
}

crStatus crFindStickSlots(const crModel* model, const crAllocator* allocator, crStickSlots* outSlots)
{
  *outSlots = (crStickSlots){ .count = 0 };
  crContacts* contacts = NULL;
  if (!sticks(model)) {
    return cr_ok;
  }
  crStatus status = crCreateContacts(model, crModel_GetAllTrees(model), allocator, &contacts);
  int count = status == cr_ok ? crModel_GetSize(model).shapeCount : 0;
  for (int a = 0; a < count && !outSlots->isFull; ++a) {
    for (int b = a + 1; b < count && !outSlots->isFull; ++b) {
      crTouchingPair pair;
      if (crContacts_MakePair(contacts, (crBoxPair){ a, b }, &pair)) {
        add(outSlots, &pair);
      }
    }
  }
  crDestroyContacts(contacts);
  return status;
}

void crStickSlots_Seat(const crStickSlots* slots, crContacts* contacts)
{
  int next = 0;
  for (int k = 0; k < contacts->contacts.count; ++k) { // both are sorted by their shapes
    const crTouchingPair* pair = &contacts->pairs.items[k];
    contacts->contacts.items[k].place = 0;
    if (contacts->contacts.items[k].bristle.count == 0) {
      continue;
    }
    while (next < slots->count &&
           (slots->items[next].shapeA != pair->shapeA || slots->items[next].shapeB != pair->shapeB)) {
      ++next;
    }
    contacts->contacts.items[k].place = next < slots->count ? slots->items[next].first : 0;
  }
  contacts->bristleCount = slots->stateCount;
}
