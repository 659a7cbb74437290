// Whose turn it is among the islands of a group, its step, and what a contact in that step does to both partners.
#include "island/island.h"

#define CR_MAX_CORRECTIONS 6 // times that a step is redone to hit a contact
#define CR_MAX_STALL 2000    // operations without any clock moving: per tree, so that all of them may meet at one time
#define CR_BEGIN_MET 1.8     // [-] depth over epsilon from which on an event takes a touch for a contact, with a margin
#define CR_END_MET 0.5       // [-] and below which for none
#define CR_MET_SLACK 0.005   // [-] of epsilon: how near to its aim a redone step has to end,
#define CR_TOO_DEEP 0.1      // [-] of epsilon: what is deeper than its aim by more is corrected on
#define CR_MAX_HALVINGS 60   // corrections then: times have no more digits
#define CR_QUIET_SHARE 1e-9  // [-] of a step that an event is put off by, behind one that changed nothing
#define CR_MAX_MEETINGS 8    // contacts in one trial step, each before the last
#define CR_MOTION_GROWTH 1.5 // [-] of steps along prescribed motions, at most
#define CR_LEAST_MOTION_STEP 1e-12

// ------------------------------------------------------------------------------------------------- clocks

// Where something waits comes first: it happens at that time, before anybody goes on from there.
static bool isBefore(const crIsland* a, const crIsland* b)
{
  if (a->segment.t1 != b->segment.t1) {
    return a->segment.t1 < b->segment.t1;
  }
  bool waitsA = a->pending != cr_pendingNothing, waitsB = b->pending != cr_pendingNothing;
  return waitsA != waitsB ? waitsA : a->number < b->number;
}

static void put(crWorker* worker, int place, int number)
{
  worker->heap[place] = number;
  worker->islands->items[number].heapPlace = place;
}

static void moveUp(crWorker* worker, int place)
{
  int number = worker->heap[place];
  while (place > 0 &&
         isBefore(&worker->islands->items[number], &worker->islands->items[worker->heap[(place - 1) / 2]])) {
    put(worker, place, worker->heap[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  put(worker, place, number);
}

static void moveDown(crWorker* worker, int place)
{
  int number = worker->heap[place];
  for (int child = 2 * place + 1; child < worker->heapCount; child = 2 * place + 1) {
    const crIsland* items = worker->islands->items;
    bool takesRight =
        child + 1 < worker->heapCount && isBefore(&items[worker->heap[child + 1]], &items[worker->heap[child]]);
    child += takesRight;
    if (!isBefore(&items[worker->heap[child]], &items[number])) {
      break;
    }
    put(worker, place, worker->heap[child]);
    place = child;
  }
  put(worker, place, number);
}

void crWorker_Place(crWorker* worker, crIsland* island)
{
  worker->islands->isMoved[island->number] = true;
  if (island->heapPlace < 0) {
    put(worker, worker->heapCount++, island->number);
  }
  moveUp(worker, island->heapPlace);
  moveDown(worker, island->heapPlace);
}

void crWorker_Remove(crWorker* worker, crIsland* island)
{
  int place = island->heapPlace;
  int last = worker->heap[--worker->heapCount];
  if (last != island->number) {
    put(worker, place, last);
    moveUp(worker, place);
    moveDown(worker, worker->islands->items[last].heapPlace);
  }
  island->heapPlace = -1;
  island->isUsed = false;
}

// ------------------------------------------------------------------------------------------------- steps

static void waitForTime(crIsland* island)
{
  if (island->segment.t1 == island->nextEvent && island->pending == cr_pendingNothing) {
    island->pending = cr_pendingEvent;
  }
}

static void cancel(crWorker* worker, crIsland* island)
{
  crIsland* items = worker->islands->items;
  if (island->pending == cr_pendingMerge && items != NULL) {
    crIsland* partner = &items[island->partner];
    partner->pending = cr_pendingNothing;
    waitForTime(partner);
    crWorker_Place(worker, partner);
  }
  island->pending = cr_pendingNothing;
}

// A segment that was there before, with another end. hasMoved: and another start.
static crStatus sweepAgain(crWorker* worker, crIsland* island, bool hasMoved)
{
  crStatus status = hasMoved || island->isRimSwept ? crWorker_SweepStart(worker, island) : cr_ok;
  return status == cr_ok ? crWorker_Sweep(worker, island) : status;
}

// The step of the island whose turn it is, to end at t or before.
static crStatus stepTo(crWorker* worker, crIsland* island, double t)
{
  crStatus status = crIsland_StepTo(worker, island, t);
  return status == cr_ok ? sweepAgain(worker, island, false) : status;
}

// The segment of another one, to end at t. Others may need it from time `from` on.
static crStatus redo(crWorker* worker, crIsland* island, double from, double t)
{
  double start = island->segment.t0;
  crStatus status = crIsland_Redo(worker, island, from, t);
  return status == cr_ok ? sweepAgain(worker, island, island->segment.t0 > start) : status;
}

crStatus crWorker_EndOther(crWorker* worker, crIsland* island, double t)
{
  cancel(worker, island);
  return island->segment.t1 > t ? redo(worker, island, t, t) : cr_ok;
}

// Both partners of a hit while their steps are taken again to end at it.
typedef struct Meeting {
  crIsland *island, *other; // other: NULL: the world, or the same island
  double from;              // [s] others may need both from there on
  double theirEnd;          // [s] of the other's segment before
  bool isTurn;              // it is the island's turn: its step may end before
} Meeting;

// outIsThere: the steps end there, and did not have to be shorter.
static crStatus endAt(crWorker* worker, const Meeting* m, double t, bool isFirst, bool* outIsThere)
{
  crStatus status = m->isTurn ? stepTo(worker, m->island, t) : redo(worker, m->island, m->from, t);
  *outIsThere = m->island->segment.t1 >= t;
  if (status == cr_ok && *outIsThere && m->other != NULL && (t < m->theirEnd || !isFirst)) {
    status = redo(worker, m->other, m->from, t);
  }
  *outIsThere = *outIsThere && (m->other == NULL || m->other->segment.t1 == t);
  return status;
}

// Redoes the steps of both to the time of the hit, and corrects that, since a polynomial only told where it is: by
// Newton's method inside a bracket, or halving that, until the distance is near its aim. Where that cannot be, as where
// distances jump with the steps that lead there, the least deep of those will do that an event takes for a change.
// outIsMet: there is one.
static crStatus redoToHit(crWorker* worker, const Meeting* m, crHit* hit, bool* outIsMet)
{
  double low = m->from, high = fmin(m->island->segment.t1, m->theirEnd), met = HUGE_VAL, metOff = HUGE_VAL;
  *outIsMet = hit->isOver && hit->time >= m->island->segment.t1;
  if (*outIsMet) {
    return cr_ok;
  }
  bool isTooDeep = false;
  for (int i = 0; i < CR_MAX_CORRECTIONS || (isTooDeep && i < CR_MAX_HALVINGS); ++i) {
    double d, rate;
    bool isThere;
    crStatus status = endAt(worker, m, hit->time, i == 0, &isThere);
    status = status == cr_ok && isThere ? crWorker_LookAtEnd(worker, hit, hit->time, &d, &rate) : status;
    if (status != cr_ok || !isThere) {
      return status; // not there yet
    }
    double off = d - hit->aim;
    *outIsMet = hit->isEnd ? d >= -CR_END_MET * hit->epsilon : d <= -CR_BEGIN_MET * hit->epsilon;
    if (*outIsMet && fabs(off) < metOff) {
      met = hit->time;
      metOff = fabs(off);
      isTooDeep = !hit->isEnd && off < -CR_TOO_DEEP * hit->epsilon;
    }
    bool isNear = *outIsMet && fabs(off) <= CR_MET_SLACK * hit->epsilon;
    bool isBefore = hit->isEnd ? off < 0.0 : off > 0.0;
    low = isBefore ? fmax(low, hit->time) : low;
    high = isBefore ? high : fmin(high, hit->time);
    double next = hit->time - off / rate;
    next = next > low && next < high ? next : 0.5 * (low + high);
    if (isNear || hit->time <= m->from || next == hit->time) {
      break;
    }
    hit->time = next;
  }
  *outIsMet = isfinite(met);
  if (*outIsMet && met != hit->time) {
    hit->time = met;
    return endAt(worker, m, met, false, outIsMet);
  }
  return cr_ok;
}

// Halves the step until prescribed motions inside it are what its ends tell of them.
static crStatus followMotions(crWorker* worker, crIsland* island)
{
  bool isGood = true;
  crStatus status = crWorker_CheckMotions(worker, island, &isGood);
  double h = island->segment.t1 - island->segment.t0;
  crIsland_SetMotionStep(island, fmax(island->motionStep, h) * CR_MOTION_GROWTH);
  while (status == cr_ok && !isGood && h > CR_LEAST_MOTION_STEP * (1.0 + fabs(island->segment.t0))) {
    h *= 0.5;
    crIsland_SetMotionStep(island, h);
    status = stepTo(worker, island, island->segment.t0 + h);
    status = status == cr_ok ? crWorker_CheckMotions(worker, island, &isGood) : status;
  }
  return status;
}

// What approaches must not pass through what it touches inside a step.
static crStatus shortenLeap(crWorker* worker, crIsland* island)
{
  if (island->hasLanes && !crIsland_MayLeap(island)) {
    return cr_ok;
  }
  crIsland_TellContacts(island);
  bool mayLeap = true;
  crStatus status = island->contacts->carriers.count > 0 ? crWorker_CheckLeap(worker, island, &mayLeap) : cr_ok;
  if (status != cr_ok || !mayLeap) {
    return status;
  }
  status = crWorker_StandCarriers(worker, island);
  if (status != cr_ok) {
    return status;
  }
  double h = island->segment.t1 - island->segment.t0, longest = crIsland_FindLongest(island);
  return h > longest ? stepTo(worker, island, island->segment.t0 + longest) : cr_ok;
}

// The trial step was searched up to the hit, but ends behind it, where Newton's method found the contact, or none. What
// happens in between is searched now; an earlier contact takes the place of this one. The same one once more is only
// its noise where the pair still approaches, but a contact of its own where that was not met, or is left again.
static crStatus searchRest(crWorker* worker, crIsland* island, const crHit* met, bool isMet, double searched)
{
  if (!(island->segment.t1 > searched) || island->isCrowd) {
    return cr_ok;
  }
  double d = 0.0, rate = 0.0, end = island->segment.t1;
  crHit hit = { .time = HUGE_VAL };
  crStatus status = crWorker_Search(worker, island, &hit);
  bool isSame = isMet && hit.shapeA == met->shapeA && hit.shapeB == met->shapeB;
  if (status == cr_ok && hit.time < end && isSame && !met->isEnd) {
    status = crWorker_LookAtEnd(worker, met, met->time, &d, &rate);
  }
  if (status == cr_ok && hit.time < end && isSame && !(rate > 0.0)) { // what comes behind it was not looked at
    hit.time = HUGE_VAL;
    worker->left = (crBoxPair){ met->shapeA, met->shapeB };
    status = crWorker_Search(worker, island, &hit);
    worker->left = (crBoxPair){ 0, 0 };
  }
  if (status != cr_ok || !(hit.time < end)) {
    return status;
  }
  if (worker->meetingCount >= CR_MAX_MEETINGS) { // so far all is known
    cancel(worker, island);
    status = stepTo(worker, island, searched);
    waitForTime(island);
    crWorker_Place(worker, island);
    return status;
  }
  ++worker->meetingCount;
  status = crWorker_Meet(worker, island, island->segment.t0, &hit);
  --worker->meetingCount;
  return status;
}

// A contact in the trial step of the island: both partners end there, and wait.
crStatus crWorker_Meet(crWorker* worker, crIsland* island, double from, crHit* hit)
{
  crIsland* other = hit->other >= 0 ? &worker->islands->items[hit->other] : NULL;
  Meeting meeting = { island, other, from, other != NULL ? other->segment.t1 : HUGE_VAL, from == island->segment.t0 };
  cancel(worker, island);
  if (other != NULL && other->pending != cr_pendingNothing && hit->time >= other->segment.t1) {
    // its own event at this very time goes first
    crStatus status =
        meeting.isTurn ? stepTo(worker, island, other->segment.t1) : redo(worker, island, from, other->segment.t1);
    waitForTime(island);
    crWorker_Place(worker, island);
    return status;
  }
  bool isMet = false;
  double searched = hit->time;
  crStatus status = redoToHit(worker, &meeting, hit, &isMet);
  if (other != NULL) {
    cancel(worker, other);
  }
  if (isMet) {
    island->pending = other != NULL ? cr_pendingMerge : cr_pendingEvent;
    island->partner = hit->other;
  }
  if (isMet && other != NULL) {
    other->pending = cr_pendingMerge;
    other->partner = island->number;
  }
  waitForTime(island);
  if (other != NULL) {
    waitForTime(other);
    crWorker_Place(worker, other);
  }
  crWorker_Place(worker, island);
  return status == cr_ok && meeting.isTurn ? searchRest(worker, island, hit, isMet, searched) : status;
}

// Where a distance jumps, an event may find unchanged what the search saw to change, since both round in ways of their
// own: it has to happen a little later, the more so the more often that was.
static void passQuiet(const crIsland* island, crHit* hit)
{
  double h = island->segment.t1 - island->segment.t0;
  if (island->quietEvents > 0) {
    double least = island->segment.t0 + fmin(1.0, CR_QUIET_SHARE * ldexp(1.0, island->quietEvents)) * h;
    hit->time = fmax(hit->time, least);
  }
}

// A crowd of balls that has just stepped: all that its way is asked for is whether it stays in its room, and those of
// its balls are swept that others may meet. Where balls are so fast that they may pass through each other it is looked
// at like any other.
static crStatus sweepCrowd(crWorker* worker, crIsland* island, bool* outIsInside)
{
  *outIsInside = crWorker_CheckBalls(worker, island);
  return *outIsInside && worker->heapCount > 1 ? crWorker_SweepRim(worker, island) : cr_ok;
}

// What the bodies sweep in the step, and whether that leads out of the room that the round has for it. wasSwept: so was
// the step before.
static crStatus sweepStep(crWorker* worker, crIsland* island, bool wasSwept, bool* outIsInside)
{
  crStatus status = wasSwept ? cr_ok : crWorker_SweepStart(worker, island);
  status = status == cr_ok ? crWorker_CheckAllotted(worker, island, !wasSwept, outIsInside) : status;
  if (status != cr_ok || !*outIsInside) {
    return status;
  }
  if (wasSwept) {
    crWorker_BeginSweep(worker, island);
  }
  status = crWorker_Sweep(worker, island);
  status = status == cr_ok && isfinite(island->motionStep) ? followMotions(worker, island) : status;
  return status == cr_ok ? shortenLeap(worker, island) : status;
}

// Takes the step and searches it. If it leads out of the room that the round has for it, the round is broken.
static crStatus stepIsland(crWorker* worker, crIsland* island)
{
  const crSimulationOptions* options = &worker->islands->run->options;
  bool isInside = true;
  crHit hit = { .time = HUGE_VAL };
  crStatus status = crIsland_CountStep(worker, island);
  if (status == cr_ok && crIsland_NeedsReview(island)) {
    return crWorker_PassEvent(worker, island);
  }
  double t = island->segment.t1;
  if (island->isCrowd) { // a carrier may be among what has begun in the last step
    island->nextEvent = fmin(island->nextEvent, crIslands_FindCarrierEvent(worker->islands, island, t));
  }
  double tMax = fmin(options->stopTime, island->nextEvent);
  tMax = fmin(tMax, t + fmin(options->maxStep, island->motionStep));
  tMax = fmin(tMax, t + crIslands_FindCarrierLimit(worker->islands, island));
  bool wasSwept = island->sweptStamp == island->stamp;
  status = status == cr_ok ? crIsland_Step(worker, island, tMax) : status;
  status = status == cr_ok ? crIsland_EndAtKink(worker, island) : status;
  if (status == cr_ok && island->hasLanes && !crIsland_MayLeap(island)) {
    status = sweepCrowd(worker, island, &isInside);
  } else if (status == cr_ok) {
    status = sweepStep(worker, island, wasSwept, &isInside);
  }
  if (status == cr_ok && !isInside) {
    atomic_store(&worker->islands->isBroken, true);
    return cr_ok;
  }
  if (status == cr_ok) {
    status = island->isCrowd ? crWorker_SearchCrowd(worker, island, tMax, &hit) : crWorker_Search(worker, island, &hit);
  }
  if (status == cr_ok && hit.time <= island->segment.t1) {
    passQuiet(island, &hit);
    return crWorker_Meet(worker, island, island->segment.t0, &hit);
  }
  waitForTime(island);
  crWorker_Place(worker, island);
  return status;
}

// Nothing happens for ever at one time.
static crStatus watchStall(crWorker* worker, const crIsland* island)
{
  bool moves = island->segment.t1 > worker->lastClock;
  worker->lastClock = island->segment.t1;
  worker->stallCount = moves ? 0 : worker->stallCount + 1;
  return worker->stallCount > (int64_t)CR_MAX_STALL * worker->islands->model->size.treeCount ? cr_errorLimit : cr_ok;
}

// What waits at the limit happens before it.
static bool isDue(const crWorker* worker)
{
  const crIslands* islands = worker->islands;
  const crIsland* first = worker->heapCount > 0 ? &islands->items[worker->heap[0]] : NULL;
  return first != NULL && (first->segment.t1 < islands->limit ||
                           (first->segment.t1 == islands->limit && first->pending != cr_pendingNothing));
}

// Of several failures in a round the earliest is told, whoever found it.
void crWorker_NoteFailure(crWorker* worker, const crIsland* island, crDuring during, crStatus status)
{
  double t = island->segment.t1;
  if (worker->status == cr_ok || t < worker->failedTime ||
      (t == worker->failedTime && island->number < worker->failedIsland)) {
    worker->status = status;
    worker->failedTime = t;
    worker->failedIsland = island->number;
    worker->during = during;
    worker->failedDeep = worker->deep;
  }
  worker->deep.kind = cr_deepNone;
}

// Somebody looks at what is, between an event and what comes before or behind it.
static bool isLookedAt(const crWorker* worker, bool wasEvent)
{
  const crIslands* islands = worker->islands;
  bool isEventNext = worker->heapCount > 0 && islands->items[worker->heap[0]].pending != cr_pendingNothing;
  return islands->stopsAtEvents && (wasEvent || isEventNext);
}

crStatus crWorker_Run(crWorker* worker, int64_t limit)
{
  crStatus status = cr_ok;
  bool isStopped = false;
  for (int64_t i = 0;
       i < limit && status == cr_ok && !isStopped && !atomic_load(&worker->islands->isBroken) && isDue(worker); ++i) {
    crIsland* island = &worker->islands->items[worker->heap[0]];
    bool isEvent = island->pending != cr_pendingNothing;
    status = watchStall(worker, island);
    if (status == cr_ok) {
      status = isEvent ? crWorker_PassEvent(worker, island) : stepIsland(worker, island);
    }
    ++worker->operationCount;
    isStopped = isLookedAt(worker, isEvent);
    if (status != cr_ok) {
      crWorker_NoteFailure(worker, island,
                           worker->isSampling ? cr_duringSample
                           : isEvent          ? cr_duringEvent
                                              : cr_duringStep,
                           status);
    }
  }
  for (int i = 0; i < worker->heapCount; ++i) { // others look at where bodies are, and at contacts
    crIsland* island = &worker->islands->items[worker->heap[i]];
    crIsland_TellContacts(island);
    status = status == cr_ok ? crWorker_EnsureSwept(worker, island) : status;
  }
  return status;
}
