// Quaternions, rotation matrices and angles. Conventions: docs/notation.md.
#include "base/elementary.h"
#include "carom/math.h"

crMat3 crQuatToMat3(crQuat q)
{
  double s = 2.0 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
  double xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
  double wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
  crMat3 R = { { 1.0 - yy - zz, xy + wz, xz - wy },
               { xy - wz, 1.0 - xx - zz, yz + wx },
               { xz + wy, yz - wx, 1.0 - xx - yy } };
  return R;
}

// Shepperd's method: divide by the largest of the four components, so nothing is lost near half turns.
crQuat crMat3ToQuat(crMat3 R)
{
  double xx = R.cx.x, yy = R.cy.y, zz = R.cz.z;
  double trace = xx + yy + zz;
  crQuat q;
  if (trace >= xx && trace >= yy && trace >= zz) {
    crQuat p = { 1.0 + trace, R.cy.z - R.cz.y, R.cz.x - R.cx.z, R.cx.y - R.cy.x };
    q = p;
  } else if (xx >= yy && xx >= zz) {
    crQuat p = { R.cy.z - R.cz.y, 1.0 + xx - yy - zz, R.cx.y + R.cy.x, R.cz.x + R.cx.z };
    q = p;
  } else if (yy >= zz) {
    crQuat p = { R.cz.x - R.cx.z, R.cx.y + R.cy.x, 1.0 - xx + yy - zz, R.cy.z + R.cz.y };
    q = p;
  } else {
    crQuat p = { R.cx.y - R.cy.x, R.cz.x + R.cx.z, R.cy.z + R.cz.y, 1.0 - xx - yy + zz };
    q = p;
  }
  q = crNormalizeQuat(q);
  if (q.w < 0.0) {
    crQuat negated = { -q.w, -q.x, -q.y, -q.z };
    q = negated;
  }
  return q;
}

crQuat crAxisAngleToQuat(crVec3 axis, double angle)
{
  crVec3 e = crNormalize(axis);
  double s, c;
  crSinCos(0.5 * angle, &s, &c);
  crQuat q = { c, s * e.x, s * e.y, s * e.z };
  return q;
}

crQuat crAnglesToQuat(crVec3 angles)
{
  crQuat qx = { crCos(0.5 * angles.x), crSin(0.5 * angles.x), 0.0, 0.0 };
  crQuat qy = { crCos(0.5 * angles.y), 0.0, crSin(0.5 * angles.y), 0.0 };
  crQuat qz = { crCos(0.5 * angles.z), 0.0, 0.0, crSin(0.5 * angles.z) };
  return crMulQuat(qx, crMulQuat(qy, qz));
}

// R = Rx(a) Ry(b) Rz(c) has R13 = sin b, R12 = -cos b sin c, R11 = cos b cos c, R23 = -sin a cos b,
// R33 = cos a cos b.
crVec3 crQuatToAngles(crQuat q)
{
  crMat3 R = crQuatToMat3(q);
  double cosB = sqrt(R.cx.x * R.cx.x + R.cy.x * R.cy.x);
  double b = crAtan2(R.cz.x, cosB);
  if (cosB < 1e-9) { // only a + c or a - c is determined: choose c = 0
    return crMakeVec3(crAtan2(R.cy.z, R.cy.y), b, 0.0);
  }
  return crMakeVec3(crAtan2(-R.cz.y, R.cz.z), b, crAtan2(-R.cy.x, R.cx.x));
}

crQuat crShortestRotation(crVec3 from, crVec3 to)
{
  crVec3 a = crNormalize(from), b = crNormalize(to);
  crVec3 cross = crCross(a, b);
  double w = 1.0 + crDot(a, b);
  if (w < 1e-14) { // opposite: a half turn about any axis across `a`
    crVec3 other = fabs(a.x) <= fabs(a.y) && fabs(a.x) <= fabs(a.z) ? crMakeVec3(1.0, 0.0, 0.0)
                   : fabs(a.y) <= fabs(a.z)                         ? crMakeVec3(0.0, 1.0, 0.0)
                                                                    : crMakeVec3(0.0, 0.0, 1.0);
    crVec3 e = crNormalize(crCross(a, other));
    crQuat half = { 0.0, e.x, e.y, e.z };
    return half;
  }
  crQuat q = { w, cross.x, cross.y, cross.z };
  return crNormalizeQuat(q);
}
