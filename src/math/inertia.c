// Inertia tensors: rotation, sums, principal axes.
#include "base/elementary.h"
#include "carom/math.h"

#define CR_JACOBI_SWEEPS 32 // cyclic Jacobi on 3x3 converges in about 6

static double element(crSym3 s, int i, int j)
{
  const double m[3][3] = { { s.xx, s.xy, s.xz }, { s.xy, s.yy, s.yz }, { s.xz, s.yz, s.zz } };
  return m[i][j];
}

crSym3 crRotateSym3(crMat3 R, crSym3 s)
{
  // columns of s R^T, then the six different entries of R (s R^T)
  crMat3 Rt = crTranspose(R);
  crMat3 sRt = { crMulSV(s, Rt.cx), crMulSV(s, Rt.cy), crMulSV(s, Rt.cz) };
  crSym3 r = { crDot(Rt.cx, sRt.cx), crDot(Rt.cy, sRt.cy), crDot(Rt.cz, sRt.cz),
               crDot(Rt.cx, sRt.cy), crDot(Rt.cx, sRt.cz), crDot(Rt.cy, sRt.cz) };
  return r;
}

// One Jacobi rotation in the (p, q) plane makes a[p][q] zero.
static void rotatePlane(double a[3][3], double v[3][3], int p, int q)
{
  if (a[p][q] == 0.0) {
    return;
  }
  double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
  double t = copysign(1.0, theta) / (fabs(theta) + crHypot(theta, 1.0));
  double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  for (int k = 0; k < 3; ++k) {
    double akp = a[k][p], akq = a[k][q];
    a[k][p] = c * akp - s * akq;
    a[k][q] = s * akp + c * akq;
  }
  for (int k = 0; k < 3; ++k) {
    double apk = a[p][k], aqk = a[q][k];
    a[p][k] = c * apk - s * aqk;
    a[q][k] = s * apk + c * aqk;
  }
  for (int k = 0; k < 3; ++k) {
    double vkp = v[k][p], vkq = v[k][q];
    v[k][p] = c * vkp - s * vkq;
    v[k][q] = s * vkp + c * vkq;
  }
  a[p][q] = a[q][p] = 0.0;
}

void crSym3_ComputeEigen(crSym3 s, double outValues[3], crMat3* outVectors)
{
  if (outValues == NULL) {
    return;
  }
  double a[3][3], v[3][3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      a[i][j] = element(s, i, j);
    }
  }
  for (int sweep = 0; sweep < CR_JACOBI_SWEEPS && (a[0][1] != 0.0 || a[0][2] != 0.0 || a[1][2] != 0.0); ++sweep) {
    rotatePlane(a, v, 0, 1);
    rotatePlane(a, v, 0, 2);
    rotatePlane(a, v, 1, 2);
  }
  int order[3] = { 0, 1, 2 };
  for (int i = 0; i < 2; ++i) {
    for (int j = i + 1; j < 3; ++j) {
      if (a[order[j]][order[j]] < a[order[i]][order[i]]) {
        int swap = order[i];
        order[i] = order[j];
        order[j] = swap;
      }
    }
  }
  for (int i = 0; i < 3; ++i) {
    outValues[i] = a[order[i]][order[i]];
  }
  if (outVectors != NULL) {
    outVectors->cx = crMakeVec3(v[0][order[0]], v[1][order[0]], v[2][order[0]]);
    outVectors->cy = crMakeVec3(v[0][order[1]], v[1][order[1]], v[2][order[1]]);
    outVectors->cz = crCross(outVectors->cx, outVectors->cy);
  }
}

// m (|d|^2 1 - d d^T): what a point mass at d adds.
static crSym3 pointInertia(double mass, crVec3 d)
{
  crSym3 s = { mass * (d.y * d.y + d.z * d.z),
               mass * (d.x * d.x + d.z * d.z),
               mass * (d.x * d.x + d.y * d.y),
               -mass * d.x * d.y,
               -mass * d.x * d.z,
               -mass * d.y * d.z };
  return s;
}

crSym3 crInertiaAboutOrigin(crInertia inertia)
{
  return crAddSym3(inertia.I_com, pointInertia(inertia.mass, inertia.com));
}

// Parallel axes: I = I_a + I_b + (m_a m_b / m) (|d|^2 1 - d d^T), d between the two centres. Without
// the difference of large numbers that going through the origin would bring.
crInertia crAddInertia(crInertia a, crInertia b)
{
  double mass = a.mass + b.mass;
  if (mass == 0.0) {
    crInertia none = { 0.0, crScale(0.5, crAdd(a.com, b.com)), crAddSym3(a.I_com, b.I_com) };
    return none;
  }
  crVec3 d = crSub(b.com, a.com);
  crInertia sum = { mass, crMulAdd(a.com, b.mass / mass, d),
                    crAddSym3(crAddSym3(a.I_com, b.I_com), pointInertia(a.mass * (b.mass / mass), d)) };
  return sum;
}

crInertia crTransformInertia(crPose X_AB, crInertia inertia_B)
{
  crInertia inertia_A = { inertia_B.mass, crTransformPoint(X_AB, inertia_B.com),
                          crRotateSym3(X_AB.R, inertia_B.I_com) };
  return inertia_A;
}
