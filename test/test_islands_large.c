// Islands of models with so many shapes that they are run in rounds, and crowds, whose contacts change inside steps.
#include "model/model.h"
#include "support/island_run.h"

#include <stdio.h>
#include <stdlib.h>

static crModel* openBallBox(const char* n)
{
  return crOpenIslandModel(&(crIslandPlan){ .file = "bench/scenes/ball_box.lua", .settings = { { "n", n } } });
}

// ------------------------------------------------------------------------------------------------ rounds

static void balls_in_a_box_touch_what_they_overlap_and_balance_their_energy(void** state)
{
  (void)state;
  const char* counts[] = { "100", "300" };
  for (int i = 0; i < 2; ++i) {
    crModel* model = openBallBox(counts[i]);
    crSimulationOptions options = crIslandOptions(1.0, 1e-8);
    crIslandRun run = crRunIslands(model, &options);
    crAssertEventsAreSound(&run);
    crAssertContactsAreWhole(&run, 2e-8);
    assert_true(run.summary.contactCount > 300 && run.summary.mergeCount > 150);
    assert_true(fabs(crIslandRun_Unexplained(&run)) < 1e-6 * run.summary.dissipated);
    crIslandRun_Free(&run);
    crDestroyModel(model);
  }
}

// Pairs of balls that fly towards each other and bounce back, and a third of them off a wall; spread: [m/s] by which
// the next pair is faster. One step takes a free ball to the end of the run, so every contact lies behind the round in
// which that step was taken; and output points lie between.
static void comparePairs(const char* spread)
{
  const char* text =
      "local p = parameters{ spread = 0 }\n"
      "scene{ gravity = 'none' }\n"
      "solidMaterial('Steel', { density = 7800, E = 2e11, nu = 0.3 })\n"
      "contactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0 })\n"
      "local space = world('space')\n"
      "local function ball(name, x, y, speed)\n"
      "  object(name, { parent = space, free = true, position = { x, y, 0 }, velocity = { speed, 0, 0 },\n"
      "    solid{ shape = sphere{ radius = 0.02 }, material = 'Steel', contact = 'Steel' } })\n"
      "end\n"
      "for k = 1, 40 do\n"
      "  ball('left' .. k, 0, 0.1 * k, 0.5 + p.spread * k)\n"
      "  if k % 3 == 0 then\n"
      "    object('wall' .. k, { parent = space, position = { 1.005, 0.1 * k, 0 },\n"
      "      solid{ shape = box{ size = { 0.01, 0.05, 0.05 } }, material = 'Steel', contact = 'Steel' } })\n"
      "  else\n"
      "    ball('right' .. k, 2, 0.1 * k, -0.5 - p.spread * k)\n"
      "  end\n"
      "end\n";
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text, .settings = { { "spread", spread } } });
  crSimulationOptions options = crIslandOptions(2.5, 1e-8);
  options.interval = 0.07;
  crIslandRun run = crRunIslands(model, &options);
  crAssertEventsAreSound(&run);
  assert_int_equal(run.summary.contactCount, 40);
  for (int k = 1; k <= 40; ++k) {
    char name[16];
    snprintf(name, sizeof name, "left%d", k);
    int object = crModel_FindObject(model, name);
    double speed = 0.5 + atof(spread) * k, hit = 0.98 / speed, found = NAN; // [m/s], [s]
    for (int i = 0; i < run.eventCount; ++i) {
      bool isOwn = run.events[i].objectA == object || run.events[i].objectB == object;
      found = isOwn && run.events[i].phase == cr_contactBegin ? run.events[i].time : found;
    }
    assert_close(found, hit, 1e-7);
    for (int row = 0; row < run.rowCount; ++row) { // contacts last some 80 us
      double t = run.times[row], x = speed * (t < hit ? t : 2 * hit - t);
      assert_close(run.places[(size_t)row * (size_t)run.objectCount + (size_t)object].x, x, 3e-4);
    }
  }
  crIslandRun_Free(&run);
  crDestroyModel(model);
}

static void long_flights_end_where_something_is_in_the_way(void** state)
{
  (void)state;
  comparePairs("0.05");
  comparePairs("0"); // all are on their way, up to the end of the run, before the first contact
}

// Rounds pause at output points, and go on as if nothing had been.
static void output_points_and_islands_change_nothing_but_the_last_digits(void** state)
{
  (void)state;
  crModel* model = openBallBox("80");
  crSimulationOptions options = crIslandOptions(0.2, 1e-9);
  crIslandRun one = crRunIslands(model, &options);
  assert_true(one.summary.mergeCount > 20);
  const double intervals[] = { 0.001, 0.01, 0.07 };
  for (int i = 0; i < 3; ++i) {
    options.interval = intervals[i];
    crIslandRun run = crRunIslands(model, &options);
    assert_true(crCompareEnds(&one, &run) == 0.0);
    assert_int_equal(run.summary.contactCount, one.summary.contactCount);
    crAssertEventsAreSound(&run);
    crIslandRun_Free(&run);
  }
  options.islands = cr_islandsOff;
  crIslandRun off = crRunIslands(model, &options);
  assert_int_equal(off.summary.contactCount, one.summary.contactCount);
  assert_true(crCompareEnds(&one, &off) < 1e-7);
  crIslandRun_Free(&off);
  crIslandRun_Free(&one);
  crDestroyModel(model);
}

// ------------------------------------------------------------------------------------------------ crowds

// Balls that settle in a box; and others that bounce beside it.
#define PILE                                                                                                           \
  "local p = parameters{ n = 30, extra = false }\n"                                                                    \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "contactPair('Rubber', 'Rubber', { cor = 0.3, muK = 0.5, muR = 0 })\n"                                               \
  "local r = 0.05\n"                                                                                                   \
  "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"                                 \
  "local half = 3 * 1.05 * r + 0.1 * r\n"                                                                              \
  "local function wall(name, x, y, axis)\n"                                                                            \
  "  object(name, { parent = room, position = { x, y, 0.25 }, \n"                                                      \
  "    solid{ shape = box{ size = axis }, contact = 'Rubber' } })\n"                                                   \
  "end\n"                                                                                                              \
  "wall('right', half + 0.05, 0, { 0.1, 1, 0.5 })\n"                                                                   \
  "wall('left', -half - 0.05, 0, { 0.1, 1, 0.5 })\n"                                                                   \
  "wall('back', 0, half + 0.05, { 1, 0.1, 0.5 })\n"                                                                    \
  "wall('front', 0, -half - 0.05, { 1, 0.1, 0.5 })\n"                                                                  \
  "math.randomseed(7)\n"                                                                                               \
  "for i = 0, p.n - 1 do\n"                                                                                            \
  "  local x = -2.05 * r + i % 3 * 2.05 * r + 0.02 * r * (math.random() - 0.5)\n"                                      \
  "  local y = -2.05 * r + i // 3 % 3 * 2.05 * r + 0.02 * r * (math.random() - 0.5)\n"                                 \
  "  object('ball' .. i, { parent = room, free = true, position = { x, y, 1.2 * r + i // 9 * 2.05 * r },\n"            \
  "    solid{ shape = sphere{ radius = r }, material = 'Rubber', contact = 'Rubber' } })\n"                            \
  "end\n"                                                                                                              \
  "if p.extra then\n"                                                                                                  \
  "  for i = 0, 5 do object('extra' .. i, { parent = room, free = true, position = { 1 + i, 0, 0.07 + 0.003 * i },\n"  \
  "    solid{ shape = sphere{ radius = 0.03 }, material = 'Rubber', contact = 'Rubber' } }) end\n"                     \
  "end\n"

// What begins inside the step of a crowd used to be told after what happened elsewhere later, ends were told twice, and
// those of the last step never.
static void events_of_crowds_come_in_order_and_in_turns(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = PILE, .settings = { { "extra", "true" } } });
  const double tolerances[] = { 1e-3, 1e-4, 1e-5, 1e-6 };
  for (int i = 0; i < 4; ++i) {
    crSimulationOptions options = crIslandOptions(0.5, tolerances[i]);
    crIslandRun run = crRunIslands(model, &options);
    crAssertEventsAreSound(&run);
    crAssertContactsAreWhole(&run, 1e-5);
    crIslandRun_Free(&run);
  }
  crDestroyModel(model);
}

// [N] Upwards, of all that does not move, on all that does.
static double findSupport(const crIslandRun* run)
{
  const crContacts* contacts = crSimulation_GetSet(run->simulation).contacts;
  double sum = 0.0;
  for (int i = 0; i < crContacts_Count(contacts); ++i) {
    crContactRecord info = crContacts_Get(contacts, i);
    bool isFixedA = run->model->contactShapes[info.key.shapeA].body == 0;
    bool isFixedB = run->model->contactShapes[info.key.shapeB].body == 0;
    sum += isFixedA != isFixedB ? (isFixedA ? info.force.z : -info.force.z) : 0.0;
  }
  return sum;
}

// What touched again after it was over used to keep the damping of its first impact: 1e-5 m at 0.3 s and 1e-4 m at
// 0.5 s, whatever the tolerance.
static void crowds_keep_the_error_that_was_asked_for(void** state)
{
  (void)state;
  const double tolerances[] = { 1e-3, 1e-4, 1e-5 }, bounds[] = { 2e-4, 2e-5, 2e-6 };
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = PILE });
  crSimulationOptions options = crIslandOptions(0.5, 1e-8);
  options.interval = 0.1;
  crIslandRun exact = crRunIslands(model, &options);
  for (int i = 0; i < 3; ++i) {
    options.tolerance = tolerances[i];
    crIslandRun run = crRunIslands(model, &options);
    assert_true(crCompareRows(&run, &exact) < bounds[i]);
    assert_close((double)run.summary.contactCount, (double)exact.summary.contactCount, 2.0);
    assert_close(run.summary.dissipated, exact.summary.dissipated, 10.0 * tolerances[i] * exact.summary.dissipated);
    assert_true(fabs(crIslandRun_Unexplained(&run)) < 5.0 * tolerances[i] * run.summary.dissipated);
    crIslandRun_Free(&run);
  }
  crIslandRun_Free(&exact);
  crDestroyModel(model);
}

static void a_crowd_at_rest_is_carried(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = PILE });
  crSimulationOptions options = crIslandOptions(2.0, 1e-3);
  crIslandRun run = crRunIslands(model, &options);
  double weight = 30.0 * 1000.0 * 4.0 / 3.0 * CR_PI * pow(0.05, 3.0) * 9.81;
  assert_close(findSupport(&run), weight, 0.01 * weight); // some still roll
  crIslandRun_Free(&run);
  crDestroyModel(model);
}

// Each meeting with a crowd used to be an event: thousands of them, for each of which its step was taken again.
static void what_is_near_joins_a_crowd_of_balls_at_once(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .file = "bench/scenes/pile.lua", .settings = { { "n", "80" } } });
  crSimulationOptions options = crIslandOptions(0.2, 1e-3);
  crIslandRun run = crRunIslands(model, &options);
  crAssertEventsAreSound(&run);
  crAssertContactsAreWhole(&run, 1e-5);
  assert_true(run.summary.mergeCount < 100);
  assert_true(fabs(crIslandRun_Unexplained(&run)) < 2e-3 * run.summary.dissipated);
  options.islands = cr_islandsOff;
  crIslandRun off = crRunIslands(model, &options);
  assert_true(crCompareEnds(&run, &off) < 1e-4);
  assert_close(off.summary.dissipated, run.summary.dissipated, 2e-3 * run.summary.dissipated);
  crIslandRun_Free(&off);
  crIslandRun_Free(&run);
  crDestroyModel(model);
}

// Steel bounces for microseconds and flies for milliseconds: as a crowd it was 60 times slower.
static void what_bounces_briefly_is_left_alone(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(
      &(crIslandPlan){ .file = "bench/scenes/pile.lua",
                       .settings = { { "n", "80" }, { "E", "2e11" }, { "cor", "0.6" }, { "muR", "0" } } });
  crSimulationOptions options = crIslandOptions(0.06, 1e-5);
  crIslandRun run = crRunIslands(model, &options);
  assert_true(run.summary.contactCount > 0);
  assert_int_equal(run.summary.methodSteps.rkc2, 0);
  crIslandRun_Free(&run);
  crDestroyModel(model);
}

// 64 balls of steel that rush at each other in a cluster, which falls.
#define CLUSTER                                                                                                        \
  "local p = parameters{ speed = 1, gap = 1e-5 }\n"                                                                    \
  "solidMaterial('Steel', { density = 7800, E = 2e11, nu = 0.3 })\n"                                                   \
  "contactPair('Steel', 'Steel', { cor = 0.8, muK = 0.2, muR = 0 })\n"                                                 \
  "local space, pitch = world('space'), 0.01 + 4 * p.gap\n"                                                            \
  "for i = 0, 63 do\n"                                                                                                 \
  "  local x, y, z = i % 4, i // 4 % 4, i // 16\n"                                                                     \
  "  object('ball' .. i, { parent = space, free = true,\n"                                                             \
  "    velocity = { p.speed * (1 - x), p.speed * (2 - y), p.speed * (1.5 - z) },\n"                                    \
  "    position = { pitch * x + p.gap * math.sin(3 * i), pitch * y + p.gap * math.sin(5 * i),\n"                       \
  "      pitch * z + p.gap * math.sin(7 * i) },\n"                                                                     \
  "    solid{ shape = sphere{ radius = 0.005 }, material = 'Steel', contact = 'Steel' } })\n"                          \
  "end\n"

// Every first step behind an event was that of an impact of two: nine tenths of them failed, a quarter of all attempts.
static void an_event_among_many_keeps_steps_as_they_were(void** state)
{
  (void)state;
  const double tolerances[] = { 1e-4, 1e-6, 1e-8 };
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = CLUSTER });
  for (int i = 0; i < 3; ++i) {
    crSimulationOptions options = crIslandOptions(1e-3, tolerances[i]);
    options.solver = cr_solverDopri5; // no crowd
    crIslandRun run = crRunIslands(model, &options);
    crVec3 sum = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < 64; ++k) {
      const double* v = run.states + (size_t)(run.rowCount - 1) * (size_t)run.stateCount + 13 * k + 7;
      sum = crAdd(sum, crMakeVec3(v[0], v[1], v[2]));
    }
    assert_true(run.summary.contactCount > 100);
    assert_true(run.summary.solverStatistics.rejectedSteps < run.summary.solverStatistics.steps / 10);
    assert_true(fabs(crIslandRun_Unexplained(&run)) < fmax(20.0 * tolerances[i], 1e-6) * run.summary.dissipated);
    assert_close(crLength(crSub(sum, crMakeVec3(-32.0, 32.0, -64 * 9.81 * 1e-3))), 0.0, 64 * tolerances[i]);
    crIslandRun_Free(&run);
  }
  crDestroyModel(model);
}

// Where balls are slow, most contacts end so softly that they need no event. They are told in order all the same, and
// the motion is that of one step for all, where each end is one.
static void contacts_of_busy_islands_end_inside_steps(void** state)
{
  (void)state;
  crModel* model =
      crOpenIslandModel(&(crIslandPlan){ .text = CLUSTER, .settings = { { "speed", "0.02" }, { "gap", "1e-7" } } });
  crSimulationOptions options = crIslandOptions(4e-4, 1e-8);
  options.interval = 1e-4;
  crIslandRun run = crRunIslands(model, &options);
  crAssertEventsAreSound(&run);
  crAssertContactsAreWhole(&run, 1e-9);
  options.tolerance = 1e-10;
  options.islands = cr_islandsOff;
  crIslandRun off = crRunIslands(model, &options);
  assert_true(crCompareRows(&run, &off) < 1e-10);
  assert_int_equal(run.summary.contactCount, off.summary.contactCount);
  assert_true(run.eventCount > 150);
  assert_true(run.summary.eventCount < run.eventCount - 50);
  assert_true(fabs(crIslandRun_Unexplained(&run)) < 1e-6 * run.summary.dissipated);
  crIslandRun_Free(&run);
  crIslandRun_Free(&off);
  crDestroyModel(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(balls_in_a_box_touch_what_they_overlap_and_balance_their_energy),
    cmocka_unit_test(long_flights_end_where_something_is_in_the_way),
    cmocka_unit_test(output_points_and_islands_change_nothing_but_the_last_digits),
    cmocka_unit_test(events_of_crowds_come_in_order_and_in_turns),
    cmocka_unit_test(crowds_keep_the_error_that_was_asked_for),
    cmocka_unit_test(a_crowd_at_rest_is_carried),
    cmocka_unit_test(what_is_near_joins_a_crowd_of_balls_at_once),
    cmocka_unit_test(what_bounces_briefly_is_left_alone),
    cmocka_unit_test(an_event_among_many_keeps_steps_as_they_were),
    cmocka_unit_test(contacts_of_busy_islands_end_inside_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
