// Exponential function, logarithms, powers, and the hyperbolic tangent, by tables [Tang89], [Tang90].
//
//   exp(x) = 2^(k / 128) exp(r),          r = x - k log(2) / 128
//   log(x) = k log(2) + log(c) + log(1 + r),    x = 2^k z, r = z / c - 1
//   x^y = exp(y log(x)), the logarithm in two parts of together 68 bits
#include "base/elementary.h"
#include "base/elementary_tables.h"

#include <math.h>
#include <stdbool.h>

#define CR_ROUND_WHOLE 0x1.8p52 // adding it leaves a whole number, in the low bits
#define CR_EXP_BITS 7           // the table has 2^7 steps
#define CR_EXP_FAR 1100.0       // exp(x) is 0 or infinite
#define CR_EXP_NEAR 700.0       // exp(x) and all on the way to it is normal
#define CR_TINY 0x1p-54

// ---------------------------------------------------------------------------------------- exponential

// exp(x) = scale (1 + rest) 2^k
typedef struct Power {
  double scale, rest;
  int k;
} Power;

// exp(x + low), |x| <= CR_EXP_FAR.
static inline Power powerOf(double x, double low)
{
  double shifted = x * CR_EXP_PER_STEP + CR_ROUND_WHOLE, steps = shifted - CR_ROUND_WHOLE;
  double r = ((x - steps * CR_EXP_STEP_HIGH) - steps * CR_EXP_STEP_LOW) + low, r2 = r * r;
  int64_t n = (int64_t)(crToBits(shifted) - crToBits(CR_ROUND_WHOLE));
  crExpRow row = crExpTable[n & ((1 << CR_EXP_BITS) - 1)];
  double series = r2 * (crExpSeries[0] + r * crExpSeries[1]) + r2 * r2 * (crExpSeries[2] + r * crExpSeries[3]);
  return (Power){ row.value, row.rest + r + series, (int)(n >> CR_EXP_BITS) };
}

// x 2^k, rounded once.
static double scaleFar(double x, int k)
{
  k = k < -1200 ? -1200 : k > 1200 ? 1200 : k;
  int half = k / 2;
  return x * crPowerOfTwo(half) * crPowerOfTwo(k - half);
}

static inline double powerValue(Power power)
{
  if (power.k < -1000 || power.k > 1000) {
    return scaleFar(power.scale + power.scale * power.rest, power.k);
  }
  double scale = crFromBits(crToBits(power.scale) + ((uint64_t)power.k << 52));
  return scale + scale * power.rest;
}

double crExp(double x)
{
  double size = fabs(x);
  if (!(size < CR_EXP_FAR)) {
    return isnan(x) ? x + x : x > 0.0 ? HUGE_VAL : 0.0;
  }
  return size < CR_TINY ? 1.0 + x : powerValue(powerOf(x, 0.0));
}

// ---------------------------------------------------------------------------------------- logarithms

// log(x) of a positive normal number times 2^exponent, in two parts. The first bits of z are multiplied by 1 / c, which
// has 10, exactly.
static inline crPair logOf(uint64_t bits, int exponent)
{
  uint64_t above = bits - CR_LOG_START;
  crLogRow row = crLogTable[above >> 45 & 127];
  uint64_t zBits = bits - (above & (uint64_t)0xfff << 52);
  double k = (double)((int)((int64_t)above >> 52) + exponent), z = crFromBits(zBits);
  double zTop = crFromBits((zBits + ((uint64_t)1 << 31)) & ~(uint64_t)0xffffffff);
  double rTop = zTop * row.inverse - 1.0, rBottom = (z - zTop) * row.inverse, r = rTop + rBottom;
  double whole = k * CR_LOG2_HIGH + row.log.high, sum = whole + r, square = -0.5 * rTop * rTop, high = sum + square;
  double r2 = r * r;
  double p = (crLogSeries[0] + r * crLogSeries[1]) +
             r2 * ((crLogSeries[2] + r * crLogSeries[3]) + r2 * (crLogSeries[4] + r * crLogSeries[5]));
  double lost = ((rTop - r) + rBottom) + ((whole - sum) + r) + ((sum - high) + square);
  double low = (k * CR_LOG2_LOW + row.log.low) + lost - 0.5 * rBottom * (r + rTop) + r * r2 * p;
  return crQuickSum(high, low);
}

// Whether x is no positive, finite, normal number.
static inline bool isOdd(uint64_t bits)
{
  return bits - ((uint64_t)1 << 52) >= (uint64_t)0x7fe << 52;
}

// log(x) of x that is; true: outPair has it, false: outPair->high is the result.
static bool oddLog(double x, crPair* outPair)
{
  if (x > 0.0 && x < HUGE_VAL) {
    *outPair = logOf(crToBits(x * 0x1p52), -52);
    return true;
  }
  *outPair = (crPair){ x == 0.0 ? -HUGE_VAL : x > 0.0 || isnan(x) ? x + x : NAN, 0.0 };
  return false;
}

// log(x) / log(base), with 1 / log(base) in two parts.
static double logTo(double x, double perHigh, double perLow)
{
  crPair l;
  if (isOdd(crToBits(x))) {
    if (!oddLog(x, &l)) {
      return l.high;
    }
  } else {
    l = logOf(crToBits(x), 0);
  }
  double top = crUpperHalf(l.high), bottom = (l.high - top) + l.low;
  crPair sum = crQuickSum(top * perHigh, bottom * perHigh + (top + bottom) * perLow);
  return sum.high + sum.low;
}

double crLog(double x)
{
  crPair l;
  if (isOdd(crToBits(x))) {
    oddLog(x, &l);
    return l.high;
  }
  return logOf(crToBits(x), 0).high;
}

double crLog2(double x)
{
  return logTo(x, CR_PER_LOG2_HIGH, CR_PER_LOG2_LOW);
}

double crLog10(double x)
{
  return logTo(x, CR_PER_LOG10_HIGH, CR_PER_LOG10_LOW);
}

// log(u + lost) = log(u) + lost / u, u + lost being 1 + x exactly.
double crLog1p(double x)
{
  if (!(x > -1.0 && x < HUGE_VAL)) {
    return x == -1.0 ? -HUGE_VAL : x > 0.0 || isnan(x) ? x + x : NAN;
  }
  if (fabs(x) < CR_TINY) {
    return x;
  }
  double lost, u = crTwoSum(1.0, x, &lost);
  crPair l = logOf(crToBits(u), 0);
  return l.high + (l.low + lost / u);
}

// --------------------------------------------------------------------------------------------- power

typedef enum Parity { parityNone, parityOdd, parityEven } Parity;

// Whether y is a whole number, and which kind.
static Parity parityOf(double y)
{
  if (!(fabs(y) < HUGE_VAL) || y != floor(y)) {
    return isinf(y) ? parityEven : parityNone;
  }
  return fabs(y) < 0x1p53 && floor(0.5 * y) != 0.5 * y ? parityOdd : parityEven;
}

// x is zero or infinite, or one of both is NaN, or y is zero or infinite, or x is 1.
static double edgePower(double x, double y)
{
  if (y == 0.0 || x == 1.0) {
    return 1.0;
  }
  if (isnan(x) || isnan(y)) {
    return x + y;
  }
  if (isinf(y)) {
    double size = fabs(x);
    return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? HUGE_VAL : 0.0;
  }
  double size = (x == 0.0) == (y > 0.0) ? 0.0 : HUGE_VAL;
  return parityOf(y) == parityOdd ? copysign(size, x) : size;
}

// Of a positive finite x and a finite y.
static inline double positivePower(double x, double y)
{
  uint64_t bits = crToBits(x);
  crPair l;
  if (isOdd(bits)) {
    l = logOf(crToBits(x * 0x1p52), -52);
  } else {
    l = logOf(bits, 0);
  }
  double estimate = y * l.high;
  if (!(fabs(estimate) < CR_EXP_FAR)) {
    return estimate > 0.0 ? HUGE_VAL : 0.0;
  }
  double yTop = crUpperHalf(y), lTop = crUpperHalf(l.high);
  double high = yTop * lTop, low = (y - yTop) * lTop + y * ((l.high - lTop) + l.low);
  return powerValue(powerOf(high, low));
}

double crPow(double x, double y)
{
  double size = fabs(x);
  if (!(size > 0.0 && size < HUGE_VAL) || !(fabs(y) < HUGE_VAL) || y == 0.0 || x == 1.0) {
    return edgePower(x, y);
  }
  if (x > 0.0) {
    return positivePower(x, y);
  }
  Parity parity = parityOf(y);
  double power = parity == parityNone ? NAN : positivePower(size, y);
  return parity == parityOdd ? -power : power;
}

// -------------------------------------------------------------------------------- hyperbolic tangent

#define CR_TANH_SMALL 0.25 // the series is enough
#define CR_TANH_ONE 20.0   // tanh(x) rounds to 1

// tanh(x) = (e - 1) / (e + 1), e = exp(2 x) in two parts.
static double largeTanh(double x)
{
  Power power = powerOf(2.0 * x, 0.0);
  double scale = crFromBits(crToBits(power.scale) + ((uint64_t)power.k << 52));
  crPair e = crQuickSum(scale, scale * power.rest);
  crPair below = crQuickSum(e.high, -1.0), above = crQuickSum(e.high, 1.0);
  below.low += e.low;
  above.low += e.low;
  return crPairQuotient(below, above);
}

double crTanh(double x)
{
  double size = fabs(x);
  if (size <= CR_TANH_SMALL) {
    double z = x * x, p = crTanhSeries[6];
    for (int i = 5; i >= 0; --i) {
      p = crTanhSeries[i] + z * p;
    }
    return size < CR_TINY ? x : x + x * z * p;
  }
  return isnan(x) ? x + x : copysign(size > CR_TANH_ONE ? 1.0 : largeTanh(size), x);
}
