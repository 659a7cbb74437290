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

#define CR_RUN_MARK "@CAROM_RUN@"
#define CR_DATA_MARK "@CAROM_DATA@"
#define CR_REPORT_FORMAT 1
#define CR_DATA_LIMIT ((size_t)20 * 1000 * 1000) // [bytes] files of this size open in a moment and pass as attachments
#define CR_LARGEST_TRY 10.0    // [-] bytes before packing over the limit, above which rows are left out untried
#define CR_CONTACT_LIMIT 20000 // a table of more entries is not read by anyone

crReportOptions crDefaultReportOptions(void)
{
  crReportOptions options = { .size = sizeof options };
  return options;
}

static crReportOptions complete(const crReportOptions* options)
{
  crReportOptions chosen = options != NULL ? *options : crDefaultReportOptions();
  chosen.dataLimit = chosen.dataLimit == 0 ? CR_DATA_LIMIT : chosen.dataLimit;
  chosen.maxContacts = chosen.maxContacts == 0 ? CR_CONTACT_LIMIT : chosen.maxContacts > 0 ? chosen.maxContacts : 0;
  return chosen;
}

// --------------------------------------------------------------------------------------------- text

// Adds JSON to bytes. '<' is escaped: inside a page it could end the element or begin another one. In JSON it stands
// in strings only.
static void appendEscaped(void* context, const char* bytes, size_t size)
{
  static const char escape[] = "\\u003c";
  const char* end = bytes + size;
  while (bytes < end) {
    const char* found = memchr(bytes, '<', (size_t)(end - bytes));
    crBytes_Add(context, bytes, (size_t)((found != NULL ? found : end) - bytes));
    if (found != NULL) {
      crBytes_Add(context, escape, sizeof escape - 1);
    }
    bytes = found != NULL ? found + 1 : end;
  }
}

// ------------------------------------------------------------------------------------------- values

static void putNumber(crJsonText* text, double number)
{
  if (isfinite(number)) {
    crJsonText_Number(text, number);
  } else {
    crJsonText_Null(text);
  }
}

void crPutKeyNumber(crJsonText* text, const char* key, double number)
{
  crJsonText_Key(text, key);
  putNumber(text, number);
}

size_t crReportWriting_CountNumbers(const crReportWriting* writing)
{
  return writing->data->size / sizeof(float);
}

void crPutBlock(crReportWriting* writing, const char* key, size_t first)
{
  crJsonText_Key(writing->text, key);
  crJsonText_BeginArray(writing->text);
  crJsonText_Number(writing->text, (double)first);
  crJsonText_Number(writing->text, (double)(crReportWriting_CountNumbers(writing) - first));
  crJsonText_EndArray(writing->text);
}

void crPutNumbers(crJsonText* text, const char* key, const double* numbers, int count)
{
  crJsonText_Key(text, key);
  crJsonText_BeginArray(text);
  for (int i = 0; i < count; ++i) {
    putNumber(text, numbers[i]);
  }
  crJsonText_EndArray(text);
}

void crPutVec3(crJsonText* text, const char* key, crVec3 vector)
{
  const double numbers[] = { vector.x, vector.y, vector.z };
  crPutNumbers(text, key, numbers, 3);
}

void crPutPose(crJsonText* text, const char* key, crPose pose)
{
  crQuat q = crMat3ToQuat(pose.R);
  const double numbers[] = { pose.p.x, pose.p.y, pose.p.z, q.w, q.x, q.y, q.z };
  crPutNumbers(text, key, numbers, CR_POSE_SIZE);
}

// -------------------------------------------------------------------------------------- description

// Every k-th row, and the last one: what a run ends with is what it was made for.
static int countKeptRows(int rowCount, int every)
{
  return rowCount > 0 ? (rowCount - 1 + every - 1) / every + 1 : 0;
}

int crReportWriting_GetRow(const crReportWriting* writing, int index)
{
  int last = crResult_CountRows(writing->picture->result) - 1;
  return index < writing->rowCount - 1 ? index * writing->every : last;
}

void crReportWriting_AddNote(crReportWriting* writing, const char* note)
{
  char* text = writing->facts->note;
  size_t used = strlen(text);
  snprintf(text + used, sizeof writing->facts->note - used, "%s%s", used > 0 ? "; " : "", note);
}

// The name of the report, or of a result that is shown over it.
static void writeTitle(crReportWriting* writing, const char* given)
{
  char title[256];
  size_t size;
  const char* name = crFindFileName(crResult_GetFacts(writing->picture->result).modelName, false, &size);
  while (size >= sizeof title || (size > 0 && !crIsUtf8(name, size))) {
    --size;
  }
  snprintf(title, sizeof title, "%.*s", (int)size, name);
  crJsonText_KeyString(writing->text, "title", given != NULL ? given : title);
}

static void writeTimes(crReportWriting* writing)
{
  const crResult* result = writing->picture->result;
  const double* times = crResult_GetTimes(result);
  double origin = writing->rowCount > 0 ? times[0] : 0.0;
  size_t first = crReportWriting_CountNumbers(writing);
  for (int i = 0; i < writing->rowCount; ++i) {
    crBytes_AddFloat(writing->data, times[crReportWriting_GetRow(writing, i)] - origin);
  }
  crJsonText_Key(writing->text, "time");
  crJsonText_BeginObject(writing->text);
  crJsonText_KeyNumber(writing->text, "origin", origin);
  crPutBlock(writing, "values", first);
  crJsonText_EndObject(writing->text);
  crJsonText_Key(writing->text, "thinned");
  crJsonText_BeginObject(writing->text);
  crJsonText_KeyNumber(writing->text, "every", writing->every);
  crJsonText_KeyNumber(writing->text, "rows", crResult_CountRows(result));
  crJsonText_EndObject(writing->text);
}

// What moves, what was recorded, what touched: all but tables of facts.
static crStatus writeRun(crReportWriting* writing, const char* title)
{
  writeTitle(writing, title);
  writeTimes(writing);
  crStatus status = crWriteReportScene(writing);
  if (status != cr_ok) {
    return status;
  }
  crWriteReportBodies(writing);
  crWriteReportVariables(writing);
  return crWriteReportContacts(writing);
}

// Results over this one, each of which is thinned as much as it.
static crStatus writeOthers(const crReportWriting* writing, const crPicture* pictures)
{
  crStatus status = cr_ok;
  crJsonText_Key(writing->text, "others");
  crJsonText_BeginArrayLines(writing->text);
  for (int i = 0; i < writing->options->otherCount && status == cr_ok; ++i) {
    crReportWriting other = *writing;
    other.picture = &pictures[i];
    other.rowCount = countKeptRows(crResult_CountRows(pictures[i].result), writing->every);
    crJsonText_BeginObject(writing->text);
    status = writeRun(&other, writing->options->others[i].name);
    crJsonText_EndObject(writing->text);
  }
  crJsonText_EndArray(writing->text);
  return status;
}

static void writePaths(crJsonText* text, const char* key, const char* const* paths, int count)
{
  crJsonText_Key(text, key);
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < count; ++i) {
    crJsonText_String(text, paths[i]);
  }
  crJsonText_EndArray(text);
}

// In which order rows have bodies, and what numbers of objects stand for.
static void writeLive(crJsonText* text, const crResultDef* def)
{
  crJsonText_Key(text, "live");
  crJsonText_BeginObject(text);
  writePaths(text, "bodies", def->bodies, def->bodyCount);
  writePaths(text, "objects", def->objects, def->objectCount);
  crJsonText_EndObject(text);
}

// pictures: that of the result, then those of the others.
static crStatus writeDescription(crReportWriting* writing, const crPicture* pictures)
{
  crJsonText* text = writing->text;
  crJsonText_BeginObjectLines(text);
  crJsonText_KeyNumber(text, "format", CR_REPORT_FORMAT);
  crJsonText_KeyString(text, "generator", "carom " CAROM_VERSION);
  if (writing->options->name != NULL) {
    crJsonText_KeyString(text, "name", writing->options->name);
  }
  if (writing->live != NULL) {
    writeLive(text, writing->live);
  }
  crStatus status = writeRun(writing, writing->options->title);
  if (status == cr_ok && writing->options->otherCount > 0) {
    status = writeOthers(writing, pictures + 1);
  }
  if (status != cr_ok) {
    return status;
  }
  crWriteReportFacts(writing);
  crJsonText_EndObject(text);
  crJsonText_Finish(text);
  return cr_ok;
}

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
  crJsonText text;
  crJsonText_Init(&text, (crTextWriter){ appendEscaped, &outComposed->description });
  facts->every = every;
  snprintf(facts->note, sizeof facts->note, "%s", picture->note);
  crReportWriting writing = { .picture = picture,
                              .options = options,
                              .text = &text,
                              .data = &outComposed->data,
                              .every = every,
                              .rowCount = countKeptRows(crResult_CountRows(picture->result), every),
                              .facts = facts,
                              .live = live };
  crStatus status = writeDescription(&writing, pictures);
  if (status != cr_ok || outComposed->description.hasFailed || outComposed->data.hasFailed) {
    return status != cr_ok ? status : cr_errorMemory;
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
  crReportOptions options = complete(NULL);
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
  crReportOptions chosen = complete(options);
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
