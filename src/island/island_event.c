// What happens when the clock of an island is the smallest and something waits there: islands merge, contacts are found
// anew, bodies get impulses, and what no longer touches parts.
#include "island/island.h"

#include <string.h>

// The trees of two islands in ascending order.
static void mergeTrees(const crIsland* a, const crIsland* b, int* outTrees)
{
  int i = 0, k = 0;
  for (int j = 0; j < a->treeCount + b->treeCount; ++j) {
    bool takesA = k == b->treeCount || (i < a->treeCount && a->trees[i] < b->trees[k]);
    outTrees[j] = takesA ? a->trees[i++] : b->trees[k++];
  }
}

// Both are at the same time, and the instance has their states. The one with the first tree goes on as both.
static crStatus merge(crWorker* worker, crIsland* island, crIsland* partner)
{
  crIslands* islands = worker->islands;
  int count = island->treeCount + partner->treeCount;
  mergeTrees(island, partner, worker->partTrees);
  if (!crReserve(&islands->allocator, &island->trees, &island->treeCapacity, count, sizeof *island->trees)) {
    return cr_errorMemory;
  }
  if (partner->isCrowd && (!island->isCrowd || partner->treeCount > island->treeCount)) {
    island->memory = partner->memory; // goes on like the larger one
    island->endCount = partner->endCount;
    island->stepCount = partner->stepCount;
    island->isCrowd = true;
  }
  memcpy(island->trees, worker->partTrees, (size_t)count * sizeof *island->trees);
  island->treeCount = count;
  for (int k = 0; k < count; ++k) {
    islands->islandOf[island->trees[k]] = island->number;
  }
  island->phase = fmax(island->phase, partner->phase);
  ++worker->mergeCount;
  crWorker_Remove(worker, partner);
  return crContacts_Absorb(island->contacts, partner->contacts);
}

// ----------------------------------------------------------------------------------------------- parts

// Labels each tree of the island with the first tree of the part that it belongs to. Returns the number of parts.
static int labelParts(crIslands* islands, const crIsland* island)
{
  int* labels = islands->labels;
  if (islands->whole != NULL) {
    return 1;
  }
  for (int k = 0; k < island->treeCount; ++k) {
    labels[island->trees[k]] = island->trees[k];
  }
  for (int k = 0; k < island->treeCount; ++k) {
    crJoinLabels(labels, island->trees[k], islands->model->components[island->trees[k]]);
  }
  for (int i = 0; i < island->contacts->links.count; ++i) {
    uint64_t link = island->contacts->links.items[i];
    crJoinLabels(labels, (int)(link >> 32), (int)(uint32_t)link);
  }
  if (crIslands_IsCrowd(islands, island->treeCount) && island->sweptStamp == island->stamp) { // else nobody knows where
    crIslands_JoinNear(islands, island, labels);
  }
  int count = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    count += crFindLabel(labels, island->trees[k]) == island->trees[k];
  }
  return count;
}

static crStatus startOne(crWorker* worker, crIsland* island, double t, const double* balance)
{
  crStatus status = crContacts_SortPairs(island->contacts);
  status = status == cr_ok ? crIsland_Start(worker, island, t, balance) : status;
  status = status == cr_ok ? crWorker_SweepStill(worker, island) : status;
  if (status == cr_ok) {
    crWorker_Place(worker, island);
  }
  return status;
}

static bool addTree(crIslands* islands, crIsland* island, int tree)
{
  if (!crGrow(&islands->allocator, &island->trees, &island->treeCapacity, island->treeCount, sizeof *island->trees)) {
    return false;
  }
  island->trees[island->treeCount++] = tree;
  islands->islandOf[tree] = island->number;
  return true;
}

// The trees of an island go to their parts; the island itself keeps the first one. `labels` has the parts.
static crStatus shareTrees(crWorker* worker, crIsland* island, const int* trees, int treeCount)
{
  crIslands* islands = worker->islands;
  island->treeCount = 0;
  for (int k = 0; k < treeCount; ++k) {
    int first = crFindLabel(islands->labels, trees[k]);
    crIsland* part = &islands->items[islands->islandOf[first]];
    if (first == trees[k] && k > 0) {
      part = crIslands_Take(islands, first);
      if (part == NULL) {
        return cr_errorMemory;
      }
      part->phase = island->phase;
      part->memory = island->memory;
      part->isCrowd = island->isCrowd;
      part->endCount = part->stepCount = 0;
      ++worker->splitCount;
    }
    if (!addTree(worker->islands, part, trees[k])) {
      return cr_errorMemory;
    }
  }
  return cr_ok;
}

// A contact belongs to what it has that moves.
static crStatus shareContacts(crWorker* worker, crIsland* island)
{
  crIslands* islands = worker->islands;
  crContacts* all = island->contacts;
  island->contacts = worker->spareContacts;
  worker->spareContacts = all;
  crContacts_Clear(island->contacts);
  crStatus status = cr_ok;
  for (int k = 0; k < all->pairs.count && status == cr_ok; ++k) {
    const crTouchingPair* pair = &all->pairs.items[k];
    int holder = crIslands_FindHolder(islands, pair->shapeA, pair->shapeB);
    status = crContacts_AddPair(all, pair, islands->items[holder].contacts);
  }
  return status;
}

// Energies stay with the first part: it is their sum that counts.
crStatus crWorker_StartParts(crWorker* worker, crIsland* island, double t, const double* balance)
{
  static const double nothing[CR_BALANCE_COUNT] = { 0.0 };
  bool isReview = crIsland_NeedsReview(island);
  if ((island->isCrowd && !isReview) || labelParts(worker->islands, island) == 1) {
    if (isReview) {
      island->endCount = island->stepCount = 0;
    }
    return startOne(worker, island, t, balance);
  }
  crIslands* islands = worker->islands;
  int* trees = worker->partTrees;
  int treeCount = island->treeCount;
  island->endCount = island->stepCount = 0;
  memcpy(trees, island->trees, (size_t)treeCount * sizeof *trees);
  crStatus status = shareTrees(worker, island, trees, treeCount);
  status = status == cr_ok ? shareContacts(worker, island) : status;
  for (int k = 0; k < treeCount && status == cr_ok; ++k) {
    if (crFindLabel(islands->labels, trees[k]) == trees[k]) {
      crIsland* part = &islands->items[islands->islandOf[trees[k]]];
      status = startOne(worker, part, t, part == island ? balance : nothing);
    }
  }
  return status;
}

// ---------------------------------------------------------------------------------------------- events

crStatus crWorker_KeepNews(crWorker* worker, const crContacts* contacts)
{
  int count;
  const crContactRecord* events = crContacts_GetEvents(contacts, &count);
  for (int i = 0; i < count; ++i) {
    crContactRecord* place = crArray_Push(&worker->news, &worker->islands->allocator);
    if (place == NULL) {
      return cr_errorMemory;
    }
    *place = events[i];
  }
  return cr_ok;
}

// Carriers that the island touches, or may touch now, at its clock, with their shapes.
static crStatus placeNearCarriers(crWorker* worker, const crIsland* island)
{
  const crIslands* islands = worker->islands;
  crStatus status = cr_ok;
  for (int i = 0; islands->carrierCount > 0 && i < worker->pairs.count && status == cr_ok; ++i) {
    int shapes[2] = { worker->pairs.items[i].a, worker->pairs.items[i].b };
    for (int k = 0; k < 2 && status == cr_ok; ++k) {
      if (crIslands_IsCarrier(islands, shapes[k])) {
        status = crIslands_PlaceCarrierOf(islands, island, shapes[k], island->segment.t1);
        crPlaceShapes(islands->instance, island->contacts, &shapes[k], 1);
      }
    }
  }
  return status;
}

// The instance has the island's state. h [s]: the last step; infinity: anything may have happened.
static crStatus resolve(crWorker* worker, crIsland* island, double h, double* balance)
{
  crIslands* islands = worker->islands;
  crTreeSet set = crIsland_GetSet(island);
  int count = crModel_CountStates(islands->model, set);
  if (!crReserve(&islands->allocator, &worker->scratch, &worker->scratchCapacity, count, sizeof(double))) {
    return cr_errorMemory;
  }
  if (island->hasSignals) {
    crInstance_SetPhase(islands->instance, set, island->phase);
  }
  island->contacts->lastEvent = fmax(island->contacts->lastEvent, worker->lastEvent); // NaN: never
  crStatus status = crWorker_FindNear(worker, island);
  status = status == cr_ok ? placeNearCarriers(worker, island) : status;
  status = status == cr_ok ? crInstance_ResolvePairs(islands->instance, set, worker->pairs.items, worker->pairs.count)
                           : status;
  status = status == cr_ok ? crWorker_CheckBorder(worker, island, island->segment.t1) : status;
  status = status == cr_ok && isfinite(h) ? crWorker_CheckBegun(worker, island, h) : status;
  if (status != cr_ok) {
    return status;
  }
  balance[cr_balanceDissipated] += island->contacts->released;
  crInstance_GetState(islands->instance, set, worker->scratch);
  status = crResolveImpacts(islands->instance, set, worker->scratch, balance);
  return status == cr_ok ? crWorker_KeepNews(worker, island->contacts) : status;
}

// isTime: signals have an event, which need not change contacts.
static crStatus settleQuiet(crWorker* worker, crIsland* island, bool isTime)
{
  int changes;
  crContacts_GetEvents(island->contacts, &changes);
  worker->eventCount += changes > 0 || !isTime;
  worker->changeCount += changes > 0 || isTime;
  island->quietEvents =
      changes > 0 || isTime || island->isCrowd || crIsland_IsBusy(island) ? 0 : island->quietEvents + 1;
  return island->quietEvents > CR_MAX_QUIET_EVENTS ? cr_errorLimit : cr_ok;
}

// Signals jump, and sampled functions work.
static crStatus passTime(crWorker* worker, crIsland* island)
{
  crIslands* islands = worker->islands;
  if (island->segment.t1 != island->nextEvent) {
    return cr_ok;
  }
  island->phase = island->nextEvent;
  crInstance_SetPhase(islands->instance, crIsland_GetSet(island), island->phase);
  crStatus status = crInstance_Sample(islands->instance, crIsland_GetSet(island));
  worker->isSampling = status != cr_ok;
  return status == cr_ok ? cr_ok : cr_failNumerics;
}

// [s] The step that was to be next, where contacts held it; infinity: none did, or the method is another one.
static double findNextStep(const crIsland* island)
{
  double step = crIsland_GetLowStep(island);
  return island->contacts->contacts.count > 0 && step > 0.0 ? step : HUGE_VAL;
}

// One of those that go on together: its step is final, and the instance gets its state.
static crStatus passOne(crWorker* worker, crIsland* island, double t, double* balance, double* ioStep)
{
  crIslands* islands = worker->islands;
  *ioStep = fmax(*ioStep, crIsland_FindLastStep(island));
  worker->nextStep = fmin(worker->nextStep, findNextStep(island));
  island->pending = cr_pendingNothing;
  crStatus status = crIsland_CountStep(worker, island);
  crIsland_LeaveLanes(island);
  status = status == cr_ok ? crWorker_EnsureSwept(worker, island) : status;
  crInstance_SetState(islands->instance, crIsland_GetSet(island), t, island->segment.y1);
  crContacts_SetBristles(island->contacts, island->segment.y1 + island->treeStates);
  for (int k = island->stateCount; k < island->n; ++k) {
    balance[k - island->stateCount] += island->segment.y1[k];
  }
  return status == cr_ok ? passTime(worker, island) : status;
}

// All that meet become the first of them: neighbours in the order of numbers, in pairs, so that nothing is copied more
// often than their number has digits.
static crStatus mergeAll(crWorker* worker)
{
  int* numbers = worker->meeting.items;
  crIsland* items = worker->islands->items;
  crStatus status = cr_ok;
  for (int count = worker->meeting.count; count > 1 && status == cr_ok; count = (count + 1) / 2) {
    for (int i = 0; i < count && status == cr_ok; i += 2) {
      status = i + 1 < count ? merge(worker, &items[numbers[i]], &items[numbers[i + 1]]) : cr_ok;
      numbers[i / 2] = numbers[i];
    }
  }
  return status;
}

crStatus crWorker_PassEvent(crWorker* worker, crIsland* island)
{
  crIslands* islands = worker->islands;
  double t = island->segment.t1;
  double balance[CR_BALANCE_COUNT] = { 0.0 };
  crStatus status = crWorker_GatherMeeting(worker, island);
  bool isTime = false;
  for (int i = 0; i < worker->meeting.count; ++i) {
    isTime = isTime || t == islands->items[worker->meeting.items[i]].nextEvent;
  }
  double h = isTime ? HUGE_VAL : 0.0; // motions may jump
  for (int i = 0; i < worker->meeting.count && status == cr_ok; ++i) {
    status = passOne(worker, &islands->items[worker->meeting.items[i]], t, balance, &h);
  }
  if (status != cr_ok) {
    return status;
  }
  island = &islands->items[worker->meeting.items[0]];
  status = mergeAll(worker);
  status = status == cr_ok ? resolve(worker, island, h, balance) : status;
  status = status == cr_ok ? settleQuiet(worker, island, isTime) : status;
  worker->lastEvent = t;
  worker->nextStep = isTime ? HUGE_VAL : worker->nextStep;
  status = status == cr_ok ? crWorker_StartParts(worker, island, t, balance) : status;
  worker->nextStep = HUGE_VAL;
  return status;
}
