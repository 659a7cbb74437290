// Whether an answer of crComputeDistance is right, by certificates in long double that do not depend on how it was
// found.
//
// Apart or shallow (cores apart): points a, b of the cores bound their distance from above by |b - a|, the
// separation g(n) of the cores along any n bounds it from below. Where both agree with the answer, it is proved.
// Deep: g(n) is how far the shapes must move along the normal: it must agree with the answer. No other direction
// may separate them by a shorter motion than the answer's bounds allow.
#ifndef CR_TEST_DISTANCE_TRUTH_H
#define CR_TEST_DISTANCE_TRUTH_H

#include "support/distance_case.h"

// Accuracy scale: extents of both shapes, distance of their centres, and what the positions' digits allow [m].
double crScaleOfCase(const crDistanceCase* c);

// g(n) of the shapes along a direction of any length.
long double crSeparationAlong(const crDistanceCase* c, crVec3 n);

// What the certificates find, in units of the scale; 0 where a claim holds exactly.
typedef struct crVerdict {
  bool isDeep;      // the cores overlap
  double primal;    // how far the points lie outside the cores
  double dual;      // |answer - g(n)|
  double identity;  // |pointB - pointA - distance normal|, | |normal| - 1 |
  double enclosure; // how far a bound is on the wrong side of what is proved
  bool isFinite;
} crVerdict;

// What converged answers must keep, by kinds: 1e-12 of the scale for polytopes, 1e-10 for curved cores; their points
// may lie 1e-9 off where a rim meets a cap, since the distance does not depend on that to first order, and 1e-6 where
// an overlap is not called global.
bool crIsCurvedCase(const crDistanceCase* c);
bool crIsRightVerdict(const crDistanceCase* c, const crDistance* d, const crVerdict* verdict);

crVerdict crJudgeDistance(const crDistanceCase* c, const crDistance* d);

// The largest of the errors.
double crWorstOf(const crVerdict* verdict);

// The greatest separation over the directions to the 26 neighbours in a grid, each refined by a pattern search.
long double crSearchSeparation(const crDistanceCase* c, int refinements);

// The signed distance of two polytopes (point, segment, box, hull cores) by brute force over all features: apart, all
// pairs of vertex and face and of edges; overlapping, all normals of faces and pairs of edges.
long double crBruteForceDistance(const crDistanceCase* c);

#endif
