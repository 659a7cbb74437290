// The numbers are from the measurements in docs/numerics.md.
#include "sim/solver_choice.h"

#define CR_ORDER_CHANGE 2e-7   // [-] tolerance below which order 8 takes less time than order 5 for the same error
#define CR_STIFFNESS_CHECKS 50 // steps between two tests for stiffness
#define CR_PATIENCE 4          // tests in a row that must find stiffness, before the first trial
#define CR_PATIENCE_GROWTH 4   // factor after a trial that did not pay
#define CR_TRIAL_STEPS 100     // of the implicit method: enough to reach its order and step size
#define CR_WORTH 0.3           // [-] evaluations, implicit over explicit, that pay: linear equations cost as much again

bool crSolverChoice_Init(crSolverChoice* choice, crSolverKind asked, double tolerance, int n, double limit,
                         const crAllocator* allocator)
{
  bool isTight = tolerance < CR_ORDER_CHANGE;
  *choice = (crSolverChoice){ .kind = asked, .reason = "as asked for", .patience = CR_PATIENCE };
  if (asked == CR_SOLVER_AUTO) {
    choice->kind = choice->explicitKind = isTight ? cr_solverDop853 : cr_solverDopri5;
    choice->reason = isTight ? "chosen: not stiff, tight tolerance" : "chosen: not stiff";
    choice->isWatching = true;
  }
  return n == 0 || crStiffnessTest_Init(&choice->stiffness, n, limit, allocator);
}

void crSolverChoice_Free(crSolverChoice* choice, const crAllocator* allocator)
{
  crStiffnessTest_Free(&choice->stiffness, allocator);
}

static int evaluationsPerStep(crSolverKind kind)
{
  return kind == cr_solverDop853 ? 12 : 6;
}

static void watchExplicit(crSolverChoice* choice, const crProblem* problem, const crSolver* solver)
{
  if (++choice->stepCount % CR_STIFFNESS_CHECKS != 0) {
    return;
  }
  crSolverStatistics statistics = crSolver_GetStatistics(solver);
  int64_t steps = statistics.steps + statistics.rejectedSteps;
  double t = crSolver_GetTime(solver), step = t - crSolver_GetStepStart(solver);
  int hits = crStiffnessTest_Probe(&choice->stiffness, problem, t, crSolver_GetState(solver), step);
  if (hits == 1) {
    choice->since = t;
    choice->stepsBefore = steps;
  } else if (hits >= choice->patience) {
    int64_t effort = evaluationsPerStep(choice->kind) * (steps - choice->stepsBefore);
    choice->explicitEffort = (double)effort / (t - choice->since);
    choice->since = t;
    choice->kind = crGetSolverInfo(cr_solverCvodeBdf)->isAvailable ? cr_solverCvodeBdf : cr_solverRadau5;
    choice->reason = "chosen: the model turned out to be stiff";
  }
}

// The implicit solver is new, so that it has counted from the beginning of the trial.
static void judgeTrial(crSolverChoice* choice, const crSolver* solver)
{
  crSolverStatistics statistics = crSolver_GetStatistics(solver);
  if (statistics.steps < CR_TRIAL_STEPS) {
    return;
  }
  double effort = (double)statistics.evaluations / (crSolver_GetTime(solver) - choice->since);
  if (effort <= CR_WORTH * choice->explicitEffort) {
    choice->isWatching = false;
    return;
  }
  choice->kind = choice->explicitKind;
  choice->reason = "chosen: not stiff enough for an implicit method";
  choice->patience *= CR_PATIENCE_GROWTH;
  choice->stiffness.hits = 0;
}

void crSolverChoice_Watch(crSolverChoice* choice, const crProblem* problem, const crSolver* solver)
{
  if (!choice->isWatching) {
    return;
  }
  if (choice->kind == choice->explicitKind) {
    watchExplicit(choice, problem, solver);
  } else {
    judgeTrial(choice, solver);
  }
}
