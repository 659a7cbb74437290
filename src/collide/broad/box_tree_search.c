// Searches in the forest of boxes.
#include "collide/broad/box_tree_search.h"

// Boxes overlap when a + b <= margin for the low bounds of opposite sides, in floating point (crBounds_Overlap). Then
// a <= margin - b up to the roundings of both sums, which are added here.
crBoxLimits crMakeBoxLimits(const crBounds* bounds, double margin, const double origin[3])
{
  crBoxLimits limits;
  for (int k = 0; k < 6; ++k) {
    double b = bounds->low[k < 3 ? k + 3 : k - 3];
    double most = margin - b + 4.0 * DBL_EPSILON * (margin + fabs(b));
    limits.most[k] = (crFloats){ 0.0F } + crRoundBound(most - crOriginOf(origin, k));
  }
  return limits;
}

typedef struct Finding {
  const crBoxTree* tree;
  const crBounds* bounds;
  double margin;
  int* boxes;
  int count;
} Finding;

static inline void noteOverlap(void* context, int box)
{
  Finding* finding = context;
  if (crBounds_Overlap(&finding->tree->bounds[box], finding->bounds, finding->margin)) {
    finding->boxes[finding->count++] = box;
  }
}

int crBoxTree_FindOverlaps(const crBoxTree* tree, const crBounds* bounds, double margin, int* outBoxes)
{
  Finding finding = { tree, bounds, margin, outBoxes, 0 };
  crBoxTree_WalkOverlaps(tree, bounds, margin, noteOverlap, &finding);
  return finding.count;
}

// --------------------------------------------------------------------------------------- other questions

// Contains the exact bounds of an entry: rounding to float moved them by half a unit at most, adding the origin by less
// than the last term.
static crBounds widenBounds(const crBoxNode* node, int place, const double origin[3])
{
  crBounds b;
  for (int k = 0; k < 6; ++k) {
    double low = nextafterf(node->low[k][place], -HUGE_VALF), o = crOriginOf(origin, k);
    b.low[k] = low + o - 4.0 * DBL_EPSILON * (fabs(low) + fabs(o));
  }
  return b;
}

static void walkBelow(const crBoxTree* tree, int root, const crBoxWalk* walk)
{
  const double* origin = tree->origin[tree->nodes[root].class];
  int stack[CR_TREE_STACK];
  int depth = 0;
  stack[depth++] = root;
  while (depth > 0) {
    const crBoxNode* n = &tree->nodes[stack[--depth]];
    for (int j = 0; j < n->count; ++j) {
      crBounds bounds = widenBounds(n, j, origin);
      if (!walk->isMet(walk->context, &bounds)) {
        continue;
      }
      if (n->height == 0) {
        walk->visit(walk->context, n->entry[j]);
      } else {
        stack[depth++] = n->entry[j];
      }
    }
  }
}

void crBoxTree_Walk(const crBoxTree* tree, const crBoxWalk* walk)
{
  for (unsigned classes = tree->usedClasses; classes != 0;) {
    walkBelow(tree, tree->root[crTakeBit(&classes)], walk);
  }
}
