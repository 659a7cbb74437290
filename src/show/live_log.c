// The sink behind a page that watches a run: records become text, kept in memory. No failure here is one of the run.
#include "show/live_log.h"

#include "base/text.h"
#include "show/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- stream

static void addToStream(void* context, const char* bytes, size_t size)
{
  crStream* stream = context;
  while (size > 0 && !stream->hasFailed) {
    size_t place = stream->size % CR_STREAM_PIECE, room = CR_STREAM_PIECE - place;
    if (place == 0) {
      char** piece = crArray_Push(&stream->pieces, &stream->allocator);
      if (piece != NULL) {
        *piece = crAllocate(&stream->allocator, CR_STREAM_PIECE);
      }
      if (piece == NULL || *piece == NULL) {
        stream->pieces.count -= piece != NULL;
        stream->hasFailed = true;
        return;
      }
    }
    size_t count = size < room ? size : room;
    memcpy(stream->pieces.items[stream->pieces.count - 1] + place, bytes, count);
    stream->size += count;
    bytes += count;
    size -= count;
  }
}

static void freeStream(crStream* stream)
{
  for (int i = 0; i < stream->pieces.count; ++i) {
    crFree(&stream->allocator, stream->pieces.items[i], CR_STREAM_PIECE);
  }
  crArray_Free(&stream->pieces, &stream->allocator);
}

// Adds an event of the stream. `force`: even beyond the limit, for what is short and due.
static void addEventText(crLiveLog* log, const char* event, const crBytes* data, bool isBase64, bool force)
{
  pthread_mutex_lock(&log->lock);
  size_t needed = log->stream.size + CR_BASE64_SIZE(data->size) + 64;
  bool isFull = !force && (log->isCut || needed > log->limit);
  if (!isFull && !data->hasFailed) {
    if (event != NULL) {
      addToStream(&log->stream, "event: ", 7);
      addToStream(&log->stream, event, strlen(event));
      addToStream(&log->stream, "\n", 1);
    }
    addToStream(&log->stream, "data: ", 6);
    if (isBase64) {
      crWriteBase64(data->items, data->size, (crTextWriter){ addToStream, &log->stream });
    } else {
      addToStream(&log->stream, (const char*)data->items, data->size);
    }
    addToStream(&log->stream, "\n\n", 2);
  }
  log->isCut = log->isCut || isFull || data->hasFailed || log->stream.hasFailed;
  log->rowCount += event == NULL && !log->isCut;
  pthread_mutex_unlock(&log->lock);
  log->wake(log->context);
}

// The row with its samples, once all of these are known.
static void flushRow(crLiveLog* log)
{
  if (!log->hasRow) {
    return;
  }
  crBytes message;
  crBytes_Init(&message, &log->allocator);
  float high = (float)log->rowTime;
  crBytes_AddFloat(&message, (double)high);
  crBytes_AddFloat(&message, log->rowTime - (double)high);
  crBytes_AddFloat(&message, log->rowKind);
  crBytes_AddFloat(&message, log->sampleCount);
  crBytes_Add(&message, log->row.items, log->row.size);
  crBytes_Add(&message, log->samples.items, log->samples.size);
  message.hasFailed = message.hasFailed || log->row.hasFailed || log->samples.hasFailed;
  addEventText(log, NULL, &message, true, false);
  crBytes_Free(&message);
  log->hasRow = false;
}

// ------------------------------------------------------------------------------------------- sink

// A result without rows: all that a page needs to know before the first one.
static crStatus makeEmptyResult(const crLiveLog* log, const crResultDef* def, crResult** outResult)
{
  crResultMemory* memory = crCreateResultMemory(&log->allocator);
  if (memory == NULL) {
    return cr_errorMemory;
  }
  crRecordSink sink = crResultMemory_GetSink(memory);
  crStatus status = sink.begin(sink.context, def);
  status = status == cr_ok ? sink.end(sink.context, cr_runComplete, NULL) : status;
  *outResult = status == cr_ok ? crResultMemory_Take(memory) : NULL;
  crDestroyResultMemory(memory);
  return *outResult != NULL ? cr_ok : cr_errorMemory;
}

static crStatus begin(void* context, const crResultDef* def)
{
  crLiveLog* log = context;
  crResult* empty = NULL;
  crBytes page;
  crBytes_Init(&page, &log->allocator);
  log->bodyCount = def->bodyCount;
  log->columnCount = def->columnCount;
  crStatus status = makeEmptyResult(log, def, &empty);
  if (status == cr_ok) {
    status = crComposeLivePage(empty, def, &log->allocator, &page);
  }
  crDestroyResult(empty);
  pthread_mutex_lock(&log->lock);
  if (status == cr_ok && !page.hasFailed && log->page.size == 0) {
    log->page = page;
  } else {
    crBytes_Free(&page);
    log->isCut = true;
  }
  pthread_mutex_unlock(&log->lock);
  log->wake(log->context);
  return cr_ok;
}

static crStatus addRow(void* context, const crRow* row)
{
  crLiveLog* log = context;
  flushRow(log);
  log->row.size = log->samples.size = 0;
  log->rowTime = row->time;
  log->rowKind = row->kind;
  log->sampleCount = 0;
  for (int i = 0; i < CR_POSE_SIZE * log->bodyCount; ++i) {
    crBytes_AddFloat(&log->row, (double)row->poses[i]);
  }
  for (int i = 0; i < log->columnCount; ++i) {
    crBytes_AddFloat(&log->row, row->values[i]);
  }
  log->hasRow = true;
  return cr_ok;
}

static void addNumbers(crBytes* bytes, const double* numbers, int count)
{
  for (int i = 0; i < count; ++i) {
    crBytes_AddFloat(bytes, numbers[i]);
  }
}

static crStatus addSample(void* context, const crContactRecord* s)
{
  crLiveLog* log = context;
  const double numbers[] = {
    s->objectA,  s->objectB,      s->point.x,     s->point.y,     s->point.z,     s->normal.x,
    s->normal.y, s->normal.z,     s->force.x,     s->force.y,     s->force.z,     s->depth,
    s->area,     s->meanPressure, s->maxPressure, s->dissipation, s->cornerCount,
  };
  addNumbers(&log->samples, numbers, sizeof numbers / sizeof *numbers);
  for (int c = 0; c < s->cornerCount; ++c) {
    const crPatchCorner* corner = &s->corners[c];
    addNumbers(&log->samples, (double[]){ corner->point.x, corner->point.y, corner->point.z, corner->pressure }, 4);
  }
  ++log->sampleCount;
  return cr_ok;
}

// An object as JSON in the making.
typedef struct JsonEvent {
  crBytes bytes;
  crJsonText text;
} JsonEvent;

static void beginJson(JsonEvent* json, const crLiveLog* log)
{
  crBytes_Init(&json->bytes, &log->allocator);
  crJsonText_Init(&json->text, (crTextWriter){ crBytes_Write, &json->bytes });
  crJsonText_BeginObject(&json->text);
}

// Line ends inside would end the event: JSON has them only between its tokens, and this writer none but the last.
static void endJson(JsonEvent* json, crLiveLog* log, const char* event, bool force)
{
  crJsonText_EndObject(&json->text);
  crJsonText_Finish(&json->text);
  while (json->bytes.size > 0 && json->bytes.items[json->bytes.size - 1] == '\n') {
    --json->bytes.size;
  }
  addEventText(log, event, &json->bytes, false, force);
  crBytes_Free(&json->bytes);
}

static crStatus addContact(void* context, const crContactRecord* contact)
{
  crLiveLog* log = context;
  if (contact->phase == cr_contactBegin || !crContactRecord_HasPushed(contact)) {
    return cr_ok;
  }
  JsonEvent json;
  beginJson(&json, log);
  crPutNumbers(&json.text, "objects", (double[]){ contact->objectA, contact->objectB }, 2);
  crPutContact(&json.text, contact);
  endJson(&json, log, "contact", false);
  return cr_ok;
}

static crStatus addEvent(void* context, double time, const char* kind, const char* text)
{
  crLiveLog* log = context;
  JsonEvent json;
  beginJson(&json, log);
  crPutKeyNumber(&json.text, "time", time);
  crJsonText_KeyString(&json.text, "kind", kind);
  crJsonText_KeyString(&json.text, "text", text);
  endJson(&json, log, "happening", false);
  return cr_ok;
}

static crStatus end(void* context, crRunEnd how, const char* runJson)
{
  (void)runJson;
  crLiveLog* log = context;
  flushRow(log);
  pthread_mutex_lock(&log->lock);
  bool isCut = log->isCut;
  log->isOver = true;
  pthread_mutex_unlock(&log->lock);
  JsonEvent json;
  beginJson(&json, log);
  crJsonText_KeyString(&json.text, "end", crRunEnd_GetText(how));
  crJsonText_KeyBool(&json.text, "isCut", isCut);
  endJson(&json, log, "end", true);
  return cr_ok;
}

crRecordSink crLiveLog_GetSink(crLiveLog* log)
{
  return (crRecordSink){ .context = log,
                         .begin = begin,
                         .addRow = addRow,
                         .addSample = addSample,
                         .addContact = addContact,
                         .addEvent = addEvent,
                         .end = end };
}

// ---------------------------------------------------------------------------------------- reading

crStatus crLiveLog_Init(crLiveLog* log, const crAllocator* allocator, size_t limit)
{
  *log = (crLiveLog){ .allocator = *allocator, .limit = limit };
  crBytes_Init(&log->row, allocator);
  crBytes_Init(&log->samples, allocator);
  crBytes_Init(&log->page, allocator);
  log->stream.allocator = *allocator;
  return pthread_mutex_init(&log->lock, NULL) == 0 ? cr_ok : cr_errorMemory;
}

void crLiveLog_Free(crLiveLog* log)
{
  crBytes_Free(&log->row);
  crBytes_Free(&log->samples);
  crBytes_Free(&log->page);
  freeStream(&log->stream);
  pthread_mutex_destroy(&log->lock);
}

size_t crLiveLog_Read(crLiveLog* log, size_t offset, char* outBytes, size_t size)
{
  pthread_mutex_lock(&log->lock);
  size_t there = log->stream.size > offset ? log->stream.size - offset : 0;
  size_t count = there < size ? there : size;
  for (size_t done = 0; done < count;) {
    size_t at = offset + done, place = at % CR_STREAM_PIECE, rest = CR_STREAM_PIECE - place;
    size_t part = count - done < rest ? count - done : rest;
    memcpy(outBytes + done, log->stream.pieces.items[at / CR_STREAM_PIECE] + place, part);
    done += part;
  }
  pthread_mutex_unlock(&log->lock);
  return count;
}

bool crLiveLog_IsOver(crLiveLog* log)
{
  pthread_mutex_lock(&log->lock);
  bool isOver = log->isOver;
  pthread_mutex_unlock(&log->lock);
  return isOver;
}

const unsigned char* crLiveLog_GetPage(crLiveLog* log, size_t* outSize)
{
  pthread_mutex_lock(&log->lock);
  const unsigned char* page = log->page.size > 0 ? log->page.items : NULL;
  *outSize = log->page.size;
  pthread_mutex_unlock(&log->lock);
  return page;
}
