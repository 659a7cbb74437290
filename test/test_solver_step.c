// Solvers of SUNDIALS step by step: stops, interpolation, restarting.
#include "support/ode.h"

#include <string.h>

static bool isSame(const double* a, const double* b, int n)
{
  return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

// --------------------------------------------------------------------------------------------- stops

static void stops_are_exact_and_never_passed(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  static const double stops[] = { 0.1, 0.1 + 1e-14, 0.7, 1.0, 1.0 + 1e-9, 3.3, 20.0 };
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakeOscillator(1e-7);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-7);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; ++i) {
      while (crSolver_GetTime(solver) < stops[i]) {
        assert_int_equal(crSolver_Step(solver, stops[i]), cr_ok);
        assert_true(crSolver_GetTime(solver) <= stops[i]);
        assert_true(crSolver_GetTime(solver) > crSolver_GetStepStart(solver));
      }
      assert_true(crSolver_GetTime(solver) == stops[i]);
      assert_true(crFindError(solver, &ode) < 1e-4);
      assert_int_equal(crSolver_Step(solver, stops[i]), cr_ok); // there already
      assert_true(crSolver_GetTime(solver) == stops[i]);
    }
    crDestroySolver(solver);
  }
}

static void the_end_and_the_output_do_not_change_the_way_there(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakePendulum(1e-7);
    crSolver* a = crStartSolver((crSolverKind)kind, &ode, 1e-7);
    crSolver* b = crStartSolver((crSolverKind)kind, &ode, 1e-7);
    while (crSolver_GetTime(a) < 9.0) {
      double y[2];
      crSolver_Step(a, 12.0);
      crSolver_Step(b, INFINITY);
      assert_true(crSolver_GetTime(a) == crSolver_GetTime(b));
      assert_true(isSame(crSolver_GetState(a), crSolver_GetState(b), 2));
      double middle = 0.5 * (crSolver_GetStepStart(a) + crSolver_GetTime(a));
      assert_int_equal(crSolver_Interpolate(a, middle, y), cr_ok);
    }
    crDestroySolver(a);
    crDestroySolver(b);
  }
}

static void the_largest_step_is_kept(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakePendulum(1e-3);
    crSolver* solver = crCreateTestSolver((crSolverKind)kind, &ode, 1e-3, 0.01, NULL);
    assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, 0.0), cr_ok);
    double largest = 0.0;
    while (crSolver_GetTime(solver) < 1.0) {
      assert_int_equal(crSolver_Step(solver, 1.0), cr_ok);
      largest = fmax(largest, crSolver_GetTime(solver) - crSolver_GetStepStart(solver));
    }
    assert_close(largest, 0.01, 0.01 * 1e-12);
    crDestroySolver(solver);
  }
}

// -------------------------------------------------------------------------------------- interpolation

static void interpolation_is_as_good_as_the_steps_and_exact_at_the_ends(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    for (double tol = 1e-5; tol > 1e-10; tol *= 1e-2) {
      crTestOde ode = crMakePendulum(tol);
      crSolver* solver = crStartSolver((crSolverKind)kind, &ode, tol);
      double last[2], y[2], truth[2], worst = 0.0, worstEnd = 0.0;
      while (crSolver_GetTime(solver) < 10.0) {
        memcpy(last, crSolver_GetState(solver), sizeof last);
        assert_int_equal(crSolver_Step(solver, 10.0), cr_ok);
        worstEnd = fmax(worstEnd, crFindError(solver, &ode));
        double t0 = crSolver_GetStepStart(solver), t1 = crSolver_GetTime(solver);
        for (int i = 0; i <= 8; ++i) {
          double t = i == 8 ? t1 : t0 + (t1 - t0) * i / 8.0;
          assert_int_equal(crSolver_Interpolate(solver, t, y), cr_ok);
          ode.computeTruth(t, truth);
          worst = fmax(worst, fmax(fabs(y[0] - truth[0]), fabs(y[1] - truth[1])));
          assert_true(i != 0 || isSame(y, last, 2));
          assert_true(i != 8 || isSame(y, crSolver_GetState(solver), 2));
        }
      }
      if (!(worst < 2.0 * (worstEnd + tol))) {
        fail_msg("%s: error %g at tolerance %g", crGetSolverInfo((crSolverKind)kind)->name, worst, tol);
      }
      crDestroySolver(solver);
    }
  }
}

// Stiff: the polynomial must not follow the steep rates of small errors.
static void interpolation_of_stiff_steps_stays_on_the_solution(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakeVanDerPol(1e-6);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    while (crSolver_GetTime(solver) < 0.5) {
      double y[2];
      assert_int_equal(crSolver_Step(solver, 0.5), cr_ok);
      double t0 = crSolver_GetStepStart(solver), t1 = crSolver_GetTime(solver);
      for (int k = 1; k < 8 && t0 > 1e-4; ++k) { // after the start the rates obey y' = y / (1 - y^2)
        assert_int_equal(crSolver_Interpolate(solver, t0 + (t1 - t0) * k / 8.0, y), cr_ok);
        assert_close(y[1], y[0] / (1.0 - y[0] * y[0]), 1e-4);
      }
    }
    crDestroySolver(solver);
  }
}

static void rates_are_those_of_the_state(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakeOscillator(1e-9);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-9);
    while (crSolver_GetTime(solver) < 5.0) {
      assert_close(crSolver_GetRates(solver)[0], crSolver_GetState(solver)[1], 1e-5);
      assert_close(crSolver_GetRates(solver)[1], -crSolver_GetState(solver)[0], 1e-5);
      assert_int_equal(crSolver_Step(solver, 5.0), cr_ok);
    }
    crDestroySolver(solver);
  }
}

// ------------------------------------------------------------------------------------------- restart

static void a_restart_forgets_the_past_to_the_last_bit(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakePendulum(1e-8);
    crSolver* old = crStartSolver((crSolverKind)kind, &ode, 1e-8);
    crRunTo(old, 7.0);
    ode.t0 = 1.0;
    ode.y0[0] = 0.3;
    ode.y0[1] = 1.1;
    crSolver* fresh = crStartSolver((crSolverKind)kind, &ode, 1e-8);
    assert_int_equal(crSolver_Restart(old, ode.t0, ode.y0, 0.0), cr_ok);
    for (int i = 0; i < 100; ++i) {
      assert_int_equal(crSolver_Step(old, 100.0), cr_ok);
      assert_int_equal(crSolver_Step(fresh, 100.0), cr_ok);
      assert_true(crSolver_GetTime(old) == crSolver_GetTime(fresh));
      assert_true(isSame(crSolver_GetState(old), crSolver_GetState(fresh), 2));
    }
    crDestroySolver(old);
    crDestroySolver(fresh);
  }
}

// Steps of the same lengths from another state: what was kept for output must go as well.
static void a_restart_forgets_what_was_kept_for_output(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakePendulum(1e-6);
    crSolver* old = crCreateTestSolver((crSolverKind)kind, &ode, 1e-6, 0.005, NULL);
    assert_int_equal(crSolver_Restart(old, 0.0, ode.y0, 0.0), cr_ok);
    double y[2], other[2];
    for (int i = 0; i < 5; ++i) {
      crSolver_Step(old, 10.0);
    }
    double t = 0.5 * (crSolver_GetStepStart(old) + crSolver_GetTime(old));
    assert_int_equal(crSolver_Interpolate(old, t, y), cr_ok);
    ode.y0[0] = 0.5;
    crSolver* fresh = crCreateTestSolver((crSolverKind)kind, &ode, 1e-6, 0.005, NULL);
    assert_int_equal(crSolver_Restart(fresh, 0.0, ode.y0, 0.0), cr_ok);
    assert_int_equal(crSolver_Restart(old, 0.0, ode.y0, 0.0), cr_ok);
    while (crSolver_GetTime(old) < t) {
      crSolver_Step(old, 10.0);
      crSolver_Step(fresh, 10.0);
    }
    assert_int_equal(crSolver_Interpolate(old, t, y), cr_ok);
    assert_int_equal(crSolver_Interpolate(fresh, t, other), cr_ok);
    assert_true(isSame(y, other, 2));
    crDestroySolver(old);
    crDestroySolver(fresh);
  }
}

static void the_first_step_after_a_restart_can_be_limited(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    crTestOde ode = crMakePendulum(1e-4);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-4);
    assert_int_equal(crSolver_Step(solver, 10.0), cr_ok);
    double natural = crSolver_GetTime(solver), limit = 0.01 * natural;
    double limits[] = { limit, 0.0, 100.0 * natural }; // the next restart knows nothing of it
    for (int i = 0; i < 3; ++i) {
      assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, limits[i]), cr_ok);
      assert_int_equal(crSolver_Step(solver, 10.0), cr_ok);
      assert_close(crSolver_GetTime(solver), i == 0 ? limit : natural, 1e-12 * natural);
      if (i == 0) {
        crRunTo(solver, 10.0);
        assert_true(crFindError(solver, &ode) < 1e-2);
      }
    }
    crDestroySolver(solver);
  }
}

// ---------------------------------------------------------------------------------------- statistics

static crStatus countRates(void* context, double t, const double* y, double* outRates)
{
  (void)t;
  ++*(int64_t*)context;
  outRates[0] = y[1];
  outRates[1] = -y[0];
  return cr_ok;
}

static void statistics_are_complete_and_go_on_over_restarts(void** state)
{
  (void)state;
  crTestNeedSolver(cr_solverIda);
  for (int kind = cr_solverIda; kind <= cr_solverCvodeBdf; ++kind) {
    int64_t count = 0;
    crTestOde ode = crMakeOscillator(1e-6);
    ode.problem.context = &count;
    ode.problem.computeRates = countRates;
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    crRunTo(solver, 10.0);
    crSolverStatistics first = crSolver_GetStatistics(solver);
    assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, 0.0), cr_ok);
    crRunTo(solver, 10.0);
    crSolverStatistics both = crSolver_GetStatistics(solver);
    assert_int_equal(both.evaluations, count);
    assert_int_equal(both.restarts, 2);
    assert_int_equal(both.steps, 2 * first.steps);
    assert_int_equal(both.evaluations, 2 * first.evaluations);
    assert_int_equal(both.rejectedSteps, 2 * first.rejectedSteps);
    assert_int_equal(both.jacobians, 2 * first.jacobians);
    assert_int_equal(both.factorizations, 2 * first.factorizations);
    assert_true(both.jacobians > 0 && both.factorizations > 0);
    crDestroySolver(solver);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(stops_are_exact_and_never_passed),
    cmocka_unit_test(the_end_and_the_output_do_not_change_the_way_there),
    cmocka_unit_test(the_largest_step_is_kept),
    cmocka_unit_test(interpolation_is_as_good_as_the_steps_and_exact_at_the_ends),
    cmocka_unit_test(interpolation_of_stiff_steps_stays_on_the_solution),
    cmocka_unit_test(rates_are_those_of_the_state),
    cmocka_unit_test(a_restart_forgets_the_past_to_the_last_bit),
    cmocka_unit_test(a_restart_forgets_what_was_kept_for_output),
    cmocka_unit_test(the_first_step_after_a_restart_can_be_limited),
    cmocka_unit_test(statistics_are_complete_and_go_on_over_restarts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
