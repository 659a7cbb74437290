// Steps that are taken again to another time, that are refused, or that lack memory.
#include "support/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------ redo

static void a_redone_step_is_that_step_to_another_time(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES], truth[4], y[4], rates[4];
  crProblem problem = { .n = 4, .computeRates = crComputeKepler, .absTol = crFillTolerance(absTol, 1e-10) };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = crNextStepKind(kind)) {
    crStartTestSteps(run, stepper, &problem, kind, 1e-10, 0.0, crKeplerStart);
    crTestSteps_RunTo(run, 1.0);
    for (int i = 0; i < 5; ++i) {
      assert_int_equal(crTestSteps_Step(run, 10.0), cr_ok);
    }
    crSegment* segment = crTestSteps_Last(run);
    double wholeEnd = segment->t1, t = segment->t0 + 0.37 * (segment->t1 - segment->t0);
    memcpy(y, segment->y1, sizeof y);
    crStepMemory before = run->memory;
    assert_int_equal(crStepper_Redo(stepper, &problem, 1e-10, wholeEnd, &run->memory, segment), cr_ok);
    assert_memory_equal(y, segment->y1, sizeof y);
    assert_int_equal(crStepper_Redo(stepper, &problem, 1e-10, t, &run->memory, segment), cr_ok);
    assert_memory_equal(&before, &run->memory, sizeof before);
    assert_true(segment->t1 == t && segment->isDense);
    crSolveKepler(t, truth);
    assert_true(crMaxDifference(segment->y1, truth, 4) < 2e-7);
    crComputeKepler(NULL, t, segment->y1, rates);
    assert_memory_equal(rates, segment->f1, sizeof rates);
    crSolveKepler(0.5 * (segment->t0 + t), truth);
    crSegment_Interpolate(segment, 0.5 * (segment->t0 + t), 0, 4, y);
    assert_true(crMaxDifference(y, truth, 4) < 2e-6);
    double later = wholeEnd + 0.5 * (wholeEnd - segment->t0); // and beyond its end
    assert_int_equal(crStepper_Redo(stepper, &problem, 1e-10, later, &run->memory, segment), cr_ok);
    crSolveKepler(later, truth);
    assert_true(segment->t1 == later && crMaxDifference(segment->y1, truth, 4) < 2e-7);
  }
  crDestroyStepper(stepper);
  free(run);
}

// With a tolerance that the step was not made for, the part of it takes several steps.
static void a_redone_step_may_take_several(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES], truth[4], y[4];
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = crNextStepKind(kind)) {
    crProblem problem = { .n = 4, .computeRates = crComputeKepler, .absTol = crFillTolerance(absTol, 1e-3) };
    crStartTestSteps(run, stepper, &problem, kind, 1e-3, 0.0, crKeplerStart);
    assert_int_equal(crTestSteps_Step(run, 0.6), cr_ok);
    crSegment* segment = crTestSteps_Last(run);
    double t = 0.9 * segment->t1;
    crFillTolerance(absTol, 1e-10);
    assert_int_equal(crStepper_Redo(stepper, &problem, 1e-10, t, &run->memory, segment), cr_ok);
    assert_true(segment->t1 == t && !segment->isDense);
    crSolveKepler(t, truth);
    assert_true(crMaxDifference(segment->y1, truth, 4) < 1e-8);
    crSolveKepler(0.5 * t, truth);
    crSegment_Interpolate(segment, 0.5 * t, 0, 4, y);
    assert_true(crMaxDifference(y, truth, 4) < 2e-2 * segment->t1);
    crSegment_Interpolate(segment, 0.0, 0, 4, y);
    assert_memory_equal(y, crKeplerStart, sizeof y);
  }
  crDestroyStepper(stepper);
  free(run);
}

// What is summed up over stages: the rates themselves, whose integral is the change of the state.
typedef struct Sum {
  double now[4], start[4], sum[4], parts[4];
} Sum;

static crStatus computeSummed(void* context, double t, const double* y, double* outRates)
{
  crStatus status = crComputeKepler(NULL, t, y, outRates);
  memcpy(((Sum*)context)->now, outRates, 4 * sizeof *outRates);
  return status;
}

static void beginSum(void* context, double ofStart, double ofStage)
{
  Sum* sum = context;
  for (int i = 0; i < 4; ++i) {
    sum->sum[i] = ofStart * sum->start[i] + ofStage * sum->now[i];
  }
}

static void addToSum(void* context, double ofStage)
{
  Sum* sum = context;
  for (int i = 0; i < 4; ++i) {
    sum->sum[i] += ofStage * sum->now[i];
  }
}

static void keepSum(void* context, double h)
{
  Sum* sum = context;
  assert_true(h > 0.0);
  for (int i = 0; i < 4; ++i) {
    sum->parts[i] += sum->sum[i];
    sum->start[i] = sum->now[i];
  }
}

static void assertSum(const Sum* sum, const crSegment* segment, double limit)
{
  for (int i = 0; i < 4; ++i) {
    assert_close(sum->parts[i] + sum->sum[i], segment->y1[i] - segment->y0[i], limit);
  }
}

// In one step, after attempts that were rejected, and redone in several. Newton's iteration leaves a little to radau5.
static void sums_over_stages_are_integrals(void** state)
{
  (void)state;
  static const crStageSums sums = { .begin = beginSum, .add = addToSum, .keep = keepSum };
  double absTol[CR_MAX_TEST_STATES];
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = crNextStepKind(kind)) {
    Sum sum = { 0 };
    crProblem problem = {
      .n = 4, .context = &sum, .computeRates = computeSummed, .absTol = crFillTolerance(absTol, 1e-3), .sums = &sums
    };
    double limit = kind == cr_stepRadau5 ? 1e-4 : 1e-14;
    crStartTestSteps(run, stepper, &problem, kind, 1e-3, 0.0, crKeplerStart);
    run->memory.h = 5.0;
    memcpy(sum.start, run->segments[0].f0, sizeof sum.start);
    assert_int_equal(crTestSteps_Step(run, 6.0), cr_ok);
    assert_true(crStepper_GetCounts(stepper).rejectedSteps > 0);
    crSegment* segment = crTestSteps_Last(run);
    assertSum(&sum, segment, limit);
    crFillTolerance(absTol, 1e-10);
    assert_int_equal(crStepper_Redo(stepper, &problem, 1e-10, 0.9 * segment->t1, &run->memory, segment), cr_ok);
    assert_true(!segment->isDense && memcmp(sum.start, segment->f0, sizeof sum.start) != 0);
    assertSum(&sum, segment, kind == cr_stepRadau5 ? 1e-9 : 1e-14);
  }
  crDestroyStepper(stepper);
  free(run);
}

// A pulse that is shorter than the time between two stages, and its integral, which is known at every time.
typedef struct Pulse {
  double t, now;        // as evaluated last
  double from, atStart; // time and rate where the step starts
  double sum;
  bool isHopeless; // no step is good
} Pulse;

#define PULSE_MIDDLE 0.55
#define PULSE_HALF 0.02

static double integratePulse(double t)
{
  double u = fmax(-1.0, fmin(1.0, (t - PULSE_MIDDLE) / PULSE_HALF));
  return PULSE_HALF * (u - 2.0 * u * u * u / 3.0 + u * u * u * u * u / 5.0 + 8.0 / 15.0);
}

static crStatus computePulse(void* context, double t, const double* y, double* outRates)
{
  Pulse* pulse = context;
  double u = (t - PULSE_MIDDLE) / PULSE_HALF, rest = fmax(0.0, 1.0 - u * u);
  (void)y;
  pulse->t = t;
  *outRates = pulse->now = rest * rest;
  return cr_ok;
}

static void beginPulse(void* context, double ofStart, double ofStage)
{
  Pulse* pulse = context;
  pulse->sum = ofStart * pulse->atStart + ofStage * pulse->now;
}

static void addToPulse(void* context, double ofStage)
{
  Pulse* pulse = context;
  pulse->sum += ofStage * pulse->now;
}

static void keepPulse(void* context, double h)
{
  (void)context;
  (void)h;
}

static double judgePulse(void* context, double relTol, const crSegment* step)
{
  const Pulse* pulse = context;
  assert_true(step->t1 > step->t0);
  return pulse->isHopeless ? 10.0 : fabs(integratePulse(pulse->t) - integratePulse(pulse->from) - pulse->sum) / relTol;
}

// What is between two stages is seen by nothing but integrals that are known by other means. Where these are wrong
// however short a step is, it is taken as if they were not known.
static void steps_are_refused_by_what_sums_over_them_tell(void** state)
{
  (void)state;
  static const crStageSums sums = { beginPulse, addToPulse, keepPulse, judgePulse };
  double absTol[CR_MAX_TEST_STATES], start = 0.0;
  crTestSteps* run = malloc(sizeof *run);
  for (int i = 0; i < 4; ++i) {
    crStepKind kind = i % 2 == 0 ? cr_stepDopri5 : cr_stepRadau5;
    crStepper* stepper = crMakeTestStepper();
    Pulse pulse = { .isHopeless = i >= 2 };
    crProblem problem = {
      .n = 1, .context = &pulse, .computeRates = computePulse, .absTol = crFillTolerance(absTol, 1e-6), .sums = &sums
    };
    crStartTestSteps(run, stepper, &problem, kind, 1e-6, 0.0, &start);
    run->memory.h = 1.0;
    crSegment* segment = NULL;
    for (pulse.from = 0.0; pulse.from < 1.0; pulse.from = segment->t1) {
      pulse.atStart = pulse.now;
      int64_t before = crStepper_GetCounts(stepper).rejectedSteps;
      assert_int_equal(crTestSteps_Step(run, 1.0), cr_ok);
      segment = crTestSteps_Last(run);
      assert_true(!pulse.isHopeless || crStepper_GetCounts(stepper).rejectedSteps - before >= 8);
    }
    assert_close(segment->y1[0], integratePulse(1.0), pulse.isHopeless ? 1.0 : 2e-5);
    assert_in_range(crStepper_GetCounts(stepper).steps, 1, 40);
    crDestroyStepper(stepper);
  }
  free(run);
}

static void redo_refuses_times_before_the_step(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES];
  crProblem problem = { .n = 4, .computeRates = crComputeKepler, .absTol = crFillTolerance(absTol, 1e-6) };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, &problem, cr_stepDopri5, 1e-6, 0.0, crKeplerStart);
  assert_int_equal(crTestSteps_Step(run, 0.0), cr_errorMisuse);
  assert_int_equal(crTestSteps_Step(run, 1.0), cr_ok);
  crSegment* segment = crTestSteps_Last(run);
  assert_int_equal(crStepper_Redo(stepper, &problem, 1e-6, INFINITY, &run->memory, segment), cr_errorMisuse);
  assert_int_equal(crStepper_Redo(stepper, &problem, 1e-6, 0.0, &run->memory, segment), cr_errorMisuse);
  crDestroyStepper(stepper);
  free(run);
}

// --------------------------------------------------------------------------------------------- failures

// A circle that cannot be evaluated behind a wall.
typedef struct Wall {
  double x;        // f refuses beyond
  crStatus status; // with this
} Wall;

static crStatus computeWalled(void* context, double t, const double* y, double* outRates)
{
  const Wall* wall = context;
  (void)t;
  if (y[0] > wall->x) {
    return wall->status;
  }
  outRates[0] = y[1];
  outRates[1] = -y[0];
  return cr_ok;
}

static void a_refusal_shortens_the_step_until_there_is_none_left(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES], start[2] = { 0.0, 1.0 };
  Wall wall = { sin(0.5), cr_retry };
  crProblem problem = { .n = 2, .computeRates = computeWalled, .context = &wall };
  problem.absTol = crFillTolerance(absTol, 1e-6);
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = crNextStepKind(kind)) {
    wall.status = cr_retry;
    crStartTestSteps(run, stepper, &problem, kind, 1e-6, 0.0, start);
    run->memory.h = 3.0;
    assert_int_equal(crTestSteps_Step(run, 10.0), cr_ok);
    assert_true(crTestSteps_Last(run)->t1 < 0.5001);
    crStatus status = cr_ok;
    for (int i = 0; i < 1000 && status == cr_ok; ++i) {
      status = crTestSteps_Step(run, 10.0);
    }
    assert_int_equal(status, cr_retry);
    assert_close(crTestSteps_Last(run)->t1, 0.5, 1e-4);
    wall.status = cr_errorMemory;
    assert_int_equal(crTestSteps_Step(run, 10.0), cr_errorMemory);
  }
  crDestroyStepper(stepper);
  free(run);
}

static crStatus computeExplosion(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = y[0] * y[0];
  outRates[1] = 1.0;
  return cr_ok;
}

static void a_collapse_of_the_step_is_reported(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES], start[2] = { 1.0, 0.0 };
  const bool isFollower[2] = { false, true };
  crStructure structure = { .isFollower = isFollower };
  crProblem problem = { .n = 2, .computeRates = computeExplosion, .absTol = crFillTolerance(absTol, 1e-8) };
  problem.structure = &structure;
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = crNextStepKind(kind)) {
    crStartTestSteps(run, stepper, &problem, kind, 1e-8, 0.0, start);
    crStatus status = cr_ok;
    int steps = 0;
    for (; status == cr_ok && steps < 10000; ++steps) {
      status = crTestSteps_Step(run, 10.0);
    }
    assert_int_equal(status, cr_failNumerics);
    assert_close(crTestSteps_Last(run)->t1, 1.0, 1e-6);
    assert_in_range(steps, 10, 3000);
  }
  crDestroyStepper(stepper);
  free(run);
}

// A power that ends like that of a contact, and states that see nothing of it.
static crStatus computeEnding(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  double left = fmax(0.0, 1.0 - t);
  outRates[0] = -0.1 * y[0];
  outRates[1] = left * sqrt(left);
  return cr_ok;
}

// [-] Error of the integral, which is 2/5.
static double integrateEnding(crStepper* stepper, int kind, double relTol, const crStructure* structure)
{
  double absTol[CR_MAX_TEST_STATES], start[2] = { 1.0, 0.0 };
  crProblem problem = { .n = 2, .computeRates = computeEnding, .absTol = crFillTolerance(absTol, relTol) };
  problem.structure = structure;
  crTestSteps* run = malloc(sizeof *run);
  crStartTestSteps(run, stepper, &problem, kind, relTol, 0.0, start);
  while (!run->hasBefore || crTestSteps_Last(run)->t1 < 2.0) {
    assert_int_equal(crTestSteps_Step(run, 2.0), cr_ok);
  }
  double error = fabs(crTestSteps_Last(run)->y1[1] - 0.4);
  free(run);
  return error;
}

static void a_follower_that_is_watched_is_as_exact_as_asked_for(void** state)
{
  (void)state;
  const bool isFollower[2] = { false, true };
  const int watched[1] = { 1 };
  const crStructure idle = { .isFollower = isFollower };
  const crStructure careful = { .isFollower = isFollower, .watched = watched, .watchedCount = 1 };
  crStepper* stepper = crMakeTestStepper();
  for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = crNextStepKind(kind)) {
    assert_true(integrateEnding(stepper, kind, 1e-8, &idle) > 1e-6); // its states let steps pass over all of it
    for (double relTol = 1e-6; relTol > 1e-11; relTol *= 0.1) {
      assert_true(integrateEnding(stepper, kind, relTol, &careful) < 100.0 * relTol);
    }
  }
  crDestroyStepper(stepper);
}

// Not a number after some time, in one state alone, even if it is a follower.
static crStatus computeNan(void* context, double t, const double* y, double* outRates)
{
  int bad = *(const int*)context;
  outRates[0] = -y[0];
  outRates[1] = 1.0;
  outRates[bad] = t > 0.25 ? NAN : outRates[bad];
  return cr_ok;
}

static void numbers_that_are_none_are_never_accepted(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES], start[2] = { 1.0, 0.0 };
  const bool isFollower[2] = { false, true };
  crStructure structure = { .isFollower = isFollower };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  for (int bad = 0; bad < 2; ++bad) {
    crProblem problem = { .n = 2, .computeRates = computeNan, .context = &bad, .structure = &structure };
    problem.absTol = crFillTolerance(absTol, 1e-8);
    for (int kind = cr_stepDopri5; kind <= (int)cr_stepDop853; kind = crNextStepKind(kind)) {
      crStartTestSteps(run, stepper, &problem, kind, 1e-6, 0.0, start);
      crStatus status = cr_ok;
      for (int i = 0; i < 10000 && status == cr_ok; ++i) {
        status = crTestSteps_Step(run, 10.0);
      }
      assert_int_equal(status, cr_retry);
      assert_true(crTestSteps_Last(run)->t1 <= 0.25 && crTestSteps_Last(run)->t1 > 0.2);
      assert_true(isfinite(crTestSteps_Last(run)->y1[1]) && isfinite(crTestSteps_Last(run)->f1[1]));
    }
  }
  crDestroyStepper(stepper);
  free(run);
}

static void the_stiffness_test_finds_contacts_at_rest_and_nothing_else(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES];
  crFillTolerance(absTol, 1e-8);
  crProblem kepler = { .n = 4, .computeRates = crComputeKepler, .absTol = absTol };
  crProblem ball = {
    .n = cr_testBallCount, .computeRates = crComputeTestBall, .absTol = absTol, .structure = &crTestBallStructure
  };
  crTestSteps* run = malloc(sizeof *run);
  crStepper* stepper = crMakeTestStepper();
  crStartTestSteps(run, stepper, &kepler, cr_stepDopri5, 1e-6, 0.0, crKeplerStart);
  int most = 0;
  while (!run->hasBefore || crTestSteps_Last(run)->t1 < 20.0) {
    assert_int_equal(crTestSteps_Step(run, 20.0), cr_ok);
    most = run->memory.stiffHits > most ? run->memory.stiffHits : most;
  }
  assert_true(most < CR_STIFF_HITS);
  crStartTestSteps(run, stepper, &ball, cr_stepDopri5, 1e-6, 0.0, crTestBallStart);
  int steps = 0;
  for (; run->memory.stiffHits < CR_STIFF_HITS && steps < 500; ++steps) {
    assert_int_equal(crTestSteps_Step(run, 20.0), cr_ok);
  }
  assert_true(steps < 500);
  crDestroyStepper(stepper);
  free(run);
}

// ---------------------------------------------------------------------------------------------- memory

static crStatus tryAll(crTestAllocator* counter, const crProblem* problem, const double* y0)
{
  long failAt = counter->failAt;
  crAllocator allocator = crTestAllocator_Make(counter);
  counter->failAt = failAt;
  crStepper* stepper = NULL;
  crStatus status = crCreateStepper(&allocator, &stepper);
  if (status != cr_ok) {
    assert_null(stepper);
    return status;
  }
  status = crStepper_Reserve(stepper, problem->n, problem->n * problem->n);
  if (status == cr_ok) {
    crTestSteps* run = malloc(sizeof *run);
    crStartTestSteps(run, stepper, problem, cr_stepRadau5, 1e-6, 0.0, y0);
    long calls = counter->callCount;
    status = crTestSteps_Step(run, 1.0);
    assert_int_equal(calls, counter->callCount); // nothing in a step
    free(run);
  }
  crDestroyStepper(stepper);
  return status;
}

static void out_of_memory_is_reported_and_leaks_nothing(void** state)
{
  (void)state;
  double absTol[CR_MAX_TEST_STATES];
  crProblem problem = { .n = cr_testBallCount,
                        .computeRates = crComputeTestBall,
                        .absTol = crFillTolerance(absTol, 1e-8) };
  problem.structure = &crTestBallStructure;
  crStatus status = cr_errorMemory;
  long failAt = 0;
  for (; status == cr_errorMemory; ++failAt) {
    crTestAllocator counter = { .failAt = failAt };
    status = tryAll(&counter, &problem, crTestBallStart);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_int_equal(status, cr_ok);
  assert_in_range(failAt, 4, 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_redone_step_is_that_step_to_another_time),
    cmocka_unit_test(a_redone_step_may_take_several),
    cmocka_unit_test(sums_over_stages_are_integrals),
    cmocka_unit_test(steps_are_refused_by_what_sums_over_them_tell),
    cmocka_unit_test(redo_refuses_times_before_the_step),
    cmocka_unit_test(a_refusal_shortens_the_step_until_there_is_none_left),
    cmocka_unit_test(a_collapse_of_the_step_is_reported),
    cmocka_unit_test(a_follower_that_is_watched_is_as_exact_as_asked_for),
    cmocka_unit_test(numbers_that_are_none_are_never_accepted),
    cmocka_unit_test(the_stiffness_test_finds_contacts_at_rest_and_nothing_else),
    cmocka_unit_test(out_of_memory_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
