// A straight line inside a curved body: the parts of it that are nearest to one piece of the surface.
#ifndef CR_COLLIDE_AREA_SPANS_H
#define CR_COLLIDE_AREA_SPANS_H

#include "collide/area/curved_body.h"

#define CR_MAX_SPANS 24
#define CR_LEAST_SPAN 1e-14 // [-] of the line: shorter ones are rounding errors

typedef enum crSpanKind {
  cr_spanSide,
  cr_spanLower, // nearest to the cap at z0
  cr_spanUpper,
} crSpanKind;

// p + t u for from < t < to.
typedef struct crSpan {
  double from, to;
  crSpanKind kind;
  int segment; // of the side
} crSpan;

// Spans of p + t u, 0 < t < 1, in ascending order, one after the other without gaps. Returns their number.
int crFindSpans(const crCurvedBody* body, const crVec3* p, const crVec3* u, crSpan outSpans[CR_MAX_SPANS]);

#endif
