// Integrations step by step, and problems for them.
#ifndef CR_TEST_STEPS_H
#define CR_TEST_STEPS_H

#include "solve/stepper.h"
#include "support/test.h"

#define CR_MAX_TEST_STATES 128

// An integration: two segments that take turns.
typedef struct crTestSteps {
  crStepper* stepper;
  const crProblem* problem;
  double relTol;
  crStepMemory memory;
  crSegment segments[2];
  double numbers[2][8 * CR_MAX_TEST_STATES];
  int now; // the segment that the next step goes into
  bool hasBefore;
} crTestSteps;

void crStartTestSteps(crTestSteps* run, crStepper* stepper, const crProblem* problem, crStepKind kind, double relTol,
                      double t0, const double* y0);
crSegment* crTestSteps_Last(crTestSteps* run);
crStatus crTestSteps_Step(crTestSteps* run, double tMax);
void crTestSteps_RunTo(crTestSteps* run, double tEnd);

crStepper* crMakeTestStepper(void);
// Integrates from 0 to tEnd; returns the counts.
crStepCounts crIntegrateTest(const crProblem* problem, crStepKind kind, double relTol, double tEnd, const double* y0,
                             double* outY);
double crMaxDifference(const double* a, const double* b, int n);
const double* crFillTolerance(double* absTol, double value); // (CR_MAX_TEST_STATES)
int crNextStepKind(int kind); // of the methods that stand for themselves: dopri5, radau5, dop853

// ------------------------------------------------------------------------------------------- problems

// Kepler's ellipse of excentricity 0.5: x, y, x', y'; period 2 pi. The context is NULL or an int64_t that counts calls.
crStatus crComputeKepler(void* context, double t, const double* y, double* outRates);
extern const double crKeplerStart[4];
void crSolveKepler(double t, double* outY); // by Kepler's equation

// A steel ball on a table: z, x, quaternion, z', x', w, and the energy lost. 12 states.
enum {
  cr_testBallZ,
  cr_testBallX,
  cr_testBallQ,
  cr_testBallVz = 6,
  cr_testBallVx,
  cr_testBallW,
  cr_testBallLost = 11,
  cr_testBallCount
};
crStatus crComputeTestBall(void* context, double t, const double* y, double* outRates);
extern const double crTestBallStart[cr_testBallCount];
extern const crStructure crTestBallStructure;

#endif
