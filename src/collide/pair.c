// The table of pairs. A new closed form is one row: [kindA][kindB] = function, kindA <= kindB in the order
// of crShapeKind. All pairs without a row go through the general routine.
#include "collide/pair.h"

// clang-format off
static const crPairFunction pairFunctions[cr_shapeKindCount][cr_shapeKindCount] = {
  [cr_shapeSphere][cr_shapeSphere] = crComputeTwoPointsPair,
  [cr_shapeSphere][cr_shapeCapsule] = crComputePointSegmentPair,
  [cr_shapeCapsule][cr_shapeCapsule] = crComputeTwoSegmentsPair,
  [cr_shapeSphere][cr_shapeEllipsoid] = crComputePointEllipsoidPair,
  [cr_shapeSphere][cr_shapeBox] = crComputePointBoxPair,
  [cr_shapeSphere][cr_shapeCylinder] = crComputePointCylinderPair,
  [cr_shapeSphere][cr_shapeCone] = crComputePointConePair,
  [cr_shapeSphere][cr_shapeBeam] = crComputePointBeamPair,
  [cr_shapeBox][cr_shapeBox] = crComputeBoxPair,
  [cr_shapeBox][cr_shapeCapsule] = crComputeBoxCapsulePair,
  [cr_shapeSphere][cr_shapeHalfSpace] = crComputeHalfSpacePair,
  [cr_shapeEllipsoid][cr_shapeHalfSpace] = crComputeHalfSpacePair,
  [cr_shapeBox][cr_shapeHalfSpace] = crComputeHalfSpacePair,
  [cr_shapeCylinder][cr_shapeHalfSpace] = crComputeHalfSpacePair,
  [cr_shapeCone][cr_shapeHalfSpace] = crComputeHalfSpacePair,
  [cr_shapeCapsule][cr_shapeHalfSpace] = crComputeHalfSpacePair,
  [cr_shapeBeam][cr_shapeHalfSpace] = crComputeHalfSpacePair,
  [cr_shapeHalfSpace][cr_shapeHalfSpace] = crComputeTwoHalfSpacesPair,
  [cr_shapeHalfSpace][cr_shapeHull] = crComputeHalfSpaceHullPair,
};
// clang-format on

crPairFunction crFindPairFunction(crShapeKind kindA, crShapeKind kindB)
{
  crPairFunction found = pairFunctions[kindA][kindB];
  return found != NULL ? found : crComputeGeneralPair;
}
