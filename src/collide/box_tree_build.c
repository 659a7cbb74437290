// Building all trees anew, from the top down: the leaves are split at the median of their centres along the axis
// in which these spread most. Nodes are numbered in the order in which a search meets them.
//
// A rebuild costs O(n log n) and happens once in n / 2 changes, so O(log n) for each of them.
#include "collide/box_tree.h"

#define CR_CHANGES_PER_LEAF 0.5 // [-] then rebuild; at 2 searches take three times as long

bool crBoxTree_NeedsRebuild(const crBoxTree* tree)
{
  return (double)tree->changeCount > CR_CHANGES_PER_LEAF * (double)tree->placedCount;
}

static int collectLeaves(const crBoxTree* tree, int root, crTreeItem* outItems)
{
  int stack[CR_TREE_STACK];
  int depth = 0, count = 0;
  stack[depth++] = root;
  while (depth > 0) {
    int node = stack[--depth];
    const crBoxNode* n = &tree->nodes[node];
    if (crBoxNode_IsLeaf(n)) {
      const double* low = n->bounds.low;
      crTreeItem item = { { low[0] - low[3], low[1] - low[4], low[2] - low[5] }, crBoxNode_Box(n) };
      outItems[count++] = item;
    } else {
      stack[depth++] = n->child[1];
      stack[depth++] = n->child[0];
    }
  }
  return count;
}

static int findWidestAxis(const crTreeItem* items, int count)
{
  double min[3], max[3];
  for (int k = 0; k < 3; ++k) {
    min[k] = max[k] = items[0].centre[k];
  }
  for (int i = 1; i < count; ++i) {
    for (int k = 0; k < 3; ++k) {
      double c = items[i].centre[k];
      min[k] = c < min[k] ? c : min[k];
      max[k] = c > max[k] ? c : max[k];
    }
  }
  double x = max[0] - min[0], y = max[1] - min[1], z = max[2] - min[2];
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

// A strict order of all leaves, so that the split is unique.
static bool isBefore(const crTreeItem* a, const crTreeItem* b, int axis)
{
  return a->centre[axis] < b->centre[axis] || (a->centre[axis] == b->centre[axis] && a->box < b->box);
}

// Moves items below the pivot to the front, those above it to the back; items between *outEnd and *outStart
// (exclusive) are the pivot.
static void partition(crTreeItem* items, int first, int last, int axis, crTreeItem pivot, int* outEnd, int* outStart)
{
  int i = first, j = last;
  while (i <= j) {
    while (isBefore(&items[i], &pivot, axis)) {
      ++i;
    }
    while (isBefore(&pivot, &items[j], axis)) {
      --j;
    }
    if (i <= j) {
      crTreeItem held = items[i];
      items[i++] = items[j];
      items[j--] = held;
    }
  }
  *outEnd = j;
  *outStart = i;
}

// Orders items so that the first `middle` of them come before the others along the axis. Pivots are chosen by
// a fixed sequence of scattered numbers: no arrangement that arises by itself makes them bad.
static void split(crTreeItem* items, int count, int axis, int middle)
{
  int first = 0, last = count - 1;
  uint32_t scatter = (uint32_t)count;
  while (first < last) {
    scatter = scatter * UINT32_C(1664525) + UINT32_C(1013904223);
    int place = first + (int)((uint64_t)scatter * (uint64_t)(last - first + 1) >> 32);
    int end, start;
    partition(items, first, last, axis, items[place], &end, &start);
    if (middle <= end) {
      last = end;
    } else if (middle >= start) {
      first = start;
    } else {
      return;
    }
  }
}

// Numbers a node before its children, so each half lies in one piece. Leaves lie between the inner nodes: a box
// that is near in space is near in memory whatever its number.
static int buildBelow(crBoxTree* tree, int class, crTreeItem* items, int count)
{
  int node = crBoxTree_TakeNode(tree);
  if (count == 1) {
    int box = items[0].box;
    tree->nodes[node] = (crBoxNode){ tree->bounds[box], CR_NO_NODE, { box, class }, 0 };
    tree->leaf[box] = node;
    return node;
  }
  int middle = count / 2;
  split(items, count, findWidestAxis(items, count), middle);
  int a = buildBelow(tree, class, items, middle), b = buildBelow(tree, class, items + middle, count - middle);
  tree->nodes[node].child[0] = a;
  tree->nodes[node].child[1] = b;
  tree->nodes[a].parent = tree->nodes[b].parent = node;
  crBoxTree_FitNode(tree, node);
  return node;
}

void crBoxTree_Rebuild(crBoxTree* tree, crTreeItem* items)
{
  int start[CR_SIZE_CLASSES + 1] = { 0 };
  for (int c = 0; c < CR_SIZE_CLASSES; ++c) {
    int count = tree->root[c] != CR_NO_NODE ? collectLeaves(tree, tree->root[c], items + start[c]) : 0;
    start[c + 1] = start[c] + count;
  }
  tree->freeNode = CR_NO_NODE;
  tree->untouchedNode = 0;
  tree->changeCount = 0;
  for (int c = 0; c < CR_SIZE_CLASSES; ++c) {
    if (start[c + 1] > start[c]) {
      tree->root[c] = buildBelow(tree, c, items + start[c], start[c + 1] - start[c]);
      tree->nodes[tree->root[c]].parent = CR_NO_NODE;
    }
  }
}
