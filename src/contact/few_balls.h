// A few free balls in a step, with their contacts among themselves, with the world and with carriers. In its stages
// nobody looks at a body or a contact but for its share in sums over the step: rates come from the states alone,
// without what an evaluation leaves in the instance and in contacts. They have the bits of that.
#ifndef CR_CONTACT_FEW_BALLS_H
#define CR_CONTACT_FEW_BALLS_H

#include "contact/contact.h"
#include "model/eval/instance.h"

#define CR_MOST_BALLS 8
#define CR_MOST_PUSHES 24

// A ball of the set.
typedef struct crFewBall {
  double perMass, perInertia; // [1/kg], [1/(kg m^2)]
  crVec3 lift;                // [m/s^2] what holds it up is to push with for each kilogram
} crFewBall;

// A contact, and what its last stage had.
typedef struct crFewPush {
  const crTouchingPair* pair;
  crContact* contact;
  int a, b;               // balls; -1: no ball of the set
  int carrierA, carrierB; // bodies whose drive what it exerts is work of; -1: none
  int bodyA, bodyB;       // where no ball is; 0: the world
  double force, power;    // [N], [W]
  double slide, release;  // [m/s], [W]
} crFewPush;

typedef struct crFewBalls {
  crFewBall balls[CR_MOST_BALLS];
  crFewPush pushes[CR_MOST_PUSHES];
  int carriers[CR_MOST_PUSHES]; // shapes of carriers that touch, ascending
  int ballCount, pushCount, carrierCount;
} crFewBalls;

// A set whose trees are free bodies without couplings, as its contacts are now; owners: what a carrier belongs to, by
// its tree, and `owner` who need not count its work. false: they are not a few balls that lists are made for.
bool crFewBalls_List(crFewBalls* few, const crInstance* instance, crTreeSet set, const int* owners, int owner);

// y' of its balls, where the instance has carriers at the same time; those of quaternions, on which nothing depends,
// are 0. outPowers: of its contacts.
crStatus crFewBalls_ComputeRates(crFewBalls* few, const crInstance* instance, crTreeSet set, const double* y,
                                 double* outRates, crPowers* outPowers);

// Likewise at the end of a step: what is read of bodies and contacts there is in the instance and the set, but for the
// forces and accelerations of bodies.
crStatus crFewBalls_ComputeEnd(crFewBalls* few, crInstance* instance, crTreeSet set, double t, const double* y,
                               double* outRates, crPowers* outPowers);

// Sums over the step that contacts keep: crContacts_BeginSums.
void crFewBalls_BeginSums(const crFewBalls* few, double ofStart, double ofStage);
void crFewBalls_AddToSums(const crFewBalls* few, double ofStage);

#endif
