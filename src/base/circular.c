// Sine, cosine and tangent of one angle.
//
// Far angles are multiplied by as many bits of 2/pi as matter, in whole numbers [PayneHanek83].
#include "base/circular.h"
#include "base/elementary.h"

#include <math.h>
#include <stdbool.h>

#define CR_TINY_ANGLE 0x1p-27 // sin(x) and tan(x) round to x, or to its neighbour at most

typedef struct Angle {
  double r, rest;    // in [-pi/4, pi/4]
  uint64_t quadrant; // the last two bits count
} Angle;

#define CR_WORDS ((int)(sizeof crTwoByPi / sizeof *crTwoByPi)) // as many as the largest double needs

static uint64_t getWord(int i)
{
  return i >= 0 && i < CR_WORDS ? crTwoByPi[i] : 0;
}

// 64 bits of 2/pi, from `shift` bits behind the beginning of word i on.
static uint64_t takeWord(int i, int shift)
{
  return shift > 0 ? getWord(i) << shift | getWord(i + 1) >> (64 - shift) : getWord(i);
}

__extension__ typedef unsigned __int128 Wide;

// x = m 2^e with m of 53 bits. Bits of 2/pi that make multiples of four quarter turns are left out; of the product of m
// with the next 192, all above 192 bits is four quarter turns again. Its first two bits are the quadrant, the next 128
// the fraction of a quarter turn, of which at least 66 count: no double comes nearer than 2^-61 to a multiple of pi/2
// [Muller16].
static Wide multiplyFar(uint64_t m, int e, uint64_t* outQuadrant)
{
  int first = e - 2, word = first >= 0 ? first / 64 : -1, shift = first >= 0 ? first % 64 : first + 64;
  Wide low = (Wide)m * takeWord(word + 2, shift), middle = (Wide)m * takeWord(word + 1, shift) + (low >> 64);
  uint64_t top = m * takeWord(word, shift) + (uint64_t)(middle >> 64), next = (uint64_t)middle;
  *outQuadrant = top >> 62;
  return (Wide)(top << 2 | next >> 62) << 64 | (next << 2 | (uint64_t)low >> 62);
}

// fraction pi / 2, the fraction being one of 2^128.
static crPair turnBack(Wide fraction)
{
  uint64_t upper = (uint64_t)(fraction >> 64);
  int zeros = upper != 0 ? __builtin_clzll(upper) : 64 + __builtin_clzll((uint64_t)fraction | 1);
  fraction <<= zeros;
  upper = (uint64_t)(fraction >> 64);
  double high = (double)(upper >> 11) * crPowerOfTwo(-53 - zeros);
  double low = (double)((upper & 0x7ff) << 52 | (uint64_t)fraction >> 12) * crPowerOfTwo(-116 - zeros);
  crPair product = crPairProduct(high, CR_HALF_PI_HIGH);
  return crQuickSum(product.high, product.low + (high * CR_HALF_PI_LOW + low * CR_HALF_PI_HIGH));
}

static Angle reduceFar(double x)
{
  uint64_t bits = crToBits(x), quadrant;
  Wide fraction =
      multiplyFar((bits & 0xfffffffffffff) | (uint64_t)1 << 52, (int)(bits >> 52 & 0x7ff) - 1075, &quadrant);
  bool isUpper = fraction >> 127 != 0; // nearer to the next multiple
  crPair angle = turnBack(isUpper ? -fraction : fraction);
  quadrant += isUpper;
  double sign = isUpper != signbit(x) ? -1.0 : 1.0;
  return (Angle){ sign * angle.high, sign * angle.low, signbit(x) ? -quadrant : quadrant };
}

static inline Angle reduce(double x)
{
  if (!(fabs(x) <= CR_NEAR_ANGLE)) {
    return isfinite(x) ? reduceFar(x) : (Angle){ x - x, 0.0, 0 };
  }
  CR_REDUCE_ANGLE(double, x, shifted, r, rest);
  return (Angle){ r, rest, crToBits(shifted) };
}

static inline double sinOf(Angle angle)
{
  double z = angle.r * angle.r;
  return CR_SIN_FORMULA(angle.r, angle.rest, z);
}

static inline double cosOf(Angle angle)
{
  double z = angle.r * angle.r;
  CR_COS_FORMULA(double, angle.r, angle.rest, z, c);
  return c;
}

static inline double withSign(double x, uint64_t quadrant)
{
  return crFromBits(crToBits(x) ^ (quadrant & 2) << 62);
}

double crSin(double x)
{
  if (fabs(x) < CR_TINY_ANGLE) {
    return x;
  }
  Angle angle = reduce(x);
  return withSign((angle.quadrant & 1) != 0 ? cosOf(angle) : sinOf(angle), angle.quadrant);
}

double crCos(double x)
{
  Angle angle = reduce(x);
  return withSign((angle.quadrant & 1) != 0 ? sinOf(angle) : cosOf(angle), angle.quadrant + 1);
}

void crSinCos(double x, double* outSin, double* outCos)
{
  Angle angle = reduce(x);
  double s = sinOf(angle), c = cosOf(angle);
  bool isOdd = (angle.quadrant & 1) != 0;
  *outSin = fabs(x) < CR_TINY_ANGLE ? x : withSign(isOdd ? c : s, angle.quadrant);
  *outCos = withSign(isOdd ? s : c, angle.quadrant + 1);
}

// The same formulas once more, with what the last addition loses.
static crPair sinPair(Angle angle)
{
  double r = angle.r, z = r * r;
  return crQuickSum(r, angle.rest * (1.0 - 0.5 * z) + r * z * CR_POLYNOMIAL_5(crSinSeries, z));
}

static crPair cosPair(Angle angle)
{
  double r = angle.r, z = r * r, top = (r + CR_ROUND_TOP) - CR_ROUND_TOP, half = 0.5 * top * top, most = 1.0 - half;
  double small = z * z * CR_POLYNOMIAL_5(crCosSeries, z) - (r * angle.rest + 0.5 * (r - top) * (r + top));
  return crQuickSum(most, ((1.0 - most) - half) + small);
}

double crTan(double x)
{
  if (fabs(x) < CR_TINY_ANGLE) {
    return x;
  }
  Angle angle = reduce(x);
  crPair s = sinPair(angle), c = cosPair(angle);
  return (angle.quadrant & 1) != 0 ? -crPairQuotient(c, s) : crPairQuotient(s, c);
}
