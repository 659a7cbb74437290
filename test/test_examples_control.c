// The examples with drives, mounts and controllers move as physics says: textbook equations of the arm and its motors,
// closed forms of the mount, and the difference equation of the sampled pendulum.
#include "carom/carom.h"
#include "support/elliptic.h"
#include "support/log.h"

#include <stdio.h>
#include <string.h>

#define G 9.81 // [m/s^2]

typedef struct Run {
  crErrorLog* log;
  crErrorSink sink;
  crScene* scene;
  crModel* model;
  crSimulation* simulation;
  crInstance* instance;
} Run;

static Run openRun(const char* example, const crSetting* settings, int settingCount)
{
  Run run = { .log = crCreateErrorLog(NULL) };
  run.sink = crErrorLog_Sink(run.log);
  char path[1024];
  crReadOptions read = crDefaultReadOptions();
  read.settings = settings;
  read.settingCount = settingCount;
  snprintf(path, sizeof path, "%s/examples/%s", CAROM_ROOT, example);
  crReadModel(path, &read, NULL, &run.sink, &run.scene);
  assert_no_messages(run.log);
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = crScene_GetOptions(run.scene)->stopTime;
  options.tolerance = crScene_GetOptions(run.scene)->tolerance;
  if (crCompile(run.scene, NULL, &run.sink, &run.model) == cr_ok) {
    crCreateSimulation(run.model, &options, NULL, &run.sink, &run.simulation);
  }
  assert_no_messages(run.log);
  assert_non_null(run.simulation);
  run.instance = crSimulation_GetInstance(run.simulation);
  return run;
}

static void closeRun(Run* run)
{
  assert_no_messages(run->log);
  crDestroySimulation(run->simulation);
  crDestroyModel(run->model);
  crDestroyScene(run->scene);
  crDestroyErrorLog(run->log);
}

static double valueOf(const Run* run, const char* name)
{
  int variable = crModel_FindVariable(run->model, name);
  assert_true(variable >= 0);
  return crInstance_GetVariable(run->instance, variable);
}

static void advance(Run* run, double t)
{
  assert_int_equal(crSimulation_Advance(run->simulation, t), cr_ok);
}

// -------------------------------------------------------------------------------------------- servo arm

enum { angle1, angle2, rate1, rate2, servo1, motor1, servo2, motor2, armStateCount };

typedef struct Arm {
  double l1, l2, m1, m2, I1, I2, rotor; // about the centres of mass; the rotor behind its gear
} Arm;

static Arm makeArm(void)
{
  Arm arm = { .l1 = 0.5, .l2 = 0.4, .m1 = 3.0, .m2 = 2.0, .rotor = 2e-5 * 80.0 * 80.0 };
  arm.I1 = arm.m1 / 12.0 * (arm.l1 * arm.l1 + 0.05 * 0.05);
  arm.I2 = arm.m2 / 12.0 * (arm.l2 * arm.l2 + 0.05 * 0.05);
  return arm;
}

// Torques of gravity: what the motors carry at rest.
static void computeWeights(const Arm* a, const double* y, double outTorques[2])
{
  double second = a->m2 * 0.5 * a->l2 * G * cos(y[angle1] + y[angle2]);
  outTorques[0] = (0.5 * a->m1 + a->m2) * a->l1 * G * cos(y[angle1]) + second;
  outTorques[1] = second;
}

// M(q) q'' + C(q, q') + weights + damping: Lagrange's equations of two links, the second angle relative to the first.
static void computeTorques(const Arm* a, const double* y, const double acceleration[2], double outTorques[2])
{
  double c1 = 0.5 * a->l1, c2 = 0.5 * a->l2, cosine = cos(y[angle2]), h = a->m2 * a->l1 * c2 * sin(y[angle2]);
  double m22 = a->I2 + a->m2 * c2 * c2, m12 = m22 + a->m2 * a->l1 * c2 * cosine;
  double m11 = a->I1 + a->m1 * c1 * c1 + a->m2 * a->l1 * a->l1 + 2.0 * m12 - m22;
  computeWeights(a, y, outTorques);
  outTorques[0] += (m11 + a->rotor) * acceleration[0] + m12 * acceleration[1] + 0.5 * y[rate1] -
                   h * (2.0 * y[rate1] + y[rate2]) * y[rate2];
  outTorques[1] +=
      m12 * acceleration[0] + (m22 + a->rotor) * acceleration[1] + 0.5 * y[rate2] + h * y[rate1] * y[rate1];
}

static void assertArmObeys(Run* run)
{
  const double k = 0.06, n = 80.0, R = 1.2, L = 1e-3;
  crTreeSet all = crModel_GetAllTrees(run->model);
  double y[armStateCount], rates[armStateCount], torques[2];
  Arm arm = makeArm();
  crInstance_GetState(run->instance, all, y);
  double voltages[2] = { valueOf(run, "shoulder.voltage.value"), valueOf(run, "elbow.voltage.value") };
  assert_close(valueOf(run, "shoulder.motor.current"), y[motor1], 0.0);
  assert_close(valueOf(run, "elbow.motor.current"), y[motor2], 0.0);
  assert_int_equal(crInstance_ComputeRates(run->instance, all, crSimulation_GetTime(run->simulation), y, rates), cr_ok);
  computeTorques(&arm, y, rates + rate1, torques);
  assert_close(n * k * y[motor1], torques[0], 1e-10);
  assert_close(n * k * y[motor2], torques[1], 1e-10);
  assert_close(L * rates[motor1], voltages[0] - R * y[motor1] - k * n * y[rate1], 1e-10);
  assert_close(L * rates[motor2], voltages[1] - R * y[motor2] - k * n * y[rate2], 1e-10);
}

static void servo_arm_obeys_lagrange_and_its_motors(void** state)
{
  (void)state;
  Run run = openRun("servo_arm.lua", NULL, 0);
  assert_int_equal(crModel_GetSize(run.model).stateCount, armStateCount);
  for (int i = 1; i <= 20; ++i) {
    advance(&run, 0.2 * i - 0.03);
    assertArmObeys(&run);
  }
  closeRun(&run);
}

// At rest it is where the path ends, and the currents carry the weights.
static void servo_arm_arrives_and_its_currents_carry_the_weight(void** state)
{
  (void)state;
  Run run = openRun("servo_arm.lua", NULL, 0);
  double y[armStateCount], weights[2];
  Arm arm = makeArm();
  advance(&run, 1.0);
  assert_close(valueOf(&run, "shoulder.joint.angle"), valueOf(&run, "shoulder.target.value"), 0.1);
  assert_close(valueOf(&run, "shoulder.joint.rate"), 1.5, 0.05);
  advance(&run, 4.0);
  crInstance_GetState(run.instance, crModel_GetAllTrees(run.model), y);
  assert_close(y[angle1], 0.3, 1e-6);
  assert_close(y[angle2], 1.2, 1e-6);
  computeWeights(&arm, y, weights);
  assert_close(0.06 * 80.0 * y[motor1], weights[0], 1e-5);
  assert_close(0.06 * 80.0 * y[motor2], weights[1], 1e-5);
  assert_close(valueOf(&run, "height.value"), 0.6 + 0.5 * sin(y[angle1]) + 0.4 * sin(y[angle1] + y[angle2]), 1e-12);
  closeRun(&run);
}

// ---------------------------------------------------------------------------------------------- bushing

// The six vibrations do not mix: three cosines, and about the vertical axis that of a pendulum, I a'' = -k sin a.
static void machine_on_its_mount_vibrates_with_closed_forms(void** state)
{
  (void)state;
  Run run = openRun("bushing.lua", NULL, 0);
  double w = sqrt(4e4 / 12.0), wz = sqrt(1.2e5 / 12.0), inertia = 12.0 / 12.0 * (0.09 + 0.04);
  double wa = sqrt(90.0 / inertia), k = sin(0.2);
  for (int i = 1; i <= 20; ++i) {
    double t = 0.05 * i, sn, cn, dn;
    advance(&run, t);
    assert_close(valueOf(&run, "machine.position.x"), 0.004 * cos(w * t), 1e-8);
    assert_close(valueOf(&run, "machine.position.y"), -0.003 * cos(w * t), 1e-8);
    assert_close(valueOf(&run, "machine.position.z"), 0.002 * cos(wz * t), 1e-8);
    crJacobi(wa * t + crEllipticK(k), k, &sn, &cn, &dn);
    double angle = 2.0 * asin(k * sn);
    assert_close(2.0 * atan2(valueOf(&run, "machine.orientation.z"), valueOf(&run, "machine.orientation.w")), angle,
                 1e-6);
  }
  closeRun(&run);
}

// With damping along an axis the frequency falls to sqrt(w^2 - d^2).
static void damped_machine_comes_to_rest_with_its_closed_form(void** state)
{
  (void)state;
  const crSetting settings[] = { { "damping", "120" }, { "angle", "0" } };
  Run run = openRun("bushing.lua", settings, 2);
  double d = 120.0 / 24.0, w = sqrt(4e4 / 12.0 - d * d);
  for (int i = 1; i <= 10; ++i) {
    double t = 0.1 * i;
    advance(&run, t);
    assert_close(valueOf(&run, "machine.position.x"), 0.004 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t)), 1e-8);
  }
  closeRun(&run);
}

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
  const crSetting settings[] = { { "angle", "1e-5" } };
  Run run = openRun("inverted_pendulum.lua", settings, 1);
  double y[4] = { 0.0, 1e-5, 0.0, 0.0 }, lastX = 0.0, lastA = 1e-5;
  for (int k = 0; k <= 300; ++k) {
    advance(&run, 0.01 * k);
    assert_close(valueOf(&run, "slide.position"), y[0], 1e-12);
    assert_close(valueOf(&run, "hinge.angle"), y[1], 1e-12);
    double force = 5.889 * y[0] + 42.004 * y[1] + 6.096 * (y[0] - lastX) / 0.01 + 8.219 * (y[1] - lastA) / 0.01;
    assert_close(valueOf(&run, "control.value"), force, 1e-9);
    lastX = y[0];
    lastA = y[1];
    stepCart(y, force, 0.01);
  }
  closeRun(&run);
}

// A push that stays: the cart goes where the controller's force is the opposite of it, and the rod stands upright.
static void a_steady_push_moves_the_cart_but_not_the_rod(void** state)
{
  (void)state;
  Run run = openRun("inverted_pendulum.lua", NULL, 0);
  advance(&run, 1.0);
  assert_int_equal(crSimulation_SetInput(run.simulation, crModel_FindInput(run.model, "push"), -0.4), cr_ok);
  advance(&run, 5.0);
  int place = crModel_FindOutput(run.model, "place"), tilt = crModel_FindOutput(run.model, "tilt");
  double motor = valueOf(&run, "motor.value");
  assert_close(motor, 0.4, 2e-2);
  assert_close(motor, 20.0 * tanh(valueOf(&run, "control.value") / 20.0), 1e-13);
  assert_close(crInstance_GetOutput(run.instance, tilt), 0.0, 2e-3);
  assert_close(crInstance_GetOutput(run.instance, place), 20.0 * atanh(0.4 / 20.0) / 5.889, 1e-2);
  closeRun(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(servo_arm_obeys_lagrange_and_its_motors),
    cmocka_unit_test(servo_arm_arrives_and_its_currents_carry_the_weight),
    cmocka_unit_test(machine_on_its_mount_vibrates_with_closed_forms),
    cmocka_unit_test(damped_machine_comes_to_rest_with_its_closed_form),
    cmocka_unit_test(small_swings_follow_the_difference_equation_of_the_loop),
    cmocka_unit_test(a_steady_push_moves_the_cart_but_not_the_rod),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
