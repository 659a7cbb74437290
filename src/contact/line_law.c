#include "contact/line_law.h"

#include "base/elementary.h"

#include <math.h>

#define CR_MEAN_NEAR 1e-8 // [-] means that differ by less are equal after the next round

static double computeMean(double a, double b)
{
  while (fabs(a - b) > CR_MEAN_NEAR * a) {
    double next = 0.5 * (a + b);
    b = sqrt(a * b);
    a = next;
  }
  return 0.5 * (a + b);
}

double crComputeLineEnergy(double length, double radius, double depth)
{
  double w = sqrt(2.0 * radius * depth);
  return computeMean(length / sqrt(3.0), 2.0 * w / sqrt(7.0)) * 36.0 / 49.0 * depth * depth;
}

crLineLaw crComputeLineLaw(double length, double radius)
{
  double depth = CR_LINE_DEPTH * radius, energy = crComputeLineEnergy(length, radius, depth);
  double ratio = crComputeLineEnergy(length, radius, 2.0 * depth) / crComputeLineEnergy(length, radius, 0.5 * depth);
  double power = crLog(ratio) / crLog(4.0);
  return (crLineLaw){ .stiffness = power * energy / crPow(depth, power), .exponent = power - 1.0 };
}
