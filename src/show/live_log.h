// What browsers get of a run that goes on: the page, and a stream of Server-Sent Events that grows. The run writes, the
// thread of the server reads; neither waits for the other longer than it takes to copy a piece.
//
// Events of the stream:
//   (none)     a row: base64 of float32: time as the sum of two numbers [s], crRowKind, number of samples; 7 numbers
//   for each body, one for each
//              column; for each sample the numbers of two objects, point, normal, force on the second (3 each), depth,
//              area, mean and largest pressure, energy lost so far, number of corners, and for each corner x, y, z,
//              pressure
//   happening  { time, kind, text } of an event
//   contact    one that has ended or lasts at the end: { objects: [a, b], begin, end, approach, ... }, as in the list
//   of a report end        { end: "ok", "interrupted" or "failed" }
#ifndef CR_SHOW_LIVE_LOG_H
#define CR_SHOW_LIVE_LOG_H

#include "base/memory.h"
#include "base/platform.h"
#include "carom/record.h"
#include "show/bytes.h"

// Text that grows to a large size in pieces: nothing is ever moved, and no more is taken than there is.
#define CR_STREAM_PIECE ((size_t)1 << 18) // [bytes]
typedef struct crStream {
  crAllocator allocator;
  crArrayOf(char*) pieces; // of CR_STREAM_PIECE each
  size_t size;             // [bytes]
  bool hasFailed;          // out of memory: the end is missing
} crStream;

typedef struct crLiveLog {
  crAllocator allocator;
  size_t limit; // [bytes] of the stream
  void* context;
  void (*wake)(void* context); // tells the server that there is more
  // of the thread of the run:
  crBytes row, samples; // float32 of the row that was added last
  double rowTime;       // [s]
  int rowKind, sampleCount, bodyCount, columnCount;
  bool hasRow;
  // under the lock:
  pthread_mutex_t lock;
  crBytes page; // empty: the run has not begun
  crStream stream;
  int rowCount; // in the stream
  bool isCut;   // the limit was reached, or memory has run out: no more rows
  bool isOver;  // the run has ended
} crLiveLog;

crStatus crLiveLog_Init(crLiveLog* log, const crAllocator* allocator, size_t limit);
void crLiveLog_Free(crLiveLog* log);

crRecordSink crLiveLog_GetSink(crLiveLog* log);

// Copies up to `size` bytes of the stream from `offset` on; returns how many.
size_t crLiveLog_Read(crLiveLog* log, size_t offset, char* outBytes, size_t size);

// Whether the run has ended: the stream does not grow any more.
bool crLiveLog_IsOver(crLiveLog* log);

// The page, which does not change any more; NULL: the run has not begun.
const unsigned char* crLiveLog_GetPage(crLiveLog* log, size_t* outSize);

#endif
