// A result file being read, for the files that read its parts.
#ifndef CR_RESULT_READER_H
#define CR_RESULT_READER_H

#include "base/friend.h"
#include "base/report.h"
#include "record/result.h"
#include "result/layout.h"

// A file being read.
typedef struct crResultReader {
  crResult* result;
  crHdf5 hdf5;
  hid_t file;
  int format; // of the file, 1 to CR_RESULT_FORMAT
  crReporter reporter;
} crResultReader;

// Missing files, folders and rights are reported in the system's words, not HDF5's.
crStatus crCheckResultFile(const char* path, const crErrorSink* sink);

// Opens a file that is a result in a format of ours; anything else is reported. Close is due in any case.
crStatus crResultReader_Open(crResultReader* reader, const char* path);
void crResultReader_Close(crResultReader* reader);

crStatus crResultReader_Complain(crResultReader* reader, crStatus status, const crComplaint* complaint);
crStatus crResultReader_ComplainMemory(crResultReader* reader);

// `what` is wrong with a part of the file; HDF5 has the details if one of its calls failed.
crStatus crResultReader_ComplainDamage(crResultReader* reader, const char* part, const char* what);

// A dataset that is one text, into the result's arena; stays NULL when there is no such dataset.
crStatus crResultReader_ReadText(crResultReader* reader, const char* name, const char** outText);

bool crResultReader_Has(crResultReader* reader, const char* name); // whether there is such a dataset

// Reads a list of records of one type. NULL: none, or outStatus says why. The caller frees *outCount + 1 records.
void* crResultReader_ReadRecords(crResultReader* reader, const char* name, hid_t type, size_t size,
                                 const char* mistaken, int* outCount, crStatus* outStatus);

// Contacts and samples, for as many rows as the result has (contact_reader.c).
crStatus crResultReader_ReadContacts(crResultReader* reader);

#endif
