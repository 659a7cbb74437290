// Rounds: stretches of time in which islands form groups that cannot meet, so that each group can be run on its own, by
// any thread, with the same result.
//
//   Every shape gets room: the box of what it sweeps in its segment, and, where that ends before the round does, of
//   where it can get until then at little more than its speed. Shapes whose rooms overlap are neighbours, and
//   neighbours are of one group. A group runs until all its clocks have reached the end of the round; a step that leads
//   out of its room before breaks the round, which is taken again from its start, shorter and with more room. Segments
//   go on behind the end of the round, where rooms say nothing, and have been searched among neighbours only. So pairs
//   that become neighbours in the next round are searched when that begins, and what is known ends with the round,
//   whatever the clocks say. Where all clocks are far ahead of that, as of balls in flight, a round only searches, up
//   to the smallest clock, and nobody steps: ways are known, and rooms are no larger than these.
//
// A round may pause on its way, for an output point: all groups have reached that, and go on from there as if nothing
// had been. So output points leave no trace in the result. What is read at a pause of a round that breaks afterwards
// belongs to its first attempt, and is as accurate as any.
//
// Groups, and so the result, follow from the states alone. A model of few shapes needs no rounds: all are neighbours.
#include "base/platform.h"
#include "collide/broad/broad_phase.h"
#include "island/island.h"

#include <stdlib.h>
#include <string.h>

#define CR_SMALL 64            // shapes up to which all are neighbours
#define CR_FEW_TREES 256       // and trees, with or without shapes
#define CR_LEEWAY 1.25         // [-] speed that rooms allow over the speed at the start of the round
#define CR_ROOM_SHARE 0.05     // [-] of half the smallest dimension of a shape: room in addition
#define CR_FEWEST_OPERATIONS 2 // per island and round; longer rounds where there are fewer
#define CR_MOST_OPERATIONS 6   // and shorter ones where there are more
#define CR_CROWD_WEIGHT 32     // islands that a crowd of balls counts as: it is as good as alone, and not searched;
#define CR_WEIGHT_TREES 100    // and one more for so many balls: in a round of 10,000 only one thread is busy
#define CR_WIDEST_ROOM 0.4     // [-] of its radius, for a ball of a crowd: with more there are more and more neighbours
#define CR_WINDOW_CHANGE 1.5   // [-] then
#define CR_OPERATIONS 8        // between two questions whether to stop, where there are no rounds
#define CR_BROKEN_SHRINK 3.0   // [-] of a round that was broken, for the next attempt
#define CR_BROKEN_LEEWAY 1.5   // [-] likewise, of its room
#define CR_FIRST_WINDOW 1e-3   // [s]
#define CR_AHEAD_SHARE 0.5     // [-] of a round: clocks that are farther ahead of what is known are searched first
#define CR_PARTS_CHUNK 32      // islands that a thread takes at a time
#define CR_CROWD_LOOSENESS 0.1 // [-] of boxes where bodies lie dense: with 0.7 there are 87 pairs for each ball
#define CR_ABSORBED_SIZE 4000  // [bytes] of an island and what a snapshot has of it, about
#define CR_MUCH_FREED 4000000  // [bytes] that go back to the system

// ------------------------------------------------------------------------------------------------- memory

static bool canMeet(const void* context, int a, int b)
{
  return crModel_CanMeet(context, a, b);
}

static crStatus createBroadPhase(crIslands* islands)
{
  const crModel* model = islands->model;
  int count = model->size.shapeCount;
  int* owners = crAllocateZero(&islands->allocator, (size_t)count, sizeof *owners);
  if (owners == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < count; ++i) {
    owners[i] = model->contactShapes[i].body;
  }
  crPairFilter filter = { canMeet, model };
  crStatus status = crCreateBroadPhase(count, owners, filter, 0.0, &islands->allocator, &islands->broadPhase);
  crFree(&islands->allocator, owners, (size_t)count * sizeof *owners);
  return status;
}

// All that can meet, once for all.
static crStatus listAll(crIslands* islands)
{
  const crModel* model = islands->model;
  int count = model->size.shapeCount, place = 0;
  if (!crReserve(&islands->allocator, &islands->neighbours, &islands->neighbourCapacity, count * count + 1,
                 sizeof *islands->neighbours)) {
    return cr_errorMemory;
  }
  for (int a = 0; a < count; ++a) {
    islands->neighbourStarts[a] = place;
    for (int b = 0; b < count; ++b) {
      if (model->contactShapes[a].body != model->contactShapes[b].body && crModel_CanMeet(model, a, b)) {
        islands->neighbours[place++] = b;
      }
    }
  }
  islands->neighbourStarts[count] = place;
  ++islands->neighbourStamp;
  return cr_ok;
}

bool crIsSmallModel(const crModel* model)
{
  return model->size.shapeCount <= CR_SMALL && model->size.treeCount <= CR_FEW_TREES;
}

crStatus crIslands_CreateRounds(crIslands* islands)
{
  const crAllocator* allocator = &islands->allocator;
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount + 1;
  bool canTouch = islands->run->contacts != NULL;
  islands->isSmall = !canTouch || crIsSmallModel(islands->model) || islands->run->options.eventRows == cr_eventRowsOn;
  islands->told = islands->known = islands->end = islands->run->options.startTime;
  islands->window = CR_FIRST_WINDOW;
  islands->leeway = CR_LEEWAY;
  islands->allotted = crAllocateZero(allocator, shapes, sizeof *islands->allotted);
  islands->parts = crAllocateZero(allocator, shapes, sizeof *islands->parts);
  islands->neighbourStarts = crAllocateZero(allocator, shapes + 1, sizeof *islands->neighbourStarts);
  islands->groups = crAllocateZero(allocator, trees, sizeof *islands->groups);
  islands->groupTrees = crAllocateZero(allocator, trees, sizeof *islands->groupTrees);
  islands->seen = crAllocateZero(allocator, trees, sizeof *islands->seen);
  islands->hasNew = crAllocateZero(allocator, trees, sizeof *islands->hasNew);
  islands->speeds = crAllocateZero(allocator, trees, sizeof *islands->speeds);
  islands->groupSpeeds = crAllocateZero(allocator, trees, sizeof *islands->groupSpeeds);
  islands->groupSizes = crAllocateZero(allocator, trees, sizeof *islands->groupSizes);
  if (islands->allotted == NULL || islands->parts == NULL || islands->neighbourStarts == NULL ||
      islands->groups == NULL || islands->groupTrees == NULL || islands->seen == NULL || islands->hasNew == NULL ||
      islands->speeds == NULL || islands->groupSpeeds == NULL || islands->groupSizes == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < size->shapeCount; ++i) {
    const crContactShape* shape = &islands->model->contactShapes[i];
    if (islands->table->facts[i].tree < 0) {
      islands->swept[i] = crShape_ComputeAabb(&islands->model->shapes[i], shape->X_BS);
    }
  }
  if (islands->isSmall) {
    return canTouch ? listAll(islands) : cr_ok;
  }
  crContacts_DropBroadPhase(islands->run->contacts); // what is near is known from rounds
  crStatus status = createBroadPhase(islands);
  for (int i = 0; i < size->shapeCount && status == cr_ok; ++i) {
    if (islands->table->facts[i].tree < 0) {
      status = crBroadPhase_SetBox(islands->broadPhase, i, islands->swept[i]);
    }
  }
  return status;
}

void crIslands_DestroyRounds(crIslands* islands)
{
  const crAllocator* allocator = &islands->allocator;
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount + 1;
  crDestroyBroadPhase(islands->broadPhase);
  crArray_Free(&islands->nextPairs, allocator);
  crArray_Free(&islands->lastPairs, allocator);
  crDestroySnapshot(islands->snapshot);
  crFree(allocator, islands->groupSizes, trees * sizeof *islands->groupSizes);
  crFree(allocator, islands->groupSpeeds, trees * sizeof *islands->groupSpeeds);
  crFree(allocator, islands->speeds, trees * sizeof *islands->speeds);
  crFree(allocator, islands->hasNew, trees * sizeof *islands->hasNew);
  crFree(allocator, islands->seen, trees * sizeof *islands->seen);
  crFree(allocator, islands->groupTrees, trees * sizeof *islands->groupTrees);
  crFree(allocator, islands->groups, trees * sizeof *islands->groups);
  crFree(allocator, islands->neighbours, (size_t)islands->neighbourCapacity * sizeof *islands->neighbours);
  crFree(allocator, islands->neighbourStarts, (shapes + 1) * sizeof *islands->neighbourStarts);
  crFree(allocator, islands->parts, shapes * sizeof *islands->parts);
  crFree(allocator, islands->allotted, shapes * sizeof *islands->allotted);
}

// Of all islands.
static double findSmallest(const crIslands* islands, bool* outWaits)
{
  double clock = HUGE_VAL;
  *outWaits = false;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    const crIsland* island = &islands->items[i];
    if (island->isUsed && island->segment.t1 <= clock) {
      bool waits = island->pending != cr_pendingNothing;
      *outWaits = island->segment.t1 < clock ? waits : *outWaits || waits;
      clock = island->segment.t1;
    }
  }
  return clock;
}

double crIslands_FindClock(const crIslands* islands, bool* outWaits)
{
  if (islands->isSmall && islands->workers[0].heapCount > 0) {
    const crIsland* first = &islands->items[islands->workers[0].heap[0]];
    *outWaits = first->pending != cr_pendingNothing;
    return first->segment.t1;
  }
  double clock = findSmallest(islands, outWaits), known = islands->isOpen ? islands->end : islands->known;
  if (islands->isSmall || clock <= known) {
    return clock;
  }
  *outWaits = false;
  return known;
}

// -------------------------------------------------------------------------------------------------- rooms

// [m/s] of the fastest point of its fastest body.
static double findFastestPoint(const crIslands* islands, const crIsland* island)
{
  double speed = 0.0;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = islands->treeShapes[tree]; i < islands->treeShapes[tree + 1]; ++i) {
      const crContactShape* shape = &islands->model->contactShapes[i];
      const crSweep* sweep = &islands->sweeps[shape->body];
      double reach =
          islands->isRound[tree] ? 0.0 : crLength(shape->X_BS.p) + crShape_GetReach(&islands->model->shapes[i]);
      double turning = crLength(sweep->w1);
      speed = fmax(speed, crLength(sweep->v1) + (turning > 0.0 ? turning * reach : 0.0));
    }
  }
  return speed;
}

// Room around what is known of its way, for a time dt [s] in which it may go anywhere at this speed [m/s].
static crStatus allotIsland(crIslands* islands, const crIsland* island, double speed, double dt)
{
  double reach = dt > 0.0 ? islands->leeway * (speed * dt + islands->table->gravity * dt * dt) : 0.0;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = islands->treeShapes[tree]; i < islands->treeShapes[tree + 1]; ++i) {
      double room = dt > 0.0 ? reach + islands->leeway * CR_ROOM_SHARE * islands->table->facts[i].half : 0.0;
      crVec3 extra = crMakeVec3(room, room, room);
      islands->allotted[i] = (crAabb){ crSub(islands->parts[i].min, extra), crAdd(islands->parts[i].max, extra) };
      if (crBroadPhase_SetBox(islands->broadPhase, i, islands->allotted[i]) != cr_ok) {
        return cr_retry;
      }
    }
  }
  return cr_ok;
}

// ------------------------------------------------------------------------------------------------- groups

// Both ways; pairs come sorted, so each list ascends.
static crStatus listNeighbours(crIslands* islands)
{
  const crBoxPair* pairs = islands->pairs;
  int count = islands->pairCount;
  int shapes = islands->model->size.shapeCount;
  int* starts = islands->neighbourStarts;
  if (!crReserve(&islands->allocator, &islands->neighbours, &islands->neighbourCapacity, 2 * count + 1,
                 sizeof *islands->neighbours)) {
    return cr_errorMemory;
  }
  memset(starts, 0, ((size_t)shapes + 1) * sizeof *starts);
  for (int i = 0; i < count; ++i) {
    ++starts[pairs[i].a + 1];
    ++starts[pairs[i].b + 1];
  }
  for (int i = 0; i < shapes; ++i) {
    starts[i + 1] += starts[i];
  }
  for (int i = 0; i < count; ++i) { // the smaller ones of each shape first
    islands->neighbours[starts[pairs[i].b]++] = pairs[i].a;
  }
  for (int i = 0; i < count; ++i) {
    islands->neighbours[starts[pairs[i].a]++] = pairs[i].b;
  }
  memmove(starts + 1, starts, (size_t)shapes * sizeof *starts);
  starts[0] = 0;
  ++islands->neighbourStamp;
  return cr_ok;
}

static void labelGroups(crIslands* islands)
{
  const crBoxPair* pairs = islands->pairs;
  const crShapeFacts* facts = islands->table->facts;
  int* labels = islands->labels;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    labels[i] = i;
  }
  for (int i = 0; i < islands->pairCount; ++i) {
    int a = facts[pairs[i].a].tree, b = facts[pairs[i].b].tree;
    if (a >= 0 && b >= 0) {
      crJoinLabels(labels, islands->islandOf[a], islands->islandOf[b]);
    }
  }
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    const crIsland* island = &islands->items[i];
    if (island->isUsed && island->pending == cr_pendingMerge) {
      crJoinLabels(labels, i, island->partner);
    }
    for (int k = 0; island->isUsed && k < island->contacts->carriers.count; ++k) { // one thread places a carrier
      crJoinLabels(labels, i, islands->islandOf[island->contacts->carriers.items[k]]);
    }
  }
}

// Trees with pairs that have not been searched for each other; both lists are sorted.
static void markNew(crIslands* islands)
{
  const crShapeFacts* facts = islands->table->facts;
  const crBoxPair *pairs = islands->pairs, *last = islands->lastPairs.items;
  memset(islands->hasNew, 0, (size_t)islands->model->size.treeCount * sizeof *islands->hasNew);
  for (int i = 0, k = 0; i < islands->pairCount && !islands->isFresh; ++i) {
    while (k < islands->lastPairs.count && crComparePairs(last[k].a, last[k].b, pairs[i].a, pairs[i].b) < 0) {
      ++k;
    }
    if (k == islands->lastPairs.count || last[k].a != pairs[i].a || last[k].b != pairs[i].b) {
      int a = facts[pairs[i].a].tree, b = facts[pairs[i].b].tree;
      islands->hasNew[a >= 0 ? a : b] = true;
      islands->hasNew[b >= 0 ? b : a] = true;
    }
  }
}

// Whether the turn of any island of a group comes in this round, or pairs of it have to be searched.
static bool isActive(const crIslands* islands, const crGroup* group)
{
  for (int i = 0; i < group->count; ++i) {
    int tree = islands->groupTrees[group->start + i];
    const crIsland* island = &islands->items[tree];
    bool isDue = island->segment.t1 < islands->end ||
                 (island->segment.t1 == islands->end && island->pending != cr_pendingNothing);
    if (islands->hasNew[tree] || (island->isUsed && isDue)) {
      return true;
    }
  }
  return false;
}

// Large groups first: who comes late finds small ones.
static int compareGroups(const void* a, const void* b)
{
  const crGroup *x = a, *y = b;
  return x->count != y->count ? (x->count > y->count ? -1 : 1) : (x->start > y->start) - (x->start < y->start);
}

static void dropIdleGroups(crIslands* islands)
{
  int count = 0;
  for (int i = 0; i < islands->groupCount; ++i) {
    if (isActive(islands, &islands->groups[i])) {
      islands->groups[count++] = islands->groups[i];
    }
  }
  islands->groupCount = count;
  if (islands->team != NULL && count > 1) {
    qsort(islands->groups, (size_t)count, sizeof *islands->groups, compareGroups);
  }
}

// Trees, sorted by their groups.
static void listGroups(crIslands* islands)
{
  int treeCount = islands->model->size.treeCount, place = 0;
  int* sizes = islands->workers[0].partTrees; // scratch: of groups by their first island
  memset(sizes, 0, (size_t)treeCount * sizeof *sizes);
  for (int i = 0; i < treeCount; ++i) {
    ++sizes[crFindLabel(islands->labels, islands->islandOf[i])];
  }
  islands->groupCount = 0;
  for (int i = 0; i < treeCount; ++i) {
    if (sizes[i] > 0) {
      islands->groups[islands->groupCount++] = (crGroup){ place, sizes[i], islands->told, false, false };
      int start = place;
      place += sizes[i];
      sizes[i] = start; // where the next one goes
    }
  }
  for (int i = 0; i < treeCount; ++i) {
    islands->groupTrees[sizes[crFindLabel(islands->labels, islands->islandOf[i])]++] = i;
  }
  dropIdleGroups(islands);
}

// Rooms at first: each island goes on at its own speed. Then the groups are known: whoever is not alone, or has a
// neighbour that its segment was not searched for, may be hit at any time, and go on at the speed of the fastest.
static crStatus allot(crIslands* islands, bool byGroups)
{
  crStatus status = cr_ok;
  for (int i = 0; i < islands->model->size.treeCount && status == cr_ok; ++i) {
    const crIsland* island = &islands->items[i];
    if (island->isUsed) {
      int group = byGroups ? crFindLabel(islands->labels, i) : i;
      bool isAlone = !byGroups || islands->groupSizes[group] == 1;
      double speed = byGroups ? islands->groupSpeeds[group] : islands->speeds[i];
      status = allotIsland(islands, island, speed, islands->end - (isAlone ? island->segment.t1 : islands->start));
    }
  }
  return status == cr_ok ? crBroadPhase_FindPairs(islands->broadPhase, &islands->pairs, &islands->pairCount) : status;
}

static void findGroupSpeeds(crIslands* islands)
{
  int treeCount = islands->model->size.treeCount;
  memset(islands->groupSpeeds, 0, (size_t)treeCount * sizeof *islands->groupSpeeds);
  memset(islands->groupSizes, 0, (size_t)treeCount * sizeof *islands->groupSizes);
  for (int i = 0; i < treeCount; ++i) {
    if (islands->items[i].isUsed) {
      int group = crFindLabel(islands->labels, i);
      islands->groupSpeeds[group] = fmax(islands->groupSpeeds[group], islands->speeds[i]);
      ++islands->groupSizes[group];
    }
    islands->groupSizes[crFindLabel(islands->labels, islands->islandOf[i])] += islands->hasNew[i];
  }
}

static crStatus gatherStatus(const crIslands* islands)
{
  crStatus status = cr_ok;
  for (int i = 0; i < islands->workerCount; ++i) {
    status = status == cr_ok ? islands->workers[i].status : status;
  }
  return status;
}

// What is known of the way of the shapes of some islands in the round: their segments, up to its end.
static void sweepParts(crWorker* worker, int first, int end)
{
  crIslands* islands = worker->islands;
  for (int i = first; i < end; ++i) {
    const crIsland* island = &islands->items[i];
    if (island->isUsed) {
      double from = fmax(island->segment.t0, islands->start), to = fmin(island->segment.t1, islands->end);
      crStatus status = crWorker_SweepPart(worker, island, fmin(from, to), to, islands->parts);
      islands->speeds[i] = findFastestPoint(islands, island);
      if (status != cr_ok) {
        crWorker_NoteFailure(worker, island, cr_duringEvent, status);
      }
    }
  }
}

static crStatus formGroups(crIslands* islands)
{
  crIslands_Share(islands, sweepParts, islands->model->size.treeCount, CR_PARTS_CHUNK);
  crStatus status = gatherStatus(islands);
  status = status == cr_ok ? allot(islands, false) : status;
  if (status != cr_ok) {
    return status;
  }
  labelGroups(islands);
  markNew(islands);
  if (!islands->isAhead) {
    findGroupSpeeds(islands);
    status = allot(islands, true);
  }
  status = status == cr_ok ? listNeighbours(islands) : status;
  if (status == cr_ok) {
    labelGroups(islands);
    markNew(islands);
    listGroups(islands);
  }
  return status;
}

// ----------------------------------------------------------------------------------------- new neighbours

static bool wereSearched(const crIslands* islands, crBoxPair pair)
{
  const crBoxPair* items = islands->lastPairs.items;
  int low = 0, high = islands->lastPairs.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    bool isBefore = crComparePairs(items[middle].a, items[middle].b, pair.a, pair.b) < 0;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low < islands->lastPairs.count && items[low].a == pair.a && items[low].b == pair.b;
}

// A shape and one that has become its neighbour, unless that finds the pair itself.
static crStatus findHit(crWorker* worker, int shape, int other)
{
  const crIslands* islands = worker->islands;
  crBoxPair pair = { shape < other ? shape : other, shape < other ? other : shape };
  bool isOwn = shape < other || crIslands_FindOwner(islands, other) < 0;
  bool isCarrier = crIslands_IsCarrier(islands, shape), isCarried = crIslands_IsCarrier(islands, other);
  const crIsland* island = &islands->items[crIslands_FindOwner(islands, shape)];
  if (isCarrier != isCarried && crIslands_FindOwner(islands, other) >= 0) {
    isOwn = isCarried;
  }
  if (isOwn && isCarried && islands->islandOf[islands->table->facts[other].tree] != island->number) {
    crStatus status = crWorker_StandCarrier(worker, island, other);
    if (status != cr_ok) {
      return status;
    }
  }
  if (!isOwn || !crAabbsOverlap(islands->swept[shape], islands->swept[other]) || wereSearched(islands, pair)) {
    return cr_ok;
  }
  crHit hit = { .time = HUGE_VAL };
  crStatus status = crWorker_CheckPair(worker, island, pair, &hit);
  if (status != cr_ok || hit.time == HUGE_VAL) {
    return status;
  }
  crHit* place = crArray_Push(&worker->hits, &islands->allocator);
  if (place == NULL) {
    return cr_errorMemory;
  }
  *place = hit;
  return cr_ok;
}

static crStatus findHits(crWorker* worker, const crGroup* group)
{
  const crIslands* islands = worker->islands;
  crStatus status = cr_ok;
  worker->hits.count = 0;
  for (int i = group->start; i < group->start + group->count; ++i) {
    int tree = islands->groupTrees[i];
    for (int s = islands->treeShapes[tree]; islands->hasNew[tree] && s < islands->treeShapes[tree + 1]; ++s) {
      for (int k = islands->neighbourStarts[s]; k < islands->neighbourStarts[s + 1] && status == cr_ok; ++k) {
        status = findHit(worker, s, islands->neighbours[k]);
      }
    }
  }
  return status;
}

static int compareHits(const void* a, const void* b)
{
  const crHit *x = a, *y = b;
  if (x->time != y->time) {
    return x->time < y->time ? -1 : 1;
  }
  return crComparePairs(x->shapeA, x->shapeB, y->shapeA, y->shapeB);
}

// The earliest hit first; what it truncates takes later ones with it.
static crStatus applyHits(crWorker* worker)
{
  const crIslands* islands = worker->islands;
  crStatus status = cr_ok;
  if (worker->hits.count > 1) {
    qsort(worker->hits.items, (size_t)worker->hits.count, sizeof *worker->hits.items, compareHits);
  }
  for (int i = 0; i < worker->hits.count && status == cr_ok; ++i) {
    crHit* hit = &worker->hits.items[i];
    int a = crIslands_FindOwner(islands, hit->shapeA), b = crIslands_FindOwner(islands, hit->shapeB);
    int holder = crIslands_FindHolder(islands, hit->shapeA, hit->shapeB);
    crIsland* island = &islands->items[hit->other < 0 ? holder : a >= 0 && a != hit->other ? a : b];
    const crIsland* other = hit->other >= 0 ? &islands->items[hit->other] : NULL;
    bool isOpen = hit->time >= islands->start && hit->time <= island->segment.t1 &&
                  (other == NULL || hit->time <= other->segment.t1);
    status = isOpen ? crWorker_Meet(worker, island, islands->start, hit) : cr_ok;
    if (status != cr_ok) {
      crWorker_NoteFailure(worker, island, cr_duringEvent, status);
    }
  }
  return status;
}

// ------------------------------------------------------------------------------------------------- running

// The islands of a group in the order of their clocks.
static void placeGroup(crWorker* worker, const crGroup* group)
{
  crIslands* islands = worker->islands;
  worker->heapCount = 0;
  worker->rim.number = -1;
  for (int i = 0; i < group->count; ++i) {
    islands->items[islands->groupTrees[group->start + i]].heapPlace = -1;
  }
  for (int i = 0; i < group->count; ++i) {
    crIsland* island = &islands->items[islands->groupTrees[group->start + i]];
    bool wasMoved = islands->isMoved[island->number];
    if (island->isUsed) {
      crWorker_Place(worker, island);
      islands->isMoved[island->number] = wasMoved;
    }
  }
}

static crStatus beginGroup(crWorker* worker, crGroup* group)
{
  crStatus status = crSnapshot_Save(worker->islands->snapshot, group);
  group->isBegun = status == cr_ok; // else nothing has happened, and a repair keeps it once more
  status = status == cr_ok ? findHits(worker, group) : status;
  if (status != cr_ok) {
    crWorker_NoteFailure(worker, &worker->islands->items[worker->islands->groupTrees[group->start]], cr_duringEvent,
                         status);
  }
  return status == cr_ok ? applyHits(worker) : status;
}

static void runGroup(crWorker* worker, crGroup* group)
{
  worker->lastEvent = group->lastEvent;
  worker->lastClock = -HUGE_VAL;
  worker->stallCount = 0;
  placeGroup(worker, group);
  if (group->isBegun || beginGroup(worker, group) == cr_ok) {
    crWorker_Run(worker, INT64_MAX);
  }
  group->lastEvent = worker->lastEvent;
}

static void runGroups(crWorker* worker, int first, int end)
{
  crIslands* islands = worker->islands;
  for (int i = first; i < end && !atomic_load(&islands->isBroken); ++i) {
    if (!islands->groups[i].isCrew) {
      runGroup(worker, &islands->groups[i]);
    }
  }
}

static bool hasLargeCrowd(const crIslands* islands, const crGroup* group)
{
  bool hasOne = false;
  for (int i = 0; i < group->count && !hasOne; ++i) {
    const crIsland* island = &islands->items[islands->groupTrees[group->start + i]];
    hasOne = island->isUsed && crIsland_IsForCrew(island);
  }
  return hasOne;
}

// Groups with large crowds come first, one after the other, with all threads at their steps; then all others.
static void runAll(crIslands* islands)
{
  crWorker* first = &islands->workers[0];
  const crCrew* crew = crTeam_GetCrew(islands->team);
  first->crew = crew;
  for (int i = 0; i < islands->groupCount; ++i) {
    crGroup* group = &islands->groups[i];
    group->isCrew = crew != NULL && hasLargeCrowd(islands, group);
    if (group->isCrew && !atomic_load(&islands->isBroken)) {
      runGroup(first, group);
    }
  }
  first->crew = NULL;
  crIslands_Share(islands, runGroups, islands->groupCount, 1);
}

// -------------------------------------------------------------------------------------------------- rounds

static int64_t countOperations(const crIslands* islands)
{
  int64_t sum = 0;
  for (int i = 0; i < islands->workerCount; ++i) {
    sum += islands->workers[i].operationCount;
  }
  return sum;
}

// [-] The largest room that the round has for a ball of a crowd, over its radius.
static double findWidest(const crIslands* islands, const crIsland* island)
{
  double widest = 0.0;
  for (int k = 0; k < island->treeCount; ++k) {
    int shape = islands->treeShapes[island->trees[k]];
    crVec3 extent = crSub(islands->allotted[shape].max, islands->allotted[shape].min);
    double least = fmin(extent.x, fmin(extent.y, extent.z)); // they move along the others
    widest = fmax(widest, 0.5 * least / islands->table->facts[shape].half - 1.0);
  }
  return widest;
}

// Long rounds make large groups, short ones cost more than what happens in them.
static void adaptWindow(crIslands* islands, int64_t operations, bool isWhole)
{
  int64_t count = 0;
  double widest = 0.0;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    const crIsland* island = &islands->items[i];
    bool isCrowd = island->isUsed && island->isCrowd && island->areBalls;
    count += isCrowd ? CR_CROWD_WEIGHT + island->treeCount / CR_WEIGHT_TREES : island->isUsed;
    widest = isCrowd ? fmax(widest, findWidest(islands, island)) : widest;
  }
  islands->leeway = CR_LEEWAY;
  bool isWide = CR_WINDOW_CHANGE * widest > CR_WIDEST_ROOM;
  if (operations > CR_MOST_OPERATIONS * count || widest > CR_WIDEST_ROOM) {
    islands->window /= CR_WINDOW_CHANGE;
  } else if (operations < CR_FEWEST_OPERATIONS * count && isWhole && !isWide) {
    islands->window *= CR_WINDOW_CHANGE;
  }
}

// The round from its start, shorter and with more room.
static crStatus repair(crIslands* islands)
{
  crStatus status = cr_ok;
  for (int i = 0; i < islands->groupCount && status == cr_ok; ++i) { // what comes back is the same for all
    status = islands->groups[i].isBegun ? cr_ok : crSnapshot_Save(islands->snapshot, &islands->groups[i]);
  }
  status = status == cr_ok ? crSnapshot_Restore(islands->snapshot) : status;
  atomic_store(&islands->isBroken, false);
  islands->window /= CR_BROKEN_SHRINK;
  islands->leeway *= CR_BROKEN_LEEWAY;
  return status;
}

// Whether the segment that a tree is in is the one that it was in at the end of the last whole round, or a part of it.
static bool isAsSeen(const crIslands* islands, int shape, int other)
{
  int tree = islands->table->facts[shape].tree;
  if (tree >= 0 && islands->isCarrier[tree] && crIslands_FindHolder(islands, shape, other) != islands->islandOf[tree]) {
    return true; // others were searched for it in their segments, not in its own
  }
  const crSegment* segment = tree >= 0 ? &islands->items[islands->islandOf[tree]].segment : NULL;
  return segment == NULL || (segment->t0 == islands->seen[tree].t0 && segment->t1 <= islands->seen[tree].t1);
}

static bool rememberPair(crIslands* islands, crBoxPair pair)
{
  crBoxPair* place = crArray_Push(&islands->nextPairs, &islands->allocator);
  if (place != NULL) {
    *place = pair;
  }
  return place != NULL;
}

// Neighbours have been searched for each other, and others that were so before need not be searched again.
static crStatus rememberPairs(crIslands* islands)
{
  const crBoxPair *now = islands->pairs, *last = islands->lastPairs.items;
  bool hasMemory = true;
  islands->nextPairs.count = 0;
  for (int i = 0, k = 0; hasMemory && (i < islands->pairCount || k < islands->lastPairs.count);) {
    int order = i == islands->pairCount         ? 1
                : k == islands->lastPairs.count ? -1
                                                : crComparePairs(now[i].a, now[i].b, last[k].a, last[k].b);
    if (order <= 0) {
      hasMemory = rememberPair(islands, now[i]);
    } else if (isAsSeen(islands, last[k].a, last[k].b) && isAsSeen(islands, last[k].b, last[k].a)) {
      hasMemory = rememberPair(islands, last[k]);
    }
    i += order <= 0;
    k += order >= 0;
  }
  crBoxPairs spare = islands->lastPairs;
  islands->lastPairs = islands->nextPairs;
  islands->nextPairs = spare;
  for (int t = 0; t < islands->model->size.treeCount; ++t) {
    const crSegment* segment = &islands->items[islands->islandOf[t]].segment;
    islands->seen[t] = (crSpan){ segment->t0, segment->t1 };
  }
  return hasMemory ? cr_ok : cr_errorMemory;
}

static crStatus beginRound(crIslands* islands)
{
  bool waits;
  double clock = findSmallest(islands, &waits), stop = islands->run->options.stopTime;
  islands->start = fmin(clock, islands->known);
  islands->isAhead = clock - islands->start > CR_AHEAD_SHARE * islands->window;
  islands->end = islands->isAhead ? clock : fmin(clock + islands->window, stop);
  crStatus status = formGroups(islands);
  crSnapshot_Begin(islands->snapshot);
  islands->isOpen = status == cr_ok;
  return status;
}

// Neighbours follow from the rooms.
crStatus crIslands_ReopenRound(crIslands* islands)
{
  crStatus status = cr_ok;
  for (int i = 0; i < islands->model->size.shapeCount && status == cr_ok; ++i) {
    if (islands->table->facts[i].tree >= 0) {
      status = crBroadPhase_SetBox(islands->broadPhase, i, islands->allotted[i]);
    }
  }
  status = status == cr_ok ? crBroadPhase_FindPairs(islands->broadPhase, &islands->pairs, &islands->pairCount) : status;
  return status == cr_ok ? listNeighbours(islands) : status;
}

// Where there is a large crowd. Bodies that it has absorbed mostly stay with it. Contacts that had to go where there is
// more room for them have left as much behind as they had.
static void settleCrowds(crIslands* islands)
{
  bool hasLarge = false;
  size_t contactSize = 0;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    crIsland* island = &islands->items[i];
    if (island->isUsed && crIsland_IsForCrew(island)) {
      contactSize += crContacts_GetSize(island->contacts);
      hasLarge = true;
    }
    if (!island->isUsed && island->contacts != NULL && crIsland_IsForCrew(&islands->items[islands->islandOf[i]])) {
      crIsland_Release(island);
      crSnapshot_Release(islands->snapshot, i);
      islands->freedCount += CR_ABSORBED_SIZE;
    }
  }
  if (hasLarge) {
    crBroadPhase_Tighten(islands->broadPhase, CR_CROWD_LOOSENESS);
  }
  islands->freedCount += contactSize != islands->contactSize ? islands->contactSize : 0;
  islands->contactSize = contactSize;
  if (islands->freedCount >= CR_MUCH_FREED) {
    crGiveBackMemory();
    islands->freedCount = 0;
  }
}

static crStatus endRound(crIslands* islands)
{
  int64_t operations = countOperations(islands);
  bool waits;
  if (islands->isAhead) {
    islands->end = fmin(islands->end, findSmallest(islands, &waits)); // where a contact was found
  } else {
    adaptWindow(islands, operations - islands->operationCount, islands->end < islands->run->options.stopTime);
  }
  islands->operationCount = operations;
  islands->isOpen = islands->isFresh = false;
  islands->known = islands->end;
  settleCrowds(islands);
  return rememberPairs(islands);
}

crStatus crIslands_RunRound(crIslands* islands, double tEnd)
{
  if (islands->isSmall) {
    islands->end = islands->limit = tEnd;
    return crWorker_Run(&islands->workers[0], CR_OPERATIONS);
  }
  crStatus status = cr_ok;
  for (bool isDone = false; status == cr_ok && !isDone;) {
    status = islands->isOpen ? cr_ok : beginRound(islands);
    islands->limit = islands->isAhead ? islands->start : fmin(islands->end, tEnd);
    if (status == cr_ok) {
      runAll(islands);
      status = gatherStatus(islands);
    }
    isDone = !atomic_load(&islands->isBroken);
    status = isDone ? status : repair(islands);
    islands->isOpen = islands->isOpen && isDone;
  }
  return status == cr_ok && (islands->isAhead || islands->limit == islands->end) ? endRound(islands) : status;
}
