// Segments: one step of a stepper, with its polynomial.
//
// Explicit steps, s = (t - t0) / h, with d = y1 - y0, b = h f0 - d, c = d - h f1 - b and one row r of the method
// [HairerNorsettWanner93] II.6: y = y0 + s (d + (1 - s) (b + s (c + (1 - s) r))), of order 4; r = 0 is the cubic
// through both ends and their rates. Implicit steps, s = (t - t1) / h, by three rows of divided differences
// [HairerWanner96] IV.8: y = y1 + s (k1 + (s - a) (k2 + (s - b) k3)), the collocation polynomial through the stages at
// b + 1 and a + 1.
//
// Spins are turned on the group, q = exp(W) q0, by the first two terms of Magnus' series [IserlesEtAl00]:
// W = 1/2 (integral of w) - h^2 / 24 (w0 x w1), of order 4 and exact where the axis stays. The integral is that of the
// polynomial of w. Long steps of fast turning bodies are cut into pieces for that, which costs no evaluation.
#include "solve/stepper_inside.h"

#include <math.h>
#include <string.h>

#define CR_SPIN_TOLERANCE 1e-7 // [rad] of a step, left to what the series leaves out
#define CR_SPIN_REST 720.0     // the next term of the series is about angle^2 |h^2 w0 x w1| / this
#define CR_MAX_SPIN_PIECES 64
#define CR_SMALL_ANGLE2 1e-4 // [rad^2] below which sine and cosine are summed up

size_t crSegment_CountDoubles(int n)
{
  return (size_t)(4 + CR_DENSE_ROWS) * (size_t)n;
}

void crSegment_Place(crSegment* segment, int n, double* memory)
{
  size_t count = (size_t)n;
  segment->n = n;
  segment->y0 = memory;
  segment->y1 = memory + count;
  segment->f0 = memory + 2 * count;
  segment->f1 = memory + 3 * count;
  segment->dense = memory + 4 * count;
}

// ------------------------------------------------------------------------------------------ polynomials

static void interpolateExplicit(const crSegment* segment, double t, int first, int count, double* outY)
{
  double h = segment->t1 - segment->t0, s = (t - segment->t0) / h, rest = 1.0 - s;
  for (int k = 0; k < count; ++k) {
    int i = first + k;
    double d = segment->y1[i] - segment->y0[i], b = h * segment->f0[i] - d, c = d - h * segment->f1[i] - b;
    outY[k] = segment->y0[i] + s * (d + rest * (b + s * (c + rest * segment->dense[i])));
  }
}

static void interpolateImplicit(const crSegment* segment, double t, int first, int count, double* outY)
{
  const double *k1 = segment->dense, *k2 = k1 + segment->n, *k3 = k2 + segment->n;
  double s = (t - segment->t1) / (segment->t1 - segment->t0);
  for (int k = 0; k < count; ++k) {
    int i = first + k;
    outY[k] = segment->y1[i] + s * (k1[i] + (s - CR_RADAU_A) * (k2[i] + (s - CR_RADAU_B) * k3[i]));
  }
}

void crSegment_Interpolate(const crSegment* segment, double t, int first, int count, double* outY)
{
  if (t == segment->t0 || t == segment->t1) {
    memcpy(outY, (t == segment->t1 ? segment->y1 : segment->y0) + first, (size_t)count * sizeof *outY);
  } else if (segment->kind == cr_stepRadau5) {
    interpolateImplicit(segment, t, first, count, outY);
  } else {
    interpolateExplicit(segment, t, first, count, outY);
  }
}

static void differentiateExplicit(const crSegment* segment, double t, int first, int count, double* outRates)
{
  double h = segment->t1 - segment->t0, s = (t - segment->t0) / h, inverse = 1.0 / h;
  double ofB = 1.0 - 2.0 * s, ofC = s * (2.0 - 3.0 * s), ofR = 2.0 * s * (1.0 - s) * ofB;
  for (int k = 0; k < count; ++k) {
    int i = first + k;
    double d = segment->y1[i] - segment->y0[i], b = h * segment->f0[i] - d, c = d - h * segment->f1[i] - b;
    outRates[k] = inverse * (d + ofB * b + ofC * c + ofR * segment->dense[i]);
  }
}

static void differentiateImplicit(const crSegment* segment, double t, int first, int count, double* outRates)
{
  const double *k1 = segment->dense, *k2 = k1 + segment->n, *k3 = k2 + segment->n;
  double h = segment->t1 - segment->t0, s = (t - segment->t1) / h, inverse = 1.0 / h;
  double of2 = 2.0 * s - CR_RADAU_A, of3 = s * (3.0 * s - 2.0 * (CR_RADAU_A + CR_RADAU_B)) + CR_RADAU_A * CR_RADAU_B;
  for (int k = 0; k < count; ++k) {
    int i = first + k;
    outRates[k] = inverse * (k1[i] + of2 * k2[i] + of3 * k3[i]);
  }
}

void crSegment_InterpolateRates(const crSegment* segment, double t, int first, int count, double* outRates)
{
  (segment->kind == cr_stepRadau5 ? differentiateImplicit : differentiateExplicit)(segment, t, first, count, outRates);
}

void crSegment_SetCubic(crSegment* segment, int state)
{
  double* dense = segment->dense + state;
  if (segment->kind == cr_stepDopri5) {
    dense[0] = 0.0;
    return;
  }
  // y1 + h f1 s + square s^2 + cube s^3, as divided differences
  int n = segment->n;
  double h = segment->t1 - segment->t0, d = segment->y0[state] - segment->y1[state], end = h * segment->f1[state];
  double cube = h * segment->f0[state] + end + 2.0 * d, square = cube + d + end;
  double second = square + (CR_RADAU_A + CR_RADAU_B) * cube;
  dense[0] = end + CR_RADAU_A * second - CR_RADAU_A * CR_RADAU_B * cube;
  dense[n] = second;
  dense[2 * n] = cube;
}

// ------------------------------------------------------------------------------------------------ spins

// w over the step, in powers of s = (t - t0) / h.
typedef struct Turning {
  double h;
  double powers[5][3];
} Turning;

static Turning makeTurning(const crSegment* segment, int rate)
{
  Turning turning = { .h = segment->t1 - segment->t0 };
  double h = turning.h;
  int n = segment->n;
  for (int k = 0; k < 3; ++k) {
    int i = rate + k;
    const double* dense = segment->dense + i;
    turning.powers[0][k] = segment->y0[i];
    if (segment->kind == cr_stepRadau5) {
      double k2 = dense[n], k3 = dense[2 * n], square = k2 - (CR_RADAU_A + CR_RADAU_B) * k3;
      double slope = dense[0] - CR_RADAU_A * k2 + CR_RADAU_A * CR_RADAU_B * k3;
      turning.powers[1][k] = slope - 2.0 * square + 3.0 * k3;
      turning.powers[2][k] = square - 3.0 * k3;
      turning.powers[3][k] = k3;
    } else {
      double d = segment->y1[i] - segment->y0[i], b = h * segment->f0[i] - d, c = d - h * segment->f1[i] - b;
      turning.powers[1][k] = d + b;
      turning.powers[2][k] = c - b + dense[0];
      turning.powers[3][k] = -c - 2.0 * dense[0];
      turning.powers[4][k] = dense[0];
    }
  }
  return turning;
}

// w at s, and its integral over time from the start.
static void evalTurning(const Turning* turning, double s, double* outRate, double* outIntegral)
{
  for (int k = 0; k < 3; ++k) {
    double c0 = turning->powers[0][k], c1 = turning->powers[1][k], c2 = turning->powers[2][k];
    double c3 = turning->powers[3][k], c4 = turning->powers[4][k];
    outRate[k] = c0 + s * (c1 + s * (c2 + s * (c3 + s * c4)));
    outIntegral[k] = turning->h * s * (c0 + s * (c1 / 2.0 + s * (c2 / 3.0 + s * (c3 / 4.0 + s * c4 / 5.0))));
  }
}

static void cross(const double* a, const double* b, double* out)
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// q = exp(half) q
static void turn(const double* half, double* q)
{
  double square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2], c, s;
  if (square < CR_SMALL_ANGLE2) {
    c = 1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0));
    s = 1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0));
  } else {
    double angle = sqrt(square);
    c = cos(angle);
    s = sin(angle) / angle;
  }
  double x = s * half[0], y = s * half[1], z = s * half[2], q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
  q[0] = c * q0 - x * q1 - y * q2 - z * q3;
  q[1] = c * q1 + x * q0 + y * q3 - z * q2;
  q[2] = c * q2 + y * q0 + z * q1 - x * q3;
  q[3] = c * q3 + z * q0 + x * q2 - y * q1;
}

// Pieces that make what the series leaves out small.
static int countPieces(const double* angle, const double* bend, double h)
{
  double square = angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2];
  double size = h * h * sqrt(bend[0] * bend[0] + bend[1] * bend[1] + bend[2] * bend[2]);
  double rest = square * size / (CR_SPIN_REST * CR_SPIN_TOLERANCE); // falls with the fourth power of the pieces
  return rest <= 1.0 ? 1 : (int)fmin(ceil(sqrt(sqrt(rest))), CR_MAX_SPIN_PIECES);
}

// Turns q from the start of the step to s.
static void turnAlong(const Turning* turning, double s, double* q)
{
  double rate0[3], rate1[3], before[3], after[3], bend[3], half[3];
  memcpy(rate0, turning->powers[0], sizeof rate0);
  memset(before, 0, sizeof before);
  evalTurning(turning, s, rate1, after);
  cross(rate0, rate1, bend);
  int count = countPieces(after, bend, turning->h * s);
  for (int piece = 1; piece <= count; ++piece) {
    if (count > 1) {
      evalTurning(turning, s * piece / count, rate1, after);
      cross(rate0, rate1, bend);
    }
    double length = turning->h * s / count, factor = length * length / 24.0;
    for (int k = 0; k < 3; ++k) {
      half[k] = 0.5 * (after[k] - before[k]) - factor * bend[k];
    }
    turn(half, q);
    memcpy(rate0, rate1, sizeof rate0);
    memcpy(before, after, sizeof before);
  }
}

void crSegment_InterpolateSpin(const crSegment* segment, crSpin spin, double t, double* outQuaternion)
{
  bool isEnd = t == segment->t1;
  memcpy(outQuaternion, (isEnd ? segment->y1 : segment->y0) + spin.quaternion, 4 * sizeof *outQuaternion);
  if (!isEnd && t != segment->t0) {
    Turning turning = makeTurning(segment, spin.rate);
    turnAlong(&turning, (t - segment->t0) / turning.h, outQuaternion);
  }
}

// q' = 1/2 (0, w) q
static void computeQuaternionRates(const double* w, const double* q, double* out)
{
  out[0] = 0.5 * (-w[0] * q[1] - w[1] * q[2] - w[2] * q[3]);
  out[1] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
  out[2] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
  out[3] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
}

void crSegment_FinishSpins(crSegment* segment, const crStructure* structure)
{
  for (int i = 0; i < structure->spinCount; ++i) {
    crSpin spin = structure->spins[i];
    double* q = segment->y1 + spin.quaternion;
    Turning turning = makeTurning(segment, spin.rate);
    memcpy(q, segment->y0 + spin.quaternion, 4 * sizeof *q);
    turnAlong(&turning, 1.0, q);
    computeQuaternionRates(segment->y1 + spin.rate, q, segment->f1 + spin.quaternion);
    for (int k = 0; k < 4; ++k) {
      crSegment_SetCubic(segment, spin.quaternion + k);
    }
  }
}
