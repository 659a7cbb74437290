// Distances of points from random involutes, against a computation in 113 bits that knows their equation alone.
#ifndef CR_TEST_INVOLUTE_TRUTH_H
#define CR_TEST_INVOLUTE_TRUTH_H

#include <stdint.h>

// The largest error of `count` points, over the size of their involutes and how far away they are.
double crCompareInvolutes(uint64_t seed, int count);

#endif
