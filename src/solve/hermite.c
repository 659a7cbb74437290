// The value of the polynomial at s is y0 + sum of weights times (states less y0, or h times rates). The weights depend
// on s alone: the sum is exact for s, s^2, ..., s^m, m being the number of conditions, which are as many equations.
#include "solve/hermite.h"

#include <math.h>
#include <stddef.h>

crHermite crMakeHermite(const crPoint* from, const crPoint* to)
{
  crHermite hermite = { .t0 = from->t, .h = to->t - from->t, .y0 = from->y };
  crHermite_AddSlope(&hermite, 0.0, from->rates);
  crHermite_AddPoint(&hermite, to);
  return hermite;
}

void crHermite_AddPoint(crHermite* hermite, const crPoint* point)
{
  double s = (point->t - hermite->t0) / hermite->h;
  hermite->conditions[hermite->count++] = (crCondition){ s, false, point->y };
  crHermite_AddSlope(hermite, s, point->rates);
}

void crHermite_AddSlope(crHermite* hermite, double s, const double* rates)
{
  hermite->conditions[hermite->count++] = (crCondition){ s, true, rates };
}

// --------------------------------------------------------------------------------------------- weights

// Row k of the equations: what the conditions make of s^(k + 1); then two right sides, its value and slope at s.
typedef double Row[CR_MAX_CONDITIONS + 2];

static void fillRows(const crHermite* hermite, double s, Row* rows)
{
  int m = hermite->count;
  for (int j = 0; j <= m; ++j) {
    double at = j < m ? hermite->conditions[j].s : s, power = 1.0;
    for (int k = 0; k < m; ++k) {
      double slope = (k + 1) * power;
      power *= at;
      if (j < m) {
        rows[k][j] = hermite->conditions[j].isSlope ? slope : power;
      } else {
        rows[k][m] = power;
        rows[k][m + 1] = slope;
      }
    }
  }
}

static void pivot(Row* rows, int m, int k)
{
  int best = k;
  for (int i = k + 1; i < m; ++i) {
    best = fabs(rows[i][k]) > fabs(rows[best][k]) ? i : best;
  }
  for (int j = k; best != k && j < m + 2; ++j) {
    double kept = rows[k][j];
    rows[k][j] = rows[best][j];
    rows[best][j] = kept;
  }
}

// Gauss-Jordan elimination: the weights take the places of the right sides.
static void solve(Row* rows, int m)
{
  for (int k = 0; k < m; ++k) {
    pivot(rows, m, k);
    double inverse = 1.0 / rows[k][k];
    for (int j = k; j < m + 2; ++j) {
      rows[k][j] *= inverse;
    }
    for (int i = 0; i < m; ++i) {
      double factor = i != k ? rows[i][k] : 0.0;
      for (int j = k; j < m + 2 && factor != 0.0; ++j) {
        rows[i][j] -= factor * rows[k][j];
      }
    }
  }
}

// -------------------------------------------------------------------------------------------- combining

// out = y0 (0 for rates) + sum of weights times data, over `scale`
static void combine(const crHermite* hermite, const Row* rows, int side, int n, double* out)
{
  const crCondition* conditions = hermite->conditions;
  double weights[CR_MAX_CONDITIONS], scale = side == 0 ? 1.0 : 1.0 / hermite->h;
  for (int j = 0; j < hermite->count; ++j) {
    weights[j] = rows[j][hermite->count + side] * scale * (conditions[j].isSlope ? hermite->h : 1.0);
  }
  for (int i = 0; i < n; ++i) {
    double start = hermite->y0[i], sum = 0.0;
    for (int j = 0; j < hermite->count; ++j) {
      sum += weights[j] * (conditions[j].isSlope ? conditions[j].values[i] : conditions[j].values[i] - start);
    }
    out[i] = side == 0 ? start + sum : sum;
  }
}

void crHermite_Compute(const crHermite* hermite, int n, double t, double* outY, double* outRates)
{
  Row rows[CR_MAX_CONDITIONS] = { { 0.0 } };
  fillRows(hermite, (t - hermite->t0) / hermite->h, rows);
  solve(rows, hermite->count);
  combine(hermite, (const Row*)rows, 0, n, outY);
  if (outRates != NULL) {
    combine(hermite, (const Row*)rows, 1, n, outRates);
  }
}
