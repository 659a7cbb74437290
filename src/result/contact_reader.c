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
  hid_t type = crMakeContactType(&reader->hdf5, reader->format);
  crContactRecord* records = readRecords(reader, CR_DATASET_CONTACTS, type, crGetContactSize(reader->format),
                                         crUnpackContact, &count, &status);
  if (records == NULL) {
    return status;
  }
  status = crResult_SetContacts(reader->result, records, count);
  crFree(&reader->result->allocator, records, ((size_t)count + 1) * sizeof *records);
  return complain(reader, status, CR_DATASET_CONTACTS, "names an object that does not exist");
}

static crStatus readSampleList(crResultReader* reader)
{
  crStatus status = cr_ok;
  int count = 0;
  hid_t type = crMakeSampleType(&reader->hdf5, reader->format);
  crContactRecord* samples =
      readRecords(reader, CR_DATASET_SAMPLES, type, crGetSampleSize(reader->format), crUnpackSample, &count, &status);
  if (samples == NULL) {
    return status;
  }
  status = crResult_SetSamples(reader->result, samples, count);
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
