// Solvers of SUNDIALS that cannot go on: regions without a value, unbounded growth, failing functions, no memory.
#include "support/log.h"
#include "support/ode.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------- retry

// y' = 50 (1 - y), undefined away from the solution: trial points of long steps lie there.
#define TUBE 2e-3

typedef struct Tube {
  int refusals;
  bool usesNan;
} Tube;

static void solveTube(double t, double* outY)
{
  outY[0] = 1.0 - exp(-50.0 * t);
}

static crStatus rateTube(void* context, double t, const double* y, double* outRates)
{
  Tube* tube = context;
  double truth;
  solveTube(t, &truth);
  bool isOutside = fabs(y[0] - truth) > TUBE;
  outRates[0] = isOutside ? NAN : 50.0 * (1.0 - y[0]);
  tube->refusals += isOutside;
  return isOutside && !tube->usesNan ? cr_retry : cr_ok;
}

static void steps_shrink_where_the_problem_is_undefined(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    for (int usesNan = 0; usesNan < 2; ++usesNan) {
      Tube tube = { 0, usesNan != 0 };
      crTestOde ode = { .problem = { .n = 1, .context = &tube, .computeRates = rateTube }, .absTol = { 1e-2 } };
      ode.computeTruth = solveTube;
      crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-2);
      crRunTo(solver, 0.2);
      assert_true(tube.refusals > 0);
      assert_true(crSolver_GetStatistics(solver).rejectedSteps > 0);
      assert_true(crFindError(solver, &ode) < TUBE);
      crDestroySolver(solver);
    }
  }
}

// y' = 1, and nothing beyond y = 1.
static crStatus rateCliff(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = 1.0;
  return y[0] >= 1.0 ? cr_retry : cr_ok;
}

static void a_solution_that_runs_out_of_its_region_ends_with_a_report(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateCliff }, .absTol = { 1e-8 } };
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    assert_int_equal(crStepTo(solver, 2.0), cr_failNumerics);
    crFailure failure = crSolver_GetFailure(solver);
    assert_int_equal(failure.status, cr_failNumerics);
    assert_close(crSolver_GetTime(solver), 1.0, 1e-3);
    assert_non_null(strstr(failure.message, "cannot be evaluated any further"));
    assert_non_null(strstr(failure.remedy, "region where the problem is defined"));
    assert_true(crSolver_GetState(solver)[0] < 1.0 + 1e-9);
    crDestroySolver(solver);
  }
}

// -------------------------------------------------------------------------------------------- blow-up

static void unbounded_growth_ends_with_time_step_and_the_worst_component(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakeBlowUp(1e-6);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    assert_int_equal(crStepTo(solver, 2.0), cr_failNumerics);
    crFailure failure = crSolver_GetFailure(solver);
    assert_int_equal(failure.status, cr_failNumerics);
    assert_close(crSolver_GetTime(solver), 1.0, 1e-3);
    assert_int_equal(failure.worstComponent, 1);
    assert_non_null(strstr(failure.message, "'wild'"));
    assert_non_null(strstr(failure.message, "at t = "));
    assert_true(failure.step >= 0.0 && failure.step < 1e-3);
    assert_true(strlen(failure.remedy) > 10);
    assert_int_equal(crSolver_Step(solver, 2.0), cr_failNumerics); // until a restart
    assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, 0.0), cr_ok);
    assert_int_equal(crSolver_GetFailure(solver).status, cr_ok);
    crRunTo(solver, 0.5);
    assert_close(crSolver_GetState(solver)[1], 2.0, 1e-3);
    crDestroySolver(solver);
  }
}

static void nothing_is_printed(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  FILE* file = tmpfile();
  assert_non_null(file);
  fflush(stderr);
  int kept = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakeBlowUp(1e-6);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    assert_int_equal(crStepTo(solver, 2.0), cr_failNumerics);
    crDestroySolver(solver);
  }
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  assert_int_equal(lseek(fileno(file), 0, SEEK_END), 0);
  fclose(file);
}

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
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateSliding }, .absTol = { 1e-4 }, .y0 = { 0.1 } };
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-4);
    crStatus status = cr_ok;
    for (int i = 0; i < 20000 && status == cr_ok && crSolver_GetTime(solver) < 0.2; ++i) {
      status = crSolver_Step(solver, 0.2);
    }
    assert_true(fabs(crSolver_GetState(solver)[0]) < 0.1);
    assert_true(crSolver_GetTime(solver) > 0.0999);
    crDestroySolver(solver);
  }
}

// ------------------------------------------------------------------------------------ failing functions

static crStatus rateFailing(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  outRates[0] = -y[0];
  return t > 0.5 ? cr_errorLimit : cr_ok;
}

static void the_status_of_a_failing_function_comes_back(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateFailing }, .absTol = { 1e-8 }, .y0 = { 1.0 } };
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    assert_int_equal(crStepTo(solver, 2.0), cr_errorLimit);
    assert_int_equal(crSolver_GetFailure(solver).status, cr_errorLimit);
    assert_non_null(strstr(crSolver_GetFailure(solver).message, "a function of the problem failed (limit reached)"));
    ode.t0 = 1.0;
    assert_int_equal(crSolver_Restart(solver, 1.0, ode.y0, 0.0), cr_errorLimit);
    crDestroySolver(solver);
  }
}

static void a_start_without_rates_is_reported(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateCliff }, .absTol = { 1e-8 } };
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    double y = 3.0;
    assert_int_equal(crSolver_Restart(solver, 0.0, &y, 0.0), cr_failNumerics);
    assert_non_null(strstr(crSolver_GetFailure(solver).message, "cannot be evaluated at the start"));
    assert_int_equal(crSolver_Step(solver, 1.0), cr_failNumerics);
    crDestroySolver(solver);
  }
}

static void too_tight_a_tolerance_is_reported(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakeOscillator(1e-16);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-17);
    assert_int_equal(crSolver_Step(solver, 2.0), cr_failNumerics);
    assert_non_null(strstr(crSolver_GetFailure(solver).message, "tighter than the precision"));
    crDestroySolver(solver);
  }
}

static void a_solver_that_the_build_has_not_says_so(void** state)
{
  (void)state;
  crTestOde ode = crMakeOscillator(1e-6);
  for (int kind = cr_solverIda; kind < crTestFirstSolver(); ++kind) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    crSolver* solver = NULL;
    assert_int_equal(crCreateSolver((crSolverKind)kind, &ode.problem, 1e-6, 1.0, NULL, &sink, &solver), cr_errorModel);
    assert_null(solver);
    assert_message(log, cr_severityError, "this build has no SUNDIALS");
    assert_message(log, cr_severityError, crGetSolverInfo((crSolverKind)kind)->name);
    assert_message(log, cr_severityError, "dopri5, dop853, radau5");
    crDestroyErrorLog(log);
  }
  crDestroySolver(NULL);
}

// ---------------------------------------------------------------------------------------------- memory

static void every_failed_allocation_is_clean(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakePendulum(1e-6);
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    bool isMade = false;
    for (long failAt = 0; !isMade; ++failAt) {
      counter.callCount = 0;
      counter.failAt = failAt;
      crSolver* solver = crCreateTestSolver((crSolverKind)kind, &ode, 1e-6, INFINITY, &allocator);
      isMade = solver != NULL;
      crDestroySolver(solver);
      assert_int_equal(counter.liveBlocks, 0);
      assert_true(failAt < 100);
    }
  }
}

static void steps_allocate_nothing_of_ours(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakePendulum(1e-6);
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    crSolver* solver = crCreateTestSolver((crSolverKind)kind, &ode, 1e-6, INFINITY, &allocator);
    long calls = counter.callCount;
    assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, 0.0), cr_ok);
    crRunTo(solver, 2.0);
    assert_int_equal(counter.callCount, calls);
    crDestroySolver(solver);
    assert_int_equal(counter.liveBlocks, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(steps_shrink_where_the_problem_is_undefined),
    cmocka_unit_test(a_solution_that_runs_out_of_its_region_ends_with_a_report),
    cmocka_unit_test(unbounded_growth_ends_with_time_step_and_the_worst_component),
    cmocka_unit_test(nothing_is_printed),
    cmocka_unit_test(chattering_goes_on_or_ends_but_never_hangs),
    cmocka_unit_test(the_status_of_a_failing_function_comes_back),
    cmocka_unit_test(a_start_without_rates_is_reported),
    cmocka_unit_test(too_tight_a_tolerance_is_reported),
    cmocka_unit_test(a_solver_that_the_build_has_not_says_so),
    cmocka_unit_test(every_failed_allocation_is_clean),
    cmocka_unit_test(steps_allocate_nothing_of_ours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
