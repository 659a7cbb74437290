// What every test includes: cmocka, close comparisons, random numbers, and a failing allocator.
#ifndef CR_TEST_H
#define CR_TEST_H

#include "carom/math.h"
#include "carom/solver.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Fails with both numbers and the difference when |a - b| > tol.
#define assert_close(a, b, tol) crAssertClose((a), (b), (tol), #a " ~ " #b, __FILE__, __LINE__)
#define assert_vec_close(a, b, tol) crAssertVecClose((a), (b), (tol), #a " ~ " #b, __FILE__, __LINE__)
void crAssertClose(double a, double b, double tol, const char* what, const char* file, int line);
void crAssertVecClose(crVec3 a, crVec3 b, double tol, const char* what, const char* file, int line);

// An allocator that counts what is alive and fails the call number `failAt` (from 0; -1: never) and
// every later one. Checks the sizes that are handed back.
typedef struct crTestAllocator {
  long callCount;
  long failAt;
  long liveBlocks;
  size_t liveBytes;
} crTestAllocator;
crAllocator crTestAllocator_Make(crTestAllocator* counter);

// Solvers of SUNDIALS may be missing in a build. Loops over all kinds begin at the first one there is; a test that
// needs one is skipped.
int crTestFirstSolver(void); // behind auto
int crTestNextSolver(int kind);
bool crTestHasSolver(crSolverKind kind);
bool crTestIsOneStep(crSolverKind kind); // one of our own
#define crTestNeedSolver(kind)                                                                                         \
  if (!crTestHasSolver(kind)) {                                                                                        \
    skip();                                                                                                            \
  }

#endif
