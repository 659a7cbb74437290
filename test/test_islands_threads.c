// Islands on several threads: the same bits as on one, whichever thread does what.
#include "support/island_run.h"

#include <stdlib.h>
#include <unistd.h>

#define MOST_THREADS 4
#define PILE_RUNS 20 // at most, until a second thread has run

// Runs a plan on 1, 2 and 4 threads and compares.
static void compareThreads(const crIslandPlan* plan, double stop, double tolerance)
{
  crModel* model = crOpenIslandModel(plan);
  crSimulationOptions options = crIslandOptions(stop, tolerance);
  options.interval = stop / 3.0;
  crIslandRun one = crRunIslands(model, &options);
  crAssertEventsAreSound(&one);
  assert_true(one.summary.contactCount > 0);
  for (int threads = 2; threads <= MOST_THREADS; threads *= 2) {
    options.threads = threads;
    crIslandRun run = crRunIslands(model, &options);
    crAssertSameRuns(&one, &run);
    crIslandRun_Free(&run);
  }
  crIslandRun_Free(&one);
  crDestroyModel(model);
}

static void colliding_balls_have_the_same_bits_on_any_number_of_threads(void** state)
{
  (void)state;
  compareThreads(&(crIslandPlan){ .file = "bench/scenes/ball_box.lua", .settings = { { "n", "120" } } }, 0.3, 1e-8);
}

static void bouncing_balls_have_the_same_bits_on_any_number_of_threads(void** state)
{
  (void)state;
  compareThreads(&(crIslandPlan){ .file = "bench/scenes/bouncing_balls.lua", .settings = { { "n", "120" } } }, 0.5,
                 1e-8);
}

static void a_pile_has_the_same_bits_on_any_number_of_threads(void** state)
{
  (void)state;
  compareThreads(&(crIslandPlan){ .file = "bench/scenes/pile.lua", .settings = { { "n", "80" } } }, 0.25, 1e-3);
  compareThreads(&(crIslandPlan){ .file = "bench/scenes/pile.lua", .settings = { { "n", "70" } } }, 0.1, 1e-7);
}

// One thread steps what moves as a function of time, which begins anew with each piece of that, while others bounce
// balls far away from it: whose steps look at the only one there is.
static void balls_beside_a_motion_in_pieces_have_the_same_bits_on_any_number_of_threads(void** state)
{
  (void)state;
  compareThreads(
      &(crIslandPlan){
          .text = "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"
                  "contactPair('Rubber', 'Rubber', { cor = 0.7, muK = 0.3, muR = 0 })\n"
                  "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"
                  "local function ball(name, position, free)\n"
                  "  return object(name, { parent = free and room or nil, free = free, position = position,\n"
                  "    solid{ shape = sphere{ radius = 0.05 }, material = 'Rubber', contact = 'Rubber' } })\n"
                  "end\n"
                  "for i = 1, 80 do ball('b' .. i, { i, 0, 0.05 + 0.001 * i }, true) end\n"
                  "local times, values = {}, {}\n"
                  "for i = 1, 200 do times[i], values[i] = 0.001 * (i - 1), 0.01 * (i % 2) end\n"
                  "prismatic('shaker', object('post', { parent = room, position = { -5, 0, 1 } }), ball('knob'), {\n"
                  "  axis = 'x', motion = timeTable('way', { interpolation = 'cubic', times = times,\n"
                  "    values = values }) })\n" },
      0.2, 1e-6);
}

// Of which all threads take each step together.
static void a_large_pile_has_the_same_bits_on_any_number_of_threads(void** state)
{
  (void)state;
  compareThreads(&(crIslandPlan){ .file = "bench/scenes/pile.lua", .settings = { { "n", "600" } } }, 0.12, 1e-3);
}

// Symptom: who asked waited awake for no longer than the first parts of others take, which come to what they need from
// another cache, and gave up, for longer each time: 23 of 8,568 works had help.
static void steps_of_a_large_pile_are_taken_by_all_threads(void** state)
{
  (void)state;
  double load = 0.0;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  crModel* model =
      crOpenIslandModel(&(crIslandPlan){ .file = "bench/scenes/pile.lua", .settings = { { "n", "600" } } });
  crSimulationOptions options = crIslandOptions(0.12, 1e-3);
  crIslandRun run = crRunIslands(model, &options);
  assert_int_equal(run.summary.sharedWork.works + run.summary.sharedWork.alone, 0);
  crIslandRun_Free(&run);
  options.threads = 2;
  crSharedWork shared = { 0 };
  for (int i = 0; i < PILE_RUNS && shared.helped == 0; ++i) { // beside others a second thread may not run for a while
    run = crRunIslands(model, &options);
    shared = run.summary.sharedWork;
    assert_true(shared.works + shared.alone > 1000);
    crIslandRun_Free(&run);
  }
  bool isKnown = getloadavg(&load, 1) == 1;
  if (isKnown && load < 2.0 * (double)processors) {
    assert_true(shared.helped > 0 || processors < 2);
  }
  if (isKnown && load < 0.5 * (double)processors) { // others leave a processor to each thread
    assert_true(shared.alone < shared.works / 2);
    assert_true(shared.helped > shared.works / 2);
  }
  crDestroyModel(model);
}

static void other_shapes_have_the_same_bits_on_any_number_of_threads(void** state)
{
  (void)state;
  compareThreads(&(crIslandPlan){ .file = "bench/scenes/settling.lua" }, 0.1, 1e-5);
  compareThreads(&(crIslandPlan){ .file = "examples/marble_run.lua" }, 1.0, 1e-7);
}

// Trees with joints, springs, sensors and drives, and a driven paddle: neighbours hit each other.
static void mechanisms_have_the_same_bits_on_any_number_of_threads(void** state)
{
  (void)state;
  const char* text =
      "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"
      "contactPair('Rubber', 'Rubber', { cor = 0.7, muK = 0.3, muR = 0 })\n"
      "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"
      "local function body(name, shape) return object(name, { solid{ shape = shape, material = 'Rubber',\n"
      "  contact = 'Rubber' } }) end\n"
      "for i = 1, 30 do\n"
      "  local post = object('post' .. i, { parent = room, position = { 0.25 * i, 0, 0.7 } })\n"
      "  local rod = body('rod' .. i, capsule{ radius = 0.02, length = 0.2 })\n"
      "  local top = object('top' .. i, { parent = rod, position = { 0, 0, 0.15 } })\n"
      "  local low = object('low' .. i, { parent = rod, position = { 0, 0, -0.15 } })\n"
      "  local bob = body('bob' .. i, sphere{ radius = 0.06 })\n"
      "  revolute('upper' .. i, post, top, { axis = 'y', start = 0.1 * (i % 7) - 0.3, damping = 0.001,\n"
      "    torque = sine('swing' .. i, { amplitude = 0.2, frequency = 1 + 0.1 * i }) })\n"
      "  revolute('lower' .. i, low, bob, { axis = 'y', start = 0.2 * (i % 3) })\n"
      "  local ball = object('ball' .. i, { parent = room, free = true, position = { 0.25 * i, 0, 0.08 },\n"
      "    solid{ shape = sphere{ radius = 0.05 }, material = 'Rubber', contact = 'Rubber' } })\n"
      "  if i % 5 == 0 then springDamper('band' .. i, ball, bob, { length = 0.4, stiffness = 20 }) end\n"
      "end\n"
      "local paddle = body('paddle', box{ size = { 0.05, 0.3, 0.3 } })\n"
      "exclude(room, paddle)\n"
      "prismatic('drive', object('rail', { parent = room, position = { -0.1, 0, 0.2 } }), paddle, {\n"
      "  motion = sine('beat', { amplitude = 0.2, frequency = 2 }) })\n";
  compareThreads(&(crIslandPlan){ .text = text }, 0.5, 1e-7);
}

// Four-bar mechanisms side by side, each with a ball on its coupler that hits those of its neighbours and what lies on
// the floor. Each is driven by a function of the angle of a joint, some by a sampled one. kick: torques in pulses, so
// strong that mechanisms leave the room that rounds have for them.
#define LOOPS                                                                                                          \
  "local p = parameters{ count = 24, kick = 0 }\n"                                                                     \
  "solidMaterial('Rubber', { density = 1000, E = 1e7, nu = 0.3 })\n"                                                   \
  "contactPair('Rubber', 'Rubber', { cor = 0.7, muK = 0.2, muR = 0 })\n"                                               \
  "local room = world('room', { solid{ shape = halfSpace{}, contact = 'Rubber' } })\n"                                 \
  "local function bar(name, length, radius)\n"                                                                         \
  "  local body = object(name, { solid{ shape = box{ size = { length, 0.02, 0.02 } }, material = 'Rubber' },\n"        \
  "    solid{ shape = sphere{ radius = radius }, material = 'Rubber', contact = 'Rubber' } })\n"                       \
  "  return object(name .. 'A', { parent = body, position = { -length / 2, 0, 0 } }),\n"                               \
  "    object(name .. 'B', { parent = body, position = { length / 2, 0, 0 } })\n"                                      \
  "end\n"                                                                                                              \
  "for i = 1, p.count do\n"                                                                                            \
  "  local left = object('left' .. i, { parent = room, position = { 0.31 * i, 0, 0.5 } })\n"                           \
  "  local right = object('right' .. i, { parent = room, position = { 0.31 * i + 0.15, 0, 0.5 } })\n"                  \
  "  local a1, a2 = bar('crank' .. i, 0.3, 0.02)\n"                                                                    \
  "  local b1, b2 = bar('coupler' .. i, 0.1, 0.07)\n"                                                                  \
  "  local c1, c2 = bar('rocker' .. i, 0.3, 0.02)\n"                                                                   \
  "  revolute('one' .. i, left, a1, { axis = 'y', start = pi / 2 + 0.1 * (i % 5) - 0.2, fixed = true,\n"               \
  "    torque = 'law' .. i })\n"                                                                                       \
  "  revolute('two' .. i, a2, b1, { axis = 'y', start = -pi / 2 })\n"                                                  \
  "  revolute('three' .. i, c2, b2, { axis = 'y', start = -pi / 2 })\n"                                                \
  "  revolute('four' .. i, right, c1, { axis = 'y', start = pi / 2 })\n"                                               \
  "  local q = jointSensor('q' .. i, { joint = 'three' .. i })\n"                                                      \
  "  if i % 3 == 0 then\n"                                                                                             \
  "    sampled('law' .. i, { period = 0.01, inputs = { q = q }, state = { n = 0 },\n"                                  \
  "      code = 'n = n + 1 return 0.3 * math.sin(0.2 * n + q)' })\n"                                                   \
  "  else\n"                                                                                                           \
  "    userFunction('law' .. i, { inputs = { q = q }, parameters = { kick = p.kick },\n"                               \
  "      code = 'return 0.3 * math.sin(12 * time + q) + kick * math.max(0, math.sin(300 * time + 1))' })\n"            \
  "  end\n"                                                                                                            \
  "  object('ball' .. i, { parent = room, free = true, position = { 0.31 * i + 0.1, 0.02, 0.06 },\n"                   \
  "    velocity = { 0, 0, 0.5 },\n"                                                                                    \
  "    solid{ shape = sphere{ radius = 0.05 }, mass = 0.5, contact = 'Rubber' } })\n"                                  \
  "end\n"

static void loops_and_functions_have_the_same_bits_on_any_number_of_threads(void** state)
{
  (void)state;
  compareThreads(&(crIslandPlan){ .text = LOOPS }, 0.5, 1e-7);
}

// ------------------------------------------------------------------------------------------ broken rounds

// Rows of balls at rest, light and heavy in turns, each row hit from its end by a fast and heavy one: light balls leave
// at up to twice its speed, faster than anything in their group was when the round began.
#define ROWS                                                                                                           \
  "local p = parameters{ rows = 12, length = 6, speed = 20 }\n"                                                        \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "solidMaterial('Glass', { density = 2500, E = 1e8, nu = 0.3 })\n"                                                    \
  "contactPair('Glass', 'Glass', { cor = 0.9, muK = 0.1, muR = 0 })\n"                                                 \
  "local space = world('space')\n"                                                                                     \
  "local function ball(name, x, y, mass, speed)\n"                                                                     \
  "  object(name, { parent = space, free = true, position = { x, y, 0 }, velocity = { speed, 0, 0 },\n"                \
  "    solid{ shape = sphere{ radius = 0.02 }, mass = mass, contact = 'Glass' } })\n"                                  \
  "end\n"                                                                                                              \
  "for k = 1, p.rows do\n"                                                                                             \
  "  for i = 1, p.length do\n"                                                                                         \
  "    ball('ball' .. k .. '_' .. i, 0.05 * i * (1 + 0.01 * k), 0.1 * k, i % 2 == 1 and 0.001 or 1, 0)\n"              \
  "  end\n"                                                                                                            \
  "  ball('cue' .. k, -0.2 - 0.03 * k, 0.1 * k, 10, p.speed)\n"                                                        \
  "end\n"

static void broken_rounds_have_the_same_bits_on_any_number_of_threads(void** state)
{
  (void)state;
  compareThreads(&(crIslandPlan){ .text = ROWS }, 0.05, 1e-7);
}

static void loops_have_the_same_bits_where_rounds_break(void** state)
{
  (void)state;
  compareThreads(&(crIslandPlan){ .text = LOOPS, .settings = { { "kick", "200" } } }, 0.1, 1e-7);
}

static void broken_rounds_agree_with_one_step_for_all(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = ROWS });
  crSimulationOptions options = crIslandOptions(0.03, 1e-9);
  crIslandRun on = crRunIslands(model, &options);
  crAssertEventsAreSound(&on);
  crAssertContactsAreWhole(&on, 2e-8);
  options.islands = cr_islandsOff;
  crIslandRun off = crRunIslands(model, &options);
  assert_int_equal(on.summary.contactCount, off.summary.contactCount);
  assert_true(crCompareEnds(&on, &off) < 5e-6); // a light ball between two heavy ones multiplies errors
  crIslandRun_Free(&off);
  crIslandRun_Free(&on);
  crDestroyModel(model);
}

// Controllers used to work twice where a round was taken back.
static void sampled_functions_are_taken_back_with_a_broken_round(void** state)
{
  (void)state;
  const char* text = ROWS "local cart = object('cart', { mass{ mass = 1, inertia = { 1, 1, 1 } },\n"
                          "  solid{ shape = sphere{ radius = 0.02 }, mass = 1, contact = 'Glass' } })\n"
                          "prismatic('slide', space, cart, { start = -5, force = 'count' })\n"
                          "sampled('count', { period = 0.0002, state = { n = 0 }, code = 'n = n + 1 return n' })\n";
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .text = text });
  crSimulationOptions options = crIslandOptions(0.0401, 1e-7);
  crIslandRun on = crRunIslands(model, &options);
  int n = crModel_FindVariable(model, "count.n");
  assert_close(crInstance_GetVariable(crSimulation_GetInstance(on.simulation), n), 201.0, 0.0);
  // x'' = n / 2, n = 1, 2, ... in turns of 0.2 ms
  double x = -5.0, v = 0.0, h = 0.0002;
  for (int i = 1; i <= 201; ++i) {
    double dt = i < 201 ? h : 0.0001, a = 0.5 * i;
    x += v * dt + 0.5 * a * dt * dt;
    v += a * dt;
  }
  assert_close(crIslandRun_Place(&on, "cart").x, x, 1e-9);
  crIslandRun_Free(&on);
  crDestroyModel(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(colliding_balls_have_the_same_bits_on_any_number_of_threads),
    cmocka_unit_test(bouncing_balls_have_the_same_bits_on_any_number_of_threads),
    cmocka_unit_test(a_pile_has_the_same_bits_on_any_number_of_threads),
    cmocka_unit_test(balls_beside_a_motion_in_pieces_have_the_same_bits_on_any_number_of_threads),
    cmocka_unit_test(a_large_pile_has_the_same_bits_on_any_number_of_threads),
    cmocka_unit_test(steps_of_a_large_pile_are_taken_by_all_threads),
    cmocka_unit_test(other_shapes_have_the_same_bits_on_any_number_of_threads),
    cmocka_unit_test(mechanisms_have_the_same_bits_on_any_number_of_threads),
    cmocka_unit_test(loops_and_functions_have_the_same_bits_on_any_number_of_threads),
    cmocka_unit_test(loops_have_the_same_bits_where_rounds_break),
    cmocka_unit_test(broken_rounds_have_the_same_bits_on_any_number_of_threads),
    cmocka_unit_test(broken_rounds_agree_with_one_step_for_all),
    cmocka_unit_test(sampled_functions_are_taken_back_with_a_broken_round),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
