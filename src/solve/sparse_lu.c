// Sparse factorizations by KLU. The symbolic part, ordering, depends on the pattern alone.
#include "solve/sparse_lu.h"

#include "base/memory.h"

#include <klu.h>

#define CR_MIN_GROWTH 1e-6 // reciprocal growth of pivots below which old ones are no good

struct crSparseLu {
  crAllocator allocator;
  klu_common common;
  klu_symbolic* symbolic;
  klu_numeric *real, *complex;
  int n, *starts, *rows;
};

crStatus crCreateSparseLu(const crAllocator* allocator, crSparseLu** outLu)
{
  crSparseLu* lu = crAllocateZero(allocator, 1, sizeof *lu);
  *outLu = lu;
  if (lu == NULL) {
    return cr_errorMemory;
  }
  lu->allocator = *allocator;
  klu_defaults(&lu->common);
  return cr_ok;
}

static void freeFactors(crSparseLu* lu)
{
  if (lu->real != NULL) {
    klu_free_numeric(&lu->real, &lu->common);
  }
  if (lu->complex != NULL) {
    klu_z_free_numeric(&lu->complex, &lu->common);
  }
}

static void freeAll(crSparseLu* lu)
{
  freeFactors(lu);
  if (lu->symbolic != NULL) {
    klu_free_symbolic(&lu->symbolic, &lu->common);
  }
}

void crDestroySparseLu(crSparseLu* lu)
{
  if (lu != NULL) {
    crAllocator allocator = lu->allocator;
    freeAll(lu);
    crFree(&allocator, lu, sizeof *lu);
  }
}

static crStatus toStatus(const crSparseLu* lu, bool isDone)
{
  return isDone                                   ? cr_ok
         : lu->common.status == KLU_OUT_OF_MEMORY ? cr_errorMemory
         : lu->common.status == KLU_TOO_LARGE     ? cr_errorLimit
                                                  : cr_retry;
}

crStatus crSparseLu_Analyze(crSparseLu* lu, int n, int* starts, int* rows)
{
  freeAll(lu);
  lu->n = n;
  lu->starts = starts;
  lu->rows = rows;
  lu->symbolic = klu_analyze(n, starts, rows, &lu->common);
  return toStatus(lu, lu->symbolic != NULL);
}

crStatus crSparseLu_FactorizeReal(crSparseLu* lu, double* values, bool keepsPivots)
{
  klu_common* common = &lu->common;
  if (keepsPivots && lu->real != NULL && klu_refactor(lu->starts, lu->rows, values, lu->symbolic, lu->real, common) &&
      klu_rgrowth(lu->starts, lu->rows, values, lu->symbolic, lu->real, common) && common->rgrowth > CR_MIN_GROWTH) {
    return cr_ok;
  }
  if (lu->real != NULL) {
    klu_free_numeric(&lu->real, common);
  }
  lu->real = klu_factor(lu->starts, lu->rows, values, lu->symbolic, common);
  return toStatus(lu, lu->real != NULL);
}

crStatus crSparseLu_FactorizeComplex(crSparseLu* lu, double* values, bool keepsPivots)
{
  klu_common* common = &lu->common;
  if (keepsPivots && lu->complex != NULL &&
      klu_z_refactor(lu->starts, lu->rows, values, lu->symbolic, lu->complex, common) &&
      klu_z_rgrowth(lu->starts, lu->rows, values, lu->symbolic, lu->complex, common) &&
      common->rgrowth > CR_MIN_GROWTH) {
    return cr_ok;
  }
  if (lu->complex != NULL) {
    klu_z_free_numeric(&lu->complex, common);
  }
  lu->complex = klu_z_factor(lu->starts, lu->rows, values, lu->symbolic, common);
  return toStatus(lu, lu->complex != NULL);
}

void crSparseLu_SolveReal(crSparseLu* lu, double* b)
{
  klu_solve(lu->symbolic, lu->real, lu->n, 1, b, &lu->common);
}

void crSparseLu_SolveComplex(crSparseLu* lu, double* b)
{
  klu_z_solve(lu->symbolic, lu->complex, lu->n, 1, b, &lu->common);
}
