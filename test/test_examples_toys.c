// The examples with many contacts: Newton's cradle, rattleback, dominoes, gripper, marble run. Each is held against its
// closed form, a symmetry, or a law of similarity.
#include "support/elliptic.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define G 9.81 // [m/s^2]

// ------------------------------------------------------------------------------------ Newton's cradle

#define CRADLE_BALLS 5

static double hingeAngle(const crTestRun* run, int ball)
{
  char name[32];
  snprintf(name, sizeof name, "hinge%d.angle", ball);
  return crTestRun_Value(run, name);
}

// [s] A ball of radius 0.02 m whose middle is 0.16 m below the hinge.
static double cradlePeriod(double angle)
{
  const double r = 0.02, l = 0.16;
  double frequency = sqrt(G * l / (l * l + 0.4 * r * r));
  return 4.0 * crEllipticK(sin(angle / 2.0)) / frequency;
}

// After half a period as many balls are out on the other side as were let go, after a whole one those themselves. The
// gaps cost a little time and angle.
static void a_cradle_hands_on_as_many_balls_as_fall(void** state)
{
  (void)state;
  const char *responses[] = { "elastic", "impulsive" }, *counts[] = { "1", "2", "3" };
  double period = cradlePeriod(0.5);
  for (int k = 0; k < 6; ++k) {
    int lifted = k / 2 + 1;
    crTestRun run = crOpenTestRun(&(crTestPlan){
        .example = "newtons_cradle.lua",
        .settings = {
            { "angle", "0.5" }, { "cor", "1" }, { "response", responses[k % 2] }, { "lifted", counts[k / 2] } } });
    double energy = crTestRun_Energy(&run);
    crTestRun_Advance(&run, period / 2.0);
    for (int i = 1; i <= CRADLE_BALLS; ++i) {
      assert_close(hingeAngle(&run, i), i > CRADLE_BALLS - lifted ? -0.5 : 0.0, 5e-3);
    }
    crTestRun_Advance(&run, period);
    for (int i = 1; i <= CRADLE_BALLS; ++i) {
      assert_close(hingeAngle(&run, i), i <= lifted ? 0.5 : 0.0, 5e-3);
    }
    assert_close(crTestRun_Energy(&run) / energy, 1.0, 1e-6);
    crCloseTestRun(&run);
  }
}

// Equal balls in a row that push each other by Hertz' law, f = depth^(3/2), all in touch, the first with speed 1. The
// speeds after that do not depend on stiffness and mass. Velocity Verlet.
static void collideChain(double outSpeeds[CRADLE_BALLS])
{
  const double h = 1e-3;
  double x[CRADLE_BALLS] = { 0 }, v[CRADLE_BALLS] = { 1.0 }, f[CRADLE_BALLS] = { 0 };
  for (int step = 0; step < 30000; ++step) {
    for (int i = 0; i < CRADLE_BALLS; ++i) {
      v[i] += 0.5 * h * f[i];
      x[i] += h * v[i];
      f[i] = 0.0;
    }
    for (int i = 0; i + 1 < CRADLE_BALLS; ++i) {
      double push = pow(fmax(0.0, x[i] - x[i + 1]), 1.5);
      f[i] -= push;
      f[i + 1] += push;
    }
    for (int i = 0; i < CRADLE_BALLS; ++i) {
      v[i] += 0.5 * h * f[i];
    }
  }
  for (int i = 0; i < CRADLE_BALLS; ++i) {
    outSpeeds[i] = v[i];
  }
}

// Elastic balls in touch all move afterwards; impulses go from pair to pair and only the last one leaves.
static void balls_in_touch_disperse_only_when_they_are_elastic(void** state)
{
  (void)state;
  const double angle = 0.5, after = 2e-3; // [s]
  double r = 0.02, l = 0.16, incoming = 2.0 * sin(angle / 2.0) * sqrt(G * l / (l * l + 0.4 * r * r));
  double speeds[2][CRADLE_BALLS] = { { 0 }, { 0, 0, 0, 0, 1.0 } };
  collideChain(speeds[0]);
  assert_true(speeds[0][4] < 0.99 && speeds[0][3] > 0.1);
  for (int k = 0; k < 2; ++k) {
    crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "newtons_cradle.lua",
                                                 .settings = { { "angle", "0.5" },
                                                               { "cor", "1" },
                                                               { "gap", "1e-9" },
                                                               { "response", k == 0 ? "elastic" : "impulsive" } } });
    crTestRun_Advance(&run, cradlePeriod(angle) / 4.0 + after);
    for (int i = 0; i < CRADLE_BALLS; ++i) {
      char name[32];
      snprintf(name, sizeof name, "hinge%d.rate", i + 1);
      assert_close(-crTestRun_Value(&run, name) / incoming, speeds[k][i], 2e-3);
    }
    crCloseTestRun(&run);
  }
}

// ------------------------------------------------------------------------------------------ rattleback

static double spinAt(double t, const char* spin, const char* skew, const char* tilt, const char* muR)
{
  crTestRun run = crOpenTestRun(
      &(crTestPlan){ .example = "rattleback.lua",
                     .settings = { { "spin", spin }, { "skew", skew }, { "tilt", tilt }, { "muR", muR } } });
  double energy = crTestRun_Energy(&run);
  crTestRun_Advance(&run, t);
  double result = crTestRun_Motion(&run, "stone").w.z;
  assert_true(crTestRun_Energy(&run) < energy);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-5 * energy);
  crCloseTestRun(&run);
  return result;
}

static void a_rattleback_turns_back_in_one_direction_only(void** state)
{
  (void)state;
  assert_true(spinAt(9.0, "-5", "-2e-5", "0.01", "0") > 1.5);
  assert_true(spinAt(9.0, "5", "-2e-5", "0.01", "0") > 4.5);
  assert_true(spinAt(9.0, "-5", "0", "0.01", "0") < -4.9);
  assert_true(spinAt(9.0, "-5", "-2e-5", "0.01", "2e-4") > 0.5); // rolling resistance must not stop it
}

// A stone that is the mirror image, spun the other way round.
static void a_mirrored_rattleback_moves_as_its_image(void** state)
{
  (void)state;
  double spin = spinAt(3.0, "-5", "-2e-5", "0.01", "0"), image = spinAt(3.0, "5", "2e-5", "-0.01", "0");
  assert_true(spin > -4.0); // it is on its way back
  assert_close(image, -spin, 1e-3);
}

// -------------------------------------------------------------------------------------------- dominoes

// [s] When domino `index` has fallen by 0.3 rad.
static double fallTime(crTestRun* run, int index, double from, double step)
{
  char name[32];
  snprintf(name, sizeof name, "domino%d", index);
  double t = from, z = crTestRun_Axis(run, name).z;
  while (z > cos(0.3)) {
    assert_true(t < from + 2000.0 * step);
    t += step;
    crTestRun_Advance(run, t);
    z = crTestRun_Axis(run, name).z;
  }
  return t;
}

// [m/s] over the second half of a straight row of 13 at scale 1
static double waveSpeed(const char* scale, double factor)
{
  const double pitch = 0.0275 * factor, step = 1e-3 * sqrt(factor);
  crTestRun run = crOpenTestRun(&(crTestPlan){
      .example = "dominoes.lua", .settings = { { "count", "13" }, { "bend", "0" }, { "scale", scale } } });
  double t7 = fallTime(&run, 7, 0.0, step), t10 = fallTime(&run, 10, t7, step), t13 = fallTime(&run, 13, t10, step);
  assert_close((t10 - t7) / (t13 - t10), 1.0, 0.1); // steady
  crCloseTestRun(&run);
  return 6.0 * pitch / (t13 - t7);
}

// Froude's similarity: without a time scale of its own the row falls with a speed that grows as the root of its size.
static void the_wave_of_dominoes_is_steady_and_scales_with_the_root_of_the_size(void** state)
{
  (void)state;
  double speed = waveSpeed("1", 1.0);
  assert_true(speed > 0.8 * sqrt(G * 0.048) && speed < 2.5 * sqrt(G * 0.048));
  assert_close(waveSpeed("4", 4.0) / speed, 2.0, 0.1);
}

// Its middle has to rise from h / 2 to its distance from the edge. All of 1/2 m w^2 (h^2 + d^2) / 3 is there for it.
static void a_domino_topples_when_it_has_the_energy_to(void** state)
{
  (void)state;
  const double h = 0.048, d = 0.0075, rise = hypot(h / 2.0, d / 2.0) - h / 2.0;
  double critical = sqrt(6.0 * G * rise / (h * h + d * d));
  for (int k = 0; k < 2; ++k) {
    char push[32];
    snprintf(push, sizeof push, "%.6f", critical * (k == 0 ? 0.97 : 1.03));
    crTestRun run = crOpenTestRun(
        &(crTestPlan){ .example = "dominoes.lua", .stop = 3.0, .settings = { { "count", "1" }, { "push", push } } });
    crTestRun_Advance(&run, 3.0); // until it hardly rocks
    assert_close(crTestRun_Axis(&run, "domino1").z, k == 0 ? 1.0 : 0.0, 1e-3);
    crCloseTestRun(&run);
  }
}

// --------------------------------------------------------------------------------------------- gripper

#define BALL_MASS 0.25 // [kg]
#define PAD_MU 0.6
#define LIFT_ACCELERATION 1.5 // [m/s^2]

// The slip x = v / vMin at which friction is the share q of its most: x / (x^2 (1 - x / 3) + 1 / 3) = q, by bisection.
static double findCreep(double q)
{
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    double x = 0.5 * (low + high);
    bool isBelow = x / (x * x * (1.0 - x / 3.0) + 1.0 / 3.0) < q;
    low = isBelow ? x : low;
    high = isBelow ? high : x;
  }
  return low;
}

static void a_gripped_ball_creeps_as_the_friction_law_says_and_is_set_down(void** state)
{
  (void)state;
  crTestRun run =
      crOpenTestRun(&(crTestPlan){ .example = "gripper.lua", .settings = { { "friction", "regularized" } } });
  double seat = crTestRun_Pose(&run, "ball").p.z;
  crTestRun_Advance(&run, 1.68); // at rest at the top
  double high = crTestRun_Pose(&run, "ball").p.z;
  crTestRun_Advance(&run, 1.78);
  double creep = (high - crTestRun_Pose(&run, "ball").p.z) / 0.1;
  assert_close(high, seat + 0.25, 1e-3);
  assert_close(creep, 1e-3 * findCreep(BALL_MASS * G / (2.0 * PAD_MU * 4.0)), 1e-7);
  crTestRun_Advance(&run, 5.5);
  assert_vec_close(crTestRun_Pose(&run, "ball").p, crMakeVec3(0.4, 0.0, seat), 1e-4);
  assert_close(crLength(crTestRun_Motion(&run, "ball").v), 0.0, 1e-6);
  crCloseTestRun(&run);
}

static void friction_that_sticks_carries_the_ball_without_creep(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "gripper.lua" });
  double seat = crTestRun_Pose(&run, "ball").p.z;
  crTestRun_Advance(&run, 1.75); // at rest at the top
  double high = crTestRun_Pose(&run, "ball").p.z;
  crTestRun_Advance(&run, 1.78);
  assert_close(high, seat + 0.25, 1e-3);
  assert_close(crTestRun_Pose(&run, "ball").p.z, high, 1e-9); // creeps by 8 um
  crTestRun_Advance(&run, 5.5);
  assert_vec_close(crTestRun_Pose(&run, "ball").p, crMakeVec3(0.4, 0.0, seat), 1e-4);
  crCloseTestRun(&run);
}

// 2 mu F >= m (g + a) while it is lifted faster and faster.
static void a_ball_slips_below_the_grip_that_its_weight_needs(void** state)
{
  (void)state;
  double needed = BALL_MASS * (G + LIFT_ACCELERATION) / (2.0 * PAD_MU);
  const double shares[] = { 1.03, 0.93 };
  for (int k = 0; k < 2; ++k) {
    char grip[32];
    snprintf(grip, sizeof grip, "%.6f", shares[k] * needed);
    crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "gripper.lua", .settings = { { "grip", grip } } });
    double seat = crTestRun_Pose(&run, "ball").p.z;
    crTestRun_Advance(&run, 1.8);
    double raised = crTestRun_Pose(&run, "ball").p.z - seat;
    assert_true(k == 0 ? raised > 0.245 : raised < 0.2);
    crCloseTestRun(&run);
  }
}

// ------------------------------------------------------------------------------------------ marble run

#define MARBLE 0.012      // [m] radius
#define CIRCLE 0.138      // [m] on which its middle goes round
#define TRACK_HEIGHT 0.25 // [m] of the lowest point of the loop

typedef struct Ride {
  double leastRadius; // [m] from the axis of the loop while above it
  double exitSpeed;   // [m/s]
  double exitSide;    // [m]
} Ride;

static Ride rideLoop(const char* start)
{
  Ride ride = { .leastRadius = HUGE_VAL };
  crTestRun run = crOpenTestRun(
      &(crTestPlan){ .example = "marble_run.lua", .settings = { { "marbles", "1" }, { "start", start } } });
  for (double t = 0.5; t < 1.5 && ride.exitSpeed == 0.0; t += 0.005) {
    crTestRun_Advance(&run, t);
    crVec3 p = crTestRun_Pose(&run, "marble1").p;
    double up = p.z - TRACK_HEIGHT - MARBLE - CIRCLE;
    if (p.x > -0.2 && up > 0.0) {
      ride.leastRadius = fmin(ride.leastRadius, hypot(p.x, up));
    }
    if (p.x > 0.3) {
      ride.exitSpeed = crTestRun_Motion(&run, "marble1").v.x;
      ride.exitSide = p.y;
    }
  }
  crCloseTestRun(&run);
  return ride;
}

// v^2 = 10/7 g (h - 2 c) at the top must be at least g c: h = 2.7 c.
static void a_marble_needs_2_7_radii_to_stay_in_the_loop(void** state)
{
  (void)state;
  assert_true(rideLoop("2.76").leastRadius > 0.999 * CIRCLE);
  assert_true(rideLoop("2.62").leastRadius < 0.97 * CIRCLE);
}

static void a_marble_rolls_through_the_loop_with_little_loss(void** state)
{
  (void)state;
  Ride ride = rideLoop("3.2");
  assert_close(ride.exitSpeed / sqrt(10.0 / 7.0 * G * 3.2 * CIRCLE), 1.0, 0.02);
  assert_close(ride.exitSide, 2.9 * MARBLE, 6e-4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_cradle_hands_on_as_many_balls_as_fall),
    cmocka_unit_test(balls_in_touch_disperse_only_when_they_are_elastic),
    cmocka_unit_test(a_rattleback_turns_back_in_one_direction_only),
    cmocka_unit_test(a_mirrored_rattleback_moves_as_its_image),
    cmocka_unit_test(the_wave_of_dominoes_is_steady_and_scales_with_the_root_of_the_size),
    cmocka_unit_test(a_domino_topples_when_it_has_the_energy_to),
    cmocka_unit_test(a_gripped_ball_creeps_as_the_friction_law_says_and_is_set_down),
    cmocka_unit_test(friction_that_sticks_carries_the_ball_without_creep),
    cmocka_unit_test(a_ball_slips_below_the_grip_that_its_weight_needs),
    cmocka_unit_test(a_marble_needs_2_7_radii_to_stay_in_the_loop),
    cmocka_unit_test(a_marble_rolls_through_the_loop_with_little_loss),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
