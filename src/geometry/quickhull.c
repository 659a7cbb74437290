// Convex hulls by qhull (Barber, Dobkin, Huhdanpaa, The Quickhull algorithm for convex hulls, 1996).
//
// qhull merges facets that are not clearly convex, so that its result is right within rounding. Facets are
// taken merged, not triangulated (Qt) and never joggled (QJ): the outline of a facet is the chain of its
// ridges, which needs no arithmetic and therefore cannot go wrong on slivers.
//
// Points are moved to their middle and scaled along each axis by a power of two, so that qhull's tolerances,
// which are relative to the largest coordinate, fit bodies of any size, flatness and place. A hull is
// affine-invariant, and powers of two change no bits. A body that is thin across the axes is turned and
// stretched as well; its coordinates carry rounding errors anyway.
//
// Points that nearly coincide can defeat qhull's merging. Then near points are united, in steps from
// CR_FIRST_UNION on, until it succeeds; an exact result is always tried first.
#include "geometry/quickhull.h"

#include "base/elementary.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/platform.h"
#include "geometry/point_map.h"

#include <float.h>
#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_FLATNESS 1e-12        // [-] thickness over extent; thinner sets of points are flat
#define CR_THINNESS 1e-2         // [-] thickness over length; thinner sets of points are stretched
#define CR_SMALLEST_EXTENT 1e-90 // [m] squares and cubes stay clear of underflow
#define CR_LARGEST_EXTENT 1e90   // [m] and of overflow
#define CR_ROUNDING_UNITS 8.0    // [-] coplanar points differ by this many units in the last place
#define CR_QHULL_ROUNDING 3e-15  // [-] what qhull itself assumes for coordinates up to 1
#define CR_BAD_POINT_REPORTS 8   // [-] bad points named one by one

// What one attempt works on. All arrays have room for every input point.
typedef struct Work {
  const crAllocator* allocator;
  const crVec3* points;
  int pointCount;
  crVec3 middle;  // [m]
  crVec3 scale;   // [1/m] powers of two, applied first
  crMat3 shaping; // [-] then this
  double extent;  // [m] largest edge of the bounding box
  double noise;   // [-] rounding error of the scaled coordinates
  int keptCount;  // points that are neither doubles nor united with others
  int32_t* kept;  // (keptCount) their indices, ascending
  crVec3* scaled; // (keptCount)
  int32_t* next;  // (pointCount) corner after a corner in the face at hand, -1 else
} Work;

void crPolygons_Free(crPolygons* polygons, const crAllocator* allocator)
{
  crFree(allocator, polygons->starts, ((size_t)polygons->faceCapacity + 1) * sizeof *polygons->starts);
  crFree(allocator, polygons->corners, (size_t)polygons->cornerCapacity * sizeof *polygons->corners);
  memset(polygons, 0, sizeof *polygons);
}

static bool allocatePolygons(crPolygons* polygons, int faceCount, int cornerCount, const crAllocator* allocator)
{
  memset(polygons, 0, sizeof *polygons);
  polygons->starts = crAllocateZero(allocator, (size_t)faceCount + 1, sizeof *polygons->starts);
  polygons->faceCapacity = faceCount;
  polygons->corners = crAllocateZero(allocator, (size_t)cornerCount, sizeof *polygons->corners);
  polygons->cornerCapacity = cornerCount;
  if (polygons->starts == NULL || polygons->corners == NULL) {
    crPolygons_Free(polygons, allocator);
    return false;
  }
  return true;
}

static crStatus reportMemory(crReporter* reporter)
{
  crComplaint complaint = { .message = "out of memory while computing a convex hull" };
  crReport(reporter, cr_severityError, cr_errorMemory, &complaint);
  return cr_errorMemory;
}

// ------------------------------------------------------------------------------- checks of the input

static bool checkFinite(const crVec3* points, int pointCount, crReporter* reporter)
{
  int badCount = 0;
  for (int i = 0; i < pointCount; ++i) {
    if (!crIsFiniteVec3(points[i]) && ++badCount <= CR_BAD_POINT_REPORTS) {
      char message[64], found[96];
      snprintf(message, sizeof message, "point %d of the hull is not finite", i + 1);
      snprintf(found, sizeof found, "(%.6g, %.6g, %.6g)", points[i].x, points[i].y, points[i].z);
      crComplaint complaint = { message, found, "finite", "m", NULL };
      crReport(reporter, cr_severityError, cr_errorModel, &complaint);
    }
  }
  if (badCount > CR_BAD_POINT_REPORTS) {
    crReportError(reporter, "%d more points of the hull are not finite", badCount - CR_BAD_POINT_REPORTS);
  }
  return badCount == 0;
}

// The power of two p that brings an extent > 0 times p into (1, 2].
static double powerOfTwoFor(double extent)
{
  int exponent;
  frexp(extent, &exponent);
  return ldexp(1.0, 1 - exponent);
}

static double axisNoise(double min, double max, double extent)
{
  return CR_ROUNDING_UNITS * DBL_EPSILON * fmax(fabs(min), fabs(max)) / extent;
}

// Finds the middle, the extent and the scales; false when the extent cannot be worked with.
static bool measure(Work* work, crReporter* reporter)
{
  crAabb box = crEmptyAabb();
  for (int i = 0; i < work->pointCount; ++i) {
    box.min = crMinVec3(box.min, work->points[i]);
    box.max = crMaxVec3(box.max, work->points[i]);
  }
  crVec3 size = crSub(box.max, box.min);
  work->extent = crMaxAbs(size);
  if (work->extent > CR_LARGEST_EXTENT || (work->extent > 0.0 && work->extent < CR_SMALLEST_EXTENT)) {
    crReportNumber(reporter, "the extent of the hull cannot be computed with", work->extent, "1e-90 ... 1e90", "m",
                   NULL);
    return false;
  }
  work->middle = crMulAdd(box.min, 0.5, size);
  // an axis without extent is flat: reported later, but scaled here without dividing by zero
  double floor = work->extent > 0.0 ? work->extent * DBL_MIN / CR_SMALLEST_EXTENT : 1.0;
  crVec3 safe = crMaxVec3(size, crMakeVec3(floor, floor, floor));
  work->scale = crMakeVec3(powerOfTwoFor(safe.x), powerOfTwoFor(safe.y), powerOfTwoFor(safe.z));
  work->noise = fmax(axisNoise(box.min.x, box.max.x, safe.x),
                     fmax(axisNoise(box.min.y, box.max.y, safe.y), axisNoise(box.min.z, box.max.z, safe.z)));
  return true;
}

// How far scaled points spread: from four points that are chosen one after the other, each as far as possible
// from the ones before: from the first point, from the line of two, from the plane of three.
typedef struct Spread {
  double length, width, thickness;
  crVec3 along, across, normal; // their directions, orthonormal unless the points are flat
} Spread;

static crVec3 scaledDifference(const Work* work, int i, crVec3 scale)
{
  crVec3 d = crSub(work->points[i], work->points[0]);
  return crMakeVec3(d.x * scale.x, d.y * scale.y, d.z * scale.z);
}

static Spread measureSpread(const Work* work, crVec3 scale)
{
  Spread spread = { 0 };
  for (int i = 1; i < work->pointCount; ++i) {
    crVec3 p = scaledDifference(work, i, scale);
    if (crLength(p) > spread.length) {
      spread.length = crLength(p);
      spread.along = p;
    }
  }
  spread.along = crNormalize(spread.along);
  for (int i = 1; i < work->pointCount; ++i) {
    crVec3 n = crCross(spread.along, scaledDifference(work, i, scale));
    if (crLength(n) > spread.width) {
      spread.width = crLength(n);
      spread.normal = n;
    }
  }
  spread.normal = crNormalize(spread.normal);
  spread.across = crCross(spread.normal, spread.along);
  for (int i = 1; i < work->pointCount; ++i) {
    double height = fabs(crDot(spread.normal, scaledDifference(work, i, scale)));
    spread.thickness = height > spread.thickness ? height : spread.thickness;
  }
  return spread;
}

// Points that are thin across the axes are turned into their own axes and stretched there to one size.
static void findShaping(Work* work)
{
  Spread spread = measureSpread(work, work->scale);
  work->shaping = crIdentityMat3();
  if (spread.thickness < CR_THINNESS * spread.length) {
    crMat3 rows = { crScale(1.0 / spread.length, spread.along), crScale(1.0 / spread.width, spread.across),
                    crScale(1.0 / spread.thickness, spread.normal) };
    work->shaping = crTranspose(rows);
    work->noise = fmax(work->noise, CR_ROUNDING_UNITS * DBL_EPSILON * spread.length / spread.thickness);
  }
}

static void reportFlat(const Work* work, const Spread* spread, double limit, crReporter* reporter)
{
  const char* place = spread->length <= limit  ? "all points of the hull are in one place"
                      : spread->width <= limit ? "all points of the hull are on one line"
                                               : "all points of the hull are in one plane";
  double size = spread->length <= limit ? spread->length : spread->width <= limit ? spread->width : spread->thickness;
  char found[48], allowed[48];
  snprintf(found, sizeof found, "thickness %.3g", size * work->extent);
  snprintf(allowed, sizeof allowed, "> %.3g", limit * work->extent);
  crComplaint complaint = { place, found, allowed, "m", "a hull needs four points that span a volume" };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
}

static bool checkSpread(const Work* work, crReporter* reporter)
{
  Spread spread = { 0 };
  double limit = CR_FLATNESS;
  if (work->extent > 0.0) {
    double unit = 1.0 / work->extent;
    spread = measureSpread(work, crMakeVec3(unit, unit, unit));
    double largest = crMaxAbs(work->middle) + work->extent;
    limit = fmax(limit, CR_ROUNDING_UNITS * DBL_EPSILON * largest / work->extent);
  }
  if (spread.thickness > limit) {
    return true;
  }
  reportFlat(work, &spread, limit, reporter);
  return false;
}

// --------------------------------------------------------------------------------- choice of points

// Keeps the first point of every cell of a grid, or of every place for distance 0.
static crStatus keepPoints(Work* work, double distance)
{
  crPointMap map;
  crPointMap_Init(&map, work->allocator);
  work->keptCount = 0;
  bool isDone = crPointMap_Reserve(&map, work->pointCount);
  for (int i = 0; i < work->pointCount && isDone; ++i) {
    crVec3 p = crSub(work->points[i], work->middle);
    crVec3 key = p;
    if (distance > 0.0) {
      key = crMakeVec3(floor(p.x / distance), floor(p.y / distance), floor(p.z / distance));
    }
    int index = crPointMap_Add(&map, key);
    isDone = index >= 0;
    if (index == work->keptCount) {
      work->kept[work->keptCount] = i;
      crVec3 s = { p.x * work->scale.x, p.y * work->scale.y, p.z * work->scale.z };
      work->scaled[work->keptCount++] = crMulMV(work->shaping, s);
    }
  }
  crPointMap_Free(&map);
  return isDone ? cr_ok : cr_errorMemory;
}

static bool checkCount(const Work* work, crReporter* reporter)
{
  if (work->keptCount >= 4) {
    return true;
  }
  crReportNumber(reporter, "the hull has too few different points", work->keptCount, ">= 4", "1",
                 "a hull needs four points that span a volume");
  return false;
}

// -------------------------------------------------------------------------------------------- qhull

// The corners of a triangle in qhull's order.
static void chainTriangle(qhT* qh, const facetT* facet, int32_t ids[3])
{
  vertexT *vertex, **vertexp;
  int k = 0;
  FOREACHvertex_(facet->vertices)
  {
    if (k < 3) {
      ids[k++] = qh_pointid(qh, vertex->point);
    }
  }
  if (!(facet->toporient ^ qh_ORIENTclock)) {
    int32_t swap = ids[1];
    ids[1] = ids[2];
    ids[2] = swap;
  }
}

// Enters the ridges of a merged facet into work->next; the start of one, or -1 when they do not chain.
static int32_t enterRidges(qhT* qh, Work* work, const facetT* facet)
{
  ridgeT *ridge, **ridgep;
  int32_t start = -1;
  bool isChain = true;
  FOREACHridge_(facet->ridges)
  {
    int32_t a = qh_pointid(qh, SETfirstt_(ridge->vertices, vertexT)->point);
    int32_t b = qh_pointid(qh, SETsecondt_(ridge->vertices, vertexT)->point);
    bool isForward = (ridge->top == facet) ^ qh_ORIENTclock;
    int32_t from = isForward ? a : b, to = isForward ? b : a;
    isChain = isChain && work->next[from] < 0;
    work->next[from] = to;
    start = from;
  }
  return isChain ? start : -1;
}

static bool chainPolygon(qhT* qh, Work* work, const facetT* facet, int32_t* corners, int count)
{
  int32_t start = enterRidges(qh, work, facet);
  int32_t at = start;
  int k = 0;
  while (at >= 0 && k < count) {
    corners[k++] = at;
    int32_t to = work->next[at];
    work->next[at] = -1;
    at = to;
    if (at == start) {
      break;
    }
  }
  return start >= 0 && at == start && k == count;
}

// The facets of qhull as polygons of kept points. cr_retry when they are no proper surface.
static crStatus collectFaces(qhT* qh, Work* work, crPolygons* faces)
{
  facetT* facet;
  int faceCount = 0, cornerCount = 0;
  FORALLfacets
  {
    ++faceCount;
    cornerCount += facet->simplicial ? 3 : qh_setsize(qh, facet->ridges);
  }
  if (faceCount < 4 || cornerCount < 3 * faceCount) {
    return cr_retry;
  }
  if (!allocatePolygons(faces, faceCount, cornerCount, work->allocator)) {
    return cr_errorMemory;
  }
  memset(work->next, -1, (size_t)work->keptCount * sizeof *work->next);
  FORALLfacets
  {
    int32_t* corners = faces->corners + faces->cornerCount;
    int count = facet->simplicial ? 3 : qh_setsize(qh, facet->ridges);
    if (facet->simplicial) {
      chainTriangle(qh, facet, corners);
    } else if (!chainPolygon(qh, work, facet, corners, count)) {
      crPolygons_Free(faces, work->allocator);
      return cr_retry;
    }
    faces->cornerCount += count;
    faces->starts[++faces->faceCount] = faces->cornerCount;
  }
  return cr_ok;
}

// qhull writes its complaints to a file: this one, of a fixed size, is thrown away. qhull returns from
// its errors by its own longjmp inside qh_new_qhull.
static crStatus runQhull(Work* work, crPolygons* faces)
{
  char log[256], command[32] = "qhull Pp";
  if (work->noise > CR_QHULL_ROUNDING) {
    // a power of ten, because the decimal point would depend on the locale
    snprintf(command, sizeof command, "qhull Pp C-1e%d", (int)ceil(crLog10(fmin(work->noise, 1e-3))));
  }
  FILE* sink = fmemopen(log, sizeof log, "w");
  qhT* qh = crAllocateZero(work->allocator, 1, sizeof *qh);
  if (sink == NULL || qh == NULL) {
    crFree(work->allocator, qh, sizeof *qh);
    if (sink != NULL) {
      fclose(sink);
    }
    return cr_errorMemory;
  }
  qh_zero(qh, sink);
  int code = qh_new_qhull(qh, 3, work->keptCount, &work->scaled[0].x, False, command, NULL, sink);
  crStatus status = code == qh_ERRnone ? collectFaces(qh, work, faces) : code == qh_ERRmem ? cr_errorMemory : cr_retry;
  qh_freeqhull(qh, !qh_ALL);
  int blockCount, byteCount;
  qh_memfreeshort(qh, &blockCount, &byteCount);
  crFree(work->allocator, qh, sizeof *qh);
  fclose(sink);
  return status;
}

// ------------------------------------------------------------------------------ polygons in good order

// Takes out corners that belong to fewer than three faces (points on an edge), and the faces that have
// fewer than three corners then, until none is left. `counts` has room for every kept point.
static void removeFlatCorners(crPolygons* faces, int32_t* counts, int keptCount)
{
  for (int before = -1; before != faces->cornerCount;) {
    before = faces->cornerCount;
    memset(counts, 0, (size_t)keptCount * sizeof *counts);
    for (int k = 0; k < faces->cornerCount; ++k) {
      ++counts[faces->corners[k]];
    }
    int faceCount = 0, cornerCount = 0;
    for (int f = 0, k = 0; f < faces->faceCount; ++f) {
      int first = cornerCount, end = faces->starts[f + 1];
      for (; k < end; ++k) {
        if (counts[faces->corners[k]] >= 3) {
          faces->corners[cornerCount++] = faces->corners[k];
        }
      }
      cornerCount = cornerCount - first >= 3 ? cornerCount : first;
      faces->starts[faceCount] = first;
      faceCount += cornerCount > first;
    }
    faces->starts[faceCount] = cornerCount;
    faces->faceCount = faceCount;
    faces->cornerCount = cornerCount;
  }
}

// True when every edge is met by its reverse and Euler's formula holds. Edges are compared as two sums of
// hashes: equal sums of unequal sets would need a collision of 64 bits.
static bool isClosedSurface(const crPolygons* faces, int32_t* counts, int keptCount)
{
  uint64_t forward = 0, backward = 0;
  int vertexCount = 0;
  memset(counts, 0, (size_t)keptCount * sizeof *counts);
  for (int f = 0; f < faces->faceCount; ++f) {
    int last = faces->starts[f + 1] - 1;
    for (int k = faces->starts[f]; k <= last; ++k) {
      uint64_t a = (uint64_t)faces->corners[k], b = (uint64_t)faces->corners[k < last ? k + 1 : faces->starts[f]];
      forward += crHashMix(a, b);
      backward += crHashMix(b, a);
      vertexCount += counts[a]++ == 0;
    }
  }
  return forward == backward && 2 * (vertexCount + faces->faceCount - 2) == faces->cornerCount;
}

// Six times the volume of the scaled polyhedron.
static double sumVolume(const Work* work, const crPolygons* faces)
{
  double sum = 0.0;
  for (int f = 0; f < faces->faceCount; ++f) {
    const int32_t* c = faces->corners + faces->starts[f];
    int count = faces->starts[f + 1] - faces->starts[f];
    for (int k = 2; k < count; ++k) {
      sum += crDot(work->scaled[c[0]], crCross(work->scaled[c[k - 1]], work->scaled[c[k]]));
    }
  }
  return sum;
}

static void reverse(int32_t* items, int count)
{
  for (int i = 0, k = count - 1; i < k; ++i, --k) {
    int32_t swap = items[i];
    items[i] = items[k];
    items[k] = swap;
  }
}

// Turns a polygon so that its lowest corner comes first: three reversals make a rotation.
static void beginWithLowest(int32_t* corners, int count)
{
  int lowest = 0;
  for (int k = 1; k < count; ++k) {
    lowest = corners[k] < corners[lowest] ? k : lowest;
  }
  reverse(corners, lowest);
  reverse(corners + lowest, count - lowest);
  reverse(corners, count);
}

typedef struct FaceKey {
  int32_t first, second, face;
} FaceKey;

static int compareKeys(const void* a, const void* b)
{
  const FaceKey *p = a, *q = b;
  if (p->first != q->first) {
    return p->first < q->first ? -1 : 1;
  }
  if (p->second != q->second) {
    return p->second < q->second ? -1 : 1;
  }
  return (p->face > q->face) - (p->face < q->face);
}

// Copies the faces in the order of their first two corners into `ordered`.
static void copyInOrder(const crPolygons* faces, FaceKey* keys, crPolygons* ordered)
{
  for (int f = 0; f < faces->faceCount; ++f) {
    const int32_t* c = faces->corners + faces->starts[f];
    keys[f] = (FaceKey){ c[0], c[1], f };
  }
  qsort(keys, (size_t)faces->faceCount, sizeof *keys, compareKeys);
  for (int i = 0; i < faces->faceCount; ++i) {
    int f = keys[i].face, count = faces->starts[f + 1] - faces->starts[f];
    memcpy(ordered->corners + ordered->cornerCount, faces->corners + faces->starts[f],
           (size_t)count * sizeof *ordered->corners);
    ordered->cornerCount += count;
    ordered->starts[++ordered->faceCount] = ordered->cornerCount;
  }
}

// Replaces the faces by the same in canonical order, their corners as indices of the input points.
static crStatus orderFaces(const Work* work, crPolygons* faces)
{
  bool isInsideOut = sumVolume(work, faces) < 0.0;
  for (int f = 0; f < faces->faceCount; ++f) {
    int32_t* c = faces->corners + faces->starts[f];
    int count = faces->starts[f + 1] - faces->starts[f];
    if (isInsideOut) {
      reverse(c, count);
    }
    beginWithLowest(c, count);
    for (int k = 0; k < count; ++k) {
      c[k] = work->kept[c[k]];
    }
  }
  size_t keySize = (size_t)faces->faceCount * sizeof(FaceKey);
  FaceKey* keys = crAllocate(work->allocator, keySize);
  crPolygons ordered;
  if (keys == NULL || !allocatePolygons(&ordered, faces->faceCount, faces->cornerCount, work->allocator)) {
    crFree(work->allocator, keys, keySize);
    return cr_errorMemory;
  }
  copyInOrder(faces, keys, &ordered);
  crFree(work->allocator, keys, keySize);
  crPolygons_Free(faces, work->allocator);
  *faces = ordered;
  return cr_ok;
}

// ----------------------------------------------------------------------------------------- attempts

static crStatus attempt(Work* work, double distance, crReporter* reporter, crPolygons* outFaces)
{
  crStatus status = keepPoints(work, distance);
  if (status != cr_ok) {
    return status;
  }
  if (!checkCount(work, reporter)) {
    return cr_errorModel;
  }
  status = runQhull(work, outFaces);
  if (status != cr_ok) {
    return status;
  }
  removeFlatCorners(outFaces, work->next, work->keptCount);
  bool isProper = outFaces->faceCount >= 4 && isClosedSurface(outFaces, work->next, work->keptCount);
  status = isProper ? orderFaces(work, outFaces) : cr_retry;
  if (status != cr_ok) {
    crPolygons_Free(outFaces, work->allocator);
  }
  return status;
}

static crStatus attemptAll(Work* work, double unionShare, crReporter* reporter, crPolygons* outFaces)
{
  crStatus status = attempt(work, unionShare * work->extent, reporter, outFaces);
  for (double share = CR_FIRST_UNION; status == cr_retry && share <= CR_LAST_UNION; share *= CR_UNION_FACTOR) {
    status = attempt(work, fmax(unionShare, share) * work->extent, reporter, outFaces);
  }
  if (status == cr_retry) {
    crReportError(reporter, "the convex hull of %d points could not be computed: they are flat within rounding",
                  work->pointCount);
    status = cr_errorModel;
  }
  return status == cr_errorMemory ? reportMemory(reporter) : status;
}

crStatus crFindHullFaces(const crVec3* points, int pointCount, double unionShare, const crAllocator* allocator,
                         crReporter* reporter, crPolygons* outFaces)
{
  memset(outFaces, 0, sizeof *outFaces);
  Work work = { .allocator = allocator, .points = points, .pointCount = pointCount };
  if (pointCount < 4) {
    work.keptCount = pointCount;
    checkCount(&work, reporter);
    return cr_errorModel;
  }
  if (!checkFinite(points, pointCount, reporter) || !measure(&work, reporter) || !checkSpread(&work, reporter)) {
    return cr_errorModel;
  }
  findShaping(&work);
  size_t count = (size_t)pointCount;
  work.kept = crAllocate(allocator, count * sizeof *work.kept);
  work.scaled = crAllocate(allocator, count * sizeof *work.scaled);
  work.next = crAllocate(allocator, count * sizeof *work.next);
  bool hasMemory = work.kept != NULL && work.scaled != NULL && work.next != NULL;
  crStatus status = hasMemory ? attemptAll(&work, unionShare, reporter, outFaces) : reportMemory(reporter);
  crFree(allocator, work.kept, count * sizeof *work.kept);
  crFree(allocator, work.scaled, count * sizeof *work.scaled);
  crFree(allocator, work.next, count * sizeof *work.next);
  return status;
}
