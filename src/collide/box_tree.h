// A forest of balanced binary trees over boxes, one tree for each class of size.
//
// Each placed box has a leaf of its own and a copy of its bounds by its number. The two children of an inner node
// differ in height by at most 1 (they are not ordered, so one rotation mends any imbalance of 2), hence the height of a
// tree of n leaves is below 1.45 log2(n + 2). Inserting, removing and moving leaves keeps trees balanced but not
// tight; so they are built anew after a number of changes proportional to their size.
//
// Why a forest: in one tree a single large box inflates all its ancestors, small boxes gather below them
// whatever their place, and every query pays for it. Boxes of one class differ in size by a factor of at most 8.
#ifndef CR_COLLIDE_BOX_TREE_H
#define CR_COLLIDE_BOX_TREE_H

#include "collide/bounds.h"

#define CR_NO_NODE (-1)
#define CR_SIZE_CLASSES 32
#define CR_MAX_BOXES (1 << 30) // two nodes each, numbered by int
#define CR_TREE_STACK 64       // more than the height for CR_MAX_BOXES leaves

// One cache line.
typedef struct crBoxNode {
  crBounds bounds;
  int parent;   // CR_NO_NODE: the root
  int child[2]; // of a leaf: its box, and its size class
  int height;   // of a leaf 0
} crBoxNode;

typedef struct crBoxTree {
  crBoxNode* nodes;          // (2 x boxCount)
  crBounds* bounds;          // (boxCount) the same as in the leaves; whatever the owner wants for boxes without one
  int* leaf;                 // (boxCount) node of each box; CR_NO_NODE: in no tree
  int placedCount;           // boxes in a tree
  int changeCount;           // boxes inserted or moved since the last rebuild
  int freeNode;              // list of nodes given back, linked by parent
  int untouchedNode;         // first node never used since the last rebuild
  int root[CR_SIZE_CLASSES]; // CR_NO_NODE: no box of that size
} crBoxTree;

// Scratch of a rebuild.
typedef struct crTreeItem {
  double centre[3]; // [m] twice the centre
  int box;
} crTreeItem;

void crBoxTree_Init(crBoxTree* tree, int boxCount);                      // the three arrays are allocated already
void crBoxTree_Insert(crBoxTree* tree, int box, const crBounds* bounds); // finite; the box is in no tree
void crBoxTree_Remove(crBoxTree* tree, int box);                         // leaves it with empty bounds
void crBoxTree_Nudge(crBoxTree* tree, int box, const crBounds* bounds);  // moves a leaf without changing its parent

bool crBoxTree_NeedsRebuild(const crBoxTree* tree);
void crBoxTree_Rebuild(crBoxTree* tree, crTreeItem* items); // items (placedCount)

// Boxes that overlap `bounds` within `margin`, in no particular order; outBoxes (placedCount).
int crBoxTree_FindOverlaps(const crBoxTree* tree, const crBounds* bounds, double margin, int* outBoxes);

// Visits the box of every leaf below nodes that all pass `isMet`, in no particular order.
typedef struct crBoxWalk {
  bool (*isMet)(const void* context, const crBounds* bounds);
  void (*visit)(void* context, int box);
  void* context;
} crBoxWalk;
void crBoxTree_Walk(const crBoxTree* tree, const crBoxWalk* walk);

static inline bool crBoxNode_IsLeaf(const crBoxNode* node)
{
  return node->height == 0;
}

static inline int crBoxNode_Box(const crBoxNode* leaf)
{
  return leaf->child[0];
}

// Bounds and height from the children.
static inline void crBoxTree_FitNode(crBoxTree* tree, int node)
{
  crBoxNode* n = &tree->nodes[node];
  const crBoxNode *a = &tree->nodes[n->child[0]], *b = &tree->nodes[n->child[1]];
  n->bounds = crUniteBounds(&a->bounds, &b->bounds);
  n->height = 1 + (a->height > b->height ? a->height : b->height);
}

// A node to use; there are enough for all boxes.
static inline int crBoxTree_TakeNode(crBoxTree* tree)
{
  int node = tree->freeNode;
  if (node == CR_NO_NODE) {
    return tree->untouchedNode++;
  }
  tree->freeNode = tree->nodes[node].parent;
  return node;
}

#endif
