// Whether points are inside a closed mesh, by the sum of signed crossings along a ray: its winding number.
//
// Points are projected along one direction that no drawing uses. Whether the ray passes left or right of an edge is
// computed from the same two products for both triangles at it, so that it crosses exactly one of them. A tree of boxes
// finds the triangles that it may cross.
#ifndef CR_GEOMETRY_INSIDE_H
#define CR_GEOMETRY_INSIDE_H

#include "base/friend.h"
#include "carom/geometry.h"

typedef struct crInside {
  const crMesh* mesh;
  crAllocator allocator;
  crVec3* along;  // (pointCount) coordinates across the ray, and along it
  int32_t* order; // (triangleCount) as the tree has them
  crAabb* boxes;  // (nodeCount) of the tree, in these coordinates: see inside.c
  int nodeCount;
} crInside;

// false: out of memory. The mesh has to stay.
CR_FRIEND bool crInside_Init(crInside* inside, const crMesh* mesh, const crAllocator* allocator);
CR_FRIEND void crInside_Free(crInside* inside);

// How often the surface winds around a point that is not on it: 1 inside, 0 outside; -1 inside a mesh that is inside
// out.
CR_FRIEND int crInside_CountWindings(const crInside* inside, crVec3 x);

// Likewise, of the triangles that are chosen alone.
typedef bool crInsideChoice(const void* context, int triangle);
CR_FRIEND int crInside_CountChosen(const crInside* inside, crVec3 x, crInsideChoice* choose, const void* context);

#endif
