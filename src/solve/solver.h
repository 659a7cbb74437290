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
#include "solve/hermite.h"
#include "solve/linear.h"

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
typedef struct crErk crErk;
typedef struct crOneStep crOneStep;

struct crSolver {
  crAllocator allocator;
  crArena arena; // all memory below that is ours
  const crMethod* method;
  crProblem problem;
  crSolverOptions options;

  // SUNDIALS' objects
  SUNContext context;
  void* integrator;             // of IDA, CVODE or ARKODE
  N_Vector vector, rateVector;  // (n) where it works
  SUNNonlinearSolver iteration; // NULL: the integrator's default
  double lastCorrection;        // of that iteration, in units of the tolerance; dirk
  crLinear linear;              // implicit methods
  crErk* erk;                   // explicit ones
  crOneStep* oneStep;           // methods of our own
  char libraryMessage[256];     // its last one

  // where we are
  bool isStarted, isFirstStep;
  double nextLimit, firstLimit; // [s] of the first step after the next restart, and after the last one
  crTrouble trouble;            // of the last call
  crPoint now, start;           // end and start of the caller's last step
  crPoint from, to;             // of the method's last step
  crPoint before[2];            // starts of the method's two steps before, the nearer one first
  int beforeCount;              // how many of them there have been since the restart
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
  crSolverInfo info;
  int startOrder;    // right after a restart
  bool needsPattern; // solves linear equations
  bool projects;     // calls the problem's `project` by itself, or can do without

  // Makes SUNDIALS' objects. What it leaves half done, destroy removes.
  crStatus (*create)(crSolver* solver);
  void (*destroy)(crSolver* solver);
  // Forgets the past and starts from `to`. May correct y and rates (consistent initial values).
  crTrouble (*restart)(crSolver* solver, bool knowsRates);
  void (*setFirstStep)(crSolver* solver, double step);
  // One step from `to`, ending at tStop or before; the caller has copied `to` to `from`. Writes `to` on success.
  crTrouble (*step)(crSolver* solver, double tStop);
  // State and rates (NULL: not wanted) at a time between `from` and `to`.
  crTrouble (*interpolate)(crSolver* solver, double t, double* outY, double* outRates);
  // The state alone, cheaper: as accurate as the steps, but maybe another one within the tolerance. NULL: as above.
  crTrouble (*interpolateOutput)(crSolver* solver, double t, double* outY);
  crAccount (*getAccount)(const crSolver* solver);
  // Error estimates into `vector`, their weights into `rateVector`. False: not known.
  bool (*getErrors)(crSolver* solver);
};

extern const crMethod crIdaMethod, crCvodeBdfMethod, crCvodeAdamsMethod, crErk5Method, crErk8Method, crDirk5Method,
    crDopri5Method, crRadau5Method;

// ----------------------------------------------------------------------------- evaluation, counted

// f, and g: a result that is not finite counts as cr_retry.
crStatus crSolver_EvalRates(crSolver* solver, double t, const double* y, double* outRates);
crStatus crSolver_EvalResidual(crSolver* solver, double t, const double* y, const double* yp, double* outResidual);
crStatus crSolver_EvalRoots(crSolver* solver, double t, const double* y, double* outRoots);

// `project`, counted as a function that may refuse.
crStatus crSolver_EvalProjection(crSolver* solver, double t, double* y);

// As SUNDIALS wants it: 0 ok, > 0 recoverable, < 0 not.
int crSunFlag(crStatus status);

// df/dy, or dF/dy + c dF/dy', into the matrix of the linear solver. h: the step being tried, a scale.
int crSolver_EvalRateMatrix(crSolver* solver, double t, double h, const double* y, const double* rates, SUNMatrix out);
int crSolver_EvalResidualMatrix(crSolver* solver, double t, double h, double c, const double* y, const double* yp,
                                const double* residual, SUNMatrix out);

// The same as callbacks of CVODE and ARKODE; context is the solver.
int crComputeRates(realtype t, N_Vector y, N_Vector rates, void* context);
int crComputeRateMatrix(realtype t, N_Vector y, N_Vector rates, SUNMatrix out, void* context, N_Vector a, N_Vector b,
                        N_Vector c);

// ------------------------------------------------------------------------------------------- helpers

// `vector` becomes the absolute tolerances, or the state at `to`; then it and `rateVector` are read.
void crSolver_LoadTolerances(crSolver* solver);
void crSolver_LoadState(crSolver* solver);
void crSolver_ReadState(const crSolver* solver, double* outY);
void crSolver_ReadRates(const crSolver* solver, double* outRates);
double crSolver_GetMaxStep(const crSolver* solver); // as SUNDIALS wants it: 0 is no limit

// SUNDIALS' error handler: keeps the message.
void crKeepMessage(int code, const char* module, const char* function, char* message, void* context);

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
