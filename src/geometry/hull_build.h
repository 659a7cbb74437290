// Making hulls from points that carry rounding errors.
#ifndef CR_GEOMETRY_HULL_BUILD_H
#define CR_GEOMETRY_HULL_BUILD_H

#include "base/report.h"
#include "geometry/hull.h"

// As crCreateHull, but points nearer than firstUnion x extent count as one, the first of them; where that makes
// faces too small for a plane, farther ones, up to lastUnion x extent.
crStatus crCreateMergedHull(const crVec3* points, int pointCount, double firstUnion, double lastUnion,
                            const crAllocator* allocator, crReporter* reporter, crHull** outHull);

#endif
