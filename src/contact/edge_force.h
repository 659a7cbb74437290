// The force of an edge of a box that is below a half-space with all of its length, in closed form.
//
// The depth falls from D at one end to D' = D - nu L at the other, along L from a = 0 on. Both faces at the edge come
// out d / nu_i from it where it is d deep, so that integrals across them are powers of d, and those along the edge sums
// of powers of D and D',
//
//   integral of a^q d^m over a = L^(q+1) sum over k of (k + q)! m! / (k! (m + q + 1)!) D^(m-k) D'^k
//
// which do not cancel where both are all but the same. The two faces at its ends are right triangles, as of a corner
// (corner_force.h). U is differentiated along with its value.
#ifndef CR_CONTACT_EDGE_FORCE_H
#define CR_CONTACT_EDGE_FORCE_H

#include "collide/area/corner.h"
#include "contact/area_law.h"

// As crComputeCornerForce, of a corner with an edge below.
void crComputeEdgeForce(crAreaModulus law, const crBoxCorner* corner, crAreaForce* outForce);

#endif
