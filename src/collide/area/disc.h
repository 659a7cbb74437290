// A convex polygon inside a disc, turned into points of a patch: the polygon of its corners inside and of where it
// meets the circle, and circular segments. Never a sector minus a triangle, which loses all digits in a thin segment.
#ifndef CR_COLLIDE_AREA_DISC_H
#define CR_COLLIDE_AREA_DISC_H

#include "collide/area/polygon.h"

// The disc is about the origin of the chart. Tells the depth of corners.
void crPatch_AddInDisc(crPatch* patch, int n, const crCorner* x, double radius, const crChart* chart,
                       const crLinear* depth, crVec3 normal);

#endif
