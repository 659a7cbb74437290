// A body thrown at a random height field that is at rest: gravity, no losses, so that its energy is known. Every throw
// is made from a kind and a seed alone.
#ifndef CR_TEST_GROUND_THROW_H
#define CR_TEST_GROUND_THROW_H

#include <stdbool.h>
#include <stdint.h>

typedef enum crGroundKind {
  cr_groundWheel,    // rolls on
  cr_groundCoin,     // comes down flat, or nearly so
  cr_groundCylinder, // in any attitude
  cr_groundBorder,   // a cylinder beside or over an edge of the field
  cr_groundBall,
  cr_groundBox,
  cr_groundCapsule,
  cr_groundCount
} crGroundKind;

const char* crGroundKind_GetText(crGroundKind kind);

typedef struct crGroundThrow {
  int status;       // crStatus of the run
  bool isAtBorder;  // it ended since a cylinder stood out over the border of the field, which it did
  int contactCount; // that began
  int64_t evaluationCount;
  double energy; // [-] that is missing or too much, or, with losses, unexplained, of what there was, at most
                 // at one of these times
  bool isInside; // its middle was in the ground at one of 50 times: it went through the surface, or a wall
} crGroundThrow;

crGroundThrow crThrowAtGround(crGroundKind kind, uint64_t seed, double tolerance, bool isLossy);

#endif
