#include "sim/stopwatch.h"

#include "base/clock.h"

#define CR_CPU_CLOCK_SECONDS 2e-4 // between two readings, of 0.3e-6 s or more each

void crStopwatch_Open(crStopwatch* watch)
{
  watch->isCounting = false;
  watch->wallUnsettled = 0.0;
  watch->cpuRead = crReadClock(CLOCK_THREAD_CPUTIME_ID);
  watch->turned = watch->wallRead = crReadClock(CLOCK_MONOTONIC);
}

static void settle(crStopwatch* watch)
{
  double cpu = crReadClock(CLOCK_THREAD_CPUTIME_ID), passed = cpu - watch->cpuRead;
  watch->cpuSeconds += watch->wallUnsettled < passed ? watch->wallUnsettled : passed;
  watch->cpuRead = cpu;
  watch->wallRead = watch->turned;
  watch->wallUnsettled = 0.0;
}

void crStopwatch_Turn(crStopwatch* watch, bool isCounting)
{
  double now = crReadClock(CLOCK_MONOTONIC);
  if (watch->isCounting) {
    watch->wallSeconds += now - watch->turned;
    watch->wallUnsettled += now - watch->turned;
  }
  watch->isCounting = isCounting;
  watch->turned = now;
  if (now - watch->wallRead > CR_CPU_CLOCK_SECONDS) {
    settle(watch);
  }
}

void crStopwatch_Close(crStopwatch* watch)
{
  crStopwatch_Turn(watch, false);
  settle(watch);
}
