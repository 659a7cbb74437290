#include "sweep/csv_data.h"

#include "base/read_file.h"
#include "base/report.h"
#include "base/text.h"
#include "sweep/call.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_CSV_LIMIT ((size_t)1 << 30) // [bytes]

typedef struct Reader {
  crCsvData* data;
  crArena* arena;
  crReporter reporter;
  char separator;
  int capacity; // rows
} Reader;

static crStatus complain(Reader* reader, int line, const char* message, const char* found)
{
  char shown[CR_SHOWN_TOKEN_SIZE];
  if (found != NULL) {
    crShowText(found, strlen(found), shown, sizeof shown);
    found = shown;
  }
  crReporter there = crMakeReporter(reader->reporter.sink, (crSource){ reader->reporter.source.file, line, 0 }, NULL);
  crReport(&there, cr_severityError, cr_errorSyntax, &(crComplaint){ .message = message, .found = found });
  return cr_errorSyntax;
}

// Cuts a field off the front of a line; without blanks and quotes around it. NULL: there is no more.
static char* takeField(char** ioLine, char separator)
{
  char* field = *ioLine;
  if (field == NULL) {
    return NULL;
  }
  char* end = strchr(field, separator);
  *ioLine = end != NULL ? end + 1 : NULL;
  end = end != NULL ? end : field + strlen(field);
  while (field < end && (isspace((unsigned char)*field) || *field == '"')) {
    ++field;
  }
  while (end > field && (isspace((unsigned char)end[-1]) || end[-1] == '"')) {
    --end;
  }
  *end = '\0';
  return field;
}

static crStatus readNames(Reader* reader, char* line)
{
  crCsvData* data = reader->data;
  reader->separator = strchr(line, ',') != NULL ? ',' : strchr(line, ';') != NULL ? ';' : '\t';
  int count = 1;
  for (const char* c = line; *c != '\0'; ++c) {
    count += *c == reader->separator;
  }
  data->names = crArena_AllocateZero(reader->arena, (size_t)count, sizeof *data->names);
  if (data->names == NULL) {
    return cr_errorMemory;
  }
  for (char* field = takeField(&line, reader->separator); field != NULL; field = takeField(&line, reader->separator)) {
    char* unit = strstr(field, " [");
    if (unit != NULL) {
      *unit = '\0';
    }
    data->names[data->columnCount] = crArena_CopyString(reader->arena, field);
    if (data->names[data->columnCount++] == NULL) {
      return cr_errorMemory;
    }
  }
  return cr_ok;
}

static crStatus readRow(Reader* reader, char* line, int number)
{
  crCsvData* data = reader->data;
  size_t columns = (size_t)data->columnCount;
  if (data->rowCount == reader->capacity) {
    int capacity = reader->capacity > 0 ? 2 * reader->capacity : 256;
    double* larger = crArena_Allocate(reader->arena, (size_t)capacity * columns * sizeof *larger);
    if (larger == NULL) {
      return cr_errorMemory;
    }
    if (data->rowCount > 0) {
      memcpy(larger, data->values, (size_t)data->rowCount * columns * sizeof *larger);
    }
    data->values = larger;
    reader->capacity = capacity;
  }
  double* row = data->values + (size_t)data->rowCount * columns;
  int count = 0;
  for (char* field = takeField(&line, reader->separator); field != NULL; field = takeField(&line, reader->separator)) {
    if (count == data->columnCount) {
      return complain(reader, number, "the line has more values than there are names", NULL);
    }
    bool isEmpty = field[0] == '\0' || strcmp(field, "nan") == 0;
    row[count] = NAN;
    if (!isEmpty && !crParseNumber(field, &row[count])) {
      return complain(reader, number, "this is no number", field);
    }
    ++count;
  }
  if (count < data->columnCount) {
    return complain(reader, number, "the line has fewer values than there are names", NULL);
  }
  ++data->rowCount;
  return cr_ok;
}

static crStatus readLines(Reader* reader, char* text)
{
  crStatus status = cr_ok;
  int number = 0;
  for (char *line = text, *next; line != NULL && status == cr_ok; line = next) {
    next = strchr(line, '\n');
    if (next != NULL) {
      *next++ = '\0';
    }
    ++number;
    line[strcspn(line, "\r")] = '\0';
    if (line[strspn(line, " \t")] == '\0' || line[0] == '#') {
      continue;
    }
    status = reader->data->names == NULL ? readNames(reader, line) : readRow(reader, line, number);
  }
  return status == cr_ok && reader->data->rowCount == 0 ? complain(reader, 0, "the file has no measurements", NULL)
                                                        : status;
}

crStatus crReadCsvData(crCsvData* data, const char* path, crArena* arena, const crErrorSink* sink)
{
  *data = (crCsvData){ 0 };
  char* text = NULL;
  size_t size = 0;
  crStatus status = crReadFile(path, CR_CSV_LIMIT, &arena->allocator, sink, &text, &size);
  if (status != cr_ok) {
    return status;
  }
  Reader reader = { .data = data, .arena = arena, .reporter = crMakeReporter(sink, (crSource){ path, 0, 0 }, NULL) };
  bool isText = crIsUtf8(text, size) && memchr(text, '\0', size) == NULL;
  status = isText ? readLines(&reader, text) : complain(&reader, 0, "the file is no text in UTF-8", NULL);
  crFree(&arena->allocator, text, size + 1);
  return status;
}

int crCsvData_Find(const crCsvData* data, const char* name)
{
  for (int i = 0; i < data->columnCount; ++i) {
    if (strcmp(data->names[i], name) == 0) {
      return i;
    }
  }
  return -1;
}
