// What the flat faces of a core add to a patch: the other core's faces, edges and corners in their cells.
//
// The cell of a face is all that is nearer to it than to any other part of its core: the prism above it, and below it
// what no other face is nearer to. With h the height above the face, s the distances from the sides of the prism and
// `reach` the sum of both sweeps, the depth in a cell is
//
//   d = min(reach - h, s)
//
// linear in pieces, 0 where the prism ends, and equal on both sides of where cells meet inside the core. What is above
// edges and corners is left to ribs and knobs (rib.h), which see everything that comes near them; with the distance
// from the core in their cells as well, faces would need integrals over parts of discs and ellipses, and none would be
// exact. A rib or knob of the other shape has its parabola here, too.
//
// Everything counts at its foot on the face (levelled runs of patch.h), where the own ribs and knobs count.
#ifndef CR_COLLIDE_AREA_CELL_H
#define CR_COLLIDE_AREA_CELL_H

#include "collide/area/rib.h"

// The faces of a polytope's core, A, in axes of A; the other core is one of crCanFillCells.
void crAddCells(const crBalls* balls, const crPolytope* core);
bool crCanFillCells(const crShape* shape);

// The faces themselves over a half-space, which has no edges that could come near.
void crAddFacesOnGround(const crBalls* balls, const crPolytope* core);

#endif
