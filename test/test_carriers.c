// Carriers, as a shaken tray: bodies whose motion is a given function of time, and which couple nobody.
#include "support/island_run.h"
#include "support/saved_run.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MATTER                                                                                                         \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "contactPair('Rubber', 'Rubber', { cor = 0.7, muK = 0.3, muR = 0 })\n"

#define BALL                                                                                                           \
  "local room = world('room')\n"                                                                                       \
  "local function ball(name, position, velocity)\n"                                                                    \
  "  object(name, { parent = room, free = true, position = position, velocity = velocity,\n"                           \
  "    solid{ shape = sphere{ radius = 0.05 }, mass = 0.5, contact = 'Rubber' } })\n"                                  \
  "end\n"

// A tray of 1 kg with its top at 0, and so many balls that fall on it side by side; far ones make that there are
// rounds.
#define TRAY                                                                                                           \
  MATTER BALL "local p = parameters{ side = 3, far = 0 }\n"                                                            \
              "local tray = object('tray', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"                             \
              "local function plate(name, position, size)\n"                                                           \
              "  object(name, { parent = tray, position = position, solid{ shape = box{ size = size },\n"              \
              "    contact = 'Rubber' } }) end\n"                                                                      \
              "plate('floor', { 0, 0, -0.05 }, { 5, 5, 0.1 })\n"                                                       \
              "plate('rim', { 2.5, 0, 0.1 }, { 0.06, 5, 0.4 })\n"                                                      \
              "for i = 1, p.side do for j = 1, p.side do\n"                                                            \
              "  ball('b' .. i .. '_' .. j, { 0.25 * i - 1.3, 0.25 * j - 1.3, 0.06 + 0.004 * ((3 * i + j) % 4) },\n"   \
              "    { 0.1 * math.sin(3 * i + j), 0, -0.2 })\n"                                                          \
              "end end\n"                                                                                              \
              "for i = 1, p.far do ball('far' .. i, { 0.15 * i - 100, 0, 1 }) end\n"

#define SHAKEN                                                                                                         \
  "prismatic('shaker', room, tray, { axis = 'x', motion = sine('shaking', { amplitude = 0.01, frequency = 6 }) })\n"

static void assertExplained(const crIslandRun* run, double share)
{
  double energy = fmax(run->summary.dissipated, fabs(run->summary.work));
  assert_true(fabs(crIslandRun_Unexplained(run)) < share * energy);
}

// Runs with and without islands; [m] the largest difference of a coordinate over eight output points.
static double compareWithOff(const crModel* model, double stop, double tolerance)
{
  crSimulationOptions options = crIslandOptions(stop, tolerance);
  options.interval = stop / 8.0;
  crIslandRun on = crRunIslands(model, &options);
  assert_int_equal(on.status, cr_ok);
  crAssertEventsAreSound(&on);
  crAssertContactsAreWhole(&on, 1e-7);
  assertExplained(&on, 1e-4);
  options.islands = cr_islandsOff;
  crIslandRun off = crRunIslands(model, &options);
  assert_int_equal(on.summary.contactCount, off.summary.contactCount);
  assert_true(on.summary.contactCount > 0);
  assert_close(on.summary.work, off.summary.work, 1e-5 * (1.0 + fabs(off.summary.work)));
  assert_close(on.summary.dissipated, off.summary.dissipated, 1e-5 * (1.0 + off.summary.dissipated));
  double worst = crCompareRows(&on, &off);
  crIslandRun_Free(&off);
  crIslandRun_Free(&on);
  return worst;
}

// Balls that do not touch each other are islands of their own, whatever they lie on: nothing ever merges.
static void what_lies_on_a_tray_is_not_coupled_by_it(void** state)
{
  (void)state;
  const char* sides[] = { "3", "3", "9" };
  const char* fars[] = { "0", "70", "0" }; // few shapes, and rounds
  for (int k = 0; k < 3; ++k) {
    crModel* model = crOpenIslandModel(
        &(crIslandPlan){ .text = TRAY SHAKEN, .settings = { { "side", sides[k] }, { "far", fars[k] } } });
    crSimulationOptions options = crIslandOptions(0.4, 1e-8);
    crIslandRun run = crRunIslands(model, &options);
    int balls = (sides[k][0] - '0') * (sides[k][0] - '0');
    assert_true(run.summary.contactCount >= balls);
    assert_int_equal(run.summary.mergeCount, 0);
    assert_int_equal(run.summary.islandCount, balls + 1 + (k == 1 ? 70 : 0));
    assertExplained(&run, 1e-6);
    crIslandRun_Free(&run);
    crDestroyModel(model);
  }
}

static void balls_on_a_tray_move_as_with_one_step_for_all(void** state)
{
  (void)state;
  const char* fars[] = { "0", "70" };
  for (int k = 0; k < 2; ++k) {
    crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = TRAY SHAKEN, .settings = { { "far", fars[k] } } });
    assert_true(compareWithOff(model, 0.5, 1e-9) < 1e-7);
    crDestroyModel(model);
  }
}

// What moves a lift has lifted all that stands on it; while it stands, it carries their weight. Losses of the contacts
// are part of the work.
static void a_lift_works_for_what_it_carries(void** state)
{
  (void)state;
  const char* text = MATTER BALL
      "local lift = object('lift', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\n"
      "object('floor', { parent = lift, position = { 0, 0, -0.05 }, solid{ shape = box{ size = { 3, 1, 0.1 } },\n"
      "  contact = 'Rubber' } })\n"
      "prismatic('rail', room, lift, { axis = 'z', motion = path('way', { values = { 0, 0.5 }, maxVelocity = 1,\n"
      "  maxAcceleration = 3, maxJerk = 200, start = 0.2 }) })\n"
      "for i = 1, 5 do ball('b' .. i, { 0.3 * i - 0.9, 0, 0.05 }) end\n"
      "contactSensor('load', { object = 'floor', quantity = 'force', component = 'z' })\n";
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  assert_true(compareWithOff(model, 0.8, 1e-9) < 1e-7);
  crSimulationOptions options = crIslandOptions(4.0, 1e-9);
  crIslandRun run = crRunIslands(model, &options);
  assert_int_equal(run.summary.islandCount, 6);
  assert_int_equal(run.summary.mergeCount, 0);
  double height = 0.0;
  for (int i = 1; i <= 5; ++i) {
    char name[8];
    snprintf(name, sizeof name, "b%d", i);
    height += crIslandRun_Place(&run, name).z - 0.05;
  }
  double lifted = 9.81 * (2.0 * 0.5 + 0.5 * height);
  assert_close(height, 5 * 0.5, 5 * 2.1e-4); // (F / (4/3 E* root R))^(2/3) deep
  double elastic = run.summary.endEnergy.elastic - run.summary.startEnergy.elastic;
  assert_close(run.summary.work, lifted + elastic + run.summary.dissipated, 1e-6);
  const crInstance* instance = crSimulation_GetInstance(run.simulation);
  double push = crInstance_GetVariable(instance, crModel_FindVariable(model, "rail.force"));
  double load = crInstance_GetVariable(instance, crModel_FindVariable(model, "load.value"));
  assert_close(push, 9.81 * (2.0 + 5 * 0.5), 1e-5);
  assert_close(load, -9.81 * 5 * 0.5, 1e-5);
  crIslandRun_Free(&run);
  crDestroyModel(model);
}

// Two links on each other, both given, that sweep balls away, and a swing that they hit; two rams that share a signal;
// and a third one that touches the first.
#define SWEEPER                                                                                                        \
  "contactPair('Rubber', 'Rubber', { cor = 0.7, muK = 0.3, muR = 0 })\n"                                               \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n" BALL "local p = parameters{ far = 0 }\n"          \
  "local function part(parent, name, shape, position)\n"                                                               \
  "  object(name, { parent = parent, position = position, solid{ shape = shape, material = 'Rubber',\n"                \
  "    contact = 'Rubber' } }) end\n"                                                                                  \
  "local upper, lower = object('upper'), object('lower')\n"                                                            \
  "part(upper, 'bar1', box{ size = { 0.5, 0.06, 0.06 } }, { 0.25, 0, 0 })\n"                                           \
  "part(lower, 'bar2', capsule{ radius = 0.03, length = 0.4 }, { 0.2, 0, 0 })\n"                                       \
  "revolute('shoulder', room, upper, { axis = 'z', motion = sine('one', { amplitude = 1.2, frequency = 1.1 }) })\n"    \
  "revolute('elbow', object('tip', { parent = upper, position = { 0.55, 0, 0 } }), lower, { axis = 'z',\n"             \
  "  motion = sine('two', { amplitude = 0.5, frequency = 1.9 }) })\n"                                                  \
  "for i = 1, 8 do local a = (i % 2 == 0 and 1 or -1) * (0.2 + 0.17 * ((i + 1) // 2))\n"                               \
  "  ball('b' .. i, { 0.8 * math.cos(a), 0.8 * math.sin(a), 0.01 * i - 0.02 }) end\n"                                  \
  "for i = 1, p.far do ball('far' .. i, { 0.15 * i - 100, 0, 1 }) end\n"                                               \
  "local beat = sine('beat', { amplitude = 0.01, frequency = 5 })\n"                                                   \
  "for i = 1, 2 do\n"                                                                                                  \
  "  local ram = object('ram' .. i)\n"                                                                                 \
  "  part(ram, 'head' .. i, sphere{ radius = 0.05 })\n"                                                                \
  "  prismatic('slide' .. i, object('post' .. i, { parent = room, position = { 0.3 * i, -0.085 - i, 0.01 } }), ram,\n" \
  "    { axis = 'y', motion = beat })\n"                                                                               \
  "  ball('on' .. i, { 0.3 * i, 0.02 - i, 0.008 }, { 0, -0.1, 0 })\n"                                                  \
  "end\n"                                                                                                              \
  "local ram3 = object('ram3')\n"                                                                                      \
  "part(ram3, 'head3', sphere{ radius = 0.05 })\n"                                                                     \
  "prismatic('slide3', object('post3', { parent = room, position = { 0.3, -1.1853, 0.01 } }), ram3, { axis = 'y',\n"   \
  "  motion = sine('near', { amplitude = 0.0095, frequency = 5 }) })\n"                                                \
  "local bob = object('bob')\n"                                                                                        \
  "part(bob, 'weight', sphere{ radius = 0.06 }, { 0, 0, -0.4 })\n"                                                     \
  "revolute('hinge', object('hook', { parent = room, position = { 0.5, -0.4, 0.4 } }), bob, { axis = 'y',\n"           \
  "  start = 0.5 })\n"                                                                                                 \
  "scene{ gravity = 'none' }\n"

static void carriers_sweep_what_is_in_their_way(void** state)
{
  (void)state;
  const char* fars[] = { "0", "70" };
  for (int k = 0; k < 2; ++k) {
    crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = SWEEPER, .settings = { { "far", fars[k] } } });
    assert_true(compareWithOff(model, 0.5, 1e-9) < 1e-6);
    crDestroyModel(model);
  }
}

// Pieces of paths and tables begin while balls lie on the tray, and while others are on their way to it.
static void pieces_of_a_motion_leave_no_trace(void** state)
{
  (void)state;
  const char* motions[] = {
    "path('way', { values = { 0, 0.1, -0.05, 0.2 }, maxVelocity = 1, maxAcceleration = 10, maxJerk = 500, start = 0.1 "
    "})",
    "timeTable('way', { interpolation = 'cubic', times = { 0, 0.1, 0.25, 0.3, 0.6 }, values = { 0, 0.1, 0.05, 0.1, 0 } "
    "})",
  };
  for (int k = 0; k < 2; ++k) {
    char text[8192];
    snprintf(text, sizeof text, "%sprismatic('shaker', room, tray, { axis = 'x', motion = %s })\n", TRAY, motions[k]);
    crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
    crSimulationOptions options = crIslandOptions(0.5, 1e-9);
    crIslandRun run = crRunIslands(model, &options);
    assert_int_equal(run.summary.mergeCount, 0);
    crIslandRun_Free(&run);
    assert_true(compareWithOff(model, 0.5, 1e-9) < 1e-7);
    crDestroyModel(model);
  }
}

// A sensor that both a ball and the tray have a part in couples them, as it always did.
static void a_tray_that_something_else_depends_on_couples_what_lies_on_it(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(
      &(crIslandPlan){ .text = TRAY SHAKEN "contactSensor('load', { object = 'b1_1', other = tray })\n" });
  crSimulationOptions options = crIslandOptions(0.3, 1e-8);
  crIslandRun run = crRunIslands(model, &options);
  assert_true(run.summary.mergeCount > 0);
  crIslandRun_Free(&run);
  assert_true(compareWithOff(model, 0.3, 1e-9) < 1e-7);
  crDestroyModel(model);
}

static void impulses_from_a_tray_are_its_work(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(&(crIslandPlan){
      .text = TRAY "scene{ response = 'impulsive' }\n"
                   "prismatic('shaker', room, tray, { axis = 'z', motion = sine('shaking', { amplitude = 0.005,\n"
                   "  frequency = 11 }) })\n" });
  assert_true(compareWithOff(model, 0.3, 1e-9) < 1e-6);
  crDestroyModel(model);
}

// Loose tolerances make crowds, and those of the tray's own work are no looser for it.
static void crowds_on_a_tray_account_for_their_energy(void** state)
{
  (void)state;
  const char* text = MATTER BALL
      "local tray = object('tray', { solid{ shape = box{ size = { 3, 3, 0.1 } }, mass = 5, contact = 'Rubber' } })\n"
      "prismatic('shaker', object('rail', { parent = room, position = { 0, 0, -0.05 } }), tray, { axis = 'x',\n"
      "  motion = sine('shaking', { amplitude = 0.02, frequency = 6 }) })\n"
      "for i = 1, 5 do for j = 1, 5 do for k = 1, 3 do\n"
      "  ball('b' .. i .. j .. k, { 0.1005 * i + 0.01 * k, 0.1005 * j, 0.104 * k - 0.05 }) end end end\n";
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  const double tolerances[] = { 1e-3, 1e-5 }, shares[] = { 2e-3, 1e-4 };
  for (int k = 0; k < 2; ++k) {
    crSimulationOptions options = crIslandOptions(0.4, tolerances[k]);
    crIslandRun run = crRunIslands(model, &options);
    assert_int_equal(run.status, cr_ok);
    crAssertEventsAreSound(&run);
    crAssertContactsAreWhole(&run, 1e-5);
    assertExplained(&run, shares[k]);
    crIslandRun_Free(&run);
  }
  crDestroyModel(model);
}

static void carriers_have_the_same_bits_on_any_number_of_threads(void** state)
{
  (void)state;
  const crIslandPlan plans[] = { { .text = TRAY SHAKEN, .settings = { { "side", "9" } } },
                                 { .text = SWEEPER, .settings = { { "far", "70" } } } };
  for (int i = 0; i < 2; ++i) {
    crModel* model = crOpenIslandModel(&plans[i]);
    crSimulationOptions options = crIslandOptions(0.4, 1e-8);
    options.interval = 0.1;
    crIslandRun one = crRunIslands(model, &options);
    for (int threads = 2; threads <= 4; threads *= 2) {
      options.threads = threads;
      crIslandRun run = crRunIslands(model, &options);
      crAssertSameRuns(&one, &run);
      crIslandRun_Free(&run);
    }
    crIslandRun_Free(&one);
    crDestroyModel(model);
  }
}

static void runs_with_carriers_go_on_from_where_they_were_saved(void** state)
{
  (void)state;
  const crSavedPlan plans[] = {
    { .text = TRAY SHAKEN, .stop = 0.4, .intervals = 20 },
    { .text = TRAY SHAKEN, .stop = 0.3, .intervals = 20, .settings = { { "side", "8" } } },
    { .text = SWEEPER, .stop = 0.4, .intervals = 20 },
    { .text = SWEEPER, .stop = 0.4, .intervals = 20, .settings = { { "far", "70" } } },
  };
  const int points[] = { 0, 1, 4, 7, 11, 15, 18 };
  for (int i = 0; i < 4; ++i) {
    crModel* model = crOpenSavedModel(&plans[i]);
    assert_non_null(model);
    crSavedRun whole = crRunSaved(model, &plans[i], 1, points, 7, false);
    assert_int_equal(whole.status, cr_ok);
    for (int k = 0; k < 7; ++k) {
      crSavedRun rest = crResumeSaved(&whole, k, 1 + k % 2);
      assert_int_equal(crCompareSaved(&whole, &rest, points[k] + 1), -1);
      crSavedRun_Free(&rest);
    }
    crSavedRun_Free(&whole);
    crDestroyModel(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_lies_on_a_tray_is_not_coupled_by_it),
    cmocka_unit_test(balls_on_a_tray_move_as_with_one_step_for_all),
    cmocka_unit_test(a_lift_works_for_what_it_carries),
    cmocka_unit_test(carriers_sweep_what_is_in_their_way),
    cmocka_unit_test(pieces_of_a_motion_leave_no_trace),
    cmocka_unit_test(a_tray_that_something_else_depends_on_couples_what_lies_on_it),
    cmocka_unit_test(impulses_from_a_tray_are_its_work),
    cmocka_unit_test(crowds_on_a_tray_account_for_their_energy),
    cmocka_unit_test(carriers_have_the_same_bits_on_any_number_of_threads),
    cmocka_unit_test(runs_with_carriers_go_on_from_where_they_were_saved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
