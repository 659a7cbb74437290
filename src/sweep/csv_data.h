// Tables of measurements as CSV: a line of names, then numbers.
#ifndef CR_SWEEP_CSV_DATA_H
#define CR_SWEEP_CSV_DATA_H

#include "base/memory.h"

typedef struct crCsvData {
  const char** names; // (columnCount) without units in brackets
  int columnCount, rowCount;
  double* values; // (rowCount x columnCount); NaN where nothing stands
} crCsvData;

// Memory from the arena. Separators are commas, or semicolons or tabs if the first line has no comma; lines that begin
// with # and empty ones are left out. What is no number is reported with its line.
crStatus crReadCsvData(crCsvData* data, const char* path, crArena* arena, const crErrorSink* sink);

int crCsvData_Find(const crCsvData* data, const char* name); // -1: none

#endif
