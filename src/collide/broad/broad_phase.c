// Creating a broad phase, setting boxes, finding pairs.
#include "collide/broad/broad_phase.h"

#include "base/memory.h"

// How loose a loose box is, by the motion since the box was last set: each side that moves outward gets
// CR_LOOK_AHEAD times its step, all sides get CR_LEEWAY times the largest step, both together at most
// CR_MAX_LOOSENESS times the middle edge of the box (the thickness of a rod, the width of a plate). A larger
// step than that is a jump, which foretells nothing: then the loose box is tight. Larger values mean fewer new
// loose boxes but more candidates; the answers do not depend on them. Chosen by bench_broad.
#define CR_LOOK_AHEAD 48.0   // [calls]
#define CR_LEEWAY 12.0       // [calls] for motions that turn
#define CR_MAX_LOOSENESS 0.7 // [-]

// A box that has shrunk so far that its loose box is longer by this many middle edges gets a new one; more than twice
// CR_MAX_LOOSENESS.
#define CR_MAX_SLACK 1.5 // [-]

// A loose box that overlaps the one before keeps its place in its tree so many times; then it looks for a new one.
#define CR_MAX_NUDGES 8

// When more than this share of the boxes moved, all candidates are tested in one pass in the order of memory,
// which reads ahead by so many of them, instead of those of each moved box.
#define CR_MANY_MOVED 0.25 // [-]
#define CR_READ_AHEAD 64

// Displaced boxes whose candidates are asked for ahead.
#define CR_FEW_AHEAD 4

// [m] Boxes that reach farther count as unbounded: sums of their edges must not overflow.
#define CR_FARTHEST 1e100

static double larger(double a, double b)
{
  return a > b ? a : b;
}

static double smaller(double a, double b)
{
  return a < b ? a : b;
}

// -------------------------------------------------------------------------------- create and destroy

// Nodes and boxes start at cache lines, in one block.
static size_t countAlignedBytes(int boxCount)
{
  return (size_t)crBoxTree_CountNodes(boxCount) * sizeof(crBoxNode) + (size_t)boxCount * sizeof(crTrackedBox) +
         CR_NODE_ALIGNMENT;
}

static void placeAligned(crBroadPhase* broadPhase)
{
  size_t excess = (uintptr_t)broadPhase->aligned % CR_NODE_ALIGNMENT;
  int nodeCapacity = crBoxTree_CountNodes(broadPhase->boxCount);
  broadPhase->tree.nodes = (void*)(broadPhase->aligned + (excess > 0 ? CR_NODE_ALIGNMENT - excess : 0));
  broadPhase->tree.nodeCapacity = nodeCapacity;
  broadPhase->boxes = (void*)(broadPhase->tree.nodes + nodeCapacity);
}

static void releaseArrays(crBroadPhase* broadPhase)
{
  const crAllocator* allocator = &broadPhase->allocator;
  size_t n = (size_t)broadPhase->boxCount;
  crFree(allocator, broadPhase->aligned, countAlignedBytes(broadPhase->boxCount));
  crFree(allocator, broadPhase->tree.bounds, n * sizeof *broadPhase->tree.bounds);
  crFree(allocator, broadPhase->tree.leaf, n * sizeof *broadPhase->tree.leaf);
  crFree(allocator, broadPhase->owners, n * sizeof *broadPhase->owners);
  crFree(allocator, broadPhase->unbounded, n * sizeof *broadPhase->unbounded);
  crFree(allocator, broadPhase->moved, n * sizeof *broadPhase->moved);
  crFree(allocator, broadPhase->displaced, n * sizeof *broadPhase->displaced);
  crFree(allocator, broadPhase->hits, n * sizeof *broadPhase->hits);
  crFree(allocator, broadPhase->keys, 2 * n * sizeof *broadPhase->keys);
  crFree(allocator, broadPhase->tree.items, n * sizeof *broadPhase->tree.items);
  crFree(allocator, broadPhase->candidates.first, n * sizeof *broadPhase->candidates.first);
}

static bool allocateArrays(crBroadPhase* broadPhase, const int* owners)
{
  const crAllocator* allocator = &broadPhase->allocator;
  size_t n = (size_t)broadPhase->boxCount;
  broadPhase->aligned = crAllocateZero(allocator, countAlignedBytes(broadPhase->boxCount), 1);
  broadPhase->tree.bounds = crAllocateZero(allocator, n, sizeof *broadPhase->tree.bounds);
  broadPhase->tree.leaf = crAllocateZero(allocator, n, sizeof *broadPhase->tree.leaf);
  broadPhase->unbounded = crAllocateZero(allocator, n, sizeof *broadPhase->unbounded);
  broadPhase->moved = crAllocateZero(allocator, n, sizeof *broadPhase->moved);
  broadPhase->displaced = crAllocateZero(allocator, n, sizeof *broadPhase->displaced);
  broadPhase->hits = crAllocateZero(allocator, n, sizeof *broadPhase->hits);
  broadPhase->keys = crAllocateZero(allocator, 2 * n, sizeof *broadPhase->keys);
  broadPhase->tree.items = crAllocateZero(allocator, n, sizeof *broadPhase->tree.items);
  broadPhase->candidates.first = crAllocateZero(allocator, n, sizeof *broadPhase->candidates.first);
  if (owners != NULL) {
    broadPhase->owners = crAllocateZero(allocator, n, sizeof *broadPhase->owners);
  }
  bool isComplete = broadPhase->aligned != NULL && broadPhase->tree.bounds != NULL && broadPhase->tree.leaf != NULL &&
                    broadPhase->unbounded != NULL && broadPhase->moved != NULL && broadPhase->displaced != NULL &&
                    broadPhase->hits != NULL && broadPhase->keys != NULL && broadPhase->tree.items != NULL &&
                    broadPhase->candidates.first != NULL && (owners == NULL || broadPhase->owners != NULL);
  return isComplete || (n == 0 && broadPhase->aligned != NULL);
}

static void fillArrays(crBroadPhase* broadPhase, const int* owners)
{
  placeAligned(broadPhase);
  for (int i = 0; i < broadPhase->boxCount; ++i) {
    broadPhase->boxes[i].bounds = crEmptyBounds();
    broadPhase->candidates.first[i] = CR_NO_CANDIDATE;
    if (owners != NULL) {
      broadPhase->owners[i] = owners[i];
    }
  }
  crBoxTree_Init(&broadPhase->tree, broadPhase->boxCount);
}

crStatus crCreateBroadPhase(int boxCount, const int* owners, crPairFilter filter, double margin,
                            const crAllocator* allocator, crBroadPhase** outBroadPhase)
{
  if (outBroadPhase == NULL) {
    return cr_errorMisuse;
  }
  *outBroadPhase = NULL;
  if (boxCount < 0 || !(margin >= 0.0) || !isfinite(margin)) {
    return cr_errorMisuse;
  }
  if (boxCount > CR_MAX_BOXES) {
    return cr_errorLimit;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crBroadPhase* broadPhase = crAllocateZero(&chosen, 1, sizeof *broadPhase);
  if (broadPhase == NULL) {
    return cr_errorMemory;
  }
  broadPhase->allocator = chosen;
  broadPhase->filter = filter;
  broadPhase->margin = margin;
  broadPhase->looseness = CR_MAX_LOOSENESS;
  broadPhase->boxCount = boxCount;
  if (!allocateArrays(broadPhase, owners)) {
    crDestroyBroadPhase(broadPhase);
    return cr_errorMemory;
  }
  fillArrays(broadPhase, owners);
  *outBroadPhase = broadPhase;
  return cr_ok;
}

void crBroadPhase_Tighten(crBroadPhase* broadPhase, double looseness)
{
  broadPhase->looseness = looseness;
  crCandidates_Shrink(&broadPhase->candidates, &broadPhase->allocator);
}

void crDestroyBroadPhase(crBroadPhase* broadPhase)
{
  if (broadPhase == NULL) {
    return;
  }
  crAllocator allocator = broadPhase->allocator;
  crArray_Free(&broadPhase->candidates, &allocator);
  crPairList_Free(&broadPhase->list, &allocator);
  releaseArrays(broadPhase);
  crFree(&allocator, broadPhase, sizeof *broadPhase);
}

// -------------------------------------------------------------------------------------- loose boxes

static crBoxKind classify(const crBounds* bounds)
{
  if (crBounds_IsEmpty(bounds)) {
    return cr_boxEmpty;
  }
  for (int k = 0; k < 6; ++k) {
    if (fabs(bounds->low[k]) > CR_FARTHEST) {
      return cr_boxUnbounded;
    }
  }
  return cr_boxBounded;
}

static double middleEdge(const crBounds* b)
{
  double x = crBounds_Extent(b, 0), y = crBounds_Extent(b, 1), z = crBounds_Extent(b, 2);
  return larger(smaller(x, y), smaller(larger(x, y), z));
}

// old may be empty or unbounded: then the step is infinite or no number, and the result is tight.
static crBounds loosen(const crBounds* old, const crBounds* bounds, double looseness)
{
  double step = 0.0;
  for (int k = 0; k < 6; ++k) {
    step = larger(step, fabs(old->low[k] - bounds->low[k]));
  }
  double most = looseness * middleEdge(bounds);
  if (!(step <= most)) {
    return *bounds;
  }
  crBounds loose;
  for (int k = 0; k < 6; ++k) {
    double outward = larger(0.0, old->low[k] - bounds->low[k]);
    loose.low[k] = bounds->low[k] - smaller(most, CR_LOOK_AHEAD * outward + CR_LEEWAY * step);
  }
  return loose;
}

static bool isTooLoose(const crBounds* loose, const crBounds* bounds)
{
  double slack = 0.0;
  for (int k = 0; k < 3; ++k) {
    slack = larger(slack, crBounds_Extent(loose, k) - crBounds_Extent(bounds, k));
  }
  return slack > CR_MAX_SLACK * middleEdge(bounds);
}

// Whether a box may stay in its loose box. Written so that bounds that are no numbers never may.
static bool stays(const crTrackedBox* tracked, const crBounds* loose, const crBounds* bounds)
{
  const double* low = bounds->low;
  bool isProper = low[0] <= -low[3] && low[1] <= -low[4] && low[2] <= -low[5];
  return tracked->kind == cr_boxBounded && isProper && crBounds_Contain(loose, bounds) && !isTooLoose(loose, bounds);
}

static void removeUnbounded(crBroadPhase* broadPhase, int box)
{
  int place = 0;
  while (broadPhase->unbounded[place] != box) {
    ++place;
  }
  broadPhase->unbounded[place] = broadPhase->unbounded[--broadPhase->unboundedCount];
  broadPhase->tree.bounds[box] = crEmptyBounds();
}

static void insertUnbounded(crBroadPhase* broadPhase, int box, const crBounds* bounds)
{
  broadPhase->unbounded[broadPhase->unboundedCount++] = box;
  broadPhase->tree.bounds[box] = *bounds;
}

static void removeBox(crBroadPhase* broadPhase, int box)
{
  crBoxKind kind = broadPhase->boxes[box].kind;
  if (kind == cr_boxBounded) {
    crBoxTree_Remove(&broadPhase->tree, box);
  } else if (kind == cr_boxUnbounded) {
    removeUnbounded(broadPhase, box);
  }
}

static void placeBounded(crBroadPhase* broadPhase, int box, const crBounds* bounds)
{
  crTrackedBox* tracked = &broadPhase->boxes[box];
  crBounds loose = loosen(&tracked->bounds, bounds, broadPhase->looseness);
  bool isNear = tracked->kind == cr_boxBounded && tracked->nudgeCount < CR_MAX_NUDGES &&
                crBounds_Overlap(&loose, &broadPhase->tree.bounds[box], 0.0);
  if (isNear) {
    ++tracked->nudgeCount;
    crBoxTree_Nudge(&broadPhase->tree, box, &loose);
  } else {
    removeBox(broadPhase, box);
    tracked->nudgeCount = 0;
    crBoxTree_Insert(&broadPhase->tree, box, &loose);
  }
}

// Between searches, too, the forest is built anew after so many changes: a scheduler may set boxes and ask about them
// for ever without finding pairs.
static void displace(crBroadPhase* broadPhase, int box, crBoxKind kind, const crBounds* bounds)
{
  crTrackedBox* tracked = &broadPhase->boxes[box];
  if (kind == cr_boxBounded) {
    placeBounded(broadPhase, box, bounds);
  } else {
    removeBox(broadPhase, box);
    if (kind == cr_boxUnbounded) {
      insertUnbounded(broadPhase, box, bounds);
    }
  }
  tracked->kind = (uint8_t)kind;
  if (crBoxTree_NeedsRebuild(&broadPhase->tree)) {
    crBoxTree_Rebuild(&broadPhase->tree);
  }
  if (!tracked->isDisplaced) {
    tracked->isDisplaced = true;
    broadPhase->displaced[broadPhase->displacedCount++] = box;
  }
}

static void noteMoved(crBroadPhase* broadPhase, int box)
{
  int place = broadPhase->boxes[box].movedPlace;
  if (place >= broadPhase->movedCount || broadPhase->moved[place] != box) {
    broadPhase->boxes[box].movedPlace = broadPhase->movedCount;
    broadPhase->moved[broadPhase->movedCount++] = box;
  }
}

crStatus crBroadPhase_SetBox(crBroadPhase* broadPhase, int box, crAabb bounds)
{
  if (broadPhase == NULL || box < 0 || box >= broadPhase->boxCount) {
    return cr_errorMisuse;
  }
  crTrackedBox* tracked = &broadPhase->boxes[box];
  crBounds new = crMakeBounds(bounds);
  if (crBounds_AreEqual(&tracked->bounds, &new)) {
    return cr_ok;
  }
  if (!stays(tracked, &broadPhase->tree.bounds[box], &new)) {
    if (crBounds_HasNan(&new)) {
      return cr_errorMisuse;
    }
    crBoxKind kind = classify(&new);
    new = kind == cr_boxEmpty ? crEmptyBounds() : new;
    if (kind == cr_boxEmpty && tracked->kind == cr_boxEmpty) {
      return cr_ok;
    }
    displace(broadPhase, box, kind, &new);
  }
  tracked->bounds = new;
  noteMoved(broadPhase, box);
  return cr_ok;
}

// --------------------------------------------------------------------------------------- candidates

// A number that no box is stamped with.
static uint32_t nextStamp(crBroadPhase* broadPhase)
{
  if (++broadPhase->stamp == 0) {
    for (int i = 0; i < broadPhase->boxCount; ++i) {
      broadPhase->boxes[i].stamp = 0;
    }
    broadPhase->stamp = 1;
  }
  return broadPhase->stamp;
}

static bool removeCandidate(crBroadPhase* broadPhase, int index)
{
  const crCandidate* c = &broadPhase->candidates.items[index];
  if (c->isListed && !crPairList_Toggle(&broadPhase->list, &broadPhase->allocator, c->box[0], c->box[1])) {
    return false;
  }
  crCandidates_Remove(&broadPhase->candidates, index);
  return true;
}

// Drops the candidates of a box that are far now, and stamps the boxes of the others.
static bool shedCandidates(crBroadPhase* broadPhase, int box, uint32_t stamp)
{
  const crBounds* loose = broadPhase->tree.bounds;
  int index = broadPhase->candidates.first[box];
  while (index != CR_NO_CANDIDATE) {
    const crCandidate* c = &broadPhase->candidates.items[index];
    int side = crCandidate_Side(c, box);
    int other = c->box[1 - side], next = c->next[side];
    if (crBounds_Overlap(&loose[box], &loose[other], broadPhase->margin)) {
      broadPhase->boxes[other].stamp = stamp;
    } else if (!removeCandidate(broadPhase, index)) {
      return false;
    } else if (next == broadPhase->candidates.count) {
      next = index; // the last one, which has taken the free place
    }
    index = next;
  }
  return true;
}

static bool addCandidate(crBroadPhase* broadPhase, int box, int other)
{
  crCandidate c = { .box = { box < other ? box : other, box < other ? other : box } };
  const crPairFilter* filter = &broadPhase->filter;
  c.canMeet = filter->canMeet == NULL || filter->canMeet(filter->context, c.box[0], c.box[1]);
  return crCandidates_Add(&broadPhase->candidates, &broadPhase->allocator, c);
}

static int findUnboundedOverlaps(const crBroadPhase* broadPhase, const crBounds* loose, int* outBoxes)
{
  int count = 0;
  for (int i = 0; i < broadPhase->unboundedCount; ++i) {
    int other = broadPhase->unbounded[i];
    if (crBounds_Overlap(loose, &broadPhase->tree.bounds[other], broadPhase->margin)) {
      outBoxes[count++] = other;
    }
  }
  return count;
}

// After an early return a later call finds the same again: what is there already carries the stamp.
static bool renewCandidates(crBroadPhase* broadPhase, int box)
{
  uint32_t stamp = nextStamp(broadPhase);
  broadPhase->boxes[box].stamp = stamp;
  if (!shedCandidates(broadPhase, box, stamp)) {
    return false;
  }
  const crBounds* loose = &broadPhase->tree.bounds[box];
  int count = crBoxTree_FindOverlaps(&broadPhase->tree, loose, broadPhase->margin, broadPhase->hits);
  count += findUnboundedOverlaps(broadPhase, loose, broadPhase->hits + count);
  const int* owners = broadPhase->owners;
  for (int i = 0; i < count; ++i) {
    int other = broadPhase->hits[i];
    bool isKnown = broadPhase->boxes[other].stamp == stamp;
    bool isOwn = owners != NULL && owners[other] == owners[box];
    if (!isKnown && !isOwn && !addCandidate(broadPhase, box, other)) {
      return false;
    }
  }
  return true;
}

// -------------------------------------------------------------------------------------------- pairs

static bool testCandidate(crBroadPhase* broadPhase, crCandidate* c)
{
  const crTrackedBox *a = &broadPhase->boxes[c->box[0]], *b = &broadPhase->boxes[c->box[1]];
  bool overlap = c->canMeet && crBounds_Overlap(&a->bounds, &b->bounds, broadPhase->margin);
  if (overlap != c->isListed) {
    if (!crPairList_Toggle(&broadPhase->list, &broadPhase->allocator, c->box[0], c->box[1])) {
      return false;
    }
    c->isListed = overlap;
  }
  return true;
}

static bool testCandidatesOf(crBroadPhase* broadPhase, int box)
{
  int index = broadPhase->candidates.first[box];
  while (index != CR_NO_CANDIDATE) {
    crCandidate* c = &broadPhase->candidates.items[index];
    if (!testCandidate(broadPhase, c)) {
      return false;
    }
    index = c->next[crCandidate_Side(c, box)];
  }
  return true;
}

static bool testAllCandidates(crBroadPhase* broadPhase)
{
  const crCandidates* candidates = &broadPhase->candidates;
  for (int i = 0; i < candidates->count; ++i) {
    if (i + CR_READ_AHEAD < candidates->count) {
      const crCandidate* ahead = &candidates->items[i + CR_READ_AHEAD];
      __builtin_prefetch(&broadPhase->boxes[ahead->box[0]]);
      __builtin_prefetch(&broadPhase->boxes[ahead->box[1]]);
    }
    if (!testCandidate(broadPhase, &candidates->items[i])) {
      return false;
    }
  }
  return true;
}

static bool testMoved(crBroadPhase* broadPhase)
{
  if ((double)broadPhase->movedCount > CR_MANY_MOVED * (double)broadPhase->boxCount) {
    return testAllCandidates(broadPhase);
  }
  for (int i = 0; i < broadPhase->movedCount; ++i) {
    if (!testCandidatesOf(broadPhase, broadPhase->moved[i])) {
      return false;
    }
  }
  return true;
}

// By their leaves in the forest, which are numbered so that neighbours in space come one after the other: the
// searches then find most of what they read in the cache.
static void sortDisplaced(crBroadPhase* broadPhase)
{
  crKey* keys = broadPhase->keys;
  int count = broadPhase->displacedCount;
  for (int i = 0; i < count; ++i) {
    int box = broadPhase->displaced[i];
    keys[i] = crMakeKey(broadPhase->tree.leaf[box] - CR_NO_NODE, box);
  }
  keys = crDistributeKeys(keys, keys + broadPhase->boxCount, count);
  for (int i = 0; i < count; ++i) {
    broadPhase->displaced[i] = crKey_Trailing(keys[i]);
  }
}

// Asks for what the search of boxes that come soon begins with: first where their candidates are, then these.
static void readAheadDisplaced(const crBroadPhase* broadPhase, int i)
{
  const crCandidates* candidates = &broadPhase->candidates;
  if (i + 2 * CR_FEW_AHEAD < broadPhase->displacedCount) {
    int box = broadPhase->displaced[i + 2 * CR_FEW_AHEAD];
    __builtin_prefetch(&candidates->first[box]);
    __builtin_prefetch(&broadPhase->tree.bounds[box]);
  }
  if (i + CR_FEW_AHEAD < broadPhase->displacedCount) {
    int first = candidates->first[broadPhase->displaced[i + CR_FEW_AHEAD]];
    __builtin_prefetch(&candidates->items[first > 0 ? first : 0]);
  }
}

static bool renewDisplaced(crBroadPhase* broadPhase)
{
  sortDisplaced(broadPhase);
  for (int i = 0; i < broadPhase->displacedCount; ++i) {
    readAheadDisplaced(broadPhase, i);
    if (!renewCandidates(broadPhase, broadPhase->displaced[i])) {
      return false;
    }
  }
  return true;
}

static void forgetMoved(crBroadPhase* broadPhase)
{
  for (int i = 0; i < broadPhase->displacedCount; ++i) {
    broadPhase->boxes[broadPhase->displaced[i]].isDisplaced = false;
  }
  broadPhase->movedCount = broadPhase->displacedCount = 0;
}

// When memory runs out, every change so far stands and every box stays noted as moved, so that the next call
// takes up the work.
crStatus crBroadPhase_FindPairs(crBroadPhase* broadPhase, const crBoxPair** outPairs, int* outCount)
{
  if (broadPhase == NULL || outPairs == NULL || outCount == NULL) {
    return cr_errorMisuse;
  }
  *outPairs = NULL;
  *outCount = 0;
  if (!renewDisplaced(broadPhase) || !testMoved(broadPhase)) {
    return cr_errorMemory;
  }
  if (!crPairList_Apply(&broadPhase->list, &broadPhase->allocator)) {
    return cr_errorMemory;
  }
  forgetMoved(broadPhase);
  *outPairs = broadPhase->list.pairs.items;
  *outCount = broadPhase->list.pairs.count;
  return cr_ok;
}
