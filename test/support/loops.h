// Mechanisms with loops in tests: a Lua text, compiled and in motion.
#ifndef CR_TEST_LOOPS_H
#define CR_TEST_LOOPS_H

#include "carom/carom.h"
#include "carom/io.h"
#include "support/log.h"
#include "support/lua.h"
#include "support/test.h"

typedef struct crTestLoop {
  crTestModel text;
  crModel* model;
  crSimulation* simulation;
  crInstance* instance;
} crTestLoop;

// From a text that is without errors; the simulation is NULL when its start is refused.
crTestLoop crStartLoop(const char* text, double stopTime, double tolerance, crSolverKind solver);
// From an example; settings up to the first without a name, or NULL. Solver and tolerance as given.
crTestLoop crStartLoopExample(const char* name, const crSetting* settings, double stopTime, double tolerance,
                              crSolverKind solver);
void crTestLoop_Free(crTestLoop* loop);

void crTestLoop_Advance(crTestLoop* loop, double t);
double crTestLoop_Get(const crTestLoop* loop, const char* variable);
crWrench crTestLoop_GetReaction(const crTestLoop* loop, const char* joint); // stage report
double crTestLoop_GetEnergy(const crTestLoop* loop);
bool crTestLoop_IsCut(const crTestLoop* loop, const char* joint);

// The largest distance of the origins of the two objects of any joint of the loops that keeps them together [m].
double crTestLoop_FindGap(const crTestLoop* loop);

#endif
