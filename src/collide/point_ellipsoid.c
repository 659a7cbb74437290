// Spheres against ellipsoids: the point of an ellipsoid nearest to a given one.
//
// With semi-axes a_i the foot of a point x has the outward normal N_i = x_i / (t + a_i^2), unnormalized, and lies
// at a_i^2 N_i; it is on the ellipsoid when
//
//   s(t) = | (a_i x_i / (t + a_i^2)) | = 1
//
// t > 0 outside, t < 0 inside; the greatest root belongs to the nearest point, -a_min^2 <= t [Eberly13]. Counted from
// that end, u = t + a_min^2, no digits are lost inside a flat ellipsoid: t + a_i^2 = u + d_i, with
// d_i = (a_i - a_min)(a_i + a_min). 1 / s is concave and grows with u, so Newton's method on 1 / s - 1 = 0 climbs to
// the root from any u below it, and nearly straight [MoreSorensen83]: no bisection is needed.
//
// Newton ends with a normal good to half the digits of u at least; the distance n . x - |a_i n_i| is stationary in
// n and has all digits.
#include "collide/pair.h"

#define CR_MAX_NEWTON_STEPS 60 // [-] far more than needed: 3 to 6, about 10 beside a flat ellipsoid's middle
#define CR_NEWTON_END 1e-7     // [-] relative step of u, after which the next one would be 1e-14
#define CR_VANISHING 1e-40     // [-] of the semi-axis: smaller coordinates count as zero

typedef struct Root {
  double ax[3]; // a_i |x_i|
  double d[3];  // a_i^2 - a_min^2; where ax_i = 0 anything positive
} Root;

// s^2 at u, and -s s' into *outSlope.
static double evalRoot(const Root* root, double u, double* outSlope)
{
  double square = 0.0, slope = 0.0;
  for (int i = 0; i < 3; ++i) {
    double inverse = 1.0 / (u + root->d[i]), s = root->ax[i] * inverse;
    square += s * s;
    slope += s * s * inverse;
  }
  *outSlope = slope;
  return square;
}

static double findRoot(const Root* root, double u)
{
  for (int step = 0; step < CR_MAX_NEWTON_STEPS; ++step) {
    double slope, square = evalRoot(root, u, &slope);
    double change = (sqrt(square) - 1.0) * square / slope;
    u += change > 0.0 ? change : 0.0;
    if (!(change > CR_NEWTON_END * u)) {
      break;
    }
  }
  return u;
}

// The point lies in the plane across the shortest axis, and so near the middle that the nearest point is off it.
static bool isOffPlane(const Root* root, const double a[3], const double x[3], int shortest, double outNormal[3])
{
  double rest = 1.0;
  for (int i = 0; i < 3; ++i) {
    if (root->ax[i] > 0.0) {
      double s = root->d[i] > 0.0 ? root->ax[i] / root->d[i] : HUGE_VAL;
      rest -= s * s;
      outNormal[i] = x[i] / root->d[i];
    } else {
      outNormal[i] = 0.0;
    }
  }
  if (!(rest > 0.0)) {
    return false;
  }
  outNormal[shortest] = sqrt(rest) / a[shortest];
  return true;
}

static crVec3 findNormal(crVec3 half, crVec3 point)
{
  const double a[3] = { half.x, half.y, half.z }, x[3] = { point.x, point.y, point.z };
  int shortest = a[0] <= a[1] && a[0] <= a[2] ? 0 : a[1] <= a[2] ? 1 : 2;
  double least = a[shortest], start = 0.0, N[3];
  Root root;
  for (int i = 0; i < 3; ++i) {
    double size = fabs(x[i]);
    root.ax[i] = size > CR_VANISHING * a[i] ? a[i] * size : 0.0;
    root.d[i] = root.ax[i] > 0.0 ? (a[i] - least) * (a[i] + least) : 1.0;
    double alone = root.ax[i] - root.d[i]; // where this coordinate alone gives s = 1
    start = alone > start ? alone : start;
  }
  if (root.ax[shortest] > 0.0 || !isOffPlane(&root, a, x, shortest, N)) {
    double u = findRoot(&root, start);
    for (int i = 0; i < 3; ++i) {
      N[i] = root.ax[i] > 0.0 ? x[i] / (u + root.d[i]) : 0.0;
    }
  }
  return crNormalize(crMakeVec3(N[0], N[1], N[2]));
}

void crComputePointEllipsoidPair(const crQuery* query, crDistance* out)
{
  crVec3 a = query->b->core.half, x = crNeg(crMulTV(query->X_AB.R, query->X_AB.p));
  crVec3 n_B = findNormal(a, x);
  double distance = crDot(n_B, x) - crLength(crMakeVec3(a.x * n_B.x, a.y * n_B.y, a.z * n_B.z));
  crVec3 n = crNeg(crMulMV(query->X_AB.R, n_B));
  crSetExact(query, distance, n, crMakeVec3(0.0, 0.0, 0.0), crScale(distance, n), out);
}
