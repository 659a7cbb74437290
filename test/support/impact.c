// Impacts behind impact.h.
#include "support/impact.h"

#include "support/test.h"

#include <math.h>

#define CR_MAX_IMPACT_STEPS 10000000

typedef struct Motion {
  long double x, v;
} Motion;

typedef struct Impact {
  crImpactForce force;
  const void* context;
  long double mass, load;
  double maxForce;
} Impact;

static Motion slope(Impact* impact, Motion y)
{
  double f = y.x > 0.0L ? impact->force(impact->context, (double)y.x, (double)y.v) : 0.0;
  impact->maxForce = fmax(impact->maxForce, f);
  Motion dy = { y.v, (impact->load - (long double)f) / impact->mass };
  return dy;
}

// y + h (a1 k1 + ... ); the fifth-order result, and the difference to the fourth-order one in outError.
static Motion step(Impact* impact, Motion y, long double h, Motion* outError)
{
  static const long double a[7][6] = {
    { 0 },
    { 1.0L / 5 },
    { 3.0L / 40, 9.0L / 40 },
    { 44.0L / 45, -56.0L / 15, 32.0L / 9 },
    { 19372.0L / 6561, -25360.0L / 2187, 64448.0L / 6561, -212.0L / 729 },
    { 9017.0L / 3168, -355.0L / 33, 46732.0L / 5247, 49.0L / 176, -5103.0L / 18656 },
    { 35.0L / 384, 0, 500.0L / 1113, 125.0L / 192, -2187.0L / 6784, 11.0L / 84 },
  };
  static const long double e[7] = {
    71.0L / 57600, 0, -71.0L / 16695, 71.0L / 1920, -17253.0L / 339200, 22.0L / 525, -1.0L / 40,
  };
  Motion k[7], last = y;
  outError->x = outError->v = 0.0L;
  for (int i = 0; i < 7; ++i) {
    last = y;
    for (int j = 0; j < i; ++j) {
      last.x += h * a[i][j] * k[j].x;
      last.v += h * a[i][j] * k[j].v;
    }
    k[i] = slope(impact, last);
    outError->x += h * e[i] * k[i].x;
    outError->v += h * e[i] * k[i].v;
  }
  return last;
}

// The time within the step at which the body leaves.
static long double findExit(Impact* impact, Motion y, long double h)
{
  long double low = 0.0L, high = h;
  Motion error;
  for (int i = 0; i < 70; ++i) {
    long double middle = 0.5L * (low + high);
    *(step(impact, y, middle, &error).x > 0.0L ? &low : &high) = middle;
  }
  return high;
}

crImpact crIntegrateImpact(crImpactForce force, const void* context, double mass, double load, double speed,
                           double time, double tol)
{
  Impact impact = { force, context, mass, load, 0.0 };
  Motion y = { 0.0L, speed }, error;
  long double t = 0.0L, h = 1e-6L * time, deepest = 0.0L;
  for (int i = 0; i < CR_MAX_IMPACT_STEPS; ++i) {
    Motion next = step(&impact, y, h, &error);
    long double size = fmaxl(fabsl(error.x) / (deepest + speed * h), fabsl(error.v) / speed);
    if (size <= tol) {
      if (next.x <= 0.0L) {
        h = findExit(&impact, y, h);
        next = step(&impact, y, h, &error);
        crImpact result = { (double)(t + h), (double)-next.v, (double)deepest, impact.maxForce };
        return result;
      }
      t += h;
      y = next;
      deepest = fmaxl(deepest, y.x);
    }
    h *= fminl(4.0L, fmaxl(0.2L, 0.9L * powl(tol / fmaxl(size, 1e-30L), 0.2L)));
  }
  fail_msg("a body with %g m/s stays inside", speed);
  crImpact none = { 0.0, 0.0, 0.0, 0.0 };
  return none;
}

double crComputeTrueCor(double u)
{
  // w exp(w) = z with w in (-1, 0), where it grows
  long double z = -(1.0L + u) * expl(-(1.0L + u)), low = -1.0L, high = 0.0L;
  for (int i = 0; i < 80; ++i) {
    long double w = 0.5L * (low + high);
    *(w * expl(w) < z ? &low : &high) = w;
  }
  return u > 0.0 ? (double)((1.0L + high) / (long double)u) : 1.0;
}
