// Points against ellipsoids: the point of an ellipsoid nearest to a given one.
//
// With semi-axes a_i the foot of a point x has the outward normal N_i = x_i / (t + a_i^2), unnormalized, and lies
// at a_i^2 N_i; it is on the ellipsoid when
//
//   s(t) = | (a_i x_i / (t + a_i^2)) | = 1
//
// t > 0 outside, t < 0 inside; the greatest root belongs to the nearest point, -a_min^2 <= t [Eberly13]. Counted from
// that end, u = t + a_min^2, no digits are lost inside a flat ellipsoid: t + a_i^2 = u + d_i, with
// d_i = (a_i - a_min)(a_i + a_min). 1 / s is concave and grows with u, nearly straight [MoreSorensen83]: Halley's
// method on 1 / s = 1 needs two or three steps from a good start, and no bisection. Two lower bounds of the root to
// start from: where one coordinate alone gives s = 1, and, s being convex in the d_i, where their weighted mean does.
//
// The distance n . x - |a_i n_i| is stationary in n, so it has all digits before the normal has.
#include "collide/ball.h"

#define CR_MAX_STEPS 60     // [-] far more than needed: 2 to 3, up to 10 inside a flat ellipsoid
#define CR_LAST_STEP 1e-4   // [-] of u: after it, the error is its cube
#define CR_LARGEST_BEND 0.9 // [-] up to which Halley's correction of Newton's step is taken
#define CR_VANISHING 1e-40  // [-] of the semi-axis: smaller coordinates count as zero

typedef struct Root {
  double ax[3]; // a_i |x_i|
  double d[3];  // a_i^2 - a_min^2; where ax_i = 0 anything positive
} Root;

// Newton's step of 1 / s = 1 at u, with Halley's correction.
static double stepOfRoot(const Root* root, double u)
{
  double square = 0.0, slope = 0.0, bend = 0.0;
  for (int i = 0; i < 3; ++i) {
    double inverse = 1.0 / (u + root->d[i]), s = root->ax[i] * inverse, t = s * inverse;
    square += s * s;
    slope += s * t;
    bend += t * t;
  }
  double beyond = sqrt(square) - 1.0;
  double correction = 1.5 * beyond * (bend * square - slope * slope);
  double step = beyond * square * slope;
  return correction < CR_LARGEST_BEND * slope * slope ? step / (slope * slope - correction) : step / (slope * slope);
}

static double findRoot(const Root* root, double start)
{
  double u = start;
  for (int step = 0; step < CR_MAX_STEPS; ++step) {
    double change = stepOfRoot(root, u);
    u = u + change > start ? u + change : start;
    if (!(fabs(change) > CR_LAST_STEP * u)) {
      break;
    }
  }
  return u;
}

static double startOfRoot(const Root* root)
{
  double start = 0.0, sum = 0.0, mean = 0.0;
  for (int i = 0; i < 3; ++i) {
    double alone = root->ax[i] - root->d[i], square = root->ax[i] * root->ax[i];
    start = alone > start ? alone : start;
    sum += square;
    mean += square * root->d[i];
  }
  double together = sum > 0.0 ? sqrt(sum) - mean / sum : 0.0;
  return together > start ? together : start;
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
  double least = a[shortest], N[3];
  Root root;
  for (int i = 0; i < 3; ++i) {
    double size = fabs(x[i]);
    root.ax[i] = size > CR_VANISHING * a[i] ? a[i] * size : 0.0;
    root.d[i] = root.ax[i] > 0.0 ? (a[i] - least) * (a[i] + least) : 1.0;
  }
  if (root.ax[shortest] > 0.0 || !isOffPlane(&root, a, x, shortest, N)) {
    double u = findRoot(&root, startOfRoot(&root));
    for (int i = 0; i < 3; ++i) {
      N[i] = root.ax[i] > 0.0 ? x[i] / (u + root.d[i]) : 0.0;
    }
  }
  return crNormalize(crMakeVec3(N[0], N[1], N[2]));
}

crFoot crFindFootOnEllipsoid(const crCore* core, crVec3 x)
{
  crVec3 a = core->half, n = findNormal(a, x);
  double distance = crDot(n, x) - crLength(crMakeVec3(a.x * n.x, a.y * n.y, a.z * n.z));
  return (crFoot){ distance, n };
}
