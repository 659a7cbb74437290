// Adding and removing candidates in O(1).
#include "collide/broad/candidates.h"

#include "base/memory.h"

#define CR_SPARE_SHARE 8 // of what is used: memory that may lie idle

// Lets the neighbours of candidate number `index` in the list of its box number `side` point at `target`.
static void relink(crCandidates* candidates, int index, int side, int targetOfPrevious, int targetOfNext)
{
  const crCandidate* c = &candidates->items[index];
  int box = c->box[side], previous = c->previous[side], next = c->next[side];
  if (previous == CR_NO_CANDIDATE) {
    candidates->first[box] = targetOfPrevious;
  } else {
    crCandidate* p = &candidates->items[previous];
    p->next[crCandidate_Side(p, box)] = targetOfPrevious;
  }
  if (next != CR_NO_CANDIDATE) {
    crCandidate* n = &candidates->items[next];
    n->previous[crCandidate_Side(n, box)] = targetOfNext;
  }
}

bool crCandidates_Add(crCandidates* candidates, const crAllocator* allocator, crCandidate added)
{
  if (!crGrow(allocator, (void**)&candidates->items, &candidates->capacity, candidates->count,
              sizeof *candidates->items)) {
    return false;
  }
  int index = candidates->count++;
  for (int side = 0; side < 2; ++side) {
    int* first = &candidates->first[added.box[side]];
    added.next[side] = *first;
    added.previous[side] = CR_NO_CANDIDATE;
    if (*first != CR_NO_CANDIDATE) {
      crCandidate* next = &candidates->items[*first];
      next->previous[crCandidate_Side(next, added.box[side])] = index;
    }
    *first = index;
  }
  candidates->items[index] = added;
  return true;
}

void crCandidates_Shrink(crCandidates* candidates, const crAllocator* allocator)
{
  int capacity = candidates->count + candidates->count / CR_SPARE_SHARE + 1;
  if (capacity > candidates->capacity - candidates->capacity / CR_SPARE_SHARE) {
    return;
  }
  crCandidate* items = crReallocate(allocator, candidates->items, (size_t)candidates->capacity * sizeof *items,
                                    (size_t)capacity * sizeof *items);
  if (items != NULL) {
    candidates->items = items;
    candidates->capacity = capacity;
  }
}

void crCandidates_Remove(crCandidates* candidates, int index)
{
  for (int side = 0; side < 2; ++side) {
    const crCandidate* c = &candidates->items[index];
    relink(candidates, index, side, c->next[side], c->previous[side]);
  }
  int last = --candidates->count;
  if (index != last) {
    for (int side = 0; side < 2; ++side) {
      relink(candidates, last, side, index, index);
    }
    candidates->items[index] = candidates->items[last];
  }
}
