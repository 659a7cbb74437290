// Products and invariants of symmetric 3x3 matrices, for moments of patches.
#ifndef CR_MATH_SYM3_H
#define CR_MATH_SYM3_H

#include "carom/math.h"

// a a^T
static inline crSym3 crOuterSym3(crVec3 a)
{
  return (crSym3){ a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z };
}

// a b^T + b a^T
static inline crSym3 crMixSym3(crVec3 a, crVec3 b)
{
  return (crSym3){ 2.0 * a.x * b.x,       2.0 * a.y * b.y,       2.0 * a.z * b.z,
                   a.x * b.y + a.y * b.x, a.x * b.z + a.z * b.x, a.y * b.z + a.z * b.y };
}

static inline double crTraceSym3(crSym3 s)
{
  return s.xx + s.yy + s.zz;
}

// The sum of the principal minors.
static inline double crMinorsSym3(crSym3 s)
{
  return s.xx * s.yy - s.xy * s.xy + s.xx * s.zz - s.xz * s.xz + s.yy * s.zz - s.yz * s.yz;
}

// The trace of it on the diagonal, less itself: without the digits that a long and narrow spread would lose.
static inline crSym3 crAcrossSym3(crSym3 s)
{
  return (crSym3){ s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.xy, -s.xz, -s.yz };
}

// The trace of a product.
static inline double crDotSym3(crSym3 a, crSym3 b)
{
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + 2.0 * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}

#endif
