// Tables as files: HDF5 and CSV.
#include "sweep/table.h"

#include "base/file.h"
#include "base/text.h"
#include "sweep/shard.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

crStatus crWriteSweepTable(const crSweepTable* table, const char* path, const crAllocator* allocator,
                           const crErrorSink* sink)
{
  if (table == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  crShardDef def = { .path = path,
                     .planJson = table->text.json,
                     .planHash = table->text.hash,
                     .inputCount = table->inputCount,
                     .outputCount = table->outputCount };
  crShardWriter* writer = NULL;
  crStatus status = crCreateShard(&def, allocator, sink, &writer);
  for (int i = 0; status == cr_ok && i < table->rowCount; ++i) {
    status = crShardWriter_Add(writer, &table->rows[i]);
  }
  crStatus closed = crCloseShard(writer);
  return status == cr_ok ? closed : status;
}

// --------------------------------------------------------------------------------------------- CSV

static void writeText(const crTextWriter* writer, const char* text)
{
  writer->write(writer->context, text, strlen(text));
}

// With quotes where RFC 4180 wants them.
static void writeField(const crTextWriter* writer, const char* before, const char* text, const char* unit)
{
  bool isQuoted = strpbrk(text, ",\"\r\n") != NULL;
  writeText(writer, before);
  writeText(writer, isQuoted ? "\"" : "");
  for (const char* c = text; *c != '\0'; ++c) {
    writer->write(writer->context, c, 1);
    writeText(writer, isQuoted && *c == '"' ? "\"" : "");
  }
  if (unit != NULL && strcmp(unit, "1") != 0) {
    writeText(writer, " [");
    writeText(writer, unit);
    writeText(writer, "]");
  }
  writeText(writer, isQuoted ? "\"" : "");
}

static void writeNumber(const crTextWriter* writer, double number)
{
  char text[CR_NUMBER_SIZE];
  crFormatNumber(number, text);
  writeText(writer, ",");
  writeText(writer, text);
}

static void writeRow(const crTextWriter* writer, const crSweepTable* table, const crSweepRow* row)
{
  char text[64];
  snprintf(text, sizeof text, "%" PRId64 ",%s", row->run, row->status == cr_ok ? "ok" : "failed");
  writeText(writer, text);
  for (int i = 0; i < table->inputCount; ++i) {
    const char* word = crSweepTable_GetText(table, i, (int)row->inputs[i]);
    if (word != NULL) {
      writeField(writer, ",", word, NULL);
    } else {
      writeNumber(writer, row->inputs[i]);
    }
  }
  for (int i = 0; i < table->outputCount; ++i) {
    writeNumber(writer, row->outputs[i]);
  }
  writeField(writer, ",", row->message, NULL);
  writeText(writer, "\n");
}

crStatus crFormatSweepCsv(const crSweepTable* table, crTextWriter writer)
{
  if (table == NULL || writer.write == NULL) {
    return cr_errorMisuse;
  }
  writeText(&writer, "run,status");
  for (int i = 0; i < table->inputCount; ++i) {
    writeField(&writer, ",", crSweepTable_GetInput(table, i), NULL);
  }
  for (int i = 0; i < table->outputCount; ++i) {
    writeField(&writer, ",", table->text.columns[i].name, table->text.columns[i].unit);
  }
  writeText(&writer, ",message\n");
  for (int i = 0; i < table->rowCount; ++i) {
    writeRow(&writer, table, &table->rows[i]);
  }
  return cr_ok;
}

static void writeFile(void* context, const char* text, size_t size)
{
  crOutputFile_Write(context, text, size);
}

crStatus crWriteSweepCsv(const crSweepTable* table, const char* path, const crAllocator* allocator,
                         const crErrorSink* sink)
{
  if (table == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  crOutputFile* file = NULL;
  crStatus status = crOpenOutputFile(path, allocator, sink, &file);
  if (status == cr_ok) {
    (void)crFormatSweepCsv(table, (crTextWriter){ writeFile, file });
    status = crCloseOutputFile(file, true, sink);
  }
  return status;
}
