// Signals and what they drive, against closed forms; time events; mistakes.
#include "support/lua.h"
#include "support/test_run.h"

#include <stdio.h>
#include <string.h>

#define WHEEL                                                                                                          \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "world('w')\n"                                                                                                       \
  "local wheel = object('wheel', { mass{ mass = 1, inertia = { 0.5, 0.5, 0.5 } } })\n"
#define CART                                                                                                           \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "world('w')\n"                                                                                                       \
  "local cart = object('cart', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"

// --------------------------------------------------------------------------------------------- torque

// angle = (torque / inertia) (t - t0)^2 / 2. The tolerance is loose: only a step across the jump could do harm.
static void a_step_of_torque_is_hit_exactly_by_every_solver(void** state)
{
  (void)state;
  for (int kind = cr_solverAuto; kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    crTestRun bench =
        crOpenTestText(WHEEL "revolute('r', 'w', wheel, { torque = step('jump', { height = 2, start = 0.37 }) })\n",
                       1.0, 1e-4, (crSolverKind)kind);
    assert_true(crModel_GetNextTimeEvent(bench.model, 0.0) == 0.37);
    assert_true(isinf(crModel_GetNextTimeEvent(bench.model, 0.37)));
    assert_close(crTestRun_ValueAt(&bench, 0.3, "r.angle"), 0.0, 0.0);
    assert_close(crTestRun_ValueAt(&bench, 0.36999, "jump.value"), 0.0, 0.0);
    assert_close(crTestRun_ValueAt(&bench, 0.37, "jump.value"), 2.0, 0.0);
    assert_close(crTestRun_Value(&bench, "r.torque"), 2.0, 0.0);
    bool isOneStep = crTestIsOneStep((crSolverKind)kind);
    assert_close(crTestRun_ValueAt(&bench, 1.0, "r.angle"), 0.5 * 4.0 * 0.63 * 0.63, isOneStep ? 1e-12 : 3e-4);
    assert_close(crTestRun_Value(&bench, "r.rate"), 4.0 * 0.63, isOneStep ? 1e-12 : 3e-4);
    crCloseTestRun(&bench);
  }
}

// Ramp up 0.1..0.3 to 3: angle = 3 s^3 / (6 d J) and on from there; trapezoid: its area is the angular momentum.
static void ramps_and_trapezoids_of_torque_give_cubics(void** state)
{
  (void)state;
  crTestRun bench =
      crOpenTestText(WHEEL "revolute('r', wheel, 'w', { torque = ramp('up', { height = 3, start = 0.1, duration = "
                           "0.2 }) })\n",
                     1.0, 1e-4, cr_solverDopri5);
  double angle = 3.0 * 0.008 / (6.0 * 0.2 * 0.5), rate = 0.5 * 3.0 * 0.2 / 0.5;
  assert_close(crTestRun_ValueAt(&bench, 0.3, "r.angle"), angle, 1e-14);
  assert_close(crTestRun_ValueAt(&bench, 0.5, "r.angle"), angle + rate * 0.2 + 0.5 * 6.0 * 0.04, 1e-13);
  crCloseTestRun(&bench);
  bench = crOpenTestText(
      WHEEL "trapezoid('puff', { height = 2, start = 0.1, rise = 0.2, hold = 0.3, fall = 0.1, offset = 0 })\n"
            "revolute('r', 'w', wheel, { torque = 'puff' })\n",
      1.0, 1e-4, cr_solverDopri5);
  assert_close(crTestRun_ValueAt(&bench, 0.65, "puff.value"), 1.0, 1e-14);
  assert_close(crTestRun_ValueAt(&bench, 1.0, "r.rate"), 2.0 * (0.1 + 0.3 + 0.05) / 0.5, 1e-13);
  crCloseTestRun(&bench);
}

// x'' + w0^2 x = (F / m) sin(W t) from rest.
static void a_driven_oscillator_follows_its_closed_form(void** state)
{
  (void)state;
  crTestRun bench =
      crOpenTestText(CART "prismatic('p', 'w', cart, { stiffness = 9, force = sine('f', { amplitude = 2, frequency = "
                          "1.5 / (2 * pi) }) })\n",
                     5.0, 1e-10, cr_solverAuto);
  for (int i = 1; i <= 10; ++i) {
    double t = 0.5 * i, x = 2.0 / (9.0 - 2.25) * (sin(1.5 * t) - 0.5 * sin(3.0 * t));
    assert_close(crTestRun_ValueAt(&bench, t, "p.position"), x, 1e-8);
  }
  crCloseTestRun(&bench);
}

// --------------------------------------------------------------------------------------------- motion

// torque = (I + m l^2) q'' + m g l sin q, whichever object comes first.
static void a_prescribed_pendulum_needs_the_torque_of_its_equation(void** state)
{
  (void)state;
  const char* ends[] = { "'w', rod", "rod, 'w'" };
  for (int k = 0; k < 2; ++k) {
    char text[600];
    snprintf(text, sizeof text,
             "world('w')\n"
             "local rod = object('rod', { mass{ mass = 2, com = { 0, 0, -0.7 }, inertia = { 0.1, 0.2, 0.15 } } })\n"
             "revolute('r', %s, { axis = 'y', motion = sine('s', { amplitude = 0.8, frequency = 0.5, phase = 0.3 }),\n"
             "  damping = 0.4, rotorInertia = 0.01, gearRatio = 10 })\n",
             ends[k]);
    crTestRun bench = crOpenTestText(text, 3.0, 1e-6, cr_solverAuto);
    assert_int_equal(crModel_GetSize(bench.model).stateCount, 0);
    for (int i = 0; i <= 6; ++i) {
      double t = 0.5 * i, w = CR_PI, q = 0.8 * sin(w * t + 0.3), v = 0.8 * w * cos(w * t + 0.3), a = -w * w * q;
      assert_close(crTestRun_ValueAt(&bench, t, "r.angle"), q, 1e-14);
      assert_close(crTestRun_Value(&bench, "r.rate"), v, 1e-14);
      double torque = (0.2 + 2 * 0.49 + 1.0) * a + 2 * 9.81 * 0.7 * sin(q) + 0.4 * v;
      assert_close(crTestRun_Value(&bench, "r.torque"), torque, 1e-12);
    }
    crCloseTestRun(&bench);
  }
}

#define SHAKEN                                                                                                         \
  "world('w')\n"                                                                                                       \
  "object('cart')\n"                                                                                                   \
  "local rod = object('rod', { mass{ mass = 2, com = { 0, 0, -0.7 }, inertia = { 0.1, 0.2, 0.15 } } })\n"              \
  "prismatic('slide', 'w', 'cart', { motion = sine('s', { amplitude = 0.3, frequency = 1 }) })\n"                      \
  "revolute('r', 'cart', rod, { axis = 'y', start = 0.5 })\n"

// I q'' = m l x'' cos q - m g l sin q
static double shakenAcceleration(double t, double q)
{
  double w = 2.0 * CR_PI, x2 = -0.3 * w * w * sin(w * t);
  return (2 * 0.7 * x2 * cos(q) - 2 * 9.81 * 0.7 * sin(q)) / (0.2 + 2 * 0.49);
}

static void integrateShaken(double t, double h, double* q, double* v)
{
  double k1 = *v, l1 = shakenAcceleration(t, *q);
  double k2 = *v + 0.5 * h * l1, l2 = shakenAcceleration(t + 0.5 * h, *q + 0.5 * h * k1);
  double k3 = *v + 0.5 * h * l2, l3 = shakenAcceleration(t + 0.5 * h, *q + 0.5 * h * k2);
  double k4 = *v + h * l3, l4 = shakenAcceleration(t + h, *q + h * k3);
  *q += h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4);
  *v += h / 6.0 * (l1 + 2 * l2 + 2 * l3 + l4);
}

// The force on the slide is the rate of the momentum along it.
static void a_shaken_pendulum_agrees_with_its_own_equation(void** state)
{
  (void)state;
  const crSolverKind kinds[] = { cr_solverDop853, cr_solverIda };
  for (int k = 0; k < 2; ++k) {
    if (!crTestHasSolver(kinds[k])) {
      continue;
    }
    crTestRun bench = crOpenTestText(SHAKEN, 2.0, 1e-9, kinds[k]);
    assert_int_equal(crModel_GetSize(bench.model).stateCount, 2);
    double q = 0.5, v = 0.0, w = 2.0 * CR_PI;
    for (int i = 1; i <= 8000; ++i) {
      integrateShaken((i - 1) / 4000.0, 1.0 / 4000.0, &q, &v);
      if (i % 1000 == 0) {
        double t = i / 4000.0, x2 = -0.3 * w * w * sin(w * t), q2 = shakenAcceleration(t, q);
        assert_close(crTestRun_ValueAt(&bench, t, "r.angle"), q, 1e-6);
        assert_close(crTestRun_Value(&bench, "slide.force"), 2 * (x2 - 0.7 * q2 * cos(q) + 0.7 * v * v * sin(q)), 1e-4);
      }
    }
    crCloseTestRun(&bench);
  }
}

static void residual_and_explicit_form_agree_with_prescribed_joints(void** state)
{
  (void)state;
  crTestRun bench = crOpenTestText(SHAKEN, 2.0, 1e-9, cr_solverDopri5);
  crInstance* instance = crTestInstance(bench.simulation);
  crTreeSet set = crModel_GetAllTrees(bench.model);
  const double y[2] = { 0.7, -1.1 };
  double rates[2], residual[2], A[4];
  assert_int_equal(crInstance_ComputeRates(instance, set, 0.3, y, rates), cr_ok);
  assert_close(rates[1], shakenAcceleration(0.3, 0.7), 1e-12);
  assert_int_equal(crInstance_ComputeResidual(instance, set, 0.3, y, rates, residual), cr_ok);
  assert_close(residual[0], 0.0, 1e-13);
  assert_close(residual[1], 0.0, 1e-12);
  assert_int_equal(crInstance_Linearize(instance, set, 0.3, y, A), cr_ok);
  double slope = (shakenAcceleration(0.3, 0.7 + 1e-5) - shakenAcceleration(0.3, 0.7 - 1e-5)) / 2e-5;
  assert_close(A[1], slope, 1e-8);
  char name[64];
  assert_true(crModel_GetStateName(bench.model, set, 0, name, sizeof name));
  assert_string_equal(name, "r.angle");
  crCloseTestRun(&bench);
}

// -------------------------------------------------------------------------------------------- signals

// Moves a mass of 1 kg without gravity by the signal, so that the force is the second derivative.
static crTestRun openMotion(const char* signal, double stop)
{
  char text[1000];
  snprintf(text, sizeof text, CART "%s\nprismatic('p', 'w', cart, { motion = 's' })\n", signal);
  return crOpenTestText(text, stop, 1e-6, cr_solverAuto);
}

static void derivatives_of_signals_agree_with_differences(void** state)
{
  (void)state;
  const char* signals[] = {
    "sine('s', { amplitude = 2, frequency = 0.7, phase = 1, offset = 3 })",
    "timeTable('s', { times = { 0.1, 0.4, 0.5, 1.2, 1.9 }, values = { 1, -1, 2, 0, 5 }, interpolation = 'cubic' })",
    "path('s', { values = { 0, 1, 0.5 }, maxVelocity = 1, maxAcceleration = 3, start = 0.05 })",
    "sine('a', { amplitude = 2, frequency = 0.7 }) sine('b', { amplitude = 1, frequency = 1.1, phase = 2 })\n"
    "sum('s', { inputs = { 'a', 'b', 'a' }, factors = { 1, -2, 0.5 } })",
    "sine('a', { amplitude = 2, frequency = 0.7 }) sine('b', { amplitude = 1, frequency = 1.1, phase = 2 })\n"
    "product('s', { inputs = { 'a', 'b', 'a' } })",
  };
  const double h = 1e-5;
  for (size_t k = 0; k < sizeof signals / sizeof *signals; ++k) {
    crTestRun bench = openMotion(signals[k], 2.0);
    for (double t = 0.0123; t < 2.0; t += 0.0917) { // between the knots
      double q0 = crTestRun_ValueAt(&bench, t - h, "p.position"), v0 = crTestRun_Value(&bench, "p.velocity");
      double v = crTestRun_ValueAt(&bench, t, "p.velocity"), a = crTestRun_Value(&bench, "p.force");
      double q1 = crTestRun_ValueAt(&bench, t + h, "p.position"), v1 = crTestRun_Value(&bench, "p.velocity");
      assert_close(crTestRun_Value(&bench, "s.value"), q1, 0.0);
      assert_close((q1 - q0) / (2.0 * h), v, 1e-6);
      assert_close((v1 - v0) / (2.0 * h), a, 2e-6);
    }
    crCloseTestRun(&bench);
  }
}

static void a_cubic_table_meets_its_points_with_two_continuous_derivatives(void** state)
{
  (void)state;
  const double times[] = { 0.1, 0.4, 0.5, 1.2, 1.9 }, values[] = { 1, -1, 2, 0, 5 };
  crTestRun bench = openMotion("timeTable('s', { times = { 0.1, 0.4, 0.5, 1.2, 1.9 }, values = { 1, -1, 2, 0, 5 },\n"
                               "  interpolation = 'cubic' })",
                               2.0);
  for (int i = 0; i < 5; ++i) {
    double v0 = crTestRun_ValueAt(&bench, times[i] - 1e-9, "p.velocity"), a0 = crTestRun_Value(&bench, "p.force");
    assert_close(crTestRun_ValueAt(&bench, times[i], "p.position"), values[i], 1e-13);
    assert_close(crTestRun_Value(&bench, "p.velocity"), v0, 1e-5);
    if (i > 0 && i < 4) {
      assert_close(crTestRun_Value(&bench, "p.force"), a0, 1e-4);
    }
  }
  assert_close(crTestRun_ValueAt(&bench, 2.0, "p.position"), 5.0, 0.0);
  assert_close(crTestRun_Value(&bench, "p.velocity"), 0.0, 0.0);
  crCloseTestRun(&bench);
}

static void a_linear_table_and_limits_give_the_values_between(void** state)
{
  (void)state;
  crTestRun bench = crOpenTestText("world('w')\n"
                                   "timeTable('t', { times = { 1, 2, 4 }, values = { 3, 5, -1 } })\n"
                                   "limit('l', { input = 't', min = 0, max = 4 })\n"
                                   "constant('c', { value = 7 })\n",
                                   10.0, 1e-6, cr_solverAuto);
  const double rows[][3] = {
    { 0.5, 3, 3 }, { 1.25, 3.5, 3.5 }, { 2, 5, 4 }, { 3, 2, 2 }, { 3.9, -0.7, 0 }, { 9, -1, 0 }
  };
  for (int i = 0; i < 6; ++i) {
    assert_close(crTestRun_ValueAt(&bench, rows[i][0], "t.value"), rows[i][1], 1e-14);
    assert_close(crTestRun_Value(&bench, "l.value"), rows[i][2], 1e-14);
    assert_close(crTestRun_Value(&bench, "c.value"), 7.0, 0.0);
  }
  crCloseTestRun(&bench);
}

// A long leg cruises: D / v + v / a. A short one does not: 2 sqrt(D / a). No motion within the limits is faster.
static void a_path_keeps_its_limits_and_takes_the_least_time(void** state)
{
  (void)state;
  crTestRun bench =
      openMotion("path('s', { values = { 1, 4, 4, 3.9 }, maxVelocity = 2, maxAcceleration = 5, start = 0.5 })", 4.0);
  double arrival = 0.5 + 3.0 / 2.0 + 2.0 / 5.0, end = arrival + 2.0 * sqrt(0.1 / 5.0);
  double fastest = 0.0, hardest = 0.0;
  assert_close(crTestRun_ValueAt(&bench, 0.4, "p.position"), 1.0, 0.0);
  for (double t = 0.4; t < 4.0; t += 0.003) {
    fastest = fmax(fastest, fabs(crTestRun_ValueAt(&bench, t, "p.velocity")));
    hardest = fmax(hardest, fabs(crTestRun_Value(&bench, "p.force")));
    assert_true(t >= end || t < arrival + 0.003 || crTestRun_Value(&bench, "p.position") > 3.9);
    assert_true(t >= arrival || crTestRun_Value(&bench, "p.position") < 4.0);
  }
  assert_close(fastest, 2.0, 1e-12);
  assert_close(hardest, 5.0, 1e-12);
  assert_close(crTestRun_ValueAt(&bench, 4.0, "p.position"), 3.9, 0.0);
  double t = 0.0, last = 0.0;
  while (!isinf(t = crModel_GetNextTimeEvent(bench.model, t))) {
    last = t;
  }
  assert_close(last, end, 1e-14);
  crCloseTestRun(&bench);
}

static void a_signal_couples_the_trees_that_it_drives(void** state)
{
  (void)state;
  crTestRun bench = crOpenTestText(
      WHEEL "object('other', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
            "object('third', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
            "sine('s', { amplitude = 1, frequency = 1 })\n"
            "revolute('a', 'w', wheel, { torque = 's' })\n"
            "revolute('b', 'w', 'other', { torque = sum('two', { inputs = { 's' }, factors = { 2 } }) })\n"
            "revolute('c', 'w', 'third')\n",
      1.0, 1e-8, cr_solverDopri5);
  const int trees[] = { 0, 1, 2 };
  assert_false(crModel_IsClosed(bench.model, (crTreeSet){ trees, 1, NULL }));
  assert_true(crModel_IsClosed(bench.model, (crTreeSet){ trees, 2, NULL }));
  assert_true(crModel_IsClosed(bench.model, (crTreeSet){ trees + 2, 1, NULL }));
  double angle = crTestRun_ValueAt(&bench, 1.0, "a.angle");
  assert_close(crTestRun_Value(&bench, "b.angle"), angle, 1e-9); // twice the torque and inertia
  assert_true(angle > 0.1);
  assert_close(crTestRun_Value(&bench, "c.angle"), 0.0, 0.0);
  crCloseTestRun(&bench);
}

// ------------------------------------------------------------------------------------------- mistakes

// The model is refused, when it is read or compiled, with this message.
static void assertRefused(const char* text, const char* says)
{
  char whole[1200];
  snprintf(whole, sizeof whole, WHEEL "%s", text);
  crTestModel read = crTestModel_Read(whole, NULL);
  crModel* model = NULL;
  if (read.scene != NULL && read.status == cr_ok) {
    assert_int_equal(crCompile(read.scene, NULL, NULL, &read.sink, &model), cr_errorModel);
  } else {
    assert_int_equal(read.status, cr_errorModel);
  }
  assert_null(model);
  assert_message(read.log, cr_severityError, says);
  crTestModel_Free(&read);
}

static void mistakes_are_named(void** state)
{
  (void)state;
  assertRefused("sine('shake', { amplitude = 1, frequency = 1 })\nrevolute('r', 'w', wheel, { torque = 'shaky' })",
                "torque is unknown");
  assertRefused("sine('shake', { amplitude = 1, frequency = 1 })\nrevolute('r', 'w', wheel, { torque = 'shaky' })",
                "did you mean 'shake'?");
  assertRefused("revolute('r', 'w', wheel, { torque = 'wheel' })",
                "torque has to be a signal: 'wheel' is an object, not a signal");
  assertRefused("revolute('r', 'w', wheel, { torque = wheel })", "torque is of the wrong type");
  assertRefused("sum('a', { inputs = { 'b' } }) limit('b', { input = 'a' })", "the signals form a cycle");
  assertRefused("sum('a', { inputs = { 'b' } }) limit('b', { input = 'a' })", "'a' <- 'b' <- 'a'");
  assertRefused("sum('a', { inputs = { 'nobody' } })", "inputs is unknown");
  assertRefused("timeTable('t', { times = { 0, 1, 1 }, values = { 1, 2, 3 } })", "times[3] is the time before again");
  assertRefused("timeTable('t', { times = { 0, 1, 0.5 }, values = { 1, 2, 3 } })",
                "times[3] is before the time before");
  assertRefused("timeTable('t', { times = { 0, 1 }, values = { 1, 2, 3 } })", "as many values as times");
  assertRefused("timeTable('t', { times = { 0 }, values = { 1 } })", "too few times");
  assertRefused("timeTable('t', { times = { 0, 'x' }, values = { 1 } })", "times[2] is not a number");
  assertRefused("sum('a', { inputs = {} })", "a sum needs inputs");
  assertRefused("constant('c', { value = 1 }) sum('a', { inputs = { 'c' }, factors = { 1, 2 } })",
                "as many factors as inputs");
  assertRefused("path('p', { values = { 0, 1 }, maxVelocity = 0, maxAcceleration = 1 })",
                "maxVelocity must be positive");
  assertRefused("constant('c', { value = 1 }) limit('l', { input = 'c', min = 2, max = 1 })", "min is not below max");
  assertRefused("ramp('u', { height = 1, duration = 0 })", "duration must be positive");
  assertRefused("constant('c', { value = 0/0 })", "value must be finite");
}

static void a_contradictory_drive_is_refused(void** state)
{
  (void)state;
  assertRefused("revolute('r', 'w', wheel, { motion = ramp('u', { height = 1, duration = 1 }) })",
                "motion needs a velocity and an acceleration, which the ramp 'u' does not have");
  assertRefused("ramp('u', { height = 1, duration = 1 }) constant('c', { value = 1 })\n"
                "sum('s', { inputs = { 'c', 'u' } }) revolute('r', 'w', wheel, { motion = 's' })",
                "which the ramp 'u' does not have");
  assertRefused("constant('c', { value = 1 }) revolute('r', 'w', wheel, { motion = 'c', torque = 'c' })",
                "not by both");
  assertRefused("constant('c', { value = 1 }) revolute('r', 'w', wheel, { motion = 'c', start = 2 })",
                "a joint with a motion starts where its signal says");
  assertRefused("constant('c', { value = 1 }) spherical('r', 'w', wheel, { motion = 'c' })", "has no such field");
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene;
  assert_int_equal(crCreateScene(NULL, &sink, &scene), cr_ok);
  crJointDef joint = crDefaultJointDef(cr_jointPlanar, "j", "a", "b");
  joint.drive = "c";
  assert_int_equal(crScene_AddJoint(scene, &joint, NULL), cr_errorModel);
  assert_message(log, cr_severityError, "only joints with one degree of freedom");
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

static void running_out_of_memory_leaves_nothing_behind(void** state)
{
  (void)state;
  crTestModel read = crTestModel_ReadGood(
      SHAKEN "timeTable('t', { times = { 0, 1, 2 }, values = { 1, 2, 3 }, interpolation = 'cubic' })\n"
             "sum('u', { inputs = { 's', 't' } })\n");
  crStatus status = cr_errorMemory;
  for (long at = 0; status == cr_errorMemory; ++at) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = at;
    crModel* model = NULL;
    status = crCompile(read.scene, NULL, &allocator, NULL, &model);
    assert_true((status == cr_ok) == (model != NULL));
    crDestroyModel(model);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_int_equal(status, cr_ok);
  crSignalDef def = crDefaultSignalDef(cr_signalSum, "x");
  const char* inputs[] = { "s", "t" };
  def.as.sum.inputs = inputs;
  def.as.sum.inputCount = 2;
  for (long at = 0; at < 40; ++at) {
    crTestAllocator counter = { .failAt = -1 };
    crAllocator allocator = crTestAllocator_Make(&counter);
    crScene* scene;
    assert_int_equal(crCreateScene(&allocator, NULL, &scene), cr_ok);
    counter.failAt = counter.callCount + at;
    crStatus added = crScene_AddSignal(scene, &def, NULL);
    assert_true(added == cr_ok || added == cr_errorMemory);
    assert_int_equal(crScene_Count(scene, cr_elementSignal), added == cr_ok);
    crDestroyScene(scene);
    assert_int_equal(counter.liveBlocks, 0);
  }
  crTestModel_Free(&read);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_step_of_torque_is_hit_exactly_by_every_solver),
    cmocka_unit_test(ramps_and_trapezoids_of_torque_give_cubics),
    cmocka_unit_test(a_driven_oscillator_follows_its_closed_form),
    cmocka_unit_test(a_prescribed_pendulum_needs_the_torque_of_its_equation),
    cmocka_unit_test(a_shaken_pendulum_agrees_with_its_own_equation),
    cmocka_unit_test(residual_and_explicit_form_agree_with_prescribed_joints),
    cmocka_unit_test(derivatives_of_signals_agree_with_differences),
    cmocka_unit_test(a_cubic_table_meets_its_points_with_two_continuous_derivatives),
    cmocka_unit_test(a_linear_table_and_limits_give_the_values_between),
    cmocka_unit_test(a_path_keeps_its_limits_and_takes_the_least_time),
    cmocka_unit_test(a_signal_couples_the_trees_that_it_drives),
    cmocka_unit_test(mistakes_are_named),
    cmocka_unit_test(a_contradictory_drive_is_refused),
    cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
