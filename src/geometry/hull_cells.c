// Support of a large hull by the cell that a direction lies in.
//
// The cube around the directions is cut into cells. For each cell the vertices are stored that can be farthest along
// some direction in it, four or five as a rule; a search compares these and is done. Two reads of memory that wait
// for each other, where a climb from neighbour to neighbour has five.
//
// Directions are stretched by the hull's extents s first, d' = (s.x d.x, s.y d.y, s.z d.z), vertices accordingly
// shrunk, v' = (v - c) / s: so d' . v' is d . v up to a constant. Flat or long hulls, which have many vertices with
// nearly the same normal, become round, and all cells have about as many vertices.
//
// The vertices of a cell. One that another one exceeds in all four corners of the cell is nowhere in it the farthest,
// because heights are linear in d'. "Exceeds" means by more than the rounding error of a height d . v. The others are
// found from the farthest one along the middle by going from neighbour to neighbour: along any one direction the
// vertices within rounding of the top hang together (hull_climb.c), and over the directions of a cell, which hang
// together too, the tops do. So no vertex is missed that a scan of all would give, and the result is the scan's, bit
// for bit. A cell with too many vertices keeps the farthest one along its middle, from which to climb.
#include "geometry/hull.h"

#include <float.h>
#include <string.h>

#define CR_SCAN_COUNT 128  // [-] hulls of so few vertices are scanned: faster than anything else
#define CR_MOST_ACROSS 64  // [-] cells along each edge of the cube
#define CR_MOST_COARSE 16  // [-] the same for coarse cells: their vertices stay in the processor's cache
#define CR_MOST_FOUND 32   // [-] vertices of a cell before those are dropped that others exceed
#define CR_MUST_CLIMB (-1) // in the second place of a cell

#define CR_MARGIN 1e-9          // [-] of heights of stretched vertices: cells are a little wider than they are
#define CR_MARGIN_UNITS 64.0    // [eps reach / least extent] rounding error of a height
#define CR_MOST_MARGIN 1e-6     // [-] above, every cell climbs: the hull is far too small for its place
#define CR_LEAST_ALONG 1e-290   // [m] directions that are shorter or longer have no reliable cell
#define CR_LARGEST_ALONG 1e+290 // [m]

// Three cells for two vertices: one in a hundred cells has too many of them then.
int crCountHullCells(int vertexCount)
{
  if (vertexCount <= CR_SCAN_COUNT) {
    return 0;
  }
  int across = 1;
  while (across < CR_MOST_ACROSS && 4 * across * across < vertexCount) {
    ++across;
  }
  return across;
}

int crCountCoarseCells(int cellsAcross)
{
  int across = (cellsAcross + 1) / 2;
  return across < CR_MOST_COARSE ? across : CR_MOST_COARSE;
}

// -------------------------------------------------------------------------------------------- cells

// Cell of one coordinate in -1..1 of a face of the cube.
static int placeOf(double u, int across)
{
  double cells = (u + 1.0) * (0.5 * across);
  int place = cells > 0.0 ? (int)cells : 0;
  return place < across ? place : across - 1;
}

// -1: the direction has none.
static int findCell(const crHull* hull, crVec3 d, int across)
{
  double x = hull->half.x * d.x, y = hull->half.y * d.y, z = hull->half.z * d.z;
  double ax = fabs(x), ay = fabs(y), az = fabs(z);
  int axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
  double along = axis == 0 ? x : axis == 1 ? y : z, u = axis == 0 ? y : x, v = axis == 2 ? y : z;
  if (!(fabs(along) > CR_LEAST_ALONG && fabs(along) < CR_LARGEST_ALONG)) {
    return -1;
  }
  double inverse = 1.0 / fabs(along);
  int face = 2 * axis + (along < 0.0);
  return (face * across + placeOf(u * inverse, across)) * across + placeOf(v * inverse, across);
}

// A stretched direction in a cell; i and j in half cells: 0 to 2.
static crVec3 directionIn(int cell, int across, int i, int j)
{
  int row = cell / across, face = row / across;
  double u = (2.0 * (row % across) + i) / across - 1.0, v = (2.0 * (cell % across) + j) / across - 1.0;
  double along = face % 2 == 0 ? 1.0 : -1.0;
  switch (face / 2) {
    case 0: return crMakeVec3(along, u, v);
    case 1: return crMakeVec3(u, along, v);
    default: return crMakeVec3(u, v, along);
  }
}

// ---------------------------------------------------------------------------------------- candidates

// The corners of a cell, and the vertices found for it.
typedef struct Finder {
  const crHull* hull;
  crVec3 corner[4];
  double margin;
  int32_t found[CR_MOST_FOUND];
  double height[CR_MOST_FOUND][4]; // along the corners
  int count;
} Finder;

static void measure(const Finder* finder, int vertex, double outHeight[4])
{
  const crHull* hull = finder->hull;
  crVec3 v = crSub(hull->vertices[vertex], hull->centre);
  v = crMakeVec3(v.x / hull->half.x, v.y / hull->half.y, v.z / hull->half.z);
  for (int i = 0; i < 4; ++i) {
    outHeight[i] = crDot(finder->corner[i], v);
  }
}

static bool exceeds(const double a[4], const double b[4], double margin)
{
  return a[0] > b[0] + margin && a[1] > b[1] + margin && a[2] > b[2] + margin && a[3] > b[3] + margin;
}

// Adds a vertex, unless it is there or one that is there exceeds it. False: no room.
static bool addFound(Finder* finder, int vertex)
{
  double height[4];
  measure(finder, vertex, height);
  for (int i = 0; i < finder->count; ++i) {
    if (finder->found[i] == vertex || exceeds(finder->height[i], height, finder->margin)) {
      return true;
    }
  }
  if (finder->count == CR_MOST_FOUND) {
    return false;
  }
  finder->found[finder->count] = vertex;
  memcpy(finder->height[finder->count++], height, sizeof height);
  return true;
}

static void dropExceeded(Finder* finder)
{
  int kept = 0;
  for (int i = 0; i < finder->count; ++i) {
    bool isExceeded = false;
    for (int j = 0; j < finder->count && !isExceeded; ++j) {
      isExceeded = exceeds(finder->height[j], finder->height[i], finder->margin);
    }
    if (!isExceeded) {
      finder->found[kept++] = finder->found[i];
    }
  }
  finder->count = kept;
}

// False: too many.
static bool findCandidates(Finder* finder, int top)
{
  const crHull* hull = finder->hull;
  finder->count = 0;
  bool hasRoom = addFound(finder, top);
  for (int i = 0; i < finder->count; ++i) {
    int at = finder->found[i];
    for (int k = hull->neighbourStarts[at]; k < hull->neighbourStarts[at + 1]; ++k) {
      hasRoom = hasRoom && addFound(finder, hull->neighbours[k]);
    }
  }
  dropExceeded(finder);
  return hasRoom && finder->count <= CR_CELL_WIDTH;
}

static crVec3 middleOf(const crHull* hull, int cell, int across)
{
  crVec3 d = directionIn(cell, across, 1, 1);
  return crMakeVec3(d.x / hull->half.x, d.y / hull->half.y, d.z / hull->half.z);
}

void crHull_FillCells(crHull* hull)
{
  int across = hull->cellsAcross, top = 0;
  double least = fmin(hull->half.x, fmin(hull->half.y, hull->half.z));
  Finder finder = { .hull = hull, .margin = CR_MARGIN + CR_MARGIN_UNITS * DBL_EPSILON * hull->reach / least };
  for (int cell = 0; cell < hull->cellCount; ++cell) {
    top = crHull_ClimbSupport(hull, middleOf(hull, cell, across), top);
    for (int i = 0; i < 4; ++i) {
      finder.corner[i] = directionIn(cell, across, i & 2, 2 * (i & 1));
    }
    int32_t* list = hull->cells + (ptrdiff_t)CR_CELL_WIDTH * cell;
    bool isFull = !(finder.margin <= CR_MOST_MARGIN) || !findCandidates(&finder, top);
    for (int i = 0; i < CR_CELL_WIDTH; ++i) {
      list[i] = isFull ? (i == 0 ? top : CR_MUST_CLIMB) : finder.found[i < finder.count ? i : 0];
    }
  }
}

void crHull_FillCoarse(crHull* hull)
{
  int top = 0;
  for (int cell = 0; cell < hull->coarseCount; ++cell) {
    top = crHull_ClimbSupport(hull, middleOf(hull, cell, hull->coarseAcross), top);
    hull->coarse[cell] = top;
  }
}

// ------------------------------------------------------------------------------------------- support

// Operations as in crHull_FindSupport. Without branches on heights, so that the processor goes on to what follows while
// the vertices come.
static int findHighest(const crHull* hull, crVec3 d, const int32_t list[CR_CELL_WIDTH])
{
  double height[CR_CELL_WIDTH], highest = -HUGE_VAL;
  for (int i = 0; i < CR_CELL_WIDTH; ++i) {
    height[i] = crDot(d, hull->vertices[list[i]]);
    highest = height[i] > highest ? height[i] : highest;
  }
  int best = INT32_MAX;
  for (int i = 0; i < CR_CELL_WIDTH; ++i) {
    int at = height[i] == highest ? list[i] : INT32_MAX;
    best = at < best ? at : best;
  }
  return best < INT32_MAX ? best : list[0]; // of heights that are no numbers none is highest
}

static const int32_t* findList(const crHull* hull, crVec3 d)
{
  int cell = hull->cellCount > 0 ? findCell(hull, d, hull->cellsAcross) : -1;
  if (cell < 0) {
    return NULL;
  }
  const int32_t* list = hull->cells + (ptrdiff_t)CR_CELL_WIDTH * cell;
  __builtin_prefetch(list);
  return list;
}

static int findInList(const crHull* hull, crVec3 d, const int32_t* list, int start)
{
  if (list == NULL) {
    return crHull_FindSupport(hull, d);
  }
  if (list[1] != CR_MUST_CLIMB) {
    return findHighest(hull, d, list);
  }
  bool isStartHigher = crDot(d, hull->vertices[start]) > crDot(d, hull->vertices[list[0]]);
  return crHull_ClimbSupport(hull, d, isStartHigher ? start : list[0]);
}

void crFindTwoSupports(const crHull* a, crVec3 dA, int* ioA, const crHull* b, crVec3 dB, int* ioB)
{
  const int32_t *listA = findList(a, dA), *listB = findList(b, dB);
  for (int i = 0; i < CR_CELL_WIDTH && listB != NULL && listB[1] != CR_MUST_CLIMB; ++i) {
    __builtin_prefetch(&b->vertices[listB[i]]);
  }
  *ioA = findInList(a, dA, listA, *ioA);
  *ioB = findInList(b, dB, listB, *ioB);
}

int crHull_FindSupportFast(const crHull* hull, crVec3 d, int start)
{
  return findInList(hull, d, findList(hull, d), start);
}

int crHull_FindCoarseSupport(const crHull* hull, crVec3 d)
{
  int cell = findCell(hull, d, hull->coarseAcross);
  return hull->coarse[cell < 0 ? 0 : cell];
}
