// What area contacts lose: damping and friction at the five points of a patch, see area_contact.h.
#ifndef CR_CONTACT_AREA_LOSS_H
#define CR_CONTACT_AREA_LOSS_H

#include "contact/area_contact.h"

static inline crVec3 crFindSideVelocity(const crAreaSide* side, crVec3 x)
{
  return crAdd(side->v, crCross(side->w, crSub(x, side->p)));
}

// Of B relative to A, of the bodies alone.
static inline crVec3 crFindRelativeVelocity(const crAreaSide* a, const crAreaSide* b, crVec3 x)
{
  return crSub(crFindSideVelocity(b, x), crFindSideVelocity(a, x));
}

// What damping needs to know, the same at all points. u NaN: there is none.
typedef struct crAreaDamper {
  double u;           // [-] of the law's cor
  double squareSpeed; // [m^2/s^2] 2 U (1 / m_1 + 1 / m_2)
  double share;       // [-] of the law's damper
} crAreaDamper;

crAreaDamper crFindAreaDamper(const crContactLaw* law, const crContactMemory* memory, const crAreaSide* a,
                              const crAreaSide* b, const crAreaPatch* patch);

typedef struct crAreaLoss {
  crVec3 force, torque; // on B, about the point of the patch
  double normal;        // [N] all of it, elastic and damping
  double power;         // [W] taken out
  crVec3 slip;          // [m/s] at the point
} crAreaLoss;

crAreaLoss crFindAreaLoss(const crContactLaw* law, const crContactMemory* memory, const crAreaDamper* damper,
                          const crAreaSide* a, const crAreaSide* b, const crAreaPatch* patch);

#endif
