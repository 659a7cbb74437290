// The force of two edges of boxes that cross, in closed form.
//
// Each edge leaves the other box by two faces, p and q steep (sines of the angles to them), sigma^2 = p^2 + q^2 being
// the square of the sine between both edges. In units of the depth D from where it is nearest to the other edge, that
// is at
//
//   s = q / (sigma p)  and  -p / (sigma q),  and sigma / (p + q) deep at  s = (q - p) / (sigma (p + q))
//
// From that place the depth falls to 0 towards both ends of both edges. So each of the two faces at an edge has two
// triangles, eight in all, with a tip that is D sigma / (p + q) deep; moments are those of barycentric coordinates
// (corner_force.h). Both sums over ends of edges are products.
//
// U is a function of D and how the boxes are turned; with derivatives by turns of A about where its edge is nearest,
//
//   f = dU/dD n,   torque about that place = -dU/dturn
#ifndef CR_CONTACT_CROSSING_FORCE_H
#define CR_CONTACT_CROSSING_FORCE_H

#include "collide/area/crossing.h"
#include "contact/area_law.h"

// The deepest place of the patch.
typedef struct crCrossingTip {
  crVec3 at, normal; // [m], and outward of a face there
  double depth;      // [m]
  bool isOfB;        // on B's edge
} crCrossingTip;

// On A in its axes, as of crComputeAreaForce; but the pressure at the tip is all that is told of pressures.
void crComputeCrossingForce(crAreaModulus law, const crBoxCrossing* crossing, crAreaForce* outForce,
                            crCrossingTip* outTip);

#endif
