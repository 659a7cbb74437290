// Whole runs against closed forms: elliptic integrals, Jacobi's elliptic functions, Kepler's ellipse, conservation
// laws.
#include "support/elliptic.h"
#include "support/lua.h"
#include "support/test_run.h"

#include <pthread.h>
#include <string.h>

static crTestRun openBench(const char* text, double stop, double tolerance, crSolverKind solver)
{
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = stop;
  options.interval = stop / 10.0;
  options.tolerance = tolerance;
  options.solver = solver;
  return crOpenTestRun(&(crTestPlan){ .text = text, .options = &options });
}

// ---------------------------------------------------------------------------------------- pendulum

#define PENDULUM                                                                                                       \
  "world('w')\n"                                                                                                       \
  "local rod = object('rod', { mass{ mass = 2, com = { 0, 0, -0.7 }, inertia = { 0.1, 0.1, 0.05 } } })\n"              \
  "revolute('pivot', 'w', rod, { axis = 'y', start = 1.2 })\n"

static double pendulumPeriod(void)
{
  double inertia = 0.1 + 2 * 0.7 * 0.7, restoring = 2 * 9.81 * 0.7;
  return 4.0 * sqrt(inertia / restoring) * crEllipticK(sin(0.6));
}

// Back at the start after a period, at the other side after half of it; the error follows the tolerance.
static void pendulum_swings_with_the_period_of_the_elliptic_integral(void** state)
{
  (void)state;
  double period = pendulumPeriod();
  for (int kind = cr_solverAuto; kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    double errors[2];
    for (int i = 0; i < 2; ++i) {
      double tolerance = i == 0 ? 1e-5 : 1e-9;
      crTestRun bench = openBench(PENDULUM, period, tolerance, (crSolverKind)kind);
      assert_int_equal(crSimulation_Advance(bench.simulation, 0.5 * period), cr_ok);
      double half = fabs(crTestRun_Value(&bench, "pivot.angle") + 1.2);
      assert_int_equal(crSimulation_Advance(bench.simulation, period), cr_ok);
      errors[i] = fmax(
          half, fmax(fabs(crTestRun_Value(&bench, "pivot.angle") - 1.2), fabs(crTestRun_Value(&bench, "pivot.rate"))));
      crCloseTestRun(&bench);
    }
    assert_close(errors[1], 0.0, 3e-7);
    assert_true(errors[1] < 0.05 * errors[0] || errors[0] < 1e-7);
  }
}

// -------------------------------------------------------------------------------------- free rigid body

// Angular velocity in the body's axes.
static crVec3 bodyRate(const crTestRun* bench)
{
  const crInstance* instance = crSimulation_GetInstance(bench->simulation);
  int object = crModel_FindObject(bench->model, "body");
  return crMulTV(crInstance_GetPose(instance, object).R, crInstance_GetMotion(instance, object).w);
}

// Moments 1, 2, 3; energy and momentum such that the body tumbles about its middle axis.
static void tumbling_body_follows_jacobi_elliptic_functions(void** state)
{
  (void)state;
  const char* text = "scene{ gravity = 'none' }\nworld('w')\n"
                     "object('body', { parent = 'w', free = true, angularVelocity = { 1.5, 0, 1 },\n"
                     "  mass{ mass = 1, inertia = { 1, 2, 3 } } })\n";
  const double I1 = 1, I2 = 2, I3 = 3, w1 = 1.5, w3 = 1.0;
  double energy2 = I1 * w1 * w1 + I3 * w3 * w3, momentum2 = I1 * I1 * w1 * w1 + I3 * I3 * w3 * w3;
  assert_true(momentum2 > energy2 * I2); // the branch of the formulas below
  double rate = sqrt((I3 - I2) * (momentum2 - energy2 * I1) / (I1 * I2 * I3));
  double k = sqrt((I2 - I1) * (energy2 * I3 - momentum2) / ((I3 - I2) * (momentum2 - energy2 * I1)));
  double size1 = sqrt((energy2 * I3 - momentum2) / (I1 * (I3 - I1)));
  double size2 = sqrt((energy2 * I3 - momentum2) / (I2 * (I3 - I2)));
  double size3 = sqrt((momentum2 - energy2 * I1) / (I3 * (I3 - I1)));
  crTestRun bench = openBench(text, 20.0, 1e-11, cr_solverDop853);
  for (int i = 0; i <= 20; ++i) {
    double sn, cn, dn;
    assert_int_equal(crSimulation_Advance(bench.simulation, i), cr_ok);
    crJacobi(rate * i, k, &sn, &cn, &dn);
    // Euler's equations turn w2 from zero with the sign of (I3 - I1) w3 w1 > 0
    assert_vec_close(bodyRate(&bench), crMakeVec3(size1 * cn, size2 * sn, size3 * dn), 2e-8);
  }
  crTreeSet all = crModel_GetAllTrees(bench.model);
  crMomentum momentum = crInstance_ComputeMomentum(crSimulation_GetInstance(bench.simulation), all, -1);
  assert_vec_close(momentum.angular, crMakeVec3(1.5, 0, 3), 1e-8);
  crCloseTestRun(&bench);
}

// ------------------------------------------------------------------------------------------- orbit

// Start in the pericentre of an ellipse of eccentricity 0.3: after half a period in the apocentre.
static void planet_follows_keplers_ellipse(void** state)
{
  (void)state;
  const char* text =
      "scene{ gravity = { mu = 1 } }\nworld('sun')\n"
      "object('planet', { parent = 'sun', position = { 0.7, 0, 0 }, velocity = { 0, math.sqrt(1.3 / 0.7), 0 },\n"
      "  free = true, mass{ mass = 1, inertia = { 1, 1, 1 } } })\n";
  crTestRun bench = openBench(text, 2 * CR_PI, 1e-10, cr_solverDop853);
  assert_int_equal(crSimulation_Advance(bench.simulation, CR_PI), cr_ok);
  assert_close(crTestRun_Value(&bench, "planet.position.x"), -1.3, 1e-8);
  assert_close(crTestRun_Value(&bench, "planet.position.y"), 0.0, 1e-8);
  assert_int_equal(crSimulation_Advance(bench.simulation, 2 * CR_PI), cr_ok);
  assert_close(crTestRun_Value(&bench, "planet.position.x"), 0.7, 1e-8);
  assert_close(crTestRun_Value(&bench, "planet.velocity.y"), sqrt(1.3 / 0.7), 1e-8);
  crCloseTestRun(&bench);
}

// ------------------------------------------------------------------------------------------- chaos

#define DOUBLE_PENDULUM                                                                                                \
  "world('w')\n"                                                                                                       \
  "local a = object('a', { mass{ mass = 1, com = { 0, 0, -0.5 }, inertia = { 0.02, 0.03, 0.04 } } })\n"                \
  "local tip = object('tip', { parent = a, position = { 0, 0, -1 } })\n"                                               \
  "local b = object('b', { mass{ mass = 0.7, com = { 0.1, 0, -0.4 }, inertia = { 0.02, 0.03, 0.04 } } })\n"            \
  "revolute('j1', 'w', a, { axis = 'y', start = 2 })\n"                                                                \
  "revolute('j2', tip, b, { axis = { 0.2, 1, 0 }, start = 1, startRate = 3 })\n"

static void energy_of_a_double_pendulum_is_kept(void** state)
{
  (void)state;
  crTestRun bench = openBench(DOUBLE_PENDULUM, 5.0, 1e-10, cr_solverAuto);
  crRunEnd end;
  assert_int_equal(crSimulation_Run(bench.simulation, NULL, &end), cr_ok);
  assert_int_equal(end, cr_runComplete);
  crSimulationSummary s = crSimulation_GetSummary(bench.simulation);
  double before = s.startEnergy.kinetic + s.startEnergy.potential, after = s.endEnergy.kinetic + s.endEnergy.potential;
  assert_close(after, before, 1e-7 * fabs(before));
  assert_int_equal(s.outputCount, 11);
  assert_close(s.time, 5.0, 0);
  crCloseTestRun(&bench);
}

typedef struct Ends {
  crSolverKind solver;
  double values[4];
} Ends;

static void* runDouble(void* context)
{
  Ends* ends = context;
  crTestRun bench = openBench(DOUBLE_PENDULUM, 3.0, 1e-8, ends->solver);
  crRunEnd end;
  crSimulation_Run(bench.simulation, NULL, &end);
  crInstance_GetState(crSimulation_GetInstance(bench.simulation), crModel_GetAllTrees(bench.model), ends->values);
  crCloseTestRun(&bench);
  return NULL;
}

// The same bits alone, again, and four at a time.
static void runs_are_repeatable_to_the_bit_in_any_number_of_threads(void** state)
{
  (void)state;
  for (int kind = cr_solverAuto; kind < cr_solverKindCount; kind = crTestNextSolver(kind)) {
    Ends first = { .solver = (crSolverKind)kind };
    runDouble(&first);
    pthread_t threads[4];
    Ends ends[4];
    for (int i = 0; i < 4; ++i) {
      ends[i].solver = (crSolverKind)kind;
      assert_int_equal(pthread_create(&threads[i], NULL, runDouble, &ends[i]), 0);
    }
    for (int i = 0; i < 4; ++i) {
      pthread_join(threads[i], NULL);
      assert_memory_equal(ends[i].values, first.values, sizeof first.values);
    }
  }
}

// Output points are read from the solver's interpolation: asking for more of them changes nothing.
static void output_does_not_change_the_motion(void** state)
{
  (void)state;
  double ends[2][4];
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    for (int i = 0; i < 2; ++i) {
      crTestRun bench = openBench(DOUBLE_PENDULUM, 3.0, 1e-8, (crSolverKind)kind);
      for (int k = 1; k <= (i == 0 ? 1 : 300); ++k) {
        assert_int_equal(crSimulation_Advance(bench.simulation, i == 0 ? 3.0 : 3.0 * k / 300), cr_ok);
      }
      crInstance_GetState(crSimulation_GetInstance(bench.simulation), crModel_GetAllTrees(bench.model), ends[i]);
      crCloseTestRun(&bench);
    }
    assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
  }
}

// --------------------------------------------------------------------------------------- stiffness

// m x'' + d x' + c x = 0 with eigenvalues near -1 and -1e5: the closed form, and few steps.
static void a_stiff_model_is_noticed(void** state)
{
  (void)state;
  const char* text =
      "scene{ gravity = 'none' }\nworld('w')\n"
      "prismatic('p', 'w', object('a', { mass{ mass = 1 } }), { start = 1, damping = 1e5, stiffness = 1e5 })\n";
  crTestRun bench = openBench(text, 10.0, 1e-6, cr_solverAuto);
  assert_int_equal(crSimulation_Advance(bench.simulation, 10.0), cr_ok);
  crSimulationSummary s = crSimulation_GetSummary(bench.simulation);
  assert_int_equal(s.solver, cr_solverAuto);
  assert_true(s.methodSteps.radau5 > 0);
  assert_true(s.solverStatistics.steps < 500);
  double root = 0.5e5 * (1.0 - sqrt(1.0 - 4.0 / 1e5));
  assert_close(crTestRun_Value(&bench, "p.position"), exp(-root * 10.0), 1e-6);
  crCloseTestRun(&bench);
}

// --------------------------------------------------------------------------------------- bad options

static void bad_options_are_reported(void** state)
{
  (void)state;
  crTestRun bench = openBench(PENDULUM, 1.0, 1e-6, cr_solverAuto);
  crSimulation* other = NULL;
  crSimulationOptions options = crDefaultSimulationOptions();
  options.stopTime = -1;
  options.interval = -1;
  options.tolerance = 2;
  options.maxStep = NAN;
  options.solver = (crSolverKind)77;
  assert_int_equal(crCreateSimulation(bench.model, &options, NULL, &bench.sink, &other), cr_errorModel);
  assert_null(other);
  assert_message(bench.log, cr_severityError, "the stop time is before the start time");
  assert_message(bench.log, cr_severityError, "the output interval must be positive");
  assert_message(bench.log, cr_severityError, "the tolerance is out of range");
  assert_message(bench.log, cr_severityError, "the largest step must be positive");
  assert_message(bench.log, cr_severityError, "there is no solver number 77");
  options = crDefaultSimulationOptions();
  options.islands = (crIslandMode)7;
  options.eventRows = (crEventRows)8;
  assert_int_equal(crCreateSimulation(bench.model, &options, NULL, &bench.sink, &other), cr_errorModel);
  assert_message(bench.log, cr_severityError, "there is no island mode number 7");
  assert_message(bench.log, cr_severityError, "there is no kind number 8 of rows at events");
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.5), cr_ok);
  assert_int_equal(crSimulation_Advance(bench.simulation, 0.4), cr_errorMisuse);
  assert_int_equal(crSimulation_Advance(bench.simulation, 1.5), cr_errorMisuse);
  assert_int_equal(crSimulation_Advance(bench.simulation, NAN), cr_errorMisuse);
  crCloseTestRun(&bench);
}

// Each would run for ever, overflow a count, or be done at 0 s.
static void times_that_numbers_cannot_hold_are_refused(void** state)
{
  (void)state;
  static const struct {
    double start, stop, interval, maxStep, absoluteTolerance;
    const char* message;
  } cases[] = {
    { 0.0, 1e-320, 0.0, 0.0, 0.0, "the run is so short that its times cannot be told apart" },
    { 1e17, 1e17 + 16.0, 0.0, 0.0, 0.0, "the run is so short that its times cannot be told apart" },
    { -1.7e308, 1.7e308, 0.0, 0.0, 0.0, "the run is longer than numbers go" },
    { 0.0, 1e300, 0.0, 0.0, 0.0, "the run goes on to times that nothing can be computed at" },
    { 0.0, 1.01e100, 0.0, 0.0, 0.0, "the run goes on to times that nothing can be computed at" },
    { -1e101, 1.0, 0.0, 0.0, 0.0, "the run goes on to times that nothing can be computed at" },
    { 0.0, 1.0, 1e-300, 0.0, 0.0, "the output interval would give more rows than a result can hold" },
    { 0.0, 1e16, 0.1, 0.0, 0.0, "the output interval would give more rows than a result can hold" },
    { 1e15, 1e15 + 20.0, 0.25, 0.0, 0.0, "the output interval is so short that times cannot be told apart" },
    { 0.0, 1.0, 0.0, 1e-17, 0.0, "the largest step is so short that times cannot be told apart" },
    { 0.0, 1.0, 0.0, 1e-300, 0.0, "the largest step is so short that times cannot be told apart" },
    { 0.0, 1.0, 0.0, 0.0, 1e-310, "the absolute tolerance must be positive" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    crTestRun bench = openBench(PENDULUM, 1.0, 1e-6, cr_solverAuto);
    crSimulation* other = NULL;
    crSimulationOptions options = crDefaultSimulationOptions();
    options.startTime = cases[i].start;
    options.stopTime = cases[i].stop;
    options.interval = cases[i].interval;
    options.maxStep = cases[i].maxStep;
    options.absoluteTolerance = cases[i].absoluteTolerance;
    assert_int_equal(crCreateSimulation(bench.model, &options, NULL, &bench.sink, &other), cr_errorModel);
    assert_null(other);
    assert_int_equal(crErrorLog_CountOf(bench.log, cr_severityError), 1);
    assert_message(bench.log, cr_severityError, cases[i].message);
    crCloseTestRun(&bench);
  }
}

// What flies free, or rests, comes to any time that is let through: a run to 1e300 s once failed at 5e154 s.
static void what_flies_free_comes_to_the_last_time_there_is(void** state)
{
  (void)state;
  crTestRun run = crOpenTestText("scene{ gravity = { 0, 0, 0 } }\n"
                                 "world('w', {})\n"
                                 "object('ball', { parent = 'w', free = true, velocity = { 3, 0, 0 },\n"
                                 "  solid{ shape = sphere{ radius = 0.1 }, mass = 2 } })\n",
                                 1e100, 1e-6, cr_solverAuto);
  crTestRun_Advance(&run, 1e100);
  assert_close(crTestRun_Motion(&run, "ball").v.x, 3.0, 1e-12);
  crCloseTestRun(&run);
}

static void a_function_whose_ticks_cannot_be_told_apart_is_refused(void** state)
{
  (void)state;
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  crTestModel model = crTestModel_ReadGood(PENDULUM "sampled('tick', { period = 1e-18, code = 'return 1' })\n");
  crModel* compiled = NULL;
  crSimulation* simulation = NULL;
  assert_int_equal(crCompile(model.scene, NULL, NULL, &sink, &compiled), cr_ok);
  assert_int_equal(crCreateSimulation(compiled, NULL, NULL, &sink, &simulation), cr_errorModel);
  assert_message(log, cr_severityError, "the period is so short that times cannot be told apart");
  assert_string_equal(crErrorLog_Get(log, 0)->path, "tick");
  crDestroyModel(compiled);
  crTestModel_Free(&model);
  crDestroyErrorLog(log);
}

static crStatus stopAtOnce(void* context, double t, const crInstance* instance)
{
  (void)instance;
  int* count = context;
  ++*count;
  return t >= 0.3 ? cr_errorFile : cr_ok;
}

typedef struct Intruder {
  crTestRun* bench;
  int refusals;
} Intruder;

static crStatus callAgain(void* context, double t, const crInstance* instance)
{
  (void)instance;
  Intruder* intruder = context;
  crSimulation* simulation = intruder->bench->simulation;
  crRunEnd end;
  intruder->refusals += crSimulation_Run(simulation, NULL, &end) == cr_errorMisuse;
  intruder->refusals += crSimulation_Advance(simulation, t + 0.01) == cr_errorMisuse;
  crDestroySimulation(simulation); // is not
  return cr_ok;
}

// A run inside itself, or the end of what is at work, would leave nothing to come back to.
static void a_run_is_not_entered_again_from_its_own_callback(void** state)
{
  (void)state;
  crTestRun bench = openBench(PENDULUM, 1.0, 1e-6, cr_solverAuto);
  Intruder intruder = { &bench, 0 };
  crObserver observer = { .context = &intruder, .atOutput = callAgain };
  crRunEnd end;
  assert_int_equal(crSimulation_Run(bench.simulation, &observer, &end), cr_ok);
  assert_int_equal(end, cr_runComplete);
  int outputs = crSimulation_GetSummary(bench.simulation).outputCount;
  assert_int_equal(intruder.refusals, 2 * outputs);
  assert_close(crSimulation_GetTime(bench.simulation), 1.0, 0.0);
  assert_message(bench.log, cr_severityError, "a simulation cannot be destroyed while it runs: it goes on");
  crCloseTestRun(&bench);
}

static void* useElsewhere(void* context)
{
  Intruder* intruder = context;
  crSimulation* simulation = intruder->bench->simulation;
  crRunEnd end;
  crState* kept = NULL;
  crSimulation* copy = NULL;
  intruder->refusals += crSimulation_Run(simulation, NULL, &end) == cr_errorMisuse;
  intruder->refusals += crSimulation_Advance(simulation, 1.0) == cr_errorMisuse;
  intruder->refusals += crSimulation_SetInput(simulation, 0, 2.0) == cr_errorMisuse;
  intruder->refusals += crSimulation_GetState(simulation, NULL, &kept) == cr_errorMisuse && kept == NULL;
  intruder->refusals += crSimulation_Copy(simulation, NULL, NULL, &copy) == cr_errorMisuse && copy == NULL;
  crDestroySimulation(simulation); // is not
  return NULL;
}

static crStatus startThread(void* context, double t, const crInstance* instance)
{
  (void)t, (void)instance;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, useElsewhere, context), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  return cr_ok;
}

// While one thread moves a simulation, it belongs to that thread; at rest it may be handed to another.
static void a_run_is_not_used_by_another_thread_meanwhile(void** state)
{
  (void)state;
  static const char text[] = "local w = world('w')\n"
                             "local a = object('a', { mass{ mass = 1, inertia = { 1, 1, 1 } } })\n"
                             "revolute('r', w, a, { torque = input('push', { unit = 'N m' }) })\n";
  crTestRun bench = openBench(text, 1.0, 1e-6, cr_solverAuto);
  Intruder intruder = { &bench, 0 };
  crObserver observer = { .context = &intruder, .atOutput = startThread };
  crRunEnd end;
  assert_int_equal(crSimulation_Run(bench.simulation, &observer, &end), cr_ok);
  assert_int_equal(end, cr_runComplete);
  assert_int_equal(intruder.refusals, 5 * crSimulation_GetSummary(bench.simulation).outputCount);
  crState* kept = NULL;
  assert_int_equal(crSimulation_GetState(bench.simulation, NULL, &kept), cr_ok);
  crDestroyState(kept);
  crCloseTestRun(&bench);
}

static void an_observer_can_end_the_run(void** state)
{
  (void)state;
  crTestRun bench = openBench(PENDULUM, 1.0, 1e-6, cr_solverAuto);
  int count = 0;
  crObserver observer = { .context = &count, .atOutput = stopAtOnce };
  crRunEnd end;
  assert_int_equal(crSimulation_Run(bench.simulation, &observer, &end), cr_errorFile);
  assert_int_equal(end, cr_runFailed);
  assert_int_equal(count, 4);
  crCloseTestRun(&bench);
}

// ------------------------------------------------------------------------------------------ failures

// 1e308 times 1e308 from 0.55 s on: behind the event there is nothing to go on with.
static void a_force_that_becomes_infinite_at_an_event_is_told(void** state)
{
  (void)state;
  const char* text = "scene{ gravity = 'none' } world('w')\n"
                     "local big = step('big', { height = 1e308, start = 0.55 })\n"
                     "prismatic('p', 'w', object('a', { mass{ mass = 1 } }),\n"
                     "  { force = product('huge', { inputs = { big, big } }) })\n";
  for (int solver = cr_solverAuto; solver < cr_solverKindCount; solver = crTestNextSolver(solver)) {
    crTestRun bench = openBench(text, 1.0, 1e-6, (crSolverKind)solver);
    crRunEnd end;
    assert_int_equal(crSimulation_Run(bench.simulation, NULL, &end), cr_failNumerics);
    assert_int_equal(end, cr_runFailed);
    assert_message(bench.log, cr_severityError, "the simulation stops at 0.55 s");
    assert_int_equal(crSimulation_GetSummary(bench.simulation).outputCount, 6); // 0 to 0.5 s
    assert_int_equal(crSimulation_Advance(bench.simulation, 1.0), cr_errorMisuse);
    crCloseTestRun(&bench);
  }
}

// Steps of another kind in the middle of the run take no memory any more.
static void every_failed_allocation_of_a_run_is_clean(void** state)
{
  (void)state;
  const char* text =
      "scene{ gravity = 'none' }\nworld('w')\n"
      "prismatic('p', 'w', object('a', { mass{ mass = 1 } }), { start = 1, damping = 1e4, stiffness = 1e4 })\n";
  crTestRun bench = openBench(text, 1.0, 1e-6, cr_solverAuto);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus status = cr_errorMemory;
  int failedCreations = 0, failedRuns = 0;
  for (long failAt = 0; status != cr_ok; ++failAt) {
    crSimulationOptions options = crDefaultSimulationOptions();
    options.stopTime = 1.0;
    crSimulation* simulation = NULL;
    crRunEnd end = cr_runFailed;
    counter.callCount = 0;
    counter.failAt = failAt;
    status = crCreateSimulation(bench.model, &options, &allocator, NULL, &simulation);
    failedCreations += status != cr_ok;
    if (status == cr_ok) {
      status = crSimulation_Run(simulation, NULL, &end);
      failedRuns += status != cr_ok;
      assert_int_equal(end, status == cr_ok ? cr_runComplete : cr_runFailed);
    }
    assert_true(status == cr_ok || status == cr_errorMemory);
    crDestroySimulation(simulation);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_true(failedCreations > 0);
  assert_int_equal(failedRuns, 0);
  crCloseTestRun(&bench);
}

// A model in which nothing moves runs, too.
static void a_model_without_states_runs(void** state)
{
  (void)state;
  crTestRun bench =
      openBench("world('w') object('a', { parent = 'w', position = { 1, 2, 3 } })", 1.0, 1e-6, cr_solverAuto);
  crRunEnd end;
  assert_int_equal(crSimulation_Run(bench.simulation, NULL, &end), cr_ok);
  assert_close(crTestRun_Value(&bench, "a.position.y"), 2.0, 0);
  crCloseTestRun(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(pendulum_swings_with_the_period_of_the_elliptic_integral),
    cmocka_unit_test(tumbling_body_follows_jacobi_elliptic_functions),
    cmocka_unit_test(planet_follows_keplers_ellipse),
    cmocka_unit_test(energy_of_a_double_pendulum_is_kept),
    cmocka_unit_test(runs_are_repeatable_to_the_bit_in_any_number_of_threads),
    cmocka_unit_test(output_does_not_change_the_motion),
    cmocka_unit_test(a_stiff_model_is_noticed),
    cmocka_unit_test(bad_options_are_reported),
    cmocka_unit_test(times_that_numbers_cannot_hold_are_refused),
    cmocka_unit_test(what_flies_free_comes_to_the_last_time_there_is),
    cmocka_unit_test(a_function_whose_ticks_cannot_be_told_apart_is_refused),
    cmocka_unit_test(a_run_is_not_entered_again_from_its_own_callback),
    cmocka_unit_test(a_run_is_not_used_by_another_thread_meanwhile),
    cmocka_unit_test(an_observer_can_end_the_run),
    cmocka_unit_test(a_force_that_becomes_infinite_at_an_event_is_told),
    cmocka_unit_test(every_failed_allocation_of_a_run_is_clean),
    cmocka_unit_test(a_model_without_states_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
