// The search for overlapping boxes, inlined where it is used together with what is done with a box that is found.
// It writes nothing into the tree, so several threads may search at the same time.
#ifndef CR_COLLIDE_BROAD_BOX_TREE_SEARCH_H
#define CR_COLLIDE_BROAD_BOX_TREE_SEARCH_H

#include "collide/broad/box_tree.h"

#define CR_WAITING_LEAVES 32

// What a question asks of the low bounds of an entry: all six at most these.
typedef struct crBoxLimits {
  crFloats most[6]; // [m] the same number in all lanes, never +infinite
} crBoxLimits;

crBoxLimits crMakeBoxLimits(const crBounds* bounds, double margin, const double origin[3]);

// A bit for each entry that keeps to the limits.
static inline unsigned crBoxNode_FindMet(const crBoxNode* node, const crBoxLimits* limits)
{
  crFloatMask met = node->low[0] <= limits->most[0];
  for (int k = 1; k < 6; ++k) {
    met &= node->low[k] <= limits->most[k];
  }
#ifdef __AVX__
  return (unsigned)__builtin_ia32_movmskps256((crFloats)met);
#else
  unsigned bits = 0;
  for (int j = 0; j < CR_NODE_WIDTH; ++j) {
    bits |= (unsigned)(met[j] & 1 << j);
  }
  return bits;
#endif
}

// The lowest bit, which is cleared.
static inline int crTakeBit(unsigned* bits)
{
  int bit = __builtin_ctz(*bits);
  *bits &= *bits - 1U;
  return bit;
}

static inline void crBoxNode_ReadAhead(const crBoxNode* node)
{
  const char* line = (const char*)node;
  __builtin_prefetch(line);
  __builtin_prefetch(line + CR_NODE_ALIGNMENT);
  __builtin_prefetch(line + (size_t)2 * CR_NODE_ALIGNMENT);
  __builtin_prefetch(line + (size_t)3 * CR_NODE_ALIGNMENT);
}

typedef void (*crBoxFound)(void* context, int box);

static inline void crBoxNode_VisitMet(const crBoxNode* leaf, const crBoxLimits* limits, crBoxFound found, void* context)
{
  unsigned met = crBoxNode_FindMet(leaf, limits);
  while (met != 0) {
    found(context, leaf->entry[crTakeBit(&met)]);
  }
}

static inline void crBoxTree_VisitLeaves(const crBoxTree* tree, const int* leaves, int count, const crBoxLimits* limits,
                                         crBoxFound found, void* context)
{
  for (int i = 0; i < count; ++i) {
    crBoxNode_VisitMet(&tree->nodes[leaves[i]], limits, found, context);
  }
}

// Below a node that is not a leaf. Leaves wait until several are known, while the memory brings them.
static inline void crBoxTree_WalkBelow(const crBoxTree* tree, int root, const crBoxLimits* limits, crBoxFound found,
                                       void* context)
{
  int stack[CR_TREE_STACK], leaves[CR_WAITING_LEAVES + CR_NODE_WIDTH] = { 0 };
  int depth = 0, leafCount = 0;
  stack[depth++] = root;
  while (depth > 0) {
    const crBoxNode* n = &tree->nodes[stack[--depth]];
    unsigned met = crBoxNode_FindMet(n, limits);
    int* list = n->height == 1 ? leaves + leafCount : stack + depth;
    int count = 0;
    while (met != 0) {
      int below = n->entry[crTakeBit(&met)];
      crBoxNode_ReadAhead(&tree->nodes[below]);
      list[count++] = below;
    }
    if (n->height > 1) {
      depth += count;
      continue;
    }
    leafCount += count;
    if (leafCount >= CR_WAITING_LEAVES) {
      crBoxTree_VisitLeaves(tree, leaves, leafCount, limits, found, context);
      leafCount = 0;
    }
  }
  crBoxTree_VisitLeaves(tree, leaves, leafCount, limits, found, context);
}

// Calls back for all boxes that overlap `bounds` within `margin`, and for some that are just outside.
static inline void crBoxTree_WalkOverlaps(const crBoxTree* tree, const crBounds* bounds, double margin,
                                          crBoxFound found, void* context)
{
  for (unsigned classes = tree->usedClasses; classes != 0;) {
    int class = crTakeBit(&classes), root = tree->root[class];
    crBoxLimits limits = crMakeBoxLimits(bounds, margin, tree->origin[class]);
    if (tree->nodes[root].height == 0) {
      crBoxNode_VisitMet(&tree->nodes[root], &limits, found, context);
    } else {
      crBoxTree_WalkBelow(tree, root, &limits, found, context);
    }
  }
}

#endif
