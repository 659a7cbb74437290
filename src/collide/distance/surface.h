// What lies under a witness point: the feature of a shape and its curvature.
#ifndef CR_COLLIDE_DISTANCE_SURFACE_H
#define CR_COLLIDE_DISTANCE_SURFACE_H

#include "carom/collide.h"
#include "geometry/shape.h"

// d_S: outward unit normal at the witness, p_S: its point of the core, which counts where crUsesPoint, both in S.
// `start`: a vertex of a hull near the witness. False, with no direction set, where both curvatures are the same;
// otherwise it is given in S.
bool crFindSurface(const crShape* shape, const crVec3* p_S, const crVec3* d_S, int start, crSurface* outSurface,
                   crCurvature* outCurvature);

static inline bool crUsesPoint(const crShape* shape)
{
  return shape->kind == cr_shapeCylinder || shape->kind == cr_shapeCone;
}

// How many faces, edges or vertices a hull has: by these the numbers of a mesh's pieces follow one another.
int crCountFeatures(const crHull* hull, crSurfaceKind kind);

#endif
