// Paths and splines, part of signals: motions from way point to way point.
//
// A leg of length D takes the least time when one of its derivatives is at its limit at any time: jerk j for t_j, then
// acceleration a for t_a, then -j for t_j, velocity v for t_v, and all of it backwards, in a time 2 (2 t_j + t_a) +
// t_v.
//
//   v and a are reached:    t_j = a / j,           t_a = v / a - t_j,   t_v = D / v - (2 t_j + t_a)
//   v, not a (v j < a^2):   t_j = sqrt(v / j),     t_a = 0,             t_v likewise
//   a, not v:               t_j = a / j,           t_a = (sqrt(t_j^2 + 4 D / a) - 3 t_j) / 2,   t_v = 0
//   neither:                t_j = cbrt(D / 2 j),   t_a = t_v = 0
//
// Without a limit of the jerk t_j = 0. Paths that are synchronized stretch the time of a leg, so that all take as long
// as the slowest: by k, with v / k, a / k^2, j / k^3.
//
// A spline through points x_i has second derivatives that are zero at its ends, so that it goes on straight with two
// continuous derivatives. Its slopes m solve, with h and d the lengths and slopes of the intervals,
//
//   m_i-1 / h_i-1 + 2 (1 / h_i-1 + 1 / h_i) m_i + m_i+1 / h_i = 3 (d_i-1 / h_i-1 + d_i / h_i)
//   2 m_0 + m_1 = 3 d_0,   m_n-1 + 2 m_n = 3 d_n-1
#include "base/elementary.h"
#include "model/compile/compile.h"

typedef struct Leg {
  double jerk, acceleration; // [1/s^3], [1/s^2] magnitudes; jerk 0: not limited
  double tj, ta, tv;         // [s]
} Leg;

static double durationOf(const Leg* leg)
{
  return 2.0 * (2.0 * leg->tj + leg->ta) + leg->tv;
}

static Leg makeLeg(const crSignalDef* def, double way)
{
  double v = def->as.path.maxVelocity, a = def->as.path.maxAcceleration, j = def->as.path.maxJerk;
  Leg leg = { .jerk = j, .acceleration = a };
  if (way == 0.0) {
    return leg;
  }
  if (j == 0.0) {
    leg.ta = fmin(v / a, sqrt(way / a));
    leg.tv = fmax(0.0, way / (a * leg.ta) - leg.ta);
    return leg;
  }
  bool reachesA = v * j >= a * a;
  leg.tj = reachesA ? a / j : sqrt(v / j);
  leg.ta = reachesA ? v / a - leg.tj : 0.0;
  leg.tv = way / v - (2.0 * leg.tj + leg.ta);
  if (leg.tv < 0.0) { // the velocity stays below its limit
    leg.tv = 0.0;
    leg.tj = a / j;
    leg.ta = 0.5 * (sqrt(leg.tj * leg.tj + 4.0 * way / a) - 3.0 * leg.tj);
    if (leg.ta < 0.0) {
      leg.ta = 0.0;
      leg.tj = crCbrt(0.5 * way / j);
    }
  }
  return leg;
}

static double wayOf(const crSignalDef* def, int leg)
{
  return fabs(def->as.path.values[leg] - def->as.path.values[leg - 1]);
}

// -------------------------------------------------------------------------------------- synchronization

static int findRoot(int* groups, int signal)
{
  while (groups[signal] != signal) {
    signal = groups[signal] = groups[groups[signal]];
  }
  return signal;
}

static void joinPaths(crCompilation* c, int index, const char* name)
{
  const crSignalDef* def = c->signalDefs[index];
  crAddress address = { def->source, def->name };
  int other = crResolveElement(c, cr_elementSignal, address, "a path to be synchronized with", name);
  if (other < 0) {
    return;
  }
  const crSignalDef* with = c->signalDefs[other];
  if (with->kind != cr_signalPath) {
    crCompilation_Report(c, cr_severityError, address, NULL, "paths are synchronized with paths: '%s' is a %s", name,
                         crSignalKind_GetText(with->kind));
  } else if (with->as.path.valueCount != def->as.path.valueCount || with->as.path.start != def->as.path.start) {
    crComplaint rest = { .found = name, .allowed = "a path with as many values, and the same start" };
    crCompilation_Report(c, cr_severityError, address, &rest, "the paths cannot be synchronized");
  } else {
    int a = findRoot(c->pathGroups, index), b = findRoot(c->pathGroups, other);
    c->pathGroups[a > b ? a : b] = a < b ? a : b;
  }
}

crStatus crGroupPaths(crCompilation* c)
{
  if (!crNew(c, c->pathGroups, c->signalCount)) {
    return cr_errorMemory;
  }
  for (int i = 0; i < c->signalCount; ++i) {
    c->pathGroups[i] = i;
  }
  for (int i = 0; i < c->signalCount; ++i) {
    const crSignalDef* def = c->signalDefs[i];
    for (int k = 0; def->kind == cr_signalPath && k < def->as.path.syncCount; ++k) {
      joinPaths(c, i, def->as.path.sync[k]);
    }
  }
  for (int i = 0; i < c->signalCount; ++i) {
    c->pathGroups[i] = findRoot(c->pathGroups, i);
  }
  return cr_ok;
}

// The time that the slowest path of a group needs for a leg.
static double findDuration(const crCompilation* c, int index, int leg)
{
  const crSignalDef* own = c->signalDefs[index];
  Leg made = makeLeg(own, wayOf(own, leg));
  double duration = durationOf(&made);
  for (int i = c->pathGroups[index]; i < c->signalCount; ++i) {
    if (c->pathGroups[i] == c->pathGroups[index] && c->signalDefs[i]->kind == cr_signalPath) {
      made = makeLeg(c->signalDefs[i], wayOf(c->signalDefs[i], leg));
      duration = fmax(duration, durationOf(&made));
    }
  }
  return duration;
}

// ------------------------------------------------------------------------------------------------ pieces

static void fillTrapezoid(crCompilation* c, const Leg* leg, double t, double from, double to, double k)
{
  double a = copysign(leg->acceleration, to - from) / (k * k), speeding = k * leg->ta, cruising = k * leg->tv;
  double part = 0.5 * a * speeding * speeding, v = a * speeding;
  crAddPiece(c, t, (double[4]){ from, 0.0, 0.5 * a, 0.0 });
  crAddPiece(c, t + speeding, (double[4]){ from + part, v, 0.0, 0.0 });
  crAddPiece(c, t + speeding + cruising, (double[4]){ to - part, v, -0.5 * a, 0.0 });
}

// The first half from the one end, and the second, which is the same backwards, from the other.
static void fillSmooth(crCompilation* c, const Leg* leg, double t, double from, double to, double k)
{
  double j = copysign(leg->jerk, to - from) / (k * k * k), tj = k * leg->tj, ta = k * leg->ta, tv = k * leg->tv;
  double a = j * tj, v1 = 0.5 * a * tj, v2 = v1 + a * ta, v3 = v2 + v1;
  double s1 = a * tj * tj / 6.0, s2 = s1 + v1 * ta + 0.5 * a * ta * ta, s3 = s2 + v2 * tj + a * tj * tj / 3.0;
  double t1 = t + tj, t2 = t1 + ta, t3 = t2 + tj, t4 = t3 + tv, t5 = t4 + tj, t6 = t5 + ta;
  crAddPiece(c, t, (double[4]){ from, 0.0, 0.0, j / 6.0 });
  crAddPiece(c, t1, (double[4]){ from + s1, v1, 0.5 * a, 0.0 });
  crAddPiece(c, t2, (double[4]){ from + s2, v2, 0.5 * a, -j / 6.0 });
  crAddPiece(c, t3, (double[4]){ from + s3, v3, 0.0, 0.0 });
  crAddPiece(c, t4, (double[4]){ to - s3, v3, 0.0, -j / 6.0 });
  crAddPiece(c, t5, (double[4]){ to - s2, v2, -0.5 * a, 0.0 });
  crAddPiece(c, t6, (double[4]){ to - s1, v1, -0.5 * a, j / 6.0 });
}

void crFillPath(crCompilation* c, int index)
{
  const crSignalDef* def = c->signalDefs[index];
  const double* values = def->as.path.values;
  double t = def->as.path.start;
  crAddPiece(c, 0.0, (double[4]){ values[0], 0.0, 0.0, 0.0 });
  for (int i = 1; i < def->as.path.valueCount; ++i) {
    double way = wayOf(def, i), duration = findDuration(c, index, i);
    Leg leg = makeLeg(def, way);
    if (way > 0.0) {
      double k = duration / durationOf(&leg);
      (leg.jerk > 0.0 ? fillSmooth : fillTrapezoid)(c, &leg, t, values[i - 1], values[i], k);
    }
    t += duration;
    if (way > 0.0) {
      crAddPiece(c, t, (double[4]){ values[i], 0.0, 0.0, 0.0 });
    }
  }
}

// ------------------------------------------------------------------------------------------------ spline

// Elimination from the left, substitution from the right; scratch: (count)
static void computeSlopes(const double* x, const double* y, int count, double* slopes, double* scratch)
{
  int last = count - 1;
  double first = (y[1] - y[0]) / (x[1] - x[0]), end = (y[last] - y[last - 1]) / (x[last] - x[last - 1]);
  scratch[0] = 0.5;
  slopes[0] = 1.5 * first;
  for (int i = 1; i < last; ++i) {
    double left = 1.0 / (x[i] - x[i - 1]), right = 1.0 / (x[i + 1] - x[i]);
    double known = 3.0 * ((y[i] - y[i - 1]) * left * left + (y[i + 1] - y[i]) * right * right);
    double pivot = 2.0 * (left + right) - left * scratch[i - 1];
    scratch[i] = right / pivot;
    slopes[i] = (known - left * slopes[i - 1]) / pivot;
  }
  slopes[last] = (3.0 * end - slopes[last - 1]) / (2.0 - scratch[last - 1]);
  for (int i = last - 1; i >= 0; --i) {
    slopes[i] -= scratch[i] * slopes[i + 1];
  }
}

bool crFillSpline(crCompilation* c, const crSignalDef* def)
{
  int count = def->as.spline.pointCount, last = count - 1;
  const double *x = def->as.spline.points, *y = def->as.spline.values;
  double *m, *scratch;
  if (!crNew(c, m, count) || !crNew(c, scratch, count)) {
    return false;
  }
  computeSlopes(x, y, count, m, scratch);
  crAddPiece(c, x[0], (double[4]){ y[0], m[0], 0.0, 0.0 });
  for (int i = 0; i < last; ++i) {
    double h = x[i + 1] - x[i], d = (y[i + 1] - y[i]) / h;
    crAddPiece(c, x[i],
               (double[4]){ y[i], m[i], (3.0 * d - 2.0 * m[i] - m[i + 1]) / h, (m[i] + m[i + 1] - 2.0 * d) / (h * h) });
  }
  crAddPiece(c, x[last], (double[4]){ y[last], m[last], 0.0, 0.0 });
  return true;
}
