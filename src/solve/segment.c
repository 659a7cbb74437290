// Segments: one step of a stepper, with its polynomial.
//
// Explicit steps, s = (t - t0) / h, with d = y1 - y0, b = h f0 - d, c = d - h f1 - b and one row r of the method
// [HairerNorsettWanner93] II.6: y = y0 + s (d + (1 - s) (b + s (c + (1 - s) r))), of order 4; r = 0 is the cubic
// through both ends and their rates; dop853 has r = r0 + s (r1 + (1 - s) (r2 + s r3)) instead, of order 7. Implicit
// steps, s = (t - t1) / h, by three rows of divided differences [HairerWanner96] IV.8: y = y1 + s (k1 + (s - a) (k2 +
// (s - b) k3)), the collocation polynomial through the stages at b + 1 and a + 1.
//
// The polynomials of dopri5 and radau5 are of lower order than their steps. Together with the step before, the
// polynomial of degree 5 through states and rates at three ends of steps has the error of the steps, where these ends
// lie at useful distances. A stiff step that starts with a transient has rates there that say nothing about the step.
#include "solve/stepper_inside.h"

#include <math.h>
#include <string.h>

#define CR_MIN_DISTANCE 0.2     // steps that the third end must be away to tell anything,
#define CR_MAX_DISTANCE 4.0     // and may be away before the polynomial is worse than the step's own
#define CR_TRANSIENT_LIMIT 10.0 // [tolerance of implicit steps] of what the rates at the start are off the polynomial
#define CR_ROUNDING_SHARE 0.5   // [-] of the rates of the polynomial, by which those at the ends may be off

size_t crSegment_CountDoubles(int n)
{
  return (size_t)(4 + CR_DENSE_ROWS) * (size_t)n;
}

static int countRows(crStepKind kind)
{
  return kind == cr_stepDop853 ? 4 : kind == cr_stepRadau5 ? 3 : 1;
}

size_t crSegment_CountUsed(const crSegment* segment)
{
  return (size_t)(4 + countRows(segment->kind)) * (size_t)segment->n;
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
  segment->isFlat = false;
}

void crSegment_Save(const crSegment* segment, double* out)
{
  size_t n = (size_t)segment->n, size = n * sizeof *out;
  memcpy(out, segment->y0, size);
  memcpy(out + n, segment->y1, size);
  memcpy(out + 2 * n, segment->f0, size);
  memcpy(out + 3 * n, segment->f1, size);
  memcpy(out + 4 * n, segment->dense, (size_t)countRows(segment->kind) * size);
}

void crSegment_Load(crSegment* segment, const double* saved)
{
  size_t n = (size_t)segment->n, size = n * sizeof *saved;
  memcpy(segment->y0, saved, size);
  memcpy(segment->y1, saved + n, size);
  memcpy(segment->f0, saved + 2 * n, size);
  memcpy(segment->f1, saved + 3 * n, size);
  memcpy(segment->dense, saved + 4 * n, (size_t)countRows(segment->kind) * size);
  segment->isFlat = false;
}

void crSegment_Advance(crSegment* segment)
{
  double *y = segment->y0, *f = segment->f0;
  segment->y0 = segment->y1;
  segment->f0 = segment->f1;
  segment->y1 = y;
  segment->f1 = f;
  segment->t0 = segment->t1;
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

static void interpolateHigh(const crSegment* segment, double t, int first, int count, double* outY)
{
  double h = segment->t1 - segment->t0, s = (t - segment->t0) / h, rest = 1.0 - s;
  const double *r0 = segment->dense, *r1 = r0 + segment->n, *r2 = r1 + segment->n, *r3 = r2 + segment->n;
  for (int k = 0; k < count; ++k) {
    int i = first + k;
    double d = segment->y1[i] - segment->y0[i], b = h * segment->f0[i] - d, c = d - h * segment->f1[i] - b;
    double r = r0[i] + s * (r1[i] + rest * (r2[i] + s * r3[i]));
    outY[k] = segment->y0[i] + s * (d + rest * (b + s * (c + rest * r)));
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
    (segment->kind == cr_stepDop853 ? interpolateHigh : interpolateExplicit)(segment, t, first, count, outY);
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

// With p = s (1 - s) the rows go with p^2, as above, p^2 s, p^3 and p^3 s.
static void differentiateHigh(const crSegment* segment, double t, int first, int count, double* outRates)
{
  double h = segment->t1 - segment->t0, s = (t - segment->t0) / h, p = s * (1.0 - s), slope = 1.0 - 2.0 * s;
  double of1 = p * (2.0 * s * slope + p), of2 = 3.0 * p * p * slope, of3 = p * p * (3.0 * s * slope + p);
  const double *r1 = segment->dense + segment->n + first, *r2 = r1 + segment->n, *r3 = r2 + segment->n;
  differentiateExplicit(segment, t, first, count, outRates);
  for (int k = 0; k < count; ++k) {
    outRates[k] += (of1 * r1[k] + of2 * r2[k] + of3 * r3[k]) / h;
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
  switch (segment->kind) {
    case cr_stepRadau5: differentiateImplicit(segment, t, first, count, outRates); break;
    case cr_stepDop853: differentiateHigh(segment, t, first, count, outRates); break;
    default: differentiateExplicit(segment, t, first, count, outRates);
  }
}

void crSegment_SetCubic(crSegment* segment, int state)
{
  double* dense = segment->dense + state;
  int n = segment->n;
  if (segment->kind != cr_stepRadau5) {
    for (int row = 0; row < countRows(segment->kind); ++row) {
      dense[(size_t)row * (size_t)n] = 0.0;
    }
    return;
  }
  // y1 + h f1 s + square s^2 + cube s^3, as divided differences
  double h = segment->t1 - segment->t0, d = segment->y0[state] - segment->y1[state], end = h * segment->f1[state];
  double cube = h * segment->f0[state] + end + 2.0 * d, square = cube + d + end;
  double second = square + (CR_RADAU_A + CR_RADAU_B) * cube;
  dense[0] = end + CR_RADAU_A * second - CR_RADAU_A * CR_RADAU_B * cube;
  dense[n] = second;
  dense[2 * (size_t)n] = cube;
}

// ------------------------------------------------------------------------------------------------ three ends

// Whether the rates at both ends of an implicit step belong to its solution. They are compared with the derivative of
// the step's polynomial: a transient is seen as in the error estimate before that is filtered; rounding, which a long
// step would multiply, by its size against all that changes.
static bool isTransient(const crSegment* segment, const double* absTol, double relTol)
{
  double h = segment->t1 - segment->t0, tol = crRadau5_FindTolerance(relTol), factor = tol / relTol;
  double transient = 0.0, errors = 0.0, changes = 0.0;
  for (int i = 0; i < segment->n; ++i) {
    double weight = h / (factor * absTol[i] + tol * fabs(segment->y0[i])), start, end;
    crSegment_InterpolateRates(segment, segment->t0, i, 1, &start);
    crSegment_InterpolateRates(segment, segment->t1, i, 1, &end);
    double e0 = weight * (segment->f0[i] - start), e1 = weight * (segment->f1[i] - end);
    transient += e0 * e0;
    errors += e0 * e0 + e1 * e1;
    changes += weight * weight * (start * start + end * end);
  }
  return !(transient <= CR_TRANSIENT_LIMIT * CR_TRANSIENT_LIMIT * segment->n &&
           errors <= CR_ROUNDING_SHARE * CR_ROUNDING_SHARE * changes);
}

bool crSegment_HasNeighbour(const crSegment* segment, const crSegment* before, const double* absTol, double relTol)
{
  double distance = (before->t1 - before->t0) / (segment->t1 - segment->t0);
  bool isNear = before->t1 == segment->t0 && distance >= CR_MIN_DISTANCE && distance <= CR_MAX_DISTANCE;
  bool isLow = segment->kind == cr_stepDopri5 || segment->kind == cr_stepRadau5;
  return isNear && isLow && segment->isDense &&
         !(segment->kind == cr_stepRadau5 && isTransient(segment, absTol, relTol));
}

// Newton's polynomial through state and rates at s = 0, 1 and -distance, each place twice. h times the rates are the
// differences of equal places.
void crSegment_InterpolateEnds(const crSegment* segment, const crSegment* before, double t, int first, int count,
                               double* outY)
{
  double h = segment->t1 - segment->t0, s = (t - segment->t0) / h, away = (before->t0 - segment->t0) / h;
  const double places[6] = { 0.0, 0.0, 1.0, 1.0, away, away };
  if (t == segment->t0 || t == segment->t1) {
    memcpy(outY, (t == segment->t1 ? segment->y1 : segment->y0) + first, (size_t)count * sizeof *outY);
    return;
  }
  for (int i = first; i < first + count; ++i) {
    double states[3] = { segment->y0[i], segment->y1[i], before->y0[i] };
    double rates[3] = { segment->f0[i], segment->f1[i], before->f0[i] }, c[6];
    for (int k = 0; k < 6; ++k) {
      c[k] = states[k / 2];
    }
    for (int order = 1; order < 6; ++order) {
      for (int k = 5; k >= order; --k) {
        double gap = places[k] - places[k - order];
        c[k] = gap == 0.0 ? h * rates[k / 2] : (c[k] - c[k - 1]) / gap;
      }
    }
    double value = c[5];
    for (int k = 4; k >= 0; --k) {
      value = value * (s - places[k]) + c[k];
    }
    outY[i - first] = value;
  }
}
