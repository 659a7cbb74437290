#include "geometry/involute_gear.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/profile.h"

#define CR_FLANK 4 // points at most: at the root, where the involute begins and ends, at the tip

// One flank from root to tip, of a tooth about the x axis, above it.
typedef struct Flank {
  crProfilePoint points[CR_FLANK]; // with the ways from root to tip
  int count;
  double root, tip; // [m]
} Flank;

static double rollAt(double radius, double base)
{
  return radius > base ? sqrt((radius - base) * (radius + base)) / base : 0.0;
}

static double inv(double roll)
{
  return roll - crAtan2(roll, 1.0);
}

static crPlanePoint turnBy(crPlanePoint a, double angle)
{
  double s, c;
  crSinCos(angle, &s, &c);
  return (crPlanePoint){ c * a.x - s * a.y, c * a.y + s * a.x };
}

// half [rad]: of the tooth at the base circle.
static crPlanePoint placeAt(double base, double half, double roll)
{
  return turnBy((crPlanePoint){ base * sqrt(1.0 + roll * roll), 0.0 }, half - inv(roll));
}

// Down along its tangent, to the root circle.
static crPlanePoint findRoot(crPlanePoint p, crPlanePoint tangent, double root)
{
  double along = crPlaneDot(p, tangent);
  return crPlaneAdd(p, -(along - sqrt(along * along - (crPlaneDot(p, p) - root * root))), tangent);
}

static void add(Flank* flank, crPlanePoint p, double arc, double involute)
{
  flank->points[flank->count++] = (crProfilePoint){ .x = p.x, .y = p.y, .arc = arc, .involute = involute };
}

// The arc from a, along t, to b: its curvature.
static double bendTo(crPlanePoint a, crPlanePoint t, crPlanePoint b)
{
  crPlanePoint v = crPlaneSub(b, a);
  return 2.0 * crPlaneCross(t, v) / crPlaneDot(v, v);
}

// Sizes of a gear, see the header.
typedef struct Sizes {
  double module, base, tip, root, relief; // [m]
  double half;                            // [rad] of a tooth at the base circle
  double first, last;                     // [rad] rolls where flanks begin and end
} Sizes;

static Sizes findSizes(const crShapeDef* def)
{
  double z = def->as.involuteGear.teeth, m = def->as.involuteGear.module, x = def->as.involuteGear.shift;
  double t = crTan(def->as.involuteGear.pressureAngle), r = 0.5 * m * z, base = r / sqrt(1.0 + t * t);
  Sizes sizes = { .module = m, .base = base, .relief = def->as.involuteGear.tipRelief };
  sizes.half = 0.5 * (m * (0.5 * CR_PI + 2.0 * x * t) - def->as.involuteGear.backlash) / r + inv(t);
  sizes.tip = r + m * (CR_GEAR_ADDENDUM + x);
  sizes.root = r + m * (x - CR_GEAR_DEDENDUM);
  sizes.first = fmax(rollAt(sizes.root, base), CR_GEAR_LEAST_ROLL);
  sizes.last = rollAt(sizes.tip, base);
  return sizes;
}

// What is parallel to an involute is the same one, turned.
static double findTipAngle(const Sizes* s)
{
  return s->half - s->relief / s->base - inv(s->last);
}

static bool checkSizes(const Sizes* s, crReporter* reporter)
{
  const char* hint = "another number of teeth, shift, backlash or tipRelief";
  double start = s->relief > 0.0 ? rollAt(s->tip - CR_GEAR_RELIEF * s->module, s->base) : s->last;
  if (!(s->root > 0.0)) {
    crReportNumber(reporter, "the root circle of an involute gear must have a radius", s->root, "> 0", "m", hint);
  } else if (!(start > s->first)) {
    crReportNumber(reporter,
                   "the teeth of an involute gear have no flanks: they end below their base circle, at the tip", s->tip,
                   NULL, "m", hint);
  } else if (!(findTipAngle(s) > 0.0)) {
    crReportNumber(reporter, "the teeth of an involute gear are pointed: at the tip they are thick by",
                   2.0 * s->tip * findTipAngle(s), "> 0", "m", hint);
  } else {
    return true;
  }
  return false;
}

static void makeFlank(const Sizes* s, Flank* flank)
{
  const crPlanePoint x = { 1.0, 0.0 };
  crPlanePoint from = placeAt(s->base, s->half, s->first), end;
  flank->root = s->root;
  flank->tip = s->tip;
  if (rollAt(s->root, s->base) < s->first) {
    add(flank, findRoot(from, turnBy(x, s->half - s->first), s->root), 0.0, 0.0);
  }
  add(flank, from, 0.0, 0.0);
  end = placeAt(s->base, s->half - s->relief / s->base, s->last);
  if (s->relief > 0.0) {
    double start = rollAt(s->tip - CR_GEAR_RELIEF * s->module, s->base);
    crPlanePoint leaves = placeAt(s->base, s->half, start);
    add(flank, leaves, 0.0, s->base);
    add(flank, end, 1.0 / bendTo(leaves, turnBy(x, s->half - start), end), 0.0);
  } else {
    add(flank, end, 0.0, s->base);
  }
}

static crProfilePoint place(const crProfilePoint* p, double side, double phi)
{
  crPlanePoint at = turnBy((crPlanePoint){ p->x, side * p->y }, phi);
  return (crProfilePoint){ .x = at.x, .y = at.y };
}

// Up the lower flank, along the tip, down the upper one; the root circle leads to the next tooth.
static crProfilePoint* addTooth(const Flank* flank, double phi, crProfilePoint* to)
{
  for (int i = 0; i < flank->count; ++i, ++to) {
    *to = place(&flank->points[i], -1.0, phi);
    to->arc = i == 0 ? flank->root : -flank->points[i].arc; // mirrored
    to->involute = i == 0 ? 0.0 : flank->points[i].involute;
  }
  for (int i = flank->count - 1; i >= 0; --i, ++to) {
    const crProfilePoint* way = i + 1 < flank->count ? &flank->points[i + 1] : NULL; // taken backwards
    *to = place(&flank->points[i], 1.0, phi);
    to->arc = way != NULL ? -way->arc : flank->tip;
    to->involute = way != NULL ? way->involute : 0.0;
  }
  return to;
}

crStatus crMakeGearOutline(const crShapeDef* def, const crAllocator* allocator, crReporter* reporter,
                           crProfilePoint** outPoints, int* outCount)
{
  Flank flank = { .count = 0 };
  *outPoints = NULL;
  *outCount = 0;
  Sizes sizes = findSizes(def);
  if (!checkSizes(&sizes, reporter)) {
    return cr_errorModel;
  }
  makeFlank(&sizes, &flank);
  double atRoot = 2.0 * crAtan2(flank.points[0].y, flank.points[0].x);
  if (!(atRoot > 0.0 && atRoot * def->as.involuteGear.teeth < 2.0 * CR_PI)) {
    crReportNumber(reporter,
                   "the teeth of an involute gear leave no room between them: at their roots they are thick by",
                   sizes.root * atRoot, NULL, "m", "another number of teeth, shift or backlash");
    return cr_errorModel;
  }
  int teeth = def->as.involuteGear.teeth, count = 2 * flank.count * teeth;
  crProfilePoint *points = crAllocateZero(allocator, (size_t)count, sizeof *points), *to = points;
  if (points == NULL) {
    return cr_errorMemory;
  }
  for (int k = 0; k < teeth; ++k) {
    to = addTooth(&flank, 2.0 * CR_PI * k / teeth, to);
  }
  *outPoints = points;
  *outCount = count;
  return cr_ok;
}
