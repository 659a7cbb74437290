// Guard against missed contacts: no pair may touch inside a step unseen.
//
// A solver looks at the signs of the event indicators at the ends of its steps. For every pair that is not in contact
// the guard bounds the distance of each touch in between. Two convex shapes in translation have a distance that is
// convex in time, so with distance d and rate d' at either end of a step of length h, and a bound A on the relative
// acceleration of their material points,
//
//   d(s) >= d0 + d0' s - A s^2 / 2,    d(s) >= d1 - d1' (h - s) - A (h - s)^2 / 2
//
// Where neither line of defence holds, the trajectory itself is followed by conservative advancement on the first
// bound, until it has passed or the touch is found. A is taken from the cubic through both ends of the step, with a
// factor for what error control lets deviate from it.
#ifndef CR_SIM_GUARD_H
#define CR_SIM_GUARD_H

#include "model/eval/contact.h"

typedef struct crGuard crGuard;

crStatus crCreateGuard(const crModel* model, crContacts* contacts, const crAllocator* allocator, crGuard** outGuard);
void crDestroyGuard(crGuard* guard);

// The state of a set within the step, for the times that the guard asks for.
typedef struct crTrajectory {
  crStatus (*moveTo)(void* context, double t); // puts the instance at t, stage velocity
  void* context;
} crTrajectory;

// The instance stands at the start of a step, stage velocity.
void crGuard_Begin(crGuard* guard, const crInstance* instance, double t);

// The instance stands at the end of an accepted step. outTime: the first time within it at which a pair that is not in
// contact touches; infinity: none. The instance may have been moved within the step.
crStatus crGuard_Check(crGuard* guard, crInstance* instance, double t, crTrajectory trajectory, double* outTime);

// How often a touch was followed through a step, and in how many steps a contact was found inside.
int64_t crGuard_CountSearches(const crGuard* guard);
int64_t crGuard_CountFinds(const crGuard* guard);

#endif
