// The page of a sweep: viewer/sweep/sweep.html with the table in it.
#include "base/file.h"
#include "base/text.h"
#include "show/report.h"
#include "sweep/table.h"

#include <stdio.h>
#include <string.h>

#define CR_DESCRIPTION_MARK "@DESCRIPTION@"
#define CR_NUMBERS_MARK "@NUMBERS@"
#define CR_PAGE_COLUMNS 60   // of a table; more are left out, and the page says so
#define CR_COMMAND_SIZE 8192 // [bytes]

// '<' is escaped: inside a page it could end the element that holds it.
static void writeEscaped(void* context, const char* text, size_t size)
{
  for (size_t i = 0; i < size; ++i) {
    text[i] == '<' ? crBytes_Add(context, "\\u003c", 6) : crBytes_Add(context, text + i, 1);
  }
}

static int countOutputs(const crSweepTable* table)
{
  int most = CR_PAGE_COLUMNS - table->inputCount;
  return table->outputCount < most ? table->outputCount : most > 0 ? most : 0;
}

static void describeInput(crJsonText* text, const crSweepTable* table, int input)
{
  crJsonText_BeginObject(text);
  crJsonText_KeyString(text, "name", crSweepTable_GetInput(table, input));
  crJsonText_KeyBool(text, "isInput", true);
  if (crSweepTable_GetText(table, input, 0) != NULL) {
    crJsonText_Key(text, "texts");
    crJsonText_BeginArray(text);
    for (int k = 0; crSweepTable_GetText(table, input, k) != NULL; ++k) {
      crJsonText_String(text, crSweepTable_GetText(table, input, k));
    }
    crJsonText_EndArray(text);
  }
  crJsonText_EndObject(text);
}

static void describeRows(crJsonText* text, const crSweepTable* table)
{
  crJsonText_Key(text, "runs");
  crJsonText_BeginArray(text);
  for (int i = 0; i < table->rowCount; ++i) {
    crJsonText_Number(text, (double)table->rows[i].run);
  }
  crJsonText_EndArray(text);
  crJsonText_Key(text, "messages");
  crJsonText_BeginObject(text);
  for (int i = 0; i < table->rowCount; ++i) {
    if (table->rows[i].status != cr_ok) {
      char row[16];
      snprintf(row, sizeof row, "%d", i);
      crJsonText_KeyString(text, row, table->rows[i].message);
    }
  }
  crJsonText_EndObject(text);
}

static void describe(const crSweepTable* table, const char* title, crBytes* out)
{
  crJsonText text;
  char command[CR_COMMAND_SIZE];
  crJsonText_Init(&text, (crTextWriter){ writeEscaped, out });
  crJsonText_BeginObjectLines(&text);
  crJsonText_KeyString(&text, "title", title);
  crJsonText_KeyNumber(&text, "rows", table->rowCount);
  crJsonText_KeyNumber(&text, "planned", (double)crSweepTable_CountRuns(table));
  crJsonText_KeyNumber(&text, "outputs", table->outputCount);
  crFormatRunHead(&table->text.def, command, sizeof command);
  crJsonText_KeyString(&text, "command", command);
  crFormatRunOptions(&table->text.def, command, sizeof command);
  crJsonText_KeyString(&text, "options", command);
  crJsonText_Key(&text, "columns");
  crJsonText_BeginArrayLines(&text);
  for (int i = 0; i < table->inputCount; ++i) {
    describeInput(&text, table, i);
  }
  for (int i = 0; i < countOutputs(table); ++i) {
    const crColumn* column = &table->text.columns[i];
    crJsonText_BeginObject(&text);
    crJsonText_KeyString(&text, "name", column->name);
    crJsonText_KeyString(&text, "unit", strcmp(column->unit, "1") != 0 ? column->unit : "");
    crJsonText_EndObject(&text);
  }
  crJsonText_EndArray(&text);
  describeRows(&text, table);
  crJsonText_EndObject(&text);
  crJsonText_Finish(&text);
}

// One column after the other, as they are: the command of a run must give its bits.
static void collectNumbers(const crSweepTable* table, crBytes* out)
{
  for (int i = 0; i < table->inputCount + countOutputs(table); ++i) {
    for (int row = 0; row < table->rowCount; ++row) {
      const crSweepRow* from = &table->rows[row];
      double value = i < table->inputCount ? from->inputs[i] : from->outputs[i - table->inputCount];
      crBytes_Add(out, &value, sizeof value);
    }
  }
}

static void writeFile(void* context, const char* bytes, size_t size)
{
  crOutputFile_Write(context, bytes, size);
}

static crStatus writePage(const crBytes* description, const crBytes* packed, const char* path,
                          const crAllocator* allocator, const crErrorSink* sink)
{
  size_t size;
  const char* page = crGetSweepPage(&size); // a zero stands behind it
  const char *first = strstr(page, CR_DESCRIPTION_MARK), *second = strstr(page, CR_NUMBERS_MARK);
  crOutputFile* file = NULL;
  crStatus status = crOpenOutputFile(path, allocator, sink, &file);
  if (status != cr_ok) {
    return status;
  }
  const char *afterFirst = first + strlen(CR_DESCRIPTION_MARK), *afterSecond = second + strlen(CR_NUMBERS_MARK);
  crOutputFile_Write(file, page, (size_t)(first - page));
  crOutputFile_Write(file, description->items, description->size);
  crOutputFile_Write(file, afterFirst, (size_t)(second - afterFirst));
  crWriteBase64(packed->items, packed->size, (crTextWriter){ writeFile, file });
  crOutputFile_Write(file, afterSecond, size - (size_t)(afterSecond - page));
  return crCloseOutputFile(file, true, sink);
}

crStatus crWriteSweepPage(const crSweepTable* table, const char* title, const char* path, const crAllocator* allocator,
                          const crErrorSink* sink)
{
  if (table == NULL || path == NULL) {
    return cr_errorMisuse;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crBytes description, numbers, packed = { 0 };
  crBytes_Init(&description, &chosen);
  crBytes_Init(&numbers, &chosen);
  describe(table, title != NULL ? title : "Sweep", &description);
  collectNumbers(table, &numbers);
  bool isMade = !description.hasFailed && !numbers.hasFailed && crPackNumbers(&numbers, &packed);
  crStatus status = isMade ? writePage(&description, &packed, path, &chosen, sink) : cr_errorMemory;
  crBytes_Free(&description);
  crBytes_Free(&numbers);
  if (packed.items != NULL) {
    crBytes_Free(&packed);
  }
  return status;
}
