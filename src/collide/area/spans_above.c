#include "collide/area/spans_above.h"

#include <math.h>

#define CR_MOST_LOOKS 1024 // over all of an interval
#define CR_LAST_LOOK 0.1   // [-] of the shortest step, which the last one is longer than
#define CR_MOST_STEPS 60   // of one root
#define CR_ROOT_SHARE 1e-15
#define CR_ROOT_STEP 1e-7  // [-] of the first bracket: Newton's last step, behind which the square of that is left
#define CR_TURN_SHARE 1e-9 // [-] of a step: where it is highest its height does not tell more
#define CR_LEVEL 1e-9      // [-] of a height, and
#define CR_ROUNDING 1e-15  // [-] of the largest difference of heights: peaks that are higher by less are none
#define CR_FLAT 0.9        // [-] of the lower one of its sides: a dip that is less deep parts nothing

typedef struct Place {
  double t;
  crHeight h;
} Place;

static Place lookAt(crHeightAt heightAt, void* context, double t)
{
  return (Place){ t, heightAt(context, t) };
}

// Newton's method, and halving where it would leave what is known.
double crFindRootAbove(crHeightAt heightAt, void* context, double above, double below, double guess)
{
  double t = guess, small = CR_ROOT_STEP * fabs(above - below), least = CR_ROOT_SHARE * fmax(fabs(above), fabs(below));
  for (int i = 0; i < CR_MOST_STEPS && fabs(above - below) > least; ++i) {
    crHeight h = heightAt(context, t);
    *(h.f > 0.0 ? &above : &below) = t;
    double step = h.slope != 0.0 ? h.f / h.slope : HUGE_VAL, next = t - step;
    bool isBetween = (next - above) * (next - below) < 0.0;
    if (h.f == 0.0 || (isBetween && fabs(step) <= small)) {
      return isBetween ? next : t;
    }
    t = isBetween ? next : 0.5 * (above + below);
  }
  return t;
}

// Where the slope changes its sign, by false position with halving (Illinois).
static Place findTurn(crHeightAt heightAt, void* context, Place p, Place q)
{
  double f = p.h.slope, g = q.h.slope, least = CR_TURN_SHARE * (q.t - p.t);
  int side = 0;
  Place best = fabs(f) < fabs(g) ? p : q;
  for (int i = 0; i < CR_MOST_STEPS && q.t - p.t > least && f != g; ++i) {
    double t = p.t - f * (q.t - p.t) / (g - f);
    best = lookAt(heightAt, context, t > p.t && t < q.t ? t : 0.5 * (p.t + q.t));
    if (best.h.slope == 0.0 || fabs(best.t - p.t) < least || fabs(q.t - best.t) < least) {
      return best;
    }
    if ((best.h.slope > 0.0) == (p.h.slope > 0.0)) {
      p = best;
      f = best.h.slope;
      g = side == 1 ? 0.5 * g : g;
      side = 1;
    } else {
      q = best;
      g = best.h.slope;
      f = side == -1 ? 0.5 * f : f;
      side = -1;
    }
  }
  return best;
}

// Where its tangents meet: how high the function is, at most, at a peak, and how low at a dip.
static double boundBetween(const Place* p, const Place* q)
{
  double h = q->t - p->t, bend = p->h.slope - q->h.slope;
  double s = bend != 0.0 ? (q->h.f - p->h.f - q->h.slope * h) / bend : 0.0;
  return p->h.f + p->h.slope * fmin(fmax(s, 0.0), h);
}

typedef struct Walk {
  crHeightAt heightAt;
  void* context;
  crSpansAbove* out;
  bool isOpen;
  double rounding;
} Walk;

static void note(Walk* walk, const Place* p)
{
  if (p->h.f > walk->out->most) {
    walk->out->most = p->h.f;
    walk->out->at = p->t;
  }
}

static void begin(Walk* walk, double t, bool isRoot)
{
  crSpansAbove* out = walk->out;
  walk->isOpen = out->count < CR_MOST_SPANS;
  if (walk->isOpen) {
    out->items[out->count] = (crSpan){ .a = t, .startsAtRoot = isRoot };
  }
}

static void end(Walk* walk, double t, bool isRoot)
{
  crSpansAbove* out = walk->out;
  if (walk->isOpen) {
    out->items[out->count].b = t;
    out->items[out->count].endsAtRoot = isRoot;
    out->count += t > out->items[out->count].a;
    walk->isOpen = false;
  }
}

// Between places where it has its sign at both, or turns.
static void cross(Walk* walk, const Place* p, const Place* q)
{
  if ((p->h.f > 0.0) == (q->h.f > 0.0)) {
    return;
  }
  double above = p->h.f > 0.0 ? p->t : q->t, below = p->h.f > 0.0 ? q->t : p->t;
  double guess = p->t + (q->t - p->t) * p->h.f / (p->h.f - q->h.f);
  double root = crFindRootAbove(walk->heightAt, walk->context, above, below, guess);
  if (p->h.f > 0.0) {
    end(walk, root, true);
  } else {
    begin(walk, root, true);
  }
}

static void step(Walk* walk, const Place* p, const Place* q, bool isWhole)
{
  bool isPeak = p->h.slope > 0.0 && q->h.slope < 0.0, isDip = p->h.slope < 0.0 && q->h.slope > 0.0;
  double most = fmax(p->h.f, q->h.f), least = fmin(p->h.f, q->h.f), bound = isPeak || isDip ? boundBetween(p, q) : 0.0;
  bool mayCross = most <= 0.0 && bound > 0.0, mayExceed = (isWhole || bound > 0.0) && bound > walk->out->most;
  bool isHigh = isPeak && bound - most > CR_LEVEL * fabs(most) + walk->rounding && (mayCross || mayExceed);
  bool turns = isHigh || (isDip && least > 0.0 && bound < CR_FLAT * least);
  if (turns) {
    Place turn = findTurn(walk->heightAt, walk->context, *p, *q);
    note(walk, &turn);
    cross(walk, p, &turn);
    if (isDip && turn.h.f > 0.0 && turn.h.f < CR_FLAT * least) {
      end(walk, turn.t, false);
      begin(walk, turn.t, false);
    }
    cross(walk, &turn, q);
  } else {
    cross(walk, p, q);
  }
  note(walk, q);
}

void crFindSpansAbove(crHeightAt heightAt, void* context, const crScan* scan, crSpansAbove* out)
{
  double rounding = CR_ROUNDING * scan->rate * (scan->b - scan->a);
  Walk walk = { heightAt, context, out, false, rounding };
  double most = (scan->b - scan->a) / scan->looks, least = (scan->b - scan->a) / CR_MOST_LOOKS;
  out->count = 0;
  out->most = -HUGE_VAL;
  out->at = scan->a;
  if (scan->isWhole) {
    Place hint = lookAt(heightAt, context, scan->hint);
    note(&walk, &hint);
  }
  Place p = lookAt(heightAt, context, scan->a);
  note(&walk, &p);
  if (p.h.f > 0.0) {
    begin(&walk, scan->a, false);
  }
  while (p.t < scan->b) {
    double ref = scan->isWhole ? fmin(out->most, 0.0) : 0.0, free = (ref - p.h.f) / scan->rate;
    double t = p.t + fmax(fmin(most, fmax(least, p.h.step)), free);
    Place q = lookAt(heightAt, context, t < scan->b - CR_LAST_LOOK * least ? t : scan->b);
    if (q.t - p.t <= free) {
      note(&walk, &q);
    } else {
      step(&walk, &p, &q, scan->isWhole);
    }
    p = q;
  }
  end(&walk, scan->b, false);
}
