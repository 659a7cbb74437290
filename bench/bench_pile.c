// A dense pile of spheres that settles and rests: CPU time for a simulated second of each, and the state of the pile.
//
// usage: bench_pile [--quick | --all] [TOLERANCE]     100 spheres; 1,000; with --all 10,000
#include "measure.h"
#include "pile.h"

#include <string.h>

// The CPU time at the sample nearest to t; NaN: it was not reached.
static double timeAt(const Measurement* m, double t)
{
  for (int i = 0; i < m->sampleCount; i++) {
    if (fabs(m->samples[i].time - t) < 1e-6) {
      return m->samples[i].cpuSeconds;
    }
  }
  return NAN;
}

static void measurePile(int n, double tolerance)
{
  char count[16], what[64];
  Job job = makeJob(BENCH_SCENES "/pile.lua", PILE_REST_END, tolerance);
  snprintf(count, sizeof count, "%d", n);
  job.settings[0] = (crSetting){ "n", count };
  job.interval = 0.05;
  Outcome outcome = measureJob(&job);
  const Measurement* m = outcome.measurement; // samples are there even of a run that took too long
  PileClock clock = { 0, timeAt(m, PILE_SETTLE), timeAt(m, PILE_REST_BEGIN), timeAt(m, PILE_REST_END) };
  snprintf(what, sizeof what, "carom, tolerance %.0e", tolerance);
  printPileRow(what, "carom", n, &clock, m->isGood ? m->deepest : NAN, m->isGood ? m->height : NAN);
  if (!m->isGood) {
    printf("  %s\n", m->message);
  }
  freeOutcome(&outcome);
}

int main(int argc, char** argv)
{
  double tolerance = 1e-3;
  for (int i = 1; i < argc; i++) {
    tolerance = argv[i][0] != '-' ? atof(argv[i]) : tolerance;
  }
  printMachine();
  printPileHead();
  for (int i = 0; i < countPileSizes(argc, argv); i++) {
    measurePile(pileSizes[i], tolerance);
  }
  return 0;
}
