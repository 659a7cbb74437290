// What is wrong with a mesh, and mending it: points that should be one, triangles that are there twice, orientation,
// holes. All pieces are one surface here.
//
// Edges are sorted by their two points, so that those of one place are neighbours. A shell is what hangs together by
// edges of exactly two triangles; it is oriented by going from triangle to triangle, and then as a whole: out, or in
// where it is a hollow inside others.
#include "base/memory.h"
#include "base/report.h"
#include "carom/io.h"
#include "geometry/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CR_FILL_SHARE 0.1 // [-] of the diagonal: holes that are filled unless the size is given

typedef int32_t Corners[3];

typedef struct Edge {
  int32_t low, high; // points
  int32_t triangle;
  bool isUpward; // the triangle goes from low to high
} Edge;

typedef struct Work {
  crAllocator allocator;
  crReporter* reporter; // or NULL
  double weld, fill;    // [m]
  crArrayOf(crVec3) points;
  crArrayOf(Corners) triangles;
  crArrayOf(Edge) edges;
  crArrayOf(int32_t) shells; // of each triangle
  crArrayOf(int32_t) stack;
  crMeshFaults faults;
} Work;

static void freeWork(Work* work)
{
  crArray_Free(&work->points, &work->allocator);
  crArray_Free(&work->triangles, &work->allocator);
  crArray_Free(&work->edges, &work->allocator);
  crArray_Free(&work->shells, &work->allocator);
  crArray_Free(&work->stack, &work->allocator);
}

static bool takeMesh(Work* work, const crMesh* mesh)
{
  crMeshDef def = crMesh_GetDef(mesh);
  if (!crMakeRoom(&work->points, def.pointCount, &work->allocator) ||
      !crMakeRoom(&work->triangles, def.triangleCount, &work->allocator)) {
    return false;
  }
  memcpy(work->points.items, def.points, (size_t)def.pointCount * sizeof *def.points);
  memcpy(work->triangles.items, def.triangles, (size_t)def.triangleCount * sizeof *def.triangles);
  work->points.count = def.pointCount;
  work->triangles.count = def.triangleCount;
  return true;
}

// --------------------------------------------------------------------------------------------------- points

// A point in its cell, of a grid as wide as points are welded: those that are near lie in cells beside it.
typedef struct Placed {
  crVec3 p, cell;
  int32_t index;
} Placed;

static int compareCells(const crVec3* a, const crVec3* b)
{
  return a->x != b->x   ? (a->x < b->x ? -1 : 1)
         : a->y != b->y ? (a->y < b->y ? -1 : 1)
         : a->z != b->z ? (a->z < b->z ? -1 : 1)
                        : 0;
}

static int comparePlaced(const void* a, const void* b)
{
  const Placed *x = a, *y = b;
  int order = compareCells(&x->cell, &y->cell);
  return order != 0 ? order : x->index < y->index ? -1 : 1;
}

// The first of the points, in the order of their cells, that is not before a cell.
static int findCell(const Placed* placed, int count, const crVec3* cell)
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    bool isBefore = compareCells(&placed[middle].cell, cell) < 0;
    low = isBefore ? middle + 1 : low;
    high = isBefore ? high : middle;
  }
  return low;
}

// The first of the points that one was joined with.
static int32_t findRoot(int32_t* first, int32_t i)
{
  while (first[i] != i) {
    first[i] = first[first[i]];
    i = first[i];
  }
  return i;
}

// Joins a point with those behind it that are near. Cells along z follow each other.
static void joinNear(const Placed* placed, int count, int i, double weld, int32_t* first)
{
  for (int beside = 0; beside < 9; ++beside) {
    crVec3 from = crAdd(placed[i].cell, crMakeVec3(beside / 3 - 1, beside % 3 - 1, -1.0));
    crVec3 to = crAdd(from, crMakeVec3(0.0, 0.0, 2.0));
    for (int k = findCell(placed, count, &from); k < count && compareCells(&placed[k].cell, &to) <= 0; ++k) {
      if (k > i && crLength(crSub(placed[i].p, placed[k].p)) <= weld) {
        int32_t a = findRoot(first, placed[i].index), b = findRoot(first, placed[k].index);
        first[a < b ? b : a] = a < b ? a : b;
      }
    }
  }
}

// Corners become those of the first of points that are near each other.
static bool weldPoints(Work* work)
{
  int count = work->points.count;
  size_t size = (size_t)count;
  if (!(work->weld > 0.0)) {
    return true;
  }
  Placed* placed = crAllocate(&work->allocator, size * sizeof *placed);
  int32_t* first = crAllocate(&work->allocator, size * sizeof *first);
  bool hasMemory = placed != NULL && first != NULL;
  for (int i = 0; hasMemory && i < count; ++i) {
    crVec3 p = work->points.items[i];
    crVec3 cell = { floor(p.x / work->weld), floor(p.y / work->weld), floor(p.z / work->weld) };
    placed[i] = (Placed){ p, cell, i };
    first[i] = i;
  }
  if (hasMemory) {
    qsort(placed, size, sizeof *placed, comparePlaced);
  }
  for (int i = 0; hasMemory && i < count; ++i) {
    joinNear(placed, count, i, work->weld, first);
  }
  for (int i = 0; hasMemory && i < count; ++i) {
    first[i] = findRoot(first, i);
    work->faults.weldedCount += first[i] != i;
  }
  for (int t = 0; hasMemory && t < work->triangles.count; ++t) {
    for (int k = 0; k < 3; ++k) {
      work->triangles.items[t][k] = first[work->triangles.items[t][k]];
    }
  }
  crFree(&work->allocator, placed, size * sizeof *placed);
  crFree(&work->allocator, first, size * sizeof *first);
  return hasMemory;
}

// ------------------------------------------------------------------------------------------------ triangles

typedef struct Sorted {
  int32_t c[3]; // ascending
  int32_t triangle;
} Sorted;

static void swap(int32_t* a, int32_t* b)
{
  int32_t x = *a;
  *a = *b;
  *b = x;
}

static Sorted sortCorners(const int32_t c[3], int triangle)
{
  Sorted s = { { c[0], c[1], c[2] }, triangle };
  if (s.c[0] > s.c[1]) {
    swap(&s.c[0], &s.c[1]);
  }
  if (s.c[1] > s.c[2]) {
    swap(&s.c[1], &s.c[2]);
  }
  if (s.c[0] > s.c[1]) {
    swap(&s.c[0], &s.c[1]);
  }
  return s;
}

static int compareSorted(const void* a, const void* b)
{
  const Sorted *x = a, *y = b;
  for (int k = 0; k < 3; ++k) {
    if (x->c[k] != y->c[k]) {
      return x->c[k] < y->c[k] ? -1 : 1;
    }
  }
  return x->triangle < y->triangle ? -1 : 1;
}

static bool areSame(const Sorted* a, const Sorted* b)
{
  return a->c[0] == b->c[0] && a->c[1] == b->c[1] && a->c[2] == b->c[2];
}

// Leaves one of triangles with the same corners, and none that is an edge or a point.
static bool dropDuplicates(Work* work)
{
  int count = work->triangles.count, kept = 0;
  size_t size = (size_t)count;
  Sorted* sorted = crAllocate(&work->allocator, size * sizeof *sorted);
  bool* isDropped = crAllocateZero(&work->allocator, size, sizeof *isDropped);
  bool hasMemory = sorted != NULL && isDropped != NULL;
  for (int t = 0; hasMemory && t < count; ++t) {
    sorted[t] = sortCorners(work->triangles.items[t], t);
    isDropped[t] = sorted[t].c[0] == sorted[t].c[1] || sorted[t].c[1] == sorted[t].c[2];
  }
  if (hasMemory) {
    qsort(sorted, size, sizeof *sorted, compareSorted);
  }
  for (int i = 1; hasMemory && i < count; ++i) {
    if (!isDropped[sorted[i].triangle] && areSame(&sorted[i - 1], &sorted[i])) {
      isDropped[sorted[i].triangle] = true;
      ++work->faults.duplicateCount;
    }
  }
  for (int t = 0; hasMemory && t < count; ++t) {
    if (!isDropped[t]) {
      memmove(work->triangles.items[kept++], work->triangles.items[t], sizeof(Corners));
    }
  }
  work->triangles.count = hasMemory ? kept : count;
  crFree(&work->allocator, sorted, size * sizeof *sorted);
  crFree(&work->allocator, isDropped, size * sizeof *isDropped);
  return hasMemory;
}

// ---------------------------------------------------------------------------------------------------- edges

static int compareEdges(const void* a, const void* b)
{
  const Edge *x = a, *y = b;
  if (x->low != y->low) {
    return x->low < y->low ? -1 : 1;
  }
  if (x->high != y->high) {
    return x->high < y->high ? -1 : 1;
  }
  return x->triangle < y->triangle ? -1 : 1;
}

static bool listEdges(Work* work)
{
  work->edges.count = 0;
  if (!crMakeRoom(&work->edges, 3 * work->triangles.count, &work->allocator)) {
    return false;
  }
  for (int t = 0; t < work->triangles.count; ++t) {
    for (int k = 0; k < 3; ++k) {
      int32_t a = work->triangles.items[t][k], b = work->triangles.items[t][(k + 1) % 3];
      work->edges.items[work->edges.count++] = (Edge){ a < b ? a : b, a < b ? b : a, t, a < b };
    }
  }
  qsort(work->edges.items, (size_t)work->edges.count, sizeof *work->edges.items, compareEdges);
  return true;
}

// The end of the edges at the place of one.
static int findEnd(const Work* work, int start)
{
  const Edge* edges = work->edges.items;
  int end = start + 1;
  while (end < work->edges.count && edges[end].low == edges[start].low && edges[end].high == edges[start].high) {
    ++end;
  }
  return end;
}

static void addPlace(Work* work, const Edge* edge)
{
  if (work->faults.placeCount < CR_FAULT_PLACES) {
    crVec3 a = work->points.items[edge->low], b = work->points.items[edge->high];
    work->faults.places[work->faults.placeCount++] = crMulAdd(crScale(0.5, a), 0.5, b);
  }
}

static void countEdges(Work* work)
{
  for (int start = 0, end; start < work->edges.count; start = end) {
    end = findEnd(work, start);
    if (end - start != 2) {
      addPlace(work, &work->edges.items[start]);
    }
    work->faults.openEdgeCount += end - start == 1;
    work->faults.crowdedEdgeCount += end - start > 2;
  }
}

// The edges of a triangle, by their places in the list: the same edge the other way round is beside it.
static int findEdge(const Work* work, int32_t a, int32_t b, int triangle)
{
  int low = 0, high = work->edges.count;
  Edge wanted = { a < b ? a : b, a < b ? b : a, triangle, false };
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (compareEdges(&work->edges.items[middle], &wanted) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The other triangle at an edge of two; -1: there are fewer or more.
static int findOther(const Work* work, int at, bool* outIsAlike)
{
  const Edge *edges = work->edges.items, *edge = &edges[at];
  int start = at;
  while (start > 0 && edges[start - 1].low == edge->low && edges[start - 1].high == edge->high) {
    --start;
  }
  if (findEnd(work, start) - start != 2) {
    return -1;
  }
  const Edge* other = &edges[start == at ? start + 1 : start];
  *outIsAlike = other->isUpward == edge->isUpward;
  return other->triangle;
}

// --------------------------------------------------------------------------------------------------- shells

typedef struct Orientation {
  bool* isTurned; // (triangles)
  bool isOneSided;
  crVec3 place; // where, if so
} Orientation;

// Gives every triangle its shell, and marks those that have to be turned to agree with the first of it.
static bool walkShells(Work* work, Orientation* orientation)
{
  work->shells.count = 0;
  if (!crMakeRoom(&work->shells, work->triangles.count, &work->allocator) ||
      !crMakeRoom(&work->stack, work->triangles.count, &work->allocator)) {
    return false;
  }
  for (int t = 0; t < work->triangles.count; ++t) {
    work->shells.items[work->shells.count++] = -1;
  }
  for (int seed = 0; seed < work->triangles.count; ++seed) {
    if (work->shells.items[seed] >= 0) {
      continue;
    }
    int shell = work->faults.shellCount++;
    work->stack.count = 0;
    work->stack.items[work->stack.count++] = seed;
    work->shells.items[seed] = shell;
    while (work->stack.count > 0) {
      int t = work->stack.items[--work->stack.count];
      for (int k = 0; k < 3; ++k) {
        int32_t a = work->triangles.items[t][k], b = work->triangles.items[t][(k + 1) % 3];
        bool isAlike = false;
        int other = findOther(work, findEdge(work, a, b, t), &isAlike);
        if (other < 0) {
          continue;
        }
        bool isTurned = orientation->isTurned[t] != isAlike; // both the same way along the edge: one of them is turned
        if (work->shells.items[other] < 0) {
          work->shells.items[other] = shell;
          orientation->isTurned[other] = isTurned;
          work->stack.items[work->stack.count++] = other;
        } else if (orientation->isTurned[other] != isTurned) {
          orientation->isOneSided = true;
          orientation->place = work->points.items[a];
        }
      }
    }
  }
  return true;
}

static void turn(Work* work, int triangle)
{
  swap(&work->triangles.items[triangle][1], &work->triangles.items[triangle][2]);
}

// What is known of a shell as a whole.
typedef struct Shell {
  double volume; // [m^3] times 6
  crAabb box;
  bool isIn; // it points inwards
} Shell;

static void measureShells(const Work* work, Shell* shells)
{
  const crVec3* p = work->points.items;
  for (int i = 0; i < work->faults.shellCount; ++i) {
    shells[i] = (Shell){ 0.0, crEmptyAabb(), false };
  }
  for (int t = 0; t < work->triangles.count; ++t) {
    const int32_t* c = work->triangles.items[t];
    Shell* shell = &shells[work->shells.items[t]];
    shell->volume += crDot(crSub(p[c[0]], p[0]), crCross(crSub(p[c[1]], p[0]), crSub(p[c[2]], p[0])));
    for (int k = 0; k < 3; ++k) {
      shell->box.min = crMinVec3(shell->box.min, p[c[k]]);
      shell->box.max = crMaxVec3(shell->box.max, p[c[k]]);
    }
  }
}

static bool isBoxInside(const crAabb* a, const crAabb* b)
{
  return a->min.x > b->min.x && a->min.y > b->min.y && a->min.z > b->min.z && a->max.x < b->max.x &&
         a->max.y < b->max.y && a->max.z < b->max.z;
}

// A shell in others.
typedef struct Nest {
  const Shell* shells;
  const int32_t* shellOf; // (triangles)
  int shell;
} Nest;

static bool isAround(const void* context, int triangle)
{
  const Nest* nest = context;
  return isBoxInside(&nest->shells[nest->shell].box, &nest->shells[nest->shellOf[triangle]].box);
}

// Marks the shells that lie in an odd number of others, by one of their corners. false: out of memory.
static bool findHollows(Work* work, Shell* shells)
{
  crMeshDef def = crDefaultMeshDef();
  def.points = work->points.items;
  def.pointCount = work->points.count;
  def.triangles = (const int32_t(*)[3])work->triangles.items;
  def.triangleCount = work->triangles.count;
  crMesh* mesh = NULL;
  crInside inside = { .mesh = NULL };
  bool isMade =
      crCreateMesh(&def, &work->allocator, NULL, &mesh) == cr_ok && crInside_Init(&inside, mesh, &work->allocator);
  for (int t = 0, next = 0; isMade && t < def.triangleCount; ++t) { // the first triangle of each
    Nest nest = { shells, work->shells.items, work->shells.items[t] };
    if (nest.shell == next) {
      crVec3 corner = def.points[def.triangles[t][0]];
      shells[next++].isIn = crInside_CountChosen(&inside, corner, isAround, &nest) % 2 != 0;
    }
  }
  crInside_Free(&inside);
  crReleaseMesh(mesh);
  return isMade;
}

// Shells that point the wrong way as a whole are turned: first all point out, so that windings count.
static bool orientShells(Work* work)
{
  int count = work->faults.shellCount;
  size_t size = (size_t)count;
  Shell* shells = crAllocateZero(&work->allocator, size + 1, sizeof *shells);
  bool hasMemory = shells != NULL;
  if (hasMemory) {
    measureShells(work, shells);
  }
  for (int t = 0; hasMemory && t < work->triangles.count; ++t) {
    if (shells[work->shells.items[t]].volume < 0.0) {
      turn(work, t);
    }
  }
  hasMemory = hasMemory && (count < 2 || findHollows(work, shells));
  for (int i = 0; hasMemory && i < count; ++i) {
    work->faults.insideOutCount += shells[i].isIn != (shells[i].volume < 0.0);
  }
  for (int t = 0; hasMemory && t < work->triangles.count; ++t) {
    if (shells[work->shells.items[t]].isIn) {
      turn(work, t);
    }
  }
  crFree(&work->allocator, shells, (size + 1) * sizeof *shells);
  return hasMemory;
}

// ---------------------------------------------------------------------------------------------------- holes

// An open edge as a hole sees it, which goes against its triangle.
typedef struct Rim {
  int32_t from, to;
  bool isUsed;
} Rim;

static int compareRims(const void* a, const void* b)
{
  const Rim *x = a, *y = b;
  return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->to < y->to ? -1 : x->to > y->to;
}

// All open edges, sorted by where they begin; their number.
static int listRims(const Work* work, Rim* out)
{
  int count = 0;
  for (int i = 0, end; i < work->edges.count; i = end) {
    const Edge* edge = &work->edges.items[i];
    end = findEnd(work, i);
    if (end - i == 1) {
      out[count++] = (Rim){ edge->isUpward ? edge->high : edge->low, edge->isUpward ? edge->low : edge->high, false };
    }
  }
  qsort(out, (size_t)count, sizeof *out, compareRims);
  return count;
}

// The open edge that goes on from a point; -1: none that is not used.
static int findNext(const Rim* rims, int count, int32_t from)
{
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (rims[middle].from < from) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  while (low < count && rims[low].from == from && rims[low].isUsed) {
    ++low;
  }
  return low < count && rims[low].from == from ? low : -1;
}

// Closes a loop of points with triangles around its middle.
static bool fillLoop(Work* work, const int32_t* loop, int count)
{
  crVec3 middle = crMakeVec3(0.0, 0.0, 0.0);
  for (int k = 0; k < count; ++k) {
    middle = crMulAdd(middle, 1.0 / count, work->points.items[loop[k]]);
  }
  int32_t centre = loop[0];
  if (count > 3) {
    crVec3* place = crArray_Push(&work->points, &work->allocator);
    if (place == NULL) {
      return false;
    }
    *place = middle;
    centre = work->points.count - 1;
  }
  for (int k = count > 3 ? 0 : 1; k < (count > 3 ? count : 2); ++k) {
    Corners* place = crArray_Push(&work->triangles, &work->allocator);
    if (place == NULL) {
      return false;
    }
    (*place)[0] = centre;
    (*place)[1] = loop[k];
    (*place)[2] = loop[(k + 1) % count];
  }
  return true;
}

static double findSize(const Work* work, const int32_t* loop, int count)
{
  crAabb box = crEmptyAabb();
  for (int k = 0; k < count; ++k) {
    box.min = crMinVec3(box.min, work->points.items[loop[k]]);
    box.max = crMaxVec3(box.max, work->points.items[loop[k]]);
  }
  return crLength(crSub(box.max, box.min));
}

// Fills the holes that are small enough; counts all of them.
static bool fillHoles(Work* work, bool isFilled)
{
  size_t size = (size_t)work->edges.count + 1;
  Rim* rims = crAllocate(&work->allocator, size * sizeof *rims);
  bool hasMemory = rims != NULL && crMakeRoom(&work->stack, work->edges.count + 1, &work->allocator);
  int count = hasMemory ? listRims(work, rims) : 0;
  for (int i = 0; hasMemory && i < count; ++i) {
    int32_t from = rims[i].from, at = from;
    work->stack.count = 0;
    for (int next = rims[i].isUsed ? -1 : i; next >= 0; next = at != from ? findNext(rims, count, at) : -1) {
      rims[next].isUsed = true;
      work->stack.items[work->stack.count++] = at;
      at = rims[next].to;
    }
    bool isLoop = at == from && work->stack.count >= 3;
    bool isSmall = isLoop && findSize(work, work->stack.items, work->stack.count) <= work->fill;
    work->faults.holeCount += isLoop;
    hasMemory = !isFilled || !isSmall || fillLoop(work, work->stack.items, work->stack.count);
  }
  crFree(&work->allocator, rims, size * sizeof *rims);
  return hasMemory;
}

// ---------------------------------------------------------------------------------------------- the outside

crRepairDef crDefaultRepairDef(void)
{
  crRepairDef def = { .size = sizeof def };
  return def;
}

static Work makeWork(const crMesh* mesh, const crRepairDef* def, const crAllocator* allocator, crReporter* reporter)
{
  crAabb box = crMesh_GetFacts(mesh).bounds;
  bool hasFill = def != NULL && def->fill > 0.0;
  return (Work){ .allocator = crChooseAllocator(allocator),
                 .reporter = reporter,
                 .weld = def != NULL ? def->weld : 0.0,
                 .fill = hasFill ? def->fill : CR_FILL_SHARE * crLength(crSub(box.max, box.min)) };
}

// Orientation of triangles and shells. false: out of memory.
static bool orient(Work* work, Orientation* outOrientation)
{
  size_t size = (size_t)work->triangles.count;
  *outOrientation = (Orientation){ .isTurned = crAllocateZero(&work->allocator, size + 1, sizeof(bool)) };
  bool hasMemory = outOrientation->isTurned != NULL && walkShells(work, outOrientation);
  for (int t = 0; hasMemory && t < work->triangles.count; ++t) {
    if (outOrientation->isTurned[t]) {
      turn(work, t);
      ++work->faults.turnedCount;
    }
  }
  crFree(&work->allocator, outOrientation->isTurned, (size + 1) * sizeof(bool));
  return hasMemory && orientShells(work);
}

crStatus crFindMeshFaults(const crMesh* mesh, const crRepairDef* def, const crAllocator* allocator,
                          crMeshFaults* outFaults)
{
  if (mesh == NULL || outFaults == NULL) {
    return cr_errorMisuse;
  }
  Work work = makeWork(mesh, def, allocator, NULL);
  Orientation orientation;
  bool hasMemory = takeMesh(&work, mesh) && weldPoints(&work) && dropDuplicates(&work) && listEdges(&work);
  if (hasMemory) {
    countEdges(&work);
    hasMemory = fillHoles(&work, false) && orient(&work, &orientation);
  }
  *outFaults = work.faults;
  freeWork(&work);
  return hasMemory ? cr_ok : cr_errorMemory;
}

static void refuse(Work* work, const char* what, int count, crVec3 place)
{
  char message[160], found[96];
  snprintf(message, sizeof message, "the mesh cannot be mended: %d %s", count, what);
  snprintf(found, sizeof found, "at (%.6g, %.6g, %.6g)", place.x, place.y, place.z);
  crComplaint complaint = { message, found, NULL, "m",
                            "a larger weld or fill may help; else mend it where it was made" };
  crReport(work->reporter, cr_severityError, cr_errorModel, &complaint);
}

// What is left when all was done.
static bool isMended(Work* work, const Orientation* orientation)
{
  work->faults.openEdgeCount = work->faults.crowdedEdgeCount = work->faults.placeCount = 0;
  countEdges(work);
  if (work->faults.openEdgeCount > 0) {
    refuse(work, "edges stay open", work->faults.openEdgeCount, work->faults.places[0]);
  }
  if (work->faults.crowdedEdgeCount > 0) {
    refuse(work, "edges have more than two triangles", work->faults.crowdedEdgeCount, work->faults.places[0]);
  }
  if (orientation->isOneSided) {
    refuse(work, "surface has one side only", 1, orientation->place);
  }
  return work->reporter->errorCount == 0;
}

static crStatus makeMesh(Work* work, const crErrorSink* sink, crMesh** outMesh)
{
  crMeshDef def = crDefaultMeshDef();
  def.points = work->points.items;
  def.pointCount = work->points.count;
  def.triangles = (const int32_t(*)[3])work->triangles.items;
  def.triangleCount = work->triangles.count;
  return crCreateMesh(&def, &work->allocator, sink, outMesh);
}

crStatus crRepairMesh(const crMesh* mesh, const crRepairDef* def, const crAllocator* allocator, const crErrorSink* sink,
                      crMesh** outMesh, crMeshFaults* outFaults)
{
  if (outMesh != NULL) {
    *outMesh = NULL;
  }
  if (mesh == NULL || outMesh == NULL || (def != NULL && def->size != sizeof *def)) {
    return cr_errorMisuse;
  }
  crReporter reporter = crMakeReporter(sink, (crSource){ 0 }, NULL);
  Work work = makeWork(mesh, def, allocator, &reporter);
  Orientation orientation;
  bool hasMemory = takeMesh(&work, mesh) && weldPoints(&work) && dropDuplicates(&work) && listEdges(&work);
  if (hasMemory) {
    countEdges(&work);
  }
  int openEdgeCount = work.faults.openEdgeCount, crowdedEdgeCount = work.faults.crowdedEdgeCount;
  hasMemory =
      hasMemory && orient(&work, &orientation) && listEdges(&work) && fillHoles(&work, true) && listEdges(&work);
  crStatus status = !hasMemory ? cr_errorMemory : isMended(&work, &orientation) ? cr_ok : cr_errorModel;
  status = status == cr_ok ? makeMesh(&work, sink, outMesh) : status;
  work.faults.openEdgeCount = openEdgeCount;
  work.faults.crowdedEdgeCount = crowdedEdgeCount;
  if (outFaults != NULL) {
    *outFaults = work.faults;
  }
  freeWork(&work);
  if (status == cr_errorMemory) {
    crComplaint complaint = { .message = "out of memory while mending a mesh" };
    crReport(&reporter, cr_severityError, cr_errorMemory, &complaint);
  }
  return status;
}
