// Random bodies dropped on each other and on a floor.
#ifndef CR_TEST_DROP_H
#define CR_TEST_DROP_H

#include "carom/carom.h"

#include <stdint.h>

typedef struct crDropPlan {
  int count;            // of bodies
  bool isMixed;         // boxes, hulls and cylinders of random sizes; else boxes of 0.1 x 0.2 x 0.3 m
  uint64_t seed;        // of their poses
  double E;             // [N/m^2]
  double cor, muK, muR; // [-]
  double tolerance;     // [-]
  double stop;          // [s]
  double far;           // [m] from the origin along x and y
  crIslandMode islands; //
} crDropPlan;

// Lossless for 2 s, or with cor 0.5, friction 0.4 and a rolling resistance that stops cylinders for 4 s, in which they
// come to rest.
crDropPlan crMakeDropPlan(int count, bool isMixed, bool isLossy);

#define CR_DROP_MESSAGE 240

typedef struct crDropResult {
  crStatus status;
  double time;       // [s] reached
  double energy;     // [J] at the start, above the floor
  double change;     // [J] of kinetic, potential and elastic energy
  double kinetic;    // [J] at the end
  double dissipated; // [J]
  double depth;      // [m] largest of all contacts
  double lowest;     // [m] height of the lowest body's centre of mass at the end
  int64_t steps;     //
  int64_t contacts;  //
  double cpuSeconds; //
  char message[CR_DROP_MESSAGE];
} crDropResult;

#define CR_DROP_CPU_LIMIT 300.0 // [s] after which a run counts as one without end: cr_cancelled

crDropResult crRunDrop(const crDropPlan* plan);
// [-] Of the energy at the start: the change, less what was lost.
double crDropResult_Error(const crDropResult* result);
// [-] What may be expected: 1e-5, or the tolerance where that is more.
double crDropPlan_FindLimit(const crDropPlan* plan);

#endif
