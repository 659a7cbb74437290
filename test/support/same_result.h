// Two results with the same records, to the last bit.
#ifndef CR_TEST_SAME_RESULT_H
#define CR_TEST_SAME_RESULT_H

#include "carom/record.h"

// Fails unless rows, columns, poses, events and contacts are the same.
void assert_same_records(const crResult* a, const crResult* b);

#endif
