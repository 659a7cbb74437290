// A kill between any two writes, or between two pages of one, leaves a file that plain HDF5 reads, as Carom does, and
// that holds the first rows of what would have been written. Every such state is looked at, not those of a few kills.
//
// usage: test_result_prefixes [MODEL STOP ROWS]     the run of a model up to a time [s], which is written so many times
#include "carom/io.h"
#include "carom/result.h"
#include "carom/simulate.h"
#include "result/band.h"
#include "support/datasets.h"
#include "support/folder.h"
#include "support/results.h"
#include "support/test_run.h"
#include "support/write_log.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DUMP_EVERY 64 // states: as many are dumped by h5dump, a process each

// --------------------------------------------------------------------------------------------- states

typedef struct Trial {
  const char *part, *whole; // paths of a state and of the finished file
  bool isResult;            // Carom reads it, too
  int states, rows;         // looked at; most rows of one
  char difference[CR_DIFFERENCE_SIZE];
} Trial;

static void assertDumpable(const char* path)
{
  char command[1024];
  snprintf(command, sizeof command, "h5dump '%s' >/dev/null 2>&1", path);
  assert_int_equal(system(command), 0); // hdf5-tools, see scripts/setup.sh
}

static bool lookAtState(void* context, int write, int page)
{
  Trial* trial = context;
  char difference[CR_DIFFERENCE_SIZE];
  if (!crAreFirstRows(trial->part, trial->whole, difference)) {
    snprintf(trial->difference, sizeof trial->difference, "after page %d of write %d of %d: %.300s", page, write,
             crCountWrites(), difference);
    return false;
  }
  if (trial->isResult) {
    crResult* result = crReadTestResult(trial->part);
    assert_true(crResult_CountRows(result) >= trial->rows);
    trial->rows = crResult_CountRows(result);
    crDestroyResult(result);
  }
  if (++trial->states % DUMP_EVERY == 0) {
    assertDumpable(trial->part);
  }
  return true;
}

static bool passBy(void* context, int write, int page)
{
  (void)context;
  (void)write;
  (void)page;
  return true;
}

// All states since the file got its name.
static void lookAtAll(Trial* trial)
{
  trial->part = crTestPath("state.h5");
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  assert_true(crReplayWrites(trial->part, 0, crCountHiddenWrites(), passBy, NULL));
  if (!crReplayWrites(trial->part, crCountHiddenWrites(), crCountWrites(), lookAtState, trial)) {
    fail_msg("%s", trial->difference);
  }
  crAssertSameDatasets(trial->part, trial->whole);
}

// ------------------------------------------------------------------------------------------ results

static crStatus flush(void* context, double t)
{
  (void)t;
  return crResultWriter_Flush(((crResultFile*)context)->writer);
}

static crStatus end(void* context, crRunEnd runEnd, const char* runJson)
{
  (void)runJson;
  return crResultFile_GetSink(context).end(context, runEnd, "{\"what\": \"a run\"}");
}

static int tryRun(const char* model, double stop, int rows)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  crModel* compiled = NULL;
  crSimulation* simulation = NULL;
  crReadOptions options = crDefaultReadOptions();
  assert_int_equal(crReadModel(model, &options, NULL, &sink, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, &sink, &compiled), cr_ok);
  crSimulationOptions simulationOptions = crDefaultSimulationOptions();
  simulationOptions.stopTime = stop;
  simulationOptions.interval = stop / rows;
  assert_int_equal(crCreateSimulation(compiled, &simulationOptions, NULL, &sink, &simulation), cr_ok);
  Trial trial = { .whole = crTestPath("whole.h5"), .isResult = true };
  crResultFile file = { .path = trial.whole, .sink = &sink };
  crRecordSink into = crResultFile_GetSink(&file);
  crRecordOptions recordOptions = crDefaultRecordOptions();
  into.end = end;
  recordOptions.context = &file;
  recordOptions.atOutput = flush;
  crRunEnd runEnd;
  crBeginWriteLog();
  assert_int_equal(crSimulation_Record(simulation, &recordOptions, &into, &runEnd), cr_ok);
  crEndWriteLog();
  lookAtAll(&trial);
  assert_true(trial.rows > rows);
  printf("%s: %d writes, %d states, %d rows\n", model, crCountWrites() - crCountHiddenWrites(), trial.states,
         trial.rows);
  crFreeWriteLog();
  crDestroySimulation(simulation);
  crDestroyModel(compiled);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
  return trial.states;
}

static void every_write_of_a_run_leaves_a_file_that_hdf5_reads(void** state)
{
  (void)state;
  assert_true(tryRun(CAROM_ROOT "/examples/billiards.lua", 0.5, 12) > 100);
}

#define COLUMNS 3
#define ROWS 10000
#define ROWS_AT_ONCE 900

static void writeRows(const crResultDef* def, int rowCount)
{
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(def, NULL, NULL, &writer), cr_ok);
  for (int row = 0; row < rowCount; row += ROWS_AT_ONCE) {
    crAddTestRows(writer, COLUMNS, row, row + ROWS_AT_ONCE < rowCount ? ROWS_AT_ONCE : rowCount - row);
    assert_int_equal(crResultWriter_AddEvent(writer, crTestTime(row), "tick", "rows were written"), cr_ok);
    assert_int_equal(crResultWriter_Flush(writer), cr_ok);
  }
  assert_int_equal(crResultWriter_Close(writer, true, "ok", "{\"what\": \"a run\"}"), cr_ok);
}

// Bands that fill, and go packed to another place.
static void every_write_of_a_long_result_leaves_a_file_that_hdf5_reads(void** state)
{
  (void)state;
  Trial trial = { .whole = crTestPath("whole.h5"), .isResult = true };
  crColumn* columns = crMakeTestColumns(COLUMNS);
  crResultDef def = { .size = sizeof def, .path = trial.whole, .columns = columns, .columnCount = COLUMNS };
  crBeginWriteLog();
  writeRows(&def, ROWS);
  crEndWriteLog();
  lookAtAll(&trial);
  assert_int_equal(trial.rows, ROWS);
  printf("%d writes, %d states\n", crCountWrites() - crCountHiddenWrites(), trial.states);
  crFreeWriteLog();
  crFreeTestColumns(columns, COLUMNS);
}

#define LENGTHS 40
#define LENGTH 103 // [bytes] by which texts are longer, so that what follows them lies elsewhere in its pages

// The record of how the run ended changed two pages of HDF5's index of names; after the first of them no name was
// found.
static void every_write_leaves_such_a_file_wherever_records_lie(void** state)
{
  (void)state;
  char text[LENGTHS * LENGTH + 1];
  crColumn* columns = crMakeTestColumns(COLUMNS);
  for (int i = 0; i < LENGTHS; ++i) {
    Trial trial = { .whole = crTestPath("whole.h5"), .isResult = true };
    crResultDef def = { .size = sizeof def, .path = trial.whole, .columns = columns, .columnCount = COLUMNS };
    memset(text, 'x', sizeof text);
    text[i * LENGTH] = '\0';
    def.sourceText = def.sceneJson = text;
    def.objectCount = 1;
    def.objects = (const char* const[]){ "thing" };
    def.hasEventRows = true;
    crBeginWriteLog();
    writeRows(&def, 2);
    crEndWriteLog();
    lookAtAll(&trial);
    crFreeWriteLog();
  }
  crFreeTestColumns(columns, COLUMNS);
}

// -------------------------------------------------------------------------------------- trees of chunks

#define LIST_ROWS 6000 // of a chunk each: three levels, of which the middle one splits
#define MOST_NODES 1024
#define LEAVES_LOOKED_AT 5 // of those that split

// A list whose tree of chunks grows and splits, committed after each row.
static void writeList(const char* path)
{
  crCommitFile* file = NULL;
  crHdf5 hdf5;
  crBand band;
  crChunking chunking = { 1, 1, sizeof(double), false, false, false };
  crAllocator allocator = crDefaultAllocator();
  int error = 0;
  assert_int_equal(crCreateCommitFile(path, NULL, NULL, &file), cr_ok);
  crBeginHdf5(&hdf5);
  hid_t id = crCommitFile_OpenHdf5(file, &hdf5);
  assert_true(crBand_Init(&band, 1, chunking, &allocator));
  band.dataset = crCreateList(&hdf5, id, "list", H5T_NATIVE_DOUBLE, chunking);
  for (int row = 0; row < LIST_ROWS; ++row) {
    crBand_AddRow(&band, &(double){ 1.0 + row });
    crBand_Store(&band, false, &hdf5, file);
    crHdf5_Try(&hdf5, H5Fflush(id, H5F_SCOPE_LOCAL));
    assert_int_equal(crCommitFile_Commit(file, &error), cr_ok);
    if (row == 0) {
      assert_int_equal(crCommitFile_Publish(file), 0);
    }
  }
  crHdf5_Try(&hdf5, H5Dclose(band.dataset));
  crBand_Free(&band);
  crCommitFile_CloseHdf5(file, id, &hdf5);
  crEndHdf5(&hdf5);
  assert_false(hdf5.hasFailed);
  assert_int_equal(crCommitFile_Commit(file, &error), cr_ok);
  assert_int_equal(crDestroyCommitFile(file), 0);
}

typedef struct Node {
  long offset;
  int entries;
} Node;

typedef struct Nodes {
  Node items[MOST_NODES];
  int count;
} Nodes;

// The level of a node that a write leaves with fewer entries than it had; -1: it does no such thing.
static int findSplit(Nodes* nodes, int write)
{
  long offset;
  const unsigned char* bytes = crGetWrite(write, &offset);
  if (bytes == NULL || memcmp(bytes, "TREE", 4) != 0) {
    return -1;
  }
  int i = 0, entries = bytes[6] + 256 * bytes[7];
  for (; i < nodes->count && nodes->items[i].offset != offset; ++i) {
  }
  if (i == nodes->count) {
    assert_true(nodes->count < MOST_NODES);
    nodes->items[nodes->count++] = (Node){ offset, entries };
  }
  bool isSplit = entries < nodes->items[i].entries;
  nodes->items[i].entries = entries;
  return isSplit ? bytes[5] : -1;
}

// A node that is full gives a part of its chunks to a new one, of which the node above it has to know by then: chunks
// of rows that count were in neither. Commits of a split are looked at write by write.
static void trees_of_chunks_split_without_losing_any(void** state)
{
  (void)state;
  Trial trial = { .part = crTestPath("state.h5"), .whole = crTestPath("lists.h5") };
  Nodes* nodes = calloc(1, sizeof *nodes);
  int splits[3] = { 0 }, next;
  assert_non_null(nodes);
  crBeginWriteLog();
  writeList(trial.whole);
  crEndWriteLog();
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  assert_true(crReplayWrites(trial.part, 0, next = crCountHiddenWrites(), passBy, NULL));
  for (int i = next; i < crCountWrites(); ++i) {
    int level = findSplit(nodes, i);
    if (level > 0 || (level == 0 && splits[0] < LEAVES_LOOKED_AT)) {
      int first = i - 5 > next ? i - 5 : next, last = i + 5 < crCountWrites() ? i + 5 : crCountWrites();
      assert_true(crReplayWrites(trial.part, next, first, passBy, NULL));
      if (!crReplayWrites(trial.part, first, last, lookAtState, &trial)) {
        fail_msg("%s", trial.difference);
      }
      next = last;
    }
    if (level >= 0 && level < 3) {
      ++splits[level];
    }
  }
  printf("%d leaves, %d nodes above them, and %d above those have split\n", splits[0], splits[1], splits[2]);
  assert_true(splits[0] > 50 && splits[1] > 0);
  assert_true(crReplayWrites(trial.part, next, crCountWrites(), passBy, NULL));
  crAssertSameDatasets(trial.part, trial.whole);
  crFreeWriteLog();
  free(nodes);
}

int main(int argc, char** argv)
{
  if (argc == 4) {
    crMakeTestFolder(NULL);
    tryRun(argv[1], atof(argv[2]), atoi(argv[3]));
    return crRemoveTestFolder(NULL);
  }
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_write_of_a_run_leaves_a_file_that_hdf5_reads),
    cmocka_unit_test(every_write_of_a_long_result_leaves_a_file_that_hdf5_reads),
    cmocka_unit_test(every_write_leaves_such_a_file_wherever_records_lie),
    cmocka_unit_test(trees_of_chunks_split_without_losing_any),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
