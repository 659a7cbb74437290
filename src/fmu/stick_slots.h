// Places for the states of friction that sticks. Contacts come and go and their bristles with them, but the number of
// states of an FMU for Model Exchange is fixed: each pair of shapes that can stick to each other has a place of its
// own, where there is 0 while they are apart.
#ifndef CR_FMU_STICK_SLOTS_H
#define CR_FMU_STICK_SLOTS_H

#include "base/memory.h"
#include "contact/contact.h"

#define CR_MOST_STICK_SLOTS 64 // pairs: more would be states that are 0 nearly all the time

typedef struct crStickSlot {
  int shapeA, shapeB;
  int first, count; // of its states, among those of all slots
  int lengthCount;  // of them, those in [m]; others are in [rad]
} crStickSlot;

typedef struct crStickSlots {
  crStickSlot items[CR_MOST_STICK_SLOTS]; // ascending
  int count;
  int stateCount;
  bool isFull; // there are more pairs than places
} crStickSlots;

CR_FRIEND crStatus crFindStickSlots(const crModel* model, const crAllocator* allocator, crStickSlots* outSlots);

// Contacts write their bristles to their places from here on: crContacts_GetBristles.
void crStickSlots_Seat(const crStickSlots* slots, crContacts* contacts);

#endif
