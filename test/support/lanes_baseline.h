// Rates of balls in lanes, from the same source as those of the library, but compiled for the plainest processor.
#ifndef CR_TEST_LANES_BASELINE_H
#define CR_TEST_LANES_BASELINE_H

#include "contact/ball_lanes_inside.h"

crStatus baselineComputeRates(crBallLanes* lanes, const double* y, double* outRates, double* outDissipation);
double baselineComputeNext(crBallLanes* lanes, const crLaneStage* stage);
void baselineFillStage(crBallLanes* lanes, const double* y);
crStatus baselineEvalPoints(crBallLanes* lanes, const double* stage, double* outRates, double* outStageRates,
                            double* outDissipation);
void baselineReportContact(const crBallLanes* lanes, const crTouchingPair* pair, const double* y, crContact* contact);

#endif
