// Whole files.
#ifndef CR_BASE_READ_FILE_H
#define CR_BASE_READ_FILE_H

#include "base/friend.h"
#include "carom/base.h"

// Reads a regular file of at most `limit` bytes. The bytes are followed by a 0 that is not counted: the
// block to free has *outSize + 1 bytes. Reports a file that is missing, a directory, a device (which may
// be endless), or too large; the message names the path and carries no address, so that the caller's
// applies.
CR_FRIEND crStatus crReadFile(const char* path, size_t limit, const crAllocator* allocator, const crErrorSink* sink,
                              char** outBytes, size_t* outSize);

// Whoever wants to know which files are read in this thread from now on; NULL: nobody. bytes: NULL where a file could
// not be read.
typedef void crReadWatcher(void* context, const char* path, const char* bytes, size_t size);
CR_FRIEND void crWatchReads(crReadWatcher* watcher, void* context);

#endif
