// Sixteen-ball billiards, 5 s, on the symmetric rack and on twenty asymmetric ones: CPU time, and the error at 5 s that
// it bought. Carom at several tolerances next to two programs that can do nothing else: one with a single step for all
// balls, and one with a clock for each island of balls that touch.
//
// usage: bench_racks [--quick] [--off] [--each] [--reference]
//        --quick: four racks; --off: Carom with one step for all, too; --each: every rack in a line of its own
//
// --reference prints the blocks of bench/references.txt: the single-step program at 1e-13, compared with Carom's
// explicit method of order 8 at 1e-12.
#include "measure.h"
#include "prototype/scenes.h"
#include "record.h"
#include "reference.h"

#include <stdlib.h>

#define FIRST_SEED 11
#define RACKS 21         // the symmetric one first
#define ERROR_LIMIT 1e-6 // [m]
#define REPEATS 3

typedef enum Program { handWritten, islands, caromOn, caromOff } Program;

typedef struct Result {
  double seconds, error; // of the CPU; [m] at 5 s
  double steps;
} Result;

static int seedOf(int rack)
{
  return rack == 0 ? 0 : FIRST_SEED + rack - 1;
}

static void nameRack(int rack, char name[32])
{
  if (rack == 0) {
    snprintf(name, 32, "billiards16");
  } else {
    snprintf(name, 32, "rack%d", seedOf(rack));
  }
}

// [m] largest difference in x or y.
static double compareBalls(const double a[BALLS][3], const double b[BALLS][3])
{
  double error = 0;
  for (int i = 0; i < BALLS; i++) {
    for (int k = 0; k < 2; k++) {
      double d = fabs(a[i][k] - b[i][k]);
      error = d <= error ? error : d; // keeps NaN
    }
  }
  return error;
}

static Result runPrototype(int rack, bool isGlobal, double tolerance, double end[BALLS][3])
{
  Result result = { HUGE_VAL, NAN, 0 };
  for (int i = 0; i < REPEATS; i++) {
    World* world = makeBilliards(seedOf(rack));
    world->tolerance = tolerance;
    world->isGlobal = isGlobal;
    double start = cpuNow();
    startWorld(world, STOP_TIME);
    runWorld(world, STOP_TIME);
    result.seconds = fmin(result.seconds, cpuNow() - start);
    result.steps = (double)(world->counts.implicitSteps + world->counts.explicitSteps);
    for (int k = 0; k < BALLS; k++) {
      memcpy(end[k], world->balls[k].end, sizeof end[k]);
    }
    destroyWorld(world);
  }
  return result;
}

static Job makeRackJob(int rack, char seed[16], double tolerance)
{
  Job job = makeJob(BENCH_SCENES "/billiards16.lua", STOP_TIME, tolerance);
  snprintf(seed, 16, "%d", seedOf(rack));
  job.settings[0] = (crSetting){ "seed", seed };
  return job;
}

static Result runCarom(int rack, bool hasIslands, double tolerance, double end[BALLS][3])
{
  char seed[16], name[16];
  Job job = makeRackJob(rack, seed, tolerance);
  job.hasIslands = hasIslands;
  job.repeats = hasIslands ? REPEATS : 1;
  Outcome outcome = measureJob(&job);
  const Measurement* m = outcome.measurement;
  Result result = { m->isGood ? m->cpuSeconds : HUGE_VAL, NAN, (double)m->summary.solverStatistics.steps };
  for (int i = 0; i < BALLS; i++) {
    snprintf(name, sizeof name, "ball%d", i);
    const double* p = m->isGood ? findPosition(&outcome, name) : NULL;
    for (int k = 0; k < 3; k++) {
      end[i][k] = p != NULL ? p[k] : (double)NAN;
    }
  }
  if (!m->isGood) {
    printf("rack %d fails: %s\n", seedOf(rack), m->message);
  }
  freeOutcome(&outcome);
  return result;
}

// ------------------------------------------------------------------------------------------------- rows

static int compareNumbers(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double findMedian(const Result* results, int count, bool isError)
{
  double values[RACKS];
  for (int i = 0; i < count; i++) {
    values[i] = isError ? results[i].error : results[i].seconds;
  }
  qsort(values, (size_t)count, sizeof *values, compareNumbers);
  return values[count / 2];
}

static void recordRow(const char* key, double tolerance, double seconds, double error)
{
  char text[128];
  snprintf(text, sizeof text, "racks.%s.%.0e.cpu", key, tolerance);
  recordNumber(text, seconds);
  snprintf(text, sizeof text, "racks.%s.%.0e.error", key, tolerance);
  recordNumber(text, error);
}

static void printMethod(Program program, double tolerance, int count, bool printsEach)
{
  static const char* const names[] = { "by hand, one step for all", "by hand, islands", "carom, islands",
                                       "carom, one step for all" };
  static const char* const keys[] = { "hand", "prototype", "carom", "off" };
  Result results[RACKS];
  double end[BALLS][3], reference[BALLS][3], worst = 0;
  int within = 0;
  for (int rack = 0; rack < count; rack++) {
    char name[32];
    nameRack(rack, name);
    results[rack] = program <= islands ? runPrototype(rack, program == handWritten, tolerance, end)
                                       : runCarom(rack, program == caromOn, tolerance, end);
    if (readReferenceBalls(name, BALLS, reference)) {
      results[rack].error = compareBalls((const double(*)[3])end, (const double(*)[3])reference);
    }
    if (printsEach) {
      printf("  %-26s %9.0e %12.4g %22.0f %14.1e\n", name, tolerance, 1e3 * results[rack].seconds, results[rack].steps,
             results[rack].error);
    }
    within += results[rack].error <= ERROR_LIMIT;
    worst = results[rack].error <= worst ? worst : results[rack].error;
  }
  double median = findMedian(results, count, false);
  printf("%-28s %9.0e %12.4g %12.4g %9.0f %14.1e %12.1e %12.1e %6d/%d\n", names[program], tolerance,
         1e3 * results[0].seconds, 1e3 * median, results[0].steps, results[0].error, findMedian(results, count, true),
         worst, within, count);
  fflush(stdout);
  recordRow(keys[program], tolerance, median, worst);
}

// ------------------------------------------------------------------------------------------- references

static void printRackReference(int rack)
{
  double end[BALLS][3], check[BALLS][3];
  char name[32], seed[16];
  nameRack(rack, name);
  runPrototype(rack, true, 1e-13, end);
  Job job = makeRackJob(rack, seed, 1e-12);
  job.solver = cr_solverDop853;
  job.hasIslands = false;
  Outcome outcome = measureJob(&job);
  for (int i = 0; i < BALLS; i++) {
    char ball[16];
    snprintf(ball, sizeof ball, "ball%d", i);
    const double* p = findPosition(&outcome, ball);
    memcpy(check[i], p, sizeof check[i]);
  }
  freeOutcome(&outcome);
  printf("reference %s\n# bench_racks --reference: by hand at 1e-13; carom, dop853 at 1e-12 differs by %.1e m\n", name,
         compareBalls((const double(*)[3])end, (const double(*)[3])check));
  for (int i = 0; i < BALLS; i++) {
    printf("ball%d %.15g %.15g %.15g\n", i, end[i][0], end[i][1], end[i][2]);
  }
  fflush(stdout);
}

int main(int argc, char** argv)
{
  static const double tolerances[] = { 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7, 3e-8, 1e-8, 5e-9, 3e-9, 1e-9, 1e-10 };
  static const double byHand[] = { 1e-6, 1e-8, 1e-10 };
  int count = RACKS;
  bool hasOff = false, printsEach = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--reference") == 0) {
      for (int rack = 0; rack < RACKS; rack++) {
        printRackReference(rack);
      }
      return 0;
    }
    count = strcmp(argv[i], "--quick") == 0 ? 5 : count;
    printsEach = printsEach || strcmp(argv[i], "--each") == 0;
    hasOff = hasOff || strcmp(argv[i], "--off") == 0;
  }
  printMachine();
  printf("%-28s %9s %12s %12s %9s %14s %12s %12s %9s\n", "billiards16, 5 s", "tolerance", "CPU [ms]", "median [ms]",
         "steps", "error 5 s [m]", "median [m]", "worst [m]", "<= 1e-6");
  printMethod(handWritten, 1e-8, count, printsEach);
  for (int i = 0; i < 3; i++) {
    printMethod(islands, byHand[i], count, printsEach);
  }
  for (int i = 0; i < (int)(sizeof tolerances / sizeof *tolerances); i++) {
    printMethod(caromOn, tolerances[i], count, printsEach);
  }
  if (hasOff) {
    printMethod(caromOff, 1e-8, count, printsEach);
  }
  return 0;
}
