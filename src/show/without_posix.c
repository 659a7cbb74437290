// Where the system is not POSIX: no browser is started for pictures and films, and no page is served while a run goes
// on.
#include "base/absent.h"
#include "carom/show.h"

crPhotoOptions crDefaultPhotoOptions(void)
{
  return (crPhotoOptions){ .size = sizeof(crPhotoOptions) };
}

crStatus crWritePng(const crResult* result, const char* path, const crPhotoOptions* options,
                    const crAllocator* allocator, const crErrorSink* sink)
{
  (void)result;
  (void)options;
  (void)allocator;
  return crReportAbsent(sink, path, "this build of Carom starts no other programs: it takes no pictures and films",
                        "the report has buttons for both");
}

crStatus crWriteVideo(const crResult* result, const char* path, const crPhotoOptions* options,
                      const crAllocator* allocator, const crErrorSink* sink)
{
  return crWritePng(result, path, options, allocator, sink);
}

crLiveOptions crDefaultLiveOptions(void)
{
  return (crLiveOptions){ .size = sizeof(crLiveOptions) };
}

crStatus crCreateLive(const crLiveOptions* options, const crAllocator* allocator, const crErrorSink* sink,
                      crLive** outLive)
{
  (void)options;
  (void)allocator;
  if (outLive == NULL) {
    return cr_errorMisuse;
  }
  *outLive = NULL;
  return crReportAbsent(sink, NULL, "this build of Carom serves no pages: a run cannot be watched while it goes on",
                        "its report shows it afterwards, `carom play` runs small models in the browser");
}

void crDestroyLive(crLive* live)
{
  (void)live;
}

const char* crLive_GetAddress(const crLive* live)
{
  (void)live;
  return "";
}

crRecordSink crLive_GetSink(crLive* live)
{
  (void)live;
  return (crRecordSink){ 0 };
}

crLiveFacts crLive_GetFacts(const crLive* live)
{
  (void)live;
  return (crLiveFacts){ 0 };
}
