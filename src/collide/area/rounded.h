// Cylinders, cones, frusta and beams that are rounded or inflated.
//
// With R the reach, its flat caps and its straight side are those of the core moved out by R. They are taken inside the
// other core, which has no sweep then, by the ways of sharp shapes (round.h, curved.h): a cap as one of a sharp shape
// from there to the core, all of which is inside the rounded one. The rims of the core are ribs (rib.h), and so are
// edges and rims of the other shape if it is rounded (swept.c).
//
// Surfaces count where they are, as those of the other shape do. Rims count in the middle between both surfaces next to
// them.
#ifndef CR_COLLIDE_AREA_ROUNDED_H
#define CR_COLLIDE_AREA_ROUNDED_H

#include "collide/area/rib.h"

bool crIsRounded(const crShape* shape); // of a kind that crAddRounded takes

// Caps and side, and rims. near: where points of the other core can be within reach, in axes of A; NULL: anywhere.
void crAddRounded(const crBalls* balls, const crShape* a, const crZone* near);
void crAddRims(const crBalls* balls, const crShape* a);

#endif
