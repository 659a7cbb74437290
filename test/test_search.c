// The search for contacts: what it finds is where events find it, nothing is overlooked, and what cannot be held ends
// the run instead of coming out on the other side.
#include "island/island.h"
#include "sim/simulation.h"
#include "support/island_run.h"
#include "support/random.h"
#include "support/test_run.h"
#include "support/tumble.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static crSimulationOptions makeOptions(double stop, double tolerance, crSolverKind solver)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = options.interval = stop;
  options.tolerance = tolerance;
  options.solver = solver;
  return options;
}

static crTestRun openBench(const char* text, crSimulationOptions options)
{
  return crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
}

// ------------------------------------------------------------------------------------------ thin plates

// A body at 1000 m/s, 1 m in front of a plate of 1 mm.
static crTestRun shoot(const char* shape, crQuat q, double E, crSolverKind solver, double tolerance)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "scene{ gravity = 'none' }\n"
      "solidMaterial('m', { density = 8000, E = %g, nu = 0.3 })\n"
      "contactPair('m', 'm', { cor = 1, muK = 0, muR = 0 })\n"
      "world('w', {})\n"
      "object('plate', { parent = 'w', solid{ shape = box{ size = { 0.001, 0.2, 0.2 } }, contact = 'm' } })\n"
      "object('body', { parent = 'w', position = { -1, 0.013, 0.007 }, rotation = { %.17g, %.17g, %.17g, %.17g },\n"
      "  free = true, velocity = { 1000, 0, 0 }, solid{ shape = %s, material = 'm', contact = 'm' } })\n",
      E, q.w, q.x, q.y, q.z, shape);
  return openBench(text, makeOptions(0.002, tolerance, solver));
}

static const char* const bodies[] = {
  "box{ size = { 0.01, 0.01, 0.01 } }",
  "box{ size = { 0.0005, 0.02, 0.02 } }",
  "box{ size = { 0.03, 0.006, 0.006 } }",
  "hull{ points = { { 0, 0, 0 }, { 0.01, 0, 0 }, { 0, 0.01, 0 }, { 0, 0, 0.01 } } }",
};

// The plate is never passed: a body rebounds, or the run ends while it is in the plate, with a message that says so.
static bool rebounds(crTestRun* bench)
{
  crStatus status = crSimulation_Advance(bench->simulation, 0.002);
  if (status == cr_ok) {
    assert_true(crSimulation_GetSummary(bench->simulation).contactCount >= 1);
    assert_true(crTestRun_Value(bench, "body.position.x") < -0.02);
    return true;
  }
  assert_int_equal(status, cr_failNumerics);
  assert_message(bench->log, cr_severityError, "the contact with 'body' does not hold it: it goes through");
  assert_message(bench->log, cr_severityError, "m deep, allowed: up to where their middles meet; the thinner one is ");
  assert_true(crSimulation_GetSummary(bench->simulation).time <= 0.002);
  return false;
}

static void no_body_comes_out_on_the_other_side_of_a_thin_plate(void** state)
{
  (void)state;
  static const double moduli[] = { 1e6, 2e11, 1e13, 1e14 }, tolerances[] = { 1e-3, 1e-6, 1e-9 };
  int held = 0, through = 0;
  crRandom random = crMakeRandom(7);
  for (int i = 0; i < 48; ++i) {
    crQuat q = i % 3 == 0 ? crIdentityQuat() : crRandom_Rotation(&random);
    crTestRun bench = shoot(bodies[i / 12], q, moduli[i % 4], cr_solverAuto, tolerances[i % 3]);
    bool isHeld = rebounds(&bench);
    held += isHeld;
    through += !isHeld;
    assert_true(moduli[i % 4] > 1e6 || !isHeld); // no law could
    assert_true(moduli[i % 4] < 1e14 || isHeld); // and this one has to
    crCloseTestRun(&bench);
  }
  assert_true(held >= 12 && through >= 12);
}

static void no_solver_lets_a_box_through_a_thin_plate(void** state)
{
  (void)state;
  for (int kind = cr_solverAuto; kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    crTestRun bench = shoot(bodies[0], crIdentityQuat(), 1e14, (crSolverKind)kind, 1e-6);
    assert_true(rebounds(&bench));
    crCloseTestRun(&bench);
    bench = shoot(bodies[0], crIdentityQuat(), 1e6, (crSolverKind)kind, 1e-6);
    assert_false(rebounds(&bench));
    crCloseTestRun(&bench);
  }
}

// ------------------------------------------------------------------------------------------- overlooked

// A body that is put into another one behind the search's back.
static void a_contact_that_was_overlooked_ends_the_run(void** state)
{
  (void)state;
  const char* text = "scene{ gravity = 'none' }\n"
                     "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
                     "object('box', { parent = 'w', position = { 0, 0, 0.3 }, free = true, velocity = { 0, 0, -0.1 },\n"
                     "  solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, material = 'Steel', contact = 'Steel' } })\n";
  crSimulationOptions options = makeOptions(1.0, 1e-8, cr_solverAuto);
  options.maxStep = 0.01;
  crTestRun bench = openBench(text, options);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.1), cr_ok);
  crSegment* segment = &bench.simulation->islands->items[0].segment;
  segment->y1[2] = 0.03; // 20 mm deep; one step explains 1 mm
  assert_int_equal(crSimulation_Advance(bench.simulation, 1.0), cr_failNumerics);
  assert_message(bench.log, cr_severityError, "it was overlooked that it touches 'box'");
  assert_message(bench.log, cr_severityError, "0.02 m deep, allowed: 0.001");
  crCloseTestRun(&bench);
}

// How a run goes on when a box that approaches at 0.1 m/s in steps of 10 ms is put to a depth, at a distance from zero.
// It is only observed, so nothing but the check of depths can end the run.
static crStatus putDeep(double x, double depth)
{
  char text[1024];
  snprintf(text, sizeof text,
           "scene{ gravity = 'none' }\n"
           "contactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0, response = 'observer' })\n"
           "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"
           "object('box', { parent = 'w', position = { %g, 0, 0.3 }, free = true, velocity = { 0, 0, -0.1 },\n"
           "  solid{ shape = box{ size = { 0.1, 0.1, 0.1 } }, material = 'Steel', contact = 'Steel' } })\n",
           x);
  crSimulationOptions options = makeOptions(1.0, 1e-8, cr_solverAuto);
  options.maxStep = 0.01;
  crTestRun bench = openBench(text, options);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.1), cr_ok);
  bench.simulation->islands->items[0].segment.y1[2] = 0.05 - depth;
  crStatus status = crSimulation_Advance(bench.simulation, 1.0);
  if (status != cr_ok) {
    assert_message(bench.log, cr_severityError, "it was overlooked that it touches 'box'");
  }
  crCloseTestRun(&bench);
  return status;
}

// Explained are the approach in a step, 1 mm, and what states are known to: 100 times the tolerance, 1e-3 m at 1 km.
static void a_depth_is_explained_by_one_step_and_by_how_well_states_are_known(void** state)
{
  (void)state;
  assert_int_equal(putDeep(0.0, 0.95e-3), cr_ok);
  assert_int_equal(putDeep(0.0, 1.05e-3), cr_failNumerics);
  assert_int_equal(putDeep(1e3, 1.95e-3), cr_ok);
  assert_int_equal(putDeep(1e3, 2.05e-3), cr_failNumerics);
}

// A ball in a hollow one, likewise: behind a surface nothing tells how deep something is, so no more than a hundredth
// of the smaller one is explained, 0.05 mm, however fast it approaches.
static void a_depth_behind_a_surface_is_explained_up_to_a_hundredth(void** state)
{
  (void)state;
  static const double depths[] = { 4e-5, 7e-5 };
  const char* text = "scene{ gravity = 'none' }\n"
                     "contactPair('Steel', 'Steel', { cor = 1, muK = 0, muR = 0, response = 'observer' })\n"
                     "world('w', { solid{ shape = sphere{ radius = 0.3, hollow = true }, contact = 'Steel' } })\n"
                     "object('ball', { parent = 'w', free = true, velocity = { 0, 0, -0.1 },\n"
                     "  solid{ shape = sphere{ radius = 0.005 }, material = 'Steel', contact = 'Steel' } })\n";
  for (int i = 0; i < 2; ++i) {
    crSimulationOptions options = makeOptions(1.0, 1e-8, cr_solverAuto);
    options.maxStep = 0.01;
    crTestRun bench = openBench(text, options);
    assert_int_equal(crSimulation_Advance(bench.simulation, 0.1), cr_ok);
    bench.simulation->islands->items[0].segment.y1[2] = -(0.3 - 0.005) - depths[i];
    assert_int_equal(crSimulation_Advance(bench.simulation, 0.2), i == 0 ? cr_ok : cr_failNumerics);
    if (i == 1) {
      assert_message(bench.log, cr_severityError, "it was overlooked that it touches 'ball'");
    }
    crCloseTestRun(&bench);
  }
}

// ----------------------------------------------------------------------------------------------- places

#define CHAINS                                                                                                         \
  "scene{ gravity = 'none' }\n"                                                                                        \
  "world('w', { solid{ shape = halfSpace{}, contact = 'Steel' } })\n"                                                  \
  "object('box', { parent = 'w', position = { 0.3, 0.2, 1 }, rotation = { 0.3, 0.5, 0.7, 0.41 }, free = true,\n"       \
  "  velocity = { 0.1, 0.2, 0.3 }, angularVelocity = { 3, 5, 7 },\n"                                                   \
  "  solid{ shape = box{ size = { 0.1, 0.2, 0.3 } }, material = 'Steel', contact = 'Steel' } })\n"                     \
  "object('ball', { parent = 'w', position = { 2, 0, 1 }, free = true, angularVelocity = { 1, 2, 3 },\n"               \
  "  solid{ shape = sphere{ radius = 0.1 }, material = 'Steel', contact = 'Steel' } })\n"                              \
  "object('arm', { solid{ shape = box{ size = { 0.1, 0.2, 0.7 } }, material = 'Steel', contact = 'Steel' } })\n"       \
  "revolute('pin', 'w', 'arm', { axis = { 0.36, 0.48, 0.8 }, start = 0.3, startRate = 4 })\n"

// Places at the end of a segment, as the search has them and as an event will have them. When the two rounded in ways
// of their own, events found unchanged what the search saw to change.
static void search_and_events_place_bodies_alike_to_the_last_bit(void** state)
{
  (void)state;
  crTestRun bench = openBench(CHAINS, makeOptions(1.0, 1e-7, cr_solverAuto));
  crIslands* islands = bench.simulation->islands;
  const crModel* model = islands->model;
  int seen = 0;
  for (int i = 1; i <= 50; ++i) {
    assert_int_equal(crSimulation_Advance(bench.simulation, 0.02 * i), cr_ok);
    for (int k = 0; k < model->size.treeCount; ++k) {
      const crIsland* island = &islands->items[k];
      if (!island->isUsed || island->sweptStamp != island->stamp) {
        continue;
      }
      crTreeSet set = crIsland_GetSet(island);
      crInstance_SetState(islands->instance, set, island->segment.t1, island->segment.y1);
      assert_int_equal(crInstance_Eval(islands->instance, set, cr_stageVelocity), cr_ok);
      crPlaceTrees(islands->instance, set);
      for (int s = islands->treeShapes[k]; s < islands->treeShapes[k + 1]; ++s) {
        const crSweep* sweep = &islands->sweeps[model->contactShapes[s].body];
        crPose X = crMulPose((crPose){ sweep->R1, sweep->p1 }, model->contactShapes[s].X_BS);
        assert_memory_equal(&X.p, &islands->table->poses[s].p, sizeof X.p);
        if (!islands->isRound[k]) {
          assert_memory_equal(&X.R, &islands->table->poses[s].R, sizeof X.R);
        }
        ++seen;
      }
    }
  }
  assert_true(seen >= 150);
  crCloseTestRun(&bench);
}

// ------------------------------------------------------------------------------------------------ tumbling

#define DEEPEST 2.1 // [-] depth over hysteresis

static void tumbling_bodies_begin_to_touch_where_the_search_aims_at(void** state)
{
  (void)state;
  int64_t contacts = 0;
  for (uint64_t seed = 1000; seed < 1024; ++seed) {
    crTumblePlan plan = crMakeTumblePlan(seed);
    plan.hasPlate = false;
    plan.cor = fmax(plan.cor, 0.3);
    plan.stop = 0.5;
    crTumbleResult result = crRunTumble(&plan);
    assert_int_equal(result.status, cr_ok);
    assert_true(result.deepestStart <= DEEPEST);
    contacts += result.contacts;
  }
  assert_true(contacts >= 60);
}

// All distances, ten thousand times a second.
static void no_touch_of_tumbling_bodies_is_overlooked(void** state)
{
  (void)state;
  static const crSolverKind kinds[] = { cr_solverAuto, cr_solverDop853, cr_solverCvodeBdf, cr_solverRadau5 };
  for (uint64_t seed = 0; seed < 8; ++seed) {
    crTumblePlan plan = crMakeTumblePlan(2000 + seed);
    plan.hasPlate = false;
    plan.cor = fmax(plan.cor, 0.3);
    plan.solver = kinds[seed % 4];
    plan.stop = 0.2;
    plan.sample = 1e-4;
    crTumbleResult result = crRunTumble(&plan);
    assert_int_equal(result.status, cr_ok);
    assert_true(result.deepestMissed <= DEEPEST);
  }
}

// A pair that was met later than the search had said hid all others from that time on: the head of a pin was 5.5 mm
// deep in the floor when its contact began.
static void what_comes_behind_a_hit_is_searched(void** state)
{
  (void)state;
  crModel* model = crOpenIslandModel(&(crIslandPlan){ .file = "examples/bowling.lua" });
  for (double tolerance = 1e-5; tolerance > 1e-7; tolerance *= 0.1) {
    crSimulationOptions options = crIslandOptions(1.0, tolerance);
    crIslandRun run = crRunIslands(model, &options);
    assert_int_equal(run.status, cr_ok);
    assert_true(fabs(crIslandRun_Unexplained(&run)) < 100.0 * tolerance * run.summary.dissipated);
    crIslandRun_Free(&run);
  }
  crDestroyModel(model);
}

// ------------------------------------------------------------------------------------------------ gliding

// What glides along something else at a distance of nanometres was looked at every microsecond, 1,800 times in a
// segment, and taken to touch when that became too much: 5 million distances and 16,000 steps for 49 contacts.
static void what_glides_is_not_looked_at_all_the_time(void** state)
{
  (void)state;
  static const struct {
    const char* file;
    double stop;
    int64_t steps;
  } scenes[] = {
    { "bench/scenes/geneva_slots.lua", 3.0, 4000 },
    { "bench/scenes/gears.lua", 0.3, 4000 },
    { "examples/geneva.lua", 1.3, 3000 }, // a pin with a micrometre of play, in slots of lines and arcs
  };
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
    crModel* model = crOpenIslandModel(&(crIslandPlan){ .file = scenes[i].file });
    crSimulationOptions options = crIslandOptions(scenes[i].stop, 1e-6);
    crIslandRun run = crRunIslands(model, &options);
    crSimulationSummary summary = run.summary;
    int64_t steps = summary.solverStatistics.steps;
    assert_int_equal(run.status, cr_ok);
    assert_true(steps < scenes[i].steps);
    assert_true(summary.distanceCount < 20 * steps);
    crIslandRun_Free(&run);
    crDestroyModel(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_body_comes_out_on_the_other_side_of_a_thin_plate),
    cmocka_unit_test(no_solver_lets_a_box_through_a_thin_plate),
    cmocka_unit_test(a_contact_that_was_overlooked_ends_the_run),
    cmocka_unit_test(a_depth_behind_a_surface_is_explained_up_to_a_hundredth),
    cmocka_unit_test(a_depth_is_explained_by_one_step_and_by_how_well_states_are_known),
    cmocka_unit_test(search_and_events_place_bodies_alike_to_the_last_bit),
    cmocka_unit_test(tumbling_bodies_begin_to_touch_where_the_search_aims_at),
    cmocka_unit_test(no_touch_of_tumbling_bodies_is_overlooked),
    cmocka_unit_test(what_comes_behind_a_hit_is_searched),
    cmocka_unit_test(what_glides_is_not_looked_at_all_the_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
