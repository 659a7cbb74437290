// Differential equations with known solutions.
#include "support/ode.h"

#include <string.h>

static crTestOde make(double tol, int n, const double* y0)
{
  crTestOde ode = { .problem = { .n = n } };
  memcpy(ode.y0, y0, (size_t)n * sizeof *y0);
  for (int i = 0; i < n; ++i) {
    ode.absTol[i] = 0.01 * tol;
  }
  return ode;
}

// ----------------------------------------------------------------------------------------- oscillator

static crStatus rateOscillator(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = y[1];
  outRates[1] = -y[0];
  return cr_ok;
}

static void solveOscillator(double t, double* outY)
{
  outY[0] = cos(t);
  outY[1] = -sin(t);
}

crTestOde crMakeOscillator(double tol)
{
  crTestOde ode = make(tol, 2, (double[]){ 1.0, 0.0 });
  ode.problem.computeRates = rateOscillator;
  ode.computeTruth = solveOscillator;
  return ode;
}

// ------------------------------------------------------------------------------------------- pendulum

static crStatus ratePendulum(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = y[1];
  outRates[1] = -sin(y[0]);
  return cr_ok;
}

#define LANDEN_STEPS 12

// Jacobi's elliptic functions of modulus k by the arithmetic-geometric mean.
static void computeJacobi(double u, double k, double* sn, double* cn, double* dn)
{
  double a[LANDEN_STEPS + 1], c[LANDEN_STEPS + 1], b = sqrt(1.0 - k * k);
  a[0] = 1.0;
  c[0] = k;
  for (int i = 0; i < LANDEN_STEPS; ++i) {
    a[i + 1] = 0.5 * (a[i] + b);
    c[i + 1] = 0.5 * (a[i] - b);
    b = sqrt(a[i] * b);
  }
  double phi = ldexp(a[LANDEN_STEPS] * u, LANDEN_STEPS);
  for (int i = LANDEN_STEPS; i > 0; --i) {
    phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
  }
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = sqrt(1.0 - k * k * *sn * *sn);
}

// sin(y / 2) = k cd(t, k), k = sin(y0 / 2)
static void solvePendulum(double t, double* outY)
{
  double k = sin(1.0), sn, cn, dn;
  computeJacobi(t, k, &sn, &cn, &dn);
  double x = k * cn / dn, rate = -k * (1.0 - k * k) * sn / (dn * dn);
  outY[0] = 2.0 * asin(x);
  outY[1] = 2.0 * rate / sqrt(1.0 - x * x);
}

crTestOde crMakePendulum(double tol)
{
  crTestOde ode = make(tol, 2, (double[]){ 2.0, 0.0 });
  ode.problem.computeRates = ratePendulum;
  ode.computeTruth = solvePendulum;
  return ode;
}

// ---------------------------------------------------------------------------------------------- stiff

static crStatus rateVanDerPol(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = y[1];
  outRates[1] = 1e6 * ((1.0 - y[0] * y[0]) * y[1] - y[0]);
  return cr_ok;
}

crTestOde crMakeVanDerPol(double tol)
{
  crTestOde ode = make(tol, 2, (double[]){ 2.0, 0.0 });
  ode.problem.computeRates = rateVanDerPol;
  return ode;
}

static crStatus rateRobertson(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  double slow = 0.04 * y[0], fast = 1e4 * y[1] * y[2], fastest = 3e7 * y[1] * y[1];
  outRates[0] = fast - slow;
  outRates[1] = slow - fast - fastest;
  outRates[2] = fastest;
  return cr_ok;
}

crTestOde crMakeRobertson(double tol)
{
  crTestOde ode = make(tol, 3, (double[]){ 1.0, 0.0, 0.0 });
  ode.problem.computeRates = rateRobertson;
  return ode;
}

// ------------------------------------------------------------------------------------------------ dae

static crStatus residualDae(void* context, double t, const double* y, const double* yp, double* outResidual)
{
  (void)context;
  outResidual[0] = yp[0] - y[1] + y[0];
  outResidual[1] = y[1] + y[0] - cos(t);
  return cr_ok;
}

static crStatus rateDae(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  outRates[0] = y[1] - y[0];
  outRates[1] = -sin(t) - outRates[0];
  return cr_ok;
}

// y' = -2 y + cos t from y(0) = 1
static void solveDae(double t, double* outY)
{
  outY[0] = (2.0 * cos(t) + sin(t)) / 5.0 + 0.6 * exp(-2.0 * t);
  outY[1] = cos(t) - outY[0];
}

crTestOde crMakeLinearDae(double tol)
{
  crTestOde ode = make(tol, 2, (double[]){ 1.0, 0.0 });
  ode.problem.computeResidual = residualDae;
  ode.problem.computeRates = rateDae;
  ode.computeTruth = solveDae;
  return ode;
}

// -------------------------------------------------------------------------------------------- blow-up

static crStatus rateBlowUp(void* context, double t, const double* y, double* outRates)
{
  (void)context;
  (void)t;
  outRates[0] = -y[0];
  outRates[1] = y[1] * y[1];
  return cr_ok;
}

static const char* nameBlowUp(void* context, int component)
{
  (void)context;
  return component == 0 ? "calm" : "wild";
}

crTestOde crMakeBlowUp(double tol)
{
  crTestOde ode = make(tol, 2, (double[]){ 1.0, 1.0 });
  ode.problem.computeRates = rateBlowUp;
  ode.problem.nameOf = nameBlowUp;
  return ode;
}

// --------------------------------------------------------------------------------------------- running

static crStatus computeRates(void* context, double t, const double* y, double* outRates)
{
  const crProblem* problem = &((const crTestOde*)context)->problem;
  return problem->computeRates(problem->context, t, y, outRates);
}

static crStatus computeResidual(void* context, double t, const double* y, const double* yp, double* outResidual)
{
  const crProblem* problem = &((const crTestOde*)context)->problem;
  if (problem->computeResidual != NULL) {
    return problem->computeResidual(problem->context, t, y, yp, outResidual);
  }
  crStatus status = problem->computeRates(problem->context, t, y, outResidual);
  for (int i = 0; i < problem->n; ++i) {
    outResidual[i] = yp[i] - outResidual[i];
  }
  return status;
}

static const char* nameOf(void* context, int component)
{
  const crProblem* problem = &((const crTestOde*)context)->problem;
  return problem->nameOf(problem->context, component);
}

const crSparsity* crGetFullPattern(int n)
{
  static const int rows[][CR_MAX_TEST_N * CR_MAX_TEST_N] = {
    { 0 }, { 0, 1, 0, 1 }, { 0, 1, 2, 0, 1, 2, 0, 1, 2 }, { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3 }
  };
  static const int starts[][CR_MAX_TEST_N + 1] = { { 0, 1 }, { 0, 2, 4 }, { 0, 3, 6, 9 }, { 0, 4, 8, 12, 16 } };
  static const crSparsity patterns[CR_MAX_TEST_N] = {
    { 1, starts[0], rows[0] }, { 2, starts[1], rows[1] }, { 3, starts[2], rows[2] }, { 4, starts[3], rows[3] }
  };
  return &patterns[n - 1];
}

crSolver* crCreateTestSolver(crSolverKind kind, const crTestOde* ode, double tol, double maxStep,
                             const crAllocator* allocator)
{
  const crProblem problem = { .n = ode->problem.n,
                              .context = (void*)ode,
                              .computeRates = computeRates,
                              .computeResidual = computeResidual,
                              .pattern = ode->problem.pattern != NULL ? ode->problem.pattern
                                                                      : crGetFullPattern(ode->problem.n),
                              .absTol = ode->problem.absTol != NULL ? ode->problem.absTol : ode->absTol,
                              .nameOf = ode->problem.nameOf != NULL ? nameOf : NULL };
  crSolver* solver = NULL;
  crStatus status = crCreateSolver(kind, &problem, tol, maxStep, allocator, NULL, &solver);
  assert_true(status == (solver != NULL ? cr_ok : cr_errorMemory));
  return solver;
}

crSolver* crStartSolver(crSolverKind kind, const crTestOde* ode, double tol)
{
  crSolver* solver = crCreateTestSolver(kind, ode, tol, INFINITY, NULL);
  crStatus status = crSolver_Restart(solver, ode->t0, ode->y0, 0.0);
  if (status != cr_ok) {
    fail_msg("%s: %s", crGetSolverInfo(kind)->name, crSolver_GetFailure(solver).message);
  }
  return solver;
}

crStatus crStepTo(crSolver* solver, double t)
{
  crStatus status = cr_ok;
  while (status == cr_ok && crSolver_GetTime(solver) < t) {
    status = crSolver_Step(solver, t);
  }
  return status;
}

void crRunTo(crSolver* solver, double t)
{
  if (crStepTo(solver, t) != cr_ok) {
    fail_msg("%s", crSolver_GetFailure(solver).message);
  }
}

double crFindError(const crSolver* solver, const crTestOde* ode)
{
  double truth[CR_MAX_TEST_N], error = 0.0;
  ode->computeTruth(crSolver_GetTime(solver), truth);
  for (int i = 0; i < ode->problem.n; ++i) {
    error = fmax(error, fabs(crSolver_GetState(solver)[i] - truth[i]));
  }
  return error;
}
