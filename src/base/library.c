// The library that a thread is in, and whether one has failed.
#include "base/library.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local const char* volatile current;
static atomic_bool hasAnyFailed;

void crEnterLibrary(const char* name)
{
  current = name;
  errno = 0;
}

bool crIsMemoryShort(void)
{
  return errno == ENOMEM;
}

void crLeaveLibrary(bool hasFailed)
{
  current = NULL;
  if (hasFailed) {
    atomic_store(&hasAnyFailed, true);
  }
}

const char* crGetLibrary(void)
{
  return current;
}

bool crHasLibraryFailed(void)
{
  return atomic_load(&hasAnyFailed);
}
