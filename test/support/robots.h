// Robots read from text, and their inverse dynamics by a second formulation.
#ifndef CR_TEST_ROBOTS_H
#define CR_TEST_ROBOTS_H

#include "carom/instance.h"
#include "carom/io.h"
#include "support/log.h"

typedef struct crTestRobot {
  crErrorLog* log;
  crErrorSink sink;
  crStatus status; // of reading
  crScene* scene;
  crModel* model;
  crInstance* instance;
  crTreeSet all;
  int stateCount, rateCount;
  double* y; // (stateCount)
} crTestRobot;

// Reads "robot.urdf" from a text, with settings "name=value" (NULL: none) that end with NULL, compiles it where it can
// be, and makes an instance.
crTestRobot crReadTestRobot(const char* text, const char* const* settings);
void crTestRobot_Free(crTestRobot* robot);

// Of joints by their names. Rates have the order of crInstance_ComputeInverseDynamics.
void crTestRobot_SetJoint(crTestRobot* robot, const char* joint, double q, double v);
int crTestRobot_FindRate(const crTestRobot* robot, const char* joint);

// -------------------------------------------------------------------------------- Newton and Euler

#define CR_MAX_ROBOT_LINKS 40

// A link as URDF gives it: everything in arrays, nothing shared with the library.
typedef struct crPlainLink {
  int parent; // -1: the base, which stands still
  char type;  // 'r'evolute, 'p'rismatic, 'f'ixed
  double xyz[3], rpy[3], axis[3];
  double mass, com[3], comRpy[3], inertia[6]; // ixx ixy ixz iyy iyz izz
  double q, v, a;
  double force; // result
} crPlainLink;

// Forces in the joints by recursive Newton-Euler in world axes; parents come first.
void crComputePlainForces(crPlainLink* links, int count);

// The robot as URDF: links "l0", "l1", ..., joints "j0", ..., on the link "base".
void crWritePlainUrdf(const crPlainLink* links, int count, char* buffer, size_t size);

crPlainLink crMakeRandomPlainLink(crRandom* random, int index);

#endif
