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
  crStatus status = crContacts_Absorb(island->contacts, partner->contacts);
  crIslands_Remove(islands, partner);
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
    join(labels, island->contacts->links.items[i].tree, island->contacts->links.items[i].other);
  }
  int count = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    count += findRoot(labels, island->trees[k]) == island->trees[k];
  }
  return count;
}

// The part that begins with tree `first` becomes an island of its own.
static crIsland* takePart(crIslands* islands, crIsland* island, int first)
{
  int count = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    count += findRoot(islands->labels, island->trees[k]) == first;
  }
  crIsland* part = crIslands_Take(islands, count);
  if (part == NULL) {
    return NULL;
  }
  part->lastStiffStep = island->lastStiffStep;
  part->treeCount = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    if (findRoot(islands->labels, tree) == first) {
      part->trees[part->treeCount++] = tree;
      islands->islandOf[tree] = part->number;
    }
  }
  return crContacts_Extract(island->contacts, islands->islandOf, part->number, part->contacts) == cr_ok ? part : NULL;
}

static crStatus startOne(crIslands* islands, crIsland* island, double t, const double* balance)
{
  crStatus status = crIsland_Start(island, t, balance);
  status = status == cr_ok ? crIslands_SweepStill(islands, island) : status;
  if (status == cr_ok) {
    crIslands_Place(islands, island);
  }
  return status;
}

static void keepFirstPart(crIslands* islands, crIsland* island)
{
  int count = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    if (islands->islandOf[tree] == island->number) {
      island->trees[count++] = tree;
    }
  }
  island->treeCount = count;
}

// The island itself keeps the first part.
static crStatus startParts(crIslands* islands, crIsland* island, double t, const double* balance)
{
  static const double nothing[CR_BALANCE_COUNT] = { 0.0 };
  int partCount = labelParts(islands, island);
  crStatus status = cr_ok;
  for (int k = 1; partCount > 1 && k < island->treeCount && status == cr_ok; ++k) {
    int tree = island->trees[k];
    if (findRoot(islands->labels, tree) == tree) {
      crIsland* part = takePart(islands, island, tree);
      status = part == NULL ? cr_errorMemory : cr_ok;
      status = status == cr_ok ? startOne(islands, part, t, nothing) : status;
      ++islands->splitCount;
    }
  }
  keepFirstPart(islands, island);
  return status == cr_ok ? startOne(islands, island, t, balance) : status;
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
  island->quietEvents = changes > 0 ? 0 : island->quietEvents + 1;
  return island->quietEvents > CR_MAX_QUIET_EVENTS ? crReportStuck(islands->simulation, island->segment.t1) : cr_ok;
}

crStatus crIslands_PassEvent(crIslands* islands, crIsland* island)
{
  double t = island->segment.t1;
  double balance[CR_BALANCE_COUNT] = { 0.0 };
  crIsland* partner = island->pending == cr_pendingMerge ? &islands->items[island->partner] : NULL;
  crIsland* both[2] = { island, partner };
  for (int i = 0; i < 2 && both[i] != NULL; ++i) {
    crIsland_CountStep(both[i]);
    crInstance_SetState(islands->instance, crIsland_GetSet(both[i]), t, both[i]->segment.y1);
    for (int k = both[i]->stateCount; k < both[i]->n; ++k) {
      balance[k - both[i]->stateCount] += both[i]->segment.y1[k];
    }
  }
  ++islands->eventCount;
  island->pending = cr_pendingNothing;
  crStatus status = partner != NULL ? merge(islands, island, partner) : cr_ok;
  status = status == cr_ok ? resolve(islands, island, t, balance) : status;
  status = status == cr_ok ? settleQuiet(islands, island) : status;
  return status == cr_ok ? startParts(islands, island, t, balance) : status;
}
