// Balls in bowls, grooves and rooms: closed forms, energies of impacts, and what can meet a surface.
#include "support/log.h"
#include "support/lua.h"
#include "support/random.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// So stiff that depths count for nothing.
#define HARD                                                                                                           \
  "solidMaterial('Hard', { density = 7850, E = 2e14, nu = 0.3 })\n"                                                    \
  "contactPair('Hard', 'Hard', { cor = 0.5, muK = 0.5, muR = 0, friction = 'stick' })\n"                               \
  "world('w', {})\n"
#define BALL(radius, place, more)                                                                                      \
  "object('ball', { parent = 'w', position = { " place " }, free = true, " more "\n"                                   \
  "  solid{ shape = sphere{ radius = " radius " }, material = 'Hard', contact = 'Hard' } })\n"

// omega^2 = 5 g / (7 (R - r)) of small swings.
static void a_ball_in_a_bowl_swings_at_its_closed_frequency(void** state)
{
  (void)state;
  double R = 0.5, r = 0.02, omega = sqrt(5.0 * 9.81 / (7.0 * (R - r))), v = 3e-4 * omega * (R - r);
  char text[2000];
  snprintf(text, sizeof text,
           HARD
           "object('bowl', { parent = 'w', solid{ contact = 'Hard', shape = revolved{ open = true, inside = true,\n"
           "  profile = { { 0, -0.5 }, { 0.5, 0, arc = 0.5 } } } } })\n" BALL(
               "0.02", "0, 0, -0.48", "start = 'rest', velocity = { %.17g, 0, 0 }, angularVelocity = { 0, %.17g, 0 },"),
           v, v / r);
  crTestRun run = crOpenTestText(text, 10.0, 1e-10, cr_solverDefault);
  double first = crTestRun_FindPassage(&run, "ball", 1e-3, 1);
  crCloseTestRun(&run);
  run = crOpenTestText(text, 10.0, 1e-10, cr_solverDefault);
  double last = crTestRun_FindPassage(&run, "ball", 1e-3, 11);
  assert_close(CR_PI * 10.0 / (last - first) / omega, 1.0, 1e-6);
  crCloseTestRun(&run);
}

// On two touches at half the angle alpha from the middle the ball rolls at the radius r sin(alpha): its acceleration is
// g sin(slope) / (1 + 2/5 / sin^2(alpha)).
static void a_ball_rolls_down_a_groove_on_two_touches(void** state)
{
  (void)state;
  static const double halves[] = { 30.0, 45.0, 60.0 };
  for (int i = 0; i < 3; ++i) {
    double alpha = halves[i] * CR_PI / 180.0, slope = 0.1;
    char text[2000];
    snprintf(text, sizeof text,
             HARD
             "scene{ gravity = { 0, %.17g, %.17g } }\n"
             "local up = 0.05 / math.tan(%.17g)\n"
             "object('groove', { parent = 'w', solid{ contact = 'Hard', shape = extruded{ length = 10, profile = {\n"
             "  { -0.1, -0.1 }, { 0.1, -0.1 }, { 0.1, up }, { 0.05, up }, { 0, 0 }, { -0.05, up }, { -0.1, up } } } } "
             "})\n" BALL("0.02", "0, 0.02 / math.sin(%.17g), 0", "start = 'pose',"),
             -9.81 * cos(slope), 9.81 * sin(slope), alpha, alpha);
    crTestRun run = crOpenTestText(text, 1.0, 1e-9, cr_solverDefault);
    double speed = crTestRun_ValueAt(&run, 1.0, "ball.velocity.z");
    assert_int_equal(crContacts_Count(crSimulation_GetSet(run.simulation).contacts), 2);
    assert_close(speed, 9.81 * sin(slope) / (1.0 + 0.4 / (sin(alpha) * sin(alpha))), 1e-5 * speed);
    assert_close(crTestRun_Value(&run, "ball.angularVelocity.x"), speed / (0.02 * sin(alpha)), 1e-3);
    crCloseTestRun(&run);
  }
}

#define ROOM                                                                                                           \
  "contactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0 })\n"                                                     \
  "world('w', {})\n"                                                                                                   \
  "for i = 1, 3 do object('ball' .. i, { parent = 'w', free = true, velocity = { 1.1, 0.3, 0.2 * i },\n"               \
  "  position = { 0.02 * i - 0.04, 0.01, 0.01 },\n"                                                                    \
  "  solid{ shape = sphere{ radius = 0.004 + 0.001 * i }, material = 'Steel', contact = 'Steel' } }) end\n"            \
  "object('room', { parent = 'w', position = { 0, 0, %s }, rotation = { 0.3, 0.2, 0.1 }, solid{ contact = 'Steel', "   \
  "shape = "

// Impacts lose nothing, on walls, in corners, grooves and on edges: 1e-6 of the energy, each.
static void undamped_impacts_in_rooms_keep_their_energy(void** state)
{
  (void)state;
  static const char* const shapes[] = {
    "sphere{ radius = 0.1, hollow = true }",
    "cylinder{ radius = 0.1, length = 0.2, hollow = true }",
    "cone{ radius = 0.2, topRadius = 0.05, length = 0.15, hollow = true, axis = '-z' }",
    "box{ size = { 0.2, 0.2, 0.2 }, hollow = true }",
    // a barrel with a groove, a fillet that two of the balls do not fit into, and a shoulder
    "revolved{ inside = true, profile = { { 0, -0.1 }, { 0.0945, -0.1 }, { 0.1, -0.0945, arc = 0.0055 }, { 0.1, -0.02 "
    "},\n"
    "  { 0.1, 0.02, arc = 0.03 }, { 0.1, 0.05 }, { 0.08, 0.06 }, { 0.08, 0.1 }, { 0, 0.1 } } }",
    // a channel without ends, closed by its own walls
    "extruded{ inside = true, length = 100, profile = { { -0.1, -0.1 }, { 0.1, -0.1 }, { 0.1, 0.05 },\n"
    "  { 0.05, 0.1, arc = 0.05 }, { 0.02, 0.06 }, { -0.1, 0.1 } } }",
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
    char text[2000];
    snprintf(text, sizeof text, ROOM "%s } })\n", i == 2 ? "0.07" : "0", shapes[i]);
    crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverDefault);
    double energy = crTestRun_Energy(&run);
    crTestRun_Advance(&run, 1.0);
    crSimulationSummary counts = crSimulation_GetSummary(run.simulation);
    assert_true(counts.contactCount > 10);
    assert_close(crTestRun_Energy(&run), energy, 1e-6 * (double)counts.contactCount * fabs(energy));
    crCloseTestRun(&run);
  }
}

// A ball slides down one side of a channel, over its round bottom and up the other side: its contact goes on over both
// ends of the arc, whether the channel comes first or the ball.
static void contacts_go_on_over_chains_in_any_order(void** state)
{
  (void)state;
  static const char* const parts[] = {
    "object('ball', { parent = 'w', free = true, position = { 0.07 - s, 0.07 - 0.0207107 + s, 0 },\n"
    "  solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' } })\n",
    "object('channel', { solid{ contact = 'Steel', mass = 1000, shape = extruded{ length = "
    "1, profile = {\n"
    "  { -0.12, -0.05 }, { 0.12, -0.05 }, { 0.12, 0.0792893 }, { 0.1, 0.0792893 }, { 0.0353553, 0.0146447 },\n"
    "  { -0.0353553, 0.0146447, arc = -0.05 }, { -0.1, 0.0792893 }, { -0.12, 0.0792893 } } } } })\n"
    "prismatic('rail', 'w', 'channel', { axis = 'z' })\n"
  };
  double x[2], y[2], vx[2];
  int64_t began[2];
  for (int i = 0; i < 2; ++i) {
    char text[2000];
    snprintf(text, sizeof text,
             "scene{ gravity = { 0, -9.81, 0 } }\ncontactPair('Steel', 'Steel', { cor = 0.5, muK = 0, muR = 0 })\n"
             "world('w', {})\nlocal s = 0.01 * math.sqrt(0.5)\n%s%s",
             parts[i], parts[1 - i]);
    crTestRun run = crOpenTestText(text, 1.0, 1e-9, cr_solverDefault);
    double energy = crTestRun_Energy(&run);
    crTestRun_Advance(&run, 0.3);
    x[i] = crTestRun_Pose(&run, "ball").p.x;
    y[i] = crTestRun_Pose(&run, "ball").p.y;
    vx[i] = crTestRun_Motion(&run, "ball").v.x;
    began[i] = crSimulation_GetSummary(run.simulation).contactCount;
    assert_close(crTestRun_Energy(&run), energy, 1e-7);
    crCloseTestRun(&run);
  }
  assert_true(x[0] < -0.01); // on the other side
  assert_close(x[0], x[1], 1e-6);
  assert_close(y[0], y[1], 1e-6);
  assert_close(vx[0], vx[1], 1e-5);
  assert_int_equal(began[0], began[1]);
}

// Down one half pipe and back on the next, on one touch in each, into a funnel, and around it without leaving it.
static void a_marble_follows_channels_into_a_funnel(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "marble_channels.lua", .settings = { { "marbles", "1" } } });
  double energy = crTestRun_Energy(&run);
  crTestRun_Advance(&run, 0.6);
  assert_int_equal(crContacts_Count(crSimulation_GetSet(run.simulation).contacts), 1);
  // rolling from rest: v^2 = 10/7 g h with the height h, but for what swings across and rolling resistance take
  crVec3 v = crTestRun_Motion(&run, "marble1").v;
  double fallen = 0.3 - -0.16 * tan(0.09) + 0.008 - crTestRun_Pose(&run, "marble1").p.z;
  assert_true(crLengthSquared(v) < 10.0 / 7.0 * 9.81 * fallen && crLengthSquared(v) > 9.81 * fallen);
  crTestRun_Advance(&run, 2.8);
  assert_int_equal(crContacts_Count(crSimulation_GetSet(run.simulation).contacts), 1);
  assert_true(crTestRun_Motion(&run, "marble1").v.x < -0.2);
  for (double t = 4.5; t <= 7.0; t += 0.1) {
    crTestRun_Advance(&run, t);
    crVec3 p = crSub(crTestRun_Pose(&run, "marble1").p, crMakeVec3(-0.32, 0.02, 0.06));
    double rho = sqrt(p.x * p.x + p.y * p.y);
    assert_true(rho < 0.102 && rho > 0.006 && p.z > 0.0 && p.z < 0.08);
  }
  assert_true(crTestRun_Energy(&run) < energy);
  crCloseTestRun(&run);
}

// A ball in a funnel, or on the rim of a hole, on the axis or next to it.
static crTestRun openFunnel(const char* profile, double beside, double cor, double muK)
{
  char text[1000];
  snprintf(text, sizeof text,
           "contactPair('Steel', 'Steel', { cor = %g, muK = %g, muR = 0 })\nworld('w', {})\n"
           "object('funnel', { parent = 'w', solid{ contact = 'Steel', shape = revolved{ profile = %s } } })\n"
           "object('ball', { parent = 'w', free = true, position = { %g, 0, 0.04 },\n"
           "  solid{ shape = sphere{ radius = 0.02 }, material = 'Steel', contact = 'Steel' } })\n",
           cor, muK, profile, beside);
  return crOpenTestText(text, 0.5, 1e-8, cr_solverDefault);
}

static const char* const funnels[] = { "{ { 0.01, 0 }, { 0.05, 0.04 }, { 0.06, 0.04 }, { 0.02, 0 } }",
                                       "{ { 0.012, 0.01 }, { 0.03, 0.01 }, { 0.03, -0.02 }, { 0.012, -0.02 } }" };

// The touch on the far side of the axis had the curvature of the rim with the wrong sign, and another stiffness with
// it: where both should be alike there was a ridge, and half a million steps for half a second.
static void balls_bounce_on_the_axis_of_a_funnel(void** state)
{
  (void)state;
  static const double places[] = { 0.0, 1e-12, 3e-10, 1e-9, 1e-6, 1e-4 };
  for (int i = 0; i < 12; ++i) {
    crTestRun run = openFunnel(funnels[i % 2], places[i / 2], 1.0, 0.0);
    double energy = crTestRun_Energy(&run);
    crTestRun_Advance(&run, 0.5);
    assert_true(crSimulation_GetSummary(run.simulation).contactCount >= 2);
    assert_close(crTestRun_Energy(&run), energy, 1e-6 * energy);
    assert_true(crSimulation_GetSummary(run.simulation).solverStatistics.evaluations < 20000);
    crCloseTestRun(&run);
  }
}

// Each of the two touches carries half of the weight, over the sine of the slope; on a rim of 12 mm that is 16 in 20.
static void balls_come_to_rest_on_the_axis_of_a_funnel(void** state)
{
  (void)state;
  static const double rises[] = { 0.70710678118654752, 0.8 };
  for (int i = 0; i < 12; ++i) {
    crTestRun run = openFunnel(funnels[i % 2], i < 4 ? 0.0 : i < 8 ? 1e-9 : 1e-6, 0.3, i / 2 % 2 == 0 ? 0.0 : 0.3);
    crTestRun_Advance(&run, 0.5);
    const crContacts* contacts = crSimulation_GetSet(run.simulation).contacts;
    assert_int_equal(crContacts_Count(contacts), 2);
    for (int k = 0; k < 2 && i / 2 % 2 == 0; ++k) { // steel of 8000 kg/m^3; with friction it is wedged in
      double each = 0.5 * 4.0 / 3.0 * CR_PI * 8e-6 * 8000.0 * 9.81 / rises[i % 2];
      assert_close(crContacts_Get(contacts, k).normalForce, each, 1e-5 * each);
    }
    assert_true(crLength(crTestRun_Motion(&run, "ball").v) < 1e-6);
    assert_true(crSimulation_GetSummary(run.simulation).solverStatistics.evaluations < 20000);
    crCloseTestRun(&run);
  }
}

// In a hole of radius R a peg of radius r that is tilted by a and d deep takes 2 r cos a + d sin a of its width, at
// most 2 R, with the error of its pieces; it comes to stand on the ground.
static void a_peg_goes_into_its_hole(void** state)
{
  (void)state;
  double R = 0.01 + 5e-5, r = 0.0098, length = 0.05;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "peg_in_hole.lua" });
  int count = 0;
  for (double t = 0.1; t < 0.25; t += 5e-4) {
    crTestRun_Advance(&run, t);
    crPose X = crTestRun_Pose(&run, "peg");
    double cosine = X.R.cz.z, sine = sqrt(1.0 - cosine * cosine);
    double d = -0.003 - (X.p.z - 0.5 * length * cosine + r * sine);
    if (d > 0.0) {
      assert_true(2.0 * r * cosine + d * sine < 2.0 * R + 1e-6);
      ++count;
    }
  }
  assert_true(count > 200);
  crTestRun_Advance(&run, 0.35);
  crPose X = crTestRun_Pose(&run, "peg");
  assert_close(X.p.z, -0.03 + 0.5 * length, 1e-6);
  assert_close(X.R.cz.z, 1.0, 1e-9);
  assert_true(hypot(X.p.x, X.p.y) < R - r);
  crCloseTestRun(&run);
}

// Rings that are not spheres are told about, each pair once; a joint to the world keeps apart what overlaps at the
// start.
static void what_does_not_touch_a_surface_is_told(void** state)
{
  (void)state;
#define RING "revolved{ profile = { { 1, -1 }, { 2, -1 }, { 2, 1 }, { 1, 1 } } }"
  static const char text[] = "contactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0 })\n"
                             "world('w', {})\n"
                             "object('ring', { parent = 'w', solid{ contact = 'Steel', shape = " RING " } })\n"
                             "object('box', { parent = 'w', free = true, position = { 0, 0, 5 },\n"
                             "  solid{ contact = 'Steel', material = 'Steel', shape = box{ size = { 1, 1, 1 } } } })\n";
  crTestModel model = crTestModel_ReadGood(text);
  crModel* compiled = NULL;
  assert_int_equal(crCompile(model.scene, NULL, NULL, &model.sink, &compiled), cr_errorModel);
  assert_true(crTestModel_Says(&model, "'ring' can meet 'box', a box: a revolved shape touches spheres alone"));
  crTestModel_Free(&model);
}

// It was told of a hollow sphere that a sphere shape touches spheres alone.
static void what_does_not_touch_a_hollow_shape_is_told(void** state)
{
  (void)state;
  static const char text[] = "contactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0 })\n"
                             "world('w', {})\n"
                             "object('room', { parent = 'w',\n"
                             "  solid{ contact = 'Steel', shape = sphere{ radius = 5, hollow = true } } })\n"
                             "object('box', { parent = 'w', free = true,\n"
                             "  solid{ contact = 'Steel', material = 'Steel', shape = box{ size = { 1, 1, 1 } } } })\n";
  crTestModel model = crTestModel_ReadGood(text);
  crModel* compiled = NULL;
  assert_int_equal(crCompile(model.scene, NULL, NULL, &model.sink, &compiled), cr_errorModel);
  assert_true(
      crTestModel_Says(&model, "'room' can meet 'box', a box: a hollow sphere shape touches spheres and ellipsoids"));
  crTestModel_Free(&model);
}

static void what_encloses_nothing_has_no_mass(void** state)
{
  (void)state;
  assert_reads("world('w', {})\nobject('a', { parent = 'w', free = true, solid{ material = 'Steel',\n"
               "  shape = sphere{ radius = 1, hollow = true } } })\n",
               cr_errorModel, "a hollow shape has no mass");
  assert_reads("world('w', {})\nobject('a', { parent = 'w', free = true, solid{ material = 'Steel',\n"
               "  shape = revolved{ open = true, profile = { { 1, 0 }, { 2, 1 } } } } })\n",
               cr_errorModel, "a profile that encloses no solid has no mass");
  assert_reads("world('w', {})\nobject('a', { parent = 'w', solid{ contact = 'Steel',\n"
               "  shape = revolved{ profile = { { 1, 0 }, { 2, 1, bend = 3 }, { 2, 2 } } } } })\n",
               cr_errorModel, "profile[2] is not a point of a profile");
  assert_reads("world('w', {})\nobject('a', { parent = 'w', solid{ contact = 'Steel',\n"
               "  shape = extruded{ length = 1, profile = 3 } } })\n",
               cr_errorModel, "profile");
}

// [m] From a point to a bowl of radius 0.1 that is open at the top.
static double findBowlDistance(crVec3 p)
{
  double rho = sqrt(p.x * p.x + p.y * p.y);
  return p.z < 0.0 ? fabs(crLength(p) - 0.1) : hypot(rho - 0.1, p.z);
}

// A ball that came over the rim to the back stopped the run: it was overlooked that it touches.
static void open_surfaces_are_touched_from_both_sides(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(23);
  int hits = 0, backs = 0;
  for (int i = 0; i < 60; ++i) {
    double angle = crRandom_Uniform(&random, -CR_PI, CR_PI), up = crRandom_Uniform(&random, -0.9, 0.9);
    double level = sqrt(1.0 - up * up), at = crRandom_Uniform(&random, -CR_PI, CR_PI);
    crVec3 from = { 0.25 * level * cos(angle), 0.25 * level * sin(angle), 0.25 * up };
    crVec3 aim = { 0.1 * cos(at), 0.1 * sin(at), crRandom_Uniform(&random, -0.02, 0.01) };
    crVec3 v = crScale(crRandom_Uniform(&random, 0.5, 4.0), crNormalize(crSub(aim, from)));
    char text[1500];
    snprintf(text, sizeof text,
             "scene{ gravity = 'none' }\ncontactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0 })\n"
             "world('w', { solid{ contact = 'Steel', shape = revolved{ open = true, inside = true,\n"
             "  profile = { { 0, -0.1 }, { 0.1, 0, arc = 0.1 } } } } })\n"
             "object('ball', { parent = 'w', free = true, position = { %.17g, %.17g, %.17g },\n"
             "  velocity = { %.17g, %.17g, %.17g }, solid{ shape = sphere{ radius = 0.01 }, mass = 0.1,\n"
             "  contact = 'Steel' } })\n",
             from.x, from.y, from.z, v.x, v.y, v.z);
    crTestRun run = crOpenTestText(text, 1.0, 1e-8, cr_solverDefault);
    double energy = crTestRun_Energy(&run);
    for (int k = 1; k <= 300; ++k) {
      crTestRun_Advance(&run, 1e-3 * k);
      crVec3 p = { crTestRun_Value(&run, "ball.position.x"), crTestRun_Value(&run, "ball.position.y"),
                   crTestRun_Value(&run, "ball.position.z") };
      assert_true(findBowlDistance(p) > 0.0095);
    }
    int count = (int)crSimulation_GetSummary(run.simulation).contactCount;
    hits += count > 0;
    backs += count > 0 && crLength(from) > 0.1 && from.z < 0.0;
    assert_close(crTestRun_Energy(&run) / energy, 1.0, 1e-6 * fmax(1.0, 0.25 * count));
    crCloseTestRun(&run);
  }
  assert_true(hits > 30 && backs > 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_ball_in_a_bowl_swings_at_its_closed_frequency),
    cmocka_unit_test(a_ball_rolls_down_a_groove_on_two_touches),
    cmocka_unit_test(undamped_impacts_in_rooms_keep_their_energy),
    cmocka_unit_test(contacts_go_on_over_chains_in_any_order),
    cmocka_unit_test(a_marble_follows_channels_into_a_funnel),
    cmocka_unit_test(balls_bounce_on_the_axis_of_a_funnel),
    cmocka_unit_test(balls_come_to_rest_on_the_axis_of_a_funnel),
    cmocka_unit_test(a_peg_goes_into_its_hole),
    cmocka_unit_test(what_does_not_touch_a_surface_is_told),
    cmocka_unit_test(what_does_not_touch_a_hollow_shape_is_told),
    cmocka_unit_test(what_encloses_nothing_has_no_mass),
    cmocka_unit_test(open_surfaces_are_touched_from_both_sides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
