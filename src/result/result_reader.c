// Reading result.h5 into memory, column by column.
#include "base/file.h"
#include "base/map.h"
#include "base/report.h"
#include "base/text.h"
#include "result/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CR_PLAIN_BAND 1024   // rows read at once from /variables that is not chunked
#define CR_TRANSPOSE_BLOCK 8 // columns written side by side: a cache line of each

struct crResult {
  crAllocator allocator;
  crArena arena; // texts, columns, events
  int rowCount, columnCount, eventCount;
  double* times;  // (rowCount) [s]
  double* values; // (columnCount x rowCount)
  crColumn* columns;
  crResultEvent* events;
  crMap names; // to columns
  crResultFacts facts;
};

// A file being read.
typedef struct Reader {
  crResult* result;
  crHdf5 hdf5;
  hid_t file;
  crReporter reporter;
} Reader;

// -------------------------------------------------------------------------------------- complaints

static crStatus complain(Reader* reader, crStatus status, const crComplaint* complaint)
{
  crReport(&reader->reporter, cr_severityError, status, complaint);
  return status;
}

static crStatus complainMemory(Reader* reader)
{
  return complain(reader, cr_errorMemory, &(crComplaint){ .message = "out of memory while reading results" });
}

// `what` is wrong with a part of the file; HDF5 has the details if one of its calls failed.
static crStatus complainDamage(Reader* reader, const char* part, const char* what)
{
  char message[256];
  snprintf(message, sizeof message, "the result file is damaged: /%s %s", part, what);
  crComplaint complaint = { .message = message, .found = reader->hdf5.hasFailed ? reader->hdf5.error : NULL };
  return complain(reader, cr_errorFile, &complaint);
}

// ------------------------------------------------------------------------------------------- texts

// `size` bytes read from a file as a string in the result's arena.
static crStatus keepText(Reader* reader, const char* name, const char* bytes, size_t size, const char** outText)
{
  size = strnlen(bytes, size);
  if (!crIsUtf8(bytes, size)) {
    return complainDamage(reader, name, "is not UTF-8");
  }
  char* text = crArena_Allocate(&reader->result->arena, size + 1);
  if (text == NULL) {
    return complainMemory(reader);
  }
  memcpy(text, bytes, size);
  text[size] = '\0';
  *outText = text;
  return cr_ok;
}

// The size of a fixed-size text type [bytes], 0 for any other type.
static size_t textSize(hid_t type)
{
  return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
}

static crStatus readTextAttribute(Reader* reader, const char* name, const char** outText)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t attribute = crHdf5_Keep(hdf5, H5Aopen(reader->file, name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Aget_type(attribute));
  hid_t space = crHdf5_Keep(hdf5, H5Aget_space(attribute));
  if (hdf5->hasFailed || textSize(type) == 0 || H5Sget_simple_extent_npoints(space) != 1) {
    return complainDamage(reader, name, "is no text");
  }
  size_t size = textSize(type);
  char* buffer = crAllocateZero(&reader->result->allocator, size, 1);
  if (buffer == NULL) {
    return complainMemory(reader);
  }
  crStatus status = crHdf5_Try(hdf5, H5Aread(attribute, type, buffer)) ? keepText(reader, name, buffer, size, outText)
                                                                       : complainDamage(reader, name, "cannot be read");
  crFree(&reader->result->allocator, buffer, size);
  return status;
}

static crStatus readNumberAttribute(Reader* reader, const char* name, int* outNumber)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t attribute = crHdf5_Keep(hdf5, H5Aopen(reader->file, name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Aget_type(attribute));
  hid_t space = crHdf5_Keep(hdf5, H5Aget_space(attribute));
  bool isNumber = !hdf5->hasFailed && H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 1;
  if (!isNumber || !crHdf5_Try(hdf5, H5Aread(attribute, H5T_NATIVE_INT, outNumber))) {
    return complainDamage(reader, name, "is no number");
  }
  return cr_ok;
}

// All bytes of a dataset of texts that has `count` of them. NULL: outStatus says why. The caller frees count x outWidth
// bytes.
static char* readTexts(Reader* reader, const char* name, int count, size_t* outWidth, crStatus* outStatus)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t dataset = crHdf5_Keep(hdf5, H5Dopen2(reader->file, name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Dget_type(dataset));
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset));
  if (hdf5->hasFailed) {
    *outStatus = complainDamage(reader, name, "cannot be opened");
    return NULL;
  }
  *outWidth = textSize(type);
  if (*outWidth == 0 || H5Sget_simple_extent_npoints(space) != count) {
    *outStatus = complainDamage(reader, name, "does not hold one text for each variable");
    return NULL;
  }
  char* bytes = crAllocateZero(&reader->result->allocator, (size_t)count, *outWidth);
  if (bytes == NULL) {
    *outStatus = complainMemory(reader);
    return NULL;
  }
  if (!crHdf5_Try(hdf5, H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes))) {
    crFree(&reader->result->allocator, bytes, (size_t)count * *outWidth);
    *outStatus = complainDamage(reader, name, "cannot be read");
    return NULL;
  }
  return bytes;
}

// Stays NULL when there is no such dataset.
static crStatus readTextDataset(Reader* reader, const char* name, const char** outText)
{
  size_t size = 0;
  crStatus status = cr_ok;
  if (H5Lexists(reader->file, name, H5P_DEFAULT) == 0) {
    return cr_ok;
  }
  char* bytes = readTexts(reader, name, 1, &size, &status);
  if (bytes != NULL) {
    status = keepText(reader, name, bytes, size, outText);
    crFree(&reader->result->allocator, bytes, size);
  }
  return status;
}

// One text for each column; `place` is where it goes in a crColumn.
static crStatus readColumnTexts(Reader* reader, const char* name, size_t place)
{
  crResult* result = reader->result;
  size_t width = 0;
  crStatus status = cr_ok;
  char* bytes = result->columnCount > 0 ? readTexts(reader, name, result->columnCount, &width, &status) : NULL;
  if (bytes == NULL) {
    return status;
  }
  for (int i = 0; i < result->columnCount && status == cr_ok; ++i) {
    const char** text = (const char**)((char*)&result->columns[i] + place);
    status = keepText(reader, name, bytes + (size_t)i * width, width, text);
  }
  crFree(&result->allocator, bytes, (size_t)result->columnCount * width);
  return status;
}

// ----------------------------------------------------------------------------------------- numbers

// Opens a dataset of numbers and gets its sizes.
static crStatus openNumbers(Reader* reader, const char* name, int rank, hid_t* outDataset, hsize_t outSizes[2])
{
  crHdf5* hdf5 = &reader->hdf5;
  *outDataset = crHdf5_Keep(hdf5, H5Dopen2(reader->file, name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Dget_type(*outDataset));
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(*outDataset));
  if (hdf5->hasFailed) {
    return complainDamage(reader, name, "cannot be opened");
  }
  outSizes[1] = 1;
  if (H5Tget_class(type) != H5T_FLOAT || H5Sget_simple_extent_ndims(space) != rank ||
      H5Sget_simple_extent_dims(space, outSizes, NULL) != rank) {
    return complainDamage(reader, name, "is no table of numbers");
  }
  if (outSizes[0] > INT_MAX || outSizes[1] > INT_MAX) {
    return complainDamage(reader, name, "is too large");
  }
  return cr_ok;
}

// Rows that are read at once: whole chunks.
static int bandRows(Reader* reader, hid_t dataset)
{
  hsize_t chunk[2] = { CR_PLAIN_BAND, 1 };
  hid_t properties = crHdf5_Keep(&reader->hdf5, H5Dget_create_plist(dataset));
  if (H5Pget_layout(properties) == H5D_CHUNKED) {
    H5Pget_chunk(properties, 2, chunk);
  }
  return chunk[0] >= 1 && chunk[0] < (hsize_t)reader->result->rowCount ? (int)chunk[0] : reader->result->rowCount;
}

// Rows from `first` on into their columns.
static void spreadRows(crResult* result, int first, int count, const double* rows)
{
  size_t columns = (size_t)result->columnCount, stride = (size_t)result->rowCount;
  for (size_t block = 0; block < columns; block += CR_TRANSPOSE_BLOCK) {
    size_t end = block + CR_TRANSPOSE_BLOCK < columns ? block + CR_TRANSPOSE_BLOCK : columns;
    for (int r = 0; r < count; ++r) {
      for (size_t c = block; c < end; ++c) {
        result->values[c * stride + (size_t)(first + r)] = rows[(size_t)r * columns + c];
      }
    }
  }
}

static bool readBand(Reader* reader, hid_t dataset, hid_t space, int first, int count, double* outRows)
{
  crHdf5* hdf5 = &reader->hdf5;
  int mark = hdf5->idCount;
  hsize_t start[2] = { (hsize_t)first, 0 };
  hsize_t block[2] = { (hsize_t)count, (hsize_t)reader->result->columnCount };
  crHdf5_Try(hdf5, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, block, NULL));
  hid_t memory = crHdf5_Keep(hdf5, H5Screate_simple(2, block, NULL));
  if (!hdf5->hasFailed) {
    crHdf5_Try(hdf5, H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, outRows));
  }
  crHdf5_CloseTo(hdf5, mark);
  return !hdf5->hasFailed;
}

static crStatus readValues(Reader* reader, hid_t dataset)
{
  crResult* result = reader->result;
  size_t rows = (size_t)result->rowCount, columns = (size_t)result->columnCount;
  if (rows == 0 || columns == 0) {
    return cr_ok;
  }
  int band = bandRows(reader, dataset);
  size_t bandValues = (size_t)band * columns; // each factor < 2^31
  if (rows * columns > SIZE_MAX / sizeof(double) || bandValues > SIZE_MAX / sizeof(double)) {
    return complainDamage(reader, CR_DATASET_VARIABLES, "is too large");
  }
  result->values = crAllocate(&result->allocator, rows * columns * sizeof(double));
  double* buffer = crAllocate(&result->allocator, bandValues * sizeof(double));
  crStatus status = result->values != NULL && buffer != NULL ? cr_ok : complainMemory(reader);
  hid_t space = crHdf5_Keep(&reader->hdf5, H5Dget_space(dataset));
  for (int first = 0; first < result->rowCount && status == cr_ok; first += band) {
    int count = result->rowCount - first < band ? result->rowCount - first : band;
    if (readBand(reader, dataset, space, first, count, buffer)) {
      spreadRows(result, first, count, buffer);
    } else {
      status = complainDamage(reader, CR_DATASET_VARIABLES, "cannot be read");
    }
    if (band > INT_MAX - first) {
      break;
    }
  }
  crFree(&result->allocator, buffer, bandValues * sizeof(double));
  return status;
}

static crStatus readTimes(Reader* reader, hid_t dataset)
{
  crResult* result = reader->result;
  crHdf5* hdf5 = &reader->hdf5;
  hsize_t start = 0, count = (hsize_t)result->rowCount;
  if (count == 0) {
    return cr_ok;
  }
  result->times = crAllocate(&result->allocator, (size_t)count * sizeof(double));
  if (result->times == NULL) {
    return complainMemory(reader);
  }
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset)), memory = crHdf5_Keep(hdf5, H5Screate_simple(1, &count, NULL));
  crHdf5_Try(hdf5, H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
  bool isRead = !hdf5->hasFailed &&
                crHdf5_Try(hdf5, H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, result->times));
  return isRead ? cr_ok : complainDamage(reader, CR_DATASET_TIME, "cannot be read");
}

// A run killed while rows were written may have left more times than values, or the other way round: what both have
// counts.
static crStatus readTable(Reader* reader)
{
  crResult* result = reader->result;
  hid_t times, values;
  hsize_t timeSizes[2], valueSizes[2];
  crStatus status = openNumbers(reader, CR_DATASET_TIME, 1, &times, timeSizes);
  if (status == cr_ok) {
    status = openNumbers(reader, CR_DATASET_VARIABLES, 2, &values, valueSizes);
  }
  if (status != cr_ok) {
    return status;
  }
  if (result->facts.isComplete && timeSizes[0] != valueSizes[0]) {
    return complainDamage(reader, CR_DATASET_TIME, "and /variables have different lengths");
  }
  result->rowCount = (int)(timeSizes[0] < valueSizes[0] ? timeSizes[0] : valueSizes[0]);
  result->columnCount = (int)valueSizes[1];
  status = readTimes(reader, times);
  if (status == cr_ok) {
    status = readValues(reader, values);
  }
  crHdf5_CloseTo(&reader->hdf5, 0);
  return status;
}

// ------------------------------------------------------------------------------------------ columns

static crStatus readColumns(Reader* reader)
{
  crResult* result = reader->result;
  result->columns = crArena_AllocateZero(&result->arena, (size_t)result->columnCount, sizeof(crColumn));
  if (result->columns == NULL) {
    return complainMemory(reader);
  }
  crStatus status = readColumnTexts(reader, CR_DATASET_NAMES, offsetof(crColumn, name));
  if (status == cr_ok) {
    status = readColumnTexts(reader, CR_DATASET_UNITS, offsetof(crColumn, unit));
  }
  if (status == cr_ok) {
    status = readColumnTexts(reader, CR_DATASET_DESCRIPTIONS, offsetof(crColumn, description));
  }
  for (int i = 0; i < result->columnCount && status == cr_ok; ++i) {
    if (!crMap_SetString(&result->names, result->columns[i].name, i)) {
      status = complainMemory(reader);
    }
  }
  crHdf5_CloseTo(&reader->hdf5, 0);
  return status;
}

// ------------------------------------------------------------------------------------------- events

// The event that begins with records[0], its text put together from its parts. outUsed: the records it takes.
static crStatus keepEvent(Reader* reader, const crEventRecord* records, int count, crResultEvent* outEvent,
                          int* outUsed)
{
  int parts = 1;
  while (parts < count && records[parts].part == parts) {
    ++parts;
  }
  *outUsed = parts;
  outEvent->time = records[0].time;
  size_t size = (size_t)parts * CR_EVENT_TEXT_SIZE, used = 0;
  char* text = crAllocate(&reader->result->allocator, size);
  if (text == NULL) {
    return complainMemory(reader);
  }
  for (int i = 0; i < parts; ++i) {
    size_t length = strnlen(records[i].text, CR_EVENT_TEXT_SIZE);
    memcpy(text + used, records[i].text, length);
    used += length;
  }
  crStatus status = keepText(reader, CR_DATASET_EVENTS, text, used, &outEvent->text);
  if (status == cr_ok) {
    status = keepText(reader, CR_DATASET_EVENTS, records[0].kind, CR_EVENT_KIND_SIZE, &outEvent->kind);
  }
  crFree(&reader->result->allocator, text, size);
  return status;
}

static crStatus keepEvents(Reader* reader, const crEventRecord* records, int count)
{
  crResult* result = reader->result;
  crStatus status = cr_ok;
  int used = 0;
  for (int i = 0; i < count && status == cr_ok; i += used) {
    status = keepEvent(reader, records + i, count - i, &result->events[result->eventCount++], &used);
  }
  return status;
}

static crStatus readEvents(Reader* reader)
{
  crResult* result = reader->result;
  crHdf5* hdf5 = &reader->hdf5;
  hid_t dataset = crHdf5_Keep(hdf5, H5Dopen2(reader->file, CR_DATASET_EVENTS, H5P_DEFAULT));
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset));
  hid_t stored = crHdf5_Keep(hdf5, H5Dget_type(dataset)), type = crMakeEventType(hdf5);
  hssize_t count = hdf5->hasFailed ? -1 : H5Sget_simple_extent_npoints(space);
  if (count < 0 || count > INT_MAX) {
    return complainDamage(reader, CR_DATASET_EVENTS, "cannot be opened");
  }
  if (H5Tequal(stored, type) <= 0) {
    return complainDamage(reader, CR_DATASET_EVENTS, "is no list of events");
  }
  crEventRecord* records = crAllocateZero(&result->allocator, (size_t)count + 1, sizeof *records);
  result->events = crArena_AllocateZero(&result->arena, (size_t)count, sizeof(crResultEvent));
  crStatus status = records != NULL && result->events != NULL ? cr_ok : complainMemory(reader);
  if (status == cr_ok && count > 0) {
    bool isRead = crHdf5_Try(hdf5, H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, records));
    status =
        isRead ? keepEvents(reader, records, (int)count) : complainDamage(reader, CR_DATASET_EVENTS, "cannot be read");
  }
  crFree(&result->allocator, records, ((size_t)count + 1) * sizeof *records);
  crHdf5_CloseTo(hdf5, 0);
  return status;
}

// ------------------------------------------------------------------------------------------ file

// Missing files, folders and rights get the system's words, not HDF5's.
static crStatus checkFile(const char* path, const crErrorSink* sink)
{
  struct stat info;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return crReportFile(sink, path, "the result file cannot be opened", errno);
  }
  int error = fstat(descriptor, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? EISDIR : 0;
  bool isRegular = error == 0 && S_ISREG(info.st_mode);
  close(descriptor);
  return isRegular ? cr_ok : crReportFile(sink, path, "the result file cannot be read", error);
}

static crStatus openFile(Reader* reader, const char* path)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t access = crHdf5_Keep(hdf5, H5Pcreate(H5P_FILE_ACCESS));
  crHdf5_Try(hdf5, H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
#if H5_VERSION_GE(1, 10, 7)
  crHdf5_Try(hdf5, H5Pset_file_locking(access, false, true)); // nothing is written here
#endif
  reader->file = hdf5->hasFailed ? H5I_INVALID_HID : H5Fopen(path, H5F_ACC_RDONLY, access);
  if (crHdf5_Try(hdf5, reader->file)) {
    crHdf5_CloseTo(hdf5, 0);
    return cr_ok;
  }
  if (H5Fis_hdf5(path) == 0) {
    return complain(reader, cr_errorFile,
                    &(crComplaint){ .message = "the file is no result of a run: it is not HDF5",
                                    .hint = "`carom run` writes results into result.h5" });
  }
  bool isCutOff = strstr(hdf5->error, "truncated") != NULL;
  return complain(reader, cr_errorFile,
                  &(crComplaint){ .message = isCutOff ? "the result file is cut off" : "the result file is damaged",
                                  .found = hdf5->error,
                                  .hint = isCutOff ? "was it copied completely?" : NULL });
}

static crStatus checkFormat(Reader* reader)
{
  int format = 0;
  htri_t hasVersion = H5Aexists(reader->file, CR_ATTRIBUTE_VERSION);
  if (!crHdf5_Try(&reader->hdf5, hasVersion)) {
    return complainDamage(reader, "", "cannot be opened");
  }
  if (hasVersion == 0 || H5Aexists(reader->file, CR_ATTRIBUTE_FORMAT) <= 0) {
    return complain(reader, cr_errorFile,
                    &(crComplaint){ .message = "this HDF5 file is no result of Carom",
                                    .hint = "results have the attributes carom and format" });
  }
  crStatus status = readNumberAttribute(reader, CR_ATTRIBUTE_FORMAT, &format);
  if (status == cr_ok) {
    status = readTextAttribute(reader, CR_ATTRIBUTE_VERSION, &reader->result->facts.version);
  }
  if (status == cr_ok && (format < 1 || format > CR_RESULT_FORMAT)) {
    char found[16], allowed[32], hint[128];
    snprintf(found, sizeof found, "%d", format);
    snprintf(allowed, sizeof allowed, "1 to %d", CR_RESULT_FORMAT);
    snprintf(hint, sizeof hint, "it was written by Carom %.32s, this is Carom %s", reader->result->facts.version,
             CAROM_VERSION);
    crComplaint complaint = { "the result file has a format that this Carom cannot read", found, allowed, NULL, hint };
    status = complain(reader, cr_errorFile, &complaint);
  }
  return status;
}

static crStatus readFacts(Reader* reader)
{
  crResultFacts* facts = &reader->result->facts;
  int isComplete = 0;
  crStatus status = checkFormat(reader);
  if (status == cr_ok) {
    status = readNumberAttribute(reader, CR_ATTRIBUTE_COMPLETE, &isComplete);
  }
  facts->isComplete = isComplete != 0;
  if (status == cr_ok) {
    status = readTextAttribute(reader, CR_ATTRIBUTE_EXIT, &facts->exitReason);
  }
  if (status == cr_ok) {
    status = readTextAttribute(reader, CR_ATTRIBUTE_MODEL, &facts->modelName);
  }
  if (status == cr_ok) {
    status = readTextDataset(reader, CR_DATASET_SCENE, &facts->sceneJson);
  }
  if (status == cr_ok) {
    status = readTextDataset(reader, CR_DATASET_RUN, &facts->runJson);
  }
  crHdf5_CloseTo(&reader->hdf5, 0);
  return status;
}

static crStatus readFile(Reader* reader, const char* path)
{
  crStatus status = openFile(reader, path);
  if (status == cr_ok) {
    status = readFacts(reader);
  }
  if (status == cr_ok) {
    status = readTable(reader);
  }
  if (status == cr_ok) {
    status = readColumns(reader);
  }
  if (status == cr_ok) {
    status = readEvents(reader);
  }
  crHdf5_CloseTo(&reader->hdf5, 0);
  if (reader->file >= 0) {
    H5Fclose(reader->file);
  }
  return status;
}

crStatus crReadResult(const char* path, const crAllocator* allocator, const crErrorSink* sink, crResult** outResult)
{
  if (path == NULL || outResult == NULL) {
    return cr_errorMisuse;
  }
  *outResult = NULL;
  crStatus status = checkFile(path, sink);
  if (status != cr_ok) {
    return status;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crResult* result = crAllocateZero(&chosen, 1, sizeof *result);
  if (result == NULL) {
    return cr_errorMemory;
  }
  result->allocator = chosen;
  crArena_Init(&result->arena, &chosen);
  crMap_Init(&result->names, &chosen);
  Reader reader = { .result = result, .reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL) };
  crBeginHdf5(&reader.hdf5);
  status = readFile(&reader, path);
  crEndHdf5(&reader.hdf5);
  if (status != cr_ok) {
    crDestroyResult(result);
    return status;
  }
  *outResult = result;
  return cr_ok;
}

void crDestroyResult(crResult* result)
{
  if (result == NULL) {
    return;
  }
  crAllocator allocator = result->allocator;
  size_t rows = (size_t)result->rowCount, columns = (size_t)result->columnCount;
  crFree(&allocator, result->times, rows * sizeof(double));
  crFree(&allocator, result->values, rows * columns * sizeof(double));
  crMap_Free(&result->names);
  crArena_Free(&result->arena);
  crFree(&allocator, result, sizeof *result);
}

// ----------------------------------------------------------------------------------------- looking

int crResult_CountRows(const crResult* result)
{
  return result->rowCount;
}

int crResult_CountColumns(const crResult* result)
{
  return result->columnCount;
}

const crColumn* crResult_GetColumn(const crResult* result, int column)
{
  return column >= 0 && column < result->columnCount ? &result->columns[column] : NULL;
}

int crResult_FindColumn(const crResult* result, const char* name)
{
  return name != NULL ? crMap_FindString(&result->names, name) : -1;
}

const double* crResult_GetTimes(const crResult* result)
{
  return result->times;
}

const double* crResult_GetValues(const crResult* result, int column)
{
  bool exists = column >= 0 && column < result->columnCount;
  return exists ? result->values + (size_t)column * (size_t)result->rowCount : NULL;
}

int crResult_CountEvents(const crResult* result)
{
  return result->eventCount;
}

const crResultEvent* crResult_GetEvent(const crResult* result, int index)
{
  return index >= 0 && index < result->eventCount ? &result->events[index] : NULL;
}

crResultFacts crResult_GetFacts(const crResult* result)
{
  return result->facts;
}
