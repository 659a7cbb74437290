// Solvers: error-controlled integration of y' = f(t, y) or 0 = F(t, y, y'), with roots of g(t, y).
//
// One interface for all methods: our own, and SUNDIALS' IDA and CVODE where the build has them. A solver knows numbers,
// not bodies. It owns its state; the caller drives it step by step and reads between steps.
#ifndef CAROM_SOLVER_H
#define CAROM_SOLVER_H

#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ----------------------------------------------------------------------------------------- problem

// Where a matrix has entries that can differ from zero: compressed columns, rows ascending.
typedef struct crSparsity {
  int n;
  const int* columnStarts; // (n + 1)
  const int* rows;         // (columnStarts[n])
} crSparsity;

// A rotation and what turns it: q' = 1/2 (0, w) q, w in world axes, and nothing but itself depends on q.
typedef struct crSpin {
  int quaternion; // the first of four states
  int rate;       // the first of three states
} crSpin;

// What keeps states out of the equations that an implicit step solves.
typedef struct crStructure {
  const int* rateOf; // (n) y[i]' is y[rateOf[i]] exactly; -1: not so; NULL: for none. rateOf[i] has no rateOf itself
  const bool* isFollower; // (n) no rate depends on it: integrated along, and no step is chosen by its error; NULL: none
  const crSpin* spins;    // (spinCount) followers too, integrated on the group of rotations
  int spinCount;
  const bool* isWatched; // (n) followers by whose error steps are chosen all the same; NULL: none
} crStructure;

// Integrals along a step of what f computes on its way and hands to nobody, by the stages of one-step methods: as
// accurate as the step, and without an evaluation of their own. Each call but `keep` stands behind the evaluation of a
// stage; weights are times [s].
typedef struct crStageSums {
  // The first stage of an attempt at a step that has a weight: ofStart is that of what was evaluated at its start.
  void (*begin)(void* context, double ofStart, double ofStage);
  void (*add)(void* context, double ofStage);
  // A part of a step that takes several is done, h [s] long: where it ends, which was evaluated last, the next starts.
  void (*keep)(void* context, double h);
} crStageSums;

// Functions return cr_ok, cr_retry (this point cannot be evaluated: take a smaller step), or a failure, which
// ends the integration. They must not allocate, and must depend on their arguments alone.
typedef struct crProblem {
  int n;         // length of y
  int rootCount; // length of g
  void* context;

  // y' = f(t, y); NULL when the problem exists in residual form only
  crStatus (*computeRates)(void* context, double t, const double* y, double* outRates);
  // 0 = F(t, y, y'); NULL: the solver uses y' - f(t, y)
  crStatus (*computeResidual)(void* context, double t, const double* y, const double* yp, double* outResidual);
  // g(t, y); a root is where a component changes its sign. Exactly 0 is no sign: a component keeps the one it had, and
  // one that is 0 at a restart is watched from the end of the first step at which it is not.
  crStatus (*computeRoots)(void* context, double t, const double* y, double* outRoots);

  // Moves y onto what holds exactly along every solution, as closed loops; NULL: nothing does. One-step methods and
  // CVODE go on from there after a step; IDA has it in its residual.
  // cr_retry: the step that led to y was too large.
  crStatus (*project)(void* context, double t, double* y);

  // Entries of df/dy, or of dF/dy + c dF/dy' together. NULL: all, up to CR_MAX_DENSE; larger problems must say.
  const crSparsity* pattern;
  // Values in the order of the pattern. NULL: differences, columns grouped so that few evaluations do.
  crStatus (*computeJacobian)(void* context, double t, const double* y, double* outValues);
  crStatus (*computeResidualJacobian)(void* context, double t, double c, const double* y, const double* yp,
                                      double* outValues);
  const crStructure* structure;                        // what is known of f beyond its pattern; NULL: nothing
  const bool* isAlgebraic;                             // (n) of the residual form: y'[i] does not occur; NULL: none
  const double* absTol;                                // (n) > 0, in the unit of y
  const char* (*nameOf)(void* context, int component); // for messages; may be NULL
  const crStageSums* sums;                             // in runs by dopri5, dop853, radau5; crSolver calls none
} crProblem;

#define CR_MAX_DENSE 40 // largest problem that may leave out its pattern

// ------------------------------------------------------------------------------------------ solvers

typedef enum crSolverKind {
  cr_solverIda,      // BDF of order 1 to 5 on the residual form (SUNDIALS)
  cr_solverCvodeBdf, // BDF of order 1 to 5 (SUNDIALS)
  cr_solverDopri5,   // explicit Runge-Kutta of order 5
  cr_solverDop853,   // explicit Runge-Kutta of order 8
  cr_solverRadau5,   // implicit Runge-Kutta of order 5, Radau IIA
  cr_solverKindCount
} crSolverKind;

typedef struct crSolverInfo {
  const char* name;  // as on the command line: "ida", "cvode-bdf", "dopri5", "dop853", "radau5"
  const char* about; // one line
  bool isAvailable;  // in this build: those of SUNDIALS may be left out
  bool isImplicit;   // copes with stiff problems
  bool usesResidual; // works on 0 = F(t, y, y')
  bool canRedo;      // crSolver_RedoTo works: one-step methods
  int order;         // highest
} crSolverInfo;

CR_API const crSolverInfo* crGetSolverInfo(crSolverKind kind); // NULL: no such kind
CR_API crSolverKind crFindSolver(const char* name);            // cr_solverKindCount: no such name

typedef struct crSolverOptions {
  double relTol;    // > 0
  double maxStep;   // > 0; infinity: no limit
  double firstStep; // 0: chosen by the solver
} crSolverOptions;

CR_API crSolverOptions crDefaultSolverOptions(void); // 1e-6, no limit, chosen

typedef struct crSolver crSolver;

// `problem` is copied, and so is its pattern; whatever else it points to must outlive the solver.
CR_API crStatus crCreateSolver(crSolverKind kind, const crProblem* problem, const crSolverOptions* options,
                               const crAllocator* allocator, const crErrorSink* sink, crSolver** outSolver);
CR_API void crDestroySolver(crSolver* solver);

// Starts, or starts anew after an event, from t and y. yp: consistent rates for the residual form; NULL: the
// solver takes f(t, y), or, where there is none, keeps the differential components of y and finds their rates and the
// algebraic components. Nothing is remembered from before but statistics.
CR_API crStatus crSolver_Restart(crSolver* solver, double t, const double* y, const double* yp);

// The first step after the next restart, and only that one, is at most h [s] long; it may still be shorter. For starts
// whose time scale the caller knows and rates at the start do not show, such as a contact that has just begun. Steps
// may grow fast behind it. h that is not positive lifts a limit that was set.
CR_API void crSolver_LimitFirstStep(crSolver* solver, double h);

// Other entries of the Jacobian from the next restart on, which has to come before the next step: what is coupled may
// change at an event. The pattern is copied; NULL: all entries, up to CR_MAX_DENSE. Costs, for implicit methods, time
// in proportion to the entries times their number in a row, a new symbolic factorization when a step first needs one,
// and memory only when there are more entries than ever before; the same pattern again costs a comparison. Explicit
// methods check it and have no use for it. Broken patterns: cr_errorMisuse; then, and when memory is short, nothing
// changes.
CR_API crStatus crSolver_SetPattern(crSolver* solver, const crSparsity* pattern);

typedef enum crOutcome {
  cr_outcomeStep,   // took a step
  cr_outcomeRoot,   // took a step that ends just behind a root of g
  cr_outcomeStop,   // took a step that ends at tStop exactly
  cr_outcomeFailed, // cannot go on; crSolver_GetFailure says why
} crOutcome;

// One step of the solver's own size, never beyond tStop, which may be infinite. A root before tStop is reported as a
// root. tStop should be where the caller must stop: it cuts the last step short. Output is interpolated instead. After
// a failure, time and state are those of the last good step, and only a restart helps.
CR_API crOutcome crSolver_Step(crSolver* solver, double tStop);

// Where the solver is, the start of the last step, and the state there; valid until the next call.
CR_API double crSolver_GetTime(const crSolver* solver);
CR_API double crSolver_GetStepStart(const crSolver* solver);
CR_API const double* crSolver_GetState(const crSolver* solver);
CR_API const double* crSolver_GetRates(const crSolver* solver);

// State at a time within the last step, as accurate as the steps; at the ends exactly the state there. Takes no
// evaluations of f, but for dop853: 3 for each step in which it is asked for.
CR_API crStatus crSolver_Interpolate(const crSolver* solver, double t, double* outY);

// -1, 0, +1 per root function: the sign of its change at the last cr_outcomeRoot.
CR_API const int* crSolver_GetRootSigns(const crSolver* solver);

// Takes the last step again, so that it ends at t exactly, without interpolation error. Needs canRedo, and t within the
// last step.
CR_API crStatus crSolver_RedoTo(crSolver* solver, double t);

typedef struct crSolverStatistics {
  int64_t steps, rejectedSteps;
  int64_t evaluations; // of f or F, those for Jacobians included
  int64_t jacobians, factorizations, rootEvaluations, restarts;
  double firstStep, lastStep, smallestStep, largestStep;
  int lastOrder;
} crSolverStatistics;

CR_API crSolverStatistics crSolver_GetStatistics(const crSolver* solver);

// Why the last call failed.
typedef struct crFailure {
  crStatus status;
  double time, step;
  int worstComponent;  // with the largest error estimate; -1: unknown
  const char* message; // one sentence
  const char* remedy;  // what to try
} crFailure;

CR_API crFailure crSolver_GetFailure(const crSolver* solver);

#ifdef __cplusplus
}
#endif

#endif
