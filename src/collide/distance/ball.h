// Balls and half-spaces against shapes, lean: distance, normal and points, nothing else.
//
// The core of a ball is a point, so its frame does not matter, and all that is needed is the foot of its centre on the
// other core, in the canonical frame S of that core (ball.c). A half-space is a point and a
// normal, and needs the farthest point of the other core against that normal (half_space.c). distance.c adds surfaces,
// curvatures and bounds; contact forces, which ask at every evaluation, take the answer as it is.
#ifndef CR_COLLIDE_DISTANCE_BALL_H
#define CR_COLLIDE_DISTANCE_BALL_H

#include "carom/collide.h"
#include "geometry/shape.h"

#include <float.h>

#define CR_NOISE_UNITS 4.0     // [eps] rounding errors of a point, in units of its coordinates
#define CR_LEAST_SQUARE 1e-280 // between these, the square of a length keeps its digits
#define CR_LARGEST_SQUARE 1e280
#define CR_FAR 1e70       // [m] beyond, products of four lengths overflow
#define CR_FARTHEST 1e300 // [m] a difference of positions beyond the range of numbers counts as this

// [m] rounding error of one coordinate of a point of a shape that reaches so far from its origin, seen from p
static inline double crNoiseOf(double reach, crVec3 p)
{
  return CR_NOISE_UNITS * DBL_EPSILON * (reach + fabs(p.x) + fabs(p.y) + fabs(p.z));
}

// q - p, but finite.
static inline crVec3 crSubFinite(crVec3 q, crVec3 p)
{
  crVec3 v = crSub(q, p);
  if (crMaxAbs(v) <= CR_FARTHEST) {
    return v;
  }
  return crMakeVec3(fmax(fmin(v.x, CR_FARTHEST), -CR_FARTHEST), fmax(fmin(v.y, CR_FARTHEST), -CR_FARTHEST),
                    fmax(fmin(v.z, CR_FARTHEST), -CR_FARTHEST));
}

// The vector v, given in the world, in the shape's canonical frame, and back. A sphere looks the same in all frames:
// it is left in the world's.
static inline crVec3 crToCanonical(const crShape* shape, const crPose* X_WF, crVec3 v_W)
{
  if (shape->kind == cr_shapeSphere) {
    return v_W;
  }
  crVec3 v_F = crMulTV(X_WF->R, v_W);
  return shape->isTurned ? crMulTV(shape->R_FS, v_F) : v_F;
}

static inline crVec3 crFromCanonical(const crShape* shape, const crPose* X_WF, crVec3 v_S)
{
  if (shape->kind == cr_shapeSphere) {
    return v_S;
  }
  return crMulMV(X_WF->R, shape->isTurned ? crMulMV(shape->R_FS, v_S) : v_S);
}

// -------------------------------------------------------------------------------------------- balls

typedef struct crBallDistance {
  double distance; // [m] of the ball and the shape; < 0: they overlap
  crVec3 normal;   // from the ball to the shape, in the world, unit length
} crBallDistance;

// A ball about `centre` in the world. Distance and normal are those, bit for bit, that crComputeDistance gives for a
// sphere as its first shape (but between balls about one point, where any normal will do), at a fraction of the cost;
// the points are centre + radius x normal on the ball and centre + (radius + distance) x normal on the shape. Any
// shape; cache may be NULL and matters for hulls alone. Centre and pose have to be finite.
void crComputeBallDistance(crVec3 centre, double radius, const crShape* shape, const crPose* X_WF,
                           crDistanceCache* cache, crBallDistance* outDistance);

// The closed forms of it, and all that crComputeDistance answers. False, with nothing done, where there is none: for
// hulls and meshes, and beyond CR_FAR.
bool crTryBall(crVec3 centre, double radius, const crShape* shape, const crPose* X_WF, crBallDistance* outDistance);
bool crTrySphere(const crShape* sphere, const crPose* X_WA, const crShape* shape, const crPose* X_WF, bool isExchanged,
                 crDistance* out);

// -------------------------------------------------------------------------------------- half-spaces

typedef struct crPlaneDistance {
  double distance; // [m] < 0: they overlap
  crVec3 point;    // of the shape's surface, in the world: the middle of its nearest points
} crPlaneDistance;

// A bounded shape other than a mesh against the half-space below the plane through `origin` with the outward unit
// normal n, both in the world. The other point is point - distance x n. *support: vertex of a hull to start from, and
// the one found.
void crComputePlaneDistance(crVec3 origin, crVec3 n, const crShape* shape, const crPose* X_WF, int* support,
                            crPlaneDistance* outDistance);

// All that crComputeDistance answers, for a half-space as the first shape.
void crAnswerPlane(const crShape* half, const crPose* X_WH, const crShape* shape, const crPose* X_WF, int* support,
                   bool isExchanged, crDistance* out);

// The same for two half-spaces.
void crAnswerTwoPlanes(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB, bool isExchanged,
                       crDistance* out);

#endif
