// Random numbers for tests, fuzz programs and benchmarks: the same on every run.
#ifndef CR_TEST_RANDOM_H
#define CR_TEST_RANDOM_H

#include "carom/math.h"

#include <stdint.h>

// A small deterministic generator; seed it with any number.
typedef struct crRandom {
  uint64_t state;
} crRandom;
crRandom crMakeRandom(uint64_t seed);
uint64_t crRandom_Next(crRandom* random);
double crRandom_Uniform(crRandom* random, double min, double max);
crVec3 crRandom_UnitVec3(crRandom* random);
crQuat crRandom_Rotation(crRandom* random);                           // uniform over all rotations
double crRandom_LogUniform(crRandom* random, double min, double max); // its logarithm is uniform

#endif
