// Insertion, removal and search in the forest of boxes.
//
// A new leaf descends to the child that it would inflate less, measured by the sum of edge lengths: unlike the
// surface area that ray tracers use, it also tells boxes apart that are points or lie on a line. Below the
// leaf that it reaches, both get a new parent; on the way back up boxes and heights are mended by rotations
// as in AVL trees [AdelsonVelskyLandis62].
#include "collide/box_tree.h"

// Class 0 holds all boxes with a largest edge below 2^CR_CLASS_BITS x 2^CR_SMALLEST_EXPONENT [m], the last class
// all above the largest such limit. Beyond these sizes queries slow down, but nothing is missed.
#define CR_SMALLEST_EXPONENT (-60)
#define CR_CLASS_BITS 3

void crBoxTree_Init(crBoxTree* tree, int boxCount)
{
  for (int i = 0; i < boxCount; ++i) {
    tree->bounds[i] = crEmptyBounds();
    tree->leaf[i] = CR_NO_NODE;
  }
  tree->placedCount = tree->changeCount = 0;
  tree->freeNode = CR_NO_NODE;
  tree->untouchedNode = 0;
  for (int c = 0; c < CR_SIZE_CLASSES; ++c) {
    tree->root[c] = CR_NO_NODE;
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

// ------------------------------------------------------------------------------------------ balance

// Puts `node` where `old` hangs: below `parent`, or at the root of the class.
static void replaceChild(crBoxTree* tree, int class, int parent, int old, int node)
{
  tree->nodes[node].parent = parent;
  if (parent == CR_NO_NODE) {
    tree->root[class] = node;
  } else {
    int* child = tree->nodes[parent].child;
    child[child[0] == old ? 0 : 1] = node;
  }
}

// [m] sum of edges of the union
static double jointSize(const crBounds* a, const crBounds* b)
{
  double size = 0.0;
  for (int k = 0; k < 6; ++k) {
    size -= a->low[k] < b->low[k] ? a->low[k] : b->low[k];
  }
  return size;
}

static double ownSize(const crBounds* a)
{
  return -(((a->low[0] + a->low[1]) + (a->low[2] + a->low[3])) + (a->low[4] + a->low[5]));
}

// Which grandchild below `high` stays there when `node` sinks below it: the higher one; of two equally high
// ones that which leaves the smaller union for `node` and the other.
static int chooseStaying(const crBoxTree* tree, int low, int high)
{
  const crBoxNode* nodes = tree->nodes;
  const int* child = nodes[high].child;
  int difference = nodes[child[0]].height - nodes[child[1]].height;
  if (difference != 0) {
    return difference > 0 ? 0 : 1;
  }
  const crBounds* sibling = &nodes[low].bounds;
  return jointSize(sibling, &nodes[child[1]].bounds) <= jointSize(sibling, &nodes[child[0]].bounds) ? 0 : 1;
}

//       node                 high
//      /    \               /    \ .
//    low    high    ->    node   staying
//          /    \        /    \ .
//    moving  staying   low   moving
static int rotate(crBoxTree* tree, int class, int node, int highSide)
{
  crBoxNode* n = &tree->nodes[node];
  int high = n->child[highSide], low = n->child[1 - highSide];
  int stayingSide = chooseStaying(tree, low, high);
  int moving = tree->nodes[high].child[1 - stayingSide];

  replaceChild(tree, class, n->parent, node, high);
  tree->nodes[high].child[1 - stayingSide] = node;
  n->parent = high;
  n->child[highSide] = moving;
  tree->nodes[moving].parent = node;
  crBoxTree_FitNode(tree, node);
  return high;
}

// Mends boxes, heights and balance from `node` up to where nothing changes any more.
static void mendUpward(crBoxTree* tree, int class, int node)
{
  while (node != CR_NO_NODE) {
    crBounds oldBounds = tree->nodes[node].bounds;
    int oldHeight = tree->nodes[node].height;
    const int* child = tree->nodes[node].child;
    int lean = tree->nodes[child[1]].height - tree->nodes[child[0]].height;
    if (lean < -1 || lean > 1) {
      node = rotate(tree, class, node, lean > 0 ? 1 : 0);
    }
    crBoxTree_FitNode(tree, node);
    const crBoxNode* n = &tree->nodes[node];
    if (n->height == oldHeight && crBounds_AreEqual(&n->bounds, &oldBounds)) {
      return;
    }
    node = n->parent;
  }
}

// -------------------------------------------------------------------------------- insert and remove

// Twice the distance of the centres, summed over the axes [m].
static double centreDistance(const crBounds* a, const crBounds* b)
{
  double distance = 0.0;
  for (int k = 0; k < 3; ++k) {
    distance += fabs((a->low[k] - a->low[k + 3]) - (b->low[k] - b->low[k + 3]));
  }
  return distance;
}

static int chooseChild(const crBoxTree* tree, const int child[2], const crBounds* bounds)
{
  const crBoxNode *a = &tree->nodes[child[0]], *b = &tree->nodes[child[1]];
  double growthA = jointSize(&a->bounds, bounds) - ownSize(&a->bounds);
  double growthB = jointSize(&b->bounds, bounds) - ownSize(&b->bounds);
  if (growthA != growthB) {
    return growthA < growthB ? child[0] : child[1];
  }
  double distanceA = centreDistance(&a->bounds, bounds), distanceB = centreDistance(&b->bounds, bounds);
  if (distanceA != distanceB) {
    return distanceA < distanceB ? child[0] : child[1];
  }
  return a->height <= b->height ? child[0] : child[1];
}

static int findSibling(const crBoxTree* tree, int root, const crBounds* bounds)
{
  int node = root;
  while (!crBoxNode_IsLeaf(&tree->nodes[node])) {
    node = chooseChild(tree, tree->nodes[node].child, bounds);
  }
  return node;
}

static int makeLeaf(crBoxTree* tree, int box, int class, const crBounds* bounds)
{
  int leaf = crBoxTree_TakeNode(tree);
  tree->nodes[leaf] = (crBoxNode){ *bounds, CR_NO_NODE, { box, class }, 0 };
  tree->leaf[box] = leaf;
  tree->bounds[box] = *bounds;
  return leaf;
}

void crBoxTree_Insert(crBoxTree* tree, int box, const crBounds* bounds)
{
  int class = findSizeClass(bounds);
  int leaf = makeLeaf(tree, box, class, bounds);
  ++tree->placedCount;
  ++tree->changeCount;
  if (tree->root[class] == CR_NO_NODE) {
    tree->root[class] = leaf;
    return;
  }
  crBoxNode* nodes = tree->nodes;
  int sibling = findSibling(tree, tree->root[class], bounds);
  int joint = crBoxTree_TakeNode(tree);
  nodes[joint].child[0] = sibling;
  nodes[joint].child[1] = leaf;
  replaceChild(tree, class, nodes[sibling].parent, sibling, joint);
  nodes[sibling].parent = joint;
  nodes[leaf].parent = joint;
  crBoxTree_FitNode(tree, joint);
  mendUpward(tree, class, nodes[joint].parent);
}

static void giveBackNode(crBoxTree* tree, int node)
{
  tree->nodes[node].parent = tree->freeNode;
  tree->freeNode = node;
}

void crBoxTree_Remove(crBoxTree* tree, int box)
{
  crBoxNode* nodes = tree->nodes;
  int leaf = tree->leaf[box];
  int class = nodes[leaf].child[1], joint = nodes[leaf].parent;
  tree->leaf[box] = CR_NO_NODE;
  tree->bounds[box] = crEmptyBounds();
  --tree->placedCount;
  giveBackNode(tree, leaf);
  if (joint == CR_NO_NODE) {
    tree->root[class] = CR_NO_NODE;
    return;
  }
  int sibling = nodes[joint].child[nodes[joint].child[0] == leaf ? 1 : 0];
  int above = nodes[joint].parent;
  replaceChild(tree, class, above, joint, sibling);
  giveBackNode(tree, joint);
  mendUpward(tree, class, above);
}

// Nodes above only grow, until the next rebuild: making them tight would need their other children, which lie
// elsewhere in memory.
void crBoxTree_Nudge(crBoxTree* tree, int box, const crBounds* bounds)
{
  crBoxNode* nodes = tree->nodes;
  int leaf = tree->leaf[box];
  nodes[leaf].bounds = *bounds;
  tree->bounds[box] = *bounds;
  ++tree->changeCount;
  int node = nodes[leaf].parent;
  while (node != CR_NO_NODE && !crBounds_Contain(&nodes[node].bounds, bounds)) {
    nodes[node].bounds = crUniteBounds(&nodes[node].bounds, bounds);
    node = nodes[node].parent;
  }
}

// ------------------------------------------------------------------------------------------- search

static int findOverlapsBelow(const crBoxNode* nodes, int root, const crBounds* bounds, double margin, int* outBoxes)
{
  int stack[CR_TREE_STACK];
  int count = 0, depth = 0;
  stack[depth++] = root;
  while (depth > 0) {
    int node = stack[--depth];
    const crBoxNode* n = &nodes[node];
    if (!crBounds_Overlap(&n->bounds, bounds, margin)) {
      continue;
    }
    if (crBoxNode_IsLeaf(n)) {
      outBoxes[count++] = crBoxNode_Box(n);
    } else {
      stack[depth++] = n->child[1];
      stack[depth++] = n->child[0];
    }
  }
  return count;
}

int crBoxTree_FindOverlaps(const crBoxTree* tree, const crBounds* bounds, double margin, int* outBoxes)
{
  int count = 0;
  for (int c = 0; c < CR_SIZE_CLASSES; ++c) {
    if (tree->root[c] != CR_NO_NODE) {
      count += findOverlapsBelow(tree->nodes, tree->root[c], bounds, margin, outBoxes + count);
    }
  }
  return count;
}

static void walkBelow(const crBoxNode* nodes, int root, const crBoxWalk* walk)
{
  int stack[CR_TREE_STACK];
  int depth = 0;
  stack[depth++] = root;
  while (depth > 0) {
    int node = stack[--depth];
    const crBoxNode* n = &nodes[node];
    if (!walk->isMet(walk->context, &n->bounds)) {
      continue;
    }
    if (crBoxNode_IsLeaf(n)) {
      walk->visit(walk->context, crBoxNode_Box(n));
    } else {
      stack[depth++] = n->child[1];
      stack[depth++] = n->child[0];
    }
  }
}

void crBoxTree_Walk(const crBoxTree* tree, const crBoxWalk* walk)
{
  for (int c = 0; c < CR_SIZE_CLASSES; ++c) {
    if (tree->root[c] != CR_NO_NODE) {
      walkBelow(tree->nodes, tree->root[c], walk);
    }
  }
}
