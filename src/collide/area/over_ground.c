#include "collide/area/over_ground.h"

#include "collide/area/area.h"
#include "collide/area/over_cap.h"
#include "collide/area/over_section.h"
#include "collide/area/quadrature.h"

#define CR_PI 3.14159265358979323846
#define CR_MOST_PARTS 128      // of a way
#define CR_MOST_TURN 1.6      // [rad] of a part of an arc
#define CR_BESIDE_FINER 4.0   // [-] parts of arcs and caps where walls and base are near
#define CR_AWAY_SHARE 0.05    // [-] of the smallest dimension: farther apart boxes tell how far
#define CR_LEAST_STRETCH 1e-9 // [-] of a step of the grid

bool crIsOverGround(const crShape* a, const crShape* b)
{
  return crTouchesSmoothGround(a, b) || crTouchesSmoothGround(b, a);
}

// ------------------------------------------------------------------------------------------------------- points

static void addPoint(const crOver* o, double weight, crVec3 p, crPatch* patch)
{
  crVec3 normal;
  double d = crFindDepth(&o->depth, p, &normal);
  if (d > 0.0) {
    crVec3 x = crMulTV(o->R, crSub(p, o->centre)), m = crMulTV(o->R, normal);
    crPatch_AddPoint(patch, weight, d, x, m);
  }
}

static void seePoint(const crOver* o, crVec3 p, crPatch* patch)
{
  crVec3 normal;
  double d = crFindDepth(&o->depth, p, &normal);
  crPatch_SeeDepth(patch, d, crMulTV(o->R, crSub(p, o->centre)), crMulTV(o->R, normal));
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

// stretch: [m] that the next part may be long.
static void goOn(Parts* parts, double stretch)
{
  const crSpan* span = parts->span;
  double a = parts->part.b, rest = span->b - a, length = fmin(parts->most, stretch / parts->unit);
  length = fmax(length, (span->b - span->a) / CR_MOST_PARTS);
  double count = ceil(rest / length), b = count > 1.0 ? a + rest / count : span->b;
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

static void addArc(const crSection* section, double weight, const crSpan* arc, crPatch* patch)
{
  const crOver* o = section->over;
  double finer = o->depth.isInland ? 1.0 : CR_BESIDE_FINER;
  Parts parts = divide(arc, finer * o->radius, CR_MOST_TURN / finer);
  while (!isOver(&parts)) {
    goOn(&parts, crOver_FindStretch(o, crOver_PointAt(o, section->s, parts.part.b)));
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

static void addSide(crOver* o, const crSpansAbove* spans, crPatch* patch)
{
  for (int i = 0; i < spans->count; ++i) {
    Parts parts = divide(&spans->items[i], 1.0, HUGE_VAL);
    while (!isOver(&parts)) {
      crSection first = { o, parts.part.b };
      goOn(&parts, crOver_FindStretch(o, crOver_PointAt(o, first.s, crFindLowest(&first))));
      const crAcrossRule* rule = findRule(&parts.part);
      for (int k = 0; k < rule->count; ++k) {
        double weight, s = findNode(&parts.part, rule->x[k], rule->w[k], &weight);
        addSection(o, s, weight, patch);
      }
    }
  }
  if (spans->most > 0.0) {
    crSection section = { o, spans->at };
    seePoint(o, crOver_PointAt(o, section.s, crFindLowest(&section)), patch);
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
      goOn(&parts, o->cell);
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

// How far a chord goes on from v, upwards, in the cell that it is in.
static double findCellEnd(const crChord* chord, double v)
{
  const crOver* o = chord->over;
  const crGround* g = o->depth.ground;
  double dx = g->width / (g->columnCount - 1), dy = g->length / (g->rowCount - 1);
  double from[2] = { (chord->middle.x + 0.5 * g->width) / dx, (chord->middle.y + 0.5 * g->length) / dy };
  double rates[2] = { o->down.x / dx, o->down.y / dy }, end = HUGE_VAL;
  for (int k = 0; k < 2; ++k) {
    double at = from[k] + v * rates[k], slack = CR_LEAST_STRETCH;
    double border = rates[k] > 0.0 ? floor(at + slack) + 1.0 : ceil(at - slack) - 1.0;
    end = rates[k] != 0.0 ? fmin(end, (border - from[k]) / rates[k]) : end;
  }
  end = fmax(end, v + CR_LEAST_STRETCH * o->cell);
  return fmin(end, v + crOver_FindStretch(o, crMulAdd(chord->middle, v, o->down)));
}

// From cell to cell, in each of which h is a polynomial.
static void addChord(const crChord* chord, const crSpan* span, double weight, crPatch* patch)
{
  const crOver* o = chord->over;
  for (double a = span->a; a < span->b;) {
    double b = fmin(span->b, findCellEnd(chord, a));
    crSpan part = { .a = a, .b = b };
    for (int i = 0; i < cr_eightAlong.count; ++i) {
      double own, v = findNode(&part, cr_eightAlong.x[i], cr_eightAlong.w[i], &own);
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
  crSpan arc = { fmax(arcs->items[0].a, -0.5 * CR_PI), fmin(arcs->items[0].b, 0.5 * CR_PI), true, true };
  Parts parts = divide(&arc, o->radius, CR_MOST_TURN);
  while (!isOver(&parts)) {
    goOn(&parts, o->cell);
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
  return crLookBelow(&o->depth, crMulAdd(o->centre, s, o->axis), &slope) + o->rate * o->radius;
}

// -------------------------------------------------------------------------------------------------------- whole

// NaN counts as near.
static bool areBoxesApart(const crOver* o, double away, double* outGap, crVec3* outOutward)
{
  const crGround* g = o->depth.ground;
  double gaps[6] = { o->low.z - g->high,         o->low.x - 0.5 * g->width,    -0.5 * g->width - o->high.x,
                     o->low.y - 0.5 * g->length, -0.5 * g->length - o->high.y, g->base - o->high.z };
  const crVec3 outs[6] = { { 0.0, 0.0, 1.0 }, { 1.0, 0.0, 0.0 },  { -1.0, 0.0, 0.0 },
                           { 0.0, 1.0, 0.0 }, { 0.0, -1.0, 0.0 }, { 0.0, 0.0, -1.0 } };
  int most = 0;
  for (int k = 1; k < 6; ++k) {
    most = gaps[k] > gaps[most] ? k : most;
  }
  *outGap = gaps[most];
  *outOutward = outs[most];
  return gaps[most] > away;
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
  crLookBelow(&o->depth, crMulAdd(o->centre, 0.5 * (o->z0 + o->z1), o->axis), &slope);
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

static void turnToDeepest(const crSection* rim)
{
  crSection own = *rim;
  crVec3 slope;
  crLookBelow(&rim->over->depth, crOver_PointAt(rim->over, rim->s, crFindLowest(&own)), &slope);
  crTurnOver(rim->over, slope);
}

static void addBeside(crOver* o, crPatch* patch)
{
  crSpansAbove spans, arcs;
  crScanSide(o, false, &spans);
  addSide(o, &spans, patch);
  for (int k = 0; k < 2; ++k) {
    crSection rim = { o, k == 0 ? o->z0 : o->z1 };
    if (boundCap(o, rim.s) > 0.0) {
      turnToDeepest(&rim);
      crFindArcs(&rim, &arcs);
      addCap(o, rim.s, &arcs, patch);
    }
  }
}

void crAddOverGround(const crShape* a, const crShape* ground, const crPose* X_AB, crPatch* patch)
{
  crPose X_GA = { crTranspose(X_AB->R), crNeg(crMulTV(X_AB->R, X_AB->p)) };
  crOver o = crPlaceOver(a, ground, &X_GA);
  double gap;
  crVec3 outward;
  patch->share = 1.0;
  if (areBoxesApart(&o, 0.0, &gap, &outward)) {
    return;
  }
  crPatch_TakeFirst(patch);
  if (o.pose == cr_overRolling) {
    addRolling(&o, patch);
  } else if (o.pose == cr_overStanding) {
    addStanding(&o, patch);
  } else {
    addBeside(&o, patch);
  }
}

static void findDeepestOfSide(crOver* o, double* outMost, crVec3* outPoint)
{
  crSpansAbove spans;
  crScanSide(o, true, &spans);
  crSection section = { o, spans.at };
  *outMost = spans.most;
  *outPoint = crOver_PointAt(o, section.s, crFindLowest(&section));
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
  if (o->pose != cr_overStanding) {
    findDeepestOfSide(o, &most, &best);
  }
  if (o->pose == cr_overStanding) {
    findDeepestOfCap(o, isLowAtEnd(o) ? o->z1 : o->z0, &most, &best);
  } else if (o->pose == cr_overBeside) {
    findDeepestOfCap(o, o->z0, &most, &best);
    findDeepestOfCap(o, o->z1, &most, &best);
  }
  return best;
}

crGroundGap crMeasureOverGround(const crShape* round, const crPose* X_WR, const crShape* ground, const crPose* X_WG)
{
  crPose X_WA = crPlaceCanonical(round, X_WR), X_WB = crPlaceCanonical(ground, X_WG);
  crPose X_GA = { crMulTM(X_WB.R, X_WA.R), crMulTV(X_WB.R, crSub(X_WA.p, X_WB.p)) };
  crOver o = crPlaceOver(round, ground, &X_GA);
  double gap;
  crVec3 outward;
  if (areBoxesApart(&o, CR_AWAY_SHARE * round->smallestDimension, &gap, &outward)) {
    crVec3 out = crMulMV(X_WB.R, outward), point = crTransformPoint(X_WB, crScale(0.5, crAdd(o.low, o.high)));
    return (crGroundGap){ gap, out, point, crMulAdd(point, -gap, out) };
  }
  crVec3 slope, p = findDeepest(&o), point = crTransformPoint(X_WB, p);
  double distance = crToDistance(&o.depth, crLookBelow(&o.depth, p, &slope), slope), rise = crLength(slope);
  crVec3 out = crMulMV(X_WB.R, crScale(-1.0 / rise, slope));
  return (crGroundGap){ distance, out, point, crMulAdd(point, -distance, out) };
}
