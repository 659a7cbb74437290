// Rims: circles of balls.
#include "collide/area/ball_line.h"
#include "collide/area/core_breaks.h"

#define CR_RIM_PARTS 16 // of all of a rim
#define CR_RIM_LOOKS 4  // at each of them: between two there is one deepest or least deep place above one feature
#define CR_BESIDE 1e-12 // [-] of the length: how far from a break it is looked at
#define CR_ALMOST (1.0 - 1e-9) // [-] of a whole number, and its rounding errors

// A place on a rim with its foot.
typedef struct Place {
  double t;
  crBallFoot foot;
} Place;

static Place findPlace(const crBallLine* line, double t)
{
  return (Place){ t, crBallLine_FindFoot(line, t) };
}

// Depth goes up or down from a to b.
static void addMonotone(const crBallLine* line, const Place* a, const Place* b)
{
  const Place *low = a->foot.depth < b->foot.depth ? a : b, *high = low == a ? b : a;
  if (!(high->foot.depth > 0.0)) {
    return;
  }
  crBalls_SeeDepth(line->balls, &high->foot);
  double from = low->t;
  if (low->foot.depth < 0.0) {
    from = crBallLine_FindRoot(line, false, low->t, low->foot.depth, high->t, high->foot.depth,
                               CR_ROOT_NEAR * high->foot.depth);
  }
  crBallLine_AddPart(line, from, high->t);
}

// There is one deepest or least deep place between at most.
static void addSpan(const crBallLine* line, const Place* a, const Place* b)
{
  double from = a->foot.slope, to = b->foot.slope;
  if ((from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0)) {
    Place extreme = findPlace(line, crBallLine_FindRoot(line, true, a->t, from, b->t, to, CR_LEVEL));
    addMonotone(line, a, &extreme);
    addMonotone(line, &extreme, b);
  } else if (b->t > a->t) {
    addMonotone(line, a, b);
  }
}

// Above one feature: what goes one way is taken together.
static void addPiece(const crBallLine* line, const Place* a, const Place* b)
{
  double way = b->t - a->t, step = line->length / (CR_RIM_PARTS * CR_RIM_LOOKS);
  if (!(way > 0.0)) {
    return;
  }
  Place from = *a, last = *a;
  int count = 1 + (int)(CR_ALMOST * way / step);
  for (int k = 1; k <= count; ++k) {
    Place next = k < count ? findPlace(line, a->t + way * k / count) : *b;
    bool isAlike = (next.foot.slope < 0.0) == (last.foot.slope < 0.0);
    if (!isAlike || k == count) {
      addSpan(line, &from, &next);
      from = next;
    }
    last = next;
  }
}

// Between two neighbours of CR_RIM_PARTS.
static void addRimPart(const crBallLine* line, const Place* a, const Place* b)
{
  const crRim* rim = line->rim;
  const crPose* X = &line->balls->X_AB;
  double deepest = 0.5 * (a->foot.depth + b->foot.depth + b->t - a->t), beside = CR_BESIDE * line->length;
  double breaks[CR_CORE_BREAKS];
  crArc arc = { .centre = crMulTV(X->R, crSub(rim->centre, X->p)),
                .e1 = crScale(rim->radius, crMulTV(X->R, rim->e1)),
                .e2 = crScale(rim->radius, crMulTV(X->R, rim->e2)),
                .from = a->t / rim->radius,
                .to = b->t / rim->radius };
  int count = crListArcBreaks(line->balls->other, &arc, deepest > line->balls->reach, breaks);
  Place from = *a;
  for (int i = 0; i < count; ++i) {
    double t = breaks[i] * rim->radius;
    Place to = findPlace(line, t - beside);
    addPiece(line, &from, &to);
    from = findPlace(line, t + beside);
  }
  addPiece(line, &from, b);
}

// Along a circle D is not convex: it goes up and down, seldom more than once between two of these places above one
// feature.
void crAddRim(const crBalls* balls, const crRim* rim)
{
  crBallLine line = { .balls = balls, .length = rim->angle * rim->radius, .rim = rim };
  if (crBalls_FindFoot(balls, rim->centre).depth + rim->radius <= 0.0) {
    return;
  }
  crPatch_TakeSpots(balls->patch, false);
  Place last = findPlace(&line, 0.0);
  for (int i = 1; i <= CR_RIM_PARTS; ++i) {
    Place next = findPlace(&line, line.length * i / CR_RIM_PARTS);
    if (last.foot.depth + next.foot.depth + next.t - last.t > 0.0) {
      addRimPart(&line, &last, &next);
    }
    last = next;
  }
}
