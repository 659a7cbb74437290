// Where a smooth function of one variable is above zero, in stretches between its dips, and where it is highest: by
// equal steps, with its slope at each, between which it is taken to turn once at most. Roots and turning points are
// found to the last digits.
#ifndef CR_COLLIDE_AREA_SPANS_ABOVE_H
#define CR_COLLIDE_AREA_SPANS_ABOVE_H

#include <stdbool.h>

#define CR_MOST_SPANS 16 // stretches above zero; more are left out

typedef struct crHeight {
  double f, slope;
} crHeight;

typedef crHeight (*crHeightAt)(void* context, double t);

typedef struct crSpan {
  double a, b;
  bool startsAtRoot, endsAtRoot; // else it ends with the interval
} crSpan;

typedef struct crSpansAbove {
  double at, most; // where it is highest, as far as that is above 0; else of the places looked at
  int count;
  crSpan items[CR_MOST_SPANS];
} crSpansAbove;

// Over [a, b] in `steps` steps. With isWhole the highest place is found exactly below zero, too.
void crFindSpansAbove(crHeightAt heightAt, void* context, double a, double b, int steps, bool isWhole,
                      crSpansAbove* out);

// A root between a place above zero and one that is not.
double crFindRootAbove(crHeightAt heightAt, void* context, double above, double below);

#endif
