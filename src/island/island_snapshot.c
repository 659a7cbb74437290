// A snapshot of the islands of all groups of a round: what it goes back to if it breaks. Each group is saved by the
// thread that is about to run it; groups that no thread has come to are as they were.
#include "contact/contact_copy.h"
#include "island/island.h"
#include "model/loop/loop.h"

#include <string.h>

#define CR_RESTORE_CHUNK 32 // trees that a thread takes at a time

// Of an island, at its number.
typedef struct Saved {
  bool isSaved;
  crIsland* island;          // NULL: there never was one; its pointers are not its own
  crArrayOf(int) trees;      // its trees
  crArrayOf(double) numbers; // its tolerances and its segment
  crContactCopy contacts;
} Saved;

// Of a tree.
typedef struct SavedTree {
  bool isSaved;
  bool isMoved;
  int island, stateStart;
  crPolicy policy;    // of the island with its number, which may not be in use
  crStepCounts steps; // of the stepper of the island with its number
} SavedTree;

struct crSnapshot {
  crIslands* islands;
  Saved* items;                       // (treeCount)
  SavedTree* trees;                   // (treeCount)
  crSweep* sweeps;                    // (bodyCount)
  crAabb *boxes, *startBoxes, *swept; // (shapeCount)
  crCutMemory* cuts;                  // (crCountCuts)
  crWorkCounts* counts;               // (workerCount)
  double* discrete;                   // (discreteCount) what sampled functions hold
  int discreteCount;
};

crStatus crCreateSnapshot(crIslands* islands, struct crSnapshot** outSnapshot)
{
  const crAllocator* allocator = &islands->allocator;
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount;
  size_t cuts = (size_t)crCountCuts(islands->model);
  struct crSnapshot* s = *outSnapshot = crAllocateZero(allocator, 1, sizeof *s);
  if (s == NULL) {
    return cr_errorMemory;
  }
  s->islands = islands;
  s->items = crAllocateZero(allocator, trees, sizeof *s->items);
  s->trees = crAllocateZero(allocator, trees, sizeof *s->trees);
  s->sweeps = crAllocateZero(allocator, (size_t)size->bodyCount, sizeof *s->sweeps);
  s->boxes = crAllocateZero(allocator, shapes, sizeof *s->boxes);
  s->startBoxes = crAllocateZero(allocator, shapes, sizeof *s->startBoxes);
  s->swept = crAllocateZero(allocator, shapes, sizeof *s->swept);
  s->cuts = crAllocateZero(allocator, cuts + 1, sizeof *s->cuts);
  s->counts = crAllocateZero(allocator, (size_t)islands->workerCount, sizeof *s->counts);
  s->discreteCount = crModel_CountDiscrete(islands->model, crModel_GetAllTrees(islands->model));
  s->discrete = crAllocateZero(allocator, (size_t)s->discreteCount + 1, sizeof *s->discrete);
  bool hasMemory = s->items != NULL && s->trees != NULL && s->sweeps != NULL && s->boxes != NULL &&
                   s->startBoxes != NULL && s->swept != NULL && s->cuts != NULL && s->counts != NULL &&
                   s->discrete != NULL;
  return hasMemory ? cr_ok : cr_errorMemory;
}

static void freeSaved(const crAllocator* allocator, Saved* saved)
{
  crContactCopy_Free(&saved->contacts);
  crArray_Free(&saved->numbers, allocator);
  crArray_Free(&saved->trees, allocator);
  crFree(allocator, saved->island, sizeof *saved->island);
}

void crDestroySnapshot(struct crSnapshot* s)
{
  if (s == NULL) {
    return;
  }
  crAllocator allocator = s->islands->allocator;
  const crModelSize* size = &s->islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount;
  size_t cuts = (size_t)crCountCuts(s->islands->model);
  for (int i = 0; s->items != NULL && i < size->treeCount; ++i) {
    freeSaved(&allocator, &s->items[i]);
  }
  crFree(&allocator, s->discrete, ((size_t)s->discreteCount + 1) * sizeof *s->discrete);
  crFree(&allocator, s->counts, (size_t)s->islands->workerCount * sizeof *s->counts);
  crFree(&allocator, s->cuts, (cuts + 1) * sizeof *s->cuts);
  crFree(&allocator, s->swept, shapes * sizeof *s->swept);
  crFree(&allocator, s->startBoxes, shapes * sizeof *s->startBoxes);
  crFree(&allocator, s->boxes, shapes * sizeof *s->boxes);
  crFree(&allocator, s->sweeps, (size_t)size->bodyCount * sizeof *s->sweeps);
  crFree(&allocator, s->trees, trees * sizeof *s->trees);
  crFree(&allocator, s->items, trees * sizeof *s->items);
  crFree(&allocator, s, sizeof *s);
}

// -------------------------------------------------------------------------------------------------- trees

static void copyItems(void* to, const void* from, int first, int count, size_t size)
{
  if (count > 0) {
    memcpy((char*)to + (size_t)first * size, (const char*)from + (size_t)first * size, (size_t)count * size);
  }
}

static void saveTree(struct crSnapshot* s, int tree)
{
  const crIslands* islands = s->islands;
  const crTree* record = &islands->model->trees[tree];
  int shape = islands->treeShapes[tree], shapes = islands->treeShapes[tree + 1] - shape;
  const crStepper* stepper = islands->items[tree].stepper;
  s->trees[tree] = (SavedTree){ .isSaved = true,
                                .isMoved = islands->isMoved[tree],
                                .island = islands->islandOf[tree],
                                .stateStart = islands->stateStarts[tree],
                                .policy = islands->items[tree].policy };
  if (stepper != NULL) {
    s->trees[tree].steps = crStepper_GetCounts(stepper);
  }
  copyItems(s->sweeps, islands->sweeps, record->bodyStart, record->bodyCount, sizeof *s->sweeps);
  copyItems(s->boxes, islands->boxes, shape, shapes, sizeof *s->boxes);
  copyItems(s->startBoxes, islands->startBoxes, shape, shapes, sizeof *s->startBoxes);
  copyItems(s->swept, islands->swept, shape, shapes, sizeof *s->swept);
  crInstance_KeepCuts(islands->instance, tree, s->cuts);
}

static void restoreTree(struct crSnapshot* s, int tree)
{
  crIslands* islands = s->islands;
  const crTree* record = &islands->model->trees[tree];
  const SavedTree* saved = &s->trees[tree];
  int shape = islands->treeShapes[tree], shapes = islands->treeShapes[tree + 1] - shape;
  islands->isMoved[tree] = saved->isMoved;
  islands->islandOf[tree] = saved->island;
  islands->stateStarts[tree] = saved->stateStart;
  islands->items[tree].isUsed = false; // if it was, it comes back
  islands->carrierSpans[tree].t0 = NAN;
  islands->items[tree].policy = saved->policy;
  if (islands->items[tree].stepper != NULL) {
    crStepper_SetCounts(islands->items[tree].stepper, saved->steps);
  }
  copyItems(islands->sweeps, s->sweeps, record->bodyStart, record->bodyCount, sizeof *s->sweeps);
  copyItems(islands->boxes, s->boxes, shape, shapes, sizeof *s->boxes);
  copyItems(islands->startBoxes, s->startBoxes, shape, shapes, sizeof *s->startBoxes);
  copyItems(islands->swept, s->swept, shape, shapes, sizeof *s->swept);
  crInstance_RestoreCuts(islands->instance, tree, s->cuts);
}

// ------------------------------------------------------------------------------------------------- counts

crWorkCounts crWorker_GetCounts(const crWorker* worker)
{
  return (crWorkCounts){ worker->operationCount, worker->eventCount,
                         worker->mergeCount,     worker->splitCount,
                         worker->searchCount,    worker->pairCount,
                         worker->news.count,     crStepper_GetCounts(worker->stepper) };
}

void crWorker_SetCounts(crWorker* worker, crWorkCounts counts)
{
  worker->operationCount = counts.operationCount;
  worker->eventCount = counts.eventCount;
  worker->mergeCount = counts.mergeCount;
  worker->splitCount = counts.splitCount;
  worker->searchCount = counts.searchCount;
  worker->pairCount = counts.pairCount;
  worker->news.count = counts.newsCount;
  crStepper_SetCounts(worker->stepper, counts.steps);
}

void crWorkCounts_Add(crWorkCounts* sum, crWorkCounts counts)
{
  sum->operationCount += counts.operationCount;
  sum->eventCount += counts.eventCount;
  sum->mergeCount += counts.mergeCount;
  sum->splitCount += counts.splitCount;
  sum->searchCount += counts.searchCount;
  sum->pairCount += counts.pairCount;
  sum->newsCount += counts.newsCount;
  crStepCounts_Add(&sum->steps, counts.steps);
}

static void saveCounts(struct crSnapshot* s)
{
  for (int i = 0; i < s->islands->workerCount; ++i) {
    s->counts[i] = crWorker_GetCounts(&s->islands->workers[i]);
  }
}

static void restoreCounts(struct crSnapshot* s)
{
  for (int i = 0; i < s->islands->workerCount; ++i) {
    crWorker_SetCounts(&s->islands->workers[i], s->counts[i]);
  }
}

int crSnapshot_CountNews(const struct crSnapshot* s, int worker)
{
  return s->counts[worker].newsCount;
}

// ------------------------------------------------------------------------------------------------ islands

// Its segment; that before it is only a help.
static size_t countNumbers(const crIsland* island)
{
  return crSegment_CountUsed(&island->segment);
}

// false: no memory.
static bool provideIsland(const crAllocator* allocator, Saved* saved)
{
  saved->island = saved->island != NULL ? saved->island : crAllocateZero(allocator, 1, sizeof *saved->island);
  return saved->island != NULL;
}

static crStatus saveIsland(struct crSnapshot* s, const crIsland* island)
{
  const crIslands* islands = s->islands;
  const crAllocator* allocator = &islands->allocator;
  Saved* saved = &s->items[island->number];
  int numbers = island->n + (int)countNumbers(island);
  if (!provideIsland(allocator, saved)) {
    return cr_errorMemory;
  }
  if (crContactCopy_Provide(&saved->contacts, islands->table, allocator) != cr_ok ||
      !crReserve(allocator, &saved->trees.items, &saved->trees.capacity, island->treeCount, sizeof(int)) ||
      !crReserve(allocator, &saved->numbers.items, &saved->numbers.capacity, numbers, sizeof(double))) {
    return cr_errorMemory;
  }
  saved->isSaved = true;
  *saved->island = *island;
  memcpy(saved->trees.items, island->trees, (size_t)island->treeCount * sizeof(int));
  memcpy(saved->numbers.items, island->numbers, (size_t)island->n * sizeof(double));
  crSegment_Save(&island->segment, saved->numbers.items + island->n);
  return crContactCopy_Save(&saved->contacts, island->contacts);
}

void crSnapshot_Release(struct crSnapshot* s, int number)
{
  const crAllocator* allocator = &s->islands->allocator;
  Saved* saved = &s->items[number];
  freeSaved(allocator, saved);
  *saved = (Saved){ .isSaved = false };
}

void crSnapshot_Begin(struct crSnapshot* s)
{
  const crIslands* islands = s->islands;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    s->items[i].isSaved = s->trees[i].isSaved = false;
  }
  saveCounts(s);
  crInstance_GetDiscrete(islands->instance, crModel_GetAllTrees(islands->model), s->discrete);
}

crStatus crSnapshot_Save(struct crSnapshot* s, const crGroup* group)
{
  const crIslands* islands = s->islands;
  crStatus status = cr_ok;
  for (int i = group->start; i < group->start + group->count && status == cr_ok; ++i) {
    const crIsland* island = &islands->items[islands->groupTrees[i]];
    saveTree(s, islands->groupTrees[i]);
    status = island->isUsed ? saveIsland(s, island) : cr_ok;
  }
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
  segment->isBrief = saved->isBrief;
}

// Memory that has grown since stays; what is in it is as it was.
static crStatus restoreIsland(crWorker* worker, const Saved* saved)
{
  crIsland* island = &worker->islands->items[saved->island->number];
  crIsland now = *island;
  *island = *saved->island;
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
  island->blocks = now.blocks;
  island->blockCapacity = now.blockCapacity;
  island->vectors = now.vectors;
  island->vectorCapacity = now.vectorCapacity;
  island->lanes = now.lanes;
  island->courses = now.courses;
  crCourses_Drop(island->courses);
  island->stepper = now.stepper;
  island->stamp = now.stamp + 1;
  island->sweptStamp = saved->island->sweptStamp == saved->island->stamp ? island->stamp : -1; // sweeps come back, too
  island->pattern = (crSparsity){ 0 };
  memcpy(island->trees, saved->trees.items, (size_t)island->treeCount * sizeof(int));
  crStatus status = crContactCopy_Restore(&saved->contacts, island->contacts);
  status = status == cr_ok ? crIsland_Describe(worker, island) : status;
  if (status != cr_ok) {
    return status;
  }
  restoreSegment(&saved->island->segment, &island->segment);
  memcpy(island->numbers, saved->numbers.items, (size_t)island->n * sizeof(double));
  crSegment_Load(&island->segment, saved->numbers.items + island->n);
  if (island->multistep != NULL) {
    crMultistep_Restart(island->multistep, 0.0);
  }
  // what is left in its memory and its stepper is of the round that broke, as far as that came
  island->hasBefore = island->hadBefore = false;
  island->memory.isChanged = island->again.isChanged = true;
  island->memory.hasDirection = island->again.hasDirection = false;
  return cr_ok;
}

static void restoreTrees(crWorker* worker, int first, int end)
{
  struct crSnapshot* s = worker->islands->snapshot;
  for (int i = first; i < end; ++i) {
    if (s->trees[i].isSaved) {
      restoreTree(s, i);
    }
  }
}

static void restoreIslands(crWorker* worker, int first, int end)
{
  const struct crSnapshot* s = worker->islands->snapshot;
  for (int i = first; i < end; ++i) {
    crStatus status = s->items[i].isSaved ? restoreIsland(worker, &s->items[i]) : cr_ok;
    worker->status = worker->status == cr_ok ? status : worker->status;
  }
}

// All trees before all islands, which are described by them.
crStatus crSnapshot_Restore(struct crSnapshot* s)
{
  crIslands* islands = s->islands;
  int treeCount = islands->model->size.treeCount;
  restoreCounts(s);
  crInstance_SetDiscrete(islands->instance, crModel_GetAllTrees(islands->model), s->discrete);
  for (int i = 0; i < islands->workerCount; ++i) {
    islands->workers[i].status = cr_ok;
  }
  crIslands_Share(islands, restoreTrees, treeCount, CR_RESTORE_CHUNK);
  crIslands_Share(islands, restoreIslands, treeCount, CR_RESTORE_CHUNK);
  crStatus status = cr_ok;
  for (int i = 0; i < islands->workerCount; ++i) {
    status = status == cr_ok ? islands->workers[i].status : status;
  }
  return status;
}

// ------------------------------------------------------------------------------------------------ archive

// Tolerances and segment of a saved island, in its own memory.
static void archiveNumbers(crArchive* archive, const crIslands* islands, Saved* saved)
{
  crIsland* island = saved->island;
  if (archive->isReading) {
    crTreeSet set = { saved->trees.items, island->treeCount, NULL };
    island->treeStates = crModel_CountStates(islands->model, set);
    island->stateCount = island->treeStates + saved->contacts.set->bristleCount;
    island->n = island->stateCount + islands->run->balanceCount;
  }
  int n = island->n, count = n + (int)crSegment_CountDoubles(n);
  if (archive->isReading &&
      !crReserve(&islands->allocator, &saved->numbers.items, &saved->numbers.capacity, count, sizeof(double))) {
    crArchive_Fail(archive, cr_errorMemory);
    return;
  }
  crSegment segment = island->segment;
  crSegment_Place(&segment, n, saved->numbers.items + n);
  crArchive_Doubles(archive, saved->numbers.items, (size_t)n);
  crSegment_Archive(archive, &segment);
  island->segment = segment;
}

// The island itself has to have room for what comes back.
static bool makeRoom(const crIslands* islands, Saved* saved, int number)
{
  crIsland* live = &islands->items[number];
  const crAllocator* allocator = &islands->allocator;
  return crContactCopy_Provide(&saved->contacts, islands->table, allocator) == cr_ok &&
         (live->contacts != NULL || crCreateSharedContacts(islands->table, allocator, &live->contacts) == cr_ok) &&
         crReserve(allocator, &live->trees, &live->treeCapacity, saved->island->treeCount, sizeof *live->trees);
}

static void archiveSaved(crArchive* archive, struct crSnapshot* s, int number)
{
  const crIslands* islands = s->islands;
  Saved* saved = &s->items[number];
  if (archive->isReading && !provideIsland(&islands->allocator, saved)) {
    crArchive_Fail(archive, cr_errorMemory);
    return;
  }
  if (archive->isReading) {
    *saved->island = (crIsland){ .owner = islands->items[number].owner,
                                 .number = number,
                                 .heapPlace = -1,
                                 .isUsed = true,
                                 .multistep = islands->items[number].multistep };
  }
  crIsland_ArchiveTrees(archive, islands, number, &saved->trees.items, &saved->trees.capacity,
                        &saved->island->treeCount);
  if (!crArchive_IsGood(archive)) {
    return;
  }
  if (archive->isReading && !makeRoom(islands, saved, number)) {
    crArchive_Fail(archive, cr_errorMemory);
    return;
  }
  crContactCopy_Archive(archive, &saved->contacts);
  crIsland_ArchiveFields(archive, saved->island);
  crPolicy_Archive(archive, &saved->island->policy);
  if (archive->isReading) {
    saved->island->trees = saved->trees.items;
    crIsland_FindTraits(saved->island);
  }
  if (crArchive_IsGood(archive)) {
    archiveNumbers(archive, islands, saved);
  }
}

static void archiveSavedTree(crArchive* archive, struct crSnapshot* s, int tree)
{
  SavedTree* saved = &s->trees[tree];
  crArchive_Bool(archive, &saved->isMoved);
  crPolicy_Archive(archive, &saved->policy);
  crStepCounts_Archive(archive, &saved->steps);
}

// Whose a saved tree was follows from the saved islands: each in one of them.
static void placeSavedTrees(crArchive* archive, struct crSnapshot* s)
{
  const crModel* model = s->islands->model;
  int sum = 0, found = 0;
  for (int i = 0; i < model->size.treeCount; ++i) {
    s->trees[i].island = -1;
    sum += s->trees[i].isSaved;
  }
  for (int i = 0; i < model->size.treeCount; ++i) {
    const Saved* saved = &s->items[i];
    for (int k = 0, start = 0; saved->isSaved && k < saved->island->treeCount; ++k) {
      SavedTree* tree = &s->trees[saved->trees.items[k]];
      found += tree->isSaved && tree->island < 0;
      tree->island = i;
      tree->stateStart = start;
      start += crTreeStateCount(&model->trees[saved->trees.items[k]]);
    }
  }
  bool isGood = found == sum;
  for (int i = 0; i < model->size.treeCount; ++i) {
    const Saved* saved = &s->items[i];
    isGood = isGood && s->trees[i].isSaved == (s->trees[i].island >= 0) &&
             s->trees[i].isSaved == s->trees[s->islands->islandOf[i]].isSaved &&
             s->trees[i].island == s->trees[model->components[i]].island;
    for (int k = 0; isGood && saved->isSaved && k < saved->contacts.set->pairs.count; ++k) {
      const crTouchingPair* pair = &saved->contacts.set->pairs.items[k];
      const crShapeFacts* facts = saved->contacts.set->facts;
      int a = facts[pair->shapeA].stateTree, b = facts[pair->shapeB].stateTree;
      isGood = (a < 0 || s->trees[a].island == i) && (b < 0 || s->trees[b].island == i);
    }
    bool waits = saved->isSaved && saved->island->pending == cr_pendingMerge;
    const Saved* partner = waits && saved->island->partner >= 0 ? &s->items[saved->island->partner] : NULL;
    isGood = isGood && (!waits || (partner != NULL && partner != saved && partner->isSaved &&
                                   partner->island->pending == cr_pendingMerge && partner->island->partner == i &&
                                   partner->island->segment.t1 == saved->island->segment.t1));
  }
  if (!isGood) {
    crArchive_Refuse(archive, "islands at the start of the round contradict each other");
  }
}

static void archiveSavedCounts(crArchive* archive, struct crSnapshot* s)
{
  crWorkCounts sum = { .operationCount = 0 };
  for (int i = 0; i < s->islands->workerCount; ++i) {
    crWorkCounts_Add(&sum, s->counts[i]);
  }
  crWorkCounts_Archive(archive, &sum);
  if (archive->isReading) {
    if (sum.newsCount > s->islands->workers[0].news.count) {
      crArchive_Refuse(archive, "news from before the round are missing");
    }
    for (int i = 0; i < s->islands->workerCount; ++i) {
      s->counts[i] = (crWorkCounts){ .operationCount = 0 };
    }
    s->counts[0] = sum;
  }
}

void crSnapshot_Archive(crArchive* archive, struct crSnapshot* s)
{
  const crIslands* islands = s->islands;
  const crModelSize* size = &islands->model->size;
  for (int i = 0; i < size->treeCount && crArchive_IsGood(archive); ++i) {
    crArchive_Bool(archive, &s->items[i].isSaved);
    crArchive_Bool(archive, &s->trees[i].isSaved);
    if (s->items[i].isSaved) {
      archiveSaved(archive, s, i);
    }
    if (s->trees[i].isSaved) {
      archiveSavedTree(archive, s, i);
    }
  }
  if (archive->isReading && crArchive_IsGood(archive)) {
    placeSavedTrees(archive, s);
  }
  crArchiveSweeps(archive, s->sweeps, size->bodyCount);
  crArchiveBoxes(archive, s->boxes, size->shapeCount);
  crArchiveBoxes(archive, s->startBoxes, size->shapeCount);
  crArchiveBoxes(archive, s->swept, size->shapeCount);
  crArchiveCuts(archive, islands->instance, s->cuts);
  crArchive_Doubles(archive, s->discrete, (size_t)s->discreteCount);
  archiveSavedCounts(archive, s);
}
