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

// The contacts of that set, as they are now. outIsWhole: the lanes have all of them; else there is one that has another
// law or another partner, and the set has to be evaluated in the usual way. false: no memory.
bool crBallLanes_SetContacts(crBallLanes* lanes, const crContacts* contacts, bool* outIsWhole);

// Rates of the states of all balls, tree by tree: those of quaternions, which nothing depends on, are 0. cr_retry: not
// finite.
crStatus crBallLanes_ComputeRates(crBallLanes* lanes, const double* y, double* outRates, double* outDissipation);

#endif
