// The sink that writes a result file while a run goes on, or from a result in memory.
#include "carom/result.h"
#include "result/peek.h"
#include "result/result_writer.h"

bool crHasResultFiles(void)
{
  return true;
}

static crStatus begin(void* context, const crResultDef* def)
{
  crResultFile* file = context;
  crResultDef own = *def;
  own.path = file->path;
  file->columnCount = def->columnCount;
  file->rowCount = file->place != NULL ? file->place->rowCount : 0;
  return file->place != NULL ? crReopenResultWriter(&own, file->place, file->allocator, file->sink, &file->writer)
                             : crCreateResultWriter(&own, file->allocator, file->sink, &file->writer);
}

static crStatus addRow(void* context, const crRow* row)
{
  crResultFile* file = context;
  ++file->rowCount;
  return crResultWriter_AddRow(file->writer, row);
}

static crStatus addSample(void* context, const crContactRecord* sample)
{
  return crResultWriter_AddContactSample(((crResultFile*)context)->writer, sample);
}

static crStatus addContact(void* context, const crContactRecord* contact)
{
  return crResultWriter_AddContact(((crResultFile*)context)->writer, contact);
}

static crStatus addEvent(void* context, double time, const char* kind, const char* text)
{
  return crResultWriter_AddEvent(((crResultFile*)context)->writer, time, kind, text);
}

static crStatus end(void* context, crRunEnd runEnd, const char* runJson)
{
  crResultFile* file = context;
  crResultWriter* writer = file->writer;
  int keptRows = writer->keptRows;
  file->writer = NULL;
  crStatus status = crResultWriter_Close(writer, runEnd == cr_runComplete, crRunEnd_GetText(runEnd), runJson);
  file->rowCount = status == cr_ok ? file->rowCount : keptRows;
  return status;
}

crRecordSink crResultFile_GetSink(crResultFile* file)
{
  return (crRecordSink){ .context = file,
                         .begin = begin,
                         .addRow = addRow,
                         .addSample = addSample,
                         .addContact = addContact,
                         .addEvent = addEvent,
                         .end = end };
}

crStatus crWriteResult(const crResult* result, const char* path, const crAllocator* allocator, const crErrorSink* sink)
{
  if (path == NULL) {
    return cr_errorMisuse;
  }
  crResultFile file = { .path = path, .allocator = allocator, .sink = sink };
  crRecordSink into = crResultFile_GetSink(&file);
  return crResult_Replay(result, &into);
}
