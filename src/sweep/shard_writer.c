// Writing a shard.
#include "sweep/shard.h"

#include "base/report.h"
#include "result/band.h"
#include "sweep/shard_layout.h"

#include <stdio.h>
#include <string.h>

enum { bandRuns, bandInputs, bandOutputs, bandMessages, bandCount };

struct crShardWriter {
  crAllocator allocator;
  crErrorSink sink;
  char* path;
  size_t pathSize;
  crCommitFile* commitFile;
  hid_t file;
  crBand bands[bandCount];
  int64_t keptRows; // on the disk
  crStatus status;  // of the first failure
};

static crStatus fail(crShardWriter* writer, crStatus status, const char* found)
{
  if (writer->status == cr_ok) {
    char hint[64];
    snprintf(hint, sizeof hint, "%lld rows of it are kept", (long long)writer->keptRows);
    crReporter reporter = crMakeReporter(&writer->sink, (crSource){ writer->path, 0, 0 }, NULL);
    crComplaint complaint = { .message = status == cr_errorMemory ? "out of memory while writing rows"
                                                                  : "the rows of the sweep cannot be written",
                              .found = found,
                              .hint = hint };
    crReport(&reporter, cr_severityError, status, &complaint);
    writer->status = status;
  }
  return writer->status;
}

static crStatus failHdf5(crShardWriter* writer, const crHdf5* hdf5)
{
  return fail(writer, hdf5->isOutOfMemory ? cr_errorMemory : cr_errorFile, hdf5->error);
}

// ------------------------------------------------------------------------------------------ creating

static void createDatasets(crShardWriter* writer, const crShardDef* def, crHdf5* hdf5)
{
  crBand* bands = writer->bands;
  hid_t file = writer->file;
  crWriteTextAttribute(hdf5, file, CR_ATTRIBUTE_VERSION, CAROM_VERSION);
  crWriteNumberAttribute(hdf5, file, CR_ATTRIBUTE_FORMAT, CR_SWEEP_FORMAT);
  crWriteTextAttribute(hdf5, file, CR_ATTRIBUTE_PLAN, def->planHash);
  crWriteTextDataset(hdf5, file, CR_DATASET_PLAN, def->planJson);
  bands[bandRuns].dataset = crCreateList(hdf5, file, CR_DATASET_RUNS, crMakeRunType(hdf5), bands[bandRuns].chunking);
  bands[bandInputs].dataset =
      crCreateTable(hdf5, file, CR_DATASET_INPUTS, H5T_NATIVE_DOUBLE, def->inputCount, bands[bandInputs].chunking);
  bands[bandOutputs].dataset =
      crCreateTable(hdf5, file, CR_DATASET_OUTPUTS, H5T_NATIVE_DOUBLE, def->outputCount, bands[bandOutputs].chunking);
  bands[bandMessages].dataset =
      crCreateList(hdf5, file, CR_DATASET_MESSAGES, crMakeMessageType(hdf5), bands[bandMessages].chunking);
}

static bool makeBands(crShardWriter* writer, const crShardDef* def)
{
  crChunking runs = crChooseRecordChunking(sizeof(crStoredRun)),
             messages = crChooseRecordChunking(sizeof(crStoredMessage));
  const crAllocator* allocator = &writer->allocator;
  bool isMade = crBand_Init(&writer->bands[bandRuns], runs.columns, runs, allocator);
  isMade = crBand_Init(&writer->bands[bandInputs], def->inputCount, crChooseVariableChunking(def->inputCount, 0),
                       allocator) &&
           isMade;
  isMade = crBand_Init(&writer->bands[bandOutputs], def->outputCount, crChooseVariableChunking(def->outputCount, 0),
                       allocator) &&
           isMade;
  return crBand_Init(&writer->bands[bandMessages], messages.columns, messages, allocator) && isMade;
}

static crStatus makeFile(crShardWriter* writer, const crShardDef* def)
{
  if (!makeBands(writer, def)) {
    return fail(writer, cr_errorMemory, NULL);
  }
  crStatus status = crCreateCommitFile(def->path, &writer->allocator, &writer->sink, &writer->commitFile);
  if (status != cr_ok) {
    writer->status = status;
    return status;
  }
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  writer->file = crCommitFile_OpenHdf5(writer->commitFile, &hdf5);
  if (!hdf5.hasFailed) {
    createDatasets(writer, def, &hdf5);
  }
  crEndHdf5(&hdf5);
  return hdf5.hasFailed ? failHdf5(writer, &hdf5) : cr_ok;
}

static crStatus destroy(crShardWriter* writer)
{
  crAllocator allocator = writer->allocator;
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  for (int i = 0; i < bandCount; ++i) {
    if (writer->bands[i].dataset >= 0) {
      crHdf5_Try(&hdf5, H5Dclose(writer->bands[i].dataset));
    }
  }
  if (writer->commitFile != NULL) {
    crCommitFile_CloseHdf5(writer->commitFile, writer->file, &hdf5);
  }
  crEndHdf5(&hdf5);
  if (writer->commitFile != NULL && writer->status == cr_ok) {
    int error = 0;
    crStatus status = hdf5.hasFailed ? cr_errorFile : crCommitFile_Commit(writer->commitFile, &error);
    if (status != cr_ok) {
      fail(writer, status, hdf5.hasFailed ? hdf5.error : strerror(error));
    }
  }
  int error = writer->commitFile != NULL ? crDestroyCommitFile(writer->commitFile) : 0;
  if (error != 0) {
    fail(writer, cr_errorFile, strerror(error));
  }
  crStatus status = writer->status;
  for (int i = 0; i < bandCount; ++i) {
    crBand_Free(&writer->bands[i]);
  }
  crFree(&allocator, writer->path, writer->path != NULL ? writer->pathSize : 0);
  crFree(&allocator, writer, sizeof *writer);
  return status;
}

crStatus crCreateShard(const crShardDef* def, const crAllocator* allocator, const crErrorSink* sink,
                       crShardWriter** outWriter)
{
  *outWriter = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crShardWriter* writer = crAllocateZero(&chosen, 1, sizeof *writer);
  if (writer == NULL) {
    return cr_errorMemory;
  }
  writer->allocator = chosen;
  writer->sink = sink != NULL ? *sink : (crErrorSink){ NULL, NULL };
  writer->file = H5I_INVALID_HID;
  for (int i = 0; i < bandCount; ++i) {
    writer->bands[i].allocator = chosen;
    writer->bands[i].dataset = H5I_INVALID_HID;
  }
  writer->pathSize = strlen(def->path) + 1;
  writer->path = crAllocate(&chosen, writer->pathSize);
  crStatus status = writer->path != NULL ? cr_ok : fail(writer, cr_errorMemory, NULL);
  if (status == cr_ok) {
    memcpy(writer->path, def->path, writer->pathSize);
    status = makeFile(writer, def);
  }
  status = status == cr_ok ? crShardWriter_Commit(writer) : status;
  int error = status == cr_ok ? crCommitFile_Publish(writer->commitFile) : 0;
  status = error != 0 ? fail(writer, cr_errorFile, strerror(error)) : status;
  if (status != cr_ok) {
    destroy(writer);
    return status;
  }
  *outWriter = writer;
  return cr_ok;
}

// --------------------------------------------------------------------------------------------- rows

// Hands bands to HDF5: full ones, or all.
static crStatus store(crShardWriter* writer, bool isAll)
{
  bool isDue = isAll;
  for (int i = 0; i < bandCount; ++i) {
    isDue = isDue || crBand_IsFull(&writer->bands[i]);
  }
  if (!isDue || writer->status != cr_ok) {
    return writer->status;
  }
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  for (int i = 0; i < bandCount; ++i) {
    if (isAll || crBand_IsFull(&writer->bands[i])) {
      crBand_Store(&writer->bands[i], false, &hdf5, writer->commitFile);
    }
  }
  if (isAll) {
    crHdf5_Try(&hdf5, H5Fflush(writer->file, H5F_SCOPE_LOCAL));
  }
  crEndHdf5(&hdf5);
  return hdf5.hasFailed ? failHdf5(writer, &hdf5) : cr_ok;
}

static crStatus addMessage(crShardWriter* writer, int64_t run, const char* message)
{
  size_t length = strlen(message);
  crStatus status = writer->status;
  for (size_t at = 0; at < length && status == cr_ok; at += CR_MESSAGE_PART) {
    crStoredMessage record = { .run = run, .part = (int32_t)(at / CR_MESSAGE_PART) };
    size_t left = length - at;
    memcpy(record.text, message + at, left < CR_MESSAGE_PART ? left : CR_MESSAGE_PART);
    crBand_AddRow(&writer->bands[bandMessages], &record);
    status = store(writer, false);
  }
  return status;
}

crStatus crShardWriter_Add(crShardWriter* writer, const crSweepRow* row)
{
  crStatus status = addMessage(writer, row->run, row->message);
  if (status != cr_ok) {
    return status;
  }
  crStoredRun record = { row->run, row->status, row->warnings, row->cpuSeconds };
  crBand_AddRow(&writer->bands[bandRuns], &record);
  crBand_AddRow(&writer->bands[bandInputs], row->inputs);
  crBand_AddRow(&writer->bands[bandOutputs], row->outputs);
  return store(writer, false);
}

crStatus crShardWriter_Commit(crShardWriter* writer)
{
  crStatus status = store(writer, true);
  if (status == cr_ok) {
    int error = 0;
    status = crCommitFile_Commit(writer->commitFile, &error);
    status = status != cr_ok ? fail(writer, status, strerror(error)) : cr_ok;
  }
  if (status == cr_ok) {
    writer->keptRows = crBand_CountRows(&writer->bands[bandRuns]);
  }
  return status;
}

crStatus crCloseShard(crShardWriter* writer)
{
  if (writer == NULL) {
    return cr_ok;
  }
  (void)crShardWriter_Commit(writer);
  return destroy(writer);
}
