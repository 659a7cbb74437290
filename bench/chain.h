// The chain that the chain benchmarks share: n revolute links in a row, axes alternating y and x, hanging down.
#ifndef CR_BENCH_CHAIN_H
#define CR_BENCH_CHAIN_H

#include <math.h>
#include <stdio.h>
#include <time.h>

#define CHAIN_LENGTH 0.1 // [m] of a link, along -z
#define CHAIN_MASS 1.0   // [kg] centre in the middle of the link
#define CHAIN_IX 0.002   // [kg m^2] about the centre
#define CHAIN_IY 0.003
#define CHAIN_IZ 0.001
#define CHAIN_GRAVITY 9.81 // [m/s^2] along -z
#define CHAIN_MAX 512      // links
#define CHAIN_SIZES                                                                                                    \
  {                                                                                                                    \
    8, 32, 128, 512                                                                                                    \
  }
#define CHAIN_SIZE_COUNT 4
#define CHAIN_RUNS 7 // the best counts

// Angles and rates of link i in call k, so that no two calls are the same.
static inline double chainAngle(int i, int k)
{
  return 0.02 * sin(1.3 * i + 0.001 * k);
}

static inline double chainRate(int i, int k)
{
  return 0.1 * cos(0.7 * i + 0.002 * k);
}

static inline int chainCalls(int n)
{
  return 400000 / n;
}

// Time of this process: steadier than the clock on the wall where others work, too.
static inline double chainNow(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
