// Fronts: dense matrices of which the first rows and columns are eliminated, real or complex.
//
// Rows have `stride` places, a multiple of CR_FRONT_LANES, 0 behind the last column. Complex fronts are two such, real
// and imaginary parts; `im` NULL: real.
#ifndef CR_SOLVE_FRONT_H
#define CR_SOLVE_FRONT_H

#define CR_FRONT_LANES 8

typedef struct crFront {
  int size, pivotCount, stride;
  double *re, *im;
} crFront;

// LU of the first pivotCount rows and columns, with pivots from these rows alone; what is left of the others becomes
// their Schur complement. L, with ones on its diagonal, is below the diagonal, U above, and the diagonal has the
// inverses of pivots. swaps (pivotCount): the row that each one was swapped with. Returns the largest size in L;
// infinity or not a number: singular.
double crFront_Eliminate(crFront* front, int* swaps);

#endif
