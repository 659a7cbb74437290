// Whether an answer of crComputeDistance is right, by certificates in long double that do not depend on how it was
// found.
//
// Apart or shallow (cores apart): points a, b of the cores bound their distance from above by |b - a|, the
// separation g(n) of the cores along any n bounds it from below. Where both agree with the answer, it is proved. Where
// they do not, because points aside by a little prove nothing between cores that nearly touch, a search around n in
// long double looks for a greater separation: g has no local optima there, so what it finds is the truth.
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
  double distance;  // apart or shallow: how far the answer may be from the truth, by the bounds that are proved
  double primal;    // how far the points lie outside the cores
  double dual;      // |answer - g(n)|
  double identity;  // |pointB - pointA - distance normal|, | |normal| - 1 |
  double enclosure; // how far a bound is on the wrong side of what is proved
  bool isFinite;
} crVerdict;

// What converged answers must keep, by kinds: 1e-12 of the scale for polytopes, 1e-10 for curved cores. Their points
// may lie aside by more, since the distance does not depend on that to first order: CR_POINT_LIMIT_...
#define CR_POINT_LIMIT 1e-11       // [scale] of polytopes
#define CR_POINT_LIMIT_CURVED 5e-8 // [scale] where a rim meets a cap
#define CR_POINT_LIMIT_LOCAL 1e-4  // [scale] where an overlap is not called global
bool crIsCurvedCase(const crDistanceCase* c);
bool crIsRightVerdict(const crDistanceCase* c, const crDistance* d, const crVerdict* verdict);

crVerdict crJudgeDistance(const crDistanceCase* c, const crDistance* d);

// The largest of the errors.
double crWorstOf(const crVerdict* verdict);

// The largest of the errors of the distance and its bounds, the points left aside.
double crWorstDistanceOf(const crVerdict* verdict);

// The greatest separation over the directions to the 26 neighbours in a grid, each refined by a pattern search.
long double crSearchSeparation(const crDistanceCase* c, int refinements);

// The signed distance of two polytopes (point, segment, box, hull cores) by brute force over all features: apart, all
// pairs of vertex and face and of edges; overlapping, all normals of faces and pairs of edges.
long double crBruteForceDistance(const crDistanceCase* c);

#endif
