// NLopt, if the machine has it: it is looked for when it is wanted, so that nothing is linked with it.
#ifndef CR_SWEEP_NLOPT_H
#define CR_SWEEP_NLOPT_H

#include "carom/base.h"

typedef struct crNloptProblem {
  const char* method;                                 // "bobyqa", "cobyla", "crs2", "mlsl"
  int count;                                          // of variables
  const double *lower, *upper;                        // (count)
  double step;                                        // of the first trials
  double tolerance;                                   // [-] of variables
  int maxEvaluations;                                 //
  uint64_t seed;                                      //
  double (*evaluate)(void* context, const double* x); // infinite: a bad place
  bool (*shouldStop)(void* context);
  void* context;
} crNloptProblem;

bool crIsNloptMethod(const char* method);

// From x, and to where it is least. outIsLimited: it ran out of evaluations. A machine without NLopt is reported.
crStatus crMinimizeByNlopt(const crNloptProblem* problem, double* ioX, bool* outIsLimited, const crErrorSink* sink);

#endif
