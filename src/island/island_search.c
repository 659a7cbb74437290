// The search for contacts in a segment: candidates between the bodies of its island, with the world, and with the
// segments of other islands, by boxes of what shapes sweep. What happens to each: pair_search.c.
#include "island/island.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------- candidates

// Neighbours of one shape whose boxes its box overlaps. takesOthers: those of other islands too.
static bool gather(crWorker* worker, const crIsland* island, int shape, const crAabb* boxes, bool takesOthers)
{
  const crIslands* islands = worker->islands;
  crAabb own = boxes[shape];
  for (int k = islands->neighbourStarts[shape]; k < islands->neighbourStarts[shape + 1]; ++k) {
    int other = islands->neighbours[k];
    int number = crIslands_FindOwner(islands, other);
    bool counts = number == island->number ? other > shape : number < 0 || takesOthers;
    bool isAside = number >= 0 && number != island->number;
    if (!counts || (worker->looksAside && !isAside) ||
        !crAabbsOverlap(own, number < 0 ? islands->swept[other] : boxes[other])) {
      continue;
    }
    crBoxPair* pair = crArray_Push(&worker->pairs, &worker->islands->allocator);
    if (pair == NULL) {
      return false;
    }
    *pair = other < shape ? (crBoxPair){ other, shape } : (crBoxPair){ shape, other };
  }
  return true;
}

static crStatus findCandidates(crWorker* worker, const crIsland* island, const crAabb* boxes, bool takesOthers)
{
  const crIslands* islands = worker->islands;
  bool hasMemory = true;
  worker->pairs.count = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    for (int i = islands->treeShapes[tree]; i < islands->treeShapes[tree + 1] && hasMemory; ++i) {
      hasMemory = gather(worker, island, i, boxes, takesOthers);
    }
  }
  return hasMemory ? cr_ok : cr_errorMemory;
}

static int comparePairs(const void* a, const void* b)
{
  const crBoxPair *x = a, *y = b;
  return crComparePairs(x->a, x->b, y->a, y->b);
}

static void sortPairs(crWorker* worker)
{
  crBoxPair* items = worker->pairs.items;
  int count = 0;
  if (worker->pairs.count > 1) {
    qsort(items, (size_t)worker->pairs.count, sizeof *items, comparePairs);
  }
  for (int i = 0; i < worker->pairs.count; ++i) {
    if (count == 0 || comparePairs(&items[count - 1], &items[i]) != 0) {
      items[count++] = items[i];
    }
  }
  worker->pairs.count = count;
}

crStatus crWorker_FindNear(crWorker* worker, crIsland* island)
{
  crStatus status = findCandidates(worker, island, worker->islands->boxes, false);
  for (int k = 0; k < island->contacts->pairs.count && status == cr_ok; ++k) {
    const crTouchingPair* touching = &island->contacts->pairs.items[k];
    crBoxPair* pair = crArray_Push(&worker->pairs, &worker->islands->allocator);
    if (pair == NULL) {
      return cr_errorMemory;
    }
    *pair = (crBoxPair){ touching->shapeA, touching->shapeB };
  }
  sortPairs(worker);
  return status;
}

// ----------------------------------------------------------------------------------------------- contacts

crStatus crWorker_Search(crWorker* worker, crIsland* island, crHit* outHit)
{
  outHit->time = HUGE_VAL;
  worker->hasSearched = false;
  crStatus status = findCandidates(worker, island, worker->islands->swept, true);
  for (int i = 0; i < worker->pairs.count && status == cr_ok; ++i) {
    crBoxPair pair = worker->pairs.items[i];
    bool isLeft = pair.a == worker->left.a && pair.b == worker->left.b;
    status = isLeft ? cr_ok : crWorker_CheckPair(worker, island, pair, outHit);
  }
  worker->searchCount += worker->hasSearched;
  return status;
}
