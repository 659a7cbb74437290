// report.html: the page with the description and the numbers of a run filled in.
//
// The page has two marks, @CAROM_RUN@ and @CAROM_DATA@. The description refers to the numbers by their places, so it is
// composed first, into memory, while the numbers are gathered. When they are too many, the whole is composed again with
// every 2nd, 3rd, ... row.
#include "show/report.h"

#include "base/file.h"
#include "base/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_RUN_MARK "@CAROM_RUN@"
#define CR_DATA_MARK "@CAROM_DATA@"
#define CR_LARGEST_TRY 10.0 // [-] bytes before packing over the limit, above which rows are left out untried

// ---------------------------------------------------------------------------------------------- page

// A page composed but for its file.
typedef struct Composed {
  crBytes description, data, packed;
} Composed;

static void initComposed(Composed* composed, const crAllocator* allocator)
{
  crBytes_Init(&composed->description, allocator);
  crBytes_Init(&composed->data, allocator);
  crBytes_Init(&composed->packed, allocator);
}

static void freeComposed(Composed* composed)
{
  crBytes_Free(&composed->description);
  crBytes_Free(&composed->data);
  crBytes_Free(&composed->packed);
}

static crStatus compose(const crPicture* picture, const crReportOptions* options, int every, crReportFacts* facts,
                        Composed* outComposed)
{
  initComposed(outComposed, &picture->allocator);
  crStatus status = crComposeReport(picture, options, every, facts, &outComposed->description, &outComposed->data);
  if (status != cr_ok) {
    return status;
  }
  return crPackNumbers(&outComposed->data, &outComposed->packed) ? cr_ok : cr_errorMemory;
}

// Composes with as many rows as fit. What fits is not known before it is packed: resting bodies shrink to nothing. But
// there is no hope for very much.
static crStatus composeWithin(const crPicture* picture, const crReportOptions* options, crReportFacts* facts,
                              Composed* outComposed)
{
  int rowCount = crResult_CountRows(picture->result);
  double bytes = sizeof(float) * (double)rowCount *
                 (CR_POSE_SIZE * (double)picture->bodyCount + crResult_CountColumns(picture->result));
  int every = 1 + (int)fmin(bytes / (CR_LARGEST_TRY * (double)options->dataLimit), rowCount);
  for (;;) {
    crStatus status = compose(picture, options, every, facts, outComposed);
    size_t size = CR_BASE64_SIZE(outComposed->packed.size);
    if (status != cr_ok || size <= options->dataLimit || every >= rowCount) {
      return status;
    }
    double ratio = (double)size / (double)options->dataLimit;
    double next = ceil(every * ratio);
    freeComposed(outComposed);
    every = next >= rowCount ? rowCount : next > every ? (int)next : every + 1;
  }
}

static void writeToFile(void* context, const char* bytes, size_t size)
{
  crOutputFile_Write(context, bytes, size);
}

static const char* findMark(const char* page, size_t size, const char* mark)
{
  size_t length = strlen(mark);
  for (const char* place = page; (place = memchr(place, mark[0], (size_t)(page + size - place))) != NULL; ++place) {
    if ((size_t)(page + size - place) < length) {
      return NULL;
    }
    if (memcmp(place, mark, length) == 0) {
      return place;
    }
  }
  return NULL;
}

static crStatus reportPage(const crErrorSink* sink)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, "report");
  crComplaint complaint = { .message = "the page for reports lacks the marks where the run goes",
                            .allowed = CR_RUN_MARK " before " CR_DATA_MARK };
  crReport(&reporter, cr_severityError, cr_errorMisuse, &complaint);
  return cr_errorMisuse;
}

static crStatus writePage(const char* page, size_t pageSize, const Composed* composed, const char* path,
                          const crAllocator* allocator, const crErrorSink* sink, crReportFacts* facts)
{
  const char* run = findMark(page, pageSize, CR_RUN_MARK);
  const char* afterRun = run != NULL ? run + strlen(CR_RUN_MARK) : page + pageSize;
  const char* data = findMark(afterRun, (size_t)(page + pageSize - afterRun), CR_DATA_MARK);
  if (run == NULL || data == NULL) {
    return reportPage(sink);
  }
  crOutputFile* file;
  crStatus status = crOpenOutputFile(path, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  const char *afterData = data + strlen(CR_DATA_MARK), *end = page + pageSize;
  crOutputFile_Write(file, page, (size_t)(run - page));
  crOutputFile_Write(file, composed->description.items, composed->description.size);
  crOutputFile_Write(file, afterRun, (size_t)(data - afterRun));
  crWriteBase64(composed->packed.items, composed->packed.size, (crTextWriter){ writeToFile, file });
  crOutputFile_Write(file, afterData, (size_t)(end - afterData));
  facts->byteCount = pageSize - strlen(CR_RUN_MARK) - strlen(CR_DATA_MARK) + composed->description.size +
                     CR_BASE64_SIZE(composed->packed.size);
  return crCloseOutputFile(file, true, sink);
}

crStatus crWriteReportInto(const char* page, size_t pageSize, const crResult* result, const char* path,
                           const crReportOptions* options, const crAllocator* allocator, const crErrorSink* sink,
                           crReportFacts* outFacts)
{
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  if (result == NULL || path == NULL ||
      (options != NULL && !crCheckSize(&reporter, "crReportOptions", options->size, sizeof *options))) {
    return cr_errorMisuse;
  }
  crReportOptions chosen = crCompleteReportOptions(options);
  crReportFacts facts = { .every = 1 };
  crPicture picture;
  Composed composed;
  crStatus status = crOpenPicture(&picture, result, allocator);
  if (status == cr_ok) {
    status = composeWithin(&picture, &chosen, &facts, &composed);
    if (status == cr_ok) {
      status = writePage(page, pageSize, &composed, path, &picture.allocator, sink, &facts);
    }
    freeComposed(&composed);
  }
  crClosePicture(&picture);
  if (outFacts != NULL) {
    *outFacts = facts;
  }
  return status;
}

crStatus crWriteReport(const crResult* result, const char* path, const crReportOptions* options,
                       const crAllocator* allocator, const crErrorSink* sink, crReportFacts* outFacts)
{
  size_t size;
  const char* page = crGetReportPage(&size);
  return crWriteReportInto(page, size, result, path, options, allocator, sink, outFacts);
}
