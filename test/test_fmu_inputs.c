// Inputs of FMUs for Co-Simulation that are not held between communication points, but go on as polynomials
// (fmi2SetRealInputDerivatives): against closed forms.
#include "carom/carom.h"
#include "support/fmu_host.h"
#include "support/folder.h"
#include "support/log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INERTIA 0.01
#define DAMPING 0.05

// A flywheel with friction under a torque from outside.
static const char wheel[] = "local disc = object('disc', { mass{ mass = 2, inertia = { 0.01, 0.01, 0.01 } } })\n"
                            "revolute('hinge', world('w'), disc,\n"
                            "  { axis = 'z', torque = input('torque', { unit = 'N.m' }), damping = 0.05 })\n"
                            "output('felt', { signal = 'torque' })\n"
                            "scene{ tolerance = 1e-10, stopTime = 10 }\n";

static void openText(crFmuHost* host, const char* text)
{
  crWriteTestFile(crTestPath("wheel.lua"), text, strlen(text));
  crFmuOptions options = crDefaultFmuOptions();
  crExportFmu(crTestPath("wheel.lua"), &options, crTestPath("wheel.fmu"));
  crFmuHost_Open(host, crTestPath("wheel.fmu"));
}

static fmi2ValueReference refer(const crFmuHost* host, const char* name)
{
  return host->variables[crFmuHost_Find(host, name)].reference;
}

// The torque at t with its derivatives: a polynomial of this order with the coefficients c.
static void setTorque(const crFmuHost* host, fmi2Component component, double t, const double c[4], int order)
{
  fmi2ValueReference torque = refer(host, "torque");
  double value = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
  double rates[3] = { c[1] + t * (2.0 * c[2] + t * 3.0 * c[3]), 2.0 * c[2] + 6.0 * c[3] * t, 6.0 * c[3] };
  assert_int_equal(host->call.SetReal(component, &torque, 1, &value), fmi2OK);
  for (int k = 1; k <= order; ++k) {
    assert_int_equal(host->call.SetRealInputDerivatives(component, &torque, 1, &k, &rates[k - 1]), fmi2OK);
  }
}

// I w' + d w = p(t) has the particular solution q = sum of (-I/d)^k p^(k) / d, so w = q(t) - q(0) exp(-d t / I).
static double findSpeed(double t, const double c[4])
{
  double r = -INERTIA / DAMPING, sums[2];
  for (int i = 0; i < 2; ++i) {
    double s = i == 0 ? t : 0.0;
    double p[4] = { c[0] + s * (c[1] + s * (c[2] + s * c[3])), c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]),
                    2.0 * c[2] + 6.0 * c[3] * s, 6.0 * c[3] };
    sums[i] = (p[0] + r * (p[1] + r * (p[2] + r * p[3]))) / DAMPING;
  }
  return sums[0] - sums[1] * exp(-DAMPING * t / INERTIA);
}

// The largest error of the speed in 1 s at these steps.
static double run(const crFmuHost* host, fmi2Component component, const double c[4], int order, int steps)
{
  double worst = 0.0, h = 1.0 / steps;
  for (int k = 0; k < steps; ++k) {
    setTorque(host, component, k * h, c, order);
    assert_int_equal(host->call.DoStep(component, k * h, h, fmi2True), fmi2OK);
    double t = (k + 1) * h, torque = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    worst = fmax(worst, fabs(crFmuHost_Get(host, component, "hinge.rate") - findSpeed(t, c)));
    if (order > 0) { // it is where the polynomial is
      assert_close(crFmuHost_Get(host, component, "torque"), torque, 1e-14);
      assert_close(crFmuHost_Get(host, component, "felt"), torque, 1e-14);
    }
  }
  return worst;
}

static void polynomials_follow_the_closed_form_at_any_step(void** state)
{
  (void)state;
  static const double shapes[3][4] = { { 0.2, 0.7, 0.0, 0.0 }, { 0.2, -0.3, 1.1, 0.0 }, { 0.0, 0.4, -0.9, 0.8 } };
  crFmuHost host;
  openText(&host, wheel);
  for (int order = 1; order <= 3; ++order) {
    for (int steps = 1; steps <= 64; steps *= 8) {
      fmi2Component component = crFmuHost_Start(&host, fmi2CoSimulation);
      assert_true(run(&host, component, shapes[order - 1], order, steps) < 1e-8);
      host.call.FreeInstance(component);
    }
  }
  // held inputs are wrong by an order of the step, and that much less at half the step
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    fmi2Component component = crFmuHost_Start(&host, fmi2CoSimulation);
    errors[i] = run(&host, component, shapes[0], 0, 50 << i);
    host.call.FreeInstance(component);
  }
  assert_true(errors[0] > 1e-2 && fabs(errors[0] / errors[1] - 2.0) < 0.1);
  crFmuHost_Close(&host);
}

// Derivatives are of the next step alone, and states hold them.
static void derivatives_are_of_one_step_and_part_of_states(void** state)
{
  (void)state;
  static const double c[4] = { 0.2, 0.7, 0.0, 0.0 };
  crFmuHost host;
  openText(&host, wheel);
  fmi2Component component = crFmuHost_Start(&host, fmi2CoSimulation);
  setTorque(&host, component, 0.0, c, 1);
  fmi2FMUstate saved = NULL;
  assert_int_equal(host.call.GetFMUstate(component, &saved), fmi2OK);
  double speeds[2], ends[2];
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(host.call.DoStep(component, 0.0, 0.5, fmi2True), fmi2OK);
    speeds[i] = crFmuHost_Get(&host, component, "hinge.rate");
    assert_int_equal(host.call.DoStep(component, 0.5, 0.5, fmi2True), fmi2OK);
    ends[i] = crFmuHost_Get(&host, component, "hinge.rate");
    assert_close(crFmuHost_Get(&host, component, "torque"), 0.55, 1e-15); // where the first step has left it
    assert_int_equal(host.call.SetFMUstate(component, saved), fmi2OK);
  }
  assert_true(speeds[0] == speeds[1] && ends[0] == ends[1]);
  double held = 0.55 / DAMPING, decay = exp(-DAMPING * 0.5 / INERTIA);
  assert_close(speeds[0], findSpeed(0.5, c), 1e-8);
  assert_close(ends[0], held + (speeds[0] - held) * decay, 1e-8);
  assert_int_equal(host.call.FreeFMUstate(component, &saved), fmi2OK);
  host.call.FreeInstance(component);
  crFmuHost_Close(&host);
}

static void assertRefused(crFmuHost* host, fmi2Component component, const char* variable, int order, double value,
                          const char* message)
{
  fmi2ValueReference reference = refer(host, variable);
  host->log[0] = '\0';
  assert_int_equal(host->call.SetRealInputDerivatives(component, &reference, 1, &order, &value), fmi2Error);
  if (strstr(host->log, message) == NULL) {
    fail_msg("%s", host->log);
  }
}

static void derivatives_that_cannot_be_are_refused(void** state)
{
  (void)state;
  crFmuHost host;
  openText(&host, wheel);
  fmi2Component component = crFmuHost_Instantiate(&host, fmi2CoSimulation);
  assertRefused(&host, component, "torque", 1, 1.0, "fmi2SetRealInputDerivatives is not allowed now");
  host.call.FreeInstance(component);
  component = crFmuHost_Start(&host, fmi2CoSimulation);
  assertRefused(&host, component, "torque", 0, 1.0, "derivatives of inputs are of order 1, 2 or 3, and finite");
  assertRefused(&host, component, "torque", 4, 1.0, "derivatives of inputs are of order 1, 2 or 3, and finite");
  assertRefused(&host, component, "torque", 1, NAN, "derivatives of inputs are of order 1, 2 or 3, and finite");
  assertRefused(&host, component, "hinge.angle", 1, 1.0, "only inputs have derivatives that can be set");
  host.call.FreeInstance(component);
  crFmuHost_Close(&host);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(polynomials_follow_the_closed_form_at_any_step),
    cmocka_unit_test(derivatives_are_of_one_step_and_part_of_states),
    cmocka_unit_test(derivatives_that_cannot_be_are_refused),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
