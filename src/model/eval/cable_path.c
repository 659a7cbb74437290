// The way of a cable through points and around pulleys, its length, and how the length changes.
//
// A pulley is a circle of radius r in the plane across its axis, with a groove that keeps the cable there. With e(a)
// the unit vector from its centre C at the angle a, counted the way that the cable goes around, and t(a) along that
// way, the cable leaves pulley i at A = C_i + r_i e_i(a) and meets pulley j at B = C_j + r_j e_j(b), where seen along
// the axis of each its straight part is a tangent:
//
//   e_i(a) . (B - C_i) = r_i      e_j(b) . (A - C_j) = r_j
//
// (a point is a pulley of radius 0). Each of the two angles follows from the other end; they are found by turns. In one
// plane an end that moves along the tangent does not change it, so that errors are squared at each turn. The length is
// the sum of
//
//   |B - A| + r_i a - r_j b      over all straight parts
//
// up to whole turns, which make each arc r (a - b) one of 0 to 270 degrees; more is one below 0: the cable goes by that
// pulley without touching it.
//
// Seen along the axis the parts are tangents, but in space they need not be: cables come in from the side, and the
// length is not stationary in a and b. With multipliers m1, m2 of the two equations,
//
//   (d/da, d/db)(length) + (m1, m2) . (d/da, d/db)(equations) = 0,
//
// the length changes with motions of the centres and turns of the pulleys as if a and b stayed: both as forces and as
// rates. With u = (B - A) / |B - A|, by motions and turns of i, and likewise of j,
//
//   -u - m1 e_i + m2 e_j       e_i x (m1 (B - C_i) - r_i u + m2 r_i e_j)
#include "base/elementary.h"
#include "model/eval/cable.h"
#include "model/eval/element.h"

#define CR_CABLE_TURNS 60          // far more than the few that are needed
#define CR_CABLE_MOVE 1e-16        // [-] of the length: when ends move by less they are found
#define CR_MOST_WRAP (1.5 * CR_PI) // [rad]

// ---------------------------------------------------------------------------------------------- one part

static crVec3 radial(const crWrap* wrap, double angle)
{
  return crAdd(crScale(crCos(angle), wrap->x), crScale(crSin(angle), wrap->y));
}

static crVec3 along(const crWrap* wrap, double angle)
{
  return crSub(crScale(crCos(angle), wrap->y), crScale(crSin(angle), wrap->x));
}

// The angle at which the cable leaves a pulley for a point, or, with sign 1, meets it from there. NaN: the point is
// inside.
static double findTangent(const crWrap* wrap, crVec3 p, double sign)
{
  crVec3 r = crSub(p, wrap->centre);
  double x = crDot(wrap->x, r), y = crDot(wrap->y, r), distance = sqrt(x * x + y * y);
  double s = (distance - wrap->radius) * (distance + wrap->radius);
  return s > 0.0 ? crAtan2(y, x) + sign * crAtan2(sqrt(s), wrap->radius) : NAN;
}

// Finds both ends of a straight part; false: there is none.
static bool findPart(crWrap* from, crWrap* to)
{
  from->out = from->centre;
  to->in = to->centre;
  if (from->radius == 0.0 && to->radius == 0.0) {
    return true;
  }
  double moved = HUGE_VAL, length = 0.0;
  for (int i = 0; i < CR_CABLE_TURNS && moved > CR_CABLE_MOVE * length; ++i) {
    crVec3 out = from->out, in = to->in;
    if (from->radius > 0.0) {
      from->angleOut = findTangent(from, to->in, -1.0);
      from->out = crMulAdd(from->centre, from->radius, radial(from, from->angleOut));
    }
    if (to->radius > 0.0) {
      to->angleIn = findTangent(to, from->out, 1.0);
      to->in = crMulAdd(to->centre, to->radius, radial(to, to->angleIn));
    }
    moved = fmax(crMaxAbs(crSub(from->out, out)), crMaxAbs(crSub(to->in, in)));
    length = crLength(crSub(to->in, from->out));
    if (from->radius == 0.0 || to->radius == 0.0) {
      break; // a point does not move
    }
  }
  return isfinite(length);
}

// The change of length per angle at each end, taken on by the multipliers.
static void findMultipliers(const crWrap* from, const crWrap* to, crVec3 u, double* outM1, double* outM2)
{
  bool hasFrom = from->radius > 0.0, hasTo = to->radius > 0.0;
  crVec3 eI = radial(from, from->angleOut), tI = along(from, from->angleOut);
  crVec3 eJ = radial(to, to->angleIn), tJ = along(to, to->angleIn);
  double byA = from->radius * (1.0 - crDot(u, tI)), byB = to->radius * (crDot(u, tJ) - 1.0);
  double F1a = crDot(tI, crSub(to->in, from->centre)), F1b = to->radius * crDot(eI, tJ);
  double F2a = from->radius * crDot(eJ, tI), F2b = crDot(tJ, crSub(from->out, to->centre));
  *outM1 = *outM2 = 0.0;
  if (hasFrom && hasTo) { // transposed: F1a m1 + F2a m2 = -byA, F1b m1 + F2b m2 = -byB
    double det = F1a * F2b - F1b * F2a;
    *outM1 = (-byA * F2b + byB * F2a) / det;
    *outM2 = (-byB * F1a + byA * F1b) / det;
  } else if (hasFrom) {
    *outM1 = -byA / F1a;
  } else if (hasTo) {
    *outM2 = -byB / F2b;
  }
}

static crCablePart makePart(const crWrap* wraps, int i, int j)
{
  const crWrap *from = &wraps[i], *to = &wraps[j];
  crCablePart part = { .from = i, .to = j };
  crVec3 line = crSub(to->in, from->out);
  part.length = crLength(line);
  crVec3 u = part.length > 0.0 ? crScale(1.0 / part.length, line) : crMakeVec3(0.0, 0.0, 0.0);
  double m1, m2;
  findMultipliers(from, to, u, &m1, &m2);
  crVec3 eI = radial(from, from->angleOut), eJ = radial(to, to->angleIn);
  part.pull = crAdd(u, crSub(crScale(m1, eI), crScale(m2, eJ)));
  crVec3 byI = crMulAdd(crScale(m1, crSub(to->in, from->centre)), from->radius, crSub(crScale(m2, eJ), u));
  crVec3 byJ = crMulAdd(crScale(m2, crSub(from->out, to->centre)), to->radius, crAdd(crScale(m1, eI), u));
  part.turnFrom = from->radius > 0.0 ? crCross(eI, byI) : crMakeVec3(0.0, 0.0, 0.0);
  part.turnTo = to->radius > 0.0 ? crCross(eJ, byJ) : crMakeVec3(0.0, 0.0, 0.0);
  return part;
}

// ------------------------------------------------------------------------------------------------ the way

static void startWraps(const crInstance* instance, const crModelForce* force, crWrap* wraps)
{
  for (int i = 0; i < force->guideCount; ++i) {
    const crGuide* guide = &instance->model->guides[force->guideStart + i];
    crMat3 R_WG = crFindAxes(instance, guide->body, guide->R_LG);
    crVec3 arm = crFindArm(instance, guide->body, guide->p_L);
    wraps[i] = (crWrap){ .centre = crAdd(crFromLanes(instance->places[guide->body].p), arm),
                         .x = R_WG.cx,
                         .y = guide->radius < 0.0 ? crNeg(R_WG.cy) : R_WG.cy,
                         .radius = fabs(guide->radius) };
  }
}

static int nextTouched(const crWrap* wraps, int count, int from)
{
  int to = from + 1;
  while (to < count && wraps[to].isPassed) {
    ++to;
  }
  return to < count ? to : -1;
}

// The arc on a pulley; below 0 that of one that is not touched.
static double findArc(const crWrap* wrap)
{
  double turn = wrap->angleOut - wrap->angleIn;
  turn -= 2.0 * CR_PI * floor(turn / (2.0 * CR_PI));
  return wrap->radius * (turn > CR_MOST_WRAP ? turn - 2.0 * CR_PI : turn);
}

// Leaves out pulleys that are not touched. Returns whether there were such.
static bool passPulleys(crWrap* wraps, int count)
{
  bool isChanged = false;
  for (int i = 1; i < count - 1; ++i) {
    if (wraps[i].radius > 0.0 && !wraps[i].isPassed) {
      wraps[i].arc = findArc(&wraps[i]);
      wraps[i].isPassed = wraps[i].arc < 0.0;
      isChanged = isChanged || wraps[i].isPassed;
    }
  }
  return isChanged;
}

bool crFindCablePath(const crInstance* instance, const crModelForce* force, double* outLength)
{
  crWrap* wraps = instance->wraps + force->guideStart;
  bool isFound = true;
  startWraps(instance, force, wraps);
  do {
    for (int from = 0, to; isFound && (to = nextTouched(wraps, force->guideCount, from)) >= 0; from = to) {
      isFound = findPart(&wraps[from], &wraps[to]);
    }
  } while (isFound && passPulleys(wraps, force->guideCount));
  *outLength = 0.0;
  for (int from = 0, to; isFound && (to = nextTouched(wraps, force->guideCount, from)) >= 0; from = to) {
    *outLength += crLength(crSub(wraps[to].in, wraps[from].out)) + wraps[to].arc;
  }
  return isFound;
}

bool crNextCablePart(const crInstance* instance, const crModelForce* force, crCablePart* ioPart)
{
  const crWrap* wraps = instance->wraps + force->guideStart;
  int from = ioPart->to, to = nextTouched(wraps, force->guideCount, from);
  if (to >= 0) {
    *ioPart = makePart(wraps, from, to);
  }
  return to >= 0;
}
