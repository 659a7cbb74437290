// Collects points and triangles while a mesh file is read, and makes the mesh of them.
#ifndef CR_MESH_MESH_BUILDER_H
#define CR_MESH_MESH_BUILDER_H

#include "base/memory.h"
#include "base/report.h"
#include "carom/geometry.h"
#include "geometry/point_map.h"

typedef struct crMeshBuilder {
  crAllocator allocator;
  crReporter* reporter;
  crVec3 scale;
  crPointMap map;
  int32_t (*triangles)[3];
  int triangleCount, triangleCapacity;
  crArrayOf(int32_t) pieceStarts;
  bool isPieceOpen;    // the next triangle belongs to the piece of the last one
  int degenerateCount; // triangles left out
} crMeshBuilder;

// Reports a scale that is not finite or zero somewhere. The builder must be freed in any case.
crStatus crMeshBuilder_Init(crMeshBuilder* builder, crVec3 scale, const crAllocator* allocator, crReporter* reporter);
void crMeshBuilder_Free(crMeshBuilder* builder);

// Room for a known number of triangles of a closed mesh. false: out of memory.
bool crMeshBuilder_Reserve(crMeshBuilder* builder, int triangleCount);

// The number of a finite point, the same for equal points; -1 when out of memory.
int crMeshBuilder_AddPoint(crMeshBuilder* builder, crVec3 point);

// The same for some points at once. false: out of memory.
bool crMeshBuilder_AddPoints(crMeshBuilder* builder, const crVec3* points, int count, int32_t* outIndices);

// Leaves out triangles that are an edge or a point. Triangles of three points on a line stay: without them
// the edges of their neighbours would be open. false: out of memory.
bool crMeshBuilder_AddTriangle(crMeshBuilder* builder, int a, int b, int c);

// The next triangle starts a new piece.
void crMeshBuilder_EndPiece(crMeshBuilder* builder);

// Makes the mesh; reports when there is no triangle, and how many were left out.
crStatus crMeshBuilder_Finish(crMeshBuilder* builder, crMesh** outMesh);

// Reports that memory is out and returns cr_errorMemory.
crStatus crMeshBuilder_ReportMemory(crMeshBuilder* builder);

#endif
