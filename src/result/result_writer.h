// The inside of a result being written, for the files that add to it.
#ifndef CR_RESULT_WRITER_H
#define CR_RESULT_WRITER_H

#include "result/band.h"
#include "result/commit_file.h"
#include "result/layout.h"

#include <time.h>

#define CR_MAX_ROWS (1 << 30) // of a dataset, so that counts fit into an int

// The datasets that grow. Poses, contacts, samples and corners are there only when the def asks for them: their bands
// have no columns otherwise.
typedef enum crBandKind {
  cr_bandVariables,
  cr_bandPoses,
  cr_bandTimes,
  cr_bandKinds,
  cr_bandEvents,
  cr_bandContacts,
  cr_bandSamples,
  cr_bandCorners,
  cr_bandCount
} crBandKind;

struct crResultWriter {
  crAllocator allocator;
  crErrorSink sink;
  crStatus status; // of the first failure; nothing is written any more
  crCommitFile* commitFile;
  hid_t file;
  char* path;
  size_t pathSize;
  int objectCount;
  double lastTime; // [s] of the row that was added last
  crBand bands[cr_bandCount];
  struct timespec committed; // when
  int keptRows;              // that are on the disk, whatever happens,
  double keptTime;           // [s] and the time of the last of them
};

// Whether a def can be used; what is wrong with its size is reported.
bool crCheckResultDef(const crResultDef* def, const crErrorSink* sink);

// Making a result in two steps: a file beside the path with everything but rows, and its publishing, which replaces an
// older one. A writer that cannot be finished is abandoned, and its file removed.
crStatus crMakeResultWriter(const crResultDef* def, const crAllocator* allocator, const crErrorSink* sink,
                            crResultWriter** outWriter);
crStatus crResultWriter_Publish(crResultWriter* writer);
void crResultWriter_Abandon(crResultWriter* writer);

// A complaint about a call that changes nothing; passes the status on.
crStatus crResultWriter_Report(const crResultWriter* writer, crStatus status, const char* message, const char* found);

// Ends the writing. Only the first failure is reported; the others follow from it.
crStatus crResultWriter_Fail(crResultWriter* writer, crStatus status, const char* message, const char* found);

// Adds a record to a band, and writes the band when it is full. `tooMany` is said when there are CR_MAX_ROWS.
crStatus crResultWriter_AddRecord(crResultWriter* writer, crBandKind kind, const void* record, const char* tooMany);

// Writes everything onto the disk if the last time was a second ago.
crStatus crResultWriter_FlushIfDue(crResultWriter* writer);

#endif
