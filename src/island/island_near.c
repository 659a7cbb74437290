// Crowds by nearness. In a pile every body touches another one every few milliseconds. If each such meeting were an
// event, the crowd would be stopped there, and taken again up to six times to find where: more steps than all others
// together. So where an event makes a crowd, or is one of a crowd, all that is near joins it, each at that time in its
// own segment, and stays until it is far enough away. Bodies in flight take nothing from a crowd but their evaluation.
//
// Near is what is a share of its size away. Only free bodies join: others have clocks for reasons of their own.
#include "island/island.h"

#include <stdlib.h>

#define CR_NEAR 0.1      // [-] of half the smallest dimension of the smaller of two shapes: gap of those that join
#define CR_NEAR_STAY 0.5 // [-] likewise, of those that stay

// Boxes tell: what is near to a corner of one is near enough.
static bool areNear(const crIslands* islands, int a, const crAabb* boxA, int b, const crAabb* boxB, double share)
{
  double gap = share * fmin(islands->table->facts[a].half, islands->table->facts[b].half);
  crVec3 extra = crMakeVec3(gap, gap, gap);
  crAabb wide = { crSub(boxA->min, extra), crAdd(boxA->max, extra) };
  return crAabbsOverlap(wide, *boxB);
}

void crIslands_JoinNear(const crIslands* islands, const crIsland* island, int* labels)
{
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = islands->treeShapes[tree]; i < islands->treeShapes[tree + 1]; ++i) {
      for (int n = islands->neighbourStarts[i]; n < islands->neighbourStarts[i + 1]; ++n) {
        int other = islands->neighbours[n], theirs = islands->table->facts[other].tree;
        if (theirs > tree && islands->islandOf[theirs] == island->number &&
            areNear(islands, i, &islands->boxes[i], other, &islands->boxes[other], CR_NEAR_STAY)) {
          crJoinLabels(labels, tree, theirs);
        }
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------- meetings

static bool canJoin(const crIsland* island)
{
  const crModel* model = island->owner->model;
  bool areFree = !island->hasSignals && !island->hasLoops && !island->hasMotions;
  for (int k = 0; k < island->treeCount && areFree; ++k) {
    areFree = model->areAlone[island->trees[k]];
  }
  return areFree;
}

// Labels tell which islands of the group are listed: they have -1.
static crStatus list(crWorker* worker, const crIsland* island, int* ioTrees)
{
  int* place = crArray_Push(&worker->meeting, &worker->islands->allocator);
  if (place == NULL) {
    return cr_errorMemory;
  }
  *place = island->number;
  worker->islands->labels[island->number] = -1;
  *ioTrees += island->treeCount;
  return cr_ok;
}

// Islands near to a shape, of those that have not been listed.
static crStatus listNear(crWorker* worker, int shape, double t, int* ioTrees)
{
  const crIslands* islands = worker->islands;
  crAabb own, box;
  crStatus status = crWorker_BoxShape(worker, shape, t, &own);
  for (int n = islands->neighbourStarts[shape]; n < islands->neighbourStarts[shape + 1] && status == cr_ok; ++n) {
    int other = islands->neighbours[n], number = crIslands_FindOwner(islands, other);
    const crIsland* island = number >= 0 ? &islands->items[number] : NULL;
    if (island == NULL || islands->labels[number] == -1) {
      continue;
    }
    status = crWorker_BoxShape(worker, other, t, &box);
    if (status == cr_ok && areNear(islands, shape, &own, other, &box, CR_NEAR) && canJoin(island)) {
      status = list(worker, island, ioTrees);
    }
  }
  return status;
}

static bool mayCrowd(const crIslands* islands)
{
  return islands->whole == NULL && crIslands_AllowCrowds(islands) && !islands->stopsAtEvents;
}

// All that are near to those listed, and to these.
static crStatus spread(crWorker* worker, double t, int* ioTrees)
{
  const crIslands* islands = worker->islands;
  crStatus status = cr_ok;
  for (int m = 0; m < worker->meeting.count && status == cr_ok; ++m) {
    const crIsland* island = &islands->items[worker->meeting.items[m]];
    for (int k = 0; k < island->treeCount && status == cr_ok; ++k) {
      int tree = island->trees[k];
      for (int i = islands->treeShapes[tree]; i < islands->treeShapes[tree + 1] && status == cr_ok; ++i) {
        status = listNear(worker, i, t, ioTrees);
      }
    }
  }
  return status;
}

static int compareNumbers(const void* a, const void* b)
{
  return *(const int*)a - *(const int*)b;
}

crStatus crWorker_GatherMeeting(crWorker* worker, crIsland* island)
{
  crIslands* islands = worker->islands;
  const crIsland* partner = island->pending == cr_pendingMerge ? &islands->items[island->partner] : NULL;
  double t = island->segment.t1;
  int trees = 0;
  bool mayBeCrowd = mayCrowd(islands);
  for (int i = 0; i < worker->heapCount && mayBeCrowd; ++i) {
    islands->labels[worker->heap[i]] = worker->heap[i];
  }
  worker->meeting.count = 0;
  crStatus status = list(worker, island, &trees);
  status = status == cr_ok && partner != NULL ? list(worker, partner, &trees) : status;
  int least = worker->meeting.count;
  if (status == cr_ok && mayBeCrowd) {
    status = spread(worker, t, &trees);
    worker->meeting.count = crIslands_IsCrowd(islands, trees) ? worker->meeting.count : least;
  }
  for (int i = least; i < worker->meeting.count && status == cr_ok; ++i) {
    status = crWorker_EndOther(worker, &islands->items[worker->meeting.items[i]], t);
  }
  qsort(worker->meeting.items, (size_t)worker->meeting.count, sizeof *worker->meeting.items, compareNumbers);
  return status;
}
