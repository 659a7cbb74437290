// Reading result.h5 into memory, column by column.
#include "result/result_reader.h"

#include "base/file.h"
#include "base/platform.h"
#include "base/text.h"
#include "result/mesh_record.h"
#include "result/peek.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define CR_PLAIN_BAND 1024 // rows read at once from /variables that is not chunked

// -------------------------------------------------------------------------------------- complaints

crStatus crResultReader_Complain(crResultReader* reader, crStatus status, const crComplaint* complaint)
{
  bool isMemory = status != cr_errorMemory && crHdf5_IsOutOfMemory(&reader->hdf5); // what is missing is no damage then
  crComplaint memory = { .message = "out of memory while reading results",
                         .hint = crHdf5_HasRunOut()
                                     ? "HDF5 has run out of memory in this process: another one may read the file"
                                     : NULL };
  status = isMemory ? cr_errorMemory : status;
  crReport(&reader->reporter, cr_severityError, status, isMemory ? &memory : complaint);
  return status;
}

crStatus crResultReader_ComplainMemory(crResultReader* reader)
{
  return crResultReader_Complain(reader, cr_errorMemory,
                                 &(crComplaint){ .message = "out of memory while reading results" });
}

crStatus crResultReader_ComplainDamage(crResultReader* reader, const char* part, const char* what)
{
  char message[256];
  snprintf(message, sizeof message, "the result file is damaged: /%s %s", part, what);
  crComplaint complaint = { .message = message, .found = reader->hdf5.hasFailed ? reader->hdf5.error : NULL };
  return crResultReader_Complain(reader, cr_errorFile, &complaint);
}

// ------------------------------------------------------------------------------------------- texts

// `size` bytes read from a file as a string in the result's arena.
static crStatus keepText(crResultReader* reader, const char* name, const char* bytes, size_t size, const char** outText)
{
  size = strnlen(bytes, size);
  if (!crIsUtf8(bytes, size)) {
    return crResultReader_ComplainDamage(reader, name, "is not UTF-8");
  }
  char* text = crArena_Allocate(&reader->result->arena, size + 1);
  if (text == NULL) {
    return crResultReader_ComplainMemory(reader);
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

static crStatus readTextAttribute(crResultReader* reader, const char* name, const char** outText)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t attribute = crHdf5_Keep(hdf5, H5Aopen(reader->file, name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Aget_type(attribute));
  hid_t space = crHdf5_Keep(hdf5, H5Aget_space(attribute));
  if (hdf5->hasFailed || textSize(type) == 0 || H5Sget_simple_extent_npoints(space) != 1) {
    return crResultReader_ComplainDamage(reader, name, "is no text");
  }
  size_t size = textSize(type);
  char* buffer = crAllocateZero(&reader->result->allocator, size, 1);
  if (buffer == NULL) {
    return crResultReader_ComplainMemory(reader);
  }
  crStatus status = crHdf5_Try(hdf5, H5Aread(attribute, type, buffer))
                        ? keepText(reader, name, buffer, size, outText)
                        : crResultReader_ComplainDamage(reader, name, "cannot be read");
  crFree(&reader->result->allocator, buffer, size);
  return status;
}

static crStatus readNumberAttribute(crResultReader* reader, const char* name, int* outNumber)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t attribute = crHdf5_Keep(hdf5, H5Aopen(reader->file, name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Aget_type(attribute));
  hid_t space = crHdf5_Keep(hdf5, H5Aget_space(attribute));
  bool isNumber = !hdf5->hasFailed && H5Tget_class(type) == H5T_INTEGER && H5Sget_simple_extent_npoints(space) == 1;
  if (!isNumber || !crHdf5_Try(hdf5, H5Aread(attribute, H5T_NATIVE_INT, outNumber))) {
    return crResultReader_ComplainDamage(reader, name, "is no number");
  }
  return cr_ok;
}

// All bytes of a dataset of texts that has `count` of them. NULL: outStatus says why. The caller frees count x outWidth
// bytes.
static char* readTexts(crResultReader* reader, const char* name, int count, size_t* outWidth, crStatus* outStatus)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t dataset = crHdf5_Keep(hdf5, H5Dopen2(reader->file, name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Dget_type(dataset));
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset));
  if (hdf5->hasFailed) {
    *outStatus = crResultReader_ComplainDamage(reader, name, "cannot be opened");
    return NULL;
  }
  *outWidth = textSize(type);
  if (*outWidth == 0 || H5Sget_simple_extent_npoints(space) != count) {
    *outStatus = crResultReader_ComplainDamage(reader, name, "does not hold as many texts as there should be");
    return NULL;
  }
  char* bytes = crAllocateZero(&reader->result->allocator, (size_t)count, *outWidth);
  if (bytes == NULL) {
    *outStatus = crResultReader_ComplainMemory(reader);
    return NULL;
  }
  if (!crHdf5_Read(hdf5, &reader->result->allocator, dataset, type, H5S_ALL, H5S_ALL, bytes)) {
    crFree(&reader->result->allocator, bytes, (size_t)count * *outWidth);
    *outStatus = crResultReader_ComplainDamage(reader, name, "cannot be read");
    return NULL;
  }
  return bytes;
}

bool crResultReader_Has(crResultReader* reader, const char* name)
{
  return H5Lexists(reader->file, name, H5P_DEFAULT) > 0;
}

crStatus crResultReader_ReadText(crResultReader* reader, const char* name, const char** outText)
{
  size_t size = 0;
  crStatus status = cr_ok;
  if (!crResultReader_Has(reader, name)) {
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
static crStatus readColumnTexts(crResultReader* reader, const char* name, size_t place)
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

// A list of paths, as many as it has; empty when there is no such dataset.
static crStatus readPaths(crResultReader* reader, const char* name, const char*** outPaths, int* outCount)
{
  crResult* result = reader->result;
  if (!crResultReader_Has(reader, name)) {
    return cr_ok;
  }
  hid_t dataset = crHdf5_Keep(&reader->hdf5, H5Dopen2(reader->file, name, H5P_DEFAULT));
  hid_t space = crHdf5_Keep(&reader->hdf5, H5Dget_space(dataset));
  hssize_t count = reader->hdf5.hasFailed ? -1 : H5Sget_simple_extent_npoints(space);
  if (count < 1 || count > INT_MAX / CR_POSE_SIZE) {
    return crResultReader_ComplainDamage(reader, name, "cannot be opened");
  }
  size_t width = 0;
  crStatus status = cr_ok;
  char* bytes = readTexts(reader, name, (int)count, &width, &status);
  if (bytes == NULL) {
    return status;
  }
  *outPaths = crArena_AllocateZero(&result->arena, (size_t)count, sizeof **outPaths);
  status = *outPaths != NULL ? cr_ok : crResultReader_ComplainMemory(reader);
  for (int i = 0; i < (int)count && status == cr_ok; ++i) {
    status = keepText(reader, name, bytes + (size_t)i * width, width, &(*outPaths)[i]);
  }
  *outCount = (int)count;
  crFree(&result->allocator, bytes, (size_t)count * width);
  crHdf5_CloseTo(&reader->hdf5, 0);
  return status;
}

// ----------------------------------------------------------------------------------------- numbers

// Opens a dataset of numbers and gets its sizes.
static crStatus openNumbers(crResultReader* reader, const char* name, int rank, hid_t* outDataset, hsize_t outSizes[2])
{
  crHdf5* hdf5 = &reader->hdf5;
  *outDataset = crHdf5_Keep(hdf5, H5Dopen2(reader->file, name, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Dget_type(*outDataset));
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(*outDataset));
  if (hdf5->hasFailed) {
    return crResultReader_ComplainDamage(reader, name, "cannot be opened");
  }
  outSizes[1] = 1;
  if (H5Tget_class(type) != H5T_FLOAT || H5Sget_simple_extent_ndims(space) != rank ||
      H5Sget_simple_extent_dims(space, outSizes, NULL) != rank) {
    return crResultReader_ComplainDamage(reader, name, "is no table of numbers");
  }
  if (outSizes[0] > INT_MAX || outSizes[1] > INT_MAX) {
    return crResultReader_ComplainDamage(reader, name, "is too large");
  }
  return cr_ok;
}

// Rows that are read at once: whole chunks.
static int bandRows(crResultReader* reader, hid_t dataset)
{
  hsize_t chunk[2] = { CR_PLAIN_BAND, 1 };
  hid_t properties = crHdf5_Keep(&reader->hdf5, H5Dget_create_plist(dataset));
  if (H5Pget_layout(properties) == H5D_CHUNKED) {
    H5Pget_chunk(properties, 2, chunk);
  }
  return chunk[0] >= 1 && chunk[0] < (hsize_t)reader->result->rowCount ? (int)chunk[0] : reader->result->rowCount;
}

static bool readBand(crResultReader* reader, hid_t dataset, hid_t space, int first, int count, double* outRows)
{
  crHdf5* hdf5 = &reader->hdf5;
  int mark = hdf5->idCount;
  hsize_t start[2] = { (hsize_t)first, 0 };
  hsize_t block[2] = { (hsize_t)count, (hsize_t)reader->result->columnCount };
  crHdf5_Try(hdf5, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, block, NULL));
  hid_t memory = crHdf5_Keep(hdf5, H5Screate_simple(2, block, NULL));
  if (!hdf5->hasFailed) {
    crHdf5_Read(hdf5, &reader->result->allocator, dataset, H5T_NATIVE_DOUBLE, memory, space, outRows);
  }
  crHdf5_CloseTo(hdf5, mark);
  return !hdf5->hasFailed;
}

static crStatus readValues(crResultReader* reader, hid_t dataset)
{
  crResult* result = reader->result;
  size_t rows = (size_t)result->rowCount, columns = (size_t)result->columnCount;
  if (rows == 0 || columns == 0) {
    return cr_ok;
  }
  int band = bandRows(reader, dataset);
  size_t bandValues = (size_t)band * columns; // each factor < 2^31
  if (rows * columns > SIZE_MAX / sizeof(double) || bandValues > SIZE_MAX / sizeof(double)) {
    return crResultReader_ComplainDamage(reader, CR_DATASET_VARIABLES, "is too large");
  }
  result->values = crAllocate(&result->allocator, rows * columns * sizeof(double));
  double* buffer = crAllocate(&result->allocator, bandValues * sizeof(double));
  crStatus status = result->values != NULL && buffer != NULL ? cr_ok : crResultReader_ComplainMemory(reader);
  hid_t space = crHdf5_Keep(&reader->hdf5, H5Dget_space(dataset));
  for (int first = 0; first < result->rowCount && status == cr_ok; first += band) {
    int count = result->rowCount - first < band ? result->rowCount - first : band;
    if (readBand(reader, dataset, space, first, count, buffer)) {
      crResult_SpreadRows(result, first, count, buffer);
    } else {
      status = crResultReader_ComplainDamage(reader, CR_DATASET_VARIABLES, "cannot be read");
    }
    if (band > INT_MAX - first) {
      break;
    }
  }
  crFree(&result->allocator, buffer, bandValues * sizeof(double));
  return status;
}

static crStatus readTimes(crResultReader* reader, hid_t dataset)
{
  crResult* result = reader->result;
  crHdf5* hdf5 = &reader->hdf5;
  hsize_t start = 0, count = (hsize_t)result->rowCount;
  if (count == 0) {
    return cr_ok;
  }
  result->times = crAllocate(&result->allocator, (size_t)count * sizeof(double));
  if (result->times == NULL) {
    return crResultReader_ComplainMemory(reader);
  }
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset)), memory = crHdf5_Keep(hdf5, H5Screate_simple(1, &count, NULL));
  crHdf5_Try(hdf5, H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
  bool isRead = !hdf5->hasFailed &&
                crHdf5_Read(hdf5, &result->allocator, dataset, H5T_NATIVE_DOUBLE, memory, space, result->times);
  return isRead ? cr_ok : crResultReader_ComplainDamage(reader, CR_DATASET_TIME, "cannot be read");
}

static crStatus readPoses(crResultReader* reader, hid_t dataset)
{
  crResult* result = reader->result;
  crHdf5* hdf5 = &reader->hdf5;
  hsize_t start[2] = { 0, 0 }, sizes[2] = { (hsize_t)result->rowCount, (hsize_t)CR_POSE_SIZE * result->bodyCount };
  if (sizes[0] == 0) {
    return cr_ok;
  }
  result->poses = crAllocateZero(&result->allocator, (size_t)sizes[0], (size_t)sizes[1] * sizeof(float));
  if (result->poses == NULL) {
    return crResultReader_ComplainMemory(reader);
  }
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset)), memory = crHdf5_Keep(hdf5, H5Screate_simple(2, sizes, NULL));
  crHdf5_Try(hdf5, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, sizes, NULL));
  bool isRead = !hdf5->hasFailed &&
                crHdf5_Read(hdf5, &result->allocator, dataset, H5T_NATIVE_FLOAT, memory, space, result->poses);
  return isRead ? cr_ok : crResultReader_ComplainDamage(reader, CR_DATASET_POSES, "cannot be read");
}

// Opens the poses, if there are any. outRows becomes the smaller of itself and their rows.
static crStatus openPoses(crResultReader* reader, hid_t* outPoses, hsize_t* outRows)
{
  crResult* result = reader->result;
  hsize_t sizes[2] = { 0, 0 };
  crStatus status = openNumbers(reader, CR_DATASET_POSES, 2, outPoses, sizes);
  if (status != cr_ok) {
    return status;
  }
  if (sizes[1] != (hsize_t)CR_POSE_SIZE * (hsize_t)result->bodyCount) {
    return crResultReader_ComplainDamage(reader, CR_DATASET_POSES, "does not hold a pose for each body");
  }
  if (result->facts.isComplete && sizes[0] != *outRows) {
    return crResultReader_ComplainDamage(reader, CR_DATASET_POSES, "and /time have different lengths");
  }
  *outRows = sizes[0] < *outRows ? sizes[0] : *outRows;
  return cr_ok;
}

// Opens the kinds of rows; likewise.
static crStatus openKinds(crResultReader* reader, hid_t* outKinds, hsize_t* outRows)
{
  crHdf5* hdf5 = &reader->hdf5;
  hsize_t size = 0;
  *outKinds = crHdf5_Keep(hdf5, H5Dopen2(reader->file, CR_DATASET_KINDS, H5P_DEFAULT));
  hid_t type = crHdf5_Keep(hdf5, H5Dget_type(*outKinds)), space = crHdf5_Keep(hdf5, H5Dget_space(*outKinds));
  if (hdf5->hasFailed || H5Tequal(type, H5T_NATIVE_UINT8) <= 0 || H5Sget_simple_extent_ndims(space) != 1 ||
      H5Sget_simple_extent_dims(space, &size, NULL) != 1) {
    return crResultReader_ComplainDamage(reader, CR_DATASET_KINDS, "is no list of kinds of rows");
  }
  if (reader->result->facts.isComplete && size != *outRows) {
    return crResultReader_ComplainDamage(reader, CR_DATASET_KINDS, "and /time have different lengths");
  }
  *outRows = size < *outRows ? size : *outRows;
  return cr_ok;
}

static crStatus readKinds(crResultReader* reader, hid_t dataset)
{
  crResult* result = reader->result;
  crHdf5* hdf5 = &reader->hdf5;
  hsize_t start = 0, count = (hsize_t)result->rowCount;
  if (count == 0) {
    return cr_ok;
  }
  result->kinds = crAllocateZero(&result->allocator, (size_t)count, 1);
  if (result->kinds == NULL) {
    return crResultReader_ComplainMemory(reader);
  }
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset)), memory = crHdf5_Keep(hdf5, H5Screate_simple(1, &count, NULL));
  crHdf5_Try(hdf5, H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
  bool isRead = !hdf5->hasFailed &&
                crHdf5_Read(hdf5, &result->allocator, dataset, H5T_NATIVE_UINT8, memory, space, result->kinds);
  bool isGood = isRead;
  for (int i = 0; isGood && i < result->rowCount; ++i) {
    isGood = result->kinds[i] <= cr_rowAfter;
  }
  return isGood   ? cr_ok
         : isRead ? crResultReader_ComplainDamage(reader, CR_DATASET_KINDS, "has a kind of row that does not exist")
                  : crResultReader_ComplainDamage(reader, CR_DATASET_KINDS, "cannot be read");
}

// A run killed while rows were written may have left more times than values, or the other way round: what all have
// counts.
static crStatus readTable(crResultReader* reader)
{
  crResult* result = reader->result;
  hid_t times, values, poses = H5I_INVALID_HID;
  hsize_t timeSizes[2], valueSizes[2];
  crStatus status = openNumbers(reader, CR_DATASET_TIME, 1, &times, timeSizes);
  if (status == cr_ok) {
    status = openNumbers(reader, CR_DATASET_VARIABLES, 2, &values, valueSizes);
  }
  if (status != cr_ok) {
    return status;
  }
  if (result->facts.isComplete && timeSizes[0] != valueSizes[0]) {
    return crResultReader_ComplainDamage(reader, CR_DATASET_TIME, "and /variables have different lengths");
  }
  hsize_t rows = timeSizes[0] < valueSizes[0] ? timeSizes[0] : valueSizes[0];
  if (result->bodyCount > 0) {
    status = openPoses(reader, &poses, &rows);
  }
  hid_t kinds = H5I_INVALID_HID;
  bool hasKinds = crResultReader_Has(reader, CR_DATASET_KINDS);
  if (status == cr_ok && hasKinds) {
    status = openKinds(reader, &kinds, &rows);
  }
  if (status == cr_ok) {
    result->rowCount = (int)rows;
    result->columnCount = (int)valueSizes[1];
    status = readTimes(reader, times);
  }
  if (status == cr_ok) {
    status = readValues(reader, values);
  }
  if (status == cr_ok && result->bodyCount > 0) {
    status = readPoses(reader, poses);
  }
  if (status == cr_ok && hasKinds) {
    status = readKinds(reader, kinds);
  }
  crHdf5_CloseTo(&reader->hdf5, 0);
  return status;
}

// ------------------------------------------------------------------------------------------ columns

static crStatus readColumns(crResultReader* reader)
{
  crResult* result = reader->result;
  result->columns = crArena_AllocateZero(&result->arena, (size_t)result->columnCount, sizeof(crColumn));
  if (result->columns == NULL) {
    return crResultReader_ComplainMemory(reader);
  }
  crStatus status = readColumnTexts(reader, CR_DATASET_NAMES, offsetof(crColumn, name));
  if (status == cr_ok) {
    status = readColumnTexts(reader, CR_DATASET_UNITS, offsetof(crColumn, unit));
  }
  if (status == cr_ok) {
    status = readColumnTexts(reader, CR_DATASET_DESCRIPTIONS, offsetof(crColumn, description));
  }
  if (status == cr_ok && !crResult_MapColumns(result)) {
    status = crResultReader_ComplainMemory(reader);
  }
  crHdf5_CloseTo(&reader->hdf5, 0);
  return status;
}

// ------------------------------------------------------------------------------------------- events

// The event that begins with records[0], its text put together from its parts. outUsed: the records it takes.
static crStatus keepEvent(crResultReader* reader, const crEventRecord* records, int count, crResultEvent* outEvent,
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
    return crResultReader_ComplainMemory(reader);
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

static crStatus keepEvents(crResultReader* reader, const crEventRecord* records, int count)
{
  crResult* result = reader->result;
  crStatus status = cr_ok;
  int used = 0;
  for (int i = 0; i < count && status == cr_ok; i += used) {
    status = keepEvent(reader, records + i, count - i, &result->events[result->eventCount++], &used);
  }
  return status;
}

// Whether a stored record has all that is read of it; HDF5 puts members into their places by name.
static bool hasMembers(hid_t stored, hid_t type)
{
  bool hasAll = H5Tget_class(stored) == H5T_COMPOUND;
  int count = hasAll ? H5Tget_nmembers(type) : 0;
  for (int i = 0; hasAll && i < count; ++i) {
    char* name = H5Tget_member_name(type, (unsigned)i);
    int place = name != NULL ? H5Tget_member_index(stored, name) : -1;
    hid_t wanted = H5Tget_member_type(type, (unsigned)i);
    hid_t found = place >= 0 ? H5Tget_member_type(stored, (unsigned)place) : H5I_INVALID_HID;
    hasAll = found >= 0 && wanted >= 0 && H5Tequal(found, wanted) > 0;
    H5free_memory(name);
    if (wanted >= 0) {
      H5Tclose(wanted);
    }
    if (found >= 0) {
      H5Tclose(found);
    }
  }
  return hasAll;
}

void* crResultReader_ReadRecords(crResultReader* reader, const char* name, hid_t type, size_t size,
                                 const char* mistaken, int* outCount, crStatus* outStatus)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t dataset = crHdf5_Keep(hdf5, H5Dopen2(reader->file, name, H5P_DEFAULT));
  hid_t space = crHdf5_Keep(hdf5, H5Dget_space(dataset));
  hid_t stored = crHdf5_Keep(hdf5, H5Dget_type(dataset));
  hssize_t count = hdf5->hasFailed ? -1 : H5Sget_simple_extent_npoints(space);
  if (count < 0 || count > INT_MAX) {
    *outStatus = crResultReader_ComplainDamage(reader, name, "cannot be opened");
    return NULL;
  }
  if (!hasMembers(stored, type)) {
    *outStatus = crResultReader_ComplainDamage(reader, name, mistaken);
    return NULL;
  }
  void* records = crAllocateZero(&reader->result->allocator, (size_t)count + 1, size);
  if (records == NULL) {
    *outStatus = crResultReader_ComplainMemory(reader);
    return NULL;
  }
  if (count > 0 && !crHdf5_Read(hdf5, &reader->result->allocator, dataset, type, H5S_ALL, H5S_ALL, records)) {
    *outStatus = crResultReader_ComplainDamage(reader, name, "cannot be read");
    crFree(&reader->result->allocator, records, ((size_t)count + 1) * size);
    return NULL;
  }
  *outCount = (int)count;
  return records;
}

static crStatus readEvents(crResultReader* reader)
{
  crResult* result = reader->result;
  crStatus status = cr_ok;
  int count = 0;
  hid_t type = crMakeEventType(&reader->hdf5);
  crEventRecord* records = crResultReader_ReadRecords(reader, CR_DATASET_EVENTS, type, sizeof *records,
                                                      "is no list of events", &count, &status);
  if (records == NULL) {
    return status;
  }
  result->events = crArena_AllocateZero(&result->arena, (size_t)count, sizeof(crResultEvent));
  status = result->events != NULL ? keepEvents(reader, records, count) : crResultReader_ComplainMemory(reader);
  crFree(&result->allocator, records, ((size_t)count + 1) * sizeof *records);
  crHdf5_CloseTo(&reader->hdf5, 0);
  return status;
}

// ------------------------------------------------------------------------------------------ file

crStatus crCheckResultFile(const char* path, const crErrorSink* sink)
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

static crStatus openFile(crResultReader* reader, const char* path)
{
  crHdf5* hdf5 = &reader->hdf5;
  hid_t access = crHdf5_Keep(hdf5, H5Pcreate(H5P_FILE_ACCESS));
  crHdf5_Try(hdf5, H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  crHdf5_BelieveNoLengths(hdf5, access);
#if H5_VERSION_GE(1, 10, 7)
  crHdf5_Try(hdf5, H5Pset_file_locking(access, false, true)); // nothing is written here
#endif
  reader->file = hdf5->hasFailed ? H5I_INVALID_HID : H5Fopen(path, H5F_ACC_RDONLY, access);
  if (crHdf5_Try(hdf5, reader->file)) {
    crHdf5_CloseTo(hdf5, 0);
    return cr_ok;
  }
  if (!crHdf5_IsOutOfMemory(hdf5) && H5Fis_hdf5(path) == 0) {
    return crResultReader_Complain(reader, cr_errorFile,
                                   &(crComplaint){ .message = "the file is no result of a run: it is not HDF5",
                                                   .hint = "`carom run` writes results into result.h5" });
  }
  bool isCutOff = strstr(hdf5->error, "truncated") != NULL;
  return crResultReader_Complain(
      reader, cr_errorFile,
      &(crComplaint){ .message = isCutOff ? "the result file is cut off" : "the result file is damaged",
                      .found = hdf5->error,
                      .hint = isCutOff ? "was it copied completely?" : NULL });
}

static crStatus checkFormat(crResultReader* reader)
{
  int format = 0;
  htri_t hasVersion = H5Aexists(reader->file, CR_ATTRIBUTE_VERSION);
  if (!crHdf5_Try(&reader->hdf5, hasVersion)) {
    return crResultReader_ComplainDamage(reader, "", "cannot be opened");
  }
  if (hasVersion == 0 || H5Aexists(reader->file, CR_ATTRIBUTE_FORMAT) <= 0) {
    return crResultReader_Complain(reader, cr_errorFile,
                                   &(crComplaint){ .message = "this HDF5 file is no result of Carom",
                                                   .hint = "results have the attributes carom and format" });
  }
  crStatus status = readNumberAttribute(reader, CR_ATTRIBUTE_FORMAT, &format);
  if (status == cr_ok) {
    status = readTextAttribute(reader, CR_ATTRIBUTE_VERSION, &reader->result->facts.version);
  }
  reader->format = format;
  if (status == cr_ok && (format < 1 || format > CR_RESULT_FORMAT)) {
    char found[16], allowed[32], hint[128];
    snprintf(found, sizeof found, "%d", format);
    snprintf(allowed, sizeof allowed, "1 to %d", CR_RESULT_FORMAT);
    snprintf(hint, sizeof hint, "it was written by Carom %.32s, this is Carom %s", reader->result->facts.version,
             CAROM_VERSION);
    crComplaint complaint = { "the result file has a format that this Carom cannot read", found, allowed, NULL, hint };
    status = crResultReader_Complain(reader, cr_errorFile, &complaint);
  }
  return status;
}

crStatus crResultReader_Open(crResultReader* reader, const char* path)
{
  crStatus status = openFile(reader, path);
  return status == cr_ok ? checkFormat(reader) : status;
}

void crResultReader_Close(crResultReader* reader)
{
  crHdf5_CloseTo(&reader->hdf5, 0);
  if (reader->file >= 0) {
    crHdf5_Try(&reader->hdf5, H5Fclose(reader->file)); // nothing is lost, but HDF5 would stumble over it at the end
  }
}

static crStatus readFacts(crResultReader* reader)
{
  crResultFacts* facts = &reader->result->facts;
  int isComplete = 0;
  crStatus status = readNumberAttribute(reader, CR_ATTRIBUTE_COMPLETE, &isComplete);
  facts->isComplete = isComplete != 0;
  if (status == cr_ok) {
    status = readTextAttribute(reader, CR_ATTRIBUTE_EXIT, &facts->exitReason);
  }
  if (status == cr_ok) {
    status = readTextAttribute(reader, CR_ATTRIBUTE_MODEL, &facts->modelName);
  }
  if (status == cr_ok) {
    status = crResultReader_ReadText(reader, CR_DATASET_SCENE, &facts->sceneJson);
  }
  if (status == cr_ok) {
    status = crResultReader_ReadText(reader, CR_DATASET_RUN, &facts->runJson);
  }
  if (status == cr_ok) {
    status = crResultReader_ReadText(reader, CR_DATASET_SOURCE, &facts->sourceText);
  }
  crHdf5_CloseTo(&reader->hdf5, 0);
  return status;
}

static crStatus readFile(crResultReader* reader, const char* path)
{
  crStatus status = crResultReader_Open(reader, path);
  if (status == cr_ok) {
    status = readFacts(reader);
  }
  if (status == cr_ok) {
    status = readPaths(reader, CR_DATASET_BODIES, &reader->result->bodies, &reader->result->bodyCount);
  }
  if (status == cr_ok) {
    status = readPaths(reader, CR_DATASET_OBJECTS, &reader->result->objects, &reader->result->objectCount);
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
  if (status == cr_ok) {
    status = crResultReader_ReadContacts(reader);
  }
  if (status == cr_ok) {
    status = crResultReader_ReadMeshes(reader);
  }
  crResultReader_Close(reader);
  return status;
}

crStatus crReadResult(const char* path, const crAllocator* allocator, const crErrorSink* sink, crResult** outResult)
{
  if (path == NULL || outResult == NULL) {
    return cr_errorMisuse;
  }
  *outResult = NULL;
  crStatus status = crCheckResultFile(path, sink);
  if (status != cr_ok) {
    return status;
  }
  crResult* result = crCreateResultInMemory(allocator);
  if (result == NULL) {
    return cr_errorMemory;
  }
  crResultReader reader = { .result = result, .reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL) };
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

crStatus crPeekResult(const char* path, const crAllocator* allocator, const crErrorSink* sink, bool* outIsComplete)
{
  int isComplete = 0;
  crStatus status = crCheckResultFile(path, sink);
  crResult* result = status == cr_ok ? crCreateResultInMemory(allocator) : NULL;
  if (result == NULL) {
    return status == cr_ok ? cr_errorMemory : status;
  }
  crResultReader reader = { .result = result, .reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL) };
  crBeginHdf5(&reader.hdf5);
  status = crResultReader_Open(&reader, path);
  status = status == cr_ok ? readNumberAttribute(&reader, CR_ATTRIBUTE_COMPLETE, &isComplete) : status;
  crResultReader_Close(&reader);
  crEndHdf5(&reader.hdf5);
  crDestroyResult(result);
  *outIsComplete = isComplete != 0;
  return status;
}
