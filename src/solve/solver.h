// The inside of a solver: what all methods share, and the table of functions that each method fills.
//
// A method advances in steps of its own. The caller's steps lie inside them: a root or a nearer tStop ends the caller's
// step early, while the method stays at the end of its step.
//
//   from ----------- stepStart ======= time ----------- to
//   (method's step)  (caller's last step)
//
// from <= stepStart < time <= to, but for a step to a tStop within round-off, which moves `time` alone.
#ifndef CR_SOLVE_SOLVER_H
#define CR_SOLVE_SOLVER_H

#include "base/memory.h"
#include "carom/solver.h"
#include "solve/jacobian.h"

#define CR_MAX_SHRINKS 20   // attempts at one step, each at least halving it, before it is given up
#define CR_MESSAGE_SIZE 512 // [bytes] of a failure's message

// What can end an integration.
typedef enum crTrouble {
  cr_troubleNone = 0,
  cr_troubleStep,        // the step size collapsed: error test, or no progress
  cr_troubleEquations,   // the implicit equations of a step have no solution that Newton finds
  cr_troubleUndefined,   // the problem's functions asked for a retry again and again
  cr_troubleStart,       // they cannot be evaluated at the start
  cr_troubleFunction,    // one of them failed
  cr_troubleTolerance,   // tighter than the precision of numbers
  cr_troubleMatrix,      // the Jacobian cannot be evaluated or factorized
  cr_troubleRoots,       // g cannot be evaluated where f can
  cr_troubleConsistency, // no consistent initial values
  cr_troubleNotStarted,  // misuse: Restart comes first
  cr_troubleBackwards,   // misuse: tStop lies behind
  cr_troubleInside,      // anything else: the library's own message
} crTrouble;

typedef struct crMethod crMethod;
typedef struct crSundials crSundials;
typedef struct crOneStep crOneStep;

// A state and its rates at a time.
typedef struct crPoint {
  double t;
  double *y, *rates; // (n)
} crPoint;

struct crSolver {
  crAllocator allocator;
  crArena arena; // all memory below that is ours
  const crMethod* method;
  const crSolverInfo* info;
  crProblem problem;
  crSolverOptions options;

  crJacobian jacobian;      // pattern and values; implicit methods
  crSundials* sundials;     // IDA and CVODE
  crOneStep* oneStep;       // methods of our own
  char libraryMessage[256]; // the last one of SUNDIALS

  // where we are
  bool isStarted, isFirstStep;
  double nextLimit, firstLimit; // [s] of the first step after the next restart, and after the last one
  crTrouble trouble;            // of the last call
  crPoint now, start;           // end and start of the caller's last step
  crPoint from, to;             // of the method's last step
  crPoint before;               // start of the method's step before
  bool hasBefore;               // there has been one since the restart
  bool knowsRates;              // now.rates is f(now.t, now.y) and may be handed out once instead of an evaluation
  double* scratch;              // (n)
  double *rootsLow, *rootsHigh, *rootsMid; // (rootCount) g at now; g at the ends of a bracket
  int *sides, *startSides; // (rootCount) sign of g at now and start; 0: has been 0 ever since the restart
  int* rootSigns;          // (rootCount)

  // account
  crSolverStatistics statistics; // but for what the integrator counts since its last restart
  bool hasStepped;
  crStatus functionStatus; // of the first function that failed since the restart
  int64_t refusals;        // retries asked for in the step being tried
  crFailure failure;
  char message[CR_MESSAGE_SIZE];
};

// What an integrator knows about itself, counted since its last restart.
typedef struct crAccount {
  int64_t rejectedSteps, factorizations;
  double lastStep, triedStep;
  int lastOrder;
} crAccount;

struct crMethod {
  int startOrder;    // right after a restart
  bool needsPattern; // solves linear equations
  bool projects;     // calls the problem's `project` by itself, or can do without

  // What it leaves half done, destroy removes.
  crStatus (*create)(crSolver* solver);
  void (*destroy)(crSolver* solver);
  // Another pattern, into `jacobian` too; NULL: `jacobian` is all there is.
  crStatus (*setPattern)(crSolver* solver, const crSparsity* pattern);
  // Forgets the past and starts from `to`. May correct y and rates (consistent initial values).
  crTrouble (*restart)(crSolver* solver, bool knowsRates);
  void (*setFirstStep)(crSolver* solver, double step);
  // One step from `to`, ending at tStop or before; the caller has copied `to` to `from`. Writes `to` on success.
  crTrouble (*step)(crSolver* solver, double tStop);
  // State and rates (NULL: not wanted) at a time between `from` and `to`.
  crTrouble (*interpolate)(crSolver* solver, double t, double* outY, double* outRates);
  crAccount (*getAccount)(const crSolver* solver);
  // Error estimates in units of the tolerance. False: not known.
  bool (*getErrors)(crSolver* solver, double* outErrors);
};

extern const crMethod crIdaMethod, crCvodeBdfMethod; // with CAROM_SUNDIALS
extern const crMethod crDopri5Method, crDop853Method, crRadau5Method;

// ----------------------------------------------------------------------------- evaluation, counted

// A result that is not finite counts as cr_retry. A failure stays until the restart: some of SUNDIALS' iterations take
// it for a retry and would go on calling.
crStatus crSolver_Judge(crSolver* solver, crStatus status, const double* result, int count);

crStatus crSolver_EvalRates(crSolver* solver, double t, const double* y, double* outRates);
crStatus crSolver_EvalRoots(crSolver* solver, double t, const double* y, double* outRoots);

// `project`, counted as a function that may refuse.
crStatus crSolver_EvalProjection(crSolver* solver, double t, double* y);

// ------------------------------------------------------------------------------------------- helpers

// The step to begin with, by the rule of [HairerNorsettWanner93] II.4, never beyond tStop.
double crSolver_ChooseFirstStep(crSolver* solver, double tStop);

// Looks for the first sign change of g between now.t and tEnd. Sets `outTime` to a time just behind it, at most
// the length of round-off, and *outFound; keeps sides and rootSigns.
crTrouble crSolver_FindRoot(crSolver* solver, double tEnd, double* outTime, bool* outFound);
// g at `now` after a restart or redo; sides from its signs, where it is 0 from `sidesBefore` (NULL: unknown).
crTrouble crSolver_StartRoots(crSolver* solver, const int* sidesBefore);
// State at t between from and to, exactly the stored one at the ends.
crTrouble crSolver_EvalPoint(crSolver* solver, double t, double* outY, double* outRates);

// Before the integrator sets its counts back: adds them to ours.
void crSolver_BankCounters(crSolver* solver);

// Fills the failure from trouble.
void crSolver_Explain(crSolver* solver, crTrouble trouble);

#endif
