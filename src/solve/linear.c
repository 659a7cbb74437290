// The linear equations of implicit methods, by SUNDIALS' dense factorization or by KLU.
//
// SUNDIALS clears a sparse matrix together with its index arrays before it asks for values, so both are written each
// time. The diagonal is always part of the pattern: I - gamma J then needs no new memory.
//
// KLU works in two parts. The symbolic one, the larger of the two for small matrices, depends on the pattern alone: it
// is kept over restarts, where SUNDIALS would do it again. The numeric one goes on with the pivots of the last matrix,
// except after a restart, when pivots are chosen anew: otherwise the past would be seen in the last bits.
#include "solve/linear.h"

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

static void createSparse(crLinear* linear, int n, N_Vector vector, SUNContext context)
{
  linear->matrix = SUNSparseMatrix(n, n, linear->jacobian.fullCount, CSC_MAT, context);
  linear->solver = linear->matrix != NULL ? SUNLinSol_KLU(vector, linear->matrix, context) : NULL;
  if (linear->solver != NULL) {
    linear->solver->ops->setup = factorize;
  }
}

static void createDense(crLinear* linear, int n, N_Vector vector, SUNContext context)
{
  linear->matrix = SUNDenseMatrix(n, n, context);
  linear->solver = linear->matrix != NULL ? SUNLinSol_Dense(vector, linear->matrix, context) : NULL;
}

crStatus crLinear_Create(crLinear* linear, int n, const crSparsity* pattern, N_Vector vector, SUNContext context,
                         crArena* arena)
{
  crStatus status = crJacobian_Create(&linear->jacobian, n, pattern, arena);
  if (status != cr_ok) {
    return status;
  }
  linear->isSparse = isBetterSparse(&linear->jacobian, n);
  (linear->isSparse ? createSparse : createDense)(linear, n, vector, context);
  return linear->solver != NULL ? cr_ok : cr_errorMemory;
}

void crLinear_Destroy(crLinear* linear)
{
  if (linear->solver != NULL) {
    SUNLinSolFree(linear->solver);
  }
  if (linear->matrix != NULL) {
    SUNMatDestroy(linear->matrix);
  }
}

static bool isSamePattern(const crSparsity* a, const crSparsity* b)
{
  size_t n = (size_t)a->n, size = sizeof(int);
  return memcmp(a->columnStarts, b->columnStarts, (n + 1) * size) == 0 &&
         memcmp(a->rows, b->rows, (size_t)a->columnStarts[n] * size) == 0;
}

// The matrix first: room that stays unused does no harm.
static crStatus changeSparse(crLinear* linear, const crSparsity* pattern)
{
  int64_t needed = (int64_t)pattern->columnStarts[pattern->n] + pattern->n, room = SM_NNZ_S(linear->matrix);
  int64_t twice = 2 * room;
  if (needed > room && SUNSparseMatrix_Reallocate(linear->matrix, needed > twice ? needed : twice) != SUNMAT_SUCCESS) {
    return cr_errorMemory;
  }
  crStatus status = crJacobian_SetPattern(&linear->jacobian, pattern);
  if (status == cr_ok) {
    SUNLinSol_KLUReInit(linear->solver, linear->matrix, 0, SUNKLU_REINIT_PARTIAL);
  }
  return status;
}

crStatus crLinear_SetPattern(crLinear* linear, const crSparsity* pattern)
{
  if (pattern != NULL && isSamePattern(pattern, &linear->jacobian.pattern)) {
    return cr_ok;
  }
  return linear->isSparse && pattern != NULL ? changeSparse(linear, pattern)
                                             : crJacobian_SetPattern(&linear->jacobian, pattern);
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

void crLinear_Fill(const crLinear* linear, double factor, double diagonal, SUNMatrix out)
{
  if (linear->isSparse) {
    fillSparse(&linear->jacobian, factor, diagonal, out);
  } else {
    fillDense(&linear->jacobian, factor, diagonal, out);
  }
}
