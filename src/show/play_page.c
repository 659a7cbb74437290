// The page of a model: viewer/dist/play.html with the model's files, the simulator and its licences filled in.
//
// Which files a model is made of is seen by reading it. In the page they have paths from the folder that holds them
// all, so that they find each other as they do here, and nothing tells of the folders above.
#include "base/file.h"
#include "base/memory.h"
#include "base/platform.h"
#include "base/read_file.h"
#include "base/report.h"
#include "base/text.h"
#include "foreign/fmu_block.h"
#include "show/play.h"
#include "show/report.h"
#include "show/run_about.h"
#include "text/mesh_grant.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct PageFile {
  char path[PATH_MAX]; // without links
  char* bytes;
  size_t size;
} PageFile;

typedef struct Play {
  crAllocator allocator;
  const crErrorSink* sink;
  const char* model;
  const crSetting* settings;
  int settingCount;
  crSimulationOptions options; // that runs in the page are told; zeros: as the model says
  crArrayOf(PageFile*) files;  // the model first
  size_t above;                // letters of all paths that are not told
  bool hasFailed;              // out of memory
  crBytes text;                // the model as JSON
} Play;

// ------------------------------------------------------------------------------------------- files

static PageFile* findFile(const Play* play, const char* path)
{
  for (int i = 0; i < play->files.count; ++i) {
    if (strcmp(play->files.items[i]->path, path) == 0) {
      return play->files.items[i];
    }
  }
  return NULL;
}

static void keepFile(void* context, const char* path, const char* bytes, size_t size)
{
  Play* play = context;
  char real[PATH_MAX];
  if (bytes == NULL || realpath(path, real) == NULL || findFile(play, real) != NULL) {
    return;
  }
  PageFile* file = crAllocateZero(&play->allocator, 1, sizeof *file);
  PageFile** place = file != NULL ? crArray_Push(&play->files, &play->allocator) : NULL;
  char* copy = place != NULL ? crAllocate(&play->allocator, size + 1) : NULL;
  if (place != NULL) {
    *place = file;
  }
  if (copy == NULL) {
    play->hasFailed = true;
    return;
  }
  memcpy(copy, bytes, size);
  memcpy(file->path, real, sizeof real);
  file->bytes = copy;
  file->size = size;
}

static void freeFiles(Play* play)
{
  for (int i = 0; i < play->files.count; ++i) {
    PageFile* file = play->files.items[i];
    crFree(&play->allocator, file->bytes, file->bytes != NULL ? file->size + 1 : 0);
    crFree(&play->allocator, file, sizeof *file);
  }
  crArray_Free(&play->files, &play->allocator);
}

// The folder that holds all files, with its slash.
static void findAbove(Play* play)
{
  const char* first = play->files.items[0]->path;
  play->above = (size_t)(strrchr(first, '/') - first) + 1;
  for (int i = 1; i < play->files.count; ++i) {
    while (strncmp(first, play->files.items[i]->path, play->above) != 0) {
      do {
        --play->above;
      } while (first[play->above - 1] != '/');
    }
  }
}

// ------------------------------------------------------------------------------------------- model

// What is wrong with it is told, and then there is no page.
static crStatus readModel(Play* play)
{
  crScene* scene = NULL;
  crModel* model = NULL;
  crReadOptions options = crDefaultReadOptions();
  options.settings = play->settings;
  options.settingCount = play->settingCount;
  crWatchReads(keepFile, play);
  crStatus status = crReadModel(play->model, &options, &play->allocator, play->sink, &scene);
  crWatchReads(NULL, NULL);
  if (scene != NULL) {
    crStatus compiled = crCompile(scene, NULL, &play->allocator, play->sink, &model);
    status = status == cr_ok ? compiled : status;
  }
  if (status == cr_ok && crHasFmus(model)) {
    crReporter reporter = crMakeReporter(play->sink, (crSource){ .file = play->model }, "play");
    crReportError(&reporter, "the model runs FMUs of others, which no page can");
    status = cr_errorModel;
  }
  crDestroyModel(model);
  crDestroyScene(scene);
  status = status == cr_ok && play->hasFailed ? cr_errorMemory : status;
  return status == cr_ok && play->files.count == 0 ? cr_errorFile : status;
}

// ------------------------------------------------------------------------------------------- text

// '<' is escaped: inside a page it could end the element.
static void writeEscaped(void* context, const char* text, size_t size)
{
  for (size_t i = 0; i < size; ++i) {
    text[i] == '<' ? crBytes_Add(context, "\\u003c", 6) : crBytes_Add(context, text + i, 1);
  }
}

static void putFile(Play* play, crJsonText* text, const PageFile* file)
{
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "path", file->path + play->above);
  if (memchr(file->bytes, '\0', file->size) == NULL && crIsUtf8(file->bytes, file->size)) {
    file->bytes[file->size] = '\0'; // there is room for it
    crJsonText_KeyString(text, "text", file->bytes);
  } else {
    crBytes base64;
    crBytes_Init(&base64, &play->allocator);
    crWriteBase64((const unsigned char*)file->bytes, file->size, (crTextWriter){ crBytes_Write, &base64 });
    crBytes_Add(&base64, "", 1);
    crJsonText_KeyString(text, "base64", base64.hasFailed ? "" : (const char*)base64.items);
    play->hasFailed = play->hasFailed || base64.hasFailed;
    crBytes_Free(&base64);
  }
  crJsonText_EndObject(text);
}

// Parameters that were set, or what lets files be read: folders as the page has them.
static void putSettings(const Play* play, crJsonText* text, bool ofReading)
{
  crJsonText_BeginObject(text);
  for (int i = 0; i < play->settingCount; ++i) {
    const crSetting* setting = &play->settings[i];
    bool isOfReading = crIsGrant(setting) || strcmp(setting->name, "ignoreMissing") == 0;
    if (isOfReading == ofReading && !crIsGrant(setting)) {
      crJsonText_KeyString(text, setting->name, setting->value);
    }
  }
  if (ofReading) {
    crJsonText_KeyString(text, CR_ALLOW_PATH, "/"); // nothing is there but what the page holds
  }
  crJsonText_EndObject(text);
}

// Options of runs by the names that wasm/options.c knows.
static void putOptions(const crSimulationOptions* options, crJsonText* text)
{
  const struct {
    const char* name;
    double value;
  } numbers[] = { { "stopTime", options->stopTime },
                  { "interval", options->interval },
                  { "tolerance", options->tolerance },
                  { "absoluteTolerance", options->absoluteTolerance },
                  { "maxStep", options->maxStep } };
  crJsonText_BeginObject(text);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    if (numbers[i].value != 0.0) {
      crJsonText_KeyNumber(text, numbers[i].name, numbers[i].value);
    }
  }
  if (options->solver != cr_solverDefault) {
    crJsonText_KeyString(text, "solver", crGetSolverInfo(options->solver)->name);
  }
  if (options->islands != cr_islandsDefault) {
    crJsonText_KeyString(text, "islands", options->islands == cr_islandsOn ? "on" : "off");
  }
  if (options->eventRows != cr_eventRowsDefault) {
    crJsonText_KeyString(text, "eventRows", options->eventRows == cr_eventRowsOn ? "on" : "off");
  }
  if (options->ignoresContacts) {
    crJsonText_KeyString(text, "contacts", "off");
  }
  crJsonText_EndObject(text);
}

static void describe(Play* play, const char* title)
{
  crJsonText text;
  crJsonText_Init(&text, (crTextWriter){ writeEscaped, &play->text });
  crJsonText_BeginObjectLines(&text);
  crJsonText_KeyString(&text, "title", title);
  crJsonText_KeyString(&text, "generator", "carom " CAROM_VERSION);
  crJsonText_KeyString(&text, "path", play->files.items[0]->path + play->above);
  crJsonText_Key(&text, "settings");
  putSettings(play, &text, false);
  crJsonText_Key(&text, "options");
  putOptions(&play->options, &text);
  crJsonText_Key(&text, "reading");
  putSettings(play, &text, true);
  crJsonText_Key(&text, "files");
  crJsonText_BeginArrayLines(&text);
  for (int i = 0; i < play->files.count; ++i) {
    putFile(play, &text, play->files.items[i]);
  }
  crJsonText_EndArray(&text);
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
}

// -------------------------------------------------------------------------------------------- page

// Writes the page up to a mark and goes on behind it. false: the mark is not there.
static bool writeUpTo(crBytes* page, crPlayFile* ioRest, const char* mark)
{
  size_t length = strlen(mark);
  for (size_t i = 0; i + length <= ioRest->size; ++i) {
    if (memcmp(ioRest->bytes + i, mark, length) == 0) {
      crBytes_Add(page, ioRest->bytes, i);
      *ioRest = (crPlayFile){ ioRest->bytes + i + length, ioRest->size - i - length };
      return true;
    }
  }
  return false;
}

// The page; with a run its marks stay, which come before all that is filled in here.
static crStatus fillPage(const Play* play, bool hasRun, crBytes* page)
{
  static const char* const marks[] = { CR_RUN_MARK, CR_DATA_MARK };
  crPlayFile rest = crGetPlayPage(), module = crGetPlayModule(), licenses = crGetPlayLicenses();
  bool isWhole = true;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i) {
    isWhole = isWhole && writeUpTo(page, &rest, marks[i]);
    crBytes_Add(page, marks[i], hasRun ? strlen(marks[i]) : 0);
  }
  isWhole = isWhole && writeUpTo(page, &rest, "@CAROM_MODEL@");
  crBytes_Add(page, play->text.items, play->text.size);
  isWhole = isWhole && writeUpTo(page, &rest, "@CAROM_MODULE@");
  crWriteBase91((const unsigned char*)module.bytes, module.size, (crTextWriter){ crBytes_Write, page });
  isWhole = isWhole && writeUpTo(page, &rest, "@CAROM_LICENSES@");
  crBytes_Add(page, licenses.bytes, licenses.size);
  crBytes_Add(page, rest.bytes, rest.size);
  return page->hasFailed ? cr_errorMemory : isWhole ? cr_ok : cr_errorMisuse;
}

static crStatus composePage(Play* play, bool hasRun, crBytes* page)
{
  crStatus status = readModel(play);
  if (status == cr_ok) {
    char title[512];
    size_t length;
    const char* name = crFindFileName(play->model, false, &length);
    snprintf(title, sizeof title, "%.*s", (int)(length < sizeof title ? length : sizeof title - 1), name);
    crCleanText(title);
    findAbove(play);
    describe(play, title);
    status = play->hasFailed || play->text.hasFailed ? cr_errorMemory : fillPage(play, hasRun, page);
  }
  return status;
}

static void initPlay(Play* play, crBytes* page)
{
  crBytes_Init(&play->text, &play->allocator);
  crBytes_Init(page, &play->allocator);
}

static void freePlay(Play* play, crBytes* page)
{
  crBytes_Free(page);
  crBytes_Free(&play->text);
  freeFiles(play);
}

crStatus crWritePlayPage(const char* model, const crSetting* settings, int settingCount, const char* path,
                         const crAllocator* allocator, const crErrorSink* sink, size_t* outSize)
{
  if (model == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  Play play = { .allocator = crChooseAllocator(allocator),
                .sink = sink,
                .model = model,
                .settings = settings,
                .settingCount = settingCount };
  crBytes page;
  crOutputFile* file;
  initPlay(&play, &page);
  crStatus status = composePage(&play, false, &page);
  status = status == cr_ok ? crOpenOutputFile(path, &play.allocator, sink, &file) : status;
  if (status == cr_ok) {
    crOutputFile_Write(file, page.items, page.size);
    status = crCloseOutputFile(file, true, sink);
  }
  if (outSize != NULL) {
    *outSize = page.size;
  }
  freePlay(&play, &page);
  return status;
}

// A page with another model than that of its run would tell what is not so.
static crStatus checkSource(const Play* play, const char* sourceHash)
{
  char hash[CR_SHA256_TEXT];
  const PageFile* file = play->files.items[0];
  crDigestBytes(file->bytes, file->size, hash);
  if (strcmp(hash, sourceHash) == 0) {
    return cr_ok;
  }
  crReporter reporter = crMakeReporter(play->sink, (crSource){ play->model, 0, 0 }, NULL);
  crReport(&reporter, cr_severityError, cr_errorFile,
           &(crComplaint){ .message = "the model's file has changed since the run began" });
  return cr_errorFile;
}

crStatus crWritePlayReport(const crRunDef* def, const char* sourceHash, const crSimulationOptions* options,
                           const crResult* result, const char* path, const crReportOptions* reportOptions,
                           const crAllocator* allocator, const crErrorSink* sink, crReportFacts* outFacts)
{
  Play play = { .allocator = crChooseAllocator(allocator),
                .sink = sink,
                .model = def->file,
                .settings = def->settings,
                .settingCount = def->settingCount,
                .options = *options };
  crBytes page;
  initPlay(&play, &page);
  crStatus status = composePage(&play, true, &page);
  status = status == cr_ok ? checkSource(&play, sourceHash) : status;
  if (status == cr_ok) {
    status = crWriteReportInto((const char*)page.items, page.size, result, path, reportOptions, &play.allocator, sink,
                               outFacts);
  }
  freePlay(&play, &page);
  return status;
}
