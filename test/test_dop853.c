// The explicit method of order 8: its coefficients by the order conditions of all rooted trees, its steps and
// polynomials against closed forms, and its polynomials that are made later.
#include "solve/dop853_table.h"
#include "support/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STATES 8

// ----------------------------------------------------------------------------------------- rooted trees

#define STAGES CR_DOP853_ALL_STAGES
#define MAX_ORDER 8
#define MAX_TREES 200 // 1 + 1 + 2 + 4 + 9 + 20 + 48 + 115

// A tree as a method sees it [HairerNorsettWanner93] II.2: `inside` is the product over the branches at its root, as
// a function of the stage, `outside` the sum over A of it, which is what the tree is as a branch of a larger one.
typedef struct Tree {
  int order;
  double density;
  double inside[STAGES], outside[STAGES];
} Tree;

typedef struct Forest {
  Tree trees[MAX_TREES];
  int count;
} Forest;

// Grows all trees of an order from branches among the first `limit` trees, in falling order of their numbers.
static void grow(Forest* forest, int order, int left, int limit, const Tree* root)
{
  if (left == 0) {
    Tree* tree = &forest->trees[forest->count++];
    assert_true(forest->count <= MAX_TREES);
    *tree = *root;
    tree->order = order;
    tree->density *= order;
    for (int i = 0; i < STAGES; ++i) {
      tree->outside[i] = 0.0;
      for (int j = 0; j < i; ++j) {
        tree->outside[i] += crDop853Weights[i][j] * tree->inside[j];
      }
    }
    return;
  }
  for (int b = 0; b < limit; ++b) {
    const Tree* branch = &forest->trees[b];
    if (branch->order <= left) {
      Tree next = *root;
      next.density *= branch->density;
      for (int i = 0; i < STAGES; ++i) {
        next.inside[i] *= branch->outside[i];
      }
      grow(forest, order, left - branch->order, b + 1, &next);
    }
  }
}

static Forest* makeForest(void)
{
  Forest* forest = calloc(1, sizeof *forest);
  for (int order = 1; order <= MAX_ORDER; ++order) {
    Tree root = { .density = 1.0 };
    for (int i = 0; i < STAGES; ++i) {
      root.inside[i] = 1.0;
    }
    grow(forest, order, order - 1, forest->count, &root);
  }
  assert_int_equal(forest->count, MAX_TREES);
  return forest;
}

static double combine(const double* weights, int count, const Tree* tree)
{
  double sum = 0.0;
  for (int i = 0; i < count; ++i) {
    sum += weights[i] * tree->inside[i];
  }
  return sum;
}

static void every_rooted_tree_up_to_order_8_has_its_weight(void** state)
{
  (void)state;
  Forest* forest = makeForest();
  for (int i = 0; i < forest->count; ++i) {
    const Tree* tree = &forest->trees[i];
    assert_close(combine(crDop853Weights[CR_DOP853_STAGES], CR_DOP853_STAGES, tree), 1.0 / tree->density, 1e-13);
  }
  free(forest);
}

static void the_nodes_are_the_sums_of_the_weights(void** state)
{
  (void)state;
  Forest* forest = makeForest();
  for (int i = 0; i < STAGES; ++i) {
    assert_close(forest->trees[0].outside[i], crDop853Nodes[i], 1e-14);
  }
  free(forest);
}

// An estimate of order p sees no tree up to that order, and sees some that are larger.
static void the_estimates_are_of_order_5_and_3(void** state)
{
  (void)state;
  const int orders[2] = { 5, 3 };
  Forest* forest = makeForest();
  for (int e = 0; e < 2; ++e) {
    double largest = 0.0;
    for (int i = 0; i < forest->count; ++i) {
      double sum = fabs(combine(crDop853Errors[e], CR_DOP853_STAGES, &forest->trees[i]));
      assert_true(forest->trees[i].order > orders[e] || sum < 1e-14);
      largest = forest->trees[i].order == orders[e] + 1 ? fmax(largest, sum) : largest;
    }
    assert_true(largest > 1e-4);
  }
  free(forest);
}

// The weights of the polynomial at s, from those of the rows.
static void findWeights(double s, double* outWeights)
{
  const double* end = crDop853Weights[CR_DOP853_STAGES];
  for (int i = 0; i < STAGES; ++i) {
    double d = i < CR_DOP853_STAGES ? end[i] : 0.0, b = (i == 0) - d, c = d - (i == CR_DOP853_STAGES) - b;
    double rest = 1.0 - s, r = crDop853Dense[2][i] + s * crDop853Dense[3][i];
    r = crDop853Dense[0][i] + s * (crDop853Dense[1][i] + rest * r);
    outWeights[i] = s * (d + rest * (b + s * (c + rest * r)));
  }
}

static void the_polynomial_is_of_order_7_everywhere(void** state)
{
  (void)state;
  Forest* forest = makeForest();
  double weights[STAGES];
  for (double s = 0.125; s < 1.0; s += 0.125) {
    findWeights(s, weights);
    for (int i = 0; i < forest->count && forest->trees[i].order <= 7; ++i) {
      const Tree* tree = &forest->trees[i];
      assert_close(combine(weights, STAGES, tree), pow(s, tree->order) / tree->density, 1e-12);
    }
  }
  free(forest);
}

// ------------------------------------------------------------------------------------------------ steps

typedef struct Run {
  crStepper* stepper;
  crProblem problem;
  double absTol[MAX_STATES], relTol;
  crStepMemory memory;
  crSegment segment;
  double numbers[8 * MAX_STATES];
  bool hasStepped;
} Run;

static Run* openRun(crProblem problem, double tol, const double* y0)
{
  Run* run = calloc(1, sizeof *run);
  assert_int_equal(crCreateStepper(NULL, &run->stepper), cr_ok);
  run->problem = problem;
  run->problem.absTol = run->absTol;
  run->relTol = tol;
  run->memory = crStartMemory(cr_stepDop853, 0.0);
  for (int i = 0; i < problem.n; ++i) {
    run->absTol[i] = tol;
  }
  assert_true(crSegment_CountDoubles(problem.n) <= sizeof run->numbers / sizeof *run->numbers);
  crSegment_Place(&run->segment, problem.n, run->numbers);
  memcpy(run->segment.y0, y0, (size_t)problem.n * sizeof *y0);
  assert_int_equal(problem.computeRates(problem.context, 0.0, y0, run->segment.f0), cr_ok);
  return run;
}

static void closeRun(Run* run)
{
  crDestroyStepper(run->stepper);
  free(run);
}

static crStatus step(Run* run, double tMax)
{
  crSegment* segment = &run->segment;
  if (run->hasStepped) {
    size_t size = (size_t)segment->n * sizeof(double);
    segment->t0 = segment->t1;
    memcpy(segment->y0, segment->y1, size);
    memcpy(segment->f0, segment->f1, size);
  }
  crStatus status = crStepper_Step(run->stepper, &run->problem, run->relTol, tMax, NULL, &run->memory, segment);
  run->hasStepped = run->hasStepped || status == cr_ok;
  return status;
}

typedef struct Error {
  double end, inside, rates;
} Error;

// With steps of a fixed length, to which the tolerance has no say.
static Error measureKepler(int count, bool isBrief)
{
  crProblem problem = { .n = 4, .computeRates = crComputeKepler };
  Run* run = openRun(problem, 1e9, crKeplerStart);
  run->memory.isBrief = isBrief;
  Error error = { 0 };
  for (int i = 1; i <= count; ++i) {
    double truth[4], trueRates[4], y[4], h = 3.0 / count;
    run->memory.h = h;
    assert_int_equal(step(run, h * i), cr_ok);
    for (double s = 0.1; s < 1.0; s += 0.1) {
      double t = run->segment.t0 + s * h;
      crSolveKepler(t, truth);
      crSegment_Interpolate(&run->segment, t, 0, 4, y);
      error.inside = fmax(error.inside, crMaxDifference(y, truth, 4));
      crSegment_InterpolateRates(&run->segment, t, 0, 4, y);
      crComputeKepler(NULL, t, truth, trueRates);
      error.rates = fmax(error.rates, crMaxDifference(y, trueRates, 4));
    }
    crSolveKepler(run->segment.t1, truth);
    error.end = fmax(error.end, crMaxDifference(run->segment.y1, truth, 4));
  }
  assert_true(!isBrief || crStepper_GetCounts(run->stepper).evaluations == 12 * count);
  closeRun(run);
  return error;
}

static void halving_the_step_divides_errors_by_two_to_the_order(void** state)
{
  (void)state;
  Error coarse = measureKepler(20, false), fine = measureKepler(40, false);
  assert_true(log2(coarse.end / fine.end) > 7.6);
  assert_true(log2(coarse.inside / fine.inside) > 7.0);
  assert_true(log2(coarse.rates / fine.rates) > 6.4);
  assert_true(fine.end < 1e-9 && fine.inside < 1e-8);
}

static void brief_steps_have_a_polynomial_of_degree_5_that_takes_no_evaluations(void** state)
{
  (void)state;
  Error coarse = measureKepler(20, true), fine = measureKepler(40, true);
  assert_true(log2(coarse.end / fine.end) > 7.6);
  assert_true(log2(coarse.inside / fine.inside) > 5.6);
  assert_true(log2(coarse.rates / fine.rates) > 4.6);
  assert_true(fine.end < 1e-9 && fine.inside < 1e-7);
}

static void the_error_follows_the_tolerance(void** state)
{
  (void)state;
  crProblem problem = { .n = 4, .computeRates = crComputeKepler };
  for (double tol = 1e-4; tol > 1e-13; tol *= 1e-2) {
    double truth[4];
    Run* run = openRun(problem, tol, crKeplerStart);
    while (run->segment.t1 < 20.0) {
      assert_int_equal(step(run, 20.0), cr_ok);
    }
    crSolveKepler(20.0, truth);
    assert_true(crMaxDifference(run->segment.y1, truth, 4) < 300.0 * tol);
    closeRun(run);
  }
}

// A satellite between Earth and Moon whose orbit closes [HairerNorsettWanner93] II.0.
static crStatus computeArenstorf(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  const double moon = 0.012277471, earth = 1.0 - moon;
  double a = y[0] + moon, b = y[0] - earth, square = y[1] * y[1];
  double d1 = pow(a * a + square, 1.5), d2 = pow(b * b + square, 1.5);
  outRates[0] = y[2];
  outRates[1] = y[3];
  outRates[2] = y[0] + 2.0 * y[3] - earth * a / d1 - moon * b / d2;
  outRates[3] = y[1] - 2.0 * y[2] - earth * y[1] / d1 - moon * y[1] / d2;
  return cr_ok;
}

static void the_orbit_of_arenstorf_closes(void** state)
{
  (void)state;
  const double start[4] = { 0.994, 0.0, 0.0, -2.00158510637908252240537862224 };
  const double period = 17.0652165601579625588917206249;
  crProblem problem = { .n = 4, .computeRates = computeArenstorf };
  Run* run = openRun(problem, 1e-13, start);
  while (run->segment.t1 < period) {
    assert_int_equal(step(run, period), cr_ok);
  }
  assert_true(fabs(run->segment.y1[0] - start[0]) < 1e-7 && fabs(run->segment.y1[1]) < 1e-7);
  assert_in_range(crStepper_GetCounts(run->stepper).steps, 100, 600);
  closeRun(run);
}

// --------------------------------------------------------------------------------- redo, and later polynomials

static void a_redone_step_equals_a_step_to_that_time(void** state)
{
  (void)state;
  crProblem problem = { .n = 4, .computeRates = crComputeKepler };
  Run *run = openRun(problem, 1e-9, crKeplerStart), *twin = openRun(problem, 1e-9, crKeplerStart);
  for (int i = 0; i < 6; ++i) {
    assert_int_equal(step(run, 100.0), cr_ok);
    assert_int_equal(step(twin, 100.0), cr_ok);
    double t = run->segment.t0 + 0.6 * (run->segment.t1 - run->segment.t0);
    crStepMemory before = run->memory;
    assert_int_equal(crStepper_Redo(run->stepper, &run->problem, 1e-9, t, &run->memory, &run->segment), cr_ok);
    assert_memory_equal(&before, &run->memory, sizeof before);
    assert_true(run->segment.t1 == t && run->segment.isDense);
    crStepMemory memory = crStartMemory(cr_stepDop853, t - twin->segment.t0);
    crSegment* segment = &twin->segment;
    assert_int_equal(crStepper_Step(twin->stepper, &twin->problem, 1e-9, t, NULL, &memory, segment), cr_ok);
    assert_memory_equal(run->numbers, twin->numbers, crSegment_CountUsed(segment) * sizeof(double));
    twin->memory = run->memory;
  }
  closeRun(run);
  closeRun(twin);
}

// At once, right after the step, and after the stepper was used for something else.
static void polynomials_made_later_are_the_same_and_steps_know_nothing_of_them(void** state)
{
  (void)state;
  int64_t calls[3] = { 0 };
  Run* runs[3];
  for (int i = 0; i < 3; ++i) {
    runs[i] =
        openRun((crProblem){ .n = 4, .computeRates = crComputeKepler, .context = &calls[i] }, 1e-9, crKeplerStart);
    runs[i]->memory.isLazy = i > 0;
  }
  Run* other = openRun((crProblem){ .n = 4, .computeRates = crComputeKepler }, 1e-6, crKeplerStart);
  crDestroyStepper(other->stepper);
  other->stepper = runs[2]->stepper;
  for (int k = 0; k < 12; ++k) {
    int64_t before[3];
    memcpy(before, calls, sizeof before);
    for (int i = 0; i < 3; ++i) {
      assert_int_equal(step(runs[i], 100.0), cr_ok);
      assert_true(runs[i]->segment.isDense && runs[i]->segment.isLazy == (i > 0));
    }
    assert_int_equal(step(other, 1e3), cr_ok);
    int64_t rejected = crStepper_GetCounts(runs[0]->stepper).rejectedSteps;
    for (int i = 0; i < 3 && k % 3 > 0; ++i) {
      assert_int_equal(crStepper_MakeDense(runs[i]->stepper, &runs[i]->problem, &runs[i]->segment), cr_ok);
      assert_memory_equal(runs[0]->numbers, runs[i]->numbers, sizeof runs[i]->numbers);
    }
    if (k == 5 && rejected == 0) {
      assert_int_equal(calls[0] - before[0], 16);
      assert_int_equal(calls[1] - before[1], 15);
      assert_int_equal(calls[2] - before[2], 26);
    }
    size_t ends = 4 * 4 * sizeof(double);
    assert_memory_equal(runs[0]->numbers, runs[1]->numbers, ends);
    assert_memory_equal(runs[0]->numbers, runs[2]->numbers, ends);
  }
  other->stepper = NULL;
  closeRun(other);
  for (int i = 0; i < 3; ++i) {
    closeRun(runs[i]);
  }
}

// ------------------------------------------------------------------------------------------------- spins

// w turns about z, so that the body's motion is two turns about fixed axes: q, w, q on the group.
static crStatus computeSpin(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  const double *q = y, *w = y + 4;
  outRates[0] = 0.5 * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]);
  outRates[1] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
  outRates[2] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
  outRates[3] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
  outRates[4] = -2.0 * w[1];
  outRates[5] = 2.0 * w[0];
  outRates[6] = 0.0;
  return cr_ok;
}

// Seen from axes that turn with w, it is constant: q = exp(t z) exp(t (w - 2 z) / 2), with w(0) = (3, 0, 1).
static void solveSpin(double t, double* outQ)
{
  double x = 3.0, z = 1.0 - 2.0, length = sqrt(x * x + z * z), half = 0.5 * length * t;
  double a[4] = { cos(half), sin(half) * x / length, 0.0, sin(half) * z / length }, c = cos(t), s = sin(t);
  outQ[0] = c * a[0] - s * a[3];
  outQ[1] = c * a[1] - s * a[2];
  outQ[2] = c * a[2] + s * a[1];
  outQ[3] = c * a[3] + s * a[0];
}

static void spins_are_as_accurate_as_what_turns_them(void** state)
{
  (void)state;
  const crSpin spin = { 0, 4 };
  crStructure structure = { .spins = &spin, .spinCount = 1 };
  const double start[7] = { 1.0, 0.0, 0.0, 0.0, 3.0, 0.0, 1.0 };
  for (double tol = 1e-6; tol > 1e-13; tol *= 1e-3) {
    crProblem problem = { .n = 7, .computeRates = computeSpin, .structure = &structure };
    Run* run = openRun(problem, tol, start);
    run->memory.isLazy = true; // which spins do not let it be
    double worst = 0.0, truth[4], q[4];
    while (run->segment.t1 < 5.0) {
      assert_int_equal(step(run, 5.0), cr_ok);
      assert_false(run->segment.isLazy);
      for (int i = 1; i <= 3; ++i) {
        double t = run->segment.t0 + i / 3.0 * (run->segment.t1 - run->segment.t0);
        t = i == 3 ? run->segment.t1 : t;
        crSegment_InterpolateSpin(&run->segment, spin, t, q);
        solveSpin(t, truth);
        worst = fmax(worst, crMaxDifference(q, truth, 4));
      }
    }
    assert_true(worst < 20.0 * tol + 1e-11);
    closeRun(run);
  }
}

// --------------------------------------------------------------------------------------------- stability

// y' = -l (y - cos t), l = 1000: at a loose tolerance stability holds the steps.
static crStatus computeStiff(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  outRates[0] = -1000.0 * (y[0] - cos(t));
  return cr_ok;
}

static void the_stiffness_test_finds_steps_held_by_stability_alone(void** state)
{
  (void)state;
  const double start = 1.0;
  Run* stiff = openRun((crProblem){ .n = 1, .computeRates = computeStiff }, 1e-4, &start);
  int steps = 0;
  for (; stiff->memory.stiffHits < CR_STIFF_HITS && steps < 200; ++steps) {
    assert_int_equal(step(stiff, 10.0), cr_ok);
  }
  assert_true(steps < 200);
  closeRun(stiff);
  for (double tol = 1e-3; tol > 1e-11; tol *= 0.1) {
    Run* calm = openRun((crProblem){ .n = 4, .computeRates = crComputeKepler }, tol, crKeplerStart);
    while (calm->segment.t1 < 20.0) {
      assert_int_equal(step(calm, 20.0), cr_ok);
      assert_true(calm->memory.stiffHits < CR_STIFF_HITS);
    }
    closeRun(calm);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_rooted_tree_up_to_order_8_has_its_weight),
    cmocka_unit_test(the_nodes_are_the_sums_of_the_weights),
    cmocka_unit_test(the_estimates_are_of_order_5_and_3),
    cmocka_unit_test(the_polynomial_is_of_order_7_everywhere),
    cmocka_unit_test(halving_the_step_divides_errors_by_two_to_the_order),
    cmocka_unit_test(brief_steps_have_a_polynomial_of_degree_5_that_takes_no_evaluations),
    cmocka_unit_test(the_error_follows_the_tolerance),
    cmocka_unit_test(the_orbit_of_arenstorf_closes),
    cmocka_unit_test(a_redone_step_equals_a_step_to_that_time),
    cmocka_unit_test(polynomials_made_later_are_the_same_and_steps_know_nothing_of_them),
    cmocka_unit_test(spins_are_as_accurate_as_what_turns_them),
    cmocka_unit_test(the_stiffness_test_finds_steps_held_by_stability_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
