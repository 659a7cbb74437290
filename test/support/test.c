// Helpers of the tests.
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

void crAssertClose(double a, double b, double tol, const char* what, const char* file, int line)
{
  if (!(fabs(a - b) <= tol)) {
    print_error("%s: %.17g and %.17g differ by %.3g, more than %.3g\n", what, a, b, fabs(a - b), tol);
    _fail(file, line);
  }
}

void crAssertVecClose(crVec3 a, crVec3 b, double tol, const char* what, const char* file, int line)
{
  if (!(crMaxAbs(crSub(a, b)) <= tol) || !crIsFiniteVec3(a) || !crIsFiniteVec3(b)) {
    print_error("%s: (%.17g, %.17g, %.17g) and (%.17g, %.17g, %.17g) differ by more than %.3g\n", what, a.x, a.y, a.z,
                b.x, b.y, b.z, tol);
    _fail(file, line);
  }
}

// Each block carries its size in front, to catch a wrong oldSize.
#define CR_HEADER 16

static void* reallocateCounted(void* context, void* block, size_t oldSize, size_t newSize)
{
  crTestAllocator* counter = context;
  char* base = block != NULL ? (char*)block - CR_HEADER : NULL;
  if (base != NULL) {
    size_t recorded;
    memcpy(&recorded, base, sizeof recorded);
    if (recorded != oldSize) {
      print_error("a block of %zu bytes was handed back as %zu bytes\n", recorded, oldSize);
      abort();
    }
  }
  if (newSize == 0) {
    counter->liveBlocks -= base != NULL;
    counter->liveBytes -= oldSize;
    free(base);
    return NULL;
  }
  long call = counter->callCount++;
  if (counter->failAt >= 0 && call >= counter->failAt) {
    return NULL;
  }
  char* moved = realloc(base, newSize + CR_HEADER);
  if (moved == NULL) {
    return NULL;
  }
  counter->liveBlocks += base == NULL;
  counter->liveBytes += newSize - (base != NULL ? oldSize : 0);
  memcpy(moved, &newSize, sizeof newSize);
  return moved + CR_HEADER;
}

crAllocator crTestAllocator_Make(crTestAllocator* counter)
{
  memset(counter, 0, sizeof *counter);
  counter->failAt = -1;
  crAllocator allocator = { reallocateCounted, counter };
  return allocator;
}

bool crTestHasSolver(crSolverKind kind)
{
  return crGetSolverInfo(kind)->isAvailable;
}

bool crTestIsOneStep(crSolverKind kind)
{
  return kind == cr_solverDopri5 || kind == cr_solverDop853 || kind == cr_solverRadau5;
}

int crTestFirstSolver(void)
{
  return crTestHasSolver(cr_solverIda) ? (int)cr_solverIda : (int)cr_solverDopri5;
}

int crTestNextSolver(int kind)
{
  do {
    ++kind;
  } while (kind < cr_solverKindCount && !crTestHasSolver((crSolverKind)kind));
  return kind;
}
