// SUNDIALS' vectors and matrices. Matrices are factorized by its own dense routine or by KLU [DavisNatarajan10].
//
// SUNDIALS clears a sparse matrix together with its index arrays before it asks for values, so both are written each
// time. The diagonal is always part of the pattern: I - gamma J then needs no new memory.
//
// KLU works in two parts. The symbolic one, the larger of the two for small matrices, depends on the pattern alone: it
// is kept over restarts, where SUNDIALS would do it again. The numeric one goes on with the pivots of the last matrix,
// except after a restart, when pivots are chosen anew: otherwise the past would be seen in the last bits.
#include "solve/sundials.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#define CR_DENSE_SHARE 0.75      // share of entries from which a pattern counts as nearly full; trees have half
#define CR_MAX_NEARLY_DENSE 1000 // largest problem that is solved densely for that reason: 8 MB, 0.3 s

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

crStatus crSundials_Create(crSolver* solver)
{
  int n = solver->problem.n;
  crSundials* own = crArena_AllocateZero(&solver->arena, 1, sizeof *own);
  solver->sundials = own;
  if (own == NULL || SUNContext_Create(NULL, &own->context) != 0) {
    return cr_errorMemory;
  }
  own->vector = N_VNew_Serial(n, own->context);
  own->rateVector = N_VNew_Serial(n, own->context);
  if (own->vector == NULL || own->rateVector == NULL) {
    return cr_errorMemory;
  }
  N_VConst(0.0, own->vector); // SUNDIALS copies it at creation
  N_VConst(0.0, own->rateVector);
  own->isSparse = isBetterSparse(&solver->jacobian, n);
  if (own->isSparse) {
    createSparse(own, &solver->jacobian, n);
  } else {
    createDense(own, n);
  }
  return own->linear != NULL ? cr_ok : cr_errorMemory;
}

void crSundials_Destroy(crSolver* solver)
{
  crSundials* own = solver->sundials;
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

crStatus crSundials_SetPattern(crSolver* solver, const crSparsity* pattern)
{
  return solver->sundials->isSparse && pattern != NULL ? changeSparse(solver, pattern)
                                                       : crJacobian_SetPattern(&solver->jacobian, pattern);
}

static void fillSparse(const crJacobian* jacobian, double factor, double diagonal, SUNMatrix out)
{
  int n = jacobian->pattern.n, count = jacobian->pattern.columnStarts[n];
  memcpy(SM_INDEXPTRS_S(out), jacobian->fullStarts, ((size_t)n + 1) * sizeof(sunindextype));
  memcpy(SM_INDEXVALS_S(out), jacobian->fullRows, (size_t)jacobian->fullCount * sizeof(sunindextype));
  double* data = SM_DATA_S(out);
  memset(data, 0, (size_t)jacobian->fullCount * sizeof *data);
  for (int k = 0; k < count; ++k) {
    data[jacobian->places[k]] = factor * jacobian->values[k];
  }
  for (int j = 0; j < n; ++j) {
    data[jacobian->diagonals[j]] += diagonal;
  }
}

static void fillDense(const crJacobian* jacobian, double factor, double diagonal, SUNMatrix out)
{
  const crSparsity* pattern = &jacobian->pattern;
  for (int j = 0; j < pattern->n; ++j) {
    double* column = SM_COLUMN_D(out, j);
    memset(column, 0, (size_t)pattern->n * sizeof *column);
    for (int k = pattern->columnStarts[j]; k < pattern->columnStarts[j + 1]; ++k) {
      column[pattern->rows[k]] = factor * jacobian->values[k];
    }
    column[j] += diagonal;
  }
}

// out = factor J + diagonal I
static void fill(const crSolver* solver, double factor, double diagonal, SUNMatrix out)
{
  (solver->sundials->isSparse ? fillSparse : fillDense)(&solver->jacobian, factor, diagonal, out);
}

// -------------------------------------------------------------------------------------------- functions

int crSunFlag(crStatus status)
{
  return status == cr_ok ? 0 : status > 0 ? 1 : -1;
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
    return crSolver_Judge(solver, status, outResidual, problem->n);
  }
  crStatus status = crSolver_EvalRates(solver, t, y, outResidual);
  for (int i = 0; status == cr_ok && i < problem->n; ++i) {
    outResidual[i] = yp[i] - outResidual[i];
  }
  return status;
}

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
  crJacobian* jacobian = &solver->jacobian;
  crJacobian_SetIncrements(jacobian, h, differences->y, yp, solver->problem.absTol, solver->options.relTol);
  return crJacobian_ComputeDifferences(jacobian, differences);
}

static crStatus judgeValues(crSolver* solver, crStatus status)
{
  const crJacobian* jacobian = &solver->jacobian;
  ++solver->statistics.jacobians;
  return crSolver_Judge(solver, status, jacobian->values, jacobian->pattern.columnStarts[jacobian->pattern.n]);
}

static crStatus evalRateValues(crSolver* solver, double t, double h, const double* y, const double* rates)
{
  const crProblem* problem = &solver->problem;
  if (problem->computeJacobian != NULL) {
    return judgeValues(solver, problem->computeJacobian(problem->context, t, y, solver->jacobian.values));
  }
  crDifferences differences = { evaluateRates, solver, t, 0.0, y, NULL, rates };
  return judgeValues(solver, computeDifferences(solver, h, &differences, rates));
}

int crSolver_EvalRateMatrix(crSolver* solver, double t, double h, const double* y, const double* rates, SUNMatrix out)
{
  crStatus status = evalRateValues(solver, t, h, y, rates);
  if (status == cr_ok) {
    fill(solver, 1.0, 0.0, out);
  }
  return crSunFlag(status);
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
    fill(solver, -1.0, c, out);
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
    double* values = solver->jacobian.values;
    status = judgeValues(solver, problem->computeResidualJacobian(problem->context, t, c, y, yp, values));
  } else {
    crDifferences differences = { evaluateResidual, solver, t, c, y, yp, residual };
    status = judgeValues(solver, computeDifferences(solver, h, &differences, yp));
  }
  if (status == cr_ok) {
    fill(solver, 1.0, 0.0, out);
  }
  return crSunFlag(status);
}

// --------------------------------------------------------------------------------------------- vectors

static size_t sizeOf(const crSolver* solver)
{
  return (size_t)solver->problem.n * sizeof(double);
}

void crSolver_LoadTolerances(crSolver* solver)
{
  memcpy(NV_DATA_S(solver->sundials->vector), solver->problem.absTol, sizeOf(solver));
}

void crSolver_LoadState(crSolver* solver)
{
  memcpy(NV_DATA_S(solver->sundials->vector), solver->to.y, sizeOf(solver));
}

void crSolver_ReadState(const crSolver* solver, double* outY)
{
  memcpy(outY, NV_DATA_S(solver->sundials->vector), sizeOf(solver));
}

void crSolver_ReadRates(const crSolver* solver, double* outRates)
{
  memcpy(outRates, NV_DATA_S(solver->sundials->rateVector), sizeOf(solver));
}

void crSolver_ReadErrors(const crSolver* solver, double* outErrors)
{
  const crSundials* own = solver->sundials;
  for (int i = 0; i < solver->problem.n; ++i) {
    outErrors[i] = NV_Ith_S(own->vector, i) * NV_Ith_S(own->rateVector, i);
  }
}

double crSolver_GetMaxStep(const crSolver* solver)
{
  return isinf(solver->options.maxStep) ? 0.0 : solver->options.maxStep;
}

void crKeepMessage(int code, const char* module, const char* function, char* message, void* context)
{
  (void)code;
  (void)module;
  (void)function;
  crSolver* solver = context;
  snprintf(solver->libraryMessage, sizeof solver->libraryMessage, "%s", message);
}
