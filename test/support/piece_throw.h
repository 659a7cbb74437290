// Any body thrown at anything that is not convex: rooms, profiles with convex pieces, meshes in pieces. No gravity, no
// losses, so that its energy is known. Every throw is made from a target, a body and a seed alone.
#ifndef CR_TEST_PIECE_THROW_H
#define CR_TEST_PIECE_THROW_H

#include <stdbool.h>
#include <stdint.h>

#define CR_PIECE_TARGETS 21
#define CR_PIECE_BODIES 8
#define CR_ROOM_BODIES 12 // with those that are thrown in hollow shapes alone, which ellipsoids touch exactly

bool crPieceTarget_IsHollow(int target);
bool crPieceBody_IsEllipsoid(int body);
const char* crPieceTarget_GetText(int target);
const char* crPieceBody_GetText(int body);

typedef struct crPieceThrow {
  int status;       // crStatus of the run
  int contactCount; // that began
  int64_t evaluationCount;
  double energy;   // [-] that is missing or too much, of what there was
  bool isTold;     // a warning says that energy is unexplained
  bool hasEscaped; // from a room without a door
} crPieceThrow;

// Targets are at rest with every other seed, free otherwise.
crPieceThrow crThrowAtPieces(int target, int body, uint64_t seed, double tolerance);

#endif
