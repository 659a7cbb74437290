// One island: what its stepper sees, its steps, and what it remembers between them.
#include "contact/linear_contact.h"
#include "island/island_judge.h"
#include "island/island_problem.h"
#include "model/eval/kink.h"
#include "model/loop/loop.h"

#include <string.h>

#define CR_STRETCH 1.01       // [-] by which a stepper lengthens a step, at most
#define CR_KINK_MARGIN 1.0001 // [-] speed over that of a kink from which on it lies ahead
#define CR_KINK_SHARE 0.1     // [-] of the time from the kink to rest: the step behind it
#define CR_MOST_KINKS 8       // contacts of an island up to which kinks are looked for
#define CR_MOTION_STEP 1e-3   // [s] first step of prescribed motions
#define CR_MAX_SHORTER 20     // attempts to close loops behind a step, each one
#define CR_SHORTER 0.25       // [-] as long as the one before
#define CR_SPARE_BRISTLES 40  // states for which a crowd has room, beyond a quarter more than it needs
#define CR_DRIFT_LIMIT 100.0  // [tolerance] by which closing loops may change velocities after a step
#define CR_LEAST_DRIFT_LIMIT 1e-6

// ---------------------------------------------------------------------------------------------- memory

crIsland* crIslands_Take(crIslands* islands, int number)
{
  crIsland* island = &islands->items[number];
  if (island->contacts == NULL &&
      crCreateSharedContacts(islands->table, &islands->allocator, &island->contacts) != cr_ok) {
    return NULL;
  }
  crContacts_Clear(island->contacts);
  if (island->lanes != NULL) {
    crBallLanes_Drop(island->lanes);
  }
  crCourses_Drop(island->courses);
  island->isUsed = true;
  island->heapPlace = -1;
  island->treeCount = 0;
  island->pending = cr_pendingNothing;
  island->quietEvents = island->trialCount = island->quietSteps = 0;
  return island;
}

static void freeArrays(const crAllocator* allocator, crIsland* island)
{
  crFree(allocator, island->vectors, (size_t)island->vectorCapacity * sizeof *island->vectors);
  crFree(allocator, island->blocks, (size_t)island->blockCapacity * sizeof *island->blocks);
  crFree(allocator, island->followers, (size_t)island->followerCapacity * sizeof *island->followers);
  crFree(allocator, island->spins, (size_t)island->spinCapacity * sizeof *island->spins);
  crFree(allocator, island->indices, (size_t)island->indexCapacity * sizeof *island->indices);
  crFree(allocator, island->numbers, (size_t)island->numberCapacity * sizeof *island->numbers);
  crFree(allocator, island->trees, (size_t)island->treeCapacity * sizeof *island->trees);
}

void crIsland_Free(crIsland* island)
{
  crDestroyMultistep(island->multistep);
  crDestroyStepper(island->stepper);
  crDestroyContacts(island->contacts);
  crDestroyBallLanes(island->lanes);
  crDestroyCourses(island->courses);
  freeArrays(&island->owner->allocator, island);
}

void crIsland_Release(crIsland* island)
{
  const crAllocator* allocator = &island->owner->allocator;
  crDestroyContacts(island->contacts);
  crDestroyBallLanes(island->lanes);
  crDestroyCourses(island->courses);
  freeArrays(allocator, island);
  island->contacts = NULL;
  island->lanes = NULL;
  island->courses = NULL;
  island->vectors = NULL;
  island->blocks = NULL;
  island->followers = NULL;
  island->spins = NULL;
  island->indices = NULL;
  island->numbers = NULL;
  island->trees = NULL;
  island->vectorCapacity = island->blockCapacity = island->followerCapacity = island->spinCapacity = 0;
  island->indexCapacity = island->numberCapacity = island->treeCapacity = 0;
  island->describedTree = -1;
}
// ----------------------------------------------------------------------------------------------- start

void crIsland_FindTraits(crIsland* island)
{
  const crIslands* islands = island->owner;
  const crLoops* loops = islands->instance->loops;
  island->hasSignals = island->hasLoops = island->hasMotions = false;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    island->hasSignals =
        island->hasSignals || islands->model->treeSignals[tree + 1] > islands->model->treeSignals[tree];
    island->hasLoops = island->hasLoops || (loops != NULL && loops->isLooped[tree]);
    island->hasMotions = island->hasMotions || islands->isDriven[tree];
  }
  island->kinkCount = crModel_CountKinks(islands->model, crIsland_GetSet(island));
}

static void placeTrees(crIsland* island)
{
  crIslands* islands = island->owner;
  int start = 0;
  for (int k = 0; k < island->treeCount; ++k) {
    int tree = island->trees[k];
    islands->islandOf[tree] = island->number;
    islands->stateStarts[tree] = start;
    start += crTreeStateCount(&islands->model->trees[tree]);
  }
  crIsland_FindTraits(island);
}

crStatus crIsland_DescribeAgain(crWorker* worker, crIsland* island, bool hasPattern)
{
  placeTrees(island);
  crStatus status = crIsland_Describe(worker, island);
  return status == cr_ok && hasPattern && !island->hasPattern ? crIsland_FindPattern(worker, island) : status;
}

// A segment of no length.
static void standStill(crSegment* segment, double t)
{
  size_t size = (size_t)segment->n * sizeof(double);
  segment->t0 = segment->t1 = t;
  segment->isDense = false;
  memcpy(segment->y0, segment->y1, size);
  memcpy(segment->f0, segment->f1, size);
}

// In crowds there is room for contacts that begin inside steps; methods of other libraries are made for a number of
// states, which grows but does not fall.
static void placeBristles(crIsland* island)
{
  const crIslands* islands = island->owner;
  bool isCrowd = crIsland_IsLarge(island) && crIslands_GetFixedKind(islands) == NULL;
  int least = island->multistep != NULL ? island->contacts->bristleCount : 0;
  crContacts_SetCrowd(island->contacts, isCrowd);
  if (isCrowd && islands->sticks) {
    int count = crContacts_CountBristles(island->contacts);
    least = count + count / 4 + CR_SPARE_BRISTLES;
  }
  crContacts_PlaceBristles(island->contacts, least);
}

void crIsland_SetMotionStep(crIsland* island, double step)
{
  __atomic_store(&island->motionStep, &step, __ATOMIC_RELAXED);
}

crStatus crIsland_Start(crWorker* worker, crIsland* island, double t, const double balance[CR_BALANCE_COUNT])
{
  placeBristles(island);
  crCourses_Drop(island->courses);
  worker->rim.number = -1;
  bool isSame = island->describedTree == island->trees[0] && island->treeCount == 1 &&
                island->contacts->links.count == 0 && // one tree is coupled with nothing but itself
                island->contacts->bristleCount == 0;
  placeTrees(island);
  island->nextEvent = island->hasSignals ? crModel_GetNextTimeEvent(island->owner->model, island->phase) : HUGE_VAL;
  island->nextEvent = fmin(island->nextEvent, crIslands_FindCarrierEvent(island->owner, island, t));
  bool isSearched = island->owner->run->contacts != NULL;
  crIsland_SetMotionStep(island, island->hasMotions && isSearched ? CR_MOTION_STEP : HUGE_VAL);
  crStatus status = isSame ? cr_ok : crIsland_Describe(worker, island);
  if (status != cr_ok) {
    return status;
  }
  if (island->isRaised && isSame) {
    crIsland_FillTolerances(island, island->numbers);
  }
  island->isRaised = crIsland_RaiseTolerances(island, island->numbers);
  crSegment* segment = &island->segment;
  crInstance_GetState(island->owner->instance, crIsland_GetSet(island), segment->y1);
  crContacts_GetBristles(island->contacts, segment->y1 + island->treeStates);
  for (int i = island->stateCount; i < island->n; ++i) {
    segment->y1[i] = balance[i - island->stateCount];
  }
  status = crIsland_EvalRates(island, t, segment->y1, segment->f1);
  crIsland_WatchEnergies(island, island->numbers);
  crContacts_StartSums(island->contacts);
  standStill(segment, t);
  ++island->stamp;
  island->hasBefore = island->tookLanes = false;
  island->isCounted = true;
  island->pending = cr_pendingNothing;
  if (status == cr_ok && crIslands_IsMultistep(island->owner)) {
    status = crFitMultistep(island, island->owner->run->options.solver, &island->multistep);
  }
  crIsland_StartMethod(island, worker->nextStep);
  return status;
}

// ----------------------------------------------------------------------------------------------- steps

crStepper* crIsland_GetStepper(const crWorker* worker, const crIsland* island)
{
  return island->isAlone ? island->stepper : worker->stepper;
}

// What a step costs is counted, whether or not it stands: by that methods are compared.
static crStatus takeStep(crWorker* worker, crIsland* island, double tMax, const crSegment* before, crStepMemory* memory)
{
  ++island->stamp;
  if (island->multistep != NULL) {
    crStatus status = crMultistep_Step(island->multistep, tMax);
    return status == cr_ok ? crIsland_EvalEnd(island) : status;
  }
  crStepper* stepper = crIsland_GetStepper(worker, island);
  crStatus status = crIsland_ProvidePattern(worker, island, memory->kind);
  double h = tMax - island->segment.t0; // what would leave little before that goes there
  h = memory->h > 0.0 ? fmin(h, CR_STRETCH * memory->h) : h;
  status = status == cr_ok ? crIsland_ProvideLanes(worker, island, memory->kind, h) : status;
  status = status == cr_ok ? crIsland_ProvideStage(worker, island, memory->kind) : status;
  status = status == cr_ok ? crIsland_ProvideCourses(island, memory->kind) : status;
  crStepCounts counts = crStepper_GetCounts(stepper);
  if (status == cr_ok) {
    status = crStepper_Step(stepper, &island->problem, island->owner->relTol, tMax, before, memory, &island->segment);
  }
  island->contacts->stage = NULL; // if it has failed
  island->few = NULL;
  island->contacts->courses = NULL;
  island->problem.nodes = NULL;
  crIsland_CountCost(island, counts, crStepper_GetCounts(stepper));
  return status == cr_ok ? crIsland_SettleLanes(worker, island) : status;
}

// The segment again from its start, to end at t exactly.
static crStatus takeAgain(crWorker* worker, crIsland* island, double t)
{
  ++island->stamp;
  crIsland_LeaveLanes(island);
  crContacts_DropSums(island->contacts);
  if (island->multistep != NULL) {
    crStatus status = crMultistep_Redo(island->multistep, t);
    return status == cr_ok ? crIsland_EvalEnd(island) : status;
  }
  crStepper* stepper = crIsland_GetStepper(worker, island);
  crStatus status = crIsland_ProvidePattern(worker, island, island->segment.kind);
  island->hasLanes = island->tookLanes = false; // several steps may be inside
  crIsland_SetForm(worker, island);
  status = status == cr_ok ? crIsland_ProvideStage(worker, island, island->segment.kind) : status;
  crStepCounts counts = crStepper_GetCounts(stepper);
  if (status == cr_ok) {
    status = crStepper_Redo(stepper, &island->problem, island->owner->relTol, t, &island->memory, &island->segment);
  }
  island->contacts->stage = NULL;
  island->few = NULL;
  crIsland_CountCost(island, counts, crStepper_GetCounts(stepper));
  return status;
}

// Where f refuses inside the step, the cubic through its ends has to do.
crStatus crIsland_MakeDense(crWorker* worker, crIsland* island)
{
  crStatus status = crStepper_MakeDense(crIsland_GetStepper(worker, island), &island->problem, &island->segment);
  return status > 0 ? cr_ok : status;
}

static void beginSegment(crIsland* island)
{
  if (island->tookLanes) { // of the step before nobody needs more than its times
    island->before.kind = island->segment.kind;
    island->before.t0 = island->segment.t0;
    island->before.t1 = island->segment.t1;
    crSegment_Advance(&island->segment);
    return;
  }
  crSegment done = island->segment;
  size_t size = (size_t)island->n * sizeof(double);
  island->segment = island->before;
  island->before = done;
  island->segment.t0 = done.t1;
  memcpy(island->segment.y0, done.y1, size);
  memcpy(island->segment.f0, done.f1, size);
}

// Friction has a kink where a speed falls to that of its regularization. [s] until then, if it goes on as in the last
// step; infinity: it does not.
static double findKink(double speed, double rate, double least)
{
  return speed > CR_KINK_MARGIN * least && rate < 0.0 ? (speed - least) / -rate : HUGE_VAL;
}

// A step that leaps over the kink fails or is wrong: it ends there, and the next one is short against the time in which
// the speed would fall to zero. outShort [s]: that one.
static double findNextKink(const crIsland* island, double* outShort)
{
  const crContacts* contacts = island->contacts;
  double first = HUGE_VAL;
  for (int k = 0; contacts->contacts.count <= CR_MOST_KINKS && k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    const crContact* contact = &contacts->contacts.items[k];
    double slip = findKink(contact->lastSlip, contact->slipRate, pair->law->vMin);
    double turn = findKink(contact->lastTurn, contact->turnRate, pair->law->wMin);
    if (slip < first) {
      first = slip;
      *outShort = CR_KINK_SHARE * pair->law->vMin / -contact->slipRate;
    }
    if (turn < first && contact->lastSlip < pair->law->vMin) {
      first = turn;
      *outShort = CR_KINK_SHARE * pair->law->wMin / -contact->turnRate;
    }
  }
  return first;
}

double crIsland_GetDriftLimit(const crIsland* island)
{
  return fmax(CR_DRIFT_LIMIT * island->owner->relTol, CR_LEAST_DRIFT_LIMIT);
}

// Takes the drift of loops out of the end of the segment. cr_retry: the step was too long for that.
static crStatus closeLoops(crIsland* island)
{
  crIslands* islands = island->owner;
  crSegment* segment = &island->segment;
  crStatus status = crInstance_Project(islands->instance, crIsland_GetSet(island), segment->t1,
                                       crIsland_GetDriftLimit(island), segment->y1);
  return status == cr_ok ? crIsland_EvalRates(island, segment->t1, segment->y1, segment->f1) : status;
}

// Redoes the step shorter until its loops can be closed.
static crStatus settleLoops(crWorker* worker, crIsland* island)
{
  crSegment* segment = &island->segment;
  if (!island->hasLoops || island->multistep != NULL) {
    return cr_ok;
  }
  crStatus status = closeLoops(island);
  for (int i = 0; status == cr_retry && i < CR_MAX_SHORTER; ++i) {
    double t = segment->t0 + CR_SHORTER * (segment->t1 - segment->t0);
    island->memory.h = fmin(island->memory.h, t - segment->t0);
    status = t > segment->t0 ? takeAgain(worker, island, t) : cr_failNumerics;
    status = status == cr_ok ? closeLoops(island) : status;
  }
  return status;
}

crStatus crIsland_Step(crWorker* worker, crIsland* island, double tMax)
{
  crIsland_ConsiderMethod(island);
  crIsland_ChooseOrder(island);
  bool isBehindKink = island->kinkCount > 0 && island->memory.h == 0.0; // or at a start: nothing goes on from before
  bool hasBefore = island->hasBefore && island->segment.kind == island->memory.kind && !isBehindKink;
  double shortStep = HUGE_VAL, kink = HUGE_VAL;
  if (island->memory.kind == cr_stepRadau5 && island->hasBefore) {
    kink = island->segment.t1 + findNextKink(island, &shortStep);
    kink = kink > island->segment.t1 ? kink : HUGE_VAL; // as good as there
  }
  island->again = island->memory;
  island->hadBefore = hasBefore;
  beginSegment(island);
  if (isBehindKink) {
    island->before.t0 = island->before.t1;
  }
  crStatus status = takeStep(worker, island, fmin(tMax, kink), hasBefore ? &island->before : NULL, &island->memory);
  if (status != cr_ok) { // it stays where it is
    memcpy(island->segment.y1, island->segment.y0, (size_t)island->n * sizeof(double));
    memcpy(island->segment.f1, island->segment.f0, (size_t)island->n * sizeof(double));
    standStill(&island->segment, island->segment.t0);
    crContacts_DropSums(island->contacts);
    ++island->stamp;
    return status;
  }
  if (island->segment.t1 == kink) {
    island->memory.h = fmin(island->memory.h, shortStep);
  }
  island->hasBefore = true;
  island->isCounted = false;
  crIsland_WatchMethod(island);
  return settleLoops(worker, island);
}

crStatus crIsland_Again(crWorker* worker, crIsland* island, double tMax)
{
  crSegment* segment = &island->segment;
  double h = segment->t1 - segment->t0;
  island->hasPattern = false; // other contacts couple other trees
  island->memory = island->again;
  island->memory.h = h;
  island->memory.isChanged = true;
  crContacts_DropSums(island->contacts);
  crStatus status = takeStep(worker, island, tMax, NULL, &island->memory);
  if (status == cr_ok) {
    crIsland_WatchMethod(island);
  }
  return status == cr_ok ? settleLoops(worker, island) : status;
}

crStatus crIsland_TryEnd(crWorker* worker, crIsland* island, double h, double* outChange)
{
  const crSegment* segment = &island->segment;
  double sum = 0.0, relTol = island->owner->relTol;
  if (!crReserve(&island->owner->allocator, &worker->scratch, &worker->scratchCapacity, island->n, sizeof(double))) {
    return cr_errorMemory;
  }
  crStatus status = crIsland_EvalRates(island, segment->t1, segment->y1, worker->scratch);
  for (int i = 0; i < island->stateCount; ++i) {
    double tolerance = island->problem.absTol[i] + relTol * fabs(segment->y1[i]);
    double change = h * (worker->scratch[i] - segment->f1[i]) / tolerance;
    sum += change * change;
  }
  *outChange = sqrt(sum / island->stateCount);
  return status;
}

crStatus crIsland_TakeEnd(crWorker* worker, crIsland* island)
{
  memcpy(island->segment.f1, worker->scratch, (size_t)island->n * sizeof(double));
  island->hasPattern = false; // other contacts couple other trees
  island->memory.isChanged = true;
  return cr_ok;
}

// At the start of the segment.
static crStatus standAtStart(crIsland* island)
{
  crSegment* segment = &island->segment;
  size_t size = (size_t)island->n * sizeof(double);
  crIsland_LeaveLanes(island);
  island->tookLanes = false;
  memcpy(segment->y1, segment->y0, size);
  memcpy(segment->f1, segment->f0, size);
  standStill(segment, segment->t0);
  ++island->stamp;
  crContacts_DropSums(island->contacts);
  return crIsland_EvalRates(island, segment->t1, segment->y1, segment->f1);
}

static crStatus redo(crWorker* worker, crIsland* island, double t)
{
  crStatus status = takeAgain(worker, island, t);
  return status == cr_ok ? settleLoops(worker, island) : status;
}

crStatus crIsland_StepTo(crWorker* worker, crIsland* island, double t)
{
  crSegment* segment = &island->segment;
  if (t == segment->t1) {
    return cr_ok;
  }
  if (!(t > segment->t0)) {
    return standAtStart(island);
  }
  if (island->multistep != NULL) {
    return redo(worker, island, t);
  }
  crStepMemory memory = island->again;
  bool hasBefore = island->hadBefore && island->before.kind == memory.kind;
  memory.h = t - segment->t0;
  memory.isChanged = memory.isChanged || !island->hasPattern;
  crContacts_DropSums(island->contacts);
  crStatus status = takeStep(worker, island, t, hasBefore ? &island->before : NULL, &memory);
  return status == cr_ok ? settleLoops(worker, island) : status;
}

crStatus crIsland_Redo(crWorker* worker, crIsland* island, double from, double t)
{
  crSegment* segment = &island->segment;
  if (t == segment->t1) {
    return cr_ok;
  }
  if (!(t > segment->t0)) {
    return standAtStart(island);
  }
  crStatus status = redo(worker, island, t);
  if (status != cr_ok || segment->isDense || !(from > segment->t0 && from < t)) {
    return status;
  }
  // several steps inside, through which no polynomial goes: up to `from` nobody needs them
  status = redo(worker, island, from);
  if (status == cr_ok) {
    size_t size = (size_t)island->n * sizeof(double);
    crContacts_CompleteStep(island->contacts, from - segment->t0);
    crContacts_CarryBristles(island->contacts);
    segment->t0 = from;
    memcpy(segment->y0, segment->y1, size);
    memcpy(segment->f0, segment->f1, size);
    island->hasBefore = false;
    status = redo(worker, island, t);
  }
  return status;
}
