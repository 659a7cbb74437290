// Student's distribution for whole degrees of freedom, by the finite sums of Abramowitz and Stegun 26.7.3 and 26.7.4.
#include "base/elementary.h"
#include "carom/fit.h"
#include "sweep/spread.h"

#include <math.h>

#define CR_LARGEST_FREEDOM 2000 // above, four terms of the expansion about the normal distribution are as good
#define CR_HALVINGS 200

// The share of the distribution between -t and t.
static double findShare(double t, int freedom)
{
  double sine = t / sqrt(freedom + t * t), cosine2 = freedom / (freedom + t * t);
  bool isOdd = freedom % 2 != 0;
  double term = isOdd ? sqrt(cosine2) : 1.0, sum = freedom == 1 ? 0.0 : term;
  for (int k = isOdd ? 3 : 2; k <= freedom - 2; k += 2) {
    term *= cosine2 * (double)(k - 1) / k;
    sum += term;
  }
  double angle = crAtan2(t, sqrt((double)freedom));
  return isOdd ? 2.0 / 3.14159265358979323846 * (angle + sine * sum) : sine * sum;
}

double crStudentQuantile(double p, int freedom)
{
  if (!(p > 0.0 && p < 1.0) || freedom < 1) {
    return NAN;
  }
  if (p < 0.5) {
    return -crStudentQuantile(1.0 - p, freedom);
  }
  if (freedom > CR_LARGEST_FREEDOM) {
    double x = crNormalQuantile(p), n = freedom;
    return x + (x * x * x + x) / (4.0 * n) + (5.0 * x * x * x * x * x + 16.0 * x * x * x + 3.0 * x) / (96.0 * n * n);
  }
  double low = 0.0, high = 1.0;
  while (findShare(high, freedom) < 2.0 * p - 1.0 && high < 1e300) {
    high *= 2.0;
  }
  for (int i = 0; i < CR_HALVINGS && low < high; ++i) {
    double middle = 0.5 * (low + high);
    if (middle == low || middle == high) {
      break;
    }
    *(findShare(middle, freedom) < 2.0 * p - 1.0 ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}
