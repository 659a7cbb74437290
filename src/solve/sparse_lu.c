// Sparse factorizations: which of the two.
//
// Fronts look for pivots among their own rows only. Whether that was enough is told by the largest factor; where
// it was not, that matrix is factorized column by column, with pivots from everywhere.
#include "solve/sparse_lu.h"

#include "base/memory.h"
#include "solve/block_lu.h"
#include "solve/column_lu.h"

#define CR_MIN_BLOCK 3 // unknowns of a node in the mean, from which on fronts pay

struct crSparseLu {
  crAllocator allocator;
  const int *starts, *rows;
  crBlockLu blocks;
  crColumnLu columns;
  bool hasBlocks;     // the pattern suits it
  bool hasColumns;    // they are needed, and analyzed
  bool usesBlocks[2]; // the factors of the real and of the complex matrix are there
};

crStatus crCreateSparseLu(const crAllocator* allocator, crSparseLu** outLu)
{
  crSparseLu* lu = crAllocateZero(allocator, 1, sizeof *lu);
  *outLu = lu;
  if (lu == NULL) {
    return cr_errorMemory;
  }
  lu->allocator = *allocator;
  crBlockLu_Init(&lu->blocks, allocator);
  crColumnLu_Init(&lu->columns, allocator);
  return cr_ok;
}

void crDestroySparseLu(crSparseLu* lu)
{
  if (lu != NULL) {
    crAllocator allocator = lu->allocator;
    crColumnLu_Free(&lu->columns);
    crBlockLu_Free(&lu->blocks);
    crFree(&allocator, lu, sizeof *lu);
  }
}

crStatus crSparseLu_Analyze(crSparseLu* lu, int n, const int* starts, const int* rows)
{
  lu->starts = starts;
  lu->rows = rows;
  lu->hasColumns = false;
  crStatus status = crBlockLu_Analyze(&lu->blocks, n, starts, rows);
  lu->hasBlocks = status == cr_ok && lu->blocks.graph.nodeCount * CR_MIN_BLOCK <= n;
  return status;
}

crStatus crSparseLu_Factorize(crSparseLu* lu, const double* re, const double* im, bool keepsPivots)
{
  bool* usesBlocks = &lu->usesBlocks[im != NULL];
  *usesBlocks = lu->hasBlocks && crBlockLu_Factorize(&lu->blocks, re, im);
  if (*usesBlocks) {
    return cr_ok;
  }
  crStatus status = lu->hasColumns ? cr_ok : crColumnLu_Analyze(&lu->columns, lu->starts, lu->rows, &lu->blocks.graph);
  lu->hasColumns = status == cr_ok;
  return status == cr_ok ? crColumnLu_Factorize(&lu->columns, re, im, keepsPivots) : status;
}

void crSparseLu_Solve(crSparseLu* lu, double* b, double* bIm)
{
  if (lu->usesBlocks[bIm != NULL]) {
    crBlockLu_Solve(&lu->blocks, b, bIm);
  } else {
    crColumnLu_Solve(&lu->columns, b, bIm);
  }
}

void crSparseLu_Archive(crArchive* archive, crSparseLu* lu, const double* re, const double* im)
{
  bool *usesBlocks = &lu->usesBlocks[im != NULL], hasColumns = lu->hasColumns;
  crArchive_Bool(archive, usesBlocks);
  crArchive_Bool(archive, &hasColumns);
  if (!crArchive_IsGood(archive)) {
    return;
  }
  if (archive->isReading && *usesBlocks && !(lu->hasBlocks && crBlockLu_Factorize(&lu->blocks, re, im))) {
    *usesBlocks = false;
    crArchive_Refuse(archive, "factors do not fit their matrix");
  }
  if (archive->isReading && hasColumns && !lu->hasColumns) {
    crStatus status = crColumnLu_Analyze(&lu->columns, lu->starts, lu->rows, &lu->blocks.graph);
    lu->hasColumns = status == cr_ok;
    crArchive_Fail(archive, status);
  }
  if (hasColumns && crArchive_IsGood(archive)) {
    crColumnLu_Archive(archive, &lu->columns, re, im, *usesBlocks);
  }
}
