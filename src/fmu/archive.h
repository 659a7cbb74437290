// A zip archive in memory whose bytes depend on what it holds alone.
#ifndef CR_FMU_ARCHIVE_H
#define CR_FMU_ARCHIVE_H

#include "base/memory.h"

typedef struct crZipEntry {
  const char* name;
  const void* bytes; // (size)
  size_t size;
} crZipEntry;

// Packs entries in their order, into a block of the allocator. cr_errorFile: libzip refuses, which is reported.
crStatus crPackZip(const crZipEntry* entries, int count, const crAllocator* allocator, const crErrorSink* sink,
                   char** outBytes, size_t* outSize);

#endif
