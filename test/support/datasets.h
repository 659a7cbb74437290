// Comparing result files bit by bit.
#ifndef CR_TEST_DATASETS_H
#define CR_TEST_DATASETS_H

#include "support/test.h"

// Whether two HDF5 files have the same datasets, groups and attributes of the root, with the same types, sizes and
// bytes. outDifference says what differs first.
#define CR_DIFFERENCE_SIZE 512
bool crAreDatasetsAlike(const char* pathA, const char* pathB, char outDifference[CR_DIFFERENCE_SIZE]);

// Fails unless they are alike.
void crAssertSameDatasets(const char* pathA, const char* pathB);

#endif
