// Multifrontal factorization and solution.
//
// Factors of a front with p pivots: p columns of L, then p rows of U, with `stride` places each; 0 where they have
// nothing, so that products go over whole lanes, and the inverses of pivots on the diagonal of U.
#include "solve/block_lu.h"

#include "solve/front.h"

#include <math.h>
#include <string.h>

// Largest size in L. Numbers grow by as much, and 1e-8 is enough for the corrections of an iteration.
#define CR_MAX_FACTOR 1e8

void crBlockLu_Init(crBlockLu* lu, const crAllocator* allocator)
{
  *lu = (crBlockLu){ 0 };
  crArena_Init(&lu->arena, allocator);
}

void crBlockLu_Free(crBlockLu* lu)
{
  crArena_Free(&lu->arena);
}

// --------------------------------------------------------------------------------------------- analysis

static bool allocate(crBlockLu* lu, double** out, size_t count)
{
  *out = crArena_Allocate(&lu->arena, (count + CR_FRONT_LANES) * sizeof **out);
  return *out != NULL;
}

static bool allocateFactors(crBlockLu* lu, crBlockFactors* factors, size_t count, bool isComplex)
{
  factors->swaps = crArena_AllocateZero(&lu->arena, (size_t)lu->graph.n + 1, sizeof(int));
  return factors->swaps != NULL && allocate(lu, &factors->re, count) &&
         (!isComplex || allocate(lu, &factors->im, count));
}

static bool allocateAll(crBlockLu* lu)
{
  const crBlockGraph* graph = &lu->graph;
  size_t factorCount = 0, largest = (size_t)graph->largestFront, stride = largest + CR_FRONT_LANES;
  int swapCount = 0;
  lu->offsets = crArena_AllocateZero(&lu->arena, (size_t)graph->frontCount + 1, sizeof *lu->offsets);
  lu->firstSwaps = crArena_AllocateZero(&lu->arena, (size_t)graph->frontCount + 1, sizeof *lu->firstSwaps);
  lu->waiting = crArena_AllocateZero(&lu->arena, (size_t)graph->frontCount + 1, sizeof *lu->waiting);
  if (lu->offsets == NULL || lu->firstSwaps == NULL || lu->waiting == NULL) {
    return false;
  }
  for (int i = 0; i < graph->frontCount; ++i) {
    const crBlockFront* front = &graph->fronts[i];
    lu->offsets[i] = factorCount;
    lu->firstSwaps[i] = swapCount;
    factorCount += 2 * (size_t)front->pivotCount * (size_t)front->stride;
    swapCount += front->pivotCount;
  }
  return allocateFactors(lu, &lu->real, factorCount, false) && allocateFactors(lu, &lu->complex, factorCount, true) &&
         allocate(lu, &lu->front, largest * stride) && allocate(lu, &lu->frontIm, largest * stride) &&
         allocate(lu, &lu->stack, graph->largestStack) && allocate(lu, &lu->stackIm, graph->largestStack) &&
         allocate(lu, &lu->x, stride) && allocate(lu, &lu->xIm, stride);
}

crStatus crBlockLu_Analyze(crBlockLu* lu, int n, const int* starts, const int* rows)
{
  crAllocator allocator = lu->arena.allocator;
  crBlockLu_Free(lu);
  crBlockLu_Init(lu, &allocator);
  crStatus status = crMakeBlockGraph(n, starts, rows, &lu->arena, &lu->graph);
  return status != cr_ok ? status : allocateAll(lu) ? cr_ok : cr_errorMemory;
}

// ---------------------------------------------------------------------------------------- factorization

// Adds the Schur complement of a child, `rest` rows wide, to the front of its parent, run by run.
static void addChild(const crBlockGraph* graph, const crBlockFront* child, const double* from, int stride,
                     double* front)
{
  const int *places = graph->parentPlaces + child->firstPlace, *runs = graph->runs + child->firstPlace;
  int rest = child->size - child->pivotCount;
  for (int i = 0; i < rest; ++i) {
    double* row = front + (size_t)places[i] * (size_t)stride;
    for (int j = 0; j < rest; j += runs[j]) {
      double* restrict to = row + places[j];
      for (int k = 0; k < runs[j]; ++k) {
        to[k] += from[j + k];
      }
    }
    from += rest;
  }
}

static void addEntries(const crBlockGraph* graph, const crBlockFront* front, const double* values, double* out)
{
  memset(out, 0, (size_t)front->size * (size_t)front->stride * sizeof *out);
  for (int e = front->firstEntry; e < front->firstEntry + front->entryCount; ++e) {
    out[graph->entryPlaces[e]] += values[graph->entryCells[e]];
  }
}

// Takes the factors out of a front, and its Schur complement.
static void storeFront(const crBlockFront* front, const double* from, double* factors, double* complement)
{
  size_t stride = (size_t)front->stride, pivots = (size_t)front->pivotCount, size = (size_t)front->size;
  double *lower = factors, *upper = factors + pivots * stride;
  for (size_t k = 0; k < pivots; ++k) {
    const double* row = from + k * stride;
    memset(lower + k * stride, 0, stride * sizeof *lower);
    memset(upper + k * stride, 0, k * sizeof *upper);
    memcpy(upper + k * stride + k, row + k, (stride - k) * sizeof *upper);
    for (size_t j = 0; j < k; ++j) {
      lower[j * stride + k] = row[j];
    }
  }
  for (size_t i = pivots; i < size; ++i) {
    const double* row = from + i * stride;
    for (size_t j = 0; j < pivots; ++j) {
      lower[j * stride + i] = row[j];
    }
    memcpy(complement + (i - pivots) * (size - pivots), row + pivots, (size - pivots) * sizeof *row);
  }
}

bool crBlockLu_Factorize(crBlockLu* lu, const double* re, const double* im)
{
  const crBlockGraph* graph = &lu->graph;
  crBlockFactors* factors = im != NULL ? &lu->complex : &lu->real;
  size_t used = 0; // of the stack
  int* waiting = lu->waiting;
  int count = 0;
  for (int i = 0; i < graph->frontCount; ++i) {
    const crBlockFront* front = &graph->fronts[i];
    crFront dense = { front->size, front->pivotCount, front->stride, lu->front, im != NULL ? lu->frontIm : NULL };
    addEntries(graph, front, re, dense.re);
    if (im != NULL) {
      addEntries(graph, front, im, dense.im);
    }
    for (int child = 0; child < front->childCount; ++child) {
      const crBlockFront* last = &graph->fronts[waiting[--count]];
      int rest = last->size - last->pivotCount;
      used -= (size_t)rest * (size_t)rest;
      addChild(graph, last, lu->stack + used, front->stride, dense.re);
      if (im != NULL) {
        addChild(graph, last, lu->stackIm + used, front->stride, dense.im);
      }
    }
    if (!(crFront_Eliminate(&dense, factors->swaps + lu->firstSwaps[i]) <= CR_MAX_FACTOR)) {
      return false;
    }
    storeFront(front, dense.re, factors->re + lu->offsets[i], lu->stack + used);
    if (im != NULL) {
      storeFront(front, dense.im, factors->im + lu->offsets[i], lu->stackIm + used);
    }
    if (front->parent >= 0) {
      size_t rest = (size_t)(front->size - front->pivotCount);
      used += rest * rest;
      waiting[count++] = i;
    }
  }
  return true;
}

// --------------------------------------------------------------------------------------------- solution

#define CR_INLINE static inline __attribute__((always_inline))

static void gather(const int* indices, int count, int stride, const double* from, double* to)
{
  for (int i = 0; i < count; ++i) {
    to[i] = from[indices[i]];
  }
  for (int i = count; i < stride; ++i) {
    to[i] = 0.0;
  }
}

static void scatter(const int* indices, int count, const double* from, double* to)
{
  for (int i = 0; i < count; ++i) {
    to[indices[i]] = from[i];
  }
}

static void swapPivots(const int* swaps, int count, double* x)
{
  for (int k = 0; k < count; ++k) {
    double kept = x[k];
    x[k] = x[swaps[k]];
    x[swaps[k]] = kept;
  }
}

typedef double Lanes __attribute__((vector_size(CR_FRONT_LANES * sizeof(double)), aligned(8)));

CR_INLINE double addLanes(Lanes a)
{
  return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

// Lanes of x from place i on, less `count` columns of L times the x of their pivots.
CR_INLINE void subtractColumns(int i, int count, int stride, bool isComplex, const double* re, const double* im,
                               double* x, double* xIm)
{
  Lanes sum = *(const Lanes*)(x + i), sumIm = *(const Lanes*)(xIm + i);
  for (int k = 0; k < count; ++k) {
    size_t place = (size_t)k * (size_t)stride + (size_t)i;
    Lanes l = *(const Lanes*)(re + place);
    if (isComplex) {
      Lanes lIm = *(const Lanes*)(im + place);
      sum -= l * x[k] - lIm * xIm[k];
      sumIm -= l * xIm[k] + lIm * x[k];
    } else {
      sum -= l * x[k];
    }
  }
  *(Lanes*)(x + i) = sum;
  if (isComplex) {
    *(Lanes*)(xIm + i) = sumIm;
  }
}

// x of all rows less the columns of L times the pivots' x: column by column for the lanes of the pivots, then for each
// of the others all columns at once.
CR_INLINE void solveForward(const crBlockFront* front, bool isComplex, const double* re, const double* im, double* x,
                            double* xIm)
{
  int stride = front->stride, pivots = front->pivotCount;
  int end = (pivots + CR_FRONT_LANES - 1) / CR_FRONT_LANES * CR_FRONT_LANES;
  for (int k = 0; k < pivots; ++k) {
    double a = x[k], b = isComplex ? xIm[k] : 0.0;
    const double* column = re + (size_t)k * (size_t)stride;
    const double* columnIm = im + (isComplex ? (size_t)k * (size_t)stride : 0);
    for (int i = k / CR_FRONT_LANES * CR_FRONT_LANES; i < end; i += CR_FRONT_LANES) {
      Lanes l = *(const Lanes*)(column + i);
      if (isComplex) {
        Lanes lIm = *(const Lanes*)(columnIm + i);
        *(Lanes*)(x + i) -= l * a - lIm * b;
        *(Lanes*)(xIm + i) -= l * b + lIm * a;
      } else {
        *(Lanes*)(x + i) -= l * a;
      }
    }
  }
  for (int i = end; i < stride; i += CR_FRONT_LANES) {
    subtractColumns(i, pivots, stride, isComplex, re, im, x, xIm);
  }
}

// The pivots' x from the rows of U.
CR_INLINE void solveBackward(const crBlockFront* front, bool isComplex, const double* re, const double* im, double* x,
                             double* xIm)
{
  int stride = front->stride;
  for (int k = front->pivotCount - 1; k >= 0; --k) {
    const double *row = re + (size_t)k * (size_t)stride, *rowIm = im + (isComplex ? (size_t)k * (size_t)stride : 0);
    double a = x[k], b = isComplex ? xIm[k] : 0.0, inverse = row[k], inverseIm = isComplex ? rowIm[k] : 0.0;
    Lanes sum = { 0.0 }, sumIm = { 0.0 };
    x[k] = 0.0;
    xIm[k] = 0.0;
    for (int i = k / CR_FRONT_LANES * CR_FRONT_LANES; i < stride; i += CR_FRONT_LANES) {
      Lanes u = *(const Lanes*)(row + i), y = *(const Lanes*)(x + i);
      if (isComplex) {
        Lanes uIm = *(const Lanes*)(rowIm + i), yIm = *(const Lanes*)(xIm + i);
        sum += u * y - uIm * yIm;
        sumIm += u * yIm + uIm * y;
      } else {
        sum += u * y;
      }
    }
    a -= addLanes(sum);
    b -= isComplex ? addLanes(sumIm) : 0.0;
    x[k] = a * inverse - b * inverseIm;
    xIm[k] = a * inverseIm + b * inverse;
  }
}

// x of a front out of b, one of the passes, and back.
CR_INLINE void solveFront(crBlockLu* lu, int number, bool isForward, bool isComplex, double* b, double* bIm)
{
  const crBlockGraph* graph = &lu->graph;
  const crBlockFront* front = &graph->fronts[number];
  const crBlockFactors* factors = isComplex ? &lu->complex : &lu->real;
  const int *indices = graph->indices + front->firstIndex, *swaps = factors->swaps + lu->firstSwaps[number];
  size_t offset = lu->offsets[number] + (isForward ? 0 : (size_t)front->pivotCount * (size_t)front->stride);
  const double *re = factors->re + offset, *im = isComplex ? factors->im + offset : re;
  gather(indices, front->size, front->stride, b, lu->x);
  if (isComplex) {
    gather(indices, front->size, front->stride, bIm, lu->xIm);
  }
  if (isForward) {
    swapPivots(swaps, front->pivotCount, lu->x);
    swapPivots(swaps, isComplex ? front->pivotCount : 0, lu->xIm);
    solveForward(front, isComplex, re, im, lu->x, lu->xIm);
  } else {
    solveBackward(front, isComplex, re, im, lu->x, lu->xIm);
  }
  int count = isForward ? front->size : front->pivotCount;
  scatter(indices, count, lu->x, b);
  scatter(indices, isComplex ? count : 0, lu->xIm, bIm);
}

void crBlockLu_Solve(crBlockLu* lu, double* b, double* bIm)
{
  int count = lu->graph.frontCount;
  for (int i = 0; i < 2 * count; ++i) {
    int number = i < count ? i : 2 * count - 1 - i;
    if (bIm == NULL) {
      solveFront(lu, number, i < count, false, b, NULL);
    } else {
      solveFront(lu, number, i < count, true, b, bIm);
    }
  }
}
