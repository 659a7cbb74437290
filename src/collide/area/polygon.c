#include "collide/area/polygon.h"

#define CR_TRIANGLE_POINTS 6

typedef double Quad __attribute__((vector_size(32), aligned(8)));

// Point k of a set of three: a times the sum of the corners plus (1 - 3 a) times corner k. [Dunavant85]
void crPatch_AddTriangle(crPatch* patch, const crChart* chart, const crLinear* depth, crCorner p, crCorner q,
                         crCorner r, crVec3 normal)
{
  const double a = 0.44594849091596489, b = 0.091576213509770743;
  double area = 0.5 * ((q.u - p.u) * (r.v - p.v) - (r.u - p.u) * (q.v - p.v));
  int i = crPatch_MakeRoom(patch, CR_TRIANGLE_POINTS + 1);
  Quad U = { p.u, q.u, r.u, p.u }, V = { p.v, q.v, r.v, p.v }; // the fourth is overwritten
  Quad zero = { 0.0 }, one = zero + 1.0, d = depth->c + depth->u * U + depth->v * V;
  double sum = d[0] + d[1] + d[2];
  *(Quad*)&patch->w[i] = one * (area * 0.22338158967801147);
  *(Quad*)&patch->w[i + 3] = one * (area * 0.10995174365532187);
  *(Quad*)&patch->d[i] = a * sum + (1.0 - 3.0 * a) * d;
  *(Quad*)&patch->d[i + 3] = b * sum + (1.0 - 3.0 * b) * d;
  const double *o = &chart->origin.x, *e1 = &chart->e1.x, *e2 = &chart->e2.x, *n = &normal.x;
  for (int k = 0; k < 3; ++k) {
    Quad x = o[k] + e1[k] * U + e2[k] * V, m = one * n[k];
    double s = x[0] + x[1] + x[2];
    *(Quad*)&patch->x[k][i] = a * s + (1.0 - 3.0 * a) * x;
    *(Quad*)&patch->x[k][i + 3] = b * s + (1.0 - 3.0 * b) * x;
    *(Quad*)&patch->m[k][i] = m;
    *(Quad*)&patch->m[k][i + 3] = m;
  }
  patch->count = i + CR_TRIANGLE_POINTS;
}

void crPatch_AddPolygon(crPatch* patch, int n, const crCorner* x, const crChart* chart, const crLinear* depth,
                        crVec3 normal)
{
  int deepest = 0;
  double most = -HUGE_VAL;
  for (int i = 0; i < n; ++i) {
    double d = crAtCorner(depth, x[i]);
    deepest = d > most ? i : deepest;
    most = d > most ? d : most;
  }
  if (most > patch->depth) {
    crPatch_SeeDepth(patch, most, crInChart(chart, x[deepest]), normal);
  }
  for (int i = 0; patch->seeCorner != NULL && i < n; ++i) {
    patch->seeCorner(patch, crInChart(chart, x[i]), crAtCorner(depth, x[i]));
  }
  for (int i = 2; i < n; ++i) {
    crPatch_AddTriangle(patch, chart, depth, x[0], x[i - 1], x[i], normal);
  }
}

int crCutRegion(int n, const crCorner* x, const crRegion* region, int j, crCorner buffers[2][CR_MAX_POLYGON],
                const crCorner** outCorners)
{
  int side = 0;
  const crLinear* own = &region->depths[j];
  for (int k = 0; k < region->count && n > 2; ++k) {
    if (k == j) {
      continue;
    }
    const crLinear* other = &region->depths[k];
    crLinear more = { other->c - own->c, other->u - own->u, other->v - own->v };
    double g[CR_MAX_POLYGON], low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < n; ++i) {
      g[i] = crAtCorner(&more, x[i]);
      low = crMin2(low, g[i]);
      high = crMax2(high, g[i]);
    }
    if (high < -region->slack || (high <= region->slack && k < j)) {
      n = 0;
    } else if (low < -region->slack) {
      n = crCutPolygon(n, x, g, buffers[side]);
      x = buffers[side];
      side = 1 - side;
    }
  }
  *outCorners = x;
  return n;
}

int crCutByPlanes(int planeCount, const crAreaPlane* planes, const crVec3* normals, const crChart* chart, double slack,
                  int* ioCount, crCorner buffers[3][CR_MAX_POLYGON], const crCorner** outCorners, crLinear* outDepths,
                  crVec3* outNormals)
{
  const crCorner* x = buffers[0];
  double low[CR_MAX_PLANES], least = HUGE_VAL;
  int n = *ioCount, side = 1;
  for (int j = 0; j < planeCount; ++j) {
    outDepths[j] = crMakeLinear(&planes[j], chart);
    double g[CR_MAX_POLYGON], lo = HUGE_VAL, hi = -HUGE_VAL;
    for (int k = 0; k < n; ++k) {
      g[k] = crAtCorner(&outDepths[j], x[k]);
      lo = crMin2(lo, g[k]);
      hi = crMax2(hi, g[k]);
    }
    if (hi <= (planes[j].isInner ? slack : 0.0)) { // what is on an inner plane is the other piece's
      return 0;
    }
    if (lo < -slack) {
      n = crCutPolygon(n, x, g, buffers[side]);
      x = buffers[side];
      side = 3 - side;
      lo = 0.0;
      if (n < 3) {
        return 0;
      }
    }
    low[j] = lo;
    least = !planes[j].isInner && hi < least ? hi : least;
  }
  int m = 0;
  for (int j = 0; j < planeCount; ++j) {
    if (!planes[j].isInner && low[j] <= least) { // not <: a parallel face has equal depths all over
      outDepths[m] = outDepths[j];
      outNormals[m++] = normals[j];
    }
  }
  *ioCount = n;
  *outCorners = x;
  return m;
}
