// Boxes and hulls that tumble and fall on each other and on a floor, all of them from a seed alone: 2 to 7 bodies of
// 0.01 to 0.3 m, soft as rubber or hard as steel, elastic or not, with and without friction, at any tolerance.
#ifndef CR_TEST_TUMBLE_H
#define CR_TEST_TUMBLE_H

#include "carom/carom.h"

#include <stdint.h>

typedef struct crTumblePlan {
  uint64_t seed;
  int bodyCount;
  double E;             // [N/m^2] 1e6 to 1e11
  double cor, muK;      // [-] 0 to 1, 0 to 0.8
  double tolerance;     // [-] 1e-5 to 1e-9
  double stop;          // [s]
  double cpuLimit;      // [s] after which a run is cancelled
  bool hasPlate;        // a thin plate stands in the way
  crIslandMode islands; //
  crSolverKind solver;  //
  double sample;        // [s] between times at which all distances are looked at; 0: never
} crTumblePlan;

crTumblePlan crMakeTumblePlan(uint64_t seed);

#define CR_TUMBLE_MESSAGE 400

typedef struct crTumbleResult {
  crStatus status;       // cr_cancelled: it took too long
  double time;           // [s] reached
  double energy;         // [J] at the start, above the floor
  double unexplained;    // [J]
  double deepestStart;   // [-] depth over hysteresis with which a contact began, the largest
  double deepestMissed;  // [-] likewise of shapes that were not in contact at a sample
  int64_t steps, events; //
  int64_t distances;     // that the search asked for
  int64_t contacts;      //
  double cpuSeconds;     //
  char message[CR_TUMBLE_MESSAGE];
} crTumbleResult;

crTumbleResult crRunTumble(const crTumblePlan* plan);

#endif
