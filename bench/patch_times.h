// What one patch of two shapes costs, with the force of it: the heart of flat contact.
#ifndef CR_BENCH_PATCH_TIMES_H
#define CR_BENCH_PATCH_TIMES_H

#include <stdbool.h>

// Prints a row for each pair of shapes. False: one takes longer than asked for.
bool printPatchTimes(void);

#endif
