// Runs that are saved on their way, and gone on with from there: whether every bit is that of the run itself.
#ifndef CR_TEST_SAVED_RUN_H
#define CR_TEST_SAVED_RUN_H

#include "carom/carom.h"

#define CR_MAX_SAVED_SETTINGS 6

typedef struct crSavedPlan {
  const char* file;     // of the project, or NULL
  const char* text;     // a Lua model instead
  double stop;          // [s]
  int intervals;        // between output points
  double tolerance;     // 0: as the model says
  double maxStep;       // [s] likewise
  crSolverKind solver;  // cr_solverDefault: likewise
  crIslandMode islands; // likewise
  bool setsInputs;      // the clock is held from outside, and inputs are set on the way
  crSetting settings[CR_MAX_SAVED_SETTINGS];
} crSavedPlan;

// NULL: it cannot be read or compiled.
crModel* crOpenSavedModel(const crSavedPlan* plan);

// What a run has handed out: the fingerprint of each row, with all variables and contacts, and of all events before it.
typedef struct crSavedRow {
  uint64_t values, events;
} crSavedRow;

typedef struct crSavedRun {
  const crModel* model;
  const crSavedPlan* plan;
  crStatus status;
  crRunEnd end;
  crSimulationSummary summary;
  crSavedRow* rows; // (rowCount)
  int rowCount;
  uint64_t events; // of all of them
  // where to save: after the rows of these numbers, ascending
  const int* points; // (pointCount)
  int pointCount;
  void** bytes;  // (pointCount) NULL: it did not get there
  size_t* sizes; // (pointCount)
  bool copies;   // goes on with a copy at each of these points, and destroys the original
  crSimulation* simulation;
} crSavedRun;

// A whole run, which saves itself at some points.
crSavedRun crRunSaved(const crModel* model, const crSavedPlan* plan, int threads, const int* points, int pointCount,
                      bool copies);
// Goes on from the checkpoint of a run.
crSavedRun crResumeSaved(const crSavedRun* run, int point, int threads);
void crSavedRun_Free(crSavedRun* run);

// The first row that differs, from a row on; -1: none does, nor do events and statistics at the end. -2: those do.
int crCompareSaved(const crSavedRun* a, const crSavedRun* b, int firstRow);

#endif
