// From one structure of a run to the next.
//
// The simulation stands at a time that all its islands have reached. Another one is made beside it, of the new model:
// its states come by name, its rates by a plastic impact where that is asked for, its contacts by the shapes that
// touch. Then it takes the place of what the simulation was. Nothing has changed as long as anything can go wrong but
// memory.
#include "base/memory.h"
#include "base/report.h"
#include "sim/acting.h"

#include <string.h>

static crEnergy computeEnergy(const crSimulation* simulation)
{
  return crInstance_ComputeEnergy(simulation->run.instance, simulation->run.set, -1);
}

// ---------------------------------------------------------------------------------------------- contacts

// Exchanging A and B turns normal and relative motion around: of two directions across the normal one keeps its sign.
static void turnContact(crStateContact* contact)
{
  crStateContact old = *contact;
  contact->objectA = old.objectB;
  contact->objectB = old.objectA;
  contact->featureA = old.featureB;
  contact->featureB = old.featureA;
  contact->pieceA = old.pieceB;
  contact->pieceB = old.pieceA;
  contact->bristle.normal = crNeg(old.bristle.normal);
  contact->bristle.x[0] = -old.bristle.x[0];
  contact->bristle.x[3] = -old.bristle.x[3];
}

// Whether a contact goes on in another model; it is turned there where the order of its shapes is another one.
static bool canGoOn(const crModel* model, crStateContact* contact)
{
  int a = crFindContactShape(model, contact->objectA, contact->featureA, contact->pieceA);
  int b = crFindContactShape(model, contact->objectB, contact->featureB, contact->pieceB);
  if (a < 0 || b < 0 || !crModel_CanMeet(model, a, b)) {
    return false;
  }
  if (a > b) {
    turnContact(contact);
  }
  return true;
}

// Contacts of shapes that are on one body now, or not there, end. Those of the state are in the order of the run's.
static crStatus keepContacts(crSimulation* simulation, const crModel* model, crState* state)
{
  crRun* run = &simulation->run;
  crStateContact* contacts = (crStateContact*)state->contacts;
  crStatus status = cr_ok;
  int count = 0;
  for (int i = 0; i < state->contactCount && status == cr_ok; ++i) {
    crStateContact contact = contacts[i];
    if (canGoOn(model, &contact)) {
      contacts[count++] = contact;
    } else {
      crContactRecord record = crContacts_Get(run->contacts, i);
      record.phase = cr_contactEnd;
      record.time = record.end = simulation->time;
      status = crHandEvent(run, &record);
    }
  }
  state->contactCount = count;
  return status;
}

// ------------------------------------------------------------------------------------------------ the new one

// What the model before knows as a variable.
static double findVariable(void* context, const char* name)
{
  const crInstance* instance = context;
  int variable = crModel_FindVariable(crInstance_GetModel(instance), name);
  return variable >= 0 ? crInstance_GetVariable(instance, variable) : NAN;
}

static crStatus startContacts(crSimulation* next, const crState* state)
{
  crRun* run = &next->run;
  return crCanTouch(run->model, &run->options) ? crResumeContacts(run, state) : cr_ok;
}

// What began to touch, or ended, with the new structure.
static crStatus handEvents(crRun* run)
{
  int count = 0;
  const crContactRecord* events = run->contacts != NULL ? crContacts_GetEvents(run->contacts, &count) : NULL;
  crStatus status = cr_ok;
  for (int i = 0; i < count && status == cr_ok; ++i) {
    status = crHandEvent(run, &events[i]);
  }
  return status;
}

static crStatus fill(crSimulation* next, const crSimulation* before, const crState* state, bool isPlastic)
{
  crRun* run = &next->run;
  double t = before->time;
  run->options.startTime = t; // for those who find what touches
  run->phase = before->run.phase;
  run->reached = t;
  if (run->stateCount > 0) {
    crModel_GetStart(run->model, run->set, run->state);
  }
  crStatus status = crSimulation_CarryState(next, state, findVariable, before->run.instance);
  if (status == cr_ok && isPlastic) {
    status = crApplyPlasticImpact(before->run.instance, before->run.set, run->instance, run->set, t, run->state,
                                  &run->allocator);
  }
  status = status == cr_ok ? crSimulation_Place(next, t) : status;
  status = status == cr_ok ? startContacts(next, state) : status;
  return status == cr_ok ? crSimulation_Place(next, t) : status;
}

// What stays of the run, whatever its structure is.
static void keepRun(crSimulation* next, const crSimulation* before)
{
  next->run.observer = before->run.observer;
  next->run.hasWarnedOfDepth = before->run.hasWarnedOfDepth;
  next->run.hasWarnedOfThickness = before->run.hasWarnedOfThickness;
  next->run.hasWarnedOfTolerance = before->run.hasWarnedOfTolerance;
}

// ------------------------------------------------------------------------------------------------- exchange

// What the run has lost. A plastic impact dissipates motion and what contacts that end have stored; the height of what
// becomes a part of the world is not its loss, and contacts that begin inside each other are none either.
static void bookEnergy(crSimulation* simulation, crSimulation* next, crEnergy before, crEnergy after, bool isPlastic)
{
  double* balance = next->run.state + next->run.stateCount;
  double lost = before.kinetic + before.potential + before.elastic - after.kinetic - after.potential - after.elastic;
  double impact =
      isPlastic ? fmax(0.0, before.kinetic - after.kinetic) + fmax(0.0, before.elastic - after.elastic) : 0.0;
  memcpy(balance, simulation->run.state + simulation->run.stateCount, CR_BALANCE_COUNT * sizeof *balance);
  balance[cr_balanceDissipated] += impact;
  simulation->acting->removed += lost - impact;
}

// The contact that crept farthest, by the numbers of the next model; false: its shapes are not there any more.
static bool keepCreep(const crModel* from, const crModel* to, crContactRecord* ioCrept)
{
  const crContactShape* a = crModel_GetContactShape(from, ioCrept->key.shapeA);
  const crContactShape* b = crModel_GetContactShape(from, ioCrept->key.shapeB);
  int shapeA = crFindContactShape(to, crModel_GetObjectPath(from, a->object), a->feature, a->piece);
  int shapeB = crFindContactShape(to, crModel_GetObjectPath(from, b->object), b->feature, b->piece);
  if (shapeA < 0 || shapeB < 0) {
    return false;
  }
  const crContactShape *first = &to->contactShapes[shapeA], *second = &to->contactShapes[shapeB];
  ioCrept->key = (crContactKey){ first->body, second->body, shapeA, shapeB };
  ioCrept->objectA = first->object;
  ioCrept->objectB = second->object;
  return true;
}

// The simulation becomes what `next` is, which is gone then.
static void exchange(crSimulation* simulation, crSimulation* next)
{
  crRun old = simulation->run;
  crIslands* islands = simulation->islands;
  if (islands != NULL) {
    crIslands_Summarize(islands, &simulation->acting->past);
  }
  simulation->run = next->run;
  simulation->run.options.startTime = old.options.startTime;
  simulation->run.atEvent = old.atEvent;
  simulation->run.eventContext = old.eventContext;
  simulation->run.contactCount = old.contactCount;
  simulation->run.crept = old.crept;
  simulation->run.hasCrept = old.hasCrept && keepCreep(old.model, next->run.model, &simulation->run.crept);
  simulation->islands = NULL;
  simulation->needsRestart = false;
  next->run = old;
  next->islands = islands;
  crDestroySimulation(next);
}

static crStatus startIslands(crSimulation* simulation)
{
  crRun* run = &simulation->run;
  if (run->model->size.treeCount == 0) {
    return cr_ok;
  }
  double start = run->options.startTime;
  run->options.startTime = simulation->time;
  crStatus status = crCreateIslands(run, &simulation->islands);
  run->options.startTime = start;
  return status;
}

static crStatus replace(crSimulation* simulation, crModel* model, crSceneStructure* structure, crState* state,
                        bool isPlastic)
{
  crActing* acting = simulation->acting;
  crSimulation* next = NULL;
  crStatus status =
      crMakeSimulation(model, &simulation->run.options, &simulation->run.allocator, &simulation->run.sink, &next);
  if (status != cr_ok) {
    crDestroyModel(model);
    return status;
  }
  keepRun(next, simulation);
  status = crInstance_PassMemory(simulation->run.instance, next->run.instance);
  next->run.balanceCount = CR_BALANCE_COUNT;
  crEnergy energy = computeEnergy(simulation);
  status = status == cr_ok ? keepContacts(simulation, model, state) : status;
  status = status == cr_ok ? fill(next, simulation, state, isPlastic) : status;
  if (status != cr_ok) {
    crDestroySimulation(next);
    crDestroyModel(model);
    return status > 0 ? crSimulation_ReportPoint(simulation, simulation->time, "behind an action") : status;
  }
  bookEnergy(simulation, next, energy, computeEnergy(next), isPlastic);
  exchange(simulation, next);
  crDestroyModel(acting->own);
  acting->own = model;
  crArray_Free(&acting->structure.changes, &acting->allocator);
  acting->structure = *structure;
  *structure = (crSceneStructure){ .changes = { NULL, 0, 0 } };
  status = handEvents(&simulation->run);
  status = status == cr_ok ? startIslands(simulation) : status;
  status = status == cr_ok ? crSimulation_Place(simulation, simulation->time) : status;
  if (status == cr_ok) {
    crSimulation_TellEnergies(simulation);
  }
  return status > 0 ? crSimulation_ReportPoint(simulation, simulation->time, "behind an action") : status;
}

crStatus crSimulation_Restructure(crSimulation* simulation, crSceneStructure* structure, bool isPlastic)
{
  crActing* acting = simulation->acting;
  crModel* model = NULL;
  crState* state = NULL;
  int generation = simulation->run.model->generation + 1;
  crStatus status = crActing_Compile(acting, structure, generation, &simulation->run.sink, &model);
  status = status == cr_ok ? crSimulation_GetState(simulation, &simulation->run.allocator, &state) : status;
  if (status != cr_ok) {
    crDestroyModel(model);
  } else {
    status = replace(simulation, model, structure, state, isPlastic);
  }
  crDestroyState(state);
  simulation->run.hasFailed = simulation->run.hasFailed || status != cr_ok;
  return status;
}
