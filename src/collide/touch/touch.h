// Touches: the points at which two shapes push each other.
//
// Two round shapes push at one point, the middle of their witness points. Shapes with flats, edges or rims would let
// that point jump from corner to corner while they rest on each other; they have rest points instead (rest_point.h):
// small balls in the corners of boxes and hulls and in the ends of capsules, with the radius of the rounding and flush
// with the faces; on the rims of cylinders and cones, at directions chosen by the other side's normal and not fixed to
// the body. Each rest point is tested against the other shape. Where outlines cross, crossings push (crossing.h). What
// neither carries, curved edges and sides in one point, the witness pair does, with a weight that fades smoothly to
// zero as others take over: rest points and edges lie inside their shape, so none is deeper than the witness pair.
//
//   weight of the witness pair = (1 - s)^2 (1 + 2 s),   s = max of (weight^(2/3) depth) of the others / witness depth
//
//   pair                                          touches, in this order
//   half-space and a shape with rest points       its rest points
//   sphere and any such shape, or a half-space    the sphere
//   box, small hull, capsule with each other      rest points of A, of B, crossings
//   cylinder, cone, beam with these or another    rest points of A, of B, crossings, witness pair
//   ellipsoid, large hull, mesh with anything     witness pair
//
// Everything depends on the poses alone. Nothing is allocated.
#ifndef CR_COLLIDE_TOUCH_TOUCH_H
#define CR_COLLIDE_TOUCH_TOUCH_H

#include "carom/collide.h"
#include "geometry/shape.h"

#define CR_MAX_REST_VERTICES 64 // corners of a hull up to which it has rest points; beyond it is taken as round
#define CR_RIM_POINTS 4         // on a rim: the nearest one and three more, so that a face rests on four
#define CR_MAX_CROSSINGS 8      // as many corners as the patch of two rectangles can have

typedef struct crTouch {
  double distance; // [m] < 0 penetrating
  double weight;   // [-] 0..1: share of the force; 1 for rest points
  crVec3 normal;   // from A to B, in the world, unit length
  crVec3 point;    // middle of the two witness points, in the world
} crTouch;

// How many touches the pair has, at least 1, the same at all times. A touch keeps its number, which is the
// contact's feature; crossings are numbered by their force and change places when they are equal. Exchanging A and B
// exchanges numbers, nothing else.
int crCountTouches(const crShape* a, const crShape* b);

// Whether a touch is a crossing. What is remembered of one crossing must hold for all of the pair, since they change
// places while both push.
bool crIsCrossing(const crShape* a, const crShape* b, int touch);

// Whether a touch stays at one point of the body of A, and of B: the middle of a ball, a corner. Others wander about,
// as where a coin is nearest to a table, so that their speed says little about where they will be.
typedef struct crTouchHold {
  bool onA, onB;
} crTouchHold;
crTouchHold crHoldOfTouch(const crShape* a, const crShape* b, int touch);

// The largest number of touches of any two shapes of a list, for scratch memory.
#define CR_MAX_TOUCHES (2 * CR_MAX_REST_VERTICES + CR_MAX_CROSSINGS + 1)

// All touches of the pair (crCountTouches). A touch that cannot push has a distance that is a lower bound, > 0: while
// the shapes are apart that is the distance of the shapes. A touch may penetrate and have no weight. Needed by events
// and right-hand sides alike.
void crComputeTouches(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                      crDistanceCache* cache, crTouch* outTouches);

// The pairs that most evaluations ask for, as crComputeTouches has them. outward: of the other shape, at the foot of
// the sphere's centre; gap [m] between that and the other shape. The sphere is A when sign is 1, B when it is -1.
static inline void crTouchFoot(crVec3 centre, double radius, crVec3 outward, double gap, double sign, crTouch* out)
{
  out->distance = gap - radius;
  out->weight = 1.0;
  out->normal = crScale(-sign, outward);
  out->point = crMulAdd(centre, -0.5 * (radius + gap), outward);
}

static inline void crTouchSpherePlane(const crShape* sphere, crVec3 centre, const crShape* plane, const crPose* X_WP,
                                      double sign, crTouch* out)
{
  crVec3 up = plane->isTurned ? crMulMV(X_WP->R, plane->R_FS.cz) : X_WP->R.cz;
  crTouchFoot(centre, sphere->sweep, up, crDot(up, crSub(centre, X_WP->p)) - plane->sweep, sign, out);
}

static inline void crTouchSpheres(const crShape* a, crVec3 centreA, const crShape* b, crVec3 centreB, crTouch* out)
{
  crVec3 x = crSub(centreA, centreB);
  double length = crLength(x);
  crVec3 outward = length > 0.0 ? crScale(1.0 / length, x) : crMakeVec3(0.0, 0.0, -1.0);
  crTouchFoot(centreA, a->sweep, outward, length - b->sweep, 1.0, out);
}

// A sphere and a shape that it touches in one point, the foot of its centre: any but those that count as round.
bool crHasSphereFoot(const crShape* shape);
void crTouchSphereSolid(const crShape* sphere, crVec3 centre, const crShape* solid, const crPose* X_WF, double sign,
                        crTouch* out);

// What the response needs to know of the geometry at a touch, once, when it begins. The normal there decides what a
// shape touches with, within CR_FLAT_SINE: a corner ball that carries a flat is a flat, not a corner. With h half the
// smallest dimension and r the rounding (that of the default where a shape has none, since a radius of zero would push
// with nothing):
//   sphere, capsule      their radius
//   ellipsoid            geometric mean of the principal radii
//   side of a cylinder, cone, beam   sqrt(R h): radius across, straight along
//   edge                 sqrt(r h)
//   rim of radius R      sqrt(r R)
//   corner, tip          r
//   flat, hull, mesh     h, not round; half-space: infinite
#define CR_FLAT_SINE 0.05 // [-] of the angle to a flat or edge within which a shape touches with it
typedef struct crTouchGeometry {
  double radiusA, radiusB;     // [m] contact radii
  bool isRoundA, isRoundB;     // false: a flat
  bool isSphereA, isSphereB;   // the shapes themselves, for the table of the papers
  double halfSizeA, halfSizeB; // [m] half the smallest dimension of each shape; infinite for a half-space
} crTouchGeometry;

crTouchGeometry crComputeTouchGeometry(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                                       int touch);

#endif
