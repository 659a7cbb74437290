#include "fmu/dependencies.h"

// The pattern by rows from that by columns, in two passes: counts, then places.
static void transpose(int n, const int* columnStarts, const int* rows, int* starts, int* next, int* columns)
{
  for (int i = 0; i < columnStarts[n]; ++i) {
    ++starts[rows[i] + 1];
  }
  for (int i = 0; i < n; ++i) {
    starts[i + 1] += starts[i];
    next[i] = starts[i];
  }
  for (int column = 0; column < n; ++column) {
    for (int i = columnStarts[column]; i < columnStarts[column + 1]; ++i) {
      columns[next[rows[i]]++] = column;
    }
  }
}

crStatus crFindDependencies(const crModel* model, crArena* arena, crDependencies* outDependencies)
{
  *outDependencies = (crDependencies){ NULL, NULL };
  crTreeSet set = crModel_GetAllTrees(model);
  int n = crModel_CountStates(model, set), count = 0;
  if (n == 0 || crModel_GetSize(model).pairCount > 0) {
    return cr_ok;
  }
  crStatus status = crModel_GetSparsity(model, set, NULL, NULL, &count);
  if (status != cr_ok) {
    return status;
  }
  size_t places = (size_t)n + 1, entries = (size_t)count + 1;
  int* columnStarts = crArena_AllocateZero(arena, places, sizeof *columnStarts);
  int* rows = crArena_AllocateZero(arena, entries, sizeof *rows);
  int* starts = crArena_AllocateZero(arena, places, sizeof *starts);
  int* next = crArena_AllocateZero(arena, places, sizeof *next);
  int* columns = crArena_AllocateZero(arena, entries, sizeof *columns);
  if (columnStarts == NULL || rows == NULL || starts == NULL || next == NULL || columns == NULL) {
    return cr_errorMemory;
  }
  status = crModel_GetSparsity(model, set, columnStarts, rows, &count);
  transpose(n, columnStarts, rows, starts, next, columns);
  *outDependencies = (crDependencies){ starts, columns };
  return status;
}
