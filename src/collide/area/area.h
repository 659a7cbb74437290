// Patches of two shapes of any kind with flats, edges, rims or straight sides.
//
//   polytope   box, hull, half-space with sharp edges                   polytope.h
//   round      cylinder, cone, frustum, beam with sharp edges           round.h; with each other: curved.h
//   round      over smooth ground                                       over_ground.h
//   swept      capsule; all of these that is rounded or inflated        swept.h
//
// In a patch the shape of the later kind is the first one, mostly (swept.c). Balls and ellipsoids have none: they touch
// at a point.
#ifndef CR_COLLIDE_AREA_AREA_H
#define CR_COLLIDE_AREA_AREA_H

#include "collide/area/patch.h"

// Whether two shapes touch by area, and not at a point.
bool crTouchesByArea(const crShape* a, const crShape* b);

// Fills a patch: sums, and points as far as there is room. Nothing where the shapes are apart. X: poses of the
// canonical frames S of both shapes in the world.
void crComputePatch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crPatch* patch);

// The same; seeCorner takes corners of polygons, while the depth is not known yet.
void crComputePatchWithCorners(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                               crPatchCornerSeen seeCorner, void* context, crPatch* patch);

// The same, with the lines where two faces are equally near; polytopes alone have them all.
void crComputePatchWithLines(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                             crPatchLines* outLines, crPatch* patch);
bool crHasPatchLines(const crShape* a, const crShape* b);

// All points once more, given to `spill` in turn: for those who need the sums before, where crComputePatch had to
// spill. seeCorner: takes corners of polygons; or NULL.
void crRepeatPatch(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, crPatchSpill spill,
                   crPatchCornerSeen seeCorner, void* context, crPatch* patch);

// The pose of S of a shape whose frame F is at X_WF.
static inline crPose crPlaceCanonical(const crShape* shape, const crPose* X_WF)
{
  return (crPose){ shape->isTurned ? crMulMM(X_WF->R, shape->R_FS) : X_WF->R, X_WF->p };
}

#endif
