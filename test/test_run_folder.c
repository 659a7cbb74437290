// A run in one call: into a folder as the tool does it, or into memory.
#include "carom/carom.h"
#include "carom/show.h"
#include "support/datasets.h"
#include "support/folder.h"
#include "support/log.h"
#include "support/same_result.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define EXAMPLES CAROM_ROOT "/examples/"

typedef struct Bench {
  crErrorLog* log;
  crErrorSink sink;
  crScene* scene;
  crModel* model;
} Bench;

static Bench openBench(const char* path)
{
  Bench bench = { .log = crCreateErrorLog(NULL) };
  bench.sink = crErrorLog_GetSink(bench.log);
  assert_int_equal(crReadModel(path, NULL, NULL, &bench.sink, &bench.scene), cr_ok);
  assert_int_equal(crCompile(bench.scene, NULL, NULL, &bench.sink, &bench.model), cr_ok);
  return bench;
}

static void closeBench(Bench* bench)
{
  crDestroyModel(bench->model);
  crDestroyScene(bench->scene);
  crDestroyErrorLog(bench->log);
}

static crResult* readResult(const char* folder)
{
  char path[1100];
  crResult* result = NULL;
  snprintf(path, sizeof path, "%s/result.h5", folder);
  assert_int_equal(crReadResult(path, NULL, NULL, &result), cr_ok);
  return result;
}

static void keepPath(char outPath[1024], const char* name)
{
  snprintf(outPath, 1024, "%s", crTestPath(name));
}

// ---------------------------------------------------------------------------------------------- tool

static void assertToolAgrees(const char* example)
{
  char command[4096], ours[1024], tools[1024];
  keepPath(ours, "ours.run");
  keepPath(tools, "tools.run");
  snprintf(command, sizeof command,
           "'%s' '%s%s' '%s' > /dev/null && '%s' run '%s%s' --out '%s' --threads 2 --quiet 2> /dev/null",
           CAROM_RUN_MODEL, EXAMPLES, example, ours, CAROM_TOOL, EXAMPLES, example, tools);
  assert_int_equal(system(command), 0); // NOLINT: a test may use a shell
  crAssertSameDatasets(crTestPath("ours.run/result.h5"), crTestPath("tools.run/result.h5"));
  char* report = crReadTestFile(crTestPath("ours.run/report.html"), NULL);
  assert_non_null(strstr(report, "CPU time"));
  free(report);
}

// Stop time, interval and tolerance are the model's; contacts, impulses and controllers take part.
static void a_program_of_ten_lines_gives_the_bits_of_the_tool(void** state)
{
  (void)state;
  assertToolAgrees("two_balls.lua");
  assertToolAgrees("four_bar.lua");
  assertToolAgrees("inverted_pendulum.lua");
}

// -------------------------------------------------------------------------------------------- folder

static void times_are_in_run_json_and_not_in_the_result(void** state)
{
  (void)state;
  char folder[1024];
  keepPath(folder, "times.run");
  crRunDef def = { .size = sizeof def, .file = EXAMPLES "two_balls.lua", .folder = folder };
  crRunFacts facts;
  assert_int_equal(crRunModel(&def, NULL, NULL, &facts), cr_ok);
  assert_true(facts.hasRun && facts.hasReport && facts.end == cr_runComplete);
  assert_true(facts.summary.startSeconds > 0.0 && facts.summary.startSeconds <= facts.summary.wallSeconds);
  assert_true(facts.options.stopTime == 1.0 && facts.options.interval == 0.001);
  crResult* result = readResult(folder);
  crResultFacts kept = crResult_GetFacts(result);
  char* json = crReadTestFile(crTestPath("times.run/run.json"), NULL);
  static const char* const keys[] = { "\"cpuSeconds\": ", "\"wallSeconds\": ", "\"startSeconds\": ", "\"threads\": " };
  for (int i = 0; i < 4; ++i) {
    assert_non_null(strstr(json, keys[i]));
    assert_null(strstr(kept.runJson, keys[i]));
  }
  assert_int_equal(crResult_CountColumns(result), facts.columnCount);
  assert_int_equal(crResult_CountRows(result), facts.rowCount);
  assert_true(facts.rowCount > facts.summary.outputCount); // contacts begin and end
  assert_string_equal(kept.modelName, "two_balls");
  assert_non_null(strstr(kept.sourceText, "object("));
  free(json);
  crDestroyResult(result);
}

static void settings_options_and_patterns_are_the_callers(void** state)
{
  (void)state;
  char folder[1024];
  keepPath(folder, "set.run");
  const char* pattern = "ball.position.z";
  crSetting setting = { "kRed", "0.01" };
  crSimulationOptions options = {
    .size = sizeof options, .stopTime = 0.5, .interval = 0.1, .eventRows = cr_eventRowsOff
  };
  crRunDef def = { .size = sizeof def,
                   .file = EXAMPLES "bouncing_ball.lua",
                   .folder = folder,
                   .settings = &setting,
                   .settingCount = 1,
                   .omitsReport = true,
                   .options = &options };
  crRunFacts facts;
  assert_int_equal(crRunModel(&def, NULL, NULL, &facts), cr_ok);
  int all = facts.columnCount;
  def.patterns = &pattern;
  def.patternCount = 1;
  Bench bench = openBench(EXAMPLES "bouncing_ball.lua");
  assert_int_equal(crRunModel(&def, NULL, &bench.sink, &facts), cr_errorModel); // no such variable
  assert_false(facts.hasRun);
  assert_message(bench.log, cr_severityError, "no variable of the model matches");
  pattern = "elastic.position.z";
  assert_int_equal(crRunModel(&def, NULL, NULL, &facts), cr_ok);
  assert_true(facts.columnCount == 1 && all > 1);
  assert_false(facts.hasReport);
  crResult* result = readResult(folder);
  assert_int_equal(crResult_CountRows(result), 6);
  assert_non_null(strstr(crResult_GetFacts(result).runJson, "\"set\": {\"kRed\": \"0.01\"}"));
  crDestroyResult(result);
  closeBench(&bench);
}

// ------------------------------------------------------------------------------------------ callbacks

static bool stopLate(void* context, double t)
{
  (void)context;
  return t > 0.2;
}

static void a_run_can_be_cancelled_and_keeps_what_there_is(void** state)
{
  (void)state;
  char folder[1024];
  keepPath(folder, "stop.run");
  crRunDef def = { .size = sizeof def, .file = EXAMPLES "two_balls.lua", .folder = folder, .shouldStop = stopLate };
  crRunFacts facts;
  assert_int_equal(crRunModel(&def, NULL, NULL, &facts), cr_ok);
  assert_int_equal(facts.end, cr_runStopped);
  assert_true(facts.hasReport);
  crResult* result = readResult(folder);
  assert_string_equal(crResult_GetFacts(result).exitReason, "interrupted");
  assert_false(crResult_GetFacts(result).isComplete);
  assert_true(crResult_CountRows(result) > 100 && crResult_CountRows(result) < 900);
  crDestroyResult(result);
}

typedef struct Watch {
  int count;
  bool isRight; // the result has the row of each point
} Watch;

static crStatus watch(void* context, const crRunPoint* point)
{
  Watch* seen = context;
  crResultPlace place;
  seen->isRight = seen->isRight && crResultWriter_GetPlace(point->writer, &place) == cr_ok &&
                  place.rowCount == seen->count + 1 && crSimulation_GetTime(point->simulation) == point->time;
  return ++seen->count == 5 ? cr_errorLimit : cr_ok;
}

static void an_output_point_sees_simulation_and_result_and_can_end_the_run(void** state)
{
  (void)state;
  char folder[1024];
  keepPath(folder, "watch.run");
  Watch seen = { .isRight = true };
  crRunDef def = {
    .size = sizeof def, .file = EXAMPLES "two_balls.lua", .folder = folder, .context = &seen, .atOutput = watch
  };
  crRunFacts facts;
  assert_int_equal(crRunModel(&def, NULL, NULL, &facts), cr_errorLimit);
  assert_true(seen.isRight && seen.count == 5 && facts.hasRun && facts.end == cr_runFailed);
  crResult* result = readResult(folder);
  assert_int_equal(crResult_CountRows(result), 5);
  assert_string_equal(crResult_GetFacts(result).exitReason, "failed");
  crDestroyResult(result);
}

// "--out runs/today/first" was refused while there was no folder "runs".
static void folders_on_the_way_to_that_of_a_run_are_made(void** state)
{
  (void)state;
  char folder[1024];
  keepPath(folder, "runs/today/first");
  crRunDef def = { .size = sizeof def, .file = EXAMPLES "pendulum.lua", .folder = folder };
  crRunFacts facts;
  assert_int_equal(crRunModel(&def, NULL, NULL, &facts), cr_ok);
  crDestroyResult(readResult(folder));
  assert_int_equal(crRunModel(&def, NULL, NULL, &facts), cr_ok); // all are there now
}

// ------------------------------------------------------------------------------------------- mistakes

static void what_cannot_be_run_is_told(void** state)
{
  (void)state;
  Bench bench = openBench(EXAMPLES "pendulum.lua");
  crRunFacts facts;
  crRunDef def = { .size = sizeof def, .folder = "x" };
  assert_int_equal(crRunModel(NULL, NULL, NULL, &facts), cr_errorMisuse);
  assert_int_equal(crRunModel(&def, NULL, NULL, &facts), cr_errorMisuse);
  def = (crRunDef){ .size = sizeof(crRunDef), .file = EXAMPLES "no_such_model.lua" };
  assert_int_equal(crRunModel(&def, NULL, &bench.sink, &facts), cr_errorFile);
  assert_false(facts.hasRun);
  def = (crRunDef){ .size = sizeof(crRunDef), .model = bench.model, .folder = "/dev/null/run" };
  assert_int_equal(crRunModel(&def, NULL, &bench.sink, &facts), cr_errorFile);
  assert_message(bench.log, cr_severityError, "the folder of the run cannot be made");
  char name[2000];
  memset(name, 'a', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  def.folder = name;
  assert_int_equal(crRunModel(&def, NULL, &bench.sink, &facts), cr_errorFile);
  assert_message(bench.log, cr_severityError, "too long a name");
  closeBench(&bench);
}

static void a_report_that_cannot_be_written_is_a_warning(void** state)
{
  (void)state;
  Bench bench = openBench(EXAMPLES "pendulum.lua");
  char folder[1024];
  keepPath(folder, "warn.run");
  mkdir(folder, 0777);
  mkdir(crTestPath("warn.run/report.html"), 0777);
  crRunDef def = { .size = sizeof def, .model = bench.model, .folder = folder };
  crRunFacts facts;
  assert_int_equal(crRunModel(&def, NULL, &bench.sink, &facts), cr_ok);
  assert_true(facts.hasRun && !facts.hasReport);
  assert_int_equal(crErrorLog_CountOf(bench.log, cr_severityError), 0);
  assert_true(crErrorLog_CountOf(bench.log, cr_severityWarning) > 0);
  closeBench(&bench);
}

static char* runInteractive(const crRunDef* def, const crErrorSink* sink)
{
  crRunFacts facts;
  assert_int_equal(crRunModel(def, NULL, sink, &facts), cr_ok);
  assert_true(facts.hasReport);
  return crReadTestFile(crTestPath("played.run/report.html"), NULL);
}

// What differs from the model's own options goes along, and nothing else.
static void a_report_can_hold_the_simulator_with_the_options_of_its_run(void** state)
{
  (void)state;
  char folder[1024];
  keepPath(folder, "played.run");
  crSetting setting = { "speed", "2.5" };
  crSimulationOptions options = { .size = sizeof options, .stopTime = 0.5, .solver = cr_solverRadau5 };
  crRunDef def = { .size = sizeof def,
                   .file = EXAMPLES "two_balls.lua",
                   .settings = &setting,
                   .settingCount = 1,
                   .folder = folder,
                   .isInteractive = true,
                   .options = &options };
  char* page = runInteractive(&def, NULL);
  assert_non_null(strstr(page, "\"options\": {\"stopTime\": 0.5, \"solver\": \"radau5\"}"));
  assert_non_null(strstr(page, "\"settings\": {\"speed\": \"2.5\"}"));
  assert_non_null(strstr(page, "\"path\": \"two_balls.lua\""));
  assert_non_null(strstr(page, "<script type=\"application/json\" id=\"carom-run\">{"));
  assert_null(strstr(page, "@CAROM_"));
  free(page);
  def.isInteractive = false;
  page = runInteractive(&def, NULL);
  assert_null(strstr(page, "carom-module"));
  free(page);
}

static crStatus changeModel(void* context, const crRunPoint* point)
{
  (void)point;
  FILE* file = fopen(context, "a");
  assert_non_null(file);
  fputs("-- changed\n", file);
  assert_int_equal(fclose(file), 0);
  return cr_ok;
}

// The page would tell another model than the one that ran.
static void a_model_that_changes_while_it_runs_is_not_put_into_its_report(void** state)
{
  (void)state;
  char folder[1024], model[1024];
  keepPath(folder, "played.run");
  keepPath(model, "changing.lua");
  FILE* file = fopen(model, "w");
  assert_non_null(file);
  fputs("world('w')\nscene{ stopTime = 0.01, interval = 0.01 }\n", file);
  assert_int_equal(fclose(file), 0);
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crRunDef def = { .size = sizeof def,
                   .file = model,
                   .folder = folder,
                   .isInteractive = true,
                   .context = model,
                   .atOutput = changeModel };
  char* page = runInteractive(&def, &sink);
  assert_null(strstr(page, "carom-module"));
  assert_int_equal(crErrorLog_CountOf(log, cr_severityError), 0);
  assert_message(log, cr_severityWarning, "the model's file has changed since the run began");
  assert_message(log, cr_severityWarning, "the report is one without the simulator");
  free(page);
  crDestroyErrorLog(log);
}

static void a_report_with_the_simulator_needs_a_run_as_the_model_says(void** state)
{
  (void)state;
  Bench bench = openBench(EXAMPLES "two_balls.lua");
  double input = 0.0;
  crSimulationOptions options = { .size = sizeof options, .inputs = &input };
  const crRunDef wrong[] = {
    { .size = sizeof *wrong, .model = bench.model, .isInteractive = true },
    { .size = sizeof *wrong, .file = EXAMPLES "two_balls.lua", .startFile = "s.json", .isInteractive = true },
    { .size = sizeof *wrong, .file = EXAMPLES "two_balls.lua", .options = &options, .isInteractive = true },
  };
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(crRunModel(&wrong[i], NULL, &bench.sink, NULL), cr_errorMisuse);
    assert_int_equal(crErrorLog_CountOf(bench.log, cr_severityError), i + 1);
  }
  assert_message(bench.log, cr_severityError, "a report with the simulator needs a model from a file");
  closeBench(&bench);
}

// --------------------------------------------------------------------------------------------- memory

// What reads results cannot tell where they come from: the same rows, tables and pictures.
static void a_result_in_memory_equals_that_of_a_file(void** state)
{
  (void)state;
  char folder[1024];
  keepPath(folder, "file.run");
  Bench bench = openBench(EXAMPLES "two_balls.lua");
  crRunDef def = { .size = sizeof def, .model = bench.model, .folder = folder, .omitsReport = true };
  assert_int_equal(crRunModel(&def, NULL, NULL, NULL), cr_ok);
  crResult *file = readResult(folder), *memory = NULL;
  crRecordOptions options = { .size = sizeof options, .modelName = "model" };
  crRunEnd end;
  assert_int_equal(crRecordToMemory(bench.model, NULL, &options, NULL, NULL, &memory, NULL, &end), cr_ok);
  assert_int_equal(end, cr_runComplete);
  assert_same_records(file, memory);
  assert_int_equal(crWriteCsv(file, crTestPath("file.csv"), NULL, NULL), cr_ok);
  assert_int_equal(crWriteCsv(memory, crTestPath("memory.csv"), NULL, NULL), cr_ok);
  char* a = crReadTestFile(crTestPath("file.csv"), NULL);
  char* b = crReadTestFile(crTestPath("memory.csv"), NULL);
  assert_string_equal(a, b);
  free(a);
  free(b);
  assert_int_equal(crWriteMat(memory, crTestPath("memory.mat"), NULL, NULL), cr_ok);
  assert_int_equal(crWriteReport(memory, crTestPath("memory.html"), NULL, NULL, NULL, NULL), cr_ok);
  crDestroyResult(file);
  crDestroyResult(memory);
  closeBench(&bench);
}

// Rows, poses, contacts with their samples, and what is told of the run; written and read, it is the same once more.
static void a_run_in_memory_is_the_run_in_a_folder_and_can_be_written(void** state)
{
  (void)state;
  static const char* const examples[] = { "two_balls.lua", "bouncing_box.lua", "inverted_pendulum.lua" };
  for (int i = 0; i < 3; ++i) {
    char folder[1024], file[256], copy[1024];
    keepPath(folder, "folder.run");
    keepPath(copy, "copy.h5");
    snprintf(file, sizeof file, EXAMPLES "%s", examples[i]);
    crSimulationOptions options = { .size = sizeof options, .stopTime = 0.7 };
    crRunDef def = { .size = sizeof def, .file = file, .folder = folder, .omitsReport = true, .options = &options };
    crRunFacts there, here;
    crResult *memory = NULL, *written = NULL;
    assert_int_equal(crRunModel(&def, NULL, NULL, &there), cr_ok);
    assert_int_equal(crRunInMemory(&def, NULL, NULL, &memory, &here), cr_ok);
    crResult* read = readResult(folder);
    assert_same_records(read, memory);
    assert_string_equal(crResult_GetFacts(read).runJson, crResult_GetFacts(memory).runJson);
    assert_int_equal(here.rowCount, there.rowCount);
    assert_int_equal(here.columnCount, there.columnCount);
    assert_int_equal(here.end, cr_runComplete);
    assert_int_equal(crRunInMemory(&def, NULL, NULL, NULL, &here), cr_ok); // nothing is kept
    assert_int_equal(here.rowCount, there.rowCount);
    assert_int_equal(here.columnCount, there.columnCount);
    assert_int_equal(here.end, cr_runComplete);
    assert_int_equal(crWriteResult(memory, copy, NULL, NULL), cr_ok);
    assert_int_equal(crReadResult(copy, NULL, NULL, &written), cr_ok);
    assert_same_records(memory, written);
    assert_string_equal(crResult_GetFacts(written).runJson, crResult_GetFacts(memory).runJson);
    crDestroyResult(read);
    crDestroyResult(written);
    crDestroyResult(memory);
  }
  crResult* none = NULL;
  assert_int_equal(crRunInMemory(NULL, NULL, NULL, &none, NULL), cr_errorMisuse);
  assert_int_equal(crRunInMemory(NULL, NULL, NULL, NULL, NULL), cr_errorMisuse);
  assert_int_equal(crWriteResult(NULL, "x.h5", NULL, NULL), cr_errorMisuse);
}

static void a_result_in_memory_that_was_stopped_says_so(void** state)
{
  (void)state;
  Bench bench = openBench(EXAMPLES "pendulum.lua");
  crResult* result = NULL;
  crSimulationSummary summary;
  crRunEnd end;
  crRecordOptions options = { .size = sizeof options, .shouldStop = stopLate };
  assert_int_equal(crRecordToMemory(bench.model, NULL, &options, NULL, NULL, &result, &summary, &end), cr_ok);
  assert_int_equal(end, cr_runStopped);
  assert_string_equal(crResult_GetFacts(result).exitReason, "interrupted");
  assert_int_equal(crResult_CountRows(result), summary.outputCount);
  crDestroyResult(result);
  assert_int_equal(crRecordToMemory(NULL, NULL, NULL, NULL, NULL, &result, NULL, NULL), cr_errorMisuse);
  closeBench(&bench);
}

static void every_failed_allocation_of_a_run_into_memory_is_clean(void** state)
{
  (void)state;
  Bench bench = openBench(EXAMPLES "two_balls.lua");
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crSimulationOptions options = { .size = sizeof options, .stopTime = 0.02, .interval = 0.01 };
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status != cr_ok; ++failAt) {
    crResult* result = NULL;
    counter.callCount = 0;
    counter.failAt = failAt;
    status = crRecordToMemory(bench.model, &options, NULL, &allocator, NULL, &result, NULL, NULL);
    assert_true(status == cr_ok || status == cr_errorMemory);
    assert_true(status != cr_ok || crResult_CountRows(result) == 3);
    crDestroyResult(result);
    assert_int_equal(counter.liveBlocks, 0);
  }
  closeBench(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_program_of_ten_lines_gives_the_bits_of_the_tool),
    cmocka_unit_test(times_are_in_run_json_and_not_in_the_result),
    cmocka_unit_test(settings_options_and_patterns_are_the_callers),
    cmocka_unit_test(a_run_can_be_cancelled_and_keeps_what_there_is),
    cmocka_unit_test(an_output_point_sees_simulation_and_result_and_can_end_the_run),
    cmocka_unit_test(folders_on_the_way_to_that_of_a_run_are_made),
    cmocka_unit_test(what_cannot_be_run_is_told),
    cmocka_unit_test(a_report_that_cannot_be_written_is_a_warning),
    cmocka_unit_test(a_report_can_hold_the_simulator_with_the_options_of_its_run),
    cmocka_unit_test(a_model_that_changes_while_it_runs_is_not_put_into_its_report),
    cmocka_unit_test(a_report_with_the_simulator_needs_a_run_as_the_model_says),
    cmocka_unit_test(a_result_in_memory_equals_that_of_a_file),
    cmocka_unit_test(a_run_in_memory_is_the_run_in_a_folder_and_can_be_written),
    cmocka_unit_test(a_result_in_memory_that_was_stopped_says_so),
    cmocka_unit_test(every_failed_allocation_of_a_run_into_memory_is_clean),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
