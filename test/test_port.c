// Inputs and outputs of a model: set and read from outside, and linearized.
#include "support/lua.h"
#include "support/test_run.h"

#include <string.h>

static crTestRun openBench(const char* text, const crSimulationOptions* options)
{
  crSimulationOptions defaults = crDefaultSimulationOptions();
  return crOpenTestRun(&(crTestPlan){ .text = text, .options = options != NULL ? options : &defaults });
}

// m = 2, k = 18, c = 0.8, driven by `push` and, with a factor of 3, by `shove`.
#define OSCILLATOR                                                                                                     \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "local w = world('w')\n"                                                                                             \
  "local cart = object('cart', { mass{ mass = 2, inertia = { 1, 1, 1 } } })\n"                                         \
  "input('push', { start = 1.5, unit = 'N' })\n"                                                                       \
  "input('shove', { nominal = 100 })\n"                                                                                \
  "prismatic('slide', w, cart, { stiffness = 18, damping = 0.8,\n"                                                     \
  "  force = sum('all', { inputs = { 'push', 'shove' }, factors = { 1, 3 } }) })\n"                                    \
  "output('place', { signal = jointSensor('x', { joint = 'slide' }), unit = 'm' })\n"                                  \
  "output('felt', { signal = jointSensor('a', { joint = 'slide', quantity = 'acceleration' }), unit = 'm/s^2' })\n"    \
  "output('given', { signal = 'all' })\n"

static void ports_are_listed_and_found(void** state)
{
  (void)state;
  crTestRun bench = openBench(OSCILLATOR, NULL);
  crPort port;
  assert_int_equal(crModel_CountInputs(bench.model), 2);
  assert_int_equal(crModel_CountOutputs(bench.model), 3);
  assert_true(crModel_GetInput(bench.model, 0, &port));
  assert_string_equal(port.path, "push");
  assert_string_equal(port.unit, "N");
  assert_close(port.start, 1.5, 0.0);
  assert_true(crModel_GetOutput(bench.model, 1, &port));
  assert_string_equal(port.path, "felt");
  assert_string_equal(port.unit, "m/s^2");
  assert_false(crModel_GetInput(bench.model, 2, &port));
  assert_int_equal(crModel_FindInput(bench.model, "shove"), 1);
  assert_int_equal(crModel_FindInput(bench.model, "place"), -1);
  assert_int_equal(crModel_FindOutput(bench.model, "place"), 0);
  assert_int_equal(crModel_FindOutput(bench.model, "nobody"), -1);
  crVariable variable;
  assert_true(crModel_GetVariable(bench.model, crModel_FindVariable(bench.model, "place.value"), &variable));
  assert_string_equal(variable.unit, "m");
  crCloseTestRun(&bench);
}

// The answer to a force that is constant from time 0 on, from (x, v).
static void follow(double t, double force, double* x, double* v)
{
  double d = 0.2, w = sqrt(9.0 - d * d), rest = force / 18.0, a = *x - rest, b = (*v + d * a) / w;
  double e = exp(-d * t), c = cos(w * t), s = sin(w * t);
  *x = rest + e * (a * c + b * s);
  *v = e * (-d * (a * c + b * s) + w * (b * c - a * s));
}

static void inputs_are_held_until_they_are_set_with_every_solver(void** state)
{
  (void)state;
  static const double forces[] = { 1.5, -4.0, 0.0, 0.0, 7.0, 7.5 };
  for (int kind = cr_solverAuto; kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    crSimulationOptions options = crDefaultSimulationOptions();
    options.tolerance = 1e-9;
    options.solver = (crSolverKind)kind;
    crTestRun bench = openBench(OSCILLATOR, &options);
    double x = 0.0, v = 0.0;
    for (int i = 0; i < 6; ++i) {
      assert_int_equal(crSimulation_SetInput(bench.simulation, 0, forces[i]), cr_ok);
      assert_close(crInstance_GetOutput(bench.instance, 2), forces[i], 0.0); // at once
      assert_close(crInstance_GetOutput(bench.instance, 1), (forces[i] - 18.0 * x - 0.8 * v) / 2.0, 1e-5);
      assert_int_equal(crSimulation_Advance(bench.simulation, 0.37 * (i + 1)), cr_ok);
      follow(0.37, forces[i], &x, &v);
      assert_close(crInstance_GetOutput(bench.instance, 0), x, 2e-7);
    }
    crCloseTestRun(&bench);
  }
}

// Setting what is set already must not disturb the solver.
static void setting_the_same_value_changes_no_bit(void** state)
{
  (void)state;
  crTestRun one = openBench(OSCILLATOR, NULL), two = openBench(OSCILLATOR, NULL);
  for (int i = 1; i <= 20; ++i) {
    crSimulation_Advance(one.simulation, 0.1 * i);
    crSimulation_Advance(two.simulation, 0.1 * i);
    assert_int_equal(crSimulation_SetInput(two.simulation, 0, 1.5), cr_ok);
  }
  double a = crInstance_GetOutput(one.instance, 0), b = crInstance_GetOutput(two.instance, 0);
  assert_memory_equal(&a, &b, sizeof a);
  assert_int_equal(crSimulation_GetSummary(two.simulation).solverStatistics.restarts,
                   crSimulation_GetSummary(one.simulation).solverStatistics.restarts);
  crCloseTestRun(&one);
  crCloseTestRun(&two);
}

typedef struct Pusher {
  crSimulation* simulation;
  double last;
} Pusher;

static crStatus pushAtOutput(void* context, double t, const crInstance* instance)
{
  Pusher* pusher = context;
  pusher->last = crInstance_GetOutput(instance, 0);
  return crSimulation_SetInput(pusher->simulation, 0, t < 0.5 ? 1.5 : -4.0);
}

static void a_run_takes_inputs_from_its_callback(void** state)
{
  (void)state;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.tolerance = 1e-9;
  options.stopTime = 1.0;
  options.interval = 0.25;
  crTestRun bench = openBench(OSCILLATOR, &options);
  Pusher pusher = { bench.simulation, NAN };
  crObserver observer = { .context = &pusher, .atOutput = pushAtOutput };
  crRunEnd end;
  assert_int_equal(crSimulation_Run(bench.simulation, &observer, &end), cr_ok);
  double x = 0.0, v = 0.0;
  follow(0.5, 1.5, &x, &v);
  follow(0.5, -4.0, &x, &v);
  assert_close(pusher.last, x, 1e-7);
  crCloseTestRun(&bench);
}

static void inputs_may_be_given_with_the_options(void** state)
{
  (void)state;
  const double inputs[] = { NAN, 2.0 };
  crSimulationOptions options = crDefaultSimulationOptions();
  options.inputs = inputs;
  crTestRun bench = openBench(OSCILLATOR, &options);
  assert_close(crInstance_GetInput(bench.instance, 0), 1.5, 0.0);
  assert_close(crInstance_GetOutput(bench.instance, 2), 1.5 + 6.0, 0.0);
  crCloseTestRun(&bench);
}

static void misuse_of_ports_changes_nothing(void** state)
{
  (void)state;
  crTestRun bench = openBench(OSCILLATOR, NULL);
  assert_int_equal(crSimulation_SetInput(bench.simulation, 2, 1.0), cr_errorMisuse);
  assert_int_equal(crSimulation_SetInput(bench.simulation, -1, 1.0), cr_errorMisuse);
  assert_int_equal(crSimulation_SetInput(bench.simulation, 0, NAN), cr_errorMisuse);
  assert_int_equal(crSimulation_SetInput(NULL, 0, 1.0), cr_errorMisuse);
  assert_int_equal(crInstance_SetInput(bench.instance, 7, 1.0), cr_errorMisuse);
  assert_true(isnan(crInstance_GetInput(bench.instance, 7)));
  assert_true(isnan(crInstance_GetOutput(bench.instance, -1)));
  assert_close(crInstance_GetInput(bench.instance, 0), 1.5, 0.0);
  const double infinite[] = { HUGE_VAL, 0.0 };
  crSimulationOptions options = crDefaultSimulationOptions();
  options.inputs = infinite;
  crSimulation* none = NULL;
  assert_int_equal(crCreateSimulation(bench.model, &options, NULL, &bench.sink, &none), cr_errorModel);
  assert_message(bench.log, cr_severityError, "input 'push' is not finite");
  crCloseTestRun(&bench);
}

static void assertCompileSays(const char* text, const char* says)
{
  crTestModel model = crTestModel_Read(text, NULL);
  crModel* compiled = NULL;
  if (model.scene != NULL) {
    crCompile(model.scene, NULL, NULL, &model.sink, &compiled);
  }
  assert_null(compiled);
  assert_true(crTestModel_Says(&model, says));
  crTestModel_Free(&model);
}

static void mistakes_in_ports_are_told(void** state)
{
  (void)state;
  assertCompileSays("world('w')\ninput('push')\noutput('o', { signal = 'psuh' })\n", "did you mean 'push'?");
  assertCompileSays("world('w')\noutput('o', {})\n", "signal is missing");
  assertCompileSays("world('w')\ninput('u', { start = 1/0 })\n", "start must be finite");
  assertCompileSays("world('w')\ninput('u', { nominal = 0 })\n", "nominal");
  assertCompileSays("local w = world('w')\nlocal c = object('c', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                    "prismatic('p', w, c, { motion = input('u') })\n",
                    "which the input 'u' does not have");
}

// An input that nothing reads, in a model in which nothing moves, is held and shown all the same.
static void a_model_without_trees_has_ports_too(void** state)
{
  (void)state;
  crTestRun bench = openBench("world('w')\ninput('u', { start = 3 })\noutput('y', { signal = userFunction('twice', {\n"
                              "  inputs = { u = 'u' }, code = 'return 2 * u + time' }) })\n",
                              NULL);
  assert_close(crInstance_GetOutput(bench.instance, 0), 6.0, 0.0);
  assert_int_equal(crSimulation_SetInput(bench.simulation, 0, 4.0), cr_ok);
  assert_close(crInstance_GetOutput(bench.instance, 0), 8.0, 0.0);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.5), cr_ok);
  assert_close(crInstance_GetOutput(bench.instance, 0), 8.5, 0.0);
  crCloseTestRun(&bench);
}

// A ball on a table is pushed down by an input while it touches: its acceleration jumps by push / mass at once, because
// the contact knows positions and velocities only, and then it sinks in.
static void inputs_act_while_bodies_touch(void** state)
{
  (void)state;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = 2.0;
  crTestRun bench =
      openBench("scene{ kRed = 1e-3 }\n"
                "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                "local ball = object('ball', { free = true, position = { 0, 0, 0.1 },\n"
                "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n"
                "force('down', ball, { force = { 0, 0, -1 }, factor = input('push') })\n"
                "frameSensor('height', { objectA = w, objectB = ball, quantity = 'position', component = 'z' })\n"
                "frameSensor('a', { objectA = w, objectB = ball, quantity = 'acceleration', component = 'z' })\n"
                "sampled('felt', { period = 0.05, inputs = { a = 'a' }, code = 'return a' })\n"
                "output('place', { signal = 'height' })\noutput('last', { signal = 'felt' })\n"
                "output('now', { signal = 'a' })\n",
                &options);
  double mass = 4.0 / 3.0 * CR_PI * 1e-3 * 8000.0;
  assert_int_equal(crSimulation_Advance(bench.simulation, 1.01), cr_ok);
  double depth = 0.1 - crInstance_GetOutput(bench.instance, 0), before = crInstance_GetOutput(bench.instance, 2);
  assert_close(before, 0.0, 1e-2);
  assert_int_equal(crSimulation_SetInput(bench.simulation, 0, 7.0 * 9.81 * mass), cr_ok);
  assert_close(crInstance_GetOutput(bench.instance, 2), before - 7.0 * 9.81, 1e-6);
  assert_close(crInstance_GetOutput(bench.instance, 1), 0.0, 1e-2); // at the last tick
  assert_int_equal(crSimulation_Advance(bench.simulation, 2.0), cr_ok);
  assert_close(crInstance_GetOutput(bench.instance, 1), 0.0, 1e-2);
  assert_true(0.1 - crInstance_GetOutput(bench.instance, 0) > 2.5 * depth);
  crCloseTestRun(&bench);
}

// ------------------------------------------------------------------------------------ linearization

static void a_driven_oscillator_is_linearized_as_its_closed_form(void** state)
{
  (void)state;
  crTestRun bench = openBench(OSCILLATOR, NULL);
  const double y[2] = { 0.3, -0.7 };
  double A[4], B[4], C[6], D[6];
  crTreeSet all = crModel_GetAllTrees(bench.model);
  assert_int_equal(crInstance_Linearize(bench.instance, all, 0.2, y, A), cr_ok);
  assert_int_equal(crInstance_LinearizePorts(bench.instance, all, 0.2, y, B, C, D), cr_ok);
  const double exactA[4] = { 0.0, -9.0, 1.0, -0.4 }, exactB[4] = { 0.0, 0.5, 0.0, 1.5 };
  const double exactC[6] = { 1.0, -9.0, 0.0, 0.0, -0.4, 0.0 }, exactD[6] = { 0.0, 0.5, 1.0, 0.0, 1.5, 3.0 };
  for (int i = 0; i < 4; ++i) {
    assert_close(A[i], exactA[i], 1e-10);
    assert_close(B[i], exactB[i], 1e-10);
  }
  for (int i = 0; i < 6; ++i) {
    assert_close(C[i], exactC[i], 1e-10);
    assert_close(D[i], exactD[i], 1e-10);
  }
  double again[2];
  crInstance_GetState(bench.instance, all, again);
  assert_memory_equal(again, y, sizeof y);
  assert_close(crInstance_GetInput(bench.instance, 0), 1.5, 0.0);
  assert_int_equal(crInstance_LinearizePorts(bench.instance, all, 0.2, y, NULL, NULL, NULL), cr_ok);
  crCloseTestRun(&bench);
}

// Two pendulums, one driven through a nonlinear function, seen by nonlinear outputs.
#define PENDULUMS                                                                                                      \
  "local w = world('w')\n"                                                                                             \
  "local function rod(name) return object(name, { mass{ mass = 2, com = { 0, 0, -0.7 }, "                              \
  "inertia = { 0.1, 0.2, 0.15 } } }) end\n"                                                                            \
  "local a, b = rod('a'), rod('b')\n"                                                                                  \
  "input('u', { start = 0.4 })\ninput('force', { start = -0.2 })\n"                                                    \
  "revolute('r', w, a, { axis = 'y', start = 0.5, torque = userFunction('drive', { inputs = { u = 'u', q = 'q' },\n"   \
  "  code = 'return math.sin(3 * u) * math.exp(-q)' }) })\n"                                                           \
  "revolute('s', a, b, { axis = 'y', start = -0.9, startRate = 2 })\n"                                                 \
  "jointSensor('q', { joint = 'r' })\n"                                                                                \
  "force('side', b, { force = { 1, 0, 2 }, factor = 'force', frame = b })\n"                                           \
  "output('height', { signal = frameSensor('h', { objectA = w, objectB = b, quantity = 'acceleration', component = "   \
  "'z' }) })\n"                                                                                                        \
  "output('load', { signal = product('p', { inputs = { reactionSensor('f', { joint = 's', quantity = 'force' }), "     \
  "'u' } }) })\n"

static void getOutputs(crTestRun* bench, const double* y, double z[2], double rates[4])
{
  crTreeSet all = crModel_GetAllTrees(bench->model);
  assert_int_equal(crInstance_ComputeRates(bench->instance, all, 0.0, y, rates), cr_ok);
  assert_int_equal(crInstance_Eval(bench->instance, all, cr_stageReport), cr_ok);
  z[0] = crInstance_GetOutput(bench->instance, 0);
  z[1] = crInstance_GetOutput(bench->instance, 1);
}

static void ports_of_pendulums_agree_with_differences(void** state)
{
  (void)state;
  crTestRun bench = openBench(PENDULUMS, NULL);
  const double y[4] = { 0.5, -0.9, 0.3, 2.0 }, h = 1e-6;
  double B[8], C[8], D[4], low[2], high[2], ratesLow[4], ratesHigh[4];
  crTreeSet all = crModel_GetAllTrees(bench.model);
  assert_int_equal(crInstance_LinearizePorts(bench.instance, all, 0.0, y, B, C, D), cr_ok);
  for (int i = 0; i < 2; ++i) {
    double u = crInstance_GetInput(bench.instance, i);
    crInstance_SetInput(bench.instance, i, u - h);
    getOutputs(&bench, y, low, ratesLow);
    crInstance_SetInput(bench.instance, i, u + h);
    getOutputs(&bench, y, high, ratesHigh);
    crInstance_SetInput(bench.instance, i, u);
    for (int k = 0; k < 4; ++k) {
      assert_close(B[4 * i + k], (ratesHigh[k] - ratesLow[k]) / (2.0 * h), 1e-6);
    }
    for (int k = 0; k < 2; ++k) {
      assert_close(D[2 * i + k], (high[k] - low[k]) / (2.0 * h), 1e-6);
    }
  }
  for (int i = 0; i < 4; ++i) {
    double moved[4];
    memcpy(moved, y, sizeof moved);
    moved[i] = y[i] - h;
    getOutputs(&bench, moved, low, ratesLow);
    moved[i] = y[i] + h;
    getOutputs(&bench, moved, high, ratesHigh);
    for (int k = 0; k < 2; ++k) {
      assert_close(C[2 * i + k], (high[k] - low[k]) / (2.0 * h), 1e-5);
    }
  }
  crCloseTestRun(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ports_are_listed_and_found),
    cmocka_unit_test(inputs_are_held_until_they_are_set_with_every_solver),
    cmocka_unit_test(setting_the_same_value_changes_no_bit),
    cmocka_unit_test(a_run_takes_inputs_from_its_callback),
    cmocka_unit_test(inputs_may_be_given_with_the_options),
    cmocka_unit_test(misuse_of_ports_changes_nothing),
    cmocka_unit_test(mistakes_in_ports_are_told),
    cmocka_unit_test(a_model_without_trees_has_ports_too),
    cmocka_unit_test(inputs_act_while_bodies_touch),
    cmocka_unit_test(a_driven_oscillator_is_linearized_as_its_closed_form),
    cmocka_unit_test(ports_of_pendulums_agree_with_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
