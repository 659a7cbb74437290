// Random throws of rollers and extruded bodies at extruded ones (support/surface_throw.h), each judged by its energy.
//
// usage: outline_fuzz [THROWS [SEED [KRED]]]     of all kinds in turns; 1000 unless given
//
// Fails when an energy is wrong by more than 1e-5 at the tolerance 1e-8, or when a run fails: with KRED below 1 bodies
// may be too fast for so soft a contact, and have to fail by name then.
#include "support/surface_throw.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define LIMIT 1e-5 // [-]
#define GOAL 1e-6  // [-] what is worse is told

int main(int argc, char** argv)
{
  int count = argc > 1 ? (int)strtod(argv[1], NULL) : 1000, wrong = 0, failed = 0, above = 0,
      hits[CR_OUTLINE_KINDS] = { 0 };
  uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  double kRed = argc > 3 ? strtod(argv[3], NULL) : 1.0, worst[CR_OUTLINE_KINDS] = { 0.0 };
  for (int i = 0; i < count; ++i) {
    int kind = i % CR_OUTLINE_KINDS;
    uint64_t seed = first + (uint64_t)(i / CR_OUTLINE_KINDS);
    crSurfaceThrow thrown = crThrowOutline(kind, seed, kRed, 1e-8);
    bool isWrong = thrown.status == 0 ? !(fabs(thrown.energy) <= LIMIT) : kRed == 1.0;
    failed += thrown.status != 0;
    hits[kind] += thrown.contactCount > 0;
    bool isAbove = thrown.status == 0 && !(fabs(thrown.energy) <= GOAL);
    above += isAbove;
    worst[kind] = thrown.status == 0 ? fmax(worst[kind], fabs(thrown.energy)) : worst[kind];
    if (isWrong || isAbove) {
      printf("%s, seed %llu: status %d, energy off by %.3g\n", crSurfaceKind_GetText(CR_FIRST_EXTRUDED + kind),
             (unsigned long long)seed, thrown.status, thrown.energy);
    }
    wrong += isWrong;
  }
  for (int kind = 0; kind < CR_OUTLINE_KINDS; ++kind) {
    printf("%-14s %6d hits, energy off by %.2g at most\n", crSurfaceKind_GetText(CR_FIRST_EXTRUDED + kind), hits[kind],
           worst[kind]);
  }
  printf("%d throws, %d failed, %d wrong, %d above %g\n", count, failed, wrong, above, GOAL);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
