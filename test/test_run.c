// Runs that come to a bad end: the tool says why, exits with its code, and keeps what was recorded.
#include "carom/result.h"
#include "support/folder.h"
#include "support/log.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KILL_COUNT 20
#define MAX_ARGUMENTS 32

// ----------------------------------------------------------------------------------------------- models

static const char pendulum[] = "local w = world('world')\n"
                               "object('rod', { mass{ mass = 1, com = { 0, 0, -1 }, inertia = { 0.1, 0.1, 0.1 } } })\n"
                               "revolute('hinge', w, 'rod', { axis = 'y', start = 1 })\n";

// x'' = 10^6 x, which leaves the range of numbers after some 0.7 s. A negative stiffness is allowed.
static const char runaway[] = "local w = world('world')\n"
                              "object('block', { mass{ mass = 1 } })\n"
                              "prismatic('slide', w, 'block', { start = 1e-3, stiffness = -1e6 })\n";

// A planet that falls into its sun from a distance of 1: after pi / (2 sqrt 2) s.
static const char fall[] = "scene{ gravity = { centre = { 0, 0, 0 }, mu = 1 } }\n"
                           "world('world')\n"
                           "object('planet', { free = true, position = { 1, 0, 0 },\n"
                           "  mass{ mass = 1, inertia = { 1, 1, 1 } } })\n";

// The same between two points: the square of their distance leaves the range first, after half the time.
static const char repelled[] = "scene{ gravity = 'none' }\n"
                               "local w = world('world')\n"
                               "object('block', { mass{ mass = 1 } })\n"
                               "prismatic('slide', w, 'block', { start = 1 })\n"
                               "springDamper('spring', w, 'block', { stiffness = -1e6, length = 0 })\n";

// A block that its spring pulls through the spring's other end, where the force has no direction: x'' = -100 x.
static const char crossing[] = "scene{ gravity = 'none' }\n"
                               "local w = world('world')\n"
                               "object('block', { mass{ mass = 1 } })\n"
                               "prismatic('slide', w, 'block', { start = 1 })\n"
                               "springDamper('spring', w, 'block', { stiffness = 100, length = 0 })\n";

// ------------------------------------------------------------------------------------------------- runs

// Starts "carom run MODEL --out FOLDER/out ..." with its words going to FOLDER/words. sizeLimit [bytes] of any file
// that it writes; 0: none.
static pid_t start(const char* model, rlim_t sizeLimit, const char* const* options)
{
  const char* arguments[MAX_ARGUMENTS] = { CAROM_TOOL, "run", crTestPath("model.lua"), "--out", crTestPath("out") };
  int count = 5;
  crWriteTestFile(arguments[2], model, strlen(model));
  for (; *options != NULL; ++options) {
    arguments[count++] = *options;
  }
  unlink(crTestPath("out/result.h5"));
  unlink(crTestPath("out/run.json"));
  const char* words = crTestPath("words");
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    int handle = open(words, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(handle, STDOUT_FILENO);
    dup2(handle, STDERR_FILENO);
    if (sizeLimit > 0) { // the signal would end the tool before it could say anything, as no full disk does
      struct rlimit limit = { sizeLimit, sizeLimit };
      signal(SIGXFSZ, SIG_IGN);
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    execv(CAROM_TOOL, (char* const*)arguments);
    _exit(127);
  }
  return child;
}

static int waitFor(pid_t child)
{
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void pauseFor(double seconds)
{
  struct timespec time = { (time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds)) };
  nanosleep(&time, NULL);
}

static void assertSays(const char* part)
{
  char* words = crReadTestFile(crTestPath("words"), NULL);
  if (strstr(words, part) == NULL) {
    print_error("'%s' is not in:\n%s\n", part, words);
    fail();
  }
  free(words);
}

// Reads the result; fails the test when there is none.
static crResult* readResult(void)
{
  crResult* result = NULL;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crStatus status = crReadResult(crTestPath("out/result.h5"), NULL, &sink, &result);
  assert_no_messages(log);
  assert_int_equal(status, cr_ok);
  crDestroyErrorLog(log);
  return result;
}

// Rows of a readable, incomplete result that ended like this; its times ascend.
static int countKept(const char* exitReason)
{
  crResult* result = readResult();
  crResultFacts facts = crResult_GetFacts(result);
  int rows = crResult_CountRows(result);
  assert_string_equal(facts.exitReason, exitReason);
  assert_false(facts.isComplete);
  for (int i = 1; i < rows; ++i) {
    assert_true(crResult_GetTimes(result)[i] > crResult_GetTimes(result)[i - 1]);
  }
  crDestroyResult(result);
  return rows;
}

// -------------------------------------------------------------------------------------------- breakdown

static void assertBreaksDown(const char* model, const char* solver, const char* time, const char* worst, int leastRows)
{
  const char* options[] = { "--stop", "5", "--solver", solver, NULL };
  assert_int_equal(waitFor(start(model, 0, options)), 3);
  assertSays("error: simulation: the simulation stops at ");
  assertSays(time);
  assertSays("found step ");
  assertSays(worst);
  assertSays("hint: ");
  assertSays("Failed at ");
  assert_true(countKept("failed") >= leastRows);
  char* summary = crReadTestFile(crTestPath("out/run.json"), NULL);
  assert_non_null(strstr(summary, "\"exit\": \"failed\""));
  free(summary);
}

static void breakdown_is_told_with_time_step_state_and_remedy(void** state)
{
  (void)state;
  // its energy, which is integrated with it, is the first to leave the range of numbers
  assertBreaksDown(runaway, "auto", "stops at 0.35", "worst state slide.", 34);
  assertBreaksDown(repelled, "auto", "stops at 0.35", "worst state slide.", 35);
  for (int kind = cr_solverAuto; kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    const char* solver = crGetSolverInfo((crSolverKind)kind)->name;
    bool isOneStep = kind == cr_solverAuto || crTestIsOneStep((crSolverKind)kind);
    assertBreaksDown(fall, solver, isOneStep ? "stops at 1.1107" : "stops at 1.11", "worst state planet.", 111);
  }
}

static void spring_that_its_block_passes_through_is_no_breakdown(void** state)
{
  (void)state;
  const char* options[] = { "--stop", "5", "--tol", "1e-9", NULL };
  assert_int_equal(waitFor(start(crossing, 0, options)), 0);
  crResult* result = readResult();
  int rows = crResult_CountRows(result), column = crResult_FindColumn(result, "slide.position");
  assert_true(crResult_GetFacts(result).isComplete && column >= 0);
  for (int i = 0; i < rows; ++i) {
    assert_close(crResult_GetValues(result, column)[i], cos(10 * crResult_GetTimes(result)[i]), 1e-5);
  }
  crDestroyResult(result);
}

// -------------------------------------------------------------------------------------------- identity

// The hash of the model is what sha256sum says of its three lines.
static void run_json_says_what_would_make_the_run_again(void** state)
{
  (void)state;
  static const char* const parts[] = {
    "\"model\": \"a28d3e1798df65dcbdde6fe693421a3cb821d188bdbdbd270072b0e6b27098cd\"",
    "\"tolerance\": 1e-07",
    "\"absoluteTolerance\": 1e-08",
    "\"maxStep\": 0.05",
    "\"solver\": \"dop853\"",
    "\"contact\": false",
    "\"*.angle\"",
    "\"exit\": \"ok\"",
  };
  const char* options[] = { "--stop", "1",        "--tol",  "1e-7",     "--atol",  "1e-8",         "--max-step",
                            "0.05",   "--solver", "dop853", "--record", "*.angle", "--no-contact", NULL };
  assert_int_equal(waitFor(start(pendulum, 0, options)), 0);
  char* summary = crReadTestFile(crTestPath("out/run.json"), NULL);
  crResult* result = readResult();
  crResultFacts facts = crResult_GetFacts(result);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    if (strstr(summary, parts[i]) == NULL || strstr(facts.runJson, parts[i]) == NULL) {
      fail_msg("no %s in %s", parts[i], summary);
    }
  }
  assert_string_equal(facts.modelName, "model"); // of .../model.lua: the title of plots
  crDestroyResult(result);
  free(summary);
}

// ------------------------------------------------------------------------------------------ interruption

// However short the intervals are against the steps.
static void interrupt_ends_the_run_with_130_and_keeps_results(void** state)
{
  (void)state;
  const char* intervals[] = { "0.001", "1000" };
  for (int i = 0; i < 2; ++i) {
    const char* options[] = { "--stop", "1e6", "--interval", intervals[i], "--quiet", NULL };
    pid_t child = start(pendulum, 0, options);
    pauseFor(0.4);
    kill(child, i == 0 ? SIGINT : SIGTERM);
    assert_int_equal(waitFor(child), 130);
    assert_true(countKept("interrupted") >= 1);
  }
}

// ----------------------------------------------------------------------------------------------- killing

// Whether a program reads the result, words apart; one that is not there counts as reading it.
static void assertReads(const char* program, const char* first, const char* second)
{
  const char* path = crTestPath("out/result.h5");
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    int handle = open("/dev/null", O_WRONLY);
    dup2(handle, STDOUT_FILENO);
    execlp(program, program, first, second != NULL ? second : path, second != NULL ? path : NULL, (char*)NULL);
    _exit(127);
  }
  int code = waitFor(child);
  assert_true(code == 0 || code == 127);
}

// [s] until a run has its file: other work on the machine makes that long.
static double findStartTime(const char* const* options)
{
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  pid_t child = start(pendulum, 0, options);
  for (int i = 0; i < 10000 && access(crTestPath("out/result.h5"), F_OK) != 0; ++i) {
    pauseFor(0.002);
  }
  kill(child, SIGKILL);
  waitFor(child);
  clock_gettime(CLOCK_MONOTONIC, &after);
  return (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

static void killed_runs_leave_readable_files(void** state)
{
  (void)state;
  const char* options[] = { "--stop", "1e7", "--interval", "0.01", "--quiet", NULL };
  crRandom random = crMakeRandom(20);
  double typical = fmin(findStartTime(options), 1.0);
  int kept = 0;
  for (int i = 0; i < KILL_COUNT; ++i) {
    pid_t child = start(pendulum, 0, options);
    pauseFor(crRandom_Uniform(&random, 0.5 * typical, i < 2 ? 1.6 : 0.2 + 3.0 * typical)); // some behind a flush
    kill(child, SIGKILL);
    assert_int_equal(waitFor(child), -SIGKILL);
    if (access(crTestPath("out/result.h5"), F_OK) == 0) {
      countKept("running");
      assertReads("h5dump", "-d", "/time");
      assertReads(CAROM_TOOL, "info", NULL);
      ++kept;
    }
  }
  assert_true(kept >= KILL_COUNT / 2);
}

// ------------------------------------------------------------------------------------------------ inputs

// x = push t^2 / 2
static const char pushed[] = "scene{ gravity = 'none' }\n"
                             "local w = world('world')\n"
                             "object('block', { mass{ mass = 1 } })\n"
                             "prismatic('slide', w, 'block', { force = input('push', { unit = 'N' }) })\n";

static void inputs_are_held_at_what_the_command_line_says(void** state)
{
  (void)state;
  const char* good[] = { "--stop", "2", "--input", "push=-3.5", NULL };
  assert_int_equal(waitFor(start(pushed, 0, good)), 0);
  crResult* result = readResult();
  int rows = crResult_CountRows(result), column = crResult_FindColumn(result, "slide.position");
  assert_true(column >= 0);
  assert_close(crResult_GetValues(result, column)[rows - 1], -7.0, 1e-9);
  crDestroyResult(result);
  const char* unknown[] = { "--input", "psuh=1", NULL };
  assert_int_equal(waitFor(start(pushed, 0, unknown)), 2);
  assertSays("the model has no input 'psuh': push");
  const char* word[] = { "--input", "push=hard", NULL };
  assert_int_equal(waitFor(start(pushed, 0, word)), 2);
  assertSays("--input needs name=number, not 'push=hard'");
  const char* none[] = { "--input", "push=1", NULL };
  assert_int_equal(waitFor(start(pendulum, 0, none)), 2);
  assertSays("it declares none");
}

// A user function that stops being a number: named, and what was recorded before is kept.
static void a_function_that_breaks_down_is_named_and_results_are_kept(void** state)
{
  (void)state;
  static const char model[] = "local w = world('world')\n"
                              "object('block', { mass{ mass = 1 } })\n"
                              "prismatic('slide', w, 'block', { force = userFunction('law', {\n"
                              "  inputs = { x = jointSensor('x', { joint = 'slide' }) },\n"
                              "  code = 'return 1 + math.sqrt(1 - x) - 1' }) })\n";
  const char* options[] = { "--stop", "5", NULL };
  assert_int_equal(waitFor(start(model, 0, options)), 3);
  assertSays("userFunction 'law' gives");
  assertSays(" with x = 1");
  assert_true(countKept("failed") > 50);
}

// --------------------------------------------------------------------------------------------- full disk

static double readClock(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Rows reach the file every second: those of the last one may be lost.
static void full_disk_is_told_and_what_was_written_stays(void** state)
{
  (void)state;
  const char* options[] = { "--stop", "1e7", "--interval", "0.5", "--tol", "1e-9", "--quiet", NULL };
  double before = readClock();
  assert_int_equal(waitFor(start(pendulum, 3 << 20, options)), 3);
  double duration = readClock() - before;
  assertSays("result.h5");
  assertSays("File too large");
  assert_true(countKept("failed") >= (duration > 1.5 ? 1000 : 0)); // for that room was kept
}

// With whatever a killed run has left.
static int removeFolders(void** state)
{
  DIR* folder = opendir(crTestPath("out"));
  struct dirent* entry;
  while (folder != NULL && (entry = readdir(folder)) != NULL) {
    char name[300];
    snprintf(name, sizeof name, "out/%s", entry->d_name);
    unlink(crTestPath(name));
  }
  if (folder != NULL) {
    closedir(folder);
  }
  return crRemoveTestFolder(state);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(breakdown_is_told_with_time_step_state_and_remedy),
    cmocka_unit_test(spring_that_its_block_passes_through_is_no_breakdown),
    cmocka_unit_test(run_json_says_what_would_make_the_run_again),
    cmocka_unit_test(interrupt_ends_the_run_with_130_and_keeps_results),
    cmocka_unit_test(killed_runs_leave_readable_files),
    cmocka_unit_test(inputs_are_held_at_what_the_command_line_says),
    cmocka_unit_test(a_function_that_breaks_down_is_named_and_results_are_kept),
    cmocka_unit_test(full_disk_is_told_and_what_was_written_stays),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, removeFolders);
}
