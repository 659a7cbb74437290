// Results as a Modelica result file: matrices in MATLAB's version 4 format, in the "binTrans" layout that Dymola and
// OpenModelica write and that their tools, SciPy and MATLAB read.
//
//   Aclass       4 texts: "Atrajectory", "1.1", "", "binTrans"
//   name         one column of characters for each variable, time first
//   description  the same, "text [unit]"
//   dataInfo     4 x variables: which data matrix (0: time), which row in it, interpolation (0: linear), outside of the
//                time range (0: constant, -1: undefined)
//   data_1       rows of constants at the first and the last time, time first
//   data_2       rows of all others at every time, time first
#include "base/file.h"
#include "base/memory.h"
#include "base/report.h"
#include "carom/result.h"

#include <limits.h>
#include <string.h>

// The type number of a matrix is 1000 M + 10 P + T: M 0 little-endian, 1 big-endian; P 0 double, 2 int32, 5 uint8; T 0
// numbers, 1 text.
enum { typeDouble = 0, typeInt = 20, typeText = 51, typeBigEndian = 1000 };

typedef struct Writer {
  crOutputFile* file;
  const crResult* result;
  bool* isConstant; // (columns)
} Writer;

static void writeBytes(const Writer* writer, const void* bytes, size_t size)
{
  crOutputFile_Write(writer->file, bytes, size);
}

static void writeInt(const Writer* writer, int32_t number)
{
  writeBytes(writer, &number, sizeof number);
}

static bool isBigEndian(void)
{
  const uint16_t one = 1;
  return *(const unsigned char*)&one == 0;
}

// What goes in front of the elements of a matrix, which follow column by column.
static void beginMatrix(const Writer* writer, const char* name, int type, int rows, int columns)
{
  writeInt(writer, type + (isBigEndian() ? typeBigEndian : 0));
  writeInt(writer, rows);
  writeInt(writer, columns);
  writeInt(writer, 0); // no imaginary part
  writeInt(writer, (int32_t)strlen(name) + 1);
  writeBytes(writer, name, strlen(name) + 1);
}

// ------------------------------------------------------------------------------------------- texts

// "Aclass" alone is stored row by row, as if it were not transposed.
static void writeClass(const Writer* writer)
{
  static const char* const texts[4] = { "Atrajectory", "1.1        ", "           ", "binTrans   " };
  beginMatrix(writer, "Aclass", typeText, 4, 11);
  for (int k = 0; k < 11; ++k) {
    for (int i = 0; i < 4; ++i) {
      writeBytes(writer, &texts[i][k], 1);
    }
  }
}

// Writes up to `size` bytes of a text and blanks up to it, and counts it down.
static void writePart(const Writer* writer, const char* text, size_t* size)
{
  size_t length = strlen(text) < *size ? strlen(text) : *size;
  writeBytes(writer, text, length);
  *size -= length;
}

static void writeBlanks(const Writer* writer, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    writeBytes(writer, " ", 1);
  }
}

static void writeNames(const Writer* writer)
{
  int columns = crResult_CountColumns(writer->result);
  size_t width = strlen("time");
  for (int c = 0; c < columns; ++c) {
    size_t length = strlen(crResult_GetColumn(writer->result, c)->name);
    width = length > width ? length : width;
  }
  beginMatrix(writer, "name", typeText, (int)width, columns + 1);
  for (int c = -1; c < columns; ++c) {
    size_t left = width;
    writePart(writer, c < 0 ? "time" : crResult_GetColumn(writer->result, c)->name, &left);
    writeBlanks(writer, left);
  }
}

static void writeDescriptions(const Writer* writer)
{
  static const crColumn time = { "time", "s", "Time" };
  int columns = crResult_CountColumns(writer->result);
  size_t width = 0;
  for (int c = -1; c < columns; ++c) {
    const crColumn* column = c < 0 ? &time : crResult_GetColumn(writer->result, c);
    size_t length = strlen(column->description) + strlen(column->unit) + 3;
    width = length > width ? length : width;
  }
  beginMatrix(writer, "description", typeText, (int)width, columns + 1);
  for (int c = -1; c < columns; ++c) {
    const crColumn* column = c < 0 ? &time : crResult_GetColumn(writer->result, c);
    size_t left = width;
    writePart(writer, column->description, &left);
    writePart(writer, column->description[0] != '\0' ? " [" : "[", &left);
    writePart(writer, column->unit, &left);
    writePart(writer, "]", &left);
    writeBlanks(writer, left);
  }
}

// -------------------------------------------------------------------------------------------- data

// The same bits in every row, of which there are two at least: NaN is constant, a change of zero's sign is not.
static bool isConstant(const crResult* result, int column)
{
  int rows = crResult_CountRows(result);
  const double* values = crResult_GetValues(result, column);
  return rows >= 2 && memcmp(values, values + 1, (size_t)(rows - 1) * sizeof(double)) == 0;
}

static int countConstants(const Writer* writer)
{
  int count = 0;
  for (int c = 0; c < crResult_CountColumns(writer->result); ++c) {
    count += writer->isConstant[c];
  }
  return count;
}

static void writeDataInfo(const Writer* writer)
{
  int columns = crResult_CountColumns(writer->result);
  int next[2] = { 2, 2 }; // the next free row, from 1, of data_1 and data_2; time is in row 1
  beginMatrix(writer, "dataInfo", typeInt, 4, columns + 1);
  int32_t time[4] = { 0, 1, 0, -1 };
  writeBytes(writer, time, sizeof time);
  for (int c = 0; c < columns; ++c) {
    int matrix = writer->isConstant[c] ? 1 : 2;
    int32_t info[4] = { matrix, next[matrix - 1]++, 0, writer->isConstant[c] ? 0 : -1 };
    writeBytes(writer, info, sizeof info);
  }
}

static void writeTimePoint(const Writer* writer, int row, bool constants)
{
  writeBytes(writer, &crResult_GetTimes(writer->result)[row], sizeof(double));
  for (int c = 0; c < crResult_CountColumns(writer->result); ++c) {
    if (writer->isConstant[c] == constants) {
      writeBytes(writer, &crResult_GetValues(writer->result, c)[row], sizeof(double));
    }
  }
}

static void writeData(const Writer* writer)
{
  int rows = crResult_CountRows(writer->result), constants = countConstants(writer);
  beginMatrix(writer, "data_1", typeDouble, constants + 1, rows > 0 ? 2 : 0);
  if (rows > 0) {
    writeTimePoint(writer, 0, true);
    writeTimePoint(writer, rows - 1, true);
  }
  beginMatrix(writer, "data_2", typeDouble, crResult_CountColumns(writer->result) - constants + 1, rows);
  for (int r = 0; r < rows && !crOutputFile_HasFailed(writer->file); ++r) {
    writeTimePoint(writer, r, false);
  }
}

crStatus crWriteMat(const crResult* result, const char* path, const crAllocator* allocator, const crErrorSink* sink)
{
  if (result == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  size_t count = (size_t)crResult_CountColumns(result) + 1;
  Writer writer = { .result = result, .isConstant = crAllocateZero(&chosen, count, sizeof(bool)) };
  if (writer.isConstant == NULL) {
    return cr_errorMemory;
  }
  crStatus status = crOpenOutputFile(path, &chosen, sink, &writer.file);
  if (status == cr_ok) {
    for (int c = 0; c < crResult_CountColumns(result); ++c) {
      writer.isConstant[c] = isConstant(result, c);
    }
    writeClass(&writer);
    writeNames(&writer);
    writeDescriptions(&writer);
    writeDataInfo(&writer);
    writeData(&writer);
    status = crCloseOutputFile(writer.file, true, sink);
  }
  crFree(&chosen, writer.isConstant, count * sizeof(bool));
  return status;
}
