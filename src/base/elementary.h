// Elementary functions with the same bits on every machine.
//
// Those of C libraries differ from each other, and one and the same library chooses other code on processors with fused
// multiply-add. These use additions, multiplications, divisions, square roots and whole numbers only, where IEEE 754
// leaves no choice; the compiler may not contract them (-ffp-contract=off). Rounding is to nearest. Errors are below
// one unit in the last place, most of them below 0.7, those of logarithms, powers and angles of points below 0.55;
// test_elementary.c measures each. Special values are those of C17, annex F; errno and flags are not looked after. What
// is exact or rounded correctly everywhere (sqrt, fabs, floor, fmod, ldexp, fma, ...) stays the C library's.
#ifndef CR_BASE_ELEMENTARY_H
#define CR_BASE_ELEMENTARY_H

#include "base/friend.h"

CR_FRIEND double crSin(double x);
CR_FRIEND double crCos(double x);
CR_FRIEND double crTan(double x);
CR_FRIEND void crSinCos(double x, double* outSin, double* outCos); // the bits of crSin and crCos

CR_FRIEND double crAsin(double x);
CR_FRIEND double crAcos(double x);
CR_FRIEND double crAtan2(double y, double x);

CR_FRIEND double crExp(double x);
CR_FRIEND double crLog(double x);
CR_FRIEND double crLog2(double x);
CR_FRIEND double crLog10(double x);
CR_FRIEND double crLog1p(double x);
CR_FRIEND double crPow(double x, double y);

CR_FRIEND double crTanh(double x);

CR_FRIEND double crCbrt(double x);
CR_FRIEND double crHypot(double x, double y);

// 1 / gamma(x) for 0.5 <= x <= 2, NaN elsewhere.
CR_FRIEND double crPerGamma(double x);

#endif
