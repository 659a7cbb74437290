// All islands of a simulation: their memory, their rounds, and what the outside sees of them.
#include "island/islands.h"

#include "base/report.h"
#include "island/island.h"
#include "model/eval/kink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------- create

static bool isMultistep(const crRun* run)
{
  crSolverKind kind = run->options.solver;
  return kind == cr_solverIda || kind == cr_solverCvodeBdf;
}

bool crIslands_IsMultistep(const crIslands* islands)
{
  return isMultistep(islands->run);
}

// Why all trees are one island that never parts, for people; NULL: they are not.
static const char* findWhole(const crRun* run)
{
  return run->contacts == NULL                   ? "nothing can touch"
         : run->options.islands == cr_islandsOff ? "they were switched off"
         : isMultistep(run)                      ? "a solver was asked for that takes one step for all"
                                                 : NULL;
}

static bool isDriven(const crModel* model, int tree)
{
  bool is = false;
  for (int k = model->treeDrives[tree]; k < model->treeDrives[tree + 1]; ++k) {
    is = is || model->joints[model->driveBodies[k] - 1].motion >= 0;
  }
  return is;
}

// Trees sorted by their components, and the shapes of each tree, if they can touch.
static void fillTables(crIslands* islands)
{
  const crModel* model = islands->model;
  int place = 0, shape = 0, treeCount = model->size.treeCount;
  int shapeCount = islands->run->contacts != NULL ? model->size.shapeCount : 0;
  for (int t = 0; t < treeCount; ++t) { // of the first trees of components at first, where the next one goes
    islands->componentStarts[t] = place;
    place += model->components[t] == t ? model->componentTrees[t] : 0;
  }
  for (int t = 0; t < treeCount; ++t) {
    islands->componentTrees[islands->componentStarts[model->components[t]]++] = t;
  }
  for (int t = treeCount - 1; t >= 0; --t) {
    if (model->components[t] == t) {
      islands->componentStarts[t] -= model->componentTrees[t];
    }
  }
  for (int t = 0; t < treeCount; ++t) {
    islands->componentStarts[t] = islands->componentStarts[model->components[t]];
    islands->isRound[t] = crModel_IsRoundTree(model, t);
    islands->isDriven[t] = isDriven(model, t);
    while (shape < shapeCount && model->bodies[model->contactShapes[shape].body].tree < t) {
      ++shape;
    }
    islands->treeShapes[t] = shape;
  }
  islands->treeShapes[treeCount] = shapeCount;
}

static bool allocateArrays(crIslands* islands)
{
  const crAllocator* allocator = &islands->allocator;
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount + 1;
  islands->items = crAllocateZero(allocator, trees, sizeof *islands->items);
  islands->isMoved = crAllocateZero(allocator, trees, sizeof *islands->isMoved);
  islands->islandOf = crAllocateZero(allocator, trees, sizeof *islands->islandOf);
  islands->stateStarts = crAllocateZero(allocator, trees, sizeof *islands->stateStarts);
  islands->isRound = crAllocateZero(allocator, trees, sizeof *islands->isRound);
  islands->isDriven = crAllocateZero(allocator, trees, sizeof *islands->isDriven);
  islands->treeShapes = crAllocateZero(allocator, trees + 1, sizeof *islands->treeShapes);
  islands->labels = crAllocateZero(allocator, trees, sizeof *islands->labels);
  islands->componentTrees = crAllocateZero(allocator, trees, sizeof *islands->componentTrees);
  islands->componentStarts = crAllocateZero(allocator, trees, sizeof *islands->componentStarts);
  islands->sweeps = crAllocateZero(allocator, (size_t)size->bodyCount, sizeof *islands->sweeps);
  islands->boxes = crAllocateZero(allocator, shapes, sizeof *islands->boxes);
  islands->startBoxes = crAllocateZero(allocator, shapes, sizeof *islands->startBoxes);
  islands->swept = crAllocateZero(allocator, shapes, sizeof *islands->swept);
  return islands->items != NULL && islands->isMoved != NULL && islands->islandOf != NULL &&
         islands->stateStarts != NULL && islands->isRound != NULL && islands->isDriven != NULL &&
         islands->treeShapes != NULL && islands->labels != NULL && islands->componentTrees != NULL &&
         islands->componentStarts != NULL && islands->sweeps != NULL && islands->boxes != NULL &&
         islands->startBoxes != NULL && islands->swept != NULL;
}

static crStatus createWorker(crIslands* islands, crWorker* worker)
{
  const crAllocator* allocator = &islands->allocator;
  const crModel* model = islands->model;
  size_t trees = (size_t)model->size.treeCount;
  worker->islands = islands;
  worker->probed.component = -1;
  worker->rim.number = -1;
  worker->lastEvent = islands->run->options.startTime;
  worker->nextStep = HUGE_VAL;
  worker->heap = crAllocateZero(allocator, trees, sizeof *worker->heap);
  worker->partTrees = crAllocateZero(allocator, trees, sizeof *worker->partTrees);
  crTreeSet all = islands->run->set;
  int kinkCount = CR_KINK_SETS * crModel_CountKinks(model, all);
  bool hasMemory = worker->heap != NULL && worker->partTrees != NULL &&
                   crReserve(allocator, &worker->kinks, &worker->kinkCapacity, kinkCount, sizeof *worker->kinks) &&
                   crReserve(allocator, &worker->scratch, &worker->scratchCapacity,
                             model->size.stateCount + CR_BALANCE_COUNT, sizeof *worker->scratch);
  crStatus status = hasMemory ? cr_ok : cr_errorMemory;
  if (status == cr_ok && crIslands_NeedProbe(islands)) {
    status = crCreateInstance(model, allocator, &islands->run->sink, &worker->probe);
  }
  status = status == cr_ok ? crCreateStepper(allocator, &worker->stepper) : status;
  status = status == cr_ok ? crCreateBallStage(allocator, &worker->ballStage) : status;
  status = status == cr_ok ? crCreateSharedContacts(islands->table, allocator, &worker->spareContacts) : status;
  for (int i = 0; status == cr_ok && worker->probe != NULL && i < crModel_CountInputs(model); ++i) {
    crInstance_SetInput(worker->probe, i, crInstance_GetInput(islands->instance, i));
  }
  return status;
}

static void destroyWorker(crIslands* islands, crWorker* worker)
{
  const crAllocator* allocator = &islands->allocator;
  size_t trees = (size_t)islands->model->size.treeCount;
  crDestroyContacts(worker->spareContacts);
  crDestroyBallStage(worker->ballStage);
  crDestroyStepper(worker->stepper);
  crDestroyInstance(worker->probe);
  crArray_Free(&worker->pairs, allocator);
  crArray_Free(&worker->hits, allocator);
  crArray_Free(&worker->meeting, allocator);
  crArray_Free(&worker->rim.balls, allocator);
  crArray_Free(&worker->starts, allocator);
  crArray_Free(&worker->news, allocator);
  crFree(allocator, worker->kinks, (size_t)worker->kinkCapacity * sizeof *worker->kinks);
  crFree(allocator, worker->scratch, (size_t)worker->scratchCapacity * sizeof *worker->scratch);
  crFree(allocator, worker->partTrees, trees * sizeof *worker->partTrees);
  crFree(allocator, worker->heap, trees * sizeof *worker->heap);
}

// Few bodies are not worth the trouble.
static int countWorkers(const crIslands* islands)
{
  int asked = islands->run->options.threads;
  return asked < 1 || islands->isSmall ? 1 : asked;
}

static crStatus createWorkers(crIslands* islands)
{
  islands->workerCount = countWorkers(islands);
  islands->workers = crAllocateZero(&islands->allocator, (size_t)islands->workerCount, sizeof *islands->workers);
  crStatus status = islands->workers != NULL ? cr_ok : cr_errorMemory;
  for (int i = 0; i < islands->workerCount && status == cr_ok; ++i) {
    status = createWorker(islands, &islands->workers[i]);
  }
  return status == cr_ok && islands->workerCount > 1 ? crCreateTeam(islands, &islands->team) : status;
}

// States [first, first + count) of an island at time t. isFine: with the help of the segment before.
static void readStates(const crIsland* island, double t, bool isFine, int first, int count, double* outY)
{
  if (isFine) {
    crSegment_InterpolateEnds(&island->segment, &island->before, t, first, count, outY);
  } else {
    crSegment_Interpolate(&island->segment, t, first, count, outY);
  }
}

// Bristles as they are at time t in the segment of an island, of its contacts from `first` on.
static void readBristles(const crIsland* island, double t, bool isFine, crContacts* contacts, int first)
{
  for (int k = first; k < contacts->contacts.count; ++k) {
    crContact* contact = &contacts->contacts.items[k];
    if (contact->bristle.count > 0) {
      readStates(island, t, isFine, island->treeStates + contact->place, contact->bristle.count, contact->bristle.x);
    }
  }
}

static crStatus addPairs(const crContacts* from, crContacts* to)
{
  crStatus status = cr_ok;
  for (int k = 0; k < from->pairs.count && status == cr_ok; ++k) {
    status = crContacts_AddPair(from, &from->pairs.items[k], to);
  }
  return status;
}

static int countPairs(const crIslands* islands)
{
  int count = 0;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    count += islands->items[i].isUsed ? islands->items[i].contacts->pairs.count : 0;
  }
  return count;
}

// All trees as one island, which parts at once.
static crStatus startAll(crIslands* islands, double t)
{
  const crRun* run = islands->run;
  crWorker* worker = &islands->workers[0];
  int treeCount = islands->model->size.treeCount;
  crIsland* all = crIslands_Take(islands, 0);
  if (all == NULL || !crReserve(&islands->allocator, &all->trees, &all->treeCapacity, treeCount, sizeof *all->trees)) {
    return cr_errorMemory;
  }
  all->isCrowd = false;
  all->sweptStamp = -1; // nothing is placed yet
  all->phase = run->phase;
  all->treeCount = treeCount;
  for (int k = 0; k < treeCount; ++k) {
    all->trees[k] = k;
    islands->islandOf[k] = 0;
  }
  worker->heapCount = 0;
  islands->known = t;
  islands->isFresh = true;
  islands->lastPairs.count = 0;
  crInstance_SetState(islands->instance, crIsland_GetSet(all), t, run->state);
  crStatus status = run->contacts != NULL ? addPairs(run->contacts, all->contacts) : cr_ok;
  status = status == cr_ok ? crContacts_SortPairs(all->contacts) : status;
  return status == cr_ok ? crWorker_StartParts(worker, all, t, run->state + run->stateCount) : status;
}

static crStatus fill(crIslands* islands)
{
  if (!allocateArrays(islands)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    islands->items[i].owner = islands;
    islands->items[i].number = i;
    islands->items[i].heapPlace = -1;
    islands->items[i].describedTree = -1;
    islands->items[i].sweptStamp = -1;
  }
  fillTables(islands);
  crStatus status = crCreateShapeTable(islands->model, &islands->allocator, &islands->table);
  status = status == cr_ok && !crIslands_FindCarriers(islands) ? cr_errorMemory : status;
  status = status == cr_ok ? crIslands_CreateRounds(islands) : status;
  status = status == cr_ok ? createWorkers(islands) : status;
  return status == cr_ok && !islands->isSmall ? crCreateSnapshot(islands, &islands->snapshot) : status;
}

crStatus crMakeIslands(crRun* run, crIslands** outIslands)
{
  *outIslands = NULL;
  crIslands* islands = crAllocateZero(&run->allocator, 1, sizeof *islands);
  if (islands == NULL) {
    return cr_errorMemory;
  }
  islands->allocator = run->allocator;
  islands->run = run;
  islands->model = run->model;
  islands->instance = run->instance;
  islands->relTol = run->options.tolerance;
  islands->whole = findWhole(run);
  islands->sticks = islands->hasImpulses = false;
  for (int i = 0; i < run->model->lawCount; ++i) {
    islands->sticks = islands->sticks || crCountBristles(&run->model->laws[i], false) > 0;
    islands->hasImpulses = islands->hasImpulses || run->model->laws[i].response == cr_responseImpulsive;
  }
  crStatus status = fill(islands);
  if (status != cr_ok) {
    crDestroyIslands(islands);
    return status;
  }
  *outIslands = islands;
  return cr_ok;
}

crStatus crCreateIslands(crRun* run, crIslands** outIslands)
{
  crStatus status = crMakeIslands(run, outIslands);
  status = status == cr_ok ? startAll(*outIslands, run->options.startTime) : status;
  if (status != cr_ok) {
    crDestroyIslands(*outIslands);
    *outIslands = NULL;
  }
  return status;
}

void crDestroyIslands(crIslands* islands)
{
  if (islands == NULL) {
    return;
  }
  crAllocator allocator = islands->allocator;
  const crModelSize* size = &islands->model->size;
  size_t trees = (size_t)size->treeCount, shapes = (size_t)size->shapeCount + 1;
  crDestroyTeam(islands->team);
  for (int i = 0; islands->items != NULL && i < size->treeCount; ++i) {
    if (islands->items[i].owner != NULL) {
      crIsland_Free(&islands->items[i]);
    }
  }
  for (int i = 0; islands->workers != NULL && i < islands->workerCount; ++i) {
    destroyWorker(islands, &islands->workers[i]);
  }
  crIslands_DestroyRounds(islands);
  crIslands_FreeCarriers(islands);
  crDestroyShapeTable(islands->table);
  crArray_Free(&islands->news, &allocator);
  crFree(&allocator, islands->workers, (size_t)islands->workerCount * sizeof *islands->workers);
  crFree(&allocator, islands->swept, shapes * sizeof *islands->swept);
  crFree(&allocator, islands->startBoxes, shapes * sizeof *islands->startBoxes);
  crFree(&allocator, islands->boxes, shapes * sizeof *islands->boxes);
  crFree(&allocator, islands->sweeps, (size_t)size->bodyCount * sizeof *islands->sweeps);
  crFree(&allocator, islands->componentStarts, trees * sizeof *islands->componentStarts);
  crFree(&allocator, islands->componentTrees, trees * sizeof *islands->componentTrees);
  crFree(&allocator, islands->labels, trees * sizeof *islands->labels);
  crFree(&allocator, islands->treeShapes, (trees + 1) * sizeof *islands->treeShapes);
  crFree(&allocator, islands->isDriven, trees * sizeof *islands->isDriven);
  crFree(&allocator, islands->isRound, trees * sizeof *islands->isRound);
  crFree(&allocator, islands->stateStarts, trees * sizeof *islands->stateStarts);
  crFree(&allocator, islands->islandOf, trees * sizeof *islands->islandOf);
  crFree(&allocator, islands->isMoved, trees * sizeof *islands->isMoved);
  crFree(&allocator, islands->items, trees * sizeof *islands->items);
  crFree(&allocator, islands, sizeof *islands);
}

const crStepKind* crIslands_GetFixedKind(const crIslands* islands)
{
  static const crStepKind kinds[] = { [cr_solverIda] = cr_stepRadau5, // of other libraries: implicit, too
                                      [cr_solverCvodeBdf] = cr_stepRadau5,
                                      [cr_solverDopri5] = cr_stepDopri5,
                                      [cr_solverDop853] = cr_stepDop853,
                                      [cr_solverRadau5] = cr_stepRadau5 };
  crSolverKind asked = islands->run->options.solver;
  return asked == cr_solverAuto ? NULL : &kinds[asked];
}

// ------------------------------------------------------------------------------------------------- advance

// Of one touch at one time: a contact begins before it ends, and one ends before the next begins. When one began is not
// enough to tell: it is when the distance was 0 at the speed of the event, and a slow one seems to have begun long ago.
static int compareOfTouch(const crContactRecord* x, const crContactRecord* y)
{
  int byBegin = (x->begin > y->begin) - (x->begin < y->begin);
  return x->phase == y->phase ? byBegin : byBegin == 0 ? x->phase - y->phase : y->phase - x->phase;
}

static int compareNews(const void* a, const void* b)
{
  const crContactRecord *x = a, *y = b;
  const crContactKey *p = &x->key, *q = &y->key;
  int order = crComparePairs(p->shapeA, p->shapeB, q->shapeA, q->shapeB);
  return x->time != y->time ? (x->time < y->time ? -1 : 1) : order != 0 ? order : compareOfTouch(x, y);
}

static crStatus gatherNews(crIslands* islands)
{
  for (int i = 0; i < islands->workerCount; ++i) {
    crWorker* worker = &islands->workers[i];
    for (int k = 0; k < worker->news.count; ++k) {
      crContactRecord* place = crArray_Push(&islands->news, &islands->allocator);
      if (place == NULL) {
        return cr_errorMemory;
      }
      *place = worker->news.items[k];
    }
    worker->news.count = 0;
  }
  return cr_ok;
}

// [s] Before which nothing can happen that is not known: crowds tell what happened in a step when they go on from it.
static double findQuiet(const crIslands* islands)
{
  double quiet = islands->isSmall ? HUGE_VAL : islands->isOpen ? islands->end : islands->known;
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    const crIsland* island = &islands->items[i];
    if (island->isUsed) {
      bool tellsLate = (island->isCrowd || crIsland_IsBusy(island)) && !island->isCounted;
      quiet = fmin(quiet, tellsLate ? island->segment.t0 : island->segment.t1);
    }
  }
  return quiet;
}

// Hands out what nothing can come before, in the order of time.
static crStatus handNews(crIslands* islands, double t)
{
  crStatus status = gatherNews(islands);
  crContactRecord* items = islands->news.items;
  int count = 0, kept = 0;
  if (islands->news.count > 1) {
    qsort(items, (size_t)islands->news.count, sizeof *items, compareNews);
  }
  for (; count < islands->news.count && items[count].time <= t && status == cr_ok; ++count) {
    if (items[count].phase == cr_contactEnd) { // too short for anybody to have seen it
      crWatchEnd(islands->run, islands->run->contacts, &items[count]);
    }
    status = crHandEvent(islands->run, &items[count]);
    islands->told = fmax(islands->told, items[count].time);
  }
  for (; count < islands->news.count; ++count) {
    items[kept++] = items[count];
  }
  islands->news.count = kept;
  return status;
}

// At the end of a run nobody goes on from the last steps, so they are counted now.
static crStatus countLastSteps(crIslands* islands)
{
  crStatus status = cr_ok;
  for (int i = 0; i < islands->model->size.treeCount && status == cr_ok; ++i) {
    status = islands->items[i].isUsed ? crIsland_CountStep(&islands->workers[0], &islands->items[i]) : cr_ok;
  }
  return status == cr_ok ? handNews(islands, HUGE_VAL) : status;
}

static void watchContacts(crIslands* islands)
{
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    crIsland* island = &islands->items[i];
    if (islands->isMoved[i] && island->isUsed) {
      crWatchContacts(islands->run, island->contacts, island->segment.t1);
    }
    islands->isMoved[i] = false;
  }
}

// Events at one time that somebody looks at.
typedef struct Event {
  bool isOpen;
  double time;    // [s]
  int64_t before; // changes that there had been
} Event;

static crStatus closeEvent(crIslands* islands, Event* event)
{
  crRun* run = islands->run;
  event->isOpen = false;
  return islands->workers[0].changeCount != event->before ? run->atEvent(run->eventContext, event->time, true) : cr_ok;
}

// What waits at the smallest clock happens next: nothing has happened later yet, so all can be seen at that time. What
// happens at the same time belongs together.
static crStatus lookAtEvent(crIslands* islands, double clock, bool waits, Event* event)
{
  crRun* run = islands->run;
  crStatus status = cr_ok;
  if (event->isOpen && !(waits && clock == event->time)) {
    status = closeEvent(islands, event);
  }
  if (status == cr_ok && waits && !event->isOpen) {
    *event = (Event){ true, clock, islands->workers[0].changeCount };
    status = run->atEvent(run->eventContext, clock, false);
  }
  return status;
}

crStatus crIslands_Advance(crIslands* islands, double t, bool* outStopped)
{
  const crObserver* observer = islands->run->observer;
  crStatus status = cr_ok;
  bool waits;
  Event event = { 0 };
  *outStopped = false;
  islands->stopsAtEvents = islands->isSmall && islands->run->atEvent != NULL;
  double clock = crIslands_FindClock(islands, &waits);
  while (status == cr_ok && !*outStopped && (clock < t || (clock == t && waits))) {
    status = islands->stopsAtEvents ? lookAtEvent(islands, clock, waits, &event) : cr_ok;
    if (status != cr_ok) {
      return status;
    }
    status = crIslands_RunRound(islands, t);
    if (status != cr_ok) {
      handNews(islands, findQuiet(islands));
      return crIslands_ReportFailure(islands, status);
    }
    clock = crIslands_FindClock(islands, &waits);
    if (!islands->isOpen) { // else what has happened in the round may come to nothing
      status = handNews(islands, findQuiet(islands));
      watchContacts(islands);
    }
    if (observer != NULL && observer->shouldStop != NULL) {
      *outStopped = observer->shouldStop(observer->context, clock);
    }
  }
  if (status == cr_ok && event.isOpen && !(waits && clock == event.time)) {
    status = closeEvent(islands, &event);
  }
  bool isEnd = t >= islands->run->options.stopTime && !*outStopped;
  return status == cr_ok && isEnd ? countLastSteps(islands) : status;
}

double crIslands_TakeCpu(crIslands* islands)
{
  return islands->team != NULL ? crTeam_TakeCpu(islands->team) : 0.0;
}

double crIslands_GetClock(const crIslands* islands)
{
  bool waits;
  return crIslands_FindClock(islands, &waits);
}

// ------------------------------------------------------------------------------------------------- outside

// A tree at time t. Orientations that nothing depends on are interpolated as rotations.
static void readTree(const crIslands* islands, const crIsland* island, int tree, double t, bool isFine,
                     double* outState)
{
  const crTree* place = &islands->model->trees[tree];
  int start = islands->stateStarts[tree];
  readStates(island, t, isFine, start, crTreeStateCount(place), outState);
  if (islands->isRound[tree]) { // position, quaternion | velocity, angular velocity
    crSegment_InterpolateSpin(&island->segment, (crSpin){ start + 3, start + 10 }, t, outState + 3);
  }
}

crStatus crIslands_Read(crIslands* islands, double t, double* outState, crContacts* outContacts)
{
  const crModel* model = islands->model;
  const crRun* run = islands->run;
  double* balance = outState + run->stateCount;
  memset(balance, 0, (size_t)run->balanceCount * sizeof *balance);
  if (outContacts != NULL) {
    crContacts_Clear(outContacts);
  }
  crStatus status =
      outContacts == NULL || crContacts_ReserveAll(outContacts, countPairs(islands)) ? cr_ok : cr_errorMemory;
  for (int number = 0; number < model->size.treeCount && status == cr_ok; ++number) {
    crIsland* island = &islands->items[number];
    if (!island->isUsed) {
      continue;
    }
    status = t < island->segment.t1 ? crIsland_MakeDense(&islands->workers[0], island) : cr_ok;
    bool isFine = island->hasBefore && !island->isCrowd && t < island->segment.t1 &&
                  crSegment_HasNeighbour(&island->segment, &island->before, island->problem.absTol, islands->relTol);
    for (int k = 0; k < island->treeCount; ++k) {
      readTree(islands, island, island->trees[k], t, isFine, outState + model->trees[island->trees[k]].qStart);
    }
    double own[CR_BALANCE_COUNT] = { 0.0 };
    readStates(island, t, isFine, island->stateCount, run->balanceCount, own);
    for (int i = 0; i < run->balanceCount; ++i) {
      balance[i] += own[i];
    }
    if (outContacts != NULL && status == cr_ok) {
      int first = outContacts->contacts.count;
      status = addPairs(island->contacts, outContacts);
      readBristles(island, t, isFine, outContacts, first);
    }
  }
  if (status == cr_ok && outContacts != NULL) {
    status = crContacts_SortPairs(outContacts);
    crContacts_PlaceBristles(outContacts, 0); // no longer where they are in their islands
  }
  return status;
}

void crIslands_SetPhases(const crIslands* islands, crInstance* instance)
{
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    const crIsland* island = &islands->items[i];
    if (island->isUsed) {
      crInstance_SetPhase(instance, crIsland_GetSet(island), island->phase);
    }
  }
}

crStatus crIslands_Freeze(crIslands* islands, double t)
{
  crStatus status = cr_ok;
  for (int i = 0; i < islands->model->size.treeCount && status == cr_ok; ++i) {
    crIsland* island = &islands->items[i];
    if (island->isUsed && island->segment.t1 > t) {
      status = crIsland_Redo(&islands->workers[0], island, t, t);
    }
    if (island->isUsed && status == cr_ok) {
      status = crIsland_CountStep(&islands->workers[0], island);
    }
    if (island->multistep != NULL) { // with what holds behind, its steps cannot be taken again
      crMultistep_Restart(island->multistep, 0.0);
    }
    if (status != cr_ok) {
      crWorker_NoteFailure(&islands->workers[0], island, cr_duringStep, status);
    }
  }
  status = status == cr_ok ? crIslands_Read(islands, t, islands->run->state, islands->run->contacts) : status;
  return status == cr_ok ? cr_ok : crIslands_ReportFailure(islands, status);
}

static void takePhase(crIslands* islands)
{
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    const crIsland* island = &islands->items[i];
    islands->run->phase = island->isUsed ? fmax(islands->run->phase, island->phase) : islands->run->phase;
  }
}

crStatus crIslands_Finish(crIslands* islands)
{
  takePhase(islands);
  islands->isOpen = false;
  return countLastSteps(islands);
}

crStatus crIslands_Restart(crIslands* islands, double t)
{
  takePhase(islands);
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    islands->items[i].isUsed = false;
  }
  islands->isOpen = false;
  crStatus status = startAll(islands, t);
  islands->run->hasFailed = status != cr_ok;
  return status;
}

void crIslands_SetInput(crIslands* islands, int input, double value)
{
  for (int i = 0; i < islands->workerCount && islands->workers[i].probe != NULL; ++i) {
    crInstance_SetInput(islands->workers[i].probe, input, value);
  }
}

void crIslands_SetInputRates(crIslands* islands, int input, double t, const double* rates)
{
  for (int i = 0; i < islands->workerCount && islands->workers[i].probe != NULL; ++i) {
    crInstance_SetInputRates(islands->workers[i].probe, input, t, rates);
  }
}

static void addStatistics(crSolverStatistics own, crSolverStatistics* ioSum)
{
  ioSum->steps += own.steps;
  ioSum->rejectedSteps += own.rejectedSteps;
  ioSum->evaluations += own.evaluations;
  ioSum->jacobians += own.jacobians;
  ioSum->factorizations += own.factorizations;
  ioSum->restarts += own.restarts;
}

static void addCounts(const crStepper* stepper, crSimulationSummary* ioSummary)
{
  crSolverStatistics* statistics = &ioSummary->solverStatistics;
  if (stepper != NULL) {
    crStepCounts counts = crStepper_GetCounts(stepper);
    statistics->steps += counts.steps;
    statistics->rejectedSteps += counts.rejectedSteps;
    statistics->evaluations += counts.evaluations;
    statistics->jacobians += counts.jacobians;
    statistics->factorizations += counts.factorizations;
    ioSummary->methodSteps.dopri5 += counts.stepsOf[cr_stepDopri5];
    ioSummary->methodSteps.dop853 += counts.stepsOf[cr_stepDop853];
    ioSummary->methodSteps.radau5 += counts.stepsOf[cr_stepRadau5];
    ioSummary->methodSteps.rkc2 += counts.stepsOf[cr_stepRkc2];
  }
}

static void addShared(crSharedWork own, crSharedWork* ioSum)
{
  ioSum->works += own.works;
  ioSum->helped += own.helped;
  ioSum->alone += own.alone;
}

void crIslands_Summarize(const crIslands* islands, crSimulationSummary* ioSummary)
{
  ioSummary->islandReason = islands->whole;
  if (islands->team != NULL) {
    addShared(crTeam_GetShared(islands->team), &ioSummary->sharedWork);
  }
  for (int i = 0; i < islands->model->size.treeCount; ++i) {
    if (islands->items[i].multistep != NULL) {
      addStatistics(crMultistep_GetStatistics(islands->items[i].multistep), &ioSummary->solverStatistics);
    }
    ioSummary->islandCount += islands->items[i].isUsed;
    addCounts(islands->items[i].stepper, ioSummary);
  }
  for (int i = 0; i < islands->workerCount; ++i) {
    const crWorker* worker = &islands->workers[i];
    addCounts(worker->stepper, ioSummary);
    ioSummary->mergeCount += worker->mergeCount;
    ioSummary->splitCount += worker->splitCount;
    ioSummary->distanceCount += worker->pairCount;
    ioSummary->eventCount += worker->eventCount;
    ioSummary->searchedSteps += worker->searchCount;
  }
}
