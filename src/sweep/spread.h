// How one parameter varies: over values of a list, or by a distribution.
#ifndef CR_SWEEP_SPREAD_H
#define CR_SWEEP_SPREAD_H

#include "base/report.h"
#include "sweep/call.h"

typedef enum crSpreadKind {
  cr_spreadGrid,       // equal intervals from a to b
  cr_spreadValues,     // as listed
  cr_spreadUniform,    // in [a, b]
  cr_spreadLogUniform, // its logarithm is
  cr_spreadNormal,     // mean a, standard deviation b
} crSpreadKind;

typedef struct crSpread {
  crSpreadKind kind;
  double a, b;
  int count;            // of listed values; 0: it is a distribution
  const char** texts;   // (count) of cr_spreadValues
  const double* values; // (count) of cr_spreadValues; NULL: they are not all numbers
} crSpread;

// Reads "0.1:1:10", "2,4,8" or a call such as "uniform(0.4, 0.9)". What is wrong is reported. Strings lie in the arena.
crStatus crReadSpread(crSpread* spread, const char* text, crArena* arena, crReporter* reporter);

bool crSpread_IsListed(const crSpread* spread);

// The value at a place in [0, count) of a list. Of texts: the place.
double crSpread_GetListed(const crSpread* spread, int place);
// The quantile of a distribution at u in (0, 1).
double crSpread_FindQuantile(const crSpread* spread, double u);

// The quantile of the standard normal distribution at 0 < p < 1 [Wichura88].
double crNormalQuantile(double p);

#endif
