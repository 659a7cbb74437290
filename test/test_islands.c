// Islands of few bodies, each on its own clock: they agree with one step for all, with closed forms, and with
// themselves however they are asked.
#include "support/island_run.h"

// ------------------------------------------------------------------------------------ one step for all

typedef struct Example {
  const char* file;
  double time;  // [s] before small differences grow
  double bound; // [m] at tolerance 1e-8
} Example;

static void examples_agree_with_one_step_for_all(void** state)
{
  (void)state;
  static const Example examples[] = {
    { "examples/billiards.lua", 1.0, 2e-6 },         { "examples/bouncing_ball.lua", 1.5, 2e-6 },
    { "examples/bouncing_box.lua", 0.3, 1e-8 },      { "examples/cushion.lua", 1.0, 2e-7 },
    { "examples/dominoes.lua", 0.2, 1e-7 },          { "examples/double_pendulum_obstacle.lua", 1.0, 1e-6 },
    { "examples/four_cubes.lua", 1.0, 2e-7 },        { "examples/gripper.lua", 1.0, 1e-7 },
    { "examples/marble_run.lua", 1.0, 2e-6 },        { "examples/newtons_cradle.lua", 1.0, 1e-8 },
    { "examples/pendulum_obstacle.lua", 1.0, 1e-7 }, { "examples/rattleback.lua", 1.0, 1e-7 },
    { "examples/robot_arm.lua", 0.5, 5e-6 },         { "examples/rolling_ball.lua", 2.0, 1e-7 },
    { "examples/super_objects.lua", 1.0, 1e-12 },    { "examples/two_balls.lua", 1.0, 1e-6 },
  };
  for (size_t i = 0; i < sizeof examples / sizeof *examples; ++i) {
    const Example* e = &examples[i];
    crModel* model = crOpenIslandModel(&(crIslandPlan){ .file = e->file });
    crSimulationOptions options = crIslandOptions(e->time, 1e-8);
    crIslandRun on = crRunIslands(model, &options);
    assert_true(on.summary.islandCount > 0);
    crAssertEventsAreSound(&on);
    crAssertContactsAreWhole(&on, 1e-7);
    options.islands = cr_islandsOff;
    crIslandRun off = crRunIslands(model, &options);
    assert_int_equal(off.summary.islandCount, 0);
    assert_int_equal(on.summary.contactCount, off.summary.contactCount);
    if (!(crCompareEnds(&on, &off) <= e->bound)) {
      fail_msg("%s: %g m", e->file, crCompareEnds(&on, &off));
    }
    crIslandRun_Free(&off);
    crIslandRun_Free(&on);
    crDestroyModel(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(examples_agree_with_one_step_for_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
