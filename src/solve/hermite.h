// Polynomials through what is known of a step: states and rates at its ends, and maybe more.
#ifndef CR_SOLVE_HERMITE_H
#define CR_SOLVE_HERMITE_H

#include <stdbool.h>

#define CR_MAX_CONDITIONS 10 // besides the state at the start of the step

// A state and its rates at a time.
typedef struct crPoint {
  double t;
  double *y, *rates; // (n)
} crPoint;

// What the polynomial meets besides y0, the state at the start t0 of a step of length h: at s = (t - t0) / h a state,
// or rates. Nothing is copied.
typedef struct crCondition {
  double s;
  bool isSlope;
  const double* values; // (n)
} crCondition;

typedef struct crHermite {
  double t0, h;
  const double* y0;
  crCondition conditions[CR_MAX_CONDITIONS];
  int count;
} crHermite;

// State and rates at both ends of a step: degree 3. Every other point adds 2 to it, a slope alone 1.
crHermite crMakeHermite(const crPoint* from, const crPoint* to);
void crHermite_AddPoint(crHermite* hermite, const crPoint* point);
void crHermite_AddSlope(crHermite* hermite, double s, const double* rates);

// The polynomial of least degree that meets all conditions, and its derivative by t (NULL: not wanted).
void crHermite_Compute(const crHermite* hermite, int n, double t, double* outY, double* outRates);

#endif
