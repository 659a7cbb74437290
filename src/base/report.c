// Building and formatting messages, and the log that keeps them.
#include "base/report.h"
#include "base/memory.h"
#include "base/text.h"
#include "carom/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CR_MESSAGE_SIZE 1024 // [bytes] longest formatted message; longer ones are cut
#define CR_LOG_LIMIT 10000   // messages kept of each severity; a model with more errors repeats one mistake
#define CR_SIZE_TEXT 128     // [bytes] of a message with the name of a struct
#define CR_NEAREST_LIMIT 64  // [bytes] names longer than this get no suggestion

const char* crStatus_GetText(crStatus status)
{
  switch (status) {
    case cr_ok: return "ok";
    case cr_retry: return "retry";
    case cr_cancelled: return "cancelled";
    case cr_errorModel: return "model error";
    case cr_errorMisuse: return "misuse";
    case cr_errorSyntax: return "syntax error";
    case cr_errorFile: return "file error";
    case cr_errorMemory: return "out of memory";
    case cr_errorLimit: return "limit reached";
    case cr_failNumerics: return "numerical failure";
  }
  return "unknown status";
}

const char* crElementKind_GetText(crElementKind kind)
{
  switch (kind) {
    case cr_elementNone: return "nothing";
    case cr_elementAssembly: return "assembly";
    case cr_elementObject: return "object";
    case cr_elementJoint: return "joint";
    case cr_elementForce: return "force";
    case cr_elementSignal: return "signal";
    case cr_elementSolidMaterial: return "solid material";
    case cr_elementContactPair: return "contact pair";
    case cr_elementVisualMaterial: return "visual material";
    case cr_elementExclusion: return "exclusion";
    case cr_elementCoupling: return "coupling";
    case cr_elementAction: return "action";
  }
  return "unknown element";
}

const char* crGetVersion(void)
{
  return CAROM_VERSION;
}

bool crIsCompatible(int headers)
{
  return headers / 100 == CAROM_VERSION_NUMBER / 100;
}

// -------------------------------------------------------------------------------------- reporting

crReporter crMakeReporter(const crErrorSink* sink, crSource source, const char* path)
{
  bool isNamed = path != NULL && path[0] != '\0'; // what holds all others has no name
  crReporter reporter = { sink, source, isNamed ? path : NULL, 0, 0 };
  return reporter;
}

static void send(crReporter* reporter, const crError* error)
{
  reporter->errorCount += error->severity == cr_severityError;
  reporter->warningCount += error->severity == cr_severityWarning;
  if (reporter->sink != NULL && reporter->sink->report != NULL) {
    reporter->sink->report(reporter->sink->context, error);
  }
}

void crReport(crReporter* reporter, crSeverity severity, crStatus status, const crComplaint* complaint)
{
  crError error = { severity,           status,           reporter->source,   reporter->path,
                    complaint->message, complaint->found, complaint->allowed, complaint->unit,
                    complaint->hint };
  send(reporter, &error);
}

void crReportNumber(crReporter* reporter, const char* message, double found, const char* allowed, const char* unit,
                    const char* hint)
{
  char text[CR_NUMBER_SIZE];
  crFormatNumber(found, text);
  crComplaint complaint = { message, text, allowed, unit, hint };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

void crReportError(crReporter* reporter, const char* format, ...)
{
  char text[CR_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  crComplaint complaint = { .message = text };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

void crReportWarning(crReporter* reporter, const char* format, ...)
{
  char text[CR_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  crComplaint complaint = { .message = text };
  crReport(reporter, cr_severityWarning, cr_ok, &complaint);
}

static void addAddress(void* context, const crError* error)
{
  crReporter* reporter = context;
  crError addressed = *error;
  if (addressed.source.file == NULL && addressed.source.line == 0) {
    addressed.source = reporter->source;
  }
  if (addressed.path == NULL) {
    addressed.path = reporter->path;
  }
  send(reporter, &addressed);
}

bool crCheckSize(crReporter* reporter, const char* type, size_t size, size_t known)
{
  if (size == known) {
    return true;
  }
  char message[CR_SIZE_TEXT], found[32], allowed[32], hint[CR_SIZE_TEXT];
  snprintf(message, sizeof message, "%s has an unknown size", type);
  snprintf(found, sizeof found, "%zu", size);
  snprintf(allowed, sizeof allowed, "%zu", known);
  snprintf(hint, sizeof hint, "set size = sizeof(%s), and compile with the headers of this library", type);
  crComplaint complaint = { message, found, allowed, "bytes", hint };
  crReport(reporter, cr_severityError, cr_errorMisuse, &complaint);
  return false;
}

crErrorSink crReporter_Sink(crReporter* reporter)
{
  crErrorSink sink = { addAddress, reporter };
  return sink;
}

// ------------------------------------------------------------------------------------- suggestions

// What it takes to make one letter another.
static int letterCost(char p, char q)
{
  bool differByCase = (p ^ q) == 0x20 && ((p | 0x20) >= 'a' && (p | 0x20) <= 'z');
  return p == q ? 0 : differByCase ? 1 : 2;
}

static int least(int a, int b)
{
  return a < b ? a : b;
}

// Levenshtein distance in bytes, both at most CR_NEAREST_LIMIT long, where two neighbours that changed places count as
// one letter; case counts half as much as a letter, so distances are doubled.
static int editDistance(const char* a, const char* b)
{
  int rows[3][CR_NEAREST_LIMIT + 1]; // of a's first i letters, row i % 3
  int n = (int)strlen(a), m = (int)strlen(b);
  for (int i = 0; i <= n; ++i) {
    int *row = rows[i % 3], *above = rows[(i + 2) % 3], *aboveThat = rows[(i + 1) % 3];
    for (int j = 0; j <= m; ++j) {
      int best = i == 0 ? 2 * j : j == 0 ? 2 * i : above[j - 1] + letterCost(a[i - 1], b[j - 1]);
      if (i > 0 && j > 0) {
        best = least(best, least(above[j], row[j - 1]) + 2);
      }
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best = least(best, aboveThat[j - 2] + 2);
      }
      row[j] = best;
    }
  }
  return rows[n % 3][m];
}

crNearest crMakeNearest(const char* name)
{
  size_t length = strlen(name);
  // up to a third of the letters may differ, at least one
  int limit = 2 * (length <= 3 ? 1 : (int)(length + 2) / 3);
  crNearest nearest = { length <= CR_NEAREST_LIMIT ? name : NULL, NULL, limit + 1 };
  return nearest;
}

void crNearest_Try(crNearest* nearest, const char* candidate)
{
  if (nearest->name == NULL || candidate == NULL || strlen(candidate) > CR_NEAREST_LIMIT) {
    return;
  }
  int distance = editDistance(nearest->name, candidate);
  if (distance < nearest->bestDistance) {
    nearest->best = candidate;
    nearest->bestDistance = distance;
  }
}

// -------------------------------------------------------------------------------------- formatting

// A buffer that counts what does not fit.
typedef struct Text {
  char* buffer;
  size_t size, length;
} Text;

static void append(Text* text, const char* string)
{
  for (; *string != '\0'; ++string) {
    if (text->length + 1 < text->size) {
      text->buffer[text->length] = *string;
    }
    ++text->length;
  }
}

static void appendNumber(Text* text, int number)
{
  char digits[16];
  snprintf(digits, sizeof digits, "%d", number);
  append(text, digits);
}

static void appendSource(Text* text, crSource source)
{
  if (source.file == NULL) {
    return;
  }
  append(text, source.file);
  append(text, ":");
  if (source.line > 0) {
    appendNumber(text, source.line);
    append(text, ":");
    if (source.column > 0) {
      appendNumber(text, source.column);
      append(text, ":");
    }
  }
  append(text, " ");
}

static void appendWithUnit(Text* text, const char* label, const char* value, const char* unit)
{
  append(text, label);
  append(text, value);
  if (unit != NULL && strcmp(unit, "1") != 0) {
    append(text, " ");
    append(text, unit);
  }
}

int crError_Format(const crError* error, char* buffer, size_t size)
{
  static const char* const severities[] = { "note: ", "warning: ", "error: " };
  Text text = { buffer, size, 0 };
  if (error == NULL || (buffer == NULL && size > 0)) {
    if (buffer != NULL && size > 0) {
      buffer[0] = '\0';
    }
    return 0;
  }
  appendSource(&text, error->source);
  append(&text, severities[error->severity]);
  if (error->path != NULL) {
    append(&text, error->path);
    append(&text, ": ");
  }
  append(&text, error->message);
  if (error->found != NULL || error->allowed != NULL) {
    append(&text, "\n  ");
    if (error->found != NULL) {
      appendWithUnit(&text, "found ", error->found, error->unit);
    }
    if (error->allowed != NULL) {
      append(&text, error->found != NULL ? ", " : "");
      appendWithUnit(&text, "allowed: ", error->allowed, error->unit);
    }
  }
  if (error->hint != NULL) {
    append(&text, "\n  hint: ");
    append(&text, error->hint);
  }
  if (size > 0) {
    buffer[text.length < size ? text.length : size - 1] = '\0';
    crCleanText(buffer);
  }
  return (int)text.length;
}

// -------------------------------------------------------------------------------------------- log

struct crErrorLog {
  crArena arena;
  crArrayOf(crError) errors;
  int counts[3]; // by severity, kept or not
};

crErrorLog* crCreateErrorLog(const crAllocator* allocator)
{
  crAllocator chosen = crChooseAllocator(allocator);
  crErrorLog* log = crAllocateZero(&chosen, 1, sizeof *log);
  if (log != NULL) {
    crArena_Init(&log->arena, &chosen);
  }
  return log;
}

void crErrorLog_Clear(crErrorLog* log)
{
  if (log == NULL) {
    return;
  }
  crAllocator allocator = log->arena.allocator;
  crArray_Free(&log->errors, &allocator);
  crArena_Free(&log->arena);
  memset(log->counts, 0, sizeof log->counts);
}

void crDestroyErrorLog(crErrorLog* log)
{
  if (log != NULL) {
    crErrorLog_Clear(log);
    crAllocator allocator = log->arena.allocator;
    crFree(&allocator, log, sizeof *log);
  }
}

// Keeps a copy. When memory is short the message is only counted.
static void keep(void* context, const crError* error)
{
  crErrorLog* log = context;
  ++log->counts[error->severity];
  if (log->counts[error->severity] > CR_LOG_LIMIT) {
    return;
  }
  crError copy = *error;
  const char** strings[] = { &copy.source.file, &copy.path, &copy.message, &copy.found,
                             &copy.allowed,     &copy.unit, &copy.hint };
  for (size_t i = 0; i < sizeof strings / sizeof *strings; ++i) {
    if (*strings[i] != NULL) {
      *strings[i] = crArena_CopyString(&log->arena, *strings[i]);
      if (*strings[i] == NULL) {
        return;
      }
    }
  }
  crError* place = crArray_Push(&log->errors, &log->arena.allocator);
  if (place != NULL) {
    *place = copy;
  }
}

crErrorSink crErrorLog_GetSink(crErrorLog* log)
{
  crErrorSink sink = { log != NULL ? keep : NULL, log };
  return sink;
}

int crErrorLog_Count(const crErrorLog* log)
{
  return log != NULL ? log->errors.count : 0;
}

int crErrorLog_CountOf(const crErrorLog* log, crSeverity severity)
{
  bool isKnown = log != NULL && severity >= cr_severityNote && severity <= cr_severityError;
  return isKnown ? log->counts[severity] : 0;
}

const crError* crErrorLog_Get(const crErrorLog* log, int index)
{
  return log != NULL && index >= 0 && index < log->errors.count ? &log->errors.items[index] : NULL;
}

static void reportAsWarning(void* context, const crError* error)
{
  const crErrorSink* sink = context;
  crError copy = *error;
  copy.severity = copy.severity == cr_severityError ? cr_severityWarning : copy.severity;
  if (sink->report != NULL) {
    sink->report(sink->context, &copy);
  }
}

crErrorSink crMakeWarningSink(const crErrorSink* sink)
{
  return sink != NULL ? (crErrorSink){ reportAsWarning, (void*)sink } : (crErrorSink){ NULL, NULL };
}
