// Sweeps in tests: a small model, and tables that are compared.
#ifndef CR_TEST_SWEEPS_H
#define CR_TEST_SWEEPS_H

#include "carom/sweep.h"

// Writes drop.lua into the folder of the test: a ball falls onto a table. Parameters: height, cor, kind, fails. A model
// whose height is below `fails` has an error.
const char* crWriteDropModel(void);

// Reads the table of a folder of the test, which must be whole and without warnings.
crSweepTable* crReadTestTable(const char* name);

// Fails unless both hold the same rows bit by bit, CPU times excepted.
#define assert_same_table(a, b) crAssertSameTable((a), (b), __FILE__, __LINE__)
void crAssertSameTable(const crSweepTable* a, const crSweepTable* b, const char* file, int line);

// Starts the tool on a sweep of drop.lua in a folder of the test again and again, two threads each, and kills it by
// signal 9 within `seconds`; then lets it end. Returns how many died while they ran.
int crKillSweep(const char* name, int runs, int kills, double seconds);
// The same sweep by one thread, undisturbed.
void crRunCalmSweep(const char* name, int runs);

#endif
