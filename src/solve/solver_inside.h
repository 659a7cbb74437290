// The inside of a solver: what it is, and what its parts hand to each other.
#ifndef CR_SOLVE_SOLVER_INSIDE_H
#define CR_SOLVE_SOLVER_INSIDE_H

#include "base/memory.h"
#include "solve/jacobian.h"
#include "solve/solver.h"

#define CR_MESSAGE_SIZE 512 // [bytes] of a failure's message

// What can end an integration.
typedef enum crTrouble {
  cr_troubleNone = 0,
  cr_troubleStep,      // the step size collapsed: error test, or no progress
  cr_troubleEquations, // the implicit equations of a step have no solution that Newton finds
  cr_troubleUndefined, // the problem's functions asked for a retry again and again
  cr_troubleStart,     // they cannot be evaluated at the start
  cr_troubleFunction,  // one of them failed
  cr_troubleTolerance, // tighter than the precision of numbers
  cr_troubleMatrix,    // the Jacobian cannot be evaluated or factorized
  cr_troubleInside,    // anything else: the library's own message
} crTrouble;

// What an integrator knows about itself, counted since its last restart.
typedef struct crAccount {
  int64_t rejectedSteps, factorizations;
  double triedStep; // [s]
} crAccount;

typedef struct crMethod crMethod;
typedef struct crSundials crSundials;

struct crSolver {
  crAllocator allocator;
  crArena arena; // all memory below that is ours
  const crMethod* method;
  const crSolverInfo* info;
  crProblem problem;
  double relTol, maxStep;
  crJacobian jacobian; // pattern and values
  crSundials* sundials;
  char libraryMessage[256]; // the last one of SUNDIALS

  // where we are
  double t, start;    // [s] end and start of the last step
  double reached;     // [s] by the method: t, but for a step to a tStop within round-off, which moves `t` alone
  double *y, *rates;  // (n) at t
  double* startY;     // (n) at the start
  double* scratch[2]; // (n)
  bool isFirstStep;
  double firstLimit; // [s] of the first step
  bool knowsRates;   // `rates` is f(t, y) and may be handed out once instead of an evaluation

  // account
  crSolverStatistics statistics; // but for what the integrator counts since its last restart
  crStatus functionStatus;       // of the first function that failed since the restart
  int64_t refusals;              // retries asked for in the step being tried
  crFailure failure;
  char message[CR_MESSAGE_SIZE];
};

// What SUNDIALS does for a solver: a table, because it may be left out of a build.
struct crMethod {
  crStatus (*create)(crSolver* solver); // what it leaves half done, destroy removes
  void (*destroy)(crSolver* solver);
  // Another pattern, into `jacobian` too.
  crStatus (*setPattern)(crSolver* solver, const crSparsity* pattern);
  // Forgets the past and starts from where the solver is.
  crTrouble (*restart)(crSolver* solver);
  void (*setFirstStep)(crSolver* solver, double step);
  // One step from where it is, ending at tStop or before. Writes `reached`, `y` and `rates` on success.
  crTrouble (*step)(crSolver* solver, double tStop);
  crTrouble (*interpolate)(const crSolver* solver, double t, double* outY); // at a time inside the last step
  crAccount (*getAccount)(const crSolver* solver);
  bool (*getErrors)(const crSolver* solver, double* outErrors); // in units of the tolerance. False: not known
};

extern const crMethod crSundialsMethod; // with CAROM_SUNDIALS

// ----------------------------------------------------------------------------- evaluation, counted

// A result that is not finite counts as cr_retry. A failure stays until the restart: some of SUNDIALS' iterations take
// it for a retry and would go on calling.
crStatus crSolver_Judge(crSolver* solver, crStatus status, const double* result, int count);
crStatus crSolver_EvalRates(crSolver* solver, double t, const double* y, double* outRates);

// The step to begin with, by the rule of [HairerNorsettWanner93] II.4, never beyond tStop.
double crSolver_ChooseFirstStep(crSolver* solver, double tStop);

// Fills the failure from trouble, and hands its status on.
crStatus crSolver_Explain(crSolver* solver, crTrouble trouble);

#endif
