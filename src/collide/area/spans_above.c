#include "collide/area/spans_above.h"

#include <math.h>

#define CR_MOST_STEPS 60 // of one root
#define CR_ROOT_SHARE 1e-15
#define CR_TURN_SHARE 1e-9 // [-] of a step: where it is highest its height does not tell more

typedef struct Place {
  double t;
  crHeight h;
} Place;

static Place lookAt(crHeightAt heightAt, void* context, double t)
{
  return (Place){ t, heightAt(context, t) };
}

// Newton's method, and halving where it would leave what is known.
double crFindRootAbove(crHeightAt heightAt, void* context, double above, double below)
{
  double t = 0.5 * (above + below), least = CR_ROOT_SHARE * fmax(fabs(above), fabs(below));
  for (int i = 0; i < CR_MOST_STEPS && fabs(above - below) > least; ++i) {
    crHeight h = heightAt(context, t);
    *(h.f > 0.0 ? &above : &below) = t;
    double step = h.slope != 0.0 ? h.f / h.slope : HUGE_VAL, next = t - step;
    bool isBetween = (next - above) * (next - below) < 0.0;
    if (h.f == 0.0 || (isBetween && fabs(step) <= least)) {
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

// How high the function is, at most, if it is below its tangents.
static double boundBetween(const Place* p, const Place* q)
{
  double h = q->t - p->t, bend = p->h.slope - q->h.slope;
  double s = bend > 0.0 ? (q->h.f - p->h.f - q->h.slope * h) / bend : 0.0;
  return p->h.f + p->h.slope * fmin(fmax(s, 0.0), h);
}

typedef struct Walk {
  crHeightAt heightAt;
  void* context;
  crSpansAbove* out;
  bool isOpen;
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
  double root = crFindRootAbove(walk->heightAt, walk->context, above, below);
  if (p->h.f > 0.0) {
    end(walk, root, true);
  } else {
    begin(walk, root, true);
  }
}

static void step(Walk* walk, const Place* p, const Place* q, bool isWhole)
{
  bool isPeak = p->h.slope > 0.0 && q->h.slope < 0.0, isDip = p->h.slope < 0.0 && q->h.slope > 0.0;
  bool areAbove = p->h.f > 0.0 && q->h.f > 0.0;
  double bound = isPeak ? boundBetween(p, q) : 0.0;
  bool turns = (isPeak && (bound > 0.0 || (isWhole && bound > walk->out->most))) || (isDip && areAbove);
  if (turns) {
    Place turn = findTurn(walk->heightAt, walk->context, *p, *q);
    note(walk, &turn);
    cross(walk, p, &turn);
    if (isDip && turn.h.f > 0.0) {
      end(walk, turn.t, false);
      begin(walk, turn.t, false);
    }
    cross(walk, &turn, q);
  } else {
    cross(walk, p, q);
  }
  note(walk, q);
}

void crFindSpansAbove(crHeightAt heightAt, void* context, double a, double b, int steps, bool isWhole,
                      crSpansAbove* out)
{
  Walk walk = { heightAt, context, out, false };
  out->count = 0;
  out->most = -HUGE_VAL;
  out->at = a;
  Place p = lookAt(heightAt, context, a);
  note(&walk, &p);
  if (p.h.f > 0.0) {
    begin(&walk, a, false);
  }
  for (int i = 1; i <= steps; ++i) {
    Place q = lookAt(heightAt, context, i < steps ? a + (b - a) * i / steps : b);
    step(&walk, &p, &q, isWhole);
    p = q;
  }
  end(&walk, b, false);
}
