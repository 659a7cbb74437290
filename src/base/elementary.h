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

double crSin(double x);
double crCos(double x);
double crTan(double x);
void crSinCos(double x, double* outSin, double* outCos); // the bits of crSin and crCos

double crAsin(double x);
double crAcos(double x);
double crAtan2(double y, double x);

double crExp(double x);
double crLog(double x);
double crLog2(double x);
double crLog10(double x);
double crLog1p(double x);
double crPow(double x, double y);

double crTanh(double x);

double crCbrt(double x);
double crHypot(double x, double y);

// 1 / gamma(x) for 0.5 <= x <= 2, NaN elsewhere.
double crPerGamma(double x);

#endif
