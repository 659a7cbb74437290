// The kinds of solvers, as users know them.
#include "carom/solver.h"

#include <string.h>

#ifdef CAROM_SUNDIALS
#define CR_HAS_SUNDIALS true
#else
#define CR_HAS_SUNDIALS false
#endif

static const crSolverInfo infos[cr_solverKindCount] = {
  [cr_solverAuto] = { .name = "auto",
                      .about = "methods of our own by turns, explicit and implicit, as the motion asks for them",
                      .isAvailable = true,
                      .isImplicit = true },
  [cr_solverIda] = { .name = "ida",
                     .about = "BDF of variable order 1 to 5 on the residual form, for stiff problems and loops (IDA)",
                     .isAvailable = CR_HAS_SUNDIALS,
                     .isImplicit = true,
                     .usesResidual = true,
                     .order = 5 },
  [cr_solverCvodeBdf] = { .name = "cvode-bdf",
                          .about = "BDF of variable order 1 to 5, for stiff problems (CVODE)",
                          .isAvailable = CR_HAS_SUNDIALS,
                          .isImplicit = true,
                          .order = 5 },
  [cr_solverDopri5] = { .name = "dopri5",
                        .about = "explicit Runge-Kutta of order 5, Dormand and Prince",
                        .isAvailable = true,
                        .order = 5 },
  [cr_solverDop853] = { .name = "dop853",
                        .about = "explicit Runge-Kutta of order 8, Dormand and Prince, for tight tolerances",
                        .isAvailable = true,
                        .order = 8 },
  [cr_solverRadau5] = { .name = "radau5",
                        .about = "implicit Runge-Kutta of order 5, Radau IIA, for stiff problems",
                        .isAvailable = true,
                        .isImplicit = true,
                        .order = 5 },
};

const crSolverInfo* crGetSolverInfo(crSolverKind kind)
{
  return (int)kind > cr_solverDefault && kind < cr_solverKindCount ? &infos[kind] : NULL;
}

crSolverKind crFindSolver(const char* name)
{
  int kind = cr_solverAuto;
  while (kind < cr_solverKindCount && (name == NULL || strcmp(infos[kind].name, name) != 0)) {
    ++kind;
  }
  return (crSolverKind)kind;
}
