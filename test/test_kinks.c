// Kinks of forces: stops of joints, cables that get taut, backlash. Each lets a body fly, and throws it back by a
// spring for half a swing, for ever: closed forms, of which a run keeps what was asked for, by every stepper.
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>

#define G 9.81       // [m/s^2]
#define BOUNCES 6    // before the end
#define MASS 2.0     // [kg]
#define HEIGHT 0.5   // [m] of a fall
#define SPRING 2e4   // [N/m]
#define BACKLASH 0.1 // [rad]
#define TORSION 2e4  // [N m/rad]

typedef struct Method {
  crSolverKind kind;
  double share; // [tolerance] error that a run has at most
} Method;

// Implicit steps take tolerances of depths for those of lengths, so that they are a tenth as good.
static const Method methods[] = {
  { cr_solverDopri5, 100.0 }, { cr_solverDop853, 30.0 }, { cr_solverRadau5, 1000.0 }, { cr_solverDefault, 1000.0 }
};
static const double tolerances[] = { 1e-5, 1e-7, 1e-9 };

static void checkRun(const char* text, double stop, const char* variable, double expected, const char* other,
                     double expectedOther)
{
  for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; ++i) {
      crTestRun run = crOpenTestText(text, stop, tolerances[i], methods[m].kind);
      double limit = methods[m].share * tolerances[i];
      assert_close(crTestRun_ValueAt(&run, stop, variable), expected, limit);
      assert_close(crTestRun_Value(&run, other), expectedOther, 10.0 * limit);
      crCloseTestRun(&run);
    }
  }
}

// [s] from the top of a fall to the next one, on a spring that is loose above zero: with speed v and w^2 = k / m,
// x = g / w^2 (cos wt - 1) - v / w sin wt, until it is zero again.
static double findPeriod(void)
{
  double w = sqrt(SPRING / MASS), v = sqrt(2.0 * G * HEIGHT);
  return 2.0 * v / G + 2.0 / w * (M_PI - atan(v * w / G));
}

#define LATE 0.1 // [s] behind the top

static void body_falls_on_a_stop_again_and_again(void** state)
{
  (void)state;
  char text[400];
  snprintf(text, sizeof text,
           "world('w')\nobject('b', { mass{ mass = %g, inertia = { 1, 1, 1 } } })\n"
           "prismatic('rail', 'w', 'b', { axis = 'z', start = %g, stopMin = 0, stopStiffness = %g })\n",
           MASS, HEIGHT, SPRING);
  checkRun(text, BOUNCES * findPeriod() + LATE, "rail.position", HEIGHT - 0.5 * G * LATE * LATE, "rail.velocity",
           -G * LATE);
}

// The other stop, and as a joint that hangs upside down.
static void so_does_one_below_its_upper_stop(void** state)
{
  (void)state;
  char text[400];
  snprintf(text, sizeof text,
           "world('w')\nobject('b', { mass{ mass = %g, inertia = { 1, 1, 1 } } })\n"
           "prismatic('rail', 'w', 'b', { axis = '-z', start = %g, stopMax = 1, stopMin = -9, stopStiffness = %g })\n",
           MASS, 1.0 - HEIGHT, SPRING);
  checkRun(text, BOUNCES * findPeriod() + LATE, "rail.position", 1.0 - HEIGHT + 0.5 * G * LATE * LATE, "rail.velocity",
           G * LATE);
}

static void body_falls_into_a_cable_again_and_again(void** state)
{
  (void)state;
  char text[400];
  snprintf(
      text, sizeof text,
      "local w = world('w')\n"
      "object('b', { parent = w, free = true, position = { 0, 0, %g }, mass{ mass = %g, inertia = { 1, 1, 1 } } })\n"
      "object('hook', { parent = w, position = { 0, 0, 1 } })\n"
      "cable('rope', 'hook', 'b', { length = 1, stiffness = %g })\n",
      HEIGHT, MASS, SPRING);
  checkRun(text, BOUNCES * findPeriod() + LATE, "b.position.z", HEIGHT - 0.5 * G * LATE * LATE, "b.velocity.z",
           -G * LATE);
}

// One wheel drives the other to and fro through the play of both: half a swing at each flank. Their mean turns on.
static void wheels_rattle_in_their_backlash(void** state)
{
  (void)state;
  const double inertia = 0.5, rate = 2.0; // [kg m^2], [rad/s] of the first one
  char text[600];
  snprintf(
      text, sizeof text,
      "scene{ gravity = 'none' }\nlocal w = world('w')\n"
      "object('a', { mass{ mass = 1, inertia = { %g, %g, %g } } })\n"
      "object('b', { mass{ mass = 1, inertia = { %g, %g, %g } } })\n"
      "object('axle', { parent = w, position = { 1, 0, 0 } })\n"
      "revolute('first', w, 'a', { axis = 'z', startRate = %g })\nrevolute('second', 'axle', 'b', { axis = 'z' })\n"
      "coupling('play', { joints = { first = 1, second = -1 }, stiffness = %g, backlash = %g })\n",
      inertia, inertia, inertia, inertia, inertia, inertia, rate, TORSION, BACKLASH);
  double w = sqrt(2.0 * TORSION / inertia), flight = BACKLASH / rate, swing = M_PI / w;
  double stop = BOUNCES * 2.0 * (flight + swing) + 0.25 * flight, mean = 0.5 * rate * stop;
  checkRun(text, stop, "first.angle", mean + 0.5 * rate * 0.25 * flight, "first.rate", rate);
}

// A damper lets go before the spring is loose: the force of a stop, of a cable, of a flank is zero from there on. The
// loss has a closed form in no case, so it is compared with that of a run a thousand times as strict.
static void dampers_let_go_where_they_would_pull(void** state)
{
  (void)state;
  static const char* const texts[] = {
    "world('w')\nobject('b', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\n"
    "prismatic('rail', 'w', 'b', { axis = 'z', start = 0.5, stopMin = 0, stopStiffness = 2e4, stopDamping = 0.5 })\n",
    "local w = world('w')\n"
    "object('b', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\nobject('hook', { parent = w, position = { 0, 0, 1 } })\n"
    "prismatic('rail', w, 'b', { axis = 'z', start = 0.5 })\n"
    "cable('rope', 'hook', 'b', { length = 1, stiffness = 2e4, damping = 100 })\n",
    "local w = world('w')\n"
    "object('b', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\nobject('c', { mass{ mass = 1, inertia = { 1, 1, 1 } } "
    "})\n"
    "prismatic('rail', w, 'b', { axis = 'z', start = 0.1 })\n"
    "prismatic('other', w, 'c', { axis = 'x', start = 0 })\n"
    "coupling('play', { joints = { rail = 1, other = 1 }, stiffness = 2e4, damping = 40, backlash = 0.2 })\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    crTestRun strict = crOpenTestText(texts[i], 2.0, 1e-11, cr_solverDop853);
    crTestRun run = crOpenTestText(texts[i], 2.0, 1e-8, cr_solverDopri5);
    assert_close(crTestRun_ValueAt(&run, 2.0, "rail.position"), crTestRun_ValueAt(&strict, 2.0, "rail.position"), 1e-6);
    crCloseTestRun(&run);
    crCloseTestRun(&strict);
  }
}

// A body that only just reaches a stop in the middle of a flight that one step can do: by the closed form it is thrown
// back with the speed that it has there, half a swing later.
static void what_is_over_inside_a_step_is_not_missed(void** state)
{
  (void)state;
  static const double beyond[] = { 0.1, 1e-2, 1e-3, 1e-4 }; // [m] that it would fly on behind the stop
  const double v0 = 10.0, apex = 0.5 * v0 * v0 / G;
  for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i) {
      char text[400];
      snprintf(text, sizeof text,
               "world('w')\nobject('b', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
               "prismatic('rail', 'w', 'b', { axis = 'z', startRate = %g, stopMax = %.17g, stopMin = -99,\n"
               "  stopStiffness = 1e6 })\n",
               v0, apex - beyond[i]);
      double v = sqrt(2.0 * G * beyond[i]), w = 1e3; // gravity pushes out of the stop
      double swing = 2.0 / w * atan(v * w / G), back = (v0 - v) / G + swing, stop = 1.9;
      crTestRun run = crOpenTestText(text, stop, 1e-6, methods[m].kind);
      assert_close(crTestRun_ValueAt(&run, stop, "rail.velocity"), -v - G * (stop - back), 1e-4);
      crCloseTestRun(&run);
    }
  }
}

// A strong damper lets go while the spring is still bent: what that has stored is lost where it is loose.
static void losses_of_strong_dampers_are_explained(void** state)
{
  (void)state;
  for (size_t i = 0; i < 2; ++i) {
    crTestRun run = crOpenTestText("world('w')\nobject('b', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\n"
                                   "prismatic('rail', 'w', 'b', { axis = 'z', start = 0.5, stopMin = 0, "
                                   "stopStiffness = 2e4, stopDamping = 10 })\n",
                                   1.0, 1e-8, i == 0 ? cr_solverDefault : cr_solverRadau5);
    assert_true(crTestRun_ValueAt(&run, 1.0, "energy.dissipated") > 5.0);
    assert_close(crTestRun_Value(&run, "energy.unexplained"), 0.0, 1e-5);
    crCloseTestRun(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(body_falls_on_a_stop_again_and_again),
    cmocka_unit_test(so_does_one_below_its_upper_stop),
    cmocka_unit_test(body_falls_into_a_cable_again_and_again),
    cmocka_unit_test(wheels_rattle_in_their_backlash),
    cmocka_unit_test(dampers_let_go_where_they_would_pull),
    cmocka_unit_test(what_is_over_inside_a_step_is_not_missed),
    cmocka_unit_test(losses_of_strong_dampers_are_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
