// carom view, and the reports of carom run, as a user meets them.
#include "support/folder.h"
#include "support/report_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char words[1 << 16]; // standard output and standard error of the last run

// Runs the tool in the project's folder. FOLDER in the arguments stands for the folder of the test.
static int runTool(const char* arguments)
{
  char command[4096];
  snprintf(command, sizeof command, "cd '%s' && FOLDER='%s' && { '%s' %s; } 2>&1", CAROM_ROOT, crTestPath("."),
           CAROM_TOOL, arguments);
  FILE* pipe = popen(command, "r");
  assert_non_null(pipe);
  size_t size = fread(words, 1, sizeof words - 1, pipe);
  words[size] = '\0';
  int status = pclose(pipe);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void assertSays(const char* arguments, int exitCode, const char* part)
{
  int code = runTool(arguments);
  if (code != exitCode || strstr(words, part) == NULL) {
    print_error("carom %s: exit %d, expected %d and '%s' in:\n%s\n", arguments, code, exitCode, part, words);
    fail();
  }
}

static bool exists(const char* name)
{
  return access(crTestPath(name), F_OK) == 0;
}

static void run_writes_a_report_and_names_it(void** state)
{
  (void)state;
  assertSays("run examples/two_mass_oscillator.lua --stop 1 --out $FOLDER/a", 0, "a/report.html\n");
  crTestReport report = crReadTestReport(crTestPath("a/report.html"));
  assert_string_equal(json_string_value(json_object_get(report.run, "title")), "two_mass_oscillator");
  assert_int_equal(json_array_size(json_object_get(report.run, "springs")), 2);
  crFreeTestReport(&report);
}

static void no_report_is_written_when_none_is_wanted(void** state)
{
  (void)state;
  assert_int_equal(runTool("run examples/pendulum.lua --stop 1 --no-report --out $FOLDER/b"), 0);
  assert_null(strstr(words, "report"));
  assert_true(exists("b/result.h5"));
  assert_false(exists("b/report.html"));
}

// Poses are there although no position is recorded.
static void view_writes_a_report_of_an_older_result(void** state)
{
  (void)state;
  assert_int_equal(runTool("run examples/pendulum.lua --stop 1 --no-report --record '*.angle' --out $FOLDER/c"), 0);
  assertSays("view $FOLDER/c/result.h5", 0, "c/report.html\n");
  assertSays("view $FOLDER/c/result.h5 -o $FOLDER/mine.html", 0, "mine.html\n");
  crTestReport report = crReadTestReport(crTestPath("mine.html"));
  assert_int_equal(json_array_size(json_object_get(report.run, "variables")), 1);
  const json_t* body = json_array_get(json_object_get(report.run, "bodies"), 1);
  crTestReport_GetBlock(&report, json_object_get(body, "poses"), 7 * 501);
  crFreeTestReport(&report);
}

static void view_shows_results_over_each_other(void** state)
{
  (void)state;
  assert_int_equal(runTool("run examples/pendulum.lua --stop 1 --no-report --out $FOLDER/one.run"), 0);
  assert_int_equal(runTool("run examples/pendulum.lua --stop 2 --no-report --out $FOLDER/two.run"), 0);
  assertSays("view $FOLDER/one.run $FOLDER/two.run/result.h5 -o $FOLDER/both.html", 0, "both.html\n");
  crTestReport report = crReadTestReport(crTestPath("both.html"));
  assert_string_equal(json_string_value(json_object_get(report.run, "name")), "one.run");
  const json_t* others = json_object_get(report.run, "others");
  assert_int_equal(json_array_size(others), 1);
  assert_string_equal(json_string_value(json_object_get(json_array_get(others, 0), "title")), "two.run/result.h5");
  crFreeTestReport(&report);
  assertSays("view $FOLDER/one.run $FOLDER/none.h5 -o $FOLDER/no.html", 1, "none.h5");
  assert_false(exists("no.html"));
  assertSays("view $FOLDER/one.run $FOLDER/two.run --png $FOLDER/a.png", 2, "are of one result");
  assertSays("view $FOLDER/one.run $FOLDER/two.run -o $FOLDER/a.glb", 2, "are of one result");
  assertSays("view 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", 2, "17 results are too many");
}

// Behind options of the tool: waits until it says that its run is over, and ends it then.
#define UNTIL_OVER                                                                                                     \
  " > $FOLDER/said & i=0; until grep -qs 'page stays' $FOLDER/said || [ $i = 600 ]; do sleep 0.1; i=$((i + 1)); "      \
  "done; "                                                                                                             \
  "kill -TERM $!; wait $!; code=$?; cat $FOLDER/said; rm $FOLDER/said; (exit $code)"

// The address is told, and Ctrl-C after the end is no failure.
static void live_serves_until_it_is_told_to_end(void** state)
{
  (void)state;
  assertSays("view --live examples/pendulum.lua --stop 1" UNTIL_OVER, 0, "watch it at http://127.0.0.1:");
  assert_non_null(strstr(words, "not kept; --out DIR keeps them\n"));
  assert_non_null(strstr(words, "the page stays until Ctrl-C\n"));
  assertSays("view --live examples/pendulum.lua --stop 1 --out $FOLDER/live" UNTIL_OVER, 0, "live/report.html\n");
  assert_true(exists("live/result.h5"));
  assertSays("view --live", 2, "the model is missing");
  assertSays("view --live examples/pendulum.lua --tol 1e-4,1e-6", 2, "--live takes one tolerance");
  assertSays("view --live examples/pendulum.lua --session s.json", 2, "--live does not go with --session");
  // it used to wait for Ctrl-C beside a page that never comes
  assertSays("view --live examples/pendulum.lua --stop 1 --tol 1e-20", 1, "the tolerance is out of range");
  static const char* const written[] = { "--checkpoint 1", "--save-state s.json", "--interactive", "--no-report" };
  for (int i = 0; i < 4; ++i) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "view --live examples/pendulum.lua %s", written[i]);
    assertSays(arguments, 2, " needs --out DIR: without it --live writes nothing");
  }
  assertSays("view --live examples/pendulum.lua --stop 1 --out $FOLDER/kept --interactive --save-state "
             "$FOLDER/kept.json" UNTIL_OVER,
             0, "kept/report.html\n");
  assert_true(exists("kept.json"));
}

static void a_report_that_cannot_be_written_does_not_fail_the_run(void** state)
{
  (void)state;
  assert_int_equal(mkdir(crTestPath("d"), 0777), 0);
  assert_int_equal(mkdir(crTestPath("d/report.html"), 0777), 0);
  assertSays("run examples/pendulum.lua --stop 1 --out $FOLDER/d", 0, "warning");
  assert_non_null(strstr(words, "the report could not be written"));
  assert_non_null(strstr(words, "Done at 1 s"));
  assert_true(exists("d/run.json"));
}

static void wrong_options_are_told(void** state)
{
  (void)state;
  assertSays("view a.h5 --size 100", 2, "--size needs WIDTHxHEIGHT, e.g. 1280x720, not '100'");
  assertSays("view a.h5 --size 100xy", 2, "--size needs WIDTHxHEIGHT");
  assertSays("view a.h5 --camera 1,2", 2, "--camera needs a direction to look from, e.g. 1,-2,1, not '1,2'");
  assertSays("view a.h5 --time soon", 2, "--time needs a number, not 'soon'");
  assertSays("view a.h5 --fps", 2, "--fps needs a value");
  assertSays("view a.h5 --fps 0", 2, "--fps needs a number above 0, not '0'");
  assertSays("view a.h5 --speed -1", 2, "--speed needs a number above 0, not '-1'");
  assertSays("view a.h5 --size 0x9", 2, "--size needs WIDTHxHEIGHT");
  assert_int_equal(runTool("run examples/pendulum.lua --stop 1 --no-report --out $FOLDER/e"), 0);
  assertSays("view $FOLDER/e/result.h5 --png $FOLDER/x.png --size 9x9", 1,
             "found 9 pixels, allowed: 16 to 8192 pixels");
  assertSays("view $FOLDER/e/result.h5 --png $FOLDER/x.png --theme pink", 1, "there is no such theme");
  assertSays("view $FOLDER/e/result.h5 --png $FOLDER/x.png --show '<script>'", 1, "name=value&name=value");
  assert_false(exists("x.png"));
}

static void view_writes_gltf(void** state)
{
  (void)state;
  assert_int_equal(runTool("run examples/pendulum.lua --stop 1 --no-report --out $FOLDER/f"), 0);
  assertSays("view $FOLDER/f/result.h5 -o $FOLDER/scene.glb", 0, "scene.glb\n");
  char* bytes = crReadTestFile(crTestPath("scene.glb"), NULL);
  assert_memory_equal(bytes, "glTF", 4);
  free(bytes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(run_writes_a_report_and_names_it),
    cmocka_unit_test(no_report_is_written_when_none_is_wanted),
    cmocka_unit_test(view_writes_a_report_of_an_older_result),
    cmocka_unit_test(wrong_options_are_told),
    cmocka_unit_test(view_writes_gltf),
    cmocka_unit_test(view_shows_results_over_each_other),
    cmocka_unit_test(live_serves_until_it_is_told_to_end),
    cmocka_unit_test(a_report_that_cannot_be_written_does_not_fail_the_run),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
