// Messages on the terminal, and loading a model with all of its messages.
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool isColored(FILE* stream)
{
  const char* none = getenv("NO_COLOR");
  const char* terminal = getenv("TERM");
  bool isDumb = terminal != NULL && strcmp(terminal, "dumb") == 0;
  return isatty(fileno(stream)) && (none == NULL || none[0] == '\0') && !isDumb;
}

const char* crStyleOn(FILE* stream, crStyle style)
{
  static const char* const codes[] = { "", "\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[2m" };
  return isColored(stream) ? codes[style] : "";
}

const char* crStyleOff(FILE* stream)
{
  return isColored(stream) ? "\x1b[0m" : "";
}

void crPrintName(FILE* stream, const char* name)
{
  for (; *name != '\0'; ++name) {
    unsigned char c = (unsigned char)*name;
    fputc(c < 0x20 || c == 0x7f ? '?' : c, stream);
  }
}

// The text of a message keeps its line breaks and tabs; other control characters, which can only come from a model
// file, are replaced.
static void printText(FILE* stream, const char* text, size_t size)
{
  for (size_t i = 0; i < size; ++i) {
    unsigned char c = (unsigned char)text[i];
    fputc((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? '?' : c, stream);
  }
}

void crPrintError(const crError* error)
{
  static const char* const words[] = { "note: ", "warning: ", "error: " };
  static const crStyle styles[] = { cr_styleFaint, cr_styleWarning, cr_styleError };
  int size = crError_Format(error, NULL, 0);
  char* text = malloc((size_t)size + 1);
  if (text == NULL) {
    fputs("carom: out of memory\n", stderr);
    return;
  }
  crError_Format(error, text, (size_t)size + 1);
  const char* word = words[error->severity];
  const char* place = strstr(text, word);
  size_t before = place != NULL ? (size_t)(place - text) : 0;
  printText(stderr, text, before);
  fprintf(stderr, "%s%s%s", crStyleOn(stderr, styles[error->severity]), place != NULL ? word : "", crStyleOff(stderr));
  size_t shown = before + (place != NULL ? strlen(word) : 0);
  printText(stderr, text + shown, (size_t)size - shown);
  fputc('\n', stderr);
  free(text);
}

int crPrintLog(const crErrorLog* log, crSeverity least)
{
  for (int i = 0; i < crErrorLog_Count(log); ++i) {
    if (crErrorLog_Get(log, i)->severity >= least) {
      crPrintError(crErrorLog_Get(log, i));
    }
  }
  int hidden = -crErrorLog_Count(log);
  for (int severity = cr_severityNote; severity <= cr_severityError; ++severity) {
    hidden += crErrorLog_CountOf(log, (crSeverity)severity);
  }
  if (hidden > 0) {
    fprintf(stderr, "... and %d more messages\n", hidden);
  }
  return crErrorLog_CountOf(log, cr_severityError);
}

void crLoad(const crModelArguments* arguments, crLoaded* outLoaded)
{
  memset(outLoaded, 0, sizeof *outLoaded);
  outLoaded->log = crCreateErrorLog(NULL);
  if (outLoaded->log == NULL) {
    fputs("carom: out of memory\n", stderr);
    exit(CR_EXIT_MODEL);
  }
  outLoaded->sink = crErrorLog_Sink(outLoaded->log);
  crReadOptions options = crDefaultReadOptions();
  options.settings = arguments->settings;
  options.settingCount = arguments->settingCount;
  crReadModel(arguments->files[0], &options, NULL, &outLoaded->sink, &outLoaded->scene);
  if (outLoaded->scene != NULL) {
    crCompile(outLoaded->scene, NULL, &outLoaded->sink, &outLoaded->model);
  }
}

void crUnload(crLoaded* loaded)
{
  crDestroyModel(loaded->model);
  crDestroyScene(loaded->scene);
  crDestroyErrorLog(loaded->log);
}

static void writeToStream(void* context, const char* text, size_t size)
{
  fwrite(text, 1, size, context);
}

crTextWriter crMakeStreamWriter(FILE* stream)
{
  crTextWriter writer = { writeToStream, stream };
  return writer;
}
