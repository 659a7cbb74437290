// Spherical: B turns in A about a common point in all directions.
//
//   q = quaternion of R_AB, v = angular velocity in A's axes;   X_AB = (R(q / |q|), 0),   V_AB = (v, 0)
//   q' = 1/2 (0, v) * q,   g = p
#include "joint/joint_kind.h"

static crPose computePose(const crJointAxes* axes, const double* q)
{
  (void)axes;
  crQuat quat = { q[0], q[1], q[2], q[3] };
  return crMakePose(crMakeVec3(0.0, 0.0, 0.0), quat);
}

static void computeMotionColumns(const crJointAxes* axes, const double* q, crMotion* outColumns)
{
  (void)axes;
  (void)q;
  crVec3 none = { 0.0, 0.0, 0.0 };
  crMat3 unit = crIdentityMat3();
  outColumns[0] = (crMotion){ unit.cx, none };
  outColumns[1] = (crMotion){ unit.cy, none };
  outColumns[2] = (crMotion){ unit.cz, none };
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  crComputeQuaternionRate(q, v, outRates);
}

static void computeCoordinates(const crJointAxes* axes, crPose X_AB, double* outQ)
{
  (void)axes;
  crQuat quat = crMat3ToQuat(X_AB.R);
  outQ[0] = quat.w;
  outQ[1] = quat.x;
  outQ[2] = quat.y;
  outQ[3] = quat.z;
}

static void computeConstraint(const crJointAxes* axes, crPose X_AB, double* outResidual)
{
  (void)axes;
  crSameOriginConstraint(X_AB.p, outResidual);
}

static void computeConstraintWrenches(const crJointAxes* axes, crPose X_AB, crWrench* outRows)
{
  (void)axes;
  (void)X_AB;
  crSameOriginWrenches(outRows);
}

static const char* const coordinateNames[] = { "orientation.w", "orientation.x", "orientation.y", "orientation.z" };
static const char* const coordinateUnits[] = { "1", "1", "1", "1" };
static const char* const rateNames[] = { "angularVelocity.x", "angularVelocity.y", "angularVelocity.z" };
static const char* const rateUnits[] = { "rad/s", "rad/s", "rad/s" };
static const double zero[] = { 1.0, 0.0, 0.0, 0.0 };

const crJointType crSphericalType = {
  .name = "spherical",
  .qCount = 4,
  .vCount = 3,
  .constraintCount = 3,
  .hasQuaternion = true,
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
