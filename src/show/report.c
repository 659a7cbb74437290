// report.html: the page with the description and the numbers of a run filled in.
//
// The page has two marks, @CAROM_RUN@ and @CAROM_DATA@. The description refers to the numbers by their places, so it is
// composed first, into memory, while the numbers are gathered. When they are too many, the whole is composed again with
// every 2nd, 3rd, ... row.
#include "show/report.h"

#include "base/file.h"
#include "base/report.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static crStatus compose(const crPicture* pictures, const crReportOptions* options, int every, crReportFacts* facts,
                        const crResultDef* live, Composed* outComposed)
{
  const crPicture* picture = &pictures[0];
  initComposed(outComposed, &picture->allocator);
  crStatus status =
      crComposeReport(pictures, options, every, facts, live, &outComposed->description, &outComposed->data);
  if (status != cr_ok) {
    return status;
  }
  return crPackNumbers(&outComposed->data, &outComposed->packed) ? cr_ok : cr_errorMemory;
}

// Composes with as many rows as fit. What fits is not known before it is packed: resting bodies shrink to nothing. But
// there is no hope for very much.
static crStatus composeWithin(const crPicture* pictures, const crReportOptions* options, crReportFacts* facts,
                              Composed* outComposed)
{
  int rowCount = 0;
  double bytes = 0.0;
  for (int i = 0; i <= options->otherCount; ++i) {
    const crResult* result = pictures[i].result;
    int rows = crResult_CountRows(result);
    rowCount = rows > rowCount ? rows : rowCount;
    bytes +=
        sizeof(float) * (double)rows * (CR_POSE_SIZE * (double)pictures[i].bodyCount + crResult_CountColumns(result));
  }
  int every = 1 + (int)fmin(bytes / (CR_LARGEST_TRY * (double)options->dataLimit), rowCount);
  for (;;) {
    crStatus status = compose(pictures, options, every, facts, NULL, outComposed);
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

// A page in three pieces: what lies between them is filled in.
typedef struct PagePieces {
  const char *pieces[3], *ends[3];
} PagePieces;

static bool cutPage(const char* page, size_t size, PagePieces* outPieces)
{
  const char* end = page + size;
  const char* run = findMark(page, size, CR_RUN_MARK);
  const char* afterRun = run != NULL ? run + strlen(CR_RUN_MARK) : end;
  const char* data = findMark(afterRun, (size_t)(end - afterRun), CR_DATA_MARK);
  if (run == NULL || data == NULL) {
    return false;
  }
  *outPieces = (PagePieces){ { page, afterRun, data + strlen(CR_DATA_MARK) }, { run, data, end } };
  return true;
}

static void fillPage(const PagePieces* page, const Composed* composed, crTextWriter writer)
{
  for (int i = 0; i < 3; ++i) {
    writer.write(writer.context, page->pieces[i], (size_t)(page->ends[i] - page->pieces[i]));
    if (i == 0) {
      writer.write(writer.context, (const char*)composed->description.items, composed->description.size);
    } else if (i == 1) {
      crWriteBase64(composed->packed.items, composed->packed.size, writer);
    }
  }
}

static crStatus writePage(const char* page, size_t pageSize, const Composed* composed, const char* path,
                          const crAllocator* allocator, const crErrorSink* sink, crReportFacts* facts)
{
  PagePieces pieces;
  if (!cutPage(page, pageSize, &pieces)) {
    return reportPage(sink);
  }
  crOutputFile* file;
  crStatus status = crOpenOutputFile(path, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  fillPage(&pieces, composed, (crTextWriter){ writeToFile, file });
  facts->byteCount = pageSize - strlen(CR_RUN_MARK) - strlen(CR_DATA_MARK) + composed->description.size +
                     CR_BASE64_SIZE(composed->packed.size);
  return crCloseOutputFile(file, true, sink);
}

// The policy of the page forbids every connection; this one has to ask the server it came from.
static void allowServer(PagePieces* pieces, crBytes* outPage)
{
  static const char mark[] = "default-src 'none'", more[] = "; connect-src 'self'";
  const char* page = pieces->pieces[0];
  const char* found = findMark(page, (size_t)(pieces->ends[0] - page), mark);
  if (found != NULL) {
    found += strlen(mark);
    crBytes_Add(outPage, page, (size_t)(found - page));
    crBytes_Add(outPage, more, strlen(more));
    pieces->pieces[0] = found;
  }
}

crStatus crComposeLivePage(const crResult* empty, const crResultDef* def, const crAllocator* allocator,
                           crBytes* outPage)
{
  size_t size;
  const char* page = crGetReportPage(&size);
  PagePieces pieces;
  crReportOptions options = crCompleteReportOptions(NULL);
  crReportFacts facts = { .every = 1 };
  crPicture picture;
  Composed composed;
  if (!cutPage(page, size, &pieces)) {
    return cr_errorMisuse;
  }
  initComposed(&composed, allocator);
  crStatus status = crOpenPicture(&picture, empty, allocator);
  if (status == cr_ok) {
    status = compose(&picture, &options, 1, &facts, def, &composed);
  }
  if (status == cr_ok) {
    allowServer(&pieces, outPage);
    fillPage(&pieces, &composed, (crTextWriter){ crBytes_Write, outPage });
  }
  freeComposed(&composed);
  crClosePicture(&picture);
  return status;
}

// The pictures of the result and of those over it.
static crStatus openPictures(crPicture* pictures, const crResult* result, const crReportOptions* options,
                             const crAllocator* allocator)
{
  crStatus status = crOpenPicture(&pictures[0], result, allocator);
  for (int i = 0; i < options->otherCount && status == cr_ok; ++i) {
    status = crOpenPicture(&pictures[i + 1], options->others[i].result, allocator);
  }
  return status;
}

static crStatus writeResults(const char* page, size_t pageSize, const crResult* result, const char* path,
                             const crReportOptions* options, const crAllocator* given, const crErrorSink* sink,
                             crReportFacts* facts)
{
  crAllocator allocator = crChooseAllocator(given);
  size_t size = ((size_t)options->otherCount + 1) * sizeof(crPicture);
  crPicture* pictures = crAllocateZero(&allocator, (size_t)options->otherCount + 1, sizeof(crPicture));
  if (pictures == NULL) {
    return cr_errorMemory;
  }
  for (int i = 0; i <= options->otherCount; ++i) {
    pictures[i].allocator = allocator; // so that those can be closed which were never opened
  }
  crStatus status = openPictures(pictures, result, options, &allocator);
  if (status == cr_ok) {
    Composed composed;
    status = composeWithin(pictures, options, facts, &composed);
    if (status == cr_ok) {
      status = writePage(page, pageSize, &composed, path, &allocator, sink, facts);
    }
    freeComposed(&composed);
  }
  for (int i = 0; i <= options->otherCount; ++i) {
    crClosePicture(&pictures[i]);
  }
  crFree(&allocator, pictures, size);
  return status;
}

static bool hasOthers(const crReportOptions* options)
{
  bool isUsable = options->otherCount >= 0 && (options->otherCount == 0 || options->others != NULL);
  for (int i = 0; isUsable && i < options->otherCount; ++i) {
    isUsable = options->others[i].result != NULL;
  }
  return isUsable;
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
  if (!hasOthers(&chosen)) {
    return cr_errorMisuse;
  }
  crReportFacts facts = { .every = 1 };
  crStatus status = writeResults(page, pageSize, result, path, &chosen, allocator, sink, &facts);
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
