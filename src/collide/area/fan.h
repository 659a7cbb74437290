// Surfaces that are swept by a straight line whose plane turns about the z axis, inside of what linear functions bound.
//
// At an angle q the half-plane {r (cos q, sin q, 0) + z e_z} cuts
//
//   the side of a cylinder or cone   in a generator,  (r, z) = (r0, z0) + t (r1 - r0, z1 - z0),   dS = slant r dt dq
//   a plane n . x = c                in a line,       (r, z) = c (n_r, n_z) / |.|^2 + t (n_z, -n_r),  dS = r dt dq
//
// with n_r = n . e_r. A function o - n . x - k r, the depth below a plane (k = 0) or below the side of a cone, is
// linear along both. So is what bounds the part of a surface that one of them is nearest to: inner integrals are exact
// with three points. Outer ones have eight points on arcs between breakpoints: the angles at which two bounds meet.
// Those are roots of quadratics, and are kept as unit vectors, so that no angle is ever asked for. Along an arc the
// points are those of Gauss in tan(q / 2), q from its middle: sines and cosines are quotients of it.
//
// Bounds a / b with a slope b that changes along an arc are no polynomials: such arcs are halved.
#ifndef CR_COLLIDE_AREA_FAN_H
#define CR_COLLIDE_AREA_FAN_H

#include "collide/area/polygon.h"

#define CR_MAX_FAN_BOUNDS (CR_MAX_PLANES + 4)
#define CR_MAX_FAN_BREAKS 384

// offset - normal . x - radial r, with r the distance from the z axis.
typedef struct crFanBound {
  crVec3 normal;
  double radial, offset;
} crFanBound;

typedef struct crFanBreak {
  crVec3 x;
  double r;        // [m] distance from the axis
  double depth;    // [m] there
  crCorner toward; // unit vector
  double key;      // [-] grows with the angle
} crFanBreak;

// The generator of a side of revolution from (r0, z0) to (r1, z1), z0 < z1.
typedef struct crSide {
  double r0, z0, r1, z1;
} crSide;

typedef struct crFan {
  bool isPlane;
  crSide side;       // or
  crVec3 normal;     // of a plane, and its
  double offset;     // [m]
  double weight;     // [-] dS = weight r dt dq
  crVec3 origin;     // [m] where the axis is: added to points
  crCorner ahead;    // the angle 0: far from where arcs begin and end
  bool isHalf;       // within a right angle of `ahead` only
  bool isUneven;     // slopes change with the angle
  bool isBroken;     // more bounds or breakpoints than there is room for
  double whole;      // [m^3] measure of all points so far
  double largestArc; // [-] tan(q / 4): arcs of more are halved
  double slack;      // [m] bounds that are missed by less are met
  int depthCount;    // the first bounds are depths,
  int count;         // the others cut only
  int breakCount;
  crFanBound bounds[CR_MAX_FAN_BOUNDS];
  crFanBreak breaks[CR_MAX_FAN_BREAKS];
} crFan;

void crFan_BeginSide(crFan* fan, crSide side, crVec3 origin);
// size: [m] of what the plane is inside of.
void crFan_BeginPlane(crFan* fan, crVec3 normal, double offset, double size, crVec3 origin);

// Depths before cuts.
void crFan_AddDepth(crFan* fan, crFanBound bound);
void crFan_AddCut(crFan* fan, crFanBound bound);

static inline double crFanBound_At(const crFanBound* f, crVec3 x, double r)
{
  return f->offset - crDot(f->normal, x) - f->radial * r;
}

static inline double crSide_RadiusAt(const crSide* side, double z)
{
  return side->r0 + (z - side->z0) * (side->r1 - side->r0) / (side->z1 - side->z0);
}

// Lets the angle 0 be opposite to the normal of what the surface is pressed by. sense: 0, or only the half towards x *
// sense is there, and that is where the angle 0 is.
void crFan_Aim(crFan* fan, crVec3 normal, int sense);

// Tells the depth of a point of the surface to the patch.
void crFan_SeeDepth(const crFan* fan, crVec3 x, crPatch* patch);

// Keeps a point where two bounds meet, if it is on the surface's part inside, and bound `nearest` has its depth (-1:
// any). Tells its depth to the patch where that is not NULL.
void crFan_AddBreak(crFan* fan, crVec3 x, int nearest, crPatch* patch);

// Of the circle of radius r at z those points where the function f, without a radial part, is 0.
void crFan_BreakAtCircle(crFan* fan, double z, double r, crVec3 normal, double offset, int nearest, crPatch* patch);

// Of the points o + s e, low <= s <= high, those that are r = radius + s growth away from the axis.
void crFan_BreakAtCone(crFan* fan, crVec3 o, crVec3 e, double low, double high, double radius, double growth,
                       int nearest, crPatch* patch);

void crFan_SortBreaks(crFan* fan); // by their keys

// All breakpoints have come: the points of all parts of the surface.
void crFan_AddPoints(crFan* fan, crPatch* patch);

#endif
