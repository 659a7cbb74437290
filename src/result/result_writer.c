// Writing result.h5 while the run goes on.
//
// Rows and events wait in bands (band.h). A full band goes to HDF5; once a second all bands do, and everything is
// committed (commit_file.h).
#include "base/map.h"
#include "base/report.h"
#include "base/text.h"
#include "result/band.h"
#include "result/commit_file.h"
#include "result/layout.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define CR_FLUSH_SECONDS 1.0          // [s] of wall time that a killed run may lose
#define CR_LARGEST_PENDING (64 << 20) // [bytes] that may wait for a commit; more are committed earlier
#define CR_MAX_ROWS (1 << 30)         // so that counts fit into an int

struct crResultWriter {
  crAllocator allocator;
  crErrorSink sink;
  crStatus status; // of the first failure; nothing is written any more
  crCommitFile* commitFile;
  hid_t file;
  char* path;
  size_t pathSize;
  crBand times, variables, events;
  struct timespec committed; // when
};

// -------------------------------------------------------------------------------------- complaints

static crStatus report(const crResultWriter* writer, crStatus status, const char* message, const char* found)
{
  crReporter reporter = crMakeReporter(&writer->sink, (crSource){ writer->path, 0, 0 }, NULL);
  crComplaint complaint = { .message = message, .found = found };
  crReport(&reporter, cr_severityError, status, &complaint);
  return status;
}

// Ends the writing. Only the first failure is reported; the others follow from it.
static crStatus fail(crResultWriter* writer, crStatus status, const char* message, const char* found)
{
  if (writer->status == cr_ok) {
    writer->status = report(writer, status, message, found);
  }
  return writer->status;
}

static crStatus failMemory(crResultWriter* writer)
{
  return fail(writer, cr_errorMemory, "out of memory while writing results", NULL);
}

static bool isText(const char* text)
{
  return text == NULL || crIsUtf8(text, strlen(text));
}

// ------------------------------------------------------------------------------------------- rows

// Hands full bands to HDF5, or all of them.
static void storeBands(crResultWriter* writer, bool isAll, bool isLast, crHdf5* hdf5)
{
  crBand* bands[] = { &writer->variables, &writer->times, &writer->events };
  for (int i = 0; i < 3; ++i) {
    if (isAll || crBand_IsFull(bands[i])) {
      crBand_Store(bands[i], isLast, hdf5, writer->commitFile);
    }
  }
}

static crStatus commit(crResultWriter* writer)
{
  int error;
  crStatus status = crCommitFile_Commit(writer->commitFile, &error);
  clock_gettime(CLOCK_MONOTONIC, &writer->committed);
  if (status == cr_errorMemory) {
    return failMemory(writer);
  }
  return status == cr_ok ? writer->status
                         : fail(writer, status, "the results cannot be written any further", strerror(error));
}

// Writes full bands; all of them and onto the disk if asked, or if much has gathered. isLast: no rows will follow.
static crStatus flush(crResultWriter* writer, bool isCommitted, bool isLast)
{
  if (writer->status != cr_ok) {
    return writer->status;
  }
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  isCommitted = isCommitted || crCommitFile_CountPending(writer->commitFile) > CR_LARGEST_PENDING;
  storeBands(writer, isCommitted || isLast, isLast, &hdf5);
  if (isCommitted) {
    crHdf5_Try(&hdf5, H5Fflush(writer->file, H5F_SCOPE_LOCAL));
  }
  crEndHdf5(&hdf5);
  if (hdf5.hasFailed) {
    return fail(writer, cr_errorFile, "the results cannot be written any further", hdf5.error);
  }
  return isCommitted ? commit(writer) : cr_ok;
}

static bool isFlushDue(const crResultWriter* writer)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double passed =
      (double)(now.tv_sec - writer->committed.tv_sec) + 1e-9 * (double)(now.tv_nsec - writer->committed.tv_nsec);
  return passed >= CR_FLUSH_SECONDS;
}

crStatus crResultWriter_AddRow(crResultWriter* writer, double time, const double* values)
{
  if (writer == NULL || (values == NULL && writer->variables.columnCount > 0)) {
    return cr_errorMisuse;
  }
  if (!isfinite(time)) {
    return report(writer, cr_errorMisuse, "the time of a row is not a finite number", NULL);
  }
  if (writer->status != cr_ok) {
    return writer->status;
  }
  if (crBand_CountRows(&writer->times) == CR_MAX_ROWS) {
    return fail(writer, cr_errorLimit, "a result cannot have more rows than 2^30", NULL);
  }
  crBand_AddRow(&writer->times, &time);
  crBand_AddRow(&writer->variables, values);
  bool isDue = isFlushDue(writer), isFull = crBand_IsFull(&writer->times) || crBand_IsFull(&writer->variables);
  return isDue || isFull ? flush(writer, isDue, false) : cr_ok;
}

// As many bytes of a text as fit into a record, whole characters only.
static size_t fittingSize(const char* text)
{
  size_t size = strlen(text);
  if (size > CR_EVENT_TEXT_SIZE) {
    size = CR_EVENT_TEXT_SIZE;
    while (((unsigned char)text[size] & 0xc0) == 0x80) {
      --size;
    }
  }
  return size;
}

static crStatus checkEvent(const crResultWriter* writer, double time, const char* kind, const char* text)
{
  if (!isfinite(time)) {
    return report(writer, cr_errorMisuse, "the time of an event is not a finite number", NULL);
  }
  if (!isText(kind) || !isText(text)) {
    return report(writer, cr_errorMisuse, "kind or text of an event is not UTF-8", NULL);
  }
  if (strlen(kind) > CR_EVENT_KIND_SIZE) {
    return report(writer, cr_errorMisuse, "the kind of an event is longer than 28 bytes", kind);
  }
  return cr_ok;
}

crStatus crResultWriter_AddEvent(crResultWriter* writer, double time, const char* kind, const char* text)
{
  if (writer == NULL || kind == NULL || text == NULL) {
    return cr_errorMisuse;
  }
  crStatus status = checkEvent(writer, time, kind, text);
  if (status != cr_ok || writer->status != cr_ok) {
    return status != cr_ok ? status : writer->status;
  }
  crEventRecord record = { .time = time };
  memcpy(record.kind, kind, strlen(kind));
  do {
    if (crBand_CountRows(&writer->events) == CR_MAX_ROWS) {
      return fail(writer, cr_errorLimit, "a result cannot have more events than 2^30", NULL);
    }
    size_t size = fittingSize(text);
    memset(record.text, 0, sizeof record.text);
    memcpy(record.text, text, size);
    text += size;
    crBand_AddRow(&writer->events, &record);
    status = crBand_IsFull(&writer->events) ? flush(writer, false, false) : cr_ok;
    ++record.part;
  } while (*text != '\0' && status == cr_ok);
  return status == cr_ok && isFlushDue(writer) ? flush(writer, true, false) : status;
}

crStatus crResultWriter_Flush(crResultWriter* writer)
{
  return writer != NULL ? flush(writer, true, false) : cr_errorMisuse;
}

// ----------------------------------------------------------------------------------------- creating

typedef const char* (*ColumnText)(const crColumn* column);

static const char* nameOf(const crColumn* column)
{
  return column->name;
}

static const char* unitOf(const crColumn* column)
{
  return column->unit != NULL ? column->unit : "1";
}

static const char* descriptionOf(const crColumn* column)
{
  return column->description != NULL ? column->description : "";
}

// Names are found again by tools, so each is there, and there once.
static crStatus checkColumns(crResultWriter* writer, const crResultDef* def)
{
  crMap names;
  crMap_Init(&names, &writer->allocator);
  crStatus status = cr_ok;
  for (int i = 0; i < def->columnCount && status != cr_errorMemory; ++i) {
    const crColumn* column = &def->columns[i];
    if (column->name == NULL || column->name[0] == '\0') {
      status = report(writer, cr_errorMisuse, "a variable has no name", NULL);
    } else if (!isText(column->name) || !isText(column->unit) || !isText(column->description)) {
      status = report(writer, cr_errorMisuse, "name, unit or description of a variable is not UTF-8", NULL);
    } else if (crMap_FindString(&names, column->name) >= 0 || strcmp(column->name, "time") == 0) {
      status = report(writer, cr_errorMisuse, "two variables have the same name", column->name);
    } else if (!crMap_SetString(&names, column->name, i)) {
      status = failMemory(writer);
    }
  }
  crMap_Free(&names);
  return status;
}

static crStatus writeColumnTexts(crResultWriter* writer, const crResultDef* def, const char* name, ColumnText textOf)
{
  size_t width = 1, count = (size_t)def->columnCount;
  for (int i = 0; i < def->columnCount; ++i) {
    size_t length = strlen(textOf(&def->columns[i]));
    width = length > width ? length : width;
  }
  char* texts = crAllocateZero(&writer->allocator, count > 0 ? count : 1, width);
  if (texts == NULL) {
    return failMemory(writer);
  }
  for (int i = 0; i < def->columnCount; ++i) {
    const char* text = textOf(&def->columns[i]);
    memcpy(texts + (size_t)i * width, text, strlen(text));
  }
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  crWriteTextList(&hdf5, writer->file, name, texts, def->columnCount, width);
  crEndHdf5(&hdf5);
  crFree(&writer->allocator, texts, (count > 0 ? count : 1) * width);
  return hdf5.hasFailed ? fail(writer, cr_errorFile, "the variables cannot be written", hdf5.error) : cr_ok;
}

// Everything but the variables' texts.
static crStatus createRecords(crResultWriter* writer, const crResultDef* def)
{
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  writer->file = crCommitFile_OpenHdf5(writer->commitFile, &hdf5);
  if (!hdf5.hasFailed) {
    crWriteTextAttribute(&hdf5, writer->file, CR_ATTRIBUTE_VERSION, CAROM_VERSION);
    crWriteNumberAttribute(&hdf5, writer->file, CR_ATTRIBUTE_FORMAT, CR_RESULT_FORMAT);
    crWriteNumberAttribute(&hdf5, writer->file, CR_ATTRIBUTE_COMPLETE, 0);
    crWriteTextAttribute(&hdf5, writer->file, CR_ATTRIBUTE_EXIT, CR_EXIT_RUNNING);
    crWriteTextAttribute(&hdf5, writer->file, CR_ATTRIBUTE_MODEL, def->modelName != NULL ? def->modelName : "");
    if (def->sceneJson != NULL) {
      crWriteTextDataset(&hdf5, writer->file, CR_DATASET_SCENE, def->sceneJson);
    }
    writer->times.dataset = crCreateTimeDataset(&hdf5, writer->file, writer->times.chunking);
    writer->variables.dataset =
        crCreateVariableDataset(&hdf5, writer->file, def->columnCount, writer->variables.chunking);
    writer->events.dataset = crCreateEventDataset(&hdf5, writer->file, writer->events.chunking);
  }
  crEndHdf5(&hdf5);
  return hdf5.hasFailed ? fail(writer, cr_errorFile, "the result file cannot be made", hdf5.error) : cr_ok;
}

static crStatus makeBands(crResultWriter* writer, const crResultDef* def)
{
  const crAllocator* allocator = &writer->allocator;
  crChunking variables = crChooseVariableChunking(def->columnCount, def->expectedRows);
  crChunking times = crChooseTimeChunking(def->expectedRows), events = crChooseEventChunking();
  bool isMade = crBand_Init(&writer->variables, def->columnCount, variables, allocator);
  isMade = crBand_Init(&writer->times, 1, times, allocator) && isMade;
  isMade = crBand_Init(&writer->events, events.columns, events, allocator) && isMade;
  return isMade ? cr_ok : failMemory(writer);
}

static crStatus makeFile(crResultWriter* writer, const crResultDef* def)
{
  crStatus status = checkColumns(writer, def);
  if (status == cr_ok) {
    status = makeBands(writer, def);
  }
  if (status == cr_ok) {
    status = crCreateCommitFile(def->path, &writer->allocator, &writer->sink, &writer->commitFile);
  }
  if (status == cr_ok) {
    status = createRecords(writer, def);
  }
  if (status == cr_ok) {
    status = writeColumnTexts(writer, def, CR_DATASET_NAMES, nameOf);
  }
  if (status == cr_ok) {
    status = writeColumnTexts(writer, def, CR_DATASET_UNITS, unitOf);
  }
  if (status == cr_ok) {
    status = writeColumnTexts(writer, def, CR_DATASET_DESCRIPTIONS, descriptionOf);
  }
  if (status == cr_ok) {
    status = flush(writer, true, false);
  }
  if (status == cr_ok) {
    int error = crCommitFile_Publish(writer->commitFile);
    status = error != 0 ? fail(writer, cr_errorFile, "the result file cannot be made", strerror(error)) : cr_ok;
  }
  return status;
}

static void closeIds(crResultWriter* writer, crHdf5* hdf5)
{
  hid_t datasets[] = { writer->times.dataset, writer->variables.dataset, writer->events.dataset };
  for (int i = 0; i < 3; ++i) {
    if (datasets[i] >= 0) {
      crHdf5_Try(hdf5, H5Dclose(datasets[i]));
    }
  }
  if (writer->file >= 0) {
    crHdf5_Try(hdf5, H5Fclose(writer->file));
  }
  writer->file = H5I_INVALID_HID;
}

static crStatus destroy(crResultWriter* writer)
{
  crAllocator allocator = writer->allocator;
  if (writer->commitFile != NULL) {
    int error = crDestroyCommitFile(writer->commitFile);
    if (error != 0) {
      fail(writer, cr_errorFile, "the result file cannot be closed", strerror(error));
    }
  }
  crStatus status = writer->status;
  crBand_Free(&writer->times);
  crBand_Free(&writer->variables);
  crBand_Free(&writer->events);
  crFree(&allocator, writer->path, writer->pathSize);
  crFree(&allocator, writer, sizeof *writer);
  return status;
}

crStatus crCreateResult(const crResultDef* def, const crAllocator* allocator, const crErrorSink* sink,
                        crResultWriter** outWriter)
{
  if (outWriter == NULL) {
    return cr_errorMisuse;
  }
  *outWriter = NULL;
  if (def == NULL || def->path == NULL || def->columnCount < 0 || def->expectedRows < 0 ||
      (def->columns == NULL && def->columnCount > 0)) {
    return cr_errorMisuse;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crResultWriter* writer = crAllocateZero(&chosen, 1, sizeof *writer);
  if (writer == NULL) {
    return cr_errorMemory;
  }
  writer->allocator = chosen;
  writer->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  writer->file = writer->times.dataset = writer->variables.dataset = writer->events.dataset = H5I_INVALID_HID;
  writer->pathSize = strlen(def->path) + 1;
  writer->path = crAllocate(&chosen, writer->pathSize);
  crStatus status = writer->path != NULL ? cr_ok : cr_errorMemory;
  if (status == cr_ok) {
    memcpy(writer->path, def->path, writer->pathSize);
    status = makeFile(writer, def);
  }
  if (status != cr_ok) {
    crHdf5 hdf5;
    crBeginHdf5(&hdf5);
    closeIds(writer, &hdf5);
    crEndHdf5(&hdf5);
    destroy(writer);
    return status;
  }
  *outWriter = writer;
  return cr_ok;
}

// ------------------------------------------------------------------------------------------ closing

crStatus crResultWriter_Close(crResultWriter* writer, bool isComplete, const char* exitReason, const char* runJson)
{
  if (writer == NULL) {
    return cr_errorMisuse;
  }
  flush(writer, false, true);
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  if (writer->status == cr_ok) {
    crWriteNumberAttribute(&hdf5, writer->file, CR_ATTRIBUTE_COMPLETE, isComplete ? 1 : 0);
    crWriteTextAttribute(&hdf5, writer->file, CR_ATTRIBUTE_EXIT, exitReason != NULL ? exitReason : "");
    if (runJson != NULL) {
      crWriteTextDataset(&hdf5, writer->file, CR_DATASET_RUN, runJson);
    }
  }
  closeIds(writer, &hdf5);
  crEndHdf5(&hdf5);
  if (hdf5.hasFailed) {
    fail(writer, cr_errorFile, "the results cannot be written any further", hdf5.error);
  } else if (writer->status == cr_ok) {
    commit(writer);
  }
  return destroy(writer);
}
