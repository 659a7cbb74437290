#include "collide/area/roof.h"

#define FEW_PLANES 6

typedef struct Roof {
  const crChart* chart;           // in the axes of the points
  double slack;                   // [m] depths that differ by less are equal
  int count;                      // of planes that can be nearest
  int planes[CR_MAX_PLANES];      // (count) which
  crLinear depths[CR_MAX_PLANES]; // (count)
  crVec3 normals[CR_MAX_PLANES];  // (count)
} Roof;

static inline int wrap(int i, int n)
{
  return i < n ? i : i - n;
}

// Keeps g >= 0, given at the corners; the new edge is of a plane.
static void cut(const crLoop* in, const double* g, int plane, crLoop* out)
{
  int m = 0, n = in->count;
  bool isIn = n > 0 && g[0] >= 0.0;
  for (int i = 0; i < n; ++i) {
    int k = wrap(i + 1, n);
    bool isNextIn = g[k] >= 0.0;
    if (isIn) {
      out->x[m] = in->x[i];
      out->planes[m++] = in->planes[i];
    }
    if (isIn != isNextIn) {
      if (g[isIn ? i : k] > 0.0) {
        double s = g[i] / (g[i] - g[k]);
        crCorner a = in->x[i], b = in->x[k];
        out->x[m] = (crCorner){ a.u + s * (b.u - a.u), a.v + s * (b.v - a.v) };
        out->planes[m++] = isIn ? plane : in->planes[i];
      } else if (isIn) {
        out->planes[m - 1] = plane; // the corner itself is on it
      }
    }
    isIn = isNextIn;
  }
  out->count = m;
}

typedef struct Range {
  double low, high;
} Range;

// Of even and odd corners apart, which do not wait for each other.
static inline Range findRange(const crLoop* loop, const crLinear* f, double* g)
{
  int n = loop->count, i = 0;
  double low = HUGE_VAL, high = -HUGE_VAL, low2 = HUGE_VAL, high2 = -HUGE_VAL;
  for (; i + 1 < n; i += 2) {
    g[i] = crAtCorner(f, loop->x[i]);
    g[i + 1] = crAtCorner(f, loop->x[i + 1]);
    low = crMin2(low, g[i]);
    high = crMax2(high, g[i]);
    low2 = crMin2(low2, g[i + 1]);
    high2 = crMax2(high2, g[i + 1]);
  }
  if (i < n) {
    g[i] = crAtCorner(f, loop->x[i]);
    low = crMin2(low, g[i]);
    high = crMax2(high, g[i]);
  }
  return (Range){ crMin2(low, low2), crMax2(high, high2) };
}

// Whether all corners are beyond one of the planes: asked where there are many, of which most faces are beyond some.
static bool isBeyond(const crLoop* loop, int planeCount, const crAreaPlane* planes, const crChart* chart, double slack)
{
  for (int j = 0; j < planeCount; ++j) {
    crLinear depth = crMakeLinear(&planes[j], chart);
    double high = -HUGE_VAL;
    for (int i = 0; i < loop->count; ++i) {
      high = crMax2(high, crAtCorner(&depth, loop->x[i]));
    }
    if (planes[j].isInner ? high < -slack : high <= 0.0) {
      return true;
    }
  }
  return false;
}

// Cuts by all planes, inner ones included. Returns what is left, loop or other; NULL: nothing. What is left decides
// which planes can be nearest to it.
static crLoop* cutByPlanes(crLoop* loop, crLoop* other, int planeCount, const crAreaPlane* planes,
                           const crVec3* normals, const crChart* chart, Roof* roof)
{
  double low[CR_MAX_PLANES], least = HUGE_VAL, g[CR_MAX_POLYGON];
  crLinear depths[CR_MAX_PLANES];
  for (int j = 0; j < planeCount; ++j) {
    depths[j] = crMakeLinear(&planes[j], chart);
    Range range = findRange(loop, &depths[j], g);
    if (planes[j].isInner && fabs(range.high) <= roof->slack && range.low >= -roof->slack
            ? crDot(planes[j].normal, crCross(chart->e1, chart->e2)) >
                  0.0 // in the seam of two pieces: one of them has it
            : range.high <= 0.0) {
      return NULL;
    }
    if (range.low < -roof->slack) {
      cut(loop, g, j, other);
      crLoop* left = other;
      other = loop;
      loop = left;
      range.low = 0.0;
      if (loop->count < 3) {
        return NULL;
      }
    }
    low[j] = range.low;
    least = !planes[j].isInner && range.high < least ? range.high : least;
  }
  roof->count = 0;
  for (int j = 0; j < planeCount; ++j) {
    if (!planes[j].isInner && low[j] <= least) { // not <: a parallel face has equal depths all over
      int k = roof->count++;
      roof->planes[k] = j;
      roof->depths[k] = depths[j];
      roof->normals[k] = normals[j];
    }
  }
  return loop;
}

// Where depth j is the least. Of planes that are equal the first has it. Returns NULL if that is nowhere; else the
// polygon or one of the buffers.
static const crLoop* cutSlope(const crLoop* loop, const Roof* roof, int j, crLoop buffers[2])
{
  const crLinear* own = &roof->depths[j];
  int side = 0;
  for (int k = 0; k < roof->count; ++k) {
    if (k == j) {
      continue;
    }
    const crLinear* other = &roof->depths[k];
    crLinear more = { other->c - own->c, other->u - own->u, other->v - own->v };
    double g[CR_MAX_POLYGON];
    if (crAreOnePlane(&more, roof->slack)) {
      if (k < j) {
        return NULL;
      }
      continue;
    }
    Range range = findRange(loop, &more, g);
    if (range.high < -roof->slack || (range.high <= roof->slack && k < j)) {
      return NULL;
    }
    if (range.low < -roof->slack) {
      cut(loop, g, roof->planes[k], &buffers[side]);
      loop = &buffers[side];
      side = 1 - side;
      if (loop->count < 3) {
        return NULL;
      }
    }
  }
  return loop;
}

// A line between two slopes, by three points of Gauss.
static void addLine(crPatchLines* lines, const Roof* roof, int j, int k, crCorner p, crCorner q)
{
  static const double at[3] = { 0.11270166537925831, 0.5, 0.88729833462074169 };
  static const double share[3] = { 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0 };
  const crLinear *a = &roof->depths[j], *b = &roof->depths[k];
  double length = sqrt((q.u - p.u) * (q.u - p.u) + (q.v - p.v) * (q.v - p.v));
  double steep = sqrt((a->u - b->u) * (a->u - b->u) + (a->v - b->v) * (a->v - b->v));
  lines->isFull |= lines->count + 3 > CR_PATCH_LINE_POINTS;
  for (int i = 0; i < 3 && steep > 0.0 && !lines->isFull; ++i) {
    crCorner x = { p.u + at[i] * (q.u - p.u), p.v + at[i] * (q.v - p.v) };
    int m = lines->count++;
    lines->w[m] = share[i] * length / steep;
    lines->d[m] = crAtCorner(a, x);
    lines->x[m] = crInChart(roof->chart, x);
    lines->jump[m] = crSub(roof->normals[j], roof->normals[k]);
  }
}

static int findSlope(const Roof* roof, int plane)
{
  int k = 0;
  while (k < roof->count && roof->planes[k] != plane) {
    ++k;
  }
  return k;
}

// The edges of slope j to later ones.
static void addLines(crPatchLines* lines, const crLoop* loop, const Roof* roof, int j)
{
  for (int i = 0; i < loop->count; ++i) {
    int k = loop->planes[i] == CR_NO_PLANE ? j : findSlope(roof, loop->planes[i]);
    if (k > j && k < roof->count) {
      addLine(lines, roof, j, k, loop->x[i], loop->x[i + 1 < loop->count ? i + 1 : 0]);
    }
  }
}

static void addSlope(crPatch* patch, const crLoop* loop, const Roof* roof, int j)
{
  crPatch_AddPolygon(patch, loop->count, loop->x, HUGE_VAL, roof->chart, &roof->depths[j], roof->normals[j]);
  if (patch->lines != NULL && roof->count > 1) {
    addLines(patch->lines, loop, roof, j);
  }
}

// How far corners of `top` are ahead of those of the polygon whose edges are of the same planes; -1: they are not.
static int alignEdges(const crLoop* loop, const crLoop* top)
{
  int n = loop->count, from = 0, ahead = 0;
  while (from < n && loop->planes[from] == CR_NO_PLANE) {
    ++from;
  }
  if (top->count != n || from == n) {
    return -1;
  }
  while (ahead < n && top->planes[wrap(from + ahead, n)] != loop->planes[from]) {
    ++ahead;
  }
  for (int i = 0; i < n; ++i) {
    if (ahead == n || top->planes[wrap(i + ahead, n)] != loop->planes[i]) {
      return -1;
    }
  }
  return ahead;
}

// If the first slope has an edge along each edge that a plane cut, the others are the strips between: at their corners,
// and so within, no other plane is nearer. Else false.
static bool addStrips(crPatch* patch, const crLoop* loop, const crLoop* top, const Roof* roof)
{
  int n = loop->count, ahead = alignEdges(loop, top);
  if (ahead < 0) {
    return false;
  }
  for (int i = 0; i < n; ++i) {
    int slope = loop->planes[i] == CR_NO_PLANE ? 0 : findSlope(roof, loop->planes[i]);
    if (slope > 0 && slope < roof->count) {
      int k = wrap(i + 1, n), p = wrap(i + ahead, n), q = wrap(p + 1, n);
      crCorner strip[4] = { loop->x[i], loop->x[k], top->x[q], top->x[p] };
      // no depth along the edge, and along the other that of the first slope, which has been seen
      crPatch_AddPolygon(patch, 4, strip, 0.0, roof->chart, &roof->depths[slope], roof->normals[slope]);
      int next = loop->planes[k] == CR_NO_PLANE ? 0 : findSlope(roof, loop->planes[k]);
      if (patch->lines != NULL && next > 0 && next < roof->count) {
        addLine(patch->lines, roof, slope, next, loop->x[k], top->x[q]);
      }
    }
  }
  return true;
}

// Below a single plane, which is a surface.
static void addBelow(crPatch* patch, const crLoop* loop, const crAreaPlane* plane, crVec3 normal, const crChart* chart,
                     const crPose* X, double slack)
{
  crLoop left;
  double g[CR_MAX_POLYGON];
  crLinear depth = crMakeLinear(plane, chart);
  Range range = findRange(loop, &depth, g);
  if (range.high <= 0.0) {
    return;
  }
  if (range.low < -slack) {
    cut(loop, g, 0, &left);
    loop = &left;
  }
  if (loop->count > 2) {
    crChart placed = X != NULL ? crPlaceChart(chart, X) : *chart;
    crPatch_AddPolygon(patch, loop->count, loop->x, range.high, &placed, &depth, normal);
  }
}

void crPatch_AddRoof(crPatch* patch, crLoop* loop, int planeCount, const crAreaPlane* planes, const crVec3* normals,
                     const crChart* chart, const crPose* X, double slack)
{
  if (planeCount == 1 && !planes[0].isInner) {
    addBelow(patch, loop, &planes[0], normals[0], chart, X, slack);
    return;
  }
  if (planeCount > FEW_PLANES && isBeyond(loop, planeCount, planes, chart, slack)) {
    return;
  }
  Roof roof;
  crLoop buffers[3];
  roof.slack = slack;
  loop = cutByPlanes(loop, &buffers[2], planeCount, planes, normals, chart, &roof);
  if (loop == NULL) {
    return;
  }
  crChart placed = X != NULL ? crPlaceChart(chart, X) : *chart;
  roof.chart = &placed;
  for (int j = 0; j < roof.count; ++j) {
    const crLoop* slope = roof.count == 1 ? loop : cutSlope(loop, &roof, j, buffers);
    if (slope != NULL) {
      addSlope(patch, slope, &roof, j);
      if (j == 0 && roof.count > 1 && addStrips(patch, loop, slope, &roof)) {
        return;
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------- cells

// Which depths in cell j are the least somewhere in a polygon, all of it nearest to plane j.
static void listSides(const crCells* cells, int j, const crChart* chart, const crLoop* loop, Roof* out)
{
  const crAreaPlane* own = &cells->planes[j];
  crLinear t = crMakeLinear(own, chart);
  double g[CR_MAX_POLYGON];
  out->count = 1;
  out->planes[0] = j;
  out->depths[0] = (crLinear){ t.c + cells->reach, t.u, t.v };
  out->normals[0] = cells->normals[j];
  for (int k = 0; k < cells->count; ++k) {
    const crAreaPlane* other = &cells->planes[k];
    crAreaPlane between = { crSub(other->normal, own->normal), other->offset - own->offset, false };
    crLinear more = crMakeLinear(&between, chart);
    double low = findRange(loop, &more, g).low;
    if (k == j || low >= cells->reach) {
      continue; // a sine is not more than 1
    }
    double sine = crLength(crCross(own->normal, other->normal));
    if (sine > CR_LEAST_SINE && low < cells->reach * sine) {
      double scale = 1.0 / sine;
      int i = out->count++;
      out->planes[i] = k;
      out->depths[i] = (crLinear){ t.c + scale * more.c, t.u + scale * more.u, t.v + scale * more.v };
      out->normals[i] = crMulAdd(cells->normals[j], scale, crSub(cells->normals[k], cells->normals[j]));
    }
  }
}

static void addCell(crPatch* patch, const crLoop* loop, const crCells* cells, int j, const crChart* chart,
                    const crChart* placed, double slack)
{
  Roof roof;
  crLoop buffers[2];
  roof.chart = placed;
  roof.slack = slack;
  listSides(cells, j, chart, loop, &roof);
  for (int i = 0; i < roof.count; ++i) {
    const crLoop* slope = roof.count == 1 ? loop : cutSlope(loop, &roof, i, buffers);
    if (slope != NULL) {
      addSlope(patch, slope, &roof, i);
    }
  }
}

void crPatch_AddCells(crPatch* patch, crLoop* loop, const crCells* cells, const crChart* chart, const crPose* X,
                      double slack)
{
  Roof roof;
  crLoop buffers[3];
  roof.slack = slack;
  if (cells->count > FEW_PLANES && isBeyond(loop, cells->count, cells->planes, chart, slack)) {
    return;
  }
  loop = cutByPlanes(loop, &buffers[2], cells->count, cells->planes, cells->normals, chart, &roof);
  if (loop == NULL) {
    return;
  }
  crChart placed = X != NULL ? crPlaceChart(chart, X) : *chart;
  for (int j = 0; j < roof.count; ++j) {
    const crLoop* part = roof.count == 1 ? loop : cutSlope(loop, &roof, j, buffers);
    if (part != NULL && !cells->areInner[roof.planes[j]]) {
      addCell(patch, part, cells, roof.planes[j], chart, &placed, slack);
    }
  }
}
