// A forest of R-trees over boxes, one tree for each class of size [Guttman84].
//
// A node holds up to CR_NODE_WIDTH entries: boxes in a leaf, nodes one level below in an inner node. The bounds of the
// entries lie in the node itself, side by side, so that one pass over four cache lines tells which of them a question
// meets. All leaves of a tree have the same depth; a node that overflows is split in two, with at least
// CR_MIN_SPLIT entries each, hence the height stays below log3 of the number of boxes. Nodes that lost entries are not
// joined; trees are built anew after a number of changes proportional to their size, and when nodes run short.
//
// Bounds in nodes are floats, relative to an origin of their tree: half the memory, twice the speed, and as exact as
// needed far from the world's origin. Subtracting and rounding is monotone, so of two numbers in order their images are
// in order: what overlaps in double overlaps in float, and nothing is missed. The exact bounds decide at the leaves.
//
// Why a forest: in one tree a single large box inflates all nodes above it, small boxes gather below them
// whatever their place, and every query pays for it. Boxes of one class differ in size by a factor of at most 8.
#ifndef CR_COLLIDE_BROAD_BOX_TREE_H
#define CR_COLLIDE_BROAD_BOX_TREE_H

#include "collide/broad/bounds.h"

#include <float.h>

#define CR_NO_NODE (-1)
#define CR_SIZE_CLASSES 32
#define CR_MAX_BOXES (1 << 30)
#define CR_NODE_WIDTH 8
#define CR_NODE_ALIGNMENT 64 // [bytes] a cache line
#define CR_INSERT_WEIGHT 4   // [-] how much more than a nudge an insertion loosens a tree
#define CR_MIN_SPLIT 3       // entries in each half
#define CR_TREE_STACK 256    // more than the entries that wait in a search: (width - 1) x height + 1

// One number for each entry of a node.
typedef float crFloats __attribute__((vector_size(CR_NODE_WIDTH * sizeof(float))));
typedef int32_t crFloatMask __attribute__((vector_size(CR_NODE_WIDTH * sizeof(int32_t))));

// Four cache lines.
typedef struct crBoxNode {
  _Alignas(CR_NODE_ALIGNMENT) crFloats low[6]; // [m] as in crBounds; +infinite where there is no entry
  int entry[CR_NODE_WIDTH];                    // of a leaf: boxes
  int parent;                                  // CR_NO_NODE: the root
  int count;
  int height; // of a leaf 0
  int class;
} crBoxNode;

// Scratch of a rebuild.
typedef struct crTreeItem {
  float centre[3]; // [m] twice the centre
  int box;
} crTreeItem;

typedef struct crBoxTree {
  crBoxNode* nodes;  // (nodeCapacity) aligned
  crBounds* bounds;  // (boxCount) of the boxes; whatever the owner wants for those in no tree
  int* leaf;         // (boxCount) node of each box; CR_NO_NODE: in no tree
  crTreeItem* items; // (boxCount)
  int nodeCapacity;
  int nodeCount;                     // in use
  int placedCount;                   // boxes in a tree
  int64_t changeCount;               // work since the last rebuild: CR_INSERT_WEIGHT for an insertion, 1 for a nudge
  int freeNode;                      // list of nodes given back, linked by parent
  int untouchedNode;                 // first node never used since the last rebuild
  int root[CR_SIZE_CLASSES];         // CR_NO_NODE: no box of that size
  uint32_t usedClasses;              // bit c: there is a root of class c
  double origin[CR_SIZE_CLASSES][3]; // [m]
} crBoxTree;

// Nodes that a tree of so many boxes needs room for.
int crBoxTree_CountNodes(int boxCount);

void crBoxTree_Init(crBoxTree* tree, int boxCount);                      // arrays and nodeCapacity are set already
void crBoxTree_Insert(crBoxTree* tree, int box, const crBounds* bounds); // finite; the box is in no tree
void crBoxTree_Remove(crBoxTree* tree, int box);                         // leaves it with empty bounds
void crBoxTree_Nudge(crBoxTree* tree, int box, const crBounds* bounds);  // moves a box without changing its leaf

bool crBoxTree_NeedsRebuild(const crBoxTree* tree);
void crBoxTree_Rebuild(crBoxTree* tree);

// Boxes that overlap `bounds` within `margin`, in no particular order; outBoxes (placedCount).
int crBoxTree_FindOverlaps(const crBoxTree* tree, const crBounds* bounds, double margin, int* outBoxes);

// Visits the box of every leaf entry whose bounds, like those above it, pass `isMet`, in no particular order. The
// bounds that are asked for contain the exact ones.
typedef struct crBoxWalk {
  bool (*isMet)(const void* context, const crBounds* bounds);
  void (*visit)(void* context, int box);
  void* context;
} crBoxWalk;
void crBoxTree_Walk(const crBoxTree* tree, const crBoxWalk* walk);

// ------------------------------------------------------------------------------ bounds of one entry

typedef struct crFloatBounds {
  float low[6]; // [m] relative to the origin of a tree
} crFloatBounds;

static inline double crOriginOf(const double origin[3], int k)
{
  return k < 3 ? origin[k] : -origin[k - 3];
}

// Monotone, and never +infinite: that marks the places without an entry.
static inline float crRoundBound(double x)
{
  float f = (float)x;
  return f < FLT_MAX ? f : FLT_MAX;
}

static inline crFloatBounds crRoundBounds(const crBounds* bounds, const double origin[3])
{
  crFloatBounds f;
  for (int k = 0; k < 6; ++k) {
    f.low[k] = crRoundBound(bounds->low[k] - crOriginOf(origin, k));
  }
  return f;
}

static inline void crBoxNode_SetEntry(crBoxNode* node, int place, int entry, const crFloatBounds* bounds)
{
  for (int k = 0; k < 6; ++k) {
    node->low[k][place] = bounds->low[k];
  }
  node->entry[place] = entry;
}

// Bounds of all entries together.
static inline crFloatBounds crBoxNode_Unite(const crBoxNode* node)
{
  crFloatBounds f;
  for (int k = 0; k < 6; ++k) {
    f.low[k] = node->low[k][0];
    for (int j = 1; j < CR_NODE_WIDTH; ++j) {
      f.low[k] = node->low[k][j] < f.low[k] ? node->low[k][j] : f.low[k];
    }
  }
  return f;
}

// Sets the root of a class; CR_NO_NODE: it has no boxes.
static inline void crBoxTree_SetRoot(crBoxTree* tree, int class, int root)
{
  uint32_t bit = UINT32_C(1) << class;
  tree->root[class] = root;
  tree->usedClasses = root != CR_NO_NODE ? tree->usedClasses | bit : tree->usedClasses & ~bit;
}

// An empty node to use; the caller has seen to it that there is one.
int crBoxTree_TakeNode(crBoxTree* tree, int class, int height);

#endif
