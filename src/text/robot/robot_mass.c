// Joints at the ends of a robot that move nothing: fingers and frames without a mass, which files have for their own
// purposes. A force in such a joint has no answer, so they are welded.
#include "text/robot/robot.h"

#include <stdio.h>
#include <string.h>

#define CR_NO_INERTIA 1e-12 // [-] share of what a body has against other motions that counts as none
#define CR_MOST_NAMED 8     // joints that the message names

// The inertia of a body against the motion of one of its joints, and a scale for it.
static double findInertia(const crRobotJoint* joint, const crInertia* inertia, double* outScale)
{
  crInertia about = *inertia;
  about.com = crSub(inertia->com, joint->anchor);
  crSym3 I = crInertiaAboutOrigin(about);
  double moments[3];
  crSym3_ComputeEigen(I, moments, NULL);
  double largest = fmax(fabs(moments[0]), fabs(moments[2]));
  switch (joint->kind) {
    case cr_jointRevolute: *outScale = largest; return crDot(joint->axis, crMulSV(I, joint->axis));
    case cr_jointSpherical: *outScale = largest; return moments[0];
    case cr_jointPlanar:
    case cr_jointPrismatic: *outScale = inertia->mass; return inertia->mass;
    default: *outScale = fmax(inertia->mass, largest); return fmin(inertia->mass, moments[0]);
  }
}

static void tell(crRobot* robot, int count, const crRobotJoint* const* welded)
{
  char names[512] = "";
  size_t used = 0;
  for (int i = 0; i < count && i < CR_MOST_NAMED && used < sizeof names; ++i) {
    used += (size_t)snprintf(names + used, sizeof names - used, "%s'%.60s'", i == 0 ? "" : ", ", welded[i]->name);
  }
  crRobot_Warn(robot, NULL, NULL, "%d %s welded, because nothing behind %s has inertia against the motion: %s%s", count,
               count == 1 ? "joint is" : "joints are", count == 1 ? "it" : "them", names,
               count > CR_MOST_NAMED ? ", ..." : "");
}

// Welds what has to be and tells whether the body, or what it carries, moves relative to its parent. What it weighs
// goes up to the parent if not.
static bool weldBody(crRobot* robot, int b, crInertia* sums, bool isEnd, const crRobotJoint** welded, int* weldedCount)
{
  crRobotBody* body = &robot->bodies.items[b];
  bool isLoose = body->isFree;
  for (int j = body->jointStart + body->jointCount - 1; j >= body->jointStart; --j) {
    crRobotJoint* joint = &robot->joints.items[j];
    double scale = 0.0, inertia = 1.0;
    if (isEnd && !isLoose && joint->rotorInertia == 0.0) {
      inertia = findInertia(joint, &sums[b], &scale);
    }
    if (fabs(inertia) <= CR_NO_INERTIA * scale) {
      joint->isWelded = true;
      welded[(*weldedCount)++] = joint;
    } else {
      isLoose = true;
    }
  }
  if (!isLoose && body->parent != CR_ROBOT_WORLD) {
    crPose place = crMakePose(body->place.p, body->place.q);
    sums[body->parent] = crAddInertia(sums[body->parent], crTransformInertia(place, sums[b]));
  }
  return isLoose || !isEnd;
}

void crRobot_WeldMassless(crRobot* robot)
{
  size_t bodyCount = (size_t)robot->bodies.count, jointCount = (size_t)robot->joints.count;
  crInertia* sums = crArena_AllocateZero(&robot->list->arena, bodyCount + 1, sizeof *sums);
  bool* carriesMotion = crArena_AllocateZero(&robot->list->arena, bodyCount + 1, sizeof *carriesMotion);
  const crRobotJoint** welded = crArena_AllocateZero(&robot->list->arena, jointCount + 1, sizeof *welded);
  if (sums == NULL || carriesMotion == NULL || welded == NULL) {
    robot->list->isOutOfMemory = true;
    return;
  }
  int count = 0;
  for (size_t b = 0; b < bodyCount; ++b) {
    sums[b] = robot->bodies.items[b].inertia;
  }
  for (int b = (int)bodyCount - 1; b >= 0; --b) { // children come behind their parents
    int parent = robot->bodies.items[b].parent;
    if (weldBody(robot, b, sums, !carriesMotion[b], welded, &count) && parent != CR_ROBOT_WORLD) {
      carriesMotion[parent] = true;
    }
  }
  if (count > 0) {
    tell(robot, count, welded);
  }
}
