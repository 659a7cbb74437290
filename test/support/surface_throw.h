// A ball thrown at a free body with a surface of a profile: no gravity, no losses, so that its energy is known.
// Every throw is made from a kind and a seed alone.
#ifndef CR_TEST_SURFACE_THROW_H
#define CR_TEST_SURFACE_THROW_H

#include <stdint.h>

#define CR_SURFACE_KINDS 8
#define CR_FIRST_EXTRUDED 4 // those from here on are
#define CR_OUTLINE_KINDS (CR_SURFACE_KINDS - CR_FIRST_EXTRUDED)

const char* crSurfaceKind_GetText(int kind);

typedef struct crSurfaceThrow {
  int status;       // crStatus of the run
  int contactCount; // that began
  double energy;    // [-] that is missing or too much, of what there was
} crSurfaceThrow;

crSurfaceThrow crThrowAtSurface(int kind, uint64_t seed, double tolerance);

// A roller, a triangle or a hook, in turns with the seed, thrown at one of the extruded kinds, from 0 on.
crSurfaceThrow crThrowOutline(int kind, uint64_t seed, double kRed, double tolerance);

// A ball that falls on the end face of one of the extruded kinds, from 0 on.
crSurfaceThrow crThrowAtEnd(int kind, uint64_t seed, double tolerance);

#endif
