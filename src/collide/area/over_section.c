#include "collide/area/over_section.h"

#include "base/elementary.h"

#define CR_PI 3.14159265358979323846
#define CR_LEAN 0.3         // [-] least slope of f along a cap upwards when rolling
#define CR_STEEP 0.1        // [-] and along the side when standing
#define CR_FIT 0.95         // [-] of the largest circle that fits into the ground
#define CR_MOST_DOWN 40     // steps of Newton's method to the lowest place of a section
#define CR_DOWN_STEP 0.5    // [rad] longest of them
#define CR_DOWN_SMALL 1e-8  // [rad] the last, behind which the square of that is left
#define CR_LOOKS 4.0        // in a cell,
#define CR_ROUND_LOOKS 8    // and in all of a circle, or of the chords of a cap,
#define CR_STRAIGHT_LOOKS 3 // or of a line
#define CR_AXIS_LEAST 1e-2  // [-] sine of the angle between axis and normal, below which a cap has no lowest side
#define CR_ENOUGH 1.01      // [-] of a way that is long enough

// ------------------------------------------------------------------------------------------------- setting up

static void boundBox(crOver* o)
{
  double* axis = &o->axis.x;
  double *centre = &o->centre.x, *low = &o->low.x, *high = &o->high.x;
  for (int k = 0; k < 3; ++k) {
    double out = sqrt(fmax(0.0, 1.0 - axis[k] * axis[k]));
    double at0 = centre[k] + o->z0 * axis[k], at1 = centre[k] + o->z1 * axis[k];
    low[k] = fmin(at0, at1) - o->radius * out;
    high[k] = fmax(at0, at1) + o->radius * out;
  }
}

static double clampTo(double x, double most)
{
  return x < -most ? -most : x > most ? most : x;
}

// Against the normal below the middle, from which that of other places differs little.
static void choosePose(crOver* o, double reach)
{
  const crGround* g = o->ground;
  crVec3 middle = crMulAdd(o->centre, 0.5 * (o->z0 + o->z1), o->axis);
  crGroundPoint at = crGround_At(g, clampTo(middle.x, 0.5 * g->width), clampTo(middle.y, 0.5 * g->length));
  crVec3 slope = crMakeVec3(at.hx, at.hy, -1.0);
  double along = crDot(slope, o->axis), stray = fmax(g->rise, g->fall) * reach;
  crVec3 level = crMulAdd(slope, -along, o->axis);
  double steep = crLength(level), lean = steep - stray;
  o->down = steep > CR_AXIS_LEAST ? crScale(1.0 / steep, level) : o->R.cx;
  o->across = crCross(o->axis, o->down);
  if (lean > CR_LEAN && o->radius * g->rise < CR_FIT * lean) {
    o->pose = cr_overRolling;
    o->lean = lean;
  } else {
    o->pose = cr_overStanding;
    o->lean = fmax(CR_STEEP, fabs(along) - stray);
  }
}

crOver crPlaceOver(const crShape* round, const crShape* ground, const crPose* X_GA)
{
  const crCore* core = &round->core;
  const crGround* g = ground->ground;
  crOver o = { .radius = core->radius, .z0 = core->zMin, .z1 = core->zMax, .R = X_GA->R, .centre = X_GA->p };
  o.ground = g;
  o.facing = 1.0 / sqrt(1.0 + g->facing * g->facing);
  o.cell = fmin(g->width / (g->columnCount - 1), g->length / (g->rowCount - 1));
  o.axis = X_GA->R.cz;
  boundBox(&o);
  choosePose(&o, round->reach);
  return o;
}

// ---------------------------------------------------------------------------------------------------- sections

static crVec3 radialAt(const crOver* o, double angle)
{
  double s, c;
  crSinCos(angle, &s, &c);
  return crMulAdd(crScale(c, o->down), s, o->across);
}

crVec3 crOver_PointAt(const crOver* o, double s, double angle)
{
  return crMulAdd(crMulAdd(o->centre, s, o->axis), o->radius, radialAt(o, angle));
}

static crHeight heightOnCircle(void* context, double angle)
{
  const crSection* section = context;
  const crOver* o = section->over;
  crVec3 slope;
  crVec3 p = crOver_PointAt(o, section->s, angle);
  double f = crLookBelow(o->ground, p, &slope);
  return (crHeight){ f, o->radius * crDot(slope, crCross(o->axis, radialAt(o, angle))),
                     o->cell / CR_LOOKS / o->radius };
}

// f at the lowest place, its slope from there to that of the next section, and -d^2 f / dangle^2 where it is known.
typedef struct Lowest {
  double angle, f, bend, slope;
} Lowest;

static Lowest describe(const crSection* section, double angle, double bend)
{
  const crOver* o = section->over;
  crVec3 slope;
  double f = crLookBelow(o->ground, crOver_PointAt(o, section->s, angle), &slope);
  return (Lowest){ angle, f, bend, crDot(slope, o->axis) };
}

// When rolling: from where the last one was.
static Lowest findDown(const crSection* section)
{
  crOver* o = section->over;
  double angle = o->angle, bend = 0.0, r = o->radius;
  for (int i = 0; i < CR_MOST_DOWN; ++i) {
    crVec3 e = radialAt(o, angle), t = crCross(o->axis, e), p = crOver_PointAt(o, section->s, angle);
    crGroundPoint at = crGround_At(o->ground, p.x, p.y);
    crVec3 slope = crMakeVec3(at.hx, at.hy, -1.0);
    double turn = r * crDot(slope, t), out = r * crDot(slope, e);
    double ofGround = r * r * (t.x * (at.hxx * t.x + 2.0 * at.hxy * t.y) + at.hyy * t.y * t.y);
    bend = out - ofGround;
    double step = bend > 0.1 * fabs(out) ? turn / bend : turn > 0.0 ? CR_DOWN_STEP : -CR_DOWN_STEP;
    step = clampTo(step, CR_DOWN_STEP);
    angle += step;
    if (fabs(step) < CR_DOWN_SMALL) {
      break;
    }
  }
  o->angle = angle;
  return describe(section, angle, bend);
}

static void scanCircle(crSection* section, bool isWhole, crSpansAbove* out)
{
  const crOver* o = section->over;
  crScan scan = { -CR_PI, CR_PI, o->radius / o->facing, CR_ROUND_LOOKS, o->angle, isWhole };
  crFindSpansAbove(heightOnCircle, section, &scan, out);
}

static Lowest findLowest(crSection* section)
{
  if (section->over->pose == cr_overRolling) {
    return findDown(section);
  }
  crSpansAbove spans;
  scanCircle(section, true, &spans);
  section->over->angle = spans.at;
  return describe(section, spans.at, 0.0);
}

double crSection_FindLowest(crSection* section)
{
  return findLowest(section).angle;
}

static crHeight heightAlongSide(void* context, double s)
{
  crSection section = { context, s };
  Lowest lowest = findLowest(&section);
  return (crHeight){ lowest.f, lowest.slope, section.over->cell / CR_LOOKS };
}

void crScanSide(crOver* o, bool isWhole, crSpansAbove* out)
{
  crScan scan = { o->z0, o->z1, 1.0 / o->facing, CR_STRAIGHT_LOOKS, 0.5 * (o->z0 + o->z1), isWhole };
  crFindSpansAbove(heightAlongSide, o, &scan, out);
}

// When rolling: from the lowest place up on one side, by its parabola first.
static double climb(crSection* section, const Lowest* lowest, double sense)
{
  double guess = sqrt(2.0 * lowest->f / fmax(lowest->bend, lowest->f)), above = lowest->angle;
  for (double way = 1.5 * guess; way < CR_PI; way *= 2.0) {
    double next = lowest->angle + sense * way;
    if (!(heightOnCircle(section, next).f > 0.0)) {
      double start = above == lowest->angle ? above + sense * guess : 0.5 * (above + next);
      return crFindRootAbove(heightOnCircle, section, above, next, start);
    }
    above = next;
  }
  return lowest->angle + sense * CR_PI;
}

void crFindArcs(crSection* section, crSpansAbove* out)
{
  if (section->over->pose != cr_overRolling) {
    scanCircle(section, false, out);
    return;
  }
  Lowest lowest = findDown(section);
  out->count = lowest.f > 0.0;
  out->at = lowest.angle;
  out->most = lowest.f;
  if (out->count > 0) {
    out->items[0] = (crSpan){ climb(section, &lowest, -1.0), climb(section, &lowest, 1.0), true, true };
  }
}

// -------------------------------------------------------------------------------------------------------- caps

static crHeight heightAlongChord(void* context, double v)
{
  const crChord* chord = context;
  crVec3 slope;
  crVec3 p = crMulAdd(chord->middle, v, chord->over->down);
  double f = crLookBelow(chord->over->ground, p, &slope);
  return (crHeight){ f, crDot(slope, chord->over->down), chord->over->cell / CR_LOOKS };
}

double crChord_Place(crChord* chord, double place)
{
  const crOver* o = chord->over;
  double s, c;
  crSinCos(place, &s, &c);
  chord->middle = crMulAdd(crMulAdd(o->centre, chord->s, o->axis), o->radius * s, o->across);
  return o->radius * c;
}

void crScanChord(crChord* chord, double half, bool isWhole, crSpansAbove* out)
{
  const crOver* o = chord->over;
  crScan scan = { -half, half, 1.0 / o->facing, CR_STRAIGHT_LOOKS, half, isWhole };
  crFindSpansAbove(heightAlongChord, chord, &scan, out);
}

// The deepest place of a chord, and how deep that is on the next one.
static crHeight heightAcrossChords(void* context, double place)
{
  crChord* chord = context;
  const crOver* o = chord->over;
  double half = crChord_Place(chord, place), across = half, down = 0.0;
  crSpansAbove spans;
  crVec3 slope;
  crScanChord(chord, half, true, &spans);
  crVec3 p = crMulAdd(chord->middle, spans.at, o->down);
  double f = crLookBelow(o->ground, p, &slope);
  if (fabs(spans.at) >= half) { // along the rim
    down = (spans.at > 0.0 ? -1.0 : 1.0) * o->radius * crSin(place);
  }
  double rate = across * crDot(slope, o->across) + down * crDot(slope, o->down);
  return (crHeight){ f, rate, o->cell / CR_LOOKS / o->radius };
}

void crScanCap(crChord* chord, bool isWhole, crSpansAbove* out)
{
  const crOver* o = chord->over;
  crScan scan = { -0.5 * CR_PI, 0.5 * CR_PI, o->radius / o->facing, CR_ROUND_LOOKS, 0.0, isWhole };
  crFindSpansAbove(heightAcrossChords, chord, &scan, out);
}

// -------------------------------------------------------------------------------------------------------- ways

static crHeight heightAlongWay(void* context, double t)
{
  const crWay* way = context;
  crVec3 slope;
  double f = crLookBelow(way->over->ground, crMulAdd(way->from, t, way->along), &slope);
  return (crHeight){ f, crDot(slope, way->along), HUGE_VAL };
}

double crFindEnd(const crWay* way, double most)
{
  crWay own = *way;
  crHeight start = heightAlongWay(&own, 0.0);
  double end = CR_ENOUGH * start.f / way->over->lean, guess = start.slope < 0.0 ? -start.f / start.slope : 0.5 * end;
  if (most < end) {
    if (heightAlongWay(&own, most).f > 0.0) {
      return most;
    }
    end = most;
  }
  return crFindRootAbove(heightAlongWay, &own, 0.0, end, guess < end ? guess : 0.5 * end);
}
