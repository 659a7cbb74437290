// One side of revolution with its caps, whole or cut in half, and where it can be inside a polytope.
#ifndef CR_COLLIDE_AREA_ROUND_PART_H
#define CR_COLLIDE_AREA_ROUND_PART_H

#include "collide/area/fan.h"
#include "collide/area/polytope.h"

#define CR_PARALLEL 1e-24 // [-] square of the sine of planes that have no line in common

typedef struct crRoundPart {
  crSide side;
  double x;  // [m] of its axis, in axes of the shape
  int sense; // 0: whole; else the half towards x * sense
} crRoundPart;

// A box that holds all of a part below a plane, and so all of its overlap with what is below that plane.
typedef struct crPiece {
  crVec3 centre, axes[3];
  double half[3]; // [m]
  double depth;   // [m] of the part below the plane: nothing is deeper inside of each other
  int face;       // of the polytope, whose plane it is, with the normal axes[0], and its
  double offset;  // [m]
} crPiece;

// How far a function offset - normal . x gets from its value at the centre.
static inline double crPiece_FindSpread(const crPiece* piece, crVec3 normal)
{
  return fabs(crDot(normal, piece->axes[0])) * piece->half[0] + fabs(crDot(normal, piece->axes[1])) * piece->half[1] +
         fabs(crDot(normal, piece->axes[2])) * piece->half[2];
}

// What a part and a polytope have in common is in the first piece, which holds all of the part that is below one plane,
// and in the second, which is smaller.
typedef struct crOverlap {
  crPiece piece, tight;
  bool isSideIn, isCapIn[2];     // some of the side and of the caps at z0, z1 is in the second
  bool isSideNear, isCapNear[2]; // points in the second can be nearest to them
} crOverlap;

// Planes of B, in axes of A, that points of the part can be below and nearest to. Returns their number; 0: they are
// apart; -1: too many. The first one is the plane that the part is least deep below.
int crRoundPart_ListPlanes(const crRoundPart* part, const crPolytope* b, const crPose* X_AB, crOverlap* outOverlap,
                           crAreaPlane* outPlanes);

// Leaves out planes that are farther than another one all over the second piece, and returns how many are left. That is
// right where there is an overlap; where there is none, something may be left that is in neither (see isInBoth of
// polytope.c), so that who asks for this looks at a point. Cells, most of which are empty, do not.
int crRoundPart_DropFarther(const crOverlap* overlap, int count, crAreaPlane* planes);

// Whether a point in axes of A is inside.
bool crRoundPart_Has(const crRoundPart* part, crVec3 x);

// The round surface below all planes, in axes of A.
void crRoundPart_AddSurface(const crRoundPart* part, const crOverlap* overlap, int planeCount,
                            const crAreaPlane* planes, crPatch* patch);

// The faces of B inside the part.
void crRoundPart_AddFaces(const crRoundPart* part, const crPolytope* b, const crPose* X_AB, const crOverlap* overlap,
                          crPatch* patch);

#endif
