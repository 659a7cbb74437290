// Where along a line or an arc the nearest feature of a core changes: the breaks of an integral along it. They are on
// planes and cones that are fixed to the core.
#ifndef CR_COLLIDE_AREA_CORE_BREAKS_H
#define CR_COLLIDE_AREA_CORE_BREAKS_H

#include "collide/area/core_foot.h"

#define CR_CORE_BREAKS 64 // at most; beyond that the last ones are left out

// Along x + t u, from < t < to, |u| = 1; ascending. isInside: it may come into the core; then where it does is a break,
// too. Returns their number.
int crListBreaks(const crShape* shape, crVec3 x, crVec3 u, double from, double to, bool isInside,
                 double out[CR_CORE_BREAKS]);

// centre + cos(angle) e1 + sin(angle) e2, |e1| = |e2|, from < angle < to, which are less than pi apart
typedef struct crArc {
  crVec3 centre, e1, e2; // [m]
  double from, to;       // [rad]
} crArc;

// Likewise; angles.
int crListArcBreaks(const crShape* shape, const crArc* arc, bool isInside, double out[CR_CORE_BREAKS]);

#endif
