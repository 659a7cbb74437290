// Which solver takes the next step, where the run may choose.
//
//   explicit ── steps held by stability ──► implicit, on trial ── takes far fewer evaluations ──► implicit
//      ▲                                       │
//      └────────── does not ───────────────────┘   (and more patience before the next trial)
//
// An explicit method on a stiff model needs a number of steps without bound, an implicit one on a model that is not
// loses a factor of a few: so explicit comes first. Whether a change pays is measured, in evaluations for the same
// stretch of time; never by a clock, and without those for output, so that the same run chooses the same.
#ifndef CR_SIM_SOLVER_CHOICE_H
#define CR_SIM_SOLVER_CHOICE_H

#include "carom/simulate.h"
#include "sim/stiffness.h"

typedef struct crSolverChoice {
  crSolverKind kind;  // for the next step
  const char* reason; // for people
  bool isWatching;    // it may change
  crSolverKind explicitKind;
  crStiffnessTest stiffness;
  int patience;          // probes in a row that must find the steps at the limit
  int64_t stepCount;     // with the explicit method
  double since;          // [s] when the steps came to the limit, or the trial began
  int64_t stepsBefore;   // steps taken and rejected until then
  double explicitEffort; // [1/s] evaluations per time of the explicit method at the limit
} crSolverChoice;

// asked: a solver, or CR_SOLVER_AUTO. limit: see crStiffnessTest. false: out of memory.
bool crSolverChoice_Init(crSolverChoice* choice, crSolverKind asked, double tolerance, int n, double limit,
                         const crAllocator* allocator);
void crSolverChoice_Free(crSolverChoice* choice, const crAllocator* allocator);

// After a step of the solver, which is of choice->kind.
void crSolverChoice_Watch(crSolverChoice* choice, const crProblem* problem, const crSolver* solver);

#endif
