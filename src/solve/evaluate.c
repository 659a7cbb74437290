// The problem's functions as the methods call them: counted, checked for numbers that are not finite, and with
// Jacobians by differences where the problem has none of its own.
#include "base/elementary.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

// A failure stays until the restart: some of SUNDIALS' iterations take it for a retry and would go on calling.
static crStatus judge(crSolver* solver, crStatus status, const double* result, int count)
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

int crSunFlag(crStatus status)
{
  return status == cr_ok ? 0 : status > 0 ? 1 : -1;
}

crStatus crSolver_EvalRates(crSolver* solver, double t, const double* y, double* outRates)
{
  const crProblem* problem = &solver->problem;
  size_t size = (size_t)problem->n * sizeof *y;
  if (solver->knowsRates && t == solver->to.t && memcmp(y, solver->to.y, size) == 0) {
    memcpy(outRates, solver->to.rates, size);
    solver->knowsRates = false;
    return cr_ok;
  }
  if (solver->functionStatus < 0) {
    return solver->functionStatus;
  }
  ++solver->statistics.evaluations;
  return judge(solver, problem->computeRates(problem->context, t, y, outRates), outRates, problem->n);
}

crStatus crSolver_EvalResidual(crSolver* solver, double t, const double* y, const double* yp, double* outResidual)
{
  const crProblem* problem = &solver->problem;
  if (solver->functionStatus < 0) {
    return solver->functionStatus;
  }
  if (problem->computeResidual != NULL) {
    ++solver->statistics.evaluations;
    crStatus status = problem->computeResidual(problem->context, t, y, yp, outResidual);
    return judge(solver, status, outResidual, problem->n);
  }
  crStatus status = crSolver_EvalRates(solver, t, y, outResidual);
  for (int i = 0; status == cr_ok && i < problem->n; ++i) {
    outResidual[i] = yp[i] - outResidual[i];
  }
  return status;
}

crStatus crSolver_EvalProjection(crSolver* solver, double t, double* y)
{
  const crProblem* problem = &solver->problem;
  return judge(solver, problem->project(problem->context, t, y), y, problem->n);
}

crStatus crSolver_EvalRoots(crSolver* solver, double t, const double* y, double* outRoots)
{
  const crProblem* problem = &solver->problem;
  if (problem->rootCount == 0) {
    return cr_ok;
  }
  ++solver->statistics.rootEvaluations;
  return judge(solver, problem->computeRoots(problem->context, t, y, outRoots), outRoots, problem->rootCount);
}

int crComputeRates(realtype t, N_Vector y, N_Vector rates, void* context)
{
  return crSunFlag(crSolver_EvalRates(context, t, NV_DATA_S(y), NV_DATA_S(rates)));
}

// ---------------------------------------------------------------------------------------- Jacobians

static crStatus evaluateRates(void* context, double t, const double* y, const double* yp, double* outResult)
{
  (void)yp;
  return crSolver_EvalRates(context, t, y, outResult);
}

static crStatus evaluateResidual(void* context, double t, const double* y, const double* yp, double* outResult)
{
  return crSolver_EvalResidual(context, t, y, yp, outResult);
}

static crStatus computeDifferences(crSolver* solver, double h, const crDifferences* differences, const double* yp)
{
  crJacobian* jacobian = &solver->linear.jacobian;
  crJacobian_SetIncrements(jacobian, h, differences->y, yp, solver->problem.absTol, solver->options.relTol);
  return crJacobian_ComputeDifferences(jacobian, differences);
}

static crStatus judgeValues(crSolver* solver, crStatus status)
{
  const crJacobian* jacobian = &solver->linear.jacobian;
  ++solver->statistics.jacobians;
  return judge(solver, status, jacobian->values, jacobian->pattern.columnStarts[jacobian->pattern.n]);
}

static crStatus evalRateValues(crSolver* solver, double t, double h, const double* y, const double* rates)
{
  const crProblem* problem = &solver->problem;
  if (problem->computeJacobian != NULL) {
    return judgeValues(solver, problem->computeJacobian(problem->context, t, y, solver->linear.jacobian.values));
  }
  crDifferences differences = { evaluateRates, solver, t, 0.0, y, NULL, rates };
  return judgeValues(solver, computeDifferences(solver, h, &differences, rates));
}

int crSolver_EvalRateMatrix(crSolver* solver, double t, double h, const double* y, const double* rates, SUNMatrix out)
{
  crStatus status = evalRateValues(solver, t, h, y, rates);
  if (status == cr_ok) {
    crLinear_Fill(&solver->linear, 1.0, 0.0, out);
  }
  return crSunFlag(status);
}

int crComputeRateMatrix(realtype t, N_Vector y, N_Vector rates, SUNMatrix out, void* context, N_Vector a, N_Vector b,
                        N_Vector c)
{
  (void)a;
  (void)b;
  (void)c;
  crSolver* solver = context;
  double h = solver->method->getAccount(solver).triedStep;
  return crSolver_EvalRateMatrix(solver, t, h, NV_DATA_S(y), NV_DATA_S(rates), out);
}

// F = y' - f: c I - df/dy.
static crStatus evalMatrixOfRates(crSolver* solver, double t, double h, double c, const double* y, const double* yp,
                                  const double* residual, SUNMatrix out)
{
  for (int i = 0; i < solver->problem.n; ++i) {
    solver->scratch[i] = yp[i] - residual[i];
  }
  crStatus status = evalRateValues(solver, t, h, y, solver->scratch);
  if (status == cr_ok) {
    crLinear_Fill(&solver->linear, -1.0, c, out);
  }
  return status;
}

int crSolver_EvalResidualMatrix(crSolver* solver, double t, double h, double c, const double* y, const double* yp,
                                const double* residual, SUNMatrix out)
{
  const crProblem* problem = &solver->problem;
  crStatus status;
  if (problem->computeResidual == NULL) {
    return crSunFlag(evalMatrixOfRates(solver, t, h, c, y, yp, residual, out));
  }
  if (problem->computeResidualJacobian != NULL) {
    double* values = solver->linear.jacobian.values;
    status = judgeValues(solver, problem->computeResidualJacobian(problem->context, t, c, y, yp, values));
  } else {
    crDifferences differences = { evaluateResidual, solver, t, c, y, yp, residual };
    status = judgeValues(solver, computeDifferences(solver, h, &differences, yp));
  }
  if (status == cr_ok) {
    crLinear_Fill(&solver->linear, 1.0, 0.0, out);
  }
  return crSunFlag(status);
}

// --------------------------------------------------------------------------------------- first step

#define CR_BLIND_STEP 1e-6 // [s] when neither state nor rates say anything
#define CR_SMALL_NORM 1e-5 // of a state or rate in units of the tolerance: says nothing
#define CR_PROBES 8        // attempts to look ahead, each a tenth as far

// Root mean square in units of the tolerance, over the components that have rates.
static double computeNorm(const crSolver* solver, const double* values)
{
  const crProblem* problem = &solver->problem;
  double sum = 0.0;
  for (int i = 0; i < problem->n; ++i) {
    if (problem->isAlgebraic == NULL || !problem->isAlgebraic[i]) {
      double weight = solver->options.relTol * fabs(solver->to.y[i]) + problem->absTol[i];
      sum += values[i] / weight * (values[i] / weight);
    }
  }
  return sqrt(sum / problem->n);
}

// |y''| about, from the rates a little ahead; 0 when unknown. Shortens the look where it cannot be evaluated.
static double probeCurvature(crSolver* solver, double* step)
{
  const crPoint* to = &solver->to;
  double* y = solver->scratch;
  double* rates = solver->before[0].rates; // not in use before the second step
  for (int probe = 0; probe < CR_PROBES && solver->problem.computeRates != NULL; ++probe) {
    for (int i = 0; i < solver->problem.n; ++i) {
      y[i] = to->y[i] + *step * to->rates[i];
    }
    crStatus status = crSolver_EvalRates(solver, to->t + *step, y, rates);
    if (status != cr_retry) {
      for (int i = 0; i < solver->problem.n; ++i) {
        y[i] = rates[i] - to->rates[i];
      }
      return status == cr_ok ? computeNorm(solver, y) / *step : 0.0;
    }
    *step *= 0.1;
  }
  return 0.0;
}

double crSolver_ChooseFirstStep(crSolver* solver, double tStop)
{
  double limit = fmin(fmin(solver->options.maxStep, solver->firstLimit), tStop - solver->to.t);
  if (solver->options.firstStep > 0.0) {
    return fmin(solver->options.firstStep, limit);
  }
  bool wasKnown = solver->knowsRates;
  solver->knowsRates = false;
  double size = computeNorm(solver, solver->to.y), speed = computeNorm(solver, solver->to.rates);
  double look = size < CR_SMALL_NORM || speed < CR_SMALL_NORM ? CR_BLIND_STEP : 0.01 * size / speed;
  look = fmin(look, limit);
  double strength = fmax(speed, probeCurvature(solver, &look));
  double step = strength <= 1e-15 ? fmax(CR_BLIND_STEP, 1e-3 * look)
                                  : crPow(0.01 / strength, 1.0 / (solver->method->startOrder + 1));
  solver->knowsRates = wasKnown;
  return fmin(fmin(100.0 * look, step), limit);
}
