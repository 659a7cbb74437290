// Writing result.h5 while the run goes on.
//
// Rows, events and contacts wait in bands (band.h). A full band goes to HDF5; once a second all bands do, and
// everything is committed (commit_file.h).
#include "result/result_writer.h"

#include "base/map.h"
#include "base/report.h"
#include "base/text.h"
#include "result/mesh_record.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_FLUSH_SECONDS 1.0          // [s] of wall time that a killed run may lose
#define CR_END_RESERVE (64 << 10)     // [bytes] for how a run ended, where the disk is full; some kilobytes are needed
#define CR_LARGEST_PENDING (64 << 20) // [bytes] that may wait for a commit; more are committed earlier

// -------------------------------------------------------------------------------------- complaints

crStatus crResultWriter_Report(const crResultWriter* writer, crStatus status, const char* message, const char* found)
{
  crReporter reporter = crMakeReporter(&writer->sink, (crSource){ writer->path, 0, 0 }, NULL);
  crComplaint complaint = { .message = message, .found = found };
  crReport(&reporter, cr_severityError, status, &complaint);
  return status;
}

crStatus crResultWriter_Fail(crResultWriter* writer, crStatus status, const char* message, const char* found)
{
  if (writer->status == cr_ok) {
    writer->status = crResultWriter_Report(writer, status, message, found);
  }
  return writer->status;
}

static crStatus failMemory(crResultWriter* writer)
{
  return crResultWriter_Fail(writer, cr_errorMemory, "out of memory while writing results", NULL);
}

// A full disk, for example. What was committed before stays.
static crStatus failWriting(crResultWriter* writer, crStatus status, const char* found)
{
  if (writer->status == cr_ok) {
    char hint[128];
    snprintf(hint, sizeof hint, "%d rows are kept, up to %.6g s", writer->keptRows, writer->keptTime);
    crReporter reporter = crMakeReporter(&writer->sink, (crSource){ writer->path, 0, 0 }, NULL);
    crComplaint complaint = { .message = "the results cannot be written any further",
                              .found = found,
                              .hint = writer->keptRows > 0 ? hint : "no row was written before" };
    crReport(&reporter, cr_severityError, status, &complaint);
    writer->status = status;
  }
  return writer->status;
}

// Calls of HDF5 have failed. NULL message: those that write rows.
static crStatus failCalls(crResultWriter* writer, const crHdf5* hdf5, const char* message)
{
  return hdf5->isOutOfMemory ? failMemory(writer)
         : message == NULL   ? failWriting(writer, cr_errorFile, hdf5->error)
                             : crResultWriter_Fail(writer, cr_errorFile, message, hdf5->error);
}

static bool isText(const char* text)
{
  return text == NULL || crIsUtf8(text, strlen(text));
}

// ------------------------------------------------------------------------------------------- rows

// Hands full bands to HDF5, or all of them.
static void storeBands(crResultWriter* writer, bool isAll, bool isLast, crHdf5* hdf5)
{
  for (int i = 0; i < cr_bandCount; ++i) {
    if (isAll || crBand_IsFull(&writer->bands[i])) {
      crBand_Store(&writer->bands[i], isLast, hdf5, writer->commitFile);
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
  if (status != cr_ok) {
    return failWriting(writer, status, strerror(error));
  }
  writer->keptRows = crBand_CountRows(&writer->bands[cr_bandTimes]);
  writer->keptTime = writer->lastTime;
  return writer->status;
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
    return failCalls(writer, &hdf5, NULL);
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

crStatus crResultWriter_FlushIfDue(crResultWriter* writer)
{
  return isFlushDue(writer) ? flush(writer, true, false) : cr_ok;
}

crStatus crResultWriter_AddRecord(crResultWriter* writer, crBandKind kind, const void* record, const char* tooMany)
{
  crBand* band = &writer->bands[kind];
  if (writer->status != cr_ok) {
    return writer->status;
  }
  if (crBand_CountRows(band) == CR_MAX_ROWS) {
    return crResultWriter_Fail(writer, cr_errorLimit, tooMany, NULL);
  }
  crBand_AddRow(band, record);
  return crBand_IsFull(band) ? flush(writer, false, false) : cr_ok;
}

crStatus crResultWriter_AddRow(crResultWriter* writer, const crRow* row)
{
  if (writer == NULL || row == NULL || (unsigned)row->kind > cr_rowAfter) {
    return cr_errorMisuse;
  }
  crBand *variables = &writer->bands[cr_bandVariables], *bodies = &writer->bands[cr_bandPoses];
  crBand *times = &writer->bands[cr_bandTimes], *kinds = &writer->bands[cr_bandKinds];
  if ((row->values == NULL && variables->columnCount > 0) || (row->poses == NULL && bodies->columnCount > 0) ||
      (row->kind != cr_rowOutput && kinds->columnCount == 0)) {
    return cr_errorMisuse;
  }
  if (!isfinite(row->time)) {
    return crResultWriter_Report(writer, cr_errorMisuse, "the time of a row is not a finite number", NULL);
  }
  if (writer->status != cr_ok) {
    return writer->status;
  }
  if (crBand_CountRows(times) == CR_MAX_ROWS) {
    return crResultWriter_Fail(writer, cr_errorLimit, "a result cannot have more rows than 2^30", NULL);
  }
  uint8_t kind = (uint8_t)row->kind;
  writer->lastTime = row->time;
  crBand_AddRow(times, &row->time);
  crBand_AddRow(variables, row->values);
  crBand_AddRow(bodies, row->poses);
  crBand_AddRow(kinds, &kind);
  bool isDue = isFlushDue(writer);
  bool isFull = crBand_IsFull(times) || crBand_IsFull(variables) || crBand_IsFull(bodies) || crBand_IsFull(kinds);
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
    return crResultWriter_Report(writer, cr_errorMisuse, "the time of an event is not a finite number", NULL);
  }
  if (!isText(kind) || !isText(text)) {
    return crResultWriter_Report(writer, cr_errorMisuse, "kind or text of an event is not UTF-8", NULL);
  }
  if (strlen(kind) > CR_EVENT_KIND_SIZE) {
    return crResultWriter_Report(writer, cr_errorMisuse, "the kind of an event is longer than 28 bytes", kind);
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
    size_t size = fittingSize(text);
    memset(record.text, 0, sizeof record.text);
    memcpy(record.text, text, size);
    text += size;
    status = crResultWriter_AddRecord(writer, cr_bandEvents, &record, "a result cannot have more events than 2^30");
    ++record.part;
  } while (*text != '\0' && status == cr_ok);
  return status == cr_ok ? crResultWriter_FlushIfDue(writer) : status;
}

crStatus crResultWriter_Flush(crResultWriter* writer)
{
  return writer != NULL ? flush(writer, true, false) : cr_errorMisuse;
}

crStatus crResultWriter_GetPlace(crResultWriter* writer, crResultPlace* outPlace)
{
  if (writer == NULL || outPlace == NULL) {
    return cr_errorMisuse;
  }
  *outPlace = (crResultPlace){ .rowCount = crBand_CountRows(&writer->bands[cr_bandTimes]),
                               .eventCount = crBand_CountRows(&writer->bands[cr_bandEvents]),
                               .contactCount = crBand_CountRows(&writer->bands[cr_bandContacts]),
                               .sampleCount = crBand_CountRows(&writer->bands[cr_bandSamples]),
                               .cornerCount = crBand_CountRows(&writer->bands[cr_bandCorners]),
                               .time = writer->lastTime };
  return flush(writer, true, false);
}

// ----------------------------------------------------------------------------------------- creating

// The text number i of a list.
typedef const char* (*ListText)(const crResultDef* def, int i);

static const char* nameOf(const crResultDef* def, int i)
{
  return def->columns[i].name;
}

static const char* unitOf(const crResultDef* def, int i)
{
  return def->columns[i].unit != NULL ? def->columns[i].unit : "1";
}

static const char* descriptionOf(const crResultDef* def, int i)
{
  return def->columns[i].description != NULL ? def->columns[i].description : "";
}

static const char* bodyOf(const crResultDef* def, int i)
{
  return def->bodies[i];
}

static const char* objectOf(const crResultDef* def, int i)
{
  return def->objects[i];
}

static bool areTexts(const char* const* texts, int count)
{
  for (int i = 0; i < count; ++i) {
    if (texts[i] == NULL || !isText(texts[i])) {
      return false;
    }
  }
  return true;
}

static crStatus checkTexts(const crResultWriter* writer, const crResultDef* def)
{
  if (!areTexts(def->bodies, def->bodyCount) || !areTexts(def->objects, def->objectCount)) {
    return crResultWriter_Report(writer, cr_errorMisuse, "the path of a body or object is not UTF-8", NULL);
  }
  if (!isText(def->modelName) || !isText(def->sceneJson) || !isText(def->sourceText)) {
    return crResultWriter_Report(writer, cr_errorMisuse, "the model's name, scene or source is not UTF-8", NULL);
  }
  return cr_ok;
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
      status = crResultWriter_Report(writer, cr_errorMisuse, "a variable has no name", NULL);
    } else if (!isText(column->name) || !isText(column->unit) || !isText(column->description)) {
      status =
          crResultWriter_Report(writer, cr_errorMisuse, "name, unit or description of a variable is not UTF-8", NULL);
    } else if (crMap_FindString(&names, column->name) >= 0 || strcmp(column->name, "time") == 0) {
      status = crResultWriter_Report(writer, cr_errorMisuse, "two variables have the same name", column->name);
    } else if (!crMap_SetString(&names, column->name, i)) {
      status = failMemory(writer);
    }
  }
  crMap_Free(&names);
  return status;
}

static crStatus writeTexts(crResultWriter* writer, const crResultDef* def, const char* name, int textCount,
                           ListText textOf)
{
  size_t width = 1, count = (size_t)textCount;
  for (int i = 0; i < textCount; ++i) {
    size_t length = strlen(textOf(def, i));
    width = length > width ? length : width;
  }
  char* texts = crAllocateZero(&writer->allocator, count > 0 ? count : 1, width);
  if (texts == NULL) {
    return failMemory(writer);
  }
  for (int i = 0; i < textCount; ++i) {
    const char* text = textOf(def, i);
    memcpy(texts + (size_t)i * width, text, strlen(text));
  }
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  crWriteTextList(&hdf5, writer->file, name, texts, textCount, width);
  crEndHdf5(&hdf5);
  crFree(&writer->allocator, texts, (count > 0 ? count : 1) * width);
  return hdf5.hasFailed ? failCalls(writer, &hdf5, "the variables cannot be written") : cr_ok;
}

static crStatus writeLists(crResultWriter* writer, const crResultDef* def)
{
  const struct {
    const char* name;
    int count;
    ListText textOf;
    bool isThere;
  } lists[] = {
    { CR_DATASET_NAMES, def->columnCount, nameOf, true },
    { CR_DATASET_UNITS, def->columnCount, unitOf, true },
    { CR_DATASET_DESCRIPTIONS, def->columnCount, descriptionOf, true },
    { CR_DATASET_BODIES, def->bodyCount, bodyOf, def->bodyCount > 0 },
    { CR_DATASET_OBJECTS, def->objectCount, objectOf, def->objectCount > 0 },
  };
  crStatus status = cr_ok;
  for (size_t i = 0; i < sizeof lists / sizeof *lists && status == cr_ok; ++i) {
    status = lists[i].isThere ? writeTexts(writer, def, lists[i].name, lists[i].count, lists[i].textOf) : cr_ok;
  }
  return status;
}

static void createDatasets(crResultWriter* writer, const crResultDef* def, crHdf5* hdf5)
{
  int mark = hdf5->idCount;
  crBand* bands = writer->bands;
  hid_t file = writer->file, number = H5T_NATIVE_DOUBLE;
  bands[cr_bandTimes].dataset = crCreateList(hdf5, file, CR_DATASET_TIME, number, bands[cr_bandTimes].chunking);
  bands[cr_bandVariables].dataset =
      crCreateTable(hdf5, file, CR_DATASET_VARIABLES, number, def->columnCount, bands[cr_bandVariables].chunking);
  bands[cr_bandEvents].dataset =
      crCreateList(hdf5, file, CR_DATASET_EVENTS, crMakeEventType(hdf5), bands[cr_bandEvents].chunking);
  if (def->hasEventRows) {
    bands[cr_bandKinds].dataset =
        crCreateList(hdf5, file, CR_DATASET_KINDS, H5T_NATIVE_UINT8, bands[cr_bandKinds].chunking);
  }
  if (def->bodyCount > 0) {
    bands[cr_bandPoses].dataset = crCreateTable(hdf5, file, CR_DATASET_POSES, H5T_NATIVE_FLOAT,
                                                CR_POSE_SIZE * def->bodyCount, bands[cr_bandPoses].chunking);
  }
  if (def->objectCount > 0) {
    bands[cr_bandContacts].dataset =
        crCreateList(hdf5, file, CR_DATASET_CONTACTS, crMakeContactType(hdf5), bands[cr_bandContacts].chunking);
    bands[cr_bandSamples].dataset =
        crCreateList(hdf5, file, CR_DATASET_SAMPLES, crMakeSampleType(hdf5), bands[cr_bandSamples].chunking);
    bands[cr_bandCorners].dataset =
        crCreateList(hdf5, file, CR_DATASET_CORNERS, crMakeCornerType(hdf5), bands[cr_bandCorners].chunking);
  }
  crHdf5_CloseTo(hdf5, mark);
}

// Everything but the lists of texts.
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
    if (def->sourceText != NULL) {
      crWriteTextDataset(&hdf5, writer->file, CR_DATASET_SOURCE, def->sourceText);
    }
    crWriteMeshes(&hdf5, writer->file, def->meshes, def->meshCount);
    createDatasets(writer, def, &hdf5);
  }
  crEndHdf5(&hdf5);
  return hdf5.hasFailed ? failCalls(writer, &hdf5, "the result file cannot be made") : cr_ok;
}

// Bands that are not asked for have no columns; rows that are added to them take no memory.
static crStatus makeBands(crResultWriter* writer, const crResultDef* def)
{
  const crAllocator* allocator = &writer->allocator;
  crChunking contacts = crChooseRecordChunking(sizeof(crStoredContact));
  crChunking samples = crChooseRecordChunking(sizeof(crStoredSample));
  crChunking corners = crChooseRecordChunking(sizeof(crPatchCorner));
  crChunking events = crChooseRecordChunking(sizeof(crEventRecord));
  bool isMade = crBand_Init(&writer->bands[cr_bandVariables], def->columnCount,
                            crChooseVariableChunking(def->columnCount, def->expectedRows), allocator);
  isMade = crBand_Init(&writer->bands[cr_bandPoses], CR_POSE_SIZE * def->bodyCount,
                       crChoosePoseChunking(def->bodyCount, def->expectedRows), allocator) &&
           isMade;
  isMade = crBand_Init(&writer->bands[cr_bandTimes], 1, crChooseTimeChunking(def->expectedRows), allocator) && isMade;
  isMade = crBand_Init(&writer->bands[cr_bandKinds], def->hasEventRows ? 1 : 0, crChooseKindChunking(def->expectedRows),
                       allocator) &&
           isMade;
  isMade = crBand_Init(&writer->bands[cr_bandEvents], events.columns, events, allocator) && isMade;
  isMade =
      crBand_Init(&writer->bands[cr_bandContacts], def->objectCount > 0 ? contacts.columns : 0, contacts, allocator) &&
      isMade;
  isMade =
      crBand_Init(&writer->bands[cr_bandSamples], def->objectCount > 0 ? samples.columns : 0, samples, allocator) &&
      isMade;
  isMade =
      crBand_Init(&writer->bands[cr_bandCorners], def->objectCount > 0 ? corners.columns : 0, corners, allocator) &&
      isMade;
  return isMade ? cr_ok : failMemory(writer);
}

// Makes all that a result without rows has, in a file that nobody sees yet.
static crStatus makeFile(crResultWriter* writer, const crResultDef* def)
{
  crStatus status = checkColumns(writer, def);
  if (status == cr_ok) {
    status = checkTexts(writer, def);
  }
  if (status == cr_ok) {
    status = makeBands(writer, def);
  }
  if (status == cr_ok) {
    status = crCreateCommitFile(def->path, &writer->allocator, &writer->sink, &writer->commitFile);
  }
  if (status == cr_ok) {
    crCommitFile_Reserve(writer->commitFile, CR_END_RESERVE);
  }
  if (status == cr_ok) {
    status = createRecords(writer, def);
  }
  return status == cr_ok ? writeLists(writer, def) : status;
}

crStatus crResultWriter_Publish(crResultWriter* writer)
{
  crStatus status = flush(writer, true, false);
  if (status != cr_ok) {
    return status;
  }
  int error = crCommitFile_Publish(writer->commitFile);
  return error == 0 ? cr_ok
                    : crResultWriter_Fail(writer, cr_errorFile, "the result file cannot be made", strerror(error));
}

static void closeIds(crResultWriter* writer, crHdf5* hdf5)
{
  for (int i = 0; i < cr_bandCount; ++i) {
    if (writer->bands[i].dataset >= 0) {
      crHdf5_Try(hdf5, H5Dclose(writer->bands[i].dataset));
      writer->bands[i].dataset = H5I_INVALID_HID;
    }
  }
  if (writer->commitFile != NULL) {
    crCommitFile_CloseHdf5(writer->commitFile, writer->file, hdf5);
  }
  writer->file = H5I_INVALID_HID;
}

static crStatus destroy(crResultWriter* writer)
{
  crAllocator allocator = writer->allocator;
  if (writer->commitFile != NULL) {
    int error = crDestroyCommitFile(writer->commitFile);
    if (error != 0) {
      crResultWriter_Fail(writer, cr_errorFile, "the result file cannot be closed", strerror(error));
    }
  }
  crStatus status = writer->status;
  for (int i = 0; i < cr_bandCount; ++i) {
    crBand_Free(&writer->bands[i]);
  }
  crFree(&allocator, writer->path, writer->pathSize);
  crFree(&allocator, writer, sizeof *writer);
  return status;
}

bool crCheckResultDef(const crResultDef* def, const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  return def != NULL && crCheckSize(&reporter, "crResultDef", def->size, sizeof *def) && def->path != NULL &&
         def->columnCount >= 0 && def->expectedRows >= 0 && def->bodyCount >= 0 &&
         def->bodyCount <= INT_MAX / CR_POSE_SIZE && def->objectCount >= 0 &&
         (def->columns != NULL || def->columnCount == 0) && (def->bodies != NULL || def->bodyCount == 0) &&
         (def->objects != NULL || def->objectCount == 0) && def->meshCount >= 0 &&
         (def->meshes != NULL || def->meshCount == 0);
}

void crResultWriter_Abandon(crResultWriter* writer)
{
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  closeIds(writer, &hdf5);
  crEndHdf5(&hdf5);
  destroy(writer);
}

crStatus crMakeResultWriter(const crResultDef* def, const crAllocator* allocator, const crErrorSink* sink,
                            crResultWriter** outWriter)
{
  if (!crCheckResultDef(def, sink)) {
    return cr_errorMisuse;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crResultWriter* writer = crAllocateZero(&chosen, 1, sizeof *writer);
  if (writer == NULL) {
    return cr_errorMemory;
  }
  writer->allocator = chosen;
  writer->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  writer->objectCount = def->objectCount;
  writer->file = H5I_INVALID_HID;
  for (int i = 0; i < cr_bandCount; ++i) {
    writer->bands[i].dataset = H5I_INVALID_HID;
  }
  writer->pathSize = strlen(def->path) + 1;
  writer->path = crAllocate(&chosen, writer->pathSize);
  crStatus status = writer->path != NULL ? cr_ok : cr_errorMemory;
  if (status == cr_ok) {
    memcpy(writer->path, def->path, writer->pathSize);
    status = makeFile(writer, def);
  }
  if (status != cr_ok) {
    crResultWriter_Abandon(writer);
    return status;
  }
  *outWriter = writer;
  return cr_ok;
}

crStatus crCreateResultWriter(const crResultDef* def, const crAllocator* allocator, const crErrorSink* sink,
                              crResultWriter** outWriter)
{
  if (outWriter == NULL) {
    return cr_errorMisuse;
  }
  *outWriter = NULL;
  crResultWriter* writer = NULL;
  crStatus status = crMakeResultWriter(def, allocator, sink, &writer);
  if (status == cr_ok) {
    status = crResultWriter_Publish(writer);
    if (status != cr_ok) {
      crResultWriter_Abandon(writer);
      return status;
    }
    *outWriter = writer;
  }
  return status;
}

// ------------------------------------------------------------------------------------------ closing

// How the run ended, behind the last rows that reached a disk that is full now: its room was taken when the first did.
// If that fails too, the result stays one of a run that goes on.
static void recordFailure(crResultWriter* writer, const char* runJson)
{
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  writer->file = crCommitFile_ReopenHdf5(writer->commitFile, &hdf5);
  if (!hdf5.hasFailed) {
    crWriteTextAttribute(&hdf5, writer->file, CR_ATTRIBUTE_EXIT, crRunEnd_GetText(cr_runFailed));
    if (runJson != NULL && H5Lexists(writer->file, CR_DATASET_RUN, H5P_DEFAULT) == 0) {
      crWriteTextDataset(&hdf5, writer->file, CR_DATASET_RUN, runJson);
    }
  }
  closeIds(writer, &hdf5);
  crEndHdf5(&hdf5);
  if (!hdf5.hasFailed) {
    int error;
    (void)crCommitFile_Commit(writer->commitFile, &error);
  }
}

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
    failCalls(writer, &hdf5, NULL);
  } else if (writer->status == cr_ok) {
    commit(writer);
  }
  if (writer->status == cr_errorFile) {
    recordFailure(writer, isComplete ? NULL : runJson);
  }
  return destroy(writer);
}
