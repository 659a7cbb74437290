// Sums and products of matrices and vectors, for slopes.
#ifndef CR_MATH_MAT3_H
#define CR_MATH_MAT3_H

#include "carom/math.h"

// a + s b
static inline crMat3 crMulAddMat3(crMat3 a, double s, crMat3 b)
{
  crMat3 sum = { crMulAdd(a.cx, s, b.cx), crMulAdd(a.cy, s, b.cy), crMulAdd(a.cz, s, b.cz) };
  return sum;
}

// m + s a b^T
static inline crMat3 crAddOuter(crMat3 m, double s, crVec3 a, crVec3 b)
{
  crMat3 sum = { crMulAdd(m.cx, s * b.x, a), crMulAdd(m.cy, s * b.y, a), crMulAdd(m.cz, s * b.z, a) };
  return sum;
}

// [r]x m
static inline crMat3 crCrossMat3(crVec3 r, crMat3 m)
{
  crMat3 product = { crCross(r, m.cx), crCross(r, m.cy), crCross(r, m.cz) };
  return product;
}

// m [r]x
static inline crMat3 crMat3Cross(crMat3 m, crVec3 r)
{
  crMat3 cross = { { 0.0, r.z, -r.y }, { -r.z, 0.0, r.x }, { r.y, -r.x, 0.0 } };
  return crMulMM(m, cross);
}

#endif
