// Rims: circles of balls.
#include "base/elementary.h"
#include "collide/area/ball_line.h"
#include "collide/area/core_breaks.h"
#include "collide/area/polygon.h"

#define CR_RIM_PARTS 16 // of all of a rim
#define CR_RIM_LOOKS 4  // at each of them: between two there is one deepest or least deep place above one feature
#define CR_BESIDE 1e-12 // [-] of the length: how far from a break it is looked at
#define CR_HALF_TURNS 4 // of an angle below two turns
#define CR_ALMOST (1.0 - 1e-9) // [-] of a whole number, and its rounding errors

static crBallPlace findPlace(const crBallLine* line, double t)
{
  return (crBallPlace){ t, crBallLine_FindDepth(line, t) };
}

static void seeDepth(const crBallLine* line, double t)
{
  crBallFoot foot = crBallLine_FindFoot(line, t);
  crBalls_SeeDepth(line->balls, &foot);
}

// Depth goes up or down from a to b.
static void addMonotone(const crBallLine* line, const crBallPlace* a, const crBallPlace* b)
{
  const crBallPlace *low = a->at.depth < b->at.depth ? a : b, *high = low == a ? b : a;
  if (!(high->at.depth > 0.0)) {
    return;
  }
  seeDepth(line, high->t);
  double from = low->at.depth < 0.0 ? crBallLine_FindEnd(line, low, high) : low->t;
  crBallLine_AddPart(line, from, high->t);
}

// There is one deepest or least deep place between at most.
static void addSpan(const crBallLine* line, const crBallPlace* a, const crBallPlace* b)
{
  double from = a->at.slope, to = b->at.slope;
  if ((from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0)) {
    crBallPlace extreme = findPlace(line, crBallLine_FindExtreme(line, a, b));
    addMonotone(line, a, &extreme);
    addMonotone(line, &extreme, b);
  } else if (b->t > a->t) {
    addMonotone(line, a, b);
  }
}

// Above one feature: what goes one way is taken together.
static void addPiece(const crBallLine* line, const crBallPlace* a, const crBallPlace* b)
{
  double way = b->t - a->t, step = line->length / (CR_RIM_PARTS * CR_RIM_LOOKS);
  if (!(way > 0.0)) {
    return;
  }
  crBallPlace from = *a, last = *a;
  int count = 1 + (int)(CR_ALMOST * way / step);
  for (int k = 1; k <= count; ++k) {
    crBallPlace next = k < count ? findPlace(line, a->t + way * k / count) : *b;
    bool isAlike = (next.at.slope < 0.0) == (last.at.slope < 0.0);
    if (!isAlike || k == count) {
      addSpan(line, &from, &next);
      from = next;
    }
    last = next;
  }
}

// Between two neighbours of CR_RIM_PARTS.
static void addRimPart(const crBallLine* line, const crBallPlace* a, const crBallPlace* b)
{
  const crRim* rim = line->rim;
  double deepest = 0.5 * (a->at.depth + b->at.depth + b->t - a->t), beside = CR_BESIDE * line->length;
  double breaks[CR_CORE_BREAKS];
  crArc arc = { .centre = line->origin,
                .e1 = crScale(rim->radius, line->e),
                .e2 = crScale(rim->radius, line->f),
                .from = a->t / rim->radius,
                .to = b->t / rim->radius };
  int count = crListArcBreaks(line->balls->other, &arc, deepest > line->balls->reach, breaks);
  crBallPlace from = *a;
  for (int i = 0; i < count; ++i) {
    double t = breaks[i] * rim->radius;
    crBallPlace to = findPlace(line, t - beside);
    addPiece(line, &from, &to);
    from = findPlace(line, t + beside);
  }
  addPiece(line, &from, b);
}

// ---------------------------------------------------------------------------------------------- on ground

// A circle above a half-space, seen from its least deep place, psi = 0: depth = middle - swing cos(psi).
typedef struct GroundRim {
  crBallLine line;
  double wide; // [rad] how far from the deepest place it is inside; pi: all of it
} GroundRim;

// From `low` to `high`, angles along which the depth rises, in either direction. Far from the deepest place the depth
// has another centre, opposite: parts become shorter towards it.
static void addRise(const GroundRim* ground, double low, double high, double deepest)
{
  static const double cuts[3] = { 0.5 * M_PI, 0.75 * M_PI, 0.875 * M_PI };
  double sign = high > low ? 1.0 : -1.0, radius = ground->line.rim->radius, far = fabs(deepest - low);
  seeDepth(&ground->line, radius * high);
  for (int i = 0; i < 3 && far > cuts[i]; ++i) {
    double cut = deepest - sign * cuts[i];
    if (sign * (high - cut) > 0.0) {
      crBallLine_AddPart(&ground->line, radius * cut, radius * high);
      high = cut;
    }
  }
  crBallLine_AddPart(&ground->line, radius * low, radius * high);
}

// Depth goes up or down between two angles; `half`: which half turn they are in.
static void addHalfTurn(const GroundRim* ground, double from, double to, int half)
{
  bool isRising = half % 2 == 0;
  double deepest = M_PI * (isRising ? half + 1 : half);
  double border = isRising ? deepest - ground->wide : deepest + ground->wide;
  double low = isRising ? crMax2(from, border) : crMin2(to, border), high = isRising ? to : from;
  if (isRising ? high > low : high < low) {
    addRise(ground, low, high, deepest);
  }
}

// Where depth and slope are known, nothing is looked for.
static void addRimOnGround(const crBalls* balls, const crRim* rim)
{
  crBallFoot foot = crBalls_FindFoot(balls, rim->centre);
  double n1 = crDot(foot.outward, rim->e1), n2 = crDot(foot.outward, rim->e2), tilt = sqrt(n1 * n1 + n2 * n2);
  double middle = foot.depth, swing = rim->radius * tilt;
  if (!(middle + swing > 0.0)) {
    return;
  }
  crRim turned = *rim;
  double from = 0.0;
  if (tilt > 0.0) {
    turned.e1 = crScale(1.0 / tilt, crMulAdd(crScale(n1, rim->e1), n2, rim->e2));
    turned.e2 = crScale(1.0 / tilt, crMulAdd(crScale(n1, rim->e2), -n2, rim->e1));
    bool isWhole = rim->angle >= 2.0 * M_PI;
    from = isWhole ? 0.0 : crAtan2(-n2, n1);
    from += from < 0.0 ? 2.0 * M_PI : 0.0;
  }
  bool isAll = middle >= swing;
  GroundRim ground = { .line = { .balls = balls, .length = rim->angle * rim->radius, .rim = &turned, .ground = &foot },
                       .wide = isAll ? M_PI : 2.0 * crAtan2(sqrt(middle + swing), sqrt(swing - middle)) };
  crPatch_TakeSpots(balls->patch, false);
  double to = from + rim->angle;
  for (int half = (int)(from / M_PI); M_PI * half < to && half < CR_HALF_TURNS; ++half) {
    addHalfTurn(&ground, crMax2(from, M_PI * half), crMin2(to, M_PI * (half + 1)), half);
  }
}

// ------------------------------------------------------------------------------------------------- others

// D is convex, so that the depth is nowhere above its tangent at a place: along a rim, above
// level + x cos(angle) + y sin(angle).
typedef struct Bound {
  double level, x, y; // [m]
} Bound;

// foot: of any ball.
static Bound makeBound(const crRim* rim, const crBallFoot* foot)
{
  crVec3 n = foot->outward;
  return (Bound){ foot->depth - crDot(n, crSub(rim->centre, foot->c)), -rim->radius * crDot(n, rim->e1),
                  -rim->radius * crDot(n, rim->e2) };
}

static double findSwing(const Bound* bound)
{
  return sqrt(bound->x * bound->x + bound->y * bound->y);
}

// The plane below the deepest ball, and sides of the box around what is near, that a rim passes; -1: all of it is
// beyond one.
static int boundByPlanes(const crBalls* balls, const crRim* rim, Bound out[7])
{
  const crZone* zone = &balls->zone;
  const crFence* below = &balls->deepest->plane;
  crVec3 from = crSub(rim->centre, zone->middle), n = below->normal;
  int count = 0;
  if (balls->deepest->depth > 0.0) {
    out[0] = (Bound){ balls->reach + below->offset - crDot(n, rim->centre), -rim->radius * crDot(n, rim->e1),
                      -rim->radius * crDot(n, rim->e2) };
    double swing = findSwing(&out[0]);
    count = out[0].level + swing <= 0.0 ? -1 : out[0].level - swing < 0.0;
  }
  for (int i = 0; i < 6 && balls->hasZone && count >= 0; ++i) {
    crVec3 e = crScale(i % 2 == 0 ? 1.0 : -1.0, zone->axes[i / 2]);
    Bound bound = { zone->half[i / 2] - crDot(e, from), -rim->radius * crDot(e, rim->e1),
                    -rim->radius * crDot(e, rim->e2) };
    double swing = findSwing(&bound);
    if (bound.level + swing <= 0.0) {
      count = -1;
    } else if (bound.level - swing < 0.0) {
      out[count++] = bound;
    }
  }
  return count;
}

// One bit for each of the parts that may be inside.
static unsigned findParts(const crBallLine* line)
{
  const crRim* rim = line->rim;
  Bound bounds[2 + 7];
  int count = boundByPlanes(line->balls, rim, bounds + 1);
  if (count < 0) {
    return 0;
  }
  crBallFoot middle = crBalls_FindFoot(line->balls, rim->centre);
  bounds[0] = makeBound(rim, &middle);
  double swing = findSwing(&bounds[0]);
  if (bounds[0].level + swing <= 0.0) {
    return 0;
  }
  ++count;
  if (swing > 0.0) {
    double x = bounds[0].x / swing, y = bounds[0].y / swing;
    crVec3 away = crAdd(crScale(x, rim->e1), crScale(y, rim->e2));
    crBallFoot deep = crBalls_FindFoot(line->balls, crMulAdd(rim->centre, rim->radius, away));
    bounds[count++] = makeBound(rim, &deep);
  }
  double sine, cosine, x = 1.0, y = 0.0, bulge = 0.5 * rim->angle / CR_RIM_PARTS;
  crSinCos(rim->angle / CR_RIM_PARTS, &sine, &cosine);
  bulge = 0.5 * bulge * bulge; // [-] at most, of an arc beyond its chord
  unsigned parts = 0;
  for (int i = 0; i < CR_RIM_PARTS; ++i) {
    double nextX = x * cosine - y * sine, nextY = y * cosine + x * sine;
    bool mayBe = true;
    for (int k = 0; k < count; ++k) {
      const Bound* b = &bounds[k];
      double most = crMax2(b->x * x + b->y * y, b->x * nextX + b->y * nextY);
      mayBe = mayBe && b->level + most + bulge * (fabs(b->x) + fabs(b->y)) > 0.0;
    }
    parts |= (unsigned)mayBe << i;
    x = nextX;
    y = nextY;
  }
  return parts;
}

// Along a circle D is not convex: it goes up and down, seldom more than once between two of these places above one
// feature.
void crAddRim(const crBalls* balls, const crRim* rim)
{
  if (balls->other->kind == cr_shapeHalfSpace) {
    addRimOnGround(balls, rim);
    return;
  }
  const crPose* X = &balls->X_AB;
  crBallLine line = { .balls = balls,
                      .length = rim->angle * rim->radius,
                      .rim = rim,
                      .origin = crMulTV(X->R, crSub(rim->centre, X->p)),
                      .e = crMulTV(X->R, rim->e1),
                      .f = crMulTV(X->R, rim->e2) };
  unsigned parts = findParts(&line);
  if (parts == 0) {
    return;
  }
  crPatch_TakeSpots(balls->patch, false);
  crBallPlace last;
  bool hasLast = false;
  for (int i = 0; i < CR_RIM_PARTS; ++i) {
    if ((parts >> i & 1) == 0) {
      hasLast = false;
      continue;
    }
    crBallPlace from = hasLast ? last : findPlace(&line, line.length * i / CR_RIM_PARTS);
    last = findPlace(&line, line.length * (i + 1) / CR_RIM_PARTS);
    hasLast = true;
    if (from.at.depth + last.at.depth + last.t - from.t > 0.0) {
      addRimPart(&line, &from, &last);
    }
  }
}
