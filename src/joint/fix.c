// Fix: a weld. The compiler merges the two objects into one body; nothing moves.
#include "joint/joint_kind.h"

static crPose computePose(const crJointAxes* axes, const double* q)
{
  (void)axes;
  (void)q;
  return crIdentityPose();
}

static void computeMotionColumns(const crJointAxes* axes, const double* q, crMotion* outColumns)
{
  (void)axes;
  (void)q;
  (void)outColumns;
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  (void)q;
  (void)v;
  (void)outRates;
}

static void computeCoordinates(const crJointAxes* axes, crPose X_AB, double* outQ)
{
  (void)axes;
  (void)X_AB;
  (void)outQ;
}

static void computeConstraint(const crJointAxes* axes, crPose X_AB, double* outResidual)
{
  (void)axes;
  crSameOriginConstraint(X_AB.p, outResidual);
  crNoRotationConstraint(X_AB.R, outResidual + 3);
}

static void computeConstraintWrenches(const crJointAxes* axes, crPose X_AB, crWrench* outRows)
{
  (void)axes;
  crSameOriginWrenches(outRows);
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
