// Reading contacts: those that begin and end, and those at output rows.
#include "result/result_reader.h"

// What is wrong with a list that a result does not take.
static crStatus complain(crResultReader* reader, crStatus status, const char* part, const char* what)
{
  return status == cr_errorMemory ? crResultReader_ComplainMemory(reader)
         : status != cr_ok        ? crResultReader_ComplainDamage(reader, part, what)
                                  : cr_ok;
}

static crStatus readContactList(crResultReader* reader)
{
  crStatus status = cr_ok;
  int count = 0;
  hid_t type = crMakeContactType(&reader->hdf5);
  crContactRecord* records = crResultReader_ReadRecords(reader, CR_DATASET_CONTACTS, type, sizeof *records,
                                                        "is no list of contacts", &count, &status);
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
  hid_t type = crMakeSampleType(&reader->hdf5);
  crContactSample* samples = crResultReader_ReadRecords(reader, CR_DATASET_SAMPLES, type, sizeof *samples,
                                                        "is no list of contacts", &count, &status);
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
