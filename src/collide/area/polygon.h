// Convex polygons in the chart of a plane, cut by linear functions and turned into points of a patch.
#ifndef CR_COLLIDE_AREA_POLYGON_H
#define CR_COLLIDE_AREA_POLYGON_H

#include "collide/area/patch.h"

#define CR_MAX_PLANES 128       // of one shape that points of the other can be nearest to, at a time
#define CR_MAX_POLYGON_FACE 128 // corners of a face; larger ones are taken in parts
#define CR_MAX_POLYGON (CR_MAX_POLYGON_FACE + CR_MAX_PLANES) // every cut adds one at most

// fmin and fmax are calls.
static inline double crMin2(double a, double b)
{
  return a < b ? a : b;
}

static inline double crMax2(double a, double b)
{
  return a > b ? a : b;
}

typedef struct crCorner {
  double u, v; // [m]
} crCorner;

// c + u x + v y in a chart: a depth below a plane.
typedef struct crLinear {
  double c, u, v;
} crLinear;

// Depth at x: offset - normal . x. An inner one is shared with another piece of the same body: it cuts, but is no
// surface.
typedef struct crAreaPlane {
  crVec3 normal;
  double offset;
  bool isInner;
} crAreaPlane;

#define CR_LEAST_SINE 1e-9 // [-] of the angle between faces: nearer to 0 they are parallel, and no edge is between them

// Planes of the faces of a core, each the surface of a cell below it (cell.h).
typedef struct crCells {
  double reach;                      // [m]
  int count;                         // the first plane is of the face that the other core is least deep below
  crAreaPlane planes[CR_MAX_PLANES]; // (count) none of them inner
  crVec3 normals[CR_MAX_PLANES];     // (count) in the axes of the points
  bool areInner[CR_MAX_PLANES];      // (count) nothing is asked of such a cell
} crCells;

// A plane in the axes of the points: origin + u e1 + v e2.
typedef struct crChart {
  crVec3 origin, e1, e2;
} crChart;

static inline crChart crPlaceChart(const crChart* chart, const crPose* X)
{
  return (crChart){ crTransformPoint(*X, chart->origin), crMulMV(X->R, chart->e1), crMulMV(X->R, chart->e2) };
}

static inline crVec3 crInChart(const crChart* chart, crCorner p)
{
  return crMulAdd(crMulAdd(chart->origin, p.u, chart->e1), p.v, chart->e2);
}

static inline double crAtCorner(const crLinear* f, crCorner p)
{
  return f->c + f->u * p.u + f->v * p.v;
}

// The depth below a plane, in a chart in the plane's axes.
static inline crLinear crMakeLinear(const crAreaPlane* plane, const crChart* chart)
{
  return (crLinear){ plane->offset - crDot(plane->normal, chart->origin), -crDot(plane->normal, chart->e1),
                     -crDot(plane->normal, chart->e2) };
}

// Depths that differ by `more` are those of one plane, which two faces may have: the first of both is the nearest. What
// differs by less than `slack` is so as well, but not all that is so differs by less: normals of faces in one plane are
// apart by some rounding errors. It is the same for all parts of a polygon, so that none is left out or taken twice.
static inline bool crAreOnePlane(const crLinear* more, double slack)
{
  return fabs(more->c) <= 1e4 * slack && fabs(more->u) + fabs(more->v) <= 1e-11;
}

// Some unit vector across n.
static inline crVec3 crFindAcross(crVec3 n)
{
  crVec3 e = fabs(n.x) < 0.6 ? crMakeVec3(1.0, 0.0, 0.0) : crMakeVec3(0.0, 1.0, 0.0);
  e = crMulAdd(e, -crDot(e, n), n);
  return crScale(1.0 / crLength(e), e);
}

// Keeps g >= 0, g given at the corners and linear between. Returns the number of corners.
static inline int crCutPolygon(int n, const crCorner* x, const double* g, crCorner* out)
{
  int m = 0;
  for (int i = 0; i < n; ++i) {
    int k = i + 1 < n ? i + 1 : 0;
    if (g[i] >= 0.0) {
      out[m++] = x[i];
    }
    if ((g[i] > 0.0 && g[k] < 0.0) || (g[i] < 0.0 && g[k] > 0.0)) {
      double s = g[i] / (g[i] - g[k]);
      out[m++] = (crCorner){ x[i].u + s * (x[k].u - x[i].u), x[i].v + s * (x[k].v - x[i].v) };
    }
  }
  return m;
}

// One triangle by six points, exact up to the fourth degree: all there is where a depth is linear. chart: in the axes
// of the points.
void crPatch_AddTriangle(crPatch* patch, const crChart* chart, const crLinear* depth, crCorner p, crCorner q,
                         crCorner r, crVec3 normal);

// A convex polygon: a fan of quadrangles and at most one triangle, and its deepest corner. most: [m] it is not deeper.
void crPatch_AddPolygon(crPatch* patch, int n, const crCorner* x, double most, const crChart* chart,
                        const crLinear* depth, crVec3 normal);

// What to do with a part of a region, all of it nearest to one plane.
typedef struct crRegion {
  int count;              // of planes that can be nearest
  const crLinear* depths; // (count) in the chart
  const crVec3* normals;  // (count) of these planes, in the axes of the points
  double slack;           // [m] depths that differ by less are equal
} crRegion;

// Part j of a convex polygon: where depth j is the least. Of planes that are equal the first has it. Returns the number
// of its corners, in *outCorners, which is x or one of the two buffers; < 3: none.
int crCutRegion(int n, const crCorner* x, const crRegion* region, int j, crCorner buffers[2][CR_MAX_POLYGON],
                const crCorner** outCorners);

// Cuts a convex polygon, whose corners are in buffers[0], by all planes, inner ones included, one after the other. What
// is left decides which planes can be nearest to it: their depths and normals are packed into the first places, and the
// number of them returned; 0: nothing is left. *ioCount, *outCorners: the polygon, in one of the buffers. The region is
// ready for crCutRegion.
int crCutByPlanes(int planeCount, const crAreaPlane* planes, const crVec3* normals, const crChart* chart, double slack,
                  int* ioCount, crCorner buffers[3][CR_MAX_POLYGON], const crCorner** outCorners, crLinear* outDepths,
                  crVec3* outNormals);

#endif
