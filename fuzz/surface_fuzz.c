// Random throws of balls at bodies with surfaces of profiles, and at end faces (support/surface_throw.h), each judged
// by its energy.
//
// usage: surface_fuzz [THROWS [SEED]]     of all kinds in turns, and as many at end faces; 1000 unless given
//
// Fails when a run fails, or when an energy is wrong by more than 1e-6 at the tolerance 1e-8.
#include "support/surface_throw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LIMIT 1e-6 // [-]

static int throwAtEnds(int count, uint64_t first)
{
  int wrong = 0, hits = 0;
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    int kind = i % CR_OUTLINE_KINDS;
    uint64_t seed = first + (uint64_t)(i / CR_OUTLINE_KINDS);
    crSurfaceThrow thrown = crThrowAtEnd(kind, seed, 1e-8);
    hits += thrown.contactCount > 0;
    worst = fmax(worst, fabs(thrown.energy));
    if (thrown.status != 0 || !(fabs(thrown.energy) <= LIMIT)) {
      printf("end of %s, seed %llu: status %d, energy off by %.3g\n", crSurfaceKind_GetText(CR_FIRST_EXTRUDED + kind),
             (unsigned long long)seed, thrown.status, thrown.energy);
      ++wrong;
    }
  }
  printf("%-14s %6d hits, energy off by %.2g at most\n", "end faces", hits, worst);
  return wrong;
}

int main(int argc, char** argv)
{
  int count = argc > 1 ? (int)strtod(argv[1], NULL) : 1000, wrong = 0, hits[CR_SURFACE_KINDS] = { 0 };
  uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  double worst[CR_SURFACE_KINDS] = { 0.0 };
  for (int i = 0; i < count; ++i) {
    int kind = i % CR_SURFACE_KINDS;
    uint64_t seed = first + (uint64_t)(i / CR_SURFACE_KINDS);
    crSurfaceThrow thrown = crThrowAtSurface(kind, seed, 1e-8);
    hits[kind] += thrown.contactCount > 0;
    worst[kind] = fmax(worst[kind], fabs(thrown.energy));
    if (thrown.status != 0 || !(fabs(thrown.energy) <= LIMIT)) {
      printf("%s, seed %llu: status %d, energy off by %.3g\n", crSurfaceKind_GetText(kind), (unsigned long long)seed,
             thrown.status, thrown.energy);
      ++wrong;
    }
  }
  for (int kind = 0; kind < CR_SURFACE_KINDS; ++kind) {
    printf("%-14s %6d hits, energy off by %.2g at most\n", crSurfaceKind_GetText(kind), hits[kind], worst[kind]);
  }
  wrong += throwAtEnds(count, first);
  printf("%d throws, %d wrong\n", 2 * count, wrong);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
