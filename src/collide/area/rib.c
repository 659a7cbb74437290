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
#define CR_ROOT_NEAR 1e-9   // [-] of the depth: what is cut off by a wrong end goes with its 5/2th power, or less
#define CR_LEVEL 1e-8 // [-] a slope: the depth is less than that of the deepest place by half its square times a radius

crLineFoot crBalls_FindFoot(const crBalls* balls, crVec3 c)
{
  const crPose* X = &balls->X_AB;
  crCoreFoot foot = crComputeCoreFoot(balls->other, crMulTV(X->R, crSub(c, X->p)));
  return (crLineFoot){ .c = c,
                       .outward = crMulMV(X->R, foot.outward),
                       .depth = balls->reach - foot.distance,
                       .feature = foot.feature,
                       .isFlat = foot.isFlat };
}

// ---------------------------------------------------------------------------------------------- points

// Where the ball presses.
static crVec3 findBottom(const crBalls* balls, const crLineFoot* foot)
{
  return crMulAdd(foot->c, -balls->sweep, foot->outward);
}

void crBalls_SeeDepth(const crBalls* balls, const crLineFoot* foot)
{
  if (foot->depth > balls->patch->depth) {
    crPatch_SeeDepth(balls->patch, foot->depth, findBottom(balls, foot), foot->outward);
    balls->patch->deepestSpot = foot->c;
  }
}

void crBalls_AddBall(const crBalls* balls, const crLineFoot* foot, double weight)
{
  if (foot->depth > 0.0) {
    crPatch_AddSpot(balls->patch, weight, foot->depth, findBottom(balls, foot), foot->outward, foot->c, 0.0);
  }
}

// weight: along the edge. Four of Gauss' nodes across, in pairs: y^2 / y_max^2, and the weights of both together.
static void addAcross(const crBalls* balls, const crLineFoot* foot, double weight)
{
  static const double squares[2] = { 0.11558710999704794, 0.74155574714580923 };
  static const double weights[2] = { 1.3042903097250928, 0.69570969027490772 };
  double g = foot->depth, square = 2.0 * balls->radius * g;
  if (!(g > 0.0)) {
    return;
  }
  crVec3 bottom = findBottom(balls, foot);
  weight *= sqrt(square);
  for (int k = 0; k < 2; ++k) {
    crPatch_AddSpot(balls->patch, weight * weights[k], g * (1.0 - squares[k]), bottom, foot->outward, foot->c,
                    CR_RIB_SPREAD * squares[k] * square);
  }
}

// On a paraboloid depths are spread evenly over the area: two of Gauss' nodes in (distance from the middle)^2.
void crAddKnob(const crBalls* balls, crVec3 p)
{
  static const double places[2] = { 0.21132486540518712, 0.78867513459481288 };
  crLineFoot foot = crBalls_FindFoot(balls, p);
  double g = foot.depth, square = 2.0 * balls->radius * g;
  if (!(g > 0.0)) {
    return;
  }
  crPatch_TakeSpots(balls->patch, false);
  crBalls_SeeDepth(balls, &foot);
  crVec3 bottom = findBottom(balls, &foot);
  double weight = 0.5 * M_PI * square;
  for (int k = 0; k < 2; ++k) {
    crPatch_AddSpot(balls->patch, weight, g * (1.0 - places[k]), bottom, foot.outward, foot.c,
                    CR_KNOB_SPREAD * places[k] * square);
  }
}

// ------------------------------------------------------------------------------------------------- lines

bool crMakeBallLine(const crBalls* balls, crVec3 p, crVec3 q, crBallLine* out)
{
  crVec3 way = crSub(q, p);
  double length = crLength(way);
  *out = (crBallLine){ .balls = balls, .start = p, .length = length };
  if (!(length > 0.0)) {
    return false;
  }
  out->along = crScale(1.0 / length, way);
  return true;
}

crLineFoot crBallLine_FindFoot(const crBallLine* line, double t)
{
  crLineFoot foot = crBalls_FindFoot(line->balls, crMulAdd(line->start, t, line->along));
  foot.slope = crDot(foot.outward, line->along);
  return foot;
}

// A zero of the slope, or of the depth, between a and b, where it is fa and fb of different signs: false position, the
// Illinois way.
static double findRoot(const crBallLine* line, bool ofSlope, double a, double fa, double b, double fb, double near)
{
  double t = a;
  for (int i = 0; i < CR_ROOT_ROUNDS && fabs(b - a) > CR_ROOT_EXACT * line->length; ++i) {
    t = (a * fb - b * fa) / (fb - fa);
    crLineFoot foot = crBallLine_FindFoot(line, t);
    double f = ofSlope ? foot.slope : foot.depth;
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

static double findTop(const crBallLine* line, const crLineFoot* first, const crLineFoot* last, crLineFoot* out)
{
  *out = *first;
  if (!(first->slope < 0.0)) {
    return 0.0;
  }
  *out = *last;
  if (last->slope <= 0.0) {
    return line->length;
  }
  double t = findRoot(line, true, 0.0, first->slope, line->length, last->slope, CR_LEVEL);
  *out = crBallLine_FindFoot(line, t);
  return t;
}

double crBallLine_FindDeepest(const crBallLine* line, crLineFoot* out)
{
  crLineFoot first = crBallLine_FindFoot(line, 0.0), last = crBallLine_FindFoot(line, line->length);
  return findTop(line, &first, &last, out);
}

bool crBallLine_FindRange(const crBallLine* line, crRange* out)
{
  crLineFoot first = crBallLine_FindFoot(line, 0.0), last = crBallLine_FindFoot(line, line->length), top;
  if (first.depth + last.depth + line->length <= 0.0) {
    return false; // nowhere between is it deeper than that
  }
  double t = findTop(line, &first, &last, &top);
  if (!(top.depth > 0.0)) {
    return false;
  }
  crBalls_SeeDepth(line->balls, &top);
  double near = CR_ROOT_NEAR * top.depth;
  *out = (crRange){ 0.0, line->length, t };
  if (first.depth < 0.0) {
    out->from = findRoot(line, false, 0.0, first.depth, t, top.depth, near);
  }
  if (last.depth < 0.0) {
    out->to = findRoot(line, false, line->length, last.depth, t, top.depth, near);
  }
  return true;
}

int crBallLine_ListBreaks(const crBallLine* line, const crRange* range, double breaks[CR_MAX_BREAKS + 1])
{
  const crPose* X = &line->balls->X_AB;
  crVec3 x = crMulTV(X->R, crSub(line->start, X->p)), u = crMulTV(X->R, line->along);
  int count = crListBreaks(line->balls->other, x, u, range->from, range->to, breaks);
  breaks[count] = range->to;
  return count;
}

// g rises from `low` to `high`, in either direction of t. Where it is 0, or would be if it went on like that,
// integrands begin like a power of m + 1/2: smooth in v, t - t0 = v^2.
static void addPart(const crBallLine* line, double low, double high)
{
  crLineFoot end = crBallLine_FindFoot(line, low);
  double fall = fabs(end.slope), sign = high > low ? 1.0 : -1.0, length = fabs(high - low);
  double depth = crMax2(end.depth, 0.0);
  bool isSteady = !(fall * length > depth);
  double before = isSteady ? 0.0 : depth / fall, from = sqrt(before), to = sqrt(before + length);
  for (int k = 0; k < crNodes9.count; ++k) {
    double v = 0.5 * (from + to) + 0.5 * (to - from) * crNodes9.x[k];
    double t = isSteady ? 0.5 * length * (1.0 + crNodes9.x[k]) : v * v - before;
    double weight = 0.5 * crNodes9.w[k] * (isSteady ? length : 2.0 * v * (to - from));
    crLineFoot foot = crBallLine_FindFoot(line, low + sign * t);
    addAcross(line->balls, &foot, weight);
  }
}

void crAddRib(const crBalls* balls, crVec3 p, crVec3 q)
{
  crBallLine line;
  crRange range;
  if (!crMakeBallLine(balls, p, q, &line) || !crBallLine_FindRange(&line, &range)) {
    return;
  }
  crPatch_TakeSpots(balls->patch, false);
  double breaks[CR_MAX_BREAKS + 1], from = range.from;
  int count = crBallLine_ListBreaks(&line, &range, breaks);
  for (int i = 0; i <= count; from = breaks[i++]) {
    double to = breaks[i], rise = crMin2(to, range.deepest), fall = crMax2(from, rise);
    if (rise > from) {
      addPart(&line, from, rise);
    }
    if (to > fall) {
      addPart(&line, to, fall);
    }
  }
}
