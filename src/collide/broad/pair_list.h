// The sorted list of overlapping pairs, kept from call to call and mended by the pairs that changed.
//
// A pair that began or ceased to overlap is noted as toggled. The new list is the symmetric difference of the
// old one and the toggled pairs, so noting a pair twice leaves it as it was.
#ifndef CR_COLLIDE_BROAD_PAIR_LIST_H
#define CR_COLLIDE_BROAD_PAIR_LIST_H

#include "carom/collide.h"
#include "collide/broad/key_sort.h"

typedef struct crPairBuffer {
  crBoxPair* items;
  int count, capacity;
} crPairBuffer;

typedef struct crKeyBuffer {
  crKey* items;
  int count, capacity;
} crKeyBuffer;

typedef struct crPairList {
  crPairBuffer pairs;  // sorted
  crPairBuffer spare;  // becomes `pairs` when something changed
  crKeyBuffer toggled; // in any order
  crKeyBuffer scratch; // for sorting
} crPairList;

void crPairList_Free(crPairList* list, const crAllocator* allocator);

// false: out of memory, nothing is changed.
bool crPairList_Toggle(crPairList* list, const crAllocator* allocator, int a, int b); // a < b

// Brings `pairs` up to date. false: out of memory, `pairs` and the noted changes are kept.
bool crPairList_Apply(crPairList* list, const crAllocator* allocator);

#endif
