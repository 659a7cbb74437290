#include "collide/area/bernstein.h"

#include <math.h>

#define CR_MAX_HALVINGS 30
#define CR_MAX_NEWTON 60
#define CR_ROOT_WIDTH 1e-16 // [-] of the interval: where Newton's steps end

typedef struct Search {
  double noise;
  int count;
  double* roots;
} Search;

static void addRoot(Search* search, double x)
{
  if (search->count < CR_QUARTIC_ROOTS) {
    search->roots[search->count++] = x;
  }
}

static int signOf(double c, double noise)
{
  return c > noise ? 1 : c < -noise ? -1 : 0;
}

// Coefficients that are noise count for nothing.
static int countChanges(const double c[5], double noise)
{
  int last = 0, changes = 0;
  for (int i = 0; i < 5; ++i) {
    int sign = signOf(c[i], noise);
    changes += sign * last < 0;
    last = sign != 0 ? sign : last;
  }
  return changes;
}

static double evaluate(const double a[5], double x, double* outSlope)
{
  *outSlope = a[1] + x * (2.0 * a[2] + x * (3.0 * a[3] + x * (4.0 * a[4])));
  return a[0] + x * (a[1] + x * (a[2] + x * (a[3] + x * a[4])));
}

// The one root, by Newton's steps within a bracket.
static double polish(const double c[5])
{
  double a[5] = { c[0], 4.0 * (c[1] - c[0]), 6.0 * ((c[2] - c[1]) - (c[1] - c[0])),
                  4.0 * ((c[3] - c[0]) - 3.0 * (c[2] - c[1])),
                  (c[4] - c[3]) - 3.0 * (c[3] - c[2]) + 3.0 * (c[2] - c[1]) - (c[1] - c[0]) };
  int i0 = 0;
  while (c[i0 + 1] * c[0] > 0.0) {
    ++i0;
  }
  double low = 0.0, high = 1.0, x = 0.25 * (i0 + c[i0] / (c[i0] - c[i0 + 1])); // of the control polygon
  double rising = c[4] > c[0] ? 1.0 : -1.0;
  for (int i = 0; i < CR_MAX_NEWTON; ++i) {
    double slope, f = evaluate(a, x, &slope), step = f / slope;
    if (fabs(step) <= CR_ROOT_WIDTH || f == 0.0) {
      return x;
    }
    low = f * rising < 0.0 ? x : low;
    high = f * rising < 0.0 ? high : x;
    double next = x - step;
    if (!(next > low && next < high)) {
      next = 0.5 * (low + high);
    }
    if (next == x) {
      return x;
    }
    x = next;
  }
  return x;
}

static void searchIn(Search* search, const double c[5], double from, double to, int level)
{
  int changes = countChanges(c, search->noise);
  if (changes == 0) {
    return;
  }
  if (changes == 1 && c[0] * c[4] < 0.0) {
    addRoot(search, from + (to - from) * polish(c));
    return;
  }
  if (level == CR_MAX_HALVINGS) {
    addRoot(search, 0.5 * (from + to));
    return;
  }
  double left[5], right[5], b[5] = { c[0], c[1], c[2], c[3], c[4] };
  for (int k = 0; k < 5; ++k) {
    left[k] = b[0];
    right[4 - k] = b[4 - k];
    for (int i = 0; i < 4 - k; ++i) {
      b[i] = 0.5 * (b[i] + b[i + 1]);
    }
  }
  double middle = 0.5 * (from + to);
  searchIn(search, left, from, middle, level + 1);
  if (signOf(right[0], search->noise) == 0) {
    addRoot(search, middle);
  }
  searchIn(search, right, middle, to, level + 1);
}

int crFindQuarticRoots(const crQuartic* q, double noise, double outRoots[CR_QUARTIC_ROOTS])
{
  Search search = { noise, 0, outRoots };
  searchIn(&search, q->c, 0.0, 1.0, 0);
  return search.count;
}
