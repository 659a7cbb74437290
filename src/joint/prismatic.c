// Prismatic: B slides in A along an axis e without turning.
//
//   X_AB = (1, q e),   V_AB = (0, e) v
//   g = (a . p, b . p, no rotation)   with a, b across e
#include "joint/joint_kind.h"

static crPose computePose(const crJointAxes* axes, const double* q)
{
  crPose X = { crIdentityMat3(), crScale(q[0], axes->axis) };
  return X;
}

static void computeMotionColumns(const crJointAxes* axes, const double* q, crMotion* outColumns)
{
  (void)q;
  outColumns[0] = (crMotion){ { 0.0, 0.0, 0.0 }, axes->axis };
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  (void)q;
  outRates[0] = v[0];
}

static void computeCoordinates(const crJointAxes* axes, crPose X_AB, double* outQ)
{
  outQ[0] = crDot(axes->axis, X_AB.p);
}

static void computeConstraint(const crJointAxes* axes, crPose X_AB, double* outResidual)
{
  crOnAxisConstraint(axes->axis, X_AB.p, outResidual);
  crNoRotationConstraint(X_AB.R, outResidual + 2);
}

static void computeConstraintWrenches(const crJointAxes* axes, crPose X_AB, crWrench* outRows)
{
  crOnAxisWrenches(axes->axis, outRows);
  crNoRotationWrenches(X_AB.R, outRows + 2);
}

static const char* const coordinateNames[] = { "position" };
static const char* const bristleNames[] = { "position.bristle" };
static const char* const coordinateUnits[] = { "m" };
static const char* const rateNames[] = { "velocity" };
static const char* const rateUnits[] = { "m/s" };
static const double zero[] = { 0.0 };

const crJointType crPrismaticType = {
  .name = "prismatic",
  .qCount = 1,
  .vCount = 1,
  .constraintCount = 5,
  .hasAxis = true,
  .defaultAxis = { 1.0, 0.0, 0.0 },
  .coordinateNames = coordinateNames,
  .bristleNames = bristleNames,
  .coordinateUnits = coordinateUnits,
  .rateNames = rateNames,
  .rateUnits = rateUnits,
  .zero = zero,
  .computePose = computePose,
  .computeMotionColumns = computeMotionColumns,
  .computeCoordinateRates = computeCoordinateRates,
  .computeCoordinates = computeCoordinates,
  .computeConstraint = computeConstraint,
  .computeConstraintWrenches = computeConstraintWrenches,
};
