// FMUs where there is no libzip: none is written.
#include "base/absent.h"
#include "fmu/archive.h"

crStatus crPackZip(const crZipEntry* entries, int count, const crAllocator* allocator, const crErrorSink* sink,
                   char** outBytes, size_t* outSize)
{
  (void)entries;
  (void)count;
  (void)allocator;
  *outBytes = NULL;
  *outSize = 0;
  return crReportAbsent(sink, NULL, "this build of Carom has no libzip: it packs no FMU", NULL);
}
