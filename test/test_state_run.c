// carom run --save-state, --start: a run that goes on from a state is as accurate as an undisturbed one.
#include "carom/result.h"
#include "support/command.h"
#include "support/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char spring[] = "world(\"w\")\n"
                             "local m = object(\"m\", { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                             "scene{ gravity = { 0, 0, 0 } }\n"
                             "prismatic(\"slide\", \"w\", m, { axis = \"x\", start = 1, stiffness = 4 })\n";

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
  crAssertSays("$carom run spring.lua --stop 1.3 --tol 1e-10 --no-report --quiet --save-state half.json && "
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
  crAssertSays(
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
  crAssertSays("$carom run spring.lua --stop 1 --no-report --quiet --save-state s.json && "
               "sed 's/slide.position/slide.positoin/' s.json > t.json && "
               "$carom run spring.lua --no-report --quiet --start t.json",
               1, "t.json");
  assert_non_null(strstr(crAnswer.text, "slide.positoin"));
  assert_non_null(strstr(crAnswer.text, "did you mean 'slide.position'?"));
  crAssertSays("$carom run spring.lua --no-report --quiet --start nothing.json", 1, "nothing.json");
  crAssertSays("echo '{}' > empty.json; $carom run spring.lua --no-report --quiet --start empty.json", 1,
               "this is no state of a run");
  crAssertSays("$carom run spring.lua --stop 1 --no-report --quiet --save-state no/folder/s.json", 1,
               "no/folder/s.json");
  crAssertSays("test -e spring.run/run.json && rm -r spring.run; $carom run spring.lua --stop 1 --no-report --quiet "
               "--save-state no/folder/s.json; test ! -e spring.run",
               0, "s.json"); // told before the run
  crAssertSays("$carom run spring.lua --stop 0.5 --no-report --quiet --start s.json", 1, "stop time");
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
