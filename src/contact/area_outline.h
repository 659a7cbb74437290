// The outline of a patch, for those who look at contacts: not part of any evaluation.
#ifndef CR_CONTACT_AREA_OUTLINE_H
#define CR_CONTACT_AREA_OUTLINE_H

#include "carom/record.h"
#include "contact/area_law.h"

// The deepest point of a patch, then the corners of its convex outline across n, counterclockwise about n, each with
// its pressure; in the world. X: poses of the canonical frames. Returns their number; 0: the shapes are apart.
int crFindAreaOutline(crAreaModulus law, const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                      crVec3 n, crPatchCorner outCorners[CR_PATCH_CORNERS]);

#endif
