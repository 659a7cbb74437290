#include "collide/area/over_ground.h"

#include "collide/area/area.h"
#include "collide/area/over_cap.h"
#include "collide/area/over_section.h"
#include "collide/area/quadrature.h"

#define CR_PI 3.14159265358979323846
#define CR_MOST_PARTS 128     // of a way
#define CR_MOST_TURN 1.6      // [rad] of a part of an arc
#define CR_AWAY_SHARE 0.05    // [-] of the smallest dimension: farther apart boxes tell how far
#define CR_LEAST_SHARE 0.25   // [-] of a span: parts at its roots are longer
#define CR_SHORT 0.1          // [-] of a step of the grid: what is shorter is nearly straight
#define CR_LEAST_STRETCH 1e-9 // [-] of a step of the grid

bool crIsOverGround(const crShape* a, const crShape* b)
{
  return crTouchesSmoothGround(a, b) || crTouchesSmoothGround(b, a);
}

static double clampTo(double x, double most)
{
  return x < -most ? -most : x > most ? most : x;
}

// ------------------------------------------------------------------------------------------------------- points

static void addPoint(const crOver* o, double weight, crVec3 p, crPatch* patch)
{
  crVec3 normal;
  double d = crFindDepth(o->ground, p, &normal);
  if (d > 0.0) {
    crVec3 x = crMulTV(o->R, crSub(p, o->centre)), m = crMulTV(o->R, normal);
    crPatch_AddPoint(patch, weight, d, x, m);
  }
}

static void seePoint(const crOver* o, crVec3 p, crPatch* patch)
{
  crVec3 normal;
  double d = crFindDepth(o->ground, p, &normal);
  crPatch_SeeDepth(patch, d, crMulTV(o->R, crSub(p, o->centre)), crMulTV(o->R, normal));
}

// [m] How far it is from a place, on a straight way, to the next border of a cell: between these h is a polynomial.
static double findStretch(const crOver* o, crVec3 p, crVec3 along)
{
  const crGround* g = o->ground;
  double perX = (g->columnCount - 1) / g->width, perY = (g->rowCount - 1) / g->length, stretch = HUGE_VAL;
  const double from[2] = { (p.x + 0.5 * g->width) * perX, (p.y + 0.5 * g->length) * perY };
  const double rates[2] = { along.x * perX, along.y * perY };
  for (int k = 0; k < 2; ++k) {
    double border = rates[k] > 0.0 ? floor(from[k] + CR_LEAST_STRETCH) + 1.0 : ceil(from[k] - CR_LEAST_STRETCH) - 1.0;
    stretch = rates[k] != 0.0 ? fmin(stretch, (border - from[k]) / rates[k]) : stretch;
  }
  return fmax(stretch, CR_LEAST_STRETCH * o->cell);
}

// A span, part by part. unit: [m] of its variable.
typedef struct Parts {
  const crSpan* span;
  double unit, most; // longest part
  crSpan part;
} Parts;

static Parts divide(const crSpan* span, double unit, double most)
{
  return (Parts){ span, unit, most, { .a = span->a, .b = span->a } };
}

// stretch: [m] that the next part may be long. Ends of parts move with the poses, and none comes up but at an end.
static void goOn(Parts* parts, double stretch)
{
  const crSpan* span = parts->span;
  double a = parts->part.b, length = fmin(parts->most, stretch / parts->unit);
  double b = fmin(span->b, a + fmax(length, (span->b - span->a) / CR_MOST_PARTS));
  parts->part = (crSpan){ a, b, span->startsAtRoot && a == span->a, span->endsAtRoot && !(b < span->b) };
}

static bool isOver(const Parts* parts)
{
  return !(parts->part.b < parts->span->b);
}

// What is integrated across lines goes with a power and a half at roots.
static const crAcrossRule* findRule(const crSpan* part)
{
  return &cr_across[1][part->startsAtRoot][part->endsAtRoot];
}

static double findNode(const crSpan* part, double x, double weight, double* outWeight)
{
  double h = part->b - part->a;
  *outWeight = 0.5 * h * weight;
  return part->a + 0.5 * h * (1.0 + x);
}

// --------------------------------------------------------------------------------------------------------- side

// The next part of an arc of a circle, in a cell as far as it is straight.
static void goOnAround(const crSection* section, Parts* parts)
{
  const crOver* o = section->over;
  crVec3 p = crOver_PointAt(o, section->s, parts->part.b);
  crVec3 out = crSub(p, crMulAdd(o->centre, section->s, o->axis));
  goOn(parts, findStretch(o, p, crScale(1.0 / o->radius, crCross(o->axis, out))));
}

static void addArc(const crSection* section, double weight, const crSpan* arc, crPatch* patch)
{
  const crOver* o = section->over;
  Parts parts = divide(arc, o->radius, CR_MOST_TURN);
  while (!isOver(&parts)) {
    goOnAround(section, &parts);
    for (int i = 0; i < cr_eightAlong.count; ++i) {
      double own, angle = findNode(&parts.part, cr_eightAlong.x[i], cr_eightAlong.w[i], &own);
      addPoint(o, weight * own * o->radius, crOver_PointAt(o, section->s, angle), patch);
    }
  }
}

static void addSection(crOver* o, double s, double weight, crPatch* patch)
{
  crSection section = { o, s };
  crSpansAbove arcs;
  crFindArcs(&section, &arcs);
  for (int i = 0; i < arcs.count; ++i) {
    addArc(&section, weight, &arcs.items[i], patch);
  }
  if (arcs.count > 0) {
    seePoint(o, crOver_PointAt(o, s, arcs.at), patch);
  }
}

// What is integrated over a section goes with a power and a half at roots of the span, which the rule for a part knows
// at its ends alone: no part begins or ends near one but there.
static double keepFromRoots(const crSpan* span, double a, double stretch)
{
  double least = CR_LEAST_SHARE * (span->b - span->a), b = a + stretch;
  if (span->startsAtRoot && a == span->a) {
    b = fmax(b, a + least);
  }
  if (span->endsAtRoot && b > span->b - least) {
    return a < span->b - 2.0 * least && b < span->b ? span->b - least - a : HUGE_VAL;
  }
  return b - a;
}

static void addSide(crOver* o, const crSpansAbove* spans, crPatch* patch)
{
  for (int i = 0; i < spans->count; ++i) {
    Parts parts = divide(&spans->items[i], 1.0, HUGE_VAL);
    while (!isOver(&parts)) {
      crSection first = { o, parts.part.b };
      double stretch = findStretch(o, crOver_PointAt(o, first.s, crSection_FindLowest(&first)), o->axis);
      goOn(&parts, keepFromRoots(&spans->items[i], first.s, stretch));
      const crAcrossRule* rule = findRule(&parts.part);
      for (int k = 0; k < rule->count; ++k) {
        double weight, s = findNode(&parts.part, rule->x[k], rule->w[k], &weight);
        addSection(o, s, weight, patch);
      }
    }
  }
  if (spans->most > 0.0) {
    crSection section = { o, spans->at };
    seePoint(o, crOver_PointAt(o, section.s, crSection_FindLowest(&section)), patch);
  }
}

// As far as a way is below the ground.
static void addUp(const crWay* way, double most, double weight, crPatch* patch)
{
  crSpan below = { .a = 0.0, .b = crFindEnd(way, most) };
  for (int k = 0; k < cr_fourAlong.count; ++k) {
    double own, t = findNode(&below, cr_fourAlong.x[k], cr_fourAlong.w[k], &own);
    addPoint(way->over, weight * own, crMulAdd(way->from, t, way->along), patch);
  }
}

// When standing: from the part of the rim that is below the ground up. rise: from that rim to the other one.
static void addSkirt(const crSection* rim, const crSpansAbove* arcs, double rise, crPatch* patch)
{
  const crOver* o = rim->over;
  crVec3 up = rise > 0.0 ? o->axis : crNeg(o->axis);
  for (int i = 0; i < arcs->count; ++i) {
    Parts parts = divide(&arcs->items[i], o->radius, CR_MOST_TURN);
    while (!isOver(&parts)) {
      goOnAround(rim, &parts);
      for (int k = 0; k < cr_eightAlong.count; ++k) {
        double weight, angle = findNode(&parts.part, cr_eightAlong.x[k], cr_eightAlong.w[k], &weight);
        addUp(&(crWay){ o, crOver_PointAt(o, rim->s, angle), up }, fabs(rise), weight * o->radius, patch);
      }
    }
  }
  if (arcs->most > 0.0) {
    seePoint(o, crOver_PointAt(o, rim->s, arcs->at), patch);
  }
}

// --------------------------------------------------------------------------------------------------------- caps

// From cell to cell, in each of which h is a polynomial.
static void addChord(const crChord* chord, const crSpan* span, double weight, crPatch* patch)
{
  const crOver* o = chord->over;
  for (double a = span->a; a < span->b;) {
    double b = fmin(span->b, a + findStretch(o, crMulAdd(chord->middle, a, o->down), o->down));
    crSpan part = { .a = a, .b = b };
    const crAlongRule* rule = b - a < CR_SHORT * o->cell ? &cr_fourAlong : &cr_eightAlong;
    for (int i = 0; i < rule->count; ++i) {
      double own, v = findNode(&part, rule->x[i], rule->w[i], &own);
      addPoint(o, weight * own, crMulAdd(chord->middle, v, o->down), patch);
    }
    a = b;
  }
}

// A cap that may be below the ground anywhere. arcs: of its rim.
static void addCap(crOver* o, double s, const crSpansAbove* arcs, crPatch* patch)
{
  crChord chord = { .over = o, .s = s };
  crSpansAbove places, spans;
  crAddCap(o, s, patch);
  crScanCap(&chord, false, &places);
  if (places.most > fmax(0.0, arcs->most)) {
    crScanChord(&chord, crChord_Place(&chord, places.at), true, &spans);
    seePoint(o, crMulAdd(chord.middle, spans.at, o->down), patch);
  } else if (arcs->most > 0.0) {
    seePoint(o, crOver_PointAt(o, s, arcs->at), patch);
  }
}

// When rolling: from the lower half of the rim that is below the ground up.
static void addSteepCap(crOver* o, double s, const crSpansAbove* arcs, crPatch* patch)
{
  crChord chord = { .over = o, .s = s };
  crSection rim = { o, s };
  crSpan arc = { fmax(arcs->items[0].a, -0.5 * CR_PI), fmin(arcs->items[0].b, 0.5 * CR_PI), true, true };
  Parts parts = divide(&arc, o->radius, CR_MOST_TURN);
  while (!isOver(&parts)) {
    goOnAround(&rim, &parts);
    for (int k = 0; k < cr_eightAlong.count; ++k) {
      double weight, angle = findNode(&parts.part, cr_eightAlong.x[k], cr_eightAlong.w[k], &weight);
      double half = crChord_Place(&chord, angle);
      crWay way = { o, crMulAdd(chord.middle, half, o->down), crNeg(o->down) };
      double end = crFindEnd(&way, 2.0 * half);
      addChord(&chord, &(crSpan){ .a = half - end, .b = half }, weight * half, patch);
    }
  }
  seePoint(o, crOver_PointAt(o, s, arcs->at), patch);
}

// f on a disc, at most.
static double boundCap(const crOver* o, double s)
{
  crVec3 slope;
  return crLookBelow(o->ground, crMulAdd(o->centre, s, o->axis), &slope) + o->radius / o->facing;
}

// -------------------------------------------------------------------------------------------------------- whole

// [m] From the box around the ground; < 0: within. NaN: within.
static double findAway(const crOver* o, crVec3* outOutward)
{
  const crGround* g = o->ground;
  const double gaps[6] = { o->low.z - g->high,         o->low.x - 0.5 * g->width,    -0.5 * g->width - o->high.x,
                           o->low.y - 0.5 * g->length, -0.5 * g->length - o->high.y, g->base - o->high.z };
  const crVec3 outs[6] = { { 0.0, 0.0, 1.0 }, { 1.0, 0.0, 0.0 },  { -1.0, 0.0, 0.0 },
                           { 0.0, 1.0, 0.0 }, { 0.0, -1.0, 0.0 }, { 0.0, 0.0, -1.0 } };
  int most = 0;
  for (int k = 1; k < 6; ++k) {
    most = gaps[k] > gaps[most] ? k : most;
  }
  *outOutward = outs[most];
  return gaps[most];
}

static double findBeyond(const crOver* o)
{
  const crGround* g = o->ground;
  double x = fmax(o->high.x, -o->low.x) - 0.5 * g->width, y = fmax(o->high.y, -o->low.y) - 0.5 * g->length;
  return fmax(fmax(x, y), g->base - o->low.z);
}

// [m] By the plane that touches h near the middle, raised by what h can be above it wherever the shape is: a bound from
// below for the distance, of which no place outside of the rectangle is asked.
static double boundAbove(const crOver* o, crVec3* outOutward)
{
  const crGround* g = o->ground;
  crVec3 middle = crMulAdd(o->centre, 0.5 * (o->z0 + o->z1), o->axis), slope;
  double half = 0.5 * (o->z1 - o->z0), reach = sqrt(half * half + o->radius * o->radius);
  crVec3 q = crMakeVec3(clampTo(middle.x, 0.5 * g->width), clampTo(middle.y, 0.5 * g->length), middle.z);
  double above = -crLookBelow(g, q, &slope), rise = crLength(slope), along = crDot(slope, o->axis) / rise;
  double away = reach + crLength(crSub(middle, q)), support = half * fabs(along);
  support += o->radius * sqrt(fmax(0.0, 1.0 - along * along));
  *outOutward = crScale(-1.0 / rise, slope);
  return (above - crDot(slope, crSub(middle, q)) - 0.5 * g->rise * away * away) / rise - support;
}

static void addRolling(crOver* o, crPatch* patch)
{
  crSpansAbove spans, arcs;
  crScanSide(o, false, &spans);
  addSide(o, &spans, patch);
  for (int k = 0; k < 2 && spans.most > 0.0; ++k) {
    crSection rim = { o, k == 0 ? o->z0 : o->z1 };
    crFindArcs(&rim, &arcs);
    if (arcs.count > 0) {
      addSteepCap(o, rim.s, &arcs, patch);
    }
  }
}

static bool isLowAtEnd(const crOver* o)
{
  crVec3 slope;
  crLookBelow(o->ground, crMulAdd(o->centre, 0.5 * (o->z0 + o->z1), o->axis), &slope);
  return crDot(slope, o->axis) > 0.0;
}

static void addStanding(crOver* o, crPatch* patch)
{
  bool isAtEnd = isLowAtEnd(o);
  crSection low = { o, isAtEnd ? o->z1 : o->z0 }, high = { o, isAtEnd ? o->z0 : o->z1 };
  crSpansAbove arcs;
  if (!(boundCap(o, low.s) > 0.0)) {
    return;
  }
  crFindArcs(&low, &arcs);
  addSkirt(&low, &arcs, high.s - low.s, patch);
  addCap(o, low.s, &arcs, patch);
  if (patch->depth > o->lean * (o->z1 - o->z0)) { // else it is above the ground
    crFindArcs(&high, &arcs);
    addCap(o, high.s, &arcs, patch);
  }
}

void crAddOverGround(const crShape* a, const crShape* ground, const crPose* X_AB, crPatch* patch)
{
  crPose X_GA = { crTranspose(X_AB->R), crNeg(crMulTV(X_AB->R, X_AB->p)) };
  crOver o = crPlaceOver(a, ground, &X_GA);
  crVec3 outward;
  patch->share = 1.0;
  if (findAway(&o, &outward) > 0.0) {
    return;
  }
  crPatch_TakeFirst(patch);
  if (o.pose == cr_overRolling) {
    addRolling(&o, patch);
  } else {
    addStanding(&o, patch);
  }
}

static void findDeepestOfSide(crOver* o, double* outMost, crVec3* outPoint)
{
  crSpansAbove spans;
  crScanSide(o, true, &spans);
  crSection section = { o, spans.at };
  *outMost = spans.most;
  *outPoint = crOver_PointAt(o, section.s, crSection_FindLowest(&section));
}

static void findDeepestOfCap(crOver* o, double s, double* ioMost, crVec3* ioPoint)
{
  crChord chord = { .over = o, .s = s };
  crSpansAbove places, spans;
  if (!(boundCap(o, s) > *ioMost)) {
    return;
  }
  crScanCap(&chord, true, &places);
  if (places.most > *ioMost) {
    *ioMost = places.most;
    crScanChord(&chord, crChord_Place(&chord, places.at), true, &spans);
    *ioPoint = crMulAdd(chord.middle, spans.at, o->down);
  }
}

static crVec3 findDeepest(crOver* o)
{
  double most = -HUGE_VAL;
  crVec3 best = o->centre;
  if (o->pose == cr_overRolling) {
    findDeepestOfSide(o, &most, &best);
  } else {
    findDeepestOfCap(o, isLowAtEnd(o) ? o->z1 : o->z0, &most, &best);
  }
  return best;
}

static crOver placeOver(const crShape* round, const crPose* X_WR, const crShape* ground, const crPose* X_WG,
                        crPose* outX_WB)
{
  crPose X_WA = crPlaceCanonical(round, X_WR), X_WB = *outX_WB = crPlaceCanonical(ground, X_WG);
  crPose X_GA = { crMulTM(X_WB.R, X_WA.R), crMulTV(X_WB.R, crSub(X_WA.p, X_WB.p)) };
  return crPlaceOver(round, ground, &X_GA);
}

double crFindBeyondGround(const crShape* round, const crPose* X_WR, const crShape* ground, const crPose* X_WG)
{
  crPose X_WB;
  crOver o = placeOver(round, X_WR, ground, X_WG, &X_WB);
  return findBeyond(&o);
}

crGroundGap crMeasureOverGround(const crShape* round, const crPose* X_WR, const crShape* ground, const crPose* X_WG)
{
  crPose X_WB;
  crOver o = placeOver(round, X_WR, ground, X_WG, &X_WB);
  crVec3 outward, up;
  double away = findAway(&o, &outward), above = boundAbove(&o, &up), bound = fmax(away, above);
  if (findBeyond(&o) > 0.0 || bound > CR_AWAY_SHARE * round->smallestDimension) {
    crVec3 out = crMulMV(X_WB.R, above >= away ? up : outward);
    crVec3 point = crTransformPoint(X_WB, crScale(0.5, crAdd(o.low, o.high)));
    return (crGroundGap){ bound, out, point, crMulAdd(point, -bound, out) };
  }
  crVec3 slope, p = findDeepest(&o), point = crTransformPoint(X_WB, p);
  double f = crLookBelow(o.ground, p, &slope), rise = crLength(slope);
  double distance = f < 0.0 ? -f * o.facing : -f / rise;
  crVec3 out = crMulMV(X_WB.R, crScale(-1.0 / rise, slope));
  return (crGroundGap){ distance, out, point, crMulAdd(point, -distance, out) };
}
