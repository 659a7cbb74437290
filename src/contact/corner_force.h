// The force of a box's corner that is below a plane, in closed form.
//
// With nu_k = |n . e_k| of the plane and the edges e_k of the corner, of depth D, edges are D / nu_k long. In units of
// these, y_k = D / nu_k eta_k from the corner, and N = nu_0 + nu_1 + nu_2, gamma = nu / N, the overlap is bounded by
// three right triangles, on which the depth falls from D at the corner to 0, and the section in the plane. Points of
// that are as deep as they are below the nearest of the three faces: three triangles, with the tip where all three are
// D / N deep. In units of the section's area the triangles of the corner are nu_k, those of the section gamma_k, and
// all moments are those of barycentric coordinates,
//
//   integral of u^a v^b w^c over a triangle = 2 area a! b! c! / (a + b + c + 2)!
//
// So U is a function of D and nu alone, and what it exerts is its gradient: with n in axes of the box,
//
//   f = dU/dD n,    torque about the corner = n x dU/dn
#ifndef CR_CONTACT_CORNER_FORCE_H
#define CR_CONTACT_CORNER_FORCE_H

#include "collide/area/corner.h"
#include "contact/area_law.h"

// On the box with the corner, in its axes, as of crComputeAreaForce; but the pressure at the corner is all that is told
// of pressures.
void crComputeCornerForce(crAreaModulus law, const crBoxCorner* corner, crAreaForce* outForce);

#endif
