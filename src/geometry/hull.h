// Convex hulls: vertices, plane of each face, vertex adjacency; by qhull_r (facets merged, never joggled).
//
// One memory block, so that a model can hold copies of it: pointers inside are into the block.
#ifndef CR_GEOMETRY_HULL_H
#define CR_GEOMETRY_HULL_H

#include "base/friend.h"
#include "carom/math.h"

// Vertices or faces that a scan for the farthest one looks at together.
#define CR_HULL_LANES 8

// Vertices that a cell of directions can hold.
#define CR_CELL_WIDTH 8

// Faces are the merged facets of qhull: convex polygons, counter-clockwise seen from outside.
// Vertices are those of the hull only, ordered as in the input.
typedef struct crHull {
  size_t byteCount; // of the whole block
  int vertexCount, faceCount, faceVertexCount, neighbourCount;
  int cellsAcross;          // 0 for a small hull
  int cellCount;            // 6 cellsAcross^2
  crVec3 centre;            // [m] mean of the vertices, so it lies inside
  double radius;            // [m] largest distance of a vertex from the centre
  double reach;             // [m] largest distance of a vertex from the frame's origin
  crVec3 half;              // [m] half the edges of the box around the vertices
  int paddedCount;          // vertexCount, rounded up to a multiple of CR_HULL_LANES
  int paddedFaceCount;      // faceCount likewise
  crVec3* vertices;         // (vertexCount) [m]
  crVec3* normals;          // (faceCount) outward, unit length
  double* offsets;          // (faceCount) [m] normal . x <= offset inside
  int32_t* faceStarts;      // (faceCount + 1) into faceVertices
  int32_t* faceVertices;    // (faceVertexCount)
  int32_t* neighbourStarts; // (vertexCount + 1) into neighbours
  int32_t* neighbours;      // (neighbourCount) vertices that share an edge, ascending
  int32_t* vertexFaces;     // (neighbourCount) faces of each vertex, ascending, from the same starts: as many as edges
  int coarseAcross;         // 0 for a small hull
  int coarseCount;          // 6 coarseAcross^2
  int32_t* coarse;          // (coarseCount) farthest vertex along the middle of each coarse cell of directions
  double* columns;          // (3 paddedCount) x, then y, then z of the vertices, filled up with the first one
  double* planes;           // (4 paddedFaceCount) x, y, z of the normals, then offsets, filled up likewise
  int32_t* cells;           // (CR_CELL_WIDTH cellCount) vertices that can be farthest, for each cell of directions
} crHull;

// Reports points in one plane or line, non-finite points, fewer than four.
CR_FRIEND crStatus crCreateHull(const crVec3* points, int pointCount, const crAllocator* allocator,
                                const crErrorSink* sink, crHull** outHull);

// The hull of { x : normal . x <= offset - distance for all faces }: every face moved inward. Faces that
// are cut away entirely vanish. cr_errorModel when nothing with volume is left.
crStatus crCreateErodedHull(const crHull* hull, double distance, const crAllocator* allocator, const crErrorSink* sink,
                            crHull** outHull);
CR_FRIEND void crDestroyHull(crHull* hull, const crAllocator* allocator);

// A copy inside `block` of hull->byteCount bytes, aligned to 8.
crHull* crHull_CopyTo(const crHull* hull, void* block);

// The smallest distance of two parallel planes that hold the hull between them, one on a face [m].
double crHull_ComputeWidth(const crHull* hull);

// Volume, centre and inertia for density 1, exact polyhedral integrals.
crInertia crHull_ComputeInertia(const crHull* hull);

// Vertex farthest along d; the lowest index among equals.
int crHull_FindSupport(const crHull* hull, crVec3 d);

// The face that x is highest above, or least deep below; the lowest index among equals.
int crHull_FindHighestFace(const crHull* hull, crVec3 x, double* outHeight);

// The same vertex, found by climbing along edges from vertex `start`: fast where that is near.
int crHull_ClimbSupport(const crHull* hull, crVec3 d, int start);

// The same vertex, by whatever is fastest for the hull: a scan, the cell that d lies in (hull_cells.c), or a climb,
// perhaps from `start`.
int crHull_FindSupportFast(const crHull* hull, crVec3 d, int start);

// The same for two hulls at once: what one needs from memory comes while the other is searched.
void crFindTwoSupports(const crHull* a, crVec3 dA, int* ioA, const crHull* b, crVec3 dB, int* ioB);

// A vertex far along d, seldom the farthest: that of the coarse cell of d. coarseCount > 0.
int crHull_FindCoarseSupport(const crHull* hull, crVec3 d);

// How many cells a hull of so many vertices gets along each edge of the cube of directions, and the filling of
// them and of the coarse ones.
int crCountHullCells(int vertexCount);
int crCountCoarseCells(int cellsAcross);
void crHull_FillCells(crHull* hull);
void crHull_FillCoarse(crHull* hull);

#endif
