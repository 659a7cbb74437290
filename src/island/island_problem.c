// What the stepper of an island sees: its rates as they follow from its trees and contacts, their pattern, sums over
// contacts, and the form in which a step evaluates them.
#include "island/island_problem.h"

#include "contact/linear_contact.h"
#include "island/island_judge.h"

#include <string.h>

#define CR_CREW_TREES 400 // of a crowd whose stages take so long that threads may share them
// States from which on an island has a stepper of its own, which keeps Jacobians; those that need differences have one
// in any case.
#define CR_ALONE_SIZE 100
#define CR_STAGE_PLACES 12 // of a ball in a stage

// ----------------------------------------------------------------------------------------------- rates

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

// In a step of a few balls; isEnd: at its end, where bodies and contacts are looked at.
static crStatus evalFew(const crIsland* island, double t, const double* y, bool isEnd, double* outRates)
{
  crInstance* instance = island->owner->instance;
  crTreeSet set = crIsland_GetSet(island);
  crPowers powers = { 0.0, 0.0 };
  crStatus status = crIslands_PlaceCarriers(island->owner, island, t);
  if (status == cr_ok) {
    status = isEnd ? crFewBalls_ComputeEnd(island->few, instance, set, t, y, outRates, &powers)
                   : crFewBalls_ComputeRates(island->few, instance, set, y, outRates, &powers);
  }
  if (island->n > island->stateCount) {
    outRates[island->stateCount + cr_balanceDissipated] = powers.dissipation;
    outRates[island->stateCount + cr_balanceWork] = powers.work;
  }
  return status;
}

crStatus crIsland_EvalRates(crIsland* island, double t, const double* y, double* outRates)
{
  island->contacts->stage = NULL;
  return island->few != NULL ? evalFew(island, t, y, true, outRates) : evalRates(island, t, y, outRates);
}

static crStatus computeRates(void* context, double t, const double* y, double* outRates)
{
  return crIsland_EvalRates(context, t, y, outRates);
}

// Inside a step whose contacts of balls are in lanes, or are few.
static crStatus computeStage(void* context, double t, const double* y, double* outRates)
{
  crIsland* island = context;
  if (island->few != NULL) {
    return evalFew(island, t, y, false, outRates);
  }
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

double* crIsland_GetScratch(const crIsland* island)
{
  return island->numbers + island->n + 2 * crSegment_CountDoubles(island->n);
}

// For what evaluations leave in contacts; the rates go nowhere.
crStatus crIsland_EvalAt(crIsland* island, double t, const double* y)
{
  return crIsland_EvalRates(island, t, y, crIsland_GetScratch(island));
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
  crStatus status = crIsland_EvalAt(island, t, y);
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
  const crIsland* island = context;
  if (island->few != NULL) {
    crFewBalls_BeginSums(island->few, ofStart, ofStage);
  } else {
    crContacts_BeginSums(island->contacts, ofStart, ofStage);
  }
}

static void addToSums(void* context, double ofStage)
{
  const crIsland* island = context;
  if (island->few != NULL) {
    crFewBalls_AddToSums(island->few, ofStage);
  } else {
    crContacts_AddToSums(island->contacts, ofStage);
  }
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

// Numbers are saved with an island that has not made a step yet, so those that nobody has written are 0. Such as
// nobody writes at all, of polynomials that a method has not, take no memory in large islands.
static bool reserveNumbers(crIsland* island, int count)
{
  const crAllocator* allocator = &island->owner->allocator;
  int before = island->numberCapacity, more = before + before / 2;
  if (count <= before) {
    return true;
  }
  count = count > more ? count : more;
  double* numbers = crAllocateZero(allocator, (size_t)count, sizeof *numbers);
  if (numbers == NULL) {
    return false;
  }
  if (before > 0) {
    memcpy(numbers, island->numbers, (size_t)before * sizeof *numbers);
  }
  crFree(allocator, island->numbers, (size_t)before * sizeof *numbers);
  island->numbers = numbers;
  island->numberCapacity = count;
  return true;
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
crStatus crIsland_FindPattern(crWorker* worker, crIsland* island)
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
void crIsland_SetForm(const crWorker* worker, crIsland* island)
{
  island->problem.crew = island->hasLanes ? crIsland_GetCrew(worker, island) : NULL;
  island->problem.computeNext = island->hasLanes ? computeNext : NULL;
  island->problem.computeEnd = island->hasLanes ? computeEnd : NULL;
}

// Before a step of a crowd of balls that is no longer than h [s].
crStatus crIsland_ProvideLanes(const crWorker* worker, crIsland* island, crStepKind kind, double h)
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
  crIsland_SetForm(worker, island);
  return isGood ? cr_ok : cr_errorMemory;
}

// Behind such a step: contacts that have begun in it become those of the set, late ones where nobody else looks at it.
crStatus crIsland_SettleLanes(const crWorker* worker, crIsland* island)
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
crStatus crIsland_ProvidePattern(crWorker* worker, crIsland* island, crStepKind kind)
{
  return island->hasPattern || kind != cr_stepRadau5 ? cr_ok : crIsland_FindPattern(worker, island);
}

// In crowds of free bodies.
crStatus crIsland_ProvideCourses(crIsland* island, crStepKind kind)
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
  return mayStay ? crIsland_FindPattern(worker, island) : reserveStepper(worker, island, 0);
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

// Something else than the end of the step may have been evaluated last.
crStatus crIsland_EvalEnd(crIsland* island)
{
  return crIsland_EvalAt(island, island->segment.t1, island->segment.y1);
}
// Before a step of this kind: whether stages of it are evaluated in lanes, or are those of a few balls.
crStatus crIsland_ProvideStage(crWorker* worker, crIsland* island, crStepKind kind)
{
  const crIslands* islands = island->owner;
  bool isBrief = kind == cr_stepDop853 && (island->memory.isBrief || island->segment.isBrief);
  bool isExplicit = kind == cr_stepDopri5 || isBrief;
  bool isWorth = false, isPlain = !island->isCrowd && (isExplicit || kind == cr_stepRadau5);
  bool isGood = !isExplicit || !isPlain || crBallStage_List(worker->ballStage, island->contacts, &isWorth);
  bool areFew =
      isPlain && !isWorth && island->contacts->isListed &&
      crFewBalls_List(&worker->few, islands->instance, crIsland_GetSet(island), islands->islandOf, island->number);
  island->stage = isWorth ? worker->ballStage : NULL;
  island->few = areFew ? &worker->few : NULL;
  island->problem.computeStage = isWorth || areFew ? computeStage : NULL;
  return isGood ? cr_ok : cr_errorMemory;
}
