// Random pairs of shapes for the distance tests and the fuzz program, with those that break such code made frequent.
#ifndef CR_TEST_DISTANCE_CASE_H
#define CR_TEST_DISTANCE_CASE_H

#include "carom/collide.h"
#include "support/test.h"

// How a pair is placed.
typedef enum crPlacement {
  cr_placeRandom,     // anywhere around each other
  cr_placeTouching,   // support planes along some direction at a gap of 0, +-1e-12, ..., +-1e-3 of the scale
  cr_placeAligned,    // axes parallel, so faces and edges are; at such a gap or overlapping
  cr_placeTilted,     // aligned, then turned by 1e-15 ... 1e-3 rad
  cr_placeCoincident, // centres in one point or 1e-16 ... 1e-3 of the scale apart
  cr_placeAbout,      // one common axis, so edges along it are parallel
  cr_placementCount
} crPlacement;

typedef struct crDistanceCase {
  const crShape *a, *b;
  crPose X_WA, X_WB;
  crPlacement placement;
} crDistanceCase;

typedef struct crShapePool {
  crShape** shapes; // sorted by kind
  int count;
  int kindStarts[cr_shapeKindCount + 1];
} crShapePool;

// About perKind shapes of every bounded convex kind and a few half-spaces: sizes 1e-6 ... 1e3 m, ratios of sizes
// 1e-6 ... 1e6 in some, with and without rounding and inflation.
crShapePool crCreateShapePool(uint64_t seed, int perKind);
void crDestroyShapePool(crShapePool* pool);

// A pair of the two kinds; cr_shapeNone: any.
crDistanceCase crMakeDistanceCase(const crShapePool* pool, crShapeKind kindA, crShapeKind kindB, crRandom* random);

// A random def of a bounded convex kind with sizes about `size`; `points` (32) is for a hull. ratio: the largest
// ratio of two sizes.
crShapeDef crRandomShapeDef(crShapeKind kind, double size, double ratio, crVec3* points, crRandom* random);

#endif
