// The faces of the convex hull of a set of points, by qhull: the only file that knows qhull.
#ifndef CR_GEOMETRY_QUICKHULL_H
#define CR_GEOMETRY_QUICKHULL_H

#include "base/report.h"
#include "carom/math.h"

// Points that nearly coincide may have to be united before a hull can be made of them.
#define CR_FIRST_UNION 1e-14 // [-] of the extent: distance of points to unite after a failure
#define CR_UNION_FACTOR 10.0 // [-] from one failure to the next
#define CR_LAST_UNION 1e-8   // [-] beyond this the hull would be visibly wrong

// Convex polygons that close up: every edge belongs to two of them, once in each direction. Corners are
// indices of points, counter-clockwise seen from outside, each face from its lowest index on; faces are
// ordered by their first two corners. A point that lies on an edge or inside a face is no corner.
typedef struct crPolygons {
  int faceCount, cornerCount;
  int faceCapacity, cornerCapacity; // what was allocated
  int32_t* starts;                  // (faceCount + 1) into corners
  int32_t* corners;                 // (cornerCount)
} crPolygons;

// Points nearer than unionShare x extent count as one, the first of them (0: only equal ones). Coplanar faces
// are merged; how exactly coplanar depends on the rounding errors of the coordinates, far from the origin
// more than near it. Reports non-finite points, and points in one plane, line or place.
crStatus crFindHullFaces(const crVec3* points, int pointCount, double unionShare, const crAllocator* allocator,
                         crReporter* reporter, crPolygons* outFaces);
void crPolygons_Free(crPolygons* polygons, const crAllocator* allocator);

#endif
