// What a benchmark of distances needs of a library: how to make its shapes, and one query.
//
// Every library gets the same pairs. It runs in a process of its own, so that one that aborts or hangs costs its row
// only; nothing is ever released.
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "carom/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BenchHull {
  const crVec3* points; // (pointCount) [m] all of them vertices
  int pointCount;
  const int* faces; // (faceWordCount) per face the number of its corners, then their indices, seen from outside
  int faceCount, faceWordCount;
} BenchHull;

typedef struct BenchShape {
  crShapeDef def;
  int hull; // number of the hull
} BenchShape;

typedef struct BenchPair {
  BenchShape a, b;
  crPose X_WA, X_WB;
  double distance; // [m] the truth
  double scale;    // [m] extents of both and the distance of their centres
} BenchPair;

typedef struct BenchPairs {
  BenchPair* pairs;
  int count;
  BenchHull* hulls;
  int hullCount;
} BenchPairs;

typedef struct BenchPeer {
  const char* name; // NULL ends a list
  bool hasDistance; // tells how far apart, not only that
  bool (*canCompute)(crShapeKind a, crShapeKind b);
  void* (*prepare)(const BenchPairs* pairs);
  double (*query)(void* context, int index); // signed distance; 1 for apart without one; NaN: no answer
} BenchPeer;

extern const BenchPeer bench_ccdPeers[], bench_fclPeers[], bench_bulletPeers[], bench_mujocoPeers[];

#ifdef __cplusplus
}
#endif

#endif
