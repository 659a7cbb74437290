// Crowds that no other program takes part in: steel balls that fall out of a hopper onto a tray that is shaken, a pile
// with friction that sticks while it rests, and the memory of one whose balls have landed on each other. CPU time, how
// far a run came, and the energy that is not explained.
//
// usage: bench_crowd [--quick]     a tenth of the balls
#include "flat.h"
#include "measure.h"
#include "record.h"

#include <stdio.h>
#include <string.h>

#define HOPPER_STOP 3.0   // [s]
#define HOPPER_SHORT 0.05 // [s] for which the energy is told where the end is not reached
#define HOPPER_LIMIT 120  // [s] of CPU time
#define REST_BEGIN 20.0   // [s]
#define REST_END 120.0    // [s]
#define REST_LIMIT 150    // [s] of CPU time
// A pile of which all balls are at rest soon: where one rolls on for a minute, as at 1e-3, all take its steps.
#define REST_TOLERANCE 9.9e-4
#define DEFAULT_TOLERANCE 1e-8
#define LANDED 0.08 // [s]
#define DENSE 0.2   // [s] when each touches three or four others

// A number of a run of so many balls.
static void record(const char* name, const char* count, double value)
{
  char key[96];
  snprintf(key, sizeof key, "crowd.%s.%s", name, count);
  recordNumber(key, value);
}

static Outcome runHopper(const char* count, double stop)
{
  Job job = makeJob(BENCH_SCENES "/hopper.lua", stop, DEFAULT_TOLERANCE);
  job.settings[0] = (crSetting){ "n", count };
  job.interval = HOPPER_STOP / 300;
  job.limit = HOPPER_LIMIT;
  return measureJob(&job);
}

static double findShare(const Measurement* m)
{
  const crSimulationSummary* s = &m->summary;
  return m->isGood ? fabs(findFlatUnexplained(s)) / findFlatTurnover(s) : NAN;
}

static void measureHopper(const char* count)
{
  Outcome outcome = runHopper(count, HOPPER_STOP);
  const Measurement* m = outcome.measurement;
  double reached = m->sampleCount > 0 ? m->samples[m->sampleCount - 1].time : 0;
  double seconds = m->sampleCount > 0 ? m->samples[m->sampleCount - 1].cpuSeconds : NAN;
  double share = findShare(m);
  printf("hopper, %s steel balls, 1e-8: %.4g of %g s in %.4g s", count, reached, HOPPER_STOP, seconds);
  if (!m->isGood) {
    Outcome part = runHopper(count, HOPPER_SHORT);
    share = findShare(part.measurement);
    printf(" (%s)", m->message);
    freeOutcome(&part);
  }
  printf("; unexplained %.1e of what turned over%s\n", share, m->isGood ? "" : ", in the first 50 ms");
  record("hopper.time", count, reached);
  record("hopper.cpu", count, seconds);
  record("hopper.unexplained", count, share);
  freeOutcome(&outcome);
}

static double timeAt(const Measurement* m, double t)
{
  for (int i = 0; i < m->sampleCount; i++) {
    if (fabs(m->samples[i].time - t) < 1e-6) {
      return m->samples[i].cpuSeconds;
    }
  }
  return NAN;
}

static void measureRest(const char* count)
{
  Job job = makeJob(BENCH_SCENES "/pile.lua", REST_END, REST_TOLERANCE);
  job.settings[0] = (crSetting){ "n", count };
  job.settings[1] = (crSetting){ "friction", "stick" };
  job.settings[2] = (crSetting){ "muR", "0.05" }; // without, balls roll on for minutes
  job.interval = 1;
  job.limit = REST_LIMIT;
  Outcome outcome = measureJob(&job);
  const Measurement* m = outcome.measurement;
  double before = timeAt(m, REST_BEGIN), seconds = timeAt(m, REST_END) - before;
  printf(
      "pile, %s balls, friction that sticks, 9.9e-4: settling and coming to rest, %g s, in %.4g s; at rest, %g s, in "
      "%.4g s; the fastest ball %.1e m/s; unexplained %.1e. %s\n",
      count, REST_BEGIN, before, REST_END - REST_BEGIN, seconds, m->isGood ? m->fastest : NAN, findShare(m),
      m->isGood ? "" : m->message);
  record("rest.cpu", count, seconds);
  record("rest.fastest", count, m->isGood ? m->fastest : NAN);
  freeOutcome(&outcome);
}

static void measureMemory(const char* name, const char* count, double stop)
{
  Job job = makeJob(BENCH_SCENES "/pile.lua", stop, 1e-3);
  job.settings[0] = (crSetting){ "n", count };
  Outcome outcome = measureJob(&job);
  const Measurement* m = outcome.measurement;
  double bytes = m->isGood ? m->peakMemory / m->objectCount : NAN;
  printf("pile, %s balls, %g s: %.4g kB a body, %d contacts. %s\n", count, stop, 1e-3 * bytes, m->contactCount,
         m->isGood ? "" : m->message);
  record(name, count, bytes);
  freeOutcome(&outcome);
}

int main(int argc, char** argv)
{
  bool isQuick = argc > 1 && strcmp(argv[1], "--quick") == 0;
  printMachine();
  measureMemory("memory", isQuick ? "1000" : "10000", LANDED);
  measureMemory("memory.dense", isQuick ? "1000" : "10000", DENSE);
  measureRest(isQuick ? "100" : "1000");
  measureHopper(isQuick ? "30" : "300");
  return 0;
}
