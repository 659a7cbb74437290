// The linear equations of implicit methods: a dense or a sparse matrix and its factorization.
#ifndef CR_SOLVE_LINEAR_H
#define CR_SOLVE_LINEAR_H

#include "solve/jacobian.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

typedef struct crLinear {
  crJacobian jacobian;
  bool isSparse;
  SUNMatrix matrix;
  SUNLinearSolver solver;
} crLinear;

// Dense up to CR_MAX_DENSE and for nearly full patterns, otherwise sparse (KLU). pattern NULL: full.
crStatus crLinear_Create(crLinear* linear, int n, const crSparsity* pattern, N_Vector vector, SUNContext context,
                         crArena* arena);
void crLinear_Destroy(crLinear* linear);

// Another pattern of the same size, to be used after a restart of the method. The same pattern again costs a
// comparison. The matrix stays dense or sparse as it was created. On failure nothing has changed.
crStatus crLinear_SetPattern(crLinear* linear, const crSparsity* pattern);

// out = factor J + diagonal I, with J the values in linear->jacobian.
void crLinear_Fill(const crLinear* linear, double factor, double diagonal, SUNMatrix out);

#endif
