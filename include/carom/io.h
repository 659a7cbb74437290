// Files: triangle meshes.
#ifndef CAROM_IO_H
#define CAROM_IO_H

#include "carom/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

// Reads an STL file (ASCII or binary) or an OBJ file. The ending .stl or .obj decides, in any case; a file
// with another ending is told by its content. Coordinates are multiplied by `scale`, no part of which may
// be zero; a mirroring scale also turns the triangles, so that the outside stays outside.
//
// Vertices with equal coordinates become one point. Triangles two corners of which coincide are left out,
// with one warning that counts them. The solids of an ASCII STL file, the objects and groups of an OBJ file
// become pieces. Whether the mesh is closed, and inside out, is among its facts (crMesh_GetFacts).
//
// Errors: cr_errorFile (cannot be opened or read, no regular file), cr_errorLimit (too large),
// cr_errorSyntax (with line and column for texts), cr_errorModel (scale), cr_errorMemory.
CR_API crStatus crReadMesh(const char* path, crVec3 scale, const crAllocator* allocator, const crErrorSink* sink,
                           crMesh** outMesh);

// The same from memory. `name` stands for the file in messages. A file is binary when its size fits its
// count of triangles, even if it begins with "solid".
CR_API crStatus crReadStl(const void* bytes, size_t size, const char* name, crVec3 scale, const crAllocator* allocator,
                          const crErrorSink* sink, crMesh** outMesh);

// Reads v, f, o and g; other keywords are ignored. Polygons are cut into fans from their first vertex.
CR_API crStatus crReadObj(const char* text, size_t size, const char* name, crVec3 scale, const crAllocator* allocator,
                          const crErrorSink* sink, crMesh** outMesh);

#ifdef __cplusplus
}
#endif

#endif
