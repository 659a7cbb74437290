// Watching a run: a page that shows it while it goes on, served to browsers on this machine alone.
//
// The page is that of the report. It comes from a socket on the loopback address, under an address with a random token;
// what is recorded follows as Server-Sent Events. Requests without the token, or with another host in their headers
// than this one (so that no page of the network can reach it by a name that points here), are refused. The run never
// waits for a browser: what it records is kept for those that come late or are slow, up to a limit.
#ifndef CAROM_LIVE_H
#define CAROM_LIVE_H

#include "carom/record.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crLive crLive;

typedef struct crLiveOptions {
  size_t size;
  int port;         // 0: a free one
  size_t dataLimit; // [bytes] that are kept of a run for browsers; what comes later is not shown; 0: 128 MB
  double patience;  // [s] after which a browser is left that asks for nothing, or takes nothing of what there is; 0: 20
} crLiveOptions;

CR_API crLiveOptions crDefaultLiveOptions(void);

// Opens the socket, and serves in a thread of its own until it is destroyed. NULL options: the defaults.
CR_API crStatus crCreateLive(const crLiveOptions* options, const crAllocator* allocator, const crErrorSink* sink,
                             crLive** outLive);
CR_API void crDestroyLive(crLive* live);

CR_API const char* crLive_GetAddress(const crLive* live); // "http://127.0.0.1:PORT/TOKEN/"

// Takes the records of one run, as crRunDef.follower; nothing that happens here is an error of the run.
CR_API crRecordSink crLive_GetSink(crLive* live);

typedef struct crLiveFacts {
  int visits;   // browsers that have asked for what is recorded
  int refusals; // requests that were refused
  int rowCount; // of the run, that are kept for browsers
  bool isCut;   // and more were recorded
  int watchers; // that are connected now
  bool isShown; // they have got all there is
} crLiveFacts;

CR_API crLiveFacts crLive_GetFacts(const crLive* live);

#ifdef __cplusplus
}
#endif

#endif
