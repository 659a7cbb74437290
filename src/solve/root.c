// Roots: where a component of g(t, y(t)) changes its sign within a step.
//
// g is looked at where steps end; a pair of roots inside one step stays unseen. A sign change is closed in by regula
// falsi in its Illinois form, with a bisection every third time, on the method's own interpolation, until the bracket
// is as short as round-off. The time reported is the right end of the bracket: there the sign has changed.
//
// A component that is exactly 0 keeps the sign it had, so the root is where it becomes the other one. One that is 0 at
// a restart has no sign yet: it gets the first one it shows at the end of a step, without a root.
#include "solve/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define CR_ROOT_WIDTH (100 * DBL_EPSILON) // of the bracket, relative to |t| + its first width
#define CR_BISECT_EVERY 3                 // iterations

static int signOf(double value)
{
  return (value > 0.0) - (value < 0.0);
}

static bool hasCrossed(int side, double value)
{
  return side * signOf(value) < 0;
}

static bool hasAnyCrossed(const crSolver* solver, const double* values)
{
  for (int i = 0; i < solver->problem.rootCount; ++i) {
    if (hasCrossed(solver->sides[i], values[i])) {
      return true;
    }
  }
  return false;
}

static crTrouble evalRootsAt(crSolver* solver, double t, double* outRoots)
{
  crTrouble trouble = crSolver_EvalPoint(solver, t, solver->scratch, NULL);
  if (trouble != cr_troubleNone) {
    return trouble;
  }
  crStatus status = crSolver_EvalRoots(solver, t, solver->scratch, outRoots);
  return status == cr_ok ? cr_troubleNone : status == cr_retry ? cr_troubleRoots : cr_troubleFunction;
}

// -------------------------------------------------------------------------------------------- bracket

// g at lo has the old signs, at hi some have changed. Weights below 1 pull the next guess to the end that stayed twice.
typedef struct Bracket {
  double lo, hi, weightLo, weightHi;
  int lastSide; // -1: lo moved last, +1: hi
} Bracket;

// By the secant of the component that seems to cross first.
static double guessRoot(const crSolver* solver, const Bracket* b)
{
  double largest = -1.0;
  for (int i = 0; i < solver->problem.rootCount; ++i) {
    if (hasCrossed(solver->sides[i], solver->rootsHigh[i])) {
      double high = b->weightHi * solver->rootsHigh[i], low = b->weightLo * solver->rootsLow[i];
      largest = fmax(largest, high / (high - low));
    }
  }
  return b->hi - (b->hi - b->lo) * largest;
}

static double chooseMiddle(const crSolver* solver, const Bracket* b, double width, int iteration)
{
  if (iteration % CR_BISECT_EVERY == CR_BISECT_EVERY - 1) {
    return b->lo + 0.5 * (b->hi - b->lo);
  }
  double guess = guessRoot(solver, b);
  return fmin(fmax(guess, b->lo + 0.5 * width), b->hi - 0.5 * width);
}

static void narrow(crSolver* solver, Bracket* b, double middle)
{
  bool movesHigh = hasAnyCrossed(solver, solver->rootsMid);
  double** kept = movesHigh ? &solver->rootsHigh : &solver->rootsLow;
  double* values = *kept;
  *kept = solver->rootsMid;
  solver->rootsMid = values;
  int side = movesHigh ? 1 : -1;
  double other = side == b->lastSide ? 0.5 : 1.0;
  b->weightLo = movesHigh ? other * b->weightLo : 1.0;
  b->weightHi = movesHigh ? 1.0 : other * b->weightHi;
  b->lastSide = side;
  *(movesHigh ? &b->hi : &b->lo) = middle;
}

static crTrouble isolate(crSolver* solver, double lo, double* hi)
{
  Bracket b = { lo, *hi, 1.0, 1.0, 0 };
  double width = CR_ROOT_WIDTH * (fmax(fabs(lo), fabs(*hi)) + (*hi - lo));
  for (int iteration = 0; b.hi - b.lo > width; ++iteration) {
    double middle = chooseMiddle(solver, &b, width, iteration);
    crTrouble trouble = evalRootsAt(solver, middle, solver->rootsMid);
    if (trouble != cr_troubleNone) {
      return trouble;
    }
    narrow(solver, &b, middle);
  }
  *hi = b.hi;
  return cr_troubleNone;
}

// ------------------------------------------------------------------------------------------- for steps

// Takes over the signs at the end of the step, and notes which changed.
static void settle(crSolver* solver, bool isRoot)
{
  for (int i = 0; i < solver->problem.rootCount; ++i) {
    int sign = signOf(solver->rootsHigh[i]);
    if (isRoot) {
      solver->rootSigns[i] = hasCrossed(solver->sides[i], sign) ? sign : 0;
    }
    solver->sides[i] = sign != 0 ? sign : solver->sides[i];
  }
  double* values = solver->rootsLow;
  solver->rootsLow = solver->rootsHigh;
  solver->rootsHigh = values;
}

crTrouble crSolver_FindRoot(crSolver* solver, double tEnd, double* outTime, bool* outFound)
{
  *outTime = tEnd;
  *outFound = false;
  if (solver->problem.rootCount == 0) {
    return cr_troubleNone;
  }
  crTrouble trouble = evalRootsAt(solver, tEnd, solver->rootsHigh);
  if (trouble == cr_troubleNone && hasAnyCrossed(solver, solver->rootsHigh)) {
    *outFound = true;
    trouble = isolate(solver, solver->now.t, outTime);
  }
  if (trouble == cr_troubleNone) {
    settle(solver, *outFound);
  }
  return trouble;
}

crTrouble crSolver_StartRoots(crSolver* solver, const int* sidesBefore)
{
  crStatus status = crSolver_EvalRoots(solver, solver->now.t, solver->now.y, solver->rootsLow);
  if (status != cr_ok) {
    return status == cr_retry ? cr_troubleRoots : cr_troubleFunction;
  }
  for (int i = 0; i < solver->problem.rootCount; ++i) {
    int sign = signOf(solver->rootsLow[i]);
    solver->sides[i] = sign != 0 || sidesBefore == NULL ? sign : sidesBefore[i];
    solver->rootSigns[i] = sidesBefore == NULL ? 0 : solver->rootSigns[i];
  }
  return cr_troubleNone;
}
