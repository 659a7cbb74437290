// Touches: the points at which two shapes push each other.
//
// Two round shapes push at one point, the middle of their witness points. Shapes with flats, edges or rims would let that
// point jump from corner to corner while they rest on each other; they have rest points instead: small balls in the
// corners of boxes and hulls and in the ends of capsules, with the radius of the rounding and flush with the faces; on the
// rims of cylinders and cones, at directions chosen by the other side's normal and not fixed to the body. Each
// rest point is tested against the other shape. What no rest point carries, crossing edges, the witness pair does, with
// a weight that fades smoothly to zero as a rest point takes over: rest points lie inside their shape, so none is deeper
// than the witness pair.
//
//   weight of the witness pair = (1 - s)^2 (1 + 2 s),   s = max(0, deepest rest point / witness depth)
//
// Everything depends on the poses alone. Nothing is allocated.
#ifndef CR_COLLIDE_TOUCH_H
#define CR_COLLIDE_TOUCH_H

#include "carom/collide.h"

#define CR_MAX_REST_VERTICES 64 // corners of a hull up to which it has rest points; beyond it is taken as round
#define CR_RIM_POINTS 4         // on a rim: the nearest one and three more, so that a face rests on four

typedef struct crTouch {
  double distance; // [m] < 0 penetrating
  double weight;   // [-] 0..1: share of the force; 1 for rest points
  crVec3 normal;   // from A to B, in the world, unit length
  crVec3 point;    // middle of the two witness points, in the world
} crTouch;

// How many touches the pair has, at least 1, the same at all times. A touch keeps its number, which is the
// contact's feature. Exchanging A and B exchanges numbers, nothing else.
int crCountTouches(const crShape* a, const crShape* b);

// The largest number of touches of any two shapes of a list, for scratch memory.
#define CR_MAX_TOUCHES (2 * CR_MAX_REST_VERTICES + 1)

// All touches of the pair (crCountTouches). A touch that cannot push has a distance that is a lower bound, > 0.
// Needed by events and right-hand sides alike.
void crComputeTouches(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                      crDistanceCache* cache, crTouch* outTouches);

// What the response needs to know of the geometry at a touch, once, when it begins. Radii as in docs/contact.md:
// sphere and capsule: their radius; ellipsoid, sides of cylinders and cones: the geometric mean of the principal radii,
// straight directions counted as half the smallest dimension; edges, rims, corners and tips: the rounding in the
// sharp direction; flats and hulls: half the smallest dimension.
typedef struct crTouchGeometry {
  double radiusA, radiusB;     // [m] contact radii
  bool isRoundA, isRoundB;     // false: a flat
  bool isSphereA, isSphereB;   // the shapes themselves, for the table of the papers
  double halfSizeA, halfSizeB; // [m] half the smallest dimension of each shape; infinite for a half-space
} crTouchGeometry;

crTouchGeometry crComputeTouchGeometry(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                                       int touch);

#endif
