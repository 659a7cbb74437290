// What happens when the clock of an island is the smallest and something waits there: islands merge, contacts are found
// anew, bodies get impulses, and what no longer touches parts.
#include "sim/island.h"

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

// Both are at the same time, and the instance has their states.
static crStatus merge(crIslands* islands, crIsland* island, crIsland* partner)
{
  int count = island->treeCount + partner->treeCount;
  mergeTrees(island, partner, islands->labels);
  if (!crReserve(&islands->allocator, &island->trees, &island->treeCapacity, count, sizeof *island->trees)) {
    return cr_errorMemory;
  }
  memcpy(island->trees, islands->labels, (size_t)count * sizeof *island->trees);
  island->treeCount = count;
  for (int k = 0; k < count; ++k) {
    islands->islandOf[island->trees[k]] = island->number;
  }
  if (partner->isCrowd && (!island->isCrowd || partner->treeCount > island->treeCount - partner->treeCount)) {
    island->memory = partner->memory; // goes on like the larger one
    island->patience = partner->patience;
    island->isCrowd = true;
  }
  crStatus status = crContacts_Absorb(island->contacts, partner->contacts);
  crIslands_Remove(islands, partner);
  island->phase = fmax(island->phase, partner->phase);
  ++islands->mergeCount;
  return status;
}

// ----------------------------------------------------------------------------------------------- parts

static int findRoot(int* labels, int tree)
{
  while (labels[tree] != tree) {
    tree = labels[tree] = labels[labels[tree]];
  }
  return tree;
}

// The smaller tree stands for both, so that islands get their numbers in the order of trees.
static void join(int* labels, int a, int b)
{
  a = findRoot(labels, a);
  b = findRoot(labels, b);
  labels[a > b ? a : b] = a > b ? b : a;
}

// Labels each tree of the island with the first tree of the part that it belongs to. Returns the number of parts.
static int labelParts(crIslands* islands, const crIsland* island)
{
  int* labels = islands->labels;
  for (int k = 0; k < island->treeCount; ++k) {
    labels[island->trees[k]] = island->trees[k];
  }
  for (int k = 0; k < island->treeCount; ++k) {
    join(labels, island->trees[k], islands->model->components[island->trees[k]]);
  }
  for (int i = 0; i < island->contacts->links.count; ++i) {
    uint64_t link = island->contacts->links.items[i];
    join(labels, (int)(link >> 32), (int)(uint32_t)link);
  }
  int count = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    count += findRoot(labels, island->trees[k]) == island->trees[k];
  }
  return count;
}

static crStatus startOne(crIslands* islands, crIsland* island, double t, const double* balance)
{
  crStatus status = crContacts_SortPairs(island->contacts);
  status = status == cr_ok ? crIsland_Start(island, t, balance) : status;
  status = status == cr_ok ? crIslands_SweepStill(islands, island) : status;
  if (status == cr_ok) {
    crIslands_Place(islands, island);
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
static crStatus shareTrees(crIslands* islands, crIsland* island, const int* trees, int treeCount)
{
  island->treeCount = 0;
  for (int k = 0; k < treeCount; ++k) {
    int first = findRoot(islands->labels, trees[k]);
    crIsland* part = &islands->items[islands->islandOf[first]];
    if (first == trees[k] && k > 0) {
      part = crIslands_Take(islands);
      if (part == NULL) {
        return cr_errorMemory;
      }
      part->phase = island->phase;
      part->memory = island->memory;
      part->isCrowd = island->isCrowd;
      ++islands->splitCount;
    }
    if (!addTree(islands, part, trees[k])) {
      return cr_errorMemory;
    }
  }
  return cr_ok;
}

// A contact belongs to what it has that moves.
static crStatus shareContacts(crIslands* islands, crIsland* island)
{
  crContacts* all = island->contacts;
  island->contacts = islands->spareContacts;
  islands->spareContacts = all;
  crContacts_Clear(island->contacts);
  crStatus status = cr_ok;
  for (int k = 0; k < all->pairs.count && status == cr_ok; ++k) {
    const crTouchingPair* pair = &all->pairs.items[k];
    int a = all->facts[pair->shapeA].tree, b = all->facts[pair->shapeB].tree;
    status = crContacts_AddPair(all, pair, islands->items[islands->islandOf[a >= 0 ? a : b]].contacts);
  }
  return status;
}

// Energies stay with the first part: it is their sum that counts.
crStatus crIslands_StartParts(crIslands* islands, crIsland* island, double t, const double* balance)
{
  static const double nothing[CR_BALANCE_COUNT] = { 0.0 };
  if (labelParts(islands, island) == 1) {
    return startOne(islands, island, t, balance);
  }
  int* trees = islands->partTrees;
  int treeCount = island->treeCount;
  memcpy(trees, island->trees, (size_t)treeCount * sizeof *trees);
  crStatus status = shareTrees(islands, island, trees, treeCount);
  status = status == cr_ok ? shareContacts(islands, island) : status;
  for (int k = 0; k < treeCount && status == cr_ok; ++k) {
    if (findRoot(islands->labels, trees[k]) == trees[k]) {
      crIsland* part = &islands->items[islands->islandOf[trees[k]]];
      status = startOne(islands, part, t, part == island ? balance : nothing);
    }
  }
  return status;
}

// ---------------------------------------------------------------------------------------------- events

// The instance has the island's state.
static crStatus resolve(crIslands* islands, crIsland* island, double t, double* balance)
{
  crSimulation* simulation = islands->simulation;
  crTreeSet set = crIsland_GetSet(island);
  int count = crModel_CountStates(islands->model, set);
  if (!crReserve(&islands->allocator, &islands->scratch, &islands->scratchCapacity, count, sizeof(double))) {
    return cr_errorMemory;
  }
  if (island->hasSignals) {
    crInstance_SetPhase(islands->instance, set, island->phase);
  }
  crStatus status = crIslands_FindNear(islands, island);
  status = status == cr_ok ? crInstance_ResolvePairs(islands->instance, set, islands->pairs.items, islands->pairs.count)
                           : status;
  if (status != cr_ok) {
    return status;
  }
  crInstance_GetState(islands->instance, set, islands->scratch);
  return crSettleEvent(simulation, set, t, islands->scratch, balance);
}

static crStatus settleQuiet(crIslands* islands, crIsland* island)
{
  int changes;
  crContacts_GetEvents(island->contacts, &changes);
  island->quietEvents = changes > 0 || island->isCrowd ? 0 : island->quietEvents + 1;
  return island->quietEvents > CR_MAX_QUIET_EVENTS ? crReportStuck(islands->simulation, island->segment.t1) : cr_ok;
}

// Signals jump, and sampled functions work.
static crStatus passTime(crIslands* islands, crIsland* island)
{
  if (island->segment.t1 != island->nextEvent) {
    return cr_ok;
  }
  island->phase = island->nextEvent;
  crInstance_SetPhase(islands->instance, crIsland_GetSet(island), island->phase);
  return crSample(islands->simulation, crIsland_GetSet(island), island->phase);
}

crStatus crIslands_PassEvent(crIslands* islands, crIsland* island)
{
  double t = island->segment.t1;
  double balance[CR_BALANCE_COUNT] = { 0.0 };
  crIsland* partner = island->pending == cr_pendingMerge ? &islands->items[island->partner] : NULL;
  crIsland* both[2] = { island, partner };
  for (int i = 0; i < 2 && both[i] != NULL; ++i) {
    crStatus counted = crIsland_CountStep(both[i]);
    if (counted != cr_ok) {
      return counted;
    }
    crInstance_SetState(islands->instance, crIsland_GetSet(both[i]), t, both[i]->segment.y1);
    for (int k = both[i]->stateCount; k < both[i]->n; ++k) {
      balance[k - both[i]->stateCount] += both[i]->segment.y1[k];
    }
  }
  ++islands->eventCount;
  island->pending = cr_pendingNothing;
  crStatus status = passTime(islands, island);
  status = status == cr_ok && partner != NULL ? passTime(islands, partner) : status;
  status = status == cr_ok && partner != NULL ? merge(islands, island, partner) : status;
  status = status == cr_ok ? resolve(islands, island, t, balance) : status;
  status = status == cr_ok ? settleQuiet(islands, island) : status;
  return status == cr_ok ? crIslands_StartParts(islands, island, t, balance) : status;
}
