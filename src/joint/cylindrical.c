// Cylindrical: B slides in A along an axis e and turns about it.
//
//   q = (position s, angle phi):   X_AB = (rot(e, phi), s e),   V_AB = (0, e) s' + (e, 0) phi'
//   g = (a . p, b . p, a . R e, b . R e)   with a, b across e
#include "joint/joint_kind.h"

static crPose computePose(const crJointAxes* axes, const double* q)
{
  crPose X = { crTurnAbout(axes->axis, q[1]), crScale(q[0], axes->axis) };
  return X;
}

static void computeMotionColumns(const crJointAxes* axes, const double* q, crMotion* outColumns)
{
  (void)q;
  outColumns[0] = (crMotion){ { 0.0, 0.0, 0.0 }, axes->axis };
  outColumns[1] = (crMotion){ axes->axis, { 0.0, 0.0, 0.0 } };
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  (void)q;
  outRates[0] = v[0];
  outRates[1] = v[1];
}

static void computeCoordinates(const crJointAxes* axes, crPose X_AB, double* outQ)
{
  outQ[0] = crDot(axes->axis, X_AB.p);
  outQ[1] = crAngleAbout(axes->axis, X_AB.R, NULL);
}

static void computeConstraint(const crJointAxes* axes, crPose X_AB, double* outResidual)
{
  crOnAxisConstraint(axes->axis, X_AB.p, outResidual);
  crSameAxisConstraint(axes->axis, X_AB.R, outResidual + 2);
}

static void computeConstraintWrenches(const crJointAxes* axes, crPose X_AB, crWrench* outRows)
{
  crOnAxisWrenches(axes->axis, outRows);
  crSameAxisWrenches(axes->axis, X_AB.R, outRows + 2);
}

static const char* const coordinateNames[] = { "position", "angle" };
static const char* const bristleNames[] = { "position.bristle", "angle.bristle" };
static const char* const coordinateUnits[] = { "m", "rad" };
static const char* const rateNames[] = { "velocity", "rate" };
static const char* const rateUnits[] = { "m/s", "rad/s" };
static const double zero[] = { 0.0, 0.0 };

const crJointType crCylindricalType = {
  .name = "cylindrical",
  .qCount = 2,
  .vCount = 2,
  .constraintCount = 4,
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
