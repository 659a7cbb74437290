// Building all trees anew, from the top down: the leaves are split at the median of their centres along the axis
// in which these spread most, until each part fits a node. Nodes are numbered in the order in which a search meets
// them.
//
// A rebuild costs O(n log n) and happens once in n / 2 changes, so O(log n) for each of them.
#include "collide/broad/box_tree.h"

#define CR_FILLED 7 // entries of a full node after a rebuild; the rest is room for what comes
// Changes until the next rebuild; with none, searches take twice as long.
#define CR_CHANGES_PER_BOX 2 // [-]
#define CR_FREE_CHANGES 256  // [-] so that few boxes are not rebuilt all the time

bool crBoxTree_NeedsRebuild(const crBoxTree* tree)
{
  return tree->changeCount > CR_FREE_CHANGES + CR_CHANGES_PER_BOX * (int64_t)tree->placedCount;
}

// Twice the centre, for the order of splits alone: rounded, but never NaN.
static crTreeItem makeItem(const crBoxTree* tree, int box, const double origin[3])
{
  const double* low = tree->bounds[box].low;
  crTreeItem item = { .box = box };
  for (int k = 0; k < 3; ++k) {
    item.centre[k] = (float)((low[k] - low[k + 3]) - 2.0 * origin[k]);
  }
  return item;
}

static int collectBoxes(const crBoxTree* tree, int root, crTreeItem* outItems)
{
  const double* origin = tree->origin[tree->nodes[root].class];
  int stack[CR_TREE_STACK];
  int depth = 0, count = 0;
  stack[depth++] = root;
  while (depth > 0) {
    const crBoxNode* n = &tree->nodes[stack[--depth]];
    for (int j = n->count - 1; j >= 0; --j) {
      if (n->height == 0) {
        outItems[count++] = makeItem(tree, n->entry[j], origin);
      } else {
        stack[depth++] = n->entry[j];
      }
    }
  }
  return count;
}

static int findWidestAxis(const crTreeItem* items, int count)
{
  float min[3], max[3];
  for (int k = 0; k < 3; ++k) {
    min[k] = max[k] = items[0].centre[k];
  }
  for (int i = 1; i < count; ++i) {
    for (int k = 0; k < 3; ++k) {
      float c = items[i].centre[k];
      min[k] = c < min[k] ? c : min[k];
      max[k] = c > max[k] ? c : max[k];
    }
  }
  float x = max[0] - min[0], y = max[1] - min[1], z = max[2] - min[2];
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

// [-] boxes below a node of some height when all nodes are filled
static int64_t countBelow(int height)
{
  int64_t count = CR_FILLED;
  for (int h = 0; h < height; ++h) {
    count *= CR_FILLED;
  }
  return count;
}

static int buildBelow(crBoxTree* tree, int class, crTreeItem* items, int count, int height);

// Splits the items into `parts` of nearly the same size, each of which becomes an entry of the node.
static void buildEntries(crBoxTree* tree, int node, crTreeItem* items, int count, int parts)
{
  crBoxNode* n = &tree->nodes[node];
  if (parts == 1) {
    crFloatBounds bounds;
    int entry = items[0].box;
    if (n->height == 0) {
      bounds = crRoundBounds(&tree->bounds[entry], tree->origin[n->class]);
      tree->leaf[entry] = node;
    } else {
      entry = buildBelow(tree, n->class, items, count, n->height - 1);
      bounds = crBoxNode_Unite(&tree->nodes[entry]);
      tree->nodes[entry].parent = node;
    }
    crBoxNode_SetEntry(n, n->count++, entry, &bounds);
    return;
  }
  int first = parts / 2, middle = (int)((int64_t)count * first / parts);
  split(items, count, findWidestAxis(items, count), middle);
  buildEntries(tree, node, items, middle, first);
  buildEntries(tree, node, items + middle, count - middle, parts - first);
}

// Numbers a node before those below it, so each part lies in one piece.
static int buildBelow(crBoxTree* tree, int class, crTreeItem* items, int count, int height)
{
  int node = crBoxTree_TakeNode(tree, class, height);
  int64_t most = height == 0 ? 1 : countBelow(height - 1);
  buildEntries(tree, node, items, count, (int)((count + most - 1) / most));
  return node;
}

// The origin of a tree is the centre of its boxes.
static void chooseOrigin(crBoxTree* tree, int class, const crTreeItem* items, int count)
{
  crBounds all = crEmptyBounds();
  for (int i = 0; i < count; ++i) {
    all = crUniteBounds(&all, &tree->bounds[items[i].box]);
  }
  for (int k = 0; k < 3; ++k) {
    tree->origin[class][k] = 0.5 * (all.low[k] - all.low[k + 3]);
  }
}

static void buildTree(crBoxTree* tree, int class, crTreeItem* items, int count)
{
  int height = 0;
  while (countBelow(height) < count) {
    ++height;
  }
  chooseOrigin(tree, class, items, count);
  crBoxTree_SetRoot(tree, class, buildBelow(tree, class, items, count, height));
}

void crBoxTree_Rebuild(crBoxTree* tree)
{
  int start[CR_SIZE_CLASSES + 1] = { 0 };
  for (int c = 0; c < CR_SIZE_CLASSES; ++c) {
    int count = tree->root[c] != CR_NO_NODE ? collectBoxes(tree, tree->root[c], tree->items + start[c]) : 0;
    start[c + 1] = start[c] + count;
  }
  tree->freeNode = CR_NO_NODE;
  tree->untouchedNode = tree->nodeCount = 0;
  tree->changeCount = 0;
  for (int c = 0; c < CR_SIZE_CLASSES; ++c) {
    if (start[c + 1] > start[c]) {
      buildTree(tree, c, tree->items + start[c], start[c + 1] - start[c]);
    }
  }
}
