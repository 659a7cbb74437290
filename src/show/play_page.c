// The page of a model: viewer/dist/play.html with the model's files, the simulator and its licences filled in.
//
// Which files a model is made of is seen by reading it. In the page they have paths from the folder that holds them
// all, so that they find each other as they do here, and nothing tells of the folders above.
#include "base/file.h"
#include "base/memory.h"
#include "base/read_file.h"
#include "base/report.h"
#include "base/text.h"
#include "foreign/fmu_block.h"
#include "show/play.h"
#include "show/report.h"
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
  crArrayOf(PageFile*) files; // the model first
  size_t above;               // letters of all paths that are not told
  bool hasFailed;             // out of memory
  crBytes text;               // the model as JSON
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
  if (realpath(path, real) == NULL || findFile(play, real) != NULL) {
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

static void writeToFile(void* context, const char* bytes, size_t size)
{
  crOutputFile_Write(context, bytes, size);
}

// Writes the page up to a mark and goes on behind it. false: the mark is not there.
static bool writeUpTo(crOutputFile* file, crPlayFile* ioRest, const char* mark)
{
  size_t length = strlen(mark);
  for (size_t i = 0; i + length <= ioRest->size; ++i) {
    if (memcmp(ioRest->bytes + i, mark, length) == 0) {
      crOutputFile_Write(file, ioRest->bytes, i);
      *ioRest = (crPlayFile){ ioRest->bytes + i + length, ioRest->size - i - length };
      return true;
    }
  }
  return false;
}

static crStatus writePage(const Play* play, const char* path, size_t* outSize)
{
  crOutputFile* file;
  crPlayFile rest = crGetPlayPage(), module = crGetPlayModule(), licenses = crGetPlayLicenses();
  crStatus status = crOpenOutputFile(path, &play->allocator, play->sink, &file);
  if (status != cr_ok) {
    return status;
  }
  size_t size = rest.size + play->text.size + licenses.size + CR_BASE64_SIZE(module.size);
  bool isWhole = writeUpTo(file, &rest, "@CAROM_MODEL@");
  crOutputFile_Write(file, play->text.items, play->text.size);
  isWhole = isWhole && writeUpTo(file, &rest, "@CAROM_MODULE@");
  crWriteBase64((const unsigned char*)module.bytes, module.size, (crTextWriter){ writeToFile, file });
  isWhole = isWhole && writeUpTo(file, &rest, "@CAROM_LICENSES@");
  crOutputFile_Write(file, licenses.bytes, licenses.size);
  crOutputFile_Write(file, rest.bytes, rest.size);
  status = crCloseOutputFile(file, isWhole, play->sink);
  if (outSize != NULL) {
    *outSize = size - strlen("@CAROM_MODEL@@CAROM_MODULE@@CAROM_LICENSES@");
  }
  return isWhole ? status : cr_errorMisuse;
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
  crBytes_Init(&play.text, &play.allocator);
  crStatus status = readModel(&play);
  if (status == cr_ok) {
    char title[512];
    size_t length;
    const char* name = crFindFileName(model, false, &length);
    snprintf(title, sizeof title, "%.*s", (int)(length < sizeof title ? length : sizeof title - 1), name);
    crCleanText(title);
    findAbove(&play);
    describe(&play, title);
    status = play.hasFailed || play.text.hasFailed ? cr_errorMemory : writePage(&play, path, outSize);
  }
  crBytes_Free(&play.text);
  freeFiles(&play);
  return status;
}
