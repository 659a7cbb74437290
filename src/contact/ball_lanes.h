// Contacts of balls with each other and with what does not move, four at a time: rates of a crowd of free balls.
//
// The balls of a crowd are evaluated some ten times a step, and nobody looks at what happens in their contacts but at
// the ends of steps. So these evaluations leave nothing behind: they read the states of the set, add up forces of
// bodies in rows, and write rates. What they compute is what crComputeFreeRates does, but for rounding. Sums over
// contacts are kept here, too, and contacts of the set are told of them only when somebody looks: with all that there
// is to know of one a contact takes 900 bytes, and a pile does not fit into a cache.
#ifndef CR_CONTACT_BALL_LANES_H
#define CR_CONTACT_BALL_LANES_H

#include "base/crew.h"
#include "contact/contact.h"
#include "solve/problem.h"

typedef struct crBallLanes crBallLanes;
typedef crArrayOf(crContactStart) crContactStarts;

// Whether all trees of a set are free balls that turn about their middle, so that lanes can move them.
bool crAreBalls(const crShapeTable* table, crTreeSet set);

crStatus crCreateBallLanes(const crShapeTable* table, const crAllocator* allocator, crBallLanes** outLanes);
void crDestroyBallLanes(crBallLanes* lanes); // NULL: nothing

// The balls of a set, its trees being as crAreBalls wants them. false: no memory.
bool crBallLanes_SetBalls(crBallLanes* lanes, const crInstance* instance, crTreeSet set);

// Who shares the work from here on, NULL: nobody. The bits are the same. false: no memory.
bool crBallLanes_SetCrew(crBallLanes* lanes, const crCrew* crew);

double crBallLanes_GetRadius(const crBallLanes* lanes, int ball); // [m] in the order of trees

// The start of a step.
typedef struct crBallStep {
  double h;                   // [s] it is no longer than this
  const double *y, *rates;    // of the set there
  const int* neighbourStarts; // (shapeCount + 1)
  const int* neighbours;      // of each shape those that it may meet in the step, ascending
  int64_t stamp;              // another one whenever neighbours change
} crBallStep;

// Contacts for a step: those that touch, and neighbours that may begin to, with the damping that they would freeze if
// all goes on as at the start. These have no force while they are apart, so rates stay continuous, and the error test
// sees the rest. outIsWhole: the lanes have all of them; else there is one with another law or another partner, and the
// set has to be evaluated in the usual way. false: no memory.
//
// From here on the lanes have the contacts; those of the set do not know what happens to them until they are told.
bool crBallLanes_Begin(crBallLanes* lanes, const crContacts* contacts, const crBallStep* step, bool* outIsWhole);
// [m/s] The fastest ball at its start, and [m] the smallest radius of all.
void crBallLanes_FindExtremes(const crBallLanes* lanes, double* outSpeed, double* outRadius);

// Rates of the states of all balls, tree by tree: those of quaternions, which nothing depends on, are 0. cr_retry: not
// finite.
crStatus crBallLanes_ComputeRates(crBallLanes* lanes, const double* y, double* outRates, double* outDissipation);
// The stage behind the last one, with rates that are written nowhere: rows of balls, and no followers. Returns what is
// dissipated at the last one [W]. What is not finite is handed on.
double crBallLanes_ComputeNext(crBallLanes* lanes, const crLaneStage* stage);

typedef struct crBallEnd {
  double t0, t1;       // [s] of the step
  const double* y;     // of the set at its end,
  const double* stage; // and the same as a stage has it
  double* stageRates;  // where rates go in that form; NULL: nowhere
} crBallEnd;

// Rates at the end of the step, with what has begun in it, and that only.
crStatus crBallLanes_ComputeEnd(crBallLanes* lanes, const crBallEnd* end, double* outRates, double* outDissipation);
// What touches there and did not before, sorted, with what an event would have frozen.
const crContactStarts* crBallLanes_GetBegun(const crBallLanes* lanes);

// The step is final, and so is what it adds to sums over contacts. What has begun or is over becomes an event of the
// contacts of the set, among which it is already. y: of the end.
crStatus crBallLanes_CountStep(crBallLanes* lanes, crContacts* contacts, double t0, double t1, const double* y);
// Whether any contact is deeper there than this share [-] of the smaller of both shapes' halves.
bool crBallLanes_AreDeep(const crBallLanes* lanes, double share);
// A set whose last step, from t0, was taken in lanes that were dropped since, before it was counted: all as they were.
crStatus crBallLanes_Resume(crBallLanes* lanes, const crContacts* contacts, double t0, const double* y,
                            double* outRates, bool* outIsWhole);

// Contacts of the set get all that is to be told of them, at the state y. Drop: and have it from here on.
void crBallLanes_Tell(crBallLanes* lanes, crContacts* contacts, const double* y);
void crBallLanes_Drop(crBallLanes* lanes);

#endif
