// Cylinders, cones, frusta and beams as one kind of body, and the depth below its surface.
//
// Across its axis z a body is a disc of radius R(z) = r0 + slope (z - z0), swept along x from -half to half; half = 0
// but for a beam, and a beam has one radius. With rho the distance from the segment -half ... half, the depth is the
// least of
//
//   side   c (R^2 - rho^2) / (2 R)     caps   z - z0, z1 - z          c = 1 / sqrt(1 + slope^2)
//
// The first equals the distance c (R - rho) at the surface and, unlike it, has no kink on the axis, which matters at
// the tip of a cone; and it is a quotient of polynomials along every straight line. Of a beam it has three pieces,
// its segments: x <= -half, between, and x >= half. Minus its gradient is not of unit length inside.
#ifndef CR_COLLIDE_AREA_CURVED_BODY_H
#define CR_COLLIDE_AREA_CURVED_BODY_H

#include "geometry/shape.h"

typedef struct crCurvedBody {
  double half;   // [m] of a beam, else 0
  double r0, r1; // [m] at z0, z1
  double z0, z1; // [m]
  double slope, cosine;
  double slant;   // [m] twice the length of a generator
  double inverse; // [1/m] 1 / r0 where the slope is 0
  double size;    // [m] of a ball around the middle
} crCurvedBody;

bool crIsCurvedBody(const crShape* shape); // of a kind that crMakeCurvedBody takes: sharp cylinder, cone or beam
crCurvedBody crMakeCurvedBody(const crShape* shape);

// Segments of the side, of which a body other than a beam has the first one alone, and with it x counts from 0.
#define CR_MAX_SEGMENTS 3

static inline int crCurvedBody_CountSegments(const crCurvedBody* body)
{
  return body->half > 0.0 ? CR_MAX_SEGMENTS : 1;
}

// x across the axis as a segment sees it: distance from its middle line; 0 between the ends of a beam.
static inline double crCurvedBody_SeeX(const crCurvedBody* body, int segment, double x, double w)
{
  return segment == 0 ? x - body->half * w : segment == 1 ? 0.0 : x + body->half * w;
}

static inline double crCurvedBody_FindRadius(const crCurvedBody* body, double z)
{
  return body->r0 + body->slope * (z - body->z0);
}

// Depth to the side from squares of both radii; negative outside, beyond the tip as well.
static inline double crCurvedBody_FindSide(const crCurvedBody* body, double radius, double square)
{
  return radius > 0.0 ? 0.5 * body->cosine * (radius - square / radius) : body->cosine * (radius - sqrt(square));
}

static inline double crCurvedBody_FindSquare(const crCurvedBody* body, crVec3 x)
{
  double over = fabs(x.x) - body->half;
  over = over > 0.0 ? over : 0.0;
  return over * over + x.y * x.y;
}

// The depth; negative outside.
static inline double crCurvedBody_FindDepth(const crCurvedBody* body, crVec3 x)
{
  double d = crCurvedBody_FindSide(body, crCurvedBody_FindRadius(body, x.z), crCurvedBody_FindSquare(body, x));
  d = x.z - body->z0 < d ? x.z - body->z0 : d;
  return body->z1 - x.z < d ? body->z1 - x.z : d;
}

#endif
