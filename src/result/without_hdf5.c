// Results where there is no HDF5: none can be written into result.h5 or read from it. Runs write result.csv instead.
#include "base/absent.h"
#include "result/peek.h"

static crStatus tell(const crErrorSink* sink, const char* path)
{
  return crReportAbsent(sink, path, "this build of Carom has no HDF5: it neither writes nor reads result files",
                        "`carom run` writes result.csv and report.html");
}

bool crHasResultFiles(void)
{
  return false;
}

crStatus crCreateResultWriter(const crResultDef* def, const crAllocator* allocator, const crErrorSink* sink,
                              crResultWriter** outWriter)
{
  (void)allocator;
  if (def == NULL || outWriter == NULL) {
    return cr_errorMisuse;
  }
  *outWriter = NULL;
  return tell(sink, def->path);
}

crStatus crReopenResultWriter(const crResultDef* def, const crResultPlace* place, const crAllocator* allocator,
                              const crErrorSink* sink, crResultWriter** outWriter)
{
  (void)place;
  return crCreateResultWriter(def, allocator, sink, outWriter);
}

// Nobody has a writer: these are misuse.

crStatus crResultWriter_AddRow(crResultWriter* writer, const crRow* row)
{
  (void)writer;
  (void)row;
  return cr_errorMisuse;
}

crStatus crResultWriter_AddEvent(crResultWriter* writer, double time, const char* kind, const char* text)
{
  (void)writer;
  (void)time;
  (void)kind;
  (void)text;
  return cr_errorMisuse;
}

crStatus crResultWriter_AddContact(crResultWriter* writer, const crContactRecord* record)
{
  (void)writer;
  (void)record;
  return cr_errorMisuse;
}

crStatus crResultWriter_AddContactSample(crResultWriter* writer, const crContactRecord* sample)
{
  return crResultWriter_AddContact(writer, sample);
}

crStatus crResultWriter_Flush(crResultWriter* writer)
{
  (void)writer;
  return cr_errorMisuse;
}

crStatus crResultWriter_GetPlace(crResultWriter* writer, crResultPlace* outPlace)
{
  *outPlace = (crResultPlace){ 0 };
  return crResultWriter_Flush(writer);
}

crStatus crResultWriter_Close(crResultWriter* writer, bool isComplete, const char* exitReason, const char* runJson)
{
  (void)isComplete;
  (void)exitReason;
  (void)runJson;
  return crResultWriter_Flush(writer);
}

// ------------------------------------------------------------------------------------------ whole

static crStatus begin(void* context, const crResultDef* def)
{
  (void)def;
  const crResultFile* file = context;
  return tell(file->sink, file->path);
}

crRecordSink crResultFile_GetSink(crResultFile* file)
{
  return (crRecordSink){ .context = file, .begin = begin };
}

crStatus crWriteResult(const crResult* result, const char* path, const crAllocator* allocator, const crErrorSink* sink)
{
  (void)allocator;
  return result != NULL && path != NULL ? tell(sink, path) : cr_errorMisuse;
}

crStatus crReadResult(const char* path, const crAllocator* allocator, const crErrorSink* sink, crResult** outResult)
{
  (void)allocator;
  if (path == NULL || outResult == NULL) {
    return cr_errorMisuse;
  }
  *outResult = NULL;
  return tell(sink, path);
}

crStatus crPeekResult(const char* path, const crAllocator* allocator, const crErrorSink* sink, bool* outIsComplete)
{
  (void)allocator;
  *outIsComplete = false;
  return tell(sink, path);
}

bool crPeekRow(const char* path, const crAllocator* allocator, int row, int columnCount, double* outValues)
{
  (void)path;
  (void)allocator;
  (void)row;
  (void)columnCount;
  (void)outValues;
  return false;
}
