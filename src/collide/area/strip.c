// Along t the largest depth of a cross-section is
//
//   F(t) = reach - D - r (1 - cos b),   sin b = N . along = D'
//
// D is convex, so F has its largest value where D has its least, and falls on both sides: the ends of what is inside
// are found by bracketing. Across, with y = sin(chi / 2), chi the angle from the deepest direction, d = F - 2 r cos b
// y^2 is a parabola. Between breaks of the foot (and of where the contact leaves the strip's angles) all is smooth in
// t.
#include "collide/area/strip.h"

#include "base/elementary.h"
#include "collide/area/nodes.h"
#include "collide/area/polygon.h"

#define CR_ROOT_ROUNDS 80
#define CR_ROOT_EXACT 1e-14 // [-] of the length
#define CR_ROOT_NEAR 1e-9   // [-] of the depth: what is cut off by a wrong end goes with its 7/2nd power
#define CR_STEADY 0.5       // [-] of the largest depth: where both ends are deeper, few nodes do

// One cross-section.
typedef struct Section {
  crCoreFoot foot;
  crVec3 c;
  double slope; // N . along
  double flat;  // cos b
  double depth; // [m] F
} Section;

static Section findSection(const crBallSurface* surface, const crStrip* strip, double t)
{
  Section s;
  s.c = crMulAdd(strip->start, t, strip->along);
  s.foot = crBallSurface_FindFoot(surface, s.c);
  s.slope = crDot(s.foot.outward, strip->along);
  s.flat = sqrt(crMax2(0.0, 1.0 - s.slope * s.slope));
  s.depth = surface->reach - s.foot.distance - surface->radius * (1.0 - s.flat);
  return s;
}

// ------------------------------------------------------------------------------------------------- range

typedef double (*Measure)(const Section* section);

static double measureSlope(const Section* section)
{
  return section->slope;
}

static double measureDepth(const Section* section)
{
  return section->depth;
}

// A zero between a and b, where the measure is fa and fb of different signs: false position, the Illinois way.
static double findRoot(const crBallSurface* surface, const crStrip* strip, Measure measure, double a, double fa,
                       double b, double fb, double near)
{
  double t = a;
  for (int i = 0; i < CR_ROOT_ROUNDS && fabs(b - a) > CR_ROOT_EXACT * strip->length; ++i) {
    t = (a * fb - b * fa) / (fb - fa);
    Section section = findSection(surface, strip, t);
    double f = measure(&section);
    if (fabs(f) <= near) {
      return t;
    }
    if ((f > 0.0) == (fb > 0.0)) {
      fa *= 0.5;
    } else {
      a = b;
      fa = fb;
    }
    b = t;
    fb = f;
  }
  return t;
}

typedef struct Range {
  double from, to;
  double depth; // [m] the largest
} Range;

// What is inside; false: nothing.
static bool findRange(const crBallSurface* surface, const crStrip* strip, Range* out)
{
  double length = strip->length, t = 0.0;
  Section first = findSection(surface, strip, 0.0), last = findSection(surface, strip, length), top = first;
  if (first.slope < 0.0 && last.slope <= 0.0) {
    t = length;
    top = last;
  } else if (first.slope < 0.0) {
    t = findRoot(surface, strip, measureSlope, 0.0, first.slope, length, last.slope, 0.0);
    top = findSection(surface, strip, t);
  }
  if (!(top.depth > 0.0)) {
    return false;
  }
  double near = CR_ROOT_NEAR * top.depth;
  *out = (Range){ 0.0, length, top.depth };
  if (first.depth < 0.0) {
    out->from = findRoot(surface, strip, measureDepth, 0.0, first.depth, t, top.depth, near);
  }
  if (last.depth < 0.0) {
    out->to = findRoot(surface, strip, measureDepth, length, last.depth, t, top.depth, near);
  }
  if (strip->width >= M_PI) {
    crBallSurface_SeeDepth(surface, top.c, &top.foot);
  }
  return true;
}

// ------------------------------------------------------------------------------------------------ points

// Weight: along the strip.
static void addSection(const crBallSurface* surface, const crStrip* strip, double t, double weight)
{
  Section s = findSection(surface, strip, t);
  if (!(s.depth > 0.0) || !(s.flat > 0.0)) {
    return;
  }
  double r = surface->radius, bend = 2.0 * r * s.flat, most = crMin2(s.depth / bend, 1.0);
  crVec3 down = crScale(-1.0 / s.flat, crMulAdd(s.foot.outward, -s.slope, strip->along));
  crVec3 beside = crCross(strip->along, down);
  double from = -sqrt(most), to = -from;
  for (int k = 0; k < crNodes5.count; ++k) {
    double y = 0.5 * (from + to) + 0.5 * (to - from) * crNodes5.x[k], root = sqrt(1.0 - y * y);
    crVec3 n = crMulAdd(crScale(1.0 - 2.0 * y * y, down), 2.0 * y * root, beside);
    crBallSurface_AddPoint(surface, weight * r * (to - from) * crNodes5.w[k] / root, s.depth - bend * y * y, s.c, n,
                           &s.foot);
  }
}

static void addPart(const crBallSurface* surface, const crStrip* strip, double from, double to, const crNodes* nodes)
{
  double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  for (int k = 0; k < nodes->count; ++k) {
    addSection(surface, strip, middle + half * nodes->x[k], half * nodes->w[k]);
  }
}

void crAddStrip(const crBallSurface* surface, const crStrip* strip)
{
  Range range;
  if (!findRange(surface, strip, &range)) {
    return;
  }
  double breaks[CR_MAX_BREAKS + 1];
  const crPose* X = &surface->X_AB;
  crVec3 start = crMulTV(X->R, crSub(strip->start, X->p)), along = crMulTV(X->R, strip->along);
  int count = crListBreaks(surface->other, start, along, range.from, range.to, breaks);
  breaks[count] = range.to;
  double from = range.from, before = findSection(surface, strip, from).depth;
  for (int i = 0; i <= count; ++i) {
    double after = findSection(surface, strip, breaks[i]).depth;
    bool isSteady = crMin2(before, after) > CR_STEADY * range.depth;
    addPart(surface, strip, from, breaks[i], isSteady ? &crNodes7 : &crNodesEnds);
    from = breaks[i];
    before = after;
  }
}
