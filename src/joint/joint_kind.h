// Joint kinds: what a joint lets move, as a table with one row per kind.
//
// A joint relates frame B to frame A. A row gives X_AB as a function of the coordinates, the motion of
// B relative to A as a function of the rates, and the same joint as a constraint, for closing loops:
//
//   X_AB = pose(q),   V_AB = S(q) v,   q' = N(q) v,   and   g(X_AB) = 0,   g' = W . V_AB
//
// Motions V_AB and wrenches W are those of B relative to A, about B's origin, in A's axes. Along a motion
// that the joint allows no constraint wrench does work: W . S = 0.
//
// To add a kind: an enumerator in carom/scene.h, one file here with its functions, one row in joint_kind.c.
#ifndef CR_JOINT_JOINT_KIND_H
#define CR_JOINT_JOINT_KIND_H

#include "carom/math.h"

// The kinds by number, as in carom/scene.h (crJointKind), which the layers below the scene cannot see.
typedef struct crJointType {
  const char* name;
  int qCount, vCount;  // coordinates, rates = degrees of freedom
  int constraintCount; // 6 - vCount
  bool hasAxis;
  crVec3 defaultAxis;
  const char* const* coordinateNames; // (qCount) as in variables: "angle"
  const char* const* coordinateUnits; // (qCount)
  const char* const* rateNames;       // (vCount) "rate"
  const char* const* rateUnits;       // (vCount)
  const double* zero;                 // (qCount) coordinates at which both frames coincide

  crPose (*computePose)(crVec3 axis, const double* q);
  void (*computeMotionColumns)(crVec3 axis, const double* q, crMotion* outColumns);   // (vCount)
  void (*computeCoordinateRates)(const double* q, const double* v, double* outRates); // (qCount)
  void (*computeCoordinates)(crVec3 axis, crPose X_AB, double* outQ);       // of the nearest pose that the joint allows
  void (*computeConstraint)(crVec3 axis, crPose X_AB, double* outResidual); // (constraintCount) [m] or [rad]
  void (*computeConstraintWrenches)(crVec3 axis, crPose X_AB, crWrench* outRows); // (constraintCount)
} crJointType;

int crJointTypeCount(void);
const crJointType* crGetJointType(int kind);

extern const crJointType crFixType;
extern const crJointType crRevoluteType;
extern const crJointType crPrismaticType;
extern const crJointType crFreeMotionType;

// Two unit vectors across a unit axis, the three right-handed in the order (axis, first, second).
void crMakeAcross(crVec3 axis, crVec3* outFirst, crVec3* outSecond);

// The three rows "B does not turn in A": residual half of the axial vector of R - R^T, and its wrenches.
void crNoRotationConstraint(crMat3 R_AB, double outResidual[3]);
void crNoRotationWrenches(crMat3 R_AB, crWrench outRows[3]);

#endif
