// Jacobians by differences. Columns that have no row in common are shifted together and read off one evaluation
// [CurtisPowellReid74]: a banded matrix of any size needs as many evaluations as its band is wide.
//
// The groups come from a greedy colouring in the order of the columns, so they depend on the pattern alone.
#include "solve/jacobian.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Increment of a component relative to its size. The square root of the precision, 1.5e-8, would do for smooth
// functions; contacts at rest are only nanometres deep, where positions are metres. At 2^-30 a Jacobian still has six
// good digits, and Newton asks for two.
#define CR_RELATIVE_INCREMENT 0x1p-30

// ------------------------------------------------------------------------------------------ structure

static void copyPattern(crJacobian* jacobian, const crSparsity* pattern)
{
  int n = jacobian->pattern.n;
  memcpy(jacobian->starts, pattern->columnStarts, ((size_t)n + 1) * sizeof *jacobian->starts);
  memcpy(jacobian->rows, pattern->rows, (size_t)pattern->columnStarts[n] * sizeof *jacobian->rows);
}

// The pattern by rows.
static void transpose(crJacobian* jacobian)
{
  const crSparsity* pattern = &jacobian->pattern;
  int n = pattern->n, count = pattern->columnStarts[n];
  memset(jacobian->rowStarts, 0, ((size_t)n + 2) * sizeof *jacobian->rowStarts);
  int* next = jacobian->rowStarts + 1; // becomes the starts once all rows are filled
  for (int k = 0; k < count; ++k) {
    ++next[pattern->rows[k] + 1];
  }
  for (int i = 0; i < n; ++i) {
    next[i + 1] += next[i];
  }
  for (int j = 0; j < n; ++j) {
    for (int k = pattern->columnStarts[j]; k < pattern->columnStarts[j + 1]; ++k) {
      jacobian->rowColumns[next[pattern->rows[k]]++] = j;
    }
  }
}

// The smallest colour that no column sharing a row with j has yet. taken[c] == j + 1 marks a colour as such.
static int findColor(const crJacobian* jacobian, int j)
{
  const crSparsity* pattern = &jacobian->pattern;
  for (int k = pattern->columnStarts[j]; k < pattern->columnStarts[j + 1]; ++k) {
    int row = pattern->rows[k];
    for (int m = jacobian->rowStarts[row]; m < jacobian->rowStarts[row + 1] && jacobian->rowColumns[m] < j; ++m) {
      jacobian->taken[jacobian->colors[jacobian->rowColumns[m]]] = j + 1;
    }
  }
  int color = 0;
  while (jacobian->taken[color] == j + 1) {
    ++color;
  }
  return color;
}

// Columns ordered by colour, ascending within one.
static void sortColumns(crJacobian* jacobian)
{
  int n = jacobian->pattern.n;
  memset(jacobian->colorStarts, 0, ((size_t)n + 2) * sizeof *jacobian->colorStarts);
  int* next = jacobian->colorStarts + 1; // becomes the starts once all columns are placed
  for (int j = 0; j < n; ++j) {
    ++next[jacobian->colors[j] + 1];
  }
  for (int color = 0; color < jacobian->colorCount; ++color) {
    next[color + 1] += next[color];
  }
  for (int j = 0; j < n; ++j) {
    jacobian->columns[next[jacobian->colors[j]]++] = j;
  }
}

static void colorColumns(crJacobian* jacobian)
{
  int n = jacobian->pattern.n;
  transpose(jacobian);
  memset(jacobian->taken, 0, ((size_t)n + 1) * sizeof *jacobian->taken);
  jacobian->colorCount = 0;
  for (int j = 0; j < n; ++j) {
    jacobian->colors[j] = findColor(jacobian, j);
    jacobian->colorCount = jacobian->colors[j] >= jacobian->colorCount ? jacobian->colors[j] + 1 : jacobian->colorCount;
  }
  sortColumns(jacobian);
}

// The pattern with the whole diagonal. A value of the pattern and a diagonal may share a place.
static void addDiagonal(crJacobian* jacobian)
{
  const crSparsity* pattern = &jacobian->pattern;
  int full = 0;
  for (int j = 0; j < pattern->n; ++j) {
    int k = pattern->columnStarts[j], end = pattern->columnStarts[j + 1];
    bool hasDiagonal = false;
    while (k < end || !hasDiagonal) {
      int row = !hasDiagonal && (k == end || pattern->rows[k] >= j) ? j : pattern->rows[k];
      hasDiagonal = hasDiagonal || row == j;
      if (k < end && pattern->rows[k] == row) {
        jacobian->places[k++] = full;
      }
      jacobian->fullRows[full++] = row;
    }
    jacobian->fullStarts[j + 1] = full;
  }
  jacobian->fullCount = full;
}

// --------------------------------------------------------------------------------------------- memory

static bool allocateIntegers(crArena* arena, int** out, size_t count)
{
  *out = crArena_AllocateZero(arena, count, sizeof **out);
  return *out != NULL;
}

// What depends on n alone.
static bool allocateColumns(crJacobian* jacobian, int n)
{
  crArena* arena = jacobian->arena;
  size_t count = (size_t)n;
  double** arrays[] = { &jacobian->shiftedY, &jacobian->shiftedRates, &jacobian->shiftedResult, &jacobian->increments };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
    *arrays[i] = crArena_AllocateZero(arena, count, sizeof(double));
    if (*arrays[i] == NULL) {
      return false;
    }
  }
  jacobian->fullStarts = crArena_AllocateZero(arena, count + 1, sizeof *jacobian->fullStarts);
  return jacobian->fullStarts != NULL && allocateIntegers(arena, &jacobian->starts, count + 1) &&
         allocateIntegers(arena, &jacobian->colorStarts, count + 2) &&
         allocateIntegers(arena, &jacobian->columns, count) &&
         allocateIntegers(arena, &jacobian->rowStarts, count + 2) &&
         allocateIntegers(arena, &jacobian->colors, count) && allocateIntegers(arena, &jacobian->taken, count + 1);
}

// Room for so many entries, with nothing in it. What there was before stays in the arena: each room is at least twice
// the last one, so all together are less than twice the largest.
static bool growEntries(crJacobian* jacobian, int count)
{
  if (jacobian->rows != NULL && count <= jacobian->capacity) {
    return true;
  }
  int twice = jacobian->capacity < INT_MAX / 2 ? 2 * jacobian->capacity : INT_MAX - jacobian->pattern.n - 1;
  size_t capacity = (size_t)(count > twice ? count : twice);
  crArena* arena = jacobian->arena;
  int *rows = NULL, *rowColumns = NULL, *places = NULL;
  double* values = crArena_AllocateZero(arena, capacity + 1, sizeof *values);
  int64_t* fullRows = crArena_AllocateZero(arena, capacity + (size_t)jacobian->pattern.n, sizeof *fullRows);
  if (values == NULL || fullRows == NULL || !allocateIntegers(arena, &rows, capacity + 1) ||
      !allocateIntegers(arena, &rowColumns, capacity + 1) || !allocateIntegers(arena, &places, capacity + 1)) {
    return false;
  }
  jacobian->capacity = (int)capacity;
  jacobian->values = values;
  jacobian->fullRows = fullRows;
  jacobian->rows = rows;
  jacobian->rowColumns = rowColumns;
  jacobian->places = places;
  return true;
}

crStatus crJacobian_SetPattern(crJacobian* jacobian, const crSparsity* pattern)
{
  int n = jacobian->pattern.n;
  if (pattern->columnStarts[n] > INT_MAX - n - 1) {
    return cr_errorLimit;
  }
  if (!growEntries(jacobian, pattern->columnStarts[n])) {
    return cr_errorMemory;
  }
  copyPattern(jacobian, pattern);
  jacobian->pattern = (crSparsity){ n, jacobian->starts, jacobian->rows };
  colorColumns(jacobian);
  addDiagonal(jacobian);
  return cr_ok;
}

crStatus crJacobian_Create(crJacobian* jacobian, int n, const crSparsity* pattern, crArena* arena)
{
  memset(jacobian, 0, sizeof *jacobian);
  jacobian->arena = arena;
  jacobian->pattern.n = n;
  return allocateColumns(jacobian, n) ? crJacobian_SetPattern(jacobian, pattern) : cr_errorMemory;
}

crStatus crJacobian_Reserve(crJacobian* jacobian, int n, int entryCount, crArena* arena)
{
  memset(jacobian, 0, sizeof *jacobian);
  jacobian->arena = arena;
  jacobian->pattern.n = n;
  return allocateColumns(jacobian, n) && growEntries(jacobian, entryCount) ? cr_ok : cr_errorMemory;
}

crStatus crJacobian_SetSystem(crJacobian* jacobian, const crSparsity* pattern)
{
  jacobian->pattern.n = pattern->n;
  return crJacobian_SetPattern(jacobian, pattern);
}

// ---------------------------------------------------------------------------------------- differences

void crJacobian_SetIncrements(crJacobian* jacobian, double h, const double* y, const double* rates,
                              const double* absTol, double relTol)
{
  for (int i = 0; i < jacobian->pattern.n; ++i) {
    double way = h * rates[i];
    double size = fmax(fmax(fabs(y[i]), absTol[i] / relTol), fabs(way));
    jacobian->increments[i] = copysign(CR_RELATIVE_INCREMENT * size, way);
  }
}

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
