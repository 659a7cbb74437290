// Paths of balls over a step, and where they first meet something.
//
// A path is a polynomial of degree 5 in Bernstein form, from position, velocity and acceleration at both ends. It lies
// in the hull of its control points, which is what makes searches short; the two halves of a curve have control points
// again (de Casteljau), which is what makes them complete. Paths only locate: states at events come from steps taken
// anew.
#include "force.h"

#define DEGREE 5
#define DISTANCE_SLACK 1e-13 // [m] without it a pair that hugs the threshold is halved for ever
#define VALUE_SLACK 1e-14    // [m]
#define MAX_DEPTH 30         // of halving
#define MAX_VALUE_DEPTH 45

// The difference of two paths.
typedef struct Curve {
  double c[DEGREE + 1][3];
} Curve;

// ------------------------------------------------------------------------------------------------- paths

// Control points from both ends; h [s].
static inline void fit(const double p0, double v0, double a0, double p1, double v1, double a1, double h, double out[6])
{
  double h5 = h / 5, h20 = h * h / 20;
  out[0] = p0;
  out[1] = p0 + h5 * v0;
  out[2] = p0 + 2 * h5 * v0 + h20 * a0;
  out[3] = p1 - 2 * h5 * v1 + h20 * a1;
  out[4] = p1 - h5 * v1;
  out[5] = p1;
}

void setPath(Ball* ball, double h, const double startAcceleration[3], const double endAcceleration[3])
{
  for (int k = 0; k < 3; k++) {
    double c[6];
    fit(ball->start[k], ball->start[3 + k], startAcceleration[k], ball->end[k], ball->end[3 + k], endAcceleration[k], h,
        c);
    double low = c[0], high = c[0];
    for (int i = 0; i <= DEGREE; i++) {
      ball->control[i][k] = c[i];
      low = c[i] < low ? c[i] : low;
      high = c[i] > high ? c[i] : high;
    }
    ball->low[k] = low;
    ball->high[k] = high;
  }
}

void setPoint(Ball* ball)
{
  for (int i = 0; i <= DEGREE; i++) {
    memcpy(ball->control[i], ball->end, sizeof ball->control[i]);
  }
  memcpy(ball->low, ball->end, sizeof ball->low);
  memcpy(ball->high, ball->end, sizeof ball->high);
}

void readPath(const Ball* ball, double length, double s, double p[3], double v[3], double a[3])
{
  if (length <= 0) {
    memcpy(p, ball->control[DEGREE], 3 * sizeof *p);
    memcpy(v, ball->end + 3, 3 * sizeof *v);
    memset(a, 0, 3 * sizeof *a);
    return;
  }
  double u = 1 - s, perLength = 1 / length;
  for (int k = 0; k < 3; k++) {
    const double(*c)[3] = ball->control; // de Casteljau, written out: this is where searches spend their time
    double d0 = c[0][k], d1 = c[1][k], d2 = c[2][k], d3 = c[3][k], d4 = c[4][k], d5 = c[5][k];
    d0 = u * d0 + s * d1, d1 = u * d1 + s * d2, d2 = u * d2 + s * d3, d3 = u * d3 + s * d4, d4 = u * d4 + s * d5;
    d0 = u * d0 + s * d1, d1 = u * d1 + s * d2, d2 = u * d2 + s * d3, d3 = u * d3 + s * d4;
    d0 = u * d0 + s * d1, d1 = u * d1 + s * d2, d2 = u * d2 + s * d3;
    a[k] = 20 * (d2 - 2 * d1 + d0) * perLength * perLength;
    d0 = u * d0 + s * d1, d1 = u * d1 + s * d2;
    v[k] = 5 * (d1 - d0) * perLength;
    p[k] = u * d0 + s * d1;
  }
}

// q1 = exp(Omega) q0, Omega by the fourth-order expansion of Magnus: half the integral of w, and a commutator.
void turnBall(Ball* ball, double h, const double angle[3])
{
  const double *w0 = ball->start + 6, *w1 = ball->end + 6, *q = ball->startTurn;
  double f = h * h / 24, o[3] = { 0.5 * angle[0] - f * (w0[1] * w1[2] - w0[2] * w1[1]),
                                  0.5 * angle[1] - f * (w0[2] * w1[0] - w0[0] * w1[2]),
                                  0.5 * angle[2] - f * (w0[0] * w1[1] - w0[1] * w1[0]) };
  double square = o[0] * o[0] + o[1] * o[1] + o[2] * o[2], cosine, sine; // sine: divided by the angle
  if (square < 1e-4) {
    cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30));
    sine = 1 - square / 6 * (1 - square / 20 * (1 - square / 42));
  } else {
    double n = sqrt(square);
    cosine = cos(n);
    sine = sin(n) / n;
  }
  double x = sine * o[0], y = sine * o[1], z = sine * o[2];
  ball->endTurn[0] = cosine * q[0] - x * q[1] - y * q[2] - z * q[3];
  ball->endTurn[1] = cosine * q[1] + x * q[0] + y * q[3] - z * q[2];
  ball->endTurn[2] = cosine * q[2] + y * q[0] + z * q[1] - x * q[3];
  ball->endTurn[3] = cosine * q[3] + z * q[0] + x * q[2] - y * q[1];
}

// ------------------------------------------------------------------------------------------------ planes

static double findValue(const double c[6], double threshold, int depth)
{
  double least = c[0];
  for (int i = 1; i <= DEGREE; i++) {
    least = c[i] < least ? c[i] : least;
  }
  if (least > threshold - VALUE_SLACK) {
    return 2;
  }
  if (c[0] <= threshold) {
    return 0;
  }
  if (depth > MAX_VALUE_DEPTH) {
    return c[DEGREE] <= threshold ? 1 : 2;
  }
  double t[6], left[6], right[6];
  memcpy(t, c, sizeof t);
  left[0] = t[0];
  right[DEGREE] = t[DEGREE];
  for (int m = 1; m <= DEGREE; m++) {
    for (int i = 0; i <= DEGREE - m; i++) {
      t[i] = 0.5 * (t[i] + t[i + 1]);
    }
    left[m] = t[0];
    right[DEGREE - m] = t[DEGREE - m];
  }
  double s = findValue(left, threshold, depth + 1);
  if (s <= 1) {
    return 0.5 * s;
  }
  s = findValue(right, threshold, depth + 1);
  return s <= 1 ? 0.5 + 0.5 * s : 2;
}

double findPlaneHit(const double values[6], double threshold)
{
  return findValue(values, threshold, 0);
}

// ------------------------------------------------------------------------------------------------- balls

static inline double dot(const double* a, const double* b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void halve(const Curve* curve, Curve* left, Curve* right)
{
  double t[DEGREE + 1][3];
  memcpy(t, curve->c, sizeof t);
  memcpy(left->c[0], t[0], sizeof t[0]);
  memcpy(right->c[DEGREE], t[DEGREE], sizeof t[0]);
  for (int m = 1; m <= DEGREE; m++) {
    for (int i = 0; i <= DEGREE - m; i++) {
      for (int k = 0; k < 3; k++) {
        t[i][k] = 0.5 * (t[i][k] + t[i + 1][k]);
      }
    }
    memcpy(left->c[m], t[0], sizeof t[0]);
    memcpy(right->c[DEGREE - m], t[DEGREE - m], sizeof t[0]);
  }
}

static double distanceAt(const Curve* curve, double s)
{
  double u = 1 - s, u2 = u * u, s2 = s * s, square = 0;
  double w[6] = { u2 * u2 * u, 5 * u2 * u2 * s, 10 * u2 * u * s2, 10 * u2 * s2 * s, 5 * u * s2 * s2, s2 * s2 * s };
  for (int k = 0; k < 3; k++) {
    double p = 0;
    for (int i = 0; i <= DEGREE; i++) {
      p += w[i] * curve->c[i][k];
    }
    square += p * p;
  }
  return sqrt(square);
}

// The one root between both ends, by regula falsi with halved weights (Illinois).
static double closeIn(const Curve* curve, double distance)
{
  double a = 0, b = 1, fa = sqrt(dot(curve->c[0], curve->c[0])) - distance;
  double fb = sqrt(dot(curve->c[DEGREE], curve->c[DEGREE])) - distance;
  int side = 0;
  for (int k = 0; k < 60 && b - a > 1e-14; k++) {
    double s = (fa * b - fb * a) / (fa - fb);
    s = s > a && s < b ? s : 0.5 * (a + b);
    double f = distanceAt(curve, s) - distance;
    if (f > 0) {
      a = s;
      fa = f;
      fb *= side == 1 ? 0.5 : 1;
      side = 1;
    } else {
      b = s;
      fb = f;
      fa *= side == -1 ? 0.5 : 1;
      side = -1;
      if (f > -1e-15) {
        break;
      }
    }
  }
  return b;
}

// First s at which the curve comes within the distance of the origin, or 2. Seen along the mean direction n of its
// ends, a curve whose control points all are farther away than the distance stays away.
static double findHit(const Curve* curve, double distance, int depth)
{
  const double *first = curve->c[0], *last = curve->c[DEGREE];
  double n[3] = { first[0] + last[0], first[1] + last[1], first[2] + last[2] }, along[DEGREE + 1], least = HUGE_VAL;
  for (int i = 0; i <= DEGREE; i++) {
    along[i] = dot(n, curve->c[i]);
    least = along[i] < least ? along[i] : least;
  }
  if (least > (distance - DISTANCE_SLACK) * sqrt(dot(n, n))) {
    return 2;
  }
  if (dot(first, first) <= distance * distance) {
    return 0;
  }
  if (dot(last, last) <= distance * distance) {
    bool isFalling = true;
    for (int i = 0; i < DEGREE; i++) {
      isFalling = isFalling && along[i + 1] <= along[i];
    }
    if (isFalling || depth > MAX_DEPTH) {
      return closeIn(curve, distance);
    }
  } else if (depth > MAX_DEPTH) {
    return 2;
  }
  Curve left, right;
  halve(curve, &left, &right);
  double s = findHit(&left, distance, depth + 1);
  if (s <= 1) {
    return 0.5 * s;
  }
  s = findHit(&right, distance, depth + 1);
  return s <= 1 ? 0.5 + 0.5 * s : 2;
}

static void readSegment(const Ball* ball, const Island* island, double t, double p[3], double v[3], double a[3])
{
  double length = island->to - island->from;
  readPath(ball, length, length > 0 ? (t - island->from) / length : 1, p, v, a);
}

double findBallHit(World* world, const Ball* a, const Island* ofA, const Ball* b, const Island* ofB, double from,
                   double to)
{
  double p[2][3], v[2][3], g[2][3], q[2][3], w[2][3], r[2][3], length = to - from;
  Curve curve;
  world->counts.pairTests++;
  readSegment(a, ofA, from, p[0], v[0], g[0]);
  readSegment(b, ofB, from, q[0], w[0], r[0]);
  if (length <= 0) {
    return pairGap(p[0], q[0]) <= -CONTACT_DEPTH ? from : HUGE_VAL;
  }
  readSegment(a, ofA, to, p[1], v[1], g[1]);
  readSegment(b, ofB, to, q[1], w[1], r[1]);
  for (int k = 0; k < 3; k++) {
    double c[6];
    fit(q[0][k] - p[0][k], w[0][k] - v[0][k], r[0][k] - g[0][k], q[1][k] - p[1][k], w[1][k] - v[1][k],
        r[1][k] - g[1][k], length, c);
    for (int i = 0; i <= DEGREE; i++) {
      curve.c[i][k] = c[i];
    }
  }
  double s = findHit(&curve, 2 * RADIUS - CONTACT_DEPTH, 0);
  return s <= 1 ? from + s * length : HUGE_VAL;
}
