#include "collide/area/ball_line.h"
#include "collide/area/core_breaks.h"
#include "collide/area/nodes.h"
#include "collide/area/wide.h"
#include "math/sin_cos.h"

// Of the square of the distance from the middle of a parabola, its spread in each of three directions [-]. Long ribs
// would have 1/2, as of the two directions across one is there; a little less makes up for the one along, where ribs
// are as short as wide. 0.3 makes the mean half axis of a disc.
#define CR_RIB_SPREAD 0.42
#define CR_KNOB_SPREAD 0.3

#define CR_GRADE 2.0     // [-] of the distance from a centre of curvature: longer parts are cut,
#define CR_END_GRADE 1.0 // and longer ones where the depth ends: nodes are more dense there, but fewer near the centre
#define CR_LEAST_GRADE 1e-5 // [-] of a part
#define CR_MAX_GRADES 8
#define CR_EQUAL_NORMALS 1e-13 // [-]

// D is convex along a line: it has one deepest place, and is inside in one range around that.
typedef struct Range {
  double from, to, deepest;
  bool isInside; // the other core
} Range;

uint8_t crBalls_FindSides(const crBalls* balls, crVec3 p)
{
  const crFence* fence = &balls->fence;
  unsigned sides = balls->hasFence && crDot(fence->normal, p) - fence->offset >= balls->reach;
  if (balls->hasZone) {
    crVec3 v = crSub(p, balls->zone.middle);
    for (int i = 0; i < 3; ++i) {
      double at = crDot(v, balls->zone.axes[i]), half = balls->zone.half[i];
      sides |= (unsigned)(at > half) << (2 * i + 1) | (unsigned)(at < -half) << (2 * i + 2);
    }
  }
  return (uint8_t)sides;
}

// ---------------------------------------------------------------------------------------------- points

// Whether a ball is above the plane below the deepest one, so far that it is not inside; and so is a line of two such.
static bool isTooHigh(const crBalls* balls, crVec3 p)
{
  const crDeepest* deepest = balls->deepest;
  return deepest->depth > 0.0 && crDot(deepest->plane.normal, p) - deepest->plane.offset >= balls->reach;
}

// Where the ball presses.
static crVec3 findBottom(const crBalls* balls, const crBallFoot* foot)
{
  return crMulAdd(foot->c, -balls->sweep, foot->outward);
}

static void keepDeepest(const crBalls* balls, const crBallFoot* foot)
{
  crDeepest* deepest = balls->deepest;
  if (foot->depth > deepest->depth && foot->depth < balls->reach) {
    double distance = balls->reach - foot->depth;
    *deepest = (crDeepest){ foot->depth, { foot->outward, crDot(foot->outward, foot->c) - distance } };
  }
}

void crBalls_SeeDepth(const crBalls* balls, const crBallFoot* foot)
{
  keepDeepest(balls, foot);
  if (foot->depth > balls->patch->depth) {
    crPatch_SeeDepth(balls->patch, foot->depth, findBottom(balls, foot), foot->outward);
    balls->patch->deepestSpot = foot->spot;
    balls->patch->isDeepestSecond = balls->patch->finish != NULL; // the last run may still be one of cells
  }
}

// A point of an edge or corner that is g deep, presses at x and counts at z.
typedef struct Tip {
  double g, radius; // [m]
  crVec3 x, normal, z;
} Tip;

// Four of Gauss' nodes across, in pairs: y^2 / y_max^2, and the weights of both together.
static const double squares[2] = { 0.11558710999704794, 0.74155574714580923 };
static const double weights[2] = { 1.3042903097250928, 0.69570969027490772 };

// weight: along the edge.
static void addAcross(crPatch* patch, const Tip* tip, double weight)
{
  double square = 2.0 * tip->radius * tip->g;
  if (!(tip->g > 0.0)) {
    return;
  }
  weight *= sqrt(square);
  for (int k = 0; k < 2; ++k) {
    crPatch_AddSpot(patch, weight * weights[k], tip->g * (1.0 - squares[k]), tip->x, tip->normal, tip->z,
                    CR_RIB_SPREAD * squares[k] * square);
  }
}

// On a paraboloid depths are spread evenly over the area: two of Gauss' nodes in (distance from the middle)^2.
static void addAround(crPatch* patch, const Tip* tip)
{
  static const double places[2] = { 0.21132486540518712, 0.78867513459481288 };
  double square = 2.0 * tip->radius * tip->g, weight = 0.5 * M_PI * square;
  for (int k = 0; k < 2; ++k) {
    crPatch_AddSpot(patch, weight, tip->g * (1.0 - places[k]), tip->x, tip->normal, tip->z,
                    CR_KNOB_SPREAD * places[k] * square);
  }
}

static Tip makeTip(const crBalls* balls, const crBallFoot* foot)
{
  return (Tip){ foot->depth, balls->radius, findBottom(balls, foot), foot->outward, foot->spot };
}

void crAddKnob(const crBalls* balls, crVec3 p)
{
  crAddLiftedKnob(balls, p, crMakeVec3(0.0, 0.0, 0.0));
}

void crAddLiftedKnob(const crBalls* balls, crVec3 p, crVec3 lift)
{
  if (crBalls_FindSides(balls, p) != 0 || isTooHigh(balls, p)) {
    return;
  }
  crBallFoot foot = crBalls_FindFoot(balls, p);
  if (!(foot.depth > 0.0)) {
    return;
  }
  foot.spot = crAdd(p, lift);
  crPatch_TakeSpots(balls->patch, false);
  crBalls_SeeDepth(balls, &foot);
  Tip tip = makeTip(balls, &foot);
  addAround(balls->patch, &tip);
}

// ------------------------------------------------------------------------------------------------- lines

static bool makeLine(const crBalls* balls, crVec3 p, crVec3 q, crBallLine* out)
{
  crVec3 way = crSub(q, p);
  double length = crLength(way);
  *out = (crBallLine){ .balls = balls, .start = p, .length = length };
  if (!(length > 0.0)) {
    return false;
  }
  out->along = crScale(1.0 / length, way);
  const crPose* X = &balls->X_AB;
  out->origin = crMulTV(X->R, crSub(p, X->p));
  out->e = crMulTV(X->R, out->along);
  return true;
}

static crBallPlace placeOf(double t, const crBallFoot* foot)
{
  return (crBallPlace){ t, { foot->depth, foot->slope } };
}

static double findTop(const crBallLine* line, const crBallFoot* first, const crBallFoot* last, crBallFoot* out)
{
  *out = *first;
  if (!(first->slope < 0.0)) {
    return 0.0;
  }
  *out = *last;
  if (last->slope <= 0.0) {
    return line->length;
  }
  crBallPlace from = placeOf(0.0, first), to = placeOf(line->length, last);
  double t = crBallLine_FindExtreme(line, &from, &to);
  *out = crBallLine_FindFoot(line, t);
  return t;
}

// Whether the tangents at both ends, above which the depth nowhere is, leave something of it between.
static bool mayBeInside(const crBallLine* line, const crBallFoot* first, const crBallFoot* last)
{
  double from = -first->slope, to = last->slope; // of the depth, inwards
  if (first->depth > 0.0 || last->depth > 0.0) {
    return true;
  }
  return from > 0.0 && to > 0.0 && -first->depth * to - last->depth * from < line->length * from * to;
}

static bool findRange(const crBallLine* line, Range* out)
{
  crBallFoot first = crBallLine_FindFoot(line, 0.0), last = crBallLine_FindFoot(line, line->length), top;
  if (!mayBeInside(line, &first, &last)) {
    return false;
  }
  double t = findTop(line, &first, &last, &top);
  if (!(top.depth > 0.0)) {
    return false;
  }
  crBalls_SeeDepth(line->balls, &top);
  crBallPlace deepest = placeOf(t, &top), from = placeOf(0.0, &first), to = placeOf(line->length, &last);
  *out = (Range){ 0.0, line->length, t, top.depth > line->balls->reach };
  if (first.depth < 0.0) {
    out->from = crBallLine_FindEnd(line, &from, &deepest);
  }
  if (last.depth < 0.0) {
    out->to = crBallLine_FindEnd(line, &to, &deepest);
  }
  return true;
}

static int listBreaks(const crBallLine* line, const Range* range, double breaks[CR_CORE_BREAKS + 1])
{
  int count = crListBreaks(line->balls->other, line->origin, line->e, range->from, range->to, range->isInside, breaks);
  breaks[count] = range->to;
  return count;
}

// Eight places of a line side by side: as crBallLine_FindFoot finds them one by one.
typedef struct Eight {
  crWide c[3], z[3], n[3], g;
} Eight;

static void findEightOfStretch(const crBallLine* line, crWide t, Eight* out)
{
  const crStretch* stretch = line->stretch;
  crWide after = t - stretch->from, zero = { 0.0 };
  if (stretch->isFlat) {
    out->n[0] = zero + stretch->outward.x;
    out->n[1] = zero + stretch->outward.y;
    out->n[2] = zero + stretch->outward.z;
    out->g = line->balls->reach - stretch->distance - after * stretch->slope;
    return;
  }
  crWide s = after / stretch->length, x = stretch->start.x + s * stretch->way.x,
         y = stretch->start.y + s * stretch->way.y, z = stretch->start.z + s * stretch->way.z;
  crWide distance = crRoots(x * x + y * y + z * z), inverse = 1.0 / distance;
  out->n[0] = inverse * x;
  out->n[1] = inverse * y;
  out->n[2] = inverse * z;
  out->g = line->balls->reach - distance;
}

// x: in axes of the other core.
static void placeEight(const crBallLine* line, crWide t, crWide x[3], Eight* out)
{
  const double *start = &line->start.x, *along = &line->along.x, *lift = &line->lift.x, *origin = &line->origin.x,
               *e = &line->e.x;
  for (int k = 0; k < 3; ++k) {
    x[k] = origin[k] + t * e[k];
    out->c[k] = start[k] + t * along[k];
    out->z[k] = out->c[k] + lift[k];
  }
}

static void placeEightOnRim(const crBallLine* line, crWide t, crWide x[3], Eight* out)
{
  const crRim* rim = line->rim;
  crVec3 up = crScale(rim->along, crCross(rim->e1, rim->e2));
  const double *centre = &rim->centre.x, *e1 = &rim->e1.x, *e2 = &rim->e2.x, *origin = &line->origin.x, *e = &line->e.x,
               *f = &line->f.x, *lift = &up.x;
  double angles[CR_WIDE_LANES], sines[CR_WIDE_LANES], cosines[CR_WIDE_LANES];
  *(crWide*)angles = t / rim->radius;
  crSinCosAll(angles, CR_WIDE_LANES, sines, cosines);
  crWide sine = *(const crWide*)sines, cosine = *(const crWide*)cosines;
  for (int k = 0; k < 3; ++k) {
    crWide away = cosine * e1[k] + sine * e2[k];
    x[k] = origin[k] + rim->radius * (cosine * e[k] + sine * f[k]);
    out->c[k] = centre[k] + rim->radius * away;
    out->z[k] = out->c[k] + rim->outward * away + lift[k];
  }
}

// False: they have to be found one by one.
static bool findEight(const crBallLine* line, crWide t, Eight* out)
{
  const crBalls* balls = line->balls;
  crWide x[3];
  crEightFeet feet;
  if (line->ground != NULL) {
    return false;
  }
  if (line->rim != NULL) {
    placeEightOnRim(line, t, x, out);
  } else {
    placeEight(line, t, x, out);
  }
  if (line->stretch != NULL) {
    findEightOfStretch(line, t, out);
    return true;
  }
  if (!crComputeEightFeet(balls->other, x, balls->hold, &feet)) {
    return false;
  }
  const crVec3* R = &balls->X_AB.R.cx;
  for (int k = 0; k < 3; ++k) {
    out->n[k] = (&R[0].x)[k] * feet.outward[0] + (&R[1].x)[k] * feet.outward[1] + (&R[2].x)[k] * feet.outward[2];
  }
  out->g = balls->reach - feet.distance;
  return true;
}

// As addAcross does with one.
static void addEight(const crBallLine* line, const Eight* eight, crWide weight)
{
  const crBalls* balls = line->balls;
  crPatch* patch = balls->patch;
  crWide zero = { 0.0 }, g = crGreater(eight->g, zero), square = 2.0 * balls->radius * g; // of what is not inside: 0
  weight *= crRoots(square);
  for (int k = 0; k < 2; ++k) {
    int i = crPatch_MakeRoom(patch, CR_WIDE_LANES);
    *(crWide*)&patch->w[i] = weight * weights[k];
    *(crWide*)&patch->d[i] = g * (1.0 - squares[k]);
    for (int j = 0; j < 3; ++j) {
      *(crWide*)&patch->x[j][i] = eight->c[j] - balls->sweep * eight->n[j];
      *(crWide*)&patch->m[j][i] = eight->n[j];
      *(crWide*)&patch->z[j][i] = eight->z[j];
    }
    *(crWide*)&patch->e[i] = CR_RIB_SPREAD * squares[k] * square;
    patch->count = i + CR_WIDE_LANES;
  }
}

// g rises from `low` to `high`, in either direction of t. Where it is 0, or would be if it went on like that,
// integrands begin like a power of m + 1/2: smooth in v, t - t0 = v^2.
static void addPart(const crBallLine* line, double low, double high)
{
  crBallFoot end = crBallLine_FindFoot(line, low);
  double fall = fabs(end.slope), sign = high > low ? 1.0 : -1.0, length = fabs(high - low);
  double depth = crMax2(end.depth, 0.0);
  bool isSteady = !(fall * length > depth);
  double before = isSteady ? 0.0 : depth / fall, from = sqrt(before), to = sqrt(before + length);
  crWide x = *(const crWide*)crNodes9.x, w = 0.5 * *(const crWide*)crNodes9.w, zero = { 0.0 };
  crWide roots = 0.5 * (from + to) + 0.5 * (to - from) * x;
  crWide after = isSteady ? 0.5 * length * (1.0 + x) : roots * roots - before;
  Eight eight;
  int k = 0;
  if (findEight(line, low + sign * after, &eight)) {
    addEight(line, &eight, w * (isSteady ? zero + length : 2.0 * roots * (to - from)));
    k = CR_WIDE_LANES;
  }
  for (; k < crNodes9.count; ++k) {
    double v = 0.5 * (from + to) + 0.5 * (to - from) * crNodes9.x[k];
    double t = isSteady ? 0.5 * length * (1.0 + crNodes9.x[k]) : v * v - before;
    double weight = 0.5 * crNodes9.w[k] * (isSteady ? length : 2.0 * v * (to - from));
    crBallFoot foot = crBallLine_FindFoot(line, low + sign * t);
    Tip tip = makeTip(line->balls, &foot);
    addAcross(line->balls->patch, &tip, weight);
  }
}

// Next to an edge or corner of the other core D is the root of a square: smooth on parts no longer than some times the
// distance of their deeper end.
void crBallLine_AddPart(const crBallLine* line, double low, double high)
{
  double sign = high > low ? 1.0 : -1.0, inside = 1e-9 * (high - low);
  double curving = crBallLine_FindFoot(line, high - inside).curving;
  for (int i = 0; i < CR_MAX_GRADES && CR_END_GRADE * curving < fabs(high - low); ++i) {
    double left = fabs(high - low), step = crMin2(CR_GRADE * crMax2(curving, CR_LEAST_GRADE * left), 0.5 * left);
    double next = high - sign * step;
    addPart(line, next, high);
    curving += fabs(high - next);
    high = next;
  }
  addPart(line, low, high);
}

// False: it has none that is known.
static bool makeStretch(const crBallLine* line, double from, double to, crStretch* out)
{
  double middle = 0.5 * (from + to);
  crBallFoot foot = crBallLine_FindFoot(line, middle);
  *out = (crStretch){ .isFlat = foot.extent == 2, .from = from, .length = to - from };
  if (foot.extent < 0) {
    return false;
  }
  if (out->isFlat) {
    out->outward = foot.outward;
    out->slope = foot.slope;
    out->distance = line->balls->reach - foot.depth - foot.slope * (middle - from);
    return true;
  }
  crBallFoot start = crBallLine_FindFoot(line, from), end = crBallLine_FindFoot(line, to);
  out->start = crScale(line->balls->reach - start.depth, start.outward);
  out->way = crSub(crScale(line->balls->reach - end.depth, end.outward), out->start);
  return true;
}

// Between two places of a line above one feature of a polytope or segment. D N is linear above a flat face, too,
// as long as it is outside.
static crStretch joinPlaces(const crBallLine* line, double from, const crBallFoot* a, double to, const crBallFoot* b)
{
  crStretch out = { .from = from, .length = to - from };
  double reach = line->balls->reach, D = reach - a->depth, E = reach - b->depth;
  bool isOutside = D > 0.0 && E > 0.0;
  if (!isOutside || crMaxAbs(crSub(a->outward, b->outward)) < CR_EQUAL_NORMALS) {
    double middle = 0.5 * (from + to);
    crBallFoot foot = isOutside ? *a : crBallLine_FindFoot(line, middle);
    if (isOutside || foot.extent == 2) {
      out.isFlat = true;
      out.outward = foot.outward;
      out.slope = foot.slope;
      out.distance = isOutside ? D : reach - foot.depth - foot.slope * (middle - from);
      return out;
    }
  }
  out.start = crScale(D, a->outward);
  out.way = crSub(crScale(E, b->outward), out.start);
  return out;
}

// Where the depth of a stretch is 0, which it is once; forward: towards its end.
static double findStretchEnd(const crBallLine* line, const crStretch* stretch, bool isForward)
{
  double reach = line->balls->reach, t;
  if (stretch->isFlat) {
    t = (reach - stretch->distance) / stretch->slope;
  } else {
    double a = crLengthSquared(stretch->way), b = crDot(stretch->start, stretch->way),
           c = crLengthSquared(stretch->start) - reach * reach, root = sqrt(crMax2(b * b - a * c, 0.0));
    double q = -(b + copysign(root, b)), s = isForward == (q > 0.0) ? q / a : c / q; // the larger root, or the lesser
    s = b == 0.0 ? (isForward ? root : -root) / a : s;
    t = s * stretch->length;
  }
  return stretch->from + crMin2(crMax2(t, 0.0), stretch->length);
}

// The deepest place.
static double findStretchTop(const crBallLine* line, const crStretch* stretch)
{
  if (stretch->isFlat) {
    return stretch->slope < 0.0 ? stretch->from + stretch->length : stretch->from;
  }
  double rise = crDot(stretch->way, line->along), s = rise > 0.0 ? -crDot(stretch->start, line->along) / rise : 0.0;
  return stretch->from + stretch->length * crMin2(crMax2(s, 0.0), 1.0);
}

// The place of a line that is nearest to the axis of a round core, of a beam to the one at either end, and its distance
// [m]. Inside such a core, and beside a tip, the depth has next to a kink there.
typedef struct Axis {
  double t, rho;
} Axis;

static Axis findAxis(const crBallLine* line, const Range* range)
{
  const crShape* other = line->balls->other;
  bool isRound = other->kind == cr_shapeCylinder || other->kind == cr_shapeCone || other->kind == cr_shapeBeam;
  bool hasTip = other->kind == cr_shapeCone && !(other->core.topRadius > 0.0);
  bool isAsked = hasTip || (isRound && range->isInside);
  double half = other->kind == cr_shapeBeam ? other->core.half.x : 0.0;
  crVec3 e = line->e;
  double square = e.x * e.x + e.y * e.y, y = line->origin.y;
  Axis axis = { 0.0, HUGE_VAL };
  for (int end = -1; end <= 1 && isAsked && square > 0.0; end += 2) {
    double x = line->origin.x - end * half, rho = fabs(x * e.y - y * e.x) / sqrt(square);
    axis = rho < axis.rho ? (Axis){ -(x * e.x + y * e.y) / square, rho } : axis;
  }
  return axis;
}

// The depth rises from `low` to `high`. Next to the axis parts are graded on both sides.
static void addRise(const crBallLine* line, double low, double high, Axis axis)
{
  double t = axis.t;
  if (t > crMin2(low, high) && t < crMax2(low, high) && axis.rho < fabs(high - low)) {
    double middle = 0.5 * (t + high);
    crBallLine_AddPart(line, low, t);
    crBallLine_AddPart(line, middle, t);
    low = middle;
  }
  crBallLine_AddPart(line, low, high);
}

// As crAddLiftedRib, against a polytope or segment: its features are known before any foot is. False: there are too
// many of them.
static bool addKnownRib(crBallLine* line)
{
  double places[CR_CORE_BREAKS + 2];
  crBallFoot feet[CR_CORE_BREAKS + 2], end = crBallLine_FindFoot(line, line->length);
  feet[0] = crBallLine_FindFoot(line, 0.0);
  if (!mayBeInside(line, &feet[0], &end)) {
    return true;
  }
  int last = 1 + crListBreaks(line->balls->other, line->origin, line->e, 0.0, line->length, true, places + 1), top = 0;
  if (last > CR_CORE_BREAKS) {
    return false;
  }
  places[0] = 0.0;
  places[last] = line->length;
  feet[last] = end;
  for (int i = 1; i < last; ++i) {
    feet[i] = crBallLine_FindFoot(line, places[i]);
  }
  while (top < last - 1 && feet[top + 1].depth > feet[top].depth) {
    ++top; // the deepest place is in the stretch after this or before
  }
  crStretch stretches[2];
  double deepest = places[top], most = feet[top].depth;
  for (int i = top > 0 ? top - 1 : 0; i <= top; ++i) {
    stretches[0] = joinPlaces(line, places[i], &feet[i], places[i + 1], &feet[i + 1]);
    line->stretch = &stretches[0];
    double t = findStretchTop(line, &stretches[0]), depth = crBallLine_FindFoot(line, t).depth;
    line->stretch = NULL;
    deepest = depth > most ? t : deepest;
    most = crMax2(most, depth);
  }
  if (!(most > 0.0)) {
    return true;
  }
  crBallFoot foot = crBallLine_FindFoot(line, deepest);
  crBalls_SeeDepth(line->balls, &foot);
  crPatch_TakeSpots(line->balls->patch, false);
  for (int i = 0; i < last; ++i) {
    double from = places[i], to = places[i + 1];
    bool isBefore = feet[i].depth <= 0.0, isBehind = feet[i + 1].depth <= 0.0;
    if (!(to > from) || (isBefore && isBehind && !(deepest > from && deepest < to))) {
      continue;
    }
    stretches[1] = joinPlaces(line, from, &feet[i], to, &feet[i + 1]);
    from = isBefore ? findStretchEnd(line, &stretches[1], false) : from;
    to = isBehind ? findStretchEnd(line, &stretches[1], true) : to;
    line->stretch = &stretches[1];
    double rise = crMin2(to, deepest), fall = crMax2(from, rise);
    if (rise > from) {
      crBallLine_AddPart(line, from, rise);
    }
    if (to > fall) {
      crBallLine_AddPart(line, to, fall);
    }
    line->stretch = NULL;
  }
  return true;
}

void crAddRib(const crBalls* balls, crVec3 p, crVec3 q)
{
  crAddLiftedRib(balls, p, q, crMakeVec3(0.0, 0.0, 0.0));
}

void crAddLiftedRib(const crBalls* balls, crVec3 p, crVec3 q, crVec3 lift)
{
  crBallLine line;
  Range range;
  if ((isTooHigh(balls, p) && isTooHigh(balls, q)) ||
      (crBalls_FindSides(balls, p) & crBalls_FindSides(balls, q)) != 0 ||
      (balls->hasZone && !crZone_ClipLine(&balls->zone, &p, &q)) || !makeLine(balls, p, q, &line)) {
    return;
  }
  line.lift = lift;
  crShapeKind kind = balls->other->kind;
  bool isKnown = kind == cr_shapeBox || kind == cr_shapeCapsule || kind == cr_shapeHalfSpace || kind == cr_shapeHull;
  if (isKnown && addKnownRib(&line)) {
    return;
  }
  if (!findRange(&line, &range)) {
    return;
  }
  crPatch_TakeSpots(balls->patch, false);
  double breaks[CR_CORE_BREAKS + 1], from = range.from;
  Axis axis = findAxis(&line, &range);
  int count = listBreaks(&line, &range, breaks);
  for (int i = 0; i <= count; from = breaks[i++]) {
    double to = breaks[i], rise = crMin2(to, range.deepest), fall = crMax2(from, rise);
    crStretch stretch;
    line.stretch = NULL;
    line.stretch = to > from && makeStretch(&line, from, to, &stretch) ? &stretch : NULL;
    if (rise > from) {
      addRise(&line, from, rise, axis);
    }
    if (to > fall) {
      addRise(&line, to, fall, axis);
    }
  }
}
