#include "collide/area/over_ground.h"

#include "base/elementary.h"
#include "collide/area/area.h"
#include "collide/area/quadrature.h"
#include "collide/area/spans_above.h"
#include "geometry/ground.h"

#define CR_PI 3.14159265358979323846
#define CR_LEAN 0.1         // [-] least slope of f along a cap upwards that counts as steep
#define CR_FIT 0.95         // [-] of the largest circle that fits into the ground
#define CR_MOST_DOWN 40     // steps of Newton's method to the lowest place of a section
#define CR_DOWN_STEP 0.5    // [rad] longest of them
#define CR_DOWN_SMALL 1e-14 // [rad] the last
#define CR_CELL_LOOKS 4     // places in a cell
#define CR_WIDE 1.3         // [rad] from the lowest place: rims that are deeper are looked at as caps
#define CR_SHORE_CELL 1.0   // [-] of a step of the grid, and
#define CR_SHORE_SIZE 0.5   // [-] of the smallest dimension: how far from walls and base the depth fades
#define CR_AWAY_SHARE 0.05  // [-] of the smallest dimension: farther apart boxes tell how far
#define CR_AXIS_LEAST 1e-2  // [-] sine of the angle to the vertical, below which an axis has no lowest side

// In axes of the ground.
typedef struct Over {
  const crGround* ground;
  double radius, z0, z1;
  double cell;   // [m] the lesser step of the grid
  crMat3 R;      // axes of the round shape
  crVec3 centre; // its origin
  crVec3 axis, down, across;
  crVec3 low, high; // of the box around it
  double shore;     // [m] how far from walls and base the depth begins to fade
  bool isInland;    // the top alone is near
  double lean;      // [-] least slope of f along `down`, inland
  bool isUpright;   // sections have one lowest place, and caps are steep
  double angle;     // [rad] of the lowest place that was found last
} Over;

bool crIsOverGround(const crShape* a, const crShape* b)
{
  return (a->ground != NULL && crTouchesSmoothGround(b)) || (b->ground != NULL && crTouchesSmoothGround(a));
}

// ------------------------------------------------------------------------------------------------- setting up

static void boundBox(Over* o)
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

static Over place(const crShape* round, const crShape* ground, const crPose* X_GA)
{
  const crCore* core = &round->core;
  const crGround* g = ground->ground;
  Over o = { .ground = g, .radius = core->radius, .z0 = core->zMin, .z1 = core->zMax, .R = X_GA->R, .centre = X_GA->p };
  o.cell = fmin(g->width / (g->columnCount - 1), g->length / (g->rowCount - 1));
  o.axis = X_GA->R.cz;
  double level = sqrt(o.axis.x * o.axis.x + o.axis.y * o.axis.y);
  bool hasDown = level > CR_AXIS_LEAST;
  o.down = hasDown ? crNormalize(crMulAdd(crMakeVec3(0.0, 0.0, -1.0), o.axis.z, o.axis)) : X_GA->R.cx;
  o.across = crCross(o.axis, o.down);
  boundBox(&o);
  o.shore = fmin(CR_SHORE_CELL * o.cell, CR_SHORE_SIZE * round->smallestDimension);
  o.isInland = o.low.x > o.shore - 0.5 * g->width && o.high.x < 0.5 * g->width - o.shore &&
               o.low.y > o.shore - 0.5 * g->length && o.high.y < 0.5 * g->length - o.shore &&
               o.low.z > g->base + o.shore;
  o.lean = level - fabs(o.axis.z) * g->facing;
  o.isUpright = hasDown && o.isInland && o.lean > CR_LEAN && o.radius * g->rise < CR_FIT * o.lean;
  return o;
}

// ------------------------------------------------------------------------------------------------------ depths

static double clampTo(double x, double most)
{
  return x < -most ? -most : x > most ? most : x;
}

// [m] To the walls on both sides, and to the base: negative beyond them.
static void findGaps(const Over* o, crVec3 p, double gaps[3], crVec3 outs[3])
{
  const crGround* g = o->ground;
  gaps[0] = 0.5 * g->width - fabs(p.x);
  gaps[1] = 0.5 * g->length - fabs(p.y);
  gaps[2] = p.z - g->base;
  outs[0] = crMakeVec3(p.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
  outs[1] = crMakeVec3(0.0, p.y < 0.0 ? -1.0 : 1.0, 0.0);
  outs[2] = crMakeVec3(0.0, 0.0, -1.0);
}

// [-] The share of the depth that counts, from 0 at walls and base to 1 at the shore, and its gradient.
static double findShare(const Over* o, crVec3 p, crVec3* outSlope)
{
  *outSlope = crMakeVec3(0.0, 0.0, 0.0);
  if (o->isInland) {
    return 1.0;
  }
  double gaps[3], share = 1.0;
  crVec3 outs[3];
  findGaps(o, p, gaps, outs);
  for (int k = 0; k < 3; ++k) {
    double t = fmin(fmax(gaps[k] / o->shore, 0.0), 1.0), u = 1.0 - t;
    double own = t * t * t * (10.0 - 15.0 * t + 6.0 * t * t), rate = 30.0 * t * t * u * u / o->shore;
    *outSlope = crMulAdd(crScale(own, *outSlope), -share * rate, outs[k]);
    share *= own;
  }
  return share;
}

static crGroundPoint lookBelow(const Over* o, crVec3 p)
{
  double x = clampTo(p.x, 0.5 * o->ground->width), y = clampTo(p.y, 0.5 * o->ground->length);
  crGroundPoint at = crGround_At(o->ground, x, y);
  at.hx = x == p.x ? at.hx : 0.0;
  at.hy = y == p.y ? at.hy : 0.0;
  return at;
}

// f, and its gradient: the least of the depths below the top, behind walls, and above the base. Whether two touch is
// told by this, so that nothing hovers where the share that counts is small.
static double findDepth(const Over* o, crVec3 p, crVec3* outSlope)
{
  crGroundPoint at = lookBelow(o, p);
  double f = at.h - p.z;
  *outSlope = crMakeVec3(at.hx, at.hy, -1.0);
  if (o->isInland) {
    return f;
  }
  double gaps[3];
  crVec3 outs[3];
  findGaps(o, p, gaps, outs);
  for (int k = 0; k < 3; ++k) {
    if (gaps[k] < f) {
      f = gaps[k];
      *outSlope = crNeg(outs[k]);
    }
  }
  return f;
}

static crVec3 radialAt(const Over* o, double angle)
{
  double s, c;
  crSinCos(angle, &s, &c);
  return crMulAdd(crScale(c, o->down), s, o->across);
}

static crVec3 pointAt(const Over* o, double s, double angle)
{
  return crMulAdd(crMulAdd(o->centre, s, o->axis), o->radius, radialAt(o, angle));
}

// ---------------------------------------------------------------------------------------------------- sections

// A circle of the side, or a rim.
typedef struct Section {
  Over* over;
  double s;
} Section;

static crHeight heightOnCircle(void* context, double angle)
{
  const Section* section = context;
  const Over* o = section->over;
  crVec3 slope;
  double f = findDepth(o, pointAt(o, section->s, angle), &slope);
  return (crHeight){ f, o->radius * crDot(slope, crCross(o->axis, radialAt(o, angle))) };
}

typedef struct Lowest {
  double angle, f, bend; // [rad], [m], [m] -d^2f / dangle^2, where it is known
  double slope;          // [-] of f along the axis, from one section's lowest place to that of the next
} Lowest;

static Lowest describe(const Over* o, const Section* section, double angle, double bend)
{
  crVec3 slope;
  double f = findDepth(o, pointAt(o, section->s, angle), &slope);
  return (Lowest){ angle, f, bend, crDot(slope, o->axis) };
}

// Of an upright one: from where the last one was.
static Lowest findDown(const Section* section)
{
  Over* o = section->over;
  double angle = o->angle, bend = 0.0, r = o->radius;
  for (int i = 0; i < CR_MOST_DOWN; ++i) {
    crVec3 e = radialAt(o, angle), t = crCross(o->axis, e), p = pointAt(o, section->s, angle);
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
  return describe(o, section, angle, bend);
}

static int countLooks(const Over* o, double length, int least, int most)
{
  double looks = CR_CELL_LOOKS * length / o->cell;
  return looks < least ? least : looks > most ? most : (int)looks + 1;
}

static void scanCircle(Section* section, bool isWhole, crSpansAbove* out)
{
  int steps = countLooks(section->over, 2.0 * CR_PI * section->over->radius, 24, 128);
  crFindSpansAbove(heightOnCircle, section, -CR_PI, CR_PI, steps, isWhole, out);
}

static Lowest findLowest(Section* section)
{
  if (section->over->isUpright) {
    return findDown(section);
  }
  crSpansAbove spans;
  scanCircle(section, true, &spans);
  return describe(section->over, section, spans.at, 0.0);
}

static crHeight heightAlongSide(void* context, double s)
{
  Over* o = context;
  Section section = { o, s };
  Lowest lowest = findLowest(&section);
  return (crHeight){ lowest.f, lowest.slope };
}

static void scanSide(Over* o, crSpansAbove* out)
{
  double length = o->z1 - o->z0, level = sqrt(o->axis.x * o->axis.x + o->axis.y * o->axis.y);
  crFindSpansAbove(heightAlongSide, o, o->z0, o->z1, countLooks(o, level * length, 4, 64), true, out);
}

// Of an upright one: from the lowest place up on one side.
static double climb(Section* section, const Lowest* lowest, double sense)
{
  double way = 1.5 * sqrt(2.0 * lowest->f / fmax(lowest->bend, lowest->f)), above = lowest->angle;
  for (; way < CR_PI; way *= 2.0) {
    double next = lowest->angle + sense * way;
    if (!(heightOnCircle(section, next).f > 0.0)) {
      return crFindRootAbove(heightOnCircle, section, above, next);
    }
    above = next;
  }
  return lowest->angle + sense * CR_PI;
}

// Where a section is below the ground.
static void findArcs(Section* section, crSpansAbove* out)
{
  if (!section->over->isUpright) {
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

// ------------------------------------------------------------------------------------------------------- points

// d and minus its gradient.
static double findNormalDepth(const Over* o, crVec3 p, crVec3* outNormal)
{
  crGroundPoint at = lookBelow(o, p);
  crVec3 rise;
  double f = at.h - p.z, c = 1.0 / sqrt(1.0 + at.hx * at.hx + at.hy * at.hy), k = f * c * c * c;
  double share = findShare(o, p, &rise);
  crVec3 normal = crMakeVec3(-c * at.hx + k * (at.hxx * at.hx + at.hxy * at.hy),
                             -c * at.hy + k * (at.hxy * at.hx + at.hyy * at.hy), c);
  *outNormal = crMulAdd(crScale(share, normal), -f * c, rise);
  return f * c * share;
}

static void addPoint(const Over* o, double weight, crVec3 p, crPatch* patch)
{
  crVec3 normal;
  double d = findNormalDepth(o, p, &normal);
  if (d > 0.0) {
    crVec3 x = crMulTV(o->R, crSub(p, o->centre)), m = crMulTV(o->R, normal);
    crPatch_AddPoint(patch, weight, d, x, m);
    if (!o->isInland) { // the deepest place by the share that counts is another one
      crPatch_SeeDepth(patch, d, x, m);
    }
  }
}

static void seePoint(const Over* o, crVec3 p, crPatch* patch)
{
  crVec3 normal;
  double d = findNormalDepth(o, p, &normal);
  crPatch_SeeDepth(patch, d, crMulTV(o->R, crSub(p, o->centre)), crMulTV(o->R, normal));
}

// The rule for part `part` of `parts` of a span. What is integrated across lines goes with a power and a half at roots.
static const crAcrossRule* findRule(const crSpan* span, int parts, int part)
{
  return &cr_across[1][part == 0 && span->startsAtRoot][part == parts - 1 && span->endsAtRoot];
}

static double findNode(const crSpan* span, int parts, int part, double x, double weight, double* outWeight)
{
  double h = (span->b - span->a) / parts;
  *outWeight = 0.5 * h * weight;
  return span->a + h * (part + 0.5 * (1.0 + x));
}

static int countParts(const Over* o, double length)
{
  double parts = length / (o->isInland ? o->cell : fmin(o->cell, o->shore));
  return parts < 1.0 ? 1 : parts > 16.0 ? 16 : (int)parts + 1;
}

static void addArc(const Over* o, const Section* section, double weight, crSpan arc, crPatch* patch)
{
  int parts = countParts(o, o->radius * (arc.b - arc.a)), count = cr_eightAlong.count;
  for (int i = 0; i < parts * count; ++i) {
    double own, angle = findNode(&arc, parts, i / count, cr_eightAlong.x[i % count], cr_eightAlong.w[i % count], &own);
    addPoint(o, weight * own * o->radius, pointAt(o, section->s, angle), patch);
  }
}

static void addSection(Over* o, double s, double weight, crPatch* patch)
{
  Section section = { o, s };
  crSpansAbove arcs;
  findArcs(&section, &arcs);
  for (int i = 0; i < arcs.count; ++i) {
    addArc(o, &section, weight, arcs.items[i], patch);
  }
  if (arcs.count > 0) {
    seePoint(o, pointAt(o, s, arcs.at), patch);
  }
}

static void addSide(Over* o, const crSpansAbove* spans, crPatch* patch)
{
  for (int i = 0; i < spans->count; ++i) {
    const crSpan* span = &spans->items[i];
    int parts = countParts(o, span->b - span->a);
    for (int part = 0; part < parts; ++part) {
      const crAcrossRule* rule = findRule(span, parts, part);
      for (int k = 0; k < rule->count; ++k) {
        double weight, s = findNode(span, parts, part, rule->x[k], rule->w[k], &weight);
        addSection(o, s, weight, patch);
      }
    }
  }
  if (spans->most > 0.0) {
    Section section = { o, spans->at };
    Lowest lowest = findLowest(&section);
    seePoint(o, pointAt(o, section.s, lowest.angle), patch);
  }
}

// -------------------------------------------------------------------------------------------------------- caps

// A chord of a cap along `down`, r sin(place) beside its middle.
typedef struct Chord {
  Over* over;
  double s;      // of the cap
  crVec3 middle; // of the chord
} Chord;

static crHeight heightAlongChord(void* context, double v)
{
  const Chord* chord = context;
  crVec3 slope;
  double f = findDepth(chord->over, crMulAdd(chord->middle, v, chord->over->down), &slope);
  return (crHeight){ f, crDot(slope, chord->over->down) };
}

static double placeChord(Chord* chord, double place)
{
  const Over* o = chord->over;
  double s, c;
  crSinCos(place, &s, &c);
  chord->middle = crMulAdd(crMulAdd(o->centre, chord->s, o->axis), o->radius * s, o->across);
  return o->radius * c; // half its length
}

static void scanChord(Chord* chord, double half, bool isWhole, crSpansAbove* out)
{
  int steps = countLooks(chord->over, 2.0 * half, 8, 64);
  crFindSpansAbove(heightAlongChord, chord, -half, half, steps, isWhole, out);
}

// The deepest place of a chord, and how deep that is on the next one.
static crHeight heightAcrossChords(void* context, double place)
{
  Chord* chord = context;
  const Over* o = chord->over;
  double half = placeChord(chord, place), across = half, down = 0.0;
  crSpansAbove spans;
  crVec3 slope;
  scanChord(chord, half, true, &spans);
  double f = findDepth(o, crMulAdd(chord->middle, spans.at, o->down), &slope);
  if (fabs(spans.at) >= half) { // along the rim
    down = (spans.at > 0.0 ? -1.0 : 1.0) * o->radius * crSin(place);
  }
  return (crHeight){ f, across * crDot(slope, o->across) + down * crDot(slope, o->down) };
}

static void scanCap(Chord* chord, crSpansAbove* out)
{
  int steps = countLooks(chord->over, CR_PI * chord->over->radius, 16, 64);
  crFindSpansAbove(heightAcrossChords, chord, -0.5 * CR_PI, 0.5 * CR_PI, steps, true, out);
}

// How far a chord goes on from v, upwards, in the cell that it is in.
static double findCellEnd(const Chord* chord, double v)
{
  const Over* o = chord->over;
  const crGround* g = o->ground;
  double dx = g->width / (g->columnCount - 1), dy = g->length / (g->rowCount - 1);
  double from[2] = { (chord->middle.x + 0.5 * g->width) / dx, (chord->middle.y + 0.5 * g->length) / dy };
  double rates[2] = { o->down.x / dx, o->down.y / dy }, end = HUGE_VAL;
  for (int k = 0; k < 2; ++k) {
    double at = from[k] + v * rates[k], border = rates[k] > 0.0 ? floor(at + 1e-9) + 1.0 : ceil(at - 1e-9) - 1.0;
    end = rates[k] != 0.0 ? fmin(end, (border - from[k]) / rates[k]) : end;
  }
  return o->isInland ? end : fmin(end, v + o->shore);
}

// From cell to cell, in each of which h is a polynomial.
static void addChord(Chord* chord, const crSpan* span, double weight, crPatch* patch)
{
  const Over* o = chord->over;
  for (double a = span->a; a < span->b;) {
    double b = fmin(span->b, findCellEnd(chord, a));
    crSpan part = { .a = a, .b = b };
    for (int i = 0; i < cr_eightAlong.count; ++i) {
      double own, v = findNode(&part, 1, 0, cr_eightAlong.x[i], cr_eightAlong.w[i], &own);
      addPoint(o, weight * own, crMulAdd(chord->middle, v, o->down), patch);
    }
    a = b;
  }
}

static void addAcross(Chord* chord, double place, double weight, crPatch* patch)
{
  double half = placeChord(chord, place);
  crSpansAbove spans;
  scanChord(chord, half, false, &spans);
  for (int i = 0; i < spans.count; ++i) {
    addChord(chord, &spans.items[i], weight * half, patch);
  }
}

static void addWholeCap(Chord* chord, crPatch* patch)
{
  const Over* o = chord->over;
  crSpansAbove places, spans;
  scanCap(chord, &places);
  for (int i = 0; i < places.count; ++i) {
    int parts = 2 * countParts(o, o->radius * (places.items[i].b - places.items[i].a));
    for (int part = 0; part < parts; ++part) {
      const crAcrossRule* rule = findRule(&places.items[i], parts, part);
      for (int k = 0; k < rule->count; ++k) {
        double weight, place = findNode(&places.items[i], parts, part, rule->x[k], rule->w[k], &weight);
        addAcross(chord, place, weight, patch);
      }
    }
  }
  if (places.most > 0.0) {
    scanChord(chord, placeChord(chord, places.at), true, &spans);
    seePoint(o, crMulAdd(chord->middle, spans.at, o->down), patch);
  }
}

// Along the arc of the rim that is below the ground, each chord from there up.
static void addSteepCap(Chord* chord, const crSpan* arc, crPatch* patch)
{
  const Over* o = chord->over;
  for (int k = 0; k < cr_eightAlong.count; ++k) {
    double weight, angle = findNode(arc, 1, 0, cr_eightAlong.x[k], cr_eightAlong.w[k], &weight);
    double half = placeChord(chord, angle);
    double f = heightAlongChord(chord, half).f, least = fmax(-half, half - 1.01 * f / o->lean);
    if (f > 0.0) {
      bool hasRoot = !(heightAlongChord(chord, least).f > 0.0);
      double root = hasRoot ? crFindRootAbove(heightAlongChord, chord, half, least) : least;
      addChord(chord, &(crSpan){ .a = root, .b = half }, weight * half, patch);
    }
  }
}

// f of a disc, at most.
static double boundCap(const Over* o, double s)
{
  double r = o->radius;
  crVec3 c = crMulAdd(o->centre, s, o->axis);
  crGroundPoint at = lookBelow(o, c);
  crVec3 slope = crMakeVec3(at.hx, at.hy, -1.0), level = crMulAdd(slope, -crDot(slope, o->axis), o->axis);
  return at.h - c.z + r * crLength(level) + 0.5 * o->ground->rise * r * r;
}

static void addCap(Over* o, double s, crPatch* patch)
{
  Chord chord = { .over = o, .s = s };
  if (o->isInland && boundCap(o, s) <= 0.0) {
    return;
  }
  if (!o->isUpright) {
    addWholeCap(&chord, patch);
    return;
  }
  Section rim = { o, s };
  crSpansAbove arcs;
  findArcs(&rim, &arcs);
  bool isWide = arcs.count > 0 && (arcs.items[0].a < -CR_WIDE || arcs.items[0].b > CR_WIDE);
  if (isWide) {
    addWholeCap(&chord, patch);
  } else if (arcs.count > 0) {
    addSteepCap(&chord, &arcs.items[0], patch);
    seePoint(o, pointAt(o, s, arcs.at), patch);
  }
}

// ------------------------------------------------------------------------------------------------------- whole

static bool areBoxesApart(const Over* o, double away, double* outGap, crVec3* outOutward)
{
  const crGround* g = o->ground;
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

void crAddOverGround(const crShape* a, const crShape* ground, const crPose* X_AB, crPatch* patch)
{
  crPose X_GA = { crTranspose(X_AB->R), crNeg(crMulTV(X_AB->R, X_AB->p)) };
  Over o = place(a, ground, &X_GA);
  double gap;
  crVec3 outward;
  patch->share = 1.0;
  if (areBoxesApart(&o, 0.0, &gap, &outward)) {
    return;
  }
  crSpansAbove spans;
  crPatch_TakeFirst(patch);
  scanSide(&o, &spans);
  addSide(&o, &spans, patch);
  if (!o.isUpright || spans.most > 0.0) {
    addCap(&o, o.z0, patch);
    addCap(&o, o.z1, patch);
  }
}

// The deepest point of all.
static crVec3 findDeepest(Over* o)
{
  crSpansAbove spans;
  scanSide(o, &spans);
  Section section = { o, spans.at };
  Lowest lowest = findLowest(&section);
  crVec3 best = pointAt(o, section.s, lowest.angle);
  double most = spans.most;
  for (int k = 0; k < 2 && !o->isUpright; ++k) {
    Chord chord = { .over = o, .s = k == 0 ? o->z0 : o->z1 };
    if (o->isInland && boundCap(o, chord.s) <= most) {
      continue;
    }
    crSpansAbove places;
    scanCap(&chord, &places);
    if (places.most > most) {
      most = places.most;
      scanChord(&chord, placeChord(&chord, places.at), true, &spans);
      best = crMulAdd(chord.middle, spans.at, o->down);
    }
  }
  return best;
}

crGroundGap crMeasureOverGround(const crShape* round, const crPose* X_WR, const crShape* ground, const crPose* X_WG)
{
  crPose X_WA = crPlaceCanonical(round, X_WR), X_WB = crPlaceCanonical(ground, X_WG);
  crPose X_GA = { crMulTM(X_WB.R, X_WA.R), crMulTV(X_WB.R, crSub(X_WA.p, X_WB.p)) };
  Over o = place(round, ground, &X_GA);
  double gap;
  crVec3 outward;
  if (areBoxesApart(&o, CR_AWAY_SHARE * round->smallestDimension, &gap, &outward)) {
    crVec3 out = crMulMV(X_WB.R, outward), point = crTransformPoint(X_WB, crScale(0.5, crAdd(o.low, o.high)));
    return (crGroundGap){ gap, out, point, crMulAdd(point, -gap, out) };
  }
  crVec3 slope, p = findDeepest(&o), point = crTransformPoint(X_WB, p);
  double f = findDepth(&o, p, &slope), rise = crLength(slope), distance = -f / rise;
  crVec3 out = crMulMV(X_WB.R, crScale(-1.0 / rise, slope));
  return (crGroundGap){ distance, out, point, crMulAdd(point, -distance, out) };
}
