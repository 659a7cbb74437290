// Planar: B slides in a plane of A and turns about its normal e.
//
//   q = (position x, y, angle phi):   X_AB = (rot(e, phi), x a + y b),   V_AB = (0, a) x' + (0, b) y' + (e, 0) phi'
//   g = (e . p, a . R e, b . R e)   with a, b across e: for e = z they are x and y, for other e with z >= 0 these
//   are turned by the shortest rotation from z to e
#include "joint/joint_kind.h"

static crPose computePose(const crJointAxes* axes, const double* q)
{
  crVec3 a, b;
  crMakeAcross(axes->axis, &a, &b);
  crPose X = { crTurnAbout(axes->axis, q[2]), crMulAdd(crScale(q[0], a), q[1], b) };
  return X;
}

static void computeMotionColumns(const crJointAxes* axes, const double* q, crMotion* outColumns)
{
  (void)q;
  crVec3 a, b, none = { 0.0, 0.0, 0.0 };
  crMakeAcross(axes->axis, &a, &b);
  outColumns[0] = (crMotion){ none, a };
  outColumns[1] = (crMotion){ none, b };
  outColumns[2] = (crMotion){ axes->axis, none };
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  (void)q;
  outRates[0] = v[0];
  outRates[1] = v[1];
  outRates[2] = v[2];
}

static void computeCoordinates(const crJointAxes* axes, crPose X_AB, double* outQ)
{
  crVec3 a, b;
  crMakeAcross(axes->axis, &a, &b);
  outQ[0] = crDot(a, X_AB.p);
  outQ[1] = crDot(b, X_AB.p);
  outQ[2] = crAngleAbout(axes->axis, X_AB.R, NULL);
}

static void computeConstraint(const crJointAxes* axes, crPose X_AB, double* outResidual)
{
  outResidual[0] = crDot(axes->axis, X_AB.p);
  crSameAxisConstraint(axes->axis, X_AB.R, outResidual + 1);
}

static void computeConstraintWrenches(const crJointAxes* axes, crPose X_AB, crWrench* outRows)
{
  outRows[0] = (crWrench){ { 0.0, 0.0, 0.0 }, axes->axis };
  crSameAxisWrenches(axes->axis, X_AB.R, outRows + 1);
}

static const char* const coordinateNames[] = { "position.x", "position.y", "angle" };
static const char* const bristleNames[] = { "position.x.bristle", "position.y.bristle", "angle.bristle" };
static const char* const coordinateUnits[] = { "m", "m", "rad" };
static const char* const rateNames[] = { "velocity.x", "velocity.y", "rate" };
static const char* const rateUnits[] = { "m/s", "m/s", "rad/s" };
static const double zero[] = { 0.0, 0.0, 0.0 };

const crJointType crPlanarType = {
  .name = "planar",
  .qCount = 3,
  .vCount = 3,
  .constraintCount = 3,
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
