// What IDA and CVODE have in common: SUNDIALS' objects, the linear equations of their steps, and the problem's
// functions as they call them. Built with CAROM_SUNDIALS alone; nothing else knows of SUNDIALS.
#ifndef CR_SOLVE_SUNDIALS_H
#define CR_SOLVE_SUNDIALS_H

#include "solve/solver.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

struct crSundials {
  SUNContext context;
  void* integrator;            // of IDA or CVODE
  N_Vector vector, rateVector; // (n) where it works
  bool isSparse;
  SUNMatrix matrix;
  SUNLinearSolver linear;
};

// All but the integrator. The matrix is dense up to CR_MAX_DENSE and for nearly full patterns, otherwise sparse (KLU).
// What it leaves half done, crSundials_Destroy removes.
crStatus crSundials_Create(crSolver* solver);
void crSundials_Destroy(crSolver* solver);

// Another pattern of the same size, to be used after a restart of the method. The matrix stays dense or sparse as it
// was created. On failure nothing has changed.
crStatus crSundials_SetPattern(crSolver* solver, const crSparsity* pattern);

// As SUNDIALS wants it: 0 ok, > 0 recoverable, < 0 not.
int crSunFlag(crStatus status);

crStatus crSolver_EvalResidual(crSolver* solver, double t, const double* y, const double* yp, double* outResidual);

// df/dy, or dF/dy + c dF/dy'. h: the step being tried, a scale.
int crSolver_EvalRateMatrix(crSolver* solver, double t, double h, const double* y, const double* rates, SUNMatrix out);
int crSolver_EvalResidualMatrix(crSolver* solver, double t, double h, double c, const double* y, const double* yp,
                                const double* residual, SUNMatrix out);

// `vector` becomes the absolute tolerances, or the state at `to`; then it and `rateVector` are read.
void crSolver_LoadTolerances(crSolver* solver);
void crSolver_LoadState(crSolver* solver);
void crSolver_ReadState(const crSolver* solver, double* outY);
void crSolver_ReadRates(const crSolver* solver, double* outRates);
double crSolver_GetMaxStep(const crSolver* solver); // 0 is no limit
// Error estimates, in `vector`, by their weights, in `rateVector`.
void crSolver_ReadErrors(const crSolver* solver, double* outErrors);

// SUNDIALS' error handler: keeps the message.
void crKeepMessage(int code, const char* module, const char* function, char* message, void* context);

#endif
