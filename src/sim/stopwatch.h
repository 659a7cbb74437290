// The time that a simulation takes, output not counted.
//
// Output begins and ends hundreds of times in a run that takes a millisecond. The wall clock is read at each of them;
// the CPU clock of a thread, which is a system call of its own, only from time to time. What it tells is shared out:
// computing does not wait, so it takes as much of the CPU as of the wall clock, and output the rest. Other processes on
// the same processor make that wrong by what output took in one such time.
#ifndef CR_SIM_STOPWATCH_H
#define CR_SIM_STOPWATCH_H

#include <stdbool.h>

typedef struct crStopwatch {
  double cpuSeconds, wallSeconds; // counted so far
  // of the call that goes on:
  bool isCounting;
  double turned;        // [s] wall clock, when counting began or ended
  double wallRead;      // [s] wall clock, when
  double cpuRead;       // [s] the CPU clock was this
  double wallUnsettled; // [s] counted since then
} crStopwatch;

// All in one thread; nothing is counted yet.
void crStopwatch_Open(crStopwatch* watch);
void crStopwatch_Close(crStopwatch* watch);
// From here on time is counted, or not.
void crStopwatch_Turn(crStopwatch* watch, bool isCounting);

#endif
