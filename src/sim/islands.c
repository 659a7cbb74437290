// Islands and their clocks: whose turn it is, what a contact in a step does to both partners, and what the outside
// sees.
#include "sim/islands.h"

#include "base/report.h"
#include "sim/island.h"

#include <stdio.h>
#include <string.h>

#define CR_MAX_CORRECTIONS 6 // times that a step is redone to hit a contact
#define CR_STOP_CHECKS 16    // operations between two questions whether to stop
#define CR_MAX_STALL 2000    // operations without any clock moving: per tree, so that all of them may meet at one time
#define CR_BEGIN_MET 1.1     // [-] depth over epsilon from which on an event takes a touch for a contact, with a margin
#define CR_END_MET 0.5       // [-] and below which for none
#define CR_MET_SLACK 0.5     // [-] of epsilon: how near to its aim a redone step has to end
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

static void put(crIslands* islands, int place, int number)
{
  islands->heap[place] = number;
  islands->items[number].heapPlace = place;
}

static void moveUp(crIslands* islands, int place)
{
  int number = islands->heap[place];
  while (place > 0 && isBefore(&islands->items[number], &islands->items[islands->heap[(place - 1) / 2]])) {
    put(islands, place, islands->heap[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  put(islands, place, number);
}

static void moveDown(crIslands* islands, int place)
{
  int number = islands->heap[place];
  for (int child = 2 * place + 1; child < islands->heapCount; child = 2 * place + 1) {
    const crIsland* items = islands->items;
    bool takesRight =
        child + 1 < islands->heapCount && isBefore(&items[islands->heap[child + 1]], &items[islands->heap[child]]);
    child += takesRight;
    if (!isBefore(&items[islands->heap[child]], &items[number])) {
      break;
    }
    put(islands, place, islands->heap[child]);
    place = child;
  }
  put(islands, place, number);
}

void crIslands_Place(crIslands* islands, crIsland* island)
{
  if (island->heapPlace < 0) {
    put(islands, islands->heapCount++, island->number);
  }
  moveUp(islands, island->heapPlace);
  moveDown(islands, island->heapPlace);
}

void crIslands_Remove(crIslands* islands, crIsland* island)
{
  int place = island->heapPlace;
  int last = islands->heap[--islands->heapCount];
  if (last != island->number) {
    put(islands, place, last);
    moveUp(islands, place);
    moveDown(islands, islands->items[last].heapPlace);
  }
  island->heapPlace = -1;
  islands->free[islands->freeCount++] = island->number;
}

// ------------------------------------------------------------------------------------------------- create

bool crCanUseIslands(const crModel* model, const crSimulationOptions* options, const char** outReason)
{
  bool canTouch = !options->ignoresContact && model->size.pairCount > 0;
  *outReason = !canTouch                           ? "nothing can touch"
               : options->islands == cr_islandsOff ? "they were switched off"
               : options->indicatesPairs           ? "pairs have indicators of their own"
               : options->solver != CR_SOLVER_AUTO ? "a solver was asked for"
                                                   : NULL;
  return *outReason == NULL;
}

static bool isDriven(const crModel* model, int tree)
{
  bool is = false;
  for (int k = model->treeDrives[tree]; k < model->treeDrives[tree + 1]; ++k) {
    is = is || model->joints[model->driveBodies[k] - 1].motion >= 0;
  }
  return is;
}

// Trees sorted by their components, and the shapes of each tree.
static void fillTables(crIslands* islands)
{
  const crModel* model = islands->model;
  int place = 0, shape = 0, treeCount = model->size.treeCount;
  for (int first = 0; first < treeCount; ++first) {
    for (int t = first; model->components[first] == first && t < treeCount; ++t) {
      if (model->components[t] == first) {
        islands->componentTrees[place++] = t;
      }
      if (model->componentTrees[first] == 1) {
        break;
      }
    }
  }
  for (int k = treeCount - 1; k >= 0; --k) { // the first place of a component is written last
    islands->componentStarts[model->components[islands->componentTrees[k]]] = k;
  }
  for (int t = 0; t < treeCount; ++t) {
    islands->componentStarts[t] = islands->componentStarts[model->components[t]];
    islands->isRound[t] = crModel_IsRoundTree(model, t);
    islands->isDriven[t] = isDriven(model, t);
    while (shape < model->size.shapeCount && model->bodies[model->contactShapes[shape].body].tree < t) {
      ++shape;
    }
    islands->treeShapes[t] = shape;
  }
  islands->treeShapes[treeCount] = model->size.shapeCount;
}

static bool allocateArrays(crIslands* islands)
{
  const crAllocator* allocator = &islands->allocator;
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount;
  islands->itemLimit = size->treeCount + 2;
  size_t items = (size_t)islands->itemLimit;
  islands->items = crAllocateZero(allocator, items, sizeof *islands->items);
  islands->free = crAllocateZero(allocator, items, sizeof *islands->free);
  islands->heap = crAllocateZero(allocator, items, sizeof *islands->heap);
  islands->islandOf = crAllocateZero(allocator, trees, sizeof *islands->islandOf);
  islands->stateStarts = crAllocateZero(allocator, trees, sizeof *islands->stateStarts);
  islands->isRound = crAllocateZero(allocator, trees, sizeof *islands->isRound);
  islands->isDriven = crAllocateZero(allocator, trees, sizeof *islands->isDriven);
  islands->treeShapes = crAllocateZero(allocator, trees + 1, sizeof *islands->treeShapes);
  islands->labels = crAllocateZero(allocator, trees, sizeof *islands->labels);
  islands->partTrees = crAllocateZero(allocator, trees, sizeof *islands->partTrees);
  islands->componentTrees = crAllocateZero(allocator, trees, sizeof *islands->componentTrees);
  islands->componentStarts = crAllocateZero(allocator, trees, sizeof *islands->componentStarts);
  islands->sweeps = crAllocateZero(allocator, (size_t)size->bodyCount, sizeof *islands->sweeps);
  islands->boxes = crAllocateZero(allocator, shapes, sizeof *islands->boxes);
  islands->startBoxes = crAllocateZero(allocator, shapes, sizeof *islands->startBoxes);
  islands->swept = crAllocateZero(allocator, shapes, sizeof *islands->swept);
  return islands->items != NULL && islands->free != NULL && islands->heap != NULL && islands->islandOf != NULL &&
         islands->stateStarts != NULL && islands->isRound != NULL && islands->isDriven != NULL &&
         islands->treeShapes != NULL && islands->labels != NULL && islands->partTrees != NULL &&
         islands->componentTrees != NULL && islands->componentStarts != NULL && islands->sweeps != NULL &&
         islands->boxes != NULL && islands->startBoxes != NULL && islands->swept != NULL;
}

static crStatus createBroadPhase(crIslands* islands)
{
  const crModel* model = islands->model;
  int count = model->size.shapeCount;
  crPairFilter all = { NULL, NULL };
  crStatus status = crCreateBroadPhase(count, NULL, all, 0.0, &islands->allocator, &islands->broadPhase);
  for (int i = 0; i < count && status == cr_ok; ++i) {
    const crContactShape* shape = &model->contactShapes[i];
    if (model->bodies[shape->body].tree < 0) {
      status = crBroadPhase_SetBox(islands->broadPhase, i, crShape_ComputeAabb(shape->shape, shape->X_BS));
    }
  }
  return status;
}

static crStatus addPairs(const crContacts* from, crContacts* to)
{
  crStatus status = cr_ok;
  for (int k = 0; k < from->pairs.count && status == cr_ok; ++k) {
    status = crContacts_AddPair(from, &from->pairs.items[k], to);
  }
  return status;
}

// All trees as one island, which parts at once.
static crStatus startAll(crIslands* islands, double t)
{
  const crSimulation* simulation = islands->simulation;
  int treeCount = islands->model->size.treeCount;
  crIsland* all = crIslands_Take(islands);
  if (all == NULL || !crReserve(&islands->allocator, &all->trees, &all->treeCapacity, treeCount, sizeof *all->trees)) {
    return cr_errorMemory;
  }
  all->treeCount = treeCount;
  all->phase = simulation->phase;
  for (int k = 0; k < treeCount; ++k) {
    all->trees[k] = k;
    islands->islandOf[k] = all->number;
  }
  crTreeSet set = crIsland_GetSet(all);
  crInstance_SetState(islands->instance, set, t, simulation->state);
  crStatus status = addPairs(simulation->contacts, all->contacts);
  status = status == cr_ok ? crContacts_SortPairs(all->contacts) : status;
  return status == cr_ok ? crIslands_StartParts(islands, all, t, simulation->state + simulation->stateCount) : status;
}

static crStatus fill(crIslands* islands)
{
  const crModel* model = islands->model;
  const crErrorSink* sink = &islands->simulation->sink;
  if (!allocateArrays(islands)) {
    return cr_errorMemory;
  }
  for (int i = islands->itemLimit - 1; i >= 0; --i) {
    islands->items[i].owner = islands;
    islands->items[i].number = i;
    islands->items[i].heapPlace = -1;
    islands->free[islands->freeCount++] = i;
  }
  fillTables(islands);
  crStatus status = crCreateInstance(model, &islands->allocator, sink, &islands->probe);
  for (int i = 0; status == cr_ok && i < crModel_CountInputs(model); ++i) {
    crIslands_SetInput(islands, i, crInstance_GetInput(islands->instance, i));
  }
  status = status == cr_ok ? crCreateStepper(&islands->allocator, &islands->stepper) : status;
  status = status == cr_ok ? crCreateShapeTable(model, &islands->allocator, &islands->table) : status;
  status =
      status == cr_ok ? crCreateSharedContacts(islands->table, &islands->allocator, &islands->spareContacts) : status;
  status = status == cr_ok ? createBroadPhase(islands) : status;
  if (status == cr_ok && !crReserve(&islands->allocator, &islands->scratch, &islands->scratchCapacity,
                                    model->size.stateCount, sizeof(double))) {
    status = cr_errorMemory;
  }
  return status == cr_ok ? startAll(islands, islands->simulation->time) : status;
}

crStatus crCreateIslands(crSimulation* simulation, crIslands** outIslands)
{
  *outIslands = NULL;
  crIslands* islands = crAllocateZero(&simulation->allocator, 1, sizeof *islands);
  if (islands == NULL) {
    return cr_errorMemory;
  }
  islands->allocator = simulation->allocator;
  islands->simulation = simulation;
  islands->model = simulation->model;
  islands->instance = simulation->instance;
  islands->relTol = simulation->options.tolerance;
  islands->lastClock = -HUGE_VAL;
  crStatus status = fill(islands);
  if (status != cr_ok) {
    crDestroyIslands(islands);
    return status;
  }
  *outIslands = islands;
  return cr_ok;
}

void crDestroyIslands(crIslands* islands)
{
  if (islands == NULL) {
    return;
  }
  crAllocator allocator = islands->allocator;
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount, items = (size_t)islands->itemLimit;
  for (int i = 0; islands->items != NULL && i < islands->itemLimit; ++i) {
    if (islands->items[i].owner != NULL) {
      crIsland_Free(&islands->items[i]);
    }
  }
  crDestroyBroadPhase(islands->broadPhase);
  crDestroyContacts(islands->spareContacts);
  crDestroyShapeTable(islands->table);
  crDestroyStepper(islands->stepper);
  crDestroyInstance(islands->probe);
  crArray_Free(&islands->pairs, &allocator);
  crArray_Free(&islands->starts, &allocator);
  crFree(&allocator, islands->scratch, (size_t)islands->scratchCapacity * sizeof(double));
  crFree(&allocator, islands->swept, shapes * sizeof *islands->swept);
  crFree(&allocator, islands->startBoxes, shapes * sizeof *islands->startBoxes);
  crFree(&allocator, islands->boxes, shapes * sizeof *islands->boxes);
  crFree(&allocator, islands->sweeps, (size_t)size->bodyCount * sizeof *islands->sweeps);
  crFree(&allocator, islands->componentStarts, trees * sizeof *islands->componentStarts);
  crFree(&allocator, islands->componentTrees, trees * sizeof *islands->componentTrees);
  crFree(&allocator, islands->partTrees, trees * sizeof *islands->partTrees);
  crFree(&allocator, islands->labels, trees * sizeof *islands->labels);
  crFree(&allocator, islands->treeShapes, (trees + 1) * sizeof *islands->treeShapes);
  crFree(&allocator, islands->isDriven, trees * sizeof *islands->isDriven);
  crFree(&allocator, islands->isRound, trees * sizeof *islands->isRound);
  crFree(&allocator, islands->stateStarts, trees * sizeof *islands->stateStarts);
  crFree(&allocator, islands->islandOf, trees * sizeof *islands->islandOf);
  crFree(&allocator, islands->heap, items * sizeof *islands->heap);
  crFree(&allocator, islands->free, items * sizeof *islands->free);
  crFree(&allocator, islands->items, items * sizeof *islands->items);
  crFree(&allocator, islands, sizeof *islands);
}

// ------------------------------------------------------------------------------------------------- steps

// Nobody has said yet what went wrong.
static crStatus reportStep(crIslands* islands, const crIsland* island, crStatus status)
{
  if (status != cr_retry && status != cr_failNumerics) {
    return status;
  }
  const crModel* model = islands->model;
  double t = island->segment.t0;
  char message[2 * CR_MAX_PATH + 1024];
  const crTree* tree = &model->trees[island->trees[0]];
  snprintf(message, sizeof message, "the simulation stops at %.9g s: steps of '%s'%s %s", t,
           model->bodies[tree->bodyStart].path, island->treeCount > 1 ? " and what it touches" : "",
           status == cr_retry ? "cannot be evaluated, however short" : "become shorter than numbers can tell");
  crAddFault(islands->simulation, t, message, sizeof message);
  crReporter reporter = crMakeReporter(&islands->simulation->sink, (crSource){ 0 }, "simulation");
  crComplaint complaint = { .message = message,
                            .hint = "a looser tolerance, or look at the forces that act there at this time" };
  crReport(&reporter, cr_severityError, cr_failNumerics, &complaint);
  islands->simulation->hasFailed = true;
  return cr_failNumerics;
}

static void cancel(crIslands* islands, crIsland* island)
{
  if (island->pending == cr_pendingMerge) {
    crIsland* partner = &islands->items[island->partner];
    partner->pending = cr_pendingNothing;
    crIslands_Place(islands, partner);
  }
  island->pending = cr_pendingNothing;
}

static crStatus redo(crIslands* islands, crIsland* island, double t)
{
  crStatus status = crIsland_Redo(island, t);
  return status == cr_ok ? crIslands_Sweep(islands, island) : status;
}

// Redoes the steps of both to the time of the hit, and corrects that by Newton's method, since a polynomial only told
// where it is. outIsMet: the distance is what an event needs.
static crStatus redoToHit(crIslands* islands, crIsland* island, crIsland* other, crHit* hit, bool* outIsMet)
{
  double low = island->segment.t0, high = island->segment.t1, theirEnd = other != NULL ? other->segment.t1 : HUGE_VAL;
  high = fmin(high, theirEnd);
  *outIsMet = false;
  for (int i = 0; i < CR_MAX_CORRECTIONS; ++i) {
    double d, rate;
    crStatus status = redo(islands, island, hit->time);
    if (status == cr_ok && other != NULL && (hit->time < theirEnd || i > 0)) {
      status = redo(islands, other, hit->time);
    }
    status = status == cr_ok ? crIslands_LookAtEnd(islands, hit, hit->time, &d, &rate) : status;
    if (status != cr_ok) {
      return status;
    }
    double off = d - hit->aim;
    *outIsMet = hit->isEnd ? d >= -CR_END_MET * hit->epsilon : d <= -CR_BEGIN_MET * hit->epsilon;
    bool isNear = *outIsMet && fabs(off) <= CR_MET_SLACK * hit->epsilon;
    double next = hit->time - off / rate;
    if (isNear || !(rate != 0.0) || !isfinite(next) || hit->time <= low) {
      break;
    }
    next = next <= low ? 0.5 * (hit->time + low) : next >= high ? 0.5 * (hit->time + high) : next;
    if (next == hit->time) {
      break;
    }
    hit->time = next;
  }
  return cr_ok;
}

// Halves the step until prescribed motions inside it are what its ends tell of them.
static crStatus followMotions(crIslands* islands, crIsland* island)
{
  bool isGood = true;
  crStatus status = crIslands_CheckMotions(islands, island, &isGood);
  double h = island->segment.t1 - island->segment.t0;
  island->motionStep = fmax(island->motionStep, h) * CR_MOTION_GROWTH;
  while (status == cr_ok && !isGood && h > CR_LEAST_MOTION_STEP * (1.0 + fabs(island->segment.t0))) {
    h *= 0.5;
    island->motionStep = h;
    status = redo(islands, island, island->segment.t0 + h);
    status = status == cr_ok ? crIslands_CheckMotions(islands, island, &isGood) : status;
  }
  return status;
}

static void waitForTime(crIsland* island)
{
  if (island->segment.t1 == island->nextEvent && island->pending == cr_pendingNothing) {
    island->pending = cr_pendingEvent;
  }
}

// A contact in the trial step of the island: both partners end there, and wait.
static crStatus meet(crIslands* islands, crIsland* island, crHit* hit)
{
  crIsland* other = hit->other >= 0 ? &islands->items[hit->other] : NULL;
  if (other != NULL && other->pending != cr_pendingNothing && hit->time >= other->segment.t1) {
    // its own event at this very time goes first
    crStatus status = redo(islands, island, other->segment.t1);
    waitForTime(island);
    crIslands_Place(islands, island);
    return status;
  }
  bool isMet = false;
  crStatus status = redoToHit(islands, island, other, hit, &isMet);
  if (other != NULL) {
    cancel(islands, other);
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
    crIslands_Place(islands, other);
  }
  crIslands_Place(islands, island);
  return status;
}

static crStatus stepIsland(crIslands* islands, crIsland* island)
{
  const crSimulationOptions* options = &islands->simulation->options;
  crStatus status = crIsland_CountStep(island);
  if (status == cr_ok && crIsland_NeedsReview(island)) {
    return crIslands_PassEvent(islands, island);
  }
  double t = island->segment.t1, tMax = fmin(options->stopTime, island->nextEvent);
  tMax = fmin(tMax, t + fmin(options->maxStep, island->motionStep));
  crIslands_BeginSweep(islands, island);
  crHit hit;
  if (island->isCrowd && !island->hasMotions && status == cr_ok) {
    status = crIslands_StepCrowd(islands, island, tMax, &hit);
  } else {
    status = status == cr_ok ? crIsland_Step(island, tMax) : status;
    status = status == cr_ok ? crIslands_Sweep(islands, island) : status;
    status = status == cr_ok && island->hasMotions ? followMotions(islands, island) : status;
    status = status == cr_ok ? crIslands_Search(islands, island, &hit) : status;
  }
  if (status == cr_ok && hit.time <= island->segment.t1) {
    return meet(islands, island, &hit);
  }
  waitForTime(island);
  crIslands_Place(islands, island);
  return status;
}

// Nothing happens for ever at one time.
static crStatus watchStall(crIslands* islands, const crIsland* island)
{
  bool moves = island->segment.t1 > islands->lastClock;
  islands->lastClock = island->segment.t1;
  islands->stallCount = moves ? 0 : islands->stallCount + 1;
  bool isStuck = islands->stallCount > (int64_t)CR_MAX_STALL * islands->model->size.treeCount;
  return isStuck ? crReportStuck(islands->simulation, island->segment.t1) : cr_ok;
}

double crIslands_GetClock(const crIslands* islands)
{
  return islands->items[islands->heap[0]].segment.t1;
}

// What holds from an event on is shown at the event.
static bool isDue(const crIslands* islands, double t)
{
  const crIsland* first = &islands->items[islands->heap[0]];
  return first->segment.t1 < t || (first->segment.t1 == t && first->pending != cr_pendingNothing);
}

crStatus crIslands_Advance(crIslands* islands, double t, bool* outStopped)
{
  const crObserver* observer = islands->simulation->observer;
  crStatus status = cr_ok;
  *outStopped = false;
  for (int64_t i = 1; status == cr_ok && !*outStopped && isDue(islands, t); ++i) {
    crIsland* island = &islands->items[islands->heap[0]];
    bool isEvent = island->pending != cr_pendingNothing;
    status = watchStall(islands, island);
    if (status == cr_ok) {
      status = isEvent ? crIslands_PassEvent(islands, island) : stepIsland(islands, island);
    }
    if (status != cr_ok && !isEvent && !islands->simulation->hasFailed) {
      return reportStep(islands, island, status);
    }
    if (i % CR_STOP_CHECKS == 0 && observer != NULL && observer->shouldStop != NULL) {
      *outStopped = observer->shouldStop(observer->context, crIslands_GetClock(islands));
    }
  }
  return status;
}

// ------------------------------------------------------------------------------------------------- outside

crStatus crIslands_Read(crIslands* islands, double t, double* outState, crContacts* outContacts)
{
  const crModel* model = islands->model;
  const crSimulation* simulation = islands->simulation;
  double* balance = outState + simulation->stateCount;
  memset(balance, 0, (size_t)simulation->balanceCount * sizeof *balance);
  crContacts_Clear(outContacts);
  crStatus status = cr_ok;
  for (int number = 0; number < islands->itemLimit && status == cr_ok; ++number) {
    const crIsland* island = &islands->items[number];
    if (island->heapPlace < 0) {
      continue;
    }
    for (int k = 0; k < island->treeCount; ++k) {
      const crTree* tree = &model->trees[island->trees[k]];
      crSegment_Interpolate(&island->segment, t, islands->stateStarts[island->trees[k]], crTreeStateCount(tree),
                            outState + tree->qStart);
    }
    double own[CR_BALANCE_COUNT] = { 0.0 };
    crSegment_Interpolate(&island->segment, t, island->stateCount, simulation->balanceCount, own);
    for (int i = 0; i < simulation->balanceCount; ++i) {
      balance[i] += own[i];
    }
    status = addPairs(island->contacts, outContacts);
  }
  return status == cr_ok ? crContacts_SortPairs(outContacts) : status;
}

crStatus crIslands_Freeze(crIslands* islands, double t)
{
  crStatus status = cr_ok;
  for (int i = 0; i < islands->heapCount && status == cr_ok; ++i) {
    crIsland* island = &islands->items[islands->heap[i]];
    if (island->segment.t1 > t) {
      status = crIsland_Redo(island, t);
    }
  }
  return status == cr_ok ? crIslands_Read(islands, t, islands->simulation->state, islands->simulation->contacts)
                         : status;
}

crStatus crIslands_Restart(crIslands* islands, double t)
{
  for (int i = islands->heapCount - 1; i >= 0; --i) {
    crIsland* island = &islands->items[islands->heap[i]];
    islands->simulation->phase = fmax(islands->simulation->phase, island->phase);
    crIslands_Remove(islands, island);
  }
  return startAll(islands, t);
}

void crIslands_SetInput(crIslands* islands, int input, double value)
{
  crInstance_SetInput(islands->probe, input, value);
}

void crIslands_Summarize(const crIslands* islands, crSimulationSummary* ioSummary)
{
  crSolverStatistics* statistics = &ioSummary->solverStatistics;
  for (int i = -1; i < islands->itemLimit; ++i) {
    const crStepper* stepper = i < 0 ? islands->stepper : islands->items[i].stepper;
    if (stepper != NULL) {
      crStepCounts counts = crStepper_GetCounts(stepper);
      statistics->steps += counts.steps;
      statistics->rejectedSteps += counts.rejectedSteps;
      statistics->evaluations += counts.evaluations;
      statistics->jacobians += counts.jacobians;
      statistics->factorizations += counts.factorizations;
    }
  }
  ioSummary->islandCount = islands->heapCount;
  ioSummary->mergeCount = islands->mergeCount;
  ioSummary->splitCount = islands->splitCount;
  ioSummary->distanceCount = islands->pairCount;
  ioSummary->eventCount = islands->eventCount;
  ioSummary->guardedSteps = islands->searchCount;
}
