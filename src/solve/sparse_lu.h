// Sparse factorizations by KLU [DavisNatarajan10]: of one real and one complex matrix with the same pattern.
#ifndef CR_SOLVE_SPARSE_LU_H
#define CR_SOLVE_SPARSE_LU_H

#include "carom/base.h"

typedef struct crSparseLu crSparseLu;

crStatus crCreateSparseLu(const crAllocator* allocator, crSparseLu** outLu);
void crDestroySparseLu(crSparseLu* lu);

// A new pattern: compressed columns, which must stay where they are. KLU takes its memory from malloc.
crStatus crSparseLu_Analyze(crSparseLu* lu, int n, int* starts, int* rows);

// keepsPivots: those of the last matrix may do for this one, which is faster; then the past shows in the last bits.
// Values of complex matrices are pairs. cr_retry: singular.
crStatus crSparseLu_FactorizeReal(crSparseLu* lu, double* values, bool keepsPivots);
crStatus crSparseLu_FactorizeComplex(crSparseLu* lu, double* values, bool keepsPivots);

void crSparseLu_SolveReal(crSparseLu* lu, double* b);    // (n), becomes the solution
void crSparseLu_SolveComplex(crSparseLu* lu, double* b); // (2 n) pairs

#endif
