// Result files: what was written is read back, and what cannot be read or written is told.
#include "carom/result.h"
#include "result/layout.h"
#include "support/folder.h"
#include "support/log.h"
#include "support/results.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_LIMIT 1500000 // [bytes] a small disk

// -------------------------------------------------------------------------------------- round trip

static void what_was_written_is_read_back_bit_by_bit(void** state)
{
  (void)state;
  // around the sizes of bands and chunks: one row, one column, wide and short, long and narrow
  static const int sizes[][2] = { { 1, 1 },     { 1, 0 },     { 3, 7 },      { 10, 4095 }, { 10, 4096 },
                                  { 10, 4097 }, { 10, 9000 }, { 1000, 600 }, { 40000, 9 }, { 0, 5 } };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    crWriteTestResult(crTestPath("a.h5"), sizes[i][0], sizes[i][1]);
    crResult* result = crReadTestResult(crTestPath("a.h5"));
    assert_int_equal(crResult_CountColumns(result), sizes[i][0]);
    assert_int_equal(crResult_CountRows(result), sizes[i][1]);
    assert_int_equal(crResult_CountEvents(result), (sizes[i][1] + 9) / 10);
    crAssertTestRows(result);
    crDestroyResult(result);
  }
}

static void facts_names_and_events_are_read_back(void** state)
{
  (void)state;
  crWriteTestResult(crTestPath("a.h5"), 6, 25);
  crResult* result = crReadTestResult(crTestPath("a.h5"));
  crResultFacts facts = crResult_GetFacts(result);
  assert_string_equal(facts.version, CAROM_VERSION);
  assert_string_equal(facts.modelName, "test model");
  assert_string_equal(facts.exitReason, "ok");
  assert_string_equal(facts.sceneJson, "{\"scene\":1}");
  assert_string_equal(facts.runJson, "{\"steps\":3}");
  assert_true(facts.isComplete);
  assert_string_equal(crResult_GetColumn(result, 4)->name, "body4.x");
  assert_string_equal(crResult_GetColumn(result, 4)->unit, "rad");
  assert_string_equal(crResult_GetColumn(result, 4)->description, "a position");
  assert_string_equal(crResult_GetColumn(result, 5)->description, "");
  assert_int_equal(crResult_FindColumn(result, "body3.x"), 3);
  assert_int_equal(crResult_FindColumn(result, "body6.x"), -1);
  assert_null(crResult_GetColumn(result, 6));
  assert_null(crResult_GetValues(result, -1));
  assert_close(crResult_GetEvent(result, 2)->time, 0.2, 0.0);
  assert_string_equal(crResult_GetEvent(result, 2)->kind, "contact");
  assert_string_equal(crResult_GetEvent(result, 2)->text, "ball meets table");
  assert_null(crResult_GetEvent(result, 3));
  crDestroyResult(result);
}

static void any_utf8_and_any_value_survive(void** state)
{
  (void)state;
  crColumn columns[] = { { "Körper.φ̇", "rad/s", "Drehrate, in \"rad/s\"" }, { "a,b\n\t\x01", NULL, NULL } };
  double rows[][2] = { { NAN, INFINITY }, { -INFINITY, -0.0 }, { 5e-324, 1.7976931348623157e308 } };
  crResultDef def = { .size = sizeof def,
                      .path = crTestPath("utf8.h5"),
                      .columns = columns,
                      .columnCount = 2,
                      .modelName = NULL,
                      .expectedRows = 3 };
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  for (int r = 0; r < 3; ++r) {
    assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = r, .values = rows[r] }), cr_ok);
  }
  assert_int_equal(crResultWriter_AddEvent(writer, 1.0, "", "größer als \xf0\x9f\x98\x80"), cr_ok);
  assert_int_equal(crResultWriter_Close(writer, false, "failed", NULL), cr_ok);

  crResult* result = crReadTestResult(crTestPath("utf8.h5"));
  assert_string_equal(crResult_GetColumn(result, 0)->name, columns[0].name);
  assert_string_equal(crResult_GetColumn(result, 1)->name, columns[1].name);
  assert_string_equal(crResult_GetColumn(result, 1)->unit, "1");
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 2; ++c) {
      assert_memory_equal(&crResult_GetValues(result, c)[r], &rows[r][c], sizeof(double));
    }
  }
  assert_string_equal(crResult_GetEvent(result, 0)->text, "größer als \xf0\x9f\x98\x80");
  crResultFacts facts = crResult_GetFacts(result);
  assert_string_equal(facts.exitReason, "failed");
  assert_string_equal(facts.modelName, "");
  assert_false(facts.isComplete);
  assert_null(facts.sceneJson);
  assert_null(facts.runJson);
  crDestroyResult(result);
}

// A text of any length is cut into records between characters, and put together again.
static void long_event_texts_survive(void** state)
{
  (void)state;
  crColumn column = { "a", "m", "" };
  crResultDef def = {
    .size = sizeof def, .path = crTestPath("long.h5"), .columns = &column, .columnCount = 1, .modelName = "m"
  };
  crResultWriter* writer = NULL;
  char text[3000];
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  for (int i = 0; i < 600; ++i) {
    int size = 0;
    for (int k = 0; k < i; ++k) {
      size += snprintf(text + size, sizeof text - (size_t)size, "%s", k % 7 == 3 ? "\xf0\x9f\x98\x80" : "ö");
    }
    text[size] = '\0';
    assert_int_equal(crResultWriter_AddEvent(writer, i, "length", text), cr_ok);
  }
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  crResult* result = crReadTestResult(crTestPath("long.h5"));
  assert_int_equal(crResult_CountEvents(result), 600);
  for (int i = 0; i < 600; ++i) {
    int fours = i / 7 + (i % 7 > 3);
    assert_int_equal(strlen(crResult_GetEvent(result, i)->text), 2 * i + 2 * fours);
    assert_close(crResult_GetEvent(result, i)->time, i, 0.0);
  }
  assert_string_equal(crResult_GetEvent(result, 599)->text, text);
  crDestroyResult(result);
}

static void a_flushed_file_can_be_read_while_it_grows(void** state)
{
  (void)state;
  crColumn* columns = crMakeTestColumns(30);
  crResultDef def = {
    .size = sizeof def, .path = crTestPath("grow.h5"), .columns = columns, .columnCount = 30, .modelName = "m"
  };
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  for (int i = 0; i < 12; ++i) {
    crAddTestRows(writer, 30, 777 * i, 777);
    assert_int_equal(crResultWriter_Flush(writer), cr_ok);
    crResult* result = crReadTestResult(crTestPath("grow.h5"));
    assert_int_equal(crResult_CountRows(result), 777 * (i + 1));
    crAssertTestRows(result);
    assert_string_equal(crResult_GetFacts(result).exitReason, "running");
    assert_false(crResult_GetFacts(result).isComplete);
    crDestroyResult(result);
  }
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  crResult* result = crReadTestResult(crTestPath("grow.h5"));
  assert_int_equal(crResult_CountRows(result), 777 * 12);
  crAssertTestRows(result);
  crDestroyResult(result);
  crFreeTestColumns(columns, 30);
}

static void resting_variables_take_no_space(void** state)
{
  (void)state;
  crColumn* columns = crMakeTestColumns(100);
  crResultDef def = {
    .size = sizeof def, .path = crTestPath("rest.h5"), .columns = columns, .columnCount = 100, .modelName = "m"
  };
  crResultWriter* writer = NULL;
  double values[100] = { 1.5 };
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  for (int r = 0; r < 20000; ++r) {
    assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = r, .values = values }), cr_ok);
  }
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  struct stat info;
  assert_int_equal(stat(crTestPath("rest.h5"), &info), 0);
  assert_true(info.st_size < 4000000); // of 16 MB; a slow machine flushes a band of 2 MB before it is full
  crFreeTestColumns(columns, 100);
}

static void chunks_fit_the_result(void** state)
{
  (void)state;
  static const int columns[] = { 0, 1, 10, 600, 1000, 100000, 3000000 };
  static const int rows[] = { 0, 1, 5, 501, 100000 };
  for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
      crChunking chunking = crChooseVariableChunking(columns[i], rows[k]);
      double bytes = 8.0 * chunking.rows * chunking.columns;
      assert_true(chunking.rows >= 1 && chunking.columns >= 1 && bytes <= (1 << 20));
      assert_true(chunking.columns <= (columns[i] > 0 ? columns[i] : 1));
      // not more than half of the file is air
      int bands = rows[k] > 0 ? (rows[k] + chunking.rows - 1) / chunking.rows : 0;
      assert_true((double)bands * chunking.rows <= 2.0 * (rows[k] + 1));
    }
  }
  assert_false(crChooseVariableChunking(600, 501).isCompressed);
  assert_true(crChooseVariableChunking(600, 0).isCompressed);
}

// ----------------------------------------------------------------------------------------- threads

static void* writeAndRead(void* context)
{
  const char* path = context;
  for (int i = 0; i < 5; ++i) {
    crWriteTestResult(path, 20, 3000);
    crResult* result = crReadTestResult(path);
    crAssertTestRows(result);
    crDestroyResult(result);
  }
  return NULL;
}

static void results_can_be_written_and_read_in_several_threads(void** state)
{
  (void)state;
  static const char* const names[] = { "t0.h5", "t1.h5", "t2.h5", "t3.h5" };
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(pthread_create(&threads[i], NULL, writeAndRead, (void*)crTestPath(names[i])), 0);
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
  }
}

// ---------------------------------------------------------------------------------------- bad input

typedef struct Complaint {
  crErrorLog* log;
  crErrorSink sink;
} Complaint;

static Complaint makeComplaint(void)
{
  Complaint complaint = { .log = crCreateErrorLog(NULL) };
  complaint.sink = crErrorLog_GetSink(complaint.log);
  return complaint;
}

// Reading fails with cr_errorFile and this message.
static void assertUnreadable(const char* path, const char* part)
{
  Complaint complaint = makeComplaint();
  crResult* result = NULL;
  assert_int_equal(crReadResult(path, NULL, &complaint.sink, &result), cr_errorFile);
  assert_null(result);
  assert_message(complaint.log, cr_severityError, part);
  crDestroyErrorLog(complaint.log);
}

static void changeAttribute(const char* path, const char* name, int value)
{
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  crWriteNumberAttribute(&hdf5, file, name, value);
  H5Fclose(file);
  crEndHdf5(&hdf5);
  assert_false(hdf5.hasFailed);
}

static void removePart(const char* path, const char* name)
{
  crHdf5 hdf5;
  crBeginHdf5(&hdf5);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  crEndHdf5(&hdf5);
}

static void foreign_and_damaged_files_are_told_apart(void** state)
{
  (void)state;
  const char* path = crTestPath("bad.h5");
  assertUnreadable(crTestPath("missing.h5"), "No such file or directory");
  assertUnreadable(crTestPath("."), "Is a directory");
  assertUnreadable("/dev/null", "the result file cannot be read");
  crWriteTestFile(path, "time,x\n0,1\n", 11);
  assertUnreadable(path, "it is not HDF5");
  crWriteTestFile(path, "", 0);
  assertUnreadable(path, "it is not HDF5");

  hid_t foreign = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(foreign);
  assertUnreadable(path, "no result of Carom");

  crWriteTestResult(path, 3, 100);
  changeAttribute(path, CR_ATTRIBUTE_FORMAT, CR_RESULT_FORMAT + 1);
  assertUnreadable(path, "found 5, allowed: 1 to 4");
  crWriteTestResult(path, 3, 100);
  removePart(path, CR_DATASET_TIME);
  assertUnreadable(path, "damaged: /time cannot be opened");
  crWriteTestResult(path, 3, 100);
  removePart(path, CR_DATASET_UNITS);
  assertUnreadable(path, "damaged: /units cannot be opened");
}

static void a_truncated_file_is_told(void** state)
{
  (void)state;
  const char* path = crTestPath("cut.h5");
  crWriteTestResult(path, 10, 3000);
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  for (int i = 1; i < 10; ++i) {
    crWriteTestResult(path, 10, 3000);
    assert_int_equal(truncate(path, info.st_size * i / 10), 0);
    assertUnreadable(path, "the result file is cut off");
  }
}

// Overwrites a stretch of the file. Returns whether it is still read.
static bool readScratched(const char* path, const char* bytes, size_t size, crRandom* random)
{
  char* copy = malloc(size);
  memcpy(copy, bytes, size);
  size_t place = 48 + crRandom_Next(random) % (size - 48 - 64);
  int value = (int)(crRandom_Next(random) % 256);
  memset(copy + place, value, 1 + crRandom_Next(random) % 64);
  crWriteTestFile(path, copy, size);
  crResult* result = NULL;
  bool isRead = crReadResult(path, NULL, NULL, &result) == cr_ok;
  crDestroyResult(result);
  free(copy);
  return isRead;
}

// The file is refused, or what was hit is not needed; no crash. In a process of its own, because HDF5 1.10 leaks a part
// of what it could not read.
static void a_scratched_file_does_no_harm(void** state)
{
  (void)state;
  const char* path = crTestPath("scratched.h5");
  size_t size;
  crWriteTestResult(path, 10, 3000);
  char* bytes = crReadTestFile(path, &size);
  pid_t child = fork();
  if (child == 0) {
    crRandom random = crMakeRandom(5);
    int refused = 0;
    for (int i = 0; i < 200; ++i) {
      refused += !readScratched(path, bytes, size, &random);
    }
    _exit(refused > 10 ? 0 : 1);
  }
  int exitStatus;
  assert_int_equal(waitpid(child, &exitStatus, 0), child);
  assert_int_equal(exitStatus, 0);
  free(bytes);
}

static void columns_that_cannot_be_meant_are_refused(void** state)
{
  (void)state;
  static const struct {
    crColumn columns[2];
    const char* message;
  } cases[] = {
    { { { "a", "m", "" }, { "a", "m", "" } }, "two variables have the same name" },
    { { { "a", "m", "" }, { "time", "s", "" } }, "two variables have the same name" },
    { { { "a", "m", "" }, { "", "m", "" } }, "a variable has no name" },
    { { { "a", "m", "" }, { "b\xff", "m", "" } }, "not UTF-8" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Complaint complaint = makeComplaint();
    crResultDef def = { .size = sizeof def,
                        .path = crTestPath("never.h5"),
                        .columns = cases[i].columns,
                        .columnCount = 2,
                        .modelName = "m" };
    crResultWriter* writer = NULL;
    assert_int_equal(crCreateResultWriter(&def, NULL, &complaint.sink, &writer), cr_errorMisuse);
    assert_null(writer);
    assert_message(complaint.log, cr_severityError, cases[i].message);
    assert_int_not_equal(access(crTestPath("never.h5"), F_OK), 0);
    crDestroyErrorLog(complaint.log);
  }
}

static void misuse_changes_nothing(void** state)
{
  (void)state;
  crColumn column = { "a", "m", "" };
  crResultDef def = {
    .size = sizeof def, .path = crTestPath("misuse.h5"), .columns = &column, .columnCount = 1, .modelName = "m"
  };
  crResultWriter* writer = NULL;
  Complaint complaint = makeComplaint();
  double value = 1.0;
  assert_int_equal(crCreateResultWriter(NULL, NULL, NULL, &writer), cr_errorMisuse);
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crResultWriter_AddRow(NULL, &(crRow){ .time = 0.0, .values = &value }), cr_errorMisuse);
  assert_int_equal(crResultWriter_Close(NULL, true, "ok", NULL), cr_errorMisuse);
  assert_int_equal(crReadResult(NULL, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crCreateResultWriter(&def, NULL, &complaint.sink, &writer), cr_ok);
  assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = 0.0 }), cr_errorMisuse);
  assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = NAN, .values = &value }), cr_errorMisuse);
  assert_message(complaint.log, cr_severityError, "time of a row is not a finite number");
  assert_int_equal(crResultWriter_AddEvent(writer, INFINITY, "a", "b"), cr_errorMisuse);
  assert_int_equal(crResultWriter_AddEvent(writer, 0.0, NULL, "b"), cr_errorMisuse);
  assert_int_equal(crResultWriter_AddEvent(writer, 0.0, "a kind of more than 28 bytes!", "b"), cr_errorMisuse);
  assert_message(complaint.log, cr_severityError, "longer than 28 bytes");
  assert_int_equal(crResultWriter_AddEvent(writer, 0.0, "a", "\xff"), cr_errorMisuse);
  assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = 0.0, .values = &value }), cr_ok);
  assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
  crResult* result = crReadTestResult(crTestPath("misuse.h5"));
  assert_int_equal(crResult_CountRows(result), 1);
  crDestroyResult(result);
  crDestroyErrorLog(complaint.log);
}

static void an_existing_file_stays_when_the_new_one_cannot_be_made(void** state)
{
  (void)state;
  const char* path = crTestPath("kept.h5");
  crWriteTestResult(path, 2, 10);
  int files = crCountTestFiles();
  crColumn* columns = crMakeTestColumns(2);
  crResultDef def = { .size = sizeof def, .path = path, .columns = columns, .columnCount = 2, .modelName = "m" };
  crResultWriter* writer = NULL;
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  counter.failAt = 8;
  assert_int_equal(crCreateResultWriter(&def, &allocator, NULL, &writer), cr_errorMemory);
  crResult* result = crReadTestResult(path);
  assert_int_equal(crResult_CountRows(result), 10);
  assert_int_equal(crCountTestFiles(), files);
  crDestroyResult(result);

  Complaint complaint = makeComplaint();
  def.path = crTestPath("no/such/folder.h5");
  assert_int_equal(crCreateResultWriter(&def, NULL, &complaint.sink, &writer), cr_errorFile);
  assert_message(complaint.log, cr_severityError, "No such file or directory");
  def.path = crTestPath(".");
  assert_int_equal(crCreateResultWriter(&def, NULL, &complaint.sink, &writer), cr_errorFile);
  assert_message(complaint.log, cr_severityError, "Is a directory");
  def.path = "/dev/null";
  assert_int_equal(crCreateResultWriter(&def, NULL, &complaint.sink, &writer), cr_errorFile);
  assert_message(complaint.log, cr_severityError, "ordinary file");
  crDestroyErrorLog(complaint.log);
  crFreeTestColumns(columns, 2);
}

// --------------------------------------------------------------------------------------- resources

// In a process of its own, whose files may not grow beyond FILE_LIMIT: writes until that is reported. Exit code 0: it
// was reported as it should.
static void writeUntilFull(const char* path)
{
  struct rlimit limit = { FILE_LIMIT, FILE_LIMIT };
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  crColumn* columns = crMakeTestColumns(8);
  crResultDef def = { .size = sizeof def, .path = path, .columns = columns, .columnCount = 8, .modelName = "m" };
  crResultWriter* writer = NULL;
  Complaint complaint = makeComplaint();
  if (crCreateResultWriter(&def, NULL, &complaint.sink, &writer) != cr_ok) {
    _exit(1);
  }
  crStatus status = cr_ok;
  double values[8];
  for (int r = 0; r < 200000 && status == cr_ok; ++r) {
    for (int c = 0; c < 8; ++c) {
      values[c] = crTestValue(r, c);
    }
    status = crResultWriter_AddRow(writer, &(crRow){ .time = crTestTime(r), .values = values });
    status = status == cr_ok && r % 500 == 0 ? crResultWriter_Flush(writer) : status;
  }
  bool isTold = status == cr_errorFile && crErrorLog_CountOf(complaint.log, cr_severityError) == 1 &&
                strstr(crErrorLog_Get(complaint.log, 0)->message, "cannot be written any further") != NULL;
  bool goesOn = crResultWriter_AddRow(writer, &(crRow){ .time = 1.0, .values = values }) == cr_errorFile &&
                crResultWriter_AddEvent(writer, 1.0, "a", "b") == cr_errorFile;
  bool isClosed = crResultWriter_Close(writer, true, "ok", "{}") == cr_errorFile &&
                  crErrorLog_CountOf(complaint.log, cr_severityError) == 1;
  _exit(isTold && goesOn && isClosed ? 0 : 2);
}

static void a_full_disk_is_told_and_keeps_what_was_written(void** state)
{
  (void)state;
  const char* path = crTestPath("full.h5");
  pid_t child = fork();
  if (child == 0) {
    writeUntilFull(path);
  }
  int exitStatus;
  assert_int_equal(waitpid(child, &exitStatus, 0), child);
  assert_int_equal(exitStatus, 0);
  crResult* result = crReadTestResult(path);
  assert_true(crResult_CountRows(result) >= 500);
  crAssertTestRows(result);
  assert_string_equal(crResult_GetFacts(result).exitReason, "failed");
  crDestroyResult(result);
}

static crStatus writeWith(const crAllocator* allocator, const char* path)
{
  crColumn* columns = crMakeTestColumns(4);
  crResultDef def = { .size = sizeof def,
                      .path = path,
                      .columns = columns,
                      .columnCount = 4,
                      .modelName = "m",
                      .sceneJson = "{}",
                      .expectedRows = 50 };
  crResultWriter* writer = NULL;
  crStatus status = crCreateResultWriter(&def, allocator, NULL, &writer);
  crFreeTestColumns(columns, 4);
  if (status != cr_ok) {
    return status;
  }
  for (int r = 0; r < 100 && status == cr_ok; ++r) {
    double values[4] = { r, r, r, r };
    status = crResultWriter_AddRow(writer, &(crRow){ .time = r, .values = values });
    status = status == cr_ok ? crResultWriter_AddEvent(writer, r, "kind", "text") : status;
    status = status == cr_ok && r % 10 == 9 ? crResultWriter_Flush(writer) : status;
  }
  crStatus closed = crResultWriter_Close(writer, true, "ok", "{}");
  return status != cr_ok ? status : closed;
}

static void out_of_memory_is_clean_at_every_allocation(void** state)
{
  (void)state;
  const char* path = crTestPath("memory.h5");
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status == cr_errorMemory; ++failAt) {
    crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    status = writeWith(&allocator, path);
    assert_true(status == cr_ok || status == cr_errorMemory);
    assert_int_equal(counter.liveBlocks, 0);
    if (access(path, F_OK) == 0) { // whenever it is there, it is whole
      crDestroyResult(crReadTestResult(path));
    }
  }
  status = cr_errorMemory;
  for (long failAt = 0; status == cr_errorMemory; ++failAt) {
    crResult* result = NULL;
    crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    status = crReadResult(path, &allocator, NULL, &result);
    assert_true(status == cr_ok ? result != NULL : result == NULL);
    crDestroyResult(result);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_int_equal(status, cr_ok);
}

// ---------------------------------------------------------------------------------------- patterns

static void patterns_choose_names(void** state)
{
  (void)state;
  static const struct {
    const char *name, *pattern;
    bool matches;
  } cases[] = {
    { "arm.joint1.angle", "arm.joint1.angle", true },
    { "arm.joint1.angle", "arm.joint1.rate", false },
    { "arm.joint1.angle", "arm.*.angle", true },
    { "arm.joint1.angle", "*.angle", false },
    { "arm.joint1.angle", "**.angle", true },
    { "arm.joint1.angle", "**", true },
    { "arm.joint1.angle", "*", false },
    { "arm.joint1.angle", "arm.joint?.angle", true },
    { "arm.joint1.angle", "arm?joint1.angle", false },
    { "arm.joint1.angle", "*.*.*", true },
    { "arm.joint1.angle", "*.*.*.*", false },
    { "arm.joint1.angle", "**joint*le", false },
    { "arm.joint1.angle", "**joint**le", true },
    { "arm.joint1.angle", "a*m.j*1.a*e", true },
    { "arm.joint1.angle", "", false },
    { "", "", true },
    { "", "*", true },
    { "", "?", false },
    { "x.b.bc", "**.b*c", true },
    { "aab", "*ab", true },
    { "a.a.b", "*a.b", false },
    { "Körper.φ", "K?rper.?", true },
    { "Körper.φ", "K??rper.?", false },
    { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "*a*a*a*a*a*a*a*a*a*a*a*a*b", false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (crMatchesPattern(cases[i].name, cases[i].pattern) != cases[i].matches) {
      fail_msg("'%s' and '%s'", cases[i].name, cases[i].pattern);
    }
  }
}

// All ways to match, by trying every length of every star.
static bool matchesByForce(const char* name, const char* pattern)
{
  if (*pattern == '\0') {
    return *name == '\0';
  }
  if (*pattern == '*') {
    bool isDouble = pattern[1] == '*';
    const char* rest = pattern + (isDouble ? 2 : 1);
    for (;; ++name) {
      if (matchesByForce(name, rest)) {
        return true;
      }
      if (*name == '\0' || (*name == '.' && !isDouble)) {
        return false;
      }
    }
  }
  bool isSame = *pattern == '?' ? *name != '\0' && *name != '.' : *pattern == *name;
  return isSame && matchesByForce(name + 1, pattern + 1);
}

static void patterns_agree_with_trying_everything(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(3);
  int matches = 0;
  for (int i = 0; i < 200000; ++i) {
    char name[10] = "", pattern[8] = "";
    for (size_t k = 0, size = crRandom_Next(&random) % 10; k < size; ++k) {
      name[k] = "ab."[crRandom_Next(&random) % 3];
    }
    for (size_t k = 0, size = crRandom_Next(&random) % 8; k < size; ++k) {
      pattern[k] = "ab.**?"[crRandom_Next(&random) % 6];
    }
    matches += matchesByForce(name, pattern);
    if (crMatchesPattern(name, pattern) != matchesByForce(name, pattern)) {
      fail_msg("'%s' and '%s'", name, pattern);
    }
  }
  assert_true(matches > 10000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_was_written_is_read_back_bit_by_bit),
    cmocka_unit_test(facts_names_and_events_are_read_back),
    cmocka_unit_test(any_utf8_and_any_value_survive),
    cmocka_unit_test(long_event_texts_survive),
    cmocka_unit_test(a_flushed_file_can_be_read_while_it_grows),
    cmocka_unit_test(resting_variables_take_no_space),
    cmocka_unit_test(chunks_fit_the_result),
    cmocka_unit_test(results_can_be_written_and_read_in_several_threads),
    cmocka_unit_test(foreign_and_damaged_files_are_told_apart),
    cmocka_unit_test(a_truncated_file_is_told),
    cmocka_unit_test(a_scratched_file_does_no_harm),
    cmocka_unit_test(columns_that_cannot_be_meant_are_refused),
    cmocka_unit_test(misuse_changes_nothing),
    cmocka_unit_test(an_existing_file_stays_when_the_new_one_cannot_be_made),
    cmocka_unit_test(a_full_disk_is_told_and_keeps_what_was_written),
    cmocka_unit_test(out_of_memory_is_clean_at_every_allocation),
    cmocka_unit_test(patterns_choose_names),
    cmocka_unit_test(patterns_agree_with_trying_everything),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
