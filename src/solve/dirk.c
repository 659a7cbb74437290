// A diagonally implicit Runge-Kutta method of order 5 by ARKODE: ESDIRK5(4)7L[2]SA2 of [KennedyCarpenter19]. It is
// L-stable and stiffly accurate: the last stage is the end of the step, so its error estimate does not vanish where a
// stiff component settles.
//
// Rates at the ends of steps are what the stage equations imply, not f: in stiff directions f multiplies the
// iteration's small error by the stiffness. Interpolation is the polynomial of degree 5 through states and rates of the
// last three ends, or of degree 3 through those of the last step: in the first one, and where steps grew so much that
// the third end is too near to help.
#include "solve/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <arkode/arkode_arkstep.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#define CR_NEWTON_SHARE 0.01        // of the tolerance, left to the iteration
#define CR_NEWTON_AT_ONCE 1e-3      // of that: a first correction so small needs no second
#define CR_NEWTON_FLOOR DBL_EPSILON // of the state: corrections do not get smaller
#define CR_NEWTON_LIMIT 10          // corrections

#define CR_MIN_STEP_RATIO 0.2 // of the step before to the last one, for a third end to be of use

static int computeRates(realtype t, N_Vector y, N_Vector rates, void* context)
{
  return crSunFlag(crSolver_EvalRates(context, t, NV_DATA_S(y), NV_DATA_S(rates)));
}

static int computeJacobian(realtype t, N_Vector y, N_Vector rates, SUNMatrix out, void* context, N_Vector a, N_Vector b,
                           N_Vector c)
{
  (void)a;
  (void)b;
  (void)c;
  crSolver* solver = context;
  realtype h = 0.0;
  ARKStepGetCurrentStep(solver->integrator, &h);
  return crSolver_EvalRateMatrix(solver, t, h, NV_DATA_S(y), NV_DATA_S(rates), out);
}

// Whether Newton's iteration is at its end. The error left is estimated from two corrections in a row. ARKODE's own
// test remembers how fast it converged before: once that was fast, as in any linear problem, it takes the first
// correction for the last one even when the Jacobian is old, and results were wrong by 1e-2 at a tolerance of 1e-8.
static int testConvergence(SUNNonlinearSolver iteration, N_Vector sum, N_Vector correction, realtype tolerance,
                           N_Vector weights, void* context)
{
  (void)sum;
  crSolver* solver = context;
  int count = 0;
  SUNNonlinSolGetCurIter(iteration, &count);
  double size = N_VWrmsNorm(correction, weights), ratio = size / solver->lastCorrection;
  solver->lastCorrection = size;
  if (size <= CR_NEWTON_FLOOR * N_VWrmsNorm(solver->vector, weights)) {
    return SUN_NLS_SUCCESS;
  }
  if (count == 0) {
    return size <= CR_NEWTON_AT_ONCE * tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
  }
  if (!(ratio < 1.0)) {
    return SUN_NLS_CONV_RECVR;
  }
  return ratio / (1.0 - ratio) * size <= tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
}

// -------------------------------------------------------------------------------------------- create

static bool setTolerances(crSolver* solver)
{
  memcpy(NV_DATA_S(solver->vector), solver->problem.absTol, (size_t)solver->problem.n * sizeof(double));
  return ARKStepSVtolerances(solver->integrator, solver->options.relTol, solver->vector) == ARK_SUCCESS;
}

static bool setOptions(crSolver* solver)
{
  void* ark = solver->integrator;
  double maxStep = isinf(solver->options.maxStep) ? 0.0 : solver->options.maxStep; // 0: no limit
  return setTolerances(solver) && ARKStepSetUserData(ark, solver) == ARK_SUCCESS &&
         ARKStepSetErrHandlerFn(ark, crKeepMessage, solver) == ARK_SUCCESS &&
         ARKStepSetTableNum(ark, ARKODE_ESDIRK547L2SA2_7_4_5, ARKODE_ERK_NONE) == ARK_SUCCESS &&
         ARKStepSetDeduceImplicitRhs(ark, SUNTRUE) == ARK_SUCCESS &&
         ARKStepSetInterpolantDegree(ark, 3) == ARK_SUCCESS && // degrees above 3 call f
         ARKStepSetMaxStep(ark, maxStep) == ARK_SUCCESS && ARKStepSetMaxHnilWarns(ark, -1) == ARK_SUCCESS &&
         ARKStepSetMaxErrTestFails(ark, CR_MAX_SHRINKS) == ARK_SUCCESS &&
         ARKStepSetMaxConvFails(ark, CR_MAX_SHRINKS) == ARK_SUCCESS;
}

static bool setIteration(crSolver* solver)
{
  void* ark = solver->integrator;
  solver->iteration = SUNNonlinSol_Newton(solver->vector, solver->context);
  return solver->iteration != NULL && ARKStepSetNonlinearSolver(ark, solver->iteration) == ARK_SUCCESS &&
         SUNNonlinSolSetConvTestFn(solver->iteration, testConvergence, solver) == SUN_NLS_SUCCESS &&
         ARKStepSetNonlinConvCoef(ark, CR_NEWTON_SHARE) == ARK_SUCCESS &&
         ARKStepSetMaxNonlinIters(ark, CR_NEWTON_LIMIT) == ARK_SUCCESS &&
         ARKStepSetPredictorMethod(ark, 1) == ARK_SUCCESS && // by the last step's polynomial
         ARKStepSetLinearSolver(ark, solver->linear.solver, solver->linear.matrix) == ARK_SUCCESS &&
         ARKStepSetJacFn(ark, computeJacobian) == ARK_SUCCESS;
}

static crStatus create(crSolver* solver)
{
  solver->integrator = ARKStepCreate(NULL, computeRates, 0.0, solver->vector, solver->context);
  bool isMade = solver->integrator != NULL && setOptions(solver) && setIteration(solver);
  return isMade ? cr_ok : cr_errorMemory;
}

static void destroy(crSolver* solver)
{
  if (solver->integrator != NULL) {
    ARKStepFree(&solver->integrator);
  }
}

// --------------------------------------------------------------------------------------------- steps

static crTrouble toTrouble(int flag)
{
  switch (flag) {
    case ARK_SUCCESS:
    case ARK_TSTOP_RETURN: return cr_troubleNone;
    case ARK_ERR_FAILURE: return cr_troubleStep;
    case ARK_CONV_FAILURE: return cr_troubleEquations;
    case ARK_REPTD_RHSFUNC_ERR:
    case ARK_UNREC_RHSFUNC_ERR:
    case ARK_RHSFUNC_FAIL: return cr_troubleUndefined;
    case ARK_TOO_MUCH_ACC: return cr_troubleTolerance;
    case ARK_LSETUP_FAIL:
    case ARK_LSOLVE_FAIL: return cr_troubleMatrix;
    default: return cr_troubleInside;
  }
}

static int startFromTo(crSolver* solver)
{
  memcpy(NV_DATA_S(solver->vector), solver->to.y, (size_t)solver->problem.n * sizeof(double));
  return ARKStepReInit(solver->integrator, NULL, computeRates, solver->to.t, solver->vector);
}

static crTrouble restart(crSolver* solver, bool knowsRates)
{
  (void)knowsRates;
  return toTrouble(startFromTo(solver));
}

static void setFirstStep(crSolver* solver, double step)
{
  ARKStepSetInitStep(solver->integrator, step);
}

static crTrouble step(crSolver* solver, double tStop)
{
  void* ark = solver->integrator;
  double tEnd = fmin(tStop, DBL_MAX), tReached = 0.0;
  ARKStepSetStopTime(ark, tEnd);
  int flag = ARKStepEvolve(ark, tEnd, solver->vector, &tReached, ARK_ONE_STEP);
  if (flag < 0) {
    return toTrouble(flag);
  }
  size_t size = (size_t)solver->problem.n * sizeof(double);
  memcpy(solver->to.y, NV_DATA_S(solver->vector), size);
  flag = ARKStepGetDky(ark, tReached, 1, solver->rateVector); // the last stage's, as stored
  memcpy(solver->to.rates, NV_DATA_S(solver->rateVector), size);
  solver->to.t = tReached;
  return toTrouble(flag);
}

static crTrouble redo(crSolver* solver, double t)
{
  size_t size = (size_t)solver->problem.n * sizeof(double);
  solver->to.t = solver->from.t;
  memcpy(solver->to.y, solver->from.y, size);
  memcpy(solver->to.rates, solver->from.rates, size);
  crTrouble trouble = toTrouble(startFromTo(solver));
  setFirstStep(solver, t - solver->from.t);
  while (trouble == cr_troubleNone && solver->to.t < t) {
    double tBefore = solver->to.t;
    trouble = step(solver, t);
    crSolver_CountStep(solver, true);
    trouble = trouble == cr_troubleNone && solver->to.t <= tBefore ? cr_troubleStep : trouble;
  }
  return trouble;
}

// ------------------------------------------------------------------------------------- interpolation

static crTrouble interpolate(crSolver* solver, double t, double* outY, double* outRates)
{
  const crPoint *from = &solver->from, *to = &solver->to, *before = &solver->before[0];
  bool isNear = solver->beforeCount == 0 || from->t - before->t < CR_MIN_STEP_RATIO * (to->t - from->t);
  crHermite hermite = crMakeHermite(from, to);
  if (!isNear) {
    crHermite_AddPoint(&hermite, before);
  }
  crHermite_Compute(&hermite, solver->problem.n, t, outY, outRates);
  return cr_troubleNone;
}

// ------------------------------------------------------------------------------------------- account

static crCounters getCounters(const crSolver* solver)
{
  long errors = 0, convergence = 0, setups = 0;
  ARKStepGetNumErrTestFails(solver->integrator, &errors);
  ARKStepGetNumStepSolveFails(solver->integrator, &convergence);
  ARKStepGetNumLinSolvSetups(solver->integrator, &setups);
  return (crCounters){ errors + convergence, setups };
}

static double getLastStep(const crSolver* solver)
{
  double step = 0.0;
  ARKStepGetLastStep(solver->integrator, &step);
  return step;
}

static double getTriedStep(const crSolver* solver)
{
  double step = 0.0;
  ARKStepGetCurrentStep(solver->integrator, &step);
  return step;
}

static int getLastOrder(const crSolver* solver)
{
  return solver->method->info.order;
}

static bool getErrors(crSolver* solver, double* outErrors)
{
  bool isKnown = ARKStepGetEstLocalErrors(solver->integrator, solver->vector) == ARK_SUCCESS &&
                 ARKStepGetErrWeights(solver->integrator, solver->rateVector) == ARK_SUCCESS;
  for (int i = 0; isKnown && i < solver->problem.n; ++i) {
    outErrors[i] = NV_Ith_S(solver->vector, i) * NV_Ith_S(solver->rateVector, i);
  }
  return isKnown;
}

const crMethod crDirk5Method = {
  .info = { .name = "dirk5",
            .about = "diagonally implicit Runge-Kutta of order 5, for stiff problems (ARKODE)",
            .isImplicit = true,
            .canRedo = true,
            .order = 5 },
  .startOrder = 5,
  .needsPattern = true,
  .create = create,
  .destroy = destroy,
  .restart = restart,
  .setFirstStep = setFirstStep,
  .step = step,
  .interpolate = interpolate,
  .redo = redo,
  .getCounters = getCounters,
  .getLastStep = getLastStep,
  .getTriedStep = getTriedStep,
  .getLastOrder = getLastOrder,
  .getErrors = getErrors,
};
