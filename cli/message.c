// Messages on the terminal, and loading a model with all of its messages.
#include "base/platform.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

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
  char* clean = strdup(name);
  if (clean != NULL) {
    crCleanText(clean);
  }
  for (const char* c = name; clean == NULL && *c != '\0'; ++c) { // without memory only plain letters are sure
    fputc(*c >= ' ' && *c < 127 ? *c : '?', stream);
  }
  fputs(clean != NULL ? clean : "", stream);
  free(clean);
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
  fprintf(stderr, "%.*s", (int)before, text);
  fprintf(stderr, "%s%s%s", crStyleOn(stderr, styles[error->severity]), place != NULL ? word : "", crStyleOff(stderr));
  size_t shown = before + (place != NULL ? strlen(word) : 0);
  fprintf(stderr, "%s\n", text + shown);
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
  outLoaded->sink = crErrorLog_GetSink(outLoaded->log);
  crReadOptions options = crDefaultReadOptions();
  options.settings = arguments->settings;
  options.settingCount = arguments->settingCount;
  crReadModel(arguments->files[0], &options, NULL, &outLoaded->sink, &outLoaded->scene);
  if (outLoaded->scene != NULL) {
    crCompile(outLoaded->scene, NULL, NULL, &outLoaded->sink, &outLoaded->model);
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
  (void)fwrite(text, 1, size, context); // the stream remembers errors; main looks for them
}

crTextWriter crMakeStreamWriter(FILE* stream)
{
  crTextWriter writer = { writeToStream, stream };
  return writer;
}
