// Where a smooth function of one variable is above zero, in stretches between its dips, and where it is highest: by
// steps of a length that it tells, with its slope at each, between which it is taken to turn once at most. Roots are
// found to the last digits, turning points where they matter: what is level but for rounding has none.
#ifndef CR_COLLIDE_AREA_SPANS_ABOVE_H
#define CR_COLLIDE_AREA_SPANS_ABOVE_H

#include <stdbool.h>

#define CR_MOST_SPANS 128 // stretches above zero; more are left out: a rim of 200 cells has 100

typedef struct crHeight {
  double f, slope;
  double step; // how far away the next look may be
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

// What is looked at. Where the function is below zero, or with isWhole below all of before, steps may be as long as the
// rate allows.
typedef struct crScan {
  double a, b;
  double rate;  // largest slope there may be
  int looks;    // at least
  double hint;  // a place between a and b that is high, probably
  bool isWhole; // the highest place is found exactly below zero, too
} crScan;

void crFindSpansAbove(crHeightAt heightAt, void* context, const crScan* scan, crSpansAbove* out);

// A root between a place above zero and one that is not, tried from a guess between them on.
double crFindRootAbove(crHeightAt heightAt, void* context, double above, double below, double guess);

#endif
