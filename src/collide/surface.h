// What lies under a witness point: the feature of a shape and its curvature.
#ifndef CR_COLLIDE_SURFACE_H
#define CR_COLLIDE_SURFACE_H

#include "carom/collide.h"
#include "geometry/shape.h"

// d_S: outward unit normal at the witness, p_S: its point of the core, both in S. `start`: a vertex of a hull
// near the witness. The direction of the curvature is given in S.
void crFindSurface(const crShape* shape, crVec3 p_S, crVec3 d_S, int start, crSurface* outSurface,
                   crCurvature* outCurvature);

// How many faces, edges or vertices a hull has: by these the numbers of a mesh's pieces follow one another.
int crCountFeatures(const crHull* hull, crSurfaceKind kind);

#endif
