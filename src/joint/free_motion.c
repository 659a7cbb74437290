// FreeMotion: B moves in A with six degrees of freedom.
//
//   q = (position p of B's origin in A, quaternion of R_AB), v = (velocity of B's origin, angular velocity)
//   both in A's axes; X_AB = (R(quaternion / |quaternion|), p)
//   quaternion' = 1/2 (0, w) * quaternion
#include "joint/joint_kind.h"

static crQuat quaternionOf(const double* q)
{
  crQuat quat = { q[3], q[4], q[5], q[6] };
  return quat;
}

static crPose computePose(const crJointAxes* axes, const double* q)
{
  (void)axes;
  return crMakePose(crMakeVec3(q[0], q[1], q[2]), quaternionOf(q));
}

static void computeMotionColumns(const crJointAxes* axes, const double* q, crMotion* outColumns)
{
  (void)axes;
  (void)q;
  crVec3 none = { 0.0, 0.0, 0.0 };
  crMat3 unit = crIdentityMat3();
  outColumns[0] = (crMotion){ none, unit.cx };
  outColumns[1] = (crMotion){ none, unit.cy };
  outColumns[2] = (crMotion){ none, unit.cz };
  outColumns[3] = (crMotion){ unit.cx, none };
  outColumns[4] = (crMotion){ unit.cy, none };
  outColumns[5] = (crMotion){ unit.cz, none };
}

static void computeCoordinateRates(const double* q, const double* v, double* outRates)
{
  outRates[0] = v[0];
  outRates[1] = v[1];
  outRates[2] = v[2];
  crComputeQuaternionRate(q + 3, v + 3, outRates + 3);
}

static void computeCoordinates(const crJointAxes* axes, crPose X_AB, double* outQ)
{
  (void)axes;
  crQuat quat = crMat3ToQuat(X_AB.R);
  outQ[0] = X_AB.p.x;
  outQ[1] = X_AB.p.y;
  outQ[2] = X_AB.p.z;
  outQ[3] = quat.w;
  outQ[4] = quat.x;
  outQ[5] = quat.y;
  outQ[6] = quat.z;
}

static void computeConstraint(const crJointAxes* axes, crPose X_AB, double* outResidual)
{
  (void)axes;
  (void)X_AB;
  (void)outResidual;
}

static void computeConstraintWrenches(const crJointAxes* axes, crPose X_AB, crWrench* outRows)
{
  (void)axes;
  (void)X_AB;
  (void)outRows;
}

static const char* const coordinateNames[] = { "position.x",    "position.y",    "position.z",   "orientation.w",
                                               "orientation.x", "orientation.y", "orientation.z" };
static const char* const coordinateUnits[] = { "m", "m", "m", "1", "1", "1", "1" };
static const char* const rateNames[] = { "velocity.x",        "velocity.y",        "velocity.z",
                                         "angularVelocity.x", "angularVelocity.y", "angularVelocity.z" };
static const char* const rateUnits[] = { "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s" };
static const double zero[] = { 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0 };

const crJointType crFreeMotionType = {
  .name = "freeMotion",
  .qCount = 7,
  .vCount = 6,
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
