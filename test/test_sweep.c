// Sweeps: the same table whoever runs it, and whatever happens to who runs it.
#include "result/layout.h"
#include "support/command.h"
#include "support/folder.h"
#include "support/log.h"
#include "support/sweeps.h"

#include "carom/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const crSetting vary[] = { { "height", "0.1:0.5:4" }, { "cor", "uniform(0.4, 0.9)" } };
static const char* const output[] = { "last(ball.position.z)",
                                      "max(ball.velocity.z)",
                                      "min(ball.velocity.z)",
                                      "mean(ball.position.z)",
                                      "series(ball.position, 5)",
                                      "count(contacts)",
                                      "count(contacts ball table)",
                                      "time(first contact ball table)",
                                      "time(last contact)",
                                      "time(end)",
                                      "count(events)",
                                      "count(steps)" };

static crSweepDef makeDef(int64_t runs)
{
  crSweepDef def = crDefaultSweepDef(crWriteDropModel());
  def.vary = vary;
  def.varyCount = 2;
  def.output = output;
  def.outputCount = (int)(sizeof output / sizeof *output);
  def.runs = runs;
  def.seed = 7;
  return def;
}

static crSweepPlan* makePlan(const crSweepDef* def)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crSweepPlan* plan = NULL;
  crStatus status = crCreateSweepPlan(def, NULL, &sink, &plan);
  assert_no_messages(log);
  assert_int_equal(status, cr_ok);
  crDestroyErrorLog(log);
  return plan;
}

static crSweepProgress runSweep(const crSweepPlan* plan, const char* name, int threads, crStatus expected)
{
  crSweepOptions options = crDefaultSweepOptions();
  crSweepProgress progress;
  options.threads = threads;
  assert_int_equal(crRunSweep(plan, crTestPath(name), &options, NULL, NULL, &progress), expected);
  return progress;
}

// -------------------------------------------------------------------------------------------- threads

static void any_number_of_threads_gives_the_same_table(void** state)
{
  (void)state;
  crSweepDef def = makeDef(200);
  crSweepPlan* plan = makePlan(&def);
  assert_int_equal(runSweep(plan, "one.sweep", 1, cr_ok).ran, 200);
  runSweep(plan, "two.sweep", 2, cr_ok);
  runSweep(plan, "eight.sweep", 8, cr_ok);
  crSweepTable* one = crReadTestTable("one.sweep");
  crSweepTable *two = crReadTestTable("two.sweep"), *eight = crReadTestTable("eight.sweep");
  assert_int_equal(crSweepTable_CountRows(one), 200);
  assert_same_table(one, two);
  assert_same_table(one, eight);
  crDestroySweepTable(one);
  crDestroySweepTable(two);
  crDestroySweepTable(eight);
  crDestroySweepPlan(plan);
}

static int columnOf(const crSweepTable* table, const char* name)
{
  int column = 0;
  while (crSweepTable_GetOutput(table, column) != NULL &&
         strcmp(crSweepTable_GetOutput(table, column)->name, name) != 0) {
    ++column;
  }
  assert_non_null(crSweepTable_GetOutput(table, column));
  return column;
}

// The command that reruns one point records the same bits.
static void a_row_is_what_a_run_of_its_own_records(void** state)
{
  (void)state;
  crSweepDef def = makeDef(40);
  crSweepPlan* plan = makePlan(&def);
  runSweep(plan, "rows.sweep", 2, cr_ok);
  crSweepTable* table = crReadTestTable("rows.sweep");
  for (int run = 0; run < 40; run += 13) {
    char command[4096];
    assert_true(crSweepPlan_FormatCommand(plan, run, command, sizeof command) < (int)sizeof command);
    char whole[4200];
    snprintf(whole, sizeof whole, "$%s --no-report --quiet", command); // $carom run ...
    crAssertSays(whole, 0, "");
    char path[64];
    snprintf(path, sizeof path, "run%d/result.h5", run);
    crResult* result = NULL;
    assert_int_equal(crReadResult(crTestPath(path), NULL, NULL, &result), cr_ok);
    const double* z = crResult_GetValues(result, crResult_FindColumn(result, "ball.position.z"));
    const double* v = crResult_GetValues(result, crResult_FindColumn(result, "ball.velocity.z"));
    const double* t = crResult_GetTimes(result);
    int rows = crResult_CountRows(result);
    double most = v[0], least = v[0], area = 0.0;
    for (int i = 0; i < rows; ++i) {
      most = fmax(most, v[i]);
      least = fmin(least, v[i]);
      area += i > 0 ? 0.5 * (t[i] - t[i - 1]) * (z[i] + z[i - 1]) : 0.0;
    }
    const double* out = crSweepTable_GetRow(table, run).outputs;
    assert_true(out[columnOf(table, "last(ball.position.z)")] == z[rows - 1]);
    assert_true(out[columnOf(table, "max(ball.velocity.z)")] == most);
    assert_true(out[columnOf(table, "min(ball.velocity.z)")] == least);
    assert_close(out[columnOf(table, "mean(ball.position.z)")], area / 0.4, 1e-14);
    assert_true(out[columnOf(table, "series(ball.position.z)[4]")] == z[rows - 1]);
    assert_true(out[columnOf(table, "series(ball.position.z)[0]")] == z[0]);
    assert_true(out[columnOf(table, "count(contacts)")] == crResult_CountContacts(result));
    assert_true(out[columnOf(table, "count(contacts ball table)")] == crResult_CountContacts(result));
    assert_true(out[columnOf(table, "time(end)")] == 0.4);
    crDestroyResult(result);
  }
  crDestroySweepTable(table);
  crDestroySweepPlan(plan);
}

// A ball that falls from h meets the table at sqrt(2 h / g).
static void outputs_agree_with_closed_forms(void** state)
{
  (void)state;
  crSweepDef def = makeDef(8);
  crSweepPlan* plan = makePlan(&def);
  for (int64_t run = 0; run < 8; ++run) {
    double in[2], out[32];
    char message[CR_SWEEP_MESSAGE_SIZE];
    crSweepRow row;
    assert_int_equal(crSweepPlan_Run(plan, run, NULL, in, out, message, &row), cr_ok);
    assert_int_equal(row.status, cr_ok);
    double met = sqrt(2.0 * in[0] / 9.81);
    assert_close(in[0], 0.1 + 0.4 / 3.0 * (double)(run % 4), 1e-15);
    for (int i = 0; i < crSweepPlan_CountOutputs(plan); ++i) {
      const char* name = crSweepPlan_GetOutput(plan, i)->name;
      if (strcmp(name, "time(first contact ball table)") == 0) {
        assert_true(met < 0.4 ? fabs(out[i] - met) < 1e-6 : isnan(out[i]));
      }
    }
  }
  crDestroySweepPlan(plan);
}

// They were not, unless whoever set them had set their size as well.
static void options_of_a_plan_are_those_of_its_runs(void** state)
{
  (void)state;
  static const char* const end[] = { "time(end)" };
  crSweepDef def = makeDef(2);
  def.output = end;
  def.outputCount = 1;
  def.options.stopTime = 0.125;
  crSweepPlan* plan = makePlan(&def);
  double in[2], out = 0.0;
  char message[CR_SWEEP_MESSAGE_SIZE];
  crSweepRow row;
  assert_int_equal(crSweepPlan_Run(plan, 1, NULL, in, &out, message, &row), cr_ok);
  assert_true(out == 0.125);
  crDestroySweepPlan(plan);
}

// ------------------------------------------------------------------------------------------- restart

static bool stopSoon(void* context)
{
  return ++*(int*)context > 2;
}

static void a_sweep_goes_on_with_what_is_missing(void** state)
{
  (void)state;
  crSweepDef def = makeDef(3000);
  crSweepPlan* plan = makePlan(&def);
  crSweepOptions options = crDefaultSweepOptions();
  crSweepProgress progress;
  int calls = 0;
  options.threads = 2;
  options.context = &calls;
  options.shouldStop = stopSoon;
  options.tellSeconds = 0.02;
  assert_int_equal(crRunSweep(plan, crTestPath("stopped.sweep"), &options, NULL, NULL, &progress), cr_cancelled);
  assert_in_range(progress.ran, 1, 2999);
  int64_t before = progress.ran;
  progress = runSweep(plan, "stopped.sweep", 2, cr_ok);
  assert_int_equal(progress.ran, 3000 - before);
  assert_int_equal(progress.done, 3000);
  assert_int_equal(runSweep(plan, "stopped.sweep", 2, cr_ok).ran, 0);
  runSweep(plan, "whole.sweep", 1, cr_ok);
  crSweepTable *stopped = crReadTestTable("stopped.sweep"), *whole = crReadTestTable("whole.sweep");
  assert_same_table(stopped, whole);
  crDestroySweepTable(stopped);
  crDestroySweepTable(whole);
  crDestroySweepPlan(plan);
}

static void a_sweep_can_become_longer(void** state)
{
  (void)state;
  crSweepDef def = makeDef(20);
  crSweepPlan* plan = makePlan(&def);
  runSweep(plan, "longer.sweep", 1, cr_ok);
  def.runs = 30;
  crSweepPlan* more = makePlan(&def);
  assert_int_equal(runSweep(more, "longer.sweep", 1, cr_ok).ran, 10);
  crAssertSays("$carom sweep longer.sweep --runs 35", 0, "35 of 35 runs; 5 in");
  crAssertSays("$carom sweep longer.sweep --runs 2000000000", 1, "the number of runs is wrong");
  crSweepTable* table = crReadTestTable("longer.sweep");
  assert_int_equal(crSweepTable_CountRows(table), 35);
  crDestroySweepTable(table);
  crDestroySweepPlan(more);
  crDestroySweepPlan(plan);
}

static void another_plan_is_refused(void** state)
{
  (void)state;
  crSweepDef def = makeDef(5);
  crSweepPlan* plan = makePlan(&def);
  runSweep(plan, "guarded.sweep", 1, cr_ok);
  def.seed = 8;
  crSweepPlan* other = makePlan(&def);
  runSweep(other, "guarded.sweep", 1, cr_errorFile);
  crDestroySweepPlan(other);
  crDestroySweepPlan(plan);
  crAssertSays("echo '-- changed' >> drop.lua; $carom sweep guarded.sweep", 1, "are not what they were");
}

// What takes the place of the rows of a sweep, or of a part of them.
static void rows_that_are_damaged_are_told(void** state)
{
  (void)state;
  crSweepDef def = makeDef(5);
  crSweepPlan* plan = makePlan(&def);
  static const struct {
    const char *part, *says; // part: of the file, deleted; NULL: of others
    int file;                // NULL: 0 no HDF5, 1 without rows, 2 of another plan
  } cases[] = {
    { NULL, "warning: the rows of the sweep cannot be read\n  found ", 0 },
    { NULL, "warning: the file holds no rows of a sweep", 1 },
    { NULL, "warning: the rows belong to another plan\n  found another", 2 },
    { "plan.json", "warning: the file is damaged: it has no plan", 0 },
    { "runs", "warning: the file is damaged: it has no rows of a sweep", 0 },
    { "outputs", "warning: the file is damaged: it has no rows of a sweep", 0 },
    { "messages", "warning: the file is damaged", 3 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crCallCommand("rm -rf damaged.sweep");
    runSweep(plan, "damaged.sweep", 1, cr_ok);
    crAssertSays("mv damaged.sweep/shard*.h5 shard.h5", 0, "");
    if (cases[i].part == NULL && cases[i].file == 0) {
      crWriteTestFile(crTestPath("shard.h5"), "no HDF5", 7);
    } else {
      hid_t file = H5Fopen(crTestPath("shard.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
      assert_true(file >= 0);
      if (cases[i].file == 3) { // as many numbers, but no records
        hid_t space = H5Screate_simple(1, (const hsize_t[]){ 5 }, NULL);
        H5Ldelete(file, "runs", H5P_DEFAULT);
        H5Dclose(H5Dcreate2(file, "runs", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Sclose(space);
      } else if (cases[i].part != NULL) {
        assert_true(H5Ldelete(file, cases[i].part, H5P_DEFAULT) >= 0);
      } else {
        assert_true(H5Adelete(file, "plan") >= 0);
      }
      if (cases[i].file == 2) {
        hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
        H5Tset_size(type, 7);
        hid_t made = H5Acreate2(file, "plan", type, space, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(made, type, "another") >= 0);
        H5Aclose(made);
        H5Sclose(space);
        H5Tclose(type);
      }
      H5Fclose(file);
    }
    crAssertSays("mv shard.h5 damaged.sweep/shard-000001-there-1.h5; $carom sweep show damaged.sweep; true", 0,
                 cases[i].says);
    assert_non_null(strstr(crAnswer.text, "damaged.sweep/shard-000001-there-1.h5: warning: "));
  }
  crDestroySweepPlan(plan);
}

// Tasks that share a folder take all runs, each once.
// Rows of a robot that was changed in between would have been mixed with the old ones.
static void an_imported_file_that_changed_is_refused(void** state)
{
  (void)state;
  crAssertSays(
      "mkdir arm && cp '" CAROM_ROOT "/examples/robots/six_axis.urdf' arm/ && cat > arm/arm.lua <<'EOF'\n"
      "local p = parameters{ g = 9.81 }\n"
      "scene{ stopTime = 0.01, gravity = { 0, 0, -p.g } }\n"
      "import('six_axis.urdf', { name = 'arm', parent = world('room') })\n"
      "EOF\n"
      "$carom sweep arm/arm.lua --vary g=9:10:5 --task 0/2 --output 'last(arm.base_link.position)' -o arm.sweep",
      0, "of 5 runs");
  crAssertSays("cp -r arm elsewhere && $carom sweep elsewhere/arm.lua --vary g=9:10:5 "
               "--task 1/2 --output 'last(arm.base_link.position)' -o arm.sweep",
               0, "5 of 5 runs");
  crAssertSays("sed -i 's/mass value=\"/mass value=\"1/' arm/six_axis.urdf; $carom sweep arm/arm.lua --vary g=9:10:5 "
               "--output 'last(arm.base_link.position)' -o arm.sweep",
               1, "a sweep of another plan, model or version");
}

static void tasks_share_a_folder(void** state)
{
  (void)state;
  crSweepDef def = makeDef(100);
  crSweepPlan* plan = makePlan(&def);
  int64_t ran = 0;
  for (int task = 0; task < 3; ++task) {
    crSweepOptions options = crDefaultSweepOptions();
    crSweepProgress progress;
    options.threads = 1;
    options.task = task;
    options.taskCount = 3;
    assert_int_equal(crRunSweep(plan, crTestPath("tasks.sweep"), &options, NULL, NULL, &progress), cr_ok);
    assert_in_range(progress.ran, 20, 50);
    ran += progress.ran;
  }
  assert_int_equal(ran, 100);
  runSweep(plan, "alone.sweep", 1, cr_ok);
  crSweepTable *tasks = crReadTestTable("tasks.sweep"), *alone = crReadTestTable("alone.sweep");
  assert_same_table(tasks, alone);
  crDestroySweepTable(tasks);
  crDestroySweepTable(alone);
  crDestroySweepPlan(plan);
}

// ---------------------------------------------------------------------------------------------- kills

// Half of the runs with a low ball fail: their messages survive as well.
static void killed_workers_leave_the_table_of_an_undisturbed_run(void** state)
{
  (void)state;
  crWriteDropModel();
  int kills = crKillSweep("killed.sweep", 1000, 20, 0.1);
  print_message("%d of 20 were killed while they ran\n", kills);
  crRunCalmSweep("calm.sweep", 1000);
  crSweepTable *killed = crReadTestTable("killed.sweep"), *calm = crReadTestTable("calm.sweep");
  assert_int_equal(crSweepTable_CountRows(calm), 1000);
  assert_same_table(killed, calm);
  crAssertSays("$carom sweep merge killed.sweep killed.h5 && $carom sweep csv killed.h5 > a.csv && "
               "$carom sweep csv calm.sweep > b.csv && cmp a.csv b.csv && h5dump killed.h5 > dump.txt && echo same",
               0, "same");
  crDestroySweepTable(killed);
  crDestroySweepTable(calm);
}

static void a_sweep_that_is_told_to_end_finishes_and_writes(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("$carom sweep drop.lua --vary height=0.1:0.5:100000 --output 'last(ball.position.z)' --threads 2 "
               "-o term.sweep & sweep=$!; for i in $(seq 1000); do ls term.sweep/shard* >/dev/null 2>&1 && break; "
               "sleep 0.01; done; sleep 0.3; kill $sweep; wait $sweep",
               130, " of 100000 runs");
  crSweepTable* table = crReadTestTable("term.sweep");
  assert_true(crSweepTable_CountRows(table) > 0);
  crDestroySweepTable(table);
}

static void a_folder_is_swept_by_one_process_at_a_time(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("$carom sweep drop.lua --vary height=0.1:0.5:100000 --output 'last(ball.position.z)' --threads 1 -o "
               "held.sweep --quiet & sweep=$!; for i in $(seq 1000); do ls held.sweep/shard* >/dev/null 2>&1 && break; "
               "sleep 0.01; done; $carom sweep held.sweep; code=$?; kill $sweep; wait $sweep; exit $code",
               1, "another process works on this sweep");
}

// --------------------------------------------------------------------------------------------- failures

static void failed_runs_are_rows_and_can_be_run_again(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("$carom sweep drop.lua --vary height=0.1:0.8:8 --set fails=0.45 --output 'last(ball.position.z)' -o "
               "half.sweep",
               0, "8 of 8 runs, 4 failed");
  crAssertSays("$carom sweep status half.sweep", 0, "4 like run 0: ");
  crAssertSays("$carom sweep status half.sweep", 0, "the ball is too low");
  crAssertSays("$carom sweep half.sweep", 0, "8 of 8 runs, 4 failed\n");
  crAssertSays("$carom sweep half.sweep --retry-failed", 0, "4 failed; 4 in");
  crAssertSays("$carom sweep csv half.sweep", 0, "0,failed,0.1,nan,");
  crAssertSays("$carom sweep show half.sweep 0", 0, "carom run ");
  crAssertSays("$carom sweep drop.lua --vary height=0.1:0.4:4 --set fails=0.45 --output 'last(ball.position.z)' -o "
               "all.sweep",
               3, "4 of 4 runs, 4 failed");
  crAssertSays("$carom sweep drop.lua --vary height=0.1:0.4:4 --set fails=1 --output 'last(ball.position.z)' -o "
               "none.sweep",
               1, "the ball is too low");
  crAssertSays("ls none.sweep", 2, "none.sweep");
}

// The sweep was refused, because neither the model itself nor its first run has variables to look names up in.
static void a_model_that_fails_at_first_is_swept(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("$carom sweep drop.lua --vary height=0.1:1:10 --set fails=0.55 --output 'last(ball.position.z)' -o "
               "later.sweep",
               0, "10 of 10 runs, 5 failed");
  crAssertSays("$carom sweep csv later.sweep | grep -c ',ok,'", 0, "5");
  crAssertSays("$carom sweep drop.lua --vary heigth=0.1:1:10 --vary height=0.6:1:3 --set fails=0.55 "
               "--output 'last(ball.position.z)' -o later.sweep",
               1, "did you mean 'height'?");
}

static void a_row_is_shown_in_as_few_digits_as_tell_it(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("$carom sweep drop.lua --vary height=0.3,0.4 --output 'count(contacts)' -o few.sweep", 0, "2 of 2");
  crAssertSays("$carom sweep drop.lua --vary height=0.3:0.4:1000 --stop 0.001 --output 'time(end)' -o many.sweep | "
               "grep -c 'e+'",
               1, "0");
  crAssertSays("$carom sweep show few.sweep 0 | tr -s ' '", 0, " height 0.3\n");
  crAssertSays("$carom sweep show few.sweep 0 | tr -s ' '", 0, " count(contacts) 1\n");
}

static void a_full_disk_is_told_and_nothing_is_lost(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("(ulimit -f 6000; $carom sweep drop.lua --vary height=0.1:0.5:4000 --output 'series(ball.position,50)' "
               "--threads 1 -o full.sweep)",
               1, "the rows of the sweep cannot be written");
  crSweepTable* table = crReadTestTable("full.sweep");
  int kept = crSweepTable_CountRows(table);
  assert_in_range(kept, 1, 3999);
  crDestroySweepTable(table);
  char said[64];
  snprintf(said, sizeof said, "4000 of 4000 runs; %d in", 4000 - kept);
  crAssertSays("$carom sweep full.sweep", 0, said);
}

static void what_is_wrong_with_a_plan_is_told(void** state)
{
  (void)state;
  static const struct {
    const char *command, *says;
    int code;
  } wrong[] = {
    { "$carom sweep drop.lua --vary heigth=1:2:3 --output 'last(ball.position.z)'", "did you mean 'height'?", 1 },
    { "$carom sweep drop.lua --vary height=1:2:3 --output 'last(ball.positon.z)'", "did you mean 'ball.position.z'?",
      1 },
    { "$carom sweep drop.lua --vary height=1:2:3 --output 'time(first contact ball tabel)'", "did you mean 'table'?",
      1 },
    { "sed 's/height = [0-9.]*/height = { value = 1, min = 0.1, max = 2, unit = \"m\" }/' drop.lua > ranged.lua; "
      "$carom "
      "sweep ranged.lua --vary height=1:3:3 --output 'last(ball.position.z)'",
      "vary.height: the parameter leaves its range\n  found 3 m, allowed: 0.1 .. 2 m", 1 },
    { "$carom sweep ranged.lua --vary height=0,1 --output 'last(ball.position.z)'", "found 0 m, allowed: 0.1 .. 2 m",
      1 },
    { "$carom sweep ranged.lua --vary 'height=uniform(1,2.5)' --runs 4 --output 'last(ball.position.z)'",
      "found 2.5 m, allowed: 0.1 .. 2 m", 1 },
    { "$carom sweep drop.lua --vary height=1:2:3", "nothing is kept of the runs", 1 },
    { "$carom sweep drop.lua --vary height=1:2:3 --output 'most(ball.position.z)'", "there is no such output", 1 },
    { "$carom sweep drop.lua --vary 'height=uniform(1,2)' --output 'time(end)'", "the number of runs is not given", 1 },
    { "$carom sweep drop.lua --vary 'height=1:2:3' --runs 4 --output 'time(end)'", "fewer points than runs", 1 },
    { "$carom sweep drop.lua --vary 'height=uniform(1,2)' --design grid --output 'time(end)'", "listed values only",
      1 },
    { "$carom sweep drop.lua --vary 'height=uniform(1,2)' --design best --output 'time(end)'", "no such design", 1 },
    { "$carom sweep drop.lua --vary 'height=uniform(1,2)' --design sensitivity --runs 10 --output 'time(end)'",
      "12 for example", 1 },
    { "$carom sweep drop.lua --vary height=1,2 --vary height=3,4 --output 'time(end)'", "varies twice", 1 },
    { "$carom sweep drop.lua --vary height=1,2 --set height=3 --output 'time(end)'", "is set as well", 1 },
    { "$carom sweep none.lua --vary height=1,2 --output 'time(end)'", "none.lua", 1 },
    { "$carom sweep none.sweep", "none.sweep", 1 },
    { "$carom sweep status none.sweep", "the sweep cannot be read", 1 },
    { "mkdir empty; $carom sweep status empty", "not the folder of a sweep: it has no plan.json", 1 },
    { "$carom sweep empty", "not the folder of a sweep: it has no plan.json", 1 },
    { "$carom sweep drop.lua", "a model itself is swept with --vary and --output", 1 },
    { "$carom sweep drop.lua --seed 3", "without --vary", 2 },
    { "$carom sweep --vary x=1,2", "is missing", 2 },
    { "$carom sweep drop.lua --vary height", "--vary needs name=value", 2 },
    { "$carom sweep drop.lua --task 3/2 --vary height=1,2", "--task needs K/N", 2 },
    { "echo 'sweep{ model = \"drop.lua\", vari = {} }' > a.lua; $carom sweep a.lua", "did you mean 'vary'?", 1 },
    { "echo 'sweep{ model = \"drop.lua\", vary = { height = print }, output = { time(\"end\") } }' > a.lua; "
      "$carom sweep a.lua",
      "vary.height", 1 },
    { "echo 'sweep{ model = \"drop.lua\", runs = 1.5 }' > a.lua; $carom sweep a.lua", "found 1.5", 1 },
    { "echo 'sweep{ model = \"drop.lua\", vary = { height = {} } }' > a.lua; $carom sweep a.lua", "an empty list", 1 },
    { "printf '\\n\\nsweep{ model = \"drop.lua\",\\n runs = true }' > a.lua; $carom sweep a.lua",
      "a.lua:3: error: runs", 1 },
    { "printf '\\nsweep{ model = \"drop.lua\",\\n vary = { height = {1} }, output = { last(\"x\") } }' > a.lua; "
      "$carom sweep a.lua",
      "a.lua:2: error: output[1]", 1 },
    { "echo 'x = 1' > a.lua; $carom sweep a.lua", "the plan has no sweep", 1 },
    { "echo 'sweep{' > a.lua; $carom sweep a.lua", "a.lua:", 1 },
  };
  crWriteDropModel();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    crAssertSays(wrong[i].command, wrong[i].code, wrong[i].says);
  }
}

// A plan in Lua is the same as one on the command line.
static void a_plan_in_lua_does_the_same(void** state)
{
  (void)state;
  crWriteDropModel();
  crAssertSays("cat > plan.lua <<'EOF'\n"
               "sweep{ model = 'drop.lua', runs = 30, seed = 3, design = 'sobol',\n"
               "  vary = { cor = uniform(0.4, 0.9), height = normal(0.3, 0.01), kind = { 'Steel', 'Aluminium' } },\n"
               "  output = { last('ball.position'), series('ball.position.z', 5) } }\n"
               "EOF\n"
               "$carom sweep plan.lua -o lua.sweep && $carom sweep drop.lua --vary 'cor=uniform(0.4, 0.9)' --vary "
               "'height=normal(0.3, 0.01)' --vary 'kind=values(Steel, Aluminium)' --runs 30 --seed 3 --design sobol "
               "--output 'last(ball.position)' --output 'series(ball.position.z, 5)' -o options.sweep && "
               "$carom sweep csv lua.sweep lua.csv && $carom sweep csv options.sweep options.csv && "
               "cmp lua.csv options.csv && grep -c Aluminium lua.csv",
               0, "\n15\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(any_number_of_threads_gives_the_same_table),
    cmocka_unit_test(a_row_is_what_a_run_of_its_own_records),
    cmocka_unit_test(outputs_agree_with_closed_forms),
    cmocka_unit_test(options_of_a_plan_are_those_of_its_runs),
    cmocka_unit_test(a_sweep_goes_on_with_what_is_missing),
    cmocka_unit_test(a_sweep_can_become_longer),
    cmocka_unit_test(another_plan_is_refused),
    cmocka_unit_test(an_imported_file_that_changed_is_refused),
    cmocka_unit_test(rows_that_are_damaged_are_told),
    cmocka_unit_test(tasks_share_a_folder),
    cmocka_unit_test(killed_workers_leave_the_table_of_an_undisturbed_run),
    cmocka_unit_test(a_sweep_that_is_told_to_end_finishes_and_writes),
    cmocka_unit_test(a_folder_is_swept_by_one_process_at_a_time),
    cmocka_unit_test(failed_runs_are_rows_and_can_be_run_again),
    cmocka_unit_test(a_model_that_fails_at_first_is_swept),
    cmocka_unit_test(a_row_is_shown_in_as_few_digits_as_tell_it),
    cmocka_unit_test(a_full_disk_is_told_and_nothing_is_lost),
    cmocka_unit_test(what_is_wrong_with_a_plan_is_told),
    cmocka_unit_test(a_plan_in_lua_does_the_same),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
