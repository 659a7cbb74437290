// carom fmt: Lua models laid out anew, JSON models in their canonical form.
#include "base/file.h"
#include "base/read_file.h"
#include "cli.h"
#include "text/path.h"
#include "text/read_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A text that grows.
typedef struct Text {
  char* bytes; // (size)
  size_t size, capacity;
  bool isShort; // of memory
} Text;

static void addText(void* context, const char* bytes, size_t size)
{
  Text* text = context;
  if (size > text->capacity - text->size) {
    size_t capacity = 2 * (text->size + size) + 256;
    char* moved = realloc(text->bytes, capacity);
    if (moved == NULL) {
      text->isShort = true;
      return;
    }
    text->bytes = moved;
    text->capacity = capacity;
  }
  if (size > 0) {
    memcpy(text->bytes + text->size, bytes, size);
  }
  text->size += size;
}

static bool hasEnding(const char* path, const char* ending)
{
  const char* dot = strrchr(path, '.');
  return dot != NULL && strcasecmp(dot, ending) == 0;
}

// A JSON model by way of the scene that it stands for: mesh files keep their names.
static crStatus formatJson(const char* path, const char* bytes, size_t size, const crErrorSink* sink, Text* out)
{
  char folder[CR_FILE_PATH_SIZE];
  if (!crFindFolder(path, folder)) {
    return crReportFile(sink, path, "the path is too long", 0);
  }
  crScene* scene = NULL;
  crStatus status = crReadJson(bytes, size, path, folder, NULL, NULL, sink, &scene);
  status = status == cr_ok ? crWriteJson(scene, NULL, sink, (crTextWriter){ addText, out }) : status;
  crDestroyScene(scene);
  return status;
}

static crStatus writeFile(const char* path, const Text* text, const crErrorSink* sink)
{
  crOutputFile* file = NULL;
  crStatus status = crOpenOutputFile(path, NULL, sink, &file);
  if (status == cr_ok) {
    crOutputFile_Write(file, text->bytes, text->size);
    status = crCloseOutputFile(file, true, sink);
  }
  return status;
}

// What one file came to.
typedef enum Outcome { outcomeSame, outcomeChanged, outcomeFailed } Outcome;

static Outcome formatFile(const char* path, bool isCheck, const crErrorSink* sink)
{
  char* bytes = NULL;
  size_t size = 0;
  Text text = { 0 };
  crAllocator allocator = crChooseAllocator(NULL);
  crStatus status = crReadFile(path, CR_MODEL_FILE_LIMIT, &allocator, sink, &bytes, &size);
  if (status == cr_ok) {
    status = hasEnding(path, ".json") ? formatJson(path, bytes, size, sink, &text)
                                      : crFormatLua(bytes, size, path, NULL, sink, (crTextWriter){ addText, &text });
  }
  bool isSame = status == cr_ok && text.size == size && (size == 0 || memcmp(text.bytes, bytes, size) == 0);
  if (text.isShort) {
    fputs("carom: out of memory\n", stderr);
    status = cr_errorMemory;
  }
  if (status == cr_ok && !isSame && !isCheck) {
    status = writeFile(path, &text, sink);
  }
  crFree(&allocator, bytes, bytes != NULL ? size + 1 : 0);
  free(text.bytes);
  return status != cr_ok ? outcomeFailed : isSame ? outcomeSame : outcomeChanged;
}

static int formatFiles(char** paths, int count, bool isCheck)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  if (log == NULL) {
    fputs("carom: out of memory\n", stderr);
    return CR_EXIT_MODEL;
  }
  crErrorSink sink = crErrorLog_GetSink(log);
  int code = CR_EXIT_OK;
  for (int i = 0; i < count; ++i) {
    Outcome outcome = formatFile(paths[i], isCheck, &sink);
    if (outcome == outcomeChanged) {
      crPrintName(stdout, paths[i]);
      printf(isCheck ? " would change\n" : " changed\n");
    }
    code = outcome == outcomeFailed || (isCheck && outcome == outcomeChanged) ? CR_EXIT_MODEL : code;
  }
  crPrintLog(log, cr_severityError);
  crDestroyErrorLog(log);
  return code;
}

static int run(int argc, char** argv)
{
  enum { optionCheck = 1000, optionHelp };
  static const struct option options[] = { { "check", no_argument, NULL, optionCheck },
                                           { "help", no_argument, NULL, optionHelp },
                                           { NULL, 0, NULL, 0 } };
  bool isCheck = false;
  opterr = 0;
  optind = 1;
  int option;
  while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
    switch (option) {
      case optionCheck: isCheck = true; break;
      case 'h':
      case optionHelp: fputs(crFormatVerb.help, stdout); return CR_EXIT_OK;
      default: return crUsageError("fmt", "unknown option '%s'", argv[optind - 1]);
    }
  }
  if (optind == argc) {
    return crUsageError("fmt", "the model is missing");
  }
  for (int i = optind; i < argc; ++i) {
    if (!hasEnding(argv[i], ".lua") && !hasEnding(argv[i], ".json")) {
      return crUsageError("fmt", "models to be laid out end in .lua or .json, not '%s'", argv[i]);
    }
  }
  return formatFiles(argv + optind, argc - optind, isCheck);
}

const crVerb crFormatVerb = {
  .name = "fmt",
  .summary = "lay models out: indentation of Lua, canonical JSON",
  .help = "usage: carom fmt MODEL... [--check]\n"
          "\n"
          "Lays out Lua models: two blanks of indentation a level, blanks around what separates, none\n"
          "at ends of lines, at most one empty line. Tokens, comments and line breaks stay, and so\n"
          "does what is lined up. JSON models get their canonical form: one element a line, shortest\n"
          "numbers, defaults left out. Files are written complete or not at all, and only those that\n"
          "change; doing it twice changes nothing more.\n"
          "\n"
          "  --check            write nothing; tell which files would change\n"
          "\n"
          "Exit codes: 0 ok, 1 a file has errors, or would change with --check, 2 wrong usage.\n"
          "\n"
          "example: carom fmt arm.lua parts/gripper.lua\n",
  .run = run,
};
