// Insertion and removal in the forest of boxes.
//
// A new box descends to the entry that it would inflate least, measured by the sum of edge lengths: unlike the
// surface area that ray tracers use, it also tells boxes apart that are points or lie on a line. A node that
// overflows is split between two of its entries in the order of their centres, along the axis and at the place that
// give the two halves the smallest sizes, as in R*-trees [Beckmann90].
#include "collide/broad/box_tree.h"

#include <string.h>

// Class 0 holds all boxes with a largest edge below 2^CR_CLASS_BITS x 2^CR_SMALLEST_EXPONENT [m], the last class
// all above the largest such limit. Beyond these sizes queries slow down, but nothing is missed.
#define CR_SMALLEST_EXPONENT (-60)
#define CR_CLASS_BITS 3

#define CR_OVERFULL (CR_NODE_WIDTH + 1)
#define CR_BOXES_PER_NODE 2 // [-] room for nodes; a fresh tree has more than three times as many boxes as nodes
#define CR_SPARE_NODES 128  // [-] for roots and paths of small trees

int crBoxTree_CountNodes(int boxCount)
{
  return boxCount / CR_BOXES_PER_NODE + CR_SPARE_NODES;
}

void crBoxTree_Init(crBoxTree* tree, int boxCount)
{
  for (int i = 0; i < boxCount; ++i) {
    tree->bounds[i] = crEmptyBounds();
    tree->leaf[i] = CR_NO_NODE;
  }
  tree->placedCount = tree->nodeCount = 0;
  tree->changeCount = 0;
  tree->freeNode = CR_NO_NODE;
  tree->untouchedNode = 0;
  for (int c = 0; c < CR_SIZE_CLASSES; ++c) {
    crBoxTree_SetRoot(tree, c, CR_NO_NODE);
  }
}

static int findSizeClass(const crBounds* b)
{
  double edge = fmax(crBounds_Extent(b, 0), fmax(crBounds_Extent(b, 1), crBounds_Extent(b, 2)));
  int exponent;
  frexp(edge, &exponent);
  int class = edge > 0.0 ? (exponent - CR_SMALLEST_EXPONENT) / CR_CLASS_BITS : 0;
  return class < 0 ? 0 : class >= CR_SIZE_CLASSES ? CR_SIZE_CLASSES - 1 : class;
}

// -------------------------------------------------------------------------------------------- nodes

static void clearEntries(crBoxNode* node, int from)
{
  for (int k = 0; k < 6; ++k) {
    for (int j = from; j < CR_NODE_WIDTH; ++j) {
      node->low[k][j] = HUGE_VALF;
    }
  }
  node->count = from;
}

int crBoxTree_TakeNode(crBoxTree* tree, int class, int height)
{
  int node = tree->freeNode;
  if (node == CR_NO_NODE) {
    node = tree->untouchedNode++;
  } else {
    tree->freeNode = tree->nodes[node].parent;
  }
  ++tree->nodeCount;
  crBoxNode* n = &tree->nodes[node];
  n->parent = CR_NO_NODE;
  n->height = height;
  n->class = class;
  clearEntries(n, 0);
  return node;
}

static void giveBackNode(crBoxTree* tree, int node)
{
  tree->nodes[node].parent = tree->freeNode;
  tree->freeNode = node;
  --tree->nodeCount;
}

// Place of an entry in its node.
static int findEntry(const crBoxNode* node, int entry)
{
  int place = 0;
  while (node->entry[place] != entry) {
    ++place;
  }
  return place;
}

// Tells an entry where it is now.
static void adopt(crBoxTree* tree, int node, int entry)
{
  if (tree->nodes[node].height == 0) {
    tree->leaf[entry] = node;
  } else {
    tree->nodes[entry].parent = node;
  }
}

static bool setBounds(crBoxNode* node, int place, const crFloatBounds* bounds)
{
  bool isSame = true;
  for (int k = 0; k < 6; ++k) {
    isSame &= node->low[k][place] == bounds->low[k];
    node->low[k][place] = bounds->low[k];
  }
  return !isSame;
}

// Mends the bounds of `node` in the nodes above it, up to where nothing changes any more.
static void fitUpward(crBoxTree* tree, int node)
{
  for (int above = tree->nodes[node].parent; above != CR_NO_NODE; above = tree->nodes[node].parent) {
    crFloatBounds bounds = crBoxNode_Unite(&tree->nodes[node]);
    crBoxNode* n = &tree->nodes[above];
    if (!setBounds(n, findEntry(n, node), &bounds)) {
      return;
    }
    node = above;
  }
}

// -------------------------------------------------------------------------------------------- split

typedef struct Entry {
  crFloatBounds bounds;
  float centre[3]; // [m] twice the centre
  int entry;
} Entry;

static Entry makeEntry(int entry, const crFloatBounds* bounds)
{
  Entry e = { .bounds = *bounds, .entry = entry };
  for (int k = 0; k < 3; ++k) {
    e.centre[k] = bounds->low[k] - bounds->low[k + 3];
  }
  return e;
}

static Entry readEntry(const crBoxNode* node, int place)
{
  crFloatBounds bounds;
  for (int k = 0; k < 6; ++k) {
    bounds.low[k] = node->low[k][place];
  }
  return makeEntry(node->entry[place], &bounds);
}

static void sortEntries(Entry entries[CR_OVERFULL], int axis)
{
  for (int i = 1; i < CR_OVERFULL; ++i) {
    Entry e = entries[i];
    int j = i;
    for (; j > 0 && entries[j - 1].centre[axis] > e.centre[axis]; --j) {
      entries[j] = entries[j - 1];
    }
    entries[j] = e;
  }
}

static float unite(crFloatBounds* bounds, const crFloatBounds* other)
{
  float size = 0.0F;
  for (int k = 0; k < 6; ++k) {
    bounds->low[k] = other->low[k] < bounds->low[k] ? other->low[k] : bounds->low[k];
    size -= bounds->low[k];
  }
  return size;
}

// The best place to cut sorted entries: the sum of the sizes of both parts, and how many are in the first one.
static float findCut(const Entry entries[CR_OVERFULL], int* outCut)
{
  float before[CR_OVERFULL], best = HUGE_VALF;
  crFloatBounds all = entries[0].bounds;
  for (int i = 0; i < CR_OVERFULL; ++i) {
    before[i] = unite(&all, &entries[i].bounds);
  }
  *outCut = CR_OVERFULL / 2;
  all = entries[CR_OVERFULL - 1].bounds;
  for (int cut = CR_OVERFULL - 1; cut >= CR_MIN_SPLIT; --cut) {
    float size = unite(&all, &entries[cut].bounds) + before[cut - 1];
    if (cut <= CR_OVERFULL - CR_MIN_SPLIT && size < best) {
      best = size;
      *outCut = cut;
    }
  }
  return best;
}

// Orders the entries for the best cut of all axes.
static int arrange(Entry entries[CR_OVERFULL])
{
  Entry sorted[3][CR_OVERFULL];
  int cut[3], best = 0;
  float size[3];
  for (int axis = 0; axis < 3; ++axis) {
    memcpy(sorted[axis], entries, sizeof sorted[axis]);
    sortEntries(sorted[axis], axis);
    size[axis] = findCut(sorted[axis], &cut[axis]);
    best = size[axis] < size[best] ? axis : best;
  }
  memcpy(entries, sorted[best], sizeof sorted[best]);
  return cut[best];
}

static void fillNode(crBoxTree* tree, int node, const Entry* entries, int count)
{
  crBoxNode* n = &tree->nodes[node];
  clearEntries(n, 0);
  for (int i = 0; i < count; ++i) {
    crBoxNode_SetEntry(n, i, entries[i].entry, &entries[i].bounds);
    adopt(tree, node, entries[i].entry);
  }
  n->count = count;
}

// Makes room for an entry in a full node; returns the new node with the other half.
static int split(crBoxTree* tree, int node, int entry, const crFloatBounds* bounds)
{
  Entry entries[CR_OVERFULL];
  for (int i = 0; i < CR_NODE_WIDTH; ++i) {
    entries[i] = readEntry(&tree->nodes[node], i);
  }
  entries[CR_NODE_WIDTH] = makeEntry(entry, bounds);
  int cut = arrange(entries);
  int other = crBoxTree_TakeNode(tree, tree->nodes[node].class, tree->nodes[node].height);
  fillNode(tree, node, entries, cut);
  fillNode(tree, other, entries + cut, CR_OVERFULL - cut);
  return other;
}

// ------------------------------------------------------------------------------------------- insert

// Negative differences become zero.
static crFloats positive(crFloats a)
{
  return (crFloats)((crFloatMask)a & (a > 0.0F));
}

static crFloats magnitude(crFloats a)
{
  return (crFloats)((crFloatMask)a & INT32_MAX);
}

// The entry that grows least; among those that grow alike, the one with the nearest centre.
static int chooseEntry(const crBoxNode* node, const crFloatBounds* bounds)
{
  crFloats growth = { 0.0F }, distance = { 0.0F };
  for (int k = 0; k < 6; ++k) {
    growth += positive(node->low[k] - bounds->low[k]);
  }
  for (int k = 0; k < 3; ++k) {
    distance += magnitude((node->low[k] - node->low[k + 3]) - (bounds->low[k] - bounds->low[k + 3]));
  }
  int best = 0;
  for (int j = 1; j < node->count; ++j) {
    bool isBetter = growth[j] < growth[best] || (growth[j] == growth[best] && distance[j] < distance[best]);
    best = isBetter ? j : best;
  }
  return best;
}

static int findLeaf(const crBoxTree* tree, int root, const crFloatBounds* bounds)
{
  int node = root;
  while (tree->nodes[node].height > 0) {
    node = tree->nodes[node].entry[chooseEntry(&tree->nodes[node], bounds)];
  }
  return node;
}

static void addEntry(crBoxTree* tree, int node, int entry, const crFloatBounds* bounds)
{
  crBoxNode* n = &tree->nodes[node];
  crBoxNode_SetEntry(n, n->count++, entry, bounds);
  adopt(tree, node, entry);
}

static void growRoot(crBoxTree* tree, int a, int b)
{
  int class = tree->nodes[a].class;
  int root = crBoxTree_TakeNode(tree, class, tree->nodes[a].height + 1);
  crFloatBounds boundsA = crBoxNode_Unite(&tree->nodes[a]), boundsB = crBoxNode_Unite(&tree->nodes[b]);
  addEntry(tree, root, a, &boundsA);
  addEntry(tree, root, b, &boundsB);
  crBoxTree_SetRoot(tree, class, root);
}

// Adds an entry to a node; where there is no room, halves go on upward.
static void insertEntry(crBoxTree* tree, int node, int entry, crFloatBounds bounds)
{
  while (tree->nodes[node].count == CR_NODE_WIDTH) {
    int other = split(tree, node, entry, &bounds), above = tree->nodes[node].parent;
    if (above == CR_NO_NODE) {
      growRoot(tree, node, other);
      return;
    }
    fitUpward(tree, node);
    entry = other;
    bounds = crBoxNode_Unite(&tree->nodes[other]);
    node = above;
  }
  addEntry(tree, node, entry, &bounds);
  fitUpward(tree, node);
}

static void plant(crBoxTree* tree, int class, const crBounds* bounds)
{
  crBoxTree_SetRoot(tree, class, crBoxTree_TakeNode(tree, class, 0));
  for (int k = 0; k < 3; ++k) {
    tree->origin[class][k] = bounds->low[k];
  }
}

void crBoxTree_Insert(crBoxTree* tree, int box, const crBounds* bounds)
{
  int class = findSizeClass(bounds);
  int height = tree->root[class] == CR_NO_NODE ? 0 : tree->nodes[tree->root[class]].height;
  if (tree->nodeCapacity - tree->nodeCount < height + 2) {
    crBoxTree_Rebuild(tree);
  }
  if (tree->root[class] == CR_NO_NODE) {
    plant(tree, class, bounds);
  }
  ++tree->placedCount;
  tree->changeCount += CR_INSERT_WEIGHT;
  tree->bounds[box] = *bounds;
  crFloatBounds rounded = crRoundBounds(bounds, tree->origin[class]);
  insertEntry(tree, findLeaf(tree, tree->root[class], &rounded), box, rounded);
}

// --------------------------------------------------------------------------------- remove and nudge

static void removeEntry(crBoxNode* node, int place)
{
  int last = node->count - 1;
  Entry moved = readEntry(node, last);
  crBoxNode_SetEntry(node, place, moved.entry, &moved.bounds);
  clearEntries(node, last);
}

// A root with a single node below it is not needed.
static void lowerRoot(crBoxTree* tree, int class)
{
  int root = tree->root[class];
  while (tree->nodes[root].height > 0 && tree->nodes[root].count == 1) {
    int below = tree->nodes[root].entry[0];
    giveBackNode(tree, root);
    tree->nodes[below].parent = CR_NO_NODE;
    root = below;
  }
  crBoxTree_SetRoot(tree, class, root);
}

void crBoxTree_Remove(crBoxTree* tree, int box)
{
  int node = tree->leaf[box], entry = box;
  int class = tree->nodes[node].class;
  tree->leaf[box] = CR_NO_NODE;
  tree->bounds[box] = crEmptyBounds();
  --tree->placedCount;
  removeEntry(&tree->nodes[node], findEntry(&tree->nodes[node], entry));
  while (tree->nodes[node].count == 0) {
    int above = tree->nodes[node].parent;
    entry = node;
    giveBackNode(tree, node);
    if (above == CR_NO_NODE) {
      crBoxTree_SetRoot(tree, class, CR_NO_NODE);
      return;
    }
    node = above;
    removeEntry(&tree->nodes[node], findEntry(&tree->nodes[node], entry));
  }
  fitUpward(tree, node);
  lowerRoot(tree, class);
}

void crBoxTree_Nudge(crBoxTree* tree, int box, const crBounds* bounds)
{
  int leaf = tree->leaf[box];
  crBoxNode* n = &tree->nodes[leaf];
  crFloatBounds rounded = crRoundBounds(bounds, tree->origin[n->class]);
  tree->bounds[box] = *bounds;
  ++tree->changeCount;
  if (setBounds(n, findEntry(n, box), &rounded)) {
    fitUpward(tree, leaf);
  }
}
