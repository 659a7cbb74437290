// Reading contacts: those that begin and end, and those at output rows.
#include "result/result_reader.h"

// What is wrong with a list that a result does not take.
static crStatus complain(crResultReader* reader, crStatus status, const char* part, const char* what)
{
  return status == cr_errorMemory ? crResultReader_ComplainMemory(reader)
         : status != cr_ok        ? crResultReader_ComplainDamage(reader, part, what)
                                  : cr_ok;
}

typedef crContactRecord Unpack(const void* stored, int format);

// The elements of a dataset as records; the caller frees *outCount + 1 of them. NULL: outStatus says why.
static crContactRecord* readRecords(crResultReader* reader, const char* name, hid_t type, size_t size, Unpack* unpack,
                                    int* outCount, crStatus* outStatus)
{
  const crAllocator* allocator = &reader->result->allocator;
  char* stored = crResultReader_ReadRecords(reader, name, type, size, "is no list of contacts", outCount, outStatus);
  if (stored == NULL) {
    return NULL;
  }
  crContactRecord* records = crAllocateZero(allocator, (size_t)*outCount + 1, sizeof *records);
  for (int i = 0; records != NULL && i < *outCount; ++i) {
    records[i] = unpack(stored + (size_t)i * size, reader->format);
  }
  crFree(allocator, stored, ((size_t)*outCount + 1) * size);
  *outStatus = records != NULL ? cr_ok : crResultReader_ComplainMemory(reader);
  return records;
}

static crStatus readContactList(crResultReader* reader)
{
  crStatus status = cr_ok;
  int count = 0;
  hid_t type = crMakeReadContactType(&reader->hdf5, reader->format);
  crContactRecord* records =
      readRecords(reader, CR_DATASET_CONTACTS, type, sizeof(crReadContact), crUnpackContact, &count, &status);
  if (records == NULL) {
    return status;
  }
  status = crResult_SetContacts(reader->result, records, count);
  crFree(&reader->result->allocator, records, ((size_t)count + 1) * sizeof *records);
  return complain(reader, status, CR_DATASET_CONTACTS, "names an object that does not exist");
}

// Samples as they lie in a file, and where the corners of the next one are.
typedef struct StoredSamples {
  const crStoredSample* samples;
  const crPatchCorner* corners;
  int format, cornerCount;
  int64_t next;
} StoredSamples;

// With its corners. A killed run may have written samples whose corners did not reach the file.
static crContactRecord giveSample(void* context, int index)
{
  StoredSamples* stored = context;
  crContactRecord sample = crUnpackSample(&stored->samples[index], stored->format);
  int own = sample.cornerCount;
  bool isThere = own > 0 && own <= CR_PATCH_CORNERS && stored->next + own <= stored->cornerCount;
  sample.corners = isThere ? stored->corners + stored->next : NULL;
  sample.cornerCount = isThere ? own : 0;
  stored->next += own > 0 ? own : 0;
  return sample;
}

// Into the result's arena; NULL: none, or outStatus says why.
static const crPatchCorner* readCorners(crResultReader* reader, int* outCount, crStatus* outStatus)
{
  const crAllocator* allocator = &reader->result->allocator;
  *outCount = 0;
  if (!crResultReader_Has(reader, CR_DATASET_CORNERS)) {
    return NULL;
  }
  hid_t type = crMakeCornerType(&reader->hdf5);
  crPatchCorner* corners = crResultReader_ReadRecords(reader, CR_DATASET_CORNERS, type, sizeof *corners,
                                                      "is no list of corners of patches", outCount, outStatus);
  if (corners == NULL) {
    return NULL;
  }
  const crPatchCorner* own = crArena_Copy(&reader->result->arena, corners, (size_t)*outCount * sizeof *corners);
  crFree(allocator, corners, ((size_t)*outCount + 1) * sizeof *corners);
  *outStatus = own != NULL ? cr_ok : crResultReader_ComplainMemory(reader);
  return own;
}

static crStatus readSampleList(crResultReader* reader)
{
  crStatus status = cr_ok;
  int count = 0;
  int cornerCount;
  const crPatchCorner* corners = readCorners(reader, &cornerCount, &status);
  if (status != cr_ok) {
    return status;
  }
  hid_t type = crMakeReadSampleType(&reader->hdf5, reader->format);
  crStoredSample* samples = crResultReader_ReadRecords(reader, CR_DATASET_SAMPLES, type, sizeof *samples,
                                                       "is no list of contacts", &count, &status);
  if (samples == NULL) {
    return status;
  }
  StoredSamples stored = { samples, corners, reader->format, cornerCount, 0 };
  status = crResult_SetSamples(reader->result, count, giveSample, &stored);
  crFree(&reader->result->allocator, samples, ((size_t)count + 1) * sizeof *samples);
  return complain(reader, status, CR_DATASET_SAMPLES, "is not in order");
}

crStatus crResultReader_ReadContacts(crResultReader* reader)
{
  crStatus status = cr_ok;
  if (crResultReader_Has(reader, CR_DATASET_CONTACTS)) {
    status = readContactList(reader);
  }
  if (status == cr_ok && crResultReader_Has(reader, CR_DATASET_SAMPLES)) {
    status = readSampleList(reader);
  }
  crHdf5_CloseTo(&reader->hdf5, 0);
  return status;
}
