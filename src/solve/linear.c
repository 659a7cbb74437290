// The linear equations of implicit methods, by SUNDIALS' dense factorization or by KLU.
//
// SUNDIALS clears a sparse matrix together with its index arrays before it asks for values, so both are written each
// time. The diagonal is always part of the pattern: I - gamma J then needs no new memory.
#include "solve/linear.h"

#include <string.h>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#define CR_DENSE_SHARE 0.5       // share of entries from which a pattern counts as nearly full
#define CR_MAX_NEARLY_DENSE 1000 // largest problem that is solved densely for that reason: 8 MB, 0.3 s

static bool isBetterSparse(const crJacobian* jacobian, int n)
{
  double share = (double)jacobian->fullCount / ((double)n * (double)n);
  return n > CR_MAX_NEARLY_DENSE || (n > CR_MAX_DENSE && share < CR_DENSE_SHARE);
}

crStatus crLinear_Create(crLinear* linear, int n, const crSparsity* pattern, N_Vector vector, SUNContext context,
                         crArena* arena)
{
  crStatus status = crJacobian_Create(&linear->jacobian, n, pattern, arena);
  if (status != cr_ok) {
    return status;
  }
  linear->isSparse = isBetterSparse(&linear->jacobian, n);
  linear->matrix = linear->isSparse ? SUNSparseMatrix(n, n, linear->jacobian.fullCount, CSC_MAT, context)
                                    : SUNDenseMatrix(n, n, context);
  if (linear->matrix == NULL) {
    return cr_errorMemory;
  }
  linear->solver = linear->isSparse ? SUNLinSol_KLU(vector, linear->matrix, context)
                                    : SUNLinSol_Dense(vector, linear->matrix, context);
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
