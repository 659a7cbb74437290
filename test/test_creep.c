// What friction does at a contact is told: whether it sticks, slides or rolls, how much of its limit it has, how far it
// slipped, and what crept that was meant to stay.
#include "support/test_run.h"

#include <math.h>
#include <string.h>

#define GRAVITY 9.81
#define MU 0.4
#define SLOPE 0.1 // [rad]

#define HEAD(options)                                                                                                  \
  "scene{ " options " }\n"                                                                                             \
  "solidMaterial('Wood', { density = 600, E = 1e9, nu = 0.3 })\n"                                                      \
  "contactPair('Wood', 'Wood', { cor = 0.3, muK = 0.4, muR = 0 })\n"                                                   \
  "local w = world('w')\n"                                                                                             \
  "local function floor(angle) return object('floor', { parent = w, rotation = { axis = 'y', angle = angle },\n"       \
  "  solid{ shape = halfSpace{}, contact = 'Wood' } }) end\n"                                                          \
  "local function put(shape, more)\n"                                                                                  \
  "  more.parent, more.free, more.position = 'floor', true, { 0, 0, 0.05 }\n"                                          \
  "  more[1] = solid{ shape = shape, material = 'Wood', contact = 'Wood' }\n"                                          \
  "  object('body', more)\n"                                                                                           \
  "end\n"                                                                                                              \
  "local cube, plate = box{ size = { 0.1, 0.1, 0.1 } }, box{ size = { 0.4, 0.4, 0.1 } }\n"

static crContactRecord lookAt(crTestRun* run, double t)
{
  crTestRun_Advance(run, t);
  const crContacts* contacts = crSimulation_GetSet(run->simulation).contacts;
  assert_int_equal(crContacts_Count(contacts), 1);
  return crContacts_Get(contacts, 0);
}

// A box that is pushed off with 1 m/s slides v^2 / (2 mu g), and then lies still.
static void a_slide_is_as_long_as_its_closed_form(void** state)
{
  (void)state;
  static const char* const texts[] = {
    HEAD("friction = 'stick'") "floor(0) put(plate, { start = 'rest', velocity = { 1, 0, 0 } })",
    HEAD("friction = 'regularized', vMin = 1e-4") "floor(0) put(plate, { start = 'rest', velocity = { 1, 0, 0 } })",
  };
  for (int i = 0; i < 2; ++i) {
    crTestRun run = crOpenTestText(texts[i], 2, 1e-8, cr_solverDefault);
    crContactRecord sliding = lookAt(&run, 0.1), still = lookAt(&run, 2.0);
    double far = 0.5 / (MU * GRAVITY), moved = crTestRun_Pose(&run, "body").p.x;
    assert_int_equal(sliding.mode, cr_modeSliding);
    assert_close(sliding.coneShare, 1.0, 1e-9);
    assert_true(sliding.slipPath > 0.0 && sliding.slipPath <= 0.1 - 0.5 * MU * GRAVITY * 0.01); // up to the last step
    assert_true(sliding.creep.time == 0.0 && sliding.creep.path == 0.0); // what is faster than vMin does not creep
    assert_true(still.creep.path <= (i == 0 ? 0.0 : 1e-4 * 2.0));
    assert_int_equal(still.mode, cr_modeSticking);
    assert_close(still.slipPath, far, 3e-3 * far);
    assert_close(still.slipPath, moved, 1e-4 * far);
    crCloseTestRun(&run);
  }
}

// tan(slope) / mu of the cone; the surfaces do not slip.
static void what_sticks_says_so(void** state)
{
  (void)state;
  crTestRun run =
      crOpenTestText(HEAD("friction = 'stick'") "floor(0.1) put(cube, { start = 'rest' })", 60, 1e-8, cr_solverDefault);
  crContactRecord record = lookAt(&run, 60.0);
  char text[CR_CREEP_TEXT];
  assert_int_equal(record.mode, cr_modeSticking);
  assert_close(record.coneShare, tan(SLOPE) / MU, 1e-6);
  assert_close(record.slipPath, 0.0, 1e-12);
  assert_true(record.creep.path == 0.0 && record.creep.time == 0.0);
  assert_false(crSimulation_DescribeCreep(run.simulation, text, sizeof text));
  assert_string_equal(text, "");
  assert_int_equal(crSimulation_GetSummary(run.simulation).creepA, -1);
  crCloseTestRun(&run);
}

static void a_ball_rolls(void** state)
{
  (void)state;
  static const char* const texts[] = {
    HEAD("friction = 'stick'") "floor(0.1) put(sphere{ radius = 0.05 }, {})",
    HEAD("friction = 'regularized'") "floor(0.1) put(sphere{ radius = 0.05 }, {})",
  };
  for (int i = 0; i < 2; ++i) {
    crTestRun run = crOpenTestText(texts[i], 1, 1e-8, cr_solverDefault);
    crContactRecord record = lookAt(&run, 1.0);
    assert_int_equal(record.mode, cr_modeRolling);
    assert_close(record.coneShare, 2.0 / 7.0 * tan(SLOPE) / MU, 1e-3);
    assert_true(record.slipPath < 2e-3); // of 0.35 m that it has rolled
    assert_int_equal(crSimulation_GetSummary(run.simulation).creepA, -1);
    crCloseTestRun(&run);
  }
}

// The law creeps with v = vMin u with eta = u / (u^2 - u^3 / 3 + 1 / 3).
static double findCreep(double eta, double vMin)
{
  double u = eta / 3.0;
  for (int i = 0; i < 100; ++i) {
    u = eta * (u * u - u * u * u / 3.0 + 1.0 / 3.0);
  }
  return u * vMin;
}

static void what_creeps_is_named(void** state)
{
  (void)state;
  const double stop = 10.0, eta = tan(SLOPE) / MU, far = stop * findCreep(eta, 0.01);
  crTestRun run = crOpenTestText(HEAD("friction = 'regularized'") "floor(0.1) put(cube, { start = 'rest' })", stop,
                                 1e-8, cr_solverDefault);
  crContactRecord record = lookAt(&run, stop);
  crSimulationSummary s = crSimulation_GetSummary(run.simulation);
  assert_int_equal(record.mode, cr_modeSticking);
  assert_close(record.creep.path, far, 0.02 * far);
  assert_close(record.creep.share, eta, 0.01);
  assert_close(record.slipPath, record.creep.path, 0.01 * far);
  assert_true(crCreep_IsWorthTelling(&record.creep) && !crCreep_IsWorthTelling(NULL));
  assert_true(s.creep.path == record.creep.path && s.creepSpeed == 0.01);
  assert_string_equal(crModel_GetObjectPath(run.model, s.creepA), "floor");
  char text[CR_CREEP_TEXT], start[8];
  assert_true(crSimulation_DescribeCreep(run.simulation, text, sizeof text));
  assert_non_null(strstr(text, "body on floor crept "));
  assert_non_null(strstr(text, " mm in 10 s while friction carried 25 % of its limit (vMin 0.01 m/s)"));
  assert_non_null(strstr(text, "friction = \"stick\" holds it"));
  assert_true(crSimulation_DescribeCreep(run.simulation, start, sizeof start)); // cut
  assert_string_equal(start, "body on");
  assert_false(crSimulation_DescribeCreep(NULL, text, sizeof text));
  assert_false(crSimulation_DescribeCreep(run.simulation, NULL, 10));
  assert_false(crSimulation_DescribeCreep(run.simulation, text, 0));
  crCloseTestRun(&run);
}

// What rolling friction should hold, rolls below wMin.
static void a_ball_that_creeps_down_by_rolling_is_named(void** state)
{
  (void)state;
  crTestRun run =
      crOpenTestText(HEAD("friction = 'regularized'") "contactPair('Steel', 'Wood', { cor = 0.3, muK = 0.6, "
                                                      "muR = 0.2 })\n"
                                                      "floor(0.1)\n"
                                                      "object('body', { parent = 'floor', free = true, "
                                                      "start = 'rest', position = { 0, 0, 0.05 },\n"
                                                      "  solid{ shape = sphere{ radius = 0.05 }, "
                                                      "contact = 'Steel', material = 'Steel' } })",
                     60, 1e-8, cr_solverDefault);
  crContactRecord record = lookAt(&run, 60.0);
  crPose pose = crTestRun_Pose(&run, "body");
  double moved = hypot(pose.p.x - 0.05 * sin(SLOPE), pose.p.z - 0.05 * cos(SLOPE));
  assert_true(moved > 1e-4);
  assert_true(record.creep.path > 0.9 * moved && record.creep.path < 3.0 * moved);
  assert_true(crCreep_IsWorthTelling(&record.creep));
  crCloseTestRun(&run);
}

// What ended counts as what lasts: a box creeps over the edge of a slope and falls.
static void what_crept_and_fell_is_named(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(HEAD("friction = 'regularized'") //
                                 "object('floor', { parent = w, rotation = { axis = 'y', angle = 0.2 },\n"
                                 "  position = { 0, 0, 0 }, solid{ shape = box{ size = { 0.2, 0.2, 0.02 } }, "
                                 "contact = 'Wood' } })\n"
                                 "object('body', { parent = 'floor', free = true, start = 'rest', position = { 0.085, "
                                 "0, 0.06 },\n"
                                 "  solid{ shape = cube, material = 'Wood', contact = 'Wood' } })",
                                 6, 1e-6, cr_solverDefault);
  crTestRun_Advance(&run, 6.0);
  assert_true(crTestRun_Pose(&run, "body").p.z < -1.0);
  crSimulationSummary s = crSimulation_GetSummary(run.simulation);
  assert_true(s.creep.path > 1e-3 && s.creep.path < 0.01 && s.creepA >= 0);
  crCloseTestRun(&run);
}

// Nothing in billiards is meant to be held by friction.
static void what_rolls_to_rest_is_not_said_to_creep(void** state)
{
  (void)state;
  static const char* const examples[] = { "billiards.lua", "rolling_ball.lua", "bouncing_ball.lua", "two_balls.lua" };
  for (int i = 0; i < 4; ++i) {
    crTestRun run = crOpenTestRun(&(crTestPlan){ .example = examples[i] });
    crTestRun_Advance(&run, crSimulation_GetOptions(run.simulation).stopTime);
    assert_int_equal(crSimulation_GetSummary(run.simulation).creepA, -1);
    crCloseTestRun(&run);
  }
}

static void modes_have_names(void** state)
{
  (void)state;
  static const char* const names[] = { "none", "sticking", "sliding", "rolling" };
  for (int i = 0; i < 4; ++i) {
    assert_string_equal(crContactMode_GetText((crContactMode)i), names[i]);
  }
  assert_string_equal(crContactMode_GetText((crContactMode)9), "unknown");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_slide_is_as_long_as_its_closed_form),
    cmocka_unit_test(what_sticks_says_so),
    cmocka_unit_test(a_ball_rolls),
    cmocka_unit_test(what_creeps_is_named),
    cmocka_unit_test(a_ball_that_creeps_down_by_rolling_is_named),
    cmocka_unit_test(what_crept_and_fell_is_named),
    cmocka_unit_test(what_rolls_to_rest_is_not_said_to_creep),
    cmocka_unit_test(modes_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
