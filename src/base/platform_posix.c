// What has to be done where the system is POSIX.
#include "base/platform.h"

#ifndef _WIN32

// A file that is opened takes the smallest free number: without this, what is printed would go into results when the
// tool is started with its output closed. Opened for reading, it still fails when it is written to.
static void keepStandardNumbers(void)
{
  for (int i = 0; i <= 2; ++i) {
    if (fcntl(i, F_GETFD) < 0 && errno == EBADF) {
      (void)open("/dev/null", O_RDONLY);
    }
  }
}

bool crPrepareProcess(int* argumentCount, char*** arguments)
{
  (void)argumentCount;
  (void)arguments;
  keepStandardNumbers();
  (void)signal(SIGXFSZ, SIG_IGN); // a file that may not grow any more is told like a full disk
  return true;
}

#endif
