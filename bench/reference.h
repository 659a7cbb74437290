// Positions that runs are compared with: bench/references.txt.
#ifndef CR_BENCH_REFERENCE_H
#define CR_BENCH_REFERENCE_H

#include "measure.h"

// [m] Largest difference of a coordinate from the reference of this name; NaN: there is none, or an object is missing.
double findReferenceError(const char* name, const Outcome* outcome);

// Positions of ball0, ball1, ...; false: not all of them are there.
bool readReferenceBalls(const char* name, int count, double (*positions)[3]);

// Prints positions as a block of the file, with what is known about them.
void printReference(const char* name, const char* how, const Outcome* outcome);

#endif
