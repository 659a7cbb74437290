// A ball thrown at a free body with a surface of a profile: no gravity, no losses, so that its energy is known.
// Every throw is made from a kind and a seed alone.
#ifndef CR_TEST_SURFACE_THROW_H
#define CR_TEST_SURFACE_THROW_H

#include <stdint.h>

#define CR_SURFACE_KINDS 8

const char* crSurfaceKind_GetText(int kind);

typedef struct crSurfaceThrow {
  int status;       // crStatus of the run
  int contactCount; // that began
  double energy;    // [-] that is missing or too much, of what there was
} crSurfaceThrow;

crSurfaceThrow crThrowAtSurface(int kind, uint64_t seed, double tolerance);

#endif
