#include "support/saved_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------------------- fingerprints

static uint64_t addBytes(uint64_t hash, const void* bytes, size_t size)
{
  const unsigned char* at = bytes;
  for (size_t i = 0; i < size; ++i) {
    hash = (hash ^ at[i]) * UINT64_C(1099511628211);
  }
  return hash;
}

static uint64_t addDouble(uint64_t hash, double value)
{
  double sum = value + 0.0; // both zeros are one
  return addBytes(hash, &sum, sizeof sum);
}

static uint64_t addVec3(uint64_t hash, crVec3 v)
{
  return addDouble(addDouble(addDouble(hash, v.x), v.y), v.z);
}

#define CR_FIRST_HASH UINT64_C(14695981039346656037)

static uint64_t addContacts(uint64_t hash, crTreeSet set)
{
  for (int i = 0; set.contacts != NULL && i < crContacts_Count(set.contacts); ++i) {
    crContactRecord info = crContacts_Get(set.contacts, i);
    int keys[2] = { info.key.shapeA, info.key.shapeB };
    hash = addBytes(hash, keys, sizeof keys);
    hash = addDouble(addDouble(addDouble(hash, info.begin), info.depth), info.depthRate);
    hash = addVec3(addVec3(hash, info.point), info.force);
    hash = addDouble(addDouble(hash, info.damping), info.dissipation);
  }
  return hash;
}

static uint64_t hashRow(const crSavedRun* run, double t, const crInstance* instance)
{
  uint64_t hash = addDouble(CR_FIRST_HASH, t);
  int count = crModel_GetSize(run->model).variableCount;
  for (int i = 0; i < count; ++i) {
    hash = addDouble(hash, crInstance_GetVariable(instance, i));
  }
  return addContacts(hash, crSimulation_GetSet(run->simulation));
}

static uint64_t addEvent(uint64_t hash, const crContactRecord* e)
{
  int keys[3] = { e->phase, e->key.shapeA, e->key.shapeB };
  const double values[] = { e->time, e->end,     e->separation, e->slip,     e->begin,    e->approach, e->restitution,
                            e->cor,  e->damping, e->radius,     e->maxDepth, e->maxForce, e->impulse,  e->dissipation };
  hash = addVec3(addVec3(addBytes(hash, keys, sizeof keys), e->point), e->normal);
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    hash = isnan(values[i]) ? addDouble(hash, 0.5) : addDouble(hash, values[i]);
  }
  return hash;
}

// --------------------------------------------------------------------------------------------- models

static void printError(void* context, const crError* error)
{
  (void)context;
  if (error->severity == cr_severityError) {
    printf("%s: %s %s\n", error->path != NULL ? error->path : "", error->message,
           error->found != NULL ? error->found : "");
  }
}

crModel* crOpenSavedModel(const crSavedPlan* plan)
{
  char path[1024];
  crScene* scene = NULL;
  crModel* model = NULL;
  crErrorSink sink = { printError, NULL };
  crReadOptions options = crDefaultReadOptions();
  options.settings = plan->settings;
  while (options.settingCount < CR_MAX_SAVED_SETTINGS && plan->settings[options.settingCount].name != NULL) {
    ++options.settingCount;
  }
  snprintf(path, sizeof path, CAROM_ROOT "/%s", plan->file != NULL ? plan->file : "");
  crStatus status = plan->text != NULL
                        ? crReadLua(plan->text, strlen(plan->text), "model.lua", NULL, &options, NULL, &sink, &scene)
                        : crReadModel(path, &options, NULL, &sink, &scene);
  if (status == cr_ok) {
    crCompile(scene, NULL, NULL, &sink, &model);
  }
  crDestroyScene(scene);
  return model;
}

bool crHasSavedSolver(const crSavedPlan* plan)
{
  const crSolverInfo* info = crGetSolverInfo(plan->solver);
  return info == NULL || info->isAvailable;
}

// ----------------------------------------------------------------------------------------------- runs

static int findPoint(const crSavedRun* run, int row)
{
  for (int i = 0; i < run->pointCount; ++i) {
    if (run->points[i] == row) {
      return i;
    }
  }
  return -1;
}

typedef struct Place {
  crSavedRun* run;
  int point;
} Place;

static crStatus keepBytes(void* context, const void* bytes, size_t size)
{
  const Place* place = context;
  void* copy = malloc(size);
  if (copy == NULL) {
    return cr_errorMemory;
  }
  memcpy(copy, bytes, size);
  place->run->bytes[place->point] = copy;
  place->run->sizes[place->point] = size;
  return cr_ok;
}

static crStatus save(crSavedRun* run, int row)
{
  int point = findPoint(run, row);
  Place place = { run, point };
  return point < 0 ? cr_ok : crSimulation_Save(run->simulation, &row, sizeof row, (crByteWriter){ keepBytes, &place });
}

static void addRow(crSavedRun* run, double t, const crInstance* instance)
{
  run->rows = realloc(run->rows, (size_t)(run->rowCount + 1) * sizeof *run->rows);
  run->rows[run->rowCount++] = (crSavedRow){ hashRow(run, t, instance), run->events };
}

static crStatus atOutput(void* context, double t, const crInstance* instance)
{
  crSavedRun* run = context;
  addRow(run, t, instance);
  return save(run, run->rowCount - 1);
}

static crStatus atContact(void* context, const crContactRecord* event)
{
  crSavedRun* run = context;
  run->events = addEvent(run->events, event);
  return cr_ok;
}

// Rows at events are part of what comes before the next row.
static crStatus atEvent(void* context, double t, crRowKind kind, const crInstance* instance)
{
  crSavedRun* run = context;
  uint64_t row = hashRow(run, t, instance);
  run->events = addBytes(addBytes(run->events, &row, sizeof row), &kind, sizeof kind);
  return cr_ok;
}

static double timeOf(const crSavedPlan* plan, int row)
{
  return row == plan->intervals ? plan->stop : plan->stop / plan->intervals * row;
}

// The same for the same row.
static crStatus setInputs(crSavedRun* run)
{
  crStatus status = cr_ok;
  int count = crModel_CountInputs(run->model);
  for (int i = 0; i < count && run->rowCount % 5 == 0 && status == cr_ok; ++i) {
    status = crSimulation_SetInput(run->simulation, i, 0.1 * (double)((run->rowCount / 5 + i) % 7));
  }
  return status;
}

static crStatus takeCopy(crSavedRun* run)
{
  crSimulation* copy = NULL;
  crStatus status = crSimulation_Copy(run->simulation, NULL, NULL, &copy);
  if (status == cr_ok) {
    crDestroySimulation(run->simulation);
    run->simulation = copy;
  }
  return status;
}

// With the clock held from outside.
static crStatus advance(crSavedRun* run)
{
  crStatus status = cr_ok;
  for (; status == cr_ok && run->rowCount <= run->plan->intervals;) {
    int row = run->rowCount;
    status = crSimulation_Advance(run->simulation, timeOf(run->plan, row));
    if (status == cr_ok) {
      addRow(run, timeOf(run->plan, row), crSimulation_GetInstance(run->simulation));
      status = run->plan->setsInputs ? setInputs(run) : cr_ok;
      status = status == cr_ok ? save(run, row) : status;
      status = status == cr_ok && run->copies && findPoint(run, row) >= 0 ? takeCopy(run) : status;
    }
  }
  run->end = cr_runComplete;
  return status;
}

static void finish(crSavedRun* run)
{
  crObserver observer = { .context = run, .atOutput = atOutput, .atContact = atContact, .atEvent = atEvent };
  bool holdsClock = run->plan->setsInputs || run->copies;
  if (run->status == cr_ok) {
    run->status = holdsClock ? advance(run) : crSimulation_Run(run->simulation, &observer, &run->end);
  }
  if (run->simulation != NULL) {
    run->summary = crSimulation_GetSummary(run->simulation);
  }
  crDestroySimulation(run->simulation);
  run->simulation = NULL;
}

crSavedRun crRunSaved(const crModel* model, const crSavedPlan* plan, int threads, const int* points, int pointCount,
                      bool copies)
{
  crSavedRun run = { .model = model, .plan = plan, .points = points, .pointCount = pointCount, .copies = copies };
  run.events = CR_FIRST_HASH;
  run.bytes = calloc((size_t)pointCount + 1, sizeof *run.bytes);
  run.sizes = calloc((size_t)pointCount + 1, sizeof *run.sizes);
  crSimulationOptions options = { .size = sizeof options,
                                  .stopTime = plan->stop,
                                  .interval = plan->stop / plan->intervals,
                                  .tolerance = plan->tolerance,
                                  .maxStep = plan->maxStep,
                                  .solver = plan->solver,
                                  .islands = plan->islands,
                                  .threads = threads };
  crErrorSink sink = { printError, NULL };
  run.status = crCreateSimulation(model, &options, NULL, &sink, &run.simulation);
  finish(&run);
  return run;
}

crSavedRun crResumeSaved(const crSavedRun* from, int point, int threads)
{
  crSavedRun run = { .model = from->model, .plan = from->plan };
  crCheckpointFacts facts;
  crLoadOptions options = { .size = sizeof options, .threads = threads };
  crErrorSink sink = { printError, NULL };
  run.status = crReadCheckpointFacts(from->bytes[point], from->sizes[point], &sink, &facts);
  if (run.status == cr_ok) {
    memcpy(&run.rowCount, facts.note, sizeof run.rowCount);
    run.events = from->rows[run.rowCount].events;
    run.rowCount += 1;
    run.rows = malloc((size_t)run.rowCount * sizeof *run.rows);
    memcpy(run.rows, from->rows, (size_t)run.rowCount * sizeof *run.rows);
    run.status =
        crLoadSimulation(from->model, from->bytes[point], from->sizes[point], &options, NULL, NULL, &run.simulation);
  }
  finish(&run);
  return run;
}

void crSavedRun_Free(crSavedRun* run)
{
  for (int i = 0; run->bytes != NULL && i < run->pointCount; ++i) {
    free(run->bytes[i]);
  }
  free(run->bytes);
  free(run->sizes);
  free(run->rows);
  *run = (crSavedRun){ .rows = NULL };
}

// ---------------------------------------------------------------------------------------- comparison

static bool isSameSummary(const crSimulationSummary* a, const crSimulationSummary* b)
{
  return a->tolerance == b->tolerance && a->solver == b->solver &&
         memcmp(&a->methodSteps, &b->methodSteps, sizeof a->methodSteps) == 0 &&
         memcmp(&a->solverStatistics, &b->solverStatistics, sizeof a->solverStatistics) == 0 && a->time == b->time &&
         a->outputCount == b->outputCount && a->eventCount == b->eventCount && a->contactCount == b->contactCount &&
         a->islandCount == b->islandCount && a->mergeCount == b->mergeCount && a->splitCount == b->splitCount &&
         a->distanceCount == b->distanceCount && a->searchedSteps == b->searchedSteps &&
         memcmp(&a->startEnergy, &b->startEnergy, sizeof a->startEnergy) == 0 &&
         memcmp(&a->endEnergy, &b->endEnergy, sizeof a->endEnergy) == 0 && a->dissipated == b->dissipated &&
         a->work == b->work;
}

int crCompareSaved(const crSavedRun* a, const crSavedRun* b, int firstRow)
{
  for (int i = firstRow; i < a->rowCount && i < b->rowCount; ++i) {
    if (a->rows[i].values != b->rows[i].values || a->rows[i].events != b->rows[i].events) {
      return i;
    }
  }
  bool isSame = a->rowCount == b->rowCount && a->status == b->status && a->end == b->end && a->events == b->events &&
                isSameSummary(&a->summary, &b->summary);
  return isSame ? -1 : -2;
}
