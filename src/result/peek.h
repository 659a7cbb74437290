// A look at a result file without reading its rows.
#ifndef CR_RESULT_PEEK_H
#define CR_RESULT_PEEK_H

#include "base/friend.h"
#include "carom/result.h"

// false: this build writes no result files, and reads none. What is asked of them says so.
CR_FRIEND bool crHasResultFiles(void);

// Whether a result is complete. What is no result is reported.
CR_FRIEND crStatus crPeekResult(const char* path, const crAllocator* allocator, const crErrorSink* sink,
                                bool* outIsComplete);

// The variables of one row. false: there is no such row, or it has another number of variables.
CR_FRIEND bool crPeekRow(const char* path, const crAllocator* allocator, int row, int columnCount, double* outValues);

#endif
