// Random pairs of convex shapes whose signed distance is known exactly.
//
// A unit direction n and a point of A at which n is the only outward normal (inside a face, or on a smooth surface),
// or two crossing edges; B is turned at random and moved so that its farthest point against n lies at a distance d
// along n. Then d is the signed distance, apart and as long as the overlap is shallow. Every pair is checked
// against hundreds of other directions: none may separate better.
#ifndef BENCH_DISTANCE_PAIRS_H
#define BENCH_DISTANCE_PAIRS_H

#include "carom/collide.h"
#include "peers/peer.h"

#define BENCH_HULLS 8 // different ones in a set of pairs

typedef struct DistancePairs {
  BenchPairs set;
  crShape** shapes; // (2 count) of Carom
  crShape* hulls[BENCH_HULLS];
} DistancePairs;

// Half of the pairs apart, half overlapping, |d| spread evenly by orders of magnitude over 1e-6 ... 1e-2 m; sizes
// about 1 m. hullPoints: vertices of each hull.
DistancePairs makeDistancePairs(crShapeKind a, crShapeKind b, int hullPoints, int count);
void destroyDistancePairs(DistancePairs* pairs);

#endif
