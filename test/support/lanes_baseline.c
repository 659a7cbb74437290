// Lanes of balls for the plainest processor: test/CMakeLists.txt gives this file flags of its own.
#include "support/lanes_baseline.h"

#define crBallLanes_ComputeRates baselineComputeRates
#define crBallLanes_EvalPoints baselineEvalPoints
#define crBallLanes_ComputeNext baselineComputeNext
#define crBallLanes_FillStage baselineFillStage
#define crBallLanes_ReportContact baselineReportContact

#include "contact/ball_rates.c"
