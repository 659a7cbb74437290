// Lines of a family inside another body: which parts of them are, and what is measured there. They are seen side by
// side in lanes, with the bits that each has alone (spans.h).
#ifndef CR_COLLIDE_AREA_LINES_H
#define CR_COLLIDE_AREA_LINES_H

#include "collide/area/ruled.h"
#include "collide/area/spans.h"

#define CR_MAX_LINES 16
#define CR_LINE_SUMS 3

typedef double crLineRow[CR_MAX_LINES] __attribute__((aligned(64)));

typedef struct crLines {
  crLineRow p[3], u[3], weight, more; // of the lines, as of crRuledLine
  crLineRow q[3], w[3];               // p, u in the other's axes
  crLineRow sums[CR_LINE_SUMS];       // [m^2] integrals of the depth, by kind of span
  crLineRow depth, deepest;           // [m] the largest depth, and at which t
  crLineRow from, cut, to;            // the part that is inside, of one kind up to the cut; none: from = to
  unsigned left;                      // a bit for each line that has more spans, which are in the room
  unsigned areCut, areSide[2], areLower[2], areBetween, areBack; // bits: kinds of both parts, segments 1 and 2
  crSpan room[CR_MAX_LINES][CR_MAX_SPANS];
  int roomCounts[CR_MAX_LINES];
} crLines;

// The lines v of a family; count <= CR_MAX_LINES, and v has room for all of these. X: from the axes of the family to
// those of the other body. Integrals of the depth are taken over what is nearest to the side and to each cap: where the
// one ends and the other begins is seen in each, hardly in their sum, but in the force.
void crMeasureLines(const crRuled* ruled, const crCurvedBody* other, const crPose* X, int count, crLineRow v,
                    crLines* out);

// Spans of a line, of which there are at most CR_MAX_SPANS; returns their number.
int crLines_ListSpans(const crLines* lines, int i, crSpan* outSpans);

static inline double crLines_GetSum(const crLines* lines, int i)
{
  return lines->sums[0][i] + lines->sums[1][i] + lines->sums[2][i];
}

static inline crVec3 crLines_GetPlace(const crLineRow* rows, int i)
{
  return crMakeVec3(rows[0][i], rows[1][i], rows[2][i]);
}

#endif
