// Making a profile of its def: what is wrong with it is told by the points of the def, which count from 1.
#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/profile.h"
#include "geometry/profile_spline.h"

#include <stdio.h>
#include <string.h>

#define CR_TEXT_SIZE 128    // [bytes]
#define CR_ARC_SLACK 1e-9   // [-] of half the distance of its ends: an arc that is smaller by this is a half-circle
#define CR_STRAIGHT 1e-9    // [-] sine below which three points are on a line
#define CR_AXIS_SHARE 1e-12 // [-] of the size: points that are nearer to the axis are on it
#define CR_SMOOTH_SINE                                                                                                 \
  1e-3 // [-] of the angle of two tangents below which elements go on in each other: a ball of radius
       // r that lies in so flat a valley would be 1e-7 r deeper
#define CR_MEET_SHARE 1e-9   // [-] of the size: elements that come so near to each other cross
#define CR_AROUND_SLACK 1e-9 // [-] for round-off
#define CR_LEAST_ROLL 0.01   // [rad] of an involute: at its base circle it has no radius that a contact could have
#define CR_MOST_HALF 1.0     // [rad] of an involute: it surrounds nothing, and its base circle bends less than a half
#define CR_CHORDS 16         // that stand for an involute where crossings are looked for
#define CR_LEAST_POINTS 2
#define CR_MOST_POINTS 100000

typedef struct Making {
  const crProfileDef* def;
  bool isRevolved;
  crReporter* reporter;
  crProfile* profile;
  crPlainProfile plain; // without splines
  double size;          // [m]
} Making;

static crPlanePoint pointOf(const crProfilePoint* p)
{
  return (crPlanePoint){ p->x, p->y };
}

static void complain(const Making* making, int point, const char* what, double found, const char* allowed,
                     const char* hint)
{
  char message[CR_TEXT_SIZE];
  snprintf(message, sizeof message, "point %d of the profile %s", point + 1, what);
  crReportNumber(making->reporter, message, found, allowed, "m", hint);
}

// ---------------------------------------------------------------------------------------------- points

// Names of the ways that lead to a point, if not straight.
static void listWays(const crProfilePoint* p, const char* names[4], int* count)
{
  const struct {
    bool isThere;
    const char* name;
  } ways[] = { { p->arc != 0.0, "arc" },
               { p->hasThrough, "through" },
               { p->involute != 0.0, "involute" },
               { p->isSpline, "spline" } };
  for (int i = 0; i < 4; ++i) {
    if (ways[i].isThere) {
      names[(*count)++] = ways[i].name;
    }
  }
}

static void checkPoint(const Making* making, int i)
{
  const crProfilePoint* p = &making->def->points[i];
  bool isFinite = isfinite(p->x) && isfinite(p->y) && isfinite(p->arc) && isfinite(p->involute) &&
                  (!p->hasThrough || (isfinite(p->throughX) && isfinite(p->throughY))) &&
                  (!p->hasTangent || (isfinite(p->tangentX) && isfinite(p->tangentY)));
  if (!isFinite) {
    crReportError(making->reporter, "point %d of the profile must be finite", i + 1);
    return;
  }
  if (making->isRevolved && p->x < 0.0) {
    complain(making, i, "lies beyond the axis", p->x, ">= 0", "x is the distance from the axis");
  }
  const char* ways[4];
  int count = 0;
  listWays(p, ways, &count);
  if (count > 1) {
    crReportError(making->reporter, "point %d of the profile has both %s and %s: one of them says how to get there",
                  i + 1, ways[0], ways[1]);
  }
  bool isOnSpline = p->isSpline || making->def->points[i + 1 < making->def->pointCount ? i + 1 : 0].isSpline;
  if (p->hasTangent && (!isOnSpline || !(crPlaneLength((crPlanePoint){ p->tangentX, p->tangentY }) > 0.0))) {
    crReportError(making->reporter, "point %d of the profile has a tangent that %s", i + 1,
                  isOnSpline ? "has no direction" : "no spline goes along");
  }
  if (p->involute < 0.0) {
    complain(making, i, "has an involute of no circle", p->involute, "> 0",
             "involute is the radius of its base circle");
  }
  if (making->isRevolved && p->involute != 0.0) {
    crReportError(making->reporter, "point %d of the profile has an involute, which is for extruded profiles", i + 1);
  }
}

// How far an involute is unrolled, [rad], where it is at a point.
static double rollOf(crPlanePoint p, double base)
{
  double r = crPlaneLength(p);
  return sqrt(fmax(0.0, (r - base) * (r + base))) / base;
}

static double involuteOf(double roll)
{
  return roll - crAtan2(roll, 1.0);
}

// [rad] By which b is beside the involute through a.
static double findMiss(crPlanePoint a, crPlanePoint b, double base)
{
  double polar = fabs(crAtan2(crPlaneCross(a, b), crPlaneDot(a, b)));
  return polar - fabs(involuteOf(rollOf(b, base)) - involuteOf(rollOf(a, base)));
}

static void checkInvolute(const Making* making, int i, crPlanePoint a, crPlanePoint b)
{
  double base = making->def->points[i].involute, ta = rollOf(a, base), tb = rollOf(b, base);
  double miss = base * findMiss(a, b, base); // across all involutes of a circle lies the same length
  char allowed[CR_TEXT_SIZE];
  if (fmin(ta, tb) < CR_LEAST_ROLL) {
    snprintf(allowed, sizeof allowed, "> %.12g", base * sqrt(1.0 + CR_LEAST_ROLL * CR_LEAST_ROLL));
    complain(making, i, "has an involute that begins at its base circle, or inside it, at the radius",
             fmin(crPlaneLength(a), crPlaneLength(b)), allowed, NULL);
  } else if (!(fabs(miss) <= CR_ARC_SLACK * making->size)) {
    complain(
        making, i, "is beside the involute through the point before", miss, "0",
        "the circle is about the origin: the angle from point to point is that of tan a - a, cos a = involute / r");
  } else if (fabs(tb - ta) > 2.0 * CR_MOST_HALF) {
    snprintf(allowed, sizeof allowed, "<= %.12g", 2.0 * CR_MOST_HALF);
    char message[CR_TEXT_SIZE];
    snprintf(message, sizeof message, "point %d of the profile has an involute that turns by", i + 1);
    crReportNumber(making->reporter, message, fabs(tb - ta), allowed, "rad", "put a point between");
  }
}

static void checkWay(const Making* making, int i)
{
  const crProfileDef* def = making->def;
  const crProfilePoint* to = &def->points[i];
  crPlanePoint a = pointOf(&def->points[i > 0 ? i - 1 : def->pointCount - 1]), b = pointOf(to);
  double distance = crPlaneLength(crPlaneSub(b, a));
  if (!(distance > CR_AXIS_SHARE * making->size)) {
    complain(making, i, "is the same as the one before", distance, "a distance > 0",
             "a profile that is not open closes by itself; a circle is two arcs");
    return;
  }
  if (to->arc != 0.0 && fabs(to->arc) < 0.5 * distance * (1.0 - CR_ARC_SLACK)) {
    char allowed[CR_TEXT_SIZE];
    snprintf(allowed, sizeof allowed, "at least %.12g, half the distance from the point before", 0.5 * distance);
    complain(making, i, "is out of reach of its arc", fabs(to->arc), allowed, NULL);
  }
  if (to->involute > 0.0) {
    checkInvolute(making, i, a, b);
  }
  if (to->hasThrough) {
    crPlanePoint u = crPlaneSub((crPlanePoint){ to->throughX, to->throughY }, a), v = crPlaneSub(b, a);
    double sine = fabs(crPlaneCross(u, v)), most = crPlaneLength(u) * distance;
    if (!(sine > CR_STRAIGHT * most)) {
      crReportError(making->reporter, "the arc to point %d of the profile goes through a point on the line to it",
                    i + 1);
    }
  }
}

static void checkPoints(Making* making)
{
  const crProfileDef* def = making->def;
  if (def->points == NULL || def->pointCount < CR_LEAST_POINTS || def->pointCount > CR_MOST_POINTS) {
    char found[CR_TEXT_SIZE], allowed[CR_TEXT_SIZE];
    snprintf(found, sizeof found, "%d", def->points != NULL ? def->pointCount : 0);
    snprintf(allowed, sizeof allowed, "%d ... %d", CR_LEAST_POINTS, CR_MOST_POINTS);
    crComplaint complaint = { "a profile must have points", found, allowed, NULL, NULL };
    crReport(making->reporter, cr_severityError, cr_errorModel, &complaint);
    return;
  }
  if (!(def->error >= 0.0 && isfinite(def->error))) {
    crReportNumber(making->reporter, "error must not be negative", def->error, ">= 0", "m", NULL);
  }
  int before = making->reporter->errorCount;
  for (int i = 0; i < def->pointCount; ++i) {
    checkPoint(making, i);
    making->size = fmax(making->size, fmax(fabs(def->points[i].x), fabs(def->points[i].y)));
  }
  for (int i = def->isOpen ? 1 : 0; i < def->pointCount && making->reporter->errorCount == before; ++i) {
    checkWay(making, i);
  }
  const crProfilePoint* first = &def->points[0];
  if (def->isOpen && (first->arc != 0.0 || first->hasThrough || first->involute != 0.0 || first->isSpline)) {
    crReportError(making->reporter, "point 1 of an open profile has no way to it");
  }
}

// -------------------------------------------------------------------------------------------- elements

static crProfileElement makeLine(crPlanePoint a, crPlanePoint b)
{
  crPlanePoint v = crPlaneSub(b, a);
  double length = crPlaneLength(v);
  crPlanePoint normal = { v.y / length, -v.x / length };
  return (crProfileElement){ .kind = cr_profileLine,
                             .start = a,
                             .end = b,
                             .middle = { 0.5 * (a.x + b.x), 0.5 * (a.y + b.y) },
                             .normal = normal,
                             .startNormal = normal,
                             .endNormal = normal,
                             .half = 0.5 * length,
                             .cut = HUGE_VAL };
}

static void setAngle(crProfileElement* e, double half)
{
  e->half = half;
  e->sine = crSin(half);
  e->cosine = crCos(half);
}

// From a to b, to the left if sign > 0; rest: distance of the centre from the chord, < 0 where the arc is longer than
// half a turn.
static crProfileElement makeArc(crPlanePoint a, crPlanePoint b, double radius, double rest, double sign)
{
  crProfileElement e = makeLine(a, b);
  double h = e.half;
  double height = rest < 0.0 ? radius - rest : h * h / (radius + rest); // of the middle over the chord
  e.kind = cr_profileArc;
  e.middle = crPlaneAdd(e.middle, sign * height, e.normal);
  e.radius = radius;
  e.curvature = sign / radius;
  e.half = crAtan2(h, rest);
  e.sine = h / radius;
  e.cosine = rest / radius;
  crPlanePoint tangent = crPlaneLeft(e.normal);
  crPlanePoint along = { e.cosine * e.normal.x, e.cosine * e.normal.y };
  e.startNormal = crPlaneAdd(along, -sign * e.sine, tangent);
  e.endNormal = crPlaneAdd(along, sign * e.sine, tangent);
  return e;
}

static crProfileElement makeArcOfRadius(crPlanePoint a, crPlanePoint b, double arc)
{
  double h = 0.5 * crPlaneLength(crPlaneSub(b, a)), R = fmax(fabs(arc), h);
  return makeArc(a, b, R, sqrt((R - h) * (R + h)), arc > 0.0 ? 1.0 : -1.0);
}

// The centre sees the chord at twice the angle that the point between sees it at.
static crProfileElement makeArcThrough(crPlanePoint a, crPlanePoint through, crPlanePoint b)
{
  crPlanePoint u = crPlaneSub(through, a), w = crPlaneSub(b, through);
  double h = 0.5 * crPlaneLength(crPlaneSub(b, a)), cross = crPlaneCross(u, w);
  double rest = h * crPlaneDot(u, w) / fabs(cross);
  return makeArc(a, b, sqrt(h * h + rest * rest), rest, cross > 0.0 ? 1.0 : -1.0);
}

static void setRoll(crProfileElement* e, double roll)
{
  double sign = e->curvature > 0.0 ? 1.0 : -1.0;
  e->roll = roll;
  e->radius = e->base * (roll - e->half);
  e->curvature = sign / (e->base * roll);
}

// T is where the base circle is touched by the normal of p, in the direction e from its centre.
static crPlanePoint findFeeler(crPlanePoint p, double base, double sense)
{
  double r = crPlaneLength(p), cosine = base / r, sine = sense * base * rollOf(p, base) / r;
  return (crPlanePoint){ (cosine * p.x - sine * p.y) / r, (cosine * p.y + sine * p.x) / r };
}

static crPlanePoint turnBy(crPlanePoint a, double angle)
{
  double s, c;
  crSinCos(angle, &s, &c);
  return (crPlanePoint){ c * a.x - s * a.y, c * a.y + s * a.x };
}

// Both ends say where it begins to unroll: it lies between what they say.
static crProfileElement makeInvolute(crPlanePoint a, crPlanePoint b, double base)
{
  crProfileElement e = makeLine(a, b);
  double ta = rollOf(a, base), tb = rollOf(b, base), middle = 0.5 * (ta + tb);
  double growth = tb > ta ? 1.0 : -1.0, sense = growth * (crPlaneCross(a, b) > 0.0 ? 1.0 : -1.0);
  crPlanePoint fromA = turnBy(findFeeler(a, base, sense), sense * (middle - ta));
  crPlanePoint fromB = turnBy(findFeeler(b, base, sense), sense * (middle - tb));
  crPlanePoint sum = crPlaneAdd(fromA, 1.0, fromB), right = { growth * sum.y, -growth * sum.x };
  double length = crPlaneLength(right);
  e.kind = cr_profileInvolute;
  e.base = base;
  e.growth = growth;
  e.curvature = sense * growth;
  e.normal = (crPlanePoint){ right.x / length, right.y / length };
  setAngle(&e, 0.5 * fabs(tb - ta));
  setRoll(&e, middle);
  e.startNormal = crProfileElement_At(&e, -1.0).normal;
  e.endNormal = crProfileElement_At(&e, 1.0).normal;
  e.middle = crProfileElement_At(&e, 0.0).point;
  return e;
}

static crProfileElement makeElement(const crPlainProfile* plain, int i)
{
  const crProfilePoint* to = &plain->points[i];
  crPlanePoint a = pointOf(&plain->points[i > 0 ? i - 1 : plain->count - 1]), b = pointOf(to);
  crProfileElement e = to->hasThrough        ? makeArcThrough(a, (crPlanePoint){ to->throughX, to->throughY }, b)
                       : to->arc != 0.0      ? makeArcOfRadius(a, b, to->arc)
                       : to->involute != 0.0 ? makeInvolute(a, b, to->involute)
                                             : makeLine(a, b);
  e.source = plain->sources[i];
  return e;
}

static crPlanePoint negative(crPlanePoint a)
{
  return (crPlanePoint){ -a.x, -a.y };
}

// The same way back: what was left of it is right of it.
static crProfileElement turnRound(const crProfileElement* e)
{
  crProfileElement turned = *e;
  turned.start = e->end;
  turned.end = e->start;
  turned.normal = negative(e->normal);
  turned.startNormal = negative(e->endNormal);
  turned.endNormal = negative(e->startNormal);
  turned.curvature = -e->curvature;
  turned.growth = -e->growth;
  return turned;
}

// One of two halves of an element. The first one ends where the other one goes on: for balls that fit into a concave
// arc.
static crProfileElement halve(const crProfileElement* e, bool isFirst)
{
  crProfilePlace place = crProfileElement_At(e, isFirst ? -0.5 : 0.5);
  crProfileElement part = *e;
  part.middle = place.point;
  part.normal = place.normal;
  if (isFirst) {
    part.end = e->middle;
    part.endNormal = e->normal;
    part.cut = e->curvature < 0.0 ? -1.0 / e->curvature : HUGE_VAL;
    part.isSmooth = true;
    part.isHalved = !(e->curvature < 0.0);
  } else {
    part.start = e->middle;
    part.startNormal = e->normal;
  }
  if (e->kind != cr_profileLine) {
    setAngle(&part, 0.5 * e->half);
  }
  if (e->kind == cr_profileInvolute) {
    setRoll(&part, e->roll + e->growth * (isFirst ? -0.5 : 0.5) * e->half);
  } else if (e->kind == cr_profileLine) {
    part.half = 0.5 * e->half;
  }
  return part;
}

// ----------------------------------------------------------------------------------------------- order

static void turnAll(crProfile* profile)
{
  for (int i = 0, k = profile->count - 1; i <= k; ++i, --k) {
    crProfileElement first = turnRound(&profile->items[i]), last = turnRound(&profile->items[k]);
    profile->items[i] = last;
    profile->items[k] = first;
  }
}

static bool isOnAxis(const Making* making, crPlanePoint p)
{
  return p.x <= CR_AXIS_SHARE * making->size;
}

// Of a profile of revolution what lies on the axis is no surface: what is behind it comes first, and the curve is open.
static void dropAxis(const Making* making)
{
  crProfile* profile = making->profile;
  int n = profile->count, first = -1;
  for (int k = 0; k < n; ++k) {
    const crProfileElement* e = &profile->items[k];
    if (e->kind == cr_profileLine && isOnAxis(making, e->start) && isOnAxis(making, e->end)) {
      first = k;
    }
  }
  if (first < 0) {
    return;
  }
  crProfileElement* items = profile->items;
  for (int turn = 0; turn <= first && profile->isClosed; ++turn) { // the element on the axis becomes the last one
    crProfileElement moved = items[0];
    memmove(items, items + 1, (size_t)(n - 1) * sizeof *items);
    items[n - 1] = moved;
  }
  if (!profile->isClosed && first == 0) {
    memmove(items, items + 1, (size_t)(n - 1) * sizeof *items);
  }
  bool isEnd = profile->isClosed || first == 0 || first == n - 1;
  if (!isEnd) {
    crReportError(making->reporter, "the profile runs along the axis before point %d", items[first].source + 1);
  }
  profile->isClosed = false;
  profile->count = n - 1;
}

static void joinElements(crProfile* profile)
{
  for (int k = 0; k < profile->count; ++k) {
    crProfileElement* e = &profile->items[k];
    bool isLast = k == profile->count - 1;
    if (isLast && !profile->isClosed) {
      continue;
    }
    crPlanePoint next = profile->items[isLast ? 0 : k + 1].startNormal;
    double sine = crPlaneCross(e->endNormal, next), cosine = crPlaneDot(e->endNormal, next);
    e->isSmooth = fabs(sine) <= CR_SMOOTH_SINE && cosine > 0.0;
    e->cut = !e->isSmooth && sine < 0.0 ? 0.0 : HUGE_VAL;
  }
}

// Where nothing is concave every ball touches once, and nothing has to be cut.
static void splitElements(crProfile* profile)
{
  bool isConcave = false;
  for (int k = 0; k < profile->count; ++k) {
    isConcave = isConcave || profile->items[k].curvature < 0.0 || profile->items[k].cut == 0.0;
  }
  for (int k = profile->count - 1; k >= 0 && isConcave; --k) {
    crProfileElement e = profile->items[k];
    profile->items[2 * k] = halve(&e, true);
    profile->items[2 * k + 1] = halve(&e, false);
  }
  profile->count *= isConcave ? 2 : 1;
}

// No point of an arc is farther from its middle than its ends, nor of a line; of an involute than it is long.
static void surround(crProfile* profile)
{
  for (int k = 0; k < profile->count; ++k) {
    crProfileElement* e = &profile->items[k];
    e->around =
        (1.0 + CR_AROUND_SLACK) * (e->kind == cr_profileInvolute ? e->base * e->half * (e->roll + 0.5 * e->half)
                                                                 : fmax(crPlaneLength(crPlaneSub(e->start, e->middle)),
                                                                        crPlaneLength(crPlaneSub(e->end, e->middle))));
  }
  for (int k = 0; k < profile->count; ++k) {
    crProfileElement *e = &profile->items[k], *last = &profile->items[(k + CR_PROFILE_BUNCH - 1) % profile->count];
    e->centre = crPlaneAdd(crPlaneAdd((crPlanePoint){ 0.0, 0.0 }, 0.5, e->middle), 0.5, last->middle);
    e->bunch = 0.0;
    for (int i = 0; i < CR_PROFILE_BUNCH; ++i) {
      const crProfileElement* of = &profile->items[(k + i) % profile->count];
      e->bunch = fmax(e->bunch, crPlaneLength(crPlaneSub(of->middle, e->centre)) + of->around);
    }
    e->bunch *= 1.0 + CR_AROUND_SLACK;
  }
}

// Normals of an element go from that at its start by +-2 half, and on at a convex corner.
static void spread(crProfile* profile)
{
  for (int k = 0; k < profile->count; ++k) {
    crProfileElement* e = &profile->items[k];
    bool isLast = k == profile->count - 1, goesOn = !isLast || profile->isClosed;
    crPlanePoint next = profile->items[isLast ? 0 : k + 1].startNormal;
    double sine = crPlaneCross(e->endNormal, next), cosine = crPlaneDot(e->endNormal, next);
    double corner = goesOn && !e->isSmooth ? fmax(crAtan2(sine, cosine), 0.0) : 0.0;
    double own = e->kind == cr_profileLine ? 0.0 : e->curvature > 0.0 ? 2.0 * e->half : -2.0 * e->half;
    e->corner = turnBy(e->endNormal, 0.5 * corner);
    e->cornerCosine = corner > 0.0 ? crCos(0.5 * corner) : 2.0;
    double low = fmin(own, 0.0), high = fmax(own + corner, 0.0), half = 0.5 * (high - low);
    e->cone = turnBy(e->startNormal, 0.5 * (low + high));
    e->coneSine = half < 0.5 * CR_PI ? crSin(half) : 1.0;
    e->coneCosine = half < 0.5 * CR_PI ? crCos(half) : 0.0;
  }
}

// ------------------------------------------------------------------------------------------- crossings

static bool isOn(const Making* making, const crProfileElement* e, crPlanePoint x)
{
  crPlanePoint normal;
  double offset = 0.0, curvature;
  return cr_profileRows[e->kind].nearest(e, x, &normal, &offset, &curvature) == 0 &&
         fabs(offset) <= CR_MEET_SHARE * making->size;
}

static crPlanePoint centreOf(const crProfileElement* e)
{
  return crPlaneAdd(e->middle, -1.0 / e->curvature, e->normal);
}

// Where the lines or circles of two elements meet; returns how many points.
static int findMeetings(const crProfileElement* a, const crProfileElement* b, crPlanePoint out[2])
{
  if (a->kind == cr_profileLine && b->kind == cr_profileLine) {
    crPlanePoint t = crPlaneLeft(a->normal);
    double across = crPlaneDot(t, b->normal);
    if (fabs(across) < CR_STRAIGHT) {
      return 0;
    }
    out[0] = crPlaneAdd(a->middle, crPlaneDot(crPlaneSub(b->middle, a->middle), b->normal) / across, t);
    return 1;
  }
  if (a->kind == cr_profileLine) {
    const crProfileElement* line = a;
    a = b;
    b = line;
  }
  crPlanePoint centre = centreOf(a), foot, along;
  double square;
  if (b->kind == cr_profileLine) {
    double away = crPlaneDot(crPlaneSub(centre, b->middle), b->normal);
    foot = crPlaneAdd(centre, -away, b->normal);
    along = crPlaneLeft(b->normal);
    square = a->radius * a->radius - away * away;
  } else {
    crPlanePoint between = crPlaneSub(centreOf(b), centre);
    double d = crPlaneLength(between);
    if (!(d > 0.0)) {
      return 0;
    }
    crPlanePoint unit = { between.x / d, between.y / d };
    double away = 0.5 * (d + (a->radius - b->radius) * (a->radius + b->radius) / d);
    foot = crPlaneAdd(centre, away, unit);
    along = crPlaneLeft(unit);
    square = a->radius * a->radius - away * away;
  }
  if (square < 0.0) {
    return 0;
  }
  out[0] = crPlaneAdd(foot, sqrt(square), along);
  out[1] = crPlaneAdd(foot, -sqrt(square), along);
  return 2;
}

static bool isNear(const Making* making, crPlanePoint a, crPlanePoint b)
{
  return crPlaneLength(crPlaneSub(a, b)) <= 1e3 * CR_MEET_SHARE * making->size;
}

static bool doCross(const Making* making, const crProfileElement* a, const crProfileElement* b, bool areNext,
                    bool areNextBack)
{
  crPlanePoint points[2];
  int count = findMeetings(a, b, points);
  for (int i = 0; i < count; ++i) {
    bool isShared =
        (areNext && isNear(making, points[i], a->end)) || (areNextBack && isNear(making, points[i], a->start));
    if (!isShared && isOn(making, a, points[i]) && isOn(making, b, points[i])) {
      return true;
    }
  }
  bool startTouches = !areNextBack && (isOn(making, b, a->start) || isOn(making, a, b->end));
  bool endTouches = !areNext && (isOn(making, b, a->end) || isOn(making, a, b->start));
  return startTouches || endTouches; // an end lies on the other one
}

static int countChords(const crProfileElement* e)
{
  return e->kind == cr_profileInvolute ? CR_CHORDS : 1;
}

static crProfileElement getChord(const crProfileElement* e, int i)
{
  if (e->kind != cr_profileInvolute) {
    return *e;
  }
  crPlanePoint from = i > 0 ? crProfileElement_At(e, -1.0 + 2.0 * i / CR_CHORDS).point : e->start;
  crPlanePoint to = i + 1 < CR_CHORDS ? crProfileElement_At(e, -1.0 + 2.0 * (i + 1) / CR_CHORDS).point : e->end;
  return makeLine(from, to);
}

static bool doMeet(const Making* making, const crProfileElement* a, const crProfileElement* b, bool areNext,
                   bool areNextBack)
{
  int ofA = countChords(a), ofB = countChords(b);
  for (int m = 0; m < ofA * ofB; ++m) {
    int i = m / ofB, k = m % ofB;
    crProfileElement x = getChord(a, i), y = getChord(b, k);
    if (doCross(making, &x, &y, areNext && i == ofA - 1 && k == 0, areNextBack && i == 0 && k == ofB - 1)) {
      return true;
    }
  }
  return false;
}

static bool areApart(const crProfileElement* a, const crProfileElement* b)
{
  crPlanePoint d = crPlaneSub(b->middle, a->middle);
  double most = a->around + b->around;
  return crPlaneDot(d, d) > most * most;
}

static void checkCrossings(const Making* making)
{
  const crProfile* profile = making->profile;
  for (int i = 0; i < profile->count; ++i) {
    for (int k = i + 1; k < profile->count; ++k) {
      bool isLast = k == profile->count - 1 && i == 0 && profile->isClosed;
      if (!areApart(&profile->items[i], &profile->items[k]) &&
          doMeet(making, &profile->items[i], &profile->items[k], k == i + 1, isLast)) {
        crReportError(making->reporter, "the profile crosses itself: on the ways to its points %d and %d",
                      profile->items[i].source + 1, profile->items[k].source + 1);
        return;
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------ whole

static void fillElements(Making* making)
{
  const crProfileDef* def = making->def;
  const crPlainProfile* plain = &making->plain;
  crProfile* profile = making->profile;
  for (int i = def->isOpen ? 1 : 0; i < plain->count; ++i) {
    profile->items[profile->count++] = makeElement(plain, i);
  }
  if (!def->isOpen) { // the way to the first point is the last one
    crProfileElement first = profile->items[0];
    memmove(profile->items, profile->items + 1, (size_t)(profile->count - 1) * sizeof first);
    profile->items[profile->count - 1] = first;
  }
  profile->isClosed = !def->isOpen;
  profile->isRevolved = making->isRevolved;
  profile->hasVolume = !def->isOpen && !def->isTurnedOut;
}

static void orient(Making* making)
{
  crProfile* profile = making->profile;
  bool isClockwise = !making->def->isOpen && crProfile_Integrate(profile, 0, 0) < 0.0;
  if (isClockwise != making->def->isTurnedOut) {
    turnAll(profile);
  }
}

static void snapToAxis(const Making* making)
{
  crProfile* profile = making->profile;
  for (int k = 0; k < profile->count; ++k) {
    crProfileElement* e = &profile->items[k];
    e->start.x = isOnAxis(making, e->start) ? 0.0 : e->start.x;
    e->end.x = isOnAxis(making, e->end) ? 0.0 : e->end.x;
  }
}

static void fillProfile(Making* making)
{
  crProfile* profile = making->profile;
  fillElements(making);
  surround(profile);
  checkCrossings(making);
  orient(making);
  if (making->isRevolved) {
    dropAxis(making);
    snapToAxis(making);
  }
  if (profile->count == 0) {
    crReportError(making->reporter, "the profile is nothing but its axis");
    return;
  }
  joinElements(profile);
  splitElements(profile);
  const crProfileElement *first = &profile->items[0], *last = &profile->items[profile->count - 1];
  bool isFree = !making->isRevolved || first->start.x > 0.0 || last->end.x > 0.0;
  profile->isShell = !profile->isClosed && isFree;
  surround(profile);
  spread(profile);
  if (profile->isClosed && !profile->isRevolved) {
    crProfile_FindRooms(profile);
  }
  crChain whole = crMakeWholeChain(profile);
  profile->min = whole.min;
  profile->max = whole.max;
  profile->size = making->size;
  if (making->isRevolved && whole.min.x < -CR_MEET_SHARE * making->size) {
    crReportNumber(making->reporter, "an arc of the profile goes beyond the axis", whole.min.x, ">= 0", "m", NULL);
  }
}

crStatus crCreateProfile(const crProfileDef* def, bool isRevolved, const crAllocator* allocator, crReporter* reporter,
                         crProfile** outProfile)
{
  int before = reporter->errorCount;
  Making making = { .def = def, .isRevolved = isRevolved, .reporter = reporter };
  *outProfile = NULL;
  checkPoints(&making);
  if (reporter->errorCount > before) {
    return cr_errorModel;
  }
  crStatus status = crMakePlainProfile(def, allocator, reporter, &making.plain);
  if (status != cr_ok) {
    return status;
  }
  size_t room = 2 * (size_t)making.plain.count;
  size_t byteCount = (sizeof(crProfile) + room * sizeof(crProfileElement) + 7) / 8 * 8;
  making.profile = crAllocateZero(allocator, 1, byteCount);
  if (making.profile == NULL) {
    crPlainProfile_Free(&making.plain, allocator);
    return cr_errorMemory;
  }
  making.profile->byteCount = byteCount;
  fillProfile(&making);
  crPlainProfile_Free(&making.plain, allocator);
  if (reporter->errorCount > before) {
    crFree(allocator, making.profile, byteCount);
    return cr_errorModel;
  }
  *outProfile = making.profile;
  return cr_ok;
}
