// Sheets: faces of a core, flat or round, as families of straight lines.
#ifndef CR_COLLIDE_AREA_SHEET_H
#define CR_COLLIDE_AREA_SHEET_H

#include "collide/area/rib.h"

#define CR_MAX_SHEET_CORNERS 32 // of a flat sheet; larger faces are taken in parts
#define CR_MAX_SHEET_BREAKS 256

// A line of a family, with the area that belongs to a unit of length and of the parameter at both ends, and how the
// ends move with the parameter.
typedef struct crRuling {
  crVec3 p, q, pRate, qRate;
  double areaP, areaQ;
} crRuling;

typedef struct crSheet crSheet;

struct crSheet {
  void (*rule)(const void* data, double v, crRuling* out);
  void (*addBreaks)(const crBalls* balls, crSheet* sheet, double from, double to); // or NULL
  const void* data;
  int count;                          // of parameters
  double breaks[CR_MAX_SHEET_BREAKS]; // (count) ascending, within which lines change smoothly
};

// Keeps them ascending; what comes when there is no room is left out.
void crSheet_AddBreak(crSheet* sheet, double v);

void crAddSheet(const crBalls* balls, crSheet* sheet);

// A convex polygon with its outward normal, corners counter-clockwise; in own axes.
void crAddFacet(const crBalls* balls, int n, const crVec3* corners, crVec3 normal);

#endif
