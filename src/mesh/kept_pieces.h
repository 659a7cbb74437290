// Pieces of meshes, kept beside the files of the meshes.
#ifndef CR_MESH_KEPT_PIECES_H
#define CR_MESH_KEPT_PIECES_H

#include "carom/io.h"

#define CR_KEPT_PATH_SIZE 4096 // [bytes] of the path of a kept file

// Where pieces of the mesh of a file are kept. false: no such file can be read.
bool crFindKeptPieces(const char* file, const crMesh* mesh, double error, char outPath[CR_KEPT_PATH_SIZE]);

// The pieces in such a file; NULL: there are none of this mesh, which is a warning, and others have to be made.
crMesh* crReadKeptPieces(const char* path, const crMesh* mesh, double error, size_t limit, const crAllocator* allocator,
                         const crErrorSink* sink);

#endif
