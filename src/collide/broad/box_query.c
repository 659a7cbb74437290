// Boxes at a point, in a box, along a ray.
//
// Visitors are called in ascending order of box numbers, and the queries neither allocate nor write into the
// broad phase, so several threads may ask at the same time. A pass over the forest collects the smallest
// numbers above those visited so far, as many as fit on the stack; passes are repeated until one finds no more
// than it can hold.
#include "collide/broad/box_tree_search.h"
#include "collide/broad/broad_phase.h"

#define CR_HITS_PER_PASS 512
#define CR_PENDING 64
#define CR_FEW_HITS 24 // sorted by insertion

// Components of a unit vector below this count as zero: their reciprocal would overflow.
#define CR_PARALLEL 1e-300

typedef struct Query {
  const crBroadPhase* broadPhase;
  bool isRay;
  crBounds bounds;   // box and point
  double start[3];   // ray
  double inverse[3]; // 1 / direction; 0: parallel to the other axes
  double length;
  int above; // only boxes with larger numbers count
  int hits[CR_HITS_PER_PASS];
  int hitCount;
  int pending[CR_PENDING]; // boxes that may be hits
  int pendingCount;
  bool isOverfull; // a hit had to go; the hits are a heap with the largest number on top
} Query;

// --------------------------------------------------------------------------------------------- hits

static void siftDown(int* heap, int count, int i)
{
  for (;;) {
    int largest = i;
    for (int child = 2 * i + 1; child <= 2 * i + 2 && child < count; ++child) {
      largest = heap[child] > heap[largest] ? child : largest;
    }
    if (largest == i) {
      return;
    }
    int held = heap[i];
    heap[i] = heap[largest];
    heap[largest] = held;
    i = largest;
  }
}

static void makeHeap(int* heap, int count)
{
  for (int i = count / 2 - 1; i >= 0; --i) {
    siftDown(heap, count, i);
  }
}

static void noteHit(Query* query, int box)
{
  if (query->hitCount < CR_HITS_PER_PASS) {
    query->hits[query->hitCount++] = box;
    return;
  }
  if (!query->isOverfull) {
    query->isOverfull = true;
    makeHeap(query->hits, query->hitCount);
  }
  if (box < query->hits[0]) {
    query->hits[0] = box;
    siftDown(query->hits, query->hitCount, 0);
  }
}

static void insertionSort(int* numbers, int count)
{
  for (int i = 1; i < count; ++i) {
    int number = numbers[i], j = i;
    for (; j > 0 && numbers[j - 1] > number; --j) {
      numbers[j] = numbers[j - 1];
    }
    numbers[j] = number;
  }
}

static void sortHits(Query* query)
{
  if (query->hitCount <= CR_FEW_HITS) {
    insertionSort(query->hits, query->hitCount);
    return;
  }
  makeHeap(query->hits, query->hitCount);
  for (int end = query->hitCount - 1; end > 0; --end) {
    int held = query->hits[0];
    query->hits[0] = query->hits[end];
    query->hits[end] = held;
    siftDown(query->hits, end, 0);
  }
}

// --------------------------------------------------------------------------------------------- search

// The ray is inside the slab of each axis for an interval of lengths; it meets the box when these have a
// length in common. Larger bounds give larger intervals even when rounded, so outer boxes are never missed.
static bool isRayMet(const Query* query, const crBounds* bounds)
{
  double enter = 0.0, leave = query->length;
  for (int k = 0; k < 3; ++k) {
    double toMin = bounds->low[k] - query->start[k], toMax = -bounds->low[k + 3] - query->start[k];
    if (query->inverse[k] == 0.0) {
      leave = toMin <= 0.0 && toMax >= 0.0 ? leave : -1.0;
      continue;
    }
    double a = toMin * query->inverse[k], b = toMax * query->inverse[k];
    enter = fmax(enter, fmin(a, b));
    leave = fmin(leave, fmax(a, b));
  }
  return enter <= leave;
}

static bool isNodeMet(const void* context, const crBounds* bounds)
{
  return isRayMet(context, bounds);
}

static void tryRay(void* context, int box)
{
  Query* query = context;
  if (box > query->above && isRayMet(query, &query->broadPhase->boxes[box].bounds)) {
    noteHit(query, box);
  }
}

static void tryBox(Query* query, int box)
{
  if (box > query->above && crBounds_Overlap(&query->bounds, &query->broadPhase->boxes[box].bounds, 0.0)) {
    noteHit(query, box);
  }
}

static void tryPending(Query* query)
{
  for (int i = 0; i < query->pendingCount; ++i) {
    tryBox(query, query->pending[i]);
  }
  query->pendingCount = 0;
}

// Asks for the box and leaves it for later: boxes lie in memory by number, and come from anywhere.
static inline void notePending(void* context, int box)
{
  Query* query = context;
  __builtin_prefetch(&query->broadPhase->boxes[box]);
  query->pending[query->pendingCount++] = box;
  if (query->pendingCount == CR_PENDING) {
    tryPending(query);
  }
}

static void findRayHits(Query* query)
{
  const crBroadPhase* broadPhase = query->broadPhase;
  const crBoxWalk walk = { isNodeMet, tryRay, query };
  crBoxTree_Walk(&broadPhase->tree, &walk);
  for (int i = 0; i < broadPhase->unboundedCount; ++i) {
    tryRay(query, broadPhase->unbounded[i]);
  }
}

static void findBoxHits(Query* query)
{
  const crBroadPhase* broadPhase = query->broadPhase;
  query->pendingCount = 0;
  crBoxTree_WalkOverlaps(&broadPhase->tree, &query->bounds, 0.0, notePending, query);
  for (int i = 0; i < broadPhase->unboundedCount; ++i) {
    notePending(query, broadPhase->unbounded[i]);
  }
  tryPending(query);
}

static void visitHits(Query* query, crBoxVisitor visit, void* context)
{
  query->above = -1;
  do {
    query->hitCount = 0;
    query->isOverfull = false;
    if (query->isRay) {
      findRayHits(query);
    } else {
      findBoxHits(query);
    }
    sortHits(query);
    for (int i = 0; i < query->hitCount; ++i) {
      visit(context, query->hits[i]);
    }
    query->above = query->hitCount > 0 ? query->hits[query->hitCount - 1] : query->above;
  } while (query->isOverfull);
}

// ------------------------------------------------------------------------------------------ queries

void crBroadPhase_QueryBox(const crBroadPhase* broadPhase, crAabb box, crBoxVisitor visit, void* context)
{
  if (broadPhase == NULL || visit == NULL) {
    return;
  }
  Query query; // without clearing the hits
  query.broadPhase = broadPhase;
  query.isRay = false;
  query.bounds = crMakeBounds(box);
  if (!crBounds_HasNan(&query.bounds) && !crBounds_IsEmpty(&query.bounds)) {
    visitHits(&query, visit, context);
  }
}

void crBroadPhase_QueryPoint(const crBroadPhase* broadPhase, crVec3 p, crBoxVisitor visit, void* context)
{
  crAabb box = { p, p };
  crBroadPhase_QueryBox(broadPhase, box, visit, context);
}

void crBroadPhase_QueryRay(const crBroadPhase* broadPhase, crVec3 p, crVec3 d, double length, crBoxVisitor visit,
                           void* context)
{
  if (broadPhase == NULL || visit == NULL || !crIsFiniteVec3(p) || !crIsFiniteVec3(d) || !(length >= 0.0)) {
    return;
  }
  crVec3 u = crNormalize(d);
  double direction[3] = { u.x, u.y, u.z };
  Query query = { .broadPhase = broadPhase, .isRay = true, .start = { p.x, p.y, p.z }, .length = length };
  for (int k = 0; k < 3; ++k) {
    query.inverse[k] = fabs(direction[k]) > CR_PARALLEL ? 1.0 / direction[k] : 0.0;
  }
  visitHits(&query, visit, context);
}
