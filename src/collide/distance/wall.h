// Ellipsoids in rooms: how far they are from the wall of a hollow sphere, cylinder or cone, in up to two places.
//
// A room K is convex, and the wall around it is solid. A body A inside is as far from the wall as
//
//   least over n of h_K(n) - h_A(n),       h: support functions, n: unit vectors
//
// and each local minimum is a touch of its own. A room has a wall for each kind of n that can be one: a cap has a
// single n; a round wall of a cylinder or cone the normals of its generators, n(phi) = (cos a cos phi, cos a sin phi,
// sin a), with one and the same h_K; of a sphere n is anything, and what is least is R less the distance of A's
// farthest point from its centre. Beyond their edges walls go on.
//
// An ellipsoid that fits, of which no radius of curvature is larger than the least one of the wall, touches it once.
// All others may touch it in two places. For these the ellipsoid, or the directions in which it is looked at, are in
// two halves, near and far, each of which has its nearest place:
//
//   sphere           halves of the ellipsoid, by the plane across its longest axis; of an oblate spheroid those of its
//                    section through the middle of the room, towards that and away from it: it touches in a ring
//   cylinder, cone   halves of all phi, towards the longer axis of the ellipsoid's shadow along the room's axis, and
//                    away from it
//
// Where the longest axis passes that of a cylinder or cone its shadow passes zero. It is moved a little to a side
// there, so that the halves turn round and do not change places at once, which would leave a contact without its touch.
//
// With the depths d1 and d2 of both, and d0 of the nearest place where they meet, U(d1) + U(d2) - U(d0) is what is
// stored: where there is one touch it is the one of one half, and as deep as the edge of the other; it goes over to the
// other half, or becomes two, without a jump. Forces are its gradient: those of d1 and d2 at both touches, and what d0
// takes back at the edge between the halves, with a torque where halves turn.
//
// In a cylinder or cone there may be a ring as well, of a lens in a funnel: a third wall has the place that is least
// near, which counts if all around touches. So it is held by both ends of a diameter, as a ball is.
#ifndef CR_COLLIDE_DISTANCE_WALL_H
#define CR_COLLIDE_DISTANCE_WALL_H

#include "carom/collide.h"
#include "geometry/shape.h"

static inline bool crIsWall(const crShape* shape)
{
  return shape->wall.kind != cr_wallNone;
}

// isExchanged: the answer calls the wall A and the ellipsoid B.
void crAnswerWall(const crShape* ellipsoid, const crPose* X_WE, const crShape* wall, const crPose* X_WF,
                  bool isExchanged, crDistance* out);

// Where the halves of an ellipsoid, or of a round wall, meet: the place that is deepest in it, in the world.
typedef struct crWallEdge {
  double depth;  // [m]
  crVec3 normal; // out of the room
  crVec3 point;  // [m] on the ellipsoid
  crVec3 turn;   // [m] by which the depth grows as the ellipsoid turns in the room, since halves turn; else (0, 0, 0)
} crWallEdge;
crWallEdge crMeasureWallEdge(const crShape* ellipsoid, const crPose* X_WE, const crShape* wall, const crPose* X_WF);

// Whether the halves of a wall turn against room and ellipsoid, so that one alone may come near faster than points
// move.
static inline bool crHasTurningHalves(const crShape* wall)
{
  return wall->wall.kind == cr_wallCone && wall->wall.part != cr_wallRing;
}

// [m] The distance of the nearer half of such a wall, whichever it is.
double crMeasureRoundWall(const crShape* ellipsoid, const crPose* X_WE, const crShape* wall, const crPose* X_WF);

#endif
