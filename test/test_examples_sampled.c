// The inverted pendulum with its sampled controller, against the difference equation of the loop.
#include "support/test_run.h"

#include <stdio.h>
#include <string.h>

#define G 9.81 // [m/s^2]

// ------------------------------------------------------------------------------------- inverted pendulum

// (M + m) x'' + m c a'' = F and J a'' + m c x'' = m g c a, for small angles, with y = (x, a, x', a').
static void cartRates(const double* y, double force, double* rates)
{
  double M = 1.0, m = 0.2, c = 0.3, J = m * 0.36 / 3.0, D = (M + m) * J - m * m * c * c;
  rates[0] = y[2];
  rates[1] = y[3];
  rates[2] = (J * force - m * m * c * c * G * y[1]) / D;
  rates[3] = ((M + m) * m * G * c * y[1] - m * c * force) / D;
}

// One period with a constant force, by Taylor's series of the linear system.
static void stepCart(double* y, double force, double h)
{
  double term[4], rates[4];
  cartRates(y, force, rates);
  for (int n = 1; n <= 12; ++n) {
    for (int i = 0; i < 4; ++i) {
      term[i] = rates[i] * h / n;
      y[i] += term[i];
    }
    cartRates(term, 0.0, rates);
  }
}

// Small angles: the loop of controller and cart is a linear difference equation.
static void small_swings_follow_the_difference_equation_of_the_loop(void** state)
{
  (void)state;
  crTestRun run =
      crOpenTestRun(&(crTestPlan){ .example = "inverted_pendulum.lua", .settings = { { "angle", "1e-5" } } });
  double y[4] = { 0.0, 1e-5, 0.0, 0.0 }, lastX = 0.0, lastA = 1e-5;
  for (int k = 0; k <= 300; ++k) {
    crTestRun_Advance(&run, 0.01 * k);
    assert_close(crTestRun_Value(&run, "slide.position"), y[0], 1e-12);
    assert_close(crTestRun_Value(&run, "hinge.angle"), y[1], 1e-12);
    double force = 5.889 * y[0] + 42.004 * y[1] + 6.096 * (y[0] - lastX) / 0.01 + 8.219 * (y[1] - lastA) / 0.01;
    assert_close(crTestRun_Value(&run, "control.value"), force, 1e-9);
    lastX = y[0];
    lastA = y[1];
    stepCart(y, force, 0.01);
  }
  assert_no_messages(run.log);
  crCloseTestRun(&run);
}

// A push that stays: the cart goes where the controller's force is the opposite of it, and the rod stands upright.
static void a_steady_push_moves_the_cart_but_not_the_rod(void** state)
{
  (void)state;
  crTestRun run = crOpenTestRun(&(crTestPlan){ .example = "inverted_pendulum.lua" });
  crTestRun_Advance(&run, 1.0);
  assert_int_equal(crSimulation_SetInput(run.simulation, crModel_FindInput(run.model, "push"), -0.4), cr_ok);
  crTestRun_Advance(&run, 5.0);
  int place = crModel_FindOutput(run.model, "place"), tilt = crModel_FindOutput(run.model, "tilt");
  double motor = crTestRun_Value(&run, "motor.value");
  assert_close(motor, 0.4, 2e-2);
  assert_close(motor, 20.0 * tanh(crTestRun_Value(&run, "control.value") / 20.0), 1e-13);
  assert_close(crInstance_GetOutput(run.instance, tilt), 0.0, 2e-3);
  assert_close(crInstance_GetOutput(run.instance, place), 20.0 * atanh(0.4 / 20.0) / 5.889, 1e-2);
  assert_no_messages(run.log);
  crCloseTestRun(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(small_swings_follow_the_difference_equation_of_the_loop),
    cmocka_unit_test(a_steady_push_moves_the_cart_but_not_the_rod),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
