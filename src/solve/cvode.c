// CVODE: BDF of variable order and step size for y' = f(t, y), with Newton's iteration, for stiff problems
// [HindmarshEtAl05].
//
// The first step is ours: CVODE's own choice depends on the stop time, and with it every bit of the result.
#include "solve/sundials.h"

#include <string.h>

#include <cvode/cvode.h>

static int computeRates(realtype t, N_Vector y, N_Vector rates, void* context)
{
  return crSunFlag(crSolver_EvalRates(context, t, NV_DATA_S(y), NV_DATA_S(rates)));
}

static crStatus evaluate(void* context, double t, const double* y, const double* yp, double* outResult)
{
  (void)yp;
  return crSolver_EvalRates(context, t, y, outResult);
}

static int computeMatrix(realtype t, N_Vector y, N_Vector rates, SUNMatrix out, void* context, N_Vector a, N_Vector b,
                         N_Vector c)
{
  (void)a;
  (void)b;
  (void)c;
  crDifferences differences = { evaluate, context, t, 0.0, NV_DATA_S(y), NULL, NV_DATA_S(rates) };
  return crSolver_EvalMatrix(context, &differences, NV_DATA_S(rates), out);
}

// The correction onto what holds exactly; the error estimate stays that of the step.
static int project(realtype t, N_Vector y, N_Vector correction, realtype accuracy, N_Vector error, void* context)
{
  (void)accuracy;
  (void)error;
  crSolver* solver = context;
  const crProblem* problem = &solver->problem;
  const double* from = NV_DATA_S(y);
  double* change = NV_DATA_S(correction);
  memcpy(change, from, (size_t)problem->n * sizeof *change);
  crStatus status = crSolver_Judge(solver, problem->project(problem->context, t, change), change, problem->n);
  for (int i = 0; i < problem->n; ++i) {
    change[i] -= from[i];
  }
  return crSunFlag(status);
}

// ------------------------------------------------------------------------------------------- integrator

static bool create(crSolver* solver)
{
  crSundials* own = solver->sundials;
  own->memory = CVodeCreate(CV_BDF, own->context);
  return own->memory != NULL && CVodeInit(own->memory, computeRates, 0.0, own->vector) == CV_SUCCESS &&
         CVodeSetMaxHnilWarns(own->memory, -1) == CV_SUCCESS;
}

static bool finish(crSolver* solver)
{
  void* memory = solver->sundials->memory;
  return CVodeSetJacFn(memory, computeMatrix) == CV_SUCCESS &&
         (solver->problem.project == NULL ||
          (CVodeSetProjFn(memory, project) == CV_SUCCESS && CVodeSetProjErrEst(memory, SUNFALSE) == CV_SUCCESS &&
           CVodeSetMaxNumProjFails(memory, CR_MAX_SHRINKS) == CV_SUCCESS));
}

static int restart(void* memory, realtype t, N_Vector y, N_Vector rates)
{
  (void)rates;
  return CVodeReInit(memory, t, y);
}

static int step(void* memory, realtype tEnd, realtype* outTime, N_Vector outY, N_Vector outRates)
{
  int flag = CVode(memory, tEnd, outY, outTime, CV_ONE_STEP);
  return flag < 0 ? flag : CVodeGetDky(memory, *outTime, 1, outRates);
}

static crTrouble toTrouble(int flag)
{
  switch (flag) {
    case CV_SUCCESS: return cr_troubleNone;
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

const crIntegrator crCvode = {
  .create = create,
  .finish = finish,
  .restart = restart,
  .step = step,
  .toTrouble = toTrouble,
  .free = CVodeFree,
  .setContext = CVodeSetUserData,
  .setHandler = CVodeSetErrHandlerFn,
  .setTolerances = CVodeSVtolerances,
  .setMaxErrorFails = CVodeSetMaxErrTestFails,
  .setMaxConvergenceFails = CVodeSetMaxConvFails,
  .setMaxStep = CVodeSetMaxStep,
  .setFirstStep = CVodeSetInitStep,
  .setStopTime = CVodeSetStopTime,
  .setLinearSolver = CVodeSetLinearSolver,
  .interpolate = CVodeGetDky,
  .getTriedStep = CVodeGetCurrentStep,
  .getErrors = CVodeGetEstLocalErrors,
  .getWeights = CVodeGetErrWeights,
  .countErrorFails = CVodeGetNumErrTestFails,
  .countConvergenceFails = CVodeGetNumStepSolveFails,
  .countSetups = CVodeGetNumLinSolvSetups,
};
