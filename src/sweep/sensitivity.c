// Indices of sensitivity by pick-freeze: samples A, B, and A with column i of B [Saltelli10]
//
//   S_i  = 1/N sum f_B (f_ABi - f_A) / V              what the input does by itself
//   ST_i = 1/(2 N) sum (f_A - f_ABi)^2 / V            what it does with all others [Jansen99]
//
// with f less its mean and V the variance of all f_A and f_B. Standard errors are those of bootstrap samples of the N
// sets.
#include "sweep/table.h"

#include <math.h>
#include <string.h>

#define CR_STREAM_BOOTSTRAP 0x50000000u // behind all dimensions of designs

// Outputs of complete sets of runs: A, B, AB_1, ... of each.
typedef struct Sets {
  double* values; // (count x width)
  int count, width;
} Sets;

static void collectSets(const crSweepTable* table, int output, Sets* sets)
{
  int width = sets->width;
  for (int row = 0; row + width <= table->rowCount; ++row) {
    const crSweepRow* rows = &table->rows[row];
    bool isWhole = rows[0].run % width == 0 && rows[width - 1].run == rows[0].run + width - 1;
    for (int k = 0; isWhole && k < width; ++k) {
      isWhole = isfinite(rows[k].outputs[output]);
    }
    for (int k = 0; isWhole && k < width; ++k) {
      sets->values[(size_t)sets->count * (size_t)width + (size_t)k] = rows[k].outputs[output];
    }
    sets->count += isWhole;
  }
}

// Of the sets that `picked` names, or of all.
static void estimate(const Sets* sets, const int* picked, crSensitivity* outIndices)
{
  int inputs = sets->width - 2;
  double sum = 0.0, squares = 0.0, n = sets->count;
  for (int j = 0; j < sets->count; ++j) {
    const double* f = sets->values + (size_t)(picked != NULL ? picked[j] : j) * (size_t)sets->width;
    sum += f[0] + f[1];
  }
  double mean = sum / (2.0 * n);
  for (int i = 0; i < inputs; ++i) {
    outIndices[i].first = outIndices[i].total = 0.0;
  }
  for (int j = 0; j < sets->count; ++j) {
    const double* f = sets->values + (size_t)(picked != NULL ? picked[j] : j) * (size_t)sets->width;
    squares += (f[0] - mean) * (f[0] - mean) + (f[1] - mean) * (f[1] - mean);
    for (int i = 0; i < inputs; ++i) {
      outIndices[i].first += (f[1] - mean) * (f[2 + i] - f[0]);
      outIndices[i].total += 0.5 * (f[0] - f[2 + i]) * (f[0] - f[2 + i]);
    }
  }
  double variance = squares / (2.0 * n);
  for (int i = 0; i < inputs; ++i) {
    outIndices[i].first /= n * variance;
    outIndices[i].total /= n * variance;
  }
}

// Deviations of the estimates over bootstrap samples.
static void estimateErrors(const Sets* sets, int replicates, int* picked, crSensitivity* scratch,
                           crSensitivity* outIndices)
{
  int inputs = sets->width - 2;
  for (int i = 0; i < inputs; ++i) { // means, then sums of squares, by Welford
    outIndices[i].firstError = outIndices[i].totalError = 0.0;
    scratch[inputs + i] = (crSensitivity){ 0 };
  }
  for (int r = 0; r < replicates; ++r) {
    for (int j = 0; j < sets->count; ++j) {
      double u = crRandomUnit((uint64_t)r, (uint64_t)j, CR_STREAM_BOOTSTRAP);
      picked[j] = (int)(u * sets->count);
    }
    estimate(sets, picked, scratch);
    for (int i = 0; i < inputs; ++i) {
      crSensitivity* mean = &scratch[inputs + i];
      double first = scratch[i].first - mean->first, total = scratch[i].total - mean->total;
      mean->first += first / (r + 1);
      mean->total += total / (r + 1);
      outIndices[i].firstError += first * (scratch[i].first - mean->first);
      outIndices[i].totalError += total * (scratch[i].total - mean->total);
    }
  }
  for (int i = 0; i < inputs; ++i) {
    outIndices[i].firstError = sqrt(outIndices[i].firstError / (replicates - 1));
    outIndices[i].totalError = sqrt(outIndices[i].totalError / (replicates - 1));
  }
}

crStatus crSweepTable_ComputeSensitivity(const crSweepTable* table, int output, int replicates,
                                         const crAllocator* allocator, crSensitivity* outIndices, int* outCount)
{
  if (table == NULL || outIndices == NULL || output < 0 || output >= table->outputCount || replicates < 0 ||
      table->text.def.design == NULL || strcmp(table->text.def.design, crDesign_GetText(cr_designSensitivity)) != 0) {
    return cr_errorMisuse;
  }
  crAllocator chosen = crChooseAllocator(allocator);
  crArena arena;
  crArena_Init(&arena, &chosen);
  size_t most = (size_t)table->rowCount + 1;
  Sets sets = { .width = table->inputCount + 2 };
  sets.values = crArena_AllocateZero(&arena, most, sizeof(double));
  int* picked = crArena_AllocateZero(&arena, most, sizeof *picked);
  crSensitivity* scratch = crArena_AllocateZero(&arena, 2 * (size_t)table->inputCount, sizeof *scratch);
  crStatus status = sets.values != NULL && picked != NULL && scratch != NULL ? cr_ok : cr_errorMemory;
  if (status == cr_ok) {
    collectSets(table, output, &sets);
    estimate(&sets, NULL, outIndices);
    estimateErrors(&sets, replicates > 1 ? replicates : 500, picked, scratch, outIndices);
  }
  if (outCount != NULL) {
    *outCount = sets.count;
  }
  crArena_Free(&arena);
  return status;
}
