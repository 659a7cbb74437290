// A result handed to a sink again, as if its run took place once more: how a result in memory gets into a file.
#include "record/result.h"

#include <math.h>
#include <string.h>

static crStatus begin(const crResult* result, const crRecordSink* sink)
{
  crResultDef def = { .size = sizeof def,
                      .columns = result->columns,
                      .columnCount = result->columnCount,
                      .modelName = result->facts.modelName,
                      .sceneJson = result->facts.sceneJson,
                      .expectedRows = result->rowCount,
                      .sourceText = result->facts.sourceText,
                      .bodies = result->bodies,
                      .bodyCount = result->bodyCount,
                      .objects = result->objects,
                      .objectCount = result->objectCount,
                      .meshes = result->meshes,
                      .meshCount = result->meshCount,
                      .hasEventRows = result->kinds != NULL };
  return sink->begin != NULL ? sink->begin(sink->context, &def) : cr_ok;
}

// values: (columnCount) room for a row
static crStatus addRow(const crResult* result, const crRecordSink* sink, int row, double* values)
{
  for (int i = 0; i < result->columnCount; ++i) {
    values[i] = crResult_GetValues(result, i)[row];
  }
  crRow whole = { result->times[row], crResult_GetRowKind(result, row), values, crResult_GetPoses(result, row) };
  crStatus status = sink->addRow != NULL ? sink->addRow(sink->context, &whole) : cr_ok;
  int count = 0;
  const crContactRecord* samples = crResult_GetContactSamples(result, row, &count);
  for (int i = 0; i < count && status == cr_ok && sink->addSample != NULL; ++i) {
    status = sink->addSample(sink->context, &samples[i]);
  }
  return status;
}

// A contact was told when it began, and when it ended or the run did.
static crStatus addContact(const crRecordSink* sink, const crContactRecord* contact, double lastTime)
{
  crContactRecord record = *contact;
  record.phase = cr_contactBegin;
  record.time = contact->begin;
  crStatus status = sink->addContact(sink->context, &record);
  if (status == cr_ok && contact->phase != cr_contactBegin) {
    record.phase = contact->phase;
    record.time = contact->phase == cr_contactEnd ? contact->end : lastTime;
    status = sink->addContact(sink->context, &record);
  }
  return status;
}

static crStatus addAll(const crResult* result, const crRecordSink* sink, double* values)
{
  crStatus status = cr_ok;
  for (int i = 0; i < result->rowCount && status == cr_ok; ++i) {
    status = addRow(result, sink, i, values);
  }
  double lastTime = result->rowCount > 0 ? result->times[result->rowCount - 1] : 0.0;
  for (int i = 0; i < result->contactCount && status == cr_ok && sink->addContact != NULL; ++i) {
    status = addContact(sink, &result->contacts[i], fmax(lastTime, result->contacts[i].begin));
  }
  for (int i = 0; i < result->eventCount && status == cr_ok && sink->addEvent != NULL; ++i) {
    const crResultEvent* event = &result->events[i];
    status = sink->addEvent(sink->context, event->time, event->kind, event->text);
  }
  return status;
}

static crRunEnd findEnd(const crResult* result)
{
  const char* reason = result->facts.exitReason;
  bool isStopped = reason != NULL && strcmp(reason, crRunEnd_GetText(cr_runStopped)) == 0;
  return result->facts.isComplete ? cr_runComplete : isStopped ? cr_runStopped : cr_runFailed;
}

crStatus crResult_Replay(const crResult* result, const crRecordSink* sink)
{
  if (result == NULL || sink == NULL) {
    return cr_errorMisuse;
  }
  size_t size = ((size_t)result->columnCount + 1) * sizeof(double);
  double* values = crAllocate(&result->allocator, size);
  crStatus status = values != NULL ? begin(result, sink) : cr_errorMemory;
  if (status == cr_ok) {
    status = addAll(result, sink, values);
    crRunEnd end = status == cr_ok ? findEnd(result) : cr_runFailed;
    crStatus ended = sink->end != NULL ? sink->end(sink->context, end, result->facts.runJson) : cr_ok;
    status = status == cr_ok ? ended : status;
  }
  crFree(&result->allocator, values, values != NULL ? size : 0);
  return status;
}
