// Boxes, cylinders and hulls that fall into an open box, by Carom: CPU time for a simulated second and the energy that
// is not explained. bench_mixed_NAME.cpp are the same bodies elsewhere. Fails where a run does not come to its end.
//
// usage: bench_mixed [--quick] [TOLERANCE]     100 bodies; 1,000
#include "measure.h"
#include "mixed.h"

#include "flat.h"

#define LONGEST_RUN 900 // [s] of CPU time

static bool measureMixed(int n, double tolerance)
{
  char count[16], what[64];
  Job job = makeJob(BENCH_SCENES "/mixed_pile.lua", MIXED_STOP, tolerance);
  snprintf(count, sizeof count, "%d", n);
  job.settings[0] = (crSetting){ "n", count };
  job.limit = LONGEST_RUN;
  job.interval = MIXED_STOP / 20;
  Outcome outcome = measureJob(&job);
  const Measurement* m = outcome.measurement;
  bool isGood = m->isGood;
  const crSimulationSummary* s = &m->summary;
  snprintf(what, sizeof what, "carom, tolerance %.0e", tolerance);
  if (isGood) {
    printMixedRow(what, "carom", n, MIXED_STOP, m->cpuSeconds, m->height,
                  fabs(findFlatUnexplained(s)) / findFlatTurnover(s));
  } else {
    double reached = m->sampleCount > 0 ? m->samples[m->sampleCount - 1].time : 0;
    printf("%s, %d bodies: %s, at %g s\n", what, n, m->message, reached);
  }
  freeOutcome(&outcome);
  return isGood;
}

int main(int argc, char** argv)
{
  double tolerance = 1e-3;
  bool isGood = true;
  for (int i = 1; i < argc; i++) {
    tolerance = argv[i][0] != '-' ? atof(argv[i]) : tolerance;
  }
  printMachine();
  printMixedHead();
  for (int i = 0; i < countMixedSizes(argc, argv); i++) {
    isGood = measureMixed(mixedSizes[i], tolerance) && isGood;
  }
  return isGood ? 0 : 1;
}
