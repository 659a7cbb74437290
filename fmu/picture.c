// Pictures in an FMU and in a play page: none. They carry models and meshes, and no zlib; heights as a table are part
// of the model.
#include "mesh/png.h"

crStatus crReadPng(const void* bytes, size_t size, const char* name, const crAllocator* allocator,
                   const crErrorSink* sink, crGreyPicture* outPicture)
{
  (void)bytes;
  (void)size;
  (void)allocator;
  crReporter reporter = crMakeReporter(sink, (crSource){ name, 0, 0 }, NULL);
  crComplaint complaint = { .message = "FMUs and play pages read no pictures",
                            .hint = "carom convert writes the model as JSON, which has the heights themselves" };
  crReport(&reporter, cr_severityError, cr_errorFile, &complaint);
  *outPicture = (crGreyPicture){ 0 };
  return cr_errorFile;
}

void crGreyPicture_Free(crGreyPicture* picture, const crAllocator* allocator)
{
  (void)allocator;
  *picture = (crGreyPicture){ 0 };
}
