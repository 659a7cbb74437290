// Mesh files with a limit on their size.
#ifndef CR_MESH_MESH_FILE_H
#define CR_MESH_MESH_FILE_H

#include "carom/io.h"

// crReadMesh that refuses files of more than `limit` bytes.
crStatus crReadMeshFile(const char* path, crVec3 scale, size_t limit, const crAllocator* allocator,
                        const crErrorSink* sink, crMesh** outMesh);

#endif
