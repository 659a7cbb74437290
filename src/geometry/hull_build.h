// Making hulls from points that carry rounding errors.
#ifndef CR_GEOMETRY_HULL_BUILD_H
#define CR_GEOMETRY_HULL_BUILD_H

#include "base/report.h"
#include "geometry/hull.h"

// As crCreateHull, but points nearer than mergeDistance count as one, the first of them [m].
crStatus crCreateMergedHull(const crVec3* points, int pointCount, double mergeDistance, const crAllocator* allocator,
                            crReporter* reporter, crHull** outHull);

#endif
