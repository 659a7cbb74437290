// A dense pile of spheres that settles and rests: CPU time for a simulated second of each, and the state of the pile;
// of 10,000 only how they settle, and how much faster two threads are.
//
// usage: bench_pile [--quick] [TOLERANCE]     100 spheres; 1,000; 10,000
#include "measure.h"
#include "pile.h"

#include <string.h>

#define DENSE 0.2         // [s] from when on all spheres are one crowd
#define THREADS_STOP 0.24 // [s] of the runs with one thread and with two
#define FEW 100           // spheres up to which the mean of
#define FEW_RUNS 16       // runs is taken, whose tolerances differ by
#define RUN_CHANGE 2e-3   // [-] of them

// The sample at t; one without numbers: it was not reached.
static Sample sampleAt(const Measurement* m, double t)
{
  for (int i = 0; i < m->sampleCount; i++) {
    if (fabs(m->samples[i].time - t) < 1e-6) {
      return m->samples[i];
    }
  }
  return (Sample){ NAN, NAN, NAN, NAN };
}

// [s] Of a body in a step, while the pile is dense.
static void recordStep(const Measurement* m, int n)
{
  char key[64];
  Sample begin = sampleAt(m, DENSE), end = sampleAt(m, PILE_SETTLE);
  double steps = end.steps - begin.steps, seconds = (end.cpuSeconds - begin.cpuSeconds) / steps / n;
  snprintf(key, sizeof key, "pile.carom.%d.step", n);
  recordNumber(key, seconds);
  printf("  %.0f steps from %g to %g s, %.3g us for a body in each\n", steps, DENSE, PILE_SETTLE, 1e6 * seconds);
}

// [s] The CPU time of a run up to the marks.
static PileClock readClock(const Measurement* m, int n)
{
  return (PileClock){ 0, sampleAt(m, PILE_SETTLE).cpuSeconds, sampleAt(m, PILE_REST_BEGIN).cpuSeconds,
                      sampleAt(m, PILE_REST_END).cpuSeconds, pileEnd(n) };
}

// Adds a run of several to the mean of all.
static void addClock(PileClock* mean, const PileClock* clock, int runCount)
{
  mean->settled += clock->settled / runCount;
  mean->restBegin += clock->restBegin / runCount;
  mean->restEnd += clock->restEnd / runCount;
}

// In a small pile a few spheres slide on for seconds, at other times in each run, since its motion is chaotic: what it
// takes at rest differs by a factor of four. So means are taken, of runs at tolerances that hardly differ.
static void measurePile(int n, double tolerance)
{
  char count[16], what[64];
  int runCount = n <= FEW ? FEW_RUNS : 1;
  PileClock mean = { .end = pileEnd(n) };
  double deepest = 0, height = 0, least = HUGE_VAL, most = 0;
  snprintf(count, sizeof count, "%d", n);
  for (int i = 0; i < runCount; i++) {
    Job job = makeJob(BENCH_SCENES "/pile.lua", pileEnd(n), tolerance * (1 + RUN_CHANGE * (i - runCount / 2)));
    job.settings[0] = (crSetting){ "n", count };
    job.interval = 0.05;
    Outcome outcome = measureJob(&job);
    const Measurement* m = outcome.measurement; // samples are there even of a run that took too long
    PileClock clock = readClock(m, n);
    double rest = (clock.restEnd - clock.restBegin) / (PILE_REST_END - PILE_REST_BEGIN);
    addClock(&mean, &clock, runCount);
    deepest += m->isGood ? m->deepest / runCount : NAN;
    height += m->isGood ? m->height / runCount : NAN;
    least = fmin(least, rest);
    most = fmax(most, rest);
    if (!m->isGood) {
      printf("  %s\n", m->message);
    }
    if (i == runCount / 2) {
      recordStep(m, n);
    }
    freeOutcome(&outcome);
  }
  snprintf(what, sizeof what, "carom, tolerance %.0e", tolerance);
  printPileRow(what, "carom", n, &mean, deepest, height);
  if (runCount > 1) {
    printf("  mean of %d runs; at rest %.3g to %.3g\n", runCount, least, most);
  }
}

// The wall clock of two threads against that of one.
static void measureThreads(double tolerance)
{
  double seconds[2];
  Outcome outcomes[2];
  for (int i = 0; i < 2; i++) {
    Job job = makeJob(BENCH_SCENES "/pile.lua", THREADS_STOP, tolerance);
    job.settings[0] = (crSetting){ "n", "10000" };
    job.threads = i + 1;
    job.repeats = 2;
    outcomes[i] = measureJob(&job);
    seconds[i] = outcomes[i].measurement->isGood ? outcomes[i].measurement->wallSeconds : NAN;
  }
  bool isSame = memcmp(outcomes[0].positions, outcomes[1].positions, sizeof(double[3]) * PILE_LARGE) == 0;
  const crSharedWork* shared = &outcomes[1].measurement->summary.sharedWork;
  printf("10,000 spheres, %g s: %.4g s with one thread, %.4g s with two, %.2f x; %s; %lld of %lld works shared\n",
         THREADS_STOP, seconds[0], seconds[1], seconds[0] / seconds[1], isSame ? "same bits" : "DIFFERENT bits",
         (long long)shared->helped, (long long)(shared->works + shared->alone));
  recordNumber("pile.threads.speedup", seconds[0] / seconds[1]);
  recordNumber("pile.threads.same", isSame);
  freeOutcome(&outcomes[0]);
  freeOutcome(&outcomes[1]);
}

int main(int argc, char** argv)
{
  double tolerance = 1e-3;
  for (int i = 1; i < argc; i++) {
    tolerance = argv[i][0] != '-' ? atof(argv[i]) : tolerance;
  }
  printMachine();
  printPileHead();
  int count = countPileSizes(argc, argv, 3);
  for (int i = 0; i < count; i++) {
    measurePile(pileSizes[i], tolerance);
  }
  if (count > 2) {
    measureThreads(tolerance);
  }
  return 0;
}
