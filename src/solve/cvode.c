// CVODE: BDF of variable order and step size for y' = f(t, y), with Newton's iteration, for stiff problems
// [HindmarshEtAl05].
//
// The first step is ours: CVODE's own choice depends on the stop time, and with it every bit of the result.
#include "solve/sundials.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <cvode/cvode.h>

static int computeRates(realtype t, N_Vector y, N_Vector rates, void* context)
{
  return crSunFlag(crSolver_EvalRates(context, t, NV_DATA_S(y), NV_DATA_S(rates)));
}

static int computeMatrix(realtype t, N_Vector y, N_Vector rates, SUNMatrix out, void* context, N_Vector a, N_Vector b,
                         N_Vector c)
{
  (void)a;
  (void)b;
  (void)c;
  crSolver* solver = context;
  double h = solver->method->getAccount(solver).triedStep;
  return crSolver_EvalRateMatrix(solver, t, h, NV_DATA_S(y), NV_DATA_S(rates), out);
}

// -------------------------------------------------------------------------------------------- create

static bool setTolerances(crSolver* solver)
{
  crSolver_LoadTolerances(solver);
  return CVodeSVtolerances(solver->sundials->integrator, solver->options.relTol, solver->sundials->vector) ==
         CV_SUCCESS;
}

static bool setOptions(crSolver* solver)
{
  void* cvode = solver->sundials->integrator;
  return setTolerances(solver) && CVodeSetUserData(cvode, solver) == CV_SUCCESS &&
         CVodeSetErrHandlerFn(cvode, crKeepMessage, solver) == CV_SUCCESS &&
         CVodeSetMaxStep(cvode, crSolver_GetMaxStep(solver)) == CV_SUCCESS &&
         CVodeSetMaxHnilWarns(cvode, -1) == CV_SUCCESS &&
         CVodeSetMaxErrTestFails(cvode, CR_MAX_SHRINKS) == CV_SUCCESS &&
         CVodeSetMaxConvFails(cvode, CR_MAX_SHRINKS) == CV_SUCCESS;
}

// The correction onto what holds exactly; the error estimate stays that of the step.
static int project(realtype t, N_Vector y, N_Vector correction, realtype accuracy, N_Vector error, void* context)
{
  (void)accuracy;
  (void)error;
  crSolver* solver = context;
  int n = solver->problem.n;
  const double* from = NV_DATA_S(y);
  double* change = NV_DATA_S(correction);
  memcpy(change, from, (size_t)n * sizeof *change);
  crStatus status = crSolver_EvalProjection(solver, t, change);
  for (int i = 0; i < n; ++i) {
    change[i] -= from[i];
  }
  return crSunFlag(status);
}

static bool setProjection(crSolver* solver)
{
  return solver->problem.project == NULL ||
         (CVodeSetProjFn(solver->sundials->integrator, project) == CV_SUCCESS &&
          CVodeSetProjErrEst(solver->sundials->integrator, SUNFALSE) == CV_SUCCESS &&
          CVodeSetMaxNumProjFails(solver->sundials->integrator, CR_MAX_SHRINKS) == CV_SUCCESS);
}

static crStatus create(crSolver* solver)
{
  crStatus status = crSundials_Create(solver);
  if (status != cr_ok) {
    return status;
  }
  crSundials* own = solver->sundials;
  own->integrator = CVodeCreate(CV_BDF, own->context);
  bool isMade = own->integrator != NULL && CVodeInit(own->integrator, computeRates, 0.0, own->vector) == CV_SUCCESS &&
                setOptions(solver) && CVodeSetLinearSolver(own->integrator, own->linear, own->matrix) == CV_SUCCESS &&
                CVodeSetJacFn(own->integrator, computeMatrix) == CV_SUCCESS && setProjection(solver);
  return isMade ? cr_ok : cr_errorMemory;
}

static void destroy(crSolver* solver)
{
  if (solver->sundials == NULL) {
    return;
  }
  if (solver->sundials->integrator != NULL) {
    CVodeFree(&solver->sundials->integrator);
  }
  crSundials_Destroy(solver);
}

// --------------------------------------------------------------------------------------------- steps

static crTrouble toTrouble(int flag)
{
  switch (flag) {
    case CV_SUCCESS:
    case CV_TSTOP_RETURN: return cr_troubleNone;
    case CV_ERR_FAILURE: return cr_troubleStep;
    case CV_CONV_FAILURE: return cr_troubleEquations;
    case CV_REPTD_PROJFUNC_ERR: return cr_troubleUndefined;
    case CV_PROJFUNC_FAIL: return cr_troubleFunction;
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR: return cr_troubleUndefined;
    case CV_FIRST_RHSFUNC_ERR: return cr_troubleStart;
    case CV_RHSFUNC_FAIL: return cr_troubleFunction;
    case CV_TOO_MUCH_ACC: return cr_troubleTolerance;
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: return cr_troubleMatrix;
    default: return cr_troubleInside;
  }
}

static crTrouble restart(crSolver* solver, bool knowsRates)
{
  (void)knowsRates;
  crSolver_LoadState(solver);
  return toTrouble(CVodeReInit(solver->sundials->integrator, solver->to.t, solver->sundials->vector));
}

static void setFirstStep(crSolver* solver, double step)
{
  CVodeSetInitStep(solver->sundials->integrator, step);
}

static crTrouble step(crSolver* solver, double tStop)
{
  void* cvode = solver->sundials->integrator;
  double tEnd = fmin(tStop, DBL_MAX), tReached = 0.0;
  CVodeSetStopTime(cvode, tEnd);
  int flag = CVode(cvode, tEnd, solver->sundials->vector, &tReached, CV_ONE_STEP);
  if (flag < 0) {
    return toTrouble(flag);
  }
  solver->to.t = tReached;
  crSolver_ReadState(solver, solver->to.y);
  flag = CVodeGetDky(cvode, tReached, 1, solver->sundials->rateVector);
  crSolver_ReadRates(solver, solver->to.rates);
  return toTrouble(flag);
}

static crTrouble interpolate(crSolver* solver, double t, double* outY, double* outRates)
{
  int flag = CVodeGetDky(solver->sundials->integrator, t, 0, solver->sundials->vector);
  crSolver_ReadState(solver, outY);
  if (flag == CV_SUCCESS && outRates != NULL) {
    flag = CVodeGetDky(solver->sundials->integrator, t, 1, solver->sundials->rateVector);
    crSolver_ReadRates(solver, outRates);
  }
  return toTrouble(flag);
}

// ------------------------------------------------------------------------------------------- account

static crAccount getAccount(const crSolver* solver)
{
  void* integrator = solver->sundials->integrator;
  long errors = 0, convergence = 0, setups = 0;
  crAccount account = { 0 };
  CVodeGetNumErrTestFails(integrator, &errors);
  CVodeGetNumStepSolveFails(integrator, &convergence);
  CVodeGetNumLinSolvSetups(integrator, &setups);
  account.rejectedSteps = errors + convergence;
  account.factorizations = setups;
  CVodeGetLastStep(integrator, &account.lastStep);
  CVodeGetCurrentStep(integrator, &account.triedStep);
  CVodeGetLastOrder(integrator, &account.lastOrder);
  return account;
}

static bool getErrors(crSolver* solver, double* outErrors)
{
  bool isKnown = CVodeGetEstLocalErrors(solver->sundials->integrator, solver->sundials->vector) == CV_SUCCESS &&
                 CVodeGetErrWeights(solver->sundials->integrator, solver->sundials->rateVector) == CV_SUCCESS;
  crSolver_ReadErrors(solver, outErrors);
  return isKnown;
}

const crMethod crCvodeBdfMethod = {
  .startOrder = 1,
  .needsPattern = true,
  .projects = true,
  .create = create,
  .destroy = destroy,
  .setPattern = crSundials_SetPattern,
  .restart = restart,
  .setFirstStep = setFirstStep,
  .step = step,
  .interpolate = interpolate,
  .getAccount = getAccount,
  .getErrors = getErrors,
};
