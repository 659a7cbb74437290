// SUNDIALS' vectors and matrices. Matrices are factorized by its own dense routine or by KLU [DavisNatarajan10].
//
// SUNDIALS clears a sparse matrix together with its index arrays before it asks for values, so both are written each
// time. The diagonal is always part of the pattern: I - gamma J then needs no new memory.
//
// KLU works in two parts. The symbolic one, the larger of the two for small matrices, depends on the pattern alone: it
// is kept over restarts, where SUNDIALS would do it again. The numeric one goes on with the pivots of the last matrix,
// except after a restart, when pivots are chosen anew: otherwise the past would be seen in the last bits.
#include "solve/sundials.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#define CR_MAX_DENSE 40          // largest problem that is solved densely whatever its pattern
#define CR_DENSE_SHARE 0.75      // share of entries from which a pattern counts as nearly full; trees have half
#define CR_MAX_NEARLY_DENSE 1000 // largest problem that is solved densely for that reason: 8 MB, 0.3 s

static size_t sizeOf(const crSolver* solver)
{
  return (size_t)solver->problem.n * sizeof(double);
}

static void keepMessage(int code, const char* module, const char* function, char* message, void* context)
{
  (void)code;
  (void)module;
  (void)function;
  crSolver* solver = context;
  snprintf(solver->libraryMessage, sizeof solver->libraryMessage, "%s", message);
}

// --------------------------------------------------------------------------------------- create, destroy

static bool isBetterSparse(const crJacobian* jacobian, int n)
{
  double share = (double)jacobian->fullCount / ((double)n * (double)n);
  return n > CR_MAX_NEARLY_DENSE || (n > CR_MAX_DENSE && share < CR_DENSE_SHARE);
}

// SUNDIALS sets first_factorize at every restart, and frees `symbolic` only when the pattern changes.
static int factorize(SUNLinearSolver solver, SUNMatrix matrix)
{
  SUNLinearSolverContent_KLU klu = solver->content;
  if (!klu->first_factorize || klu->symbolic == NULL) {
    return SUNLinSolSetup_KLU(solver, matrix);
  }
  sun_klu_free_numeric(&klu->numeric, &klu->common);
  klu->numeric = sun_klu_factor((SuiteSparse_long*)SM_INDEXPTRS_S(matrix), (SuiteSparse_long*)SM_INDEXVALS_S(matrix),
                                SM_DATA_S(matrix), klu->symbolic, &klu->common);
  bool isDone = klu->numeric != NULL;
  klu->first_factorize = !isDone;
  klu->last_flag = isDone ? SUNLS_SUCCESS : SUNLS_PACKAGE_FAIL_REC;
  return klu->last_flag;
}

static void createSparse(crSundials* own, const crJacobian* jacobian, int n)
{
  own->matrix = SUNSparseMatrix(n, n, jacobian->fullCount, CSC_MAT, own->context);
  own->linear = own->matrix != NULL ? SUNLinSol_KLU(own->vector, own->matrix, own->context) : NULL;
  if (own->linear != NULL) {
    own->linear->ops->setup = factorize;
  }
}

static void createDense(crSundials* own, int n)
{
  own->matrix = SUNDenseMatrix(n, n, own->context);
  own->linear = own->matrix != NULL ? SUNLinSol_Dense(own->vector, own->matrix, own->context) : NULL;
}

static bool setOptions(crSolver* solver)
{
  crSundials* own = solver->sundials;
  const crIntegrator* integrator = own->integrator;
  memcpy(NV_DATA_S(own->vector), solver->problem.absTol, sizeOf(solver));
  double maxStep = isinf(solver->maxStep) ? 0.0 : solver->maxStep; // 0 is no limit
  return integrator->setTolerances(own->memory, solver->relTol, own->vector) == 0 &&
         integrator->setContext(own->memory, solver) == 0 &&
         integrator->setHandler(own->memory, keepMessage, solver) == 0 &&
         integrator->setMaxStep(own->memory, maxStep) == 0 &&
         integrator->setMaxErrorFails(own->memory, CR_MAX_SHRINKS) == 0 &&
         integrator->setMaxConvergenceFails(own->memory, CR_MAX_SHRINKS) == 0 &&
         integrator->setLinearSolver(own->memory, own->linear, own->matrix) == 0;
}

static crStatus create(crSolver* solver)
{
  int n = solver->problem.n;
  crSundials* own = crArena_AllocateZero(&solver->arena, 1, sizeof *own);
  solver->sundials = own;
  if (own == NULL || SUNContext_Create(NULL, &own->context) != 0) {
    return cr_errorMemory;
  }
  own->integrator = solver->info->usesResidual ? &crIda : &crCvode;
  own->vector = N_VNew_Serial(n, own->context);
  own->rateVector = N_VNew_Serial(n, own->context);
  if (own->vector == NULL || own->rateVector == NULL) {
    return cr_errorMemory;
  }
  N_VConst(0.0, own->vector); // SUNDIALS copies it at creation
  N_VConst(0.0, own->rateVector);
  crMatrixForm form = solver->problem.matrixForm;
  own->isSparse = form == cr_matrixAny ? isBetterSparse(&solver->jacobian, n) : form == cr_matrixSparse;
  solver->problem.matrixForm = own->isSparse ? cr_matrixSparse : cr_matrixDense;
  if (own->isSparse) {
    createSparse(own, &solver->jacobian, n);
  } else {
    createDense(own, n);
  }
  bool isMade =
      own->linear != NULL && own->integrator->create(solver) && setOptions(solver) && own->integrator->finish(solver);
  return isMade ? cr_ok : cr_errorMemory;
}

static void destroy(crSolver* solver)
{
  crSundials* own = solver->sundials;
  if (own == NULL) {
    return;
  }
  if (own->memory != NULL) {
    own->integrator->free(&own->memory);
  }
  if (own->linear != NULL) {
    SUNLinSolFree(own->linear);
  }
  if (own->matrix != NULL) {
    SUNMatDestroy(own->matrix);
  }
  if (own->vector != NULL) {
    N_VDestroy(own->vector);
  }
  if (own->rateVector != NULL) {
    N_VDestroy(own->rateVector);
  }
  if (own->context != NULL) {
    SUNContext_Free(&own->context);
  }
}

// The matrix first: room that stays unused does no harm.
static crStatus changeSparse(crSolver* solver, const crSparsity* pattern)
{
  SUNMatrix matrix = solver->sundials->matrix;
  int64_t needed = (int64_t)pattern->columnStarts[pattern->n] + pattern->n, room = SM_NNZ_S(matrix);
  int64_t twice = 2 * room;
  if (needed > room && SUNSparseMatrix_Reallocate(matrix, needed > twice ? needed : twice) != SUNMAT_SUCCESS) {
    return cr_errorMemory;
  }
  crStatus status = crJacobian_SetPattern(&solver->jacobian, pattern);
  if (status == cr_ok) {
    SUNLinSol_KLUReInit(solver->sundials->linear, matrix, 0, SUNKLU_REINIT_PARTIAL);
  }
  return status;
}

static crStatus setPattern(crSolver* solver, const crSparsity* pattern)
{
  return solver->sundials->isSparse ? changeSparse(solver, pattern) : crJacobian_SetPattern(&solver->jacobian, pattern);
}

// ------------------------------------------------------------------------------------------------ matrix

static void fillSparse(const crJacobian* jacobian, SUNMatrix out)
{
  int n = jacobian->pattern.n, count = jacobian->pattern.columnStarts[n];
  memcpy(SM_INDEXPTRS_S(out), jacobian->fullStarts, ((size_t)n + 1) * sizeof(sunindextype));
  memcpy(SM_INDEXVALS_S(out), jacobian->fullRows, (size_t)jacobian->fullCount * sizeof(sunindextype));
  double* data = SM_DATA_S(out);
  memset(data, 0, (size_t)jacobian->fullCount * sizeof *data);
  for (int k = 0; k < count; ++k) {
    data[jacobian->places[k]] = jacobian->values[k];
  }
}

static void fillDense(const crJacobian* jacobian, SUNMatrix out)
{
  const crSparsity* pattern = &jacobian->pattern;
  for (int j = 0; j < pattern->n; ++j) {
    double* column = SM_COLUMN_D(out, j);
    memset(column, 0, (size_t)pattern->n * sizeof *column);
    for (int k = pattern->columnStarts[j]; k < pattern->columnStarts[j + 1]; ++k) {
      column[pattern->rows[k]] = jacobian->values[k];
    }
  }
}

int crSunFlag(crStatus status)
{
  return status == cr_ok ? 0 : status > 0 ? 1 : -1;
}

int crSolver_EvalMatrix(crSolver* solver, const crDifferences* differences, const double* rates, SUNMatrix out)
{
  crJacobian* jacobian = &solver->jacobian;
  double h = solver->method->getAccount(solver).triedStep; // a scale
  crJacobian_SetIncrements(jacobian, h, differences->y, rates, solver->problem.absTol, solver->relTol);
  ++solver->statistics.jacobians;
  crStatus status = crJacobian_ComputeDifferences(jacobian, differences);
  status = crSolver_Judge(solver, status, jacobian->values, jacobian->pattern.columnStarts[jacobian->pattern.n]);
  if (status == cr_ok) {
    (solver->sundials->isSparse ? fillSparse : fillDense)(jacobian, out);
  }
  return crSunFlag(status);
}

// ------------------------------------------------------------------------------------------------- steps

static crTrouble restart(crSolver* solver)
{
  crSundials* own = solver->sundials;
  memcpy(NV_DATA_S(own->vector), solver->y, sizeOf(solver));
  memcpy(NV_DATA_S(own->rateVector), solver->rates, sizeOf(solver));
  return own->integrator->toTrouble(own->integrator->restart(own->memory, solver->t, own->vector, own->rateVector));
}

static void setFirstStep(crSolver* solver, double step)
{
  solver->sundials->integrator->setFirstStep(solver->sundials->memory, step);
}

static crTrouble step(crSolver* solver, double tStop)
{
  crSundials* own = solver->sundials;
  double tEnd = fmin(tStop, DBL_MAX), tReached = 0.0;
  own->integrator->setStopTime(own->memory, tEnd);
  int flag = own->integrator->step(own->memory, tEnd, &tReached, own->vector, own->rateVector);
  if (flag >= 0) {
    solver->reached = tReached;
    memcpy(solver->y, NV_DATA_S(own->vector), sizeOf(solver));
    memcpy(solver->rates, NV_DATA_S(own->rateVector), sizeOf(solver));
  }
  return own->integrator->toTrouble(flag);
}

static crTrouble interpolate(const crSolver* solver, double t, double* outY)
{
  crSundials* own = solver->sundials;
  int flag = own->integrator->interpolate(own->memory, t, 0, own->vector);
  memcpy(outY, NV_DATA_S(own->vector), sizeOf(solver));
  return own->integrator->toTrouble(flag);
}

static crAccount getAccount(const crSolver* solver)
{
  const crSundials* own = solver->sundials;
  long errors = 0, convergence = 0, setups = 0;
  crAccount account = { 0 };
  own->integrator->countErrorFails(own->memory, &errors);
  own->integrator->countConvergenceFails(own->memory, &convergence);
  own->integrator->countSetups(own->memory, &setups);
  own->integrator->getTriedStep(own->memory, &account.triedStep);
  account.rejectedSteps = errors + convergence;
  account.factorizations = setups;
  return account;
}

static bool getErrors(const crSolver* solver, double* outErrors)
{
  const crSundials* own = solver->sundials;
  bool isKnown = own->integrator->getErrors(own->memory, own->vector) == 0 &&
                 own->integrator->getWeights(own->memory, own->rateVector) == 0;
  for (int i = 0; i < solver->problem.n; ++i) {
    outErrors[i] = NV_Ith_S(own->vector, i) * NV_Ith_S(own->rateVector, i);
  }
  return isKnown;
}

const crMethod crSundialsMethod = {
  .create = create,
  .destroy = destroy,
  .setPattern = setPattern,
  .restart = restart,
  .setFirstStep = setFirstStep,
  .step = step,
  .interpolate = interpolate,
  .getAccount = getAccount,
  .getErrors = getErrors,
};
