// Islands of few bodies, each on its own clock: they agree with one step for all, with closed forms, and with
// themselves however they are asked.
#include "support/island_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    { "examples/robot_arm.lua", 0.5, 5e-6 },         { "examples/rolling_ball.lua", 2.0, 1e-6 },
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
    assert_int_equal(off.summary.islandCount, 1);
    assert_int_equal(off.summary.mergeCount + off.summary.splitCount, 0);
    assert_int_equal(on.summary.contactCount, off.summary.contactCount);
    if (!(crCompareEnds(&on, &off) <= e->bound)) {
      fail_msg("%s: %g m", e->file, crCompareEnds(&on, &off));
    }
    crIslandRun_Free(&off);
    crIslandRun_Free(&on);
    crDestroyModel(model);
  }
}

// [m] Largest difference of a coordinate from bench/references.txt.
static double findReferenceError(const crIslandRun* run, const char* name)
{
  char line[256], word[96], object[96];
  double x, y, z, worst = 0.0;
  int count = 0;
  bool isInside = false;
  FILE* file = fopen(CAROM_ROOT "/bench/references.txt", "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "reference %95s", word) == 1) {
      isInside = strcmp(word, name) == 0;
    } else if (isInside && line[0] != '#' && sscanf(line, "%95s %lf %lf %lf", object, &x, &y, &z) == 4) {
      crVec3 d = crSub(crIslandRun_Place(run, object), crMakeVec3(x, y, z));
      worst = fmax(worst, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
      ++count;
    }
  }
  fclose(file);
  assert_true(count > 0);
  return worst;
}

static void billiards_converge_to_the_reference(void** state)
{
  (void)state;
  const double tolerances[] = { 1e-6, 1e-7, 1e-8, 1e-9, 1e-10 }, bounds[] = { 1e-4, 1e-5, 1e-6, 1e-7, 1e-8 };
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .file = "bench/scenes/billiards16.lua" });
  for (int i = 0; i < 5; ++i) {
    crSimulationOptions options = crIslandOptions(5.0, tolerances[i]);
    crIslandRun run = crRunIslands(model, &options);
    assert_true(findReferenceError(&run, "billiards16") < bounds[i]);
    crAssertEventsAreSound(&run);
    crIslandRun_Free(&run);
  }
  crDestroyModel(model);
}

// ----------------------------------------------------------------------------------------- independence

static crModel* openBouncing(const char* n, int first, int last)
{
  char firstText[16], lastText[16];
  snprintf(firstText, sizeof firstText, "%d", first);
  snprintf(lastText, sizeof lastText, "%d", last);
  return crOpenIslandModel(&(crIslandPlan){ .file = "bench/scenes/bouncing_balls.lua",
                                            .settings = { { "n", n }, { "first", firstText }, { "last", lastText } } });
}

// All of them: steps were once chosen by depths that others had evaluated last, which changed the last digits of some.
static void each_of_many_balls_moves_as_it_does_alone(void** state)
{
  (void)state;
  const char* counts[] = { "8", "80" };
  for (int k = 0; k < 2; ++k) { // few shapes, and so many that there are rounds
    crModel* all = openBouncing(counts[k], 1, 0);
    crSimulationOptions options = crIslandOptions(1.0, 1e-8);
    crIslandRun together = crRunIslands(all, &options);
    const double* states = together.states + (together.rowCount - 1) * together.stateCount;
    int count = atoi(counts[k]);
    double steps = 0.0;
    for (int i = 0; i < count; ++i) {
      crModel* one = openBouncing(counts[k], i + 1, i + 1);
      crIslandRun alone = crRunIslands(one, &options);
      const double* own = alone.states + (alone.rowCount - 1) * alone.stateCount;
      assert_memory_equal(states + i * alone.stateCount, own, (size_t)alone.stateCount * sizeof(double));
      steps += (double)alone.summary.solverStatistics.steps;
      crIslandRun_Free(&alone);
      crDestroyModel(one);
    }
    assert_int_equal(together.summary.islandCount, count);
    assert_close((double)together.summary.solverStatistics.steps, steps, 0.05 * steps);
    crIslandRun_Free(&together);
    crDestroyModel(all);
  }
}

// ------------------------------------------------------------------------------------------------ pieces

// However often it is asked, and when.
static void the_state_at_a_time_does_not_depend_on_other_times(void** state)
{
  (void)state;
  const char* files[] = { "examples/billiards.lua", "examples/four_cubes.lua", "examples/gripper.lua",
                          "examples/dominoes.lua" };
  for (int k = 0; k < 4; ++k) {
    crModel* model = crOpenIslandModel(&(crIslandPlan){ .file = files[k] });
    crSimulationOptions options = crIslandOptions(0.24, 1e-7);
    options.interval = 0.04;
    crIslandRun whole = crRunIslands(model, &options);
    crRandom random = crMakeRandom(5);
    crSimulation* simulation = NULL;
    assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
    double t = 0.0, *y = calloc((size_t)whole.stateCount, sizeof *y);
    assert_non_null(y);
    for (int row = 1; row < whole.rowCount; ++row) {
      while (t < whole.times[row]) {
        t = fmin(whole.times[row], t + pow(10.0, crRandom_Uniform(&random, -5.0, -1.0)));
        assert_int_equal(crSimulation_Advance(simulation, t), cr_ok);
        assert_int_equal(crSimulation_Advance(simulation, t), cr_ok);
      }
      crInstance_GetState(crSimulation_GetInstance(simulation), crModel_GetAllTrees(model), y);
      assert_memory_equal(y, whole.states + row * whole.stateCount, (size_t)whole.stateCount * sizeof *y);
    }
    crSimulationSummary summary = crSimulation_GetSummary(simulation);
    assert_int_equal(summary.contactCount, whole.summary.contactCount);
    assert_int_equal(summary.solverStatistics.steps, whole.summary.solverStatistics.steps);
    free(y);
    crDestroySimulation(simulation);
    crIslandRun_Free(&whole);
    crDestroyModel(model);
  }
}

// ------------------------------------------------------------------------------------------------ at rest

#define MATTER                                                                                                         \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "contactPair('Rubber', 'Rubber', { cor = 0.5, muK = 0.4, muR = 0.01 })\n"

#define FLOOR MATTER "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"

static void what_rests_takes_few_steps_and_still_wakes(void** state)
{
  (void)state;
  // thrown up with v, the late ball comes back after 2 v / g
  const char* text =
      FLOOR "for i = 0, 2 do object('box' .. i, { parent = room, free = true, position = { 0, 0, 0.05 + 0.1 * i },\n"
            "  start = 'rest', solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, contact = 'Rubber', material = 'Rubber' "
            "} }) end\n"
            "object('ball', { parent = room, free = true, position = { 1, 0, 0.05 }, start = 'rest',\n"
            "  solid{ shape = sphere{ radius = 0.05 }, contact = 'Rubber', material = 'Rubber' } })\n"
            "object('late', { parent = room, free = true, position = { 1, 0, 0.2 }, velocity = { 0, 0, 490.5 },\n"
            "  solid{ shape = sphere{ radius = 0.05 }, contact = 'Rubber', material = 'Rubber' } })\n";
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  crSimulationOptions options = crIslandOptions(100.00015, 1e-8); // rubber at this speed would not be held for long
  crIslandRun run = crRunIslands(model, &options);
  assert_true(run.summary.solverStatistics.steps < 400);
  assert_close(crIslandRun_Place(&run, "box2").z, 0.25, 1e-3);
  const crContactRecord* last = NULL;
  for (int i = 0; i < run.eventCount && last == NULL; ++i) {
    last = run.events[i].phase == cr_contactBegin && run.events[i].time > 1.0 ? &run.events[i] : NULL;
  }
  assert_non_null(last);
  // 0.2 + 490.5 t - 4.905 t^2 = height of both centres apart by 0.1
  double top = 0.1 + 0.05; // less the depth of the ball at rest
  double t = (490.5 + sqrt(490.5 * 490.5 + 2.0 * 9.81 * (0.2 - top))) / 9.81;
  assert_close(last->time, t, 1e-6);
  crIslandRun_Free(&run);
  crDestroyModel(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(examples_agree_with_one_step_for_all),
    cmocka_unit_test(billiards_converge_to_the_reference),
    cmocka_unit_test(each_of_many_balls_moves_as_it_does_alone),
    cmocka_unit_test(the_state_at_a_time_does_not_depend_on_other_times),
    cmocka_unit_test(what_rests_takes_few_steps_and_still_wakes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
