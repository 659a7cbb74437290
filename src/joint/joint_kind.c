// The table of joint kinds, and what several of them share.
#include "joint/joint_kind.h"

// In the order of crJointKind.
static const crJointType* const types[] = { &crFixType, &crRevoluteType, &crPrismaticType, &crFreeMotionType };

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
