// Joint kinds: what a joint lets move, as a table with one row per kind.
//
// A joint relates frame B to frame A. A row gives X_AB as a function of the coordinates, the motion of
// B relative to A as a function of the rates, and the same joint as a constraint, for closing loops:
//
//   X_AB = pose(q),   V_AB = S(q) v,   q' = N(q) v,   and   g(X_AB) = 0,   g' = W . V_AB
//
// Motions V_AB and wrenches W are those of B relative to A, about B's origin, in A's axes. Along a motion
// that the joint allows no constraint wrench does work: W . S = 0. The bias is what is left of the relative
// acceleration, seen in A, when the rates do not change: A_AB = S v' + S' v.
//
// To add a kind: an enumerator in carom/scene.h, one file here with its functions, one row in joint_kind.c.
#ifndef CR_JOINT_JOINT_KIND_H
#define CR_JOINT_JOINT_KIND_H

#include "base/friend.h"
#include "carom/math.h"

// What a joint's row is told about one joint. Kinds without a second axis or a pitch do not look at them.
typedef struct crJointAxes {
  crVec3 axis;  // unit length
  crVec3 axis2; // unit length
  double pitch; // [m/rad]
} crJointAxes;

// The kinds by number, as in carom/scene.h (crJointKind), which the layers below the scene cannot see.
typedef struct crJointType {
  const char* name;
  int qCount, vCount;  // coordinates, rates = degrees of freedom
  int constraintCount; // 6 - vCount
  bool hasAxis, hasAxis2, hasPitch;
  bool hasQuaternion; // the last four coordinates are one; else each coordinate has the rate of the same place
  crVec3 defaultAxis, defaultAxis2;
  const char* const* coordinateNames; // (qCount) as in variables: "angle"
  const char* const* bristleNames;    // (vCount) of friction that sticks; NULL with a quaternion: it cannot
  const char* const* coordinateUnits; // (qCount)
  const char* const* rateNames;       // (vCount) "rate"
  const char* const* rateUnits;       // (vCount)
  const double* zero;                 // (qCount) coordinates at which both frames coincide

  crPose (*computePose)(const crJointAxes* axes, const double* q);
  void (*computeMotionColumns)(const crJointAxes* axes, const double* q, crMotion* outColumns); // (vCount)
  void (*computeMotionBias)(const crJointAxes* axes, const double* q, const double* v,
                            crMotion* outBias);                                       // S' v; NULL: zero
  void (*computeCoordinateRates)(const double* q, const double* v, double* outRates); // (qCount)
  void (*computeCoordinates)(const crJointAxes* axes, crPose X_AB,
                             double* outQ); // of the nearest pose that the joint allows
  void (*computeConstraint)(const crJointAxes* axes, crPose X_AB,
                            double* outResidual); // (constraintCount) [m] or [rad]
  void (*computeConstraintWrenches)(const crJointAxes* axes, crPose X_AB, crWrench* outRows); // (constraintCount)
} crJointType;

int crJointTypeCount(void);
CR_FRIEND const crJointType* crGetJointType(int kind);

extern const crJointType crFixType;
extern const crJointType crRevoluteType;
extern const crJointType crPrismaticType;
extern const crJointType crCylindricalType;
extern const crJointType crUniversalType;
extern const crJointType crSphericalType;
extern const crJointType crPlanarType;
extern const crJointType crScrewType;
extern const crJointType crFreeMotionType;

// Two unit vectors across a unit axis, the three right-handed in the order (axis, first, second).
void crMakeAcross(crVec3 axis, crVec3* outFirst, crVec3* outSecond);

// The rotation about a unit axis.
crMat3 crTurnAbout(crVec3 axis, double angle);

// The angle in (-pi, pi] by which R turns a vector across the axis, and, unless NULL, its gradient: angle' = W . V.
double crAngleAbout(crVec3 axis, crMat3 R_AB, crWrench* outGradient);

// The two rows "the axis of B stays that of A", R e = e: residual (a . R e, b . R e) with a, b across e.
void crSameAxisConstraint(crVec3 axis, crMat3 R_AB, double outResidual[2]);
void crSameAxisWrenches(crVec3 axis, crMat3 R_AB, crWrench outRows[2]);

// The two rows "B's origin stays on the axis": residual (a . p, b . p).
void crOnAxisConstraint(crVec3 axis, crVec3 p_AB, double outResidual[2]);
void crOnAxisWrenches(crVec3 axis, crWrench outRows[2]);

// The three rows "the origins stay together", p = 0.
void crSameOriginConstraint(crVec3 p_AB, double outResidual[3]);
void crSameOriginWrenches(crWrench outRows[3]);

// The rate of a quaternion of R_AB for an angular velocity in A's axes: 1/2 (0, w) * q.
void crComputeQuaternionRate(const double* q, const double* w, double* outRate);

// The three rows "B does not turn in A": residual half of the axial vector of R - R^T, and its wrenches.
void crNoRotationConstraint(crMat3 R_AB, double outResidual[3]);
void crNoRotationWrenches(crMat3 R_AB, crWrench outRows[3]);

#endif
