// Inertias that no rigid body has, and the nearest that one can have.
//
// The principal moments a, b, c of a body are sums of its second moments x, y, z >= 0 along the principal axes,
//
//   a = y + z,   b = x + z,   c = x + y
//
// so none is negative or larger than the other two together. The nearest tensor in the Frobenius norm has the same
// axes; its x, y, z are the non-negative ones that bring |(a, b, c) - given| to its least. With so few unknowns all
// sets of those that are zero are tried.
#include "scene/scene.h"

#define CR_TRIANGLE_SLACK 1e-9 // [-] relative slack of the triangle inequality, for data with few digits

bool crIsPhysicalInertia(double mass, crSym3 inertia)
{
  double moments[3];
  crSym3_ComputeEigen(inertia, moments, NULL);
  double slack = CR_TRIANGLE_SLACK * fabs(moments[2]);
  return mass > 0.0 && moments[0] >= -slack && moments[0] + moments[1] >= moments[2] - slack;
}

// The best x, y, z of those that are not zero, by the normal equations of the columns (0, 1, 1), (1, 0, 1), (1, 1, 0):
// the product of two different ones is 1, of one with itself 2.
static void fit(const double moments[3], unsigned kept, double outSeconds[3])
{
  double sums[3] = { moments[1] + moments[2], moments[0] + moments[2], moments[0] + moments[1] };
  int count = 0;
  double total = 0.0;
  for (int i = 0; i < 3; ++i) {
    if ((kept >> i & 1u) != 0) {
      ++count;
      total += sums[i];
    }
  }
  for (int i = 0; i < 3; ++i) { // (1 + ones) s = sums over the kept ones, so s = sums - total / (count + 1)
    outSeconds[i] = (kept >> i & 1u) != 0 ? sums[i] - total / (count + 1) : 0.0;
  }
}

static double findMisfit(const double moments[3], const double s[3])
{
  double a = s[1] + s[2] - moments[0], b = s[0] + s[2] - moments[1], c = s[0] + s[1] - moments[2];
  return a * a + b * b + c * c;
}

crSym3 crBalanceInertia(double mass, crSym3 inertia)
{
  if (!(mass > 0.0)) {
    return crDiagonalSym3(0.0, 0.0, 0.0);
  }
  if (crIsPhysicalInertia(mass, inertia)) {
    return inertia;
  }
  double moments[3], best[3] = { 0.0, 0.0, 0.0 };
  crMat3 axes;
  crSym3_ComputeEigen(inertia, moments, &axes);
  double least = findMisfit(moments, best);
  for (unsigned kept = 1; kept < 8; ++kept) {
    double seconds[3];
    fit(moments, kept, seconds);
    double misfit = findMisfit(moments, seconds);
    if (seconds[0] >= 0.0 && seconds[1] >= 0.0 && seconds[2] >= 0.0 && misfit < least) {
      least = misfit;
      best[0] = seconds[0];
      best[1] = seconds[1];
      best[2] = seconds[2];
    }
  }
  return crRotateSym3(axes, crDiagonalSym3(best[1] + best[2], best[0] + best[2], best[0] + best[1]));
}
