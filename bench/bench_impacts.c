// What an impact costs, for every pair of shapes: two bodies thrown at each other (test/support/throw.h) without
// losses, at 1e-8, from their flight towards each other until they are apart. Means of several throws, the least time
// of several repetitions, with the largest error of the energy. Pairs are compared with two ellipsoids, whose contact
// is a point.
//
// usage: bench_impacts [--quick] [PAIR...]     one repetition; PAIR: only those, as cone-hull
#include "record.h"
#include "support/throw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define THROWS 7 // of each pair
#define REPEATS 3
#define TOLERANCE 1e-8
#define MODULUS 1e9       // [N/m^2]
#define RATIO_LIMIT 3.0   // [-] CPU time over that of two ellipsoids
#define ENERGY_LIMIT 1e-5 // [-]

typedef struct Cost {
  double seconds, steps, evaluations; // means
  double error;                       // [-] largest
  int failed;
} Cost;

static Cost measurePair(crThrownPair pair, int repeats)
{
  Cost cost = { 0 };
  crThrowOptions options = { .tolerance = TOLERANCE, .cor = 1, .E = MODULUS };
  for (int i = 1; i <= THROWS; i++) {
    double seconds = HUGE_VAL;
    crThrowResult result = { 0 };
    for (int k = 0; k < repeats; k++) {
      result = crRunThrow(pair, (uint64_t)i, &options);
      seconds = fmin(seconds, result.cpuSeconds);
    }
    cost.failed += result.status != cr_ok;
    cost.seconds += seconds / THROWS;
    cost.steps += (double)result.steps / THROWS;
    cost.evaluations += (double)result.evaluations / THROWS;
    cost.error = fmax(cost.error, crThrowResult_Error(&result, &options));
  }
  return cost;
}

// No names: all.
static bool isWanted(const char* name, int count, char** names)
{
  bool isIn = count == 0;
  for (int i = 0; i < count; i++) {
    isIn = isIn || strcmp(name, names[i]) == 0;
  }
  return isIn;
}

int main(int argc, char** argv)
{
  bool isQuick = argc > 1 && strcmp(argv[1], "--quick") == 0, isGood = true;
  int firstName = isQuick ? 2 : 1;
  int repeats = isQuick ? 1 : REPEATS;
  double dearest = 0;
  Cost measure = measurePair((crThrownPair){ cr_thrownEllipsoid, cr_thrownEllipsoid }, repeats);
  printf("| %-22s | %6s | %6s | %8s | %10s | %9s |\n", "impact of", "steps", "rates", "CPU [ms]", "ellipsoids",
         "error");
  printf("|---|---|---|---|---|---|\n");
  for (int i = 0; i < CR_THROWN_PAIRS; i++) {
    crThrownPair pair = crGetThrownPair(i);
    char name[64], key[96];
    snprintf(name, sizeof name, "%s-%s", crThrownKind_GetText(pair.a), crThrownKind_GetText(pair.b));
    if (!isWanted(name, argc - firstName, argv + firstName)) {
      continue;
    }
    Cost cost = measurePair(pair, repeats);
    double ratio = cost.seconds / measure.seconds;
    printf("| %-22s | %6.0f | %6.0f | %8.3f | %8.2f x | %9.1e |%s%s\n", name, cost.steps, cost.evaluations,
           1e3 * cost.seconds, ratio, cost.error, ratio > RATIO_LIMIT ? " SLOW" : "",
           cost.failed > 0 || !(cost.error <= ENERGY_LIMIT) ? " WRONG" : "");
    fflush(stdout);
    snprintf(key, sizeof key, "impacts.%s.cpu", name);
    recordNumber(key, cost.seconds);
    dearest = fmax(dearest, ratio);
    isGood = isGood && cost.failed == 0 && cost.error <= ENERGY_LIMIT;
  }
  printf("the dearest takes %.2f x as long as two ellipsoids, limit %.0f\n", dearest, RATIO_LIMIT);
  recordNumber("impacts.ratio", dearest);
  return isGood && (isQuick || dearest <= RATIO_LIMIT) ? 0 : 1;
}
