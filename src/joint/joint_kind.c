// The table of joint kinds, and what several of them share.
#include "joint/joint_kind.h"

#include "base/elementary.h"

// In the order of crJointKind.
static const crJointType* const types[] = { &crFixType,         &crRevoluteType,  &crPrismaticType,
                                            &crCylindricalType, &crUniversalType, &crSphericalType,
                                            &crPlanarType,      &crScrewType,     &crFreeMotionType };

int crJointTypeCount(void)
{
  return (int)(sizeof types / sizeof *types);
}

const crJointType* crGetJointType(int kind)
{
  return kind >= 0 && kind < crJointTypeCount() ? types[kind] : NULL;
}

// Branch-free by the sign of z, continuous but at axis = -z [Duff17].
void crMakeAcross(crVec3 axis, crVec3* outFirst, crVec3* outSecond)
{
  double sign = copysign(1.0, axis.z);
  double a = -1.0 / (sign + axis.z);
  double b = axis.x * axis.y * a;
  *outFirst = crMakeVec3(1.0 + sign * axis.x * axis.x * a, sign * b, -sign * axis.x);
  *outSecond = crMakeVec3(b, sign + axis.y * axis.y * a, -axis.y);
}

crMat3 crTurnAbout(crVec3 axis, double angle)
{
  return crQuatToMat3(crAxisAngleToQuat(axis, angle));
}

// With x = a . R a and y = b . R a, the angle is atan2(y, x) and its rate (x y' - y x') / (x^2 + y^2);
// (b . R a)' = b . (w x R a) = w . (R a x b).
double crAngleAbout(crVec3 axis, crMat3 R_AB, crWrench* outGradient)
{
  crVec3 a, b;
  crMakeAcross(axis, &a, &b);
  crVec3 turned = crMulMV(R_AB, a);
  double x = crDot(turned, a), y = crDot(turned, b);
  if (outGradient != NULL) {
    crVec3 t = crSub(crScale(x, crCross(turned, b)), crScale(y, crCross(turned, a)));
    *outGradient = (crWrench){ crScale(1.0 / (x * x + y * y), t), { 0.0, 0.0, 0.0 } };
  }
  return crAtan2(y, x);
}

void crSameAxisConstraint(crVec3 axis, crMat3 R_AB, double outResidual[2])
{
  crVec3 a, b;
  crMakeAcross(axis, &a, &b);
  crVec3 turned = crMulMV(R_AB, axis);
  outResidual[0] = crDot(a, turned);
  outResidual[1] = crDot(b, turned);
}

// (a . R e)' = a . (w x R e) = w . (R e x a)
void crSameAxisWrenches(crVec3 axis, crMat3 R_AB, crWrench outRows[2])
{
  crVec3 a, b, none = { 0.0, 0.0, 0.0 };
  crMakeAcross(axis, &a, &b);
  crVec3 turned = crMulMV(R_AB, axis);
  outRows[0] = (crWrench){ crCross(turned, a), none };
  outRows[1] = (crWrench){ crCross(turned, b), none };
}

void crOnAxisConstraint(crVec3 axis, crVec3 p_AB, double outResidual[2])
{
  crVec3 a, b;
  crMakeAcross(axis, &a, &b);
  outResidual[0] = crDot(a, p_AB);
  outResidual[1] = crDot(b, p_AB);
}

void crOnAxisWrenches(crVec3 axis, crWrench outRows[2])
{
  crVec3 a, b, none = { 0.0, 0.0, 0.0 };
  crMakeAcross(axis, &a, &b);
  outRows[0] = (crWrench){ none, a };
  outRows[1] = (crWrench){ none, b };
}

void crSameOriginConstraint(crVec3 p_AB, double outResidual[3])
{
  outResidual[0] = p_AB.x;
  outResidual[1] = p_AB.y;
  outResidual[2] = p_AB.z;
}

void crSameOriginWrenches(crWrench outRows[3])
{
  crVec3 none = { 0.0, 0.0, 0.0 };
  crMat3 unit = crIdentityMat3();
  outRows[0] = (crWrench){ none, unit.cx };
  outRows[1] = (crWrench){ none, unit.cy };
  outRows[2] = (crWrench){ none, unit.cz };
}

void crComputeQuaternionRate(const double* q, const double* w, double* outRate)
{
  crQuat angular = { 0.0, w[0], w[1], w[2] }, orientation = { q[0], q[1], q[2], q[3] };
  crQuat rate = crMulQuat(angular, orientation);
  outRate[0] = 0.5 * rate.w;
  outRate[1] = 0.5 * rate.x;
  outRate[2] = 0.5 * rate.y;
  outRate[3] = 0.5 * rate.z;
}

// r = axial((R - R^T) / 2), zero for R = 1.
void crNoRotationConstraint(crMat3 R_AB, double outResidual[3])
{
  outResidual[0] = 0.5 * (R_AB.cy.z - R_AB.cz.y);
  outResidual[1] = 0.5 * (R_AB.cz.x - R_AB.cx.z);
  outResidual[2] = 0.5 * (R_AB.cx.y - R_AB.cy.x);
}

// With R' = [w] R and [w] R + R^T [w] = [(tr(R) 1 - R) w]:  r' = (tr(R) 1 - R) w / 2.
void crNoRotationWrenches(crMat3 R_AB, crWrench outRows[3])
{
  double trace = R_AB.cx.x + R_AB.cy.y + R_AB.cz.z;
  crMat3 rows = crTranspose(R_AB); // its columns are the rows of R
  crVec3 none = { 0.0, 0.0, 0.0 };
  outRows[0] = (crWrench){ crScale(0.5, crMakeVec3(trace - rows.cx.x, -rows.cx.y, -rows.cx.z)), none };
  outRows[1] = (crWrench){ crScale(0.5, crMakeVec3(-rows.cy.x, trace - rows.cy.y, -rows.cy.z)), none };
  outRows[2] = (crWrench){ crScale(0.5, crMakeVec3(-rows.cz.x, -rows.cz.y, trace - rows.cz.z)), none };
}
