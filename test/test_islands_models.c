// Islands with all that a model can have: prescribed motions, signals, inputs, springs, loops, meshes, impulses; and
// what they do when something fails.
#include "support/island_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATTER                                                                                                         \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "contactPair('Rubber', 'Rubber', { cor = 0.7, muK = 0.3, muR = 0 })\n"

#define FLOOR MATTER "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"

#define BALL                                                                                                           \
  "local function ball(name, position, velocity, more)\n"                                                              \
  "  local def = { parent = room, free = true, position = position, velocity = velocity,\n"                            \
  "    solid{ shape = sphere{ radius = 0.05 }, material = 'Rubber', contact = 'Rubber' } }\n"                          \
  "  for k, v in pairs(more or {}) do def[k] = v end\n"                                                                \
  "  return object(name, def)\n"                                                                                       \
  "end\n"

// So many balls that there are rounds, far away from all else, hopping.
#define MANY "for i = 1, 70 do ball('far' .. i, { 100 + i, 0, 0.06 + 0.001 * i }) end\n"

// Runs with and without islands; [m] the largest difference of a coordinate over eight output points.
static double compareWithOff(const crIslandPlan* plan, double stop, double tolerance)
{
  crModel* model = crOpenIslandModel(plan);
  crSimulationOptions options = crIslandOptions(stop, tolerance);
  options.interval = stop / 8.0;
  crIslandRun on = crRunIslands(model, &options);
  assert_true(on.summary.islandCount > 0);
  assert_true(on.summary.contactCount > 0);
  crAssertEventsAreSound(&on);
  crAssertContactsAreWhole(&on, 1e-7);
  options.islands = cr_islandsOff;
  crIslandRun off = crRunIslands(model, &options);
  assert_int_equal(on.summary.contactCount, off.summary.contactCount);
  double worst = crCompareRows(&on, &off);
  double energy = fmax(on.summary.dissipated, fabs(on.summary.work));
  assert_true(fabs(crIslandRun_Unexplained(&on)) < 1e-4 * energy);
  crIslandRun_Free(&off);
  crIslandRun_Free(&on);
  crDestroyModel(model);
  return worst;
}

static const crContactRecord* findBegin(const crIslandRun* run, const char* a, const char* b)
{
  int x = crModel_FindObject(run->model, a), y = crModel_FindObject(run->model, b);
  assert_true(x >= 0 && y >= 0);
  for (int i = 0; i < run->eventCount; ++i) {
    const crContactRecord* e = &run->events[i];
    if (e->phase == cr_contactBegin && ((e->objectA == x && e->objectB == y) || (e->objectA == y && e->objectB == x))) {
      return e;
    }
  }
  fail_msg("%s and %s never touch", a, b);
  return NULL;
}

// -------------------------------------------------------------------------------------- prescribed motions

static void balls_on_an_oscillating_table_move_as_with_one_step_for_all(void** state)
{
  (void)state;
  const char* text = FLOOR BALL
      "local plate = object('plate', { solid{ shape = box{ size = { 1, 1, 0.1 } }, material = 'Rubber',\n"
      "  contact = 'Rubber' } })\n"
      "local base = object('base', { parent = room, position = { 0, 0, 1 } })\n"
      "prismatic('shaker', base, plate, { axis = 'z', motion = sine('shake', { amplitude = 0.02, frequency = 3 }) })\n"
      "exclude(room, plate)\n"
      "ball('a', { 0, 0, 1.11 }) ball('b', { 0.3, 0, 1.2 }) ball('c', { -0.3, 0, 1.3 }) ball('d', { 3, 0, 0.3 })\n";
  assert_true(compareWithOff(&(crIslandPlan){ .text = text }, 1.0, 1e-9) < 1e-6);
}

// A ball that rests takes steps of seconds; the wall comes from far away and is thin.
static void a_wall_that_comes_from_far_hits_what_rests(void** state)
{
  (void)state;
  const char* texts[2] = { FLOOR BALL, FLOOR BALL MANY };
  for (int i = 0; i < 2; ++i) {
    char text[4096];
    snprintf(
        text, sizeof text, "%s%s", texts[i],
        "ball('still', { 0, 0, 0.05 }, nil, { start = 'rest' })\n"
        "local wall = object('wall', { solid{ shape = box{ size = { 0.01, 1, 1 } }, material = 'Rubber',\n"
        "  contact = 'Rubber' } })\n"
        "exclude(room, wall)\n"
        "prismatic('rail', object('post', { parent = room, position = { -50, 0, 0.3 } }), wall, {\n"
        "  motion = path('way', { values = { 0, 60 }, maxVelocity = 20, maxAcceleration = 1000, start = 3 }) })\n");
    crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
    crSimulationOptions options = crIslandOptions(5.6, 1e-8);
    crIslandRun run = crRunIslands(model, &options);
    const crContactRecord* hit = findBegin(&run, "still", "wall");
    // 0.2 m while it gets faster, the rest of 50 - 0.05 - 0.005 m at 20 m/s
    assert_close(hit->time, 3.0 + 0.02 + (50.0 - 0.055 - 0.2) / 20.0, 1e-6);
    assert_close(hit->approach, 20.0, 1e-3);
    assert_true(crIslandRun_Place(&run, "still").x > crIslandRun_Place(&run, "wall").x + 0.0549);
    crIslandRun_Free(&run);
    crDestroyModel(model);
  }
}

// 800 m/s against 1 mm, fixed and free.
static void bullets_do_not_pass_through_plates_in_rounds(void** state)
{
  (void)state;
  const char* text = FLOOR BALL MANY
      "contactPair('Steel', 'Steel', { cor = 0.5, muK = 0, muR = 0, response = 'impulsive' })\n"
      "contactPair('Steel', 'Rubber', { cor = 0.5, muK = 0, muR = 0, response = 'impulsive' })\n"
      "local function bullet(name, y)\n"
      "  object(name, { parent = room, free = true, position = { -3, y, 1 }, velocity = { 800, 0, 0 },\n"
      "    solid{ shape = sphere{ radius = 0.002 }, mass = 0.001, contact = 'Steel' } }) end\n"
      "local function plate(name, y, free)\n"
      "  object(name, { parent = room, free = free, position = { 0, y, 1 },\n"
      "    solid{ shape = box{ size = { 0.001, 0.5, 0.5 } }, mass = 1000, contact = 'Steel' } }) end\n"
      "bullet('one', 1) bullet('two', 3) plate('fixed', 1, false) plate('loose', 3, true)\n";
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  crSimulationOptions options = crIslandOptions(0.02, 1e-7);
  crIslandRun run = crRunIslands(model, &options);
  double hit = (3.0 - 0.0025) / 800.0, x = -0.0025 - 400.0 * (0.02 - hit);
  assert_close(findBegin(&run, "one", "fixed")->time, hit, 1e-9);
  assert_close(findBegin(&run, "two", "loose")->time, hit, 1e-9);
  assert_close(crIslandRun_Place(&run, "one").x, x, 1e-5);
  assert_close(crIslandRun_Place(&run, "two").x, x, 1e-4);
  crIslandRun_Free(&run);
  crDestroyModel(model);
}

// -------------------------------------------------------------------------------------- signals and inputs

#define CART                                                                                                           \
  "local cart = object('cart', { solid{ shape = box{ size = { 0.2, 0.2, 0.2 } }, mass = 2, contact = 'Rubber' } })\n"  \
  "exclude(room, cart)\n"                                                                                              \
  "prismatic('slide', object('post', { parent = room, position = { 0, 0, 0.15 } }), cart, "

#define INPUT_VALUES 8

// Pushes a cart, with 3 N from 0.1 s on and so forth; checks where it is, and gives places of balls and the summary.
static void pushCart(const char* many, crIslandMode mode, double outValues[INPUT_VALUES])
{
  char text[4096];
  snprintf(text, sizeof text, "%s%s%s", FLOOR BALL, many,
           CART "{ force = input('push') })\n"
                "ball('a', { 3, 0, 0.5 }) ball('b', { 5, 0, 0.6 }, { 1, 0, 0 }) ball('c', { 7, 0, 0.06 })\n");
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  crSimulationOptions options = crIslandOptions(1.0, 1e-9);
  options.islands = mode;
  crSimulation* simulation = NULL;
  assert_int_equal(crCreateSimulation(model, &options, NULL, NULL, &simulation), cr_ok);
  const crInstance* instance = crSimulation_GetInstance(simulation);
  const double times[] = { 0.1, 0.333, 0.45, 0.77, 1.0 }, forces[] = { 3.0, -1.0, 2.0, 0.5 };
  double x = 0.0, v = 0.0, t = 0.0;
  for (int n = 0; n < 5; ++n) {
    double a = n > 0 ? forces[n - 1] / 2.0 : 0.0, h = times[n] - t;
    x += v * h + 0.5 * a * h * h;
    v += a * h;
    t = times[n];
    assert_int_equal(crSimulation_Advance(simulation, t), cr_ok);
    assert_close(crInstance_GetPose(instance, crModel_FindObject(model, "cart")).p.x, x, 1e-9);
    for (int twice = 0; twice < 2 && n < 4; ++twice) {
      assert_int_equal(crSimulation_SetInput(simulation, crModel_FindInput(model, "push"), forces[n]), cr_ok);
    }
  }
  const char* names[] = { "a", "b", "c" };
  for (int n = 0; n < 3; ++n) {
    crPose pose = crInstance_GetPose(instance, crModel_FindObject(model, names[n]));
    outValues[2 * n] = pose.p.x;
    outValues[2 * n + 1] = pose.p.z;
  }
  crSimulationSummary summary = crSimulation_GetSummary(simulation);
  outValues[6] = summary.dissipated;
  outValues[7] = (double)summary.contactCount;
  crDestroySimulation(simulation);
  crDestroyModel(model);
}

static void inputs_are_set_while_other_islands_are_ahead(void** state)
{
  (void)state;
  double off[INPUT_VALUES], on[INPUT_VALUES], rounds[INPUT_VALUES];
  pushCart("", cr_islandsOff, off);
  pushCart("", cr_islandsOn, on);
  pushCart(MANY, cr_islandsOn, rounds);
  for (int i = 0; i < 6; ++i) {
    assert_close(on[i], off[i], 1e-6);
    assert_close(rounds[i], off[i], 1e-6);
  }
  assert_close(on[6], off[6], 1e-6);
  assert_close(on[7], off[7], 0.0);
}

static void sampled_controllers_work_beside_contacts(void** state)
{
  (void)state;
  const char* text = FLOOR BALL CART "{ damping = 1, force = 'control' })\n"
                                     "pid('control', { input = jointSensor('x', { joint = 'slide' }),\n"
                                     "  reference = step('goal', { height = 0.3, start = 0.1 }), period = 0.005,\n"
                                     "  gain = 60, integralGain = 40, derivativeGain = 20, filterTime = 0.01 })\n"
                                     "ball('a', { 3, 0, 0.2 }) ball('hit', { 0.5, 0, 0.2 }, { -1, 0, 0 })\n";
  assert_true(compareWithOff(&(crIslandPlan){ .text = text }, 0.6, 1e-9) < 1e-6);
}

static void springs_make_one_island_of_two_balls(void** state)
{
  (void)state;
  const char* text = FLOOR BALL "local a = ball('a', { 0, 0, 0.3 }) local b = ball('b', { 0.4, 0, 0.25 })\n"
                                "ball('c', { 2, 0, 0.3 })\n"
                                "springDamper('band', a, b, { length = 0.3, stiffness = 200, damping = 1 })\n";
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  crSimulationOptions options = crIslandOptions(0.2, 1e-8);
  crIslandRun run = crRunIslands(model, &options);
  assert_int_equal(run.summary.islandCount, 2);
  crIslandRun_Free(&run);
  crDestroyModel(model);
  assert_true(compareWithOff(&(crIslandPlan){ .text = text }, 0.5, 1e-9) < 1e-6);
}

static void functions_act_inside_islands(void** state)
{
  (void)state;
  const char* text = FLOOR BALL
      "local a = ball('a', { 0, 0, 0.2 }) ball('b', { 1, 0, 0.3 })\n"
      "force('wind', a, { force = { 1, 0, 0 }, factor = userFunction('gust', { inputs = { x = frameSensor('x',\n"
      "  { objectA = room, objectB = a, quantity = 'position', component = 'x' }) },\n"
      "  code = 'return math.sin(20 * time) - x' }) })\n";
  assert_true(compareWithOff(&(crIslandPlan){ .text = text }, 0.6, 1e-9) < 1e-6);
}

// -------------------------------------------------------------------------------------------- kinds of contact

static void a_mechanism_with_a_loop_is_hit_by_balls(void** state)
{
  (void)state;
  const char* text = FLOOR BALL
      "local function bar(name)\n"
      "  return assembly(name, {}, function()\n"
      "    local body = object('body', { solid{ shape = box{ size = { 0.5, 0.05, 0.05 } }, material = 'Rubber',\n"
      "      contact = 'Rubber' } })\n"
      "    return { left = object('left', { parent = body, position = { -0.25, 0, 0 } }),\n"
      "             right = object('right', { parent = body, position = { 0.25, 0, 0 } }) }\n"
      "  end)\n"
      "end\n"
      "local pos1 = object('pos1', { parent = room, position = { 0, 0, 1 } })\n"
      "local pos2 = object('pos2', { parent = room, position = { 0.5, 0, 1 } })\n"
      "local bar1, bar2, bar3 = bar('bar1'), bar('bar2'), bar('bar3')\n"
      "revolute('rev1', pos1, bar1.left, { axis = 'y', start = pi / 2, damping = 0.05 })\n"
      "revolute('rev2', bar1.right, bar2.left, { axis = 'y', start = -pi / 2 })\n"
      "revolute('rev3', bar3.right, bar2.right, { axis = 'y', start = -pi / 2 })\n"
      "revolute('rev4', pos2, bar3.left, { axis = 'y', start = pi / 2 })\n"
      "exclude('bar1.body', 'bar3.body')\n"
      "ball('a', { 0.2, 0, 0.8 }, { 0, 0, -1 }) ball('b', { -1, 0, 0.6 }, { 5, 0, 0.5 }) ball('c', { 3, 0, 0.2 })\n";
  assert_true(compareWithOff(&(crIslandPlan){ .text = text }, 0.3, 1e-9) < 1e-6);
}

// A ball that does not turn on a belt of speed U slides until it rolls, at 2/7 U, after 2/7 U / (mu g).
static void a_ball_on_a_belt_reaches_two_sevenths_of_its_speed(void** state)
{
  (void)state;
  const char* text =
      MATTER "scene{ vMin = 1e-4 }\n"
             "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber',\n"
             "  surfaceVelocity = { 1.4, 0, 0 } } })\n" BALL "ball('a', { 0, 0, 0.05 }, nil, { start = 'rest' })\n"
             "ball('b', { 2, 0, 0.3 })\n";
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  crSimulationOptions options = crIslandOptions(1.0, 1e-8);
  crIslandRun run = crRunIslands(model, &options);
  double lever = 0.5 * (crIslandRun_Place(&run, "a").z + 0.05), ratio = 0.4 * pow(0.05 / lever, 2.0); // I / (m l^2)
  double v = 1.4 * ratio / (1.0 + ratio), slide = v / (0.3 * 9.81);
  assert_close(v, 0.4, 2e-3);
  assert_close(crIslandRun_Place(&run, "a").x, 0.5 * v * slide + v * (1.0 - slide), 1e-5);
  crIslandRun_Free(&run);
  crDestroyModel(model);
  assert_true(compareWithOff(&(crIslandPlan){ .text = text }, 0.5, 1e-8) < 1e-5);
}

static void impulses_are_passed_on_between_islands(void** state)
{
  (void)state;
  const char* text = "scene{ response = 'impulsive', gravity = 'none' }\n" MATTER "local room = world('room')\n" BALL
                     "ball('a', { 0, 0, 0 }, { 1, 0, 0 }) ball('b', { 0.3, 0, 0 }) ball('c', { 0.6, 0, 0 })\n"
                     "ball('d', { 0, 1, 0 }, { 1, 0, 0 }) ball('e', { 0.5, 1, 0 }, { -1, 0, 0 })\n";
  assert_true(compareWithOff(&(crIslandPlan){ .text = text }, 1.0, 1e-9) <
              5e-8); // an impact is found two epsilons deep
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  crSimulationOptions options = crIslandOptions(1.0, 1e-9);
  crIslandRun run = crRunIslands(model, &options);
  // equal masses: 0.15 and 0.85 of the speed at each impact, cor = 0.7; c leaves at 0.2 + 0.2 / 0.85 s
  double v = 0.85 * 0.85, t = 0.2 + 0.2 / 0.85;
  assert_close(crIslandRun_Place(&run, "c").x, 0.6 + v * (1.0 - t), 1e-6);
  assert_close(crIslandRun_Place(&run, "d").x, 0.2 - 0.7 * 0.8, 1e-6);
  crIslandRun_Free(&run);
  crDestroyModel(model);
}

// Two edges cross for a while, then corners are inside: the end of a long step says nothing about the edges. They used
// to be found 8 mm deep.
static void boxes_that_hit_each_other_with_their_edges_are_found_in_long_steps(void** state)
{
  (void)state;
  const char* text = MATTER
      "local room = world('room')\n"
      "local function brick(name, size, position, velocity, spin)\n"
      "  object(name, { parent = room, free = true, position = position, velocity = velocity, angularVelocity = spin,\n"
      "    solid{ shape = box{ size = size }, material = 'Rubber', contact = 'Rubber' } })\n"
      "end\n"
      "brick('a', { 0.0864215486338328, 0.05416942298656624, 0.08774034005054021 }, { 0.4, 0.2, 0.163245 },\n"
      "  { -0.65125, 0.55459, 0.36877 }, { 1.25368, -1.41528, -0.40693 })\n"
      "brick('b', { 0.04978182395589411, 0.08145565002260094, 0.049211555391332706 }, { 0.2, 0.4, 0.195691 },\n"
      "  { 0.91754, -0.61283, -0.04878 }, { -0.35896, -0.99498, 1.38160 })\n";
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  for (int i = 0; i < 40; ++i) { // steps that end where they like
    crSimulationOptions options = crIslandOptions(0.14, 1e-8);
    options.maxStep = 0.005 + 0.0007 * i;
    crIslandRun run = crRunIslands(model, &options);
    for (int k = 0; k < run.eventCount; ++k) {
      assert_true(run.events[k].phase != cr_contactBegin || run.events[k].maxDepth < 1e-6);
    }
    assert_true(run.summary.contactCount > 0);
    crIslandRun_Free(&run);
  }
  crDestroyModel(model);
}

static void random_shapes_collide_as_with_one_step_for_all(void** state)
{
  (void)state;
  const char* text =
      "local p = parameters{ seed = 1 }\n"
      "math.randomseed(p.seed)\n"
      "local r = math.random\n" FLOOR "local function shape()\n"
      "  local k = math.floor(5 * r())\n"
      "  if k == 0 then return sphere{ radius = 0.02 + 0.04 * r() } end\n"
      "  if k == 1 then return box{ size = { 0.04 + 0.06 * r(), 0.04 + 0.06 * r(), 0.04 + 0.06 * r() } } end\n"
      "  if k == 2 then return capsule{ radius = 0.02 + 0.02 * r(), length = 0.03 + 0.05 * r() } end\n"
      "  if k == 3 then return ellipsoid{ radii = { 0.02 + 0.03 * r(), 0.02 + 0.03 * r(), 0.02 + 0.03 * r() } } end\n"
      "  return cylinder{ radius = 0.03, length = 0.05 }\n"
      "end\n"
      "for i = 0, 7 do\n"
      "  object('o' .. i, { parent = room, free = true,\n"
      "    position = { 0.2 * (i % 4), 0.2 * (i // 4), 0.15 + 0.05 * r() },\n"
      "    velocity = { 2 * r() - 1, 2 * r() - 1, r() - 0.5 },\n"
      "    angularVelocity = { 4 * r() - 2, 4 * r() - 2, 4 * r() - 2 },\n"
      "    solid{ shape = shape(), material = 'Rubber', contact = 'Rubber' } })\n"
      "end\n";
  for (int i = 1; i <= 8; ++i) {
    char seed[16];
    snprintf(seed, sizeof seed, "%d", i);
    crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text, .settings = { { "seed", seed } } });
    crSimulationOptions options = crIslandOptions(0.2, 1e-9);
    crIslandRun on = crRunIslands(model, &options);
    crAssertEventsAreSound(&on);
    crAssertContactsAreWhole(&on, 1e-6);
    options.islands = cr_islandsOff;
    crIslandRun off = crRunIslands(model, &options);
    assert_int_equal(on.summary.contactCount, off.summary.contactCount);
    assert_true(crCompareEnds(&on, &off) < 1e-6);
    crIslandRun_Free(&off);
    crIslandRun_Free(&on);
    crDestroyModel(model);
  }
}

static void meshes_fall_as_with_one_step_for_all(void** state)
{
  (void)state;
  crIslandPlan plan = { .file = "bench/scenes/mesh_pile.lua", .settings = { { "n", "4" } } };
  assert_true(compareWithOff(&plan, 0.2, 1e-8) < 1e-6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(balls_on_an_oscillating_table_move_as_with_one_step_for_all),
    cmocka_unit_test(a_wall_that_comes_from_far_hits_what_rests),
    cmocka_unit_test(bullets_do_not_pass_through_plates_in_rounds),
    cmocka_unit_test(inputs_are_set_while_other_islands_are_ahead),
    cmocka_unit_test(sampled_controllers_work_beside_contacts),
    cmocka_unit_test(springs_make_one_island_of_two_balls),
    cmocka_unit_test(functions_act_inside_islands),
    cmocka_unit_test(a_mechanism_with_a_loop_is_hit_by_balls),
    cmocka_unit_test(a_ball_on_a_belt_reaches_two_sevenths_of_its_speed),
    cmocka_unit_test(impulses_are_passed_on_between_islands),
    cmocka_unit_test(boxes_that_hit_each_other_with_their_edges_are_found_in_long_steps),
    cmocka_unit_test(random_shapes_collide_as_with_one_step_for_all),
    cmocka_unit_test(meshes_fall_as_with_one_step_for_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
