// Friction that sticks, in scenes: what is loaded below its limit stays for an hour, what slides obeys Coulomb's law,
// and energy is accounted for. Closed forms are those of rigid bodies; contacts add their elasticity.
#include "contact/contact.h"
#include "support/stick.h"

#include <math.h>
#include <stdio.h>

static const double tolerances[] = { 1e-4, 1e-6, 1e-8, 1e-10 };
#define TOLERANCES 4
#define GRAVITY 9.81 // [m/s^2]
#define PI 3.14159265358979323846

static void printCost(const char* what, double tolerance, const crTestRun* run)
{
  crSimulationSummary s = crSimulation_GetSummary(run->simulation);
  printf("%-24s %.0e: %6lld steps, %7lld evaluations, %8.1e J unexplained\n", what, tolerance,
         (long long)s.solverStatistics.steps, (long long)s.solverStatistics.evaluations, crTestRun_Unexplained(run));
}

// ---------------------------------------------------------------------------------------------- what stays

static void checkSlope(const char* what, const crSetting* settings, double mostSag)
{
  for (int i = 0; i < TOLERANCES; ++i) {
    crTestRun run = crOpenStick("stick_block.lua", settings, tolerances[i], 0.0, cr_solverDefault);
    crTestRun_Advance(&run, 600.0);
    crPose sagged = crTestRun_Pose(&run, "b");
    crTestRun_Advance(&run, 3600.0);
    crPose end = crTestRun_Pose(&run, "b");
    printCost(what, tolerances[i], &run);
    crAssertFrictionIsBounded(&run);
    assert_true(sagged.p.x > 0.0 && sagged.p.x < mostSag);
    assert_close(end.p.x, sagged.p.x, 1e-12);
    assert_close(end.p.y, sagged.p.y, 1e-12);
    assert_close(end.p.z, sagged.p.z, 1e-5 * tolerances[i]); // across the slope it settles
    assert_true(crStickTurn(sagged, end) <= 1e-12);
    assert_true(crSimulation_GetSummary(run.simulation).solverStatistics.evaluations < 4000);
    crCloseTestRun(&run);
  }
}

static void boxes_stay_on_a_slope_for_an_hour(void** state)
{
  (void)state;
  checkSlope("box on 14 degrees", (crSetting[]){ { "angle", "14" }, { NULL, NULL } }, 1e-6);
}

static void balls_are_held_by_rolling_friction_for_an_hour(void** state)
{
  (void)state;
  checkSlope("ball on 4 degrees",
             (crSetting[]){ { "angle", "4" }, { "shape", "ball" }, { "muR", "0.15" }, { NULL, NULL } }, 1e-5);
}

// tan 14 degrees = 0.2493. What slides does so by Coulomb's law.
static void slopes_beyond_the_cone_do_not_hold(void** state)
{
  (void)state;
  static const char* const mus[] = { "0.249", "0.2495" };
  for (int i = 0; i < 2; ++i) {
    crSetting settings[] = { { "angle", "14" }, { "mu", mus[i] }, { NULL, NULL } };
    crTestRun run = crOpenStick("stick_block.lua", settings, 1e-8, 2.0, cr_solverDefault);
    crTestRun_Advance(&run, 1.0);
    double before = crTestRun_Motion(&run, "b").v.x, angle = 14 * PI / 180;
    crTestRun_Advance(&run, 2.0);
    double rigid = i == 0 ? GRAVITY * (sin(angle) - 0.249 * cos(angle)) : 0.0; // [m/s] in a second
    assert_close(crTestRun_Motion(&run, "b").v.x - before, rigid, 1e-8);
    crCloseTestRun(&run);
  }
}

static void grippers_hold_a_cube_off_its_middle(void** state)
{
  (void)state;
  for (int i = 0; i < TOLERANCES; ++i) {
    crTestRun run = crOpenStick("stick_grip.lua", NULL, tolerances[i], 0.0, cr_solverDefault);
    crTestRun_Advance(&run, 10.0);
    crPose held = crTestRun_Pose(&run, "cube");
    crTestRun_Advance(&run, 60.0);
    crPose end = crTestRun_Pose(&run, "cube");
    printCost("gripper", tolerances[i], &run);
    crAssertFrictionIsBounded(&run);
    assert_true(crLength(held.p) < 0.003);
    assert_close(end.p.y, held.p.y, 1e-12);
    assert_close(end.p.z, held.p.z, 1e-12);
    assert_close(end.p.x, held.p.x, fmax(1e-12, 1e-7 * tolerances[i])); // across the pads
    assert_true(crStickTurn(held, end) <= 1e-12);
    crCloseTestRun(&run);
  }
}

static void shaking_below_the_cone_moves_nothing(void** state)
{
  (void)state;
  static const double most[TOLERANCES] = { 1e-9, 1e-10, 1e-11, 1e-12 }; // [m]
  crSetting settings[] = { { "load", "shake" }, { NULL, NULL } };
  for (int i = 0; i < TOLERANCES - 1; ++i) {
    crTestRun run = crOpenStick("stick_block.lua", settings, tolerances[i], 10.0, cr_solverDefault);
    crTestRun_Advance(&run, 1.0);
    crVec3 begin = crTestRun_Pose(&run, "b").p;
    for (double t = 1.0; t < 10.0; t += 0.0137) {
      crTestRun_Advance(&run, t);
      crAssertFrictionIsBounded(&run);
    }
    crTestRun_Advance(&run, 10.0);
    printCost("shaken", tolerances[i], &run);
    assert_close(crTestRun_Pose(&run, "b").p.x, begin.x, most[i]);
    crCloseTestRun(&run);
  }
}

static void stacks_stand_for_an_hour(void** state)
{
  (void)state;
  crTestRun run = crOpenStick("stick_stack.lua", NULL, 1e-6, 0.0, cr_solverDefault);
  crVec3 starts[8];
  for (int i = 0; i < 8; ++i) {
    char name[16];
    snprintf(name, sizeof name, "b%d", i + 1);
    starts[i] = crTestRun_Pose(&run, name).p;
  }
  crTestRun_Advance(&run, 3600.0);
  printCost("eight boxes", 1e-6, &run);
  for (int i = 0; i < 8; ++i) {
    char name[16];
    snprintf(name, sizeof name, "b%d", i + 1);
    assert_vec_close(crTestRun_Pose(&run, name).p, starts[i], 1e-9);
  }
  crCloseTestRun(&run);
}

// --------------------------------------------------------------------------------------------- what slides

// A force of 1.5 t of the cone up to 1 s, and down again: a rigid block slides from 2/3 s on.
static double findRigidRamp(double mu)
{
  double s = (0.5 + sqrt(0.5)) / 1.5; // [s] behind the peak
  return mu * GRAVITY * (0.25 / 27.0 + s / 12.0 + 0.25 * s * s - 0.25 * s * s * s);
}

static double slideByRamp(double tolerance, const char* elasticity)
{
  crSetting settings[] = { { "load", "ramp" }, { "E", elasticity }, { NULL, NULL } };
  crTestRun run = crOpenStick("stick_block.lua", settings, tolerance, 3.0, cr_solverDefault);
  for (double t = 0.0; t < 3.0; t += 0.01) {
    crTestRun_Advance(&run, t);
    crAssertFrictionIsBounded(&run);
  }
  crTestRun_Advance(&run, 3.0);
  printCost("ramp", tolerance, &run);
  assert_true(fabs(crTestRun_Unexplained(&run)) <= fmax(tolerance, 1e-8) * crStickTurnover(&run));
  double x = crTestRun_Pose(&run, "b").p.x;
  crCloseTestRun(&run);
  return x;
}

static void ramps_follow_the_closed_form(void** state)
{
  (void)state;
  double rigid = findRigidRamp(0.4), truth = slideByRamp(1e-10, "1e9"), soft = slideByRamp(1e-10, "1e8");
  static const double most[TOLERANCES - 1] = { 1e-7, 1e-8, 1e-9 };
  printf("ramp: %.10f m, rigid %.10f m, softer %.10f m\n", truth, rigid, soft);
  assert_close(truth, rigid, 2e-7);
  assert_close((soft - rigid) / (truth - rigid), 10.0, 0.5); // as 1 / k
  for (int i = 0; i < TOLERANCES - 1; ++i) {
    assert_close(slideByRamp(tolerances[i], "1e9"), truth, most[i]);
  }
}

static void masses_on_belts_stick_and_slip(void** state)
{
  (void)state;
  const double w = 10.0, V = 0.1, u = 0.2 * GRAVITY / (w * w); // [rad/s], [m/s], [m]: sqrt(k / m), belt, stretch
  double rigid = 2.0 * u / V + (PI + 2.0 * atan2(V, w * u)) / w, before = 0.0, first = 0.0, last = 0.0;
  int count = 0;
  crTestRun run = crOpenStick("stick_belt.lua", NULL, 1e-8, 10.0, cr_solverDefault);
  for (int i = 1; i <= 20000; ++i) {
    double t = 5e-4 * i;
    crTestRun_Advance(&run, t);
    double v = crTestRun_Motion(&run, "mass").v.x;
    if (t > 1.0 && before > 0.0 && v <= 0.0) {
      last = t - 5e-4 * v / (v - before);
      first = count++ == 0 ? last : first;
    }
    before = v;
    crAssertFrictionIsBounded(&run);
  }
  double period = (last - first) / (count - 1);
  printCost("belt", 1e-8, &run);
  printf("belt: period %.6f s, rigid %.6f s, turnover %.3f J\n", period, rigid, crStickTurnover(&run));
  assert_close(rigid, 0.800832, 1e-6);
  assert_true(count >= 10);
  assert_close(period, rigid, 2e-4 * rigid);
  assert_true(fabs(crTestRun_Unexplained(&run)) <= 1e-8 * crStickTurnover(&run));
  crCloseTestRun(&run);
}

// The lever of friction is what is left of the radius in the middle of the contact.
#define BALL                                                                                                           \
  "local p = parameters{ muR = 0, com = 0, v = 1 }\n"                                                                  \
  "scene{ friction = 'stick' }\n"                                                                                      \
  "solidMaterial('Bone', { density = 1600, E = 1e9, nu = 0.35 })\n"                                                    \
  "contactPair('Bone', 'Bone', { cor = 0.5, muK = 0.2, muR = p.muR })\n"                                               \
  "world('w', { solid{ shape = halfSpace{}, contact = 'Bone' } })\n"                                                   \
  "object('ball', { parent = 'w', position = { 0, 0, 0.03 }, free = true, start = p.com == 0 and 'rest' or nil,\n"     \
  "  velocity = { p.v, 0, 0 }, solid{ shape = sphere{ radius = 0.03 }, mass = 0.2, contact = 'Bone' } })\n"

static void balls_slide_and_roll(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText(BALL, 1.0, 1e-10, cr_solverDefault);
  double slides = 2.0 / (7.0 * 0.2 * GRAVITY); // [s]
  crTestRun_Advance(&run, 0.99 * slides);
  crMotion before = crTestRun_Motion(&run, "ball");
  assert_close(before.v.x, 1.0 - 0.2 * GRAVITY * 0.99 * slides, 1e-4);
  assert_true(before.v.x > 1.001 * 0.03 * before.w.y);
  crTestRun_Advance(&run, slides + 0.05);
  crMotion rolls = crTestRun_Motion(&run, "ball");
  double depth = 0.03 - crTestRun_Pose(&run, "ball").p.z;
  printf("ball: rolls with %.9f m/s, %.9f rad/s, %.2e m deep\n", rolls.v.x, rolls.w.y, depth);
  assert_close(rolls.v.x, 5.0 / 7.0, 1e-4);
  assert_close(rolls.v.x, rolls.w.y * (0.03 - 0.5 * depth), 1e-8);
  crTestRun_Advance(&run, 1.0); // and goes on so
  crMotion end = crTestRun_Motion(&run, "ball");
  assert_close(end.v.x, rolls.v.x, 1e-8);
  assert_close(end.v.x, end.w.y * (0.03 - 0.5 * depth), 1e-8);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------------- energy

// A ball with a weight below its middle rocks on a plane. Nothing slips, and the contact only stores: it swings on,
// with the period of a rigid one.
static void rocking_keeps_its_energy(void** state)
{
  (void)state;
  const double r = 0.03, a = 0.01, m = 0.2, inertia = 6e-5;
  crTestRun run = crOpenTestText("scene{ friction = 'stick' }\n"
                                 "solidMaterial('Bone', { density = 1600, E = 1e9, nu = 0.35 })\n"
                                 "contactPair('Bone', 'Bone', { cor = 0.5, muK = 0.5, muR = 0 })\n"
                                 "world('w', { solid{ shape = halfSpace{}, contact = 'Bone' } })\n"
                                 "object('ball', { parent = 'w', position = { 0, 0, 0.03 - 6.06e-6 }, free = true,\n"
                                 "  rotation = { 0, 0.1, 0 },\n"
                                 "  solid{ shape = sphere{ radius = 0.03 }, contact = 'Bone' },\n"
                                 "  mass{ mass = 0.2, com = { 0, 0, -0.01 }, inertia = { 6e-5, 6e-5, 6e-5 } } })\n",
                                 20.0, 1e-10, cr_solverDefault);
  double before = 0.0, first = 0.0, last = 0.0, start = 0.0;
  int count = 0;
  for (int i = 1; i <= 20000; ++i) {
    double t = 1e-3 * i;
    crTestRun_Advance(&run, t);
    double turned = crTestRun_Axis(&run, "ball").x;
    if (before < 0.0 && turned >= 0.0) {
      last = t - 1e-3 * turned / (turned - before);
      first = count++ == 0 ? last : first;
    }
    before = turned;
    start = i == 1000 ? crTestRun_Energy(&run) : start; // the contact has settled
  }
  double period = (last - first) / (count - 1), swing = m * GRAVITY * a * (1.0 - cos(0.1));
  double rigid = 2.0 * PI * sqrt((inertia + m * (r - a) * (r - a)) / (m * GRAVITY * a));
  printf("rocking: period %.6f s, rigid and small %.6f s, %.2e of its energy lost\n", period, rigid,
         (start - crTestRun_Energy(&run)) / swing);
  assert_true(count > 30);
  assert_close(period, rigid, 2e-3 * rigid);
  assert_close(crTestRun_Energy(&run), start, 1e-4 * swing);
  crCloseTestRun(&run);
}

static void grippers_account_for_their_energy(void** state)
{
  (void)state;
  crTestRun run = crOpenStick("stick_grip.lua", NULL, 1e-8, 0.0, cr_solverDefault);
  crTestRun_Advance(&run, 60.0);
  assert_true(fabs(crTestRun_Unexplained(&run)) <= 1e-8 * crStickTurnover(&run));
  crCloseTestRun(&run);
}

static void parcels_ride_on_belts_by_both_laws(void** state)
{
  (void)state;
  static const char* const laws[] = { "stick", "regularized" };
  for (int i = 0; i < 2; ++i) {
    crSetting settings[] = { { "law", laws[i] }, { NULL, NULL } };
    crTestRun run = crOpenStick("stick_parcels.lua", settings, 1e-6, 0.0, cr_solverDefault);
    crTestRun_Advance(&run, 10.0);
    printCost(laws[i], 1e-6, &run);
    for (int k = 1; k <= 6; ++k) {
      char name[16];
      snprintf(name, sizeof name, "parcel%d", k);
      crMotion motion = crTestRun_Motion(&run, name);
      assert_vec_close(motion.v, crMakeVec3(0.5, 0.0, 0.0), 1e-4);
    }
    assert_true(fabs(crTestRun_Unexplained(&run)) <= 1e-5 * crStickTurnover(&run));
    crCloseTestRun(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_stay_on_a_slope_for_an_hour),
    cmocka_unit_test(balls_are_held_by_rolling_friction_for_an_hour),
    cmocka_unit_test(slopes_beyond_the_cone_do_not_hold),
    cmocka_unit_test(grippers_hold_a_cube_off_its_middle),
    cmocka_unit_test(shaking_below_the_cone_moves_nothing),
    cmocka_unit_test(stacks_stand_for_an_hour),
    cmocka_unit_test(ramps_follow_the_closed_form),
    cmocka_unit_test(masses_on_belts_stick_and_slip),
    cmocka_unit_test(balls_slide_and_roll),
    cmocka_unit_test(rocking_keeps_its_energy),
    cmocka_unit_test(grippers_account_for_their_energy),
    cmocka_unit_test(parcels_ride_on_belts_by_both_laws),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
