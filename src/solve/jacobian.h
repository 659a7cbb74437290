// Jacobians by differences: columns that share no row are shifted together.
#ifndef CR_SOLVE_JACOBIAN_H
#define CR_SOLVE_JACOBIAN_H

#include "base/memory.h"
#include "solve/problem.h"

// Columns of one colour have no row in common. `full` is the pattern with the whole diagonal added, which is what the
// matrix of an implicit method has.
typedef struct crJacobian {
  crArena* arena;
  crSparsity pattern; // starts and rows
  int *starts, *rows; // (n + 1), (capacity) a copy of the caller's pattern
  int capacity;       // entries that there is room for
  double* values;     // (pattern.columnStarts[n]) in the order of the pattern
  int colorCount;
  int* colorStarts; // (colorCount + 1) into columns
  int* columns;     // (n) ordered by colour, ascending within one
  int fullCount;
  int64_t *fullStarts, *fullRows;                  // (n + 1), (fullCount)
  int* places;                                     // where each value of the pattern lies in full
  double *shiftedY, *shiftedRates, *shiftedResult; // (n)
  double* increments;                              // (n) of y
  int *rowStarts, *rowColumns;                     // (n + 2), (capacity) the pattern by rows; for the colouring,
  int *colors, *taken;                             // (n), (n + 1)           as are these
} crJacobian;

crStatus crJacobian_Create(crJacobian* jacobian, int n, const crSparsity* pattern, crArena* arena);

// Room for problems of up to n unknowns and so many entries, without a pattern yet; crJacobian_SetSystem then takes
// that of any such problem.
crStatus crJacobian_Reserve(crJacobian* jacobian, int n, int entryCount, crArena* arena);
crStatus crJacobian_SetSystem(crJacobian* jacobian, const crSparsity* pattern);

// Another pattern of the same size, which is copied. Takes memory only for more entries than ever before, and then for
// twice as many. cr_errorMemory: nothing has changed.
crStatus crJacobian_SetPattern(crJacobian* jacobian, const crSparsity* pattern);

// h(y, y'), differentiated along y + e, y' + c e.
typedef struct crDifferences {
  crStatus (*evaluate)(void* context, double t, const double* y, const double* yp, double* outResult);
  void* context;
  double t, c;
  const double* y;
  const double* yp;   // NULL: h depends on y alone
  const double* base; // (n) h at y, y'
} crDifferences;

// Increments in the direction of motion, and in proportion to the largest of |y|, the size below which only the
// absolute tolerance counts, and the way to come in a step of length h [s].
void crJacobian_SetIncrements(crJacobian* jacobian, double h, const double* y, const double* rates,
                              const double* absTol, double relTol);

// Fills values; one evaluation per colour. Where a shifted point cannot be evaluated, its mirror image is tried.
crStatus crJacobian_ComputeDifferences(crJacobian* jacobian, const crDifferences* differences);

#endif
