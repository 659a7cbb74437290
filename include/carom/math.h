// Vectors, rotations, poses and spatial quantities, all in double and by value.
//
// Notation (docs/notation.md): p_AB is the vector from A's origin to B's, R_AB turns components in B
// into components in A (R_AB v_B = v_A), X_AB = (R_AB, p_AB) is the pose of frame B in frame A.
#ifndef CAROM_MATH_H
#define CAROM_MATH_H

#include "carom/base.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CR_PI 3.14159265358979323846

typedef struct crVec3 {
  double x, y, z;
} crVec3;

// 3x3 matrix by its columns: for a rotation R_AB they are B's axes seen in A.
typedef struct crMat3 {
  crVec3 cx, cy, cz;
} crMat3;

// Symmetric 3x3 matrix.
typedef struct crSym3 {
  double xx, yy, zz, xy, xz, yz;
} crSym3;

// Rotation as (w, x, y, z) = w + x i + y j + z k, unit length.
typedef struct crQuat {
  double w, x, y, z;
} crQuat;

// X_AB: p_A = R p_B + p.
typedef struct crPose {
  crMat3 R;
  crVec3 p;
} crPose;

// Spatial velocity or acceleration: angular part w, linear part v of the frame's origin.
// Not the same type as a wrench, on purpose: only crPower pairs them.
typedef struct crMotion {
  crVec3 w, v;
} crMotion;

// Spatial force: moment t about the frame's origin, force f.
typedef struct crWrench {
  crVec3 t, f;
} crWrench;

// Inertia of a rigid body in a frame: mass [kg], centre of mass [m], and inertia about the centre
// of mass in the frame's axes [kg m^2].
typedef struct crInertia {
  double mass;
  crVec3 com;
  crSym3 I_com;
} crInertia;

// Axis-aligned box; empty when any min > max.
typedef struct crAabb {
  crVec3 min, max;
} crAabb;

// --------------------------------------------------------------------------------------- vectors

static inline crVec3 crMakeVec3(double x, double y, double z)
{
  crVec3 v = { x, y, z };
  return v;
}

static inline crVec3 crAdd(crVec3 a, crVec3 b)
{
  return crMakeVec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline crVec3 crSub(crVec3 a, crVec3 b)
{
  return crMakeVec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline crVec3 crNeg(crVec3 a)
{
  return crMakeVec3(-a.x, -a.y, -a.z);
}

static inline crVec3 crScale(double s, crVec3 a)
{
  return crMakeVec3(s * a.x, s * a.y, s * a.z);
}

// a + s b
static inline crVec3 crMulAdd(crVec3 a, double s, crVec3 b)
{
  return crMakeVec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double crDot(crVec3 a, crVec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline crVec3 crCross(crVec3 a, crVec3 b)
{
  return crMakeVec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double crLengthSquared(crVec3 a)
{
  return crDot(a, a);
}

static inline double crLength(crVec3 a)
{
  return sqrt(crDot(a, a));
}

static inline double crMaxAbs(crVec3 a)
{
  double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z), m = x > y ? x : y;
  return z > m ? z : m;
}

static inline bool crIsFiniteVec3(crVec3 a)
{
  return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline crVec3 crMinVec3(crVec3 a, crVec3 b)
{
  return crMakeVec3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static inline crVec3 crMaxVec3(crVec3 a, crVec3 b)
{
  return crMakeVec3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static inline crVec3 crAbsVec3(crVec3 a)
{
  return crMakeVec3(fabs(a.x), fabs(a.y), fabs(a.z));
}

// Unit vector along a; the zero vector stays zero. Scaled first where squares would leave the range of numbers, so
// that neither 1e-200 nor 1e200 loses its direction.
static inline crVec3 crNormalize(crVec3 a)
{
  double square = crLengthSquared(a);
  if (square > 1e-280 && square < 1e280) {
    double root = sqrt(square);
    return crMakeVec3(a.x / root, a.y / root, a.z / root);
  }
  double m = crMaxAbs(a);
  if (!(m > 0.0)) {
    return crMakeVec3(0.0, 0.0, 0.0);
  }
  crVec3 s = crMakeVec3(a.x / m, a.y / m, a.z / m);
  double length = crLength(s);
  return crMakeVec3(s.x / length, s.y / length, s.z / length);
}

// -------------------------------------------------------------------------------------- matrices

static inline crMat3 crIdentityMat3(void)
{
  crMat3 m = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
  return m;
}

static inline crVec3 crMulMV(crMat3 m, crVec3 v)
{
  return crMakeVec3(m.cx.x * v.x + m.cy.x * v.y + m.cz.x * v.z, m.cx.y * v.x + m.cy.y * v.y + m.cz.y * v.z,
                    m.cx.z * v.x + m.cy.z * v.y + m.cz.z * v.z);
}

// transpose(m) v
static inline crVec3 crMulTV(crMat3 m, crVec3 v)
{
  return crMakeVec3(crDot(m.cx, v), crDot(m.cy, v), crDot(m.cz, v));
}

static inline crMat3 crMulMM(crMat3 a, crMat3 b)
{
  crMat3 m = { crMulMV(a, b.cx), crMulMV(a, b.cy), crMulMV(a, b.cz) };
  return m;
}

// transpose(a) b
static inline crMat3 crMulTM(crMat3 a, crMat3 b)
{
  crMat3 m = { crMulTV(a, b.cx), crMulTV(a, b.cy), crMulTV(a, b.cz) };
  return m;
}

static inline crMat3 crTranspose(crMat3 m)
{
  crMat3 t = { { m.cx.x, m.cy.x, m.cz.x }, { m.cx.y, m.cy.y, m.cz.y }, { m.cx.z, m.cy.z, m.cz.z } };
  return t;
}

static inline double crDeterminant(crMat3 m)
{
  return crDot(m.cx, crCross(m.cy, m.cz));
}

static inline crVec3 crMulSV(crSym3 s, crVec3 v)
{
  return crMakeVec3(s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
                    s.xz * v.x + s.yz * v.y + s.zz * v.z);
}

static inline crSym3 crAddSym3(crSym3 a, crSym3 b)
{
  crSym3 s = { a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz };
  return s;
}

static inline crSym3 crScaleSym3(double k, crSym3 a)
{
  crSym3 s = { k * a.xx, k * a.yy, k * a.zz, k * a.xy, k * a.xz, k * a.yz };
  return s;
}

static inline crSym3 crDiagonalSym3(double xx, double yy, double zz)
{
  crSym3 s = { xx, yy, zz, 0.0, 0.0, 0.0 };
  return s;
}

// R s transpose(R): the same tensor in other axes.
CR_API crSym3 crRotateSym3(crMat3 R, crSym3 s);

// Eigenvalues in ascending order and, unless NULL, the eigenvectors as columns of a rotation.
CR_API void crSym3_ComputeEigen(crSym3 s, double outValues[3], crMat3* outVectors);

// ------------------------------------------------------------------------------------- rotations

static inline crQuat crIdentityQuat(void)
{
  crQuat q = { 1.0, 0.0, 0.0, 0.0 };
  return q;
}

static inline crQuat crMulQuat(crQuat a, crQuat b)
{
  crQuat q = { a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
               a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w };
  return q;
}

static inline crQuat crConjugate(crQuat q)
{
  crQuat c = { q.w, -q.x, -q.y, -q.z };
  return c;
}

static inline double crQuatLength(crQuat q)
{
  return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

// Of unit length; NaN for the zero quaternion.
static inline crQuat crNormalizeQuat(crQuat q)
{
  double length = crQuatLength(q);
  crQuat n = { q.w / length, q.x / length, q.y / length, q.z / length };
  return n;
}

CR_API crMat3 crQuatToMat3(crQuat q);                       // of q / |q|
CR_API crQuat crMat3ToQuat(crMat3 R);                       // w >= 0
CR_API crQuat crAxisAngleToQuat(crVec3 axis, double angle); // axis need not be of unit length
CR_API crQuat crAnglesToQuat(crVec3 angles);                // about x, then the new y, then the new z [rad]
CR_API crVec3 crQuatToAngles(crQuat q);                     // its inverse; y in [-pi/2, pi/2]
CR_API crQuat crShortestRotation(crVec3 from, crVec3 to);   // of unit vectors; any half turn if opposite

// ----------------------------------------------------------------------------------------- poses

static inline crPose crIdentityPose(void)
{
  crPose X = { crIdentityMat3(), { 0.0, 0.0, 0.0 } };
  return X;
}

static inline crVec3 crTransformPoint(crPose X_AB, crVec3 p_B)
{
  return crAdd(X_AB.p, crMulMV(X_AB.R, p_B));
}

static inline crVec3 crInvTransformPoint(crPose X_AB, crVec3 p_A)
{
  return crMulTV(X_AB.R, crSub(p_A, X_AB.p));
}

// X_AC = X_AB X_BC
static inline crPose crMulPose(crPose X_AB, crPose X_BC)
{
  crPose X = { crMulMM(X_AB.R, X_BC.R), crTransformPoint(X_AB, X_BC.p) };
  return X;
}

static inline crPose crInvertPose(crPose X_AB)
{
  crPose X = { crTranspose(X_AB.R), crNeg(crMulTV(X_AB.R, X_AB.p)) };
  return X;
}

// X_BC = inverse(X_AB) X_AC
static inline crPose crInvMulPose(crPose X_AB, crPose X_AC)
{
  crPose X = { crMulTM(X_AB.R, X_AC.R), crInvTransformPoint(X_AB, X_AC.p) };
  return X;
}

static inline crPose crMakePose(crVec3 p, crQuat q)
{
  crPose X = { crQuatToMat3(q), p };
  return X;
}

// ----------------------------------------------------------------------------- spatial quantities

// The power of a wrench along a motion, both about the same point and in the same axes [W].
static inline double crPower(crWrench F, crMotion V)
{
  return crDot(F.t, V.w) + crDot(F.f, V.v);
}

// Inertia of two rigidly joined bodies, given in the same frame.
CR_API crInertia crAddInertia(crInertia a, crInertia b);

// The same body seen from frame A, given in frame B.
CR_API crInertia crTransformInertia(crPose X_AB, crInertia inertia_B);

// Inertia about the frame's origin instead of the centre of mass.
CR_API crSym3 crInertiaAboutOrigin(crInertia inertia);

// --------------------------------------------------------------------------------- bounding boxes

static inline crAabb crEmptyAabb(void)
{
  crAabb b = { { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
  return b;
}

static inline crAabb crUnionAabb(crAabb a, crAabb b)
{
  crAabb u = { crMinVec3(a.min, b.min), crMaxVec3(a.max, b.max) };
  return u;
}

static inline bool crAabbsOverlap(crAabb a, crAabb b)
{
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
         b.min.z <= a.max.z;
}

#ifdef __cplusplus
}
#endif

#endif
