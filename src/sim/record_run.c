// A whole run into a sink: rows of variables and poses at output points, contacts, and how it ended.
#include "base/memory.h"
#include "base/report.h"
#include "sim/acting.h"

#include <math.h>
#include <string.h>

#define CR_LARGEST_HINT 1e6 // rows; a sink that is told of more would reserve too much

// A contact with its patch, which the record points to once it is at its place.
typedef struct Sample {
  crContactRecord record;
  crPatchCorner corners[CR_PATCH_CORNERS];
} Sample;

typedef struct Recording {
  crSimulation* simulation;
  const crRecordOptions* options;
  const crRecordSink* sink;
  crRecorder* recorder;
  crRow before;   // an event, which counts if anything changes there; its numbers lie here:
  double* values; // (columns) NULL: events have no rows
  float* poses;   // (7 x bodies)
  crArrayOf(Sample) samples;
} Recording;

// Whether a contact is as it was: a patch is a function of where two shapes are, and its point, normal, area and
// largest pressure are of all of it.
static bool isAsBefore(const crContactRecord* before, const crContactRecord* now)
{
  return memcmp(&before->key, &now->key, sizeof now->key) == 0 && now->area > 0.0 && before->area == now->area &&
         before->maxPressure == now->maxPressure && before->depth == now->depth &&
         memcmp(&before->point, &now->point, sizeof now->point) == 0 &&
         memcmp(&before->normal, &now->normal, sizeof now->normal) == 0;
}

// In the order of contacts: -1, 0 or 1.
static int compareShapes(const crContactKey* a, const crContactKey* b)
{
  return a->shapeA != b->shapeA ? (a->shapeA > b->shapeA) - (a->shapeA < b->shapeA)
                                : (a->shapeB > b->shapeB) - (a->shapeB < b->shapeB);
}

// An event moves nothing, so most patches behind it are those before it. ioNext: of those, the first that may be it.
static bool copyPatch(const Recording* recording, int* ioNext, Sample* sample)
{
  const Sample* before = recording->samples.items;
  int count = recording->samples.count;
  while (*ioNext < count && compareShapes(&before[*ioNext].record.key, &sample->record.key) < 0) {
    ++*ioNext;
  }
  if (*ioNext == count || !isAsBefore(&before[*ioNext].record, &sample->record)) {
    return false;
  }
  before += *ioNext;
  sample->record.cornerCount = before->record.cornerCount;
  memcpy(sample->corners, before->corners, (size_t)before->record.cornerCount * sizeof *sample->corners);
  return true;
}

// The contacts at the time of the instance, one after the other; false: no more. ioNext: NULL, or as of copyPatch.
static bool getSample(const Recording* recording, int index, int* ioNext, Sample* outSample)
{
  const crContacts* contacts = recording->simulation->run.contacts;
  if (contacts == NULL || recording->sink->addSample == NULL || index >= crContacts_Count(contacts)) {
    return false;
  }
  outSample->record = crContacts_Get(contacts, index);
  crSimulation_TranslateContact(recording->simulation, &outSample->record);
  if (ioNext == NULL || !copyPatch(recording, ioNext, outSample)) {
    outSample->record.cornerCount = crContacts_FindPatch(contacts, index, outSample->corners);
  }
  return true;
}

static crStatus addSample(const crRecordSink* sink, Sample* sample)
{
  sample->record.corners = sample->record.cornerCount > 0 ? sample->corners : NULL;
  return sink->addSample(sink->context, &sample->record);
}

static crStatus addRow(const Recording* recording, double t, crRowKind kind, const crInstance* instance)
{
  const crRecordSink* sink = recording->sink;
  crRow row = { t, kind, crRecorder_Read(recording->recorder, instance),
                crRecorder_ReadPoses(recording->recorder, instance) };
  crStatus status = sink->addRow != NULL ? sink->addRow(sink->context, &row) : cr_ok;
  Sample sample;
  int next = 0;
  for (int i = 0; status == cr_ok && getSample(recording, i, kind == cr_rowAfter ? &next : NULL, &sample); ++i) {
    status = addSample(sink, &sample);
  }
  return status;
}

// ------------------------------------------------------------------------------------------- events

static crStatus makeBefore(Recording* recording)
{
  const crRun* run = &recording->simulation->run;
  if (run->options.eventRows != cr_eventRowsOn) {
    return cr_ok;
  }
  size_t columns = (size_t)crRecorder_CountColumns(recording->recorder);
  size_t numbers = CR_POSE_SIZE * (size_t)crRecorder_CountBodies(recording->recorder);
  recording->values = crAllocateZero(&run->allocator, columns + 1, sizeof(double));
  recording->poses = crAllocateZero(&run->allocator, numbers + 1, sizeof(float));
  return recording->values != NULL && recording->poses != NULL ? cr_ok : cr_errorMemory;
}

static void freeBefore(Recording* recording)
{
  const crAllocator* allocator = &recording->simulation->run.allocator;
  if (recording->recorder != NULL) {
    size_t columns = (size_t)crRecorder_CountColumns(recording->recorder);
    size_t numbers = CR_POSE_SIZE * (size_t)crRecorder_CountBodies(recording->recorder);
    crFree(allocator, recording->values, recording->values != NULL ? (columns + 1) * sizeof(double) : 0);
    crFree(allocator, recording->poses, recording->poses != NULL ? (numbers + 1) * sizeof(float) : 0);
  }
  crArray_Free(&recording->samples, allocator);
}

static crStatus keepBefore(Recording* recording, double t, const crInstance* instance)
{
  const crAllocator* allocator = &recording->simulation->run.allocator;
  size_t columns = (size_t)crRecorder_CountColumns(recording->recorder);
  size_t numbers = CR_POSE_SIZE * (size_t)crRecorder_CountBodies(recording->recorder);
  memcpy(recording->values, crRecorder_Read(recording->recorder, instance), columns * sizeof(double));
  memcpy(recording->poses, crRecorder_ReadPoses(recording->recorder, instance), numbers * sizeof(float));
  recording->before = (crRow){ t, cr_rowBefore, recording->values, recording->poses };
  recording->samples.count = 0;
  Sample sample;
  for (int i = 0; getSample(recording, i, NULL, &sample); ++i) {
    Sample* place = crArray_Push(&recording->samples, allocator);
    if (place == NULL) {
      return cr_errorMemory;
    }
    *place = sample;
  }
  return cr_ok;
}

static crStatus addBefore(const Recording* recording)
{
  const crRecordSink* sink = recording->sink;
  crStatus status = sink->addRow != NULL ? sink->addRow(sink->context, &recording->before) : cr_ok;
  for (int i = 0; i < recording->samples.count && status == cr_ok; ++i) {
    status = addSample(sink, &recording->samples.items[i]);
  }
  return status;
}

static crStatus atEvent(void* context, double t, crRowKind kind, const crInstance* instance)
{
  Recording* recording = context;
  if (kind == cr_rowBefore) {
    return keepBefore(recording, t, instance);
  }
  crStatus status = cr_ok;
  if (recording->before.time == t) {
    status = addBefore(recording);
  } else {
    recording->samples.count = 0;
  }
  recording->before.time = NAN;
  return status == cr_ok ? addRow(recording, t, cr_rowAfter, instance) : status;
}

// --------------------------------------------------------------------------------------------- run

static crStatus atOutput(void* context, double t, const crInstance* instance)
{
  const Recording* recording = context;
  const crRecordOptions* options = recording->options;
  crStatus status = addRow(recording, t, cr_rowOutput, instance);
  return status == cr_ok && options->atOutput != NULL ? options->atOutput(options->context, t) : status;
}

static crStatus atContact(void* context, const crContactRecord* contact)
{
  const Recording* recording = context;
  const crRecordSink* sink = recording->sink;
  crContactRecord record = *contact;
  crSimulation_TranslateContact(recording->simulation, &record);
  return sink->addContact != NULL ? sink->addContact(sink->context, &record) : cr_ok;
}

static crStatus atAction(void* context, double t, const char* action, const char* text)
{
  const crRecordSink* sink = ((const Recording*)context)->sink;
  (void)action;
  return sink->addEvent != NULL ? sink->addEvent(sink->context, t, "action", text) : cr_ok;
}

static bool shouldStop(void* context, double t)
{
  const crRecordOptions* options = ((const Recording*)context)->options;
  return options->shouldStop != NULL && options->shouldStop(options->context, t);
}

static crStatus begin(const Recording* recording)
{
  const crRecordOptions* o = recording->options;
  const crSimulationOptions* run = &recording->simulation->run.options;
  const crRecorder* recorder = recording->recorder;
  double rows = (run->stopTime - run->startTime) / run->interval + 2.0;
  crResultDef def = { .size = sizeof def,
                      .columns = crRecorder_GetColumns(recorder),
                      .columnCount = crRecorder_CountColumns(recorder),
                      .modelName = o->modelName,
                      .sceneJson = o->sceneJson,
                      .expectedRows = rows < CR_LARGEST_HINT ? (int)rows : 0,
                      .sourceText = o->sourceText,
                      .bodies = crRecorder_GetBodies(recorder),
                      .bodyCount = crRecorder_CountBodies(recorder),
                      .objects = crRecorder_GetObjects(recorder),
                      .objectCount = crRecorder_CountObjects(recorder),
                      .meshes = o->meshes,
                      .meshCount = o->meshCount,
                      .hasEventRows = run->eventRows == cr_eventRowsOn };
  return recording->sink->begin != NULL ? recording->sink->begin(recording->sink->context, &def) : cr_ok;
}

static crStatus run(Recording* recording, crRunEnd* outEnd)
{
  const crRecordOptions* options = recording->options;
  const crRecordSink* sink = recording->sink;
  crObserver observer = { .context = recording,
                          .atOutput = atOutput,
                          .shouldStop = shouldStop,
                          .atContact = atContact,
                          .atEvent = atEvent,
                          .atAction = atAction };
  crStatus status = crSimulation_Run(recording->simulation, &observer, outEnd);
  const char* text = options->describe != NULL ? options->describe(options->context, *outEnd) : NULL;
  crStatus ended = sink->end != NULL ? sink->end(sink->context, *outEnd, text) : cr_ok;
  return status == cr_ok ? ended : status;
}

crRecordOptions crDefaultRecordOptions(void)
{
  return (crRecordOptions){ .size = sizeof(crRecordOptions) };
}

crStatus crSimulation_Record(crSimulation* simulation, const crRecordOptions* options, const crRecordSink* sink,
                             crRunEnd* outEnd)
{
  static const crRecordOptions standard;
  if (simulation == NULL || sink == NULL || outEnd == NULL || simulation->run.hasFailed) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(&simulation->run.sink, (crSource){ 0 }, "simulation");
  if (options != NULL && !crCheckSize(&reporter, "crRecordOptions", options->size, sizeof *options)) {
    return cr_errorMisuse;
  }
  Recording recording = { .simulation = simulation, .options = options != NULL ? options : &standard, .sink = sink };
  recording.before.time = NAN;
  *outEnd = cr_runFailed;
  const crRun* own = &simulation->run;
  const crModel* first = simulation->acting != NULL ? simulation->acting->first : own->model;
  crStatus status = crCreateRecorder(first, recording.options->patterns, recording.options->patternCount,
                                     &own->allocator, &own->sink, &recording.recorder);
  status = status == cr_ok ? makeBefore(&recording) : status;
  status = status == cr_ok ? begin(&recording) : status;
  status = status == cr_ok ? run(&recording, outEnd) : status;
  freeBefore(&recording);
  crDestroyRecorder(recording.recorder);
  return status;
}

crStatus crRecordToMemory(const crModel* model, const crSimulationOptions* options,
                          const crRecordOptions* recordOptions, const crAllocator* allocator, const crErrorSink* sink,
                          crResult** outResult, crSimulationSummary* outSummary, crRunEnd* outEnd)
{
  if (model == NULL || outResult == NULL) {
    return cr_errorMisuse;
  }
  *outResult = NULL;
  crRunEnd end = cr_runFailed;
  crSimulation* simulation = NULL;
  crResultMemory* memory = crCreateResultMemory(allocator);
  crStatus status = memory != NULL ? crCreateSimulation(model, options, allocator, sink, &simulation) : cr_errorMemory;
  if (status == cr_ok) {
    crRecordSink into = crResultMemory_GetSink(memory);
    status = crSimulation_Record(simulation, recordOptions, &into, &end);
    *outResult = crResultMemory_Take(memory);
  }
  if (outSummary != NULL) {
    *outSummary = simulation != NULL ? crSimulation_GetSummary(simulation) : (crSimulationSummary){ 0 };
  }
  if (outEnd != NULL) {
    *outEnd = end;
  }
  crDestroySimulation(simulation);
  crDestroyResultMemory(memory);
  return status;
}
