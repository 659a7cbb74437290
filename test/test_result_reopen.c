// A result that goes on from a place has what an undisturbed one has, bit by bit.
#include "carom/result.h"
#include "result/layout.h"
#include "support/datasets.h"
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

#define COLUMNS 5
#define BODIES 2
#define OBJECTS 3
#define KILLS 20

static const char* const bodyPaths[BODIES] = { "cue", "ball" };
static const char* const objectPaths[OBJECTS] = { "cue", "ball", "table" };
static crColumn* columns;

static crResultDef makeDef(const char* path)
{
  return (crResultDef){ .size = sizeof(crResultDef),
                        .path = path,
                        .columns = columns,
                        .columnCount = COLUMNS,
                        .modelName = "reopened",
                        .sceneJson = "{\"scene\": 1}",
                        .sourceText = "-- a model\n",
                        .bodies = bodyPaths,
                        .bodyCount = BODIES,
                        .objects = objectPaths,
                        .objectCount = OBJECTS };
}

static void addContacts(crResultWriter* writer, int row)
{
  crContactRecord record = crDefaultContactRecord(row % 2 == 0 ? cr_contactBegin : cr_contactEnd, crTestTime(row));
  record.key = (crContactKey){ 1, 2, 0, 1 };
  record.objectA = row % OBJECTS;
  record.objectB = 2;
  record.approach = record.separation = 1.0 / (1.0 + row);
  assert_int_equal(crResultWriter_AddContact(writer, &record), cr_ok);
  for (int i = 0; i < row % 3; ++i) {
    crContactRecord sample = crDefaultContactRecord(cr_contactNow, NAN);
    sample.key = (crContactKey){ 1, 2, 0, 1 + i };
    crPatchCorner corners[2] = { { { row, i, 0.0 }, 1.0 }, { { row, i, 1.0 }, 2.0 } };
    sample.corners = corners;
    sample.cornerCount = i + 1;
    sample.objectA = i;
    sample.objectB = 2;
    sample.depth = 1e-6 * row;
    assert_int_equal(crResultWriter_AddContactSample(writer, &sample), cr_ok);
  }
}

// Rows with poses, contacts, samples, and events, some with texts of several parts.
static void addRows(crResultWriter* writer, int first, int count)
{
  char text[600];
  memset(text, 'x', sizeof text);
  for (int r = first; r < first + count; ++r) {
    double values[COLUMNS];
    float poses[BODIES * CR_POSE_SIZE];
    for (int c = 0; c < COLUMNS; ++c) {
      values[c] = crTestValue(r, c);
    }
    for (int k = 0; k < BODIES * CR_POSE_SIZE; ++k) {
      poses[k] = (float)(r + 0.1 * k);
    }
    assert_int_equal(crResultWriter_AddRow(writer, &(crRow){ .time = crTestTime(r), .values = values, .poses = poses }),
                     cr_ok);
    addContacts(writer, r);
    if (r % 10 == 0) {
      text[r % 599] = '\0';
      assert_int_equal(crResultWriter_AddEvent(writer, crTestTime(r), "note", text), cr_ok);
      text[r % 599] = 'x';
    }
  }
}

static crResultWriter* createResult(const char* path)
{
  crResultDef def = makeDef(path);
  crResultWriter* writer = NULL;
  assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
  return writer;
}

static crResultPlace writeUndisturbed(const char* path, int rows, int placeRow)
{
  crResultWriter* writer = createResult(path);
  crResultPlace place;
  addRows(writer, 0, placeRow);
  assert_int_equal(crResultWriter_GetPlace(writer, &place), cr_ok);
  addRows(writer, placeRow, rows - placeRow);
  assert_int_equal(crResultWriter_Close(writer, true, "ok", "{}"), cr_ok);
  return place;
}

static void finish(crResultWriter* writer, int first, int rows)
{
  addRows(writer, first, rows - first);
  assert_int_equal(crResultWriter_Close(writer, true, "ok", "{}"), cr_ok);
}

static crResultWriter* reopen(const char* path, crResultPlace place)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crResultDef def = makeDef(path);
  crResultWriter* writer = NULL;
  crReopenResultWriter(&def, &place, NULL, &sink, &writer);
  assert_no_messages(log);
  assert_non_null(writer);
  crDestroyErrorLog(log);
  return writer;
}

// ------------------------------------------------------------------------------------------ statements

static void what_is_added_behind_a_place_equals_an_undisturbed_result(void** state)
{
  (void)state;
  const int places[] = { 0, 1, 7, 300, 4095, 4096, 4097, 9000, 9999, 10000 };
  const int rows = 10000; // bands are 4096 rows high
  writeUndisturbed(crTestPath("undisturbed.h5"), rows, 0);
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    const char* path = crTestPath("reopened.h5");
    crResultPlace place = writeUndisturbed(path, rows, places[i]);
    assert_int_equal(place.rowCount, places[i]);
    crResultWriter* writer = reopen(path, place);
    crResult* dropped = crReadTestResult(path); // before anything is added
    assert_int_equal(crResult_CountRows(dropped), places[i]);
    assert_false(crResult_GetFacts(dropped).isComplete);
    assert_string_equal(crResult_GetFacts(dropped).exitReason, "running");
    crDestroyResult(dropped);
    char difference[CR_DIFFERENCE_SIZE]; // of a result that is not finished yet
    assert_false(crAreDatasetsAlike(crTestPath("undisturbed.h5"), path, difference));
    finish(writer, places[i], rows);
    crAssertSameDatasets(crTestPath("undisturbed.h5"), path);
  }
}

static void a_result_without_variables_bodies_and_objects_goes_on(void** state)
{
  (void)state;
  crResultDef def = { .size = sizeof def, .path = crTestPath("bare.h5") };
  for (int round = 0; round < 2; ++round) {
    crResultWriter* writer = NULL;
    def.path = crTestPath(round == 0 ? "bare_whole.h5" : "bare.h5");
    assert_int_equal(crCreateResultWriter(&def, NULL, NULL, &writer), cr_ok);
    crAddTestRows(writer, 0, 0, 20);
    crResultPlace place;
    assert_int_equal(crResultWriter_GetPlace(writer, &place), cr_ok);
    crAddTestRows(writer, 0, 20, round == 0 ? 10 : 3);
    assert_int_equal(crResultWriter_Close(writer, round == 0, "ok", NULL), cr_ok);
    if (round == 1) {
      assert_int_equal(crReopenResultWriter(&def, &place, NULL, NULL, &writer), cr_ok);
      crAddTestRows(writer, 0, 20, 10);
      assert_int_equal(crResultWriter_Close(writer, true, "ok", NULL), cr_ok);
    }
  }
  crAssertSameDatasets(crTestPath("bare_whole.h5"), crTestPath("bare.h5"));
}

// Writes and tells each place over a pipe, until it is killed.
static void writeForEver(const char* path, int pipe)
{
  crResultWriter* writer = createResult(path);
  for (int row = 0;; row += 3) {
    crResultPlace place;
    addRows(writer, row, 3);
    if (crResultWriter_GetPlace(writer, &place) != cr_ok || write(pipe, &place, sizeof place) != sizeof place) {
      _exit(1);
    }
  }
}

// The last two places that a killed writer told.
static void killWriter(const char* path, double seconds, crResultPlace outPlaces[2])
{
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    writeForEver(path, ends[1]);
  }
  close(ends[1]);
  assert_int_equal(read(ends[0], &outPlaces[1], sizeof(crResultPlace)), sizeof(crResultPlace));
  struct timespec pause = { 0, (long)(1e9 * seconds) };
  nanosleep(&pause, NULL);
  kill(child, SIGKILL);
  outPlaces[0] = outPlaces[1];
  crResultPlace next;
  while (read(ends[0], &next, sizeof next) == sizeof next) {
    outPlaces[0] = outPlaces[1];
    outPlaces[1] = next;
  }
  close(ends[0]);
  assert_int_equal(waitpid(child, NULL, 0), child);
}

static void a_killed_result_goes_on_from_its_last_two_places(void** state)
{
  (void)state;
  crRandom random = crMakeRandom((uint64_t)time(NULL)); // another moment each time
  for (int i = 0; i < KILLS; ++i) {
    const char* path = crTestPath("killed.h5");
    crResultPlace places[2];
    killWriter(path, crRandom_Uniform(&random, 0.0, 0.03), places);
    int rows = places[1].rowCount + 50;
    writeUndisturbed(crTestPath("undisturbed.h5"), rows, 0);
    crResultPlace place = places[i % 2];
    finish(reopen(path, place), place.rowCount, rows);
    crAssertSameDatasets(crTestPath("undisturbed.h5"), path);
  }
}

// ------------------------------------------------------------------------------------------- bad input

// The message of a reopening that is refused; the file stays as it was.
static void assertRefused(const crResultDef* def, crResultPlace place, const char* words)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crResultWriter* writer = NULL;
  assert_int_equal(crReopenResultWriter(def, &place, NULL, &sink, &writer), cr_errorFile);
  assert_null(writer);
  assert_message(log, cr_severityError, words);
  assert_string_equal(crErrorLog_Get(log, 0)->source.file, def->path);
  crDestroyErrorLog(log);
}

static void a_result_that_ends_before_the_place_is_refused(void** state)
{
  (void)state;
  const char* path = crTestPath("short.h5");
  crResultPlace place = writeUndisturbed(path, 100, 100);
  crResultDef def = makeDef(path);
  crResultPlace wrong = place;
  ++wrong.rowCount;
  assertRefused(&def, wrong, "ends before the place");
  wrong = place;
  ++wrong.contactCount;
  assertRefused(&def, wrong, "/contacts");
  wrong = place;
  ++wrong.eventCount;
  assertRefused(&def, wrong, "/events");
  crAssertSameDatasets(path, path); // still to be read
}

static void a_result_of_another_run_is_refused(void** state)
{
  (void)state;
  const char* path = crTestPath("another.h5");
  crResultPlace place = writeUndisturbed(path, 100, 50);
  crResultDef def = makeDef(path);
  assert_true(place.time == crTestTime(49));
  place.time += 1e-9;
  assertRefused(&def, place, "another run");
}

static void a_result_of_another_model_is_refused(void** state)
{
  (void)state;
  const char* path = crTestPath("other.h5");
  crResultPlace place = writeUndisturbed(path, 10, 5);
  crResultDef def = makeDef(path);
  def.sceneJson = "{\"scene\": 2}";
  assertRefused(&def, place, "/scene");
  def = makeDef(path);
  def.columnCount = COLUMNS - 1;
  assertRefused(&def, place, "/names");
  def = makeDef(path);
  def.bodyCount = 1;
  assertRefused(&def, place, "/bodies");
  def = makeDef(path);
  def.objectCount = 0;
  assertRefused(&def, place, "/objects");
}

static void files_that_are_no_results_are_refused(void** state)
{
  (void)state;
  crResultPlace place = writeUndisturbed(crTestPath("cut.h5"), 1000, 900);
  crResultDef def = makeDef(crTestPath("nothing.h5"));
  assertRefused(&def, place, "cannot be opened");
  FILE* file = fopen(crTestPath("text.h5"), "w");
  fputs("no HDF5", file);
  assert_int_equal(fclose(file), 0);
  def.path = crTestPath("text.h5");
  assertRefused(&def, place, "is not HDF5");
  assert_int_equal(truncate(crTestPath("cut.h5"), 20000), 0);
  def.path = crTestPath("cut.h5");
  assertRefused(&def, place, "cut off");
  size_t size;
  char* old = crReadTestFile(CAROM_ROOT "/test/data/result_format1.h5", &size);
  crWriteTestFile(crTestPath("old.h5"), old, size);
  free(old);
  def.path = crTestPath("old.h5");
  assertRefused(&def, place, "of an older format, in which a run cannot go on");
}

// A part takes another's place, is gone, or has lost its chunks: they would be read as zeros.
static void a_result_with_a_damaged_part_does_not_go_on(void** state)
{
  (void)state;
  static const struct {
    const char *part, *says;
    int damage; // 0: gone, 1: a whole number instead, 2: without its chunks
  } cases[] = {
    { "time", "the result file is damaged: /time cannot be opened", 0 },
    { "variables", "the result file is damaged: /variables cannot be opened", 0 },
    { "time", "the result file is damaged: /time does not hold what it should", 1 },
    { "contacts", "the result file is damaged: /contacts does not hold what it should", 1 },
    { "names", "the result file is damaged: /names cannot be read", 1 },
    { "variables", "the result file is damaged: /variables lacks a part of its rows", 2 },
  };
  const char* path = crTestPath("part.h5");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crResultPlace place = writeUndisturbed(path, 200, 100);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (cases[i].damage < 2) {
      assert_true(H5Ldelete(file, cases[i].part, H5P_DEFAULT) >= 0);
    }
    if (cases[i].damage == 1) {
      hid_t space = H5Screate(H5S_SCALAR);
      hid_t dataset = H5Dcreate2(file, cases[i].part, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      assert_true(dataset >= 0);
      H5Dclose(dataset);
      H5Sclose(space);
    } else if (cases[i].damage == 2) {
      hid_t dataset = H5Dopen2(file, cases[i].part, H5P_DEFAULT);
      assert_true(H5Dset_extent(dataset, (const hsize_t[]){ 0, COLUMNS }) >= 0);
      assert_true(H5Dset_extent(dataset, (const hsize_t[]){ 200, COLUMNS }) >= 0);
      H5Dclose(dataset);
    }
    H5Fclose(file);
    crResultDef def = makeDef(path);
    assertRefused(&def, place, cases[i].says);
  }
}

static void misuse_is_refused(void** state)
{
  (void)state;
  const char* path = crTestPath("misuse.h5");
  crResultPlace place = writeUndisturbed(path, 10, 5);
  crResultDef def = makeDef(path);
  crResultWriter* writer = NULL;
  assert_int_equal(crReopenResultWriter(NULL, &place, NULL, NULL, &writer), cr_errorMisuse);
  assert_int_equal(crReopenResultWriter(&def, NULL, NULL, NULL, &writer), cr_errorMisuse);
  assert_int_equal(crReopenResultWriter(&def, &place, NULL, NULL, NULL), cr_errorMisuse);
  place.sampleCount = -1;
  assert_int_equal(crReopenResultWriter(&def, &place, NULL, NULL, &writer), cr_errorMisuse);
  assert_int_equal(crResultWriter_GetPlace(NULL, &place), cr_errorMisuse);
}

static void out_of_memory_leaves_the_result_as_it_was(void** state)
{
  (void)state;
  const char* path = crTestPath("memory.h5");
  crResultPlace place = writeUndisturbed(path, 20, 5);
  writeUndisturbed(crTestPath("whole.h5"), 20, 5);
  crResultDef def = makeDef(path);
  crStatus status = cr_errorMemory;
  int tries = 0;
  while (status != cr_ok) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = ++tries;
    crResultWriter* writer = NULL;
    status = crReopenResultWriter(&def, &place, &allocator, NULL, &writer);
    counter.failAt = -1;
    if (status == cr_ok) {
      assert_int_equal(crResultWriter_Close(writer, true, "ok", "{}"), cr_ok);
    } else {
      assert_int_equal(status, cr_errorMemory);
      crAssertSameDatasets(crTestPath("whole.h5"), path);
    }
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_true(tries > 20);
}

static int makeColumns(void** state)
{
  columns = crMakeTestColumns(COLUMNS);
  return crMakeTestFolder(state);
}

static int freeColumns(void** state)
{
  crFreeTestColumns(columns, COLUMNS);
  return crRemoveTestFolder(state);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_added_behind_a_place_equals_an_undisturbed_result),
    cmocka_unit_test(a_result_without_variables_bodies_and_objects_goes_on),
    cmocka_unit_test(a_killed_result_goes_on_from_its_last_two_places),
    cmocka_unit_test(a_result_that_ends_before_the_place_is_refused),
    cmocka_unit_test(a_result_of_another_run_is_refused),
    cmocka_unit_test(a_result_of_another_model_is_refused),
    cmocka_unit_test(files_that_are_no_results_are_refused),
    cmocka_unit_test(a_result_with_a_damaged_part_does_not_go_on),
    cmocka_unit_test(misuse_is_refused),
    cmocka_unit_test(out_of_memory_leaves_the_result_as_it_was),
  };
  return cmocka_run_group_tests(tests, makeColumns, freeColumns);
}
