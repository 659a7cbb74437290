// How far a shape can reach along a direction after turning by an unknown rotation of bounded angle.
//
// Let h be the support value of the shape along the unit vector n, measured from the origin about which it turns, and r
// the largest distance of its points to that origin. A point x of it has x.n = c <= h and a part across n of at most
// sqrt(r^2 - c^2). After a turn by the angle theta it lies along n at
//
//   at most  c cos(theta) + sqrt(r^2 - c^2) sin(theta)
//
// which over all c <= h is largest at c = min(h, r cos(theta)). With h = r cos(phi) the reach is therefore
//
//   H(theta) = r cos(phi - theta)  for theta < phi,    r  beyond.
//
// H grows no faster than r, and where phi - theta <= pi/2 it is concave: there its slope r sin(phi - theta) at one
// angle bounds it at all larger ones.
#ifndef CR_COLLIDE_DISTANCE_SWING_H
#define CR_COLLIDE_DISTANCE_SWING_H

#include "base/elementary.h"
#include "carom/math.h"

typedef struct crSwing {
  double support; // [m] h
  double reach;   // [m] r; 0 with a support of any size: a shape that does not turn
} crSwing;

// Angle from the direction to the farthest points, phi. 0 where the shape cannot reach farther by turning.
static inline double crSwing_Angle(crSwing swing)
{
  return swing.support < swing.reach ? crAcos(fmax(-1.0, swing.support / swing.reach)) : 0.0;
}

// [m] H(angle) - h, never negative. h is exact without a turn, so there is nothing to round.
static inline double crSwing_Gain(crSwing swing, double angle)
{
  double rest = crSwing_Angle(swing) - angle;
  if (rest <= 0.0) {
    return fmax(0.0, swing.reach - swing.support);
  }
  return angle > 0.0 ? fmax(0.0, swing.reach * crCos(rest) - swing.support) : 0.0;
}

// [m/rad] a bound on how fast the gain grows from this angle on
static inline double crSwing_Slope(crSwing swing, double angle)
{
  double rest = crSwing_Angle(swing) - angle;
  return rest <= 0.0 ? 0.0 : swing.reach * crSin(fmin(rest, 0.5 * CR_PI));
}

#endif
