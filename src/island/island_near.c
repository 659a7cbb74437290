// Crowds by nearness. In a pile every body touches another one every few milliseconds. If each such meeting were an
// event, the crowd would be stopped there, and taken again up to six times to find where: more steps than all others
// together. So where an event makes a crowd, or is one of a crowd, all that is near joins it, each at that time in its
// own segment, and stays until it is far enough away. Bodies in flight take nothing from a crowd but their evaluation.
//
// Near is what is a share of its size away, and could be met in about the time that an impact of the two takes. What
// bounces for microseconds and flies for milliseconds, as steel does, is better left alone: a crowd would take all of
// it along in steps of microseconds. Only free bodies join: others have clocks for reasons of their own.
//
// Impulsive contacts act at once: a ball that reaches two others at the same time pushes both together. So whatever
// an impulsive shape of those that meet has reached by then joins them as well, even if it parts again at once.
#include "island/island.h"

#include <stdlib.h>

// Of two shapes, one of which joins, or stays with, the other: the gap is at most
typedef struct Bounds {
  double share;   // [-] of half the smallest dimension of the smaller one,
  double periods; // [-] and the way of both, at their speeds, in this many durations of an impact
} Bounds;

static const Bounds joining = { 0.1, 1.0 }, staying = { 0.5, 5.0 };

// [s] About, at a speed [m/s].
static double estimateDuration(const crIslands* islands, int a, int b, double speed)
{
  const crContactShape* shapes = islands->model->contactShapes;
  const crShapeFacts* facts = islands->table->facts;
  const crContactLaw* law = crModel_GetContactLaw(islands->model, shapes[a].material, shapes[b].material);
  bool isLinear = law->response == cr_responseSpringDamper || law->response == cr_responsePenalty;
  if (!isLinear && law->response != cr_responseElastic) {
    return 0.0;
  }
  crTouchGeometry geometry = { .radiusA = facts[a].half,
                               .radiusB = facts[b].half,
                               .isRoundA = true,
                               .isRoundB = true,
                               .halfSizeA = facts[a].half,
                               .halfSizeB = facts[b].half };
  crContactMemory memory = crFreezeContact(law, false, &geometry, speed);
  double mass = facts[a].mass * facts[b].mass / (facts[a].mass + facts[b].mass);
  return crEstimateDuration(&memory, mass, fmax(speed, law->vMin));
}

// [m] Between two shapes, at most; negative: they overlap. Of others than balls boxes tell: what is near to a corner of
// one is near enough.
static double findGap(const crIslands* islands, int a, const crAabb* boxA, int b, const crAabb* boxB)
{
  const crShapeFacts* facts = islands->table->facts;
  if (facts[a].isSphere && facts[b].isSphere) {
    crVec3 twice = crSub(crAdd(boxB->min, boxB->max), crAdd(boxA->min, boxA->max));
    return 0.5 * crLength(twice) - facts[a].half - facts[b].half;
  }
  crVec3 left = crSub(boxB->min, boxA->max), right = crSub(boxA->min, boxB->max);
  return fmax(fmax(fmax(left.x, right.x), fmax(left.y, right.y)), fmax(left.z, right.z));
}

// speed [m/s]: of both together.
static bool areNear(const crIslands* islands, int a, const crAabb* boxA, int b, const crAabb* boxB, double speed,
                    Bounds bounds)
{
  double gap = findGap(islands, a, boxA, b, boxB);
  double most = bounds.share * fmin(islands->table->facts[a].half, islands->table->facts[b].half);
  return gap <= most && gap <= bounds.periods * speed * estimateDuration(islands, a, b, speed);
}

static double findSpeed(const crIslands* islands, int shape)
{
  return crLength(islands->sweeps[islands->model->contactShapes[shape].body].v1);
}

void crIslands_JoinNear(const crIslands* islands, const crIsland* island, int* labels)
{
  if (islands->sticks || !crIsland_AreBalls(island)) {
    return;
  }
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = islands->treeShapes[tree]; i < islands->treeShapes[tree + 1]; ++i) {
      for (int n = islands->neighbourStarts[i]; n < islands->neighbourStarts[i + 1]; ++n) {
        int other = islands->neighbours[n], theirs = islands->table->facts[other].tree;
        if (theirs > tree && islands->islandOf[theirs] == island->number &&
            crFindLabel(labels, tree) != crFindLabel(labels, theirs) &&
            areNear(islands, i, &islands->boxes[i], other, &islands->boxes[other],
                    findSpeed(islands, i) + findSpeed(islands, other), staying)) {
          crJoinLabels(labels, tree, theirs);
        }
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------- meetings

static bool canJoin(const crIsland* island)
{
  return crIsland_AreBalls(island);
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

static bool haveMet(const crIslands* islands, int a, const crAabb* boxA, int b, const crAabb* boxB)
{
  const crContactShape* shapes = islands->model->contactShapes;
  if (!crModel_CanMeet(islands->model, a, b) || findGap(islands, a, boxA, b, boxB) > 0.0) {
    return false;
  }
  const crContactLaw* law = crModel_GetContactLaw(islands->model, shapes[a].material, shapes[b].material);
  return law != NULL && law->response == cr_responseImpulsive;
}

// Islands near to a shape, or those that it has met by an impulse, of those that have not been listed.
static crStatus listNear(crWorker* worker, int shape, double t, bool areHit, int* ioTrees)
{
  const crIslands* islands = worker->islands;
  crAabb own, box;
  double speed, theirs;
  crStatus status = crWorker_BoxShape(worker, shape, t, &own, &speed);
  for (int n = islands->neighbourStarts[shape]; n < islands->neighbourStarts[shape + 1] && status == cr_ok; ++n) {
    int other = islands->neighbours[n], number = crIslands_FindOwner(islands, other);
    const crIsland* island = number >= 0 ? &islands->items[number] : NULL;
    if (island == NULL || islands->labels[number] == -1 || crIslands_IsCarrier(islands, other)) {
      continue;
    }
    status = crWorker_BoxShape(worker, other, t, &box, &theirs);
    bool joins = areHit ? haveMet(islands, shape, &own, other, &box)
                        : areNear(islands, shape, &own, other, &box, speed + theirs, joining) && canJoin(island);
    status = status == cr_ok && joins ? list(worker, island, ioTrees) : status;
  }
  return status;
}

static bool mayCrowd(const crIslands* islands)
{
  return islands->whole == NULL && crIslands_AllowCrowds(islands) && !islands->sticks;
}

// All that are near to those listed, or hit by them, and so on from these.
static crStatus spread(crWorker* worker, double t, bool areHit, int* ioTrees)
{
  const crIslands* islands = worker->islands;
  crStatus status = cr_ok;
  for (int m = 0; m < worker->meeting.count && status == cr_ok; ++m) {
    const crIsland* island = &islands->items[worker->meeting.items[m]];
    for (int k = 0; k < island->treeCount && status == cr_ok; ++k) {
      int tree = island->trees[k], end = islands->isCarrier[tree] ? 0 : islands->treeShapes[tree + 1];
      for (int i = islands->treeShapes[tree]; i < end && status == cr_ok; ++i) {
        status = listNear(worker, i, t, areHit, ioTrees);
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
  for (int i = 0; i < worker->heapCount && (mayBeCrowd || islands->hasImpulses); ++i) {
    islands->labels[worker->heap[i]] = worker->heap[i];
  }
  worker->meeting.count = 0;
  crStatus status = list(worker, island, &trees);
  status = status == cr_ok && partner != NULL ? list(worker, partner, &trees) : status;
  int waiting = worker->meeting.count;
  status = status == cr_ok && islands->hasImpulses ? spread(worker, t, true, &trees) : status;
  int least = worker->meeting.count;
  if (status == cr_ok && mayBeCrowd && canJoin(island) && (partner == NULL || canJoin(partner))) {
    status = spread(worker, t, false, &trees);
    worker->meeting.count = crIslands_IsCrowd(islands, trees) ? worker->meeting.count : least;
  }
  for (int i = waiting; i < worker->meeting.count && status == cr_ok; ++i) {
    status = crWorker_EndOther(worker, &islands->items[worker->meeting.items[i]], t);
  }
  if (worker->meeting.count > 1) { // without memory there may be none, and no place for any
    qsort(worker->meeting.items, (size_t)worker->meeting.count, sizeof *worker->meeting.items, compareNumbers);
  }
  return status;
}
