// Multifrontal factorization and solution.
//
// Factors of a front with p pivots and r rows behind them: p rows of `stride` places, U with the inverses of pivots on
// its diagonal and L left of it, then r rows of p places, the rest of L.
#include "solve/block_lu.h"

#include "solve/front.h"

#include <string.h>

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
    size_t pivots = (size_t)front->pivotCount, rest = (size_t)(front->size - front->pivotCount);
    lu->offsets[i] = factorCount;
    lu->firstSwaps[i] = swapCount;
    factorCount += pivots * (size_t)front->stride + rest * pivots;
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

// Adds the Schur complement of a child, `rest` rows wide, to the front of its parent.
static void addChild(const int* places, int rest, const double* child, int stride, double* front)
{
  for (int i = 0; i < rest; ++i) {
    double* row = front + (size_t)places[i] * (size_t)stride;
    const double* from = child + (size_t)i * (size_t)rest;
    for (int j = 0; j < rest; ++j) {
      row[places[j]] += from[j];
    }
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
  size_t stride = (size_t)front->stride, pivots = (size_t)front->pivotCount, rest = (size_t)front->size - pivots;
  memcpy(factors, from, pivots * stride * sizeof *from);
  factors += pivots * stride;
  for (size_t i = 0; i < rest; ++i) {
    const double* row = from + (pivots + i) * stride;
    memcpy(factors + i * pivots, row, pivots * sizeof *row);
    memcpy(complement + i * rest, row + pivots, rest * sizeof *row);
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
      const int* places = graph->parentPlaces + last->firstPlace;
      used -= (size_t)rest * (size_t)rest;
      addChild(places, rest, lu->stack + used, front->stride, dense.re);
      if (im != NULL) {
        addChild(places, rest, lu->stackIm + used, front->stride, dense.im);
      }
    }
    if (!crFront_Eliminate(&dense, factors->swaps + lu->firstSwaps[i])) {
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

static void gather(const int* indices, int count, const double* from, double* to)
{
  for (int i = 0; i < count; ++i) {
    to[i] = from[indices[i]];
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

// sum of a[k] x[k]; in lanes, added up in a fixed order
static double dot(const double* a, const double* x, int count)
{
  double lanes[CR_FRONT_LANES] = { 0.0 };
  int k = 0;
  for (; k + CR_FRONT_LANES <= count; k += CR_FRONT_LANES) {
    for (int lane = 0; lane < CR_FRONT_LANES; ++lane) {
      lanes[lane] += a[k + lane] * x[k + lane];
    }
  }
  for (int lane = 0; k < count; ++k, ++lane) {
    lanes[lane] += a[k] * x[k];
  }
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// Row `a` of L or U times x, real or complex, taken from place i.
static void subtractRow(const double* re, const double* im, const double* x, const double* xIm, int count, double* b,
                        double* bIm)
{
  if (im == NULL) {
    *b -= dot(re, x, count);
    return;
  }
  *b -= dot(re, x, count) - dot(im, xIm, count);
  *bIm -= dot(re, xIm, count) + dot(im, x, count);
}

static void solveForward(const crBlockFront* front, const double* re, const double* im, double* x, double* xIm)
{
  int pivots = front->pivotCount;
  for (int i = 0; i < front->size; ++i) {
    bool isPivot = i < pivots;
    size_t row = isPivot ? (size_t)i * (size_t)front->stride
                         : (size_t)pivots * (size_t)front->stride + (size_t)(i - pivots) * (size_t)pivots;
    subtractRow(re + row, im != NULL ? im + row : NULL, x, xIm, isPivot ? i : pivots, &x[i], &xIm[i]);
  }
}

static void solveBackward(const crBlockFront* front, const double* re, const double* im, double* x, double* xIm)
{
  for (int i = front->pivotCount - 1; i >= 0; --i) {
    size_t row = (size_t)i * (size_t)front->stride, next = row + (size_t)i + 1;
    subtractRow(re + next, im != NULL ? im + next : NULL, x + i + 1, xIm + i + 1, front->size - i - 1, &x[i], &xIm[i]);
    double inverse = re[row + (size_t)i], inverseIm = im != NULL ? im[row + (size_t)i] : 0.0, y = x[i];
    x[i] = im != NULL ? y * inverse - xIm[i] * inverseIm : y * inverse;
    xIm[i] = im != NULL ? y * inverseIm + xIm[i] * inverse : 0.0;
  }
}

void crBlockLu_Solve(crBlockLu* lu, double* b, double* bIm)
{
  const crBlockGraph* graph = &lu->graph;
  const crBlockFactors* factors = bIm != NULL ? &lu->complex : &lu->real;
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < graph->frontCount; ++k) {
      int number = pass == 0 ? k : graph->frontCount - 1 - k;
      const crBlockFront* front = &graph->fronts[number];
      const int *indices = graph->indices + front->firstIndex, *swaps = factors->swaps + lu->firstSwaps[number];
      const double* re = factors->re + lu->offsets[number];
      const double* im = bIm != NULL ? factors->im + lu->offsets[number] : NULL;
      gather(indices, front->size, b, lu->x);
      if (bIm != NULL) {
        gather(indices, front->size, bIm, lu->xIm);
      }
      if (pass == 0) {
        swapPivots(swaps, front->pivotCount, lu->x);
        swapPivots(swaps, front->pivotCount, lu->xIm);
      }
      (pass == 0 ? solveForward : solveBackward)(front, re, im, lu->x, lu->xIm);
      scatter(indices, front->size, lu->x, b);
      if (bIm != NULL) {
        scatter(indices, front->size, lu->xIm, bIm);
      }
    }
  }
}
