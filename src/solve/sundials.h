// What IDA and CVODE have in common: SUNDIALS' objects, the linear equations of their steps, and the problem's
// functions as they call them. Built with CAROM_SUNDIALS alone; nothing else knows of SUNDIALS.
#ifndef CR_SOLVE_SUNDIALS_H
#define CR_SOLVE_SUNDIALS_H

#include "solve/solver_inside.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#define CR_MAX_SHRINKS 20 // attempts at one step, each at least halving it, before it is given up

typedef void crSunHandler(int code, const char* module, const char* function, char* message, void* context);

// An integrator of SUNDIALS. Flags are 0 where all went well, and < 0 where nothing did.
typedef struct crIntegrator {
  // Ours. All `create` does before it has its linear solver, and all `finish` does behind that; false: it failed.
  bool (*create)(crSolver* solver);
  bool (*finish)(crSolver* solver);
  int (*restart)(void* memory, realtype t, N_Vector y, N_Vector rates);
  int (*step)(void* memory, realtype tEnd, realtype* outTime, N_Vector outY, N_Vector outRates);
  crTrouble (*toTrouble)(int flag);

  // Its own.
  void (*free)(void** memory);
  int (*setContext)(void* memory, void* context);
  int (*setHandler)(void* memory, crSunHandler* handler, void* context);
  int (*setTolerances)(void* memory, realtype relative, N_Vector absolute);
  int (*setMaxErrorFails)(void* memory, int count);
  int (*setMaxConvergenceFails)(void* memory, int count);
  int (*setMaxStep)(void* memory, realtype step);
  int (*setFirstStep)(void* memory, realtype step);
  int (*setStopTime)(void* memory, realtype t);
  int (*setLinearSolver)(void* memory, SUNLinearSolver solver, SUNMatrix matrix);
  int (*interpolate)(void* memory, realtype t, int derivative, N_Vector out);
  int (*getTriedStep)(void* memory, realtype* out);
  int (*getErrors)(void* memory, N_Vector out);
  int (*getWeights)(void* memory, N_Vector out);
  int (*countErrorFails)(void* memory, long* out);
  int (*countConvergenceFails)(void* memory, long* out);
  int (*countSetups)(void* memory, long* out);
} crIntegrator;

extern const crIntegrator crIda, crCvode;

struct crSundials {
  SUNContext context;
  const crIntegrator* integrator;
  void* memory;                // of the integrator
  N_Vector vector, rateVector; // (n) where it works
  bool isSparse;
  SUNMatrix matrix;
  SUNLinearSolver linear;
};

// As SUNDIALS wants it: 0 ok, > 0 recoverable, < 0 not.
int crSunFlag(crStatus status);

// Values of the Jacobian by differences along y + e, y' + c e of h, which is `base` there; yp NULL: h is f.
int crSolver_EvalMatrix(crSolver* solver, const crDifferences* differences, const double* rates, SUNMatrix out);

#endif
