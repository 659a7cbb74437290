// Arc sine, arc cosine, and the angle of a point.
#include "base/elementary.h"
#include "base/elementary_tables.h"

#include <math.h>
#include <stdbool.h>

#define CR_TINY_ARC 0x1p-27   // asin(x) rounds to x, or to its neighbour at most
#define CR_TINY_RATIO 0x1p-60 // atan(t) is t, and nothing beside pi/2
#define CR_ARC_STEPS 64       // of the table between 0 and 1
#define CR_SMALL_STEPS 8      // below 8/64 the series is enough

// ------------------------------------------------------------------------------- arc sine and cosine

// asin(x) = x + x z P(z) for |x| <= 1/2, and with x = 1 - 2 z, acos(x) = 2 asin(sqrt(z)): the rest of it.
static inline double seriesOf(double z)
{
  const double* a = crAsinSeries;
  double z2 = z * z, z4 = z2 * z2;
  double low = (a[0] + z * a[1]) + z2 * (a[2] + z * a[3]), middle = (a[4] + z * a[5]) + z2 * (a[6] + z * a[7]);
  double high = ((a[8] + z * a[9]) + z2 * (a[10] + z * a[11])) + z4 * a[12];
  return z * (low + z4 * (middle + z4 * high));
}

// asin(sqrt(z)), 0 < z <= 1/4: the root with what its rounding lost.
static inline crPair arcOfRoot(double z)
{
  double root = sqrt(z), top = crUpperHalf(root);
  double lost = ((z - top * top) - (root - top) * (root + top)) / (2.0 * root);
  return (crPair){ root, lost + root * seriesOf(z) };
}

double crAcos(double x)
{
  double a = fabs(x);
  if (a <= 0.5) {
    crPair sum = crQuickSum(CR_HALF_PI_HIGH, -x);
    return sum.high + (sum.low + (CR_HALF_PI_LOW - x * seriesOf(x * x)));
  }
  if (!(a < 1.0)) {
    return x == 1.0 ? 0.0 : x == -1.0 ? 2.0 * CR_HALF_PI_HIGH : NAN;
  }
  crPair arc = arcOfRoot(0.5 * (1.0 - a));
  if (x > 0.0) {
    return 2.0 * (arc.high + arc.low);
  }
  crPair sum = crQuickSum(CR_HALF_PI_HIGH, -arc.high);
  return 2.0 * (sum.high + (sum.low + (CR_HALF_PI_LOW - arc.low)));
}

double crAsin(double x)
{
  double a = fabs(x);
  if (a <= 0.5) {
    return a < CR_TINY_ARC ? x : x + x * seriesOf(x * x);
  }
  if (!(a < 1.0)) {
    return a == 1.0 ? copysign(CR_HALF_PI_HIGH, x) : NAN;
  }
  crPair arc = arcOfRoot(0.5 * (1.0 - a)), sum = crQuickSum(CR_HALF_PI_HIGH, -2.0 * arc.high);
  return copysign(sum.high + (sum.low + (CR_HALF_PI_LOW - 2.0 * arc.low)), x);
}

// -------------------------------------------------------------------------------- angle of a point

// atan(n / d), 0 <= n <= d, by the table at c = i / 64 near n / d:
//
//   atan(n / d) = atan(c) + atan((n - c d) / (d + c n))
static inline crPair arcOfRatio(double n, double d)
{
  double q = n / d;
  int i = (int)(q * CR_ARC_STEPS + 0.5);
  if (i < CR_SMALL_STEPS) {
    const double* a = crAtanSeries;
    crPair product = crPairProduct(q, d);
    double lost = ((n - product.high) - product.low) / d, z = q * q, z2 = z * z;
    double p = (a[0] + z * a[1]) + z2 * ((a[2] + z * a[3]) + z2 * (a[4] + z * a[5]));
    return (crPair){ q, lost + q * z * p };
  }
  double c = i * (1.0 / CR_ARC_STEPS), top = crUpperHalf(d);
  double t = ((n - c * top) - c * (d - top)) / (d + c * n), z = t * t;
  double p = crAtanShortSeries[0] + z * (crAtanShortSeries[1] + z * crAtanShortSeries[2]);
  crPair sum = crQuickSum(crAtanTable[i].high, t);
  return (crPair){ sum.high, sum.low + (crAtanTable[i].low + t * z * p) };
}

// base + sign arc, base 0 or larger than the arc.
static inline double combine(double base, double baseRest, double sign, crPair arc)
{
  crPair sum = crQuickSum(base, sign * arc.high);
  return sum.high + (sum.low + (baseRest + sign * arc.low));
}

// n / d is too small for a table, or one of both is zero or infinite.
static double angleAtEdge(double ax, double ay, bool isLeft)
{
  const double pi = 2.0 * CR_HALF_PI_HIGH;
  if (isinf(ax) && isinf(ay)) {
    return isLeft ? 0.75 * pi : 0.25 * pi;
  }
  if (ay > ax) {
    return CR_HALF_PI_HIGH;
  }
  return isLeft ? pi : ay == 0.0 ? 0.0 : ay / ax;
}

double crAtan2(double y, double x)
{
  double ax = fabs(x), ay = fabs(y), n = fmin(ax, ay), d = fmax(ax, ay);
  bool isLeft = signbit(x), isSteep = ay > ax;
  if (isnan(x) || isnan(y)) {
    return x + y;
  }
  if (!(n > CR_TINY_RATIO * d) || isinf(d)) {
    return copysign(angleAtEdge(ax, ay, isLeft), y);
  }
  if (!(d < 0x1p900 && n > 0x1p-900)) { // products are to have all their digits
    double scale = d >= 0x1p900 ? 0x1p-200 : 0x1p200;
    n *= scale;
    d *= scale;
  }
  crPair arc = arcOfRatio(n, d);
  double angle = isSteep  ? combine(CR_HALF_PI_HIGH, CR_HALF_PI_LOW, isLeft ? 1.0 : -1.0, arc)
                 : isLeft ? combine(2.0 * CR_HALF_PI_HIGH, CR_PI_LOW, -1.0, arc)
                          : arc.high + arc.low;
  return copysign(angle, y);
}
