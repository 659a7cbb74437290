// Sparse factorizations of one real and one complex matrix with the same pattern: by fronts where unknowns come in
// blocks, see block_lu.h, else column by column, see column_lu.h.
#ifndef CR_SOLVE_SPARSE_LU_H
#define CR_SOLVE_SPARSE_LU_H

#include "base/archive.h"

typedef struct crSparseLu crSparseLu;

crStatus crCreateSparseLu(const crAllocator* allocator, crSparseLu** outLu);
void crDestroySparseLu(crSparseLu* lu);

// A new pattern: compressed columns with their diagonal, which must stay where they are.
crStatus crSparseLu_Analyze(crSparseLu* lu, int n, const int* starts, const int* rows);

// Values of the pattern: im NULL: of the real matrix, else of the complex one. keepsPivots: those of the last matrix
// may do for this one, which is faster; then the past shows in the last bits. cr_retry: singular, or no numbers.
crStatus crSparseLu_Factorize(crSparseLu* lu, const double* re, const double* im, bool keepsPivots);
// In place; bIm NULL: the real one.
void crSparseLu_Solve(crSparseLu* lu, double* b, double* bIm);

// The factors of matrices that were factorized last, whose values are known: a reader, which has analyzed the pattern,
// gets the same bits, now and with pivots that are kept.
void crSparseLu_Archive(crArchive* archive, crSparseLu* lu, const double* re, const double* im);

#endif
