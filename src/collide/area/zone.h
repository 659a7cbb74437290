// Where two cores are near each other: boxes around what of one is not farther from the other than some distance.
#ifndef CR_COLLIDE_AREA_ZONE_H
#define CR_COLLIDE_AREA_ZONE_H

#include "collide/area/polytope.h"

typedef struct crZone {
  crVec3 middle, axes[3];
  double half[3]; // [m]
} crZone;

// A polytope's core and the face of it that another core is farthest above, with that height; negative below. All in
// axes of the polytope.
typedef struct crFacing {
  const crPolytope* core;
  const crShape* other;
  const crPolytope* otherCore; // NULL: it has no faces
  crPose X;                    // of the other one
  int first;                   // the face
  double gap;                  // [m]
} crFacing;

crFacing crMakeFacing(const crPolytope* core, const crShape* other, const crPolytope* otherCore, crPose X);

// The place of a core that is least far along n.
crVec3 crFindLowest(const crShape* shape, crVec3 n);

// The least height of a core above the plane n . x = offset.
double crFindHeight(const crShape* shape, crVec3 n, double offset);

// Boxes around all of either core that is not farther than `wide` from the other, thin along the normal of the first
// face. In axes of the polytope; NULL: nobody asks. False: there is nothing.
bool crFindZones(const crFacing* facing, double wide, crZone* outOwn, crZone* outOther);

crZone crPlaceZone(const crZone* zone, const crPose* X);

// How far a function with a gradient gets from its value in the middle.
static inline double crZone_FindSpread(const crZone* zone, crVec3 gradient)
{
  return fabs(crDot(gradient, zone->axes[0])) * zone->half[0] + fabs(crDot(gradient, zone->axes[1])) * zone->half[1] +
         fabs(crDot(gradient, zone->axes[2])) * zone->half[2];
}

// Of the middle, below a plane.
static inline double crZone_FindDepth(const crZone* zone, crVec3 normal, double offset)
{
  return offset - crDot(normal, zone->middle);
}

static inline bool crZone_Has(const crZone* zone, crVec3 x)
{
  crVec3 v = crSub(x, zone->middle);
  return fabs(crDot(v, zone->axes[0])) <= zone->half[0] && fabs(crDot(v, zone->axes[1])) <= zone->half[1] &&
         fabs(crDot(v, zone->axes[2])) <= zone->half[2];
}

// Keeps the part of a line that is inside; false: there is none.
bool crZone_ClipLine(const crZone* zone, crVec3* ioP, crVec3* ioQ);

#endif
