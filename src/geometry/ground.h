// Ground as a smooth surface: the graph h(x, y) of natural cubic splines through heights, over a rectangle, and the
// solid below it down to a base. Balls touch it without facets.
//
// With M the largest eigenvalue of the second derivatives of h anywhere, h(p') <= h(p) + h'(p) (p' - p) + M |p' - p|^2
// /
// 2. So a point c whose way to a point q of the solid, |c - q| = d < R = 1 / M, is along a normal there, has
//
//   |c - q'|^2 >= d^2 + |q - q'|^2 (1 - d / R)
//
// for all other points q': q is the nearest one of all, wherever the search for it began, and a ball with a radius
// below R touches in one point at most. At edges of the rectangle normals fan out, and the same holds. The distance of
// c bends by at least -1 / (R - d), which is what a search along a path needs to know.
#ifndef CR_GEOMETRY_GROUND_H
#define CR_GEOMETRY_GROUND_H

#include "carom/geometry.h"
#include "geometry/profile.h"

#define CR_GROUND_LEVELS 24 // of cells, each of four of the one before

// One block without pointers.
typedef struct crGround {
  crChain chain; // radii of balls that touch it, and R (`concave`), as of profiles; no profile
  size_t byteCount;
  int columnCount, rowCount; // of heights
  double width, length;      // [m]
  double base;               // [m] where the solid ends below
  double low, high;          // [m] bounds of h
  double rise, fall;         // [1/m] >= 0: M, and likewise of -h
  double facing;             // [-] bound of |h'|
  double wheel;              // [m] cylinders of a lesser reach touch it: few cells, and |h'| differs by 0.8 at most
  int levelCount;
  int levelStarts[CR_GROUND_LEVELS], levelColumns[CR_GROUND_LEVELS], levelRows[CR_GROUND_LEVELS];
  int spans;       // where bounds of cells begin in `values`, two each: low and high
  double values[]; // of each height: itself, and its second derivatives along x, along y and both, in steps of the grid
} crGround;

// NULL: out of memory. The block is taken back by crFree with byteCount.
crGround* crCreateGround(const crShapeDef* def, const crAllocator* allocator);

// h with its derivatives; beside the rectangle that of the cell at its border.
typedef struct crGroundPoint {
  double h, hx, hy, hxx, hxy, hyy;
} crGroundPoint;
crGroundPoint crGround_At(const crGround* ground, double x, double y);

// h and its slope alone.
double crGround_SlopeAt(const crGround* ground, double x, double y, double* outHx, double* outHy);

typedef struct crGroundFoot {
  double distance; // [m] of c from the solid, < 0 inside
  crVec3 outward;  // unit length
  crVec3 point;
  bool isSmooth; // on the top, between its edges
  bool isBound;  // the distance is not less than this, and that is all
} crGroundFoot;

// isExact: the nearest point, whatever the distance. Else distances of R and more may be bounds from below.
crGroundFoot crGround_FindFoot(const crGround* ground, crVec3 c, bool isExact);

// [1/m] Principal curvatures of the top at (x, y), those of hills positive, with the direction of k1 >= k2.
void crGround_FindCurvature(const crGround* ground, double x, double y, double* outK1, double* outK2,
                            crVec3* outDirection1);

// [m] Bound of the distance between the surface and its facets, `refine` of them along each edge of a cell.
double crGround_BoundFacets(const crGround* ground, int refine);

#endif
