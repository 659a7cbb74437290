// One run of a scene, measured: a process of its own for its peak memory, the best of several repetitions for its time.
#ifndef CR_BENCH_MEASURE_H
#define CR_BENCH_MEASURE_H

#include "carom/carom.h"
#include "carom/io.h"

#define MEASURE_SETTINGS 4
#define NAME_SIZE 96
#define MEASURE_SAMPLES 1024 // at most

typedef struct Job {
  const char* path;                     // of the model
  crSetting settings[MEASURE_SETTINGS]; // up to the first without a name
  double stop;                          // [s]
  double interval;                      // [s] of samples; 0: only the end
  double tolerance;                     // [-]
  crSolverKind solver;
  bool hasIslands;
  int threads;  // 0: as the library likes
  int repeats;  // the least time counts
  double limit; // [s] of CPU time, after which a run counts as failed
} Job;

// Solver chosen, islands on, one thread, one repetition, at most two minutes.
Job makeJob(const char* path, double stop, double tolerance);

// The state of affairs at a sample time.
typedef struct Sample {
  double time;       // [s]
  double cpuSeconds; // up to there
  double kinetic;    // [J]
  double steps;      // of all islands, up to there
} Sample;

typedef struct Measurement {
  bool isGood;
  char message[512];              // the first error
  crSimulationSummary summary;    // its strings are constants
  double cpuSeconds, wallSeconds; // the least of the repetitions
  double openSeconds;             // CPU time of reading and compiling the model
  double peakMemory;              // [bytes] of the process
  double deepest;                 // [m] largest depth of a contact at the end
  double height;                  // [m] mean of z of the first objects of all moving bodies
  double fastest;                 // [m/s] of them
  int contactCount;               // at the end
  int sampleCount;
  Sample samples[MEASURE_SAMPLES];
  int objectCount;
} Measurement;

// A measurement and what belongs to it; in memory that the run's process shares.
typedef struct Outcome {
  Measurement* measurement;
  char (*names)[NAME_SIZE]; // (objectCount) paths of the first objects of all moving bodies
  double (*positions)[3];   // [m] at the end
  double (*turns)[4];       // orientations at the end, quaternions
  size_t size;
} Outcome;

Outcome measureJob(const Job* job);
void freeOutcome(Outcome* outcome);
const double* findPosition(const Outcome* outcome, const char* name); // NULL: no such object

// "GNU 12.2.0, -O3 ..." and the processor, as a line.
void printMachine(void);

#endif
