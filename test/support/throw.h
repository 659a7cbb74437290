// Two bodies thrown at each other, or one at a half-space: no gravity, nothing else around, so that energy and momentum
// are known. Every throw is made from its two kinds and a seed alone, and can be repeated by them. Sizes are 0.05 to
// 0.3 m, densities those of wood to steel, speeds up to 10 m/s, poses and spins random; every eighth throw is of bodies
// whose axes are parallel, so that faces meet faces.
#ifndef CR_TEST_THROW_H
#define CR_TEST_THROW_H

#include "carom/carom.h"
#include "support/random.h"

#include <stdio.h>

// What is thrown. All but the last can be thrown at each other.
typedef enum crThrownKind {
  cr_thrownSphere,
  cr_thrownEllipsoid,
  cr_thrownCapsule,
  cr_thrownBox,
  cr_thrownCylinder,
  cr_thrownCone,
  cr_thrownFrustum,
  cr_thrownBeam,
  cr_thrownHull, // of 8 to 32 points
  cr_thrownRoundedBox,
  cr_thrownPlate, // a box of 2 to 6 mm
  cr_thrownRoundedCylinder,
  cr_thrownRoundedCone, // or frustum
  cr_thrownRoundedBeam,
  cr_thrownRoundedHull,
  cr_thrownHalfSpace,
  cr_thrownKindCount
} crThrownKind;

const char* crThrownKind_GetText(crThrownKind kind); // "sphere", "roundedBox", ...

#define CR_THROWN_POINTS 32 // of a hull at most
// A random shape of a kind; `points` (CR_THROWN_POINTS) are for a hull.
crShapeDef crMakeThrownShape(crThrownKind kind, crVec3* points, crRandom* random);

typedef struct crThrownPair {
  crThrownKind a, b; // a <= b; a is no half-space
} crThrownPair;

#define CR_THROWN_PAIRS 135
crThrownPair crGetThrownPair(int index);                        // 0 ... CR_THROWN_PAIRS - 1
bool crFindThrownPair(const char* text, crThrownPair* outPair); // "cone-hull", in any order; false: none of that name

// How all throws of a series are done.
typedef struct crThrowOptions {
  double tolerance;          // [-]
  double cor, muK;           // [-] of the contact
  double E;                  // [N/m^2] 0: random, 1e6 to 1e11
  double hysteresis;         // [m] of the scene; 0: what it is unless given
  FILE* trace;               // to which time, energies and losses are written at tracePoints times; NULL: none
  int tracePoints;           //
  double traceFrom, traceTo; // [s] between these; both 0: from start to end
} crThrowOptions;

#define CR_THROW_CPU_LIMIT 5.0 // [s] after which a throw counts as one without end

#define CR_THROW_MESSAGE 240

typedef struct crThrowResult {
  bool isDone;                    // the throw was run at all
  crStatus status;                // of the run; cr_cancelled: it was stopped after CR_THROW_CPU_LIMIT
  double E;                       // [N/m^2]
  double speed;                   // [m/s] of both towards each other
  double energy;                  // [J] kinetic, at the start, in the frame in which both together rest
  double change;                  // [J] kinetic and elastic energy at the end less that
  double dissipated;              // [J]
  double depth;                   // [m] largest of all contacts
  double beginDepth;              // [m] largest with which a contact began: one that was found late
  double smallest;                // [m] smallest dimension of both bodies
  int contactCount;               // contacts that began; 0: they missed each other
  bool touchesAtEnd;              //
  int64_t steps;                  //
  int64_t evaluations;            //
  double cpuSeconds;              //
  char message[CR_THROW_MESSAGE]; // the last error of a run that failed
} crThrowResult;

crThrowResult crRunThrow(crThrownPair pair, uint64_t seed, const crThrowOptions* options);

// [-] What is wrong with the energy: where nothing is lost the change over what there was; with losses the change that
// they do not explain over what was lost, of which a hundredth of the energy counts at least.
double crThrowResult_Error(const crThrowResult* result, const crThrowOptions* options);

#endif
