// Solvers step by step: roots, stops, interpolation, redoing, restarting.
#include "support/ode.h"

#include <string.h>

static bool isSame(const double* a, const double* b, int n)
{
  return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static crSolver* startWithOptions(crSolverKind kind, const crTestOde* ode, const crSolverOptions* options)
{
  crProblem problem = ode->problem;
  problem.absTol = ode->absTol;
  crSolver* solver = NULL;
  assert_int_equal(crCreateSolver(kind, &problem, options, NULL, NULL, &solver), cr_ok);
  assert_int_equal(crSolver_Restart(solver, ode->t0, ode->y0, NULL), cr_ok);
  return solver;
}

// --------------------------------------------------------------------------------------------- roots

static void ball_bounces_when_the_closed_form_says(void** state)
{
  (void)state;
  const double restitution = 0.8, tol = 1e-9;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = crMakeBouncingBall(tol);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, tol);
    double speed = sqrt(2.0 * 9.81), tBounce = speed / 9.81;
    for (int bounce = 0; bounce < 10;) {
      crOutcome outcome = crSolver_Step(solver, 100.0);
      assert_true(outcome == cr_outcomeStep || outcome == cr_outcomeRoot);
      if (outcome == cr_outcomeRoot) {
        assert_close(crSolver_GetTime(solver), tBounce, 1e-6);
        assert_int_equal(crSolver_GetRootSigns(solver)[0], -1);
        assert_true(crSolver_GetState(solver)[0] < 0.0 && crSolver_GetState(solver)[0] > -1e-12);
        speed *= restitution;
        tBounce += 2.0 * speed / 9.81;
        double y[2] = { 0.0, -restitution * crSolver_GetState(solver)[1] };
        assert_int_equal(crSolver_Restart(solver, crSolver_GetTime(solver), y, NULL), cr_ok);
        ++bounce;
      }
    }
    assert_int_equal(crSolver_GetStatistics(solver).restarts, 11);
    crDestroySolver(solver);
  }
}

// Zeros of cos at odd multiples of pi/2; the second function crosses the other way, the third never.
static crStatus rootOscillator(void* context, double t, const double* y, double* outRoots)
{
  (void)context;
  (void)t;
  outRoots[0] = y[0];
  outRoots[1] = -2.0 * y[0];
  outRoots[2] = y[0] + 3.0;
  return cr_ok;
}

static crTestOde makeRootedOscillator(double tol)
{
  crTestOde ode = crMakeOscillator(tol);
  ode.problem.computeRoots = rootOscillator;
  ode.problem.rootCount = 3;
  return ode;
}

static void steps_end_just_behind_a_root_and_say_its_sign(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = makeRootedOscillator(1e-8);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-8);
    int rootCount = 0;
    for (crOutcome outcome = cr_outcomeStep; outcome != cr_outcomeStop;) {
      outcome = crSolver_Step(solver, 20.0);
      assert_true(outcome != cr_outcomeFailed);
      if (outcome == cr_outcomeRoot) {
        double t = crSolver_GetTime(solver), before[2];
        int sign = rootCount % 2 == 0 ? -1 : 1;
        assert_close(t, (rootCount + 0.5) * CR_PI, 1e-6);
        assert_true(sign * crSolver_GetState(solver)[0] > 0.0);
        assert_int_equal(crSolver_GetRootSigns(solver)[0], sign);
        assert_int_equal(crSolver_GetRootSigns(solver)[1], -sign);
        assert_int_equal(crSolver_GetRootSigns(solver)[2], 0);
        assert_int_equal(crSolver_Interpolate(solver, t - 1e-12, before), cr_ok);
        assert_true(sign * before[0] < 0.0);
        ++rootCount;
      }
    }
    assert_int_equal(rootCount, 6);
    crDestroySolver(solver);
  }
}

// y = t; g is exactly 0 between 1 and 2, and changes its sign only at the end of that.
static crStatus rateTime(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  (void)y;
  outRates[0] = 1.0;
  return cr_ok;
}

static crStatus rootPlateau(void* context, double t, const double* y, double* outRoots)
{
  (void)context;
  (void)y;
  outRoots[0] = t < 1.0 ? 1.0 - t : t > 2.0 ? 2.0 - t : 0.0;
  return cr_ok;
}

static crTestOde makeTime(void)
{
  crTestOde ode = { .problem = { .n = 1, .computeRates = rateTime }, .absTol = { 1e-8 } };
  return ode;
}

static void exact_zeros_do_not_hide_a_root(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    for (double t0 = 0.0; t0 < 1.9; t0 += 1.5) { // from outside; from inside, where there is no sign yet
      crTestOde ode = makeTime();
      ode.problem.computeRoots = rootPlateau;
      ode.problem.rootCount = 1;
      ode.t0 = ode.y0[0] = t0;
      crSolverOptions options = { .relTol = 1e-8, .maxStep = 0.1, .firstStep = 0.0 };
      crSolver* solver = startWithOptions((crSolverKind)kind, &ode, &options);
      crOutcome outcome = cr_outcomeStep;
      while (outcome == cr_outcomeStep) {
        outcome = crSolver_Step(solver, 3.0);
      }
      assert_int_equal(outcome, t0 == 0.0 ? cr_outcomeRoot : cr_outcomeStop);
      if (t0 == 0.0) {
        assert_true(crSolver_GetTime(solver) > 2.0);
        assert_close(crSolver_GetTime(solver), 2.0, 1e-12);
      }
      crDestroySolver(solver);
    }
  }
}

// --------------------------------------------------------------------------------------------- stops

static void stops_are_exact_and_never_passed(void** state)
{
  (void)state;
  static const double stops[] = { 0.1, 0.1 + 1e-14, 0.7, 1.0, 1.0 + 1e-9, 3.3, 20.0 };
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = makeRootedOscillator(1e-7);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-7);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; ++i) {
      crOutcome outcome = cr_outcomeStep;
      while (outcome != cr_outcomeStop) {
        outcome = crSolver_Step(solver, stops[i]);
        assert_true(outcome != cr_outcomeFailed);
        assert_true(crSolver_GetTime(solver) <= stops[i]);
        assert_true(crSolver_GetTime(solver) > crSolver_GetStepStart(solver));
      }
      assert_true(crSolver_GetTime(solver) == stops[i]);
      assert_true(crFindError(solver, &ode) < 1e-4);
      assert_int_equal(crSolver_Step(solver, stops[i]), cr_outcomeStop); // there already
    }
    crDestroySolver(solver);
  }
}

// A root ends the caller's step inside the method's; a stop may then lie before the end of that.
static void a_stop_between_a_root_and_the_end_of_the_methods_step_is_kept(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = makeRootedOscillator(1e-7);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-7);
    while (crSolver_Step(solver, 10.0) == cr_outcomeStep) {
    }
    double stop = crSolver_GetTime(solver) + 1e-7;
    assert_int_equal(crSolver_Step(solver, stop), cr_outcomeStop);
    assert_true(crSolver_GetTime(solver) == stop);
    crRunTo(solver, 5.0);
    assert_true(crFindError(solver, &ode) < 1e-5);
    crDestroySolver(solver);
  }
}

static void the_end_and_the_output_do_not_change_the_way_there(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
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
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = crMakePendulum(1e-3);
    crSolverOptions options = { .relTol = 1e-3, .maxStep = 0.01, .firstStep = 1e-3 };
    crSolver* solver = startWithOptions((crSolverKind)kind, &ode, &options);
    crRunTo(solver, 1.0);
    crSolverStatistics statistics = crSolver_GetStatistics(solver);
    assert_true(statistics.largestStep <= 0.01 * (1.0 + 1e-12));
    assert_close(statistics.firstStep, 1e-3, 1e-15);
    crDestroySolver(solver);
  }
}

// -------------------------------------------------------------------------------------- interpolation

static void interpolation_is_as_good_as_the_steps_and_exact_at_the_ends(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    for (double tol = 1e-5; tol > 1e-10; tol *= 1e-2) {
      crTestOde ode = crMakePendulum(tol);
      crSolver* solver = crStartSolver((crSolverKind)kind, &ode, tol);
      double last[2], y[2], truth[2], worst = 0.0, worstEnd = 0.0;
      while (crSolver_GetTime(solver) < 10.0) {
        memcpy(last, crSolver_GetState(solver), sizeof last);
        assert_true(crSolver_Step(solver, 10.0) != cr_outcomeFailed);
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
        assert_int_equal(crSolver_Interpolate(solver, t1 + 1e-6, y), cr_errorMisuse);
        assert_int_equal(crSolver_Interpolate(solver, t0 - 1e-6, y), cr_errorMisuse);
      }
      // the steps of order 8 are much better than the tolerance
      if (!(worst < (kind == cr_solverDop853 ? 5.0 : 2.0) * (worstEnd + tol))) {
        fail_msg("%s: error %g at tolerance %g", crGetSolverInfo((crSolverKind)kind)->name, worst, tol);
      }
      crDestroySolver(solver);
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
  for (int kind = cr_solverDopri5; kind < cr_solverKindCount; ++kind) {
    double y = 0.0, absTol = 1e-3;
    crProblem problem = { .n = 1, .computeRates = ratePower, .absTol = &absTol };
    crSolverOptions options = { .relTol = 1e-3, .maxStep = 0.1, .firstStep = 0.1 };
    crSolver* solver = NULL;
    assert_int_equal(crCreateSolver((crSolverKind)kind, &problem, &options, NULL, NULL, &solver), cr_ok);
    assert_int_equal(crSolver_Restart(solver, 0.0, &y, NULL), cr_ok);
    for (int k = 0; crSolver_GetTime(solver) < 2.0; ++k) {
      double t0 = crSolver_GetTime(solver);
      assert_true(crSolver_Step(solver, 2.0) != cr_outcomeFailed);
      for (int i = 1; i < 8 && k > 0; ++i) {
        double t = t0 + (crSolver_GetTime(solver) - t0) * i / 8.0;
        assert_int_equal(crSolver_Interpolate(solver, t, &y), cr_ok);
        assert_close(y, t * t * t * t * t, 1e-12);
      }
    }
    crDestroySolver(solver);
  }
}

// Many points in each step cost as much as one.
static void output_of_explicit_methods_is_cheap(void** state)
{
  (void)state;
  for (int kind = cr_solverDopri5; kind <= cr_solverDop853; ++kind) {
    crTestOde ode = crMakePendulum(1e-9);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-9);
    while (crSolver_GetTime(solver) < 20.0) {
      crSolver_Step(solver, 20.0);
      int64_t before = crSolver_GetStatistics(solver).evaluations;
      for (int i = 1; i < 20; ++i) {
        double y[2], t0 = crSolver_GetStepStart(solver), t1 = crSolver_GetTime(solver);
        assert_int_equal(crSolver_Interpolate(solver, t0 + (t1 - t0) * i / 20.0, y), cr_ok);
      }
      int64_t cost = crSolver_GetStatistics(solver).evaluations - before;
      assert_int_equal(cost, kind == cr_solverDopri5 ? 0 : 3);
    }
    assert_true(crSolver_GetStatistics(solver).steps > 40);
    crDestroySolver(solver);
  }
}

// Stiff: the polynomial must not follow the steep rates of small errors.
static void interpolation_of_stiff_steps_stays_on_the_solution(void** state)
{
  (void)state;
  static const crSolverKind kinds[] = { cr_solverIda, cr_solverCvodeBdf, cr_solverRadau5 };
  for (int i = crTestFirstSolver(); i < 3; ++i) {
    crTestOde ode = crMakeVanDerPol(1e-6);
    crSolver* solver = crStartSolver(kinds[i], &ode, 1e-6);
    while (crSolver_GetTime(solver) < 0.5) {
      double y[2];
      assert_true(crSolver_Step(solver, 0.5) != cr_outcomeFailed);
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
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = makeRootedOscillator(1e-9);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-9);
    while (crSolver_GetTime(solver) < 5.0) {
      assert_close(crSolver_GetRates(solver)[0], crSolver_GetState(solver)[1], 1e-5);
      assert_close(crSolver_GetRates(solver)[1], -crSolver_GetState(solver)[0], 1e-5);
      assert_true(crSolver_Step(solver, 5.0) != cr_outcomeFailed);
    }
    crDestroySolver(solver);
  }
}

// ---------------------------------------------------------------------------------- redo and restart

static void redoing_a_step_equals_integrating_to_that_time(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    bool canRedo = crGetSolverInfo((crSolverKind)kind)->canRedo;
    crTestOde ode = crMakePendulum(1e-7);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-7);
    crRunTo(solver, 2.0);
    double y0[2], interpolated[2], t0 = crSolver_GetTime(solver);
    memcpy(y0, crSolver_GetState(solver), sizeof y0);
    crSolver_Step(solver, 10.0);
    double t = t0 + 0.6 * (crSolver_GetTime(solver) - t0);
    crSolver_Interpolate(solver, t, interpolated);
    assert_int_equal(crSolver_RedoTo(solver, t), canRedo ? cr_ok : cr_errorMisuse);
    if (canRedo) {
      crSolverOptions options = { .relTol = 1e-7, .maxStep = INFINITY, .firstStep = t - t0 };
      ode.t0 = t0;
      memcpy(ode.y0, y0, sizeof y0);
      crSolver* direct = startWithOptions((crSolverKind)kind, &ode, &options);
      crRunTo(direct, t);
      assert_true(crSolver_GetTime(solver) == t && crSolver_GetStepStart(solver) == t0);
      assert_true(isSame(crSolver_GetState(solver), crSolver_GetState(direct), 2));
      assert_close(crSolver_GetState(solver)[0], interpolated[0], 1e-7);
      assert_int_equal(crSolver_RedoTo(solver, t0), cr_errorMisuse);
      assert_int_equal(crSolver_RedoTo(solver, t + 1.0), cr_errorMisuse);
      crRunTo(solver, 10.0);
      assert_true(crFindError(solver, &ode) < 1e-5);
      crDestroySolver(direct);
    }
    crDestroySolver(solver);
  }
}

static void redoing_to_a_root_stays_at_the_root(void** state)
{
  (void)state;
  for (int kind = cr_solverDopri5; kind < cr_solverKindCount; ++kind) {
    crTestOde ode = makeRootedOscillator(1e-8);
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-8);
    while (crSolver_Step(solver, 10.0) != cr_outcomeRoot) {
    }
    double t = crSolver_GetTime(solver);
    assert_int_equal(crSolver_RedoTo(solver, t), cr_ok);
    assert_true(crSolver_GetTime(solver) == t);
    assert_close(crSolver_GetState(solver)[0], 0.0, 1e-7);
    assert_int_equal(crSolver_GetRootSigns(solver)[0], -1);
    crDestroySolver(solver);
  }
}

static void a_restart_forgets_the_past_to_the_last_bit(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = crMakePendulum(1e-8);
    crSolver* old = crStartSolver((crSolverKind)kind, &ode, 1e-8);
    crRunTo(old, 7.0);
    if (crGetSolverInfo((crSolverKind)kind)->canRedo) {
      assert_int_equal(crSolver_RedoTo(old, 0.5 * (crSolver_GetStepStart(old) + 7.0)), cr_ok);
    }
    ode.t0 = 1.0;
    ode.y0[0] = 0.3;
    ode.y0[1] = 1.1;
    crSolver* fresh = crStartSolver((crSolverKind)kind, &ode, 1e-8);
    assert_int_equal(crSolver_Restart(old, ode.t0, ode.y0, NULL), cr_ok);
    for (int i = 0; i < 100; ++i) {
      assert_int_equal(crSolver_Step(old, 100.0), crSolver_Step(fresh, 100.0));
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
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    crTestOde ode = crMakePendulum(1e-6);
    crSolverOptions options = { .relTol = 1e-6, .maxStep = 0.05, .firstStep = 0.05 };
    crSolver* old = startWithOptions((crSolverKind)kind, &ode, &options);
    double y[2], other[2];
    for (int i = 0; i < 5; ++i) {
      crSolver_Step(old, 10.0);
    }
    double t = 0.5 * (crSolver_GetStepStart(old) + crSolver_GetTime(old));
    assert_int_equal(crSolver_Interpolate(old, t, y), cr_ok);
    ode.y0[0] = 0.5;
    crSolver* fresh = startWithOptions((crSolverKind)kind, &ode, &options);
    assert_int_equal(crSolver_Restart(old, 0.0, ode.y0, NULL), cr_ok);
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

// With a first step of the options' own as well, which is longer.
static void the_first_step_after_a_restart_can_be_limited_once(void** state)
{
  (void)state;
  static const double firstSteps[] = { 0.0, 1e-2 };
  for (int i = 2 * crTestFirstSolver(); i < 2 * cr_solverKindCount; ++i) {
    crTestOde ode = crMakePendulum(1e-4);
    crSolverOptions options = { .relTol = 1e-4, .maxStep = INFINITY, .firstStep = firstSteps[i % 2] };
    crSolver* solver = startWithOptions((crSolverKind)(i / 2), &ode, &options);
    crSolver_Step(solver, 10.0);
    double natural = crSolver_GetTime(solver), limit = 0.01 * natural;
    crSolver_LimitFirstStep(solver, limit);
    crSolver_Step(solver, 10.0); // of the old start still
    double t = crSolver_GetTime(solver);
    assert_true(t - natural > limit);
    for (int restarts = 0; restarts < 3; ++restarts) {
      assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, NULL), cr_ok);
      assert_int_equal(crSolver_Step(solver, 10.0), cr_outcomeStep);
      assert_close(crSolver_GetTime(solver), restarts == 0 ? limit : natural, 1e-12 * natural);
      if (restarts == 0) {
        crRunTo(solver, 10.0);
        assert_true(crFindError(solver, &ode) < 1e-2);
      } else { // lifted again
        crSolver_LimitFirstStep(solver, limit);
        crSolver_LimitFirstStep(solver, 0.0);
      }
    }
    crDestroySolver(solver);
  }
}

// ---------------------------------------------------------------------------------------- statistics

typedef struct Counts {
  int64_t rates, roots;
} Counts;

static crStatus countRates(void* context, double t, const double* y, double* outRates)
{
  (void)t;
  ++((Counts*)context)->rates;
  outRates[0] = y[1];
  outRates[1] = -y[0];
  return cr_ok;
}

static crStatus countRoots(void* context, double t, const double* y, double* outRoots)
{
  (void)t;
  ++((Counts*)context)->roots;
  outRoots[0] = y[0];
  return cr_ok;
}

static void statistics_are_complete_and_go_on_over_restarts(void** state)
{
  (void)state;
  for (int kind = crTestFirstSolver(); kind < cr_solverKindCount; ++kind) {
    Counts counts = { 0, 0 };
    crTestOde ode = crMakeOscillator(1e-6);
    ode.problem.context = &counts;
    ode.problem.computeRates = countRates;
    ode.problem.computeRoots = countRoots;
    ode.problem.rootCount = 1;
    crSolver* solver = crStartSolver((crSolverKind)kind, &ode, 1e-6);
    crRunTo(solver, 10.0);
    crSolverStatistics first = crSolver_GetStatistics(solver);
    assert_int_equal(crSolver_Restart(solver, 0.0, ode.y0, NULL), cr_ok);
    crRunTo(solver, 10.0);
    crSolverStatistics both = crSolver_GetStatistics(solver);
    assert_int_equal(both.evaluations, counts.rates);
    assert_int_equal(both.rootEvaluations, counts.roots);
    assert_int_equal(both.restarts, 2);
    assert_int_equal(both.steps, 2 * first.steps);
    assert_int_equal(both.evaluations, 2 * first.evaluations);
    assert_int_equal(both.rejectedSteps, 2 * first.rejectedSteps);
    assert_int_equal(both.jacobians, 2 * first.jacobians);
    assert_int_equal(both.factorizations, 2 * first.factorizations);
    assert_true((both.jacobians > 0) == crGetSolverInfo((crSolverKind)kind)->isImplicit);
    assert_true(both.firstStep > 0.0 && both.smallestStep > 0.0 && both.smallestStep <= both.largestStep);
    assert_true(both.lastOrder >= 1 && both.lastOrder <= crGetSolverInfo((crSolverKind)kind)->order);
    crDestroySolver(solver);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ball_bounces_when_the_closed_form_says),
    cmocka_unit_test(steps_end_just_behind_a_root_and_say_its_sign),
    cmocka_unit_test(exact_zeros_do_not_hide_a_root),
    cmocka_unit_test(stops_are_exact_and_never_passed),
    cmocka_unit_test(a_stop_between_a_root_and_the_end_of_the_methods_step_is_kept),
    cmocka_unit_test(the_end_and_the_output_do_not_change_the_way_there),
    cmocka_unit_test(the_largest_step_is_kept),
    cmocka_unit_test(interpolation_is_as_good_as_the_steps_and_exact_at_the_ends),
    cmocka_unit_test(powers_up_to_the_fifth_are_interpolated_exactly),
    cmocka_unit_test(output_of_explicit_methods_is_cheap),
    cmocka_unit_test(interpolation_of_stiff_steps_stays_on_the_solution),
    cmocka_unit_test(rates_are_those_of_the_state),
    cmocka_unit_test(redoing_a_step_equals_integrating_to_that_time),
    cmocka_unit_test(redoing_to_a_root_stays_at_the_root),
    cmocka_unit_test(a_restart_forgets_the_past_to_the_last_bit),
    cmocka_unit_test(a_restart_forgets_what_was_kept_for_output),
    cmocka_unit_test(the_first_step_after_a_restart_can_be_limited_once),
    cmocka_unit_test(statistics_are_complete_and_go_on_over_restarts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
