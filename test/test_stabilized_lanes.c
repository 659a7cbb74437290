// Steps of the stabilized method whose vectors are in lanes, as those of crowds are: of a linear problem.
#include "solve/stepper_inside.h"
#include "support/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BODIES 9 // no multiple of the lanes that are added up side by side
#define VECTORS (3 * BODIES)
#define WATCHED 4
#define ATTITUDES (4 * BODIES) // which follow, and have no place in lanes
#define STATES (3 * VECTORS + WATCHED + ATTITUDES)

// Every state falls at its own rate; watched ones rise with 1, 2, 3 and 4 a second.
typedef struct Linear {
  double decay[3 * VECTORS]; // [1/s]
} Linear;

static const double slow = 1.0, fast = 60.0; // [1/s]

static double findRate(const Linear* linear, int place, double value)
{
  int lane = place % 4, vector = place / 4;
  return vector == VECTORS ? 1.0 + lane : lane == 3 ? 0.0 : -linear->decay[3 * vector + lane] * value;
}

static crStatus computeRates(void* context, double t, const double* y, double* outRates)
{
  (void)t;
  for (int i = 0; i < STATES; ++i) {
    int place = i < 3 * VECTORS ? 4 * (i / 3) + i % 3 : 4 * VECTORS + i - 3 * VECTORS;
    outRates[i] = i < STATES - ATTITUDES ? findRate(context, place, y[i]) : 0.0;
  }
  return cr_ok;
}

static crStatus computeNext(void* context, double t, const crLaneStage* stage)
{
  (void)t;
  const double* w = stage->weights;
  for (int i = 0; i < 4 * VECTORS + WATCHED; ++i) {
    stage->out[i] = w[0] * stage->start[i] + w[1] * stage->last[i] + w[2] * stage->before[i] +
                    w[3] * findRate(context, i, stage->last[i]) + w[4] * stage->startRates[i];
  }
  return cr_ok;
}

static crStatus computeEnd(void* context, crSegment* segment, const double* end, double* outRates)
{
  for (int i = 0; i < 4 * VECTORS + WATCHED; ++i) {
    outRates[i] = findRate(context, i, end[i]);
  }
  return computeRates(context, segment->t1, segment->y1, segment->f1);
}

typedef struct Trial {
  Linear linear;
  crStateVector vectors[VECTORS];
  int watched[WATCHED];
  bool isFollower[STATES];
  double absTol[STATES], y0[STATES];
  crStructure structure;
  crProblem problem;
  crTestSteps run;
  crStepper* stepper;
} Trial;

// Before its first step, with one state that falls fast.
static Trial* makeTrial(int fastState)
{
  Trial* trial = calloc(1, sizeof *trial);
  assert_non_null(trial);
  for (int i = 0; i < STATES; ++i) {
    trial->y0[i] = trial->absTol[i] = 1.0;
    trial->isFollower[i] = i >= 3 * VECTORS;
  }
  for (int i = 0; i < 3 * VECTORS; ++i) {
    trial->linear.decay[i] = i == fastState ? fast : slow;
  }
  for (int k = 0; k < VECTORS; ++k) {
    trial->vectors[k] = (crStateVector){ 3 * k, 3, k / 3, k % 3 == 0 ? 0.0 : k % 3 == 1 ? 1.0 : 20.0 };
  }
  for (int k = 0; k < WATCHED; ++k) {
    trial->watched[k] = 3 * VECTORS + k;
  }
  trial->structure = (crStructure){ .isFollower = trial->isFollower,
                                    .watched = trial->watched,
                                    .watchedCount = WATCHED,
                                    .vectors = trial->vectors,
                                    .vectorCount = VECTORS,
                                    .bodyShare = 0.033 };
  trial->problem = (crProblem){ .n = STATES,
                                .context = &trial->linear,
                                .computeRates = computeRates,
                                .computeNext = computeNext,
                                .computeEnd = computeEnd,
                                .absTol = trial->absTol,
                                .structure = &trial->structure };
  trial->stepper = crMakeTestStepper();
  crStartTestSteps(&trial->run, trial->stepper, &trial->problem, cr_stepRkc2, 1e9, 0.0, trial->y0);
  trial->run.memory.h = 0.5;
  trial->run.memory.isAlone = true;
  return trial;
}

static void destroyTrial(Trial* trial)
{
  crDestroyStepper(trial->stepper);
  free(trial);
}

static void the_largest_eigenvalue_is_found_wherever_it_is(void** state)
{
  (void)state;
  for (int i = 0; i < 2 * 3 * VECTORS; ++i) {
    Trial* trial = makeTrial(i / 2);
    if (i % 2 == 0) { // not in lanes, where the fourth of each counts, too
      trial->problem.computeNext = NULL;
      trial->problem.computeEnd = NULL;
    }
    assert_int_equal(crTestSteps_Step(&trial->run, 0.5), cr_ok);
    double radius = trial->run.memory.radius;
    assert_true(radius > 0.998 * fast && radius < 1.201 * fast); // with its margin
    destroyTrial(trial);
  }
}

// Eight iterations without a direction from before, and one with it.
static void the_first_step_looks_eight_times_for_it_and_later_ones_once(void** state)
{
  (void)state;
  Trial* trial = makeTrial(0);
  for (int k = 0; k < 3; ++k) {
    crStepCounts before = crStepper_GetCounts(trial->stepper);
    trial->run.memory.h = 0.5;
    assert_int_equal(crTestSteps_Step(&trial->run, 0.5 * (k + 1)), cr_ok);
    crStepCounts after = crStepper_GetCounts(trial->stepper);
    // one for each stage behind the start, whose rates are known, and that of the end
    assert_int_equal(after.evaluations - before.evaluations, (k == 0 ? 8 : 1) + trial->run.memory.stages);
  }
  destroyTrial(trial);
}

static void all_that_is_watched_comes_to_the_end(void** state)
{
  (void)state;
  Trial* trial = makeTrial(0);
  for (int k = 0; k < 3; ++k) {
    trial->run.memory.h = 0.5;
    assert_int_equal(crTestSteps_Step(&trial->run, 0.5 * (k + 1)), cr_ok);
    for (int i = 0; i < WATCHED; ++i) {
      assert_close(crTestSteps_Last(&trial->run)->y1[trial->watched[i]], 1.0 + (1.0 + i) * 0.5 * (k + 1), 1e-12);
    }
  }
  destroyTrial(trial);
}

static crStatus refuse(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  (void)y;
  (void)outRates;
  return cr_retry;
}

// Whoever reports a failure asks which state was worst: a NULL was followed where no step had come to its end.
static void a_step_without_an_end_has_no_errors(void** state)
{
  (void)state;
  double errors[STATES];
  Trial* trial = makeTrial(0);
  trial->problem.computeNext = NULL;
  trial->problem.computeEnd = NULL;
  trial->problem.computeRates = refuse;
  assert_true(crTestSteps_Step(&trial->run, 0.5) != cr_ok);
  assert_true(crStepper_GetErrors(trial->stepper, &trial->problem, cr_stepRkc2, 1e9, errors));
  for (int i = 0; i < STATES; ++i) {
    assert_true(errors[i] == 0.0);
  }
  destroyTrial(trial);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_largest_eigenvalue_is_found_wherever_it_is),
    cmocka_unit_test(the_first_step_looks_eight_times_for_it_and_later_ones_once),
    cmocka_unit_test(all_that_is_watched_comes_to_the_end),
    cmocka_unit_test(a_step_without_an_end_has_no_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
