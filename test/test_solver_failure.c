// Solvers that cannot go on: regions without a value, unbounded growth, failing functions, bad input, no memory.
#include "support/log.h"
#include "support/ode.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------- retry

// y' = 50 (1 - y), undefined beyond y = 1, which the solution approaches: trial points overshoot.
typedef struct Wall {
  int refusals;
  bool usesNan;
} Wall;

static crStatus rateWall(void* context, double t, const double* y, double* outRates)
{
  (void)t;
  Wall* wall = context;
  outRates[0] = y[0] > 1.0 ? NAN : 50.0 * (1.0 - y[0]);
  wall->refusals += y[0] > 1.0;
  return y[0] > 1.0 && !wall->usesNan ? cr_retry : cr_ok;
}

static void solveWall(double t, double* outY)
{
  outY[0] = 1.0 - exp(-50.0 * t);
}

static void steps_shrink_where_the_problem_is_undefined(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    for (int usesNan = 0; usesNan < 2; ++usesNan) {
      Wall wall = { 0, usesNan != 0 };
      crTestOde ode = { .problem = { .n = 1, .context = &wall, .computeRates = rateWall }, .absTol = { 1e-9 } };
      ode.computeTruth = solveWall;
      crProblem problem = ode.problem;
      problem.absTol = ode.absTol;
      crSolverOptions options = { .relTol = 1e-7, .maxStep = INFINITY, .firstStep = 0.5 }; // far beyond
      crSolver* solver = NULL;
      assert_int_equal(crCreateSolver((crSolverKind)kind, &problem, &options, NULL, NULL, &solver), cr_ok);
      assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, NULL), cr_ok);
      crRunTo(solver, 0.2);
      assert_true(wall.refusals > 0 || crGetSolverInfo((crSolverKind)kind)->isImplicit);
      assert_true(crSolver_GetStatistics(solver).rejectedSteps > 0);
      assert_true(crFindError(solver, &ode) < 1e-5);
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
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateCliff }, .absTol = { 1e-8 } };
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    crOutcome outcome = cr_outcomeStep;
    for (int i = 0; i < 100000 && outcome == cr_outcomeStep; ++i) {
      outcome = crSolver_Step(solver, 2.0);
    }
    crFailure failure = crSolver_GetFailure(solver);
    assert_int_equal(outcome, cr_outcomeFailed);
    assert_int_equal(failure.status, cr_failNumerics);
    assert_close(failure.time, 1.0, 1e-3);
    assert_non_null(strstr(failure.message, "cannot be evaluated any further"));
    assert_non_null(strstr(failure.remedy, "region where the problem is defined"));
    assert_true(crSolver_GetTime(solver) == failure.time && crSolver_GetState(solver)[0] < 1.0 + 1e-9);
    crDestroySolver(solver);
  }
}

// -------------------------------------------------------------------------------------------- blow-up

static void unbounded_growth_ends_with_time_step_and_the_worst_component(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = crMakeBlowUp(1e-6);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    crOutcome outcome = cr_outcomeStep;
    for (int i = 0; i < 100000 && outcome == cr_outcomeStep; ++i) {
      outcome = crSolver_Step(solver, 2.0);
    }
    crFailure failure = crSolver_GetFailure(solver);
    assert_int_equal(outcome, cr_outcomeFailed);
    assert_int_equal(failure.status, cr_failNumerics);
    assert_close(failure.time, 1.0, 1e-3);
    assert_int_equal(failure.worstComponent, 1);
    assert_non_null(strstr(failure.message, "'wild'"));
    assert_non_null(strstr(failure.message, "at t = "));
    assert_true(failure.step >= 0.0 && failure.step < 1e-3);
    assert_true(strlen(failure.remedy) > 10);
    assert_int_equal(crSolver_Step(solver, 2.0), cr_outcomeFailed); // until a restart
    assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, NULL), cr_ok);
    assert_int_equal(crSolver_GetFailure(solver).status, cr_ok);
    crRunTo(solver, 0.5);
    assert_close(crSolver_GetState(solver)[1], 2.0, 1e-3);
    crDestroySolver(solver);
  }
}

static void nothing_is_printed(void** state)
{
  (void)state;
  FILE* file = tmpfile();
  assert_non_null(file);
  fflush(stderr);
  int kept = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = crMakeBlowUp(1e-6);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    while (crSolver_Step(solver, 2.0) == cr_outcomeStep) {
    }
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
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateSliding }, .absTol = { 1e-4 }, .y0 = { 0.1 } };
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-4);
    crOutcome outcome = cr_outcomeStep;
    for (int i = 0; i < 20000 && outcome == cr_outcomeStep; ++i) {
      outcome = crSolver_Step(solver, 0.2);
    }
    assert_true(fabs(crSolver_GetState(solver)[0]) < 0.1);
    assert_true(outcome == cr_outcomeStop || crSolver_GetTime(solver) > 0.0999);
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
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateFailing }, .absTol = { 1e-8 }, .y0 = { 1.0 } };
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    crOutcome outcome = cr_outcomeStep;
    while (outcome == cr_outcomeStep) {
      outcome = crSolver_Step(solver, 2.0);
    }
    assert_int_equal(outcome, cr_outcomeFailed);
    assert_int_equal(crSolver_GetFailure(solver).status, cr_errorLimit);
    assert_non_null(strstr(crSolver_GetFailure(solver).message, "a function of the problem failed (limit reached)"));
    ode.t0 = 1.0;
    assert_int_equal(crSolver_Restart(solver, 1.0, ode.y0, NULL), cr_errorLimit);
    crDestroySolver(solver);
  }
}

static crStatus rootMissing(void* context, double t, const double* y, double* outRoots)
{
  (void)context;
  (void)y;
  outRoots[0] = t > 0.5 ? NAN : 1.0;
  return cr_ok;
}

static void root_functions_must_be_defined_where_rates_are(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = crMakeOscillator(1e-6);
    ode.problem.computeRoots = rootMissing;
    ode.problem.rootCount = 1;
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    crOutcome outcome = cr_outcomeStep;
    while (outcome == cr_outcomeStep) {
      outcome = crSolver_Step(solver, 2.0);
    }
    assert_int_equal(outcome, cr_outcomeFailed);
    assert_non_null(strstr(crSolver_GetFailure(solver).message, "root functions cannot be evaluated"));
    assert_true(crSolver_GetTime(solver) <= 0.5);
    crDestroySolver(solver);
  }
}

static void a_start_without_rates_is_reported(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateCliff }, .absTol = { 1e-8 } };
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    double y = 3.0;
    assert_int_equal(crSolver_Restart(solver, 0.0, &y, NULL), cr_failNumerics);
    assert_non_null(strstr(crSolver_GetFailure(solver).message, "cannot be evaluated at the start"));
    assert_int_equal(crSolver_Step(solver, 1.0), cr_outcomeFailed);
    y = NAN;
    assert_int_equal(crSolver_Restart(solver, 0.0, &y, NULL), cr_errorMisuse);
    crDestroySolver(solver);
  }
}

static void inconsistent_equations_are_reported(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  crTestOde ode = crMakeLinearDae(1e-6);
  static const bool wrong[2] = { true, false }; // y' of the first does occur
  ode.problem.isAlgebraic = wrong;
  crProblem problem = ode.problem;
  problem.absTol = ode.absTol;
  crSolver* solver = NULL;
  assert_int_equal(crCreateSolver(cr_solverIda, &problem, NULL, NULL, NULL, &solver), cr_ok);
  ode.y0[1] = 5.0;
  crStatus status = crSolver_Restart(solver, 0.0, ode.y0, NULL);
  if (status != cr_ok) {
    assert_non_null(strstr(crSolver_GetFailure(solver).message, "no consistent initial values"));
  }
  crDestroySolver(solver);
}

static void too_tight_a_tolerance_is_reported(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = crMakeOscillator(1e-16);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-17);
    assert_int_equal(crSolver_Step(solver, 2.0), cr_outcomeFailed);
    assert_non_null(strstr(crSolver_GetFailure(solver).message, "tighter than the precision"));
    crDestroySolver(solver);
  }
}

static void misuse_is_told_apart(void** state)
{
  (void)state;
  crTestOde ode = crMakeOscillator(1e-6);
  crProblem problem = ode.problem;
  problem.absTol = ode.absTol;
  crSolver* solver = NULL;
  assert_int_equal(crCreateSolver(cr_solverDopri5, &problem, NULL, NULL, NULL, &solver), cr_ok);
  double y[2];
  assert_int_equal(crSolver_Step(solver, 1.0), cr_outcomeFailed);
  assert_int_equal(crSolver_GetFailure(solver).status, cr_errorMisuse);
  assert_non_null(strstr(crSolver_GetFailure(solver).message, "has not been started"));
  assert_int_equal(crSolver_Interpolate(solver, 0.0, y), cr_errorMisuse);
  assert_int_equal(crSolver_RedoTo(solver, 0.0), cr_errorMisuse);
  assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, NULL), cr_ok);
  crRunTo(solver, 1.0);
  assert_int_equal(crSolver_Step(solver, 0.5), cr_outcomeFailed);
  assert_non_null(strstr(crSolver_GetFailure(solver).message, "tStop lies before"));
  assert_int_equal(crSolver_Step(solver, NAN), cr_outcomeFailed);
  assert_true(crSolver_Step(solver, 2.0) != cr_outcomeFailed); // no harm was done
  crDestroySolver(solver);
  assert_int_equal(crCreateSolver(cr_solverKindCount, &problem, NULL, NULL, NULL, &solver), cr_errorMisuse);
  crDestroySolver(NULL);
}

// ------------------------------------------------------------------------------------------- bad input

static crErrorLog* tryToCreate(crSolverKind kind, const crProblem* problem, const crSolverOptions* options)
{
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_Sink(log);
  crSolver* solver = NULL;
  assert_int_equal(crCreateSolver(kind, problem, options, NULL, &sink, &solver), cr_errorModel);
  assert_null(solver);
  return log;
}

static void a_solver_that_the_build_has_not_says_so(void** state)
{
  (void)state;
  crTestOde ode = crMakeOscillator(1e-6);
  crProblem problem = ode.problem;
  problem.absTol = ode.absTol;
  for (int kind = 0; kind < crTestFirstSolver(); ++kind) {
    crErrorLog* log = tryToCreate((crSolverKind)kind, &problem, NULL);
    assert_message(log, cr_severityError, "this build has no SUNDIALS");
    assert_message(log, cr_severityError, crGetSolverInfo((crSolverKind)kind)->name);
    assert_message(log, cr_severityError, "dopri5, dop853, radau5");
    crDestroyErrorLog(log);
  }
}

static void all_faults_of_a_problem_are_reported_at_once(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  double absTol[2] = { 1e-6, 0.0 };
  int starts[3] = { 0, 1, 2 }, rows[2] = { 0, 2 };
  crSparsity pattern = { 2, starts, rows };
  crProblem problem = { .n = 2, .rootCount = 1, .absTol = absTol, .pattern = &pattern };
  crSolverOptions options = { .relTol = -1.0, .maxStep = 0.0, .firstStep = NAN };
  crErrorLog* log = tryToCreate(cr_solverCvodeBdf, &problem, &options);
  assert_message(log, cr_severityError, "relative tolerance is not positive");
  assert_message(log, cr_severityError, "found -1");
  assert_message(log, cr_severityError, "largest step is not positive");
  assert_message(log, cr_severityError, "first step is negative or not finite");
  assert_message(log, cr_severityError, "no rates, which this method needs");
  assert_message(log, cr_severityError, "ida works on the residual form");
  assert_message(log, cr_severityError, "root functions are missing");
  assert_message(log, cr_severityError, "absolute tolerance is not positive");
  assert_message(log, cr_severityError, "pattern of the Jacobian is broken");
  assert_int_equal(crErrorLog_Count(log), 7);
  crDestroyErrorLog(log);
  problem.n = 0;
  problem.absTol = NULL;
  log = tryToCreate(cr_solverIda, &problem, NULL);
  assert_message(log, cr_severityError, "neither rates nor a residual");
  assert_message(log, cr_severityError, "no unknowns");
  crDestroyErrorLog(log);
  problem.n = 2;
  log = tryToCreate(cr_solverIda, &problem, NULL);
  assert_message(log, cr_severityError, "absolute tolerances are missing");
  crDestroyErrorLog(log);
}

// ---------------------------------------------------------------------------------------------- memory

static void every_failed_allocation_is_clean(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = crMakeBouncingBall(1e-6);
    crProblem problem = ode.problem;
    problem.absTol = ode.absTol;
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    crStatus status = cr_errorMemory;
    for (long failAt = 0; status != cr_ok; ++failAt) {
      crSolver* solver = NULL;
      counter.callCount = 0;
      counter.failAt = failAt;
      status = crCreateSolver((crSolverKind)kind, &problem, NULL, &allocator, NULL, &solver);
      assert_true(status == cr_ok || (status == cr_errorMemory && solver == NULL));
      crDestroySolver(solver);
      assert_int_equal(counter.liveBlocks, 0);
      assert_true(failAt < 100);
    }
  }
}

static void steps_allocate_nothing_of_ours(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = crMakeBouncingBall(1e-6);
    crProblem problem = ode.problem;
    problem.absTol = ode.absTol;
    crTestAllocator counter;
    crAllocator allocator = crTestAllocator_Make(&counter);
    crSolver* solver = NULL;
    assert_int_equal(crCreateSolver((crSolverKind)kind, &problem, NULL, &allocator, NULL, &solver), cr_ok);
    long calls = counter.callCount;
    assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, NULL), cr_ok);
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
    cmocka_unit_test(root_functions_must_be_defined_where_rates_are),
    cmocka_unit_test(a_start_without_rates_is_reported),
    cmocka_unit_test(inconsistent_equations_are_reported),
    cmocka_unit_test(too_tight_a_tolerance_is_reported),
    cmocka_unit_test(misuse_is_told_apart),
    cmocka_unit_test(a_solver_that_the_build_has_not_says_so),
    cmocka_unit_test(all_faults_of_a_problem_are_reported_at_once),
    cmocka_unit_test(every_failed_allocation_is_clean),
    cmocka_unit_test(steps_allocate_nothing_of_ours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
