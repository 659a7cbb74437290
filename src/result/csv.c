// Results as comma-separated values (RFC 4180), for spreadsheets and scripts.
#include "base/file.h"
#include "base/text.h"
#include "carom/result.h"

#include <math.h>
#include <string.h>

// A field is quoted when it holds a comma, a quote or a line break; quotes inside are doubled.
static void writeField(crOutputFile* file, const char* text)
{
  for (; *text != '\0'; ++text) {
    if (*text == '"') {
      crOutputFile_Write(file, "\"", 1);
    }
    crOutputFile_Write(file, text, 1);
  }
}

static bool needsQuotes(const char* text)
{
  return strpbrk(text, ",\"\r\n") != NULL;
}

// "name [unit]"
static void writeHeading(crOutputFile* file, const char* name, const char* unit)
{
  bool isQuoted = needsQuotes(name) || needsQuotes(unit);
  crOutputFile_Write(file, "\"", isQuoted);
  writeField(file, name);
  crOutputFile_Write(file, " [", 2);
  writeField(file, unit);
  crOutputFile_Write(file, "]", 1);
  crOutputFile_Write(file, "\"", isQuoted);
}

// Infinity in the one spelling that Python, Julia, R and C all read.
static void writeNumber(crOutputFile* file, double value)
{
  char text[CR_NUMBER_SIZE];
  if (isinf(value)) {
    crOutputFile_Write(file, value > 0.0 ? "inf" : "-inf", value > 0.0 ? 3 : 4);
  } else {
    crOutputFile_Write(file, text, (size_t)crFormatNumber(value, text));
  }
}

crStatus crWriteCsv(const crResult* result, const char* path, const crAllocator* allocator, const crErrorSink* sink)
{
  if (result == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  crOutputFile* file;
  crStatus status = crOpenOutputFile(path, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  int rows = crResult_CountRows(result), columns = crResult_CountColumns(result);
  writeHeading(file, "time", "s");
  for (int c = 0; c < columns; ++c) {
    const crColumn* column = crResult_GetColumn(result, c);
    crOutputFile_Write(file, ",", 1);
    writeHeading(file, column->name, column->unit);
  }
  crOutputFile_Write(file, "\n", 1);
  for (int r = 0; r < rows && !crOutputFile_HasFailed(file); ++r) {
    writeNumber(file, crResult_GetTimes(result)[r]);
    for (int c = 0; c < columns; ++c) {
      crOutputFile_Write(file, ",", 1);
      writeNumber(file, crResult_GetValues(result, c)[r]);
    }
    crOutputFile_Write(file, "\n", 1);
  }
  return crCloseOutputFile(file, true, sink);
}

// ----------------------------------------------------------------------------------------- contacts

static void writeText(crOutputFile* file, const char* text)
{
  bool isQuoted = needsQuotes(text);
  crOutputFile_Write(file, "\"", isQuoted);
  writeField(file, text);
  crOutputFile_Write(file, "\"", isQuoted);
}

static void writeNumbers(crOutputFile* file, const double* numbers, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    crOutputFile_Write(file, ",", 1);
    writeNumber(file, numbers[i]);
  }
}

static void writeObjects(crOutputFile* file, const crResult* result, const crContactRecord* contact)
{
  crOutputFile_Write(file, ",", 1);
  writeText(file, crResult_GetObjectPath(result, contact->objectA));
  crOutputFile_Write(file, ",", 1);
  writeText(file, crResult_GetObjectPath(result, contact->objectB));
}

static void writeContact(crOutputFile* file, const crResult* result, const crContactRecord* contact)
{
  const double numbers[] = { contact->approach,   contact->separation, contact->restitution, contact->slip,
                             contact->cor,        contact->damping,    contact->radius,      contact->maxDepth,
                             contact->maxForce,   contact->impulse,    contact->dissipation, contact->slipPath,
                             contact->creep.path, contact->point.x,    contact->point.y,     contact->point.z,
                             contact->normal.x,   contact->normal.y,   contact->normal.z };
  writeNumber(file, contact->begin);
  crOutputFile_Write(file, ",", 1);
  writeNumber(file, contact->end);
  writeObjects(file, result, contact);
  writeNumbers(file, numbers, sizeof numbers / sizeof *numbers);
  crOutputFile_Write(file, "\n", 1);
}

// A file with its first line.
static crStatus openTable(const crResult* result, const char* path, const char* heading, const crAllocator* allocator,
                          const crErrorSink* sink, crOutputFile** outFile)
{
  if (result == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  crStatus status = crOpenOutputFile(path, allocator, sink, outFile);
  if (status == cr_ok) {
    crOutputFile_Write(*outFile, heading, strlen(heading));
  }
  return status;
}

crStatus crWriteContactCsv(const crResult* result, const char* path, const crAllocator* allocator,
                           const crErrorSink* sink)
{
  static const char heading[] =
      "begin [s],end [s],object A,object B,approach [m/s],separation [m/s],restitution [1],slip [m/s],"
      "cor [1],damping [s/m],radius [m],max depth [m],max force [N],impulse [N s],dissipation [J],"
      "slip path [m],creep [m],"
      "point x [m],point y [m],point z [m],normal x [1],normal y [1],normal z [1]\n";
  crOutputFile* file;
  crStatus status = openTable(result, path, heading, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  for (int i = 0; i < crResult_CountContacts(result) && !crOutputFile_HasFailed(file); ++i) {
    writeContact(file, result, crResult_GetContact(result, i));
  }
  return crCloseOutputFile(file, true, sink);
}

// ------------------------------------------------------------------------------------------ samples

static void writeSample(crOutputFile* file, const crResult* result, const crContactRecord* sample)
{
  const double numbers[] = { sample->point.x,  sample->point.y,  sample->point.z,      sample->normal.x,
                             sample->normal.y, sample->normal.z, sample->force.x,      sample->force.y,
                             sample->force.z,  sample->torque.x, sample->torque.y,     sample->torque.z,
                             sample->depth,    sample->area,     sample->meanPressure, sample->maxPressure,
                             sample->slip,     sample->slipPath, sample->coneShare };
  writeNumber(file, sample->time);
  writeObjects(file, result, sample);
  writeNumbers(file, numbers, sizeof numbers / sizeof *numbers);
  crOutputFile_Write(file, ",", 1);
  writeText(file, crContactMode_GetText((crContactMode)sample->mode));
  crOutputFile_Write(file, "\n", 1);
}

crStatus crWriteSampleCsv(const crResult* result, const char* path, const crAllocator* allocator,
                          const crErrorSink* sink)
{
  static const char heading[] =
      "time [s],object A,object B,point x [m],point y [m],point z [m],normal x [1],normal y [1],normal z [1],"
      "force x [N],force y [N],force z [N],torque x [N m],torque y [N m],torque z [N m],depth [m],area [m2],"
      "mean pressure [N/m2],max pressure [N/m2],slip [m/s],slip path [m],cone share [1],mode\n";
  crOutputFile* file;
  crStatus status = openTable(result, path, heading, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  for (int row = 0; row < crResult_CountRows(result) && !crOutputFile_HasFailed(file); ++row) {
    int count;
    const crContactRecord* samples = crResult_GetContactSamples(result, row, &count);
    for (int i = 0; i < count; ++i) {
      writeSample(file, result, &samples[i]);
    }
  }
  return crCloseOutputFile(file, true, sink);
}
