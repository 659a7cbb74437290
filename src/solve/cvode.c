// CVODE: multistep methods of variable order and step size for y' = f(t, y) [HindmarshEtAl05]. BDF with Newton's
// iteration for stiff problems, Adams-Moulton with functional iteration for others.
//
// The first step is ours: CVODE's own choice depends on the stop time, and with it every bit of the result.
#include "solve/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

// f at the projection of y. A multi-step method that was moved there after each step would have to forget its past;
// so y itself keeps its drift, and only what follows from it is free of it.
static int computeProjectedRates(realtype t, N_Vector y, N_Vector rates, void* context)
{
  crSolver* solver = context;
  double* moved = solver->before[1].y; // not in use by this method
  memcpy(moved, NV_DATA_S(y), (size_t)solver->problem.n * sizeof *moved);
  crStatus status = crSolver_EvalProjection(solver, t, moved);
  return crSunFlag(status == cr_ok ? crSolver_EvalRates(solver, t, moved, NV_DATA_S(rates)) : status);
}

// -------------------------------------------------------------------------------------------- create

static bool setTolerances(crSolver* solver)
{
  crSolver_LoadTolerances(solver);
  return CVodeSVtolerances(solver->integrator, solver->options.relTol, solver->vector) == CV_SUCCESS;
}

static bool setOptions(crSolver* solver)
{
  void* cvode = solver->integrator;
  return setTolerances(solver) && CVodeSetUserData(cvode, solver) == CV_SUCCESS &&
         CVodeSetErrHandlerFn(cvode, crKeepMessage, solver) == CV_SUCCESS &&
         CVodeSetMaxStep(cvode, crSolver_GetMaxStep(solver)) == CV_SUCCESS &&
         CVodeSetMaxHnilWarns(cvode, -1) == CV_SUCCESS &&
         CVodeSetMaxErrTestFails(cvode, CR_MAX_SHRINKS) == CV_SUCCESS &&
         CVodeSetMaxConvFails(cvode, CR_MAX_SHRINKS) == CV_SUCCESS;
}

static crStatus createWith(crSolver* solver, int family)
{
  bool isInside = family == CV_ADAMS && solver->problem.project != NULL;
  CVRhsFn rates = isInside ? computeProjectedRates : crComputeRates;
  solver->integrator = CVodeCreate(family, solver->context);
  bool isMade = solver->integrator != NULL && CVodeInit(solver->integrator, rates, 0.0, solver->vector) == CV_SUCCESS &&
                setOptions(solver);
  return isMade ? cr_ok : cr_errorMemory;
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
  return solver->problem.project == NULL || (CVodeSetProjFn(solver->integrator, project) == CV_SUCCESS &&
                                             CVodeSetProjErrEst(solver->integrator, SUNFALSE) == CV_SUCCESS &&
                                             CVodeSetMaxNumProjFails(solver->integrator, CR_MAX_SHRINKS) == CV_SUCCESS);
}

static crStatus createBdf(crSolver* solver)
{
  crStatus status = createWith(solver, CV_BDF);
  bool isMade = status == cr_ok &&
                CVodeSetLinearSolver(solver->integrator, solver->linear.solver, solver->linear.matrix) == CV_SUCCESS &&
                CVodeSetJacFn(solver->integrator, crComputeRateMatrix) == CV_SUCCESS && setProjection(solver);
  return isMade ? cr_ok : cr_errorMemory;
}

static crStatus createAdams(crSolver* solver)
{
  crStatus status = createWith(solver, CV_ADAMS);
  solver->iteration = status == cr_ok ? SUNNonlinSol_FixedPoint(solver->vector, 0, solver->context) : NULL;
  bool isMade =
      solver->iteration != NULL && CVodeSetNonlinearSolver(solver->integrator, solver->iteration) == CV_SUCCESS;
  return isMade ? cr_ok : cr_errorMemory;
}

static void destroy(crSolver* solver)
{
  if (solver->integrator != NULL) {
    CVodeFree(&solver->integrator);
  }
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
  return toTrouble(CVodeReInit(solver->integrator, solver->to.t, solver->vector));
}

static void setFirstStep(crSolver* solver, double step)
{
  CVodeSetInitStep(solver->integrator, step);
}

static crTrouble step(crSolver* solver, double tStop)
{
  void* cvode = solver->integrator;
  double tEnd = fmin(tStop, DBL_MAX), tReached = 0.0;
  CVodeSetStopTime(cvode, tEnd);
  int flag = CVode(cvode, tEnd, solver->vector, &tReached, CV_ONE_STEP);
  if (flag < 0) {
    return toTrouble(flag);
  }
  solver->to.t = tReached;
  crSolver_ReadState(solver, solver->to.y);
  flag = CVodeGetDky(cvode, tReached, 1, solver->rateVector);
  crSolver_ReadRates(solver, solver->to.rates);
  return toTrouble(flag);
}

static crTrouble interpolate(crSolver* solver, double t, double* outY, double* outRates)
{
  int flag = CVodeGetDky(solver->integrator, t, 0, solver->vector);
  crSolver_ReadState(solver, outY);
  if (flag == CV_SUCCESS && outRates != NULL) {
    flag = CVodeGetDky(solver->integrator, t, 1, solver->rateVector);
    crSolver_ReadRates(solver, outRates);
  }
  return toTrouble(flag);
}

// ------------------------------------------------------------------------------------------- account

static crAccount getAccount(const crSolver* solver)
{
  void* integrator = solver->integrator;
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

static bool getErrors(crSolver* solver)
{
  return CVodeGetEstLocalErrors(solver->integrator, solver->vector) == CV_SUCCESS &&
         CVodeGetErrWeights(solver->integrator, solver->rateVector) == CV_SUCCESS;
}

const crMethod crCvodeBdfMethod = {
  .info = { .name = "cvode-bdf",
            .about = "BDF of variable order 1 to 5, for stiff problems (CVODE)",
            .isImplicit = true,
            .order = 5 },
  .startOrder = 1,
  .needsPattern = true,
  .projects = true,
  .create = createBdf,
  .destroy = destroy,
  .restart = restart,
  .setFirstStep = setFirstStep,
  .step = step,
  .interpolate = interpolate,
  .getAccount = getAccount,
  .getErrors = getErrors,
};

const crMethod crCvodeAdamsMethod = {
  .info = { .name = "cvode-adams",
            .about = "Adams-Moulton of variable order 1 to 12, for problems that are not stiff (CVODE)",
            .order = 12 },
  .startOrder = 1,
  .projects = true,
  .create = createAdams,
  .destroy = destroy,
  .restart = restart,
  .setFirstStep = setFirstStep,
  .step = step,
  .interpolate = interpolate,
  .getAccount = getAccount,
  .getErrors = getErrors,
};
