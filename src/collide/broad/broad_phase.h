// The inside of a broad phase.
//
// Every box has a loose box around it, larger by a margin that follows from its motion. A box moves freely in
// its loose box at no cost; when it leaves it gets a new one. Candidates are all pairs, of different owners,
// whose loose boxes overlap within the margin asked for; so every overlapping pair is a candidate, and the
// list of pairs follows from testing the candidates of the boxes that moved. The filter is asked when a pair
// becomes a candidate, and its answer is kept as long as it is one.
//
//   empty      in no pair; the state of a box before it is set
//   bounded    its loose box is in the forest
//   unbounded  infinite or very large: in a list of its own, where it does not disturb the forest. Its loose
//              box is the box itself.
#ifndef CR_COLLIDE_BROAD_BROAD_PHASE_H
#define CR_COLLIDE_BROAD_BROAD_PHASE_H

#include "carom/collide.h"
#include "collide/broad/box_tree.h"
#include "collide/broad/candidates.h"
#include "collide/broad/pair_list.h"

typedef enum crBoxKind { cr_boxEmpty, cr_boxBounded, cr_boxUnbounded } crBoxKind;

// One cache line.
typedef struct crTrackedBox {
  crBounds bounds;
  uint32_t stamp;     // equals the broad phase's: seen in the present search
  int movedPlace;     // in `moved`, if that place holds this box
  uint8_t kind;       // crBoxKind
  uint8_t nudgeCount; // moves in the tree since it was inserted there
  bool isDisplaced;   // is in `displaced`
} crTrackedBox;

struct crBroadPhase {
  crAllocator allocator;
  crPairFilter filter;
  double margin;    // [m]
  double looseness; // [-] of a box: room on each side of it, at most
  int boxCount;

  crTrackedBox* boxes; // (boxCount)
  crBoxTree tree;      // tree.bounds[i]: loose box of box i, whatever its kind
  char* aligned;       // holds the nodes of the tree and the boxes
  int* owners;         // (boxCount), or NULL
  int* unbounded;      // (boxCount)
  int unboundedCount;

  int* moved;     // (boxCount) set since the last search
  int* displaced; // (boxCount) of these, the ones with a new loose box
  int movedCount, displacedCount;

  uint32_t stamp;
  int* hits;   // (boxCount) scratch of a search
  crKey* keys; // (2 x boxCount) scratch of sorting `displaced`
  crCandidates candidates;
  crPairList list;
};

// From here on boxes have no more room than this share of themselves, so that fewer pairs are candidates where boxes
// lie dense; and no more memory is kept than candidates need. What is found does not depend on it.
void crBroadPhase_Tighten(crBroadPhase* broadPhase, double looseness);

#endif
