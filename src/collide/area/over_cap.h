// What of a cap of a cylinder is below smooth ground, in boxes of polar coordinates about its middle.
//
// By Taylor's formula and a bound of the second derivatives of f, a box is above the ground, or below it, or f rises or
// falls all over it along one of both coordinates: then it is integrated by chords along that one, which have one end
// at most on the ground, between those places where the ends come to the border of the box. All others are halved,
// those first that may count most, until what is left does not count.
#ifndef CR_COLLIDE_AREA_OVER_CAP_H
#define CR_COLLIDE_AREA_OVER_CAP_H

#include "collide/area/over_section.h"
#include "collide/area/patch.h"

// s: of the cap.
void crAddCap(crOver* over, double s, crPatch* patch);

#endif
