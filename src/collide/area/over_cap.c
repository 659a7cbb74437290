#include "collide/area/over_cap.h"

#include "base/elementary.h"
#include "collide/area/area.h"
#include "collide/area/quadrature.h"

#define CR_PI 3.14159265358979323846
#define CR_SECTORS 8
#define CR_MOST_BOXES 1024
#define CR_LEFT 1e-10  // [-] of the integral of d^2: what boxes that are left may count for
#define CR_STEADY 0.25 // [-] of the slope: the least one along chords
#define CR_LARGE 1.0   // [-] most turn of the slope in a box
#define CR_LOOKS 8     // along a border of a box

// A box of polar coordinates: u[0] from the middle, u[1] an angle from `down`, by their middles and half lengths.
typedef struct Box {
  double u[2], half[2];
  double count; // at most, of the integral of d^2
} Box;

typedef struct Cap {
  crOver* over;
  double s, bend;
  double i2; // so far
  crPatch* patch;
  int count;
  Box boxes[CR_MOST_BOXES];
} Cap;

static crVec3 pointAt(const Cap* cap, const double u[2], double* outSin, double* outCos)
{
  const crOver* o = cap->over;
  crSinCos(u[1], outSin, outCos);
  crVec3 out = crMulAdd(crScale(*outCos, o->down), *outSin, o->across);
  return crMulAdd(crMulAdd(o->centre, cap->s, o->axis), u[0], out);
}

// f, and its slopes along both coordinates [m/m].
static double lookAt(const Cap* cap, const double u[2], double outSlopes[2])
{
  const crOver* o = cap->over;
  double sin, cos;
  crVec3 slope, p = pointAt(cap, u, &sin, &cos);
  double f = crLookBelow(o->ground, p, &slope), down = crDot(slope, o->down), across = crDot(slope, o->across);
  outSlopes[0] = cos * down + sin * across;
  outSlopes[1] = -sin * down + cos * across;
  return f;
}

static void addPoint(Cap* cap, const double u[2], double weight)
{
  const crOver* o = cap->over;
  double sin, cos;
  crVec3 normal, p = pointAt(cap, u, &sin, &cos);
  double d = crFindDepth(o->ground, p, &normal), own = weight * u[0];
  if (d > 0.0) {
    cap->i2 += own * d * d;
    crPatch_AddPoint(cap->patch, own, d, crMulTV(o->R, crSub(p, o->centre)), crMulTV(o->R, normal));
  }
}

// A line along one coordinate.
typedef struct Line {
  const Cap* cap;
  int along;
  double u[2];
  double step;
} Line;

static crHeight heightAlong(void* context, double t)
{
  Line* line = context;
  double slopes[2];
  line->u[line->along] = t;
  double f = lookAt(line->cap, line->u, slopes);
  return (crHeight){ f, slopes[line->along] * (line->along == 1 ? line->u[0] : 1.0), line->step };
}

static void addLine(Cap* cap, int along, const double u[2], double a, double b, double weight)
{
  double place[2] = { u[0], u[1] };
  for (int i = 0; i < cr_eightAlong.count; ++i) {
    place[along] = 0.5 * (a + b) + 0.5 * (b - a) * cr_eightAlong.x[i];
    addPoint(cap, place, weight * 0.5 * (b - a) * cr_eightAlong.w[i]);
  }
}

// As far as it is below, between a and b, where f rises or falls.
static void addSteadyLine(Cap* cap, int along, const double u[2], double a, double b, double weight)
{
  Line line = { cap, along, { u[0], u[1] }, HUGE_VAL };
  bool isBelowA = heightAlong(&line, a).f > 0.0, isBelowB = heightAlong(&line, b).f > 0.0;
  if (isBelowA != isBelowB) {
    double root = crFindRootAbove(heightAlong, &line, isBelowA ? a : b, isBelowA ? b : a, 0.5 * (a + b));
    *(isBelowA ? &b : &a) = root;
  }
  if (isBelowA || isBelowB) {
    addLine(cap, along, u, a, b, weight);
  }
}

typedef struct Cuts {
  int count;
  double items[2 + 4 * CR_MOST_SPANS];
} Cuts;

static void addCut(double place, Cuts* cuts)
{
  int k = cuts->count++;
  for (; k > 0 && cuts->items[k - 1] > place; --k) {
    cuts->items[k] = cuts->items[k - 1];
  }
  cuts->items[k] = place;
}

// Where f is 0 along a side of a box.
static void cutSide(const Cap* cap, const Box* box, int along, double at, Cuts* cuts)
{
  int other = 1 - along;
  double a = box->u[other] - box->half[other], b = box->u[other] + box->half[other];
  Line line = { cap, other, { at, at }, HUGE_VAL };
  double unit = other == 1 ? at : 1.0;
  crSpansAbove spans;
  if (!(unit > 0.0)) {
    return;
  }
  crScan scan = { a, b, unit / cap->over->facing, CR_LOOKS, a, false };
  crFindSpansAbove(heightAlong, &line, &scan, &spans);
  for (int i = 0; i < spans.count; ++i) {
    if (spans.items[i].startsAtRoot) {
      addCut(spans.items[i].a, cuts);
    }
    if (spans.items[i].endsAtRoot) {
      addCut(spans.items[i].b, cuts);
    }
  }
}

static void addSteady(Cap* cap, const Box* box, int along)
{
  int other = 1 - along;
  double a = box->u[along] - box->half[along], b = box->u[along] + box->half[along], place[2] = { 0.0, 0.0 };
  Cuts cuts = { .count = 0 };
  addCut(box->u[other] - box->half[other], &cuts);
  addCut(box->u[other] + box->half[other], &cuts);
  cutSide(cap, box, along, a, &cuts);
  cutSide(cap, box, along, b, &cuts);
  for (int k = 0; k + 1 < cuts.count; ++k) {
    double middle = 0.5 * (cuts.items[k] + cuts.items[k + 1]), half = 0.5 * (cuts.items[k + 1] - cuts.items[k]);
    for (int i = 0; half > 0.0 && i < cr_eightAlong.count; ++i) {
      place[other] = middle + half * cr_eightAlong.x[i];
      addSteadyLine(cap, along, place, a, b, half * cr_eightAlong.w[i]);
    }
  }
}

static void addPiece(Cap* cap, const Box* box)
{
  double place[2] = { 0.0, 0.0 };
  for (int i = 0; i < cr_eightAlong.count; ++i) {
    place[0] = box->u[0] + box->half[0] * cr_eightAlong.x[i];
    addLine(cap, 1, place, box->u[1] - box->half[1], box->u[1] + box->half[1], box->half[0] * cr_eightAlong.w[i]);
  }
}

// In pieces of two cells, in which h is nearly a polynomial.
static void addWhole(Cap* cap, const Box* box)
{
  double cell = cap->over->cell, outer = box->u[0] + box->half[0];
  int counts[2] = { (int)ceil(box->half[0] / cell), (int)ceil(outer * box->half[1] / cell) };
  Box piece = { .half = { box->half[0] / counts[0], box->half[1] / counts[1] } };
  for (int i = 0; i < counts[0]; ++i) {
    for (int k = 0; k < counts[1]; ++k) {
      piece.u[0] = box->u[0] - box->half[0] + (2 * i + 1) * piece.half[0];
      piece.u[1] = box->u[1] - box->half[1] + (2 * k + 1) * piece.half[1];
      addPiece(cap, &piece);
    }
  }
}

static void take(Cap* cap, Box box)
{
  const crOver* o = cap->over;
  double slopes[2], turnSin, turnCos, outer = box.u[0] + box.half[0];
  double f = lookAt(cap, box.u, slopes);
  crSinCos(box.half[1], &turnSin, &turnCos);
  double ways[2] = { box.half[0] + outer * (1.0 - turnCos), outer * turnSin };
  double reach = sqrt(ways[0] * ways[0] + ways[1] * ways[1]);
  double bend = cap->bend;
  double own[2] = { fabs(slopes[0]), fabs(slopes[1]) };
  double most = own[0] * ways[0] + own[1] * ways[1] + 0.5 * bend * reach * reach;
  bool isSmall = fmax(box.half[0], outer * box.half[1]) <= o->cell && bend * reach <= CR_LARGE;
  if (f + most <= 0.0) {
    return;
  }
  if (f - most >= 0.0) {
    addWhole(cap, &box);
    return;
  }
  double least[2] = { own[0] * turnCos - own[1] * turnSin - bend * reach,
                      own[1] * turnCos - own[0] * turnSin - bend * reach };
  int along = least[1] > least[0];
  if (isSmall && least[along] > CR_STEADY * (own[0] + own[1] + bend * reach)) {
    addSteady(cap, &box, along);
    return;
  }
  box.count = (f + most) * (f + most) * 4.0 * box.half[0] * box.half[1] * outer;
  if (cap->count < CR_MOST_BOXES) {
    cap->boxes[cap->count++] = box;
  }
}

static Box takeMost(Cap* cap, double* outLeft)
{
  int most = 0;
  *outLeft = 0.0;
  for (int i = 0; i < cap->count; ++i) {
    most = cap->boxes[i].count > cap->boxes[most].count ? i : most;
    *outLeft += cap->boxes[i].count;
  }
  Box box = cap->boxes[most];
  cap->boxes[most] = cap->boxes[--cap->count];
  return box;
}

static void halve(Cap* cap, const Box* box)
{
  int k = box->half[0] < (box->u[0] + box->half[0]) * box->half[1];
  for (int i = -1; i <= 1; i += 2) {
    Box part = *box;
    part.half[k] *= 0.5;
    part.u[k] += i * part.half[k];
    take(cap, part);
  }
}

void crAddCap(crOver* o, double s, crPatch* patch)
{
  const crGround* g = o->ground;
  double turn = CR_PI / CR_SECTORS, left = 0.0;
  Cap cap = { .over = o, .s = s, .bend = fmax(g->rise, g->fall), .patch = patch };
  cap.i2 = 0.0;
  cap.count = 0;
  for (int i = 0; i < CR_SECTORS; ++i) {
    take(&cap, (Box){ { 0.5 * o->radius, (2 * i + 1 - CR_SECTORS) * turn }, { 0.5 * o->radius, turn }, 0.0 });
  }
  for (int halved = 0; cap.count > 0; ++halved) {
    Box box = takeMost(&cap, &left);
    if (halved >= CR_MOST_BOXES - CR_SECTORS || left <= CR_LEFT * cap.i2) {
      addWhole(&cap, &box);
    } else {
      halve(&cap, &box);
    }
  }
}
