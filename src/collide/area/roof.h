// A polygon below planes: depths below them make a roof over it, one slope for each plane that is nearest somewhere.
#ifndef CR_COLLIDE_AREA_ROOF_H
#define CR_COLLIDE_AREA_ROOF_H

#include "collide/area/polygon.h"

#define CR_NO_PLANE (-1)

// A convex polygon whose edges know the plane that cut them.
typedef struct crLoop {
  int count;
  int planes[CR_MAX_POLYGON]; // of the edge from corner i to the next; CR_NO_PLANE: an edge of its own
  crCorner x[CR_MAX_POLYGON];
} crLoop;

// Cuts a polygon by all planes, in the axes of the chart, and adds what is left, split by the nearest. `loop` is
// overwritten. normals: of the planes in the axes of the points. X: from the axes of the chart to those of the points;
// NULL: they are the same.
void crPatch_AddRoof(crPatch* patch, crLoop* loop, int planeCount, const crAreaPlane* planes, const crVec3* normals,
                     const crChart* chart, const crPose* X, double slack);

// Likewise inside the core, split by the nearest face, j, and then by what is least of
//
//   reach + t_j      t_j + (t_k - t_j) / sin q_jk
void crPatch_AddCells(crPatch* patch, crLoop* loop, const crCells* cells, const crChart* chart, const crPose* X,
                      double slack);

#endif
