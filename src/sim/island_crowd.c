// Crowds: islands of so many bodies that something begins or ends to touch in every step. Their contacts change inside
// steps: what the search finds to begin in a trial step is prepared, with what an event would freeze, and the step is
// taken again from its start; what ends just has no force any more. Now and then all contacts are found anew, and the
// island may part.
//
// Which method pays is measured as well: one implicit step of a crowd costs as much as many explicit ones.
#include "sim/island.h"

#include <stdlib.h>

#define CR_MOST_TRIES 4       // times that a step is taken again for what begins in it; then it is truncated there
#define CR_REVIEW_STEPS 20    // after which contacts are found anew, if any was over
#define CR_TRIAL_STEPS 6      // of the implicit method, before it is judged
#define CR_IMPLICIT_GAIN 15.0 // [-] its step over that of the explicit method that it has to reach
#define CR_MOST_PATIENCE 1000

static int compareStarts(const void* a, const void* b)
{
  const crContactStart *x = a, *y = b;
  int order = crComparePairs(x->pair.a, x->pair.b, y->pair.a, y->pair.b);
  return order != 0 ? order : (x->touch > y->touch) - (x->touch < y->touch);
}

// Drops what begins behind t; the rest sorted.
static void sortStarts(crWorker* worker, double t)
{
  int count = 0;
  for (int i = 0; i < worker->starts.count; ++i) {
    if (worker->starts.items[i].time <= t) {
      worker->starts.items[count++] = worker->starts.items[i];
    }
  }
  worker->starts.count = count;
  if (count > 1) {
    qsort(worker->starts.items, (size_t)count, sizeof *worker->starts.items, compareStarts);
  }
}

static crStatus search(crWorker* worker, crIsland* island, crHit* outHit)
{
  worker->starts.count = 0;
  worker->gathersStarts = true;
  crStatus status = crWorker_Search(worker, island, outHit);
  worker->gathersStarts = false;
  sortStarts(worker, outHit->time);
  return status;
}

crStatus crWorker_SearchCrowd(crWorker* worker, crIsland* island, double tMax, crHit* outHit)
{
  ++island->stepCount;
  crStatus status = cr_ok;
  for (int i = 0; i < CR_MOST_TRIES && status == cr_ok; ++i) {
    status = search(worker, island, outHit);
    if (status != cr_ok || worker->starts.count == 0) {
      return status;
    }
    status = crContacts_Prepare(island->contacts, worker->starts.items, worker->starts.count);
    status = status == cr_ok ? crIsland_Again(worker, island, tMax) : status;
    status = status == cr_ok ? crWorker_Sweep(worker, island) : status;
  }
  return status == cr_ok ? crWorker_Search(worker, island, outHit) : status;
}

crStatus crWorker_FollowCrowd(crWorker* worker, crIsland* island)
{
  crStatus status = crContacts_Follow(island->contacts, island->segment.t0, island->segment.t1);
  worker->lastEvent = fmax(worker->lastEvent, island->segment.t1); // what happened in the step may be handed out
  int count = 0;
  const crContactEvent* events = crContacts_GetEvents(island->contacts, &count);
  for (int i = 0; i < count && status == cr_ok; ++i) {
    island->endCount += !events[i].begins;
  }
  return status == cr_ok ? crWorker_KeepNews(worker, island->contacts) : status;
}

bool crIsland_NeedsReview(const crIsland* island)
{
  return island->isCrowd && island->endCount > 0 && island->stepCount >= CR_REVIEW_STEPS;
}

static void change(crIsland* island, crStepKind kind, double h)
{
  bool isAlone = island->memory.isAlone;
  island->memory = crStartMemory(kind, h);
  island->memory.isAlone = isAlone;
  island->memory.isChanged = true;
  island->trialCount = 0;
}

void crIsland_ChooseCrowdMethod(crIsland* island)
{
  crStepMemory* memory = &island->memory;
  if (memory->kind == cr_stepDopri5 && memory->stiffHits >= CR_STIFF_HITS + island->patience) {
    island->stiffStep = memory->lastStep;
    change(island, cr_stepRadau5, 2.0 * memory->lastStep);
  } else if (memory->kind == cr_stepRadau5 && ++island->trialCount >= CR_TRIAL_STEPS &&
             memory->lastStep < CR_IMPLICIT_GAIN * island->stiffStep) {
    island->patience = island->patience < CR_MOST_PATIENCE ? 2 * island->patience + CR_STIFF_HITS : CR_MOST_PATIENCE;
    change(island, cr_stepDopri5, island->stiffStep);
  }
}
