// Sparse factorizations: which of the two, and KLU. Symbolic parts depend on the pattern alone.
//
// Fronts look for pivots among their own rows only. Whether that was enough is told by the largest factor; where
// it was not, that matrix is factorized by KLU, which looks everywhere.
#include "solve/sparse_lu.h"

#include "base/memory.h"
#include "solve/block_lu.h"

#include <string.h>

#include <klu.h>

#define CR_MIN_GROWTH 1e-6 // reciprocal growth of pivots below which old ones are no good
#define CR_MIN_BLOCK 3     // unknowns of a node in the mean, from which on fronts pay

struct crSparseLu {
  crAllocator allocator;
  int n, *starts, *rows;

  crBlockLu blocks;
  bool hasBlocks;     // the pattern suits it
  bool usesBlocks[2]; // the factors of the real and of the complex matrix are there

  klu_common common;
  klu_symbolic* symbolic; // NULL: not needed so far
  klu_numeric *real, *complex;

  double* memory; // of these
  size_t memoryCount;
  double* pairs; // (2 entries) complex values as KLU wants them
  double* x;     // (2 n)
};

// ------------------------------------------------------------------------------------ create and destroy

crStatus crCreateSparseLu(const crAllocator* allocator, crSparseLu** outLu)
{
  crSparseLu* lu = crAllocateZero(allocator, 1, sizeof *lu);
  *outLu = lu;
  if (lu == NULL) {
    return cr_errorMemory;
  }
  lu->allocator = *allocator;
  crBlockLu_Init(&lu->blocks, allocator);
  klu_defaults(&lu->common);
  return cr_ok;
}

static void freeColumns(crSparseLu* lu)
{
  if (lu->real != NULL) {
    klu_free_numeric(&lu->real, &lu->common);
  }
  if (lu->complex != NULL) {
    klu_z_free_numeric(&lu->complex, &lu->common);
  }
  if (lu->symbolic != NULL) {
    klu_free_symbolic(&lu->symbolic, &lu->common);
  }
}

static void freeMemory(crSparseLu* lu)
{
  crFree(&lu->allocator, lu->memory, lu->memoryCount * sizeof *lu->memory);
  lu->memory = NULL;
  lu->memoryCount = 0;
}

void crDestroySparseLu(crSparseLu* lu)
{
  if (lu != NULL) {
    crAllocator allocator = lu->allocator;
    freeColumns(lu);
    freeMemory(lu);
    crBlockLu_Free(&lu->blocks);
    crFree(&allocator, lu, sizeof *lu);
  }
}

static bool reserve(crSparseLu* lu, int n, int entryCount)
{
  size_t states = (size_t)n, count = 2 * (size_t)entryCount + 2 * states;
  if (count > lu->memoryCount) {
    freeMemory(lu);
    lu->memory = crAllocateZero(&lu->allocator, count, sizeof *lu->memory);
    lu->memoryCount = lu->memory != NULL ? count : 0;
  }
  lu->pairs = lu->memory;
  lu->x = lu->pairs + 2 * (size_t)entryCount;
  return lu->memory != NULL;
}

crStatus crSparseLu_Analyze(crSparseLu* lu, int n, int* starts, int* rows)
{
  freeColumns(lu);
  lu->n = n;
  lu->starts = starts;
  lu->rows = rows;
  if (!reserve(lu, n, starts[n])) {
    return cr_errorMemory;
  }
  crStatus status = crBlockLu_Analyze(&lu->blocks, n, starts, rows);
  lu->hasBlocks = status == cr_ok && lu->blocks.graph.nodeCount * CR_MIN_BLOCK <= n;
  return status;
}

// -------------------------------------------------------------------------------------------------- KLU

static crStatus toStatus(const crSparseLu* lu, bool isDone)
{
  return isDone                                   ? cr_ok
         : lu->common.status == KLU_OUT_OF_MEMORY ? cr_errorMemory
         : lu->common.status == KLU_TOO_LARGE     ? cr_errorLimit
                                                  : cr_retry;
}

static crStatus factorizeReal(crSparseLu* lu, double* values, bool keepsPivots)
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

static crStatus factorizeComplex(crSparseLu* lu, double* values, bool keepsPivots)
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

static crStatus factorizeColumns(crSparseLu* lu, const double* re, const double* im, bool keepsPivots)
{
  if (lu->symbolic == NULL) {
    lu->symbolic = klu_analyze(lu->n, lu->starts, lu->rows, &lu->common);
    if (lu->symbolic == NULL) {
      return toStatus(lu, false);
    }
  }
  int count = lu->starts[lu->n];
  if (im == NULL) {
    memcpy(lu->pairs, re, (size_t)count * sizeof *re);
    return factorizeReal(lu, lu->pairs, keepsPivots);
  }
  for (size_t k = 0; k < (size_t)count; ++k) {
    lu->pairs[2 * k] = re[k];
    lu->pairs[2 * k + 1] = im[k];
  }
  return factorizeComplex(lu, lu->pairs, keepsPivots);
}

static void solveColumns(crSparseLu* lu, double* b, double* bIm)
{
  if (bIm == NULL) {
    klu_solve(lu->symbolic, lu->real, lu->n, 1, b, &lu->common);
    return;
  }
  double* pairs = lu->x;
  for (size_t i = 0; i < (size_t)lu->n; ++i) {
    pairs[2 * i] = b[i];
    pairs[2 * i + 1] = bIm[i];
  }
  klu_z_solve(lu->symbolic, lu->complex, lu->n, 1, pairs, &lu->common);
  for (size_t i = 0; i < (size_t)lu->n; ++i) {
    b[i] = pairs[2 * i];
    bIm[i] = pairs[2 * i + 1];
  }
}

// ------------------------------------------------------------------------------------------------- both

crStatus crSparseLu_Factorize(crSparseLu* lu, const double* re, const double* im, bool keepsPivots)
{
  bool* usesBlocks = &lu->usesBlocks[im != NULL];
  *usesBlocks = lu->hasBlocks && crBlockLu_Factorize(&lu->blocks, re, im);
  return *usesBlocks ? cr_ok : factorizeColumns(lu, re, im, keepsPivots);
}

void crSparseLu_Solve(crSparseLu* lu, double* b, double* bIm)
{
  if (lu->usesBlocks[bIm != NULL]) {
    crBlockLu_Solve(&lu->blocks, b, bIm);
  } else {
    solveColumns(lu, b, bIm);
  }
}
