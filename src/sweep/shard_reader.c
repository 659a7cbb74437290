// Reading a shard.
//
// A kill in the middle of a commit leaves datasets of different lengths: rows count as far as all of them have them,
// and a failed run only with its message.
#include "sweep/shard.h"

#include "base/report.h"
#include "base/text.h"
#include "result/result_reader.h"
#include "sweep/shard_layout.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(crStoredRun) == 24 && sizeof(crStoredMessage) == 256,
               "records are stored as they are in memory, without gaps");

hid_t crMakeRunType(crHdf5* hdf5)
{
  hid_t type = crHdf5_Keep(hdf5, H5Tcreate(H5T_COMPOUND, sizeof(crStoredRun)));
  crHdf5_Try(hdf5, H5Tinsert(type, "run", HOFFSET(crStoredRun, run), H5T_NATIVE_INT64));
  crHdf5_Try(hdf5, H5Tinsert(type, "status", HOFFSET(crStoredRun, status), H5T_NATIVE_INT32));
  crHdf5_Try(hdf5, H5Tinsert(type, "warnings", HOFFSET(crStoredRun, warnings), H5T_NATIVE_INT32));
  crHdf5_Try(hdf5, H5Tinsert(type, "cpuSeconds", HOFFSET(crStoredRun, cpuSeconds), H5T_NATIVE_DOUBLE));
  return type;
}

hid_t crMakeMessageType(crHdf5* hdf5)
{
  hid_t text = crHdf5_MakeTextType(hdf5, CR_MESSAGE_PART);
  hid_t type = crHdf5_Keep(hdf5, H5Tcreate(H5T_COMPOUND, sizeof(crStoredMessage)));
  crHdf5_Try(hdf5, H5Tinsert(type, "run", HOFFSET(crStoredMessage, run), H5T_NATIVE_INT64));
  crHdf5_Try(hdf5, H5Tinsert(type, "part", HOFFSET(crStoredMessage, part), H5T_NATIVE_INT32));
  crHdf5_Try(hdf5, H5Tinsert(type, "unused", HOFFSET(crStoredMessage, unused), H5T_NATIVE_INT32));
  crHdf5_Try(hdf5, H5Tinsert(type, "text", HOFFSET(crStoredMessage, text), text));
  return type;
}

typedef struct Reader {
  crShard* shard;
  crHdf5 hdf5;
  hid_t file;
  crReporter reporter;
  bool isMemoryShort; // for what is ours
} Reader;

static crStatus complain(Reader* reader, const char* message, const char* found)
{
  bool isOutOfMemory = reader->isMemoryShort || crHdf5_IsOutOfMemory(&reader->hdf5);
  crStatus status = isOutOfMemory ? cr_errorMemory : cr_errorFile;
  crComplaint complaint = { .message = isOutOfMemory ? "out of memory while reading rows" : message,
                            .found = found != NULL                              ? found
                                     : reader->hdf5.hasFailed && !isOutOfMemory ? reader->hdf5.error
                                                                                : NULL };
  crReport(&reader->reporter, cr_severityError, status, &complaint);
  return status;
}

static crStatus complainMemory(Reader* reader)
{
  crReport(&reader->reporter, cr_severityError, cr_errorMemory,
           &(crComplaint){ .message = "out of memory while reading rows" });
  return cr_errorMemory;
}

// --------------------------------------------------------------------------------------------- file

// A text attribute or dataset that has at most `limit` bytes, with a zero behind.
static char* readText(Reader* reader, const char* name, bool isAttribute)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t id = crHdf5_Keep(hdf5, isAttribute ? H5Aopen(reader->file, name, H5P_DEFAULT)
                                           : H5Dopen2(reader->file, name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, isAttribute ? H5Aget_type(id) : H5Dget_type(id));
  hid_t space = crHdf5_Keep(hdf5, isAttribute ? H5Aget_space(id) : H5Dget_space(id));
  bool isText = !hdf5->hasFailed && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                H5Sget_simple_extent_npoints(space) == 1;
  size_t size = isText ? H5Tget_size(type) : 0;
  char* text = isText ? crArena_AllocateZero(&reader->shard->arena, size + 1, 1) : NULL;
  if (text == NULL) {
    reader->isMemoryShort = isText;
    return NULL;
  }
  const crAllocator* allocator = &reader->shard->arena.allocator;
  if (!(isAttribute ? crHdf5_Try(hdf5, H5Aread(id, type, text))
                    : crHdf5_Read(hdf5, allocator, id, type, H5S_ALL, H5S_ALL, text))) {
    return NULL;
  }
  return crIsUtf8(text, strlen(text)) ? text : NULL;
}

static crStatus openFile(Reader* reader, const char* path, const char* hash)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t access = crHdf5_Keep(hdf5, H5Pcreate(H5P_FILE_ACCESS));
  crHdf5_Try(hdf5, H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  crHdf5_BelieveNoLengths(hdf5, access);
#if H5_VERSION_GE(1, 10, 7)
  crHdf5_Try(hdf5, H5Pset_file_locking(access, false, true)); // nothing is written here
#endif
  reader->file = hdf5->hasFailed ? H5I_INVALID_HID : H5Fopen(path, H5F_ACC_RDONLY, access);
  if (!crHdf5_Try(hdf5, reader->file)) {
    return complain(reader, "the rows of the sweep cannot be read", NULL);
  }
  const char* found = H5Aexists(reader->file, CR_ATTRIBUTE_PLAN) > 0 ? readText(reader, CR_ATTRIBUTE_PLAN, true) : NULL;
  if (found == NULL) {
    return complain(reader, "the file holds no rows of a sweep", NULL);
  }
  if (hash != NULL && strcmp(found, hash) != 0) {
    return complain(reader, "the rows belong to another plan", found);
  }
  reader->shard->planJson = readText(reader, CR_DATASET_PLAN, false);
  return reader->shard->planJson != NULL ? cr_ok : complain(reader, "the file is damaged: it has no plan", NULL);
}

// --------------------------------------------------------------------------------------------- rows

// The size of a dataset of rows; false: it is none.
static bool measure(Reader* reader, const char* name, int rank, hsize_t outSizes[2])
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t dataset = crHdf5_Keep(hdf5, H5Dopen2(reader->file, name, H5P_DEFAULT));
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset));
  outSizes[0] = outSizes[1] = 0;
  bool isRight = !hdf5->hasFailed && H5Sget_simple_extent_ndims(space) == rank &&
                 H5Sget_simple_extent_dims(space, outSizes, NULL) == rank && outSizes[0] <= INT_MAX &&
                 outSizes[1] <= INT_MAX;
  crHdf5_CloseTo(hdf5, 0);
  return isRight;
}

// The first rows of a dataset. NULL: it failed.
static void* readRows(Reader* reader, const char* name, hid_t type, int count, int columns, size_t size)
{
  crHdf5* hdf5 = &reader->hdf5;
  void* rows = crArena_AllocateZero(&reader->shard->arena, (size_t)count * (size_t)columns + 1, size);
  if (count == 0 || columns == 0 || rows == NULL) {
    return rows;
  }
  hsize_t start[2] = { 0, 0 }, sizes[2] = { (hsize_t)count, (hsize_t)columns };
  hid_t dataset = crHdf5_Keep(hdf5, H5Dopen2(reader->file, name, H5P_DEFAULT));
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset));
  int rank = H5Sget_simple_extent_ndims(space);
  crHdf5_Try(hdf5, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, sizes, NULL));
  hid_t memory = crHdf5_Keep(hdf5, H5Screate_simple(rank, sizes, NULL));
  bool isRead =
      !hdf5->hasFailed && crHdf5_Read(hdf5, &reader->shard->arena.allocator, dataset, type, memory, space, rows);
  return isRead ? rows : NULL;
}

// Messages by run, so far as all their parts are there. They stand in the order of the rows. false: out of memory, and
// rows would seem to be without theirs.
static bool joinMessages(crShard* shard, const crStoredMessage* records, int count)
{
  int next = 0;
  for (int i = 0; i < shard->rowCount; ++i) {
    crSweepRow* row = &shard->rows[i];
    if (row->status == cr_ok || next == count || records[next].run != row->run || records[next].part != 0) {
      continue;
    }
    int first = next++;
    while (next < count && records[next].run == row->run && records[next].part == next - first) {
      ++next;
    }
    size_t size = (size_t)(next - first) * CR_MESSAGE_PART;
    char* text = crArena_AllocateZero(&shard->arena, size + 1, 1);
    if (text == NULL) {
      return false;
    }
    for (int k = first; k < next; ++k) {
      memcpy(text + (size_t)(k - first) * CR_MESSAGE_PART, records[k].text, CR_MESSAGE_PART);
    }
    crCleanText(text);
    row->message = text;
  }
  return true;
}

// Failed rows without a message are as if they were not there.
static void dropMute(crShard* shard)
{
  int kept = 0;
  for (int i = 0; i < shard->rowCount; ++i) {
    if (shard->rows[i].status == cr_ok || shard->rows[i].message[0] != '\0') {
      shard->rows[kept++] = shard->rows[i];
    }
  }
  shard->rowCount = kept;
}

static crStatus readTable(Reader* reader, bool isBrief, int* outInputCount, int* outOutputCount)
{
  crShard* shard = reader->shard;
  hsize_t runs[2], inputs[2], outputs[2], messages[2];
  if (!measure(reader, CR_DATASET_RUNS, 1, runs) || !measure(reader, CR_DATASET_INPUTS, 2, inputs) ||
      !measure(reader, CR_DATASET_OUTPUTS, 2, outputs) || !measure(reader, CR_DATASET_MESSAGES, 1, messages)) {
    return complain(reader, "the file is damaged: it has no rows of a sweep", NULL);
  }
  hsize_t least = runs[0] < inputs[0] ? runs[0] : inputs[0];
  int count = (int)(outputs[0] < least ? outputs[0] : least);
  *outInputCount = (int)inputs[1];
  *outOutputCount = (int)outputs[1];
  const crStoredRun* records =
      readRows(reader, CR_DATASET_RUNS, crMakeRunType(&reader->hdf5), count, 1, sizeof *records);
  const crStoredMessage* texts =
      readRows(reader, CR_DATASET_MESSAGES, crMakeMessageType(&reader->hdf5), (int)messages[0], 1, sizeof *texts);
  int inputCount = isBrief ? 0 : (int)inputs[1], outputCount = isBrief ? 0 : (int)outputs[1];
  const double* in = readRows(reader, CR_DATASET_INPUTS, H5T_NATIVE_DOUBLE, count, inputCount, sizeof *in);
  const double* out = readRows(reader, CR_DATASET_OUTPUTS, H5T_NATIVE_DOUBLE, count, outputCount, sizeof *out);
  shard->rows = crArena_AllocateZero(&shard->arena, (size_t)count + 1, sizeof *shard->rows);
  if (records == NULL || texts == NULL || in == NULL || out == NULL || shard->rows == NULL) {
    return reader->hdf5.hasFailed ? complain(reader, "the file is damaged", NULL) : complainMemory(reader);
  }
  for (int i = 0; i < count; ++i) {
    shard->rows[i] = (crSweepRow){ .run = records[i].run,
                                   .status = records[i].status,
                                   .warnings = records[i].warnings,
                                   .cpuSeconds = records[i].cpuSeconds,
                                   .inputs = in + (size_t)i * (size_t)inputCount,
                                   .outputs = out + (size_t)i * (size_t)outputCount,
                                   .message = "" };
  }
  shard->rowCount = count;
  if (!joinMessages(shard, texts, (int)messages[0])) {
    return complainMemory(reader);
  }
  dropMute(shard);
  return cr_ok;
}

crStatus crReadShard(crShard* shard, const char* path, const char* hash, bool isBrief, const crAllocator* allocator,
                     const crErrorSink* sink, int* outInputCount, int* outOutputCount)
{
  *shard = (crShard){ 0 };
  crArena_Init(&shard->arena, allocator);
  crStatus status = crCheckResultFile(path, sink);
  if (status != cr_ok) {
    return status;
  }
  Reader reader = { shard, .file = H5I_INVALID_HID, .reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL) };
  crBeginHdf5(&reader.hdf5);
  status = openFile(&reader, path, hash);
  crHdf5_CloseTo(&reader.hdf5, 0);
  status = status == cr_ok ? readTable(&reader, isBrief, outInputCount, outOutputCount) : status;
  crHdf5_CloseTo(&reader.hdf5, 0);
  if (reader.file >= 0) {
    crHdf5_Try(&reader.hdf5, H5Fclose(reader.file));
  }
  crEndHdf5(&reader.hdf5);
  return status;
}

void crFreeShard(crShard* shard)
{
  crArena_Free(&shard->arena);
}
