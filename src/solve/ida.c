// IDA: BDF of variable order 1 to 5 for 0 = F(t, y, y') [HindmarshEtAl05], the one method for problems with algebraic
// variables. Those take part in the error test like all others.
//
// Consistent rates at a start are given by the caller, or f(t, y) where the problem has it. Otherwise IDA looks for
// them: it keeps the differential components of y and computes their rates and the algebraic components.
#include "solve/sundials.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <ida/ida.h>

// [tolerance] What Newton's method may leave of the equations of a step. With a third, IDA's own choice, the rest is
// seen by the error test of high orders: orders and steps stay small, and in problems with constraints matrices are
// made anew for the sake of steps that would be longer with the old one.
#define CR_NEWTON_SHARE 0.03
#define CR_NEWTON_STEPS 10
#define CR_CONSISTENCY_SPAN 1.0 // [s] time scale for IDA's search of consistent values: it begins with 1/1000 of it

static int computeResidual(realtype t, N_Vector y, N_Vector yp, N_Vector residual, void* context)
{
  return crSunFlag(crSolver_EvalResidual(context, t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(residual)));
}

static int computeJacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector residual, SUNMatrix out,
                           void* context, N_Vector a, N_Vector b, N_Vector d)
{
  (void)a;
  (void)b;
  (void)d;
  crSolver* solver = context;
  realtype h = 0.0;
  IDAGetCurrentStep(solver->sundials->integrator, &h);
  return crSolver_EvalResidualMatrix(solver, t, h, c, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(residual), out);
}

// -------------------------------------------------------------------------------------------- create

static bool setTolerances(crSolver* solver)
{
  crSolver_LoadTolerances(solver);
  return IDASVtolerances(solver->sundials->integrator, solver->options.relTol, solver->sundials->vector) == IDA_SUCCESS;
}

static bool setKinds(crSolver* solver)
{
  const bool* isAlgebraic = solver->problem.isAlgebraic;
  for (int i = 0; i < solver->problem.n; ++i) {
    NV_Ith_S(solver->sundials->vector, i) = isAlgebraic != NULL && isAlgebraic[i] ? 0.0 : 1.0;
  }
  return IDASetId(solver->sundials->integrator, solver->sundials->vector) == IDA_SUCCESS;
}

static bool setOptions(crSolver* solver)
{
  void* ida = solver->sundials->integrator;
  return setTolerances(solver) && setKinds(solver) && IDASetUserData(ida, solver) == IDA_SUCCESS &&
         IDASetErrHandlerFn(ida, crKeepMessage, solver) == IDA_SUCCESS &&
         IDASetMaxStep(ida, crSolver_GetMaxStep(solver)) == IDA_SUCCESS &&
         IDASetMaxErrTestFails(ida, CR_MAX_SHRINKS) == IDA_SUCCESS &&
         IDASetMaxConvFails(ida, CR_MAX_SHRINKS) == IDA_SUCCESS &&
         IDASetNonlinConvCoef(ida, CR_NEWTON_SHARE) == IDA_SUCCESS &&
         IDASetMaxNonlinIters(ida, CR_NEWTON_STEPS) == IDA_SUCCESS;
}

static crStatus create(crSolver* solver)
{
  crStatus status = crSundials_Create(solver);
  if (status != cr_ok) {
    return status;
  }
  crSundials* own = solver->sundials;
  own->integrator = IDACreate(own->context);
  void* ida = own->integrator;
  bool isMade = ida != NULL && IDAInit(ida, computeResidual, 0.0, own->vector, own->rateVector) == IDA_SUCCESS &&
                setOptions(solver) && IDASetLinearSolver(ida, own->linear, own->matrix) == IDA_SUCCESS &&
                IDASetJacFn(ida, computeJacobian) == IDA_SUCCESS;
  return isMade ? cr_ok : cr_errorMemory;
}

static void destroy(crSolver* solver)
{
  if (solver->sundials == NULL) {
    return;
  }
  if (solver->sundials->integrator != NULL) {
    IDAFree(&solver->sundials->integrator);
  }
  crSundials_Destroy(solver);
}

// --------------------------------------------------------------------------------------------- steps

static crTrouble toTrouble(int flag)
{
  switch (flag) {
    case IDA_SUCCESS:
    case IDA_TSTOP_RETURN: return cr_troubleNone;
    case IDA_ERR_FAIL: return cr_troubleStep;
    case IDA_CONV_FAIL: return cr_troubleEquations;
    case IDA_REP_RES_ERR: return cr_troubleUndefined;
    case IDA_FIRST_RES_FAIL: return cr_troubleStart;
    case IDA_RES_FAIL: return cr_troubleFunction;
    case IDA_TOO_MUCH_ACC: return cr_troubleTolerance;
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL: return cr_troubleMatrix;
    default: return cr_troubleInside;
  }
}

static int startFromTo(crSolver* solver)
{
  crSolver_LoadState(solver);
  memcpy(NV_DATA_S(solver->sundials->rateVector), solver->to.rates, (size_t)solver->problem.n * sizeof(double));
  return IDAReInit(solver->sundials->integrator, solver->to.t, solver->sundials->vector, solver->sundials->rateVector);
}

static crTrouble restart(crSolver* solver, bool knowsRates)
{
  int flag = startFromTo(solver);
  if (flag != IDA_SUCCESS || knowsRates) {
    return toTrouble(flag);
  }
  flag = IDACalcIC(solver->sundials->integrator, IDA_YA_YDP_INIT, solver->to.t + CR_CONSISTENCY_SPAN);
  if (flag == IDA_SUCCESS) {
    flag = IDAGetConsistentIC(solver->sundials->integrator, solver->sundials->vector, solver->sundials->rateVector);
  }
  if (flag != IDA_SUCCESS) {
    return solver->functionStatus < 0   ? cr_troubleFunction
           : flag == IDA_FIRST_RES_FAIL ? cr_troubleStart
                                        : cr_troubleConsistency;
  }
  crSolver_ReadState(solver, solver->to.y);
  crSolver_ReadRates(solver, solver->to.rates);
  return toTrouble(startFromTo(solver));
}

static void setFirstStep(crSolver* solver, double step)
{
  IDASetInitStep(solver->sundials->integrator, step);
}

static crTrouble step(crSolver* solver, double tStop)
{
  void* ida = solver->sundials->integrator;
  double tEnd = fmin(tStop, DBL_MAX), tReached = 0.0;
  IDASetStopTime(ida, tEnd);
  int flag = IDASolve(ida, tEnd, &tReached, solver->sundials->vector, solver->sundials->rateVector, IDA_ONE_STEP);
  if (flag < 0) {
    return toTrouble(flag);
  }
  solver->to.t = tReached;
  crSolver_ReadState(solver, solver->to.y);
  crSolver_ReadRates(solver, solver->to.rates);
  return cr_troubleNone;
}

static crTrouble interpolate(crSolver* solver, double t, double* outY, double* outRates)
{
  int flag = IDAGetDky(solver->sundials->integrator, t, 0, solver->sundials->vector);
  crSolver_ReadState(solver, outY);
  if (flag == IDA_SUCCESS && outRates != NULL) {
    flag = IDAGetDky(solver->sundials->integrator, t, 1, solver->sundials->rateVector);
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
  IDAGetNumErrTestFails(integrator, &errors);
  IDAGetNumStepSolveFails(integrator, &convergence);
  IDAGetNumLinSolvSetups(integrator, &setups);
  account.rejectedSteps = errors + convergence;
  account.factorizations = setups;
  IDAGetLastStep(integrator, &account.lastStep);
  IDAGetCurrentStep(integrator, &account.triedStep);
  IDAGetLastOrder(integrator, &account.lastOrder);
  return account;
}

static bool getErrors(crSolver* solver, double* outErrors)
{
  bool isKnown = IDAGetEstLocalErrors(solver->sundials->integrator, solver->sundials->vector) == IDA_SUCCESS &&
                 IDAGetErrWeights(solver->sundials->integrator, solver->sundials->rateVector) == IDA_SUCCESS;
  crSolver_ReadErrors(solver, outErrors);
  return isKnown;
}

const crMethod crIdaMethod = {
  .startOrder = 1,
  .needsPattern = true,
  .projects = true, // what holds exactly is part of the residual
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
