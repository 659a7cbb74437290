// Cylinders, cones, frusta and beams that are rounded or inflated.
//
// Such a shape holds sharp ones that share its flats and straight sides, all of them convex hulls of parts of it: with
// R the reach, from caps moved out by R to the core, and from the side moved out by R to the core. Their surfaces are
// taken inside the other core, which has no sweep then, by the ways of sharp shapes (round.h, curved.h); and the rims of
// the core are ribs (rib.h). What is rounded of the other shape counts as part of the reach only.
//
// Surfaces count where they are. Rims count in the middle between both surfaces next to them.
#ifndef CR_COLLIDE_AREA_ROUNDED_H
#define CR_COLLIDE_AREA_ROUNDED_H

#include "collide/area/rib.h"

bool crIsRounded(const crShape* shape); // of a kind that crAddRounded takes

void crAddRounded(crBalls* balls, const crShape* a);

#endif
