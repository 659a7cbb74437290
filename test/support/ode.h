// Differential equations with known solutions, for the tests of solvers and steppers.
#ifndef CR_TEST_ODE_H
#define CR_TEST_ODE_H

#include "solve/solver.h"
#include "support/test.h"

#define CR_MAX_TEST_N 4

typedef struct crTestOde {
  crProblem problem; // absTol NULL: the one below; pattern NULL: all entries; computeResidual NULL: y' - f(t, y)
  double y0[CR_MAX_TEST_N], absTol[CR_MAX_TEST_N];
  double t0;
  void (*computeTruth)(double t, double* outY); // NULL: not known at all times
} crTestOde;

// All set absTol to 0.01 tol.
crTestOde crMakeOscillator(double tol); // y'' = -y from (1, 0)
crTestOde crMakePendulum(double tol);   // y'' = -sin y from (2, 0)
crTestOde crMakeVanDerPol(double tol);  // stiff, 1e6; from (2, 0)
crTestOde crMakeRobertson(double tol);  // stiff reactions from (1, 0, 0)
crTestOde crMakeLinearDae(double tol);  // y' = z - y, 0 = z + y - cos t; the rates are those of a start alone
crTestOde crMakeBlowUp(double tol);     // y' = -y, z' = z^2 from (1, 1): z is infinite at t = 1

const crSparsity* crGetFullPattern(int n); // all entries, of up to CR_MAX_TEST_N columns

// A solver of SUNDIALS for an equation that outlives it. NULL: out of memory; anything else that fails, fails the test.
crSolver* crCreateTestSolver(crSolverKind kind, const crTestOde* ode, double tol, double maxStep,
                             const crAllocator* allocator);
// Creates a solver with a relative tolerance and starts it; fails the test when that does not work.
crSolver* crStartSolver(crSolverKind kind, const crTestOde* ode, double tol);
// Steps to t, or until a step fails.
crStatus crStepTo(crSolver* solver, double t);
// Steps to t; fails the test, printing the reason, when that does not work.
void crRunTo(crSolver* solver, double t);
// Largest difference of the solver's state from the truth.
double crFindError(const crSolver* solver, const crTestOde* ode);

#endif
