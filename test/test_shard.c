// Rows of a sweep in a file: where memory is short while they are read.
#include "support/folder.h"
#include "support/log.h"
#include "sweep/shard.h"

#include <string.h>

#define ROWS 7

static void writeShard(const char* path)
{
  char message[400]; // longer than a part of one
  memset(message, 'm', sizeof message - 1);
  message[sizeof message - 1] = '\0';
  crShardDef def = {
    .path = path, .planJson = "{\"model\":\"m.lua\"}", .planHash = "0123", .inputCount = 2, .outputCount = 3
  };
  crShardWriter* writer = NULL;
  assert_int_equal(crCreateShard(&def, NULL, NULL, &writer), cr_ok);
  for (int i = 0; i < ROWS; ++i) {
    double inputs[2] = { i, 2.0 * i }, outputs[3] = { 3.0 * i, NAN, 5.0 };
    crSweepRow row = { .run = i,
                       .inputs = inputs,
                       .outputs = outputs,
                       .message = i % 3 == 2 ? message : "",
                       .status = i % 3 == 2 ? cr_errorModel : cr_ok };
    assert_int_equal(crShardWriter_Add(writer, &row), cr_ok);
  }
  assert_int_equal(crCloseShard(writer), cr_ok);
}

// It was told as damage, or as a file of something else, or rows that had failed were left out without a word.
static void memory_that_is_short_is_told_as_that_and_loses_no_row(void** state)
{
  (void)state;
  writeShard(crTestPath("shard.h5"));
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status != cr_ok; ++failAt) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failAt;
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crShard shard;
    int inputs = 0, outputs = 0;
    status = crReadShard(&shard, crTestPath("shard.h5"), "0123", false, &allocator, &sink, &inputs, &outputs);
    if (status == cr_ok) {
      assert_true(failAt > 3);
      assert_int_equal(shard.rowCount, ROWS);
      assert_int_equal(strlen(shard.rows[2].message), 399);
      assert_true(shard.rows[6].inputs[1] == 12.0 && shard.rows[6].outputs[0] == 18.0);
    } else {
      assert_int_equal(status, cr_errorMemory);
      assert_int_equal(crErrorLog_Count(log), 1);
      assert_message(log, cr_severityError, "out of memory while reading rows");
    }
    crFreeShard(&shard);
    assert_int_equal(counter.liveBlocks, 0);
    crDestroyErrorLog(log);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_that_is_short_is_told_as_that_and_loses_no_row),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
