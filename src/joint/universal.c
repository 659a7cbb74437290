// Universal: B turns in A about an axis e fixed in A, then about an axis f fixed in B.
//
//   q = (angle1, angle2):   X_AB = (rot(e, q1) rot(f, q2), 0)
//   V_AB = (e, 0) v1 + (rot(e, q1) f, 0) v2,   S' v = (e x rot(e, q1) f, 0) v1 v2
//   g = (p, e . R f - e . f)
#include "base/elementary.h"
#include "joint/joint_kind.h"

// f in A's axes.
static crVec3 secondAxis(const crJointAxes* axes, const double* q)
{
  return crMulMV(crTurnAbout(axes->axis, q[0]), axes->axis2);
}

static crPose computePose(const crJointAxes* axes, const double* q)
{
  crPose X = { crMulMM(crTurnAbout(axes->axis, q[0]), crTurnAbout(axes->axis2, q[1])), { 0.0, 0.0, 0.0 } };
  return X;
}

static void computeMotionColumns(const crJointAxes* axes, const double* q, crMotion* outColumns)
{
  crVec3 none = { 0.0, 0.0, 0.0 };
  outColumns[0] = (crMotion){ axes->axis, none };
  outColumns[1] = (crMotion){ secondAxis(axes, q), none };
}

static void computeMotionBias(const crJointAxes* axes, const double* q, const double* v, crMotion* outBias)
{
  crVec3 none = { 0.0, 0.0, 0.0 };
  *outBias = (crMotion){ crScale(v[0] * v[1], crCross(axes->axis, secondAxis(axes, q))), none };
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  (void)q;
  outRates[0] = v[0];
  outRates[1] = v[1];
}

// The first angle turns f about e onto R f, as far as that goes; what is left is about f.
static void computeCoordinates(const crJointAxes* axes, crPose X_AB, double* outQ)
{
  crVec3 e = axes->axis, f = axes->axis2, turned = crMulMV(X_AB.R, f);
  crVec3 from = crMulAdd(f, -crDot(e, f), e), across = crCross(e, f);
  outQ[0] = crAtan2(crDot(turned, across), crDot(turned, from));
  outQ[1] = crAngleAbout(f, crMulTM(crTurnAbout(e, outQ[0]), X_AB.R), NULL);
}

static void computeConstraint(const crJointAxes* axes, crPose X_AB, double* outResidual)
{
  crSameOriginConstraint(X_AB.p, outResidual);
  outResidual[3] = crDot(axes->axis, crMulMV(X_AB.R, axes->axis2)) - crDot(axes->axis, axes->axis2);
}

static void computeConstraintWrenches(const crJointAxes* axes, crPose X_AB, crWrench* outRows)
{
  crVec3 none = { 0.0, 0.0, 0.0 };
  crSameOriginWrenches(outRows);
  outRows[3] = (crWrench){ crCross(crMulMV(X_AB.R, axes->axis2), axes->axis), none };
}

static const char* const coordinateNames[] = { "angle1", "angle2" };
static const char* const bristleNames[] = { "angle1.bristle", "angle2.bristle" };
static const char* const coordinateUnits[] = { "rad", "rad" };
static const char* const rateNames[] = { "rate1", "rate2" };
static const char* const rateUnits[] = { "rad/s", "rad/s" };
static const double zero[] = { 0.0, 0.0 };

const crJointType crUniversalType = {
  .name = "universal",
  .qCount = 2,
  .vCount = 2,
  .constraintCount = 4,
  .hasAxis = true,
  .hasAxis2 = true,
  .defaultAxis = { 0.0, 0.0, 1.0 },
  .defaultAxis2 = { 1.0, 0.0, 0.0 },
  .coordinateNames = coordinateNames,
  .bristleNames = bristleNames,
  .coordinateUnits = coordinateUnits,
  .rateNames = rateNames,
  .rateUnits = rateUnits,
  .zero = zero,
  .computePose = computePose,
  .computeMotionColumns = computeMotionColumns,
  .computeMotionBias = computeMotionBias,
  .computeCoordinateRates = computeCoordinateRates,
  .computeCoordinates = computeCoordinates,
  .computeConstraint = computeConstraint,
  .computeConstraintWrenches = computeConstraintWrenches,
};
