// Three components in four lanes: vectors of the evaluation's inner loops.
//
// The compiler's vector type keeps x, y, z and a zero in one register, so that a 3x3 product takes three
// multiplications instead of nine; without such registers it becomes ordinary code with the same bits. Lane 3 is zero
// in every vector, and every function here keeps it so. Memory that holds lanes is aligned to CR_LANES_ALIGNMENT.
//
// Elsewhere crVec3 is the type: lanes pay only where a loop over bodies spends its time.
#ifndef CR_MATH_LANES_H
#define CR_MATH_LANES_H

#include "carom/math.h"

#include <string.h>

typedef double crLanes __attribute__((vector_size(32)));
#define CR_LANES_ALIGNMENT 32 // [bytes]

// 3x3 matrix by its columns.
typedef struct crLanes33 {
  crLanes x, y, z;
} crLanes33;

// Spatial velocity or acceleration, and spatial force, as crMotion and crWrench.
typedef struct crMotionL {
  crLanes w, v;
} crMotionL;

typedef struct crWrenchL {
  crLanes t, f;
} crWrenchL;

// ----------------------------------------------------------------------------------------- conversion

static inline crLanes crToLanes(crVec3 a)
{
  crLanes l = { a.x, a.y, a.z, 0.0 };
  return l;
}

static inline crVec3 crFromLanes(crLanes a)
{
  return crMakeVec3(a[0], a[1], a[2]);
}

static inline crLanes crZeroLanes(void)
{
  crLanes l = { 0.0, 0.0, 0.0, 0.0 };
  return l;
}

static inline crLanes33 crToLanes33(crMat3 m)
{
  crLanes33 l = { crToLanes(m.cx), crToLanes(m.cy), crToLanes(m.cz) };
  return l;
}

static inline crMat3 crFromLanes33(crLanes33 m)
{
  crMat3 r = { crFromLanes(m.x), crFromLanes(m.y), crFromLanes(m.z) };
  return r;
}

static inline crMotion crFromMotionL(crMotionL a)
{
  crMotion m = { crFromLanes(a.w), crFromLanes(a.v) };
  return m;
}

// ------------------------------------------------------------------------------------------- products

static inline double crDotL(crLanes a, crLanes b)
{
  crLanes p = a * b;
  return p[0] + p[1] + p[2];
}

static inline crLanes crCrossL(crLanes a, crLanes b)
{
  crLanes a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3), b1 = __builtin_shufflevector(b, b, 1, 2, 0, 3);
  crLanes c = a * b1 - a1 * b; // (z, x, y) of the product
  return __builtin_shufflevector(c, c, 1, 2, 0, 3);
}

static inline crLanes crMulL(crLanes33 m, crLanes v)
{
  return m.x * v[0] + m.y * v[1] + m.z * v[2];
}

static inline crLanes33 crMulMML(crLanes33 a, crLanes33 b)
{
  crLanes33 m = { crMulL(a, b.x), crMulL(a, b.y), crMulL(a, b.z) };
  return m;
}

static inline crLanes33 crTransposeL(crLanes33 m)
{
  crLanes lowXY = __builtin_shufflevector(m.x, m.y, 0, 4, 2, 6);  // x0 y0 x2 y2
  crLanes highXY = __builtin_shufflevector(m.x, m.y, 1, 5, 3, 7); // x1 y1 0 0
  crLanes lowZ = __builtin_shufflevector(m.z, m.z, 0, 3, 2, 3);   // z0 0 z2 0
  crLanes highZ = __builtin_shufflevector(m.z, m.z, 1, 3, 3, 3);  // z1 0 0 0
  crLanes33 t = { __builtin_shufflevector(lowXY, lowZ, 0, 1, 4, 5), __builtin_shufflevector(highXY, highZ, 0, 1, 4, 5),
                  __builtin_shufflevector(lowXY, lowZ, 2, 3, 6, 7) };
  return t;
}

static inline crLanes33 crAddL33(crLanes33 a, crLanes33 b)
{
  crLanes33 m = { a.x + b.x, a.y + b.y, a.z + b.z };
  return m;
}

// m [r]x: its columns are those of m turned by the cross product's matrix.
static inline crLanes33 crMulCrossL(crLanes33 m, crLanes r)
{
  crLanes33 p = { m.y * r[2] - m.z * r[1], m.z * r[0] - m.x * r[2], m.x * r[1] - m.y * r[0] };
  return p;
}

// [r]x m
static inline crLanes33 crCrossMulL(crLanes r, crLanes33 m)
{
  crLanes33 p = { crCrossL(r, m.x), crCrossL(r, m.y), crCrossL(r, m.z) };
  return p;
}

// m - s a b^T
static inline crLanes33 crSubScaledOuterL(crLanes33 m, crLanes a, crLanes b, double s)
{
  crLanes33 p = { m.x - a * b[0] * s, m.y - a * b[1] * s, m.z - a * b[2] * s };
  return p;
}

// R m R^T
static inline crLanes33 crRotateL33(crLanes33 R, crLanes33 m)
{
  crLanes33 T = crMulMML(R, m);
  crLanes33 p = { T.x * R.x[0] + T.y * R.y[0] + T.z * R.z[0], T.x * R.x[1] + T.y * R.y[1] + T.z * R.z[1],
                  T.x * R.x[2] + T.y * R.y[2] + T.z * R.z[2] };
  return p;
}

// Whether all values are: 0 x is zero for those only. Four sums, which the lanes keep apart.
static inline bool crAreFinite(const double* values, int count)
{
  crLanes sum = { 0.0, 0.0, 0.0, 0.0 };
  double rest = 0.0;
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    crLanes x;
    memcpy(&x, values + i, sizeof x);
    sum += 0.0 * x;
  }
  for (; i < count; ++i) {
    rest += 0.0 * values[i];
  }
  return sum[0] + sum[1] + sum[2] + sum[3] + rest == 0.0;
}

// The power of a wrench along a motion.
static inline double crPowerL(crWrenchL F, crMotionL V)
{
  crLanes p = F.t * V.w + F.f * V.v;
  return p[0] + p[1] + p[2];
}

#endif
