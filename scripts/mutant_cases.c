// Linked by scripts/mutate.py in front of cmocka into a test: its cases run one by one, those that are asked for alone.
// CAROM_CASES=NAME:SECONDS,… runs these in this order, each with so much CPU time at most, and ends the process at the
// first that fails. CAROM_COUNT=FILE runs every case in a process of its own and adds a line to FILE for each: whether
// it is right, its CPU time [s], its name, and the places of the code that it reached, by their numbers in the table of
// clang's -fsanitize-coverage=inline-bool-flag,pc-table, which CAROM_PLACES=FILE has, as offsets in the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNTED_SECONDS 6.0 // of CPU time for a case that is counted; what it has reached till then counts

typedef int RunGroup(const char* name, const struct CMUnitTest* tests, size_t count, CMFixtureFunction setup,
                     CMFixtureFunction teardown);

extern char __executable_start;
static bool* flagsBegin;
static bool* flagsEnd;
static const uintptr_t* places;
static FILE* counts;

void __sanitizer_cov_bool_flag_init(bool* start, bool* stop);
void __sanitizer_cov_pcs_init(const uintptr_t* begin, const uintptr_t* end);
int _cmocka_run_group_tests(const char* name, const struct CMUnitTest* tests, size_t count, CMFixtureFunction setup,
                            CMFixtureFunction teardown);

void __sanitizer_cov_bool_flag_init(bool* start, bool* stop)
{
  flagsBegin = start;
  flagsEnd = stop;
}

void __sanitizer_cov_pcs_init(const uintptr_t* begin, const uintptr_t* end)
{
  (void)end;
  places = begin;
}

static void writePlaces(void)
{
  const char* path = getenv("CAROM_PLACES");
  FILE* file = path != NULL ? fopen(path, "w") : NULL;
  if (file != NULL) {
    for (ptrdiff_t i = 0; i < flagsEnd - flagsBegin; ++i) {
      fprintf(file, "%lx %lu\n", (unsigned long)(places[2 * i] - (uintptr_t)&__executable_start),
              (unsigned long)(places[2 * i + 1] & 1));
    }
    fclose(file);
  }
}

static void limitTime(double seconds)
{
  struct itimerval timer = { .it_value = { (time_t)seconds,
                                           (suseconds_t)(1e6 * (seconds - (double)(time_t)seconds)) } };
  setitimer(ITIMER_PROF, &timer, NULL);
}

static double readSeconds(void)
{
  struct rusage own, children;
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  return (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
         1e-6 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec + children.ru_utime.tv_usec +
                         children.ru_stime.tv_usec);
}

static void writeCount(const char* name, int state)
{
  fprintf(counts, "%d %.3f %s", state, readSeconds(), name);
  for (ptrdiff_t i = 0; i < flagsEnd - flagsBegin; ++i) {
    if (flagsBegin[i]) {
      fprintf(counts, " %ld", (long)i);
    }
  }
  fputc('\n', counts);
  fflush(counts);
}

static const char* counted; // the case that runs

static void endCounting(int signal)
{
  (void)signal;
  writeCount(counted, 2);
  _exit(0);
}

static void countCase(RunGroup* runGroup, const struct CMUnitTest* test, CMFixtureFunction setup,
                      CMFixtureFunction teardown)
{
  pid_t child = fork();
  if (child == 0) {
    counted = test->name;
    memset(flagsBegin, 0, (size_t)(flagsEnd - flagsBegin));
    signal(SIGPROF, endCounting);
    limitTime(COUNTED_SECONDS);
    int state = runGroup(test->name, test, 1, setup, teardown) != 0;
    limitTime(0.0);
    writeCount(test->name, state);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

int _cmocka_run_group_tests(const char* name, const struct CMUnitTest* tests, size_t count, CMFixtureFunction setup,
                            CMFixtureFunction teardown)
{
  RunGroup* runGroup = (RunGroup*)dlsym(RTLD_NEXT, "_cmocka_run_group_tests");
  const char* cases = getenv("CAROM_CASES");
  const char* path = getenv("CAROM_COUNT");
  if (path != NULL) {
    writePlaces();
    counts = fopen(path, "a");
    for (size_t i = 0; i < count && counts != NULL; ++i) {
      countCase(runGroup, &tests[i], setup, teardown);
    }
    return 0;
  }
  for (const char* at = cases; at != NULL && *at != '\0'; at += strcspn(at, ","), at += *at == ',') {
    size_t length = strcspn(at, ":");
    for (size_t i = 0; i < count; ++i) {
      if (strlen(tests[i].name) == length && strncmp(tests[i].name, at, length) == 0) {
        limitTime(atof(at + length + 1));
        if (runGroup(name, &tests[i], 1, setup, teardown) != 0) {
          _exit(1);
        }
        limitTime(0.0);
      }
    }
  }
  return 0;
}
