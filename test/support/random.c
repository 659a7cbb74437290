// Random numbers behind random.h: splitmix64.
#include "support/random.h"

#include <math.h>

crRandom crMakeRandom(uint64_t seed)
{
  crRandom random = { seed * UINT64_C(0x9e3779b97f4a7c15) + 1 };
  return random;
}

uint64_t crRandom_Next(crRandom* random)
{
  uint64_t x = random->state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

double crRandom_Uniform(crRandom* random, double min, double max)
{
  return min + (max - min) * ((double)(crRandom_Next(random) >> 11) * 0x1p-53);
}

crVec3 crRandom_UnitVec3(crRandom* random)
{
  double z = crRandom_Uniform(random, -1.0, 1.0);
  double angle = crRandom_Uniform(random, 0.0, 2.0 * CR_PI);
  double r = sqrt(1.0 - z * z);
  return crMakeVec3(r * cos(angle), r * sin(angle), z);
}

// Shoemake's subgroup method.
crQuat crRandom_Rotation(crRandom* random)
{
  double u = crRandom_Uniform(random, 0.0, 1.0);
  double a = crRandom_Uniform(random, 0.0, 2.0 * CR_PI), b = crRandom_Uniform(random, 0.0, 2.0 * CR_PI);
  crQuat q = { sqrt(1.0 - u) * sin(a), sqrt(1.0 - u) * cos(a), sqrt(u) * sin(b), sqrt(u) * cos(b) };
  return q;
}

double crRandom_LogUniform(crRandom* random, double min, double max)
{
  return min * pow(max / min, crRandom_Uniform(random, 0.0, 1.0));
}
