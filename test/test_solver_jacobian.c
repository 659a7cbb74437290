// Jacobians by coloured differences, sparse equations of solvers of SUNDIALS, and these side by side in threads.
#include "solve/jacobian.h"
#include "support/ode.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SPARSE_N 60

// ------------------------------------------------------------------------------------------- patterns

typedef struct Pattern {
  int n, starts[MAX_SPARSE_N + 1], rows[MAX_SPARSE_N * MAX_SPARSE_N];
  double weights[MAX_SPARSE_N * MAX_SPARSE_N];
} Pattern;

static void fillPattern(Pattern* p, int n, double share, crRandom* random)
{
  p->n = n;
  p->starts[0] = 0;
  for (int j = 0; j < n; ++j) {
    int count = p->starts[j];
    for (int i = 0; i < n; ++i) {
      if (crRandom_Uniform(random, 0.0, 1.0) < share) {
        p->weights[count] = crRandom_Uniform(random, -2.0, 2.0);
        p->rows[count++] = i;
      }
    }
    p->starts[j + 1] = count;
  }
}

static crSparsity viewPattern(const Pattern* p)
{
  return (crSparsity){ p->n, p->starts, p->rows };
}

// h_i = sum of weights sin(y_j) + 0.5 weights y'_j
static crStatus evaluatePattern(void* context, double t, const double* y, const double* yp, double* outResult)
{
  (void)t;
  const Pattern* p = context;
  memset(outResult, 0, (size_t)p->n * sizeof *outResult);
  for (int j = 0; j < p->n; ++j) {
    for (int k = p->starts[j]; k < p->starts[j + 1]; ++k) {
      outResult[p->rows[k]] += p->weights[k] * (sin(y[j]) + (yp != NULL ? 0.5 * yp[j] : 0.0));
    }
  }
  return cr_ok;
}

static void coloured_differences_equal_those_column_by_column(void** state)
{
  (void)state;
  static Pattern pattern;
  crRandom random = crMakeRandom(7);
  for (int run = 0; run < 60; ++run) {
    int n = 1 + run % MAX_SPARSE_N;
    fillPattern(&pattern, n, run % 3 == 0 ? 0.3 : 0.05, &random);
    crSparsity sparsity = viewPattern(&pattern);
    crArena arena;
    crArena_Init(&arena, NULL);
    crJacobian jacobian;
    assert_int_equal(crJacobian_Create(&jacobian, n, &sparsity, &arena), cr_ok);
    double y[MAX_SPARSE_N] = { 0.0 }, yp[MAX_SPARSE_N] = { 0.0 }, base[MAX_SPARSE_N], one[MAX_SPARSE_N];
    for (int i = 0; i < n; ++i) {
      y[i] = crRandom_Uniform(&random, -1.0, 1.0);
      yp[i] = crRandom_Uniform(&random, -1.0, 1.0);
      jacobian.increments[i] = crRandom_Uniform(&random, 1e-7, 2e-7);
    }
    bool hasRates = run % 2 == 1;
    double c = hasRates ? 3.0 : 0.0;
    evaluatePattern(&pattern, 0.0, y, hasRates ? yp : NULL, base);
    crDifferences differences = { evaluatePattern, &pattern, 0.0, c, y, hasRates ? yp : NULL, base };
    assert_int_equal(crJacobian_ComputeDifferences(&jacobian, &differences), cr_ok);
    for (int j = 0; j < n; ++j) { // one column at a time, and the derivative itself
      double movedY[MAX_SPARSE_N], movedRates[MAX_SPARSE_N];
      memcpy(movedY, y, sizeof y);
      memcpy(movedRates, yp, sizeof yp);
      movedY[j] += jacobian.increments[j];
      movedRates[j] += c * (movedY[j] - y[j]);
      differences.evaluate(&pattern, 0.0, movedY, hasRates ? movedRates : NULL, one);
      for (int k = pattern.starts[j]; k < pattern.starts[j + 1]; ++k) {
        double single = (one[pattern.rows[k]] - base[pattern.rows[k]]) * (1.0 / (movedY[j] - y[j]));
        assert_true(jacobian.values[k] == single);
        assert_close(single, pattern.weights[k] * (cos(y[j]) + 0.5 * c), 1e-5);
      }
    }
    crArena_Free(&arena);
  }
}

static void colours_are_as_few_as_the_band_is_wide_and_never_share_a_row(void** state)
{
  (void)state;
  static Pattern pattern;
  for (int halfWidth = 0; halfWidth < 4; ++halfWidth) {
    pattern.n = 50;
    for (int j = 0, count = 0; j < 50; ++j) {
      for (int i = j - halfWidth; i <= j + halfWidth; ++i) {
        if (i >= 0 && i < 50) {
          pattern.rows[count++] = i;
        }
      }
      pattern.starts[j + 1] = count;
    }
    crSparsity sparsity = viewPattern(&pattern);
    crArena arena;
    crArena_Init(&arena, NULL);
    crJacobian jacobian;
    assert_int_equal(crJacobian_Create(&jacobian, 50, &sparsity, &arena), cr_ok);
    assert_int_equal(jacobian.colorCount, 2 * halfWidth + 1);
    for (int color = 0; color < jacobian.colorCount; ++color) {
      bool isTaken[50] = { false };
      for (int i = jacobian.colorStarts[color]; i < jacobian.colorStarts[color + 1]; ++i) {
        for (int k = pattern.starts[jacobian.columns[i]]; k < pattern.starts[jacobian.columns[i] + 1]; ++k) {
          assert_false(isTaken[pattern.rows[k]]);
          isTaken[pattern.rows[k]] = true;
        }
      }
    }
    assert_int_equal(jacobian.colorStarts[jacobian.colorCount], 50);
    crArena_Free(&arena);
  }
}

static void the_diagonal_is_added_where_it_is_missing(void** state)
{
  (void)state;
  int starts[4] = { 0, 2, 3, 3 }, rows[3] = { 1, 2, 1 };
  crSparsity sparsity = { 3, starts, rows };
  crArena arena;
  crArena_Init(&arena, NULL);
  crJacobian jacobian;
  assert_int_equal(crJacobian_Create(&jacobian, 3, &sparsity, &arena), cr_ok);
  static const int64_t fullStarts[4] = { 0, 3, 4, 5 }, fullRows[5] = { 0, 1, 2, 1, 2 };
  static const int places[3] = { 1, 2, 3 };
  assert_memory_equal(jacobian.fullStarts, fullStarts, sizeof fullStarts);
  assert_memory_equal(jacobian.fullRows, fullRows, sizeof fullRows);
  assert_memory_equal(jacobian.places, places, sizeof places);
  crArena_Free(&arena);
}

static crStatus rateOneSided(void* context, double t, const double* y, const double* yp, double* outResult)
{
  (void)context;
  (void)t;
  (void)yp;
  outResult[0] = y[0] * y[0];
  return y[0] > 2.0 ? cr_retry : cr_ok;
}

static void differences_look_the_other_way_at_a_wall(void** state)
{
  (void)state;
  crArena arena;
  crArena_Init(&arena, NULL);
  crJacobian jacobian;
  assert_int_equal(crJacobian_Create(&jacobian, 1, crGetFullPattern(1), &arena), cr_ok);
  jacobian.increments[0] = 1e-6;
  double y = 2.0, base = 4.0;
  crDifferences differences = { rateOneSided, NULL, 0.0, 0.0, &y, NULL, &base };
  assert_int_equal(crJacobian_ComputeDifferences(&jacobian, &differences), cr_ok);
  assert_close(jacobian.values[0], 4.0, 1e-5);
  crArena_Free(&arena);
}

// --------------------------------------------------------------------------------------------- large

#define HEAT_N 2000

// u' = u_xx on [0, 1], u = 0 at both ends, second-order differences. The discrete solution from sin(pi x) is that times
// exp(-lambda t), with lambda the eigenvalue of the discrete operator.
static crStatus rateHeat(void* context, double t, const double* y, double* outRates)
{
  (void)t;
  ++*(int64_t*)context;
  double scale = (HEAT_N + 1.0) * (HEAT_N + 1.0);
  for (int i = 0; i < HEAT_N; ++i) {
    double left = i > 0 ? y[i - 1] : 0.0, right = i + 1 < HEAT_N ? y[i + 1] : 0.0;
    outRates[i] = scale * (left - 2.0 * y[i] + right);
  }
  return cr_ok;
}

typedef struct Heat {
  crTestOde ode;
  crSparsity pattern;
  int starts[HEAT_N + 1], rows[3 * HEAT_N];
  double absTol[HEAT_N], y0[HEAT_N];
  int64_t calls;
} Heat;

static void fillHeat(Heat* heat)
{
  int count = 0;
  for (int j = 0; j < HEAT_N; ++j) {
    heat->y0[j] = sin(CR_PI * (j + 1) / (HEAT_N + 1.0));
    heat->absTol[j] = 1e-8;
    for (int i = j - 1; i <= j + 1; ++i) {
      if (i >= 0 && i < HEAT_N) {
        heat->rows[count++] = i;
      }
    }
    heat->starts[j + 1] = count;
  }
  heat->pattern = (crSparsity){ HEAT_N, heat->starts, heat->rows };
  heat->ode.problem = (crProblem){
    .n = HEAT_N, .context = &heat->calls, .computeRates = rateHeat, .pattern = &heat->pattern, .absTol = heat->absTol
  };
}

static void heat_with_2000_points_needs_few_evaluations(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  static Heat heat;
  fillHeat(&heat);
  double half = sin(0.5 * CR_PI / (HEAT_N + 1.0)), lambda = 4.0 * (HEAT_N + 1.0) * (HEAT_N + 1.0) * half * half;
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    heat.calls = 0;
    crSolver* solver = crCreateTestSolver((crSolverKind)kind, &heat.ode, 1e-6, INFINITY, NULL);
    assert_int_equal(crSolver_Restart(solver, 0.0, heat.y0, 0.0), cr_ok);
    crRunTo(solver, 0.1);
    for (int i = 0; i < HEAT_N; ++i) {
      assert_close(crSolver_GetState(solver)[i], heat.y0[i] * exp(-0.1 * lambda), 1e-4);
    }
    crSolverStatistics statistics = crSolver_GetStatistics(solver);
    assert_int_equal(statistics.evaluations, heat.calls);
    assert_true(statistics.evaluations < 3000 && statistics.jacobians > 0);
    crDestroySolver(solver);
  }
}

static void failed_allocations_of_a_sparse_problem_are_clean(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  static Heat heat;
  fillHeat(&heat);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  bool isMade = false;
  for (long failAt = 0; !isMade; ++failAt) {
    counter.callCount = 0;
    counter.failAt = failAt;
    crSolver* solver = crCreateTestSolver(cr_solverIda, &heat.ode, 1e-6, INFINITY, &allocator);
    isMade = solver != NULL;
    crDestroySolver(solver);
    assert_int_equal(counter.liveBlocks, 0);
  }
}

// ----------------------------------------------------------------------------------- changing couplings

// 30 nonlinear oscillators, each coupled with the next `reach` ones. 60 states: sparse for implicit methods.
#define RING_MASSES 30
#define RING_N (2 * RING_MASSES)

static crStatus rateRing(void* context, double t, const double* y, double* outRates)
{
  (void)t;
  int reach = *(const int*)context;
  for (int i = 0; i < RING_MASSES; ++i) {
    double force = -3.0 * y[i] - 0.1 * (i + 1) * y[i] * y[i] * y[i];
    for (int k = 1; k <= reach; ++k) {
      double stretch = y[(i + k) % RING_MASSES] - y[i];
      force += stretch + stretch * stretch * stretch;
    }
    outRates[i] = y[RING_MASSES + i];
    outRates[RING_MASSES + i] = force;
  }
  return cr_ok;
}

static void makeRingPattern(Pattern* p, int reach)
{
  int count = 0;
  p->n = RING_N;
  p->starts[0] = 0;
  for (int j = 0; j < RING_N; ++j) {
    for (int i = 0; i < RING_N; ++i) {
      int ahead = (j - (i - RING_MASSES) + RING_MASSES) % RING_MASSES;
      bool isForce = j < RING_MASSES && i >= RING_MASSES && ahead <= reach;
      bool isRate = j >= RING_MASSES && i == j - RING_MASSES;
      if (isForce || isRate || i == j) { // y' of the residual form
        p->rows[count++] = i;
      }
    }
    p->starts[j + 1] = count;
  }
}

static crTestOde makeRing(int* reach, const crSparsity* sparsity, double* absTol, double* y0)
{
  for (int i = 0; i < RING_N; ++i) {
    absTol[i] = 1e-8;
    y0[i] = i < RING_MASSES ? sin(0.7 * i) : 0.0;
  }
  return (crTestOde){
    .problem = { .n = RING_N, .context = reach, .computeRates = rateRing, .pattern = sparsity, .absTol = absTol }
  };
}

// More couplings, fewer, the same ones again, and more again than there has been room for.
static void a_solver_with_another_pattern_equals_a_new_one_to_the_last_bit(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  static const int reaches[] = { 0, 2, 1, 1, 9, 3 };
  static Pattern patterns[6];
  double absTol[RING_N], y0[RING_N];
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    int reach = 0;
    crSolver* solver = NULL;
    crTestOde first;
    for (int i = 0; i < 6; ++i) {
      reach = reaches[i];
      makeRingPattern(&patterns[i], reach);
      crSparsity sparsity = viewPattern(&patterns[i]);
      crTestOde ode = makeRing(&reach, &sparsity, absTol, y0);
      if (i == 0) {
        first = ode;
        solver = crCreateTestSolver((crSolverKind)kind, &first, 1e-6, INFINITY, NULL);
      } else {
        assert_int_equal(crSolver_SetPattern(solver, &sparsity), cr_ok);
      }
      crSolver* fresh = crCreateTestSolver((crSolverKind)kind, &ode, 1e-6, INFINITY, NULL);
      memset(&patterns[i], 0, sizeof patterns[i]); // both have copies
      int64_t before = crSolver_GetStatistics(solver).evaluations;
      assert_int_equal(crSolver_Restart(solver, 0.0, y0, 0.0), cr_ok);
      assert_int_equal(crSolver_Restart(fresh, 0.0, y0, 0.0), cr_ok);
      crRunTo(solver, 2.0);
      crRunTo(fresh, 2.0);
      assert_memory_equal(crSolver_GetState(solver), crSolver_GetState(fresh), sizeof y0);
      assert_int_equal(crSolver_GetStatistics(solver).evaluations - before, crSolver_GetStatistics(fresh).evaluations);
      crDestroySolver(fresh);
    }
    crDestroySolver(solver);
  }
}

static void a_pattern_without_memory_leaves_the_solver_as_it_was(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverCvodeBdf);
  static Pattern few, many;
  double absTol[RING_N], y0[RING_N];
  int reach = 1, failures = 0;
  makeRingPattern(&few, 1);
  makeRingPattern(&many, 20);
  crSparsity fewSparsity = viewPattern(&few), manySparsity = viewPattern(&many);
  crTestOde ode = makeRing(&reach, &fewSparsity, absTol, y0);
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus status = cr_errorMemory;
  for (long failAt = 0; status != cr_ok; ++failAt) {
    counter.callCount = 0;
    counter.failAt = -1;
    crSolver* solver = crCreateTestSolver(cr_solverCvodeBdf, &ode, 1e-6, INFINITY, &allocator);
    assert_int_equal(crSolver_Restart(solver, 0.0, y0, 0.0), cr_ok);
    counter.callCount = 0;
    counter.failAt = failAt;
    status = crSolver_SetPattern(solver, &manySparsity);
    assert_true(status == cr_ok || status == cr_errorMemory);
    counter.failAt = -1;
    if (status == cr_ok) {
      assert_int_equal(crSolver_Restart(solver, 0.0, y0, 0.0), cr_ok);
    } else {
      ++failures;
    }
    crRunTo(solver, 0.5);
    crDestroySolver(solver);
    assert_int_equal(counter.liveBlocks, 0);
  }
  assert_true(failures > 0);
}

// ------------------------------------------------------------------------------------------- same bits

#define TRACE_LENGTH 4000

typedef struct Trace {
  int count;
  double values[TRACE_LENGTH];
} Trace;

// A nonlinear chain of 30 masses: sparse. It starts anew wherever a mass in the middle has passed 0.
#define CHAIN_MASSES 30
#define CHAIN_N (2 * CHAIN_MASSES)

static crStatus rateChain(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  for (int i = 0; i < CHAIN_MASSES; ++i) {
    double left = y[i] - (i > 0 ? y[i - 1] : sin(t)), right = (i + 1 < CHAIN_MASSES ? y[i + 1] : 0.0) - y[i];
    outRates[i] = y[CHAIN_MASSES + i];
    outRates[CHAIN_MASSES + i] = 10.0 * (right - left + right * right * right - left * left * left);
  }
  return cr_ok;
}

static void makeChainPattern(Pattern* p)
{
  int count = 0;
  p->n = CHAIN_N;
  p->starts[0] = 0;
  for (int j = 0; j < CHAIN_N; ++j) {
    for (int i = 0; i < CHAIN_N; ++i) {
      bool isSpring = j < CHAIN_MASSES && i >= CHAIN_MASSES && abs(i - CHAIN_MASSES - j) <= 1;
      bool isRate = j >= CHAIN_MASSES && i == j - CHAIN_MASSES;
      if (isSpring || isRate || i == j) {
        p->rows[count++] = i;
      }
    }
    p->starts[j + 1] = count;
  }
}

static void traceChain(crSolverKind kind, Trace* out)
{
  Pattern* pattern = malloc(sizeof *pattern);
  makeChainPattern(pattern);
  crSparsity sparsity = viewPattern(pattern);
  double absTol[CHAIN_N], y[CHAIN_N] = { 0.0 };
  for (int i = 0; i < CHAIN_N; ++i) {
    absTol[i] = 1e-8;
  }
  crTestOde ode = { .problem = { .n = CHAIN_N, .computeRates = rateChain, .pattern = &sparsity, .absTol = absTol } };
  crSolver* solver = crCreateTestSolver(kind, &ode, 1e-6, INFINITY, NULL);
  out->count = 0;
  crStatus status = crSolver_Restart(solver, 0.0, y, 0.0);
  while (status == cr_ok && crSolver_GetTime(solver) < 5.0 && out->count + 2 < TRACE_LENGTH) {
    double before = crSolver_GetState(solver)[CHAIN_MASSES / 2];
    status = crSolver_Step(solver, 5.0);
    double now = crSolver_GetState(solver)[CHAIN_MASSES / 2];
    out->values[out->count++] = crSolver_GetTime(solver);
    out->values[out->count++] = now;
    if (status == cr_ok && before * now < 0.0) {
      memcpy(y, crSolver_GetState(solver), sizeof y);
      status = crSolver_Restart(solver, crSolver_GetTime(solver), y, 0.0);
    }
  }
  crDestroySolver(solver);
  free(pattern);
}

static void* traceAll(void* context)
{
  Trace* traces = context;
  traceChain(cr_solverIda, &traces[0]);
  traceChain(cr_solverCvodeBdf, &traces[1]);
  return NULL;
}

static void repetition_and_threads_give_the_same_bits(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  static Trace reference[2], traces[4][2];
  pthread_t threads[4];
  traceAll(reference);
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(pthread_create(&threads[i], NULL, traceAll, traces[i]), 0);
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    for (int kind = 0; kind < 2; ++kind) {
      assert_true(reference[kind].count > 40);
      assert_int_equal(traces[i][kind].count, reference[kind].count);
      assert_memory_equal(traces[i][kind].values, reference[kind].values,
                          (size_t)reference[kind].count * sizeof(double));
    }
  }
}

static void both_methods_agree_on_the_chain(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  static Trace traces[2];
  traceAll(traces);
  for (int kind = 0; kind < 2; ++kind) {
    assert_true(traces[kind].count + 2 < TRACE_LENGTH);
    assert_true(traces[kind].values[traces[kind].count - 2] == 5.0);
  }
  assert_close(traces[0].values[traces[0].count - 1], traces[1].values[traces[1].count - 1], 1e-4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(coloured_differences_equal_those_column_by_column),
    cmocka_unit_test(colours_are_as_few_as_the_band_is_wide_and_never_share_a_row),
    cmocka_unit_test(the_diagonal_is_added_where_it_is_missing),
    cmocka_unit_test(differences_look_the_other_way_at_a_wall),
    cmocka_unit_test(heat_with_2000_points_needs_few_evaluations),
    cmocka_unit_test(failed_allocations_of_a_sparse_problem_are_clean),
    cmocka_unit_test(a_solver_with_another_pattern_equals_a_new_one_to_the_last_bit),
    cmocka_unit_test(a_pattern_without_memory_leaves_the_solver_as_it_was),
    cmocka_unit_test(repetition_and_threads_give_the_same_bits),
    cmocka_unit_test(both_methods_agree_on_the_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
