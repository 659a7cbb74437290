// Area contacts of two shapes, and whether their force is the gradient of their energy.
#ifndef CR_TEST_PATCHES_H
#define CR_TEST_PATCHES_H

#include "contact/area_law.h"
#include "support/test.h"

// Two shapes at poses of their frames F.
typedef struct crPressed {
  const crShape *a, *b;
  crPose X_WA, X_WB;
} crPressed;

// Moves B along the normal of the signed distance so that the shapes are `depth` [m] inside each other.
void crPressTogether(crPressed* pair, double depth);

// B beside A, turned at random, and pressed in.
crPressed crPressAtRandom(const crShape* a, const crShape* b, double depth, crRandom* random);

// What area contact of modulus 1 N/m^2 says, on B in the world, about B's frame. Returns U [J].
double crComputePressed(const crPressed* pair, crWrench* outOnB);

// The largest difference of force and torque from differences of U, over the force, torques by the size [m]. step: [-]
// of the depth.
double crCheckGradient(const crPressed* pair, double depth, double size, double step);

#endif
