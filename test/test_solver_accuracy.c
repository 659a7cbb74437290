// Solvers: errors follow the tolerance and the order of the method.
#include "support/ode.h"

#define STATEMENT(kind) crGetSolverInfo(kind)->name

// Error after t = 20 in multiples of the tolerance: multistep methods take more and shorter steps, each with its error.
#define MAX_ONE_STEP_RATIO 50.0
#define MAX_RADAU_RATIO 200.0 // its error goes with the power 5/6 of the tolerance
#define MAX_MULTISTEP_RATIO 1000.0

static double findErrorAt(crSolverKind kind, const crTestOde* ode, double tol, double tEnd)
{
  crSolver* solver = crStartSolver(kind, ode, tol);
  crRunTo(solver, tEnd);
  double error = crFindError(solver, ode);
  crDestroySolver(solver);
  return error;
}

static void checkErrors(crTestOde (*make)(double tol), double tEnd)
{
  static const double tolerances[] = { 1e-4, 1e-6, 1e-8, 1e-10 };
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    bool isOneStep = crGetSolverInfo((crSolverKind)kind)->canRedo;
    double first = 0.0, last = 0.0;
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; ++i) {
      crTestOde ode = make(tolerances[i]);
      last = findErrorAt((crSolverKind)kind, &ode, tolerances[i], tEnd);
      first = i == 0 ? last : first;
      double ratio = kind == cr_solverRadau5 ? MAX_RADAU_RATIO : isOneStep ? MAX_ONE_STEP_RATIO : MAX_MULTISTEP_RATIO;
      if (!(last < ratio * tolerances[i])) {
        fail_msg("%s: error %g at tolerance %g", STATEMENT(kind), last, tolerances[i]);
      }
    }
    assert_true(last < 1e-4 * first);
  }
}

static void oscillator_error_follows_the_tolerance(void** state)
{
  (void)state;
  checkErrors(crMakeOscillator, 20.0);
}

static void pendulum_agrees_with_elliptic_functions(void** state)
{
  (void)state;
  checkErrors(crMakePendulum, 20.0);
}

// With a tolerance that lets every step pass, all steps have the length of maxStep.
static double findErrorOfSteps(crSolverKind kind, crTestOde ode, int stepCount, double tol)
{
  ode.problem.absTol = ode.absTol;
  double tEnd = 4.0;
  crSolverOptions options = { .relTol = tol, .maxStep = tEnd / stepCount, .firstStep = tEnd / stepCount };
  crSolver* solver = NULL;
  assert_int_equal(crCreateSolver(kind, &ode.problem, &options, NULL, NULL, &solver), cr_ok);
  assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, NULL), cr_ok);
  crRunTo(solver, tEnd);
  assert_true(crSolver_GetStatistics(solver).steps <= stepCount + 1);
  double error = crFindError(solver, &ode);
  crDestroySolver(solver);
  return error;
}

// The oscillator is linear: there Newton's iteration has no error of its own.
static void one_step_methods_have_their_order(void** state)
{
  (void)state;
  double tol = 1e-2;
  static const crSolverKind kinds[] = { cr_solverDopri5, cr_solverDop853, cr_solverRadau5 };
  static const int stepCounts[] = { 32, 16, 32 };
  for (int i = 0; i < 3; ++i) {
    crTestOde ode = crGetSolverInfo(kinds[i])->isImplicit ? crMakeOscillator(tol) : crMakePendulum(tol);
    double coarse = findErrorOfSteps(kinds[i], ode, stepCounts[i], tol);
    double fine = findErrorOfSteps(kinds[i], ode, 2 * stepCounts[i], tol);
    double order = log2(coarse / fine);
    assert_true(order > crGetSolverInfo(kinds[i])->order - 0.3 && order < crGetSolverInfo(kinds[i])->order + 1.0);
  }
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
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateQuadrature }, .absTol = { 1e-8 } };
    ode.computeTruth = solveQuadrature;
    assert_true(findErrorAt((crSolverKind)kind, &ode, 1e-8, 10.0) < (kind == cr_solverDop853 ? 1e-7 : 1e-4));
  }
}

// ------------------------------------------------------------------------------------------- stiff, dae

static const crSolverKind implicitKinds[] = { cr_solverIda, cr_solverCvodeBdf, cr_solverRadau5 };

// Reference: the Test Set for IVP Solvers [MazziaMagherini08], problem vdpol.
static void stiff_van_der_pol_agrees_with_the_published_values(void** state)
{
  (void)state;
  for (int i = crTestFirstSolver(); i < 3; ++i) {
    crTestOde ode = crMakeVanDerPol(1e-8);
    crSolver* solver = crStartSolver(implicitKinds[i], &ode, 1e-8);
    crRunTo(solver, 2.0);
    assert_close(crSolver_GetState(solver)[0], 0.1706167732170483e1, 2e-6);
    assert_close(crSolver_GetState(solver)[1], -0.8928097010247975, 2e-6);
    crDestroySolver(solver);
  }
}

// The same source, problem rober.
static void robertson_agrees_with_the_published_values_after_1e11_seconds(void** state)
{
  (void)state;
  static const double truth[3] = { 0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050 };
  for (int i = crTestFirstSolver(); i < 3; ++i) {
    crTestOde ode = crMakeRobertson(1e-8);
    ode.absTol[0] = ode.absTol[2] = 1e-14;
    ode.absTol[1] = 1e-18;
    crSolver* solver = crStartSolver(implicitKinds[i], &ode, 1e-8);
    crRunTo(solver, 1e11);
    for (int k = 0; k < 3; ++k) {
      assert_close(crSolver_GetState(solver)[k] / truth[k], 1.0, 1e-4);
    }
    assert_true(crSolver_GetStatistics(solver).steps < 10000);
    crDestroySolver(solver);
  }
}

static void ida_solves_a_linear_dae(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  double first = 0.0, last = 0.0;
  for (double tol = 1e-4; tol > 1e-11; tol *= 1e-2) {
    crTestOde ode = crMakeLinearDae(tol);
    last = findErrorAt(cr_solverIda, &ode, tol, 10.0);
    first = first == 0.0 ? last : first;
    assert_true(last < 100.0 * tol);
  }
  assert_true(last < 1e-4 * first);
}

static void ida_finds_consistent_values_and_keeps_differential_ones(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  crTestOde ode = crMakeLinearDae(1e-8);
  ode.y0[1] = 123.0;
  crSolver* solver = crStartSolver(cr_solverIda, &ode, 1e-8);
  assert_true(crSolver_GetState(solver)[0] == 1.0);
  assert_close(crSolver_GetState(solver)[1], 0.0, 1e-9);
  assert_close(crSolver_GetRates(solver)[0], -1.0, 1e-9);
  crDestroySolver(solver);
}

static void ida_takes_given_rates(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  crTestOde ode = crMakeLinearDae(1e-8);
  crSolver* solver = crStartSolver(cr_solverIda, &ode, 1e-8);
  int64_t before = crSolver_GetStatistics(solver).evaluations;
  double rates[2] = { -1.0, 1.0 };
  assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, rates), cr_ok);
  assert_true(crSolver_GetStatistics(solver).evaluations == before);
  crRunTo(solver, 3.0);
  assert_true(crFindError(solver, &ode) < 1e-6);
  crDestroySolver(solver);
}

static crStatus residualPendulum(void* context, double t, const double* y, const double* yp, double* outResidual)
{
  (void)context;
  (void)t;
  outResidual[0] = 2.0 * (yp[0] - y[1]);
  outResidual[1] = 3.0 * yp[1] + 3.0 * sin(y[0]);
  return cr_ok;
}

static void residual_form_and_rates_give_the_same_motion(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  crTestOde ode = crMakePendulum(1e-9);
  assert_true(findErrorAt(cr_solverIda, &ode, 1e-9, 10.0) < 1e-7);
  ode.problem.computeResidual = residualPendulum;
  assert_true(findErrorAt(cr_solverIda, &ode, 1e-9, 10.0) < 1e-7);
  ode.problem.computeRates = NULL; // the solver has to find the rates at the start
  assert_true(findErrorAt(cr_solverIda, &ode, 1e-9, 10.0) < 1e-7);
}

static void kinds_have_names_that_are_found(void** state)
{
  (void)state;
  for (int kind = 0; kind < cr_solverKindCount; ++kind) {
    const crSolverInfo* info = crGetSolverInfo((crSolverKind)kind);
    assert_int_equal(crFindSolver(info->name), kind);
    assert_true(info->isAvailable || kind == cr_solverIda || kind == cr_solverCvodeBdf);
    assert_true(info->about != NULL && info->order >= 5);
  }
  assert_null(crGetSolverInfo(cr_solverKindCount));
  assert_int_equal(crFindSolver("euler"), cr_solverKindCount);
  assert_int_equal(crFindSolver("erk5"), cr_solverKindCount);
  assert_int_equal(crFindSolver(NULL), cr_solverKindCount);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(oscillator_error_follows_the_tolerance),
    cmocka_unit_test(pendulum_agrees_with_elliptic_functions),
    cmocka_unit_test(one_step_methods_have_their_order),
    cmocka_unit_test(pure_quadrature_is_integrated_to_tolerance),
    cmocka_unit_test(stiff_van_der_pol_agrees_with_the_published_values),
    cmocka_unit_test(robertson_agrees_with_the_published_values_after_1e11_seconds),
    cmocka_unit_test(ida_solves_a_linear_dae),
    cmocka_unit_test(ida_finds_consistent_values_and_keeps_differential_ones),
    cmocka_unit_test(ida_takes_given_rates),
    cmocka_unit_test(residual_form_and_rates_give_the_same_motion),
    cmocka_unit_test(kinds_have_names_that_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
