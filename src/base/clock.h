// Clocks of the machine. What they tell never reaches a result.
#ifndef CR_BASE_CLOCK_H
#define CR_BASE_CLOCK_H

#include <time.h>

static inline double crReadClock(clockid_t clock) // [s]
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
