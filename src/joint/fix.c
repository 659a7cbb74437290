// Fix: a weld. The compiler merges the two objects into one body; nothing moves.
#include "joint/joint_kind.h"

static crPose computePose(crVec3 axis, const double* q)
{
  (void)axis;
  (void)q;
  return crIdentityPose();
}

static void computeMotionColumns(crVec3 axis, const double* q, crMotion* outColumns)
{
  (void)axis;
  (void)q;
  (void)outColumns;
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  (void)q;
  (void)v;
  (void)outRates;
}

static void computeCoordinates(crVec3 axis, crPose X_AB, double* outQ)
{
  (void)axis;
  (void)X_AB;
  (void)outQ;
}

static void computeConstraint(crVec3 axis, crPose X_AB, double* outResidual)
{
  (void)axis;
  outResidual[0] = X_AB.p.x;
  outResidual[1] = X_AB.p.y;
  outResidual[2] = X_AB.p.z;
  crNoRotationConstraint(X_AB.R, outResidual + 3);
}

static void computeConstraintWrenches(crVec3 axis, crPose X_AB, crWrench* outRows)
{
  (void)axis;
  crVec3 none = { 0.0, 0.0, 0.0 };
  outRows[0] = (crWrench){ none, { 1.0, 0.0, 0.0 } };
  outRows[1] = (crWrench){ none, { 0.0, 1.0, 0.0 } };
  outRows[2] = (crWrench){ none, { 0.0, 0.0, 1.0 } };
  crNoRotationWrenches(X_AB.R, outRows + 3);
}

const crJointType crFixType = {
  .name = "fix",
  .constraintCount = 6,
  .computePose = computePose,
  .computeMotionColumns = computeMotionColumns,
  .computeCoordinateRates = computeCoordinateRates,
  .computeCoordinates = computeCoordinates,
  .computeConstraint = computeConstraint,
  .computeConstraintWrenches = computeConstraintWrenches,
};
