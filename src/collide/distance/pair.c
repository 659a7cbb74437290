// The table of pairs. A new closed form is one row: [kindA][kindB] = function, kindA <= kindB in the order
// of crShapeKind. All pairs without a row go through the general routine. Spheres and half-spaces come here only
// where they have no closed form: a new one for them is a case in ball.c or half_space.c.
#include "collide/distance/pair.h"

// clang-format off
static const crPairFunction pairFunctions[cr_shapeKindCount][cr_shapeKindCount] = {
  [cr_shapeCapsule][cr_shapeCapsule] = crComputeTwoSegmentsPair,
  [cr_shapeBox][cr_shapeBox] = crComputeBoxPair,
  [cr_shapeBox][cr_shapeCapsule] = crComputeBoxCapsulePair,
};
// clang-format on

crPairFunction crFindPairFunction(crShapeKind kindA, crShapeKind kindB)
{
  crPairFunction found = pairFunctions[kindA][kindB];
  return found != NULL ? found : crComputeGeneralPair;
}
