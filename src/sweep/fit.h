// The inside of a fit.
//
// Variables are scaled: x = parameter / scale. Residuals are (model - measured) / deviation.
#ifndef CR_SWEEP_FIT_H
#define CR_SWEEP_FIT_H

#include "carom/fit.h"
#include "sweep/runner.h"

#include <stdatomic.h>

// What is evaluated: by several threads at once.
typedef struct crFitProblem {
  const crFitDef* def;
  crAllocator allocator;
  crSweepPlan* plan; // of the model, its parameters and all variables, for their names and the source
  int count;         // parameters
  double scale[CR_MAX_FIT_PARAMETERS];
  double lower[CR_MAX_FIT_PARAMETERS], upper[CR_MAX_FIT_PARAMETERS]; // of x
  int residualCount;
  const double* const* deviations; // (experimentCount)
  int maxRuns, threads;
  atomic_int runs;
} crFitProblem;

// Residuals at x, (residualCount), those that were not measured being 0; outValues as crFit_GetValues has them, or
// NULL. A model that fails is reported, and its status returned.
crStatus crFitProblem_Evaluate(crFitProblem* problem, const double* x, double* outResiduals, double* const* outValues,
                               const crErrorSink* sink);
// The goal, to be least; infinite when the model fails.
double crFitProblem_EvaluateGoal(crFitProblem* problem, const double* x, const crErrorSink* sink);

// The columns of the Jacobian, (count x residualCount) one parameter after the other, by differences on both sides.
crStatus crFitProblem_Differentiate(crFitProblem* problem, const double* x, double* outJacobian);

bool crFitProblem_ShouldStop(const crFitProblem* problem);

// Levenberg's and Marquardt's method inside bounds. x: from the start to the end.
typedef struct crLevenberg {
  double* x;         // (count)
  double* residuals; // (residualCount) at x
  double* jacobian;  // (count x residualCount) at x
  double sum;        // of squares
  int iterations;
  crFitEnd end;
} crLevenberg;
crStatus crFitProblem_SolveLevenberg(crFitProblem* problem, crLevenberg* solution, const crErrorSink* sink);

// Solves A y = b for a symmetric positive definite matrix (n x n), in place. false: it is not.
bool crSolveCholesky(double* a, int n, double* b);

#endif
