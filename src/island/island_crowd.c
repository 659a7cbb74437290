// Crowds: islands of so many bodies that something begins or ends to touch in every step. Their contacts change inside
// steps: what the search finds to begin in a trial step is prepared, with what an event would freeze, and the step is
// taken again from its start; what ends just has no force any more. Now and then all contacts are found anew, and the
// island may part.
//
// What is stiff in a crowd is damping and friction, in contacts that come and go, so the stabilized explicit method is
// the right one, see rkc2.c: it needs no matrix, and its cost grows like the number of bodies.
#include "island/island.h"

#include <math.h>
#include <stdlib.h>

#define CR_MOST_TRIES 4      // times that a step is taken again for what begins in it; then it is truncated there
#define CR_SLIGHT_SHARE 0.3  // [tolerance] that contacts which begin in a step may change, if it is not taken again
#define CR_START_WEIGHT 0.4  // [-] mean over end of a force that begins with the power 3/2 of time
#define CR_REVIEW_STEPS 100  // after which contacts are found anew, if any was over,
#define CR_LANES_REVIEW 300  // of balls in lanes, which leave out what is over,
#define CR_REVIEW_TREES 20   // or as many as there are times so many trees: that takes as long as some of its steps
#define CR_BUSY_STEPS 25     // likewise, of busy islands, since the last event
#define CR_TRIAL_STEPS 3     // in a row that speak for another method
#define CR_QUIET_STEPS 50    // likewise, without a contact that began or ended
#define CR_WORTH_STAGES 30.0 // [-] that cost as much as an implicit step of
#define CR_WORTH_TREES 100.0 // this many bodies
#define CR_LANES_WORTH 5.0   // [-] times as many, where stages are evaluated in lanes
#define CR_LEAST_WORTH 0.5   // [-] of that, below which the implicit method is left
#define CR_STAGE_RATE 1.54   // [-] square of stages over step times spectral radius

static int compareStarts(const void* a, const void* b)
{
  const crContactStart *x = a, *y = b;
  return crComparePairs(x->pair.a, x->pair.b, y->pair.a, y->pair.b);
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

// Whether what begins in the step, and is prepared, changes so little until its end that it need not be taken again:
// by the rates there, which are those of the next step then.
static crStatus checkSlight(crWorker* worker, crIsland* island, bool* outIsSlight)
{
  double first = island->segment.t1;
  for (int i = 0; i < worker->starts.count; ++i) {
    first = fmin(first, worker->starts.items[i].time);
  }
  double change = 0.0;
  crStatus status = crIsland_TryEnd(worker, island, CR_START_WEIGHT * (island->segment.t1 - first), &change);
  *outIsSlight = status == cr_ok && change <= CR_SLIGHT_SHARE;
  return status;
}

// What begins among balls in lanes is known: others may be in the way.
static crStatus lookAside(crWorker* worker, crIsland* island, crHit* outHit)
{
  outHit->time = HUGE_VAL;
  worker->looksAside = true;
  crStatus status = worker->heapCount > 1 ? crWorker_Search(worker, island, outHit) : cr_ok;
  worker->looksAside = false;
  return status;
}

crStatus crWorker_SearchCrowd(crWorker* worker, crIsland* island, double tMax, crHit* outHit)
{
  ++island->stepCount;
  if (island->hasLanes) {
    return lookAside(worker, island, outHit);
  }
  crStatus status = cr_ok;
  for (int i = 0; i < CR_MOST_TRIES && status == cr_ok; ++i) {
    status = search(worker, island, outHit);
    if (status != cr_ok || worker->starts.count == 0) {
      return status;
    }
    bool isSlight = false;
    status = crContacts_Prepare(island->contacts, worker->starts.items, worker->starts.count);
    status = status == cr_ok && worker->islands->sticks ? crIsland_SeatBristles(worker, island) : status;
    status = status == cr_ok ? checkSlight(worker, island, &isSlight) : status;
    if (isSlight) {
      return crIsland_TakeEnd(worker, island);
    }
    bool isInside = true;
    status = status == cr_ok ? crIsland_Again(worker, island, tMax) : status;
    status = status == cr_ok ? crWorker_Sweep(worker, island) : status;
    status = status == cr_ok ? crWorker_CheckAllotted(worker, island, true, &isInside) : status;
    if (!isInside) { // another way than the first time
      atomic_store(&worker->islands->isBroken, true);
      return status;
    }
  }
  return status == cr_ok ? crWorker_Search(worker, island, outHit) : status;
}

crStatus crWorker_FollowCrowd(crWorker* worker, crIsland* island)
{
  crStatus status =
      island->tookLanes ? cr_ok : crContacts_Follow(island->contacts, island->segment.t0, island->segment.t1);
  worker->lastEvent = fmax(worker->lastEvent, island->segment.t1); // what happened in the step may be handed out
  int count = 0;
  const crContactRecord* events = crContacts_GetEvents(island->contacts, &count);
  for (int i = 0; i < count && status == cr_ok; ++i) {
    island->endCount += events[i].phase == cr_contactEnd;
  }
  island->quietSteps = count > 0 ? 0 : island->quietSteps + 1;
  return status == cr_ok ? crWorker_KeepNews(worker, island->contacts) : status;
}

bool crIsland_NeedsReview(const crIsland* island)
{
  int most = island->treeCount / CR_REVIEW_TREES, least = island->tookLanes ? CR_LANES_REVIEW : CR_REVIEW_STEPS;
  most = !island->isCrowd ? CR_BUSY_STEPS : most > least ? most : least;
  int steps = island->isCrowd ? island->stepCount : crIsland_IsBusy(island) ? island->policy.stepCount : 0;
  return island->endCount > 0 && steps >= most;
}

static void change(crIsland* island, crStepKind kind, double h)
{
  crStepMemory before = island->memory;
  island->memory = crStartMemory(kind, h);
  island->memory.isAlone = before.isAlone;
  island->memory.radius = before.radius;
  island->memory.isChanged = true;
  island->trialCount = island->quietSteps = 0;
}

// [-] Stages of the stabilized method that cost as much as an implicit step, whose matrix fills up as it grows.
static double countWorth(const crIsland* island)
{
  double size = fmax(1.0, (double)island->treeCount / CR_WORTH_TREES);
  return CR_WORTH_STAGES * (island->areBalls ? CR_LANES_WORTH : 1.0) * size * sqrt(size);
}

// [-] Stages that the last step of the implicit method would have taken.
static double countStages(const crStepMemory* memory)
{
  return sqrt(CR_STAGE_RATE * memory->lastStep * memory->radius);
}

// Stabilized steps are right while bodies move; where they rest, errors allow so long ones that an implicit one is
// worth its matrix. What sticks rests for ever, but not by stabilized steps: bodies vibrate along their contacts with
// less than critical damping, which is not in the narrow strip where long ones are stable.
void crIsland_ChooseCrowdMethod(crIsland* island)
{
  crStepMemory* memory = &island->memory;
  double worth = countWorth(island);
  bool isMany = memory->kind == cr_stepRkc2 && memory->stages > worth;
  bool isQuiet = memory->kind == cr_stepRkc2 && island->owner->sticks && island->quietSteps >= CR_QUIET_STEPS;
  bool isStill = island->owner->sticks && island->quietSteps > 0; // steps may have to grow yet
  bool isFew = memory->kind == cr_stepRadau5 && countStages(memory) < CR_LEAST_WORTH * worth && !isStill;
  island->trialCount = isMany || isFew ? island->trialCount + 1 : 0;
  if (island->trialCount >= CR_TRIAL_STEPS || isQuiet) {
    change(island, isMany || isQuiet ? cr_stepRadau5 : cr_stepRkc2, memory->lastStep);
  }
}
