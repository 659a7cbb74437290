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
//
// A header, so that ball.c has it in one piece.
#ifndef CR_COLLIDE_DISTANCE_POINT_ELLIPSOID_H
#define CR_COLLIDE_DISTANCE_POINT_ELLIPSOID_H

#include "collide/distance/ball.h"
#include "collide/distance/pair.h"
#include "collide/distance/point_solid.h"

#define CR_MAX_STEPS 60     // [-] far more than needed: 2 to 3, up to 10 inside a flat ellipsoid
#define CR_LAST_STEP 1e-4   // [-] of u: after it, the error is its cube
#define CR_LARGEST_BEND 0.9 // [-] up to which Halley's correction of Newton's step is taken
#define CR_VANISHING 1e-40  // [-] of the semi-axis: smaller coordinates count as zero

typedef struct Root {
  double ax[3]; // a_i |x_i|
  double d[3];  // a_i^2 - a_min^2; where ax_i = 0 anything positive
} Root;

// Halley's step of 1 / s = 1 at u. With e = s^2 - 1, at most 2 at a good start, s - 1 is 2 e / (4 + e) up to its third
// power, which is as much as the step is good for: no root to wait for.
CR_INLINE double stepOfRoot(const Root* root, double u)
{
  double square = 0.0, slope = 0.0, bend = 0.0;
  for (int i = 0; i < 3; ++i) {
    double inverse = 1.0 / (u + root->d[i]), s = root->ax[i] * inverse, t = s * inverse;
    square += s * s;
    slope += s * t;
    bend += t * t;
  }
  double e = square - 1.0, newton = (4.0 + e) * (slope * slope);
  double correction = 3.0 * e * (bend * square - slope * slope);
  double divisor = correction < CR_LARGEST_BEND * newton ? newton - correction : newton;
  return 2.0 * e * square * slope / divisor;
}

CR_INLINE double findRoot(const Root* root, double start)
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

CR_INLINE double startOfRoot(const Root* root)
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

// The point lies in the plane across the shortest axis. True when it is so near the middle that the nearest point is
// off the plane.
CR_APART bool isOffPlane(const Root* root, const double a[3], const double x[3], double least, double outNormal[3])
{
  double rest = 1.0;
  int shortest = a[0] == least ? 0 : a[1] == least ? 1 : 2;
  for (int i = 0; i < 3; ++i) {
    outNormal[i] = root->ax[i] > 0.0 ? x[i] / root->d[i] : 0.0;
    rest -= root->ax[i] > 0.0 ? (root->ax[i] / root->d[i]) * (root->ax[i] / root->d[i]) : 0.0;
  }
  if (!(rest > 0.0)) {
    return false;
  }
  outNormal[shortest] = sqrt(rest) / a[shortest];
  return true;
}

// Along the normal, of any length.
CR_INLINE crVec3 findNormal(crVec3 half, crVec3 point)
{
  const double a[3] = { half.x, half.y, half.z }, x[3] = { point.x, point.y, point.z };
  double least = a[0] < a[1] ? a[0] : a[1], N[3];
  least = a[2] < least ? a[2] : least;
  Root root;
  bool isInPlane = true; // across the shortest axis
  for (int i = 0; i < 3; ++i) {
    double size = fabs(x[i]);
    root.ax[i] = size > CR_VANISHING * a[i] ? a[i] * size : 0.0;
    root.d[i] = root.ax[i] > 0.0 ? (a[i] - least) * (a[i] + least) : 1.0;
    isInPlane &= (root.d[i] > 0.0) | !(root.ax[i] > 0.0);
  }
  if (!isInPlane || !isOffPlane(&root, a, x, least, N)) {
    double u = findRoot(&root, startOfRoot(&root));
    for (int i = 0; i < 3; ++i) {
      N[i] = root.ax[i] > 0.0 ? x[i] / (u + root.d[i]) : 0.0;
    }
  }
  return crMakeVec3(N[0], N[1], N[2]);
}

CR_INLINE crPointFoot footOnEllipsoid(const crCore* core, crVec3 x)
{
  crVec3 a = core->half, N = findNormal(a, x);
  double square = crLengthSquared(N), reach = crLengthSquared(crMakeVec3(a.x * N.x, a.y * N.y, a.z * N.z));
  if (!(square > CR_LEAST_SQUARE && square < CR_LARGEST_SQUARE && reach > CR_LEAST_SQUARE &&
        reach < CR_LARGEST_SQUARE)) {
    N = crNormalize(N);
    square = 1.0;
    reach = crLengthSquared(crMakeVec3(a.x * N.x, a.y * N.y, a.z * N.z));
  }
  // two roots at the same time, where a normalized normal would wait for the first one
  double length = sqrt(square);
  return (crPointFoot){ (crDot(N, x) - sqrt(reach)) / length, { N.x / length, N.y / length, N.z / length } };
}

#endif
