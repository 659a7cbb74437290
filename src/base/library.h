// Calls of code of others that may end the process: HDF5 and fontconfig crash when memory is short, or call exit, and
// FMUs may do anything. A tool that owns its process can say so instead of dying without a word.
#ifndef CR_BASE_LIBRARY_H
#define CR_BASE_LIBRARY_H

#include "base/friend.h"

// Tells what this thread calls until it leaves, and clears errno. name: as a part of a sentence; it stays.
CR_FRIEND void crEnterLibrary(const char* name);

// Whether an allocation has failed since it was entered, as far as errno tells.
CR_FRIEND bool crIsMemoryShort(void);

// hasFailed: what it has left undone it may stumble over when the process ends.
CR_FRIEND void crLeaveLibrary(bool hasFailed);

// The library that this thread calls; NULL: none.
CR_FRIEND const char* crGetLibrary(void);

// Whether any was left after a failure.
CR_FRIEND bool crHasLibraryFailed(void);

#endif
