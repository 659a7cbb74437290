// Islands when something fails: functions, steps, memory, and the wish to stop.
#include "support/island_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOOR                                                                                                          \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "contactPair('Rubber', 'Rubber', { cor = 0.7, muK = 0.3, muR = 0 })\n"                                               \
  "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"                                 \
  "local function ball(name, position, velocity)\n"                                                                    \
  "  return object(name, { parent = room, free = true, position = position, velocity = velocity,\n"                    \
  "    solid{ shape = sphere{ radius = 0.05 }, material = 'Rubber', contact = 'Rubber' } })\n"                         \
  "end\n"

#define MANY "for i = 1, 70 do ball('far' .. i, { 100 + i, 0, 0.06 + 0.001 * i }) end\n"

// ---------------------------------------------------------------------------------------------- messages

// Runs a text that must fail at about t, and say so; small, and in rounds.
static void assertFails(const char* text, double stop, double t, const char* says)
{
  const char* starts[2] = { FLOOR, FLOOR MANY };
  for (int i = 0; i < 2; ++i) {
    char whole[4096];
    snprintf(whole, sizeof whole, "%s%s", starts[i], text);
    crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = whole });
    crSimulationOptions options = crIslandOptions(stop, 1e-7);
    options.interval = 0.01;
    crIslandRun run = crRunIslandsUntil(model, &options, 0);
    assert_int_equal(run.status, cr_failNumerics);
    assert_int_equal(run.end, cr_runFailed);
    assert_message(run.log, cr_severityError, says);
    assert_int_equal(crErrorLog_CountOf(run.log, cr_severityError), 1);
    assert_true(run.rowCount > 1 && run.times[run.rowCount - 1] <= t + 1e-6);
    assert_true(run.times[run.rowCount - 1] > t - 0.1);
    assert_int_equal(crSimulation_Advance(run.simulation, stop), cr_errorMisuse);
    crIslandRun_Free(&run);
    crDestroyModel(model);
  }
}

static void a_function_that_fails_is_named(void** state)
{
  (void)state;
  assertFails("local a = ball('a', { 0, 0, 0.2 }) ball('b', { 1, 0, 0.3 })\n"
              "force('wind', a, { force = { 1, 0, 0 }, factor = userFunction('gust', { inputs = {},\n"
              "  code = 'if time > 0.3 then error(\"calm\") end return 1' }) })\n",
              0.6, 0.3, "gust");
  assertFails("local a = ball('a', { 0, 0, 0.2 }) ball('b', { 1, 0, 0.3 })\n"
              "force('wind', a, { force = { 1, 0, 0 }, factor = userFunction('gust', { inputs = {},\n"
              "  code = 'return math.sqrt(0.3 - time)' }) })\n",
              0.6, 0.3, "gust");
}

static void a_sampled_function_that_fails_is_named(void** state)
{
  (void)state;
  assertFails("local a = ball('a', { 0, 0, 0.2 }) ball('b', { 1, 0, 0.3 })\n"
              "force('wind', a, { force = { 1, 0, 0 }, factor = sampled('gust', { period = 0.01,\n"
              "  code = 'if time > 0.295 then error(\"calm\") end return 1' }) })\n",
              0.6, 0.3, "gust");
}

static void steps_that_collapse_are_reported_with_the_body(void** state)
{
  (void)state;
  assertFails("local a = ball('a', { 0, 0, 0.2 }) ball('b', { 1, 0, 0.3 })\n"
              "force('wind', a, { force = { 0, 0, 1 }, factor = userFunction('gust', { inputs = {},\n"
              "  code = 'return math.abs(0.3 - time)^-2' }) })\n",
              0.6, 0.3, "'a'");
}

// ---------------------------------------------------------------------------------------------- stopping

static void a_wish_to_stop_is_granted_soon(void** state)
{
  (void)state;
  const char* counts[2] = { "16", "200" };
  for (int i = 0; i < 2; ++i) {
    crModel* model =
        crOpenIslandModel(&(crIslandPlan){ .file = "bench/scenes/ball_box.lua", .settings = { { "n", counts[i] } } });
    for (long stopAfter = 1; stopAfter < 30; stopAfter += 9) {
      crSimulationOptions options = crIslandOptions(10.0, 1e-8);
      crIslandRun run = crRunIslandsUntil(model, &options, stopAfter);
      assert_int_equal(run.status, cr_ok);
      assert_int_equal(run.end, cr_runStopped);
      assert_int_equal(run.questions, stopAfter);
      assert_true(run.summary.time < 0.5);
      assert_true(run.summary.solverStatistics.steps < 40 * atoi(counts[i]) * stopAfter);
      crIslandRun_Free(&run);
    }
    crDestroyModel(model);
  }
}

// ------------------------------------------------------------------------------------------------ memory

// Runs with an allocator that fails at one call; true: it was not reached. A simulation that failed is of no use, but
// must not harm.
static bool runShortOfMemory(const crModel* model, const crSimulationOptions* options, long failAt)
{
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  counter.failAt = failAt;
  crSimulation* simulation = NULL;
  crRunEnd end;
  crStatus status = crCreateSimulation(model, options, &allocator, NULL, &simulation);
  if (status == cr_ok) {
    status = crSimulation_Run(simulation, NULL, &end);
    assert_int_equal(end, status == cr_ok ? cr_runComplete : cr_runFailed);
    if (status != cr_ok) {
      crSimulation_GetSummary(simulation);
      crSimulation_Advance(simulation, options->stopTime);
    }
  } else {
    assert_null(simulation);
  }
  if (status != cr_ok && status != cr_errorMemory) {
    fail_msg("call %ld: %s", failAt, crStatus_GetText(status));
  }
  crDestroySimulation(simulation);
  assert_int_equal(counter.liveBlocks, 0);
  assert_int_equal(counter.liveBytes, 0);
  return counter.callCount <= failAt;
}

static void sweepMemory(const crIslandPlan* plan, double stop, double tolerance, long stride)
{
  crModel* model = crOpenIslandModel(plan);
  crSimulationOptions options = crIslandOptions(stop, tolerance);
  long failAt = 0;
  while (!runShortOfMemory(model, &options, failAt)) {
    failAt += stride;
  }
  assert_true(failAt > 50);
  crDestroyModel(model);
}

static void without_memory_nothing_leaks(void** state)
{
  (void)state;
  sweepMemory(&(crIslandPlan){ .file = "examples/billiards.lua" }, 0.35, 1e-6, 3);
  sweepMemory(&(crIslandPlan){ .text = FLOOR "ball('a', { 0, 0, 0.06 }) ball('b', { 0.02, 0, 0.2 })\n" MANY }, 0.05,
              1e-5, 11);
  sweepMemory(&(crIslandPlan){ .file = "bench/scenes/pile.lua", .settings = { { "n", "27" } } }, 0.1, 1e-3, 1);
  sweepMemory(&(crIslandPlan){ .file = "bench/scenes/pile.lua", .settings = { { "n", "64" } } }, 0.2, 1e-3, 1);
}

// Memory that is short once, and then there is some again.
typedef struct Short {
  crTestAllocator counter;
  crAllocator inner;
} Short;

static void* reallocateButOnce(void* context, void* block, size_t oldSize, size_t newSize)
{
  Short* memory = context;
  void* moved = memory->inner.reallocate(memory->inner.context, block, oldSize, newSize);
  if (moved == NULL && newSize > 0) {
    memory->counter.failAt = -1;
  }
  return moved;
}

// The end of a run that is short of memory at one call, or never (-1). Returns how many calls there were; 0: it failed.
static long runShortOnce(const crModel* model, const crSimulationOptions* options, long failAt, double* outEnd)
{
  Short memory;
  memory.inner = crTestAllocator_Make(&memory.counter);
  memory.counter.failAt = failAt;
  crAllocator allocator = { reallocateButOnce, &memory };
  crSimulation* simulation = NULL;
  crRunEnd end;
  crStatus status = crCreateSimulation(model, options, &allocator, NULL, &simulation);
  status = status == cr_ok ? crSimulation_Run(simulation, NULL, &end) : status;
  if (status == cr_ok) {
    crInstance_GetState(crSimulation_GetInstance(simulation), crModel_GetAllTrees(model), outEnd);
  }
  crDestroySimulation(simulation);
  assert_true(status == cr_ok || status == cr_errorMemory);
  return status == cr_ok ? memory.counter.callCount : 0;
}

// A round that is taken again from its start, since one body left its room, while there was no memory to keep what
// another one had: that one once went on without its contacts, through the floor, and nobody was told.
static void a_round_that_is_short_of_memory_comes_back_whole_or_is_told(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(
      &(crIslandPlan){ .text = FLOOR MANY "local a = ball('a', { 0, 0, 1 })\n"
                                          "force('push', a, { force = { 200, 0, 0 }, factor = userFunction('shake', {\n"
                                          "  inputs = {}, code = 'return 250 * math.cos(600 * time)' }) })\n" });
  crSimulationOptions options = crIslandOptions(0.1, 1e-4);
  size_t count = (size_t)crModel_CountStates(model, crModel_GetAllTrees(model));
  double *truth = calloc(count, sizeof *truth), *end = calloc(count, sizeof *end);
  long callCount = runShortOnce(model, &options, -1, truth), wholeCount = 0;
  assert_true(callCount > 1000);
  for (long failAt = callCount - 1; failAt >= 0; failAt -= 5) {
    if (runShortOnce(model, &options, failAt, end) > 0) {
      assert_memory_equal(end, truth, count * sizeof *end);
      ++wholeCount;
    }
  }
  assert_true(wholeCount > 50);
  free(end);
  free(truth);
  crDestroyModel(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_function_that_fails_is_named),
    cmocka_unit_test(a_sampled_function_that_fails_is_named),
    cmocka_unit_test(steps_that_collapse_are_reported_with_the_body),
    cmocka_unit_test(a_wish_to_stop_is_granted_soon),
    cmocka_unit_test(without_memory_nothing_leaks),
    cmocka_unit_test(a_round_that_is_short_of_memory_comes_back_whole_or_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
