// Support of a hull: by a scan of all vertices, or by climbing from vertex to neighbour.
//
// The scan runs over the columns of coordinates, several vertices at once.
//
// On a convex polytope a vertex without a higher neighbour is a highest one. In rounded arithmetic that is
// true up to the rounding error t of a height only: so all vertices within t of the top are visited. They
// hang together along edges, because the part of a polytope above a plane is convex. The result is then
// the one that a scan of all vertices gives, bit for bit: the greatest rounded height, the lowest index
// among equals. It does not depend on where the climb begins.
#include "geometry/hull.h"

#include <float.h>
#include <string.h>

#define CR_PLATEAU_COUNT 32  // [-] most vertices of a top that are walked; a larger top is scanned
#define CR_HEIGHT_ERROR 16.0 // [eps |d| reach] twice the rounding error of a height, with room

// Several numbers at once; the compiler makes of it what the machine has. Left to itself it does not see the loops.
typedef double Lanes __attribute__((vector_size(CR_HULL_LANES * sizeof(double))));
typedef int64_t Places __attribute__((vector_size(CR_HULL_LANES * sizeof(int64_t))));

static inline Lanes loadLanes(const double* from)
{
  Lanes lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

static inline Lanes chooseLanes(Places isFirst, Lanes first, Lanes second)
{
  return (Lanes)(((Places)first & isFirst) | ((Places)second & ~isFirst));
}

static inline Places choosePlaces(Places isFirst, Places first, Places second)
{
  return (first & isFirst) | (second & ~isFirst);
}

// Each lane takes the better of itself and its partner: higher, or as high and with a lower index.
static inline void keepBetter(Lanes* tops, Places* places, Lanes otherTops, Places otherPlaces)
{
  Places isBetter = (otherTops > *tops) | ((otherTops == *tops) & (otherPlaces < *places));
  *tops = chooseLanes(isBetter, otherTops, *tops);
  *places = choosePlaces(isBetter, otherPlaces, *places);
}

// Of columns x, y, z and, unless it is NULL, `minus`, where d . (x, y, z) - minus is greatest, the lowest index among
// equals: first in each lane, then of all lanes. Operations in the order of crDot, so with its bits.
static inline int findHighest(const double* x, const double* y, const double* z, const double* minus, int count,
                              crVec3 d, double* outTop)
{
  Lanes zero = { 0.0 }, tops = zero;
  Places places = { 0, 1, 2, 3, 4, 5, 6, 7 }, here = places;
  for (int i = 0; i < count; i += CR_HULL_LANES) {
    Lanes heights = d.x * loadLanes(x + i) + d.y * loadLanes(y + i) + d.z * loadLanes(z + i);
    heights = minus != NULL ? heights - loadLanes(minus + i) : heights;
    if (i == 0) {
      tops = heights;
      continue;
    }
    Places isHigher = heights > tops;
    here += CR_HULL_LANES;
    tops = chooseLanes(isHigher, heights, tops);
    places = choosePlaces(isHigher, here, places);
  }
  keepBetter(&tops, &places, __builtin_shufflevector(tops, tops, 4, 5, 6, 7, 0, 1, 2, 3),
             __builtin_shufflevector(places, places, 4, 5, 6, 7, 0, 1, 2, 3));
  keepBetter(&tops, &places, __builtin_shufflevector(tops, tops, 2, 3, 0, 1, 6, 7, 4, 5),
             __builtin_shufflevector(places, places, 2, 3, 0, 1, 6, 7, 4, 5));
  keepBetter(&tops, &places, __builtin_shufflevector(tops, tops, 1, 0, 3, 2, 5, 4, 7, 6),
             __builtin_shufflevector(places, places, 1, 0, 3, 2, 5, 4, 7, 6));
  *outTop = tops[0];
  return (int)places[0];
}

int crHull_FindSupport(const crHull* hull, crVec3 d)
{
  const double *x = hull->columns, *y = x + hull->paddedCount, *z = y + hull->paddedCount;
  double top;
  return findHighest(x, y, z, NULL, hull->paddedCount, d, &top);
}

int crHull_FindHighestFace(const crHull* hull, crVec3 x, double* outHeight)
{
  int count = hull->paddedFaceCount;
  const double* n = hull->planes;
  return findHighest(n, n + count, n + 2 * count, n + 3 * count, count, x, outHeight);
}

static double heightOf(const crHull* hull, crVec3 d, int vertex)
{
  return crDot(d, hull->vertices[vertex]);
}

// Visits every vertex within `error` of the top, starting on the top itself.
static int walkPlateau(const crHull* hull, crVec3 d, int top, double error)
{
  int32_t visited[CR_PLATEAU_COUNT] = { top };
  int count = 1, best = top;
  double bestHeight = heightOf(hull, d, top);
  for (int i = 0; i < count; ++i) {
    for (int k = hull->neighbourStarts[visited[i]]; k < hull->neighbourStarts[visited[i] + 1]; ++k) {
      int32_t next = hull->neighbours[k];
      double height = heightOf(hull, d, next);
      bool isNew = height >= bestHeight - error;
      for (int j = 0; j < count && isNew; ++j) {
        isNew = visited[j] != next;
      }
      if (!isNew) {
        continue;
      }
      if (count == CR_PLATEAU_COUNT) {
        return crHull_FindSupport(hull, d);
      }
      visited[count++] = next;
      if (height > bestHeight || (height == bestHeight && next < best)) {
        best = next;
        bestHeight = height;
      }
    }
  }
  return best;
}

static int climbFrom(const crHull* hull, crVec3 d, int at, double height)
{
  double error = CR_HEIGHT_ERROR * DBL_EPSILON * hull->reach * (fabs(d.x) + fabs(d.y) + fabs(d.z));
  for (;;) {
    int best = at;
    double bestHeight = height, secondHeight = -HUGE_VAL;
    for (int k = hull->neighbourStarts[at]; k < hull->neighbourStarts[at + 1]; ++k) {
      double next = heightOf(hull, d, hull->neighbours[k]);
      if (next > bestHeight) {
        bestHeight = next;
        best = hull->neighbours[k];
      }
      secondHeight = next > secondHeight ? next : secondHeight;
    }
    if (best == at) {
      return secondHeight >= height - error ? walkPlateau(hull, d, at, error) : at;
    }
    at = best;
    height = bestHeight;
  }
}

int crHull_ClimbSupport(const crHull* hull, crVec3 d, int start)
{
  return climbFrom(hull, d, start, heightOf(hull, d, start));
}
