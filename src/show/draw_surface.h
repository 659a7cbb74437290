// Shapes of profiles, and hollow ones, as triangles.
#ifndef CR_SHOW_DRAW_SURFACE_H
#define CR_SHOW_DRAW_SURFACE_H

#include "show/tessellate.h"

// Revolved and extruded shapes, and hollow ones but for boxes, which are drawn as they are.
bool crIsDrawnAsSurface(const crShapeDef* shape);

// In the frame in which their axis is z. cr_errorMemory, or what is wrong with the def.
crStatus crDrawSurface(const crShapeDef* shape, const crAllocator* allocator, crTriangles* surface);

#endif
