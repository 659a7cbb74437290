// Whole runs of models in which something touches, with all that they hand out, for comparison with each other.
#ifndef CR_TEST_ISLAND_RUN_H
#define CR_TEST_ISLAND_RUN_H

#include "carom/carom.h"
#include "carom/io.h"
#include "support/log.h"

#define CR_MAX_ISLAND_SETTINGS 4

// From a file of the project, with settings up to the first without a name, or from a text. Fails the test when there
// are errors.
typedef struct crIslandPlan {
  const char* file;
  const char* text;
  crSetting settings[CR_MAX_ISLAND_SETTINGS];
} crIslandPlan;

crModel* crOpenIslandModel(const crIslandPlan* plan);

typedef struct crIslandRun {
  crErrorLog* log;
  const crModel* model;
  crSimulation* simulation; // at its end
  crStatus status;
  crRunEnd end;
  crSimulationSummary summary;
  int stateCount, objectCount;
  int rowCount, rowCapacity;
  double* times;  // (rowCount)
  double* states; // (rowCount x stateCount)
  crVec3* places; // (rowCount x objectCount) of objects
  int eventCount, eventCapacity;
  crContactRecord* events;
  long stopAfter; // questions whether to stop; 0: never
  long questions;
} crIslandRun;

// interval 0: none but the end. Contacts, tolerances and the like as in `options`.
crIslandRun crRunIslands(const crModel* model, const crSimulationOptions* options);
// The same, but to be stopped after so many questions.
crIslandRun crRunIslandsUntil(const crModel* model, const crSimulationOptions* options, long stopAfter);
void crIslandRun_Free(crIslandRun* run);

crSimulationOptions crIslandOptions(double stop, double tolerance); // one output interval

// [m] Largest difference of a coordinate of an object at the last rows of both.
double crCompareEnds(const crIslandRun* a, const crIslandRun* b);
// [m] The same over all rows, which must be at the same times.
double crCompareRows(const crIslandRun* a, const crIslandRun* b);
// Same states in all rows, contacts at the end, events and statistics, bit for bit.
void crAssertSameRuns(const crIslandRun* a, const crIslandRun* b);
crVec3 crIslandRun_Place(const crIslandRun* run, const char* object); // at the end
double crIslandRun_Unexplained(const crIslandRun* run);               // [J] of the energy balance

// Order of time, begins before ends, each pair and feature in turns, counts, and what is left touches at the end.
void crAssertEventsAreSound(const crIslandRun* run);
// All pairs at the end, one by one: what overlaps by more than `slack` is in contact, once, and contacts overlap.
void crAssertContactsAreWhole(const crIslandRun* run, double slack);

#endif
