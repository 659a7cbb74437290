// Products without cancellation, by fused multiply-add: for planes of slivers and of thin bodies, whose plain
// cross products have no digits left.
#ifndef CR_GEOMETRY_EXACT_H
#define CR_GEOMETRY_EXACT_H

#include "base/pair.h"

#include "carom/math.h"

// a b - c d to about one unit in the last place (Kahan; error bounds in Jeannerod, Louvet, Muller, 2013).
static inline double crDifferenceOfProducts(double a, double b, double c, double d)
{
  double cd = c * d;
  double error = fma(-c, d, cd);
  return fma(a, b, -cd) + error;
}

static inline crVec3 crExactCross(crVec3 a, crVec3 b)
{
  return crMakeVec3(crDifferenceOfProducts(a.y, b.z, a.z, b.y), crDifferenceOfProducts(a.z, b.x, a.x, b.z),
                    crDifferenceOfProducts(a.x, b.y, a.y, b.x));
}

// high + low is a b exactly.
static inline double crTwoProduct(double a, double b, double* outLow)
{
  double high = a * b;
  *outLow = fma(a, b, -high);
  return high;
}

// c - a . b as if computed with twice the digits (Ogita, Rump, Oishi, Accurate sum and dot product, 2005).
static inline double crExactResidual(double c, crVec3 a, crVec3 b)
{
  double lowX, lowY, lowZ, low1, low2, low3;
  double x = crTwoProduct(-a.x, b.x, &lowX), y = crTwoProduct(-a.y, b.y, &lowY), z = crTwoProduct(-a.z, b.z, &lowZ);
  double sum = crTwoSum(c, x, &low1);
  sum = crTwoSum(sum, y, &low2);
  sum = crTwoSum(sum, z, &low3);
  return sum + (lowX + lowY + lowZ + low1 + low2 + low3);
}

#endif
