// Exports: CSV by reading it back, MAT by taking its matrices apart.
#include "carom/result.h"
#include "support/folder.h"
#include "support/log.h"
#include "support/results.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A result with names that need quotes, constants, NaN and infinities.
static crResult* makeResult(int rowCount)
{
  crColumn columns[] = {
    { "a.x", "m", "moves" }, { "b,c", "1", "rests" }, { "say \"φ\"", "rad", "" }, { "gap", "N", "has none" }
  };
  crResultDef def = {
    .size = sizeof def, .path = crTestPath("export.h5"), .columns = columns, .columnCount = 4, .modelName = "m"
  };
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  for (int r = 0; r < rowCount; ++r) {
    double values[] = { 0.1 * r, 9.81, r % 2 == 0 ? INFINITY : -1.0 / 3.0 * r, NAN };
    assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = 0.25 * r, .values = values }), cr_ok);
  }
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  return crReadTestResult(crTestPath("export.h5"));
}

// --------------------------------------------------------------------------------------------- CSV

static void csv_reads_back_as_the_same_numbers(void** state)
{
  (void)state;
  crResult* result = makeResult(50);
  assert_int_equal(crWriteCsv(result, crTestPath("a.csv"), NULL, NULL), cr_ok);
  char* text = crReadTestFile(crTestPath("a.csv"), NULL);
  const char* header = "time [s],a.x [m],\"b,c [1]\",\"say \"\"φ\"\" [rad]\",gap [N]\n";
  assert_memory_equal(text, header, strlen(header));
  char* next = text + strlen(header);
  for (int r = 0; r < 50; ++r) {
    assert_true(strtod(next, &next) == crResult_GetTimes(result)[r]);
    for (int c = 0; c < 4; ++c) {
      double expected = crResult_GetValues(result, c)[r];
      assert_int_equal(*next, ',');
      double found = strtod(next + 1, &next);
      assert_true(found == expected || (isnan(found) && isnan(expected)));
    }
    assert_int_equal(*next++, '\n');
  }
  assert_int_equal(*next, '\0');
  free(text);
  crDestroyResult(result);
}

static void numbers_in_csv_are_short_and_the_locale_does_not_matter(void** state)
{
  (void)state;
  crResult* result = makeResult(3);
  setlocale(LC_ALL, "de_DE.UTF-8"); // where it is installed
  assert_int_equal(crWriteCsv(result, crTestPath("a.csv"), NULL, NULL), cr_ok);
  setlocale(LC_ALL, "C");
  char* text = crReadTestFile(crTestPath("a.csv"), NULL);
  assert_non_null(strstr(text, "\n0.25,0.1,9.81,-0.333333333333333"));
  assert_non_null(strstr(text, "\n0.5,0.2,9.81,inf,nan\n"));
  free(text);
  crDestroyResult(result);
}

// --------------------------------------------------------------------------------------------- MAT

// One matrix of a MATLAB version 4 file.
typedef struct Matrix {
  int32_t type, rows, columns, imaginary, nameSize;
  const char* name;
  const char* bytes;
} Matrix;

static int elementSize(int32_t type)
{
  return type % 100 / 10 == 0 ? 8 : type % 100 / 10 == 2 ? 4 : 1;
}

// The matrix at `place`, which moves behind it.
static Matrix takeMatrix(const char* file, size_t size, size_t* place)
{
  Matrix matrix;
  assert_true(*place + 20 <= size);
  memcpy(&matrix.type, file + *place, 20);
  matrix.name = file + *place + 20;
  matrix.bytes = matrix.name + matrix.nameSize;
  assert_int_equal(matrix.imaginary, 0);
  assert_int_equal(strlen(matrix.name) + 1, matrix.nameSize);
  size_t data = (size_t)matrix.rows * (size_t)matrix.columns * (size_t)elementSize(matrix.type);
  *place += 20 + (size_t)matrix.nameSize + data;
  assert_true(*place <= size);
  return matrix;
}

static double numberAt(const Matrix* matrix, int row, int column)
{
  double number;
  memcpy(&number, matrix->bytes + ((size_t)column * (size_t)matrix->rows + (size_t)row) * sizeof number, sizeof number);
  return number;
}

static int intAt(const Matrix* matrix, int row, int column)
{
  int32_t number;
  memcpy(&number, matrix->bytes + ((size_t)column * (size_t)matrix->rows + (size_t)row) * sizeof number, sizeof number);
  return number;
}

// A column of a text matrix without the blanks behind.
static const char* textAt(const Matrix* matrix, int column)
{
  static char text[256];
  int size = matrix->rows;
  memcpy(text, matrix->bytes + (size_t)column * (size_t)matrix->rows, (size_t)size);
  while (size > 0 && text[size - 1] == ' ') {
    --size;
  }
  text[size] = '\0';
  return text;
}

static void assertMatrix(const Matrix* matrix, const char* name, int type, int rows, int columns)
{
  assert_string_equal(matrix->name, name);
  assert_int_equal(matrix->type, type);
  assert_int_equal(matrix->rows, rows);
  assert_int_equal(matrix->columns, columns);
}

static void mat_has_the_matrices_of_modelica(void** state)
{
  (void)state;
  crResult* result = makeResult(50);
  assert_int_equal(crWriteMat(result, crTestPath("a.mat"), NULL, NULL), cr_ok);
  size_t size, place = 0;
  char* file = crReadTestFile(crTestPath("a.mat"), &size);

  Matrix aclass = takeMatrix(file, size, &place);
  assertMatrix(&aclass, "Aclass", 51, 4, 11);
  static const char* const lines[] = { "Atrajectory", "1.1        ", "           ", "binTrans   " };
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 11; ++k) {
      assert_int_equal(aclass.bytes[k * 4 + i], lines[i][k]);
    }
  }
  Matrix names = takeMatrix(file, size, &place), descriptions = takeMatrix(file, size, &place);
  assertMatrix(&names, "name", 51, (int)strlen("say \"φ\""), 5);
  assertMatrix(&descriptions, "description", 51, (int)strlen("has none [N]"), 5);
  static const char* const allNames[] = { "time", "a.x", "b,c", "say \"φ\"", "gap" };
  static const char* const allTexts[] = { "Time [s]", "moves [m]", "rests [1]", "[rad]", "has none [N]" };
  Matrix info = takeMatrix(file, size, &place);
  assertMatrix(&info, "dataInfo", 20, 4, 5);
  Matrix constants = takeMatrix(file, size, &place), data = takeMatrix(file, size, &place);
  assertMatrix(&constants, "data_1", 0, 3, 2);
  assertMatrix(&data, "data_2", 0, 3, 50);
  assert_int_equal(place, size);

  for (int v = 0; v < 5; ++v) {
    assert_string_equal(textAt(&names, v), allNames[v]);
    assert_string_equal(textAt(&descriptions, v), allTexts[v]);
    int isConstant = v == 2 || v == 4;
    assert_int_equal(intAt(&info, 0, v), v == 0 ? 0 : isConstant ? 1 : 2);
    int row = intAt(&info, 1, v) - 1;
    for (int r = 0; r < 50; ++r) {
      double expected = v == 0 ? crResult_GetTimes(result)[r] : crResult_GetValues(result, v - 1)[r];
      double found = isConstant ? numberAt(&constants, row, r % 2) : numberAt(&data, row, r);
      assert_true(memcmp(&found, &expected, sizeof found) == 0);
    }
  }
  assert_close(numberAt(&constants, 0, 0), 0.0, 0.0);
  assert_close(numberAt(&constants, 0, 1), 0.25 * 49, 0.0);
  free(file);
  crDestroyResult(result);
}

static void mat_of_no_rows_and_of_one_row(void** state)
{
  (void)state;
  for (int rows = 0; rows < 2; ++rows) {
    crResult* result = makeResult(rows);
    assert_int_equal(crWriteMat(result, crTestPath("a.mat"), NULL, NULL), cr_ok);
    size_t size, place = 0;
    char* file = crReadTestFile(crTestPath("a.mat"), &size);
    for (int i = 0; i < 5; ++i) {
      takeMatrix(file, size, &place);
    }
    Matrix data = takeMatrix(file, size, &place);
    assertMatrix(&data, "data_2", 0, 5, rows);
    free(file);
    crDestroyResult(result);
  }
}

// Only where a Python with SciPy is there.
static void scipy_reads_the_mat_file(void** state)
{
  (void)state;
  if (system("/usr/bin/python3 -c 'import scipy.io' 2>/dev/null") != 0) {
    skip();
  }
  crResult* result = makeResult(50);
  assert_int_equal(crWriteMat(result, crTestPath("a.mat"), NULL, NULL), cr_ok);
  char command[1024];
  snprintf(command, sizeof command,
           "/usr/bin/python3 -c \"\n"
           "import scipy.io\n"
           "m = scipy.io.loadmat('%s', chars_as_strings=False)\n"
           "names = [''.join(c).strip() for c in m['name'].T]\n"
           "assert names[:3] == ['time', 'a.x', 'b,c'], names\n"
           "assert ''.join(m['Aclass'][3]).strip() == 'binTrans'\n"
           "assert m['dataInfo'].shape == (4, 5)\n"
           "assert m['data_2'].shape == (3, 50)\n"
           "assert m['data_2'][0, 49] == 12.25\n"
           "assert m['data_1'][1, 0] == 9.81\n"
           "\"",
           crTestPath("a.mat"));
  assert_int_equal(system(command), 0);
  crDestroyResult(result);
}

// ---------------------------------------------------------------------------------------- bad input

typedef crStatus (*Export)(const crResult*, const char*, const crAllocator*, const crErrorSink*);
static const Export exports[] = { crWriteCsv, crWriteMat };

static void exports_that_fail_leave_nothing_behind(void** state)
{
  (void)state;
  crResult* result = makeResult(5000);
  for (int i = 0; i < 2; ++i) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    int files = crCountTestFiles();
    assert_int_equal(exports[i](result, "/dev/full", NULL, &sink), cr_errorFile);
    assert_message(log, cr_severityError, "No space left on device");
    crErrorLog_Clear(log);
    assert_int_equal(exports[i](result, crTestPath("no/folder"), NULL, &sink), cr_errorFile);
    assert_message(log, cr_severityError, "No such file or directory");
    assert_int_equal(exports[i](result, crTestPath("."), NULL, &sink), cr_errorFile);
    assert_message(log, cr_severityError, "Is a directory");
    assert_int_equal(exports[i](NULL, "a", NULL, &sink), cr_errorMisuse);

    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    crStatus status = cr_errorMemory;
    for (long failAt = 0; status == cr_errorMemory; ++failAt) {
      crTestAllocator_Make(&counter);
      counter.failAt = failAt;
      status = exports[i](result, "/dev/null", &allocator, NULL);
      assert_int_equal(counter.liveBlocks, 0);
    }
    assert_int_equal(status, cr_ok);
    assert_int_equal(crCountTestFiles(), files);
    crDestroyErrorLog(log);
  }
  crDestroyResult(result);
}

static void an_export_keeps_links_and_replaces_files(void** state)
{
  (void)state;
  crResult* result = makeResult(5);
  for (int i = 0; i < 2; ++i) {
    crWriteTestFile(crTestPath("target"), "old", 3);
    assert_int_equal(symlink("target", crTestPath("link")), 0);
    assert_int_equal(exports[i](result, crTestPath("link"), NULL, NULL), cr_ok);
    char linked[16];
    assert_int_equal(readlink(crTestPath("link"), linked, sizeof linked), 6);
    size_t size;
    free(crReadTestFile(crTestPath("target"), &size));
    assert_true(size > 100);
    unlink(crTestPath("link"));
  }
  crDestroyResult(result);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(csv_reads_back_as_the_same_numbers),
    cmocka_unit_test(numbers_in_csv_are_short_and_the_locale_does_not_matter),
    cmocka_unit_test(mat_has_the_matrices_of_modelica),
    cmocka_unit_test(mat_of_no_rows_and_of_one_row),
    cmocka_unit_test(scipy_reads_the_mat_file),
    cmocka_unit_test(exports_that_fail_leave_nothing_behind),
    cmocka_unit_test(an_export_keeps_links_and_replaces_files),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
