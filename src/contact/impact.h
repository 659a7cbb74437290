// One impact: the impulse between two bodies that meet in a point, with friction and energetic restitution.
#ifndef CR_CONTACT_IMPACT_H
#define CR_CONTACT_IMPACT_H

#include "carom/math.h"

// In axes with z along the normal, from A to B.
typedef struct crImpact {
  crMat3 W;   // [1/kg] change of the relative velocity of B per impulse on B; symmetric, W.cz.z > 0, >= 0 in all
  crVec3 v;   // [m/s] relative velocity of B: v.z < 0 approaching
  double muK; // [-] friction
  double cor; // [-] restitution in the energetic sense
} crImpact;

// The impulse on B [N s]; zero when they do not approach. Never adds energy.
crVec3 crComputeImpact(const crImpact* impact);

#endif
