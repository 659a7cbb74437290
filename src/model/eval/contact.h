// The inside of a set's contacts. Pairs are sorted by (shapeA, shapeB), the contacts of a pair by touch, so sums have
// one order. Memory grows at events only, but for the list of near pairs of the broad phase.
#ifndef CR_MODEL_EVAL_CONTACT_H
#define CR_MODEL_EVAL_CONTACT_H

#include "base/memory.h"
#include "carom/collide.h"
#include "model/contact_law.h"
#include "model/eval/instance.h"

// What a contact shape means to the contacts of a set.
typedef struct crShapeFacts {
  bool isMember; // on the world or on a tree of the set
  int tree;      // -1: the world
  double mass;   // [kg] of its body, of its tree if that has none; infinite: does not move
  double half;   // [m] half its smallest dimension
  bool isRound;  // a sphere, capsule or ellipsoid
  bool isSphere;
  bool isActive; // while active shapes are listed
  bool hasSurfaceVelocity;
  crVec3 surfaceVelocity; // [m/s] in body axes
} crShapeFacts;

// Two shapes that touch.
typedef struct crTouchingPair {
  int shapeA, shapeB;
  int touchCount;
  int contactStart, contactCount;
  const crContactLaw* law;
  crDistanceCache cache;
} crTouchingPair;

typedef struct crContact {
  int touch;
  crContactMemory memory;
  double begin;    // [s]
  double approach; // [m/s] at the beginning, before an impulse
  bool isHeld;     // while impulses are resolved: none moves it
  // up to the end of the last step
  double maxDepth, maxForce;   // [m], [N]
  double impulse, dissipation; // [N s], [J]
  double lastForce, lastPower; // [N], [W] at its end
  // as evaluated last
  crTouch now;
  crContactMotion motion;
  crContactForce force;
} crContact;

typedef struct crTreeLink {
  int tree, other;
} crTreeLink;

struct crContacts {
  crAllocator allocator;
  const crModel* model;
  int shapeCount;
  crShapeFacts* facts; // (shapeCount)
  crPose* poses;       // (shapeCount) those of the world are written once
  int* members;        // (memberCount) shapes of the set that move
  int memberCount;
  double margin;  // [m] pairs that are farther apart count as this far
  double gravity; // [m/s^2]
  crBroadPhase* broadPhase;

  double lastEvent; // [s] at which contacts were resolved last; NaN: never
  crArrayOf(crTouchingPair) pairs;
  crArrayOf(crContact) contacts;
  crArrayOf(int) activeShapes;         // moving shapes of the pairs, ascending
  crArrayOf(crTouchingPair) nextPairs; // while an event is resolved
  crArrayOf(crContact) nextContacts;
  crArrayOf(crContactEvent) events;
  crArrayOf(crTreeLink) links;     // trees that touch each other, both ways, sorted
  crTouch touches[CR_MAX_TOUCHES]; // scratch
};

// Half the width of the hysteresis of a pair.
double crContacts_GetHysteresis(const crContacts* contacts, int shapeA, int shapeB, const crContactLaw* law);

// Whether two shapes are in the set and can meet; a filter for broad phases, `context` being the contacts.
bool crContacts_CanMeet(const void* context, int a, int b);

// The touching pair of two shapes; NULL: they do not touch.
const crTouchingPair* crContacts_FindPair(const crContacts* contacts, crBoxPair pair);

// Radii and sizes at a touch of two shapes at these poses, with the contact radii that a user gave.
crTouchGeometry crFindTouchGeometry(const crModel* model, crBoxPair pair, const crPose* X_WA, const crPose* X_WB,
                                    int touch);

// One z1 and one z2 for each pair of shapes that can meet, side by side, instead of one of each for all: for
// comparison. outPairs may be NULL, to learn the count.
int crContacts_ListPairs(const crContacts* contacts, crBoxPair* outPairs);
crStatus crComputePairIndicators(crInstance* instance, crTreeSet set, double t, const double* y, const crBoxPair* pairs,
                                 int pairCount, double* outZ);

// Adds the forces of all contacts to the bodies; stage velocity. false: not finite.
bool crApplyContacts(crInstance* instance, crContacts* contacts);

// Depth, rate, slip of a touch, from the motion of both bodies.
crContactMotion crFindContactMotion(const crInstance* instance, const crContacts* contacts, int shapeA, int shapeB,
                                    const crTouch* touch);

// Whether a tree touches any other, and whether it touches this one.
bool crContacts_HasLinks(const crContacts* contacts, int tree);
bool crContacts_AreLinked(const crContacts* contacts, int tree, int other);

// Places all shapes of the set that move, and finds the pairs whose boxes are within the margin.
crStatus crFindNearPairs(const crInstance* instance, crContacts* contacts, const crBoxPair** outPairs, int* outCount);

// Poses of the shapes in a list, at stage position.
void crPlaceShapes(const crInstance* instance, crContacts* contacts, const int* shapes, int count);

#endif
