// Solvers of SUNDIALS: errors follow the tolerance.
#include "support/ode.h"

#define MAX_RATIO 1000.0 // error after t = 20 in multiples of the tolerance: many short steps, each with its error

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
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    double first = 0.0, last = 0.0;
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; ++i) {
      crTestOde ode = make(tolerances[i]);
      last = findErrorAt((crSolverKind)kind, &ode, tolerances[i], tEnd);
      first = i == 0 ? last : first;
      if (!(last < MAX_RATIO * tolerances[i])) {
        fail_msg("%s: error %g at tolerance %g", crGetSolverInfo((crSolverKind)kind)->name, last, tolerances[i]);
      }
    }
    assert_true(last < 1e-4 * first);
  }
}

static void oscillator_error_follows_the_tolerance(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  checkErrors(crMakeOscillator, 20.0);
}

static void pendulum_agrees_with_elliptic_functions(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  checkErrors(crMakePendulum, 20.0);
}

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
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = { .problem = { .n = 1, .computeRates = rateQuadrature }, .absTol = { 1e-8 } };
    ode.computeTruth = solveQuadrature;
    assert_true(findErrorAt((crSolverKind)kind, &ode, 1e-8, 10.0) < 1e-4);
  }
}

// ------------------------------------------------------------------------------------------- stiff, dae

// Reference: the Test Set for IVP Solvers [MazziaMagherini08], problem vdpol.
static void stiff_van_der_pol_agrees_with_the_published_values(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakeVanDerPol(1e-8);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-8);
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
  crTestNeedSolver(cr_solverIda);
  static const double truth[3] = { 0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050 };
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakeRobertson(1e-8);
    ode.absTol[0] = ode.absTol[2] = 1e-14;
    ode.absTol[1] = 1e-18;
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-8);
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
}

static void kinds_have_names_that_are_found(void** state)
{
  (void)state;
  for (int kind = cr_solverAuto; kind < cr_solverKindCount; ++kind) {
    const crSolverInfo* info = crGetSolverInfo((crSolverKind)kind);
    assert_int_equal(crFindSolver(info->name), kind);
    assert_true(info->isAvailable || kind == cr_solverIda || kind == cr_solverCvodeBdf);
    assert_true(info->about != NULL && (info->order >= 5 || kind == cr_solverAuto));
  }
  assert_null(crGetSolverInfo(cr_solverDefault));
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
    cmocka_unit_test(pure_quadrature_is_integrated_to_tolerance),
    cmocka_unit_test(stiff_van_der_pol_agrees_with_the_published_values),
    cmocka_unit_test(robertson_agrees_with_the_published_values_after_1e11_seconds),
    cmocka_unit_test(ida_solves_a_linear_dae),
    cmocka_unit_test(residual_form_and_rates_give_the_same_motion),
    cmocka_unit_test(kinds_have_names_that_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
