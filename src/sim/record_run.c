// A whole run into a sink: rows of variables and poses at output points, contacts, and how it ended.
#include "base/memory.h"
#include "sim/simulation.h"

#define CR_LARGEST_HINT 1e6 // rows; a sink that is told of more would reserve too much

typedef struct Recording {
  crSimulation* simulation;
  const crRecordOptions* options;
  const crRecordSink* sink;
  crRecorder* recorder;
} Recording;

static crStatus addContacts(const Recording* recording)
{
  const crContacts* contacts = recording->simulation->run.contacts;
  const crRecordSink* sink = recording->sink;
  crStatus status = cr_ok;
  for (int i = 0; contacts != NULL && sink->addSample != NULL && status == cr_ok && i < crContacts_Count(contacts);
       ++i) {
    crContactInfo info = crContacts_Get(contacts, i);
    crContactSample sample = crDescribeContact(&info);
    status = sink->addSample(sink->context, &sample);
  }
  return status;
}

static crStatus addRow(const Recording* recording, double t, const crInstance* instance)
{
  const crRecordSink* sink = recording->sink;
  crRow row = { t, crRecorder_Read(recording->recorder, instance),
                crRecorder_ReadPoses(recording->recorder, instance) };
  crStatus status = sink->addRow != NULL ? sink->addRow(sink->context, &row) : cr_ok;
  return status == cr_ok ? addContacts(recording) : status;
}

static crStatus atOutput(void* context, double t, const crInstance* instance)
{
  const Recording* recording = context;
  const crRecordOptions* options = recording->options;
  crStatus status = addRow(recording, t, instance);
  return status == cr_ok && options->atOutput != NULL ? options->atOutput(options->context, t) : status;
}

static crStatus atContact(void* context, const crContactEvent* event)
{
  const Recording* recording = context;
  const crRecordSink* sink = recording->sink;
  crContactRecord contact = crDescribeContactEvent(event);
  return sink->addContact != NULL ? sink->addContact(sink->context, &contact) : cr_ok;
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
  crResultDef def = { .columns = crRecorder_GetColumns(recorder),
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
                      .meshCount = o->meshCount };
  return recording->sink->begin != NULL ? recording->sink->begin(recording->sink->context, &def) : cr_ok;
}

static crStatus run(Recording* recording, crRunEnd* outEnd)
{
  const crRecordOptions* options = recording->options;
  const crRecordSink* sink = recording->sink;
  crObserver observer = {
    .context = recording, .atOutput = atOutput, .shouldStop = shouldStop, .atContact = atContact
  };
  crStatus status = crSimulation_Run(recording->simulation, &observer, outEnd);
  const char* text = options->describe != NULL ? options->describe(options->context, *outEnd) : NULL;
  crStatus ended = sink->end != NULL ? sink->end(sink->context, *outEnd, text) : cr_ok;
  return status == cr_ok ? ended : status;
}

crStatus crSimulation_Record(crSimulation* simulation, const crRecordOptions* options, const crRecordSink* sink,
                             crRunEnd* outEnd)
{
  static const crRecordOptions standard;
  if (simulation == NULL || sink == NULL || outEnd == NULL || simulation->run.hasFailed) {
    return cr_errorMisuse;
  }
  Recording recording = { simulation, options != NULL ? options : &standard, sink, NULL };
  *outEnd = cr_runFailed;
  const crRun* own = &simulation->run;
  crStatus status = crCreateRecorder(own->model, recording.options->patterns, recording.options->patternCount,
                                     &own->allocator, &own->sink, &recording.recorder);
  status = status == cr_ok ? begin(&recording) : status;
  status = status == cr_ok ? run(&recording, outEnd) : status;
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
