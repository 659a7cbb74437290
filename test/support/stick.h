// Scenes of friction that sticks: bench/scenes/stick_*.lua, with settings.
#ifndef CR_TEST_STICK_H
#define CR_TEST_STICK_H

#include "support/test_run.h"

// settings up to the first without a name; NULL: none. stop 0: as the scene says.
crTestRun crOpenStick(const char* file, const crSetting* settings, double tolerance, double stop, crSolverKind solver);

// Friction at all contacts is at most muS times the load.
void crAssertFrictionIsBounded(const crTestRun* run);

// [J] All that came in and went out.
double crStickTurnover(const crTestRun* run);
// [rad] Between two poses.
double crStickTurn(crPose a, crPose b);

#endif
