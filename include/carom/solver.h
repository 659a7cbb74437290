// Solvers: the methods that a run can be asked for, and what they tell about their work.
#ifndef CAROM_SOLVER_H
#define CAROM_SOLVER_H

#include "carom/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum crSolverKind {
  cr_solverDefault,  // the one that the model states, else cr_solverAuto
  cr_solverAuto,     // methods of our own by turns, as the summary tells
  cr_solverIda,      // BDF of order 1 to 5 on the residual form (SUNDIALS)
  cr_solverCvodeBdf, // BDF of order 1 to 5 (SUNDIALS)
  cr_solverDopri5,   // explicit Runge-Kutta of order 5
  cr_solverDop853,   // explicit Runge-Kutta of order 8
  cr_solverRadau5,   // implicit Runge-Kutta of order 5, Radau IIA
  cr_solverKindCount
} crSolverKind;

// Whether groups of bodies that touch nothing else are integrated on clocks of their own.
typedef enum crIslandMode {
  cr_islandsDefault, // as the model states, else on
  cr_islandsOn,      // where something can touch
  cr_islandsOff      // all bodies are one island, with one step for all
} crIslandMode;

typedef struct crSolverInfo {
  const char* name;  // as on the command line: "auto", "ida", "cvode-bdf", "dopri5", "dop853", "radau5"
  const char* about; // one line
  bool isAvailable;  // in this build: those of SUNDIALS may be left out
  bool isImplicit;   // copes with stiff problems
  bool usesResidual; // works on 0 = F(t, y, y')
  int order;         // highest; of auto, which has several, 0
} crSolverInfo;

CR_API const crSolverInfo* crGetSolverInfo(crSolverKind kind); // NULL: cr_solverDefault, or no such kind
CR_API crSolverKind crFindSolver(const char* name);            // cr_solverKindCount: no such name

typedef struct crSolverStatistics {
  int64_t steps, rejectedSteps;
  int64_t evaluations; // of f or F, those for Jacobians included
  int64_t jacobians, factorizations;
  int64_t restarts; // of ida and cvode-bdf
} crSolverStatistics;

#ifdef __cplusplus
}
#endif

#endif
