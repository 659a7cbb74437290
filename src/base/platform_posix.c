// What has to be done where the system is POSIX.
#include "base/library.h"
#include "base/platform.h"

#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>

#define CR_LARGE_BLOCK (1 << 20) // [bytes] that lies by itself: it grows without a copy, and leaves no hole behind
#endif

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
#ifdef __GLIBC__
  (void)mallopt(M_MMAP_THRESHOLD, CR_LARGE_BLOCK); // else it becomes that of the largest block that was freed
#endif
  return true;
}

void crGiveBackMemory(void)
{
#ifdef __GLIBC__
  (void)malloc_trim(0);
#endif
}

// ------------------------------------------------------------------------------------------ libraries

#define CR_GUARD_STACK 65536 // [bytes] for a library that calls itself without end

static int guardCode;

// May be called in a signal.
static void endOfLibrary(const char* library)
{
  static const char text[] = "; what was written before is kept\n";
  (void)!write(2, "carom: the process was ended by ", 32);
  (void)!write(2, library, strlen(library));
  (void)!write(2, text, sizeof text - 1);
  _exit(guardCode);
}

static void onCrash(int number)
{
  const char* library = crGetLibrary();
  if (library != NULL) {
    endOfLibrary(library);
  }
  (void)signal(number, SIG_DFL); // ours
  (void)raise(number);
}

// HDF5 calls exit where it cannot go on.
static void atEnd(void)
{
  const char* library = crGetLibrary();
  if (library != NULL) {
    endOfLibrary(library);
  }
}

void crGuardProcess(int exitCode)
{
  guardCode = exitCode;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // which tell more
  static char stack[CR_GUARD_STACK];
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE };
  stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action = { .sa_handler = onCrash, .sa_flags = SA_ONSTACK | SA_NODEFER };
  (void)sigaltstack(&other, NULL);
  for (int i = 0; i < 4; ++i) {
    (void)sigaction(numbers[i], &action, NULL);
  }
#endif
  (void)atexit(atEnd);
}

int crEndProcess(int exitCode)
{
  if (crHasLibraryFailed()) {
    (void)fflush(NULL);
    _exit(exitCode);
  }
  return exitCode;
}

#endif
