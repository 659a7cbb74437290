// Screw: B turns in A about an axis e and moves along it in proportion, by the pitch h [m/rad].
//
//   X_AB = (rot(e, q), h q e),   V_AB = (e, h e) v
//   g = (a . p, b . p, a . R e, b . R e, e . p - h angle)   with a, b across e
//
// A pose tells the angle up to whole turns; the turn is the one that the position along the axis tells.
#include "joint/joint_kind.h"

static crPose computePose(const crJointAxes* axes, const double* q)
{
  crPose X = { crTurnAbout(axes->axis, q[0]), crScale(axes->pitch * q[0], axes->axis) };
  return X;
}

static void computeMotionColumns(const crJointAxes* axes, const double* q, crMotion* outColumns)
{
  (void)q;
  outColumns[0] = (crMotion){ axes->axis, crScale(axes->pitch, axes->axis) };
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  (void)q;
  outRates[0] = v[0];
}

static double findAngle(const crJointAxes* axes, crPose X_AB, crWrench* outGradient)
{
  double angle = crAngleAbout(axes->axis, X_AB.R, outGradient);
  if (axes->pitch == 0.0) {
    return angle;
  }
  double byPosition = crDot(axes->axis, X_AB.p) / axes->pitch;
  return angle + 2.0 * CR_PI * round((byPosition - angle) / (2.0 * CR_PI));
}

static void computeCoordinates(const crJointAxes* axes, crPose X_AB, double* outQ)
{
  outQ[0] = findAngle(axes, X_AB, NULL);
}

static void computeConstraint(const crJointAxes* axes, crPose X_AB, double* outResidual)
{
  crOnAxisConstraint(axes->axis, X_AB.p, outResidual);
  crSameAxisConstraint(axes->axis, X_AB.R, outResidual + 2);
  outResidual[4] = crDot(axes->axis, X_AB.p) - axes->pitch * findAngle(axes, X_AB, NULL);
}

static void computeConstraintWrenches(const crJointAxes* axes, crPose X_AB, crWrench* outRows)
{
  crWrench gradient;
  findAngle(axes, X_AB, &gradient);
  crOnAxisWrenches(axes->axis, outRows);
  crSameAxisWrenches(axes->axis, X_AB.R, outRows + 2);
  outRows[4] = (crWrench){ crScale(-axes->pitch, gradient.t), axes->axis };
}

static const char* const coordinateNames[] = { "angle" };
static const char* const bristleNames[] = { "angle.bristle" };
static const char* const coordinateUnits[] = { "rad" };
static const char* const rateNames[] = { "rate" };
static const char* const rateUnits[] = { "rad/s" };
static const double zero[] = { 0.0 };

const crJointType crScrewType = {
  .name = "screw",
  .qCount = 1,
  .vCount = 1,
  .constraintCount = 5,
  .hasAxis = true,
  .hasPitch = true,
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
