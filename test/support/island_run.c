#include "support/island_run.h"

#include "contact/contact.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

crModel* crOpenIslandModel(const crIslandPlan* plan)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  crModel* model = NULL;
  crReadOptions options = crDefaultReadOptions();
  options.settings = plan->settings;
  while (options.settingCount < CR_MAX_ISLAND_SETTINGS && plan->settings[options.settingCount].name != NULL) {
    ++options.settingCount;
  }
  if (plan->file != NULL) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", CAROM_ROOT, plan->file);
    crReadModel(path, &options, NULL, &sink, &scene);
  } else {
    crReadLua(plan->text, strlen(plan->text), "model.lua", NULL, &options, NULL, &sink, &scene);
  }
  assert_no_messages(log);
  crCompile(scene, NULL, NULL, &sink, &model);
  assert_no_messages(log);
  assert_non_null(model);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
  return model;
}

// ------------------------------------------------------------------------------------------------ record

static void* grow(void* block, int count, int* capacity, size_t size)
{
  if (count < *capacity) {
    return block;
  }
  *capacity = 2 * count + 16;
  void* grown = realloc(block, (size_t)*capacity * size);
  assert_non_null(grown);
  return grown;
}

static crStatus keepRow(void* context, double t, const crInstance* instance)
{
  crIslandRun* run = context;
  int row = run->rowCount, capacity = run->rowCapacity;
  run->times = grow(run->times, row, &capacity, sizeof *run->times);
  capacity = run->rowCapacity;
  run->states = grow(run->states, row, &capacity, (size_t)run->stateCount * sizeof *run->states + 1);
  run->places = grow(run->places, row, &run->rowCapacity, (size_t)run->objectCount * sizeof *run->places);
  run->times[row] = t;
  crInstance_GetState(instance, crModel_GetAllTrees(run->model), run->states + (size_t)row * (size_t)run->stateCount);
  for (int i = 0; i < run->objectCount; ++i) {
    run->places[(size_t)row * (size_t)run->objectCount + (size_t)i] = crInstance_GetPose(instance, i).p;
  }
  ++run->rowCount;
  return cr_ok;
}

static crStatus keepEvent(void* context, const crContactRecord* event)
{
  crIslandRun* run = context;
  if (event->phase == cr_contactLast) {
    return cr_ok; // lasting contacts are compared as they are at the end
  }
  run->events = grow(run->events, run->eventCount, &run->eventCapacity, sizeof *run->events);
  run->events[run->eventCount++] = *event;
  return cr_ok;
}

static bool shouldStop(void* context, double t)
{
  crIslandRun* run = context;
  (void)t;
  return ++run->questions == run->stopAfter;
}

crIslandRun crRunIslandsUntil(const crModel* model, const crSimulationOptions* options, long stopAfter)
{
  crIslandRun run = { .log = crCreateErrorLog(NULL), .model = model, .stopAfter = stopAfter };
  crErrorSink sink = crErrorLog_GetSink(run.log);
  run.stateCount = crModel_CountStates(model, crModel_GetAllTrees(model));
  run.objectCount = model->size.objectCount;
  run.status = crCreateSimulation(model, options, NULL, &sink, &run.simulation);
  if (run.status == cr_ok) {
    crObserver observer = { .context = &run, .atOutput = keepRow, .shouldStop = shouldStop, .atContact = keepEvent };
    run.status = crSimulation_Run(run.simulation, &observer, &run.end);
    run.summary = crSimulation_GetSummary(run.simulation);
  }
  return run;
}

crIslandRun crRunIslands(const crModel* model, const crSimulationOptions* options)
{
  crIslandRun run = crRunIslandsUntil(model, options, 0);
  if (run.status != cr_ok) {
    assert_no_messages(run.log);
  }
  assert_int_equal(run.status, cr_ok);
  return run;
}

void crIslandRun_Free(crIslandRun* run)
{
  crDestroySimulation(run->simulation);
  crDestroyErrorLog(run->log);
  free(run->times);
  free(run->states);
  free(run->places);
  free(run->events);
}

crSimulationOptions crIslandOptions(double stop, double tolerance)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.interval = stop;
  options.tolerance = tolerance;
  return options;
}

// ----------------------------------------------------------------------------------------------- compare

static double comparePlaces(const crIslandRun* a, int rowA, const crIslandRun* b, int rowB)
{
  double worst = 0.0;
  assert_int_equal(a->objectCount, b->objectCount);
  for (int i = 0; i < a->objectCount; ++i) {
    crVec3 d = crSub(a->places[rowA * a->objectCount + i], b->places[rowB * b->objectCount + i]);
    worst = fmax(worst, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
  }
  return worst;
}

double crCompareEnds(const crIslandRun* a, const crIslandRun* b)
{
  assert_true(a->rowCount > 0 && b->rowCount > 0);
  assert_true(a->times[a->rowCount - 1] == b->times[b->rowCount - 1]);
  return comparePlaces(a, a->rowCount - 1, b, b->rowCount - 1);
}

double crCompareRows(const crIslandRun* a, const crIslandRun* b)
{
  double worst = 0.0;
  assert_int_equal(a->rowCount, b->rowCount);
  for (int i = 0; i < a->rowCount; ++i) {
    assert_true(a->times[i] == b->times[i]);
    worst = fmax(worst, comparePlaces(a, i, b, i));
  }
  return worst;
}

static bool isSameNumber(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0;
}

static void assertSameEvents(const crContactRecord* a, const crContactRecord* b)
{
  assert_int_equal(a->phase, b->phase);
  assert_int_equal(a->key.shapeA, b->key.shapeA);
  assert_int_equal(a->key.shapeB, b->key.shapeB);
  assert_true(isSameNumber(a->time, b->time));
  assert_true(isSameNumber(a->approach, b->approach) && isSameNumber(a->separation, b->separation));
  assert_true(isSameNumber(a->begin, b->begin));
  assert_true(isSameNumber(a->maxForce, b->maxForce));
  assert_true(isSameNumber(a->impulse, b->impulse));
  assert_true(isSameNumber(a->dissipation, b->dissipation));
}

static void assertSameContacts(const crIslandRun* a, const crIslandRun* b)
{
  const crContacts *x = crSimulation_GetSet(a->simulation).contacts, *y = crSimulation_GetSet(b->simulation).contacts;
  assert_int_equal(crContacts_Count(x), crContacts_Count(y));
  for (int i = 0; i < crContacts_Count(x); ++i) {
    crContactRecord p = crContacts_Get(x, i), q = crContacts_Get(y, i);
    assert_int_equal(p.key.shapeA, q.key.shapeA);
    assert_int_equal(p.key.shapeB, q.key.shapeB);
    assert_true(isSameNumber(p.begin, q.begin));
    assert_true(isSameNumber(p.depth, q.depth));
    assert_true(isSameNumber(p.normalForce, q.normalForce));
    assert_true(isSameNumber(p.dissipation, q.dissipation));
  }
}

static void assertSameStatistics(const crSimulationSummary* a, const crSimulationSummary* b)
{
  assert_int_equal(a->solverStatistics.steps, b->solverStatistics.steps);
  assert_int_equal(a->solverStatistics.rejectedSteps, b->solverStatistics.rejectedSteps);
  assert_int_equal(a->solverStatistics.evaluations, b->solverStatistics.evaluations);
  assert_int_equal(a->solverStatistics.jacobians, b->solverStatistics.jacobians);
  assert_int_equal(a->solverStatistics.factorizations, b->solverStatistics.factorizations);
  assert_int_equal(a->eventCount, b->eventCount);
  assert_int_equal(a->contactCount, b->contactCount);
  assert_int_equal(a->islandCount, b->islandCount);
  assert_int_equal(a->mergeCount, b->mergeCount);
  assert_int_equal(a->splitCount, b->splitCount);
  assert_int_equal(a->distanceCount, b->distanceCount);
  assert_int_equal(a->searchedSteps, b->searchedSteps);
  assert_true(isSameNumber(a->dissipated, b->dissipated));
  assert_true(isSameNumber(a->work, b->work));
}

void crAssertSameRuns(const crIslandRun* a, const crIslandRun* b)
{
  assert_int_equal(a->status, b->status);
  assert_int_equal(a->rowCount, b->rowCount);
  assert_memory_equal(a->times, b->times, (size_t)a->rowCount * sizeof(double));
  assert_memory_equal(a->states, b->states, (size_t)a->rowCount * (size_t)a->stateCount * sizeof(double));
  assert_int_equal(a->eventCount, b->eventCount);
  for (int i = 0; i < a->eventCount; ++i) {
    assertSameEvents(&a->events[i], &b->events[i]);
  }
  assertSameContacts(a, b);
  assertSameStatistics(&a->summary, &b->summary);
}

crVec3 crIslandRun_Place(const crIslandRun* run, const char* object)
{
  int index = crModel_FindObject(run->model, object);
  assert_true(index >= 0);
  return run->places[(run->rowCount - 1) * run->objectCount + index];
}

static double sumEnergy(crEnergy energy)
{
  return energy.kinetic + energy.potential + energy.elastic;
}

double crIslandRun_Unexplained(const crIslandRun* run)
{
  const crSimulationSummary* s = &run->summary;
  return sumEnergy(s->endEnergy) - sumEnergy(s->startEnergy) - s->work + s->dissipated;
}

// ----------------------------------------------------------------------------------------------- soundness

static int compareKeys(const void* a, const void* b)
{
  const crContactRecord *x = *(const crContactRecord*const*)a, *y = *(const crContactRecord*const*)b;
  int order = crComparePairs(x->key.shapeA, x->key.shapeB, y->key.shapeA, y->key.shapeB);
  return order != 0 ? order : (x > y) - (x < y); // as they came
}

static bool isOpenAtEnd(const crIslandRun* run, const crContactRecord* event)
{
  const crContacts* contacts = crSimulation_GetSet(run->simulation).contacts;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    crContactRecord info = crContacts_Get(contacts, i);
    if (info.key.shapeA == event->key.shapeA && info.key.shapeB == event->key.shapeB) {
      return true;
    }
  }
  return false;
}

void crAssertEventsAreSound(const crIslandRun* run)
{
  const crContactRecord** sorted = malloc(((size_t)run->eventCount + 1) * sizeof *sorted);
  assert_non_null(sorted);
  int beginCount = 0, openCount = 0, idleCount = 0;
  for (int i = 0; i < run->eventCount; ++i) {
    sorted[i] = &run->events[i];
    beginCount += run->events[i].phase == cr_contactBegin;
    idleCount += run->events[i].phase == cr_contactEnd && !crContactRecord_HasPushed(&run->events[i]);
    assert_true(run->events[i].begin <= run->events[i].time);
    if (i > 0 && run->events[i].time < run->events[i - 1].time) {
      fail_msg("event %d at %.17g s comes after one at %.17g s", i, run->events[i].time, run->events[i - 1].time);
    }
  }
  qsort(sorted, (size_t)run->eventCount, sizeof *sorted, compareKeys);
  for (int i = 0; i < run->eventCount; ++i) {
    const crContactRecord *event = sorted[i], *before = i > 0 ? sorted[i - 1] : NULL;
    const crContactRecord* next = i + 1 < run->eventCount ? sorted[i + 1] : NULL;
    bool isFirst = before == NULL ||
                   crComparePairs(before->key.shapeA, before->key.shapeB, event->key.shapeA, event->key.shapeB) != 0;
    bool isLast =
        next == NULL || crComparePairs(next->key.shapeA, next->key.shapeB, event->key.shapeA, event->key.shapeB) != 0;
    if (isFirst ? event->phase != cr_contactBegin : event->phase == before->phase) {
      fail_msg("shapes %d and %d: event %d at %.17g s %s, as the one before", event->key.shapeA, event->key.shapeB,
               (int)(event - run->events), event->time, event->phase == cr_contactBegin ? "begins" : "ends");
    }
    if (!isFirst && event->phase != cr_contactBegin) {
      assert_true(event->begin == before->begin);
    }
    if (isLast && (event->phase == cr_contactBegin) != isOpenAtEnd(run, event)) {
      fail_msg("shapes %d and %d: the last event at %.17g s %s, at the end they %s", event->key.shapeA,
               event->key.shapeB, event->time, event->phase == cr_contactBegin ? "begins" : "ends",
               event->phase == cr_contactBegin ? "do not touch" : "touch");
    }
    openCount += isLast && event->phase == cr_contactBegin;
  }
  free(sorted);
  const crContacts* contacts = crSimulation_GetSet(run->simulation).contacts;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    crContactRecord contact = crContacts_Get(contacts, i);
    idleCount += !crContactRecord_HasPushed(&contact);
  }
  assert_int_equal(run->summary.contactCount, beginCount - idleCount);
  assert_int_equal(crContacts_Count(contacts), openCount);
}

static int countContacts(const crContacts* contacts, int a, int b, double* outDepth)
{
  int count = 0;
  *outDepth = -HUGE_VAL;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    crContactRecord info = crContacts_Get(contacts, i);
    if (info.key.shapeA == a && info.key.shapeB == b) {
      ++count;
      *outDepth = fmax(*outDepth, info.depth);
    }
  }
  return count;
}

void crAssertContactsAreWhole(const crIslandRun* run, double slack)
{
  const crModel* model = run->model;
  const crInstance* instance = crSimulation_GetInstance(run->simulation);
  const crContacts* contacts = crSimulation_GetSet(run->simulation).contacts;
  for (int a = 0; a < model->size.shapeCount; ++a) {
    for (int b = a + 1; b < model->size.shapeCount; ++b) {
      const crContactShape *x = &model->contactShapes[a], *y = &model->contactShapes[b];
      if (x->body == y->body || !crModel_CanMeet(model, a, b)) {
        continue;
      }
      crPose X_WA = crMulPose(crGetBodyPose(instance, x->body), x->X_BS);
      crPose X_WB = crMulPose(crGetBodyPose(instance, y->body), y->X_BS);
      crDistance d;
      assert_int_equal(crComputeDistance(&model->shapes[a], &X_WA, &model->shapes[b], &X_WB, NULL, &d), cr_ok);
      double depth;
      int count = countContacts(contacts, a, b, &depth);
      if ((d.distance < -slack && count == 0) || count > 1 || (count > 0 && depth < -slack)) {
        fail_msg("%.9g s: shapes %d and %d are at a distance of %g m and have %d contacts, the deepest of %g m",
                 run->summary.time, a, b, d.distance, count, depth);
      }
    }
  }
}
