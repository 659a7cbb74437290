// Along a line integrands are g^m, smooth between breaks of the foot. From line to line the deepest place of a line
// goes up and down once: on a flat sheet because D is convex there, and on a round one as far as contacts are small.
// What is inside begins like a power of m + 1/2 of the line's depth (rib.c), or m where lines are all inside.
#include "collide/area/sheet.h"

#include "collide/area/nodes.h"
#include "collide/area/polygon.h"

#define CR_ROOT_ROUNDS 60
#define CR_ROOT_EXACT 1e-13 // [-] of the range of the parameter
#define CR_ROOT_NEAR 1e-8   // [-] of the depth
#define CR_LEVEL 1e-7       // [-] a slope
#define CR_UNION 1e-7       // [-] of the range of the parameter: nearer breaks are one
#define CR_TRIAL 1e-6       // [-] of the range of the parameter: on both sides of a break features differ

// A line at the parameter v: its deepest place, and how that goes down with v.
typedef struct Row {
  double v, depth, slope;
  crLineFoot deepest;
} Row;

static Row findRow(const crBalls* balls, const crSheet* sheet, double v)
{
  crRuling ruling;
  crBallLine line;
  Row row = { .v = v };
  double share = 0.0;
  sheet->rule(sheet->data, v, &ruling);
  if (crMakeBallLine(balls, ruling.p, ruling.q, &line)) {
    share = crBallLine_FindDeepest(&line, &row.deepest) / line.length;
  } else {
    row.deepest = crBalls_FindFoot(balls, ruling.p); // a corner, from which lines widen: towards the deeper side
    double p = crDot(row.deepest.outward, ruling.pRate), q = crDot(row.deepest.outward, ruling.qRate);
    share = (p < q) == (v < sheet->breaks[sheet->count - 1]) ? 0.0 : 1.0;
  }
  crVec3 rate = crMulAdd(ruling.pRate, share, crSub(ruling.qRate, ruling.pRate));
  row.depth = row.deepest.depth;
  row.slope = crDot(row.deepest.outward, rate);
  return row;
}

// A row between a and b where the slope, or the depth, is 0, the Illinois way.
static Row findRootRow(const crBalls* balls, const crSheet* sheet, bool ofSlope, Row a, Row b, double near)
{
  double fa = ofSlope ? a.slope : a.depth, fb = ofSlope ? b.slope : b.depth;
  double range = sheet->breaks[sheet->count - 1] - sheet->breaks[0];
  for (int i = 0; i < CR_ROOT_ROUNDS && fabs(b.v - a.v) > CR_ROOT_EXACT * range; ++i) {
    Row row = findRow(balls, sheet, (a.v * fb - b.v * fa) / (fb - fa));
    double f = ofSlope ? row.slope : row.depth;
    if (fabs(f) <= near) {
      return row;
    }
    if ((f > 0.0) == (fb > 0.0)) {
      fa *= 0.5;
    } else {
      a = b;
      fa = fb;
    }
    b = row;
    fb = f;
  }
  return b;
}

static void addLinePart(const crBallLine* line, const crRuling* ruling, double from, double to, double weight)
{
  for (int k = 0; k < crNodes9.count; ++k) {
    double t = 0.5 * (from + to) + 0.5 * (to - from) * crNodes9.x[k], share = t / line->length;
    double area = ruling->areaP + share * (ruling->areaQ - ruling->areaP);
    crLineFoot foot = crBallLine_FindFoot(line, t);
    crBalls_AddBall(line->balls, &foot, 0.5 * (to - from) * crNodes9.w[k] * area * weight);
  }
}

static void addLine(const crBalls* balls, const crSheet* sheet, double v, double weight)
{
  crRuling ruling;
  crBallLine line;
  crRange range;
  sheet->rule(sheet->data, v, &ruling);
  if (!crMakeBallLine(balls, ruling.p, ruling.q, &line) || !crBallLine_FindRange(&line, &range)) {
    return;
  }
  double breaks[CR_MAX_BREAKS + 1], from = range.from;
  int count = crBallLine_ListBreaks(&line, &range, breaks);
  for (int i = 0; i <= count; from = breaks[i++]) {
    addLinePart(&line, &ruling, from, breaks[i], weight);
  }
}

// Depth rises from `low` to `high`.
static void addRows(const crBalls* balls, const crSheet* sheet, const Row* low, double high)
{
  double fall = fabs(low->slope), sign = high > low->v ? 1.0 : -1.0, length = fabs(high - low->v);
  double depth = crMax2(low->depth, 0.0);
  bool isSteady = !(fall * length > depth);
  double before = isSteady ? 0.0 : depth / fall, from = sqrt(before), to = sqrt(before + length);
  for (int k = 0; k < crNodes9.count; ++k) {
    double s = 0.5 * (from + to) + 0.5 * (to - from) * crNodes9.x[k];
    double v = isSteady ? 0.5 * length * (1.0 + crNodes9.x[k]) : s * s - before;
    addLine(balls, sheet, low->v + sign * v, 0.5 * crNodes9.w[k] * (isSteady ? length : 2.0 * s * (to - from)));
  }
}

// From break to break, and from both sides towards the deepest row.
static void addRange(const crBalls* balls, const crSheet* sheet, const Row* first, const Row* top, const Row* last)
{
  Row before = *first;
  for (int i = 1; i < sheet->count; ++i) {
    double to = crMin2(sheet->breaks[i], last->v), rise = crMin2(to, top->v), fall = crMax2(before.v, top->v);
    if (!(to > before.v + CR_UNION * (last->v - first->v)) && to < last->v) {
      continue;
    }
    if (to <= before.v) {
      break;
    }
    if (rise > before.v) {
      addRows(balls, sheet, &before, rise);
    }
    Row after = to == last->v ? *last : findRow(balls, sheet, to);
    if (to > fall) {
      addRows(balls, sheet, &after, fall);
    }
    before = after;
  }
}

void crSheet_AddBreak(crSheet* sheet, double v)
{
  if (sheet->count == CR_MAX_SHEET_BREAKS) {
    return;
  }
  int k = sheet->count++;
  for (; k > 0 && sheet->breaks[k - 1] > v; --k) {
    sheet->breaks[k] = sheet->breaks[k - 1];
  }
  sheet->breaks[k] = v;
}

void crAddSheet(const crBalls* balls, crSheet* sheet)
{
  Row first = findRow(balls, sheet, sheet->breaks[0]), last = findRow(balls, sheet, sheet->breaks[sheet->count - 1]);
  Row top = first;
  if (first.slope < 0.0) {
    top = last.slope > 0.0 ? findRootRow(balls, sheet, true, first, last, CR_LEVEL) : last;
  }
  if (!(top.depth > 0.0)) {
    return;
  }
  double near = CR_ROOT_NEAR * top.depth;
  first = first.depth < 0.0 ? findRootRow(balls, sheet, false, first, top, near) : first;
  last = last.depth < 0.0 ? findRootRow(balls, sheet, false, last, top, near) : last;
  if (sheet->addBreaks != NULL) {
    sheet->addBreaks(balls, sheet, first.v, last.v);
  }
  crPatch_TakeSpots(balls->patch, false);
  addRange(balls, sheet, &first, &top, &last);
}

// ---------------------------------------------------------------------------------------------- facets

// Corners in a chart with u along the lines and v from line to line.
typedef struct Facet {
  crChart chart;
  int n;
  crCorner corners[CR_MAX_SHEET_CORNERS];
} Facet;

// Where the border is at v: u and its rate, on both sides.
static void ruleFacet(const void* data, double v, crRuling* out)
{
  const Facet* facet = data;
  double low = HUGE_VAL, high = -HUGE_VAL, lowRate = 0.0, highRate = 0.0;
  for (int i = 0; i < facet->n; ++i) {
    crCorner a = facet->corners[i], b = facet->corners[i + 1 < facet->n ? i + 1 : 0];
    if ((a.v < v && b.v < v) || (a.v > v && b.v > v)) {
      continue;
    }
    if (a.v == b.v) {
      low = crMin2(low, crMin2(a.u, b.u));
      high = crMax2(high, crMax2(a.u, b.u));
      continue;
    }
    double rate = (b.u - a.u) / (b.v - a.v), u = v == b.v ? b.u : a.u + rate * (v - a.v);
    lowRate = u <= low ? rate : lowRate;
    highRate = u >= high ? rate : highRate;
    low = crMin2(low, u);
    high = crMax2(high, u);
  }
  const crChart* chart = &facet->chart;
  *out = (crRuling){ .p = crInChart(chart, (crCorner){ low, v }),
                     .q = crInChart(chart, (crCorner){ high, v }),
                     .pRate = crMulAdd(chart->e2, lowRate, chart->e1),
                     .qRate = crMulAdd(chart->e2, highRate, chart->e1),
                     .areaP = 1.0,
                     .areaQ = 1.0 };
}

// Over one flat of the other core all is linear. The depth below its plane is never less than g, so that what is below
// the plane decides: if all its corners have that flat as their feature, then all of it has. False: it is not like
// that.
static bool addLinear(const crBalls* balls, const Facet* facet, const crLineFoot* at)
{
  crVec3 n = at->outward;
  crAreaPlane plane = { n, crDot(n, at->c) + at->depth, false };
  crLinear depth = crMakeLinear(&plane, &facet->chart);
  double g[CR_MAX_SHEET_CORNERS];
  crCorner cut[CR_MAX_SHEET_CORNERS + 1];
  for (int i = 0; i < facet->n; ++i) {
    g[i] = crAtCorner(&depth, facet->corners[i]);
  }
  int count = crCutPolygon(facet->n, facet->corners, g, cut);
  for (int i = 0; i < count; ++i) {
    crLineFoot foot = crBalls_FindFoot(balls, crInChart(&facet->chart, cut[i]));
    if (!foot.isFlat || foot.feature != at->feature) {
      return false;
    }
  }
  crChart chart = facet->chart;
  chart.origin = crMulAdd(chart.origin, -balls->sweep, n);
  crPatch_TakeOffset(balls->patch, false, crScale(balls->sweep, n));
  crPatch_AddPolygon(balls->patch, count, cut, HUGE_VAL, &chart, &depth, n);
  return true;
}

// A line in a facet, and what v its lines have.
typedef struct Trace {
  const crBalls* balls;
  crBallLine line;
  double v, rate;
  crVec3 across; // [m] a short way to both sides, between which features may differ; zero: it is the border
  double from, to;
  crSheet* sheet;
} Trace;

static void addTraceBreak(const Trace* trace, double t)
{
  double v = trace->v + trace->rate * t;
  if (!(v > trace->from && v < trace->to)) {
    return;
  }
  if (crMaxAbs(trace->across) > 0.0) {
    crVec3 c = crMulAdd(trace->line.start, t, trace->line.along);
    crLineFoot a = crBalls_FindFoot(trace->balls, crAdd(c, trace->across));
    crLineFoot b = crBalls_FindFoot(trace->balls, crSub(c, trace->across));
    if (a.feature == b.feature) {
      return;
    }
  }
  crSheet_AddBreak(trace->sheet, v);
}

// Where a line in the facet goes in and out of the other shape, and over its features.
static void addTrace(const crBalls* balls, const Facet* facet, crCorner a, crCorner b, double across, double from,
                     double to, crSheet* sheet)
{
  Trace trace = { .balls = balls, .v = a.v, .from = from, .to = to, .sheet = sheet };
  crRange range;
  double breaks[CR_MAX_BREAKS + 1];
  if (!crMakeBallLine(balls, crInChart(&facet->chart, a), crInChart(&facet->chart, b), &trace.line) ||
      !crBallLine_FindRange(&trace.line, &range)) {
    return;
  }
  trace.rate = (b.v - a.v) / trace.line.length;
  trace.across = crScale(across, crCross(trace.line.along, crCross(facet->chart.e1, facet->chart.e2)));
  int count = crBallLine_ListBreaks(&trace.line, &range, breaks);
  addTraceBreak(&trace, range.from);
  for (int k = 0; k <= count; ++k) {
    addTraceBreak(&trace, breaks[k]);
  }
}

// The part of a facet where f >= 0 is more than 0 on one side: the ends of f = 0 within.
static bool cutFacet(const Facet* facet, const crLinear* f, crCorner ends[2])
{
  int count = 0;
  for (int i = 0; i < facet->n; ++i) {
    crCorner a = facet->corners[i], b = facet->corners[i + 1 < facet->n ? i + 1 : 0];
    double fa = crAtCorner(f, a), fb = crAtCorner(f, b);
    if ((fa > 0.0) != (fb > 0.0) && count < 2) {
      double s = fa / (fa - fb);
      ends[count++] = (crCorner){ a.u + s * (b.u - a.u), a.v + s * (b.v - a.v) };
    }
  }
  return count == 2;
}

// Cuts the line to from <= v <= to; false: nothing is left.
static bool cutLine(crCorner ends[2], double from, double to)
{
  crCorner a = ends[0], b = ends[1];
  if (a.v > b.v) {
    a = ends[1];
    b = ends[0];
  }
  if (b.v <= from || a.v >= to) {
    return false;
  }
  double rate = b.v > a.v ? (b.u - a.u) / (b.v - a.v) : 0.0;
  ends[0] = a.v < from ? (crCorner){ a.u + rate * (from - a.v), from } : a;
  ends[1] = b.v > to ? (crCorner){ a.u + rate * (to - a.v), to } : b;
  return true;
}

// On the border, and on the lines where features of the other core change.
static void addFacetBreaks(const crBalls* balls, crSheet* sheet, double from, double to)
{
  const Facet* facet = sheet->data;
  crCellPlane planes[CR_MAX_CELL_PLANES];
  for (int i = 0; i < facet->n; ++i) {
    crCorner a = facet->corners[i], b = facet->corners[i + 1 < facet->n ? i + 1 : 0];
    addTrace(balls, facet, a, b, 0.0, from, to, sheet);
  }
  const crPose* X = &balls->X_AB;
  crVec3 normal = crCross(facet->chart.e1, facet->chart.e2);
  int count = crListCellPlanes(balls->other, crMulTV(X->R, crSub(facet->chart.origin, X->p)), crMulTV(X->R, normal),
                               balls->reach, planes);
  for (int k = 0; k < count; ++k) {
    crVec3 across = crMulMV(X->R, planes[k].normal);
    crAreaPlane plane = { across, crDot(across, crTransformPoint(*X, planes[k].x)), false };
    crLinear f = crMakeLinear(&plane, &facet->chart);
    crCorner ends[2];
    if (cutFacet(facet, &f, ends) && cutLine(ends, from, to)) {
      addTrace(balls, facet, ends[0], ends[1], CR_TRIAL * (to - from), from, to, sheet);
    }
  }
}

static bool isFar(const crBalls* balls, int n, const crVec3* corners)
{
  double length = 0.0;
  for (int i = 1; i < n; ++i) {
    length = crMax2(length, crLengthSquared(crSub(corners[i], corners[0])));
  }
  return crBalls_FindFoot(balls, corners[0]).depth + sqrt(length) <= 0.0;
}

void crAddFacet(const crBalls* balls, int n, const crVec3* corners, crVec3 normal)
{
  if (isFar(balls, n, corners)) {
    return;
  }
  Facet facet = { .n = n };
  facet.chart = (crChart){ .origin = corners[0], .e1 = crNormalize(crSub(corners[1], corners[0])) };
  facet.chart.e2 = crCross(normal, facet.chart.e1);
  crSheet sheet = { .rule = ruleFacet, .addBreaks = addFacetBreaks, .data = &facet };
  crLineFoot deepest = { .depth = -HUGE_VAL };
  for (int i = 0; i < n; ++i) {
    crVec3 x = crSub(corners[i], corners[0]);
    crCorner c = { crDot(facet.chart.e1, x), crDot(facet.chart.e2, x) };
    c.v = i < 2 ? 0.0 : c.v;
    facet.corners[i] = c;
    crSheet_AddBreak(&sheet, c.v);
    crLineFoot foot = crBalls_FindFoot(balls, corners[i]);
    deepest = foot.depth > deepest.depth ? foot : deepest;
  }
  if (!deepest.isFlat || !addLinear(balls, &facet, &deepest)) {
    crAddSheet(balls, &sheet);
  }
}
