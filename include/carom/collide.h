// Signed distances between convex shapes, and the pairs of a scene that are near each other.
//
// Usable on its own: two shapes (carom/geometry.h), two poses, one call. No scene, no simulation.
#ifndef CAROM_COLLIDE_H
#define CAROM_COLLIDE_H

#include "carom/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

// -------------------------------------------------------------------------------- one pair of shapes

// What a witness point lies on, so that a face contact is recognized and a contact keeps its identity.
typedef enum crSurfaceKind {
  cr_surfaceSmooth, // a curved surface: sphere, ellipsoid, cylinder side, rounded rim
  cr_surfaceFace,   // a flat face
  cr_surfaceEdge,   // a straight edge, rounded or not
  cr_surfaceVertex, // a corner or tip, rounded or not
} crSurfaceKind;

typedef struct crSurface {
  crSurfaceKind kind;
  int id; // number of the face, edge or vertex in its shape; the same for the same feature at all times
} crSurface;

// Principal curvatures of the surface at a witness point; both 0 on a flat face, positive where the shape is
// convex. On rounded edges and corners those of the rounding.
typedef struct crCurvature {
  double k1, k2;     // [1/m] k1 >= k2
  crVec3 direction1; // of k1, in the world, unit length
  bool isKnown;      // false where the shape does not know: unrounded edges and corners
} crCurvature;

typedef struct crDistance {
  double distance;       // [m] > 0 apart, < 0 penetrating; then -distance along normal separates the shapes
  crVec3 normal;         // from A to B, in the world, unit length
  crVec3 pointA, pointB; // on the surfaces, in the world: pointB - pointA = distance x normal
  double lowerBound;     // [m] the true signed distance lies between these two
  double upperBound;
  int iterations;
  bool isConverged; // within the accuracy promised in docs/collision.md
  bool isGlobal;    // penetrating: no shorter way out exists; always true when apart or shallow
  crSurface surfaceA, surfaceB;
  crCurvature curvatureA, curvatureB;
} crDistance;

// Where the last query of a pair ended. It may choose where the next one begins, but never what it answers:
// the final iterations depend on the poses alone. All zero is a valid start.
typedef struct crDistanceCache {
  double direction[3];    // in A's frame
  int supportA, supportB; // hull vertices to start hill climbing from
  int isFilled;
} crDistanceCache;

// Always answers for finite poses: converged, or the best bounds. Symmetric under exchanging A and B.
// A mesh is as near as its nearest piece; its depth is that of the deepest one, which need not separate the others, so
// it is never called global. Two half-spaces are apart, or overlap, by a finite length only when their normals are
// opposite; else the distance is -infinity.
// cache may be NULL. cr_errorMisuse: a NULL shape, a pose that is not finite, or a surface without pieces
// and no sphere. Not converged, without bounds: extruded ones without pieces that lean or pass each other's ends.
CR_API crStatus crComputeDistance(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                                  crDistanceCache* cache, crDistance* outDistance);

// The same at many poses, one after the other. The status is that of the first one that is refused, with which it ends;
// outDone (or NULL): those before it.
CR_API crStatus crComputeDistances(const crShape* a, const crPose* X_WA, const crShape* b, const crPose* X_WB,
                                   int count, crDistance* outDistances, int* outDone);

// ----------------------------------------------------------------------------------- motion bound

// A piece of a trajectory: a pose at one time, and how fast it can move during the whole interval.
typedef struct crMotionSegment {
  crPose pose;         // at the start of the interval
  crVec3 velocity;     // [m/s] of the origin, at the start
  double acceleration; // [m/s^2] bound on |d velocity / dt| over the interval
  double spin;         // [rad/s] bound on |angular velocity| over the interval
} crMotionSegment;

// A lower bound on the time until the two shapes touch, at most `duration` [s], by conservative advancement.
// Never later than the first contact of any motion that keeps to the bounds; up to `tolerance` [m] of approach
// equal to the first contact of the worst of them, as far as balls around the frames' origins bound how the
// shapes turn. A spin costs nothing where a shape cannot reach farther by turning: a ball about its centre.
// Always answers, after at most CR_MAX_ADVANCES distance queries for each pair of pieces; if that was too few,
// with an earlier time. Shapes that touch at the start give 0.
// cr_errorMisuse: NULL, a number that is not finite, duration, acceleration or spin < 0, tolerance <= 0, or
// an unbounded shape with a spin > 0.
#define CR_MAX_ADVANCES 200
CR_API crStatus crComputeTimeToContact(const crShape* a, const crMotionSegment* segmentA, const crShape* b,
                                       const crMotionSegment* segmentB, double duration, double tolerance,
                                       double* outTime);

// A box around all places where the shape can be during [0, duration]. Infinite where no bound is known: for an
// unbounded shape with a spin > 0, and for arguments that crComputeTimeToContact refuses.
CR_API crAabb crComputeSweptAabb(const crShape* shape, const crMotionSegment* segment, double duration);

// ----------------------------------------------------------------------------------- broad phase

// Boxes that move, and the pairs of them that overlap. Deterministic: the answers depend on the boxes and on
// the order in which they were added, never on addresses or on the history of motions.
typedef struct crBroadPhase crBroadPhase;

// Which pairs count. `context` decides nothing by itself; canMeet NULL: all pairs of different owners.
typedef struct crPairFilter {
  bool (*canMeet)(const void* context, int a, int b); // of box numbers; symmetric
  const void* context;
} crPairFilter;

typedef struct crBoxPair {
  int a, b; // a < b
} crBoxPair;

// `owners` (boxCount, or NULL): boxes of the same owner never pair, e.g. those of one rigid body.
// The filter is asked once when a pair comes near, and not again before it has been far apart.
// margin [m] >= 0: boxes overlap when the gap between them is at most this along each axis. They are closed, so
// boxes that touch overlap. All boxes are empty (min > max) until they are set; empty boxes overlap nothing.
// cr_errorMisuse: boxCount < 0 or a margin that is negative or not finite. cr_errorLimit: above 2^30 boxes.
CR_API crStatus crCreateBroadPhase(int boxCount, const int* owners, crPairFilter filter, double margin,
                                   const crAllocator* allocator, crBroadPhase** outBroadPhase);
CR_API void crDestroyBroadPhase(crBroadPhase* broadPhase);

// Sets a box that moved. Allocates nothing. Boxes may be infinite in some directions. The next query sees the new box,
// and crBroadPhase_FindPairs need never be called: the time is O(log boxCount), on average over many calls.
// cr_errorMisuse: a NaN or no such box; the broad phase is unchanged.
CR_API crStatus crBroadPhase_SetBox(crBroadPhase* broadPhase, int box, crAabb bounds);

// All pairs that overlap now, sorted by (a, b); valid until the next call. The list may grow; otherwise nothing is
// allocated. cr_errorMemory: no list, and nothing is lost: a later call finds all pairs. The time is proportional to
// the number of boxes set since the last call and to the pairs near them, times log(boxCount).
CR_API crStatus crBroadPhase_FindPairs(crBroadPhase* broadPhase, const crBoxPair** outPairs, int* outCount);

// Calls back for every box that holds the point, that the ray from p along d meets within `length` [m], or that
// overlaps the box, in ascending order of number. The margin does not count. d need not be of unit length; the zero
// direction asks for p alone; length may be infinite. Questions with a NaN find nothing. The answers are those of the
// boxes as they are set now, whether pairs were found since or not. Queries neither allocate nor write, so several
// threads may ask at the same time, as long as none sets boxes or finds pairs. The time is proportional to the number
// of boxes that are visited, plus log(boxCount).
typedef void (*crBoxVisitor)(void* context, int box);
CR_API void crBroadPhase_QueryPoint(const crBroadPhase* broadPhase, crVec3 p, crBoxVisitor visit, void* context);
CR_API void crBroadPhase_QueryRay(const crBroadPhase* broadPhase, crVec3 p, crVec3 d, double length, crBoxVisitor visit,
                                  void* context);
CR_API void crBroadPhase_QueryBox(const crBroadPhase* broadPhase, crAabb box, crBoxVisitor visit, void* context);

#ifdef __cplusplus
}
#endif

#endif
