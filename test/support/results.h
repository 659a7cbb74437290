// Results for tests whose numbers are known by a formula.
#ifndef CR_TEST_RESULTS_H
#define CR_TEST_RESULTS_H

#include "carom/result.h"
#include "support/test.h"

// The value in row r, column c: small and large numbers, every third column resting.
double crTestValue(int row, int column);
double crTestTime(int row); // [s]

// Column names "body<c>.x" with unit m, rad or 1. The caller frees them with crFreeTestColumns.
crColumn* crMakeTestColumns(int count);
void crFreeTestColumns(crColumn* columns, int count);

// Writes rows first to first + count - 1; fails the test when that does not work.
void crAddTestRows(crResultWriter* writer, int columnCount, int first, int count);

// A finished file with an event every ten rows.
void crWriteTestResult(const char* path, int columnCount, int rowCount);
crResult* crReadTestResult(const char* path);

// Fails unless the result holds the first rows by the formula, all of its columns.
void crAssertTestRows(const crResult* result);

#endif
