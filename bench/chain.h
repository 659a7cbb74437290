// The chain that the chain benchmarks share: n revolute links in a row, axes alternating y and x, hanging down.
#ifndef CR_BENCH_CHAIN_H
#define CR_BENCH_CHAIN_H

#include "carom/carom.h"

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

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

// 0: about x, 1: about y.
static inline int chainAxis(int link)
{
  return link % 2 == 0 ? 1 : 0;
}

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

// The chain as a model whose joints are in the order of the chain: its state is [angles | rates]. NULL: out of memory.
crModel* chainMakeModel(int n);
void chainFillState(int n, int call, double* y);

// [ns] per degree of freedom of crInstance_ComputeRates, over chainCalls(n) calls; the last call's rates.
double chainTimeOurs(crInstance* instance, int n, double* y, double* rates);

#ifdef __cplusplus
}
#endif

#endif
