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
#define CR_LEAST_FLAT 1e-6  // [-] cos b: no edge stands so straight

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
  double deepest; // where
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
  *out = (Range){ 0.0, length, t };
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
  const crNodes* nodes = crChooseNodes(most);
  for (int k = 0; k < nodes->count; ++k) {
    double y = 0.5 * (from + to) + 0.5 * (to - from) * nodes->x[k], root = sqrt(1.0 - y * y);
    crVec3 n = crMulAdd(crScale(1.0 - 2.0 * y * y, down), 2.0 * y * root, beside);
    crBallSurface_AddPoint(surface, weight * r * (to - from) * nodes->w[k] / root, s.depth - bend * y * y, s.c, n,
                           &s.foot);
  }
}

// The derivative of F.
static double findFall(const crBallSurface* surface, const crStrip* strip, const Section* s)
{
  double bend = crDot(strip->along, crCoreFoot_Bend(&s->foot, strip->along));
  return -s->slope * (1.0 + surface->radius * bend / crMax2(s->flat, CR_LEAST_FLAT));
}

// F rises from `low` to `high`, in either direction of t. Where it is 0, or would be if it went on like that,
// integrands begin like a power of m + 1/2: smooth in v, t - t0 = v^2.
static void addPart(const crBallSurface* surface, const crStrip* strip, double low, double high)
{
  Section end = findSection(surface, strip, low);
  double fall = fabs(findFall(surface, strip, &end)), sign = high > low ? 1.0 : -1.0, length = fabs(high - low);
  double depth = crMax2(end.depth, 0.0);
  bool isSteady = !(fall * length > depth);
  double before = isSteady ? 0.0 : depth / fall, from = sqrt(before), to = sqrt(before + length);
  for (int k = 0; k < crNodes9.count; ++k) {
    double v = 0.5 * (from + to) + 0.5 * (to - from) * crNodes9.x[k];
    double t = isSteady ? 0.5 * length * (1.0 + crNodes9.x[k]) : v * v - before;
    double weight = 0.5 * crNodes9.w[k] * (isSteady ? length : 2.0 * v * (to - from));
    addSection(surface, strip, low + sign * t, weight);
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
  double from = range.from;
  for (int i = 0; i <= count; from = breaks[i++]) {
    double to = breaks[i], rise = crMin2(to, range.deepest);
    if (rise > from) {
      addPart(surface, strip, from, rise);
    }
    if (to > crMax2(from, rise)) {
      addPart(surface, strip, to, crMax2(from, rise));
    }
  }
}
