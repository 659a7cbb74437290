// Numbers in two parts, high + low, for what one double cannot hold: sums and products with their rounding errors
// [Dekker71]. No fused multiply-add: without such an instruction it would take a hundred others.
#ifndef CR_BASE_PAIR_H
#define CR_BASE_PAIR_H

#include <float.h>
#include <stdint.h>
#include <string.h>

// 16: numbers of 16 bits are computed as such, all others as ever (processors with AVX512-FP16).
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "double has to be computed as double: on 32-bit x86 build with -msse2 -mfpmath=sse"
#endif

typedef struct crPair {
  double high, low; // |low| is at most half a unit in the last place of high, or a little more
} crPair;

static inline uint64_t crToBits(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double crFromBits(uint64_t bits)
{
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// 2^e, -1022 <= e <= 1023.
static inline double crPowerOfTwo(int e)
{
  return crFromBits((uint64_t)(e + 1023) << 52);
}

// The first 26 bits of x, so that products of two are exact.
static inline double crUpperHalf(double x)
{
  return crFromBits(crToBits(x) & ~(uint64_t)0x7ffffff);
}

// high + low is a + b exactly (Knuth).
static inline double crTwoSum(double a, double b, double* outLow)
{
  double high = a + b, part = high - a;
  *outLow = (a - (high - part)) + (b - part);
  return high;
}

// The same where |a| >= |b|.
static inline crPair crQuickSum(double a, double b)
{
  double high = a + b;
  return (crPair){ high, (a - high) + b };
}

// a b to about 105 bits: exact but for the last bits of the product of both lower halves.
static inline crPair crPairProduct(double a, double b)
{
  double aHigh = crUpperHalf(a), aLow = a - aHigh, bHigh = crUpperHalf(b), bLow = b - bHigh, high = a * b;
  return (crPair){ high, ((aHigh * bHigh - high) + aHigh * bLow + aLow * bHigh) + aLow * bLow };
}

// n / d.
static inline double crPairQuotient(crPair n, crPair d)
{
  double q = n.high / d.high;
  crPair product = crPairProduct(q, d.high);
  return q + (((n.high - product.high) - product.low) + (n.low - q * d.low)) / d.high;
}

#endif
