// Revolute: B turns in A about an axis e that is the same in both frames.
//
//   X_AB = (rot(e, q), 0),   V_AB = (e, 0) v
//   g = (p, a . R e, b . R e)   with a, b across e
#include "joint/joint_kind.h"

static crPose computePose(const crJointAxes* axes, const double* q)
{
  crPose X = { crTurnAbout(axes->axis, q[0]), { 0.0, 0.0, 0.0 } };
  return X;
}

static void computeMotionColumns(const crJointAxes* axes, const double* q, crMotion* outColumns)
{
  (void)q;
  outColumns[0] = (crMotion){ axes->axis, { 0.0, 0.0, 0.0 } };
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  (void)q;
  outRates[0] = v[0];
}

static void computeCoordinates(const crJointAxes* axes, crPose X_AB, double* outQ)
{
  outQ[0] = crAngleAbout(axes->axis, X_AB.R, NULL);
}

static void computeConstraint(const crJointAxes* axes, crPose X_AB, double* outResidual)
{
  crSameOriginConstraint(X_AB.p, outResidual);
  crSameAxisConstraint(axes->axis, X_AB.R, outResidual + 3);
}

static void computeConstraintWrenches(const crJointAxes* axes, crPose X_AB, crWrench* outRows)
{
  crSameOriginWrenches(outRows);
  crSameAxisWrenches(axes->axis, X_AB.R, outRows + 3);
}

static const char* const coordinateNames[] = { "angle" };
static const char* const bristleNames[] = { "angle.bristle" };
static const char* const coordinateUnits[] = { "rad" };
static const char* const rateNames[] = { "rate" };
static const char* const rateUnits[] = { "rad/s" };
static const double zero[] = { 0.0 };

const crJointType crRevoluteType = {
  .name = "revolute",
  .qCount = 1,
  .vCount = 1,
  .constraintCount = 5,
  .hasAxis = true,
  .defaultAxis = { 0.0, 0.0, 1.0 },
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
