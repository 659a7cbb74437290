// Factorization column by column [GilbertPeierls88]: column k of the matrix is solved with the L that is there, which
// gives that of U and, over the pivot, that of L. Which rows it has is told by a search in the graph of L, in time
// proportional to the operations; entries that such a search need not follow are put last [EisenstatLiu92].
//
// Rows are scaled by their largest entries. The pivot is the one on the diagonal, which keeps the fill that the order
// was made for, unless it is far smaller than the largest of its column.
#include "solve/column_lu.h"

#include <math.h>
#include <string.h>

#define CR_MIN_PIVOT 1e-3  // of the diagonal, over the largest entry
#define CR_MIN_GROWTH 1e-6 // of a column, over that of U: below it old pivots are no good

#define CR_INLINE static inline __attribute__((always_inline))

void crColumnLu_Init(crColumnLu* lu, const crAllocator* allocator)
{
  *lu = (crColumnLu){ 0 };
  crArena_Init(&lu->arena, allocator);
}

void crColumnLu_Free(crColumnLu* lu)
{
  for (size_t parts = 1; parts <= 2; ++parts) {
    crColumnFactors* factors = &lu->factors[parts - 1];
    crFree(&lu->arena.allocator, factors->rows, (size_t)factors->rowCapacity * sizeof(int));
    crFree(&lu->arena.allocator, factors->values, (size_t)factors->valueCapacity * parts * sizeof(double));
  }
  crArena_Free(&lu->arena);
}

// --------------------------------------------------------------------------------------------- analysis

static bool allocate(crColumnLu* lu)
{
  size_t n = (size_t)lu->n;
  int* integers = crArena_Allocate(&lu->arena, (14 * n + 2) * sizeof(int));
  double* doubles = crArena_Allocate(&lu->arena, 7 * n * sizeof(double));
  if (integers == NULL || doubles == NULL) {
    return false;
  }
  lu->x = doubles;
  lu->order = integers;
  lu->pattern = integers + n;
  lu->marks = integers + 2 * n;
  lu->path = integers + 3 * n;
  lu->next = integers + 4 * n;
  lu->searchEnds = integers + 5 * n;
  for (size_t i = 0; i < 2; ++i) {
    crColumnFactors* factors = &lu->factors[i];
    factors->upperStarts = integers + (6 + 4 * i) * n + i;
    factors->lowerStarts = factors->upperStarts + n + 1;
    factors->pivotRows = factors->lowerStarts + n;
    factors->places = factors->pivotRows + n;
    factors->scales = doubles + (2 + i) * n;
    factors->inverses = doubles + (4 + i) * n;
  }
  return true;
}

// Pivots of fronts one after another are an order of the unknowns.
crStatus crColumnLu_Analyze(crColumnLu* lu, const int* starts, const int* rows, const crBlockGraph* graph)
{
  crAllocator allocator = lu->arena.allocator;
  crColumnLu_Free(lu);
  crColumnLu_Init(lu, &allocator);
  lu->n = graph->n;
  lu->starts = starts;
  lu->rows = rows;
  if (!allocate(lu)) {
    return cr_errorMemory;
  }
  int count = 0;
  for (int i = 0; i < graph->frontCount; ++i) {
    const crBlockFront* front = &graph->fronts[i];
    memcpy(lu->order + count, graph->indices + front->firstIndex, (size_t)front->pivotCount * sizeof(int));
    count += front->pivotCount;
  }
  return cr_ok;
}

// Room for one more column behind `count` entries.
static crStatus reserve(crColumnLu* lu, crColumnFactors* factors, int count, size_t parts)
{
  const crAllocator* allocator = &lu->arena.allocator;
  int64_t needed = (int64_t)count + lu->n, capacity = 2 * needed + 2 * (int64_t)lu->starts[lu->n];
  if (needed <= factors->rowCapacity && needed <= factors->valueCapacity) {
    return cr_ok;
  }
  if (capacity > INT32_MAX) {
    return cr_errorLimit;
  }
  bool hasRoom = crReserve(allocator, &factors->rows, &factors->rowCapacity, (int)capacity, sizeof(int)) &&
                 crReserve(allocator, &factors->values, &factors->valueCapacity, (int)capacity, parts * sizeof(double));
  return hasRoom ? cr_ok : cr_errorMemory;
}

// ----------------------------------------------------------------------------------------------- pattern

// From row i along columns of L: those come behind all that depend on them, before the `first` of U found so far.
static int search(crColumnLu* lu, const crColumnFactors* factors, int i, int k, int* lowerCount, int first)
{
  int depth = 0;
  lu->marks[i] = k + 1;
  if (factors->places[i] < 0) {
    lu->pattern[(*lowerCount)++] = i;
    return first;
  }
  lu->path[0] = i;
  lu->next[0] = factors->lowerStarts[factors->places[i]];
  while (depth >= 0) {
    int entry = lu->next[depth], end = lu->searchEnds[factors->places[lu->path[depth]]], row = -1;
    while (entry < end) {
      row = factors->rows[entry++];
      if (lu->marks[row] != k + 1) {
        lu->marks[row] = k + 1;
        if (factors->places[row] >= 0) {
          break;
        }
        lu->pattern[(*lowerCount)++] = row;
      }
      row = -1;
    }
    lu->next[depth] = entry;
    if (row >= 0) {
      lu->path[++depth] = row;
      lu->next[depth] = factors->lowerStarts[factors->places[row]];
    } else {
      lu->pattern[--first] = lu->path[depth--];
    }
  }
  return first;
}

// The rows of column k: of L with that of the pivot.
static void findRows(crColumnLu* lu, crColumnFactors* factors, int k)
{
  int column = lu->order[k], lowerCount = 0, first = lu->n;
  for (int e = lu->starts[column]; e < lu->starts[column + 1]; ++e) {
    if (lu->marks[lu->rows[e]] != k + 1) {
      first = search(lu, factors, lu->rows[e], k, &lowerCount, first);
    }
  }
  int upper = factors->upperStarts[k], upperCount = lu->n - first, lower = upper + upperCount;
  factors->lowerStarts[k] = lower;
  factors->upperStarts[k + 1] = lower + lowerCount;
  memcpy(factors->rows + upper, lu->pattern + first, (size_t)upperCount * sizeof(int));
  memcpy(factors->rows + lower, lu->pattern, (size_t)lowerCount * sizeof(int));
}

static void swapEntries(crColumnFactors* factors, int a, int b, size_t parts)
{
  int row = factors->rows[a];
  factors->rows[a] = factors->rows[b];
  factors->rows[b] = row;
  for (size_t i = 0; i < parts; ++i) {
    double *first = &factors->values[parts * (size_t)a + i], *second = &factors->values[parts * (size_t)b + i];
    double value = *first;
    *first = *second;
    *second = value;
  }
}

// A column j of L that the new column k of U has, and that has its pivot's row, need not be followed to rows without a
// pivot any more: the column k of L has these too.
static void prune(crColumnLu* lu, crColumnFactors* factors, int k, size_t parts)
{
  lu->searchEnds[k] = factors->upperStarts[k + 1];
  for (int e = factors->upperStarts[k]; e < factors->lowerStarts[k]; ++e) {
    int j = factors->places[factors->rows[e]], first = factors->lowerStarts[j], end = factors->upperStarts[j + 1];
    if (lu->searchEnds[j] < end) {
      continue;
    }
    int i = first;
    while (i < end && factors->rows[i] != factors->pivotRows[k]) {
      ++i;
    }
    if (i < end) {
      for (i = first; i < end;) {
        if (factors->places[factors->rows[i]] >= 0) {
          ++i;
        } else {
          swapEntries(factors, i, --end, parts);
        }
      }
      lu->searchEnds[j] = end;
    }
  }
}

// ------------------------------------------------------------------------------------------------ values

CR_INLINE double getSize(const double* value, bool isComplex)
{
  return isComplex ? fabs(value[0]) + fabs(value[1]) : fabs(value[0]);
}

// Entries times a factor off x.
CR_INLINE void subtract(const crColumnFactors* factors, int first, int end, bool isComplex, const double* factor,
                        double* x)
{
  double a = factor[0], b = isComplex ? factor[1] : 0.0;
  const double* values = factors->values;
  for (int e = first; e < end; ++e) {
    if (isComplex) {
      const double* value = values + 2 * (size_t)e;
      double* y = x + 2 * (size_t)factors->rows[e];
      y[0] -= value[0] * a - value[1] * b;
      y[1] -= value[0] * b + value[1] * a;
    } else {
      x[factors->rows[e]] -= values[e] * a;
    }
  }
}

CR_INLINE void multiply(const double* factor, bool isComplex, double* value)
{
  double a = value[0];
  value[0] = a * factor[0] - (isComplex ? value[1] * factor[1] : 0.0);
  if (isComplex) {
    value[1] = a * factor[1] + value[1] * factor[0];
  }
}

// Rows are scaled: squares that underflow belong to a singular matrix.
CR_INLINE void invert(const double* value, bool isComplex, double* out)
{
  double square = isComplex ? value[0] * value[0] + value[1] * value[1] : value[0];
  out[0] = isComplex ? value[0] / square : 1.0 / square;
  if (isComplex) {
    out[1] = -value[1] / square;
  }
}

static bool scaleRows(const crColumnLu* lu, const double* re, const double* im, double* scales)
{
  memset(scales, 0, (size_t)lu->n * sizeof *scales);
  for (int e = 0; e < lu->starts[lu->n]; ++e) {
    double size = fabs(re[e]) + (im != NULL ? fabs(im[e]) : 0.0), *scale = &scales[lu->rows[e]];
    *scale = size > *scale ? size : *scale;
  }
  bool isRegular = true;
  for (int i = 0; i < lu->n; ++i) {
    isRegular = isRegular && scales[i] > 0.0;
    scales[i] = 1.0 / scales[i];
  }
  return isRegular;
}

// A column of the scaled matrix into x. Returns the sum of sizes.
CR_INLINE double load(const crColumnLu* lu, const double* scales, int column, bool isComplex, const double* re,
                      const double* im, double* x)
{
  double sum = 0.0;
  for (int e = lu->starts[column]; e < lu->starts[column + 1]; ++e) {
    double* y = x + (size_t)lu->rows[e] * (isComplex ? 2 : 1);
    y[0] = re[e] * scales[lu->rows[e]];
    if (isComplex) {
      y[1] = im[e] * scales[lu->rows[e]];
    }
    sum += getSize(y, isComplex);
  }
  return sum;
}

// Column k of U out of x, which is left with those of L. Returns the sum of sizes.
CR_INLINE double eliminate(crColumnFactors* factors, int k, bool isComplex, double* x)
{
  size_t parts = isComplex ? 2 : 1;
  double sum = 0.0;
  for (int e = factors->upperStarts[k]; e < factors->lowerStarts[k]; ++e) {
    int row = factors->rows[e], j = factors->places[row];
    double *y = x + parts * (size_t)row, *value = factors->values + parts * (size_t)e;
    memcpy(value, y, parts * sizeof *y);
    memset(y, 0, parts * sizeof *y);
    sum += getSize(value, isComplex);
    subtract(factors, factors->lowerStarts[j], factors->upperStarts[j + 1], isComplex, value, x);
  }
  return sum;
}

// Takes the pivot's row out of those of L.
CR_INLINE void takePivot(crColumnFactors* factors, int k, int entry)
{
  int* end = &factors->upperStarts[k + 1];
  factors->pivotRows[k] = factors->rows[entry];
  factors->places[factors->pivotRows[k]] = k;
  factors->rows[entry] = factors->rows[--*end];
}

// false: all are 0.
CR_INLINE bool choosePivot(crColumnLu* lu, crColumnFactors* factors, int k, bool isComplex)
{
  size_t parts = isComplex ? 2 : 1;
  int first = factors->lowerStarts[k], *end = &factors->upperStarts[k + 1], chosen = first, diagonal = -1;
  double largest = 0.0;
  for (int e = first; e < *end; ++e) {
    double size = getSize(lu->x + parts * (size_t)factors->rows[e], isComplex);
    if (size > largest) {
      largest = size;
      chosen = e;
    }
    if (factors->rows[e] == lu->order[k]) {
      diagonal = e;
    }
  }
  if (largest == 0.0) {
    return false;
  }
  if (diagonal >= 0 && getSize(lu->x + parts * (size_t)lu->order[k], isComplex) >= CR_MIN_PIVOT * largest) {
    chosen = diagonal;
  }
  takePivot(factors, k, chosen);
  return true;
}

// Column k of L out of x. Returns the sum of sizes, with that of the pivot's inverse.
CR_INLINE double store(crColumnFactors* factors, int k, bool isComplex, double* x)
{
  size_t parts = isComplex ? 2 : 1;
  double *inverse = factors->inverses + parts * (size_t)k, *pivot = x + parts * (size_t)factors->pivotRows[k];
  invert(pivot, isComplex, inverse);
  double sum = getSize(inverse, isComplex);
  memset(pivot, 0, parts * sizeof *pivot);
  for (int e = factors->lowerStarts[k]; e < factors->upperStarts[k + 1]; ++e) {
    double *y = x + parts * (size_t)factors->rows[e], *value = factors->values + parts * (size_t)e;
    memcpy(value, y, parts * sizeof *y);
    memset(y, 0, parts * sizeof *y);
    multiply(inverse, isComplex, value);
    sum += getSize(value, isComplex);
  }
  return sum;
}

// ----------------------------------------------------------------------------------------- factorization

// By the pivots and rows of the last time. false: they will not do.
CR_INLINE bool repeatColumns(crColumnLu* lu, crColumnFactors* factors, const double* re, const double* im,
                             bool isComplex)
{
  size_t parts = isComplex ? 2 : 1;
  memset(lu->x, 0, parts * (size_t)lu->n * sizeof *lu->x);
  for (int k = 0; k < lu->n; ++k) {
    double before = load(lu, factors->scales, lu->order[k], isComplex, re, im, lu->x);
    double after = eliminate(factors, k, isComplex, lu->x);
    double pivot = getSize(lu->x + parts * (size_t)factors->pivotRows[k], isComplex);
    if (!(pivot > 0.0 && before >= CR_MIN_GROWTH * (after + pivot) && isfinite(store(factors, k, isComplex, lu->x)))) {
      return false;
    }
  }
  return true;
}

CR_INLINE crStatus findColumns(crColumnLu* lu, crColumnFactors* factors, const double* re, const double* im,
                               bool isComplex)
{
  size_t parts = isComplex ? 2 : 1;
  memset(lu->x, 0, parts * (size_t)lu->n * sizeof *lu->x);
  memset(lu->marks, 0, (size_t)lu->n * sizeof(int));
  memset(factors->places, -1, (size_t)lu->n * sizeof(int));
  factors->upperStarts[0] = 0;
  for (int k = 0; k < lu->n; ++k) {
    crStatus status = reserve(lu, factors, factors->upperStarts[k], parts);
    if (status != cr_ok) {
      return status;
    }
    findRows(lu, factors, k);
    load(lu, factors->scales, lu->order[k], isComplex, re, im, lu->x);
    double sum = eliminate(factors, k, isComplex, lu->x);
    if (!choosePivot(lu, factors, k, isComplex) || !isfinite(sum + store(factors, k, isComplex, lu->x))) {
      return cr_retry;
    }
    prune(lu, factors, k, parts);
  }
  return cr_ok;
}

CR_INLINE crStatus factorize(crColumnLu* lu, const double* re, const double* im, bool keepsPivots, bool isComplex)
{
  crColumnFactors* factors = &lu->factors[isComplex];
  bool canRepeat = keepsPivots && factors->isThere;
  crStatus status = cr_retry;
  if (scaleRows(lu, re, im, factors->scales)) {
    status = canRepeat && repeatColumns(lu, factors, re, im, isComplex) ? cr_ok
                                                                        : findColumns(lu, factors, re, im, isComplex);
  }
  factors->isThere = status == cr_ok;
  return status;
}

crStatus crColumnLu_Factorize(crColumnLu* lu, const double* re, const double* im, bool keepsPivots)
{
  return im == NULL ? factorize(lu, re, NULL, keepsPivots, false) : factorize(lu, re, im, keepsPivots, true);
}

// --------------------------------------------------------------------------------------------- solution

CR_INLINE void solve(crColumnLu* lu, double* b, double* bIm)
{
  bool isComplex = bIm != NULL;
  const crColumnFactors* factors = &lu->factors[isComplex];
  const int *upperStarts = factors->upperStarts, *lowerStarts = factors->lowerStarts;
  size_t parts = isComplex ? 2 : 1;
  double* x = lu->x;
  for (int i = 0; i < lu->n; ++i) {
    double* y = x + parts * (size_t)i;
    y[0] = b[i] * factors->scales[i];
    if (bIm != NULL) {
      y[1] = bIm[i] * factors->scales[i];
    }
  }
  for (int k = 0; k < lu->n; ++k) {
    subtract(factors, lowerStarts[k], upperStarts[k + 1], isComplex, x + parts * (size_t)factors->pivotRows[k], x);
  }
  for (int k = lu->n - 1; k >= 0; --k) {
    double* y = x + parts * (size_t)factors->pivotRows[k];
    multiply(factors->inverses + parts * (size_t)k, isComplex, y);
    b[lu->order[k]] = y[0];
    if (bIm != NULL) {
      bIm[lu->order[k]] = y[1];
    }
    subtract(factors, upperStarts[k], lowerStarts[k], isComplex, y, x);
  }
}

void crColumnLu_Solve(crColumnLu* lu, double* b, double* bIm)
{
  if (bIm == NULL) {
    solve(lu, b, NULL);
  } else {
    solve(lu, b, bIm);
  }
}

// ---------------------------------------------------------------------------------------------- archive

// Factors with pivots that are known. false: a pivot is not there.
static bool followPivots(crColumnLu* lu, crColumnFactors* factors, const int* pivots, const double* re,
                         const double* im)
{
  bool isComplex = im != NULL;
  size_t parts = isComplex ? 2 : 1;
  memset(lu->x, 0, parts * (size_t)lu->n * sizeof *lu->x);
  memset(lu->marks, 0, (size_t)lu->n * sizeof(int));
  memset(factors->places, -1, (size_t)lu->n * sizeof(int));
  factors->upperStarts[0] = 0;
  for (int k = 0; k < lu->n; ++k) {
    if (reserve(lu, factors, factors->upperStarts[k], parts) != cr_ok) {
      return false;
    }
    findRows(lu, factors, k);
    load(lu, factors->scales, lu->order[k], isComplex, re, im, lu->x);
    eliminate(factors, k, isComplex, lu->x);
    int entry = factors->lowerStarts[k], end = factors->upperStarts[k + 1];
    while (entry < end && factors->rows[entry] != pivots[k]) {
      ++entry;
    }
    if (entry == end) {
      return false;
    }
    takePivot(factors, k, entry);
    store(factors, k, isComplex, lu->x);
    prune(lu, factors, k, parts);
  }
  return true;
}

void crColumnLu_Archive(crArchive* archive, crColumnLu* lu, const double* re, const double* im, bool isOther)
{
  crColumnFactors* factors = &lu->factors[im != NULL];
  crArchive_Bool(archive, &factors->isThere);
  if (!factors->isThere) {
    return;
  }
  int* pivots = archive->isReading ? crArena_AllocateZero(&lu->arena, (size_t)lu->n, sizeof(int)) : factors->pivotRows;
  if (pivots == NULL) {
    crArchive_Fail(archive, cr_errorMemory);
    return;
  }
  for (int k = 0; k < lu->n; ++k) {
    crArchive_Int(archive, &pivots[k], 0, lu->n - 1);
  }
  if (archive->isReading && crArchive_IsGood(archive)) {
    bool isRegular = scaleRows(lu, re, im, factors->scales) || isOther;
    if (!isRegular || !followPivots(lu, factors, pivots, re, im)) {
      factors->isThere = false;
      crArchive_Refuse(archive, "pivots do not fit their matrix");
    }
  }
}
