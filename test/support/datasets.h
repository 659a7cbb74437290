// Comparing result files bit by bit.
#ifndef CR_TEST_DATASETS_H
#define CR_TEST_DATASETS_H

#include "support/test.h"

// Whether two HDF5 files have the same datasets, groups and attributes of the root, with the same types, sizes and
// bytes. outDifference says what differs first.
#define CR_DIFFERENCE_SIZE 512
bool crAreDatasetsAlike(const char* pathA, const char* pathB, char outDifference[CR_DIFFERENCE_SIZE]);

// Whether a file is what another one was before it was finished: the first rows of its datasets, and of its objects
// those that were there. Attributes have to be readable. outDifference says what is wrong first.
bool crAreFirstRows(const char* path, const char* wholePath, char outDifference[CR_DIFFERENCE_SIZE]);

// Fails unless they are alike.
void crAssertSameDatasets(const char* pathA, const char* pathB);

#endif
