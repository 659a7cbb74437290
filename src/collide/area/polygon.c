#include "collide/area/polygon.h"

#include "collide/area/wide.h"

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

// One convex quadrangle by 3 x 3 points of Gauss, exact likewise: a polynomial of the fourth degree, times the change
// of area, which is linear, is of the fifth in each of both directions. The ninth point is the middle.
static void addQuadrangle(crPatch* patch, const crChart* chart, const crLinear* depth, const crCorner* p0,
                          const crCorner* p1, const crCorner* p2, const crCorner* p3, crVec3 normal)
{
  const double a = 0.11270166537925831, b = 1.0 - a, v = 25.0 / 324.0, w = 40.0 / 324.0, middle = 64.0 / 324.0;
  const crWide s = { a, 0.5, b, a, b, a, 0.5, b }, t = { a, a, a, 0.5, 0.5, b, b, b }, st = s * t;
  const crWide share = { v, w, v, w, w, v, w, v };
  crCorner e = { p1->u - p0->u, p1->v - p0->v }, f = { p3->u - p0->u, p3->v - p0->v };
  crCorner g = { p2->u - p1->u - f.u, p2->v - p1->v - f.v }; // what a parallelogram has not
  double j0 = e.u * f.v - f.u * e.v, js = e.u * g.v - g.u * e.v, jt = g.u * f.v - f.u * g.v;
  crWide U = p0->u + e.u * s + f.u * t + g.u * st, V = p0->v + e.v * s + f.v * t + g.v * st;
  double u = p0->u + 0.5 * (e.u + f.u) + 0.25 * g.u, v0 = p0->v + 0.5 * (e.v + f.v) + 0.25 * g.v;
  const double *o = &chart->origin.x, *e1 = &chart->e1.x, *e2 = &chart->e2.x, *n = &normal.x;
  int i = crPatch_MakeRoom(patch, CR_WIDE_LANES + 1);
  *(crWide*)&patch->w[i] = share * (j0 + js * s + jt * t);
  *(crWide*)&patch->d[i] = depth->c + depth->u * U + depth->v * V;
  patch->w[i + CR_WIDE_LANES] = middle * (j0 + 0.5 * (js + jt));
  patch->d[i + CR_WIDE_LANES] = depth->c + depth->u * u + depth->v * v0;
  for (int k = 0; k < 3; ++k) {
    *(crWide*)&patch->x[k][i] = o[k] + e1[k] * U + e2[k] * V;
    *(crWide*)&patch->m[k][i] = (crWide){ 0.0 } + n[k];
    patch->x[k][i + CR_WIDE_LANES] = o[k] + e1[k] * u + e2[k] * v0;
    patch->m[k][i + CR_WIDE_LANES] = n[k];
  }
  patch->count = i + CR_WIDE_LANES + 1;
}

static void seeCorners(crPatch* patch, int n, const crCorner* x, const crChart* chart, const crLinear* depth,
                       crVec3 normal)
{
  for (int i = 0; i < n; ++i) {
    double d = crAtCorner(depth, x[i]);
    if (d > patch->depth) {
      crPatch_SeeDepth(patch, d, crInChart(chart, x[i]), normal);
    }
    if (patch->seeCorner != NULL) {
      patch->seeCorner(patch, crInChart(chart, x[i]), d);
    }
  }
}

void crPatch_AddPolygon(crPatch* patch, int n, const crCorner* x, double most, const crChart* chart,
                        const crLinear* depth, crVec3 normal)
{
  if (most > patch->depth || patch->seeCorner != NULL) {
    seeCorners(patch, n, x, chart, depth, normal);
  }
  int i = 3;
  for (; i < n; i += 2) {
    addQuadrangle(patch, chart, depth, &x[0], &x[i - 2], &x[i - 1], &x[i], normal);
  }
  if (i == n) {
    crPatch_AddTriangle(patch, chart, depth, x[0], x[n - 2], x[n - 1], normal);
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
    if (crAreOnePlane(&more, region->slack)) {
      n = k < j ? 0 : n;
      continue;
    }
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
