#include "collide/area/strip.h"

#include "collide/area/quadrature.h"

#define CR_LARGEST_APART 0.002 // [-] square of a line's distance from the axis over the radius; of a plane's slope
#define CR_LEAST_AWAY 0.25     // [-] square of the distance of points nearest to the side over the radius
#define CR_CAPPED 0.5 // [-] depth below a cap over that below the side, on the axis: the side is nearest away from it
#define CR_LARGEST_STRIP 0.25 // [-] of the distance from the axis
#define CR_LANES CR_PATCH_LANES

// The chart of the plane: origin, level direction e1, and e2.
static crChart makeChart(const crFan* fan)
{
  crVec3 n = fan->normal;
  double h = sqrt(n.x * n.x + n.y * n.y);
  crChart chart = { .origin = crScale(fan->offset, n), .e1 = crMakeVec3(-n.y / h, n.x / h, 0.0) };
  chart.e2 = crCross(n, chart.e1);
  return chart;
}

// The least depth below a cap, over that below the side on the axis.
static double compareOnAxis(const crFan* fan, crVec3 x)
{
  double cap = HUGE_VAL, side = crFanBound_At(&fan->bounds[0], x, 0.0);
  for (int k = 1; k < fan->depthCount; ++k) {
    cap = crMin2(cap, crFanBound_At(&fan->bounds[k], x, 0.0));
  }
  return cap / side;
}

// Whether the plane leaves a cone through its side alone, between caps and edges: there the side is nearest to points
// next to the axis, and no breakpoint tells where that ends.
static bool hasTip(const crFan* fan)
{
  const crFanBound* side = &fan->bounds[0];
  if (side->normal.z == 0.0) {
    return false;
  }
  crChart chart = makeChart(fan);
  double o = crFanBound_At(side, chart.origin, 0.0) / side->radial,
         growth = -side->normal.z * chart.e2.z / side->radial;
  double near = sqrt(chart.origin.x * chart.origin.x + chart.origin.y * chart.origin.y);
  // |(x, y)| = o + v growth, and (x, y) hardly changes with v
  double at[2] = { (near - o) / growth, -o / growth };
  for (int i = 0; i < 2; ++i) {
    crVec3 x = crMulAdd(chart.origin, at[i], chart.e2);
    bool isInside = true;
    for (int k = 1; k < fan->count; ++k) {
      isInside = isInside && crFanBound_At(&fan->bounds[k], x, near) >= -fan->slack;
    }
    if (isInside) {
      return true;
    }
  }
  return false;
}

bool crFan_NeedsStrips(const crFan* fan)
{
  crVec3 n = fan->normal;
  double h2 = n.x * n.x + n.y * n.y, c2 = fan->bounds[0].radial * fan->bounds[0].radial, least = HUGE_VAL,
         most = -HUGE_VAL;
  bool isCapped = true;
  for (int i = 0; i < fan->breakCount; ++i) {
    const crFanBreak* b = &fan->breaks[i];
    double beside = n.x * b->x.x + n.y * b->x.y, along = n.x * b->x.y - n.y * b->x.x, r2 = b->r * b->r;
    double side = crFanBound_At(&fan->bounds[0], b->x, 0.0), radius2 = side * side / c2; // c R(z)
    bool isOfSide = crFanBound_At(&fan->bounds[0], b->x, b->r) <= b->depth + fan->slack;
    if (beside * beside > CR_LARGEST_APART * radius2 * h2 || (isOfSide && r2 < CR_LEAST_AWAY * radius2)) {
      return false;
    }
    least = crMin2(least, along * fabs(along) / (radius2 * h2));
    most = crMax2(most, along * fabs(along) / (radius2 * h2));
    isCapped = isCapped && compareOnAxis(fan, b->x) < CR_CAPPED;
  }
  if (fan->depthCount == 3) { // below both caps points on the axis are deepest between
    double middle = 0.5 * (fan->bounds[2].offset - fan->bounds[1].offset);
    isCapped = isCapped && compareOnAxis(fan, crMakeVec3(0.0, 0.0, middle)) < CR_CAPPED;
  }
  bool isOneSided = least > CR_LEAST_AWAY || most < -CR_LEAST_AWAY;
  return fan->breakCount > 1 && n.z * n.z < CR_LARGEST_APART && (isOneSided || isCapped) && !hasTip(fan);
}

// Lines at eight heights: bound k is start[k] + t slope[k], or start[k] - radial r.
typedef struct Strips {
  double v[CR_LANES], weight[CR_LANES], apart[CR_LANES]; // apart: square of the distance q from the axis
  double low[CR_LANES], high[CR_LANES];
  double start[CR_MAX_FAN_BOUNDS][CR_LANES], slope[CR_MAX_FAN_BOUNDS];
} Strips;

static void placeStrips(const crFan* fan, const crChart* chart, Strips* l)
{
  crVec3 o = chart->origin, e = chart->e2;
  for (int i = 0; i < CR_LANES; ++i) {
    double x = o.x + l->v[i] * e.x, y = o.y + l->v[i] * e.y; // across e1
    l->apart[i] = x * x + y * y;
  }
  for (int k = 0; k < fan->count; ++k) {
    const crFanBound* f = &fan->bounds[k];
    double offset = f->offset - crDot(f->normal, o), turn = -crDot(f->normal, e);
    l->slope[k] = -crDot(f->normal, chart->e1);
    for (int i = 0; i < CR_LANES; ++i) {
      l->start[k][i] = offset + turn * l->v[i];
    }
  }
}

// Keeps a + b t >= 0.
static void cutByPlane(const double* a, double b, Strips* l)
{
  for (int i = 0; i < CR_LANES; ++i) {
    double at = -a[i] / b;
    l->low[i] = crMax2(b > 0.0 ? at : b == 0.0 && a[i] < 0.0 ? HUGE_VAL : -HUGE_VAL, l->low[i]);
    l->high[i] = crMin2(b < 0.0 ? at : HUGE_VAL, l->high[i]);
  }
}

// Keeps r <= (side - other) / radial, or t beyond that.
static void cutByRadius(const double* side, const double* other, double radial, bool isInside, Strips* l)
{
  for (int i = 0; i < CR_LANES; ++i) {
    double r = (side[i] - (other != NULL ? other[i] : 0.0)) / radial, square = r > 0.0 ? r * r - l->apart[i] : 0.0;
    double at = sqrt(crMax2(square, 0.0));
    l->low[i] = crMax2(isInside ? -at : at, l->low[i]);
    l->high[i] = isInside ? crMin2(at, l->high[i]) : l->high[i];
  }
}

// The part of all lines that depth j is nearest to; depth 0 is that below the side, of which only t > 0 is taken.
// Others do not change along e1.
static void cutStrips(const crFan* fan, int j, Strips* l)
{
  double radial = fan->bounds[0].radial;
  for (int i = 0; i < CR_LANES; ++i) {
    l->low[i] = j == 0 ? 0.0 : -HUGE_VAL;
    l->high[i] = HUGE_VAL;
  }
  cutByRadius(l->start[0], j == 0 ? NULL : l->start[j], radial, true, l);
  for (int k = 1; k < fan->count; ++k) {
    if (k < fan->depthCount && j == 0) {
      cutByRadius(l->start[0], l->start[k], radial, false, l);
    } else if (k < fan->depthCount) {
      double more[CR_LANES];
      for (int i = 0; i < CR_LANES; ++i) {
        more[i] = l->start[k][i] - (k == j ? 0.0 : l->start[j][i]);
      }
      cutByPlane(more, 0.0, l);
    } else if (fan->bounds[k].radial == 0.0) {
      cutByPlane(l->start[k], l->slope[k], l);
    }
  }
}

static void addStrips(const crFan* fan, int j, const crChart* chart, const Strips* l, crPatch* patch)
{
  const crFanBound* f = &fan->bounds[j];
  for (int g = 0; g < 3; ++g) {
    int at = crPatch_MakeRoom(patch, CR_LANES);
    for (int i = 0; i < CR_LANES; ++i) {
      double low = l->low[i], high = crMax2(l->high[i], low);
      bool isFinite = high < HUGE_VAL;
      double half = isFinite ? 0.5 * (high - low) : 0.0, t = (isFinite ? low : 0.0) + half * (1.0 + cr_threeAlong.x[g]);
      double r = sqrt(l->apart[i] + t * t);
      crVec3 x = crInChart(chart, (crCorner){ t, l->v[i] });
      patch->w[at + i] = l->weight[i] * half * cr_threeAlong.w[g];
      patch->d[at + i] = l->start[j][i] - f->radial * r;
      patch->x[0][at + i] = fan->origin.x + x.x;
      patch->x[1][at + i] = fan->origin.y + x.y;
      patch->x[2][at + i] = fan->origin.z + x.z;
      patch->m[0][at + i] = f->normal.x + f->radial * x.x / r;
      patch->m[1][at + i] = f->normal.y + f->radial * x.y / r;
      patch->m[2][at + i] = f->normal.z;
    }
    patch->count = at + CR_LANES;
  }
}

// Between two heights.
static void addBetween(const crFan* fan, int j, const crChart* chart, double from, double to, double size,
                       crPatch* patch)
{
  int parts = to - from > CR_LARGEST_STRIP * size ? (int)((to - from) / (CR_LARGEST_STRIP * size)) + 1 : 1;
  double half = 0.5 * (to - from) / parts;
  for (int p = 0; p < parts; ++p) {
    Strips strips;
    int some = 0;
    for (int i = 0; i < CR_LANES; ++i) {
      strips.v[i] = from + half * (2 * p + 1 + cr_eightAlong.x[i]);
      strips.weight[i] = half * cr_eightAlong.w[i];
    }
    placeStrips(fan, chart, &strips);
    cutStrips(fan, j, &strips);
    for (int i = 0; i < CR_LANES; ++i) {
      some += strips.low[i] < strips.high[i];
    }
    if (some > 0) {
      addStrips(fan, j, chart, &strips, patch);
    }
  }
}

static void addPart(const crFan* fan, int j, const crChart* chart, crPatch* patch)
{
  const crFanBreak* from = NULL;
  for (int i = 0; i < fan->breakCount; ++i) {
    const crFanBreak* to = &fan->breaks[i];
    if (crFanBound_At(&fan->bounds[j], to->x, to->r) > to->depth + 2.0 * fan->slack) {
      continue;
    }
    if (from != NULL && to->key > from->key) {
      addBetween(fan, j, chart, from->key, to->key, to->r, patch);
    }
    from = to;
  }
}

void crFan_AddStrips(crFan* fan, crPatch* patch)
{
  crChart chart = makeChart(fan);
  patch->isBroken |= fan->isBroken;
  for (int i = 0; i < fan->breakCount; ++i) {
    fan->breaks[i].key = crDot(chart.e2, fan->breaks[i].x);
  }
  crFan_SortBreaks(fan);
  for (int j = 0; j < fan->depthCount; ++j) {
    addPart(fan, j, &chart, patch);
  }
  chart.e1 = crNeg(chart.e1);
  addPart(fan, 0, &chart, patch);
}
