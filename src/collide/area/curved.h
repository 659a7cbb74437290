// Patches of cylinders, cones, frusta and beams with each other.
//
// Both surfaces are families of straight lines (ruled.h). Along a line the depth in the other body is smooth between
// roots of quadratics (spans.h) and is integrated by Gauss points, exactly but for cones. Across lines the places where
// the set of these roots changes are known (breaks.h). Between two of them what is integrated along lines is smooth but
// for its ends. Where nothing is beyond, it begins like a square root times a smooth function, and a few lines of a
// rule for that are enough. Elsewhere a root may be added to what is smooth; with v = middle + half (3 x - x^3) / 2 all
// is smooth in x, and parts of x are halved until what is integrated is resolved.
#ifndef CR_COLLIDE_AREA_CURVED_H
#define CR_COLLIDE_AREA_CURVED_H

#include "collide/area/curved_body.h"
#include "collide/area/patch.h"

// Both surfaces. X_AB: pose of B in axes of A. Nothing is added where they are apart.
void crAddCurved(const crCurvedBody* a, const crCurvedBody* b, const crPose* X_AB, crPatch* patch);

#endif
