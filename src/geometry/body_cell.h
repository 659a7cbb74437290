// Convex cells of space with what a body has in them: the mesh's polygons, and which corners of the cell are in the
// body. A plane cuts a cell in two.
//
// A polygon belongs to the cell that has the body behind it, also where it lies on the cell's surface. So the part of
// the body in a cell has as its corners those of the polygons, and those of the cell that are inside the body.
#ifndef CR_GEOMETRY_BODY_CELL_H
#define CR_GEOMETRY_BODY_CELL_H

#include "base/memory.h"
#include "geometry/hull.h"
#include "geometry/inside.h"

typedef struct crCutPlane {
  crVec3 normal; // unit
  double offset; // [m] normal . x
} crCutPlane;

typedef struct crFlat { // a convex polygon
  crCutPlane plane;     // of the mesh, pointing out of the body; of a cell's surface: not used
  int count;
  crVec3* points; // (count) counter-clockwise seen from outside
} crFlat;

typedef struct crCellCorner {
  crVec3 point;
  bool isInBody; // the cell near the corner is inside the body, or the corner is one of a polygon as well
} crCellCorner;

typedef struct crBodyCell {
  int fragmentCount, faceCount, cornerCount;
  crFlat* fragments;     // (fragmentCount) of the mesh
  crFlat* faces;         // (faceCount) of the cell
  crCellCorner* corners; // (cornerCount)
} crBodyCell;

// What cells are of: a closed mesh.
typedef struct crCellSource {
  crInside inside;
  double slack; // [m] what is nearer to a plane is on it
  int sign;     // -1: the mesh is inside out
} crCellSource;

// The box around the mesh. Memory is the arena's. false: out of memory.
bool crMakeFirstCell(const crCellSource* source, crArena* arena, crBodyCell* outCell);

// Both parts of a cell; one of them may have no corners. false: out of memory.
bool crCutCell(const crCellSource* source, const crBodyCell* cell, crCutPlane plane, crArena* arena,
               crBodyCell* outBelow, crBodyCell* outAbove);

// The corners of the part of the body in a cell, perhaps with others of it. -1: out of memory.
int crListBodyPoints(const crBodyCell* cell, crArena* arena, crVec3** outPoints);

// How far it is out of a hull from a polygon of it, along its normal, at most [m], where that is more than `least`;
// else `least`. What is in the hull and not in the body is no farther from it: the point of the body that is nearest
// has it on its way out. (The depth below the nearest face is no such bound: in the hull of a thin ring nothing is
// deep.) To a share of CR_DEPTH_SHARE. outPoint: where, unless it is no more.
#define CR_DEPTH_SHARE 1e-3
// false: out of memory.
bool crMeasureDepth(const crFlat* flat, const crHull* hull, double least, crArena* scratch, double* outDepth,
                    crVec3* outPoint);

#endif
