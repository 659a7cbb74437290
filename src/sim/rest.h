// Bodies that start at rest on something: moved along gravity until what they lie on carries their weight.
#ifndef CR_SIM_REST_H
#define CR_SIM_REST_H

#include "island/run.h"

// Moves the states of the free bodies that ask for it. Reports bodies that lie on nothing.
crStatus crPlaceAtRest(crRun* run);

// Behind that: loads bristles of contacts that stick, so that nothing accelerates, and moves bodies by what that takes.
// Warns of what friction can not hold. outHeld: contacts of all that is held.
crStatus crHoldAtRest(crRun* run, crContacts** outHeld);

bool crHasResting(const crModel* model); // bodies that start at rest, under gravity

#endif
