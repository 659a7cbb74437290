#include "collide/area/ball_line.h"

#include "base/elementary.h"
#include "collide/area/polygon.h"

#define CR_ROOT_ROUNDS 120
#define CR_ROOT_PATIENCE 12 // rounds after which what is left has to be half as much after each few of
#define CR_ROOT_FEW 3       // them; else the next ones are halvings
#define CR_ROOT_EXACT 1e-14 // [-] of the length
#define CR_LEVEL 1e-7 // [-] a slope: the depth is less than that of the deepest place by half its square times a radius
#define CR_ROOT_NEAR 1e-6 // [-] of the depth: what is cut off by a wrong end goes with its 5/2th power, or less

crBallFoot crBalls_FindFoot(const crBalls* balls, crVec3 c)
{
  const crPose* X = &balls->X_AB;
  crCoreFoot foot = crComputeNextFoot(balls->other, crMulTV(X->R, crSub(c, X->p)), balls->hold);
  return (crBallFoot){ .c = c,
                       .spot = c,
                       .outward = crMulMV(X->R, foot.outward),
                       .depth = balls->reach - foot.distance,
                       .curving = foot.curving,
                       .feature = foot.feature,
                       .extent = foot.extent };
}

static crBallFoot findRimFoot(const crBallLine* line, double t)
{
  const crRim* rim = line->rim;
  double sine, cosine;
  crSinCos(t / rim->radius, &sine, &cosine);
  crVec3 away = crAdd(crScale(cosine, rim->e1), crScale(sine, rim->e2));
  crVec3 tangent = crSub(crScale(cosine, rim->e2), crScale(sine, rim->e1));
  crVec3 c = crMulAdd(rim->centre, rim->radius, away);
  crBallFoot foot;
  if (line->ground != NULL) {
    foot = *line->ground;
    foot.c = c;
    foot.depth -= rim->radius * crDot(foot.outward, away);
  } else {
    foot = crBalls_FindFoot(line->balls, c);
  }
  foot.slope = crDot(foot.outward, tangent);
  foot.spot = crAdd(crMulAdd(foot.c, rim->outward, away), crScale(rim->along, crCross(rim->e1, rim->e2)));
  return foot;
}

static crBallFoot findStretchFoot(const crBallLine* line, double t)
{
  const crStretch* stretch = line->stretch;
  crBallFoot foot = { .c = crMulAdd(line->start, t, line->along) };
  double after = t - stretch->from;
  if (stretch->isFlat) {
    foot.outward = stretch->outward;
    foot.slope = stretch->slope;
    foot.depth = line->balls->reach - stretch->distance - after * stretch->slope;
    foot.curving = HUGE_VAL;
  } else {
    crVec3 w = crMulAdd(stretch->start, after / stretch->length, stretch->way);
    double distance = crLength(w);
    foot.outward = crScale(1.0 / distance, w);
    foot.slope = crDot(foot.outward, line->along);
    foot.depth = line->balls->reach - distance;
    foot.curving = distance;
  }
  foot.spot = crAdd(foot.c, line->lift);
  return foot;
}

crBallFoot crBallLine_FindFoot(const crBallLine* line, double t)
{
  if (line->rim != NULL) {
    return findRimFoot(line, t);
  }
  if (line->stretch != NULL) {
    return findStretchFoot(line, t);
  }
  crBallFoot foot = crBalls_FindFoot(line->balls, crMulAdd(line->start, t, line->along));
  foot.slope = crDot(foot.outward, line->along);
  foot.spot = crAdd(foot.c, line->lift);
  return foot;
}

crBallDepth crBallLine_FindDepth(const crBallLine* line, double t)
{
  if (line->ground != NULL || line->stretch != NULL) {
    crBallFoot foot = crBallLine_FindFoot(line, t);
    return (crBallDepth){ foot.depth, foot.slope };
  }
  crVec3 x = crMulAdd(line->origin, t, line->e), tangent = line->e;
  if (line->rim != NULL) {
    double sine, cosine, radius = line->rim->radius;
    crSinCos(t / radius, &sine, &cosine);
    x = crMulAdd(crMulAdd(line->origin, radius * cosine, line->e), radius * sine, line->f);
    tangent = crMulAdd(crScale(cosine, line->f), -sine, line->e);
  }
  crCoreFoot foot = crComputeNextFoot(line->balls->other, x, line->balls->hold);
  return (crBallDepth){ line->balls->reach - foot.distance, crDot(foot.outward, tangent) };
}

// False position, the Illinois way; halving where that is slow, as where a slope jumps from one plateau to another. Of
// the depth the slope is known, too: Newton's step is taken where it stays between. So is a first guess.
static double findRoot(const crBallLine* line, bool ofSlope, double a, double fa, double b, double fb, double guess,
                       double near)
{
  double t = a, before = HUGE_VAL, newton = guess;
  bool isSlow = false;
  for (int i = 0; i < CR_ROOT_ROUNDS && fabs(b - a) > CR_ROOT_EXACT * line->length; ++i) {
    if (i >= CR_ROOT_PATIENCE && i % CR_ROOT_FEW == 0) {
      isSlow = fabs(b - a) > 0.5 * before;
      before = fabs(b - a);
    }
    bool isBetween = newton > crMin2(a, b) && newton < crMax2(a, b);
    t = isSlow ? 0.5 * (a + b) : isBetween ? newton : (a * fb - b * fa) / (fb - fa);
    crBallDepth at = crBallLine_FindDepth(line, t);
    double f = ofSlope ? at.slope : at.depth;
    if (fabs(f) <= near) {
      return t;
    }
    newton = !ofSlope && at.slope != 0.0 ? t + at.depth / at.slope : HUGE_VAL;
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

// The root next to 0 of c x^2 + b x + a beyond which its sign is that of -a, on the side of x > 0; HUGE_VAL: none.
static double findNextRoot(double a, double b, double c)
{
  double square = b * b - 4.0 * a * c;
  return square > 0.0 ? 2.0 * a / (-b + copysign(sqrt(square), a)) : HUGE_VAL;
}

double crBallLine_FindEnd(const crBallLine* line, const crBallPlace* low, const crBallPlace* high)
{
  // by the parabola that has both depths, and the slope of the deeper place
  double way = low->t - high->t, rise = -high->at.slope * way;
  double x = findNextRoot(high->at.depth, rise, low->at.depth - high->at.depth - rise);
  return findRoot(line, false, low->t, low->at.depth, high->t, high->at.depth, high->t + x * way,
                  CR_ROOT_NEAR * high->at.depth);
}

double crBallLine_FindExtreme(const crBallLine* line, const crBallPlace* a, const crBallPlace* b)
{
  // by the parabola that has both slopes, and the difference of depths as its integral
  double way = b->t - a->t, from = a->at.slope, to = b->at.slope;
  double bend = 6.0 * ((a->at.depth - b->at.depth) / way - 0.5 * (from + to));
  double x = findNextRoot(from, to - from + bend, -bend);
  return findRoot(line, true, a->t, from, b->t, to, a->t + x * way, CR_LEVEL);
}
