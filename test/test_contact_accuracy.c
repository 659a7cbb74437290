// What contact promises: the motion of a run is that of the law, to the accuracy asked for.
#include "support/impact.h"
#include "support/test_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_EVENTS 4000

typedef struct Bench {
  crTestRun run;
  crContactRecord events[MAX_EVENTS];
  int eventCount;
} Bench;

static crStatus keepEvent(void* context, const crContactRecord* event)
{
  Bench* bench = context;
  if (event->phase != cr_contactLast) {
    assert_true(bench->eventCount < MAX_EVENTS);
    bench->events[bench->eventCount++] = *event;
  }
  return cr_ok;
}

static void runText(Bench* bench, const char* text, crSimulationOptions options)
{
  crObserver observer = { .context = bench, .atContact = keepEvent };
  crRunEnd end;
  bench->eventCount = 0;
  bench->run = crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
  assert_int_equal(crSimulation_Run(bench->run.simulation, &observer, &end), cr_ok);
}

static crSimulationOptions makeOptions(double stop, double tolerance, crSolverKind solver)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.interval = stop;
  options.tolerance = tolerance;
  options.solver = solver;
  return options;
}

// --------------------------------------------------------------------------------------------- law-exact

// A ball of 1 kg and 10 mm on a half-space, by the numbers of the law.
typedef struct Law {
  double k, d;
} Law;

static double hertz(const void* context, double depth, double rate)
{
  const Law* law = context;
  return depth > 0.0 ? fmax(0.0, law->k * depth * sqrt(depth) * (1.0 + law->d * rate)) : 0.0;
}

#define E 1e9
#define NU 0.3
#define RADIUS 0.01

static double stiffness(void)
{
  return 4.0 / 3.0 * E / (1.0 - NU * NU) / 2.0 * sqrt(RADIUS);
}

static void writeBall(char* text, size_t size, double cor, const char* formula, double height)
{
  snprintf(text, size,
           "scene{ hysteresis = 1e-11 }\n"
           "solidMaterial('M', { density = 1000, E = 1e9, nu = 0.3 })\n"
           "contactPair('M', 'M', { cor = %.17g, muK = 0, muR = 0, formula = '%s' })\n"
           "world('w', { solid{ shape = halfSpace{}, contact = 'M' } })\n"
           "object('ball', { parent = 'w', position = { 0, 0, %.17g }, free = true,\n"
           "  solid{ shape = sphere{ radius = 0.01 }, mass = 1, contact = 'M' } })\n",
           cor, formula, height + RADIUS);
}

// d of the seeds' formula at speeds far above v_min.
static double floresDamping(double cor, double speed)
{
  double reg = cor + (0.001 - cor) * exp(log(0.01) * speed / 0.01);
  return 8.0 * (1.0 - reg) / (5.0 * reg * speed);
}

static void bounces_follow_the_law(void** state)
{
  (void)state;
  static Bench bench;
  char text[1024];
  const double height = 0.1, g = 9.81, cor = 0.8;
  writeBall(text, sizeof text, cor, "flores", height);
  runText(&bench, text, makeOptions(1.6, 1e-9, cr_solverAuto));
  assert_true(bench.eventCount >= 20);
  double speed = sqrt(2.0 * g * height), t = speed / g;
  for (int bounce = 0; bounce < 10; ++bounce) {
    Law law = { stiffness(), floresDamping(cor, speed) };
    crImpact impact = crIntegrateImpact(hertz, &law, 1.0, g, speed, 1e-5, 1e-15);
    const crContactRecord *begin = &bench.events[2 * bounce], *end = begin + 1;
    double limit = bounce == 0 ? 1e-6 : 1e-5;
    assert_true(begin->phase == cr_contactBegin && end->phase != cr_contactBegin);
    assert_close(begin->time / t, 1.0, limit);
    assert_close(begin->approach / speed, 1.0, limit);
    assert_close((end->time - begin->time) / impact.duration, 1.0, bounce == 0 ? 2e-6 : 1e-4);
    assert_close(end->separation / impact.exitSpeed, 1.0, limit);
    t += impact.duration + 2.0 * impact.exitSpeed / g;
    speed = impact.exitSpeed;
  }
  crCloseTestRun(&bench.run);
}

static void the_depth_of_a_contact_is_that_of_the_law(void** state)
{
  (void)state;
  static Bench bench;
  char text[1024];
  writeBall(text, sizeof text, 0.8, "flores", 0.1);
  runText(&bench, text, makeOptions(0.2, 1e-9, cr_solverDopri5));
  double speed = sqrt(2.0 * 9.81 * 0.1);
  Law law = { stiffness(), floresDamping(0.8, speed) };
  crImpact impact = crIntegrateImpact(hertz, &law, 1.0, 9.81, speed, 1e-5, 1e-15);
  assert_close(bench.events[1].maxDepth / impact.maxDepth, 1.0, 1e-6);
  crCloseTestRun(&bench.run);
}

static double runRestitution(double cor, const char* formula)
{
  static Bench bench;
  char moving[1200];
  snprintf(moving, sizeof moving,
           "scene{ gravity = 'none', hysteresis = 1e-12 }\n"
           "solidMaterial('M', { density = 1000, E = 1e9, nu = 0.3 })\n"
           "contactPair('M', 'M', { cor = %.17g, muK = 0, muR = 0, formula = '%s' })\n"
           "world('w', { solid{ shape = halfSpace{}, contact = 'M' } })\n"
           "object('ball', { parent = 'w', position = { 0, 0, 0.011 }, free = true, velocity = { 0, 0, -2 },\n"
           "  solid{ shape = sphere{ radius = 0.01 }, mass = 1, contact = 'M' } })\n",
           cor, formula);
  runText(&bench, moving, makeOptions(0.1, 1e-10, cr_solverDop853));
  assert_int_equal(bench.eventCount, 2);
  double restitution = bench.events[1].restitution;
  crCloseTestRun(&bench.run);
  return restitution;
}

// Far above v_min: u = d v = 8 (1 - cor) / (5 cor).
static void restitution_is_what_the_formula_obtains(void** state)
{
  (void)state;
  for (double cor = 0.2; cor < 1.05; cor += 0.2) {
    double c = fmin(cor, 1.0), u = 8.0 * (1.0 - c) / (5.0 * c);
    assert_close(runRestitution(c, "flores"), u > 0.0 ? crComputeTrueCor(u) : 1.0, 1e-6);
    assert_close(runRestitution(c, "exact"), c, 1e-6);
  }
}

// ------------------------------------------------------------------------------------------------ events

static double firstContact(double tolerance, crSolverKind solver)
{
  static Bench bench;
  // a rod falls like a pendulum and its ball hits a wall
  const char* text = "world('w', {})\n"
                     "object('wall', { parent = 'w', position = { 0, 0, 0 }, \n"
                     "  solid{ shape = halfSpace{ axis = { 1, 0, 0 } }, contact = 'Steel' } })\n"
                     "object('ball', { position = { 0, 0, 0 },\n"
                     "  solid{ shape = sphere{ radius = 0.05 }, mass = 1, contact = 'Steel' } })\n"
                     "object('pivot', { parent = 'ball', position = { 0, 0, 1 } })\n"
                     "object('hook', { parent = 'w', position = { 0.1, 0, 1 } })\n"
                     "revolute('hinge', 'hook', 'pivot', { axis = 'y', start = -1.2, canCollide = true })\n";
  crSimulationOptions options = makeOptions(1.0, tolerance, solver);
  runText(&bench, text, options);
  assert_true(bench.eventCount > 0 && bench.events[0].phase == cr_contactBegin);
  double time = bench.events[0].time;
  crCloseTestRun(&bench.run);
  return time;
}

static void event_times_converge_with_the_tolerance(void** state)
{
  (void)state;
  double truth = firstContact(1e-12, cr_solverDop853);
  static const crSolverKind kinds[] = { cr_solverDopri5, cr_solverCvodeBdf, cr_solverIda };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    if (!crTestHasSolver(kinds[k])) {
      continue;
    }
    double loose = fabs(firstContact(1e-5, kinds[k]) - truth);
    double tight = fabs(firstContact(1e-9, kinds[k]) - truth);
    assert_true(loose < 1e-3);
    assert_true(tight < 1e-7);
    assert_true(tight < 0.1 * loose);
  }
}

// --------------------------------------------------------------------------------- elastic and impulsive

// The stiffer the ball, the nearer is its elastic bounce to the impulse: exact damping makes the limit the same.
static void elastic_bounces_approach_impulsive_ones_as_stiffness_grows(void** state)
{
  (void)state;
  static Bench bench;
  double heights[4];
  for (int i = 0; i < 4; ++i) {
    char text[1024];
    snprintf(text, sizeof text,
             "scene{ response = '%s' }\n"
             "solidMaterial('M', { density = 1000, E = %g, nu = 0.3 })\n"
             "contactPair('M', 'M', { cor = 0.7, muK = 0, muR = 0, formula = 'exact' })\n"
             "world('w', { solid{ shape = halfSpace{}, contact = 'M' } })\n"
             "object('ball', { parent = 'w', position = { 0, 0, 0.11 }, free = true,\n"
             "  solid{ shape = sphere{ radius = 0.01 }, mass = 0.01, contact = 'M' } })\n",
             i < 3 ? "elastic" : "impulsive",
             i == 0   ? 1e7
             : i == 1 ? 1e9
                      : 1e11);
    runText(&bench, text, makeOptions(0.3, 1e-9, cr_solverAuto));
    heights[i] = crTestRun_Value(&bench.run, "ball.position.z");
    crCloseTestRun(&bench.run);
  }
  double soft = fabs(heights[0] - heights[3]), middle = fabs(heights[1] - heights[3]);
  double hard = fabs(heights[2] - heights[3]);
  assert_true(hard < 0.3 * middle && middle < 0.3 * soft && hard < 1e-4);
}

// Apex of an impulsive ball: cor^(2 n) of the height that it fell from.
static void an_impulsive_ball_reaches_its_apex_heights(void** state)
{
  (void)state;
  static Bench bench;
  const char* text = "scene{ response = 'impulsive' }\n"
                     "contactPair('DryWood', 'Steel', { cor = 0.9, muK = 0.3, muR = 0 })\n"
                     "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                     "object('ball', { parent = 'w', position = { 0, 0, 0.51 }, free = true,\n"
                     "  solid{ shape = sphere{ radius = 0.01 }, material = 'DryWood', contact = 'DryWood' } })\n";
  runText(&bench, text, makeOptions(2.5, 1e-9, cr_solverAuto));
  for (int n = 0; n < 3; ++n) {
    double v = bench.events[2 * n + 1].separation, expected = 0.5 * pow(0.9, 2.0 * (n + 1));
    assert_close(v * v / (2.0 * 9.81) / expected, 1.0, 1e-6);
  }
  crCloseTestRun(&bench.run);
}

// ---------------------------------------------------------------------------------------------- billiards

#define RACK                                                                                                           \
  "solidMaterial('Ball', { density = 1768, E = 5.4e9, nu = 0.34 })\n"                                                  \
  "solidMaterial('Cloth', { density = 700, E = 1.1e10, nu = 0.4 })\n"                                                  \
  "contactPair('Ball', 'Ball', { cor = 1, muK = 0, muR = 0 })\n"                                                       \
  "contactPair('Ball', 'Cloth', { cor = 0, muK = 0.6, muR = 0.02 })\n"                                                 \
  "world('w', { solid{ shape = halfSpace{}, contact = 'Cloth' } })\n"                                                  \
  "local function ball(name, x, y, v)\n"                                                                               \
  "  object(name, { parent = 'w', position = { x, y, 0.03 }, free = true, start = 'rest', velocity = { v, 0, 0 },\n"   \
  "    solid{ shape = sphere{ radius = 0.03 }, mass = 0.2, contact = 'Ball' } })\n"                                    \
  "end\n"                                                                                                              \
  "local s = 0.0601\n"                                                                                                 \
  "ball('cue', -0.3, 0, 3)\n"                                                                                          \
  "ball('b1', 0, 0, 0)\n"                                                                                              \
  "ball('b2', s * 0.75 ^ 0.5, -s / 2, 0)\n"                                                                            \
  "ball('b3', s * 0.75 ^ 0.5, s / 2, 0)\n"                                                                             \
  "ball('b4', s * 3 ^ 0.5, -s, 0)\n"                                                                                   \
  "ball('b5', s * 3 ^ 0.5, 0, 0)\n"                                                                                    \
  "ball('b6', s * 3 ^ 0.5, s, 0)\n"

static void a_symmetric_break_stays_symmetric_and_never_gains_energy(void** state)
{
  (void)state;
  static Bench bench;
  runText(&bench, RACK, makeOptions(0.6, 1e-8, cr_solverAuto));
  crSimulationSummary summary = crSimulation_GetSummary(bench.run.simulation);
  assert_close(crTestRun_Value(&bench.run, "cue.position.y"), 0.0, 1e-9);
  assert_close(crTestRun_Value(&bench.run, "b5.position.y"), 0.0, 1e-9);
  assert_close(crTestRun_Value(&bench.run, "b2.position.y"), -crTestRun_Value(&bench.run, "b3.position.y"), 1e-9);
  assert_close(crTestRun_Value(&bench.run, "b4.position.x"), crTestRun_Value(&bench.run, "b6.position.x"), 1e-9);
  assert_close(crTestRun_Value(&bench.run, "b4.position.y"), -crTestRun_Value(&bench.run, "b6.position.y"), 1e-9);
  double start = summary.startEnergy.kinetic + summary.startEnergy.potential + summary.startEnergy.elastic;
  double end = summary.endEnergy.kinetic + summary.endEnergy.potential + summary.endEnergy.elastic;
  assert_true(end < start * (1.0 + 1e-9));
  assert_true(summary.contactCount >= 8);
  crCloseTestRun(&bench.run);
}

// The order of the bodies is no physics.
static void the_order_of_bodies_changes_nothing_beyond_the_tolerance(void** state)
{
  (void)state;
  static Bench bench;
  double x[2];
  const char* turned = "ball('c', 0.3, 0.4, -1)\nball('b', 0.1, 0.39, 0)\nball('a', -0.2, 0.41, 2)\n";
  const char* plain = "ball('a', -0.2, 0.41, 2)\nball('b', 0.1, 0.39, 0)\nball('c', 0.3, 0.4, -1)\n";
  for (int i = 0; i < 2; ++i) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s", RACK, i == 0 ? plain : turned);
    runText(&bench, text, makeOptions(0.5, 1e-9, cr_solverAuto));
    x[i] = crTestRun_Value(&bench.run, "b.position.x");
    crCloseTestRun(&bench.run);
  }
  assert_close(x[0], x[1], 1e-7);
}

// --------------------------------------------------------------------------------------------- bad input

static void bodies_deep_in_each_other_are_refused(void** state)
{
  (void)state;
  const char* text = "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                     "object('ball', { parent = 'w', position = { 0, 0, 0.008 }, free = true,\n"
                     "  solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' } })\n";
  crAssertStartIsRefused(text, "at 0 s the contact with 'ball' is too deep to start with");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(bounces_follow_the_law),
    cmocka_unit_test(the_depth_of_a_contact_is_that_of_the_law),
    cmocka_unit_test(restitution_is_what_the_formula_obtains),
    cmocka_unit_test(event_times_converge_with_the_tolerance),
    cmocka_unit_test(elastic_bounces_approach_impulsive_ones_as_stiffness_grows),
    cmocka_unit_test(an_impulsive_ball_reaches_its_apex_heights),
    cmocka_unit_test(a_symmetric_break_stays_symmetric_and_never_gains_energy),
    cmocka_unit_test(the_order_of_bodies_changes_nothing_beyond_the_tolerance),
    cmocka_unit_test(bodies_deep_in_each_other_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
