// Solvers: error-controlled integration by SUNDIALS, IDA on 0 = F(t, y, y') or CVODE's BDF on y' = f(t, y).
//
// A solver owns its state; the caller drives it step by step and reads between steps.
#ifndef CR_SOLVE_SOLVER_H
#define CR_SOLVE_SOLVER_H

#include "base/archive.h"
#include "carom/solver.h"
#include "solve/problem.h"

typedef struct crSolver crSolver;

// `problem` is copied, and so is its pattern; whatever else it points to must outlive the solver. maxStep may be
// infinite. cr_errorModel: this build has no SUNDIALS, which is told.
crStatus crCreateSolver(crSolverKind kind, const crProblem* problem, double relTol, double maxStep,
                        const crAllocator* allocator, const crErrorSink* sink, crSolver** outSolver);
void crDestroySolver(crSolver* solver);

// Other entries of the Jacobian from the next restart on, which has to come before the next step: what is coupled may
// change at an event. The pattern is copied. Costs time in proportion to the entries times their number in a row, a new
// symbolic factorization when a step first needs one, and memory only when there are more entries than ever before; the
// same pattern again costs a comparison. cr_errorMemory: nothing has changed.
crStatus crSolver_SetPattern(crSolver* solver, const crSparsity* pattern);

// Starts, or starts anew after an event, from t and y; nothing is remembered from before but statistics. The first step
// is at most firstLimit [s] long, where that is positive; it may still be shorter. For starts whose time scale the
// caller knows and rates do not show, such as a contact that has just begun.
crStatus crSolver_Restart(crSolver* solver, double t, const double* y, double firstLimit);

// One step of the method's own size, never beyond tStop, which may be infinite and does not lie behind; at it exactly,
// if it is reached. tStop should be where the caller must stop: it cuts the last step short. Output is interpolated
// instead. After a failure, time and state are those of the last good step, and only a restart helps.
crStatus crSolver_Step(crSolver* solver, double tStop);

// Where the solver is, the start of the last step, and the state there; valid until the next call.
double crSolver_GetTime(const crSolver* solver);
double crSolver_GetStepStart(const crSolver* solver);
const double* crSolver_GetState(const crSolver* solver);
const double* crSolver_GetRates(const crSolver* solver);

// State at a time within the last step, as accurate as the steps; at the ends exactly the state there. Takes no
// evaluations.
crStatus crSolver_Interpolate(const crSolver* solver, double t, double* outY);

crSolverStatistics crSolver_GetStatistics(const crSolver* solver);
crMatrixForm crSolver_GetMatrixForm(const crSolver* solver); // that it has chosen
// Statistics, but for what the integrator has counted since the last restart: steps that are taken again count it once
// more. isOver: they will not be, since a restart comes next.
void crSolver_ArchiveCounts(crArchive* archive, crSolver* solver, bool isOver);

// The library that takes the steps, for builds to be compared: ", SUNDIALS 6.4.1"; empty without.
const char* crGetStepLibrary(void);

// Why the last call failed.
typedef struct crFailure {
  crStatus status;
  double step;         // [s] that was tried
  int worstComponent;  // with the largest error estimate; -1: unknown
  const char* message; // one sentence
  const char* remedy;  // what to try
} crFailure;

crFailure crSolver_GetFailure(const crSolver* solver);

#endif
