// Shapes as triangles, for programs that know nothing but triangles.
#ifndef CR_SHOW_TESSELLATE_H
#define CR_SHOW_TESSELLATE_H

#include "carom/geometry.h"
#include "show/bytes.h"

// Triangles, counter-clockwise seen from outside; or lines, two points each.
typedef struct crTriangles {
  crBytes positions; // x, y, z [m] float32
  crBytes normals;   // of unit length, float32; empty for lines
  crBytes indices;   // uint32
  crVec3 min, max;   // [m] of the positions, as float32
  int pointCount, indexCount;
  bool isLines;
} crTriangles;

void crTriangles_Init(crTriangles* surface, const crAllocator* allocator);
void crTriangles_Free(crTriangles* surface);

// Four points with their normals, counter-clockwise seen from outside; and three with one.
void crTriangles_AddQuad(crTriangles* surface, crVec3 a, crVec3 normalA, crVec3 b, crVec3 normalB, crVec3 c,
                         crVec3 normalC, crVec3 d, crVec3 normalD);
void crTriangles_AddFlat(crTriangles* surface, crVec3 a, crVec3 b, crVec3 c, crVec3 normal);

// Parts of a shape that have colours of their own: the three arrows of a coordinate system; 1 for all others; 0 for
// texts, which have no triangles.
int crCountParts(crShapeKind kind);

// The triangles of a part in the shape's own frame. `extent` [m] is how far an unbounded shape is drawn.
// cr_errorMemory, or what is wrong with a hull.
crStatus crTessellate(const crShapeDef* shape, int part, double extent, crTriangles* surface);

#endif
