// Contact in motion: bodies bounce, roll, rest and never pass through each other.
#include "support/test_run.h"

#include <math.h>
#include <string.h>

static crTestRun openBench(const char* text, crSimulationOptions options)
{
  return crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
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

#define BALL                                                                                                           \
  "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"                                                  \
  "object('ball', { parent = 'w', position = { 0, 0, 0.11 }, free = true,\n"                                           \
  "  solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' } })\n"

// ------------------------------------------------------------------------------------------------ bounce

// A fall of 0.1 m takes sqrt(0.2 / g); the restitution that cor = 0.7 obtains is 0.6832 (closed form of the law).
static void a_ball_falls_and_bounces(void** state)
{
  (void)state;
  crTestRun bench = openBench(BALL, makeOptions(0.25, 1e-9, cr_solverAuto));
  double fall = sqrt(2.0 * 0.1 / 9.81), v = sqrt(2.0 * 9.81 * 0.1);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.25), cr_ok);
  crSimulationSummary summary = crSimulation_GetSummary(bench.simulation);
  assert_int_equal(summary.contactCount, 1);
  double rebound = crTestRun_Value(&bench, "ball.velocity.z") + 9.81 * (0.25 - fall); // but for the time of contact
  assert_close(rebound / v, 0.6832, 2e-3);
  crCloseTestRun(&bench);
}

static void without_contact_a_ball_falls_through_the_floor(void** state)
{
  (void)state;
  crSimulationOptions options = makeOptions(0.5, 1e-8, cr_solverAuto);
  options.ignoresContacts = true;
  crTestRun bench = openBench(BALL, options);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.5), cr_ok);
  assert_close(crTestRun_Value(&bench, "ball.position.z"), 0.11 - 0.5 * 9.81 * 0.25, 1e-9);
  crCloseTestRun(&bench);
}

// ------------------------------------------------------------------------------------------------- guard

#define BULLET                                                                                                         \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "world('w', {})\n"                                                                                                   \
  "object('plate', { parent = 'w', solid{ shape = box{ size = { 0.001, 0.2, 0.2 } }, contact = 'Steel' } })\n"         \
  "object('ball', { parent = 'w', position = { -5, 0.013, 0.007 }, free = true, velocity = { 1000, 0, 0 },\n"          \
  "  solid{ shape = sphere{ diameter = 0.01 }, material = 'Steel', contact = 'Steel' } })\n"

// It would cross the plate in 11 microseconds, within a step of milliseconds.
static void a_bullet_rebounds_from_a_thin_plate_for_every_solver_and_tolerance(void** state)
{
  (void)state;
  static const double tolerances[] = { 1e-2, 1e-4, 1e-6, 1e-8, 1e-10 };
  for (int kind = cr_solverAuto; kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; ++i) {
      crTestRun bench = openBench(BULLET, makeOptions(0.01, tolerances[i], (crSolverKind)kind));
      assert_int_equal(crSimulation_Advance(bench.simulation, 0.01), cr_ok);
      assert_int_equal(crSimulation_GetSummary(bench.simulation).contactCount, 1);
      double v = crTestRun_Value(&bench, "ball.velocity.x");
      assert_true(v < -600.0 && v > -750.0);
      if (tolerances[i] <= 1e-6) {
        assert_close(v, -683.184, 0.05); // the closed form of the law for cor = 0.7
      }
      assert_message(bench.log, cr_severityWarning, "is deeper than a quarter of the thinner of the two");
      crCloseTestRun(&bench);
    }
  }
}

// -------------------------------------------------------------------------------------------------- rest

// m g = k delta^(3/2), k = 4/3 c_res sqrt(R)
static void a_ball_that_starts_at_rest_stays(void** state)
{
  (void)state;
  const char* text = "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                     "object('ball', { parent = 'w', position = { 0, 0, 0.01 }, free = true, start = 'rest',\n"
                     "  solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' } })\n";
  crTestRun bench = openBench(text, makeOptions(1.0, 1e-8, cr_solverAuto));
  double mass = 8000.0 * 4.0 / 3.0 * acos(-1.0) * 1e-6, c = 2e11 / (1.0 - 0.09) / 2.0;
  double depth = pow(mass * 9.81 / (4.0 / 3.0 * c * sqrt(0.01)), 2.0 / 3.0);
  assert_close(crTestRun_Value(&bench, "ball.position.z"), 0.01 - depth, 1e-16);
  assert_int_equal(crSimulation_Advance(bench.simulation, 1.0), cr_ok);
  assert_close(crTestRun_Value(&bench, "ball.position.z"), 0.01 - depth, 1e-12);
  crCloseTestRun(&bench);
}

static void a_body_that_lies_on_nothing_cannot_start_at_rest(void** state)
{
  (void)state;
  const char* text = "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                     "object('ball', { parent = 'w', position = { 0, 0, 0.02 }, free = true, start = 'rest',\n"
                     "  solid{ shape = sphere{ radius = 0.01 }, material = 'Steel', contact = 'Steel' } })\n";
  crAssertStartIsRefused(text, "should start at rest, but lies on nothing");
}

// --------------------------------------------------------------------------------------------- two balls

#define TWO_BALLS                                                                                                      \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "world('w', {})\n"                                                                                                   \
  "object('a', { parent = 'w', position = { -0.2, 0, 0 }, free = true, velocity = { 2, 0.1, 0 },\n"                    \
  "  solid{ shape = sphere{ radius = 0.03 }, mass = 0.2, contact = 'BilliardBall' } })\n"                              \
  "object('b', { parent = 'w', position = { 0.1, 0.04, 0 }, free = true,\n"                                            \
  "  solid{ shape = sphere{ radius = 0.03 }, mass = 0.2, contact = 'BilliardBall' } })\n"

static void an_oblique_impact_of_equal_balls_keeps_momentum_and_energy(void** state)
{
  (void)state;
  crTestRun bench = openBench(TWO_BALLS, makeOptions(0.3, 1e-10, cr_solverAuto));
  crInstance* instance = crTestInstance(bench.simulation);
  crTreeSet set = crSimulation_GetSet(bench.simulation);
  crMomentum before = crInstance_ComputeMomentum(instance, set, -1);
  crEnergy start = crInstance_ComputeEnergy(instance, set, -1);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.3), cr_ok);
  crMomentum after = crInstance_ComputeMomentum(instance, set, -1);
  crEnergy end = crInstance_ComputeEnergy(instance, set, -1);
  assert_int_equal(crSimulation_GetSummary(bench.simulation).contactCount, 1);
  assert_close(crLength(crSub(after.linear, before.linear)), 0.0, 1e-12);
  assert_close(crLength(crSub(after.angular, before.angular)), 0.0, 1e-12);
  assert_close(end.kinetic / start.kinetic, 1.0, 1e-9);
  // equal masses, no friction, cor 1: the two leave at a right angle
  double dot = crTestRun_Value(&bench, "a.velocity.x") * crTestRun_Value(&bench, "b.velocity.x") +
               crTestRun_Value(&bench, "a.velocity.y") * crTestRun_Value(&bench, "b.velocity.y");
  assert_close(dot, 0.0, 1e-4);
  crCloseTestRun(&bench);
}

// ------------------------------------------------------------------------------------------ discrete state

static void indicators_have_their_signs_before_and_after_a_contact(void** state)
{
  (void)state;
  crTestRun bench = openBench(BALL, makeOptions(1.0, 1e-8, cr_solverDopri5));
  crInstance* instance = crTestInstance(bench.simulation);
  crTreeSet set = crSimulation_GetSet(bench.simulation);
  double y[13], z[CR_INDICATORS];
  crInstance_GetState(instance, set, y);
  y[2] = 0.01 + 1e-4;
  assert_int_equal(crInstance_ComputeIndicators(instance, set, 0.0, y, z), cr_ok);
  assert_true(z[0] == -1.0 && z[1] > 1e-4 && z[1] < 1.001e-4);
  y[2] = 0.01 - 1e-6;
  assert_int_equal(crInstance_ComputeIndicators(instance, set, 0.0, y, z), cr_ok);
  assert_true(z[0] == -1.0 && z[1] < 0.0); // not in contact before an event says so
  crInstance_SetState(instance, set, 0.0, y);
  assert_int_equal(crInstance_ResolveContacts(instance, set), cr_ok);
  assert_int_equal(crContacts_Count(set.contacts), 1);
  assert_int_equal(crInstance_ComputeIndicators(instance, set, 0.0, y, z), cr_ok);
  assert_close(z[0], -1e-6, 1e-15);
  assert_true(z[1] > 0.0);
  crCloseTestRun(&bench);
}

static void contacts_can_be_saved_and_restored(void** state)
{
  (void)state;
  crTestRun bench = openBench(BALL, makeOptions(1.0, 1e-8, cr_solverDopri5));
  crInstance* instance = crTestInstance(bench.simulation);
  crTreeSet set = crSimulation_GetSet(bench.simulation);
  crContacts* saved = NULL;
  double y[13];
  assert_int_equal(crCreateContacts(bench.model, crModel_GetAllTrees(bench.model), NULL, &saved), cr_ok);
  assert_int_equal(crCopyContacts(set.contacts, saved), cr_ok);
  crInstance_GetState(instance, set, y);
  y[2] = 0.01 - 1e-6;
  y[9] = -1.0;
  crInstance_SetState(instance, set, 0.0, y);
  assert_int_equal(crInstance_ResolveContacts(instance, set), cr_ok);
  assert_int_equal(crContacts_Count(set.contacts), 1);
  assert_close(crContacts_Get(set.contacts, 0).approach, 1.0, 1e-15);
  assert_int_equal(crCopyContacts(saved, set.contacts), cr_ok);
  assert_int_equal(crContacts_Count(set.contacts), 0);
  crDestroyContacts(saved);
  crCloseTestRun(&bench);
}

static void every_allocation_may_fail(void** state)
{
  (void)state;
  crScene* scene = NULL;
  crModel* model = NULL;
  assert_int_equal(crReadLua(BALL, strlen(BALL), "m.lua", NULL, NULL, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crCompile(scene, NULL, NULL, NULL, &model), cr_ok);
  crSimulationOptions options = makeOptions(0.2, 1e-6, cr_solverDopri5);
  crStatus status = cr_errorMemory;
  for (int failing = 0; status != cr_ok; ++failing) {
    assert_true(failing < 10000);
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    counter.failAt = failing;
    crSimulation* simulation = NULL;
    status = crCreateSimulation(model, &options, &allocator, NULL, &simulation);
    if (status == cr_ok) {
      status = crSimulation_Advance(simulation, 0.2);
    }
    assert_true(status == cr_ok || status == cr_errorMemory);
    crDestroySimulation(simulation);
    assert_int_equal(counter.liveBlocks, 0);
  }
  crDestroyModel(model);
  crDestroyScene(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_ball_falls_and_bounces),
    cmocka_unit_test(without_contact_a_ball_falls_through_the_floor),
    cmocka_unit_test(a_bullet_rebounds_from_a_thin_plate_for_every_solver_and_tolerance),
    cmocka_unit_test(a_ball_that_starts_at_rest_stays),
    cmocka_unit_test(a_body_that_lies_on_nothing_cannot_start_at_rest),
    cmocka_unit_test(an_oblique_impact_of_equal_balls_keeps_momentum_and_energy),
    cmocka_unit_test(indicators_have_their_signs_before_and_after_a_contact),
    cmocka_unit_test(contacts_can_be_saved_and_restored),
    cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
