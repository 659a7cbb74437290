// Cube root and hypotenuse.
#include "base/elementary.h"
#include "base/elementary_tables.h"

#include <math.h>

// --------------------------------------------------------------------------------------- cube root

#define CR_CBRT_GUESS 0x2a9f789200000000 // two thirds of the bits of 1.0, less 0.033: guess^3 / x is in [0.909, 1.1]
#define CR_CBRT_BITS 0x3fffffff          // of 53 that are cut off, so that a square is exact: 23 stay

// A third of the exponent gives 5 bits, a polynomial in guess^3 / x 21, and a step of Newton's all [Kahan91].
static double positiveRoot(double x)
{
  double guess = crFromBits(crToBits(x) / 3 + CR_CBRT_GUESS), q = guess * guess * (guess / x);
  const double* a = crCbrtSeries;
  double better = guess * (a[0] + q * (a[1] + q * (a[2] + q * (a[3] + q * a[4]))));
  double t = crFromBits((crToBits(better) + (CR_CBRT_BITS + 1) / 2) & ~(uint64_t)CR_CBRT_BITS);
  double other = x / (t * t); // t t is exact
  return t + t * ((other - t) / (2.0 * t + other));
}

double crCbrt(double x)
{
  double size = fabs(x);
  if (!(size < HUGE_VAL) || size == 0.0) {
    return x + x;
  }
  double root = size < 0x1p-900 ? positiveRoot(size * 0x1p300) * 0x1p-100 : positiveRoot(size);
  return copysign(root, x);
}

// -------------------------------------------------------------------------------------- hypotenuse

// sqrt(a^2 + b^2), a >= b: a root of the rounded sum, less what that and the root have lost.
static double longSide(double a, double b)
{
  crPair aa = crPairProduct(a, a), bb = crPairProduct(b, b), sum = crQuickSum(aa.high, bb.high);
  double root = sqrt(sum.high);
  crPair square = crPairProduct(root, root);
  return root + (((sum.high - square.high) - square.low) + (sum.low + aa.low + bb.low)) / (2.0 * root);
}

double crHypot(double x, double y)
{
  double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
  if (isinf(x) || isinf(y)) {
    return HUGE_VAL;
  }
  if (isnan(x) || isnan(y)) {
    return x + y;
  }
  if (!(b > 0x1p-54 * a)) {
    return a;
  }
  if (a > 0x1p500) {
    return longSide(a * 0x1p-600, b * 0x1p-600) * 0x1p600;
  }
  return b < 0x1p-400 ? longSide(a * 0x1p600, b * 0x1p600) * 0x1p-600 : longSide(a, b);
}
