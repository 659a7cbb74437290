// Where two curved bodies are inside each other.
#ifndef CR_COLLIDE_AREA_CURVED_ZONE_H
#define CR_COLLIDE_AREA_CURVED_ZONE_H

#include "collide/area/curved_body.h"
#include "collide/area/zone.h"

// A box around all of it, in axes of A; no place in one body is deeper in the other than outDepth. False: they are
// apart. X_AB: pose of B.
bool crFindCurvedZone(const crCurvedBody* a, const crCurvedBody* b, const crPose* X_AB, crZone* outZone,
                      double* outDepth);

#endif
