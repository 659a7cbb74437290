// Parts with one coordinate: shafts, sliders, flexible couplings, clutches, brakes and motors, against closed forms.
#include "support/lua.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHAFTS "scene{ gravity = 'none' }\nlocal w = world('w')\n"

static crTestRun openText(const char* text, double stop)
{
  return crOpenTestText(text, stop, 1e-10, cr_solverAuto);
}

// ---------------------------------------------------------------------------------------------- inertias

// A shaft is a coordinate with an inertia, a slider one with a mass; gravity does not know them.
static void shafts_and_sliders_are_inertias(void** state)
{
  (void)state;
  crTestRun run = openText("local w = world('w')\n"
                           "shaft('a', w, { inertia = 0.02, torque = constant('t', { value = 3 }), startRate = -1 })\n"
                           "slider('s', w, { mass = 4, force = constant('f', { value = 2 }), axis = { 0, 0, 1 } })\n",
                           1.0);
  assert_close(crTestRun_ValueAt(&run, 1.0, "a.angle"), 75.0 - 1.0, 1e-10);
  assert_close(crTestRun_Value(&run, "a.rate"), 149.0, 1e-10);
  assert_close(crTestRun_Value(&run, "s.position"), 0.25, 1e-12);
  assert_close(crTestRun_Value(&run, "energy.kinetic"), 0.5 * 0.02 * 149 * 149 + 0.5 * 4 * 0.25, 1e-7);
  assert_close(crTestRun_Pose(&run, "s.flange").p.z, 0.25, 1e-12);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-8);
  crCloseTestRun(&run);
}

// The same from JSON, and written back as the joint and the object that it is made of.
static void a_shaft_in_json_is_the_joint_that_it_stands_for(void** state)
{
  (void)state;
  static const char text[] =
      "{\"carom\": 1, \"objects\": [{\"name\": \"w\", \"mobility\": \"world\"}],"
      "\"joints\": [{\"type\": \"shaft\", \"name\": \"a\", \"objectA\": \"w\", \"inertia\": 2}]}";
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  assert_int_equal(crReadJson(text, strlen(text), "a.json", NULL, NULL, NULL, &sink, &scene), cr_ok);
  const crJointDef* joint = crScene_GetJoint(scene, crScene_Find(scene, "a"));
  assert_int_equal(joint->kind, cr_jointRevolute);
  assert_string_equal(joint->objectB, "a.flange");
  assert_close(joint->law.rotorInertia[0], 2.0, 0.0);
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

// Two inertias on a spring: the sum keeps its speed, the difference swings with w^2 = k (1 / Ja + 1 / Jb).
static void two_masses_swing_at_their_frequency(void** state)
{
  (void)state;
  crTestRun run = openText(SHAFTS "local a = shaft('a', w, { inertia = 0.01, startRate = 4 })\n"
                                  "local b = shaft('b', w, { inertia = 0.04 })\n"
                                  "flexibleCoupling('c', a, b, { stiffness = 50, offset = 0.1 })\n",
                           1.0);
  double w = sqrt(50 * (1 / 0.01 + 1 / 0.04));
  for (int i = 1; i <= 10; ++i) {
    double t = 0.1 * i, e = -0.1 * cos(w * t) + 4.0 / w * sin(w * t);
    crTestRun_Advance(&run, t);
    double a = crTestRun_Value(&run, "a.angle"), b = crTestRun_Value(&run, "b.angle");
    assert_close(a - b - 0.1, e, 1e-8);
    assert_close(crTestRun_Value(&run, "c.deflection"), e, 1e-8);
    assert_close(crTestRun_Value(&run, "c.force"), -50 * e, 1e-6);
    assert_close((0.01 * a + 0.04 * b) / 0.05, 0.8 * t, 1e-9);
  }
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-9);
  crCloseTestRun(&run);
}

// One of two equal inertias crosses half the play of 0.02 in 0.01 s, is stopped by the elastic flank within half a
// period of w^2 = 2 k / J, and the other goes on at its speed until the opposite flank takes it.
static void play_is_crossed_and_the_flank_strikes(void** state)
{
  (void)state;
  crTestRun run = openText(SHAFTS "local a = shaft('a', w, { inertia = 0.01, startRate = 1 })\n"
                                  "local b = shaft('b', w, { inertia = 0.01 })\n"
                                  "flexibleCoupling('c', a, b, { stiffness = 5e3, backlash = 0.02 })\n",
                           0.1);
  double period = acos(-1.0) / sqrt(2 * 5e3 / 0.01);
  assert_close(crTestRun_ValueAt(&run, 0.0099, "a.rate"), 1.0, 1e-12);
  assert_close(crTestRun_Value(&run, "c.force"), 0.0, 0.0);
  double middle = 0.01 + 0.5 * period; // deepest: both have half the speed
  assert_close(crTestRun_ValueAt(&run, middle, "a.rate"), 0.5, 1e-7);
  assert_close(crTestRun_Value(&run, "c.force"), -5e3 * 1.0 / sqrt(2 * 5e3 / 0.01), 1e-5);
  double apart = 0.01 + period;
  assert_close(crTestRun_ValueAt(&run, apart + 0.001, "b.rate"), 1.0, 1e-7);
  assert_close(crTestRun_Value(&run, "a.rate"), 0.0, 1e-7);
  assert_close(crTestRun_ValueAt(&run, apart + 0.02 + period + 0.001, "a.rate"), 1.0, 1e-6); // the other flank
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-9);
  crCloseTestRun(&run);
}

// -------------------------------------------------------------------------------------- clutches, brakes

// Slides for dw / (F (1 / Ja + 1 / Jb)), then both turn with what momentum leaves; all else is lost. Sticking, nothing
// creeps. By every solver.
static void a_clutch_brings_two_inertias_to_one_speed(void** state)
{
  (void)state;
  double slip = 100 / (2 * (1 / 0.01 + 1 / 0.03)), final = 100 * 0.01 / 0.04;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    crTestRun run = crOpenTestText(SHAFTS "local a = shaft('a', w, { inertia = 0.01, startRate = 100 })\n"
                                          "local b = shaft('b', w, { inertia = 0.03 })\n"
                                          "clutch('c', a, b, { friction = 2,\n"
                                          "  engagement = step('pedal', { height = 1, start = 0.1 }) })\n",
                                   2.0, 1e-8, (crSolverKind)kind);
    assert_close(crTestRun_ValueAt(&run, 0.1, "a.rate"), 100.0, 1e-9);
    double half = 0.1 + 0.5 * slip;
    assert_close(crTestRun_ValueAt(&run, half, "a.rate"), 100 - 2 / 0.01 * 0.5 * slip, 1e-3);
    assert_close(crTestRun_Value(&run, "b.rate"), 2 / 0.03 * 0.5 * slip, 1e-3);
    assert_close(crTestRun_Value(&run, "c.force"), -2.0, 1e-6);
    assert_true(crTestRun_ValueAt(&run, 0.1 + 0.999 * slip, "c.force") < -1.999999);
    crTestRun_Advance(&run, 0.1 + 1.02 * slip);
    assert_close(crTestRun_Value(&run, "a.rate"), final, 1e-4);
    assert_close(crTestRun_Value(&run, "b.rate"), final, 1e-4);
    assert_close(crTestRun_Value(&run, "energy.dissipated"), 50 - 12.5, 1e-4);
    crTestRun_Advance(&run, 1.0);
    double lag = crTestRun_Value(&run, "a.angle") - crTestRun_Value(&run, "b.angle");
    crTestRun_Advance(&run, 2.0);
    assert_close(crTestRun_Value(&run, "a.angle") - crTestRun_Value(&run, "b.angle"), lag, 1e-7);
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-5);
    crCloseTestRun(&run);
  }
}

// Engaged by half it transmits half; what it holds it lets go when it opens. A motor turns the one side.
static void an_open_clutch_transmits_nothing(void** state)
{
  (void)state;
  crTestRun run = openText(SHAFTS "local a = shaft('a', w, { inertia = 0.01, torque = constant('t', { value = 3 }) })\n"
                                  "local b = shaft('b', w, { inertia = 0.02 })\n"
                                  "clutch('c', a, b, { friction = 4, engagement = timeTable('pedal', {\n"
                                  "  times = { 0, 0.4999, 0.5, 1, 1.1 }, values = { 1, 1, 0.25, 0.25, -1 } }) })\n",
                           2.0);
  assert_close(crTestRun_ValueAt(&run, 0.499, "b.rate"), 3 / 0.03 * 0.499, 1e-4); // holds 2 of its 4 N m
  assert_close(crTestRun_Value(&run, "c.force"), -2.0, 1e-6);
  double a = crTestRun_ValueAt(&run, 0.6, "a.rate"), b = crTestRun_Value(&run, "b.rate");
  assert_close(crTestRun_Value(&run, "c.force"), -1.0, 1e-9);
  assert_close(crTestRun_ValueAt(&run, 0.9, "a.rate"), a + (3 - 1) / 0.01 * 0.3, 1e-6);
  assert_close(crTestRun_Value(&run, "b.rate"), b + 1 / 0.02 * 0.3, 1e-6);
  b = crTestRun_ValueAt(&run, 1.2, "b.rate");
  assert_close(crTestRun_Value(&run, "c.force"), 0.0, 0.0);
  assert_close(crTestRun_ValueAt(&run, 2.0, "b.rate"), b, 1e-9);
  assert_close(crTestRun_Value(&run, "c.deflection"), 0.0, 1e-12);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-5);
  crCloseTestRun(&run);
}

// Stops m v / F after it was applied, within v^2 m / 2 F; holds what is below its static friction for an hour, and lets
// slide what is above.
static void a_brake_stops_and_holds(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    double stop = kind == cr_solverDopri5 || kind == cr_solverDop853 ? 5 : 3600; // explicit: small steps
    crTestRun run = crOpenTestText(SHAFTS "brake('b', slider('a', w, { mass = 2, startRate = 3,\n"
                                          "  force = ramp('push', { start = 1, height = 24, duration = 0.5 }) }),\n"
                                          "  { friction = 20, frictionStatic = 25 })\n",
                                   stop, 1e-8, (crSolverKind)kind);
    assert_close(crTestRun_ValueAt(&run, 0.15, "a.velocity"), 1.5, 1e-6);
    assert_close(crTestRun_ValueAt(&run, 0.31, "a.position"), 0.5 * 3 * 0.3, 1e-5);
    assert_close(crTestRun_Value(&run, "a.velocity"), 0.0, 1e-4);
    double held = crTestRun_ValueAt(&run, 2.0, "a.position");
    assert_close(crTestRun_Value(&run, "b.force"), -24.0, 1e-6);
    assert_close(crTestRun_ValueAt(&run, stop, "a.position"), held, 1e-9);
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-5 * 9);
    crCloseTestRun(&run);
  }
  crTestRun run = openText(SHAFTS "brake('b', slider('a', w, { mass = 2, force = constant('push', { value = 26 }) }),\n"
                                  "  { friction = 20, frictionStatic = 25 })\n",
                           1.0);
  double v = crTestRun_ValueAt(&run, 0.5, "a.velocity");
  assert_close(crTestRun_ValueAt(&run, 1.0, "a.velocity") - v, (26 - 20) / 2.0 * 0.5, 1e-9);
  crCloseTestRun(&run);
}

// A brake in a joint is the friction of that joint: in a four-bar with brakes in all joints, of which one is cut.
static void brakes_are_friction_of_joints_in_loops_too(void** state)
{
  (void)state;
  double angles[2][4];
  for (int i = 0; i < 2; ++i) {
    char text[2048];
    snprintf(text, sizeof text,
             "local w = world('w')\n"
             "local function bar(name, l)\n"
             "  local o = object(name, { mass{ mass = 1, com = { l / 2, 0, 0 }, inertia = { 0.01, 0.02, 0.02 } } })\n"
             "  return o, object(name .. 'Tip', { parent = o, position = { l, 0, 0 } })\n"
             "end\n"
             "local a, aTip = bar('a', 0.3)\nlocal b, bTip = bar('b', 0.52)\nlocal c, cTip = bar('c', 0.4)\n"
             "local right = object('right', { parent = w, position = { 0.5, 0, 0 } })\n"
             "local function hinge(name, from, to, friction, start, rate)\n"
             "  local j = revolute(name, from, to, { axis = { 0, 1, 0 }, start = start, startRate = rate, %s })\n"
             "  %s\n"
             "end\n"
             "hinge('j1', w, a, 0.3, -1.5, 12)\nhinge('j2', aTip, b, 0.2)\nhinge('j3', bTip, cTip, 0.15)\n"
             "hinge('j4', right, c, 0.25, -1.5)\n",
             i == 0 ? "friction = friction, frictionLaw = 'stick'" : "",
             i == 0 ? "" : "brake(name .. 'Brake', j, { friction = friction })");
    crTestRun run = crOpenTestText(text, 3.0, 1e-9, cr_solverAuto);
    for (int k = 0; k < 4; ++k) {
      angles[i][k] = crTestRun_ValueAt(&run, 0.5 * (k + 1), "j1.angle");
    }
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6);
    crCloseTestRun(&run);
  }
  for (int k = 0; k < 4; ++k) {
    assert_close(angles[1][k], angles[0][k], 1e-6);
  }
}

// Friction takes a free side along with one whose motion is prescribed.
static void a_clutch_on_a_prescribed_shaft_drags(void** state)
{
  (void)state;
  crTestRun run =
      openText(SHAFTS "local a = shaft('a', w, { inertia = 1, motion = path('turn', { values = { 0, 100 },\n"
                      "maxVelocity = 10, maxAcceleration = 1e3 }) })\n"
                      "local b = shaft('b', w, { inertia = 0.5 })\nclutch('c', a, b, { friction = 2 })\n",
               5.0);
  assert_close(crTestRun_ValueAt(&run, 1.0, "b.rate"), 4.0, 1e-3); // but for the first stretch
  assert_close(crTestRun_Value(&run, "a.torque"), 2.0, 1e-8);
  assert_close(crTestRun_ValueAt(&run, 5.0, "b.rate"), 10.0, 1e-6);
  assert_close(crTestRun_Value(&run, "a.torque"), 0.0, 1e-5);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------------- motors

#define WINDING "resistance = 1, inductance = 1e-3, torqueConstant = 0.05"

// L J s^2 + R J s + k^2 = 0 has two roots, and with them
//   w = w0 (1 - (s2 exp(s1 t) - s1 exp(s2 t)) / (s2 - s1)),   i = J w' / k,   w0 = u / k
// What the terminals give is u times the charge, J w / k.
static void a_motor_runs_up_with_its_two_roots(void** state)
{
  (void)state;
  double R = 1, L = 1e-3, k = 0.05, J = 1e-4, u = 24, D = sqrt(R * R * J * J - 4 * L * J * k * k);
  double s1 = (-R * J - D) / (2 * L * J), s2 = (-R * J + D) / (2 * L * J);
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    crTestRun run = crOpenTestText(SHAFTS "motor('m', shaft('a', w, { inertia = 1e-4 }),\n"
                                          "  { voltage = constant('u', { value = 24 }), " WINDING " })\n",
                                   0.2, 1e-9, (crSolverKind)kind);
    for (int n = 1; n <= 10; ++n) {
      double t = 0.02 * n;
      double speed = u / k * (1 - (s2 * exp(s1 * t) - s1 * exp(s2 * t)) / (s2 - s1));
      double current = -J / k * u / k * s1 * s2 * (exp(s1 * t) - exp(s2 * t)) / (s2 - s1);
      assert_close(crTestRun_ValueAt(&run, t, "a.rate"), speed, 1e-5);
      assert_close(crTestRun_Value(&run, "m.current"), current, 1e-6);
      assert_close(crTestRun_Value(&run, "m.force"), k * current, 1e-7);
      double work = u * J * speed / k, kinetic = 0.5 * J * speed * speed, stored = 0.5 * L * current * current;
      assert_close(crTestRun_Value(&run, "energy.potential"), stored, 1e-7);
      assert_close(crTestRun_Value(&run, "energy.work"), work, 1e-5);
      assert_close(crTestRun_Value(&run, "energy.dissipated"), work - kinetic - stored, 1e-5);
    }
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-5);
    crCloseTestRun(&run);
  }
}

// Without inductance the current is no state, and the speed has one root, k^2 / (R J). Behind the gear of its joint
// torque and speed are those of the gear.
static void a_motor_without_inductance_has_one_root(void** state)
{
  (void)state;
  crTestRun run = openText(SHAFTS "local arm = object('arm', { mass{ mass = 1, inertia = { 0.3, 0.3, 0.3 } } })\n"
                                  "local j = revolute('j', w, arm, { rotorInertia = 1e-4, gearRatio = 50 })\n"
                                  "motor('m', j, { voltage = constant('u', { value = 24 }), resistance = 1,\n"
                                  "  torqueConstant = 0.05 })\n",
                           1.0);
  assert_int_equal(crModel_GetSize(run.model).stateCount, 2);
  double J = 0.3 + 1e-4 * 2500, k = 50 * 0.05, rate = 24 / k;
  for (int i = 1; i <= 10; ++i) {
    double t = 0.02 * i, fall = exp(-k * k / J * t);
    assert_close(crTestRun_ValueAt(&run, t, "j.rate"), rate * (1 - fall), 1e-8);
    assert_close(crTestRun_Value(&run, "m.current"), 24 * fall, 1e-7);
  }
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-7);
  crCloseTestRun(&run);
}

// ---------------------------------------------------------------------------------------- linear, islands

// d(angle, rate, current)/dt of a motor, and of a clutch that sticks: a spring and damper.
static void linear_models_hold_currents_and_stretches(void** state)
{
  (void)state;
  crTestRun run =
      openText(SHAFTS "motor('m', shaft('a', w, { inertia = 1e-4 }),\n"
                      "  { voltage = constant('u', { value = 24 }), " WINDING " })\n"
                      "brake('b', slider('s', w, { mass = 2 }), { friction = 10, frictionStiffness = 1e4 })\n",
               0.1);
  crTreeSet all = crModel_GetAllTrees(run.model);
  double y[6], A[36];
  char name[64];
  assert_int_equal(crModel_CountStates(run.model, all), 6);
  assert_int_equal(crModel_GetStart(run.model, all, y), cr_ok);
  assert_true(crModel_GetStateName(run.model, all, 2, name, sizeof name));
  assert_string_equal(name, "m.current");
  assert_true(crModel_GetStateName(run.model, all, 5, name, sizeof name));
  assert_string_equal(name, "b.deflection");
  crVariable variable;
  assert_true(crModel_GetVariable(run.model, crModel_FindVariable(run.model, "m.current"), &variable));
  assert_string_equal(variable.unit, "A");
  assert_int_equal(variable.state, 2);
  assert_int_equal(crInstance_Linearize(crTestInstance(run.simulation), all, 0.0, y, A), cr_ok);
  double c = 2 * sqrt(1e4 * 2);
  const double rows[6][6] = { { 0, 1, 0, 0, 0, 0 }, { 0, 0, 0.05 / 1e-4, 0, 0, 0 }, { 0, -50, -1000, 0, 0, 0 },
                              { 0, 0, 0, 0, 1, 0 }, { 0, 0, 0, 0, -c / 2, -5e3 },   { 0, 0, 0, 0, 1, 0 } };
  for (int i = 0; i < 36; ++i) {
    assert_close(A[6 * (i % 6) + i / 6], rows[i / 6][i % 6], 1e-6 * fmax(1.0, fabs(rows[i / 6][i % 6])));
  }
  crCloseTestRun(&run);
}

// What a falling ball does beside does not change a clutch and a motor, with a clock for each.
static void islands_run_as_the_whole_does(void** state)
{
  (void)state;
  static const char text[] =
      "local w = world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
      "object('ball', { parent = w, free = true, position = { 0, 0, 0.3 },\n"
      "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n"
      "local a, b = shaft('a', w, { inertia = 1e-3 }), shaft('b', w, { inertia = 3e-3 })\n"
      "motor('m', a, { voltage = constant('u', { value = 24 }), " WINDING " })\n"
      "clutch('c', a, b, { friction = 1, engagement = step('pedal', { height = 1, start = 0.1 }) })\n";
  double values[2][3];
  for (int i = 0; i < 2; ++i) {
    crSimulationOptions options = crDefaultSimulationOptions();
    options.stopTime = 0.5;
    options.tolerance = 1e-9;
    options.islands = i == 0 ? cr_islandsOn : cr_islandsOff;
    crTestPlan plan = { .text = text, .options = &options };
    crTestRun run = crOpenTestRun(&plan);
    values[i][0] = crTestRun_ValueAt(&run, 0.5, "b.rate");
    values[i][1] = crTestRun_Value(&run, "m.current");
    values[i][2] = crTestRun_Value(&run, "b.angle");
    crCloseTestRun(&run);
  }
  for (int k = 0; k < 3; ++k) {
    assert_close(values[0][k] / values[1][k], 1.0, 1e-6);
  }
}

// ------------------------------------------------------------------------------------------------- losses

// A worm passes 0.6 of the power on, and back only 0.3.
static void a_gear_can_lose_more_one_way_than_back(void** state)
{
  (void)state;
  for (int driver = 0; driver < 2; ++driver) {
    char text[1024];
    snprintf(text, sizeof text,
             SHAFTS "local t = constant('t', { value = 6 })\n"
                    "local a = shaft('a', w, { inertia = 0.02, %s })\nlocal b = shaft('b', w, { inertia = 0.05, %s })\n"
                    "gearPair('g', a, b, { ratio = 3, stiffness = 5e3, damping = 5, efficiency = 0.6,\n"
                    "  efficiencyBack = 0.3 })\n",
             driver == 0 ? "torque = t" : "damping = 0.1", driver == 0 ? "damping = 0.9" : "torque = t");
    crTestRun run = openText(text, 20.0);
    crTestRun_Advance(&run, 20.0);
    double a = crTestRun_Value(&run, "a.rate"), b = crTestRun_Value(&run, "b.rate");
    double in = 6 * (driver == 0 ? a : b), out = driver == 0 ? 0.9 * b * b : 0.1 * a * a;
    assert_close(out / in, driver == 0 ? 0.6 : 0.3, 1e-6);
    assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6 * crTestRun_Value(&run, "energy.work"));
    crCloseTestRun(&run);
  }
}

// Pushed to and fro about standstill it never gives more than it takes, but for what its spring of 5 kN m/rad holds.
static void losses_are_never_negative(void** state)
{
  (void)state;
  crTestRun run = openText(SHAFTS "local t = sine('t', { amplitude = 0.05, frequency = 3 })\n"
                                  "local a = shaft('a', w, { inertia = 0.02, torque = t, stiffness = 100 })\n"
                                  "local b = shaft('b', w, { inertia = 0.05, stiffness = 40 })\n"
                                  "gearPair('g', a, b, { ratio = 1, stiffness = 5e3, efficiency = 0.9,\n"
                                  "  efficiencyBack = 0.4 })\n",
                           2.0);
  double before = 0.0;
  for (int i = 1; i <= 400; ++i) {
    double lost = crTestRun_ValueAt(&run, 0.005 * i, "energy.dissipated");
    assert_true(lost >= before - 0.05 * 0.05 / 5e3);
    before = lost;
  }
  assert_true(before > 1e-5);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-6);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------------ example

// The arm gets where its path ends, over the top, and the brake holds it without a current: with what its weight makes
// at the rotor, less what the rotor's bearing holds.
static void the_servo_axis_of_the_examples_holds_its_arm(void** state)
{
  (void)state;
  crTestPlan plan = { .example = "servo_axis.lua" };
  crTestRun run = crOpenTestRun(&plan);
  double before = crTestRun_ValueAt(&run, 1.0, "gear.deflection"), play = 0.002 * 50;
  assert_true(before > 0.5 * play);
  assert_true(crTestRun_ValueAt(&run, 1.4, "gear.deflection") < -0.5 * play);
  double angle = crTestRun_ValueAt(&run, 4.0, "axis.angle"), moment = (4 * 0.25 + 2 * 0.5) * 9.81 * cos(angle);
  assert_close(angle, 1.9, 3e-3);
  assert_close(crTestRun_Value(&run, "motor.current"), 0.0, 1e-9);
  assert_close(crTestRun_Value(&run, "torsion.force"), -moment / 50, 1e-6);
  double bearing = crTestRun_Value(&run, "hold.force") - moment / 50; // at most its friction
  assert_true(fabs(bearing) < 0.0100001);
  assert_close(crTestRun_ValueAt(&run, 5.0, "axis.angle"), angle, 1e-8);
  assert_close(crTestRun_Unexplained(&run), 0.0, 1e-5);
  crCloseTestRun(&run);
}

// ------------------------------------------------------------------------------------------------- faults

static void faults_are_told(void** state)
{
  (void)state;
  static const struct {
    const char* line;
    const char* says;
    bool isRead; // the text is read, and compiling complains
  } cases[] = {
    { "shaft('g', w)", "inertia", false },
    { "shaft('g', w, { inertia = 0 })", "inertia", false },
    { "shaft('g', w, { inertia = 1, rotorInertia = 2 })", "rotorInertia", false },
    { "slider('g', w, { mass = -1 })", "mass", false },
    { "shaft('g', { inertia = 1 })", "objectA", false },
    { "flexibleCoupling('g', a, b)", "needs a stiffness or a damping", false },
    { "flexibleCoupling('g', a, a, { stiffness = 1 })", "jointA and jointB are both 'a'", false },
    { "flexibleCoupling('g', a, s, { stiffness = 1 })", "'a' turns and 's' slides", true },
    { "flexibleCoupling('g', a, b, { stiffness = 1, efficiency = 0.9 })", "efficiency", false },
    { "clutch('g', a, b)", "friction", false },
    { "clutch('g', a, b, { friction = 0 })", "friction", false },
    { "clutch('g', a, b, { friction = 2, frictionStatic = 1 })", "friction or more", false },
    { "clutch('g', a, b, { friction = 2, stiffness = 1 })", "stiffness", false },
    { "clutch('g', a, b, { friction = 2, engagement = 'pedal' })", "pedal", true },
    { "clutch('g', a, s, { friction = 2 })", "'a' turns and 's' slides", true },
    { "clutch('g', a, b, { friction = 1, engagement = jointSensor('x', { joint = a, quantity = 'acceleration' }) })",
      "the clutch depends on accelerations", true },
    { "brake('g', nil, { friction = 2 })", "joint", false },
    { "brake('g', 'ball', { friction = 2 })", "one degree of freedom", true },
    { "motor('g', a, { resistance = 1, torqueConstant = 1 })", "voltage", false },
    { "motor('g', a, { voltage = u, resistance = 0, torqueConstant = 1 })", "resistance", false },
    { "motor('g', a, { voltage = u, resistance = 1, inductance = -1, torqueConstant = 1 })", "inductance", false },
    { "motor('g', a, { voltage = u, resistance = 1, torqueConstant = 0 })", "torqueConstant", false },
    { "gearPair('g', a, b, { ratio = 2, stiffness = 1, efficiencyBack = 2 })", "efficiencyBack", false },
    { "gearPair('g', a, b, { ratio = 2, efficiencyBack = 0.5 })", "a pair with losses needs a stiffness", false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[1024];
    snprintf(text, sizeof text,
             SHAFTS "local a, b = shaft('a', w, { inertia = 1 }), shaft('b', w, { inertia = 1 })\n"
                    "local s, u = slider('s', w, { mass = 1 }), constant('u', { value = 1 })\n"
                    "spherical('ball', w, object('o', { mass{ mass = 1, inertia = { 1, 1, 1 } } }))\n%s\n",
             cases[i].line);
    crTestModel model = crTestModel_Read(text, NULL);
    crModel* compiled = NULL;
    assert_int_equal(model.status, cases[i].isRead ? cr_ok : cr_errorModel);
    if (cases[i].isRead) {
      assert_int_equal(crCompile(model.scene, NULL, NULL, &model.sink, &compiled), cr_errorModel);
    }
    assert_true(crTestModel_Says(&model, cases[i].says));
    crTestModel_Free(&model);
  }
}

// What only C can say wrong, and that nothing stays behind.
static void faults_in_c_are_told(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crScene* scene = NULL;
  assert_int_equal(crCreateScene(NULL, &sink, &scene), cr_ok);
  crObjectDef world = crDefaultObjectDef("w");
  world.mobility = cr_mobilityWorld;
  assert_int_equal(crScene_AddObject(scene, &world, NULL), cr_ok);
  crJointDef def = crDefaultJointDef(cr_jointRevolute, "a", "w", NULL);
  def.law.rotorInertia[0] = 1.0;
  crJointDef screw = def, ended = def, broken = def;
  screw.kind = cr_jointScrew;
  ended.objectB = "w";
  broken.law.damping[0] = NAN;
  assert_int_equal(crScene_AddShaft(scene, &screw, NULL), cr_errorModel);
  assert_int_equal(crScene_AddShaft(scene, &ended, NULL), cr_errorModel);
  assert_int_equal(crScene_AddShaft(scene, &broken, NULL), cr_errorModel);
  assert_int_equal(crScene_AddShaft(NULL, &def, NULL), cr_errorMisuse);
  assert_int_equal(crScene_Count(scene, cr_elementObject), 1);
  assert_int_equal(crScene_Count(scene, cr_elementJoint), 0);
  crCouplingDef brake = crDefaultCouplingDef(cr_couplingBrake, "b");
  brake.as.brake.joint = "a";
  brake.as.brake.law.friction = 1.0;
  brake.stiffness = 1.0;
  assert_int_equal(crScene_AddCoupling(scene, &brake, NULL), cr_errorModel);
  assert_message(log, cr_severityError, "a brake has no offset, stiffness");
  assert_message(log, cr_severityError, "not a screw joint");
  assert_message(log, cr_severityError, "has no second object");
  crDestroyScene(scene);
  crDestroyErrorLog(log);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(shafts_and_sliders_are_inertias),
    cmocka_unit_test(a_shaft_in_json_is_the_joint_that_it_stands_for),
    cmocka_unit_test(two_masses_swing_at_their_frequency),
    cmocka_unit_test(play_is_crossed_and_the_flank_strikes),
    cmocka_unit_test(a_clutch_brings_two_inertias_to_one_speed),
    cmocka_unit_test(an_open_clutch_transmits_nothing),
    cmocka_unit_test(a_brake_stops_and_holds),
    cmocka_unit_test(brakes_are_friction_of_joints_in_loops_too),
    cmocka_unit_test(a_clutch_on_a_prescribed_shaft_drags),
    cmocka_unit_test(a_motor_runs_up_with_its_two_roots),
    cmocka_unit_test(a_motor_without_inductance_has_one_root),
    cmocka_unit_test(linear_models_hold_currents_and_stretches),
    cmocka_unit_test(islands_run_as_the_whole_does),
    cmocka_unit_test(a_gear_can_lose_more_one_way_than_back),
    cmocka_unit_test(losses_are_never_negative),
    cmocka_unit_test(the_servo_axis_of_the_examples_holds_its_arm),
    cmocka_unit_test(faults_are_told),
    cmocka_unit_test(faults_in_c_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
