// IDA: BDF of variable order 1 to 5 for 0 = F(t, y, y') [HindmarshEtAl05]. Algebraic variables, which may be among y,
// take part in the error test like all others.
#include "solve/sundials.h"

#include <ida/ida.h>

// [tolerance] What Newton's method may leave of the equations of a step. With a third, IDA's own choice, the rest is
// seen by the error test of high orders: orders and steps stay small, and in problems with constraints matrices are
// made anew for the sake of steps that would be longer with the old one.
#define CR_NEWTON_SHARE 0.03
#define CR_NEWTON_STEPS 10

static crStatus evaluate(void* context, double t, const double* y, const double* yp, double* outResidual)
{
  crSolver* solver = context;
  const crProblem* problem = &solver->problem;
  if (solver->functionStatus < 0) {
    return solver->functionStatus;
  }
  ++solver->statistics.evaluations;
  crStatus status = problem->computeResidual(problem->context, t, y, yp, outResidual);
  return crSolver_Judge(solver, status, outResidual, problem->n);
}

static int computeResidual(realtype t, N_Vector y, N_Vector yp, N_Vector residual, void* context)
{
  return crSunFlag(evaluate(context, t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(residual)));
}

static int computeMatrix(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector residual, SUNMatrix out,
                         void* context, N_Vector a, N_Vector b, N_Vector d)
{
  (void)a;
  (void)b;
  (void)d;
  crDifferences differences = { evaluate, context, t, c, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(residual) };
  return crSolver_EvalMatrix(context, &differences, NV_DATA_S(yp), out);
}

// ------------------------------------------------------------------------------------------- integrator

static bool create(crSolver* solver)
{
  crSundials* own = solver->sundials;
  own->memory = IDACreate(own->context);
  return own->memory != NULL &&
         IDAInit(own->memory, computeResidual, 0.0, own->vector, own->rateVector) == IDA_SUCCESS &&
         IDASetNonlinConvCoef(own->memory, CR_NEWTON_SHARE) == IDA_SUCCESS &&
         IDASetMaxNonlinIters(own->memory, CR_NEWTON_STEPS) == IDA_SUCCESS;
}

static bool finish(crSolver* solver)
{
  return IDASetJacFn(solver->sundials->memory, computeMatrix) == IDA_SUCCESS;
}

static int step(void* memory, realtype tEnd, realtype* outTime, N_Vector outY, N_Vector outRates)
{
  return IDASolve(memory, tEnd, outTime, outY, outRates, IDA_ONE_STEP);
}

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

const crIntegrator crIda = {
  .create = create,
  .finish = finish,
  .restart = IDAReInit,
  .step = step,
  .toTrouble = toTrouble,
  .free = IDAFree,
  .setContext = IDASetUserData,
  .setHandler = IDASetErrHandlerFn,
  .setTolerances = IDASVtolerances,
  .setMaxErrorFails = IDASetMaxErrTestFails,
  .setMaxConvergenceFails = IDASetMaxConvFails,
  .setMaxStep = IDASetMaxStep,
  .setFirstStep = IDASetInitStep,
  .setStopTime = IDASetStopTime,
  .setLinearSolver = IDASetLinearSolver,
  .interpolate = IDAGetDky,
  .getTriedStep = IDAGetCurrentStep,
  .getErrors = IDAGetEstLocalErrors,
  .getWeights = IDAGetErrWeights,
  .countErrorFails = IDAGetNumErrTestFails,
  .countConvergenceFails = IDAGetNumStepSolveFails,
  .countSetups = IDAGetNumLinSolvSetups,
};
