// Crossings: where an edge or rim of one shape passes over an edge of the other.
//
// Two flats that lie on each other touch in a convex patch. Its corners are rest points of one shape over the other,
// and crossings of their outlines; a stack of boxes that is turned a little rests on eight crossings and no corner.
// Together with the rest points the crossings of edges are all that two polytopes can touch with, so none of
// them needs a witness pair.
//
//   edge, edge   the nearest points of two segments
//   rim, edge    the two places at which an edge passes through the cylinder over a rim, along its axis: right where
//   the
//                rim lies nearly flat; where it does not, the witness pair carries
//
// A crossing fades as it comes to the end c of an edge, where a rest point takes over:
//
//   weight = product over ends c of F(s_c),   s_c = F(y_c / l) x depth of rest point c / depth of the crossing,
//   F(s) = (1 - s)^2 (1 + 2 s)
//
// y_c is how far c lies beside the other edge or rim, l a tenth of the smallest dimension. Where two edges become
// parallel all y_c vanish and one of the depths is equal, so the crossing, which has no place any more, has no weight
// either. A rim's crossings fade as the edge becomes its tangent and the two of them one.
#ifndef CR_COLLIDE_TOUCH_CROSSING_H
#define CR_COLLIDE_TOUCH_CROSSING_H

#include "collide/touch/rest_point.h"

// One of the two shapes, with its rest points as they were found to touch.
typedef struct crRestSide {
  const crShape* shape;
  crPose X_WS;                          // of its canonical frame
  crVec3 toOther;                       // along the normal of the witness pair, in S
  int count;                            // of rest points
  double top;                           // [m] greatest height
  double heights[CR_MAX_REST_VERTICES]; // [m] of the centres along toOther
  crVec3 own[CR_MAX_REST_VERTICES];     // centres in S
  crVec3 inOther[CR_MAX_REST_VERTICES]; // the same in the other's S
  crTouch* touches;                     // (count)
} crRestSide;

typedef struct crRestPair {
  crRestSide a, b;
  double depth;      // [m] of the witness pair
  double margin;     // [m] touches farther apart than this need not be found
  double fadeLength; // [m] l
} crRestPair;

// What a rest point or edge of this height is apart from the other shape at least [m].
static inline double crBoundByHeight(const crRestPair* pair, const crRestSide* side, double height)
{
  return side->top - height - pair->depth;
}

// How many touches are kept for the crossings of a pair: those that push most, then the nearest.
int crCountCrossings(const crShape* a, const crShape* b);

// (crCountCrossings) Ordered by force; those not found have the distance `margin`.
void crFindCrossings(const crRestPair* pair, crTouch* outTouches);

#endif
