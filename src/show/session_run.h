// A session done again: what was done in a play page, with the same bits.
#ifndef CR_SHOW_SESSION_RUN_H
#define CR_SHOW_SESSION_RUN_H

#include "carom/run.h"

typedef struct crSessionFacts {
  int stepCount, actionCount;
  double time; // [s] reached
  int rowCount;
  bool hasReport;
  char folder[CR_RUN_FOLDER_SIZE];
} crSessionFacts;

// Does a session of a file with a model, and writes result.h5 and report.html into the folder of the def, of which
// file, settings, folder, omitsReport, patterns and shouldStop count; settings of the def come before those of the
// session. After a failure both files have what there is. Everything is told to the sink.
crStatus crReplaySession(const crRunDef* def, const char* session, const crAllocator* allocator,
                         const crErrorSink* sink, crSessionFacts* outFacts);

#endif
