// The portable state of a simulation: what it holds by name, and a start from it.
//
// Each number of a state has one slot, a name and a place in the simulation. Reading a state goes over the slots, and
// so does taking one up.
#include "base/map.h"
#include "base/report.h"
#include "model/loop/loop.h"
#include "sim/simulation.h"

#include <stdio.h>
#include <string.h>

#define CR_STATE_GAP 1e-6 // [-] of a loop's size, or [rad], that a state may be open by: more than drift or rounding

typedef struct Slot {
  const char* name;
  double* place;
} Slot;

typedef crArrayOf(Slot) Slots;

// The slots of a simulation, in the order of the fields of crState.
enum { slotState, slotInput, slotDiscrete, slotTurn, slotGroupCount };

typedef struct Table {
  crSimulation* simulation;
  crArena arena; // names
  Slots groups[slotGroupCount];
  crStatus status;
} Table;

// ------------------------------------------------------------------------------------------------ slots

static void addSlot(Table* table, int group, const char* name, double* place)
{
  Slot* slot = table->status == cr_ok ? crArray_Push(&table->groups[group], &table->arena.allocator) : NULL;
  char* copy = slot != NULL ? crArena_CopyString(&table->arena, name) : NULL;
  if (copy == NULL) {
    table->status = cr_errorMemory;
    return;
  }
  *slot = (Slot){ copy, place };
}

static void addJoined(Table* table, int group, const char* path, const char* part, double* place)
{
  char name[CR_MAX_PATH + 64];
  snprintf(name, sizeof name, "%s.%s", path, part);
  addSlot(table, group, name, place);
}

static void addStates(Table* table)
{
  crRun* run = &table->simulation->run;
  char name[CR_MAX_PATH + 64];
  double* state = run->state;
  // tree by tree: a state of many is looked for from the first of them on
  for (int k = 0; k < run->set.treeCount; ++k) {
    crTreeSet tree = { &run->set.trees[k], 1, NULL };
    int count = crModel_CountStates(run->model, tree);
    for (int i = 0; i < count; ++i) {
      crModel_GetStateName(run->model, tree, i, name, sizeof name);
      addSlot(table, slotState, name, state++);
    }
  }
}

static void addInputs(Table* table)
{
  crRun* run = &table->simulation->run;
  for (int i = 0; i < run->model->inputCount; ++i) {
    crPort port;
    crModel_GetInput(run->model, i, &port);
    addSlot(table, slotInput, port.path, &run->instance->inputs[i]);
  }
}

// The value of each sampled function, then its states.
static void addDiscrete(Table* table)
{
  crRun* run = &table->simulation->run;
  const crModel* model = run->model;
  for (int i = 0; i < model->sampledCount; ++i) {
    int index = model->sampled[i];
    const crSignal* signal = &model->signals[index];
    double* place = run->instance->discrete + signal->discrete;
    addJoined(table, slotDiscrete, crGetSignalPath(model, index), CR_SIGNAL_SUFFIX, place);
    for (int k = 0; k < signal->stateCount; ++k) {
      addJoined(table, slotDiscrete, crGetSignalPath(model, index), crModel_GetSignalStateName(model, index, k),
                place + 1 + k);
    }
  }
}

static void addTurns(Table* table, bool isTaken)
{
  const crLoops* loops = table->simulation->run.instance->loops;
  const crModel* model = table->simulation->run.model;
  for (int c = 0; loops != NULL && c < loops->cutCount; ++c) {
    crCut* cut = &loops->cuts[c];
    if (crIsCoupling(cut)) {
      continue;
    }
    const crJointType* type = crGetJointType((int)model->joints[cut->joint].kind);
    for (int i = 0; i < type->qCount; ++i) {
      addJoined(table, slotTurn, crModel_GetJointPath(model, cut->joint), type->coordinateNames[i],
                isTaken ? &cut->memory[i] : &cut->q[i]);
    }
  }
}

// isTaken: a state is to be taken up. Then turns are those that joints remember.
static void fillTable(Table* table, crSimulation* simulation, const crAllocator* allocator, bool isTaken)
{
  *table = (Table){ .simulation = simulation };
  crArena_Init(&table->arena, allocator);
  addStates(table);
  addInputs(table);
  addDiscrete(table);
  addTurns(table, isTaken);
}

static void freeTable(Table* table)
{
  for (int i = 0; i < slotGroupCount; ++i) {
    crArray_Free(&table->groups[i], &table->arena.allocator);
  }
  crArena_Free(&table->arena);
}

// ---------------------------------------------------------------------------------------------- reading

static const crNamedNumber* readSlots(Table* table, int group, int* outCount)
{
  const Slots* slots = &table->groups[group];
  crNamedNumber* numbers = crArena_AllocateZero(&table->arena, (size_t)slots->count + 1, sizeof *numbers);
  *outCount = slots->count;
  table->status = numbers != NULL ? table->status : cr_errorMemory;
  for (int i = 0; numbers != NULL && i < slots->count; ++i) {
    numbers[i] = (crNamedNumber){ slots->items[i].name, *slots->items[i].place };
  }
  return numbers;
}

static crStateContact readContact(const crContacts* contacts, const crTouchingPair* pair, const crContact* contact)
{
  const crModel* model = contacts->model;
  const crContactShape *a = &model->contactShapes[pair->shapeA], *b = &model->contactShapes[pair->shapeB];
  return (crStateContact){ .objectA = crModel_GetObjectPath(model, a->object),
                           .objectB = crModel_GetObjectPath(model, b->object),
                           .featureA = a->feature,
                           .featureB = b->feature,
                           .pieceA = a->piece,
                           .pieceB = b->piece,
                           .memory = contact->memory,
                           .begin = contact->begin,
                           .approach = contact->approach,
                           .isSettled = contact->isSettled,
                           .maxDepth = contact->maxDepth,
                           .maxForce = contact->maxForce,
                           .impulse = contact->impulse,
                           .dissipation = contact->dissipation,
                           .slipPath = contact->slipPath,
                           .bristle = crBristle_Keep(&contact->bristle) };
}

static const crStateContact* readContacts(Table* table, int* outCount)
{
  const crContacts* contacts = table->simulation->run.contacts;
  int count = contacts != NULL ? contacts->contacts.count : 0, place = 0;
  crStateContact* items = crArena_AllocateZero(&table->arena, (size_t)count + 1, sizeof *items);
  table->status = items != NULL ? table->status : cr_errorMemory;
  for (int k = 0; items != NULL && contacts != NULL && k < contacts->pairs.count; ++k) {
    const crTouchingPair* pair = &contacts->pairs.items[k];
    items[place++] = readContact(contacts, pair, &contacts->contacts.items[k]);
  }
  *outCount = place;
  return items;
}

crStatus crSimulation_GetState(const crSimulation* simulation, const crAllocator* allocator, crState** outState)
{
  if (simulation == NULL || outState == NULL || crSimulation_IsElsewhere(simulation) || simulation->run.hasFailed ||
      simulation->isStepping) {
    return cr_errorMisuse;
  }
  *outState = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  Table table; // which is only read from
  fillTable(&table, (crSimulation*)simulation, &chosen, false);
  const double* balance = simulation->run.state + simulation->run.stateCount;
  crState state = { .time = simulation->time,
                    .dissipated = simulation->run.balanceCount > 0 ? balance[cr_balanceDissipated] : 0.0,
                    .work = simulation->run.balanceCount > 0 ? balance[cr_balanceWork] : 0.0 };
  state.states = readSlots(&table, slotState, &state.stateCount);
  state.inputs = readSlots(&table, slotInput, &state.inputCount);
  state.discrete = readSlots(&table, slotDiscrete, &state.discreteCount);
  state.turns = readSlots(&table, slotTurn, &state.turnCount);
  state.contacts = readContacts(&table, &state.contactCount);
  crStatus status = table.status == cr_ok ? crCopyState(&state, &chosen, outState) : table.status;
  freeTable(&table);
  return status;
}

// ------------------------------------------------------------------------------------------------ taking

static void reportUnknown(crReporter* reporter, const Slots* slots, const char* what, const char* name)
{
  crNearest nearest = crMakeNearest(name);
  for (int i = 0; i < slots->count; ++i) {
    crNearest_Try(&nearest, slots->items[i].name);
  }
  if (nearest.best != NULL) {
    crReportError(reporter, "the model has no %s '%s'; did you mean '%s'?", what, name, nearest.best);
  } else {
    crReportError(reporter, "the model has no %s '%s'", what, name);
  }
}

#define CR_MISSING_SHOWN 10 // names; the rest is counted: the state of another model lacks them all

static void reportMissing(crReporter* reporter, const Slots* slots, const bool* isTaken, const char* what)
{
  int count = 0;
  for (int i = 0; i < slots->count; ++i) {
    if (!isTaken[i] && ++count <= CR_MISSING_SHOWN) {
      crReportError(reporter, "%s '%s' of the model is missing", what, slots->items[i].name);
    }
  }
  if (count > CR_MISSING_SHOWN) {
    crReportError(reporter, "%d more of the model are missing", count - CR_MISSING_SHOWN);
  }
}

// Puts numbers into the slots of their names. NaN: as the model says. isWhole: all slots need one.
static crStatus takeNumbers(Table* table, int group, const crNamedNumber* numbers, int count, bool isWhole,
                            const char* what, crReporter* reporter)
{
  const Slots* slots = &table->groups[group];
  crMap map;
  crMap_Init(&map, &table->arena.allocator);
  bool* isTaken = crArena_AllocateZero(&table->arena, (size_t)slots->count + 1, sizeof *isTaken);
  bool hasMemory = isTaken != NULL;
  for (int i = 0; i < slots->count && hasMemory; ++i) {
    hasMemory = crMap_SetString(&map, slots->items[i].name, i);
  }
  for (int i = 0; i < count && hasMemory; ++i) {
    int slot = numbers[i].name != NULL ? crMap_FindString(&map, numbers[i].name) : -1;
    if (slot < 0) {
      reportUnknown(reporter, slots, what, numbers[i].name != NULL ? numbers[i].name : "");
    } else if (isTaken[slot]) {
      crReportError(reporter, "%s '%s' is given twice", what, numbers[i].name);
    } else if (isinf(numbers[i].value) || (isWhole && isnan(numbers[i].value))) {
      crReportError(reporter, "%s '%s' is not finite", what, numbers[i].name);
    } else {
      isTaken[slot] = true;
      *slots->items[slot].place = isnan(numbers[i].value) ? *slots->items[slot].place : numbers[i].value;
    }
  }
  if (isWhole && hasMemory) {
    reportMissing(reporter, slots, isTaken, what);
  }
  crMap_Free(&map);
  return hasMemory ? cr_ok : cr_errorMemory;
}

static crStatus takeAll(Table* table, const crState* state, crReporter* reporter)
{
  crStatus status = table->status;
  status = status == cr_ok ? takeNumbers(table, slotState, state->states, state->stateCount, true, "state", reporter)
                           : status;
  status = status == cr_ok ? takeNumbers(table, slotInput, state->inputs, state->inputCount, false, "input", reporter)
                           : status;
  status = status == cr_ok
               ? takeNumbers(table, slotDiscrete, state->discrete, state->discreteCount, false, "held value", reporter)
               : status;
  return status == cr_ok ? takeNumbers(table, slotTurn, state->turns, state->turnCount, false,
                                       "coordinate of a joint that closes a loop", reporter)
                         : status;
}

// Takes drift and rounding out of loops; turns are counted from those that were taken.
static crStatus closeLoops(crRun* run, double t, crReporter* reporter)
{
  crInstance* instance = run->instance;
  char loop[1024];
  if (instance->loops == NULL) {
    return cr_ok;
  }
  crInstance_SetState(instance, run->set, t, run->state);
  crStatus status = crInstance_Eval(instance, run->set, cr_stagePosition);
  if (status == cr_ok) {
    crChooseAllRows(instance, run->set);
    status = crInstance_Project(instance, run->set, t, HUGE_VAL, run->state);
  }
  crInstance_SetState(instance, run->set, t, run->state);
  status = status == cr_ok ? crInstance_Eval(instance, run->set, cr_stageVelocity) : status;
  if (status != cr_ok || crInstance_DescribeGap(instance, run->set, CR_STATE_GAP, loop, sizeof loop)) {
    crReportError(reporter, "the state does not close the loops of the model%s%s", status == cr_ok ? ": " : "",
                  status == cr_ok ? loop : "");
    return cr_errorModel;
  }
  for (int k = 0; k < run->set.treeCount; ++k) {
    crRememberTurns(instance, run->set.trees[k]);
  }
  return cr_ok;
}

crStatus crSimulation_TakeState(crSimulation* simulation, const crState* state)
{
  crRun* run = &simulation->run;
  crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 }, "state");
  Table table;
  fillTable(&table, simulation, &run->allocator, true);
  crStatus status = takeAll(&table, state, &reporter);
  freeTable(&table);
  status = status == cr_ok && reporter.errorCount > 0 ? cr_errorModel : status;
  return status == cr_ok ? closeLoops(run, state->time, &reporter) : status;
}

// Puts what a state knows by name into slots; others get what `find` says, or NaN leaves as they are.
static crStatus carryNumbers(Table* table, int group, const crNamedNumber* numbers, int count, crFindNumber find,
                             void* context)
{
  const Slots* slots = &table->groups[group];
  crMap map;
  crMap_Init(&map, &table->arena.allocator);
  bool hasMemory = true;
  for (int i = 0; i < count && hasMemory; ++i) {
    hasMemory = crMap_SetString(&map, numbers[i].name, i);
  }
  for (int i = 0; i < slots->count && hasMemory; ++i) {
    const Slot* slot = &slots->items[i];
    int known = crMap_FindString(&map, slot->name);
    double value = known >= 0 ? numbers[known].value : find != NULL ? find(context, slot->name) : NAN;
    *slot->place = isnan(value) ? *slot->place : value;
  }
  crMap_Free(&map);
  return hasMemory ? cr_ok : cr_errorMemory;
}

crStatus crSimulation_CarryState(crSimulation* simulation, const crState* state, crFindNumber find, void* context)
{
  crRun* run = &simulation->run;
  Table table;
  fillTable(&table, simulation, &run->allocator, true);
  crStatus status = table.status;
  status = status == cr_ok ? carryNumbers(&table, slotState, state->states, state->stateCount, find, context) : status;
  status = status == cr_ok ? carryNumbers(&table, slotInput, state->inputs, state->inputCount, NULL, NULL) : status;
  status =
      status == cr_ok ? carryNumbers(&table, slotDiscrete, state->discrete, state->discreteCount, NULL, NULL) : status;
  status = status == cr_ok ? carryNumbers(&table, slotTurn, state->turns, state->turnCount, find, context) : status;
  freeTable(&table);
  crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 }, "state");
  return status == cr_ok ? closeLoops(run, state->time, &reporter) : status;
}

// ---------------------------------------------------------------------------------------------- contacts

int crFindContactShape(const crModel* model, const char* path, int feature, int piece)
{
  int object = path != NULL ? crModel_FindObject(model, path) : -1;
  for (int i = 0; i < model->size.shapeCount; ++i) {
    const crContactShape* shape = &model->contactShapes[i];
    if (shape->object == object && shape->feature == feature && shape->piece == piece) {
      return i;
    }
  }
  return -1;
}

// The same; -1 is told.
static int findShape(const crModel* model, const char* path, int feature, int piece, crReporter* reporter)
{
  int shape = crFindContactShape(model, path, feature, piece);
  if (shape >= 0) {
    return shape;
  }
  crReportError(reporter, "the model has no contact shape %d, piece %d, of '%s'", feature, piece,
                path != NULL ? path : "");
  return -1;
}

// That of the state where the law of the pair has the same states; else a new one, or none.
static crBristle takeBristle(const crContacts* contacts, crBoxPair shapes, const crStateContact* given,
                             crReporter* reporter)
{
  crTouchingPair pair;
  const crContactBristle* kept = &given->bristle;
  const char* fault = crFindBristleFault(kept);
  if (fault != NULL) {
    crReportError(reporter, "the bristle of the contact of '%s' and '%s' %s", given->objectA, given->objectB, fault);
    return (crBristle){ .count = 0 };
  }
  if (!(shapes.a < shapes.b) || !crContacts_MakePair(contacts, shapes, &pair)) {
    return (crBristle){ .count = 0 };
  }
  bool isArea = pair.path == cr_touchArea;
  int count = crCountBristles(pair.law, isArea);
  if (count == kept->count && (count == 0 || kept->isPatch == isArea)) {
    return crBristle_Restore(kept);
  }
  crTouch touch;
  crComputeTouch(&contacts->model->shapes[shapes.a], &contacts->poses[shapes.a], &contacts->model->shapes[shapes.b],
                 &contacts->poses[shapes.b], NULL, &touch);
  return crContacts_StartBristle(contacts, &pair, &given->memory, &touch);
}

static crStatus takeContact(crContacts* contacts, const crStateContact* given, crReporter* reporter)
{
  int a = findShape(contacts->model, given->objectA, given->featureA, given->pieceA, reporter);
  int b = findShape(contacts->model, given->objectB, given->featureB, given->pieceB, reporter);
  if (a < 0 || b < 0) {
    return cr_ok;
  }
  crContact contact = { .memory = given->memory,
                        .begin = given->begin,
                        .approach = given->approach,
                        .isTouching = true,
                        .isSettled = given->isSettled,
                        .maxDepth = given->maxDepth,
                        .maxForce = given->maxForce,
                        .impulse = given->impulse,
                        .dissipation = given->dissipation,
                        .slipPath = given->slipPath };
  contact.bristle = takeBristle(contacts, (crBoxPair){ a, b }, given, reporter);
  crStatus status = a < b ? crContacts_AddContact(contacts, (crBoxPair){ a, b }, &contact) : cr_errorMisuse;
  if (status == cr_errorMisuse) {
    crReportError(reporter, "a contact of '%s' and '%s' cannot be, or is given twice", given->objectA, given->objectB);
    return cr_ok;
  }
  return status;
}

crStatus crTakeContacts(crRun* run, const crState* state)
{
  crReporter reporter = crMakeReporter(&run->sink, (crSource){ 0 }, "state");
  crStatus status = cr_ok;
  for (int i = 0; i < state->contactCount && status == cr_ok; ++i) {
    status = takeContact(run->contacts, &state->contacts[i], &reporter);
  }
  status = status == cr_ok ? crContacts_SortPairs(run->contacts) : status;
  return status == cr_ok && reporter.errorCount > 0 ? cr_errorModel : status;
}
