// Runs with friction that sticks: islands, threads and solvers agree, and a pile comes to rest. That checkpoints carry
// bristles is part of test_checkpoint.
#include "support/island_run.h"
#include "support/stick.h"

#include <math.h>
#include <stdio.h>

// ------------------------------------------------------------------------------------------------- agreement

typedef struct Plan {
  crIslandPlan plan;
  double stop, tolerance;
  double apart; // [m] that runs by different ways may be
} Plan;

static const Plan plans[] = {
  { { .file = "bench/scenes/stick_block.lua", .settings = { { "load", "ramp" } } }, 3.0, 1e-8, 1e-8 },
  { { .file = "bench/scenes/stick_block.lua", .settings = { { "angle", "14" } } }, 10.0, 1e-8, 1e-9 },
  { { .file = "bench/scenes/stick_grip.lua" }, 2.0, 1e-8, 1e-8 },
  { { .file = "bench/scenes/stick_stack.lua" }, 10.0, 1e-8, 1e-9 },
  { { .file = "bench/scenes/stick_parcels.lua", .settings = { { "n", "3" } } }, 0.4, 1e-8, 1e-6 },
};
#define PLANS ((int)(sizeof plans / sizeof *plans))

static void islands_on_and_off_agree(void** state)
{
  (void)state;
  for (int i = 0; i < PLANS; ++i) {
    crModel* model = crOpenIslandModel(&plans[i].plan);
    crSimulationOptions options = crIslandOptions(plans[i].stop, plans[i].tolerance);
    crIslandRun on = crRunIslands(model, &options);
    options.islands = cr_islandsOff;
    crIslandRun off = crRunIslands(model, &options);
    assert_int_equal(on.status, cr_ok);
    assert_int_equal(off.status, cr_ok);
    printf("%s: %.1e m apart\n", plans[i].plan.file, crCompareEnds(&on, &off));
    assert_true(crCompareEnds(&on, &off) <= plans[i].apart);
    crAssertEventsAreSound(&on);
    crIslandRun_Free(&on);
    crIslandRun_Free(&off);
    crDestroyModel(model);
  }
}

static void solvers_agree(void** state)
{
  (void)state;
  for (int i = 0; i < PLANS; ++i) {
    crModel* model = crOpenIslandModel(&plans[i].plan);
    crSimulationOptions options = crIslandOptions(plans[i].stop, plans[i].tolerance);
    for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
      bool isSlow = plans[i].stop >= 10.0 && kind != cr_solverRadau5; // for explicit and multistep methods
      options.stopTime = isSlow ? 0.2 : plans[i].stop;
      options.interval = options.stopTime;
      options.solver = cr_solverAuto;
      crIslandRun reference = crRunIslands(model, &options);
      options.solver = (crSolverKind)kind;
      crIslandRun run = crRunIslands(model, &options);
      printf("%s by %s: %.1e m apart, %lld evaluations\n", plans[i].plan.file,
             crGetSolverInfo((crSolverKind)kind)->name, crCompareEnds(&reference, &run),
             (long long)run.summary.solverStatistics.evaluations);
      assert_int_equal(run.status, cr_ok);
      assert_true(crCompareEnds(&reference, &run) <= 10.0 * plans[i].apart);
      crIslandRun_Free(&run);
      crIslandRun_Free(&reference);
    }
    crDestroyModel(model);
  }
}

static void threads_change_no_bit(void** state)
{
  (void)state;
  static const crIslandPlan both[] = {
    { .file = "bench/scenes/stick_parcels.lua" },
    { .file = "bench/scenes/stick_pile.lua", .settings = { { "E", "1e7" } } },
  };
  static const double stops[] = { 3.0, 0.06 };
  for (int i = 0; i < 2; ++i) {
    crModel* model = crOpenIslandModel(&both[i]);
    crSimulationOptions options = crIslandOptions(stops[i], 1e-4);
    options.interval = stops[i] / 20;
    crIslandRun one = crRunIslands(model, &options);
    assert_int_equal(one.status, cr_ok);
    for (int threads = 2; threads <= 4; threads *= 2) {
      options.threads = threads;
      crIslandRun many = crRunIslands(model, &options);
      crAssertSameRuns(&one, &many);
      crIslandRun_Free(&many);
    }
    crIslandRun_Free(&one);
    crDestroyModel(model);
  }
}

// ------------------------------------------------------------------------------------------------------ rest

static double findFastest(const crTestRun* run, int count)
{
  double fastest = 0.0;
  for (int i = 0; i < count; ++i) {
    char name[16];
    snprintf(name, sizeof name, "ball%d", i);
    fastest = fmax(fastest, crLength(crTestRun_Motion(run, name).v));
  }
  return fastest;
}

static void piles_come_to_rest(void** state)
{
  (void)state;
  crTestRun run =
      crOpenStick("stick_pile.lua", (crSetting[]){ { "E", "1e7" }, { NULL, NULL } }, 1e-5, 101.0, cr_solverDefault);
  crTestRun_Advance(&run, 1.0);
  crSimulationSummary fallen = crSimulation_GetSummary(run.simulation);
  double fastest = findFastest(&run, 100);
  crVec3 place = crTestRun_Pose(&run, "ball50").p;
  crTestRun_Advance(&run, 101.0);
  crSimulationSummary rested = crSimulation_GetSummary(run.simulation);
  int64_t evaluations = rested.solverStatistics.evaluations - fallen.solverStatistics.evaluations;
  printf("pile: 1 s %lld evaluations, %.1f s CPU, fastest %.1e m/s; 100 s more %lld evaluations, %lld Jacobians, "
         "%.2f s CPU\n",
         (long long)fallen.solverStatistics.evaluations, fallen.cpuSeconds, fastest, (long long)evaluations,
         (long long)(rested.solverStatistics.jacobians - fallen.solverStatistics.jacobians),
         rested.cpuSeconds - fallen.cpuSeconds);
  assert_true(fastest <= 1e-6);
  assert_true(findFastest(&run, 100) <= 1e-9);
  assert_vec_close(crTestRun_Pose(&run, "ball50").p, place, 1e-6);
  assert_true(evaluations <= 200);
  crCloseTestRun(&run);
}

// Two dozen make a crowd at this tolerance, which swung between two methods for ever.
static void crowds_at_rest_take_one_long_step_after_another(void** state)
{
  (void)state;
  crTestRun run = crOpenStick("stick_stack.lua", (crSetting[]){ { "n", "24" }, { "offset", "0.001" }, { NULL, NULL } },
                              1e-4, 100.0, cr_solverDefault);
  crVec3 place = crTestRun_Pose(&run, "b24").p;
  crTestRun_Advance(&run, 100.0);
  crSimulationSummary summary = crSimulation_GetSummary(run.simulation);
  printf("24 boxes at rest, 100 s: %lld evaluations\n", (long long)summary.solverStatistics.evaluations);
  assert_true(summary.solverStatistics.evaluations <= 2000);
  assert_vec_close(crTestRun_Pose(&run, "b24").p, place, 1e-9);
  crCloseTestRun(&run);
}

// Opening a run fails the test where anything is said: all of these start without a word, and hold.
static void what_can_rest_is_not_said_to_move(void** state)
{
  (void)state;
  const char* head = "solidMaterial('S', { density = 1000, E = 1e8, nu = 0.3 })\n"
                     "local room = world('room')\n";
  const char* bodies[] = {
    // a ball beside the seam of two plates, held by rolling friction
    "contactPair('S', 'S', { cor = 0.3, muK = 0.3, muR = 0.1 })\n"
    "local slope = object('slope', { parent = room, rotation = { 0, 0.05, 0 } })\n"
    "for i, y in ipairs{ -0.5, 0.5 } do object('t' .. i, { parent = slope, position = { 0, y, -0.05 },"
    " solid{ shape = box{ size = { 2, 1, 0.1 } }, contact = 'S' } }) end\n"
    "object('b', { parent = slope, position = { 0, 0.001, 0.05 }, free = true, start = 'rest',"
    " solid{ shape = sphere{ radius = 0.05 }, material = 'S', contact = 'S' } })",
    // one on a plane without friction but that of rolling
    "contactPair('S', 'S', { cor = 0.3, muK = 0, muR = 0.1 })\n"
    "object('floor', { parent = room, solid{ shape = halfSpace{}, contact = 'S' } })\n"
    "object('b', { parent = room, position = { 0, 0, 0.05 }, free = true, start = 'rest',"
    " solid{ shape = sphere{ radius = 0.05 }, material = 'S', contact = 'S' } })",
    // a box on a belt, which carries it away
    "contactPair('S', 'S', { cor = 0.3, muK = 0.3, muR = 0 })\n"
    "object('belt', { parent = room, solid{ shape = halfSpace{}, contact = 'S', surfaceVelocity = { 0.2, 0, 0 } } })\n"
    "object('b', { parent = room, position = { 0, 0, 0.05 }, free = true, start = 'rest',"
    " solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, material = 'S', contact = 'S' } })",
  };
  for (int i = 0; i < 3; ++i) {
    char text[2048];
    snprintf(text, sizeof text, "scene{ friction = 'stick' }\n%s%s", head, bodies[i]);
    crTestRun run = crOpenTestText(text, 1.0, 1e-6, cr_solverDefault);
    crVec3 place = crTestRun_Pose(&run, "b").p;
    crTestRun_Advance(&run, 1.0);
    crVec3 way = crSub(crTestRun_Pose(&run, "b").p, place);
    assert_true(i == 2 ? fabs(way.x - 0.2) < 0.02 : crLength(way) < 1e-9);
    crCloseTestRun(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(islands_on_and_off_agree),
    cmocka_unit_test(solvers_agree),
    cmocka_unit_test(threads_change_no_bit),
    cmocka_unit_test(piles_come_to_rest),
    cmocka_unit_test(what_can_rest_is_not_said_to_move),
    cmocka_unit_test(crowds_at_rest_take_one_long_step_after_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
