// Volume, first and second moments of a solid bounded by triangles, exactly.
//
// The solid is the signed sum of the tetrahedra (o, a, b, c) over its triangles. With d = a . (b x c) and
// s = a + b + c, all relative to o, one tetrahedron has
//   volume d / 6,   int x dV = d s / 24,   int x x^T dV = d (a a^T + b b^T + c c^T + s s^T) / 120.
// The origin o belongs near the solid: then a solid far away loses no digits.
#ifndef CR_GEOMETRY_MOMENTS_H
#define CR_GEOMETRY_MOMENTS_H

#include "carom/math.h"

// Sums over triangles, without the common denominators.
typedef struct crMoments {
  double sum;    // [m^3] 6 x volume
  crVec3 first;  // [m^4] 24 x
  crSym3 second; // [m^5] 120 x
} crMoments;

// Sums of this many triangles are added up on their own first: rounding errors then grow with the number
// of blocks, not of triangles.
#define CR_MOMENTS_BLOCK 1024

static inline crSym3 crOuterSquare(crVec3 a)
{
  crSym3 s = { a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z };
  return s;
}

// A triangle counter-clockwise seen from outside, relative to o.
static inline void crMoments_AddTriangle(crMoments* moments, crVec3 a, crVec3 b, crVec3 c)
{
  double d = crDot(a, crCross(b, c));
  crVec3 s = crAdd(crAdd(a, b), c);
  crSym3 squares =
      crAddSym3(crAddSym3(crOuterSquare(a), crOuterSquare(b)), crAddSym3(crOuterSquare(c), crOuterSquare(s)));
  moments->sum += d;
  moments->first = crMulAdd(moments->first, d, s);
  moments->second = crAddSym3(moments->second, crScaleSym3(d, squares));
}

void crMoments_Add(crMoments* moments, const crMoments* other);

// For density 1. A negative volume counts as inside out and is turned; without volume all is zero and the
// centre is the origin.
crInertia crMoments_ComputeInertia(const crMoments* moments, crVec3 origin);

#endif
