// A hundred boxes, cylinders and hulls that settle on a floor and lie there: CPU time for a simulated second while they
// move and while they rest. Nothing is put to sleep: what rests takes long steps.
//
// usage: bench_rest [--quick]     twelve bodies, 20 s
#include "measure.h"
#include "record.h"

#include <stdio.h>
#include <string.h>

#define AT_REST 1e-6    // of the largest kinetic energy
#define REST_LIMIT 0.01 // of the cost of settling
#define INTERVAL 0.1    // [s]

// The first sample from which on the kinetic energy stays small; the last one when it never does.
static const Sample* findRest(const Measurement* m)
{
  double largest = 0;
  int first = m->sampleCount - 1;
  for (int i = 0; i < m->sampleCount; i++) {
    largest = fmax(largest, m->samples[i].kinetic);
  }
  while (first > 0 && m->samples[first - 1].kinetic < AT_REST * largest) {
    first--;
  }
  return &m->samples[first];
}

int main(int argc, char** argv)
{
  bool isQuick = argc > 1 && strcmp(argv[1], "--quick") == 0;
  Job job = makeJob(BENCH_SCENES "/settling.lua", isQuick ? 20 : 60, 1e-4);
  job.settings[0] = (crSetting){ "n", isQuick ? "12" : "100" };
  job.interval = INTERVAL;
  Outcome outcome = measureJob(&job);
  const Measurement* m = outcome.measurement;
  printMachine();
  if (m->sampleCount == 0) {
    printf("settling fails: %s\n", m->message);
    return 1;
  }
  const Sample *rest = findRest(m), *end = &m->samples[m->sampleCount - 1];
  double settling = rest->cpuSeconds / rest->time;
  double resting = (end->cpuSeconds - rest->cpuSeconds) / (end->time - rest->time); // NaN when it never rests
  printf("%s bodies, %.3g of %.3g s: at rest from %.1f s on\n", job.settings[0].value, end->time, job.stop, rest->time);
  printf("CPU [ms/s]: settling %.4g, at rest %.4g, %.2g of it; limit %g\n", 1e3 * settling, 1e3 * resting,
         resting / settling, REST_LIMIT);
  printf("at the end: %d contacts, the deepest %.1e m, the fastest body %.1e m/s; %s\n", m->contactCount, m->deepest,
         m->fastest, m->isGood ? "complete" : m->message);
  recordNumber("rest.complete", m->isGood);
  recordNumber("rest.settling", settling);
  recordNumber("rest.rest", resting);
  bool isGood = m->isGood && resting <= REST_LIMIT * settling;
  freeOutcome(&outcome);
  return isGood ? 0 : 1;
}
