// The reciprocal of the gamma function, which has no poles and so the shorter polynomials.
#include "base/elementary.h"
#include "base/elementary_tables.h"

#include <math.h>

#define CR_GAMMA_DEGREE ((int)(sizeof crPerGammaLow / sizeof *crPerGammaLow) - 1)

// The first two terms are added with all their digits: they nearly cancel at 1/2.
double crPerGamma(double x)
{
  if (!(x >= 0.5 && x <= 2.0)) {
    return NAN;
  }
  const double* a = x < 1.25 ? crPerGammaLow : crPerGammaHigh;
  const double* rests = x < 1.25 ? crPerGammaLowRests : crPerGammaHighRests;
  double t = x < 1.25 ? x - 0.875 : x - 1.625, p = a[CR_GAMMA_DEGREE];
  for (int i = CR_GAMMA_DEGREE - 1; i >= 2; --i) {
    p = a[i] + t * p;
  }
  crPair line = crPairProduct(t, a[1]), sum = crQuickSum(a[0], line.high);
  return sum.high + (sum.low + (line.low + (rests[0] + t * rests[1]) + t * t * p));
}
