// Contacts of balls with each other and with planes that do not move, four at a time: rates of a crowd of free balls.
//
// The balls of a crowd are evaluated some ten times a step, and nobody looks at what happens in their contacts but at
// the ends of steps. So these evaluations leave nothing behind: they read the states of the set, add up forces of
// bodies in rows, and write rates. What they compute is what crComputeFreeRates does, but for rounding.
#ifndef CR_CONTACT_BALL_LANES_H
#define CR_CONTACT_BALL_LANES_H

#include "contact/contact.h"

typedef struct crBallLanes crBallLanes;

// Whether all trees of a set are free balls that turn about their middle, so that lanes can move them.
bool crAreBalls(const crShapeTable* table, crTreeSet set);

crStatus crCreateBallLanes(const crShapeTable* table, const crAllocator* allocator, crBallLanes** outLanes);
void crDestroyBallLanes(crBallLanes* lanes); // NULL: nothing

// The balls of a set, its trees being as crAreBalls wants them. false: no memory.
bool crBallLanes_SetBalls(crBallLanes* lanes, const crInstance* instance, crTreeSet set);

// The start of a step.
typedef struct crBallStep {
  double h;                   // [s] it is no longer than this
  const double *y, *rates;    // of the set there
  const int* neighbourStarts; // (shapeCount + 1)
  const int* neighbours;      // of each shape those that it may meet in the step, ascending
} crBallStep;

typedef crArrayOf(crContactStart) crContactStarts;

// Contacts for a step: those that touch, and neighbours that may begin to, with the damping that they would freeze if
// all goes on as at the start. These have no force while they are apart, so rates stay continuous, and the error test
// sees the rest. outIsWhole: the lanes have all of them; else there is one with another law or another partner, and the
// set has to be evaluated in the usual way. false: no memory.
bool crBallLanes_Begin(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step, bool* outIsWhole);
// What touches at the end of that step and did not before, sorted, with what an event would have frozen. false: no
// memory.
bool crBallLanes_FindBegun(const crBallLanes* lanes, const double* y, double t0, double t1, crContactStarts* outStarts);

// Rates of the states of all balls, tree by tree: those of quaternions, which nothing depends on, are 0. cr_retry: not
// finite.
crStatus crBallLanes_ComputeRates(crBallLanes* lanes, const double* y, double* outRates, double* outDissipation);

// The same of contacts of the set alone, which have all that is to be told of them then; with rates of quaternions.
crStatus crBallLanes_Report(crBallLanes* lanes, crContacts* contacts, const double* y, double* outRates,
                            double* outDissipation);

#endif
