// Spins are turned on the group, q = exp(W) q0, by the first two terms of Magnus' series [IserlesEtAl00]:
// W = 1/2 (integral of w) - h^2 / 24 (w0 x w1), of order 4 and exact where the axis stays. The integral is that of the
// polynomial of w. Long steps of fast turning bodies are cut into pieces for that, which costs no evaluation.
#include "math/sin_cos.h"
#include "solve/stepper_inside.h"

#include <math.h>
#include <string.h>

#define CR_SPIN_TOLERANCE 1e-7   // [rad] of a step, left to what the series leaves out
#define CR_SPIN_TOLERANCE8 1e-13 // of dop853, which is there for tight tolerances
#define CR_SPIN_REST 720.0       // the next term of the series is about angle^2 |h^2 w0 x w1| / this
#define CR_MAX_SPIN_PIECES 64
#define CR_MAX_SPIN_PIECES8 512
#define CR_SMALL_ANGLE2 1e-3 // [rad^2] below which sine and cosine are summed up, up to 1e-16

// w over the step, in powers of s = (t - t0) / h.
typedef struct Turning {
  double h;
  bool isHigh; // of degree 7, else of degree 4
  crLanes powers[8];
} Turning;

static crLanes load(const double* a)
{
  return (crLanes){ a[0], a[1], a[2], 0.0 };
}

// The rows of dop853, all but the first, to the powers.
static void addRows(const double* dense, size_t n, crLanes* powers)
{
  crLanes r1 = load(dense + n), r2 = load(dense + 2 * n), r3 = load(dense + 3 * n);
  crLanes g1 = r1 + r2, g2 = r3 - r2;
  powers[3] += g1;
  powers[4] += g2 - 2.0 * g1;
  powers[5] = g1 - 2.0 * g2 - r3;
  powers[6] = g2 + 2.0 * r3;
  powers[7] = -r3;
}

static Turning makeTurning(const crSegment* segment, int rate)
{
  Turning turning;
  turning.h = segment->t1 - segment->t0;
  turning.isHigh = segment->kind == cr_stepDop853;
  size_t n = (size_t)segment->n;
  const double* dense = segment->dense + rate;
  crLanes start = load(segment->y0 + rate), end = load(segment->y1 + rate), row = load(dense);
  turning.powers[0] = start;
  if (segment->kind == cr_stepRadau5) {
    crLanes k2 = load(dense + n), k3 = load(dense + 2 * n), square = k2 - (CR_RADAU_A + CR_RADAU_B) * k3;
    turning.powers[1] = row - CR_RADAU_A * k2 + CR_RADAU_A * CR_RADAU_B * k3 - 2.0 * square + 3.0 * k3;
    turning.powers[2] = square - 3.0 * k3;
    turning.powers[3] = k3;
    turning.powers[4] = crZeroLanes();
  } else {
    crLanes d = end - start, slope = turning.h * load(segment->f0 + rate), b = slope - d;
    crLanes c = d - turning.h * load(segment->f1 + rate) - b;
    turning.powers[1] = slope;
    turning.powers[2] = c - b + row;
    turning.powers[3] = -c - 2.0 * row;
    turning.powers[4] = row;
  }
  if (turning.isHigh) {
    addRows(dense, n, turning.powers);
  }
  return turning;
}

// w at s, and its integral over time from the start.
static crLanes computeRate(const Turning* turning, double s)
{
  const crLanes* c = turning->powers;
  crLanes top = turning->isHigh ? c[4] + s * (c[5] + s * (c[6] + s * c[7])) : c[4];
  return c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * top)));
}

static crLanes integrate(const Turning* turning, double s)
{
  const crLanes* c = turning->powers;
  crLanes top = c[4] * (1.0 / 5);
  if (turning->isHigh) {
    top += s * (c[5] * (1.0 / 6) + s * (c[6] * (1.0 / 7) + s * (c[7] * (1.0 / 8))));
  }
  crLanes sum = c[0] + s * (c[1] * (1.0 / 2) + s * (c[2] * (1.0 / 3) + s * (c[3] * (1.0 / 4) + s * top)));
  return turning->h * s * sum;
}

// q = exp(half) q
static void turn(crLanes half, double* q)
{
  double square = crDotL(half, half), c, s;
  if (square < CR_SMALL_ANGLE2) {
    c = 1.0 - square * (1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40320))));
    s = 1.0 - square * (1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040 - square * (1.0 / 362880))));
  } else {
    double angle = sqrt(square);
    crSinCosSome(&angle, 1, &s, &c);
    s /= angle;
  }
  double x = s * half[0], y = s * half[1], z = s * half[2], q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
  q[0] = c * q0 - x * q1 - y * q2 - z * q3;
  q[1] = c * q1 + x * q0 + y * q3 - z * q2;
  q[2] = c * q2 + y * q0 + z * q1 - x * q3;
  q[3] = c * q3 + z * q0 + x * q2 - y * q1;
}

// Pieces that make what the series leaves out small: it falls with the fourth power of their number.
static int countPieces(crLanes angle, crLanes bend, double h, bool isHigh)
{
  double limit = CR_SPIN_REST * (isHigh ? CR_SPIN_TOLERANCE8 : CR_SPIN_TOLERANCE);
  double square = crDotL(angle, angle) * h * h;
  double rest2 = square * square * crDotL(bend, bend);
  if (rest2 <= limit * limit) {
    return 1;
  }
  double rest = sqrt(rest2) / limit;
  return (int)fmin(ceil(sqrt(sqrt(rest))), isHigh ? CR_MAX_SPIN_PIECES8 : CR_MAX_SPIN_PIECES);
}

// Turns q from the start of the step to s.
static void turnAlong(const Turning* turning, double s, double* q)
{
  crLanes rate = turning->powers[0], next = computeRate(turning, s), angle = integrate(turning, s);
  crLanes bend = crCrossL(rate, next), before = crZeroLanes();
  int count = countPieces(angle, bend, turning->h * s, turning->isHigh);
  double length = turning->h * s / count, factor = length * length / 24.0;
  for (int piece = 1; piece <= count; ++piece) {
    if (count > 1) {
      double place = s * piece / count;
      next = computeRate(turning, place);
      angle = integrate(turning, place);
      bend = crCrossL(rate, next);
    }
    turn(0.5 * (angle - before) - factor * bend, q);
    rate = next;
    before = angle;
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

static void finishSpin(crSegment* segment, crSpin spin)
{
  double q[4];
  Turning turning = makeTurning(segment, spin.rate);
  memcpy(q, segment->y0 + spin.quaternion, sizeof q);
  turnAlong(&turning, 1.0, q);
  memcpy(segment->y1 + spin.quaternion, q, sizeof q);
  computeQuaternionRates(segment->y1 + spin.rate, q, segment->f1 + spin.quaternion);
  for (int k = 0; k < 4; ++k) {
    crSegment_SetCubic(segment, spin.quaternion + k);
  }
}

// Four rows of four become columns, and back.
static inline void transpose(const crLanes r[4], crLanes out[4])
{
  crLanes ab0 = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), ab1 = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
  crLanes cd0 = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), cd1 = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
  out[0] = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  out[1] = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  out[2] = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  out[3] = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

static inline void gather(const double* from, const int places[4], crLanes out[4])
{
  crLanes rows[4];
  for (int l = 0; l < 4; ++l) {
    memcpy(&rows[l], from + places[l], sizeof rows[l]);
  }
  transpose(rows, out);
}

static inline void scatter(double* to, const int places[4], const crLanes columns[4])
{
  crLanes rows[4];
  transpose(columns, rows);
  for (int l = 0; l < 4; ++l) {
    memcpy(to + places[l], &rows[l], sizeof rows[l]);
  }
}

// Four spins of a step that has a cubic, a lane each: as turnAlong does in one piece, for small angles. false: not so.
static bool finishFour(crSegment* segment, const crSpin spins[4])
{
  // behind the state before, which a rate always has: a quaternion is not far
  int at[4] = { spins[0].rate - 1, spins[1].rate - 1, spins[2].rate - 1, spins[3].rate - 1 };
  int to[4] = { spins[0].quaternion, spins[1].quaternion, spins[2].quaternion, spins[3].quaternion };
  double h = segment->t1 - segment->t0;
  crLanes starts[4], ends[4], startRates[4], endRates[4], angle[3], half[3], q[4], p[4];
  gather(segment->y0, at, starts);
  gather(segment->y1, at, ends);
  gather(segment->f0, at, startRates);
  gather(segment->f1, at, endRates);
  const crLanes *w0 = starts + 1, *w = ends + 1;
  for (int i = 0; i < 3; ++i) {
    angle[i] = 0.5 * h * (w0[i] + w[i]) + h * h / 12.0 * (startRates[i + 1] - endRates[i + 1]);
  }
  crLanes bend[3] = { w0[1] * w[2] - w0[2] * w[1], w0[2] * w[0] - w0[0] * w[2], w0[0] * w[1] - w0[1] * w[0] };
  crLanes square = crZeroLanes(), turned = square, bent = square;
  for (int i = 0; i < 3; ++i) {
    half[i] = 0.5 * angle[i] - h * h / 24.0 * bend[i];
    square += half[i] * half[i];
    turned += angle[i] * angle[i];
    bent += bend[i] * bend[i];
  }
  double limit = CR_SPIN_REST * CR_SPIN_TOLERANCE;
  crLanes rest = h * h * turned * (h * h * turned) * bent; // square of what the series leaves out
  bool isSmall = true;
  for (int l = 0; l < 4; ++l) {
    isSmall = isSmall && square[l] < CR_SMALL_ANGLE2 && rest[l] <= limit * limit;
  }
  if (!isSmall) { // or no number
    return false;
  }
  crLanes c = 1.0 - square * (1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40320))));
  crLanes s = 1.0 - square * (1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040 - square * (1.0 / 362880))));
  crLanes x = s * half[0], y = s * half[1], z = s * half[2];
  gather(segment->y0, to, q);
  p[0] = c * q[0] - x * q[1] - y * q[2] - z * q[3];
  p[1] = c * q[1] + x * q[0] + y * q[3] - z * q[2];
  p[2] = c * q[2] + y * q[0] + z * q[1] - x * q[3];
  p[3] = c * q[3] + z * q[0] + x * q[2] - y * q[1];
  scatter(segment->y1, to, p);
  const crLanes rates[4] = { 0.5 * (-w[0] * p[1] - w[1] * p[2] - w[2] * p[3]),
                             0.5 * (w[0] * p[0] + w[1] * p[3] - w[2] * p[2]),
                             0.5 * (w[1] * p[0] + w[2] * p[1] - w[0] * p[3]),
                             0.5 * (w[2] * p[0] + w[0] * p[2] - w[1] * p[1]) };
  scatter(segment->f1, to, rates);
  return true;
}

static void finishSome(crSegment* segment, const crStructure* structure, int first, int end)
{
  int i = first;
  for (; segment->kind == cr_stepRkc2 && i + 4 <= end; i += 4) {
    if (!finishFour(segment, structure->spins + i)) {
      for (int l = 0; l < 4; ++l) {
        finishSpin(segment, structure->spins[i + l]);
      }
    }
  }
  for (; i < end; ++i) {
    finishSpin(segment, structure->spins[i]);
  }
}

typedef struct Spins {
  crSegment* segment;
  const crStructure* structure;
  const crCrew* crew;
} Spins;

static void finishPart(void* context, int part)
{
  const Spins* spins = context;
  int count = spins->structure->spinCount;
  finishSome(spins->segment, spins->structure, crCrew_FindPart(spins->crew, count, 4, part),
             crCrew_FindPart(spins->crew, count, 4, part + 1));
}

void crSegment_FinishSpins(crSegment* segment, const crStructure* structure, const crCrew* crew)
{
  Spins spins = { segment, structure, crew };
  crCrew_Run(crew, finishPart, &spins);
}
