// What the flat faces of a core add to a patch: the other core's faces in their cells.
//
// The cell of a face j is all that is nearer to it than to any other part of its core: the prism above it, and below it
// what no other face k is nearer to. With t the depths below faces, negative above, s the distances from the sides of
// the prism, q the angle between the normals of two faces, and `reach` the sum of both sweeps, the depth in a cell is
//
//   d = min(reach + t_j, s_k)                               above the face
//   d = min(reach + t_j, (t_k - t_j) / sin q_jk + t_j)      below
//
// It is linear in pieces, 0 where the prism ends, equal from above and below, where t_j = 0 and t_k / sin q = s, and
// equal on both sides of where cells meet inside the core, t_j = t_k. What is above edges and corners is left to ribs
// and knobs (rib.h), which see everything that comes near them; with the distance from the core in their cells as well,
// faces would need integrals over parts of discs and ellipses, and none would be exact.
//
// Everything counts at its foot on the face (patch.h), where the own ribs and knobs count.
#ifndef CR_COLLIDE_AREA_CELL_H
#define CR_COLLIDE_AREA_CELL_H

#include "collide/area/rib.h"

// The faces of a polytope's core, A, in axes of A. near: where points of the other core can be within reach.
void crAddCells(const crBalls* balls, const crZone* near);

// The faces themselves over a half-space, which has no edges that could come near.
void crAddFacesOnGround(const crBalls* balls, const crPolytope* core);

#endif
