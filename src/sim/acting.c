// What a run with actions has beside others: making, archiving, compiling.
#include "sim/acting.h"

#include "base/memory.h"

#include <string.h>

crArchive_Covers(crTriggerMemory, 24);
crArchive_Covers(crChange, 80);

// [Hz] Of a sine that a trigger looks at; 0: of anything else.
static double findFrequency(const crScene* scene, const crActionDef* def)
{
  const crSignalDef* signal = crScene_GetSignal(scene, crScene_Find(scene, def->signal));
  return signal != NULL && signal->kind == cr_signalSine ? fabs(signal->as.sine.frequency) : 0.0;
}

crStatus crCreateActing(const crModel* model, const crAllocator* allocator, crActing** outActing)
{
  *outActing = NULL;
  int count = crModel_CountActions(model);
  if (count == 0) {
    return cr_ok;
  }
  crActing* acting = crAllocateZero(allocator, 1, sizeof *acting);
  if (acting == NULL) {
    return cr_errorMemory;
  }
  acting->allocator = *allocator;
  acting->first = model;
  acting->actionCount = count;
  acting->memories = crAllocateZero(allocator, (size_t)count, sizeof *acting->memories);
  if (acting->memories == NULL) {
    crDestroyActing(acting);
    return cr_errorMemory;
  }
  for (int i = 0; i < count; ++i) {
    const crActionDef* def = crModel_GetAction(model, i);
    crTriggerKind kind = crActionDef_GetTrigger(def);
    acting->memories[i].since = NAN;
    acting->frequency = fmax(acting->frequency, kind == cr_triggerSignal ? findFrequency(model->scene, def) : 0.0);
    acting->watches = acting->watches || kind == cr_triggerSignal || kind == cr_triggerContact;
  }
  *outActing = acting;
  return cr_ok;
}

void crDestroyActing(crActing* acting)
{
  if (acting != NULL) {
    crAllocator allocator = acting->allocator;
    crDestroyModel(acting->own);
    crArray_Free(&acting->structure.changes, &allocator);
    if (acting->memories != NULL) {
      crFree(&allocator, acting->memories, (size_t)acting->actionCount * sizeof *acting->memories);
    }
    crFree(&allocator, acting, sizeof *acting);
  }
}

bool crSceneStructure_Copy(const crSceneStructure* from, const crAllocator* allocator, crSceneStructure* to)
{
  *to = (crSceneStructure){ .changes = { NULL, 0, 0 } };
  for (int i = 0; i < from->changes.count; ++i) {
    if (!crSceneStructure_Set(to, allocator, &from->changes.items[i])) {
      crArray_Free(&to->changes, allocator);
      return false;
    }
  }
  return true;
}

// Warnings were told of the first model.
static void passErrors(void* context, const crError* error)
{
  const crErrorSink* sink = context;
  if (error->severity == cr_severityError && sink->report != NULL) {
    sink->report(sink->context, error);
  }
}

crStatus crActing_Compile(const crActing* acting, const crSceneStructure* structure, int generation,
                          const crErrorSink* sink, crModel** outModel)
{
  crScene* scene = NULL;
  crErrorSink errors = { passErrors, (void*)sink };
  *outModel = NULL;
  crStatus status = crMakeStructured(acting->first->scene, structure, &acting->allocator, &errors, &scene);
  status = status == cr_ok ? crCompile(scene, NULL, &acting->allocator, &errors, outModel) : status;
  crDestroyScene(scene);
  if (status == cr_ok) {
    (*outModel)->generation = generation;
  }
  return status;
}

void crActing_Summarize(const crActing* acting, crSimulationSummary* ioSummary)
{
  const crSimulationSummary* past = &acting->past;
  ioSummary->removed = acting->removed;
  ioSummary->actionCount = acting->doneCount;
  ioSummary->solverStatistics = past->solverStatistics;
  ioSummary->methodSteps = past->methodSteps;
  ioSummary->mergeCount = past->mergeCount;
  ioSummary->splitCount = past->splitCount;
  ioSummary->distanceCount = past->distanceCount;
  ioSummary->eventCount = past->eventCount;
  ioSummary->searchedSteps = past->searchedSteps;
  ioSummary->sharedWork = past->sharedWork;
}

// ---------------------------------------------------------------------------------------------- archiving

static void archiveChange(crArchive* archive, crChange* change)
{
  double* numbers[] = { &change->position.x,    &change->position.y,    &change->position.z,    &change->orientation.w,
                        &change->orientation.x, &change->orientation.y, &change->orientation.z, &change->value };
  crArchive_Enum(archive, &change->kind, cr_changeKindCount);
  crArchive_Int(archive, &change->index, 0, INT32_MAX);
  crArchive_Int(archive, &change->other, 0, INT32_MAX);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    crArchive_Double(archive, numbers[i]);
  }
}

static bool isUsable(const crActing* acting, const crChange* change)
{
  const crScene* scene = acting->first->scene;
  crElementKind element = crChangeKind_GetElement(change->kind);
  return change->index < crScene_Count(scene, element) && change->other < crScene_Count(scene, cr_elementObject);
}

static void archiveMemory(crArchive* archive, crTriggerMemory* memory)
{
  crArchive_Int64(archive, &memory->count, 0);
  crArchive_Bool(archive, &memory->isAbove);
  crArchive_Bool(archive, &memory->hasFired);
  crArchive_Double(archive, &memory->since);
}

static void archiveSummary(crArchive* archive, crSimulationSummary* past)
{
  int64_t* counts[] = { &past->solverStatistics.steps,
                        &past->solverStatistics.rejectedSteps,
                        &past->solverStatistics.evaluations,
                        &past->solverStatistics.jacobians,
                        &past->solverStatistics.factorizations,
                        &past->methodSteps.dopri5,
                        &past->methodSteps.dop853,
                        &past->methodSteps.radau5,
                        &past->methodSteps.rkc2,
                        &past->mergeCount,
                        &past->splitCount,
                        &past->distanceCount,
                        &past->eventCount,
                        &past->searchedSteps };
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    crArchive_Int64(archive, counts[i], 0);
  }
}

void crActing_Archive(crArchive* archive, crActing* acting)
{
  int count = acting->structure.changes.count;
  crArchive_Count(archive, &count, INT32_MAX, 1);
  for (int i = 0; i < count && crArchive_IsGood(archive); ++i) {
    crChange change = archive->isReading ? (crChange){ .value = 0.0 } : acting->structure.changes.items[i];
    archiveChange(archive, &change);
    if (archive->isReading && crArchive_IsGood(archive) && !isUsable(acting, &change)) {
      crArchive_Refuse(archive, "a change of the structure is of no element of the model");
    } else if (archive->isReading && crArchive_IsGood(archive)) {
      bool isSet = crSceneStructure_Set(&acting->structure, &acting->allocator, &change);
      crArchive_Fail(archive, isSet ? cr_ok : cr_errorMemory);
    }
  }
  for (int i = 0; i < acting->actionCount; ++i) {
    archiveMemory(archive, &acting->memories[i]);
  }
  crArchive_Double(archive, &acting->looked);
  crArchive_Int64(archive, &acting->doneCount, 0);
  crArchive_Double(archive, &acting->removed);
  archiveSummary(archive, &acting->past);
}
