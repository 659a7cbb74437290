// The billiards scene in the Open Dynamics Engine, with steps of a fixed size: hard contacts, restitution, friction.
#include "billiards.h"

#include <ode/ode.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace
{

dWorldID world;
dJointGroupID contactJoints;
dGeomID table;

void ignoreMessage(int, const char*, va_list)
{
}

void addContact(void*, dGeomID a, dGeomID b)
{
  dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
  dContact contact[2] = {};
  const int count = bodyA != nullptr || bodyB != nullptr ? dCollide(a, b, 2, &contact[0].geom, sizeof(dContact)) : 0;
  for (int i = 0; i < count; i++) {
    dSurfaceParameters& surface = contact[i].surface;
    if (a == table || b == table) {
      surface.mode = dContactApprox1 | dContactRolling;
      surface.mu = 0.6;
      surface.rho = surface.rho2 = surface.rhoN = 0.02 * RADIUS;
    } else {
      surface.mode = dContactBounce | dContactApprox1;
      surface.bounce = bodyA != nullptr && bodyB != nullptr ? 1.0 : 0.8;
      surface.bounce_vel = 1e-3;
    }
    dJointAttach(dJointCreateContact(world, contactJoints, &contact[i]), bodyA, bodyB);
  }
}

void run(bool isQuick, double step)
{
  world = dWorldCreate();
  contactJoints = dJointGroupCreate(0);
  dSpaceID space = dSimpleSpaceCreate(nullptr);
  dWorldSetGravity(world, 0, 0, -GRAVITY);
  dWorldSetERP(world, 0.2);
  dWorldSetCFM(world, 1e-10);
  dWorldSetQuickStepNumIterations(world, 50);
  dWorldSetContactSurfaceLayer(world, 1e-6);
  table = dCreatePlane(space, 0, 0, 1, 0);
  dCreatePlane(space, -1, 0, 0, -HALF_LENGTH);
  dCreatePlane(space, 1, 0, 0, -HALF_LENGTH);
  dCreatePlane(space, 0, -1, 0, -HALF_WIDTH);
  dCreatePlane(space, 0, 1, 0, -HALF_WIDTH);
  double p[BALLS][3], early[BALLS][3], end[BALLS][3];
  dBodyID balls[BALLS];
  placeBalls(p);
  for (int i = 0; i < BALLS; i++) {
    dMass mass;
    dMassSetSphereTotal(&mass, MASS, RADIUS);
    balls[i] = dBodyCreate(world);
    dBodySetMass(balls[i], &mass);
    dBodySetPosition(balls[i], p[i][0], p[i][1], RADIUS - 1e-6);
    dGeomSetBody(dCreateSphere(space, RADIUS), balls[i]);
  }
  dBodySetLinearVel(balls[0], CUE_SPEED, 0, 0);
  const long steps = std::lround(STOP_TIME / step), earlyStep = std::lround(0.5 / step);
  const double start = cpuNow();
  for (long k = 1; k <= steps; k++) {
    dSpaceCollide(space, nullptr, addContact);
    if (isQuick) {
      dWorldQuickStep(world, step);
    } else {
      dWorldStep(world, step);
    }
    dJointGroupEmpty(contactJoints);
    for (int i = 0; (k == earlyStep || k == steps) && i < BALLS; i++) {
      const dReal* x = dBodyGetPosition(balls[i]);
      for (int a = 0; a < 3; a++) {
        (k == earlyStep ? early : end)[i][a] = x[a];
      }
    }
  }
  char what[64];
  std::snprintf(what, sizeof what, "ODE, %s, step %g s", isQuick ? "quickstep" : "worldstep", step);
  printRow(what, cpuNow() - start, steps, early, end);
  dJointGroupDestroy(contactJoints);
  dSpaceDestroy(space);
  dWorldDestroy(world);
}

} // namespace

int main()
{
  dSetMessageHandler(ignoreMessage);
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  printHead();
  run(false, 1e-3);
  run(true, 1e-3);
  run(false, 1e-4);
  return 0;
}
