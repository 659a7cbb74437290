// Stiffness test: is an explicit method held back by stability rather than by accuracy?
//
// An explicit Runge-Kutta method is stable while h |lambda| stays below about 3, lambda being the eigenvalue of
// largest magnitude of df/dy. A step size that accuracy alone chooses lies well below that on smooth problems; one that
// hugs the limit is chosen by stability, and an implicit method takes larger steps [HairerWanner96] IV.2.
#ifndef CR_SIM_STIFFNESS_H
#define CR_SIM_STIFFNESS_H

#include "base/memory.h"
#include "carom/solver.h"

// [-] h |lambda| that counts as at the limit, which is 3.3 for order 5. Smaller ones find models, too, for which
// accuracy asks for steps nearly as small; there the implicit method loses (docs/numerics.md). While bodies lie on each
// other nothing asks for small steps but stability; with several of them the iteration sees less than the largest
// eigenvalue. In impacts, where accuracy chooses the steps, values are below 0.6.
#define CR_STABILITY_SHARE 2.8
#define CR_CONTACT_STABILITY_SHARE 0.9

typedef struct crStiffnessTest {
  int n, hits;
  double limit;
  double* direction; // (n) of the eigenvector, in units of the tolerances
  double* point;     // (n)
  double* rates;     // (n)
  double* moved;     // (n)
} crStiffnessTest;

bool crStiffnessTest_Init(crStiffnessTest* test, int n, double limit,
                          const crAllocator* allocator); // false: out of memory
void crStiffnessTest_Free(crStiffnessTest* test, const crAllocator* allocator);

// A few steps of a power iteration that goes on from probe to probe. The number of probes in a row, up to this one,
// that found the step size at the limit.
int crStiffnessTest_Probe(crStiffnessTest* test, const crProblem* problem, double t, const double* y, double step);

#endif
