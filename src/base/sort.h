// Sorting in place, without memory of its own.
#ifndef CR_BASE_SORT_H
#define CR_BASE_SORT_H

#include <stdint.h>

// Ascending. Not qsort, which may allocate behind our allocator's back.
void crSortKeys(uint64_t* keys, int count);

#endif
