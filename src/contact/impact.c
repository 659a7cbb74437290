// Impulses by the normal impulse as time, after Routh and Stronge [Stronge18].
//
// While the two bodies are pressed together, the normal impulse p grows and the relative velocity v changes with it:
//
//   dv/dp = W (z - muK u),    u = v_t / |v_t|          while they slide
//   dv/dp = W (z + k),        W_tt k = -W_tz           while they stick, which needs |k| <= muK
//
// Compression ends where v_z = 0. Its normal work E_c = integral of v_z dp < 0 is given back in part:
//
//   integral over restitution of v_z dp = -cor^2 E_c
//
// Newton's ratio of speeds, with friction, can give back more than was put in (Kane's double pendulum); this cannot,
// since friction does negative work and the normal force returns at most what it took.
//
// Where sliding stops and cannot stick it goes on in the direction u for which dv_t/dp is along u, and that does not
// change any more. So sliding that turns, which is integrated, comes before all else, and the rest has closed forms.
//
// The rates depend on the direction of sliding alone, so that what is left of its speed while it turns by some angle is
// a share of it: near zero it can wind round many times. A step takes at most a small share of the speed while it
// turns; one step down to zero would leave a direction by chance, from which the next gains as much as it loses.
#include "contact/impact.h"

#include "base/elementary.h"

#define CR_IMPACT_STEPS 200         // of p over the scale of the impact; fourth order
#define CR_MAX_IMPACT_STEPS 1000000 // of sliding that winds round: then what is left of it counts as none
#define CR_IMPACT_SHARE                                                                                                \
  0.05                    // [-] of the speed of sliding that one step may take while it turns: 5e-8 of it is its error
#define CR_STRAIGHT 1e-9  // [-] of the rate of sliding across its direction: it does not turn
#define CR_STOPPED 1e-12  // [-] of the speed of the impact: sliding that has come to its end
#define CR_BISECTIONS 60  // of the step in which something ends
#define CR_DIRECTIONS 720 // tried for the direction in which sliding goes on
#define CR_SINGULAR 1e-10 // [-] of W: far above its round-off, far below what bodies can have

// Along the normal impulse.
typedef struct Course {
  crVec3 v;
  double work;     // [J] of the normal force
  crVec3 p;        // [N s] on B
  bool hasStopped; // sliding went through zero on the way here
} Course;

typedef struct Rates {
  crVec3 v, p;
} Rates;

static double planarLength(crVec3 a)
{
  return sqrt(a.x * a.x + a.y * a.y);
}

static Rates findRates(const crImpact* impact, crVec3 push)
{
  Rates rates = { crMulMV(impact->W, push), push };
  return rates;
}

static crVec3 slidingPush(const crImpact* impact, crVec3 v)
{
  double speed = planarLength(v), s = speed > 0.0 ? impact->muK / speed : 0.0;
  return crMakeVec3(-s * v.x, -s * v.y, 1.0);
}

static bool isOpposite(crVec3 a, crVec3 b)
{
  return a.x * b.x + a.y * b.y <= 0.0;
}

// One step of p by the classical method of fourth order; the work by Simpson's rule, exact to its order. Behind zero
// the push turns round, so that a step across it means nothing: it is told by any of its stages.
static Course slide(const crImpact* impact, Course at, double h)
{
  crVec3 push1 = slidingPush(impact, at.v), k1 = crMulMV(impact->W, push1);
  crVec3 v2 = crMulAdd(at.v, 0.5 * h, k1), push2 = slidingPush(impact, v2);
  crVec3 v3 = crMulAdd(at.v, 0.5 * h, crMulMV(impact->W, push2)), push3 = slidingPush(impact, v3);
  crVec3 v4 = crMulAdd(at.v, h, crMulMV(impact->W, push3)), push4 = slidingPush(impact, v4);
  crVec3 push = crScale(1.0 / 6.0, crAdd(crAdd(push1, push4), crScale(2.0, crAdd(push2, push3))));
  Course next = at;
  next.p = crMulAdd(at.p, h, push);
  next.v = crAdd(impact->v, crMulMV(impact->W, next.p));
  next.hasStopped = isOpposite(at.v, v2) || isOpposite(at.v, v3) || isOpposite(at.v, v4) || isOpposite(at.v, next.v);
  double middle = 0.5 * (at.v.z + next.v.z) + h / 8.0 * (k1.z - crMulMV(impact->W, push4).z);
  next.work += h / 6.0 * (at.v.z + 4.0 * middle + next.v.z);
  return next;
}

static Course goStraight(const Rates* rates, Course at, double h)
{
  Course next = { crMulAdd(at.v, h, rates->v), at.work + h * (at.v.z + 0.5 * h * rates->v.z),
                  crMulAdd(at.p, h, rates->p), true };
  return next;
}

// ------------------------------------------------------------------------------------- after sliding stops

// The smallest k with W_tt k = -W_tz. A mechanism in a plane cannot move across it: there W_tt = (a + c) u u', and the
// solution along u is taken; none is needed where the point cannot slide at all.
static crVec3 stickingPush(const crImpact* impact)
{
  const crMat3* W = &impact->W;
  double a = W->cx.x, b = W->cy.x, c = W->cy.y, determinant = a * c - b * b, trace = a + c;
  if (!(trace > CR_SINGULAR * W->cz.z)) {
    return crMakeVec3(0.0, 0.0, 1.0);
  }
  if (determinant <= CR_SINGULAR * trace * trace) {
    double x = a >= c ? a : b, y = a >= c ? b : c, length2 = x * x + y * y;
    double s = -(x * W->cz.x + y * W->cz.y) / (length2 * trace);
    return crMakeVec3(s * x, s * y, 1.0);
  }
  double kx = (-W->cz.x * c + W->cz.y * b) / determinant, ky = (-W->cz.y * a + W->cz.x * b) / determinant;
  return crMakeVec3(kx, ky, 1.0);
}

// How much dv_t/dp turns away from u, and along it.
static double findTurn(const crImpact* impact, double angle, double* outAlong)
{
  double x, y;
  crSinCos(angle, &y, &x);
  crVec3 dv = crMulMV(impact->W, crMakeVec3(-impact->muK * x, -impact->muK * y, 1.0));
  *outAlong = dv.x * x + dv.y * y;
  return dv.y * x - dv.x * y;
}

// The direction in which sliding sets in again: the one that it keeps.
static crVec3 resumingPush(const crImpact* impact)
{
  double best = 0.0, bestAlong = -HUGE_VAL, step = 2.0 * CR_PI / CR_DIRECTIONS, along, alongNext;
  for (int i = 0; i < CR_DIRECTIONS; ++i) {
    double low = i * step, high = low + step;
    double turnLow = findTurn(impact, low, &along), turnHigh = findTurn(impact, high, &alongNext);
    if ((turnLow > 0.0) == (turnHigh > 0.0) && turnLow != 0.0) {
      continue;
    }
    for (int k = 0; k < CR_BISECTIONS; ++k) {
      double middle = 0.5 * (low + high);
      bool isLow = (findTurn(impact, middle, &along) > 0.0) == (turnLow > 0.0);
      low = isLow ? middle : low;
      high = isLow ? high : middle;
    }
    findTurn(impact, low, &along);
    best = along > bestAlong ? low : best;
    bestAlong = fmax(along, bestAlong);
  }
  return crMakeVec3(-impact->muK * crCos(best), -impact->muK * crSin(best), 1.0);
}

static Rates ratesAfterSliding(const crImpact* impact)
{
  crVec3 stick = stickingPush(impact);
  bool sticks = planarLength(stick) <= impact->muK;
  return findRates(impact, sticks ? stick : resumingPush(impact));
}

// p that is left of a straight course until v_z = 0, or until the work is `goal` with v_z > 0.
static double findCompression(const Rates* rates, const Course* at)
{
  return rates->v.z > 0.0 ? -at->v.z / rates->v.z : 0.0;
}

static double findRestitution(const Rates* rates, const Course* at, double goal)
{
  double a = 0.5 * rates->v.z, b = at->v.z, c = at->work - goal; // a h^2 + b h + c = 0, c <= 0
  double root = sqrt(fmax(0.0, b * b - 4.0 * a * c));
  return b + root > 0.0 ? -2.0 * c / (b + root) : 0.0;
}

static crVec3 finishStraight(const crImpact* impact, Course at, double compressionWork)
{
  Rates rates = ratesAfterSliding(impact);
  if (isnan(compressionWork)) { // still in compression
    at = goStraight(&rates, at, findCompression(&rates, &at));
    compressionWork = at.work;
  }
  double goal = compressionWork * (1.0 - impact->cor * impact->cor);
  return goStraight(&rates, at, findRestitution(&rates, &at, goal)).p;
}

// ------------------------------------------------------------------------------------------------ sliding

static crVec3 computeFrictionless(const crImpact* impact)
{
  return crMakeVec3(0.0, 0.0, -(1.0 + impact->cor) * impact->v.z / impact->W.cz.z);
}

typedef enum Ending { noEnd, endOfSliding, endOfCompression, endOfRestitution } Ending;

static Ending findEnding(const Course* after, double compressionWork, double cor)
{
  if (after->hasStopped) {
    return endOfSliding;
  }
  if (isnan(compressionWork)) {
    return after->v.z >= 0.0 ? endOfCompression : noEnd;
  }
  return after->work >= compressionWork * (1.0 - cor * cor) ? endOfRestitution : noEnd;
}

// The largest share of a step before which nothing ends.
static Course stopBefore(const crImpact* impact, Course at, double h, double compressionWork, Course* outBehind)
{
  double low = 0.0, high = h;
  for (int i = 0; i < CR_BISECTIONS; ++i) {
    double middle = 0.5 * (low + high);
    Course tried = slide(impact, at, middle);
    bool ends = findEnding(&tried, compressionWork, impact->cor) != noEnd;
    low = ends ? low : middle;
    high = ends ? middle : high;
  }
  *outBehind = slide(impact, at, high);
  return slide(impact, at, low);
}

// [N s] that changes the velocity by as much as it is: of compression, or of sliding where that is more. Friction can
// press a body that slides fast and approaches slowly deeper in (jamming), and takes many times the impulse of
// compression to stop it.
static double findScale(const crImpact* impact)
{
  double normal = -impact->v.z / impact->W.cz.z, W_tt = fmax(impact->W.cx.x, impact->W.cy.y);
  return W_tt > 0.0 ? fmax(normal, planarLength(impact->v) / W_tt) : normal;
}

// The largest step from here: `most` where sliding is straight.
static double findStep(const crImpact* impact, crVec3 v, double most)
{
  crVec3 rate = crMulMV(impact->W, slidingPush(impact, v));
  double speed = planarLength(v), size = planarLength(rate), across = (rate.y * v.x - rate.x * v.y) / speed;
  return fabs(across) > CR_STRAIGHT * size ? fmin(most, CR_IMPACT_SHARE * speed / size) : most;
}

static bool isSliding(const crImpact* impact, crVec3 v)
{
  return planarLength(v) > CR_STOPPED * crLength(impact->v);
}

crVec3 crComputeImpact(const crImpact* impact)
{
  Course at = { impact->v, 0.0, { 0.0, 0.0, 0.0 }, false };
  if (!(impact->v.z < 0.0)) {
    return at.p;
  }
  double compressionWork = NAN, most = findScale(impact) / CR_IMPACT_STEPS;
  if (!(impact->muK > 0.0)) {
    return computeFrictionless(impact);
  }
  for (int i = 0; i < CR_MAX_IMPACT_STEPS && isSliding(impact, at.v); ++i) {
    double h = findStep(impact, at.v, most);
    Course next = slide(impact, at, h), behind;
    Ending ending = findEnding(&next, compressionWork, impact->cor);
    if (ending == noEnd) {
      at = next;
      continue;
    }
    next = stopBefore(impact, at, h, compressionWork, &behind);
    ending = findEnding(&behind, compressionWork, impact->cor);
    bool hasMoved = next.p.z > at.p.z;
    at = next;
    if (ending == endOfRestitution) {
      return at.p;
    }
    if (ending == endOfSliding && !hasMoved) {
      break;
    }
    compressionWork = ending == endOfCompression ? at.work : compressionWork;
  }
  return finishStraight(impact, at, compressionWork);
}
