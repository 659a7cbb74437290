// One island: what its stepper sees, its steps, and what it remembers between them.
#include "island/island.h"
#include "contact/linear_contact.h"
#include "island/island_judge.h"
#include "model/eval/kink.h"
#include "model/loop/loop.h"

#include <string.h>

#define CR_CREW_TREES 400 // of a crowd whose stages take so long that threads may share them

// States from which on an island has a stepper of its own, which keeps Jacobians; those that need differences have one
// in any case.
#define CR_ALONE_SIZE 100
#define CR_STRETCH 1.01       // [-] by which a stepper lengthens a step, at most
#define CR_KINK_MARGIN 1.0001 // [-] speed over that of a kink from which on it lies ahead
#define CR_KINK_SHARE 0.1     // [-] of the time from the kink to rest: the step behind it
#define CR_MOST_KINKS 8       // contacts of an island up to which kinks are looked for
#define CR_MOST_PEAKS 8       // and up to which their peaks are worth evaluations
#define CR_PEAK_SHARE 100.0   // [tolerance] relative error of a peak from which on it is
#define CR_NEAR_SHARE 1e-6    // [-] of the step: inside its ends, for accelerations
#define CR_MOTION_STEP 1e-3   // [s] first step of prescribed motions
#define CR_MAX_SHORTER 20     // attempts to close loops behind a step, each one
#define CR_SHORTER 0.25       // [-] as long as the one before
#define CR_SPARE_BRISTLES 40  // states for which a crowd has room, beyond a quarter more than it needs
#define CR_STAGE_PLACES 12    // of a ball in a stage
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

// --------------------------------------------------------------------------------------------- problem

static crStatus evalRates(crIsland* island, double t, const double* y, double* outRates)
{
  crInstance* instance = island->owner->instance;
  crTreeSet set = crIsland_GetSet(island);
  if (island->hasSignals) {
    crInstance_SetPhase(instance, set, island->phase);
  }
  bool sticks = island->stateCount > island->treeStates;
  if (!island->contacts->isListed) {
    crContacts_ListAgain(island->contacts);
  }
  if (sticks) {
    crContacts_SetBristles(island->contacts, y + island->treeStates);
  }
  crStatus status = crIslands_PlaceCarriers(island->owner, island, t);
  status = status == cr_ok ? crComputeRates(instance, set, t, y, outRates) : status;
  if (status == cr_ok && sticks) {
    crContacts_GetBristleRates(island->contacts, outRates + island->treeStates);
  }
  if (status == cr_ok && island->n > island->stateCount) {
    crPowers powers = crComputePowers(instance, set);
    outRates[island->stateCount + cr_balanceDissipated] = powers.dissipation;
    outRates[island->stateCount + cr_balanceWork] =
        powers.work + crContacts_SumCarrierWork(island->contacts, instance, island->owner->islandOf, island->number);
  }
  return status;
}

static crStatus computeRates(void* context, double t, const double* y, double* outRates)
{
  crIsland* island = context;
  island->contacts->stage = NULL;
  return evalRates(island, t, y, outRates);
}

// Inside a step whose contacts of balls are in lanes.
static crStatus computeStage(void* context, double t, const double* y, double* outRates)
{
  crIsland* island = context;
  island->contacts->stage = island->stage;
  return evalRates(island, t, y, outRates);
}

static void writePowers(const crIsland* island, double dissipation, double* outRates)
{
  if (island->n > island->stateCount) {
    outRates[island->stateCount + cr_balanceDissipated] = dissipation;
    outRates[island->stateCount + cr_balanceWork] = 0.0;
  }
}

// Of a stage of a crowd in lanes: behind the rows of balls come energies.
static crStatus computeNext(void* context, double t, const crLaneStage* stage)
{
  const crIsland* island = context;
  const double *y = stage->start, *w = stage->weights;
  (void)t;
  double powers[CR_BALANCE_COUNT] = { 0.0 };
  powers[cr_balanceDissipated] = crBallLanes_ComputeNext(island->lanes, stage);
  int first = CR_STAGE_PLACES * island->treeCount;
  for (int i = first; i < first + island->n - island->stateCount; ++i) {
    stage->out[i] = w[0] * y[i] + w[1] * stage->last[i] + w[2] * stage->before[i] + w[3] * powers[i - first] +
                    w[4] * stage->startRates[i];
  }
  return cr_ok;
}

// Of the end of its step.
static crStatus computeEnd(void* context, crSegment* segment, const double* end, double* outRates)
{
  crIsland* island = context;
  double dissipation;
  crBallEnd ballEnd = { segment->t0, segment->t1, segment->y1, end, outRates };
  crStatus status = crBallLanes_ComputeEnd(island->lanes, &ballEnd, segment->f1, &dissipation);
  writePowers(island, dissipation, segment->f1);
  for (int i = island->stateCount; i < island->n; ++i) {
    outRates[CR_STAGE_PLACES * island->treeCount + i - island->stateCount] = segment->f1[i];
  }
  return status;
}

static double* getScratch(const crIsland* island)
{
  return island->numbers + island->n + 2 * crSegment_CountDoubles(island->n);
}

// For what evaluations leave in contacts; the rates go nowhere.
static crStatus evalAt(crIsland* island, double t, const double* y)
{
  return computeRates(island, t, y, getScratch(island));
}

static crStatus computeJacobian(void* context, double t, const double* y, double* outValues)
{
  crIsland* island = context;
  if (island->stateCount > island->treeStates) {
    crContacts_SetBristles(island->contacts, y + island->treeStates);
  }
  crStatus status = crIslands_PlaceCarriers(island->owner, island, t);
  return status == cr_ok
             ? crInstance_ComputeRateMatrix(island->owner->instance, crIsland_GetSet(island), t, y, outValues)
             : status;
}

// Contacts are at their states then, and linear about them.
static crStatus beginDifferences(void* context, double t, const double* y)
{
  crIsland* island = context;
  crStatus status = evalAt(island, t, y);
  if (status == cr_ok) {
    crContacts_BeginLinear(island->owner->instance, island->contacts);
  }
  return status;
}

static void endDifferences(void* context)
{
  crContacts_EndLinear(((crIsland*)context)->contacts);
}

static void beginSums(void* context, double ofStart, double ofStage)
{
  crContacts_BeginSums(((crIsland*)context)->contacts, ofStart, ofStage);
}

static void addToSums(void* context, double ofStage)
{
  crContacts_AddToSums(((crIsland*)context)->contacts, ofStage);
}

static void keepSums(void* context, double h)
{
  crContacts_KeepPart(((crIsland*)context)->contacts, h);
}

static crStatus beginNodes(void* context, double t0, bool* outIsKnown)
{
  crIsland* island = context;
  return crCourses_Begin(island->courses, island->contacts, t0, outIsKnown) ? cr_ok : cr_errorMemory;
}

static void setNode(void* context, crStageNode node, double place)
{
  crCourses_Set(((crIsland*)context)->courses, node, place);
}

static void endNodes(void* context, double t1)
{
  crCourses_End(((crIsland*)context)->courses, t1);
}

static const crStageNodes areaNodes = { beginNodes, setNode, endNodes };

static const crStageSums contactSums = { beginSums, addToSums, keepSums, crJudgeStep };

// Islands that grow mostly grow again.
static bool reserve(const crIsland* island, void* items, int* capacity, int count, size_t itemSize)
{
  int more = *capacity + *capacity / 2;
  return crReserve(&island->owner->allocator, items, capacity, count <= *capacity || count > more ? count : more,
                   itemSize);
}

// Numbers are saved with an island that has not made a step yet, so those that nobody has written are 0.
static bool reserveNumbers(crIsland* island, int count)
{
  int before = island->numberCapacity;
  bool isGood = reserve(island, &island->numbers, &island->numberCapacity, count, sizeof *island->numbers);
  if (isGood && island->numberCapacity > before) {
    memset(island->numbers + before, 0, (size_t)(island->numberCapacity - before) * sizeof *island->numbers);
  }
  return isGood;
}

static bool reserveArrays(crIsland* island)
{
  int n = island->n, numberCount = 2 * n + 2 * (int)crSegment_CountDoubles(n);
  return reserveNumbers(island, numberCount) &&
         reserve(island, &island->indices, &island->indexCapacity, n, sizeof *island->indices) &&
         reserve(island, &island->spins, &island->spinCapacity, island->treeCount, sizeof *island->spins) &&
         reserve(island, &island->followers, &island->followerCapacity, n, sizeof *island->followers) &&
         reserve(island, &island->blocks, &island->blockCapacity, island->contacts->contacts.count,
                 sizeof *island->blocks) &&
         crContacts_ReserveBristles(island->contacts);
}

static void fillPattern(crIsland* island, int* columnStarts, int* rows)
{
  int count = 0;
  crModel_GetSparsity(island->owner->model, crIsland_GetSet(island), columnStarts, rows, &count);
  crContacts_AddBristlePattern(island->contacts, crIsland_GetSet(island), island->owner->stateStarts, columnStarts,
                               rows, &count);
  for (int i = island->stateCount; i < island->n; ++i) {
    rows[count++] = i;
    columnStarts[i + 1] = count;
  }
  island->pattern = (crSparsity){ island->n, columnStarts, rows };
}

static void fillStructure(crIsland* island, int* rateOf)
{
  const crModel* model = island->owner->model;
  crModel_GetRateOf(model, crIsland_GetSet(island), rateOf);
  for (int i = 0; i < island->n; ++i) {
    island->followers[i] = i >= island->treeStates; // places of bristles that nobody has, too
    rateOf[i] = i >= island->treeStates ? -1 : rateOf[i];
  }
  int spinCount = crModel_GetSpins(model, crIsland_GetSet(island), island->spins);
  int energyCount = island->n - island->stateCount;
  for (int i = 0; i < energyCount; ++i) {
    island->energies[i] = island->stateCount + i;
  }
  int blockCount = 0;
  for (int k = 0; k < island->contacts->contacts.count; ++k) {
    const crContact* contact = &island->contacts->contacts.items[k];
    if (contact->bristle.count > 0) {
      crStateBlock block = { island->treeStates + contact->place, contact->bristle.count };
      memset(island->followers + block.first, false, (size_t)block.count * sizeof *island->followers);
      island->blocks[blockCount++] = block;
    }
  }
  island->structure = (crStructure){ .rateOf = rateOf,
                                     .isFollower = island->followers,
                                     .spins = island->spins,
                                     .spinCount = spinCount,
                                     .watched = island->energies,
                                     .watchedCount = energyCount,
                                     .blocks = island->blocks,
                                     .blockCount = blockCount };
}

static crStatus reserveStepper(crWorker* worker, crIsland* island, int entryCount)
{
  if (island->isAlone && island->stepper == NULL) {
    crStatus status = crCreateStepper(&island->owner->allocator, &island->stepper);
    if (status != cr_ok) {
      return status;
    }
  }
  return crStepper_Reserve(island->isAlone ? island->stepper : worker->stepper, island->n, entryCount);
}

// Room for the pattern, which moves what lies before it, and the pattern.
static crStatus findPattern(crWorker* worker, crIsland* island)
{
  int entryCount = 0, n = island->n;
  if (!island->contacts->isListed) {
    crContacts_ListAgain(island->contacts);
  }
  crModel_GetSparsity(island->owner->model, crIsland_GetSet(island), NULL, NULL, &entryCount);
  crContacts_AddBristlePattern(island->contacts, crIsland_GetSet(island), island->owner->stateStarts, NULL, NULL,
                               &entryCount);
  entryCount += n - island->stateCount;
  if (!reserve(island, &island->indices, &island->indexCapacity, 2 * n + 1 + entryCount, sizeof *island->indices)) {
    return cr_errorMemory;
  }
  island->structure.rateOf = island->indices;
  fillPattern(island, island->indices + n, island->indices + (size_t)2 * (size_t)n + 1);
  island->hasPattern = true;
  return reserveStepper(worker, island, entryCount);
}

// Balls of a crowd, in lanes.
static crStatus describeLanes(crIsland* island)
{
  crIslands* islands = island->owner;
  crTreeSet set = crIsland_GetSet(island);
  island->hasLanes = false;
  island->areBalls = crIsland_IsLarge(island) && !islands->sticks && crIsland_AreBalls(island);
  crStatus status = cr_ok;
  if (island->areBalls && island->lanes == NULL) {
    status = crCreateBallLanes(islands->table, &islands->allocator, &island->lanes);
  }
  if (status == cr_ok && island->areBalls && !crBallLanes_SetBalls(island->lanes, islands->instance, set)) {
    status = cr_errorMemory;
  }
  return status;
}

void crIsland_TellContacts(crIsland* island)
{
  if (island->lanes != NULL) {
    crBallLanes_Tell(island->lanes, island->contacts, island->segment.y1);
  }
}

void crIsland_LeaveLanes(crIsland* island)
{
  if (island->lanes != NULL) {
    crBallLanes_Tell(island->lanes, island->contacts, island->segment.y1);
    crBallLanes_Drop(island->lanes);
  }
}

bool crIsland_IsForCrew(const crIsland* island)
{
  return island->isCrowd && island->areBalls && island->treeCount >= CR_CREW_TREES;
}

const crCrew* crIsland_GetCrew(const crWorker* worker, const crIsland* island)
{
  return worker->crew != NULL && crIsland_IsForCrew(island) ? worker->crew : NULL;
}

// Whether the stepper works in lanes.
static void setForm(const crWorker* worker, crIsland* island)
{
  island->problem.crew = island->hasLanes ? crIsland_GetCrew(worker, island) : NULL;
  island->problem.computeNext = island->hasLanes ? computeNext : NULL;
  island->problem.computeEnd = island->hasLanes ? computeEnd : NULL;
}

// Before a step of a crowd of balls that is no longer than h [s].
static crStatus provideLanes(const crWorker* worker, crIsland* island, crStepKind kind, double h)
{
  const crIslands* islands = island->owner;
  crBallStep step = { .h = h,
                      .y = island->segment.y0,
                      .rates = island->segment.f0,
                      .neighbourStarts = islands->neighbourStarts,
                      .neighbours = islands->neighbours,
                      .stamp = islands->neighbourStamp };
  island->hasLanes = false;
  bool isGood = !island->areBalls || kind != cr_stepRkc2 ||
                (crBallLanes_SetCrew(island->lanes, crIsland_GetCrew(worker, island)) &&
                 crBallLanes_Begin(island->lanes, island->contacts, &step, &island->hasLanes));
  if (island->lanes != NULL && !island->hasLanes) {
    crBallLanes_Tell(island->lanes, island->contacts, island->segment.y0);
    crBallLanes_Drop(island->lanes);
  }
  setForm(worker, island);
  return isGood ? cr_ok : cr_errorMemory;
}

// Behind such a step: contacts that have begun in it become those of the set, late ones where nobody else looks at it.
static crStatus settleLanes(const crWorker* worker, crIsland* island)
{
  island->tookLanes = island->hasLanes;
  if (!island->hasLanes) {
    return cr_ok;
  }
  const crContactStarts* begun = crBallLanes_GetBegun(island->lanes);
  island->hasPattern = island->hasPattern && begun->count == 0;
  crStatus status = crContacts_Insert(island->contacts, begun->items, begun->count);
  if (worker->heapCount > 1) {
    crContacts_SeatLate(island->contacts);
  }
  return status;
}

// Before a step of this kind.
static crStatus providePattern(crWorker* worker, crIsland* island, crStepKind kind)
{
  return island->hasPattern || kind != cr_stepRadau5 ? cr_ok : findPattern(worker, island);
}

crStatus crIsland_Describe(crWorker* worker, crIsland* island)
{
  crIslands* islands = island->owner;
  crTreeSet set = crIsland_GetSet(island);
  island->treeStates = crModel_CountStates(islands->model, set);
  island->stateCount = island->treeStates + island->contacts->bristleCount;
  island->n = island->stateCount + islands->run->balanceCount;
  bool hasMatrix = crModel_HasRateMatrix(islands->model, set), hasContacts = islands->run->contacts != NULL;
  bool isLinear = hasContacts && !hasMatrix;
  island->areFree = crIsland_AreFree(island);
  island->isAlone = island->n > CR_ALONE_SIZE || !hasMatrix;
  island->hasPattern = false;
  if (!reserveArrays(island)) {
    return cr_errorMemory;
  }
  int n = island->n;
  double* segments = island->numbers + n;
  crSegment_Place(&island->segment, n, segments);
  crSegment_Place(&island->before, n, segments + crSegment_CountDoubles(n));
  crIsland_FillTolerances(island, island->numbers);
  fillStructure(island, island->indices);
  if (crIsland_IsLarge(island)) {
    crIsland_LoosenSpins(island, island->numbers);
    if (!crIsland_ListVectors(island)) {
      return cr_errorMemory;
    }
  }
  bool isPlain = island->treeCount == 1 && island->contacts->links.count == 0 && island->contacts->bristleCount == 0;
  island->describedTree = isPlain ? island->trees[0] : -1;
  crStatus status = describeLanes(island);
  if (status != cr_ok) {
    return status;
  }
  island->problem = (crProblem){ .n = n,
                                 .context = island,
                                 .computeRates = computeRates,
                                 .pattern = &island->pattern,
                                 .computeJacobian = hasMatrix ? computeJacobian : NULL,
                                 .beginDifferences = isLinear ? beginDifferences : NULL,
                                 .endDifferences = isLinear ? endDifferences : NULL,
                                 .structure = &island->structure,
                                 .absTol = island->numbers,
                                 .sums = hasContacts ? &contactSums : NULL };
  bool mayStay = island->treeCount == 1 || !hasContacts; // else it mostly falls apart before anybody needs it
  return mayStay ? findPattern(worker, island) : reserveStepper(worker, island, 0);
}

crStatus crIsland_Restructure(crWorker* worker, crIsland* island)
{
  if (!reserveArrays(island)) {
    return cr_errorMemory;
  }
  crStatus status = reserveStepper(worker, island, 0);
  if (status == cr_ok) {
    fillStructure(island, island->indices);
    status = crIsland_ListVectors(island) ? cr_ok : cr_errorMemory;
  }
  island->hasPattern = false;
  return status;
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
  return status == cr_ok && hasPattern && !island->hasPattern ? findPattern(worker, island) : status;
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

crStatus crIsland_Start(crWorker* worker, crIsland* island, double t, const double balance[CR_BALANCE_COUNT])
{
  placeBristles(island);
  crCourses_Drop(island->courses);
  bool isSame = island->describedTree == island->trees[0] && island->treeCount == 1 &&
                island->contacts->links.count == 0 && // one tree is coupled with nothing but itself
                island->contacts->bristleCount == 0;
  placeTrees(island);
  island->nextEvent = island->hasSignals ? crModel_GetNextTimeEvent(island->owner->model, island->phase) : HUGE_VAL;
  island->nextEvent = fmin(island->nextEvent, crIslands_FindCarrierEvent(island->owner, island, t));
  bool isSearched = island->owner->run->contacts != NULL;
  island->motionStep = island->hasMotions && isSearched ? CR_MOTION_STEP : HUGE_VAL;
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
  status = computeRates(island, t, segment->y1, segment->f1);
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

// Something else than the end of the step may have been evaluated last.
static crStatus evalEnd(crIsland* island)
{
  return evalAt(island, island->segment.t1, island->segment.y1);
}

// Before a step of this kind: whether stages of it are evaluated in lanes.
static crStatus provideStage(crWorker* worker, crIsland* island, crStepKind kind)
{
  bool isWorth = false;
  bool isGood =
      kind != cr_stepDopri5 || island->isCrowd || crBallStage_List(worker->ballStage, island->contacts, &isWorth);
  island->stage = isWorth ? worker->ballStage : NULL;
  island->problem.computeStage = isWorth ? computeStage : NULL;
  return isGood ? cr_ok : cr_errorMemory;
}

// Whether patches are on courses in the step: in crowds of free bodies.
static crStatus provideCourses(crIsland* island, crStepKind kind)
{
  bool isFor = kind == cr_stepRkc2 && island->isCrowd && !island->hasLanes && !island->owner->sticks &&
               island->structure.vectorCount > 0;
  crStatus status = cr_ok;
  if (isFor && island->courses == NULL) {
    status = crCreateCourses(&island->owner->allocator, &island->courses);
  }
  isFor = isFor && status == cr_ok;
  if (isFor) {
    crCourses_Set(island->courses, cr_nodeAll, 0.0);
  }
  island->contacts->courses = isFor ? island->courses : NULL;
  island->problem.nodes = isFor ? &areaNodes : NULL;
  return status;
}

// What a step costs is counted, whether or not it stands: by that methods are compared.
static crStatus takeStep(crWorker* worker, crIsland* island, double tMax, const crSegment* before, crStepMemory* memory)
{
  ++island->stamp;
  if (island->multistep != NULL) {
    crStatus status = crMultistep_Step(island->multistep, tMax);
    return status == cr_ok ? evalEnd(island) : status;
  }
  crStepper* stepper = crIsland_GetStepper(worker, island);
  crStatus status = providePattern(worker, island, memory->kind);
  double h = tMax - island->segment.t0; // what would leave little before that goes there
  h = memory->h > 0.0 ? fmin(h, CR_STRETCH * memory->h) : h;
  status = status == cr_ok ? provideLanes(worker, island, memory->kind, h) : status;
  status = status == cr_ok ? provideStage(worker, island, memory->kind) : status;
  status = status == cr_ok ? provideCourses(island, memory->kind) : status;
  crStepCounts counts = crStepper_GetCounts(stepper);
  if (status == cr_ok) {
    status = crStepper_Step(stepper, &island->problem, island->owner->relTol, tMax, before, memory, &island->segment);
  }
  island->contacts->stage = NULL; // if it has failed
  island->contacts->courses = NULL;
  island->problem.nodes = NULL;
  crIsland_CountCost(island, counts, crStepper_GetCounts(stepper));
  return status == cr_ok ? settleLanes(worker, island) : status;
}

// The segment again from its start, to end at t exactly.
static crStatus takeAgain(crWorker* worker, crIsland* island, double t)
{
  ++island->stamp;
  crIsland_LeaveLanes(island);
  crContacts_DropSums(island->contacts);
  if (island->multistep != NULL) {
    crStatus status = crMultistep_Redo(island->multistep, t);
    return status == cr_ok ? evalEnd(island) : status;
  }
  crStepper* stepper = crIsland_GetStepper(worker, island);
  crStatus status = providePattern(worker, island, island->segment.kind);
  island->hasLanes = island->tookLanes = false; // several steps may be inside
  setForm(worker, island);
  status = status == cr_ok ? provideStage(worker, island, island->segment.kind) : status;
  crStepCounts counts = crStepper_GetCounts(stepper);
  if (status == cr_ok) {
    status = crStepper_Redo(stepper, &island->problem, island->owner->relTol, t, &island->memory, &island->segment);
  }
  island->contacts->stage = NULL;
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
  return status == cr_ok ? computeRates(island, segment->t1, segment->y1, segment->f1) : status;
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
  crStatus status = computeRates(island, segment->t1, segment->y1, worker->scratch);
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
  return computeRates(island, segment->t1, segment->y1, segment->f1);
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

// Evaluates the island at the state y + step f.
static crStatus evalNear(crWorker* worker, crIsland* island, double t, double step, const double* y, const double* f)
{
  if (!crReserve(&island->owner->allocator, &worker->scratch, &worker->scratchCapacity, island->n, sizeof(double))) {
    return cr_errorMemory;
  }
  for (int i = 0; i < island->n; ++i) {
    worker->scratch[i] = y[i] + step * f[i];
  }
  return evalAt(island, t + step, worker->scratch);
}

// Sums over a step of another library's method, which has no stages: by the formula of Gauss and Lobatto with five
// points on its polynomial.
static crStatus sumSegment(crWorker* worker, crIsland* island)
{
  static const double nodes[3] = { 0.17267316464601142810, 0.5, 0.82732683535398857190 };
  static const double weights[3] = { 49.0 / 180.0, 16.0 / 45.0, 49.0 / 180.0 };
  const crSegment* segment = &island->segment;
  double h = segment->t1 - segment->t0, ofEnd = h / 20.0;
  if (!crReserve(&island->owner->allocator, &worker->scratch, &worker->scratchCapacity, island->n, sizeof(double))) {
    return cr_errorMemory;
  }
  crStatus status = cr_ok;
  for (int i = 0; i < 3 && status == cr_ok; ++i) {
    double t = segment->t0 + nodes[i] * h;
    crSegment_Interpolate(segment, t, 0, island->n, worker->scratch);
    status = evalAt(island, t, worker->scratch);
    if (status == cr_ok && i == 0) {
      crContacts_BeginSums(island->contacts, ofEnd, weights[i] * h);
    } else if (status == cr_ok) {
      crContacts_AddToSums(island->contacts, weights[i] * h);
    }
  }
  if (status == cr_retry) {
    crContacts_DropSums(island->contacts);
  }
  crStatus atEnd = status < 0 ? status : evalEnd(island);
  if (status == cr_ok && atEnd == cr_ok) {
    crContacts_AddToSums(island->contacts, ofEnd);
  }
  return atEnd;
}

// Rates of contacts a little inside both ends of the segment. outStep [s]: that far; 0: f refuses there.
static crStatus lookNear(crWorker* worker, crIsland* island, double* outStep)
{
  const crSegment* segment = &island->segment;
  double step = CR_NEAR_SHARE * (segment->t1 - segment->t0);
  crStatus status = evalNear(worker, island, segment->t0, step, segment->y0, segment->f0);
  if (status == cr_ok) {
    crContacts_LookNear(island->contacts, false);
    status = evalNear(worker, island, segment->t1, -step, segment->y1, segment->f1);
  }
  if (status == cr_ok) {
    crContacts_LookNear(island->contacts, true);
  }
  *outStep = status == cr_ok ? step : 0.0;
  return status < 0 ? status : evalEnd(island);
}

static crStatus completeContacts(crWorker* worker, crIsland* island)
{
  const crSegment* segment = &island->segment;
  crContacts* contacts = island->contacts;
  double h = segment->t1 - segment->t0, limit = CR_PEAK_SHARE * island->owner->relTol, nearStep = 0.0;
  bool areSteep = false, sums = island->multistep != NULL && contacts->contacts.count > 0 && h > 0.0;
  crStatus status = sums ? sumSegment(worker, island) : cr_ok;
  if (status == cr_ok && crContacts_CompleteSums(contacts, h, limit, &areSteep)) {
    bool isFew = contacts->contacts.count <= CR_MOST_PEAKS && !island->isCrowd; // else there are some in every step
    status = areSteep && isFew && segment->isDense ? lookNear(worker, island, &nearStep) : cr_ok;
    crContacts_CompletePeaks(contacts, h, nearStep);
  }
  return status;
}

// Contacts of a step that lanes took. What is deep is looked at like any other.
static crStatus countLanes(crWorker* worker, crIsland* island, bool* outIsWhole)
{
  const crSegment* segment = &island->segment;
  if (!crBallLanes_SetCrew(island->lanes, crIsland_GetCrew(worker, island))) {
    return cr_errorMemory;
  }
  crStatus status =
      crBallLanes_Resume(island->lanes, island->contacts, segment->t0, segment->y1, getScratch(island), outIsWhole);
  if (status != cr_ok || !*outIsWhole) {
    return status;
  }
  if (crBallLanes_AreDeep(island->lanes, CR_DEEP_SHARE)) {
    crBallLanes_Tell(island->lanes, island->contacts, segment->y1);
    status = crWorker_CheckThrough(worker, island);
  }
  crStatus counted = crBallLanes_CountStep(island->lanes, island->contacts, segment->t0, segment->t1, segment->y1);
  return status == cr_ok ? counted : status;
}

static crStatus countContacts(crWorker* worker, crIsland* island)
{
  crStatus status = cr_ok;
  island->tookLanes = island->tookLanes && island->areBalls;
  if (island->tookLanes) {
    status = countLanes(worker, island, &island->tookLanes);
  }
  if (status == cr_ok && !island->tookLanes) {
    status = completeContacts(worker, island);
    status = status == cr_ok ? crWorker_CheckThrough(worker, island) : status;
  }
  return status;
}

crStatus crIsland_CountStep(crWorker* worker, crIsland* island)
{
  crIslands* islands = island->owner;
  if (island->isCounted) {
    return cr_ok;
  }
  crStatus status = countContacts(worker, island);
  if (island->multistep == NULL) { // whose steps are taken again from far back
    crContacts_CarryBristles(island->contacts);
  }
  island->policy.time += island->segment.t1 - island->segment.t0;
  island->isCounted = true;
  if (status == cr_ok && island->hasLoops) {
    crInstance_CompleteStep(islands->instance, crIsland_GetSet(island), island->segment.t1, island->segment.y1);
    if (island->multistep != NULL) {
      status = crMultistep_NoteComplete(island->multistep);
      status = status == cr_ok ? crMultistep_CheckLoops(island->multistep) : status;
    }
  }
  bool follows = island->isCrowd || crIsland_IsBusy(island);
  return status == cr_ok && follows ? crWorker_FollowCrowd(worker, island) : status;
}
