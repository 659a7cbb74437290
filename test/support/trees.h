// Mechanisms for the tests of evaluation: a description that can be built in several ways, which are all the same
// mechanism, and random ones with every kind of joint.
#ifndef CR_TEST_TREES_H
#define CR_TEST_TREES_H

#include "carom/instance.h"
#include "joint/joint_kind.h"
#include "support/scenes.h"
#include "support/test.h"

#define CR_MAX_TEST_LINKS 24
#define CR_MAX_TEST_SPRINGS 6

// A body with the joint that moves it.
typedef struct crTestLink {
  int parent; // link; -1: the base
  crJointKind kind;
  crJointAxes axes;
  crVec3 nearPosition, farPosition; // of the joint on the parent's and on this body's object
  crQuat nearRotation, farRotation;
  double mass;
  crVec3 com;
  crSym3 inertia; // about the centre of mass
  double q[CR_MAX_JOINT_Q], v[CR_MAX_JOINT_V];
  crJointLaw law;
} crTestLink;

typedef struct crTestSpring {
  int linkA, linkB; // -1: the base
  crVec3 pointA, pointB;
  double stiffness, damping, length;
} crTestSpring;

typedef struct crTestTree {
  int linkCount, springCount;
  crTestLink links[CR_MAX_TEST_LINKS];
  crTestSpring springs[CR_MAX_TEST_SPRINGS];
  crGravity gravity;
} crTestTree;

// How it is built: the same mechanism each time.
typedef struct crTestView {
  crQuat turn; // of the whole, gravity included
  crVec3 shift;
  bool exchangesEnds;    // objectA and objectB of every joint
  bool isBackwards;      // elements in the opposite order
  bool startsAtFarFrame; // the joint's frame carries the body's object, not the other way round
} crTestView;

// Bodies "bodyI" with frames "farI", joints "jointI" from "nearI" on the parent, springs "springI".
void crBuildTree(crTestScene* test, const crTestTree* tree, crTestView view);
crTestView crPlainView(void);

// One link on the given joint: no frames away from the origins, unit mass at the origin, diagonal inertia of 1.
crTestLink crMakeLink(int parent, crJointKind kind);

// Random parents, frames, masses and states. Kinds run through all that move; laws and springs if wanted.
crTestTree crMakeRandomTree(crRandom* random, int linkCount, bool hasLaws, int springCount);

// A built tree, its instance, and its state at the start.
typedef struct crTestMotion {
  crTestScene test;
  crModel* model;
  crInstance* instance;
  crTreeSet all;
  int stateCount, rateCount;
  double* y; // (stateCount) to be changed at will
} crTestMotion;

crTestMotion crStartTree(const crTestTree* tree, crTestView view);
crTestMotion crStartScene(crTestScene test); // takes the scene
void crTestMotion_Free(crTestMotion* motion);

#endif
