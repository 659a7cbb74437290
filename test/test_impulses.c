// Impulsive contacts that are hit at once, against closed forms: the restitution of all of them holds together.
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double radius = 0.05, density = 7850.0;

// With clocks of their own all three were hit one after the other: the first ball came back with an eighth of its
// speed, sideways, instead of a fifth.
static const crIslandMode modes[] = { cr_islandsOn, cr_islandsOff };

static crTestRun openScene(crIslandMode islands, double cor, double muK, const char* bodies)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "scene{ response = 'impulsive', gravity = 'none' }\n"
      "solidMaterial('m', { density = %g, E = 2e11, nu = 0.3 })\n"
      "contactPair('m', 'm', { cor = %g, muK = %g, muR = 0 })\n"
      "local room = world('room')\n"
      "local function ball(name, position, velocity, spin)\n"
      "  object(name, { parent = room, free = true, position = position, velocity = velocity, angularVelocity = spin,\n"
      "    solid{ shape = sphere{ radius = %g }, material = 'm', contact = 'm' } })\n"
      "end\n%s",
      density, cor, muK, radius, bodies);
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = 1.0;
  options.tolerance = 1e-9;
  options.islands = islands;
  return crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
}

static double findBallMass(void)
{
  return density * 4.0 / 3.0 * acos(-1.0) * radius * radius * radius;
}

// A ball runs into two that lie side by side, all three in an equilateral triangle when they touch: along both normals,
// 30 degrees off, p (2 + cos 60) / m = (1 + cor) v cos 30. With cor = 1 it comes back with a fifth of its speed.
static void a_ball_that_hits_two_at_once_comes_back(void** state)
{
  (void)state;
  static const double cors[] = { 1.0, 0.5, 0.2 };
  for (int i = 0; i < 6; ++i) {
    double cor = cors[i / 2], v = 2.0, c = sqrt(0.75), p = (1.0 + cor) * v * c / 2.5; // over m
    crTestRun run = openScene(modes[i % 2], cor, 0.0,
                              "ball('a', { -0.3, 0, 0 }, { 2, 0, 0 })\n"
                              "ball('b', { 0, 0.05, 0 }) ball('c', { 0, -0.05, 0 })\n");
    crTestRun_Advance(&run, 0.2);
    crMotion a = crTestRun_Motion(&run, "a"), b = crTestRun_Motion(&run, "b"), other = crTestRun_Motion(&run, "c");
    assert_close(a.v.x, v - 2.0 * p * c, 1e-6);
    assert_close(a.v.y, 0.0, 1e-9);
    assert_close(b.v.x, p * c, 1e-6);
    assert_close(b.v.y, 0.5 * p, 1e-6);
    assert_close(other.v.x, p * c, 1e-6);
    assert_close(other.v.y, -0.5 * p, 1e-6);
    double after = (pow(v - 2.0 * p * c, 2.0) + 2.0 * p * p), lost = 0.5 * findBallMass() * (v * v - after);
    crSimulationSummary summary = crSimulation_GetSummary(run.simulation);
    assert_close(summary.dissipated, lost, 1e-6);
    assert_close(crTestRun_Energy(&run) + lost, 0.5 * findBallMass() * v * v, 1e-6);
    crCloseTestRun(&run);
  }
}

// Two balls on one axle land with both at once while they move across it: friction takes muK of the normal impulse, or
// what lets them roll on.
static void an_axle_that_lands_on_both_balls_slips_or_grips(void** state)
{
  (void)state;
  static const double slopes[] = { 0.1, 0.3, 5.0 };
  for (int i = 0; i < 6; ++i) {
    double muK = slopes[i / 2];
    crTestRun run = openScene(modes[i % 2], 0.5, muK,
                              "object('floor', { parent = room, solid{ shape = halfSpace{}, contact = 'm' } })\n"
                              "ball('a', { 0, 0.1, 0.1 }, { 3, 0, -1 })\n"
                              "object('b', { parent = 'a', position = { 0, -0.2, 0 },\n"
                              "  solid{ shape = sphere{ radius = 0.05 }, material = 'm', contact = 'm' } })\n");
    crTestRun_Advance(&run, 0.08);
    double inertia = 0.4 * radius * radius; // of both, over their mass
    double slip = muK * 1.5, grip = 3.0 / (1.0 + radius * radius / inertia), push = fmin(slip, grip);
    crMotion motion = crTestRun_Motion(&run, "a");
    assert_vec_close(motion.v, crMakeVec3(3.0 - push, 0.0, 0.5), 1e-6);
    assert_vec_close(motion.w, crMakeVec3(0.0, radius * push / inertia, 0.0), 1e-4);
    double mass = 2.0 * findBallMass(), spin = radius * push / inertia;
    double after = 0.5 * mass * ((3.0 - push) * (3.0 - push) + 0.25 + inertia * spin * spin);
    crSimulationSummary summary = crSimulation_GetSummary(run.simulation);
    assert_close(summary.dissipated, 0.5 * mass * 10.0 - after, 1e-5);
    crCloseTestRun(&run);
  }
}

// An impulse goes through bodies that touch one by one: the last of a row takes the speed.
static void a_row_of_balls_hands_the_speed_on(void** state)
{
  (void)state;
  static const char* const names[] = { "a", "b", "c", "d" };
  for (int mode = 0; mode < 2; ++mode) {
    crTestRun run = openScene(modes[mode], 1.0, 0.0,
                              "ball('a', { -0.3, 0, 0 }, { 2, 0, 0 }) ball('b', { 0, 0, 0 })\n"
                              "ball('c', { 0.1, 0, 0 }) ball('d', { 0.2, 0, 0 })\n");
    crTestRun_Advance(&run, 0.2);
    for (int i = 0; i < 4; ++i) {
      assert_vec_close(crTestRun_Motion(&run, names[i]).v, crMakeVec3(i == 3 ? 2.0 : 0.0, 0.0, 0.0), 1e-6);
    }
    crCloseTestRun(&run);
  }
}

typedef struct Balls {
  crMotion motions[4];
  double dissipated, energy;
} Balls;

// A ball, perhaps with spin, runs into three that stand in a triangle around its way, all turned by R.
static Balls runIntoThree(crMat3 R, double cor, double muK, double spin)
{
  static const char* const names[] = { "a", "b", "c", "d" };
  char text[1024] = "";
  for (int i = 0; i < 4; ++i) {
    double angle = 2.0 * acos(-1.0) * i / 3.0;
    crVec3 p = i == 0 ? crMakeVec3(-0.3, 0.0, 0.0) : crMakeVec3(0.0, 0.07 * cos(angle), 0.07 * sin(angle));
    crVec3 v = crMakeVec3(i == 0 ? 2.0 : 0.0, 0.0, 0.0), w = crMakeVec3(i == 0 ? spin : 0.0, 0.0, 0.0);
    p = crMulMV(R, p);
    v = crMulMV(R, v);
    w = crMulMV(R, w);
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used,
             "ball('%s', { %.17g, %.17g, %.17g }, { %.17g, %.17g, %.17g }, { %.17g, %.17g, %.17g })\n", names[i], p.x,
             p.y, p.z, v.x, v.y, v.z, w.x, w.y, w.z);
  }
  crTestRun run = openScene(cr_islandsOn, cor, muK, text);
  crTestRun_Advance(&run, 0.2);
  Balls balls = { .dissipated = crSimulation_GetSummary(run.simulation).dissipated, .energy = crTestRun_Energy(&run) };
  for (int i = 0; i < 4; ++i) {
    balls.motions[i] = crTestRun_Motion(&run, names[i]);
  }
  crCloseTestRun(&run);
  return balls;
}

// Along three normals with cosine c to its way: p (1 + 3 c^2) / m = (1 + cor) v c, whatever the axes.
static void a_ball_that_hits_three_at_once_does_so_in_all_axes(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(4);
  double c = sqrt(1.0 - 0.49), v = 2.0;
  for (int i = 0; i < 12; ++i) {
    crMat3 R = i == 0 ? crIdentityMat3() : crQuatToMat3(crRandom_Rotation(&random));
    double cor = 0.25 * (i % 4 + 1), p = (1.0 + cor) * v * c / (1.0 + 3.0 * c * c);
    Balls balls = runIntoThree(R, cor, 0.0, 0.0);
    assert_vec_close(crMulTV(R, balls.motions[0].v), crMakeVec3(v - 3.0 * p * c, 0.0, 0.0), 1e-6);
    for (int k = 1; k < 4; ++k) {
      assert_close(crLength(balls.motions[k].v), p, 1e-6);
      assert_close(crMulTV(R, balls.motions[k].v).x, p * c, 1e-6);
    }
  }
}

// Friction between all: what is lost is told, spin and momentum stay with the balls, and no axis is preferred.
static void what_spins_into_three_loses_what_is_told_in_all_axes(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(5);
  const double slopes[] = { 0.02, 0.3, 3.0 };
  double before = 0.5 * findBallMass() * (4.0 + 0.4 * radius * radius * 900.0);
  for (int i = 0; i < 9; ++i) {
    Balls plain = runIntoThree(crIdentityMat3(), 0.6, slopes[i % 3], 30.0);
    crMat3 R = crQuatToMat3(crRandom_Rotation(&random));
    Balls balls = runIntoThree(R, 0.6, slopes[i % 3], 30.0);
    crVec3 momentum = crMakeVec3(-2.0, 0.0, 0.0);
    for (int k = 0; k < 4; ++k) {
      assert_vec_close(crMulTV(R, balls.motions[k].v), plain.motions[k].v, 1e-6);
      assert_vec_close(crMulTV(R, balls.motions[k].w), plain.motions[k].w, 1e-4);
      momentum = crAdd(momentum, plain.motions[k].v);
    }
    assert_vec_close(momentum, crMakeVec3(0.0, 0.0, 0.0), 1e-8);
    assert_true(plain.motions[0].w.x < 30.0 - 1.0 && plain.dissipated > 0.01 * before);
    assert_close(balls.energy + balls.dissipated, before, 1e-7 * before);
  }
}

// Seen from a floor that comes up by itself, the axle of above lands by that much faster.
static void a_floor_that_is_moved_hits_as_fast_as_it_moves(void** state)
{
  (void)state;
  for (int mode = 0; mode < 2; ++mode) {
    double muK = 0.1;
    crTestRun run =
        openScene(modes[mode], 0.5, muK,
                  "local floor = object('floor', { solid{ shape = box{ size = { 4, 4, 0.2 } },\n"
                  "  material = 'm', contact = 'm' } })\n"
                  "local times, places = {}, {}\n" // far from the ends of its table, a spline is the line
                  "for i = -20, 20 do times[#times + 1], places[#places + 1] = i, 0.4 * i - 0.1 end\n"
                  "prismatic('lift', room, floor, { axis = 'z',\n"
                  "  motion = timeTable('up', { times = times, values = places, interpolation = 'cubic' }) })\n"
                  "ball('a', { 0, 0.1, 0.1 }, { 3, 0, -0.6 })\n"
                  "object('b', { parent = 'a', position = { 0, -0.2, 0 },\n"
                  "  solid{ shape = sphere{ radius = 0.05 }, material = 'm', contact = 'm' } })\n");
    crTestRun_Advance(&run, 0.08);
    double inertia = 0.4 * radius * radius, push = muK * 1.5;
    crMotion motion = crTestRun_Motion(&run, "a");
    assert_vec_close(motion.v, crMakeVec3(3.0 - push, 0.0, 0.4 + 0.5), 1e-6);
    assert_vec_close(motion.w, crMakeVec3(0.0, radius * push / inertia, 0.0), 1e-4);
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6);
    crCloseTestRun(&run);
  }
}

// Test pushes are as large as masses ask for: else round-off of gravity, which acts beside them, is all that is left of
// a heavy body's answer. In free fall together, one ball hits another of half its radius: m1 v = m1 v1 + m2 v2, v2 - v1
// = cor v.
static void bodies_of_any_density_hit_alike(void** state)
{
  (void)state;
  static const double densities[] = { 1e-8, 1.0, 1e6, 1e11 };
  for (size_t i = 0; i < sizeof densities / sizeof *densities; ++i) {
    char text[1024];
    snprintf(text, sizeof text,
             "scene{ response = 'impulsive', gravity = { 5, 0, -9.81 } }\n"
             "solidMaterial('m', { density = %g, E = 2e11, nu = 0.3 })\n"
             "contactPair('m', 'm', { cor = 0.5, muK = 0, muR = 0 })\n"
             "local room = world('room')\n"
             "object('a', { parent = room, free = true, position = { -0.3, 0, 0 }, velocity = { 2, 0, 0 },\n"
             "  solid{ shape = sphere{ radius = 0.1 }, material = 'm', contact = 'm' } })\n"
             "object('b', { parent = room, free = true,\n"
             "  solid{ shape = sphere{ radius = 0.05 }, material = 'm', contact = 'm' } })\n",
             densities[i]);
    crTestRun run = crOpenTestText(text, 0.2, 1e-9, cr_solverAuto);
    crTestRun_Advance(&run, 0.2);
    double together = 2.0 * 8.0 / 9.0 + 5.0 * 0.2; // [m/s]
    assert_vec_close(crTestRun_Motion(&run, "a").v, crMakeVec3(together - 1.0 / 9.0, 0.0, -9.81 * 0.2), 1e-7);
    assert_vec_close(crTestRun_Motion(&run, "b").v, crMakeVec3(together + 8.0 / 9.0, 0.0, -9.81 * 0.2), 1e-7);
    crCloseTestRun(&run);
  }
}

// A raft of 36 balls comes down flat: more touch at once than go together, and what is left takes its turn. With cor
// as it is, all of it comes back, and it does not turn.
static void a_raft_that_lands_on_more_balls_than_go_together_comes_back_flat(void** state)
{
  (void)state;
  for (int mode = 0; mode < 2; ++mode) {
    crTestRun run = openScene(modes[mode], 0.5, 0.0,
                              "object('floor', { parent = room, solid{ shape = halfSpace{}, contact = 'm' } })\n"
                              "local function one() return solid{ shape = sphere{ radius = 0.05 },\n"
                              "  material = 'm', contact = 'm' } end\n"
                              "object('raft', { parent = room, free = true, position = { 0, 0, 0.1 },\n"
                              "  velocity = { 0.3, 0, -1 }, one() })\n"
                              "for i = 1, 35 do object('ball' .. i, { parent = 'raft',\n"
                              "  position = { 0.2 * (i % 6), 0.2 * (i // 6), 0 }, one() }) end\n");
    crTestRun_Advance(&run, 0.1);
    crMotion motion = crTestRun_Motion(&run, "raft");
    assert_vec_close(motion.v, crMakeVec3(0.3, 0.0, 0.5), 1e-6);
    assert_vec_close(motion.w, crMakeVec3(0.0, 0.0, 0.0), 1e-6);
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6);
    crCloseTestRun(&run);
  }
}

// Two balls lie on the ground, and smaller ones fall on both at the same time: they are pressed down slower than v_min,
// which the elastic law takes up with the cor and damping of that approach, for the first pair there is as for the
// next. (The first was left with those of the approach it had begun with.)
static void two_that_are_pressed_down_together_are_carried_alike(void** state)
{
  (void)state;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = 0.7;
  options.tolerance = 1e-8;
  options.islands = cr_islandsOff;
  static const char text[] =
      "scene{ response = 'impulsive', gravity = { 0, 0, -9.81 } }\n"
      "solidMaterial('m', { density = 1000, E = 1e6, nu = 0.3 })\n"
      "contactPair('m', 'm', { cor = 0.5, muK = 0, muR = 0, vMin = 0.5 })\n"
      "local room = world('room', { solid{ shape = halfSpace{}, contact = 'm' } })\n"
      "local function ball(name, x, z, r) object(name, { parent = room, free = true, position = { x, 0, z },\n"
      "  solid{ shape = sphere{ radius = r }, material = 'm', contact = 'm' } }) end\n"
      "for i = 1, 2 do ball('lying' .. i, i, 0.1, 0.1) end\n"
      "for i = 1, 2 do ball('falling' .. i, i, 0.95, 0.05) end\n";
  crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
  double most = 0.0;
  for (int i = 1; i < 70; ++i) {
    crTestRun_Advance(&run, 0.01 * i);
    crVec3 first = crTestRun_Motion(&run, "lying1").v, second = crTestRun_Motion(&run, "lying2").v;
    assert_close(first.z, second.z, 1e-9);
    most = fmax(most, fabs(first.z));
  }
  assert_true(most > 0.01); // they were hit
  crCloseTestRun(&run);
}

// A ball that lies on the ground is hit by a light one and moves on slower than v_min: the elastic law takes that up
// with the cor of this approach, as for a ball that flies to the ground as fast, and not with that of lying there,
// which gives nothing back.
static void a_lying_ball_that_is_hit_comes_back_as_one_that_flies(void** state)
{
  (void)state;
  static const char ground[] = "scene{ response = 'impulsive' }\n"
                               "solidMaterial('m', { density = 1000, E = 1e9, nu = 0.3 })\n"
                               "contactPair('m', 'm', { cor = 0.5, muK = 0, muR = 0, vMin = 0.5 })\n"
                               "local room = world('room', { solid{ shape = halfSpace{}, contact = 'm' } })\n"
                               "local function ball(name, z, v, r) object(name, { parent = room, free = true,\n"
                               "  position = { 0, 0, z }, velocity = { 0, 0, v },\n"
                               "  solid{ shape = sphere{ radius = r }, material = 'm', contact = 'm' } }) end\n";
  double g = 9.81, share = 0.125 / 1.125, v = 0.45, speed = v / (1.5 * share), height = speed * speed / (2.0 * g);
  double hits[] = { speed / g, 0.01 };
  for (int mode = 0; mode < 2; ++mode) {
    double back[2];
    for (int i = 0; i < 2; ++i) {
      char text[2048], balls[256];
      snprintf(balls, sizeof balls,
               i == 0 ? "ball('a', 0.1, 0, 0.1) ball('b', %.17g, 0, 0.05)\n" : "ball('a', %.17g, %.17g, 0.1)\n",
               i == 0 ? 0.25 + height : 0.1 + hits[1] * (v - 0.5 * g * hits[1]), g * hits[1] - v);
      snprintf(text, sizeof text, "%s%s", ground, balls);
      crSimulationOptions options = crDefaultSimulationOptions();
      options.stopTime = options.interval = 0.5;
      options.tolerance = 1e-9;
      options.islands = modes[mode];
      crTestRun run = crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
      crTestRun_Advance(&run, hits[i] + 0.01);
      back[i] = crTestRun_Motion(&run, "a").v.z;
      crCloseTestRun(&run);
    }
    assert_true(back[1] > 0.1); // off the ground again, in spite of its weight for 10 ms
    assert_close(back[0], back[1], 5e-3);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_ball_that_hits_two_at_once_comes_back),
    cmocka_unit_test(an_axle_that_lands_on_both_balls_slips_or_grips),
    cmocka_unit_test(a_row_of_balls_hands_the_speed_on),
    cmocka_unit_test(a_ball_that_hits_three_at_once_does_so_in_all_axes),
    cmocka_unit_test(what_spins_into_three_loses_what_is_told_in_all_axes),
    cmocka_unit_test(a_floor_that_is_moved_hits_as_fast_as_it_moves),
    cmocka_unit_test(bodies_of_any_density_hit_alike),
    cmocka_unit_test(a_raft_that_lands_on_more_balls_than_go_together_comes_back_flat),
    cmocka_unit_test(a_lying_ball_that_is_hit_comes_back_as_one_that_flies),
    cmocka_unit_test(two_that_are_pressed_down_together_are_carried_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
