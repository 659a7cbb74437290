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

#include <arkode/arkode_arkstep.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#define CR_NEWTON_SHARE 0.01        // of the tolerance, left to the iteration
#define CR_NEWTON_AT_ONCE 1e-3      // of that: a first correction so small needs no second
#define CR_NEWTON_FLOOR DBL_EPSILON // of the state: corrections do not get smaller
#define CR_NEWTON_LIMIT 10          // corrections

#define CR_MIN_STEP_RATIO 0.2 // of the step before to the last one, for a third end to be of use

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
  crSolver_LoadTolerances(solver);
  return ARKStepSVtolerances(solver->integrator, solver->options.relTol, solver->vector) == ARK_SUCCESS;
}

static bool setOptions(crSolver* solver)
{
  void* ark = solver->integrator;
  return setTolerances(solver) && ARKStepSetUserData(ark, solver) == ARK_SUCCESS &&
         ARKStepSetErrHandlerFn(ark, crKeepMessage, solver) == ARK_SUCCESS &&
         ARKStepSetTableNum(ark, ARKODE_ESDIRK547L2SA2_7_4_5, ARKODE_ERK_NONE) == ARK_SUCCESS &&
         ARKStepSetDeduceImplicitRhs(ark, SUNTRUE) == ARK_SUCCESS &&
         ARKStepSetInterpolantDegree(ark, 3) == ARK_SUCCESS && // degrees above 3 call f
         ARKStepSetMaxStep(ark, crSolver_GetMaxStep(solver)) == ARK_SUCCESS &&
         ARKStepSetMaxHnilWarns(ark, -1) == ARK_SUCCESS &&
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
         ARKStepSetJacFn(ark, crComputeRateMatrix) == ARK_SUCCESS;
}

static crStatus create(crSolver* solver)
{
  solver->integrator = ARKStepCreate(NULL, crComputeRates, 0.0, solver->vector, solver->context);
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
  crSolver_LoadState(solver);
  return ARKStepReInit(solver->integrator, NULL, crComputeRates, solver->to.t, solver->vector);
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
  crSolver_ReadState(solver, solver->to.y);
  flag = ARKStepGetDky(ark, tReached, 1, solver->rateVector); // the last stage's, as stored
  crSolver_ReadRates(solver, solver->to.rates);
  solver->to.t = tReached;
  return toTrouble(flag);
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

static crAccount getAccount(const crSolver* solver)
{
  void* integrator = solver->integrator;
  long errors = 0, convergence = 0, setups = 0;
  crAccount account = { .lastOrder = solver->method->info.order };
  ARKStepGetNumErrTestFails(integrator, &errors);
  ARKStepGetNumStepSolveFails(integrator, &convergence);
  ARKStepGetNumLinSolvSetups(integrator, &setups);
  account.rejectedSteps = errors + convergence;
  account.factorizations = setups;
  ARKStepGetLastStep(integrator, &account.lastStep);
  ARKStepGetCurrentStep(integrator, &account.triedStep);
  return account;
}

static bool getErrors(crSolver* solver)
{
  return ARKStepGetEstLocalErrors(solver->integrator, solver->vector) == ARK_SUCCESS &&
         ARKStepGetErrWeights(solver->integrator, solver->rateVector) == ARK_SUCCESS;
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
  .getAccount = getAccount,
  .getErrors = getErrors,
};
