// Sensors against closed forms and against what they are derivatives of; feedback through signals.
#include "support/lua.h"
#include "support/test_run.h"

#include <stdio.h>
#include <string.h>

static crTestRun openBench(const char* text, double stop, crSolverKind solver)
{
  return crOpenTestText(text, stop, 1e-10, solver);
}

static double valueAt(crTestRun* bench, double t, const char* signal)
{
  char name[64];
  snprintf(name, sizeof name, "%s.value", signal);
  return crTestRun_ValueAt(bench, t, name);
}

// -------------------------------------------------------------------------------------------- measuring

#define ARM                                                                                                            \
  "world('w')\n"                                                                                                       \
  "local upper = object('upper', { mass{ mass = 2, com = { 0.3, 0, 0 }, inertia = { 0.1, 0.1, 0.1 } } })\n"            \
  "local elbow = object('elbow', { parent = upper, position = { 0.6, 0, 0 } })\n"                                      \
  "local lower = object('lower', { mass{ mass = 1, com = { 0.2, 0, 0 }, inertia = { 0.1, 0.1, 0.1 } } })\n"            \
  "local tip = object('tip', { parent = lower, position = { 0.4, 0, 0 } })\n"                                          \
  "local shoulder = revolute('shoulder', 'w', upper, { axis = 'y', start = 0.3 })\n"                                   \
  "local bend = revolute('bend', elbow, lower, { axis = 'y', start = 0.5, startRate = 1 })\n"

// The derivative of each pair's first is its second, taken by differences along a run.
static void measured_rates_are_derivatives_of_what_is_measured(void** state)
{
  (void)state;
  crTestRun bench =
      openBench(ARM "for _, q in ipairs{ 'position', 'velocity', 'acceleration' } do\n"
                    "  frameSensor(q, { objectA = 'w', objectB = tip, quantity = q, component = 'z' })\n"
                    "end\n"
                    "for _, q in ipairs{ 'angle', 'angularVelocity', 'angularAcceleration' } do\n"
                    "  frameSensor(q, { objectA = upper, objectB = lower, quantity = q, component = 'y' })\n"
                    "end\n"
                    "for _, q in ipairs{ 'position', 'rate', 'acceleration' } do\n"
                    "  jointSensor('bend' .. q, { joint = bend, quantity = q })\n"
                    "end\n",
                1.0, cr_solverDop853);
  const char* pairs[][2] = { { "position", "velocity" },     { "velocity", "acceleration" },
                             { "angle", "angularVelocity" }, { "angularVelocity", "angularAcceleration" },
                             { "bendposition", "bendrate" }, { "bendrate", "bendacceleration" } };
  const double h = 1e-4;
  for (int i = 0; i < 6; ++i) {
    double t = 0.1 + 0.14 * i, before = valueAt(&bench, t - h, pairs[i][0]), rate = valueAt(&bench, t, pairs[i][1]);
    assert_close((valueAt(&bench, t + h, pairs[i][0]) - before) / (2.0 * h), rate, 1e-5 * (1.0 + fabs(rate)));
  }
  double bend = valueAt(&bench, 1.0, "bendposition");
  assert_close(sin(valueAt(&bench, 1.0, "angle")), sin(bend), 1e-12); // the second angle stays within a quarter turn
  crCloseTestRun(&bench);
}

// A triangle with sides 0.6 and 0.4 and the angle of the elbow; and axes of a third object.
static void distances_and_frames_agree_with_geometry(void** state)
{
  (void)state;
  crTestRun bench =
      openBench(ARM "frameSensor('reach', { objectA = 'w', objectB = tip })\n"
                    "frameSensor('x', { objectA = elbow, objectB = tip, quantity = 'position', frame = upper })\n"
                    "frameSensor('z', { objectA = elbow, objectB = tip, quantity = 'position', component = 'z',\n"
                    "  frame = upper })\n"
                    "jointSensor('q', { joint = bend })\n",
                1.0, cr_solverDop853);
  for (int i = 0; i <= 4; ++i) {
    double q = valueAt(&bench, 0.25 * i, "q");
    assert_close(valueAt(&bench, 0.25 * i, "reach"), sqrt(0.36 + 0.16 + 2 * 0.24 * cos(q)), 1e-12);
    assert_close(valueAt(&bench, 0.25 * i, "x"), 0.4 * cos(q), 1e-12);
    assert_close(valueAt(&bench, 0.25 * i, "z"), -0.4 * sin(q), 1e-12);
  }
  crCloseTestRun(&bench);
}

// The reaction is what changes the momentum, besides gravity; the energy of all is kept.
static void reactions_and_momenta_of_subtrees_obey_newton(void** state)
{
  (void)state;
  crTestRun bench = openBench(ARM "reactionSensor('f', { joint = bend, component = 'z' })\n"
                                  "subtreeSensor('p', { object = lower, quantity = 'momentum', component = 'z' })\n"
                                  "subtreeSensor('pAll', { object = upper, quantity = 'momentum', component = 'z' })\n"
                                  "reactionSensor('fAll', { joint = shoulder, component = 'z' })\n"
                                  "subtreeSensor('E', { object = 'w' })\n"
                                  "subtreeSensor('T', { object = upper, quantity = 'kineticEnergy' })\n",
                              1.0, cr_solverDop853);
  const double h = 1e-4;
  crEnergy start =
      crInstance_ComputeEnergy(crSimulation_GetInstance(bench.simulation), crModel_GetAllTrees(bench.model), -1);
  assert_close(valueAt(&bench, 0.0, "E"), start.kinetic + start.potential, 1e-12);
  assert_close(valueAt(&bench, 0.0, "T"), start.kinetic, 1e-12);
  for (int i = 1; i < 5; ++i) {
    double t = 0.2 * i, p = valueAt(&bench, t - h, "p"), pAll = valueAt(&bench, t - h, "pAll");
    double f = valueAt(&bench, t, "f"), fAll = valueAt(&bench, t, "fAll");
    assert_close((valueAt(&bench, t + h, "p") - p) / (2.0 * h), f - 9.81, 1e-5);
    assert_close((valueAt(&bench, t + h, "pAll") - pAll) / (2.0 * h), fAll - 3 * 9.81, 1e-5);
    assert_close(valueAt(&bench, t + h, "E"), start.kinetic + start.potential, 1e-8);
  }
  crCloseTestRun(&bench);
}

// Two pendulums, each with a spring to the wall; the second has one between its links, and a third joins both trees.
// What belongs to one of them alone is kept while the third has no stiffness; with it only the energy of all is.
static void energies_of_subtrees_count_their_springs(void** state)
{
  (void)state;
  for (int joined = 0; joined < 2; ++joined) {
    char text[2048];
    snprintf(text, sizeof text,
             "world('w')\n"
             "object('wall', { parent = 'w', position = { 1, 0, -0.3 } })\n"
             "local function link(name)\n"
             "  object(name, { mass{ mass = 1, com = { 0, 0, -0.3 }, inertia = { 0.02, 0.02, 0.01 } } })\n"
             "  object(name .. 'End', { parent = name, position = { 0, 0, -0.5 } })\n"
             "end\n"
             "link('a') link('b') link('c')\n"
             "revolute('ra', 'w', 'a', { axis = 'y', start = 0.5 })\n"
             "revolute('rb', 'w', 'b', { axis = 'y', start = -0.7, stiffness = 3 })\n"
             "revolute('rc', 'bEnd', 'c', { axis = 'y', start = 0.9 })\n"
             "springDamper('sa', 'aEnd', 'wall', { stiffness = 40, length = 0.6 })\n"
             "springDamper('sb', 'wall', 'bEnd', { stiffness = 30, length = 0.7 })\n"
             "springDamper('sc', 'w', 'cEnd', { stiffness = 20, length = 0.8 })\n"
             "springDamper('join', 'aEnd', 'cEnd', { stiffness = %d, length = 0.1 })\n"
             "subtreeSensor('Ea', { object = 'a' }) subtreeSensor('Eb', { object = 'b' })\n"
             "subtreeSensor('E', { object = 'w' })\n",
             joined == 0 ? 0 : 25);
    crTestRun bench = openBench(text, 2.0, cr_solverDop853);
    double a = valueAt(&bench, 0.0, "Ea"), b = valueAt(&bench, 0.0, "Eb"), all = valueAt(&bench, 0.0, "E");
    crEnergy start =
        crInstance_ComputeEnergy(crSimulation_GetInstance(bench.simulation), crModel_GetAllTrees(bench.model), -1);
    assert_close(all, start.kinetic + start.potential, 1e-12);
    for (int i = 1; i <= 8; ++i) {
      assert_close(valueAt(&bench, 0.25 * i, "E"), all, 1e-7);
      assert_true((fabs(valueAt(&bench, 0.25 * i, "Ea") - a) < 1e-7) == (joined == 0));
      assert_true((fabs(valueAt(&bench, 0.25 * i, "Eb") - b) < 1e-7) == (joined == 0));
    }
    assert_true(joined == 1 || fabs(a + b - all) < 1e-12);
    crCloseTestRun(&bench);
  }
}

// Energies are for the report, unless a drive needs them.
static void what_is_only_recorded_is_evaluated_at_output_points_only(void** state)
{
  (void)state;
  static const char* const joints[] = { "revolute('d', 'w', 'e')", "revolute('d', 'w', 'e', { torque = 'half' })" };
  for (int i = 0; i < 2; ++i) {
    char text[1600];
    snprintf(text, sizeof text,
             ARM "object('e', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                 "%s\n subtreeSensor('E', { object = upper }) sum('half', { inputs = { 'E' }, factors = { 0.5 } })\n",
             joints[i]);
    crTestRun bench = openBench(text, 1.0, cr_solverDopri5);
    crInstance* instance = crTestInstance(bench.simulation);
    crTreeSet set = crModel_GetAllTrees(bench.model);
    int variable = crModel_FindVariable(bench.model, "half.value"), n = crModel_CountStates(bench.model, set);
    double y[32], rates[32];
    assert_true(variable >= 0 && n <= 32);
    crInstance_GetState(instance, set, y);
    double before = crInstance_GetVariable(instance, variable);
    for (int k = 0; k < n; ++k) {
      y[k] += 0.1;
    }
    assert_int_equal(crInstance_ComputeRates(instance, set, 0.0, y, rates), cr_ok);
    double after = crInstance_GetVariable(instance, variable);
    assert_true((before == after) == (i == 0));
    assert_int_equal(crInstance_Eval(instance, set, cr_stageReport), cr_ok);
    assert_true(crInstance_GetVariable(instance, variable) != before);
    crCloseTestRun(&bench);
  }
}

// -------------------------------------------------------------------------------------------- feedback

// x'' = -9 x - 2 x', written once as signals and once as the law of the joint; and one tree that pulls another.
static void a_spring_made_of_signals_is_a_spring(void** state)
{
  (void)state;
  const crSolverKind kinds[] = { cr_solverDop853, cr_solverIda, cr_solverCvodeBdf };
  for (int k = 0; k < 3; ++k) {
    if (!crTestHasSolver(kinds[k])) {
      continue;
    }
    crTestRun bench =
        openBench("scene{ gravity = 'none' }\n"
                  "world('w')\n"
                  "object('a', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                  "object('b', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                  "jointSensor('x', { joint = 'slide' }) jointSensor('v', { joint = 'slide', quantity = 'rate' })\n"
                  "prismatic('slide', 'w', 'a', { start = 1,\n"
                  "  force = sum('pd', { inputs = { 'x', 'v' }, factors = { -9, -2 } }) })\n"
                  "prismatic('other', 'w', 'b', { force = 'pd' })\n"
                  "jointSensor('y', { joint = 'other' })\n",
                  2.0, kinds[k]);
    const int trees[] = { 0, 1 };
    assert_false(crModel_IsClosed(bench.model, (crTreeSet){ trees, 1, NULL }));
    double w = sqrt(8.0);
    for (int i = 0; i <= 4; ++i) {
      double t = 0.5 * i, x = exp(-t) * (cos(w * t) + sin(w * t) / w);
      assert_close(valueAt(&bench, t, "x"), x, 1e-6);
      assert_close(valueAt(&bench, t, "y"), x - 1.0, 1e-6); // the same force from another start
    }
    crCloseTestRun(&bench);
  }
}

// Every entry of df/dy that is not zero is part of the pattern, also those that signals make.
static void the_pattern_holds_what_signals_couple(void** state)
{
  (void)state;
  crTestRun bench = openBench("scene{ gravity = 'none' }\n"
                              "world('w')\n"
                              "object('a', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                              "object('b', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                              "prismatic('one', 'w', 'a')\n"
                              "prismatic('two', 'w', 'b', { force = jointSensor('x', { joint = 'one' }) })\n",
                              1.0, cr_solverDopri5);
  crTreeSet set = crModel_GetAllTrees(bench.model);
  int starts[5], rows[16], count;
  crModel_GetSparsity(bench.model, set, starts, rows, &count);
  double A[16], y[4] = { 0.1, 0.2, 0.3, 0.4 };
  assert_int_equal(crInstance_Linearize(crTestInstance(bench.simulation), set, 0.0, y, A), cr_ok);
  assert_close(A[3], 1.0, 1e-10); // velocity of the second by the position of the first
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 4; ++row) {
      bool isListed = false;
      for (int i = starts[column]; i < starts[column + 1]; ++i) {
        isListed = isListed || rows[i] == row;
      }
      assert_true(isListed || fabs(A[4 * column + row]) < 1e-12);
    }
  }
  crCloseTestRun(&bench);
}

// ---------------------------------------------------------------------------------- servos and motors

// L x'' + R x' + ... gives the rate w = W (1 - (b exp(a t) - a exp(b t)) / (b - a)), W = U / (k n), with a and b the
// roots of s^2 + (R / L) s + (k n)^2 / (J L).
static void a_dc_motor_speeds_up_with_two_exponentials(void** state)
{
  (void)state;
  const crSolverKind kinds[] = { cr_solverDop853, cr_solverIda, cr_solverCvodeBdf };
  for (int k = 0; k < 3; ++k) {
    if (!crTestHasSolver(kinds[k])) {
      continue;
    }
    crTestRun bench =
        openBench("scene{ gravity = 'none' }\n"
                  "world('w')\n"
                  "local wheel = object('wheel', { mass{ mass = 1, inertia = { 0.5, 0.5, 0.5 } } })\n"
                  "revolute('r', 'w', wheel, { rotorInertia = 0.002, gearRatio = 10,\n"
                  "  torque = dcMotor('m', { input = step('u', { height = 24, start = 0.1 }), joint = 'r',\n"
                  "    resistance = 2, inductance = 0.05, torqueConstant = 0.1 }) })\n"
                  "jointSensor('v', { joint = 'r', quantity = 'rate' })\n",
                  2.0, kinds[k]);
    assert_int_equal(crModel_GetSize(bench.model).stateCount, 3);
    char name[64];
    assert_true(crModel_GetStateName(bench.model, crModel_GetAllTrees(bench.model), 2, name, sizeof name));
    assert_string_equal(name, "m.current");
    double J = 0.5 + 0.002 * 100.0, kn = 0.1 * 10.0, p = 2.0 / 0.05, root = sqrt(p * p / 4.0 - kn * kn / (J * 0.05));
    double a = -p / 2.0 + root, b = -p / 2.0 - root;
    assert_close(valueAt(&bench, 0.1, "v"), 0.0, 0.0);
    for (int i = 1; i <= 5; ++i) {
      double t = 0.3 * i, w = 24.0 / kn * (1.0 - (b * exp(a * t) - a * exp(b * t)) / (b - a));
      assert_close(valueAt(&bench, 0.1 + t, "v"), w, 1e-5);
    }
    crCloseTestRun(&bench);
  }
}

// J q'' = kv (e + x), e = kp (1 - q) - q', x' = e / T, by many small steps of the classical method.
static void servoRates(const double* y, double* rates)
{
  double e = 4.0 * (1.0 - y[0]) - y[1];
  rates[0] = y[1];
  rates[1] = 3.0 * (e + y[2]) / 0.5;
  rates[2] = e / 0.2;
}

static void stepServo(double* y, double h)
{
  double k[4][3], z[3];
  const double shares[3] = { 0.5, 0.5, 1.0 };
  servoRates(y, k[0]);
  for (int stage = 1; stage < 4; ++stage) {
    for (int i = 0; i < 3; ++i) {
      z[i] = y[i] + h * shares[stage - 1] * k[stage - 1][i];
    }
    servoRates(z, k[stage]);
  }
  for (int i = 0; i < 3; ++i) {
    y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
  }
}

static void a_servo_answers_a_step_as_its_linear_system_does(void** state)
{
  (void)state;
  crTestRun bench =
      openBench("scene{ gravity = 'none' }\n"
                "world('w')\n"
                "local wheel = object('wheel', { mass{ mass = 1, inertia = { 0.5, 0.5, 0.5 } } })\n"
                "revolute('r', 'w', wheel, { torque = servo('s', { input = constant('go', { value = 1 }),\n"
                "  joint = 'r', positionGain = 4, velocityGain = 3, integralTime = 0.2 }) })\n"
                "jointSensor('q', { joint = 'r' })\n",
                10.0, cr_solverDop853);
  double y[3] = { 0.0, 0.0, 0.0 };
  for (int i = 1; i <= 4000; ++i) {
    stepServo(y, 1e-3);
    if (i % 500 == 0) {
      assert_close(valueAt(&bench, 1e-3 * i, "q"), y[0], 1e-8);
    }
  }
  assert_close(valueAt(&bench, 10.0, "q"), 1.0, 1e-6);
  crInstance* instance = crTestInstance(bench.simulation);
  crTreeSet set = crModel_GetAllTrees(bench.model);
  const double at[3] = { 0.3, -0.2, 0.7 };
  double rates[3], own[3], residual[3], A[9];
  servoRates(at, own);
  assert_int_equal(crInstance_ComputeRates(instance, set, 0.0, at, rates), cr_ok);
  assert_int_equal(crInstance_ComputeResidual(instance, set, 0.0, at, rates, residual), cr_ok);
  for (int i = 0; i < 3; ++i) {
    assert_close(rates[i], own[i], 1e-13);
    assert_close(residual[i], 0.0, 1e-13);
  }
  assert_int_equal(crInstance_Linearize(instance, set, 0.0, at, A), cr_ok);
  assert_close(A[2], -4.0 / 0.2, 1e-9); // the integral by the angle
  assert_close(A[7], 3.0 / 0.5, 1e-9);  // the rate by the integral
  crCloseTestRun(&bench);
}

// -------------------------------------------------------------------------------------------- mistakes

static void assertRefused(const char* text, const char* says)
{
  char whole[1600];
  snprintf(whole, sizeof whole, ARM "%s", text);
  crTestModel read = crTestModel_Read(whole, NULL);
  crModel* model = NULL;
  if (read.scene != NULL && read.status == cr_ok) {
    assert_int_equal(crCompile(read.scene, NULL, NULL, &read.sink, &model), cr_errorModel);
  }
  assert_null(model);
  assert_message(read.log, cr_severityError, says);
  crTestModel_Free(&read);
}

static void mistakes_are_named(void** state)
{
  (void)state;
  assertRefused("jointSensor('s', { joint = 'bent' })", "did you mean 'bend'?");
  assertRefused("jointSensor('s', { joint = 'elbow' })", "joint has to be a joint: 'elbow' is an object");
  assertRefused("jointSensor('s', { joint = upper })", "joint is of the wrong type");
  assertRefused("jointSensor('s', { joint = bend, degree = 2 })", "degree is 2, but joint 'bend' has 1 degrees");
  assertRefused("jointSensor('s', { joint = bend, quantity = 'speed' })", "quantity is not one of its values");
  assertRefused("frameSensor('s', { objectA = 'w', objectB = 'tips' })", "did you mean 'tip'?");
  assertRefused("fix('weld', 'w', object('o')) reactionSensor('s', { joint = 'weld' })", "is a weld");
  assertRefused("spherical('ball', 'w', object('o')) jointSensor('s', { joint = 'ball' })", "has a quaternion");
  assertRefused("object('o') revolute('r', 'w', 'o', { torque = jointSensor('s', { joint = bend, quantity = "
                "'acceleration' }) })",
                "the drive depends on accelerations, reactions or contacts");
  assertRefused(
      "constant('c', { value = 1 }) servo('s', { input = 'c', joint = bend, positionGain = -1, velocityGain = 1,\n"
      "integralTime = 1 })",
      "positionGain must be positive");
  assertRefused("planar('p', 'w', object('o')) constant('c', { value = 1 }) dcMotor('m', { input = 'c', joint = 'p',\n"
                "resistance = 1, inductance = 1, torqueConstant = 1 })",
                "joint 'p' has 3 degrees of freedom, where one is needed");
  assertRefused("dcMotor('m', { input = jointSensor('a', { joint = bend, quantity = 'acceleration' }), joint = bend,\n"
                "resistance = 1, inductance = 1, torqueConstant = 1 })",
                "the input depends on accelerations, reactions or contacts");
  assertRefused("object('o') revolute('r', 'w', 'o', { motion = jointSensor('s', { joint = bend }) })",
                "which the jointSensor 's' does not have");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(measured_rates_are_derivatives_of_what_is_measured),
    cmocka_unit_test(distances_and_frames_agree_with_geometry),
    cmocka_unit_test(reactions_and_momenta_of_subtrees_obey_newton),
    cmocka_unit_test(energies_of_subtrees_count_their_springs),
    cmocka_unit_test(what_is_only_recorded_is_evaluated_at_output_points_only),
    cmocka_unit_test(a_spring_made_of_signals_is_a_spring),
    cmocka_unit_test(the_pattern_holds_what_signals_couple),
    cmocka_unit_test(a_dc_motor_speeds_up_with_two_exponentials),
    cmocka_unit_test(a_servo_answers_a_step_as_its_linear_system_does),
    cmocka_unit_test(mistakes_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
