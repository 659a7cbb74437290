// Steppers on equations with known solutions: errors follow the tolerance, between the steps too, and trouble is told.
#include "solve/stepper.h"
#include "support/ode.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Error after t = 20 in multiples of the tolerance. That of radau5 goes with the power 5/6 of the tolerance.
#define MAX_RATIO 50.0
#define MAX_RADAU_RATIO 200.0

static const crStepKind kinds[] = { cr_stepDopri5, cr_stepDop853, cr_stepRadau5 };
static const char* const names[] = { "dopri5", "dop853", "radau5" };
#define KIND_COUNT 3

// ---------------------------------------------------------------------------------------------- driver

// An integration by a stepper that nobody else uses: two segments that take turns.
typedef struct Run {
  crStepper* stepper;
  crProblem problem;
  double relTol, maxStep;
  crStepMemory memory;
  crSegment segments[2];
  int last;
  bool hasBefore;
} Run;

static Run* startRun(crStepKind kind, const crTestOde* ode, const double* y0, double tol, double maxStep)
{
  Run* run = calloc(1, sizeof *run);
  run->problem = ode->problem;
  run->problem.absTol = ode->problem.absTol != NULL ? ode->problem.absTol : ode->absTol;
  run->relTol = tol;
  run->maxStep = maxStep;
  run->memory = crStartMemory(kind, 0.0);
  run->memory.isLazy = run->memory.isAlone = run->memory.isChanged = true;
  assert_int_equal(crCreateStepper(NULL, &run->stepper), cr_ok);
  for (int i = 0; i < 2; ++i) {
    crSegment_Place(&run->segments[i], ode->problem.n, calloc(crSegment_CountDoubles(ode->problem.n), sizeof(double)));
  }
  crSegment* start = &run->segments[0]; // an empty one that ends at the start
  start->t0 = start->t1 = ode->t0;
  memcpy(start->y1, y0, (size_t)ode->problem.n * sizeof *y0);
  assert_int_equal(ode->problem.computeRates(ode->problem.context, ode->t0, y0, start->f1), cr_ok);
  return run;
}

static void endRun(Run* run)
{
  crDestroyStepper(run->stepper);
  free(run->segments[0].y0);
  free(run->segments[1].y0);
  free(run);
}

static const crSegment* lastStep(const Run* run)
{
  return &run->segments[run->last];
}

static crStatus step(Run* run, double tStop)
{
  crSegment *before = &run->segments[run->last], *segment = &run->segments[1 - run->last];
  size_t size = (size_t)run->problem.n * sizeof(double);
  segment->t0 = before->t1;
  memcpy(segment->y0, before->y1, size);
  memcpy(segment->f0, before->f1, size);
  crStatus status = crStepper_Step(run->stepper, &run->problem, run->relTol, fmin(tStop, segment->t0 + run->maxStep),
                                   run->hasBefore ? before : NULL, &run->memory, segment);
  if (status == cr_ok) {
    run->last = 1 - run->last;
    run->hasBefore = true;
  }
  return status;
}

static crStatus stepTo(Run* run, double t)
{
  crStatus status = cr_ok;
  while (status == cr_ok && lastStep(run)->t1 < t) {
    status = step(run, t);
  }
  return status;
}

// As output points are: by three ends of steps where they help. isSecond: there is a step before.
static void interpolate(Run* run, bool isSecond, double t, double* outY)
{
  crSegment *segment = &run->segments[run->last], *before = &run->segments[1 - run->last];
  if (isSecond && crSegment_HasNeighbour(segment, before, run->problem.absTol, run->relTol)) {
    crSegment_InterpolateEnds(segment, before, t, 0, segment->n, outY);
    return;
  }
  assert_int_equal(crStepper_MakeDense(run->stepper, &run->problem, segment), cr_ok);
  crSegment_Interpolate(segment, t, 0, segment->n, outY);
}

static double findError(const Run* run, const crTestOde* ode)
{
  double truth[CR_MAX_TEST_N], error = 0.0;
  ode->computeTruth(lastStep(run)->t1, truth);
  for (int i = 0; i < ode->problem.n; ++i) {
    error = fmax(error, fabs(lastStep(run)->y1[i] - truth[i]));
  }
  return error;
}

// -------------------------------------------------------------------------------------------- accuracy

static double findErrorAt(int method, const crTestOde* ode, double tol, double tEnd)
{
  Run* run = startRun(kinds[method], ode, ode->y0, tol, INFINITY);
  assert_int_equal(stepTo(run, tEnd), cr_ok);
  double error = findError(run, ode);
  endRun(run);
  return error;
}

static void checkErrors(crTestOde (*make)(double tol))
{
  static const double tolerances[] = { 1e-4, 1e-6, 1e-8, 1e-10 };
  for (int method = 0; method < KIND_COUNT; ++method) {
    double first = 0.0, last = 0.0;
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; ++i) {
      crTestOde ode = make(tolerances[i]);
      last = findErrorAt(method, &ode, tolerances[i], 20.0);
      first = i == 0 ? last : first;
      if (!(last < (kinds[method] == cr_stepRadau5 ? MAX_RADAU_RATIO : MAX_RATIO) * tolerances[i])) {
        fail_msg("%s: error %g at tolerance %g", names[method], last, tolerances[i]);
      }
    }
    assert_true(last < 1e-4 * first);
  }
}

static void oscillator_error_follows_the_tolerance(void** state)
{
  (void)state;
  checkErrors(crMakeOscillator);
}

static void pendulum_agrees_with_elliptic_functions(void** state)
{
  (void)state;
  checkErrors(crMakePendulum);
}

// Fehlberg's method of order 8 would take its error for 0 here, and be wrong by any amount.
static crStatus rateQuadrature(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)y;
  outRates[0] = 30.0 * cos(30.0 * t) + 1.0;
  return cr_ok;
}

static void solveQuadrature(double t, double* outY)
{
  outY[0] = sin(30.0 * t) + t;
}

static void pure_quadrature_is_integrated_to_tolerance(void** state)
{
  (void)state;
  for (int method = 0; method < KIND_COUNT; ++method) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateQuadrature }, .absTol = { 1e-8 } };
    ode.computeTruth = solveQuadrature;
    assert_true(findErrorAt(method, &ode, 1e-8, 10.0) < (kinds[method] == cr_stepDop853 ? 1e-7 : 1e-4));
  }
}

// Reference: the Test Set for IVP Solvers [MazziaMagherini08], problem rober.
static void robertson_agrees_with_the_published_values_after_1e11_seconds(void** state)
{
  (void)state;
  static const double truth[3] = { 0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050 };
  crTestOde ode = crMakeRobertson(1e-8);
  ode.absTol[0] = ode.absTol[2] = 1e-14;
  ode.absTol[1] = 1e-18;
  Run* run = startRun(cr_stepRadau5, &ode, ode.y0, 1e-8, INFINITY);
  assert_int_equal(stepTo(run, 1e11), cr_ok);
  for (int k = 0; k < 3; ++k) {
    assert_close(lastStep(run)->y1[k] / truth[k], 1.0, 1e-4);
  }
  assert_true(crStepper_GetCounts(run->stepper).steps < 10000);
  endRun(run);
}

static crStatus rateCounted(void* context, double t, const double* y, double* outRates)
{
  (void)t;
  ++*(int64_t*)context;
  outRates[0] = y[1];
  outRates[1] = -y[0];
  return cr_ok;
}

static void counts_are_complete_and_rates_those_of_the_state(void** state)
{
  (void)state;
  for (int method = 0; method < KIND_COUNT; ++method) {
    int64_t calls = 0;
    crTestOde ode = crMakeOscillator(1e-9);
    ode.problem.context = &calls;
    ode.problem.computeRates = rateCounted;
    Run* run = startRun(kinds[method], &ode, ode.y0, 1e-9, INFINITY);
    calls = 0; // at the start
    while (lastStep(run)->t1 < 5.0) {
      assert_int_equal(step(run, 5.0), cr_ok);
      assert_close(lastStep(run)->f1[0], lastStep(run)->y1[1], 1e-12);
      assert_close(lastStep(run)->f1[1], -lastStep(run)->y1[0], 1e-12);
    }
    crStepCounts counts = crStepper_GetCounts(run->stepper);
    assert_int_equal(counts.evaluations, calls);
    assert_true((counts.jacobians > 0) == (kinds[method] == cr_stepRadau5));
    assert_int_equal(counts.steps, counts.stepsOf[kinds[method]]);
    endRun(run);
  }
}

// --------------------------------------------------------------------------------------- interpolation

static void interpolation_is_as_good_as_the_steps_and_exact_at_the_ends(void** state)
{
  (void)state;
  for (int method = 0; method < KIND_COUNT; ++method) {
    for (double tol = 1e-5; tol > 1e-10; tol *= 1e-2) {
      crTestOde ode = crMakePendulum(tol);
      Run* run = startRun(kinds[method], &ode, ode.y0, tol, INFINITY);
      double y[2], truth[2], worst = 0.0, worstEnd = 0.0;
      for (int k = 0; lastStep(run)->t1 < 10.0; ++k) {
        assert_int_equal(step(run, 10.0), cr_ok);
        const crSegment* segment = lastStep(run);
        worstEnd = fmax(worstEnd, findError(run, &ode));
        for (int i = 0; i <= 8; ++i) {
          double t = i == 8 ? segment->t1 : segment->t0 + (segment->t1 - segment->t0) * i / 8.0;
          interpolate(run, k > 0, t, y);
          ode.computeTruth(t, truth);
          worst = fmax(worst, fmax(fabs(y[0] - truth[0]), fabs(y[1] - truth[1])));
          assert_true(i != 0 || memcmp(y, segment->y0, sizeof y) == 0);
          assert_true(i != 8 || memcmp(y, segment->y1, sizeof y) == 0);
        }
      }
      // the steps of order 8 are much better than the tolerance
      if (!(worst < (kinds[method] == cr_stepDop853 ? 5.0 : 2.0) * (worstEnd + tol))) {
        fail_msg("%s: error %g at tolerance %g", names[method], worst, tol);
      }
      endRun(run);
    }
  }
}

// y' = 5 t^4: steps are exact, and so is what lies between them once there are three ends of steps.
static crStatus ratePower(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)y;
  outRates[0] = 5.0 * t * t * t * t;
  return cr_ok;
}

static void powers_up_to_the_fifth_are_interpolated_exactly(void** state)
{
  (void)state;
  for (int method = 0; method < KIND_COUNT; ++method) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = ratePower }, .absTol = { 1e-3 } };
    Run* run = startRun(kinds[method], &ode, ode.y0, 1e-3, 0.1);
    run->memory.h = 0.1;
    for (int k = 0; lastStep(run)->t1 < 2.0; ++k) {
      assert_int_equal(step(run, 2.0), cr_ok);
      const crSegment* segment = lastStep(run);
      for (int i = 1; i < 8 && k > 0; ++i) {
        double t = segment->t0 + (segment->t1 - segment->t0) * i / 8.0, y;
        interpolate(run, true, t, &y);
        assert_close(y, t * t * t * t * t, 1e-12);
      }
    }
    endRun(run);
  }
}

// Many points in each step cost as much as one.
static void output_of_explicit_methods_is_cheap(void** state)
{
  (void)state;
  for (int method = 0; method < 2; ++method) {
    crTestOde ode = crMakePendulum(1e-9);
    Run* run = startRun(kinds[method], &ode, ode.y0, 1e-9, INFINITY);
    for (int k = 0; lastStep(run)->t1 < 20.0; ++k) {
      assert_int_equal(step(run, 20.0), cr_ok);
      int64_t before = crStepper_GetCounts(run->stepper).evaluations;
      for (int i = 1; i < 20; ++i) {
        double y[2], t0 = lastStep(run)->t0, t1 = lastStep(run)->t1;
        interpolate(run, k > 0, t0 + (t1 - t0) * i / 20.0, y);
      }
      int64_t cost = crStepper_GetCounts(run->stepper).evaluations - before;
      assert_int_equal(cost, kinds[method] == cr_stepDopri5 ? 0 : 3);
    }
    assert_true(crStepper_GetCounts(run->stepper).steps > 40);
    endRun(run);
  }
}

// The polynomial must not follow the steep rates of small errors.
static void interpolation_of_stiff_steps_stays_on_the_solution(void** state)
{
  (void)state;
  crTestOde ode = crMakeVanDerPol(1e-6);
  Run* run = startRun(cr_stepRadau5, &ode, ode.y0, 1e-6, INFINITY);
  for (int k = 0; lastStep(run)->t1 < 0.5; ++k) {
    double y[2];
    assert_int_equal(step(run, 0.5), cr_ok);
    double t0 = lastStep(run)->t0, t1 = lastStep(run)->t1;
    for (int i = 1; i < 8 && t0 > 1e-4; ++i) { // after the start the rates obey y' = y / (1 - y^2)
      interpolate(run, k > 0, t0 + (t1 - t0) * i / 8.0, y);
      assert_close(y[1], y[0] / (1.0 - y[0] * y[0]), 1e-4);
    }
  }
  endRun(run);
}

// --------------------------------------------------------------------------------------------- trouble

// A discontinuity in f: chattering about y = 0 costs steps, but ends.
static crStatus rateSliding(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = y[0] > 0.0 ? -1.0 : 1.0;
  return cr_ok;
}

static void chattering_goes_on_or_ends_but_never_hangs(void** state)
{
  (void)state;
  for (int method = 0; method < KIND_COUNT; ++method) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateSliding }, .absTol = { 1e-4 }, .y0 = { 0.1 } };
    Run* run = startRun(kinds[method], &ode, ode.y0, 1e-4, INFINITY);
    crStatus status = cr_ok;
    for (int i = 0; i < 20000 && status == cr_ok && lastStep(run)->t1 < 0.2; ++i) {
      status = step(run, 0.2);
    }
    assert_true(fabs(lastStep(run)->y1[0]) < 0.1);
    assert_true(lastStep(run)->t1 > 0.0999);
    endRun(run);
  }
}

static crStatus rateFailing(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  outRates[0] = -y[0];
  return t > 0.5 ? cr_errorLimit : cr_ok;
}

static void the_status_of_a_failing_function_comes_back(void** state)
{
  (void)state;
  for (int method = 0; method < KIND_COUNT; ++method) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateFailing }, .absTol = { 1e-8 }, .y0 = { 1.0 } };
    Run* run = startRun(kinds[method], &ode, ode.y0, 1e-6, INFINITY);
    assert_int_equal(stepTo(run, 2.0), cr_errorLimit);
    assert_true(lastStep(run)->t1 <= 0.5);
    endRun(run);
  }
}

// ------------------------------------------------------------------------------------------- same bits

#define MASSES 30
#define CHAIN_N (2 * MASSES)
#define TRACE_LENGTH 4000

typedef struct Trace {
  int count;
  double values[TRACE_LENGTH];
} Trace;

// A nonlinear chain that is shaken at one end.
static crStatus rateChain(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  for (int i = 0; i < MASSES; ++i) {
    double left = y[i] - (i > 0 ? y[i - 1] : sin(t)), right = (i + 1 < MASSES ? y[i + 1] : 0.0) - y[i];
    outRates[i] = y[MASSES + i];
    outRates[MASSES + i] = 10.0 * (right - left + right * right * right - left * left * left);
  }
  return cr_ok;
}

static void* traceAll(void* context)
{
  Trace* traces = context;
  int starts[CHAIN_N + 1], rows[4 * CHAIN_N], count = 0;
  double absTol[CHAIN_N], y0[CHAIN_N] = { 0.0 };
  for (int j = 0; j < CHAIN_N; ++j) {
    starts[j] = count;
    absTol[j] = 1e-8;
    for (int i = 0; i < CHAIN_N; ++i) {
      bool isSpring = j < MASSES && i >= MASSES && abs(i - MASSES - j) <= 1;
      if (isSpring || (j >= MASSES && i == j - MASSES)) {
        rows[count++] = i;
      }
    }
  }
  starts[CHAIN_N] = count;
  crSparsity pattern = { CHAIN_N, starts, rows };
  crTestOde ode = { .problem = { .n = CHAIN_N, .computeRates = rateChain, .pattern = &pattern, .absTol = absTol } };
  for (int method = 0; method < KIND_COUNT; ++method) {
    Trace* trace = &traces[method];
    Run* run = startRun(kinds[method], &ode, y0, 1e-6, INFINITY);
    trace->count = 0;
    while (lastStep(run)->t1 < 5.0 && trace->count + 2 < TRACE_LENGTH && step(run, 5.0) == cr_ok) {
      trace->values[trace->count++] = lastStep(run)->t1;
      trace->values[trace->count++] = lastStep(run)->y1[MASSES / 2];
    }
    endRun(run);
  }
  return NULL;
}

static void repetition_and_threads_give_the_same_bits(void** state)
{
  (void)state;
  static Trace reference[KIND_COUNT], traces[4][KIND_COUNT];
  pthread_t threads[4];
  traceAll(reference);
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(pthread_create(&threads[i], NULL, traceAll, traces[i]), 0);
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    for (int method = 0; method < KIND_COUNT; ++method) {
      int count = reference[method].count;
      assert_true(count > 40);
      assert_int_equal(traces[i][method].count, count);
      assert_memory_equal(traces[i][method].values, reference[method].values, (size_t)count * sizeof(double));
    }
  }
}

static void all_methods_agree_on_the_chain(void** state)
{
  (void)state;
  static Trace traces[KIND_COUNT];
  traceAll(traces);
  for (int method = 0; method < KIND_COUNT; ++method) {
    assert_true(traces[method].values[traces[method].count - 2] == 5.0);
    assert_close(traces[method].values[traces[method].count - 1], traces[1].values[traces[1].count - 1], 1e-4);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(oscillator_error_follows_the_tolerance),
    cmocka_unit_test(pendulum_agrees_with_elliptic_functions),
    cmocka_unit_test(pure_quadrature_is_integrated_to_tolerance),
    cmocka_unit_test(robertson_agrees_with_the_published_values_after_1e11_seconds),
    cmocka_unit_test(counts_are_complete_and_rates_those_of_the_state),
    cmocka_unit_test(interpolation_is_as_good_as_the_steps_and_exact_at_the_ends),
    cmocka_unit_test(powers_up_to_the_fifth_are_interpolated_exactly),
    cmocka_unit_test(output_of_explicit_methods_is_cheap),
    cmocka_unit_test(interpolation_of_stiff_steps_stays_on_the_solution),
    cmocka_unit_test(chattering_goes_on_or_ends_but_never_hangs),
    cmocka_unit_test(the_status_of_a_failing_function_comes_back),
    cmocka_unit_test(repetition_and_threads_give_the_same_bits),
    cmocka_unit_test(all_methods_agree_on_the_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
