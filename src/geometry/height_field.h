// Height fields: ground over a rectangle, as facets of a smooth surface through given heights.
//
// The surface is the tensor product of natural cubic splines through the heights, with two continuous derivatives. It
// is sampled `refine` times along each edge of a cell, and each cell of samples is two triangles, or one piece where it
// is flat. With 1 the samples are the heights themselves. Between samples at a distance h facets are off the surface by
// at most h^2 / 8 of its curvature, along x and y each.
#ifndef CR_GEOMETRY_HEIGHT_FIELD_H
#define CR_GEOMETRY_HEIGHT_FIELD_H

#include "base/friend.h"
#include "base/report.h"
#include "carom/geometry.h"

#define CR_MOST_FACETS 200000 // of a height field: what a model has room for

// Counts, sizes and heights of a def.
void crCheckHeightField(const crShapeDef* def, crReporter* reporter);

// Prisms from the surface down to the base, each a convex piece; flat cells in a row are one.
crStatus crMakeHeightPieces(const crShapeDef* def, const crAllocator* allocator, const crErrorSink* sink,
                            crMesh** outMesh);

// The whole of it as one closed surface, for mass and pictures.
CR_FRIEND crStatus crMakeHeightSurface(const crShapeDef* def, const crAllocator* allocator, const crErrorSink* sink,
                                       crMesh** outMesh);

#endif
