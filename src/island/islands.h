// A run by islands, as the simulation sees it.
#ifndef CR_ISLAND_ISLANDS_H
#define CR_ISLAND_ISLANDS_H

#include "base/archive.h"
#include "island/run.h"

typedef struct crIslands crIslands;

bool crIsSmallModel(const crModel* model); // its islands are moved one by one, the smallest clock first

// From the state and the contacts of the simulation at its start time.
crStatus crCreateIslands(crRun* run, crIslands** outIslands);
// Saves them, or makes those that were saved: *ioIslands is NULL then, and the run's instance, contacts and options are
// theirs already.
void crIslands_Archive(crArchive* archive, crRun* run, crIslands** ioIslands);
void crDestroyIslands(crIslands* islands);

// Until all clocks have reached t; outStopped: the observer of the simulation said so.
crStatus crIslands_Advance(crIslands* islands, double t, bool* outStopped);
double crIslands_TakeCpu(crIslands* islands);        // [s] of other threads since the last question
double crIslands_GetClock(const crIslands* islands); // [s] the smallest one

// The state of all at a time that all clocks have reached, with the contacts that hold there.
crStatus crIslands_Read(crIslands* islands, double t, double* outState, crContacts* outContacts);

// Gives trees of an instance the phases of their islands: what holds up to an event at their clocks.
void crIslands_SetPhases(const crIslands* islands, crInstance* instance);

// The state of all at t, which all clocks have reached, without interpolation, into the simulation. Only a restart may
// follow.
crStatus crIslands_Freeze(crIslands* islands, double t);

// Behind that, when these islands end for good: hands out all news, and tells the run from which event on signals hold.
crStatus crIslands_Finish(crIslands* islands);

// Starts all islands anew at t from the simulation's state: something has changed from outside.
crStatus crIslands_Restart(crIslands* islands, double t);

void crIslands_SetInput(crIslands* islands, int input, double value); // of what places bodies inside steps
void crIslands_SetInputRates(crIslands* islands, int input, double t, const double* rates); // likewise
void crIslands_Summarize(const crIslands* islands, crSimulationSummary* ioSummary);

#endif
