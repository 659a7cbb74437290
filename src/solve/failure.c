// Failures in plain words: what happened, when, where, and what to try.
#include "solve/solver_inside.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Text {
  crStatus status;
  bool hasStep;  // the message names the step tried
  bool hasWorst; // and the component with the largest error
  const char* message;
  const char* remedy;
} Text;

static const Text texts[] = {
  [cr_troubleNone] = { cr_ok, false, false, "", "" },
  [cr_troubleStep] = { cr_failNumerics, true, true, "the step size became too small",
                       "loosen the tolerance, or look for a discontinuity or for unbounded growth near this time" },
  [cr_troubleEquations] = { cr_failNumerics, true, true,
                            "the implicit equations of the step could not be solved, however small it was",
                            "look for a discontinuity near this time, check the Jacobian and its pattern, or tighten "
                            "the tolerance" },
  [cr_troubleUndefined] = { cr_failNumerics, true, true,
                            "the problem cannot be evaluated any further, however small the step",
                            "the solution leaves the region where the problem is defined, or a function returns "
                            "numbers that are not finite: check the model near this time" },
  [cr_troubleStart] = { cr_failNumerics, false, false, "the problem cannot be evaluated at the start",
                        "check the start values" },
  [cr_troubleFunction] = { cr_failNumerics, false, false, "a function of the problem failed",
                           "see the messages of that function" },
  [cr_troubleTolerance] = { cr_failNumerics, false, false, "the tolerance is tighter than the precision of numbers",
                            "loosen the relative tolerance or raise the absolute ones" },
  [cr_troubleMatrix] = { cr_failNumerics, true, false, "the Jacobian could not be evaluated or factorized",
                         "check that the pattern has all entries and that the equations are independent" },
  [cr_troubleInside] = { cr_failNumerics, true, true, "the integrator gave up", "loosen the tolerance" },
};

static const char* nameOf(const crSolver* solver, int component)
{
  const crProblem* problem = &solver->problem;
  return problem->nameOf != NULL ? problem->nameOf(problem->context, component) : NULL;
}

// The component with the largest error estimate; NaN is larger than any. Where there are names, of those that have one:
// the others are the caller's own. -1: none has any.
static int findWorst(const crSolver* solver)
{
  if (solver->isFirstStep || !solver->method->getErrors(solver, solver->scratch[0])) {
    return -1;
  }
  int worst = -1;
  double largest = 0.0;
  for (int i = 0; i < solver->problem.n; ++i) {
    if (solver->problem.nameOf != NULL && nameOf(solver, i) == NULL) {
      continue;
    }
    double error = fabs(solver->scratch[0][i]);
    error = isnan(error) ? INFINITY : error;
    if (error > largest) {
      largest = error;
      worst = i;
    }
  }
  return worst;
}

static void append(crSolver* solver, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void append(crSolver* solver, const char* format, ...)
{
  size_t length = strlen(solver->message);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(solver->message + length, sizeof solver->message - length, format, arguments);
  va_end(arguments);
}

static void appendWorst(crSolver* solver, int worst)
{
  const char* name = nameOf(solver, worst);
  if (name != NULL) {
    append(solver, "; the largest error is in '%s'", name);
  } else {
    append(solver, "; the largest error is in component %d", worst);
  }
}

static void composeMessage(crSolver* solver, const Text* text, crTrouble trouble)
{
  solver->message[0] = '\0';
  append(solver, "at t = %.12g s %s", solver->t, text->message);
  if (text->hasStep) {
    append(solver, " (%.3g s)", solver->failure.step);
  }
  if (trouble == cr_troubleFunction) {
    append(solver, " (%s)", crStatus_GetText(solver->failure.status));
  }
  if (trouble == cr_troubleInside) {
    append(solver, ": %s", solver->libraryMessage);
  }
  if (solver->failure.worstComponent >= 0) {
    appendWorst(solver, solver->failure.worstComponent);
  }
}

crStatus crSolver_Explain(crSolver* solver, crTrouble trouble)
{
  const Text* text = &texts[trouble];
  crFailure* failure = &solver->failure;
  *failure = (crFailure){ .status = text->status, .worstComponent = -1, .remedy = text->remedy };
  solver->message[0] = '\0';
  failure->message = solver->message;
  if (trouble == cr_troubleNone) {
    return cr_ok;
  }
  if (trouble == cr_troubleFunction && solver->functionStatus < 0) {
    failure->status = solver->functionStatus;
  }
  failure->step = text->hasStep ? solver->method->getAccount(solver).triedStep : 0.0;
  failure->worstComponent = text->hasWorst ? findWorst(solver) : -1;
  composeMessage(solver, text, trouble);
  return failure->status;
}
