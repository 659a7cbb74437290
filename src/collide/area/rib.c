#include "collide/area/rib.h"

#include "collide/area/nodes.h"
#include "collide/area/polygon.h"

// Of the square of the distance from the middle of a parabola, its spread in each of three directions [-]. Long ribs
// would have 1/2, as of the two directions across one is there; a little less makes up for the one along, where ribs
// are as short as wide. 0.3 makes the mean half axis of a disc.
#define CR_RIB_SPREAD 0.42
#define CR_KNOB_SPREAD 0.3

#define CR_ROOT_ROUNDS 80
#define CR_ROOT_EXACT 1e-14 // [-] of the length
#define CR_ROOT_NEAR 1e-9   // [-] of the depth: what is cut off by a wrong end goes with its 7/2nd power

// x = c, in own axes
static crCoreFoot findFoot(const crBalls* balls, crVec3 c)
{
  const crPose* X = &balls->X_AB;
  crCoreFoot foot = crComputeCoreFoot(balls->other, crMulTV(X->R, crSub(c, X->p)));
  foot.outward = crMulMV(X->R, foot.outward);
  return foot;
}

// ---------------------------------------------------------------------------------------------- points

// A ball about c, turned into the axes of the patch.
typedef struct Spot {
  crVec3 x, z, normal;
} Spot;

static Spot makeSpot(const crBalls* balls, crVec3 c, crVec3 outward)
{
  const crPose* X = balls->X_PA;
  Spot spot = { .z = c, .normal = outward };
  if (X != NULL) {
    spot.z = crTransformPoint(*X, c);
    spot.normal = crMulMV(X->R, outward);
  }
  spot.x = crMulAdd(spot.z, -balls->sweep, spot.normal);
  return spot;
}

static void seeDepth(const crBalls* balls, crVec3 c, const crCoreFoot* foot)
{
  double depth = balls->reach - foot->distance;
  if (depth > balls->patch->depth) {
    Spot spot = makeSpot(balls, c, foot->outward);
    crPatch_SeeDepth(balls->patch, depth, spot.x, spot.normal);
    balls->patch->deepestSpot = spot.z;
  }
}

// Four of Gauss' nodes across, in pairs: y^2 / y_max^2, and the weights of both together.
static const double squares[2] = { 0.11558710999704794, 0.74155574714580923 };
static const double weights[2] = { 1.3042903097250928, 0.69570969027490772 };

// weight: along the edge
static void addAcross(const crBalls* balls, crVec3 c, const crCoreFoot* foot, double weight)
{
  double g = balls->reach - foot->distance, square = 2.0 * balls->radius * g;
  if (!(g > 0.0)) {
    return;
  }
  Spot spot = makeSpot(balls, c, foot->outward);
  weight *= balls->weight * sqrt(square);
  for (int k = 0; k < 2; ++k) {
    crPatch_AddSpot(balls->patch, weight * weights[k], g * (1.0 - squares[k]), spot.x, spot.normal, spot.z,
                    CR_RIB_SPREAD * squares[k] * square);
  }
}

// On a paraboloid depths are spread evenly over the area: two of Gauss' nodes in (distance from the middle)^2.
void crAddKnob(const crBalls* balls, crVec3 p)
{
  static const double places[2] = { 0.21132486540518712, 0.78867513459481288 };
  crCoreFoot foot = findFoot(balls, p);
  double g = balls->reach - foot.distance, square = 2.0 * balls->radius * g;
  if (!(g > 0.0)) {
    return;
  }
  seeDepth(balls, p, &foot);
  Spot spot = makeSpot(balls, p, foot.outward);
  double weight = 0.5 * balls->weight * M_PI * square;
  for (int k = 0; k < 2; ++k) {
    crPatch_AddSpot(balls->patch, weight, g * (1.0 - places[k]), spot.x, spot.normal, spot.z,
                    CR_KNOB_SPREAD * places[k] * square);
  }
}

// ------------------------------------------------------------------------------------------------- range

typedef struct Rib {
  const crBalls* balls;
  crVec3 start, along; // |along| = 1
  double length;
} Rib;

// D is convex along a rib: its slope rises.
typedef struct Section {
  crVec3 c;
  crCoreFoot foot;
  double slope, depth;
} Section;

static Section findSection(const Rib* rib, double t)
{
  Section s;
  s.c = crMulAdd(rib->start, t, rib->along);
  s.foot = findFoot(rib->balls, s.c);
  s.slope = crDot(s.foot.outward, rib->along);
  s.depth = rib->balls->reach - s.foot.distance;
  return s;
}

// A zero of the slope, or of the depth, between a and b, where it is fa and fb of different signs: false position, the
// Illinois way.
static double findRoot(const Rib* rib, bool ofSlope, double a, double fa, double b, double fb, double near)
{
  double t = a;
  for (int i = 0; i < CR_ROOT_ROUNDS && fabs(b - a) > CR_ROOT_EXACT * rib->length; ++i) {
    t = (a * fb - b * fa) / (fb - fa);
    Section section = findSection(rib, t);
    double f = ofSlope ? section.slope : section.depth;
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
  double from, to, deepest;
} Range;

// What is inside; false: nothing.
static bool findRange(const Rib* rib, Range* out)
{
  double length = rib->length, t = 0.0;
  Section first = findSection(rib, 0.0), last = findSection(rib, length), top = first;
  if (first.depth + last.depth + length <= 0.0) {
    return false; // nowhere between is it deeper than that
  }
  if (first.slope < 0.0 && last.slope <= 0.0) {
    t = length;
    top = last;
  } else if (first.slope < 0.0) {
    t = findRoot(rib, true, 0.0, first.slope, length, last.slope, 0.0);
    top = findSection(rib, t);
  }
  if (!(top.depth > 0.0)) {
    return false;
  }
  seeDepth(rib->balls, top.c, &top.foot);
  double near = CR_ROOT_NEAR * top.depth;
  *out = (Range){ 0.0, length, t };
  if (first.depth < 0.0) {
    out->from = findRoot(rib, false, 0.0, first.depth, t, top.depth, near);
  }
  if (last.depth < 0.0) {
    out->to = findRoot(rib, false, length, last.depth, t, top.depth, near);
  }
  return true;
}

// -------------------------------------------------------------------------------------------------- ribs

// g rises from `low` to `high`, in either direction of t. Where it is 0, or would be if it went on like that,
// integrands begin like a power of m + 1/2: smooth in v, t - t0 = v^2.
static void addPart(const Rib* rib, double low, double high)
{
  Section end = findSection(rib, low);
  double fall = fabs(end.slope), sign = high > low ? 1.0 : -1.0, length = fabs(high - low);
  double depth = crMax2(end.depth, 0.0);
  bool isSteady = !(fall * length > depth);
  double before = isSteady ? 0.0 : depth / fall, from = sqrt(before), to = sqrt(before + length);
  for (int k = 0; k < crNodes9.count; ++k) {
    double v = 0.5 * (from + to) + 0.5 * (to - from) * crNodes9.x[k];
    double t = isSteady ? 0.5 * length * (1.0 + crNodes9.x[k]) : v * v - before;
    double weight = 0.5 * crNodes9.w[k] * (isSteady ? length : 2.0 * v * (to - from));
    Section section = findSection(rib, low + sign * t);
    addAcross(rib->balls, section.c, &section.foot, weight);
  }
}

void crAddRib(const crBalls* balls, crVec3 p, crVec3 q)
{
  crVec3 way = crSub(q, p);
  Rib rib = { .balls = balls, .start = p, .length = crLength(way) };
  Range range;
  if (!(rib.length > 0.0)) {
    return;
  }
  rib.along = crScale(1.0 / rib.length, way);
  if (!findRange(&rib, &range)) {
    return;
  }
  double breaks[CR_MAX_BREAKS + 1], from = range.from;
  const crPose* X = &balls->X_AB;
  int count =
      crListBreaks(balls->other, crMulTV(X->R, crSub(p, X->p)), crMulTV(X->R, rib.along), range.from, range.to, breaks);
  breaks[count] = range.to;
  for (int i = 0; i <= count; from = breaks[i++]) {
    double to = breaks[i], rise = crMin2(to, range.deepest), fall = crMax2(from, rise);
    if (rise > from) {
      addPart(&rib, from, rise);
    }
    if (to > fall) {
      addPart(&rib, to, fall);
    }
  }
}
