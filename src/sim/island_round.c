// Rounds: stretches of time in which islands form groups that cannot meet, so that each group can be run on its own, by
// any thread, with the same result.
//
//   Every shape gets room: the box of what it sweeps in its segment, and, where that ends before the round does, of
//   where it can get until then at little more than its speed. Shapes whose rooms overlap are neighbours, and
//   neighbours are of one group. A group runs until all its clocks have reached the end of the round; a step that leads
//   out of its room before breaks the round, which is taken again from its start, shorter and with more room. Segments
//   go on behind the end of the round, where rooms say nothing: what they sweep there is searched when all groups have
//   ended, for pairs that were no neighbours.
//
// A round may pause on its way, for an output point: all groups have reached that, and go on from there as if nothing
// had been. So output points leave no trace in the result. What is read at a pause of a round that breaks afterwards
// belongs to its first attempt, and is as accurate as any.
//
// Groups, and so the result, follow from the states alone. A model of few shapes needs no rounds: all are neighbours.
#include "sim/island.h"

#include <stdlib.h>
#include <string.h>

#define CR_SMALL 64            // shapes up to which all are neighbours
#define CR_FEW_TREES 256       // and trees, with or without shapes
#define CR_LEEWAY 1.25         // [-] speed that rooms allow over the speed at the start of the round
#define CR_ROOM_SHARE 0.05     // [-] of half the smallest dimension of a shape: room in addition
#define CR_FEWEST_OPERATIONS 2 // per island and round; longer rounds where there are fewer
#define CR_MOST_OPERATIONS 6   // and shorter ones where there are more
#define CR_WINDOW_CHANGE 1.5   // [-] then
#define CR_OPERATIONS 8        // between two questions whether to stop, where there are no rounds
#define CR_BROKEN_SHRINK 3.0   // [-] of a round that was broken, for the next attempt
#define CR_BROKEN_LEEWAY 1.5   // [-] likewise, of its room
#define CR_FIRST_WINDOW 1e-3   // [s]

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
  return cr_ok;
}

crStatus crIslands_CreateRounds(crIslands* islands)
{
  const crAllocator* allocator = &islands->allocator;
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount + 1;
  bool canTouch = islands->simulation->contacts != NULL;
  islands->isSmall = !canTouch || (size->shapeCount <= CR_SMALL && size->treeCount <= CR_FEW_TREES);
  islands->end = islands->simulation->options.startTime;
  islands->window = CR_FIRST_WINDOW;
  islands->leeway = CR_LEEWAY;
  islands->allotted = crAllocateZero(allocator, shapes, sizeof *islands->allotted);
  islands->parts = crAllocateZero(allocator, shapes, sizeof *islands->parts);
  islands->neighbourStarts = crAllocateZero(allocator, shapes + 1, sizeof *islands->neighbourStarts);
  islands->groups = crAllocateZero(allocator, trees, sizeof *islands->groups);
  islands->groupTrees = crAllocateZero(allocator, trees, sizeof *islands->groupTrees);
  islands->groupSpeeds = crAllocateZero(allocator, trees, sizeof *islands->groupSpeeds);
  islands->groupSizes = crAllocateZero(allocator, trees, sizeof *islands->groupSizes);
  if (islands->allotted == NULL || islands->parts == NULL || islands->neighbourStarts == NULL ||
      islands->groups == NULL || islands->groupTrees == NULL || islands->groupSpeeds == NULL ||
      islands->groupSizes == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i < size->shapeCount; ++i) {
    const crContactShape* shape = &islands->model->contactShapes[i];
    if (islands->table->facts[i].tree < 0) {
      islands->swept[i] = crShape_ComputeAabb(shape->shape, shape->X_BS);
    }
  }
  if (islands->isSmall) {
    return canTouch ? listAll(islands) : cr_ok;
  }
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
  crArray_Free(&islands->hits, allocator);
  crDestroySnapshot(islands->snapshot);
  crFree(allocator, islands->groupSizes, trees * sizeof *islands->groupSizes);
  crFree(allocator, islands->groupSpeeds, trees * sizeof *islands->groupSpeeds);
  crFree(allocator, islands->groupTrees, trees * sizeof *islands->groupTrees);
  crFree(allocator, islands->groups, trees * sizeof *islands->groups);
  crFree(allocator, islands->neighbours, (size_t)islands->neighbourCapacity * sizeof *islands->neighbours);
  crFree(allocator, islands->neighbourStarts, (shapes + 1) * sizeof *islands->neighbourStarts);
  crFree(allocator, islands->parts, shapes * sizeof *islands->parts);
  crFree(allocator, islands->allotted, shapes * sizeof *islands->allotted);
}

double crIslands_FindClock(const crIslands* islands, bool* outWaits)
{
  if (islands->isSmall && islands->workers[0].heapCount > 0) {
    const crIsland* first = &islands->items[islands->workers[0].heap[0]];
    *outWaits = first->pending != cr_pendingNothing;
    return first->segment.t1;
  }
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

// -------------------------------------------------------------------------------------------------- rooms

// [m/s] of the fastest point of its fastest body.
static double findSpeed(const crIslands* islands, const crIsland* island)
{
  double speed = 0.0;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = islands->treeShapes[tree]; i < islands->treeShapes[tree + 1]; ++i) {
      const crContactShape* shape = &islands->model->contactShapes[i];
      const crSweep* sweep = &islands->sweeps[shape->body];
      double reach = islands->isRound[tree] ? 0.0 : crLength(shape->X_BS.p) + crShape_GetReach(shape->shape);
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
static crStatus listNeighbours(crIslands* islands, const crBoxPair* pairs, int count)
{
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
  return cr_ok;
}

static void labelGroups(crIslands* islands, const crBoxPair* pairs, int count)
{
  const crShapeFacts* facts = islands->table->facts;
  int* labels = islands->labels;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    labels[i] = i;
  }
  for (int i = 0; i < count; ++i) {
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
  }
}

// Whether the turn of any island of a group comes in this round.
static bool isActive(const crIslands* islands, const crGroup* group)
{
  for (int i = 0; i < group->count; ++i) {
    const crIsland* island = &islands->items[islands->groupTrees[group->start + i]];
    if (island->isUsed && (island->segment.t1 < islands->end ||
                           (island->segment.t1 == islands->end && island->pending != cr_pendingNothing))) {
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
      islands->groups[islands->groupCount++] = (crGroup){ place, sizes[i], islands->start };
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

// Rooms at first: each island goes on at its own speed. Then the groups are known: whoever is not alone may be hit at
// any time, and go on at the speed of the fastest.
static crStatus allot(crIslands* islands, double clock, bool byGroups, const crBoxPair** outPairs, int* outCount)
{
  crStatus status = cr_ok;
  for (int i = 0; i < islands->model->size.treeCount && status == cr_ok; ++i) {
    const crIsland* island = &islands->items[i];
    if (island->isUsed) {
      int group = byGroups ? crFindLabel(islands->labels, i) : i;
      bool isAlone = !byGroups || islands->groupSizes[group] == 1;
      double speed = byGroups ? islands->groupSpeeds[group] : findSpeed(islands, island);
      status = allotIsland(islands, island, speed, islands->end - (isAlone ? island->segment.t1 : clock));
    }
  }
  return status == cr_ok ? crBroadPhase_FindPairs(islands->broadPhase, outPairs, outCount) : status;
}

static void findGroupSpeeds(crIslands* islands)
{
  int treeCount = islands->model->size.treeCount;
  memset(islands->groupSpeeds, 0, (size_t)treeCount * sizeof *islands->groupSpeeds);
  memset(islands->groupSizes, 0, (size_t)treeCount * sizeof *islands->groupSizes);
  for (int i = 0; i < treeCount; ++i) {
    if (islands->items[i].isUsed) {
      int group = crFindLabel(islands->labels, i);
      islands->groupSpeeds[group] = fmax(islands->groupSpeeds[group], findSpeed(islands, &islands->items[i]));
      ++islands->groupSizes[group];
    }
  }
}

// What is known of the way of each shape in the round: its segment, from the smallest clock to the end of the round.
static crStatus sweepParts(crIslands* islands, double clock)
{
  crStatus status = cr_ok;
  for (int i = 0; i < islands->model->size.treeCount && status == cr_ok; ++i) {
    const crIsland* island = &islands->items[i];
    if (island->isUsed) {
      double from = fmax(island->segment.t0, clock), to = fmin(island->segment.t1, islands->end);
      status = crWorker_SweepPart(&islands->workers[0], island, fmin(from, to), to, islands->parts);
    }
  }
  return status;
}

static crStatus formGroups(crIslands* islands, double clock)
{
  const crBoxPair* pairs;
  int count;
  crStatus status = sweepParts(islands, clock);
  status = status == cr_ok ? allot(islands, clock, false, &pairs, &count) : status;
  if (status != cr_ok) {
    return status;
  }
  labelGroups(islands, pairs, count);
  findGroupSpeeds(islands);
  status = allot(islands, clock, true, &pairs, &count);
  status = status == cr_ok ? listNeighbours(islands, pairs, count) : status;
  if (status == cr_ok) {
    labelGroups(islands, pairs, count);
    listGroups(islands);
  }
  return status;
}

void crWorker_RunGroup(crWorker* worker, crGroup* group)
{
  crIslands* islands = worker->islands;
  worker->heapCount = 0;
  for (int i = 0; i < group->count; ++i) {
    crIsland* island = &islands->items[islands->groupTrees[group->start + i]];
    bool wasMoved = islands->isMoved[island->number];
    island->heapPlace = -1;
    if (island->isUsed) {
      crWorker_Place(worker, island);
      islands->isMoved[island->number] = wasMoved;
    }
  }
  if (!atomic_load(&islands->isBroken)) {
    worker->lastEvent = group->lastEvent;
    worker->lastClock = -HUGE_VAL;
    worker->stallCount = 0;
    crWorker_Run(worker, INT64_MAX);
    group->lastEvent = worker->lastEvent;
  }
}

// --------------------------------------------------------------------------------------- behind the round

static bool areNeighbours(const crIslands* islands, crBoxPair pair)
{
  int low = islands->neighbourStarts[pair.a], high = islands->neighbourStarts[pair.a + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    bool isBefore = islands->neighbours[middle] < pair.b;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low < islands->neighbourStarts[pair.a + 1] && islands->neighbours[low] == pair.b;
}

static crStatus findHits(crIslands* islands, const crBoxPair* pairs, int count)
{
  crStatus status = cr_ok;
  islands->hits.count = 0;
  for (int i = 0; i < count && status == cr_ok; ++i) {
    int a = crIslands_FindOwner(islands, pairs[i].a), b = crIslands_FindOwner(islands, pairs[i].b);
    bool isNew = (a >= 0 && islands->isMoved[a]) || (b >= 0 && islands->isMoved[b]);
    if (!isNew || areNeighbours(islands, pairs[i])) {
      continue;
    }
    crHit hit = { .time = HUGE_VAL };
    status = crWorker_CheckPair(&islands->workers[0], &islands->items[a >= 0 ? a : b], pairs[i], &hit);
    if (hit.time < HUGE_VAL && status == cr_ok) {
      crHit* place = crArray_Push(&islands->hits, &islands->allocator);
      status = place != NULL ? cr_ok : cr_errorMemory;
      if (place != NULL) {
        *place = hit;
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
static crStatus applyHits(crIslands* islands)
{
  crWorker* worker = &islands->workers[0];
  crStatus status = cr_ok;
  if (islands->hits.count > 1) {
    qsort(islands->hits.items, (size_t)islands->hits.count, sizeof *islands->hits.items, compareHits);
  }
  worker->heapCount = 0;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    islands->items[i].heapPlace = -1;
  }
  for (int i = 0; i < islands->hits.count && status == cr_ok; ++i) {
    crHit* hit = &islands->hits.items[i];
    int a = crIslands_FindOwner(islands, hit->shapeA), b = crIslands_FindOwner(islands, hit->shapeB);
    crIsland* island = &islands->items[a >= 0 && a != hit->other ? a : b];
    const crIsland* other = hit->other >= 0 ? &islands->items[hit->other] : NULL;
    bool isOpen = hit->time >= islands->end && hit->time <= island->segment.t1 &&
                  (other == NULL || hit->time <= other->segment.t1);
    if (isOpen) {
      status = crWorker_Meet(worker, island, islands->end, hit);
    }
  }
  return status;
}

static crStatus searchBehind(crIslands* islands)
{
  const crBoxPair* pairs;
  int count;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    const crIsland* island = &islands->items[i];
    for (int k = 0; island->isUsed && k < island->treeCount; ++k) {
      int tree = island->trees[k];
      for (int s = islands->treeShapes[tree]; s < islands->treeShapes[tree + 1]; ++s) {
        if (crBroadPhase_SetBox(islands->broadPhase, s, islands->swept[s]) != cr_ok) {
          return cr_retry;
        }
      }
    }
  }
  crStatus status = crBroadPhase_FindPairs(islands->broadPhase, &pairs, &count);
  status = status == cr_ok ? findHits(islands, pairs, count) : status;
  return status == cr_ok ? applyHits(islands) : status;
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

static crStatus runGroups(crIslands* islands)
{
  if (islands->team != NULL) {
    crTeam_RunGroups(islands->team);
  } else {
    for (int i = 0; i < islands->groupCount; ++i) {
      crWorker_RunGroup(&islands->workers[0], &islands->groups[i]);
    }
  }
  crStatus status = cr_ok;
  for (int i = 0; i < islands->workerCount; ++i) {
    status = status == cr_ok ? islands->workers[i].status : status;
  }
  return status;
}

// Long rounds make large groups, short ones cost more than what happens in them.
static void adaptWindow(crIslands* islands, int64_t operations, bool isWhole)
{
  int64_t count = 0;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    count += islands->items[i].isUsed;
  }
  islands->leeway = CR_LEEWAY;
  if (operations > CR_MOST_OPERATIONS * count) {
    islands->window /= CR_WINDOW_CHANGE;
  } else if (operations < CR_FEWEST_OPERATIONS * count && isWhole) {
    islands->window *= CR_WINDOW_CHANGE;
  }
}

// The round from its start, shorter and with more room.
static crStatus repair(crIslands* islands)
{
  crStatus status = crSnapshot_Restore(islands->snapshot);
  atomic_store(&islands->isBroken, false);
  for (int i = 0; i < islands->workerCount; ++i) {
    islands->workers[i].status = cr_ok;
  }
  islands->window /= CR_BROKEN_SHRINK;
  islands->leeway *= CR_BROKEN_LEEWAY;
  return status;
}

static crStatus beginRound(crIslands* islands)
{
  bool waits;
  islands->start = crIslands_FindClock(islands, &waits);
  islands->end = fmin(islands->start + islands->window, islands->simulation->options.stopTime);
  crStatus status = formGroups(islands, islands->start);
  status = status == cr_ok ? crSnapshot_Save(islands->snapshot) : status;
  islands->isOpen = status == cr_ok;
  return status;
}

static crStatus endRound(crIslands* islands)
{
  crStatus status = searchBehind(islands);
  int64_t operations = countOperations(islands);
  adaptWindow(islands, operations - islands->operationCount, islands->end < islands->simulation->options.stopTime);
  islands->operationCount = operations;
  islands->isOpen = false;
  return status;
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
    islands->limit = fmin(islands->end, tEnd);
    status = status == cr_ok ? runGroups(islands) : status;
    isDone = !atomic_load(&islands->isBroken);
    status = isDone ? status : repair(islands);
    islands->isOpen = islands->isOpen && isDone;
  }
  return status == cr_ok && islands->limit == islands->end ? endRound(islands) : status;
}
