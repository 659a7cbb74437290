// Erosion of a hull: every face moved inward by a distance.
//
//   eroded = { c + y : n_i . y <= d_i },   d_i = (n_i . x on face i) - n_i . c - distance
//
// With c inside, all d_i > 0, and the planes are the points n_i / d_i of the dual space: the vertices of
// the eroded hull are the faces of the hull of these points, and a plane that is cut away entirely is a
// point inside it (Preparata, Muller, Finding the intersection of n half-spaces in time O(n log n), 1979).
//
// c is the centroid, which is at least a quarter of the width away from every face. Where that is not enough, c
// is the centre of the largest ball inside the hull:
//   max r   subject to   n_i . x + r <= b_i,
// a linear programme with four unknowns y = (x, r), solved by the active-set method from the centroid.
#include "base/memory.h"
#include "base/report.h"
#include "geometry/exact.h"
#include "geometry/hull_build.h"
#include "geometry/quickhull.h"

#include <float.h>
#include <string.h>

#define CR_CENTRE_STEPS 1000      // [-] a handful is enough; beyond this the best point so far will do
#define CR_BLOCKING_SLOPE 1e-12   // [-] planes at a smaller angle to the step do not block it
#define CR_STATIONARY 1e-10       // [-] of the unit objective: what the active planes leave of it
#define CR_SPACIOUS 2.0           // [-] times the distance: slack of the centroid that is enough
#define CR_REFINEMENTS 2          // [-] of a vertex: planes at an angle of 1e-10 still meet exactly
#define CR_LEAST_RADIUS 1e-12     // [-] of the extent: a smaller rest has no volume
#define CR_VERTEX_UNION 1e-13     // [-] of the extent: nearer vertices are one, apart by rounding only
#define CR_LAST_VERTEX_UNION 1e-6 // [-] vertices where almost parallel planes meet are no more certain than this

// The half-spaces n_i . (x - origin) <= b_i.
typedef struct HalfSpaces {
  int count;
  const crVec3* normals;
  double* b; // [m] (count)
  crVec3 origin;
} HalfSpaces;

// ------------------------------------------------------------------------------------ largest ball

typedef struct Vec4 {
  double e[4];
} Vec4;

static double dot4(Vec4 a, Vec4 b)
{
  return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2] + a.e[3] * b.e[3];
}

static Vec4 mulAdd4(Vec4 a, double s, Vec4 b)
{
  Vec4 c = { { a.e[0] + s * b.e[0], a.e[1] + s * b.e[1], a.e[2] + s * b.e[2], a.e[3] + s * b.e[3] } };
  return c;
}

// Row of the programme, (n_i, 1) / sqrt(2).
static Vec4 row(const HalfSpaces* spaces, int i)
{
  crVec3 n = spaces->normals[i];
  Vec4 g = { { M_SQRT1_2 * n.x, M_SQRT1_2 * n.y, M_SQRT1_2 * n.z, M_SQRT1_2 } };
  return g;
}

// The active rows as Q R, Q orthonormal, by Gram-Schmidt done twice.
typedef struct ActiveSet {
  int count;
  int rows[4];
  Vec4 q[4];
  double r[4][4]; // r[i][j]: part of row j along q[i]
} ActiveSet;

static void factorize(ActiveSet* active, const HalfSpaces* spaces)
{
  for (int j = 0; j < active->count; ++j) {
    Vec4 v = row(spaces, active->rows[j]);
    memset(active->r[j], 0, sizeof active->r[j]);
    for (int i = 0; i < j; ++i) {
      active->r[i][j] = 0.0;
    }
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < j; ++i) {
        double along = dot4(active->q[i], v);
        active->r[i][j] += along;
        v = mulAdd4(v, -along, active->q[i]);
      }
    }
    double length = sqrt(dot4(v, v));
    active->r[j][j] = length;
    active->q[j] = mulAdd4((Vec4){ { 0.0 } }, 1.0 / length, v);
  }
}

// What is left of the objective (0, 0, 0, 1) orthogonal to the active rows: the direction of ascent.
static Vec4 freeAscent(const ActiveSet* active)
{
  Vec4 p = { { 0.0, 0.0, 0.0, 1.0 } };
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < active->count; ++i) {
      p = mulAdd4(p, -dot4(active->q[i], p), active->q[i]);
    }
  }
  return p;
}

// The active row that holds the objective back with the wrong sign, by Bland's rule (the lowest index, so
// that degenerate vertices cannot make it go in circles); -1 when there is none: the optimum.
static int findDroppable(const ActiveSet* active)
{
  double mu[4] = { 0.0, 0.0, 0.0, 0.0 };
  int drop = -1;
  for (int i = active->count - 1; i >= 0; --i) {
    double sum = active->q[i].e[3];
    for (int j = i + 1; j < active->count; ++j) {
      sum -= active->r[i][j] * mu[j];
    }
    mu[i] = sum / active->r[i][i];
    if (mu[i] < -CR_STATIONARY && (drop < 0 || active->rows[i] < active->rows[drop])) {
      drop = i;
    }
  }
  return drop;
}

static void removeRow(ActiveSet* active, int index)
{
  --active->count;
  memmove(active->rows + index, active->rows + index + 1, (size_t)(active->count - index) * sizeof *active->rows);
}

// The first half-space that stops y + t p; its t in outStep. -1: none.
static int findBlocking(const HalfSpaces* spaces, Vec4 y, Vec4 p, double* outStep)
{
  double pLength = sqrt(dot4(p, p));
  int blocking = -1;
  *outStep = HUGE_VAL;
  for (int i = 0; i < spaces->count; ++i) {
    Vec4 g = row(spaces, i);
    double slope = dot4(g, p);
    if (slope > CR_BLOCKING_SLOPE * pLength) {
      double step = fmax(0.0, (M_SQRT1_2 * spaces->b[i] - dot4(g, y)) / slope);
      if (step < *outStep) {
        *outStep = step;
        blocking = i;
      }
    }
  }
  return blocking;
}

static double smallestSlack(const HalfSpaces* spaces, crVec3 x)
{
  double slack = HUGE_VAL;
  for (int i = 0; i < spaces->count; ++i) {
    slack = fmin(slack, spaces->b[i] - crDot(spaces->normals[i], x));
  }
  return slack;
}

// Centre, relative to spaces->origin, and radius of the largest ball inside; the origin must be inside.
static double findLargestBall(const HalfSpaces* spaces, crVec3* outCentre)
{
  ActiveSet active = { .count = 0 };
  Vec4 y = { { 0.0, 0.0, 0.0, smallestSlack(spaces, crMakeVec3(0.0, 0.0, 0.0)) } };
  for (int step = 0; step < CR_CENTRE_STEPS; ++step) {
    factorize(&active, spaces);
    Vec4 p = freeAscent(&active);
    if (active.count == 4 || sqrt(dot4(p, p)) <= CR_STATIONARY) {
      int drop = findDroppable(&active);
      if (drop < 0) {
        break;
      }
      removeRow(&active, drop);
      continue;
    }
    double length;
    int blocking = findBlocking(spaces, y, p, &length);
    if (blocking < 0) {
      break;
    }
    y = mulAdd4(y, length, p);
    active.rows[active.count++] = blocking;
  }
  *outCentre = crMakeVec3(y.e[0], y.e[1], y.e[2]);
  return smallestSlack(spaces, *outCentre);
}

// ---------------------------------------------------------------------------------------- vertices

// The solution of n_i . y = d_i for three planes.
static crVec3 solvePlanes(const crVec3 n[3], const double d[3])
{
  crVec3 n12 = crExactCross(n[1], n[2]), n20 = crExactCross(n[2], n[0]), n01 = crExactCross(n[0], n[1]);
  double determinant = crDot(n[0], n12);
  crVec3 sum = crMulAdd(crMulAdd(crScale(d[0], n12), d[1], n20), d[2], n01);
  return crScale(1.0 / determinant, sum);
}

// The point where the planes of one dual face meet: from the three that stand most across each other,
// refined, because almost parallel planes leave few digits to the first solution.
static crVec3 meetPlanes(const HalfSpaces* spaces, const int32_t* planes, int count)
{
  int best[3] = { 0, 0, 0 };
  double most = -1.0;
  for (int k = 1; k < count; ++k) {
    double across = crLength(crCross(spaces->normals[planes[0]], spaces->normals[planes[k]]));
    best[1] = across > most ? k : best[1];
    most = fmax(most, across);
  }
  crVec3 axis = crCross(spaces->normals[planes[0]], spaces->normals[planes[best[1]]]);
  most = -1.0;
  for (int k = 1; k < count; ++k) {
    double across = fabs(crDot(axis, spaces->normals[planes[k]]));
    best[2] = across > most ? k : best[2];
    most = fmax(most, across);
  }
  crVec3 n[3];
  double d[3], rest[3];
  for (int i = 0; i < 3; ++i) {
    n[i] = spaces->normals[planes[best[i]]];
    d[i] = spaces->b[planes[best[i]]];
  }
  crVec3 y = solvePlanes(n, d);
  for (int step = 0; step < CR_REFINEMENTS; ++step) {
    for (int i = 0; i < 3; ++i) {
      rest[i] = crExactResidual(d[i], n[i], y);
    }
    y = crAdd(y, solvePlanes(n, rest));
  }
  return y;
}

// The hull of the points where the faces of the dual hull have their planes meet.
static crStatus makeFromDual(const HalfSpaces* spaces, const crPolygons* faces, const crAllocator* allocator,
                             crReporter* reporter, crHull** outHull)
{
  size_t size = (size_t)faces->faceCount * sizeof(crVec3);
  crVec3* points = crAllocate(allocator, size);
  if (points == NULL) {
    return cr_errorMemory;
  }
  for (int f = 0; f < faces->faceCount; ++f) {
    int start = faces->starts[f];
    points[f] = crAdd(spaces->origin, meetPlanes(spaces, faces->corners + start, faces->starts[f + 1] - start));
  }
  crStatus status =
      crCreateMergedHull(points, faces->faceCount, CR_VERTEX_UNION, CR_LAST_VERTEX_UNION, allocator, reporter, outHull);
  crFree(allocator, points, size);
  return status;
}

// spaces->b are distances from the origin already, all > 0; `dual` has room for as many points.
static crStatus intersect(const HalfSpaces* spaces, crVec3* dual, double extent, const crAllocator* allocator,
                          crReporter* reporter, crHull** outHull)
{
  for (int i = 0; i < spaces->count; ++i) {
    dual[i] = crScale(extent / spaces->b[i], spaces->normals[i]);
  }
  crPolygons faces;
  crStatus status = crFindHullFaces(dual, spaces->count, 0.0, allocator, reporter, &faces);
  if (status == cr_ok) {
    status = makeFromDual(spaces, &faces, allocator, reporter, outHull);
    crPolygons_Free(&faces, allocator);
  }
  return status;
}

// -------------------------------------------------------------------------------------- entry point

// Distances of the faces from the origin, from differences of points, so that a hull far away from the
// origin of its frame loses no digits. Returns the extent of the hull.
static double measureFaces(const crHull* hull, HalfSpaces* spaces)
{
  double extent = 0.0;
  for (int f = 0; f < hull->faceCount; ++f) {
    spaces->b[f] = -HUGE_VAL;
    for (int k = hull->faceStarts[f]; k < hull->faceStarts[f + 1]; ++k) {
      crVec3 x = crSub(hull->vertices[hull->faceVertices[k]], spaces->origin);
      spaces->b[f] = fmax(spaces->b[f], crDot(hull->normals[f], x));
      extent = fmax(extent, 2.0 * crMaxAbs(x));
    }
  }
  return extent;
}

static crStatus erode(const crHull* hull, double distance, HalfSpaces* spaces, crVec3* dual,
                      const crAllocator* allocator, crReporter* reporter, crHull** outHull)
{
  spaces->origin = crHull_ComputeInertia(hull).com;
  double extent = measureFaces(hull, spaces);
  crVec3 centre = { 0.0, 0.0, 0.0 };
  double radius = smallestSlack(spaces, centre);
  if (radius < CR_SPACIOUS * distance) {
    radius = findLargestBall(spaces, &centre);
  }
  if (!(radius - distance > CR_LEAST_RADIUS * extent)) {
    crReportNumber(reporter, "nothing is left of the hull when its faces are moved inward", distance,
                   "< radius of the largest ball inside", "m", "choose a smaller rounding radius");
    return cr_errorModel;
  }
  spaces->origin = crAdd(spaces->origin, centre);
  measureFaces(hull, spaces);
  for (int f = 0; f < spaces->count; ++f) {
    spaces->b[f] -= distance;
  }
  return intersect(spaces, dual, extent, allocator, reporter, outHull);
}

static crStatus copyHull(const crHull* hull, const crAllocator* allocator, crHull** outHull)
{
  void* block = crAllocate(allocator, hull->byteCount);
  *outHull = block != NULL ? crHull_CopyTo(hull, block) : NULL;
  return block != NULL ? cr_ok : cr_errorMemory;
}

crStatus crCreateErodedHull(const crHull* hull, double distance, const crAllocator* allocator, const crErrorSink* sink,
                            crHull** outHull)
{
  if (outHull == NULL || hull == NULL || !(distance >= 0.0) || !isfinite(distance)) {
    return cr_errorMisuse;
  }
  *outHull = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  if (distance == 0.0) {
    return copyHull(hull, &chosen, outHull);
  }
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  size_t count = (size_t)hull->faceCount;
  HalfSpaces spaces = { .count = hull->faceCount, .normals = hull->normals };
  spaces.b = crAllocate(&chosen, count * sizeof *spaces.b);
  crVec3* dual = crAllocate(&chosen, count * sizeof *dual);
  crStatus status = spaces.b != NULL && dual != NULL ? erode(hull, distance, &spaces, dual, &chosen, &reporter, outHull)
                                                     : cr_errorMemory;
  crFree(&chosen, spaces.b, count * sizeof *spaces.b);
  crFree(&chosen, dual, count * sizeof *dual);
  if (status == cr_errorMemory && reporter.errorCount == 0) {
    crComplaint complaint = { .message = "out of memory while eroding a convex hull" };
    crReport(&reporter, cr_severityError, cr_errorMemory, &complaint);
  }
  return status;
}
