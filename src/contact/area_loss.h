// What area contacts lose: damping and friction at the five points of a patch, see area_contact.h.
#ifndef CR_CONTACT_AREA_LOSS_H
#define CR_CONTACT_AREA_LOSS_H

#include "contact/area_contact.h"

#define CR_REST_DAMPING 2.0  // [-] u that slow contacts of any cor < 1 fade to: a quarter of the speed is left
#define CR_REST_FADE 3.0     // [-] 1 / (1 + 9)^2: at vMin 1 % is missing
#define CR_LEAST_SPEED 1e-9  // [m/s] of v_s: no patch is so slow
#define CR_ROLLING_SHARE 0.2 // [-] of half the thinner body: patches that reach less far do not resist rolling

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
struct crAreaDamper {
  double u;           // [-] of the law's cor
  double squareSpeed; // [m^2/s^2] 2 U (1 / m_1 + 1 / m_2)
  double share;       // [-] of the law's damper
};

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
