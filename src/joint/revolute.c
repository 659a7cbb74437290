// Revolute: B turns in A about an axis e that is the same in both frames.
//
//   X_AB = (rot(e, q), 0),   V_AB = (e, 0) v
//   g = (p, a . R e, b . R e)   with a, b across e
#include "joint/joint_kind.h"

static crPose computePose(crVec3 axis, const double* q)
{
  crPose X = { crQuatToMat3(crAxisAngleToQuat(axis, q[0])), { 0.0, 0.0, 0.0 } };
  return X;
}

static void computeMotionColumns(crVec3 axis, const double* q, crMotion* outColumns)
{
  (void)q;
  outColumns[0] = (crMotion){ axis, { 0.0, 0.0, 0.0 } };
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  (void)q;
  outRates[0] = v[0];
}

// The angle by which a vector across the axis has turned.
static void computeCoordinates(crVec3 axis, crPose X_AB, double* outQ)
{
  crVec3 a, b;
  crMakeAcross(axis, &a, &b);
  crVec3 turned = crMulMV(X_AB.R, a);
  outQ[0] = atan2(crDot(turned, crCross(axis, a)), crDot(turned, a));
}

static void computeConstraint(crVec3 axis, crPose X_AB, double* outResidual)
{
  crVec3 a, b;
  crMakeAcross(axis, &a, &b);
  crVec3 turned = crMulMV(X_AB.R, axis);
  outResidual[0] = X_AB.p.x;
  outResidual[1] = X_AB.p.y;
  outResidual[2] = X_AB.p.z;
  outResidual[3] = crDot(a, turned);
  outResidual[4] = crDot(b, turned);
}

// (a . R e)' = a . (w x R e) = w . (R e x a)
static void computeConstraintWrenches(crVec3 axis, crPose X_AB, crWrench* outRows)
{
  crVec3 a, b, none = { 0.0, 0.0, 0.0 };
  crMakeAcross(axis, &a, &b);
  crVec3 turned = crMulMV(X_AB.R, axis);
  outRows[0] = (crWrench){ none, { 1.0, 0.0, 0.0 } };
  outRows[1] = (crWrench){ none, { 0.0, 1.0, 0.0 } };
  outRows[2] = (crWrench){ none, { 0.0, 0.0, 1.0 } };
  outRows[3] = (crWrench){ crCross(turned, a), none };
  outRows[4] = (crWrench){ crCross(turned, b), none };
}

static const char* const coordinateNames[] = { "angle" };
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
