// Pairs of boxes that are near each other: the edges of a graph whose vertices are the boxes.
//
// Candidates lie densely in one array, in no particular order. Each hangs in two doubly linked lists, one for
// each of its boxes, so that all candidates of a box are found, and one is removed, without a search.
#ifndef CR_COLLIDE_BROAD_CANDIDATES_H
#define CR_COLLIDE_BROAD_CANDIDATES_H

#include "carom/base.h"

#define CR_NO_CANDIDATE (-1)

typedef struct crCandidate {
  int box[2];               // box[0] < box[1]
  int next[2], previous[2]; // in the list of box[0] and of box[1]; CR_NO_CANDIDATE: none
  bool canMeet;             // the filter's answer, asked once
  bool isListed;            // is in the list of pairs
} crCandidate;

typedef struct crCandidates {
  crCandidate* items;
  int count, capacity;
  int* first; // (boxCount) head of each box's list
} crCandidates;

// false: out of memory, nothing is changed.
bool crCandidates_Add(crCandidates* candidates, const crAllocator* allocator, crCandidate added);

// Frees most of the memory that is not used, if that is much.
void crCandidates_Shrink(crCandidates* candidates, const crAllocator* allocator);

// The last candidate takes the place of the removed one, so its number changes.
void crCandidates_Remove(crCandidates* candidates, int index);

// Which of its two boxes `box` is.
static inline int crCandidate_Side(const crCandidate* candidate, int box)
{
  return candidate->box[1] == box;
}

#endif
