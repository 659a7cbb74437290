// How cost grows with the number of balls: balls in a box, with and without friction, and balls that bounce alone.
//
// usage: bench_scale [--quick | --all] [box|slippery|bouncing]     --quick: up to 100 balls; --all: up to 100,000
//
// Carom next to the program for balls only, 1 s, at 1e-8. Its run at 1e-12 is the reference of both, its run at 1e-11
// tells how far to trust that. Balls in a box are chaotic, so the largest error of many balls says little; the median
// does. Times are compared at the same error: those of the prototype are interpolated between its tolerances. Balls
// that bounce alone are also run one by one: together they should take the same number of steps.
#include "measure.h"
#include "prototype/scenes.h"
#include "record.h"

#include <stdlib.h>

#define DURATION 1.0 // [s]
#define TOLERANCE 1e-8
#define CURVE 6   // tolerances of the prototype, 1e-5 to 1e-10
#define ALONE 500 // balls that are run alone, at most: the mean of fewer is off by some per cent

typedef enum Kind { box, slippery, bouncing } Kind;
static const char* const kindNames[] = { "box", "slippery", "bouncing" };

typedef struct Errors {
  double median, high, worst; // [m] over the balls; high: exceeded by one in ten
} Errors;

// A run of the prototype.
typedef struct Track {
  double seconds;
  double (*positions)[3];
  Counts counts;
} Track;

static Track runPrototype(Kind kind, int n, double tolerance, int repeats)
{
  Track track = { HUGE_VAL, malloc(sizeof(double[3]) * (size_t)n), { 0 } };
  for (int i = 0; i < repeats; i++) {
    World* world = kind == bouncing ? makeBouncingBalls(n) : makeBallBox(n, kind == box);
    world->tolerance = tolerance;
    double start = cpuNow();
    startWorld(world, DURATION);
    runWorld(world, DURATION);
    track.seconds = fmin(track.seconds, cpuNow() - start);
    track.counts = world->counts;
    for (int k = 0; k < n; k++) {
      memcpy(track.positions[k], world->balls[k].end, sizeof track.positions[k]);
    }
    destroyWorld(world);
  }
  return track;
}

static int compareNumbers(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static Errors findErrors(int n, const double (*a)[3], const double (*b)[3])
{
  double* errors = malloc(sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++) {
    errors[i] = 0;
    for (int k = 0; k < 3; k++) {
      errors[i] = fmax(errors[i], fabs(a[i][k] - b[i][k]));
    }
  }
  qsort(errors, (size_t)n, sizeof *errors, compareNumbers);
  Errors result = { errors[n / 2], errors[n - 1 - n / 10], errors[n - 1] };
  free(errors);
  return result;
}

static void record(Kind kind, int n, const char* what, double value)
{
  char key[128];
  snprintf(key, sizeof key, "scale.%s.%d.%s", kindNames[kind], n, what);
  recordNumber(key, value);
}

// ------------------------------------------------------------------------------------------------- Carom

static Job makeScaleJob(Kind kind, char count[16], int n)
{
  Job job = makeJob(kind == bouncing ? BENCH_SCENES "/bouncing_balls.lua" : BENCH_SCENES "/ball_box.lua", DURATION,
                    TOLERANCE);
  snprintf(count, 16, "%d", n);
  job.settings[0] = (crSetting){ "n", count };
  if (kind == slippery) {
    job.settings[1] = (crSetting){ "friction", "false" };
  }
  job.repeats = n <= 100 ? 3 : 1;
  return job;
}

// The order of objects in the model is that of bodies; names tell which ball is which.
static void readBalls(const Outcome* outcome, int n, double (*positions)[3])
{
  for (int i = 0; i < outcome->measurement->objectCount; i++) {
    int ball = -1;
    if (sscanf(outcome->names[i], "ball%d", &ball) == 1 && ball >= 0 && ball < n) {
      memcpy(positions[ball], outcome->positions[i], sizeof positions[ball]);
    }
  }
}

// The steps that a ball takes alone in the world, the mean of some of them.
static double stepsAlone(int n)
{
  double sum = 0;
  int sampled = n < ALONE ? n : ALONE;
  for (int i = 0; i < sampled; i++) {
    char count[16], number[16];
    Job job = makeScaleJob(bouncing, count, n);
    snprintf(number, sizeof number, "%d", 1 + (int)((long)i * n / sampled));
    job.repeats = 1;
    job.settings[1] = (crSetting){ "first", number };
    job.settings[2] = (crSetting){ "last", number };
    Outcome outcome = measureJob(&job);
    sum += (double)outcome.measurement->summary.solverStatistics.steps;
    freeOutcome(&outcome);
  }
  return sum / sampled;
}

// -------------------------------------------------------------------------------------------------- rows

static void printScale(Kind kind, int n, const char* program, double seconds, double steps, double memory,
                       Errors errors)
{
  printf("%-9s %7d  %-22s %10.4g %14.4g %12.4g %7.0f %11.1e %11.1e %11.1e\n", kindNames[kind], n, program,
         1e3 * seconds, 1e6 * seconds / n / DURATION, steps / n / DURATION, memory / 1e6, errors.median, errors.high,
         errors.worst);
  fflush(stdout);
}

// [s] of the prototype at this error, between the points of its curve.
static double interpolateTime(const double errors[CURVE], const double seconds[CURVE], double error)
{
  int i = 0;
  while (i < CURVE - 2 && errors[i + 1] > error) {
    i++;
  }
  double slope = log(seconds[i + 1] / seconds[i]) / log(errors[i + 1] / errors[i]);
  double x = log(error / errors[i]), low = log(errors[CURVE - 1] / errors[i]);
  return seconds[i] * exp(slope * fmax(low, fmin(0, x)));
}

static void measureCarom(Kind kind, int n, const double (*reference)[3], const double errors[CURVE],
                         const double seconds[CURVE])
{
  char count[16];
  Job job = makeScaleJob(kind, count, n);
  Outcome outcome = measureJob(&job);
  const Measurement* m = outcome.measurement;
  double(*positions)[3] = calloc((size_t)n, sizeof *positions);
  if (!m->isGood) {
    printf("%-9s %7d  carom fails: %s\n", kindNames[kind], n, m->message);
  } else {
    readBalls(&outcome, n, positions);
    Errors found = findErrors(n, (const double(*)[3])positions, reference);
    double steps = (double)m->summary.solverStatistics.steps, same = interpolateTime(errors, seconds, found.median);
    printScale(kind, n, "carom, 1e-8", m->cpuSeconds, steps, m->peakMemory, found);
    printf("%17s  %.2f x the prototype at the same error\n", "", m->cpuSeconds / same);
    record(kind, n, "carom.cpu", m->cpuSeconds);
    record(kind, n, "carom.error", found.median);
    record(kind, n, "carom.memory", m->peakMemory);
    record(kind, n, "carom.steps", steps);
    record(kind, n, "prototype.same", same);
    if (kind == bouncing) {
      double alone = stepsAlone(n);
      printf("%17s  steps of a ball: %.1f together, %.1f alone\n", "", steps / n, alone);
      record(kind, n, "carom.alone", alone);
    }
  }
  free(positions);
  freeOutcome(&outcome);
}

static void measureSize(Kind kind, int n)
{
  Track reference = runPrototype(kind, n, 1e-12, 1), check = runPrototype(kind, n, 1e-11, 1);
  const double(*truth)[3] = (const double(*)[3])reference.positions;
  double errors[CURVE], seconds[CURVE];
  printScale(kind, n, "prototype, 1e-11", check.seconds,
             (double)(check.counts.implicitSteps + check.counts.explicitSteps), 0,
             findErrors(n, (const double(*)[3])check.positions, truth));
  free(check.positions);
  for (int i = 0; i < CURVE; i++) {
    double tolerance = pow(10, -6 - i);
    Track track = runPrototype(kind, n, tolerance, n <= 100 ? 3 : 1);
    Errors found = findErrors(n, (const double(*)[3])track.positions, truth);
    errors[i] = found.median;
    seconds[i] = track.seconds;
    if (i == 2) {
      printScale(kind, n, "prototype, 1e-8", track.seconds,
                 (double)(track.counts.implicitSteps + track.counts.explicitSteps), 0, found);
      record(kind, n, "prototype.cpu", track.seconds);
      record(kind, n, "prototype.error", found.median);
    }
    free(track.positions);
  }
  measureCarom(kind, n, truth, errors, seconds);
  free(reference.positions);
}

// Memory of a hundred thousand balls, which are opened and run for a moment.
static void measureLarge(void)
{
  char count[16];
  Job job = makeScaleJob(box, count, 100000);
  job.stop = 0.01;
  Outcome outcome = measureJob(&job);
  const Measurement* m = outcome.measurement;
  printf("box of 100,000 balls: %.3g s to open, %.3g s for %g s, %.0f MB%s%s\n", m->openSeconds, m->cpuSeconds,
         job.stop, m->peakMemory / 1e6, m->isGood ? "" : "; fails: ", m->message);
  recordNumber("scale.large.memory", m->isGood ? m->peakMemory : (double)NAN);
  freeOutcome(&outcome);
}

// Two threads against one, same bits.
static void measureThreads(void)
{
#ifdef BENCH_HAS_THREADS
  char count[16];
  double seconds[2];
  Outcome outcomes[2];
  for (int i = 0; i < 2; i++) {
    Job job = makeScaleJob(box, count, 1000);
    job.threads = i + 1;
    job.repeats = 2;
    outcomes[i] = measureJob(&job);
    seconds[i] = outcomes[i].measurement->wallSeconds;
  }
  bool isSame = memcmp(outcomes[0].positions, outcomes[1].positions, sizeof(double[3]) * 1000) == 0;
  printf("box of 1,000 balls: %.4g s with one thread, %.4g s with two, %.2f x; %s\n", seconds[0], seconds[1],
         seconds[0] / seconds[1], isSame ? "same bits" : "DIFFERENT bits");
  recordNumber("scale.threads.speedup", seconds[0] / seconds[1]);
  recordNumber("scale.threads.same", isSame);
  freeOutcome(&outcomes[0]);
  freeOutcome(&outcomes[1]);
#endif
}

int main(int argc, char** argv)
{
  static const int sizes[] = { 16, 100, 1000, 10000, 100000 };
  int count = 4;
  const char* only = NULL;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--quick") == 0) {
      count = 2;
    } else if (strcmp(argv[i], "--all") == 0) {
      count = 5;
    } else {
      only = argv[i];
    }
  }
  printMachine();
  printf("%-9s %7s  %-22s %10s %14s %12s %7s %11s %11s %11s\n", "scene", "balls", "program", "CPU [ms]", "[us/ball/s]",
         "steps/ball/s", "MB", "median [m]", "9 of 10", "worst");
  for (int kind = box; kind <= (int)bouncing; kind++) {
    for (int i = 0; i < count && (only == NULL || strcmp(only, kindNames[kind]) == 0); i++) {
      measureSize((Kind)kind, sizes[i]);
    }
  }
  if (only == NULL && count > 2) {
    measureThreads();
    measureLarge();
  }
  return 0;
}
