// carom run --save-state, --start: a run that goes on from a state is as accurate as an undisturbed one.
#include "carom/result.h"
#include "support/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static const char spring[] = "world(\"w\")\n"
                             "local m = object(\"m\", { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                             "scene{ gravity = { 0, 0, 0 } }\n"
                             "prismatic(\"slide\", \"w\", m, { axis = \"x\", start = 1, stiffness = 4 })\n";

typedef struct Answer {
  int exitCode;
  char text[1 << 14];
} Answer;

static Answer answer;

// Runs a command in the folder of the test, where $carom is the tool and $models the examples.
static void call(const char* command)
{
  char whole[4096];
  snprintf(whole, sizeof whole, "cd '%s' && carom='%s' && models='%s/examples' && { %s; } 2>&1", crTestPath(""),
           CAROM_TOOL, CAROM_ROOT, command);
  FILE* pipe = popen(whole, "r");
  assert_non_null(pipe);
  size_t size = fread(answer.text, 1, sizeof answer.text - 1, pipe);
  answer.text[size] = '\0';
  int status = pclose(pipe);
  answer.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void assertSays(const char* command, int exitCode, const char* part)
{
  call(command);
  if (answer.exitCode != exitCode || strstr(answer.text, part) == NULL) {
    print_error("%s: exit %d, expected %d and '%s' in:\n%s\n", command, answer.exitCode, exitCode, part, answer.text);
    fail();
  }
}

static void readLast(const char* path, const char* name, double* outTime, double* outValue)
{
  crResult* result = NULL;
  assert_int_equal(crReadResult(path, NULL, NULL, &result), cr_ok);
  int column = crResult_FindColumn(result, name), last = crResult_CountRows(result) - 1;
  assert_true(column >= 0 && last >= 0);
  *outTime = crResult_GetTimes(result)[last];
  *outValue = crResult_GetValues(result, column)[last];
  crDestroyResult(result);
}

static void a_spring_goes_on_from_its_state_as_its_formula_says(void** state)
{
  (void)state;
  crWriteTestFile(crTestPath("spring.lua"), spring, strlen(spring));
  assertSays("$carom run spring.lua --stop 1.3 --tol 1e-10 --no-report --quiet --save-state half.json && "
             "$carom run spring.lua --stop 3 --tol 1e-10 --no-report --quiet --start half.json --out second.run",
             0, "");
  double time, value;
  readLast(crTestPath("second.run/result.h5"), "slide.position", &time, &value);
  assert_true(time == 3.0);
  assert_true(fabs(value - cos(6.0)) < 1e-8);
}

static void a_ball_that_bounces_goes_on_as_if_undisturbed(void** state)
{
  (void)state;
  assertSays(
      "$carom run $models/bouncing_ball.lua --stop 2 --no-report --quiet --out whole.run && "
      "$carom run $models/bouncing_ball.lua --stop 0.9 --no-report --quiet --out first.run --save-state s.json && "
      "$carom run $models/bouncing_ball.lua --stop 2 --no-report --quiet --out then.run --start s.json",
      0, "");
  double time, whole, then;
  readLast(crTestPath("whole.run/result.h5"), "elastic.position.z", &time, &whole);
  readLast(crTestPath("then.run/result.h5"), "elastic.position.z", &time, &then);
  assert_true(time == 2.0);
  assert_true(fabs(whole - then) < 1e-5);
}

static void states_that_do_not_fit_are_told_by_file_and_name(void** state)
{
  (void)state;
  crWriteTestFile(crTestPath("spring.lua"), spring, strlen(spring));
  assertSays("$carom run spring.lua --stop 1 --no-report --quiet --save-state s.json && "
             "sed 's/slide.position/slide.positoin/' s.json > t.json && "
             "$carom run spring.lua --no-report --quiet --start t.json",
             1, "t.json");
  assert_non_null(strstr(answer.text, "slide.positoin"));
  assert_non_null(strstr(answer.text, "did you mean 'slide.position'?"));
  assertSays("$carom run spring.lua --no-report --quiet --start nothing.json", 1, "nothing.json");
  assertSays("echo '{}' > empty.json; $carom run spring.lua --no-report --quiet --start empty.json", 1,
             "this is no state of a run");
  assertSays("$carom run spring.lua --stop 1 --no-report --quiet --save-state no/folder/s.json", 1, "no/folder/s.json");
  assertSays("$carom run spring.lua --stop 0.5 --no-report --quiet --start s.json", 1, "stop time");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_spring_goes_on_from_its_state_as_its_formula_says),
    cmocka_unit_test(a_ball_that_bounces_goes_on_as_if_undisturbed),
    cmocka_unit_test(states_that_do_not_fit_are_told_by_file_and_name),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
