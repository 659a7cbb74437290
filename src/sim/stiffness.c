// Power iteration on df/dy by differences, and the comparison with the step size.
#include "sim/stiffness.h"

#include <math.h>

#define CR_PROBE_ITERATIONS 3 // evaluations of f per probe, and one more
#define CR_PROBE_SIZE 1e-3    // [tolerances] of a difference: small against the curvature of f, far above rounding

bool crStiffnessTest_Init(crStiffnessTest* test, int n, double limit, const crAllocator* allocator)
{
  *test = (crStiffnessTest){ .n = n, .limit = limit };
  double** arrays[] = { &test->direction, &test->point, &test->rates, &test->moved };
  for (int i = 0; i < 4; ++i) {
    *arrays[i] = crAllocateZero(allocator, (size_t)n, sizeof(double));
    if (*arrays[i] == NULL) {
      crStiffnessTest_Free(test, allocator);
      return false;
    }
  }
  for (int i = 0; i < n; ++i) {
    test->direction[i] = i % 2 == 0 ? 1.0 : -0.5; // anything that is across no eigenvector by symmetry
  }
  return true;
}

void crStiffnessTest_Free(crStiffnessTest* test, const crAllocator* allocator)
{
  double* arrays[] = { test->direction, test->point, test->rates, test->moved };
  for (int i = 0; i < 4; ++i) {
    crFree(allocator, arrays[i], (size_t)test->n * sizeof(double));
  }
  *test = (crStiffnessTest){ 0 };
}

// One step: direction becomes J direction, normalized; returns the factor by which it grew, or 0 when it cannot tell.
static double iterate(crStiffnessTest* test, const crProblem* problem, double t, const double* y)
{
  double scale = 0.0;
  for (int i = 0; i < test->n; ++i) {
    double size = fmax(problem->absTol[i], 1e-6 * fabs(y[i]));
    test->point[i] = y[i] + CR_PROBE_SIZE * size * test->direction[i];
  }
  if (problem->computeRates(problem->context, t, test->point, test->moved) != cr_ok) {
    return 0.0;
  }
  for (int i = 0; i < test->n; ++i) {
    double size = fmax(problem->absTol[i], 1e-6 * fabs(y[i]));
    test->direction[i] = (test->moved[i] - test->rates[i]) / (CR_PROBE_SIZE * size);
    scale = fmax(scale, fabs(test->direction[i]));
  }
  for (int i = 0; i < test->n && scale > 0.0; ++i) {
    test->direction[i] /= scale;
  }
  return isfinite(scale) ? scale : 0.0;
}

int crStiffnessTest_Probe(crStiffnessTest* test, const crProblem* problem, double t, const double* y, double step)
{
  double growth = 0.0;
  if (problem->computeRates(problem->context, t, y, test->rates) == cr_ok) {
    // two steps at a time: oscillations turn the vector by a quarter in each
    double first = 0.0, second = 0.0;
    for (int i = 0; i < CR_PROBE_ITERATIONS; ++i) {
      first = second;
      second = iterate(test, problem, t, y);
    }
    growth = sqrt(first * second);
  }
  test->hits = step * growth > test->limit ? test->hits + 1 : 0;
  return test->hits;
}
