// Results for tests whose numbers are known by a formula.
#include "support/results.h"
#include "support/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double crTestValue(int row, int column)
{
  return column % 3 == 2 ? 7.5 * column : (row + 1.0 / (1.0 + row)) * (column + 1.0) - 1e-9 * row * row;
}

double crTestTime(int row)
{
  return 0.01 * row;
}

crColumn* crMakeTestColumns(int count)
{
  static const char* const units[] = { "m", "rad", "1" };
  crColumn* columns = calloc((size_t)count + 1, sizeof *columns);
  for (int c = 0; c < count; ++c) {
    char* name = malloc(32);
    snprintf(name, 32, "body%d.x", c);
    columns[c] = (crColumn){ name, units[c % 3], c % 2 == 0 ? "a position" : "" };
  }
  return columns;
}

void crFreeTestColumns(crColumn* columns, int count)
{
  for (int c = 0; c < count; ++c) {
    free((char*)columns[c].name);
  }
  free(columns);
}

void crAddTestRows(crResultWriter* writer, int columnCount, int first, int count)
{
  double* values = malloc(((size_t)columnCount + 1) * sizeof *values);
  for (int r = first; r < first + count; ++r) {
    for (int c = 0; c < columnCount; ++c) {
      values[c] = crTestValue(r, c);
    }
    assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = crTestTime(r), .values = values }), cr_ok);
    if (r % 10 == 0) {
      assert_int_equal(crResultWriter_AddEvent(writer, crTestTime(r), "contact", "ball meets table"), cr_ok);
    }
  }
  free(values);
}

void crWriteTestResult(const char* path, int columnCount, int rowCount)
{
  crColumn* columns = crMakeTestColumns(columnCount);
  crResultDef def = { .size = sizeof def,
                      .path = path,
                      .columns = columns,
                      .columnCount = columnCount,
                      .modelName = "test model",
                      .sceneJson = "{\"scene\":1}" };
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  crAddTestRows(writer, columnCount, 0, rowCount);
  assert_int_equal(crResultWriter_Close(writer, true, "ok", "{\"steps\":3}"), cr_ok);
  crFreeTestColumns(columns, columnCount);
}

crResult* crReadTestResult(const char* path)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crResult* result = NULL;
  crReadResult(path, NULL, &sink, &result);
  assert_no_messages(log);
  assert_non_null(result);
  crDestroyErrorLog(log);
  return result;
}

void crAssertTestRows(const crResult* result)
{
  for (int r = 0; r < crResult_CountRows(result); ++r) {
    assert_true(crResult_GetTimes(result)[r] == crTestTime(r));
    for (int c = 0; c < crResult_CountColumns(result); ++c) {
      assert_true(crResult_GetValues(result, c)[r] == crTestValue(r, c));
    }
  }
}
