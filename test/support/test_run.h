// Runs of models that tests step through: an example by its name, or a Lua text.
#ifndef CR_TEST_TEST_RUN_H
#define CR_TEST_TEST_RUN_H

#include "carom/carom.h"
#include "carom/io.h"
#include "support/log.h"

#define CR_MAX_TEST_SETTINGS 6

typedef struct crTestPlan {
  const char* example;                      // file in examples/, or NULL
  const char* text;                         // a model, where there is no example
  const char* folder;                       // of the files of that; NULL: the current one
  double stop;                              // [s] 0: as the model says
  double tolerance;                         // 0: as the model says
  crSolverKind solver;                      // cr_solverDefault: as the model says
  const crSimulationOptions* options;       // instead of all those; NULL: those
  crSetting settings[CR_MAX_TEST_SETTINGS]; // up to the first without a name
} crTestPlan;

typedef struct crTestRun {
  crErrorLog* log;
  crErrorSink sink;
  crScene* scene;
  crModel* model;
  crSimulation* simulation;
  crInstance* instance;
} crTestRun;

// The instance of a run as no user gets it: to be written to.
crInstance* crTestInstance(crSimulation* simulation);

// Reads, compiles and starts; fails the test when anything is said about the model.
crTestRun crOpenTestRun(const crTestPlan* plan);
// The same for a Lua text, with a stop time [s], a tolerance (0: the default) and a solver.
crTestRun crOpenTestText(const char* text, double stop, double tolerance, crSolverKind solver);
// Compiles the scene of a run and starts it; leaves out what fails, of which the log tells.
void crTestRun_Start(crTestRun* run, const crSimulationOptions* options);
void crCloseTestRun(crTestRun* run);
// A Lua text without a fault that shows before the start, which is refused with this message.
void crAssertStartIsRefused(const char* text, const char* message);

void crTestRun_Advance(crTestRun* run, double t);
double crTestRun_Value(const crTestRun* run, const char* variable);
double crTestRun_ValueAt(crTestRun* run, double t, const char* variable); // advances to t
// [s] From 0 on, the time at which the x of a free body passes zero for the n-th time, by its speed at the next
// multiple of step: so near that it does not change.
double crTestRun_FindPassage(crTestRun* run, const char* body, double step, int n);
crPose crTestRun_Pose(const crTestRun* run, const char* object);
crMotion crTestRun_Motion(const crTestRun* run, const char* object);
double crTestRun_Energy(const crTestRun* run);      // [J] kinetic, potential and elastic
double crTestRun_Unexplained(const crTestRun* run); // [J] what the balance of the run so far cannot explain
crVec3 crTestRun_Axis(const crTestRun* run, const char* object); // its z axis in the world

#endif
