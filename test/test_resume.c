// carom run --checkpoint, carom resume: what is killed goes on, and ends as if
// it had never been disturbed.
#include "carom/carom.h"
#include "carom/io.h"
#include "carom/result.h"
#include "carom/run.h"
#include "result/layout.h"
#include "show/checkpoint_pair.h"
#include "show/process.h"
#include "support/command.h"
#include "support/folder.h"
#include "support/kill_resume.h"
#include "support/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define POINTS 20
#define MODELS 5
#define FLIPS 24

// Light ones of all kinds: impacts, closed loops, sampled functions, boxes, a
// pile.
static const int lightModels[MODELS] = { 0, 4, 8, 13, 14 };

static void killed_runs_end_like_undisturbed_ones(void** state)
{
  (void)state;
  uint64_t seed = (uint64_t)time(NULL); // other moments each time
  crRandom random = crMakeRandom(seed);
  crKillCounts counts = { 0, 0, 0 };
  for (int m = 0; m < MODELS; ++m) {
    const crKillModel* model = &crKillModels[lightModels[m]];
    char folder[CR_KILL_FOLDER_SIZE], message[CR_DIFFERENCE_SIZE] = "";
    assert_true(crMakeKillFolder(folder));
    crKillReference reference;
    if (!crMakeKillReference(model, folder, &reference, message)) {
      fail_msg("%s: %s", model->file, message);
    }
    for (int i = 0; i < POINTS / MODELS; ++i) {
      if (!crKillAndResume(&reference, 1 + i % 2, &random, &counts, message)) {
        fail_msg("%s, seed %llu, point %d: %s", model->file, (unsigned long long)seed, i, message);
      }
    }
    crRemoveFolder(folder);
  }
  assert_true(counts.kills >= POINTS / 2);
}

// ------------------------------------------------------------------------------------------ the tool

// A folder `left.run` with two checkpoints, as a kill leaves it.
static void leaveRun(const char* options)
{
  char command[1024];
  snprintf(command, sizeof command, "leave $models/bouncing_ball.lua --stop 2 --interval 0.05 --no-report --quiet %s",
           options);
  crCallCommand(command);
  assert_int_equal(access(crTestPath("left.run/checkpoint.1"), F_OK), 0);
  assert_int_equal(access(crTestPath("left.run/checkpoint.2"), F_OK), 0);
}

static void makeReference(void)
{
  crAssertSays("$carom run $models/bouncing_ball.lua --stop 2 --interval 0.05 --no-report --quiet --out whole.run", 0,
               "");
}

static void assertLikeReference(void)
{
  crAssertSameDatasets(crTestPath("whole.run/result.h5"), crTestPath("left.run/result.h5"));
}

static void a_resumed_run_writes_report_and_summary(void** state)
{
  (void)state;
  makeReference();
  leaveRun("");
  crAssertSays("$carom resume left.run", 0, "Done at 2 s");
  assert_null(strstr(crAnswer.text, "warning")); // its model is found as it was
  assertLikeReference();
  assert_int_equal(access(crTestPath("left.run/run.json"), F_OK), 0);
  assert_int_equal(access(crTestPath("left.run/checkpoint.1"), F_OK),
                   -1); // not needed any more
  assert_int_equal(access(crTestPath("left.run/checkpoint.2"), F_OK), -1);
  crAssertSays("ls left.run; $carom resume left.run", 1, "the run is complete");
}

// The file was taken for another one whenever no limit of its size was given.
static void a_model_that_has_not_changed_is_read_again(void** state)
{
  (void)state;
  leaveRun("");
  crCallCommand("$carom resume left.run --quiet");
  assert_int_equal(crAnswer.exitCode, 0);
  assert_string_equal(crAnswer.text, "");
}

static void a_model_that_has_changed_goes_on_as_it_was(void** state)
{
  (void)state;
  makeReference();
  crAssertSays("cp $models/bouncing_ball.lua ball.lua && leave ball.lua --stop 2 --interval 0.05 --no-report --quiet; "
               "echo '-- another line' >> ball.lua; $carom resume left.run --quiet",
               0, "has changed since the run began");
  crResult* result = NULL;
  assert_int_equal(crReadResult(crTestPath("left.run/result.h5"), NULL, NULL, &result), cr_ok);
  assert_true(crResult_GetFacts(result).isComplete);
  crDestroyResult(result);
}

// Its model is found from any folder.
static void a_resumed_run_has_the_simulator_in_its_report(void** state)
{
  (void)state;
  crAssertSays("leave $models/bouncing_ball.lua --stop 2 --interval 0.05 --interactive --quiet; $carom resume left.run "
               "--quiet; grep -o '\"options\": {\"stopTime\": 2, \"interval\": 0.05}' left.run/report.html",
               0, "stopTime");
  assert_null(strstr(crAnswer.text, "warning"));
}

static void an_interrupted_run_goes_on(void** state)
{
  (void)state;
  makeReference();
  crAssertSays("rm -rf left.run; $carom run $models/bouncing_ball.lua --stop 2 --interval 0.05 --no-report --quiet "
               "--checkpoint 0 --out left.run & run=$!; await left.run/checkpoint.2; kill -INT $run; wait $run; "
               "test -s left.run/run.json && test -s left.run/checkpoint.1 && $carom resume left.run --json",
               0, "\"exit\": \"ok\"");
  assertLikeReference();
}

static void misuse_of_the_library_is_refused(void** state)
{
  (void)state;
  crRunFacts facts;
  assert_int_equal(crResumeRun(NULL, NULL, NULL, NULL, &facts), cr_errorMisuse);
  assert_int_equal(crResumeRun(crTestPath("nothing.run"), NULL, NULL, NULL, NULL), cr_errorFile);
}

// --------------------------------------------------------------------------------------------- damage

static void flip(const char* path, size_t place)
{
  size_t size;
  char* bytes = crReadTestFile(path, &size);
  bytes[place % size] ^= 0x10;
  crWriteTestFile(path, bytes, size);
  free(bytes);
}

static void a_damaged_checkpoint_is_told_and_the_other_one_taken(void** state)
{
  (void)state;
  makeReference();
  crRandom random = crMakeRandom(14);
  for (int i = 0; i < 4; ++i) {
    leaveRun("");
    flip(crTestPath(i % 2 == 0 ? "left.run/checkpoint.1" : "left.run/checkpoint.2"), crRandom_Next(&random) >> 1);
    crAssertSays("$carom resume left.run --no-report", 0, i % 2 == 0 ? "checkpoint.1" : "checkpoint.2");
    assertLikeReference();
  }
}

static void flipped_bytes_never_go_on_silently(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(15);
  leaveRun("");
  for (int i = 0; i < FLIPS; ++i) {
    crAssertSays("rm -rf copy.run && cp -r left.run copy.run", 0, "");
    flip(crTestPath("copy.run/checkpoint.1"), crRandom_Next(&random) >> 1);
    flip(crTestPath("copy.run/checkpoint.2"), crRandom_Next(&random) >> 1);
    crAssertSays("$carom resume copy.run", 1, "no checkpoint in this folder is whole");
    assert_non_null(strstr(crAnswer.text, "checkpoint.1"));
    assert_non_null(strstr(crAnswer.text, "checkpoint.2"));
  }
}

static void what_cannot_be_resumed_says_why(void** state)
{
  (void)state;
  crAssertSays("$carom resume", 2, "the folder is missing");
  crAssertSays("$carom resume a b", 2, "one argument too many: 'b'");
  crAssertSays("$carom resume a --stop 3", 2, "unknown option '--stop'");
  crAssertSays("$carom resume nothing.run", 1, "nothing.run");
  crAssertSays("mkdir -p empty.run; $carom resume empty.run", 1, "there is no checkpoint");
  crAssertSays(
      "$carom run $models/bouncing_ball.lua --stop 1 --no-report --quiet --out plain.run; $carom resume plain.run", 1,
      "the run is complete");
  crAssertSays("$carom run $models/bouncing_ball.lua --checkpoint x", 2, "--checkpoint needs");
  crAssertSays("$carom run $models/bouncing_ball.lua --checkpoint -1", 2, "--checkpoint needs");
  leaveRun("");
  crAssertSays("rm left.run/result.h5; $carom resume left.run", 1, "result.h5");
}

static void a_run_whose_model_and_scene_are_gone_does_not_go_on(void** state)
{
  (void)state;
  crCallCommand("leave $models/bouncing_ball.lua --stop 2 --interval 0.05 --no-report --quiet");
  crCallCommand("cp $models/bouncing_ball.lua gone.lua; rm -rf left.run; leave gone.lua --stop 2 --interval 0.05 "
                "--no-report --quiet; rm gone.lua");
  hid_t file = H5Fopen(crTestPath("left.run/result.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(H5Ldelete(file, "scene", H5P_DEFAULT) >= 0);
  H5Fclose(file);
  crAssertSays("$carom resume left.run", 1,
               "the model's file has changed or is gone, and the result holds no scene\n  found ");
}

static crStatus keepCheckpoint(void* context, const void* bytes, size_t size)
{
  (void)context;
  crWriteTestFile(crTestPath("own.run/checkpoint.1"), bytes, size);
  return cr_ok;
}

// What a program has saved by itself has no word of a folder.
static void a_checkpoint_of_no_run_is_told(void** state)
{
  (void)state;
  static const char text[] = "world('w')\nobject('b', { free = true, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n";
  crScene* scene = NULL;
  crModel* model = NULL;
  crSimulation* simulation = NULL;
  assert_int_equal(crReadLua(text, sizeof text - 1, "m.lua", NULL, NULL, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, NULL, &model), cr_ok);
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = 1.0;
  assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
  assert_int_equal(crSimulation_Advance(simulation, 0.5), cr_ok);
  crCallCommand("mkdir -p own.run");
  assert_int_equal(crSimulation_Save(simulation, NULL, 0, (crByteWriter){ keepCheckpoint, NULL }), cr_ok);
  crAssertSays("$carom resume own.run", 1,
               "this checkpoint was not written by a run into a folder\n  hint: crLoadSimulation goes on from it");
  crDestroySimulation(simulation);
  crDestroyModel(model);
  crDestroyScene(scene);
}

static void folders_of_checkpoints_are_told(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  char* name = malloc(5000);
  memset(name, 'x', 4999);
  name[4999] = '\0';
  crCheckpointPair pair;
  assert_int_equal(crCheckpointPair_Init(&pair, name, &sink), cr_errorFile);
  assert_string_equal(crErrorLog_Get(log, 0)->message, "the folder of checkpoints has too long a name");
  free(name);
  assert_int_equal(crCheckpointPair_Init(&pair, crTestPath("nowhere"), &sink), cr_ok);
  char* bytes = NULL;
  size_t size = 0;
  crCheckpointFacts facts;
  assert_int_equal(crCheckpointPair_ReadNewest(&pair, NULL, &sink, &bytes, &size, &facts), cr_errorFile);
  assert_message(log, cr_severityError, "nowhere: error: there is no checkpoint in this folder");
  crDestroyErrorLog(log);
}

static void a_result_that_lost_rows_is_refused(void** state)
{
  (void)state;
  leaveRun("");
  crAssertSays("$carom run $models/bouncing_ball.lua --stop 2 --interval 1 --no-report --quiet --out short.run; cp "
               "short.run/result.h5 left.run/; $carom resume left.run",
               1, "result.h5: error: the result");
  crAssertSays(
      "$carom run $models/two_balls.lua --stop 0.1 --no-report --quiet --out other.run; cp other.run/result.h5 "
      "left.run/; $carom resume left.run",
      1, "another model");
}

// Names, scene and times are alike: only the numbers tell.
static void a_result_of_a_run_with_other_options_is_refused(void** state)
{
  (void)state;
  crAssertSays(
      "leave $models/pendulum.lua --stop 100 --interval 0.01 --no-report --quiet; "
      "$carom run $models/pendulum.lua --stop 100 --interval 0.01 --no-report --quiet --tol 1e-4 --out other.run "
      "&& cp other.run/result.h5 left.run/result.h5 && $carom resume left.run",
      1, "the result is one of another run: its row at the time of the checkpoint has other numbers");
}

// The signal about it ended the tool without a word.
static void files_that_may_not_grow_end_a_run_as_a_full_disk_does(void** state)
{
  (void)state;
  crAssertSays("rm -rf left.run; ulimit -f 500; $carom run $models/billiards.lua --stop 3 --quiet --checkpoint 0 --out "
               "left.run",
               3, "cannot be written any further");
}

// In a shell of its own, so that what follows may write on.
#define FULL_RUN                                                                                                       \
  "rm -rf left.run; (ulimit -f 8000; $carom run $models/billiards.lua --stop 0.5 --interval 2e-4 --checkpoint 1e-9 "   \
  "--no-report --out left.run)"

static void a_run_goes_on_when_there_is_room_again(void** state)
{
  (void)state;
  crAssertSays(FULL_RUN, 3, "rows are kept, up to");
  crAssertSays(FULL_RUN, 3, "to go on carom resume left.run\n");
  crAssertSays(FULL_RUN
               "; $carom resume left.run --checkpoint 1000 --no-report --quiet && $carom info left.run/result.h5",
               0, "run: complete");
}

// The result said "running" for ever.
static void a_full_disk_has_room_for_how_the_run_ended(void** state)
{
  (void)state;
  crAssertSays(FULL_RUN " > said 2>&1; code=$?; $carom info left.run/result.h5; grep '\"exit\"' left.run/run.json; "
                        "(exit $code)",
               3, "run: failed\n");
  assert_non_null(strstr(crAnswer.text, "\"exit\": \"failed\""));
  crAssertSays("cat said", 0, "File too large\n  hint: ");
}

// A file system of 4 MB, where one may be made: the room was taken before, and is given back.
static void a_run_on_a_full_disk_keeps_rows_and_goes_on_when_there_is_room(void** state)
{
  (void)state;
  crCallCommand("unshare --user --map-root-user --mount sh -c 'mkdir -p disk && mount -t tmpfs -o size=4m none disk'");
  if (crAnswer.exitCode != 0) {
    skip();
  }
  crAssertSays(
      "unshare --user --map-root-user --mount sh -c 'mount -t tmpfs -o size=4m none disk; cd disk; '\"$carom\"' "
      "run '\"$models\"'/billiards.lua --stop 0.5 --interval 2e-4 --checkpoint 1e-9 --out left.run --quiet; "
      "echo it was $?; '\"$carom\"' info left.run; cp -r left.run ..; df -k . | tail -1'; rm -rf left.run/report.html; "
      "$carom resume left.run --no-report --quiet --checkpoint 1000 && $carom info left.run",
      0, "it was 3\n");
  static const char* const parts[] = { "No space left on device\n  hint: ", " rows are kept, up to ", "run: failed\n",
                                       "run: complete\n" };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    assert_non_null(strstr(crAnswer.text, parts[i]));
  }
}

static void rows_that_did_not_reach_the_disk_are_not_told(void** state)
{
  (void)state;
  crAssertSays(FULL_RUN " > said; told=$(sed -n 's/.*result.h5: \\([0-9]*\\) rows.*/\\1/p' said); "
                        "kept=$($carom info left.run/result.h5 | sed -n 's/^ *\\([0-9]*\\) rows of.*/\\1/p'); "
                        "test -n \"$told\" && test \"$told\" = \"$kept\" && echo told as kept",
               0, "told as kept");
}

static void the_command_to_go_on_can_be_copied(void** state)
{
  (void)state;
  crAssertSays("rm -rf 'my run'; $carom run $models/bouncing_ball.lua --stop 1000 --interval 0.001 --no-report "
               "--checkpoint 0 --out 'my run' & run=$!; await 'my run/checkpoint.2'; kill -TERM $run; wait $run",
               130, "to go on carom resume 'my run'\n");
}

static void a_hangup_ends_a_run_like_an_interrupt(void** state)
{
  (void)state;
  crAssertSays(
      "rm -rf left.run; $carom run $models/bouncing_ball.lua --stop 1000 --interval 0.001 --no-report --quiet "
      "--checkpoint 0 --out left.run & run=$!; await left.run/checkpoint.2; kill -HUP $run; wait $run; code=$?; "
      "$carom info left.run/result.h5; (exit $code)",
      130, "interrupted");
}

// The warning that this run gives while its files are open would go into one of them.
static void what_is_said_to_closed_outputs_does_not_go_into_results(void** state)
{
  (void)state;
  crAssertSays("rm -rf left.run; $carom run $models/inverted_pendulum.lua --interval 5 --out left.run >&- 2>&-; "
               "grep -l 'warning' left.run/*; $carom info left.run/result.h5",
               0, "run: complete");
  crAssertSays("$carom run $models/inverted_pendulum.lua --interval 5 --out left.run --quiet", 0,
               "more than 100 events");
  crAssertSays("$carom check $models/pendulum.lua >&-", 1, "cannot write the output: Bad file descriptor");
}

static void links_in_the_folder_do_not_lead_a_run_elsewhere(void** state)
{
  (void)state;
  crAssertSays(
      "rm -rf left.run; mkdir left.run; for part in result.h5 run.json report.html; do echo mine > \"$part\"; "
      "ln -s \"../$part\" left.run; done; $carom run $models/bouncing_ball.lua --stop 1 --quiet --out left.run; "
      "cat result.h5 run.json report.html; test ! -L left.run/run.json && test ! -L left.run/result.h5",
      0, "mine\nmine\nmine\n");
}

static void a_new_run_forgets_checkpoints_of_an_older_one(void** state)
{
  (void)state;
  leaveRun("");
  crAssertSays(
      "$carom run $models/bouncing_ball.lua --stop 1 --no-report --quiet --out left.run; $carom resume left.run", 1,
      "the run is complete");
}

static void a_folder_is_written_by_one_run_at_a_time(void** state)
{
  (void)state;
  crAssertSays("rm -rf left.run; $carom run $models/bouncing_ball.lua --stop 1000 --interval 0.001 --no-report --quiet "
               "--checkpoint 0 --out left.run & run=$!; await left.run/checkpoint.2; $carom resume left.run; code=$?; "
               "kill -9 $run; wait $run; (exit $code)",
               1, "another run is writing into this folder\n  found process ");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(killed_runs_end_like_undisturbed_ones),
    cmocka_unit_test(a_resumed_run_writes_report_and_summary),
    cmocka_unit_test(a_resumed_run_has_the_simulator_in_its_report),
    cmocka_unit_test(a_model_that_has_not_changed_is_read_again),
    cmocka_unit_test(a_model_that_has_changed_goes_on_as_it_was),
    cmocka_unit_test(an_interrupted_run_goes_on),
    cmocka_unit_test(misuse_of_the_library_is_refused),
    cmocka_unit_test(a_damaged_checkpoint_is_told_and_the_other_one_taken),
    cmocka_unit_test(flipped_bytes_never_go_on_silently),
    cmocka_unit_test(what_cannot_be_resumed_says_why),
    cmocka_unit_test(a_run_whose_model_and_scene_are_gone_does_not_go_on),
    cmocka_unit_test(a_checkpoint_of_no_run_is_told),
    cmocka_unit_test(folders_of_checkpoints_are_told),
    cmocka_unit_test(a_result_that_lost_rows_is_refused),
    cmocka_unit_test(a_result_of_a_run_with_other_options_is_refused),
    cmocka_unit_test(files_that_may_not_grow_end_a_run_as_a_full_disk_does),
    cmocka_unit_test(a_run_goes_on_when_there_is_room_again),
    cmocka_unit_test(a_full_disk_has_room_for_how_the_run_ended),
    cmocka_unit_test(a_run_on_a_full_disk_keeps_rows_and_goes_on_when_there_is_room),
    cmocka_unit_test(rows_that_did_not_reach_the_disk_are_not_told),
    cmocka_unit_test(the_command_to_go_on_can_be_copied),
    cmocka_unit_test(a_hangup_ends_a_run_like_an_interrupt),
    cmocka_unit_test(what_is_said_to_closed_outputs_does_not_go_into_results),
    cmocka_unit_test(links_in_the_folder_do_not_lead_a_run_elsewhere),
    cmocka_unit_test(a_new_run_forgets_checkpoints_of_an_older_one),
    cmocka_unit_test(a_folder_is_written_by_one_run_at_a_time),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
