// Boxes, hulls and half-spaces as faces and corners, and which planes of one can be nearest to points of another.
#ifndef CR_COLLIDE_AREA_POLYTOPE_H
#define CR_COLLIDE_AREA_POLYTOPE_H

#include "collide/area/polygon.h"

#define CR_EQUAL_DEPTHS 1e-15 // [-] of the reach: depths that differ by less are those of one plane

// A box or hull with sharp edges, or the half-space z <= offset. Arrays are those of the hull, or in `box`.
typedef struct crPolytope {
  bool isHalfSpace;
  int vertexCount, faceCount;
  const crVec3* vertices;      // (vertexCount)
  const crVec3* normals;       // (faceCount)
  const double* offsets;       // (faceCount)
  const int32_t* faceStarts;   // (faceCount + 1)
  const int32_t* faceVertices; // counter-clockwise seen from outside
  const bool* isInner;         // (faceCount) shared with another piece; NULL: none
  const crHull* hull;          // NULL: a box or a half-space
  crVec3 half;                 // [m] of a box
  crVec3 centre;               // [m] inside it
  double steepest;             // [-] the length of normals, at most: 1, but for cells (cell.c)
  double radius;               // [m] of a ball around it about the centre; infinite for a half-space
  struct {
    crVec3 vertices[8];
    double offsets[6];
  } box;
} crPolytope;

bool crIsPolytope(const crShape* shape); // of a kind that crMakePolytope takes: sharp box or hull, half-space
void crMakePolytope(const crShape* shape, crPolytope* out);
int crCountPolytopeFaces(const crShape* shape); // 0: it is none
void crMakeBoxPolytope(crVec3 half, crPolytope* out);

// Whether a point in its axes is below all of its planes, but for rounding errors.
bool crPolytope_Has(const crPolytope* a, crVec3 x);

// A bounded shape as others see it.
typedef struct crExtent {
  double least, most; // [m] depth below a plane
} crExtent;

#define CR_MARKED_FACES 512 // at a time

// One bit for each of the first faces of a polytope.
typedef struct crFaceMarks {
  uint64_t bits[CR_MARKED_FACES / 64];
} crFaceMarks;

// Faces [from, from + CR_MARKED_FACES) with a corner below a plane in axes of A.
crFaceMarks crMarkFaces(const crPolytope* a, const crAreaPlane* plane, int from);

// Adds the faces of A inside B: planes of B in axes of A, with their normals in the axes of the points. X_PA: from A's
// axes to those; NULL: they are the same.
void crAddFaces(const crPolytope* a, int planeCount, const crAreaPlane* planes, const crVec3* normals,
                const crPose* X_PA, crPatch* patch);

// The same of marked faces only, and those beyond CR_MARKED_FACES. marks: NULL: of all.
void crAddMarkedFaces(const crPolytope* a, const crFaceMarks* marks, int planeCount, const crAreaPlane* planes,
                      const crVec3* normals, const crPose* X_PA, crPatch* patch);

// Likewise, with the depths of cells.
void crAddFacesInCells(const crPolytope* a, const crFaceMarks* marks, const crCells* cells, const crPose* X_PA,
                       crPatch* patch);

// Both surfaces of two polytopes; of a half-space, which may be the second, that of the other alone. X_AB: pose of B in
// axes of A. Nothing is added where they are apart.
void crAddPolytopes(const crPolytope* a, const crPolytope* b, const crPose* X_AB, crPatch* patch);

#endif
