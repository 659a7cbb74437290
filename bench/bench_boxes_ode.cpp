// Six dropped boxes in the Open Dynamics Engine: its exact step, contacts that bounce with 1.
#include "boxes.h"

#include <ode/ode.h>

#include <cmath>

namespace
{

dWorldID world;
dJointGroupID contactJoints;

void addContacts(void*, dGeomID a, dGeomID b)
{
  dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
  if (bodyA == nullptr && bodyB == nullptr) {
    return;
  }
  dContact contacts[16] = {};
  int count = dCollide(a, b, 16, &contacts[0].geom, sizeof contacts[0]);
  for (int i = 0; i < count; i++) {
    contacts[i].surface.mode = dContactBounce;
    contacts[i].surface.mu = 0;
    contacts[i].surface.bounce = 1;
    contacts[i].surface.bounce_vel = 0;
    dJointAttach(dJointCreateContact(world, contactJoints, &contacts[i]), bodyA, bodyB);
  }
}

double measureEnergy(dBodyID body)
{
  dVector3 w;
  dBodyVectorFromWorld(body, dBodyGetAngularVel(body)[0], dBodyGetAngularVel(body)[1], dBodyGetAngularVel(body)[2], w);
  const double spin[3] = { w[0], w[1], w[2] };
  const dReal* v = dBodyGetLinearVel(body);
  const double speed[3] = { v[0], v[1], v[2] };
  return boxEnergy(dBodyGetPosition(body)[2], speed, spin);
}

void run(double step, const char* what, const char* key)
{
  double p[BOXES][3], q[BOXES][4];
  placeBoxes(p, q);
  world = dWorldCreate();
  contactJoints = dJointGroupCreate(0);
  dSpaceID space = dSimpleSpaceCreate(nullptr);
  dWorldSetGravity(world, 0, 0, -BOX_GRAVITY);
  dCreatePlane(space, 0, 0, 1, 0);
  dBodyID bodies[BOXES];
  for (int i = 0; i < BOXES; i++) {
    dMass mass;
    dQuaternion turn = { q[i][0], q[i][1], q[i][2], q[i][3] };
    dMassSetBoxTotal(&mass, boxMass(), boxSize[0], boxSize[1], boxSize[2]);
    bodies[i] = dBodyCreate(world);
    dBodySetMass(bodies[i], &mass);
    dBodySetPosition(bodies[i], p[i][0], p[i][1], p[i][2]);
    dBodySetQuaternion(bodies[i], turn);
    dGeomSetBody(dCreateBox(space, boxSize[0], boxSize[1], boxSize[2]), bodies[i]);
  }
  const long steps = std::lround(BOX_STOP / step);
  double start = boxNow(), energy = 0;
  for (long k = 0; k < steps; k++) {
    dSpaceCollide(space, nullptr, addContacts);
    dWorldStep(world, step);
    dJointGroupEmpty(contactJoints);
  }
  double seconds = boxNow() - start;
  for (dBodyID body : bodies) {
    energy += measureEnergy(body);
  }
  printBoxRow(what, key, steps, seconds, energy - boxesStartEnergy());
  dJointGroupDestroy(contactJoints);
  dSpaceDestroy(space);
  dWorldDestroy(world);
}

} // namespace

int main()
{
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  printBoxHead();
  run(1e-3, "ODE, worldstep, step 0.001 s", "ode.1e-03");
  run(1e-4, "ODE, worldstep, step 0.0001 s", "ode.1e-04");
  return 0;
}
