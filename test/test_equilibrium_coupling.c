// Static equilibria of joints that are coupled, and of drivelines, against closed forms.
#include "support/lua.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>

#define G 9.81 // [m/s^2]
#define MOST_STATES 32

typedef struct Bench {
  crTestRun run;
  crInstance* instance;
  crTreeSet all;
  int n;
  double y[MOST_STATES];
} Bench;

// Pendulums about y that hang down at 0, of 1 kg at 0.5 m unless said otherwise.
#define PENDULUMS                                                                                                      \
  "local w = world('w')\n"                                                                                             \
  "local function pendulum(name, m, l, fields)\n"                                                                      \
  "  local rod = object(name .. 'Rod', { mass{ mass = m, com = { 0, 0, -l }, inertia = { 0.01, 0.01, 0.01 } } })\n"    \
  "  fields.axis = { 0, 1, 0 }\n"                                                                                      \
  "  return revolute(name, w, rod, fields)\n"                                                                          \
  "end\n"

static Bench openBench(const char* text)
{
  Bench bench = { .run = crOpenTestText(text, 1.0, 0.0, cr_solverAuto) };
  bench.instance = crTestInstance(bench.run.simulation);
  bench.all = crModel_GetAllTrees(bench.run.model);
  bench.n = crModel_CountStates(bench.run.model, bench.all);
  assert_true(bench.n <= MOST_STATES);
  assert_int_equal(crModel_GetStart(bench.run.model, bench.all, bench.y), cr_ok);
  return bench;
}

// Finds the equilibrium and asserts that nothing moves in it, its states included.
static void settle(Bench* bench)
{
  double rates[MOST_STATES];
  crStatus status = crInstance_ComputeEquilibrium(bench->instance, bench->all, 0.0, bench->y, NULL, &bench->run.sink);
  assert_int_equal(status, cr_ok);
  assert_int_equal(crInstance_ComputeRates(bench->instance, bench->all, 0.0, bench->y, rates), cr_ok);
  for (int i = 0; i < bench->n; ++i) {
    assert_close(rates[i], 0.0, 1e-7);
  }
}

static double get(const Bench* bench, const char* name)
{
  return crInstance_GetVariable(bench->instance, crModel_FindVariable(bench->run.model, name));
}

static void close(Bench* bench)
{
  crCloseTestRun(&bench->run);
}

// qa - 2 qb = 0.6 leaves one motion, along which the weights balance: 2 ma la sin qa + mb lb sin qb = 0.
static void weights_on_a_gear_balance(void** state)
{
  (void)state;
  Bench bench = openBench(PENDULUMS "local a, b = pendulum('a', 1, 0.5, { start = 1 }), pendulum('b', 3, 0.5, {})\n"
                                    "coupling('g', { joints = { [a] = 1, [b] = -2 }, offset = 0.6 })\n");
  settle(&bench);
  double a = get(&bench, "a.angle"), b = get(&bench, "b.angle");
  assert_close(a - 2 * b, 0.6, 1e-14);
  assert_close(2 * 0.5 * sin(a) + 1.5 * sin(b), 0.0, 1e-10);
  assert_true(fabs(a) < 1.5 && fabs(b) < 1.5);
  // what the coupling transmits holds each of them
  assert_close(get(&bench, "g.force"), 0.5 * G * sin(a), 1e-8);
  close(&bench);
}

// Several couplings that share joints: a, b and c follow d, and all hang as one.
static void chains_of_couplings_settle(void** state)
{
  (void)state;
  Bench bench = openBench(
      PENDULUMS "local a, b = pendulum('a', 1, 0.5, { start = 0.4 }), pendulum('b', 2, 0.3, {})\n"
                "local c, d = pendulum('c', 1, 0.7, { stiffness = 3, rest = 0.5 }), pendulum('d', 1, 0.2, {})\n"
                "coupling('ab', { joints = { [a] = 1, [b] = 1 }, offset = 0.3 })\n"
                "coupling('bc', { joints = { [b] = 1, [c] = 3 }, offset = -0.2 })\n"
                "coupling('acd', { joints = { [a] = 1, [c] = 1, [d] = -1 }, offset = 0.1 })\n");
  settle(&bench);
  double a = get(&bench, "a.angle"), b = get(&bench, "b.angle"), c = get(&bench, "c.angle"), d = get(&bench, "d.angle");
  assert_close(a + b, 0.3, 1e-14);
  assert_close(b + 3 * c, -0.2, 1e-14);
  assert_close(a + c - d, 0.1, 1e-14);
  // with db = -da, dc = da / 3, dd = 4 da / 3
  double f =
      0.5 * G * sin(a) - 2 * 0.3 * G * sin(b) + (0.7 * G * sin(c) + 3 * (c - 0.5)) / 3 + 0.2 * G * sin(d) * 4 / 3;
  assert_close(f, 0.0, 1e-9);
  close(&bench);
}

// A prescribed joint holds what is coupled with it.
static void what_follows_a_prescribed_joint_stays(void** state)
{
  (void)state;
  Bench bench = openBench(PENDULUMS "local a = pendulum('a', 1, 0.5, { motion = constant('held', { value = 0.8 }) })\n"
                                    "local b, c = pendulum('b', 1, 0.5, {}), pendulum('c', 1, 0.5, { start = 0.5 })\n"
                                    "coupling('g', { joints = { [a] = 1, [b] = 2 } })\n");
  settle(&bench);
  assert_close(get(&bench, "b.angle"), -0.4, 1e-14);
  assert_close(get(&bench, "c.angle"), 0.0, 1e-9);
  close(&bench);
}

// Behind a gear of 10 the friction of 0.6 N m of a shaft holds 6 N m: the 1 kg at 1 m stays at 0.5 rad, and sinks from
// 1.2 rad to where it can be held.
static void friction_of_a_shaft_holds_behind_its_gear(void** state)
{
  (void)state;
  const double starts[] = { 0.5, 1.2 };
  for (int i = 0; i < 2; ++i) {
    char text[1024];
    snprintf(text, sizeof text,
             PENDULUMS
             "local a = pendulum('a', 1, 1, { start = %g })\n"
             "local s = shaft('s', w, { inertia = 1e-3, start = %g, friction = 0.6, frictionLaw = 'stick' })\n"
             "coupling('g', { joints = { [s] = 1, [a] = -10 } })\n",
             starts[i], 10 * starts[i]);
    Bench bench = openBench(text);
    settle(&bench);
    double angle = get(&bench, "a.angle");
    assert_close(angle, i == 0 ? 0.5 : asin(6 / G), 1e-8);
    assert_close(fabs(get(&bench, "s.angle.bristle")) * 0.6 / 1e-5, G * sin(angle) / 10, 1e-7);
    close(&bench);
  }
}

// A motor at its voltage carries n k u / R; its current is that of the voltage.
static void a_stalled_motor_carries(void** state)
{
  (void)state;
  Bench bench = openBench(PENDULUMS "local a = pendulum('a', 1, 0.5, { rotorInertia = 1e-4, gearRatio = 20 })\n"
                                    "motor('m', a, { voltage = constant('u', { value = 6 }), resistance = 2,\n"
                                    "  inductance = 1e-3, torqueConstant = 0.05 })\n");
  settle(&bench);
  assert_close(get(&bench, "m.current"), 3.0, 1e-12);
  assert_close(get(&bench, "a.angle"), asin(20 * 0.05 * 3 / (0.5 * G)), 1e-9);
  close(&bench);
}

// A brake holds what it can where it is, and no more than that; a clutch hands loads on.
static void brakes_and_clutches_hold(void** state)
{
  (void)state;
  Bench bench = openBench(
      PENDULUMS "local a, b = pendulum('a', 1, 0.5, { start = 0.7 }), pendulum('b', 1, 0.5, { start = 1.2 })\n"
                "brake('ba', a, { friction = 4, frictionStatic = 4.5 })\n"
                "brake('bb', b, { friction = 4, engagement = constant('half', { value = 0.5 }) })\n"
                "local s = shaft('s', w, { inertia = 1e-3, stiffness = 10 })\n"
                "local c = pendulum('c', 1, 0.5, { start = 0.3 })\n"
                "clutch('cl', s, c, { friction = 20 })\n");
  settle(&bench);
  double a = get(&bench, "a.angle"), b = get(&bench, "b.angle"), c = get(&bench, "c.angle");
  assert_close(a, 0.7, 1e-4); // but for the stretch
  assert_close(get(&bench, "ba.force"), 0.5 * G * sin(a), 1e-8);
  assert_close(b, asin(2 / (0.5 * G)), 1e-9);
  assert_close(get(&bench, "s.angle"), c - 0.3, 1e-4);
  assert_close(10 * get(&bench, "s.angle"), -0.5 * G * sin(c), 1e-7);
  close(&bench);
}

static void memory_that_fails_is_told(void** state)
{
  (void)state;
  Bench bench = openBench(PENDULUMS "local a, b = pendulum('a', 1, 0.5, { start = 1 }), pendulum('b', 3, 0.5, {})\n"
                                    "coupling('g', { joints = { [a] = 1, [b] = -2 }, offset = 0.6 })\n");
  crStatus status = cr_errorMemory;
  for (int k = 0; status != cr_ok; ++k) {
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = k;
    crInstance* instance = NULL;
    status = crCreateInstance(bench.run.model, &allocator, &bench.run.sink, &instance);
    if (status == cr_ok) {
      status = crInstance_ComputeEquilibrium(instance, bench.all, 0.0, bench.y, NULL, &bench.run.sink);
    }
    assert_true(status == cr_ok || status == cr_errorMemory);
    crDestroyInstance(instance);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_message(bench.run.log, cr_severityError, "out of memory while an equilibrium was searched for");
  close(&bench);
}

static void loops_are_refused(void** state)
{
  (void)state;
  crTestPlan plan = { .example = "four_bar.lua" };
  crTestRun run = crOpenTestRun(&plan);
  crTreeSet all = crModel_GetAllTrees(run.model);
  double y[MOST_STATES];
  assert_int_equal(crModel_GetStart(run.model, all, y), cr_ok);
  assert_int_equal(crInstance_ComputeEquilibrium(crTestInstance(run.simulation), all, 0.0, y, NULL, &run.sink),
                   cr_errorModel);
  assert_message(run.log, cr_severityError, "where joints form loops");
  crCloseTestRun(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(weights_on_a_gear_balance),
    cmocka_unit_test(chains_of_couplings_settle),
    cmocka_unit_test(what_follows_a_prescribed_joint_stays),
    cmocka_unit_test(friction_of_a_shaft_holds_behind_its_gear),
    cmocka_unit_test(a_stalled_motor_carries),
    cmocka_unit_test(brakes_and_clutches_hold),
    cmocka_unit_test(memory_that_fails_is_told),
    cmocka_unit_test(loops_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
