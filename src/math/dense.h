// Linear equations with small full matrices, by columns.
#ifndef CR_MATH_DENSE_H
#define CR_MATH_DENSE_H

#include <stdbool.h>

// Cholesky's factorization of a symmetric A (n x n), of which the lower half is read and replaced; false: A is not
// positive definite.
bool crFactorCholesky(double* A, int n);

// Gauss with pivots: x = A^-1 x; A (n x n) is lost. False: singular.
bool crSolveDense(double* A, int n, double* x);

#endif
