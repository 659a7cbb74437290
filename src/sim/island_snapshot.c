// A snapshot of the islands of all groups of a round: what it goes back to if it breaks.
#include "sim/island.h"

#include <limits.h>
#include <string.h>

typedef struct Saved {
  int number;
  crIsland island; // its pointers are not its own
  size_t treeStart, numberStart;
  crContacts* contacts;
} Saved;

typedef struct Counts {
  int64_t operationCount, eventCount, mergeCount, splitCount, searchCount, pairCount;
  int newsCount;
  crStepCounts steps;
} Counts;

struct crSnapshot {
  crIslands* islands;
  Saved* items; // (itemCount <= treeCount)
  int itemCount;
  crArrayOf(int) trees;               // of all islands
  crArrayOf(double) numbers;          // their segments
  int *islandOf, *stateStarts;        // (treeCount)
  bool* isMoved;                      // (treeCount)
  crSweep* sweeps;                    // (bodyCount)
  crAabb *boxes, *startBoxes, *swept; // (shapeCount)
  Counts* counts;                     // (workerCount)
  crStepCounts* steps;                // (treeCount) of steppers of islands
  double* discrete;                   // (discreteCount) what sampled functions hold
  int discreteCount;
};

crStatus crCreateSnapshot(crIslands* islands, struct crSnapshot** outSnapshot)
{
  const crAllocator* allocator = &islands->allocator;
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount;
  struct crSnapshot* s = *outSnapshot = crAllocateZero(allocator, 1, sizeof *s);
  if (s == NULL) {
    return cr_errorMemory;
  }
  s->islands = islands;
  s->items = crAllocateZero(allocator, trees, sizeof *s->items);
  s->islandOf = crAllocateZero(allocator, trees, sizeof *s->islandOf);
  s->stateStarts = crAllocateZero(allocator, trees, sizeof *s->stateStarts);
  s->isMoved = crAllocateZero(allocator, trees, sizeof *s->isMoved);
  s->sweeps = crAllocateZero(allocator, (size_t)size->bodyCount, sizeof *s->sweeps);
  s->boxes = crAllocateZero(allocator, shapes, sizeof *s->boxes);
  s->startBoxes = crAllocateZero(allocator, shapes, sizeof *s->startBoxes);
  s->swept = crAllocateZero(allocator, shapes, sizeof *s->swept);
  s->counts = crAllocateZero(allocator, (size_t)islands->workerCount, sizeof *s->counts);
  s->steps = crAllocateZero(allocator, trees, sizeof *s->steps);
  s->discreteCount = crModel_CountDiscrete(islands->model, crModel_GetAllTrees(islands->model));
  s->discrete = crAllocateZero(allocator, (size_t)s->discreteCount + 1, sizeof *s->discrete);
  bool hasMemory = s->items != NULL && s->islandOf != NULL && s->stateStarts != NULL && s->isMoved != NULL &&
                   s->sweeps != NULL && s->boxes != NULL && s->startBoxes != NULL && s->swept != NULL &&
                   s->counts != NULL && s->steps != NULL && s->discrete != NULL;
  return hasMemory ? cr_ok : cr_errorMemory;
}

void crDestroySnapshot(struct crSnapshot* s)
{
  if (s == NULL) {
    return;
  }
  crAllocator allocator = s->islands->allocator;
  const crModelSize* size = &s->islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount;
  for (int i = 0; s->items != NULL && i < size->treeCount; ++i) {
    crDestroyContacts(s->items[i].contacts);
  }
  crFree(&allocator, s->discrete, ((size_t)s->discreteCount + 1) * sizeof *s->discrete);
  crFree(&allocator, s->steps, trees * sizeof *s->steps);
  crFree(&allocator, s->counts, (size_t)s->islands->workerCount * sizeof *s->counts);
  crFree(&allocator, s->swept, shapes * sizeof *s->swept);
  crFree(&allocator, s->startBoxes, shapes * sizeof *s->startBoxes);
  crFree(&allocator, s->boxes, shapes * sizeof *s->boxes);
  crFree(&allocator, s->sweeps, (size_t)size->bodyCount * sizeof *s->sweeps);
  crFree(&allocator, s->isMoved, trees * sizeof *s->isMoved);
  crFree(&allocator, s->stateStarts, trees * sizeof *s->stateStarts);
  crFree(&allocator, s->islandOf, trees * sizeof *s->islandOf);
  crArray_Free(&s->numbers, &allocator);
  crArray_Free(&s->trees, &allocator);
  crFree(&allocator, s->items, trees * sizeof *s->items);
  crFree(&allocator, s, sizeof *s);
}

// Tables that are copied as a whole. save: into the snapshot; else out of it.
static void copyTables(struct crSnapshot* s, bool save)
{
  crIslands* islands = s->islands;
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount, bodies = (size_t)size->bodyCount;
  memcpy(save ? s->islandOf : islands->islandOf, save ? islands->islandOf : s->islandOf, trees * sizeof(int));
  memcpy(save ? s->stateStarts : islands->stateStarts, save ? islands->stateStarts : s->stateStarts,
         trees * sizeof(int));
  memcpy(save ? s->isMoved : islands->isMoved, save ? islands->isMoved : s->isMoved, trees * sizeof(bool));
  memcpy(save ? s->sweeps : islands->sweeps, save ? islands->sweeps : s->sweeps, bodies * sizeof(crSweep));
  memcpy(save ? s->boxes : islands->boxes, save ? islands->boxes : s->boxes, shapes * sizeof(crAabb));
  memcpy(save ? s->startBoxes : islands->startBoxes, save ? islands->startBoxes : s->startBoxes,
         shapes * sizeof(crAabb));
  memcpy(save ? s->swept : islands->swept, save ? islands->swept : s->swept, shapes * sizeof(crAabb));
}

static void saveCounts(struct crSnapshot* s)
{
  for (int i = 0; i < s->islands->workerCount; ++i) {
    const crWorker* w = &s->islands->workers[i];
    s->counts[i] = (Counts){ w->operationCount, w->eventCount, w->mergeCount, w->splitCount,
                             w->searchCount,    w->pairCount,  w->news.count, crStepper_GetCounts(w->stepper) };
  }
  for (int i = 0; i < s->islands->model->size.treeCount; ++i) {
    const crStepper* stepper = s->islands->items[i].stepper;
    s->steps[i] = stepper != NULL ? crStepper_GetCounts(stepper) : (crStepCounts){ 0 };
  }
}

static void restoreCounts(struct crSnapshot* s)
{
  for (int i = 0; i < s->islands->workerCount; ++i) {
    crWorker* w = &s->islands->workers[i];
    const Counts* c = &s->counts[i];
    w->operationCount = c->operationCount;
    w->eventCount = c->eventCount;
    w->mergeCount = c->mergeCount;
    w->splitCount = c->splitCount;
    w->searchCount = c->searchCount;
    w->pairCount = c->pairCount;
    w->news.count = c->newsCount;
    crStepper_SetCounts(w->stepper, c->steps);
  }
  for (int i = 0; i < s->islands->model->size.treeCount; ++i) {
    if (s->islands->items[i].stepper != NULL) {
      crStepper_SetCounts(s->islands->items[i].stepper, s->steps[i]);
    }
  }
}

// Its segment; that before it is only a help.
static size_t countNumbers(const crIsland* island)
{
  return crSegment_CountUsed(&island->segment);
}

static crStatus saveIsland(struct crSnapshot* s, int number)
{
  crIslands* islands = s->islands;
  const crIsland* island = &islands->items[number];
  Saved* saved = &s->items[s->itemCount++];
  saved->number = number;
  if (saved->contacts == NULL &&
      crCreateSharedContacts(islands->table, &islands->allocator, &saved->contacts) != cr_ok) {
    return cr_errorMemory;
  }
  saved->island = *island;
  saved->treeStart = (size_t)s->trees.count;
  saved->numberStart = (size_t)s->numbers.count;
  memcpy(s->trees.items + saved->treeStart, island->trees, (size_t)island->treeCount * sizeof(int));
  memcpy(s->numbers.items + saved->numberStart, island->segment.y0, countNumbers(island) * sizeof(double));
  s->trees.count += island->treeCount;
  s->numbers.count += (int)countNumbers(island);
  return crCopyContacts(island->contacts, saved->contacts);
}

static bool reserve(struct crSnapshot* s)
{
  const crIslands* islands = s->islands;
  const crAllocator* allocator = &islands->allocator;
  size_t trees = 0, numbers = 0;
  for (int g = 0; g < islands->groupCount; ++g) {
    for (int i = 0; i < islands->groups[g].count; ++i) {
      const crIsland* island = &islands->items[islands->groupTrees[islands->groups[g].start + i]];
      trees += island->isUsed ? (size_t)island->treeCount : 0;
      numbers += island->isUsed ? countNumbers(island) : 0;
    }
  }
  return numbers <= INT_MAX && crReserve(allocator, &s->trees.items, &s->trees.capacity, (int)trees, sizeof(int)) &&
         crReserve(allocator, &s->numbers.items, &s->numbers.capacity, (int)numbers, sizeof(double));
}

crStatus crSnapshot_Save(struct crSnapshot* s)
{
  const crIslands* islands = s->islands;
  crStatus status = reserve(s) ? cr_ok : cr_errorMemory;
  s->itemCount = s->trees.count = s->numbers.count = 0;
  for (int g = 0; g < islands->groupCount; ++g) {
    const crGroup* group = &islands->groups[g];
    for (int i = 0; i < group->count && status == cr_ok; ++i) {
      int number = islands->groupTrees[group->start + i];
      status = islands->items[number].isUsed ? saveIsland(s, number) : cr_ok;
    }
  }
  copyTables(s, true);
  saveCounts(s);
  crInstance_GetDiscrete(islands->instance, crModel_GetAllTrees(islands->model), s->discrete);
  return status;
}

// A segment as it was, whose arrays are placed.
static void restoreSegment(const crSegment* saved, crSegment* segment)
{
  segment->kind = saved->kind;
  segment->t0 = saved->t0;
  segment->t1 = saved->t1;
  segment->isDense = saved->isDense;
  segment->isLazy = saved->isLazy;
}

// Memory that has grown since stays; what is in it is as it was.
static crStatus restoreIsland(struct crSnapshot* s, const Saved* saved)
{
  crIslands* islands = s->islands;
  crIsland* island = &islands->items[saved->number];
  crIsland now = *island;
  *island = saved->island;
  island->trees = now.trees;
  island->treeCapacity = now.treeCapacity;
  island->contacts = now.contacts;
  island->numbers = now.numbers;
  island->numberCapacity = now.numberCapacity;
  island->indices = now.indices;
  island->indexCapacity = now.indexCapacity;
  island->spins = now.spins;
  island->spinCapacity = now.spinCapacity;
  island->followers = now.followers;
  island->followerCapacity = now.followerCapacity;
  island->stepper = now.stepper;
  island->stamp = now.stamp + 1;
  island->sweptStamp = saved->island.sweptStamp == saved->island.stamp ? island->stamp : -1; // sweeps come back, too
  island->pattern = (crSparsity){ 0 };
  memcpy(island->trees, s->trees.items + saved->treeStart, (size_t)island->treeCount * sizeof(int));
  crStatus status = crCopyContacts(saved->contacts, island->contacts);
  status = status == cr_ok ? crIsland_Describe(&islands->workers[0], island) : status;
  if (status != cr_ok) {
    return status;
  }
  restoreSegment(&saved->island.segment, &island->segment);
  memcpy(island->segment.y0, s->numbers.items + saved->numberStart, countNumbers(island) * sizeof(double));
  island->hasBefore = false;
  island->memory.isChanged = true;
  island->memory.hasDirection = false;
  return cr_ok;
}

crStatus crSnapshot_Restore(struct crSnapshot* s)
{
  crStatus status = cr_ok;
  copyTables(s, false);
  restoreCounts(s);
  crInstance_SetDiscrete(s->islands->instance, crModel_GetAllTrees(s->islands->model), s->discrete);
  for (int i = 0; i < s->trees.count; ++i) { // what has become of them
    s->islands->items[s->trees.items[i]].isUsed = false;
  }
  for (int i = 0; i < s->itemCount && status == cr_ok; ++i) {
    status = restoreIsland(s, &s->items[i]);
  }
  return status;
}
