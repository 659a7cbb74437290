// All islands of a simulation as fields of an archive: who is in use, the places of bodies, rounds, counts and news. A
// reader makes islands as at the start of a run, and fills them instead of starting them.
//
// What workers have counted is saved as one sum, and their news in one list, so that any number of threads goes on.
#include "island/islands.h"

#include "island/island.h"

#define CR_PAIR_SIZE 8     // [bytes] in the archive
#define CR_LEAST_EVENT 100 // likewise, at least

crArchive_Covers(crSweep, 304);
crArchive_Covers(crGroup, 24);
crArchive_Covers(crWorker, 2600);
crArchive_Covers(crIslands, 592);

// --------------------------------------------------------------------------------------------- places

static void archiveVec3(crArchive* archive, crVec3* v)
{
  crArchive_Double(archive, &v->x);
  crArchive_Double(archive, &v->y);
  crArchive_Double(archive, &v->z);
}

static void archiveMat3(crArchive* archive, crMat3* m)
{
  archiveVec3(archive, &m->cx);
  archiveVec3(archive, &m->cy);
  archiveVec3(archive, &m->cz);
}

void crArchiveBoxes(crArchive* archive, crAabb* boxes, int count)
{
  for (int i = 0; i < count; ++i) {
    archiveVec3(archive, &boxes[i].min);
    archiveVec3(archive, &boxes[i].max);
  }
}

void crArchiveSweeps(crArchive* archive, crSweep* sweeps, int count)
{
  for (int i = 0; i < count; ++i) {
    crSweep* sweep = &sweeps[i];
    archiveMat3(archive, &sweep->R0);
    archiveMat3(archive, &sweep->R1);
    archiveVec3(archive, &sweep->p0);
    archiveVec3(archive, &sweep->v0);
    archiveVec3(archive, &sweep->w0);
    archiveVec3(archive, &sweep->p1);
    archiveVec3(archive, &sweep->v1);
    archiveVec3(archive, &sweep->w1);
    crArchive_Double(archive, &sweep->acceleration);
    crArchive_Double(archive, &sweep->turning);
  }
}

static void archivePlaces(crArchive* archive, crIslands* islands)
{
  const crModelSize* size = &islands->model->size;
  crArchiveSweeps(archive, islands->sweeps, size->bodyCount);
  crArchiveBoxes(archive, islands->boxes, size->shapeCount);
  crArchiveBoxes(archive, islands->startBoxes, size->shapeCount);
  crArchiveBoxes(archive, islands->swept, size->shapeCount);
}

// ---------------------------------------------------------------------------------------------- trees

// Trees of all islands in use, so that each tree knows whose it is.
static void archiveTrees(crArchive* archive, crIslands* islands)
{
  int treeCount = islands->model->size.treeCount, seen = 0;
  for (int i = 0; i < treeCount && archive->isReading; ++i) {
    islands->islandOf[i] = -1;
  }
  for (int i = 0; i < treeCount && crArchive_IsGood(archive); ++i) {
    crIsland* island = &islands->items[i];
    bool isUsed = island->isUsed;
    crArchive_Bool(archive, &isUsed);
    if (!isUsed) {
      continue;
    }
    if (archive->isReading && crIslands_Take(islands, i) == NULL) {
      crArchive_Fail(archive, cr_errorMemory);
      return;
    }
    crIsland_ArchiveTrees(archive, islands, i, &island->trees, &island->treeCapacity, &island->treeCount);
    for (int k = 0; k < island->treeCount && archive->isReading && crArchive_IsGood(archive); ++k) {
      seen += islands->islandOf[island->trees[k]] < 0;
      islands->islandOf[island->trees[k]] = i;
    }
  }
  bool isWhole = seen == treeCount;
  int sum = 0;
  for (int i = 0; i < treeCount && archive->isReading && crArchive_IsGood(archive); ++i) {
    sum += islands->items[i].isUsed ? islands->items[i].treeCount : 0;
    isWhole = isWhole && islands->islandOf[i] >= 0 &&
              islands->islandOf[i] == islands->islandOf[islands->model->components[i]];
  }
  if (archive->isReading && !(isWhole && sum == treeCount)) {
    crArchive_Refuse(archive, "trees are not each in one island");
  }
}

// What lasts whether an island is in use or not.
static void archiveItems(crArchive* archive, crIslands* islands)
{
  for (int i = 0; i < islands->model->size.treeCount && crArchive_IsGood(archive); ++i) {
    crIsland* island = &islands->items[i];
    bool hasStepper = island->stepper != NULL;
    crArchive_Bool(archive, &islands->isMoved[i]);
    crPolicy_Archive(archive, &island->policy);
    crArchive_Bool(archive, &hasStepper);
    if (!hasStepper) {
      continue;
    }
    crStatus status =
        archive->isReading && island->stepper == NULL ? crCreateStepper(&islands->allocator, &island->stepper) : cr_ok;
    crArchive_Fail(archive, status);
    if (crArchive_IsGood(archive)) {
      crStepCounts counts = crStepper_GetCounts(island->stepper);
      crStepCounts_Archive(archive, &counts);
      crStepper_SetCounts(island->stepper, counts);
    }
  }
}

// Those that meet are at the same time, and know of each other.
static void checkPartners(crArchive* archive, const crIslands* islands)
{
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    const crIsland* island = &islands->items[i];
    if (island->isUsed && island->pending == cr_pendingMerge) {
      const crIsland* partner = island->partner >= 0 ? &islands->items[island->partner] : NULL;
      if (partner == NULL || partner == island || !partner->isUsed || partner->pending != cr_pendingMerge ||
          partner->partner != i || partner->segment.t1 != island->segment.t1) {
        crArchive_Refuse(archive, "islands do not meet each other");
      }
    }
  }
}

// --------------------------------------------------------------------------------------------- counts

void crWorkCounts_Archive(crArchive* archive, crWorkCounts* counts)
{
  crArchive_Int64(archive, &counts->operationCount, 0);
  crArchive_Int64(archive, &counts->eventCount, 0);
  crArchive_Int64(archive, &counts->mergeCount, 0);
  crArchive_Int64(archive, &counts->splitCount, 0);
  crArchive_Int64(archive, &counts->searchCount, 0);
  crArchive_Int64(archive, &counts->pairCount, 0);
  crArchive_Int(archive, &counts->newsCount, 0, INT32_MAX);
  crStepCounts_Archive(archive, &counts->steps);
}

// Sums of all workers; a reader gives them to the first one.
static void archiveCounts(crArchive* archive, crIslands* islands)
{
  crWorker* first = &islands->workers[0];
  crWorkCounts sum = { .operationCount = 0 };
  for (int i = 0; i < islands->workerCount; ++i) {
    crWorkCounts_Add(&sum, crWorker_GetCounts(&islands->workers[i]));
  }
  sum.newsCount = 0; // they have a list of their own
  crWorkCounts_Archive(archive, &sum);
  crArchive_Double(archive, &first->lastEvent);
  crArchive_Double(archive, &first->lastClock);
  crArchive_Int64(archive, &first->stallCount, 0);
  if (archive->isReading) {
    sum.newsCount = 0;
    crWorker_SetCounts(first, sum);
  }
}

static void archiveNews(crArchive* archive, crIslands* islands, crEventNews* news, int first, int end)
{
  for (int i = first; i < end && crArchive_IsGood(archive); ++i) {
    crContactRecord* event = archive->isReading ? crArray_Push(news, &islands->allocator) : &news->items[i];
    if (event == NULL) {
      crArchive_Fail(archive, cr_errorMemory);
      return;
    }
    crContactRecord_Archive(archive, islands->model, event);
  }
}

// Of each worker those from before the round, or those since.
static void archiveWorkerNews(crArchive* archive, crIslands* islands, bool ofRound)
{
  int count = 0;
  for (int i = 0; i < islands->workerCount && !archive->isReading; ++i) {
    int before = islands->isOpen ? crSnapshot_CountNews(islands->snapshot, i) : 0;
    count += ofRound ? islands->workers[i].news.count - before : before;
  }
  crArchive_Count(archive, &count, INT32_MAX, CR_LEAST_EVENT);
  if (archive->isReading) {
    archiveNews(archive, islands, &islands->workers[0].news, 0, count);
    return;
  }
  for (int i = 0; i < islands->workerCount; ++i) {
    int before = islands->isOpen ? crSnapshot_CountNews(islands->snapshot, i) : 0;
    crEventNews* news = &islands->workers[i].news;
    archiveNews(archive, islands, news, ofRound ? before : 0, ofRound ? news->count : before);
  }
}

// --------------------------------------------------------------------------------------------- rounds

static void archivePairs(crArchive* archive, crIslands* islands)
{
  crBoxPairs* pairs = &islands->lastPairs;
  int count = pairs->count, shapes = islands->model->size.shapeCount;
  crArchive_Count(archive, &count, INT32_MAX, CR_PAIR_SIZE);
  if (archive->isReading &&
      !crReserve(&islands->allocator, &pairs->items, &pairs->capacity, count, sizeof *pairs->items)) {
    crArchive_Fail(archive, cr_errorMemory);
    return;
  }
  for (int i = 0; i < count && crArchive_IsGood(archive); ++i) {
    crBoxPair* pair = &pairs->items[i];
    crArchive_Int(archive, &pair->a, 0, shapes - 1);
    crArchive_Int(archive, &pair->b, pair->a + 1, shapes - 1);
    if (archive->isReading && i > 0 && crComparePairs(pair[-1].a, pair[-1].b, pair->a, pair->b) >= 0) {
      crArchive_Refuse(archive, "pairs are not in their order");
    }
  }
  pairs->count = crArchive_IsGood(archive) ? count : 0;
}

// Each tree in one group at most, with all of its island.
static void checkGroups(crArchive* archive, crIslands* islands)
{
  int treeCount = islands->model->size.treeCount, *labels = islands->labels;
  for (int t = 0; t < treeCount; ++t) {
    labels[t] = -1;
  }
  bool isGood = true;
  for (int g = 0; g < islands->groupCount; ++g) {
    const crGroup* group = &islands->groups[g];
    for (int i = group->start; i < group->start + group->count; ++i) {
      isGood = isGood && labels[islands->groupTrees[i]] < 0;
      labels[islands->groupTrees[i]] = g;
    }
  }
  for (int t = 0; t < treeCount; ++t) {
    const crIsland* island = &islands->items[t];
    bool waits = island->isUsed && island->pending == cr_pendingMerge;
    isGood = isGood && labels[t] == labels[islands->islandOf[t]] && !(waits && labels[t] != labels[island->partner]);
  }
  if (!isGood) {
    crArchive_Refuse(archive, "groups share an island");
  }
}

static void archiveGroups(crArchive* archive, crIslands* islands)
{
  int treeCount = islands->model->size.treeCount;
  crArchive_Int(archive, &islands->groupCount, 0, treeCount);
  for (int i = 0; i < islands->groupCount; ++i) {
    crGroup* group = &islands->groups[i];
    crArchive_Int(archive, &group->start, 0, treeCount);
    crArchive_Int(archive, &group->count, 0, treeCount - group->start);
    crArchive_Double(archive, &group->lastEvent);
    crArchive_Bool(archive, &group->isBegun);
  }
  for (int i = 0; i < treeCount; ++i) {
    crArchive_Int(archive, &islands->groupTrees[i], 0, treeCount - 1);
  }
  if (archive->isReading && crArchive_IsGood(archive)) {
    checkGroups(archive, islands);
  }
}

// A round that has begun, with all that it was formed from.
static void archiveRound(crArchive* archive, crIslands* islands)
{
  const crModelSize* size = &islands->model->size;
  crArchive_Bools(archive, islands->hasNew, (size_t)size->treeCount);
  crArchiveBoxes(archive, islands->allotted, size->shapeCount);
  archiveGroups(archive, islands);
  crStatus status = archive->isReading && crArchive_IsGood(archive) ? crIslands_ReopenRound(islands) : cr_ok;
  if (status == cr_errorMemory) {
    crArchive_Fail(archive, status);
  } else if (status != cr_ok) {
    crArchive_Refuse(archive, "rooms cannot be used");
  }
  if (crArchive_IsGood(archive)) {
    crSnapshot_Archive(archive, islands->snapshot);
  }
}

static void archiveRounds(crArchive* archive, crIslands* islands)
{
  crArchive_Double(archive, &islands->known);
  crArchive_Double(archive, &islands->start);
  crArchive_Double(archive, &islands->end);
  crArchive_Double(archive, &islands->limit);
  crArchive_Bool(archive, &islands->isAhead);
  crArchive_Int64(archive, &islands->operationCount, 0);
  crArchive_Double(archive, &islands->window);
  crArchive_Double(archive, &islands->leeway);
  crArchive_Bool(archive, &islands->isFresh);
  crArchive_Double(archive, &islands->told);
  archivePairs(archive, islands);
  for (int t = 0; t < islands->model->size.treeCount; ++t) {
    crArchive_Double(archive, &islands->seen[t].t0);
    crArchive_Double(archive, &islands->seen[t].t1);
  }
  if (archive->isReading && !(islands->window > 0.0 && islands->leeway > 0.0)) {
    crArchive_Refuse(archive, "rounds have no length");
  }
  if (islands->isOpen && crArchive_IsGood(archive)) {
    archiveRound(archive, islands);
  }
}

// ------------------------------------------------------------------------------------------------ all

// In the order of their clocks; whether they have moved is known.
static void placeAll(crIslands* islands)
{
  for (int i = 0; i < islands->model->size.treeCount && islands->isSmall; ++i) {
    bool wasMoved = islands->isMoved[i];
    if (islands->items[i].isUsed) {
      crWorker_Place(&islands->workers[0], &islands->items[i]);
      islands->isMoved[i] = wasMoved;
    }
  }
}

static void archiveIslands(crArchive* archive, crIslands* islands)
{
  int newsCount = islands->news.count;
  archiveTrees(archive, islands);
  archiveItems(archive, islands);
  archivePlaces(archive, islands);
  for (int i = 0; i < islands->model->size.treeCount && crArchive_IsGood(archive); ++i) {
    if (islands->items[i].isUsed) {
      crIsland_Archive(archive, &islands->items[i]);
    }
  }
  if (archive->isReading && crArchive_IsGood(archive)) {
    checkPartners(archive, islands);
  }
  archiveCounts(archive, islands);
  crArchive_Bool(archive, &islands->isOpen);
  if (archive->isReading && islands->isOpen && islands->isSmall) {
    crArchive_Refuse(archive, "a round is open where there are none");
  }
  archiveWorkerNews(archive, islands, false);
  archiveWorkerNews(archive, islands, true);
  crArchive_Count(archive, &newsCount, INT32_MAX, CR_LEAST_EVENT);
  archiveNews(archive, islands, &islands->news, 0, newsCount);
  if (crArchive_IsGood(archive)) {
    archiveRounds(archive, islands);
  }
  if (archive->isReading && crArchive_IsGood(archive)) {
    placeAll(islands);
  }
}

void crIslands_Archive(crArchive* archive, crRun* run, crIslands** ioIslands)
{
  if (archive->isReading) {
    crArchive_Fail(archive, crMakeIslands(run, ioIslands));
  }
  if (crArchive_IsGood(archive)) {
    archiveIslands(archive, *ioIslands);
  }
}
