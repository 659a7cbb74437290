// States of contacts that stick in crowds, where contacts begin inside steps: they are 0 all along the segment of the
// step, which gets places for them where it has none left.
#include "island/island.h"

#include <string.h>

// A vector of states with more places for bristles.
static void widenVector(const crIsland* island, int more, const double* from, double* to)
{
  size_t states = (size_t)island->stateCount, rest = (size_t)island->n - states;
  memcpy(to, from, states * sizeof *to);
  memset(to + states, 0, (size_t)more * sizeof *to);
  memcpy(to + states + more, from + states, rest * sizeof *to);
}

// All that lies in the numbers of an island, in others.
static void widenNumbers(crIsland* island, int more, double* to)
{
  int n = island->n + more;
  crSegment wide = island->segment;
  crSegment_Place(&wide, n, to + n);
  widenVector(island, more, island->numbers, to);
  for (int i = island->stateCount; i < island->stateCount + more; ++i) {
    to[i] = island->numbers[island->treeStates]; // as the first bristle's: a crowd has room for some
  }
  widenVector(island, more, island->segment.y0, wide.y0);
  widenVector(island, more, island->segment.y1, wide.y1);
  widenVector(island, more, island->segment.f0, wide.f0);
  widenVector(island, more, island->segment.f1, wide.f1);
  for (size_t row = 0; row < CR_DENSE_ROWS; ++row) {
    widenVector(island, more, island->segment.dense + row * (size_t)island->n, wide.dense + row * (size_t)n);
  }
  island->segment = wide;
}

static crStatus widen(crIsland* island, int more)
{
  const crAllocator* allocator = &island->owner->allocator;
  size_t n = (size_t)(island->n + more), count = 2 * n + 2 * crSegment_CountDoubles((int)n);
  double* numbers = crAllocateZero(allocator, count, sizeof *numbers);
  if (numbers == NULL) {
    return cr_errorMemory;
  }
  widenNumbers(island, more, numbers);
  crFree(allocator, island->numbers, (size_t)island->numberCapacity * sizeof *island->numbers);
  island->numbers = numbers;
  island->numberCapacity = (int)count;
  island->n = (int)n;
  island->stateCount += more;
  crSegment_Place(&island->before, island->n, numbers + n + crSegment_CountDoubles(island->n));
  island->hasBefore = island->hadBefore = false;
  island->memory.hasDirection = island->again.hasDirection = false;
  island->problem.n = island->n;
  island->problem.absTol = numbers;
  return cr_ok;
}

crStatus crIsland_SeatBristles(crWorker* worker, crIsland* island)
{
  if (!crContacts_SeatBristles(island->contacts)) {
    return cr_errorMemory;
  }
  int more = island->treeStates + island->contacts->bristleCount - island->stateCount;
  crStatus status = more > 0 ? widen(island, more) : cr_ok;
  return status == cr_ok ? crIsland_Restructure(worker, island) : status;
}
