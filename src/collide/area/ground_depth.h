// How deep points are in smooth ground.
//
// Below the surface h(x, y) a point is f = h - z deep along z, and d = f / sqrt(1 + |h'|^2) across it, to the first
// order of depth over radius of curvature. Beside the walls and above the base the depths d_i below all of these are
// joined to that of a solid with rounded edges,
//
//   d = e (1 - (sum max(0, 1 - d_i / e)^4)^(1/4)),
//
// which is d_i where the others are e and more, and has three continuous derivatives there: no line where another face
// is nearest has to be found. The edges are as far off as (1 - 2^(-1/4)) e. In the air d is a bound from below for the
// distance: its gradient is not longer than CR_DEPTH_RATE.
#ifndef CR_COLLIDE_AREA_GROUND_DEPTH_H
#define CR_COLLIDE_AREA_GROUND_DEPTH_H

#include "geometry/ground.h"

#include <math.h>

#define CR_DEPTH_RATE 1.5 // [-]

typedef struct crGroundDepth {
  const crGround* ground;
  double edge;   // [m] e
  double facing; // [-] least d over f
  bool isInland; // walls and base are farther away than e: depths are those below the surface
} crGroundDepth;

// size: [m] smallest dimension of what touches it.
crGroundDepth crMakeGroundDepth(const crGround* ground, double size);

// f inland, else d; with the gradient. Both have one sign.
double crLookBelow(const crGroundDepth* depth, crVec3 p, crVec3* outSlope);

// d, and minus its gradient.
double crFindDepth(const crGroundDepth* depth, crVec3 p, crVec3* outNormal);

// [m] The least way to the walls and the base.
static inline double crFindLeastGap(const crGroundDepth* depth, crVec3 p)
{
  double level = fmin(0.5 * depth->ground->width - fabs(p.x), 0.5 * depth->ground->length - fabs(p.y));
  return fmin(level, p.z - depth->ground->base);
}

// [m] How far away, from what crLookBelow tells; < 0: how deep.
static inline double crToDistance(const crGroundDepth* depth, double f, crVec3 slope)
{
  double level = slope.x * slope.x + slope.y * slope.y;
  return !depth->isInland ? -f : f < 0.0 ? -f * depth->facing : -f / sqrt(1.0 + level);
}

#endif
