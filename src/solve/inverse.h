// Inverses of small matrices, real and complex.
//
// Matrices are rows of `stride` places, a multiple of CR_LANES, 0 behind the last column; complex ones are two such,
// real and imaginary parts.
#ifndef CR_SOLVE_INVERSE_H
#define CR_SOLVE_INVERSE_H

#include <stdbool.h>

#define CR_LANES 4         // rows and vectors are padded to a multiple of this
#define CR_MAX_INVERTED 40 // rows of the largest matrix

// One free round body has 6 equations: these are for it, in rows of 8 places.
#define CR_BODY_CORE 6
#define CR_BODY_STRIDE 8

// In place. False: singular.
bool crInvertReal(int m, int stride, double* a);
bool crInvertComplex(int m, int stride, double* re, double* im);

// Both of a body at once, without pivots. False: that lost too much precision, which is found out by a product with
// ones; then pivots are needed.
bool crInvertBody(const double* real, const double* re, const double* im, double* outReal, double* outRe,
                  double* outIm);

// x = M b of the inverses, whose rows are columns of M: of all three systems, and of the real one alone.
void crMultiplyBody(const double* real, const double* re, const double* im, double* const* b, double* const* outX);
void crMultiplyBodyReal(const double* real, const double* b, double* outX);

#endif
