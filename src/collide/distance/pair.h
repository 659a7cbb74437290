// Pairs of shapes: what a routine for one pair of kinds gets and gives, and the table of such routines.
//
// A routine sees the cores only (geometry/shape.h), in the canonical frame S_A of the first shape. What all
// pairs share is done for it by distance.c: the order of the two shapes, meshes piece by piece, the sweeps,
// the frames, surfaces and curvatures. Spheres and half-spaces need less than that and have a way of their own
// (ball.h).
#ifndef CR_COLLIDE_DISTANCE_PAIR_H
#define CR_COLLIDE_DISTANCE_PAIR_H

#include "carom/collide.h"
#include "geometry/shape.h"

#include <float.h>

// For small functions with vectors as arguments or results: through memory they would cost as much as the arithmetic.
#define CR_INLINE static inline __attribute__((always_inline))

// For large functions that are rarely called by small ones, which would pay for their registers.
#define CR_APART static __attribute__((noinline))

// The shapes are ordered: a->kind <= b->kind. Neither is a mesh.
typedef struct crQuery {
  const crShape* a;
  const crShape* b;
  crPose X_AB;            // of S_B in S_A, the canonical frames
  crVec3 centreA;         // a point inside core A, in S_A
  crVec3 centreB;         // a point inside core B, in S_A
  double radiusA;         // [m] of core A around its centre
  double radiusB;         // [m]
  double scale;           // [m] extents of both cores and the distance of their centres
  double noise;           // [m] rounding error of one coordinate of a core's point in S_A
  crDistanceCache* cache; // never NULL; direction in S_A
} crQuery;

// Fills of *out, for the cores alone and in S_A:
//   distance, normal (unit, from A to B), pointA, pointB on the cores, pointB - pointA = distance x normal
//   lowerBound, upperBound, iterations, isConverged, isGlobal
// The other fields are filled by the caller.
typedef void (*crPairFunction)(const crQuery* query, crDistance* out);

// The row of two kinds, kindA <= kindB; the general routine where no row stands.
crPairFunction crFindPairFunction(crShapeKind kindA, crShapeKind kindB);

// Any two bounded cores that do not both lie on a line.
void crComputeGeneralPair(const crQuery* query, crDistance* out);

// Rows.
void crComputeTwoSegmentsPair(const crQuery* query, crDistance* out); // capsule, capsule
void crComputeBoxPair(const crQuery* query, crDistance* out);         // box, box
void crComputeBoxCapsulePair(const crQuery* query, crDistance* out);  // box, capsule

// Two segments, the first as a box without width. False: not proved.
bool crTrySegmentsAsBoxes(const crQuery* query, crDistance* out);

// What a closed form answers: exact up to rounding.
static inline void crSetExact(double noise, double distance, crDistance* out)
{
  out->distance = distance;
  out->lowerBound = distance - noise;
  out->upperBound = distance + noise;
  out->iterations = 1;
  out->isConverged = true;
  out->isGlobal = true;
}

// isExchanged: A is called B in the answer, and B A.
static inline void crSetPoints(crVec3 normal, crVec3 pointA, crVec3 pointB, bool isExchanged, crDistance* out)
{
  out->normal = isExchanged ? crNeg(normal) : normal;
  out->pointA = isExchanged ? pointB : pointA;
  out->pointB = isExchanged ? pointA : pointB;
}

// Any unit vector across a unit vector, the same for the same n; without a root [Duff17].
static inline crVec3 crAnyPerpendicular(crVec3 n)
{
  double sign = n.z < 0.0 ? -1.0 : 1.0, a = -1.0 / (sign + n.z);
  return crMakeVec3(1.0 + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x);
}

#endif
