// Where the lines of a family begin or cease to meet pieces of another body: the breaks of a quadrature across them.
//
// Between two breaks every line has the same spans (spans.h), and what is integrated along it is an analytic function
// of v. All conditions are roots of polynomials of fourth degree in v (bernstein.h), since lines join a fixed point E
// with a point Y of second degree, and sides and all that is as near to a side as to a cap are quadrics M:
//
//   an end of the line on a plane or on a quadric        Y . plane = 0,  Y M Y = 0
//   the line touches a quadric                           (E M Y)^2 - (E M E) (Y M Y) = 0
//   the line meets the curve of a plane and a quadric    Z M Z = 0,  Z = (Y . plane) E - (E . plane) Y
#ifndef CR_COLLIDE_AREA_BREAKS_H
#define CR_COLLIDE_AREA_BREAKS_H

#include "collide/area/ruled.h"
#include "collide/area/zone.h"

#define CR_MAX_BREAKS 128

typedef struct crBreak {
  double v;
  bool isTangent; // lines on one side touch the other's surface there: what is inside begins like a square root
} crBreak;

typedef struct crBreaks {
  int count;
  crBreak list[CR_MAX_BREAKS];
} crBreaks;

// Adds v of one part of a body's surface in another body. X: from the one's axes to the other's. caps: of the one's cap
// at z0 and that at z1; they get the chords through those points of an arc's rims that are breaks of it. zone: in the
// other's axes, what is in both bodies, and `depth` how deep that is at most. outRange: lines beyond are apart from the
// other body. False: all are, and there is no range.
bool crFindBreaks(const crRuled* ruled, const crCurvedBody* other, const crPose* X, const crZone* zone, double depth,
                  crBreaks* ioBreaks, crBreaks* ioCaps, double outRange[2]);

// In ascending order.
void crSortBreaks(crBreaks* breaks);

#endif
