// Rims: circles of balls.
#include "collide/area/ball_line.h"

#define CR_RIM_PARTS 16 // of all of a rim; 32 looks at it are too few
#define CR_RIM_LOOKS 4
#define CR_MAX_SPAN_FEATURES 8
#define CR_CHANGE_NEAR 1e-13 // [-] of the length

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

// Above one feature.
static void addMonotoneSpan(const crBallLine* line, const Place* a, const Place* b)
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

// Where the feature of a ends, on the way to b: just before, and just behind.
static void findChange(const crBallLine* line, const Place* a, const Place* b, Place* before, Place* behind)
{
  *before = *a;
  *behind = *b;
  while (behind->t - before->t > CR_CHANGE_NEAR * line->length) {
    Place middle = findPlace(line, 0.5 * (before->t + behind->t));
    *(middle.foot.feature == a->foot.feature ? before : behind) = middle;
  }
}

// Between two places: there is one deepest or least deep place at most above one feature.
static void addSpan(const crBallLine* line, const Place* a, const Place* b)
{
  Place from = *a;
  for (int i = 0; i < CR_MAX_SPAN_FEATURES && from.foot.feature != b->foot.feature; ++i) {
    Place before, behind;
    if (from.foot.depth + b->foot.depth + b->t - from.t <= 0.0) {
      return; // nowhere between is it deeper than that
    }
    findChange(line, &from, b, &before, &behind);
    addMonotoneSpan(line, &from, &before);
    from = behind;
  }
  addMonotoneSpan(line, &from, b);
}

// Between two neighbours of CR_RIM_PARTS, looked at in CR_RIM_LOOKS steps: what is alike is taken together.
static void addRimPart(const crBallLine* line, const Place* a, const Place* b)
{
  Place from = *a, last = *a;
  for (int k = 1; k <= CR_RIM_LOOKS; ++k) {
    Place next = k < CR_RIM_LOOKS ? findPlace(line, a->t + (b->t - a->t) * k / CR_RIM_LOOKS) : *b;
    bool isAlike = next.foot.feature == last.foot.feature && (next.foot.slope < 0.0) == (last.foot.slope < 0.0);
    if (!isAlike || k == CR_RIM_LOOKS) {
      addSpan(line, &from, &next);
      from = next;
    }
    last = next;
  }
}

// Along a circle D is not convex: it goes up and down, seldom more than once between two of these places.
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
