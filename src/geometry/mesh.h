// Triangle meshes: what other code needs of them beside the public functions.
#ifndef CR_GEOMETRY_MESH_H
#define CR_GEOMETRY_MESH_H

#include "carom/geometry.h"

// For density 1: exact polyhedral integrals about the middle of the mesh. A mesh that is inside out counts
// as turned; an open one gives the integrals of the cone from its middle, which are no body's.
crInertia crMesh_ComputeInertia(const crMesh* mesh);

// The triangles of one piece, 0 <= piece < pieceCount.
void crMesh_GetPiece(const crMesh* mesh, int piece, int* outTriangleStart, int* outTriangleCount);

#endif
