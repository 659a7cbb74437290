#include "math/dense.h"

#include <math.h>
#include <stddef.h>

bool crFactorCholesky(double* A, int count)
{
  size_t n = (size_t)count;
  for (size_t j = 0; j < n; ++j) {
    for (size_t k = 0; k < j; ++k) {
      double factor = A[j + k * n];
      for (size_t i = j; i < n; ++i) {
        A[i + j * n] -= factor * A[i + k * n];
      }
    }
    if (!(A[j + j * n] > 0.0)) {
      return false;
    }
    double root = sqrt(A[j + j * n]);
    for (size_t i = j; i < n; ++i) {
      A[i + j * n] /= root;
    }
  }
  return true;
}

static void swapRows(double* A, size_t n, size_t a, size_t b)
{
  for (size_t j = 0; a != b && j < n; ++j) {
    double kept = A[a + j * n];
    A[a + j * n] = A[b + j * n];
    A[b + j * n] = kept;
  }
}

bool crSolveDense(double* A, int count, double* x)
{
  size_t n = (size_t)count;
  for (size_t j = 0; j < n; ++j) {
    size_t best = j;
    for (size_t i = j + 1; i < n; ++i) {
      best = fabs(A[i + j * n]) > fabs(A[best + j * n]) ? i : best;
    }
    if (!(fabs(A[best + j * n]) > 0.0)) {
      return false;
    }
    swapRows(A, n, j, best);
    double kept = x[j];
    x[j] = x[best];
    x[best] = kept;
    for (size_t i = j + 1; i < n; ++i) {
      A[i + j * n] /= A[j + j * n];
      x[i] -= A[i + j * n] * x[j];
    }
    for (size_t k = j + 1; k < n; ++k) {
      for (size_t i = j + 1; i < n; ++i) {
        A[i + k * n] -= A[i + j * n] * A[j + k * n];
      }
    }
  }
  for (size_t j = n; j-- > 0;) {
    x[j] /= A[j + j * n];
    for (size_t i = 0; i < j; ++i) {
      x[i] -= A[i + j * n] * x[j];
    }
  }
  return true;
}
