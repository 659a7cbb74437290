// Contacts of balls with each other among those of a set, four at a time, in the stages of a step: there nobody looks
// at a contact but for its share in sums over the step. At the ends of steps all contacts are evaluated one by one,
// since what is known of them is read there.
//
// While a step is taken no contact of an island begins or ends, so they are listed once for all its stages.
#ifndef CR_CONTACT_BALL_STAGE_H
#define CR_CONTACT_BALL_STAGE_H

#include "contact/contact.h"

crStatus crCreateBallStage(const crAllocator* allocator, crBallStage** outStage);
void crDestroyBallStage(crBallStage* stage); // NULL: nothing

// The contacts of a set as they are now. outIsWorth: so many are of balls that lanes are faster. false: no memory.
bool crBallStage_List(crBallStage* stage, const crContacts* contacts, bool* outIsWorth);

// Adds the forces of those of balls to their bodies; stage velocity. Returns 0; NaN: not finite.
double crBallStage_Push(const crBallStage* stage, crInstance* instance);
const int* crBallStage_GetOthers(const crBallStage* stage, int* outCount); // contacts that it leaves alone, ascending
double crBallStage_SumDissipation(const crBallStage* stage);               // [W] of those of balls, as pushed last
// Sums over the step that contacts keep, of those of balls: crContacts_BeginSums.
void crBallStage_BeginSums(const crBallStage* stage, crContacts* contacts, double ofStart, double ofStage);
void crBallStage_AddToSums(const crBallStage* stage, crContacts* contacts, double ofStage);

#endif
