// The problem's functions as the methods call them: counted, and checked for numbers that are not finite. And the first
// step, by looking ahead.
#include "base/elementary.h"
#include "solve/solver_inside.h"

#include <math.h>
#include <string.h>

crStatus crSolver_Judge(crSolver* solver, crStatus status, const double* result, int count)
{
  if (status < 0) {
    solver->functionStatus = status;
    return status;
  }
  for (int i = 0; status == cr_ok && i < count; ++i) {
    status = isfinite(result[i]) ? cr_ok : cr_retry;
  }
  solver->refusals += status == cr_retry;
  return status;
}

crStatus crSolver_EvalRates(crSolver* solver, double t, const double* y, double* outRates)
{
  const crProblem* problem = &solver->problem;
  size_t size = (size_t)problem->n * sizeof *y;
  if (solver->knowsRates && t == solver->t && memcmp(y, solver->y, size) == 0) {
    memcpy(outRates, solver->rates, size);
    solver->knowsRates = false;
    return cr_ok;
  }
  if (solver->functionStatus < 0) {
    return solver->functionStatus;
  }
  ++solver->statistics.evaluations;
  return crSolver_Judge(solver, problem->computeRates(problem->context, t, y, outRates), outRates, problem->n);
}

// --------------------------------------------------------------------------------------- first step

#define CR_BLIND_STEP 1e-6 // [s] when neither state nor rates say anything
#define CR_SMALL_NORM 1e-5 // of a state or rate in units of the tolerance: says nothing
#define CR_PROBES 8        // attempts to look ahead, each a tenth as far

// Root mean square in units of the tolerance.
static double computeNorm(const crSolver* solver, const double* values)
{
  const crProblem* problem = &solver->problem;
  double sum = 0.0;
  for (int i = 0; i < problem->n; ++i) {
    double weight = solver->relTol * fabs(solver->y[i]) + problem->absTol[i];
    sum += values[i] / weight * (values[i] / weight);
  }
  return sqrt(sum / problem->n);
}

// |y''| about, from the rates a little ahead; 0 when unknown. Shortens the look where it cannot be evaluated.
static double probeCurvature(crSolver* solver, double* step)
{
  double *y = solver->scratch[0], *rates = solver->scratch[1];
  for (int probe = 0; probe < CR_PROBES; ++probe) {
    for (int i = 0; i < solver->problem.n; ++i) {
      y[i] = solver->y[i] + *step * solver->rates[i];
    }
    crStatus status = crSolver_EvalRates(solver, solver->t + *step, y, rates);
    if (status != cr_retry) {
      for (int i = 0; i < solver->problem.n; ++i) {
        y[i] = rates[i] - solver->rates[i];
      }
      return status == cr_ok ? computeNorm(solver, y) / *step : 0.0;
    }
    *step *= 0.1;
  }
  return 0.0;
}

double crSolver_ChooseFirstStep(crSolver* solver, double tStop)
{
  double limit = fmin(fmin(solver->maxStep, solver->firstLimit), tStop - solver->t);
  bool wasKnown = solver->knowsRates;
  solver->knowsRates = false;
  double size = computeNorm(solver, solver->y), speed = computeNorm(solver, solver->rates);
  double look = size < CR_SMALL_NORM || speed < CR_SMALL_NORM ? CR_BLIND_STEP : 0.01 * size / speed;
  look = fmin(look, limit);
  double strength = fmax(speed, probeCurvature(solver, &look));
  double step = strength <= 1e-15 ? fmax(CR_BLIND_STEP, 1e-3 * look) : crPow(0.01 / strength, 0.5);
  solver->knowsRates = wasKnown;
  return fmin(fmin(100.0 * look, step), limit);
}
