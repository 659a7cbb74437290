// Convex hulls: one block with vertices, faces and adjacency, and the queries on it.
//
// Plane of a face: Newell's normal over its corners, which is the area-weighted mean for a face that is
// flat only within rounding; its offset is the largest n . x over the whole hull, so that no vertex lies
// outside. That vertex is found by climbing from corner to neighbour: on a convex body a local maximum is
// the global one.
#include "geometry/hull.h"

#include "base/memory.h"
#include "base/report.h"
#include "geometry/exact.h"
#include "geometry/hull_build.h"
#include "geometry/moments.h"
#include "geometry/quickhull.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// A climb goes on only where n . (u - v) exceeds its own rounding error, so it cannot go in circles.
#define CR_CLIMB_SLOPE (4.0 * DBL_EPSILON)

#define CR_SLIVER_CORNERS 8 // [-] faces with more corners have area enough

// Distance of a corner from the plane of its face that betrays a face too small for a plane: such a hull is
// made again from fewer points.
#define CR_LOOSENESS 1e-12      // [-] of the extent
#define CR_LOOSENESS_UNITS 64.0 // [-] units in the last place of the largest coordinate

// -------------------------------------------------------------------------------------------- block

// Sets the pointers to the arrays, which follow the header in the block.
static void layOut(crHull* hull)
{
  size_t vertexCount = (size_t)hull->vertexCount, faceCount = (size_t)hull->faceCount;
  unsigned char* at = (unsigned char*)(hull + 1);
  hull->vertices = (crVec3*)at;
  at += vertexCount * sizeof *hull->vertices;
  hull->normals = (crVec3*)at;
  at += faceCount * sizeof *hull->normals;
  hull->offsets = (double*)(void*)at;
  at += faceCount * sizeof *hull->offsets;
  hull->columns = (double*)(void*)at;
  at += 3 * (size_t)hull->paddedCount * sizeof *hull->columns;
  hull->planes = (double*)(void*)at;
  at += 4 * (size_t)hull->paddedFaceCount * sizeof *hull->planes;
  hull->faceStarts = (int32_t*)at;
  at += (faceCount + 1) * sizeof *hull->faceStarts;
  hull->faceVertices = (int32_t*)at;
  at += (size_t)hull->faceVertexCount * sizeof *hull->faceVertices;
  hull->neighbourStarts = (int32_t*)at;
  at += (vertexCount + 1) * sizeof *hull->neighbourStarts;
  hull->neighbours = (int32_t*)at;
  at += (size_t)hull->neighbourCount * sizeof *hull->neighbours;
  hull->vertexFaces = (int32_t*)at;
  at += (size_t)hull->neighbourCount * sizeof *hull->vertexFaces;
  hull->coarse = (int32_t*)at;
  at += (size_t)hull->coarseCount * sizeof *hull->coarse;
  hull->cells = (int32_t*)at;
}

// Counts are ints, so the sum stays far below SIZE_MAX.
static size_t blockSize(const crHull* counts)
{
  size_t numbers = ((size_t)counts->vertexCount + (size_t)counts->paddedCount) * sizeof(crVec3) +
                   ((size_t)counts->faceCount + (size_t)counts->paddedFaceCount) * (sizeof(crVec3) + sizeof(double));
  size_t indices = (size_t)counts->faceCount + 1 + (size_t)counts->faceVertexCount + (size_t)counts->vertexCount + 1 +
                   2 * (size_t)counts->neighbourCount + (size_t)counts->coarseCount +
                   CR_CELL_WIDTH * (size_t)counts->cellCount;
  return (sizeof(crHull) + numbers + indices * sizeof(int32_t) + 7) / 8 * 8;
}

crHull* crHull_CopyTo(const crHull* hull, void* block)
{
  memcpy(block, hull, hull->byteCount);
  crHull* copy = block;
  layOut(copy);
  return copy;
}

void crDestroyHull(crHull* hull, const crAllocator* allocator)
{
  if (hull != NULL) {
    crAllocator chosen = crChooseAllocator(allocator);
    crFree(&chosen, hull, hull->byteCount);
  }
}

// -------------------------------------------------------------------------------------- construction

static int compareInts(const void* a, const void* b)
{
  int32_t p = *(const int32_t*)a, q = *(const int32_t*)b;
  return (p > q) - (p < q);
}

// Neighbours of a vertex: the corners that follow it in its faces, since each edge is met in both directions.
static void fillNeighbours(crHull* hull)
{
  int32_t* starts = hull->neighbourStarts;
  memset(starts, 0, ((size_t)hull->vertexCount + 1) * sizeof *starts);
  for (int k = 0; k < hull->faceVertexCount; ++k) {
    ++starts[hull->faceVertices[k] + 1];
  }
  for (int v = 0; v < hull->vertexCount; ++v) {
    starts[v + 1] += starts[v];
  }
  // starts[v] runs to the end of v's list while it is filled, and is moved back afterwards
  for (int f = 0; f < hull->faceCount; ++f) {
    int first = hull->faceStarts[f], end = hull->faceStarts[f + 1];
    for (int k = first; k < end; ++k) {
      int32_t from = hull->faceVertices[k], to = hull->faceVertices[k + 1 < end ? k + 1 : first];
      hull->neighbours[starts[from]++] = to;
    }
  }
  memmove(starts + 1, starts, (size_t)hull->vertexCount * sizeof *starts);
  starts[0] = 0;
  for (int v = 0; v < hull->vertexCount; ++v) {
    qsort(hull->neighbours + starts[v], (size_t)(starts[v + 1] - starts[v]), sizeof *hull->neighbours, compareInts);
  }
}

// Faces are visited in ascending order, so each vertex gets its own in ascending order.
static void fillVertexFaces(crHull* hull)
{
  int32_t* starts = hull->neighbourStarts;
  for (int f = 0; f < hull->faceCount; ++f) {
    for (int k = hull->faceStarts[f]; k < hull->faceStarts[f + 1]; ++k) {
      hull->vertexFaces[starts[hull->faceVertices[k]]++] = f;
    }
  }
  memmove(starts + 1, starts, (size_t)hull->vertexCount * sizeof *starts);
  starts[0] = 0;
}

static void fillColumns(crHull* hull)
{
  int count = hull->paddedCount;
  for (int v = 0; v < count; ++v) {
    crVec3 p = hull->vertices[v < hull->vertexCount ? v : 0];
    hull->columns[v] = p.x;
    hull->columns[count + v] = p.y;
    hull->columns[2 * count + v] = p.z;
  }
}

static void fillPlaneColumns(crHull* hull)
{
  int count = hull->paddedFaceCount;
  for (int f = 0; f < count; ++f) {
    int from = f < hull->faceCount ? f : 0;
    crVec3 n = hull->normals[from];
    hull->planes[f] = n.x;
    hull->planes[count + f] = n.y;
    hull->planes[2 * count + f] = n.z;
    hull->planes[3 * count + f] = hull->offsets[from];
  }
}

static void fillExtent(crHull* hull)
{
  crVec3 sum = { 0.0, 0.0, 0.0 }, base = hull->vertices[0];
  for (int v = 0; v < hull->vertexCount; ++v) {
    sum = crAdd(sum, crSub(hull->vertices[v], base));
  }
  hull->centre = crMulAdd(base, 1.0 / hull->vertexCount, sum);
  crVec3 min = base, max = base;
  for (int v = 0; v < hull->vertexCount; ++v) {
    min = crMinVec3(min, hull->vertices[v]);
    max = crMaxVec3(max, hull->vertices[v]);
    hull->radius = fmax(hull->radius, crLength(crSub(hull->vertices[v], hull->centre)));
    hull->reach = fmax(hull->reach, crLength(hull->vertices[v]));
  }
  hull->half = crScale(0.5, crSub(max, min));
}

// The vertex farthest along a unit vector n, by climbing from `start`.
static int climb(const crHull* hull, crVec3 n, int start)
{
  for (int at = start;;) {
    int best = at;
    double bestRise = 0.0;
    for (int k = hull->neighbourStarts[at]; k < hull->neighbourStarts[at + 1]; ++k) {
      crVec3 edge = crSub(hull->vertices[hull->neighbours[k]], hull->vertices[at]);
      double rise = crDot(n, edge);
      if (rise > bestRise && rise > CR_CLIMB_SLOPE * crLength(edge)) {
        best = hull->neighbours[k];
        bestRise = rise;
      }
    }
    if (best == at) {
      return at;
    }
    at = best;
  }
}

// The fan of a face from corner `start`: cross products of (corner k - start) and the edge after corner k.
// Sums them, and the products of lengths that bound their rounding error.
static crVec3 sumFan(const crHull* hull, const int32_t* corners, int count, int start, double* outError)
{
  crVec3 origin = hull->vertices[corners[start]], sum = { 0.0, 0.0, 0.0 };
  *outError = 0.0;
  for (int k = 1; k + 1 < count; ++k) {
    crVec3 p = hull->vertices[corners[(start + k) % count]];
    crVec3 q = hull->vertices[corners[(start + k + 1) % count]];
    crVec3 arm = crSub(p, origin), edge = crSub(q, p);
    sum = crAdd(sum, crExactCross(arm, edge));
    *outError += crLength(arm) * crLength(edge);
  }
  return sum;
}

// Newell's normal. A sliver is fanned from the corner with the least rounding error: from between its two
// short edges, its normal keeps all digits.
static crVec3 computeNormal(const crHull* hull, int face)
{
  const int32_t* corners = hull->faceVertices + hull->faceStarts[face];
  int count = hull->faceStarts[face + 1] - hull->faceStarts[face];
  double leastError;
  crVec3 best = sumFan(hull, corners, count, 0, &leastError);
  for (int start = 1; start < count && count <= CR_SLIVER_CORNERS; ++start) {
    double error;
    crVec3 sum = sumFan(hull, corners, count, start, &error);
    if (error < leastError) {
      best = sum;
      leastError = error;
    }
  }
  return crNormalize(best);
}

// Returns the largest distance of a corner from the plane of its face.
static double fillPlanes(crHull* hull)
{
  double looseness = 0.0;
  for (int f = 0; f < hull->faceCount; ++f) {
    crVec3 n = computeNormal(hull, f);
    int first = hull->faceStarts[f], end = hull->faceStarts[f + 1];
    double highest = crDot(n, hull->vertices[climb(hull, n, hull->faceVertices[first])]), lowest = HUGE_VAL;
    for (int k = first; k < end; ++k) {
      double height = crDot(n, hull->vertices[hull->faceVertices[k]]);
      highest = fmax(highest, height);
      lowest = fmin(lowest, height);
    }
    hull->normals[f] = n;
    hull->offsets[f] = highest;
    looseness = fmax(looseness, crLengthSquared(n) > 0.0 ? highest - lowest : HUGE_VAL);
  }
  return looseness;
}

// Marks the points that are corners and numbers them in input order; returns how many. numbers[i] is -1
// for the others.
static int numberVertices(const crPolygons* faces, int32_t* numbers, int pointCount)
{
  memset(numbers, -1, (size_t)pointCount * sizeof *numbers);
  for (int k = 0; k < faces->cornerCount; ++k) {
    numbers[faces->corners[k]] = 0;
  }
  int count = 0;
  for (int i = 0; i < pointCount; ++i) {
    if (numbers[i] == 0) {
      numbers[i] = count++;
    }
  }
  return count;
}

// Returns the looseness of the planes [m].
static double fillHull(crHull* hull, const crVec3* points, int pointCount, const crPolygons* faces,
                       const int32_t* numbers)
{
  for (int i = 0; i < pointCount; ++i) {
    if (numbers[i] >= 0) {
      hull->vertices[numbers[i]] = points[i];
    }
  }
  memcpy(hull->faceStarts, faces->starts, ((size_t)faces->faceCount + 1) * sizeof *hull->faceStarts);
  for (int k = 0; k < faces->cornerCount; ++k) {
    hull->faceVertices[k] = numbers[faces->corners[k]];
  }
  fillNeighbours(hull);
  fillVertexFaces(hull);
  fillColumns(hull);
  fillExtent(hull);
  crHull_FillCells(hull);
  crHull_FillCoarse(hull);
  double looseness = fillPlanes(hull);
  fillPlaneColumns(hull);
  return looseness;
}

static crHull* packHull(const crVec3* points, int pointCount, const crPolygons* faces, const crAllocator* allocator,
                        double* outLooseness)
{
  size_t numberSize = (size_t)pointCount * sizeof(int32_t);
  int32_t* numbers = crAllocate(allocator, numberSize);
  if (numbers == NULL) {
    return NULL;
  }
  crHull counts = { .vertexCount = numberVertices(faces, numbers, pointCount),
                    .faceCount = faces->faceCount,
                    .faceVertexCount = faces->cornerCount,
                    .neighbourCount = faces->cornerCount };
  counts.cellsAcross = crCountHullCells(counts.vertexCount);
  counts.cellCount = 6 * counts.cellsAcross * counts.cellsAcross;
  counts.coarseAcross = crCountCoarseCells(counts.cellsAcross);
  counts.coarseCount = 6 * counts.coarseAcross * counts.coarseAcross;
  counts.paddedCount = (counts.vertexCount + CR_HULL_LANES - 1) / CR_HULL_LANES * CR_HULL_LANES;
  counts.paddedFaceCount = (counts.faceCount + CR_HULL_LANES - 1) / CR_HULL_LANES * CR_HULL_LANES;
  counts.byteCount = blockSize(&counts);
  crHull* hull = crAllocateZero(allocator, 1, counts.byteCount);
  if (hull != NULL) {
    *hull = counts;
    layOut(hull);
    *outLooseness = fillHull(hull, points, pointCount, faces, numbers);
  }
  crFree(allocator, numbers, numberSize);
  return hull;
}

static crStatus tryHull(const crVec3* points, int pointCount, double unionShare, const crAllocator* allocator,
                        crReporter* reporter, crHull** outHull, double* outLooseness)
{
  crPolygons faces;
  *outHull = NULL;
  crStatus status = crFindHullFaces(points, pointCount, unionShare, allocator, reporter, &faces);
  if (status != cr_ok) {
    return status;
  }
  *outHull = packHull(points, pointCount, &faces, allocator, outLooseness);
  crPolygons_Free(&faces, allocator);
  if (*outHull == NULL) {
    crComplaint complaint = { .message = "out of memory while making a convex hull" };
    crReport(reporter, cr_severityError, cr_errorMemory, &complaint);
    return cr_errorMemory;
  }
  return cr_ok;
}

static double largestDistance(const crHull* hull, crVec3 origin)
{
  double distance = 0.0;
  for (int v = 0; v < hull->vertexCount; ++v) {
    distance = fmax(distance, crMaxAbs(crSub(hull->vertices[v], origin)));
  }
  return distance;
}

static double allowedLooseness(const crHull* hull)
{
  double extent = largestDistance(hull, hull->vertices[0]);
  double largest = largestDistance(hull, crMakeVec3(0.0, 0.0, 0.0));
  return fmax(CR_LOOSENESS * extent, CR_LOOSENESS_UNITS * DBL_EPSILON * largest);
}

crStatus crCreateMergedHull(const crVec3* points, int pointCount, double firstUnion, double lastUnion,
                            const crAllocator* allocator, crReporter* reporter, crHull** outHull)
{
  double share = firstUnion, looseness = 0.0;
  for (;;) {
    crStatus status = tryHull(points, pointCount, share, allocator, reporter, outHull, &looseness);
    if (status != cr_ok || looseness <= allowedLooseness(*outHull)) {
      return status;
    }
    crDestroyHull(*outHull, allocator);
    *outHull = NULL;
    share = fmax(CR_FIRST_UNION, share * CR_UNION_FACTOR);
    if (share > lastUnion) {
      crReportNumber(reporter, "the faces of the hull are too small to be computed with", looseness, NULL, "m", NULL);
      return cr_errorModel;
    }
  }
}

crStatus crCreateHull(const crVec3* points, int pointCount, const crAllocator* allocator, const crErrorSink* sink,
                      crHull** outHull)
{
  if (outHull == NULL || (points == NULL && pointCount > 0) || pointCount < 0) {
    return cr_errorMisuse;
  }
  *outHull = NULL;
  crAllocator chosen = crChooseAllocator(allocator);
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  return crCreateMergedHull(points, pointCount, 0.0, CR_LAST_UNION, &chosen, &reporter, outHull);
}

// ------------------------------------------------------------------------------------------ queries

double crHull_ComputeWidth(const crHull* hull)
{
  double width = HUGE_VAL;
  int opposite = 0;
  for (int f = 0; f < hull->faceCount; ++f) {
    crVec3 n = hull->normals[f];
    opposite = climb(hull, crNeg(n), opposite);
    crVec3 across = crSub(hull->vertices[hull->faceVertices[hull->faceStarts[f]]], hull->vertices[opposite]);
    width = fmin(width, crDot(n, across));
  }
  return width;
}

crInertia crHull_ComputeInertia(const crHull* hull)
{
  crVec3 origin = hull->centre;
  crMoments total = { 0 }, block = { 0 };
  for (int f = 0, inBlock = 0; f < hull->faceCount; ++f) {
    const int32_t* c = hull->faceVertices + hull->faceStarts[f];
    int count = hull->faceStarts[f + 1] - hull->faceStarts[f];
    for (int k = 2; k < count; ++k) {
      crMoments_AddTriangle(&block, crSub(hull->vertices[c[0]], origin), crSub(hull->vertices[c[k - 1]], origin),
                            crSub(hull->vertices[c[k]], origin));
      if (++inBlock == CR_MOMENTS_BLOCK) {
        crMoments_Add(&total, &block);
        block = (crMoments){ 0 };
        inBlock = 0;
      }
    }
  }
  crMoments_Add(&total, &block);
  return crMoments_ComputeInertia(&total, origin);
}
