// Writing result.h5 while the run goes on.
//
// Rows wait in a band (band.h) and go to HDF5 when it is full or a second has passed; then everything is committed
// (commit_file.h).
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
#define CR_SPARE_ROWS 1               // so that counts of rows fit into an int

struct crResultWriter {
  crAllocator allocator;
  crErrorSink sink;
  crStatus status; // of the first failure; nothing is written any more
  crCommitFile* commitFile;
  hid_t file, timeSet, variableSet, eventSet;
  char* path;
  size_t pathSize;
  crBand band;
  double* times;    // (band.chunking.rows) [s] of the rows that wait
  int writtenTimes; // in the file
  crArrayOf(crEventRecord) waitingEvents;
  crArena eventTexts; // of the waiting events
  int writtenEvents;
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

// ------------------------------------------------------------------------------------------- rows

// Hands what waits to HDF5.
static void writeWaiting(crResultWriter* writer, bool isLast, crHdf5* hdf5)
{
  int rows = crBand_CountRows(&writer->band) - writer->writtenTimes, events = writer->waitingEvents.count;
  int mark = hdf5->idCount;
  if (rows > 0) {
    crBand_Store(&writer->band, writer->variableSet, isLast, hdf5, writer->commitFile);
    crAppendElements(hdf5, writer->timeSet, H5T_NATIVE_DOUBLE, writer->writtenTimes, rows, writer->times);
    writer->writtenTimes += rows;
  }
  if (events > 0) {
    crAppendElements(hdf5, writer->eventSet, crMakeEventType(hdf5), writer->writtenEvents, events,
                     writer->waitingEvents.items);
    writer->writtenEvents += events;
    writer->waitingEvents.count = 0;
    crArena_Clear(&writer->eventTexts);
  }
  crHdf5_CloseTo(hdf5, mark);
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

// Writes what waits; also onto the disk if asked, or if much has gathered. isLast: no rows will follow.
static crStatus flush(crResultWriter* writer, bool isCommitted, bool isLast)
{
  if (writer->status != cr_ok) {
    return writer->status;
  }
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  writeWaiting(writer, isLast, &hdf5);
  isCommitted = isCommitted || crCommitFile_CountPending(writer->commitFile) > CR_LARGEST_PENDING;
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
  if (writer == NULL || (values == NULL && writer->band.columnCount > 0)) {
    return cr_errorMisuse;
  }
  if (!isfinite(time)) {
    return report(writer, cr_errorMisuse, "the time of a row is not a finite number", NULL);
  }
  if (writer->status != cr_ok) {
    return writer->status;
  }
  if (crBand_CountRows(&writer->band) == INT_MAX - CR_SPARE_ROWS) {
    return fail(writer, cr_errorLimit, "a result cannot have so many rows", "2^31");
  }
  writer->times[crBand_CountRows(&writer->band) - writer->writtenTimes] = time;
  crBand_AddRow(&writer->band, values);
  bool isDue = isFlushDue(writer);
  return isDue || crBand_IsFull(&writer->band) ? flush(writer, isDue, false) : cr_ok;
}

crStatus crResultWriter_AddEvent(crResultWriter* writer, double time, const char* kind, const char* text)
{
  if (writer == NULL || kind == NULL || text == NULL) {
    return cr_errorMisuse;
  }
  if (!isfinite(time)) {
    return report(writer, cr_errorMisuse, "the time of an event is not a finite number", NULL);
  }
  if (writer->status != cr_ok) {
    return writer->status;
  }
  if (writer->writtenEvents > INT_MAX / 2) {
    return fail(writer, cr_errorLimit, "a result cannot have more than 2^30 events", NULL);
  }
  crEventRecord record = { time, crArena_CopyString(&writer->eventTexts, kind),
                           crArena_CopyString(&writer->eventTexts, text) };
  crEventRecord* place =
      record.kind != NULL && record.text != NULL ? crArray_Push(&writer->waitingEvents, &writer->allocator) : NULL;
  if (place == NULL) {
    return failMemory(writer);
  }
  *place = record;
  return isFlushDue(writer) ? flush(writer, true, false) : cr_ok;
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

static bool isText(const char* text)
{
  return text == NULL || crIsUtf8(text, strlen(text));
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
    writer->timeSet = crCreateTimeDataset(&hdf5, writer->file);
    writer->variableSet = crCreateVariableDataset(&hdf5, writer->file, def->columnCount, writer->band.chunking);
    writer->eventSet = crCreateEventDataset(&hdf5, writer->file);
  }
  crEndHdf5(&hdf5);
  return hdf5.hasFailed ? fail(writer, cr_errorFile, "the result file cannot be made", hdf5.error) : cr_ok;
}

static crStatus allocateBuffers(crResultWriter* writer, const crResultDef* def)
{
  crChunking chunking = crChooseChunking(def->columnCount, def->expectedRows);
  bool isMade = crBand_Init(&writer->band, def->columnCount, chunking, &writer->allocator);
  writer->times = crAllocateZero(&writer->allocator, (size_t)chunking.rows, sizeof(double));
  return isMade && writer->times != NULL ? cr_ok : failMemory(writer);
}

static crStatus makeFile(crResultWriter* writer, const crResultDef* def)
{
  crStatus status = checkColumns(writer, def);
  if (status == cr_ok) {
    status = allocateBuffers(writer, def);
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
  hid_t datasets[] = { writer->timeSet, writer->variableSet, writer->eventSet };
  for (int i = 0; i < 3; ++i) {
    if (datasets[i] >= 0) {
      crHdf5_Try(hdf5, H5Dclose(datasets[i]));
    }
  }
  if (writer->file >= 0) {
    crHdf5_Try(hdf5, H5Fclose(writer->file));
  }
  writer->timeSet = writer->variableSet = writer->eventSet = writer->file = H5I_INVALID_HID;
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
  crFree(&allocator, writer->times, (size_t)writer->band.chunking.rows * sizeof(double));
  crBand_Free(&writer->band);
  crFree(&allocator, writer->path, writer->pathSize);
  crArray_Free(&writer->waitingEvents, &allocator);
  crArena_Free(&writer->eventTexts);
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
  writer->band.allocator = chosen;
  writer->file = writer->timeSet = writer->variableSet = writer->eventSet = H5I_INVALID_HID;
  crArena_Init(&writer->eventTexts, &chosen);
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
