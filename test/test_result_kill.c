// A run killed at any moment leaves a result that can be read.
#include "carom/result.h"
#include "support/folder.h"
#include "support/log.h"
#include "support/results.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KILLS 20
#define COLUMNS 12

// Writes for ever and flushes all the time, so that nearly every kill hits a commit.
static void writeForEver(const char* path, int flushRows)
{
  crColumn* columns = crMakeTestColumns(COLUMNS);
  crResultDef def = { .size = sizeof def,
                      .path = path,
                      .columns = columns,
                      .columnCount = COLUMNS,
                      .modelName = "killed",
                      .sceneJson = "{}" };
  crResultWriter* writer = NULL;
  if (crCreateResultWriter(&def, NULL, NULL, &writer) != cr_ok) {
    _exit(1);
  }
  for (int row = 0;; row += flushRows) {
    crAddTestRows(writer, COLUMNS, row, flushRows);
    if (crResultWriter_Flush(writer) != cr_ok) {
      _exit(2);
    }
  }
}

// Waits until the file is there, then `seconds` more.
static void waitFor(const char* path, double seconds)
{
  struct timespec pause = { 0, 1000000 }, more = { 0, (long)(1e9 * seconds) };
  for (int i = 0; i < 10000 && access(path, F_OK) != 0; ++i) {
    nanosleep(&pause, NULL);
  }
  nanosleep(&more, NULL);
}

static void killWriter(const char* path, int flushRows, double seconds)
{
  unlink(path);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    writeForEver(path, flushRows);
  }
  waitFor(path, seconds);
  kill(child, SIGKILL);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
}

static void assertDumpable(const char* path)
{
  char command[1024];
  snprintf(command, sizeof command, "h5dump '%s' >/dev/null 2>&1", path);
  assert_int_equal(system(command), 0); // hdf5-tools, see scripts/setup.sh
}

static void a_killed_run_leaves_a_file_that_carom_and_h5dump_read(void** state)
{
  (void)state;
  const char* path = crTestPath("killed.h5");
  crRandom random = crMakeRandom((uint64_t)time(NULL)); // another moment each time
  int rows = 0;
  for (int i = 0; i < KILLS; ++i) {
    killWriter(path, i % 2 == 0 ? 7 : 400, crRandom_Uniform(&random, 0.0, 0.05));
    crResult* result = crReadTestResult(path);
    crResultFacts facts = crResult_GetFacts(result);
    assert_string_equal(facts.exitReason, "running");
    assert_false(facts.isComplete);
    assert_null(facts.runJson);
    crAssertTestRows(result);
    rows += crResult_CountRows(result);
    crDestroyResult(result);
    assertDumpable(path);
  }
  assert_true(rows > 0);
}

static void a_finished_file_is_dumped_as_well(void** state)
{
  (void)state;
  crWriteTestResult(crTestPath("whole.h5"), 3, 10000);
  assertDumpable(crTestPath("whole.h5"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_killed_run_leaves_a_file_that_carom_and_h5dump_read),
    cmocka_unit_test(a_finished_file_is_dumped_as_well),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
