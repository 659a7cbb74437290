// Random throws of two bodies at each other (support/throw.h), each judged by its energy.
//
// usage: throw_fuzz [THROWS] [--pair A-B] [--kind TEXT] [--seed N] [--tolerance T] [--lossy] [--E E]
//                   [--hysteresis H] [--jobs N] [--report FILE] [--trace N [--from T] [--to T]]
//
//   THROWS         of all pairs of kinds in turns, or of the one given; 1000
//   --pair A-B     like cone-hull
//   --kind TEXT    pairs with a kind that has this in its name, like rounded
//   --seed N       of the first throw of each pair, 1; with --pair and without THROWS: that throw alone, in all detail
//   --tolerance T  of the runs, 1e-8
//   --lossy        cor 0.5 and friction 0.4 instead of cor 1 without friction
//   --E E          [N/m^2] instead of a random one
//   --hysteresis H [m] of the scene instead of 1e-8: half the depth at which contacts begin
//   --jobs N       processes at a time; as many as there are processors
//   --report FILE  every throw on a line of its own
//   --trace N      of a throw alone: energies and losses at N times, from T [s] to T [s]
//
// Prints a table by pair of kinds, then the throws that are wrong, with the command that repeats each. Fails when a run
// fails, crashes or never ends, or when an energy is wrong by more than 1e-5, with losses 1e-6 of these, or 1e-6 in the
// median.
#include "support/throw.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CR_MEDIAN_LIMIT 1e-6 // [-]
#define CR_WORST_LIMIT 1e-5  // [-] of the energy,
#define CR_LOSSY_LIMIT 1e-6  // [-] and of what was lost
#define CR_PRINTED_THROWS 40
#define CR_MAX_JOBS 256

typedef struct Series {
  crThrowOptions options;
  int pairCount;
  crThrownPair pairs[CR_THROWN_PAIRS]; // (pairCount)
  bool isOnePair;
  uint64_t firstSeed;
  long throwCount; // 0: one, in all detail
  int jobs;
  const char* report;
} Series;

typedef struct Shared {
  atomic_long next;
  crThrowResult results[]; // (throwCount)
} Shared;

static crThrownPair findPair(const Series* series, long number)
{
  return series->pairs[number % series->pairCount];
}

static uint64_t findSeed(const Series* series, long number)
{
  return series->firstSeed + (uint64_t)(number / series->pairCount);
}

// -------------------------------------------------------------------------------------------- running

static void work(const Series* series, Shared* shared)
{
  for (long i = atomic_fetch_add(&shared->next, 1); i < series->throwCount; i = atomic_fetch_add(&shared->next, 1)) {
    shared->results[i] = crRunThrow(findPair(series, i), findSeed(series, i), &series->options);
  }
}

// A process that crashes leaves the throw that it was at undone; another one takes its place.
static bool runAll(const Series* series, Shared* shared)
{
  int running = 0;
  fflush(NULL);
  while (running > 0 || atomic_load(&shared->next) < series->throwCount) {
    while (running < series->jobs && atomic_load(&shared->next) < series->throwCount) {
      pid_t child = fork();
      if (child < 0) {
        perror("throw_fuzz");
        return false;
      }
      if (child == 0) {
        work(series, shared);
        _exit(0);
      }
      ++running;
    }
    if (running > 0 && wait(NULL) > 0) {
      --running;
    }
  }
  return true;
}

// -------------------------------------------------------------------------------------------- judging

static double findLimit(const Series* series)
{
  return series->options.cor < 1.0 ? CR_LOSSY_LIMIT : CR_WORST_LIMIT;
}

typedef struct Tally {
  long throws, missed, failed, wrong;
  double median, worst;
  uint64_t worstSeed;
  double steps, seconds; // means
} Tally;

static bool hasFailed(const crThrowResult* result)
{
  return !result->isDone || result->status != cr_ok;
}

static int compareNumbers(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double findMedian(double* numbers, long count)
{
  qsort(numbers, (size_t)count, sizeof *numbers, compareNumbers);
  return count > 0 ? numbers[count / 2] : 0.0;
}

// Of the throws of one pair, or of all of them. `errors` has room for all.
static Tally tallyThrows(const Series* series, const Shared* shared, const crThrownPair* pair, double* errors)
{
  Tally tally = { 0 };
  long judged = 0;
  for (long i = 0; i < series->throwCount; ++i) {
    crThrownPair own = findPair(series, i);
    const crThrowResult* result = &shared->results[i];
    if (pair != NULL && (own.a != pair->a || own.b != pair->b)) {
      continue;
    }
    ++tally.throws;
    if (hasFailed(result)) {
      ++tally.failed;
      continue;
    }
    double error = crThrowResult_Error(result, &series->options);
    tally.missed += result->contactCount == 0;
    tally.wrong += !(error <= findLimit(series));
    tally.steps += (double)result->steps;
    tally.seconds += result->cpuSeconds;
    if (!(error <= tally.worst)) {
      tally.worst = error;
      tally.worstSeed = findSeed(series, i);
    }
    errors[judged++] = error;
  }
  tally.median = findMedian(errors, judged);
  tally.steps /= fmax(1.0, (double)judged);
  tally.seconds /= fmax(1.0, (double)judged);
  return tally;
}

static void printTally(const char* name, const Tally* tally)
{
  printf("%-22s %7ld %7ld %7ld %7ld %9.1e %9.1e %9llu %7.0f %9.3f\n", name, tally->throws, tally->missed, tally->failed,
         tally->wrong, tally->median, tally->worst, (unsigned long long)tally->worstSeed, tally->steps,
         1e3 * tally->seconds);
}

static void namePair(crThrownPair pair, char name[64])
{
  snprintf(name, 64, "%s-%s", crThrownKind_GetText(pair.a), crThrownKind_GetText(pair.b));
}

static void printThrow(FILE* file, const Series* series, long number, const crThrowResult* result)
{
  char name[64];
  namePair(findPair(series, number), name);
  fprintf(file, "--pair %s --seed %llu%s: ", name, (unsigned long long)findSeed(series, number),
          series->options.cor < 1.0 ? " --lossy" : "");
  if (hasFailed(result)) {
    char message[CR_THROW_MESSAGE];
    snprintf(message, sizeof message, "%s", result->message);
    for (char* c = message; *c != '\0'; ++c) {
      *c = *c == '\n' ? ' ' : *c;
    }
    fprintf(file, "%s %s\n", result->isDone ? crStatus_GetText(result->status) : "crashed", message);
  } else {
    fprintf(file,
            "error %.2e, E %.2g, %.2g m/s, depth %.2e of %.2e m, begin %.0e m, %d contacts, %lld steps, %.2f ms\n",
            crThrowResult_Error(result, &series->options), result->E, result->speed, result->depth, result->smallest,
            result->beginDepth, result->contactCount, (long long)result->steps, 1e3 * result->cpuSeconds);
  }
}

static void printWrongThrows(const Series* series, const Shared* shared)
{
  int printed = 0;
  for (long i = 0; i < series->throwCount && printed < CR_PRINTED_THROWS; ++i) {
    const crThrowResult* result = &shared->results[i];
    if (hasFailed(result) || !(crThrowResult_Error(result, &series->options) <= findLimit(series))) {
      printThrow(stdout, series, i, result);
      ++printed;
    }
  }
}

static void writeReport(const Series* series, const Shared* shared)
{
  FILE* file = fopen(series->report, "w");
  if (file == NULL) {
    perror(series->report);
    return;
  }
  for (long i = 0; i < series->throwCount; ++i) {
    printThrow(file, series, i, &shared->results[i]);
  }
  fclose(file);
}

static int judge(const Series* series, const Shared* shared)
{
  double* errors = malloc((size_t)series->throwCount * sizeof *errors);
  if (errors == NULL) {
    return EXIT_FAILURE;
  }
  printf("%-22s %7s %7s %7s %7s %9s %9s %9s %7s %9s\n", "pair", "throws", "missed", "failed", "wrong", "median",
         "worst", "its seed", "steps", "CPU ms");
  for (int i = 0; i < series->pairCount; ++i) {
    char name[64];
    Tally tally = tallyThrows(series, shared, &series->pairs[i], errors);
    namePair(series->pairs[i], name);
    if (tally.throws > 0) {
      printTally(name, &tally);
    }
  }
  Tally all = tallyThrows(series, shared, NULL, errors);
  printTally("all", &all);
  printWrongThrows(series, shared);
  free(errors);
  return all.failed == 0 && all.wrong == 0 && all.median <= CR_MEDIAN_LIMIT ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int runSeries(const Series* series)
{
  size_t size = sizeof(Shared) + (size_t)series->throwCount * sizeof(crThrowResult);
  Shared* shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    perror("throw_fuzz");
    return EXIT_FAILURE;
  }
  int status = runAll(series, shared) ? judge(series, shared) : EXIT_FAILURE;
  if (series->report != NULL) {
    writeReport(series, shared);
  }
  munmap(shared, size);
  return status;
}

static int runOne(const Series* series)
{
  crThrowResult result = crRunThrow(series->pairs[0], series->firstSeed, &series->options);
  double error = crThrowResult_Error(&result, &series->options);
  printf("status      %s\n", crStatus_GetText(result.status));
  if (result.message[0] != '\0') {
    printf("%s\n", result.message);
  }
  printf("E           %.6g N/m^2\nspeed       %.6g m/s\nenergy      %.17g J\nchange      %.3e J\n", result.E,
         result.speed, result.energy, result.change);
  printf("dissipated  %.17g J\nerror       %.3e\ndepth       %.6e m of %.6e m\n", result.dissipated, error,
         result.depth, result.smallest);
  printf("began at    %.3e m at most\n", result.beginDepth);
  printf("contacts    %d%s\nsteps       %lld\nevaluations %lld\nCPU         %.3f ms\n", result.contactCount,
         result.touchesAtEnd ? ", the last one to the end" : "", (long long)result.steps, (long long)result.evaluations,
         1e3 * result.cpuSeconds);
  return result.status == cr_ok && error <= findLimit(series) ? EXIT_SUCCESS : EXIT_FAILURE;
}

// ------------------------------------------------------------------------------------------ arguments

// Those of all pairs with a kind that has `text` in its name.
static void choosePairs(Series* series, const char* text)
{
  series->pairCount = 0;
  for (int i = 0; i < CR_THROWN_PAIRS; ++i) {
    crThrownPair pair = crGetThrownPair(i);
    if (strstr(crThrownKind_GetText(pair.a), text) != NULL || strstr(crThrownKind_GetText(pair.b), text) != NULL) {
      series->pairs[series->pairCount++] = pair;
    }
  }
}

static bool readOption(Series* series, const char* name, const char* value)
{
  if (strcmp(name, "--pair") == 0) {
    series->pairCount = 1;
    series->isOnePair = crFindThrownPair(value, &series->pairs[0]);
    return series->isOnePair;
  }
  if (strcmp(name, "--kind") == 0) {
    choosePairs(series, value);
    return series->pairCount > 0;
  }
  if (strcmp(name, "--seed") == 0) {
    series->firstSeed = strtoull(value, NULL, 10);
  } else if (strcmp(name, "--tolerance") == 0) {
    series->options.tolerance = strtod(value, NULL);
  } else if (strcmp(name, "--E") == 0) {
    series->options.E = strtod(value, NULL);
  } else if (strcmp(name, "--hysteresis") == 0) {
    series->options.hysteresis = strtod(value, NULL);
  } else if (strcmp(name, "--jobs") == 0) {
    series->jobs = (int)strtol(value, NULL, 10);
  } else if (strcmp(name, "--trace") == 0) {
    series->options.trace = stdout;
    series->options.tracePoints = (int)strtol(value, NULL, 10);
  } else if (strcmp(name, "--from") == 0) {
    series->options.traceFrom = strtod(value, NULL);
  } else if (strcmp(name, "--to") == 0) {
    series->options.traceTo = strtod(value, NULL);
  } else if (strcmp(name, "--report") == 0) {
    series->report = value;
  } else {
    return false;
  }
  return true;
}

static bool readArguments(Series* series, int argc, char** argv)
{
  bool hasSeed = false, hasCount = false;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--lossy") == 0) {
      series->options.cor = 0.5;
      series->options.muK = 0.4;
    } else if (strncmp(argv[i], "--", 2) == 0) {
      hasSeed |= strcmp(argv[i], "--seed") == 0;
      if (i + 1 >= argc || !readOption(series, argv[i], argv[i + 1])) {
        return false;
      }
      ++i;
    } else {
      series->throwCount = (long)strtod(argv[i], NULL);
      hasCount = true;
    }
  }
  if (series->isOnePair && hasSeed && !hasCount) {
    series->throwCount = 0;
  }
  return series->throwCount >= (hasCount ? 1 : 0) && series->jobs >= 1 && series->jobs <= CR_MAX_JOBS &&
         series->options.tolerance > 0.0 && series->options.tracePoints >= 0;
}

int main(int argc, char** argv)
{
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  Series series = { .options = { .tolerance = 1e-8, .cor = 1.0 },
                    .firstSeed = 1,
                    .throwCount = 1000,
                    .jobs = processors < 1             ? 1
                            : processors > CR_MAX_JOBS ? CR_MAX_JOBS
                                                       : (int)processors };
  choosePairs(&series, "");
  if (!readArguments(&series, argc, argv)) {
    fprintf(stderr, "usage: throw_fuzz [THROWS] [--pair A-B] [--kind TEXT] [--seed N] [--tolerance T] [--lossy] [--E "
                    "E] [--hysteresis H] "
                    "[--jobs N] [--report FILE] [--trace N [--from T] [--to T]]\n");
    return 2;
  }
  return series.throwCount == 0 ? runOne(&series) : runSeries(&series);
}
