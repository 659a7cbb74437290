// Jacobians by differences. Columns that have no row in common are shifted together and read off one evaluation
// [CurtisPowellReid74]: a banded matrix of any size needs as many evaluations as its band is wide.
//
// The groups come from a greedy colouring in the order of the columns, so they depend on the pattern alone.
#include "solve/jacobian.h"

#include <limits.h>
#include <string.h>

bool crIsSparsity(const crSparsity* pattern, int n)
{
  if (pattern->n != n || pattern->columnStarts == NULL || pattern->rows == NULL || pattern->columnStarts[0] != 0) {
    return false;
  }
  for (int j = 0; j < n; ++j) {
    if (pattern->columnStarts[j + 1] < pattern->columnStarts[j]) {
      return false;
    }
    for (int k = pattern->columnStarts[j]; k < pattern->columnStarts[j + 1]; ++k) {
      bool isAscending = k == pattern->columnStarts[j] || pattern->rows[k] > pattern->rows[k - 1];
      if (!isAscending || pattern->rows[k] < 0 || pattern->rows[k] >= n) {
        return false;
      }
    }
  }
  return true;
}

// ------------------------------------------------------------------------------------------ structure

static bool makeFullPattern(crSparsity* pattern, int n, crArena* arena)
{
  int* starts = crArena_AllocateZero(arena, (size_t)n + 1, sizeof *starts);
  int* rows = crArena_AllocateZero(arena, (size_t)n * (size_t)n, sizeof *rows);
  if (starts == NULL || rows == NULL) {
    return false;
  }
  for (int k = 0; k < n * n; ++k) {
    rows[k] = k % n;
  }
  for (int j = 0; j <= n; ++j) {
    starts[j] = j * n;
  }
  *pattern = (crSparsity){ n, starts, rows };
  return true;
}

// The pattern by rows.
typedef struct Transposed {
  int *starts, *columns;
} Transposed;

static bool transpose(const crSparsity* pattern, Transposed* out, crArena* arena)
{
  int n = pattern->n, count = pattern->columnStarts[n];
  out->starts = crArena_AllocateZero(arena, (size_t)n + 2, sizeof *out->starts);
  out->columns = crArena_AllocateZero(arena, (size_t)count + 1, sizeof *out->columns);
  if (out->starts == NULL || out->columns == NULL) {
    return false;
  }
  int* next = out->starts + 1; // becomes starts once all rows are filled
  for (int k = 0; k < count; ++k) {
    ++next[pattern->rows[k] + 1];
  }
  for (int i = 0; i < n; ++i) {
    next[i + 1] += next[i];
  }
  for (int j = 0; j < n; ++j) {
    for (int k = pattern->columnStarts[j]; k < pattern->columnStarts[j + 1]; ++k) {
      out->columns[next[pattern->rows[k]]++] = j;
    }
  }
  return true;
}

// The smallest colour that no column sharing a row with j has yet. taken[c] == j + 1 marks a colour as such.
static int findColor(const crSparsity* pattern, const Transposed* byRow, const int* colors, int* taken, int j)
{
  for (int k = pattern->columnStarts[j]; k < pattern->columnStarts[j + 1]; ++k) {
    int row = pattern->rows[k];
    for (int m = byRow->starts[row]; m < byRow->starts[row + 1] && byRow->columns[m] < j; ++m) {
      taken[colors[byRow->columns[m]]] = j + 1;
    }
  }
  int color = 0;
  while (taken[color] == j + 1) {
    ++color;
  }
  return color;
}

// Columns ordered by colour, ascending within one.
static void sortColumns(crJacobian* jacobian, const int* colors)
{
  int n = jacobian->pattern.n;
  int* next = jacobian->colorStarts + 1; // becomes the starts once all columns are placed
  for (int j = 0; j < n; ++j) {
    ++next[colors[j] + 1];
  }
  for (int color = 0; color < jacobian->colorCount; ++color) {
    next[color + 1] += next[color];
  }
  for (int j = 0; j < n; ++j) {
    jacobian->columns[next[colors[j]]++] = j;
  }
}

static bool colorColumns(crJacobian* jacobian, crArena* arena)
{
  const crSparsity* pattern = &jacobian->pattern;
  int n = pattern->n;
  Transposed byRow;
  int* colors = crArena_AllocateZero(arena, (size_t)n, sizeof *colors);
  int* taken = crArena_AllocateZero(arena, (size_t)n + 1, sizeof *taken);
  jacobian->columns = crArena_AllocateZero(arena, (size_t)n, sizeof *jacobian->columns);
  jacobian->colorStarts = crArena_AllocateZero(arena, (size_t)n + 2, sizeof *jacobian->colorStarts);
  if (!transpose(pattern, &byRow, arena) || colors == NULL || taken == NULL || jacobian->columns == NULL ||
      jacobian->colorStarts == NULL) {
    return false;
  }
  for (int j = 0; j < n; ++j) {
    colors[j] = findColor(pattern, &byRow, colors, taken, j);
    jacobian->colorCount = colors[j] >= jacobian->colorCount ? colors[j] + 1 : jacobian->colorCount;
  }
  sortColumns(jacobian, colors);
  return true;
}

// The pattern with the whole diagonal. A value of the pattern and a diagonal may share a place.
static bool addDiagonal(crJacobian* jacobian, crArena* arena)
{
  const crSparsity* pattern = &jacobian->pattern;
  int n = pattern->n, count = pattern->columnStarts[n];
  jacobian->fullStarts = crArena_AllocateZero(arena, (size_t)n + 1, sizeof *jacobian->fullStarts);
  jacobian->fullRows = crArena_AllocateZero(arena, (size_t)count + (size_t)n, sizeof *jacobian->fullRows);
  jacobian->places = crArena_AllocateZero(arena, (size_t)count + 1, sizeof *jacobian->places);
  jacobian->diagonals = crArena_AllocateZero(arena, (size_t)n, sizeof *jacobian->diagonals);
  if (jacobian->fullStarts == NULL || jacobian->fullRows == NULL || jacobian->places == NULL ||
      jacobian->diagonals == NULL) {
    return false;
  }
  int full = 0;
  for (int j = 0; j < n; ++j) {
    int k = pattern->columnStarts[j], end = pattern->columnStarts[j + 1];
    bool hasDiagonal = false;
    while (k < end || !hasDiagonal) {
      int row = !hasDiagonal && (k == end || pattern->rows[k] >= j) ? j : pattern->rows[k];
      if (row == j) {
        jacobian->diagonals[j] = full;
        hasDiagonal = true;
      }
      if (k < end && pattern->rows[k] == row) {
        jacobian->places[k++] = full;
      }
      jacobian->fullRows[full++] = row;
    }
    jacobian->fullStarts[j + 1] = full;
  }
  jacobian->fullCount = full;
  return true;
}

crStatus crJacobian_Create(crJacobian* jacobian, int n, const crSparsity* pattern, crArena* arena)
{
  memset(jacobian, 0, sizeof *jacobian);
  if (pattern != NULL) {
    jacobian->pattern = *pattern;
  } else if (!makeFullPattern(&jacobian->pattern, n, arena)) {
    return cr_errorMemory;
  }
  if (jacobian->pattern.columnStarts[n] > INT_MAX - n - 1) {
    return cr_errorLimit;
  }
  double** arrays[] = { &jacobian->shiftedY, &jacobian->shiftedRates, &jacobian->shiftedResult, &jacobian->increments };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
    *arrays[i] = crArena_AllocateZero(arena, (size_t)n, sizeof(double));
    if (*arrays[i] == NULL) {
      return cr_errorMemory;
    }
  }
  jacobian->values = crArena_AllocateZero(arena, (size_t)jacobian->pattern.columnStarts[n] + 1, sizeof(double));
  bool isMade = jacobian->values != NULL && colorColumns(jacobian, arena) && addDiagonal(jacobian, arena);
  return isMade ? cr_ok : cr_errorMemory;
}

// ---------------------------------------------------------------------------------------- differences

static void shift(crJacobian* jacobian, const crDifferences* d, int color, double sign)
{
  for (int i = jacobian->colorStarts[color]; i < jacobian->colorStarts[color + 1]; ++i) {
    int j = jacobian->columns[i];
    jacobian->shiftedY[j] = d->y[j] + sign * jacobian->increments[j];
    if (d->yp != NULL) {
      jacobian->shiftedRates[j] = d->yp[j] + d->c * (jacobian->shiftedY[j] - d->y[j]);
    }
  }
}

static crStatus evaluateShifted(crJacobian* jacobian, const crDifferences* d)
{
  return d->evaluate(d->context, d->t, jacobian->shiftedY, d->yp != NULL ? jacobian->shiftedRates : NULL,
                     jacobian->shiftedResult);
}

// Reads the columns of a colour, and takes their shifts back.
static void readColumns(crJacobian* jacobian, const crDifferences* d, int color)
{
  const crSparsity* pattern = &jacobian->pattern;
  for (int i = jacobian->colorStarts[color]; i < jacobian->colorStarts[color + 1]; ++i) {
    int j = jacobian->columns[i];
    double scale = 1.0 / (jacobian->shiftedY[j] - d->y[j]);
    for (int k = pattern->columnStarts[j]; k < pattern->columnStarts[j + 1]; ++k) {
      int row = pattern->rows[k];
      jacobian->values[k] = (jacobian->shiftedResult[row] - d->base[row]) * scale;
    }
    jacobian->shiftedY[j] = d->y[j];
    if (d->yp != NULL) {
      jacobian->shiftedRates[j] = d->yp[j];
    }
  }
}

crStatus crJacobian_ComputeDifferences(crJacobian* jacobian, const crDifferences* d)
{
  size_t size = (size_t)jacobian->pattern.n * sizeof(double);
  memcpy(jacobian->shiftedY, d->y, size);
  if (d->yp != NULL) {
    memcpy(jacobian->shiftedRates, d->yp, size);
  }
  for (int color = 0; color < jacobian->colorCount; ++color) {
    shift(jacobian, d, color, 1.0);
    crStatus status = evaluateShifted(jacobian, d);
    if (status == cr_retry) {
      shift(jacobian, d, color, -1.0);
      status = evaluateShifted(jacobian, d);
    }
    if (status != cr_ok) {
      return status;
    }
    readColumns(jacobian, d, color);
  }
  return cr_ok;
}
