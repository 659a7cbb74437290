// Copies of a running simulation go on as it does: branches from one point.
#include "support/saved_run.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#define COPIES 100

static crSimulation* start(const crModel* model, const crSavedPlan* plan)
{
  crSimulationOptions options = { .size = sizeof options,
                                  .stopTime = plan->stop,
                                  .interval = plan->stop / plan->intervals,
                                  .tolerance = plan->tolerance,
                                  .solver = plan->solver };
  crSimulation* simulation = NULL;
  assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
  return simulation;
}

// All variables; free it.
static double* readAll(crSimulation* simulation, const crModel* model, int* outCount)
{
  *outCount = crModel_GetSize(model).variableCount;
  double* values = malloc((size_t)*outCount * sizeof *values);
  assert_non_null(values);
  for (int i = 0; i < *outCount; ++i) {
    values[i] = crInstance_GetVariable(crSimulation_GetInstance(simulation), i) + 0.0;
  }
  return values;
}

static void assertAlike(crSimulation* a, crSimulation* b, const crModel* model)
{
  int count;
  double *x = readAll(a, model, &count), *y = readAll(b, model, &count);
  assert_memory_equal(x, y, (size_t)count * sizeof *x);
  free(x);
  free(y);
  crSimulationSummary s = crSimulation_GetSummary(a), t = crSimulation_GetSummary(b);
  assert_memory_equal(&s.solverStatistics, &t.solverStatistics, sizeof s.solverStatistics);
  assert_int_equal(s.contactCount, t.contactCount);
  assert_true(s.dissipated == t.dissipated && s.work == t.work && s.time == t.time);
}

static void compareCopies(const crSavedPlan* plan)
{
  crModel* model = crOpenSavedModel(plan);
  assert_non_null(model);
  crSimulation* simulation = start(model, plan);
  crSimulation* copies[COPIES];
  double half = 0.43 * plan->stop;
  assert_int_equal(crSimulation_Advance(simulation, half), cr_ok);
  for (int i = 0; i < COPIES; ++i) {
    assert_int_equal(crSimulation_Copy(simulation, NULL, NULL, &copies[i]), cr_ok);
    assertAlike(simulation, copies[i], model);
  }
  assert_int_equal(crSimulation_Advance(simulation, plan->stop), cr_ok);
  for (int i = 0; i < COPIES; ++i) { // side by side, and one after the other
    assert_int_equal(crSimulation_Advance(copies[i], i % 2 == 0 ? plan->stop : half), cr_ok);
  }
  for (int i = 0; i < COPIES; ++i) {
    assert_int_equal(crSimulation_Advance(copies[i], plan->stop), cr_ok);
    assertAlike(simulation, copies[i], model);
    crDestroySimulation(copies[i]);
  }
  crDestroySimulation(simulation);
  crDestroyModel(model);
}

static void a_hundred_copies_go_on_alike(void** state)
{
  (void)state;
  compareCopies(&(crSavedPlan){ .file = "examples/billiards.lua", .stop = 0.5, .intervals = 10 });
  compareCopies(&(crSavedPlan){ .file = "examples/four_bar.lua", .stop = 1.0, .intervals = 10 });
  if (crTestHasSolver(cr_solverIda)) {
    compareCopies(&(crSavedPlan){
        .file = "examples/inverted_pendulum.lua", .stop = 0.5, .intervals = 10, .solver = cr_solverIda });
  }
}

// A run that at many points goes on as a copy of itself, the original being destroyed.
static void copies_of_copies_are_the_run_itself(void** state)
{
  (void)state;
  static const crSavedPlan plans[] = {
    { .file = "bench/scenes/ball_box.lua", .stop = 0.05, .intervals = 50, .settings = { { "n", "100" } } },
    { .file = "bench/scenes/pile.lua",
      .stop = 0.1,
      .intervals = 40,
      .tolerance = 1e-3,
      .settings = { { "n", "100" } } },
    { .file = "examples/newtons_cradle.lua", .stop = 0.5, .intervals = 30 },
    { .file = "examples/andrews.lua", .stop = 0.05, .intervals = 30 },
    { .file = "examples/pendulum.lua", .stop = 2.0, .intervals = 30, .solver = cr_solverCvodeBdf },
    { .text = CR_SWINGS, .stop = 0.2, .intervals = 40, .tolerance = 1e-5, .setsInputs = true },
  };
  crRandom random = crMakeRandom(5);
  for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
    int points[10];
    if (!crHasSavedSolver(&plans[i])) {
      continue;
    }
    for (int k = 0; k < 10; ++k) {
      points[k] = (int)crRandom_Uniform(&random, 0, plans[i].intervals);
    }
    crModel* model = crOpenSavedModel(&plans[i]);
    assert_non_null(model);
    crSavedRun copied = crRunSaved(model, &plans[i], 2, points, 10, true),
               plain = crRunSaved(model, &plans[i], 1, points, 0, true);
    assert_int_equal(plain.status, cr_ok);
    assert_int_equal(crCompareSaved(&plain, &copied, 0), -1);
    crSavedRun_Free(&plain);
    crSavedRun_Free(&copied);
    crDestroyModel(model);
  }
}

// A copy takes its memory from its own allocator, and outlives the original.
static void a_copy_stands_alone(void** state)
{
  (void)state;
  const crSavedPlan plan = { .file = "examples/bouncing_ball.lua", .stop = 1.0, .intervals = 10 };
  crModel* model = crOpenSavedModel(&plan);
  crSimulation *simulation = start(model, &plan), *copy = NULL;
  assert_int_equal(crSimulation_Advance(simulation, 0.5), cr_ok);
  assert_int_equal(crSimulation_Copy(simulation, NULL, NULL, &copy), cr_ok);
  crDestroySimulation(simulation);
  assert_int_equal(crSimulation_Advance(copy, 1.0), cr_ok);
  assert_true(crSimulation_GetTime(copy) == 1.0);
  crDestroySimulation(copy);
  crDestroyModel(model);
}

// Starting islands closes loops once more: the run showed another last bit before its first step than its copies did.
static void copies_before_the_first_step_show_what_the_run_shows(void** state)
{
  (void)state;
  static const crSavedPlan plans[] = {
    { .file = "examples/scissor_lift.lua", .stop = 0.2, .intervals = 10 },
    { .file = "examples/wishbone.lua", .stop = 0.2, .intervals = 10 },
    { .file = "bench/scenes/wheel_rig.lua", .stop = 0.1, .intervals = 10 },
    { .text = CR_SWINGS, .stop = 0.04, .intervals = 10, .tolerance = 1e-4 },
  };
  for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
    crModel* model = crOpenSavedModel(&plans[i]);
    crSimulation *simulation = start(model, &plans[i]), *copy = NULL;
    assert_int_equal(crSimulation_Copy(simulation, NULL, NULL, &copy), cr_ok);
    assertAlike(simulation, copy, model);
    assert_int_equal(crSimulation_Advance(simulation, 0.7 * plans[i].stop), cr_ok);
    assert_int_equal(crSimulation_Advance(copy, 0.7 * plans[i].stop), cr_ok);
    assertAlike(simulation, copy, model);
    crDestroySimulation(copy);
    crDestroySimulation(simulation);
    crDestroyModel(model);
  }
}

// An input that was set has not been taken up by islands before the next step.
static void copies_between_an_input_and_the_next_step_go_on_alike(void** state)
{
  (void)state;
  static const crSavedPlan plans[] = {
    { .file = "examples/inverted_pendulum.lua", .stop = 1.0, .intervals = 10 },
    { .file = "examples/inverted_pendulum.lua", .stop = 1.0, .intervals = 10, .solver = cr_solverCvodeBdf },
    { .text = CR_SWINGS, .stop = 0.1, .intervals = 10, .tolerance = 1e-4 },
  };
  for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
    if (!crHasSavedSolver(&plans[i])) {
      continue;
    }
    crModel* model = crOpenSavedModel(&plans[i]);
    crSimulation *simulation = start(model, &plans[i]), *copy = NULL;
    for (int k = 1; k <= 4; ++k) { // off the grid of output points
      double t = 0.237 * k * plans[i].stop;
      crSimulation* next = NULL;
      assert_int_equal(crSimulation_SetInput(simulation, 0, 0.01 * k), cr_ok);
      assert_int_equal(crSimulation_Copy(simulation, NULL, NULL, &next), cr_ok);
      crDestroySimulation(copy);
      copy = next;
      assertAlike(simulation, copy, model);
      assert_int_equal(crSimulation_Advance(simulation, t), cr_ok);
      assert_int_equal(crSimulation_Advance(copy, t), cr_ok);
      assertAlike(simulation, copy, model);
    }
    crDestroySimulation(copy);
    crDestroySimulation(simulation);
    crDestroyModel(model);
  }
}

// Each allocation fails once: a status, nothing that stays behind, and the original goes on.
static void copies_that_find_no_memory_leave_nothing(void** state)
{
  (void)state;
  static const crSavedPlan plans[] = {
    { .file = "examples/bouncing_ball.lua", .stop = 1.0, .intervals = 10 },
    { .file = "examples/chain.lua",
      .stop = 0.05,
      .intervals = 10,
      .solver = cr_solverRadau5,
      .settings = { { "count", "60" } } },
    { .text = CR_SWINGS, .stop = 0.04, .intervals = 10, .tolerance = 1e-4 },
  };
  for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
    crModel* model = crOpenSavedModel(&plans[i]);
    crTestAllocator counter = { .failAt = -1 };
    crAllocator allocator = crTestAllocator_Make(&counter);
    crSimulation *simulation = start(model, &plans[i]), *copy = NULL;
    assert_int_equal(crSimulation_Advance(simulation, 0.6 * plans[i].stop), cr_ok);
    assert_int_equal(crSimulation_Copy(simulation, &allocator, NULL, &copy), cr_ok);
    long calls = counter.callCount, step = calls / 1000 + 1;
    crDestroySimulation(copy);
    assert_int_equal(counter.liveBlocks, 0);
    for (long failAt = 0; failAt < calls; failAt += failAt < 50 ? 1 : step) {
      counter = (crTestAllocator){ .failAt = failAt };
      assert_int_equal(crSimulation_Copy(simulation, &allocator, NULL, &copy), cr_errorMemory);
      assert_null(copy);
      assert_int_equal(counter.liveBlocks, 0);
    }
    crDestroySimulation(simulation);
    crDestroyModel(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_hundred_copies_go_on_alike),
    cmocka_unit_test(copies_of_copies_are_the_run_itself),
    cmocka_unit_test(a_copy_stands_alone),
    cmocka_unit_test(copies_before_the_first_step_show_what_the_run_shows),
    cmocka_unit_test(copies_between_an_input_and_the_next_step_go_on_alike),
    cmocka_unit_test(copies_that_find_no_memory_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
